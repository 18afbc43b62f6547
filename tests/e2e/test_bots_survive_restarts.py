"""Clients go on by themselves when the server is killed or stopped in the middle of a hand and comes back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from homegame_cli.child_server import ChildServer
from homegame_client import Client, GrpcTransport, TableRef, open_channel
from homegame_client.bots import STYLES, Bot

if TYPE_CHECKING:
    from pathlib import Path

BREAKS = 3
PLAYERS = 3


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "stopped"])
@pytest.mark.parametrize("by_stream", [True, False], ids=["stream", "calls"])
async def test_bots_play_on_after_every_restart_and_lose_nothing(
    tmp_path: Path, *, is_killed: bool, by_stream: bool
) -> None:
    server = await ChildServer.start(tmp_path)
    try:
        async with open_channel(server.address) as channel:
            client = Client(GrpcTransport(channel))
            created = await client.nights.create(
                name="Tuesday", format_id="points-night", seats=PLAYERS, cutoff_in_ms=600_000, hand_pause_ms=100
            )
            host = client.with_token(created.host_token)
            table = TableRef(created.night_id, created.table_ids[0])
            # Bots that like to stay: a hand takes many turns.
            bots = [
                Bot(
                    client,
                    table,
                    name=f"bot {n}",
                    style=STYLES[4],
                    seed="1",
                    think_ms=(1, 5),
                    by_stream=by_stream,
                )
                for n in range(PLAYERS)
            ]
            for bot in bots:
                await bot.sit_down()
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await host.nights.record_read_aloud(table.night_id)
            await host.nights.open(table.night_id)
            breaks = 0
            numbers = []
            async for event in client.tables.watch(table):
                numbers.append(event.number)
                kind = event.WhichOneof("event")
                if kind == "action_required" and breaks < BREAKS and len(numbers) > 30 * (breaks + 1):
                    breaks += 1
                    address = server.address
                    if is_killed:
                        server.kill()
                    await server.stop()  # Of a killed one: wait until it is gone.
                    server = await ChildServer.start(tmp_path, address)
                if kind == "hand_ended" and breaks == BREAKS:
                    await host.nights.close(table.night_id)
            reports = await asyncio.gather(*playing)
            sheet = await client.nights.scoresheet(table)
    finally:
        await server.stop()
    assert breaks == BREAKS
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(dict(report.refused) == {} for report in reports)
    assert all(report.breaks >= BREAKS for report in reports)
    assert sum(column.stack_points for column in sheet.columns) == sheet.total_chips == 100 * PLAYERS
