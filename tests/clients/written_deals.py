"""Deals of several games, each sealed, cut and played by the engine, told to one viewer and written as a file.

Decks, keys and choices follow from labels: every run gives the same bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec

from homegame.v1.hands_pb2 import CardOpening, DealProof
from homegame_client.deal_log import DealKey, DealLog
from homegame_engine import catalog, deal_proof
from homegame_engine.actions import Declare, Discard, Draw, PassCards
from homegame_engine.deal_proof import Commitment, DealContext, Opening, open_seen_cards
from homegame_engine.events import BoardDealt, DeckCut, DeckSealed, HandStarting, HandVoided
from homegame_engine.hand import Hand
from homegame_engine.specs import Burn
from homegame_engine.view import project
from homegame_server.rpc.convert import table_event
from homegame_server.rpc.convert_catalog import card as wire_card
from homegame_server.runtime.publisher import NumberedEvent
from tests.game_hands import rules_of
from tests.table_builders import action_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from homegame_engine.actions import AnyAction, LegalActions
    from homegame_engine.events import AnyEvent
    from homegame_engine.specs import Step

ROOT_NUMBER, CUT_NUMBER, FIRST_NUMBER = 10, 12, 13


@dataclasses.dataclass(frozen=True, kw_only=True)
class Told:
    """What is dealt, how it is played, and to whose eyes."""

    name: str
    label: str = ""
    """Deck and key follow from it, so that two viewers can share a deal; empty = the name."""
    game: str = "HOLDEM"
    viewer: int | None
    n_seats: int = 3
    button: int = 0
    cut_position: int
    own_cut: int | None = None
    attempt: int = 1
    """Deals of the hand; those before this one were void."""
    """What the viewer cut, where the viewer was the cutter."""
    folds: frozenset[int] = frozenset()
    """Seats that fold to a bet; where there are such, another seat bets on the second street."""
    mucks: frozenset[int] = frozenset()
    """Seats that concede at the showdown where they may."""
    n_mixes: int = 0
    ignores_cut: bool = False
    """The server deals from the top of the sealed deck."""
    seals_twice: bool = False
    """The server seals the first card of the flop in the second one's place as well, and shows it there."""
    faults: tuple[str, ...] = ()


class WrittenDeal:
    """One deal with everything that its server keeps secret, and the file of its viewer.

    Attributes:
        how: What was asked for.
        key: The key of its salts.
        deck_order: The sealed order, before the cut.
        mix_orders: The orders of reshuffles, one after the other.
        openings: What the viewer gets.
        file: As `DealLog.file_text` writes it.
    """

    def __init__(self, how: Told) -> None:
        deck = catalog.game(how.game).deck
        codes = deal_proof.deck_cards(deck.cards + deck.jokers)
        label = how.label or how.name
        self.how = how
        self.key = label_hash(label, "key")
        self.deck_order = bytes(sorted(codes, key=lambda code: label_hash(label, "card", str(code))))
        self.mix_orders = b"".join(
            bytes(sorted(range(len(codes)), key=lambda place: label_hash(label, "mix", str(i), str(place))))
            for i in range(how.n_mixes)
        )
        context = deal_context(len(codes), how.attempt)
        self._mix_root = deal_proof.commit_mixes(context, self.mix_orders, self.key)
        self._commitment = deal_proof.commit(context, self.deck_order, self.key)
        seen = [project(event, how.viewer) for event in self._played()]
        self.openings = open_seen_cards(self._commitment, seen)
        if how.seals_twice:
            seen = self._seal_twice(seen)
        self.file = self._written(seen)

    def open_card(self, card: int) -> Opening:
        """The opening of a card, whether or not the viewer saw it."""
        return self._commitment.open_card(card)

    def _played(self) -> list[AnyEvent]:
        how = self.how
        hand = Hand.start(
            catalog.game(how.game),
            rules_of("CLUB"),
            stacks=[100] * how.n_seats,
            button=how.button,
            deck_order=self.deck_order if how.ignores_cut else deal_proof.cut(self.deck_order, how.cut_position),
            mix_orders=self.mix_orders,
            hand_number=3,
        )
        happened: list[AnyEvent] = [_starting(how), *hand.take_events()]
        while not hand.is_over:
            seat = min(seat for seat in range(how.n_seats) if hand.may_act_mask >> seat & 1)
            happened += hand.apply(seat, _choice(how, hand, seat))
        return happened

    def _seal_twice(self, seen: list[AnyEvent]) -> list[AnyEvent]:
        """Forge the deck, its openings and the flop."""
        place = next(i for i, event in enumerate(seen) if isinstance(event, BoardDealt))
        flop = seen[place]
        assert isinstance(flop, BoardDealt)
        first, second, third = flop.cards
        forged = bytearray(self.deck_order)
        forged[self.deck_order.index(second)] = first
        n_cards = len(forged)
        salts = tuple(self._commitment.open_position(position).salt for position in range(n_cards))
        self.deck_order = bytes(forged)
        self._commitment = Commitment(deal_context(n_cards, self.how.attempt), self.deck_order, salts)
        self.openings = tuple(self._commitment.open_position(opening.position) for opening in self.openings)
        return [*seen[:place], msgspec.structs.replace(flop, cards=(first, first, third)), *seen[place + 1 :]]

    def _written(self, seen: Iterable[AnyEvent]) -> dict[str, Any]:
        how = self.how
        starting = _starting(how)
        n_cards = len(self.deck_order)
        sealed = DeckSealed(
            hand_number=3,
            attempt=how.attempt,
            root=self._commitment.root,
            button=how.button,
            dealt_in=starting.dealt_in,
            n_cards=n_cards,
            mix_root=self._mix_root,
            steps=self._steps(),
            folded_hands_get_cards=rules_of("CLUB").dead_hand_gets_cards,
        )
        cutter = min(starting.dealt_in, key=lambda seat: (seat <= how.button, seat))
        was_cut = DeckCut(seat=cutter, position=how.cut_position, by_clock=how.own_cut is None)
        log = DealLog("night-1", "table-1")
        numbered: list[tuple[int, AnyEvent]] = [
            *self._voided(sealed),
            (ROOT_NUMBER, sealed),
            (CUT_NUMBER, was_cut),
            *enumerate(seen, FIRST_NUMBER),
        ]
        for number, event in numbered:
            log.take(table_event(NumberedEvent(number, 0, 7, event)))
        proof = DealProof(
            version=deal_proof.PROOF_VERSION,
            hand_number=3,
            attempt=how.attempt,
            root=sealed.root,
            root_number=ROOT_NUMBER,
            cut_position=how.cut_position,
            cut_number=CUT_NUMBER,
            by_clock=was_cut.by_clock,
            openings=[wire_opening(opening) for opening in self.openings],
            n_cards=n_cards,
        )
        file: dict[str, Any] = json.loads(log.file_text(DealKey(3, how.attempt), proof))
        return file | {"own_cut": how.own_cut}

    def _steps(self) -> tuple[Step, ...]:
        """What a night announces with the root: each burn with its number."""
        steps = catalog.game(self.how.game).steps
        return tuple(Burn(count=1) if isinstance(step, Burn) else step for step in steps)

    @staticmethod
    def _voided(sealed: DeckSealed) -> list[tuple[int, AnyEvent]]:
        """Seals and voids of the deals before this one."""
        events: list[AnyEvent] = []
        for attempt in range(1, sealed.attempt):
            root = label_hash("void", str(attempt))
            events.append(msgspec.structs.replace(sealed, attempt=attempt, root=root))
            events.append(HandVoided(hand_number=sealed.hand_number, reason="A card fell", stacks=()))
        return list(enumerate(events, 1))


def wire_opening(opening: Opening) -> CardOpening:
    """Return an opening as the contract has it."""
    return CardOpening(
        position=opening.position, card=wire_card(opening.card), salt=opening.salt, path=list(opening.path)
    )


def label_hash(*words: str) -> bytes:
    """Return 32 bytes that follow from the words."""
    return hashlib.sha256(" ".join(("homegame deal files", *words)).encode()).digest()


def deal_context(n_cards: int, attempt: int = 1) -> DealContext:
    """Return the identity that all of these deals have; only their decks differ."""
    return DealContext(night_id="night-1", table_id="table-1", hand_number=3, attempt=attempt, n_cards=n_cards)


def _starting(how: Told) -> HandStarting:
    """The event that a session puts before the hand's own."""
    return HandStarting(
        hand_number=3,
        button=how.button,
        small_blind_seat=-1,
        big_blind_seat=-1,
        small_blind_chips=1,
        big_blind_chips=2,
        small_bet_chips=2,
        big_bet_chips=4,
        stacks=(100,) * how.n_seats,
        dealt_in=tuple(range(how.n_seats)),
        orbit_number=1,
    )


def _choice(how: Told, hand: Hand, seat: int) -> AnyAction:
    """Check or call to the showdown and show, but for what `how` asks."""
    legal = hand.legal_actions(seat)
    cards = _given_up(legal, hand.hole_cards(seat))
    if cards is not None:
        return cards
    if seat in how.folds and legal.call_chips:
        word = "f"
    elif how.folds and "bet" in legal.kinds and hand.street == 1:
        word = f"b{legal.raise_to_min_chips}"
    elif seat in how.mucks and "muck" in legal.kinds:
        word = "m"
    else:
        word = next(word for word, kind in (("s", "show"), ("k", "check"), ("c", "call")) if kind in legal.kinds)
    return action_of(word, legal)


def _given_up(legal: LegalActions, held: tuple[int, ...]) -> AnyAction | None:
    """Give up cards where that is asked: as many as may go; and declare for the first half."""
    if "draw" in legal.kinds:
        return Draw(cards=held[: legal.cards_max])
    if "declare" in legal.kinds:
        return Declare(half=legal.halves[0])
    n_cards = legal.cards_min or 0
    if "discard" in legal.kinds:
        return Discard(cards=held[:n_cards])
    return PassCards(cards=held[1 : 1 + n_cards]) if "pass" in legal.kinds else None
