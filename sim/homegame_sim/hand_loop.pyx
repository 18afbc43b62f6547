# cython: language_level=3
"""Loops that do nothing but play. See hand_loop.pxd."""

from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_BET,
    AMOUNT_TO,
    Action,
    Legal,
    read_betting_rules,
)
from homegame_engine.game_def cimport read_deal_rules, read_game, read_showdown_rules
from homegame_engine.hand cimport hand_apply, hand_start, place_game_blinds
from homegame_engine.hand_state cimport Blinds, HandCore, PHASE_OVER
from homegame_engine.limits cimport MAX_SEATS
from homegame_engine.session cimport (
    SessionCore,
    read_session_definition,
    session_apply,
    session_begin,
    session_start_hand,
)
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from typing import NamedTuple

from homegame_engine.errors import InputError, InvariantError


class LoopCounts(NamedTuple):
    """What a loop played. See hand_loop.pyi."""

    hands: int
    actions: int
    checksum: int


cdef inline uint64_t step(uint64_t* state) noexcept nogil:
    state[0] ^= state[0] >> 12
    state[0] ^= state[0] << 25
    state[0] ^= state[0] >> 27
    return state[0] * <uint64_t>2685821657736338717


cdef inline int64_t random_below(uint32_t bits, int64_t n) noexcept nogil:
    # A number below n, at most 2^31, from 32 random bits. Biased by less than n / 2^32, which no speed depends on.
    return (<int64_t>bits * n) >> 32


cdef inline void swap_cards(uint8_t* deck, int32_t i, uint32_t bits) noexcept nogil:
    """Fisher-Yates: what comes to position i is any of the cards from there on."""
    cdef int64_t j = i + random_below(bits, 52 - i)
    cdef uint8_t card = deck[i]
    deck[i] = deck[j]
    deck[j] = card


cdef void shuffle_top(uint64_t* state, uint8_t* deck, int32_t n_cards) noexcept nogil:
    cdef uint64_t word
    cdef int32_t i
    # Each word of the generator waits for the one before, so it pays to use both halves. An odd number shuffles one card more.
    for i in range(0, n_cards, 2):
        word = step(state)
        swap_cards(deck, i, word >> 32)
        swap_cards(deck, i + 1, <uint32_t>word)


# For each set of kinds below 8 how many it holds, and which, from low to high: betting and showdown leave three open at most.
cdef uint8_t KINDS_OPEN[256][4]


cdef void list_kinds() noexcept nogil:
    cdef uint32_t kinds
    cdef int32_t kind
    for kinds in range(256):
        KINDS_OPEN[kinds][0] = 0
        for kind in range(8):
            if kinds >> kind & 1 and KINDS_OPEN[kinds][0] < 3:
                KINDS_OPEN[kinds][0] += 1
                KINDS_OPEN[kinds][KINDS_OPEN[kinds][0]] = <uint8_t>kind


list_kinds()


cdef void choose_at_random(uint64_t* state, const Legal* legal, Action* action) noexcept nogil:
    # One word a decision, its halves for the kind and for the amount. Both are picked by arithmetic, since a branch on what is
    # random would be guessed wrong every other time.
    cdef uint64_t word = step(state)
    cdef const uint8_t* kinds = KINDS_OPEN[legal.kinds & 0xFF]
    cdef int64_t n_amounts = legal.raise_to_max_chips - legal.raise_to_min_chips + 1
    cdef int64_t wager_chips = legal.raise_to_min_chips + random_below(<uint32_t>word, n_amounts)
    cdef int64_t wager_mask
    action.kind = kinds[1 + random_below(word >> 32, kinds[0])]
    action.amount_form = AMOUNT_TO        # Ignored where the kind takes no amount.
    wager_mask = -<int64_t>(action.kind >= ACTION_BET)
    action.amount_chips = legal.call_chips ^ ((legal.call_chips ^ wager_chips) & wager_mask)


cdef int32_t play_hands(
    HandCore* h, int64_t n_hands, int64_t stack_chips, int32_t n_cards, uint64_t seed, Counts* counts
) noexcept nogil:
    cdef Blinds blinds
    cdef Action action
    cdef int64_t n
    cdef int32_t seat
    memset(&action, 0, sizeof(action))
    for seat in range(52):
        h.deck[seat] = <uint8_t>seat
    for n in range(n_hands):
        shuffle_top(&seed, h.deck, n_cards)
        for seat in range(h.n_seats):
            h.betting.stack_chips[seat] = stack_chips
        h.button = <int32_t>(n % h.n_seats)
        h.dead_chips = 0
        blinds = place_game_blinds(h, h.betting.rules.small_blind_chips, h.betting.rules.big_blind_chips)
        hand_start(h, &blinds, NULL, NULL, NULL)
        while h.phase != PHASE_OVER:
            choose_at_random(&seed, &h.betting.legal, &action)
            if hand_apply(h, h.actor, &action, NULL) != ACCEPTED:
                return -1
            counts.n_actions += 1
        counts.n_hands += 1
        counts.checksum += h.betting.stack_chips[0] * (1 + n % 7)
    return 0


cdef int32_t play_sessions(
    SessionCore* s, int64_t n_hands, int32_t hands_per_session, int32_t n_cards, uint64_t seed, Counts* counts
) noexcept nogil:
    """Sessions of rotation blocks: each of a block's sessions gives the first button to another seat."""
    cdef uint8_t deck[52]
    cdef Action action
    cdef int32_t seat, n, rotation = 0
    cdef uint32_t everybody = (1u << s.n_seats) - 1
    memset(&action, 0, sizeof(action))
    for seat in range(52):
        deck[seat] = <uint8_t>seat
    while counts.n_hands < n_hands:
        session_begin(s, everybody, rotation)
        rotation = rotation + 1 if rotation + 1 < s.n_seats else 0
        for n in range(hands_per_session):
            shuffle_top(&seed, deck, n_cards)
            if session_start_hand(s, n, deck, NULL) != ACCEPTED:
                break                                               # One player holds everything.
            while s.hand_is_live:
                choose_at_random(&seed, &s.hand.betting.legal, &action)
                if session_apply(s, s.hand.actor, &action, NULL) != ACCEPTED:
                    return -1
                counts.n_actions += 1
            counts.n_hands += 1
        for seat in range(s.n_seats):
            counts.checksum += s.stack_chips[seat] * (1 + seat)
    return 0


# --- Python skin ------------------------------------------------------------------------------------------------------------


def play_random_hands(game, rules, *, int64_t n_hands, int n_seats=6, int64_t stack_chips=200, uint64_t seed=1):
    cdef HandCore h
    cdef Counts counts
    cdef int32_t n_cards, outcome
    memset(&h, 0, sizeof(h))
    memset(&counts, 0, sizeof(counts))
    if not 2 <= n_seats <= MAX_SEATS or n_hands < 1 or stack_chips < 1 or seed == 0:
        raise InputError("expected 2 to 10 seats, at least one hand, one chip, and a seed above 0", field="n_seats")
    read_game(game, rules, &h.game)
    read_betting_rules(rules, &h.betting.rules)
    read_showdown_rules(game, rules, &h.showdown)
    read_deal_rules(rules, &h.deal)
    h.n_seats = n_seats
    h.n_deck_cards = 52
    h.dealt_mask = (1u << n_seats) - 1
    n_cards = min(52, n_seats * game.hole_card_count + game.board_card_count + sum(rules.burns))
    with nogil:
        outcome = play_hands(&h, n_hands, stack_chips, n_cards, seed, &counts)
    if outcome != 0:
        raise InvariantError("a legal action was refused")
    return LoopCounts(counts.n_hands, counts.n_actions, counts.checksum)


def play_random_sessions(
    format_spec, game, house, *, int64_t n_hands, int n_seats=6, int hands_per_session=24, uint64_t seed=1
):
    cdef SessionCore s
    cdef Counts counts
    cdef int32_t n_cards, outcome
    memset(&s, 0, sizeof(s))
    memset(&counts, 0, sizeof(counts))
    if not 2 <= n_seats <= MAX_SEATS or n_hands < 1 or hands_per_session < 1 or seed == 0:
        raise InputError("expected 2 to 10 seats, at least one hand, and a seed above 0", field="n_seats")
    read_session_definition(format_spec, game, house, &s.definition)
    s.n_seats = n_seats
    s.cutoff_at_ms = INT64_MAX
    n_cards = min(52, n_seats * game.hole_card_count + game.board_card_count + sum(house.burns))
    with nogil:
        outcome = play_sessions(&s, n_hands, hands_per_session, n_cards, seed, &counts)
    if outcome != 0:
        raise InvariantError("a legal action was refused")
    return LoopCounts(counts.n_hands, counts.n_actions, counts.checksum)
