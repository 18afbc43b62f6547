"""RANK-LO-01 to RANK-LO-05 and deuce to seven: what low hands are worth."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError
from homegame_engine.evaluator.low import count_low_ranks
from homegame_engine.evaluator.ranking import rank, rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.evaluator.words import describe
from tests.hand_samples import assert_same_order, random_hands
from tests.oracles import evaluator as high_oracle
from tests.oracles import lows as oracle
from tests.rulebook_examples import Example, as_parameters, examples_of_kind, text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

RULES = {name: RankingRule(ranking=Ranking[name]) for name in oracle.LOWS}
EIGHT_OR_BETTER = RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=8)
STRIDE = 11
"""Every eleventh hand of five cards is looked at in the quick tests; 11 divides no number of suits or ranks."""


def low(ranking: str, text: str) -> int:
    """Hand rank of cards given as text."""
    return rank(RULES[ranking], parse_cards(text))


def hands_with_five_of_a_suit() -> list[list[int]]:
    """Hands of six and seven cards that hold a flush: five spades, a club, and in half of them a diamond."""
    hands = []
    for seed in range(400):
        ranks = np.random.default_rng(seed).permutation(13)[:7].tolist()
        hand = [4 * card + 3 for card in ranks[:5]] + [4 * ranks[5]]
        hands.append(hand + [4 * ranks[6] + 1] * (seed % 2))
    return hands


def words(ranking: str, text: str) -> str:
    return describe(RULES[ranking], parse_cards(text)).text


# All hands there are.


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_rank_lo_01_rank_lo_03_many_hands_of_five_cards_have_the_oracles_order(
    ranking: str, fives: NDArray[np.uint8]
) -> None:
    some = fives[::STRIDE]
    assert_same_order(oracle.strengths_of_fives(some, ranking), rank_batch(RULES[ranking], some))


@pytest.mark.slow
@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_rank_lo_01_rank_lo_03_all_hands_of_five_cards_have_the_oracles_order(
    ranking: str, fives: NDArray[np.uint8]
) -> None:
    strengths = oracle.strengths_of_fives(fives, ranking)
    hand_ranks = rank_batch(RULES[ranking], fives)
    assert_same_order(strengths, hand_ranks)
    # Six and seven cards: the best of all fives, with all fives beside them so that every strength has its one number.
    for n_cards in (6, 7):
        hands = random_hands(n_cards, 100_000, n_cards)
        best = high_oracle.AllHands(fives, strengths - strengths.min()).strengths(hands) + strengths.min()
        assert_same_order(
            np.concatenate([strengths, best]), np.concatenate([hand_ranks, rank_batch(RULES[ranking], hands)])
        )


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_the_oracle_for_arrays_agrees_with_the_one_for_single_hands(ranking: str, fives: NDArray[np.uint8]) -> None:
    sample = fives[np.random.default_rng(5).integers(len(fives), size=5_000)]
    order = np.argsort(oracle.strengths_of_fives(sample, ranking), kind="stable")
    single = [oracle.strength_of_five(hand, ranking) for hand in sample[order].tolist()]
    assert single == sorted(single)


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_rank_lo_01_rank_lo_03_the_best_five_of_six_and_seven_cards_play(ranking: str) -> None:
    hands = [hand for n_cards in (6, 7) for hand in random_hands(30 + n_cards, 250, n_cards).tolist()]
    hands += hands_with_five_of_a_suit()
    by_oracle = sorted(hands, key=lambda hand: oracle.strength(hand, ranking))
    by_engine = [rank(RULES[ranking], hand) for hand in by_oracle]
    assert by_engine == sorted(by_engine)
    for first, second in pairwise(by_oracle):
        tie = oracle.strength(first, ranking) == oracle.strength(second, ranking)
        assert tie == (rank(RULES[ranking], first) == rank(RULES[ranking], second))


def test_rank_lo_02_seven_cards_hold_an_eight_low_as_often_as_enumerated(known_values: dict[str, Any]) -> None:
    counts = count_low_ranks(Ranking.ACE_TO_FIVE, 7, qualifier=8)
    assert counts.sum() == known_values["low8_7"]["total"]
    assert counts[1:].sum() == known_values["low8_7"]["count"]


@pytest.mark.slow
@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_rank_lo_01_rank_lo_03_counting_is_ranking_all_hands(ranking: str, fives: NDArray[np.uint8]) -> None:
    counts = count_low_ranks(Ranking[ranking], 5)
    expected = np.bincount(rank_batch(RULES[ranking], fives), minlength=len(counts))
    np.testing.assert_array_equal(counts, expected)
    seven = count_low_ranks(Ranking[ranking], 7)
    assert seven.sum() == 133_784_560
    assert seven[0] == 0
    assert count_low_ranks(Ranking[ranking], 6).sum() == 20_358_520


def test_rank_lo_03_exactly_1020_hands_are_the_best_low(known_values: dict[str, Any]) -> None:
    counts = count_low_ranks(Ranking.ACE_TO_SIX, 5)
    best = int(counts.nonzero()[0].max())
    assert best == low("ACE_TO_SIX", "As 2h 3d 4c 6s")
    assert counts[best] == known_values["low_a6_best"] == 1020


def test_deuce_to_seven_is_high_upside_down_but_for_the_wheel(
    fives: NDArray[np.uint8], strengths: NDArray[np.int64]
) -> None:
    some = fives[::STRIDE]
    low_aces = (np.sort(some // 4, axis=1) == [0, 1, 2, 3, 12]).all(axis=1)
    hand_ranks = rank_batch(RULES["DEUCE_TO_SEVEN"], some[~low_aces])
    assert_same_order(-strengths[::STRIDE][~low_aces], hand_ranks)


# The rulebook's examples.


@pytest.mark.parametrize(
    "example",
    as_parameters([example for example in examples_of_kind("hands") if example.input["mode"] in oracle.LOWS]),
)
def test_example_lows_in_order(example: Example) -> None:
    assert "game" not in text_of(example)
    ranks = {hand["p"]: low(example.input["mode"], "".join(hand["cards"])) for hand in example.input["hands"]}
    tiers = [
        [player for player, hand_rank in ranks.items() if hand_rank == tier]
        for tier in sorted(set(ranks.values()), reverse=True)
    ]
    assert tiers == example.expected["order"]


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("low8")))
def test_example_lows_that_qualify(example: Example) -> None:
    qualified = [rank(EIGHT_OR_BETTER, parse_cards("".join(hand))) > 0 for hand in example.input["hands"]]
    assert qualified == example.expected["qualifies"]


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("stud8")))
def test_example_stud_hi_lo(example: Example) -> None:
    hands = {player: parse_cards("".join(cards)) for player, cards in example.input["hands"].items()}
    for rule, half in ((RankingRule(ranking=Ranking.HIGH), "high"), (EIGHT_OR_BETTER, "low")):
        ranks = {player: rank(rule, cards) for player, cards in hands.items()}
        best = max(ranks.values())
        assert [player for player, hand_rank in ranks.items() if hand_rank == best > 0] == example.expected[half]


# Clause by clause.


@pytest.mark.parametrize(
    ("ranking", "texts"),
    [
        pytest.param(
            "ACE_TO_FIVE",
            # RANK-LO-01: straights and flushes do not count; then the classes, each with its lowest and its highest.
            [
                "5s 4s 3s 2s As",
                "6h 4d 3c 2s Ah",
                "Kh Qh Jh Th 9h",
                "As Ah 4d 3c 2s",
                "Ks Kh Qd Jc Ts",
                "2s 2h Ad Ac 3s",
                "Ks Kh Qd Qc Js",
                "As Ah Ad 3c 2s",
                "Ks Kh Kd Qc Js",
                "As Ah Ad 2c 2s",
                "As Ah Kd Kc Ks",
                "As Ah Ad Ac 2s",
                "Ks Kh Kd Kc Qs",
            ],
            id="rank_lo_01",
        ),
        pytest.param(
            "ACE_TO_SIX",
            # RANK-LO-03, RANK-LO-04: the ace low alone, high in a set.
            [
                "As 2h 3d 4c 6s",
                "As 2h 3d 5c 6s",
                "Ks Qh Jd Tc As",
                "Ks Qh Jd Tc 8s",
                "2s 2h Ad 3c 4s",
                "2s 2h 3d 4c 5s",
                "Ks Kh Qd Jc Ts",
                "As Ah 2d 3c 4s",
                "2s 2h 3d 3c As",
                "As Ah 2d 2c 3s",
                "2s 2h 2d 3c As",
                "As Ah Ad 2c 3s",
                "As 2h 3d 4c 5s",
                "Ks Qh Jd Tc 9s",
                "As 2s 3s 4s 6s",
                "Ks Js Ts 9s 8s",
                "2s 2h 2d 3c 3s",
                "As Ah Ad 2c 2s",
                "2s 2h 2d 2c 3s",
                "As Ah Ad Ac 2s",
                "As 2s 3s 4s 5s",
                "Ks Qs Js Ts 9s",
            ],
            id="rank_lo_03-rank_lo_04",
        ),
        pytest.param(
            "DEUCE_TO_SEVEN",
            [
                "7s 5h 4d 3c 2s",
                "Ks 5h 4d 3c 2s",
                "As 5h 4d 3c 2s",
                "As 6h 4d 3c 2s",
                "2s 2h 3d 4c 5s",
                "As Ah Kd Qc Js",
                "2s 2h 3d 3c 4s",
                "2s 2h 2d 3c 4s",
                "2s 3h 4d 5c 6s",
                "As Kh Qd Jc Ts",
                "7s 5s 4s 3s 2s",
                "As 5s 4s 3s 2s",
                "2s 2h 2d 3c 3s",
                "2s 2h 2d 2c 3s",
                "2s 3s 4s 5s 6s",
                "As Ks Qs Js Ts",
            ],
            id="deuce_to_seven",
        ),
    ],
)
def test_hands_from_the_best_low_to_the_worst(ranking: str, texts: list[str]) -> None:
    ranks = [low(ranking, text) for text in texts]
    assert ranks == sorted(set(ranks), reverse=True)


def test_b85_in_deuce_to_seven_a_wheel_is_an_ace_high_hand_and_no_straight() -> None:
    wheel = low("DEUCE_TO_SEVEN", "As 2h 3d 4c 5s")
    assert wheel > low("DEUCE_TO_SEVEN", "2s 2h 3d 4c 5s")
    assert wheel > low("DEUCE_TO_SEVEN", "As 2h 3d 4c 6s")
    assert wheel < low("DEUCE_TO_SEVEN", "Ks 2h 3d 4c 5s")
    assert words("DEUCE_TO_SEVEN", "As 2h 3d 4c 5s") == "ace-high: A-5-4-3-2"


def test_rank_lo_03_with_the_ace_low_nothing_runs_over_the_king() -> None:
    # GAME-DECL-09: in low hands the ace is below the two, so K-Q-J-T-A is no straight.
    assert words("ACE_TO_SIX", "Ks Qh Jd Tc As") == "king-low: K-Q-J-T-A"
    assert low("ACE_TO_SIX", "Ks Qh Jd Tc As") > low("ACE_TO_SIX", "2s 2h Ad 3c 4s")


def test_rank_lo_03_seven_cards_avoid_the_flush_and_the_straight() -> None:
    assert words("ACE_TO_SIX", "As 2s 3s 4s 6s 8h Kd") == "eight-low: 8-4-3-2-A"
    assert words("ACE_TO_SIX", "As 2h 3d 4c 5s 6s 6h") == "six-low: 6-4-3-2-A"
    assert words("ACE_TO_SIX", "As 2s 3s 4s 6s 6h 6d") == "six-low: 6-4-3-2-A"
    assert words("DEUCE_TO_SEVEN", "2s 3h 4d 5c 6s 9h 9d") == "nine-low: 9-5-4-3-2"


def test_rank_lo_04_a_single_ace_beside_a_pair_is_the_low_card() -> None:
    assert words("ACE_TO_SIX", "2s 2h Ad 3c 4s") == "one pair: 2-2-4-3-A"
    assert words("ACE_TO_SIX", "As Ah 2d 3c 4s") == "one pair: A-A-4-3-2"
    assert words("ACE_TO_FIVE", "As Ah 2d 3c 4s") == "one pair: A-A-4-3-2"
    assert low("ACE_TO_FIVE", "As Ah 2d 3c 4s") > low("ACE_TO_FIVE", "2s 2h Ad 3c 4s")


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_rank_lo_05_without_a_qualifier_every_hand_is_a_low(ranking: str, fives: NDArray[np.uint8]) -> None:
    assert (rank_batch(RULES[ranking], fives[::STRIDE]) > 0).all()


@pytest.mark.parametrize("qualifier", [5, 7, 8, 9, 13])
def test_rank_lo_02_rank_lo_05_a_stated_qualifier_needs_five_ranks_so_low(qualifier: int) -> None:
    rule = RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=qualifier)
    hands = random_hands(qualifier, 2_000, 7)
    expected = [oracle.qualifies(hand, qualifier) for hand in hands.tolist()]
    assert (rank_batch(rule, hands) > 0).tolist() == expected
    assert [rank(rule, hand) > 0 for hand in hands.tolist()] == expected
    unqualified = rank_batch(RULES["ACE_TO_FIVE"], hands)
    np.testing.assert_array_equal(rank_batch(rule, hands), np.where(expected, unqualified, 0))


def test_rank_lo_05_a_qualifier_under_ace_to_six_wants_no_straight_and_no_flush() -> None:
    rule = RankingRule(ranking=Ranking.ACE_TO_SIX, qualifier=8)
    texts = ["8s 6h 4d 3c 2s", "8s 7h 6d 5c 4s", "8s 6s 4s 3s 2s", "9s 6h 4d 3c 2s", "As 2h 3d 4c 5s"]
    assert [rank(rule, parse_cards(text)) > 0 for text in texts] == [True, False, False, False, False]


def test_card_05_suits_decide_no_low() -> None:
    for ranking in oracle.LOWS:
        hands = random_hands(4, 2_000, 7)
        turned = hands // 4 * 4 + (hands % 4 + 1) % 4
        np.testing.assert_array_equal(rank_batch(RULES[ranking], hands), rank_batch(RULES[ranking], turned))


# Words and refusals.


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_every_low_has_words_of_its_own_and_five_cards_that_make_it(ranking: str, fives: NDArray[np.uint8]) -> None:
    hand_ranks, first = np.unique(rank_batch(RULES[ranking], fives), return_index=True)
    some = slice(None, None, 13)
    hands = [describe(RULES[ranking], hand) for hand in fives[first][some].tolist()]
    assert [hand.hand_rank for hand in hands] == hand_ranks[some].tolist()
    assert len({hand.text for hand in hands}) == len(hands)


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_the_cards_named_are_five_of_the_hand_and_worth_as_much(ranking: str) -> None:
    for cards in random_hands(8, 150, 7).tolist():
        hand = describe(RULES[ranking], cards)
        assert len(set(hand.best_cards)) == 5
        assert set(hand.best_cards) <= set(cards)
        assert hand.stands_for == hand.best_cards
        assert rank(RULES[ranking], hand.best_cards) == hand.hand_rank == rank(RULES[ranking], cards)


@pytest.mark.parametrize(
    ("text", "expected", "best"),
    [
        ("As 2h 3d 5c 8s Kd Kh", "eight-low: 8-5-3-2-A", "8s 5c 3d 2h As"),
        ("5s 4h 3d 2c As Kd Kh", "five-low: 5-4-3-2-A", "5s 4h 3d 2c As"),
        ("8s 8h 3d 2c As Kd Kh", "no qualifying low", ""),
    ],
)
def test_rank_lo_02_words_of_eight_or_better(text: str, expected: str, best: str) -> None:
    hand = describe(EIGHT_OR_BETTER, parse_cards(text))
    assert (hand.text, hand.best_cards) == (expected, parse_cards(best) if best else ())
    assert (hand.hand_rank > 0) == bool(best)


def test_what_cannot_be_counted_is_refused() -> None:
    for arguments in ((Ranking.HIGH, 5), (Ranking.BADUGI, 5), (Ranking.ACE_TO_FIVE, 4), (Ranking.ACE_TO_FIVE, 8)):
        with pytest.raises(InputError):
            count_low_ranks(*arguments)
    with pytest.raises(InputError):
        count_low_ranks(Ranking.ACE_TO_FIVE, 5, qualifier=16)


@pytest.mark.parametrize("ranking", oracle.LOWS)
@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_a_batch_is_its_hands_one_by_one(ranking: str, n_cards: int) -> None:
    hands = random_hands(3, 300, n_cards)
    expected = [rank(RULES[ranking], hand) for hand in hands.tolist()]
    assert rank_batch(RULES[ranking], hands).tolist() == expected
    assert rank_batch(RULES[ranking], np.asfortranarray(hands)).tolist() == expected
    assert rank_batch(RULES[ranking], hands[::2]).tolist() == expected[::2]


@pytest.mark.parametrize("ranking", oracle.LOWS)
def test_more_than_seven_cards_are_the_best_of_all_sevens(ranking: str) -> None:
    for hand in random_hands(9, 20, 9).tolist():
        best = max(rank(RULES[ranking], seven) for seven in combinations(hand, 7))
        assert rank(RULES[ranking], hand[:4], hand[4:]) == best
