"""Rank cards and rule cards: what a table posts about a game (RANK-HI-07, GAME-DC-02, GAME-DC-03)."""

from __future__ import annotations

from typing import Final, get_args

import pytest

from homegame_engine import catalog
from homegame_engine.evaluator.rank_card import BY_RANKING, RankCard, rank_cards
from homegame_engine.evaluator.ranking import rank
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.rule_card import rule_card
from homegame_engine.specs import GameSpec, HandRules, LevelSpec
from homegame_engine.specs import Ranking as RankingName
from homegame_engine.stakes import level_rules

EVERY_GAME: Final = sorted(catalog.games())


def posted(game: str, house: str, **named: int | str) -> dict[str, str]:
    """The card of a table as one text a section."""
    spec = catalog.table_format(game, house, **named)  # type: ignore[arg-type]
    rules = level_rules(catalog.house(house), spec.levels[0], spec.betting.structure)
    return {section.title: "\n".join(section.lines) for section in rule_card(catalog.game(game), rules)}


# --- Rank cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranking", sorted(set(get_args(RankingName)) - {"HOUSE_LOW"}))
def test_rank_hi_07_the_kinds_of_every_ranking_stand_strongest_first(ranking: str) -> None:
    card = BY_RANKING[ranking]
    ranks = [rank(RankingRule(ranking=Ranking[ranking]), kind.example) for kind in card.categories]
    assert ranks == sorted(set(ranks), reverse=True)
    assert all(kind.comparison for kind in card.categories)


@pytest.mark.parametrize("ranking", ["ACE_TO_FIVE", "ACE_TO_SIX", "DEUCE_TO_SEVEN", "BADUGI"])
def test_rank_lo_01_rank_lo_03_the_first_example_of_a_low_is_the_best_hand_there_is(ranking: str) -> None:
    best = {"ACE_TO_FIVE": "54321", "ACE_TO_SIX": "64321", "DEUCE_TO_SEVEN": "75432", "BADUGI": "4321"}[ranking]
    first = BY_RANKING[ranking].categories[0].example
    assert (
        "".join("A123456789TJQK"[0 if code // 4 == 12 else code // 4 + 2] for code in first).replace("A", "1") == best
    )


def of_game(game_id: str) -> tuple[RankCard, ...]:
    return rank_cards(catalog.game(game_id))


def test_rank_wild_02_five_of_a_kind_stands_only_where_something_is_wild() -> None:
    with_five = {game_id for game_id in EVERY_GAME if of_game(game_id)[0].categories[0].name == "five of a kind"}
    assert with_five == {"DEUCES_WILD_DRAW", "JOKER_DRAW", "STUD_LOW_HOLE"}


def test_rank_wild_02_the_example_of_five_of_a_kind_is_one_in_its_game() -> None:
    deuces = RankingRule(ranking=Ranking.HIGH, wild_cards=(0, 1, 2, 3))
    examples = [kind.example for kind in of_game("DEUCES_WILD_DRAW")[0].categories]
    assert rank(deuces, examples[0]) > rank(deuces, examples[1])
    jokers = [kind.example for kind in of_game("JOKER_DRAW")[0].categories]
    assert rank(RankingRule(ranking=Ranking.HIGH), jokers[0]) > rank(RankingRule(ranking=Ranking.HIGH), jokers[1])


def test_card_03_examples_of_the_short_deck_are_cards_of_the_short_deck() -> None:
    card = of_game("SHORT_HOLDEM")[0]
    ranks = [rank(RankingRule(ranking=Ranking.HIGH), kind.example) for kind in card.categories]
    assert ranks == sorted(set(ranks), reverse=True)
    assert all(code >= 16 for kind in card.categories for code in kind.example)
    assert "A-6-7-8-9 is none" in " ".join(card.notes)


def test_game_dc_11_the_low_of_the_house_is_shown_as_the_house_plays_it() -> None:
    assert rank_cards(catalog.game("RAZZ"), "ACE_TO_SIX")[0].title == "Low hands, ace to six"
    assert rank_cards(catalog.game("RAZZ"), "ACE_TO_FIVE")[0].title == "Low hands, ace to five"
    assert (
        rank_cards(catalog.game("STUD8"), "ACE_TO_SIX")[1].title == "Low hands, ace to five"
    )  # It brings its own (D-126).


def test_rank_lo_02_a_qualified_low_is_five_different_cards() -> None:
    high, low = of_game("OMAHA8")
    assert len(high.categories) == 9
    assert [kind.name for kind in low.categories] == ["no pair"]
    assert "A low needs five different ranks, none above 8." in low.notes


# --- Rule cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_game_dc_03_every_card_explains_deals_ranks_and_awards(game_id: str) -> None:
    game = catalog.game(game_id)
    titles = [section.title for section in rule_card(game)]
    assert titles[:3] == [game.name, "Before the deal", "The deal"]
    assert titles[-1] == "The pot"
    deal = next(section for section in rule_card(game) if section.title == "The deal")
    assert len(deal.lines) == len(game.street_names)
    for house in catalog.houses():
        assert all("None" not in text and "  " not in text for text in posted(game_id, house).values())


def test_gen_05_a_card_names_the_sizes_of_its_table() -> None:
    stud = posted("STUD7", "CLUB")
    assert stud["Before the deal"] == "The deck has 52 cards.\nEverybody antes 10.\nThe bring-in is 25."
    deal = stud["The deal"].splitlines()
    assert deal[0].startswith("Third: Two cards down to each, one card up to each. Bet 50; the lowest card showing")
    assert deal[0].endswith("brings it in for 25 or a full bet.")
    assert deal[1] == (  # BET-LIM-04
        "Fourth: Burn one, one card up to each. Bet 50, or 100 with an open pair on the table; the best hand showing acts first."
    )
    assert deal[4] == "Seventh: Burn one, one card down to each. Bet 100; the best hand showing acts first."
    assert "At most four raises in a round" in stud["Betting"]


@pytest.mark.parametrize(
    ("game", "house", "title", "said"),
    [
        (
            "HOLDEM",
            "CASH_NIGHT",
            "The deal",
            "Flop: Burn three, three common cards. Bet; left of the button acts first.",
        ),
        ("HOLDEM", "CASH_NIGHT", "Betting", "The least opening bet is 1;"),
        ("HOLDEM", "POINTS_NIGHT", "Before the deal", "Blinds 1 and 2, left of the button."),
        ("HOLDEM", "HOUSE_NIGHT", "Betting", "Every bet and every raise is 25 to 100, in steps of 25."),
        ("HOLDEM", "HOUSE_NIGHT", "The deal", "Preflop: Two cards down to each. Bet; left of the button acts first."),
        ("OMAHA", "CLUB", "Your hand", "Exactly two of your own cards and exactly three common cards."),
        ("IRISH", "CLUB", "The deal", "Turn: Discard two, burn one, one common card."),
        ("IRISH", "CLUB", "Your hand", "The best five of your two cards and the five common cards."),
        (
            "RAZZ",
            "POINTS_NIGHT",
            "The deal",
            "the highest card showing, ace low, then spades, hearts, diamonds, clubs,",
        ),
        ("RAZZ", "HOUSE_NIGHT", "The pot", "The low is ace to six."),
        (
            "STUD_DECLARE",
            "HOUSE_NIGHT",
            "The deal",
            "Declared: Declare low, high or both. Bet; whoever is alone for a half",
        ),
        ("STUD_DECLARE", "HOUSE_NIGHT", "The pot", "Who said both must win both halves alone, or wins nothing."),
        ("STUD_LOW_HOLE", "HOUSE_NIGHT", "Wild cards", "An ace face down is high or low, as suits you better."),
        ("DEUCES_WILD_DRAW", "HOUSE_NIGHT", "Wild cards", "All deuces are wild."),
        ("JOKER_DRAW", "HOUSE_NIGHT", "Before the deal", "The deck has 52 cards and two jokers."),
        ("JACKS_TRIPS", "HOUSE_NIGHT", "Choices", "Opening the first round needs a pair of jacks or better."),
        ("JACKS_TRIPS", "HOUSE_NIGHT", "Choices", "Winning needs three of a kind or better."),
        (
            "ANACONDA",
            "HOUSE_NIGHT",
            "The deal",
            "First pass: Pass three to the left. Bet; left of the button acts first.",
        ),
        ("BADUGI", "CLUB", "Your hand", "The best of your cards, of different ranks and suits."),
        ("OMAHA8", "CLUB", "The pot", "Between high and low the odd unit goes to the high half."),
        (
            "OMAHA8",
            "HOUSE_NIGHT",
            "The pot",
            "goes to the high half or clockwise when two share, and to the next hand when more do.",
        ),
        ("HOLDEM", "CARDROOM", "The pot", "goes to the first winner clockwise from the button."),
    ],
)
def test_game_dc_02_a_card_says_what_the_dealer_explains(game: str, house: str, title: str, said: str) -> None:
    assert said in posted(game, house)[title]


def test_without_a_table_a_card_speaks_of_small_and_big_bets() -> None:
    sections = {section.title: section.lines for section in rule_card(catalog.game("STUD7"))}
    assert "Betting" not in sections
    assert sections["The deal"][4].endswith("Big bet; the best hand showing acts first.")


def test_a_card_of_a_table_with_antes_in_a_game_of_blinds_has_no_blinds() -> None:
    rules: HandRules = level_rules(catalog.house("CLUB"), LevelSpec(from_hand=1, ante=5, small_bet=10))
    game: GameSpec = catalog.game("FIVE_CARD_DRAW")
    before = next(section for section in rule_card(game, rules) if section.title == "Before the deal")
    assert before.lines == ("The deck has 52 cards.", "Everybody antes 5.")
