"""Strength of hands with wild cards (RANK-WILD-01 to RANK-WILD-06), on the same number lines as those without."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

# Best hand of 5, 6 or 7 different codes 0..53. Bit c of `wild_mask` says that card c is wild; jokers must be among them.
# `ranking` is HIGH, ACE_TO_FIVE, ACE_TO_SIX or DEUCE_TO_SEVEN.
cdef int32_t rank_wild(int32_t ranking, const uint8_t* cards, int32_t n_cards, uint64_t wild_mask) noexcept nogil

# Ranks hands of 5 or of 7 cards that lie one after another; what is below `least_rank` becomes 0.
cdef void rank_wild_rows(
    int32_t ranking,
    int32_t least_rank,
    uint64_t wild_mask,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,  # OUT, n_hands long
) noexcept nogil
