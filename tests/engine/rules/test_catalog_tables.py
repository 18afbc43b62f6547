"""Sizes of a hand: levels, spread limit, stud, a table of any game in any house (GEN-05, BET-SP-01, GAME-ST-02, GAME-ST-03)."""

from __future__ import annotations

from importlib import resources

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.errors import InputError, NotFound, SpecError
from homegame_engine.format_checks import most_players
from homegame_engine.game_checks import cards_needed, deck_cards
from homegame_engine.hand import Hand
from homegame_engine.reasons import Reason
from homegame_engine.specs import FormatSpec, HandRules, LevelSpec, stored_form
from homegame_engine.stakes import level_rules, spread_range
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

B1 = resources.files("homegame_engine").joinpath("formats/B1.toml").read_text(encoding="utf-8")
STUD_EVENT = B1.replace('"B1"', '"EVENT"').replace('aliases = ["points-night"]\n', "").replace("max = 10", "max = 8")
STUD_EVENT = STUD_EVENT.replace("POINTS_NIGHT", "CLUB").replace('"HOLDEM"', '"STUD7"').replace("FIXED_LIMIT", "LIMIT")
BLINDS = "small_blind = 1\nbig_blind = 2\n"

EVERY_TABLE = [(game_id, house_id) for house_id in catalog.houses() for game_id in catalog.games()]


def rules_of(spec: FormatSpec) -> HandRules:
    return level_rules(catalog.house(spec.house), spec.levels[0], spec.betting.structure)


def refused(text: str) -> SpecError:
    with pytest.raises(SpecError) as caught:
        catalog.load_format(text, "mine.toml")
    return caught.value


# --- Spread limit ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("spread_range")))
def test_bet_sp_01_the_range_of_every_example_of_the_book(example: Example) -> None:
    stakes = example.input["stakes"]
    antes = example.input.get("antes", [None] * len(stakes))
    raise_cap = catalog.house("HOUSE_NIGHT").raise_cap
    ranges = [spread_range(stake, ante) for stake, ante in zip(stakes, antes, strict=True)]
    assert [
        {"low": low, "high": high, "most_per_round": (raise_cap + 1) * high} for low, high in ranges
    ] == example.expected["ranges"]


def test_bet_sp_01_there_is_no_range_for_another_stake() -> None:
    for stake in (0, 20, 75, 200):
        with pytest.raises(InputError):
            spread_range(stake)


def test_bet_sp_01_the_ladder_scales_with_the_smallest_chip() -> None:
    assert [spread_range(stake, unit_chips=1) for stake in (1, 2, 4)] == [(1, 4), (2, 8), (4, 20)]


def test_house_deal_02_the_ante_is_the_table_stake_unless_named() -> None:
    assert rules_of(catalog.table_format("HOLDEM", "HOUSE_NIGHT", stake=50)).ante_chips == 50
    named = rules_of(catalog.table_format("HOLDEM", "HOUSE_NIGHT", stake=25, ante=75))
    assert (named.ante_chips, named.spread_min_chips, named.spread_max_chips) == (75, 25, 100)
    free = rules_of(catalog.table_format("HOLDEM", "HOUSE_NIGHT", stake=50, ante=0))
    assert (free.ante_chips, free.spread_min_chips, free.spread_max_chips) == (0, 50, 200)


def test_bet_sp_01_a_format_of_spread_limit_needs_a_stake() -> None:
    text = B1.replace("POINTS_NIGHT", "HOUSE_NIGHT").replace("FIXED_LIMIT", "SPREAD_LIMIT")
    text = text.replace(BLINDS, "ante = 25\nstake = 50\n")
    spec = catalog.load_format(text, "mine.toml")
    assert (rules_of(spec).spread_min_chips, rules_of(spec).spread_max_chips, rules_of(spec).ante_chips) == (
        25,
        100,
        25,
    )
    error = refused(text.replace("stake = 50", "stake = 75"))
    assert error.message == "mine.toml:23: levels[0].stake: expected one of 25, 50, 100, found 75 (BET-SP-01)"
    assert error.reason is Reason.CONFIG_INVALID


# --- Stud -----------------------------------------------------------------------------------------------------------------


def test_game_st_02_points_stud_has_ante_1_bring_in_1_and_six_players_at_most() -> None:
    spec = catalog.table_format("STUD7", "POINTS_NIGHT")
    rules = rules_of(spec)
    assert (rules.ante_chips, rules.bring_in_chips, rules.small_blind_chips, rules.big_blind_chips) == (1, 1, 0, 0)
    assert (rules.small_bet_chips, rules.big_bet_chips, rules.raise_cap) == (2, 4, 3)  # BET-FL-08
    assert spec.players.max == 6
    with pytest.raises(SpecError) as caught:
        catalog.table_format("STUD7", "POINTS_NIGHT", players_max=7)
    assert caught.value.reason is Reason.TOO_MANY_PLAYERS
    assert "STUD7 would need 53 cards of 52; expected at most 6 players (CARD-08)" in caught.value.message


@pytest.mark.parametrize(("small_bet", "ante", "bring_in"), [(50, 10, 25), (5, 1, 2), (12, 2, 6), (9, 1, 4)])
def test_game_st_03_ante_and_bring_in_follow_from_the_small_bet(small_bet: int, ante: int, bring_in: int) -> None:
    rules = rules_of(catalog.table_format("STUD7", "CLUB", small_bet=small_bet))
    assert (rules.structure, rules.ante_chips, rules.bring_in_chips) == ("LIMIT", ante, bring_in)
    assert (rules.small_bet_chips, rules.big_bet_chips) == (small_bet, 2 * small_bet)
    level = f"small_bet = {small_bet}\n"
    from_file = catalog.load_format(STUD_EVENT.replace(BLINDS, level), "mine.toml")
    assert rules_of(from_file) == rules
    one_named = catalog.load_format(STUD_EVENT.replace(BLINDS, level + "ante = 0\n"), "mine.toml")
    assert (one_named.levels[0].ante, one_named.levels[0].bring_in) == (0, bring_in)


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (
            "small_bet = 4\n",
            "21: levels[0].small_bet: the ante, a fifth of 4, is less than a unit of 1: name ante and bring_in (GAME-ST-03)",
        ),
        (
            "ante = 1\nbring_in = 2\n",
            "19: levels[0].small_bet: expected a bet where no blind gives one, found 0 (GAME-ST-03)",
        ),
        (
            "ante = 1\nbring_in = 4\nsmall_bet = 4\n",
            "22: levels[0].bring_in: expected less than the bet of 4 that completes it, found 4 (GAME-ST-05)",
        ),
        (
            "ante = 1\nbring_in = 2\nsmall_bet = 4\nbig_bet = 3\n",
            "24: levels[0].big_bet: expected the small bet, 4, or more, found 3 (GAME-ST-03)",
        ),
        (
            "ante = 1\nsmall_bet = 4\nbring_in = -1\n",
            "23: levels[0].bring_in: expected 0 to 1099511627776, found -1 (GAME-ST-03)",
        ),
        (
            "ante = 1\nbring_in = 1\nsmall_bet = 4\nstake = 25\n",
            "24: levels[0].stake: expected 0 in LIMIT, found 25 (BET-SP-01)",
        ),
    ],
)
def test_game_st_03_sizes_that_do_not_go_together_are_config_invalid(level: str, said: str) -> None:
    error = refused(STUD_EVENT.replace(BLINDS, level))
    assert error.message == f"mine.toml:{said}"
    assert error.reason is Reason.CONFIG_INVALID


def test_card_08_only_houses_with_an_answer_to_a_short_stub_deal_stud_to_eight() -> None:
    most = {house.id: most_players(catalog.game("STUD7"), house) for house in catalog.houses().values()}
    assert most == {"POINTS_NIGHT": 6, "CASH_NIGHT": 6, "HOUSE_NIGHT": 8, "CLUB": 8, "CARDROOM": 8}


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("deck")))
def test_card_08_the_examples_of_the_book(example: Example) -> None:
    """A game for more than ten is no game here, so the figure alone is compared there."""
    houses = {"STUD7": "POINTS_NIGHT", "OMAHA": "CLUB", "HOLDEM_CASH": "CASH_NIGHT"}
    for (name, n_players), expected in zip(example.input["cases"], example.expected["results"], strict=True):
        game, house = catalog.game(name.partition("_")[0]), catalog.house(houses[name])
        needed = cards_needed(game, n_players, house.burns)
        assert [needed, needed <= deck_cards(game)] == expected
        if n_players <= 10:
            assert (most_players(game, house) >= n_players) is expected[1]


def test_game_dc_09_draw_games_are_for_as_many_as_a_reshuffled_stub_serves() -> None:
    most = {spec.id: spec.players.max for spec in catalog.games().values() if "DRAW" in " ".join(spec.street_names)}
    assert (most["FIVE_CARD_DRAW"], most["DEUCE_TO_SEVEN_TRIPLE"], most["BADUGI"]) == (8, 6, 7)


# --- A table of any game --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game_id", "house_id"), EVERY_TABLE, ids=str)
def test_gen_05_a_table_of_every_game_can_be_posted_in_every_house(game_id: str, house_id: str) -> None:
    spec = catalog.table_format(game_id, house_id)
    assert (spec.id, spec.house, spec.blocks[0].game) == (f"{game_id}-{house_id}", house_id, game_id)
    assert spec.players.min == 2 <= spec.players.max
    rules = rules_of(spec)
    assert rules.ante_chips or rules.big_blind_chips or rules.bring_in_chips
    assert rules.min_open_chips > 0
    if rules.structure == "SPREAD_LIMIT":
        assert 0 < rules.spread_min_chips < rules.spread_max_chips
    assert catalog.format_by(spec.id) == spec
    assert msgspec.json.decode(msgspec.json.encode(spec), type=FormatSpec) == spec


@pytest.mark.parametrize(("game_id", "house_id"), EVERY_TABLE, ids=str)
def test_card_08_a_full_table_of_every_game_can_be_dealt_in_every_house(game_id: str, house_id: str) -> None:
    spec, game = catalog.table_format(game_id, house_id), catalog.game(game_id)
    first = 16 if game.deck.cards == 36 else 0  # CARD-03
    deck = [*range(first, 52), *range(52, 52 + game.deck.jokers)]
    stacks = [spec.start.chips] * spec.players.max
    hand = Hand.start(game, rules_of(spec), stacks=stacks, button=0, deck_order=deck)
    assert hand.actor >= 0
    assert all(hand.hole_cards(seat) for seat in range(len(stacks)))


def test_gen_05_whatever_the_opening_names_is_posted() -> None:
    spec = catalog.table_format(
        "OMAHA",
        "CLUB",
        structure="POT_LIMIT",
        big_blind=50,
        ante=5,
        start_chips=777,
        players_min=3,
        players_max=4,
        cutoff_minutes=9,
        decision_seconds=7,
    )
    assert spec.levels == (LevelSpec(from_hand=1, small_blind=25, big_blind=50, ante=5),)
    assert (spec.betting.structure, spec.start.chips, spec.cutoff.minutes) == ("POT_LIMIT", 777, 9)
    assert (spec.players.min, spec.players.max, spec.clock.decision_seconds) == (3, 4, 7)
    assert catalog.table_format("OMAHA", "CLUB", small_blind=25).levels[0].big_blind == 50


def test_a_table_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(SpecError) as caught:
        catalog.table_format("OMAHA", "HOUSE_NIGHT", stake=30)
    assert caught.value.message == (
        "OMAHA-HOUSE_NIGHT: levels[0].stake: expected a multiple of 25, found 30 (POT-ODD-02)"
    )
    with pytest.raises(NotFound):
        catalog.table_format("WHIST", "CLUB")
    with pytest.raises(NotFound):
        catalog.table_format("OMAHA", "CASINO")
    with pytest.raises(NotFound) as unknown:
        catalog.format_by("OMAHA-CASINO")
    assert unknown.value.reason is Reason.FORMAT_UNKNOWN


# --- Dealer's choice, and what was stored before -------------------------------------------------------------------------


def test_game_dc_02_the_dealers_choice_night_is_posted_with_its_windows() -> None:
    spec = catalog.format_by("dealers-choice")
    assert (spec.id, spec.house, spec.start.chips) == ("DC", "HOUSE_NIGHT", 4000)  # HOUSE-CHIP-01
    calls = spec.procedures.dealer_calls
    assert calls is not None
    assert (calls.call_seconds, calls.window_seconds) == (60, 15)
    assert (rules_of(spec).ante_chips, rules_of(spec).spread_max_chips) == (25, 100)


def test_game_dc_02_windows_are_checked() -> None:
    text = resources.files("homegame_engine").joinpath("formats/DC.toml").read_text(encoding="utf-8")
    error = refused(text.replace('"DC"', '"MINE"').replace("window_seconds = 15", "window_seconds = 0"))
    assert error.field == "procedures.dealer_calls.window_seconds"
    assert "(GAME-DC-02)" in error.message


def test_what_a_level_does_not_use_is_not_stored() -> None:
    """A digest of an earlier version's format is the same today."""
    assert stored_form(LevelSpec(from_hand=1, small_blind=1, big_blind=2)) == {
        "from_hand": 1,
        "small_blind": 1,
        "big_blind": 2,
    }
    assert stored_form(catalog.format_by("B1").procedures) == {"reset": None}
