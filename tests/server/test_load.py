"""Many at once on one machine: a thousand watchers of one night, and two hundred nights of six bots.

Everybody gets every event once and in order; the server's memory grows with what happened, which it keeps, and with nothing
else: not with how many look on, nor with how slowly. The figures of a run are printed; `docs/performance.md` holds some.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from homegame.v1 import night_service_pb2, play_service_pb2, table_service_pb2
from tests.server.server_process import ServerProcess
from tests.server.stream_client import decision, opening, reason_of
from tests.server.table_client import Player, SeatedNight, TableClient, bearer, choose, open_night, request_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from homegame.v1 import events_pb2

N_WATCHERS = 1_000
N_NIGHTS = 200
N_SEATS = 6
PLAY_SECONDS = 60
SEATED_TOGETHER = 8
STREAMS_A_CHANNEL = 100
# Each channel a connection of its own.
CHANNEL_OPTIONS = (("grpc.use_local_subchannel_pool", 1),)
MEGABYTE = 1 << 20
# What one event may take: itself, its row's input and hash, its share of the hand that exports are written from.
BYTES_AN_EVENT_MAX = 2_000
BYTES_A_STREAM_MAX = 64 << 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def resident_bytes(pid: int) -> int:
    """How much memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) << 10


@contextlib.asynccontextmanager
async def serving(tmp_path: Path) -> AsyncIterator[tuple[ServerProcess, Callable[[], TableClient]]]:
    """Run a server in a process of its own, and make clients of it."""
    server = await ServerProcess.start(tmp_path / "data")
    clients: list[TableClient] = []

    def connect() -> TableClient:
        clients.append(TableClient(server.address, CHANNEL_OPTIONS))
        return clients[-1]

    try:
        yield server, connect
    finally:
        for client in clients:
            await client.close()
        await server.stop()


async def seat(client: TableClient) -> SeatedNight:
    """A night whose windows do not end, everybody seated and nothing opened."""
    created = await client.nights.CreateNight(
        night_service_pb2.CreateNightRequest(
            request_id=request_id(),
            name="Crowd",
            format_id="B1",
            seats=N_SEATS,
            cutoff_in_ms=86_400_000,
            decision_window_ms=3_600_000,
            cut_window_ms=3_600_000,
            hand_pause_ms=0,
        )
    )
    night = SeatedNight(created.night_id, created.table_ids[0], created.host_token)
    for number in range(N_SEATS):
        joined = await client.tables.JoinTable(
            table_service_pb2.JoinTableRequest(request_id=request_id(), display_name=f"Bot {number}", **night.ids)
        )
        taken = await client.tables.TakeSeat(
            table_service_pb2.TakeSeatRequest(request_id=request_id(), **night.ids),
            metadata=bearer(joined.participant_token),
        )
        night.players.append(Player(joined.participant_id, joined.participant_token, taken.seat))
    await client.nights.RecordReadAloud(
        night_service_pb2.RecordReadAloudRequest(request_id=request_id(), night_id=night.night_id),
        metadata=bearer(night.host_token),
    )
    return night


@dataclass
class Reading:
    """How far somebody has read. Holds that nothing is missing, doubled or out of order, and keeps nothing."""

    last_number: int = 0
    n_frames: int = 0

    def take(self, frame: table_service_pb2.WatchTableResponse | play_service_pb2.PlayResponse) -> None:
        if frame.events:
            self.n_frames += 1
            assert [event.number for event in frame.events] == list(
                range(self.last_number + 1, self.last_number + 1 + len(frame.events))
            )
            self.last_number = frame.last_number
            assert frame.events[-1].number == self.last_number


@dataclass
class Bot:
    """A player who acts as soon as its stream says that it is its turn, until there is no more time."""

    client: TableClient
    night: SeatedNight
    player: Player
    is_over: asyncio.Event
    reading: Reading = field(default_factory=Reading)
    n_answers: int = 0
    delays_ms: list[float] = field(default_factory=list)

    async def play(self) -> None:
        call: Any = self.client.play.Play(metadata=bearer(self.player.token))
        await call.write(opening(self.night))
        chance = random.Random(self.player.token)  # noqa: S311 - bots gamble for nothing
        sent_at_s = 0.0
        while (response := await call.read()) is not grpc.aio.EOF:
            assert isinstance(response, play_service_pb2.PlayResponse)
            self.reading.take(response)
            for answer in response.answers:
                assert reason_of(answer) == ""
                self.n_answers += 1
                self.delays_ms.append(1000 * (time.perf_counter() - sent_at_s))
            turn = self._own_turn(response)
            if turn is not None and not self.is_over.is_set():
                given = decision(turn.action_number, choose(turn.legal, chance))
                sent_at_s = time.perf_counter()
                await call.write(play_service_pb2.PlayRequest(input=given))

    def _own_turn(self, response: play_service_pb2.PlayResponse) -> events_pb2.ActionRequired | None:
        if not response.events or not response.events[-1].HasField("action_required"):
            return None
        required = response.events[-1].action_required
        return required if required.seat == self.player.seat else None


async def watch(client: TableClient, night: SeatedNight, reading: Reading) -> None:
    call = client.tables.WatchTable(table_service_pb2.WatchTableRequest(**night.ids))
    async for frame in call:
        reading.take(frame)


async def for_a_while(work: list[asyncio.Task[None]], seconds: float, sample: Callable[[], object]) -> None:
    """Let time pass, taking a sample every few seconds; whatever fails meanwhile fails here."""
    ends_at_s = time.monotonic() + seconds
    while (left_s := ends_at_s - time.monotonic()) > 0:
        # The load is real time in another process.
        done, _ = await asyncio.wait(work, timeout=min(5.0, left_s), return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
        sample()


async def reach(readings: list[Reading], number: int, work: list[asyncio.Task[None]]) -> None:
    """Wait until everybody has read up to a number."""
    while any(reading.last_number < number for reading in readings):
        done, _ = await asyncio.wait(work, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()


async def stop(work: list[asyncio.Task[None]]) -> None:
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)


async def last_number_of(client: TableClient, night: SeatedNight) -> int:
    response = await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids))
    number: int = response.table.last_number
    return number


async def test_a_thousand_watchers_of_one_night_miss_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, connect):
        client = connect()
        night = await seat(client)
        before_bytes = resident_bytes(server.pid)
        watchers = [Reading() for _ in range(N_WATCHERS)]
        work: list[asyncio.Task[None]] = []
        for number, reading in enumerate(watchers):
            if number % STREAMS_A_CHANNEL == 0:
                crowd = connect()
            work.append(asyncio.create_task(watch(crowd, night, reading)))
        await reach(watchers, await last_number_of(client, night), work)
        watched_bytes = resident_bytes(server.pid)
        is_over = asyncio.Event()
        bots = [Bot(client, night, player, is_over) for player in night.players]
        work += [asyncio.create_task(bot.play()) for bot in bots]
        await open_night(client, night)
        samples: list[int] = []
        await for_a_while(work, PLAY_SECONDS, lambda: samples.append(resident_bytes(server.pid)))
        is_over.set()
        began_s = time.monotonic()
        # A decision may still be under way: then its events are the last.
        await for_a_while(work, 1, lambda: None)
        last_number = await last_number_of(client, night)
        await reach([*watchers, *(bot.reading for bot in bots)], last_number, work)
        behind_s = time.monotonic() - began_s
        await stop(work)
        n_frames = sum(reading.n_frames for reading in watchers)
        print(  # noqa: T201 - the figures of the run
            f"\n{N_WATCHERS} watchers, {last_number} events, {N_WATCHERS * last_number} handed out in {n_frames} frames; "
            f"{sum(bot.n_answers for bot in bots)} decisions in {PLAY_SECONDS} s; everybody had everything {behind_s:.1f} s "
            f"after the last; resident MB: {before_bytes / MEGABYTE:.0f} before, {watched_bytes / MEGABYTE:.0f} with the "
            f"watchers, {max(samples) / MEGABYTE:.0f} at most while playing, {samples[-1] / MEGABYTE:.0f} at the end"
        )
    assert {reading.last_number for reading in watchers} == {last_number}
    assert last_number > 200
    assert watched_bytes - before_bytes < N_WATCHERS * BYTES_A_STREAM_MAX
    # What waits for a watcher is a position, not a queue.
    assert max(samples) - watched_bytes < last_number * BYTES_AN_EVENT_MAX + N_WATCHERS * BYTES_A_STREAM_MAX


async def test_two_hundred_nights_of_six_bots_lose_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, connect):
        client = connect()
        gate = asyncio.Semaphore(SEATED_TOGETHER)
        nights = await asyncio.gather(*(gated(gate, seat(client)) for _ in range(N_NIGHTS)))
        seated_bytes = resident_bytes(server.pid)
        is_over = asyncio.Event()
        bots: list[Bot] = []
        for night in nights:
            for player in night.players:
                if len(bots) % STREAMS_A_CHANNEL == 0:
                    crowd = connect()
                bots.append(Bot(crowd, night, player, is_over))
        work = [asyncio.create_task(bot.play()) for bot in bots]
        # Everybody is there before play begins, as at a table.
        await reach([bot.reading for bot in bots], 1, work)
        await asyncio.gather(*(gated(gate, open_night(client, night)) for night in nights))
        samples: list[int] = []
        began_s, before = time.monotonic(), sum(bot.n_answers for bot in bots)
        await for_a_while(work, PLAY_SECONDS, lambda: samples.append(resident_bytes(server.pid)))
        rate = (sum(bot.n_answers for bot in bots) - before) / (time.monotonic() - began_s)
        is_over.set()
        await for_a_while(work, 2, lambda: None)
        n_events = 0
        for index, night in enumerate(nights):
            last_number = await last_number_of(client, night)
            n_events += last_number
            own = [bot.reading for bot in bots[index * N_SEATS : (index + 1) * N_SEATS]]
            await reach(own, last_number, work)
            assert {reading.last_number for reading in own} == {last_number}
        await stop(work)
        delays = sorted(delay for bot in bots for delay in bot.delays_ms)
        print(  # noqa: T201 - the figures of the run
            f"\n{N_NIGHTS} nights, {len(bots)} streams, {rate:.0f} decisions/s, answered after {delays[len(delays) // 2]:.0f} ms "
            f"(median), {delays[len(delays) * 99 // 100]:.0f} ms (99 of 100); {n_events} events; resident MB: "
            f"{seated_bytes / MEGABYTE:.0f} seated, {', '.join(f'{sample / MEGABYTE:.0f}' for sample in samples)} while playing"
        )
    assert all(bot.n_answers > 0 for bot in bots)
    assert max(samples) - seated_bytes < n_events * BYTES_AN_EVENT_MAX + len(bots) * BYTES_A_STREAM_MAX


async def gated(gate: asyncio.Semaphore, work: Awaitable[Any]) -> Any:  # noqa: ANN401
    async with gate:
        return await work
