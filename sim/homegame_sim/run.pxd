"""Plays rotation blocks: a pure function of (format, policy, seed, block numbers). It knows no worker, no chunk and no time but
the simulated clock, and no rule: hands are dealt, judged and ended by the engine's session core.
"""

from homegame_engine.limits cimport MAX_SEATS
from homegame_engine.session cimport SessionCore, SessionDef
from homegame_sim.deal cimport DealPlan, PlayerCards
from homegame_sim.yardstick cimport Yardstick
from libc.stdint cimport int32_t, int64_t, uint64_t

cdef enum:
    WIN_UNITS = 2520   # One win; every 1/m with m up to 10 is a whole number of units.

# Columns of a block's row after `win` and `net`, which have one column for each start role.
cdef enum:
    COLUMN_HANDS = 0
    COLUMN_INCOMPLETE = 1   # Sessions that ended inside an orbit.
    COLUMN_SOLE_OWNER = 2   # Sessions in which one player held everything (PTS-016).
    COLUMN_TIED = 3         # Sessions that several players won together.
    COLUMN_CARRY = 4        # Chips that still lay in the middle (POT-SPLIT-03, GAME-DC-06): nobody's.
    N_COLUMNS = 5

# A game that a session plays, with its sizes.
cdef struct PlayedGame:
    SessionDef definition
    DealPlan plan
    const Yardstick* yardstick

cdef struct RunSettings:
    const PlayedGame* games   # Where there are several, each dealer calls the next one (GAME-DC-01).
    int32_t n_games
    uint64_t seed
    int32_t policy          # policies.Policy.
    int32_t n_players
    int32_t hands_max       # No session plays more.
    int64_t cutoff_at_ms    # Of the simulated clock, which starts at 0.
    int64_t hand_ms         # Simulated length of a hand.

# What must never happen, and where.
cdef enum FaultKind:
    FAULT_NONE = 0
    FAULT_DEAL_REFUSED = 1
    FAULT_ACTION_REFUSED = 2
    FAULT_WRONG_CARDS = 3
    FAULT_CHIPS = 4
    FAULT_WINS = 5

cdef struct Fault:
    int32_t kind
    int32_t refusal
    int32_t rotation
    int32_t hand
    uint64_t block

# One hand of one session, the deal included. Returns a FaultKind; `fault` says more.
cdef int32_t play_hand(
    const RunSettings* settings,
    const PlayedGame* played,
    SessionCore* s,
    const PlayerCards* cards,
    uint64_t block,
    int32_t hand,
    Fault* fault,
) noexcept nogil
# All n sessions of a block, hand by hand. `sessions` has room for n_players; `row` and `hands_histogram` are added to # IN OUT.
cdef int32_t play_block(
    const RunSettings* settings, SessionCore* sessions, uint64_t block, int64_t* row, int64_t* hands_histogram, Fault* fault
) noexcept nogil
