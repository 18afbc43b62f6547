"""Hands of any game in any house, with the cards that a test wants, and short words to play them with."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from homegame_engine import catalog
from homegame_engine.actions import AnyAction, Check, Declare, Discard, Draw, PassCards, Show
from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.deal_proof import deck_cards
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from tests.table_builders import action_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from homegame_engine.events import AnyEvent
    from homegame_engine.specs import GameSpec, HandRules, Structure

EventT = TypeVar("EventT")


def rules_of(house: str, structure: Structure | None = None, **changes: object) -> HandRules:
    """Rules of a house, units of one chip, some fields changed.

    House Night antes 1 and has a spread of 1 to 4, no blinds; the others play limit with blinds of 1/2 and bets of 2/4.
    """
    if house == "HOUSE_NIGHT":
        rules = catalog.house(house).hand_rules(
            structure=structure, unit_chips=1, ante_chips=1, spread_min_chips=1, spread_max_chips=4
        )
    else:
        rules = catalog.house(house).hand_rules(
            structure=structure or "LIMIT",
            unit_chips=1,
            small_blind_chips=1,
            big_blind_chips=2,
            small_bet_chips=2,
            big_bet_chips=4,
        )
    return msgspec.structs.replace(rules, **changes)


def deal_game(  # noqa: PLR0913 - each a thing that a test may want, by its name
    game: GameSpec | str,
    stacks: Sequence[int],
    *,
    house: str = "CLUB",
    structure: Structure | None = None,
    button: int = 0,
    cards: Sequence[str] = (),
    board: str = "",
    then: str = "",
    dead_chips: int = 0,
    mix_orders: bytes = b"",
    **changes: object,
) -> Hand:
    """Start a hand. `cards` are each seat's private ones as text, `then` those that follow the first deal of a draw game."""
    spec = catalog.game(game) if isinstance(game, str) else game
    rules = rules_of(house, structure, **changes)
    hole_cards = [parse_cards(text) for text in cards] or [()] * len(stacks)
    deck = list(
        stack_deck(spec, rules, button=button, hole_cards=hole_cards, board=parse_cards(board), fill=False),
    )
    first_free = len(stacks) * spec.hole_card_count
    following = parse_cards(then)
    if following:
        deck[first_free : first_free + len(following)] = following
    unused = iter(sorted(set(deck_cards(len(deck))) - set(deck)))
    return Hand.start(
        spec,
        rules,
        stacks=stacks,
        button=button,
        deck_order=bytes(next(unused) if card == CARD_UNKNOWN else card for card in deck),
        dead_chips=dead_chips,
        mix_orders=mix_orders,
    )


def choice_of(word: str) -> AnyAction | None:
    """A choice in a word: `d:AsKd` draws, `d:` stands pat, `x:AsKd` discards, `p:As` passes, LOW, HIGH and BOTH declare."""
    if word in ("LOW", "HIGH", "BOTH"):
        return Declare(half=word)
    letter, colon, text = word.partition(":")
    if not colon:
        return None
    cards = parse_cards(text)
    choices: dict[str, AnyAction] = {"d": Draw(cards=cards), "x": Discard(cards=cards), "p": PassCards(cards=cards)}
    return choices[letter]


def play_game(hand: Hand, words: str) -> tuple[AnyEvent, ...]:
    """Play the seats in turn, wagers as in `table_builders.play`, choices as in `choice_of`; returns all events."""
    events: list[AnyEvent] = []
    for word in words.split():
        action = choice_of(word) or action_of(word, hand.legal_actions())
        events += hand.apply(hand.actor, action)
    return tuple(events)


def check_down(hand: Hand, *, until: Iterable[str] = ()) -> tuple[AnyEvent, ...]:
    """Play without wagers, calling what is owed, standing pat and showing, until a phase or the end."""
    events: list[AnyEvent] = []
    while not hand.is_over and hand.phase not in until:
        legal = hand.legal_actions()
        action: AnyAction
        if "show" in legal.kinds:
            action = Show()
        elif "draw" in legal.kinds:
            action = Draw()
        elif "check" in legal.kinds:
            action = Check()
        elif "call" in legal.kinds:
            action = action_of("c", legal)
        else:
            action = hand.timeout_action(hand.actor)
        events += hand.apply(hand.actor, action)
    return tuple(events)


def of_kind(events: Iterable[AnyEvent], kind: type[EventT]) -> list[EventT]:
    """The events of one type."""
    return [event for event in events if isinstance(event, kind)]
