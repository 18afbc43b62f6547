"""HOUSE-BET-06, BET-GEN-01, BET-GEN-07: House Night lets a player fold at any time, and the fold gives up what was put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Check, Fold
from homegame_engine.cards import format_cards
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.table_builders import assert_refused, open_to, wager_range

if TYPE_CHECKING:
    from homegame_engine.hand import Hand

DEEP = 1000


def draw_game(stacks: tuple[int, int, int] = (DEEP, DEEP, DEEP)) -> Hand:
    """Five-card draw at House Night, an ante of 1, steps of 1 to 4; seat 0 is left of the dealer."""
    hand = deal_game("FIVE_CARD_DRAW", stacks, house="HOUSE_NIGHT", button=2)
    hand.take_events()
    return hand


def test_house_bet_06_a_fold_out_of_turn_counts_at_once() -> None:
    hand = draw_game()
    assert hand.actor == 0
    assert hand.apply(2, Fold()) == (ev.PlayerFolded(seat=2),)
    assert (hand.actor, hand.live_mask) == (0, 0b011)
    assert_refused(hand, Fold(), "HAND_OVER", "BET-GEN-06", seat=2)
    play_game(hand, "k k")
    assert hand.phase == "CHOOSING"


@pytest.mark.parametrize("house", ["CLUB", "POINTS_NIGHT", "CASH_NIGHT"])
def test_bet_gen_01_nowhere_else_and_nothing_but_a_fold(house: str) -> None:
    hand = deal_game("FIVE_CARD_DRAW", [DEEP] * 3, house=house, button=2, small_blind_chips=0, big_blind_chips=0)
    assert_refused(hand, Fold(), "OUT_OF_TURN", "BET-GEN-01", seat=2)
    assert_refused(draw_game(), Check(), "OUT_OF_TURN", "BET-GEN-01", seat=2)


def test_house_bet_06_the_highest_wager_stays_in_and_the_others_owe_it() -> None:
    hand = draw_game()
    play_game(hand, "b4")
    hand.apply(0, Fold())
    assert (hand.actor, open_to(hand).call_chips) == (1, 4)
    play_game(hand, "c c")
    assert (hand.street, hand.pot_chips) == (0, 3 + 12)


def test_house_bet_06_a_lone_stack_still_owes_what_a_folded_player_put_in() -> None:
    hand = draw_game((DEEP, DEEP, 3))
    play_game(hand, "k k b2 r4")  # Seat 2 is all-in with two.
    hand.apply(0, Fold())
    assert (hand.actor, open_to(hand).call_chips) == (1, 4)
    happened = play_game(hand, "c")
    assert not of_kind(happened, ev.UncalledReturned)


def test_bet_gen_07_an_owner_who_folded_gets_nothing_back() -> None:
    hand = draw_game()
    play_game(hand, "b4 r8")
    hand.apply(1, Fold())
    happened = play_game(hand, "f")  # Seat 2 does not pay the eight.
    assert not of_kind(happened, ev.UncalledReturned)
    assert (hand.is_over, hand.won_chips, hand.stacks) == (True, (15, 0, 0), (1010, 991, 999))


def test_house_bet_06_when_one_hand_is_left_it_takes_the_pot() -> None:
    hand = draw_game()
    hand.apply(1, Fold())
    hand.apply(2, Fold())
    assert (hand.is_over, hand.won_chips) == (True, (3, 0, 0))


def test_house_bet_06_the_actor_may_have_less_to_decide_then() -> None:
    hand = draw_game((3, DEEP, DEEP))
    play_game(hand, "b2")  # All-in.
    assert wager_range(hand) == (3, 6)
    hand.apply(2, Fold())
    assert wager_range(hand) == "BETTING_CLOSED"  # BET-GEN-08


def test_house_bet_06_while_cards_are_drawn() -> None:
    hand = draw_game()
    play_game(hand, "k k k")
    assert (hand.phase, hand.pending_mask) == ("CHOOSING", 0b001)
    hand.apply(1, Fold())
    assert hand.pending_mask == 0b001
    hand.apply(0, Fold())
    assert (hand.is_over, hand.won_chips) == (True, (0, 0, 3))


def test_house_bet_06_who_folds_owes_no_choice_any_more() -> None:
    hand = deal_game("IRISH", [DEEP] * 3, house="HOUSE_NIGHT", button=2)
    check_down(hand, until=("CHOOSING",))
    assert hand.pending_mask == 0b111
    hand.apply(1, Fold())
    assert hand.pending_mask == 0b101
    play_game(hand, "x:" + format_cards(hand.hole_cards(0)[:2]))
    hand.apply(0, Fold())  # It has chosen and gives up all the same.
    assert (hand.is_over, hand.won_chips) == (True, (0, 0, 3))


def test_house_bet_06_the_last_choice_that_falls_away_completes_the_step() -> None:
    hand = deal_game("STUD_DECLARE", [DEEP] * 3, house="HOUSE_NIGHT", button=2, bring_in_chips=0)
    check_down(hand, until=("CHOOSING",))
    play_game(hand, "HIGH HIGH")
    happened = hand.apply(2, Fold())
    (declared,) = of_kind(happened, ev.HalvesDeclared)
    assert [one.seat for one in declared.declarations] == [0, 1]
    assert (hand.phase, hand.actor) == ("BETTING", 0)


def test_the_house_is_the_one_that_plays_it() -> None:
    assert [name for name, house in catalog.houses().items() if house.out_of_turn_fold] == ["HOUSE_NIGHT"]
