"""Dividing the pot by agreement: POT-AGR-01, POT-AGR-02."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import Agree, Check
from homegame_engine.errors import InputError, RuleViolation
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import assert_refused, open_to

if TYPE_CHECKING:
    from homegame_engine.hand import Hand


def three_way(house: str = "HOUSE_NIGHT", ante_chips: int = 10) -> Hand:
    """Stud of three live hands, and a pot of the antes."""
    hand = deal_game("STUD7", [1000] * 3, house=house, button=2, ante_chips=ante_chips, bring_in_chips=0)
    hand.take_events()
    return hand


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("agree")))
def test_agree_examples(example: Example) -> None:
    given = example.input
    players = given["live"]
    for check, expected in zip(given["checks"], example.expected["results"], strict=True):
        hand = deal_game(
            "STUD7",
            [given["pot"] * 2] * len(players),
            house=given["house"],
            button=len(players) - 1,
            dead_chips=given["pot"],
            ante_chips=0,
            bring_in_chips=0,
        )
        shares = tuple(check["parts"].get(player, 0) for player in players)
        consenting = [players.index(player) for player in check["yes"]]
        if expected == "OK":
            hand.divide_pot(shares, consenting)
            assert (hand.is_over, hand.won_chips) == (True, shares)
        else:
            with pytest.raises(RuleViolation, match=expected):
                hand.divide_pot(shares, consenting)
            assert not hand.is_over


def test_pot_agr_01_the_pot_is_divided_once_all_live_players_have_named_the_same() -> None:
    hand = three_way()
    assert all(hand.legal_actions(seat).may_agree for seat in range(3))
    shares = (15, 10, 5)
    assert hand.apply(2, Agree(shares)) == (ev.DivisionNamed(seat=2, shares=shares),)
    hand.apply(0, Agree(shares))
    assert not hand.is_over
    happened = hand.apply(1, Agree(shares))
    assert of_kind(happened, ev.PotDivided) == [ev.PotDivided(shares=shares)]
    assert (hand.is_over, hand.stacks, hand.total_chips) == (True, (1005, 1000, 995), 3000)
    assert of_kind(happened, ev.HandEnded)


def test_pot_agr_01_one_who_names_something_else_lets_play_go_on() -> None:
    hand = three_way()
    hand.apply(0, Agree((10, 10, 10)))
    hand.apply(1, Agree((10, 10, 10)))
    hand.apply(2, Agree((0, 0, 30)))
    assert (hand.is_over, hand.phase) == (False, "BETTING")
    hand.apply(hand.actor, Check())
    hand.apply(2, Agree((10, 10, 10)))
    assert not hand.is_over  # Play went on: what was named before it does not hold any more.


def test_pot_agr_01_what_was_named_can_be_taken_back() -> None:
    hand = three_way()
    for seat in (0, 1):
        hand.apply(seat, Agree((10, 10, 10)))
    assert hand.apply(0, Agree(())) == (ev.DivisionNamed(seat=0, shares=()),)
    hand.apply(2, Agree((10, 10, 10)))
    assert not hand.is_over


def test_pot_agr_01_a_division_adds_up_and_gives_nothing_to_who_is_out() -> None:
    hand = three_way()
    assert_refused(hand, Agree((10, 10, 9)), "SPLIT_SUM_MISMATCH", "POT-AGR-01")
    assert_refused(hand, Agree((-5, 15, 20)), "SPLIT_SUM_MISMATCH", "POT-AGR-01")
    first = hand.actor
    play_game(hand, "f")
    out = tuple(30 if seat == first else 0 for seat in range(3))
    assert_refused(hand, Agree(out), "SPLIT_SUM_MISMATCH", "POT-AGR-01")
    assert_refused(hand, Agree((10, 10, 10)), "HAND_OVER", "BET-GEN-06", seat=first)
    with pytest.raises(InputError, match="shares"):
        hand.apply(hand.actor, Agree((15, 15)))


def test_pot_agr_01_wagers_of_the_street_belong_to_the_pot() -> None:
    hand = three_way()
    play_game(hand, "b4 c")
    assert_refused(hand, Agree((10, 10, 10)), "SPLIT_SUM_MISMATCH", "POT-AGR-01")
    for seat in range(3):
        hand.apply(seat, Agree((38, 0, 0)))
    assert (hand.is_over, hand.won_chips) == (True, (38, 0, 0))


def test_pot_agr_01_missing_consent() -> None:
    hand = three_way()
    before = hand.encode()
    with pytest.raises(RuleViolation, match=r"CONSENT_MISSING.*POT-AGR-01"):
        hand.divide_pot((10, 10, 10), consenting=(0, 2))
    assert hand.encode() == before


def test_pot_agr_01_it_is_too_late_when_the_hand_is_over() -> None:
    hand = three_way()
    check_down(hand)
    assert_refused(hand, Agree((10, 10, 10)), "HAND_OVER", "BET-GEN-06", seat=0)


@pytest.mark.parametrize("house", ["POINTS_NIGHT", "CLUB", "CASH_NIGHT"])
def test_pot_agr_02_the_other_houses_forbid_it(house: str) -> None:
    hand = three_way(house)
    assert not open_to(hand).may_agree
    assert_refused(hand, Agree((10, 10, 10)), "AGREEMENT_FORBIDDEN", "POT-AGR-02")
