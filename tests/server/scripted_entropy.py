"""Chance that a test writes down beforehand, or draws from a seed."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from homegame_engine.cards import full_deck
from homegame_server.runtime.entropy import Entropy

if TYPE_CHECKING:
    from collections.abc import Iterable


class ScriptedEntropy(Entropy):
    """Ids are counted; decks come from the script while it lasts, then from the seed."""

    def __init__(self, seed: int = 1, decks: Iterable[bytes] = ()) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a test repeats it
        self._decks = list(decks)
        self._ids = itertools.count(1)

    def draw_below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}-{next(self._ids)}"

    def shuffle_deck(self, deck: bytes = full_deck()) -> bytes:
        return self._decks.pop(0) if self._decks else super().shuffle_deck(deck)
