# cython: language_level=3
"""Philox4x64-10 (Salmon, Moraes, Dror, Shaw 2011), word for word numpy's `Philox`. See philox.pxd for the addresses."""

cimport cython
from libc.stdint cimport uint64_t
from libc.string cimport memset

from homegame_engine.errors import InputError

cdef enum:
    N_ROUNDS = 10

cdef uint64_t MULTIPLIER_0 = 0xD2E7470EE14C6C93
cdef uint64_t MULTIPLIER_1 = 0xCA5A826395121157
cdef uint64_t WEYL_0 = 0x9E3779B97F4A7C15   # Golden ratio.
cdef uint64_t WEYL_1 = 0xBB67AE8584CAA73B   # Square root of three, less one.

DECISION = PURPOSE_DECISION
DEAL = PURPOSE_DEAL


# The key's additions are meant to overflow.
@cython.overflowcheck(False)
cdef void philox_words(const uint64_t* key, const uint64_t* counter, uint64_t* words) noexcept nogil:
    cdef uint64_t key_0 = key[0], key_1 = key[1]
    cdef uint64_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3]
    cdef uint64_t low_0, low_1
    cdef unsigned long long high_0, high_1
    cdef int _i
    for _i in range(N_ROUNDS):
        low_0 = multiply(MULTIPLIER_0, x0, &high_0)
        low_1 = multiply(MULTIPLIER_1, x2, &high_1)
        x0 = high_1 ^ x1 ^ key_0
        x1 = low_1
        x2 = high_0 ^ x3 ^ key_1
        x3 = low_0
        key_0 += WEYL_0
        key_1 += WEYL_1
    words[0] = x0
    words[1] = x1
    words[2] = x2
    words[3] = x3


cdef void philox_begin(
    Philox* stream, uint64_t seed, uint64_t block, uint64_t purpose, uint64_t hand, uint64_t table
) noexcept nogil:
    stream.key[0] = seed
    stream.key[1] = block
    stream.counter[0] = 0
    stream.counter[1] = purpose
    stream.counter[2] = hand
    stream.counter[3] = table
    stream.n_used = 4


cdef class Stream:
    """A stream of random words. See philox.pyi."""

    def __init__(
        self, *, uint64_t seed, uint64_t block, uint64_t purpose, uint64_t player=0, uint64_t hand=0, uint64_t table=0
    ):
        memset(&self.core, 0, sizeof(Philox))
        philox_begin(&self.core, seed, block, purpose | player << PLAYER_SHIFT, hand, table)

    def next_word(self):
        return philox_next(&self.core)

    def below(self, uint64_t bound):
        if bound == 0:
            raise InputError("a bound is at least 1", field="bound")
        return philox_below(&self.core, bound)
