"""After a stop, a crash or a broken store the night is what the journal says, byte for byte, and play goes on by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame.v1 import events_pb2, night_service_pb2, nights_pb2, table_service_pb2
from homegame_engine.night import Night
from homegame_engine.night import inputs as inp
from homegame_server.config import Limits
from homegame_server.journal.base import StoreUnavailable
from homegame_server.journal.memory import FaultPoint, MemoryJournal
from homegame_server.runtime.codec import UnreadableRow, decode_events, decode_input
from tests.server.bot_night import play
from tests.server.running_server import World, serving, turn_until
from tests.server.table_client import bearer, open_night, refusal, request_id, seat_night, watch
from tests.server.test_deadlines import WINDOW_MS, act, dealt, until, view_of

if TYPE_CHECKING:
    from homegame_server.journal.base import JournalRow
    from tests.server.table_client import SeatedNight, TableClient


async def read_all(client: TableClient, night: SeatedNight, n_events: int, token: str = "") -> list[bytes]:
    stream = watch(client, night, token=token)
    events = [(await anext(stream)).SerializeToString(deterministic=True) for _ in range(n_events)]
    await stream.aclose()  # type: ignore[attr-defined]
    return events


async def test_replaying_the_journal_gives_the_same_hash_at_every_row_and_the_same_events() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 6)
        await open_night(client, night)
        await play(client, night, world)
    rows = await world.journal.reopened().read(night.night_id)
    replayed: Night | None = None
    for row in rows:
        given = decode_input(row.input)
        if replayed is None:
            assert isinstance(given, inp.CreateNight)
            replayed, happened = Night.create(given, row.at_ms)
        else:
            happened = replayed.apply(given, row.at_ms)
        assert happened == decode_events(row.events)
        assert replayed.state_hash() == row.state_hash
    assert len(rows) > 100


async def test_after_a_restart_the_same_hand_goes_on_with_the_time_that_was_left() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        await play(client, night, world, after_seq=(await view_of(client, night)).last_number - 1, n_actions_max=2)
        before = await view_of(client, night)
        world.clock.advance(10_000)
    world.clock.advance(5_000_000)
    async with serving(world) as (_, client):
        after = await view_of(client, night)
        # The clock of a decision runs from the last row; what the server did not live to see is given back.
        left_ms = before.deadline_at_ms - before.server_time_ms
        assert after.deadline_at_ms == world.clock.now_ms() + left_ms
        assert after.last_number == before.last_number + 1
        for field in ("deadline_at_ms", "server_time_ms", "last_number"):
            setattr(before, field, getattr(after, field))
        assert after == before
        stream = watch(client, night, after_seq=after.last_number - 1)
        resumed = await anext(stream)
        assert resumed.play_resumed.deadline_at_ms == after.deadline_at_ms
        await act(client, night, after)
        await until(stream, "action_required")
        world.clock.advance(WINDOW_MS)
        assert (await until(stream, "decision_timed_out"))[-1].decision_timed_out.seat != after.legal.seat
        await stream.aclose()  # type: ignore[attr-defined]


async def test_a_posted_cutoff_stays_where_it_is_on_the_clock() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, cutoff_in_ms=60_000)
        await open_night(client, night)
    world.clock.advance(100_000)
    async with serving(world) as (_, client):
        stream = watch(client, night)
        kinds = [event.WhichOneof("event") for event in await until(stream, "session_finished")]
        assert "hand_starting" not in kinds
        await stream.aclose()  # type: ignore[attr-defined]


async def test_a_night_restarted_after_every_action_loses_no_event_and_no_hand() -> None:
    world = World()
    events: list[events_pb2.TableEvent] = []
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=20_000)
        await open_night(client, night)
    n_restarts = 0
    while not events or events[-1].WhichOneof("event") != "session_finished":
        n_restarts += 1
        async with serving(world) as (_, client):
            after_seq = events[-1].number if events else 0
            events += await play(client, night, world, after_seq=after_seq, n_actions_max=1, seed=n_restarts)
            if events[-1].WhichOneof("event") == "action_required":
                events.pop()  # It is read again after the restart, by whoever then acts.
    assert n_restarts > 20
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    kinds = [event.WhichOneof("event") for event in events]
    assert kinds.count("play_resumed") == n_restarts
    assert "hand_voided" not in kinds
    hands = [event.hand_starting.hand_number for event in events if event.WhichOneof("event") == "hand_starting"]
    assert hands == list(range(1, len(hands) + 1))


@pytest.mark.parametrize("point", list(FaultPoint))
async def test_a_store_that_fails_mid_night_costs_one_answer_and_nothing_else(point: FaultPoint) -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        stream = watch(client, night, after_seq=view.last_number)
        world.journal.fail_next(point)
        assert (await refusal(act(client, night, view))).reason == "STORE_UNAVAILABLE"
        after = await view_of(client, night)
        was_written = point is FaultPoint.AFTER_WRITE
        assert (after.last_number > view.last_number) == was_written
        if not was_written:
            await act(client, night, view)
        # Watchers see it once, whenever it became durable.
        events = await until(stream, "action_required")
        assert [event.WhichOneof("event") for event in events] == ["player_called", "action_required"]
        await stream.aclose()  # type: ignore[attr-defined]


async def test_a_store_that_fails_under_the_clocks_own_input_is_tried_again() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        stream = watch(client, night, after_seq=view.last_number)
        world.journal.fail_next(FaultPoint.BEFORE_WRITE)
        world.journal.fail_next(FaultPoint.BEFORE_WRITE)
        world.clock.advance(WINDOW_MS)
        events = await until(stream, "action_required")
        assert [event.WhichOneof("event") for event in events[:2]] == ["decision_timed_out", "player_folded"]
        await stream.aclose()  # type: ignore[attr-defined]


async def test_a_journal_that_cannot_be_read_either_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)

        async def fail(*_: object, **__: object) -> list[JournalRow]:
            raise StoreUnavailable("no disk")

        monkeypatch.setattr(MemoryJournal, "read", fail)
        world.journal.fail_next(FaultPoint.BEFORE_WRITE)
        assert (await refusal(act(client, night, view))).reason == "STORE_UNAVAILABLE"
        get = table_service_pb2.GetTableRequest(**night.ids)
        assert (await refusal(client.tables.GetTable(get))).reason == "STORE_UNAVAILABLE"
        monkeypatch.undo()
        world.clock.advance(2_000)
        await act(client, night, view)


async def test_nobody_is_told_what_is_not_durable() -> None:
    world = World()
    async with serving(world) as (server, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        stream = watch(client, night, after_seq=view.last_number)
        following = asyncio.ensure_future(anext(stream))
        world.journal.pause()
        acting = asyncio.ensure_future(act(client, night, view))
        await turn_until(lambda: world.journal.stats().waiting)
        looking = asyncio.ensure_future(view_of(client, night))
        task = await server.registry.find(night.night_id)
        await turn_until(lambda: task.waiting_count)
        assert task.log.last_number == view.last_number
        assert not any(future.done() for future in (following, acting, looking))
        world.journal.resume()
        answer = await acting
        assert (await following).number == view.last_number + 1
        assert (await looking).last_number == answer.last_number
        await stream.aclose()  # type: ignore[attr-defined]


async def change_row(world: World, night: SeatedNight, back: int, **changes: object) -> None:
    """Damage a stored row, counted from the last."""
    rows = world.journal._storage.nights[night.night_id]  # noqa: SLF001 - no journal changes a row for the asking
    rows[-back] = msgspec.structs.replace(rows[-back], **changes)


@pytest.mark.parametrize(
    ("back", "changes"),
    [
        (1, {"state_hash": bytes(32)}),
        (3, {"state_hash": bytes(32)}),
        (1, {"input": b'{"schema":1,"input":{"input":"TimeOut","action_number":999}}'}),
        (1, {"input": b'{"schema":2,"input":{"input":"FinishSession"}}'}),
        (1, {"input": b'{"schema":1,"input":{"input":"Cheat"}}'}),
    ],
)
async def test_a_night_that_does_not_rebuild_is_stopped_with_an_alarm_and_can_be_read(
    back: int, changes: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        await play(client, night, world, after_seq=(await view_of(client, night)).last_number - 1, n_actions_max=2)
        other = await seat_night(client, 2)
    n_rows = len(await world.journal.reopened().read(night.night_id))
    await change_row(world, night, back, **changes)
    async with serving(world) as (_, client):
        assert any(record.levelname == "CRITICAL" for record in caplog.records)
        refused = await refusal(act(client, night, await view_of(client, night)))
        assert refused.reason in ("TABLE_FROZEN", "NOT_YOUR_ROLE") or not refused.reason
        leave = table_service_pb2.AcknowledgePostingRequest(
            request_id="00000000-0000-4000-8000-000000000000", **night.ids
        )
        refused = await refusal(client.tables.AcknowledgePosting(leave, metadata=bearer(night.token_of(0))))
        assert refused.reason == "TABLE_FROZEN"
        world.clock.advance(10**7)
        await open_other(client, other)
    assert len(await world.journal.reopened().read(night.night_id)) == n_rows


async def open_other(client: TableClient, night: SeatedNight) -> None:
    """A night beside the stopped one is not touched by it."""
    get = table_service_pb2.GetTableRequest(**night.ids)
    assert (await client.tables.GetTable(get)).table.phase == 1


async def test_closed_nights_rest_and_are_read_again_for_whoever_asks() -> None:
    world = World(limits=Limits(resting_nights_max=1))
    nights: list[SeatedNight] = []
    async with serving(world) as (_, client):
        for _ in range(3):
            nights.append(await seat_night(client, 2))
            close = night_service_pb2.CloseNightRequest(request_id=request_id(), night_id=nights[-1].night_id)
            await client.nights.CloseNight(close, metadata=bearer(nights[-1].host_token))
    async with serving(world) as (server, client):
        assert server.registry.loaded_count == 0
        for night in (*nights, *nights):
            assert (await view_of(client, night)).phase == nights_pb2.NIGHT_PHASE_CLOSED
            assert server.registry.loaded_count <= 2


def test_an_unknown_stored_name_is_an_error_never_a_guess() -> None:
    with pytest.raises(UnreadableRow):
        decode_events(b'{"schema":1,"events":[{"event":"HandSwapped","seat":1}]}')
    with pytest.raises(UnreadableRow, match="schema 7"):
        decode_events(b'{"schema":7,"events":[]}')
