"""What a journal promises, whatever stores it.

The journal is the truth about a night: one row is one accepted input, its time, everything it
caused, and a hash of the state after it. A store keeps rows in order, keeps them for good, and
refuses a second row under the same number: `(night_id, seq)` is the primary key and the lock by
which two writers of one night find out about each other.

This package knows no poker and no protocol; of the engine it takes the root of the errors.
Payloads are bytes that others encode and decode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

import msgspec

from homegame_engine.errors import HomegameError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

STATE_HASH_BYTES: Final = 32
CHUNK_ROWS: Final = 256
"""Rows that `Journal.replay` holds in memory at once."""
INT64_MAX: Final = 2**63 - 1


class JournalError(HomegameError):
    """The root of everything that a journal raises on purpose."""


class MalformedRow(JournalError):  # noqa: N818 - named for what it is, like the rest of the tree
    """A row that no store may keep: a bug of the writer, never of a client."""


class AppendConflict(JournalError):  # noqa: N818 - an answer, not an error
    """The row contradicts what is stored already. Nothing was written.

    The caller's picture of the night is out of date (or wrong): it reads the night again.

    Attributes:
        night_id: The night of the refused row.
        seq: The number of the refused row.
    """

    def __init__(self, night_id: str, seq: int, message: str) -> None:
        super().__init__(f"night {night_id}, row {seq}: {message}")
        self.night_id = night_id
        self.seq = seq


class SequenceTaken(AppendConflict):
    """A row with this number exists: somebody else has written to the night."""

    def __init__(self, night_id: str, seq: int) -> None:
        super().__init__(night_id, seq, "this number is taken")


class SequenceGap(AppendConflict):
    """The row before this one does not exist: a fold over such a night would mean nothing."""

    def __init__(self, night_id: str, seq: int, last_seq: int) -> None:
        super().__init__(night_id, seq, f"the night ends at row {last_seq}")
        self.last_seq = last_seq


class RequestTaken(AppendConflict):
    """Another row of the night answers this request id: see `Journal.find_request`."""

    def __init__(self, night_id: str, seq: int) -> None:
        super().__init__(night_id, seq, "its request id is answered by another row")


class StoreUnavailable(JournalError):  # noqa: N818 - named as the answer it becomes
    """The store failed. The row may or may not have been written.

    The caller drops what it holds in memory and reads the night again before it goes on.
    """


class StoreBusy(StoreUnavailable):
    """Too many rows wait to be written; this one was not taken in and certainly not written."""


class TableSpan(msgspec.Struct, frozen=True, array_like=True):
    """Which events of one table a row caused. A table's events are numbered without gaps.

    Attributes:
        table_id: The table.
        first_event_number: Number, from 1, of the first of its events in this row.
        n_events: How many of the table's events the row holds, in order.
    """

    table_id: str
    first_event_number: int
    n_events: int


class JournalRow(msgspec.Struct, frozen=True, kw_only=True):
    """One accepted input and all that followed from it.

    Attributes:
        night_id: The night; not empty.
        seq: Position in the night, from 1, without gaps.
        at_ms: When the input was accepted, Unix UTC in milliseconds.
        input: The encoded input. It may hold a deck order: secret.
        events: The encoded events, complete, hole cards in clear: secret.
        state_hash: 32 bytes over the state after the row. It never leaves the server.
        rules_version: Version of the rules that judged the input.
        state_version: Version of the encoding under `state_hash`.
        request_id: The client's id of the request; None for what the clock brought about.
        caller: Who sent the request; None for the clock.
        body_digest: Digest of the request's body; present exactly when `request_id` is.
        reply: The part of the answer that cannot be rebuilt from the events, or None.
        tables: The tables that the row touches, each at most once.
    """

    night_id: str
    seq: int
    at_ms: int
    input: bytes
    events: bytes
    state_hash: bytes
    rules_version: str
    state_version: int
    request_id: str | None = None
    caller: str | None = None
    body_digest: bytes | None = None
    reply: bytes | None = None
    tables: tuple[TableSpan, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a row that would poison the night for whoever reads it.

        Raises:
            MalformedRow: A field is out of its range.
        """
        if not self.night_id:
            raise MalformedRow("a row needs a night")
        if not 1 <= self.seq <= INT64_MAX:
            raise MalformedRow(f"seq counts from 1, got {self.seq}")
        if not 0 <= self.at_ms <= INT64_MAX:
            raise MalformedRow(f"at_ms is Unix time in milliseconds, got {self.at_ms}")
        if len(self.state_hash) != STATE_HASH_BYTES:
            raise MalformedRow(f"a state hash has 32 bytes, got {len(self.state_hash)}")
        if (self.request_id is None) != (self.body_digest is None):
            raise MalformedRow("a request id and a body digest come together or not at all")


class NightHead(msgspec.Struct, frozen=True):
    """Where a night begins and ends at the moment.

    Attributes:
        night_id: The night.
        last_seq: Number of its last row, at least 1.
        first_at_ms: Time of its first row, Unix UTC in milliseconds.
        last_at_ms: Time of its last row.
    """

    night_id: str
    last_seq: int
    first_at_ms: int
    last_at_ms: int


class JournalStats(msgspec.Struct, frozen=True):
    """Counters since the journal was opened.

    Attributes:
        rows: Rows written and acknowledged.
        commits: Transactions that wrote them; fewer than `rows` when nights share commits.
        waiting: Rows handed in and not answered yet.
    """

    rows: int
    commits: int
    waiting: int


class Journal(ABC):
    """An append-only store of rows, ordered within each night.

    Used from one event loop. Appends of different nights are committed together; the caller keeps
    one row in flight a night. Reading sees committed rows only.
    """

    @abstractmethod
    async def append(self, row: JournalRow) -> None:
        """Write one row; when this returns the row survives a crash of the machine.

        A cancelled append is like a failed store: the row may be written nevertheless.

        Args:
            row: The night's next row.

        Raises:
            SequenceTaken: The night has a row of this number.
            SequenceGap: The night does not have the row before this one.
            RequestTaken: The night has another row with this request id.
            MalformedRow: A text of the row is not Unicode. Its neighbours are unaffected.
            StoreUnavailable: The store failed, or is closed; written or not is unknown.
            StoreBusy: Too many rows wait; not written.
        """

    @abstractmethod
    async def read(self, night_id: str, after_seq: int = 0, max_rows: int | None = None) -> list[JournalRow]:
        """Read a night's rows in order; an unknown night has none.

        Args:
            night_id: The night.
            after_seq: The rows after this one; 0 begins with the first.
            max_rows: At most so many; None reads to the end. `replay` bounds memory instead.

        Raises:
            StoreUnavailable: The store failed, is damaged, or is closed.
        """

    @abstractmethod
    async def last_seq(self, night_id: str) -> int:
        """Return the number of the night's last row; 0 when there is none.

        Raises:
            StoreUnavailable: The store failed or is closed.
        """

    @abstractmethod
    async def find_request(self, night_id: str, request_id: str) -> JournalRow | None:
        """Return the row that a request led to. A refused request left none.

        The caller compares `caller` and `body_digest` before it repeats the answer.

        Raises:
            StoreUnavailable: The store failed or is closed.
        """

    @abstractmethod
    async def list_nights(self) -> list[NightHead]:
        """Return every night, ordered by id.

        Raises:
            StoreUnavailable: The store failed or is closed.
        """

    @abstractmethod
    def stats(self) -> JournalStats:
        """Return the counters, for metrics and for tests of group commit."""

    @abstractmethod
    async def close(self) -> None:
        """Write what waits, answer it, and let go of the store. Closing twice is fine."""

    async def replay(self, night_id: str, after_seq: int = 0) -> AsyncIterator[JournalRow]:
        """Iterate over a night's rows in order, holding few of them at a time.

        Args:
            night_id: The night.
            after_seq: Begin after this row.

        Raises:
            StoreUnavailable: The store failed, is damaged, or is closed.
        """
        while True:
            chunk = await self.read(night_id, after_seq, CHUNK_ROWS)
            for row in chunk:
                yield row
            if len(chunk) < CHUNK_ROWS:
                return
            after_seq = chunk[-1].seq
