"""Check, offline, that every card one saw in a deal was fixed before the cut and lay where it was dealt from.

Written from docs/deal-proof.md alone and sharing no code with the engine, so that a fault in one shows in the other. Which
place a card came from is counted in `deal_walk`.

Nothing here raises for a bad deal: `verify_deal` returns a verdict with every fault it found, by name and in words.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from homegame.v1.cards_pb2 import Card
from homegame_client.deal_faults import Fault, Finding, face_text
from homegame_client.deal_walk import Announced, DealSeen, SeenCard, read_deal

__all__ = [
    "CANNOT_SHOW",
    "Announced",
    "CutSeen",
    "DealId",
    "DealSeen",
    "Fault",
    "Finding",
    "Opening",
    "RootSeen",
    "SeenCard",
    "Verdict",
    "read_deal",
    "verify_deal",
]

CANNOT_SHOW: Final = (
    "that the shuffle was random: a proof shows that the order was fixed, not how it was chosen",
    "that the cards nobody showed were all different, or which they were: folded cards stay sealed for ever",
    "that nobody else was told the order: whoever shuffles knows it",
    "that a cut by the server or by a friend of the server was not known beforehand: only your own cut is surely yours",
    "which of its cards a seat gave up where you did not see it: one that it kept may have come from any place of that hand",
    "where a card came from that was passed on or mixed anew: it stays sealed, for its place would tell who had it before",
)
"""What no check of a deal can tell, as endings of "This does not show …"."""

_DECK_CARDS: Final = 52
_DECK_SIZES: Final = (36, 37, 38, 52, 53, 54)
"""52 cards or the short deck of 36, and up to two jokers."""
_DECK_CARDS_MAX: Final = 54
_SET_ASIDE: Final = 16
"""Cards that a short deck lacks: the lowest ones."""
_HASH_BYTES: Final = 32
_PATH_HASHES: Final = 6
_TAG: Final = b"homegame/deal-proof/1/"


@dataclass(frozen=True, kw_only=True)
class DealId:
    """Which deal: everything a commitment is bound to."""

    night_id: str
    table_id: str
    hand_number: int
    """Of the session, counted from 1."""
    attempt: int
    """Deals of this hand, counted from 1: one more after each void."""
    n_cards: int = _DECK_CARDS
    """Cards of the deck, as they were published with the root."""


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
    mix_root: bytes = b""
    """Commitment to the orders of reshuffles, 32 bytes; empty where the deal cannot run short (CARD-06)."""

    @property
    def cutter(self) -> int | None:
        """The seat that cuts: the first one dealt in clockwise from the button (PROC-SHUF-02)."""
        return min(self.dealt_in, key=lambda seat: (seat <= self.button, seat), default=None)


@dataclass(frozen=True, kw_only=True)
class CutSeen:
    """The cut as it was published."""

    number: int
    """Number of the event at the table."""
    seat: int | None
    """Seat whose cut it was, counted from 0; None where none came."""
    position: int
    """Cards taken from the top, 1 to all but one."""
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
    before: Iterable[Finding] = (),
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
        before: What was found wrong with the deals before this one, see `DealLog`.
    """
    opened = tuple(openings)
    findings = [
        *before,
        *_check_order(deal, root, cut, seen, own_cut),
        *_check_root(root, earlier_roots),
        *_check_openings(deal, root.root, opened),
    ]
    cards_checked, of_cards = _check_cards(deal, opened, cut, seen)
    findings += of_cards
    return Verdict(
        holds=not findings,
        cards_checked=cards_checked,
        findings=tuple(findings),
        sentence=_sentence(findings, cards_checked, cut, seen),
    )


def _check_order(deal: DealId, root: RootSeen, cut: CutSeen, seen: DealSeen, own_cut: int | None) -> Iterable[Finding]:
    """Root, then cut, then cards; and nothing that steers the cards changed after the root."""
    if root.number >= cut.number:
        yield Finding(Fault.ROOT_AFTER_CUT, "the deck was sealed after the cut was known")
    if seen.first_card_number and cut.number >= seen.first_card_number:
        yield Finding(Fault.CUT_AFTER_DEAL, "cards were dealt before the cut")
    if deal.n_cards not in _DECK_SIZES:
        yield Finding(Fault.BAD_DECK, f"no deck has {deal.n_cards} cards")
    if not 1 <= cut.position < deal.n_cards:
        most = deal.n_cards - 1
        yield Finding(Fault.BAD_CUT, f"the cut at {cut.position} is none: it takes 1 to {most} cards from the top")
    if own_cut is not None and own_cut != cut.position:
        yield Finding(Fault.CUT_CHANGED, f"you cut at {own_cut}, the deal used {cut.position}")
    if cut.seat not in {None, root.cutter}:
        yield Finding(Fault.WRONG_CUTTER, f"seat {(cut.seat or 0) + 1} cut, and it was another's turn to cut")
    if seen.hand_number not in {None, deal.hand_number}:
        yield Finding(
            Fault.HAND_CHANGED, f"the deck was sealed for another hand than the one that started, {seen.hand_number}"
        )
    yield from seen.findings
    if (root.button, root.dealt_in) != (seen.button, seen.dealt_in):
        yield Finding(Fault.SEATS_CHANGED, "the button or the seats dealt in changed after the deck was sealed")


def _check_root(root: RootSeen, earlier_roots: Collection[bytes]) -> Iterable[Finding]:
    if len(root.root) != _HASH_BYTES:
        yield Finding(Fault.BAD_ROOT, "the root is not 32 bytes long")
    if len(root.mix_root) not in {0, _HASH_BYTES}:
        yield Finding(Fault.BAD_ROOT, "the root of the reshuffles is not 32 bytes long")
    if root.root in earlier_roots:
        yield Finding(Fault.ROOT_REUSED, "this root was published for another deal before")


def _check_openings(deal: DealId, root: bytes, openings: Sequence[Opening]) -> Iterable[Finding]:
    """Each opening by itself against the root, and all of them against each other."""
    faces: dict[int, Card.ValueType] = {}
    positions: dict[Card.ValueType, int] = {}
    for opening in openings:
        text = face_text(opening.card)
        where = f"position {opening.position + 1} of the sealed deck"
        if not _is_well_formed(opening, deal):
            yield Finding(Fault.OPENING_MALFORMED, f"the opening of {text} at {where} cannot be read")
        elif not _is_committed(deal, root, opening):
            yield Finding(Fault.OPENING_NOT_COMMITTED, f"the root does not hold {text} at {where}")
        if faces.setdefault(opening.position, opening.card) != opening.card:
            yield Finding(Fault.POSITION_TWICE, f"{where} was opened as two different cards")
        if positions.setdefault(opening.card, opening.position) != opening.position:
            yield Finding(Fault.CARD_TWICE, f"{text} lies in the sealed deck twice")


def _check_cards(deal: DealId, openings: Sequence[Opening], cut: CutSeen, seen: DealSeen) -> tuple[int, list[Finding]]:
    """Each card seen against the opening of the place it was dealt from. Returns how many agree, and what does not."""
    by_card: dict[Card.ValueType, list[Opening]] = {}
    for opening in openings:
        by_card.setdefault(opening.card, []).append(opening)
    findings: list[Finding] = []
    agreed: set[tuple[Card.ValueType, int]] = set()
    for one in seen.cards:
        sealed = by_card.get(one.card, [])
        if not sealed and not one.is_opened:
            continue  # Its place would tell who gave it up.
        if any(_may_come_from(one, _dealt_position(deal, opening, cut)) for opening in sealed):
            agreed.add((one.card, one.dealt_position))
        else:
            there = [opening for opening in openings if _dealt_position(deal, opening, cut) == one.dealt_position]
            findings.append(_disagreement(deal, one, there[0] if there else None, is_sealed=bool(sealed)))
    cards = {one.card for one in seen.cards}
    places = {one.dealt_position for one in seen.cards}
    findings += [
        Finding(Fault.OPENED_UNSEEN, f"{face_text(opening.card)} was opened and you never saw it")
        for opening in openings
        # A wrong card at a place that was seen is another fault.
        if _is_deck_card(opening.card, deal)
        and opening.card not in cards
        and _dealt_position(deal, opening, cut) not in places
    ]
    # A card that came from a known place, and again from one that is not known, is one card.
    exact = {card for card, place in agreed if place >= 0}
    return sum(place >= 0 or card not in exact for card, place in agreed), findings


def _dealt_position(deal: DealId, opening: Opening, cut: CutSeen) -> int:
    """Number, from 0, at which the card of an opening is dealt."""
    return (opening.position - cut.position) % max(deal.n_cards, 1)


def _may_come_from(one: SeenCard, place: int) -> bool:
    if one.dealt_position >= 0:
        return one.dealt_position == place
    return not one.places or place in one.places


def _disagreement(deal: DealId, one: SeenCard, there: Opening | None, *, is_sealed: bool) -> Finding:
    """What is wrong about a card that no opening names at its place; `there` is what was opened at that place."""
    text = face_text(one.card)
    if is_sealed:
        return Finding(Fault.CARD_OUT_OF_PLACE, f"{one.words} was {text}, which was sealed elsewhere")
    if there is None:
        return Finding(Fault.OPENING_MISSING, f"{one.words} ({text}) was not opened")
    sealed = face_text(there.card) if _is_deck_card(there.card, deal) else "no card"
    return Finding(Fault.CARD_DIFFERS, f"{one.words} was {text}, but {sealed} was sealed there")


def _sentence(findings: Sequence[Finding], cards_checked: int, cut: CutSeen, seen: DealSeen) -> str:
    if findings:
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        return f"This deal does not check out: {findings[0].message}{more}."
    n_sealed = len({one.card for one in seen.cards} - {one.card for one in seen.cards if one.is_opened})
    if not cards_checked and n_sealed:
        return "The cards you saw had been passed on or mixed anew, and stay sealed: there was nothing to check."
    if not cards_checked:
        return "You saw no card of this deal, so there was nothing to check."
    cards = "The card you saw was" if cards_checked == 1 else f"All {cards_checked} cards you saw were"
    if n_sealed:
        cards = f"{cards_checked} {'card' if cards_checked == 1 else 'cards'} you saw {'was' if cards_checked == 1 else 'were'}"
    drawn = ", drawn by the server because nobody cut in time" if cut.by_clock else ""
    n_exact = len({one.dealt_position for one in seen.cards if one.dealt_position >= 0 and one.is_opened})
    n_other = cards_checked - n_exact
    where = "dealt from the right place" if n_exact else "dealt from one of the places where each may have lain"
    if n_exact and n_other:
        where = (
            f"{n_exact} of them dealt from the right place, {n_other} from one of the places where each may have lain"
        )
    others = f"; {n_sealed} more had been passed on or mixed anew, and stay sealed" if n_sealed else ""
    sentence = f"{cards} fixed before the cut (at {cut.position}{drawn}) and {where}{others}."
    if seen.has_steps:
        return sentence
    return f"{sentence} The steps of the deal were not announced: its burns are those of some game, perhaps not of this one."


# --- Bytes (docs/deal-proof.md) -------------------------------------------------------------------------------------------


def _is_deck_card(card: int, deal: DealId) -> bool:
    """Whether the deck of the deal has this card: a short deck sets the lowest ones aside, jokers come last."""
    lowest = 1 if deal.n_cards >= _DECK_CARDS else 1 + _SET_ASIDE
    return lowest <= card < min(lowest + deal.n_cards, _DECK_CARDS_MAX + 1)


def _is_well_formed(opening: Opening, deal: DealId) -> bool:
    return (
        0 <= opening.position < deal.n_cards
        and _is_deck_card(opening.card, deal)
        and len(opening.path) == _PATH_HASHES
        and all(len(part) == _HASH_BYTES for part in (opening.salt, *opening.path))
    )


def _is_committed(deal: DealId, root: bytes, opening: Opening) -> bool:
    """Walk from the leaf to the root: at each level the lowest bit of the place says on which side the sibling stands."""
    if not _is_nameable(deal):
        return False
    # The wire's 0 is a hidden card, the leaf's 0 is the two of clubs.
    reached = _hash(b"leaf", _deal_hash(deal), bytes([opening.position, opening.card - 1]), opening.salt)
    place = opening.position
    for sibling in opening.path:
        pair = (reached, sibling) if place % 2 == 0 else (sibling, reached)
        reached = _hash(b"node", *pair)
        place //= 2
    return hmac.compare_digest(reached, root)


def _is_nameable(deal: DealId) -> bool:
    """Whether a commitment can be bound to the deal at all: a server may number one as none is."""
    names = (deal.night_id, deal.table_id)
    return (
        0 <= deal.hand_number < 1 << 64
        and 0 <= deal.attempt < 1 << 32
        and all(len(name.encode()) < 1 << 16 for name in names)
    )


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
        bytes([deal.n_cards % 256]),  # What does not fit is no deck, which is a fault of its own.
    )


def _hash(kind: bytes, *parts: bytes) -> bytes:
    return hashlib.sha256(_TAG + kind + b"\x00" + b"".join(parts)).digest()
