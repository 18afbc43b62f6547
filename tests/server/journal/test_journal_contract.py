"""The contract of a journal, held against every store."""

from __future__ import annotations

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from homegame_server.journal.base import (
    CHUNK_ROWS,
    AppendConflict,
    Journal,
    JournalRow,
    MalformedRow,
    NightHead,
    RequestTaken,
    SequenceGap,
    SequenceTaken,
    StoreUnavailable,
)
from homegame_server.journal.memory import FaultPoint, MemoryJournal
from homegame_server.journal.sqlite import SqliteJournal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    RowMaker = Callable[..., JournalRow]


class Store(ABC):
    """One store under test: opened, closed, broken and held up at will."""

    journal: Journal

    @abstractmethod
    async def open(self) -> None:
        """Open the journal; after a close, over the same rows."""

    @abstractmethod
    @contextmanager
    def broken(self) -> Iterator[None]:
        """Let the next commit fail, with nothing written."""

    @abstractmethod
    @contextmanager
    def held_up(self) -> Iterator[None]:
        """Keep commits from finishing, so that rows gather."""


class MemoryStore(Store):
    journal: MemoryJournal

    def __init__(self) -> None:
        self.journal = MemoryJournal()

    async def open(self) -> None:
        self.journal = self.journal.reopened()

    @contextmanager
    def broken(self) -> Iterator[None]:
        self.journal.fail_next(FaultPoint.BEFORE_WRITE)
        yield

    @contextmanager
    def held_up(self) -> Iterator[None]:
        self.journal.pause()
        yield
        self.journal.resume()


class SqliteStore(Store):
    journal: SqliteJournal

    def __init__(self, data_directory: Path) -> None:
        self.data_directory = data_directory
        self.database = data_directory / "journal" / "journal.sqlite3"

    async def open(self) -> None:
        self.journal = await SqliteJournal.open(self.data_directory, busy_timeout_ms=60_000)

    @contextmanager
    def broken(self) -> Iterator[None]:
        # A table that is gone is a failure of the store that needs no hook in it.
        other = sqlite3.connect(self.database, isolation_level=None)
        other.execute("ALTER TABLE journal_rows RENAME TO journal_rows_elsewhere")
        try:
            yield
        finally:
            other.execute("ALTER TABLE journal_rows_elsewhere RENAME TO journal_rows")
            other.close()

    @contextmanager
    def held_up(self) -> Iterator[None]:
        other = sqlite3.connect(self.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    under_test: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path)
    await under_test.open()
    yield under_test
    await under_test.journal.close()


async def append_all(store: Store, rows: list[JournalRow]) -> list[BaseException | None]:
    return await asyncio.gather(*(store.journal.append(row) for row in rows), return_exceptions=True)


async def until_waiting(store: Store, n_rows: int) -> None:
    for _ in range(3):  # Turns of the loop in which a gathered group starts and hands its rows in.
        await asyncio.sleep(0)
    assert store.journal.stats().waiting == n_rows


async def test_rows_come_back_in_order_with_every_field(store: Store, make_row: RowMaker) -> None:
    rows = [make_row("n", seq, request_id=f"r{seq}" if seq % 2 else None) for seq in range(1, 12)]
    for row in rows:
        await store.journal.append(row)
    assert await store.journal.read("n") == rows
    assert await store.journal.read("n", 4) == rows[4:]
    assert await store.journal.read("n", 4, 3) == rows[4:7]
    assert await store.journal.read("n", 11) == []
    assert await store.journal.read("unknown") == []


async def test_replay_passes_chunk_borders_without_gap_or_repeat(store: Store, make_row: RowMaker) -> None:
    n_rows = 2 * CHUNK_ROWS
    await append_all(store, [make_row("n", seq) for seq in range(1, n_rows + 1)])
    assert [row.seq async for row in store.journal.replay("n")] == list(range(1, n_rows + 1))
    assert [row.seq async for row in store.journal.replay("n", n_rows - 1)] == [n_rows]


async def test_rows_outlive_the_journal_object(store: Store, make_row: RowMaker) -> None:
    await store.journal.append(make_row("n", 1, "r1"))
    await store.journal.close()
    await store.open()
    assert await store.journal.read("n") == [make_row("n", 1, "r1")]
    with pytest.raises(SequenceTaken):
        await store.journal.append(make_row("n", 1))
    await store.journal.append(make_row("n", 2))
    assert await store.journal.last_seq("n") == 2


async def test_a_taken_number_is_refused_and_changes_nothing(store: Store, make_row: RowMaker) -> None:
    await store.journal.append(make_row("n", 1))
    with pytest.raises(SequenceTaken) as caught:
        await store.journal.append(make_row("n", 1, mark="other"))
    assert (caught.value.night_id, caught.value.seq) == ("n", 1)
    assert await store.journal.read("n") == [make_row("n", 1)]


async def test_a_gap_is_refused(store: Store, make_row: RowMaker) -> None:
    with pytest.raises(SequenceGap):
        await store.journal.append(make_row("n", 2))
    await store.journal.append(make_row("n", 1))
    with pytest.raises(SequenceGap) as caught:
        await store.journal.append(make_row("n", 3))
    assert caught.value.last_seq == 1
    assert await store.journal.last_seq("n") == 1


async def test_of_two_writers_of_one_number_exactly_one_wins(store: Store, make_row: RowMaker) -> None:
    outcomes = await append_all(store, [make_row("n", 1, mark=f"writer {w}") for w in range(5)])
    assert outcomes.count(None) == 1
    assert all(isinstance(outcome, SequenceTaken) for outcome in outcomes if outcome is not None)
    assert await store.journal.read("n") == [make_row("n", 1, mark=f"writer {outcomes.index(None)}")]


async def test_a_conflict_fails_its_own_row_and_not_its_neighbours(store: Store, make_row: RowMaker) -> None:
    await store.journal.append(make_row("b", 1, "request"))
    rows = [
        make_row("a", 1),
        make_row("b", 1),
        make_row("b", 2, "request"),
        make_row("c", 2),
        make_row("d", 1, "request"),
        make_row("\ud800", 1),
        make_row("e", 1),
    ]
    with store.held_up():
        appended = asyncio.ensure_future(append_all(store, rows))
        await until_waiting(store, len(rows))
    outcomes = await appended
    expected = [None, SequenceTaken, RequestTaken, SequenceGap, None, MalformedRow, None]
    assert [outcome and type(outcome) for outcome in outcomes] == expected
    assert [head.night_id for head in await store.journal.list_nights()] == ["a", "b", "d", "e"]
    assert await store.journal.last_seq("b") == 1


async def test_a_request_is_found_with_what_it_needs_to_be_answered_again(store: Store, make_row: RowMaker) -> None:
    await store.journal.append(make_row("n", 1, "r1"))
    await store.journal.append(make_row("n", 2, "r2"))
    await store.journal.append(make_row("m", 1, "r1"))
    assert await store.journal.find_request("n", "r2") == make_row("n", 2, "r2")
    assert await store.journal.find_request("m", "r1") == make_row("m", 1, "r1")
    assert await store.journal.find_request("m", "r2") is None
    assert await store.journal.find_request("unknown", "r1") is None


async def test_a_request_id_answers_one_row_a_night(store: Store, make_row: RowMaker) -> None:
    await store.journal.append(make_row("n", 1, "same"))
    with pytest.raises(RequestTaken):
        await store.journal.append(make_row("n", 2, "same"))
    await store.journal.append(make_row("n", 2, "another"))
    # Rows without a request are many.
    await store.journal.append(make_row("n", 3))
    await store.journal.append(make_row("n", 4))
    assert [row.request_id for row in await store.journal.read("n")] == ["same", "another", None, None]


async def test_a_refused_row_leaves_its_request_free(store: Store, make_row: RowMaker) -> None:
    with pytest.raises(AppendConflict):
        await store.journal.append(make_row("n", 2, "r"))
    assert await store.journal.find_request("n", "r") is None
    await store.journal.append(make_row("n", 1, "r"))


async def test_nights_are_listed_with_their_ends(store: Store, make_row: RowMaker) -> None:
    assert await store.journal.list_nights() == []
    await append_all(store, [make_row("b", 1), make_row("a", 1), make_row("b", 2), make_row("b", 3)])
    first = 1_800_000_000_001
    assert await store.journal.list_nights() == [
        NightHead("a", 1, first, first),
        NightHead("b", 3, first, first + 2),
    ]


async def test_rows_of_many_nights_share_commits(store: Store, make_row: RowMaker) -> None:
    n_nights = 100
    with store.held_up():
        appended = asyncio.ensure_future(append_all(store, [make_row(f"n{n}", 1) for n in range(n_nights)]))
        await until_waiting(store, n_nights)
    assert await appended == [None] * n_nights
    stats = store.journal.stats()
    assert (stats.rows, stats.waiting) == (n_nights, 0)
    # The first may have gone alone before the others came.
    assert stats.commits <= 2


async def test_nights_that_run_at_their_own_pace_share_commits_too(store: Store, make_row: RowMaker) -> None:
    n_nights, n_rows = 40, 10

    async def play(night_id: str) -> None:
        for seq in range(1, n_rows + 1):
            await store.journal.append(make_row(night_id, seq, f"{night_id} {seq}"))

    await asyncio.gather(*(play(f"night {n}") for n in range(n_nights)))
    stats = store.journal.stats()
    assert stats.rows == n_nights * n_rows
    assert stats.commits < stats.rows / 2
    for n in range(n_nights):
        assert await store.journal.last_seq(f"night {n}") == n_rows


async def test_a_failing_store_fails_the_whole_group_and_recovers(store: Store, make_row: RowMaker) -> None:
    await store.journal.append(make_row("a", 1))
    with store.broken():
        outcomes = await append_all(store, [make_row("a", 2, "r"), make_row("b", 1)])
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable, StoreUnavailable]
    assert await store.journal.read("a") == [make_row("a", 1)]
    assert await store.journal.list_nights() == [NightHead("a", 1, 1_800_000_000_001, 1_800_000_000_001)]
    await store.journal.append(make_row("a", 2, "r"))
    assert await store.journal.last_seq("a") == 2


async def test_nothing_is_acknowledged_or_readable_before_it_is_committed(store: Store, make_row: RowMaker) -> None:
    with store.held_up():
        appended = asyncio.ensure_future(store.journal.append(make_row("n", 1)))
        await until_waiting(store, 1)
        assert await store.journal.read("n") == []
        assert not appended.done()
    await appended
    assert await store.journal.last_seq("n") == 1


async def test_a_cancelled_append_disturbs_nobody(store: Store, make_row: RowMaker) -> None:
    with store.held_up():
        cancelled = asyncio.ensure_future(store.journal.append(make_row("a", 1)))
        other = asyncio.ensure_future(store.journal.append(make_row("b", 1)))
        await until_waiting(store, 2)
        cancelled.cancel()
    await other
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    # The row was on its way already; the caller reads the night again and finds it.
    assert await store.journal.last_seq("a") == 1


async def test_closing_writes_and_answers_what_waits(store: Store, make_row: RowMaker) -> None:
    with store.held_up():
        appended = asyncio.ensure_future(append_all(store, [make_row(f"n{n}", 1) for n in range(20)]))
        await until_waiting(store, 20)
        closing = asyncio.ensure_future(store.journal.close())
    await closing
    assert await appended == [None] * 20
    await store.open()
    assert len(await store.journal.list_nights()) == 20


async def test_a_closed_journal_says_so(store: Store, make_row: RowMaker) -> None:
    await store.journal.close()
    await store.journal.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.journal.append(make_row("n", 1))
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.journal.read("n")


@pytest.mark.parametrize(
    "night_id",
    ["\x00", "a\x00b", "Ünï \N{BLACK SPADE SUIT}", "x" * 10_000, "%_'\";--"],
    ids=["nul", "inner nul", "not ascii", "long", "sql"],
)
async def test_any_text_serves_as_an_id(store: Store, make_row: RowMaker, night_id: str) -> None:
    await store.journal.append(make_row(night_id, 1, night_id))
    assert await store.journal.read(night_id) == [make_row(night_id, 1, night_id)]
    assert await store.journal.find_request(night_id, night_id) == make_row(night_id, 1, night_id)


@pytest.mark.parametrize(
    "change",
    [
        {"night_id": ""},
        {"seq": 0},
        {"seq": 2**63},
        {"at_ms": -1},
        {"state_hash": b"short"},
        {"request_id": "without a digest"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_row_that_would_poison_a_night_cannot_be_made(change: dict[str, object]) -> None:
    fields: dict[str, object] = {
        "night_id": "n",
        "seq": 1,
        "at_ms": 0,
        "input": b"",
        "events": b"",
        "state_hash": bytes(32),
        "rules_version": "1",
        "state_version": 1,
    }
    JournalRow(**fields)  # type: ignore[arg-type]
    with pytest.raises(MalformedRow):
        JournalRow(**(fields | change))  # type: ignore[arg-type]
