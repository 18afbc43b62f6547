"""What a picture tells in words: the last sentences, and a banner for the time in which nobody is to act."""

from collections import deque
from typing import Final

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.views_pb2 import TableView
from homegame_client.terminal.words import describe, namer

LINES_KEPT: Final = 60

# Not worth a line of the few that a screen has: the picture shows them, or they repeat what came before.
_SHOWN_BY_THE_PICTURE: Final = frozenset({"blind_posted", "posting_acknowledged", "participant_joined"})

# Stands where the turn is shown while nobody is to act; the next hand takes it away.
_BANNERS: Final = frozenset({"hand_starting", "layer_awarded", "hand_voided", "session_finished"})


class Story:
    """Sentences and a banner, gathered from events."""

    def __init__(self) -> None:
        self._log: deque[str] = deque(maxlen=LINES_KEPT)
        self.banner = ""
        """What to say in the turn's place: who won."""

    @property
    def log(self) -> tuple[str, ...]:
        """The last sentences, oldest first."""
        return tuple(self._log)

    def hear(self, event: TableEvent, view: TableView) -> None:
        """Take up what an event says; the view holds it already."""
        kind = event.WhichOneof("event")
        sentence = describe(event, namer(view))
        if kind in _BANNERS:
            self.banner = sentence or ""
        if sentence is not None and kind not in _SHOWN_BY_THE_PICTURE:
            self._log.append(sentence)
