"""Slow, obvious answers about high hands. Shares no code with the engine and none with its table generator.

A strength is a tuple (or, for whole arrays, a number) that grows with the hand: category first, then the ranks that
decide. Only the order means anything; the engine's numbers are others.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

N_FIVES = comb(52, 5)


def strength_of_five(cards: Sequence[int]) -> tuple[int, list[int]]:
    """What exactly five cards are worth (RANK-HI-02 to RANK-HI-04)."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    straight = ranks == list(range(ranks[0], ranks[0] - 5, -1))
    counts = Counter(ranks)
    by_weight = sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    kinds = [
        straight and flush,
        shape == [4, 1],
        shape == [3, 2],
        flush,
        straight,
        shape == [3, 1, 1],
        shape == [2, 2, 1],
        shape == [2, 1, 1, 1],
        True,
    ]
    return 8 - kinds.index(True), by_weight


def strength(cards: Sequence[int]) -> tuple[int, list[int]]:
    """The best of all fives (RANK-HI-01)."""
    return max(strength_of_five(five) for five in combinations(cards, 5))


def all_fives() -> NDArray[np.uint8]:
    """Every hand of five cards, one a row."""
    cards = np.fromiter(chain.from_iterable(combinations(range(52), 5)), dtype=np.uint8, count=5 * N_FIVES)
    return cards.reshape(N_FIVES, 5)


def strengths_of_fives(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """`strength_of_five` for whole arrays, written from the rule a second time: a number that grows with the hand."""
    ranks = hands // 4
    held = np.zeros((len(hands), 13), dtype=np.int16)
    for place in range(5):
        held += np.eye(13, dtype=np.int16)[ranks[:, place]]
    flush = (hands % 4 == hands[:, :1] % 4).all(axis=1)
    # One digit a rank: cards held of that rank come before the rank itself; an absent rank weighs nothing.
    weight = np.where(held > 0, held * 13 + np.arange(13, dtype=np.int16), 0)
    weight.sort(axis=1)
    decides = np.zeros(len(hands), dtype=np.int64)
    for place in range(5):
        decides = decides * 13 + weight[:, -1 - place] % 13
    most, distinct = held.max(axis=1), (held > 0).sum(axis=1)
    low, high = ranks.min(axis=1).astype(np.int64), ranks.max(axis=1).astype(np.int64)
    wheel = (distinct == 5) & (held[:, [0, 1, 2, 3, 12]] == 1).all(axis=1)
    straight = (distinct == 5) & (high - low == 4) | wheel
    decides = np.where(straight, np.where(wheel, 3, high), decides)
    category = np.select(
        [
            straight & flush,
            most == 4,
            (most == 3) & (distinct == 2),
            flush,
            straight,
            most == 3,
            (most == 2) & (distinct == 3),
            most == 2,
        ],
        [8, 7, 6, 5, 4, 3, 2, 1],
        default=0,
    )
    return category.astype(np.int64) * 13**5 + decides


class AllHands:
    """Strengths of hands of more than five cards, as the best of all their fives read from a table of every five."""

    def __init__(self, fives: NDArray[np.uint8], strengths: NDArray[np.int64]) -> None:
        # The place of a hand c1 < c2 < … is C(c1, 1) + C(c2, 2) + …
        self._choose = np.array([[comb(card, size) for card in range(52)] for size in range(1, 6)], dtype=np.int32)
        self._strengths = np.zeros(N_FIVES, dtype=np.int64)
        self._strengths[self._place(fives)] = strengths

    def _place(self, fives: NDArray[np.uint8]) -> NDArray[np.int32]:
        place = np.zeros(len(fives), dtype=np.int32)
        for size in range(5):
            place += self._choose[size][fives[:, size]]
        return place

    def strengths(self, hands: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The best five of each row (RANK-HI-01)."""
        ordered = np.sort(hands, axis=1)
        best = np.zeros(len(hands), dtype=np.int64)
        for five in combinations(range(hands.shape[1]), 5):
            np.maximum(best, self._strengths[self._place(ordered[:, five])], out=best)
        return best
