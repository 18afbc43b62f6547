"""From what each seat has put in to what each seat gets out.

The order of a settlement is: `uncalled_bet` (give it back, take it off the totals), `build_layers`, then for each
layer `share_layer` among the seats that won it.
"""

from homegame_engine.masks cimport seat_bit
from libc.stdint cimport int32_t, int64_t, uint32_t

cdef struct Layer:
    int64_t chips      # Chips in this slice of the pot.
    uint32_t eligible  # Mask of the live seats that may win it; bit s is seat s.

cdef struct Refund:
    int32_t seat       # Seat that gets chips back, or -1 for nobody.
    int64_t chips      # Unmatched part of that seat's total; 0 for nobody.

cdef struct Halves:
    int64_t high_chips     # For the high half, the odd unit included.
    int64_t low_chips      # For the low half.
    int64_t carried_chips  # For neither: won with the next hand (POT-SPLIT-03).

# Unmatched top of the highest total, if its owner is live (POT-LAY-01, BET-GEN-07).
cdef Refund uncalled_bet(const int64_t* committed_chips, int32_t n_seats, uint32_t live_mask) noexcept nogil

# The same and the layer that is left then where `seat` is the only live one, in one pass: how most hands end. Returns what it
# takes back.
cdef inline int64_t settle_last(
    const int64_t* committed_chips, int32_t n_seats, int32_t last_seat, int64_t dead_chips, Layer* layer
) noexcept nogil:
    # Without branches: whose total is the greatest is what a processor guesses worst.
    cdef int64_t own_chips = committed_chips[last_seat]
    cdef int64_t total_chips = dead_chips, called_chips = 0, chips, more_chips
    cdef int32_t seat
    for seat in range(n_seats):
        chips = committed_chips[seat] & -<int64_t>(seat != last_seat)
        total_chips += chips
        more_chips = chips - called_chips
        called_chips += more_chips & ~(more_chips >> 63)      # The greater of the two.
    called_chips = own_chips if own_chips < called_chips else called_chips
    layer.chips = total_chips + called_chips
    layer.eligible = seat_bit(last_seat)
    return own_chips - called_chips

# Fills `layers` (room for MAX_LAYERS) from the main layer up and returns how many there are. The totals are those
# after the refund (POT-LAY-01 to POT-LAY-06).
cdef int32_t build_layers(
    const int64_t* committed_chips,
    int32_t n_seats,
    uint32_t live_mask,
    int64_t dead_chips,
    Layer* layers,  # OUT
) noexcept nogil

# Adds each winner's part to `shares[seat]` and returns the number of units that did not divide (POT-ODD-01).
cdef int64_t share_layer(
    int64_t chips,
    uint32_t winners,
    int32_t n_seats,
    int32_t first_seat,   # Seat at the button's left: where the clockwise count starts.
    int64_t unit_chips,   # Smallest divisible amount (POT-ODD-02).
    int64_t* shares,      # IN OUT, n_seats long
) noexcept nogil

# As `share_layer`, but what three or more winners cannot divide is returned and carried (POT-SPLIT-03).
cdef int64_t share_layer_with_carry(
    int64_t chips,
    uint32_t winners,
    int32_t n_seats,
    int32_t first_seat,
    int64_t unit_chips,
    int64_t* shares,      # IN OUT, n_seats long
) noexcept nogil

# As `share_layer`, but the first winner clockwise gets all units that do not divide: a card room's way, no house's.
cdef int64_t share_layer_odd_to_first(
    int64_t chips,
    uint32_t winners,
    int32_t n_seats,
    int32_t first_seat,
    int64_t unit_chips,
    int64_t* shares,      # IN OUT, n_seats long
) noexcept nogil

# Two halves in whole units; the odd unit, and what is smaller than a unit, goes to the high half (POT-SPLIT-01).
cdef Halves halve_layer(int64_t chips, int64_t unit_chips) noexcept nogil

# The same for so many winners of each half, in parts that divide among them: what more than two parts leave over is carried
# (POT-SPLIT-03).
cdef Halves halve_layer_with_carry(int64_t chips, int32_t n_high, int32_t n_low, int64_t unit_chips) noexcept nogil
