"""Loops that do nothing but play: how fast the core is, with as little around it as can be.

They serve `homegame bench`; studies use `run`. The seats act at random among what is legal. The generator is a bare xorshift:
these hands are counted, never scored.
"""

from homegame_engine.betting cimport Action, Legal
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef struct Counts:
    int64_t n_hands
    int64_t n_actions
    int64_t checksum      # Of final stacks: keeps the compiler honest, and equal seeds give equal sums.

# A partial Fisher-Yates of the first `n_cards` of `deck`  # IN OUT.
cdef void shuffle_top(uint64_t* state, uint8_t* deck, int32_t n_cards) noexcept nogil
# One of the legal kinds with equal chances, and a uniform amount where there is a range. `action` # OUT.
cdef void choose_at_random(uint64_t* state, const Legal* legal, Action* action) noexcept nogil
