"""The shared scoresheet: rows that are only ever added, and columns that are never added to each other.

Rules: PTS-008, PTS-020, PROC-SHEET-01, PROC-SHEET-03.
"""

from enum import StrEnum
from typing import ClassVar

import msgspec

from homegame_engine.errors import RuleViolation
from homegame_engine.reasons import Reason


class SheetRow(msgspec.Struct, frozen=True, kw_only=True):
    """One completed hand. `start_chips` is the baseline for a void (PTS-008); all by seat, in chips."""

    hand_number: int
    button: int
    started_at_ms: int
    ended_at_ms: int
    start_chips: tuple[int, ...]
    end_chips: tuple[int, ...]
    is_playoff: bool = (
        False  # A short hand between tied leaders: its stacks stand apart from the session's (PTS-B3-05).
    )
    carry_chips: int = 0  # Left in the middle for the next hand (POT-SPLIT-03, GAME-DC-06).
    game_id: str = ""  # Where the dealer calls the game (GAME-DC-01); else it is the posted one.

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("carry_chips", "game_id")


class Column(StrEnum):
    """The separate columns of PTS-020; only stack and session points decide a placement."""

    STACK = "STACK"
    SESSION = "SESSION"
    READING = "READING"
    PROCESS = "PROCESS"
    LEARNING = "LEARNING"
    CHALLENGE = "CHALLENGE"


class Points(msgspec.Struct, frozen=True):
    """An amount of one column, in whole points of it."""

    column: Column
    points: int

    def __add__(self, other: "Points") -> "Points":
        """Add points of the same column. Raises RuleViolation COLUMN_MIXED for two different ones (PTS-020)."""
        if self.column is not other.column:
            raise RuleViolation(
                Reason.COLUMN_MIXED,
                "PTS-020",
                message=f"{self.column.lower()} points and {other.column.lower()} points are never added.",
            )
        return Points(self.column, self.points + other.points)


def check_rows(rows: tuple[SheetRow, ...], hands_completed: int) -> None:
    """Hold that every completed hand has its row with start and end of every seat, in order, before the next deal.

    Raises:
        RuleViolation: SHEET_INCOMPLETE (PTS-008).
    """
    complete = len(rows) == hands_completed and all(
        row.hand_number == number and row.start_chips and len(row.start_chips) == len(row.end_chips)
        for number, row in enumerate(rows, start=1)
    )
    if not complete:
        raise RuleViolation(
            Reason.SHEET_INCOMPLETE,
            "PTS-008",
            facts={"rows": len(rows), "hands": hands_completed},
            message="The sheet lacks the start or end row of a hand.",
        )


class Rack(msgspec.Struct, frozen=True):
    """How a stack is shown in chips of 1, 5 and 25 points (PTS-001, PROC-COLOR-06): a display, never a total of its own."""

    ones: int
    fives: int
    twenty_fives: int

    @property
    def chips(self) -> int:
        """Points of the rack (PROC-COUNT-02)."""
        return self.ones + 5 * self.fives + 25 * self.twenty_fives


# PTS-002, D-38: the racks that leave enough ones for blinds and odd units.
START_RACKS = {100: Rack(15, 7, 2), 40: Rack(10, 6, 0), 200: Rack(25, 10, 5), 20: Rack(10, 2, 0)}


def check_equal_start(stacks: tuple[int, ...], start_chips: int) -> None:
    """Hold that every player starts with the posted stack. Raises RuleViolation UNEQUAL_START (PTS-002)."""
    for seat, chips in enumerate(stacks):
        if chips not in (0, start_chips):
            raise RuleViolation(
                Reason.UNEQUAL_START,
                "PTS-002",
                facts={"seat": seat, "stack_chips": chips, "start_chips": start_chips},
                message="Everyone starts with the same posted stack.",
            )
