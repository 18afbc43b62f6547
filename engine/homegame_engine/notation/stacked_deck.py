"""A deck order that deals the cards somebody wrote down, as long as nobody folds or draws before they are dealt.

`written_cards` deals them whatever happens, one input at a time.
"""

from collections.abc import Sequence

from homegame_engine.cards import CARD_UNKNOWN
from homegame_engine.deal_proof import deck_cards
from homegame_engine.errors import InputError
from homegame_engine.specs import Burn, DealBoard, DealDown, DealUp, GameSpec, HandRules


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
        hole_cards: Private cards of each seat in the order received, up cards included; every seat is dealt in. Fewer
            than the game deals, or CARD_UNKNOWN, where nobody knows them.
        board: Common cards, as far as dealt.
        fill: True puts the remaining cards, in the order of their codes, wherever no card is given; False leaves
            CARD_UNKNOWN there.

    Returns:
        The codes of the game's whole deck, top first.

    Raises:
        InputError: a card stands twice or is none of this deck, or more cards are given than the game deals.
    """
    deck = deck_cards(game.deck.cards + game.deck.jokers)
    order = _places(game, rules, len(deck), button=button, hole_cards=hole_cards, board=board)
    given = [card for card in order if card != CARD_UNKNOWN]
    if len(given) != len(set(given)):
        raise InputError("the same card stands twice", field="cards")
    if not set(given) <= set(deck):
        raise InputError("a card is none of this game's deck", field="cards")
    if fill:
        unused = iter(card for card in deck if card not in given)
        order = [next(unused) if card == CARD_UNKNOWN else card for card in order]
    return bytes(order)


def _places(
    game: GameSpec,
    rules: HandRules,
    n_cards: int,
    *,
    button: int,
    hole_cards: Sequence[Sequence[int]],
    board: Sequence[int],
) -> list[int]:
    """The deck with the given cards in place and CARD_UNKNOWN elsewhere."""
    n_seats = len(hole_cards)
    if any(len(cards) > game.hole_card_count for cards in hole_cards) or len(board) > game.board_card_count:
        raise InputError("more cards than the game deals", field="cards")
    order = [CARD_UNKNOWN] * n_cards
    position = n_dealt_each = n_board = n_house_burns = 0
    for step in game.steps:
        if isinstance(step, DealDown | DealUp):
            for _ in range(step.count):
                for i in range(1, n_seats + 1):
                    cards = hole_cards[(button + i) % n_seats]
                    if n_dealt_each < len(cards):
                        order[position] = cards[n_dealt_each]
                    position += 1
                n_dealt_each += 1
        elif isinstance(step, Burn) and step.count == 0:
            position += rules.burns[n_house_burns]
            n_house_burns += 1
        elif isinstance(step, Burn):
            position += step.count
        elif isinstance(step, DealBoard):
            dealt = board[n_board : n_board + step.count]
            order[position : position + len(dealt)] = dealt
            n_board += step.count
            position += step.count
    return order
