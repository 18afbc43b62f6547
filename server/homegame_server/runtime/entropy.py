"""Chance for live nights: decks, draws and ids from the operating system's generator, without modulo bias.

What is drawn here goes into an input and with it into the journal; nothing is drawn twice for the same hand.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from typing import Final

from homegame_engine.cards import full_deck

_ID_BYTES: Final = 12  # 96 bits: nobody guesses an id, and none comes twice.


class Entropy(ABC):
    """A source of chance, as a value that tests replace."""

    @abstractmethod
    def draw_below(self, bound: int) -> int:
        """Return a uniform integer from 0 to `bound` - 1."""

    @abstractmethod
    def new_id(self, prefix: str) -> str:
        """Return an id that nobody has and nobody can guess."""

    def shuffle_deck(self) -> bytes:
        """Return 52 card codes in uniform order, top first, by Fisher and Yates."""
        deck = bytearray(full_deck())
        # Invariant: the cards above `last` are a uniform choice in uniform order.
        for last in range(len(deck) - 1, 0, -1):
            chosen = self.draw_below(last + 1)
            deck[last], deck[chosen] = deck[chosen], deck[last]
        return bytes(deck)


class SystemEntropy(Entropy):
    """The operating system's generator. `secrets.randbelow` draws again rather than fold the range."""

    def draw_below(self, bound: int) -> int:
        """See `Entropy.draw_below`."""
        return secrets.randbelow(bound)

    def new_id(self, prefix: str) -> str:
        """See `Entropy.new_id`."""
        return f"{prefix}-{secrets.token_hex(_ID_BYTES)}"
