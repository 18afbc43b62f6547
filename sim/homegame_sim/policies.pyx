# cython: language_level=3
"""Compiled policies. See policies.pxd.

The threshold policies are position-blind and alike at every seat on purpose: they show what the *rules* do to a seat, not what
a clever player does with it. They are plain on purpose, too: a few thresholds that a rule designer can read. Two private cards
and a common board have a formula of their own; in every other game a hand is as good as the share of all hands that it beats.
"""

from homegame_engine.betting cimport (
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
    AMOUNT_TO,
    Action,
    Legal,
)
from homegame_engine.cards cimport card_rank, card_suit
from homegame_engine.evaluator.high cimport CATEGORY_SHIFT, ONE_PAIR, STRAIGHT, TWO_PAIR, rank_high
from homegame_engine.hand cimport action_object
from homegame_engine.hand_state cimport DECLARED_BOTH, DECLARED_HIGH, DECLARED_LOW, DECLARED_NOTHING, GameDef
from homegame_engine.limits cimport MAX_BOARD_CARDS, MAX_HOLE_CARDS
from homegame_engine.session cimport Session
from homegame_engine.view cimport Observation, observe
from homegame_sim.philox cimport Philox, Stream, philox_below
from homegame_sim.strength cimport Held, rate_two_cards
from homegame_sim.yardstick cimport HALF_HIGH, HALF_LOW, Yardstick, choose_places, measured_game, standing
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from homegame_engine.actions import Bet, Call, Complete, Raise
from homegame_engine.errors import InputError

cdef enum:
    N_FORMULA_CARDS = 2
    # Thousandths of all hands that a hand beats.
    STANDS_STRONG = 950      # Worth every raise.
    STANDS_FOR_BOTH = 900    # Worth declaring both halves, if it is so good for each.

POLICIES = {
    "fold": POLICY_FOLD, "call": POLICY_CALL, "random": POLICY_RANDOM, "tight": POLICY_TIGHT, "loose": POLICY_LOOSE,
}


cdef inline bint may(const Legal* legal, int32_t kind) noexcept nogil:
    return legal.kinds >> kind & 1


cdef inline void check_or_fold(const Legal* legal, Action* action) noexcept nogil:
    if may(legal, ACTION_CHECK):
        action.kind = ACTION_CHECK
    else:
        action.kind = ACTION_FOLD if may(legal, ACTION_FOLD) else ACTION_BRING_IN


cdef inline void check_or_call(const Legal* legal, Action* action) noexcept nogil:
    if may(legal, ACTION_CHECK):
        action.kind = ACTION_CHECK
        return
    if may(legal, ACTION_BRING_IN):                                     # GAME-ST-05: who owes it has nothing to call.
        action.kind = ACTION_BRING_IN
        return
    action.kind = ACTION_CALL
    action.amount_form = AMOUNT_TO                                      # BET-NL-11: a call states what it expects.
    action.amount_chips = legal.call_chips


cdef inline bint open_wager(const Legal* legal, int64_t steps, Action* action) noexcept nogil:
    """The least bet or raise and `steps` steps more; False where none is open."""
    if may(legal, ACTION_COMPLETE):
        action.kind = ACTION_COMPLETE
        return True
    if may(legal, ACTION_BET):
        action.kind = ACTION_BET
    elif may(legal, ACTION_RAISE):
        action.kind = ACTION_RAISE
    else:
        return False
    action.amount_form = AMOUNT_TO
    action.amount_chips = legal.raise_to_min_chips + steps * legal.raise_step_chips
    return True


cdef int32_t pick_kind(const Legal* legal, Philox* stream) noexcept nogil:
    """One of the kinds that are open, each equally likely."""
    cdef int32_t kind, n = 0, picked
    for kind in range(ACTION_FOLD, ACTION_PASS + 1):
        n += may(legal, kind)
    picked = <int32_t>philox_below(stream, <uint64_t>n)
    for kind in range(ACTION_FOLD, ACTION_PASS + 1):
        if may(legal, kind):
            if picked == 0:
                return kind
            picked -= 1
    return ACTION_FOLD


cdef void pick_cards(const Observation* seen, Philox* stream, Action* action) noexcept nogil:
    """Each number of cards that may be named equally likely, and each choice of so many."""
    cdef const Legal* legal = &seen.legal
    cdef int32_t n_left = seen.n_hole_cards, i
    cdef int32_t n_due = legal.choose_min + <int32_t>philox_below(
        stream, <uint64_t>(legal.choose_max - legal.choose_min + 1)
    )
    for i in range(n_left):
        if <int32_t>philox_below(stream, <uint64_t>(n_left - i)) < n_due:
            action.card_mask |= <int64_t>1 << seen.hole_cards[seen.seat][i]
            n_due -= 1


cdef void choose_random(const Observation* seen, Philox* stream, Action* action) noexcept nogil:
    cdef const Legal* legal = &seen.legal
    cdef int32_t kind = pick_kind(legal, stream)
    cdef int64_t n_amounts = 1
    action.kind = <uint8_t>kind
    if kind == ACTION_CALL:
        check_or_call(legal, action)
    elif kind == ACTION_BET or kind == ACTION_RAISE:
        if legal.raise_step_chips > 0:
            n_amounts += (legal.raise_to_max_chips - legal.raise_to_min_chips) // legal.raise_step_chips
        open_wager(legal, <int64_t>philox_below(stream, <uint64_t>n_amounts) if n_amounts > 1 else 0, action)
    elif kind == ACTION_DECLARE:
        action.amount_chips = DECLARED_LOW + <int64_t>philox_below(stream, 3)
    elif is_choice(kind):
        pick_cards(seen, stream, action)


# --- Hand strength ----------------------------------------------------------------------------------------------------------


cdef int32_t preflop_points(const Observation* seen) noexcept nogil:
    """What the two private cards are worth before the board."""
    return rate_two_cards(seen.hole_cards[seen.seat][0], seen.hole_cards[seen.seat][1])


cdef inline bint has_flush_draw(const uint8_t* cards, int32_t n_cards, int32_t n_hole_cards) noexcept nogil:
    """Four of a suit, one of them private at least; the private cards stand first."""
    cdef int32_t counts[4]
    cdef int32_t i, suit
    memset(counts, 0, sizeof(counts))
    for i in range(n_cards):
        counts[card_suit(cards[i])] += 1
    for i in range(n_hole_cards):
        suit = card_suit(cards[i])
        if counts[suit] == 4:
            return True
    return False


cdef inline bint has_straight_draw(uint32_t ranks) noexcept nogil:
    """Four ranks in a row that either end completes."""
    return (ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & 0xFF) != 0


cdef int32_t pair_strength(const Observation* seen, uint32_t board_ranks) noexcept nogil:
    """One pair: whose it is, and how it stands to the board. `board_ranks` has bit r for rank r."""
    cdef int32_t i, k, rank, above, best = STRENGTH_DRAW                # The board's own pair is everybody's.
    for i in range(seen.n_hole_cards):
        rank = card_rank(seen.hole_cards[seen.seat][i])
        above = board_ranks >> (rank + 1) != 0
        if board_ranks >> rank & 1:
            best = STRENGTH_MEDIUM if above else STRENGTH_GOOD          # Top pair is worth a bet.
            if not above:
                return best
        for k in range(i):
            if card_rank(seen.hole_cards[seen.seat][k]) == rank:        # A pocket pair.
                return STRENGTH_MEDIUM if above else STRENGTH_GOOD
    return best


cdef inline bint plays_private_card(const Observation* seen, uint32_t board_ranks) noexcept nogil:
    """Whether a private card pairs the board or another private card."""
    cdef int32_t i, k, rank
    for i in range(seen.n_hole_cards):
        rank = card_rank(seen.hole_cards[seen.seat][i])
        if board_ranks >> rank & 1:
            return True
        for k in range(i):
            if card_rank(seen.hole_cards[seen.seat][k]) == rank:
                return True
    return False


cdef int32_t board_strength(const Observation* seen) noexcept nogil:
    cdef uint8_t cards[MAX_HOLE_CARDS + MAX_BOARD_CARDS]
    cdef int32_t i, n = 0, hand_rank, category, n_over = 0
    cdef uint32_t board_ranks = 0, ranks = 0
    for i in range(seen.n_hole_cards):
        cards[n] = seen.hole_cards[seen.seat][i]
        ranks |= 1u << card_rank(cards[n])
        n += 1
    for i in range(seen.n_board_cards):
        cards[n] = seen.board[i]
        board_ranks |= 1u << card_rank(cards[n])
        n += 1
    hand_rank = rank_high(cards, n)
    category = hand_rank >> CATEGORY_SHIFT
    if category >= STRAIGHT:
        # With five common cards the best hand may be everybody's.
        if seen.n_board_cards >= 5 and rank_high(seen.board, seen.n_board_cards) == hand_rank:
            return STRENGTH_MEDIUM
        return STRENGTH_STRONG
    if category >= TWO_PAIR:
        return STRENGTH_STRONG if plays_private_card(seen, board_ranks) else STRENGTH_DRAW
    if category == ONE_PAIR:
        return pair_strength(seen, board_ranks)
    if seen.n_board_cards < 5:
        if has_flush_draw(cards, n, seen.n_hole_cards) or has_straight_draw(ranks | board_ranks):
            return STRENGTH_MEDIUM
        for i in range(seen.n_hole_cards):
            n_over += board_ranks >> card_rank(cards[i]) == 0
        if n_over == seen.n_hole_cards:
            return STRENGTH_DRAW
    return STRENGTH_NOTHING


cdef void choose_by_strength(
    const Observation* seen,
    int32_t raise_points,
    int32_t call_points,
    int32_t bet_strength,
    int32_t call_strength,
    Action* action,
) noexcept nogil:
    cdef const Legal* legal = &seen.legal
    cdef int32_t points, strength
    if seen.street == 0:
        points = preflop_points(seen)
        strength = STRENGTH_NOTHING
        if points >= raise_points:
            # A pair of kings or aces takes every raise; the others raise once.
            strength = STRENGTH_STRONG if points >= 32 else STRENGTH_GOOD
        elif points >= call_points:
            strength = STRENGTH_MEDIUM
        bet_strength = STRENGTH_GOOD
        call_strength = STRENGTH_MEDIUM
    else:
        strength = board_strength(seen)
    # Anything below a strong hand bets or raises once, so that two good hands do not raise each other to the cap.
    if strength >= STRENGTH_STRONG or (strength >= bet_strength and seen.n_wagers <= (1 if seen.street == 0 else 0)):
        if open_wager(legal, 0, action):
            return
    if strength >= call_strength:
        check_or_call(legal, action)
    else:
        check_or_fold(legal, action)


# --- Any other game ---------------------------------------------------------------------------------------------------------


cdef inline bint has_formula(const GameDef* game) noexcept nogil:
    """Two private cards, a board, the best five of all: what `preflop_points` and `board_strength` are made for."""
    return game.is_plain_deal and game.is_plain_high and game.has_board and game.n_hole_cards == N_FORMULA_CARDS


cdef void read_held(const Observation* seen, Held* held) noexcept nogil:
    memcpy(held.hole_cards, seen.hole_cards[seen.seat], sizeof(held.hole_cards))
    memcpy(held.board, seen.board, sizeof(held.board))
    held.n_hole_cards = seen.n_hole_cards
    held.n_board_cards = seen.n_board_cards
    held.up_mask = seen.up_masks[seen.seat]
    held.has_board = seen.game.has_board


cdef int32_t standing_for_pot(const Observation* seen, const Yardstick* yardstick, const Held* held) noexcept nogil:
    """For the half that the hand is better for; once halves were declared for what the seat has declared."""
    cdef int32_t high = standing(yardstick, seen.game, seen.step, HALF_HIGH, held)
    cdef int32_t low = standing(yardstick, seen.game, seen.step, HALF_LOW, held)
    if seen.declared[seen.seat] == DECLARED_NOTHING:
        return max(high, low)
    if seen.declared[seen.seat] == DECLARED_BOTH:
        return min(high, low)
    return low if seen.declared[seen.seat] == DECLARED_LOW else high


cdef int32_t declare_by_standing(const Observation* seen, const Yardstick* yardstick, const Held* held) noexcept nogil:
    cdef int32_t high = standing(yardstick, seen.game, seen.step, HALF_HIGH, held)
    cdef int32_t low = standing(yardstick, seen.game, seen.step, HALF_LOW, held)
    if min(high, low) >= STANDS_FOR_BOTH:
        return DECLARED_BOTH
    return DECLARED_LOW if low > high else DECLARED_HIGH


cdef void name_places(const Observation* seen, uint32_t places, Action* action) noexcept nogil:
    cdef int32_t i
    for i in range(seen.n_hole_cards):
        if places >> i & 1:
            action.card_mask |= <int64_t>1 << seen.hole_cards[seen.seat][i]


cdef void choose_by_standing(
    const Observation* seen, const Yardstick* yardstick, int32_t bet_standing, int32_t call_standing, Action* action
) noexcept nogil:
    cdef const Legal* legal = &seen.legal
    cdef Held held
    cdef int32_t stands
    read_held(seen, &held)
    if may(legal, ACTION_DECLARE):
        action.kind = ACTION_DECLARE
        action.amount_chips = declare_by_standing(seen, yardstick, &held)
        return
    if take_choice(legal, action):
        name_places(
            seen, choose_places(yardstick, seen.game, seen.step, &held, legal.choose_min, legal.choose_max), action
        )
        return
    stands = standing_for_pot(seen, yardstick, &held)
    # As above: anything below a strong hand bets or raises once; a blind is no bet of anybody's.
    if stands >= STANDS_STRONG or (stands >= bet_standing and seen.n_wagers <= (seen.street == 0 and seen.big_blind_seat >= 0)):
        if open_wager(legal, 0, action):
            return
    if stands >= call_standing:
        check_or_call(legal, action)
    else:
        check_or_fold(legal, action)


# --- The policies -----------------------------------------------------------------------------------------------------------


# Raise before the board with, call before the board with (preflop_points), bet with, call with (Strength).
# In games without that formula: bet with, call with (thousandths of all hands that are worse).
cdef void choose_tight(const Observation* seen, const Yardstick* yardstick, Action* action) noexcept nogil:
    if has_formula(seen.game):
        choose_by_strength(seen, 19, 13, STRENGTH_GOOD, STRENGTH_MEDIUM, action)
    else:
        choose_by_standing(seen, yardstick, 800, 650, action)


cdef void choose_loose(const Observation* seen, const Yardstick* yardstick, Action* action) noexcept nogil:
    if has_formula(seen.game):
        choose_by_strength(seen, 16, 6, STRENGTH_MEDIUM, STRENGTH_DRAW, action)
    else:
        choose_by_standing(seen, yardstick, 600, 350, action)


cdef inline bint is_choice(int32_t kind) noexcept nogil:
    return kind == ACTION_DRAW or kind == ACTION_DISCARD or kind == ACTION_PASS


cdef inline bint take_choice(const Legal* legal, Action* action) noexcept nogil:
    """Writes the kind of a choice of cards, if that is what is due."""
    if may(legal, ACTION_DRAW):
        action.kind = ACTION_DRAW
    elif may(legal, ACTION_DISCARD):
        action.kind = ACTION_DISCARD
    elif may(legal, ACTION_PASS):
        action.kind = ACTION_PASS
    return is_choice(action.kind)


cdef bint choose_as_the_clock(const Observation* seen, Action* action) noexcept nogil:
    """As where nobody answers (GAME-DISC-02, GAME-DECL-07): the cards dealt last, no draw, high. False: nothing is due."""
    if may(&seen.legal, ACTION_DECLARE):
        action.kind = ACTION_DECLARE
        action.amount_chips = DECLARED_HIGH
        return True
    if not take_choice(&seen.legal, action):
        return False
    name_places(seen, ((1u << seen.legal.choose_min) - 1) << (seen.n_hole_cards - seen.legal.choose_min), action)
    return True


cdef void choose(
    int32_t policy, const Observation* seen, const Yardstick* yardstick, Philox* stream, Action* action
) noexcept nogil:
    cdef const Legal* legal = &seen.legal
    memset(action, 0, sizeof(Action))
    if may(legal, ACTION_SHOW):                                         # PROC-SHOW-04: a live hand in turn answers.
        action.kind = ACTION_SHOW
    elif may(legal, ACTION_MUCK):                                       # Cards that nobody knows cannot be shown.
        action.kind = ACTION_MUCK
    elif policy == POLICY_RANDOM:
        choose_random(seen, stream, action)
    elif policy == POLICY_TIGHT:
        choose_tight(seen, yardstick, action)
    elif policy == POLICY_LOOSE:
        choose_loose(seen, yardstick, action)
    elif choose_as_the_clock(seen, action):
        return
    elif policy == POLICY_CALL:
        check_or_call(legal, action)
    elif may(legal, ACTION_FOLD):
        action.kind = ACTION_FOLD
    else:
        check_or_fold(legal, action)                                    # Where no fold is free it checks (BET-GEN-02).


# --- Python skin ------------------------------------------------------------------------------------------------------------


def policy_code(str name):
    if name not in POLICIES:
        raise InputError(f"there is no policy {name!r}; there are {', '.join(POLICIES)}", field="policy")
    return POLICIES[name]


cdef object wager_object(const Action* action):
    if action.kind == ACTION_CALL:
        return Call(call_chips=action.amount_chips)
    if action.kind == ACTION_COMPLETE:
        return Complete()
    return Bet(to_chips=action.amount_chips) if action.kind == ACTION_BET else Raise(to_chips=action.amount_chips)


cdef void read_hand_as_seen(object hole_cards, object board, Observation* seen):
    memset(seen, 0, sizeof(Observation))
    for i, card in enumerate(hole_cards):
        seen.hole_cards[0][i] = card
    for i, card in enumerate(board):
        seen.board[i] = card
    seen.n_hole_cards = len(hole_cards)
    seen.n_board_cards = len(board)


def rate_hole_cards(hole_cards):
    cdef Observation seen
    if len(hole_cards) != 2:
        raise InputError(f"expected 2 private cards, got {len(hole_cards)}", field="hole_cards")
    read_hand_as_seen(hole_cards, (), &seen)
    return preflop_points(&seen)


def rate_made_hand(hole_cards, board):
    cdef Observation seen
    if len(hole_cards) != 2 or not 3 <= len(board) <= 5:
        raise InputError("expected 2 private cards and 3 to 5 common ones", field="board")
    read_hand_as_seen(hole_cards, board, &seen)
    return board_strength(&seen)


def choose_action(str policy, Session session not None, Stream stream not None):
    cdef Observation seen
    cdef Action action
    cdef int32_t code = policy_code(policy)
    if session.core.hand.actor < 0 or not session.core.hand_is_live:
        raise InputError("nobody is to act", field="session")
    observe(&session.core, session.core.hand.actor, &seen)
    choose(code, &seen, &measured_game(session.game_spec, session.hand_rules).core, &stream.core, &action)
    if ACTION_CALL <= action.kind <= ACTION_RAISE or action.kind == ACTION_COMPLETE:
        return wager_object(&action)
    return action_object(&session.core.hand, session.core.hand.actor, &action)
