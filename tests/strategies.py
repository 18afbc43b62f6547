"""Hypothesis generators that several tests share: tables, decks and actions, legal ones and others."""

import random
from typing import Any

import msgspec
from hypothesis import strategies as st

from homegame_engine import catalog
from homegame_engine.actions import (
    Agree,
    AnyAction,
    Bet,
    BringIn,
    Call,
    Check,
    Complete,
    Cut,
    Declare,
    Discard,
    Draw,
    Fold,
    LegalActions,
    Muck,
    PassCards,
    Raise,
    Show,
)
from homegame_engine.cards import CARD_UNKNOWN, full_deck
from homegame_engine.hand import Hand
from homegame_engine.specs import HandRules
from tests.table_builders import STRUCTURES, street_rules

SEATS_MAX = 10
BIG_BLIND = 4
PLAIN: dict[str, AnyAction] = {
    "fold": Fold(),
    "check": Check(),
    "show": Show(),
    "muck": Muck(),
    "bring_in": BringIn(),
    "complete": Complete(),
}
MISTAKES: tuple[AnyAction, ...] = (
    Fold(),
    Check(),
    Call(call_chips=1),
    Bet(to_chips=3),
    Raise(to_chips=5),
    Complete(),
    Show(),
    Draw(),
    Discard(cards=(0,)),
    Declare(half="HIGH"),
)
"""Actions of which at a given moment most are none."""
CARD_ACTIONS: dict[str, type[Discard | Draw | PassCards]] = {"discard": Discard, "draw": Draw, "pass": PassCards}


class Deal(msgspec.Struct, frozen=True):
    """Everything that starts a hand."""

    rules: HandRules
    stacks: tuple[int, ...]
    button: int
    deck_order: bytes
    antes: tuple[int, ...]
    dead_antes: tuple[int, ...]
    dead_chips: int

    def start(self) -> Hand:
        return Hand.start(
            catalog.game("HOLDEM"),
            self.rules,
            stacks=self.stacks,
            button=self.button,
            deck_order=self.deck_order,
            antes=self.antes,
            dead_antes=self.dead_antes,
            dead_chips=self.dead_chips,
        )


def shuffled_deck(seed: int, n_unknown: int = 0) -> bytes:
    """A deck in an order that the seed gives, some of its cards unknown."""
    generator = random.Random(seed)  # noqa: S311 - a test's deck, no secret
    order = list(full_deck())
    generator.shuffle(order)
    for position in generator.sample(range(len(order)), n_unknown):
        order[position] = CARD_UNKNOWN
    return bytes(order)


@st.composite
def rules(draw: st.DrawFn) -> HandRules:
    """Rules of every structure with its house's reopening and cap, blinds 2/4 in units of 1 or 5."""
    unit = draw(st.sampled_from([1, 1, 5]))
    structure = draw(st.sampled_from(sorted(STRUCTURES)))
    return street_rules(
        structure,
        unit_chips=unit,
        small_blind_chips=2 * unit,
        big_blind_chips=BIG_BLIND * unit,
        small_bet_chips=BIG_BLIND * unit,
        big_bet_chips=2 * BIG_BLIND * unit,
        min_open_chips=draw(st.sampled_from([2, BIG_BLIND])) * unit,
        spread_min_chips=unit,
        spread_max_chips=BIG_BLIND * unit,
        showdown=draw(st.sampled_from(["ASK", "AUTO"])),
        showdown_first=draw(st.sampled_from(["BUTTON_LEFT", "FIRST_ACTED"])),
        allin_face_up=draw(st.booleans()),
        burns=draw(st.sampled_from([(1, 1, 1), (3, 1, 1)])),
    )


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Tables of 2 to 10 seats, short stacks likely, some seats empty, some with antes."""
    played = draw(rules())
    unit = played.unit_chips
    n_seats = draw(st.integers(2, SEATS_MAX))
    short, deep = st.integers(1, 12), st.integers(13, 120)
    stacks = [draw(st.one_of(short, deep)) * unit for _ in range(n_seats)]
    for seat in range(2, n_seats):
        if draw(st.integers(0, 5)) == 0:
            stacks[seat] = 0
    ante = draw(st.sampled_from([0, 0, 1, 3])) * unit
    is_dead = draw(st.booleans())
    antes = tuple(ante if stack else 0 for stack in stacks)
    none = (0,) * n_seats
    return Deal(
        rules=played,
        stacks=tuple(stacks),
        button=draw(st.integers(0, n_seats - 1)),
        deck_order=shuffled_deck(draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([0, 0, 0, 3, 52]))),
        antes=none if is_dead else antes,
        dead_antes=antes if is_dead else none,
        dead_chips=draw(st.sampled_from([0, 0, 7])) * unit,
    )


def legal_inputs(legal: LegalActions, hole_cards: tuple[int, ...] = ()) -> st.SearchStrategy[AnyAction]:
    """Some action of each kind that `legal` lists, amounts from its range, cards from `hole_cards`."""
    return st.one_of([_legal_input(legal, kind, hole_cards) for kind in legal.kinds])


def _legal_input(legal: LegalActions, kind: str, hole_cards: tuple[int, ...]) -> st.SearchStrategy[AnyAction]:
    if kind in PLAIN:
        return st.just(PLAIN[kind])
    if kind == "call":
        return st.just(Call(call_chips=legal.call_chips))
    if kind == "cut":
        return st.builds(Cut, position=st.integers(legal.cut_position_min or 0, legal.cut_position_max or 0))
    if kind == "declare":
        return st.builds(Declare, half=st.sampled_from(legal.halves))
    if kind in CARD_ACTIONS:
        cards = st.permutations(hole_cards).flatmap(
            lambda order: st.integers(legal.cards_min or 0, legal.cards_max or 0).map(lambda n: tuple(order[:n]))
        )
        return st.builds(CARD_ACTIONS[kind], cards=cards)
    return st.builds(Bet if kind == "bet" else Raise, to_chips=wager_totals(legal))


def wager_totals(legal: LegalActions) -> st.SearchStrategy[int]:
    """Totals inside the range: its ends, and whole steps between them."""
    least, greatest = legal.raise_to_min_chips or 0, legal.raise_to_max_chips or 0
    n_steps = (greatest - least) // max(legal.raise_step_chips, 1)
    between = st.integers(0, n_steps).map(lambda n: least + n * legal.raise_step_chips)
    return st.one_of(st.just(least), st.just(greatest), between)


def any_inputs() -> st.SearchStrategy[AnyAction]:
    """Actions of every kind with amounts of every kind, mostly senseless."""
    amounts: st.SearchStrategy[Any] = st.one_of(
        st.none(), st.integers(-3, 140), st.sampled_from([0, -1, 2**31, 2**63, -(2**70)])
    )
    return st.one_of(
        st.sampled_from([Fold(), Check(), Show(), Muck(), Complete()]),
        st.builds(Call, call_chips=amounts),
        st.builds(Bet, to_chips=amounts, by_chips=amounts),
        st.builds(Raise, to_chips=amounts, by_chips=amounts),
        st.builds(Raise, to_chips=st.integers(0, 140)),
        st.builds(Bet, to_chips=st.integers(0, 140)),
        st.builds(Cut, position=st.integers(-1, 53)),
    )


def any_choices() -> st.SearchStrategy[AnyAction]:
    """Choices besides wagers, cards and halves of every kind, mostly senseless."""
    cards = st.lists(st.integers(-1, 255), max_size=8).map(tuple)
    shares = st.lists(st.sampled_from([-1, 0, 1, 25, 50, 2**63]), max_size=11).map(tuple)
    return st.one_of(
        st.just(BringIn()),
        st.builds(Discard, cards=cards),
        st.builds(Draw, cards=cards),
        st.builds(PassCards, cards=cards),
        st.builds(Declare, half=st.sampled_from(["LOW", "HIGH", "BOTH", "", "low"])),
        st.builds(Agree, shares=shares),
    )
