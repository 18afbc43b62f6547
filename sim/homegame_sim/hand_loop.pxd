"""Loops that do nothing but play: how fast the core is, with as little around it as can be.

They serve `homegame bench`; studies use `run`. The seats act at random among what is legal. The generator is a bare one:
these hands are counted, never scored.
"""

from homegame_engine.betting cimport Action, Betting
from homegame_engine.hand_state cimport HandCore
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef struct Counts:
    int64_t n_hands
    int64_t n_actions
    int64_t checksum      # Of final stacks: keeps the compiler honest, and equal seeds give equal sums.

cdef struct LoopDeck:
    int32_t n_cards
    int32_t n_reached     # Those from the top that a deal can come to.

# A partial Fisher-Yates: the first `n_cards`, or one more, of the `n_deck_cards` in `deck`  # IN OUT (room for DECK_CARDS_MAX).
cdef void shuffle_top(uint64_t* state, uint8_t* deck, int32_t n_deck_cards, int32_t n_cards) noexcept nogil
# One of the legal kinds with equal chances, and a uniform amount where there is a range. `action` # OUT.
cdef void choose_at_random(uint64_t* state, const Betting* b, Action* action) noexcept nogil
# A draw, a discard, a pass or a declaration of the seat to act: each number of cards, each choice of so many, each half with
# equal chances. `action` # OUT.
cdef void choose_cards_at_random(uint64_t* state, const HandCore* h, Action* action) noexcept nogil
