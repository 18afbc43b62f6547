# cython: language_level=3
"""Loops that do the least. See floors.pxd."""

from homegame_engine.betting cimport (
    ACTION_CALL,
    ACTION_FOLD,
    ACTION_RAISE,
    Action,
    Betting,
)
from homegame_engine.limits cimport DECK_CARDS_MAX
from homegame_sim.hand_loop cimport choose_at_random, shuffle_top
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from homegame_engine.errors import InputError

cdef enum:
    N_DECK_CARDS = 52
    N_CARDS_MAX = 7


cdef uint64_t sum_bytes(const uint8_t* data, Py_ssize_t n_bytes) noexcept nogil:
    cdef uint64_t total = 0
    cdef Py_ssize_t i
    for i in range(n_bytes):
        total += data[i]
    return total


cdef uint64_t sum_combinations(
    uint64_t total, int32_t first, int32_t n_chosen, int32_t n_cards, const uint64_t* keys
) noexcept nogil:
    cdef int32_t last = N_DECK_CARDS - (n_cards - n_chosen)
    cdef int32_t card
    cdef uint64_t found = 0
    if n_chosen + 1 < n_cards:
        for card in range(first, last + 1):
            found += sum_combinations(total + keys[card], card + 1, n_chosen + 1, n_cards, keys)
    else:
        for card in range(first, last + 1):
            found += total + keys[card]
    return found


cdef uint64_t deal_and_decide(int64_t n_hands, int32_t n_cards, int64_t n_decisions, uint64_t seed) noexcept nogil:
    cdef uint8_t deck[DECK_CARDS_MAX]
    cdef Betting betting
    cdef Action action
    cdef int64_t n, decided = 0
    cdef int32_t i
    cdef uint64_t total = 0
    memset(&betting, 0, sizeof(betting))
    memset(&action, 0, sizeof(action))
    # A turn at which everything is open at one price, so that a decision costs the draw and nothing else.
    betting.turn.kinds = 1u << ACTION_FOLD | 1u << ACTION_CALL | 1u << ACTION_RAISE
    betting.turn.call_chips = 1
    betting.offer.least_to_chips = 2
    betting.offer.most_to_chips = 2
    betting.stack_chips[0] = 2
    for i in range(DECK_CARDS_MAX):
        deck[i] = <uint8_t>i
    for n in range(n_hands):
        shuffle_top(&seed, deck, DECK_CARDS_MAX, n_cards)
        total += deck[0]
        while decided * n_hands < n_decisions * (n + 1):
            choose_at_random(&seed, &betting, &action)
            total += <uint64_t>action.kind
            decided += 1
    return total


# --- Python skin ------------------------------------------------------------------------------------------------------------


def add_bytes(const uint8_t[:, ::1] cards not None):
    cdef uint64_t total = 0
    if cards.shape[0] > 0 and cards.shape[1] > 0:
        with nogil:
            total = sum_bytes(&cards[0, 0], cards.shape[0] * cards.shape[1])
    return total


def empty_call(cards):
    return 0


def add_combinations(int32_t n_cards):
    cdef uint64_t keys[N_DECK_CARDS]
    cdef uint64_t total
    cdef int32_t card
    if not 1 <= n_cards <= N_CARDS_MAX:
        raise InputError(f"expected 1 to 7 cards, got {n_cards}", field="n_cards")
    for card in range(N_DECK_CARDS):
        keys[card] = <uint64_t>card + 1
    with nogil:
        total = sum_combinations(0, 0, 0, n_cards, keys)
    return total


def deal_and_draw(*, int64_t n_hands, int32_t n_cards, int64_t n_decisions, uint64_t seed=1):
    cdef uint64_t total
    if n_hands < 1 or not 0 <= n_cards <= DECK_CARDS_MAX or n_decisions < 0 or seed == 0:
        raise InputError("expected at least one hand, 0 to 54 cards, no fewer than 0 decisions, and a seed above 0")
    with nogil:
        total = deal_and_decide(n_hands, n_cards, n_decisions, seed)
    return total
