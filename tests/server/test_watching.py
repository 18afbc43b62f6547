"""A stream of a table's events: gap-free, the same from wherever one resumes, bounded, and over when the night is."""

# ruff: noqa: SLF001 - what is shared and what is not can only be seen from inside

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc
import pytest

from homegame.v1 import night_service_pb2, table_service_pb2
from homegame_server.config import Limits
from tests.server.bot_night import play
from tests.server.running_server import World, serving
from tests.server.table_client import (
    TableClient,
    bearer,
    open_night,
    read_refusal,
    refusal,
    request_id,
    seat_night,
    watch,
)

if TYPE_CHECKING:
    from homegame.v1 import events_pb2
    from tests.server.table_client import SeatedNight


async def take(client: TableClient, night: SeatedNight, after_seq: int, until: int, token: str = "") -> list[bytes]:
    """Read events up to a number, as bytes."""
    taken: list[bytes] = []
    stream = watch(client, night, after_seq=after_seq, token=token)
    while len(taken) < until - after_seq:
        event: events_pb2.TableEvent = await anext(stream)
        taken.append(event.SerializeToString(deterministic=True))
    await stream.aclose()  # type: ignore[attr-defined]
    return taken


async def close(client: TableClient, night: SeatedNight) -> None:
    await client.nights.CloseNight(
        night_service_pb2.CloseNightRequest(request_id=request_id(), night_id=night.night_id),
        metadata=bearer(night.host_token),
    )


async def test_a_stream_resumed_at_any_number_is_the_same_from_there() -> None:
    world = World(limits=Limits(hand_pause_ms=1000, frame_events_max=7))
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=12_000)
        await open_night(client, night)
        live = await play(client, night, world)
        for token in ("", night.players[1].token):
            whole = await take(client, night, 0, len(live), token)
            if not token:
                assert whole == [event.SerializeToString(deterministic=True) for event in live]
            for after_seq in range(len(live)):
                assert await take(client, night, after_seq, len(live), token) == whole[after_seq:]
    async with serving(world) as (_, client):
        assert await take(client, night, 0, len(live), token) == whole


async def test_the_view_and_the_stream_after_it_meet_without_gap() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        response = await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids))
        await open_night(client, night)
        stream = watch(client, night, after_seq=response.table.last_number)
        first = await anext(stream)
        assert first.number == response.table.last_number + 1
        assert first.WhichOneof("event") == "night_opened"
        await stream.aclose()  # type: ignore[attr-defined]


async def test_a_number_the_table_has_not_reached_is_a_bad_request() -> None:
    async with serving(World()) as (_, client):
        night = await seat_night(client, 2)
        call = client.tables.WatchTable(table_service_pb2.WatchTableRequest(after_seq=10_000, **night.ids))
        refused = await refusal(call.read())
        assert (refused.reason, refused.fields) == ("BAD_REQUEST", ["after_seq"])


async def test_the_stream_of_a_closed_night_ends_with_ok() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        following = asyncio.create_task(collect(client, night))
        await close(client, night)
        events = await following
        assert events[-1].WhichOneof("event") == "night_closed"
    async with serving(world) as (_, client):
        assert await collect(client, night) == events


async def collect(client: TableClient, night: SeatedNight) -> list[events_pb2.TableEvent]:
    return [event async for event in watch(client, night)]


async def test_events_that_wait_share_a_frame() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 6)
        call = client.tables.WatchTable(table_service_pb2.WatchTableRequest(**night.ids))
        frame = await call.read()
        assert len(frame.events) > 10
        assert frame.last_number == len(frame.events)
        assert frame.server_time_ms == world.clock.now_ms()
        call.cancel()


async def test_whoever_has_no_card_in_a_frame_shares_the_spectators_bytes() -> None:
    world = World()
    async with serving(world) as (server, client):
        night = await seat_night(client, 3)
        await open_night(client, night)
        await play(client, night, world, n_actions_max=1)
        log = (await server.registry.find(night.night_id)).log
        dealt = next(n.number for n in log._events if type(n.event).__name__ == "HoleCardsDealt")
        before = [log.frame(0, seat) for seat in (None, 0, 1, 2)]
        assert len({id(frame) for frame in before}) == 4  # Everybody's cards lie in this one.
        log._frame_max = 1
        shared = [log.frame(dealt - 2, seat) for seat in (None, 0, 1, 2)]
        assert len({id(frame) for frame in shared}) == 1
        owner = log._events[dealt - 1].event.seat  # type: ignore[union-attr]
        own = [log.frame(dealt - 1, seat) for seat in (None, 0, 1, 2)]
        assert [frame is own[0] for frame in own] == [True, *(seat != owner for seat in range(3))]


async def test_a_reader_that_does_not_keep_up_is_dropped_with_lagged_and_resumes() -> None:
    world = World(limits=Limits(hand_pause_ms=1000, lag_events_max=100))
    async with serving(world) as (server, client):
        night = await seat_night(client, 6, cutoff_in_ms=3_600_000)
        # No read, no flow-control window to speak of: the transport takes little and the rest waits.
        narrow = TableClient(
            server.address, options=(("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))
        )
        call = narrow.tables.WatchTable(table_service_pb2.WatchTableRequest(**night.ids))
        first = await call.read()
        await open_night(client, night)
        live = await play(client, night, world, n_actions_max=1500)
        task = await server.registry.find(night.night_id)
        assert len(live) > 4000
        received = [event.number for event in first.events]
        with pytest.raises(grpc.aio.AioRpcError) as dropped:  # noqa: PT012 - any of the reads
            while True:
                frame = await call.read()
                assert frame is not grpc.aio.EOF
                received += [event.number for event in frame.events]
        refused = read_refusal(dropped.value)
        assert refused.reason == "LAGGED"
        assert refused.code == grpc.StatusCode.ABORTED
        # What the transport had taken arrives in order; a resume after it misses nothing.
        assert received == list(range(1, len(received) + 1))
        assert len(received) < len(live) - 100
        assert 0 < int(refused.metadata["last_number"]) <= received[-1]
        rest = await take(client, night, received[-1], task.log.last_number)
        assert len(rest) == task.log.last_number - len(received)
        await narrow.close()


async def test_catching_up_on_a_long_night_is_not_lagging() -> None:
    world = World(limits=Limits(hand_pause_ms=1000, lag_events_max=20, frame_events_max=10))
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=20_000)
        await open_night(client, night)
        live = await play(client, night, world)
        assert len(await take(client, night, 0, len(live))) == len(live)
