"""A night of one's own: opened when everybody is ready, closed once at its end, and served again when its server dies."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import NightClosed, PostingAcknowledged, SeatTaken, SessionFinished, TableEvent
from homegame.v1.views_pb2 import SeatStatus
from homegame_cli.kept_server import KeptServer
from homegame_client import Client, GrpcTransport, RefusedError, open_channel
from homegame_client.player.hosting import close_night, create_night, host_night
from tests.clients.fake_table import TABLE, FakeTable, ManualTiming, before_play, client_of, others_turn
from tests.clients.test_player_screen import seated

if TYPE_CHECKING:
    from pathlib import Path


async def settle() -> None:
    for _ in range(40):
        await asyncio.sleep(0)


async def test_the_night_is_opened_when_the_last_seat_is_taken_and_has_read_the_posting() -> None:
    view = before_play()
    view.seats[1].status, view.seats[1].participant_id = SeatStatus.SEAT_STATUS_EMPTY, ""
    server = FakeTable(view)
    hosting = asyncio.ensure_future(host_night(client_of(server, ManualTiming()), TABLE, pytest.fail))
    await settle()
    assert "OpenNight" not in server.asked
    server.push(TableEvent(seat_taken=SeatTaken(seat=1, participant_id="p1", display_name="Bruno")))
    await settle()
    assert "OpenNight" not in server.asked
    server.push(TableEvent(posting_acknowledged=PostingAcknowledged(seat=1)))
    await settle()
    server.push(TableEvent(night_closed=NightClosed()))
    await hosting
    assert server.asked.count("OpenNight") == 1


async def test_the_night_is_closed_once_when_the_session_is_over() -> None:
    server = FakeTable(others_turn())
    hosting = asyncio.ensure_future(host_night(client_of(server, ManualTiming()), TABLE, pytest.fail))
    await settle()
    server.push(TableEvent(session_finished=SessionFinished()))
    await settle()
    server.push(TableEvent(night_closed=NightClosed(has_result=True)))
    await hosting
    assert server.asked.count("CloseNight") == 1


async def test_a_refused_opening_is_told() -> None:
    view = before_play()
    view.seats[1].acknowledged = True
    server = FakeTable(view)
    server.refusals["OpenNight"] = RefusedError(
        reason=Reason.REASON_CUTOFF_PASSED, reason_name="CUTOFF_PASSED", message="the cutoff has passed"
    )
    told: list[str] = []
    hosting = asyncio.ensure_future(host_night(client_of(server, ManualTiming()), TABLE, told.append))
    await settle()
    server.push(TableEvent(night_closed=NightClosed()))
    await hosting
    assert told == ["The night cannot go on: the cutoff has passed"]


async def test_a_night_with_a_running_hand_is_not_closed_yet() -> None:
    server = FakeTable(others_turn())
    server.refusals["CloseNight"] = RefusedError(
        reason=Reason.REASON_HAND_IN_PROGRESS, reason_name="HAND_IN_PROGRESS", message="a hand is running"
    )
    client = client_of(server, ManualTiming())
    assert not await close_night(client, TABLE)
    assert await close_night(client, TABLE)


async def test_what_others_type_is_shown_while_a_seat_is_free() -> None:
    view = before_play()
    view.seats[1].acknowledged = True
    view.seats[3].status, view.seats[3].participant_id = SeatStatus.SEAT_STATUS_EMPTY, ""
    async with seated(view, invitation="homegame play 127.0.0.1:5 n1") as seat:
        assert "Others on this machine join with: homegame play 127.0.0.1:5 n1" in seat.bottom
        assert "1 free seat" in seat.bottom


@pytest.mark.slow
async def test_a_killed_server_comes_back_at_its_address_with_the_night(tmp_path: Path) -> None:
    async with KeptServer.running(tmp_path) as server, open_channel(server.address) as channel:
        client = Client(GrpcTransport(channel))
        seat = await create_night(
            client, server.address, name="Anna", n_bots=2, n_seats=3, minutes=5, seed="1", data=str(tmp_path)
        )
        first = server.pid
        os.kill(first, signal.SIGKILL)
        view = await client.with_token(seat.token).tables.get(seat.table)
        assert view.viewer_seat == 0
        assert [shown.display_name for shown in view.seats] == ["Anna", "Ada", "Bruno"]
        assert server.pid != first
