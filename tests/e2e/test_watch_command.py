"""`homegame watch` shows a table of a running server as spectators see it, and says what is wrong when it cannot."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from homegame_cli.child_server import ChildServer
from homegame_client import Client, GrpcTransport, TableRef, open_channel
from homegame_client.bots import STYLES, Bot
from tests.e2e.command import start_homegame

if TYPE_CHECKING:
    from pathlib import Path


async def test_it_shows_the_night_to_its_end_and_then_the_sheet(tmp_path: Path) -> None:
    server = await ChildServer.start(tmp_path)
    try:
        async with open_channel(server.address) as channel:
            client = Client(GrpcTransport(channel))
            created = await client.nights.create(
                name="Tuesday", format_id="points-night", seats=2, cutoff_in_ms=60_000, hand_pause_ms=1_000
            )
            host = client.with_token(created.host_token)
            table = TableRef(created.night_id, created.table_ids[0])
            bots = [Bot(client, table, name=name, style=STYLES[4], seed="1", think_ms=(0, 1)) for name in ("Ada", "Bo")]
            for bot in bots:
                await bot.sit_down()
            watching = await asyncio.to_thread(start_homegame, "watch", server.address, table.night_id, "--plain")
            assert watching.stdout is not None
            first = await asyncio.to_thread(watching.stdout.readline)
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await host.nights.record_read_aloud(table.night_id)
            await host.nights.open(table.night_id)
            async for event in client.tables.watch(table):
                if event.WhichOneof("event") == "hand_ended":
                    await host.nights.close(table.night_id)
            await asyncio.gather(*playing)
            out, err = await asyncio.to_thread(watching.communicate, timeout=60)
    finally:
        await server.stop()
    assert watching.returncode == 0, err
    assert first == "Tuesday: Points-only hold'em night, 100 each, blinds 1/2, bets 2 and 4\n"
    assert "The night is open" in out
    assert re.search(r"^Hand 1: (Ada|Bo) has the button$", out, re.MULTILINE)
    assert "dealt" not in out
    assert "Final sheet: 1 hand, " in out


def test_a_server_that_is_not_there_is_named() -> None:
    process = start_homegame("watch", "127.0.0.1:1", "night-1")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "is a server running at 127.0.0.1:1?" in err
    assert "Traceback" not in err


async def test_a_night_that_is_not_there_is_a_clear_refusal(tmp_path: Path) -> None:
    server = await ChildServer.start(tmp_path)
    try:
        process = await asyncio.to_thread(start_homegame, "watch", server.address, "night-1")
        _, err = await asyncio.to_thread(process.communicate, timeout=60)
    finally:
        await server.stop()
    assert process.returncode == 1
    assert err.startswith("homegame watch: ")
    assert "Traceback" not in err


def test_an_address_that_cannot_be_one_is_a_usage_error() -> None:
    process = start_homegame("watch", "localhost", "night-1")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "expected HOST:PORT" in err
