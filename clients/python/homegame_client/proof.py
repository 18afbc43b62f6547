"""Check, offline, that every card one saw in a deal was fixed before the cut and lay where it was dealt from.

Written from docs/deal-proof.md alone and sharing no code with the engine, so that a fault in one shows in the other. It knows one
rule of poker, the one that makes a position mean a card: cards are dealt one at a time clockwise from the button's left
(PROC-DEAL-01), burns and board follow in the order of the events.

Nothing here raises for a bad deal: `verify_deal` returns a verdict with every fault it found, by name and in words.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from homegame.v1.cards_pb2 import Card
from homegame.v1.events_pb2 import HandStarting, TableEvent
from homegame_client.cards import card_text

CANNOT_SHOW: Final = (
    "that the shuffle was random: a proof shows that the order was fixed, not how it was chosen",
    "that the cards nobody showed were all different, or which they were: folded cards stay sealed for ever",
    "that nobody else was told the order: whoever shuffles knows it",
    "that a cut by the server or by a friend of the server was not known beforehand: only your own cut is surely yours",
)
"""What no check of a deal can tell, as endings of "This does not show …"."""

_DECK_CARDS: Final = 52
_HASH_BYTES: Final = 32
_PATH_HASHES: Final = 6
_TAG: Final = b"homegame/deal-proof/1/"


class Fault(StrEnum):
    """What can be wrong with a deal; a program switches on this."""

    BAD_ROOT = "BAD_ROOT"
    """The root is not 32 bytes."""
    ROOT_REUSED = "ROOT_REUSED"
    """The same root was published for another deal."""
    ROOT_AFTER_CUT = "ROOT_AFTER_CUT"
    """The root was not published before the cut."""
    CUT_AFTER_DEAL = "CUT_AFTER_DEAL"
    """The cut was not made before the first card."""
    BAD_CUT = "BAD_CUT"
    """The cut is not at 1 to 51."""
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


@dataclass(frozen=True, kw_only=True)
class DealId:
    """Which deal: everything a commitment is bound to."""

    night_id: str
    table_id: str
    hand_number: int
    """Of the session, counted from 1."""
    attempt: int
    """Deals of this hand, counted from 1: one more after each void."""


@dataclass(frozen=True, kw_only=True)
class RootSeen:
    """The commitment as it was published."""

    number: int
    """Number of the event at the table."""
    root: bytes
    button: int
    """Seat of the button, counted from 0."""
    dealt_in: tuple[int, ...]
    """Seats that will get cards, counted from 0, in seat order."""


@dataclass(frozen=True, kw_only=True)
class CutSeen:
    """The cut as it was published."""

    number: int
    """Number of the event at the table."""
    position: int
    """Cards taken from the top, 1 to 51."""
    by_clock: bool = False
    """Whether the server drew it because nobody cut in time."""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """One opened card."""

    position: int
    """In the committed order, before the cut; 0 is the top card."""
    card: Card.ValueType
    salt: bytes
    path: tuple[bytes, ...]
    """Sibling hashes from the leaf upwards."""


@dataclass(frozen=True)
class SeenCard:
    """A card that the viewer saw, and where in the deal it came from."""

    dealt_position: int
    """In the order dealt, after the cut; 0 is the first card."""
    card: Card.ValueType
    words: str
    """What it was, for people: "board card 3", "card 1 of seat 2"."""


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


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    fault: Fault
    message: str
    """A sentence for people."""


@dataclass(frozen=True)
class Verdict:
    """Whether a deal holds, and how much that says."""

    holds: bool
    cards_checked: int
    """Cards seen whose opening names them at their place; whether that proves anything, `holds` says."""
    findings: tuple[Finding, ...]
    """In the order of checking; empty exactly when the deal holds."""
    sentence: str
    """For people."""
    cannot_show: tuple[str, ...] = CANNOT_SHOW

    @property
    def faults(self) -> frozenset[Fault]:
        """The kinds of fault found."""
        return frozenset(finding.fault for finding in self.findings)


# --- What the events tell -------------------------------------------------------------------------------------------------


def read_deal(events: Iterable[TableEvent]) -> DealSeen:
    """Give each card that a viewer saw its place in the deal.

    Args:
        events: The viewer's events of one deal in order, from HandStarting on; other kinds between them are passed over.
    """
    walk = _Walk()
    for event in events:
        walk.take(event)
    return walk.finish()


class _Walk:
    """Counts the cards of a deal as the events bring them."""

    def __init__(self) -> None:
        self._starting: HandStarting | None = None
        self._first_card_number = 0
        self._next_position = 0
        self._round: dict[int, Sequence[Card.ValueType]] = {}  # Private cards dealt in one go, by seat.
        self._places: dict[int, list[int]] = {}  # Dealt positions of each seat's private cards, in the order received.
        self._n_board = 0
        self._cards: list[SeenCard] = []
        self._problems: list[str] = []

    def take(self, event: TableEvent) -> None:
        kind = event.WhichOneof("event")
        if kind == "hand_starting":
            if self._starting is not None:
                self._problems.append("more than one hand starts in the events")
            self._starting = event.hand_starting
        elif kind in {"hole_cards_dealt", "cards_burned", "board_dealt"}:
            self._first_card_number = self._first_card_number or event.number
            if kind == "hole_cards_dealt":
                self._hole_cards(event.hole_cards_dealt.seat, event.hole_cards_dealt.cards)
            elif kind == "cards_burned":
                self._end_round()
                self._next_position += event.cards_burned.count
            else:
                self._end_round()
                self._board(event.board_dealt.cards)
        elif kind == "hand_shown":
            self._end_round()
            self._shown(event.hand_shown.seat, event.hand_shown.cards)

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

    def _hole_cards(self, seat: int, cards: Sequence[Card.ValueType]) -> None:
        if seat in self._round:
            self._end_round()
        self._round[seat] = cards

    def _end_round(self) -> None:
        """Place the private cards that came in one go: one at a time, clockwise from the button's left (PROC-DEAL-01)."""
        dealt, self._round = self._round, {}
        starting = self._starting
        if not dealt:
            return
        if (
            starting is None
            or set(dealt) != set(starting.dealt_in)
            or len({len(cards) for cards in dealt.values()}) > 1
        ):
            self._problems.append("the private cards are not those of the seats dealt in")
            return
        order = sorted(dealt, key=lambda seat: (seat <= starting.button, seat))
        n_each = len(dealt[order[0]])
        for place, seat in enumerate(order):
            places = self._places.setdefault(seat, [])
            for i, card in enumerate(dealt[seat]):
                places.append(self._next_position + i * len(order) + place)
                self._see(places[-1], card, f"card {len(places)} of seat {seat + 1}")
        self._next_position += n_each * len(order)

    def _board(self, cards: Sequence[Card.ValueType]) -> None:
        for card in cards:
            self._n_board += 1
            self._see(self._next_position, card, f"board card {self._n_board}")
            self._next_position += 1

    def _shown(self, seat: int, cards: Sequence[Card.ValueType]) -> None:
        places = self._places.get(seat, [])
        if len(places) != len(cards):
            self._problems.append(f"seat {seat + 1} showed other cards than it was dealt")
            return
        for i, (place, card) in enumerate(zip(places, cards, strict=True)):
            self._see(place, card, f"card {i + 1} of seat {seat + 1}")

    def _see(self, position: int, card: Card.ValueType, words: str) -> None:
        seen = SeenCard(position, card, words)
        if card != Card.CARD_HIDDEN and seen not in self._cards:
            self._cards.append(seen)


# --- The verdict ----------------------------------------------------------------------------------------------------------


def verify_deal(
    deal: DealId,
    root: RootSeen,
    cut: CutSeen,
    openings: Iterable[Opening],
    seen: DealSeen,
    *,
    own_cut: int | None = None,
    earlier_roots: Collection[bytes] = (),
) -> Verdict:
    """Check a deal as one viewer saw it.

    Args:
        deal: Which deal it is, as this client knows it and not as the proof says.
        root: The commitment, taken from the stream when it came.
        cut: The cut, taken from the stream when it came.
        openings: What the server opened to this viewer, in any order.
        seen: What this viewer saw, see `read_deal`.
        own_cut: The position this client sent, when it was the one to cut.
        earlier_roots: Roots that this client has seen for other deals.
    """
    opened = tuple(openings)
    findings = [
        *_check_order(root, cut, seen, own_cut),
        *_check_root(root, earlier_roots),
        *_check_openings(deal, root.root, opened),
    ]
    cards_checked, of_cards = _check_cards(opened, cut, seen)
    findings += of_cards
    return Verdict(
        holds=not findings,
        cards_checked=cards_checked,
        findings=tuple(findings),
        sentence=_sentence(findings, cards_checked, cut),
    )


def _check_order(root: RootSeen, cut: CutSeen, seen: DealSeen, own_cut: int | None) -> Iterable[Finding]:
    """Root, then cut, then cards; and nothing that steers the cards changed after the root."""
    if root.number >= cut.number:
        yield Finding(Fault.ROOT_AFTER_CUT, "the deck was sealed after the cut was known")
    if seen.first_card_number and cut.number >= seen.first_card_number:
        yield Finding(Fault.CUT_AFTER_DEAL, "cards were dealt before the cut")
    if not 1 <= cut.position < _DECK_CARDS:
        yield Finding(Fault.BAD_CUT, f"the cut at {cut.position} is none: it takes 1 to 51 cards from the top")
    if own_cut is not None and own_cut != cut.position:
        yield Finding(Fault.CUT_CHANGED, f"you cut at {own_cut}, the deal used {cut.position}")
    for problem in seen.problems:
        yield Finding(Fault.EVENTS_INCOMPLETE, problem)
    if (root.button, root.dealt_in) != (seen.button, seen.dealt_in):
        yield Finding(Fault.SEATS_CHANGED, "the button or the seats dealt in changed after the deck was sealed")


def _check_root(root: RootSeen, earlier_roots: Collection[bytes]) -> Iterable[Finding]:
    if len(root.root) != _HASH_BYTES:
        yield Finding(Fault.BAD_ROOT, "the root is not 32 bytes long")
    if root.root in earlier_roots:
        yield Finding(Fault.ROOT_REUSED, "this root was published for another deal before")


def _check_openings(deal: DealId, root: bytes, openings: Sequence[Opening]) -> Iterable[Finding]:
    """Each opening by itself against the root, and all of them against each other."""
    faces: dict[int, Card.ValueType] = {}
    positions: dict[Card.ValueType, int] = {}
    for opening in openings:
        text = card_text(opening.card) if _is_deck_card(opening.card) else f"card {opening.card}"
        where = f"position {opening.position + 1} of the sealed deck"
        if not _is_well_formed(opening):
            yield Finding(Fault.OPENING_MALFORMED, f"the opening of {text} at {where} cannot be read")
        elif not _is_committed(deal, root, opening):
            yield Finding(Fault.OPENING_NOT_COMMITTED, f"the root does not hold {text} at {where}")
        if faces.setdefault(opening.position, opening.card) != opening.card:
            yield Finding(Fault.POSITION_TWICE, f"{where} was opened as two different cards")
        if positions.setdefault(opening.card, opening.position) != opening.position:
            yield Finding(Fault.CARD_TWICE, f"{text} lies in the sealed deck twice")


def _check_cards(openings: Sequence[Opening], cut: CutSeen, seen: DealSeen) -> tuple[int, list[Finding]]:
    """Each card seen against the opening of the place it was dealt from. Returns how many agree, and what does not."""
    findings: list[Finding] = []
    by_position = {opening.position: opening for opening in openings}
    by_card = {opening.card: opening for opening in openings}
    faces: dict[int, SeenCard] = {}
    positions: dict[Card.ValueType, SeenCard] = {}
    cards_checked = 0
    for one in seen.cards:
        text = card_text(one.card)
        opening = by_position.get((one.dealt_position + cut.position) % _DECK_CARDS)
        if opening is not None and opening.card == one.card:
            cards_checked += 1
        elif one.card in by_card:
            findings.append(Finding(Fault.CARD_OUT_OF_PLACE, f"{one.words} was {text}, which was sealed elsewhere"))
        elif opening is None:
            findings.append(Finding(Fault.OPENING_MISSING, f"{one.words} ({text}) was not opened"))
        else:
            sealed = card_text(opening.card) if _is_deck_card(opening.card) else "no card"
            findings.append(Finding(Fault.CARD_DIFFERS, f"{one.words} was {text}, but {sealed} was sealed there"))
        if faces.setdefault(one.dealt_position, one).card != one.card:
            findings.append(Finding(Fault.FACE_CHANGED, f"{one.words} was shown with two faces"))
        if positions.setdefault(one.card, one).dealt_position != one.dealt_position:
            first = positions[one.card].words
            findings.append(Finding(Fault.CARD_TWICE, f"{text} was both {first} and {one.words}"))
    findings += [
        Finding(Fault.OPENED_UNSEEN, f"{card_text(opening.card)} was opened and you never saw it")
        for opening in openings
        if _is_deck_card(opening.card) and opening.card not in positions and _is_nobodys(opening, cut, seen)
    ]
    return cards_checked, findings


def _is_nobodys(opening: Opening, cut: CutSeen, seen: DealSeen) -> bool:
    """Whether the opening's place is none that the viewer saw; a wrong card at a seen place is another fault."""
    return all((one.dealt_position + cut.position) % _DECK_CARDS != opening.position for one in seen.cards)


def _sentence(findings: Sequence[Finding], cards_checked: int, cut: CutSeen) -> str:
    if findings:
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        return f"This deal does not check out: {findings[0].message}{more}."
    if not cards_checked:
        return "You saw no card of this deal, so there was nothing to check."
    cards = "The card you saw was" if cards_checked == 1 else f"All {cards_checked} cards you saw were"
    drawn = ", drawn by the server because nobody cut in time" if cut.by_clock else ""
    return f"{cards} fixed before the cut (at {cut.position}{drawn}) and dealt from the right place."


# --- Bytes (docs/deal-proof.md) -------------------------------------------------------------------------------------------


def _is_deck_card(card: int) -> bool:
    return Card.CARD_TWO_OF_CLUBS <= card <= Card.CARD_ACE_OF_SPADES


def _is_well_formed(opening: Opening) -> bool:
    return (
        0 <= opening.position < _DECK_CARDS
        and _is_deck_card(opening.card)
        and len(opening.path) == _PATH_HASHES
        and all(len(part) == _HASH_BYTES for part in (opening.salt, *opening.path))
    )


def _is_committed(deal: DealId, root: bytes, opening: Opening) -> bool:
    """Walk from the leaf to the root: at each level the lowest bit of the place says on which side the sibling stands."""
    # The wire's 0 is a hidden card, the leaf's 0 is the two of clubs.
    reached = _hash(b"leaf", _deal_hash(deal), bytes([opening.position, opening.card - 1]), opening.salt)
    place = opening.position
    for sibling in opening.path:
        pair = (reached, sibling) if place % 2 == 0 else (sibling, reached)
        reached = _hash(b"node", *pair)
        place //= 2
    return hmac.compare_digest(reached, root)


def _deal_hash(deal: DealId) -> bytes:
    night, table = deal.night_id.encode(), deal.table_id.encode()
    return _hash(
        b"context",
        len(night).to_bytes(2, "big"),
        night,
        len(table).to_bytes(2, "big"),
        table,
        deal.hand_number.to_bytes(8, "big"),
        deal.attempt.to_bytes(4, "big"),
        bytes([_DECK_CARDS]),
    )


def _hash(kind: bytes, *parts: bytes) -> bytes:
    return hashlib.sha256(_TAG + kind + b"\x00" + b"".join(parts)).digest()
