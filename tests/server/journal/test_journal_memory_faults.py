"""The faults that the memory journal can be told to have, since other tests build on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_server.journal.base import SequenceTaken, StoreUnavailable
from homegame_server.journal.memory import FaultPoint, MemoryJournal

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame_server.journal.base import JournalRow

    RowMaker = Callable[..., JournalRow]


async def test_a_fault_before_the_write_leaves_nothing(make_row: RowMaker) -> None:
    journal = MemoryJournal()
    journal.fail_next(FaultPoint.BEFORE_WRITE)
    with pytest.raises(StoreUnavailable):
        await journal.append(make_row("n", 1, "r"))
    assert await journal.read("n") == []
    assert await journal.find_request("n", "r") is None
    await journal.append(make_row("n", 1, "r"))


async def test_a_fault_after_the_write_leaves_the_row_behind(make_row: RowMaker) -> None:
    journal = MemoryJournal()
    journal.fail_next(FaultPoint.AFTER_WRITE)
    with pytest.raises(StoreUnavailable):
        await journal.append(make_row("n", 1, "r"))
    assert await journal.find_request("n", "r") == make_row("n", 1, "r")
    with pytest.raises(SequenceTaken):
        await journal.append(make_row("n", 1, "r"))


async def test_faults_queue_up_and_run_out(make_row: RowMaker) -> None:
    journal = MemoryJournal()
    journal.fail_next(FaultPoint.BEFORE_WRITE)
    journal.fail_next(FaultPoint.BEFORE_WRITE)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await journal.append(make_row("n", 1))
    await journal.append(make_row("n", 1))


async def test_a_reopened_journal_shares_rows_and_nothing_else(make_row: RowMaker) -> None:
    journal = MemoryJournal()
    await journal.append(make_row("n", 1))
    journal.fail_next(FaultPoint.BEFORE_WRITE)
    await journal.close()
    reopened = journal.reopened()
    await reopened.append(make_row("n", 2))
    assert await reopened.last_seq("n") == 2
