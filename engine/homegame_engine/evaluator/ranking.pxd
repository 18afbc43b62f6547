"""Strength of hands under every ranking: one integer, higher is better, 0 is no hand (RANK-HI, RANK-LO, RANK-WILD, RANK-UP)."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

# One number line a ranking: ranks of different rankings say nothing about one another.
cdef enum Ranking:
    RANKING_NONE = 0
    RANKING_HIGH = 1
    RANKING_ACE_TO_FIVE = 2      # RANK-LO-01; with a qualifier of 8 it is EIGHT_OR_BETTER (RANK-LO-02).
    RANKING_ACE_TO_SIX = 3       # RANK-LO-03.
    RANKING_DEUCE_TO_SEVEN = 4
    RANKING_BADUGI = 5
    RANKING_LOW_SPADE = 6        # RANK-LO-06.

# What makes a hand of the cards that somebody holds; a constant of a game, set by its description (GAME-DC-04).
cdef struct RankingRule:
    uint8_t ranking          # Ranking.
    uint8_t qualifier        # Highest rank a low may hold, 8 for eight or better; 0 for none (RANK-LO-02, RANK-LO-05).
    uint8_t exact_hole       # k > 0: exactly k private and 5 - k common cards (GAME-OM-01); 0: any of all.
    uint8_t low_hole_wild    # 1: the holder's lowest face-down card and its rank are wild (RANK-WILD-04).
    uint64_t wild_mask       # Cards that are wild for everybody, bit = code; jokers always are.

# Best hand of the private cards `hole` and the common cards `board`, all of them known codes 0..53, none twice.
# Bit i of `up_mask` says that hole[i] lies face up. At most 7 private and 10 common cards; never checked here.
# 0 if there is no hand: too few cards, a low that does not qualify, no spade.
cdef int32_t rank_hand(
    const RankingRule* rule,
    const uint8_t* hole,
    int32_t n_hole,
    uint32_t up_mask,
    const uint8_t* board,
    int32_t n_board,
) noexcept nogil

# The exposed cards of one player (RANK-UP-01): the highest number acts first in stud, equal ones tie (RANK-UP-03).
cdef int32_t rank_exposed(const uint8_t* up, int32_t n) noexcept nogil

# The same for razz: the lowest exposed hand has the highest number (RANK-UP-02).
cdef int32_t rank_exposed_low(const uint8_t* up, int32_t n) noexcept nogil

# Both where more cards than the jokers are known to be wild.
cdef int32_t rank_exposed_wild(const uint8_t* up, int32_t n, uint64_t wild_mask) noexcept nogil
cdef int32_t rank_exposed_low_wild(const uint8_t* up, int32_t n, uint64_t wild_mask) noexcept nogil
