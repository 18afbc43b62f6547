"""RANK-HI-01 to RANK-HI-06: what high hands are worth."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.evaluator import category, count_hand_ranks, describe, evaluate, evaluate_batch
from homegame_engine.evaluator.high import CATEGORIES
from tests.hand_samples import assert_same_order, random_hands
from tests.oracles import evaluator as oracle
from tests.rulebook_examples import Example, as_parameters, examples_of_kind, text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def rank(text: str) -> int:
    """Hand rank of cards given as text."""
    return evaluate(parse_cards(text))


# All hands there are.


def test_rank_hi_02_to_05_all_hands_of_five_cards_have_the_oracles_order(
    fives: NDArray[np.uint8], strengths: NDArray[np.int64], known_values: dict[str, Any]
) -> None:
    hand_ranks = evaluate_batch(fives)
    assert_same_order(strengths, hand_ranks)
    assert len(np.unique(hand_ranks)) == known_values["distinct_ranks"]["5"] == 7462


def test_the_oracle_for_arrays_agrees_with_the_one_for_single_hands(
    fives: NDArray[np.uint8], strengths: NDArray[np.int64]
) -> None:
    sample = np.random.default_rng(5).integers(len(fives), size=20_000)
    single = [oracle.strength_of_five(hand) for hand in fives[sample].tolist()]
    pairs = set(zip(map(str, single), strengths[sample].tolist(), strict=True))
    assert len(pairs) == len(set(map(str, single))) == len(np.unique(strengths[sample]))
    order = np.argsort(strengths[sample], kind="stable")
    assert [single[place] for place in order] == sorted(single)


@pytest.mark.parametrize(("n_cards", "known"), [(5, "cat5"), (7, "cat7")])
def test_rank_hi_02_every_hand_falls_into_its_category(n_cards: int, known: str, known_values: dict[str, Any]) -> None:
    counts = count_hand_ranks(n_cards)
    found = dict.fromkeys(CATEGORIES, 0)
    for hand_rank in np.flatnonzero(counts).tolist():
        found[category(hand_rank)] += int(counts[hand_rank])
    expected = dict(known_values[known])
    assert sum(found.values()) == expected.pop("total")
    assert found.pop("five_of_a_kind") == 0
    assert found == expected


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_rank_hi_05_hands_that_tie_share_a_rank(n_cards: int, known_values: dict[str, Any]) -> None:
    assert np.count_nonzero(count_hand_ranks(n_cards)) == known_values["distinct_ranks"][str(n_cards)]


@pytest.mark.parametrize("n_cards", [6, 7])
def test_rank_hi_01_the_best_five_of_six_and_seven_cards_play(
    n_cards: int, fives: NDArray[np.uint8], strengths: NDArray[np.int64]
) -> None:
    hands = random_hands(20 + n_cards, 200_000, n_cards)
    best = oracle.AllHands(fives, strengths).strengths(hands)
    # With all fives beside them every strength has its one number.
    assert_same_order(np.concatenate([strengths, best]), np.concatenate([evaluate_batch(fives), evaluate_batch(hands)]))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_rank_hi_01_ten_million_random_hands_of_seven_cards(
    fives: NDArray[np.uint8], strengths: NDArray[np.int64]
) -> None:
    table = oracle.AllHands(fives, strengths)
    # From here on a hand rank is looked up by the oracle's strength: the order of fives was proved above.
    values, first = np.unique(strengths, return_index=True)
    hand_rank_of_value = evaluate_batch(fives[first])
    for seed in range(50):
        hands = random_hands(seed, 200_000, 7)
        expected = hand_rank_of_value[np.searchsorted(values, table.strengths(hands))]
        np.testing.assert_array_equal(evaluate_batch(hands), expected, err_msg=f"seed {seed}")


def test_rank_hi_01_single_hands_agree_with_the_oracle() -> None:
    hands = [hand for n_cards in (5, 6, 7) for hand in random_hands(n_cards, 700, n_cards).tolist()]
    by_oracle = sorted(hands, key=oracle.strength)
    assert [evaluate(hand) for hand in by_oracle] == sorted(evaluate(hand) for hand in hands)


# The rulebook's examples.


@pytest.mark.parametrize(
    "example",
    as_parameters(
        [
            example
            for example in examples_of_kind("hands")
            if example.input["mode"] == "HIGH" and "game" not in example.input and '"X' not in text_of(example)
        ]
    ),
)
def test_example_hands_in_order(example: Example) -> None:
    ranks = {hand["p"]: evaluate(parse_cards(hand["cards"])) for hand in example.input["hands"]}
    tiers = [
        sorted(player for player, hand_rank in ranks.items() if hand_rank == tier)
        for tier in sorted(set(ranks.values()), reverse=True)
    ]
    assert tiers == [sorted(tier) for tier in example.expected["order"]]


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("winners")))
def test_example_winners_of_a_board(example: Example) -> None:
    board = parse_cards(example.input["board"])
    ranks = {player: evaluate(board + parse_cards(hole)) for player, hole in example.input["hole"].items()}
    best = max(ranks.values())
    assert [player for player, hand_rank in ranks.items() if hand_rank == best] == example.expected["winners"]


# Clause by clause, and what broke other evaluators.

ONE_OF_EACH = [
    "Ks Jh 9d 7c 5s",
    "2s 2h 9d 7c 5s",
    "2s 2h 3d 3c 5s",
    "2s 2h 2d 7c 5s",
    "As 2h 3d 4c 5s",
    "7s 5s 4s 3s 2s",
    "2s 2h 2d 3c 3s",
    "2s 2h 2d 2c 3s",
    "As 2s 3s 4s 5s",
]


def test_rank_hi_02_categories_in_order() -> None:
    ranks = [rank(text) for text in ONE_OF_EACH]
    assert ranks == sorted(ranks)
    assert [category(hand_rank) for hand_rank in ranks] == list(CATEGORIES[:9])


def test_rank_hi_02_a_royal_flush_is_a_name_and_no_category() -> None:
    royal, next_best = describe(parse_cards("AsKsQsJsTs")), describe(parse_cards("KhQhJhTh9h"))
    assert royal.text == "royal flush"
    assert royal.category == next_best.category == "straight_flush"
    assert royal.hand_rank == next_best.hand_rank + 1


def test_rank_hi_03_b69_a_wheel_beats_three_kings_and_is_the_lowest_straight() -> None:
    board = "2c 3h 5s Kd 9c"
    wheel = rank(f"As 4d {board}")
    assert wheel > rank(f"Kh Ks {board}")
    assert describe(parse_cards(f"As 4d {board}")).text == "straight, five high"
    straights = [rank("As 2d 3c 4h 5s"), rank("2s 3d 4c 5h 6s"), rank("3s 4d 5c 6h 7s"), rank("Ts Jd Qc Kh As")]
    assert straights == sorted(straights)
    assert wheel == straights[0]


@pytest.mark.parametrize("text", ["Qs Kh Ad 2c 3s", "Js Qh Kd Ac 2s", "Ks Ah 2d 3c 4s"])
def test_rank_hi_03_nothing_wraps_around_the_ace(text: str) -> None:
    assert category(rank(text)) == "high_card"


def test_rank_hi_03_only_the_top_card_of_a_straight_counts() -> None:
    assert rank("9s Th Jd Qc Ks 2h 2d") == rank("9c Td Jh Qs Kd Kc 3c")
    assert rank("5s 6h 7d 8c 9s Kh Ad") < rank("6s 7h 8d 9c Ts 2h 3d")


def test_rank_hi_02_b75_a_straight_and_a_flush_of_different_cards_are_a_flush() -> None:
    hand = describe(parse_cards("9c Th Jh Qh Kh 2h 3h"))
    assert hand.category == "flush"
    assert hand.best_cards == parse_cards("Kh Qh Jh Th 3h")


def test_rank_hi_04_b71_all_five_cards_of_a_flush_count() -> None:
    board = "Qd Jd 9d Kc 6d"
    seven, five = rank(f"Qc 7d {board}"), rank(f"5d Ah {board}")
    assert category(seven) == category(five) == "flush"
    assert seven > five


def test_rank_hi_04_b73_full_houses_compare_the_three_first_and_then_the_pair() -> None:
    board = "2s 2h 3s 3h 3d"
    tens, nines = describe(parse_cards(f"Ts Th {board}")), describe(parse_cards(f"9s 9h {board}"))
    assert tens.hand_rank > nines.hand_rank
    assert tens.text == "full house, threes full of tens"
    assert nines.text == "full house, threes full of nines"
    assert rank("9s 9h 9d 4c 4s") > rank("7s 7h 7d 6c 6s")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2s 2h 2d 2c As", "2s 2h 2d 2c Ks"),
        ("Ks Kh Kd 3c 2s", "Qs Qh Qd Ac Ks"),
        ("Ks Kh Kd Ac 2s", "Ks Kh Kd Qc Js"),
        ("As Ah 2d 2c 3s", "Ks Kh Qd Qc Js"),
        ("As Ah 3d 3c 2s", "As Ah 2d 2c Ks"),
        ("As Ah 3d 3c 4s", "As Ah 3d 3c 2s"),
        ("As Ah Kd 3c 2s", "As Ah Qd Jc Ts"),
        ("As Ah Kd Qc 3s", "As Ah Kd Qc 2s"),
        ("As Kh Qd Jc 9s", "As Kh Qd Jc 8s"),
    ],
)
def test_rank_hi_04_kickers(better: str, worse: str) -> None:
    assert rank(better) > rank(worse)


def test_rank_hi_04_two_threes_of_a_kind_are_a_full_house_of_the_higher() -> None:
    assert rank("9s 9h 9d 4c 4s 4d 2h") == rank("9s 9h 9d 4c 4s 2h 3d")


def test_rank_hi_04_the_third_pair_is_a_kicker_at_most() -> None:
    assert rank("As Ah Kd Kc Qs Qh 2d") == rank("As Ah Kd Kc Qs 3h 2d")
    assert rank("As Ah Kd Kc 3s 3h Jd") == rank("As Ah Kd Kc Js 5h 4d")


def test_rank_hi_05_b80_when_the_board_plays_the_pot_is_split() -> None:
    board = "Ah Jd 3s Qc 3c"
    assert rank(f"8c 5d {board}") == rank(f"8d 2c {board}")


def test_rank_hi_05_unused_cards_never_break_a_tie() -> None:
    board = "As Kd Qc Jh Ts"
    assert rank(f"2c 3c {board}") == rank(f"9d 9c {board}") == rank(f"Ad Ac {board}") == rank(board)


def test_rank_hi_06_a_king_high_flush_beats_a_queen_high_flush() -> None:
    assert rank("Ks 8s 6s 4s 2s") > rank("Qh Jh 9h 8h 6h")


# Words and refusals.


def test_rank_hi_05_every_rank_has_words_of_its_own_and_five_cards_that_make_it(fives: NDArray[np.uint8]) -> None:
    hand_ranks, first = np.unique(evaluate_batch(fives), return_index=True)
    hands = [describe(hand) for hand in fives[first].tolist()]
    assert [hand.hand_rank for hand in hands] == hand_ranks.tolist()
    assert len({hand.text for hand in hands}) == len(hands)


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_rank_hi_01_the_cards_named_are_five_of_the_hand_and_worth_as_much(n_cards: int) -> None:
    for cards in random_hands(n_cards, 1_000, n_cards).tolist():
        hand = describe(cards)
        assert len(set(hand.best_cards)) == 5
        assert set(hand.best_cards) <= set(cards)
        assert evaluate(hand.best_cards) == hand.hand_rank == evaluate(cards)
        assert category(hand.hand_rank) == hand.category


@pytest.mark.parametrize(
    ("text", "words", "best"),
    [
        ("2c 7d Ah 9s Kd Js 4h", "high card, ace king jack nine seven", "Ah Kd Js 9s 7d"),
        ("6c 6d Ah 9s Kd Js 4h", "one pair, sixes with ace king jack", "6d 6c Ah Kd Js"),
        ("6c 6d Ah As Kd Js 4h", "two pair, aces and sixes with king", "As Ah 6d 6c Kd"),
        ("6c 6d 6h 9s Kd Js 4h", "three of a kind, sixes with king jack", "6h 6d 6c Kd Js"),
        ("5c 4d 3h 2s Ad Js Jh", "straight, five high", "5c 4d 3h 2s Ad"),
        ("5c 4c 3c 2c Ac Js Jh", "straight flush, five high", "5c 4c 3c 2c Ac"),
        ("9c 9d 9h 9s Kd Kh Kc", "four of a kind, nines with king", "9s 9h 9d 9c Kh"),
        ("9c 8c 5c 4c 2c Kd Kh", "flush, nine eight five four deuce", "9c 8c 5c 4c 2c"),
    ],
)
def test_rank_hi_04_words_and_cards_come_in_the_order_that_decides(text: str, words: str, best: str) -> None:
    hand = describe(parse_cards(text))
    assert (hand.text, hand.best_cards) == (words, parse_cards(best))


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param((), id="none"),
        pytest.param((0, 5, 10, 15), id="four"),
        pytest.param((0, 5, 10, 15, 20, 25, 30, 35), id="eight"),
        pytest.param((0, 5, 10, 15, 15), id="a card twice"),
        pytest.param((0, 5, 10, 15, 52), id="a joker"),
        pytest.param((0, 5, 10, 15, CARD_UNKNOWN), id="an unknown card"),
        pytest.param((0, 5, 10, 15, CARD_HIDDEN), id="a hidden card"),
        pytest.param((0, 5, 10, 15, -1), id="a negative code"),
        pytest.param((0, 5, 10, 15, 1 << 70), id="a huge code"),
    ],
)
def test_what_is_no_high_hand_is_refused(cards: tuple[int, ...]) -> None:
    for ask in (evaluate, describe):
        with pytest.raises(InputError):
            ask(cards)


@pytest.mark.parametrize("wrong", [52, 53, 100, 200, CARD_UNKNOWN, CARD_HIDDEN])
def test_a_batch_names_the_row_that_holds_no_card(wrong: int) -> None:
    hands = random_hands(1, 50, 7)
    hands[17, 3] = wrong
    with pytest.raises(InputError) as refused:
        evaluate_batch(hands)
    assert refused.value.field == "cards[17]"


def test_a_batch_of_another_shape_or_type_is_refused() -> None:
    others: list[Any] = [
        np.zeros((3, 4), dtype=np.uint8),
        np.zeros((3, 8), dtype=np.uint8),
        np.arange(7, dtype=np.uint8),
        random_hands(1, 3, 7).astype(np.int64),
    ]
    for cards in others:
        with pytest.raises(InputError):
            evaluate_batch(cards)
    with pytest.raises(InputError):
        count_hand_ranks(8)


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_a_batch_is_its_hands_one_by_one_however_it_lies_in_memory(n_cards: int) -> None:
    hands = random_hands(3, 400, n_cards)
    expected = [evaluate(hand) for hand in hands.tolist()]
    assert evaluate_batch(hands).tolist() == expected
    assert evaluate_batch(np.asfortranarray(hands)).tolist() == expected
    assert evaluate_batch(hands[::2]).tolist() == expected[::2]
    assert evaluate_batch(hands[:0]).tolist() == []


def test_cards_that_no_deck_holds_are_ranked_to_nothing_dangerous() -> None:
    # A batch does not look for doubles; whatever five times the same card is, it stays inside the tables.
    for n_cards in (5, 6, 7):
        doubles = np.array(list(combinations(np.repeat(np.arange(0, 52, 7), 2), n_cards)), dtype=np.uint8)
        ranks = evaluate_batch(np.vstack([doubles, np.repeat(np.arange(52, dtype=np.uint8), n_cards).reshape(52, -1)]))
        assert (ranks >= 0).all()
        assert (ranks < 9 << 12).all()


@pytest.mark.parametrize("hand_rank", [-1, 0, 10 << 12])
def test_a_number_that_no_hand_has_belongs_to_no_category(hand_rank: int) -> None:
    with pytest.raises(InputError):
        category(hand_rank)
