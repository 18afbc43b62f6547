"""A clock that stands still until a test moves it."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from typing import TYPE_CHECKING

from homegame_server.runtime.clock import Alarm, Clock

if TYPE_CHECKING:
    from collections.abc import Callable

START_AT_MS = 1_800_000_000_000


class FakeClock(Clock):
    """Alarms ring inside `advance`, in the order of their moments."""

    def __init__(self, at_ms: int = START_AT_MS) -> None:
        self._now_ms = at_ms
        self._alarms: list[tuple[int, int, _FakeAlarm]] = []
        self._order = itertools.count()

    def now_ms(self) -> int:
        return self._now_ms

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Alarm:
        alarm = _FakeAlarm(callback)
        if at_ms <= self._now_ms:
            asyncio.get_running_loop().call_soon(alarm.ring)
        else:
            heapq.heappush(self._alarms, (at_ms, next(self._order), alarm))
        return alarm

    def advance(self, by_ms: int) -> None:
        """Let time pass; negative sets the clock back, as an operator might."""
        self._now_ms += by_ms
        while self._alarms and self._alarms[0][0] <= self._now_ms:
            heapq.heappop(self._alarms)[2].ring()

    def advance_to(self, at_ms: int) -> None:
        """Let time pass until `at_ms`."""
        self.advance(at_ms - self._now_ms)


class _FakeAlarm:
    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def ring(self) -> None:
        if self._callback is not None:
            callback, self._callback = self._callback, None
            callback()

    def cancel(self) -> None:
        self._callback = None
