"""Watching a table without losing or repeating an event, whatever happens to the connection.

The stream knows one number: that of the last event it handed out. After any break it asks for what comes after that.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.table_service_pb2 import WatchTableRequest
from homegame_client.errors import TransientError
from homegame_client.resuming import Frame, GapFound, Resuming
from homegame_client.retry import RetryPolicy
from homegame_client.rpcs import WATCH_TABLE
from homegame_client.transport import Transport


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
        self._resuming = Resuming(after_seq, retry)

    @property
    def last_number(self) -> int:
        """Number of the last event that was handed out."""
        return self._resuming.last_number

    @property
    def breaks(self) -> int:
        """Times the stream broke and was resumed."""
        return self._resuming.breaks

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
        self._resuming.begin()
        while True:
            try:
                async with aclosing(self._one_call()) as frames:
                    async for frame in frames:
                        yield frame
            except GapFound:
                self._resuming.note_gap()
            except TransientError as error:
                await self._resuming.pause(error)
            else:
                return  # The server ends a stream without an error only after the night is closed.

    async def _one_call(self) -> AsyncGenerator[Frame, None]:
        request = WatchTableRequest(night_id=self._night_id, table_id=self._table_id, after_seq=self.last_number)
        async with aclosing(self._transport.stream(WATCH_TABLE, request, token=self._token)) as answers:
            async for answer in answers:
                frame = self._resuming.take(answer.events, answer.server_time_ms)
                if frame is not None:
                    yield frame
