"""RANK-WILD-01 to RANK-WILD-06: hands with wild cards, against every card tried for each of them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from homegame_engine.cards import parse_cards
from homegame_engine.evaluator.high import CATEGORIES, evaluate_batch
from homegame_engine.evaluator.ranking import find_wild_readings, rank, rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.evaluator.words import describe, find_wild_cards
from tests.hand_samples import assert_same_order, random_hands
from tests.oracles import evaluator as high_oracle
from tests.oracles import lows
from tests.oracles.wild import WildHands, all_sets, low_hole_readings
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

HIGH = RankingRule(ranking=Ranking.HIGH)
DEUCES = parse_cards("2c2d2h2s")
ONE_EYED = parse_cards("JsJhKd")
JOKERS = parse_cards("X1X2")
DEUCES_WILD = RankingRule(ranking=Ranking.HIGH, wild_cards=DEUCES)
LOW_HOLE = RankingRule(ranking=Ranking.HIGH, low_hole_wild=True)
N_DOWN = 3
UP_MASK = 0b1111000
"""Seven-card stud: the first three cards lie face down here."""
KINDS = {
    "ranks": (DEUCES, 52),
    "named cards": (ONE_EYED, 52),
    "jokers": (JOKERS, 54),
    "jokers and ranks": (JOKERS + DEUCES, 54),
}
"""The kinds of wild cards: which, and how large the deck is."""


def high(text: str, rule: RankingRule = HIGH) -> int:
    """Hand rank of cards given as text."""
    return rank(rule, parse_cards(text))


def category(hand_rank: int) -> str:
    return CATEGORIES[hand_rank >> 12]


class Substituted:
    """What brute force says, and the engine's hand rank of every natural strength beside it."""

    def __init__(self, ranking: Ranking, fives: NDArray[np.uint8], strengths: NDArray[np.int64]) -> None:
        self.ranking = ranking
        self.oracle = WildHands(fives, strengths, five_of_a_kind=ranking is Ranking.HIGH)
        self.strengths, first = np.unique(strengths, return_index=True)
        self.hand_ranks = rank_batch(RankingRule(ranking=ranking), fives[first])

    def hold(self, best: NDArray[np.int64], hand_ranks: NDArray[np.int32]) -> None:
        """Hands with wild cards stand on the same number line as all natural ones."""
        assert_same_order(np.concatenate([self.strengths, best]), np.concatenate([self.hand_ranks, hand_ranks]))

    def hold_kind(self, kind: str, n_hands: int, n_cards: int) -> None:
        wild_cards, n_deck = KINDS[kind]
        rule = RankingRule(ranking=self.ranking, wild_cards=wild_cards)
        hands = random_hands(n_cards, n_hands, n_cards, n_deck)
        self.hold(self.oracle.strengths_of_hands(hands, np.isin(hands, wild_cards)), rank_batch(rule, hands))

    def hold_all_fives(self, fives: NDArray[np.uint8]) -> None:
        rule = RankingRule(ranking=self.ranking, wild_cards=DEUCES)
        self.hold(self.oracle.strengths_of_hands(fives, np.isin(fives, DEUCES)), rank_batch(rule, fives))
        for n_jokers in (1, 2):
            natural = all_sets(5 - n_jokers)
            hands = np.hstack([natural, np.tile(np.array(JOKERS[:n_jokers], dtype=np.uint8), (len(natural), 1))])
            rule = RankingRule(ranking=self.ranking)
            self.hold(self.oracle.strengths(natural, n_jokers), rank_batch(rule, hands))

    def hold_low_hole(self, n_hands: int) -> None:
        hands = random_hands(60, n_hands, 7)
        readings = [low_hole_readings(hand[:N_DOWN], hand) for hand in hands.tolist()]
        best = [
            self.oracle.strengths_of_hands(
                hands,
                np.array(
                    [
                        [card in reading[ace] for card in hand]
                        for hand, reading in zip(hands.tolist(), readings, strict=True)
                    ]
                ),
            )
            for ace in (0, 1)
        ]
        rule = RankingRule(ranking=self.ranking, low_hole_wild=True)
        self.hold(np.maximum(*best), rank_batch(rule, hands, up_mask=UP_MASK))


@pytest.fixture(scope="module")
def substituted(fives: NDArray[np.uint8], strengths: NDArray[np.int64]) -> Substituted:
    return Substituted(Ranking.HIGH, fives, strengths)


@pytest.fixture(scope="module", params=lows.LOWS)
def substituted_low(request: pytest.FixtureRequest, fives: NDArray[np.uint8]) -> Substituted:
    return Substituted(Ranking[request.param], fives, lows.strengths_of_fives(fives, request.param))


# Brute force.


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_rank_wild_01_random_hands_are_what_the_best_substitution_makes(
    substituted: Substituted, kind: str, n_cards: int
) -> None:
    substituted.hold_kind(kind, 2_000, n_cards)


def test_rank_wild_04_random_stud_hands_are_the_better_reading(substituted: Substituted) -> None:
    substituted.hold_low_hole(2_000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_cards", [5, 7])
def test_rank_wild_01_fifty_thousand_hands_of_each_kind(substituted: Substituted, kind: str, n_cards: int) -> None:
    substituted.hold_kind(kind, 50_000, n_cards)


@pytest.mark.slow
def test_rank_wild_04_fifty_thousand_stud_hands(substituted: Substituted) -> None:
    substituted.hold_low_hole(50_000)


@pytest.mark.slow
def test_rank_wild_06_fifty_thousand_lows_of_each_kind(substituted_low: Substituted) -> None:
    for kind in KINDS:
        for n_cards in (5, 6, 7):
            substituted_low.hold_kind(kind, 50_000, n_cards)
    substituted_low.hold_low_hole(50_000)


@pytest.mark.slow
def test_rank_wild_01_all_fives_with_deuces_wild_and_with_jokers(
    substituted: Substituted, fives: NDArray[np.uint8]
) -> None:
    substituted.hold_all_fives(fives)


@pytest.mark.slow
def test_rank_wild_06_all_fives_with_deuces_wild_and_with_jokers(
    substituted_low: Substituted, fives: NDArray[np.uint8]
) -> None:
    substituted_low.hold_all_fives(fives)


@pytest.mark.parametrize("ranking", lows.LOWS)
def test_rank_wild_06_a_wild_card_takes_what_makes_the_lowest_hand(ranking: str) -> None:
    rule = RankingRule(ranking=Ranking[ranking])
    natural = random_hands(70, 40, 4)
    every = np.arange(52, dtype=np.uint8)
    for hand in natural:
        tried = np.column_stack([np.tile(hand, (52, 1)), every])[~np.isin(every, hand)]
        best = tried[lows.strengths_of_fives(tried, ranking).argmax()]
        assert rank(rule, [*hand.tolist(), 52]) == rank(rule, best.tolist())


def strength_with_a_double(cards: list[int]) -> tuple[int, list[int]]:
    """Five cards of which the last may be there twice: then they are no flush, and five of a rank are the top category."""
    if len({card // 4 for card in cards}) == 1:
        return 9, [cards[0] // 4]
    if len(set(cards)) < 5:
        # Given another suit than its twin it makes no flush, and nothing else looks at suits.
        cards = [*cards[:4], cards[4] // 4 * 4 + (cards[4] + 1) % 4]
    return high_oracle.strength_of_five(cards)


def test_rank_wild_02_rank_wild_05_a_double_helps_nothing_but_five_of_a_kind() -> None:
    # The brute force above never tries a card that is there already.
    for hand in random_hands(71, 150, 4).tolist():
        best = max(strength_with_a_double([*hand, card]) for card in range(52))
        different = max(high_oracle.strength_of_five([*hand, card]) for card in range(52) if card not in hand)
        assert best == different
    assert strength_with_a_double(list(parse_cards("As Ah Ad Ac As"))) > high_oracle.strength_of_five(
        parse_cards("As Ks Qs Js Ts")
    )


# What is known exactly.


def counts_by_category(hand_ranks: NDArray[np.int32]) -> dict[str, int]:
    counts = np.bincount(hand_ranks >> 12, minlength=len(CATEGORIES))
    return {name: int(count) for name, count in zip(CATEGORIES, counts, strict=True)}


def test_rank_wild_01_five_cards_with_deuces_wild_fall_into_the_known_categories(
    fives: NDArray[np.uint8], known_values: dict[str, Any]
) -> None:
    expected = dict(known_values["wild_deuces5"])
    assert len(fives) == expected.pop("total")
    assert counts_by_category(rank_batch(DEUCES_WILD, fives)) == expected


def test_rank_wild_01_five_cards_with_one_joker_fall_into_the_known_categories(
    fives: NDArray[np.uint8], known_values: dict[str, Any]
) -> None:
    fours = np.array(list(combinations(range(52), 4)), dtype=np.uint8)
    joker = np.full((len(fours), 1), JOKERS[0], dtype=np.uint8)
    hand_ranks = np.concatenate([evaluate_batch(fives), rank_batch(HIGH, np.hstack([fours, joker]))])
    expected = dict(known_values["wild_joker1"])
    assert len(hand_ranks) == expected.pop("total")
    assert counts_by_category(hand_ranks) == {"five_of_a_kind": 0} | expected


# The rulebook's examples.


@pytest.mark.parametrize(
    "example",
    as_parameters(
        [
            example
            for example in examples_of_kind("hands")
            if example.input["mode"] == "HIGH" and any("WILD" in rule_id for rule_id in example.rule_ids)
        ]
    ),
)
def test_example_wild_hands_in_order(example: Example) -> None:
    ranks = {hand["p"]: high("".join(hand["cards"])) for hand in example.input["hands"]}
    tiers = [
        sorted(player for player, hand_rank in ranks.items() if hand_rank == tier)
        for tier in sorted(set(ranks.values()), reverse=True)
    ]
    assert tiers == [sorted(tier) for tier in example.expected["order"]]


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("low_hole")))
def test_example_low_hole_card_wild(example: Example) -> None:
    names = {"QUADS": "four_of_a_kind", "FIVE_OF_A_KIND": "five_of_a_kind"}
    for hand in example.input["hands"]:
        expected_category, expected_rank = example.expected["hands"][hand["p"]]
        cards = parse_cards("".join(hand["down"] + hand["up"]))
        described = describe(LOW_HOLE, cards, up_mask=UP_MASK)
        assert described.category == names[expected_category]
        assert described.stands_for[0] // 4 + 2 == expected_rank


# Clause by clause.


def test_b87_rank_wild_01_the_wild_deuce_fills_the_straight() -> None:
    hand = describe(DEUCES_WILD, parse_cards("5c 6h 7d 9c 4d 2s Tc"))
    assert hand.text == "straight, ten high"
    assert hand.best_cards == parse_cards("Tc 9c 2s 7d 6h")
    assert hand.stands_for[2] // 4 == parse_cards("8s")[0] // 4


def test_rank_wild_02_only_five_cards_count() -> None:
    assert high("As Ah Ad Ac X1") > high("Js Jh Jd Jc X1 X2") == high("Js Jh Jd Jc X1 2c 3c")
    assert category(high("2s 2h 2d 2c X1")) == "five_of_a_kind"
    assert high("2s 2h 2d 2c X1") > high("As Ks Qs Js Ts")


@pytest.mark.parametrize("n_wild", [5, 6, 7])
def test_rank_wild_02_five_wild_cards_are_five_aces(n_wild: int) -> None:
    wild = (*JOKERS, *DEUCES, *parse_cards("3c"))[:n_wild]
    rule = RankingRule(ranking=Ranking.HIGH, wild_cards=wild)
    assert rank(rule, wild) == rank(rule, parse_cards("AsAhAdAcX1"))
    assert describe(rule, wild).text == "five aces"


@pytest.mark.parametrize(
    ("natural", "wild"),
    [
        ("Ks Kh Kd 9c 8s", "Kc X1 X2 9d 8h"),
        ("Kd Qd Jd Td 9d", "Kd Qd X1 Td 9d"),
        ("As Ah Ad Kc Kh", "As Ah X1 Kc Kh"),
        ("9s 8h 7d 6c 5s", "9s X2 7d X1 5s"),
        ("9s 9h 9d 9c As", "9s 9h X2 X1 As"),
    ],
)
def test_rank_wild_03_wild_cards_never_break_a_tie(natural: str, wild: str) -> None:
    assert high(natural) == high(wild)
    assert describe(HIGH, parse_cards(natural)).text == describe(HIGH, parse_cards(wild)).text


def test_rank_wild_05_no_flush_holds_an_ace_twice() -> None:
    joker = describe(HIGH, parse_cards("As Js 8s 4s X1"))
    assert joker.text == "flush, ace king jack eight four"
    assert joker.hand_rank < high("Ah Kh Jh 8h 5h")


def test_rank_wild_04_without_a_face_down_card_nothing_is_wild() -> None:
    hand = parse_cards("5s 5h 9d Kc Ah")
    assert rank(LOW_HOLE, hand, up_mask=0b11111) == high("5s 5h 9d Kc Ah")
    assert find_wild_readings(LOW_HOLE, hand, up_mask=0b11111) == ((),)


def test_rank_wild_04_only_the_holders_own_cards_of_the_rank_are_wild() -> None:
    hole, common = parse_cards("5s 9d Kc Ah Qs 5h"), parse_cards("5d")
    (wild,) = find_wild_readings(LOW_HOLE, hole, common, up_mask=0b111100)
    assert wild == parse_cards("5s 5h")
    # Two wild fives beside A K Q: with the common card wild as well it would be a straight flush or four of a kind.
    assert category(rank(LOW_HOLE, hole, common, up_mask=0b111100)) == "straight"


def test_rank_wild_04_a_face_down_ace_is_read_both_ways() -> None:
    hand = parse_cards("Ah 9d 9c Kd Kc 4s 2h")
    assert set(find_wild_readings(LOW_HOLE, hand, up_mask=UP_MASK)) == {parse_cards("9d 9c"), parse_cards("Ah")}
    # High, so that both nines are wild; low, so that the ace is wild and no four.
    assert describe(LOW_HOLE, hand, up_mask=UP_MASK).text == "four of a kind, kings with ace"
    low_is_better = parse_cards("4s 6d Ah Td 7s 5d 6s")
    assert describe(LOW_HOLE, low_is_better, up_mask=UP_MASK).text == "straight, eight high"


def test_rank_wild_04_an_up_card_is_never_the_low_hole_card() -> None:
    hand = parse_cards("8s 9d Tc 2h 2d Kc Qh")
    (wild,) = find_wild_readings(LOW_HOLE, hand, up_mask=UP_MASK)
    assert wild == parse_cards("8s")


def test_rank_wild_06_under_ace_to_six_a_wild_card_makes_no_straight_and_no_flush() -> None:
    rule = RankingRule(ranking=Ranking.ACE_TO_SIX)
    assert describe(rule, parse_cards("2s 3s 4s 5s X1")).text == "seven-low: 7-5-4-3-2"
    assert describe(rule, parse_cards("As 2h 3d 4c X1")).text == "six-low: 6-4-3-2-A"
    flush = describe(rule, parse_cards("As 2s 3s 4s X1"))
    assert flush.text == "six-low: 6-4-3-2-A"
    assert len({card % 4 for card in flush.stands_for}) > 1


def test_rank_wild_06_with_pairs_about_the_wild_card_takes_the_lowest_rank_left() -> None:
    rule = RankingRule(ranking=Ranking.ACE_TO_FIVE)
    assert describe(rule, parse_cards("Ks Kh Kd Kc X1")).text == "four of a kind: K-K-K-K-A"
    assert describe(rule, parse_cards("As Ah Kd Kc X1")).text == "two pair: K-K-A-A-2"
    assert describe(rule, parse_cards("8s 4h X1 X2 2d Kc Kd")).text == "eight-low: 8-4-3-2-A"


def test_rank_wild_06_a_qualifier_counts_what_the_wild_cards_stand_for() -> None:
    rule = RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=8)
    assert rank(rule, parse_cards("8s 4h X1 X2 2d")) > 0
    assert rank(rule, parse_cards("9s 4h X1 X2 2d")) == 0
    hands = random_hands(72, 500, 7, 54)
    unqualified = rank_batch(RankingRule(ranking=Ranking.ACE_TO_FIVE), hands)
    worst = rank(RankingRule(ranking=Ranking.ACE_TO_FIVE), parse_cards("8s 7h 6d 5c 4s"))
    np.testing.assert_array_equal(rank_batch(rule, hands), np.where(unqualified >= worst, unqualified, 0))


# Words; batches.


@pytest.mark.parametrize("ranking", ["HIGH", *lows.LOWS])
@pytest.mark.parametrize("kind", ["ranks", "jokers and ranks"])
def test_what_the_wild_cards_stand_for_makes_the_hand(ranking: str, kind: str) -> None:
    wild_cards, n_deck = KINDS[kind]
    rule = RankingRule(ranking=Ranking[ranking], wild_cards=wild_cards)
    for cards in random_hands(73, 60, 7, n_deck).tolist():
        hand = describe(rule, cards)
        assert len(set(hand.best_cards)) == 5
        assert set(hand.best_cards) <= set(cards)
        for card, meant in zip(hand.best_cards, hand.stands_for, strict=True):
            assert meant == card or card in wild_cards
        if hand.category == "five_of_a_kind":
            assert len({card // 4 for card in hand.stands_for}) == 1
        else:
            assert rank(RankingRule(ranking=Ranking[ranking]), hand.stands_for) == hand.hand_rank


@pytest.mark.parametrize("n_cards", [5, 6, 7, 8])
def test_a_batch_is_its_hands_one_by_one(n_cards: int) -> None:
    hands = random_hands(74, 200, n_cards, 54)
    n_hole = min(n_cards, 7)
    for rule in (HIGH, DEUCES_WILD, RankingRule(ranking=Ranking.ACE_TO_SIX, wild_cards=ONE_EYED)):
        one_by_one = [rank(rule, hand[:n_hole], hand[n_hole:]) for hand in hands.tolist()]
        assert rank_batch(rule, hands, n_hole).tolist() == one_by_one
    one_by_one = [rank(LOW_HOLE, hand[:n_hole], hand[n_hole:], 0b10100) for hand in hands.tolist()]
    assert rank_batch(LOW_HOLE, hands, n_hole, 0b10100).tolist() == one_by_one


@pytest.mark.parametrize(
    ("down", "up", "wild"),
    [
        ("As Kd Qd", "Ah Kh", "As Ah"),  # The ace is low: two wild cards make four kings, not aces full.
        ("As Kd Kc", "Kh Ks", "Kd Kc Kh Ks"),  # The ace is high: four wild kings make five aces, not five kings.
        ("9s 8d", "8h", "8d 8h"),  # Too few cards to be a hand.
        ("As 8d", "", "8d"),  # Until there are enough of them the ace is high.
        ("9s 8d X1", "8h 7c", "8d 8h X1"),
    ],
)
def test_rank_wild_04_wild_is_what_makes_the_better_hand(down: str, up: str, wild: str) -> None:
    private, shown = parse_cards(down.replace(" ", "")), parse_cards(up.replace(" ", ""))
    up_mask = (1 << len(private + shown)) - (1 << len(private))
    assert set(find_wild_cards(LOW_HOLE, private + shown, (), up_mask)) == set(parse_cards(wild.replace(" ", "")))
