# How often hands and boards of each kind come, when some cards are known and the rest is dealt in every way or at random.
from homegame_engine.completions cimport Completions, Deal, Layout
from homegame_engine.evaluator.ranking cimport RankingRule
from homegame_engine.hand_state cimport GameDef
from homegame_engine.pair_ranks cimport PairRanks
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    N_DECK_RANKS = 13

# The hands of one ranking: how often each hand rank came, and the first cards that gave it.
cdef class _RankCounts:
    cdef RankingRule rule
    cdef int64_t[::1] counts          # By hand rank; 0 is no hand.
    cdef uint8_t[:, ::1] examples     # By hand rank: private cards, then common ones.
    cdef void add(self, int32_t hand_rank, const Deal* deal, int64_t weight) noexcept nogil

cdef class HandFrequencies:
    cdef GameDef game
    cdef Layout layout
    cdef Completions completions
    cdef _RankCounts high
    cdef _RankCounts low               # None in a game without a low half.
    cdef PairRanks* pairs             # Where all four private cards are unknown and two of them play (GAME-OM-01); else NULL.
    cdef int64_t n_tallied
    cdef uint64_t seed
    cdef int mode                     # 0: nothing is counted yet; COUNTING or SAMPLING.
    cdef readonly object n_deals
    cdef readonly object n_evaluations
    cdef bint any_five_of_all(self) noexcept nogil
    cdef object cost(self)
    cdef void tally(self, int64_t weight) noexcept nogil
    cdef int64_t walk(self, int64_t n_evaluations) noexcept nogil
    cdef int64_t walk_pairs(self, int64_t n_evaluations) noexcept nogil
    cdef int64_t tally_fours(self, _RankCounts ranked) noexcept nogil

cdef class BoardFrequencies:
    cdef GameDef game
    cdef Completions completions
    cdef uint64_t low_candidates      # Cards that somebody may hold for a low, those of the board among them.
    cdef bint asks_for_low            # Whether the low has a qualifier and two private cards decide it.
    cdef int32_t n_board_cards
    cdef int64_t n_tallied
    cdef int64_t n_low_possible
    cdef int64_t n_with_rank[N_DECK_RANKS]
    cdef readonly object n_deals
    cdef readonly object n_evaluations
    cdef bint is_low_possible(self) noexcept nogil
    cdef int64_t walk(self, int64_t n_evaluations) noexcept nogil
