# cython: language_level=3
"""Loops that do nothing but play. See hand_loop.pxd."""

from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_BET,
    ACTION_BRING_IN,
    ACTION_DECLARE,
    AMOUNT_NONE,
    AMOUNT_TO,
    Action,
    Legal,
    Betting,
    Turn,
    WagerRange,
    read_betting_rules,
    turn_wagers,
)
from homegame_engine.game_def cimport count_needed_cards, read_deal_rules, read_game, read_showdown_rules
from homegame_engine.hand cimport hand_apply_turn, hand_judge, hand_legal, hand_start
from homegame_engine.hand_state cimport (
    DECLARED_LOW,
    HandCore,
    PHASE_CHOOSING,
    PHASE_BETTING,
    PHASE_OVER,
    PHASE_SHOWDOWN,
    hole_card,
)
from homegame_engine.limits cimport DECK_CARDS_MAX, MAX_SEATS
from homegame_engine.masks cimport lowest_seat
from homegame_engine.session cimport (
    SessionCore,
    read_session_definition,
    session_begin,
    session_end_hand,
    session_start_hand,
)
from homegame_sim.philox cimport multiply
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
cimport cython

from typing import NamedTuple

from homegame_engine.errors import InputError, InvariantError
from homegame_engine.game_checks import deck_cards, mix_orders_needed
from homegame_engine.specs import DrawCards
from homegame_engine.stakes import level_rules


cdef enum:
    N_KINDS = ACTION_BRING_IN + 1       # Of wagers and showdown; whatever else is chosen has a step of its own.
    N_KIND_SETS = 1 << N_KINDS
    N_PICKS = 12


class LoopCounts(NamedTuple):
    """What a loop played. See hand_loop.pyi."""

    hands: int
    actions: int
    checksum: int
    cards: int


@cython.overflowcheck(False)
cdef inline uint64_t step(uint64_t* state) noexcept nogil:
    """The next 64 random bits: a counter whose square, nearly, is folded. No word waits for the one before."""
    cdef uint64_t low
    cdef unsigned long long high
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    low = multiply(state[0], state[0] ^ <uint64_t>0xD1B54A32D192ED03, &high)
    return high ^ low


cdef inline int64_t random_below(uint32_t bits, int64_t n) noexcept nogil:
    # A number below n, at most 2^31, from 32 random bits. Biased by less than n / 2^32, which no speed depends on.
    return (<int64_t>bits * n) >> 32


cdef inline void swap_cards(uint8_t* cards, uint64_t n_left, uint64_t bits) noexcept nogil:
    """Fisher-Yates: what comes to the top of `n_left` cards is any of them, by 32 random bits."""
    cdef uint64_t i = bits * n_left >> 32
    cdef uint8_t card = cards[0]
    cards[0] = cards[i]
    cards[i] = card


cdef void shuffle_top(uint64_t* state, uint8_t* deck, int32_t n_deck_cards, int32_t n_cards) noexcept nogil:
    cdef uint64_t n_left = n_deck_cards
    cdef uint64_t word
    cdef int32_t _i
    # Both halves of a word are used. An odd number shuffles one card more.
    for _i in range(0, n_cards, 2):
        word = step(state)
        swap_cards(deck, n_left, word >> 32)
        swap_cards(deck + 1, n_left - 1, <uint32_t>word)
        deck += 2
        n_left -= 2


# For each set of kinds up to the bring-in which of them each of twelve equally likely numbers picks: betting and showdown leave
# at most four open, so every kind of a set has as many of the twelve as any other.
cdef uint8_t KINDS_PICKED[N_KIND_SETS][N_PICKS]


cdef void list_kinds() noexcept nogil:
    cdef uint8_t kinds_open[N_KINDS + 1]
    cdef int32_t kinds, kind, pick, n
    for kinds in range(1, N_KIND_SETS):
        n = 0
        for kind in range(N_KINDS):
            kinds_open[n] = <uint8_t>kind
            n += kinds >> kind & 1
        for pick in range(N_PICKS):
            KINDS_PICKED[kinds][pick] = kinds_open[pick % n]


list_kinds()


cdef inline void pick_action(uint64_t* state, const Betting* b, int32_t seat, const Turn* turn, Action* action) noexcept nogil:
    # One word a decision, its halves for the kind and for the amount.
    cdef uint64_t word = step(state)
    cdef WagerRange wagers
    action.kind = KINDS_PICKED[turn.kinds & (N_KIND_SETS - 1)][random_below(word >> 32, N_PICKS)]
    action.amount_form = AMOUNT_TO        # Ignored where the kind takes no amount.
    action.card_mask = 0
    action.amount_chips = turn.call_chips
    if action.kind >= ACTION_BET:
        wagers = turn_wagers(b, seat)
        action.amount_chips = wagers.least_chips + random_below(<uint32_t>word, wagers.most_chips - wagers.least_chips + 1)


cdef void choose_at_random(uint64_t* state, const Betting* b, Action* action) noexcept nogil:
    pick_action(state, b, b.actor, &b.turn, action)


cdef void choose_cards_at_random(uint64_t* state, const HandCore* h, Action* action) noexcept nogil:
    # Only one kind is open while something is chosen. Cards are picked one place after the other, by arithmetic as above.
    cdef uint64_t word = step(state)
    cdef Legal legal
    cdef int32_t n_left = h.n_hole_cards[h.actor], n_due, i
    cdef uint64_t is_picked
    hand_legal(h, h.actor, &legal)
    action.kind = <uint8_t>lowest_seat(legal.kinds)
    action.amount_form = AMOUNT_NONE
    action.card_mask = 0
    if action.kind == ACTION_DECLARE:
        action.amount_chips = DECLARED_LOW + random_below(<uint32_t>word, 3)
        return
    action.amount_chips = 0
    n_due = legal.choose_min + <int32_t>random_below(<uint32_t>word, legal.choose_max - legal.choose_min + 1)
    for i in range(n_left):
        if i & 1 == 0:
            word = step(state)
        is_picked = random_below(<uint32_t>word, n_left - i) < n_due
        word >>= 32
        action.card_mask |= is_picked << hole_card(h, h.actor, i)
        n_due -= <int32_t>is_picked


cdef inline int32_t play_round(uint64_t* state, HandCore* h) noexcept nogil:
    """Decisions and what they lead to, for as long as the hand bets; one choice or answer where it does not. A Refusal."""
    cdef Action action, chosen
    cdef Turn turn = h.betting.turn
    cdef int32_t refusal
    while h.phase == PHASE_BETTING:
        pick_action(state, &h.betting, h.actor, &turn, &action)
        refusal = hand_apply_turn(h, h.actor, &action, NULL, &turn)
        if refusal != ACCEPTED:
            return refusal
    if h.phase == PHASE_CHOOSING:
        choose_cards_at_random(state, h, &chosen)
    elif h.phase == PHASE_SHOWDOWN:
        pick_action(state, &h.betting, h.actor, &h.betting.turn, &chosen)
    else:
        return ACCEPTED
    return hand_judge(h, h.actor, &chosen, NULL)


cdef inline void shuffle(uint64_t* state, const LoopDeck* deck, uint8_t* cards, HandCore* h) noexcept nogil:
    """What a deal can reach of `cards`, and the orders of `h` for a stub that runs short: those that the hand before has used.

    An order that nobody came to is as good as a new one.
    """
    cdef int32_t i
    shuffle_top(state, cards, deck.n_cards, deck.n_reached)
    for i in range(min(h.n_mixes, h.n_mix_orders)):
        shuffle_top(state, h.mix_orders[i], deck.n_cards, deck.n_cards)


cdef int32_t play_hands(
    HandCore* h, const LoopDeck* deck, int64_t n_hands, int64_t stack_chips, uint64_t seed, Counts* counts
) noexcept nogil:
    cdef int64_t stacks[MAX_SEATS]
    cdef int64_t n
    cdef int32_t seat, button = 0
    for seat in range(MAX_SEATS):
        stacks[seat] = stack_chips if seat < h.n_seats else 0
    for n in range(n_hands):
        shuffle(&seed, deck, h.deck, h)
        memcpy(h.betting.stack_chips, stacks, sizeof(stacks))
        h.button = button
        button = button + 1 if button + 1 < h.n_seats else 0
        h.dead_chips = 0
        hand_start(h, NULL, NULL, NULL, NULL)
        while h.phase != PHASE_OVER:
            if play_round(&seed, h) != ACCEPTED:
                return -1
        counts.n_actions += h.n_actions
        counts.n_hands += 1
        counts.checksum += h.betting.stack_chips[0] * (1 + n % 7)
    return 0


cdef int32_t play_sessions(
    SessionCore* s, const LoopDeck* deck, int64_t n_hands, int32_t hands_per_session, uint64_t seed, Counts* counts
) noexcept nogil:
    """Sessions of rotation blocks: each of a block's sessions gives the first button to another seat."""
    cdef uint8_t cards[DECK_CARDS_MAX]
    cdef int32_t seat, n, rotation = 0
    cdef uint32_t everybody = (1u << s.n_seats) - 1
    memcpy(cards, s.hand.deck, sizeof(cards))
    while counts.n_hands < n_hands:
        session_begin(s, everybody, rotation)
        rotation = rotation + 1 if rotation + 1 < s.n_seats else 0
        for n in range(hands_per_session):
            shuffle(&seed, deck, cards, &s.hand)
            if session_start_hand(s, n, cards, NULL) != ACCEPTED:
                break                                               # One player holds everything.
            while s.hand_is_live:
                if play_round(&seed, &s.hand) != ACCEPTED:
                    return -1
                if s.hand.phase == PHASE_OVER:
                    session_end_hand(s)
            counts.n_actions += s.hand.n_actions
            counts.n_hands += 1
        for seat in range(s.n_seats):
            counts.checksum += s.stack_chips[seat] * (1 + seat)
    return 0


# --- Python skin ------------------------------------------------------------------------------------------------------------


cdef int32_t read_deck(object game, object rules, int32_t n_seats, LoopDeck* deck, HandCore* h) except -1:
    """The deck of `h` in order and its orders for reshuffles; how far into the deck a deal to so many seats can reach."""
    cdef int32_t first_card = 52 - <int32_t>game.deck.cards           # CARD-03: a short deck begins later.
    cdef int32_t i, k
    deck.n_cards = deck_cards(game)
    h.n_deck_cards = deck.n_cards
    for i in range(deck.n_cards):
        h.deck[i] = <uint8_t>(first_card + i)
    h.n_mix_orders = mix_orders_needed(game, n_seats, rules.burns, keeps_last_card=rules.keeps_last_card)
    for k in range(h.n_mix_orders):
        for i in range(deck.n_cards):
            h.mix_orders[k][i] = <uint8_t>i
    h.n_mixes = h.n_mix_orders                                         # All of them are still to be shuffled.
    deck.n_reached = min(deck.n_cards, count_needed_cards(game, rules, n_seats))
    if [step for step in game.steps if type(step) is DrawCards]:
        deck.n_reached = deck.n_cards
    return 0


def play_random_hands(game, rules, *, int64_t n_hands, int n_seats=6, int64_t stack_chips=200, uint64_t seed=1):
    cdef HandCore h
    cdef LoopDeck deck
    cdef Counts counts
    cdef int32_t outcome
    memset(&h, 0, sizeof(h))
    memset(&counts, 0, sizeof(counts))
    if not 2 <= n_seats <= MAX_SEATS or n_hands < 1 or stack_chips < 1 or seed == 0:
        raise InputError("expected 2 to 10 seats, at least one hand, one chip, and a seed above 0", field="n_seats")
    read_game(game, rules, &h.game)
    read_betting_rules(rules, &h.betting.rules)
    read_showdown_rules(game, rules, &h.showdown)
    read_deal_rules(rules, &h.deal)
    h.n_seats = n_seats
    h.dealt_mask = (1u << n_seats) - 1
    read_deck(game, rules, n_seats, &deck, &h)
    with nogil:
        outcome = play_hands(&h, &deck, n_hands, stack_chips, seed, &counts)
    if outcome != 0:
        raise InvariantError("a legal action was refused")
    return LoopCounts(counts.n_hands, counts.n_actions, counts.checksum, deck.n_reached)


def play_random_sessions(
    format_spec, game, house, *, int64_t n_hands, int n_seats=6, int hands_per_session=24, uint64_t seed=1
):
    cdef SessionCore s
    cdef LoopDeck deck
    cdef Counts counts
    cdef int32_t outcome
    memset(&s, 0, sizeof(s))
    memset(&counts, 0, sizeof(counts))
    if not 2 <= n_seats <= MAX_SEATS or n_hands < 1 or hands_per_session < 1 or seed == 0:
        raise InputError("expected 2 to 10 seats, at least one hand, and a seed above 0", field="n_seats")
    read_session_definition(format_spec, game, house, &s.definition)
    s.n_seats = n_seats
    s.cutoff_at_ms = INT64_MAX
    read_deck(game, level_rules(house, format_spec.levels[0], format_spec.betting.structure), n_seats, &deck, &s.hand)
    with nogil:
        outcome = play_sessions(&s, &deck, n_hands, hands_per_session, seed, &counts)
    if outcome != 0:
        raise InvariantError("a legal action was refused")
    return LoopCounts(counts.n_hands, counts.n_actions, counts.checksum, deck.n_reached)
