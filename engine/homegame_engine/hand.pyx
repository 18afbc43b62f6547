# cython: language_level=3
"""One deal as a struct and a step function. See hand.pxd for the structs.

A hand walks the steps of its game: deal, burn, turn, bet. `run` goes from step to step until a seat has something to decide or
the hand is over; `hand_apply` judges one input and runs on. Betting is `betting.pyx`'s, layers and shares are `pots.pyx`'s,
strength is the evaluator's; this file only puts them in order. Cards are kept as positions in the deck, so that an UNKNOWN
position can be filled in later and a folded card exists in one place only.

The file is long because one compiled module holds the core and its Python skin: calls between modules cannot be inlined, and the
skin reads the core's struct. The skin begins at "Python skin" and decides nothing.
"""

from homegame_engine.award cimport apply_showdown, ask_to_show, award, begin_showdown, hand_rank_of, settle, turn_up
from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_BET,
    ACTION_CALL,
    ACTION_CHECK,
    ACTION_FOLD,
    ACTION_MUCK,
    ACTION_RAISE,
    ACTION_SHOW,
    Action,
    Legal,
    Wager,
    betting_apply,
    betting_begin,
    betting_count_chips,
    betting_open_by_blind,
    betting_pass_turn,
    legal_object,
    read_action,
    read_betting_rules,
    REFUSE_HAND_OVER,
    STRUCTURE_POT_LIMIT,
)
from homegame_engine.cards cimport is_partly_known_deck
from homegame_engine.hand_state cimport (
    Blinds,
    EVENT_ANTE,
    EVENT_AWARD,
    EVENT_BET,
    EVENT_BLIND,
    EVENT_BOARD,
    EVENT_BURN,
    EVENT_CALL,
    EVENT_CHECK,
    EVENT_COLLECTED,
    EVENT_FOLD,
    EVENT_HOLE_CARDS,
    EVENT_LAYER,
    EVENT_MUCK,
    EVENT_RAISE,
    EVENT_RETURNED,
    EVENT_SHARE,
    EVENT_SHOW,
    EVENT_SHOWDOWN,
    EventBuffer,
    EventRecord,
    GameDef,
    GameStep,
    HandCore,
    PHASE_BETTING,
    PHASE_OVER,
    PHASE_SHOWDOWN,
    PHASE_WAITING,
    SHOWDOWN_BUTTON_LEFT,
    SHOWDOWN_FIRST_ACTED,
    STEP_BET,
    STEP_BURN,
    STEP_DEAL_BOARD,
    STEP_DEAL_DOWN,
    STEP_END,
    ShowdownRules,
    board_card,
    board_known,
    hole_card,
    hole_cards_known,
    new_event,
)
from homegame_engine.limits cimport CARD_UNKNOWN, MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS, MAX_STEPS, MAX_STREETS
from homegame_engine.masks cimport count_seats, has_several, seat_from, seats_in_order
from homegame_engine.pots cimport Refund, build_layers, uncalled_bet
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from homegame_engine import events as ev
from homegame_engine import specs
from homegame_engine.actions import Check, Fold, LegalActions, Show
from homegame_engine.errors import InputError, InvariantError, RuleViolation
from homegame_engine.evaluator.high import describe
from homegame_engine.reasons import Reason
from homegame_engine.refusals import refuse

ENCODING_VERSION = 1   # Of `encode`: a change of the canonical form gets a new number.


cdef int64_t hand_total_chips(const HandCore* h) noexcept nogil:
    cdef int64_t total_chips = 0
    cdef int32_t seat
    for seat in range(h.n_seats):
        total_chips += h.betting.stack_chips[seat]
        if h.phase != PHASE_OVER:
            total_chips += h.committed_chips[seat]
    return total_chips + (h.dead_chips if h.phase != PHASE_OVER else 0)


# --- Posting and dealing ----------------------------------------------------------------------------------------------------


cdef Blinds place_blinds(
    uint32_t dealt_mask, int32_t button, int64_t small_blind_chips, int64_t big_blind_chips
) noexcept nogil:
    cdef Blinds blinds
    blinds.small_seat = seat_from(dealt_mask, button + 1)              # BET-GEN-12
    if count_seats(dealt_mask) == 2 and dealt_mask >> button & 1:
        blinds.small_seat = button                                     # BET-GEN-11
    blinds.big_seat = seat_from(dealt_mask, blinds.small_seat + 1)
    blinds.small_chips = small_blind_chips
    blinds.big_chips = big_blind_chips
    blinds.kill_seat = -1
    blinds.kill_chips = 0
    return blinds


cdef int64_t take_chips(HandCore* h, int32_t seat, int64_t chips) noexcept nogil:
    """Takes at most the stack (BET-GEN-10) and returns what was taken."""
    cdef int64_t taken = chips if chips < h.betting.stack_chips[seat] else h.betting.stack_chips[seat]
    h.betting.stack_chips[seat] -= taken
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


cdef void post_blind(HandCore* h, int32_t seat, int64_t chips, int32_t which, EventBuffer* events) noexcept nogil:
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


cdef void deal_down(HandCore* h, int32_t count, EventBuffer* events) noexcept nogil:
    """PROC-DEAL-01: one card at a time clockwise, the first to the seat left of the button."""
    cdef int32_t order[MAX_SEATS]
    cdef int32_t n = seats_in_order(h.dealt_mask, h.button + 1, order)
    cdef int32_t i, k, seat
    cdef int32_t position = h.next_deck_position
    cdef EventRecord* record
    for _ in range(count):
        for i in range(n):
            seat = order[i]
            h.hole_positions[seat][h.n_hole_cards[seat]] = <uint8_t>position
            h.n_hole_cards[seat] += 1
            position += 1
    h.next_deck_position = position
    if events == NULL:
        return
    for i in range(n):
        record = new_event(events, EVENT_HOLE_CARDS, order[i])
        if record == NULL:
            return
        record.n_cards = <uint8_t>count
        for k in range(count):
            record.cards[k] = hole_card(h, order[i], h.n_hole_cards[order[i]] - count + k)


cdef void burn(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef int32_t count = h.showdown.burns[h.street]                    # CARD-07: burns before the coming board street.
    cdef EventRecord* record
    h.next_deck_position += count
    record = new_event(events, EVENT_BURN, -1) if count > 0 else NULL  # PROC-BURN-01: streamed before the card.
    if record != NULL:
        record.chips = count


cdef void deal_board(HandCore* h, int32_t count, EventBuffer* events) noexcept nogil:
    cdef int32_t k
    cdef EventRecord* record = new_event(events, EVENT_BOARD, -1)
    for k in range(count):
        h.board_positions[h.n_board_cards] = <uint8_t>h.next_deck_position
        h.next_deck_position += 1
        h.n_board_cards += 1                                           # GAME-HE-04: order kept, left to right.
        if record != NULL:
            record.cards[k] = board_card(h, h.n_board_cards - 1)
    if record != NULL:
        record.n_cards = <uint8_t>count
        record.chips = h.street + 1


cdef void hand_start(
    HandCore* h, const Blinds* blinds, const int64_t* ante_chips, const int64_t* dead_ante_chips, EventBuffer* events
) noexcept nogil:
    cdef int32_t seat
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
    h.n_layers = 0
    h.n_actions = 0
    h.refund.seat = -1
    h.refund.chips = 0
    h.issued_chips = h.dead_chips
    h.betting.n_seats = h.n_seats
    h.betting.live_mask = h.dealt_mask
    betting_begin(&h.betting, 0, 0, 0)
    for seat in range(h.n_seats):
        h.start_stack_chips[seat] = h.betting.stack_chips[seat]
        h.issued_chips += h.betting.stack_chips[seat]
    if ante_chips != NULL:
        post_antes(h, ante_chips, dead_ante_chips, events)
    # The blinds stand before the first street begins; begin_street keeps them and sets the level. Heads-up the button's small
    # blind comes first too (BET-GEN-11, BET-GEN-12).
    h.small_blind_seat = blinds.small_seat
    h.big_blind_seat = blinds.big_seat
    post_blind(h, blinds.small_seat, blinds.small_chips, 1, events)
    post_blind(h, blinds.big_seat, blinds.big_chips, 2, events)
    betting_count_chips(&h.betting)
    run(h, blinds.big_chips, events)


# --- Walking the steps ------------------------------------------------------------------------------------------------------


cdef void begin_street(HandCore* h, int64_t big_blind_chips) noexcept nogil:
    """Starts a betting round; `big_blind_chips` is the announced blind on the first street of a game with blinds, else 0."""
    cdef int64_t posted[MAX_SEATS]
    cdef int64_t pot_chips = 0
    cdef int64_t shortfall_chips = h.betting.blind_shortfall_chips
    cdef int64_t increment_chips = h.betting.rules.small_bet_chips
    cdef int32_t seat, first
    if h.game.steps[h.step].big_bet:
        increment_chips = h.betting.rules.big_bet_chips                # BET-FL-01
    if h.betting.rules.structure == STRUCTURE_POT_LIMIT:               # Nothing else asks for the pot (BET-PL-02).
        pot_chips = h.dead_chips
        for seat in range(h.n_seats):
            pot_chips += h.committed_chips[seat]
            if h.street < 0:
                pot_chips -= h.betting.street_chips[seat]
    h.street += 1
    if big_blind_chips > 0:
        memcpy(posted, h.betting.street_chips, sizeof(posted))
        betting_begin(&h.betting, increment_chips, h.betting.rules.min_open_chips, pot_chips)
        memcpy(h.betting.street_chips, posted, sizeof(posted))
        betting_open_by_blind(&h.betting, big_blind_chips, h.big_blind_seat, shortfall_chips)
        first = h.big_blind_seat + 1                                   # BET-GEN-11, BET-GEN-12
    else:
        betting_begin(&h.betting, increment_chips, h.betting.rules.min_open_chips, pot_chips)
        first = h.button + 1
    betting_pass_turn(&h.betting, first)
    h.actor = h.betting.actor


cdef void return_uncalled(HandCore* h, EventBuffer* events) noexcept nogil:
    """BET-GEN-07: the unmatched part of the last wager goes back to its owner before layers are built."""
    cdef EventRecord* record
    cdef Refund refund = uncalled_bet(h.committed_chips, h.n_seats, h.betting.live_mask)
    if refund.seat < 0:
        return
    h.refund = refund
    h.committed_chips[refund.seat] -= refund.chips
    h.betting.stack_chips[refund.seat] += refund.chips
    h.betting.chips_mask |= 1u << refund.seat
    record = new_event(events, EVENT_RETURNED, refund.seat)
    if record != NULL:
        record.chips = refund.chips


cdef void collect(HandCore* h, EventBuffer* events) noexcept nogil:
    """BET-GEN-15: bets join the layers when the street ends."""
    cdef int32_t i
    cdef EventRecord* record
    h.n_layers = build_layers(h.committed_chips, h.n_seats, h.betting.live_mask, h.dead_chips, h.layers)
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


cdef bint end_street(HandCore* h, EventBuffer* events) noexcept nogil:
    """Closes a betting round. Returns True when the hand ended with it."""
    cdef bint street_had_chips = h.betting.level_chips > 0
    cdef bint is_last = not has_several(h.betting.live_mask) or h.game.steps[h.step + 1].kind == STEP_END
    h.actor = -1
    # Two seats that have the level in cannot both be unmatched.
    if street_had_chips and not has_several(h.betting.matched_mask):
        return_uncalled(h, events)
    # While the hand goes on the layers are only shown, so nobody builds them where nobody listens.
    if is_last or (events != NULL and (street_had_chips or h.street == 0)):
        collect(h, events if street_had_chips or h.street == 0 else NULL)
    if not has_several(h.betting.live_mask):                           # BET-GEN-06
        award(h, events)
        return True
    if h.showdown.allin_face_up:
        turn_up_all_ins(h, events)
    return False


cdef void run(HandCore* h, int64_t big_blind_chips, EventBuffer* events) noexcept nogil:
    """Walks the game's steps until a seat is to act, or the hand reaches its showdown or its end."""
    cdef const GameStep* step
    while True:
        step = &h.game.steps[h.step]
        if step.kind == STEP_DEAL_DOWN:
            deal_down(h, step.count, events)
        elif step.kind == STEP_BURN:
            burn(h, events)
        elif step.kind == STEP_DEAL_BOARD:
            deal_board(h, step.count, events)
        elif step.kind == STEP_BET:
            begin_street(h, big_blind_chips if h.street < 0 else 0)
            if h.actor >= 0:
                return
            if end_street(h, events):
                return
        else:
            begin_showdown(h, events)
            return
        h.step += 1


cdef void hand_resume(HandCore* h, EventBuffer* events) noexcept nogil:
    if h.phase == PHASE_WAITING:
        settle(h, events)
    elif h.phase == PHASE_SHOWDOWN:
        ask_to_show(h, h.actor)                                        # Who may show depends on what is known.


# --- Inputs -----------------------------------------------------------------------------------------------------------------


cdef void hand_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil:
    if seat < 0 or seat != h.actor:
        memset(legal, 0, sizeof(Legal))
    else:
        legal[0] = h.betting.legal


cdef void record_action(HandCore* h, int32_t seat, const Action* action, const Wager* wager, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record
    cdef uint8_t kind = EVENT_FOLD
    if events == NULL:
        return
    if action.kind == ACTION_CHECK:
        kind = EVENT_CHECK
    elif action.kind == ACTION_CALL:
        kind = EVENT_CALL
    elif action.kind == ACTION_BET:
        kind = EVENT_BET
    elif action.kind == ACTION_RAISE:
        kind = EVENT_RAISE
    record = new_event(events, kind, seat)
    if record != NULL:
        record.chips = wager.chips
        record.to_chips = wager.to_chips
        record.by_chips = wager.by_chips
        record.flag = <uint8_t>(wager.all_in | wager.full << 1)


cdef inline int32_t apply_betting(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    cdef Wager wager
    cdef int32_t refusal
    refusal = betting_apply(&h.betting, seat, action, &wager)
    if refusal != ACCEPTED:
        return refusal
    h.committed_chips[seat] += wager.chips
    h.n_actions += 1
    record_action(h, seat, action, &wager, events)
    h.actor = h.betting.actor
    if h.actor >= 0 and has_several(h.betting.live_mask):
        return ACCEPTED
    if not end_street(h, events):
        h.step += 1
        run(h, 0, events)
    return ACCEPTED


cdef int32_t hand_apply(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    if h.phase == PHASE_OVER or h.phase == PHASE_WAITING:
        return REFUSE_HAND_OVER
    if seat == h.actor and h.phase == PHASE_BETTING:
        return apply_betting(h, seat, action, events)
    if seat < 0 or seat >= h.n_seats or not ((h.betting.live_mask & ~h.mucked_mask) >> seat & 1):
        return REFUSE_HAND_OVER                                        # BET-GEN-06: out of the hand.
    if h.phase == PHASE_SHOWDOWN:
        return apply_showdown(h, seat, action, events)
    return apply_betting(h, seat, action, events)


cdef void hand_timeout_action(const HandCore* h, int32_t seat, Action* action) noexcept nogil:
    memset(action, 0, sizeof(Action))
    if h.phase == PHASE_SHOWDOWN:
        # PROC-SHOW-04: the engine shows it. A hand whose cards nobody knows can only be mucked.
        action.kind = ACTION_SHOW if hole_cards_known(h, seat) else ACTION_MUCK
    elif h.betting.street_chips[seat] < h.betting.level_chips:
        action.kind = ACTION_FOLD                                      # PROC-CLK-03
    else:
        action.kind = ACTION_CHECK


# --- Python skin ------------------------------------------------------------------------------------------------------------

_SHOWDOWN_FIRST = {"BUTTON_LEFT": SHOWDOWN_BUTTON_LEFT, "FIRST_ACTED": SHOWDOWN_FIRST_ACTED}
_PHASE_NAMES = {PHASE_BETTING: "BETTING", PHASE_SHOWDOWN: "SHOWDOWN", PHASE_WAITING: "WAITING", PHASE_OVER: "OVER"}
_STEP_KINDS = {
    specs.DealDown: STEP_DEAL_DOWN, specs.Burn: STEP_BURN, specs.DealBoard: STEP_DEAL_BOARD, specs.BettingStreet: STEP_BET,
}


cdef int32_t read_game(object game, GameDef* parsed) except -1:
    """Copies a `specs.GameSpec` into the core's struct."""
    cdef int32_t i
    memset(parsed, 0, sizeof(GameDef))
    if len(game.steps) >= MAX_STEPS:
        raise InputError(f"a game has at most {MAX_STEPS - 1} steps", field="steps")
    if game.hole_card_count > MAX_HOLE_CARDS or game.board_card_count > MAX_BOARD_CARDS or len(game.street_names) > MAX_STREETS:
        raise InputError("too many cards or betting rounds for one hand", field="steps")
    for i, step in enumerate(game.steps):
        parsed.steps[i].kind = _STEP_KINDS[type(step)]
        parsed.steps[i].count = getattr(step, "count", 0)
        parsed.steps[i].big_bet = 1 if getattr(step, "size", "SMALL") == "BIG" else 0
    parsed.n_steps = len(game.steps)
    parsed.is_plain_high = 1
    parsed.n_hole_cards = game.hole_card_count
    return 0


cdef int32_t read_showdown_rules(object rules, ShowdownRules* parsed) except -1:
    cdef int32_t i
    memset(parsed, 0, sizeof(ShowdownRules))
    parsed.ask = 1 if rules.showdown == "ASK" else 0
    parsed.first = _SHOWDOWN_FIRST[rules.showdown_first]
    parsed.allin_face_up = 1 if rules.allin_face_up else 0
    if len(rules.burns) > MAX_STREETS:
        raise InputError("more burns than streets", field="burns")
    for i, count in enumerate(rules.burns):
        parsed.burns[i] = count
    return 0


cdef tuple seats_of(uint32_t mask):
    return tuple([seat for seat in range(MAX_SEATS) if mask >> seat & 1])


cdef tuple cards_of(const EventRecord* record):
    return tuple([record.cards[i] for i in range(record.n_cards)])


cdef object shown_event(const HandCore* h, const EventRecord* record):
    """HandShown with the words for the hand, once five cards are known."""
    cards = cards_of(record)
    board = tuple([board_card(h, i) for i in range(h.n_board_cards)])
    if len(cards) + len(board) < 5 or CARD_UNKNOWN in cards or CARD_UNKNOWN in board:
        return ev.HandShown(seat=record.seat, cards=cards, rank_text="", best_cards=())
    described = describe(cards + board)
    return ev.HandShown(seat=record.seat, cards=cards, rank_text=described.text, best_cards=described.best_cards)


cdef object showdown_order(const HandCore* h, const EventRecord* record):
    cdef int32_t i, seat
    order = []
    for i in range(h.n_seats):
        seat = (record.seat + i) % h.n_seats
        if record.mask >> seat & 1:
            order.append(seat)
    return tuple(order)


cdef object event_objects(const HandCore* h, const EventBuffer* events, int hand_number):
    """The buffer as the records of events.py; records that belong together (layers, shares) become one."""
    cdef int32_t i, k
    cdef const EventRecord* record
    cdef list made = []
    for i in range(events.n_events):
        record = &events.events[i]
        if record.kind == EVENT_LAYER or record.kind == EVENT_SHARE:
            continue
        if record.kind == EVENT_ANTE:
            event = ev.AntePosted(seat=record.seat, chips=record.chips, all_in=record.flag == 1)
        elif record.kind == EVENT_BLIND:
            event = ev.BlindPosted(
                seat=record.seat, chips=record.chips, blind="SMALL" if record.number == 1 else "BIG", all_in=record.flag == 1
            )
        elif record.kind == EVENT_HOLE_CARDS:
            event = ev.HoleCardsDealt(seat=record.seat, cards=cards_of(record))
        elif record.kind == EVENT_BURN:
            event = ev.CardsBurned(count=record.chips)
        elif record.kind == EVENT_BOARD:
            event = ev.BoardDealt(street=record.chips, cards=cards_of(record))
        elif record.kind == EVENT_FOLD:
            event = ev.PlayerFolded(seat=record.seat)
        elif record.kind == EVENT_CHECK:
            event = ev.PlayerChecked(seat=record.seat)
        elif record.kind == EVENT_CALL:
            event = ev.PlayerCalled(
                seat=record.seat, chips=record.chips, to_chips=record.to_chips, all_in=bool(record.flag & 1)
            )
        elif record.kind == EVENT_BET:
            event = ev.PlayerBet(
                seat=record.seat, chips=record.chips, to_chips=record.to_chips, all_in=bool(record.flag & 1),
                full=bool(record.flag & 2),
            )
        elif record.kind == EVENT_RAISE:
            event = ev.PlayerRaised(
                seat=record.seat, chips=record.chips, to_chips=record.to_chips, by_chips=record.by_chips,
                all_in=bool(record.flag & 1), full=bool(record.flag & 2),
            )
        elif record.kind == EVENT_RETURNED:
            event = ev.UncalledReturned(seat=record.seat, chips=record.chips)
        elif record.kind == EVENT_COLLECTED:
            layers = []
            k = i + 1
            while k < events.n_events and events.events[k].kind == EVENT_LAYER:
                layers.append(ev.LayerShown(chips=events.events[k].chips, seats=seats_of(events.events[k].mask)))
                k += 1
            event = ev.BetsCollected(layers=tuple(layers))
        elif record.kind == EVENT_SHOWDOWN:
            event = ev.ShowdownStarted(seats=showdown_order(h, record))
        elif record.kind == EVENT_SHOW:
            event = shown_event(h, record)
        elif record.kind == EVENT_MUCK:
            event = ev.HandMucked(seat=record.seat)
        elif record.kind == EVENT_AWARD:
            shares = []
            k = i + 1
            while k < events.n_events and events.events[k].kind == EVENT_SHARE:
                shares.append(ev.Share(seat=events.events[k].seat, chips=events.events[k].chips))
                k += 1
            event = ev.LayerAwarded(
                layer=record.number, chips=record.chips, shares=tuple(shares), odd_units=record.by_chips
            )
        else:
            event = ev.HandEnded(
                hand_number=hand_number,
                stacks=tuple([h.betting.stack_chips[k] for k in range(h.n_seats)]),
                net_chips=tuple([h.betting.stack_chips[k] - h.start_stack_chips[k] for k in range(h.n_seats)]),
            )
        made.append(event)
    return tuple(made)


cdef bytes encode_hand(const HandCore* h):
    """Canonical form of the whole state: one little-endian int64 a field in a fixed order, ENCODING_VERSION first."""
    cdef int64_t fields[512]
    cdef int32_t n = 0, i, k
    cdef const int64_t* sizes = &h.betting.rules.unit_chips
    fields[0] = ENCODING_VERSION
    n = 1
    for i in range(8):                       # unit_chips to spread_max_chips stand in a row in BettingRules.
        fields[n + i] = sizes[i]
    n += 8
    for value in (
        h.betting.rules.structure, h.betting.rules.reopen_rule, h.betting.rules.fold_when_free, h.betting.rules.raise_cap,
        h.showdown.ask, h.showdown.first, h.showdown.allin_face_up, h.game.n_steps, h.game.n_hole_cards,
        h.betting.level_chips, h.betting.full_level_chips, h.betting.raise_size_chips, h.betting.increment_chips,
        h.betting.pot_before_chips, h.betting.blind_shortfall_chips, h.betting.first_wager_max_chips, h.betting.n_wagers,
        h.betting.live_mask, h.betting.acted_mask, h.betting.actor, h.betting.first_actor, h.betting.last_aggressor,
        h.betting.short_wager, h.betting.short_blind, h.dead_chips, h.issued_chips, h.n_deck_cards, h.next_deck_position,
        h.n_board_cards, h.n_seats, h.button, h.small_blind_seat, h.big_blind_seat, h.step, h.street, h.phase, h.actor,
        h.showdown_first, h.dealt_mask, h.shown_mask, h.mucked_mask, h.n_actions, h.refund.seat, h.refund.chips,
    ):
        fields[n] = value
        n += 1
    for i in range(h.n_seats):
        fields[n] = h.betting.stack_chips[i]
        fields[n + 1] = h.betting.street_chips[i]
        fields[n + 2] = h.start_stack_chips[i]
        fields[n + 3] = h.committed_chips[i]
        fields[n + 4] = h.won_chips[i]
        fields[n + 5] = h.n_hole_cards[i]
        fields[n + 6] = h.ranks[i]
        n += 7
        for k in range(h.n_hole_cards[i]):
            fields[n] = h.hole_positions[i][k]
            n += 1
    for i in range(h.n_deck_cards):
        fields[n] = h.deck[i]
        n += 1
    for i in range(h.n_board_cards):
        fields[n] = h.board_positions[i]
        n += 1
    for i in range(h.n_layers if h.phase != PHASE_BETTING else 0):   # Before the showdown layers are only a display.
        fields[n] = h.layers[i].chips
        fields[n + 1] = h.layers[i].eligible
        n += 2
    return PyBytes_FromStringAndSize(<const char*>fields, n * sizeof(int64_t))


cdef int32_t read_chips(object chips, int32_t n_seats, int64_t* parsed, str field) except -1:
    """Reads an amount for each seat, or zeros for None, into `parsed`  # OUT."""
    cdef int32_t seat
    memset(parsed, 0, sizeof(int64_t) * MAX_SEATS)
    if chips is None:
        return 0
    if len(chips) != n_seats:
        raise InputError(f"{field} needs one amount for each of {n_seats} seats", field=field)
    for seat in range(n_seats):
        if not 0 <= chips[seat] <= 1 << 53:
            raise InputError(f"{field} must lie between 0 and 2**53", field=field)
        parsed[seat] = chips[seat]
    return 0


cdef int32_t read_blinds(object chips, int32_t n_seats, Blinds* parsed) except -1:
    """Reads announced blinds by seat: the largest is the big one, another the small one."""
    cdef int64_t blind_chips[MAX_SEATS]
    read_chips(chips, n_seats, blind_chips, "blinds")
    posting = sorted([(blind_chips[seat], -seat) for seat in range(n_seats) if blind_chips[seat] > 0], reverse=True)
    if len(posting) > 2:
        raise InputError("there are a small and a big blind and no straddle (BET-GEN-13)", field="blinds")
    parsed.big_chips, parsed.big_seat = (posting[0][0], -posting[0][1]) if posting else (0, -1)
    parsed.kill_seat, parsed.kill_chips = -1, 0
    parsed.small_chips, parsed.small_seat = (posting[1][0], -posting[1][1]) if len(posting) > 1 else (0, -1)
    return 0


cdef class Hand:
    """One deal: a value with a transition. See hand.pyi for the contract of each member."""

    def __init__(self):
        raise TypeError("a hand is made by Hand.start")

    @staticmethod
    def start(
        game, rules, *, stacks, int button, deck_order, dealt_in=None, blinds=None, antes=None, dead_antes=None,
        int64_t dead_chips=0, int hand_number=1,
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
        read_game(game, &h.game)
        read_betting_rules(rules, &h.betting.rules)
        read_showdown_rules(rules, &h.showdown)
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
            announced = place_blinds(h.dealt_mask, button, rules.small_blind_chips, rules.big_blind_chips)
        else:
            read_blinds(blinds, n_seats, &announced)
        if len(order) != 52 or not is_partly_known_deck(order_codes, 52):
            raise RuleViolation(Reason.BAD_DECK, "CARD-01", message="The deck order does not hold each of the 52 cards once.")
        needed = count_seats(h.dealt_mask) * game.hole_card_count + game.board_card_count + sum(rules.burns)
        if needed > len(order) or count_seats(h.dealt_mask) > game.players.max:
            raise RuleViolation(Reason.TOO_MANY_PLAYERS, "CARD-08", message="The deck does not hold the cards this deal needs.")
        memcpy(h.deck, order_codes, len(order))
        h.n_deck_cards = len(order)
        self.hand_number = hand_number
        self.rules = rules
        self.game_spec = game
        hand_start(h, &announced, ante_chips, dead_ante_chips, &self.events)
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
        refusal = hand_apply(&self.core, seat, &parsed, &self.events)
        if refusal != ACCEPTED:
            hand_legal(&self.core, self.core.actor, &legal)
            raise refuse(refusal, legal_object(self.core.actor, &legal, self.core.betting.rules.unit_chips))
        if hand_total_chips(&self.core) != self.core.issued_chips:     # GEN-04
            raise InvariantError("chips are not conserved")
        return self.drain()

    def legal_actions(self, seat=None):
        cdef Legal legal
        cdef int32_t asked = self.core.actor if seat is None else seat
        hand_legal(&self.core, asked, &legal)
        if legal.kinds == 0:
            return LegalActions(seat=asked, unit_chips=self.core.betting.rules.unit_chips)
        return legal_object(asked, &legal, self.core.betting.rules.unit_chips)

    def timeout_action(self, int seat):
        cdef Action action
        hand_timeout_action(&self.core, seat, &action)
        if action.kind == ACTION_SHOW:
            return Show()
        if action.kind == ACTION_MUCK:
            from homegame_engine.actions import Muck
            return Muck()
        return Fold() if action.kind == ACTION_FOLD else Check()

    def enter_card(self, int position, int card):
        if not 0 <= position < self.core.n_deck_cards:
            raise InputError(f"no deck position {position}", field="position")
        if not 0 <= card < 52:
            raise InputError("only one of the 52 cards can be entered", field="card")
        if self.core.deck[position] != CARD_UNKNOWN or card in self.deck_order:
            raise RuleViolation(Reason.BAD_DECK, "CARD-01", message="That position or that card is known already.")
        self.core.deck[position] = <uint8_t>card
        hand_resume(&self.core, &self.events)
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
        return tuple([hole_card(&self.core, seat, i) for i in range(self.core.n_hole_cards[seat])])

    def hole_positions(self, int seat):
        return tuple([self.core.hole_positions[seat][i] for i in range(self.core.n_hole_cards[seat])])

    def hand_rank(self, int seat):
        if self.core.n_hole_cards[seat] + self.core.n_board_cards < 5:
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
        return 1 << self.core.actor if self.core.actor >= 0 else 0

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
