"""Sealed, cut and played deals as one viewer gets them: the engine's own, through `view` and the server's conversion."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from homegame.v1.cards_pb2 import Card
from homegame_client.proof import (
    Announced,
    CutSeen,
    DealId,
    DealSeen,
    Opening,
    RootSeen,
    Verdict,
    read_deal,
    verify_deal,
)
from homegame_engine import catalog, deal_proof
from homegame_engine.events import HandStarting as EngineHandStarting
from homegame_engine.hand import Hand
from homegame_engine.specs import Burn
from homegame_engine.view import project
from homegame_server.rpc.convert import table_event
from homegame_server.rpc.convert_catalog import game_step
from homegame_server.runtime.publisher import NumberedEvent
from tests.strategies import shuffled_deck
from tests.table_builders import house_rules, play

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from homegame_engine.specs import Step

DEAL = DealId(night_id="night-1", table_id="table-1", hand_number=3, attempt=1)
KEY = bytes(range(32))
CUT = 17
ROOT_NUMBER, CUT_NUMBER, FIRST_NUMBER = 10, 12, 13
TO_THE_SHOWDOWN = "c c k  k k k  k k k  k k k  s m s"


@dataclasses.dataclass(frozen=True)
class Proven:
    """Everything that goes into a verdict."""

    root: RootSeen
    cut: CutSeen
    openings: tuple[Opening, ...]
    seen: DealSeen
    deal: DealId = DEAL

    def verdict(self, own_cut: int | None = None, earlier_roots: Collection[bytes] = ()) -> Verdict:
        return verify_deal(
            self.deal, self.root, self.cut, self.openings, self.seen, own_cut=own_cut, earlier_roots=earlier_roots
        )

    def but(self, **changed: object) -> Proven:
        return dataclasses.replace(self, **changed)  # type: ignore[arg-type] # the tests name real fields

    def but_opening(self, index: int, **changed: object) -> Proven:
        openings = list(self.openings)
        openings[index] = dataclasses.replace(openings[index], **changed)  # type: ignore[arg-type] # as in `but`
        return self.but(openings=tuple(openings))


def engine_context(deal: DealId) -> deal_proof.DealContext:
    return deal_proof.DealContext(**dataclasses.asdict(deal))


def client_openings(openings: Iterable[deal_proof.Opening]) -> tuple[Opening, ...]:
    return tuple(
        Opening(position=one.position, card=Card.ValueType(one.card + 1), salt=one.salt, path=one.path)
        for one in openings
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dealt:
    """How a hand was sealed, cut, dealt and played."""

    words: str = TO_THE_SHOWDOWN
    n_seats: int = 3
    button: int = 0
    cut_position: int = CUT
    house: str = "CLUB"
    seed: int = 5
    dealt: bytes | None = None
    """Another order than the sealed one after its cut: the server cheats."""
    deal: DealId = DEAL

    def proven_to(self, viewer: int | None) -> Proven:
        """Play the hand, and hand over what the viewer gets."""
        deck = shuffled_deck(self.seed)
        commitment = deal_proof.commit(engine_context(self.deal), deck, KEY)
        hand = Hand.start(
            catalog.game("HOLDEM"),
            house_rules(self.house),
            stacks=[100] * self.n_seats,
            button=self.button,
            deck_order=deal_proof.cut(deck, self.cut_position) if self.dealt is None else self.dealt,
        )
        happened = [self.starting(), *hand.take_events(), *play(hand, self.words)]
        projected = [project(event, viewer) for event in happened]
        wire = [table_event(NumberedEvent(FIRST_NUMBER + i, 0, 7, event)) for i, event in enumerate(projected)]
        return Proven(
            root=RootSeen(
                number=ROOT_NUMBER, root=commitment.root, button=self.button, dealt_in=tuple(range(self.n_seats))
            ),
            cut=CutSeen(number=CUT_NUMBER, seat=(self.button + 1) % self.n_seats, position=self.cut_position),
            openings=client_openings(deal_proof.open_seen_cards(commitment, projected)),
            seen=read_deal(wire, Announced(steps=tuple(game_step(step) for step in self.steps()))),
            deal=self.deal,
        )

    def steps(self) -> list[Step]:
        """Of the game, each burn with the house's number."""
        burns = iter(house_rules(self.house).burns)
        steps = catalog.game("HOLDEM").steps
        return [Burn(count=next(burns)) if isinstance(step, Burn) else step for step in steps]

    def starting(self) -> EngineHandStarting:
        """The event that a session puts before the hand's own."""
        return EngineHandStarting(
            hand_number=self.deal.hand_number,
            button=self.button,
            small_blind_seat=-1,
            big_blind_seat=-1,
            small_blind_chips=1,
            big_blind_chips=2,
            small_bet_chips=0,
            big_bet_chips=0,
            stacks=(100,) * self.n_seats,
            dealt_in=tuple(range(self.n_seats)),
            orbit_number=1,
        )


def proven(viewer: int | None = 1, how: Dealt = Dealt()) -> Proven:
    """A deal as `viewer` gets it; an honest one played to the showdown unless told otherwise."""
    return how.proven_to(viewer)


def wire_cards(*values: int) -> list[Card.ValueType]:
    """Cards by their value on the wire."""
    return [Card.ValueType(value) for value in values]
