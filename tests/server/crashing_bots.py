"""Bots that play on whatever happens to the server: they retry under the same request id and resume where they were."""

from __future__ import annotations

import asyncio
import contextlib
import random
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import grpc

from homegame.v1 import play_service_pb2, table_service_pb2
from tests.server.table_client import (
    NAMING,
    TableClient,
    act_request,
    asks_for_cut,
    bearer,
    choose,
    own_cards,
    read_refusal,
)

if TYPE_CHECKING:
    from homegame.v1 import events_pb2
    from tests.server.table_client import Player, SeatedNight

TIME_BANK_SHARE = 0.1  # Of the turns.
GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)


@dataclass
class Acknowledged:
    """An action whose answer arrived."""

    seat: int
    request: play_service_pb2.ActRequest
    answer: play_service_pb2.ActResponse


@dataclass
class Bot:
    """One player's client. It keeps what it saw and what it was promised over all restarts of the server."""

    night: SeatedNight
    player: Player
    seed: int
    events: list[events_pb2.TableEvent] = field(default_factory=list)
    acknowledged: list[Acknowledged] = field(default_factory=list)
    n_retries: int = 0
    is_finished: bool = False
    _pending: play_service_pb2.ActRequest | None = None

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)  # noqa: S311 - bots gamble for nothing

    async def run(self, address: str) -> None:
        """Play until the server is gone or the session has finished."""
        client = TableClient(address)
        try:
            await self._follow(client)
        except grpc.aio.AioRpcError as error:
            if error.code() not in GONE:
                raise AssertionError(read_refusal(error)) from error
        finally:
            await client.close()

    async def _follow(self, client: TableClient) -> None:
        if self._pending is not None:
            # Whether it was accepted before the crash is unknown: the same request gives the one answer there is.
            self.n_retries += 1
            await self._send(client, self._pending)
        stream = client.tables.WatchTable(
            table_service_pb2.WatchTableRequest(after_seq=len(self.events), **self.night.ids),
            metadata=bearer(self.player.token),
        )
        # The server may have died between telling this bot of its turn and the bot's first word about it.
        required = last_turn(self.events, self.player.seat)
        await self._answer(client, required)
        async for frame in stream:
            for event in frame.events:
                # No gap and no duplicate, across any number of crashes.
                assert event.number == len(self.events) + 1
                self.events.append(event)
                kind = event.WhichOneof("event")
                if kind == "action_required":
                    required = last_turn(self.events, self.player.seat)
                elif kind == "session_finished":
                    self.is_finished = True
                    stream.cancel()
                    return
            await self._answer(client, required)

    async def _answer(self, client: TableClient, required: events_pb2.ActionRequired | None) -> None:
        """Act if the last turn read is ours and not answered yet."""
        if required is None or required.seat != self.player.seat:
            return
        if self.acknowledged and self.acknowledged[-1].request.action_number >= required.action_number:
            return
        if self._pending is None:
            if self._chance.random() < TIME_BANK_SHARE and not asks_for_cut(required):
                await self._take_time(client, required.action_number)
            names_cards = any(kind in NAMING for kind in required.legal.kinds)
            own = await own_cards(client, self.night, self.player.seat) if names_cards else ()
            action = choose(required.legal, self._chance, own)
            self._pending = act_request(self.night, required.action_number, action)
        await self._send(client, self._pending)

    async def _take_time(self, client: TableClient, action_number: int) -> None:
        """Take a token once a turn: the id of the request follows from the turn, so that a repeat is one."""
        named = f"{self.player.token}/{action_number}"
        request = play_service_pb2.UseTimeBankRequest(
            request_id=str(uuid.uuid5(uuid.NAMESPACE_OID, named)), action_number=action_number, **self.night.ids
        )
        answer = await client.play.UseTimeBank(request, metadata=bearer(self.player.token))
        assert await client.play.UseTimeBank(request, metadata=bearer(self.player.token)) == answer

    async def _send(self, client: TableClient, request: play_service_pb2.ActRequest) -> None:
        answer = await client.play.Act(request, metadata=bearer(self.player.token))
        self.acknowledged.append(Acknowledged(self.player.seat, request, answer))
        self._pending = None


def last_turn(events: list[events_pb2.TableEvent], seat: int | None = None) -> events_pb2.ActionRequired | None:
    """The turn that is open, as far as the events read so far tell; where several choose at the same time, that of `seat`."""
    turns = (event.action_required for event in reversed(events) if event.HasField("action_required"))
    last = next(turns, None)
    turn = last
    while turn is not None and last is not None and turn.action_number == last.action_number:
        if turn.seat == seat:
            return turn
        turn = next(turns, None)
    return last


async def run_until(bots: list[Bot], address: str, stop: asyncio.Event) -> None:
    """Let all bots play until `stop`, the end of the session, or the end of the server."""
    playing = asyncio.gather(*(bot.run(address) for bot in bots))
    stopping = asyncio.ensure_future(stop.wait())
    tasks: set[Any] = {playing, stopping}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            # The server is dead: every bot notices by itself.
            await playing
        else:
            playing.result()
    finally:
        stopping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await stopping
