"""Games as data: the library, and what a designer's broken file is told, word for word (GAME-DC-04, CARD-01 to CARD-08)."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from msgspec import inspect

from homegame_engine import catalog
from homegame_engine.cards import parse_cards
from homegame_engine.errors import SpecError
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from homegame_engine.reasons import Reason
from homegame_engine.specs import (
    BettingStreet,
    Burn,
    ConditionsSpec,
    DealUp,
    DeckSpec,
    DrawCards,
    FormatSpec,
    GameSpec,
    HandCategory,
    LeastHandSpec,
    PassCards,
    Ranking,
    Step,
    WildSpec,
)
from tests.table_builders import house_rules, play

FILES = {
    entry.name.removesuffix(".toml"): entry.read_text(encoding="utf-8")
    for entry in resources.files("homegame_engine").joinpath("games").iterdir()
    if entry.name.endswith(".toml")
}


def refusal(text: str) -> SpecError:
    with pytest.raises(SpecError) as caught:
        catalog.load_game(text, "my_game.toml")
    return caught.value


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


# --- The library ----------------------------------------------------------------------------------------------------------

LIBRARY = {  # GAME-DC-08, then the three draw games that card rooms play.
    "FIVE_CARD_DRAW",
    "JACKS_TRIPS",
    "STUD5",
    "STUD7",
    "STUD_LOW_HOLE",
    "STUD_LOW_SPADE",
    "STUD_DECLARE",
    "DRAW_DECLARE",
    "DEUCES_WILD_DRAW",
    "HOLDEM",
    "OMAHA",
    "OMAHA8",
    "IRISH",
    "CRAZY_PINEAPPLE",
    "RAZZ",
    "STUD8",
    "DEUCE_TO_SEVEN_SINGLE",
    "DEUCE_TO_SEVEN_TRIPLE",
    "BADUGI",
}


def test_game_dc_08_the_library_holds_every_game_that_the_houses_name() -> None:
    assert set(catalog.games()) >= LIBRARY


@pytest.mark.parametrize("game_id", sorted(catalog.games()))
def test_game_dc_04_a_game_is_the_same_after_a_journey_through_json(game_id: str) -> None:
    spec = catalog.game(game_id)
    assert msgspec.json.decode(msgspec.json.encode(spec), type=GameSpec) == spec


@pytest.mark.parametrize("game_id", sorted(set(catalog.games()) - {"HOLDEM"}))
def test_game_dc_03_every_game_of_the_library_comes_with_the_dealers_words(game_id: str) -> None:
    assert len(catalog.game(game_id).explanation) > 60


def test_names_of_games_are_unique() -> None:
    own = [{spec.id.lower(), spec.name.lower(), *spec.aliases} for spec in catalog.games().values()]
    assert sum(len(names) for names in own) == len(set().union(*own))


def test_a_game_is_found_by_the_name_that_screens_show() -> None:
    for spec in catalog.games().values():
        assert catalog.game_by(spec.name) is catalog.game_by(spec.name.upper()) is spec


def test_game_st_01_seven_card_stud_is_two_down_four_up_one_down() -> None:
    stud = catalog.game("STUD7")
    assert stud.street_names == ("THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH")
    assert (stud.hole_card_count, sum(step.count for step in stud.steps if isinstance(step, DealUp))) == (7, 4)
    # CARD-07: one burn before each of the fourth, fifth, sixth and seventh cards.
    assert [step.count for step in stud.steps if isinstance(step, Burn)] == [1, 1, 1, 1]
    # BET-FL-08, BET-LIM-03: the small bet on third and fourth.
    assert [step.size for step in stud.steps if isinstance(step, BettingStreet)] == ["SMALL"] * 2 + ["BIG"] * 3


def test_bet_lim_04_only_high_stud_knows_the_open_pair() -> None:
    with_open_pair = {
        spec.id
        for spec in catalog.games().values()
        for step in spec.steps
        if isinstance(step, BettingStreet) and step.open_pair
    }
    assert with_open_pair == {"STUD7"}  # GAME-RZ-04, GAME-ST8-03.


def test_card_03_the_short_deck_is_36_cards() -> None:
    assert catalog.game("SHORT_HOLDEM").deck == DeckSpec(cards=36, jokers=0)


def test_card_01_jokers_are_played_only_where_a_game_asks_for_them() -> None:
    assert {spec.id for spec in catalog.games().values() if spec.deck.jokers} == {"JOKER_DRAW"}


def test_game_dc_06_jacks_or_better_trips_to_win() -> None:
    assert catalog.game("JACKS_TRIPS").conditions == ConditionsSpec(
        openers=LeastHandSpec(category="ONE_PAIR", rank="J"),
        winners=LeastHandSpec(category="THREE_OF_A_KIND"),
        redeal_if_no_open=True,
        redeal_if_no_win=True,
    )


def test_rank_wild_04_the_low_hole_card_is_a_kind_of_wild() -> None:
    assert catalog.game("STUD_LOW_HOLE").wild == WildSpec(low_hole_card=True)


def test_game_dc_11_razz_is_won_by_the_low_of_the_house_and_stud8_brings_its_own() -> None:
    assert catalog.game("RAZZ").showdown.ranking == "HOUSE_LOW"
    assert (catalog.game("STUD8").showdown.low, catalog.game("STUD8").showdown.low_qualifier) == ("ACE_TO_FIVE", 8)
    assert (catalog.game("STUD_DECLARE").showdown.low, catalog.game("STUD_DECLARE").showdown.low_qualifier) == (
        "HOUSE_LOW",
        0,
    )


def test_draws_and_passes_are_read() -> None:
    assert [step.count for step in catalog.game("BADUGI").steps if isinstance(step, DrawCards)] == [4, 4, 4]
    assert [step.count for step in catalog.game("ANACONDA").steps if isinstance(step, PassCards)] == [3, 2, 1]


# --- What a broken file is told -------------------------------------------------------------------------------------------


def test_a_broken_game_is_told_line_field_and_rule() -> None:
    error = refusal(changed(FILES["holdem"], ("count = 2", "count = 9")))
    assert error.message == "my_game.toml:14: steps[0].count: expected 1 to 7, found 9 (GAME-DC-04)"
    assert (error.line, error.field, error.rule_id) == (14, "steps[0].count", "GAME-DC-04")
    assert error.reason is Reason.GAME_NOT_DESCRIBABLE


class BrokenGame(NamedTuple):
    """One entry of broken_games.toml."""

    text: str
    says: str
    reason: Reason


def broken_games() -> list[Any]:
    entries = tomllib.loads(Path(__file__).with_name("broken_games.toml").read_text(encoding="utf-8"))["broken"]
    return [
        pytest.param(
            BrokenGame(
                changed(FILES[entry["game"]], *entry["replace"]),
                entry["says"],
                Reason(entry.get("reason", "GAME_NOT_DESCRIBABLE")),
            ),
            id=f"{entry['game']}:{entry['says'].partition(' (')[0]}",
        )
        for entry in entries
    ]


@pytest.mark.parametrize("broken", broken_games())
def test_game_dc_04_card_01_card_03_card_08_a_broken_game_is_told_line_field_and_rule(broken: BrokenGame) -> None:
    error = refusal(broken.text)
    assert error.message == f"my_game.toml:{broken.says}"
    assert error.reason is broken.reason


PYTHON_NAMES = re.compile(
    r"\b(int|str|bool|float|dict|tuple|NoneType|Struct|msgspec|Traceback|Error|Exception|object|self)\b|<class"
)


def complaint(text: str) -> str:
    """What a file is told, "" when it is accepted; anything but an answer in words fails the test."""
    try:
        catalog.load_game(text, "my_game.toml")
    except SpecError as error:
        return error.message
    return ""


@pytest.mark.parametrize("name", ["jacks_trips", "joker_draw"])
def test_game_dc_04_no_change_of_a_line_gets_past_unexplained(name: str) -> None:
    """Every line left out, doubled, or its value made senseless: accepted or refused in words, never anything else."""
    lines = FILES[name].splitlines()
    for index, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        senseless = [f"{key} = {value}" for value in ('"x"', "-1", "1.5", "true", "[]", "{}", "[[1]]") if equals]
        for replacement in ["", f"{line}\n{line}", *senseless]:
            message = complaint("\n".join([*lines[:index], replacement, *lines[index + 1 :]]))
            assert message == "" or message.startswith("my_game.toml")
            assert not PYTHON_NAMES.search(message), message


# --- The guide ------------------------------------------------------------------------------------------------------------

GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "games.md").read_text(encoding="utf-8")
FORMAT_GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")


def keys_of(kind: inspect.Type, path: str = "") -> list[str]:
    """Every key that a file of this kind may have; the steps' and the levels' own keys without their list."""
    if isinstance(kind, inspect.UnionType):
        return [key for choice in kind.types for key in keys_of(choice, path)]
    if isinstance(kind, inspect.VarTupleType):
        return keys_of(kind.item_type, "") or [path]
    if not isinstance(kind, inspect.StructType):
        return [path] if path and not isinstance(kind, inspect.NoneType) else []
    return [
        key
        for field in kind.fields
        for key in keys_of(field.type, f"{path}.{field.encode_name}" if path else field.encode_name)
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('id = "X"\nname = "Ada', "my_game.toml:2: this is no TOML: Unterminated string (GAME-DC-04)"),
        ("[players]\nmin = 2\n[players]", "my_game.toml:3: this is no TOML: Cannot declare players twice (GAME-DC-04)"),
        ("[a.b]\n[a.b]", "my_game.toml:2: this is no TOML: Cannot declare a.b twice (GAME-DC-04)"),
    ],
)
def test_game_dc_04_what_is_no_toml_is_told_its_line_in_the_authors_words(text: str, said: str) -> None:
    assert refusal(text).message == said


def test_game_dc_04_the_mark_that_some_editors_put_before_a_file_is_no_part_of_it() -> None:
    assert catalog.load_game("\ufeff" + FILES["badugi"], "my_game.toml") == catalog.game("BADUGI")
    broken = FILES["badugi"].replace("count = 4", "count = 9", 1)
    assert refusal("\ufeff" + broken).line == refusal(broken).line


def test_game_dc_03_the_guides_worked_example_can_be_called() -> None:
    text = GUIDE.partition("```toml\n")[2].partition("```")[0]
    assert catalog.load_called_game(text, "my_game.toml").id == "PASS_PINEAPPLE"


def test_game_dc_04_the_guides_explain_every_key_of_the_language() -> None:
    game_keys = {key.removesuffix(".category").removesuffix(".rank") for key in keys_of(inspect.type_info(GameSpec))}
    assert {key for key in game_keys if f"`{key}`" not in GUIDE} == set()
    assert {key for key in keys_of(inspect.type_info(FormatSpec)) if f"`{key}`" not in FORMAT_GUIDE} == set()


def test_game_dc_04_the_guide_names_every_step_and_every_choice() -> None:
    steps = [choice.tag for choice in inspect.type_info(Step).types]  # type: ignore[attr-defined]
    choices = [*get_args(Ranking), *get_args(HandCategory)]
    assert [name for name in [*map(str, steps), *choices] if f"`{name}`" not in GUIDE] == []


def test_game_om_01_exactly_all_of_the_private_cards_play_where_a_game_says_so() -> None:
    """Two of two and three of five: a royal flush on the board is nobody's, and kings beat queens."""
    spec = catalog.load_game(changed(FILES["holdem"], ("hole_cards_min = 0", "hole_cards_min = 2")), "my_game.toml")
    rules = house_rules("CLUB", showdown="AUTO")
    hole_cards = [parse_cards("KdKh"), parse_cards("QdQh")]
    deck = stack_deck(spec, rules, button=0, hole_cards=hole_cards, board=parse_cards("AsKsQsJsTs"))
    hand = Hand.start(spec, rules, stacks=[2, 2], button=0, deck_order=deck)
    play(hand, "c")
    assert hand.stacks == (4, 0)
