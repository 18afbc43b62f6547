"""Slow, obvious answers about low hands. Shares no code with the engine and none with its table generators.

As in `evaluator.py` a strength is a tuple or a number that grows with the hand: here the better low has the greater one.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ACE_TO_FIVE = "ACE_TO_FIVE"
ACE_TO_SIX = "ACE_TO_SIX"
DEUCE_TO_SEVEN = "DEUCE_TO_SEVEN"
LOWS = (ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SEVEN)

SHAPES = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [3, 2], [4, 1]]
CATEGORIES = [0, 1, 2, 3, 6, 7]
STRAIGHT, FLUSH, STRAIGHT_FLUSH = 4, 5, 8


def low_rank(rank: int, copies: int, ranking: str) -> int:
    """A rank as it counts in a low, 2 to 14; the ace is 1 where it is low (RANK-LO-01, RANK-LO-03, RANK-LO-04)."""
    if rank != 14 or ranking == DEUCE_TO_SEVEN:
        return rank
    return 14 if ranking == ACE_TO_SIX and copies > 1 else 1


def strength_of_five(cards: Sequence[int], ranking: str) -> tuple[int, list[int]]:
    """What exactly five cards are worth as a low."""
    counts = Counter(card // 4 + 2 for card in cards)
    ranks = {low_rank(rank, copies, ranking): copies for rank, copies in counts.items()}
    by_weight = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    category = CATEGORIES[SHAPES.index(sorted(ranks.values(), reverse=True))]
    if ranking != ACE_TO_FIVE and category == 0:
        straight = max(ranks) - min(ranks) == 4
        flush = len({card % 4 for card in cards}) == 1
        category = {(True, True): STRAIGHT_FLUSH, (True, False): STRAIGHT, (False, True): FLUSH}.get(
            (straight, flush), 0
        )
    return -category, [-rank for rank in by_weight]


def strength(cards: Sequence[int], ranking: str) -> tuple[int, list[int]]:
    """The best of all fives."""
    return max(strength_of_five(five, ranking) for five in combinations(cards, 5))


def qualifies(cards: Sequence[int], highest: int) -> bool:
    """Whether there are five different ranks, all so low or lower, the ace low (RANK-LO-02)."""
    return sum(1 for rank in {1 if card // 4 == 12 else card // 4 + 2 for card in cards} if rank <= highest) >= 5


def strengths_of_fives(hands: NDArray[np.uint8], ranking: str) -> NDArray[np.int64]:
    """`strength_of_five` for whole arrays, written from the rules a second time: a number that grows with the hand."""
    ranks = hands // 4
    held = np.zeros((len(hands), 15), dtype=np.int16)
    for place in range(5):
        held += np.eye(15, dtype=np.int16)[ranks[:, place] + 2]
    low_aces = held[:, 14].copy()
    if ranking == DEUCE_TO_SEVEN:
        low_aces[:] = 0
    elif ranking == ACE_TO_SIX:
        low_aces[low_aces > 1] = 0
    held[:, 1] = low_aces
    held[:, 14] -= low_aces
    # One digit a rank: cards held of that rank come before the rank itself; an absent rank weighs nothing.
    weight = np.where(held > 0, held * 15 + np.arange(15, dtype=np.int16), 0)
    weight.sort(axis=1)
    decides = np.zeros(len(hands), dtype=np.int64)
    for place in range(5):
        decides = decides * 15 + weight[:, -1 - place] % 15
    most, distinct = held.max(axis=1), (held > 0).sum(axis=1)
    category = np.select(
        [most == 4, (most == 3) & (distinct == 2), most == 3, (most == 2) & (distinct == 3), most == 2],
        [7, 6, 3, 2, 1],
        default=0,
    )
    if ranking != ACE_TO_FIVE:
        lowest, highest = (held > 0).argmax(axis=1), 14 - (held[:, ::-1] > 0).argmax(axis=1)
        straight = (distinct == 5) & (highest - lowest == 4)
        flush = (hands % 4 == hands[:, :1] % 4).all(axis=1)
        category = np.select([straight & flush, straight, flush], [8, 4, 5], default=category)
    return -(category.astype(np.int64) * 15**5 + decides)


def badugi(cards: Sequence[int]) -> tuple[int, list[int]]:
    """The best cards of different ranks and suits: more first, then the lowest from the top, the ace low."""
    possible = []
    for size in range(1, 5):
        for kept in combinations(cards, size):
            ranks = {1 if card // 4 == 12 else card // 4 + 2 for card in kept}
            if len(ranks) == size and len({card % 4 for card in kept}) == size:
                possible.append((size, [-rank for rank in sorted(ranks, reverse=True)]))
    return max(possible)
