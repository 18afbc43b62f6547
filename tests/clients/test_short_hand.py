"""PTS-B3-05: tied leaders ask in the terminal for their short hand or decline it, and one's own night waits for them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from homegame.v1.events_pb2 import (
    NightClosed,
    PlayoffAsked,
    PlayoffFinished,
    PlayoffStarted,
    SessionFinished,
    TableEvent,
)
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.sheets_pb2 import Placement
from homegame_client.bots import STYLES, Bot
from homegame_client.player.hosting import host_night
from tests.clients.fake_table import OWN_SEAT, TABLE, FakeTable, ManualTiming, client_of, others_turn
from tests.clients.test_player_hosting import settle
from tests.clients.test_player_plain import talking
from tests.clients.test_player_screen import seated

if TYPE_CHECKING:
    from homegame.v1.views_pb2 import TableView

OTHER_SEAT = OWN_SEAT + 1


def last_hand(tie_rule: str = "SHORT_HAND") -> TableView:
    view = others_turn()
    view.posting.tie_rule = tie_rule
    return view


def finish(*leaders: int) -> TableEvent:
    """The result: these share the first place, everybody else the one after."""
    placements = [
        Placement(
            seat=seat,
            place=1 if seat in leaders else 1 + len(leaders),
            tied=seat not in leaders or len(leaders) > 1,
            stack_chips=110 if seat in leaders else 90,
        )
        for seat in range(4)
    ]
    return TableEvent(session_finished=SessionFinished(placements=placements))


def asked(seat: int, *, agrees: bool = True) -> TableEvent:
    return TableEvent(playoff_asked=PlayoffAsked(seat=seat, agrees=agrees))


@pytest.mark.parametrize(("key", "answers"), [("y", [True]), ("n", [False])])
async def test_pts_b3_05_a_tied_leader_asks_or_declines_with_a_key(key: str, answers: list[bool]) -> None:
    async with seated(last_hand(), (60, 24)) as seat:
        await seat.press(key)
        assert "No short hand is open to you now" in seat.bottom
        seat.server.push(finish(OWN_SEAT, OTHER_SEAT))
        seat.server.push(asked(OTHER_SEAT))
        await seat.settle()
        await seat.press("escape")
        await seat.pass_time(15.0)
        assert "ask for a short hand" in seat.bottom
        assert "share the place" in seat.bottom
        await seat.press(key)
        assert seat.server.short_hands == answers


@pytest.mark.parametrize(
    ("tie_rule", "events"),
    [
        ("SHARE", [finish(OWN_SEAT, OTHER_SEAT)]),
        ("SHORT_HAND", [finish(OWN_SEAT)]),
        ("SHORT_HAND", [finish(OTHER_SEAT, OTHER_SEAT + 1)]),
        ("SHORT_HAND", [finish(OWN_SEAT, OTHER_SEAT), asked(OTHER_SEAT, agrees=False)]),
        ("SHORT_HAND", [finish(OWN_SEAT, OTHER_SEAT), asked(OWN_SEAT)]),
    ],
    ids=["shared by the format", "no tie", "tied others", "declined", "asked already"],
)
async def test_pts_b3_05_the_keys_are_offered_only_where_they_decide(tie_rule: str, events: list[TableEvent]) -> None:
    async with talking(last_hand(tie_rule)) as (talk, _):
        talk.server.push(*events)
        await settle()
        await talk.type("y")
        assert talk.new_lines()[-1] == "No short hand is open to you now."
        assert talk.server.short_hands == []


async def test_pts_b3_05_the_short_hand_is_offered_in_sentences() -> None:
    async with talking(last_hand()) as (talk, _):
        talk.server.push(finish(OWN_SEAT, OTHER_SEAT))
        await settle()
        assert "Type y to ask for one short hand between the tied leaders, n to share the place." in talk.new_lines()
        await talk.type("y")
        assert talk.new_lines()[-1] == "You ask for a short hand; it is dealt once every tied leader has asked."
        assert talk.server.short_hands == [True]


@pytest.mark.parametrize(
    "settling",
    [
        [asked(0, agrees=False)],
        [asked(0), asked(1), TableEvent(playoff_started=PlayoffStarted(seats=[0, 1], start_chips=40))],
    ],
    ids=["declined", "played"],
)
async def test_pts_b3_05_ones_own_night_stays_open_until_the_tie_is_settled(settling: list[TableEvent]) -> None:
    server = FakeTable(last_hand())
    hosting = asyncio.ensure_future(host_night(client_of(server, ManualTiming()), TABLE, pytest.fail))
    await settle()
    server.push(finish(0, 1))
    await settle()
    assert "CloseNight" not in server.asked
    is_played = settling[-1].HasField("playoff_started")
    server.view.phase = NightPhase.NIGHT_PHASE_PLAYOFF if is_played else NightPhase.NIGHT_PHASE_FINISHED
    server.push(*settling)
    if is_played:
        await settle()
        assert "CloseNight" not in server.asked
        placements = finish(0, 1).session_finished.placements
        server.view.phase = NightPhase.NIGHT_PHASE_FINISHED
        server.push(TableEvent(playoff_finished=PlayoffFinished(placements=placements)))
    await settle()
    assert server.asked.count("CloseNight") == 1
    server.push(TableEvent(night_closed=NightClosed(has_result=True)))
    await hosting


@pytest.mark.parametrize(("leaders", "answers"), [((OWN_SEAT, OTHER_SEAT), [True]), ((OTHER_SEAT,), [])])
async def test_pts_b3_05_a_bot_is_ready_for_the_short_hand(leaders: tuple[int, ...], answers: list[bool]) -> None:
    server = FakeTable(last_hand())
    bot = Bot(client_of(server, ManualTiming()), TABLE, name="Bruno", style=STYLES[0], seed="1", by_stream=False)
    playing = asyncio.ensure_future(bot.play())
    await settle()
    server.push(finish(*leaders), TableEvent(night_closed=NightClosed(has_result=True)))
    await playing
    assert server.short_hands == answers
