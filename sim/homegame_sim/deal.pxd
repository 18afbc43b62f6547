"""Deals by player: who gets which cards is drawn first, and then written as the deck order that the hand takes.

So the cards of a player and the board depend on (seed, block, hand) alone. Moving the button changes who acts when, and nothing
else, which is what rotation blocks need (docs/fairness.md).
"""

from homegame_engine.hand_state cimport GameDef, HandCore, ShowdownRules
from homegame_engine.limits cimport MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS
from homegame_sim.philox cimport Philox
from libc.stdint cimport int32_t, uint8_t, uint32_t

cdef enum:
    N_DECK_CARDS = 52

cdef struct PlayerCards:
    uint8_t hole_cards[MAX_SEATS][MAX_HOLE_CARDS]   # By player, in the order in which the player gets them.
    uint8_t board[MAX_BOARD_CARDS]                  # Left to right.
    uint8_t stub[N_DECK_CARDS]                      # All others, burns included, in no particular order.
    int32_t n_players
    int32_t n_hole_cards
    int32_t n_board_cards
    int32_t n_stub_cards

# Draws the cards of every player and the board; what is left over is the stub.
cdef void draw_cards(Philox* stream, const GameDef* game, int32_t n_players, PlayerCards* cards) noexcept nogil
# Writes `deck_order` (52 codes) # OUT so that a deal from `button` to the seats of `dealt_mask` gives each player its cards.
# Cards of players who are not dealt in go under the deck.
cdef void write_deck_order(
    const PlayerCards* cards,
    const GameDef* game,
    const ShowdownRules* showdown,
    uint32_t dealt_mask,
    int32_t button,
    uint8_t* deck_order,
) noexcept nogil
# Whether the hand gave every player and the board, as far as it was dealt, the cards that were drawn.
cdef bint was_dealt(const PlayerCards* cards, const HandCore* h) noexcept nogil
