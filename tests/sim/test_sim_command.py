from __future__ import annotations

import json
import re
import sys
from contextlib import nullcontext
from importlib import resources
from pathlib import Path

import pytest

from homegame_cli.main import run
from homegame_sim import driver

SMALL = [
    "sim",
    "points-night",
    "--sessions",
    "24",
    "--players",
    "6",
    "--policy",
    "tight",
    "--seed",
    "1",
    "--hands",
    "6",
]


def test_the_report_is_text_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(SMALL) == 0
    text = capsys.readouterr()
    assert "policy tight, seed 1, 6 players, 24 sessions in 4 rotation blocks, 6 hands a session" in text.out
    assert text.err == ""
    assert run([*SMALL, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["study"]["sessions"] == 24


def test_workers_and_chunks_change_no_byte(capsys: pytest.CaptureFixture[str]) -> None:
    reports = set()
    for options in ([], ["--workers", "2"], ["--chunk", "1"], ["--workers", "2", "--chunk", "3"]):
        assert run([*SMALL, *options]) == 0
        reports.add(capsys.readouterr().out)
    assert len(reports) == 1


def test_ray_changes_no_byte(
    capsys: pytest.CaptureFixture[str], ray_processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "connect", lambda _: nullcontext(ray_processors))
    assert run([*SMALL, "--json"]) == 0
    expected = capsys.readouterr().out
    assert run([*SMALL, "--json", "--ray", "--workers", "2"]) == 0
    assert capsys.readouterr().out == expected


def test_the_report_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    assert run([*SMALL, "--json", "--out", str(file)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert str(file) in said.err
    assert run([*SMALL, "--json"]) == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")


def test_the_page_is_written_beside_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, report = tmp_path / "report.html", tmp_path / "report.json"
    assert run([*SMALL, "--html", str(page)]) == 0
    said = capsys.readouterr()
    assert "24 sessions in 4 rotation blocks" in said.out
    assert str(page) in said.err
    first = page.read_bytes()
    assert first.startswith(b"<!DOCTYPE html>")
    assert run([*SMALL, "--html", str(page), "--json", "--out", str(report), "--workers", "2", "--chunk", "1"]) == 0
    assert page.read_bytes() == first
    assert json.loads(report.read_bytes())["study"]["sessions"] == 24


def test_any_game_is_played_at_the_table_of_a_house(capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for words in (["STUD7-HOUSE_NIGHT"], ["stud7", "--house", "house-night"], ["stud", "--house", "HOUSE_NIGHT"]):
        assert run(["sim", *words, "--sessions", "6", "--hands", "2"]) == 0
        reports.append(capsys.readouterr().out)
    assert reports[0].startswith("Seven-card stud, House Night: STUD7-HOUSE_NIGHT version 1")
    assert reports == [reports[0]] * 3


def test_a_game_of_ones_own_is_played_from_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Path(__file__).parent / "three_card_draw.toml"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(game.read_text(encoding="utf-8"), encoding="utf-8")
    command = ["sim", "mine.toml", "--house", "club", "--sessions", "6", "--hands", "2"]
    assert run(command) == 0
    assert capsys.readouterr().out.startswith("Wild sevens, Club: WILD_SEVENS-CLUB version 1")
    (tmp_path / "mine.toml").write_text(game.read_text(encoding="utf-8").replace('"7"', '"1"'), encoding="utf-8")
    assert run(command) == 3
    assert "mine.toml:14: wild.ranks[0]: expected a rank of the deck" in capsys.readouterr().err


def test_two_reports_do_not_go_into_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report"
    assert run([*SMALL, "--out", str(file), "--html", str(tmp_path / "." / "report")]) == 3
    assert "--html: --out has this file already" in capsys.readouterr().err
    assert not file.exists()


def test_without_the_library_for_pages_the_rest_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "homegame_sim.report.page", raising=False)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert run(SMALL) == 0
    assert run([*SMALL, "--html", str(tmp_path / "report.html")]) == 3
    assert "--html: jinja2 is not installed: pip install 'homegame[sim]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nope", "--sessions", "6"], "FORMAT_UNKNOWN: there is no format 'nope'; there are: B1 or points-night"),
        (["points-night"], "--sessions"),
        (["points-night", "--sessions", "0"], "--sessions: expected 1 or more sessions, got 0"),
        (["points-night", "--sessions", "x"], "Invalid value for '--sessions'"),
        (["points-night", "--sessions", "6", "--players", "11"], "--players: format B1 is for 2 to 10 players, not 11"),
        (["points-night", "--sessions", "6", "--policy", "clever"], "there are fold, call, random, tight, loose"),
        (["points-night", "--sessions", "6", "--hands", "5", "--minutes", "5"], "not by both"),
        (["points-night", "--sessions", "6", "--hands", "0"], "--hands: expected 1 to 1000000, got 0"),
        (["points-night", "--sessions", "6", "--seed", "-1"], "--seed: a seed is a whole number"),
        (["points-night", "--sessions", "6", "--chunk", "0"], "--chunk: a chunk has 1 block or more"),
        (["points-night", "--sessions", "6", "--workers", "0"], "--workers: expected 1 to 1024 workers, got 0"),
        (["points-night", "--sessions", "6", "--out", "/nowhere/at/all"], "--out: there is no folder /nowhere/at"),
        (["points-night", "--sessions", "6", "--html", "/nowhere/at/all"], "--html: there is no folder /nowhere/at"),
        (["points-night", "--sessions", "6", "--frobnicate"], "--frobnicate"),
        (
            ["points-night", "--sessions", "6", "--house", "club"],
            "there is no game 'points-night'; there are: ANACONDA",
        ),
        (["stud7", "--sessions", "6", "--house", "casino"], "--house: there is no house 'casino'; there are: CARDROOM"),
        (["stud7", "--sessions", "6"], "FORMAT_UNKNOWN: there is no format 'stud7'"),
        (["missing.toml", "--sessions", "6", "--house", "club"], "cannot read missing.toml: No such file"),
        (["missing.toml", "--sessions", "6"], "cannot read missing.toml: No such file"),
    ],
)
def test_a_wrong_command_line_exits_3_and_says_what_would_be_right(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sim", *options]) == 3
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


# --- A designer's file ----------------------------------------------------------------------------------------------------


def packaged(name: str) -> str:
    return resources.files("homegame_engine").joinpath(name).read_text(encoding="utf-8")


def test_a_designers_format_is_played_and_its_page_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = tmp_path / "mine.toml", tmp_path / "page.html"
    file.write_text(packaged("formats/B3.toml").replace('id = "B3"', 'id = "MINE"'), encoding="utf-8")
    assert run(["sim", str(file), "--sessions", "6", "--hands", "5", "--json", "--html", str(page)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["format"]["id"], document["study"]["format_file"]) == ("MINE", str(file))
    assert f"homegame sim {file}" in page.read_text(encoding="utf-8").replace("</span> <span>", " ")


def test_pts_004_a_designers_faulty_format_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(packaged("formats/B3.toml").replace("small_blind = 2", "small_blind = 5"), encoding="utf-8")
    assert run(["sim", str(file), "--sessions", "6"]) == 3
    assert re.fullmatch(
        rf"homegame: {re.escape(str(file))}:\d+: levels\[1\]\.small_blind: expected 1 to 4, found 5 \(PTS-004\)\n",
        capsys.readouterr().err,
    )


def test_game_dc_04_a_designers_faulty_game_is_named_by_its_file_and_not_by_an_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(packaged("games/badugi.toml").replace("count = 4", "count = 9", 1), encoding="utf-8")
    assert run(["sim", str(file), "--house", "club", "--sessions", "6"]) == 3
    assert capsys.readouterr().err.startswith(f"homegame: {file}:")


def test_a_designers_game_without_a_house_is_told_to_name_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(packaged("games/badugi.toml"), encoding="utf-8")
    assert run(["sim", str(file), "--sessions", "6"]) == 3
    assert "describes a game: name the house whose table plays it with --house" in capsys.readouterr().err
