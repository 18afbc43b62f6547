"""Hands of exactly so many private cards and the rest from the board (GAME-OM-01), for cards of which none is wild."""

from libc.stdint cimport int32_t, uint8_t

# Best hand of exactly two of 2 to 7 private and three of 5 common cards, all different and below 52.
# `ranking` is HIGH, ACE_TO_FIVE, ACE_TO_SIX or DEUCE_TO_SEVEN.
cdef int32_t rank_two_and_three(
    int32_t ranking, const uint8_t* hole, int32_t n_hole, const uint8_t* board
) noexcept nogil

# Ranks hands that lie one after another, each `n_hole` private cards and then 5 of the board; what is below `least_rank`
# becomes 0.
cdef void rank_two_and_three_rows(
    int32_t ranking,
    int32_t least_rank,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_hole,
    int32_t* hand_ranks,  # OUT, n_hands long
) noexcept nogil
