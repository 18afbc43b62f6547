# One deal, from forced bets to payout: composes cards, betting and pots, driven by a game that is data. It takes a deck order and
# never shuffles; it knows no clock, no button movement, no format. Rules: GAME-*, BET-GEN, POT-*, PROC-SHOW.
from homegame_engine.betting cimport Action, Betting, Legal
from homegame_engine.limits cimport (
    DECK_CARDS_MAX,
    MAX_BOARD_CARDS,
    MAX_HOLE_CARDS,
    MAX_LAYERS,
    MAX_SEATS,
    MAX_STEPS,
    MAX_STREETS,
)
from homegame_engine.pots cimport Layer, Refund
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t

cdef enum StepKind:
    STEP_END = 0
    STEP_DEAL_DOWN = 1    # `count` hidden cards to each dealt-in seat, one at a time clockwise.
    STEP_BURN = 2         # The house's burns of the coming board street.
    STEP_DEAL_BOARD = 3   # `count` common cards.
    STEP_BET = 4          # A betting round.

cdef enum Ranking:
    RANKING_HIGH = 1

cdef enum Phase:
    PHASE_BETTING = 1
    PHASE_SHOWDOWN = 2    # Hands are shown or mucked in turn.
    PHASE_WAITING = 3     # A shown hand or the board has UNKNOWN cards that decide the award.
    PHASE_OVER = 4

cdef enum ShowdownFirst:
    SHOWDOWN_BUTTON_LEFT = 1   # All checked: first live seat left of the button (Points).
    SHOWDOWN_FIRST_ACTED = 2   # All checked: the seat that acted first on the last street (Club).

cdef struct GameStep:
    uint8_t kind        # StepKind.
    uint8_t count       # Cards, for the dealing steps.
    uint8_t big_bet     # STEP_BET: 1 for the big increment of limit games.

cdef struct GameDef:
    GameStep steps[MAX_STEPS]   # Ends with STEP_END.
    int32_t n_steps
    uint8_t ranking             # Ranking.
    int32_t n_hole_cards        # Private cards a seat gets in all.

cdef struct ShowdownRules:
    uint8_t ask                       # 1: each live hand answers SHOW or MUCK in turn; 0: all are shown.
    uint8_t first                     # ShowdownFirst.
    uint8_t allin_face_up             # 1: hands are turned up when no more betting is possible (BET-GEN-16).
    uint8_t burns[MAX_STREETS]        # Cards burnt before each board street (CARD-07).

cdef enum EventKind:
    EVENT_ANTE = 1
    EVENT_BLIND = 2          # flag: 1 small, 2 big.
    EVENT_HOLE_CARDS = 3
    EVENT_BURN = 4           # chips: number of cards.
    EVENT_BOARD = 5          # chips: street.
    EVENT_FOLD = 6
    EVENT_CHECK = 7
    EVENT_CALL = 8
    EVENT_BET = 9
    EVENT_RAISE = 10
    EVENT_RETURNED = 11
    EVENT_COLLECTED = 12     # mask: unused; the layers follow as EVENT_LAYER.
    EVENT_LAYER = 13         # chips and mask of one layer.
    EVENT_SHOWDOWN = 14      # seat: first to show; mask: seats that take part.
    EVENT_SHOW = 15
    EVENT_MUCK = 16
    EVENT_AWARD = 17         # seat -1: layer `number` of `chips`, by_chips odd units; its shares follow as EVENT_SHARE.
    EVENT_SHARE = 18
    EVENT_END = 19

cdef enum:
    MAX_EVENTS = 128         # More than any one input can cause in a hand of ten seats.

cdef struct EventRecord:
    uint8_t kind             # EventKind.
    int8_t seat
    uint8_t flag             # By kind: 1 all-in, 2 full raise; or which blind.
    uint8_t n_cards
    uint8_t cards[MAX_HOLE_CARDS]
    int32_t number
    uint32_t mask
    int64_t chips
    int64_t to_chips
    int64_t by_chips

cdef struct EventBuffer:
    int32_t n_events
    EventRecord events[MAX_EVENTS]

# Announced blinds of a deal; a seat is -1 for nobody, and then its chips are 0.
cdef struct Blinds:
    int32_t small_seat
    int32_t big_seat
    int64_t small_chips
    int64_t big_chips

cdef struct HandCore:
    GameDef game
    ShowdownRules showdown
    Betting betting
    int64_t start_stack_chips[MAX_SEATS]
    int64_t committed_chips[MAX_SEATS]     # Put in for the hand, this street included, refunds taken off.
    int64_t won_chips[MAX_SEATS]           # Awarded at the end.
    int64_t dead_chips                     # In the main layer, nobody's wager (POT-LAY-06).
    int64_t issued_chips                   # What stacks, pot and dead chips must always sum to (GEN-04).
    uint8_t deck[DECK_CARDS_MAX]           # The order, top first; may hold CARD_UNKNOWN.
    uint8_t hole_positions[MAX_SEATS][MAX_HOLE_CARDS]   # Where in the deck a private card came from.
    uint8_t board_positions[MAX_BOARD_CARDS]
    uint8_t n_hole_cards[MAX_SEATS]
    int32_t n_deck_cards
    int32_t next_deck_position
    int32_t n_board_cards
    int32_t n_seats
    int32_t button
    int32_t small_blind_seat               # -1 for nobody.
    int32_t big_blind_seat                 # -1 for nobody.
    int32_t step                           # Index in game.steps.
    int32_t street                         # Betting rounds begun, less one; 0 is the first.
    int32_t phase                          # Phase.
    int32_t actor                          # Seat to act or to answer at showdown, -1 for nobody.
    int32_t showdown_first
    uint32_t dealt_mask
    uint32_t shown_mask
    uint32_t mucked_mask
    int32_t n_layers
    int32_t n_actions
    Layer layers[MAX_LAYERS]
    Refund refund                          # The last part returned.
    int32_t ranks[MAX_SEATS]               # hand_rank of seats that were compared, else 0.

# Card of a private or board position.
cdef uint8_t hole_card(const HandCore* h, int32_t seat, int32_t i) noexcept nogil
cdef uint8_t board_card(const HandCore* h, int32_t i) noexcept nogil
# Blinds of a hand without dead or missing ones (BET-GEN-11, BET-GEN-12).
cdef Blinds place_blinds(
    uint32_t dealt_mask, int32_t button, int64_t small_blind_chips, int64_t big_blind_chips
) noexcept nogil
# Posts, deals and runs to the first decision. The caller has filled game, showdown, betting.rules, stacks (betting.stack_chips),
# deck, n_deck_cards, n_seats, button, dealt_mask. Arrays are n_seats long; both ante
# arrays may be NULL together, and `events` may be NULL.
cdef void hand_start(
    HandCore* h, const Blinds* blinds, const int64_t* ante_chips, const int64_t* dead_ante_chips, EventBuffer* events
) noexcept nogil
# What `seat` may do now; kinds is 0 when it is not its turn. For the actor it is h.betting.legal, worked out with the turn.
cdef void hand_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil
# One input. Returns a Refusal; a refusal changes nothing.
cdef int32_t hand_apply(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil
# What the clock does for a seat whose time ends (PROC-CLK-03, PROC-SHOW-04).
cdef void hand_timeout_action(const HandCore* h, int32_t seat, Action* action) noexcept nogil
# Goes on after an UNKNOWN card was filled in.
cdef void hand_resume(HandCore* h, EventBuffer* events) noexcept nogil
# Stacks + wagers + dead money, which GEN-04 holds against issued_chips.
cdef int64_t hand_total_chips(const HandCore* h) noexcept nogil
# Evaluated strength of a seat's hand with the board so far; at least five known cards.
cdef int32_t hand_rank_of(const HandCore* h, int32_t seat) noexcept nogil

cdef class Hand:
    cdef HandCore core
    cdef EventBuffer events
    cdef readonly int hand_number
    cdef object rules
    cdef object game_spec
    cdef object drain(self)

cdef object event_objects(const HandCore* h, const EventBuffer* events, int hand_number)
cdef int32_t read_game(object game, GameDef* parsed) except -1
cdef int32_t read_showdown_rules(object rules, ShowdownRules* parsed) except -1
cdef bytes encode_hand(const HandCore* h)
