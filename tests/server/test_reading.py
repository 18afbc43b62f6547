"""What is there to read: catalog, rank card, tables, sheets and hands, health and reflection, and the log lines."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from homegame.v1 import (
    cards_pb2,
    catalog_service_pb2,
    hand_service_pb2,
    hands_pb2,
    night_service_pb2,
    nights_pb2,
    sheets_pb2,
    table_service_pb2,
    views_pb2,
)
from homegame_engine.evaluator.high import describe
from homegame_engine.notation.phh import read_phh
from homegame_engine.notation.replay import replay
from homegame_server.app import SERVICES
from homegame_server.observe.logging import JsonLines, TextLines
from tests.server.bot_night import play
from tests.server.running_server import World, serving
from tests.server.table_client import bearer, open_night, refusal, request_id, seat_night
from tests.server.test_deadlines import dealt, view_of

if TYPE_CHECKING:
    import pytest


async def test_the_catalog_lists_what_can_be_played() -> None:
    async with serving(World()) as (_, client):
        games = (await client.catalog.ListGames(catalog_service_pb2.ListGamesRequest())).games
        formats = (await client.catalog.ListFormats(catalog_service_pb2.ListFormatsRequest())).formats
        by_alias = await client.catalog.GetFormat(catalog_service_pb2.GetFormatRequest(format_id="points-night"))
        game = (await client.catalog.GetGame(catalog_service_pb2.GetGameRequest(game_id="HOLDEM"))).game
    assert game in games
    assert by_alias.format in formats
    assert [(street.down_cards, street.board_cards) for street in game.streets] == [(2, 0), (0, 3), (0, 1), (0, 1)]
    level = by_alias.format.levels[0]
    assert (level.small_blind_chips, level.big_blind_chips, level.small_bet_chips, level.big_bet_chips) == (1, 2, 2, 4)
    assert (by_alias.format.format_id, by_alias.format.raise_cap, by_alias.format.start_chips) == ("B1", 3, 100)


async def test_rank_hi_07_the_rank_card_shows_each_kind_with_a_true_example() -> None:
    async with serving(World()) as (_, client):
        request = catalog_service_pb2.GetRankCardRequest(game_id="HOLDEM")
        card = (await client.catalog.GetRankCard(request)).rank_card
    examples = [describe([code - 1 for code in kind.example]) for kind in card.categories]
    ranks = [example.hand_rank for example in examples]
    assert ranks == sorted(ranks, reverse=True)
    for kind, example in zip(card.categories, examples, strict=True):
        assert example.category.lower().replace("_", " ") == kind.name
        assert example.best_cards == tuple(code - 1 for code in kind.example)
    assert len(card.deck) == 52
    ace = next(face for face in card.deck if face.text == "As")
    assert (ace.card, ace.rank, ace.suit) == (cards_pb2.CARD_ACE_OF_SPADES, cards_pb2.RANK_ACE, cards_pb2.SUIT_SPADES)


async def test_a_night_before_play_shows_its_posting_and_its_people() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, decision_window_ms=20_000, hand_pause_ms=5, host_name="Hanna", seats=3)
        shown = (await client.nights.GetNight(night_service_pb2.GetNightRequest(night_id=night.night_id))).night
        view = await view_of(client, night)
    assert shown.phase == nights_pb2.NIGHT_PHASE_POSTED
    assert [person.display_name for person in shown.participants] == ["Hanna", "Player 1", "Player 2"]
    assert [person.acknowledged for person in shown.participants] == [False, True, True]
    assert shown.posting == view.posting
    assert (shown.posting.decision_window_ms, shown.posting.hand_pause_ms) == (20_000, 5)
    assert shown.posting.cutoff_at_ms == world.clock.now_ms() + 60_000
    assert [seat.status for seat in view.seats] == [
        views_pb2.SEAT_STATUS_SEATED,
        views_pb2.SEAT_STATUS_SEATED,
        views_pb2.SEAT_STATUS_EMPTY,
    ]
    assert [seat.stack_chips for seat in view.seats] == [100, 100, 0]
    assert not view.HasField("button")
    assert view.hand_phase == views_pb2.HAND_PHASE_UNSPECIFIED


async def test_a_view_shows_own_cards_and_backs_and_what_lies_where() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world, n_players=3)
        get = table_service_pb2.GetTableRequest(**night.ids)
        own = (await client.tables.GetTable(get, metadata=bearer(night.token_of(1)))).table
        spectator = await view_of(client, night)
    assert own.viewer_seat == 1
    assert all(own.seats[1].cards)
    assert [list(own.seats[seat].cards) for seat in (0, 2)] == [[0, 0], [0, 0]]
    assert [list(seat.cards) for seat in spectator.seats[:3]] == [[0, 0]] * 3
    assert not spectator.HasField("viewer_seat")
    assert spectator.pot_chips == 3 == sum(seat.street_chips for seat in spectator.seats)
    assert sum(seat.stack_chips for seat in spectator.seats) + spectator.pot_chips == 300
    assert list(spectator.may_act) == [spectator.legal.seat]
    assert (spectator.street, spectator.hand_number) == (0, 1)
    assert {spectator.small_blind_seat, spectator.big_blind_seat} | {spectator.button} == {0, 1, 2}


async def test_hands_can_be_read_listed_and_written_down() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 4)
        await open_night(client, night)
        events = await play(client, night, world)
        first = hand_service_pb2.ListHandsRequest(page_size=2, **night.ids)
        page = await client.hands.ListHands(first)
        assert [hand.hand_number for hand in page.hands] == [1, 2]
        rest = await client.hands.ListHands(
            hand_service_pb2.ListHandsRequest(page_size=1000, page_token=page.next_page_token, **night.ids)
        )
        assert rest.next_page_token == ""
        summaries = [*page.hands, *rest.hands]
        for summary in summaries:
            request = hand_service_pb2.GetHandRequest(hand_number=summary.hand_number, **night.ids)
            hand = (await client.hands.GetHand(request)).hand
            assert list(hand.events) == events[summary.first_number - 1 : summary.last_number]
            assert hand.events[0].HasField("hand_starting")
            assert hand.events[-1].HasField("hand_ended")
            assert hand.summary == summary
            texts = {}
            for written in (1, 2, 3):
                export = hand_service_pb2.ExportHandRequest(
                    hand_number=summary.hand_number, format=hands_pb2.ExportFormat.ValueType(written), **night.ids
                )
                texts[written] = await client.hands.ExportHand(export)
            replayed = replay(read_phh(texts[1].text))
            assert replayed.outcome == "matched", replayed
            lines = [json.loads(line) for line in texts[2].text.splitlines()]
            assert len(lines) == len(hand.events)
            assert f"Hand {summary.hand_number}" in texts[3].text
            assert [texts[kind].file_name for kind in texts] == [
                f"hand-{summary.hand_number}.{ending}" for ending in ("phh", "jsonl", "txt")
            ]
    assert len(summaries) == sum(event.HasField("hand_ended") for event in events)


async def test_a_sheet_is_open_to_all_and_locks_a_row_when_the_next_hand_starts() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await dealt(client, world, n_players=2)
        get = night_service_pb2.GetScoresheetRequest(**night.ids)
        sheet: sheets_pb2.Scoresheet = (await client.nights.GetScoresheet(get)).scoresheet
        assert not sheet.rows
        assert (sheet.total_chips, sheet.finish_reason) == (200, sheets_pb2.FINISH_REASON_UNSPECIFIED)
        view = await view_of(client, night)
        world.clock.advance(30_000)  # The small blind runs out of time and folds.
        await play(client, night, world, after_seq=view.last_number, n_actions_max=0)
        (row,) = (await client.nights.GetScoresheet(get)).scoresheet.rows
        assert sorted(entry.net_chips for entry in row.entries) == [-1, 1]
        assert row.locked


async def test_health_of_the_whole_and_of_each_service() -> None:
    async with serving(World()) as (_, client):
        stub: Any = health_pb2_grpc.HealthStub(client.channel)
        for service in ("", *SERVICES):
            checked = await stub.Check(health_pb2.HealthCheckRequest(service=service))
            assert checked.status == health_pb2.HealthCheckResponse.SERVING
        assert (await refusal(stub.Check(health_pb2.HealthCheckRequest(service="x")))).reason == "NOT_FOUND"


async def test_reflection_lists_every_service() -> None:
    async with serving(World()) as (_, client):
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(client.channel)
        call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        listed = (await call.read()).list_services_response.service
        call.cancel()
    assert {*SERVICES, "grpc.health.v1.Health"} <= {service.name for service in listed}


async def test_a_log_has_one_line_a_request_with_ids_and_never_a_card_a_deck_or_a_token(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, logger="homegame")
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 3)
        await open_night(client, night)
        events = await play(client, night, world, n_actions_max=30)
        taken = request_id()
        late = table_service_pb2.TakeSeatRequest(request_id=taken, **night.ids)
        await refusal(client.tables.TakeSeat(late, metadata=bearer(night.host_token)))
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records if record.name == "homegame.request"]
    acts = [line for line in lines if line["method"].endswith("/Act")]
    n_cuts = sum(event.HasField("deck_cut") for event in events)
    assert len(acts) == sum(event.HasField("action_required") for event in events) - 1 == 30 + n_cuts
    for line in acts:
        assert line["code"] == "OK"
        assert {"night", "table", "hand", "seat", "request", "took_ms"} <= line.keys()
    (refused,) = [line for line in lines if line.get("request") == taken]
    assert (refused["code"], refused["reason"]) == ("FAILED_PRECONDITION", "CONFIG_LOCKED")
    rows = await world.journal.reopened().read(night.night_id)
    (sealed, *_) = [json.loads(row.input)["input"] for row in rows if b"deck_order" in row.input]
    written = "".join(form.format(record) for record in caplog.records for form in (JsonLines(), TextLines()))
    for secret in (
        night.host_token,
        *(player.token for player in night.players),
        sealed["deck_order"],
        sealed["key"],
        "cards",
    ):
        assert secret not in written


async def test_a_reader_of_the_log_cannot_ask_again_for_an_answer_that_holds_a_token(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """JoinTable and CreateNight take no token and answer a repeat as they did the first time: their ids are as good as one."""
    caplog.set_level(logging.DEBUG, logger="homegame")
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2)
        refused = request_id()
        nameless = table_service_pb2.JoinTableRequest(request_id=refused, display_name="", **night.ids)
        assert (await refusal(client.tables.JoinTable(nameless))).reason == "BAD_REQUEST"
    written = "".join(form.format(record) for record in caplog.records for form in (JsonLines(), TextLines()))
    assert "TableService/JoinTable" in written
    assert refused not in written  # It may be sent again with a name.
    for row in await world.journal.reopened().read(night.night_id):
        assert row.request_id is not None
        hands_out_a_token = b'"CreateNight"' in row.input or b'"JoinNight"' in row.input
        assert (row.request_id in written) != hands_out_a_token
