"""The catalog: what is packaged, and what broken formats and houses are told (GEN-05, CARD-07, PTS-001 to PTS-006).

Broken games: test_catalog_games.py.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import pytest

from homegame_engine import catalog
from homegame_engine.errors import InputError, NotFound
from homegame_engine.reasons import Reason

B1 = resources.files("homegame_engine").joinpath("formats/B1.toml").read_text(encoding="utf-8")
CLUB = resources.files("homegame_engine").joinpath("houses/club.toml").read_text(encoding="utf-8")
BASED = 'id = "MINE"\nbase = "B1"\nversion = 1\nname = "Mine"\nsummary = "Mine."\n'

PYTHON_NAMES = re.compile(
    r"\b(int|str|bool|float|dict|tuple|None|NoneType|Struct|msgspec|Traceback|Error|Exception|object|self)\b|<class|\$"
)


def refusal(text: str, load: object = catalog.load_format) -> InputError:
    with pytest.raises(InputError) as caught:
        load(text, "mine.toml")  # type: ignore[operator]
    assert caught.value.message.startswith("mine.toml")
    assert not PYTHON_NAMES.search(caught.value.message), caught.value.message
    return caught.value


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


# --- What is packaged -----------------------------------------------------------------------------------------------------


def test_the_packaged_files_are_sound_and_found_by_id() -> None:
    assert catalog.game("HOLDEM").players.max == 10
    assert set(catalog.houses()) >= {"POINTS_NIGHT", "CLUB", "CASH_NIGHT"}
    assert catalog.format_by("B1").start.chips == 100


def test_a_format_is_found_by_its_alias() -> None:
    assert catalog.format_by("points-night") is catalog.format_by("B1")


def test_what_is_packaged_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        catalog.formats()["B1"] = catalog.format_by("B1")  # type: ignore[index]


@pytest.mark.parametrize("find", [catalog.game, catalog.house, catalog.format_by])
def test_an_unknown_id_is_not_found(find: object) -> None:
    with pytest.raises(NotFound):
        find("NOPE")  # type: ignore[operator]


def test_an_unknown_format_has_the_rulebooks_reason() -> None:
    with pytest.raises(NotFound) as caught:
        catalog.format_by("B99")
    assert caught.value.reason is Reason.FORMAT_UNKNOWN


def test_aliases_and_ids_are_unique() -> None:
    names = [name for spec in catalog.formats().values() for name in (spec.id, *spec.aliases)]
    assert len(names) == len(set(names))


# --- base -----------------------------------------------------------------------------------------------------------------


def test_a_base_gives_every_key_that_the_file_leaves_out() -> None:
    spec = catalog.load_format(BASED, "mine.toml")
    base = catalog.format_by("B1")
    assert (spec.id, spec.base, spec.start, spec.levels, spec.clock) == (
        "MINE",
        "B1",
        base.start,
        base.levels,
        base.clock,
    )


def test_a_base_does_not_give_its_names() -> None:
    assert catalog.load_format(BASED, "mine.toml").aliases == ()


def test_a_top_level_key_is_replaced_whole() -> None:
    levels = "".join(
        f"[[levels]]\nfrom_hand = {hand}\nsmall_blind = {small}\nbig_blind = {2 * small}\n"
        for hand, small in ((1, 1), (7, 2), (13, 4))
    )
    spec = catalog.load_format(BASED + levels, "mine.toml")
    assert [level.from_hand for level in spec.levels] == [1, 7, 13]
    error = refusal(BASED + "[players]\nmin = 2\n")
    assert error.field == "players.max"


def test_an_unknown_base_is_refused() -> None:
    assert refusal('id = "MINE"\nbase = "B99"\n').field == "base"
    assert refusal('id = "MINE"\nbase = 7\n').field == "base"


# --- Broken formats -------------------------------------------------------------------------------------------------------

BROKEN_FORMATS = [
    # What is replaced in B1, by what, the field that is named, and words that the message must hold.
    ("version = 1", "version = 0", "version", "1 or more"),
    ("version = 1", 'version = "1"', "version", "expected an integer, found a text"),
    ("version = 1", "version = true", "version", "expected an integer, found true"),
    ("version = 1", "version = 1.0", "version", "expected an integer, found a number with a fraction"),
    ("version = 1", "version = 2024-01-01", "version", "expected an integer, found a date or time"),
    ("version = 1", "version = 1\nrake = 5", "rake", "no such key"),
    ('id = "B1"', 'id = ""', "id", "letters, digits"),
    ('id = "B1"', 'id = "../B1"', "id", "letters, digits"),
    ('id = "B1"', "", "id", "is missing"),
    ('"PTS-001"', '"PTS-999"', "rules[0]", "no rule 'PTS-999'"),
    ('rules = ["PTS-001"', 'rules = [1, "PTS-001"', "rules[0]", "expected a text"),
    ('house = "POINTS_NIGHT"', 'house = "CASINO"', "house", "CLUB"),
    ("min = 2", "min = 1", "players.min", "PTS-006"),
    ("max = 10", "max = 11", "players.max", "PTS-006"),
    ("min = 2\nmax = 10", "min = 6\nmax = 5", "players.max", "expected 6 to 10"),
    ("[players]\nmin = 2\nmax = 10", "players = 3", "players", "expected a table"),
    ("chips = 100", "chips = 0", "start.chips", "PTS-002"),
    ("chips = 100", "chips = -5", "start.chips", "PTS-002"),
    ("chips = 100", "chips = 1099511627777", "start.chips", "PTS-002"),
    ("chips = 100", "chips = 99999999999999999999999999", "start.chips", "PTS-002"),
    ("chips = 100", "chips = 100.0", "start.chips", "an integer"),
    ("chips = 100", "coins = 100", "start.coins", "no such key"),
    ("FIXED_LIMIT", "FIX_LIMIT", "betting.structure", "expected one of FIXED_LIMIT, LIMIT, NO_LIMIT"),
    ("FIXED_LIMIT", "SPREAD_LIMIT", "levels[0].stake", "BET-SP-01"),
    ("from_hand = 1", "from_hand = 2", "levels[0].from_hand", "hand 1"),
    ("small_blind = 1", "small_blind = 3", "levels[0].small_blind", "expected 1 to 2, found 3"),
    ("small_blind = 1", "small_blind = 0", "levels[0].small_blind", "found 0"),
    ("big_blind = 2", "big_blind = 0", "levels[0].big_blind", "found 0"),
    ("big_blind = 2", "big_blind = 1.5", "levels[0].big_blind", "an integer"),
    ("big_blind = 2", "big_blind = 2\nrake = 1", "levels[0].rake", "no such key"),
    ("big_blind = 2", "", "levels[0].big_blind", "found 0 (PTS-004)"),
    ("from_hand = 1", "", "levels[0].from_hand", "is missing"),
    ("[[levels]]", "[levels]", "levels", "expected a list"),
    ("minutes = 45", "minutes = 0", "cutoff.minutes", "PTS-003"),
    ("minutes = 45", "minutes = 100000", "cutoff.minutes", "PTS-003"),
    ('game = "HOLDEM"', 'game = "SNAP"', "blocks[0].game", "HOLDEM"),
    ('until = "CUTOFF"', 'until = "DAWN"', "blocks[0].until", "expected one of CUTOFF, ORBIT"),
    ('by = "STACK"', 'by = "LUCK"', "scoring.by", "expected one of STACK"),
    ('ties = "SHARE"', 'ties = "COIN"', "scoring.ties", "expected one of SHARE"),
    ("decision_seconds = 30", "decision_seconds = 0", "clock.decision_seconds", "PROC-CLK-01"),
    ("[clock]\ndecision_seconds = 30", "", "clock", "is missing; expected a table"),
]


@pytest.mark.parametrize(("old", "new", "field", "words"), BROKEN_FORMATS)
def test_a_broken_format_is_told_where_and_what(old: str, new: str, field: str, words: str) -> None:
    error = refusal(changed(B1, old, new))
    assert error.field == field
    assert re.match(rf"mine\.toml(:\d+)?: {re.escape(field)}: ", error.message)
    assert words in error.message
    assert error.reason in (Reason.CONFIG_INVALID, Reason.TOO_MANY_PLAYERS)


def test_levels_go_up() -> None:
    level = "[[levels]]\nfrom_hand = {}\nsmall_blind = 2\nbig_blind = 4\n\n[cutoff]"
    assert catalog.load_format(changed(B1, "[cutoff]", level.format(7)), "mine.toml").levels[1].from_hand == 7
    error = refusal(changed(B1, "[cutoff]", level.format(1)))
    assert (error.field, "PTS-B3-01" in error.message) == ("levels[1].from_hand", True)


def test_levels_have_a_limit() -> None:
    levels = "".join(f"[[levels]]\nfrom_hand = {hand}\nsmall_blind = 1\nbig_blind = 2\n" for hand in range(2, 18))
    assert refusal(changed(B1, "[cutoff]", levels + "[cutoff]")).field == "levels"


def test_a_format_needs_a_block() -> None:
    text = changed(B1, '[[blocks]]\ngame = "HOLDEM"\nuntil = "CUTOFF"', "")
    assert refusal(text).field == "blocks"
    assert refusal("blocks = []\n" + text).field == "blocks"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "id",
        "= 3",
        "[players",
        '"' * 7,
        'id = "B1"\nid = "B2"',
        "a = " + "[" * 5000,
        "a = 1" + "0" * 5000,
        "\x00",
        "[[levels]]\n[levels]",
    ],
)
def test_what_is_no_format_at_all_is_refused_in_words(text: str) -> None:
    refusal(text)


def complaint(text: str) -> str:
    """What a file is told, "" when it is accepted; anything but an answer in words fails the test."""
    try:
        catalog.load_format(text, "mine.toml")
    except InputError as error:
        return error.message
    return ""


def test_no_change_of_a_key_or_value_gets_past_unexplained() -> None:
    """Every key of B1 left out or given a senseless value: accepted or refused in words, never anything else."""
    lines = B1.splitlines()
    for index, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        replacements = [
            "",
            *(f"{key} = {value}" for value in ('"x"', "-1", "1.5", "true", "[]", "{}", "[[1]]") if equals),
        ]
        for replacement in replacements:
            text = "\n".join([*lines[:index], replacement, *lines[index + 1 :]])
            message = complaint(text)
            assert message == "" or message.startswith("mine.toml")
            assert not PYTHON_NAMES.search(message), message


# --- Broken houses ----------------------------------------------------------------------------------------------------

BROKEN_HOUSES = [
    ("unit_chips = 1", "unit_chips = 0", "unit_chips", "POT-ODD-02"),
    ("raise_cap = -1", "raise_cap = -2", "raise_cap", "-1 for no cap"),
    ("burns = [1, 1, 1]", "burns = [1, -1, 1]", "burns[1]", "CARD-07"),
    ("burns = [1, 1, 1]", 'burns = "1,1,1"', "burns", "expected a list"),
    ("fold_when_free = true", "fold_when_free = 1", "fold_when_free", "expected true or false"),
    ('showdown = "ASK"', 'showdown = "NEVER"', "showdown", "expected one of ASK, AUTO"),
]


@pytest.mark.parametrize(("old", "new", "field", "words"), BROKEN_HOUSES)
def test_a_broken_house_is_told_where_and_what(old: str, new: str, field: str, words: str) -> None:
    error = refusal(changed(CLUB, old, new), catalog.load_house)
    assert error.field == field
    assert words in error.message


def test_every_packaged_file_is_integers_and_texts_only() -> None:
    """GEN-03: no fraction stands in a packaged file."""

    def walk(value: object) -> None:
        assert not isinstance(value, float)
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            walk(item)

    for folder in ("games", "houses", "formats", "tables"):
        for entry in resources.files("homegame_engine").joinpath(folder).iterdir():
            walk(tomllib.loads(entry.read_text(encoding="utf-8")))
