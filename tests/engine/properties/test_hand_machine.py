"""A hand under random legal and illegal inputs, 2 to 10 players, every structure: what holds after each of them.

GEN-04 chips are conserved; a refusal leaves every byte alone; `legal_actions` lists exactly what is accepted; somebody to act
has something to do; the accepted inputs, played again, give the same bytes.
"""

import functools
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from homegame_engine.actions import AnyAction, Bet, Call, Check, Complete, Fold, LegalActions, Muck, Raise, Show
from homegame_engine.cards import CARD_UNKNOWN, full_deck
from homegame_engine.errors import RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.reasons import PRECEDENCE, Reason
from homegame_engine.rules import RULES
from tests.strategies import Deal, any_inputs, deals, legal_inputs

if TYPE_CHECKING:
    from collections.abc import Callable

TOO_SMALL = {Reason.BELOW_MINIMUM, Reason.BAD_INCREMENT, Reason.NOT_A_MULTIPLE}
TOO_LARGE = {Reason.ABOVE_MAXIMUM, Reason.BAD_INCREMENT, Reason.NOT_A_MULTIPLE, Reason.INSUFFICIENT_STACK}
UNLISTED = {
    "fold": Reason.NOTHING_TO_FOLD,
    "check": Reason.CANNOT_CHECK,
    "call": Reason.NOTHING_TO_CALL,
    "bet": Reason.ACTION_UNKNOWN,
    "raise": Reason.ACTION_UNKNOWN,
}
PLAIN: dict[str, AnyAction] = {"fold": Fold(), "check": Check(), "show": Show(), "muck": Muck()}


def refusal_of(hand: Hand, seat: int, action: AnyAction) -> RuleViolation:
    """The refusal of an input, which must be one of the book's and leave the hand alone."""
    before = hand.encode()
    with pytest.raises(RuleViolation) as caught:
        hand.apply(seat, action)
    assert hand.encode() == before, "a refusal changed the state"
    assert caught.value.rule_id in RULES
    return caught.value


def is_legal(hand: Hand, structure: str, action: AnyAction) -> bool:
    """Judge an input of the seat to act by what `legal_actions` says and nothing else."""
    legal = hand.legal_actions()
    kind = type(action).__struct_config__.tag
    if kind not in legal.kinds:
        return False
    if isinstance(action, Call):
        needs_amount = structure in ("NO_LIMIT", "POT_LIMIT")
        return action.call_chips == legal.call_chips or (action.call_chips is None and not needs_amount)
    if isinstance(action, Bet | Raise):
        if (action.to_chips is None) == (action.by_chips is None):
            return False
        total = action.to_chips if action.to_chips is not None else hand.level_chips + (action.by_chips or 0)
        return in_range(hand, structure, legal, total)
    return True


def in_range(hand: Hand, structure: str, legal: LegalActions, total: int) -> bool:
    """Whether a street total lies in the range and on a step of it; all-in need not be round."""
    least, greatest = legal.raise_to_min_chips or 0, legal.raise_to_max_chips or 0
    if not least <= total <= greatest:
        return False
    if total == hand.street_chips[legal.seat] + hand.stacks[legal.seat]:
        return True
    base = hand.level_chips if structure == "SPREAD_LIMIT" else 0
    return structure in ("FIXED_LIMIT", "LIMIT") or (total - base) % legal.raise_step_chips == 0


class HandMachine(RuleBasedStateMachine):
    """One deal, from the posts to the payout."""

    @initialize(deal=deals())
    def start(self, deal: Deal) -> None:
        self.deal = deal
        self.structure = deal.rules.structure
        self.hand = deal.start()
        self.inputs: list[Callable[[Hand], object]] = []
        self.issued_chips = sum(deal.stacks) + deal.dead_chips

    @precondition(lambda self: self.hand.actor >= 0)
    @rule(data=st.data())
    def play_legal(self, data: st.DataObject) -> None:
        seat, action = self.hand.actor, data.draw(legal_inputs(self.hand.legal_actions()))
        self.hand.apply(seat, action)
        self.inputs.append(lambda hand: hand.apply(seat, action))

    @rule(seat=st.integers(-2, 11), action=any_inputs())
    def play_anything(self, seat: int, action: AnyAction) -> None:
        if seat == self.hand.actor and seat >= 0 and is_legal(self.hand, self.structure, action):
            self.hand.apply(seat, action)
            self.inputs.append(lambda hand: hand.apply(seat, action))
        else:
            refusal_of(self.hand, seat, action)

    @precondition(lambda self: self.hand.actor >= 0)
    @rule(action=any_inputs())
    def play_anything_in_turn(self, action: AnyAction) -> None:
        self.play_anything(self.hand.actor, action)

    @precondition(lambda self: self.hand.actor >= 0)
    @rule()
    def time_out(self) -> None:
        seat = self.hand.actor
        action = self.hand.timeout_action(seat)
        self.hand.apply(seat, action)
        self.inputs.append(lambda hand: hand.apply(seat, action))

    @precondition(lambda self: CARD_UNKNOWN in self.hand.deck_order)
    @rule()
    def enter_cards(self) -> None:
        """The dealer seat tells every card that nobody knew."""
        while CARD_UNKNOWN in self.hand.deck_order:
            position = self.hand.deck_order.index(CARD_UNKNOWN)
            card = min(set(full_deck()) - set(self.hand.deck_order))
            self.hand.enter_card(position, card)
            self.inputs.append(functools.partial(Hand.enter_card, position=position, card=card))

    @invariant()
    def chips_are_conserved(self) -> None:
        assert self.hand.total_chips == self.issued_chips
        assert min(self.hand.stacks) >= 0
        if self.hand.is_over:
            assert sum(self.hand.stacks) == self.issued_chips

    @invariant()
    def somebody_to_act_has_something_to_do(self) -> None:
        hand = self.hand
        assert bool(hand.legal_actions().kinds) == (hand.actor >= 0) == (hand.phase in ("BETTING", "SHOWDOWN"))
        assert hand.may_act_mask == (1 << hand.actor if hand.actor >= 0 else 0)
        for seat in range(hand.n_seats):
            if seat != hand.actor:
                assert hand.legal_actions(seat).kinds == ()

    @invariant()
    def what_is_listed_is_accepted(self) -> None:
        """Each kind, and both ends of the range, on a copy; the copies leave the hand alone."""
        before = self.hand.encode()
        legal = self.hand.legal_actions()
        for kind in legal.kinds:
            if kind in PLAIN:
                self.hand.copy().apply(legal.seat, PLAIN[kind])
            elif kind == "call":
                self.hand.copy().apply(legal.seat, Call(call_chips=legal.call_chips))
            else:
                wager = Bet if kind == "bet" else Raise
                for total in (legal.raise_to_min_chips, legal.raise_to_max_chips):
                    self.hand.copy().apply(legal.seat, wager(to_chips=total))
        assert self.hand.encode() == before

    @invariant()
    def what_is_not_listed_is_refused_with_its_reason(self) -> None:
        hand, legal = self.hand, self.hand.legal_actions()
        if hand.phase != "BETTING":
            return
        for kind, reason in UNLISTED.items():
            if kind in legal.kinds or kind in ("bet", "raise"):
                continue
            action = PLAIN.get(kind, Call(call_chips=legal.call_chips))
            assert refusal_of(hand, legal.seat, action).reason == reason
        assert refusal_of(hand, legal.seat, Complete()).reason is Reason.ACTION_UNKNOWN
        wager, other = (Raise, Bet) if hand.level_chips else (Bet, Raise)
        assert refusal_of(hand, legal.seat, other(to_chips=1)).reason is Reason.ACTION_UNKNOWN
        assert refusal_of(hand, legal.seat, wager()).reason is Reason.AMBIGUOUS_AMOUNT
        if legal.wager_refusal is None:
            least, greatest = legal.raise_to_min_chips or 0, legal.raise_to_max_chips or 0
            refusal = refusal_of(hand, legal.seat, wager(to_chips=least - 1))
            assert refusal.reason in TOO_SMALL
            assert refusal.facts["raise_to_min_chips"] == least
            assert refusal_of(hand, legal.seat, wager(to_chips=greatest + 1)).reason in TOO_LARGE
        else:
            all_in = hand.street_chips[legal.seat] + hand.stacks[legal.seat]
            total = max(all_in, hand.level_chips + 1)
            assert refusal_of(hand, legal.seat, wager(to_chips=total)).reason == legal.wager_refusal
            assert Reason(legal.wager_refusal) in PRECEDENCE

    @invariant()
    def shares_go_to_live_hands_only(self) -> None:
        hand = self.hand
        if hand.is_over:
            winners = sum(1 << seat for seat, chips in enumerate(hand.won_chips) if chips)
            assert winners & ~(hand.dealt_mask) == 0
            assert all(eligible & ~hand.dealt_mask == 0 for _, eligible in hand.layers)
            assert sum(hand.won_chips) == sum(chips for chips, _ in hand.layers)

    def teardown(self) -> None:
        if not hasattr(self, "hand"):
            return
        again = self.deal.start()
        for repeat in self.inputs:
            repeat(again)
        assert again.encode() == self.hand.encode(), "the same inputs gave another state"
        assert again.copy().encode() == again.encode()


class LongHandMachine(HandMachine):
    """The same for many more hands."""


TestHandMachine = HandMachine.TestCase
TestLongHandMachine = pytest.mark.slow(LongHandMachine.TestCase)
TestHandMachine.settings = settings(
    max_examples=150,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestLongHandMachine.settings = settings(TestHandMachine.settings, max_examples=1000, stateful_step_count=60)
