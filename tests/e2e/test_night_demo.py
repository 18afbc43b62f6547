"""`homegame night` plays a points night over gRPC from start to sheet, and leaves nothing running behind it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.e2e.command import is_running, start_homegame, wait_until_gone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAYERS = 6
START_CHIPS = 100
SHEET_LINE = re.compile(r"^ +=?(\d+) +(\d+) +(\w+) +(\d+) +([+-]?\d+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, subprocess.CompletedProcess[str]]:
    """The demo twice at the same time: for people and for programs."""
    started_s = time.monotonic()
    running = {
        form: start_homegame(
            "night", "--hands", "3", "--seed", "7", f"--{form}", "--data", str(tmp_path_factory.mktemp(form) / "data")
        )
        for form in ("plain", "json")
    }
    done = {}
    for form, process in running.items():
        out, err = process.communicate(timeout=60)
        done[form] = subprocess.CompletedProcess(process.args, process.returncode, out, err)
    assert time.monotonic() - started_s < 40
    return done


def test_it_ends_well_and_the_sheet_adds_up(nights: dict[str, subprocess.CompletedProcess[str]]) -> None:
    night = nights["plain"]
    assert night.returncode == 0, night.stderr
    rows = SHEET_LINE.findall(night.stdout)
    assert len(rows) == PLAYERS
    assert sum(int(points) for *_, points, _ in rows) == PLAYERS * START_CHIPS
    assert sum(int(won) for *_, won in rows) == 0
    assert "of 600 in play" in night.stdout
    assert "DOES NOT ADD UP" not in night.stdout


def test_it_plays_as_many_hands_as_it_was_told(nights: dict[str, subprocess.CompletedProcess[str]]) -> None:
    out = nights["plain"].stdout
    assert re.findall(r"^Hand (\d+): \w+ has the button$", out, re.MULTILINE) == ["1", "2", "3"]
    assert "Final sheet: 3 hands" in out


def test_gen_08_it_verifies_every_deal(nights: dict[str, subprocess.CompletedProcess[str]]) -> None:
    assert "deal proofs: 3 of 3 hands hold" in nights["plain"].stdout
    assert json.loads(nights["json"].stdout)["deal_proofs"] == {"hands": 3, "hold": 3}


def test_it_says_what_it_does_and_where_the_data_lies(nights: dict[str, subprocess.CompletedProcess[str]]) -> None:
    out = nights["plain"].stdout
    for said in ("Starting a server", "6 bots took their seats", "The host posted a cutoff", "The journal is kept in"):
        assert said in out


def test_the_lines_hold_no_hidden_card(nights: dict[str, subprocess.CompletedProcess[str]]) -> None:
    for line in nights["plain"].stdout.splitlines():
        if re.search(r"\b[2-9TJQKA][cdhs]\b", line):
            assert re.match(r"Board: |\w+ shows ", line), line


def test_for_programs_there_is_one_json_object_and_nothing_else(
    nights: dict[str, subprocess.CompletedProcess[str]],
) -> None:
    night = nights["json"]
    assert night.returncode == 0, night.stderr
    result = json.loads(night.stdout)
    assert result["hands"] == 3
    assert result["finish_reason"] == "HOST"
    assert result["total_chips"] == PLAYERS * START_CHIPS
    assert sum(standing["stack_chips"] for standing in result["standings"]) == PLAYERS * START_CHIPS
    assert sum(standing["net_chips"] for standing in result["standings"]) == 0
    assert result["faults"] == []
    assert all(bot["refused"] == {} for bot in result["bots"])
    assert sum(bot["actions"] for bot in result["bots"]) > 0


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A night that is being played, and the process id of its server."""
    process = start_homegame("night", "--plain", "--minutes", "5", "--data", str(tmp_path))
    assert process.stdout is not None
    server = 0
    for line in process.stdout:
        found = re.search(r"\(process (\d+)\)", line)
        server = int(found.group(1)) if found else server
        if line.startswith("Hand 1"):
            break
    yield process, server
    if process.poll() is None:
        process.kill()
    process.communicate()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_an_interruption_stops_the_server_too(
    playing: tuple[subprocess.Popen[str], int], number: signal.Signals, status: int
) -> None:
    process, server = playing
    assert is_running(server)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == status
    assert not is_running(server)


def test_a_night_that_is_killed_takes_its_server_along(
    playing: tuple[subprocess.Popen[str], int], tmp_path: Path
) -> None:
    process, server = playing
    process.kill()
    wait_until_gone(server)
    assert not (tmp_path / "address").exists()  # It stopped in good order.


def test_a_server_that_dies_ends_the_night_with_a_word_of_advice(
    playing: tuple[subprocess.Popen[str], int],
) -> None:
    process, server = playing
    os.kill(server, signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "the server ended unexpectedly" in err
    assert "server.log" in err
    assert "Traceback" not in err


def test_a_server_that_cannot_start_is_explained(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("a file where a folder should be", encoding="utf-8")
    process = start_homegame("night", "--plain", "--data", str(tmp_path))
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "the server did not start" in err
    assert "server.log" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("option", [("--players", "11"), ("--hands", "0"), ("--minutes", "x"), ("--cards", "5")])
def test_a_usage_error_exits_3(option: tuple[str, str]) -> None:
    process = start_homegame("night", *option)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "homegame night --help" in err
