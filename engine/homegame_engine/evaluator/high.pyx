# cython: language_level=3
"""The high evaluator: what the best five of five, six or seven cards are worth.

One 64-bit key a card is added up. The sum says how many cards each suit has and which ranks there are,
so a hand costs one addition a card and two look-ups; a flush, which three hands in a hundred hold, is
read from the ranks of its suit. `engine/tools/rank_hash.py` explains the key, `generate_high_tables.py`
beside it writes the tables.

This module knows no game: which cards a player may combine is decided by the caller, and wild cards
are not known here.
"""

import itertools
import operator
from typing import NamedTuple

cimport cython
from cpython.ref cimport PyObject
from homegame_engine.evaluator.keys cimport (
    COUNT_MASK,
    COUNT_SHIFT,
    FLUSH_BITS,
    HIGH_DISPLACEMENTS_6,
    KEY_START,
    add_card,
    bucket_of,
    low_bits_of,
    ranks_in_suit,
    slot_of_five,
    slot_of_seven,
    suit_of_flush,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t, uintptr_t

import numpy as np

from homegame_engine.errors import InputError

cdef extern from "high_tables.h" nogil:
    const uint16_t[] HIGH_FLUSH_RANKS
    const uint16_t[] HIGH_RANKS_5
    const uint16_t[] HIGH_RANKS_6
    const uint16_t[] HIGH_RANKS_7

# With borrowed references: the tuple keeps its items alive while they are read.
cdef extern from "Python.h":
    Py_ssize_t PyTuple_GET_SIZE(object row)
    PyObject* PyTuple_GET_ITEM(object row, Py_ssize_t i)
    bint PyLong_CheckExact(PyObject* item)
    long PyLong_AsLong(PyObject* item)
    void PyErr_Clear()

cdef enum:
    N_CARDS_MIN = 5
    N_CARDS_MAX = 7
    N_DECK_CARDS = 52
    N_HAND_RANKS = 0xA000  # Ten categories of 1 << CATEGORY_SHIFT ranks.
    CARD_OBJECT_BYTES = 32  # Of a small integer in CPython.


cdef inline int32_t rank_of_ranks(uint64_t key, int32_t n_cards) noexcept nogil:
    """Hand rank of a key that has no flush; exactly one of the tables by number of cards."""
    if n_cards == 7:
        return HIGH_RANKS_7[slot_of_seven(key)]
    if n_cards == 6:
        return HIGH_RANKS_6[HIGH_DISPLACEMENTS_6[bucket_of(key)] + low_bits_of(key)]
    return HIGH_RANKS_5[slot_of_five(key)]


cdef int32_t rank_of_flush(
    uint64_t key, const uint8_t* cards, int32_t n_cards
) noexcept nogil:
    """Hand rank of cards that hold five of a suit.

    Nothing else can beat it: seven cards with five of a suit have five different ranks, which leaves no
    room for a full house or four of a kind. A straight counts only inside the suit (RANK-HI-02).
    """
    return HIGH_FLUSH_RANKS[ranks_in_suit(cards, n_cards, suit_of_flush(key & FLUSH_BITS))]


cdef inline int32_t rank_cards(const uint8_t* cards, int32_t n_cards, uint64_t* key) noexcept nogil:
    """Hand rank of the cards; `key` receives their sum."""
    cdef uint64_t total = KEY_START
    cdef int32_t i
    for i in range(n_cards):
        total = add_card(total, cards[i])
    key[0] = total
    if total & FLUSH_BITS:
        return rank_of_flush(total, cards, n_cards)
    return rank_of_ranks(total, n_cards)


cdef int32_t rank_high(const uint8_t* cards, int32_t n_cards) noexcept nogil:
    cdef uint64_t key
    return rank_cards(cards, n_cards, &key)


cdef int32_t rank_high_if_natural(const uint8_t* cards, int32_t n_cards) noexcept nogil:
    cdef uint64_t key
    cdef int32_t hand_rank = rank_cards(cards, n_cards, &key)
    return hand_rank if <int32_t>(key >> COUNT_SHIFT & COUNT_MASK) == n_cards else 0


cdef inline uint64_t rank_rows(
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_cards,
    int32_t* hand_ranks,  # OUT, n_hands long
) noexcept nogil:
    """Ranks hands that lie one after another; not 0 if some code is no card.

    The caller passes `n_cards` as a literal, so that the compiler unrolls the additions and drops the
    choice of table.
    """
    cdef uint64_t key
    cdef uint64_t wrong = 0
    cdef Py_ssize_t i
    for i in range(n_hands):
        hand_ranks[i] = rank_cards(cards + i * n_cards, n_cards, &key)
        # A code that is no card was not counted.
        wrong |= key >> COUNT_SHIFT & COUNT_MASK ^ <uint64_t>n_cards
    return wrong


cdef uint64_t rank_high_rows(
    const uint8_t* cards, Py_ssize_t n_hands, int32_t n_cards, int32_t* hand_ranks
) noexcept nogil:
    if n_cards == 7:
        return rank_rows(cards, n_hands, 7, hand_ranks)
    if n_cards == 6:
        return rank_rows(cards, n_hands, 6, hand_ranks)
    return rank_rows(cards, n_hands, 5, hand_ranks)


cdef void count_from(
    uint64_t key,
    uint8_t* cards,       # IN OUT, the cards chosen so far
    int32_t n_chosen,
    int32_t n_cards,
    int64_t* counts,      # IN OUT, N_HAND_RANKS long
) noexcept nogil:
    """Counts every hand of `n_cards` that completes the chosen cards with higher ones."""
    cdef int32_t card = cards[n_chosen - 1] + 1 if n_chosen else 0
    cdef int32_t last = N_DECK_CARDS - (n_cards - n_chosen)
    cdef uint64_t total
    while card <= last:
        cards[n_chosen] = <uint8_t>card
        total = add_card(key, <uint8_t>card)
        if n_chosen + 1 < n_cards:
            count_from(total, cards, n_chosen + 1, n_cards, counts)
        elif total & FLUSH_BITS:
            counts[rank_of_flush(total, cards, n_cards)] += 1
        else:
            counts[rank_of_ranks(total, n_cards)] += 1
        card += 1


# The Python face: what the cores take for granted is checked here.

CATEGORIES = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "five_of_a_kind",
)

RANK_WORDS = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace",
)


class HighHand(NamedTuple):
    """A high hand in words. `best_cards` are the five that play, the deciding ones first."""

    hand_rank: int
    category: str
    text: str
    best_cards: tuple[int, ...]


cdef int32_t refuse_cards(object cards) except -1:
    """Says what is wrong with cards that are not five to seven different codes 0..51."""
    if not N_CARDS_MIN <= len(cards) <= N_CARDS_MAX:
        raise InputError(f"expected 5 to 7 cards, got {len(cards)}", field="cards")
    for card in cards:
        if not isinstance(card, (int, np.integer)) or not 0 <= card < N_DECK_CARDS:
            raise InputError(f"{card} is no card that a high hand can hold", field="cards")
        if list(cards).count(card) > 1:
            raise InputError(f"card {card} occurs twice", field="cards")
    raise InputError("these are no cards", field="cards")


# CPython keeps one object for each small integer, side by side: then an address says which card it is, and the object need
# not be looked at. Found out below and not taken for granted; 0 where it is otherwise.
cdef uintptr_t first_card_address = 0


cdef void find_card_addresses():
    global first_card_address
    cards = list(range(N_DECK_CARDS))
    if all([id(card) == id(cards[0]) + card * CARD_OBJECT_BYTES for card in cards]):
        first_card_address = <uintptr_t>id(cards[0])


find_card_addresses()


# An address below the first one is meant to wrap around.
@cython.overflowcheck(False)
cdef inline uint64_t card_of(PyObject* item) noexcept:
    """The card code that an int holds; something above every card for anything else."""
    cdef uintptr_t offset = <uintptr_t>item - first_card_address
    cdef long card
    if offset < N_DECK_CARDS * CARD_OBJECT_BYTES and first_card_address:
        return offset // CARD_OBJECT_BYTES
    card = PyLong_AsLong(item) if PyLong_CheckExact(item) else -1
    PyErr_Clear()                            # Of a number beyond every C integer.
    return <uint64_t>card


cdef inline int32_t read_cards(object cards, uint8_t* codes) except -1:
    """Copies five to seven different cards into `codes` and returns how many they are."""
    cdef uint64_t seen = 0
    cdef uint64_t card
    cdef Py_ssize_t n_cards, i
    # A tuple of ints is what a fast caller gives; anything else is made one first.
    cdef tuple row = <tuple>cards if type(cards) is tuple else tuple([operator.index(card) for card in cards])
    n_cards = PyTuple_GET_SIZE(row)
    if not N_CARDS_MIN <= n_cards <= N_CARDS_MAX:
        refuse_cards(row)
    for i in range(n_cards):
        card = card_of(PyTuple_GET_ITEM(row, i))
        if card >= N_DECK_CARDS or seen >> card & 1:
            refuse_cards(row)
        seen |= <uint64_t>1 << card
        codes[i] = <uint8_t>card
    return <int32_t>n_cards


def evaluate(cards):
    """Rank a high hand.

    Args:
        cards: Five, six or seven different card codes 0..51, in any order.

    Returns:
        The hand rank of the best five: higher wins, equal ones tie.

    Raises:
        InputError: Too few or too many cards, a code that is no card, a card twice.

    Rules:
        RANK-HI-01, RANK-HI-02, RANK-HI-03, RANK-HI-04, RANK-HI-05.
    """
    cdef uint8_t codes[N_CARDS_MAX]
    cdef int32_t n_cards = read_cards(cards, codes)
    return rank_high(codes, n_cards)


def evaluate_batch(cards):
    """Rank many high hands of one size.

    Args:
        cards: uint8 array of shape (n, 5), (n, 6) or (n, 7): one hand a row, codes 0..51. The cards of
            a row must differ; this is not checked, because it would halve the speed.

    Returns:
        int32 array of n hand ranks.

    Raises:
        InputError: Another dtype or shape, or a code that is no card.

    Rules:
        RANK-HI-01, RANK-HI-02, RANK-HI-03, RANK-HI-04, RANK-HI-05.
    """
    if cards.dtype != np.uint8 or cards.ndim != 2:
        raise InputError("expected an array of dtype uint8 with one hand a row", field="cards")
    cdef const uint8_t[:, ::1] rows = np.ascontiguousarray(cards)
    cdef Py_ssize_t n_hands = rows.shape[0]
    cdef Py_ssize_t n_cards = rows.shape[1]
    cdef uint64_t wrong
    if not N_CARDS_MIN <= n_cards <= N_CARDS_MAX:
        raise InputError(f"expected 5 to 7 cards a row, got {n_cards}", field="cards")
    hand_ranks = np.empty(n_hands, dtype=np.int32)
    if n_hands == 0:
        return hand_ranks
    cdef int32_t[::1] out = hand_ranks
    with nogil:
        wrong = rank_high_rows(&rows[0, 0], n_hands, <int32_t>n_cards, &out[0])
    if wrong:
        row = int(np.argmax((cards >= N_DECK_CARDS).any(axis=1)))
        raise InputError("this row holds a code that is no card", field=f"cards[{row}]")
    return hand_ranks


def count_hand_ranks(n_cards):
    """Deal every hand of `n_cards` cards from 52 once and count the results.

    Args:
        n_cards: 5, 6 or 7 (2,598,960, 20,358,520 or 133,784,560 hands).

    Returns:
        int64 array: how many hands have the hand rank that is the index.

    Raises:
        InputError: Another number of cards.

    Rules:
        RANK-HI-01, RANK-HI-02.
    """
    if n_cards not in (5, 6, 7):
        raise InputError(f"expected 5 to 7 cards, got {n_cards}", field="n_cards")
    cdef uint8_t cards[N_CARDS_MAX]
    cdef int32_t size = n_cards
    counts = np.zeros(N_HAND_RANKS, dtype=np.int64)
    cdef int64_t[::1] out = counts
    with nogil:
        count_from(KEY_START, cards, 0, size, &out[0])
    return counts


def category(int32_t hand_rank):
    """Name the category of a hand rank, for example "full_house".

    Args:
        hand_rank: A value that an evaluator of high hands returned.

    Raises:
        InputError: No hand has this rank.

    Rules:
        RANK-HI-02.
    """
    if not 0 < hand_rank < N_HAND_RANKS:
        raise InputError(f"{hand_rank} is the rank of no high hand", field="hand_rank")
    return CATEGORIES[hand_rank >> CATEGORY_SHIFT]


def describe(cards):
    """Say what a high hand is, in words and by the cards that play.

    Two hands get the same text exactly if they tie. Where cards of one rank could stand for each other,
    those of the higher suit are named; suits decide nothing (RANK-HI-05).

    Args:
        cards: Five, six or seven different card codes 0..51, in any order.

    Returns:
        HighHand: for example the text "full house, threes full of tens".

    Raises:
        InputError: As `evaluate`.

    Rules:
        RANK-HI-01, RANK-HI-02, RANK-HI-04.
    """
    hand_rank = evaluate(cards)
    # The evaluator is asked, so that no rule of ranking is written here again.
    best = next(
        five
        for five in itertools.combinations(sorted(cards, reverse=True), 5)
        if evaluate(five) == hand_rank
    )
    ranks = [card >> 2 for card in best]
    best_cards = tuple(sorted(best, key=lambda card: (-ranks.count(card >> 2), -card)))
    kind = hand_rank >> CATEGORY_SHIFT
    if kind in (STRAIGHT, STRAIGHT_FLUSH) and [card >> 2 for card in best_cards[:2]] == [12, 3]:
        best_cards = best_cards[1:] + best_cards[:1]  # RANK-HI-03: five high, the ace is low.
    return HighHand(hand_rank, CATEGORIES[kind], _text_of(kind, best_cards), best_cards)


def _text_of(kind, best_cards):
    """Words for five cards of a known category, the deciding ones first."""
    words = [RANK_WORDS[card >> 2] for card in best_cards]
    name = CATEGORIES[kind].replace("_", " ")
    if kind == STRAIGHT_FLUSH and words[0] == "ace":
        return "royal flush"  # RANK-HI-02: a display name, not a category.
    if kind in (STRAIGHT, STRAIGHT_FLUSH):
        return f"{name}, {words[0]} high"
    if kind in (HIGH_CARD, FLUSH):
        return f"{name}, {' '.join(words)}"
    if kind == FULL_HOUSE:
        return f"{name}, {_plural(words[0])} full of {_plural(words[3])}"
    if kind == FOUR_OF_A_KIND:
        return f"{name}, {_plural(words[0])} with {words[4]}"
    if kind == THREE_OF_A_KIND:
        return f"{name}, {_plural(words[0])} with {' '.join(words[3:])}"
    if kind == TWO_PAIR:
        return f"{name}, {_plural(words[0])} and {_plural(words[2])} with {words[4]}"
    return f"{name}, {_plural(words[0])} with {' '.join(words[2:])}"


def _plural(word):
    """Several cards of a rank: "sixes", "tens"."""
    return word + ("es" if word.endswith("x") else "s")
