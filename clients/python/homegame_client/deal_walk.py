"""Where each card of a deal came from, counted from the events that one viewer got.

It knows one rule of poker, the one that makes a position mean a card: cards leave the deck one after the other, private ones
one at a time clockwise from the button's left (PROC-DEAL-01), everything else in the order of the events. Where a seat gave up
or handed on cards that the viewer did not see, a card of that seat may come from several places; once the stub was mixed
anew, from anywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from homegame.v1.cards_pb2 import Card
from homegame.v1.events_pb2 import CardsDrawn, CardsPassed, ChoiceMade, HandStarting, TableEvent

ANYWHERE: Final[frozenset[int]] = frozenset()
"""The places of a card that was dealt from a stub that had been mixed anew."""


@dataclass(frozen=True)
class SeenCard:
    """A card that the viewer saw, and where in the deal it came from."""

    dealt_position: int
    """In the order dealt, after the cut; 0 is the first card. -1 when it is not known to be one place."""
    card: Card.ValueType
    words: str
    """What it was, for people: "board card 3", "card 1 of seat 2"."""
    places: frozenset[int] = ANYWHERE
    """Where it may have come from when the place is not known; empty = anywhere."""


@dataclass(frozen=True)
class DealSeen:
    """What one viewer's events tell about a deal."""

    first_card_number: int
    """Number of the event that brought the first card; 0 if none came."""
    button: int
    dealt_in: tuple[int, ...]
    cards: tuple[SeenCard, ...]
    problems: tuple[str, ...]
    """Why positions cannot be counted, for people; empty when they can."""


def read_deal(events: Iterable[TableEvent]) -> DealSeen:
    """Give each card that a viewer saw its place in the deal.

    Args:
        events: The viewer's events of one deal in order, from HandStarting on; other kinds between them are passed over.
    """
    walk = _Walk()
    for event in events:
        walk.take(event)
    return walk.finish()


@dataclass(frozen=True)
class _Held:
    """A private card of a seat: its face as far as the viewer knows it, and the places it may have come from."""

    card: Card.ValueType
    places: frozenset[int]
    words: str


class _Walk:
    """Counts the cards of a deal as the events bring them."""

    def __init__(self) -> None:
        self._starting: HandStarting | None = None
        self._first_card_number = 0
        self._next_position = 0
        self._is_mixed = False
        self._round_kind = ""
        self._round: dict[int, Sequence[Card.ValueType]] = {}  # Private cards dealt in one go, by seat.
        self._held: dict[int, list[_Held]] = {}  # In the order received.
        self._n_received: dict[int, int] = {}
        self._passed: dict[int, list[_Held]] = {}  # On their way to a neighbour, by who gave them.
        self._n_board = 0
        self._cards: list[SeenCard] = []
        self._problems: list[str] = []

    def take(self, event: TableEvent) -> None:
        kind = event.WhichOneof("event") or ""
        if kind in {"hole_cards_dealt", "up_cards_dealt"}:
            dealt = getattr(event, kind)
            self._note_first(event)
            self._dealt(kind, dealt.seat, dealt.cards)
            return
        if kind == "hand_starting":
            if self._starting is not None:
                self._problems.append("more than one hand starts in the events")
            self._starting = event.hand_starting
        elif kind in _TAKES_CARDS:
            self._note_first(event)
        take = _HANDLERS.get(kind)
        if take is not None:
            self._end_round()
            take(self, event)

    def finish(self) -> DealSeen:
        self._end_round()
        starting = self._starting
        if starting is None:
            self._problems.append("the start of the hand is not in the events")
        return DealSeen(
            first_card_number=self._first_card_number,
            button=-1 if starting is None else starting.button,
            dealt_in=() if starting is None else tuple(starting.dealt_in),
            cards=tuple(self._cards),
            problems=tuple(self._problems),
        )

    def _note_first(self, event: TableEvent) -> None:
        self._first_card_number = self._first_card_number or event.number

    # --- Private cards ---------------------------------------------------------------------------------------------------

    def _dealt(self, kind: str, seat: int, cards: Sequence[Card.ValueType]) -> None:
        if seat in self._round or kind != self._round_kind:
            self._end_round()
        self._round_kind = kind
        self._round[seat] = cards

    def _end_round(self) -> None:
        """Place the private cards that came in one go: one at a time, clockwise from the button's left (PROC-DEAL-01)."""
        dealt, self._round = self._round, {}
        starting = self._starting
        if not dealt:
            return
        is_first = not self._held
        if (
            starting is None
            or not set(dealt) <= set(starting.dealt_in)
            or (is_first and len(dealt) != len(starting.dealt_in))
            or len({len(cards) for cards in dealt.values()}) > 1
        ):
            self._problems.append("the private cards are not those of the seats dealt in")
            return
        order = sorted(dealt, key=lambda seat: (seat <= starting.button, seat))
        n_each = len(dealt[order[0]])
        first = self._next_position
        self._next_position += n_each * len(order)
        for place, seat in enumerate(order):
            for i, card in enumerate(dealt[seat]):
                self._receive(seat, card, self._place(first + i * len(order) + place))

    def _place(self, position: int) -> frozenset[int]:
        return ANYWHERE if self._is_mixed else frozenset({position})

    def _next_place(self) -> frozenset[int]:
        self._next_position += 1
        return self._place(self._next_position - 1)

    def _receive(self, seat: int, card: Card.ValueType, places: frozenset[int]) -> None:
        n_received = self._n_received[seat] = self._n_received.get(seat, 0) + 1
        held = _Held(card, places, f"card {n_received} of seat {seat + 1}")
        self._held.setdefault(seat, []).append(held)
        self._see(held)

    def _give_up(self, seat: int, cards: Sequence[Card.ValueType]) -> list[_Held]:
        """Take cards from a seat, and return them: exactly those where the viewer saw which, else what they may be."""
        held = self._held.get(seat, [])
        if len(cards) > len(held):
            self._problems.append(f"seat {seat + 1} gave up more cards than it had")
            return []
        if len(cards) == len(held):
            self._held[seat] = []
            return held
        if Card.CARD_HIDDEN in cards:
            places = (
                ANYWHERE
                if any(one.places == ANYWHERE for one in held)
                else frozenset().union(*(one.places for one in held))
            )
            blurred = _Held(Card.CARD_HIDDEN, places, f"a card of seat {seat + 1}")
            self._held[seat] = [blurred] * (len(held) - len(cards))
            return [blurred] * len(cards)
        gone = [next((one for one in held if one.card == card), None) for card in cards]
        known = [one for one in gone if one is not None]
        if len(known) < len(gone):
            self._problems.append(f"seat {seat + 1} gave up a card that it did not have")
        self._held[seat] = [one for one in held if one not in known]
        return known

    def _choice_made(self, event: TableEvent) -> None:
        made: ChoiceMade = event.choice_made
        self._passed[made.seat] = self._give_up(made.seat, made.cards)

    def _cards_drawn(self, event: TableEvent) -> None:
        drawn: CardsDrawn = event.cards_drawn
        self._give_up(drawn.seat, drawn.discarded)
        for card in drawn.cards:
            self._receive(drawn.seat, card, self._next_place())

    def _cards_passed(self, event: TableEvent) -> None:
        passed: CardsPassed = event.cards_passed
        pool = self._passed.pop(passed.from_seat, [])
        if len(pool) != len(passed.cards):
            self._problems.append(f"seat {passed.seat + 1} was passed other cards than were given up")
            return
        for card in passed.cards:
            source = next((one for one in pool if one.card == card), pool[0])
            pool.remove(source)
            self._receive(passed.seat, card, source.places)

    def _shown(self, event: TableEvent) -> None:
        seat, cards = event.hand_shown.seat, event.hand_shown.cards
        held = self._held.get(seat, [])
        if len(held) != len(cards):
            self._problems.append(f"seat {seat + 1} showed other cards than it was dealt")
            return
        for one, card in zip(held, cards, strict=True):
            self._see(_Held(card, one.places, one.words))

    # --- Common cards and the stub ---------------------------------------------------------------------------------------

    def _burned(self, event: TableEvent) -> None:
        self._next_position += event.cards_burned.count

    def _board(self, event: TableEvent) -> None:
        for card in event.board_dealt.cards:
            self._n_board += 1
            self._see(_Held(card, self._next_place(), f"board card {self._n_board}"))

    def _common_card(self, event: TableEvent) -> None:
        self._see(_Held(event.common_card_dealt.card, self._next_place(), "the common card"))

    def _reshuffled(self, _event: TableEvent) -> None:
        self._is_mixed = True

    def _see(self, held: _Held) -> None:
        exact = next(iter(held.places)) if len(held.places) == 1 else -1
        seen = SeenCard(exact, held.card, held.words, ANYWHERE if exact >= 0 else held.places)
        if held.card != Card.CARD_HIDDEN and seen not in self._cards:
            self._cards.append(seen)


_TAKES_CARDS: Final = frozenset({"cards_burned", "board_dealt", "common_card_dealt", "cards_drawn"})
_HANDLERS: Final = {
    "cards_burned": _Walk._burned,  # noqa: SLF001 - this module's own
    "board_dealt": _Walk._board,  # noqa: SLF001
    "common_card_dealt": _Walk._common_card,  # noqa: SLF001
    "stub_reshuffled": _Walk._reshuffled,  # noqa: SLF001
    "choice_made": _Walk._choice_made,  # noqa: SLF001
    "cards_drawn": _Walk._cards_drawn,  # noqa: SLF001
    "cards_passed": _Walk._cards_passed,  # noqa: SLF001
    "hand_shown": _Walk._shown,  # noqa: SLF001
}
