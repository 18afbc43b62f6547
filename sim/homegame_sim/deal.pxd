"""Deals by player: who gets which cards is drawn first, and then written as the deck order that the hand takes.

So the cards that a player holds before anybody decides, and the board, depend on (seed, block, hand) alone. Moving the button
changes who acts when, and nothing else, which is what rotation blocks need (docs/fairness.md). Cards that are dealt later go to
whoever is still in, or draws: they come from a stub that has one order for all sessions of a block.
"""

from homegame_engine.hand_state cimport GameDef, HandCore, ShowdownRules
from homegame_engine.limits cimport DECK_CARDS_MAX, MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_MIXES, MAX_SEATS
from homegame_sim.philox cimport Philox
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

# What of a game's deal is the same whatever is decided; follows from the game.
cdef struct DealPlan:
    int32_t n_deck_cards
    int32_t n_hole_cards      # Private cards that each seat has before the first decision.
    int32_t n_board_cards     # Common cards whose places in the deck nobody's decision moves.
    int32_t n_mix_orders      # Orders that a stub which runs short may ask for.
    bint uses_stub            # Whether cards other than burns come from the stub.

cdef struct PlayerCards:
    uint8_t hole_cards[MAX_SEATS][MAX_HOLE_CARDS]   # By player, in the order in which the player gets them.
    uint8_t board[MAX_BOARD_CARDS]                  # Left to right.
    uint8_t stub[DECK_CARDS_MAX]                    # All others, burns included; in random order where the plan uses them.
    uint8_t mixes[MAX_MIXES][DECK_CARDS_MAX]        # The orders, as cards.
    int32_t n_players
    int32_t n_stub_cards

# The game's deck in the order of codes into `cards`  # OUT.
cdef void fill_deck(const GameDef* game, uint8_t* cards) noexcept nogil
# Every order of the cards equally likely.
cdef void shuffle_cards(Philox* stream, uint8_t* cards, int32_t n_cards) noexcept nogil
cdef DealPlan plan_deal(const GameDef* game, int32_t n_mix_orders) noexcept nogil
# Draws the cards of every player and the board; what is left over is the stub. Then the orders for mixing it anew.
cdef void draw_cards(
    const DealPlan* plan, uint64_t seed, uint64_t block, uint64_t hand, const GameDef* game, int32_t n_players, PlayerCards* cards
) noexcept nogil
# Writes `deck_order` (n_deck_cards codes) # OUT so that a deal from `button` to the seats of `dealt_mask` gives each player its
# cards. Cards of players who are not dealt in go under the deck.
cdef void write_deck_order(
    const DealPlan* plan,
    const PlayerCards* cards,
    const GameDef* game,
    const ShowdownRules* showdown,
    uint32_t dealt_mask,
    int32_t button,
    uint8_t* deck_order,
) noexcept nogil
# Writes the orders of `h` for reshuffles, as places in `deck_order`.
cdef void write_mix_orders(const DealPlan* plan, const PlayerCards* cards, const uint8_t* deck_order, HandCore* h) noexcept nogil
# Whether a hand that nobody has decided anything in gave every player the cards that were drawn for that player.
cdef bint were_dealt(const DealPlan* plan, const PlayerCards* cards, const HandCore* h) noexcept nogil
# Whether the board, as far as it was dealt, is the one that was drawn.
cdef bint was_turned(const DealPlan* plan, const PlayerCards* cards, const HandCore* h) noexcept nogil

# Orders for reshuffles that a deal to so many players can use.
cdef int32_t count_mix_orders(object game, object hand_rules, int32_t n_players) except -1
