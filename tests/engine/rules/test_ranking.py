"""The one face of all evaluators: which cards it takes, which rules, and how arrays are ranked."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.evaluator import describe as describe_high
from homegame_engine.evaluator import evaluate, evaluate_batch
from homegame_engine.evaluator.ranking import find_wild_readings, rank, rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.evaluator.words import describe
from tests.hand_samples import random_hands
from tests.oracles import evaluator as oracle

HIGH = RankingRule(ranking=Ranking.HIGH)
OMAHA = RankingRule(ranking=Ranking.HIGH, exact_hole=2)


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_natural_high_hands_have_the_ranks_of_the_high_evaluator(n_cards: int) -> None:
    hands = random_hands(110, 1_000, n_cards)
    expected = evaluate_batch(hands)
    np.testing.assert_array_equal(rank_batch(HIGH, hands), expected)
    np.testing.assert_array_equal(rank_batch(HIGH, hands, 2), expected)
    assert [rank(HIGH, hand[:2], hand[2:]) for hand in hands.tolist()] == expected.tolist()
    for hand in hands[:50].tolist():
        assert describe(HIGH, hand)[:4] == tuple(describe_high(hand))


def test_more_than_seven_high_cards_are_the_best_of_all_sevens() -> None:
    for hand in random_hands(111, 10, 10).tolist():
        assert rank(HIGH, hand[:2], hand[2:]) == max(evaluate(seven) for seven in combinations(hand, 7))
        assert describe(HIGH, hand[:7], hand[7:]).hand_rank == rank(HIGH, hand[:7], hand[7:])


def test_card_04_in_high_hands_the_ace_is_above_the_king_and_below_the_two_in_lows() -> None:
    ranks = [rank(HIGH, parse_cards(f"{top}s 7h 5d 4c 3h")) for top in "89TJQKA"]
    assert ranks == sorted(set(ranks))
    for ranking in (Ranking.ACE_TO_FIVE, Ranking.ACE_TO_SIX):
        low = RankingRule(ranking=ranking)
        ranks = [rank(low, parse_cards(f"{card}s Th 9d 7c 6h")) for card in "A2345"]
        assert ranks == sorted(set(ranks), reverse=True)


def test_card_03_a_short_deck_has_the_ordinary_ranking() -> None:
    deck = range(16, 52)  # Without the twos to fives.
    hands = np.array(list(combinations(deck, 5))[::7], dtype=np.uint8)
    hand_ranks = rank_batch(HIGH, hands)
    strengths = oracle.strengths_of_fives(hands)
    order = np.argsort(strengths, kind="stable")
    assert ((np.diff(strengths[order]) > 0) == (np.diff(hand_ranks[order]) > 0)).all()
    assert describe(HIGH, parse_cards("As 6h 7d 8c 9s")).category == "high_card"
    assert rank(HIGH, parse_cards("As 6h 7d 8c 9s")) < rank(HIGH, parse_cards("6s 6h 7d 8c 9s"))
    # A flush is rarer than a full house there, and is worth less all the same.
    assert rank(HIGH, parse_cards("As Qs 9s 8s 6s")) < rank(HIGH, parse_cards("6s 6h 6d 7c 7s"))


def test_card_05_rank_hi_05_suits_decide_nothing() -> None:
    hands = random_hands(112, 500, 9)
    turned = hands // 4 * 4 + (hands % 4 + 1) % 4
    for rule, n_hole in ((HIGH, 7), (OMAHA, 4)):
        np.testing.assert_array_equal(rank_batch(rule, hands, n_hole), rank_batch(rule, turned, n_hole))


@pytest.mark.parametrize("n_cards", [0, 1, 4])
@pytest.mark.parametrize("ranking", list(Ranking)[:4])
def test_rank_hi_01_fewer_than_five_cards_are_no_hand(ranking: Ranking, n_cards: int) -> None:
    rule = RankingRule(ranking=ranking)
    assert rank(rule, tuple(range(n_cards))) == 0
    assert describe(rule, tuple(range(n_cards))).text == "no hand"
    assert rank_batch(rule, random_hands(1, 3, n_cards)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("hole", "board", "up_mask", "field"),
    [
        pytest.param((3, 3), (), 0, "hole", id="a card twice"),
        pytest.param((3, 4), (4,), 0, "board", id="a card in hand and on the board"),
        pytest.param((54,), (), 0, "hole", id="no card"),
        pytest.param((0, CARD_UNKNOWN), (), 0, "hole", id="an unknown card"),
        pytest.param((), (CARD_HIDDEN,), 0, "board", id="a hidden card"),
        pytest.param((-1,), (), 0, "hole", id="a negative code"),
        pytest.param((1 << 70,), (), 0, "hole", id="a huge code"),
        pytest.param(tuple(range(8)), (), 0, "hole", id="eight private cards"),
        pytest.param((), tuple(range(11)), 0, "board", id="eleven common cards"),
        pytest.param((0, 1), (2,), 4, "up_mask", id="a face-up card that is not there"),
        pytest.param((0, 1), (2,), -1, "up_mask", id="a negative mask"),
    ],
)
def test_what_is_no_hand_is_refused(hole: tuple[int, ...], board: tuple[int, ...], up_mask: int, field: str) -> None:
    for ask in (rank, describe, find_wild_readings):
        with pytest.raises(InputError) as refused:
            ask(HIGH, hole, board, up_mask)
        assert refused.value.field == field


@pytest.mark.parametrize("wrong", [54, 100, CARD_UNKNOWN, CARD_HIDDEN])
@pytest.mark.parametrize("rule", [HIGH, OMAHA, RankingRule(ranking=Ranking.BADUGI)])
def test_a_batch_names_the_row_that_holds_no_card(rule: RankingRule, wrong: int) -> None:
    hands = random_hands(113, 50, 9)
    hands[17, 3] = wrong
    with pytest.raises(InputError) as refused:
        rank_batch(rule, hands, 4)
    assert refused.value.field == "cards[17]"


def test_a_batch_of_another_shape_or_type_is_refused() -> None:
    others: list[Any] = [
        (np.arange(7, dtype=np.uint8), None),
        (random_hands(1, 3, 7).astype(np.int64), None),
        (random_hands(1, 3, 8), None),
        (random_hands(1, 3, 7), 8),
        (random_hands(1, 3, 7), -1),
        (random_hands(1, 3, 12), 1),
    ]
    for cards, n_hole in others:
        with pytest.raises(InputError):
            rank_batch(HIGH, cards, n_hole)
    assert rank_batch(HIGH, random_hands(1, 3, 7)[:0]).tolist() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"ranking": Ranking.HIGH, "qualifier": 8},
        {"ranking": Ranking.BADUGI, "qualifier": 8},
        {"ranking": Ranking.ACE_TO_FIVE, "qualifier": 4},
        {"ranking": Ranking.ACE_TO_FIVE, "qualifier": 15},
        {"ranking": Ranking.BADUGI, "exact_hole": 2},
        {"ranking": Ranking.HIGH, "exact_hole": 6},
        {"ranking": Ranking.HIGH, "exact_hole": -1},
        {"ranking": Ranking.HIGH, "wild_cards": (54,)},
        {"ranking": Ranking.HIGH, "wild_cards": (-1,)},
    ],
)
def test_game_dc_04_a_rule_that_ranks_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        RankingRule(**wrong)
