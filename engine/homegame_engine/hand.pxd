# One deal, from forced bets to payout: composes cards, betting and pots, driven by a game that is data. It takes a deck order and
# never shuffles; it knows no clock, no button movement, no format. Rules: GAME-*, BET-GEN, POT-*, PROC-SHOW.
from homegame_engine.betting cimport ACCEPTED, Action, Legal, Turn, betting_pass_turn, carry_out, is_listed
from homegame_engine.hand_state cimport Blinds, EventBuffer, HandCore, PHASE_BETTING
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

# Blinds of a hand without dead or missing ones (BET-GEN-11, BET-GEN-12); nobody's where the big blind is 0.
cdef Blinds place_blinds(
    uint32_t dealt_mask, int32_t button, int64_t small_blind_chips, int64_t big_blind_chips
) noexcept nogil
# The same for the seats, the button and the game of `h`: no blinds where something else opens the first round.
cdef Blinds place_game_blinds(const HandCore* h, int64_t small_blind_chips, int64_t big_blind_chips) noexcept nogil
# Posts, deals and runs to the first decision. The caller has filled game, showdown, deal, betting.rules, stacks
# (betting.stack_chips), deck, n_deck_cards, n_mix_orders, n_seats, button, dealt_mask, dead_chips. Arrays are n_seats long; both
# ante arrays may be NULL together, for the ante of `deal`; so may `blinds`, for those of betting.rules, and `events`.
cdef void hand_start(
    HandCore* h, const Blinds* blinds, const int64_t* ante_chips, const int64_t* dead_ante_chips, EventBuffer* events
) noexcept nogil
# What `seat` may do now; kinds is 0 when it is not its turn. Loops ask h.betting.turn, worked out with the turn.
cdef void hand_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil
# One input of whatever kind by whomever, as `hand_apply`.
cdef int32_t hand_judge(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil
# Of a deal that is not plain, who gets cards in later deals after an action: live seats, and by GAME-ST-11 until
# the next wager those that folded facing none.
cdef void hand_note_receivers(HandCore* h, int32_t seat, uint8_t kind, bint faced_wager) noexcept nogil
# After an action of a betting round: the turn that the betting has passed on, or the next step.
cdef void hand_go_on(HandCore* h, EventBuffer* events) noexcept nogil
# What the clock does for a seat whose time ends (PROC-CLK-03, PROC-SHOW-04).
cdef void hand_timeout_action(const HandCore* h, int32_t seat, Action* action) noexcept nogil
# Goes on after an UNKNOWN card was filled in.
cdef void hand_resume(HandCore* h, EventBuffer* events) noexcept nogil
# Stacks + wagers + dead money, which GEN-04 holds against issued_chips.
cdef int64_t hand_total_chips(const HandCore* h) noexcept nogil

cdef class Hand:
    cdef HandCore core
    cdef EventBuffer events
    cdef readonly int hand_number
    cdef object rules
    cdef object game_spec
    cdef object drain(self)

# The Python objects of the skins: shared by hand and session.
cdef object legal_actions_of(const HandCore* h, int32_t seat)
cdef object action_object(const HandCore* h, int32_t seat, const Action* action)


cdef inline int32_t hand_apply_turn(
    HandCore* h, int32_t seat, const Action* action, EventBuffer* events, Turn* turn
) noexcept nogil:
    """One input. Returns a Refusal; a refusal changes nothing. `turn`  # OUT: h.betting.turn after it, which a loop keeps."""
    # What simulated actions are, inline in the loops that play millions of them: the actor does what it was told it may, and
    # nobody listens. `hand_judge` comes to the same; it gets a copy, so that a loop's action can stay in registers.
    cdef Action judged
    cdef int64_t added_chips
    cdef int32_t refusal
    cdef bint faced_wager = h.betting.turn.call_chips > 0
    if h.phase == PHASE_BETTING and seat == h.actor and events == NULL and is_listed(&h.betting, seat, action):
        added_chips = carry_out(&h.betting, seat, action.kind, action.amount_chips)
        h.committed_chips[seat] += added_chips
        h.n_actions += 1
        if not h.game.is_plain_deal:
            hand_note_receivers(h, seat, action.kind, faced_wager)
        if betting_pass_turn(&h.betting, seat + 1):
            h.actor = h.betting.actor
            turn[0] = h.betting.turn
            return ACCEPTED
        hand_go_on(h, NULL)
        turn[0] = h.betting.turn
        return ACCEPTED
    judged = action[0]
    refusal = hand_judge(h, seat, &judged, events)
    turn[0] = h.betting.turn
    return refusal


cdef inline int32_t hand_apply(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    """One input. Returns a Refusal; a refusal changes nothing."""
    cdef Turn _turn
    return hand_apply_turn(h, seat, action, events, &_turn)
