"""Where each sealed deal of a table lies among its events: root, cut, and first to last card."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from homegame_engine import events as ev
from homegame_engine.errors import NotFound, RuleViolation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_server.runtime.publisher import NumberedEvent


class DealSpan(NamedTuple):
    """A deal that is over: played, void, or sealed and never cut."""

    sealed: ev.DeckSealed
    root_number: int
    row_seq: int
    """Journal row that holds the deck and its key."""
    cut: ev.DeckCut | None
    """None for a deck that nobody cut before the session ended."""
    cut_number: int
    last_number: int


class DealIndex:
    """The sealed deals of one table, by hand number and attempt."""

    def __init__(self) -> None:
        self._over: dict[int, dict[int, DealSpan]] = {}
        self._sealed: NumberedEvent | None = None
        self._cut: NumberedEvent | None = None

    def add(self, numbered: NumberedEvent) -> None:
        """Follow the table's events, each once and in order."""
        match numbered.event:
            case ev.DeckSealed():
                self._sealed = numbered
            case ev.DeckCut():
                self._cut = numbered
            case ev.HandVoided() | ev.HandEnded() | ev.SessionFinished():
                self._end(numbered.number)

    def over(self) -> tuple[DealSpan, ...]:
        """Every deal that is over, oldest first."""
        return tuple(span for attempts in self._over.values() for span in attempts.values())

    def find(self, hand_number: int, attempt: int | None) -> DealSpan:
        """Return a deal that is over; the hand's last one for None.

        Raises:
            RuleViolation: HAND_IN_PROGRESS: it runs. Cards are opened after the hand (GEN-08).
            NotFound: there is no such deal.
        """
        over = self._over.get(hand_number, {})
        running = None if self._sealed is None else self._sealed.event
        if (
            isinstance(running, ev.DeckSealed)
            and running.hand_number == hand_number
            and attempt in (None, running.attempt)
        ):
            raise RuleViolation(
                Reason.HAND_IN_PROGRESS,
                "GEN-08",
                {"hand_number": hand_number},
                "The deal is being played; its cards are opened when it is over.",
            )
        found = over.get(max(over, default=0) if attempt is None else attempt)
        if found is None:
            raise NotFound("deal", f"{hand_number}/{attempt or 1}")
        return found

    def _end(self, last_number: int) -> None:
        sealed, cut = self._sealed, self._cut
        self._sealed = self._cut = None
        if sealed is None or not isinstance(sealed.event, ev.DeckSealed):
            return
        span = DealSpan(
            sealed=sealed.event,
            root_number=sealed.number,
            row_seq=sealed.seq,
            cut=cut.event if cut is not None and isinstance(cut.event, ev.DeckCut) else None,
            cut_number=0 if cut is None else cut.number,
            last_number=last_number,
        )
        self._over.setdefault(sealed.event.hand_number, {})[sealed.event.attempt] = span
