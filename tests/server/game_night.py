"""Hands of any game over gRPC, played by chance on a clock that the test moves, with what every viewer can check of them."""

from __future__ import annotations

import difflib
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from homegame.v1 import (
    catalog_service_pb2,
    hand_service_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)
from homegame.v1.views_pb2 import HandPhase, SeatStatus, TableView
from homegame_client import TableState
from homegame_client.deal_log import DealKey, DealLog
from tests.server.table_client import (
    NAMING,
    SeatedNight,
    TableClient,
    act_request,
    bearer,
    choose,
    open_night,
    own_cards,
    request_id,
    seat_night,
    watch,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from homegame.v1 import events_pb2
    from tests.server.running_server import World

DECISION_MS = 30_000


@dataclass
class PlayedTable:
    """A table whose hands were played."""

    night: SeatedNight
    n_players: int
    events: list[events_pb2.TableEvent] = field(default_factory=list)
    """As a spectator saw them."""
    n_compared: int = 0

    @property
    def kinds(self) -> set[str]:
        return {event.WhichOneof("event") or "" for event in self.events}


def table_of(game_id: str, house_id: str, **sizes: int) -> night_service_pb2.TableSettings:
    """Settings of a table of one game."""
    return night_service_pb2.TableSettings(game_id=game_id, house_id=house_id, **sizes)  # type: ignore[arg-type] # amounts by name


async def open_table(
    client: TableClient, table: night_service_pb2.TableSettings, n_players: int, **settings: int
) -> SeatedNight:
    """Seat people at a table of one game, and begin."""
    night = await seat_night(client, n_players, table=table, cutoff_in_ms=3_600_000, **settings)
    await open_night(client, night)
    return night


async def play_hands(
    client: TableClient,
    world: World,
    night: SeatedNight,
    n_hands: int,
    *,
    seed: int = 1,
    late: float = 0.02,
    calls: Sequence[str | None] = (),
    until: Callable[[events_pb2.TableEvent], bool] = lambda _: False,
) -> PlayedTable:
    """Play until so many hands are over, and hold the picture from events against the table that is shown.

    Args:
        client: Of a server.
        world: Its clock.
        night: Has been opened.
        n_hands: The number of the last hand.
        seed: Of chance.
        late: How often nobody answers.
        calls: Games to call, in order; None for a dealer who says nothing in time.
        until: Says after which event to stop.
    """
    to_call = list(calls)
    chance = random.Random(seed)  # noqa: S311 - a test repeats it
    played = PlayedTable(night, len(night.players))
    view = await view_of(client, night)
    here = catalog_service_pb2.PlayedGame(**night.ids)
    shown = await client.catalog.GetGame(catalog_service_pb2.GetGameRequest(table=here))
    state = TableState(view, [street.name for street in shown.game.streets])
    async for event in watch(client, night):
        played.events.append(event)
        state.apply(event)
        kind = event.WhichOneof("event")
        if until(event):
            return played
        if kind == "action_required":
            played.n_compared += await compare(client, night, state)
            await _answer(client, world, night, event.action_required, chance, late)
        elif kind == "call_required" and to_call:
            await _call(client, world, night, event.call_required, to_call.pop(0))
        elif kind == "game_called":
            world.clock.advance_to(event.game_called.deadline_at_ms)
        elif kind in {"night_opened", "button_placed", "pot_carried"}:
            world.clock.advance(world.limits.hand_pause_ms)
        elif kind == "hand_ended" and event.hand_ended.hand_number >= n_hands:
            return played
    raise AssertionError("the stream ended")


async def _call(
    client: TableClient, world: World, night: SeatedNight, required: events_pb2.CallRequired, game_id: str | None
) -> None:
    if required.action_number != (await view_of(client, night)).action_number:
        return  # It was called before this table was played.
    if game_id is None:
        world.clock.advance_to(required.deadline_at_ms)
        return
    request = play_service_pb2.CallGameRequest(
        request_id=request_id(),
        action_number=required.action_number,
        call=play_service_pb2.GameCall(game_id=game_id),
        **night.ids,
    )
    await client.play.CallGame(request, metadata=bearer(night.token_of(required.seat)))


async def _answer(
    client: TableClient,
    world: World,
    night: SeatedNight,
    required: events_pb2.ActionRequired,
    chance: random.Random,
    late: float,
) -> None:
    if chance.random() < late:
        world.clock.advance(DECISION_MS)  # The clock acts for every seat that owes a decision.
        return
    view = await view_of(client, night, night.token_of(required.seat))
    if view.action_number != required.action_number or required.seat not in view.may_act:
        return  # The clock was faster.
    names_cards = any(kind in NAMING for kind in required.legal.kinds)
    own = await own_cards(client, night, required.seat) if names_cards else []
    request = act_request(night, required.action_number, choose(view.legal, chance, own))
    await client.play.Act(request, metadata=bearer(night.token_of(required.seat)))


async def view_of(client: TableClient, night: SeatedNight, token: str = "") -> TableView:
    """The table as the holder of a token sees it."""
    request = table_service_pb2.GetTableRequest(**night.ids)
    view: TableView = (await client.tables.GetTable(request, metadata=bearer(token))).table
    return view


# --- The picture ----------------------------------------------------------------------------------------------------------


async def compare(client: TableClient, night: SeatedNight, state: TableState, token: str = "") -> int:
    """Hold a table drawn from events against the table that is shown, if nothing happened in between; returns 1 if so."""
    shown = await view_of(client, night, token)
    if state.view.last_number != shown.last_number:
        return 0
    if state.is_incomplete:
        state.replace(shown)
        return 0
    pictures = [str(comparable(view)).splitlines() for view in (state.view, shown)]
    assert pictures[0] == pictures[1], "\n".join(difflib.unified_diff(pictures[0], pictures[1], "drawn", "shown"))
    return 1


def comparable(view: TableView) -> TableView:
    """The part of a view that events tell: places, who is out and hands in words are the table's own to say."""
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


# --- The proofs -----------------------------------------------------------------------------------------------------------


async def check_deals(client: TableClient, played: PlayedTable) -> int:
    """Let every seat and a spectator check every deal with what each saw; returns how many cards agreed."""
    n_cards = 0
    for viewer in (None, *range(played.n_players)):
        token = played.night.token_of(viewer)
        kept = DealLog(played.night.night_id, played.night.table_id)
        async for event in watch(client, played.night, token=token):
            kept.take(event)
            if event.number == played.events[-1].number:
                break
        for key in kept.over:
            n_cards += await _check(client, played, kept, key, token)
    return n_cards


async def _check(client: TableClient, played: PlayedTable, kept: DealLog, key: DealKey, token: str) -> int:
    request = hand_service_pb2.GetDealProofRequest(**key._asdict(), **played.night.ids)
    proof = (await client.hands.GetDealProof(request, metadata=bearer(token))).proof
    verdict = kept.check(key, proof)
    assert verdict.holds, verdict.findings
    return verdict.cards_checked
