"""Intervals around means over blocks, computed in decimal arithmetic so that every machine prints the same digits.

Two are offered. The *fixed* interval is right for a number of blocks that was settled beforehand, which is what the command
does. The *sequence* is an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, arXiv 2103.06476):
wider, but it holds at all numbers of blocks at once, so that a person may look, go on, and stop when it pleases.
"""

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from statistics import NormalDist
from typing import Final

from homegame_sim.measures import BlockMean

ALPHA: Final = Fraction(1, 100)
"""Chance that any role's interval of one measure misses, all roles together."""

SEQUENCE_BLOCKS_MIN: Final = 500
"""Below so many blocks the sequence's normal approximation is not trusted."""

_CONTEXT: Final = Context(prec=40)


def role_alpha(n_roles: int) -> Fraction:
    """A role's part of ALPHA (Bonferroni)."""
    return ALPHA / n_roles


def normal_quantile(alpha: Fraction) -> Decimal:
    """Standard deviations that a normal value exceeds, up or down, with chance `alpha`; rounded to 9 places."""
    return Decimal(repr(NormalDist().inv_cdf(1 - float(alpha / 2)))).quantize(Decimal("1e-9"))


def fixed_half_width(measured: BlockMean, alpha: Fraction) -> Decimal | None:
    """Half the normal interval for a number of blocks settled beforehand; None below two blocks."""
    if measured.variance is None:
        return None
    error = _CONTEXT.sqrt(_decimal(measured.variance / measured.n_blocks))
    return _CONTEXT.multiply(normal_quantile(alpha), error)


def sequence_half_width(measured: BlockMean, alpha: Fraction, planned_blocks: int) -> Decimal | None:
    """Half the confidence sequence at these blocks; None below SEQUENCE_BLOCKS_MIN.

    Args:
        measured: Mean and variance of `t` blocks.
        alpha: Chance that the sequence ever misses.
        planned_blocks: Blocks of the whole run; the sequence is made narrowest at a quarter of them.
    """
    if measured.variance is None or measured.n_blocks < SEQUENCE_BLOCKS_MIN:
        return None
    context = _CONTEXT
    t = Decimal(measured.n_blocks)
    rho_squared = _rho_squared(alpha, max(1, planned_blocks // 4))
    spread = context.add(context.multiply(t, rho_squared), Decimal(1))
    log_term = context.ln(context.divide(context.sqrt(spread), _decimal(alpha)))
    factor = context.divide(context.multiply(Decimal(2), spread), context.multiply(context.multiply(t, t), rho_squared))
    width_squared = context.multiply(context.multiply(factor, log_term), _decimal(measured.variance))
    return context.sqrt(width_squared)


def _rho_squared(alpha: Fraction, tightest_at: int) -> Decimal:
    """Mixture parameter that makes the sequence about narrowest after `tightest_at` blocks (the paper's appendix B.2)."""
    minus_two_log = _CONTEXT.multiply(Decimal(-2), _CONTEXT.ln(_decimal(alpha)))
    log_of_log = _CONTEXT.ln(_CONTEXT.add(minus_two_log, Decimal(1)))
    return _CONTEXT.divide(_CONTEXT.add(minus_two_log, log_of_log), Decimal(tightest_at))


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def fixed_digits(value: Fraction, digits: int) -> str:
    """A fraction as a decimal string with `digits` places, half to even."""
    scaled = round(value * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, part = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole}.{part:0{digits}d}" if digits else f"{sign}{whole}"


def width_digits(value: Decimal, digits: int) -> str:
    """A half-width as a decimal string with `digits` places, rounded up so that it never promises too much."""
    return str(value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_CEILING, context=_CONTEXT))
