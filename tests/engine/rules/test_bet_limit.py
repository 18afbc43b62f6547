"""Limit, Club: BET-LIM-01, BET-LIM-02, BET-LIM-05."""

from __future__ import annotations

import msgspec

from homegame_engine import catalog
from tests.table_builders import assert_refused, bet, deal, open_to, play, street, wager_range


def test_bet_lim_01_the_blinds_are_the_increments() -> None:
    hand = deal([5000] * 3, structure="LIMIT", blinds=(50, 100))
    assert wager_range(hand) == (150, 150)
    assert_refused(hand, "r200", "BAD_INCREMENT", "BET-LIM-01")
    play(hand, "c c k")
    assert wager_range(hand) == (50, 50)
    play(hand, "k k k")
    assert wager_range(hand) == (100, 100)
    assert_refused(hand, "b50", "BAD_INCREMENT", "BET-LIM-01")


def test_bet_lim_01_limit_unit_bets_is_the_other_posting() -> None:
    club = msgspec.structs.replace(catalog.house("CLUB"), limit_unit="BETS")
    rules = club.hand_rules(small_blind_chips=50, big_blind_chips=100, structure="LIMIT")
    assert (rules.small_bet_chips, rules.big_bet_chips) == (100, 200)


def test_bet_lim_02_four_raises_and_the_blind_is_none() -> None:
    hand = deal([5000] * 3, structure="LIMIT", blinds=(50, 100))
    play(hand, "r150 r200 r250 r300")
    assert_refused(hand, "r350", "RAISE_CAP_REACHED", "BET-LIM-02")
    assert open_to(hand).kinds == ("fold", "call")


def test_bet_lim_02_an_opening_is_no_raise() -> None:
    hand = deal([5000] * 3, structure="LIMIT", blinds=(50, 100))
    play(hand, "c c k k k k b100 r200 r300 r400 r500")
    assert_refused(hand, "r600", "RAISE_CAP_REACHED", "BET-LIM-02")


def test_bet_lim_05_an_all_in_of_half_an_increment_is_a_raise() -> None:
    betting = bet(street("LIMIT", [1000, 150, 1000]), "b100 r150 c")
    assert (betting.actor, wager_range(betting)) == (0, (250, 250))


def test_bet_lim_05_less_than_half_reopens_nothing() -> None:
    betting = bet(street("LIMIT", [1000, 149, 1000]), "b100 r149 c")
    assert betting.actor == 0
    assert_refused(betting, "r200", "RAISE_NOT_REOPENED", "BET-LIM-05")


def test_bet_lim_05_players_still_free_to_raise_complete_it() -> None:
    betting = bet(street("LIMIT", [1000, 149, 1000]), "b100 r149")
    assert wager_range(betting) == (200, 200)
    assert_refused(betting, "r249", "BAD_INCREMENT", "BET-LIM-01")


def test_bet_lim_05_half_a_bet_counts_to_the_cap() -> None:
    betting = bet(street("LIMIT", [5000, 150, 5000, 5000]), "b100 r150 r250 r350 r450")
    assert_refused(betting, "r550", "RAISE_CAP_REACHED", "BET-LIM-02")
