"""Coming back to a table after a break: which number comes next, how long to wait, and when to give up.

Both streams of events use it, the one that watches and the one that plays. It knows numbers and pauses, and no call.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from homegame.v1.events_pb2 import TableEvent
from homegame_client.errors import GapError, GaveUpError, LaggedError, TransientError
from homegame_client.retry import RetryPolicy

GAPS_MAX: Final = 3
"""Gaps in a row, without one new event between them, after which the server is taken to be broken."""


@dataclass(frozen=True)
class Frame:
    """Events that arrived together, never empty, none of them handed out before."""

    events: tuple[TableEvent, ...]
    server_time_ms: int
    """The server's clock when the frame was sent, Unix UTC in ms."""


class GapFound(Exception):  # noqa: N818 - a signal between the streams and this module, not an error for callers
    """A frame does not continue where the last one ended."""


class Resuming:
    """Where a stream is, and how patient it still is.

    Args:
        after_seq: Number of the last event the caller has; 0 for all of them.
        retry: Pauses between attempts. Its deadline counts from the last sign of life.
    """

    def __init__(self, after_seq: int, retry: RetryPolicy) -> None:
        self._retry = retry
        self._failed = 0
        self._gaps = 0
        self._alive_at_s = retry.timing.now_s()
        self.last_number = after_seq
        self.breaks = 0
        """Times the stream broke and was resumed."""

    def begin(self) -> None:
        """Count the deadline from now."""
        self._alive_at_s = self._retry.timing.now_s()

    def take(self, events: Iterable[TableEvent], server_time_ms: int) -> Frame | None:
        """Take in what arrived; None when nothing of it is new.

        Raises:
            GapFound: a number is missing; nothing is taken.
        """
        new = tuple(self._new(events))
        self._failed = 0
        self._alive_at_s = self._retry.timing.now_s()
        if not new:
            return None
        self._gaps = 0
        self.last_number = new[-1].number
        return Frame(new, server_time_ms)

    def note_gap(self) -> None:
        """Count a gap. Raises GapError when there were too many."""
        self._gaps += 1
        if self._gaps >= GAPS_MAX:
            raise GapError(f"events after number {self.last_number} are missing from the stream, {GAPS_MAX} times over")
        self.breaks += 1

    async def pause(self, error: TransientError) -> None:
        """Wait before the next attempt. Raises GaveUpError once the server has been away for too long."""
        self._failed += 1
        self.breaks += 1
        if isinstance(error, LaggedError) and self._failed == 1:
            return  # Only this reader was slow; the server is well and has what was missed.
        timing = self._retry.timing
        pause_s = self._retry.backoff.pause_ms(self._failed, self._retry.chance(), error.retry_after_ms) / 1000
        if timing.now_s() + pause_s >= self._alive_at_s + self._retry.deadline_s:
            raise GaveUpError(f"the server has been away for {self._retry.deadline_s:g} s: {error.message}") from error
        await timing.sleep(pause_s)

    def _new(self, events: Iterable[TableEvent]) -> Iterator[TableEvent]:
        """Leave out what was handed out before."""
        expected = self.last_number + 1
        for event in events:
            if event.number < expected:
                continue
            if event.number > expected:
                raise GapFound
            expected += 1
            yield event
