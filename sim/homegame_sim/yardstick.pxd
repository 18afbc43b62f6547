"""What hands of a game are like at each of its steps, so that a seat can tell which part of them its own hand beats.

A yardstick is measured, not written down: pairs of hands are dealt through the steps of the game with nobody folding, and draw,
discard and pass by the same rules of thumb as the policies. So it fits every game that can be described, and every ranking.
"""

from homegame_engine.hand_state cimport GameDef
from homegame_engine.limits cimport MAX_STEPS
from homegame_sim.strength cimport Held
from libc.stdint cimport int32_t, uint32_t

cdef enum:
    PER_MILLE = 1000      # Sampled hands, so a place among them is a share in thousandths.
    N_HALVES = 2

# Which half of a pot, where there are two.
cdef enum Half:
    HALF_HIGH = 0         # Or the whole pot.
    HALF_LOW = 1

cdef struct Yardstick:
    int32_t scores[MAX_STEPS][N_HALVES][PER_MILLE]   # By step of the game, ascending; where a seat decides.

# The thousandths of all hands at this step that are worse than `held` for a half.
cdef int32_t standing(
    const Yardstick* yardstick, const GameDef* game, int32_t step, int32_t half, const Held* held
) noexcept nogil
# The half that a hand is better for.
cdef int32_t better_half(const Yardstick* yardstick, const GameDef* game, int32_t step, const Held* held) noexcept nogil
# What a seat parts with at a DRAW, DISCARD or PASS step, as bits of places: at least `n_min` cards, at most `n_max`.
cdef uint32_t choose_places(
    const Yardstick* yardstick, const GameDef* game, int32_t step, const Held* held, int32_t n_min, int32_t n_max
) noexcept nogil

cdef class MeasuredGame:
    cdef Yardstick core
    cdef GameDef game

# The yardstick of a game under a house's rules; measured once and kept.
cdef MeasuredGame measured_game(object game, object hand_rules)
