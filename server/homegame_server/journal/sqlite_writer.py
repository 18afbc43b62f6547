"""The one thread that writes to the SQLite journal, many nights to a commit.

It takes everything that waits, writes it as one transaction with one fsync, and only then answers.
While it waits for the disk the event loop goes on and the next group gathers.

A whole group is one SQL statement. The interpreter lock is let go and taken back around every
statement, and next to a busy event loop taking it back can cost milliseconds: a hundred rows
inserted one by one then took 0.6 to 1.2 s to commit, as one statement 10 to 13 ms.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from typing import TYPE_CHECKING, Final

import msgspec

from homegame_server.journal.base import (
    AppendConflict,
    JournalError,
    JournalRow,
    MalformedRow,
    RequestTaken,
    SequenceGap,
    SequenceTaken,
    StoreBusy,
    StoreUnavailable,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS: Final = (
    "night_id, seq, at_ms, input, events, state_hash, rules_version, state_version, "
    "request_id, caller, body_digest, reply, tables"
)
"""The columns in the order in which rows are written and read."""

GROUP_ROWS_MAX: Final = 256
"""Rows a commit. A bigger group gains nothing and makes its first row wait."""
_HEADS_MAX: Final = 100_000
"""Nights whose last number is remembered; beyond it they are looked up again."""

_N_COLUMNS: Final = len(COLUMNS.split(","))
_NO_ROW: Final = (None,) * _N_COLUMNS
SELECT_LAST_SEQ: Final = "SELECT max(seq) FROM journal_rows WHERE night_id = ?"

_Waiting = tuple[JournalRow, "asyncio.Future[None]"]
_Outcome = JournalError | None
_encode_tables = msgspec.json.Encoder().encode


def _build_insert(n_rows: int) -> str:
    """Return a statement that inserts up to `n_rows` rows and passes over empty ones.

    Padding with empty rows lets nine statements, compiled once, serve every size of a group.
    """
    columns = ", ".join(f"column{number}" for number in range(1, _N_COLUMNS + 1))
    one_row = f"({', '.join('?' * _N_COLUMNS)})"
    rows = ", ".join([one_row] * n_rows)
    return (
        f"INSERT INTO journal_rows ({COLUMNS}) "  # noqa: S608 - constants of this module only
        f"SELECT {columns} FROM (VALUES {rows}) WHERE column1 IS NOT NULL"
    )


# Index i serves groups of at most 2**i rows.
_INSERTS: Final = tuple(_build_insert(1 << exponent) for exponent in range(GROUP_ROWS_MAX.bit_length()))


def _flatten(row: JournalRow) -> tuple[str | int | bytes | None, ...]:
    """Return the row's values in the order of `COLUMNS`."""
    return (
        row.night_id,
        row.seq,
        row.at_ms,
        row.input,
        row.events,
        row.state_hash,
        row.rules_version,
        row.state_version,
        row.request_id,
        row.caller,
        row.body_digest,
        row.reply,
        _encode_tables(row.tables).decode(),
    )


class GroupWriter:
    """Owns the writing connection and its thread. All methods belong to the event loop."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        loop: asyncio.AbstractEventLoop,
        *,
        waiting_max: int,
    ) -> None:
        """Start the thread.

        Args:
            connection: A prepared connection; from here on the writer's alone.
            loop: Where the answers are delivered.
            waiting_max: Rows that may wait before more are refused.
        """
        self._loop = loop
        self._waiting_max = waiting_max
        self._waiting = 0
        self._rows = 0
        self._commits = 0
        self._stopping = False
        # Rows gather here while a group is being written, and the thread is woken once a group, not once a row: next to a
        # busy event loop each waking costs both threads the interpreter lock.
        self._gathering: list[_Waiting] = []
        self._is_handing_over = False
        self._queue: queue.SimpleQueue[list[_Waiting] | None] = queue.SimpleQueue()
        self._inserter = Inserter(connection)
        # A daemon, so that a program that forgets to close can still end: what was answered is
        # on disk, and what was not answered is nobody's yet.
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    @property
    def counters(self) -> tuple[int, int, int]:
        """Rows written, commits made, rows waiting."""
        return self._rows, self._commits, self._waiting

    def submit(self, row: JournalRow) -> asyncio.Future[None]:
        """Hand a row to the thread.

        Returns:
            Done when the row is durable; it raises what `Journal.append` raises.

        Raises:
            StoreBusy: Too many rows wait.
            StoreUnavailable: The writer has been stopped.
        """
        if self._stopping:
            raise StoreUnavailable("the journal is closed")
        if self._waiting >= self._waiting_max:
            raise StoreBusy(f"{self._waiting} rows wait to be written")
        answer: asyncio.Future[None] = self._loop.create_future()
        self._waiting += 1
        self._gathering.append((row, answer))
        if not self._is_handing_over:
            # At the end of this turn of the loop: what else is handed in until then shares the commit.
            self._is_handing_over = True
            self._loop.call_soon(self._hand_over)
        return answer

    async def stop(self) -> None:
        """Write and answer what waits, then end the thread and close the connection."""
        if not self._stopping:
            self._stopping = True
            for first in range(0, len(self._gathering), GROUP_ROWS_MAX):
                self._queue.put(self._gathering[first : first + GROUP_ROWS_MAX])
            self._gathering = []
            self._queue.put(None)
        # The last answers were queued on the loop before the thread ended, hence before this.
        await asyncio.to_thread(self._thread.join)

    def _hand_over(self) -> None:
        """Give the thread the next group, if rows wait and it has none."""
        group = self._gathering[:GROUP_ROWS_MAX]
        self._gathering = self._gathering[GROUP_ROWS_MAX:]
        self._is_handing_over = bool(group)
        if group:
            self._queue.put(group)

    def _run(self) -> None:
        """Commit groups until told to stop. Runs in the thread."""
        while (group := self._queue.get()) is not None:
            outcomes = self._inserter.commit([row for row, _ in group])
            self._deliver(group, outcomes)
        self._inserter.close()

    def _deliver(self, group: list[_Waiting], outcomes: Sequence[_Outcome]) -> None:
        try:
            # One wake-up of the loop for the whole group.
            self._loop.call_soon_threadsafe(self._settle, group, outcomes)
        except RuntimeError:
            # The loop was closed without closing the journal: nobody is left to be told, and
            # being told is all that is lost.
            return

    def _settle(self, group: list[_Waiting], outcomes: Sequence[_Outcome]) -> None:
        """Answer a group and hand over the next. Runs on the loop."""
        self._hand_over()
        self._waiting -= len(group)
        written = outcomes.count(None)
        if written:
            self._rows += written
            self._commits += 1
        for (_, answer), outcome in zip(group, outcomes, strict=True):
            if answer.done():  # Its caller was cancelled and no longer listens.
                continue
            if outcome is None:
                answer.set_result(None)
            else:
                answer.set_exception(outcome)


class Inserter:
    """Judges and writes groups of rows. Lives in the writer's thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take over a connection.

        Args:
            connection: A prepared connection, not in a transaction.
        """
        self._connection = connection
        # Last number of each night, true because this process alone writes (`DirectoryLock`).
        # The primary key would find a conflict too, but not a gap.
        self._heads: dict[str, int] = {}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def commit(self, rows: list[JournalRow]) -> list[_Outcome]:
        """Write a group in one transaction.

        Returns:
            For each row None when it is durable, else why it is not. A conflict is the row's own;
            a failure of the store is everybody's.
        """
        try:
            try:
                return self._commit_at_once(rows)
            except (sqlite3.IntegrityError, ValueError, OverflowError):
                # Some row is bad. The statement left nothing behind: find out which one, and trust the
                # store alone about where nights end, for it may know a row that is not ours.
                self._heads.clear()
                return self._commit_one_by_one(rows)
        except Exception as error:  # noqa: BLE001 - whatever it was, somebody waits for an answer
            self._heads.clear()
            self._roll_back()
            # One exception a row: each is raised in another task, with a traceback of its own.
            return [_unavailable(error) for _ in rows]

    def _commit_at_once(self, rows: list[JournalRow]) -> list[_Outcome]:
        outcomes: list[_Outcome] = []
        values: list[str | int | bytes | None] = []
        heads: dict[str, int] = {}
        n_accepted = 0
        for row in rows:
            conflict = self._find_conflict(row, heads)
            outcomes.append(conflict)
            if conflict is None:
                heads[row.night_id] = row.seq
                values.extend(_flatten(row))
                n_accepted += 1
        if n_accepted:
            exponent = (n_accepted - 1).bit_length()
            values.extend(_NO_ROW * ((1 << exponent) - n_accepted))
            # Outside a transaction a statement is one: it returns after the fsync.
            self._connection.execute(_INSERTS[exponent], values)
            self._remember(heads)
        return outcomes

    def _commit_one_by_one(self, rows: list[JournalRow]) -> list[_Outcome]:
        outcomes: list[_Outcome] = []
        heads: dict[str, int] = {}
        self._connection.execute("BEGIN IMMEDIATE")
        for row in rows:
            outcome: _Outcome
            try:
                outcome = self._find_conflict(row, heads)
                if outcome is None:
                    # A refused statement takes back itself and leaves the transaction open.
                    self._connection.execute(_INSERTS[0], _flatten(row))
                    heads[row.night_id] = row.seq
            except sqlite3.IntegrityError as error:
                outcome = _explain(row, error)
            except (ValueError, OverflowError) as error:
                outcome = MalformedRow(f"night {row.night_id!r}, row {row.seq}: {error}")
            outcomes.append(outcome)
        self._connection.execute("COMMIT")
        self._remember(heads)
        return outcomes

    def _find_conflict(self, row: JournalRow, heads: dict[str, int]) -> AppendConflict | None:
        """Judge a row's number against the store and the rows of its own group (`heads`)."""
        last_seq = heads.get(row.night_id)
        if last_seq is None:
            last_seq = self._heads.get(row.night_id)
        if last_seq is None:
            (found,) = self._connection.execute(SELECT_LAST_SEQ, (row.night_id,)).fetchone()
            last_seq = self._heads[row.night_id] = int(found or 0)
        if row.seq == last_seq + 1:
            return None
        if row.seq <= last_seq:
            return SequenceTaken(row.night_id, row.seq)
        return SequenceGap(row.night_id, row.seq, last_seq)

    def _remember(self, heads: dict[str, int]) -> None:
        if len(self._heads) > _HEADS_MAX:
            self._heads.clear()
        self._heads.update(heads)

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            # The group has failed already; if the store is beyond use the next one will say so.
            return


def _explain(row: JournalRow, error: sqlite3.IntegrityError) -> JournalError:
    """Return what a broken constraint means for the row."""
    match error.sqlite_errorname:
        case "SQLITE_CONSTRAINT_PRIMARYKEY":
            return SequenceTaken(row.night_id, row.seq)
        case "SQLITE_CONSTRAINT_UNIQUE":
            return RequestTaken(row.night_id, row.seq)
        case _:
            return MalformedRow(f"night {row.night_id}, row {row.seq}: {error}")


def _unavailable(error: Exception) -> StoreUnavailable:
    unavailable = StoreUnavailable(f"the journal cannot be written: {error}")
    unavailable.__cause__ = error
    return unavailable
