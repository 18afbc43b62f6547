"""The SDK for programs without an event loop: the same calls, each of which waits for its answer.

    with sync.Client("127.0.0.1:50051") as client:
        joined = client.tables.join(table, display_name="Ada")
        ada = client.with_token(joined.participant_token)
        with ada.play.stream(table) as seat:
            for event in seat: ...

Nothing is decided here: each method runs its namesake of the asynchronous client in one thread of its own, with its arguments,
its answer and its errors. Streams are iterated over one event at a time. A client may be used from several threads.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from types import TracebackType
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar, overload

from homegame.v1.events_pb2 import TableEvent
from homegame_client import client as asynchronous
from homegame_client.client import TableRef
from homegame_client.play_stream import PlayStream
from homegame_client.resuming import Frame
from homegame_client.retry import RetryPolicy
from homegame_client.transport import GrpcTransport, open_channel

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Item = TypeVar("_Item")
_Target = TypeVar("_Target")

_END: Final = object()


class _LoopThread:
    """An event loop that runs in a thread of its own until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="homegame client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do the work over there and wait for it; an interruption here cancels it there."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncGenerator[_Item, None]) -> Iterator[_Item]:
        """Take items one by one, and close their source when the iteration is left."""

        async def next_one() -> _Item | object:
            return await anext(items, _END)

        async def close() -> None:
            await items.aclose()

        try:
            while (item := self.run(next_one())) is not _END:
                yield item  # type: ignore[misc] # `_END` is none of them
        finally:
            if not self._loop.is_closed():  # An iteration may be forgotten, and left only after the client is closed.
                self.run(close())

    def close(self) -> None:
        """End everything that runs there, and the thread."""
        self.run(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class _Blocking(Generic[_P, _T]):
    """A method that runs an asynchronous one, of the object that its own object holds, and waits for it."""

    def __init__(self, method: Callable[Concatenate[Any, _P], Coroutine[Any, Any, _T]]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: "_Face[Any]", owner: type) -> Callable[_P, _T]: ...
    def __get__(self, instance: "_Face[Any] | None", owner: type) -> "Self | Callable[_P, _T]":
        if instance is None:
            return self
        face = instance

        def blocking(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            return face.thread.run(self._method(face.target, *args, **kwargs))

        return blocking


class _Face(Generic[_Target]):
    """The waiting face of an asynchronous object."""

    def __init__(self, thread: _LoopThread, target: _Target) -> None:
        self.thread = thread
        self.target = target


class CatalogCalls(_Face[asynchronous.CatalogCalls]):
    """CatalogService. Needs no token."""

    list_games = _Blocking(asynchronous.CatalogCalls.list_games)
    get_game = _Blocking(asynchronous.CatalogCalls.get_game)
    get_rule_card = _Blocking(asynchronous.CatalogCalls.get_rule_card)
    get_played_game = _Blocking(asynchronous.CatalogCalls.get_played_game)
    check_game = _Blocking(asynchronous.CatalogCalls.check_game)
    list_houses = _Blocking(asynchronous.CatalogCalls.list_houses)
    list_formats = _Blocking(asynchronous.CatalogCalls.list_formats)
    get_format = _Blocking(asynchronous.CatalogCalls.get_format)
    get_rank_card = _Blocking(asynchronous.CatalogCalls.get_rank_card)
    get_played_rank_card = _Blocking(asynchronous.CatalogCalls.get_played_rank_card)
    get_odds = _Blocking(asynchronous.CatalogCalls.get_odds)
    get_hand_frequencies = _Blocking(asynchronous.CatalogCalls.get_hand_frequencies)


class NightCalls(_Face[asynchronous.NightCalls]):
    """NightService. All but `create` and the reads need the host's token."""

    create = _Blocking(asynchronous.NightCalls.create)
    post_cutoff_in = _Blocking(asynchronous.NightCalls.post_cutoff_in)
    post_cutoff_at = _Blocking(asynchronous.NightCalls.post_cutoff_at)
    record_read_aloud = _Blocking(asynchronous.NightCalls.record_read_aloud)
    open = _Blocking(asynchronous.NightCalls.open)
    close = _Blocking(asynchronous.NightCalls.close)
    void_hand = _Blocking(asynchronous.NightCalls.void_hand)
    get = _Blocking(asynchronous.NightCalls.get)
    scoresheet = _Blocking(asynchronous.NightCalls.scoresheet)


class TableCalls(_Face[asynchronous.TableCalls]):
    """TableService."""

    join = _Blocking(asynchronous.TableCalls.join)
    take_seat = _Blocking(asynchronous.TableCalls.take_seat)
    leave = _Blocking(asynchronous.TableCalls.leave)
    acknowledge_posting = _Blocking(asynchronous.TableCalls.acknowledge_posting)
    sit_out = _Blocking(asynchronous.TableCalls.sit_out)
    sit_in = _Blocking(asynchronous.TableCalls.sit_in)
    agree_to_resets = _Blocking(asynchronous.TableCalls.agree_to_resets)
    reset_stack = _Blocking(asynchronous.TableCalls.reset_stack)
    ask_for_playoff = _Blocking(asynchronous.TableCalls.ask_for_playoff)
    get = _Blocking(asynchronous.TableCalls.get)

    def watch(self, table: TableRef, *, after_seq: int = 0) -> Iterator[TableEvent]:
        """The table's events after a number, as they happen, until the night is closed."""
        return self.thread.iterate(self.target.watch(table, after_seq=after_seq).__aiter__())


class SeatStream(_Face[PlayStream]):
    """One player's stream. Iterate over it for events, or over `frames()`; `act` meanwhile. Use it in `with`."""

    act = _Blocking(PlayStream.act)
    use_time_bank = _Blocking(PlayStream.use_time_bank)
    call_game = _Blocking(PlayStream.call_game)

    @property
    def last_number(self) -> int:
        """Number of the last event that has arrived in order."""
        return self.target.last_number

    @property
    def breaks(self) -> int:
        """Times the stream broke and was resumed."""
        return self.target.breaks

    def __enter__(self) -> Self:
        """Open the stream."""
        self.thread.run(self.target.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the stream."""
        self.thread.run(self.target.__aexit__(kind, error, trace))

    def __iter__(self) -> Iterator[TableEvent]:
        """Yield events until the night is closed."""
        return self.thread.iterate(self.target.__aiter__())

    def frames(self) -> Iterator[Frame]:
        """Yield frames until the night is closed."""
        return self.thread.iterate(self.target.frames())


class PlayCalls(_Face[asynchronous.PlayCalls]):
    """PlayService. Needs the token of a seated participant."""

    act = _Blocking(asynchronous.PlayCalls.act)
    use_time_bank = _Blocking(asynchronous.PlayCalls.use_time_bank)
    call_game = _Blocking(asynchronous.PlayCalls.call_game)

    def stream(self, table: TableRef, *, after_seq: int = 0) -> SeatStream:
        """Decisions and events over one stream, which resumes by itself: `with client.play.stream(table) as seat`."""

        async def made() -> PlayStream:
            return self.target.stream(table, after_seq=after_seq)

        return SeatStream(self.thread, self.thread.run(made()))


class HandCalls(_Face[asynchronous.HandCalls]):
    """HandService."""

    get = _Blocking(asynchronous.HandCalls.get)
    list = _Blocking(asynchronous.HandCalls.list)
    export = _Blocking(asynchronous.HandCalls.export)
    deal_proof = _Blocking(asynchronous.HandCalls.deal_proof)
    verify = _Blocking(asynchronous.HandCalls.verify)


class Client:
    """One caller of one server. Use it in `with`, or `close` it; clients made by `with_token` close with it.

    Args:
        address: `HOST:PORT` of the server.
        token: The caller's token; empty for a spectator.
        retry: How hard the client tries before it gives up.
    """

    def __init__(self, address: str, token: str = "", retry: RetryPolicy | None = None) -> None:
        self._thread = _LoopThread()

        async def connect() -> asynchronous.Client:
            # A channel belongs to the event loop that it was opened in.
            self._channel = open_channel(address)
            return asynchronous.Client(GrpcTransport(self._channel), token, retry or RetryPolicy())

        self._asynchronous = self._thread.run(connect())

    def with_token(self, token: str) -> "Client":
        """The same client speaking for the holder of another token."""
        other = object.__new__(Client)
        other._thread, other._channel = self._thread, self._channel
        other._asynchronous = self._asynchronous.with_token(token)
        return other

    @property
    def token(self) -> str:
        """The caller's token."""
        return self._asynchronous.token

    @property
    def catalog(self) -> CatalogCalls:
        """What can be played."""
        return CatalogCalls(self._thread, self._asynchronous.catalog)

    @property
    def nights(self) -> NightCalls:
        """The host's side of a night."""
        return NightCalls(self._thread, self._asynchronous.nights)

    @property
    def tables(self) -> TableCalls:
        """Joining, sitting, watching."""
        return TableCalls(self._thread, self._asynchronous.tables)

    @property
    def play(self) -> PlayCalls:
        """Acting in a hand."""
        return PlayCalls(self._thread, self._asynchronous.play)

    @property
    def hands(self) -> HandCalls:
        """Hands that have been played."""
        return HandCalls(self._thread, self._asynchronous.hands)

    def close(self) -> None:
        """Close the connection. Nothing can be asked afterwards."""
        self._thread.run(self._channel.close())
        self._thread.close()

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the client."""
        self.close()
