# cython: language_level=3
"""One street of betting. See betting.pxd for the structs; this file refuses to know cards, pots, games and houses.

A street is described by a level L (what a player must have in), a full level F (set by an opening or a full raise), and per
seat what it has in and behind. `acted_mask` holds the seats that have acted since the betting was last reopened to them: a
seat owes an action while it is live, has chips, and is below L or not in that mask. Every judgement about a wager is made once,
in `wager_refusal` and `wager_range`; `betting_legal` reports them and `betting_apply` enforces them.
"""

from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_SEATS
from homegame_engine.masks cimport has_several, lowest_seat, seat_from
from libc.string cimport memset

from homegame_engine.actions import LegalActions
from homegame_engine.errors import InputError, InvariantError
from homegame_engine.refusals import REFUSALS as _REFUSALS
from homegame_engine.refusals import refuse

_STRUCTURES = {
    "FIXED_LIMIT": STRUCTURE_FIXED_LIMIT,
    "LIMIT": STRUCTURE_LIMIT,
    "NO_LIMIT": STRUCTURE_NO_LIMIT,
    "POT_LIMIT": STRUCTURE_POT_LIMIT,
    "SPREAD_LIMIT": STRUCTURE_SPREAD_LIMIT,
}
_REOPEN_RULES = {
    "FULL_LEVEL": REOPEN_FULL_LEVEL,
    "HALF_BET": REOPEN_HALF_BET,
    "CUMULATIVE_FULL": REOPEN_CUMULATIVE_FULL,
    "MIN_CHIP": REOPEN_MIN_CHIP,
}
_KIND_NAMES = (
    "", "fold", "check", "call", "bet", "raise", "show", "muck", "complete",
    "bring_in", "discard", "draw", "declare", "cut", "pass", "agree",
)
_KINDS = {name: kind for kind, name in enumerate(_KIND_NAMES) if name}
_HALVES = {"LOW": 1, "HIGH": 2, "BOTH": 3}   # Declaration of hand_state.pxd.
_CHOICE_KINDS = (ACTION_DISCARD, ACTION_DRAW, ACTION_PASS)
_NO_CARD = 62          # Bit of a card mask that no hand ever holds.
_MAX_CHIPS = 1 << 53   # Beyond any table; sums of ten stacks stay far inside int64.


cdef void betting_count_chips(Betting* b) noexcept nogil:
    cdef int32_t seat
    b.chips_mask = 0
    for seat in range(b.n_seats):
        if b.stack_chips[seat] > 0:
            b.chips_mask |= 1u << seat
    b.chips_mask &= b.live_mask


cdef void betting_begin(Betting* b, int64_t increment_chips, int64_t min_open_chips, int64_t pot_before_chips) noexcept nogil:
    memset(b.street_chips, 0, sizeof(int64_t) * MAX_SEATS)
    b.level_chips = 0
    b.full_level_chips = 0
    b.raise_size_chips = min_open_chips
    b.increment_chips = increment_chips
    b.pot_before_chips = pot_before_chips
    b.blind_shortfall_chips = 0
    b.first_wager_max_chips = 0
    b.n_wagers = 0
    b.acted_mask = 0
    b.matched_mask = b.live_mask
    b.actor = -1
    b.first_actor = -1
    b.last_aggressor = -1
    b.short_wager = 0
    b.short_blind = 0
    b.special = 0
    b.legal.bring_in_chips = 0
    b.legal.choose_min = 0
    b.legal.choose_max = 0


cdef void betting_open_by_bring_in(Betting* b, int64_t bring_in_chips, int32_t seat, bint is_choice) noexcept nogil:
    b.special |= SPECIAL_BRING_IN_DUE
    if is_choice:
        b.special |= SPECIAL_BRING_IN_CHOICE
    b.bring_in_chips = bring_in_chips
    betting_pass_turn(b, seat)


cdef void betting_open_by_blind(
    Betting* b, int64_t big_blind_chips, int32_t big_blind_seat, int64_t shortfall_chips
) noexcept nogil:
    cdef int64_t cap
    cdef int32_t seat
    b.level_chips = big_blind_chips
    b.full_level_chips = big_blind_chips
    b.raise_size_chips = big_blind_chips
    b.n_wagers = 1                     # BET-FL-03: the big blind is the opening.
    b.blind_shortfall_chips = shortfall_chips
    b.short_blind = 1 if b.street_chips[big_blind_seat] < big_blind_chips else 0
    b.matched_mask = 0
    for seat in range(b.n_seats):
        if b.street_chips[seat] >= big_blind_chips:
            b.matched_mask |= 1u << seat
    # BET-PL-03: three and a half big blinds, rounded down to the unit, for the first voluntary wager.
    if b.rules.structure == STRUCTURE_POT_LIMIT:
        cap = 7 * big_blind_chips // 2
        b.first_wager_max_chips = cap - cap % b.rules.unit_chips


cdef bint faces_more(const Betting* b, int32_t seat) noexcept nogil:
    """Whether another seat has more in than `seat`; one that has folded can only out of its turn (HOUSE-BET-06)."""
    cdef int32_t other
    for other in range(b.n_seats):
        if b.street_chips[other] > b.street_chips[seat]:
            return True
    return False


cdef int32_t betting_next(const Betting* b, int32_t from_seat) noexcept nogil:
    # A live seat with chips owes an action while it is below the level or has not acted since the betting reopened (BET-GEN-05).
    cdef uint32_t owing_mask = b.chips_mask & ~(b.acted_mask & b.matched_mask)
    if owing_mask == 0:
        return -1
    # BET-GEN-08: a lone seat with chips acts only while another player has more in than it has; the announced size of a
    # short blind alone is no wager to face, since whatever it would add came straight back (BET-GEN-07).
    if not has_several(b.chips_mask) and not faces_more(b, lowest_seat(b.chips_mask)):
        return -1
    return seat_from(owing_mask, from_seat)


cdef int32_t wager_refusal(const Betting* b, int32_t seat) noexcept nogil:
    """Why `seat` may not bet or raise at all, in the rulebook's order of precedence; ACCEPTED when it may."""
    cdef int64_t own_chips = b.street_chips[seat]
    if own_chips + b.stack_chips[seat] <= b.level_chips:
        return REFUSE_INSUFFICIENT_STACK                      # BET-GEN-09
    if b.chips_mask & ~(1u << seat) == 0:
        return REFUSE_BETTING_CLOSED                          # BET-GEN-08: no rival has chips.
    if b.rules.raise_cap >= 0 and b.n_wagers > b.rules.raise_cap:
        if b.rules.structure == STRUCTURE_FIXED_LIMIT:
            return REFUSE_CAP_FIXED                           # BET-FL-03
        if b.rules.structure == STRUCTURE_SPREAD_LIMIT:
            return REFUSE_CAP_SPREAD                          # BET-SP-03
        return REFUSE_CAP_LIMIT                               # BET-LIM-02
    if not (b.acted_mask & (1u << seat)):
        return ACCEPTED
    if b.rules.reopen_rule == REOPEN_CUMULATIVE_FULL:         # BET-NL-07
        return ACCEPTED if b.level_chips - own_chips >= b.raise_size_chips else REFUSE_NOT_REOPENED_NO_LIMIT
    if b.rules.reopen_rule == REOPEN_HALF_BET:
        return REFUSE_NOT_REOPENED_LIMIT                      # BET-LIM-05
    if b.rules.reopen_rule == REOPEN_MIN_CHIP:
        return REFUSE_NOT_REOPENED_SPREAD                     # BET-SP-04
    return REFUSE_NOT_REOPENED_FIXED if b.full_level_chips > 0 else REFUSE_NOT_REOPENED_FIXED_OPENING


cdef int64_t pot_limit_max(const Betting* b, int32_t seat) noexcept nogil:
    """Highest street total pot limit allows `seat`, before its stack is looked at."""
    cdef int64_t pot_chips = b.pot_before_chips + b.blind_shortfall_chips
    cdef int64_t cap
    cdef int32_t other
    if b.first_wager_max_chips > 0:
        cap = b.first_wager_max_chips                         # BET-PL-03
    else:
        for other in range(b.n_seats):
            pot_chips += b.street_chips[other]
        # BET-PL-02: L + P, where P counts the call the raiser makes first. BET-PL-04 is the case L = 0.
        cap = b.level_chips + pot_chips + (b.level_chips - b.street_chips[seat])
    # A pot smaller than the minimum bet never forbids the minimum bet itself (common practice; the rulebook is silent).
    return cap if cap > b.level_chips + b.raise_size_chips else b.level_chips + b.raise_size_chips


cdef void wager_range(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    """Least and greatest legal total of a wager by a seat that may make one; an all-in below the least is the least."""
    cdef int64_t all_in_chips = b.street_chips[seat] + b.stack_chips[seat]
    cdef int64_t least_chips, greatest_chips
    legal.raise_step_chips = b.rules.unit_chips
    if b.rules.structure == STRUCTURE_FIXED_LIMIT or b.rules.structure == STRUCTURE_LIMIT:
        least_chips = b.full_level_chips + b.increment_chips  # BET-FL-02, BET-FL-05, BET-LIM-01
        greatest_chips = least_chips
    elif b.rules.structure == STRUCTURE_SPREAD_LIMIT:
        least_chips = b.level_chips + b.rules.spread_min_chips
        greatest_chips = b.level_chips + b.rules.spread_max_chips
        legal.raise_step_chips = b.rules.spread_min_chips
    else:
        least_chips = b.level_chips + b.raise_size_chips      # BET-NL-02 to BET-NL-06
        greatest_chips = all_in_chips
        if b.rules.structure == STRUCTURE_POT_LIMIT:
            greatest_chips = pot_limit_max(b, seat)
    if greatest_chips > all_in_chips:
        greatest_chips = all_in_chips
    legal.raise_to_max_chips = greatest_chips
    legal.raise_to_min_chips = least_chips if least_chips < greatest_chips else greatest_chips


cdef inline int64_t call_cost(const Betting* b, int32_t seat) noexcept nogil:
    """Chips to add for a call, at most the stack (BET-GEN-09); 0 when no wager is faced."""
    cdef int64_t owed_chips = b.level_chips - b.street_chips[seat]
    if owed_chips <= 0:
        return 0
    return owed_chips if owed_chips < b.stack_chips[seat] else b.stack_chips[seat]


cdef bint is_limit(const Betting* b) noexcept nogil:
    return b.rules.structure == STRUCTURE_FIXED_LIMIT or b.rules.structure == STRUCTURE_LIMIT


cdef void bring_in_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    """Makes of what is open without a bring-in what is open to the seat that owes one (GAME-ST-05) or may post it (GAME-ST-07)."""
    cdef bint may_bet = legal.kinds >> ACTION_BET & 1 and b.stack_chips[seat] > b.bring_in_chips
    legal.kinds = 1u << ACTION_BRING_IN
    if b.special & SPECIAL_BRING_IN_CHOICE:
        legal.kinds |= 1u << ACTION_FOLD
    legal.bring_in_chips = b.bring_in_chips if b.bring_in_chips < b.stack_chips[seat] else b.stack_chips[seat]
    if may_bet:
        legal.kinds |= 1u << (ACTION_COMPLETE if is_limit(b) else ACTION_BET)   # BET-NL-08: only limit completes.
    elif legal.wager_refusal == ACCEPTED:
        legal.wager_refusal = REFUSE_INSUFFICIENT_STACK       # BET-GEN-10: all it has is the bring-in.
        legal.raise_to_min_chips = 0
        legal.raise_to_max_chips = 0
        legal.raise_step_chips = 0


cdef void special_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    """Changes what is open to a seat by the bits of `special`."""
    cdef int64_t all_in_chips = b.street_chips[seat] + b.stack_chips[seat]
    legal.bring_in_chips = 0
    if b.special & SPECIAL_BRING_IN_DUE:
        bring_in_legal(b, seat, legal)
    if legal.wager_refusal != ACCEPTED:
        return
    if b.special & SPECIAL_OPENERS and b.level_chips == 0 and not b.may_open_mask >> seat & 1:
        legal.kinds &= ~(1u << ACTION_BET)
        legal.wager_refusal = REFUSE_OPENERS_REQUIRED         # GAME-DC-07; the amounts stay, they say nothing of the cards.
    if b.special & SPECIAL_BRING_IN and b.n_wagers == 0:
        if is_limit(b):
            legal.kinds ^= 1u << ACTION_RAISE | 1u << ACTION_COMPLETE
        elif b.rules.structure != STRUCTURE_SPREAD_LIMIT and b.level_chips < b.raise_size_chips:
            legal.raise_to_min_chips = min(b.raise_size_chips, legal.raise_to_max_chips)   # Opens to the least bet.
    if b.special & SPECIAL_OPEN_PAIR:
        legal.raise_to_max_chips = min(b.full_level_chips + b.big_step_chips, all_in_chips)
        legal.raise_step_chips = b.big_step_chips - b.increment_chips


cdef void plain_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    """What is open on a street that has nothing special."""
    legal.call_chips = call_cost(b, seat)
    legal.call_to_chips = b.street_chips[seat] + legal.call_chips
    if legal.call_chips > 0:
        legal.kinds = (1u << ACTION_FOLD) | (1u << ACTION_CALL)
    else:
        legal.kinds = 1u << ACTION_CHECK
        if b.rules.fold_when_free:
            legal.kinds |= 1u << ACTION_FOLD
    legal.wager_refusal = wager_refusal(b, seat)
    if legal.wager_refusal == ACCEPTED:
        legal.kinds |= 1u << (ACTION_RAISE if b.level_chips > 0 else ACTION_BET)
        wager_range(b, seat, legal)
    else:
        legal.raise_to_min_chips = 0
        legal.raise_to_max_chips = 0
        legal.raise_step_chips = 0


cdef void betting_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    plain_legal(b, seat, legal)
    if b.special:
        special_legal(b, seat, legal)


cdef int32_t size_refusal(const Betting* b, const Legal* legal, int64_t to_chips, bint too_small) noexcept nogil:
    """Which rule a wager of the wrong size breaks."""
    cdef uint8_t structure = b.rules.structure
    if b.special and is_limit(b):
        if b.special & (SPECIAL_BRING_IN | SPECIAL_BRING_IN_DUE) and b.n_wagers == 0:
            return REFUSE_BRING_IN_SIZE                       # GAME-ST-05
        if b.special & (SPECIAL_OPEN_PAIR | SPECIAL_BIG_STEP):
            return REFUSE_OPEN_PAIR_SIZE                      # BET-LIM-04
    if structure == STRUCTURE_LIMIT:
        return REFUSE_INCREMENT_LIMIT
    if structure == STRUCTURE_FIXED_LIMIT:
        if b.level_chips == b.full_level_chips:
            return REFUSE_INCREMENT_FIXED                     # BET-FL-02
        return REFUSE_INCREMENT_FIXED_COMPLETION if b.full_level_chips > 0 else REFUSE_INCREMENT_FIXED_OPENING
    if structure == STRUCTURE_SPREAD_LIMIT:
        return REFUSE_BELOW_SPREAD if too_small else REFUSE_ABOVE_SPREAD
    if not too_small:
        if b.first_wager_max_chips > 0:
            return REFUSE_ABOVE_FIRST_WAGER                   # BET-PL-03
        return REFUSE_ABOVE_POT if b.level_chips > 0 else REFUSE_ABOVE_POT_OPENING
    if b.level_chips == 0:
        return REFUSE_BELOW_OPENING                           # BET-NL-02
    if b.n_wagers == 0:
        return REFUSE_BELOW_SHORT_OPENING                     # BET-NL-04
    if b.n_wagers == 1 and b.short_blind:
        return REFUSE_BELOW_SHORT_BLIND                       # BET-NL-05
    return REFUSE_BELOW_SHORT_RAISE if b.short_wager else REFUSE_BELOW_RAISE


cdef int32_t judge_wager(
    const Betting* b, int32_t seat, const Action* action, const Legal* legal, int64_t* to_chips
) noexcept nogil:
    """Judges a BET or RAISE in the rulebook's order of precedence and writes its street total to `to_chips`  # OUT."""
    cdef int64_t all_in_chips = b.street_chips[seat] + b.stack_chips[seat]
    cdef int64_t total_chips
    if action.kind == ACTION_BET and b.level_chips > 0:
        return REFUSE_BET_FACING_WAGER
    if action.kind == ACTION_RAISE and b.level_chips == 0:
        return REFUSE_RAISE_WITHOUT_BET
    if action.amount_form != AMOUNT_TO and action.amount_form != AMOUNT_BY:
        return REFUSE_AMBIGUOUS_AMOUNT                        # BET-GEN-14
    if action.amount_chips > all_in_chips:
        return REFUSE_INSUFFICIENT_STACK                      # Also keeps the sum below from overflowing.
    total_chips = action.amount_chips
    if action.amount_form == AMOUNT_BY:
        total_chips += b.level_chips
    if total_chips > all_in_chips:
        return REFUSE_INSUFFICIENT_STACK                      # BET-GEN-09
    if legal.wager_refusal != ACCEPTED:
        return legal.wager_refusal
    to_chips[0] = total_chips
    if total_chips == all_in_chips and total_chips <= legal.raise_to_max_chips:
        return ACCEPTED                                       # All-in is never too small and needs no round amount.
    if b.rules.structure == STRUCTURE_SPREAD_LIMIT and (total_chips - b.level_chips) % b.rules.spread_min_chips:
        return REFUSE_NOT_A_STEP                              # BET-SP-02
    if (b.rules.structure == STRUCTURE_NO_LIMIT or b.rules.structure == STRUCTURE_POT_LIMIT) and (
        total_chips % b.rules.unit_chips
    ):
        return REFUSE_NOT_A_UNIT                              # POT-ODD-02: only whole chips exist.
    if total_chips < legal.raise_to_min_chips:
        return size_refusal(b, legal, total_chips, True)
    if total_chips > legal.raise_to_max_chips:
        return size_refusal(b, legal, total_chips, False)
    if b.special & SPECIAL_OPEN_PAIR and (
        total_chips != legal.raise_to_min_chips and total_chips != b.full_level_chips + b.big_step_chips
    ):
        return REFUSE_OPEN_PAIR_SIZE                          # BET-LIM-04: nothing in between.
    return ACCEPTED


cdef bint is_full_wager(const Betting* b, int64_t to_chips) noexcept nogil:
    """Whether a wager to `to_chips` is an opening or raise of full size under the reopening rule in force."""
    if b.rules.structure == STRUCTURE_FIXED_LIMIT:
        return to_chips >= b.full_level_chips + b.increment_chips       # BET-FL-04, BET-FL-05
    if b.rules.structure == STRUCTURE_LIMIT:
        if b.rules.reopen_rule == REOPEN_HALF_BET:
            return 2 * (to_chips - b.full_level_chips) >= b.increment_chips   # BET-LIM-05
        return to_chips >= b.full_level_chips + b.increment_chips
    if b.rules.structure == STRUCTURE_SPREAD_LIMIT:
        return to_chips - b.level_chips >= b.rules.spread_min_chips     # BET-SP-04
    if b.special & SPECIAL_BRING_IN and b.n_wagers == 0:
        return to_chips >= b.raise_size_chips                           # The opening, over a bring-in.
    return to_chips - b.level_chips >= b.raise_size_chips               # BET-NL-03, BET-NL-06


cdef void put_in(Betting* b, int32_t seat, int64_t to_chips, Wager* wager) noexcept nogil:
    wager.chips = to_chips - b.street_chips[seat]
    wager.to_chips = to_chips
    b.stack_chips[seat] -= wager.chips
    b.street_chips[seat] = to_chips
    if to_chips >= b.level_chips:
        b.matched_mask |= 1u << seat
    if b.stack_chips[seat] == 0:
        wager.all_in = 1
        b.chips_mask &= ~(1u << seat)


cdef void note_special(Betting* b, int64_t to_chips, const Wager* wager) noexcept nogil:
    """What a wager means beyond its size; the level and F are still those it met."""
    if b.special & SPECIAL_BRING_IN_DUE:                      # A full bet instead of the bring-in, or a short one all-in.
        b.special = b.special & ~(SPECIAL_BRING_IN_DUE | SPECIAL_BRING_IN_CHOICE) | SPECIAL_BRING_IN
    if b.special & SPECIAL_BRING_IN and b.n_wagers == 0 and wager.full:
        b.acted_mask = 0                                      # The bring-in is no wager: everybody may raise the opening.
        b.raise_size_chips = max(b.raise_size_chips, to_chips)
    if b.special & SPECIAL_OPEN_PAIR and to_chips - b.full_level_chips >= b.big_step_chips:
        b.special = b.special & ~SPECIAL_OPEN_PAIR | SPECIAL_BIG_STEP
        b.increment_chips = b.big_step_chips


cdef void carry_out_wager(Betting* b, int32_t seat, int64_t to_chips, Wager* wager) noexcept nogil:
    wager.full = 1 if is_full_wager(b, to_chips) else 0
    wager.by_chips = to_chips - b.level_chips
    b.matched_mask = 0                                        # put_in marks the wagerer; nobody else has the new level in.
    put_in(b, seat, to_chips, wager)
    if b.special:
        note_special(b, to_chips, wager)
    if wager.full:
        b.n_wagers += 1
        b.full_level_chips = to_chips
        if wager.by_chips > b.raise_size_chips:
            b.raise_size_chips = wager.by_chips               # BET-NL-03; unused by the limit structures.
        if b.rules.reopen_rule != REOPEN_CUMULATIVE_FULL:
            b.acted_mask = 0                                  # Reopened to everybody (BET-FL-04, BET-LIM-05, BET-SP-04).
    b.level_chips = to_chips
    b.last_aggressor = seat
    b.short_wager = 0 if wager.full else 1


cdef void betting_pass_turn(Betting* b, int32_t from_seat) noexcept nogil:
    b.actor = betting_next(b, from_seat)
    if b.actor >= 0:
        if b.special:
            betting_legal(b, b.actor, &b.legal)
        else:                                                 # The same with one call less, and that the last thing done.
            plain_legal(b, b.actor, &b.legal)


cdef int32_t complete_refusal(const Betting* b, const Legal* legal) noexcept nogil:
    """Why a bring-in cannot be completed; ACCEPTED when it can."""
    if not is_limit(b):
        return REFUSE_COMPLETE                                # BET-NL-08
    if not b.special & (SPECIAL_BRING_IN | SPECIAL_BRING_IN_DUE) or b.n_wagers > 0:
        return REFUSE_COMPLETE                                # There is no bring-in to complete: a raise goes to F + inc.
    return legal.wager_refusal


cdef void post_bring_in(Betting* b, int32_t seat, Wager* wager) noexcept nogil:
    b.level_chips = b.bring_in_chips                          # BET-GEN-10: the announced size, even where the seat has less.
    b.matched_mask = 0
    put_in(b, seat, b.legal.bring_in_chips, wager)
    b.blind_shortfall_chips += b.bring_in_chips - wager.chips
    b.special = b.special & ~(SPECIAL_BRING_IN_DUE | SPECIAL_BRING_IN_CHOICE) | SPECIAL_BRING_IN


cdef inline bint is_wager(const Action* action) noexcept nogil:
    return action.kind == ACTION_BET or action.kind == ACTION_RAISE or action.kind == ACTION_COMPLETE


cdef void betting_fold_out_of_turn(Betting* b, int32_t seat) noexcept nogil:
    b.live_mask &= ~(1u << seat)
    b.chips_mask &= ~(1u << seat)
    if b.actor >= 0:
        betting_pass_turn(b, b.actor)                         # Who is to act may have less to decide now (BET-GEN-08).


cdef int32_t betting_apply(Betting* b, int32_t seat, const Action* action, Wager* wager) noexcept nogil:
    cdef const Legal* legal = &b.legal
    cdef int64_t to_chips = 0
    cdef int32_t refusal
    if seat != b.actor:
        if b.special & SPECIAL_BRING_IN_DUE:
            return REFUSE_BRING_IN_TURN                       # GAME-ST-04, GAME-ST-07
        return REFUSE_OUT_OF_TURN                             # BET-GEN-01
    wager.chips = 0
    wager.to_chips = 0
    wager.by_chips = 0
    wager.all_in = 0
    wager.full = 0
    if action.kind == ACTION_FOLD:
        if not legal.kinds >> ACTION_FOLD & 1:
            return REFUSE_NOTHING_TO_FOLD                     # BET-GEN-02; the low card brings in (GAME-ST-06).
        b.live_mask &= ~(1u << seat)
        b.chips_mask &= ~(1u << seat)
    elif action.kind == ACTION_CHECK:
        if not legal.kinds >> ACTION_CHECK & 1:               # BET-GEN-02, GAME-ST-07
            return REFUSE_CANNOT_CHECK if legal.call_chips > 0 else REFUSE_BRING_IN_CANNOT_CHECK
    elif action.kind == ACTION_CALL:
        if legal.call_chips == 0:
            return REFUSE_NOTHING_TO_CALL                     # BET-GEN-02
        # BET-NL-11: an on-screen call states the amount it expects; no and pot limit insist on it.
        if action.amount_form == AMOUNT_NONE:
            if b.rules.structure == STRUCTURE_NO_LIMIT or b.rules.structure == STRUCTURE_POT_LIMIT:
                return REFUSE_STALE_AMOUNT
        elif action.amount_form != AMOUNT_TO or action.amount_chips != legal.call_chips:
            return REFUSE_STALE_AMOUNT
        put_in(b, seat, legal.call_to_chips, wager)
        b.first_wager_max_chips = 0                           # BET-PL-03: somebody has entered.
    elif is_wager(action):
        if action.kind == ACTION_COMPLETE:
            refusal = complete_refusal(b, legal)
            to_chips = legal.raise_to_min_chips
        else:
            refusal = judge_wager(b, seat, action, legal, &to_chips)
        if refusal != ACCEPTED:
            return refusal
        carry_out_wager(b, seat, to_chips, wager)
        b.first_wager_max_chips = 0
    elif action.kind == ACTION_BRING_IN and b.special & SPECIAL_BRING_IN_DUE:
        post_bring_in(b, seat, wager)
    elif action.kind == ACTION_DECLARE:
        return REFUSE_DECLARE_CLOSED                          # GAME-DECL-01
    else:
        return REFUSE_UNKNOWN_ACTION                          # BET-GEN-13
    b.acted_mask |= 1u << seat
    if b.first_actor < 0:
        b.first_actor = seat
    betting_pass_turn(b, seat + 1)
    return ACCEPTED


# --- Python skin -----------------------------------------------------------------------------------------------------------


cdef int32_t read_action(object action, Action* parsed) except -1:
    """Turns an `actions.Action` into the core's form; amounts keep whether a total, a step, both or neither was given."""
    cdef object config = getattr(type(action), "__struct_config__", None)
    cdef object kind = config.tag if config is not None else None
    memset(parsed, 0, sizeof(Action))
    if kind not in _KINDS:
        raise InputError(f"no such action: {kind}", field="action")
    parsed.kind = _KINDS[kind]
    if parsed.kind == ACTION_CALL:
        if action.call_chips is not None:
            parsed.amount_form = AMOUNT_TO
            parsed.amount_chips = _bounded(action.call_chips, "call_chips")
    elif parsed.kind == ACTION_BET or parsed.kind == ACTION_RAISE:
        if action.to_chips is not None:
            parsed.amount_form |= AMOUNT_TO
            parsed.amount_chips = _bounded(action.to_chips, "to_chips")
        if action.by_chips is not None:
            parsed.amount_form |= AMOUNT_BY
            parsed.amount_chips = _bounded(action.by_chips, "by_chips")
    elif parsed.kind in _CHOICE_KINDS:
        read_cards(action.cards, parsed)
    elif parsed.kind == ACTION_DECLARE:
        parsed.amount_chips = _HALVES.get(action.half, 0)
    return 0


cdef int32_t read_cards(object cards, Action* parsed) except -1:
    """Card codes as a mask, how many of them are UNKNOWN as the amount; a card named twice, or none, as one nobody holds."""
    cdef int64_t bit
    for card in cards:
        if not isinstance(card, int) or isinstance(card, bool):
            raise InputError("cards are named by their codes", field="cards")
        if card == CARD_UNKNOWN:
            parsed.amount_chips += 1
            continue
        bit = <int64_t>1 << (card if 0 <= card < DECK_CARDS_MAX else _NO_CARD)
        parsed.card_mask |= bit if not parsed.card_mask & bit else <int64_t>1 << _NO_CARD
    return 0


def _bounded(amount, str field):
    # Amounts outside every stack stay outside after the cut, so the rulebook's reason is the same; sums cannot overflow.
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise InputError(f"{field} must be an integer", field=field)
    return max(-_MAX_CHIPS, min(_MAX_CHIPS, amount))


cdef object legal_object(int32_t seat, const Legal* legal, int64_t unit_chips):
    cdef bint wager_open = legal.raise_to_max_chips > 0
    cdef bint names_cards = legal.kinds & (1u << ACTION_DISCARD | 1u << ACTION_DRAW | 1u << ACTION_PASS) != 0
    return LegalActions(
        seat=seat,
        kinds=tuple([name for kind, name in enumerate(_KIND_NAMES) if legal.kinds >> kind & 1]),
        call_chips=legal.call_chips,
        call_to_chips=legal.call_to_chips,
        raise_to_min_chips=legal.raise_to_min_chips if wager_open else None,
        raise_to_max_chips=legal.raise_to_max_chips if wager_open else None,
        raise_step_chips=legal.raise_step_chips,
        unit_chips=unit_chips,
        wager_refusal=None if legal.wager_refusal == ACCEPTED else str(_REFUSALS[legal.wager_refusal].reason),
        bring_in_chips=legal.bring_in_chips,
        cards_min=legal.choose_min if names_cards else None,
        cards_max=legal.choose_max if names_cards else None,
        halves=tuple(_HALVES) if legal.kinds >> ACTION_DECLARE & 1 else (),
    )


cdef int32_t read_betting_rules(object rules, BettingRules* parsed) except -1:
    """Copies a `specs.HandRules` into the core's struct. Raises InputError for sizes that cannot be played."""
    if rules.structure not in _STRUCTURES:
        raise InputError(f"no such betting structure: {rules.structure}", field="structure")
    if rules.reopen_rule not in _REOPEN_RULES:
        raise InputError(f"no such reopening rule: {rules.reopen_rule}", field="reopen_rule")
    memset(parsed, 0, sizeof(BettingRules))
    parsed.structure = _STRUCTURES[rules.structure]
    parsed.reopen_rule = _REOPEN_RULES[rules.reopen_rule]
    parsed.fold_when_free = 1 if rules.fold_when_free else 0
    parsed.raise_cap = rules.raise_cap
    parsed.unit_chips = rules.unit_chips
    parsed.small_blind_chips = rules.small_blind_chips
    parsed.big_blind_chips = rules.big_blind_chips
    parsed.small_bet_chips = rules.small_bet_chips
    parsed.big_bet_chips = rules.big_bet_chips
    parsed.min_open_chips = rules.min_open_chips
    parsed.spread_min_chips = rules.spread_min_chips
    parsed.spread_max_chips = rules.spread_max_chips
    if parsed.unit_chips < 1:
        raise InputError("unit_chips must be at least 1", field="unit_chips")
    if parsed.structure in (STRUCTURE_FIXED_LIMIT, STRUCTURE_LIMIT) and min(rules.small_bet_chips, rules.big_bet_chips) < 1:
        raise InputError("limit betting needs small_bet_chips and big_bet_chips of at least 1", field="small_bet_chips")
    if parsed.structure in (STRUCTURE_NO_LIMIT, STRUCTURE_POT_LIMIT) and parsed.min_open_chips < 1:
        raise InputError("no and pot limit need min_open_chips of at least 1", field="min_open_chips")
    if parsed.structure == STRUCTURE_SPREAD_LIMIT and not 0 < parsed.spread_min_chips <= parsed.spread_max_chips:
        raise InputError("spread limit needs 0 < spread_min_chips <= spread_max_chips", field="spread_min_chips")
    return 0


cdef class BettingRound:
    """One street of betting by itself, for people who design rules and for tests. A hand composes the same core.

    Seats run clockwise from 0. `stacks` are what each seat has when the street begins, posts still included; `posts` what
    blinds have put in front of them; `announced_chips` the announced size of each seat's blind where it was posted short.

    Rules: BET-GEN-01 to BET-GEN-17, BET-FL, BET-LIM, BET-NL, BET-PL, BET-SP.
    """

    cdef Betting core

    def __init__(
        self, rules, stacks, *, int64_t increment_chips=0, int64_t pot_before_chips=0, posts=None, announced_chips=None,
        int32_t first_seat=0, bint blind_is_opening=False,
    ):
        cdef int32_t seat, n_seats = len(stacks)
        cdef int64_t shortfall_chips = 0
        cdef int32_t big_blind_seat = -1
        if not 2 <= n_seats <= MAX_SEATS:
            raise InputError(f"expected 2 to {MAX_SEATS} seats, got {n_seats}", field="stacks")
        memset(&self.core, 0, sizeof(Betting))
        read_betting_rules(rules, &self.core.rules)
        self.core.n_seats = n_seats
        self.core.live_mask = (1u << n_seats) - 1
        for seat in range(n_seats):
            self.core.stack_chips[seat] = stacks[seat] - (posts[seat] if posts is not None else 0)
        betting_begin(&self.core, increment_chips, rules.min_open_chips, pot_before_chips)
        betting_count_chips(&self.core)
        for seat in range(n_seats):
            post = posts[seat] if posts is not None else 0
            self.core.street_chips[seat] = post
            if announced_chips is not None and announced_chips[seat] > post:
                shortfall_chips += announced_chips[seat] - post
            if post > 0 and (big_blind_seat < 0 or post >= self.core.street_chips[big_blind_seat]):
                big_blind_seat = seat
        if blind_is_opening:
            betting_open_by_blind(&self.core, rules.big_blind_chips, big_blind_seat, shortfall_chips)
        elif posts is not None:
            # A bring-in sets the level without opening (BET-FL-08): F stays 0, and its owner has acted (BET-GEN-05).
            self.core.special = SPECIAL_BRING_IN
            self.core.level_chips = max(posts)
            self.core.matched_mask = sum(1 << seat for seat in range(n_seats) if posts[seat] == self.core.level_chips)
            if big_blind_seat >= 0:
                self.core.acted_mask = 1u << big_blind_seat
        betting_pass_turn(&self.core, first_seat)

    @property
    def actor(self):
        return self.core.actor

    @property
    def level_chips(self):
        return self.core.level_chips

    @property
    def stacks(self):
        return tuple([self.core.stack_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def street_chips(self):
        return tuple([self.core.street_chips[seat] for seat in range(self.core.n_seats)])

    def legal_actions(self, int32_t seat):
        """What `seat` could do if it were its turn. Changes nothing."""
        cdef Legal legal
        if not 0 <= seat < self.core.n_seats:
            raise InputError(f"no seat {seat}", field="seat")
        memset(&legal, 0, sizeof(Legal))
        betting_legal(&self.core, seat, &legal)
        return legal_object(seat, &legal, self.core.rules.unit_chips)

    def apply(self, int32_t seat, action):
        """Carries out one action. Raises RuleViolation with the legal amounts; a refusal changes nothing."""
        cdef Action parsed
        cdef Wager wager
        cdef Legal legal
        cdef int32_t refusal
        read_action(action, &parsed)
        refusal = betting_apply(&self.core, seat, &parsed, &wager)
        if refusal != ACCEPTED:
            memset(&legal, 0, sizeof(Legal))
            betting_legal(&self.core, max(self.core.actor, 0), &legal)
            raise refuse(refusal, legal_object(self.core.actor, &legal, self.core.rules.unit_chips))


if len(_REFUSALS) != N_REFUSALS:
    raise InvariantError("refusals.py and betting.pxd list different refusals")
