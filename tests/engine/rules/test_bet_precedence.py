"""When several reasons apply to one input, the first of the rulebook's order is given (docs/rules/README.md)."""

from collections.abc import Callable

import pytest

from homegame_engine.actions import AnyAction, Bet, Call, Check, Complete, Raise
from homegame_engine.betting import BettingRound
from homegame_engine.errors import RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.reasons import PRECEDENCE, Reason
from tests.table_builders import bet, deal, play, street

SHORT = 120

Table = tuple[Hand | BettingRound, int]
"""A table and the seat whose input is judged."""


def refusal_of(table: Hand | BettingRound, seat: int, action: AnyAction) -> Reason:
    with pytest.raises(RuleViolation) as caught:
        table.apply(seat, action)
    return caught.value.reason


def over_hand() -> Table:
    hand = deal([100] * 3)
    play(hand, "f f")
    return hand, 0


def other_seats_turn() -> Table:
    return deal([100] * 3), 1


def showdown() -> Table:
    hand = deal([100] * 2)
    play(hand, "c k k k k k k k")
    return hand, hand.actor


def capped_without_reopening() -> Table:
    """Seat 0 has acted, faces a short all-in after the cap, and has `SHORT` chips."""
    betting = bet(street("FIXED_LIMIT", [100, 100, 100, 17], inc=4), "b4 r8 r12 r16 c c")
    return betting, betting.actor


def not_reopened() -> Table:
    betting = bet(street("FIXED_LIMIT", [100, 6, 100], inc=4), "b4 r6 c")
    return betting, 0


def rivals_all_in() -> Table:
    hand = deal([40, SHORT])
    play(hand, "r40")
    return hand, 1


def spread() -> Table:
    return bet(street("SPREAD_LIMIT", [1000] * 3), "b50"), 1


FAULTS: list[tuple[Callable[[], Table], AnyAction, list[Reason]]] = [
    # The table, an input with several faults, and the reasons that all apply to it.
    (over_hand, Raise(to_chips=999), [Reason.HAND_OVER, Reason.OUT_OF_TURN, Reason.INSUFFICIENT_STACK]),
    (other_seats_turn, Complete(), [Reason.OUT_OF_TURN, Reason.ACTION_UNKNOWN]),
    (other_seats_turn, Check(), [Reason.OUT_OF_TURN, Reason.CANNOT_CHECK]),
    (showdown, Raise(), [Reason.ACTION_CLOSED, Reason.AMBIGUOUS_AMOUNT]),
    (not_reopened, Bet(), [Reason.ACTION_UNKNOWN, Reason.AMBIGUOUS_AMOUNT, Reason.RAISE_NOT_REOPENED]),
    (rivals_all_in, Raise(to_chips=SHORT + 1), [Reason.INSUFFICIENT_STACK, Reason.BETTING_CLOSED]),
    (rivals_all_in, Raise(), [Reason.AMBIGUOUS_AMOUNT, Reason.BETTING_CLOSED]),
    (rivals_all_in, Raise(to_chips=41), [Reason.BETTING_CLOSED, Reason.BELOW_MINIMUM]),
    (capped_without_reopening, Raise(to_chips=18), [Reason.RAISE_CAP_REACHED, Reason.BAD_INCREMENT]),
    (not_reopened, Raise(to_chips=7), [Reason.RAISE_NOT_REOPENED, Reason.BAD_INCREMENT]),
    (spread, Raise(to_chips=60), [Reason.NOT_A_MULTIPLE, Reason.BELOW_MINIMUM]),
    (spread, Raise(to_chips=190), [Reason.NOT_A_MULTIPLE, Reason.ABOVE_MAXIMUM]),
    (rivals_all_in, Call(call_chips=500), [Reason.STALE_AMOUNT, Reason.INSUFFICIENT_STACK]),
]


@pytest.mark.parametrize(("table", "action", "reasons"), FAULTS)
def test_the_first_reason_in_the_order_of_precedence_is_given(
    table: Callable[[], Table], action: AnyAction, reasons: list[Reason]
) -> None:
    assert reasons == sorted(reasons, key=PRECEDENCE.index), "the row lists the reasons in the book's order"
    played, seat = table()
    assert refusal_of(played, seat, action) == reasons[0]


def test_every_reason_of_an_action_stands_in_the_order() -> None:
    assert {reason for _, _, reasons in FAULTS for reason in reasons} <= set(PRECEDENCE)
