"""Going down gracefully: health first, watchers told where to go on, waiting requests answered, nothing lost."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from homegame.v1 import night_service_pb2, table_service_pb2
from homegame_engine.errors import InputError
from homegame_server.app import Server
from tests.server.running_server import World, serving, turn_until
from tests.server.table_client import TableClient, read_refusal, refusal, request_id, seat_night
from tests.server.test_deadlines import act, dealt, view_of


async def test_a_stop_ends_watchers_with_stopping_answers_what_waits_and_refuses_the_rest() -> None:
    world = World()
    world.journal = world.journal.reopened()
    server = await Server.start(world.parts(), "127.0.0.1:0")
    client = TableClient(server.address)
    night = await dealt(client, world)
    view = await view_of(client, night)
    health: Any = health_pb2_grpc.HealthStub(client.channel)
    health_watch = health.Watch(health_pb2.HealthCheckRequest())
    assert (await health_watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    stream = client.tables.WatchTable(table_service_pb2.WatchTableRequest(after_seq=view.last_number, **night.ids))
    world.journal.pause()
    acting = asyncio.ensure_future(act(client, night, view))
    await turn_until(lambda: world.journal.stats().waiting)
    stopping = asyncio.ensure_future(server.stop())
    # The health watch ends by itself, before anything else is waited for.
    assert (await health_watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    assert await health_watch.read() is grpc.aio.EOF
    join = table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="Late", **night.ids)
    refused = await refusal(client.tables.JoinTable(join))
    assert (refused.reason, refused.code) == ("STOPPING", grpc.StatusCode.UNAVAILABLE)
    assert int(refused.metadata["retry_after_ms"]) > 0
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await stream.read()
    assert read_refusal(ended.value).reason == "STOPPING"
    world.journal.resume()
    answer = await acting
    await stopping
    await client.close()
    async with serving(world) as (_, client):
        after = await view_of(client, night)
        assert after.last_number == answer.last_number + 1  # The one after it is PlayResumed.
        assert after.action_number == answer.action_number


async def test_a_stop_with_nothing_going_on_is_quick_and_a_stopped_server_refuses_connections() -> None:
    world = World()
    async with serving(world) as (server, client):
        await seat_night(client, 2)
        address = server.address
    late = TableClient(address)
    refused = await refusal(late.nights.GetNight(night_service_pb2.GetNightRequest(night_id="night-0"), timeout=5))
    assert refused.code == grpc.StatusCode.UNAVAILABLE
    await late.close()


async def test_two_servers_do_not_share_a_port() -> None:
    world, other = World(), World()
    async with serving(world) as (server, _):
        with pytest.raises(InputError, match="that nothing else listens on"):
            await Server.start(other.parts(), server.address)
