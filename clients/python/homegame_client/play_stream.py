"""Playing one seat over one stream: decisions go out under a `request_id` each, events and answers come back.

Whatever happens to the connection, no event is lost or handed out twice and every decision happens once: after a break the
stream is opened again after the last number, and every decision without an answer is sent again, byte for byte.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from typing import Any, Final, Self

from homegame.v1.actions_pb2 import PlayerAction
from homegame.v1.events_pb2 import TableEvent
from homegame.v1.play_service_pb2 import (
    ActRequest,
    ActResponse,
    CallGameRequest,
    CallGameResponse,
    GameCall,
    PlayAnswer,
    PlayInput,
    PlayOpening,
    PlayRequest,
    PlayResponse,
    TimeBankToken,
    UseTimeBankRequest,
    UseTimeBankResponse,
)
from homegame_client import rpcs
from homegame_client.errors import ClientError, GaveUpError, TransientError, UnavailableError, from_status
from homegame_client.resuming import Frame, GapFound, Resuming
from homegame_client.retry import RetryPolicy
from homegame_client.rpcs import Request, Response, Rpc
from homegame_client.transport import Transport

FRAMES_KEPT: Final = 1_024
"""Frames that wait for whoever iterates. What comes beyond is asked for again once these are taken."""


class PlayStream:
    """One player's stream: iterate over it for events, or over `frames()`; `act` meanwhile. Use it in `async with`.

    The iteration ends when the night is closed. It may be left and taken up again; `act` does not depend on it.

    Args:
        transport: Carries the calls.
        token: The player's token.
        night_id: The night.
        table_id: The table.
        after_seq: Number of the last event the caller has; 0 for all of them.
        retry: Pauses between attempts, and how long a decision may take with all its repeats. The stream itself gives
            up when the server stays away for the deadline.
        make_request_id: Where the ids of decisions come from.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        token: str,
        night_id: str,
        table_id: str,
        after_seq: int,
        retry: RetryPolicy,
        make_request_id: Callable[[], str],
    ) -> None:
        self._transport = transport
        self._token = token
        self._night_id = night_id
        self._table_id = table_id
        self._retry = retry
        self._make_request_id = make_request_id
        self._resuming = Resuming(after_seq, retry)
        self._frames: deque[Frame] = deque()
        self._is_behind = False
        self._changed = asyncio.Event()
        self._waiting: dict[str, _Waiting] = {}
        self._outgoing: asyncio.Queue[PlayRequest | None] = asyncio.Queue()
        self._one_call: asyncio.Task[None] | None = None
        self._pump: asyncio.Task[None] | None = None

    @property
    def last_number(self) -> int:
        """Number of the last event that has arrived in order."""
        return self._resuming.last_number

    @property
    def breaks(self) -> int:
        """Times the stream broke and was resumed."""
        return self._resuming.breaks

    async def __aenter__(self) -> Self:
        """Open the stream. What the server says to it comes out of the first use."""
        self._pump = asyncio.create_task(self._run(), name=f"play stream {self._night_id}")
        self._pump.add_done_callback(lambda _: self._end())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the stream. Decisions without an answer may or may not have been accepted."""
        if self._pump is not None:
            self._pump.cancel()
            # Whatever ended it before was raised to whoever used the stream.
            with suppress(asyncio.CancelledError, ClientError):
                await self._pump

    # --- What a player does ----------------------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncGenerator[TableEvent, None]:
        async with aclosing(self.frames()) as frames:
            async for frame in frames:
                for event in frame.events:
                    yield event

    async def frames(self) -> AsyncGenerator[Frame, None]:
        """Yield frames until the night is closed.

        Raises:
            RefusedError: no such table, or the token has no seat at it.
            GaveUpError: the server stayed away for the whole of the deadline.
            GapError: the server skips numbers and goes on doing so.
        """
        pump = self._opened()
        while True:
            while self._frames:
                yield self._frames.popleft()
            if self._is_behind:
                self._is_behind = False
                self._break_off()
            elif pump.done():
                pump.result()
                return
            self._changed.clear()
            if not self._frames and not pump.done():
                await self._changed.wait()

    async def act(self, *, action_number: int, action: PlayerAction) -> ActResponse:
        """Answer the turn of this number, and wait until that is durable.

        Raises:
            RefusedError: for example STALE_ACTION when the turn has moved on. The stream goes on.
            GaveUpError: no answer within the deadline, or the stream gave up.
        """
        given = PlayInput(request_id=self._make_request_id(), action_number=action_number, action=action)
        return (await self._ask(given)).accepted

    async def use_time_bank(self, *, action_number: int) -> UseTimeBankResponse:
        """Take a token of the time bank for the running window. Raises as `act` does."""
        given = PlayInput(
            request_id=self._make_request_id(), action_number=action_number, time_bank_token=TimeBankToken()
        )
        return (await self._ask(given)).time_bank_used

    async def call_game(self, *, action_number: int, call: GameCall) -> CallGameResponse:
        """As the dealer, call the game of the coming hand. Raises as `act` does."""
        given = PlayInput(request_id=self._make_request_id(), action_number=action_number, call=call)
        return (await self._ask(given)).called

    # --- Decisions -------------------------------------------------------------------------------------------------------

    async def _ask(self, given: PlayInput) -> PlayAnswer:
        """Send a decision until it is answered. Raises RefusedError, GaveUpError, FaultError."""
        try:
            return await self._retry.run(lambda timeout_s: self._attempt(given, timeout_s), request_id=given.request_id)
        finally:
            # Nobody waits any more: it must not be sent again behind the caller's back.
            self._waiting.pop(given.request_id, None)

    async def _attempt(self, given: PlayInput, timeout_s: float) -> PlayAnswer:
        """Send a decision, unless it is on its way already, and wait for its answer for so long."""
        if self._opened().done():
            return await self._ask_by_call(given, timeout_s)
        waiting = self._waiting.get(given.request_id)
        if waiting is None:
            waiting = self._waiting[given.request_id] = _Waiting(given)
            self._outgoing.put_nowait(PlayRequest(input=given))
        try:
            async with asyncio.timeout(timeout_s):
                answer = await asyncio.shield(waiting.answer)
        except TimeoutError:
            self._break_off()  # A connection that answers nothing may be a dead one; a new one brings the decision along.
            raise UnavailableError("no answer in time") from None
        except _StreamOver:
            return await self._ask_by_call(given, timeout_s)
        if answer.WhichOneof("outcome") == "refused":
            raise from_status(answer.refused)
        return answer

    async def _ask_by_call(self, given: PlayInput, timeout_s: float) -> PlayAnswer:
        """Send a decision by a call of its own, where the same id is the same request: the stream is over."""
        pump = self._opened()
        if pump.cancelled():
            raise GaveUpError("the stream was closed", request_id=given.request_id)
        pump.result()  # What ended it, if that was an error.
        ids: dict[str, Any] = {
            "request_id": given.request_id,
            "night_id": self._night_id,
            "table_id": self._table_id,
            "action_number": given.action_number,
        }
        if given.HasField("action"):
            act = ActRequest(action=given.action, **ids)
            return PlayAnswer(accepted=await self._call(rpcs.ACT, act, timeout_s))
        if given.HasField("call"):
            call = CallGameRequest(call=given.call, **ids)
            return PlayAnswer(called=await self._call(rpcs.CALL_GAME, call, timeout_s))
        return PlayAnswer(time_bank_used=await self._call(rpcs.USE_TIME_BANK, UseTimeBankRequest(**ids), timeout_s))

    async def _call(self, rpc: Rpc[Request, Response], request: Request, timeout_s: float) -> Response:
        return await self._transport.call(rpc, request, token=self._token, timeout_s=timeout_s)

    # --- The connection --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Keep the stream open until the night is closed."""
        self._resuming.begin()
        while True:
            self._one_call = asyncio.create_task(self._talk())
            try:
                await self._one_call
            except asyncio.CancelledError:
                if self._one_call.cancelled() and not _is_cancelling():
                    self._resuming.breaks += 1
                    continue  # Broken off from this side, to be opened again at once.
                self._one_call.cancel()
                raise
            except GapFound:
                self._resuming.note_gap()
            except TransientError as error:
                await self._resuming.pause(error)
            else:
                return  # The server ends a stream without an error only after the night is closed.

    async def _talk(self) -> None:
        outgoing: asyncio.Queue[PlayRequest | None] = asyncio.Queue()
        opening = PlayOpening(night_id=self._night_id, table_id=self._table_id, after_seq=self.last_number)
        outgoing.put_nowait(PlayRequest(opening=opening))
        for waiting in self._waiting.values():
            outgoing.put_nowait(PlayRequest(input=waiting.given))
        self._outgoing = outgoing
        answers = self._transport.talk(rpcs.PLAY, _taken_from(outgoing), token=self._token)
        try:
            async with aclosing(answers):
                async for response in answers:
                    self._take_in(response)
        finally:
            outgoing.put_nowait(None)  # Whoever takes from it is let go: gRPC would wait there for ever.

    def _take_in(self, response: PlayResponse) -> None:
        for answer in response.answers:
            waiting = self._waiting.pop(answer.request_id, None)
            if waiting is not None and not waiting.answer.done():
                waiting.answer.set_result(answer)
        self._is_behind = self._is_behind or len(self._frames) >= FRAMES_KEPT
        frame = self._resuming.take(() if self._is_behind else response.events, response.server_time_ms)
        if frame is not None:
            self._frames.append(frame)
            self._changed.set()

    def _break_off(self) -> None:
        """End the connection; the next one goes on after what was taken in."""
        if self._one_call is not None:
            self._one_call.cancel()

    def _end(self) -> None:
        """Tell everybody who waits that nothing more will come."""
        self._changed.set()
        while self._waiting:
            _, waiting = self._waiting.popitem()
            if not waiting.answer.done():
                waiting.answer.set_exception(_StreamOver())
                waiting.answer.exception()  # Its caller may have gone.

    def _opened(self) -> asyncio.Task[None]:
        if self._pump is None:
            raise RuntimeError("open the stream first: async with client.play.stream(table) as seat")
        return self._pump


class _Waiting:
    """A decision without an answer."""

    def __init__(self, given: PlayInput) -> None:
        self.given = given
        self.answer: asyncio.Future[PlayAnswer] = asyncio.get_running_loop().create_future()


class _StreamOver(Exception):  # noqa: N818 - a signal inside this module
    """The stream has ended while a decision had no answer."""


async def _taken_from(outgoing: asyncio.Queue[PlayRequest | None]) -> AsyncIterator[PlayRequest]:
    while (message := await outgoing.get()) is not None:
        yield message


def _is_cancelling() -> bool:
    this = asyncio.current_task()
    return this is not None and this.cancelling() > 0
