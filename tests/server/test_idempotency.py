"""The same request gets the same answer, once; the same id with anything else is refused."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from homegame.v1 import actions_pb2, night_service_pb2, play_service_pb2, table_service_pb2
from homegame_server.journal.memory import FaultPoint
from tests.server.bot_night import play
from tests.server.running_server import World, serving
from tests.server.table_client import (
    SeatedNight,
    TableClient,
    act_request,
    asks_for_cut,
    bearer,
    choose,
    open_night,
    refusal,
    request_id,
    seat_night,
    watch,
)

if TYPE_CHECKING:
    from homegame.v1 import views_pb2


async def next_turn(client: TableClient, night: SeatedNight) -> views_pb2.TableView:
    response: table_service_pb2.GetTableResponse = await client.tables.GetTable(
        table_service_pb2.GetTableRequest(**night.ids)
    )
    return response.table


def call_or_check(view: views_pb2.TableView) -> actions_pb2.PlayerAction:
    if actions_pb2.ACTION_KIND_CALL in view.legal.kinds:
        return actions_pb2.PlayerAction(call=actions_pb2.Call(call_chips=view.legal.call_chips))
    return actions_pb2.PlayerAction(check=actions_pb2.Check())


async def start_hand(client: TableClient, world: World, n_players: int = 3) -> SeatedNight:
    night = await seat_night(client, n_players)
    await open_night(client, night)
    await play(client, night, world, n_actions_max=0)
    return night


async def n_acts(world: World, night: SeatedNight) -> int:
    """Rows of actions in a hand; the cuts before it are none."""
    rows = await world.journal.read(night.night_id)
    return sum(b'"input":"Act"' in row.input and b"DeckCut" not in row.events for row in rows)


async def test_a_repeated_action_gets_the_first_answer_and_happens_once() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await start_hand(client, world)
        view = await next_turn(client, night)
        request = act_request(night, view.action_number, call_or_check(view))
        metadata = bearer(night.token_of(view.legal.seat))
        first = await client.play.Act(request, metadata=metadata)
        before = await n_acts(world, night)
        world.clock.advance(500)
        assert await client.play.Act(request, metadata=metadata) == first
        await play(client, night, world, after_seq=first.last_number - 1, n_actions_max=5)
        assert await client.play.Act(request, metadata=metadata) == first
        assert await n_acts(world, night) == before + 5
    async with serving(world) as (_, client):
        assert await client.play.Act(request, metadata=metadata) == first


async def test_the_same_id_with_another_body_or_caller_or_method_is_refused() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await start_hand(client, world)
        view = await next_turn(client, night)
        request = act_request(night, view.action_number, call_or_check(view))
        actor = bearer(night.token_of(view.legal.seat))
        await client.play.Act(request, metadata=actor)
        other_body = act_request(night, view.action_number + 1, request.action, request_id=request.request_id)
        other_seat = bearer(night.token_of((view.legal.seat + 1) % 3))
        other_method = table_service_pb2.SitOutRequest(request_id=request.request_id, **night.ids)
    async with serving(world) as (_, client):
        for call in (
            client.play.Act(other_body, metadata=actor),
            client.play.Act(request, metadata=other_seat),
            client.tables.SitOut(other_method, metadata=actor),
        ):
            assert (await refusal(call)).reason == "REQUEST_ID_REUSED"


async def test_a_refusal_is_not_remembered() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        request = table_service_pb2.SitOutRequest(request_id=request_id(), **night.ids)
        metadata = bearer(night.token_of(0))
        assert (await refusal(client.tables.SitOut(request, metadata=metadata))).reason == "HAND_OVER"
        await open_night(client, night)
        assert (await client.tables.SitOut(request, metadata=metadata)).accepted_at_ms == world.clock.now_ms()


async def test_ten_copies_at_once_happen_once() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await start_hand(client, world)
        view = await next_turn(client, night)
        request = act_request(night, view.action_number, call_or_check(view))
        metadata = bearer(night.token_of(view.legal.seat))
        before = await n_acts(world, night)
        answers = await asyncio.gather(*(client.play.Act(request, metadata=metadata) for _ in range(10)))
        assert all(answer == answers[0] for answer in answers)
        assert await n_acts(world, night) == before + 1


async def test_a_repeated_creation_and_join_get_the_same_ids_and_tokens_also_after_a_restart() -> None:
    world = World()
    create = night_service_pb2.CreateNightRequest(request_id=request_id(), name="Once", format_id="B1")
    async with serving(world) as (_, client):
        created, again = await asyncio.gather(client.nights.CreateNight(create), client.nights.CreateNight(create))
        assert created == again
        join = table_service_pb2.JoinTableRequest(
            request_id=request_id(), night_id=created.night_id, table_id=created.table_ids[0], display_name="Ann"
        )
        joined = await client.tables.JoinTable(join)
        other = night_service_pb2.CreateNightRequest(request_id=create.request_id, name="Twice", format_id="B1")
        assert (await refusal(client.nights.CreateNight(other))).reason == "REQUEST_ID_REUSED"
    world.clock.advance(1_000_000)
    async with serving(world) as (_, client):
        assert await client.nights.CreateNight(create) == created
        assert await client.tables.JoinTable(join) == joined
        assert len(await world.journal.list_nights()) == 1


async def test_a_repeated_seat_is_the_first_one_and_a_repeated_cutoff_stands_where_it_stood() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        joined = await client.tables.JoinTable(
            table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="Late", **night.ids)
        )
        take = table_service_pb2.TakeSeatRequest(request_id=request_id(), **night.ids)
        metadata = bearer(joined.participant_token)
        taken = await client.tables.TakeSeat(take, metadata=metadata)
        post = night_service_pb2.PostCutoffRequest(
            request_id=request_id(), night_id=night.night_id, cutoff_in_ms=90_000
        )
        posted = await client.nights.PostCutoff(post, metadata=bearer(night.host_token))
        world.clock.advance(5_000)
    async with serving(world) as (_, client):
        assert await client.tables.TakeSeat(take, metadata=metadata) == taken
        assert await client.nights.PostCutoff(post, metadata=bearer(night.host_token)) == posted


async def test_an_answer_that_was_lost_by_the_store_is_given_to_the_repeat() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await start_hand(client, world)
        for point in (FaultPoint.BEFORE_WRITE, FaultPoint.AFTER_WRITE):
            view = await next_turn(client, night)
            request = act_request(night, view.action_number, call_or_check(view))
            metadata = bearer(night.token_of(view.legal.seat))
            before = await n_acts(world, night)
            world.journal.fail_next(point)
            refused = await refusal(client.play.Act(request, metadata=metadata))
            assert refused.reason == "STORE_UNAVAILABLE"
            assert int(refused.metadata["retry_after_ms"]) > 0
            answer: play_service_pb2.ActResponse = await client.play.Act(request, metadata=metadata)
            assert answer.action_number == view.action_number + 1
            assert await n_acts(world, night) == before + 1


async def test_every_action_of_a_night_sent_twice_happens_once() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=15_000)
        await open_night(client, night)
        chance = random.Random(5)  # noqa: S311 - repeated on purpose
        n_turns = 0
        async for event in watch(client, night):
            match event.WhichOneof("event"):
                case "action_required":
                    required = event.action_required
                    n_turns += not asks_for_cut(required)
                    world.clock.advance(100)
                    assert required.action_number >= n_turns
                    request = act_request(night, required.action_number, choose(required.legal, chance))
                    metadata = bearer(night.token_of(required.seat))
                    first, second = await asyncio.gather(
                        client.play.Act(request, metadata=metadata), client.play.Act(request, metadata=metadata)
                    )
                    assert first == second
                case "night_opened" | "button_placed":
                    world.clock.advance(1000)
                case "session_finished":
                    break
        assert await n_acts(world, night) == n_turns > 20
