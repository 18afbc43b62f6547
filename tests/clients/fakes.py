"""Fakes of what the client talks to: a transport in memory, a clock that jumps, and a table that deals from a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from homegame.v1.events_pb2 import BoardDealt, TableEvent
from homegame.v1.table_service_pb2 import WatchTableResponse
from homegame_client.retry import Backoff, RetryPolicy

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from google.protobuf.message import Message

    from homegame_client.rpcs import Request, Response, Rpc


@dataclass
class JumpingTiming:
    """A clock that moves only when somebody waits."""

    at_s: float = 1000.0
    waited_s: list[float] = field(default_factory=list)

    def now_s(self) -> float:
        """See Timing."""
        return self.at_s

    async def sleep(self, seconds: float) -> None:
        """See Timing: no time passes outside."""
        self.waited_s.append(seconds)
        self.at_s += seconds


def quick_policy(timing: JumpingTiming, *, deadline_s: float = 30.0) -> RetryPolicy:
    """A policy without real waiting and without chance: each pause is three quarters of its bound."""
    return RetryPolicy(
        deadline_s=deadline_s,
        attempt_s=5.0,
        backoff=Backoff(first_ms=100, max_ms=1000),
        timing=timing,
        chance=lambda: 0.5,
    )


@dataclass
class Sent:
    """One request as it arrived."""

    path: str
    request: Message
    token: str
    timeout_s: float


class ScriptedTransport:
    """Answers from a list: an answer is returned, an exception is raised, a list of both is a stream."""

    def __init__(self, script: Sequence[Message | Exception | list[Message | Exception]]) -> None:
        self.script = list(script)
        self.sent: list[Sent] = []
        self.after_seqs: list[int] = []

    async def call(self, rpc: Rpc[Request, Response], request: Request, *, token: str, timeout_s: float) -> Response:
        """See Transport."""
        self.sent.append(Sent(rpc.path, request, token, timeout_s))
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return cast("Response", step)

    async def stream(
        self, rpc: Rpc[Request, Response], request: Request, *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport."""
        self.sent.append(Sent(rpc.path, request, token, 0.0))
        self.after_seqs.append(getattr(request, "after_seq", 0))
        steps = self.script.pop(0)
        assert isinstance(steps, list)
        for step in steps:
            if isinstance(step, Exception):
                raise step
            yield cast("Response", step)

    async def talk(
        self, rpc: Rpc[Request, Response], requests: AsyncIterator[Request], *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport; only the first request is read, the answers come from the list."""
        self.sent.append(Sent(rpc.path, await anext(requests), token, 0.0))
        for step in cast("list[Message | Exception]", self.script.pop(0)):
            if isinstance(step, Exception):
                raise step
            yield cast("Response", step)


def frame(*numbers: int, make: Callable[[int], TableEvent] | None = None) -> WatchTableResponse:
    """A frame of events with these numbers."""
    events = [make(number) if make else TableEvent(number=number, board_dealt=BoardDealt()) for number in numbers]
    return WatchTableResponse(events=events, last_number=numbers[-1] if numbers else 0, server_time_ms=5_000)
