# cython: language_level=3
"""Compiled policies. See policies.pxd.

The threshold policies are position-blind and alike at every seat on purpose: they show what the *rules* do to a seat, not what
a clever player does with it. They are plain on purpose, too: a few thresholds that a rule designer can read.
"""

from homegame_engine.betting cimport (
    ACTION_BET,
    ACTION_CALL,
    ACTION_CHECK,
    ACTION_FOLD,
    ACTION_MUCK,
    ACTION_RAISE,
    ACTION_SHOW,
    AMOUNT_TO,
    Action,
    Legal,
)
from homegame_engine.cards cimport card_rank, card_suit
from homegame_engine.evaluator.high cimport CATEGORY_SHIFT, ONE_PAIR, STRAIGHT, TWO_PAIR, rank_high
from homegame_engine.limits cimport MAX_BOARD_CARDS, MAX_HOLE_CARDS
from homegame_engine.session cimport Session
from homegame_engine.view cimport Observation, observe
from homegame_sim.philox cimport Philox, Stream, philox_below
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from homegame_engine.actions import Bet, Call, Check, Fold, Muck, Raise, Show
from homegame_engine.errors import InputError

cdef enum:
    RANK_TEN = 8
    RANK_JACK = 9
    RANK_QUEEN = 10
    RANK_KING = 11
    RANK_ACE = 12

POLICIES = {
    "fold": POLICY_FOLD, "call": POLICY_CALL, "random": POLICY_RANDOM, "tight": POLICY_TIGHT, "loose": POLICY_LOOSE,
}


cdef inline bint may(const Legal* legal, int32_t kind) noexcept nogil:
    return legal.kinds >> kind & 1


cdef inline void check_or_fold(const Legal* legal, Action* action) noexcept nogil:
    action.kind = ACTION_CHECK if may(legal, ACTION_CHECK) else ACTION_FOLD


cdef inline void check_or_call(const Legal* legal, Action* action) noexcept nogil:
    if may(legal, ACTION_CHECK):
        action.kind = ACTION_CHECK
        return
    action.kind = ACTION_CALL
    action.amount_form = AMOUNT_TO                                      # BET-NL-11: a call states what it expects.
    action.amount_chips = legal.call_chips


cdef inline bint open_wager(const Legal* legal, int64_t steps, Action* action) noexcept nogil:
    """The least bet or raise and `steps` steps more; False where none is open."""
    if may(legal, ACTION_BET):
        action.kind = ACTION_BET
    elif may(legal, ACTION_RAISE):
        action.kind = ACTION_RAISE
    else:
        return False
    action.amount_form = AMOUNT_TO
    action.amount_chips = legal.raise_to_min_chips + steps * legal.raise_step_chips
    return True


cdef void choose_random(const Observation* seen, Philox* stream, Action* action) noexcept nogil:
    cdef const Legal* legal = &seen.legal
    cdef uint32_t kinds = legal.kinds
    cdef int32_t kind = 0, n = 0, picked
    cdef int64_t n_amounts = 1
    for kind in range(ACTION_FOLD, ACTION_RAISE + 1):
        n += may(legal, kind)
    picked = <int32_t>philox_below(stream, <uint64_t>n)
    for kind in range(ACTION_FOLD, ACTION_RAISE + 1):
        if not (kinds >> kind & 1):
            continue
        if picked == 0:
            break
        picked -= 1
    if kind == ACTION_FOLD:
        action.kind = ACTION_FOLD
    elif kind == ACTION_CHECK or kind == ACTION_CALL:
        check_or_call(legal, action)
    else:
        if legal.raise_step_chips > 0:
            n_amounts += (legal.raise_to_max_chips - legal.raise_to_min_chips) // legal.raise_step_chips
        open_wager(legal, <int64_t>philox_below(stream, <uint64_t>n_amounts) if n_amounts > 1 else 0, action)


# --- Hand strength ----------------------------------------------------------------------------------------------------------


cdef int32_t preflop_points(const Observation* seen) noexcept nogil:
    """Bill Chen's formula, doubled so that it stays in integers; of more than two private cards the first two count."""
    cdef uint8_t a = seen.hole_cards[seen.seat][0], b = seen.hole_cards[seen.seat][1]
    cdef int32_t high = card_rank(a), low = card_rank(b), points, gap
    if high < low:
        high, low = low, high
    if high == RANK_ACE:
        points = 20
    elif high == RANK_KING:
        points = 16
    elif high == RANK_QUEEN:
        points = 14
    elif high == RANK_JACK:
        points = 12
    else:
        points = high + 2
    if high == low:
        return 2 * points if points > 5 else 10
    if card_suit(a) == card_suit(b):
        points += 4
    gap = high - low - 1
    if gap == 1:
        points -= 2
    elif gap == 2:
        points -= 4
    elif gap == 3:
        points -= 8
    elif gap > 3:
        points -= 10
    if gap <= 1 and high < RANK_QUEEN:
        points += 2
    return points if points > 0 else 0


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


# Raise before the board with, call before the board with (preflop_points), bet with, call with (Strength).
cdef void choose_tight(const Observation* seen, Action* action) noexcept nogil:
    choose_by_strength(seen, 19, 13, STRENGTH_GOOD, STRENGTH_MEDIUM, action)


cdef void choose_loose(const Observation* seen, Action* action) noexcept nogil:
    choose_by_strength(seen, 16, 6, STRENGTH_MEDIUM, STRENGTH_DRAW, action)


cdef void choose(int32_t policy, const Observation* seen, Philox* stream, Action* action) noexcept nogil:
    cdef const Legal* legal = &seen.legal
    memset(action, 0, sizeof(Action))
    if may(legal, ACTION_SHOW):                                         # PROC-SHOW-04: a live hand in turn answers.
        action.kind = ACTION_SHOW
    elif may(legal, ACTION_MUCK):                                       # Cards that nobody knows cannot be shown.
        action.kind = ACTION_MUCK
    elif policy == POLICY_CALL:
        check_or_call(legal, action)
    elif policy == POLICY_RANDOM:
        choose_random(seen, stream, action)
    elif policy == POLICY_TIGHT:
        choose_tight(seen, action)
    elif policy == POLICY_LOOSE:
        choose_loose(seen, action)
    else:
        # Where the house has no free fold (BET-GEN-02), always-fold checks.
        action.kind = ACTION_FOLD if may(legal, ACTION_FOLD) else ACTION_CHECK


# --- Python skin ------------------------------------------------------------------------------------------------------------


def policy_code(str name):
    if name not in POLICIES:
        raise InputError(f"there is no policy {name!r}; there are {', '.join(POLICIES)}", field="policy")
    return POLICIES[name]


cdef object action_object(const Action* action):
    if action.kind == ACTION_FOLD:
        return Fold()
    if action.kind == ACTION_CHECK:
        return Check()
    if action.kind == ACTION_CALL:
        return Call(call_chips=action.amount_chips)
    if action.kind == ACTION_BET:
        return Bet(to_chips=action.amount_chips)
    if action.kind == ACTION_RAISE:
        return Raise(to_chips=action.amount_chips)
    return Show() if action.kind == ACTION_SHOW else Muck()


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
    choose(code, &seen, &stream.core, &action)
    return action_object(&action)
