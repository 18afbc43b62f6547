"""Exactly two private and three common cards (GAME-OM-01), against all sixty hands; and other numbers of private cards."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from homegame_engine.cards import parse_cards
from homegame_engine.evaluator.high import CATEGORIES
from homegame_engine.evaluator.ranking import rank, rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.evaluator.words import describe
from tests.hand_samples import assert_same_order, random_hands
from tests.oracles import evaluator as high_oracle
from tests.oracles import lows
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

OMAHA = RankingRule(ranking=Ranking.HIGH, exact_hole=2)
OMAHA_EIGHT = RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=8, exact_hole=2)
CHI_SQUARE_LIMIT = 26.1
"""Eight degrees of freedom, one false alarm in a thousand; the seed is fixed."""


def sixty(rule: RankingRule, hole: Sequence[int], board: Sequence[int]) -> int:
    """The best of every two and three, each ranked by itself."""
    five = RankingRule(ranking=rule.ranking, qualifier=rule.qualifier, wild_cards=rule.wild_cards)
    return max(
        rank(five, private + common)
        for private in combinations(hole, rule.exact_hole)
        for common in combinations(board, 5 - rule.exact_hole)
    )


def oracle_strengths(table: high_oracle.AllHands, hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The best of the sixty hands of each row of four private and five common cards."""
    fives = [
        table.strengths(hands[:, [*private, *common]])
        for private in combinations(range(4), 2)
        for common in combinations(range(4, 9), 3)
    ]
    best: NDArray[np.int64] = np.max(fives, axis=0)
    return best


def test_game_om_01_random_hands_are_the_best_of_sixty(fives: NDArray[np.uint8], strengths: NDArray[np.int64]) -> None:
    hands = random_hands(80, 4_000, 9)
    best = oracle_strengths(high_oracle.AllHands(fives, strengths), hands)
    values, first = np.unique(strengths, return_index=True)
    natural = rank_batch(RankingRule(ranking=Ranking.HIGH), fives[first])
    assert_same_order(np.concatenate([values, best]), np.concatenate([natural, rank_batch(OMAHA, hands, 4)]))


@pytest.mark.slow
@pytest.mark.parametrize("ranking", lows.LOWS)
def test_game_om_01_random_lows_are_the_best_of_sixty(ranking: str, fives: NDArray[np.uint8]) -> None:
    strengths = lows.strengths_of_fives(fives, ranking)
    hands = random_hands(81, 50_000, 9)
    best = oracle_strengths(high_oracle.AllHands(fives, strengths - strengths.min()), hands) + strengths.min()
    values, first = np.unique(strengths, return_index=True)
    natural = rank_batch(RankingRule(ranking=Ranking[ranking]), fives[first])
    rule = RankingRule(ranking=Ranking[ranking], exact_hole=2)
    assert_same_order(np.concatenate([values, best]), np.concatenate([natural, rank_batch(rule, hands, 4)]))


@pytest.mark.parametrize("ranking", ["HIGH", *lows.LOWS])
@pytest.mark.parametrize(
    ("n_hole", "n_board", "exact_hole", "wild_cards"),
    [
        (4, 5, 2, ()),
        (5, 5, 2, ()),
        (6, 5, 2, ()),
        (2, 3, 2, ()),
        (4, 4, 2, ()),
        (4, 7, 2, ()),
        (2, 5, 1, ()),
        (4, 5, 3, ()),
        (5, 0, 5, ()),
        (4, 5, 2, parse_cards("2c2d2h2s")),
        (4, 5, 2, parse_cards("X1Js")),
    ],
)
def test_game_om_01_any_numbers_of_cards_are_the_best_of_all_choices(
    ranking: str, n_hole: int, n_board: int, exact_hole: int, wild_cards: tuple[int, ...]
) -> None:
    rule = RankingRule(ranking=Ranking[ranking], exact_hole=exact_hole, wild_cards=wild_cards)
    hands = random_hands(82, 40, n_hole + n_board, 54 if wild_cards else 52)
    expected = [sixty(rule, hand[:n_hole], hand[n_hole:]) for hand in hands.tolist()]
    assert [rank(rule, hand[:n_hole], hand[n_hole:]) for hand in hands.tolist()] == expected
    assert rank_batch(rule, hands, n_hole).tolist() == expected


@pytest.mark.parametrize("ranking", ["HIGH", "ACE_TO_SIX", "DEUCE_TO_SEVEN"])
def test_game_om_01_flushes_need_two_private_and_three_common_cards(ranking: str) -> None:
    # Many cards of one suit: spades thrice as likely as in a deck.
    rule = RankingRule(ranking=Ranking[ranking], exact_hole=2)
    generator = np.random.default_rng(83)
    for _ in range(400):
        spades = [4 * place + 3 for place in generator.permutation(13)[:7].tolist()]
        others = [4 * place + suit for suit, place in enumerate(generator.permutation(13)[:2].tolist())]
        hand = generator.permutation(spades + others).tolist()
        assert rank(rule, hand[:4], hand[4:]) == sixty(rule, hand[:4], hand[4:])


def test_game_om_01_categories_come_as_often_as_enumerated(known_values: dict[str, Any]) -> None:
    hands = random_hands(84, 150_000, 9)
    found = np.bincount(rank_batch(OMAHA, hands, 4) >> 12, minlength=9)
    known = dict(known_values["omaha_cat"])
    total = known.pop("total")
    expected = np.array([known[name] for name in CATEGORIES[:9]]) / total * len(hands)
    assert ((found[:9] - expected) ** 2 / expected).sum() < CHI_SQUARE_LIMIT


def test_game_om8_01_a_low_is_possible_on_as_many_boards_as_enumerated(known_values: dict[str, Any]) -> None:
    # One board for each multiset of ranks: with a card of each low rank that is left, somebody has the low if there is one.
    count = total = 0
    for ranks in combinations_with_replacement(range(13), 5):
        copies = Counter(ranks)
        if max(copies.values()) == 5:
            continue
        board = [4 * place + n for place, held in copies.items() for n in range(held)]
        hole = [4 * place + 3 for place in (12, 0, 1, 2, 3, 4, 5, 6) if copies[place] < 4][:7]
        n_boards = int(np.prod([comb(4, held) for held in copies.values()]))
        total += n_boards
        count += n_boards * (rank(OMAHA_EIGHT, hole, board) > 0)
    assert total == known_values["board_low"]["total"]
    assert count == known_values["board_low"]["count"]


@pytest.mark.parametrize(
    "example",
    as_parameters([example for example in examples_of_kind("hands") if "game" in example.input]),
)
def test_example_omaha_hands_in_order(example: Example) -> None:
    ranks = {
        hand["p"]: rank(OMAHA, parse_cards("".join(hand["hole"])), parse_cards("".join(hand["board"])))
        for hand in example.input["hands"]
    }
    tiers = [
        sorted(player for player, hand_rank in ranks.items() if hand_rank == tier)
        for tier in sorted(set(ranks.values()), reverse=True)
    ]
    assert tiers == [sorted(tier) for tier in example.expected["order"]]


def test_b83_game_om_01_exactly_two_cards_come_from_the_hand() -> None:
    hand = describe(OMAHA, parse_cards("As Ks 5d 7c"), parse_cards("Ts 7d 8h 4s 2c"))
    assert hand.hand_rank > 0
    assert hand.text == "one pair, sevens with ace ten eight"
    assert hand.best_cards == parse_cards("7d 7c As Ts 8h")


def test_game_om_01_four_of_a_suit_on_the_board_and_one_in_the_hand_are_no_flush() -> None:
    board = parse_cards("As Ks Ts 4s 2d")
    assert describe(OMAHA, parse_cards("Qs Jh 9d 3c"), board).text == "straight, ace high"
    assert describe(OMAHA, parse_cards("Qs 3s 9d 3c"), board).text == "flush, ace king queen ten three"


def test_game_om_01_too_few_cards_are_no_hand() -> None:
    board = parse_cards("As Ks 9s 4s 2d")
    assert rank(OMAHA, parse_cards("Qs"), board) == 0
    assert rank(OMAHA, parse_cards("Qs Js Ts 2c"), board[:2]) == 0
    assert describe(OMAHA, parse_cards("Qs"), board).category == "no_hand"


def test_rank_lo_02_omaha_lows_take_two_and_three_different_ranks() -> None:
    board = parse_cards("2s 3h 8d Kc Ks")
    assert describe(OMAHA_EIGHT, parse_cards("As 2h 9c 9d"), board).hand_rank == 0
    assert describe(OMAHA_EIGHT, parse_cards("As 4h 9c 9d"), board).text == "eight-low: 8-4-3-2-A"
    hands = random_hands(85, 300, 9)
    assert rank_batch(OMAHA_EIGHT, hands, 4).tolist() == [
        sixty(OMAHA_EIGHT, hand[:4], hand[4:]) for hand in hands.tolist()
    ]
