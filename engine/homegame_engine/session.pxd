# One run of a format at one table: button, levels, orbits, cutoff, standings around a hand. Compiled because the simulator runs
# it millions of times; the server runs the same object. It knows no clock (moments come in), no people, no cards but the hand's.
# Rules: PTS-002 to PTS-009, PTS-016 to PTS-025, PTS-B3-01, PTS-B3-02, PROC-BTN-01, PROC-BTN-03, PROC-END-01, PROC-VOID-02.
from homegame_engine.betting cimport Action, BettingRules, Legal
from homegame_engine.hand_state cimport DealRules, EventBuffer, GameDef, HandCore, ShowdownRules
from homegame_engine.kill cimport KillState
from homegame_engine.limits cimport MAX_LEVELS, MAX_SEATS
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

cdef struct LevelDef:
    int32_t from_hand              # First hand number of the level; hand 1 is the first of the session.
    int64_t small_blind_chips
    int64_t big_blind_chips
    int64_t small_bet_chips        # Fixed-limit steps.
    int64_t big_bet_chips
    int64_t min_open_chips         # No and pot limit: least opening after the first street.
    int64_t spread_min_chips       # Spread limit (BET-SP-01).
    int64_t spread_max_chips
    int64_t ante_chips
    int64_t bring_in_chips

cdef struct SessionDef:
    GameDef game
    ShowdownRules showdown
    DealRules deal                 # The ante and the bring-in in it are replaced by the level's.
    BettingRules betting           # The sizes in it are replaced by the level's.
    LevelDef levels[MAX_LEVELS]
    int32_t n_levels
    int32_t kill                   # kill.Kill (KILL-01).
    int32_t min_players
    int32_t max_players
    int64_t start_chips

cdef struct SessionCore:
    SessionDef definition
    int64_t stack_chips[MAX_SEATS]   # Between hands; during one the hand holds the live stacks.
    uint32_t chips_mask              # Positions with chips; follows from stack_chips.
    int32_t laid_level               # Level whose game and sizes `hand` has; -1 where the next one has to take them anew.
    int64_t issued_chips             # Players x start (PTS-024).
    int64_t carry_chips              # In the middle between hands: dead money of the next one (POT-SPLIT-03, GAME-DC-06).
    uint32_t redeal_mask             # Seats that the next deal is for, with the same button; 0 for an ordinary hand.
    KillState kill                   # The kill marker; neutral where no kill is played.
    int64_t cutoff_at_ms             # 0 until one is posted (PTS-003); INT64_MAX for a run that ends by hands.
    int32_t n_seats
    uint32_t roster_mask             # Positions written before play (PROC-BTN-03).
    uint32_t passing_mask            # Seats that pass the coming deals (PTS-019).
    uint32_t ticked_mask             # Roster positions that had the button in this orbit.
    int32_t hands_before             # Of the night, in sessions before this one: hand numbers go on from there.
    int32_t n_orbits                 # Completed.
    int32_t n_hands                  # Completed.
    int32_t button                   # Of the live hand, or of the next; while too few are active, the next position.
    uint8_t hand_is_live
    uint8_t is_finished
    HandCore hand                    # The live hand, or the last one.

# Fresh session: equal stacks for the roster. `s.definition` and `s.n_seats` are filled by the caller.
cdef void session_begin(SessionCore* s, uint32_t roster_mask, int32_t first_button) noexcept nogil
# Seats that would be dealt in now: on the roster, with chips, not passing.
cdef uint32_t session_active_mask(const SessionCore* s) noexcept nogil
# Who is dealt in next: the active seats, or those of a redeal that are still there (GAME-DC-06).
cdef uint32_t seats_of_next_deal(const SessionCore* s) noexcept nogil
# Plays another game from the next hand on; stacks, button and orbits stay (GAME-DC-01). No hand is live.
cdef void session_change_game(SessionCore* s, const SessionDef* definition) noexcept nogil
# Why no hand can start at `at_ms`, or ACCEPTED.
cdef int32_t session_deal_refusal(const SessionCore* s, int64_t at_ms) noexcept nogil
# Posts and deals the next hand from `deck_order`, the game's n_deck_cards codes; the hand's mix_orders and n_mix_orders are the
# caller's. Returns a Refusal; a refusal changes nothing. `events` may be NULL.
cdef int32_t session_start_hand(
    SessionCore* s, int64_t at_ms, const uint8_t* deck_order, EventBuffer* events
) noexcept nogil
# One action in the live hand; ends the hand's bookkeeping when it was the last.
cdef int32_t session_apply(SessionCore* s, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil
# The bookkeeping of the live hand, which is over: the sheet row, the tick of the position and the move of the button. For loops
# that play `hand` themselves.
cdef void session_end_hand(SessionCore* s) noexcept nogil
# Whether one player holds all chips (PTS-016).
cdef bint session_has_sole_owner(const SessionCore* s) noexcept nogil
# Level in force for a hand number.
cdef const LevelDef* session_level(const SessionDef* definition, int32_t hand_number) noexcept nogil

cdef int32_t read_session_definition(object format_spec, object game, object house, SessionDef* parsed) except -1

cdef class Session:
    cdef SessionCore core
    cdef EventBuffer events
    cdef readonly object format_spec
    cdef readonly object game_spec
    cdef readonly object hand_rules
    cdef object name_division(self, int seat, object shares)
    cdef tuple completed_orbits(self, int n_orbits_before)
    cdef object after_input(self, int n_orbits_before, bint was_live)
