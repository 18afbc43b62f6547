"""A journal in memory: for tests, and for nights that nobody needs to keep.

It keeps the whole contract except for surviving the process, and it can be told to fail, so that
tests can break the store at every moment that matters.
"""

from __future__ import annotations

import asyncio
from collections import deque
from enum import StrEnum

from homegame_server.journal.base import (
    AppendConflict,
    Journal,
    JournalRow,
    JournalStats,
    MalformedRow,
    NightHead,
    RequestTaken,
    SequenceGap,
    SequenceTaken,
    StoreUnavailable,
)


class FaultPoint(StrEnum):
    """Where a commit breaks. Its caller cannot tell the two apart."""

    BEFORE_WRITE = "BEFORE_WRITE"  # Nothing is written.
    AFTER_WRITE = "AFTER_WRITE"  # Everything is written, and the answer is lost.


class _Storage:
    """The rows, apart from any one opening of them."""

    def __init__(self) -> None:
        self.nights: dict[str, list[JournalRow]] = {}
        self.requests: dict[tuple[str, str], JournalRow] = {}

    def find_fault(self, row: JournalRow) -> AppendConflict | MalformedRow | None:
        if not _is_unicode(row.night_id, row.request_id, row.caller, row.rules_version):
            return MalformedRow(f"night {row.night_id!r}, row {row.seq}: a text is not Unicode")
        last_seq = len(self.nights.get(row.night_id, ()))
        if row.seq <= last_seq:
            return SequenceTaken(row.night_id, row.seq)
        if row.seq > last_seq + 1:
            return SequenceGap(row.night_id, row.seq, last_seq)
        if row.request_id is not None and (row.night_id, row.request_id) in self.requests:
            return RequestTaken(row.night_id, row.seq)
        return None

    def write(self, row: JournalRow) -> None:
        self.nights.setdefault(row.night_id, []).append(row)
        if row.request_id is not None:
            self.requests[row.night_id, row.request_id] = row


class MemoryJournal(Journal):
    """Rows in lists. What one turn of the event loop hands in is committed together."""

    def __init__(self) -> None:
        self._storage = _Storage()
        self._waiting: list[tuple[JournalRow, asyncio.Future[None]]] = []
        self._faults: deque[FaultPoint] = deque()
        self._flush_due = False
        self._paused = False
        self._closed = False
        self._rows = 0
        self._commits = 0

    def fail_next(self, point: FaultPoint) -> None:
        """Let the next commit fail; called again, the one after it too."""
        self._faults.append(point)

    def pause(self) -> None:
        """Hold all commits back until `resume`; rows wait meanwhile."""
        self._paused = True

    def resume(self) -> None:
        """Commit what waits, as one group, and go on normally."""
        self._paused = False
        self._flush()

    def reopened(self) -> MemoryJournal:
        """Return a fresh journal over the same rows, as a restarted server finds them.

        Rows that wait in this one are not in it: they die with the process.
        """
        journal = MemoryJournal()
        journal._storage = self._storage
        return journal

    async def append(self, row: JournalRow) -> None:
        """See `Journal.append`."""
        self._check_open()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[None] = loop.create_future()
        self._waiting.append((row, answer))
        if not self._flush_due:
            self._flush_due = True
            loop.call_soon(self._flush)
        await answer

    async def read(self, night_id: str, after_seq: int = 0, max_rows: int | None = None) -> list[JournalRow]:
        """See `Journal.read`."""
        self._check_open()
        end = None if max_rows is None else after_seq + max_rows
        return self._storage.nights.get(night_id, [])[after_seq:end]

    async def last_seq(self, night_id: str) -> int:
        """See `Journal.last_seq`."""
        self._check_open()
        return len(self._storage.nights.get(night_id, ()))

    async def find_request(self, night_id: str, request_id: str) -> JournalRow | None:
        """See `Journal.find_request`."""
        self._check_open()
        return self._storage.requests.get((night_id, request_id))

    async def list_nights(self) -> list[NightHead]:
        """See `Journal.list_nights`."""
        self._check_open()
        return [
            NightHead(night_id, len(rows), rows[0].at_ms, rows[-1].at_ms)
            for night_id, rows in sorted(self._storage.nights.items())
        ]

    def stats(self) -> JournalStats:
        """See `Journal.stats`."""
        return JournalStats(self._rows, self._commits, len(self._waiting))

    async def close(self) -> None:
        """See `Journal.close`."""
        self._closed = True
        self._paused = False
        self._flush()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the journal is closed")

    def _flush(self) -> None:
        """Commit everything that waits and answer it."""
        self._flush_due = False
        if self._paused or not self._waiting:
            return
        group, self._waiting = self._waiting, []
        fault = self._faults.popleft() if self._faults else None
        written = 0
        for row, answer in group:
            refusal: Exception | None = None
            if fault is not FaultPoint.BEFORE_WRITE:
                refusal = self._storage.find_fault(row)
                if refusal is None:
                    self._storage.write(row)
                    written += 1
            if fault is not None:
                refusal = StoreUnavailable(f"injected fault: {fault}")
            if answer.done():  # Its caller was cancelled and no longer listens.
                continue
            if refusal is None:
                answer.set_result(None)
            else:
                answer.set_exception(refusal)
        if fault is None and written:
            self._rows += written
            self._commits += 1


def _is_unicode(*texts: str | None) -> bool:
    """Tell whether a store that keeps UTF-8 could keep the texts: lone surrogates are none."""
    try:
        for text in texts:
            (text or "").encode()
    except UnicodeEncodeError:
        return False
    return True
