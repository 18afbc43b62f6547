"""Whether every deck that was sealed came to be dealt: a server that could drop one would shuffle until it likes the deck.

A sealed deck is dealt, or its hand is voided by an event and dealt again as the next attempt. Only a session that ends may leave
a deck behind, and only one that nobody has cut.
"""

from collections.abc import Iterable, Sequence

from homegame.v1.events_pb2 import DeckSealed, TableEvent
from homegame_client.deal_faults import Fault, Finding


def check_sequence(earlier: Sequence[TableEvent], sealed: DeckSealed, ended: TableEvent | None) -> Iterable[Finding]:
    """Hold a sealed deck against what became of those before it.

    Args:
        earlier: Seals and voids since the last hand that was played to its end, in order.
        sealed: The deck of this deal.
        ended: The event that ended the deal; None while it runs.
    """
    waiting: DeckSealed | None = None
    hand_number, attempt = sealed.hand_number, 1
    for event in earlier:
        if event.HasField("deck_sealed"):
            yield from _dropped(waiting)
            waiting = event.deck_sealed
        elif waiting is not None and event.hand_voided.hand_number == waiting.hand_number:
            hand_number, attempt = waiting.hand_number, waiting.attempt + 1
            waiting = None
    yield from _dropped(waiting)
    if (sealed.hand_number, sealed.attempt) != (hand_number, attempt):
        due = f"deal {attempt} of hand {hand_number}"
        message = f"deal {sealed.attempt} of hand {sealed.hand_number} was sealed where {due} was due"
        yield Finding(Fault.DEAL_DROPPED, message)
    if ended is not None and _end_of(ended) != sealed.hand_number:
        yield from _dropped(sealed)


def _dropped(sealed: DeckSealed | None) -> Iterable[Finding]:
    if sealed is not None:
        deal = f"deal {sealed.attempt} of hand {sealed.hand_number}"
        yield Finding(Fault.DEAL_DROPPED, f"the deck of {deal} was sealed and neither dealt to its end nor voided")


def _end_of(event: TableEvent) -> int | None:
    """Number of the hand that an event ends."""
    if event.HasField("hand_ended"):
        return event.hand_ended.hand_number
    return event.hand_voided.hand_number if event.HasField("hand_voided") else None
