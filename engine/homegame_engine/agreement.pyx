# cython: language_level=3
"""Dividing the pot by agreement. See agreement.pxd. What a seat has named holds only until somebody acts."""

from homegame_engine.award cimport divide
from homegame_engine.betting cimport (
    ACCEPTED,
    REFUSE_AGREEMENT_FORBIDDEN,
    REFUSE_CONSENT_MISSING,
    REFUSE_HAND_OVER,
    REFUSE_NOT_A_UNIT,
    REFUSE_SPLIT_SUM,
)
from homegame_engine.hand_state cimport EventBuffer, HandCore, PHASE_OVER, live_hands
from homegame_engine.limits cimport MAX_SEATS
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from homegame_engine import events as ev
from homegame_engine.errors import InputError
from homegame_engine.refusals import refuse


cdef int32_t hand_agree(HandCore* h, int32_t seat, const int64_t* shares, EventBuffer* events) noexcept nogil:
    cdef int32_t refusal, other, i
    if h.phase == PHASE_OVER or seat < 0 or seat >= h.n_seats or not (live_hands(h) >> seat & 1):
        return REFUSE_HAND_OVER
    if h.named_at_action != h.n_actions:                               # Play went on: what was named is void.
        h.named_mask = 0
    if shares == NULL:
        h.named_mask &= ~(1u << seat)
        return ACCEPTED if h.deal.agreement else REFUSE_AGREEMENT_FORBIDDEN
    refusal = division_refusal(h, shares)
    if refusal != ACCEPTED:
        return refusal
    memcpy(h.named_shares[seat], shares, sizeof(int64_t) * h.n_seats)
    h.named_mask |= 1u << seat
    h.named_at_action = h.n_actions
    for other in range(h.n_seats):
        if not (live_hands(h) >> other & 1):
            continue
        if not (h.named_mask >> other & 1):
            return ACCEPTED
        for i in range(h.n_seats):
            if h.named_shares[other][i] != shares[i]:
                return ACCEPTED
    return divide(h, shares, events)


cdef int32_t division_refusal(const HandCore* h, const int64_t* shares) noexcept nogil:
    """POT-AGR-01: whole units that add up to the pot and go only to seats in it; POT-AGR-02: the house allows any."""
    cdef int64_t left_chips = h.dead_chips
    cdef bint in_units = True
    cdef int32_t i
    if not h.deal.agreement:
        return REFUSE_AGREEMENT_FORBIDDEN
    for i in range(h.n_seats):
        left_chips += h.committed_chips[i] - shares[i]
        if shares[i] < 0 or shares[i] > 0 and not (live_hands(h) >> i & 1):
            return REFUSE_SPLIT_SUM
        if shares[i] % h.betting.rules.unit_chips:
            in_units = False
    if left_chips != 0:
        return REFUSE_SPLIT_SUM
    return ACCEPTED if in_units else REFUSE_NOT_A_UNIT                 # POT-ODD-02: only whole chips exist.


# --- Python skin ------------------------------------------------------------------------------------------------------------


cdef int32_t read_shares(object shares, int32_t n_seats, int64_t* parsed) except -1:
    """Reads a division of the pot into `parsed`  # OUT; amounts that no pot has stay wrong after the cut."""
    cdef int32_t seat
    if not isinstance(shares, (tuple, list)) or len(shares) != n_seats:
        raise InputError(f"a division needs one amount for each of {n_seats} seats", field="shares")
    for seat in range(n_seats):
        if not isinstance(shares[seat], int) or isinstance(shares[seat], bool):
            raise InputError("amounts are integers", field="shares")
        parsed[seat] = max(-1, min(1 << 53, shares[seat]))
    return 0


cdef tuple agree(HandCore* h, int32_t seat, object shares, EventBuffer* events):
    """A seat names a division, or takes it back with (): the events of `events.py`. Raises RuleViolation."""
    cdef int64_t named[MAX_SEATS]
    cdef int32_t refusal
    cdef bint takes_back = isinstance(shares, (tuple, list)) and not shares
    if not takes_back:
        read_shares(shares, h.n_seats, named)
    refusal = hand_agree(h, seat, NULL if takes_back else named, events)
    if refusal != ACCEPTED:
        raise refuse(refusal)
    return (ev.DivisionNamed(seat=seat, shares=tuple(shares)),)


cdef int32_t divide_by_consent(HandCore* h, object shares, object consenting, EventBuffer* events) except -1:
    cdef int64_t named[MAX_SEATS]
    cdef int32_t refusal = REFUSE_HAND_OVER
    if h.phase != PHASE_OVER:
        read_shares(shares, h.n_seats, named)
        refusal = division_refusal(h, named)
    if refusal == ACCEPTED and live_hands(h) & ~<uint32_t>sum([1 << seat for seat in set(consenting)]):
        refusal = REFUSE_CONSENT_MISSING
    if refusal == ACCEPTED:
        refusal = divide(h, named, events)
    if refusal != ACCEPTED:
        raise refuse(refusal)
    return 0
