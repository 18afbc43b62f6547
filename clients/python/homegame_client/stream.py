"""Watching a table without losing or repeating an event, whatever happens to the connection.

The stream knows one number: that of the last event it handed out. After any break it asks for what comes after that.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse
from homegame_client.errors import GapError, GaveUpError, LaggedError, TransientError
from homegame_client.retry import RetryPolicy
from homegame_client.rpcs import WATCH_TABLE
from homegame_client.transport import Transport

GAPS_MAX: Final = 3
"""Gaps in a row, without one new event between them, after which the server is taken to be broken."""


@dataclass(frozen=True)
class Frame:
    """Events that arrived together, never empty, none of them handed out before."""

    events: tuple[TableEvent, ...]
    server_time_ms: int
    """The server's clock when the frame was sent, Unix UTC in ms."""


class TableStream:
    """The events of one table as one viewer may see them, in order, each exactly once.

    Iterate over it for events, or over `frames()` for whole frames; once only. It ends when the night is closed.

    Args:
        transport: Carries the calls.
        token: The viewer's token; empty for a spectator.
        night_id: The night.
        table_id: The table.
        after_seq: Number of the last event the caller has; 0 for all of them.
        retry: Pauses between attempts. Its deadline counts from the last sign of life: the stream gives up when the
            server stays away that long.
    """

    def __init__(
        self, transport: Transport, *, token: str, night_id: str, table_id: str, after_seq: int, retry: RetryPolicy
    ) -> None:
        self._transport = transport
        self._token = token
        self._night_id = night_id
        self._table_id = table_id
        self._retry = retry
        self._failed = 0
        self._gaps = 0
        self._alive_at_s = retry.timing.now_s()
        self.last_number = after_seq
        self.breaks = 0
        """Times the stream broke and was resumed."""

    async def __aiter__(self) -> AsyncGenerator[TableEvent, None]:
        async with aclosing(self.frames()) as frames:
            async for frame in frames:
                for event in frame.events:
                    yield event

    async def frames(self) -> AsyncGenerator[Frame, None]:
        """Yield frames until the night is closed.

        Raises:
            RefusedError: no such table, or the token is not good for it.
            GaveUpError: the server stayed away for the whole of the deadline.
            GapError: the server skips numbers and goes on doing so.
        """
        self._alive_at_s = self._retry.timing.now_s()
        while True:
            try:
                async with aclosing(self._one_call()) as frames:
                    async for frame in frames:
                        yield frame
            except _GapFound:
                self._count_gap()
            except TransientError as error:
                await self._pause(error)
            else:
                return  # The server ends a stream without an error only after the night is closed.
            self.breaks += 1

    async def _one_call(self) -> AsyncGenerator[Frame, None]:
        request = WatchTableRequest(night_id=self._night_id, table_id=self._table_id, after_seq=self.last_number)
        async with aclosing(self._transport.stream(WATCH_TABLE, request, token=self._token)) as answers:
            async for answer in answers:
                events = tuple(self._new_events(answer))
                self._failed = 0
                self._alive_at_s = self._retry.timing.now_s()
                if events:
                    self._gaps = 0
                    self.last_number = events[-1].number
                    yield Frame(events, answer.server_time_ms)

    def _new_events(self, answer: WatchTableResponse) -> Iterator[TableEvent]:
        """Leave out what was handed out before; raise where a number is missing."""
        expected = self.last_number + 1
        for event in answer.events:
            if event.number < expected:
                continue
            if event.number > expected:
                raise _GapFound
            expected += 1
            yield event

    def _count_gap(self) -> None:
        self._gaps += 1
        if self._gaps >= GAPS_MAX:
            raise GapError(f"events after number {self.last_number} are missing from the stream, {GAPS_MAX} times over")

    async def _pause(self, error: TransientError) -> None:
        self._failed += 1
        if isinstance(error, LaggedError) and self._failed == 1:
            return  # Only this reader was slow; the server is well and has what was missed.
        timing = self._retry.timing
        pause_s = self._retry.backoff.pause_ms(self._failed, self._retry.chance(), error.retry_after_ms) / 1000
        if timing.now_s() + pause_s >= self._alive_at_s + self._retry.deadline_s:
            raise GaveUpError(f"the server has been away for {self._retry.deadline_s:g} s: {error.message}") from error
        await timing.sleep(pause_s)


class _GapFound(Exception):  # noqa: N818 - a signal inside this module, not an error for callers
    """A frame does not continue where the last one ended."""
