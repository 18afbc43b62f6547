"""The cards that are still to be dealt, as one viewer can know them: where each of them may lie in the deck.

Before the stub is mixed anew every card has one place. Mixed cards have all the places of what was mixed: in which order they lie
was fixed before the cut and is opened to nobody, from which places they come can be counted.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from homegame.v1.cards_pb2 import Card


@dataclass(frozen=True)
class Held:
    """A card that left the stub: its face as far as the viewer knows it, and the places it may have come from."""

    card: Card.ValueType
    places: frozenset[int]
    """Numbers in the order dealt, from 0; empty = more cards were dealt than the deck has."""
    words: str
    ids: frozenset[int]
    """Which of the cards that left the stub it may be, numbered as they left; several where a seat gave up cards unseen."""
    is_straight: bool = True
    """Whether it surely came straight from the sealed deck: passed on by nobody, and brought back by no reshuffle."""


class Stub:
    """What can still be dealt, top first, and what is out of play.

    Args:
        n_cards: Number of cards in the deck.
    """

    def __init__(self, n_cards: int) -> None:
        self._places = deque(frozenset({place}) for place in range(n_cards))
        self._deck = frozenset(range(n_cards))
        self._n_taken = 0
        self._is_mixed = False
        self.out_of_play: list[Held] = []
        """Burned and given up since the stub was mixed last; folded hands are added when it is mixed."""
        self.is_overdrawn = False
        """Whether more cards were dealt than there were."""

    def __len__(self) -> int:
        return len(self._places)

    def take(self, card: Card.ValueType, words: str) -> Held:
        """Take the top card."""
        self._n_taken += 1
        self.is_overdrawn = self.is_overdrawn or not self._places
        places = self._places.popleft() if self._places else frozenset[int]()
        return Held(card, places, words, frozenset({self._n_taken}), not self._is_mixed)

    def resolve(self, held: Held, card: Card.ValueType) -> Held:
        """Return a card of a seat whose face is now known: from here on it is one card and no other."""
        self._n_taken += 1
        return Held(card, held.places, held.words, frozenset({self._n_taken}), held.is_straight)

    def burn(self, count: int) -> None:
        """Put cards out of play that nobody saw."""
        self.out_of_play += [self.take(Card.CARD_HIDDEN, "a burned card") for _ in range(count)]

    def mix_under(self, mixed: Iterable[Held], count: int) -> None:
        """Put `count` cards, of those that may have been mixed, under what is left (CARD-06, GAME-DC-09)."""
        self._is_mixed = True
        pool = self._pool(mixed)
        self._places.extend([pool] * count)

    def mix_whole(self, mixed: Iterable[Held], count: int) -> None:
        """Make a stub of `count` cards, of those that may have been mixed and of what is left (GAME-ST-17)."""
        self._is_mixed = True
        pool = self._pool(mixed).union(*self._places)
        self._places = deque([pool] * count)

    def mix_anything(self) -> None:
        """Make a stub of which nothing is known."""
        self._is_mixed = True
        self._places = deque([self._deck] * len(self._deck))

    def _pool(self, mixed: Iterable[Held]) -> frozenset[int]:
        pools = [held.places for held in mixed]
        return frozenset().union(*pools) if all(pools) else self._deck
