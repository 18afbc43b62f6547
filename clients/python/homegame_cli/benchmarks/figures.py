"""A figure beside its reference, and how the two are measured in turns, so that a disturbance meets both."""

import math
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

ROUNDS_MIN: Final = 3
"""Turns that each side gets, however little time there is; the first, which warms up, is not counted."""
SLICES_MIN: Final = 6
"""Turns of each side where one lasts as long as it is told to; one more warms up."""
SLICE_SECONDS_MAX: Final = 5.0


class BenchError(Exception):
    """A benchmark that could not be measured; the message says why."""


@dataclass(frozen=True)
class Setting:
    """What a benchmark is given.

    Args:
        seconds: How long to measure one figure, both sides together.
        folder: An empty folder on the disk that counts.
        say: Takes a line of progress.
    """

    seconds: float
    folder: Path
    say: Callable[[str], None]


@dataclass(frozen=True)
class Figure:
    """A speed and what it is compared with, both in `unit` and from the same run."""

    name: str
    value: float
    unit: str
    reference: str
    """What it is compared with, in words."""
    reference_value: float

    @property
    def ratio(self) -> float:
        """How many times the reference."""
        return self.value / self.reference_value


class Pair(NamedTuple):
    """Speeds of the two sides, a second."""

    value: float
    reference: float


def compare_best(measured: Callable[[], int], reference: Callable[[], int], seconds: float) -> Pair:
    """Run two pieces of computation in turns and return the best speed of each: the one that was disturbed least.

    Args:
        measured: Does a fixed piece of work and returns how many units it was.
        reference: The same for the other side.
        seconds: For both together; each side is run `ROUNDS_MIN` times at least.
    """
    values: list[float] = []
    references: list[float] = []
    ends_at_s = time.perf_counter() + seconds
    while len(values) < ROUNDS_MIN or time.perf_counter() < ends_at_s:
        values.append(_speed(measured))
        references.append(_speed(reference))
    return Pair(max(values), max(references))


async def compare_medians(
    measured: Callable[[float], Awaitable[float]], reference: Callable[[float], Awaitable[float]], seconds: float
) -> Pair:
    """Let two sides run in turns and return the median speed of each, for what a disk or a scheduler makes noisy.

    Args:
        measured: Works for the given seconds and returns units a second.
        reference: The same for the other side.
        seconds: For both together.
    """
    n_slices = max(SLICES_MIN, math.ceil(seconds / (2 * SLICE_SECONDS_MAX)))
    slice_s = seconds / (2 * n_slices)
    values: list[float] = []
    references: list[float] = []
    for _ in range(n_slices + 1):
        values.append(await measured(slice_s))
        references.append(await reference(slice_s))
    return Pair(_median_after_warm_up(values), _median_after_warm_up(references))


def _speed(work: Callable[[], int]) -> float:
    began_s = time.perf_counter()
    n_units = work()
    return n_units / (time.perf_counter() - began_s)


def _median_after_warm_up(speeds: Sequence[float]) -> float:
    return statistics.median(speeds[1:])
