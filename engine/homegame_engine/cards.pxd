"""Card codes: 4 * rank + suit, so that 2c is 0 and As is 51; the jokers X1 and X2 are 52 and 53."""

from libc.stdint cimport int32_t, uint8_t

# Rank 0 (deuce) to 12 (ace) of a code below 52 (CARD-04).
cdef inline int32_t card_rank(uint8_t card) noexcept nogil:
    return card >> 2

# Suit 0 to 3: clubs, diamonds, hearts, spades, from low to high (CARD-05).
cdef inline int32_t card_suit(uint8_t card) noexcept nogil:
    return card & 3

# Whether `order` holds each of the 52 cards exactly once and no joker (CARD-01).
cdef bint is_full_deck(const uint8_t* order, int32_t n_cards) noexcept nogil

# Whether `order` is 52 long, holds no card twice and otherwise only CARD_UNKNOWN.
cdef bint is_partly_known_deck(const uint8_t* order, int32_t n_cards) noexcept nogil
