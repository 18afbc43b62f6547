"""Situations that broke other engines (tests/vectors/known-bugs.md); each test is named for row and rule.

Rows about the ranking of high hands and about the text of cards stand beside their rules (test_rank_high.py, test_cards.py).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.actions import BringIn, Complete
from homegame_engine.cards import full_deck, parse_cards
from homegame_engine.errors import RuleViolation
from homegame_engine.evaluator.ranking import rank
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.events import BoardDealt, HandShown, LayerAwarded, ShowdownStarted
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from tests.table_builders import DEEP, assert_refused, bet, deal, house_rules, open_to, play, street, wager_range

if TYPE_CHECKING:
    from homegame_engine.specs import HandRules

LIST = Path(__file__).resolve().parents[2] / "vectors" / "known-bugs.md"
HOUSES = ("POINTS_NIGHT", "CLUB", "CASH_NIGHT")
BOARD = "3d8h9cJc4s"
TIED = ("AsKh", "AhKs", "AdKc")
TIED_BOARD = "Ac3d8h9cJd"


def shares(events: tuple[object, ...]) -> list[dict[int, int]]:
    """What each layer gave, main layer first."""
    return [{share.seat: share.chips for share in event.shares} for event in events if isinstance(event, LayerAwarded)]


def test_b03_bet_nl_07_a_short_all_in_lets_bettor_and_caller_only_call() -> None:
    betting = bet(street("NO_LIMIT", [200, 200, 14], min_open_chips=2), "b10 c r14")
    for seat in (0, 1):
        assert betting.actor == seat
        assert open_to(betting).call_chips == 4
        assert_refused(betting, "r24", "RAISE_NOT_REOPENED", "BET-NL-07")
        bet(betting, "c")


def test_b03_bet_nl_07_the_next_street_starts_fresh() -> None:
    hand = deal([200, 200, 16], blinds=(1, 2), button=2)
    play(hand, "c c k b10 c r14 c c")
    assert hand.street == 2
    assert wager_range(hand) == (2, 184)


def test_b04_bet_nl_07_owes_the_difference_and_may_not_raise() -> None:
    betting = bet(street("NO_LIMIT", [154, DEEP], min_open_chips=5), "b55 r123 r154")
    assert (betting.actor, open_to(betting).call_chips) == (1, 31)
    assert wager_range(betting) == "BETTING_CLOSED", "the rival is all-in, and 31 is less than the raise of 68"


def test_b04_bet_nl_07_with_a_further_rival_the_raise_is_not_reopened() -> None:
    betting = bet(street("NO_LIMIT", [154, DEEP, DEEP], min_open_chips=5), "b55 r123 c r154")
    assert (betting.actor, open_to(betting).call_chips) == (1, 31)
    assert wager_range(betting) == "RAISE_NOT_REOPENED"


def test_b05_bet_nl_03_the_least_raise_does_not_shrink_to_the_rivals_stack() -> None:
    hand = deal([1000, 200], blinds=(10, 20))
    play(hand, "r100 r180")
    assert wager_range(hand) == (260, 1000)
    play(hand, "r1000 c")
    assert hand.returned == (0, 800)


@pytest.mark.parametrize(("in_all", "offered"), [(39, (39, 39)), (21, (21, 21)), (20, "INSUFFICIENT_STACK")])
def test_b06_bet_nl_03_a_raise_all_in_below_the_least_is_offered(in_all: int, offered: object) -> None:
    betting = bet(street("NO_LIMIT", [1000, in_all, 1000], min_open_chips=20, big_blind_chips=20), "b20")
    assert betting.actor == 1
    assert wager_range(betting) == offered
    if in_all == 20:
        assert open_to(betting).kinds == ("fold", "call")


def test_b06_bet_nl_03_the_figures_of_the_report() -> None:
    betting = bet(street("NO_LIMIT", [1000, 45], min_open_chips=20, posts=[10, 20], big_blind_chips=20), "r40")
    assert open_to(betting).call_chips == 20  # Least full raise to 60, 45 in all.
    assert wager_range(betting) == (45, 45)


def test_b07_bet_nl_07_a_short_raise_is_legal_and_the_bettor_may_not_raise_again() -> None:
    betting = bet(street("NO_LIMIT", [500, 29, 500], min_open_chips=2), "b22")
    assert wager_range(betting) == (29, 29)
    bet(betting, "r29 f")
    assert (betting.actor, open_to(betting).call_chips) == (0, 7)
    assert "raise" not in open_to(betting).kinds


def test_b08_bet_nl_03_least_raise_after_300_is_500_and_the_next_street_begins_at_100() -> None:
    hand = deal([10_000] * 4, blinds=(50, 100))
    play(hand, "r300")
    assert_refused(hand, "r499", "BELOW_MINIMUM", "BET-NL-03")
    assert wager_range(hand) == (500, 10_000)
    play(hand, "c f f")
    assert wager_range(hand) == (100, 9700)


def test_b12_bet_gen_08_no_raise_into_nobody() -> None:
    hand = deal([5000, 910, 23_870], blinds=(320, 640))
    play(hand, "f r910")
    assert open_to(hand).kinds == ("fold", "call")
    assert open_to(hand).call_chips == 270
    assert_refused(hand, "r2190", "BETTING_CLOSED", "BET-GEN-08")
    play(hand, "c")
    assert sum(chips for chips, _ in hand.layers) == 1820


def test_b16_bet_fl_03_capped_at_eight_since_the_blind_is_the_bet() -> None:
    hand = deal([100] * 4, house="POINTS_NIGHT")
    play(hand, "r4 r6 r8")
    assert open_to(hand).kinds == ("fold", "call")
    assert_refused(hand, "r10", "RAISE_CAP_REACHED", "BET-FL-03")


def test_b19_bet_pl_03_first_wager_to_35_at_5_10() -> None:
    hand = deal([1000] * 4, structure="POT_LIMIT", blinds=(5, 10))
    assert wager_range(hand) == (20, 35)


@pytest.mark.parametrize("house", HOUSES)
def test_b21_bet_gen_11_heads_up_the_button_posts_the_small_blind(house: str) -> None:
    hand = deal([100, 100], house=house, button=0)
    assert hand.street_chips == (1, 2)
    assert hand.actor == 0
    play(hand, "c k")
    assert hand.actor == 1


def test_b25_bet_gen_11_the_order_follows_the_button_and_not_the_list_of_posts() -> None:
    hand = deal([1000, 1000], blinds=(50, 100), button=0)
    play(hand, "c")
    assert hand.actor == 1
    for words in ("k", "k k", "k k"):
        play(hand, words)
        assert hand.actor == 1


@pytest.mark.parametrize("house", HOUSES)
def test_b26_bet_gen_05_the_big_blind_is_asked_before_the_flop_is_dealt(house: str) -> None:
    hand = deal([100] * 4, house=house)
    play(hand, "f f c")
    assert (hand.street, hand.actor) == (0, 2)
    assert {"check", "raise"} <= set(open_to(hand).kinds)


def test_b28_bet_gen_09_a_small_blind_all_in_for_less_is_not_asked_again() -> None:
    hand = deal([100, 3, 100, 100], blinds=(2, 4))
    play(hand, "c c c")
    assert hand.all_in_mask == 0b0010
    play(hand, "k")
    assert hand.committed_chips == (4, 3, 4, 4)
    assert hand.layers == ((12, 0b1111), (3, 0b1101))
    assert hand.actor == 2


def test_b31_bet_fl_08_antes_are_in_the_pot_and_outside_the_level() -> None:
    hand = deal([100] * 3, blinds=(5, 10), antes=[5, 5, 5])
    assert hand.pot_chips == 30
    assert open_to(hand).call_chips == 10
    play(hand, "r20")
    assert hand.street_chips == (20, 5, 10)
    assert hand.stacks[0] == 75


def deal_game(
    game_id: str, rules: HandRules, stacks: list[int], button: int, cards: list[str], board: str = ""
) -> Hand:
    """A hand of any game that shows its cards without being asked."""
    game = catalog.game(game_id)
    hole_cards = [parse_cards(text) for text in cards]
    deck_order = stack_deck(game, rules, button=button, hole_cards=hole_cards, board=parse_cards(board))
    return Hand.start(game, rules, stacks=stacks, button=button, deck_order=deck_order)


def test_b39_pot_lay_04_high_and_low_are_judged_pot_by_pot() -> None:
    rules = catalog.house("CLUB").hand_rules(
        structure="LIMIT", ante_chips=1, bring_in_chips=2, small_bet_chips=4, big_bet_chips=8
    )
    cards = ["As2s3s4s5sKcQd", "KdKhKs9c9dJhJd", "8c7d6h5d3cQcQh"]  # A steel wheel; kings full; 8-7-6-5-3.
    hand = deal_game("STUD8", msgspec.structs.replace(rules, showdown="AUTO"), [11, 100, 100], 2, cards)
    assert hand.actor == 0
    hand.apply(0, BringIn())
    hand.apply(1, Complete())
    play(hand, "r8 r10 c c")
    events = play(hand, "b4 c" + " k k" * 3)
    assert hand.layers == ((33, 0b111), (8, 0b110))
    assert shares(events) == [{0: 17}, {0: 16}, {1: 4}, {2: 4}]
    assert hand.stacks == (33, 89, 89)


def test_b40_pot_lay_01_an_all_in_seat_stays_in_when_a_street_has_no_bet() -> None:
    hand = deal([100, 1000, 1000], blinds=(25, 50), cards=["AsAh", "KsKh", "7c2d"], board=BOARD, showdown="AUTO")
    events = play(hand, "r100 c c k k b50 c k k")
    assert shares(events) == [{0: 300}, {1: 100}]


def test_b44_pot_lay_04_a_tie_for_second_splits_the_side_layer() -> None:
    hand = deal([10, 30, 30, 50], cards=["AsAh", "KsKh", "KdKc", "7c2d"], board=BOARD, showdown="AUTO", button=3)
    play(hand, "r30 r50 c c")
    assert hand.is_over
    assert hand.returned == (3, 20)
    assert hand.stacks == (40, 30, 30, 20)


def test_b46_pot_odd_01_an_even_split_has_no_odd_unit() -> None:
    hand = deal(
        [1000, 10_000, 10_000, 10_000],
        blinds=(50, 100),
        button=3,
        cards=["7c2d", *TIED],
        board=TIED_BOARD,
        showdown="AUTO",
    )
    events = play(hand, "c c r300 c c c k b9700 c c f")
    assert shares(events) == [{1: 10_100, 2: 10_100, 3: 10_100}]


def test_b47_pot_odd_01_three_winners_of_100_get_34_33_33() -> None:
    hand = deal([100, 33, 33, 33], button=3, cards=["7c2d", *TIED], board=TIED_BOARD, showdown="AUTO")
    assert shares(play(hand, "r33 c f c")) == [{1: 34, 2: 33, 3: 33}]


@pytest.mark.parametrize(("button", "final"), [(0, (50, 99, 51)), (1, (51, 50, 99))])
def test_b49_pot_odd_01_the_odd_unit_goes_to_the_first_left_of_the_button_always(
    button: int, final: tuple[int, ...]
) -> None:
    small_blind = (button + 1) % 3
    for _ in range(20):
        stacks, cards = [50] * 3, ["AsKh", "AhKs", "AdKc"]
        stacks[small_blind], cards[small_blind] = 100, "7c2d"
        hand = deal(stacks, button=button, cards=cards, board=TIED_BOARD, showdown="AUTO")
        play(hand, "r50 f c")
        assert hand.stacks == final


@pytest.mark.parametrize(
    ("blinds", "odd_side", "final"),
    [
        # Pot 63: high half 32 to A; low half 31, and B sits first left of the button.
        ((1, 3), 63, (16, 47, 97)),
        # Pot 61: A 31 + 15, B 15.
        ((1, 1), 61, (15, 46, 99)),
    ],
)
def test_b50_pot_split_01_the_odd_unit_of_a_quarter(
    blinds: tuple[int, int], odd_side: int, final: tuple[int, ...]
) -> None:
    rules = house_rules("CLUB", "NO_LIMIT", blinds, showdown="AUTO")
    cards = ["Ac4cJd9d", "Ah4hKsQs", "ThTd9h8s"]
    hand = deal_game("OMAHA8", rules, [30, 30, 100], 2, cards, board="2c3d7hKcKd")
    play(hand, "c r30 c f")
    assert hand.layers == ((odd_side, 0b011),)
    assert hand.stacks == final


def test_b51_bet_gen_07_what_nobody_called_comes_back() -> None:
    hand = deal([200, 200])
    play(hand, "r200 f")
    assert hand.returned == (0, 198)
    assert hand.stacks == (202, 198)


@pytest.mark.parametrize("words", ["c r102 c", "r98 c"])
@pytest.mark.parametrize(("cards", "final"), [(["AsAh", "KsKh"], (196, 4)), (["KsKh", "AsAh"], (0, 200))])
def test_b52_bet_gen_07_the_deeper_stack_keeps_the_difference(
    cards: list[str], final: tuple[int, int], words: str
) -> None:
    hand = deal([98, 102], cards=cards, board=BOARD, showdown="AUTO")
    play(hand, words)
    assert hand.layers == ((196, 0b11),)
    assert hand.stacks == final


def test_b55_bet_gen_06_the_last_live_seat_takes_the_pot_uncompared() -> None:
    hand = deal([100] * 3, cards=["AsAh", "KsKh", "7c2d"], board=BOARD)
    events = play(hand, "f f")
    assert hand.stacks == (100, 99, 101)
    assert not any(isinstance(event, (HandShown, ShowdownStarted, BoardDealt)) for event in events)


def test_b57_bet_gen_08_a_covered_all_in_is_run_out() -> None:
    hand = deal([200, 400], cards=["AsAh", "KsKh"], board=BOARD)
    events = play(hand, "r200 c")
    assert sum(len(event.cards) for event in events if isinstance(event, BoardDealt)) == 5
    assert hand.phase == "SHOWDOWN"


@pytest.mark.parametrize("house", HOUSES)
def test_b59_bet_gen_06_a_finished_hand_offers_nothing(house: str) -> None:
    hand = deal([100] * 2, house=house)
    play(hand, "c k k k k k k k")
    if not hand.is_over:
        assert set(open_to(hand).kinds) == {"show", "muck"}
        play(hand, "s s")
    assert (hand.is_over, hand.actor, hand.may_act_mask) == (True, -1, 0)
    assert all(hand.legal_actions(seat).kinds == () for seat in range(2))


def test_b63_card_01_forty_four_cards_are_undealt_before_the_flop_whoever_folds() -> None:
    hand = deal([100] * 4)
    play(hand, "f f")
    assert hand.next_deck_position == 8
    undealt = set(hand.deck_order[hand.next_deck_position :])
    dealt = {card for seat in range(4) for card in hand.hole_cards(seat)}
    assert len(undealt) == 44
    assert undealt.isdisjoint(dealt)


def test_b65_card_01_each_hand_takes_a_full_deck() -> None:
    rules = house_rules("POINTS_NIGHT")
    with pytest.raises(RuleViolation, match="BAD_DECK"):
        Hand.start(catalog.game("HOLDEM"), rules, stacks=[100] * 2, button=0, deck_order=full_deck()[:40])
    assert len(deal([100] * 2).deck_order) == 52


def river_order(house: str, words: str) -> tuple[int, ...]:
    hand = deal([100] * 5, house=house, structure="FIXED_LIMIT")
    play(hand, "c c c c k " + "k k k k k " * 2)
    return next(event.seats for event in play(hand, words) if isinstance(event, ShowdownStarted))


@pytest.mark.parametrize("house", HOUSES)
def test_b66_proc_show_01_the_last_raiser_of_the_river_shows_first(house: str) -> None:
    assert river_order(house, "k b4 f r8 f f c") == (4, 2)


@pytest.mark.parametrize("house", HOUSES)
def test_b66_proc_show_01_a_checked_river_begins_left_of_the_button(house: str) -> None:
    assert river_order(house, "k k k k k") == (1, 2, 3, 4, 0)


def test_b80_card_05_a_board_that_plays_is_split() -> None:
    hand = deal([100] * 2, cards=["8c5d", "8d2c"], board="AhJd3sQc3c", showdown="AUTO")
    events = play(hand, "c k k k k k k k")
    assert shares(events) == [{0: 2, 1: 2}]


def test_b60_proc_clk_03_a_seat_that_left_is_folded_when_reached_and_its_chips_stay_in() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    play(hand, "r4")
    left = 2
    assert hand.actor == 1
    play(hand, "c")
    assert hand.actor == left
    hand.apply(left, hand.timeout_action(left))
    assert hand.live_mask == 0b011
    assert hand.pot_chips == 10


def test_b60_proc_clk_03_in_points_it_is_checked_where_nothing_is_owed_and_stays_live() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    play(hand, "c c")
    hand.apply(2, hand.timeout_action(2))
    assert hand.live_mask == 0b111


def test_b60_bet_gen_06_if_one_seat_is_left_the_hand_ends() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    play(hand, "r4 f")
    hand.apply(2, hand.timeout_action(2))
    assert (hand.is_over, hand.stacks) == (True, (103, 99, 98))


# --- Evaluators -----------------------------------------------------------------------------------------------------------


def test_b83_game_om_01_omaha_takes_exactly_two_of_the_hand_and_three_of_the_board() -> None:
    omaha = RankingRule(ranking=Ranking.HIGH, exact_hole=2)
    pair_of_sevens = rank(RankingRule(ranking=Ranking.HIGH), parse_cards("7c7dAsTs8h"))
    assert rank(omaha, parse_cards("AsKs5d7c"), parse_cards("Ts7d8h4s2c")) == pair_of_sevens > 0


def test_b85_game_dc_04_an_ace_is_high_in_deuce_to_seven_and_makes_no_straight() -> None:
    def low(text: str) -> int:
        return rank(RankingRule(ranking=Ranking.DEUCE_TO_SEVEN), parse_cards(text))

    wheel = low("Ac2d3h4s5c")
    assert wheel > low("2c2d3h4s5c"), "any pair loses"
    assert wheel > low("Ac6d4h3s2c")
    assert low("Kc5d4h3s2c") > wheel


def test_b87_rank_wild_01_a_wild_deuce_fills_the_straight_and_no_higher_one() -> None:
    deuces = RankingRule(ranking=Ranking.HIGH, wild_cards=parse_cards("2c2d2h2s"))
    ten_high = rank(RankingRule(ranking=Ranking.HIGH), parse_cards("6h7d8c9cTc"))
    assert rank(deuces, parse_cards("5c6h7d9c4d2sTc")) == ten_high


# --- The list itself ------------------------------------------------------------------------------------------------------


def test_every_row_of_the_list_is_named_by_a_test() -> None:
    rows = re.findall(r"^\| (B[0-9]+) ", LIST.read_text(encoding="utf-8"), flags=re.MULTILINE)
    tests = "".join(file.read_text(encoding="utf-8") for file in LIST.parents[1].rglob("test_*.py"))
    named = set(re.findall(r"def test_(?:\w*_)?(b[0-9]+)_", tests))
    assert len(rows) == 41
    assert [row for row in rows if row.lower() not in named] == ["B33"], "the dead button comes with the tournaments"
