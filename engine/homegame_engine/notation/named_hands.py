"""What somebody may hold, as people write it: cards, a class of starting hands, or several of both.

`AsKs`, `As??` (the second card is not known), `AA`, `AKs` (of one suit), `AKo` (of two), `AK` (either), `AA,KK,AsKs`, and `any`
or `?` for a hand of which nothing is known. A class names two cards: in games with more private cards the rest stays unknown.
"""

import re
from typing import Final

from homegame_engine.cards import CARD_UNKNOWN, RANKS, SUITS, format_cards, parse_card, parse_cards
from homegame_engine.errors import InputError

ANYTHING: Final = ("any", "?")

_CLASS: Final = re.compile(f"([{RANKS}])([{RANKS}])([so]?)")


def read_hands(text: str) -> tuple[tuple[int, ...], ...]:
    """Read the hands that one player may hold.

    Args:
        text: One hand, or several with commas between them.

    Returns:
        Each hand once, as card codes in the order written, CARD_UNKNOWN where a card is not known; () for nothing known.

    Raises:
        InputError: A part of the text is no hand.

    Rules: CARD-01, CARD-04.
    """
    return tuple(dict.fromkeys(hand for part in text.split(",") for hand in _read_part(part.strip())))


def _read_part(text: str) -> list[tuple[int, ...]]:
    if text in ANYTHING:
        return [()]
    named = _CLASS.fullmatch(text)
    if named is None:
        if not text:
            raise InputError("a hand is missing; `any` is one of which nothing is known", field="hand")
        return [parse_cards(text)]
    first, second, suits = named.groups()
    if first == second and suits:
        raise InputError(f"{text!r}: a pair is of two suits; write {first}{second}", field="hand")
    return [
        (parse_card(first + a), parse_card(second + b))
        for a in SUITS
        for b in SUITS
        if (a < b if first == second else not suits or (a == b) == (suits == "s"))
    ]


def format_hand(hand: tuple[int, ...]) -> str:
    """Write one hand as it is read: `AsKs`, `As??`, `any`."""
    return format_cards(hand) if any(card != CARD_UNKNOWN for card in hand) else ANYTHING[0]
