"""The journal in one SQLite file: the default store.

Writing is `sqlite_writer`'s, files and schema are `sqlite_file`'s; this module joins them and
reads. Reading has a connection and a thread of its own, so that no commit waits for a reader.
"""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from homegame_server.journal.base import (
    Journal,
    JournalRow,
    JournalStats,
    MalformedRow,
    NightHead,
    StoreUnavailable,
    TableSpan,
)
from homegame_server.journal.sqlite_file import (
    DirectoryLock,
    open_reader,
    prepare_database,
    prepare_directory,
)
from homegame_server.journal.sqlite_writer import COLUMNS, SELECT_LAST_SEQ, GroupWriter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

_NO_LIMIT: Final = -1
_SELECT_ROWS: Final = (
    f"SELECT {COLUMNS} FROM journal_rows "  # noqa: S608 - constants only
    "WHERE night_id = ? AND seq > ? ORDER BY seq LIMIT ?"
)
_SELECT_BY_REQUEST: Final = (
    f"SELECT {COLUMNS} FROM journal_rows "  # noqa: S608 - constants only
    "WHERE night_id = ? AND request_id = ?"
)
# Steps from night to night through the primary key instead of walking over every row.
_SELECT_NIGHTS: Final = """
WITH RECURSIVE night (night_id) AS (
    SELECT min(night_id) FROM journal_rows
    UNION ALL
    SELECT (SELECT min(night_id) FROM journal_rows WHERE night_id > night.night_id)
    FROM night WHERE night.night_id IS NOT NULL
),
span (night_id, first_seq, last_seq) AS (
    SELECT night_id,
        (SELECT min(seq) FROM journal_rows WHERE night_id = night.night_id),
        (SELECT max(seq) FROM journal_rows WHERE night_id = night.night_id)
    FROM night WHERE night_id IS NOT NULL
)
SELECT span.night_id, span.last_seq, head.at_ms, tail.at_ms
FROM span
JOIN journal_rows AS head ON head.night_id = span.night_id AND head.seq = span.first_seq
JOIN journal_rows AS tail ON tail.night_id = span.night_id AND tail.seq = span.last_seq
ORDER BY span.night_id
"""

_decode_tables = msgspec.json.Decoder(tuple[TableSpan, ...]).decode


class SqliteJournal(Journal):
    """Rows in a file that survives the machine. Made by `open`, on the loop that will use it."""

    def __init__(self, lock: DirectoryLock, writer: GroupWriter, reader: sqlite3.Connection) -> None:
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal-reader")
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, data_directory: Path, *, waiting_max: int = 4096, busy_timeout_ms: int = 5000) -> SqliteJournal:
        """Open the journal below a data directory, or make one there.

        Args:
            data_directory: The server's data directory.
            waiting_max: Rows that may wait for the disk before `append` refuses more.
            busy_timeout_ms: How long to wait for another program, such as a backup, that holds
                the file.

        Raises:
            StoreUnavailable: Another server uses it, it is damaged, it is no journal, it was
                written by a newer program, or the directory is not ours. The text says what to do.
        """
        lock, writing, reader = await asyncio.to_thread(_open_files, data_directory, busy_timeout_ms)
        writer = GroupWriter(writing, asyncio.get_running_loop(), waiting_max=waiting_max)
        return cls(lock, writer, reader)

    async def append(self, row: JournalRow) -> None:
        """See `Journal.append`."""
        await self._writer.submit(row)

    async def read(self, night_id: str, after_seq: int = 0, max_rows: int | None = None) -> list[JournalRow]:
        """See `Journal.read`."""
        limit = _NO_LIMIT if max_rows is None else max_rows
        return await self._read(self._select_rows, _SELECT_ROWS, (night_id, after_seq, limit))

    async def last_seq(self, night_id: str) -> int:
        """See `Journal.last_seq`."""
        ((found,),) = await self._read(self._select, SELECT_LAST_SEQ, (night_id,))
        return int(found or 0)

    async def find_request(self, night_id: str, request_id: str) -> JournalRow | None:
        """See `Journal.find_request`."""
        found = await self._read(self._select_rows, _SELECT_BY_REQUEST, (night_id, request_id))
        return found[0] if found else None

    async def list_nights(self) -> list[NightHead]:
        """See `Journal.list_nights`."""
        return [NightHead(*found) for found in await self._read(self._select, _SELECT_NIGHTS, ())]

    def stats(self) -> JournalStats:
        """See `Journal.stats`."""
        return JournalStats(*self._writer.counters)

    async def close(self) -> None:
        """See `Journal.close`."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        # A cancelled caller does not leave the journal half closed.
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._writer.stop()
        await asyncio.to_thread(self._reading.shutdown)
        self._reader.close()
        self._lock.release()

    async def _read(self, select: Callable[[str, tuple[str | int, ...]], T], sql: str, of: tuple[str | int, ...]) -> T:
        """Run a query in the reader's thread; every failure becomes StoreUnavailable."""
        if self._closing is not None:
            raise StoreUnavailable("the journal is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reading, select, sql, of)
        except (sqlite3.Error, msgspec.MsgspecError, MalformedRow) as error:
            raise StoreUnavailable(f"the journal cannot be read: {error}") from error

    def _select(self, sql: str, of: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        return self._reader.execute(sql, of).fetchall()

    def _select_rows(self, sql: str, of: tuple[str | int, ...]) -> list[JournalRow]:
        return [_build_row(values) for values in self._reader.execute(sql, of)]


def _open_files(
    data_directory: Path, busy_timeout_ms: int
) -> tuple[DirectoryLock, sqlite3.Connection, sqlite3.Connection]:
    directory = prepare_directory(data_directory)
    lock = DirectoryLock(directory)
    try:
        writing = prepare_database(directory, busy_timeout_ms)
        try:
            reader = open_reader(directory, busy_timeout_ms)
        except BaseException:
            writing.close()
            raise
    except BaseException:
        lock.release()
        raise
    return lock, writing, reader


def _build_row(values: tuple[Any, ...]) -> JournalRow:
    """Return the row of one result, whose columns stand in the order of `COLUMNS`."""
    return JournalRow(
        night_id=values[0],
        seq=values[1],
        at_ms=values[2],
        input=values[3],
        events=values[4],
        state_hash=values[5],
        rules_version=values[6],
        state_version=values[7],
        request_id=values[8],
        caller=values[9],
        body_digest=values[10],
        reply=values[11],
        tables=_decode_tables(values[12]),
    )
