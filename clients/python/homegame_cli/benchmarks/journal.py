"""How fast the journal commits rows of many nights, against SQLite alone with the same rows in the same groups."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import uvloop

from homegame_cli.benchmarks.figures import Figure, Pair, Setting, compare_medians
from homegame_server.journal.base import STATE_HASH_BYTES, JournalRow, TableSpan
from homegame_server.journal.sqlite import SqliteJournal
from homegame_server.journal.sqlite_file import prepare_database, prepare_directory
from homegame_server.journal.sqlite_writer import COLUMNS

N_NIGHTS: Final = 64
# What a decision of a six-seat points night leaves, on average.
INPUT_BYTES: Final = 130
EVENTS_BYTES: Final = 600
_BUSY_TIMEOUT_MS: Final = 5000
_N_COLUMNS: Final = len(COLUMNS.split(","))
_INSERT: Final = f"INSERT INTO journal_rows ({COLUMNS}) VALUES ({', '.join('?' * _N_COLUMNS)})"  # noqa: S608 - constants


def commit(setting: Setting) -> Iterator[Figure]:
    """Rows a second through `SqliteJournal.append` with 64 nights in flight, against the same group commits by hand."""
    pair = uvloop.run(_compare(setting))
    yield Figure("journal.commit", pair.value, "rows/s", "bare SQLite, same rows, groups and PRAGMAs", pair.reference)


async def _compare(setting: Setting) -> Pair:
    journal = await SqliteJournal.open(setting.folder / "journal")
    bare = BareJournal(setting.folder / "bare")
    nights = [NightRows(f"night-{number:024x}") for number in range(N_NIGHTS)]

    async def append(night: NightRows, ends_at_s: float) -> None:
        while time.perf_counter() < ends_at_s:
            await journal.append(night.next_row())

    async def measured(seconds: float) -> float:
        before = journal.stats()
        began_s = time.perf_counter()
        await asyncio.gather(*(append(night, began_s + seconds) for night in nights))
        took_s = time.perf_counter() - began_s
        after = journal.stats()
        bare.group_rows = max(1, round((after.rows - before.rows) / (after.commits - before.commits)))
        return (after.rows - before.rows) / took_s

    async def reference(seconds: float) -> float:
        return bare.commit_for(seconds)

    try:
        return await compare_medians(measured, reference, setting.seconds)
    finally:
        bare.close()
        await journal.close()


class NightRows:
    """Makes the rows of one night, one after another."""

    def __init__(self, night_id: str) -> None:
        self._night_id = night_id
        self._seq = 0

    def next_row(self) -> JournalRow:
        """The next row: as large as a decision's, and as indexed."""
        self._seq += 1
        return JournalRow(
            night_id=self._night_id,
            seq=self._seq,
            at_ms=1_700_000_000_000 + self._seq,
            input=bytes(INPUT_BYTES),
            events=bytes(EVENTS_BYTES),
            state_hash=bytes(STATE_HASH_BYTES),
            rules_version="1",
            state_version=1,
            request_id=f"00000000-0000-4000-8000-{self._seq:012x}",
            caller="person-000000000000000000000000",
            body_digest=bytes(STATE_HASH_BYTES),
            tables=(TableSpan("table-1", self._seq, 2),),
        )


class BareJournal:
    """The floor: the journal's own file, schema and PRAGMAs, written to by a loop that does nothing else.

    Args:
        folder: Where the file goes.
    """

    def __init__(self, folder: Path) -> None:
        self.group_rows = N_NIGHTS
        """Rows of one commit."""
        self._connection = prepare_database(prepare_directory(folder), _BUSY_TIMEOUT_MS)
        self._nights = [NightRows(f"night-{number:024x}") for number in range(N_NIGHTS)]
        self._n_written = 0

    def commit_for(self, seconds: float) -> float:
        """Commit groups for so long; returns rows a second."""
        began_s = time.perf_counter()
        n_rows = 0
        while time.perf_counter() < began_s + seconds:
            group = [self._next_values() for _ in range(self.group_rows)]
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, group)
            self._connection.execute("COMMIT")
            n_rows += len(group)
        return n_rows / (time.perf_counter() - began_s)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _next_values(self) -> tuple[object, ...]:
        night = self._nights[self._n_written % N_NIGHTS]
        self._n_written += 1
        *values, tables = msgspec.structs.astuple(night.next_row())
        return (*values, msgspec.json.encode(tables).decode())
