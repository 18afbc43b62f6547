"""Slow, obvious answers about wild cards: every card of the deck is tried for each of them.

What a set of natural cards is worth with wild ones is worked out once for all sets: one of four natural cards is the best of
its 48 completions, one of three the best of its completions to four, and so on. A hand is the best of all its fives. Shares no
code with the engine.
"""

from __future__ import annotations

from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FIVE_OF_A_KIND = 1 << 40
"""More than any strength of a natural hand (RANK-WILD-02)."""


def all_sets(size: int) -> NDArray[np.uint8]:
    """Every set of so many cards of 52, one a row, in ascending order."""
    cards = np.fromiter(chain.from_iterable(combinations(range(52), size)), dtype=np.uint8)
    return cards.reshape(comb(52, size), size)


class WildHands:
    """Strengths of hands with wild cards, from the strengths of every natural five."""

    def __init__(self, fives: NDArray[np.uint8], strengths: NDArray[np.int64], *, five_of_a_kind: bool) -> None:
        # The place of a set c1 < c2 < … is C(c1, 1) + C(c2, 2) + …
        self._choose = np.array([[comb(card, size) for card in range(52)] for size in range(1, 6)], dtype=np.int64)
        self._best = {5: np.zeros(comb(52, 5), dtype=np.int64)}
        self._best[5][self._place(fives)] = strengths
        larger = fives
        for size in range(4, 0, -1):
            best = np.full(comb(52, size), np.iinfo(np.int64).min)
            for left_out in range(size + 1):
                smaller = np.delete(larger, left_out, axis=1)
                np.maximum.at(best, self._place(smaller), self._best[size + 1][self._place(larger)])
            larger = all_sets(size)
            if five_of_a_kind:
                alike = (larger // 4 == larger[:, :1] // 4).all(axis=1)
                best[self._place(larger[alike])] = FIVE_OF_A_KIND + (larger[alike, 0] // 4).astype(np.int64)
            self._best[size] = best
        self._best[0] = self._best[1].max(keepdims=True)

    def _place(self, sets: NDArray[np.uint8]) -> NDArray[np.int64]:
        place = np.zeros(len(sets), dtype=np.int64)
        for column in range(sets.shape[1]):
            place += self._choose[column][sets[:, column]]
        return place

    def strengths(self, natural: NDArray[np.uint8], n_wild: int) -> NDArray[np.int64]:
        """The best of each row of natural cards with so many wild ones beside it."""
        natural = np.sort(natural, axis=1)
        best = np.full(len(natural), np.iinfo(np.int64).min)
        for n_used in range(min(n_wild, 5) + 1):
            for columns in combinations(range(natural.shape[1]), 5 - n_used):
                np.maximum(best, self._best[5 - n_used][self._place(natural[:, list(columns)])], out=best)
        return best

    def strengths_of_hands(self, hands: NDArray[np.uint8], is_wild: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best of each row of cards, of which those marked are wild."""
        strengths = np.zeros(len(hands), dtype=np.int64)
        n_wild_of_row = is_wild.sum(axis=1)
        for n_wild in np.unique(n_wild_of_row).tolist():
            rows = n_wild_of_row == n_wild
            natural = hands[rows][~is_wild[rows]].reshape(int(rows.sum()), hands.shape[1] - n_wild)
            strengths[rows] = self.strengths(natural, n_wild)
        return strengths


def low_hole_readings(down: Sequence[int], hand: Sequence[int]) -> list[set[int]]:
    """Which cards are wild because of the lowest face-down one, with its ace high and with its ace low (RANK-WILD-04)."""
    readings = []
    for ace in (14, 1):
        lowest = min((ace if card // 4 == 12 else card // 4 + 2, card // 4) for card in down)[1]
        readings.append({card for card in hand if card // 4 == lowest})
    return readings
