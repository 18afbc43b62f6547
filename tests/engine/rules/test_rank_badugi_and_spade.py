"""Badugi, and the low spade in the hole (RANK-LO-06)."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from homegame_engine.cards import format_cards, parse_cards
from homegame_engine.evaluator.ranking import rank, rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.evaluator.words import describe
from tests.hand_samples import random_hands
from tests.oracles import lows as oracle
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

BADUGI = RankingRule(ranking=Ranking.BADUGI)
LOW_SPADE = RankingRule(ranking=Ranking.LOW_SPADE)


def badugi(text: str) -> int:
    """Hand rank of cards given as text."""
    return rank(BADUGI, parse_cards(text))


def hold_order(hands: Sequence[Sequence[int]], hand_ranks: Sequence[int]) -> None:
    """The same strength has one rank, and a greater strength a greater one."""
    rank_of: dict[str, tuple[tuple[int, list[int]], int]] = {}
    for hand, hand_rank in zip(hands, hand_ranks, strict=True):
        strength = oracle.badugi(hand)
        assert rank_of.setdefault(str(strength), (strength, hand_rank)) == (strength, hand_rank)
    in_order = [hand_rank for _, hand_rank in sorted(rank_of.values())]
    assert in_order == sorted(set(in_order))


def test_badugi_many_hands_of_four_cards_have_the_oracles_order() -> None:
    hands = list(combinations(range(52), 4))[::61]
    hold_order(hands, rank_batch(BADUGI, np.array(hands, dtype=np.uint8)).tolist())


@pytest.mark.slow
def test_badugi_all_hands_of_four_cards_have_the_oracles_order() -> None:
    hands = list(combinations(range(52), 4))
    hold_order(hands, rank_batch(BADUGI, np.array(hands, dtype=np.uint8)).tolist())


@pytest.mark.parametrize("n_cards", [1, 2, 3, 5, 6, 7])
def test_badugi_of_any_number_of_cards_keeps_the_best_four(n_cards: int) -> None:
    hands = random_hands(90, 500, n_cards).tolist()
    hold_order(hands, [rank(BADUGI, hand) for hand in hands])
    assert rank_batch(BADUGI, np.array(hands, dtype=np.uint8)).tolist() == [rank(BADUGI, hand) for hand in hands]


def test_badugi_the_order_of_the_cards_says_nothing() -> None:
    for hand in random_hands(91, 50, 4).tolist():
        assert len({rank(BADUGI, other) for other in permutations(hand)}) == 1


def test_badugi_hands_from_the_best_to_the_worst() -> None:
    texts = [
        "4s 3h 2d Ac",
        "5s 3h 2d Ac",
        "Ks Qh Jd Tc",
        "4s 3h 2d 2c",
        "Ks Qh Jd Jc",
        "2s As 2h Ah",
        "Ks Kh Kd Kc",
    ]
    ranks = [badugi(text) for text in texts]
    assert ranks == sorted(set(ranks), reverse=True)


@pytest.mark.parametrize(
    ("text", "words", "best"),
    [
        ("8s 5h 3d Ac", "badugi 8-5-3-A", "8s 5h 3d Ac"),
        ("8s 5h 3d As", "three cards 5-3-A", "5h 3d As"),
        ("2s As 2h Ks", "two cards 2-A", "2h As"),
        ("Ks 7s 3s 2s", "one card 2", "2s"),
        ("Ks Kh Kd Kc", "one card K", "Ks"),
    ],
)
def test_badugi_in_words(text: str, words: str, best: str) -> None:
    hand = describe(BADUGI, parse_cards(text))
    assert hand.text == words
    assert hand.best_cards == parse_cards(best)
    assert rank(BADUGI, hand.best_cards) == hand.hand_rank


def test_rank_wild_06_a_wild_card_completes_a_badugi() -> None:
    hand = describe(BADUGI, parse_cards("X1 8s 3d 2h"))
    assert hand.text == "badugi 8-3-2-A"
    assert hand.stands_for[-1] // 4 == 12
    assert badugi("X1 8s 3s 2h") == badugi("X1 3s 2h") == badugi("3s 2h Ad")
    assert badugi("X1 X2 3s 3d") == badugi("3d 2h As")


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("low_spade")))
def test_example_low_spade(example: Example) -> None:
    ranks = {player: rank(LOW_SPADE, parse_cards("".join(cards))) for player, cards in example.input["down"].items()}
    assert max(ranks, key=lambda player: ranks[player]) == example.expected["low_spade"]


def test_rank_lo_06_the_two_of_spades_is_lowest_and_the_ace_high() -> None:
    ranks = [rank(LOW_SPADE, (card,)) for card in parse_cards("2s3s4s5s6s7s8s9sTsJsQsKsAs")]
    assert ranks == sorted(set(ranks), reverse=True)
    assert ranks[-1] > 0


def test_rank_lo_06_every_two_cards_in_the_hole() -> None:
    for hole in combinations(range(52), 2):
        spades = [card // 4 for card in hole if card % 4 == 3]
        expected = describe(LOW_SPADE, hole)
        assert (expected.hand_rank > 0) == bool(spades), format_cards(hole)
        if spades:
            assert expected.best_cards == (4 * min(spades) + 3,)
            assert rank(LOW_SPADE, (4 * min(spades) + 3,)) == expected.hand_rank


def test_rank_lo_06_only_face_down_cards_count_and_no_common_card() -> None:
    hole = parse_cards("4s 5h 3s As")
    assert describe(LOW_SPADE, hole).text == "the three of spades"
    assert describe(LOW_SPADE, hole, up_mask=0b0100).text == "the four of spades"
    assert describe(LOW_SPADE, hole, up_mask=0b0101).text == "the ace of spades"
    assert describe(LOW_SPADE, hole, up_mask=0b1101).text == "no spade"
    assert rank(LOW_SPADE, parse_cards("4d 5h"), parse_cards("2s")) == 0
    assert rank(LOW_SPADE, parse_cards("X1 X2")) == 0


def test_rank_lo_06_a_batch_knows_which_cards_lie_face_down() -> None:
    hands = random_hands(92, 300, 7)
    for up_mask in (0, 0b1111000, 0b1111111):
        expected = [rank(LOW_SPADE, hand, up_mask=up_mask) for hand in hands.tolist()]
        assert rank_batch(LOW_SPADE, hands, up_mask=up_mask).tolist() == expected
