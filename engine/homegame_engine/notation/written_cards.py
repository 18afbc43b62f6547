"""The cards that somebody wrote down, put where the engine is about to deal them.

Where a card comes from depends on folds, draws, burns and shortages, so nothing here predicts it: a copy of the hand goes one
input ahead, and shows which positions of the deck that input deals. Cards that nobody wrote down stay CARD_UNKNOWN.

A stub that is mixed anew deals the same cards a second time; such a deal needs its deck and cannot be written down this way.
"""

from collections import deque
from collections.abc import Callable, Sequence

from homegame_engine.actions import AnyAction
from homegame_engine.cards import CARD_UNKNOWN
from homegame_engine.errors import InputError
from homegame_engine.events import AnyEvent
from homegame_engine.hand import Hand
from homegame_engine.specs import GameSpec


class WrittenCards:
    """The cards of one deal that are still to come, by seat and for the board, each in the order received.

    CARD_UNKNOWN holds the place of a card that was dealt and not seen.
    """

    def __init__(self, hole_cards: Sequence[Sequence[int]], board: Sequence[int]) -> None:
        """Take the private cards of each seat, drawn ones included, and the board. Raises InputError for a card twice."""
        given = [card for cards in (*hole_cards, board) for card in cards if card != CARD_UNKNOWN]
        if len(given) != len(set(given)):
            raise InputError("the same card stands twice", field="cards")
        self._hole_cards = [deque(cards) for cards in hole_cards]
        self._board = deque(board)
        self._placed: set[int] = set()  # Deck positions that took their card from here, known or not.

    @property
    def n_left(self) -> int:
        """How many cards were written down and not dealt yet."""
        return len(self._board) + sum(len(cards) for cards in self._hole_cards)

    def start(self, game: GameSpec, start: Callable[[bytes], Hand]) -> Hand:
        """Start a hand on a deck that deals these cards first; `start` makes the hand from a deck order."""
        order = bytearray([CARD_UNKNOWN]) * (game.deck.cards + game.deck.jokers)
        while placed := self._take(start(bytes(order))):
            for position, card in placed.items():
                order[position] = card
        return start(bytes(order))

    def apply(self, hand: Hand, seat: int, action: AnyAction) -> tuple[AnyEvent, ...]:
        """Apply an action to a hand that deals these cards. Raises what `Hand.apply` raises."""
        while True:
            ahead = hand.copy()
            ahead.apply(seat, action)
            placed = self._take(ahead)
            if not placed:
                return hand.apply(seat, action)
            for position, card in placed.items():
                if card != CARD_UNKNOWN:
                    hand.enter_card(position, card)

    def _take(self, ahead: Hand) -> dict[int, int]:
        """Deck positions that `ahead` has dealt anew, each with the card written for it."""
        taken: dict[int, int] = {}
        dealt = [(ahead.hole_positions(seat), cards) for seat, cards in enumerate(self._hole_cards)]
        for positions, cards in (*dealt, (ahead.board_positions, self._board)):
            for position in positions:
                if position not in self._placed:
                    self._placed.add(position)
                    taken[position] = cards.popleft() if cards else CARD_UNKNOWN
        return taken
