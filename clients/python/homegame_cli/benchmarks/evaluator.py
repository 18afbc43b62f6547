"""How fast seven cards are ranked: in arrays, one call at a time, and in one loop over every hand there is."""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from homegame_cli.benchmarks.figures import Figure, Setting, compare_best
from homegame_engine.evaluator.high import count_hand_ranks, evaluate, evaluate_batch
from homegame_sim.floors import add_bytes, add_combinations, empty_call

UNIT: Final = "hands/s"
N_CARDS: Final = 7
BATCH_HANDS: Final = 100_000
CALL_HANDS: Final = 10_000
"""As many as fit a processor's cache: what is timed is the call."""
_SEED: Final = 7


def random_hands(n_hands: int, n_cards: int = N_CARDS) -> NDArray[np.uint8]:
    """Rows of different cards; the same every time."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (n_hands, 1))
    shuffled = np.random.default_rng(_SEED).permuted(decks, axis=1)
    return np.ascontiguousarray(shuffled[:, :n_cards])


def random_tuples(n_hands: int) -> list[tuple[int, ...]]:
    """The same hands as Python callers hold them."""
    return [tuple(row) for row in random_hands(n_hands).tolist()]


def batch(setting: Setting) -> Iterator[Figure]:
    """`evaluate_batch` against a loop that only adds up the same bytes."""
    cards = random_hands(BATCH_HANDS)

    def measured() -> int:
        return len(evaluate_batch(cards))

    def floor() -> int:
        add_bytes(cards)
        return len(cards)

    pair = compare_best(measured, floor, setting.seconds)
    yield Figure("eval7.batch", pair.value, UNIT, "adding up the same bytes", pair.reference)


def call(setting: Setting) -> Iterator[Figure]:
    """`evaluate` against an empty compiled function of the same signature, both through `map`."""
    hands = random_tuples(CALL_HANDS)
    pair = compare_best(calling(evaluate, hands), calling(empty_call, hands), setting.seconds)
    yield Figure("eval7.call", pair.value, UNIT, "calling an empty compiled function", pair.reference)


def calling(function: Callable[[tuple[int, ...]], int], hands: Sequence[tuple[int, ...]]) -> Callable[[], int]:
    """A piece of work: one call for each hand, with nothing of Python between two calls."""

    def work() -> int:
        deque(map(function, hands), maxlen=0)
        return len(hands)

    return work


def native(setting: Setting) -> Iterator[Figure]:
    """`count_hand_ranks(7)` against the same walk through all 133,784,560 hands that only adds."""
    n_hands = math.comb(52, N_CARDS)

    def measured() -> int:
        count_hand_ranks(N_CARDS)
        return n_hands

    def floor() -> int:
        add_combinations(N_CARDS)
        return n_hands

    pair = compare_best(measured, floor, setting.seconds)
    yield Figure("eval7.native", pair.value, UNIT, "walking through the same hands and adding", pair.reference)
