# One street of betting: who acts, what is legal, what a wager does. Knows stacks and wagers; knows no cards, no pots, no game
# and no house by name. Rules: BET-GEN, BET-FL, BET-LIM, BET-NL, BET-PL, BET-SP (docs/rules/02-betting-and-pots.md).
from homegame_engine.limits cimport MAX_SEATS
from homegame_engine.masks cimport has_several, seat_bit, seat_from
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

cdef extern from *:
    """
    /* Kinds that a level can offer, as in Legal: by whether a fold is legal although nothing is owed (BET-GEN-02); by 2 where
       the raises are capped + 1 where a level stands; by 2 for a seat that faces a wager + 1 for one that may make one. */
    #define HG_FOLD 2
    #define HG_CHECK 4
    #define HG_CALL 8
    #define HG_BET 16
    #define HG_RAISE 32
    #define HG_OFFER(idle, wager) {idle, (idle) | (wager), HG_FOLD | HG_CALL, HG_FOLD | HG_CALL | (wager)}
    #define HG_OFFERS(idle) {HG_OFFER(idle, HG_BET), HG_OFFER(idle, HG_RAISE), HG_OFFER(idle, 0), HG_OFFER(idle, 0)}
    static const unsigned char HG_OFFERED_KINDS[2][4][4] = {HG_OFFERS(HG_CHECK), HG_OFFERS(HG_CHECK | HG_FOLD)};
    """
    const uint8_t[2][4][4] OFFERED_KINDS "HG_OFFERED_KINDS"

cdef enum ActionKind:
    ACTION_NONE = 0
    ACTION_FOLD = 1
    ACTION_CHECK = 2
    ACTION_CALL = 3
    ACTION_BET = 4        # The opening wager of a street.
    ACTION_RAISE = 5      # Any wager over a level that stands, completions included.
    ACTION_SHOW = 6
    ACTION_MUCK = 7
    ACTION_COMPLETE = 8   # Raising the bring-in to a full bet (GAME-ST-05); BET-NL-08 refuses it where no bring-in stands.
    ACTION_BRING_IN = 9   # The forced bet of the low card.
    ACTION_DISCARD = 10   # Gives up exactly as many cards as the step asks for.
    ACTION_DRAW = 11      # Changes as many cards as `card_mask` names; none is standing pat.
    ACTION_DECLARE = 12   # amount_chips: Declaration, i.e. the chips in the hand plus one.
    ACTION_CUT = 13       # An action of the deal, not of a hand.
    ACTION_PASS = 14      # Hands cards to the neighbour.
    ACTION_AGREE = 15     # A division of the pot that all live players name alike (POT-AGR-01); judged by the Python skin.

cdef enum AmountForm:
    AMOUNT_NONE = 0
    AMOUNT_TO = 1         # The street total, or for a call the chips to add.
    AMOUNT_BY = 2         # The step over the level.
    AMOUNT_BOTH = 3       # Both were given: AMBIGUOUS_AMOUNT.

cdef enum Structure:
    STRUCTURE_FIXED_LIMIT = 1
    STRUCTURE_LIMIT = 2
    STRUCTURE_NO_LIMIT = 3
    STRUCTURE_POT_LIMIT = 4
    STRUCTURE_SPREAD_LIMIT = 5

cdef enum ReopenRule:
    REOPEN_FULL_LEVEL = 1        # BET-FL-04: only a full level reopens.
    REOPEN_HALF_BET = 2          # BET-LIM-05: half an increment counts as a raise.
    REOPEN_CUMULATIVE_FULL = 3   # BET-NL-07: short all-ins add up.
    REOPEN_MIN_CHIP = 4          # BET-SP-04: any step of the smallest chip reopens.

# Why an input is refused; 0 is acceptance. refusals.py maps each to its reason and rule id.
cdef enum Refusal:
    ACCEPTED = 0
    REFUSE_HAND_OVER = 1
    REFUSE_OUT_OF_TURN = 2
    REFUSE_SHOWDOWN_TURN = 3
    REFUSE_ACTION_CLOSED = 4
    REFUSE_UNKNOWN_ACTION = 5
    REFUSE_COMPLETE = 6
    REFUSE_BET_FACING_WAGER = 7
    REFUSE_RAISE_WITHOUT_BET = 8
    REFUSE_NOTHING_TO_CALL = 9
    REFUSE_CANNOT_CHECK = 10
    REFUSE_NOTHING_TO_FOLD = 11
    REFUSE_AMBIGUOUS_AMOUNT = 12
    REFUSE_STALE_AMOUNT = 13
    REFUSE_INSUFFICIENT_STACK = 14
    REFUSE_BETTING_CLOSED = 15
    REFUSE_CAP_FIXED = 16
    REFUSE_CAP_LIMIT = 17
    REFUSE_CAP_SPREAD = 18
    REFUSE_NOT_REOPENED_FIXED = 19
    REFUSE_NOT_REOPENED_FIXED_OPENING = 20
    REFUSE_NOT_REOPENED_LIMIT = 21
    REFUSE_NOT_REOPENED_NO_LIMIT = 22
    REFUSE_NOT_REOPENED_SPREAD = 23
    REFUSE_NOT_A_STEP = 24
    REFUSE_NOT_A_UNIT = 25
    REFUSE_INCREMENT_FIXED = 26
    REFUSE_INCREMENT_FIXED_COMPLETION = 27
    REFUSE_INCREMENT_FIXED_OPENING = 28
    REFUSE_INCREMENT_LIMIT = 29
    REFUSE_BELOW_OPENING = 30
    REFUSE_BELOW_RAISE = 31
    REFUSE_BELOW_SHORT_OPENING = 32
    REFUSE_BELOW_SHORT_BLIND = 33
    REFUSE_BELOW_SHORT_RAISE = 34
    REFUSE_BELOW_SPREAD = 35
    REFUSE_ABOVE_POT = 36
    REFUSE_ABOVE_FIRST_WAGER = 37
    REFUSE_ABOVE_POT_OPENING = 38
    REFUSE_ABOVE_SPREAD = 39
    REFUSE_CARDS_UNKNOWN = 40
    REFUSE_CUTOFF_PASSED = 41
    REFUSE_TOO_FEW_PLAYERS = 42
    REFUSE_HAND_IN_PROGRESS = 43
    REFUSE_SESSION_CLOSED = 44
    REFUSE_BAD_DECK = 45
    REFUSE_CUTOFF_MISSING = 46
    REFUSE_TABLE_FROZEN = 47
    REFUSE_DISCARD_REQUIRED_IRISH = 48    # GAME-IR-01, GAME-CP-01: something else was tried while a discard is due.
    REFUSE_DISCARD_REQUIRED = 49
    REFUSE_BAD_DISCARD = 50               # GAME-DISC-01
    REFUSE_BAD_DRAW = 51                  # GAME-DC-09
    REFUSE_DECLARE_REQUIRED = 52          # GAME-DECL-01
    REFUSE_DECLARE_CLOSED = 53            # GAME-DECL-01
    REFUSE_BAD_DECLARATION = 54
    REFUSE_OPENERS_REQUIRED = 55          # GAME-DC-06, GAME-DC-07
    REFUSE_BRING_IN_TURN = 56             # GAME-ST-04: OUT_OF_TURN while the bring-in is due.
    REFUSE_BRING_IN_CANNOT_CHECK = 57     # GAME-ST-07
    REFUSE_BRING_IN_SIZE = 58             # GAME-ST-05: BAD_INCREMENT.
    REFUSE_OPEN_PAIR_SIZE = 59            # BET-LIM-04: BAD_INCREMENT.
    REFUSE_CHOICE_MADE = 60               # BET-GEN-03: a choice of this step is binding.
    REFUSE_AGREEMENT_FORBIDDEN = 61       # POT-AGR-02
    REFUSE_SPLIT_SUM = 62                 # POT-AGR-01
    REFUSE_CONSENT_MISSING = 63           # POT-AGR-01
    REFUSE_DECLARED_HALVES = 64           # GAME-DECL-03: BETTING_CLOSED.
    REFUSE_BAD_PASS = 65
    N_REFUSALS = 66

# What a street has beyond the plain rules, as bits of `Betting.special`: 0 is the street that most games have.
cdef enum Special:
    SPECIAL_BRING_IN_DUE = 1      # The actor brings in or makes a full bet (GAME-ST-05).
    SPECIAL_BRING_IN_CHOICE = 2   # With the bit before: it may also fold, and the next seat has the same choice (GAME-ST-07).
    SPECIAL_BRING_IN = 4          # The level is a bring-in: until somebody opens, a full bet completes it.
    SPECIAL_OPEN_PAIR = 8         # A step is the small or the big bet (BET-LIM-04).
    SPECIAL_BIG_STEP = 16         # A big-bet step was made, so every later one is big (BET-LIM-04).
    SPECIAL_OPENERS = 32          # Only seats of may_open_mask may open (GAME-DC-06).

cdef struct Action:
    uint8_t kind           # ActionKind.
    uint8_t amount_form    # AmountForm.
    int64_t amount_chips   # By amount_form; where cards are named, how many UNKNOWN ones of the seat's own (CARD_UNKNOWN).
    int64_t card_mask      # Known cards named by the action, bit = card code; bit 62 for what nobody can hold, or named twice.

cdef struct BettingRules:
    uint8_t structure           # Structure.
    uint8_t reopen_rule         # ReopenRule.
    uint8_t fold_when_free      # 1: a fold is legal although nothing is owed (BET-GEN-02).
    int32_t raise_cap           # Raises after the opening on one street; -1 for no cap.
    int64_t unit_chips          # Smallest chip; wagers that are not all-in are multiples of it.
    int64_t small_blind_chips   # Announced size.
    int64_t big_blind_chips     # Announced size.
    int64_t small_bet_chips     # Fixed-limit step of the early streets.
    int64_t big_bet_chips       # Fixed-limit step of the late streets.
    int64_t min_open_chips      # No and pot limit: least opening after the first street.
    int64_t spread_min_chips    # Spread limit: least step, and what every step is a multiple of.
    int64_t spread_max_chips    # Spread limit: greatest step.

cdef struct Legal:
    uint32_t kinds             # Bit k set: ActionKind k is legal.
    int64_t call_chips         # To add for a call, at most the stack; 0 when there is nothing to call.
    int64_t call_to_chips      # Street total after that call.
    int64_t raise_to_min_chips  # Least street total of a bet or raise; 0 when none is open.
    int64_t raise_to_max_chips  # Greatest one.
    int64_t raise_step_chips   # Totals between the two go in steps of this many chips.
    int64_t bring_in_chips     # Forced bet of the low card, at most the stack; 0 when none is due.
    int32_t choose_min         # Cards to name in a discard, draw or pass; both 0 when none is due.
    int32_t choose_max
    int32_t wager_refusal      # Refusal that closes betting and raising, ACCEPTED when open.

# What the turn leaves open to the actor, as in `Legal`; sizes of a wager are asked for where one is made (`turn_wagers`).
cdef struct Turn:
    int64_t call_chips
    uint32_t kinds

# Least and greatest street total of a bet or raise.
cdef struct WagerRange:
    int64_t least_chips
    int64_t most_chips

# What the level offers to whoever is next, until the next wager; follows from the other fields of `Betting` (`work_out_offer`).
cdef struct Offer:
    int64_t least_to_chips   # Least street total of a wager that is not all-in.
    int64_t most_to_chips    # Greatest one, before a stack is looked at; 0 where it depends on the seat (pot limit).
    int64_t full_to_chips    # Least street total of an opening or raise of full size.
    uint8_t kinds[4]         # Kinds as in `Legal`, by 2 for a seat that faces a wager + 1 for one that may make one.

cdef struct Betting:
    BettingRules rules
    int64_t stack_chips[MAX_SEATS]    # Behind, not yet put in.
    int64_t street_chips[MAX_SEATS]   # Put in on this street.
    int64_t level_chips               # L: what a player must have in to stay.
    int64_t full_level_chips          # F: last level of an opening or full raise.
    int64_t raise_size_chips          # R: no and pot limit, least full raise step.
    int64_t increment_chips           # Fixed-limit step of this street.
    int64_t pot_before_chips          # In the pot when the street began.
    int64_t blind_shortfall_chips     # What short blinds lack of their announced size (BET-PL-03).
    int64_t first_wager_max_chips     # BET-PL-03 cap while nobody has entered; 0 when it does not apply.
    int32_t n_wagers                  # Opening and full raises so far; the big blind is the opening.
    uint32_t live_mask                # Dealt in and not folded.
    uint32_t chips_mask               # Live seats with chips behind; follows from live_mask and stack_chips.
    uint32_t acted_mask               # Acted since the betting was last reopened to them.
    uint32_t owing_mask               # Of chips_mask those that owe an action: below the level, or not in acted_mask.
    int32_t n_seats
    int32_t actor                     # Seat to act, -1 when the street is closed.
    int32_t first_turn                # Seat that had the first turn of this street, -1 when nobody had one.
    int32_t passed_opener             # Seat that opened without chips, as if it had checked (GAME-ST-18); -1 for none.
    int32_t last_aggressor            # Last opener or raiser of this street, -1 for none.
    uint8_t short_wager               # 1 when the last wager was an all-in below a full one.
    uint8_t short_blind               # 1 when the level is announced by a big blind that was posted short.
    uint8_t special                   # Special bits; the three fields below count only with theirs.
    uint32_t may_open_mask            # Seats that may open.
    int64_t bring_in_chips            # Announced size of the bring-in.
    int64_t big_step_chips            # The big bet that an open pair lets choose.
    Offer offer                       # Worked out once, when the level changes.
    Turn turn                         # Of the actor: worked out once, when the turn comes to it.

cdef struct Wager:
    int64_t chips      # Added by the action.
    int64_t to_chips   # Street total after it.
    int64_t by_chips   # Step over the level it met; 0 for a call.
    uint8_t all_in
    uint8_t full       # 1 for an opening or raise of full size.

# Works out chips_mask anew: after stacks were changed from outside.
cdef void betting_count_chips(Betting* b) noexcept nogil
# Makes a bring-in of the announced size due, to be decided first by `seat`, which has chips; others too have some (GAME-ST-05).
cdef void betting_open_by_bring_in(Betting* b, int64_t bring_in_chips, int32_t seat, bint is_choice) noexcept nogil
# Folds a live seat whose turn it is not (HOUSE-BET-06); what it has put in stays, and others still owe it.
cdef void betting_fold_out_of_turn(Betting* b, int32_t seat) noexcept nogil
# Highest street total pot limit allows `seat`, before its stack is looked at.
cdef int64_t betting_pot_limit_max(const Betting* b, int32_t seat) noexcept nogil
# Everything open to `seat` if it were to act now, and the reasons for what is not.
cdef void betting_legal(const Betting* b, int32_t seat, Legal* legal) noexcept nogil
# Changes the actor's turn by the bits of `special`.
cdef void betting_special_turn(Betting* b) noexcept nogil
# What a wager means beyond its size; the level and F are still those it met.
cdef void betting_note_special(Betting* b, int64_t to_chips, bint is_full) noexcept nogil
# As `betting_pass_turn` where one seat at most has chips. BET-GEN-08: it acts only while another player has more in than it has;
# the announced size of a short blind alone is no wager to face, since whatever it would add came straight back (BET-GEN-07).
cdef void betting_pass_lone_turn(Betting* b) noexcept nogil
# Judges and carries out one action of the actor. Returns a Refusal; a refusal changes nothing. Passes the turn on.
cdef int32_t betting_apply(Betting* b, int32_t seat, const Action* action, Wager* wager) noexcept nogil

# The Python objects of the skins: shared by hand and session.
cdef int32_t read_action(object action, Action* parsed) except -1
cdef object legal_object(int32_t seat, const Legal* legal, int64_t unit_chips)
cdef int32_t read_betting_rules(object rules, BettingRules* parsed) except -1


# --- What every action runs through ------------------------------------------------------------------------------------------
#
# Inline, so that the loops which play millions of hands are compiled around it.


cdef inline int32_t first_actor(const Betting* b) noexcept nogil:
    """Seat that opened the action of this street, -1 before anybody acted."""
    if b.passed_opener >= 0:
        return b.passed_opener
    return b.first_turn if b.acted_mask else -1


cdef inline bint is_limit(const Betting* b) noexcept nogil:
    return b.rules.structure == STRUCTURE_FIXED_LIMIT or b.rules.structure == STRUCTURE_LIMIT


cdef inline void work_out_offer(Betting* b) noexcept nogil:
    """What the wagers so far make of every turn: sizes, and the kinds that can be open. After each change of them."""
    # As unsigned numbers, so that -1 is a cap that nothing reaches (BET-FL-03, BET-LIM-02, BET-SP-03).
    cdef bint is_capped = <uint32_t>b.n_wagers > <uint32_t>b.rules.raise_cap
    memcpy(b.offer.kinds, OFFERED_KINDS[b.rules.fold_when_free][2 * is_capped + (b.level_chips > 0)], 4)
    if is_limit(b):
        b.offer.least_to_chips = b.full_level_chips + b.increment_chips      # BET-FL-02, BET-FL-05, BET-LIM-01
        b.offer.most_to_chips = b.offer.least_to_chips
        b.offer.full_to_chips = b.offer.least_to_chips                       # BET-FL-04, BET-FL-05
        if b.rules.reopen_rule == REOPEN_HALF_BET and b.rules.structure == STRUCTURE_LIMIT:
            b.offer.full_to_chips = b.full_level_chips + (b.increment_chips + 1) // 2   # BET-LIM-05
        return
    if b.rules.structure == STRUCTURE_SPREAD_LIMIT:
        b.offer.least_to_chips = b.level_chips + b.rules.spread_min_chips
        b.offer.most_to_chips = b.level_chips + b.rules.spread_max_chips
    else:
        b.offer.least_to_chips = b.level_chips + b.raise_size_chips          # BET-NL-02 to BET-NL-06
        b.offer.most_to_chips = 0 if b.rules.structure == STRUCTURE_POT_LIMIT else INT64_MAX
    b.offer.full_to_chips = b.offer.least_to_chips                           # BET-NL-03, BET-NL-06, BET-SP-04
    if b.special & SPECIAL_BRING_IN and b.level_chips == b.bring_in_chips and b.rules.structure != STRUCTURE_SPREAD_LIMIT:
        b.offer.full_to_chips = b.raise_size_chips                           # The opening, over a bring-in.


cdef inline void betting_begin(
    Betting* b, int64_t increment_chips, int64_t min_open_chips, int64_t pot_before_chips
) noexcept nogil:
    """Begins a street for the seats of `chips_mask`: level and counts to zero.

    What lies in front of the seats is the caller's, and so is the offer, since blinds may set a level first.
    """
    b.level_chips = 0
    b.full_level_chips = 0
    b.raise_size_chips = min_open_chips
    b.increment_chips = increment_chips
    b.pot_before_chips = pot_before_chips
    b.blind_shortfall_chips = 0
    b.first_wager_max_chips = 0
    b.n_wagers = 0
    b.acted_mask = 0
    b.owing_mask = b.chips_mask
    b.actor = -1
    b.first_turn = -1
    b.passed_opener = -1
    b.last_aggressor = -1
    b.short_wager = 0
    b.short_blind = 0
    b.special = 0


cdef inline void betting_open_by_blind(
    Betting* b, int64_t big_blind_chips, int32_t big_blind_seat, int64_t shortfall_chips
) noexcept nogil:
    """Level set by blinds: the announced big blind is the opening (BET-FL-03, BET-GEN-10, BET-NL-05)."""
    cdef int64_t cap
    b.level_chips = big_blind_chips
    b.full_level_chips = big_blind_chips
    b.raise_size_chips = big_blind_chips
    b.n_wagers = 1                     # BET-FL-03: the big blind is the opening.
    b.blind_shortfall_chips = shortfall_chips
    b.short_blind = 1 if b.street_chips[big_blind_seat] < big_blind_chips else 0
    # BET-PL-03: three and a half big blinds, rounded down to the unit, for the first voluntary wager.
    if b.rules.structure == STRUCTURE_POT_LIMIT:
        cap = 7 * big_blind_chips // 2
        b.first_wager_max_chips = cap - cap % b.rules.unit_chips
    work_out_offer(b)


cdef inline void work_out_turn(const Betting* b, int32_t seat, bint has_rival, Turn* turn) noexcept nogil:
    """What is open to `seat` on a street without special rules. `has_rival`: another seat has chips (BET-GEN-08)."""
    # Nearly without branches: whether a seat faces a wager is guessed wrong too often.
    cdef int64_t stack_chips = b.stack_chips[seat]
    cdef int64_t owed_chips = b.level_chips - b.street_chips[seat]
    cdef uint32_t may_wager = has_rival & (owed_chips < stack_chips)
    if b.acted_mask & seat_bit(seat):                         # Only shorter wagers were made since.
        may_wager &= b.rules.reopen_rule == REOPEN_CUMULATIVE_FULL and owed_chips >= b.raise_size_chips   # BET-NL-07
    turn.kinds = b.offer.kinds[2 * (owed_chips > 0) + may_wager]
    owed_chips = owed_chips if owed_chips > 0 else 0
    turn.call_chips = owed_chips if owed_chips < stack_chips else stack_chips    # BET-GEN-09


cdef inline WagerRange turn_wagers(const Betting* b, int32_t seat) noexcept nogil:
    """Sizes of a wager of `seat`, to which one is open, on a street without special rules. All-in is never too small."""
    cdef WagerRange wagers
    cdef int64_t all_in_chips = b.street_chips[seat] + b.stack_chips[seat]
    cdef int64_t most_to_chips = b.offer.most_to_chips
    if most_to_chips == 0:
        most_to_chips = betting_pot_limit_max(b, seat)
    wagers.least_chips = b.offer.least_to_chips if b.offer.least_to_chips < all_in_chips else all_in_chips
    wagers.most_chips = most_to_chips if most_to_chips < all_in_chips else all_in_chips
    return wagers


cdef inline bint betting_pass_turn(Betting* b, int32_t from_seat) noexcept nogil:
    """Gives the turn to the first seat from `from_seat` (inclusive) that owes an action, and works out what is open to it.

    The actor is -1 when nobody owes one: the street is closed (BET-GEN-05, BET-GEN-08). Returns whether all is as it mostly is:
    one of several seats with chips is to act.
    """
    if b.owing_mask == 0:
        b.actor = -1
        return False
    if not has_several(b.chips_mask):
        betting_pass_lone_turn(b)
        return False
    b.actor = seat_from(b.owing_mask, from_seat)
    work_out_turn(b, b.actor, True, &b.turn)
    if b.special:
        betting_special_turn(b)
    return True


cdef inline bint is_round_wager(const Betting* b, int64_t to_chips) noexcept nogil:
    """Whether a wager that is not all-in names an amount that chips can make."""
    if is_limit(b):
        return True                                           # What is legal there has one size.
    if b.rules.structure == STRUCTURE_SPREAD_LIMIT:
        return (to_chips - b.level_chips) % b.rules.spread_min_chips == 0    # BET-SP-02
    # POT-ODD-02: only whole chips exist. A division costs as much as everything else here.
    return b.rules.unit_chips == 1 or to_chips % b.rules.unit_chips == 0


cdef inline bint is_listed(const Betting* b, int32_t seat, const Action* action) noexcept nogil:
    """Whether the actor's turn lists the action as it is named, so that nothing is left to judge. May be False of a legal one."""
    cdef WagerRange wagers
    if b.special:
        return False
    if action.amount_form != AMOUNT_TO:
        return False
    if b.turn.kinds >> action.kind & 1 == 0:
        return False
    if action.kind < ACTION_BET:
        return action.amount_chips == b.turn.call_chips
    wagers = turn_wagers(b, seat)
    return wagers.least_chips <= action.amount_chips <= wagers.most_chips and is_round_wager(b, action.amount_chips)


cdef inline void carry_out_wager(Betting* b, int32_t seat, int64_t to_chips) noexcept nogil:
    """What a bet or raise to `to_chips` does besides putting the chips in."""
    cdef int64_t by_chips = to_chips - b.level_chips
    cdef bint is_full = to_chips >= b.offer.full_to_chips
    if b.special:
        betting_note_special(b, to_chips, is_full)
    b.short_wager = 1
    if is_full:
        b.short_wager = 0
        b.n_wagers += 1
        b.full_level_chips = to_chips
        # BET-NL-03; unused by the limit structures.
        b.raise_size_chips = by_chips if by_chips > b.raise_size_chips else b.raise_size_chips
        if b.rules.reopen_rule != REOPEN_CUMULATIVE_FULL:
            b.acted_mask = 0                                  # Reopened to everybody (BET-FL-04, BET-LIM-05, BET-SP-04).
    b.level_chips = to_chips
    b.owing_mask = b.chips_mask                               # Nobody else has the new level in.
    b.last_aggressor = seat
    b.first_wager_max_chips = 0                               # BET-PL-03: somebody has entered.
    work_out_offer(b)


cdef inline void put_in(Betting* b, int32_t seat, int64_t chips, uint32_t leaving_mask) noexcept nogil:
    """Puts chips in front of a seat whose turn it is; 0 for a check or a fold. `leaving_mask`: the seat, if it folds."""
    cdef uint32_t seat_mask = seat_bit(seat)
    cdef int64_t stack_chips = b.stack_chips[seat] - chips
    b.stack_chips[seat] = stack_chips
    b.street_chips[seat] += chips
    b.chips_mask &= ~(seat_mask if stack_chips == 0 else leaving_mask)
    b.acted_mask |= seat_mask
    b.owing_mask &= ~seat_mask


cdef inline int64_t carry_out(Betting* b, int32_t seat, uint8_t kind, int64_t wager_to_chips) noexcept nogil:
    """What an accepted action of a kind does; returns the chips that it adds. The turn is not passed on."""
    # A branch for wagers alone: which of the other kinds it is would be guessed wrong too often, so all of them is worked out.
    cdef uint32_t leaving_mask = 0
    cdef int64_t added_chips, fold_mask
    if kind >= ACTION_BET:
        carry_out_wager(b, seat, wager_to_chips)
        added_chips = wager_to_chips - b.street_chips[seat]
    else:
        fold_mask = -<int64_t>(kind == ACTION_FOLD)
        added_chips = b.turn.call_chips & ~fold_mask          # 0 for a check.
        leaving_mask = seat_bit(seat) & <uint32_t>fold_mask
        b.live_mask &= ~leaving_mask
        if b.first_wager_max_chips > 0 and added_chips > 0:
            b.first_wager_max_chips = 0
    put_in(b, seat, added_chips, leaving_mask)
    return added_chips
