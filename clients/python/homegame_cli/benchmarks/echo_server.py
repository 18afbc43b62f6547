"""A gRPC server that does nothing: `python -m homegame_cli.benchmarks.echo_server BYTES|TRANSCRIPT`.

It is the floor of the server's own calls: the same library and event loop, and empty handlers without messages. A unary call is
answered with so many bytes. A stream belongs to a table of six; whatever comes in on one of them is answered on all with what
the next turn of a transcript brought to each seat, over and over.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from pathlib import Path
from typing import Any, Final

import grpc
import msgspec
import uvloop

SERVICE: Final = "homegame.bench.Echo"
UNARY: Final = f"/{SERVICE}/Unary"
STREAM: Final = f"/{SERVICE}/Stream"
N_SEATS: Final = 6
# As the real server's, so that both listen alike.
_OPTIONS: Final = (("grpc.so_reuseport", 0),)

Transcript = list[list[tuple[int, bytes]]]
"""For each turn of a hand, from cut to cut, the messages that it brought: the seat and the bytes."""

_Context = grpc.aio.ServicerContext[Any, Any]


class _Table:
    """Six streams and the place in the transcript where they are."""

    def __init__(self, transcript: Transcript) -> None:
        # Each stream writes for itself: the next decision may come before the last seat has been told of this one.
        self.outboxes = [asyncio.Queue[bytes]() for _ in range(N_SEATS)]
        self._transcript = transcript
        self._n_turns = len(transcript) - 1  # The last turn of a hand brings the cut of the next.
        self._n_open = 0

    def join(self) -> None:
        """Count a stream; begin once everybody is there."""
        self._n_open += 1
        if self._n_open == N_SEATS:
            self.turn()

    def turn(self) -> None:
        """Send what the next turn brings."""
        for seat, data in self._transcript[self._n_turns % len(self._transcript)]:
            self.outboxes[seat].put_nowait(data)
        self._n_turns += 1


class _Echo:
    """The handlers."""

    def __init__(self, answer: bytes, transcript: Transcript) -> None:
        self._answer = answer
        self._transcript = transcript
        self._tables: dict[int, _Table] = {}

    async def unary(self, _request: bytes, _context: _Context) -> bytes:
        """Answer."""
        return self._answer

    async def stream(self, _requests: object, context: _Context) -> None:
        """Take the opening, two bytes that say table and seat, and then answer what comes."""
        number, seat = await context.read()
        table = self._tables.setdefault(number, _Table(self._transcript))
        reading = asyncio.create_task(_read(table, context))
        table.join()
        try:
            while True:
                await context.write(await table.outboxes[seat].get())
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading


async def _read(table: _Table, context: _Context) -> None:
    while await context.read() is not grpc.aio.EOF:
        table.turn()


async def serve(echo: _Echo) -> None:
    """Listen on a free port of this machine, print the address on a line, and answer until told to stop."""
    server = grpc.aio.server(options=_OPTIONS)
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Unary": grpc.unary_unary_rpc_method_handler(echo.unary),
        "Stream": grpc.stream_stream_rpc_method_handler(echo.stream),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"127.0.0.1:{port}\n")
    sys.stdout.flush()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    await stopping.wait()
    await server.stop(None)


def _echo_of(argument: str) -> _Echo:
    if argument.isdecimal():
        return _Echo(bytes(int(argument)), [])
    return _Echo(b"", msgspec.msgpack.decode(Path(argument).read_bytes(), type=Transcript))


if __name__ == "__main__":
    uvloop.run(serve(_echo_of(sys.argv[1])))
