"""PROC-SHEET-01 and PROC-SHEET-03: the sheet only grows, and no row of it ever changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine.night import inputs as inp
from tests.night_builders import HOST, MINUTE_MS, points_table

if TYPE_CHECKING:
    from homegame_engine.night.sheet import SheetRow


def test_proc_sheet_01_one_row_for_each_completed_hand_with_its_transfers() -> None:
    table = points_table(3)
    seen: list[SheetRow] = []
    for number in range(1, 8):
        table.deal()
        assert list(table.night.rows) == seen, "a live hand has no row"
        table.act("r4")
        table.fold_out()
        assert list(table.night.rows[:-1]) == seen
        seen = list(table.night.rows)
        row = seen[-1]
        transfers = [end - start for start, end in zip(row.start_chips, row.end_chips, strict=True)]
        assert (row.hand_number, sum(transfers)) == (number, 0)
        assert any(transfers)
    assert [row.start_chips for row in seen[1:]] == [row.end_chips for row in seen[:-1]]


def test_proc_sheet_03_rows_are_locked() -> None:
    table = points_table(2)
    table.deal()
    table.fold_out()
    (row,) = table.night.rows
    with pytest.raises(AttributeError):
        row.end_chips = (200, 0)  # type: ignore[misc]
    assert isinstance(table.night.rows, tuple)


def test_proc_sheet_03_nothing_that_is_accepted_later_touches_an_earlier_row() -> None:
    table = points_table(3)
    table.deal()
    table.fold_out()
    first = msgspec.json.encode(table.night.rows)
    table.deal()
    table.act("r4")
    table.give(inp.VoidHand(participant_id=HOST, reason="a card fell"))
    assert msgspec.json.encode(table.night.rows) == first
    table.deal()
    table.fold_out()
    table.give(inp.FinishSession(), after_ms=60 * MINUTE_MS)
    table.give(inp.CloseNight(participant_id=HOST))
    assert msgspec.json.encode(table.night.rows[:1]) == first


def test_proc_sheet_01_no_input_writes_the_sheet() -> None:
    # The sheet is a consequence of play: among all inputs there is none that names chips of a stack or a row.
    fields = {field.name for kind in inp.Input.__subclasses__() for field in msgspec.structs.fields(kind)}
    assert not fields & {"stacks", "stack_chips", "rows", "end_chips", "placements"}
