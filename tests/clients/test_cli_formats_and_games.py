"""`homegame formats` and `homegame games` show what can be played, as it is posted."""

from __future__ import annotations

import json

import pytest

from homegame_cli.main import run


def test_formats_lists_every_format_with_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats"]) == 0
    assert "B1, points-night " in capsys.readouterr().out


@pytest.mark.parametrize("name", ["B1", "points-night"])
def test_a_format_is_shown_as_it_is_posted(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", name]) == 0
    out = capsys.readouterr().out
    for said in ("100 for everyone", "2 to 10", "1/2", "45 minutes", "fixed limit, 3 raises", "30 seconds", "PTS-001"):
        assert said in out


def test_games_describes_the_deal_and_the_showdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "holdem"]) == 0
    out = capsys.readouterr().out
    assert "2 cards face down to each; bet (preflop); burn; 3 to the board" in out
    assert "best high hand, 0 to 2 of one's own cards" in out


@pytest.mark.parametrize(("command", "name"), [("formats", "B1"), ("games", "HOLDEM")])
def test_json_holds_the_whole_definition_and_lists_hold_every_one(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, name, "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one["id"] == name
    assert run([command, "--json"]) == 0
    assert one in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", ["formats", "games"])
def test_an_unknown_name_exits_3_and_names_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "NO-SUCH"]) == 3
    assert "NO-SUCH" in capsys.readouterr().err
