from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from homegame_sim.intervals import (
    ALPHA,
    SEQUENCE_BLOCKS_MIN,
    fixed_digits,
    fixed_half_width,
    normal_quantile,
    role_alpha,
    sequence_half_width,
    width_digits,
)
from homegame_sim.measures import BlockMean


def measured(values: np.ndarray) -> BlockMean:
    """Mean and variance of integers, exactly."""
    total, squared, n = int(values.sum()), int((values * values).sum()), len(values)
    return BlockMean(Fraction(total, n), Fraction(n * squared - total * total, n * (n - 1)), n)


@pytest.mark.parametrize("n_roles", range(2, 11))
def test_the_quantile_is_scipys(n_roles: int) -> None:
    assert float(normal_quantile(role_alpha(n_roles))) == pytest.approx(norm.ppf(1 - 0.005 / n_roles), abs=1e-9)


def test_roles_share_the_alpha_of_their_measure() -> None:
    assert float(ALPHA) == 0.01
    assert role_alpha(6) * 6 == ALPHA


def test_the_fixed_interval_is_scipys_for_a_fixed_number_of_blocks() -> None:
    values = np.random.default_rng(5).integers(-50, 51, 400)
    expected = norm.interval(0.99, scale=values.std(ddof=1) / math.sqrt(400))[1]
    found = fixed_half_width(measured(values), Fraction(1, 100))
    assert float(found or 0) == pytest.approx(expected, rel=1e-9)


def test_the_sequence_is_the_papers_formula() -> None:
    values = np.random.default_rng(6).integers(-50, 51, 1000)
    alpha, planned = 0.01, 8000
    rho_squared = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / (planned / 4)
    spread = 1000 * rho_squared + 1
    factor = 2 * spread / (1000**2 * rho_squared) * math.log(math.sqrt(spread) / alpha)
    found = sequence_half_width(measured(values), Fraction(1, 100), planned)
    assert float(found or 0) == pytest.approx(values.std(ddof=1) * math.sqrt(factor), rel=1e-12)


def test_the_sequence_is_wider_than_the_fixed_interval_and_narrows() -> None:
    values = np.random.default_rng(7).integers(-50, 51, 8000)
    widths = []
    for n in (500, 1000, 2000, 4000, 8000):
        fixed = fixed_half_width(measured(values[:n]), ALPHA)
        sequence = sequence_half_width(measured(values[:n]), ALPHA, 8000)
        assert fixed is not None
        assert sequence is not None
        assert fixed < sequence < 2 * fixed
        widths.append(sequence)
    assert widths == sorted(widths, reverse=True)


def watched_misses(alpha: Fraction, *, watch: bool) -> int:
    """Of 300 runs with a true mean of 0: how many intervals miss it, at any look or at the last one."""
    generator = np.random.default_rng(8)
    looks = [500, 625, 781, 976, 1220, 1525, 1906, 2382, 2977, 4000] if watch else [4000]
    misses = 0
    for _ in range(300):
        values = generator.integers(-50, 51, 4000)
        for n in looks:
            found = measured(values[:n])
            half_width = sequence_half_width(found, alpha, 4000) if watch else fixed_half_width(found, alpha)
            if abs(found.mean) > Fraction(half_width or 0):
                misses += 1
                break
    return misses


def test_the_sequence_seldom_misses_even_when_it_is_watched() -> None:
    assert watched_misses(Fraction(1, 20), watch=True) <= 15 + 3 * math.sqrt(300 * 0.05 * 0.95)


def test_the_fixed_interval_misses_as_often_as_it_says() -> None:
    assert abs(watched_misses(Fraction(1, 20), watch=False) - 15) <= 4 * math.sqrt(300 * 0.05 * 0.95)


def test_too_few_blocks_give_no_interval() -> None:
    assert fixed_half_width(BlockMean(Fraction(1), None, 1), ALPHA) is None
    short = BlockMean(Fraction(1), Fraction(2), SEQUENCE_BLOCKS_MIN - 1)
    assert sequence_half_width(short, ALPHA, 1000) is None
    assert fixed_half_width(short, ALPHA) is not None


def test_blocks_that_are_all_alike_give_an_interval_of_no_width() -> None:
    alike = BlockMean(Fraction(1, 6), Fraction(0), 1000)
    assert fixed_half_width(alike, ALPHA) == 0
    assert sequence_half_width(alike, ALPHA, 1000) == 0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 6), 6, "0.166667"),
        (Fraction(-1, 8), 2, "-0.12"),
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(12), 0, "12"),
        (Fraction(999_999, 1_000_000), 3, "1.000"),
    ],
)
def test_fractions_are_written_exactly_half_to_even(value: Fraction, digits: int, text: str) -> None:
    assert fixed_digits(value, digits) == text


def test_half_widths_are_rounded_up() -> None:
    assert width_digits(Decimal("0.12000001"), 4) == "0.1201"
    assert width_digits(Decimal("0.12"), 4) == "0.1200"
    assert width_digits(Decimal(0), 4) == "0.0000"
