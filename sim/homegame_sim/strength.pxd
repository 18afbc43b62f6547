"""How good the cards are that a seat holds so far, and which of them to part with: by rankings and numbers of cards alone.

Nothing here knows a game by name, a table or an opponent. Cards are looked at as they lie; what they may become counts only where
cards are to be chosen.
"""

from homegame_engine.evaluator.ranking cimport RankingRule
from homegame_engine.limits cimport MAX_BOARD_CARDS, MAX_HOLE_CARDS
from libc.stdint cimport int32_t, uint8_t, uint32_t

# What one seat knows of its own hand.
cdef struct Held:
    uint8_t hole_cards[MAX_HOLE_CARDS]
    uint8_t board[MAX_BOARD_CARDS]
    int32_t n_hole_cards
    int32_t n_board_cards
    uint32_t up_mask          # Bit i: card i lies face up.
    bint has_board            # Whether common cards play, or will.

# The more the better; comparable for hands of as many cards under one rule. A hand that is complete has its hand rank.
cdef int32_t score_held(const RankingRule* rule, const Held* held) noexcept nogil
# Two private cards before the board: Bill Chen's formula, doubled so that it stays in integers. 0 to 40.
cdef int32_t rate_two_cards(uint8_t a, uint8_t b) noexcept nogil
# Cards to change in a draw, at most `n_max`, as bits of their places. `is_poor`: more than half of all hands are better.
cdef uint32_t cards_to_change(const RankingRule* rule, const Held* held, int32_t n_max, bint is_poor) noexcept nogil
# Exactly `n` cards to part with, as bits of their places: the best of what can be kept is kept.
cdef uint32_t cards_to_give(const RankingRule* rule, const Held* held, int32_t n) noexcept nogil
