"""No limit: BET-NL-01 to BET-NL-11. Of the LIVE rules the answer of a VIRTUAL table is held."""

from __future__ import annotations

import pytest

from homegame_engine.actions import Call, Complete
from tests.table_builders import assert_refused, bet, deal, open_to, play, street, wager_range


def test_bet_nl_01_no_cap_on_raises() -> None:
    betting = bet(street("NO_LIMIT", [10_000] * 2), "b100 " + " ".join(f"r{100 * n}" for n in range(2, 30)))
    assert wager_range(betting) == (3000, 10_000)


def test_bet_nl_02_the_minimum_bet_is_the_big_blind_on_every_street() -> None:
    hand = deal([1000] * 2, blinds=(5, 10))
    play(hand, "c k")
    for _ in range(3):
        assert wager_range(hand) == (10, 990)
        assert_refused(hand, "b9", "BELOW_MINIMUM", "BET-NL-02")
        play(hand, "k k")


def test_bet_nl_02_a_house_may_preset_another_opening() -> None:
    hand = deal([1000] * 2, house="CASH_NIGHT", blinds=(5, 10))
    play(hand, "c k")
    assert wager_range(hand) == (5, 990)


def test_bet_nl_03_a_raise_is_at_least_the_last_raise() -> None:
    betting = bet(street("NO_LIMIT", [1000] * 3), "b100 r200")
    assert wager_range(betting) == (300, 1000)
    assert_refused(betting, "r299", "BELOW_MINIMUM", "BET-NL-03")
    bet(betting, "r550")
    assert wager_range(betting) == (900, 1000)


def test_bet_nl_03_unless_all_in() -> None:
    betting = bet(street("NO_LIMIT", [1000, 1000, 250]), "b100 r200")
    assert wager_range(betting) == (250, 250)
    assert_refused(betting, "r240", "BELOW_MINIMUM", "BET-NL-03")
    bet(betting, "r250")


def test_bet_nl_04_over_a_short_opening_call_it_or_add_the_minimum() -> None:
    betting = bet(street("NO_LIMIT", [20, 1000, 1000]), "b20")
    assert (open_to(betting).call_chips, wager_range(betting)) == (20, (120, 1000))
    assert_refused(betting, "r119", "BELOW_MINIMUM", "BET-NL-04")


def test_bet_nl_05_a_short_big_blind_still_costs_the_full_one() -> None:
    hand = deal([1000, 1000, 60, 1000], blinds=(50, 100), button=0)
    assert (open_to(hand).call_chips, wager_range(hand)) == (100, (200, 1000))
    assert_refused(hand, "r199", "BELOW_MINIMUM", "BET-NL-05")


def test_bet_nl_06_a_short_raise_moves_the_level_and_not_the_size() -> None:
    betting = bet(street("NO_LIMIT", [1000, 150, 1000]), "b100 r150")
    assert (open_to(betting).call_chips, wager_range(betting)) == (150, (250, 1000))
    assert_refused(betting, "r249", "BELOW_MINIMUM", "BET-NL-06")


def test_bet_nl_07_a_short_all_in_does_not_reopen() -> None:
    betting = bet(street("NO_LIMIT", [1000, 1000, 280]), "b100 r200 r280 c")
    assert betting.actor == 1
    assert_refused(betting, "r400", "RAISE_NOT_REOPENED", "BET-NL-07")
    assert open_to(betting).kinds == ("fold", "call")


def test_bet_nl_07_two_short_all_ins_reopen_only_together() -> None:
    one = bet(street("NO_LIMIT", [1000, 150, 1000]), "b100 r150 c")
    assert (one.actor, wager_range(one)) == (0, "RAISE_NOT_REOPENED")
    two = bet(street("NO_LIMIT", [1000, 150, 210, 1000]), "b100 r150 r210 c")
    assert (two.actor, wager_range(two)) == (0, (310, 1000))


def test_bet_nl_07_is_judged_for_each_player_by_what_that_player_faces() -> None:
    betting = bet(street("NO_LIMIT", [1000, 1000, 280]), "b100 r200 r280")
    assert (betting.actor, wager_range(betting)) == (0, (380, 1000)), "180 more, a full raise"


@pytest.mark.parametrize("structure", ["NO_LIMIT", "POT_LIMIT"])
def test_bet_nl_08_there_is_no_completing(structure: str) -> None:
    betting = bet(street(structure, [20, 1000, 1000]), "b20")  # type: ignore[arg-type]
    assert_refused(betting, Complete(), "ACTION_UNKNOWN", "BET-NL-08")
    assert_refused(betting, "r100", "BELOW_MINIMUM", "BET-NL-04")


def test_bet_nl_09_on_screen_only_the_amount_counts() -> None:
    hand = deal([1000] * 3, blinds=(50, 100))
    assert_refused(hand, Call(call_chips=500), "STALE_AMOUNT", "BET-NL-11")
    play(hand, "r500")
    assert hand.street_chips == (500, 50, 100), "an oversize chip is no call here: the entry says what it is"


def test_bet_nl_10_on_screen_too_little_is_refused_and_not_corrected() -> None:
    hand = deal([1000] * 3, blinds=(50, 100))
    refusal = assert_refused(hand, "r150", "BELOW_MINIMUM", "BET-NL-03")
    assert refusal.facts["raise_to_min_chips"] == 200
    refusal = assert_refused(hand, Call(call_chips=50), "STALE_AMOUNT", "BET-NL-11")
    assert refusal.facts["call_chips"] == 100


@pytest.mark.parametrize("structure", ["NO_LIMIT", "POT_LIMIT"])
def test_bet_nl_11_a_call_states_the_amount_it_expects(structure: str) -> None:
    betting = bet(street(structure, [1000] * 3, pot=3000), "b300")  # type: ignore[arg-type]
    for call in (Call(), Call(call_chips=100), Call(call_chips=301)):
        assert_refused(betting, call, "STALE_AMOUNT", "BET-NL-11")
    bet(betting, "c300")
