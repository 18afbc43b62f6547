# cython: language_level=3
"""One deal as a struct and a step function. See hand.pxd for the structs.

A hand walks the steps of its game: deal, burn, turn, bet. `run` goes from step to step until a seat has something to decide or
the hand is over; `hand_judge` judges one input and runs on. Betting is `betting.pyx`'s, layers and shares are `pots.pyx`'s,
strength is the evaluator's; this file only puts them in order. Cards are kept as positions in the deck, so that an UNKNOWN
position can be filled in later and a folded card exists in one place only.

The file is long because one compiled module holds the core and its Python skin: calls between modules cannot be inlined, and the
skin reads the core's struct. The skin begins at "Python skin" and decides nothing.
"""

from homegame_engine.agreement cimport agree, divide_by_consent
from homegame_engine.award cimport (
    apply_showdown,
    ask_to_show,
    award,
    begin_showdown,
    hand_rank_of,
    note_opener,
    redeal_if_not_opened,
    settle,
    turn_up,
)
from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_AGREE,
    ACTION_BET,
    ACTION_BRING_IN,
    ACTION_CALL,
    ACTION_CHECK,
    ACTION_COMPLETE,
    ACTION_DECLARE,
    ACTION_DISCARD,
    ACTION_DRAW,
    ACTION_FOLD,
    ACTION_MUCK,
    ACTION_PASS,
    ACTION_RAISE,
    ACTION_SHOW,
    Action,
    Legal,
    Wager,
    betting_apply,
    betting_begin,
    betting_fold_out_of_turn,
    betting_legal,
    betting_open_by_blind,
    betting_open_by_bring_in,
    betting_pass_turn,
    work_out_offer,
    legal_object,
    read_action,
    read_betting_rules,
    REFUSE_DECLARE_CLOSED,
    REFUSE_DECLARED_HALVES,
    REFUSE_HAND_OVER,
    SPECIAL_BRING_IN_CHOICE,
    SPECIAL_BRING_IN_DUE,
    SPECIAL_OPENERS,
    STRUCTURE_POT_LIMIT,
)
from homegame_engine.choices cimport (
    choice_apply,
    choice_begin,
    choice_fold,
    choice_legal,
    choice_timeout,
    deal_shortage,
    stub_left,
    stub_prepare,
    take_position,
)
from homegame_engine.game_def cimport (
    check_deck,
    check_players,
    read_blinds,
    read_chips,
    read_deal_rules,
    read_game,
    read_mix_orders,
    read_showdown_rules,
)
from homegame_engine.hand_encoding cimport HAND_ENCODING_VERSION, encode_hand
from homegame_engine.hand_events cimport event_objects, hand_words
from homegame_engine.hand_state cimport (
    AWARD_HIGH_LOW_DECLARE,
    BLIND_BIG,
    BLIND_KILL,
    BLIND_SMALL,
    Blinds,
    DECLARED_BOTH,
    DECLARED_HIGH,
    DECLARED_LOW,
    EVENT_ANTE,
    EVENT_BET,
    EVENT_BLIND,
    EVENT_BOARD,
    EVENT_BRING_IN,
    EVENT_BURN,
    EVENT_CALL,
    EVENT_CHECK,
    EVENT_COLLECTED,
    EVENT_FOLD,
    EVENT_HOLE_CARDS,
    EVENT_LAYER,
    EVENT_RAISE,
    EVENT_RETURNED,
    EVENT_UP_CARDS,
    EventBuffer,
    EventRecord,
    FORCED_BLINDS,
    GameStep,
    HOLE_ROW,
    HandCore,
    PHASE_BETTING,
    PHASE_CHOOSING,
    PHASE_OVER,
    PHASE_SHOWDOWN,
    PHASE_WAITING,
    STEP_BET,
    STEP_BURN,
    STEP_DEAL_BOARD,
    STEP_DEAL_DOWN,
    STEP_DEAL_UP,
    STEP_END,
    board_card,
    board_known,
    hole_card,
    hole_cards_known,
    live_hands,
    new_event,
)
from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_SEATS
from homegame_engine.masks cimport count_seats, has_several, is_pair, lowest_seat, seat_bit, seat_from, seats_in_order
from homegame_engine.pots cimport Refund, build_layers, settle_last, uncalled_bet
from homegame_engine.streets cimport halves_are_settled, may_open_unseen, open_street, opener_is_unknown
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from msgspec import structs

from homegame_engine import actions
from homegame_engine.actions import LegalActions
from homegame_engine.errors import InputError, InvariantError, RuleViolation
from homegame_engine.reasons import Reason
from homegame_engine.refusals import refuse

ENCODING_VERSION = HAND_ENCODING_VERSION   # Of `encode`: a change of the canonical form gets a new number.


cdef int64_t hand_total_chips(const HandCore* h) noexcept nogil:
    cdef int64_t total_chips = 0
    cdef int32_t seat
    for seat in range(h.n_seats):
        total_chips += h.betting.stack_chips[seat]
        if h.phase != PHASE_OVER:
            total_chips += h.committed_chips[seat]
    return total_chips + (h.carry_chips if h.phase == PHASE_OVER else h.dead_chips)


# --- Posting and dealing ----------------------------------------------------------------------------------------------------


cdef inline void put_blinds(
    Blinds* blinds, uint32_t dealt_mask, int32_t button, int64_t small_blind_chips, int64_t big_blind_chips
) noexcept nogil:
    """`place_blinds`, into `blinds`  # OUT."""
    blinds.kill_seat = -1
    blinds.kill_chips = 0
    blinds.small_chips = small_blind_chips
    blinds.big_chips = big_blind_chips
    if big_blind_chips == 0:                                           # Games that antes or a bring-in open.
        blinds.small_seat = -1
        blinds.big_seat = -1
        blinds.small_chips = 0
        return
    blinds.small_seat = seat_from(dealt_mask, button + 1)              # BET-GEN-12
    if is_pair(dealt_mask) and dealt_mask >> button & 1:
        blinds.small_seat = button                                     # BET-GEN-11
    blinds.big_seat = seat_from(dealt_mask, blinds.small_seat + 1)


cdef inline void put_game_blinds(
    const HandCore* h, Blinds* blinds, int64_t small_blind_chips, int64_t big_blind_chips
) noexcept nogil:
    """`place_game_blinds`, into `blinds`  # OUT."""
    if h.game.forced == FORCED_BLINDS:
        put_blinds(blinds, h.dealt_mask, h.button, small_blind_chips, big_blind_chips)
    else:
        put_blinds(blinds, h.dealt_mask, h.button, 0, 0)


cdef Blinds place_blinds(
    uint32_t dealt_mask, int32_t button, int64_t small_blind_chips, int64_t big_blind_chips
) noexcept nogil:
    cdef Blinds blinds
    put_blinds(&blinds, dealt_mask, button, small_blind_chips, big_blind_chips)
    return blinds


cdef Blinds place_game_blinds(const HandCore* h, int64_t small_blind_chips, int64_t big_blind_chips) noexcept nogil:
    cdef Blinds blinds
    put_game_blinds(h, &blinds, small_blind_chips, big_blind_chips)
    return blinds


cdef inline int64_t take_chips(HandCore* h, int32_t seat, int64_t chips) noexcept nogil:
    """Takes at most the stack (BET-GEN-10) and returns what was taken."""
    cdef int64_t taken = chips if chips < h.betting.stack_chips[seat] else h.betting.stack_chips[seat]
    h.betting.stack_chips[seat] -= taken
    if h.betting.stack_chips[seat] == 0:
        h.betting.chips_mask &= ~seat_bit(seat)
    return taken


cdef void post_antes(
    HandCore* h, const int64_t* ante_chips, const int64_t* dead_ante_chips, EventBuffer* events
) noexcept nogil:
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n = seats_in_order(h.dealt_mask, h.button + 1, order)
    cdef int32_t i, seat
    cdef int64_t ante, dead_ante
    cdef EventRecord* record
    for i in range(n):
        seat = order[i]
        ante = take_chips(h, seat, ante_chips[seat])
        dead_ante = take_chips(h, seat, dead_ante_chips[seat])
        h.committed_chips[seat] += ante
        h.dead_chips += dead_ante
        if ante + dead_ante > 0:
            record = new_event(events, EVENT_ANTE, seat)
            if record != NULL:
                record.chips = ante + dead_ante
                record.flag = 1 if h.betting.stack_chips[seat] == 0 else 0


cdef inline void post_blind(HandCore* h, int32_t seat, int64_t chips, int32_t which, EventBuffer* events) noexcept nogil:
    cdef int64_t posted
    cdef EventRecord* record
    if seat < 0:
        return
    posted = take_chips(h, seat, chips)
    h.betting.street_chips[seat] = posted
    h.betting.blind_shortfall_chips += chips - posted
    h.committed_chips[seat] += posted
    record = new_event(events, EVENT_BLIND, seat)
    if record != NULL:
        record.chips = posted
        record.number = which
        record.flag = 1 if h.betting.stack_chips[seat] == 0 else 0


cdef void post_house_antes(HandCore* h, EventBuffer* events) noexcept nogil:
    """The same ante of every dealt-in seat, dead and outside the level (BET-FL-08)."""
    cdef int64_t ante_chips[MAX_SEATS]
    cdef int64_t dead_ante_chips[MAX_SEATS]
    cdef int32_t seat
    memset(dead_ante_chips, 0, sizeof(dead_ante_chips))
    for seat in range(MAX_SEATS):
        ante_chips[seat] = h.deal.ante_chips
    post_antes(h, ante_chips, dead_ante_chips, events)


cdef void post_blinds(HandCore* h, const Blinds* blinds, EventBuffer* events) noexcept nogil:
    """The small blind first, heads-up too (BET-GEN-11, BET-GEN-12); a killer who is a blind posts the larger one (KILL-06)."""
    h.small_blind_seat = blinds.small_seat
    h.big_blind_seat = blinds.big_seat
    h.kill_seat = blinds.kill_seat
    if blinds.small_seat != blinds.kill_seat:
        post_blind(h, blinds.small_seat, blinds.small_chips, BLIND_SMALL, events)
    if blinds.big_seat != blinds.kill_seat:
        post_blind(h, blinds.big_seat, blinds.big_chips, BLIND_BIG, events)
    if blinds.small_seat < 0 and blinds.big_seat >= 0 and h.betting.rules.structure == STRUCTURE_POT_LIMIT:
        h.betting.blind_shortfall_chips += h.betting.rules.small_blind_chips   # BET-PL-03: one that nobody posts counts as full.
    post_blind(h, blinds.kill_seat, blinds.kill_chips, BLIND_KILL, events)


cdef void tell_cards(HandCore* h, int32_t count, uint8_t kind, uint32_t seats, EventBuffer* events) noexcept nogil:
    """Tells of the last `count` private cards of each seat of a mask, in the order of dealing."""
    cdef int32_t order[MAX_SEATS]
    cdef int32_t i, k
    cdef EventRecord* record
    for i in range(seats_in_order(seats, h.button + 1, order)):
        record = new_event(events, kind, order[i])
        if record == NULL:
            return
        record.n_cards = <uint8_t>count
        for k in range(count):
            record.cards[k] = hole_card(h, order[i], h.n_hole_cards[order[i]] - count + k)


cdef inline void deal_down(HandCore* h, int32_t count, EventBuffer* events) noexcept nogil:
    """PROC-DEAL-01: one card at a time clockwise, the first to the seat left of the button; all private cards of a plain deal."""
    cdef uint8_t row[HOLE_ROW]                                         # Positions of the next seat, card by card.
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n = seats_in_order(h.dealt_mask, h.button + 1, order)
    cdef int32_t i, k
    for k in range(HOLE_ROW):
        row[k] = <uint8_t>(h.next_deck_position + k * n)
    for i in range(n):
        memcpy(h.hole_positions[order[i]], row, HOLE_ROW)
        h.n_hole_cards[order[i]] = <uint8_t>count
        for k in range(HOLE_ROW):
            row[k] += 1
    h.next_deck_position += n * count
    if events != NULL:
        tell_cards(h, count, EVENT_HOLE_CARDS, h.dealt_mask, events)


cdef void deal_cards(HandCore* h, int32_t count, bint up, EventBuffer* events) noexcept nogil:
    """As `deal_down` in any street, to the seats that still get cards (GAME-ST-10, GAME-ST-11, GAME-ST-13)."""
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n = seats_in_order(h.receives_mask, h.button + 1, order)
    cdef int32_t i, seat
    stub_prepare(h, n * count, events)
    for _ in range(count):
        for i in range(n):
            seat = order[i]
            if up:
                h.up_masks[seat] |= <uint8_t>(1 << h.n_hole_cards[seat])
            h.hole_positions[seat][h.n_hole_cards[seat]] = <uint8_t>take_position(h)
            h.n_hole_cards[seat] += 1
    if events != NULL:
        tell_cards(h, count, EVENT_UP_CARDS if up else EVENT_HOLE_CARDS, h.receives_mask, events)


cdef void burn(HandCore* h, int32_t count, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record
    if count == 0:
        count = h.showdown.burns[h.street]                             # CARD-07: burns before the coming board street.
    h.next_deck_position += count
    record = new_event(events, EVENT_BURN, -1) if count > 0 else NULL  # PROC-BURN-01: streamed before the card.
    if record != NULL:
        record.chips = count


cdef inline void turn_board_card(HandCore* h, int32_t position, EventRecord* record, int32_t k) noexcept nogil:
    h.board_positions[h.n_board_cards] = <uint8_t>position
    h.n_board_cards += 1                                               # GAME-HE-04: order kept, left to right.
    if record != NULL:
        record.cards[k] = board_card(h, h.n_board_cards - 1)
        record.n_cards = <uint8_t>(k + 1)
        record.chips = h.street + 1


cdef void deal_board(HandCore* h, int32_t count, EventBuffer* events) noexcept nogil:
    """The common cards of a plain deal."""
    cdef int32_t k
    cdef EventRecord* record = new_event(events, EVENT_BOARD, -1)
    for k in range(count):
        turn_board_card(h, h.next_deck_position, record, k)
        h.next_deck_position += 1


cdef void deal_any_board(HandCore* h, int32_t count, EventBuffer* events) noexcept nogil:
    """The common cards of any deal, the stub mixed anew where it has to be."""
    cdef int32_t k
    cdef EventRecord* record
    stub_prepare(h, count, events)
    record = new_event(events, EVENT_BOARD, -1)
    for k in range(count):
        turn_board_card(h, take_position(h), record, k)


cdef void clear_rest(HandCore* h) noexcept nogil:
    """What a plain deal and a plain award never look at."""
    h.receives_mask = h.dealt_mask
    h.bring_in_seat = -1
    h.opener_seat = -1
    h.n_opener_cards = 0
    h.told_opener = 0
    memset(h.low_ranks, 0, sizeof(h.low_ranks))
    memset(h.up_masks, 0, sizeof(h.up_masks))
    memset(h.declared, 0, sizeof(h.declared))
    memset(h.chosen_masks, 0, sizeof(h.chosen_masks))


cdef void hand_start(
    HandCore* h, const Blinds* blinds, const int64_t* ante_chips, const int64_t* dead_ante_chips, EventBuffer* events
) noexcept nogil:
    cdef Blinds placed
    cdef int32_t seat
    if blinds == NULL:
        put_game_blinds(h, &placed, h.betting.rules.small_blind_chips, h.betting.rules.big_blind_chips)
        blinds = &placed
    memset(h.committed_chips, 0, sizeof(h.committed_chips))
    memset(h.won_chips, 0, sizeof(h.won_chips))
    memset(h.n_hole_cards, 0, sizeof(h.n_hole_cards))
    memset(h.ranks, 0, sizeof(h.ranks))
    h.next_deck_position = 0
    h.n_board_cards = 0
    h.step = 0
    h.street = -1
    h.phase = PHASE_BETTING
    h.actor = -1
    h.showdown_first = -1
    h.shown_mask = 0
    h.mucked_mask = 0
    h.carry_chips = 0
    h.redeal_mask = 0
    h.pending_mask = 0
    h.named_mask = 0
    h.n_mixes = 0
    h.n_layers = 0
    h.n_actions = 0
    h.refund.seat = -1
    h.refund.chips = 0
    h.issued_chips = h.dead_chips
    h.betting.n_seats = h.n_seats
    h.betting.live_mask = h.dealt_mask
    h.betting.chips_mask = h.dealt_mask
    h.betting.blind_shortfall_chips = 0
    memset(h.betting.street_chips, 0, sizeof(h.betting.street_chips))
    if not (h.game.is_plain_deal and h.game.is_plain_high):
        clear_rest(h)
        betting_begin(&h.betting, 0, 0, 0)                             # Something may be chosen before the first street.
    memcpy(h.start_stack_chips, h.betting.stack_chips, sizeof(h.start_stack_chips))
    for seat in range(h.n_seats):
        h.issued_chips += h.betting.stack_chips[seat]
        if h.betting.stack_chips[seat] == 0:
            h.betting.chips_mask &= ~seat_bit(seat)
    if ante_chips != NULL:
        post_antes(h, ante_chips, dead_ante_chips, events)
    elif h.deal.ante_chips > 0:
        post_house_antes(h, events)
    # The blinds lie there before the first street begins, which sets the level.
    post_blinds(h, blinds, events)
    run(h, blinds.kill_chips if blinds.kill_seat >= 0 else blinds.big_chips, False, events)


# --- Walking the steps ------------------------------------------------------------------------------------------------------


cdef int64_t pot_before(const HandCore* h) noexcept nogil:
    """What lies in the pot before the street that begins; posts of the first one belong to it."""
    cdef int64_t pot_chips = h.dead_chips
    cdef int32_t seat
    for seat in range(h.n_seats):
        pot_chips += h.committed_chips[seat]
        if h.street < 0:
            pot_chips -= h.betting.street_chips[seat]
    return pot_chips


cdef inline void begin_street(HandCore* h, int64_t big_blind_chips) noexcept nogil:
    """Starts a betting round; `big_blind_chips` is the announced level on the first street of a game with blinds, else 0."""
    cdef int64_t shortfall_chips = h.betting.blind_shortfall_chips
    cdef int64_t increment_chips = h.betting.rules.small_bet_chips
    cdef int64_t pot_chips = 0
    if h.game.steps[h.step].big_bet:
        increment_chips = h.betting.rules.big_bet_chips                # BET-FL-01
    if h.betting.rules.structure == STRUCTURE_POT_LIMIT:               # Nothing else asks for the pot (BET-PL-02).
        pot_chips = pot_before(h)
    h.street += 1
    betting_begin(&h.betting, increment_chips, h.betting.rules.min_open_chips, pot_chips)
    if big_blind_chips > 0:                                            # The blinds lie there already.
        betting_open_by_blind(
            &h.betting, big_blind_chips, h.kill_seat if h.kill_seat >= 0 else h.big_blind_seat, shortfall_chips
        )
        betting_pass_turn(&h.betting, h.big_blind_seat + 1)            # BET-GEN-11, BET-GEN-12; KILL-06.
    else:
        memset(h.betting.street_chips, 0, sizeof(h.betting.street_chips))
        work_out_offer(&h.betting)
        if h.game.is_plain_deal:
            betting_pass_turn(&h.betting, h.button + 1)
        else:
            open_street(h)
    h.actor = h.betting.actor
    h.betting.first_turn = h.actor


cdef void note_refund(HandCore* h, int32_t seat, int64_t chips, EventBuffer* events) noexcept nogil:
    """BET-GEN-07: the unmatched part of the last wager goes back to its owner before layers are built."""
    cdef EventRecord* record
    h.refund.seat = seat
    h.refund.chips = chips
    h.committed_chips[seat] -= chips
    h.betting.stack_chips[seat] += chips
    h.betting.chips_mask |= seat_bit(seat)
    if events == NULL:
        return
    record = new_event(events, EVENT_RETURNED, seat)
    if record != NULL:
        record.chips = chips


cdef void return_uncalled(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef Refund refund = uncalled_bet(h.committed_chips, h.n_seats, h.betting.live_mask)
    if refund.seat >= 0:
        note_refund(h, refund.seat, refund.chips, events)


cdef void note_layers(HandCore* h, EventBuffer* events) noexcept nogil:
    """BET-GEN-15: bets join the layers when the street ends."""
    cdef int32_t i
    cdef EventRecord* record
    if new_event(events, EVENT_COLLECTED, -1) == NULL:
        return
    for i in range(h.n_layers):
        record = new_event(events, EVENT_LAYER, -1)
        if record != NULL:
            record.number = i
            record.chips = h.layers[i].chips
            record.mask = h.layers[i].eligible


cdef void turn_up_all_ins(HandCore* h, EventBuffer* events) noexcept nogil:
    """BET-GEN-16 with allin_face_up: no more betting is possible and cards are to come."""
    cdef int32_t seat, n_with_chips = 0
    for seat in range(h.n_seats):
        if h.betting.live_mask >> seat & 1 and h.betting.stack_chips[seat] > 0:
            n_with_chips += 1
    if n_with_chips > 1:
        return
    for seat in range(h.n_seats):
        if (h.betting.live_mask & ~h.shown_mask) >> seat & 1 and hole_cards_known(h, seat):
            turn_up(h, seat, events)


cdef void end_alone(HandCore* h, EventBuffer* events) noexcept nogil:
    """BET-GEN-06: one hand is left; it takes back what nobody has called and wins the rest."""
    cdef int32_t seat = lowest_seat(h.betting.live_mask)
    cdef bint is_told = events != NULL and (h.betting.level_chips > 0 or h.street == 0)
    cdef int64_t returned_chips = settle_last(h.committed_chips, h.n_seats, seat, h.dead_chips, &h.layers[0])
    h.actor = -1
    if h.betting.level_chips == 0:                                     # Only a wager comes back, no ante.
        h.layers[0].chips += returned_chips
    elif returned_chips > 0:
        note_refund(h, seat, returned_chips, events)
    h.n_layers = 1 if h.layers[0].chips > 0 else 0
    if is_told:
        note_layers(h, events)
    award(h, events)


cdef inline bint end_street(HandCore* h, EventBuffer* events) noexcept nogil:
    """Closes a betting round that leaves several hands. Returns True when the hand ended with it."""
    cdef bint street_had_chips = h.betting.level_chips > 0
    cdef bint is_told = events != NULL and (street_had_chips or h.street == 0)
    h.actor = -1
    # When nobody owes anything two seats with chips left have the level in, and neither is unmatched.
    if street_had_chips and not has_several(h.betting.chips_mask):
        return_uncalled(h, events)
    # While the hand goes on the layers are only shown, so nobody builds them where nobody listens.
    if is_told or h.game.steps[h.step + 1].kind == STEP_END:
        h.n_layers = build_layers(h.committed_chips, h.n_seats, h.betting.live_mask, h.dead_chips, h.layers)
        if is_told:
            note_layers(h, events)
    if h.game.redeal_if_no_open and h.street == 0 and not street_had_chips and redeal_if_not_opened(h, events):
        return True                                                    # GAME-DC-06
    if h.showdown.allin_face_up:
        turn_up_all_ins(h, events)
    return False


cdef bint pass_over_street(HandCore* h) noexcept nogil:
    """Whether the round at h.step is not begun: there is nothing to bet for, or its opener waits for an UNKNOWN card."""
    if halves_are_settled(h, h.step):                                  # GAME-DECL-03
        h.n_layers = build_layers(h.committed_chips, h.n_seats, h.betting.live_mask, h.dead_chips, h.layers)
        return True
    if opener_is_unknown(h):
        h.phase = PHASE_WAITING
        h.actor = -1
    return h.phase == PHASE_WAITING


cdef void burn_or_fall_short(HandCore* h, EventBuffer* events) noexcept nogil:
    """A burn; before a last private card it is asked first whether the stub holds what is due (GAME-ST-17)."""
    cdef int32_t count = h.game.steps[h.step].count
    if h.street >= 0 and h.game.steps[h.step + 1].kind == STEP_DEAL_DOWN:
        h.step += 1
        if deal_shortage(h, events):
            return                                                     # It burnt and dealt; h.step stands at the deal.
        h.step -= 1
    stub_prepare(h, count if count > 0 else h.showdown.burns[h.street], events)
    burn(h, count, events)


cdef bint take_other_step(HandCore* h, EventBuffer* events) noexcept nogil:
    """Any step but a betting round of a deal that is not plain. Returns True where somebody is to act or the hand is over."""
    cdef const GameStep* step = &h.game.steps[h.step]
    if step.kind == STEP_DEAL_DOWN or step.kind == STEP_DEAL_UP:
        deal_cards(h, step.count, step.kind == STEP_DEAL_UP, events)
    elif step.kind == STEP_BURN:
        burn_or_fall_short(h, events)
    elif step.kind == STEP_DEAL_BOARD:
        deal_any_board(h, step.count, events)
    elif step.kind == STEP_END:
        begin_showdown(h, events)
        return True
    else:
        return choice_begin(h, events)
    return False


cdef bint take_step(HandCore* h, int64_t big_blind_chips, EventBuffer* events) noexcept nogil:
    """The step at h.step of a deal that is not plain. Returns True where somebody is to act or the hand is over."""
    if h.game.steps[h.step].kind != STEP_BET:
        return take_other_step(h, events)
    if not pass_over_street(h):
        begin_street(h, big_blind_chips)
        return h.actor >= 0 or end_street(h, events)
    return h.phase == PHASE_WAITING


cdef void run(HandCore* h, int64_t big_blind_chips, bint closes_street, EventBuffer* events) noexcept nogil:
    """Walks the game's steps until a seat is to act, or the hand reaches its showdown or its end.

    `closes_street`: the betting round at h.step is over, and is closed first.
    """
    cdef const GameStep* step
    if closes_street:
        if end_street(h, events):
            return
        h.step += 1
    step = &h.game.steps[h.step]
    while True:
        if not h.game.is_plain_deal:
            if take_step(h, big_blind_chips if h.street < 0 else 0, events):
                return
        elif step.kind == STEP_BET:
            begin_street(h, big_blind_chips if h.street < 0 else 0)
            if h.actor >= 0 or end_street(h, events):
                return
        elif step.kind == STEP_BURN:
            burn(h, step.count, events)
        elif step.kind == STEP_DEAL_BOARD:
            deal_board(h, step.count, events)
        elif step.kind == STEP_DEAL_DOWN:
            deal_down(h, step.count, events)
        else:
            begin_showdown(h, events)
            return
        h.step += 1
        step += 1


cdef void hand_resume(HandCore* h, EventBuffer* events) noexcept nogil:
    if h.phase == PHASE_WAITING and h.game.steps[h.step].kind == STEP_BET:
        h.phase = PHASE_BETTING
        run(h, 0, False, events)
    elif h.phase == PHASE_WAITING:
        settle(h, events)
    elif h.phase == PHASE_SHOWDOWN:
        ask_to_show(h, h.actor)                                        # Who may show depends on what is known.


# --- Inputs -----------------------------------------------------------------------------------------------------------------


cdef void hand_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil:
    if h.phase == PHASE_CHOOSING and seat >= 0 and h.pending_mask >> seat & 1:
        choice_legal(h, seat, legal)
    elif seat < 0 or seat != h.actor:
        memset(legal, 0, sizeof(Legal))
    elif h.phase == PHASE_BETTING:
        betting_legal(&h.betting, seat, legal)
    else:
        memset(legal, 0, sizeof(Legal))
        legal.kinds = h.betting.turn.kinds                             # Of the showdown: SHOW and MUCK have no amounts.


cdef void record_action(
    HandCore* h, int32_t seat, const Action* action, const Wager* wager, bint completes, EventBuffer* events
) noexcept nogil:
    cdef EventRecord* record
    cdef uint8_t kind = EVENT_FOLD
    if events == NULL:
        return
    if action.kind == ACTION_CHECK:
        kind = EVENT_CHECK
    elif action.kind == ACTION_CALL:
        kind = EVENT_CALL
    elif action.kind == ACTION_BRING_IN:
        kind = EVENT_BRING_IN
    elif action.kind != ACTION_FOLD:                                   # A bet met no level: its step is all of it.
        kind = EVENT_BET if wager.by_chips == wager.to_chips else EVENT_RAISE
    record = new_event(events, kind, seat)
    if record != NULL:
        record.chips = wager.chips
        record.to_chips = wager.to_chips
        record.by_chips = wager.by_chips
        record.flag = <uint8_t>(wager.all_in | wager.full << 1 | (completes & wager.full) << 2)


cdef void hand_note_receivers(HandCore* h, int32_t seat, uint8_t kind, bint faced_wager) noexcept nogil:
    if kind == ACTION_FOLD:
        if faced_wager or not h.deal.dead_hand_gets_cards:
            h.receives_mask &= ~(1u << seat)
    elif kind != ACTION_CALL and kind != ACTION_CHECK:
        h.receives_mask &= h.betting.live_mask
        if kind == ACTION_BRING_IN:
            h.bring_in_seat = seat
        elif kind == ACTION_BET and h.betting.special & SPECIAL_OPENERS:
            note_opener(h, seat)


cdef void hand_go_on(HandCore* h, EventBuffer* events) noexcept nogil:
    h.actor = h.betting.actor
    if not has_several(h.betting.live_mask):
        end_alone(h, events)
    elif h.actor < 0:
        run(h, 0, True, events)


cdef inline int32_t apply_betting(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    cdef Wager wager
    cdef int32_t refusal
    cdef bint faced_wager = h.betting.turn.call_chips > 0
    cdef bint completes = h.betting.turn.kinds >> ACTION_COMPLETE & 1   # As a raise to the full bet does (GAME-ST-05).
    refusal = betting_apply(&h.betting, seat, action, &wager)
    if refusal != ACCEPTED:
        return refusal
    h.committed_chips[seat] += wager.chips
    h.n_actions += 1
    if not h.game.is_plain_deal:
        hand_note_receivers(h, seat, action.kind, faced_wager)
    record_action(h, seat, action, &wager, completes, events)
    hand_go_on(h, events)
    return ACCEPTED


cdef void fold_out_of_turn(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    """HOUSE-BET-06: the fold counts at once; a highest wager stays in and others still owe it (BET-GEN-07)."""
    h.n_actions += 1
    hand_note_receivers(h, seat, ACTION_FOLD, h.betting.street_chips[seat] < h.betting.level_chips)
    betting_fold_out_of_turn(&h.betting, seat)
    new_event(events, EVENT_FOLD, seat)
    hand_go_on(h, events)


cdef void fold_while_choosing(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil:
    """HOUSE-BET-06 while cards or halves are chosen: who folds owes no choice any more."""
    h.n_actions += 1
    h.receives_mask &= ~(1u << seat)
    new_event(events, EVENT_FOLD, seat)
    if has_several(h.betting.live_mask & ~(1u << seat)):
        choice_fold(h, seat, events)
        go_on_from_choice(h, events)
        return
    betting_fold_out_of_turn(&h.betting, seat)                         # BET-GEN-06
    h.pending_mask = 0
    h.n_layers = build_layers(h.committed_chips, h.n_seats, h.betting.live_mask, h.dead_chips, h.layers)
    award(h, events)


cdef void go_on_from_choice(HandCore* h, EventBuffer* events) noexcept nogil:
    if h.pending_mask == 0:
        h.phase = PHASE_BETTING
        h.step += 1
        run(h, 0, False, events)


cdef int32_t apply_choice(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    cdef int32_t refusal = choice_apply(h, seat, action, events)
    if refusal != ACCEPTED:
        return refusal
    h.n_actions += 1
    go_on_from_choice(h, events)
    return ACCEPTED


cdef int32_t hand_judge(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    if h.phase == PHASE_OVER or h.phase == PHASE_WAITING:
        return REFUSE_HAND_OVER
    if seat == h.actor and h.phase == PHASE_BETTING:
        return apply_betting(h, seat, action, events)
    if seat < 0 or seat >= h.n_seats or not ((h.betting.live_mask & ~h.mucked_mask) >> seat & 1):
        return REFUSE_HAND_OVER                                        # BET-GEN-06: out of the hand.
    if h.phase == PHASE_SHOWDOWN:
        if ACTION_CHECK <= action.kind <= ACTION_RAISE and halves_are_settled(h, h.step - 1):
            return REFUSE_DECLARED_HALVES                              # GAME-DECL-03
        return apply_showdown(h, seat, action, events)
    if action.kind == ACTION_FOLD and h.deal.out_of_turn_fold:
        if h.phase == PHASE_CHOOSING:
            fold_while_choosing(h, seat, events)
        else:
            fold_out_of_turn(h, seat, events)
        return ACCEPTED
    if h.phase == PHASE_CHOOSING:
        return apply_choice(h, seat, action, events)
    if action.kind == ACTION_DECLARE:
        return REFUSE_DECLARE_CLOSED                                   # GAME-DECL-01: declaring has no turn.
    return apply_betting(h, seat, action, events)


cdef void hand_timeout_action(const HandCore* h, int32_t seat, Action* action) noexcept nogil:
    memset(action, 0, sizeof(Action))
    if h.phase == PHASE_CHOOSING:
        choice_timeout(h, seat, action)
    elif h.phase == PHASE_SHOWDOWN:
        # PROC-SHOW-04: the engine shows it. A hand whose cards nobody knows can only be mucked.
        action.kind = ACTION_SHOW if hole_cards_known(h, seat) else ACTION_MUCK
    elif h.betting.special & SPECIAL_BRING_IN_CHOICE:
        action.kind = ACTION_FOLD                                      # GAME-ST-07: a check is not open.
    elif h.betting.special & SPECIAL_BRING_IN_DUE:
        action.kind = ACTION_BRING_IN                                  # GAME-ST-06: it is owed, whatever the low card does.
    elif h.betting.street_chips[seat] < h.betting.level_chips:
        action.kind = ACTION_FOLD                                      # PROC-CLK-03
    else:
        action.kind = ACTION_CHECK


# --- Python skin ------------------------------------------------------------------------------------------------------------

_PHASE_NAMES = {
    PHASE_BETTING: "BETTING", PHASE_CHOOSING: "CHOOSING", PHASE_SHOWDOWN: "SHOWDOWN", PHASE_WAITING: "WAITING",
    PHASE_OVER: "OVER",
}
_PLAIN_ACTIONS = {
    ACTION_FOLD: actions.Fold(), ACTION_CHECK: actions.Check(), ACTION_SHOW: actions.Show(), ACTION_MUCK: actions.Muck(),
    ACTION_BRING_IN: actions.BringIn(),
}
_HALVES = {DECLARED_LOW: "LOW", DECLARED_HIGH: "HIGH", DECLARED_BOTH: "BOTH"}


cdef int32_t check_seat(const HandCore* h, int32_t seat) except -1:
    """The seat, if the hand has it."""
    if not 0 <= seat < h.n_seats:
        raise InputError(f"no seat {seat}", field="seat")
    return seat


cdef object legal_actions_of(const HandCore* h, int32_t seat):
    """What a seat may do now, -1 being nobody; a division of the pot may be named out of turn too (POT-AGR-01)."""
    cdef Legal legal
    cdef bint may_agree
    if seat != -1:
        check_seat(h, seat)
    may_agree = h.deal.agreement and h.phase != PHASE_OVER and seat >= 0 and live_hands(h) >> seat & 1
    hand_legal(h, seat, &legal)
    if legal.kinds == 0:
        return LegalActions(seat=seat, unit_chips=h.betting.rules.unit_chips, may_agree=may_agree)
    made = legal_object(seat, &legal, h.betting.rules.unit_chips)
    return structs.replace(made, may_agree=True) if may_agree else made


cdef object action_object(const HandCore* h, int32_t seat, const Action* action):
    """An action of the clock as a value of `actions.py`."""
    cdef int32_t i
    cards = tuple([
        hole_card(h, seat, i) for i in range(h.n_hole_cards[seat])
        if hole_card(h, seat, i) < DECK_CARDS_MAX and action.card_mask >> hole_card(h, seat, i) & 1
    ]) + (CARD_UNKNOWN,) * <int32_t>action.amount_chips
    if action.kind == ACTION_DISCARD:
        return actions.Discard(cards=cards)
    if action.kind == ACTION_DRAW:
        return actions.Draw(cards=cards)
    if action.kind == ACTION_PASS:
        return actions.PassCards(cards=cards)
    if action.kind == ACTION_DECLARE:
        return actions.Declare(half=_HALVES[action.amount_chips])
    return _PLAIN_ACTIONS[action.kind]


cdef class Hand:
    """One deal: a value with a transition. See hand.pyi for the contract of each member."""

    def __init__(self):
        raise TypeError("a hand is made by Hand.start")

    @staticmethod
    def start(
        game, rules, *, stacks, int button, deck_order, dealt_in=None, blinds=None, antes=None, dead_antes=None,
        int64_t dead_chips=0, int hand_number=1, mix_orders=b"", kill=None,
    ):
        cdef Hand self = Hand.__new__(Hand)
        cdef HandCore* h = &self.core
        cdef Blinds announced
        cdef int64_t ante_chips[MAX_SEATS]
        cdef int64_t dead_ante_chips[MAX_SEATS]
        cdef int32_t n_seats = len(stacks)
        cdef bytes order = bytes(deck_order)
        cdef const uint8_t* order_codes = order
        memset(h, 0, sizeof(HandCore))
        if not 2 <= n_seats <= MAX_SEATS:
            raise InputError(f"expected 2 to {MAX_SEATS} seats, got {n_seats}", field="stacks")
        if not 0 <= button < n_seats:
            raise InputError(f"no seat {button} for the button", field="button")
        read_chips(stacks, n_seats, h.betting.stack_chips, "stacks")
        read_chips(antes, n_seats, ante_chips, "antes")
        read_chips(dead_antes, n_seats, dead_ante_chips, "dead_antes")
        read_game(game, rules, &h.game)
        read_betting_rules(rules, &h.betting.rules)
        read_showdown_rules(game, rules, &h.showdown)
        read_deal_rules(rules, &h.deal)
        h.n_seats = n_seats
        h.button = button
        h.dead_chips = dead_chips
        if dealt_in is None:
            for seat in range(n_seats):
                h.dealt_mask |= (1u if stacks[seat] > 0 else 0u) << seat
        else:
            h.dealt_mask = dealt_in
        if h.dealt_mask >> n_seats or count_seats(h.dealt_mask) < 2:
            raise InputError("at least two seats that exist must be dealt in", field="dealt_in")
        for seat in range(n_seats):
            if h.dealt_mask >> seat & 1 and stacks[seat] == 0:
                raise InputError(f"seat {seat} has no chips and cannot be dealt in", field="dealt_in")
        if blinds is None:
            announced = place_game_blinds(h, rules.small_blind_chips, rules.big_blind_chips)
        else:
            read_blinds(blinds, n_seats, &announced)
        if kill is not None:
            announced.kill_seat, announced.kill_chips = kill
            if not 0 <= announced.kill_seat < n_seats or not h.dealt_mask >> announced.kill_seat & 1 or kill[1] <= 0:
                raise InputError("the killer is dealt in and posts a blind (KILL-06)", field="kill")
        check_deck(&h.game, order, True, "CARD-01")
        check_players(game, rules, count_seats(h.dealt_mask))
        memcpy(h.deck, order_codes, len(order))
        h.n_deck_cards = len(order)
        h.may_be_unknown = CARD_UNKNOWN in order
        read_mix_orders(bytes(mix_orders), len(order), h)
        self.hand_number = hand_number
        self.rules = rules
        self.game_spec = game
        hand_start(
            h, &announced, NULL if antes is None and dead_antes is None else ante_chips, dead_ante_chips, &self.events
        )
        return self

    cdef object drain(self):
        made = event_objects(&self.core, &self.events, self.hand_number)
        self.events.n_events = 0
        return made

    def take_events(self):
        return self.drain()

    def apply(self, int seat, action):
        cdef Action parsed
        cdef Legal legal
        cdef int32_t refusal
        read_action(action, &parsed)
        if parsed.kind == ACTION_AGREE:
            return agree(&self.core, seat, action.shares, &self.events) + self.drain()
        refusal = hand_apply(&self.core, seat, &parsed, &self.events)
        if refusal != ACCEPTED:
            hand_legal(&self.core, self.core.actor, &legal)
            raise refuse(refusal, legal_object(self.core.actor, &legal, self.core.betting.rules.unit_chips))
        if hand_total_chips(&self.core) != self.core.issued_chips:     # GEN-04
            raise InvariantError("chips are not conserved")
        return self.drain()

    def legal_actions(self, seat=None):
        return legal_actions_of(&self.core, self.core.actor if seat is None else seat)

    def timeout_action(self, int seat):
        cdef Action action
        hand_timeout_action(&self.core, check_seat(&self.core, seat), &action)
        return action_object(&self.core, seat, &action)

    def divide_pot(self, shares, consenting):
        divide_by_consent(&self.core, shares, consenting, &self.events)
        return self.drain()

    def enter_card(self, int position, int card):
        if not 0 <= position < self.core.n_deck_cards:
            raise InputError(f"no deck position {position}", field="position")
        if not 0 <= card < 52 + self.core.game.n_jokers:
            raise InputError("only a card of the deck can be entered", field="card")
        if self.core.deck[position] != CARD_UNKNOWN or card in self.deck_order:
            raise RuleViolation(Reason.BAD_DECK, "CARD-01", message="That position or that card is known already.")
        self.core.deck[position] = <uint8_t>card
        hand_resume(&self.core, &self.events)
        return self.drain()

    def enter_opener(self, int seat):
        cdef HandCore* h = &self.core
        if h.phase != PHASE_WAITING or h.game.steps[h.step].kind != STEP_BET:
            raise InputError("no round waits for its opener", field="seat")
        if not 0 <= seat < h.n_seats or not h.betting.live_mask >> seat & 1:
            raise InputError(f"seat {seat} has no live hand", field="seat")
        if not may_open_unseen(h, seat):
            raise RuleViolation(Reason.OUT_OF_TURN, "GAME-ST-04", message="By the cards that are known another seat opens.")
        h.told_opener = seat + 1
        hand_resume(h, &self.events)
        return self.drain()

    def enter_bring_in_seat(self, int seat):
        cdef HandCore* h = &self.core
        if h.phase != PHASE_BETTING or not h.betting.special & SPECIAL_BRING_IN_DUE:
            raise InputError("no bring-in is owed", field="seat")
        if not 0 <= seat < h.n_seats or not h.betting.chips_mask >> seat & 1:
            raise InputError(f"seat {seat} has no live hand with chips", field="seat")
        h.bring_in_seat = seat
        h.betting.special &= ~SPECIAL_BRING_IN_CHOICE
        betting_open_by_bring_in(&h.betting, h.deal.bring_in_chips, seat, False)
        h.actor = h.betting.actor
        h.betting.first_turn = h.actor

    def remove_cards(self, int count):
        cdef HandCore* h = &self.core
        if h.phase != PHASE_BETTING:
            raise InputError("no betting round is going on", field="count")
        if not 0 < count <= stub_left(h):
            raise InputError(f"expected 1 to {stub_left(h)} cards of the stub, found {count}", field="count")
        burn(h, count, &self.events)
        return self.drain()

    def copy(self):
        cdef Hand other = Hand.__new__(Hand)
        other.core = self.core
        other.events.n_events = 0
        other.hand_number = self.hand_number
        other.rules = self.rules
        other.game_spec = self.game_spec
        return other

    def encode(self):
        return encode_hand(&self.core)

    def hole_cards(self, int seat):
        check_seat(&self.core, seat)
        return tuple([hole_card(&self.core, seat, i) for i in range(self.core.n_hole_cards[seat])])

    def hole_positions(self, int seat):
        check_seat(&self.core, seat)
        return tuple([self.core.hole_positions[seat][i] for i in range(self.core.n_hole_cards[seat])])

    def words(self, int seat):
        check_seat(&self.core, seat)
        return hand_words(&self.core, seat)[0]

    def hand_rank(self, int seat):
        check_seat(&self.core, seat)
        if self.core.game.is_plain_high and self.core.n_hole_cards[seat] + self.core.n_board_cards < 5:
            raise InputError("a hand rank needs five cards", field="seat")
        if not (hole_cards_known(&self.core, seat) and board_known(&self.core)):
            raise InputError("cards of this hand are not known", field="seat")
        return hand_rank_of(&self.core, seat)

    @property
    def is_over(self):
        return self.core.phase == PHASE_OVER

    @property
    def phase(self):
        return _PHASE_NAMES[self.core.phase]

    @property
    def actor(self):
        return self.core.actor

    @property
    def may_act_mask(self):
        if self.core.phase == PHASE_CHOOSING:
            return self.core.pending_mask
        return 1 << self.core.actor if self.core.actor >= 0 else 0

    def up_cards(self, int seat):
        check_seat(&self.core, seat)
        return tuple([
            hole_card(&self.core, seat, i) for i in range(self.core.n_hole_cards[seat]) if self.core.up_masks[seat] >> i & 1
        ])

    def up_mask(self, int seat):
        check_seat(&self.core, seat)
        return 0 if self.core.game.is_plain_deal else self.core.up_masks[seat]

    @property
    def pending_mask(self):
        return self.core.pending_mask if self.core.phase == PHASE_CHOOSING else 0

    @property
    def declarations(self):
        return () if self.core.phase == PHASE_CHOOSING or self.core.game.award != AWARD_HIGH_LOW_DECLARE else tuple([
            _HALVES.get(self.core.declared[seat], "") for seat in range(self.core.n_seats)
        ])

    @property
    def carry_chips(self):
        return self.core.carry_chips

    @property
    def redeal_mask(self):
        return self.core.redeal_mask

    @property
    def bring_in_seat(self):
        return -1 if self.core.game.is_plain_deal else self.core.bring_in_seat

    @property
    def kill_seat(self):
        return self.core.kill_seat

    @property
    def n_seats(self):
        return self.core.n_seats

    @property
    def button(self):
        return self.core.button

    @property
    def small_blind_seat(self):
        return self.core.small_blind_seat

    @property
    def big_blind_seat(self):
        return self.core.big_blind_seat

    @property
    def street(self):
        return self.core.street

    @property
    def stacks(self):
        return tuple([self.core.betting.stack_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def start_stacks(self):
        return tuple([self.core.start_stack_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def street_chips(self):
        if self.core.actor < 0:
            return (0,) * self.core.n_seats
        return tuple([self.core.betting.street_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def committed_chips(self):
        return tuple([self.core.committed_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def won_chips(self):
        return tuple([self.core.won_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def net_chips(self):
        return tuple([
            self.core.betting.stack_chips[seat] - self.core.start_stack_chips[seat] for seat in range(self.core.n_seats)
        ])

    @property
    def pot_chips(self):
        return self.core.dead_chips + sum(self.committed_chips)

    @property
    def level_chips(self):
        return self.core.betting.level_chips

    @property
    def board(self):
        return tuple([board_card(&self.core, i) for i in range(self.core.n_board_cards)])

    @property
    def board_positions(self):
        return tuple([self.core.board_positions[i] for i in range(self.core.n_board_cards)])

    @property
    def deck_order(self):
        return PyBytes_FromStringAndSize(<const char*>self.core.deck, self.core.n_deck_cards)

    @property
    def next_deck_position(self):
        return self.core.next_deck_position

    @property
    def dealt_mask(self):
        return self.core.dealt_mask

    @property
    def live_mask(self):
        return self.core.betting.live_mask & ~self.core.mucked_mask

    @property
    def all_in_mask(self):
        mask = 0
        for seat in range(self.core.n_seats):
            if self.core.betting.live_mask >> seat & 1 and self.core.betting.stack_chips[seat] == 0:
                mask |= 1 << seat
        return mask

    @property
    def shown_mask(self):
        return self.core.shown_mask

    @property
    def mucked_mask(self):
        return self.core.mucked_mask

    @property
    def returned(self):
        return None if self.core.refund.seat < 0 else (self.core.refund.seat, self.core.refund.chips)

    @property
    def layers(self):
        return tuple([(self.core.layers[i].chips, self.core.layers[i].eligible) for i in range(self.core.n_layers)])

    @property
    def action_count(self):
        return self.core.n_actions

    @property
    def total_chips(self):
        return hand_total_chips(&self.core)
