"""An empty name on a command line, as an unset variable of the shell leaves it, is refused and never means the current folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_cli.main import EXIT_USAGE, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "--data", "", "--listen", "nonsense"],
        ["play", "--data", ""],
        ["night", "--data", ""],
        ["night", "--save", " "],
        ["bench", "evaluator", "--data", ""],
        ["sim", "points-night", "--sessions", "1", "--out", ""],
        ["sim", "points-night", "--sessions", "1", "--html", ""],
        ["verify", ""],
        ["replay", ""],
        ["cases", ""],
        ["games", "check", ""],
        ["formats", "check", ""],
    ],
    ids=lambda arguments: "_".join(arguments).strip("_ "),
)
def test_an_empty_name_is_refused_with_what_to_write(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == EXIT_USAGE
    assert "the name is empty; write . where you mean the folder you are in" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
