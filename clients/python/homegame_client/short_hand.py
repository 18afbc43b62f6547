"""The one short hand between tied leaders, as far as a view and the events since tell of it (PTS-B3-05)."""

from typing import Final

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import TableView

TIE_RULE: Final = "SHORT_HAND"


def tied_leaders(view: TableView) -> frozenset[int]:
    """Seats that share the first place where the format offers them a short hand; empty while there is no result."""
    if view.phase != NightPhase.NIGHT_PHASE_FINISHED or view.posting.tie_rule != TIE_RULE:
        return frozenset()
    return frozenset(standing.seat for standing in view.standings if standing.place == 1 and standing.tied)


class ShortHand:
    """Who has asked for it, and whether it is settled; an answer from before the first event that was heard is not known."""

    def __init__(self) -> None:
        self._asked: set[int] = set()
        self._is_settled = False

    def hear(self, event: TableEvent) -> None:
        """Take note of an event."""
        if event.HasField("playoff_finished"):
            self._is_settled = True
        elif event.HasField("playoff_asked"):
            self._asked.add(event.playoff_asked.seat)
            self._is_settled = self._is_settled or not event.playoff_asked.agrees

    def may_come(self, view: TableView) -> bool:
        """Whether the result stands and the short hand may still be dealt."""
        return not self._is_settled and bool(tied_leaders(view))

    def is_open_to(self, seat: int, view: TableView) -> bool:
        """Whether this seat is a tied leader who may ask for the short hand or decline it, and has done neither."""
        return self.may_come(view) and seat in tied_leaders(view) - self._asked
