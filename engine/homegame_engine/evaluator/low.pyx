# cython: language_level=3
"""The low evaluators: ace to five, ace to six, deuce to seven, and badugi, for cards of which none is wild.

Lows share the keys and the slots of high hands; other answers lie there. Straights are among these answers, because ranks alone
make them. Flushes are not: three hands of seven cards in a hundred hold five of a suit, and of those all fives are looked at.

`engine/tools/generate_low_tables.py` holds the rules and writes the tables. This module knows no game and no wild card.
"""

cimport cython
from homegame_engine.evaluator.keys cimport (
    FLUSH_BITS,
    HIGH_CARD_KEYS,
    KEY_START,
    add_card,
    ranks_in_suit,
    slot_of_five,
    slot_of_seven,
    suit_of_flush,
)
from homegame_engine.evaluator.ranking cimport (
    RANKING_ACE_TO_FIVE,
    RANKING_ACE_TO_SIX,
    RANKING_DEUCE_TO_SEVEN,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

from homegame_engine.errors import InputError

cdef extern from "low_tables.h" nogil:
    enum:
        N_LOW_QUALIFIERS
        BADUGI_ROW
    const uint16_t[] ACE_TO_FIVE_RANKS_5
    const uint16_t[] ACE_TO_FIVE_RANKS_7
    const uint16_t[] ACE_TO_FIVE_QUALIFIERS
    const uint16_t[] ACE_TO_SIX_RANKS_5
    const uint16_t[] ACE_TO_SIX_RANKS_7
    const uint16_t[] ACE_TO_SIX_FLUSH_RANKS
    const uint16_t[] ACE_TO_SIX_QUALIFIERS
    const uint16_t[] DEUCE_TO_SEVEN_RANKS_5
    const uint16_t[] DEUCE_TO_SEVEN_RANKS_7
    const uint16_t[] DEUCE_TO_SEVEN_FLUSH_RANKS
    const uint16_t[] DEUCE_TO_SEVEN_QUALIFIERS
    const uint16_t[] BADUGI_RANKS
    const uint8_t[] BADUGI_ORDER
    const uint16_t[] BADUGI_RANK_BITS
    const uint8_t[] BADUGI_PAIRS
    const uint64_t[] BADUGI_CHOICES

cdef struct LowTables:
    const uint16_t* fives       # Hand rank of five cards by slot.
    const uint16_t* sevens      # Hand rank of seven cards by slot.
    const uint16_t* flushes     # Hand rank of five of a suit by their ranks; NULL where flushes do not count.
    const uint16_t* qualifiers  # The worst hand rank that qualifies.

cdef enum:
    N_DECK_CARDS = 52
    N_CARDS_MAX = 7
    N_LOW_RANKS = 0x9000   # Nine categories of 1 << CATEGORY_SHIFT ranks.
    BADUGI_SIZE = 4


cdef inline void find_tables(int32_t ranking, LowTables* tables) noexcept nogil:
    tables.fives = ACE_TO_FIVE_RANKS_5
    tables.sevens = ACE_TO_FIVE_RANKS_7
    tables.flushes = NULL
    tables.qualifiers = ACE_TO_FIVE_QUALIFIERS
    if ranking == RANKING_ACE_TO_SIX:
        tables.fives = ACE_TO_SIX_RANKS_5
        tables.sevens = ACE_TO_SIX_RANKS_7
        tables.flushes = ACE_TO_SIX_FLUSH_RANKS
        tables.qualifiers = ACE_TO_SIX_QUALIFIERS
    elif ranking == RANKING_DEUCE_TO_SEVEN:
        tables.fives = DEUCE_TO_SEVEN_RANKS_5
        tables.sevens = DEUCE_TO_SEVEN_RANKS_7
        tables.flushes = DEUCE_TO_SEVEN_FLUSH_RANKS
        tables.qualifiers = DEUCE_TO_SEVEN_QUALIFIERS


# Keys are taken away as they were added: modulo 2 ** 64.
@cython.overflowcheck(False)
cdef inline uint64_t remove_card(uint64_t key, uint8_t card) noexcept nogil:
    return key - HIGH_CARD_KEYS[card]


cdef inline uint32_t rank_bit_in_suit(uint8_t card, int32_t suit) noexcept nogil:
    return <uint32_t>(card & 3 == suit) << (card >> 2)


cdef inline int32_t rank_of_five(const LowTables* tables, uint64_t key, uint32_t suit_ranks) noexcept nogil:
    """Low of five cards; `suit_ranks` are the ranks in the suit that may be a flush."""
    if key & FLUSH_BITS and tables.flushes != NULL:
        return tables.flushes[suit_ranks]
    return tables.fives[slot_of_five(key)]


cdef int32_t rank_suited_seven(const LowTables* tables, uint64_t key, const uint8_t* cards) noexcept nogil:
    """Best low of seven cards that hold five of a suit: two cards are left out in every way."""
    cdef int32_t suit = suit_of_flush(key & FLUSH_BITS)
    cdef uint32_t suit_ranks = ranks_in_suit(cards, 7, suit)
    cdef uint32_t ranks_left
    cdef uint64_t six
    cdef int32_t best = 0, i, j
    for i in range(7):
        six = remove_card(key, cards[i])
        for j in range(i):
            ranks_left = suit_ranks & ~(rank_bit_in_suit(cards[i], suit) | rank_bit_in_suit(cards[j], suit))
            best = max(best, rank_of_five(tables, remove_card(six, cards[j]), ranks_left))
    return best


cdef int32_t rank_six(const LowTables* tables, uint64_t key, const uint8_t* cards) noexcept nogil:
    """Best low of six cards, which have no table: one card is left out in every way."""
    cdef int32_t suit = suit_of_flush(key & FLUSH_BITS) if key & FLUSH_BITS else 0
    cdef uint32_t suit_ranks = ranks_in_suit(cards, 6, suit)
    cdef int32_t best = 0, i
    for i in range(6):
        best = max(best, rank_of_five(
            tables, remove_card(key, cards[i]), suit_ranks & ~rank_bit_in_suit(cards[i], suit)
        ))
    return best


cdef inline int32_t rank_of_key(
    const LowTables* tables, uint64_t key, const uint8_t* cards, int32_t n_cards
) noexcept nogil:
    """Best low of the cards whose sum is `key`."""
    if n_cards == 7:
        if key & FLUSH_BITS and tables.flushes != NULL:
            return rank_suited_seven(tables, key, cards)
        return tables.sevens[slot_of_seven(key)]
    if n_cards == 6:
        return rank_six(tables, key, cards)
    return rank_of_five(tables, key, ranks_in_suit(cards, 5, cards[0] & 3) if key & FLUSH_BITS else 0)


cdef inline int32_t rank_of_cards(const LowTables* tables, const uint8_t* cards, int32_t n_cards) noexcept nogil:
    cdef uint64_t key = KEY_START
    cdef int32_t i
    for i in range(n_cards):
        key = add_card(key, cards[i])
    return rank_of_key(tables, key, cards, n_cards)


cdef int32_t rank_low(int32_t ranking, const uint8_t* cards, int32_t n_cards) noexcept nogil:
    cdef LowTables tables
    find_tables(ranking, &tables)
    return rank_of_cards(&tables, cards, n_cards)


cdef int32_t qualifying_rank(int32_t ranking, int32_t qualifier) noexcept nogil:
    cdef LowTables tables
    find_tables(ranking, &tables)
    return tables.qualifiers[qualifier if qualifier < N_LOW_QUALIFIERS else 0]


cdef inline void rank_rows(
    const LowTables* tables,
    int32_t least_rank,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,
) noexcept nogil:
    """The caller passes `n_cards` as a literal, so that the compiler unrolls the additions."""
    cdef int32_t hand_rank
    cdef Py_ssize_t i
    for i in range(n_hands):
        hand_rank = rank_of_cards(tables, cards + i * n_cards, n_cards)
        hand_ranks[i] = hand_rank if hand_rank >= least_rank else 0


cdef void rank_low_rows(
    int32_t ranking,
    int32_t least_rank,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,
) noexcept nogil:
    cdef LowTables tables
    find_tables(ranking, &tables)
    if n_cards == 7:
        rank_rows(&tables, least_rank, cards, n_hands, 7, hand_ranks)
    else:
        rank_rows(&tables, least_rank, cards, n_hands, 5, hand_ranks)


cdef void count_from(
    const LowTables* tables,
    uint64_t key,
    uint8_t* cards,       # IN OUT, the cards chosen so far
    int32_t n_chosen,
    int32_t n_cards,
    int64_t* counts,      # IN OUT, N_LOW_RANKS long
) noexcept nogil:
    """Counts every hand of `n_cards` that completes the chosen cards with higher ones."""
    cdef int32_t card = cards[n_chosen - 1] + 1 if n_chosen else 0
    cdef int32_t last = N_DECK_CARDS - (n_cards - n_chosen)
    cdef uint64_t total
    while card <= last:
        cards[n_chosen] = <uint8_t>card
        total = add_card(key, <uint8_t>card)
        if n_chosen + 1 < n_cards:
            count_from(tables, total, cards, n_chosen + 1, n_cards, counts)
        else:
            counts[rank_of_key(tables, total, cards, n_cards)] += 1
        card += 1


# --- Badugi -----------------------------------------------------------------------------------------------------------------


# Without a branch, which would be guessed wrong half the time; the subtraction is meant to give all ones or none.
@cython.overflowcheck(False)
cdef inline void put_in_order(uint32_t* first, uint32_t* second) noexcept nogil:
    cdef uint32_t swapped = (first[0] ^ second[0]) & (0 - <uint32_t>(second[0] < first[0]))
    first[0] ^= swapped
    second[0] ^= swapped


cdef inline int32_t badugi_of_four(const uint8_t* cards) noexcept nogil:
    # Places, not codes: all of badugi counts cards from the aces up.
    cdef uint32_t first = BADUGI_ORDER[cards[0]], second = BADUGI_ORDER[cards[1]]
    cdef uint32_t third = BADUGI_ORDER[cards[2]], fourth = BADUGI_ORDER[cards[3]]
    cdef uint32_t together
    cdef uint64_t ranks
    cdef const uint8_t* pairs
    put_in_order(&first, &second)
    put_in_order(&third, &fourth)
    put_in_order(&first, &third)
    put_in_order(&second, &fourth)
    put_in_order(&second, &third)
    pairs = BADUGI_PAIRS + first * BADUGI_ROW
    together = pairs[second] | pairs[third] << 1 | pairs[fourth] << 2
    pairs = BADUGI_PAIRS + second * BADUGI_ROW
    together |= pairs[third] << 3 | pairs[fourth] << 4
    together |= BADUGI_PAIRS[third * BADUGI_ROW + fourth] << 5
    # Four ranks side by side, of which those stay that play; then they are laid on one another.
    ranks = BADUGI_RANK_BITS[first] | <uint64_t>BADUGI_RANK_BITS[second] << 16
    ranks |= <uint64_t>BADUGI_RANK_BITS[third] << 32 | <uint64_t>BADUGI_RANK_BITS[fourth] << 48
    ranks &= BADUGI_CHOICES[together]
    ranks |= ranks >> 32
    ranks |= ranks >> 16
    return BADUGI_RANKS[ranks & 0xFFFF]


cdef int32_t complete_badugi(
    const uint8_t* cards, int32_t n_cards, int32_t n_wild, uint32_t ranks, uint32_t suits, int32_t n_kept
) noexcept nogil:
    """Best badugi that completes the cards kept so far with later ones and with wild cards."""
    cdef int32_t n_added = min(n_wild, BADUGI_SIZE - n_kept), best = 0, i
    cdef uint32_t filled = ranks, rank_bit, suit_bit
    while n_added > 0:
        # RANK-WILD-06: the lowest rank that is not there; some suit is always free.
        filled |= filled + 1
        n_added -= 1
    if filled:
        best = BADUGI_RANKS[filled]
    if n_kept < BADUGI_SIZE:
        for i in range(n_cards):
            rank_bit = BADUGI_RANK_BITS[BADUGI_ORDER[cards[i]]]
            suit_bit = <uint32_t>1 << (cards[i] & 3)
            if not ranks & rank_bit and not suits & suit_bit:
                best = max(best, complete_badugi(
                    cards + i + 1, n_cards - i - 1, n_wild, ranks | rank_bit, suits | suit_bit, n_kept + 1
                ))
    return best


cdef int32_t rank_badugi(const uint8_t* cards, int32_t n_cards, int32_t n_wild) noexcept nogil:
    if n_cards == BADUGI_SIZE and n_wild == 0:
        return badugi_of_four(cards)
    return complete_badugi(cards, n_cards, n_wild, 0, 0, 0)


cdef void rank_badugi_rows(const uint8_t* cards, Py_ssize_t n_hands, int32_t* hand_ranks) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n_hands):
        hand_ranks[i] = badugi_of_four(cards + BADUGI_SIZE * i)


# --- Python skin ------------------------------------------------------------------------------------------------------------


def count_low_ranks(int32_t ranking, int32_t n_cards, int32_t qualifier=0):
    """Deal every hand of `n_cards` cards from 52 once and count the lows.

    Args:
        ranking: Ranking.ACE_TO_FIVE, ACE_TO_SIX or DEUCE_TO_SEVEN.
        n_cards: 5, 6 or 7 (2,598,960, 20,358,520 or 133,784,560 hands).
        qualifier: Highest rank that a low may hold; 0 for none.

    Returns:
        int64 array: how many hands have the hand rank that is the index; at index 0, how many do not qualify.

    Raises:
        InputError: Another ranking, number of cards or qualifier.

    Rules:
        RANK-LO-01, RANK-LO-02, RANK-LO-03, RANK-LO-04.
    """
    if ranking not in (RANKING_ACE_TO_FIVE, RANKING_ACE_TO_SIX, RANKING_DEUCE_TO_SEVEN):
        raise InputError(f"{ranking} is no ranking of lows of five cards", field="ranking")
    if not 5 <= n_cards <= 7:
        raise InputError(f"expected 5 to 7 cards, got {n_cards}", field="n_cards")
    if not 0 <= qualifier < N_LOW_QUALIFIERS:
        raise InputError(f"{qualifier} is no rank", field="qualifier")
    cdef LowTables tables
    find_tables(ranking, &tables)
    cdef uint8_t cards[N_CARDS_MAX]
    counts = np.zeros(N_LOW_RANKS, dtype=np.int64)
    cdef int64_t[::1] out = counts
    with nogil:
        count_from(&tables, KEY_START, cards, 0, n_cards, &out[0])
    cdef int32_t least_rank = tables.qualifiers[qualifier]
    counts[0] = counts[:least_rank].sum()
    counts[1:least_rank] = 0
    return counts
