"""Hands for tests of evaluators, and what it means that two ways of ranking agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_hands(seed: int, count: int, n_cards: int, n_deck: int = 52) -> NDArray[np.uint8]:
    """Rows of different cards; the seed is part of the test."""
    generator = np.random.default_rng(seed)
    order = generator.random((count, n_deck), dtype=np.float32).argpartition(n_cards, axis=1)
    return order[:, :n_cards].astype(np.uint8)


def assert_same_order(strengths: NDArray[np.int64], hand_ranks: NDArray[np.int32]) -> None:
    """Equal strengths have equal hand ranks, a greater strength has a greater one."""
    order = np.argsort(strengths, kind="stable")
    stronger = np.diff(strengths[order])
    higher = np.diff(hand_ranks[order])
    assert ((stronger > 0) == (higher > 0)).all()
    assert ((stronger == 0) == (higher == 0)).all()
