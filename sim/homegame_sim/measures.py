"""What fairness means, as numbers: exact totals of rotation blocks, and the measures that they give.

Totals are Python integers and so add up to the same whatever the order. Floats have no place here: a measure is a fraction.
"""

from fractions import Fraction
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from homegame_engine.errors import InvariantError
from homegame_sim.run import WIN_UNITS_PER_WIN, BlockRows

INT64_END: Final = 1 << 63


class Totals(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sums over some rotation blocks; tuples have one number for each start role.

    Attributes:
        n_blocks: Blocks added up.
        n_players: Start roles, and sessions of a block.
        win_units: Wins in 1/2520.
        win_units_squared: Sum of the squares of the blocks' sums.
        net_chips: Final less starting stack.
        net_chips_squared: Sum of the squares of the blocks' sums.
        hands: Hands played.
        incomplete_orbits: Sessions that ended inside an orbit.
        sole_owners: Sessions in which one player held everything at the end.
        ties: Sessions that several players won together.
        sessions_by_hands: (hands, sessions) by number of hands, without empty ones.
        carry_chips: Chips that lay in the middle when a session ended (POT-SPLIT-03, GAME-DC-06): nobody's.
    """

    n_blocks: int
    n_players: int
    win_units: tuple[int, ...]
    win_units_squared: tuple[int, ...]
    net_chips: tuple[int, ...]
    net_chips_squared: tuple[int, ...]
    hands: int
    incomplete_orbits: int
    sole_owners: int
    ties: int
    sessions_by_hands: tuple[tuple[int, int], ...]
    carry_chips: int = 0

    @property
    def n_sessions(self) -> int:
        """Sessions added up."""
        return self.n_blocks * self.n_players


class BlockMean(msgspec.Struct, frozen=True):
    """Mean of a quantity over blocks, where a block counts with its mean over sessions.

    Attributes:
        mean: Estimate.
        variance: Sample variance of a block's mean; None below two blocks.
        n_blocks: Blocks.
    """

    mean: Fraction
    variance: Fraction | None
    n_blocks: int


def count_rows(rows: BlockRows) -> Totals:
    """Add up the rows of some blocks. Raises InvariantError when win shares or nets do not add up to what they must."""
    n_blocks, n_players = rows.win_units.shape
    left_over = rows.net_chips.sum(axis=1) + rows.carry_chips
    if (rows.win_units.sum(axis=1) != WIN_UNITS_PER_WIN * n_players).any() or left_over.any():
        raise InvariantError("the win shares or the net points of a block do not add up")
    return Totals(
        n_blocks=n_blocks,
        n_players=n_players,
        win_units=tuple(int(total) for total in rows.win_units.sum(axis=0)),
        win_units_squared=_sum_of_squares(rows.win_units),
        net_chips=tuple(int(total) for total in rows.net_chips.sum(axis=0)),
        net_chips_squared=_sum_of_squares(rows.net_chips),
        hands=int(rows.hands.sum()),
        incomplete_orbits=int(rows.incomplete_orbits.sum()),
        sole_owners=int(rows.sole_owners.sum()),
        ties=int(rows.ties.sum()),
        sessions_by_hands=tuple((hands, int(n)) for hands, n in enumerate(rows.hands_histogram) if n),
        carry_chips=int(rows.carry_chips.sum()),
    )


def _sum_of_squares(values: npt.NDArray[np.int64]) -> tuple[int, ...]:
    """Sum of squares of each column, exact: in int64 where it must fit, else in Python's integers."""
    largest = int(np.abs(values).max(initial=0))
    if largest * largest * len(values) < INT64_END:
        return tuple(int(total) for total in (values * values).sum(axis=0))
    return tuple(sum(value * value for value in column.tolist()) for column in values.T)


def add_totals(first: Totals, second: Totals) -> Totals:
    """Totals of both; the order does not matter."""
    if first.n_players != second.n_players:
        raise InvariantError("totals of different numbers of players cannot be added")
    sessions_by_hands = dict(first.sessions_by_hands)
    for hands, n_sessions in second.sessions_by_hands:
        sessions_by_hands[hands] = sessions_by_hands.get(hands, 0) + n_sessions
    return Totals(
        n_blocks=first.n_blocks + second.n_blocks,
        n_players=first.n_players,
        win_units=_add(first.win_units, second.win_units),
        win_units_squared=_add(first.win_units_squared, second.win_units_squared),
        net_chips=_add(first.net_chips, second.net_chips),
        net_chips_squared=_add(first.net_chips_squared, second.net_chips_squared),
        hands=first.hands + second.hands,
        incomplete_orbits=first.incomplete_orbits + second.incomplete_orbits,
        sole_owners=first.sole_owners + second.sole_owners,
        ties=first.ties + second.ties,
        sessions_by_hands=tuple(sorted(sessions_by_hands.items())),
        carry_chips=first.carry_chips + second.carry_chips,
    )


def _add(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def win_share(totals: Totals, role: int) -> BlockMean:
    """Share of the wins of a start role; equal is 1/n."""
    return _block_mean(totals, totals.win_units[role], totals.win_units_squared[role], WIN_UNITS_PER_WIN)


def net_points(totals: Totals, role: int) -> BlockMean:
    """Net points a session of a start role; equal is 0, less its part of what nobody won."""
    return _block_mean(totals, totals.net_chips[role], totals.net_chips_squared[role], 1)


def _block_mean(totals: Totals, total: int, total_squared: int, unit: int) -> BlockMean:
    """Mean and variance of the blocks' means, which are their sums divided by sessions and unit."""
    n_blocks = totals.n_blocks
    scale = totals.n_players * unit
    variance = None
    if n_blocks > 1:
        variance = Fraction(n_blocks * total_squared - total * total, n_blocks * (n_blocks - 1) * scale * scale)
    return BlockMean(mean=Fraction(total, n_blocks * scale), variance=variance, n_blocks=n_blocks)


def hands_per_session(totals: Totals) -> Fraction:
    """Mean number of hands of a session."""
    return Fraction(totals.hands, totals.n_sessions)


def session_share(totals: Totals, n_sessions: int) -> Fraction:
    """Share of the sessions."""
    return Fraction(n_sessions, totals.n_sessions)
