"""A whole night over gRPC: dealt, played by bots, finished by the clock, and on the sheet."""

from __future__ import annotations

from homegame.v1 import events_pb2, night_service_pb2, sheets_pb2
from tests.server.bot_night import play
from tests.server.running_server import World, serving
from tests.server.table_client import open_night, seat_night


async def test_a_night_of_six_bots_ends_at_the_cutoff_with_a_sheet_that_adds_up() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 6)
        await open_night(client, night)
        events = await play(client, night, world)
        response = await client.nights.GetScoresheet(night_service_pb2.GetScoresheetRequest(**night.ids))
    sheet = response.scoresheet
    ended = [event.hand_ended for event in events if event.WhichOneof("event") == "hand_ended"]
    assert len(sheet.rows) == len(ended) > 5
    for row, hand in zip(sheet.rows, ended, strict=True):
        assert sum(entry.net_chips for entry in row.entries) == 0
        assert [entry.end_chips for entry in row.entries] == list(hand.stacks)[:6]
        assert row.locked
    assert sheet.total_chips == sum(column.stack_points for column in sheet.columns) == 600
    assert sheet.finish_reason == sheets_pb2.FINISH_REASON_CUTOFF
    assert events[-1].WhichOneof("event") == "session_finished"
    assert isinstance(events[-1], events_pb2.TableEvent)
