"""`homegame formats` and `homegame games` show what can be played, as it is posted, and check a designer's file."""

from __future__ import annotations

import io
import json
import re
import sys
from importlib import resources
from pathlib import Path

import pytest

from homegame_cli.main import main, run
from homegame_cli.posted import CARD_COLUMNS

DRAW = resources.files("homegame_engine").joinpath("games/five_card_draw.toml").read_text(encoding="utf-8")
MINE = DRAW.replace('id = "FIVE_CARD_DRAW"', 'id = "THREE_DRAW"').replace('aliases = ["draw", "five-card-draw"]\n', "")
MINE = MINE.replace('step = "DRAW"\ncount = 5', 'step = "DRAW"\ncount = 3')


LADDER = resources.files("homegame_engine").joinpath("formats/B3.toml").read_text(encoding="utf-8")


@pytest.fixture
def format_file(tmp_path: Path) -> Path:
    file = tmp_path / "my_format.toml"
    file.write_text(LADDER.replace('id = "B3"', 'id = "MY_LADDER"'), encoding="utf-8")
    return file


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    file = tmp_path / "my_game.toml"
    file.write_text(MINE, encoding="utf-8")
    return file


def test_formats_lists_every_format_with_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats"]) == 0
    out = capsys.readouterr().out
    assert "B1, points-night " in out
    assert "DC, dealers-choice " in out


@pytest.mark.parametrize("name", ["B1", "points-night"])
def test_a_format_is_shown_as_it_is_posted(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", name]) == 0
    out = capsys.readouterr().out
    for said in ("100 for everyone", "2 to 10", "1/2", "45 minutes", "fixed limit, 3 raises", "30 seconds", "PTS-001"):
        assert said in out


def test_pts_b3_05_the_ladder_posts_that_ties_may_play_a_short_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", "B3"]) == 0
    assert "ties share the place, or play a short hand if all of them ask" in " ".join(capsys.readouterr().out.split())


def test_the_dealers_choice_night_shows_its_stake_and_its_windows(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", "dealers-choice"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines) <= CARD_COLUMNS
    out = " ".join(" ".join(lines).split())
    for said in (
        "the games that the dealers call until the cutoff",
        "stake 25, ante 25",
        "spread limit, 3 raises",
        "4000 for everyone",
        "60 seconds; 15 seconds to sit out",
    ):
        assert said in out


def test_a_table_of_any_game_in_any_house_is_shown_as_a_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", "STUD7-CLUB"]) == 0
    assert "ante 10, bring-in 25, small bet 50, big bet 100" in capsys.readouterr().out


def test_games_lists_every_game_with_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    out = capsys.readouterr().out
    assert "OMAHA8, omaha8, o8, omaha-hi-lo  Omaha hi-lo 8-or-better: Omaha, and half" in out
    assert "JACKS_TRIPS, " in out


@pytest.mark.parametrize("words", [["show", "stud"], ["show", "STUD7"], ["seven-card-stud"]])
def test_a_game_is_shown_as_its_rule_card(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", *words]) == 0
    out = capsys.readouterr().out
    assert out.startswith("STUD7: Seven-card stud\n")
    assert "Small bet" in out
    assert "HIGH HANDS, BEST FIRST" in out
    assert "  1. straight flush (Ks Qs Js Ts 9s)" in out
    assert max(len(line) for line in out.splitlines()) <= 78


def test_a_rule_card_with_a_house_has_its_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "show", "stud", "--house", "points_night"]) == 0
    out = capsys.readouterr().out
    assert "Everybody antes 1." in out
    assert "Bet 4; the best hand showing" in out


def test_a_designers_file_is_shown_too(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "show", str(game_file), "--house", "HOUSE_NIGHT"]) == 0
    out = capsys.readouterr().out
    assert "Draw up to three. Bet;" in out
    assert "25 to 100" in out


def test_json_holds_the_whole_definition_and_the_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "show", "HOLDEM", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one["id"] == "HOLDEM"
    assert [section["title"] for section in one.pop("rule_card")][:3] == [
        "Texas hold'em",
        "Before the deal",
        "The deal",
    ]
    assert run(["games", "--json"]) == 0
    assert one in json.loads(capsys.readouterr().out)
    assert run(["formats", "B1", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert run(["formats", "--json"]) == 0
    assert one in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "next_step"),
    [
        (["formats", "NO-SUCH"], "`homegame formats` lists them"),
        (["games", "NO-SUCH"], "`homegame games` lists them"),
        (["games", "show", "NO-SUCH"], "`homegame games` lists them"),
        (["odds", "NO-SUCH", "AsAh", "any"], "`homegame games` lists them"),
        (["games", "show", "stud", "--house", "NO-SUCH"], "there are: CARDROOM, CASH_NIGHT, CLUB"),
        (["replay", "--house", "NO_SUCH", "x.phh"], "there are: CARDROOM, CASH_NIGHT, CLUB"),
    ],
)
def test_an_unknown_name_exits_3_and_says_where_the_known_ones_are(
    words: list[str], next_step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 3
    said = capsys.readouterr().err
    assert re.search("NO.SUCH", said)
    assert next_step in said


# --- check ----------------------------------------------------------------------------------------------------------------


def test_check_says_that_a_game_can_be_played(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "check", str(game_file)]) == 0
    assert capsys.readouterr().out == f"{game_file}: THREE_DRAW can be played\n"


def test_check_names_file_line_field_and_rule_and_exits_1(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = game_file.with_name("broken.toml")
    broken.write_text(MINE.replace('step = "DRAW"\ncount = 3', 'step = "DRAW"\ncount = 9'), encoding="utf-8")
    line = broken.read_text(encoding="utf-8").splitlines().index("count = 9") + 1
    said = f"{broken}:{line}: steps[2].count: expected 1 to 5, found 9 (GAME-DC-04)"
    assert run(["games", "check", str(game_file), str(broken)]) == 1
    assert capsys.readouterr().out == f"{game_file}: THREE_DRAW can be played\n{said}\n"
    assert run(["games", "check", "--json", str(broken)]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "file": str(broken),
            "id": "",
            "message": said,
            "line": line,
            "field": "steps[2].count",
            "reason": "GAME_NOT_DESCRIBABLE",
            "rule_id": "GAME-DC-04",
        }
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason", "said"),
    [
        (
            '"THREE_DRAW"',
            '"FIVE_CARD_DRAW"',
            "GAME_NOT_DESCRIBABLE",
            "id: the library has another game of the id FIVE_CARD_DRAW",
        ),
        ('explanation = """', 'explanation = ""\nname2 = """', "GAME_NOT_DESCRIBABLE", "name2: there is no such key"),
        ("max = 8", "max = 10", "TOO_MANY_PLAYERS", "(CARD-08)"),
        ("[players]", "[deck]\ncards = 40\n\n[players]", "BAD_DECK", "(CARD-03)"),
    ],
)
def test_check_gives_the_reason_of_the_rulebook(
    old: str, new: str, reason: str, said: str, game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game_file.write_text(MINE.replace(old, new), encoding="utf-8")
    assert run(["games", "check", "--json", str(game_file)]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["reason"] == reason
    assert said in answer["message"]


def test_game_dc_03_a_game_outside_the_library_needs_its_explanation(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = MINE.index("explanation")
    game_file.write_text(MINE[:start] + MINE[MINE.index("[players]") :], encoding="utf-8")
    assert run(["games", "check", "--json", str(game_file)]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["reason"], answer["rule_id"]) == ("EXPLANATION_MISSING", "GAME-DC-03")
    assert "explanation: expected the words in which the dealer explains" in answer["message"]


def test_game_dc_03_a_file_of_the_library_needs_none(tmp_path: Path) -> None:
    file = tmp_path / "holdem.toml"
    holdem = resources.files("homegame_engine").joinpath("games/holdem.toml").read_text(encoding="utf-8")
    file.write_text(holdem, encoding="utf-8")
    assert run(["games", "check", str(file)]) == 0


def test_check_of_what_cannot_be_read_exits_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "check"]) == 3
    assert run(["games", "check", str(tmp_path / "none.toml")]) == 3
    assert "none.toml" in capsys.readouterr().err
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    assert run(["games", "check", str(binary)]) == 3


# --- A format of one's own ------------------------------------------------------------------------------------------------


def test_a_designers_format_is_shown_as_it_is_posted(format_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", str(format_file)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("MY_LADDER: ")
    assert "PTS-B3-01" in out


def test_check_of_a_format_names_file_line_field_and_rule_and_exits_1(
    format_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = format_file.with_name("broken.toml")
    broken.write_text(LADDER.replace("small_blind = 2", "small_blind = 5"), encoding="utf-8")
    line = broken.read_text(encoding="utf-8").splitlines().index("small_blind = 5") + 1
    said = f"{broken}:{line}: levels[1].small_blind: expected 1 to 4, found 5 (PTS-004)"
    assert run(["formats", "check", str(format_file), str(broken)]) == 1
    assert capsys.readouterr().out == f"{format_file}: MY_LADDER can be played\n{said}\n"
    assert run(["formats", "check", "--json", str(broken)]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["message"], answer["line"], answer["reason"]) == (said, line, "CONFIG_INVALID")
    assert run(["formats", "check", str(format_file.with_name("none.toml"))]) == 3


def test_what_a_terminal_cannot_spell_is_replaced_and_ends_nothing(
    game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = game_file.rename(game_file.with_name("Zo\u00eb.toml"))
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    with pytest.raises(SystemExit) as ended:
        main(["games", "check", str(file)])
    assert ended.value.code == 0
    assert written.getvalue().endswith(b"Zo?.toml: THREE_DRAW can be played\n")


@pytest.mark.parametrize("words", [["games"], ["formats", "--json"], ["--help"]])
def test_output_that_finds_no_room_is_said_in_one_line(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            main(words)
    assert ended.value.code == 1
    assert capsys.readouterr().err == "homegame: what is to be said cannot be written: No space left on device\n"
