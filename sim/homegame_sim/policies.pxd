"""Compiled policies: an action from what one seat may see and that player's own random words. They know no state and no table.

Every action they return is legal by the observation's own list; the engine judges it again like anybody's.
"""

from homegame_engine.betting cimport Action
from homegame_engine.view cimport Observation
from homegame_sim.philox cimport Philox
from homegame_sim.yardstick cimport Yardstick
from libc.stdint cimport int32_t

cdef enum Policy:
    POLICY_FOLD = 1      # Folds whatever may be folded, else checks; brings in and chooses as the clock would.
    POLICY_CALL = 2      # Checks or calls, never bets; brings in and chooses as the clock would.
    POLICY_RANDOM = 3    # Each legal kind equally likely; where an amount or a choice is free, each of its values.
    POLICY_TIGHT = 4     # Plays few hands, bets strong ones, folds weak ones to a bet.
    POLICY_LOOSE = 5     # Plays many hands, bets medium ones, calls with little.

# How good a hand is on its street, for the threshold policies.
cdef enum Strength:
    STRENGTH_NOTHING = 0
    STRENGTH_DRAW = 1      # May become a hand, or a hand that beats little.
    STRENGTH_MEDIUM = 2    # Worth calling.
    STRENGTH_GOOD = 3      # Worth betting.
    STRENGTH_STRONG = 4    # Worth every raise.

# Writes the action of the seat to act # OUT; `seen.legal` offers at least one. `yardstick` is the game's.
cdef void choose(
    int32_t policy, const Observation* seen, const Yardstick* yardstick, Philox* stream, Action* action
) noexcept nogil
# Strength before the board: 0 to 40, pairs and high suited neighbours on top.
cdef int32_t preflop_points(const Observation* seen) noexcept nogil
cdef int32_t board_strength(const Observation* seen) noexcept nogil
