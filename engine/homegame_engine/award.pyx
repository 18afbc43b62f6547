# cython: language_level=3
"""From the showdown to the payout of one deal. See award.pxd.

Hands are shown or mucked in turn, the layers are judged, every chip leaves the pot. Layers and shares are `pots.pyx`'s, strength
is the evaluator's. This module knows no betting and no steps: `hand.pyx` calls it when the last round is over or the last rival
has folded.
"""

from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_FOLD,
    ACTION_MUCK,
    ACTION_RAISE,
    ACTION_SHOW,
    Action,
    Legal,
    REFUSE_ACTION_CLOSED,
    REFUSE_CARDS_UNKNOWN,
    REFUSE_SHOWDOWN_TURN,
    REFUSE_UNKNOWN_ACTION,
)
from homegame_engine.evaluator.high cimport rank_high
from homegame_engine.hand_state cimport (
    EVENT_AWARD,
    EVENT_END,
    EVENT_MUCK,
    EVENT_SHARE,
    EVENT_SHOW,
    EVENT_SHOWDOWN,
    EventBuffer,
    EventRecord,
    HandCore,
    PHASE_OVER,
    PHASE_SHOWDOWN,
    PHASE_WAITING,
    SHOWDOWN_FIRST_ACTED,
    board_card,
    board_known,
    hole_card,
    hole_cards_known,
    new_event,
)
from homegame_engine.limits cimport MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS
from homegame_engine.masks cimport count_seats, has_several, seat_from, seats_in_order
from homegame_engine.pots cimport share_layer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset


cdef int32_t hand_rank_of(const HandCore* h, int32_t seat) noexcept nogil:
    cdef uint8_t cards[MAX_HOLE_CARDS + MAX_BOARD_CARDS]
    cdef int32_t n = 0, i
    for i in range(h.n_hole_cards[seat]):
        cards[n] = hole_card(h, seat, i)
        n += 1
    for i in range(h.n_board_cards):
        cards[n] = board_card(h, i)
        n += 1
    return rank_high(cards, n)                # GAME-HE-03: best five of all.


cdef void turn_up(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    cdef int32_t i
    cdef EventRecord* record = new_event(events, EVENT_SHOW, seat)
    h.shown_mask |= 1u << seat
    if record != NULL:
        record.n_cards = h.n_hole_cards[seat]
        for i in range(h.n_hole_cards[seat]):
            record.cards[i] = hole_card(h, seat, i)


cdef void ask_to_show(HandCore* h, int32_t seat) noexcept nogil:
    """Gives the turn to a live hand at showdown (PROC-SHOW-04)."""
    h.actor = seat
    memset(&h.betting.legal, 0, sizeof(Legal))
    h.betting.legal.kinds = 1u << ACTION_MUCK
    if hole_cards_known(h, seat):
        h.betting.legal.kinds |= 1u << ACTION_SHOW


cdef int32_t first_to_show(const HandCore* h) noexcept nogil:
    """PROC-SHOW-01. A short all-in is a wager like another here: it was the last to be called (silent in the rulebook)."""
    cdef int32_t seat = h.betting.last_aggressor
    if seat >= 0 and h.betting.live_mask >> seat & 1:
        return seat
    seat = h.betting.first_actor
    if h.showdown.first == SHOWDOWN_FIRST_ACTED and seat >= 0:
        return seat if h.betting.live_mask >> seat & 1 else seat_from(h.betting.live_mask, seat + 1)
    return seat_from(h.betting.live_mask, h.button + 1)


cdef void begin_showdown(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef int32_t order[MAX_SEATS]
    cdef int32_t i
    cdef EventRecord* record
    h.phase = PHASE_SHOWDOWN
    h.showdown_first = first_to_show(h)
    record = new_event(events, EVENT_SHOWDOWN, h.showdown_first)
    if record != NULL:
        record.mask = h.betting.live_mask
    if h.showdown.ask:
        ask_to_show(h, h.showdown_first)
        if h.shown_mask >> h.actor & 1:
            next_to_show(h, events)
        return
    for i in range(seats_in_order(h.betting.live_mask & ~h.shown_mask, h.showdown_first, order)):
        if hole_cards_known(h, order[i]):                              # Hands are shown without being asked.
            turn_up(h, order[i], events)
    settle(h, events)


cdef void next_to_show(HandCore* h, EventBuffer* events) noexcept nogil:
    """The next live hand that has not answered; with none left, or one hand left in all, the award."""
    cdef uint32_t waiting_mask = h.betting.live_mask & ~h.shown_mask & ~h.mucked_mask
    # BET-GEN-06: the last live hand takes what is left and need not show.
    if waiting_mask == 0 or count_seats(h.betting.live_mask & ~h.mucked_mask) == 1:
        settle(h, events)
        return
    ask_to_show(h, seat_from(waiting_mask, h.actor + 1))


cdef void muck(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    """Concedes every layer that somebody else can still win; the last hand eligible for a layer has won it (POT-LAY-05)."""
    cdef int32_t i
    cdef uint32_t others
    h.mucked_mask |= 1u << seat
    for i in range(h.n_layers):
        others = h.layers[i].eligible & ~(1u << seat)
        if others:
            h.layers[i].eligible = others
    new_event(events, EVENT_MUCK, seat)


cdef void settle(HandCore* h, EventBuffer* events) noexcept nogil:
    """Awards the layers, or waits for an UNKNOWN card that decides one."""
    cdef int32_t i, seat
    cdef bint board_is_known = board_known(h)
    h.actor = -1
    for i in range(h.n_layers):
        if not has_several(h.layers[i].eligible):
            continue
        for seat in range(h.n_seats):
            if h.layers[i].eligible >> seat & 1 and not (board_is_known and hole_cards_known(h, seat)):
                h.phase = PHASE_WAITING
                return
    award(h, events)


cdef uint32_t best_hands(HandCore* h, uint32_t eligible) noexcept nogil:
    """Mask of the eligible seats whose hands tie for best (POT-LAY-04); ranks are kept for the history."""
    cdef int32_t seat, best = 0
    cdef uint32_t winners = 0
    for seat in range(h.n_seats):
        if not (eligible >> seat & 1):
            continue
        if h.ranks[seat] == 0:
            h.ranks[seat] = hand_rank_of(h, seat)
        if h.ranks[seat] > best:
            best = h.ranks[seat]
            winners = 0
        if h.ranks[seat] == best:
            winners |= 1u << seat
    return winners


cdef inline void pay(HandCore* h, int32_t seat, int64_t chips, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record
    if chips == 0:
        return
    h.won_chips[seat] += chips
    h.betting.stack_chips[seat] += chips
    record = new_event(events, EVENT_SHARE, seat)
    if record != NULL:
        record.chips = chips


cdef void award_layer(HandCore* h, int32_t i, EventBuffer* events) noexcept nogil:
    """Gives one layer to its winners, odd units clockwise from the button's left (POT-ODD-01)."""
    cdef int32_t order[MAX_SEATS]
    cdef int64_t shares[MAX_SEATS]
    cdef int64_t odd_units = 0
    cdef int32_t k
    cdef int32_t left = h.button + 1 if h.button + 1 < h.n_seats else 0
    cdef uint32_t winners = h.layers[i].eligible
    cdef EventRecord* record
    if has_several(winners):
        winners = best_hands(h, winners)
    if has_several(winners):
        memset(shares, 0, sizeof(shares))
        odd_units = share_layer(h.layers[i].chips, winners, h.n_seats, left, h.betting.rules.unit_chips, shares)
    record = new_event(events, EVENT_AWARD, -1)
    if record != NULL:
        record.number = i
        record.chips = h.layers[i].chips
        record.by_chips = odd_units
    if not has_several(winners):
        pay(h, seat_from(winners, 0), h.layers[i].chips, events)
        return
    for k in range(seats_in_order(winners, left, order)):
        pay(h, order[k], shares[order[k]], events)


cdef void award(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef int32_t i
    for i in range(h.n_layers):
        award_layer(h, i, events)
    h.phase = PHASE_OVER
    h.actor = -1
    new_event(events, EVENT_END, -1)


cdef int32_t apply_showdown(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    if seat != h.actor:
        return REFUSE_SHOWDOWN_TURN                                    # PROC-SHOW-01
    if action.kind == ACTION_SHOW:
        if not hole_cards_known(h, seat):
            return REFUSE_CARDS_UNKNOWN                                # PROC-SHOW-04
        turn_up(h, seat, events)
    elif action.kind == ACTION_MUCK:
        muck(h, seat, events)
    elif ACTION_FOLD <= action.kind <= ACTION_RAISE:
        return REFUSE_ACTION_CLOSED                                    # BET-GEN-03
    else:
        return REFUSE_UNKNOWN_ACTION
    h.n_actions += 1
    next_to_show(h, events)
    return ACCEPTED


cdef uint32_t openers_mask(const HandCore* h) noexcept nogil:
    return h.betting.live_mask


cdef bint redeal_if_not_opened(HandCore* h, EventBuffer* events) noexcept nogil:
    return False


cdef int32_t divide(HandCore* h, const int64_t* shares, EventBuffer* events) noexcept nogil:
    return ACCEPTED
