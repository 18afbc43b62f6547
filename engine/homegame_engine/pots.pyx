# cython: language_level=3
"""Layers of the pot and their division: who may win what, and how it splits.

The totals come in, the slices and shares go out. This module does not know who won: winners arrive as
a mask of seats. It keeps every chip: what comes out adds up to what went in.
"""

from homegame_engine.masks cimport lowest_seat
from libc.stdint cimport int32_t, int64_t, uint32_t

from homegame_engine.limits cimport MAX_LAYERS, MAX_SEATS

from homegame_engine.errors import InputError

cdef int64_t CHIPS_MAX = <int64_t>1 << 53  # Ten such totals still fit in an amount.


cdef inline bint holds(uint32_t seats, int32_t seat) noexcept nogil:
    return seats >> seat & 1


cdef Refund uncalled_bet(
    const int64_t* committed_chips, int32_t n_seats, uint32_t live_mask
) noexcept nogil:
    cdef Refund refund
    cdef int64_t highest = 0
    cdef int64_t second = 0
    cdef int64_t chips, lower
    cdef int32_t owner = -1
    cdef int32_t seat
    # Invariant: `highest` and `second` are the two greatest totals of the seats seen so far. Without branches: whose total is
    # the greatest is what a processor guesses worst.
    for seat in range(n_seats):
        chips = committed_chips[seat]
        lower = chips if chips < highest else highest
        second = lower if lower > second else second
        owner = seat if chips > highest else owner
        highest = chips if chips > highest else highest
    refund.seat = -1
    refund.chips = 0
    # BET-GEN-07: an owner who folded gave up all committed chips and gets nothing back. Two equal
    # totals at the top match each other.
    if highest > second and holds(live_mask, owner):
        refund.seat = owner
        refund.chips = highest - second
    return refund


cdef inline int64_t next_cut(
    const int64_t* committed_chips, int32_t n_seats, uint32_t live_mask, int64_t last_cut
) noexcept nogil:
    """Lowest total of a live seat above `last_cut`, or -1."""
    cdef int64_t cut = -1
    cdef int32_t seat
    for seat in range(n_seats):
        if holds(live_mask, seat) and committed_chips[seat] > last_cut:
            if cut < 0 or committed_chips[seat] < cut:
                cut = committed_chips[seat]
    return cut


cdef inline bint has_one_cut(
    const int64_t* committed_chips, int32_t n_seats, uint32_t live_mask, int64_t* total_chips
) noexcept nogil:
    """Whether all live seats have put in the same; `total_chips`  # OUT is then what all seats have.

    Without branches: who is live is what a processor guesses worst.
    """
    cdef int64_t cut = committed_chips[lowest_seat(live_mask)]
    cdef int64_t total = 0, differing = 0
    cdef int32_t seat
    for seat in range(n_seats):
        total += committed_chips[seat]
        differing |= (committed_chips[seat] ^ cut) & -<int64_t>(live_mask & 1)
        live_mask >>= 1
    total_chips[0] = total
    return differing == 0


cdef int32_t build_layers(
    const int64_t* committed_chips,
    int32_t n_seats,
    uint32_t live_mask,
    int64_t dead_chips,
    Layer* layers,  # OUT
) noexcept nogil:
    cdef int32_t n_layers = 0
    cdef int64_t lower = -1
    cdef int64_t cut, above
    cdef int64_t chips = dead_chips  # POT-LAY-06: dead money belongs to the main layer.
    cdef uint32_t eligible
    cdef int32_t seat
    if live_mask != 0 and has_one_cut(committed_chips, n_seats, live_mask, &layers[0].chips):
        # Nobody live is in for less than another: what is there is one layer (POT-LAY-01, POT-LAY-03).
        layers[0].chips += dead_chips
        layers[0].eligible = live_mask
        return 1 if layers[0].chips > 0 else 0
    cut = next_cut(committed_chips, n_seats, live_mask, lower)
    # POT-LAY-01: one layer for each distinct total of a live seat. Each cut loses at least the seat whose
    # total it was, so no two layers have the same eligible seats and nothing is left to merge.
    while cut >= 0:
        above = next_cut(committed_chips, n_seats, live_mask, cut)
        eligible = 0
        for seat in range(n_seats):
            # POT-LAY-03: folded chips stay in the layers they reach; above the highest live total they
            # join the top layer, which therefore has no upper end for them.
            if committed_chips[seat] > lower:
                if above >= 0 and committed_chips[seat] > cut:
                    chips += cut - max(lower, 0)
                else:
                    chips += committed_chips[seat] - max(lower, 0)
            if holds(live_mask, seat) and committed_chips[seat] >= cut:
                eligible |= <uint32_t>1 << seat
        # A live seat that put in nothing makes a layer of nothing, unless there is dead money in it.
        if chips > 0:
            layers[n_layers].chips = chips
            layers[n_layers].eligible = eligible
            n_layers += 1
        chips = 0
        lower = cut
        cut = above
    return n_layers


cdef inline int32_t count_seats(uint32_t seats, int32_t n_seats) noexcept nogil:
    cdef int32_t count = 0
    cdef int32_t seat
    for seat in range(n_seats):
        count += holds(seats, seat)
    return count


cdef int64_t share_layer(
    int64_t chips,
    uint32_t winners,
    int32_t n_seats,
    int32_t first_seat,
    int64_t unit_chips,
    int64_t* shares,  # IN OUT
) noexcept nogil:
    cdef int32_t n_winners = count_seats(winners, n_seats)
    cdef int64_t units, odd_units, odd_left, rest
    cdef int32_t step, seat
    if n_winners == 0:
        return 0
    units = chips // unit_chips
    rest = chips % unit_chips
    odd_units = units % n_winners
    odd_left = odd_units
    for step in range(n_seats):
        seat = (first_seat + step) % n_seats
        if not holds(winners, seat):
            continue
        shares[seat] += units // n_winners * unit_chips
        # POT-ODD-01: the units left over go one each to the first tied winners clockwise.
        if odd_left > 0:
            shares[seat] += unit_chips
            odd_left -= 1
        # What is smaller than a unit cannot be divided further and stays with the first winner.
        shares[seat] += rest
        rest = 0
    return odd_units


cdef int64_t share_layer_with_carry(
    int64_t chips,
    uint32_t winners,
    int32_t n_seats,
    int32_t first_seat,
    int64_t unit_chips,
    int64_t* shares,  # IN OUT
) noexcept nogil:
    cdef int32_t n_winners = count_seats(winners, n_seats)
    cdef int64_t each
    cdef int32_t seat
    # POT-SPLIT-04: two tied hands divide as everywhere; the carry speaks only of more than two.
    if n_winners < 3:
        share_layer(chips, winners, n_seats, first_seat, unit_chips, shares)
        return 0
    each = chips // unit_chips // n_winners * unit_chips
    for seat in range(n_seats):
        if holds(winners, seat):
            shares[seat] += each
    # POT-SPLIT-03: the units left over are won with the next hand.
    return chips - each * n_winners


cdef int64_t share_layer_odd_to_first(
    int64_t chips,
    uint32_t winners,
    int32_t n_seats,
    int32_t first_seat,
    int64_t unit_chips,
    int64_t* shares,  # IN OUT
) noexcept nogil:
    cdef int32_t n_winners = count_seats(winners, n_seats)
    cdef int64_t each, rest
    cdef int32_t step, seat
    if n_winners == 0:
        return 0
    each = chips // unit_chips // n_winners * unit_chips
    rest = chips - each * n_winners
    for step in range(n_seats):
        seat = (first_seat + step) % n_seats
        if holds(winners, seat):
            shares[seat] += each + rest
            rest = 0
    return chips // unit_chips % n_winners


cdef Halves halve_layer(int64_t chips, int64_t unit_chips) noexcept nogil:
    cdef Halves halves
    halves.low_chips = chips // unit_chips // 2 * unit_chips
    halves.high_chips = chips - halves.low_chips
    halves.carried_chips = 0
    return halves


cdef Halves halve_layer_with_carry(int64_t chips, int32_t n_high, int32_t n_low, int64_t unit_chips) noexcept nogil:
    cdef Halves halves
    cdef int64_t least_multiple = n_high
    # POT-SPLIT-03: a pot in two parts, one high and one low, has one odd unit at most, and it is the high hand's.
    if n_high == 1 and n_low == 1:
        return halve_layer(chips, unit_chips)
    while least_multiple % n_low:
        least_multiple += n_high
    # Equal parts, as many as both halves divide into; what is left over is nobody's yet.
    halves.low_chips = chips // unit_chips // (2 * least_multiple) * least_multiple * unit_chips
    halves.high_chips = halves.low_chips
    halves.carried_chips = chips - 2 * halves.low_chips
    return halves


# The Python face: what the cores take for granted is checked here.

cdef int32_t read_totals(object committed_chips, int64_t* totals) except -1:
    """Copies the totals of two to ten seats and returns how many seats they are."""
    cdef int32_t n_seats = 0
    if not 2 <= len(committed_chips) <= MAX_SEATS:
        raise InputError(
            f"expected 2 to {MAX_SEATS} seats, got {len(committed_chips)}", field="committed_chips"
        )
    for chips in committed_chips:
        if not 0 <= chips <= CHIPS_MAX:
            raise InputError(f"{chips} is no total of chips", field=f"committed_chips[{n_seats}]")
        totals[n_seats] = chips
        n_seats += 1
    return n_seats


cdef int check_mask(object seats, int32_t n_seats, str field) except -1:
    """Refuses a mask without a seat and one with seats that the table does not have."""
    if not 0 < seats < 1 << n_seats:
        raise InputError(f"expected at least one of {n_seats} seats, got mask {seats}", field=field)
    return 0


def find_uncalled_bet(committed_chips, *, live_mask):
    """Find the unmatched top of the highest total.

    Args:
        committed_chips: What each seat put in during the hand, base units, 0..2**53, 2 to 10 seats.
        live_mask: The seats that have not folded; bit s is seat s.

    Returns:
        The seat that gets chips back and how many, or None.

    Raises:
        InputError: Seats, totals or the mask are out of range.

    Rules:
        POT-LAY-01, BET-GEN-07.
    """
    cdef int64_t totals[MAX_SEATS]
    cdef int32_t n_seats = read_totals(committed_chips, totals)
    cdef Refund refund
    check_mask(live_mask, n_seats, "live_mask")
    refund = uncalled_bet(totals, n_seats, live_mask)
    return None if refund.seat < 0 else (refund.seat, refund.chips)


def make_layers(committed_chips, *, live_mask, dead_chips=0):
    """Cut the pot into layers.

    Args:
        committed_chips: What each seat put in during the hand, without the uncalled bet; base units,
            0..2**53, 2 to 10 seats.
        live_mask: The seats that have not folded; bit s is seat s.
        dead_chips: Chips of no seat, 0..2**53 base units: a fee, or what an earlier hand carried.

    Returns:
        The layers from the main layer up, each as its chips and the mask of the seats that may win it.

    Raises:
        InputError: Seats, totals, the mask or the dead chips are out of range.

    Rules:
        POT-LAY-01, POT-LAY-03, POT-LAY-06.
    """
    cdef int64_t totals[MAX_SEATS]
    cdef Layer layers[MAX_LAYERS]
    cdef int32_t n_seats = read_totals(committed_chips, totals)
    cdef int32_t n_layers
    check_mask(live_mask, n_seats, "live_mask")
    if not 0 <= dead_chips <= CHIPS_MAX:
        raise InputError(f"{dead_chips} is no amount of chips", field="dead_chips")
    n_layers = build_layers(totals, n_seats, live_mask, dead_chips, layers)
    return tuple([(layers[i].chips, layers[i].eligible) for i in range(n_layers)])


cdef int check_split(
    object chips, object winners, object n_seats, object first_seat, object unit_chips
) except -1:
    """Refuses what cannot be divided, and a table that cannot be."""
    if not 2 <= n_seats <= MAX_SEATS:
        raise InputError(f"expected 2 to {MAX_SEATS} seats, got {n_seats}", field="n_seats")
    if not 0 <= first_seat < n_seats:
        raise InputError(f"there is no seat {first_seat}", field="first_seat")
    if not 0 <= chips <= CHIPS_MAX:
        raise InputError(f"{chips} is no amount of chips", field="chips")
    if not 1 <= unit_chips <= CHIPS_MAX:
        raise InputError(f"a unit of {unit_chips} divides nothing", field="unit_chips")
    check_mask(winners, n_seats, "winners")
    return 0


def settle_alone(committed_chips, *, seat, dead_chips=0):
    """Settle the wagers for the only live seat: what `find_uncalled_bet` and `make_layers` come to, in one pass.

    Args:
        committed_chips: What each seat put in during the hand, base units, 0..2**53, 2 to 10 seats.
        seat: The seat that has not folded.
        dead_chips: Chips of no seat, 0..2**53 base units.

    Returns:
        The chips that the seat takes back because nobody called them, and those that it wins.

    Raises:
        InputError: Seats, totals or the dead chips are out of range.

    Rules:
        BET-GEN-06, BET-GEN-07, POT-LAY-01, POT-LAY-06.
    """
    cdef int64_t totals[MAX_SEATS]
    cdef Layer layer
    cdef int64_t returned_chips
    cdef int32_t n_seats = read_totals(committed_chips, totals)
    if not 0 <= seat < n_seats:
        raise InputError(f"no seat {seat}", field="seat")
    if not 0 <= dead_chips <= CHIPS_MAX:
        raise InputError(f"{dead_chips} is no amount of chips", field="dead_chips")
    returned_chips = settle_last(totals, n_seats, seat, dead_chips, &layer)
    return returned_chips, layer.chips


def split_layer(chips, *, winners, n_seats, first_seat, unit_chips=1):
    """Divide a layer among tied winners.

    Args:
        chips: The layer, 0..2**53 base units.
        winners: Mask of the seats that tie for it; bit s is seat s.
        n_seats: Seats at the table, 2 to 10.
        first_seat: Seat at the button's left, where the clockwise count starts.
        unit_chips: Smallest amount that may be handed out, in base units.

    Returns:
        What each seat gets, 0 for those who did not win.

    Raises:
        InputError: An argument is out of range, or nobody won.

    Rules:
        POT-ODD-01, POT-ODD-02.
    """
    cdef int64_t shares[MAX_SEATS]
    cdef int32_t seat
    check_split(chips, winners, n_seats, first_seat, unit_chips)
    for seat in range(MAX_SEATS):
        shares[seat] = 0
    share_layer(chips, winners, n_seats, first_seat, unit_chips, shares)
    return tuple([shares[seat] for seat in range(n_seats)])


def split_layer_with_carry(chips, *, winners, n_seats, first_seat, unit_chips=1):
    """Divide a layer as House Night does: three and more winners leave the odd units to the next hand.

    Args:
        chips: As `split_layer`.
        winners: As `split_layer`.
        n_seats: As `split_layer`.
        first_seat: As `split_layer`; it decides only between two winners.
        unit_chips: As `split_layer`.

    Returns:
        What each seat gets, and the chips that are carried.

    Raises:
        InputError: As `split_layer`.

    Rules:
        POT-SPLIT-03, POT-SPLIT-04.
    """
    cdef int64_t shares[MAX_SEATS]
    cdef int64_t carried
    cdef int32_t seat
    check_split(chips, winners, n_seats, first_seat, unit_chips)
    for seat in range(MAX_SEATS):
        shares[seat] = 0
    carried = share_layer_with_carry(chips, winners, n_seats, first_seat, unit_chips, shares)
    return tuple([shares[seat] for seat in range(n_seats)]), carried


def split_layer_odd_to_first(chips, *, winners, n_seats, first_seat, unit_chips=1):
    """Divide a layer as card rooms' records have it: the first tied winner gets all units that do not divide.

    Args:
        chips: As `split_layer`.
        winners: As `split_layer`.
        n_seats: As `split_layer`.
        first_seat: As `split_layer`.
        unit_chips: As `split_layer`.

    Returns:
        What each seat gets.

    Raises:
        InputError: As `split_layer`.
    """
    cdef int64_t shares[MAX_SEATS]
    cdef int32_t seat
    check_split(chips, winners, n_seats, first_seat, unit_chips)
    for seat in range(MAX_SEATS):
        shares[seat] = 0
    share_layer_odd_to_first(chips, winners, n_seats, first_seat, unit_chips, shares)
    return tuple([shares[seat] for seat in range(n_seats)])


def halve(chips, *, unit_chips=1, carry_for=None):
    """Cut a layer into a high and a low half.

    Args:
        chips: The layer, 0..2**53 base units.
        unit_chips: Smallest amount that may be handed out, in base units.
        carry_for: Winners of the high and of the low half, 1..10 each, where the house carries what their parts leave over; None
            where the odd unit goes to the high half in any case.

    Returns:
        The chips of the high half, those of the low half, and those that are carried.

    Raises:
        InputError: An argument is out of range.

    Rules:
        POT-SPLIT-01, POT-SPLIT-02, POT-SPLIT-03.
    """
    cdef Halves halves
    check_split(chips, 1, 2, 0, unit_chips)
    if carry_for is None:
        halves = halve_layer(chips, unit_chips)
    else:
        n_high, n_low = carry_for
        if not (1 <= n_high <= MAX_SEATS and 1 <= n_low <= MAX_SEATS):
            raise InputError("each half has 1 to 10 winners", field="carry_for")
        halves = halve_layer_with_carry(chips, n_high, n_low, unit_chips)
    return halves.high_chips, halves.low_chips, halves.carried_chips
