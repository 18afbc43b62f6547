"""Floors: loops that do the least that a measured loop of the core cannot avoid, so that its speed can be told as a ratio.

A floor reads the same bytes, makes the same calls or draws the same random words as what it stands beside, and decides nothing.
They serve `homegame bench`; no game and no study depends on them.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

# Sum of `n_bytes` bytes.
cdef uint64_t sum_bytes(const uint8_t* data, Py_ssize_t n_bytes) noexcept nogil
# Goes through every combination that completes the `n_chosen` cards below `first` and adds a key a card. Returns the sum of sums.
cdef uint64_t sum_combinations(
    uint64_t total, int32_t first, int32_t n_chosen, int32_t n_cards, const uint64_t* keys
) noexcept nogil
# Shuffles the top of a deck for each hand and makes `n_decisions` random decisions in all, which nobody carries out.
cdef uint64_t deal_and_decide(int64_t n_hands, int32_t n_cards, int64_t n_decisions, uint64_t seed) noexcept nogil
