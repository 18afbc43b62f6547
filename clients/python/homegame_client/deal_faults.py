"""What can be wrong with a deal: the names that a program switches on, and what is said of one."""

from dataclasses import dataclass
from enum import StrEnum

from homegame.v1.cards_pb2 import Card
from homegame_client.cards import card_text


class Fault(StrEnum):
    """What can be wrong with a deal; a program switches on this."""

    BAD_ROOT = "BAD_ROOT"
    """The root is not 32 bytes."""
    BAD_DECK = "BAD_DECK"
    """No deck has so many cards as were sealed."""
    ROOT_REUSED = "ROOT_REUSED"
    """The same root was published for another deal."""
    ROOT_AFTER_CUT = "ROOT_AFTER_CUT"
    """The root was not published before the cut."""
    CUT_AFTER_DEAL = "CUT_AFTER_DEAL"
    """The cut was not made before the first card."""
    BAD_CUT = "BAD_CUT"
    """The cut does not leave a card above and below it."""
    CUT_CHANGED = "CUT_CHANGED"
    """The cut is another than the one that this player made."""
    SEATS_CHANGED = "SEATS_CHANGED"
    """The button or the seats dealt in are others than before the cut, so other cards went to other people."""
    EVENTS_INCOMPLETE = "EVENTS_INCOMPLETE"
    """The events do not tell the whole deal, so that positions cannot be counted."""
    OPENING_MALFORMED = "OPENING_MALFORMED"
    """An opening names no card or position of a deck, or its salt or path has a wrong length."""
    OPENING_NOT_COMMITTED = "OPENING_NOT_COMMITTED"
    """The root of this deal did not commit to that card at that position."""
    POSITION_TWICE = "POSITION_TWICE"
    """One position was opened as two cards."""
    CARD_TWICE = "CARD_TWICE"
    """One card lies at two positions."""
    OPENING_MISSING = "OPENING_MISSING"
    """A card that was seen was not opened."""
    CARD_DIFFERS = "CARD_DIFFERS"
    """The card seen is not the card that was committed for its place."""
    CARD_OUT_OF_PLACE = "CARD_OUT_OF_PLACE"
    """The card seen was committed, but for another place than the cut and the deal give it."""
    FACE_CHANGED = "FACE_CHANGED"
    """The events show two faces of one card."""
    OPENED_UNSEEN = "OPENED_UNSEEN"
    """A card was opened that this viewer never saw: a folded card is never opened (GEN-08)."""
    WRONG_CUTTER = "WRONG_CUTTER"
    """Another seat cut than the first one dealt in clockwise from the button (PROC-SHUF-02)."""
    HAND_CHANGED = "HAND_CHANGED"
    """The hand that starts has another number than the deck was sealed for."""
    DEALT_OTHERWISE = "DEALT_OTHERWISE"
    """Burns, rounds or seats are not those of the game as it was announced with the root, or as the rulebook has them."""
    BAD_RESHUFFLE = "BAD_RESHUFFLE"
    """The stub was mixed anew, or replaced by a common card, where that cannot be, or with other cards than were out of play."""
    DEAL_DROPPED = "DEAL_DROPPED"
    """A deck sealed before this one was neither dealt nor voided, or deals of the hand are not counted up from 1."""
    UNKNOWN_VERSION = "UNKNOWN_VERSION"
    """The proof is of a version that this program does not know."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    fault: Fault
    message: str
    """A sentence for people."""


def face_text(card: int) -> str:
    """Return a card as players write it, and one that no deck has by its number."""
    return card_text(Card.ValueType(card)) if Card.CARD_HIDDEN < card <= Card.CARD_SECOND_JOKER else f"card {card}"
