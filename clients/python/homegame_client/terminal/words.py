"""Small words for screens: names, cards, amounts, clocks, streets, and what a player may do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from homegame.v1.actions_pb2 import ActionKind, Half, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Level
from homegame.v1.sheets_pb2 import FinishReason
from homegame.v1.views_pb2 import TableView
from homegame_client.cards import card_text

FINISH_WORDS: Final[Mapping[FinishReason.ValueType, str]] = {
    FinishReason.FINISH_REASON_CUTOFF: "the cutoff",
    FinishReason.FINISH_REASON_ALL_CHIPS: "one player holding all the chips",
    FinishReason.FINISH_REASON_HOST: "the host",
}
HALF_WORDS: Final[Mapping[Half.ValueType, str]] = {
    Half.HALF_LOW: "low",
    Half.HALF_HIGH: "high",
    Half.HALF_BOTH: "both",
}

# Betting rounds whose code alone would be no word for people; any other code is read as it is written.
_STREET_WORDS: Final[Mapping[str, str]] = {
    "THIRD": "third street",
    "FOURTH": "fourth street",
    "FIFTH": "fifth street",
    "SIXTH": "sixth street",
    "SEVENTH": "seventh street",
    "PREDRAW": "before the draw",
    "DECLARED": "after declaring",
    "FIRST": "first round",
    "SECOND": "second round",
    "FINAL": "last round",
}
_AFTER: Final = ("_draw", "_pass", "_discard")

Names = Callable[[int], str]
"""The name of the player in a seat, counted from 0."""


def visible(text: str) -> str:
    """Text from a server with everything replaced that would steer the terminal instead of showing."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)


def namer(view: TableView) -> Names:
    """Return a function from a seat, counted from 0, to the name to show."""
    shown = {seat.seat: visible(seat.display_name) for seat in view.seats}
    return lambda seat: shown.get(seat) or f"seat {seat + 1}"


def names_text(names: Iterable[str], most: int) -> str:
    """Names in a row; of more than `most` the first and how many more there are: `Ada, Bruno and 2 others`."""
    told = list(names)
    if len(told) <= most:
        return ", ".join(told)
    n_others = len(told) - most
    return f"{', '.join(told[:most])} and {n_others} other{'s' if n_others > 1 else ''}"


def cards_text(cards: Sequence[Card.ValueType]) -> str:
    """Cards with spaces between them."""
    return " ".join(card_text(card) for card in cards)


def chips_text(chips: int) -> str:
    """An amount with thousands set apart."""
    return f"{chips:,}"


def signed_text(chips: int) -> str:
    """An amount won or lost."""
    return f"{chips:+,}" if chips else "0"


def count_text(number: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def clock_text(left_ms: int) -> str:
    """Time left as minutes and seconds, rounded up; never negative."""
    seconds = max(0, -(-left_ms // 1000))
    return f"{seconds // 60}:{seconds % 60:02d}"


def street_text(name: str) -> str:
    """A betting round for people: `fourth street`, `after the first draw`, `flop`."""
    words = visible(name).lower().replace("_", " ")
    after = next((ending for ending in _AFTER if name.lower().endswith(ending)), "")
    return _STREET_WORDS.get(name, f"after the {words}" if after else words)


def stakes_text(level: Level) -> str:
    """What a level plays for: `blinds 1/2, bets 2 and 4`, `ante 10, bring-in 25, bets 50 and 100`."""
    parts = []
    if level.ante_chips:
        parts.append(f"ante {chips_text(level.ante_chips)}")
    if level.small_blind_chips or level.big_blind_chips:
        parts.append(f"blinds {chips_text(level.small_blind_chips)}/{chips_text(level.big_blind_chips)}")
    if level.bring_in_chips:
        parts.append(f"bring-in {chips_text(level.bring_in_chips)}")
    if level.spread_max_chips:
        parts.append(f"bets {chips_text(level.spread_min_chips)} to {chips_text(level.spread_max_chips)}")
    elif level.big_bet_chips:
        parts.append(f"bets {chips_text(level.small_bet_chips)} and {chips_text(level.big_bet_chips)}")
    return ", ".join(parts)


# --- What a player may do ---------------------------------------------------------------------------------------------


def describe_choice(legal: LegalActions) -> str:
    """What the player to act may do, with amounts: `fold, call 2, raise to 4`."""
    words = [kind_text(kind, legal) for kind in legal.kinds]
    return ", ".join(word for word in words if word)


def kind_text(kind: ActionKind.ValueType, legal: LegalActions) -> str:
    """One open kind with its amount: `call 2`, `complete to 4`, `draw up to 5 cards`."""
    verb, amount = kind_verb(kind), ""
    match kind:
        case ActionKind.ACTION_KIND_CALL:
            amount = chips_text(legal.call_chips)
        case ActionKind.ACTION_KIND_BRING_IN:
            amount = chips_text(legal.bring_in_chips)
        case ActionKind.ACTION_KIND_BET:
            amount = _wager(legal)
        case ActionKind.ACTION_KIND_RAISE | ActionKind.ACTION_KIND_COMPLETE:
            amount = f"to {_wager(legal)}"
        case ActionKind.ACTION_KIND_DISCARD | ActionKind.ACTION_KIND_PASS | ActionKind.ACTION_KIND_DRAW:
            amount = _how_many_cards(legal)
        case ActionKind.ACTION_KIND_DECLARE:
            amount = one_of(HALF_WORDS.get(half, "") for half in legal.halves)
        case _:
            pass
    return f"{verb} {amount}".strip()


def one_of(words: Iterable[str]) -> str:
    """Words to choose from: `low, high or both`."""
    *others, last = list(words) or [""]
    return f"{', '.join(others)} or {last}" if others else last


def kind_verb(kind: ActionKind.ValueType) -> str:
    """A kind without its amount: `fold`, `bring in`. A kind from a newer server has no word yet."""
    name = ActionKind.Name(kind) if kind in ActionKind.values() else ""
    return name.removeprefix("ACTION_KIND_").lower().replace("_", " ")


def _wager(legal: LegalActions) -> str:
    low, high = legal.raise_to_min_chips, legal.raise_to_max_chips
    if high <= low:
        return chips_text(low)
    between = (
        " or " if high - low == legal.raise_step_chips else "-"
    )  # With an open pair: the small bet or the big one.
    return f"{chips_text(low)}{between}{chips_text(high)}"


def _how_many_cards(legal: LegalActions) -> str:
    most = count_text(legal.cards_max, "card")
    return most if legal.cards_min == legal.cards_max else f"up to {most}"
