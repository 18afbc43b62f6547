"""Sending one request again until it is answered: how long, how often, and with which pauses.

Time and chance are handed in, so that a test runs a minute of retries in no time.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from homegame_client.errors import GaveUpError, TransientError

_Answer = TypeVar("_Answer")


class Timing(Protocol):
    """A monotonic clock that can also wait."""

    def now_s(self) -> float:
        """Seconds since some fixed moment, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemTiming:
    """The machine's monotonic clock."""

    def now_s(self) -> float:
        """See Timing."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """See Timing."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True)
class Backoff:
    """Pauses that double, up to a bound, each shortened by chance so that clients do not come back in step."""

    first_ms: int = 50
    max_ms: int = 2_000

    def pause_ms(self, attempt: int, chance: float, at_least_ms: int = 0) -> float:
        """Return the pause before the next attempt.

        Args:
            attempt: Attempts that have failed in a row, counted from 1.
            chance: A draw from [0, 1): the pause is this far between a half and the whole of its bound.
            at_least_ms: What the server asked for, in ms; kept in full.
        """
        bound_ms = min(self.max_ms, self.first_ms << min(attempt - 1, 30))
        return at_least_ms + bound_ms * (0.5 + chance / 2)


@dataclass(frozen=True)
class RetryPolicy:
    """How hard the client tries before it gives up.

    `chance` returns draws from [0, 1); tests hand in a constant.
    """

    deadline_s: float = 30.0
    """Time for a call with all its repeats, in seconds."""
    attempt_s: float = 5.0
    """Time for one attempt, in seconds."""
    backoff: Backoff = Backoff()
    timing: Timing = field(default_factory=SystemTiming)
    chance: Callable[[], float] = random.random

    async def run(self, attempt: Callable[[float], Awaitable[_Answer]], *, request_id: str = "") -> _Answer:
        """Call `attempt` until it answers or the deadline passes.

        Args:
            attempt: Sends the very same request once; its argument is the time it may take, in seconds.
            request_id: The request's id, for the error that says that its fate is unknown.

        Raises:
            RefusedError: the server said no; never repeated.
            GaveUpError: only transient errors until the deadline; the last one is the cause.
        """
        deadline_s = self.timing.now_s() + self.deadline_s
        failed = 0
        while True:
            try:
                return await attempt(min(self.attempt_s, max(deadline_s - self.timing.now_s(), 0.001)))
            except TransientError as error:
                failed += 1
                pause_s = self.backoff.pause_ms(failed, self.chance(), error.retry_after_ms) / 1000
                if self.timing.now_s() + pause_s >= deadline_s:
                    raise GaveUpError(
                        f"no answer after {failed} attempts in {self.deadline_s:g} s: {error.message}",
                        request_id=request_id,
                    ) from error
            await self.timing.sleep(pause_s)
