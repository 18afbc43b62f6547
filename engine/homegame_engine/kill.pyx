# cython: language_level=3
"""The kill marker from hand to hand. See kill.pxd. Knows no cards and no stacks: what a hand was comes in as a result."""

from homegame_engine.masks cimport has_several, lowest_seat
from libc.stdint cimport int32_t, int64_t, uint32_t

from typing import NamedTuple

cdef enum:
    SCOOP_BIG_BLINDS = 5   # KILL-07


class KillMarker(NamedTuple):
    """The marker between two hands. See kill.pyi."""

    leg_seat: int
    killer_seat: int


cdef KillState kill_neutral() noexcept nogil:
    cdef KillState state
    state.leg_seat = -1
    state.killer_seat = -1
    return state


cdef KillState kill_after(KillState before, const KillResult* result) noexcept nogil:
    cdef KillState state = kill_neutral()
    cdef int32_t winner
    if result.winners_mask == 0:
        return before                                          # The pot stays for a redeal: nobody has won it.
    if has_several(result.winners_mask):
        # KILL-03: neutral, unless a sharer held the leg. KILL-04: a sharer keeps it, and a killer kills again.
        if before.leg_seat >= 0 and result.winners_mask >> before.leg_seat & 1:
            state.leg_seat = before.leg_seat
        if result.killer_seat >= 0 and result.winners_mask >> result.killer_seat & 1:
            state.killer_seat = result.killer_seat
        return state
    winner = lowest_seat(result.winners_mask)
    state.leg_seat = winner
    if result.is_hi_lo:
        if result.pot_chips >= SCOOP_BIG_BLINDS * result.big_blind_chips:
            state.killer_seat = winner                         # KILL-07: one scoop is enough.
    elif result.killer_seat == winner or before.leg_seat == winner and result.won_bet:
        state.killer_seat = winner                             # KILL-02: the second leg; KILL-04: a killer who wins again.
    return state


cdef int64_t killed_size(int32_t kill, int64_t chips, int64_t unit_chips) noexcept nogil:
    if kill == KILL_FULL:
        return 2 * chips
    if kill == KILL_HALF:
        return 3 * chips // 2 // unit_chips * unit_chips
    return chips


def next_marker(marker, *, uint32_t winners_mask, bint won_bet=True, bint is_hi_lo=False, int64_t pot_chips=0,
                int64_t big_blind_chips=0):
    cdef KillState before
    cdef KillResult result
    before.leg_seat, before.killer_seat = marker
    result.winners_mask = winners_mask
    result.killer_seat = before.killer_seat
    result.pot_chips = pot_chips
    result.big_blind_chips = big_blind_chips
    result.won_bet = won_bet
    result.is_hi_lo = is_hi_lo
    before = kill_after(before, &result)
    return KillMarker(before.leg_seat, before.killer_seat)
