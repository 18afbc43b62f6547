"""Philox4x64-10 in integers: random words that depend on a key and a counter, and on nothing that ran before.

The key is (run seed, block); the counter words are (draw, purpose, hand, table). So every draw of a simulation has an address,
and it does not matter who computes it, in which order, or whether another rule drew one more word elsewhere.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    /* Both halves of a 64 x 64 bit product. */
    static inline unsigned long long hg_multiply(
        unsigned long long a, unsigned long long b, unsigned long long *high
    ) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *high = (unsigned long long)(product >> 64);
        return (unsigned long long)product;
    }
    """
    uint64_t multiply "hg_multiply"(uint64_t a, uint64_t b, unsigned long long* high) noexcept nogil

# What a stream is for: the low byte of the counter's second word. Above it stands the player, where a player draws.
cdef enum Purpose:
    PURPOSE_DEAL = 1
    PURPOSE_DECISION = 2
    PURPOSE_MIX = 3         # Orders in which a stub that runs short is mixed anew.
    PURPOSE_YARDSTICK = 4   # Hands by which the threshold policies tell how good a hand is.

cdef enum:
    PLAYER_SHIFT = 8

cdef struct Philox:
    uint64_t key[2]       # Run seed, block.
    uint64_t counter[4]   # Draw (four words each), purpose and player, hand, table.
    uint64_t words[4]     # The current four words.
    uint32_t n_used       # How many of them are spent.

# The four words at a counter: ten rounds. `words` is written # OUT.
cdef void philox_words(const uint64_t* key, const uint64_t* counter, uint64_t* words) noexcept nogil
# A stream at its first word. As numpy does, the counter advances before words are made.
cdef void philox_begin(
    Philox* stream, uint64_t seed, uint64_t block, uint64_t purpose, uint64_t hand, uint64_t table
) noexcept nogil

cdef inline uint64_t philox_next(Philox* stream) noexcept nogil:
    """The next word."""
    cdef uint64_t word
    if stream.n_used == 4:
        stream.counter[0] += 1
        philox_words(stream.key, stream.counter, stream.words)
        stream.n_used = 0
    word = stream.words[stream.n_used]
    stream.n_used += 1
    return word

cdef inline uint64_t philox_below(Philox* stream, uint64_t bound) noexcept nogil:
    """An integer from 0 to `bound` - 1, each equally likely; `bound` is at least 1.

    The high half of word x bound is the result (Lemire). Each result then has floor or ceil of 2^64 / bound words; the words
    whose low half is below 2^64 mod bound are thrown away, which makes it the floor for each.
    """
    cdef unsigned long long result
    cdef uint64_t low = multiply(philox_next(stream), bound, &result)
    cdef uint64_t surplus
    if low < bound:
        surplus = (~bound + 1) % bound   # 2^64 - bound has the same remainder as 2^64.
        while low < surplus:
            low = multiply(philox_next(stream), bound, &result)
    return result

cdef class Stream:
    cdef Philox core
