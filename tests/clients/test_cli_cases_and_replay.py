"""The command line: `homegame cases` and `homegame replay` say what differs, and every status means one thing."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from pathlib import Path

import pytest

from homegame_cli.main import SUBCOMMANDS, run

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
CASES = VECTORS / "cases"
ALL_CASES = sorted(str(file) for file in CASES.glob("*.jsonl.gz"))
PHH = VECTORS / "phh"
HOUSE = resources.files("homegame_engine").joinpath("houses/cardroom.toml").read_text(encoding="utf-8")

Captured = pytest.CaptureFixture[str]


def output(capsys: Captured) -> tuple[str, str]:
    captured = capsys.readouterr()
    return captured.out.strip(), captured.err.strip()


# --- cases ----------------------------------------------------------------------------------------------------------------


def test_210_of_210(capsys: Captured) -> None:
    assert run(["cases", *ALL_CASES]) == 0
    assert output(capsys) == ("cases: 210 of 210 passed, 0 mismatches, 0 unsupported", "")


def test_a_game_that_nobody_knows_is_not_passed(capsys: Captured, tmp_path: Path) -> None:
    text = gzip.decompress((CASES / "fl_razz.jsonl.gz").read_bytes()).decode()
    file = tmp_path / "cases.jsonl"
    file.write_text(text.replace('"game":"fl_razz"', '"game":"fl_whist"'))
    assert run(["cases", str(file)]) == 0
    assert output(capsys)[0] == "cases: 0 of 30 passed, 0 mismatches, 30 unsupported"


def test_a_plain_file_with_a_difference_is_status_1(capsys: Captured, tmp_path: Path) -> None:
    text = gzip.decompress((CASES / "fl_holdem.jsonl.gz").read_bytes()).decode()
    file = tmp_path / "cases.jsonl"
    file.write_text(text.replace('"final":[37,', '"final":[38,') + "\n\n")
    assert run(["cases", str(file)]) == 1
    difference, summary = output(capsys)[0].splitlines()
    assert difference.startswith("s-fl_holdem-0000: final stacks: expected (38,")
    assert summary == "cases: 29 of 30 passed, 1 mismatches, 0 unsupported"
    assert run(["cases", "--json", str(file)]) == 1
    report = json.loads(output(capsys)[0])
    assert (report["cases"], report["passed"], report["unsupported"]) == (30, 29, 0)
    assert [mismatch["id"] for mismatch in report["mismatches"]] == ["s-fl_holdem-0000"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{\n", "line 1: the line is no case"),
        (b"\x1f\x8bnot gzip", "cannot be read"),
        (b"\xff\xfe\x00", "line 1: the line is no case"),
    ],
)
def test_a_file_that_holds_no_cases_is_status_3(capsys: Captured, tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(content)
    assert run(["cases", str(file)]) == 3
    out, err = output(capsys)
    assert out == ""
    assert words in err
    assert str(file) in err


def test_a_truncated_gzip_file_is_status_3(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl.gz"
    file.write_bytes((CASES / "fl_holdem.jsonl.gz").read_bytes()[:300])
    assert run(["cases", str(file)]) == 3
    assert "cannot be read" in output(capsys)[1]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("small_bet", 1 << 70, "line 1: the line is no case: Expected `int` <= 1099511627776 - at `$.rules.small_bet`"),
        ("small_bet", -1, "line 1: the line is no case: Expected `int` >= 0 - at `$.rules.small_bet`"),
        ("small_bet", None, "line 1: the line is no case: Expected `int`, got `null` - at `$.rules.small_bet`"),
        ("button", 1 << 70, "line 1: the line is no case: Expected `int` <= 9 - at `$.button`"),
        ("stacks", [], "case s-fl_holdem-0000 cannot be dealt: "),
    ],
)
def test_a_case_that_cannot_be_is_told_by_its_line_and_field_or_by_its_name(
    key: str, value: object, words: str, capsys: Captured, tmp_path: Path
) -> None:
    case = json.loads(gzip.decompress((CASES / "fl_holdem.jsonl.gz").read_bytes()).splitlines()[0])
    (case["rules"] if key in case["rules"] else case)[key] = value
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(case))
    assert run(["cases", str(file)]) == 3
    assert words in output(capsys)[1]


# --- replay ---------------------------------------------------------------------------------------------------------------


def test_a_folder_is_replayed_with_all_below_it(capsys: Captured) -> None:
    assert run(["replay", str(PHH)]) == 0
    summary = "replay: 542 hands, 542 matched, 0 named by a rule, 0 unsupported, 0 mismatches"
    assert output(capsys) == (summary, "")


def test_a_hand_is_replayed_under_the_house_that_is_named(capsys: Captured, tmp_path: Path) -> None:
    text = (PHH / "wsop/2023/43/5/38.phh").read_text()
    capped = tmp_path / "capped.phh"
    raises = "'p3 cbr 400000', 'p4 cbr 600000', 'p5 cbr 800000', 'p1 cbr 1000000', 'p2 f', 'p3 f', 'p4 f', 'p5 f'"
    capped.write_text(
        text.replace("'p3 f', 'p4 f', 'p5 f', 'p1 f'", raises).replace("finishing_stacks", "# finishing_stacks")
    )
    assert run(["replay", str(capped)]) == 0
    assert f"{capped}: named by BET-FL-03 RAISE_CAP_REACHED" in output(capsys)[0]
    assert run(["replay", "--house", "cardroom", str(capped)]) == 0
    assert output(capsys)[0].startswith("replay: 1 hands, 1 matched")
    own = tmp_path / "own.toml"
    own.write_text(HOUSE.replace("limit_raise_cap = 4", "limit_raise_cap = 2"))
    assert run(["replay", "--house", str(own), str(capped)]) == 0
    assert f"{capped}: named by BET-FL-03 RAISE_CAP_REACHED" in output(capsys)[0]


@pytest.mark.parametrize("content", [b"id = 3", b"\xff\xfe", None])
def test_a_house_that_cannot_be_read_is_status_3_and_named(
    capsys: Captured, tmp_path: Path, content: bytes | None
) -> None:
    house = tmp_path / "house.toml"
    if content is not None:
        house.write_bytes(content)
    assert run(["replay", "--house", str(house), str(PHH)]) == 3
    assert str(house) in output(capsys)[1]


def test_a_house_that_nobody_knows_is_status_3(capsys: Captured) -> None:
    assert run(["replay", "--house", "nowhere", str(PHH)]) == 3
    assert "NOWHERE" in output(capsys)[1]


def test_differences_are_listed_with_their_rule_or_as_mismatches(capsys: Captured, tmp_path: Path) -> None:
    text = (PHH / "pluribus/100/22.phh").read_text()
    named, mismatch = tmp_path / "named.phh", tmp_path / "sub" / "mismatch.phh"
    mismatch.parent.mkdir()
    named.write_text(text.replace("p4 cbr 250', 'p5 f'", "p4 cbr 150', 'p5 f'"))
    assert run(["replay", str(named)]) == 0
    line, summary = output(capsys)[0].splitlines()
    assert line.startswith(f"{named}: named by BET-NL-03 BELOW_MINIMUM: ")
    assert summary == "replay: 1 hands, 0 matched, 1 named by a rule, 0 unsupported, 0 mismatches"
    mismatch.write_text(text.replace("10812", "10813"))
    assert run(["replay", "--json", str(tmp_path)]) == 1
    report = json.loads(output(capsys)[0])
    assert [entry["rule_id"] for entry in report["named"]] == ["BET-NL-03"]
    assert [entry["file"] for entry in report["mismatches"]] == [str(mismatch)]


@pytest.mark.parametrize("content", [b"variant", b"\xff\xfe", b"variant = 'NT'\n"])
def test_a_file_that_is_no_hand_is_status_3_and_named(capsys: Captured, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "hand.phh"
    file.write_bytes(content)
    assert run(["replay", str(file)]) == 3
    assert str(file) in output(capsys)[1]


# --- Usage ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["--nonsense"],
        ["cases"],
        ["cases", "--nonsense", "x"],
        ["cases", "no-such-file"],
        ["replay"],
        ["replay", "no-such-folder"],
        ["replay", "--json"],
        ["cases", "x", "--json=3"],
    ],
)
def test_usage_errors_are_status_3_and_say_what_to_do(capsys: Captured, arguments: list[str]) -> None:
    assert run(arguments) == 3
    out, err = output(capsys)
    assert out + err
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    "content", [b"", b"\n \n", gzip.compress(b"", mtime=0)], ids=["nothing", "blank lines", "nothing, packed"]
)
def test_a_file_without_a_case_is_a_usage_error_and_no_success(
    content: bytes, capsys: Captured, tmp_path: Path
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(content)
    assert run(["cases", str(file)]) == 3
    assert capsys.readouterr().err == f"homegame: {file}: there is no case in this file\n"


def test_an_empty_folder_is_a_usage_error(capsys: Captured, tmp_path: Path) -> None:
    assert run(["replay", str(tmp_path)]) == 3
    assert "no .phh file" in output(capsys)[1]


def test_help_lists_every_command(capsys: Captured) -> None:
    assert run(["--help"]) == 0
    out, _ = output(capsys)
    for name, subcommand in SUBCOMMANDS.items():
        assert f"  {name}" in out
        assert subcommand.summary in out


@pytest.mark.parametrize("name", ["cases", "replay"])
def test_a_command_explains_itself(capsys: Captured, name: str) -> None:
    assert run([name, "--help"]) == 0
    assert "Exit status" in output(capsys)[0]


def test_version(capsys: Captured) -> None:
    assert run(["--version"]) == 0
    assert output(capsys)[0].startswith("homegame")
