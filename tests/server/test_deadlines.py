"""The decision clock: what happens when a window ends, and on which side the last moment lies (PROC-CLK-01 to 05)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from homegame.v1 import actions_pb2, catalog_service_pb2, events_pb2, night_service_pb2, table_service_pb2
from tests.server.bot_night import play
from tests.server.running_server import World, serving, turn_until
from tests.server.table_client import (
    SeatedNight,
    TableClient,
    act_request,
    bearer,
    cut,
    open_night,
    refusal,
    request_id,
    seat_night,
    watch,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from homegame.v1 import views_pb2

WINDOW_MS = 30_000
CALL = actions_pb2.PlayerAction(call=actions_pb2.Call())


async def dealt(client: TableClient, world: World, n_players: int = 3, **settings: Any) -> SeatedNight:  # noqa: ANN401
    night = await seat_night(client, n_players, **{"cutoff_in_ms": 3_600_000, **settings})
    await open_night(client, night)
    await play(client, night, world, n_actions_max=0)
    return night


async def view_of(client: TableClient, night: SeatedNight) -> views_pb2.TableView:
    response: table_service_pb2.GetTableResponse = await client.tables.GetTable(
        table_service_pb2.GetTableRequest(**night.ids)
    )
    return response.table


async def until(stream: AsyncIterator[events_pb2.TableEvent], kind: str) -> list[events_pb2.TableEvent]:
    """Read events up to one of a kind."""
    read: list[events_pb2.TableEvent] = []
    async for event in stream:
        read.append(event)
        if event.WhichOneof("event") == kind:
            break
    return read


async def cut_and_deal(
    client: TableClient, night: SeatedNight, stream: AsyncIterator[events_pb2.TableEvent]
) -> events_pb2.HandStarting:
    """Cut the deck that is sealed next, and read on to the hand."""
    asked = (await until(stream, "deck_sealed"), await until(stream, "action_required"))[1]
    await cut(client, night, asked[-1].action_required)
    return (await until(stream, "hand_starting"))[-1].hand_starting


def act(client: TableClient, night: SeatedNight, view: views_pb2.TableView) -> Any:  # noqa: ANN401 - a call
    request = act_request(night, view.action_number, CALL)
    return client.play.Act(request, metadata=bearer(night.token_of(view.legal.seat)))


async def test_proc_clk_03_the_clock_folds_when_something_is_owed_and_checks_when_not() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world, n_players=2)
        view = await view_of(client, night)
        stream = watch(client, night, after_seq=view.last_number)
        await act(client, night, view)  # The small blind completes; the big blind owes nothing.
        await until(stream, "action_required")
        world.clock.advance(WINDOW_MS)
        checked = await until(stream, "action_required")
        assert [event.WhichOneof("event") for event in checked[:2]] == ["decision_timed_out", "player_checked"]
        assert checked[0].at_ms == world.clock.now_ms()
        required = checked[-1].action_required
        bet = actions_pb2.PlayerAction(bet=actions_pb2.Bet(to_chips=2))
        request = act_request(night, required.action_number, bet)
        await client.play.Act(request, metadata=bearer(night.token_of(required.seat)))
        await until(stream, "action_required")
        world.clock.advance(WINDOW_MS)
        folded = await until(stream, "hand_ended")
        assert [event.WhichOneof("event") for event in folded[:2]] == ["decision_timed_out", "player_folded"]
        await stream.aclose()  # type: ignore[attr-defined]


async def test_proc_clk_05_one_millisecond_before_the_deadline_is_in_time() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        assert view.deadline_at_ms == world.clock.now_ms() + WINDOW_MS
        world.clock.advance(WINDOW_MS - 1)
        answer = await act(client, night, view)
        assert answer.accepted_at_ms == view.deadline_at_ms - 1


async def test_proc_clk_05_exactly_at_the_deadline_is_too_late() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        # The night is busy with the disk when the moment comes, so that the action is judged before the clock's turn.
        world.journal.pause()
        joining = asyncio.ensure_future(join(client, night))
        await turn_until(lambda: world.journal.stats().waiting)
        world.clock.advance(WINDOW_MS)
        acting = asyncio.ensure_future(act(client, night, view))
        server_view = asyncio.ensure_future(view_of(client, night))
        await client.catalog.ListGames(catalog_service_pb2.ListGamesRequest())  # Whatever was sent before has arrived.
        world.journal.resume()
        refused = await refusal(acting)
        assert (refused.reason, refused.metadata["rule_id"]) == ("ACTION_CLOSED", "PROC-CLK-05")
        await asyncio.gather(joining, server_view)


async def join(client: TableClient, night: SeatedNight) -> Any:  # noqa: ANN401
    request = table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="Fan", **night.ids)
    return await client.tables.JoinTable(request)


async def test_an_action_that_arrived_in_time_counts_although_the_disk_was_slow() -> None:
    world = World()
    async with serving(world) as (server, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        world.journal.pause()
        joining = asyncio.ensure_future(join(client, night))
        await turn_until(lambda: world.journal.stats().waiting)
        world.clock.advance(WINDOW_MS - 1)
        acting = asyncio.ensure_future(act(client, night, view))
        task = await server.registry.find(night.night_id)
        await turn_until(lambda: task.waiting_count)
        world.clock.advance(10_000)
        world.journal.resume()
        answer = await acting
        assert answer.accepted_at_ms == view.deadline_at_ms - 1
        await joining


async def test_a_refused_action_does_not_restart_the_window() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        world.clock.advance(20_000)
        check = actions_pb2.PlayerAction(check=actions_pb2.Check())
        request = act_request(night, view.action_number, check)
        refused = await refusal(client.play.Act(request, metadata=bearer(night.token_of(view.legal.seat))))
        assert refused.reason == "CANNOT_CHECK"
        assert (await view_of(client, night)).deadline_at_ms == view.deadline_at_ms


async def test_whoever_leaves_is_acted_for_at_once() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        stream = watch(client, night, after_seq=view.last_number)
        leave = table_service_pb2.LeaveTableRequest(request_id=request_id(), **night.ids)
        await client.tables.LeaveTable(leave, metadata=bearer(night.token_of(view.legal.seat)))
        kinds = [event.WhichOneof("event") for event in await until(stream, "action_required")]
        assert kinds == ["seat_vacated", "decision_timed_out", "player_folded", "action_required"]
        await stream.aclose()  # type: ignore[attr-defined]


async def test_pts_016_no_hand_starts_at_the_cutoff_and_a_running_one_is_completed() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world, n_players=2, cutoff_in_ms=20_000)
        view = await view_of(client, night)
        stream = watch(client, night, after_seq=view.last_number)
        world.clock.advance(25_000)  # Past the cutoff, within the window.
        fold = actions_pb2.PlayerAction(fold=actions_pb2.Fold())
        request = act_request(night, view.action_number, fold)
        await client.play.Act(request, metadata=bearer(night.token_of(view.legal.seat)))
        kinds = [event.WhichOneof("event") for event in await until(stream, "session_finished")]
        assert "hand_ended" in kinds
        assert "hand_starting" not in kinds
        await stream.aclose()  # type: ignore[attr-defined]


async def test_a_deal_that_comes_late_never_comes_after_the_cutoff() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, cutoff_in_ms=10_000)
        await open_night(client, night)
        # The pause would end before the cutoff, but the process was asleep until after it.
        stream = watch(client, night)
        world.clock.advance(50_000)
        kinds = [event.WhichOneof("event") for event in await until(stream, "session_finished")]
        assert "hand_starting" not in kinds
        await stream.aclose()  # type: ignore[attr-defined]


async def test_time_does_not_run_backwards_when_the_clock_is_set_back() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        before = (await view_of(client, night)).deadline_at_ms - WINDOW_MS
        world.clock.advance(-3_600_000)
        answer = await act(client, night, await view_of(client, night))
        assert answer.accepted_at_ms == before
        after = [row.at_ms for row in await world.journal.read(night.night_id)]
        assert after == sorted(after)


async def test_sitting_out_passes_deals_and_coming_back_takes_part(  # PTS-019
) -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        metadata = bearer(night.token_of(2))
        await client.tables.SitOut(
            table_service_pb2.SitOutRequest(request_id=request_id(), **night.ids), metadata=metadata
        )
        view = await view_of(client, night)
        void = night_service_pb2.VoidHandRequest(
            request_id=request_id(), hand_number=1, reason="Redeal without the third", **night.ids
        )
        stream = watch(client, night, after_seq=view.last_number)
        await client.nights.VoidHand(void, metadata=bearer(night.host_token))
        world.clock.advance(1000)
        starting = await cut_and_deal(client, night, stream)
        assert list(starting.dealt_in) == [0, 1]
        await client.tables.SitIn(
            table_service_pb2.SitInRequest(request_id=request_id(), **night.ids), metadata=metadata
        )
        void.request_id = request_id()
        await client.nights.VoidHand(void, metadata=bearer(night.host_token))
        world.clock.advance(1000)
        starting = await cut_and_deal(client, night, stream)
        assert list(starting.dealt_in) == [0, 1, 2]
        await stream.aclose()  # type: ignore[attr-defined]
