"""BET-FL-07: a hand without blinds that everybody starts with the same chip."""

from __future__ import annotations

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.hand import Hand
from tests.game_hands import of_kind
from tests.table_builders import assert_refused, house_rules, open_to, play, wager_range


def shared_start() -> Hand:
    """Points hold'em of four seats at 1/2, seat 0 on the button, one point from each instead of blinds."""
    return Hand.start(
        catalog.game("HOLDEM"),
        house_rules("POINTS_NIGHT"),
        stacks=[100] * 4,
        button=0,
        deck_order=bytes(range(52)),
        blinds=[0] * 4,
        antes=[1] * 4,
    )


def test_bet_fl_07_each_puts_in_one_and_the_level_is_nothing() -> None:
    hand = shared_start()
    posted = of_kind(hand.take_events(), ev.AntePosted)
    assert [(event.seat, event.chips) for event in posted] == [(1, 1), (2, 1), (3, 1), (0, 1)]
    assert (hand.pot_chips, hand.level_chips, hand.big_blind_seat) == (4, 0, -1)


def test_bet_fl_07_the_seat_left_of_the_button_acts_first_and_may_check() -> None:
    hand = shared_start()
    assert (hand.actor, open_to(hand).kinds, wager_range(hand)) == (1, ("check", "bet"), (2, 2))
    play(hand, "k k k k")
    assert hand.street == 1


def test_bet_fl_07_one_opening_and_three_raises_of_two() -> None:
    hand = shared_start()
    assert_refused(hand, "b3", "BAD_INCREMENT", "BET-FL-02")
    assert_refused(hand, "b1", "BAD_INCREMENT", "BET-FL-02")
    play(hand, "b2 r4 r6 r8")
    assert wager_range(hand) == "RAISE_CAP_REACHED"
    play(hand, "c c c")
    assert (hand.street, hand.pot_chips) == (1, 4 + 4 * 8)
