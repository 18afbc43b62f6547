"""Whether an answer is to the open question and in time (BET-GEN-04, PROC-CLK-05): asked before anything else of an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine.night.state import violation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.night.night import Night


def check_window_open(night: Night, at_ms: int) -> None:
    """Hold that the running window has not ended; exactly at its end is too late (PROC-CLK-05)."""
    if night.deadline_at_ms is not None and at_ms >= night.deadline_at_ms:
        raise violation(Reason.ACTION_CLOSED, "PROC-CLK-05", "The time for this decision is over.")


def check_action_number(night: Night, action_number: int) -> None:
    """Hold that a decision is the current one. Raises RuleViolation STALE_ACTION (BET-GEN-04)."""
    if action_number != night.action_number:
        raise violation(
            Reason.STALE_ACTION,
            "BET-GEN-04",
            "The table has moved on; look again before you act.",
            {"action_number": night.action_number},
        )
