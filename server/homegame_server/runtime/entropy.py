"""Chance for live nights: decks, draws and ids from the operating system's generator, without modulo bias.

What is drawn here goes into an input and with it into the journal; nothing is drawn twice for the same hand.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from typing import Final

from homegame_engine.cards import full_deck

_WHOLE_DECK: Final = full_deck()
_ID_BYTES: Final = 12  # 96 bits: nobody guesses an id, and none comes twice.


class Entropy(ABC):
    """A source of chance, as a value that tests replace."""

    @abstractmethod
    def draw_below(self, bound: int) -> int:
        """Return a uniform integer from 0 to `bound` - 1."""

    @abstractmethod
    def new_id(self, prefix: str) -> str:
        """Return an id that nobody has and nobody can guess."""

    def shuffle_deck(self, deck: bytes = _WHOLE_DECK) -> bytes:
        """Return the cards of a deck in uniform order, top first."""
        return self._shuffle(deck)

    def draw_mix_orders(self, n_cards: int, n_orders: int) -> bytes:
        """Return so many uniform orders of all positions of a deck, one after the other (CARD-06)."""
        return b"".join(self._shuffle(bytes(range(n_cards))) for _ in range(n_orders))

    def _shuffle(self, items: bytes) -> bytes:
        """By Fisher and Yates."""
        order = bytearray(items)
        # Invariant: the items above `last` are a uniform choice in uniform order.
        for last in range(len(order) - 1, 0, -1):
            chosen = self.draw_below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return bytes(order)


class SystemEntropy(Entropy):
    """The operating system's generator. `secrets.randbelow` draws again rather than fold the range."""

    def draw_below(self, bound: int) -> int:
        """See `Entropy.draw_below`."""
        return secrets.randbelow(bound)

    def new_id(self, prefix: str) -> str:
        """See `Entropy.new_id`."""
        return f"{prefix}-{secrets.token_hex(_ID_BYTES)}"
