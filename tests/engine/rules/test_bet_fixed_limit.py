"""Fixed limit, Points Night: BET-FL-01 to BET-FL-06."""

from __future__ import annotations

import pytest

from homegame_engine.actions import Call
from tests.table_builders import assert_refused, bet, deal, open_to, play, street, wager_range


@pytest.mark.parametrize(
    ("small", "big", "increments"), [(1, 2, (2, 2, 4, 4)), (2, 4, (4, 4, 8, 8)), (4, 8, (8, 8, 16, 16))]
)
def test_bet_fl_01_increments_by_street(small: int, big: int, increments: tuple[int, ...]) -> None:
    hand = deal([500] * 3, house="POINTS_NIGHT", blinds=(small, big))
    assert wager_range(hand) == (big + increments[0], big + increments[0])
    play(hand, "c c k")
    for increment in increments[1:]:
        assert wager_range(hand) == (increment, increment)
        play(hand, "k k k")


def test_bet_fl_02_an_opening_is_exactly_the_increment() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    play(hand, "c c k")
    for word in ("b1", "b3", "b4"):
        assert_refused(hand, word, "BAD_INCREMENT", "BET-FL-02")
    play(hand, "b2")


def test_bet_fl_02_a_raise_goes_to_exactly_the_next_level() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    for word in ("r3", "r5", "r6"):
        assert_refused(hand, word, "BAD_INCREMENT", "BET-FL-02")
    play(hand, "r4")
    assert wager_range(hand) == (6, 6)


@pytest.mark.parametrize("n_seats", [2, 3])
def test_bet_fl_03_the_blind_is_the_opening_and_three_raises_close_the_street(n_seats: int) -> None:
    hand = deal([100] * n_seats, house="POINTS_NIGHT")
    play(hand, "r4 r6 r8")
    assert wager_range(hand) == "RAISE_CAP_REACHED"
    assert_refused(hand, "r10", "RAISE_CAP_REACHED", "BET-FL-03")
    assert open_to(hand).kinds == ("fold", "call")


def test_bet_fl_03_one_opening_and_three_raises_on_later_streets() -> None:
    hand = deal([100] * 2, house="POINTS_NIGHT")
    play(hand, "c k b2 r4 r6 r8")
    assert_refused(hand, "r10", "RAISE_CAP_REACHED", "BET-FL-03")
    play(hand, "c b4 r8 r12 r16")
    assert_refused(hand, "r20", "RAISE_CAP_REACHED", "BET-FL-03")
    play(hand, "c")
    assert wager_range(hand) == (4, 4), "the next street starts fresh"


def test_bet_fl_04_a_short_all_in_is_no_raise_and_reopens_nothing() -> None:
    betting = bet(street("FIXED_LIMIT", [100, 6, 100], inc=4), "b4 r6 c")
    assert betting.actor == 0
    assert open_to(betting).call_chips == 2
    assert_refused(betting, "r8", "RAISE_NOT_REOPENED", "BET-FL-04")


def test_bet_fl_04_a_short_all_in_does_not_count_to_the_cap() -> None:
    betting = bet(street("FIXED_LIMIT", [100, 6, 100, 100], inc=4), "b4 r6 r8 r12 r16")
    assert betting.level_chips == 16, "4, 8, 12, 16 with 6 between them is one opening and three raises"


def test_bet_fl_05_a_player_who_has_not_acted_completes_the_short_all_in() -> None:
    betting = bet(street("FIXED_LIMIT", [100, 6, 100], inc=4), "b4 r6")
    assert wager_range(betting) == (8, 8)
    assert_refused(betting, "r10", "BAD_INCREMENT", "BET-FL-05")


def test_bet_fl_05_a_further_all_in_that_reaches_the_full_level_is_a_full_raise() -> None:
    betting = bet(street("FIXED_LIMIT", [100, 6, 8, 100], inc=4), "b4 r6 r8 c")
    assert (betting.actor, wager_range(betting)) == (0, (12, 12))


def test_bet_fl_06_a_short_opening_leaves_the_opening_unused() -> None:
    betting = bet(street("FIXED_LIMIT", [1, 100, 100], inc=2), "b1")
    assert open_to(betting).call_chips == 1
    assert wager_range(betting) == (2, 2)
    assert_refused(betting, "r3", "BAD_INCREMENT", "BET-FL-06")
    bet(betting, "r2 r4 r6 r8")
    assert_refused(betting, "r10", "RAISE_CAP_REACHED", "BET-FL-03")


def test_bet_fl_06_players_who_had_checked_may_only_call_or_fold() -> None:
    betting = bet(street("FIXED_LIMIT", [100, 1, 100], inc=2), "k b1 c")
    assert betting.actor == 0
    assert_refused(betting, "r2", "RAISE_NOT_REOPENED", "BET-FL-06")


def test_bet_fl_06_unless_someone_completes() -> None:
    betting = bet(street("FIXED_LIMIT", [100, 1, 100], inc=2), "k b1 r2")
    assert (betting.actor, wager_range(betting)) == (0, (4, 4))


def test_bet_fl_a_call_may_leave_its_amount_out_and_is_checked_when_it_states_one() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    assert_refused(hand, Call(call_chips=1), "STALE_AMOUNT", "BET-NL-11")
    hand.apply(hand.actor, Call())
    assert hand.street_chips == (2, 1, 2)
