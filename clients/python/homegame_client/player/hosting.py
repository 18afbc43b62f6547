"""A night of one's own: bots for company, and a host that opens it when everybody is ready and closes it at the end."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from homegame.v1.night_service_pb2 import TableSettings
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import SeatStatus, TableView
from homegame_client.bots import STYLES, Bot
from homegame_client.client import Client, TableRef
from homegame_client.errors import RefusedError
from homegame_client.player.saved_seat import OwnNight, SavedBot, SavedSeat
from homegame_client.short_hand import ShortHand
from homegame_client.table_state import TableState

FORMAT: Final = "points-night"
BOT_NAMES: Final = ("Ada", "Bruno", "Chiara", "Dmitri", "Emeka", "Fatima", "Grete", "Hiroshi", "Ines")
HAND_PAUSE_MS: Final = 6_000
"""Time to see who won before the next hand is dealt."""
THINK_MS: Final = (500, 1_800)
"""Bots take about as long as a person needs to follow them."""


@dataclass(frozen=True)
class WantedNight:
    """What a night is created with: a posted format, or the settings of a table of one game."""

    format_id: str = FORMAT
    house_id: str | None = None
    """Instead of the format's own."""
    table: TableSettings | None = None
    """Then the format's id is empty."""


async def create_night(  # noqa: PLR0913 - each thing that one may choose
    client: Client,
    address: str,
    *,
    name: str,
    n_bots: int,
    n_seats: int,
    minutes: float,
    seed: str,
    data: str,
    wanted: WantedNight | None = None,
) -> SavedSeat:
    """Create a night, take a seat in it under `name`, and seat the bots, who have read the posting.

    Args:
        client: Without a token.
        address: Where its server listens, to be saved with the seat.
        name: Of the person.
        n_bots: How many bots.
        n_seats: Seats at the table; those beyond the bots and the person stay free for others.
        minutes: To the cutoff, from now.
        seed: Of the bots' choices.
        data: Folder of the server's journal, to be saved with the seat.
        wanted: What is played; the points night unless something else is named.
    """
    played = wanted or WantedNight()
    created = await client.nights.create(
        name=f"{name}'s night",
        format_id=played.format_id,
        table=played.table,
        house_id=played.house_id,
        seats=n_seats,
        cutoff_in_ms=round(minutes * 60_000),
        hand_pause_ms=HAND_PAUSE_MS,
    )
    table = TableRef(created.night_id, created.table_ids[0])
    own = await take_seat(client, address, table, name=name)
    bots = []
    others = [bot_name for bot_name in BOT_NAMES if bot_name.lower() != name.lower()]
    for number in range(n_bots):
        style = STYLES[number % len(STYLES)]
        bot = Bot(client, table, name=others[number % len(others)], style=style, seed=seed)
        await bot.sit_down()
        await bot.acknowledge()
        bots.append(SavedBot(bot.name, style.name, bot.client.token))
    night = OwnNight(data=data, host_token=created.host_token, seed=seed, bots=tuple(bots))
    return SavedSeat(address, *table, own.participant_id, name, own.token, night)


async def take_seat(client: Client, address: str, table: TableRef, *, name: str) -> SavedSeat:
    """Join a night under `name` and take the lowest free seat. Raises ClientError when there is none."""
    joined = await client.tables.join(table, display_name=name)
    await client.with_token(joined.participant_token).tables.take_seat(table)
    return SavedSeat(address, *table, joined.participant_id, name, joined.participant_token)


async def keep_company(client: Client, seat: SavedSeat, tell: Callable[[str], None]) -> None:
    """Let the bots play and the host do its duties until the night is closed.

    Args:
        client: Without a token, patient enough for a server that is started again.
        seat: A seat with a night of one's own.
        tell: Takes a sentence when the host is refused something.
    """
    night = seat.own_night
    if night is None:
        return
    styles = {style.name: style for style in STYLES}
    async with asyncio.TaskGroup() as group:
        for saved in night.bots:
            style = styles.get(saved.style, STYLES[0])
            bot = Bot(
                client.with_token(saved.token),
                seat.table,
                name=saved.name,
                style=style,
                seed=night.seed,
                think_ms=THINK_MS,
            )
            group.create_task(bot.play())
        group.create_task(host_night(client.with_token(night.host_token), seat.table, tell))


async def host_night(host: Client, table: TableRef, tell: Callable[[str], None]) -> None:
    """Open the night when every seat is taken and has read the posting; close it when the session is over.

    While tied leaders may still ask for a short hand it stays open (PTS-B3-05).
    """
    state = TableState(await host.tables.get(table))
    stream = host.tables.watch(table, after_seq=state.view.last_number)
    done: set[NightPhase.ValueType] = set()
    short_hand = ShortHand()
    await _do_duty(host, state.view, tell, done, short_hand)
    async for frame in stream.frames():
        for event in frame.events:
            state.apply(event)
            short_hand.hear(event)
        if state.is_incomplete:
            state.replace(await host.tables.get(table))
        await _do_duty(host, state.view, tell, done, short_hand)


async def close_night(host: Client, table: TableRef) -> bool:
    """Close the night if no hand runs, and say whether it is closed."""
    try:
        await host.nights.close(table.night_id)
    except RefusedError:
        view = await host.tables.get(table)
        return view.phase == NightPhase.NIGHT_PHASE_CLOSED
    return True


async def _do_duty(
    host: Client, view: TableView, tell: Callable[[str], None], done: set[NightPhase.ValueType], short_hand: ShortHand
) -> None:
    """Do what the phase asks of the host, once: what it brings about is in the stream only a moment later."""
    is_ready = view.phase == NightPhase.NIGHT_PHASE_POSTED and _is_everybody_ready(view)
    is_finished = view.phase == NightPhase.NIGHT_PHASE_FINISHED and not short_hand.may_come(view)
    if view.phase in done or not (is_ready or is_finished):
        return
    done.add(view.phase)
    try:
        await (host.nights.open(view.night_id) if is_ready else host.nights.close(view.night_id))
    except RefusedError as refusal:
        tell(f"The night cannot go on: {refusal.message}")


def _is_everybody_ready(view: TableView) -> bool:
    return all(seat.status != SeatStatus.SEAT_STATUS_EMPTY and seat.acknowledged for seat in view.seats)
