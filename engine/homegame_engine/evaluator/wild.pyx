# cython: language_level=3
"""Hands with wild cards, high and low.

A wild card is added up like a card of a fourteenth rank and of every suit (`engine/tools/generate_wild_tables.py`), so that a
hand costs what one without wild cards costs: one addition a card and two look-ups, and a third one where five of a suit are
possible. Hands in which no card is wild are left to the modules `high` and `low`.

Which cards are wild is decided by the caller.
"""

cimport cython
from homegame_engine.evaluator.high cimport rank_high
from homegame_engine.evaluator.keys cimport (
    COUNT_MASK,
    FLUSH_BITS,
    KEY_START,
    WILD_SHIFT,
    bucket_of,
    low_bits_of,
)
from homegame_engine.evaluator.low cimport rank_low
from homegame_engine.evaluator.ranking cimport (
    RANKING_ACE_TO_FIVE,
    RANKING_ACE_TO_SIX,
    RANKING_HIGH,
)
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "wild_tables.h" nogil:
    const uint64_t[] WILD_CARD_KEYS
    const uint64_t WILD_KEY
    const uint16_t[] WILD_FLUSH_RANKS
    const uint16_t[] WILD_DISPLACEMENTS_5
    const uint16_t[] WILD_DISPLACEMENTS_7
    const uint16_t[] WILD_HIGH_RANKS_5
    const uint16_t[] WILD_HIGH_RANKS_7
    const uint16_t[] WILD_ACE_TO_FIVE_RANKS_5
    const uint16_t[] WILD_ACE_TO_FIVE_RANKS_7
    const uint16_t[] WILD_ACE_TO_SIX_RANKS_5
    const uint16_t[] WILD_ACE_TO_SIX_RANKS_7
    const uint16_t[] WILD_DEUCE_TO_SEVEN_RANKS_5
    const uint16_t[] WILD_DEUCE_TO_SEVEN_RANKS_7

cdef struct WildTables:
    const uint16_t* fives   # Hand rank of five cards by slot.
    const uint16_t* sevens  # Hand rank of seven cards by slot.

cdef enum:
    N_CARDS_MAX = 7
    N_SUITS = 4
    FLUSH_ROW_SHIFT = 13   # A row of WILD_FLUSH_RANKS has an entry for every set of ranks.
    N_WILD_FLUSH = 5       # So many wild cards are five aces, and no flush matters.


cdef inline void find_tables(int32_t ranking, WildTables* tables) noexcept nogil:
    if ranking == RANKING_HIGH:
        tables.fives = WILD_HIGH_RANKS_5
        tables.sevens = WILD_HIGH_RANKS_7
    elif ranking == RANKING_ACE_TO_FIVE:
        tables.fives = WILD_ACE_TO_FIVE_RANKS_5
        tables.sevens = WILD_ACE_TO_FIVE_RANKS_7
    elif ranking == RANKING_ACE_TO_SIX:
        tables.fives = WILD_ACE_TO_SIX_RANKS_5
        tables.sevens = WILD_ACE_TO_SIX_RANKS_7
    else:
        tables.fives = WILD_DEUCE_TO_SEVEN_RANKS_5
        tables.sevens = WILD_DEUCE_TO_SEVEN_RANKS_7


# As add_card of keys.pxd.
@cython.overflowcheck(False)
cdef inline uint64_t add_any_card(uint64_t key, uint8_t card, uint64_t wild_mask) noexcept nogil:
    return key + (WILD_KEY if wild_mask >> card & 1 else WILD_CARD_KEYS[card])


cdef int32_t rank_of_flushes(
    uint64_t key, const uint8_t* cards, int32_t n_cards, uint64_t wild_mask
) noexcept nogil:
    """Best flush or straight flush; with wild cards more than one suit can have five."""
    cdef uint32_t[N_SUITS] ranks
    cdef int32_t n_wild = <int32_t>(key >> WILD_SHIFT & COUNT_MASK)
    cdef int32_t best = 0, suit, i
    for suit in range(N_SUITS):
        ranks[suit] = 0
    for i in range(n_cards):
        if not wild_mask >> cards[i] & 1:
            ranks[cards[i] & 3] |= <uint32_t>1 << (cards[i] >> 2)
    for suit in range(N_SUITS):
        best = max(best, WILD_FLUSH_RANKS[n_wild << FLUSH_ROW_SHIFT | ranks[suit]])
    return best


cdef int32_t rank_six(int32_t ranking, const uint8_t* cards, uint64_t wild_mask) noexcept nogil:
    """Best hand of six cards, which have no table: one card is left out in every way."""
    cdef uint8_t[5] five
    cdef int32_t best = 0, left_out, i
    for left_out in range(6):
        for i in range(5):
            five[i] = cards[i if i < left_out else i + 1]
        best = max(best, rank_wild(ranking, five, 5, wild_mask))
    return best


cdef inline int32_t rank_cards(
    int32_t ranking, const WildTables* tables, const uint8_t* cards, int32_t n_cards, uint64_t wild_mask
) noexcept nogil:
    """Best hand of five or seven cards."""
    cdef uint64_t key = KEY_START
    cdef int32_t hand_rank, i
    for i in range(n_cards):
        key = add_any_card(key, cards[i], wild_mask)
    if not key >> WILD_SHIFT & COUNT_MASK:
        return rank_high(cards, n_cards) if ranking == RANKING_HIGH else rank_low(ranking, cards, n_cards)
    if n_cards == 7:
        hand_rank = tables.sevens[WILD_DISPLACEMENTS_7[bucket_of(key)] + low_bits_of(key)]
    else:
        hand_rank = tables.fives[WILD_DISPLACEMENTS_5[bucket_of(key)] + low_bits_of(key)]
    # A low with a wild card is no flush: the card stands for another suit.
    if key & FLUSH_BITS and ranking == RANKING_HIGH and key >> WILD_SHIFT & COUNT_MASK < N_WILD_FLUSH:
        return max(hand_rank, rank_of_flushes(key, cards, n_cards, wild_mask))
    return hand_rank


cdef int32_t rank_wild(int32_t ranking, const uint8_t* cards, int32_t n_cards, uint64_t wild_mask) noexcept nogil:
    cdef WildTables tables
    if n_cards == 6:
        return rank_six(ranking, cards, wild_mask)
    find_tables(ranking, &tables)
    return rank_cards(ranking, &tables, cards, n_cards, wild_mask)


cdef void rank_wild_rows(
    int32_t ranking,
    int32_t least_rank,
    uint64_t wild_mask,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,
) noexcept nogil:
    cdef WildTables tables
    cdef int32_t hand_rank
    cdef Py_ssize_t i
    find_tables(ranking, &tables)
    for i in range(n_hands):
        # A literal number of cards lets the compiler unroll the additions.
        if n_cards == 7:
            hand_rank = rank_cards(ranking, &tables, cards + i * 7, 7, wild_mask)
        else:
            hand_rank = rank_cards(ranking, &tables, cards + i * 5, 5, wild_mask)
        hand_ranks[i] = hand_rank if hand_rank >= least_rank else 0
