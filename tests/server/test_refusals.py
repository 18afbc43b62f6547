"""Bad input over the wire: a clear reason, nothing lost, never INTERNAL and never a word of Python."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf import descriptor_pool

from homegame.v1 import (
    actions_pb2,
    catalog_service_pb2,
    hand_service_pb2,
    hands_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)
from homegame_engine.errors import InvariantError, ServiceReason
from homegame_engine.night import Night
from homegame_server.app import SERVICES
from homegame_server.config import Limits
from tests.server.bot_night import play
from tests.server.running_server import World, serving
from tests.server.table_client import (
    Refused,
    SeatedNight,
    TableClient,
    act_request,
    bearer,
    open_night,
    refusal,
    request_id,
    seat_night,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from homegame.v1 import views_pb2
    from homegame_server.app import Server

Action = actions_pb2.PlayerAction
CHECK = Action(check=actions_pb2.Check())
FOLD = Action(fold=actions_pb2.Fold())
CALL = Action(call=actions_pb2.Call())
SHOW = Action(show=actions_pb2.Show())


def bet(**amount: int) -> Action:
    return Action(bet=actions_pb2.Bet(**amount))


def raise_(**amount: int) -> Action:
    action = Action()
    getattr(action, "raise").CopyFrom(actions_pb2.Raise(**amount))
    return action


class Table:
    """A running table and short ways to ask it things."""

    def __init__(self, world: World, server: Server, client: TableClient, night: SeatedNight) -> None:
        self.world = world
        self.server = server
        self.client = client
        self.night = night

    async def view(self) -> views_pb2.TableView:
        response: table_service_pb2.GetTableResponse = await self.client.tables.GetTable(
            table_service_pb2.GetTableRequest(**self.night.ids)
        )
        return response.table

    async def actor(self) -> int:
        return (await self.view()).legal.seat

    async def act(self, action: Action, *, seat: int | None = None, number: int | None = None, **other: Any) -> Any:  # noqa: ANN401
        view = await self.view()
        acting = view.legal.seat if seat is None else seat
        request = act_request(self.night, number or view.action_number, action, **other)
        return await self.client.play.Act(request, metadata=bearer(self.night.token_of(acting)))

    async def refused(self, action: Action, **how: Any) -> Refused:  # noqa: ANN401
        before = await self.world.journal.last_seq(self.night.night_id)
        refused = await refusal(self.act(action, **how))
        assert await self.world.journal.last_seq(self.night.night_id) == before
        return refused


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """Four players before the flop of the first hand; seat order 0..3."""
    world = World()
    async with serving(world) as (server, client):
        night = await seat_night(client, 4)
        await open_night(client, night)
        await play(client, night, world, n_actions_max=0)
        yield Table(world, server, client, night)


async def to_flop(table: Table) -> None:
    while (await table.view()).street == 0:
        view = await table.view()
        await table.act(CALL if actions_pb2.ACTION_KIND_CALL in view.legal.kinds else CHECK)


# --- Poker ----------------------------------------------------------------------------------------------------------------


async def test_out_of_turn(table: Table) -> None:
    refused = await table.refused(CALL, seat=((await table.actor()) + 1) % 4)
    assert (refused.reason, refused.code) == ("OUT_OF_TURN", grpc.StatusCode.FAILED_PRECONDITION)
    assert refused.metadata["rule_id"] == "BET-GEN-01"
    assert refused.metadata["seat"] == str(await table.actor())


@pytest.mark.parametrize("number", [1, 999])
async def test_a_stale_or_future_number_says_which_one_holds(table: Table, number: int) -> None:
    current = (await table.view()).action_number
    refused = await table.refused(CALL, number=number if number != current else number + 1)
    assert (refused.reason, refused.code) == ("STALE_ACTION", grpc.StatusCode.ABORTED)
    assert refused.metadata["action_number"] == str(current)


async def test_anothers_seat_is_not_mine(table: Table) -> None:
    actor = await table.actor()
    request = act_request(table.night, (await table.view()).action_number, CALL)
    request.seat = actor
    other = bearer(table.night.token_of((actor + 1) % 4))
    refused = await refusal(table.client.play.Act(request, metadata=other))
    assert (refused.reason, refused.code) == ("NOT_YOUR_ROLE", grpc.StatusCode.PERMISSION_DENIED)


@pytest.mark.parametrize("to_chips", [3, 5, 1_000_000_000_000])
async def test_a_wrong_amount_is_refused_with_the_legal_ones(table: Table, to_chips: int) -> None:
    legal = (await table.view()).legal
    refused = await table.refused(raise_(to_chips=to_chips))
    assert refused.reason in ("BAD_INCREMENT", "INSUFFICIENT_STACK")
    assert refused.metadata["raise_to_min_chips"] == str(legal.raise_to_min_chips) == "4"
    assert refused.metadata["raise_to_max_chips"] == str(legal.raise_to_max_chips)
    assert refused.metadata["call_chips"] == str(legal.call_chips) == "2"
    assert re.fullmatch(r"BET-[A-Z]+-\d+", refused.metadata["rule_id"])


async def test_each_other_poker_refusal_that_a_first_hand_can_give(table: Table) -> None:
    assert (await table.refused(CHECK)).reason == "CANNOT_CHECK"
    assert (await table.refused(bet(to_chips=2))).reason == "ACTION_UNKNOWN"
    assert (await table.refused(raise_())).reason == "AMBIGUOUS_AMOUNT"
    assert (await table.refused(raise_(to_chips=4, by_chips=2))).reason == "AMBIGUOUS_AMOUNT"
    assert (await table.refused(Action(call=actions_pb2.Call(call_chips=1)))).reason == "STALE_AMOUNT"
    assert (await table.refused(SHOW)).reason == "ACTION_UNKNOWN"
    await to_flop(table)
    assert (await table.refused(FOLD)).reason == "NOTHING_TO_FOLD"
    assert (await table.refused(CALL)).reason == "NOTHING_TO_CALL"
    await table.act(bet(to_chips=2))
    for total in (4, 6, 8):
        await table.act(raise_(to_chips=total))
    capped = (await table.view()).legal
    assert actions_pb2.ACTION_KIND_RAISE not in capped.kinds
    refused = await table.refused(raise_(to_chips=10))
    assert (refused.reason, refused.metadata["rule_id"]) == ("RAISE_CAP_REACHED", "BET-FL-03")
    folded = capped.seat
    await table.act(FOLD)
    assert (await table.refused(FOLD, seat=folded)).reason == "HAND_OVER"


async def test_between_hands_and_after_the_night(table: Table) -> None:
    await play(table.client, table.night, table.world, after_seq=(await table.view()).last_number - 1)
    refused = await refusal(
        table.client.play.Act(
            act_request(table.night, (await table.view()).action_number, FOLD),
            metadata=bearer(table.night.token_of(0)),
        )
    )
    assert refused.reason == "SESSION_CLOSED"
    await close(table)
    refused = await refusal(close(table))
    assert (refused.reason, refused.code) == ("SESSION_CLOSED", grpc.StatusCode.FAILED_PRECONDITION)
    late = table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="Late", **table.night.ids)
    assert (await refusal(table.client.tables.JoinTable(late))).reason == "SESSION_CLOSED"


async def close(table: Table) -> Any:  # noqa: ANN401
    request = night_service_pb2.CloseNightRequest(request_id=request_id(), night_id=table.night.night_id)
    return await table.client.nights.CloseNight(request, metadata=bearer(table.night.host_token))


async def test_hands_that_run_or_do_not_exist(table: Table) -> None:
    ids = table.night.ids
    running = hand_service_pb2.GetHandRequest(hand_number=1, **ids)
    assert (await refusal(table.client.hands.GetHand(running))).reason == "HAND_IN_PROGRESS"
    export = hand_service_pb2.ExportHandRequest(hand_number=1, format=hands_pb2.EXPORT_FORMAT_PHH, **ids)
    assert (await refusal(table.client.hands.ExportHand(export))).reason == "HAND_IN_PROGRESS"
    missing = hand_service_pb2.GetHandRequest(hand_number=2, **ids)
    assert (await refusal(table.client.hands.GetHand(missing))).reason == "NOT_FOUND"
    assert (await refusal(close(table))).reason == "HAND_IN_PROGRESS"
    page = hand_service_pb2.ListHandsRequest(page_token="second", **ids)  # noqa: S106
    assert (await refusal(table.client.hands.ListHands(page))).reason == "BAD_REQUEST"


async def test_a_void_names_the_running_hand(table: Table) -> None:
    def void(number: int) -> Any:  # noqa: ANN401
        request = night_service_pb2.VoidHandRequest(
            request_id=request_id(), hand_number=number, reason="Misdeal", **table.night.ids
        )
        return table.client.nights.VoidHand(request, metadata=bearer(table.night.host_token))

    assert (await refusal(void(2))).reason == "HAND_OVER"
    await void(1)
    assert (await refusal(void(1))).reason == "HAND_OVER"
    view = await table.view()
    assert [seat.stack_chips for seat in view.seats[:4]] == [100] * 4
    assert view.pot_chips == 0
    assert not view.HasField("legal")


# --- People ---------------------------------------------------------------------------------------------------------------


async def test_host_only_calls_refuse_participants_and_strangers(table: Table) -> None:
    night = night_service_pb2
    common: dict[str, Any] = {"request_id": request_id(), "night_id": table.night.night_id}
    calls = {
        "PostCutoff": night.PostCutoffRequest(cutoff_in_ms=5, **common),
        "RecordReadAloud": night.RecordReadAloudRequest(**common),
        "OpenNight": night.OpenNightRequest(**common),
        "CloseNight": night.CloseNightRequest(**common),
        "VoidHand": night.VoidHandRequest(table_id=table.night.table_id, hand_number=1, reason="x", **common),
    }
    for name, request in calls.items():
        method = getattr(table.client.nights, name)
        refused = await refusal(method(request, metadata=bearer(table.night.token_of(0))))
        assert (refused.reason, refused.code) == ("NOT_HOST", grpc.StatusCode.PERMISSION_DENIED)
        assert (await refusal(method(request))).reason == "UNAUTHENTICATED"


async def test_seats_before_play() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, seats=2)
        take = table_service_pb2.TakeSeatRequest(request_id=request_id(), **night.ids)
        refused = await refusal(client.tables.TakeSeat(take, metadata=bearer(night.token_of(0))))
        assert (refused.reason, refused.metadata["seat"]) == ("ALREADY_SEATED", "0")
        refused = await refusal(client.tables.TakeSeat(take, metadata=bearer(night.host_token)))
        assert (refused.reason, refused.metadata["rule_id"]) == ("TOO_MANY_PLAYERS", "PTS-006")


async def test_a_seat_that_is_taken_or_is_not_there() -> None:
    async with serving(World()) as (_, client):
        night = await seat_night(client, 2, seats=4)
        for seat, reason in ((0, "SEAT_TAKEN"), (31, "BAD_REQUEST"), (32, "BAD_REQUEST"), (-1, "BAD_REQUEST")):
            take = table_service_pb2.TakeSeatRequest(request_id=request_id(), seat=seat, **night.ids)
            refused = await refusal(client.tables.TakeSeat(take, metadata=bearer(night.host_token)))
            assert refused.reason == reason
            assert refused.fields == (["seat"] if reason == "BAD_REQUEST" else [])


async def test_whoever_has_no_seat_has_nothing_to_do_at_the_table(table: Table) -> None:
    refused = await refusal(
        table.client.play.Act(
            act_request(table.night, (await table.view()).action_number, FOLD),
            metadata=bearer(table.night.host_token),
        )
    )
    assert refused.reason == "NOT_YOUR_ROLE"
    late = table_service_pb2.TakeSeatRequest(request_id=request_id(), **table.night.ids)
    assert (await refusal(table.client.tables.TakeSeat(late, metadata=bearer(table.night.host_token)))).reason == (
        "CONFIG_LOCKED"
    )


async def test_an_opening_that_lacks_something() -> None:
    async with serving(World()) as (_, client):

        async def opening(n_players: int, **settings: Any) -> str:  # noqa: ANN401
            night = await seat_night(client, n_players, **settings)
            return (await refusal(open_night(client, night))).reason

        assert await opening(1) == "TOO_FEW_PLAYERS"
        assert await opening(0) == "TOO_FEW_PLAYERS"
        night = await seat_night(client, 2)
        request = night_service_pb2.PostCutoffRequest(
            request_id=request_id(), night_id=night.night_id, cutoff_in_ms=70_000
        )
        await client.nights.PostCutoff(request, metadata=bearer(night.host_token))
        assert (await refusal(open_night(client, night))).reason == "ACK_MISSING"


async def test_a_cutoff_that_is_missing_or_past() -> None:
    world = World()
    async with serving(world) as (_, client):
        create = night_service_pb2.CreateNightRequest(
            request_id=request_id(), name="No end", format_id="B1", cutoff_at_ms=world.clock.now_ms()
        )
        refused = await refusal(client.nights.CreateNight(create))
        assert (refused.reason, refused.code) == ("CUTOFF_IN_PAST", grpc.StatusCode.INVALID_ARGUMENT)
        # Nothing came of it: the same request, judged later, is refused for the same reason, and no night is there.
        assert (await refusal(client.nights.CreateNight(create))).reason == "CUTOFF_IN_PAST"
        assert await world.journal.list_nights() == []
        create.ClearField("cutoff_at_ms")
        created = await client.nights.CreateNight(create)
        ids = {"night_id": created.night_id, "table_id": created.table_ids[0]}
        host = bearer(created.host_token)
        await client.tables.TakeSeat(table_service_pb2.TakeSeatRequest(request_id=request_id(), **ids), metadata=host)
        acknowledge = table_service_pb2.AcknowledgePostingRequest(request_id=request_id(), **ids)
        assert (await refusal(client.tables.AcknowledgePosting(acknowledge, metadata=host))).reason == (
            "POSTING_INCOMPLETE"
        )
        night = SeatedNight(created.night_id, created.table_ids[0], created.host_token)
        assert (await refusal(open_night(client, night))).reason == "CUTOFF_MISSING"


async def test_what_is_posted_is_locked_once_play_began(table: Table) -> None:
    request = night_service_pb2.PostCutoffRequest(
        request_id=request_id(), night_id=table.night.night_id, cutoff_in_ms=9
    )
    refused = await refusal(table.client.nights.PostCutoff(request, metadata=bearer(table.night.host_token)))
    assert (refused.reason, refused.metadata["rule_id"]) == ("CONFIG_LOCKED", "GEN-05")
    assert (await refusal(open_night(table.client, table.night))).reason == "CONFIG_LOCKED"


# --- What is not poker ----------------------------------------------------------------------------------------------------


async def test_unknown_ids(table: Table) -> None:
    client, ids = table.client, table.night.ids
    tables, nights = table_service_pb2, night_service_pb2
    for call in (
        client.tables.GetTable(tables.GetTableRequest(night_id="night-0", table_id="table-1")),
        client.tables.GetTable(tables.GetTableRequest(night_id=ids["night_id"], table_id="table-2")),
        client.nights.GetNight(nights.GetNightRequest(night_id="night-0")),
        client.nights.GetScoresheet(nights.GetScoresheetRequest(night_id="night-0", table_id="table-1")),
        client.tables.JoinTable(
            tables.JoinTableRequest(request_id=request_id(), night_id="n", table_id="t", display_name="Ann")
        ),
        client.tables.WatchTable(tables.WatchTableRequest(night_id="night-0", table_id="table-1")).read(),
        client.catalog.GetGame(catalog_service_pb2.GetGameRequest(game_id="WHIST")),
        client.catalog.GetRankCard(catalog_service_pb2.GetRankCardRequest(game_id="WHIST")),
    ):
        refused = await refusal(call)
        assert (refused.reason, refused.code) == ("NOT_FOUND", grpc.StatusCode.NOT_FOUND)
    refused = await refusal(client.catalog.GetFormat(catalog_service_pb2.GetFormatRequest(format_id="B99")))
    assert (refused.reason, refused.code) == ("FORMAT_UNKNOWN", grpc.StatusCode.NOT_FOUND)
    create = nights.CreateNightRequest(request_id=request_id(), name="x", format_id="B99")
    assert (await refusal(client.nights.CreateNight(create))).reason == "FORMAT_UNKNOWN"


@pytest.mark.parametrize("token", ["", "Bearer", "Basic abc", "Bearer abc", "Bearer a.b.c", "bearer  "])
async def test_a_token_that_is_none(table: Table, token: str) -> None:
    request = act_request(table.night, 1, FOLD)
    metadata = (("authorization", token),) if token else ()
    refused = await refusal(table.client.play.Act(request, metadata=metadata))
    assert (refused.reason, refused.code) == ("UNAUTHENTICATED", grpc.StatusCode.UNAUTHENTICATED)
    if token:
        # Reading with a bad token is refused too, not silently shown as to a spectator.
        get = table_service_pb2.GetTableRequest(**table.night.ids)
        assert (await refusal(table.client.tables.GetTable(get, metadata=metadata))).reason == "UNAUTHENTICATED"


async def test_a_token_of_another_night(table: Table) -> None:
    other = await seat_night(table.client, 2)
    refused = await refusal(
        table.client.play.Act(act_request(table.night, 1, FOLD), metadata=bearer(other.players[0].token))
    )
    assert refused.reason == "UNAUTHENTICATED"


async def test_malformed_bytes_to_every_method(table: Table) -> None:
    channel: Any = table.client.channel  # No serializers: bytes as they are.
    for service in SERVICES:
        for method in descriptor_pool.Default().FindServiceByName(service).methods:
            for garbage in (b"\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x12\x02\xff\xfe", b"\x07"):
                path = f"/{service}/{method.name}"
                if method.name in ("ListGames", "ListHouses", "ListFormats") and garbage == b"\x12\x02\xff\xfe":
                    continue  # An unknown field of an empty message is no fault.
                call = (
                    channel.unary_stream(path)(garbage).read()
                    if method.server_streaming
                    else channel.unary_unary(path)(garbage)
                )
                refused = await refusal(call)
                assert (refused.reason, refused.code) == ("BAD_REQUEST", grpc.StatusCode.INVALID_ARGUMENT), path


async def test_malformed_bytes_to_health_and_reflection(table: Table) -> None:
    channel: Any = table.client.channel
    refused = await refusal(channel.unary_unary("/grpc.health.v1.Health/Check")(b"\xff"))
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
    reflect = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
    refused = await refusal(reflect(iter([b"\xff"])).read())
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT


async def test_fields_out_of_their_range_are_named(table: Table) -> None:
    ids = table.night.ids
    host = bearer(table.night.host_token)
    act = play_service_pb2.ActRequest(request_id="no uuid", action_number=0, **ids)
    refused = await refusal(table.client.play.Act(act, metadata=host))
    assert (refused.reason, refused.fields) == ("BAD_REQUEST", ["request_id", "action_number", "action"])
    act = act_request(table.night, 1, bet(to_chips=-1))
    assert (await refusal(table.client.play.Act(act, metadata=host))).fields == ["action.bet.to_chips"]
    nameless = table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="   ", **ids)
    assert (await refusal(table.client.tables.JoinTable(nameless))).fields == ["display_name"]


async def test_unknown_methods_and_large_requests(table: Table) -> None:
    channel: Any = table.client.channel
    refused = await refusal(channel.unary_unary("/homegame.v1.PlayService/Cheat")(b""))
    assert refused.code == grpc.StatusCode.UNIMPLEMENTED
    huge = table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="x" * 200_000, **table.night.ids)
    refused = await refusal(table.client.tables.JoinTable(huge))
    assert refused.code == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_full_mailbox_is_overloaded_and_recovers() -> None:
    world = World(limits=Limits(mailbox_max=3, hand_pause_ms=1000))
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        world.journal.pause()

        def join() -> Any:  # noqa: ANN401
            return client.tables.JoinTable(
                table_service_pb2.JoinTableRequest(request_id=request_id(), display_name="Fan", **night.ids)
            )

        calls = [join() for _ in range(8)]
        waiting = {asyncio.ensure_future(call) for call in calls}
        done: set[asyncio.Future[Any]] = set()
        while len(done) < 4:
            ended, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            done |= ended
        refusals = [await refusal(call) for call in done]
        assert len(refusals) == 4  # One is being written, three wait.
        assert {(refused.reason, refused.code) for refused in refusals} == {
            ("OVERLOADED", grpc.StatusCode.RESOURCE_EXHAUSTED)
        }
        assert all(int(refused.metadata["retry_after_ms"]) > 0 for refused in refusals)
        world.journal.resume()
        assert len({answer.participant_id for answer in await asyncio.gather(*waiting)}) == 4
        await join()


async def test_a_bug_leaves_a_reference_number_and_no_word_about_itself(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_(*_: object, **__: object) -> None:
        raise KeyError("secret of the house")

    monkeypatch.setattr("homegame_server.rpc.convert_views.night", break_)
    request = night_service_pb2.GetNightRequest(night_id=table.night.night_id)
    refused = await refusal(table.client.nights.GetNight(request))
    assert refused.code == grpc.StatusCode.UNKNOWN
    assert refused.reason == ""
    found = re.fullmatch(r"Unexpected failure, reference ([0-9a-f]{12})\.", refused.message)
    assert found is not None
    assert b"KeyError" not in refused.status
    assert b"secret" not in refused.status
    assert any(getattr(record, "reference", "") == found[1] for record in caplog.records)


async def test_an_engine_that_breaks_stops_the_table_and_only_it(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    other = await seat_night(table.client, 2, cutoff_in_ms=86_400_000)
    view = await table.view()
    apply = Night.apply

    def break_(night: Night, given: Any, at_ms: int) -> Any:  # noqa: ANN401
        apply(night, given, at_ms)
        raise InvariantError("chips are not conserved", {"missing_chips": 3})

    monkeypatch.setattr(Night, "apply", break_)
    refused = await table.refused(CALL)
    assert (refused.reason, refused.metadata["rule_id"]) == ("TABLE_FROZEN", "GEN-04")
    assert b"conserved" not in refused.status
    monkeypatch.undo()
    assert (await table.refused(CALL)).reason == "TABLE_FROZEN"
    table.world.clock.advance(10**6)  # Nor does the clock act any more.
    after = await table.view()
    view.server_time_ms = after.server_time_ms
    assert after == view  # What was durable is shown; what broke is not.
    assert any(record.levelname == "CRITICAL" for record in caplog.records)
    await open_night(table.client, other)


async def test_every_service_reason_is_produced_by_a_test() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    missing = [reason for reason in ServiceReason if f'"{reason}"' not in texts]
    assert missing == []
