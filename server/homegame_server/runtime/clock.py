"""Wall time and alarms, as a value that tests replace."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_SLEEP_MS: Final = 10_000
"""Alarms ring at least this often, so that a wall clock that was set forward is noticed."""


class Alarm(Protocol):
    """A call to come."""

    def cancel(self) -> None:
        """Take it back; without effect once it has rung."""


class Clock(ABC):
    """Where the server's moments come from, in Unix UTC milliseconds."""

    @abstractmethod
    def now_ms(self) -> int:
        """Return the moment; it may step backwards when the system's clock is set."""

    @abstractmethod
    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Alarm:
        """Call `callback` at `at_ms` or somewhat earlier: whoever is called looks at the clock again."""


class SystemClock(Clock):
    """The machine's clock and the running event loop's timers."""

    def now_ms(self) -> int:
        """See `Clock.now_ms`."""
        return time.time_ns() // 1_000_000

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Alarm:
        """See `Clock.call_at`."""
        wait_ms = min(max(at_ms - self.now_ms(), 0), LONGEST_SLEEP_MS)
        return asyncio.get_running_loop().call_later(wait_ms / 1000, callback)
