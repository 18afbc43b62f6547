"""Types of the compiled module `view`; the structs are in view.pxd."""

from homegame_engine.actions import LegalActions
from homegame_engine.events import AnyEvent
from homegame_engine.hand import Hand

def project(event: AnyEvent, viewer_seat: int | None) -> AnyEvent:
    """The event as `viewer_seat` (None: a spectator) may see it: same type, hidden cards as CARD_HIDDEN."""

def seen_legal(legal: LegalActions, viewer_seat: int | None) -> LegalActions:
    """What is open to a seat as the viewer may know it: whether the actor holds openers is nobody else's (GAME-DC-06)."""

def seen_hole_cards(hand: Hand, seat: int, viewer_seat: int | None) -> tuple[int, ...]:
    """A seat's private cards as the viewer may see them; () for a seat without a hand."""

def seen_wild_positions(hand: Hand, seat: int, viewer_seat: int | None) -> tuple[int, ...]:
    """Which of `seen_hole_cards` are wild; of a low hole card (RANK-WILD-04) only those viewers are told who see all of them."""

def seen_rank_text(hand: Hand, seat: int, viewer_seat: int | None) -> str:
    """Words for a seat's hand where the viewer may see it and five cards are known; else ''."""
