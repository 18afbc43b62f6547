"""The SQLite journal's writer when the store fails under it, or somebody else writes."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import pytest

from homegame_server.journal.base import RequestTaken, SequenceTaken, StoreBusy, StoreUnavailable
from homegame_server.journal.sqlite import SqliteJournal
from homegame_server.journal.sqlite_file import prepare_database, prepare_directory
from homegame_server.journal.sqlite_writer import GROUP_ROWS_MAX, Inserter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from homegame_server.journal.base import JournalRow

    RowMaker = Callable[..., JournalRow]


async def test_another_program_that_holds_the_file_is_waited_for_and_then_reported(
    tmp_path: Path, make_row: RowMaker
) -> None:
    journal = await SqliteJournal.open(tmp_path, busy_timeout_ms=1)
    other = sqlite3.connect(tmp_path / "journal" / "journal.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        await journal.append(make_row("n", 1))
    other.execute("ROLLBACK")
    other.close()
    await journal.append(make_row("n", 1))
    await journal.close()


async def test_a_full_disk_fails_the_rows_and_loses_nothing(tmp_path: Path, make_row: RowMaker) -> None:
    journal = await SqliteJournal.open(tmp_path)
    await journal.append(make_row("n", 1))
    connection = journal._writer._inserter._connection  # noqa: SLF001 - a disk of any size, without a disk
    (n_pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {n_pages}")
    outcomes = [
        outcome
        for seq in range(2, 100)
        for outcome in await asyncio.gather(journal.append(make_row("n", seq)), return_exceptions=True)
    ]
    n_written = outcomes.count(None)
    assert 0 < n_written < len(outcomes)
    assert outcomes[:n_written] == [None] * n_written
    assert isinstance(outcomes[n_written], StoreUnavailable)
    assert "full" in str(outcomes[n_written])
    last_seq = await journal.last_seq("n")
    connection.execute("PRAGMA max_page_count = 1000000")
    assert last_seq == 1 + n_written
    await journal.append(make_row("n", last_seq + 1))
    assert [row.seq for row in await journal.read("n")] == list(range(1, last_seq + 2))
    await journal.close()


async def test_a_full_queue_refuses_at_once(tmp_path: Path, make_row: RowMaker) -> None:
    journal = await SqliteJournal.open(tmp_path, waiting_max=0)
    with pytest.raises(StoreBusy):
        await journal.append(make_row("n", 1))
    await journal.close()
    journal = await SqliteJournal.open(tmp_path)
    assert await journal.list_nights() == []
    await journal.close()


async def test_a_row_that_another_program_wrote_is_a_conflict_and_then_known(
    tmp_path: Path, make_row: RowMaker
) -> None:
    """The lock keeps other servers out, not an operator's hand: the primary key still holds."""
    journal = await SqliteJournal.open(tmp_path)
    await journal.append(make_row("n", 1))
    other = sqlite3.connect(tmp_path / "journal" / "journal.sqlite3", isolation_level=None)
    other.execute(
        "INSERT INTO journal_rows (night_id, seq, at_ms, input, events, state_hash, rules_version, state_version,"
        " tables) SELECT night_id, 2, at_ms, input, events, state_hash, rules_version, state_version, tables"
        " FROM journal_rows"
    )
    other.close()
    with pytest.raises(SequenceTaken):
        await journal.append(make_row("n", 2))
    await journal.append(make_row("n", 3))
    assert [row.seq for row in await journal.read("n")] == [1, 2, 3]
    await journal.close()


def test_a_store_that_fails_while_a_group_is_sorted_out_keeps_none_of_it(tmp_path: Path, make_row: RowMaker) -> None:
    connection = prepare_database(prepare_directory(tmp_path), 0)
    inserter = Inserter(connection)
    assert inserter.commit([make_row("b", 1, "request")]) == [None]
    # Fails as a broken store does and not as a constraint, and only for one of the rows.
    connection.execute(
        "CREATE TRIGGER break_store BEFORE INSERT ON journal_rows WHEN NEW.night_id = 'c'"
        " BEGIN SELECT json('not json'); END"
    )
    rows = [make_row("a", 1), make_row("b", 2, "request"), make_row("c", 1)]
    assert [type(outcome) for outcome in inserter.commit(rows)] == [StoreUnavailable] * 3
    connection.execute("DROP TRIGGER break_store")
    assert [outcome and type(outcome) for outcome in inserter.commit(rows)] == [None, RequestTaken, None]
    inserter.close()


@pytest.mark.parametrize("n_rows", [1, 2, 3, 64, 65, GROUP_ROWS_MAX - 1, GROUP_ROWS_MAX])
async def test_every_size_of_a_group_is_written_whole(tmp_path: Path, make_row: RowMaker, n_rows: int) -> None:
    inserter = Inserter(prepare_database(prepare_directory(tmp_path), 0))
    rows = [make_row(f"night {number % 7}", 1 + number // 7) for number in range(n_rows)]
    assert inserter.commit(rows) == [None] * n_rows
    inserter.close()
    journal = await SqliteJournal.open(tmp_path)
    nights = [await journal.read(head.night_id) for head in await journal.list_nights()]
    assert sorted(row.input for night in nights for row in night) == sorted(row.input for row in rows)
    await journal.close()
