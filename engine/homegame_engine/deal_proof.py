"""The sealed deck: commit to a shuffle card by card, cut it, and open exactly the cards that somebody saw.

Before the cut the server publishes one root over a salted commitment to each card; afterwards each card shown is opened with
its salt and its path to the root, and a folded card never is (GEN-08, PROC-SHUF-01, PROC-SHUF-02). The bytes are described in
docs/deal-proof.md, so that any language can check them; `homegame_client.proof` is such a check and shares no code with this.

The key is an input: 32 bytes that the caller draws anew for every deal. A deck has only 52! orders and a card only 52 faces, so
without that key a commitment would be a riddle with a short answer. This module does not decide who may see a card: `view` does,
and `open_seen_cards` opens what it left in the events.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.events import (
    AnyEvent,
    BoardDealt,
    CardsDrawn,
    CardsPassed,
    ChoiceMade,
    CommonCardDealt,
    HandShown,
    HoleCardsDealt,
    StubReshuffled,
    UpCardsDealt,
)
from homegame_engine.reasons import Reason
from homegame_engine.specs import BettingStreet, Burn, DealBoard, DealDown, GameSpec

PROOF_VERSION: Final = 1
"""Of the encoding; it is part of every tag, so that bytes of two versions never mean the same."""
DECK_CARDS: Final = 52
DECK_CARDS_MAX: Final = 54
"""With both jokers (CARD-01)."""
_LOWEST_OF_SHORT_DECK: Final = 16  # The sixes: a short deck sets the sixteen cards below them aside (CARD-03).
_DECK_SIZES: Final = (36, 37, 38, 52, 53, 54)
KEY_BYTES: Final = 32
HASH_BYTES: Final = 32
TREE_DEPTH: Final = 6
"""Levels above the leaves: 64 places, one for each card of the deck, and the rest marked absent."""

_TREE_LEAVES: Final = 1 << TREE_DEPTH
_ID_BYTES_MAX: Final = 0xFFFF
_HAND_NUMBER_MAX: Final = (1 << 63) - 1
_ATTEMPT_MAX: Final = (1 << 31) - 1

# Each kind of hash begins with a tag of its own that ends in NUL and is no prefix of another: a leaf can never pass for a node.
_TAG_CONTEXT: Final = b"homegame/deal-proof/1/context\x00"
_TAG_SALT: Final = b"homegame/deal-proof/1/salt\x00"
_TAG_LEAF: Final = b"homegame/deal-proof/1/leaf\x00"
_TAG_ABSENT: Final = b"homegame/deal-proof/1/absent\x00"
_TAG_NODE: Final = b"homegame/deal-proof/1/node\x00"
_TAG_MIXES: Final = b"homegame/deal-proof/1/mixes\x00"


def deck_cards(n_cards: int) -> bytes:
    """Return the codes of a deck of so many cards in ascending order: 52, or the short deck of 36, and up to two jokers.

    Raises:
        InputError: there is no deck of this size.

    Rules: CARD-01, CARD-03.
    """
    if n_cards not in _DECK_SIZES:
        raise InputError("a deck has 36 or 52 cards, and up to two jokers", field="n_cards")
    lowest = 0 if n_cards >= DECK_CARDS else _LOWEST_OF_SHORT_DECK
    return bytes(range(lowest, lowest + n_cards))


class DealContext(msgspec.Struct, frozen=True, kw_only=True):
    """Which deal a commitment is of. Every leaf binds it, so that a commitment is of no use anywhere else."""

    night_id: str
    table_id: str
    hand_number: int  # Of the session, from 1; a hand dealt again after a void keeps it.
    attempt: int  # Deals of this hand, from 1: a redeal is shuffled and sealed anew.
    n_cards: int = DECK_CARDS  # Of the deck: 36 to 54 (CARD-01, CARD-03).


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """One card of the committed order with everything needed to check it against the root."""

    position: int  # In the committed order, before the cut; 0 is the top card.
    card: int
    salt: bytes
    path: tuple[bytes, ...]  # Sibling hashes from the leaf upwards, TREE_DEPTH of them.


class Commitment:
    """A sealed deck. It holds the order and the salts and is as secret as they are: only `root` and openings leave it.

    Attributes:
        context: The deal it is of.
        root: 32 bytes to publish before the cut.
    """

    __slots__ = ("_deck_order", "_levels", "_salts", "context", "root")

    def __init__(self, context: DealContext, deck_order: bytes, salts: tuple[bytes, ...]) -> None:
        """Build the tree; `commit` is the way in."""
        digest = context_hash(context)
        leaves = [_leaf_hash(digest, i, card, salts[i]) for i, card in enumerate(deck_order)]
        leaves += [_absent_hash(digest, i) for i in range(len(deck_order), _TREE_LEAVES)]
        levels = [leaves]
        while len(levels[-1]) > 1:
            below = levels[-1]
            levels.append([_node_hash(below[i], below[i + 1]) for i in range(0, len(below), 2)])
        self.context = context
        self.root = levels[-1][0]
        self._deck_order = deck_order
        self._salts = salts
        self._levels = levels

    def __repr__(self) -> str:  # A log line or a traceback must not print the deck.
        return f"Commitment(root={self.root.hex()})"

    def open_position(self, position: int) -> Opening:
        """Open one position of the committed order. Who may see the card is the caller's to know (GEN-08).

        Raises:
            InputError: no deck has this position.
        """
        _check_position(position, self.context.n_cards)
        return Opening(
            position=position,
            card=self._deck_order[position],
            salt=self._salts[position],
            path=tuple(self._levels[level][(position >> level) ^ 1] for level in range(TREE_DEPTH)),
        )

    def open_card(self, card: int) -> Opening:
        """Open the position that holds `card`; see `open_position`.

        Raises:
            InputError: the deck does not have this card.
        """
        if card not in tuple(self._deck_order):
            raise InputError("the deck does not have this card", field="card")
        return self.open_position(self._deck_order.index(card))


def commit(context: DealContext, deck_order: bytes, key: bytes) -> Commitment:
    """Seal a shuffled deck before it is cut.

    Args:
        context: The deal it is for; it says how many cards the deck has.
        deck_order: Card codes, top first, each once and known: the order *before* the cut.
        key: 32 bytes from the operating system's generator, fresh for this deal and secret for ever.

    Returns:
        The sealed deck; publish its `root`, keep the rest.

    Raises:
        RuleViolation: BAD_DECK, CARD-01.
        InputError: the key has another length, or the context is none.

    Rules:
        GEN-08, PROC-SHUF-01.
    """
    if len(key) != KEY_BYTES:
        raise InputError(f"a key has {KEY_BYTES} bytes", field="key")
    _check_deck(deck_order, context.n_cards)
    digest = context_hash(context)
    # The context stands in the salt too: a key used twice by mistake still gives two decks different salts.
    salts = tuple(
        hmac.digest(key, _TAG_SALT + digest + bytes([position]), hashlib.sha256) for position in range(len(deck_order))
    )
    return Commitment(context, bytes(deck_order), salts)


def commit_mixes(context: DealContext, mix_orders: bytes, key: bytes) -> bytes:
    """Commit to the orders in which a stub that runs short would be mixed anew (CARD-06); b"" where there are none.

    They say which hidden card went where, so nobody is shown them: whoever keeps the journal can check that the orders used
    are those that were fixed before the cut.
    """
    if not mix_orders:
        return b""
    return hmac.digest(key, _TAG_MIXES + context_hash(context) + mix_orders, hashlib.sha256)


def verify_opening(root: bytes, context: DealContext, opening: Opening) -> bool:
    """Say whether `root`, published for `context`, committed to this card at this position.

    The server checks what it is about to publish with it; a client has a check of its own.
    """
    if not (0 <= opening.position < context.n_cards and 0 <= opening.card < DECK_CARDS_MAX):
        return False
    hashes = (root, opening.salt, *opening.path)
    if len(opening.path) != TREE_DEPTH or any(len(part) != HASH_BYTES for part in hashes):
        return False
    reached = _leaf_hash(context_hash(context), opening.position, opening.card, opening.salt)
    for level, sibling in enumerate(opening.path):
        is_right = opening.position >> level & 1
        reached = _node_hash(sibling, reached) if is_right else _node_hash(reached, sibling)
    return hmac.compare_digest(reached, root)


def placed_cards(projected: Iterable[AnyEvent]) -> tuple[int, ...]:
    """Return the cards of a deal that a viewer saw and knows to come from one seat's cards or the board, by code.

    An opening tells a card's place in the deck, and with it who was dealt the card first. So a card that was passed on, or that a
    reshuffle brought back, is opened to nobody but those who saw it dealt at first: its place would tell who gave it up or
    folded it. That is why events are asked and not cards: what is returned follows from what the viewer knows anyway.

    Args:
        projected: Events of one deal as `view.project` left them for that viewer. Never the engine's own, which are complete.

    Rules: GEN-08, PROC-PRIV-01.
    """
    placed: set[int] = set()
    # By seat, in the order received: whether the card came straight from the sealed deck.
    held: dict[int, list[bool]] = {}
    is_mixed = False
    for event in projected:
        if isinstance(event, StubReshuffled):
            is_mixed = True
        elif isinstance(event, CommonCardDealt) and not is_mixed:
            placed.add(event.card)
        elif isinstance(event, BoardDealt) and not is_mixed:
            placed.update(event.cards)
        elif isinstance(event, HandShown):
            shown = zip(event.cards, held.get(event.seat, ()), strict=False)
            placed.update(card for card, is_placed in shown if is_placed)
        elif isinstance(event, HoleCardsDealt | UpCardsDealt | CardsDrawn | CardsPassed | ChoiceMade):
            own = held.setdefault(event.seat, [])
            _move(own, event, is_mixed=is_mixed)
            if not is_mixed and isinstance(event, HoleCardsDealt | UpCardsDealt | CardsDrawn):
                placed.update(event.cards)
    return tuple(sorted(placed - {CARD_HIDDEN, CARD_UNKNOWN}))


def _move(
    own: list[bool],
    event: HoleCardsDealt | UpCardsDealt | CardsDrawn | CardsPassed | ChoiceMade,
    *,
    is_mixed: bool,
) -> None:
    """Take from a seat's cards what it gave up, and add what it got."""
    gone: tuple[int, ...] = ()
    if isinstance(event, ChoiceMade):
        gone = event.cards
    elif isinstance(event, CardsDrawn):
        gone = event.discarded
    if gone and not all(own):
        own[:] = [False] * len(own)  # Nobody else knows which of them went.
    del own[: len(gone)]
    if not isinstance(event, ChoiceMade):
        own += [not is_mixed and not isinstance(event, CardsPassed)] * len(event.cards)


def open_seen_cards(commitment: Commitment, projected: Iterable[AnyEvent]) -> tuple[Opening, ...]:
    """Open the cards that a viewer saw, by position, as far as their places are no news: see `placed_cards`.

    Rules: GEN-08.

    Args:
        commitment: The sealed deck of the deal.
        projected: Events of that deal as `view.project` left them for the viewer: what is hidden there stays sealed.
    """
    openings = [commitment.open_card(card) for card in placed_cards(projected)]
    return tuple(sorted(openings, key=lambda opening: opening.position))


# --- The cut, and which card goes where -----------------------------------------------------------------------------------


def cut(deck_order: bytes, cut_position: int) -> bytes:
    """Move the top `cut_position` cards to the bottom.

    Returns:
        The order that is dealt, top first.

    Raises:
        RuleViolation: BAD_CUT for a position that leaves no card above or below it; BAD_DECK, CARD-01.

    Rules:
        PROC-SHUF-02.
    """
    _check_deck(deck_order, len(deck_order))
    _check_cut(cut_position, len(deck_order))
    return bytes(deck_order[cut_position:]) + bytes(deck_order[:cut_position])


def committed_position(dealt_position: int, cut_position: int, n_cards: int = DECK_CARDS) -> int:
    """Return where in the committed order the card lay that is dealt as number `dealt_position` (from 0) after the cut.

    Raises:
        RuleViolation: BAD_CUT.
        InputError: no deck has this position.
    """
    _check_cut(cut_position, n_cards)
    _check_position(dealt_position, n_cards)
    return (dealt_position + cut_position) % n_cards


def dealt_position(committed: int, cut_position: int, n_cards: int = DECK_CARDS) -> int:
    """Return the number (from 0) at which the card at a committed position is dealt: the inverse of `committed_position`.

    Raises:
        RuleViolation: BAD_CUT.
        InputError: no deck has this position.
    """
    _check_cut(cut_position, n_cards)
    _check_position(committed, n_cards)
    return (committed - cut_position) % n_cards


class DealLayout(msgspec.Struct, frozen=True, kw_only=True):
    """Which dealt positions (from 0, after the cut) hold which cards if the deal goes to its end."""

    hole_cards: Mapping[int, tuple[int, ...]]  # By seat, in the order received.
    burns: tuple[tuple[int, ...], ...]  # By board street.
    board: tuple[tuple[int, ...], ...]  # By board street, left to right.


def deal_layout(game: GameSpec, burns: Sequence[int], *, dealt_in: Iterable[int], button: int) -> DealLayout:
    """Lay the deal out on paper: the hand deals by the same order, and a test holds the two together.

    Args:
        game: What is dealt.
        burns: The house's burns by board street (CARD-07).
        dealt_in: Seats that get cards.
        button: Seat of the button, dealt in or not; the next seat clockwise is dealt first (PROC-DEAL-01).
    """
    order = sorted(dealt_in, key=lambda seat: (seat <= button, seat))
    hole_cards: dict[int, tuple[int, ...]] = dict.fromkeys(order, ())
    burnt: list[tuple[int, ...]] = []
    board: list[tuple[int, ...]] = []
    position = 0
    street = -1
    for step in game.steps:
        if isinstance(step, DealDown):
            for _ in range(step.count):  # PROC-DEAL-01: one card at a time.
                for seat in order:
                    hole_cards[seat] += (position,)
                    position += 1
        elif isinstance(step, BettingStreet):
            street += 1
        elif isinstance(step, Burn):
            burnt.append(tuple(range(position, position + burns[street])))
            position += burns[street]
        elif isinstance(step, DealBoard):
            board.append(tuple(range(position, position + step.count)))
            position += step.count
    return DealLayout(hole_cards=hole_cards, burns=tuple(burnt), board=tuple(board))


# --- Bytes (docs/deal-proof.md) -------------------------------------------------------------------------------------------


def context_hash(context: DealContext) -> bytes:
    """Return the 32 bytes that stand for a deal in every leaf and salt.

    Raises:
        InputError: an id is empty or too long, or a number is out of range.
    """
    if not 1 <= context.hand_number <= _HAND_NUMBER_MAX:
        raise InputError("hands count from 1", field="hand_number")
    if not 1 <= context.attempt <= _ATTEMPT_MAX:
        raise InputError("deals of a hand count from 1", field="attempt")
    return hashlib.sha256(
        _TAG_CONTEXT
        + _id_bytes(context.night_id, "night_id")
        + _id_bytes(context.table_id, "table_id")
        + context.hand_number.to_bytes(8, "big")
        + context.attempt.to_bytes(4, "big")
        + bytes([context.n_cards])
    ).digest()


def _id_bytes(text: str, field: str) -> bytes:
    """An id with its length before it, so that no two pairs of ids run together to the same bytes."""
    encoded = text.encode()
    if not 1 <= len(encoded) <= _ID_BYTES_MAX:
        raise InputError("an id is empty or too long", field=field)
    return len(encoded).to_bytes(2, "big") + encoded


def _leaf_hash(digest: bytes, position: int, card: int, salt: bytes) -> bytes:
    return hashlib.sha256(_TAG_LEAF + digest + bytes([position, card]) + salt).digest()


def _absent_hash(digest: bytes, position: int) -> bytes:
    return hashlib.sha256(_TAG_ABSENT + digest + bytes([position])).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_TAG_NODE + left + right).digest()


def _check_deck(deck_order: bytes, n_cards: int) -> None:
    if n_cards not in _DECK_SIZES or bytes(sorted(deck_order)) != deck_cards(n_cards):
        raise RuleViolation(
            Reason.BAD_DECK, "CARD-01", message=f"The deck order does not hold each of the {n_cards} cards once."
        )


def _check_cut(cut_position: int, n_cards: int) -> None:
    if not 1 <= cut_position < n_cards:
        raise RuleViolation(
            Reason.BAD_CUT,
            "PROC-SHUF-02",
            {"cut_position_min": 1, "cut_position_max": n_cards - 1},
            f"Cut between the first and the last card: 1 to {n_cards - 1}, counted from the top.",
        )


def _check_position(position: int, n_cards: int) -> None:
    if not 0 <= position < n_cards:
        raise InputError(f"a deck position is 0 to {n_cards - 1}", field="position")
