# cython: language_level=3
"""Who acts first in a round that no blind opens, and what it may open with. See streets.pxd.

This module looks at exposed cards and declarations and then tells the betting who begins and what is special about the street.
It knows nothing of wagers once they are made.
"""

from homegame_engine.award cimport openers_mask
from homegame_engine.betting cimport (
    SPECIAL_OPEN_PAIR,
    SPECIAL_OPENERS,
    betting_open_by_bring_in,
    betting_pass_turn,
    is_limit,
)
from homegame_engine.evaluator.ranking cimport rank_exposed, rank_exposed_low_wild, rank_exposed_wild
from homegame_engine.hand_state cimport (
    BRING_IN_HIGHEST,
    DECLARED_BOTH,
    DECLARED_HIGH,
    DECLARED_LOW,
    HandCore,
    OPENS_BRING_IN,
    OPENS_BUTTON_LEFT,
    OPENS_DECLARED,
    OPENS_WORST_EXPOSED,
    board_card,
    hole_card,
)
from homegame_engine.limits cimport CARD_UNKNOWN, MAX_SEATS
from homegame_engine.masks cimport count_seats, has_several, lowest_seat, seat_from, seats_in_order
from libc.stdint cimport int32_t, uint8_t, uint32_t

cdef enum:
    MAX_EXPOSED = 5    # Cards that an exposed hand counts (RANK-UP-01).
    ACE = 12           # Rank of a card code, 0 being the two.
    FIRST_JOKER = 52


cdef int32_t exposed_cards(const HandCore* h, int32_t seat, uint8_t* cards) noexcept nogil:
    """Writes the up cards of a seat, and the common card that stands for a missing one (GAME-ST-17), to `cards`  # OUT."""
    cdef int32_t i, n = 0
    for i in range(h.n_hole_cards[seat]):
        if h.up_masks[seat] >> i & 1 and n < MAX_EXPOSED:
            cards[n] = hole_card(h, seat, i)
            n += 1
    if not h.game.has_board:
        for i in range(h.n_board_cards):
            if n < MAX_EXPOSED:
                cards[n] = board_card(h, i)
                n += 1
    return n


cdef int32_t exposed_rank(const HandCore* h, int32_t seat, bint is_low) noexcept nogil:
    cdef uint8_t cards[MAX_EXPOSED]
    cdef int32_t n = exposed_cards(h, seat, cards)
    if n == 0:
        return -1
    if is_low:
        return rank_exposed_low_wild(cards, n, h.game.high.wild_mask)
    if h.game.exposed_wilds:
        return rank_exposed_wild(cards, n, h.game.high.wild_mask)
    return rank_exposed(cards, n)


cdef int32_t best_exposed_seat(const HandCore* h, uint32_t seats, bint is_low) noexcept nogil:
    """Of `seats` the one with the best exposed hand, or the lowest one (RANK-UP-01 to RANK-UP-03)."""
    cdef int32_t order[MAX_SEATS]
    cdef int32_t i, rank, best_rank = -2
    cdef int32_t best_seat = -1
    for i in range(seats_in_order(seats, h.button + 1, order)):
        rank = exposed_rank(h, order[i], is_low)
        if rank > best_rank:                                   # RANK-UP-03: of equals the one that received cards first.
            best_rank = rank
            best_seat = order[i]
    return best_seat


cdef int32_t bring_in_key(const HandCore* h, uint8_t card) noexcept nogil:
    """The seat with the highest key brings in; no two cards have the same."""
    if h.game.bring_in == BRING_IN_HIGHEST:                    # GAME-RZ-03: the ace is low, spades first.
        if card >= FIRST_JOKER:
            return -8 - card                                   # A joker makes the lowest hand there is.
        return (-4 if card >> 2 == ACE else card & ~3) + (card & 3)
    return -card                                               # GAME-ST-06: the ace is high, clubs first; GAME-ST-07.


cdef int32_t bring_in_card_seat(const HandCore* h, uint32_t seats) noexcept nogil:
    """Of `seats` the one whose up card brings in, whether it has chips or not (GAME-ST-06, GAME-ST-07, GAME-RZ-03)."""
    cdef int32_t seat, i, key, best_key = -1000
    cdef int32_t best_seat = -1
    for seat in range(h.n_seats):
        if not seats >> seat & 1:
            continue
        for i in range(h.n_hole_cards[seat]):
            if h.up_masks[seat] >> i & 1:
                key = bring_in_key(h, hole_card(h, seat, i))
                if key > best_key:
                    best_key = key
                    best_seat = seat
    return best_seat


cdef int32_t alone_for_a_half(uint32_t high_mask, uint32_t low_mask) noexcept nogil:
    """The lock (GAME-DECL-02), the high one before the low one, or -1."""
    if count_seats(high_mask) == 1:
        return lowest_seat(high_mask)
    return lowest_seat(low_mask) if count_seats(low_mask) == 1 else -1


cdef void declared_masks(const HandCore* h, uint32_t* high_mask, uint32_t* low_mask) noexcept nogil:
    """Live seats that declared for each half, a BOTH for either, into the two masks  # OUT."""
    cdef int32_t seat
    high_mask[0] = 0
    low_mask[0] = 0
    for seat in range(h.n_seats):
        if not h.betting.live_mask >> seat & 1:
            continue
        if h.declared[seat] == DECLARED_HIGH or h.declared[seat] == DECLARED_BOTH:
            high_mask[0] |= 1u << seat
        if h.declared[seat] == DECLARED_LOW or h.declared[seat] == DECLARED_BOTH:
            low_mask[0] |= 1u << seat


cdef int32_t declared_opener(const HandCore* h) noexcept nogil:
    """GAME-DECL-02: the lock, else the first high declarer, else the first live seat, clockwise from the button's left."""
    cdef uint32_t high_mask, low_mask
    cdef int32_t lock
    declared_masks(h, &high_mask, &low_mask)
    lock = alone_for_a_half(high_mask, low_mask)
    if lock >= 0:
        return lock
    return seat_from(high_mask if high_mask else h.betting.live_mask, h.button + 1)


cdef bint halves_are_settled(const HandCore* h, int32_t step) noexcept nogil:
    cdef uint32_t high_mask, low_mask
    if h.game.steps[step].opens != OPENS_DECLARED or count_seats(h.betting.live_mask) != 2:
        return False
    declared_masks(h, &high_mask, &low_mask)
    return count_seats(high_mask) == 1 and count_seats(low_mask) == 1 and high_mask != low_mask


cdef bint has_open_pair(const HandCore* h) noexcept nogil:
    """Whether two up cards of a live hand pair (BET-LIM-04)."""
    cdef uint8_t cards[MAX_EXPOSED]
    cdef int32_t seat, i, n
    cdef uint32_t ranks
    for seat in range(h.n_seats):
        if not h.betting.live_mask >> seat & 1:
            continue
        ranks = 0
        n = exposed_cards(h, seat, cards)
        for i in range(n):
            if cards[i] == CARD_UNKNOWN:
                continue
            if ranks >> (cards[i] >> 2) & 1:
                return True
            ranks |= 1u << (cards[i] >> 2)
    return False


cdef uint32_t seen_mask(const HandCore* h) noexcept nogil:
    """Live seats whose exposed cards are all known."""
    cdef uint8_t cards[MAX_EXPOSED]
    cdef int32_t seat, i, n
    cdef uint32_t seen = h.betting.live_mask
    for seat in range(h.n_seats):
        if seen >> seat & 1:
            n = exposed_cards(h, seat, cards)
            for i in range(n):
                if cards[i] == CARD_UNKNOWN:
                    seen &= ~(1u << seat)
    return seen


cdef bint opener_is_unknown(const HandCore* h) noexcept nogil:
    cdef uint8_t opens = h.game.steps[h.step].opens
    if not h.may_be_unknown or opens == OPENS_BUTTON_LEFT or opens == OPENS_DECLARED or h.told_opener:
        return False
    return seen_mask(h) != h.betting.live_mask


cdef int32_t exposed_opener(const HandCore* h, uint32_t seats) noexcept nogil:
    """Of `seats` the one whose exposed cards open the round at h.step, whether it has chips or not."""
    cdef uint8_t opens = h.game.steps[h.step].opens
    if opens != OPENS_BRING_IN:
        return best_exposed_seat(h, seats, opens == OPENS_WORST_EXPOSED)
    if h.deal.bring_in_chips > 0:
        return bring_in_card_seat(h, seats)
    return best_exposed_seat(h, seats, h.game.bring_in == BRING_IN_HIGHEST)


cdef bint may_open_unseen(const HandCore* h, int32_t seat) noexcept nogil:
    cdef uint32_t seen = seen_mask(h)
    return not seen >> seat & 1 or exposed_opener(h, seen) == seat


cdef void begin_bring_in(HandCore* h) noexcept nogil:
    """The low card brings in; one that is all-in from its ante passes that on clockwise (GAME-ST-06, GAME-ST-07)."""
    cdef int32_t seat = exposed_opener(h, h.betting.live_mask) if not h.told_opener else h.told_opener - 1
    cdef bint is_inherited = not h.betting.chips_mask >> seat & 1
    if is_inherited:
        seat = seat_from(h.betting.chips_mask, seat + 1)
    if not (is_inherited and h.deal.bring_in_is_choice):
        h.bring_in_seat = seat
    betting_open_by_bring_in(&h.betting, h.deal.bring_in_chips, seat, is_inherited and h.deal.bring_in_is_choice)


cdef void open_street(HandCore* h) noexcept nogil:
    cdef uint8_t opens = h.game.steps[h.step].opens
    cdef int32_t opener = -1
    if opens == OPENS_BRING_IN and h.deal.bring_in_chips > 0:
        if has_several(h.betting.chips_mask):
            begin_bring_in(h)
        h.told_opener = 0
        return                                                 # BET-GEN-08: nobody is left to bet with.
    if h.told_opener:
        opener = h.told_opener - 1
    elif opens == OPENS_DECLARED:
        opener = declared_opener(h)
    elif opens != OPENS_BUTTON_LEFT:
        opener = exposed_opener(h, h.betting.live_mask)
    h.told_opener = 0
    if opener >= 0 and not h.betting.chips_mask >> opener & 1:
        h.betting.passed_opener = opener                       # GAME-ST-18, GAME-DECL-08: as if it had checked.
    if h.game.openers_rank > 0 and h.street == 0:
        h.betting.special |= SPECIAL_OPENERS                   # GAME-DC-06
        h.betting.may_open_mask = openers_mask(h)
    if h.game.steps[h.step].open_pair and h.deal.open_pair_choice and is_limit(&h.betting) and has_open_pair(h):
        h.betting.special |= SPECIAL_OPEN_PAIR                 # BET-LIM-04
        h.betting.big_step_chips = h.betting.rules.big_bet_chips
    betting_pass_turn(&h.betting, opener if opener >= 0 else h.button + 1)   # GAME-DC-10
