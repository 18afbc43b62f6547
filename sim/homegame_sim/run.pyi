"""Types of the compiled module `run`; the structs are in run.pxd."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from homegame_engine.specs import FormatSpec, GameSpec, HouseSpec

WIN_UNITS_PER_WIN: int
"""One win in units: 2520, of which every 1/m with m up to 10 is a whole number."""

HANDS_MAX: int

class BlockRows(NamedTuple):
    """What a range of rotation blocks came to; each row is the sum over the block's n sessions, all int64.

    Attributes:
        first_block: Number of the first row's block.
        win_units: Shape (blocks, n): win shares by start role in 1/2520; every row adds up to 2520 n.
        net_chips: Shape (blocks, n): final stack less starting stack by start role; with `carry_chips` every row adds up to 0.
        hands: Hands played, by block.
        incomplete_orbits: Sessions that ended inside an orbit, by block.
        sole_owners: Sessions that ended because one player held everything, by block.
        ties: Sessions that several players won together, by block.
        carry_chips: Chips that lay in the middle at the end of a session and are nobody's, by block.
        hands_histogram: Sessions by number of hands, over the whole range.
    """

    first_block: int
    win_units: npt.NDArray[np.int64]
    net_chips: npt.NDArray[np.int64]
    hands: npt.NDArray[np.int64]
    incomplete_orbits: npt.NDArray[np.int64]
    sole_owners: npt.NDArray[np.int64]
    ties: npt.NDArray[np.int64]
    carry_chips: npt.NDArray[np.int64]
    hands_histogram: npt.NDArray[np.int64]

def run_blocks(
    format_spec: FormatSpec,
    games: Sequence[GameSpec],
    house: HouseSpec,
    *,
    policy: str,
    seed: int,
    n_players: int,
    first_block: int,
    n_blocks: int,
    hands_max: int,
    cutoff_at_ms: int,
    hand_ms: int,
) -> BlockRows:
    """Play rotation blocks `first_block` to `first_block + n_blocks - 1`; the same arguments give the same numbers.

    Args:
        format_spec: The format; its blinds, stacks and limits.
        games: What is played: the game of its block, or those that the dealers call in turn, the same one again for a redeal.
        house: Its house.
        policy: What everybody plays; a name in `policies.POLICIES`.
        seed: Of the run, below 2^64.
        n_players: Players of a session, which is also the number of sessions of a block.
        first_block: From 0.
        n_blocks: At least 1.
        hands_max: No session plays more hands; 1 to `HANDS_MAX`.
        cutoff_at_ms: Moment of the simulated clock after which no hand starts; `session.NO_CUTOFF` for none.
        hand_ms: Simulated length of a hand, ms.

    Raises:
        InputError: an argument out of range, or a number of players that the format or a game is not for.
        InvariantError: chips or win shares do not add up, or the engine refused what it had offered (our bug).

    Rules: PTS-002, PTS-016, PTS-017, PROC-BTN-03, GEN-04, GAME-DC-01, GAME-DC-06.
    """
