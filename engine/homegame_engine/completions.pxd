# Deals of which some cards are known: the others are dealt in every way, one after another, or at random from a seed.
# It knows where cards lie and which suits may stand for one another; what hands are worth is its callers' business.
from homegame_engine.hand_state cimport GameDef
from homegame_engine.limits cimport DECK_CARDS_MAX, MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    # Literals, because the checked build cannot compute them here.
    MAX_GROUPS = 21         # 2 * MAX_SEATS + 1: the board, and face-down and face-up cards of each player.
    MAX_RENAMINGS = 24      # Ways to rename four suits.
    MAX_KNOWN_SETS = 22     # 2 * MAX_SEATS + 2: sets of known cards whose places differ, two a player, board, dead cards.
    PLAYER_BOARD = -1       # In CardGroup.player: the common cards.

# Completions.phase.
cdef enum WalkPhase:
    WALK_FRESH = 0
    WALK_RUNNING = 1
    WALK_DONE = 2

# Where the cards of a game lie at its showdown; a constant of the game.
cdef struct Layout:
    int32_t n_hole_cards       # Private cards that a player holds at the end: those dealt, less those discarded.
    int32_t n_board_cards
    uint32_t up_mask           # Bit i: private card i lies face up.
    uint8_t faces_matter       # 1: what lies face down has a meaning (RANK-WILD-04, RANK-LO-06).
    uint8_t spades_matter      # 1: the suit of spades has a meaning (RANK-LO-06).
    uint64_t deck_mask         # The cards of the deck, bit = code.
    uint64_t wild_mask         # Cards that are wild for everybody.

# One deal, complete or with CARD_UNKNOWN where a card is not known.
cdef struct Deal:
    uint8_t hole_cards[MAX_SEATS][MAX_HOLE_CARDS]
    uint8_t board[MAX_BOARD_CARDS]

# Unknown cards that may change places without changing any hand.
cdef struct CardGroup:
    int32_t player                     # Whose private cards, or PLAYER_BOARD.
    int32_t n_cards
    uint8_t places[MAX_BOARD_CARDS]    # Indexes among that player's cards, or on the board.

# The walk through all completions of one deal.
cdef struct Completions:
    Deal deal                          # The current completion.
    int64_t weight                     # How many completions it stands for: it and those that differ by suits alone.
    int32_t n_groups
    CardGroup groups[MAX_GROUPS]       # The board first, then player by player.
    uint8_t left[MAX_GROUPS][DECK_CARDS_MAX]       # Cards that a group may take, from high to low.
    int32_t n_left[MAX_GROUPS]
    uint8_t chosen[MAX_GROUPS][MAX_BOARD_CARDS]    # Ascending indexes in `left`: the group's cards.
    uint64_t first_masks[MAX_BOARD_CARDS + 1]      # Of the first group: its first i cards.
    int32_t n_renamings                # Ways to rename suits that leave all known cards alone, the identity apart.
    uint8_t renamings[MAX_RENAMINGS][4]            # New suit of each suit.
    uint8_t phase                      # WalkPhase.

# Random words that depend on a seed and a number, and on nothing drawn before.
cdef struct Draws:
    uint64_t state

# Where a game's cards lie.
cdef void lay_out(const GameDef* game, Layout* layout) noexcept nogil

# Sets the walk to its beginning. `deal` says what is known of `n_players` hands and the board, `dead_mask` which cards are out of
# play besides. The caller has made sure that no card occurs twice and that the deck suffices.
cdef void begin_completions(
    Completions* completions, const Layout* layout, const Deal* deal, int32_t n_players, uint64_t dead_mask
) noexcept nogil

# Moves on to the next completion. Returns the first group whose cards changed, all later ones having changed too; 0 for the
# first completion of all, and -1 at the end. Completions that differ by suits alone come once, with their number as weight.
cdef int32_t next_completion(Completions* completions) noexcept nogil

# 1 while cards of the board are unknown, else 0: they are the first group.
cdef int32_t n_common_groups(const Completions* completions) noexcept nogil

# The cards that the known ones and the current ones of the first `n_groups` groups leave, from high to low; returns how many.
cdef int32_t list_left(const Completions* completions, int32_t n_groups, uint8_t* cards) noexcept nogil

# Puts other cards in the place of known ones, for `draw_completion` alone: the places that are known stay the same.
cdef void replace_known(Completions* completions, const Layout* layout, const Deal* deal, uint64_t known_mask) noexcept nogil

# Deals the unknown cards at random, every completion equally likely.
cdef void draw_completion(Completions* completions, Draws* draws) noexcept nogil

# The draws of sample `number` under a seed.
cdef Draws draws_of(uint64_t seed, uint64_t number) noexcept nogil

# An integer from 0 to `bound` - 1, each equally likely; `bound` is at least 1.
cdef uint64_t draw_below(Draws* draws, uint64_t bound) noexcept nogil

# Sets of the known cards of a deal, by what they mean; returns how many. Cards of a set may change places.
cdef int32_t known_sets(
    const Layout* layout, const Deal* deal, int32_t n_players, uint64_t dead_mask, uint64_t* sets
) noexcept nogil

# The least of what a deal becomes under the renamings of suits that the game allows: deals with one such form are alike.
cdef void least_form(const Layout* layout, uint64_t* sets, int32_t n_sets) noexcept nogil

# Cards of a tuple as a set, bit = code, unknown ones apart.
cdef uint64_t mask_of(tuple cards)

# Known cards in their places and CARD_UNKNOWN in the others, `n_places` in all. Raises InputError.
cdef tuple read_places(cards, int32_t n_places, uint64_t deck_mask, str field)

# How many completions the walk has.
cdef object n_deals_of(const Completions* completions)

# Raises InputError if the deck does not suffice (CARD-08).
cdef int32_t check_deck(const Completions* completions) except -1
