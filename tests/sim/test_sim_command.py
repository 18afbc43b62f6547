from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from homegame_cli.main import run
from homegame_sim import driver

if TYPE_CHECKING:
    from pathlib import Path

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
        (["points-night", "--sessions", "6", "--frobnicate"], "--frobnicate"),
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
