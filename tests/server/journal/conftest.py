"""Rows for the tests of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_server.journal.base import JournalRow, TableSpan

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def make_row() -> Callable[..., JournalRow]:
    """Build rows that differ in every field, so that a swapped column shows."""

    def build(night_id: str, seq: int, request_id: str | None = None, mark: str = "") -> JournalRow:
        name = f"{night_id}/{seq}{mark}".encode("utf-8", "surrogatepass")
        return JournalRow(
            night_id=night_id,
            seq=seq,
            at_ms=1_800_000_000_000 + seq,
            input=b"\x00input " + name,
            events=b"\xffevents " + name,
            state_hash=name.rjust(32, b".")[-32:],
            rules_version="1.0",
            state_version=3,
            request_id=request_id,
            caller=None if request_id is None else "caller " + night_id,
            body_digest=None if request_id is None else b"digest " + name,
            reply=None if request_id is None else b"reply " + name,
            tables=(TableSpan("main", seq * 2 - 1, 2), TableSpan("side", seq, 1)),
        )

    return build
