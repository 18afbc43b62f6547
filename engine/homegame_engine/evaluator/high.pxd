"""Strength of high hands: one integer, higher is better (RANK-HI-01 to RANK-HI-05)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

# The categories, low to high (RANK-HI-02). `hand_rank >> CATEGORY_SHIFT` is one of these.
# FIVE_OF_A_KIND needs wild cards and never comes out of `rank_high`.
cdef enum HighCategory:
    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    FIVE_OF_A_KIND = 9

cdef enum:
    # Bits below the category: which hand of it, counted from 1, the weakest first. So no hand has
    # rank 0, and every rank fits in 16 bits.
    CATEGORY_SHIFT = 12

# Rank of the best five of 5, 6 or 7 different cards below 52. Never checked here: the codes and
# n_cards. Whatever the bytes are, nothing outside the tables is read.
cdef int32_t rank_high(const uint8_t* cards, int32_t n_cards) noexcept nogil

# The same, but 0 if one of the codes is no card below 52: then there are jokers.
cdef int32_t rank_high_if_natural(const uint8_t* cards, int32_t n_cards) noexcept nogil

# Ranks hands of 5, 6 or 7 cards that lie one after another; not 0 if some code is no card below 52.
cdef uint64_t rank_high_rows(
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,  # OUT, n_hands long
) noexcept nogil
