"""How fast a server on SQLite takes decisions, against a gRPC server with an empty handler.

The load is a child process's, as is the empty server; the client is this process, and the same code drives both.
"""

import asyncio
import contextlib
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Final

import grpc
import uvloop

from homegame.v1.play_service_pb2 import ActResponse
from homegame_cli.benchmarks import echo_server
from homegame_cli.benchmarks.figures import BenchError, Figure, Pair, Setting, compare_medians
from homegame_cli.benchmarks.scripted_night import HANDS_MAX, N_SEATS, ScriptedNight, open_night
from homegame_cli.child_server import ChildServer
from homegame_client import Client, GrpcTransport, open_channel
from homegame_client.rpcs import ACT

IN_FLIGHT: Final = 64
N_NIGHTS: Final = 2 * IN_FLIGHT
"""While 64 nights have a decision in flight, the others are dealt their next hand."""
N_OPENED_TOGETHER: Final = 32

_ANSWER_BYTES: Final = ActResponse(last_number=1_000, action_number=1_000, accepted_at_ms=1_700_000_000_000).ByteSize()

_Method = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]


def unary(setting: Setting) -> Iterator[Figure]:
    """Decisions a second through `Act`, 64 nights in flight, against an empty unary call of the same sizes."""
    pair = uvloop.run(_compare_unary(setting))
    yield Figure("act.unary", pair.value, "actions/s", "an empty unary echo", pair.reference)


async def _compare_unary(setting: Setting) -> Pair:
    server = await ChildServer.start(setting.folder)
    try:
        async with open_channel(server.address) as channel, echo_channel(str(_ANSWER_BYTES)) as echo:
            # Bytes in, bytes out: the client's own work is little, and the same for both.
            act: _Method = channel.unary_unary(ACT.path)
            nothing: _Method = echo.unary_unary(echo_server.UNARY)
            load = _Load(Client(GrpcTransport(channel)), setting)
            shadow = deque([night.shadow() for night in await load.nights()])

            async def measured(seconds: float) -> float:
                return await _drive(act, await load.nights(), seconds)

            async def reference(seconds: float) -> float:
                return await _drive(nothing, shadow, seconds)

            return await compare_medians(measured, reference, setting.seconds)
    finally:
        await server.stop()


class _Load:
    """Nights with hands left to play."""

    def __init__(self, client: Client, setting: Setting) -> None:
        self._client = client
        self._setting = setting
        self._nights: deque[ScriptedNight] = deque()

    async def nights(self) -> deque[ScriptedNight]:
        """The nights in play, or new ones once some of them might run out of chips."""
        if not self._nights or any(night.hands_begun >= HANDS_MAX for night in self._nights):
            self._setting.say(f"act: opening {N_NIGHTS} nights of {N_SEATS}")
            opening = asyncio.Semaphore(N_OPENED_TOGETHER)

            async def opened() -> ScriptedNight:
                async with opening:
                    return await open_night(self._client)

            self._nights = deque(await asyncio.gather(*(opened() for _ in range(N_NIGHTS))))
        return self._nights


async def _drive(method: _Method, nights: deque[ScriptedNight], seconds: float) -> float:
    """Play hands for so long with `IN_FLIGHT` calls under way; returns calls a second.

    The night that has waited longest is next, so that its hand has been dealt meanwhile.
    """
    n_calls = 0
    began_s = time.perf_counter()
    ends_at_s = began_s + seconds

    async def play() -> None:
        nonlocal n_calls
        while time.perf_counter() < ends_at_s:
            night = nights.popleft()
            if not night.turns:
                night.begin_hand()
            while night.turns and time.perf_counter() < ends_at_s:
                turn = night.turns.popleft()
                await method(turn.request, metadata=turn.metadata)
                n_calls += 1
            # A hand that was interrupted goes on first.
            (nights.appendleft if night.turns else nights.append)(night)

    try:
        await asyncio.gather(*(play() for _ in range(IN_FLIGHT)))
    except grpc.aio.AioRpcError as error:
        raise BenchError(f"a call failed: {error.code().name}, {error.details()}") from error
    return n_calls / (time.perf_counter() - began_s)


@contextlib.asynccontextmanager
async def echo_channel(argument: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to an empty server, which runs for as long as the channel is open."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", echo_server.__name__, argument), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None  # noqa: S101 - it was asked for
        address = (await process.stdout.readline()).decode().strip()
        if not address:
            raise BenchError("the empty server did not start")
        async with open_channel(address) as channel:
            yield channel
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
