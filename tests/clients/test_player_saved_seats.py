"""A seat outlives the program, and nobody else on the machine can take it."""

from __future__ import annotations

import io
import json
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from homegame_cli.child_server import ChildServer, ServerFailedError
from homegame_cli.main import EXIT_USAGE, run
from homegame_client import Client, GrpcTransport
from homegame_client.player.closed_terminal import PatientTerminal
from homegame_client.player.saved_seat import OwnNight, SavedBot, SavedSeat, SavedSeatError, SeatStore

if TYPE_CHECKING:
    from pathlib import Path

SEAT = SavedSeat("127.0.0.1:50051", "night-1", "table-1", "person-1", "Anna", "secret")
OWN = SavedSeat(
    "127.0.0.1:50051",
    "night-2",
    "table-1",
    "person-2",
    "Anna",
    "secret",
    OwnNight("/data", "host", "7", (SavedBot("Ada", "steady", "t"),)),
)


@pytest.mark.parametrize("seat", [SEAT, OWN], ids=["joined", "own night"])
def test_a_saved_seat_comes_back_as_it_was(tmp_path: Path, seat: SavedSeat) -> None:
    store = SeatStore(tmp_path / "seats")
    store.save(seat)
    assert store.newest() == seat
    assert store.find(seat.night_id) == seat
    store.forget(seat)
    assert store.newest() is None


def test_only_the_owner_can_read_it_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        file = SeatStore(tmp_path / "seats").save(SEAT)
        SeatStore(tmp_path / "seats").save(SEAT)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_picture_of_a_crash_shows_no_token() -> None:
    """Textual prints what a program was working with when it crashed, and people send such pictures to one another."""
    own = OwnNight("/data", "host-token", "7", (SavedBot("Ada", "steady", "bot-token"),))
    seat = SavedSeat("127.0.0.1:50051", "night-1", "table-1", "person-1", "Anna", "own-token", own)
    client = Client(GrpcTransport(None), "own-token")  # type: ignore[arg-type] # nothing is called
    shown = repr((seat, client))
    assert "Ada" in shown
    assert "-token" not in shown


def test_a_name_finds_its_own_seat_and_no_other(tmp_path: Path) -> None:
    store = SeatStore(tmp_path)
    store.save(SEAT)
    assert store.find("night-1", "Anna") == SEAT
    assert store.find("night-1", "Bert") is None
    assert store.find("night-10") is None


def test_an_id_from_a_server_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    store = SeatStore(tmp_path / "seats")
    file = store.save(SavedSeat("h:1", "../../etc/x", "t", "../p", "Anna", "secret"))
    assert file.parent == tmp_path / "seats"


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"schema": 2}', json.dumps({"schema": 1, "own_night": None, "x": 1})]
)
def test_a_broken_file_is_named_with_what_to_do(tmp_path: Path, text: str) -> None:
    file = tmp_path / "night-1.person-1.json"
    file.write_text(text)
    with pytest.raises(SavedSeatError, match=r"night-1\.person-1\.json is not a saved seat .* join again"):
        SeatStore(tmp_path).newest()


def test_a_picture_is_written_on_after_its_terminal_was_closed() -> None:
    class ClosedTerminal(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(5, f"cannot write {len(text)} letters")

        def flush(self) -> None:
            raise OSError(5, "cannot write")

    terminal, shown = PatientTerminal(ClosedTerminal()), io.StringIO()
    for _ in range(2):
        terminal.write("picture")
        terminal.flush()
    PatientTerminal(shown).write("picture")
    assert shown.getvalue() == "picture"


@pytest.mark.parametrize(
    "arguments",
    [["nowhere", "night-1"], ["127.0.0.1:5000"], ["--resume", "127.0.0.1:5000", "n"], ["--bots", "5", "--seats", "3"]],
)
def test_mistakes_of_usage_end_with_status_3(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", *arguments]) == EXIT_USAGE
    assert "homegame:" in capsys.readouterr().err


def test_coming_back_without_a_seat_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert run(["play", "--resume"]) == 1
    assert "there is no seat to come back to; `homegame play` starts a new night" in capsys.readouterr().err


def test_coming_back_to_a_night_whose_journal_is_gone_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert OWN.own_night is not None
    gone = replace(OWN.own_night, data=str(tmp_path / "gone"))
    SeatStore(tmp_path / "homegame" / "seats").save(replace(OWN, address="127.0.0.1:1", own_night=gone))
    assert run(["play", "--resume", "--plain"]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"there is no folder {tmp_path / 'gone'}; `homegame play` starts a new night" in said


async def test_a_server_over_a_folder_that_is_none_fails_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ServerFailedError, match=r"the server cannot use the folder .*file: Not a directory"):
        await ChildServer.start(tmp_path / "file")
