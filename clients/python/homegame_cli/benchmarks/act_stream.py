"""How fast a server on SQLite plays nights over `Play`, against an empty stream that carries the same messages.

Eight nights of six seats; every seat acts when its own stream says that it is its turn. One hand of the real server is taken
down first, message by message; the empty server then answers every decision with what that hand's turn brought to each
seat. The client is this process and reads both alike.
"""

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Final

import grpc
import msgspec
import uvloop

from homegame.v1.actions_pb2 import ActionKind, LegalActions, PlayerAction
from homegame.v1.play_service_pb2 import PlayInput, PlayOpening, PlayRequest, PlayResponse
from homegame_cli.benchmarks import echo_server
from homegame_cli.benchmarks.act import echo_channel
from homegame_cli.benchmarks.echo_server import Transcript
from homegame_cli.benchmarks.figures import BenchError, Figure, Pair, Setting, compare_medians
from homegame_cli.benchmarks.scripted_night import CALL, CHECK, CUT, HANDS_MAX, SHOW, Metadata, open_night
from homegame_cli.child_server import ChildServer
from homegame_client import Client, GrpcTransport, open_channel
from homegame_client.rpcs import PLAY

N_NIGHTS: Final = 8
_TURN_SECONDS_MAX: Final = 10

_Method = grpc.aio.StreamStreamMultiCallable[bytes, bytes]


def stream(setting: Setting) -> Iterator[Figure]:
    """Decisions a second over streams, against an empty bidirectional stream that carries the same messages."""
    pair = uvloop.run(_compare(setting))
    yield Figure("act.stream", pair.value, "actions/s", "an empty stream of the same messages", pair.reference)


async def _compare(setting: Setting) -> Pair:
    server = await ChildServer.start(setting.folder)
    try:
        async with open_channel(server.address) as channel, contextlib.AsyncExitStack() as later:
            load = _Load(channel, setting)
            transcript = await load.take_down_a_hand()
            echo = await later.enter_async_context(_echo(setting.folder / "transcript", transcript))
            shadows = [await _Table.at_nothing(echo, number) for number in range(N_NIGHTS)]

            async def measured(seconds: float) -> float:
                return await _drive(await load.tables(), seconds)

            async def reference(seconds: float) -> float:
                return await _drive(shadows, seconds)

            try:
                return await compare_medians(measured, reference, setting.seconds)
            finally:
                for table in (*load.open_tables, *shadows):
                    await table.close()
    finally:
        await server.stop()


class _Load:
    """Nights with hands left to play."""

    def __init__(self, channel: grpc.aio.Channel, setting: Setting) -> None:
        self.open_tables: list[_Table] = []
        self._channel = channel
        self._setting = setting

    async def tables(self) -> Sequence["_Table"]:
        """The nights in play, or new ones once some of them might run out of chips."""
        if not self.open_tables or any(table.hands_begun >= HANDS_MAX for table in self.open_tables):
            self._setting.say(f"act.stream: opening {N_NIGHTS} nights")
            for table in self.open_tables:
                await table.close()
            self.open_tables = [await _Table.at_night(self._channel) for _ in range(N_NIGHTS)]
        return self.open_tables

    async def take_down_a_hand(self) -> Transcript:
        """What each turn of a hand brings to each seat, when nothing else goes on."""
        table = await _Table.at_night(self._channel)
        try:
            return await table.take_down_a_hand()
        finally:
            await table.close()


class _Table:
    """One night and the streams of its seats. Decides for all of them, as their streams say."""

    def __init__(self, method: _Method) -> None:
        self._method = method
        self._calls: list[grpc.aio.StreamStreamCall[bytes, bytes]] = []
        self._readers: list[asyncio.Task[None]] = []
        self._outboxes: list[asyncio.Queue[bytes | None]] = []
        self._is_running = False
        self._held: tuple[int, bytes] | None = None
        self._rests = asyncio.Event()
        self._written_down: list[tuple[int, bytes]] = []
        self._is_at_cut = False
        self._seen_numbers: list[int] = []
        self.hands_begun = 0
        self.n_answers = 0

    @classmethod
    async def at_night(cls, channel: grpc.aio.Channel) -> "_Table":
        """Open a night on the real server, and a stream for each seat."""
        night = await open_night(Client(GrpcTransport(channel)), hand_pause_ms=0)
        opening = PlayOpening(night_id=night.table.night_id, table_id=night.table.table_id)
        request = PlayRequest(opening=opening).SerializeToString()
        return await cls._open(channel.stream_stream(PLAY.path), [(request, token) for token in night.tokens])

    @classmethod
    async def at_nothing(cls, channel: grpc.aio.Channel, number: int) -> "_Table":
        """Open as many streams on the empty server."""
        openings: list[tuple[bytes, Metadata]] = [(bytes([number, seat]), ()) for seat in range(echo_server.N_SEATS)]
        return await cls._open(channel.stream_stream(echo_server.STREAM), openings)

    @classmethod
    async def _open(cls, method: _Method, openings: Sequence[tuple[bytes, Metadata]]) -> "_Table":
        table = cls(method)
        table._seen_numbers = [0] * len(openings)
        for seat, (opening, metadata) in enumerate(openings):
            outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
            outbox.put_nowait(opening)
            call = method(_taken_from(outbox), metadata=metadata)
            table._outboxes.append(outbox)
            table._calls.append(call)
            table._readers.append(asyncio.create_task(table._read(seat, call)))
        await table.rest()
        return table

    def run(self) -> None:
        """Go on deciding."""
        self._is_running = True
        self._rests.clear()
        if self._held is not None:
            (seat, decision), self._held = self._held, None
            self._outboxes[seat].put_nowait(decision)

    async def rest(self) -> None:
        """Hold the next decision back, and wait until it is its turn. Raises BenchError when a stream has ended."""
        self._is_running = False
        resting = asyncio.create_task(self._rests.wait())
        done, _ = await asyncio.wait(
            (resting, *self._readers), timeout=_TURN_SECONDS_MAX, return_when=asyncio.FIRST_COMPLETED
        )
        resting.cancel()
        for reader in self._readers:
            if reader.done():
                raise BenchError("a stream ended") from reader.exception()
        if not done:
            raise BenchError("a table got stuck")

    async def close(self) -> None:
        """End the streams."""
        for call, outbox in zip(self._calls, self._outboxes, strict=True):
            call.cancel()
            outbox.put_nowait(None)
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def take_down_a_hand(self) -> Transcript:
        """Play from cut to cut, one turn at a time."""
        turns: list[list[tuple[int, bytes]]] = []
        while True:
            self._written_down = []
            self.run()
            await self.rest()
            while min(self._seen_numbers) < max(self._seen_numbers):  # noqa: ASYNC110 - the other seats' messages are on their way
                await asyncio.sleep(0.001)
            turns.append(self._written_down)
            if self._is_at_cut:
                return turns

    async def _read(self, seat: int, call: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
        async for data in call:
            self._written_down.append((seat, data))
            response = PlayResponse.FromString(data)
            for answer in response.answers:
                if not answer.HasField("accepted"):
                    raise BenchError(f"a decision was refused: {answer.refused!r}")
                self.n_answers += 1
            if response.events:
                self._seen_numbers[seat] = response.last_number
                if seat == 0:
                    self.hands_begun += sum(event.HasField("hand_starting") for event in response.events)
                last = response.events[-1]
                if last.WhichOneof("event") == "action_required" and last.action_required.seat == seat:
                    self._decide(seat, last.action_required.action_number, last.action_required.legal)

    def _decide(self, seat: int, action_number: int, legal: LegalActions) -> None:
        self._is_at_cut = ActionKind.ACTION_KIND_CUT in legal.kinds
        given = PlayInput(request_id=str(uuid.uuid4()), action_number=action_number, action=_choose(legal))
        decision = PlayRequest(input=given).SerializeToString()
        if self._is_running:
            self._outboxes[seat].put_nowait(decision)
        else:
            self._held = (seat, decision)
            self._rests.set()


async def _taken_from(outbox: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
    while (message := await outbox.get()) is not None:
        yield message


def _choose(legal: LegalActions) -> PlayerAction:
    if ActionKind.ACTION_KIND_CUT in legal.kinds:
        return CUT
    if ActionKind.ACTION_KIND_CHECK in legal.kinds:
        return CHECK
    return CALL if ActionKind.ACTION_KIND_CALL in legal.kinds else SHOW


async def _drive(tables: Sequence[_Table], seconds: float) -> float:
    """Let all tables play for so long; returns answered decisions a second."""
    n_before = sum(table.n_answers for table in tables)
    began_s = time.perf_counter()
    for table in tables:
        table.run()
    await asyncio.sleep(seconds)
    n_answers = sum(table.n_answers for table in tables) - n_before
    took_s = time.perf_counter() - began_s
    for table in tables:
        await table.rest()
    return n_answers / took_s


@contextlib.asynccontextmanager
async def _echo(path: Path, transcript: Transcript) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to an empty server that has a hand to repeat."""
    await asyncio.to_thread(path.write_bytes, msgspec.msgpack.encode(transcript))
    async with echo_channel(str(path)) as channel:
        yield channel
