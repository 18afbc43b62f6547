# cython: language_level=3
"""Loops that do nothing but play. See hand_loop.pxd."""

from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_BET,
    ACTION_RAISE,
    AMOUNT_TO,
    Action,
    Legal,
    read_betting_rules,
)
from homegame_engine.game_def cimport read_deal_rules, read_game, read_showdown_rules
from homegame_engine.hand cimport hand_apply, hand_start, place_game_blinds
from homegame_engine.hand_state cimport Blinds, HandCore, PHASE_OVER
from homegame_engine.limits cimport MAX_SEATS
from homegame_engine.masks cimport lowest_seat
from homegame_engine.session cimport (
    SessionCore,
    read_session_definition,
    session_apply,
    session_begin,
    session_start_hand,
)
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

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


cdef inline uint32_t random_below(uint64_t* state, uint32_t n) noexcept nogil:
    # Biased by less than n / 2^32, which no speed depends on.
    return <uint32_t>(((step(state) >> 32) * n) >> 32)


cdef void shuffle_top(uint64_t* state, uint8_t* deck, int32_t n_cards) noexcept nogil:
    cdef int32_t i, j
    cdef uint8_t card
    for i in range(n_cards):
        j = i + <int32_t>random_below(state, 52 - i)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


cdef void choose_at_random(uint64_t* state, const Legal* legal, Action* action) noexcept nogil:
    # Which of the legal kinds is picked by arithmetic, since a branch on it would be guessed wrong every other time.
    # Betting and showdown never leave more than three kinds open: kinds[i] is the mask without its i lowest.
    cdef uint32_t kinds[3]
    kinds[0] = legal.kinds
    kinds[1] = kinds[0] & (kinds[0] - 1)
    kinds[2] = kinds[1] & (kinds[1] - 1)
    action.kind = <uint8_t>lowest_seat(kinds[random_below(state, 1 + (kinds[1] != 0) + (kinds[2] != 0))])
    action.amount_form = AMOUNT_TO        # Ignored where the kind takes no amount.
    action.amount_chips = legal.call_chips
    if action.kind == ACTION_BET or action.kind == ACTION_RAISE:
        action.amount_chips = legal.raise_to_min_chips
        if legal.raise_to_max_chips > legal.raise_to_min_chips:
            action.amount_chips += random_below(state, <uint32_t>(legal.raise_to_max_chips - legal.raise_to_min_chips + 1))


cdef int32_t play_hands(
    HandCore* h, int64_t n_hands, int64_t stack_chips, int32_t n_cards, uint64_t seed, Counts* counts
) noexcept nogil:
    cdef uint8_t deck[52]
    cdef Blinds blinds
    cdef Action action
    cdef int64_t n
    cdef int32_t seat
    memset(&action, 0, sizeof(action))
    for seat in range(52):
        deck[seat] = <uint8_t>seat
    for n in range(n_hands):
        shuffle_top(&seed, deck, n_cards)
        memcpy(h.deck, deck, 52)
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
