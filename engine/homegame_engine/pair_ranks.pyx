# cython: language_level=3
"""The ranks of all pairs of cards that complete a hand. See pair_ranks.pxd."""

from homegame_engine.evaluator.ranking cimport rank_hand
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    static inline int hg_count_bits(unsigned long long word) { return __builtin_popcountll(word); }
    static inline int hg_lowest_bit(unsigned long long word) { return __builtin_ctzll(word); }
    """
    int count_bits "hg_count_bits"(uint64_t word) noexcept nogil
    int lowest_bit "hg_lowest_bit"(uint64_t word) noexcept nogil

cdef void find_levels(PairRanks* pairs, const int32_t* hand_ranks) noexcept nogil:
    """Numbers the different ranks from the lowest on: a set of bits is sorted by itself."""
    cdef uint64_t word
    cdef int32_t i, k, n = 0, level
    memset(pairs.held, 0, sizeof(pairs.held))
    for i in range(pairs.n_cards * (pairs.n_cards - 1) // 2):
        pairs.held[hand_ranks[i] >> 6] |= <uint64_t>1 << (hand_ranks[i] & 63)
    pairs.n_levels = 0
    for i in range(N_RANK_WORDS):
        pairs.n_before[i] = <uint16_t>pairs.n_levels
        word = pairs.held[i]
        while word:
            pairs.ranks[pairs.n_levels] = i << 6 | lowest_bit(word)
            pairs.n_levels += 1
            word &= word - 1
    for i in range(pairs.n_cards):
        for k in range(i + 1, pairs.n_cards):
            level = level_of_rank(pairs, hand_ranks[n])
            pairs.levels[i][k] = <uint16_t>level
            pairs.levels[k][i] = <uint16_t>level
            n += 1


cdef int32_t level_of_rank(const PairRanks* pairs, int32_t hand_rank) noexcept nogil:
    cdef uint64_t lower = pairs.held[hand_rank >> 6] & ((<uint64_t>1 << (hand_rank & 63)) - 1)
    return pairs.n_before[hand_rank >> 6] + count_bits(lower)


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
) noexcept nogil:
    cdef int32_t hand_ranks[MAX_PAIRS]
    cdef int32_t i, k, n = 0
    pairs.n_cards = n_cards
    memcpy(pairs.cards, cards, n_cards)
    for i in range(n_cards):
        pairs.indexes[cards[i]] = <uint8_t>i
    for i in range(n_cards):
        hole[places[0]] = cards[i]
        for k in range(i + 1, n_cards):
            hole[places[1]] = cards[k]
            hand_ranks[n] = rank_hand(rule, hole, n_hole, up_mask, board, n_board)
            n += 1
    find_levels(pairs, hand_ranks)


cdef void count_pairs(PairRanks* pairs) noexcept nogil:
    cdef int32_t i, k, level
    memset(pairs.n_below, 0, (pairs.n_levels + 1) * sizeof(int32_t))
    memset(pairs.n_below_with, 0, (pairs.n_levels + 1) * sizeof(pairs.n_below_with[0]))
    # First how many are of each level, one row up; then the sums from below.
    for i in range(pairs.n_cards):
        for k in range(i + 1, pairs.n_cards):
            level = pairs.levels[i][k] + 1
            pairs.n_below[level] += 1
            pairs.n_below_with[level][i] += 1
            pairs.n_below_with[level][k] += 1
    for level in range(1, pairs.n_levels + 1):
        pairs.n_below[level] += pairs.n_below[level - 1]
        for i in range(DECK_CARDS_MAX):
            pairs.n_below_with[level][i] += pairs.n_below_with[level - 1][i]


cdef void sort_pairs(const PairRanks* pairs, uint8_t (*sorted_pairs)[2]) noexcept nogil:
    """Lists the pairs by level, from the lowest on  # OUT; a place for each level is counted out first."""
    cdef int32_t first[MAX_PAIRS + 1]
    cdef int32_t i, k, place
    memset(first, 0, (pairs.n_levels + 1) * sizeof(int32_t))
    for i in range(pairs.n_cards):
        for k in range(i):
            first[pairs.levels[i][k] + 1] += 1
    for i in range(pairs.n_levels):
        first[i + 1] += first[i]
    for i in range(pairs.n_cards):
        for k in range(i):
            place = first[pairs.levels[i][k]]
            sorted_pairs[place][0] = <uint8_t>i
            sorted_pairs[place][1] = <uint8_t>k
            first[pairs.levels[i][k]] += 1


cdef void count_fours(const PairRanks* pairs, int64_t* n_fours) noexcept nogil:
    """Takes the pairs away from the best on; with a pair go the fours of it and of two cards that still pair with all others.

    Each four goes with its best pair, or with one of the best: invariant is that a four is there while all of its pairs are.
    """
    cdef uint8_t sorted_pairs[MAX_PAIRS][2]
    cdef uint64_t partners[DECK_CARDS_MAX]
    cdef uint64_t common, others
    cdef int32_t i, a, b, n_twice
    memset(n_fours, 0, pairs.n_levels * sizeof(int64_t))
    sort_pairs(pairs, sorted_pairs)
    for i in range(pairs.n_cards):
        partners[i] = ((<uint64_t>1 << pairs.n_cards) - 1) & ~(<uint64_t>1 << i)
    for i in range(pairs.n_cards * (pairs.n_cards - 1) // 2 - 1, -1, -1):
        a, b = sorted_pairs[i][0], sorted_pairs[i][1]
        common = partners[a] & partners[b]
        others = common
        n_twice = 0                                       # Each pair of the two others is met from both ends.
        while others:
            n_twice += count_bits(partners[lowest_bit(others)] & common)
            others &= others - 1
        n_fours[pairs.levels[a][b]] += n_twice // 2
        partners[a] &= ~(<uint64_t>1 << b)
        partners[b] &= ~(<uint64_t>1 << a)


cdef int64_t pairs_below(const PairRanks* pairs, int32_t level, const uint8_t* taken, int32_t n_taken) noexcept nogil:
    cdef int64_t n = pairs.n_below[level]
    cdef int32_t i, k
    for i in range(n_taken):
        n -= pairs.n_below_with[level][taken[i]]
        for k in range(i):                                # A pair of two taken cards was taken off twice.
            n += pairs.levels[taken[i]][taken[k]] < level
    return n
