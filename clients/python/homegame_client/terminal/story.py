"""What a picture tells besides the view: the last sentences, who opened, and a banner while nobody is to act."""

from collections import deque
from collections.abc import Mapping
from typing import Final

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.views_pb2 import TableView
from homegame_client.terminal.sentences import describe
from homegame_client.terminal.words import namer

LINES_KEPT: Final = 60
BROUGHT_IN: Final = "BI"
OPENED: Final = "OP"

# Not worth a line of the few that a screen has: the picture shows them, or they repeat what came before.
_SHOWN_BY_THE_PICTURE: Final = frozenset(
    {
        "ante_posted",
        "blind_posted",
        "up_cards_dealt",
        "call_required",
        "posting_acknowledged",
        "participant_joined",
    }
)

# Stands where the turn is shown while nobody is to act; the next hand takes it away.
_BANNERS: Final = frozenset(
    {"hand_starting", "layer_awarded", "pot_carried", "pot_divided", "hand_voided", "session_finished"}
)
_TOLD_TOGETHER: Final = frozenset({"layer_awarded", "pot_carried"})
"""Kinds that follow each other at the end of one hand: both halves, side pots, what stays."""


class Story:
    """Sentences, roles and a banner, gathered from events."""

    def __init__(self) -> None:
        self._log: deque[str] = deque(maxlen=LINES_KEPT)
        self._roles: dict[int, str] = {}
        self._banner_kind = ""
        self._has_blinds = False
        self.banner = ""
        """What to say in the turn's place: who won."""

    @property
    def log(self) -> tuple[str, ...]:
        """The last sentences, oldest first."""
        return tuple(self._log)

    @property
    def roles(self) -> Mapping[int, str]:
        """Marks of the seats that opened the running hand: `BI` brought it in, `OP` bet first where no blind was posted."""
        return self._roles

    def hear(self, event: TableEvent, view: TableView) -> None:
        """Take up what an event says; the view holds it already."""
        kind = event.WhichOneof("event") or ""
        sentence = describe(event, namer(view))
        self._note_opener(kind, event)
        if kind in _BANNERS:
            joins = kind in _TOLD_TOGETHER and self._banner_kind in _TOLD_TOGETHER
            told = sentence or ""
            self.banner = f"{self.banner}; {told.replace('The ', 'the ', 1)}" if joins else told
            self._banner_kind = kind
        if sentence is not None and kind not in _SHOWN_BY_THE_PICTURE:
            self._log.append(sentence)

    def _note_opener(self, kind: str, event: TableEvent) -> None:
        if kind == "hand_starting":
            self._roles.clear()
            self._has_blinds = event.hand_starting.big_blind_chips > 0
        elif kind == "bring_in_posted":
            self._roles[event.bring_in_posted.seat] = BROUGHT_IN
        elif kind == "player_bet" and not self._roles and not self._has_blinds:
            self._roles[event.player_bet.seat] = OPENED
