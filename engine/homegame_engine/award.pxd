# The end of one deal: hands are shown or mucked, layers are judged and paid. Rules: PROC-SHOW, POT-LAY-04, POT-ODD, BET-GEN-06.
from homegame_engine.betting cimport Action
from homegame_engine.hand_state cimport EventBuffer, HandCore
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

# Who takes what of a layer, as masks of seats; a half without a winner goes with the other one.
cdef struct Winners:
    uint32_t high
    uint32_t low

# Both halves of a layer by what was declared (GAME-DECL-04 to GAME-DECL-09). Arrays by seat; a low rank of 0 is no low.
cdef Winners judge_declared(
    const uint8_t* declared, const int32_t* ranks, const int32_t* low_ranks, uint32_t eligible, bint tie_keeps_both
) noexcept nogil

# Who wins by the cards alone, whatever was declared. `award` is an AwardKind; hands below `least_rank` cannot win high. With no
# winner at all both masks are 0.
cdef Winners judge_cards(
    uint8_t award, const int32_t* ranks, const int32_t* low_ranks, uint32_t eligible, int32_t least_rank
) noexcept nogil

# Evaluated strength of a seat's hand with the board so far; at least five known cards.
cdef int32_t hand_rank_of(const HandCore* h, int32_t seat) noexcept nogil
# Turns a seat's private cards up before everybody.
cdef void turn_up(HandCore* h, int32_t seat, EventBuffer* events) noexcept nogil
# Gives the turn to a live hand at showdown, and works out what is open to it (PROC-SHOW-04).
cdef void ask_to_show(HandCore* h, int32_t seat) noexcept nogil
# From the last betting round on: asks the first hand, or shows all and settles. Layers are collected already.
cdef void begin_showdown(HandCore* h, EventBuffer* events) noexcept nogil
# One answer at the showdown. Returns a Refusal; a refusal changes nothing.
cdef int32_t apply_showdown(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil
# Awards the layers, or waits for an UNKNOWN card that decides one.
cdef void settle(HandCore* h, EventBuffer* events) noexcept nogil
# Pays every layer and ends the hand. All cards that decide one are known.
cdef void award(HandCore* h, EventBuffer* events) noexcept nogil
# Live seats whose private cards are enough to open (GAME-DC-06); a seat with UNKNOWN cards is taken at its word.
cdef uint32_t openers_mask(const HandCore* h) noexcept nogil
# Keeps what a seat opened with, where it is UNKNOWN: it has to be proved at the end (GAME-DC-07).
cdef void note_opener(HandCore* h, int32_t seat) noexcept nogil
# After a first round that nobody opened: ends the hand for a redeal where the game has that (GAME-DC-06). True: the hand is over.
cdef bint redeal_if_not_opened(HandCore* h, EventBuffer* events) noexcept nogil
# Pays a division that all live players agreed on, n_seats amounts, and ends the hand (POT-AGR-01). Returns a Refusal; a refusal
# changes nothing.
cdef int32_t divide(HandCore* h, const int64_t* shares, EventBuffer* events) noexcept nogil
