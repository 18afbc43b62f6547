"""`Play`: a seat's decisions and events over one stream, the same decisions as `Act` takes and the same events as are watched."""

# ruff: noqa: SLF001 - what is shared and what is not can only be seen from inside

from __future__ import annotations

import asyncio
import itertools
import random
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from homegame.v1 import actions_pb2, night_service_pb2, play_service_pb2, table_service_pb2
from homegame_server.app import Server
from homegame_server.config import Limits
from homegame_server.journal.memory import FaultPoint
from tests.server.bot_night import play
from tests.server.running_server import World, serving, turn_until
from tests.server.stream_client import SeatStream, StreamBot, as_call, decision, opening, reason_of
from tests.server.table_client import (
    TableClient,
    bearer,
    choose,
    open_night,
    read_refusal,
    refusal,
    request_id,
    seat_night,
    watch,
)
from tests.server.test_deadlines import dealt, view_of
from tests.server.test_idempotency import n_acts

if TYPE_CHECKING:
    from homegame.v1 import events_pb2
    from tests.server.table_client import Refused, SeatedNight

FOLD = actions_pb2.PlayerAction(fold=actions_pb2.Fold())
CALL = actions_pb2.PlayerAction(call=actions_pb2.Call())
HUGE_RAISE = actions_pb2.PlayerAction(**{"raise": actions_pb2.Raise(to_chips=1_000_000)})  # type: ignore[arg-type]


async def watched(client: TableClient, night: SeatedNight, last: int, token: str = "") -> list[events_pb2.TableEvent]:
    """The first events of a table, from `WatchTable`."""
    stream = watch(client, night, token=token)
    events = [await anext(stream) for _ in range(last)]
    await stream.aclose()  # type: ignore[attr-defined]
    return events


async def ending(stream: SeatStream) -> Refused:
    """Read to the end, which must be an error, and return it."""
    with pytest.raises(grpc.aio.AioRpcError) as ended:  # noqa: PT012 - any of the reads
        while await stream.read() is not None:
            pass
    return read_refusal(ended.value)


async def actor_stream(client: TableClient, night: SeatedNight) -> SeatStream:
    """The open stream of whoever is to act, everything read."""
    view = await view_of(client, night)
    stream = await SeatStream(client, night, night.token_of(view.legal.seat)).open()
    await stream.read_to(view.last_number)
    return stream


# --- Playing --------------------------------------------------------------------------------------------------------------


async def test_a_whole_night_over_streams() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 4)
        streams = [SeatStream(client, night, player.token) for player in night.players]
        bots = [StreamBot(stream, player.seat, world, 1) for stream, player in zip(streams, night.players, strict=True)]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        await open_night(client, night)
        await asyncio.gather(*playing)
        for stream, player in zip(streams, night.players, strict=True):
            # What is played is what is watched, with one's own cards open.
            assert stream.events == await watched(client, night, stream.last_number, player.token)
            assert all(reason_of(answer) == "" for answer in stream.answers)
            stream.cancel()
        sheet = await client.nights.GetScoresheet(night_service_pb2.GetScoresheetRequest(**night.ids))
        n_cuts = sum(event.HasField("deck_cut") and not event.deck_cut.by_clock for event in streams[0].events)
        assert sum(len(stream.answers) for stream in streams) == await n_acts(world, night) + n_cuts > 40
        assert len(sheet.scoresheet.rows) > 3


async def test_an_answer_and_what_it_caused_come_in_one_message() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        stream = await actor_stream(client, night)
        number = stream.events[-1].action_required.action_number
        await stream.send(decision(number, FOLD))
        response = await stream.read()
        assert response is not None
        (answer,) = response.answers
        assert answer.accepted.last_number == response.last_number == response.events[-1].number
        assert answer.accepted.action_number == number + 1
        assert answer.accepted.accepted_at_ms == response.events[0].at_ms == world.clock.now_ms()
        stream.cancel()


async def test_a_token_of_the_time_bank_is_taken_on_the_stream() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        stream = await actor_stream(client, night)
        required = stream.events[-1].action_required
        given = play_service_pb2.PlayInput(request_id=request_id(), action_number=required.action_number)
        given.time_bank_token.SetInParent()
        answer = await stream.ask(given)
        assert answer.time_bank_used.deadline_at_ms > required.deadline_at_ms
        same = play_service_pb2.UseTimeBankRequest(
            request_id=given.request_id, action_number=given.action_number, **night.ids
        )
        metadata = bearer(night.token_of(required.seat))
        assert await client.play.UseTimeBank(same, metadata=metadata) == answer.time_bank_used
        stream.cancel()


async def test_acting_by_call_and_by_stream_mix() -> None:
    """Each turn is answered by the one or the other; every answer and every event is as if by one of them alone."""
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=20_000)
        streams = {player.seat: await SeatStream(client, night, player.token).open() for player in night.players}
        await open_night(client, night)
        chance, by_stream = random.Random(3), itertools.cycle((True, False, True))  # noqa: S311
        last = 0
        async for event in watch(client, night):
            kind = event.WhichOneof("event")
            if kind == "action_required":
                world.clock.advance(200)
                required = event.action_required
                given = decision(required.action_number, choose(required.legal, chance))
                if next(by_stream):
                    answer = (await streams[required.seat].ask(given)).accepted
                else:
                    answer = await client.play.Act(
                        as_call(night, given), metadata=bearer(night.token_of(required.seat))
                    )
                assert answer.action_number > required.action_number
                last = answer.last_number
            elif kind in ("night_opened", "button_placed"):
                world.clock.advance(world.limits.hand_pause_ms)
            elif kind == "session_finished":
                last = event.number
                break
        for seat, stream in streams.items():
            await stream.read_to(last)
            assert stream.events == await watched(client, night, last, night.token_of(seat))
            stream.cancel()


# --- Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "reason", "facts"),
    [
        (lambda number: decision(number + 1, FOLD), "STALE_ACTION", {"action_number"}),
        (lambda number: decision(number, HUGE_RAISE), "INSUFFICIENT_STACK", {"rule_id", "raise_to_max_chips"}),
        (lambda number: decision(number, actions_pb2.PlayerAction()), "BAD_REQUEST", set()),
        (lambda number: decision(number, FOLD, request="none"), "BAD_REQUEST", set()),
        (lambda number: decision(number * 0, FOLD), "BAD_REQUEST", set()),
        (
            lambda number: play_service_pb2.PlayInput(request_id=request_id(), action_number=number),
            "BAD_REQUEST",
            set(),
        ),
    ],
)
async def test_a_refusal_is_acts_and_leaves_the_stream_open(given: Any, reason: str, facts: set[str]) -> None:  # noqa: ANN401
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        stream = await actor_stream(client, night)
        number = stream.events[-1].action_required.action_number
        bad = given(number)
        before = await n_acts(world, night)
        answer = await stream.ask(bad)
        assert reason_of(answer) == reason
        token = night.token_of(stream.events[-1].action_required.seat)
        call = as_call(night, bad)
        if not bad.HasField("action"):
            call.ClearField("action")
        refused = await refusal(client.play.Act(call, metadata=bearer(token)))
        assert answer.refused == refused.status
        assert facts <= set(refused.metadata)
        assert await n_acts(world, night) == before
        assert (await stream.ask(decision(number, FOLD))).accepted.action_number == number + 1
        stream.cancel()


async def test_out_of_turn_on_a_stream() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        other = await SeatStream(client, night, night.token_of((view.legal.seat + 1) % 3)).open()
        answer = await other.ask(decision(view.action_number, FOLD))
        assert reason_of(answer) == "OUT_OF_TURN"
        other.cancel()


async def test_an_opening_that_is_refused() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        token, host = night.players[0].token, night.host_token

        async def opened(message: play_service_pb2.PlayRequest, token: str) -> tuple[str, list[str]]:
            call: Any = client.play.Play(metadata=bearer(token))
            await call.write(message)
            refused = await refusal(call.read())
            return refused.reason, refused.fields

        of_table = opening(night)
        elsewhere = play_service_pb2.PlayRequest(opening=of_table.opening)
        elsewhere.opening.table_id = "elsewhere"
        nowhere = play_service_pb2.PlayRequest(opening=of_table.opening)
        nowhere.opening.night_id = "nowhere"
        nameless = play_service_pb2.PlayRequest(opening=of_table.opening)
        nameless.opening.night_id = ""
        assert await opened(of_table, "") == ("UNAUTHENTICATED", [])
        assert await opened(of_table, "nonsense") == ("UNAUTHENTICATED", [])
        assert await opened(nowhere, token) == ("UNAUTHENTICATED", [])  # The token is of another night.
        assert await opened(elsewhere, token) == ("NOT_FOUND", [])
        assert await opened(of_table, host) == ("NOT_YOUR_ROLE", [])  # The host has no seat.
        assert await opened(nameless, token) == ("BAD_REQUEST", ["night_id"])
        assert await opened(opening(night, 10_000), token) == ("BAD_REQUEST", ["after_seq"])
        assert await opened(opening(night, -1), token) == ("BAD_REQUEST", ["after_seq"])
        not_an_opening = play_service_pb2.PlayRequest(input=decision(1, FOLD))
        assert await opened(not_an_opening, token) == ("BAD_REQUEST", ["opening"])
        assert await opened(play_service_pb2.PlayRequest(), token) == ("BAD_REQUEST", ["opening"])


async def test_bytes_that_are_no_message_first_or_later_and_a_side_closed_before_the_opening() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        metadata = bearer(night.players[0].token)
        channel: Any = client.channel
        play_raw = channel.stream_stream("/homegame.v1.PlayService/Play")
        for messages in ([b"\xff\xff"], [opening(night).SerializeToString(), b"\xff\xff"], []):
            call = play_raw(metadata=metadata)
            for message in messages:
                await call.write(message)
            await call.done_writing()
            with pytest.raises(grpc.aio.AioRpcError) as ended:  # noqa: PT012 - any of the reads
                while await call.read() is not grpc.aio.EOF:
                    pass
            assert read_refusal(ended.value).reason == "BAD_REQUEST"


async def test_a_second_opening_ends_the_stream() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        stream = await SeatStream(client, night, night.players[0].token).open()
        await stream.read()
        await stream.call.write(opening(night, stream.last_number))
        refused = await ending(stream)
        assert (refused.reason, refused.fields) == ("BAD_REQUEST", ["input"])


# --- Repeats --------------------------------------------------------------------------------------------------------------


async def test_a_repeat_gets_the_first_answer_on_any_stream_and_by_call_also_after_a_restart() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        stream = await actor_stream(client, night)
        required = stream.events[-1].action_required
        token = night.token_of(required.seat)
        given = decision(required.action_number, FOLD)
        first = await stream.ask(given)
        before = await n_acts(world, night)
        assert await stream.ask(given) == first
        stream.cancel()
        again = await SeatStream(client, night, token, stream.last_number).open()
        assert await again.ask(given) == first
        again.cancel()
        assert await client.play.Act(as_call(night, given), metadata=bearer(token)) == first.accepted
        other = decision(required.action_number + 1, FOLD, request=given.request_id)
        third = await SeatStream(client, night, token).open()
        assert reason_of(await third.ask(other)) == "REQUEST_ID_REUSED"
        third.cancel()
    async with serving(world) as (_, client):
        late = await SeatStream(client, night, token).open()
        assert await late.ask(given) == first
        late.cancel()
        assert await n_acts(world, night) == before


async def test_a_call_repeated_on_a_stream_is_the_same_request() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        token = night.token_of(view.legal.seat)
        given = decision(view.action_number, FOLD)
        first = await client.play.Act(as_call(night, given), metadata=bearer(token))
        stream = await SeatStream(client, night, token).open()
        assert (await stream.ask(given)).accepted == first
        stream.cancel()


async def test_a_decision_that_the_store_lost_is_refused_as_such_and_taken_when_sent_again() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        for point in (FaultPoint.BEFORE_WRITE, FaultPoint.AFTER_WRITE):
            stream = await actor_stream(client, night)
            required = stream.events[-1].action_required
            given = decision(required.action_number, CALL if point is FaultPoint.BEFORE_WRITE else FOLD)
            world.journal.fail_next(point)
            assert reason_of(await stream.ask(given)) == "STORE_UNAVAILABLE"
            assert (await stream.ask(given)).accepted.action_number == required.action_number + 1
            stream.cancel()


async def test_decisions_sent_ahead_are_answered_in_order_and_bounded() -> None:
    """A client that only sends is slowed down by the transport, not stored; once it reads, everything is answered."""
    world = World()
    async with serving(world) as (server, client):
        night = await dealt(client, world)
        stream = await actor_stream(client, night)
        number = stream.events[-1].action_required.action_number
        for _ in range(300):
            await stream.send(decision(number + 1, FOLD))
        assert (await server.registry.find(night.night_id)).waiting_count <= 1
        await stream.read_until(lambda: len(stream.answers) == 300)
        assert {reason_of(answer) for answer in stream.answers} == {"STALE_ACTION"}
        stream.cancel()


# --- Resuming -------------------------------------------------------------------------------------------------------------


async def test_a_stream_opened_after_any_number_is_the_same_from_there() -> None:
    world = World(limits=Limits(hand_pause_ms=1000, frame_events_max=7))
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=12_000)
        await open_night(client, night)
        last = len(await play(client, night, world))
        token = night.players[1].token
        whole = await watched(client, night, last, token)
        for after_seq in range(last):
            stream = await SeatStream(client, night, token, after_seq).open()
            await stream.read_to(last)
            assert stream.events == whole[after_seq:]
            stream.cancel()


async def test_a_seat_that_does_not_read_is_dropped_with_lagged_and_goes_on_where_it_was() -> None:
    world = World(limits=Limits(hand_pause_ms=1000, lag_events_max=100))
    async with serving(world) as (server, client):
        night = await seat_night(client, 6, cutoff_in_ms=3_600_000)
        narrow = TableClient(
            server.address, options=(("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))
        )
        token = night.players[2].token
        stream = await SeatStream(narrow, night, token).open()
        await stream.read()
        await open_night(client, night)
        await play(client, night, world, n_actions_max=1500)
        log = (await server.registry.find(night.night_id)).log
        refused = await ending(stream)
        assert (refused.reason, refused.code) == ("LAGGED", grpc.StatusCode.ABORTED)
        assert stream.last_number < log.last_number - 100
        assert 0 < int(refused.metadata["last_number"]) <= stream.last_number
        rest = await SeatStream(client, night, token, stream.last_number).open()
        await rest.read_to(log.last_number)
        assert stream.events + rest.events == await watched(client, night, log.last_number, token)
        rest.cancel()
        await narrow.close()


async def test_a_stop_answers_what_is_in_hand_and_ends_the_stream_with_stopping() -> None:
    world = World()
    world.journal = world.journal.reopened()
    server = await Server.start(world.parts(), "127.0.0.1:0")
    client = TableClient(server.address)
    night = await dealt(client, world)
    stream = await actor_stream(client, night)
    required = stream.events[-1].action_required
    given, late = decision(required.action_number, CALL), decision(required.action_number + 1, FOLD)
    world.journal.pause()
    await stream.send(given)
    await turn_until(lambda: world.journal.stats().waiting)
    await stream.send(late)
    stopping = asyncio.ensure_future(server.stop())
    await turn_until(lambda: server.registry.is_stopping)
    world.journal.resume()
    refused = await ending(stream)
    assert (refused.reason, refused.code) == ("STOPPING", grpc.StatusCode.UNAVAILABLE)
    # What was in hand is answered, with its events; what came after is for the next server.
    assert [answer.request_id for answer in stream.answers] == [given.request_id]
    assert stream.answers[0].accepted.last_number == stream.last_number
    await stopping
    await client.close()
    async with serving(world) as (_, client):
        again = await SeatStream(client, night, night.token_of(required.seat), stream.last_number).open()
        assert (await again.ask(given)) == stream.answers[0]
        assert reason_of(await again.ask(late)) == "OUT_OF_TURN"
        again.cancel()


async def test_the_stream_of_a_closed_night_ends_with_ok_live_and_later() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        token = night.players[0].token
        live = await SeatStream(client, night, token).open()
        await live.read()
        await client.nights.CloseNight(
            night_service_pb2.CloseNightRequest(request_id=request_id(), night_id=night.night_id),
            metadata=bearer(night.host_token),
        )
        while await live.read() is not None:
            pass
        assert live.events[-1].WhichOneof("event") == "night_closed"
        assert await live.call.code() is grpc.StatusCode.OK
        later = await SeatStream(client, night, token).open()
        while await later.read() is not None:
            pass
        assert later.events == live.events


async def test_a_client_that_closes_its_side_goes_on_receiving() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        stream = await actor_stream(client, night)
        required = stream.events[-1].action_required
        await stream.send(decision(required.action_number, FOLD))
        await stream.call.done_writing()
        await play(client, night, world, after_seq=stream.last_number, n_actions_max=3)
        last = (await view_of(client, night)).last_number
        await stream.read_to(last)
        assert len(stream.answers) == 1
        stream.cancel()


# --- What it costs --------------------------------------------------------------------------------------------------------


async def test_a_frame_is_encoded_once_for_players_and_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    async with serving(world) as (server, client):
        night = await dealt(client, world, n_players=3)
        log = (await server.registry.find(night.night_id)).log
        view = await view_of(client, night)
        streams = [await SeatStream(client, night, player.token, view.last_number).open() for player in night.players]
        watchers = [
            client.tables.WatchTable(table_service_pb2.WatchTableRequest(after_seq=view.last_number, **night.ids))
            for _ in range(3)
        ]
        await turn_until(lambda: len(log._readers) == 6)
        encoded: list[int] = []
        encoder = log._encoder
        counting = encoder._replace(event=lambda event: encoded.append(event.number) or encoder.event(event))  # type: ignore[func-returns-value]
        monkeypatch.setattr(log, "_encoder", counting)
        await streams[view.legal.seat].send(decision(view.action_number, FOLD))
        for reading in [*(stream.read() for stream in streams), *(watcher.read() for watcher in watchers)]:
            await reading
        assert sorted(encoded) == list(range(view.last_number + 1, log.last_number + 1))
        for call in (*(stream.call for stream in streams), *watchers):
            call.cancel()


async def test_a_stream_that_is_gone_leaves_nothing_behind() -> None:
    world = World()
    async with serving(world) as (server, client):
        night = await dealt(client, world)
        log = (await server.registry.find(night.night_id)).log
        n_tasks = len(asyncio.all_tasks())
        streams = [await SeatStream(client, night, player.token).open() for player in night.players]
        await turn_until(lambda: len(log._readers) == len(streams))
        for stream in streams:
            stream.cancel()
        await turn_until(lambda: not log.has_readers and len(asyncio.all_tasks()) <= n_tasks)
