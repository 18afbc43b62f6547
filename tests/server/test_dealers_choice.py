"""A dealer's-choice night over gRPC: call, explain, sit-out window, antes, deal (GAME-DC-01 to GAME-DC-03, HOUSE-DEAL-01)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from homegame.v1 import events_pb2, hand_service_pb2, night_service_pb2, play_service_pb2, table_service_pb2
from homegame_client import Client, GrpcTransport, RefusedError, TableRef, TableState, open_channel
from homegame_engine import catalog
from tests.server.game_night import check_deals, compare, play_hands
from tests.server.running_server import World, serving
from tests.server.table_client import (
    Player,
    SeatedNight,
    TableClient,
    bearer,
    open_night,
    refusal,
    request_id,
    seat_night,
    watch,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MINE = """
id = "PINEAPPLE_STUD"
version = 1
name = "Pineapple stud"
summary = "Three cards down, one thrown away, the rest as stud."
rules = ["GAME-DC-01"]
explanation = "Three down, throw one away, then bet; one up and bet; best five of what is left with the board."
forced = "ANTES"

[players]
min = 2
max = 6

[[steps]]
step = "DEAL_DOWN"
count = 3

[[steps]]
step = "DISCARD"
count = 1

[[steps]]
step = "BET"
street = "FIRST"
size = "SMALL"

[[steps]]
step = "DEAL_BOARD"
count = 3

[[steps]]
step = "BET"
street = "SECOND"
size = "BIG"

[showdown]
ranking = "HIGH"
hole_cards_min = 0
hole_cards_max = 2
"""


class CallingTable:
    """A night of dealer's choice that waits for its first call."""

    def __init__(
        self, client: TableClient, world: World, night: SeatedNight, call: events_pb2.CallRequired, address: str = ""
    ) -> None:
        self.client = client
        self.address = address
        self.world = world
        self.night = night
        self.call_required = call

    @property
    def dealer(self) -> Player:
        return self.at(self.call_required.seat)

    @property
    def other(self) -> Player:
        return next(player for player in self.night.players if player.seat != self.call_required.seat)

    def at(self, seat: int) -> Player:
        return next(player for player in self.night.players if player.seat == seat)

    async def call(self, player: Player, *, number: int = 0, **call: Any) -> play_service_pb2.CallGameResponse:  # noqa: ANN401
        request = play_service_pb2.CallGameRequest(
            request_id=request_id(),
            action_number=number or await self.number(),
            call=play_service_pb2.GameCall(**call),
            **self.night.ids,
        )
        answer: play_service_pb2.CallGameResponse = await self.client.play.CallGame(
            request, metadata=bearer(player.token)
        )
        return answer

    async def sit_out(self, player: Player) -> table_service_pb2.SitOutResponse:
        request = table_service_pb2.SitOutRequest(request_id=request_id(), this_hand=True, **self.night.ids)
        answer: table_service_pb2.SitOutResponse = await self.client.tables.SitOut(
            request, metadata=bearer(player.token)
        )
        return answer

    async def number(self) -> int:
        view = await self.client.tables.GetTable(table_service_pb2.GetTableRequest(**self.night.ids))
        return int(view.table.action_number)

    async def until(self, kind: str, after_seq: int = 0) -> events_pb2.TableEvent:
        async for event in watch(self.client, self.night, after_seq=after_seq):
            if event.WhichOneof("event") == kind:
                return event
        raise AssertionError(kind)


@contextlib.asynccontextmanager
async def calling(n_players: int = 4) -> AsyncIterator[CallingTable]:
    world = World()
    async with serving(world) as (server, client):
        night = await seat_night(client, n_players, format_id="DC", cutoff_in_ms=3_600_000)
        await open_night(client, night)
        async for event in watch(client, night):
            if event.HasField("call_required"):
                yield CallingTable(client, world, night, event.call_required, server.address)
                return


# --- A night --------------------------------------------------------------------------------------------------------------


async def test_game_dc_01_the_call_moves_with_the_deal_and_every_called_game_is_dealt() -> None:
    called = ["STUD7", "FIVE_CARD_DRAW", "OMAHA8", "JOKER_DRAW", "ANACONDA"]
    async with calling() as table:
        played = await play_hands(table.client, table.world, table.night, len(called), calls=called)
        assert await check_deals(table.client, played) > 0
        asked = hand_service_pb2.ListHandsRequest(**table.night.ids)
        listed = (await table.client.hands.ListHands(asked)).hands
        sheet = night_service_pb2.GetScoresheetRequest(**table.night.ids)
        rows = (await table.client.nights.GetScoresheet(sheet)).scoresheet.rows
        assert [hand.game_id for hand in listed] == [row.game_id for row in rows] == called
    calls = [event.game_called for event in played.events if event.HasField("game_called")]
    starts = [event.hand_starting for event in played.events if event.HasField("hand_starting")]
    assert [call.game.game_id for call in calls] == called
    assert [start.button for start in starts] == [call.seat for call in calls]
    assert [(call.seat + 1) % 4 for call in calls[:-1]] == [call.seat for call in calls[1:]]
    assert all(call.explanation and call.rule_card for call in calls)
    antes = [event.ante_posted.chips for event in played.events if event.HasField("ante_posted")]
    assert set(antes) == {25}
    assert {"call_required", "game_called", "up_cards_dealt", "cards_drawn", "board_dealt"} <= played.kinds


async def test_game_dc_02_whoever_sits_out_passes_this_hand_only() -> None:
    async with calling() as table:
        await table.call(table.dealer, game_id="STUD7")
        out = table.other
        await table.sit_out(out)
        table.world.clock.advance(15_000)
        sealed = (await table.until("deck_sealed")).deck_sealed
        assert set(sealed.dealt_in) == {player.seat for player in table.night.players} - {out.seat}
        closed = await refusal(table.sit_out(table.at(sealed.dealt_in[0])))
        assert (closed.reason, closed.metadata["rule_id"]) == ("SIT_OUT_CLOSED", "GAME-DC-02")
        played = await play_hands(table.client, table.world, table.night, 2, calls=["STUD7", "STUD7"])
    starts = [event.hand_starting for event in played.events if event.HasField("hand_starting")]
    assert out.seat not in starts[0].dealt_in
    assert out.seat in starts[1].dealt_in
    assert any(event.seat_sat_out.this_hand for event in played.events)


async def test_game_dc_01_a_dealer_who_is_silent_deals_the_last_game_called() -> None:
    async with calling() as table:
        played = await play_hands(table.client, table.world, table.night, 3, calls=[None, "RAZZ", None])
    calls = [event.game_called for event in played.events if event.HasField("game_called")]
    assert [(call.game.game_id, call.by_clock) for call in calls] == [
        ("FIVE_CARD_DRAW", True),  # The format's own.
        ("RAZZ", False),
        ("RAZZ", True),
    ]


async def test_game_dc_03_a_game_of_the_dealers_own_is_dealt_with_its_explanation() -> None:
    async with calling() as table:
        await table.call(table.dealer, game_text=MINE, ante_chips=50)
        called = (await table.until("game_called")).game_called
        assert called.game.name == "Pineapple stud"
        assert called.explanation.startswith("Three down")
        # BET-SP-01, D-125: the range follows an ante of 50.
        assert "Every bet and every raise is 50 to 200, in steps of 50." in [
            line for section in called.rule_card for line in section.lines
        ]
        played = await play_hands(table.client, table.world, table.night, 1)
    assert {event.ante_posted.chips for event in played.events if event.HasField("ante_posted")} == {50}
    assert "choice_made" in played.kinds


async def test_the_picture_of_a_call_from_events_is_the_picture_of_the_server() -> None:
    async with calling() as table:
        state = TableState(
            (await table.client.tables.GetTable(table_service_pb2.GetTableRequest(**table.night.ids))).table
        )
        await table.call(table.dealer, game_id="STUD8")
        await table.sit_out(table.other)
        await table.call(table.dealer, game_id="RAZZ", redeal_if_no_open=False)
        n_compared = 0
        async for event in watch(table.client, table.night, after_seq=state.view.last_number):
            state.apply(event)
            n_compared += await compare(table.client, table.night, state)
            if n_compared:
                break
        assert (state.view.called.game.game_id, list(state.view.sitting_out)) == ("RAZZ", [])


async def test_game_dc_01_a_game_is_called_over_the_players_stream_too() -> None:
    async with calling() as table, open_channel(table.address) as channel:
        where = TableRef(table.night.night_id, table.night.table_id)
        dealer = Client(GrpcTransport(channel), table.dealer.token)
        other = Client(GrpcTransport(channel), table.other.token)
        number = table.call_required.action_number
        async with other.play.stream(where) as seat:
            with pytest.raises(RefusedError) as refusal_of_it:
                await seat.call_game(action_number=number, call=play_service_pb2.GameCall(game_id="STUD7"))
        assert refusal_of_it.value.reason_name == "NOT_DEALER"
        async with dealer.play.stream(where) as seat:
            answer = await seat.call_game(action_number=number, call=play_service_pb2.GameCall(game_id="stud"))
            async for event in seat:
                if event.HasField("game_called"):
                    break
        assert event.game_called.game.game_id == "STUD7"
        assert answer.deadline_at_ms == event.game_called.deadline_at_ms
        assert (answer.last_number, answer.action_number) == (event.number, event.game_called.action_number)


# --- Refusals -------------------------------------------------------------------------------------------------------------


async def refused(table: CallingTable, player: Player, reason: str, rule_id: str, **call: Any) -> None:  # noqa: ANN401
    before = await table.number()
    told = await refusal(table.call(player, **call))
    assert (told.reason, told.metadata.get("rule_id")) == (reason, rule_id), told.message
    assert await table.number() == before


async def test_calls_that_are_refused_change_nothing() -> None:
    async with calling() as table:
        await refused(table, table.other, "NOT_DEALER", "GAME-DC-01", game_id="STUD7")
        await refused(table, table.other, "NOT_DEALER", "GAME-DC-01", game_text="nonsense")
        await refused(table, table.dealer, "GAME_NOT_DESCRIBABLE", "GAME-DC-04", game_text="nonsense")
        unexplained = MINE.replace("explanation =", "# explanation =")
        await refused(table, table.dealer, "EXPLANATION_MISSING", "GAME-DC-03", game_text=unexplained)
        await refused(table, table.dealer, "GAME_NOT_DESCRIBABLE", "GAME-DC-04", game_id="STUD7", cards_speak=True)
        await refused(
            table, table.dealer, "GAME_NOT_DESCRIBABLE", "GAME-DC-04", game_id="STUD7", low_ranking="ACE_TO_SIX"
        )
        await refused(table, table.dealer, "NOT_A_MULTIPLE", "HOUSE-CHIP-05", game_id="STUD7", ante_chips=30)
        await refused(table, table.dealer, "BELOW_MINIMUM", "HOUSE-DEAL-02", game_id="STUD7", ante_chips=0)
        stale = await refusal(table.call(table.dealer, number=99, game_id="STUD7"))
        assert (stale.reason, stale.code) == ("STALE_ACTION", grpc.StatusCode.ABORTED)
        unknown = await refusal(table.call(table.dealer, game_id="NO_SUCH_GAME"))
        assert unknown.reason == "NOT_FOUND"


async def test_card_08_a_game_for_fewer_players_is_not_called() -> None:
    most = catalog.game("CRAZY_PINEAPPLE").players.max
    too_small = next(game for game in catalog.games().values() if game.players.max < most and game.players.max < 8)
    async with calling(8) as table:
        await refused(table, table.dealer, "TOO_MANY_PLAYERS", "CARD-08", game_id=too_small.id)


async def test_game_dc_02_the_call_is_fixed_once_the_deck_is_sealed() -> None:
    async with calling() as table:
        early = await refusal(table.sit_out(table.other))
        assert early.reason == "SIT_OUT_CLOSED"
        await table.call(table.dealer, game_id="STUD7")
        caller = await refusal(table.sit_out(table.dealer))
        assert (caller.reason, caller.metadata["rule_id"]) == ("SIT_OUT_CLOSED", "GAME-DC-02")
        await table.call(table.dealer, game_id="RAZZ")  # Thought better of it.
        table.world.clock.advance(15_000)
        await table.until("deck_sealed")
        await refused(table, table.dealer, "CONFIG_LOCKED", "GAME-DC-02", game_id="STUD7")
        table.world.clock.advance(10_000)
        await table.until("hole_cards_dealt")
        await refused(table, table.dealer, "CONFIG_LOCKED", "GAME-DC-02", game_id="STUD7")
        closed = await refusal(table.sit_out(table.other))
        assert closed.reason == "SIT_OUT_CLOSED"


async def test_gen_05_where_games_were_posted_none_is_called() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, cutoff_in_ms=3_600_000)
        await open_night(client, night)
        table = CallingTable(client, world, night, events_pb2.CallRequired(seat=night.players[0].seat))
        await refused(table, table.dealer, "CONFIG_LOCKED", "GEN-05", game_id="STUD7")


@pytest.mark.parametrize("leaves", ["dealer", "others"])
async def test_game_dc_01_a_call_does_not_stand_without_its_dealer_or_its_players(leaves: str) -> None:
    async with calling(3) as table:
        await table.call(table.dealer, game_id="STUD7")
        after = (await table.until("game_called")).number
        if leaves == "dealer":
            request = table_service_pb2.LeaveTableRequest(request_id=request_id(), **table.night.ids)
            await table.client.tables.LeaveTable(request, metadata=bearer(table.dealer.token))
        else:
            for player in table.night.players:
                if player.seat != table.dealer.seat:
                    await table.sit_out(player)
        dropped = await table.until("call_dropped", after)
        again = (await table.until("call_required", dropped.number)).call_required
        assert dropped.call_dropped.seat == table.dealer.seat
        assert (again.seat == table.dealer.seat) == (leaves == "others")
