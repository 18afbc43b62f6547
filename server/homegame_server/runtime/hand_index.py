"""Where each hand of a table lies among its events; what happened in it is read there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from homegame_engine import events as ev
from homegame_engine.errors import NotFound, RuleViolation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_server.runtime.publisher import NumberedEvent


class HandSpan(NamedTuple):
    """A completed hand: the numbers of its first and last event, HandStarting and HandEnded."""

    hand_number: int
    first_number: int
    last_number: int
    started_at_ms: int
    ended_at_ms: int
    void_deals: int


class HandIndex:
    """The completed hands of one table, oldest first."""

    def __init__(self) -> None:
        self.completed: list[HandSpan] = []
        self._first: NumberedEvent | None = None
        self._void_deals = 0

    def add(self, numbered: NumberedEvent) -> None:
        """Follow the table's events, each once and in order."""
        match numbered.event:
            case ev.HandStarting():
                self._first = numbered
            case ev.HandVoided():
                self._first = None
                self._void_deals += 1
            case ev.HandEnded(hand_number=hand_number) if self._first is not None:
                self.completed.append(
                    HandSpan(
                        hand_number,
                        self._first.number,
                        numbered.number,
                        self._first.at_ms,
                        numbered.at_ms,
                        self._void_deals,
                    )
                )
                self._first = None
                self._void_deals = 0

    def find(self, hand_number: int) -> HandSpan:
        """Return a completed hand.

        Raises:
            RuleViolation: HAND_IN_PROGRESS: it runs, or is dealt again after a void.
            NotFound: no hand has this number yet.
        """
        if 1 <= hand_number <= len(self.completed):
            return self.completed[hand_number - 1]
        is_begun = self._first is not None or self._void_deals > 0
        if is_begun and hand_number == len(self.completed) + 1:
            raise RuleViolation(
                Reason.HAND_IN_PROGRESS,
                "PTS-005",
                {"hand_number": hand_number},
                "The hand is being played; it can be read when it has ended.",
            )
        raise NotFound("hand", str(hand_number))
