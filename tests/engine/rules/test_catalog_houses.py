"""The profiles of the houses against the rulebook's own table (docs/rules/README.md, "Houses")."""

from __future__ import annotations

from pathlib import Path

import pytest

from homegame_engine import catalog
from homegame_engine.specs import HouseSpec

README = Path(__file__).resolve().parents[3] / "docs" / "rules" / "README.md"

# What the table says in words, as the profile's fields: option, house, the words, and the values that stand for them.
NO_CAP = -1
WORDS: dict[str, dict[str, dict[str, object]]] = {
    "raise_cap": {
        "3 after the opening": {"raise_cap": 3, "limit_raise_cap": 3},
        "none": {"raise_cap": NO_CAP},
        "LIMIT: 4 after the opening; else none": {"raise_cap": NO_CAP, "limit_raise_cap": 4},
    },
    "reopen_rule": {
        "FULL_LEVEL": {"reopen_rule": "FULL_LEVEL"},
        "MIN_CHIP": {"reopen_rule": "MIN_CHIP"},
        "CUMULATIVE_FULL": {"reopen_rule": "CUMULATIVE_FULL"},
        "CUMULATIVE_FULL; LIMIT: HALF_BET": {"reopen_rule": "CUMULATIVE_FULL", "limit_reopen_rule": "HALF_BET"},
    },
    "smallest_unit": {
        "1 point": {"unit_chips": 1},
        "25 cents at every stake": {"unit_chips": 25},
        "smallest table chip": {},  # Of the table.
        "smallest chip still in play": {},
    },
    "value_kind": {
        "POINTS": {"value_kind": "POINTS"},
        "MONEY_RECORD": {"value_kind": "MONEY_RECORD"},
        "tournament chips; MONEY_RECORD for ring game, buy-ins and pots on the side": {
            "value_kind": "TOURNAMENT_CHIPS"
        },
    },
    "betting": {
        "FIXED_LIMIT": {"betting": "FIXED_LIMIT"},
        "SPREAD_LIMIT": {"betting": "SPREAD_LIMIT"},
        "NO_LIMIT": {"betting": "NO_LIMIT"},
        "NO_LIMIT, POT_LIMIT or LIMIT per event": {"betting": "NO_LIMIT"},  # CLUB-EVT-05: the default.
    },
    "button_rule": {
        "SIMPLE_MOVING": {"button_rule": "SIMPLE_MOVING"},
        "DEALER_ROTATES": {"button_rule": "DEALER_ROTATES"},
        "DEAD_BUTTON (tournament), SIMPLE_MOVING (ring)": {
            "button_rule": "SIMPLE_MOVING"
        },  # The dead button is an event's.
    },
    "odd_unit high tie": {
        "clockwise from the button": {"odd_units": "CLOCKWISE"},
        "two-way: clockwise; 3+ ways: carry": {"odd_units": "CARRY"},
    },
    "odd_unit hi-lo": {
        "not played": {"odd_units": "CLOCKWISE"},
        "high half": {"odd_units": "CLOCKWISE"},
        "two parts: high half; more parts: carry (POT-SPLIT-03)": {"odd_units": "CARRY"},
    },
    "low_rule": {
        "none": {},
        "ACE_TO_SIX": {"low_ranking": "ACE_TO_SIX"},
        "ACE_TO_FIVE, 8-or-better in hi-lo": {"low_ranking": "ACE_TO_FIVE"},
    },
    "pot_agreement": {"FORBIDDEN": {"pot_agreement": "FORBIDDEN"}, "UNANIMOUS": {"pot_agreement": "UNANIMOUS"}},
    "winner_must_show": {
        "claim cards": {"showdown": "ASK"},
        "no (cards speak)": {"showdown": "AUTO"},
        "live hands shown": {"showdown": "AUTO"},
        "all cards, to win any part": {"showdown": "ASK"},
    },
    "min_open_bet": {
        "-": {},
        "SMALL_BLIND": {"min_open_bet": "SMALL_BLIND"},
        "BIG_BLIND": {"min_open_bet": "BIG_BLIND"},
    },
    "limit_unit": {"-": {"limit_unit": "BETS"}, "BLINDS (other value BETS)": {"limit_unit": "BLINDS"}},
    "allin_face_up": {
        "false": {"allin_face_up": False},
        "tournament games with a board: true; else false": {},  # Of the event.
    },
    "tie_rule": {"SHARE (others by base)": {"tie_rule": "SHARE"}, "SHARE": {"tie_rule": "SHARE"}, "event's own": {}},
    "open_pair_choice": {
        "false": {"open_pair_choice": False},
        "-": {"open_pair_choice": False},
        "true for high stud only": {"open_pair_choice": True},
    },
    "both_rule": {"-": {}, "OUTRIGHT (other value TIE_OK)": {"both_rule": "OUTRIGHT"}},
    "kill": {"OFF": {"kill": "OFF"}, "OFF (others HALF, FULL)": {"kill": "OFF"}},
    "fold_when_free": {"false": {"fold_when_free": False}, "true": {"fold_when_free": True}},
    "out_of_turn_fold": {"false": {"out_of_turn_fold": False}, "true": {"out_of_turn_fold": True}},
    "burns hold'em": {"1,1,1": {"burns": (1, 1, 1)}, "3,1,1": {"burns": (3, 1, 1)}},
}

# Rows that say nothing about a hand's cards and wagers, or that a game's file says for every house.
NOT_OF_A_PROFILE = {
    "what is played",
    "early_declare",
    "first_button",
    "action_starts_at",
    "hi_lo_award",
    "table_stakes",
    "suits_break_ties in pots",
    "amount_policy",
    "check_layers",
    "dealer_job",
    "redeal_if_no_open",
}


def table() -> dict[str, dict[str, str]]:
    """Option to house to what the rulebook's table says."""
    lines = README.read_text(encoding="utf-8").partition("## Houses")[2].partition("## General rules")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    heads = rows[0][1:]
    return {row[0].replace("`", "").partition(" (")[0]: dict(zip(heads, row[1:], strict=True)) for row in rows[2:]}


def expected() -> list[tuple[str, str, str, object]]:
    found = []
    for option, by_house in table().items():
        if option in NOT_OF_A_PROFILE:
            continue
        words = by_house["POINTS_NIGHT"]
        for house_id, said in by_house.items():
            words = by_house["POINTS_NIGHT"] if said == "same" else said
            found += [(house_id, option, field, value) for field, value in WORDS[option][words].items()]
    return found


def test_every_row_of_the_table_is_a_field_of_the_profiles_or_named_as_none() -> None:
    assert set(table()) == {*WORDS, *NOT_OF_A_PROFILE}
    assert {field for _, _, field, _ in expected()} <= {*HouseSpec.__struct_fields__}


@pytest.mark.parametrize(("house_id", "option", "field", "value"), expected())
def test_a_profile_says_what_the_table_says(house_id: str, option: str, field: str, value: object) -> None:
    assert getattr(catalog.house(house_id), field) == value, option


def test_game_dc_05_no_game_redeals_unless_its_description_says_so() -> None:
    redealt = {
        spec.id
        for spec in catalog.games().values()
        if spec.conditions is not None and spec.conditions.redeal_if_no_open
    }
    assert redealt == {"JACKS_TRIPS"}


def test_game_decl_01_hi_lo_is_declared_at_house_night_except_eight_or_better() -> None:
    """`hi_lo_award` is the game's: what brings its own low lets the cards speak (GAME-DC-11)."""
    awards = {spec.id: spec.showdown.award for spec in catalog.games().values() if spec.showdown.award != "WHOLE"}
    assert awards == {
        "OMAHA8": "HIGH_LOW",
        "STUD8": "HIGH_LOW",
        "STUD_DECLARE": "HIGH_LOW_DECLARE",
        "DRAW_DECLARE": "HIGH_LOW_DECLARE",
        "STUD_LOW_SPADE": "HIGH_LOW_SPADE",
    }


def test_game_st_07_only_club_lets_an_inherited_bring_in_be_folded() -> None:
    rules = {house.id: house.bring_in_rule for house in catalog.houses().values()}
    assert {house_id for house_id, rule in rules.items() if rule == "CHOICE"} == {"CLUB"}
    dead = {house.id for house in catalog.houses().values() if house.dead_hand_gets_cards}
    assert dead == {"CLUB"}  # GAME-ST-11


def test_card_06_only_house_night_never_deals_the_last_card() -> None:
    assert {house.id for house in catalog.houses().values() if house.keeps_last_card} == {"HOUSE_NIGHT"}
