# cython: language_level=3
"""One street of betting. See betting.pxd for the structs; this file refuses to know cards, pots, games and houses.

A street is described by a level L (what a player must have in), a full level F (set by an opening or a full raise), and per
seat what it has in and behind. `acted_mask` holds the seats that have acted since the betting was last reopened to them: a
seat owes an action (`owing_mask`) while it is live, has chips, and is below L or not in that mask. Every judgement about a wager
is made once: `work_out_offer` says what a level offers to anybody, `work_out_turn`, when the turn comes to a seat,
what is open to it; `betting_legal` reports that with the reasons and `betting_apply` enforces it.

What every action runs through stands inline in betting.pxd, so that the hand's loop is compiled around it. Here is the rest: the
start of a street, the reasons for a refusal, what is special, and the Python skin.
"""

from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_SEATS
from homegame_engine.masks cimport lowest_seat
from libc.string cimport memset

from homegame_engine.actions import Action as _Action
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


cdef void betting_open_by_bring_in(Betting* b, int64_t bring_in_chips, int32_t seat, bint is_choice) noexcept nogil:
    b.special |= SPECIAL_BRING_IN_DUE
    if is_choice:
        b.special |= SPECIAL_BRING_IN_CHOICE
    b.bring_in_chips = bring_in_chips
    betting_pass_turn(b, seat)


cdef bint faces_more(const Betting* b, int32_t seat) noexcept nogil:
    """Whether another seat has more in than `seat`; one that has folded can only out of its turn (HOUSE-BET-06)."""
    cdef int32_t other
    if b.street_chips[seat] >= b.level_chips:
        return False
    for other in range(b.n_seats):
        if b.street_chips[other] > b.street_chips[seat]:
            return True
    return False


cdef void betting_pass_lone_turn(Betting* b) noexcept nogil:
    b.actor = -1
    if b.owing_mask and faces_more(b, lowest_seat(b.owing_mask)):
        b.actor = lowest_seat(b.owing_mask)
        work_out_turn(b, b.actor, False, &b.turn)
        if b.special:
            betting_special_turn(b)


cdef int64_t betting_pot_limit_max(const Betting* b, int32_t seat) noexcept nogil:
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


cdef int32_t cap_refusal(const BettingRules* rules) noexcept nogil:
    """The reason against a raise beyond the cap."""
    if rules.structure == STRUCTURE_FIXED_LIMIT:
        return REFUSE_CAP_FIXED                               # BET-FL-03
    return REFUSE_CAP_SPREAD if rules.structure == STRUCTURE_SPREAD_LIMIT else REFUSE_CAP_LIMIT   # BET-SP-03, BET-LIM-02


cdef int32_t reopening_refusal(const Betting* b) noexcept nogil:
    """The reason against a raise by a seat that has acted and to which the betting was not reopened since."""
    if b.rules.reopen_rule == REOPEN_CUMULATIVE_FULL:
        return REFUSE_NOT_REOPENED_NO_LIMIT                   # BET-NL-07
    if b.rules.reopen_rule == REOPEN_HALF_BET:
        return REFUSE_NOT_REOPENED_LIMIT                      # BET-LIM-05
    if b.rules.reopen_rule == REOPEN_MIN_CHIP:
        return REFUSE_NOT_REOPENED_SPREAD                     # BET-SP-04
    return REFUSE_NOT_REOPENED_FIXED if b.full_level_chips > 0 else REFUSE_NOT_REOPENED_FIXED_OPENING


cdef int32_t wager_refusal(const Betting* b, int32_t seat) noexcept nogil:
    """Why `seat`, whose turn has no wager open, may not bet or raise: the first reason in the rulebook's order of precedence."""
    if b.street_chips[seat] + b.stack_chips[seat] <= b.level_chips:
        return REFUSE_INSUFFICIENT_STACK                      # BET-GEN-09
    if b.chips_mask & ~(1u << seat) == 0:
        return REFUSE_BETTING_CLOSED                          # BET-GEN-08: no rival has chips.
    return cap_refusal(&b.rules) if b.offer.kinds[0] == b.offer.kinds[1] else reopening_refusal(b)


cdef void betting_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    cdef Turn turn
    cdef WagerRange wagers
    cdef bint is_open
    work_out_turn(b, seat, b.chips_mask & ~(1u << seat) != 0, &turn)
    is_open = turn.kinds >= 1u << ACTION_BET
    memset(legal, 0, sizeof(Legal))
    legal.kinds = turn.kinds
    legal.call_chips = turn.call_chips
    legal.call_to_chips = b.street_chips[seat] + turn.call_chips
    legal.wager_refusal = ACCEPTED if is_open else wager_refusal(b, seat)
    if is_open:
        wagers = turn_wagers(b, seat)
        legal.raise_to_min_chips = wagers.least_chips
        legal.raise_to_max_chips = wagers.most_chips
        legal.raise_step_chips = b.rules.unit_chips
        if b.rules.structure == STRUCTURE_SPREAD_LIMIT:
            legal.raise_step_chips = b.rules.spread_min_chips
    if b.special:
        special_legal(b, seat, legal)


cdef void betting_special_turn(Betting* b) noexcept nogil:
    cdef Legal legal
    betting_legal(b, b.actor, &legal)
    b.turn.kinds = legal.kinds
    b.turn.call_chips = legal.call_chips


cdef void bring_in_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil:
    """Makes of what were open without a bring-in what is open to a seat that owes it or may post it (GAME-ST-05, GAME-ST-07)."""
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
        elif b.rules.structure != STRUCTURE_SPREAD_LIMIT and b.level_chips == b.bring_in_chips:
            legal.raise_to_min_chips = min(b.raise_size_chips, legal.raise_to_max_chips)   # Opens to the least bet.
    if b.special & SPECIAL_OPEN_PAIR:
        legal.raise_to_max_chips = min(b.full_level_chips + b.big_step_chips, all_in_chips)
        legal.raise_step_chips = b.big_step_chips - b.increment_chips


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
    if not is_round_wager(b, total_chips):
        return REFUSE_NOT_A_STEP if b.rules.structure == STRUCTURE_SPREAD_LIMIT else REFUSE_NOT_A_UNIT
    if total_chips < legal.raise_to_min_chips:
        return size_refusal(b, legal, total_chips, True)
    if total_chips > legal.raise_to_max_chips:
        return size_refusal(b, legal, total_chips, False)
    if b.special & SPECIAL_OPEN_PAIR and (
        total_chips != legal.raise_to_min_chips and total_chips != b.full_level_chips + b.big_step_chips
    ):
        return REFUSE_OPEN_PAIR_SIZE                          # BET-LIM-04: nothing in between.
    return ACCEPTED


cdef void betting_note_special(Betting* b, int64_t to_chips, bint is_full) noexcept nogil:
    if b.special & SPECIAL_BRING_IN_DUE:                      # A full bet instead of the bring-in, or a short one all-in.
        b.special = b.special & ~(SPECIAL_BRING_IN_DUE | SPECIAL_BRING_IN_CHOICE) | SPECIAL_BRING_IN
    if b.special & SPECIAL_BRING_IN and b.level_chips == b.bring_in_chips and is_full:
        b.acted_mask = 0                                      # The bring-in is no wager: everybody may raise the opening.
        b.raise_size_chips = max(b.raise_size_chips, to_chips)
    if b.special & SPECIAL_OPEN_PAIR and to_chips - b.full_level_chips >= b.big_step_chips:
        b.special = b.special & ~SPECIAL_OPEN_PAIR | SPECIAL_BIG_STEP
        b.increment_chips = b.big_step_chips


cdef int32_t complete_refusal(const Betting* b, const Legal* legal) noexcept nogil:
    """Why a bring-in cannot be completed; ACCEPTED when it can."""
    if not is_limit(b):
        return REFUSE_COMPLETE                                # BET-NL-08
    if not b.special & (SPECIAL_BRING_IN | SPECIAL_BRING_IN_DUE) or b.n_wagers > 0:
        return REFUSE_COMPLETE                                # There is no bring-in to complete: a raise goes to F + inc.
    return legal.wager_refusal


cdef inline bint is_wager(const Action* action) noexcept nogil:
    return action.kind == ACTION_BET or action.kind == ACTION_RAISE or action.kind == ACTION_COMPLETE


cdef void betting_fold_out_of_turn(Betting* b, int32_t seat) noexcept nogil:
    b.live_mask &= ~(1u << seat)
    b.chips_mask &= ~(1u << seat)
    b.owing_mask &= ~(1u << seat)
    if b.actor >= 0:
        betting_pass_turn(b, b.actor)                         # Who is to act may have less to decide now (BET-GEN-08).


cdef int32_t judge_call(const Betting* b, const Action* action, const Legal* legal) noexcept nogil:
    if legal.call_chips == 0:
        return REFUSE_NOTHING_TO_CALL                         # BET-GEN-02
    # BET-NL-11: an on-screen call states the amount it expects; no and pot limit insist on it.
    if action.amount_form == AMOUNT_NONE:
        if b.rules.structure == STRUCTURE_NO_LIMIT or b.rules.structure == STRUCTURE_POT_LIMIT:
            return REFUSE_STALE_AMOUNT
    elif action.amount_form != AMOUNT_TO or action.amount_chips != legal.call_chips:
        return REFUSE_STALE_AMOUNT
    return ACCEPTED


cdef int32_t judge(
    const Betting* b, int32_t seat, const Action* action, const Legal* legal, int64_t* to_chips
) noexcept nogil:
    """Judges an action of the actor. The street total of a wager that is accepted is written to `to_chips`  # OUT."""
    if action.kind == ACTION_FOLD:                            # BET-GEN-02; the low card brings in (GAME-ST-06).
        return ACCEPTED if legal.kinds >> ACTION_FOLD & 1 else REFUSE_NOTHING_TO_FOLD
    if action.kind == ACTION_CHECK:
        if legal.kinds >> ACTION_CHECK & 1:
            return ACCEPTED
        return REFUSE_CANNOT_CHECK if legal.call_chips > 0 else REFUSE_BRING_IN_CANNOT_CHECK   # BET-GEN-02, GAME-ST-07
    if action.kind == ACTION_CALL:
        return judge_call(b, action, legal)
    if action.kind == ACTION_COMPLETE:
        to_chips[0] = legal.raise_to_min_chips
        return complete_refusal(b, legal)
    if is_wager(action):
        return judge_wager(b, seat, action, legal, to_chips)
    if action.kind == ACTION_BRING_IN and b.special & SPECIAL_BRING_IN_DUE:
        return ACCEPTED
    return REFUSE_DECLARE_CLOSED if action.kind == ACTION_DECLARE else REFUSE_UNKNOWN_ACTION   # GAME-DECL-01, BET-GEN-13


cdef void post_bring_in(Betting* b, int32_t seat, int64_t chips) noexcept nogil:
    b.level_chips = b.bring_in_chips                          # BET-GEN-10: the announced size, even where the seat has less.
    b.owing_mask = b.chips_mask
    put_in(b, seat, chips, 0)
    b.blind_shortfall_chips += b.bring_in_chips - chips
    b.special = b.special & ~(SPECIAL_BRING_IN_DUE | SPECIAL_BRING_IN_CHOICE) | SPECIAL_BRING_IN
    work_out_offer(b)


cdef int32_t betting_apply(Betting* b, int32_t seat, const Action* action, Wager* wager) noexcept nogil:
    cdef int64_t level_before_chips = b.level_chips
    cdef int64_t stack_before_chips = b.stack_chips[seat]
    cdef int64_t to_chips = 0
    cdef Legal legal
    cdef int32_t refusal
    if seat != b.actor:                                       # GAME-ST-04, GAME-ST-07, BET-GEN-01
        return REFUSE_BRING_IN_TURN if b.special & SPECIAL_BRING_IN_DUE else REFUSE_OUT_OF_TURN
    betting_legal(b, seat, &legal)
    refusal = judge(b, seat, action, &legal, &to_chips)
    if refusal != ACCEPTED:
        return refusal
    if action.kind == ACTION_BRING_IN:
        post_bring_in(b, seat, legal.bring_in_chips)
    else:
        carry_out(b, seat, action.kind, to_chips)
    memset(wager, 0, sizeof(Wager))
    wager.chips = stack_before_chips - b.stack_chips[seat]
    wager.all_in = b.stack_chips[seat] == 0
    if wager.chips > 0:
        wager.to_chips = b.street_chips[seat]
    if is_wager(action):
        wager.by_chips = b.level_chips - level_before_chips
        wager.full = not b.short_wager
    betting_pass_turn(b, seat + 1)
    return ACCEPTED


# --- Python skin -----------------------------------------------------------------------------------------------------------


cdef int32_t read_action(object action, Action* parsed) except -1:
    """Turns an `actions.Action` into the core's form; amounts keep whether a total, a step, both or neither was given."""
    cdef object kind = type(action).__struct_config__.tag if isinstance(action, _Action) else None
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
        parsed.amount_chips = _HALVES.get(action.half, 0) if isinstance(action.half, str) else 0
    return 0


cdef int32_t read_cards(object cards, Action* parsed) except -1:
    """Card codes as a mask, how many of them are UNKNOWN as the amount; a card named twice, or none, as one nobody holds."""
    cdef int64_t bit
    if not isinstance(cards, (tuple, list)):
        raise InputError("cards are named by a sequence of codes", field="cards")
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
        betting_count_chips(&self.core)
        betting_begin(&self.core, increment_chips, rules.min_open_chips, pot_before_chips)
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
            self.core.bring_in_chips = max(posts)
            self.core.level_chips = max(posts)
            if big_blind_seat >= 0:
                self.core.acted_mask = 1u << big_blind_seat
                self.core.owing_mask &= ~self.core.acted_mask
        work_out_offer(&self.core)
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
            betting_legal(&self.core, max(self.core.actor, 0), &legal)
            raise refuse(refusal, legal_object(self.core.actor, &legal, self.core.rules.unit_chips))


if len(_REFUSALS) != N_REFUSALS:
    raise InvariantError("refusals.py and betting.pxd list different refusals")
# The header's kinds stand in C, where the enumeration is not known.
if (OFFERED_KINDS[1][0][1], OFFERED_KINDS[0][1][3]) != (
    1 << ACTION_CHECK | 1 << ACTION_FOLD | 1 << ACTION_BET, 1 << ACTION_FOLD | 1 << ACTION_CALL | 1 << ACTION_RAISE
):
    raise InvariantError("the kinds that a level offers are not those of ActionKind")
