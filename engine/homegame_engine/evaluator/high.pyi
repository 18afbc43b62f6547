from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

CATEGORIES: Final[tuple[str, ...]]
RANK_WORDS: Final[tuple[str, ...]]

class HighHand(NamedTuple):
    hand_rank: int
    category: str
    text: str
    best_cards: tuple[int, ...]

def evaluate(cards: Sequence[int]) -> int: ...
def evaluate_batch(cards: NDArray[np.uint8]) -> NDArray[np.int32]: ...
def count_hand_ranks(n_cards: int) -> NDArray[np.int64]: ...
def category(hand_rank: int) -> str: ...
def describe(cards: Sequence[int]) -> HighHand: ...
