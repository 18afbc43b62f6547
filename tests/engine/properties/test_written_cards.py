"""A deal of which only the cards by seat are written down can be dealt again, in every game and whatever the seats do."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import (
    AnyAction,
    Bet,
    BringIn,
    Call,
    Check,
    Complete,
    Declare,
    Discard,
    Draw,
    Fold,
    LegalActions,
    Muck,
    PassCards,
    Raise,
    Show,
)
from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.deal_proof import deck_cards
from homegame_engine.errors import InputError
from homegame_engine.hand import Hand
from homegame_engine.notation.written_cards import WrittenCards
from tests.game_hands import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame_engine.specs import GameSpec

N_SEATS = 4
N_DEALS = 6  # Of each game.


def chosen(hand: Hand, generator: random.Random) -> AnyAction:
    """An action of the seat to act, any legal kind being as likely as another, but folds rarer."""
    legal = hand.legal_actions()
    kind = generator.choice([kind for kind in legal.kinds if kind != "fold" or generator.random() < 0.3] or ["fold"])
    return action_of(kind, legal, hand.hole_cards(hand.actor), generator)


def action_of(kind: str, legal: LegalActions, held: tuple[int, ...], generator: random.Random) -> AnyAction:
    plain: dict[str, AnyAction] = {
        "fold": Fold(),
        "check": Check(),
        "call": Call(call_chips=legal.call_chips),
        "bring_in": BringIn(),
        "complete": Complete(),
        "bet": Bet(to_chips=legal.raise_to_min_chips),
        "raise": Raise(to_chips=legal.raise_to_min_chips),
        "show": Show(),
        "muck": Muck(),
    }
    if kind in plain:
        return plain[kind]
    if kind == "declare":
        return Declare(half=generator.choice(legal.halves))
    of_kind: dict[str, Callable[..., AnyAction]] = {"draw": Draw, "discard": Discard, "pass": PassCards}
    n_cards = generator.randint(legal.cards_min or 0, min(legal.cards_max or 0, len(held)))
    return of_kind[kind](cards=tuple(generator.sample(held, n_cards)))


def starter(game: GameSpec, seed: int) -> Callable[[bytes], Hand]:
    house = "HOUSE_NIGHT" if game.forced == "ANTES" else "CLUB"
    rules = rules_of(house, ante_chips=1, bring_in_chips=1 if game.forced == "BRING_IN" else 0)
    stacks = [40 + seed * seat for seat in range(N_SEATS)]
    return lambda deck_order: Hand.start(game, rules, stacks=stacks, button=seed % N_SEATS, deck_order=deck_order)


def played(game: GameSpec, seed: int) -> tuple[list[ev.AnyEvent], list[tuple[int, AnyAction]]]:
    """A random deal: everything that happened, and the inputs."""
    generator = random.Random(seed)  # noqa: S311 - a repeatable deal, no secret
    deck = bytearray(deck_cards(game.deck.cards + game.deck.jokers))
    generator.shuffle(deck)
    hand = starter(game, seed)(bytes(deck))
    events = [*hand.take_events()]
    inputs: list[tuple[int, AnyAction]] = []
    while not hand.is_over:
        inputs.append((hand.actor, chosen(hand, generator)))
        events += hand.apply(*inputs[-1])
    return events, inputs


def written_down(events: list[ev.AnyEvent]) -> WrittenCards:
    """The cards as each seat received them from the deck, and the board."""
    hole_cards: list[list[int]] = [[] for _ in range(N_SEATS)]
    board: list[int] = []
    for event in events:
        if isinstance(event, ev.HoleCardsDealt | ev.UpCardsDealt | ev.CardsDrawn):
            hole_cards[event.seat] += event.cards
        elif isinstance(event, ev.BoardDealt):
            board += event.cards
        elif isinstance(event, ev.CommonCardDealt):
            board.append(event.card)
    return WrittenCards(hole_cards, board)


@pytest.mark.parametrize("game_id", sorted(catalog.games()))
def test_every_deal_is_dealt_again_from_what_the_seats_received(game_id: str) -> None:
    game = catalog.game(game_id)
    for seed in range(N_DEALS):
        events, inputs = played(game, seed)
        cards = written_down(events)
        hand = cards.start(game, starter(game, seed))
        again = [*hand.take_events()]
        for seat, action in inputs:
            again += cards.apply(hand, seat, action)
        assert again == events
        assert cards.n_left == 0
        assert CARD_UNKNOWN in hand.deck_order, "burns and the stub were not written down"


def test_card_01_a_card_is_written_down_once() -> None:
    with pytest.raises(InputError, match="twice"):
        WrittenCards([parse_cards("AsKs"), parse_cards("As??")], ())
    with pytest.raises(InputError, match="twice"):
        WrittenCards([parse_cards("AsKs")], parse_cards("2c2dKs"))
