# cython: language_level=3
"""Deals by player. See deal.pxd."""

from homegame_engine.game_def cimport read_game, read_showdown_rules
from homegame_engine.hand_state cimport (
    GameDef,
    HandCore,
    ShowdownRules,
    STEP_BET,
    STEP_BURN,
    STEP_DEAL_BOARD,
    STEP_DEAL_DOWN,
    STEP_DEAL_UP,
    STEP_DISCARD,
    STEP_DRAW,
    STEP_PASS,
    board_card,
    hole_card,
)
from homegame_engine.limits cimport DECK_CARDS_MAX
from homegame_sim.philox cimport PURPOSE_DEAL, PURPOSE_MIX, Philox, philox_begin, philox_below
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from homegame_engine.errors import InputError
from homegame_engine.game_checks import mix_orders_needed

cdef enum:
    N_CARDS_WITHOUT_JOKERS = 52


# --- What is fixed whatever is decided --------------------------------------------------------------------------------------


cdef inline bint is_choice(int32_t kind) noexcept nogil:
    return kind == STEP_DRAW or kind == STEP_DISCARD or kind == STEP_PASS


cdef DealPlan plan_deal(const GameDef* game, int32_t n_mix_orders) noexcept nogil:
    cdef DealPlan plan
    cdef int32_t i, kind
    cdef bint was_decided = False   # Whether somebody may have folded or changed cards.
    memset(&plan, 0, sizeof(plan))
    plan.n_deck_cards = game.n_deck_cards
    plan.n_mix_orders = n_mix_orders
    for i in range(game.n_steps):
        kind = game.steps[i].kind
        if kind == STEP_BET or is_choice(kind):
            was_decided = True
        if kind == STEP_DRAW or (was_decided and (kind == STEP_DEAL_DOWN or kind == STEP_DEAL_UP)):
            plan.uses_stub = True                                       # From here on places depend on what players do.
        elif kind == STEP_DEAL_DOWN or kind == STEP_DEAL_UP:
            plan.n_hole_cards += game.steps[i].count
        elif kind == STEP_DEAL_BOARD and not plan.uses_stub:
            plan.n_board_cards += game.steps[i].count
    return plan


# --- Drawing ----------------------------------------------------------------------------------------------------------------


cdef inline uint8_t draw_card(Philox* stream, uint8_t* left, int32_t* n_left) noexcept nogil:
    """One card of those that are left, each equally likely; the last one takes its place."""
    cdef int32_t i = <int32_t>philox_below(stream, <uint64_t>n_left[0])
    cdef uint8_t card = left[i]
    n_left[0] -= 1
    left[i] = left[n_left[0]]
    return card


cdef void fill_deck(const GameDef* game, uint8_t* cards) noexcept nogil:
    cdef int32_t first_card = N_CARDS_WITHOUT_JOKERS + game.n_jokers - game.n_deck_cards   # CARD-03: a short deck begins later.
    cdef int32_t i
    for i in range(game.n_deck_cards):
        cards[i] = <uint8_t>(first_card + i)


cdef void shuffle_cards(Philox* stream, uint8_t* cards, int32_t n_cards) noexcept nogil:
    cdef int32_t n_left = n_cards
    cdef uint8_t card
    while n_left > 0:
        card = draw_card(stream, cards, &n_left)
        cards[n_left] = card                                            # The place that has just become free.


cdef void draw_cards(
    const DealPlan* plan, uint64_t seed, uint64_t block, uint64_t hand, const GameDef* game, int32_t n_players, PlayerCards* cards
) noexcept nogil:
    cdef Philox stream
    cdef int32_t player, i, n_left = plan.n_deck_cards
    cards.n_players = n_players
    fill_deck(game, cards.stub)
    philox_begin(&stream, seed, block, PURPOSE_DEAL, hand, 0)
    # The board comes first, so that it stays the same when a format is tried with another number of players.
    for i in range(plan.n_board_cards):
        cards.board[i] = draw_card(&stream, cards.stub, &n_left)
    for player in range(n_players):
        for i in range(plan.n_hole_cards):
            cards.hole_cards[player][i] = draw_card(&stream, cards.stub, &n_left)
    cards.n_stub_cards = n_left
    if plan.uses_stub:                                                  # Burns alone are seen by nobody.
        shuffle_cards(&stream, cards.stub, n_left)
    if plan.n_mix_orders > 0:
        philox_begin(&stream, seed, block, PURPOSE_MIX, hand, 0)
        for i in range(plan.n_mix_orders):
            fill_deck(game, cards.mixes[i])
            shuffle_cards(&stream, cards.mixes[i], plan.n_deck_cards)


# --- Writing ----------------------------------------------------------------------------------------------------------------


cdef void write_deck_order(
    const DealPlan* plan,
    const PlayerCards* cards,
    const GameDef* game,
    const ShowdownRules* showdown,
    uint32_t dealt_mask,
    int32_t button,
    uint8_t* deck_order,
) noexcept nogil:
    cdef int32_t step, kind, _k, i, seat, n_burnt
    cdef int32_t n = 0, n_given = 0, n_board = 0, n_stub = 0, street = -1
    for step in range(game.n_steps):
        kind = game.steps[step].kind
        if kind == STEP_DEAL_DOWN or kind == STEP_DEAL_UP:
            if n_given == plan.n_hole_cards:                            # All that is dealt from here on comes from the stub.
                break
            for _k in range(game.steps[step].count):                    # PROC-DEAL-01: one at a time, clockwise.
                for i in range(1, cards.n_players + 1):
                    seat = (button + i) % cards.n_players
                    if dealt_mask >> seat & 1:
                        deck_order[n] = cards.hole_cards[seat][n_given]
                        n += 1
                n_given += 1
        elif kind == STEP_BURN:
            n_burnt = game.steps[step].count if game.steps[step].count else showdown.burns[street]   # CARD-07
            for _k in range(n_burnt):
                deck_order[n] = cards.stub[n_stub]
                n += 1
                n_stub += 1
        elif kind == STEP_BET:
            street += 1
        elif kind == STEP_DEAL_BOARD:
            if n_board == plan.n_board_cards:
                break
            for _k in range(game.steps[step].count):
                deck_order[n] = cards.board[n_board]
                n += 1
                n_board += 1
    for i in range(n_stub, cards.n_stub_cards):
        deck_order[n] = cards.stub[i]
        n += 1
    for seat in range(cards.n_players):
        if not (dealt_mask >> seat & 1):
            for i in range(plan.n_hole_cards):
                deck_order[n] = cards.hole_cards[seat][i]
                n += 1


cdef void write_mix_orders(const DealPlan* plan, const PlayerCards* cards, const uint8_t* deck_order, HandCore* h) noexcept nogil:
    cdef uint8_t places[DECK_CARDS_MAX]
    cdef int32_t i, k
    for i in range(plan.n_deck_cards):
        places[deck_order[i]] = <uint8_t>i
    for k in range(plan.n_mix_orders):
        for i in range(plan.n_deck_cards):
            h.mix_orders[k][i] = places[cards.mixes[k][i]]
    h.n_mix_orders = plan.n_mix_orders


# --- Checking ---------------------------------------------------------------------------------------------------------------


cdef bint were_dealt(const DealPlan* plan, const PlayerCards* cards, const HandCore* h) noexcept nogil:
    cdef int32_t seat, i
    for seat in range(h.n_seats):
        if h.dealt_mask >> seat & 1:
            for i in range(plan.n_hole_cards):
                if hole_card(h, seat, i) != cards.hole_cards[seat][i]:
                    return False
    return True


cdef bint was_turned(const DealPlan* plan, const PlayerCards* cards, const HandCore* h) noexcept nogil:
    cdef int32_t i
    for i in range(min(h.n_board_cards, plan.n_board_cards)):
        if board_card(h, i) != cards.board[i]:
            return False
    return True


# --- Python skin ------------------------------------------------------------------------------------------------------------


cdef int32_t write_deal(
    object game, object hand_rules, uint64_t seed, uint64_t block, uint64_t hand, int32_t n_players, uint32_t dealt_mask,
    int32_t button, HandCore* h,
) except -1:
    """The deck order of one hand, and its orders for reshuffles, into `h`  # OUT."""
    cdef PlayerCards cards
    cdef DealPlan plan
    memset(h, 0, sizeof(HandCore))
    memset(&cards, 0, sizeof(cards))
    if not 2 <= n_players <= MAX_SEATS:
        raise InputError(f"expected 2 to {MAX_SEATS} players, got {n_players}", field="n_players")
    if not 0 <= button < n_players:
        raise InputError(f"no seat {button} for the button", field="button")
    read_game(game, hand_rules, &h.game)
    read_showdown_rules(game, hand_rules, &h.showdown)
    plan = plan_deal(&h.game, count_mix_orders(game, hand_rules, n_players))
    if n_players * plan.n_hole_cards + plan.n_board_cards > plan.n_deck_cards:
        raise InputError(f"the deck does not hold a deal to {n_players} players", field="n_players")
    draw_cards(&plan, seed, block, hand, &h.game, n_players, &cards)
    write_deck_order(&plan, &cards, &h.game, &h.showdown, dealt_mask, button, h.deck)
    write_mix_orders(&plan, &cards, h.deck, h)
    h.n_deck_cards = plan.n_deck_cards
    return 0


cdef int32_t count_mix_orders(object game, object hand_rules, int32_t n_players) except -1:
    return mix_orders_needed(game, n_players, hand_rules.burns, keeps_last_card=hand_rules.keeps_last_card)


def deck_order(game, hand_rules, *, uint64_t seed, uint64_t block, uint64_t hand, int n_players, uint32_t dealt_mask, int button):
    cdef HandCore h
    write_deal(game, hand_rules, seed, block, hand, n_players, dealt_mask, button, &h)
    return bytes(h.deck[:h.n_deck_cards])


def mix_orders(game, hand_rules, *, uint64_t seed, uint64_t block, uint64_t hand, int n_players, uint32_t dealt_mask, int button):
    cdef HandCore h
    write_deal(game, hand_rules, seed, block, hand, n_players, dealt_mask, button, &h)
    return b"".join([bytes(h.mix_orders[k][:h.n_deck_cards]) for k in range(h.n_mix_orders)])
