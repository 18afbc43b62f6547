"""Razz and stud hi-lo: GAME-RZ-01 to GAME-RZ-03, GAME-ST8-01, GAME-ST8-02. Open pairs are in test_game_st_stud.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine.actions import Check
from tests.game_hands import check_down, deal_game, play_game
from tests.table_builders import assert_refused, open_to

if TYPE_CHECKING:
    from homegame_engine.hand import Hand

DEEP = 1000


def three_seats(game: str, cards: list[str], short_seat: int | None = None, short_chips: int = 0) -> Hand:
    """An ante and a bring-in of 1, three seats of which the last has the button; one may be short."""
    stacks = [short_chips if seat == short_seat else DEEP for seat in range(3)]
    return deal_game(game, stacks, button=2, cards=cards, ante_chips=1, bring_in_chips=1)


def test_game_rz_01_the_lowest_five_of_seven_win_and_two_aces_are_the_lowest_pair() -> None:
    hand = deal_game("RAZZ", [100, 100], cards=["As2s3s4s5sKdKc", "Ad2d3d4d6dQcQs"], ante_chips=1)
    check_down(hand)
    assert hand.won_chips == (2, 0)  # RANK-LO-01: a straight in one suit does not hurt.
    paired = deal_game("RAZZ", [100, 100], cards=["AsAd3s4sKsKdQc", "2s2d3d4dKhKcQd"], ante_chips=1)
    check_down(paired)
    assert paired.won_chips == (2, 0)


def test_game_dc_11_the_house_plays_razz_by_its_own_low() -> None:
    cards = ["As2s3s4s5sKdKc", "Ad2d3d4d6dQcQs"]  # A flush or a straight is no low at House Night.
    mixed = ["As2d3s4s6sKdKc", "Ad2s3d4c5dQcQs"]
    hand = deal_game("RAZZ", [100, 100], house="HOUSE_NIGHT", cards=cards, bring_in_chips=0)
    check_down(hand)
    assert hand.won_chips == (0, 2)
    other = deal_game("RAZZ", [100, 100], house="HOUSE_NIGHT", cards=mixed, bring_in_chips=0)
    check_down(other)
    assert other.won_chips == (2, 0)


def test_game_rz_02_the_lowest_hand_up_acts_first_from_fourth_street_on() -> None:
    cards = ["2s3sKd9c", "2c3c4c4h", "2h3h5h7h"]
    hand = three_seats("RAZZ", cards)
    assert hand.actor == 0  # GAME-RZ-03: the king.
    play_game(hand, "i c c")
    assert hand.actor == 2  # A pair of fours is no low hand.
    assert_refused(hand, Check(), "OUT_OF_TURN", "BET-GEN-01", seat=1)


@pytest.mark.parametrize(
    ("up_cards", "bring_in"),
    [("Kd Kh As", 1), ("Ks Kh Kc", 0), ("Ad As 2c", 2), ("Qd Ac 2c", 0)],
)
def test_game_rz_03_the_highest_card_up_brings_in_spades_first_and_the_ace_low(up_cards: str, bring_in: int) -> None:
    cards = [f"{down}{up}" for down, up in zip(("3s4s", "5s6s", "7s8s"), up_cards.split(), strict=True)]
    hand = three_seats("RAZZ", cards)
    assert (hand.actor, hand.bring_in_seat) == (bring_in, bring_in)


def test_game_rz_03_all_in_from_the_ante_is_as_in_stud() -> None:
    cards = ["3s4sKd", "5s6sQd", "7s8s2d"]
    hand = three_seats("RAZZ", cards, 0, 1)
    assert (hand.actor, open_to(hand).kinds) == (1, ("fold", "complete", "bring_in"))


def test_game_st8_01_any_five_for_high_and_any_five_for_low() -> None:
    cards = ["As2h3d5c8sKdKh", "QsQhQd7c4s2d9h", "9s9c8d7d6s5dJh"]
    hand = deal_game("STUD8", [DEEP] * 3, button=2, cards=cards, ante_chips=2)
    check_down(hand)
    assert hand.won_chips == (3, 0, 3)  # The low 8-5-3-2-A, and the straight over three queens.


def test_game_st8_01_without_a_low_high_takes_all_and_an_odd_unit_is_highs() -> None:
    no_low = deal_game("STUD8", [100, 100], cards=["AsAdKhKcQd9c2d", "2s3s9d9hTcJcQh"], ante_chips=5)
    check_down(no_low)
    assert no_low.won_chips == (10, 0)
    odd = deal_game("STUD8", [100] * 3, button=2, cards=["AsAdKhKcQd9c9d", "2s3s4d5h8cJcQh", "TsThAc"], ante_chips=5)
    play_game(odd, "f")  # The ace acts first and folds, which is free at the club, and leaves 15.
    check_down(odd)
    assert odd.won_chips == (8, 7, 0)


def test_game_st8_02_the_low_card_by_suit_brings_in_and_then_the_high_hand_acts_first() -> None:
    cards = ["3s4s2h9c", "5s6s2cAh", "7s8sAdKd"]
    hand = three_seats("STUD8", cards)
    assert hand.actor == 1  # The deuce of clubs is lower than that of hearts, the ace is high.
    play_game(hand, "i c c")
    assert hand.actor == 2


def test_game_st8_02_of_equal_hands_the_first_from_the_dealer_and_an_all_in_one_has_checked() -> None:
    cards = ["3s4sKh9c", "5s6s2cAh", "7s8sKd9d"]
    hand = three_seats("STUD8", cards)
    play_game(hand, "i c c")
    assert hand.actor == 1  # Ace and deuce over king and nine.
    tied = three_seats("STUD8", ["3s4sKh9c", "5s6s2c3h", "7s8sKd9d"])
    play_game(tied, "i c c")
    assert tied.actor == 0
    all_in = three_seats("STUD8", ["3s4sKh9c", "5s6s2c3h", "7s8sKd9d"], 0, 2)
    play_game(all_in, "i c c")
    assert (all_in.street, all_in.actor) == (1, 1)
