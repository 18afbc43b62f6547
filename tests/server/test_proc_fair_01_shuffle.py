"""PROC-FAIR-01: each card comes to each place equally often, neighbours show no link, and a cut changes nothing about it.

Two statistics over DECKS decks, each compared with the chi-square distribution at a posted level. With keys written down here the
outcome never changes and the level is 10^-3; the operating system's generator is drawn anew in every run, so there the level is
10^-9: a false alarm comes once in a billion runs. A shuffle with the best-known fault must fail both, or the tests see nothing.
"""

from __future__ import annotations

import functools
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from homegame_engine.cards import full_deck
from homegame_engine.deal_proof import cut
from homegame_server.runtime.entropy import Entropy, SystemEntropy

if TYPE_CHECKING:
    from collections.abc import Callable

DECKS = 4000
CARDS = 52
NORMAL_AT_LEVEL = {1e-3: 3.09, 1e-9: 6.00}
"""Level to the standard normal value that it leaves above."""


class Keyed(Entropy):
    """Draws that follow from a key."""

    def __init__(self, key: int) -> None:
        self._random = random.Random(key)  # noqa: S311 - a test repeats it

    def draw_below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def new_id(self, prefix: str) -> str:
        return prefix


def operating_system(_key: int) -> Entropy:
    """What a live night draws from; it has no key that we could choose."""
    return SystemEntropy()


class SwapsWithAnywhere(Keyed):
    """The shuffle that only looks right: each card changes places with any of the 52."""

    def shuffle_deck(self, deck: bytes = bytes(full_deck())) -> bytes:
        order = bytearray(deck)
        for place in range(CARDS):
            chosen = self.draw_below(CARDS)
            order[place], order[chosen] = order[chosen], order[place]
        return bytes(order)


@functools.cache
def decks_of(make: Callable[[int], Entropy]) -> list[bytes]:
    """A deck from each of many keys; the same ones for every test of this run."""
    return [make(key).shuffle_deck() for key in range(DECKS)]


def chi_square_limit(degrees: int, level: float) -> float:
    """Value that chi-square passes with probability `level`, by Wilson and Hilferty."""
    spread = 2 / (9 * degrees)
    return float(degrees * (1 - spread + NORMAL_AT_LEVEL[level] * spread**0.5) ** 3)


def places_statistic(decks: list[bytes]) -> float:
    """Chi-square of 52 cards by 52 places, 51 · 51 degrees of freedom.

    Every deck fills each row and each column once, so the plain sum is 52 · 51 on average; 51/52 of it is chi-square.
    """
    order = np.frombuffer(b"".join(decks), dtype=np.uint8).reshape(-1, CARDS).astype(np.int64)
    cells = np.bincount((order * CARDS + np.arange(CARDS)).ravel(), minlength=CARDS * CARDS)
    expected = len(decks) / CARDS
    return float(((cells - expected) ** 2 / expected).sum() * (CARDS - 1) / CARDS)


def neighbours_statistic(decks: list[bytes]) -> float:
    """Chi-square of how far a card's upper neighbour lies from it, code by code around the circle: 50 degrees of freedom.

    One pair of each deck, another place each time, so that the pairs are independent.
    """
    steps = [(deck[i % (CARDS - 1) + 1] - deck[i % (CARDS - 1)]) % CARDS for i, deck in enumerate(decks)]
    cells = np.bincount(steps, minlength=CARDS)[1:]
    expected = len(decks) / (CARDS - 1)
    return float(((cells - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("cut_position", [None, 1, 17])
@pytest.mark.parametrize(("make", "level"), [(Keyed, 1e-3), (operating_system, 1e-9)], ids=["keys", "operating-system"])
def test_proc_fair_01_places_and_neighbours_are_even(
    make: Callable[[int], Entropy], level: float, cut_position: int | None
) -> None:
    decks = decks_of(make)
    if cut_position is not None:
        decks = [cut(deck, cut_position) for deck in decks]
    assert places_statistic(decks) < chi_square_limit((CARDS - 1) ** 2, level)
    assert neighbours_statistic(decks) < chi_square_limit(CARDS - 2, level)


def test_proc_fair_01_the_well_known_faulty_shuffle_is_caught() -> None:
    assert places_statistic(decks_of(SwapsWithAnywhere)) > 1.2 * chi_square_limit((CARDS - 1) ** 2, 1e-9)


def test_proc_fair_01_neighbours_that_stay_together_are_caught() -> None:
    """A deck that is only cut has every card in every place equally often and all neighbours left together."""
    decks = [cut(full_deck(), 1 + key % (CARDS - 1)) for key in range(DECKS)]
    assert neighbours_statistic(decks) > chi_square_limit(CARDS - 2, 1e-9)


def test_proc_fair_01_the_limits_are_those_of_the_tables() -> None:
    assert chi_square_limit(50, 1e-3) == pytest.approx(86.66, rel=2e-3)
    assert chi_square_limit(50, 1e-9) == pytest.approx(134.87, rel=1e-2)
