"""`homegame play` that is killed leaves no server behind, and the night and the seat are found again."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.e2e.command import is_running, start_homegame, wait_until_gone

if TYPE_CHECKING:
    from pathlib import Path


def read_until(process: subprocess.Popen[str], pattern: str) -> str:
    """Read what a command says until a line holds the pattern; returns all of it."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if re.search(pattern, line):
            return said
    raise AssertionError(f"never said {pattern!r}: {said}")


def type_in(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_player_who_is_killed_comes_back_to_the_night(tmp_path: Path) -> None:
    settings = ("--plain", "--name", "Anna")
    first = start_homegame(
        "play", *settings, "--bots", "1", "--data", str(tmp_path / "night"), state=tmp_path, stdin=subprocess.PIPE
    )
    said = read_until(first, "that you have read this posting")
    type_in(first, "a")
    said += read_until(first, "^The night is open")
    found = re.search(r"\(process (\d+)\)", said)
    assert found is not None
    server = int(found[1])
    assert is_running(server)
    first.kill()
    first.communicate()
    wait_until_gone(server)
    second = start_homegame("play", "--resume", "--plain", state=tmp_path, stdin=subprocess.PIPE)
    try:
        type_in(second, "p")
        said = read_until(second, "of 200 in play")
        assert "Back to the seat of Anna" in said
        assert "Starting your server again" in said
    finally:
        second.terminate()
        second.communicate(timeout=60)
