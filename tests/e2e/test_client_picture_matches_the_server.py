"""A table drawn from events is the table the server shows, as a player and as a spectator see it."""

from __future__ import annotations

import asyncio
import difflib
from typing import TYPE_CHECKING, Final

from homegame.v1.cards_pb2 import Card
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import HandPhase, SeatStatus, TableView
from homegame_cli.child_server import ChildServer
from homegame_client import Client, GrpcTransport, TableRef, TableState, open_channel
from homegame_client.bots import STYLES, Bot

if TYPE_CHECKING:
    from pathlib import Path

CUTOFF_MS: Final = 4_000
VIEWS_MIN: Final = 40


def comparable(view: TableView) -> TableView:
    """The part of a view that events tell.

    Places and who is out are told when a hand is over, by the table itself; so is a player's own hand in words. Who had
    put in how much no longer matters then.
    """
    told = TableView()
    told.CopyFrom(view)
    for name in ("standings", "server_time_ms"):
        told.ClearField(name)
    if not told.may_act:
        told.action_number = 0  # Told with the next turn.
    for seat in told.seats:
        seat.rank_text = ""
        seat.ClearField("wild_positions")
        if told.hand_phase == HandPhase.HAND_PHASE_OVER:
            seat.committed_chips = 0
            seat.all_in = False
            seat.status = SeatStatus.SEAT_STATUS_UNSPECIFIED
    return told


class Comparison:
    """Follows a table twice, by events and by asking for it again and again, and compares the two at equal numbers."""

    def __init__(self, client: Client, table: TableRef) -> None:
        self.client = client
        self.table = table
        self.drawn: dict[int, TableView] = {}
        self.asked: list[TableView] = []
        self.own_cards: set[Card.ValueType] = set()

    async def follow(self) -> None:
        view = await self.client.tables.get(self.table)
        game = (await self.client.catalog.get_played_game(self.table)).game
        state = TableState(view, [street.name for street in game.streets])
        async for event in self.client.tables.watch(self.table, after_seq=view.last_number):
            state.apply(event)
            self.drawn[event.number] = comparable(state.view)
            if state.own_seat is not None:
                self.own_cards.update(state.own_seat.cards)

    async def ask(self) -> None:
        while not self.asked or self.asked[-1].phase != NightPhase.NIGHT_PHASE_CLOSED:
            self.asked.append(await self.client.tables.get(self.table))
            await asyncio.sleep(0)

    def differences(self) -> list[str]:
        pairs = [
            (self.drawn[view.last_number], comparable(view)) for view in self.asked if view.last_number in self.drawn
        ]
        assert len({drawn.last_number for drawn, _ in pairs}) >= VIEWS_MIN
        return [
            "\n".join(difflib.unified_diff(str(drawn).splitlines(), str(shown).splitlines(), "drawn", "shown"))
            for drawn, shown in pairs
            if drawn != shown
        ]


async def test_the_picture_from_events_is_the_picture_of_the_server(tmp_path: Path) -> None:
    server = await ChildServer.start(tmp_path)
    try:
        async with open_channel(server.address) as channel:
            spectator = Client(GrpcTransport(channel))
            created = await spectator.nights.create(
                name="Tuesday", format_id="points-night", seats=4, cutoff_in_ms=CUTOFF_MS, hand_pause_ms=200
            )
            host = spectator.with_token(created.host_token)
            table = TableRef(created.night_id, created.table_ids[0])
            bots = [
                Bot(spectator, table, name=f"bot {n}", style=STYLES[-1], seed="1", think_ms=(5, 20)) for n in range(4)
            ]
            for bot in bots:
                await bot.sit_down()
            comparisons = [Comparison(spectator, table), Comparison(bots[0].client, table)]
            following = [asyncio.create_task(comparison.follow()) for comparison in comparisons]
            asking = [asyncio.create_task(comparison.ask()) for comparison in comparisons]
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await host.nights.record_read_aloud(table.night_id)
            await host.nights.open(table.night_id)
            async for event in spectator.tables.watch(table):
                if event.WhichOneof("event") == "session_finished":
                    await host.nights.close(table.night_id)
            await asyncio.gather(*following, *asking, *playing)
    finally:
        await server.stop()
    for comparison in comparisons:
        differences = comparison.differences()
        assert not differences, differences[0]
    assert comparisons[0].own_cards == set()
    assert comparisons[1].own_cards
    assert Card.CARD_HIDDEN not in comparisons[1].own_cards
    assert all(dict(bot.report.refused) == {} for bot in bots)
