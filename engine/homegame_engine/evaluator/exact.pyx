# cython: language_level=3
"""Exactly two private and three of five common cards: Omaha and what is like it.

Four private cards and a board make sixty hands. But the ranks of a board (6,175 multisets) and of two private cards (91)
decide together what the best of ten hands is, as long as no flush is possible; these answers stand in one table for each
ranking, and a hand costs six look-ups in one row of it. Suits matter only where two private and three common cards share
one.

A ranking's table is filled from the evaluators of five cards when it is first asked for, which takes a few milliseconds.
No rule of ranking stands here.
"""

from homegame_engine.evaluator.high cimport rank_high
from homegame_engine.evaluator.keys cimport KEY_START, add_card, slot_of_five
from homegame_engine.evaluator.low cimport rank_low
from homegame_engine.evaluator.ranking cimport RANKING_ACE_TO_FIVE, RANKING_HIGH
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from "high_tables.h" nogil:
    enum:
        N_HIGH_SLOTS_5

# In C are the loop that is most of the filling, because a compiler makes vectors of it but not of what Cython writes, and a
# flag that threads share. Two threads may fill a table at once: both write the same, and the flag is set behind it.
cdef extern from *:
    """
    static inline void homegame_raise(uint16_t* best, const uint16_t* others, int n) {
        for (int i = 0; i < n; i++) best[i] = best[i] > others[i] ? best[i] : others[i];
    }
    static inline int homegame_is_set(const int* flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
    static inline void homegame_set(int* flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }
    """
    void homegame_raise(uint16_t* best, const uint16_t* others, int n) noexcept nogil
    bint homegame_is_set(const int* flag) noexcept nogil
    void homegame_set(int* flag) noexcept nogil

cdef enum:
    N_RANKS = 13
    N_PAIRS = 91            # Multisets of two ranks.
    N_TRIPLES = 455         # Multisets of three ranks.
    N_BOARDS = 6175         # Multisets of five ranks that a deck can hold.
    N_RANKINGS = 5          # RANKING_NONE to RANKING_DEUCE_TO_SEVEN.
    N_BOARD = 5
    N_HOLE_MAX = 7
    # Added to a sum of keys, whose suits count from 3 on the board and from 0 in the hole, these set the top bit of each suit
    # that has three common and two private cards.
    THREE_COMMON = 0x2222
    TWO_PRIVATE = 0x6666
    TOP_BITS = 0x8888

# Which of the pairs two ranks are, in either order.
cdef uint8_t[N_RANKS * N_RANKS] PAIR_PLACES
# Where the answers of a board begin, by the slot of its ranks.
cdef int32_t[N_HIGH_SLOTS_5] BOARD_ROWS
# Hand rank by ranking, board and pair, as if no flush were possible; and whether the table of a ranking is filled.
cdef uint16_t[N_RANKINGS][N_BOARDS * N_PAIRS] ANSWERS
cdef int[N_RANKINGS] FILLED


cdef inline int32_t rank_five(int32_t ranking, const uint8_t* five) noexcept nogil:
    return rank_high(five, 5) if ranking == RANKING_HIGH else rank_low(ranking, five, 5)


# --- Filling the tables -----------------------------------------------------------------------------------------------------


cdef inline int32_t place_of_pair(int32_t high, int32_t low) noexcept nogil:
    return high * (high + 1) // 2 + low


cdef inline int32_t place_of_triple(int32_t high, int32_t middle, int32_t low) noexcept nogil:
    return high * (high + 1) * (high + 2) // 6 + place_of_pair(middle, low)


cdef int32_t rank_of_ranks(int32_t ranking, int32_t i, int32_t j, int32_t k, int32_t a, int32_t b) noexcept nogil:
    """Hand rank of five ranks, i >= j >= k and a >= b, with suits that make no flush; 0 for five of a rank."""
    cdef uint8_t[5] five
    if i == k and a == b and i == a:
        return 0
    five[0] = <uint8_t>(4 * i)
    five[1] = <uint8_t>(4 * j + 1)
    five[2] = <uint8_t>(4 * k + 2)
    five[3] = <uint8_t>(4 * a + 3)
    five[4] = <uint8_t>(4 * b)
    return rank_five(ranking, five)


cdef void fill_pairs() noexcept nogil:
    cdef int32_t a, b
    for a in range(N_RANKS):
        for b in range(a + 1):
            PAIR_PLACES[a * N_RANKS + b] = PAIR_PLACES[b * N_RANKS + a] = <uint8_t>place_of_pair(a, b)


cdef void fill_triples(int32_t ranking, uint16_t* answers) noexcept nogil:
    """Hand rank of each triple with each pair."""
    cdef int32_t i, j, k, a, b
    for i in range(N_RANKS):
        for j in range(i + 1):
            for k in range(j + 1):
                for a in range(N_RANKS):
                    for b in range(a + 1):
                        answers[place_of_triple(i, j, k) * N_PAIRS + place_of_pair(a, b)] = (
                            <uint16_t>rank_of_ranks(ranking, i, j, k, a, b)
                        )


cdef void fill_board(const int32_t* ranks, const uint16_t* triples, uint16_t* row) noexcept nogil:
    """The best that each pair makes with three of five ranks, given in descending order."""
    cdef uint16_t[N_PAIRS] best
    cdef const uint16_t* answers
    cdef int32_t i, j, k
    memset(best, 0, sizeof(best))
    for i in range(N_BOARD):
        for j in range(i + 1, N_BOARD):
            for k in range(j + 1, N_BOARD):
                answers = triples + place_of_triple(ranks[i], ranks[j], ranks[k]) * N_PAIRS
                homegame_raise(best, answers, N_PAIRS)
    memcpy(row, best, sizeof(best))


cdef void fill_boards(const uint16_t* triples, uint16_t* answers) noexcept nogil:
    """Every board, in ascending order of its ranks from the top."""
    cdef int32_t[N_BOARD] ranks
    cdef uint64_t key
    cdef int32_t board = 0, i
    for i in range(N_BOARD):
        ranks[i] = 0
    while True:
        # Goes on to the next five ranks in descending order, the last rank first.
        i = N_BOARD - 1
        while i > 0 and ranks[i] == ranks[i - 1]:
            ranks[i] = 0
            i -= 1
        ranks[i] += 1
        if ranks[0] == N_RANKS:
            return
        if ranks[0] == ranks[N_BOARD - 1]:
            continue
        key = KEY_START
        for i in range(N_BOARD):
            key = add_card(key, <uint8_t>(4 * ranks[i]))
        BOARD_ROWS[slot_of_five(key)] = board * N_PAIRS
        fill_board(ranks, triples, answers + board * N_PAIRS)
        board += 1


cdef void fill_answers(int32_t ranking) noexcept nogil:
    cdef uint16_t[N_TRIPLES * N_PAIRS] triples
    fill_pairs()
    fill_triples(ranking, triples)
    fill_boards(triples, ANSWERS[ranking])
    homegame_set(&FILLED[ranking])


cdef inline const uint16_t* answers_of(int32_t ranking) noexcept nogil:
    if not homegame_is_set(&FILLED[ranking]):
        fill_answers(ranking)
    return ANSWERS[ranking]


# --- Hands ------------------------------------------------------------------------------------------------------------------


cdef int32_t rank_all_fives(
    int32_t ranking, const uint8_t* hole, int32_t n_hole, const uint8_t* board, int32_t n_board
) noexcept nogil:
    """Best of all fives, suits and all."""
    cdef uint8_t[5] five
    cdef int32_t best = 0, a, b, i, j, k
    for a in range(1, n_hole):
        five[0] = hole[a]
        for b in range(a):
            five[1] = hole[b]
            for i in range(2, n_board):
                five[2] = board[i]
                for j in range(1, i):
                    five[3] = board[j]
                    for k in range(j):
                        five[4] = board[k]
                        best = max(best, rank_five(ranking, five))
    return best


cdef inline int32_t take_suit(const uint8_t* cards, int32_t n_cards, int32_t suit, uint8_t* taken) noexcept nogil:
    """Copies the cards of a suit; returns how many."""
    cdef int32_t n_taken = 0, i
    for i in range(n_cards):
        if cards[i] & 3 == suit:
            taken[n_taken] = cards[i]
            n_taken += 1
    return n_taken


cdef int32_t rank_flush(const uint8_t* hole, int32_t n_hole, const uint8_t* board, uint32_t suits) noexcept nogil:
    """Best high hand of five of a suit; `suits` has the top bit of the one that five common cards can make."""
    cdef uint8_t[N_HOLE_MAX] suited_hole
    cdef uint8_t[N_BOARD] suited_board
    cdef int32_t suit = 0, n_suited_hole, n_suited_board
    while not suits & 8:
        suits >>= 4
        suit += 1
    n_suited_hole = take_suit(hole, n_hole, suit, suited_hole)
    n_suited_board = take_suit(board, N_BOARD, suit, suited_board)
    return rank_all_fives(RANKING_HIGH, suited_hole, n_suited_hole, suited_board, n_suited_board)


cdef inline int32_t rank_cards(
    int32_t ranking, const uint8_t* hole, int32_t n_hole, const uint8_t* board
) noexcept nogil:
    """Unrolled where `n_hole` is a literal."""
    cdef uint64_t board_key = KEY_START, hole_key = 0
    cdef const uint16_t* row
    cdef uint32_t suits
    cdef int32_t best = 0, i, j
    for i in range(N_BOARD):
        board_key = add_card(board_key, board[i])
    row = answers_of(ranking) + BOARD_ROWS[slot_of_five(board_key)]
    for i in range(n_hole):
        hole_key = add_card(hole_key, hole[i])
        for j in range(i):
            best = max(best, <int32_t>row[PAIR_PLACES[(hole[i] >> 2) * N_RANKS + (hole[j] >> 2)]])
    suits = <uint32_t>((board_key & 0xFFFF) + THREE_COMMON) & <uint32_t>((hole_key & 0xFFFF) + TWO_PRIVATE) & TOP_BITS
    # Straights are in the answers of every low; flushes are not, and they do not count under ACE_TO_FIVE (RANK-LO-01).
    if suits and ranking == RANKING_HIGH:
        return max(best, rank_flush(hole, n_hole, board, suits))
    if suits and ranking != RANKING_ACE_TO_FIVE:
        return rank_all_fives(ranking, hole, n_hole, board, N_BOARD)
    return best


cdef int32_t rank_two_and_three(
    int32_t ranking, const uint8_t* hole, int32_t n_hole, const uint8_t* board
) noexcept nogil:
    if n_hole == 4:
        return rank_cards(ranking, hole, 4, board)
    return rank_cards(ranking, hole, n_hole, board)


cdef void rank_two_and_three_rows(
    int32_t ranking,
    int32_t least_rank,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_hole,
    int32_t* hand_ranks,
) noexcept nogil:
    cdef int32_t n_cards = n_hole + N_BOARD
    cdef const uint8_t* hole
    cdef int32_t hand_rank
    cdef Py_ssize_t i
    for i in range(n_hands):
        hole = cards + i * n_cards
        hand_rank = rank_two_and_three(ranking, hole, n_hole, hole + n_hole)
        hand_ranks[i] = hand_rank if hand_rank >= least_rank else 0
