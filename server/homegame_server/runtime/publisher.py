"""A table's committed events: numbered once, projected and encoded once for each audience, read by many.

Only what is durable gets in here. Every reader holds a position and nothing else, so a slow one costs no memory; one that
falls too far behind the present is dropped and told where it may go on. What a viewer may see is `view.project`'s to say.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from homegame_engine.errors import InputError
from homegame_engine.view import project
from homegame_server import errors
from homegame_server.runtime.deal_index import DealIndex
from homegame_server.runtime.hand_index import HandIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from homegame_engine.events import AnyEvent

_FRAMES_KEPT: Final = 64
_EVENTS_KEPT: Final = 1024
"""Encoded events that are kept; whoever reads further back has them encoded anew."""


class NumberedEvent(NamedTuple):
    """One event of a table; complete, so secret until it is projected."""

    number: int
    at_ms: int
    seq: int
    event: AnyEvent


class Encoder(NamedTuple):
    """How events and frames become bytes: the contract's business, handed in."""

    event: Callable[[NumberedEvent], bytes]
    frame: Callable[[Sequence[bytes], int, int], bytes]
    """Encoded events, number of the last one, the server's clock in ms."""


class Frame(NamedTuple):
    """Encoded events that follow one another."""

    data: bytes
    last_number: int


class TableLog:
    """All committed events of one table."""

    def __init__(self, encoder: Encoder, now_ms: Callable[[], int], *, frame_max: int, lag_max: int) -> None:
        self.hands = HandIndex()
        self.deals = DealIndex()
        self.seats: Mapping[str, int] = {}
        """Seat of each person, as of the last committed row."""
        self.is_closed = False
        """No event will follow."""
        self._encoder = encoder
        self._now_ms = now_ms
        self._frame_max = frame_max
        self._lag_max = lag_max
        self._events: list[NumberedEvent] = []
        self._hiding: list[int] = []  # Numbers of the events that hide something from spectators, in order.
        self._encoded: OrderedDict[tuple[int, int | None], bytes] = OrderedDict()
        self._frames: OrderedDict[tuple[int, int, int | None], Frame] = OrderedDict()
        self._readers: set[Reader] = set()
        self._is_stopped = False

    @property
    def last_number(self) -> int:
        """Number of the last event, 0 before the first."""
        return len(self._events)

    @property
    def has_readers(self) -> bool:
        """Whether anybody watches."""
        return bool(self._readers)

    def append(self, seq: int, at_ms: int, happened: Sequence[AnyEvent]) -> None:
        """Take in a committed row's events, in order, and wake the readers."""
        for event in happened:
            numbered = NumberedEvent(len(self._events) + 1, at_ms, seq, event)
            self._events.append(numbered)
            if project(event, None) is not event:
                self._hiding.append(numbered.number)
            self.hands.add(numbered)
            self.deals.add(numbered)
        for reader in tuple(self._readers):
            reader.notice(self.last_number, self._lag_max)

    def close(self) -> None:
        """Note that the night is closed: readers end when they have read everything."""
        self.is_closed = True
        self._wake_all()

    def stop(self) -> None:
        """End every reader with STOPPING: the server goes down."""
        self._is_stopped = True
        self._wake_all()

    def slice(self, first: int, last: int, viewer_seat: int | None) -> list[NumberedEvent]:
        """Return the events numbered `first` to `last`, as the viewer may see them."""
        return [
            numbered._replace(event=project(numbered.event, viewer_seat)) for numbered in self._events[first - 1 : last]
        ]

    def watch(self, after_seq: int) -> Reader:
        """Begin to read after a number.

        Raises:
            InputError: the table has no event of that number.
        """
        if not 0 <= after_seq <= self.last_number:
            raise InputError(f"the table's last event is {self.last_number}", field="after_seq")
        reader = Reader(self, after_seq)
        self._readers.add(reader)
        return reader

    def forget(self, reader: Reader) -> None:
        """Let a reader go."""
        self._readers.discard(reader)

    def check_running(self) -> None:
        """Raise STOPPING once the server goes down."""
        if self._is_stopped:
            raise errors.stopping(0)

    def frame(self, after: int, viewer_seat: int | None) -> Frame:
        """Encode what follows `after`, at most one frame of it; the same bytes for everybody who sees the same."""
        last = min(self.last_number, after + self._frame_max)
        # Whoever holds no card of their own in this run sees what spectators see, and shares their bytes.
        audience = viewer_seat if self._differs(after, last, viewer_seat) else None
        key = (after, last, audience)
        frame = self._frames.get(key)
        if frame is None:
            parts = [self._encode(numbered, audience) for numbered in self._events[after:last]]
            frame = Frame(self._encoder.frame(parts, last, self._now_ms()), last)
            self._frames[key] = frame
            if len(self._frames) > _FRAMES_KEPT:
                self._frames.popitem(last=False)
        return frame

    def _encode(self, numbered: NumberedEvent, audience: int | None) -> bytes:
        number = numbered.number
        key = (number, audience if self._differs(number - 1, number, audience) else None)
        encoded = self._encoded.get(key)
        if encoded is None:
            shown = project(numbered.event, key[1])
            encoded = self._encoder.event(numbered if shown is numbered.event else numbered._replace(event=shown))
            self._encoded[key] = encoded
            if len(self._encoded) > _EVENTS_KEPT:
                self._encoded.popitem(last=False)
        return encoded

    def _differs(self, after: int, last: int, viewer_seat: int | None) -> bool:
        """Whether a viewer sees more of a run of events than spectators do."""
        hiding = self._hiding
        # Most runs hide nothing from anybody.
        if viewer_seat is None or not hiding or hiding[-1] <= after:
            return False
        for number in hiding[bisect_right(hiding, after) : bisect_right(hiding, last)]:
            event = self._events[number - 1].event
            if project(event, viewer_seat) != project(event, None):
                return True
        return False

    def _wake_all(self) -> None:
        for reader in tuple(self._readers):
            reader.wake()


class Reader:
    """One watcher's position in a table's events. Used by the task that made it."""

    def __init__(self, log: TableLog, after_seq: int) -> None:
        self.last_number = after_seq
        """Number of the last event handed out."""
        self.written_number = after_seq
        """Number of the last event that the transport took."""
        self.is_dropped = False
        """Too slow: the task is cancelled, and what it was writing is given up."""
        self._log = log
        self._live_from = log.last_number
        self._waiter: asyncio.Future[None] | None = None
        self._task = asyncio.current_task()

    def notice(self, last_number: int, lag_max: int) -> None:
        """Take note of new events; drop a reader for whom too many wait.

        Old events that a resuming reader has still to fetch do not count as waiting.
        """
        if last_number - max(self.last_number, self._live_from) > lag_max and not self.is_dropped:
            self.is_dropped = True
            if self._task is not None:
                self._task.cancel()
        self.wake()

    def wake(self) -> None:
        """Let a waiting reader look again."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def next_frame(self, viewer_seat: int | None) -> Frame | None:
        """Hand out the next frame, or None when there is nothing new."""
        if self.last_number >= self._log.last_number:
            return None
        frame = self._log.frame(self.last_number, viewer_seat)
        self.last_number = frame.last_number
        return frame

    async def wait(self) -> bool:
        """Wait for more. False when nothing more will come: the night is closed and everything is read.

        Raises:
            ServiceRefusal: STOPPING.
        """
        self._log.check_running()
        if self.last_number < self._log.last_number:
            return True
        if self._log.is_closed:
            return False
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter
        self._log.check_running()
        return True

    def close(self) -> None:
        """Let go of the table."""
        self._log.forget(self)
