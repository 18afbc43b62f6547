"""Sums of cards: each card adds one 64-bit key, and the sum says which ranks there are and how many of each suit.

`engine/tools/rank_hash.py` explains the layout. Nothing here knows what a hand is worth.
"""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "high_tables.h" nogil:
    enum:
        HIGH_BUCKET_SHIFT  # Where the bits of a key begin that select a displacement.
        HIGH_LOW_MASK      # Those bits of a rank number that are displaced.
    const uint64_t[] HIGH_CARD_KEYS
    const uint16_t[] HIGH_DISPLACEMENTS_5
    const uint16_t[] HIGH_DISPLACEMENTS_6
    const uint16_t[] HIGH_DISPLACEMENTS_7

cdef enum:
    KEY_START = 0x3333     # Each suit counts from 3, so that its fifth card sets bit 3.
    FLUSH_BITS = 0x8888
    COUNT_SHIFT = 16       # Where the number of cards stands in a key.
    WILD_SHIFT = 20        # Where the number of wild cards stands.
    COUNT_MASK = 0xF
    RANKS_SHIFT = 32       # Where the rank number stands.
    RANKS_IN_SUIT_MASK = 0x1FFF


# The sum is meant to overflow: only its last 64 bits count.
@cython.overflowcheck(False)
cdef inline uint64_t add_card(uint64_t key, uint8_t card) noexcept nogil:
    return key + HIGH_CARD_KEYS[card]


cdef inline uint32_t bucket_of(uint64_t key) noexcept nogil:
    return <uint32_t>(key >> HIGH_BUCKET_SHIFT)


cdef inline uint32_t low_bits_of(uint64_t key) noexcept nogil:
    return <uint32_t>(key >> RANKS_SHIFT) & HIGH_LOW_MASK


# The slot of five and of seven cards; a table without wild cards has the answer there.
cdef inline uint32_t slot_of_five(uint64_t key) noexcept nogil:
    return HIGH_DISPLACEMENTS_5[bucket_of(key)] + low_bits_of(key)


cdef inline uint32_t slot_of_seven(uint64_t key) noexcept nogil:
    return HIGH_DISPLACEMENTS_7[bucket_of(key)] + low_bits_of(key)


# The lowest suit whose bit is set among FLUSH_BITS; one of them must be.
cdef inline int32_t suit_of_flush(uint64_t flush) noexcept nogil:
    cdef int32_t suit = 0
    while not flush & 8:
        flush >>= 4
        suit += 1
    return suit


# Bit r says that the cards hold rank r in this suit; no code does harm.
cdef inline uint32_t ranks_in_suit(const uint8_t* cards, int32_t n_cards, int32_t suit) noexcept nogil:
    cdef uint32_t ranks = 0
    cdef int32_t i
    for i in range(n_cards):
        if cards[i] & 3 == suit:
            ranks |= <uint32_t>1 << (cards[i] >> 2)
    return ranks & RANKS_IN_SUIT_MASK
