"""The cut, the time bank and the reset over gRPC: answers, refusals, repeats, the clock, and what is shown of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from homegame.v1 import (
    actions_pb2,
    events_pb2,
    night_service_pb2,
    nights_pb2,
    play_service_pb2,
    sheets_pb2,
    table_service_pb2,
    views_pb2,
)
from tests.server.bot_night import play
from tests.server.running_server import World, serving
from tests.server.table_client import (
    SeatedNight,
    TableClient,
    act_request,
    asks_for_cut,
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

WINDOW_MS = 30_000
TOKEN_MS = 15_000
CUT_MS = 10_000


async def view_of(client: TableClient, night: SeatedNight) -> views_pb2.TableView:
    answer: table_service_pb2.GetTableResponse = await client.tables.GetTable(
        table_service_pb2.GetTableRequest(**night.ids)
    )
    return answer.table


async def until(stream: AsyncIterator[events_pb2.TableEvent], *kinds: str) -> list[events_pb2.TableEvent]:
    """Read events up to one of some kind."""
    read: list[events_pb2.TableEvent] = []
    async for event in stream:
        read.append(event)
        if event.WhichOneof("event") in kinds:
            break
    return read


async def sealed(client: TableClient, world: World, **settings: Any) -> SeatedNight:  # noqa: ANN401
    """A night whose first deck waits for its cut."""
    night = await seat_night(client, 3, **{"cutoff_in_ms": 3_600_000, **settings})
    await open_night(client, night)
    stream = watch(client, night)
    await until(stream, "button_placed")
    world.clock.advance(world.limits.hand_pause_ms)
    await until(stream, "action_required")
    await stream.aclose()  # type: ignore[attr-defined]
    return night


async def dealt(client: TableClient, world: World, **settings: Any) -> SeatedNight:  # noqa: ANN401
    night = await seat_night(client, 3, **{"cutoff_in_ms": 3_600_000, **settings})
    await open_night(client, night)
    await play(client, night, world, n_actions_max=0)
    return night


def cut_request(night: SeatedNight, action_number: int, position: int) -> play_service_pb2.ActRequest:
    return act_request(night, action_number, actions_pb2.PlayerAction(cut=actions_pb2.Cut(position=position)))


def token_request(night: SeatedNight, action_number: int) -> play_service_pb2.UseTimeBankRequest:
    return play_service_pb2.UseTimeBankRequest(request_id=request_id(), action_number=action_number, **night.ids)


def reset_request(night: SeatedNight) -> table_service_pb2.ResetStackRequest:
    return table_service_pb2.ResetStackRequest(request_id=request_id(), **night.ids)


# --- The posting ------------------------------------------------------------------------------------------------------------


async def test_the_windows_come_from_the_format_unless_the_night_names_its_own() -> None:
    world = World()
    async with serving(world) as (_, client):
        plain = (await view_of(client, await seat_night(client, 2))).posting
        own = (
            await view_of(
                client,
                await seat_night(
                    client, 2, format_id="B3", cut_window_ms=5_000, time_bank_ms=20_000, time_bank_tokens=2
                ),
            )
        ).posting
    assert (plain.cut_window_ms, plain.time_bank_ms, plain.time_bank_tokens, plain.offers_reset) == (
        CUT_MS,
        TOKEN_MS,
        1,
        False,
    )
    assert (own.cut_window_ms, own.time_bank_ms, own.time_bank_tokens, own.offers_reset) == (5_000, 20_000, 2, True)
    assert [level.big_blind_chips for level in own.levels] == [2, 4, 8]


# --- The cut ----------------------------------------------------------------------------------------------------------------


async def test_proc_shuf_02_the_cut_is_a_turn_like_any_other() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await sealed(client, world)
        view = await view_of(client, night)
        assert list(view.legal.kinds) == [actions_pb2.ACTION_KIND_CUT]
        assert (view.legal.cut_position_min, view.legal.cut_position_max) == (1, 51)
        assert list(view.may_act) == [view.legal.seat]
        assert view.deadline_at_ms == world.clock.now_ms() + CUT_MS
        cutter = bearer(night.token_of(view.legal.seat))
        other = bearer(night.token_of((view.legal.seat + 1) % 3))
        number = view.action_number
        for metadata, request, reason, code in (
            (cutter, cut_request(night, number, 0), "BAD_CUT", grpc.StatusCode.INVALID_ARGUMENT),
            (cutter, cut_request(night, number, 52), "BAD_CUT", grpc.StatusCode.INVALID_ARGUMENT),
            (other, cut_request(night, number, 17), "NOT_YOUR_ROLE", grpc.StatusCode.PERMISSION_DENIED),
            (cutter, cut_request(night, number + 1, 17), "STALE_ACTION", grpc.StatusCode.ABORTED),
        ):
            refused = await refusal(client.play.Act(request, metadata=metadata))
            assert (refused.reason, refused.code) == (reason, code)
        accepted = cut_request(night, number, 17)
        first = await client.play.Act(accepted, metadata=cutter)
        assert await client.play.Act(accepted, metadata=cutter) == first
        assert (await view_of(client, night)).hand_number == 1


async def test_proc_shuf_02_after_ten_seconds_the_server_draws_a_cut_of_1_to_51() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, cutoff_in_ms=86_400_000)
        await open_night(client, night)
        positions: list[int] = []
        async for event in watch(client, night):
            match event.WhichOneof("event"):
                case "button_placed":
                    world.clock.advance(world.limits.hand_pause_ms)
                case "action_required" if asks_for_cut(event.action_required):
                    assert event.action_required.deadline_at_ms == world.clock.now_ms() + CUT_MS
                    world.clock.advance(CUT_MS)
                case "deck_cut":
                    assert event.deck_cut.by_clock
                    assert event.at_ms == world.clock.now_ms()
                    positions.append(event.deck_cut.position)
                case "action_required":
                    fold = actions_pb2.PlayerAction(fold=actions_pb2.Fold())
                    request = act_request(night, event.action_required.action_number, fold)
                    metadata = bearer(night.token_of(event.action_required.seat))
                    await client.play.Act(request, metadata=metadata)
            if len(positions) == 20:
                break
    assert set(positions) <= set(range(1, 52))
    assert len(set(positions)) > 10


async def test_a_restart_between_seal_and_cut_keeps_the_deck_and_its_root() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await sealed(client, world)
        world.clock.advance(4_000)
    async with serving(world) as (_, client):
        view = await view_of(client, night)
        assert view.deadline_at_ms == world.clock.now_ms() + CUT_MS  # The stop's moment is that of the last row.
        stream = watch(client, night)
        events = await until(stream, "play_resumed")
        required = next(event.action_required for event in events if event.HasField("action_required"))
        await cut(client, night, required)
        kinds = [event.WhichOneof("event") for event in await until(stream, "hand_starting")]
        assert kinds == ["deck_cut", "hand_starting"]
        await stream.aclose()  # type: ignore[attr-defined]


# --- The time bank ----------------------------------------------------------------------------------------------------------


async def test_proc_clk_02_a_token_moves_the_deadline_once_also_when_it_is_sent_twice_and_after_a_restart() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        metadata = bearer(night.token_of(view.legal.seat))
        request = token_request(night, view.action_number)
        world.clock.advance(29_999)
        first = await client.play.UseTimeBank(request, metadata=metadata)
        assert await client.play.UseTimeBank(request, metadata=metadata) == first
        assert (first.deadline_at_ms, first.tokens_left) == (view.deadline_at_ms + TOKEN_MS, 0)
        after = await view_of(client, night)
        assert after.deadline_at_ms == first.deadline_at_ms
        assert [seat.time_bank_tokens for seat in after.seats[:3]].count(0) == 1
        refused = await refusal(client.play.UseTimeBank(token_request(night, view.action_number), metadata=metadata))
        assert (refused.reason, refused.metadata["rule_id"]) == ("TIMEBANK_USED", "PROC-CLK-02")
    async with serving(world) as (_, client):
        assert await client.play.UseTimeBank(request, metadata=metadata) == first
        assert (await view_of(client, night)).deadline_at_ms - world.clock.now_ms() == TOKEN_MS + 1


async def test_proc_clk_02_the_deadline_fires_at_its_new_end_and_once() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        metadata = bearer(night.token_of(view.legal.seat))
        await client.play.UseTimeBank(token_request(night, view.action_number), metadata=metadata)
        stream = watch(client, night, after_seq=view.last_number)
        await until(stream, "time_bank_used")
        world.clock.advance(WINDOW_MS)
        assert (await view_of(client, night)).action_number == view.action_number
        world.clock.advance(TOKEN_MS)
        timed_out = await until(stream, "action_required")
        assert [event.WhichOneof("event") for event in timed_out] == [
            "decision_timed_out",
            "player_folded",
            "action_required",
        ]
        assert timed_out[0].at_ms == view.deadline_at_ms + TOKEN_MS
        await stream.aclose()  # type: ignore[attr-defined]


async def test_proc_clk_02_only_the_seat_to_act_in_its_turn() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        actor, other = view.legal.seat, (view.legal.seat + 1) % 3
        for token, number, reason in (
            (night.token_of(other), view.action_number, "OUT_OF_TURN"),
            (night.token_of(actor), view.action_number + 1, "STALE_ACTION"),
            (night.host_token, view.action_number, "NOT_YOUR_ROLE"),
            ("", view.action_number, "UNAUTHENTICATED"),
        ):
            call = client.play.UseTimeBank(token_request(night, number), metadata=bearer(token))
            assert (await refusal(call)).reason == reason


async def test_proc_void_02_a_token_of_a_void_hand_comes_back() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world)
        view = await view_of(client, night)
        metadata = bearer(night.token_of(view.legal.seat))
        await client.play.UseTimeBank(token_request(night, view.action_number), metadata=metadata)
        void = night_service_pb2.VoidHandRequest(request_id=request_id(), hand_number=1, reason="Fell", **night.ids)
        await client.nights.VoidHand(void, metadata=bearer(night.host_token))
        assert [seat.time_bank_tokens for seat in (await view_of(client, night)).seats[:3]] == [1, 1, 1]


# --- The reset --------------------------------------------------------------------------------------------------------------


async def agree(client: TableClient, night: SeatedNight, seat: int, *, agrees: bool = True) -> Any:  # noqa: ANN401
    request = table_service_pb2.AgreeToResetsRequest(request_id=request_id(), agrees=agrees, **night.ids)
    return await client.tables.AgreeToResets(request, metadata=bearer(night.token_of(seat)))


async def play_until_somebody_is_out(client: TableClient, night: SeatedNight, world: World) -> int:
    """Raise and call until a stack is gone; returns its seat."""
    async for event in watch(client, night):
        match event.WhichOneof("event"):
            case "action_required" if asks_for_cut(event.action_required):
                await cut(client, night, event.action_required)
            case "action_required":
                required = event.action_required
                action = actions_pb2.PlayerAction()
                kinds = set(required.legal.kinds)
                if actions_pb2.ACTION_KIND_RAISE in kinds:
                    getattr(action, "raise").to_chips = required.legal.raise_to_max_chips
                elif actions_pb2.ACTION_KIND_BET in kinds:
                    action.bet.to_chips = required.legal.raise_to_max_chips
                elif actions_pb2.ACTION_KIND_CALL in kinds:
                    action.call.call_chips = required.legal.call_chips
                elif actions_pb2.ACTION_KIND_CHECK in kinds:
                    action.check.SetInParent()
                else:
                    action.show.SetInParent()
                request = act_request(night, required.action_number, action)
                await client.play.Act(request, metadata=bearer(night.token_of(required.seat)))
            case "hand_ended" if 0 in event.hand_ended.stacks:
                return list(event.hand_ended.stacks).index(0)
            case "button_placed":
                world.clock.advance(world.limits.hand_pause_ms)
    raise AssertionError("the night ended")


async def test_pts_b3_03_agreed_taken_once_and_noted_beside_the_name() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, format_id="B3", cutoff_in_ms=86_400_000, seats=2)
        for seat in (0, 1):
            await agree(client, night, seat)
        assert [seat.agrees_to_resets for seat in (await view_of(client, night)).seats] == [True, True]
        early = await refusal(client.tables.ResetStack(reset_request(night), metadata=bearer(night.token_of(0))))
        assert early.reason == "HAND_OVER"  # Play has not begun.
        await open_night(client, night)
        late = table_service_pb2.AgreeToResetsRequest(request_id=request_id(), agrees=True, **night.ids)
        refused = await refusal(client.tables.AgreeToResets(late, metadata=bearer(night.token_of(0))))
        assert refused.reason == "CONFIG_LOCKED"
        out = await play_until_somebody_is_out(client, night, world)
        view = await view_of(client, night)
        assert view.phase == nights_pb2.NIGHT_PHASE_PLAYING  # A reset is open, so holding everything ends nothing.
        assert view.resets_agreed
        owner = bearer(night.token_of(1 - out))
        assert (
            await refusal(client.tables.ResetStack(reset_request(night), metadata=owner))
        ).reason == "RESET_NOT_ZERO"
        sheet = (await client.nights.GetScoresheet(night_service_pb2.GetScoresheetRequest(**night.ids))).scoresheet
        assert [column.out_at_hand for column in sheet.columns][out] == len(sheet.rows)
        request = reset_request(night)
        answer = await client.tables.ResetStack(request, metadata=bearer(night.token_of(out)))
        assert answer.chips == 100
        assert await client.tables.ResetStack(request, metadata=bearer(night.token_of(out))) == answer
        refused = await refusal(client.tables.ResetStack(reset_request(night), metadata=bearer(night.token_of(out))))
        assert refused.reason == "RESET_USED"
        await check_reset_on_the_sheet(client, night, out)


async def check_reset_on_the_sheet(client: TableClient, night: SeatedNight, out: int) -> None:
    """PTS-024, PTS-B3-04: the count and the columns after the reset."""
    view = await view_of(client, night)
    assert (view.seats[out].has_reset, view.seats[1 - out].has_reset) == (True, False)
    sheet: sheets_pb2.Scoresheet = (
        await client.nights.GetScoresheet(night_service_pb2.GetScoresheetRequest(**night.ids))
    ).scoresheet
    assert sheet.total_chips == 300 == sum(column.stack_points for column in sheet.columns)
    assert [column.resets for column in sheet.columns] == [int(seat == out) for seat in (0, 1)]
    assert [column.out_at_hand for column in sheet.columns] == [0, 0]


@pytest.mark.parametrize("format_id", ["B1", "B3"])
async def test_pts_b3_03_without_the_agreement_no_reset_exists(format_id: str) -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, format_id=format_id, cutoff_in_ms=86_400_000, seats=2)
        if format_id == "B1":
            request = table_service_pb2.AgreeToResetsRequest(request_id=request_id(), agrees=True, **night.ids)
            call = client.tables.AgreeToResets(request, metadata=bearer(night.token_of(0)))
            assert (await refusal(call)).reason == "RESET_NOT_AGREED"
        await open_night(client, night)
        call = client.tables.ResetStack(reset_request(night), metadata=bearer(night.token_of(0)))
        assert (await refusal(call)).reason == "RESET_NOT_AGREED"
        out = await play_until_somebody_is_out(client, night, world)
        assert (await view_of(client, night)).phase == nights_pb2.NIGHT_PHASE_FINISHED
        call = client.tables.ResetStack(reset_request(night), metadata=bearer(night.token_of(out)))
        assert (await refusal(call)).reason == "SESSION_CLOSED"
