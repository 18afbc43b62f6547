"""Every game of the library in every house, played with random legal and illegal inputs by two players to its most.

GEN-04 chips are conserved; every card is dealt once; whoever may act has something to do; a refusal leaves every byte alone; the
accepted inputs, played again, give the same bytes; no viewer gets a card that is hidden from that viewer (PROC-PRIV-01).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.cards import CARD_HIDDEN
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.rules import RULES
from homegame_engine.specs import GameSpec, HandRules
from homegame_engine.stakes import level_rules
from homegame_engine.view import project, seen_hole_cards
from tests.strategies import any_choices, any_inputs, legal_inputs

if TYPE_CHECKING:
    from homegame_engine.actions import AnyAction
    from homegame_engine.events import AnyEvent

RANKS_OF_SHORT_DECK = 16  # Codes below are the 2 to the 5 (CARD-03).
N_MIX_ORDERS = 4


class GameDeal(msgspec.Struct, frozen=True):
    """Everything that starts a hand of some game."""

    game: GameSpec
    rules: HandRules
    stacks: tuple[int, ...]
    button: int
    deck_order: bytes
    mix_orders: bytes
    dead_chips: int

    def start(self) -> Hand:
        return Hand.start(
            self.game,
            self.rules,
            stacks=self.stacks,
            button=self.button,
            deck_order=self.deck_order,
            mix_orders=self.mix_orders,
            dead_chips=self.dead_chips,
        )


def deck_of(game: GameSpec) -> list[int]:
    """The codes of a game's deck."""
    lowest = 0 if game.deck.cards == len(range(52)) else RANKS_OF_SHORT_DECK
    return [*range(lowest, 52), *range(52, 52 + game.deck.jokers)]


@st.composite
def game_deals(draw: st.DrawFn) -> GameDeal:
    """A table of some game in some house, with as many players as both allow, short stacks likely."""
    game = catalog.games()[draw(st.sampled_from(sorted(catalog.games())))]
    house = catalog.houses()[draw(st.sampled_from(sorted(catalog.houses())))]
    posted = catalog.table_format(game, house)
    rules = level_rules(house, posted.levels[0], posted.betting.structure)
    n_seats = draw(st.integers(posted.players.min, posted.players.max))
    step = max(rules.unit_chips, rules.big_bet_chips or rules.big_blind_chips or rules.spread_max_chips)
    units = step // rules.unit_chips
    stacks = tuple(
        draw(st.one_of(st.integers(1, 2 * units + 1), st.integers(2 * units, 30 * units))) * rules.unit_chips
        for _ in range(n_seats)
    )
    generator = random.Random(draw(st.integers(0, 2**32 - 1)))  # noqa: S311 - a test's deck, no secret
    deck = deck_of(game)
    generator.shuffle(deck)
    positions = range(len(deck))
    orders = [bytes(generator.sample(positions, len(deck))) for _ in range(N_MIX_ORDERS)]
    return GameDeal(
        game=game,
        rules=rules,
        stacks=stacks,
        button=draw(st.integers(0, n_seats - 1)),
        deck_order=bytes(deck),
        mix_orders=b"".join(orders),
        dead_chips=draw(st.sampled_from([0, 0, 7])) * rules.unit_chips,
    )


def cards_named(value: object) -> set[int]:
    """Every card code in an event, wherever it stands."""
    found: set[int] = set()
    for name in ("cards", "discarded", "best_cards"):
        found |= set(getattr(value, name, ()))
    card = getattr(value, "card", None)
    return found if card is None else found | {card}


class EveryGameMachine(RuleBasedStateMachine):
    """One deal of any game, from the posts to the payout."""

    @initialize(deal=game_deals())
    def start(self, deal: GameDeal) -> None:
        self.deal = deal
        self.hand = deal.start()
        self.inputs: list[tuple[int, AnyAction]] = []
        self.issued_chips = sum(deal.stacks) + deal.dead_chips
        self.public: set[int] = set()
        self.own: list[set[int]] = [set() for _ in deal.stacks]
        self.watch(self.hand.take_events())

    def watch(self, happened: tuple[AnyEvent, ...]) -> None:
        """Note who may know which card, and hold every projection of the events against it."""
        for event in happened:
            if isinstance(event, ev.HoleCardsDealt | ev.CardsDrawn | ev.CardsPassed):
                self.own[event.seat] |= cards_named(event)
            elif not isinstance(event, ev.ChoiceMade):
                self.public |= cards_named(event)
        for event in happened:
            for viewer in (None, *range(self.hand.n_seats)):
                seen = cards_named(project(event, viewer))
                allowed = self.public | (self.own[viewer] if viewer is not None else set())
                assert seen <= allowed | {CARD_HIDDEN}, f"{event} tells viewer {viewer} too much"

    def play(self, seat: int, action: AnyAction) -> None:
        happened = self.hand.apply(seat, action)
        self.inputs.append((seat, action))
        self.watch(happened)

    def seats_that_may_act(self) -> list[int]:
        return [seat for seat in range(self.hand.n_seats) if self.hand.may_act_mask >> seat & 1]

    @precondition(lambda self: self.hand.may_act_mask)
    @rule(data=st.data())
    def play_legal(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.seats_that_may_act()))
        self.play(seat, data.draw(legal_inputs(self.hand.legal_actions(seat), self.hand.hole_cards(seat))))

    @precondition(lambda self: self.hand.may_act_mask)
    @rule()
    def time_out(self) -> None:
        seat = self.seats_that_may_act()[-1]
        self.play(seat, self.hand.timeout_action(seat))

    @rule(seat=st.integers(-2, 11), action=st.one_of(any_inputs(), any_choices()))
    def play_anything(self, seat: int, action: AnyAction) -> None:
        before = self.hand.encode()
        try:
            happened = self.hand.apply(seat, action)
        except (RuleViolation, InputError) as refusal:
            assert self.hand.encode() == before, "a refusal changed the state"
            assert getattr(refusal, "rule_id", "GEN-04") in RULES  # noqa: PT017 - most inputs are refused, some are not
        else:
            self.inputs.append((seat, action))
            self.watch(happened)

    @precondition(lambda self: self.hand.may_act_mask)
    @rule(data=st.data(), action=st.one_of(any_inputs(), any_choices()))
    def play_anything_in_turn(self, data: st.DataObject, action: AnyAction) -> None:
        self.play_anything(data.draw(st.sampled_from(self.seats_that_may_act())), action)

    @invariant()
    def chips_are_conserved(self) -> None:
        assert self.hand.total_chips == self.issued_chips
        assert min(self.hand.stacks) >= 0
        if self.hand.is_over:
            assert sum(self.hand.stacks) + self.hand.carry_chips == self.issued_chips
            assert self.hand.carry_chips % self.hand.legal_actions().unit_chips == 0 or self.hand.redeal_mask

    @invariant()
    def every_card_is_dealt_once(self) -> None:
        # A folded hand may be mixed into a stub that runs short, and its cards dealt anew (CARD-06, GAME-DC-09).
        live = [seat for seat in range(self.hand.n_seats) if self.hand.live_mask >> seat & 1]
        held = [position for seat in live for position in self.hand.hole_positions(seat)]
        dealt = held + list(self.hand.board_positions)
        assert len(set(dealt)) == len(dealt)
        assert sorted(self.hand.deck_order) == sorted(self.deal.deck_order)

    @invariant()
    def somebody_to_act_has_something_to_do(self) -> None:
        hand = self.hand
        assert bool(hand.may_act_mask) == (hand.phase in ("BETTING", "CHOOSING", "SHOWDOWN"))
        assert hand.phase in ("BETTING", "CHOOSING", "SHOWDOWN", "OVER")
        for seat in range(hand.n_seats):
            assert bool(hand.legal_actions(seat).kinds) == bool(hand.may_act_mask >> seat & 1)

    @invariant()
    def a_viewer_sees_own_cards_and_those_that_lie_open(self) -> None:
        for seat in range(self.hand.n_seats):
            for viewer in (None, *range(self.hand.n_seats)):
                seen = set(seen_hole_cards(self.hand, seat, viewer)) - {CARD_HIDDEN}
                assert seen <= self.public | (self.own[viewer] if viewer is not None else set())

    @invariant()
    def no_dead_hand_wins(self) -> None:
        hand = self.hand
        if hand.is_over:
            winners = sum(1 << seat for seat, chips in enumerate(hand.won_chips) if chips)
            assert winners & ~hand.dealt_mask == 0
            assert sum(hand.won_chips) + hand.carry_chips == sum(chips for chips, _ in hand.layers)

    def teardown(self) -> None:
        if not hasattr(self, "hand"):
            return
        again = self.deal.start()
        for seat, action in self.inputs:
            again.apply(seat, action)
        assert again.encode() == self.hand.encode(), "the same inputs gave another state"
        assert again.copy().encode() == again.encode()


class LongEveryGameMachine(EveryGameMachine):
    """The same for many more hands."""


TestEveryGameMachine = EveryGameMachine.TestCase
TestLongEveryGameMachine = pytest.mark.slow(LongEveryGameMachine.TestCase)
TestEveryGameMachine.settings = settings(
    max_examples=120,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestLongEveryGameMachine.settings = settings(TestEveryGameMachine.settings, max_examples=1000, stateful_step_count=80)
