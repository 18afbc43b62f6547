"""Spread limit, House Night: BET-SP-01 to BET-SP-04, the range being given."""

from __future__ import annotations

from tests.table_builders import assert_refused, bet, street, wager_range


def test_bet_sp_01_a_bet_lies_inside_the_range() -> None:
    betting = street("SPREAD_LIMIT", [1000] * 3)
    assert wager_range(betting) == (25, 100)
    assert_refused(betting, "b0", "BELOW_MINIMUM", "BET-SP-01")
    assert_refused(betting, "b125", "ABOVE_MAXIMUM", "BET-SP-01")
    bet(betting, "b100")


def test_bet_sp_02_a_step_is_a_multiple_of_the_least() -> None:
    betting = street("SPREAD_LIMIT", [1000] * 3)
    assert_refused(betting, "b40", "NOT_A_MULTIPLE", "BET-SP-02")
    bet(betting, "b50")
    assert_refused(betting, "r99", "NOT_A_MULTIPLE", "BET-SP-02")


def test_bet_sp_02_a_raise_need_not_match_the_step_before() -> None:
    betting = bet(street("SPREAD_LIMIT", [1000] * 3), "b100 r200")
    assert wager_range(betting) == (225, 300)
    bet(betting, "r225")


def test_bet_sp_03_three_raises_and_four_times_the_highest_bet() -> None:
    betting = bet(street("SPREAD_LIMIT", [1000] * 3), "b100 r200 r300 r400")
    assert_refused(betting, "r500", "RAISE_CAP_REACHED", "BET-SP-03")


def test_bet_sp_03_check_raise_is_allowed() -> None:
    betting = bet(street("SPREAD_LIMIT", [1000] * 2), "k b25")
    assert wager_range(betting) == (50, 125)


def test_bet_sp_04_an_all_in_step_of_the_least_chip_is_a_raise() -> None:
    betting = bet(street("SPREAD_LIMIT", [1000, 125, 1000]), "b100 r125 c")
    assert (betting.actor, wager_range(betting)) == (0, (150, 225))


def test_bet_sp_04_a_smaller_step_does_not_reopen() -> None:
    betting = bet(street("SPREAD_LIMIT", [1000, 120, 1000]), "b100 r120 c")
    assert betting.actor == 0
    assert_refused(betting, "r150", "RAISE_NOT_REOPENED", "BET-SP-04")


def test_bet_sp_03_a_posted_big_blind_is_the_opening() -> None:
    betting = street("SPREAD_LIMIT", [1000] * 4, posts=[0, 50, 100, 0])
    assert wager_range(betting) == (125, 200)
    bet(betting, "r200 r300 r400")
    assert wager_range(betting) == "RAISE_CAP_REACHED"
