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
    REFUSE_ACTION_CLOSED,
    REFUSE_CARDS_UNKNOWN,
    REFUSE_SHOWDOWN_TURN,
    REFUSE_SPLIT_SUM,
    REFUSE_UNKNOWN_ACTION,
    Turn,
    first_actor,
)
from homegame_engine.evaluator.high cimport rank_high
from homegame_engine.evaluator.ranking cimport RankingRule, rank_hand
from homegame_engine.hand_state cimport (
    AWARD_HIGH_LOW_DECLARE,
    AWARD_WHOLE,
    DECLARED_BOTH,
    DECLARED_HIGH,
    DECLARED_LOW,
    EVENT_AWARD,
    EVENT_CARRY,
    EVENT_DIVIDED,
    EVENT_END,
    EVENT_MUCK,
    EVENT_SHARE,
    EVENT_SHOW,
    EVENT_SHOWDOWN,
    EventBuffer,
    EventRecord,
    HandCore,
    ODD_CARRY,
    ODD_FIRST,
    PART_HIGH,
    PART_LOW,
    PART_WHOLE,
    PHASE_OVER,
    PHASE_SHOWDOWN,
    PHASE_WAITING,
    SHOWDOWN_FIRST_ACTED,
    SHOWDOWN_LOWEST_SEAT,
    STEP_BET,
    board_card,
    board_known,
    hole_card,
    hole_cards_known,
    new_event,
)
from homegame_engine.limits cimport CARD_UNKNOWN, MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS
from homegame_engine.masks cimport count_seats, has_several, lowest_seat, seat_from, seats_in_order
from homegame_engine.pots cimport (
    Halves,
    build_layers,
    halve_layer,
    halve_layer_with_carry,
    share_layer,
    share_layer_odd_to_first,
    share_layer_with_carry,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from homegame_engine.cards import format_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.reasons import Reason


cdef int32_t rank_of(const HandCore* h, int32_t seat, const RankingRule* rule) noexcept nogil:
    """Strength of a seat's cards with the board under one ranking; 0 for no hand."""
    cdef uint8_t cards[MAX_HOLE_CARDS + MAX_BOARD_CARDS]
    cdef int32_t n = 0, i
    for i in range(h.n_hole_cards[seat]):
        cards[n] = hole_card(h, seat, i)
        n += 1
    for i in range(h.n_board_cards):
        cards[n] = board_card(h, i)
        n += 1
    if h.game.is_plain_high:
        return rank_high(cards, n)                                     # GAME-HE-03: best five of all.
    i = h.n_hole_cards[seat]
    return rank_hand(rule, cards, i, h.up_masks[seat], cards + i, n - i)


cdef int32_t hand_rank_of(const HandCore* h, int32_t seat) noexcept nogil:
    return rank_of(h, seat, &h.game.high)


# --- Who has won --------------------------------------------------------------------------------------------------------------


cdef uint32_t best_of(const int32_t* ranks, uint32_t seats) noexcept nogil:
    """Mask of the seats that tie for the highest rank; in games where nobody has a hand all of them."""
    cdef int32_t seat = 0, best = 0
    cdef uint32_t winners = 0
    while seats >> seat:
        if seats >> seat & 1:
            if ranks[seat] > best:
                best = ranks[seat]
                winners = 0
            if ranks[seat] == best:
                winners |= 1u << seat
        seat += 1
    return winners


cdef uint32_t with_hand(const int32_t* ranks, uint32_t seats, int32_t least_rank) noexcept nogil:
    """The seats of a mask whose rank is high enough."""
    cdef int32_t seat = 0
    cdef uint32_t able = 0
    while seats >> seat:
        if seats >> seat & 1 and ranks[seat] >= least_rank:
            able |= 1u << seat
        seat += 1
    return able


cdef void rank_seats(HandCore* h, uint32_t seats) noexcept nogil:
    """Ranks the hands that are compared, each once; ranks are kept for the history."""
    cdef bint has_low = h.game.award != AWARD_WHOLE
    cdef int32_t seat
    for seat in range(h.n_seats):
        if seats >> seat & 1:
            if h.ranks[seat] == 0:
                h.ranks[seat] = rank_of(h, seat, &h.game.high)
            if has_low and h.low_ranks[seat] == 0:
                h.low_ranks[seat] = rank_of(h, seat, &h.game.low)


cdef Winners judge_declared(
    const uint8_t* declared, const int32_t* ranks, const int32_t* low_ranks, uint32_t eligible, bint tie_keeps_both
) noexcept nogil:
    cdef Winners won
    cdef uint32_t high = 0, low = 0, failed = 0, best_high, best_low
    cdef int32_t seat
    for seat in range(MAX_SEATS):
        if eligible >> seat & 1:
            # GAME-DECL-07: who declared nothing is HIGH.
            high |= (1u if declared[seat] != DECLARED_LOW else 0u) << seat
            low |= (1u if declared[seat] == DECLARED_LOW or declared[seat] == DECLARED_BOTH else 0u) << seat
    best_high = best_of(ranks, high)
    best_low = best_of(low_ranks, with_hand(low_ranks, low, 1))
    for seat in range(MAX_SEATS):
        if (high & low) >> seat & 1:
            # GAME-DECL-05: both halves outright, judged against everybody who declared for them.
            if not (best_high & best_low) >> seat & 1:
                failed |= 1u << seat
            elif not tie_keeps_both and (has_several(best_high) or has_several(best_low)):
                failed |= 1u << seat
    won.high = best_of(ranks, high & ~failed)
    won.low = best_of(low_ranks, with_hand(low_ranks, low & ~failed, 1))
    if won.high == 0 and won.low == 0:
        # GAME-DECL-06: all failed. Where all said BOTH each half goes to its best hand, else all to the best high hand.
        won.high = best_of(ranks, eligible)
        if failed == eligible:
            won.low = best_of(low_ranks, with_hand(low_ranks, eligible, 1))
    return won


cdef Winners judge_cards(
    uint8_t award, const int32_t* ranks, const int32_t* low_ranks, uint32_t eligible, int32_t least_rank
) noexcept nogil:
    cdef Winners won
    won.low = 0
    if award == AWARD_WHOLE:
        won.high = best_of(ranks, eligible)
        if least_rank and ranks[lowest_seat(won.high)] < least_rank:
            won.high = 0
        return won
    won.high = best_of(ranks, with_hand(ranks, eligible, least_rank))
    won.low = best_of(low_ranks, with_hand(low_ranks, eligible, 1))       # POT-SPLIT-01, RANK-LO-06: no low, high takes all.
    return won


cdef Winners judge(HandCore* h, uint32_t eligible, int32_t least_rank) noexcept nogil:
    """Who wins what of a layer among its eligible seats (POT-LAY-04). A half without a winner goes with the other one.

    Hands below `least_rank` cannot win high; with no winner at all both masks are 0.
    """
    rank_seats(h, eligible)
    if h.game.award == AWARD_HIGH_LOW_DECLARE:
        return judge_declared(h.declared, h.ranks, h.low_ranks, eligible, h.deal.tie_keeps_both)
    return judge_cards(h.game.award, h.ranks, h.low_ranks, eligible, least_rank)


# --- Who gets what ----------------------------------------------------------------------------------------------------------


cdef inline void pay(HandCore* h, int32_t seat, int64_t chips, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record
    if chips == 0:
        return
    h.won_chips[seat] += chips
    h.betting.stack_chips[seat] += chips
    record = new_event(events, EVENT_SHARE, seat)
    if record != NULL:
        record.chips = chips


cdef int64_t share_part(HandCore* h, int64_t chips, uint32_t winners, int64_t* shares) noexcept nogil:
    """What each of several winners gets, into `shares`  # OUT; returns the units that do not divide (POT-ODD-01, POT-SPLIT-03).
    """
    cdef int64_t unit_chips = h.betting.rules.unit_chips
    cdef int32_t left = h.button + 1 if h.button + 1 < h.n_seats else 0
    cdef int64_t carried_chips
    memset(shares, 0, sizeof(int64_t) * MAX_SEATS)
    if h.deal.odd_units == ODD_CARRY:
        carried_chips = share_layer_with_carry(chips, winners, h.n_seats, left, unit_chips, shares)
        h.carry_chips += carried_chips
        return carried_chips // unit_chips if carried_chips else chips // unit_chips % count_seats(winners)
    if h.deal.odd_units == ODD_FIRST:
        return share_layer_odd_to_first(chips, winners, h.n_seats, left, unit_chips, shares)
    return share_layer(chips, winners, h.n_seats, left, unit_chips, shares)


cdef void note_award(
    EventBuffer* events, int32_t layer, uint8_t part, int64_t chips, int64_t odd_units
) noexcept nogil:
    cdef EventRecord* record = new_event(events, EVENT_AWARD, -1)
    if record != NULL:
        record.number = layer
        record.flag = part
        record.chips = chips
        record.by_chips = odd_units


cdef void give_shares(
    HandCore* h, int32_t layer, uint8_t part, int64_t chips, uint32_t winners, EventBuffer* events
) noexcept nogil:
    cdef int32_t order[MAX_SEATS]
    cdef int64_t shares[MAX_SEATS]
    cdef int32_t k
    note_award(events, layer, part, chips, share_part(h, chips, winners, shares))
    for k in range(seats_in_order(winners, h.button + 1, order)):
        pay(h, order[k], shares[order[k]], events)


cdef inline void give_part(
    HandCore* h, int32_t layer, uint8_t part, int64_t chips, uint32_t winners, EventBuffer* events
) noexcept nogil:
    """Gives a layer, or a half of one, to its winners."""
    if has_several(winners):
        give_shares(h, layer, part, chips, winners, events)
        return
    if events != NULL:
        note_award(events, layer, part, chips, 0)
    pay(h, lowest_seat(winners), chips, events)


cdef void award_judged(HandCore* h, int32_t i, EventBuffer* events) noexcept nogil:
    """Gives a layer to the best of several hands; in a game with a redeal what nobody has won stays (GAME-DC-06)."""
    cdef int64_t chips = h.layers[i].chips
    cdef Winners won = judge(h, h.layers[i].eligible, h.game.winners_rank if h.redeal_mask else 0)
    cdef Halves halves
    if won.high == 0 and won.low == 0:
        h.carry_chips += chips
    elif won.high == 0 or won.low == 0:                                # GAME-DECL-04: a half nobody wins goes with the other.
        give_part(h, i, PART_WHOLE, chips, won.high | won.low, events)
    else:
        if h.deal.odd_units == ODD_CARRY:
            halves = halve_layer_with_carry(chips, count_seats(won.high), count_seats(won.low), h.betting.rules.unit_chips)
        else:
            halves = halve_layer(chips, h.betting.rules.unit_chips)
        h.carry_chips += halves.carried_chips
        give_part(h, i, PART_HIGH, halves.high_chips, won.high, events)
        give_part(h, i, PART_LOW, halves.low_chips, won.low, events)


cdef inline void award_layer(HandCore* h, int32_t i, EventBuffer* events) noexcept nogil:
    """Gives one layer to its winners."""
    if has_several(h.layers[i].eligible):
        award_judged(h, i, events)
    else:
        give_part(h, i, PART_WHOLE, h.layers[i].chips, h.layers[i].eligible, events)


cdef void end_hand(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef EventRecord* record
    if h.carry_chips > 0:
        record = new_event(events, EVENT_CARRY, -1)
        if record != NULL:
            record.chips = h.carry_chips
            record.mask = h.redeal_mask
    h.phase = PHASE_OVER
    h.actor = -1
    new_event(events, EVENT_END, -1)


cdef uint32_t seats_with_chips(const HandCore* h, uint32_t seats) noexcept nogil:
    cdef int32_t seat
    for seat in range(h.n_seats):
        if h.betting.stack_chips[seat] == 0:
            seats &= ~(1u << seat)
    return seats


cdef uint32_t seats_of_redeal(HandCore* h) noexcept nogil:
    """GAME-DC-06: who antes again because nobody at the showdown has the hand that it takes.

    0 when somebody has it, and when fewer than two of them have chips: the best hand wins then.
    """
    cdef uint32_t seats = 0
    cdef Winners won
    cdef int32_t i
    for i in range(h.n_layers):
        if has_several(h.layers[i].eligible):
            won = judge(h, h.layers[i].eligible, h.game.winners_rank)
            if won.high == 0 and won.low == 0:
                seats |= h.layers[i].eligible
    seats = seats_with_chips(h, seats)
    return seats if has_several(seats) else 0


cdef void award(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef int32_t i
    h.carry_chips = 0
    h.redeal_mask = 0
    if h.game.winners_rank and h.game.redeal_if_no_win:
        h.redeal_mask = seats_of_redeal(h)
    for i in range(h.n_layers):
        award_layer(h, i, events)
    end_hand(h, events)


cdef bint redeal_if_not_opened(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef uint32_t seats = seats_with_chips(h, h.dealt_mask)            # Everyone who anted, and can again.
    cdef int32_t seat
    if not h.game.redeal_if_no_open or not has_several(seats):
        return False
    h.redeal_mask = seats
    h.carry_chips = h.dead_chips
    for seat in range(h.n_seats):
        h.carry_chips += h.committed_chips[seat]
    end_hand(h, events)
    return True


cdef uint32_t openers_mask(const HandCore* h) noexcept nogil:
    cdef uint32_t able = 0
    cdef int32_t seat
    for seat in range(h.n_seats):
        if h.betting.live_mask >> seat & 1:
            if not hole_cards_known(h, seat) or hand_rank_of(h, seat) >= h.game.openers_rank:
                able |= 1u << seat
    return able


cdef void note_opener(HandCore* h, int32_t seat) noexcept nogil:
    if hole_cards_known(h, seat):
        return                                                         # It was judged when it opened.
    h.opener_seat = seat
    h.n_opener_cards = h.n_hole_cards[seat]
    memcpy(h.opener_positions, h.hole_positions[seat], h.n_opener_cards)


cdef void prove_openers(HandCore* h) noexcept nogil:
    """GAME-DC-07: an opener who cannot show openers has a dead hand; cards that nobody ever tells are taken at its word."""
    cdef uint8_t cards[MAX_HOLE_CARDS]
    cdef int32_t i
    if h.game.openers_rank == 0 or h.opener_seat < 0:
        return
    for i in range(h.n_opener_cards):
        cards[i] = h.deck[h.opener_positions[i]]
        if cards[i] == CARD_UNKNOWN:
            return
    if rank_hand(&h.game.high, cards, h.n_opener_cards, 0, cards, 0) < h.game.openers_rank:
        concede(h, h.opener_seat)


cdef int32_t divide(HandCore* h, const int64_t* shares, EventBuffer* events) noexcept nogil:
    cdef int32_t order[MAX_SEATS]
    cdef uint32_t sharing_mask = h.betting.live_mask & ~h.mucked_mask
    cdef int64_t left_chips = h.dead_chips
    cdef int32_t seat, k
    cdef EventRecord* record
    for seat in range(h.n_seats):
        if shares[seat] < 0 or (shares[seat] > 0 and not sharing_mask >> seat & 1):
            return REFUSE_SPLIT_SUM                                    # POT-AGR-01: nothing for who is not in it.
        left_chips += h.committed_chips[seat] - shares[seat]
    if left_chips != 0:
        return REFUSE_SPLIT_SUM
    record = new_event(events, EVENT_DIVIDED, -1)
    if record != NULL:
        record.chips = h.dead_chips
        for seat in range(h.n_seats):
            record.chips += h.committed_chips[seat]
    for k in range(seats_in_order(sharing_mask, h.button + 1, order)):
        pay(h, order[k], shares[order[k]], events)
    end_hand(h, events)
    return ACCEPTED


# --- Showdown ---------------------------------------------------------------------------------------------------------------


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
    memset(&h.betting.turn, 0, sizeof(Turn))
    h.betting.turn.kinds = 1u << ACTION_MUCK
    if hole_cards_known(h, seat):
        h.betting.turn.kinds |= 1u << ACTION_SHOW


cdef int32_t first_to_show(const HandCore* h) noexcept nogil:
    """PROC-SHOW-01, GAME-ST-16. A short all-in is a wager like another: it was the last to be called (silent in the rulebook)."""
    cdef int32_t seat = h.betting.last_aggressor
    if seat >= 0 and h.betting.live_mask >> seat & 1:
        return seat
    if h.showdown.first == SHOWDOWN_LOWEST_SEAT:
        return lowest_seat(h.betting.live_mask)                        # GAME-ST-16
    seat = first_actor(&h.betting)
    if h.showdown.first == SHOWDOWN_FIRST_ACTED and seat >= 0:
        return seat if h.betting.live_mask >> seat & 1 else seat_from(h.betting.live_mask, seat + 1)
    return seat_from(h.betting.live_mask, h.button + 1)


cdef void begin_showdown(HandCore* h, EventBuffer* events) noexcept nogil:
    cdef int32_t order[MAX_SEATS]
    cdef int32_t i
    cdef EventRecord* record
    h.phase = PHASE_SHOWDOWN
    if h.game.steps[h.step - 1].kind != STEP_BET:                      # A game that ends with a choice: the layers still stand.
        h.n_layers = build_layers(h.committed_chips, h.n_seats, h.betting.live_mask, h.dead_chips, h.layers)
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


cdef void concede(HandCore* h, int32_t seat) noexcept nogil:
    """Gives up every layer that somebody else can still win; the last hand eligible for a layer has won it (POT-LAY-05)."""
    cdef int32_t i
    cdef uint32_t others
    h.mucked_mask |= 1u << seat
    for i in range(h.n_layers):
        others = h.layers[i].eligible & ~(1u << seat)
        if others:
            h.layers[i].eligible = others


cdef void settle(HandCore* h, EventBuffer* events) noexcept nogil:
    """Awards the layers, or waits for an UNKNOWN card that decides one."""
    cdef int32_t i, seat
    cdef bint board_is_known = board_known(h)
    h.actor = -1
    prove_openers(h)
    for i in range(h.n_layers):
        if not has_several(h.layers[i].eligible):
            continue
        for seat in range(h.n_seats):
            if h.layers[i].eligible >> seat & 1 and not (board_is_known and hole_cards_known(h, seat)):
                h.phase = PHASE_WAITING
                return
    award(h, events)


cdef int32_t apply_showdown(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    if seat != h.actor:
        return REFUSE_SHOWDOWN_TURN                                    # PROC-SHOW-01
    if action.kind == ACTION_SHOW:
        if not hole_cards_known(h, seat):
            return REFUSE_CARDS_UNKNOWN                                # PROC-SHOW-04
        turn_up(h, seat, events)
    elif action.kind == ACTION_MUCK:
        concede(h, seat)
        new_event(events, EVENT_MUCK, seat)
    elif ACTION_FOLD <= action.kind <= ACTION_RAISE:
        return REFUSE_ACTION_CLOSED                                    # BET-GEN-03
    else:
        return REFUSE_UNKNOWN_ACTION
    h.n_actions += 1
    next_to_show(h, events)
    return ACCEPTED


# --- The Python face --------------------------------------------------------------------------------------------------------

_HALVES = {"LOW": DECLARED_LOW, "HIGH": DECLARED_HIGH, "BOTH": DECLARED_BOTH}


def judge_declarations(declared, high_ranks, low_ranks, *, tie_keeps_both=False):
    """Find the winners of both halves of a declared layer. See award.pyi."""
    cdef uint8_t said[MAX_SEATS]
    cdef int32_t ranks[MAX_SEATS]
    cdef int32_t lows[MAX_SEATS]
    cdef int32_t n = len(declared), i
    cdef Winners won
    if not 1 <= n <= MAX_SEATS or len(high_ranks) != n or len(low_ranks) != n:
        raise InputError(f"expected 1 to {MAX_SEATS} declarations, each with two ranks", field="declared")
    for i in range(n):
        if declared[i] not in _HALVES:
            raise InputError("a declaration is LOW, HIGH or BOTH", field=f"declared[{i}]")
        said[i] = _HALVES[declared[i]]
        ranks[i] = high_ranks[i]
        lows[i] = low_ranks[i]
    won = judge_declared(said, ranks, lows, (1u << n) - 1, tie_keeps_both)
    return won.high, won.low


def check_selection(game, hole_cards, board, chosen):
    """Check that five cards may be played as a hand. See award.pyi."""
    exact = game.showdown.hole_cards_min == game.showdown.hole_cards_max and board
    n_hole = len([card for card in chosen if card in hole_cards])
    if (
        len(chosen) != 5
        or len(set(chosen)) != 5
        or any(card not in hole_cards and card not in board for card in chosen)
        or not game.showdown.hole_cards_min <= n_hole <= game.showdown.hole_cards_max
    ):
        raise RuleViolation(
            Reason.BAD_HAND_SELECTION,
            "GAME-OM-01" if exact else "RANK-HI-01",
            facts={"hole_cards": n_hole},
            message=f"{format_cards(chosen)} is no hand of this game.",
        )
