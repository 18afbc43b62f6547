"""One seat's stream: decisions come in one after the other; events and answers go out, together where they can.

The stream reads ahead by no decision and holds back a bounded number of answers, so a client that only sends is slowed down
rather than stored. Events are frames of the table's log: encoded once for everybody who sees the same, watchers included.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from homegame.v1 import play_service_pb2 as pb
from homegame_engine.errors import InputError
from homegame_server import errors
from homegame_server.rpc.nights import viewer_seat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import grpc

    from homegame_server.rpc.interceptors import Requests
    from homegame_server.runtime.night_task import NightTask

    Context = grpc.aio.ServicerContext[Any, Any]

_ANSWERS_MAX: Final = 16
"""Answers that may wait for a client to read, before its next decision is not read either."""


class PlayStream:
    """One open stream. It belongs to the task that made it, which must be the RPC's own.

    Args:
        task: The night.
        after_seq: Number of the last event that the client has.
        requests: What the client sends.
        judge: Answers one decision.
        context: Where messages go out.

    Raises:
        InputError: the table has no event of that number.
    """

    def __init__(
        self,
        task: NightTask,
        after_seq: int,
        requests: Requests,
        judge: Callable[[pb.PlayInput], Awaitable[pb.PlayAnswer]],
        context: Context,
    ) -> None:
        self._task = task
        self._requests = requests
        self._judge = judge
        self._context = context
        self._answers: list[bytes] = []
        self._has_room = asyncio.Event()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._is_ending = False
        self._reader = task.log.watch(after_seq)

    async def run(self) -> None:
        """Talk until the night is closed and everything is read.

        Raises:
            ServiceRefusal: STOPPING; LAGGED for a client that does not read.
            InputError: what came is no decision.
        """
        reading = asyncio.create_task(self._read())
        reading.add_done_callback(lambda _: self._reader.wake())
        try:
            await self._write(reading)
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if not self._reader.is_dropped or this is None:
                raise  # The client has gone.
            this.uncancel()
            raise errors.lagged(self._reader.written_number) from None
        finally:
            self._reader.close()
            reading.cancel()
            # What it found wrong was raised by `_write`, or something else ended the stream first.
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await reading

    # --- Decisions -------------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        """Judge what comes, one after the other: the next is read when the last is answered."""
        while not self._is_ending:
            message = await self._requests.read()
            if message is None:
                return
            if not message.HasField("input"):
                raise InputError("a stream is opened once; what follows are inputs", field="input")
            self._is_idle.clear()
            try:
                answer = await self._judge(message.input)
                self._answers.append(pb.PlayResponse(answers=[answer]).SerializeToString())
            finally:
                self._is_idle.set()
            self._reader.wake()
            while len(self._answers) >= _ANSWERS_MAX:
                self._has_room.clear()
                await self._has_room.wait()

    # --- Events and answers ----------------------------------------------------------------------------------------------

    async def _write(self, reading: asyncio.Task[None]) -> None:
        try:
            while True:
                await self._write_what_waits()
                if reading.done():
                    reading.result()
                if not await self._reader.wait():
                    break
                if not self._is_idle.is_set():
                    # What woke us may be the caller's own doing: then the answer to it is a turn of the loop away.
                    await asyncio.sleep(0)
        except errors.ServiceRefusal:
            await self._settle()
            raise
        await self._settle()

    async def _settle(self) -> None:
        """Before the end, answer the decision that is in hand and write what it caused."""
        self._is_ending = True
        await self._is_idle.wait()
        await self._write_what_waits()

    async def _write_what_waits(self) -> None:
        while True:
            # The seat may be left while the stream runs; from then on the stream is a spectator's.
            frame = self._reader.next_frame(viewer_seat(self._task))
            answers, self._answers = self._answers, []
            self._has_room.set()
            # Messages merge by being joined: a frame and answers are one message, as are several answers.
            data = b"".join(answers) if frame is None else b"".join((frame.data, *answers))
            if not data:
                return
            await self._context.write(data)
            if frame is not None:
                self._reader.written_number = frame.last_number
