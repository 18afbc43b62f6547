"""The SDK's stream against the server: whole nights, restarts, and nothing left behind."""

from __future__ import annotations

import asyncio

from homegame.v1 import actions_pb2
from homegame_client import Client, GrpcTransport, TableRef, open_channel
from homegame_client.bots import STYLES, Bot
from homegame_client.retry import Backoff, RetryPolicy
from homegame_server.config import Limits
from tests.server.running_server import World, serving, turn_until
from tests.server.table_client import open_night, seat_night, watch
from tests.server.test_deadlines import dealt, view_of

CALL = actions_pb2.PlayerAction(call=actions_pb2.Call())


async def test_bots_play_a_whole_night_over_streams() -> None:
    world = World()
    async with serving(world) as (server, client), open_channel(server.address) as channel:
        night = await seat_night(client, 0, seats=3)
        table = TableRef(night.night_id, night.table_id)
        anybody = Client(GrpcTransport(channel))
        bots = [
            Bot(anybody, table, name=f"bot {number}", style=STYLES[number], seed="1", think_ms=(0, 0))
            for number in range(3)
        ]
        for bot in bots:
            await bot.sit_down()
            await bot.acknowledge()
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        await open_night(client, night)
        async for event in watch(client, night):
            kind = event.WhichOneof("event")
            if kind in ("night_opened", "button_placed"):
                world.clock.advance(world.limits.hand_pause_ms)
            elif kind == "action_required":
                world.clock.advance(300)
            elif kind == "session_finished":
                break
        await anybody.with_token(night.host_token).nights.close(night.night_id)
        reports = await asyncio.gather(*playing)
        assert all(report.refused.total() == report.breaks == report.too_late == 0 for report in reports)
        assert sum(report.actions for report in reports) > 30


async def test_a_stream_goes_on_over_restarts_and_leaves_no_task_behind() -> None:
    world = World(limits=Limits(hand_pause_ms=1000, stop_grace_ms=0))
    async with serving(world) as (server, client):
        night = await dealt(client, world)
        address = server.address
        view = await view_of(client, night)
    n_tasks = len(asyncio.all_tasks())
    async with open_channel(address) as channel:
        retry = RetryPolicy(backoff=Backoff(first_ms=1, max_ms=20))
        player = Client(GrpcTransport(channel), night.token_of(view.legal.seat), retry)
        async with player.play.stream(TableRef(night.night_id, night.table_id)) as seat:
            acting = asyncio.create_task(seat.act(action_number=view.action_number, action=CALL))
            for _ in range(3):
                async with serving(world, address) as (server, _):
                    log = (await server.registry.find(night.night_id)).log
                    await turn_until(lambda log=log: log.has_readers)  # type: ignore[misc]
            async with serving(world, address):
                answer = await acting
                assert seat.breaks >= 3
                numbers = []
                async for event in seat:
                    numbers.append(event.number)
                    if event.number == answer.last_number:
                        break
                assert numbers == list(range(1, answer.last_number + 1))
        await turn_until(lambda: len(asyncio.all_tasks()) <= n_tasks)
