"""Short ways to set a street or a hand up and to play it, so that a test reads like the rule it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.actions import (
    AnyAction,
    Bet,
    BringIn,
    Call,
    Check,
    Complete,
    Fold,
    LegalActions,
    Muck,
    Raise,
    Show,
)
from homegame_engine.betting import BettingRound
from homegame_engine.cards import parse_cards
from homegame_engine.errors import RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from homegame_engine.specs import HandRules, ReopenRule, Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.events import AnyEvent
    from homegame_engine.reasons import Reason

DEEP = 1_000_000
"""Chips of a player who never runs out in a test."""

STRUCTURES: dict[Structure, tuple[ReopenRule, int]] = {
    "FIXED_LIMIT": ("FULL_LEVEL", 3),
    "LIMIT": ("HALF_BET", 4),
    "NO_LIMIT": ("CUMULATIVE_FULL", -1),
    "POT_LIMIT": ("CUMULATIVE_FULL", -1),
    "SPREAD_LIMIT": ("MIN_CHIP", 3),
}
"""Reopening rule and raise cap that the houses pair with each structure."""


def street_rules(structure: Structure, **changes: object) -> HandRules:
    """Rules of a street: blinds 50/100, steps of 100, a spread of 25 to 100, unless changed."""
    reopen_rule, raise_cap = STRUCTURES[structure]
    settings: dict[str, object] = {
        "structure": structure,
        "reopen_rule": reopen_rule,
        "raise_cap": raise_cap,
        "small_blind_chips": 50,
        "big_blind_chips": 100,
        "small_bet_chips": 100,
        "big_bet_chips": 100,
        "min_open_chips": 100,
        "spread_min_chips": 25,
        "spread_max_chips": 100,
        "fold_when_free": structure != "FIXED_LIMIT",
    }
    return msgspec.convert(settings | changes, HandRules)


def street(
    structure: Structure,
    stacks: Sequence[int],
    *,
    inc: int = 100,
    posts: Sequence[int] | None = None,
    pot: int = 0,
    **changes: object,
) -> BettingRound:
    """A street among `stacks`, seat 0 first; with `posts` a first street whose last poster has the big blind."""
    first_seat = 0
    if posts is not None:
        first_seat = (max(seat for seat, post in enumerate(posts) if post) + 1) % len(stacks)
    return BettingRound(
        street_rules(structure, **changes),
        stacks,
        increment_chips=inc,
        pot_before_chips=pot,
        posts=posts,
        first_seat=first_seat,
        blind_is_opening=posts is not None,
    )


def house_rules(
    house: str, structure: Structure | None = None, blinds: tuple[int, int] = (1, 2), **more: object
) -> HandRules:
    """Rules of a house at the given blinds."""
    small, big = blinds
    rules = catalog.house(house).hand_rules(small_blind_chips=small, big_blind_chips=big, structure=structure)
    return msgspec.structs.replace(rules, **more)


def deal(
    stacks: Sequence[int],
    *,
    house: str = "CLUB",
    structure: Structure | None = None,
    blinds: tuple[int, int] = (1, 2),
    button: int = 0,
    cards: Sequence[str] = (),
    board: str = "",
    antes: Sequence[int] | None = None,
    **changes: object,
) -> Hand:
    """A hold'em hand with every seat dealt in; `cards` and `board` as text, the rest of the deck in the order of codes."""
    rules = house_rules(house, structure, blinds, **changes)
    game = catalog.game("HOLDEM")
    hole_cards = [parse_cards(text) for text in cards] or [()] * len(stacks)
    return Hand.start(
        game,
        rules,
        stacks=stacks,
        button=button,
        deck_order=stack_deck(game, rules, button=button, hole_cards=hole_cards, board=parse_cards(board)),
        antes=antes,
    )


def action_of(word: str, legal: LegalActions) -> AnyAction:
    """An action in a letter: f(old), k (check), c(all), b100 (bet), r300 (raise to), s(how), m(uck); i brings in, o completes."""
    letter, amount = word[0], word[1:]
    plain: dict[str, AnyAction] = {
        "f": Fold(),
        "k": Check(),
        "s": Show(),
        "m": Muck(),
        "i": BringIn(),
        "o": Complete(),
    }
    if letter in plain:
        return plain[letter]
    if letter == "c":
        return Call(call_chips=int(amount) if amount else legal.call_chips)
    return Bet(to_chips=int(amount)) if letter == "b" else Raise(to_chips=int(amount))


def play(hand: Hand, words: str) -> tuple[AnyEvent, ...]:
    """Play actions of the seats in turn, for example `"r6 f c k b4 f"`; returns all events."""
    events: list[AnyEvent] = []
    for word in words.split():
        events += hand.apply(hand.actor, action_of(word, hand.legal_actions()))
    return tuple(events)


def bet(betting: BettingRound, words: str) -> BettingRound:
    """As `play`, for a street alone."""
    for word in words.split():
        betting.apply(betting.actor, action_of(word, betting.legal_actions(betting.actor)))
    return betting


def open_to(table: Hand | BettingRound) -> LegalActions:
    """What is open to the seat to act."""
    return table.legal_actions(table.actor)


def wager_range(table: Hand | BettingRound) -> tuple[int, int] | str:
    """Least and greatest total of a wager of the seat to act, or the reason why none is open."""
    legal = open_to(table)
    if legal.raise_to_min_chips is None or legal.raise_to_max_chips is None:
        return str(legal.wager_refusal)
    return legal.raise_to_min_chips, legal.raise_to_max_chips


def assert_refused(
    table: Hand | BettingRound, action: AnyAction | str, reason: Reason | str, rule_id: str, seat: int | None = None
) -> RuleViolation:
    """Hold that an action is refused with reason and rule, and that the refusal leaves everything as it was."""
    before = state_of(table)
    played = action_of(action, open_to(table)) if isinstance(action, str) else action
    with pytest.raises(RuleViolation) as caught:
        table.apply(table.actor if seat is None else seat, played)
    assert (caught.value.reason, caught.value.rule_id) == (reason, rule_id)
    assert state_of(table) == before
    return caught.value


def state_of(table: Hand | BettingRound) -> object:
    """Everything that a refusal must leave alone."""
    if isinstance(table, Hand):
        return table.encode()
    legal = [table.legal_actions(seat) for seat in range(len(table.stacks))]
    return table.actor, table.level_chips, table.stacks, table.street_chips, legal
