"""GAME-OM-01 to GAME-OM-03, GAME-OM8-01, GAME-OM8-02 and GAME-ST8-01: exactly two and three, and the low beside the high."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from homegame_engine import catalog
from homegame_engine.award import check_selection
from homegame_engine.cards import parse_cards
from homegame_engine.errors import RuleViolation
from homegame_engine.evaluator import evaluate
from homegame_engine.evaluator.ranking import rank
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.events import HandShown
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.hand import Hand

HIGH = RankingRule(ranking=Ranking.HIGH)
EIGHT_OR_BETTER = RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=8)
OMAHA_EXAMPLES = [example for example in examples_of_kind("hands") if example.input.get("game") == "OMAHA"]


def played(game: str, cards: Sequence[str], board: str = "") -> Hand:
    """A hand checked down to its end, Points Night's stud or a club's board game."""
    hand = deal_game(game, [100] * len(cards), cards=cards, board=board, button=len(cards) - 1, showdown="AUTO")
    check_down(hand)
    return hand


@pytest.mark.parametrize("example", as_parameters(OMAHA_EXAMPLES))
def test_omaha_examples(example: Example) -> None:
    given = example.input["hands"]
    board = "".join(given[0]["board"])
    hand = played("OMAHA", ["".join(one["hole"]) for one in given], board)
    (best,) = example.expected["order"][0]
    assert [one["p"] for one, won in zip(given, hand.won_chips, strict=True) if won] == [best]


def test_game_om_01_one_heart_in_hand_is_no_flush() -> None:
    # Seat 0 holds the bare ace of hearts with four on the board; seat 1's pair of sevens in the hole is enough.
    hand = played("OMAHA", ["AhKsKd2c", "7s7d8c9c"], "QhJh6h3h7c")
    assert hand.won_chips == (0, 4)


def test_game_om_01_the_board_alone_is_no_hand() -> None:
    hand = played("OMAHA", ["2c3d4h9s", "AhAd5c6c"], "AsKsQsJsTs")
    assert hand.won_chips == (0, 4)


def test_game_om_01_the_rank_of_a_hand_is_the_best_of_two_and_three() -> None:
    hole, board = parse_cards("AhKhQd2c"), parse_cards("JhTh9h9d2s")
    hand = played("OMAHA", ["AhKhQd2c", "3c3d4c4d"], "JhTh9h9d2s")
    best = max(evaluate(two + three) for two in combinations(hole, 2) for three in combinations(board, 3))
    assert hand.hand_rank(0) == best


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param("AhQhJh6h3h", id="one of the hand and four of the board"),
        pytest.param("QhJh6h3h7c", id="the board alone"),
        pytest.param("AhKsKdQhJh", id="three of the hand"),
        pytest.param("AhKsQhJh", id="four cards"),
        pytest.param("AhAhQhJh6h", id="a card twice"),
        pytest.param("AhAsQhJh6h", id="a card of nobody"),
        pytest.param("AhKsQhJh6h3h", id="six cards"),
    ],
)
def test_game_om_01_a_wrong_selection_is_refused(chosen: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        check_selection(catalog.game("OMAHA"), parse_cards("AhKsKd2c"), parse_cards("QhJh6h3h7c"), parse_cards(chosen))
    assert (caught.value.reason, caught.value.rule_id) == ("BAD_HAND_SELECTION", "GAME-OM-01")


def test_game_om_01_a_selection_of_two_and_three_is_a_hand_and_hold_em_knows_no_such_limit() -> None:
    check_selection(
        catalog.game("OMAHA"), parse_cards("AhKsKd2c"), parse_cards("QhJh6h3h7c"), parse_cards("KsKdQhJh6h")
    )
    hold_em = catalog.game("HOLDEM")
    for chosen in ("QhJh6h3h7c", "AhJh6h3hQh", "AhKsQhJh6h"):
        check_selection(hold_em, parse_cards("AhKs"), parse_cards("QhJh6h3h7c"), parse_cards(chosen))
    with pytest.raises(RuleViolation) as caught:
        check_selection(hold_em, parse_cards("AhKs"), parse_cards("QhJh6h3h7c"), parse_cards("AhKsQhJh5h"))
    assert (caught.value.reason, caught.value.rule_id) == ("BAD_HAND_SELECTION", "RANK-HI-01")


def test_game_om_02_all_four_private_cards_are_shown() -> None:
    hand = deal_game("OMAHA", [100, 100], cards=("AhKsKd2c", "8h6h2d2s"), board="Qh9h7h3h4s")
    check_down(hand, until=("SHOWDOWN",))
    (shown,) = of_kind(play_game(hand, "s"), HandShown)
    assert len(shown.cards) == 4


def test_game_om_03_rounds_blinds_and_order_are_those_of_hold_em() -> None:
    omaha, hold_em = (deal_game(game, [100] * 4) for game in ("OMAHA", "HOLDEM"))
    while not hold_em.is_over:
        for table in (omaha, hold_em):
            assert table.legal_actions() == hold_em.legal_actions()
        word = "c" if hold_em.legal_actions().call_chips else "s" if hold_em.phase == "SHOWDOWN" else "k"
        for table in (omaha, hold_em):
            play_game(table, word)
    assert omaha.is_over


# --- The low --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("low8")))
def test_low8_examples(example: Example) -> None:
    qualifies = [rank(EIGHT_OR_BETTER, parse_cards(cards)) > 0 for cards in example.input["hands"]]
    assert qualifies == example.expected["qualifies"]


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("stud8")))
def test_stud8_examples(example: Example) -> None:
    hands = {player: parse_cards(cards) for player, cards in example.input["hands"].items()}
    for rule, key in ((HIGH, "high"), (EIGHT_OR_BETTER, "low")):
        ranks = {player: rank(rule, cards) for player, cards in hands.items()}
        assert [player for player in hands if ranks[player] == max(ranks.values())] == example.expected[key]


def test_game_st8_01_five_for_each_way_and_the_odd_unit_high() -> None:
    # Seat 0's straight is no bar to its low; seat 1's flush is high. Antes of 1 and bring-ins of 1 make 5 with the dead chip.
    hand = deal_game(
        "STUD8",
        [100, 100],
        cards=("As2h3d4c5sKdKh", "9s7s6sJs3sTdTh"),
        button=1,
        ante_chips=1,
        bring_in_chips=1,
        dead_chips=1,
        showdown="AUTO",
    )
    check_down(hand)
    assert hand.won_chips == (2, 3)


def test_game_om8_01_high_and_low_may_use_different_private_cards() -> None:
    # Kings and ace-deuce of one hand: the kings make a full house, the ace and the deuce the best low.
    hand = played("OMAHA8", ["KsKhAc2d", "As3sQhQd", "9s9hTc8d"], "Kd7c7h4s5d")
    assert hand.won_chips == (6, 0, 0)


def test_game_om8_01_a_low_needs_two_private_cards_as_well() -> None:
    # A-2-3-4-8 lies on the board: who holds one low card only has none.
    hand = played("OMAHA8", ["KsKhQd9c", "5s9s9hTh"], "As2d3h4c8s")
    assert hand.won_chips == (4, 0)
    hand = played("OMAHA8", ["KsKhQd9c", "6s7s9hTh"], "As2d3h4cKc")
    assert hand.won_chips == (2, 2)


def test_game_om8_01_a_nine_is_no_low() -> None:
    hand = played("OMAHA8", ["KsKhQd9c", "As2s9hTh"], "9d4h3cKdQc")
    assert hand.won_chips == (4, 0)


def test_game_om8_02_the_odd_unit_goes_to_the_high_half() -> None:
    hand = deal_game(
        "OMAHA8", [100] * 2, cards=("KsKhQd9c", "As2s9hTh"), board="Kc7h5c3dQs", button=1, dead_chips=1, showdown="AUTO"
    )
    check_down(hand)
    assert hand.won_chips == (3, 2)


def test_game_om8_01_each_layer_has_its_own_high_and_low() -> None:
    # Seat 0 is all-in for 2 with the best high and the best low; the extra layer is shared by the two others.
    hand = deal_game(
        "OMAHA8",
        [2, 50, 50],
        cards=("KsKhAc2d", "QsQhTsTh", "3s4s9h9d"),
        board="Kd7c8h5dQc",
        button=2,
        showdown="AUTO",
    )
    play_game(hand, "c c r4 c")
    check_down(hand)
    assert hand.won_chips == (6, 2, 2)
