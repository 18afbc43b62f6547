# cython: language_level=3
"""Deals by player. See deal.pxd."""

from homegame_engine.game_def cimport read_game, read_showdown_rules
from homegame_engine.hand_state cimport STEP_BURN, STEP_DEAL_BOARD, STEP_DEAL_DOWN, board_card, hole_card
from homegame_sim.philox cimport PURPOSE_DEAL, Philox, philox_begin, philox_below
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from homegame_engine.errors import InputError


cdef inline uint8_t draw_card(Philox* stream, uint8_t* left, int32_t* n_left) noexcept nogil:
    """One card of those that are left, each equally likely; the last one takes its place."""
    cdef int32_t i = <int32_t>philox_below(stream, <uint64_t>n_left[0])
    cdef uint8_t card = left[i]
    n_left[0] -= 1
    left[i] = left[n_left[0]]
    return card


cdef void draw_cards(Philox* stream, const GameDef* game, int32_t n_players, PlayerCards* cards) noexcept nogil:
    cdef int32_t player, i, n_left = N_DECK_CARDS
    cards.n_players = n_players
    cards.n_hole_cards = game.n_hole_cards
    cards.n_board_cards = 0
    for i in range(N_DECK_CARDS):
        cards.stub[i] = <uint8_t>i
    # The board comes first, so that it stays the same when a format is tried with another number of players.
    for i in range(game.n_steps):
        if game.steps[i].kind == STEP_DEAL_BOARD:
            cards.n_board_cards += game.steps[i].count
    for i in range(cards.n_board_cards):
        cards.board[i] = draw_card(stream, cards.stub, &n_left)
    for player in range(n_players):
        for i in range(cards.n_hole_cards):
            cards.hole_cards[player][i] = draw_card(stream, cards.stub, &n_left)
    cards.n_stub_cards = n_left


cdef void write_deck_order(
    const PlayerCards* cards,
    const GameDef* game,
    const ShowdownRules* showdown,
    uint32_t dealt_mask,
    int32_t button,
    uint8_t* deck_order,
) noexcept nogil:
    cdef int32_t step, _k, i, seat
    cdef int32_t n = 0, n_given = 0, n_board = 0, n_stub = 0, street = 0
    for step in range(game.n_steps):
        if game.steps[step].kind == STEP_DEAL_DOWN:
            for _k in range(game.steps[step].count):                     # PROC-DEAL-01: one at a time, clockwise.
                for i in range(1, cards.n_players + 1):
                    seat = (button + i) % cards.n_players
                    if dealt_mask >> seat & 1:
                        deck_order[n] = cards.hole_cards[seat][n_given]
                        n += 1
                n_given += 1
        elif game.steps[step].kind == STEP_BURN:
            for _k in range(showdown.burns[street]):                     # CARD-07
                deck_order[n] = cards.stub[n_stub]
                n += 1
                n_stub += 1
            street += 1
        elif game.steps[step].kind == STEP_DEAL_BOARD:
            for _k in range(game.steps[step].count):
                deck_order[n] = cards.board[n_board]
                n += 1
                n_board += 1
    for i in range(n_stub, cards.n_stub_cards):
        deck_order[n] = cards.stub[i]
        n += 1
    for seat in range(cards.n_players):
        if not (dealt_mask >> seat & 1):
            for i in range(cards.n_hole_cards):
                deck_order[n] = cards.hole_cards[seat][i]
                n += 1


cdef bint was_dealt(const PlayerCards* cards, const HandCore* h) noexcept nogil:
    cdef int32_t seat, i
    for seat in range(h.n_seats):
        if h.dealt_mask >> seat & 1:
            for i in range(h.n_hole_cards[seat]):
                if hole_card(h, seat, i) != cards.hole_cards[seat][i]:
                    return False
    for i in range(h.n_board_cards):
        if board_card(h, i) != cards.board[i]:
            return False
    return True


def deck_order(game, hand_rules, *, uint64_t seed, uint64_t block, uint64_t hand, int n_players, uint32_t dealt_mask, int button):
    cdef GameDef parsed
    cdef ShowdownRules showdown
    cdef PlayerCards cards
    cdef Philox stream
    cdef uint8_t order[N_DECK_CARDS]
    if not 2 <= n_players <= MAX_SEATS:
        raise InputError(f"expected 2 to {MAX_SEATS} players, got {n_players}", field="n_players")
    if not 0 <= button < n_players:
        raise InputError(f"no seat {button} for the button", field="button")
    read_game(game, hand_rules, &parsed)
    read_showdown_rules(game, hand_rules, &showdown)
    memset(&stream, 0, sizeof(Philox))
    philox_begin(&stream, seed, block, PURPOSE_DEAL, hand, 0)
    draw_cards(&stream, &parsed, n_players, &cards)
    write_deck_order(&cards, &parsed, &showdown, dealt_mask, button, order)
    return bytes(order[:N_DECK_CARDS])
