# Who wins, and how often, when some of the cards of a deal are known and the rest is dealt in every way or at random.
from homegame_engine.completions cimport CardGroup, Completions, Deal, Draws, Layout
from homegame_engine.hand_state cimport GameDef
from homegame_engine.limits cimport MAX_SEATS
from homegame_engine.pair_ranks cimport PairRanks
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    POT_UNITS = 5040     # Of one pot: it and its halves divide by any number of hands up to ten.

# What came out of the deals so far; every number is one of deals, or of units of their pots.
cdef struct Tally:
    int64_t n_deals
    int64_t n_without_low                # No hand had a low, so that the high hand took all.
    int64_t n_unawarded                  # No hand was good enough to win (GAME-DC-06).
    int64_t n_sharing[MAX_SEATS + 1]     # By the number of hands that tied for the pot, or for its high half.
    int64_t n_wins[MAX_SEATS]            # The whole pot, alone.
    int64_t n_ties[MAX_SEATS]            # A part of it.
    int64_t high_units[MAX_SEATS]        # Of the pot or its high half.
    int64_t low_units[MAX_SEATS]         # Of its low half.
    bint sums_squares                    # Whether deals count once each, so that the squares fit.
    int64_t square_units[MAX_SEATS]      # Squares of what a hand got of one pot.

# The hands of one deal as the game ranks them.
cdef struct Ranks:
    int32_t high[MAX_SEATS]
    int32_t low[MAX_SEATS]

# Adds one deal that counts `weight` times.
cdef void tally_deal(Tally* tally, const GameDef* game, const Ranks* ranks, int32_t n_players, int64_t weight) noexcept nogil

cdef class Odds:
    cdef GameDef game
    cdef Layout layout
    cdef Completions completions
    cdef Deal known                          # What is known, each hand being one of those that it may be.
    cdef Tally tally
    cdef Ranks ranks
    cdef uint64_t dead_mask
    cdef int32_t n_players
    cdef int32_t last_groups[MAX_SEATS]      # The last group that a player's hand depends on; -1 if all its cards are known.
    cdef list alternatives                   # For each player the hands that it may hold, CARD_UNKNOWN where a card is not known.
    cdef int mode                            # 0: nothing is counted yet; COUNTING or SAMPLING.
    cdef readonly object n_deals
    cdef readonly object n_evaluations
    # Every deal:
    cdef list starts                         # What remains to be walked: (weight, hands); None where there are too many.
    cdef int64_t start_weight                # How many alike the walk under way stands for.
    cdef CardGroup paired                    # The last hand's two unknown cards, where a table stands for its walk.
    cdef PairRanks* pairs                    # That table, else NULL.
    cdef bint has_pairs                      # Whether it is filled for the current board.
    # At random:
    cdef uint64_t seed
    cdef uint64_t common_mask                # Cards of the board and dead ones.
    cdef const uint8_t[:, ::1] hands         # Of all players, one after another.
    cdef const uint64_t[::1] hand_masks
    cdef int32_t first_hands[MAX_SEATS + 1]  # Where those of a player begin in `hands`.

    cdef int32_t find_starts(self) except -1
    cdef int32_t begin(self, int64_t weight, tuple start) except -1
    cdef int32_t begin_next(self) except -1
    cdef int32_t pair_up(self) except -1
    cdef tuple size(self)
    cdef void rank_player(self, int32_t player) noexcept nogil
    cdef void rank_changed(self, int32_t changed) noexcept nogil
    cdef int64_t walk(self, int64_t n_evaluations) noexcept nogil
    cdef int64_t walk_pairs(self, int64_t n_evaluations) noexcept nogil
    cdef int64_t fill_pairs(self) noexcept nogil
    cdef void tally_pairs(self) noexcept nogil
    cdef int32_t begin_samples(self) except -1
    cdef int32_t draw_hands(self, Draws* draws) noexcept nogil
    cdef int64_t draw(self, int64_t n_samples) noexcept nogil
    cdef int32_t enter(self, int mode) except -1
    cdef object player_odds(self, int32_t player)
