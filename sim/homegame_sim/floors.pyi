"""Types of the compiled module `floors`; see floors.pxd."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def add_bytes(cards: NDArray[np.uint8]) -> int:
    """Read every byte of a C-contiguous array of rows once and add it up: the floor of a batch evaluation."""

def empty_call(cards: Sequence[int]) -> int:
    """Return at once: the floor of a call of `evaluate`, which has the same signature."""

def add_combinations(n_cards: int) -> int:
    """Go through all hands of `n_cards` cards, 1 to 7, adding one number a card: the floor of counting their ranks.

    Raises:
        InputError: another number of cards.
    """

def deal_and_draw(*, n_hands: int, n_cards: int, n_decisions: int, seed: int = 1) -> int:
    """Shuffle `n_cards` a hand and draw `n_decisions` in all, evenly over the hands: the floor of playing hands.

    Raises:
        InputError: no hand, cards that no deck holds, decisions below 0, or a seed of 0.
    """
