# cython: language_level=3
"""What is chosen besides wagers, and the stub that new cards come from. See choices.pxd.

A draw goes round the table, one seat after the other; discards, passes and declarations are made by all at the same time and
carried out together, when the last one is in. Nothing leaves a hand before that: `chosen_masks` and `declared` keep the sealed
choices. Cards are deck positions here as everywhere, so a card that was mixed into the stub anew keeps its position.
"""

from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_COMPLETE,
    ACTION_DECLARE,
    ACTION_DISCARD,
    ACTION_DRAW,
    ACTION_FOLD,
    ACTION_PASS,
    ACTION_RAISE,
    Action,
    Legal,
    REFUSE_BAD_DECLARATION,
    REFUSE_BAD_DISCARD,
    REFUSE_BAD_DRAW,
    REFUSE_BAD_PASS,
    REFUSE_CHOICE_MADE,
    REFUSE_DECLARE_CLOSED,
    REFUSE_DECLARE_REQUIRED,
    REFUSE_DISCARD_REQUIRED,
    REFUSE_DISCARD_REQUIRED_IRISH,
    REFUSE_OUT_OF_TURN,
    REFUSE_UNKNOWN_ACTION,
)
from homegame_engine.hand_state cimport (
    DECLARED_BOTH,
    DECLARED_HIGH,
    DECLARED_LOW,
    DECLARED_NOTHING,
    EVENT_BURN,
    EVENT_CHOSEN,
    EVENT_COMMON_CARD,
    EVENT_DECLARED,
    EVENT_DRAWN,
    EVENT_HOLE_CARDS,
    EVENT_PASSED,
    EVENT_RESHUFFLE,
    EventBuffer,
    EventRecord,
    GameStep,
    HandCore,
    PHASE_BETTING,
    PHASE_CHOOSING,
    STEP_BURN,
    STEP_DECLARE,
    STEP_DISCARD,
    STEP_DRAW,
    board_card,
    hole_card,
    new_event,
)
from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_HOLE_CARDS, MAX_SEATS
from homegame_engine.masks cimport seat_from, seats_in_order
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from homegame_engine.errors import InputError


cdef extern from *:
    """
    static inline int homegame_count_cards(unsigned long long mask) { return __builtin_popcountll(mask); }
    """
    int homegame_count_cards(unsigned long long mask) noexcept nogil


# How the last private cards are dealt when the stub may not suffice (GAME-ST-17).
cdef enum LastCardsKind:
    LAST_CARDS_NORMAL = 0
    LAST_CARDS_REMIX = 1
    LAST_CARDS_COMMON = 2

cdef struct LastCards:
    int32_t kind            # LastCardsKind.
    int32_t n_served_first  # Cards dealt before the mixing.
    int32_t n_served_then   # Cards dealt after it.
    bint second_burn        # Whether a card is burnt after the mixing, or before the common card.


# --- The stub ---------------------------------------------------------------------------------------------------------------


cdef inline uint8_t stub_position(const HandCore* h, int32_t i) noexcept nogil:
    """Deck position of the i-th card in the order of dealing."""
    return h.deal_order[i] if h.n_mixes else <uint8_t>i


cdef uint64_t held_positions(const HandCore* h, uint32_t seats) noexcept nogil:
    """Deck positions in the hands of `seats`, and on the board."""
    cdef uint64_t mask = 0
    cdef int32_t seat, i
    for seat in range(h.n_seats):
        if seats >> seat & 1:
            for i in range(h.n_hole_cards[seat]):
                mask |= <uint64_t>1 << h.hole_positions[seat][i]
    for i in range(h.n_board_cards):
        mask |= <uint64_t>1 << h.board_positions[i]
    return mask


cdef uint64_t out_of_play(const HandCore* h, uint32_t holding) noexcept nogil:
    """Deck positions that are neither in the hands of `holding` nor on the board nor in the stub."""
    cdef uint64_t mask = (<uint64_t>1 << h.n_deck_cards) - 1
    cdef int32_t i
    for i in range(h.next_deck_position, h.n_deck_cards):
        mask &= ~(<uint64_t>1 << stub_position(h, i))
    return mask & ~held_positions(h, holding)


cdef void mix_in(HandCore* h, uint64_t mixed, bint under, EventBuffer* events) noexcept nogil:
    """Makes a new stub with the positions of `mixed`, in the order in which they stand in the next permutation of the deck.

    With `under` they go under what is left of the stub (CARD-06); without it the rest of the stub is mixed in (GAME-ST-17).
    """
    cdef uint8_t order[DECK_CARDS_MAX]
    cdef int32_t n = 0, i
    cdef uint8_t position
    cdef EventRecord* record
    for i in range(h.next_deck_position, h.n_deck_cards):
        if under:
            order[n] = stub_position(h, i)
            n += 1
        else:
            mixed |= <uint64_t>1 << stub_position(h, i)
    for i in range(h.n_deck_cards):
        position = h.mix_orders[h.n_mixes][i] if h.n_mixes < h.n_mix_orders else <uint8_t>i
        if mixed >> position & 1:
            order[n] = position
            n += 1
    if h.n_mixes == 0:
        for i in range(h.n_deck_cards):
            h.deal_order[i] = <uint8_t>i
    h.next_deck_position = h.n_deck_cards - n
    memcpy(&h.deal_order[h.next_deck_position], order, n)
    h.n_mixes += 1
    record = new_event(events, EVENT_RESHUFFLE, -1)
    if record != NULL:
        record.number = homegame_count_cards(mixed)


cdef void stub_prepare(HandCore* h, int32_t n_needed, EventBuffer* events) noexcept nogil:
    cdef uint64_t mixed
    if n_needed == 0 or stub_left(h) >= n_needed:
        return
    mixed = out_of_play(h, h.betting.live_mask)        # GAME-DC-09: who draws still holds the cards that are to go.
    if mixed:
        mix_in(h, mixed, True, events)


# --- The last private cards of stud (GAME-ST-17) ----------------------------------------------------------------------------


cdef LastCards plan_last_cards(int32_t n_due, int32_t n_stub, int32_t n_burns) noexcept nogil:
    """How `n_due` cards are dealt from a stub of `n_stub` after a burn, with `n_burns` burnt and removed cards beside it."""
    cdef LastCards plan
    cdef int32_t n_waiting, n_mixed
    plan.kind = LAST_CARDS_NORMAL                      # (1)
    plan.n_served_first = n_due
    plan.n_served_then = 0
    plan.second_burn = False
    if n_stub >= n_due + 1:
        return plan
    # (2) One more burn and all but the last card of the stub; that one is mixed with the burns for who still waits.
    plan.n_served_first = n_stub - 2 if n_stub >= 2 else 0
    n_waiting = n_due - plan.n_served_first
    n_mixed = n_burns + (2 if n_stub >= 2 else n_stub)
    if n_mixed < n_waiting:                            # (3), decided before any card is dealt (D-28).
        plan.kind = LAST_CARDS_COMMON
        plan.n_served_first = 0
        plan.second_burn = True
        return plan
    plan.kind = LAST_CARDS_REMIX
    plan.n_served_then = n_waiting
    plan.second_burn = n_mixed > n_waiting
    return plan


cdef void burn_one(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record = new_event(events, EVENT_BURN, -1)
    take_position(h)
    if record != NULL:
        record.chips = 1


cdef void deal_one_down(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    cdef int32_t i = h.n_hole_cards[seat]
    cdef EventRecord* record = new_event(events, EVENT_HOLE_CARDS, seat)
    h.hole_positions[seat][i] = <uint8_t>take_position(h)
    h.n_hole_cards[seat] += 1
    if record != NULL:
        record.n_cards = 1
        record.cards[0] = hole_card(h, seat, i)


cdef void deal_common(HandCore* h, uint64_t burnt, EventBuffer* events) noexcept nogil:
    """One card for all hands; nobody gets a private one."""
    cdef EventRecord* record
    cdef int32_t n_left
    if h.n_deck_cards - h.next_deck_position < 2 and burnt:
        mix_in(h, burnt, False, events)                # With fewer than two cards in the stub: stub and burns together.
    n_left = h.n_deck_cards - h.next_deck_position
    if n_left == 0:
        return
    if n_left > 1:
        burn_one(h, events)
    h.board_positions[h.n_board_cards] = <uint8_t>take_position(h)
    h.n_board_cards += 1
    record = new_event(events, EVENT_COMMON_CARD, -1)
    if record != NULL:
        record.n_cards = 1
        record.cards[0] = board_card(h, h.n_board_cards - 1)


cdef bint deal_shortage(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n_seats = seats_in_order(h.receives_mask, h.button + 1, order)
    cdef int32_t n_due = n_seats * h.game.steps[h.step].count
    cdef int32_t n_burn = 0, i
    cdef uint64_t burnt
    cdef LastCards plan
    if h.step > 0 and h.game.steps[h.step - 1].kind == STEP_BURN:
        n_burn = h.game.steps[h.step - 1].count
    if stub_left(h) >= n_due + n_burn:
        return False
    if h.deal.keeps_last_card:                         # CARD-06: muck and burns go under the last card, and dealing goes on.
        stub_prepare(h, n_due + n_burn, events)
        if stub_left(h) >= n_due + n_burn:
            return False
        deal_common(h, 0, events)
        return True
    burnt = out_of_play(h, h.dealt_mask)               # Folded hands are no burns: they stay away.
    plan = plan_last_cards(n_due, stub_left(h), homegame_count_cards(burnt))
    if plan.kind == LAST_CARDS_NORMAL:
        return False
    if plan.kind == LAST_CARDS_COMMON:
        deal_common(h, burnt, events)
        return True
    if stub_left(h) >= 2:
        burn_one(h, events)
    for i in range(plan.n_served_first):
        deal_one_down(h, order[i % n_seats], events)
    mix_in(h, out_of_play(h, h.dealt_mask), False, events)
    if plan.second_burn:
        burn_one(h, events)
    for i in range(plan.n_served_first, n_due):
        deal_one_down(h, order[i % n_seats], events)
    return True


# --- Cards that leave a hand and come to it ---------------------------------------------------------------------------------


cdef int32_t find_cards(const HandCore* h, int32_t seat, const Action* action, uint64_t* picked) noexcept nogil:
    """Which private cards an action names, as bits of their places in the hand, into `picked`  # OUT.

    Returns how many, or -1 when it names a card that the seat does not hold, or one twice.
    """
    cdef int32_t n_unknown = <int32_t>min(action.amount_chips, MAX_HOLE_CARDS + 1)
    cdef int32_t n_known = 0, i
    cdef uint64_t is_named
    cdef uint8_t card
    picked[0] = 0
    for i in range(h.n_hole_cards[seat]):
        card = hole_card(h, seat, i)
        if card == CARD_UNKNOWN:                       # Nobody can tell unknown cards apart: the first ones go.
            if n_unknown > 0:
                n_unknown -= 1
                picked[0] |= <uint64_t>1 << i
            continue
        is_named = <uint64_t>action.card_mask >> card & 1   # No branch: nobody can guess which cards are named.
        picked[0] |= is_named << i
        n_known += <int32_t>is_named
    if n_unknown != 0 or n_known != homegame_count_cards(<uint64_t>action.card_mask):
        return -1
    return homegame_count_cards(picked[0])


cdef int32_t take_out(HandCore* h, int32_t seat, uint64_t picked, uint8_t* positions) noexcept nogil:
    """Takes cards out of a hand, the others move up in order; their deck positions go to `positions`  # OUT. Returns how many."""
    cdef int32_t n_kept = 0, n_taken = 0, i, is_picked
    cdef uint8_t position, up_mask = 0
    for i in range(h.n_hole_cards[seat]):
        # Each card is written to both ends and counted at one: no branch, as above.
        is_picked = picked >> i & 1
        position = h.hole_positions[seat][i]
        positions[n_taken] = position
        h.hole_positions[seat][n_kept] = position
        up_mask |= (h.up_masks[seat] >> i & ~is_picked & 1) << n_kept
        n_taken += is_picked
        n_kept += 1 - is_picked
    h.n_hole_cards[seat] = <uint8_t>n_kept
    h.up_masks[seat] = up_mask
    return n_taken


cdef void put_in(HandCore* h, int32_t seat, uint8_t position) noexcept nogil:
    h.hole_positions[seat][h.n_hole_cards[seat]] = position
    h.n_hole_cards[seat] += 1


cdef void record_chosen(HandCore* h, int32_t seat, uint64_t picked, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record = new_event(events, EVENT_CHOSEN, seat)
    cdef int32_t i
    if record == NULL:
        return
    record.number = h.game.steps[h.step].kind
    for i in range(h.n_hole_cards[seat]):
        if picked >> i & 1:
            record.cards[record.n_cards] = hole_card(h, seat, i)
            record.n_cards += 1


cdef void draw(HandCore* h, int32_t seat, uint64_t picked, EventBuffer* events) noexcept nogil:
    """GAME-DC-09: replacements come before the next player chooses."""
    cdef uint8_t positions[MAX_HOLE_CARDS]
    cdef int32_t n = homegame_count_cards(picked), i
    cdef EventRecord* record
    stub_prepare(h, n, events)                         # Before the cards go: they are no part of the muck yet.
    record_chosen(h, seat, picked, events)
    take_out(h, seat, picked, positions)
    for _ in range(n):
        put_in(h, seat, <uint8_t>take_position(h))
    record = new_event(events, EVENT_DRAWN, seat)
    if record != NULL:
        record.number = n
        record.n_cards = <uint8_t>n
        for i in range(n):
            record.cards[i] = hole_card(h, seat, h.n_hole_cards[seat] - n + i)


cdef int32_t n_changeable(const HandCore* h, int32_t seat) noexcept nogil:
    """How many cards a seat may change: at most what the game says, and what stub and muck can replace."""
    cdef int32_t n = min(<int32_t>h.game.steps[h.step].count, <int32_t>h.n_hole_cards[seat])
    if stub_left(h) < n:
        n = min(n, stub_left(h) + homegame_count_cards(out_of_play(h, h.betting.live_mask)))
    return max(n, 0)


cdef void carry_out_discards(HandCore* h) noexcept nogil:
    """GAME-DISC-01: all at once, and nobody learns what went."""
    cdef uint8_t positions[MAX_HOLE_CARDS]
    cdef int32_t seat
    for seat in range(h.n_seats):
        if h.betting.live_mask >> seat & 1:
            take_out(h, seat, h.chosen_masks[seat], positions)


cdef void carry_out_passes(HandCore* h, EventBuffer* events) noexcept nogil:
    """Each live seat's cards go to its live neighbour, all at once; they come last in the new hand, face down."""
    cdef uint8_t positions[MAX_SEATS][MAX_HOLE_CARDS]
    cdef int32_t n_passed[MAX_SEATS]
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n = seats_in_order(h.betting.live_mask, h.button + 1, order)
    cdef int32_t i, k, giver, seat
    cdef EventRecord* record
    for i in range(n):
        n_passed[i] = take_out(h, order[i], h.chosen_masks[order[i]], positions[i])
    for i in range(n):
        giver = (i + n - h.game.steps[h.step].direction) % n
        seat = order[i]
        record = new_event(events, EVENT_PASSED, seat)
        for k in range(n_passed[giver]):
            put_in(h, seat, positions[giver][k])
            if record != NULL:
                record.cards[k] = h.deck[positions[giver][k]]
        if record != NULL:
            record.number = order[giver]
            record.n_cards = <uint8_t>n_passed[giver]


cdef void reveal_declarations(HandCore* h, EventBuffer* events) noexcept nogil:
    """GAME-DECL-01: all together."""
    cdef int32_t order[MAX_SEATS]
    cdef int32_t i
    cdef EventRecord* record
    for i in range(seats_in_order(h.betting.live_mask, h.button + 1, order)):
        record = new_event(events, EVENT_DECLARED, order[i])
        if record != NULL:
            record.number = h.declared[order[i]]


# --- A step of choosing -----------------------------------------------------------------------------------------------------


cdef uint8_t action_of_step(const GameStep* step) noexcept nogil:
    if step.kind == STEP_DRAW:
        return ACTION_DRAW
    if step.kind == STEP_DISCARD:
        return ACTION_DISCARD
    return ACTION_DECLARE if step.kind == STEP_DECLARE else ACTION_PASS


cdef int32_t n_to_name(const HandCore* h, int32_t seat) noexcept nogil:
    """Cards that a discard or a pass has to name."""
    return min(<int32_t>h.game.steps[h.step].count, <int32_t>h.n_hole_cards[seat])


cdef bint choice_begin(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef const GameStep* step = &h.game.steps[h.step]
    cdef int32_t seat
    h.pending_mask = h.betting.live_mask               # GAME-IR-01, GAME-DECL-08: all-in players too.
    if step.kind == STEP_DECLARE:
        memset(h.declared, DECLARED_NOTHING, sizeof(h.declared))
    else:
        memset(h.chosen_masks, 0, sizeof(h.chosen_masks))
        for seat in range(h.n_seats):
            if step.count == 0 or h.n_hole_cards[seat] == 0:
                h.pending_mask &= ~(1u << seat)
    if h.pending_mask == 0:
        return False
    h.phase = PHASE_CHOOSING
    h.actor = seat_from(h.pending_mask, h.button + 1)
    if step.kind == STEP_DRAW:
        h.pending_mask = 1u << h.actor                 # GAME-DC-09: one after the other from the dealer's left.
    return True


cdef void choice_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil:
    cdef const GameStep* step = &h.game.steps[h.step]
    memset(legal, 0, sizeof(Legal))
    if seat < 0 or not (h.pending_mask >> seat & 1):
        return
    legal.kinds = 1u << action_of_step(step)
    if step.kind == STEP_DRAW:
        legal.choose_max = n_changeable(h, seat)
    elif step.kind != STEP_DECLARE:
        legal.choose_min = n_to_name(h, seat)
        legal.choose_max = legal.choose_min


cdef int32_t required_refusal(const GameStep* step) noexcept nogil:
    """Why anything but the choice of this step is refused."""
    if step.kind == STEP_DECLARE:
        return REFUSE_DECLARE_REQUIRED                 # GAME-DECL-01
    if step.kind == STEP_DISCARD:
        return REFUSE_DISCARD_REQUIRED if step.count == 1 else REFUSE_DISCARD_REQUIRED_IRISH   # GAME-CP-01, GAME-IR-01
    return REFUSE_BAD_DRAW if step.kind == STEP_DRAW else REFUSE_BAD_PASS


cdef int32_t kind_refusal(const HandCore* h, int32_t seat, uint8_t kind) noexcept nogil:
    """Why a seat may not make an action of this kind now; ACCEPTED when it may."""
    cdef const GameStep* step = &h.game.steps[h.step]
    if not (h.pending_mask >> seat & 1):
        if step.kind != STEP_DRAW and kind == action_of_step(step):
            return REFUSE_CHOICE_MADE                  # BET-GEN-03
        return REFUSE_OUT_OF_TURN                      # BET-GEN-01
    if kind == action_of_step(step):
        return ACCEPTED
    if kind == ACTION_DECLARE:
        return REFUSE_DECLARE_CLOSED                   # GAME-DECL-01
    if ACTION_FOLD <= kind <= ACTION_RAISE or ACTION_COMPLETE <= kind <= ACTION_DRAW or kind == ACTION_PASS:
        return required_refusal(step)
    return REFUSE_UNKNOWN_ACTION                       # BET-GEN-13


cdef void next_to_choose(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    """Passes the turn on; when the last choice is in, the step is carried out."""
    cdef const GameStep* step = &h.game.steps[h.step]
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n, i
    h.pending_mask &= ~(1u << seat)
    if step.kind == STEP_DRAW:
        n = seats_in_order(h.betting.live_mask, h.button + 1, order)
        for i in range(n - 1):
            if order[i] == seat:
                h.actor = order[i + 1]
                h.pending_mask = 1u << h.actor
                return
    elif h.pending_mask:
        h.actor = seat_from(h.pending_mask, h.button + 1)
        return
    h.actor = -1
    h.phase = PHASE_BETTING
    if step.kind == STEP_DISCARD:
        carry_out_discards(h)
    elif step.kind == STEP_DECLARE:
        reveal_declarations(h, events)
    elif step.kind != STEP_DRAW:
        carry_out_passes(h, events)
    if step.kind != STEP_DECLARE:
        memset(h.chosen_masks, 0, sizeof(h.chosen_masks))


cdef int32_t choice_apply(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    cdef const GameStep* step = &h.game.steps[h.step]
    cdef uint64_t picked = 0
    cdef int32_t n
    cdef int32_t refusal = kind_refusal(h, seat, action.kind)
    if refusal != ACCEPTED:
        return refusal
    if step.kind == STEP_DECLARE:
        if not DECLARED_LOW <= action.amount_chips <= DECLARED_BOTH:
            return REFUSE_BAD_DECLARATION
        h.declared[seat] = <uint8_t>action.amount_chips
        record_chosen(h, seat, 0, events)
    else:
        n = find_cards(h, seat, action, &picked)
        if step.kind == STEP_DRAW:
            if n < 0 or n > n_changeable(h, seat):
                return REFUSE_BAD_DRAW                 # GAME-DC-09
            draw(h, seat, picked, events)
        else:
            if n != n_to_name(h, seat):                # GAME-DISC-01
                return REFUSE_BAD_DISCARD if step.kind == STEP_DISCARD else REFUSE_BAD_PASS
            h.chosen_masks[seat] = picked
            record_chosen(h, seat, picked, events)
    next_to_choose(h, seat, events)
    return ACCEPTED


cdef void choice_fold(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    cdef bint is_pending = h.pending_mask >> seat & 1
    if is_pending and h.game.steps[h.step].kind == STEP_DRAW:
        next_to_choose(h, seat, events)                # While its place in the order is still known.
    h.betting.live_mask &= ~(1u << seat)
    h.betting.chips_mask &= ~(1u << seat)
    h.chosen_masks[seat] = 0
    h.declared[seat] = DECLARED_NOTHING
    if is_pending and h.game.steps[h.step].kind != STEP_DRAW:
        next_to_choose(h, seat, events)


cdef void choice_timeout(const HandCore* h, int32_t seat, Action* action) noexcept nogil:
    cdef const GameStep* step = &h.game.steps[h.step]
    cdef int32_t n = h.n_hole_cards[seat], i
    memset(action, 0, sizeof(Action))
    action.kind = action_of_step(step)
    if step.kind == STEP_DECLARE:
        action.amount_chips = DECLARED_HIGH            # GAME-DECL-07
    elif step.kind != STEP_DRAW:                       # Who does not answer keeps all cards in a draw.
        for i in range(n - n_to_name(h, seat), n):     # GAME-DISC-02: the card or cards dealt last.
            if hole_card(h, seat, i) == CARD_UNKNOWN:
                action.amount_chips += 1
            else:
                action.card_mask |= <int64_t>1 << hole_card(h, seat, i)


# --- The Python face --------------------------------------------------------------------------------------------------------

_LAST_CARDS_NAMES = {LAST_CARDS_NORMAL: "NORMAL", LAST_CARDS_REMIX: "REMIX", LAST_CARDS_COMMON: "COMMON"}


def deal_of_last_cards(*, n_due, n_stub, n_burns):
    """Plan the deal of the last private cards of stud. See choices.pyi."""
    cdef LastCards plan
    for name, n in (("n_due", n_due), ("n_stub", n_stub), ("n_burns", n_burns)):
        if not 0 <= n <= DECK_CARDS_MAX:
            raise InputError(f"{n} is no number of cards", field=name)
    plan = plan_last_cards(n_due, n_stub, n_burns)
    return _LAST_CARDS_NAMES[plan.kind], plan.n_served_first, plan.n_served_then, bool(plan.second_burn)
