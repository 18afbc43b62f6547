# Sets of seats as bits, bit s for seat s. Everything is inline: these stand in the innermost loops.
from libc.stdint cimport int32_t, uint32_t

cdef extern from *:
    """
    /* In place of __builtin_popcount, which is a call where the processor is not known to count bits. */
    static inline int homegame_count_bits(unsigned int mask) {
        mask -= mask >> 1 & 0x55555555u;
        mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
        return (mask + (mask >> 4) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
    }
    static inline int homegame_lowest_bit(unsigned int mask) { return __builtin_ctz(mask); }
    static inline int homegame_highest_bit(unsigned int mask) { return 31 - __builtin_clz(mask); }
    /* Read, not made: a shift by a variable is several steps on the processors that this has to run on. */
    static const unsigned int HOMEGAME_SEAT_BITS[12] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
    """
    const unsigned int[] HOMEGAME_SEAT_BITS
    int homegame_count_bits(unsigned int mask) noexcept nogil
    int homegame_lowest_bit(unsigned int mask) noexcept nogil
    int homegame_highest_bit(unsigned int mask) noexcept nogil


# The mask of one seat; of one past the last, too.
cdef inline uint32_t seat_bit(int32_t seat) noexcept nogil:
    return HOMEGAME_SEAT_BITS[seat]


cdef inline int32_t count_seats(uint32_t mask) noexcept nogil:
    return homegame_count_bits(mask)


# Whether the mask holds two seats or more.
cdef inline bint has_several(uint32_t mask) noexcept nogil:
    return (mask & (mask - 1)) != 0


# Whether the mask holds exactly two seats.
cdef inline bint is_pair(uint32_t mask) noexcept nogil:
    return has_several(mask) and not has_several(mask & (mask - 1))


# Lowest seat of a mask that is not empty.
cdef inline int32_t lowest_seat(uint32_t mask) noexcept nogil:
    return homegame_lowest_bit(mask)


# Highest bit of a mask that is not empty.
cdef inline int32_t highest_bit(uint32_t mask) noexcept nogil:
    return homegame_highest_bit(mask)


# First seat of a mask that is not empty, clockwise from `from_seat` (inclusive); one past the last seat means seat 0.
cdef inline int32_t seat_from(uint32_t mask, int32_t from_seat) noexcept nogil:
    cdef uint32_t ahead = mask & -seat_bit(from_seat)
    return homegame_lowest_bit(ahead if ahead else mask)


# Seats of a mask clockwise from `from_seat` (inclusive) into `order`  # OUT; returns how many.
cdef inline int32_t seats_in_order(uint32_t mask, int32_t from_seat, int32_t* order) noexcept nogil:
    cdef uint32_t ahead = mask >> from_seat << from_seat
    cdef uint32_t behind = mask & ~ahead
    cdef int32_t n = 0
    while ahead:
        order[n] = homegame_lowest_bit(ahead)
        ahead &= ahead - 1
        n += 1
    while behind:
        order[n] = homegame_lowest_bit(behind)
        behind &= behind - 1
        n += 1
    return n
