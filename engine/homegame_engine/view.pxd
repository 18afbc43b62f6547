# What one viewer may see: the only place where hidden cards are removed. Nothing else reads cards out of the engine for anybody.
# Rules: PROC-PRIV-01, PROC-SHOW-06, PROC-SHOW-07.
from homegame_engine.betting cimport Legal
from homegame_engine.hand_state cimport GameDef
from homegame_engine.limits cimport MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS
from homegame_engine.session cimport SessionCore
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

# A hand as one seat may see it: what compiled and numpy policies decide on.
cdef struct Observation:
    int32_t seat
    int32_t n_seats
    int32_t button
    int32_t small_blind_seat
    int32_t big_blind_seat
    int32_t street                        # 0 is the first betting round.
    int32_t phase                         # hand.Phase.
    int32_t hand_number
    int32_t n_board_cards
    int32_t n_hole_cards                  # Of the observing seat, now.
    int32_t n_wagers                      # Opening and full raises of this street.
    uint32_t live_mask
    uint32_t dealt_mask
    int64_t pot_chips                     # In the middle and before the seats.
    int64_t level_chips
    int64_t big_blind_chips
    int64_t stack_chips[MAX_SEATS]
    int64_t street_chips[MAX_SEATS]
    uint8_t board[MAX_BOARD_CARDS]
    uint8_t hole_cards[MAX_SEATS][MAX_HOLE_CARDS]   # CARD_HIDDEN where the seat may not see them.
    uint8_t n_seat_cards[MAX_SEATS]       # Private cards of each seat now, folded hands' too.
    uint8_t up_masks[MAX_SEATS]           # Bit i: private card i of the seat lies face up.
    uint8_t declared[MAX_SEATS]           # hand_state.Declaration once all are revealed; till then the observer's own alone.
    Legal legal
    const GameDef* game                   # What is played, which everybody knows; it lives as long as the session does.
    int32_t step                          # Index in game.steps.

# Fills `seen`  # OUT for `seat` of the live hand.
cdef void observe(const SessionCore* s, int32_t seat, Observation* seen) noexcept nogil
