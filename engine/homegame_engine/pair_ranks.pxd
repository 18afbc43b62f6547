# What a hand is worth with each pair of the cards that are left: one table for all, so that the hands that somebody may hold need
# not be ranked one by one.
from homegame_engine.evaluator.ranking cimport RankingRule
from homegame_engine.limits cimport DECK_CARDS_MAX
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    # Literals, because the checked build cannot compute them here.
    N_HAND_RANKS = 65536      # Above every hand rank: a category above twelve bits (evaluator/high.pxd, evaluator/low.pxd).
    N_RANK_WORDS = 1024       # N_HAND_RANKS in words of 64 bits.
    MAX_PAIRS = 1431          # Of DECK_CARDS_MAX cards.

cdef struct PairRanks:
    int32_t n_cards                                         # Cards left.
    uint8_t cards[DECK_CARDS_MAX]                           # Which.
    uint8_t indexes[DECK_CARDS_MAX]                         # Index in `cards` of each of them.
    int32_t n_levels                                        # Different hand ranks of the pairs.
    uint64_t held[N_RANK_WORDS]                             # A bit for each hand rank that some pair has.
    uint16_t n_before[N_RANK_WORDS]                         # Bits of the words before.
    int32_t ranks[MAX_PAIRS]                                # They, ascending.
    uint16_t levels[DECK_CARDS_MAX][DECK_CARDS_MAX]         # Index in `ranks` of a pair, by indexes in `cards`.
    # Filled by `count_pairs`:
    int32_t n_below[MAX_PAIRS + 1]                          # Pairs of a level below the i-th.
    int16_t n_below_with[MAX_PAIRS + 1][DECK_CARDS_MAX]     # Of these, the ones that hold a card, by its index in `cards`.

# Ranks the hand for each pair of `cards` in the two `places` of the hand; whatever stands there is overwritten.
cdef void rank_pairs(
    PairRanks* pairs,
    const RankingRule* rule,
    uint8_t* hole,
    int32_t n_hole,
    uint32_t up_mask,
    const uint8_t* places,
    const uint8_t* board,
    int32_t n_board,
    const uint8_t* cards,
    int32_t n_cards,
) noexcept nogil

# Makes the table ready for `pairs_below`.
cdef void count_pairs(PairRanks* pairs) noexcept nogil

# The first level whose rank is at least `hand_rank`; n_levels if there is none.
cdef int32_t level_of_rank(const PairRanks* pairs, int32_t hand_rank) noexcept nogil

# For each level how many sets of four of the cards have their best pair there: the hands of which two of four private cards play.
cdef void count_fours(const PairRanks* pairs, int64_t* n_fours) noexcept nogil

# How many pairs lie below a level and hold none of the cards, which are given by their indexes in `cards`.
cdef int64_t pairs_below(const PairRanks* pairs, int32_t level, const uint8_t* taken, int32_t n_taken) noexcept nogil
