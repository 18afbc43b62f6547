"""A terminal that is closed ends the command that shows something there, with its server stopped and the seat kept."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
from typing import TYPE_CHECKING

import pytest
import typer

from homegame_cli.child_server import ChildServer
from homegame_cli.until_ended import EXIT_TERMINATED, is_gone, run_until_ended
from homegame_client import Client, GrpcTransport, TableRef, open_channel
from homegame_client.player.saved_seat import SeatStore
from tests.e2e.command import AtTerminal, wait_until_gone

if TYPE_CHECKING:
    from pathlib import Path

PICTURE = "\x1b[?1049h"
"""What a picture begins with: the terminal's other screen."""


def test_play_ends_with_the_seat_kept_as_often_as_one_comes_back(tmp_path: Path) -> None:
    for arguments, begins_with in (
        (("--name", "Anna", "--bots", "1"), PICTURE),
        (("--resume", "--plain"), "this posting"),
    ):
        playing = AtTerminal("play", *arguments, state=tmp_path)
        shown = playing.read_until(begins_with)
        assert playing.close() == EXIT_TERMINATED
        seat = SeatStore(tmp_path / "homegame" / "seats").newest()
        assert seat is not None
        assert seat.name == "Anna"
        assert ("Back to the seat of Anna" in shown) == ("--resume" in arguments)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", int(seat.address.rpartition(":")[2])))


def test_a_night_of_bots_ends(tmp_path: Path) -> None:
    night = AtTerminal("night", "--players", "2", "--minutes", "60", "--data", str(tmp_path / "data"), state=tmp_path)
    server = re.search(r"\(process (\d+)\)", night.read_until(PICTURE))
    assert server is not None
    assert night.close() == EXIT_TERMINATED
    wait_until_gone(int(server[1]))


async def test_a_spectator_ends(tmp_path: Path) -> None:
    server = await ChildServer.start(tmp_path)
    try:
        async with open_channel(server.address) as channel:
            created = await Client(GrpcTransport(channel)).nights.create(
                name="Tuesday", format_id="points-night", seats=2, cutoff_in_ms=60_000
            )
            table = TableRef(created.night_id, created.table_ids[0])
            watching = await asyncio.to_thread(
                AtTerminal, "watch", server.address, table.night_id, table.table_id, state=tmp_path
            )
            await asyncio.to_thread(watching.read_until, PICTURE)
            assert await asyncio.to_thread(watching.close) == EXIT_TERMINATED
    finally:
        await server.stop()


CONTINUED = """
import asyncio, os, signal, threading
from textual.app import App
from homegame_client.player.terminal_driver import TerminalDriver

def count_readers():
    return sum(thread.name == "textual-input" for thread in threading.enumerate())

async def show():
    app = App(driver_class=TerminalDriver)

    def be_continued():
        os.kill(os.getpid(), signal.SIGCONT)
        os.kill(os.getpid(), signal.SIGCONT)
        app.exit(count_readers())

    app.call_later(be_continued)
    while_shown = await app.run_async()
    os.kill(os.getpid(), signal.SIGCONT)
    print(f"readers: {while_shown} while shown, {count_readers()} afterwards.")

asyncio.run(show())
"""


def test_a_program_that_is_continued_reads_its_keys_once_and_not_after_its_end(tmp_path: Path) -> None:
    program = AtTerminal(state=tmp_path, program=("-c", CONTINUED))
    shown = program.read_until("afterwards.")
    assert "readers: 1 while shown, 0 afterwards." in shown
    assert program.end() == 0


PLAYED = """
import os, signal, termios
from homegame_cli.main import main
from homegame_client.player import app

{disturbance}
main(["play", "--name", "Anna", "--bots", "1"])
"""
CLOSED = """
ours, theirs = os.openpty()
termios.tcsetwinsize(theirs, (30, 100))
for number in range(3):
    os.dup2(theirs, number)
os.close(theirs)

class Closing(app.TerminalDriver):
    def start_application_mode(self):
        super().start_application_mode()
        os.close(ours)

app.TerminalDriver = Closing
"""
MOVED = """
class Moving(app.PlayerApp):
    def on_mount(self):
        termios.tcsetwinsize(0, (24, 80))
        os.kill(os.getpid(), signal.SIGWINCH)

app.PlayerApp = Moving
"""


def test_a_terminal_that_is_closed_while_the_first_picture_is_made_ends_the_program(tmp_path: Path) -> None:
    program = PLAYED.format(disturbance=CLOSED)
    assert AtTerminal(state=tmp_path, program=("-c", program)).end() == EXIT_TERMINATED


def test_a_terminal_whose_size_changes_while_the_first_picture_is_made_shows_it_in_that_size(tmp_path: Path) -> None:
    playing = AtTerminal(state=tmp_path, program=("-c", PLAYED.format(disturbance=MOVED)))
    shown = playing.read_until("Anna")
    assert playing.close() == EXIT_TERMINATED
    assert "\x1b[24;1H" in shown
    assert "\x1b[25;1H" not in shown


def test_what_was_begun_is_put_away_once_whatever_else_comes() -> None:
    ours, theirs = os.openpty()
    put_away = []

    async def show() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGTERM)
            for _ in range(10):
                await asyncio.sleep(0)
            put_away.append("server")

    with os.fdopen(theirs, encoding="utf-8") as terminal:
        assert not is_gone(terminal)
        os.close(ours)
        assert is_gone(terminal)
        with pytest.raises(typer.Exit) as ended:
            run_until_ended(show(), (terminal,))
    assert ended.value.exit_code == EXIT_TERMINATED
    assert put_away == ["server"]


def test_a_pipe_that_ends_ends_nothing() -> None:
    reading, writing = os.pipe()
    os.close(writing)

    async def count() -> int:
        await asyncio.sleep(0)
        return 7

    with os.fdopen(reading, encoding="utf-8") as pipe:
        assert not is_gone(pipe)
        assert run_until_ended(count(), (pipe,)) == 7


def test_a_hangup_that_is_ignored_stays_ignored() -> None:
    async def be_hung_up() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0)
        return "played on"

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run_until_ended(be_hung_up(), ()) == "played on"
    finally:
        signal.signal(signal.SIGHUP, before)
