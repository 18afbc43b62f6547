"""Strength of natural low hands (RANK-LO-01 to RANK-LO-04): one integer a hand, higher is better.

A hand rank is a category and, below it, a number from 1, the worst first, as for high hands; but the category is turned
round: `N_CATEGORIES_TURNED - (hand_rank >> CATEGORY_SHIFT)` is the HighCategory. So a low that has no pair and is no straight
and no flush, where they count, stands above all others.
"""

from libc.stdint cimport int32_t, uint8_t

cdef enum:
    N_CATEGORIES_TURNED = 8  # STRAIGHT_FLUSH becomes 0, HIGH_CARD becomes 8.

# Best low of 5, 6 or 7 different cards below 52. `ranking` is ACE_TO_FIVE, ACE_TO_SIX or DEUCE_TO_SEVEN.
cdef int32_t rank_low(int32_t ranking, const uint8_t* cards, int32_t n_cards) noexcept nogil

# The worst hand rank that a qualifier lets pass, 0 if there is none (RANK-LO-02, RANK-LO-05).
cdef int32_t qualifying_rank(int32_t ranking, int32_t qualifier) noexcept nogil

# Ranks hands of 5 or of 7 cards that lie one after another; what is below `least_rank` becomes 0.
cdef void rank_low_rows(
    int32_t ranking,
    int32_t least_rank,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,  # OUT, n_hands long
) noexcept nogil

# Best badugi of 1 to 7 different cards: the number of cards that play is `hand_rank >> CATEGORY_SHIFT`. A wild card takes any
# rank and suit.
cdef int32_t rank_badugi(const uint8_t* cards, int32_t n_cards, int32_t n_wild) noexcept nogil

cdef void rank_badugi_rows(
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t* hand_ranks,  # OUT, n_hands long; four cards a hand
) noexcept nogil
