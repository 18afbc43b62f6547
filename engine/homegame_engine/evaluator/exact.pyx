# cython: language_level=3
"""Exactly two private and three common cards: Omaha and what is like it.

Four private and five common cards make sixty hands. What the ranks of a pair and of a triple make together stands in one table
of 91 x 455 answers (91 pairs of ranks, 455 triples, order aside), which fits a processor's second cache: so a hand costs
sixty look-ups at indices that are worked out sixteen times. Suits matter only where two private and three common cards share
one.

The table is filled from the evaluators of five cards when this module is imported. No rule of ranking stands here.
"""

from homegame_engine.evaluator.high cimport rank_high
from homegame_engine.evaluator.low cimport rank_low
from homegame_engine.evaluator.ranking cimport (
    RANKING_ACE_TO_FIVE,
    RANKING_DEUCE_TO_SEVEN,
    RANKING_HIGH,
)
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

cdef enum:
    N_RANKS = 13
    N_PAIRS = 91            # Multisets of two ranks.
    N_TRIPLES = 455         # Multisets of three ranks.
    N_RANKINGS = 5          # RANKING_NONE to RANKING_DEUCE_TO_SEVEN.
    N_HOLE_MAX = 7
    N_BOARD_MAX = 10
    N_HOLE_PAIRS_MAX = 21
    N_BOARD_TRIPLES_MAX = 120
    # Added to the counts of four suits, four bits each, these set the top bit at two and at three cards.
    TWO_OF_A_SUIT = 0x6666
    THREE_OF_A_SUIT = 0x5555
    TOP_BITS = 0x8888

# Where the answers of a pair and of a triple begin, by their ranks in any order.
cdef uint16_t[N_RANKS * N_RANKS] PAIR_PLACES
cdef int32_t[N_RANKS * N_RANKS * N_RANKS] TRIPLE_PLACES
# Hand rank by ranking, triple and pair, as if no flush were possible; 0 for five of a rank.
cdef uint16_t[N_RANKINGS][N_TRIPLES * N_PAIRS] ANSWERS


cdef inline int32_t rank_five(int32_t ranking, const uint8_t* five) noexcept nogil:
    return rank_high(five, 5) if ranking == RANKING_HIGH else rank_low(ranking, five, 5)


cdef void fill_places() noexcept nogil:
    """Numbers pairs and triples; the first order of ranks that comes gives the number."""
    cdef int32_t i, j, k, n_pairs = 0, n_triples = 0
    for i in range(N_RANKS):
        for j in range(i + 1):
            PAIR_PLACES[i * N_RANKS + j] = PAIR_PLACES[j * N_RANKS + i] = <uint16_t>n_pairs
            n_pairs += 1
            for k in range(j + 1):
                place_triple(i, j, k, n_triples * N_PAIRS)
                place_triple(j, k, i, n_triples * N_PAIRS)
                place_triple(k, i, j, n_triples * N_PAIRS)
                n_triples += 1


cdef void place_triple(int32_t i, int32_t j, int32_t k, int32_t place) noexcept nogil:
    TRIPLE_PLACES[(i * N_RANKS + j) * N_RANKS + k] = place
    TRIPLE_PLACES[(i * N_RANKS + k) * N_RANKS + j] = place


cdef void fill_answers() noexcept nogil:
    cdef uint8_t[5] five
    cdef int32_t[5] ranks
    cdef int32_t ranking, triple, pair, i, place
    for triple in range(N_RANKS * N_RANKS * N_RANKS):
        for pair in range(N_RANKS * N_RANKS):
            ranks[0], ranks[1], ranks[2] = triple // 169, triple // 13 % 13, triple % 13
            ranks[3], ranks[4] = pair // 13, pair % 13
            if ranks[0] < ranks[1] or ranks[1] < ranks[2] or ranks[3] < ranks[4]:
                continue
            if ranks[0] == ranks[2] and ranks[0] == ranks[3] and ranks[0] == ranks[4]:
                continue
            # Suits in turn, so that no flush is made.
            for i in range(5):
                five[i] = <uint8_t>(4 * ranks[i] + i % 4)
            place = TRIPLE_PLACES[triple] + PAIR_PLACES[pair]
            for ranking in range(RANKING_HIGH, RANKING_DEUCE_TO_SEVEN + 1):
                ANSWERS[ranking][place] = <uint16_t>rank_five(ranking, five)


fill_places()
fill_answers()


cdef inline uint32_t count_suits(const uint8_t* cards, int32_t n_cards) noexcept nogil:
    """Cards of each suit, four bits a suit."""
    cdef uint32_t counts = 0
    cdef int32_t i
    for i in range(n_cards):
        counts += <uint32_t>1 << 4 * (cards[i] & 3)
    return counts


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


cdef int32_t rank_flushes(
    const uint8_t* hole, int32_t n_hole, const uint8_t* board, int32_t n_board, uint32_t suits
) noexcept nogil:
    """Best high hand of five of a suit; `suits` are those of which there are enough, by their top bits."""
    cdef uint8_t[N_HOLE_MAX] suited_hole
    cdef uint8_t[N_BOARD_MAX] suited_board
    cdef int32_t best = 0, suit = 0, n_suited_hole, n_suited_board
    while suits:
        if suits & 8:
            n_suited_hole = take_suit(hole, n_hole, suit, suited_hole)
            n_suited_board = take_suit(board, n_board, suit, suited_board)
            best = max(best, rank_all_fives(RANKING_HIGH, suited_hole, n_suited_hole, suited_board, n_suited_board))
        suits >>= 4
        suit += 1
    return best


cdef inline int32_t best_answer(
    const uint16_t* answers, const uint8_t* hole, int32_t n_hole, const uint8_t* board, int32_t n_board
) noexcept nogil:
    """Best hand as if no flush were possible; unrolled where the numbers of cards are literals."""
    cdef int32_t[N_HOLE_PAIRS_MAX] pairs
    cdef const uint16_t* row
    cdef int32_t best = 0, n_pairs = 0, i, j, k, p, two
    for i in range(1, n_hole):
        for j in range(i):
            pairs[n_pairs] = PAIR_PLACES[(hole[i] >> 2) * N_RANKS + (hole[j] >> 2)]
            n_pairs += 1
    for i in range(2, n_board):
        for j in range(1, i):
            two = ((board[i] >> 2) * N_RANKS + (board[j] >> 2)) * N_RANKS
            for k in range(j):
                row = answers + TRIPLE_PLACES[two + (board[k] >> 2)]
                for p in range(n_pairs):
                    best = max(best, <int32_t>row[pairs[p]])
    return best


cdef inline int32_t rank_cards(
    int32_t ranking, const uint8_t* hole, int32_t n_hole, const uint8_t* board, int32_t n_board
) noexcept nogil:
    cdef uint32_t suits
    cdef int32_t best
    if ranking != RANKING_ACE_TO_FIVE:
        suits = (count_suits(hole, n_hole) + TWO_OF_A_SUIT) & (count_suits(board, n_board) + THREE_OF_A_SUIT) & TOP_BITS
        if suits:
            if ranking != RANKING_HIGH:
                return rank_all_fives(ranking, hole, n_hole, board, n_board)
            best = rank_flushes(hole, n_hole, board, n_board, suits)
            return max(best, best_answer(ANSWERS[ranking], hole, n_hole, board, n_board))
    return best_answer(ANSWERS[ranking], hole, n_hole, board, n_board)


cdef int32_t rank_two_and_three(
    int32_t ranking, const uint8_t* hole, int32_t n_hole, const uint8_t* board, int32_t n_board
) noexcept nogil:
    if n_hole == 4 and n_board == 5:
        return rank_cards(ranking, hole, 4, board, 5)
    return rank_cards(ranking, hole, n_hole, board, n_board)


cdef void rank_two_and_three_rows(
    int32_t ranking,
    int32_t least_rank,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_hole,
    int32_t* hand_ranks,
) noexcept nogil:
    cdef int32_t n_cards = n_hole + 5
    cdef const uint8_t* hole
    cdef int32_t hand_rank
    cdef Py_ssize_t i
    for i in range(n_hands):
        hole = cards + i * n_cards
        hand_rank = rank_two_and_three(ranking, hole, n_hole, hole + n_hole, 5)
        hand_ranks[i] = hand_rank if hand_rank >= least_rank else 0
