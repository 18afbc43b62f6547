"""RANK-UP-01 to RANK-UP-03: exposed cards decide who acts first in stud and razz."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError
from homegame_engine.evaluator.ranking import rank_low_up_cards, rank_up_cards
from tests.hand_samples import random_hands
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from collections.abc import Sequence


def up(text: str) -> int:
    return rank_up_cards(parse_cards(text))


def low_up(text: str) -> int:
    return rank_low_up_cards(parse_cards(text))


def strength(cards: Sequence[int], ace: int) -> tuple[list[int], list[int]]:
    """How often ranks are held, then the ranks in that order: quads, trips, two pair, a pair, then the cards from the top."""
    counts = Counter(ace if card // 4 == 12 else card // 4 + 2 for card in cards)
    by_weight = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return [counts[rank] for rank in by_weight], by_weight


@pytest.mark.parametrize("n_cards", [1, 2, 3, 4])
def test_rank_up_01_rank_up_02_random_exposed_cards_have_the_oracles_order(n_cards: int) -> None:
    # Few ranks, so that there are pairs and better.
    hands = random_hands(100, 1_500, n_cards, 24).tolist() + random_hands(101, 1_500, n_cards).tolist()
    for rank, ace, sign in ((rank_up_cards, 14, 1), (rank_low_up_cards, 1, -1)):
        in_order = sorted(hands, key=lambda hand: strength(hand, ace))
        for lower, higher in pairwise(in_order):
            difference = sign * (rank(higher) - rank(lower))
            assert difference == 0 if strength(lower, ace) == strength(higher, ace) else difference > 0


def test_rank_up_01_sets_come_before_cards_from_the_top() -> None:
    texts = [
        "2s 2h 2d 2c",
        "As Ah Ad 2c",
        "2s 2h 2d 3c",
        "As Ah 2d 2c",
        "Ks Kh Qd Qc",
        "Ks Kh Jd Jc",
        "As Ah Kd Qc",
        "As Ah Kd Jc",
        "2s 2h 4d 3c",
        "As Kh Qd Jc",
        "As Kh Qd Tc",
    ]
    ranks = [up(text) for text in texts]
    assert ranks == sorted(set(ranks), reverse=True)


def test_rank_up_01_straights_and_flushes_do_not_count() -> None:
    assert up("2s 2h 4d 3c") > up("As Ks Qs Js")
    assert up("As Ks Qs Ts") < up("Ah Kd Qc Js")
    assert up("As 2s 3s 4s") == up("Ah 2d 3c 4s")


def test_rank_up_01_five_cards_up_compare_the_same_way() -> None:
    assert up("3s 3h 3d 2c 2s") > up("2s 2h 2d Kc Qs")
    assert up("As Kh Qd Jc 9s") < up("As Kh Qd Jc Th")


def test_rank_up_02_the_lowest_exposed_hand_acts_first_in_razz() -> None:
    texts = ["4s 3h 2d Ac", "5s 3h 2d Ac", "Ks Qh Jd Tc", "As Ah 3d 2c", "Ks Kh Qd Jc", "2s 2h Ad Ac", "2s 2h 2d 2c"]
    ranks = [low_up(text) for text in texts]
    assert ranks == sorted(set(ranks), reverse=True)
    assert low_up("As") > low_up("2s") > low_up("Ks")


def test_rank_up_03_equal_exposed_hands_are_equal_whatever_the_suits() -> None:
    assert up("Ks Qs 4d") == up("4h Kd Qc")
    assert low_up("Ks Qs 4d") == low_up("4h Kd Qc")


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("first_up")))
def test_example_first_up(example: Example) -> None:
    players = example.input["up_clockwise_from_dealer_left"]
    # RANK-UP-03: the first of equal ones, and max keeps the first.
    first = max(players, key=lambda player: up("".join(player["up"])))
    assert first["p"] == example.expected["first"]


def test_rank_wild_01_a_wild_up_card_makes_the_largest_set_larger() -> None:
    deuces = parse_cards("2c2d2h2s")
    assert rank_up_cards(parse_cards("2s Kd 7c"), deuces) == up("Ks Kd 7c") == up("X1 Kd 7c")
    assert rank_up_cards(parse_cards("2s 7d 7c Kh"), deuces) == up("7s 7d 7c Kh")
    assert rank_up_cards(parse_cards("2s 2d"), deuces) == up("As Ad")
    assert up("2s Kd 7c") == up("2h Kc 7s") < up("X1 8d 7c")


def test_rank_wild_06_a_wild_up_card_takes_the_lowest_rank_left() -> None:
    deuces = parse_cards("2c2d2h2s")
    assert rank_low_up_cards(parse_cards("2s Ad 7c"), deuces) == low_up("2s Ad 7c") == low_up("X1 Ad 7c")
    assert rank_low_up_cards(parse_cards("2s Kd 7c"), deuces) == low_up("As Kd 7c")
    assert rank_low_up_cards(parse_cards("2s 2d 7c"), deuces) == low_up("As 2d 7c")


@pytest.mark.parametrize("cards", [(), (3, 3), (54,), (254,), (0, 1, 2, 3, 4, 5, 6, 7)])
def test_what_are_no_exposed_cards_is_refused(cards: tuple[int, ...]) -> None:
    for ask in (rank_up_cards, rank_low_up_cards):
        with pytest.raises(InputError):
            ask(cards)
