# What is chosen besides wagers: draws, discards, passes, declarations; and the stub that new cards come from.
# Rules: GAME-DISC, GAME-DC-04, GAME-DC-09, GAME-DECL-01, GAME-DECL-07, CARD-06, GAME-ST-17.
from homegame_engine.betting cimport Action, Legal
from homegame_engine.hand_state cimport EventBuffer, HandCore
from libc.stdint cimport int32_t

# Enters the DRAW, DISCARD, PASS or DECLARE step at h.step: phase CHOOSING, pending_mask and actor set. Returns False when nobody
# has anything to choose: go on with the next step.
cdef bint choice_begin(HandCore* h, EventBuffer* events) noexcept nogil
# What a seat of pending_mask may do.
cdef void choice_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil
# One choice. Returns a Refusal; a refusal changes nothing. When the step is complete pending_mask is 0 and actor -1: `hand_apply`
# then goes on with the next step. Counts no action: `hand_apply` does.
cdef int32_t choice_apply(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil
# Takes a seat that folds out of the step (HOUSE-BET-06): it is not asked any more, and what it chose means nothing. At least two
# seats stay live. Complete as with `choice_apply`.
cdef void choice_fold(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil
# What the clock chooses for a seat (GAME-DISC-02, GAME-DECL-07).
cdef void choice_timeout(const HandCore* h, int32_t seat, Action* action) noexcept nogil
# Mixes what is out of play under the stub when fewer than `n_needed` cards can be dealt (CARD-06, GAME-DC-09).
cdef void stub_prepare(HandCore* h, int32_t n_needed, EventBuffer* events) noexcept nogil
# GAME-ST-17, asked before the burn of a DEAL_DOWN step that follows up cards; h.step is that DEAL_DOWN step, the seats of
# receives_mask are due. True when it dealt the step itself, burn included: seventh cards or the common card.
cdef bint deal_shortage(HandCore* h, EventBuffer* events) noexcept nogil


# Cards that can still be dealt.
cdef inline int32_t stub_left(const HandCore* h) noexcept nogil:
    return h.n_deck_cards - h.next_deck_position - h.deal.keeps_last_card


# Takes the next deck position to deal: the top one, or the next of deal_order once the stub was mixed anew.
cdef inline int32_t take_position(HandCore* h) noexcept nogil:
    cdef int32_t i = h.next_deck_position
    h.next_deck_position += 1
    return i if h.n_mixes == 0 else h.deal_order[i]
