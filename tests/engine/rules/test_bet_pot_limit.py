"""Pot limit: BET-PL-01 to BET-PL-06. Of the LIVE rule the answer of a VIRTUAL table is held."""

from __future__ import annotations

from homegame_engine import catalog
from homegame_engine.hand import Hand
from tests.table_builders import assert_refused, bet, deal, house_rules, play, street, wager_range


def test_bet_pl_01_no_limit_rules_up_to_the_pot() -> None:
    betting = bet(street("POT_LIMIT", [1000] * 3, pot=300), "b100")
    assert wager_range(betting) == (200, 600)
    assert_refused(betting, "r199", "BELOW_MINIMUM", "BET-NL-03")
    assert_refused(betting, "r601", "ABOVE_MAXIMUM", "BET-PL-02")


def test_bet_pl_02_highest_total_is_level_plus_pot_after_the_call() -> None:
    betting = bet(street("POT_LIMIT", [1000] * 2, pot=100, min_open_chips=10), "b50")
    assert wager_range(betting) == (100, 250)
    assert_refused(betting, "r251", "ABOVE_MAXIMUM", "BET-PL-02")


def test_bet_pl_02_counts_what_the_raiser_has_in_already() -> None:
    betting = bet(street("POT_LIMIT", [5000] * 2, pot=100, min_open_chips=10), "b50 r100")
    # L 100, own 50: P = 100 + 150 + 50 = 300.
    assert wager_range(betting) == (150, 400)


def test_bet_pl_03_the_first_wager_before_the_flop_is_at_most_three_and_a_half_blinds() -> None:
    hand = deal([5000] * 4, structure="POT_LIMIT", blinds=(50, 100))
    assert wager_range(hand) == (200, 350)
    assert_refused(hand, "r351", "ABOVE_MAXIMUM", "BET-PL-03")
    play(hand, "f")
    assert wager_range(hand) == (200, 350), "a fold enters nobody"


def test_bet_pl_03_rounds_down_to_the_smallest_unit() -> None:
    hand = deal([5000] * 4, structure="POT_LIMIT", blinds=(10, 25), unit_chips=5)
    assert wager_range(hand) == (50, 85)


def test_bet_pl_03_once_somebody_entered_the_pot_counts() -> None:
    hand = deal([5000] * 4, structure="POT_LIMIT", blinds=(50, 100))
    play(hand, "c")
    assert wager_range(hand) == (200, 450)


def test_bet_pl_03_a_short_blind_counts_as_full() -> None:
    hand = deal([5000, 30, 5000, 5000, 5000], structure="POT_LIMIT", blinds=(50, 100))
    play(hand, "c")
    assert wager_range(hand) == (200, 450)


def test_bet_pl_03_a_small_blind_that_nobody_posts_counts_as_full() -> None:
    stacks, deck = [5000] * 4, bytes(range(52))
    rules = house_rules("CLUB", "POT_LIMIT", (50, 100))
    for game_id in ("HOLDEM", "OMAHA"):
        game = catalog.game(game_id)
        hand = Hand.start(game, rules, stacks=stacks, button=0, deck_order=deck, blinds=(0, 0, 100, 0))
        assert wager_range(hand) == (200, 350)
        play(hand, "c")
        assert wager_range(hand) == (200, 450)
        play(hand, "c c k")
        assert wager_range(hand) == (100, 400), "on the next street the pot is what lies in it"


def test_bet_pl_04_an_opening_is_at_most_the_pot() -> None:
    betting = street("POT_LIMIT", [1000] * 2, pot=150)
    assert wager_range(betting) == (100, 150)
    assert_refused(betting, "b151", "ABOVE_MAXIMUM", "BET-PL-04")


def test_bet_pl_05_on_screen_too_much_is_refused_and_not_cut() -> None:
    betting = street("POT_LIMIT", [1000] * 2, pot=150)
    assert assert_refused(betting, "b200", "ABOVE_MAXIMUM", "BET-PL-04").facts["raise_to_max_chips"] == 150


def test_bet_pl_06_pot_and_maximum_are_there_to_be_shown() -> None:
    hand = deal([5000] * 3, structure="POT_LIMIT", blinds=(50, 100))
    play(hand, "c c k")
    assert hand.pot_chips == 300
    assert wager_range(hand) == (100, 300)


def test_bet_pl_an_all_in_above_the_pot_is_above_the_maximum() -> None:
    betting = street("POT_LIMIT", [160, 1000], pot=150)
    assert_refused(betting, "b160", "ABOVE_MAXIMUM", "BET-PL-04")
