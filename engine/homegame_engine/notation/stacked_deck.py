"""A deck order that deals the cards somebody wrote down: each card where the deal of that game will take it."""

from collections.abc import Sequence

from homegame_engine.cards import CARD_UNKNOWN, full_deck
from homegame_engine.errors import InputError
from homegame_engine.specs import BettingStreet, Burn, DealBoard, DealDown, GameSpec, HandRules


def stack_deck(
    game: GameSpec,
    rules: HandRules,
    *,
    button: int,
    hole_cards: Sequence[Sequence[int]],
    board: Sequence[int],
    fill: bool = True,
) -> bytes:
    """Order a deck so that it deals the given cards.

    Args:
        game: What is dealt.
        rules: The house's burns (CARD-07).
        button: Seat of the button; the seat left of it is dealt first (GAME-HE-01).
        hole_cards: Private cards of each seat in the order received; every seat is dealt in. Fewer than the game
            deals, or CARD_UNKNOWN, where nobody knows them.
        board: Common cards, as far as dealt.
        fill: True puts the remaining cards, in the order of their codes, wherever no card is given; False leaves
            CARD_UNKNOWN there.

    Returns:
        52 card codes, top first.

    Raises:
        InputError: a card stands twice, or more cards are given than the game deals.
    """
    order = _places(game, rules, button=button, hole_cards=hole_cards, board=board)
    given = [card for card in order if card != CARD_UNKNOWN]
    if len(given) != len(set(given)):
        raise InputError("the same card stands twice", field="cards")
    if fill:
        unused = iter(card for card in full_deck() if card not in given)
        order = [next(unused) if card == CARD_UNKNOWN else card for card in order]
    return bytes(order)


def _places(
    game: GameSpec,
    rules: HandRules,
    *,
    button: int,
    hole_cards: Sequence[Sequence[int]],
    board: Sequence[int],
) -> list[int]:
    """The deck with the given cards in place and CARD_UNKNOWN elsewhere."""
    n_seats = len(hole_cards)
    if any(len(cards) > game.hole_card_count for cards in hole_cards) or len(board) > game.board_card_count:
        raise InputError("more cards than the game deals", field="cards")
    order = [CARD_UNKNOWN] * len(full_deck())
    position = n_dealt_each = n_board = 0
    street = -1
    for step in game.steps:
        if isinstance(step, DealDown):
            for _ in range(step.count):
                for i in range(1, n_seats + 1):
                    cards = hole_cards[(button + i) % n_seats]
                    if n_dealt_each < len(cards):
                        order[position] = cards[n_dealt_each]
                    position += 1
                n_dealt_each += 1
        elif isinstance(step, BettingStreet):
            street += 1
        elif isinstance(step, Burn):
            position += rules.burns[street]
        elif isinstance(step, DealBoard):
            dealt = board[n_board : n_board + step.count]
            order[position : position + len(dealt)] = dealt
            n_board += step.count
            position += step.count
    return order
