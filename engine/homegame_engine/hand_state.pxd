# The state of one deal as plain structs, and the few accessors that every part of a hand shares: hand.pyx walks the steps,
# choices.pyx has what is chosen besides wagers, award.pyx judges and pays. Nothing here decides anything.
# Rules: GAME-*, BET-GEN, POT-*, PROC-SHOW.
from homegame_engine.betting cimport Betting
from homegame_engine.evaluator.ranking cimport RankingRule
from homegame_engine.limits cimport (
    CARD_UNKNOWN,
    DECK_CARDS_MAX,
    MAX_BOARD_CARDS,
    MAX_HOLE_CARDS,
    MAX_LAYERS,
    MAX_MIXES,
    MAX_SEATS,
    MAX_STEPS,
    MAX_STREETS,
)
from homegame_engine.pots cimport Layer, Refund
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

cdef enum StepKind:
    STEP_END = 0
    STEP_DEAL_DOWN = 1    # `count` hidden cards to each dealt-in seat, one at a time clockwise.
    STEP_BURN = 2         # `count` cards, or for 0 the house's burns of the coming board street (CARD-07).
    STEP_DEAL_BOARD = 3   # `count` common cards.
    STEP_BET = 4          # A betting round.
    STEP_DEAL_UP = 5      # `count` cards face up to each seat that still receives cards.
    STEP_DRAW = 6         # Each live seat in turn changes up to `count` cards (GAME-DC-09).
    STEP_DISCARD = 7      # Each live seat gives up exactly `count` cards, all at the same time (GAME-DISC-01).
    STEP_PASS = 8         # Each live seat hands `count` cards to its neighbour, all at the same time.
    STEP_DECLARE = 9      # Each live seat declares a half, all at the same time (GAME-DECL-01).

# Who opens a betting round that no blind has opened.
cdef enum Opens:
    OPENS_BUTTON_LEFT = 0
    OPENS_BRING_IN = 1       # The forced bet; where the table plays none, the best exposed hand.
    OPENS_BEST_EXPOSED = 2   # RANK-UP-01, ties by RANK-UP-03.
    OPENS_WORST_EXPOSED = 3  # RANK-UP-02: the lowest exposed hand.
    OPENS_DECLARED = 4       # The lock, else the first high declarer (GAME-DECL-02).

cdef enum Forced:
    FORCED_BLINDS = 0
    FORCED_BRING_IN = 1
    FORCED_ANTES = 2         # Nothing but antes.

cdef enum BringIn:
    BRING_IN_LOWEST = 0      # GAME-ST-06, GAME-ST-07: lowest up card, ace high, clubs first.
    BRING_IN_HIGHEST = 1     # GAME-RZ-03: highest up card, ace low, spades first.

cdef enum AwardKind:
    AWARD_WHOLE = 0              # One ranking takes each layer.
    AWARD_HIGH_LOW = 1           # Cards speak (POT-SPLIT-01).
    AWARD_HIGH_LOW_DECLARE = 2   # GAME-DECL-01 to GAME-DECL-10.
    AWARD_HIGH_LOW_SPADE = 3     # RANK-LO-06.

cdef enum Declaration:
    DECLARED_NOTHING = 0
    DECLARED_LOW = 1
    DECLARED_HIGH = 2
    DECLARED_BOTH = 3

cdef enum OddUnits:
    ODD_CLOCKWISE = 0   # One each, clockwise from the button's left (POT-ODD-01).
    ODD_CARRY = 1       # House Night: what three or more parts leave over goes to the next hand (POT-SPLIT-03, POT-SPLIT-04).
    ODD_FIRST = 2       # All of them to the first of those seats: as card rooms' records have it; no house of the rulebook.

cdef enum Phase:
    PHASE_BETTING = 1
    PHASE_SHOWDOWN = 2    # Hands are shown or mucked in turn.
    PHASE_WAITING = 3     # A shown hand or the board has UNKNOWN cards that decide the award.
    PHASE_OVER = 4
    PHASE_CHOOSING = 5    # Seats of `pending_mask` owe a draw, a discard, a pass or a declaration.

cdef enum ShowdownFirst:
    SHOWDOWN_BUTTON_LEFT = 1   # All checked: first live seat left of the button (Points).
    SHOWDOWN_FIRST_ACTED = 2   # All checked: the seat that acted first on the last street (Club).
    SHOWDOWN_LOWEST_SEAT = 3   # All checked: the lowest live seat number (Points stud, GAME-ST-16).

cdef struct GameStep:
    uint8_t kind        # StepKind.
    uint8_t count       # Cards, for the dealing steps.
    uint8_t big_bet     # STEP_BET: 1 for the big increment of limit games.
    uint8_t opens       # STEP_BET: Opens.
    uint8_t open_pair   # STEP_BET: 1 where an open pair may choose the big bet (BET-LIM-04), if the house plays it.
    int8_t direction    # STEP_PASS: 1 to the left (clockwise), -1 to the right.

cdef struct GameDef:
    GameStep steps[MAX_STEPS]   # Ends with STEP_END.
    int32_t n_steps
    uint8_t is_plain_high       # 1: the best five of all cards, nothing wild, takes the whole pot: what hold'em pays nothing for.
    uint8_t is_plain_deal       # 1: hidden and common cards, rounds that open at the blinds or the button's left, no choices.
    uint8_t has_board           # 1: some step deals common cards; without one a common card came for want of others (GAME-ST-17).
    uint8_t forced              # Forced.
    uint8_t bring_in            # BringIn.
    uint8_t award               # AwardKind.
    uint8_t n_deck_cards        # Jokers included.
    uint8_t n_jokers
    uint8_t is_short_deck       # CARD-03.
    uint8_t redeal_if_no_open   # GAME-DC-05, GAME-DC-06.
    uint8_t redeal_if_no_win    # GAME-DC-06.
    uint8_t exposed_wilds       # 1: wild cards count as wild among exposed cards.
    int32_t n_hole_cards        # Private cards a seat holds at most, up cards included.
    int32_t openers_rank        # Least hand_rank of `high` that may open the first betting round; 0 for any (GAME-DC-06).
    int32_t winners_rank        # Least hand_rank of `high` that may win; 0 for any (GAME-DC-06).
    RankingRule high            # Of the whole pot, or of the high half.
    RankingRule low             # Of the low half; ranking RANKING_NONE for games without one.

cdef struct ShowdownRules:
    uint8_t ask                       # 1: each live hand answers SHOW or MUCK in turn; 0: all are shown.
    uint8_t first                     # ShowdownFirst.
    uint8_t allin_face_up             # 1: hands are turned up when no more betting is possible (BET-GEN-16).
    uint8_t burns[MAX_STREETS]        # Cards burnt before each board street (CARD-07).

# What a house decides about the deal and the award; all zero is the Points Night way.
cdef struct DealRules:
    uint8_t odd_units                 # OddUnits.
    uint8_t bring_in_is_choice        # 1: who inherits the bring-in may fold, post or bet (GAME-ST-07); 0: GAME-ST-06.
    uint8_t dead_hand_gets_cards      # 1: GAME-ST-11.
    uint8_t open_pair_choice          # 1: BET-LIM-04.
    uint8_t keeps_last_card           # 1: the last card of the deck is never dealt (CARD-06).
    uint8_t out_of_turn_fold          # 1: HOUSE-BET-06.
    uint8_t tie_keeps_both            # 1: a BOTH declarer may tie (GAME-DECL-05, `both_rule = TIE_OK`).
    uint8_t agreement                 # 1: live players may agree on a division (POT-AGR-01).
    int64_t ante_chips                # Of each dealt-in seat, dead, outside L (BET-FL-08).
    int64_t bring_in_chips            # 0: no bring-in is played.

cdef enum EventKind:
    EVENT_ANTE = 1
    EVENT_BLIND = 2          # number: BlindKind; flag 1 all-in.
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
    EVENT_AWARD = 17         # seat -1: layer `number`, the part `flag` of it, of `chips`, by_chips odd units; then EVENT_SHARE.
    EVENT_SHARE = 18
    EVENT_END = 19
    EVENT_UP_CARDS = 20      # Cards dealt face up.
    EVENT_BRING_IN = 21      # chips, to_chips; flag 1 all-in.
    EVENT_CHOSEN = 22        # seat has made its hidden choice; number: StepKind; cards: those given up (for the seat alone).
    EVENT_DRAWN = 23         # number: cards changed; cards: the new ones (for the seat alone). After an EVENT_CHOSEN.
    EVENT_PASSED = 24        # Cards a seat received (for the two alone); number: the seat they came from.
    EVENT_DECLARED = 25      # number: Declaration; those of all live seats stand in a row.
    EVENT_RESHUFFLE = 26     # number: cards mixed; they lie under what was left of the stub.
    EVENT_COMMON_CARD = 27   # One card for all hands (GAME-ST-17).
    EVENT_CARRY = 28         # chips that stay for the next hand; mask: seats of the redeal, 0 for an ordinary next hand.
    EVENT_DIVIDED = 29       # An agreed division of `chips`; its shares follow as EVENT_SHARE (POT-AGR-01).

cdef enum BlindKind:
    BLIND_SMALL = 1
    BLIND_BIG = 2
    BLIND_KILL = 3           # KILL-06.

# Which part of a layer an EVENT_AWARD gives.
cdef enum AwardPart:
    PART_WHOLE = 0
    PART_HIGH = 1
    PART_LOW = 2

cdef enum:
    HOLE_ROW = 8             # Room for the private cards of a seat, which a plain deal writes as one word.
    MAX_EVENTS = 256         # More than any one input can cause: ten layers, both halves of each shared by all who are left.

cdef struct EventRecord:
    uint8_t kind             # EventKind.
    int8_t seat
    uint8_t flag             # By kind: 1 all-in, 2 full raise, 4 makes a full bet of the bring-in; or which blind.
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
    int32_t kill_seat      # -1 for nobody: the killer of KILL-06, who posts the larger amount once.
    int64_t kill_chips

cdef struct HandCore:
    GameDef game
    ShowdownRules showdown
    Betting betting
    int64_t start_stack_chips[MAX_SEATS]
    int64_t committed_chips[MAX_SEATS]     # Put in for the hand, this street included, refunds taken off.
    int64_t won_chips[MAX_SEATS]           # Awarded at the end.
    int64_t carry_chips                    # Left for the next hand once this one is over (POT-SPLIT-03, GAME-DC-06).
    int64_t dead_chips                     # In the main layer, nobody's wager (POT-LAY-06).
    int64_t issued_chips                   # What stacks, pot and dead chips must always sum to (GEN-04).
    uint8_t deck[DECK_CARDS_MAX]           # The order, top first; may hold CARD_UNKNOWN.
    uint8_t hole_positions[MAX_SEATS][HOLE_ROW]   # Where in the deck a private card came from.
    uint8_t board_positions[MAX_BOARD_CARDS]
    uint8_t n_hole_cards[MAX_SEATS]
    int32_t n_deck_cards
    uint8_t may_be_unknown                 # 1: the deck may hold CARD_UNKNOWN; of whoever fills it.
    int32_t next_deck_position
    int32_t n_board_cards
    int32_t n_seats
    int32_t button
    int32_t small_blind_seat               # -1 for nobody.
    int32_t big_blind_seat                 # -1 for nobody.
    int32_t kill_seat                      # -1 for nobody (KILL-06).
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
    # What hold'em never touches:
    DealRules deal
    int32_t low_ranks[MAX_SEATS]           # As `ranks`, for the low half.
    uint32_t pending_mask                  # Seats that still owe a choice of this step.
    uint32_t receives_mask                 # Seats that get cards in later deals: live ones, and dead ones by GAME-ST-11.
    uint32_t redeal_mask                   # Seats that take part in the redeal of this pot; 0 when there is none.
    int32_t bring_in_seat                  # -1 for none, or none yet.
    int32_t told_opener                    # Seat that somebody told opens the waiting round, plus one; 0 when nobody did.
    uint8_t up_masks[MAX_SEATS]            # Bit i: private card i lies face up.
    uint8_t declared[MAX_SEATS]            # Declaration; secret until all are in.
    uint64_t chosen_masks[MAX_SEATS]       # Picked in a simultaneous choice that is not complete yet: bit i for private card i.
    uint8_t deal_order[DECK_CARDS_MAX]     # Deck positions in the order of dealing once the stub was mixed anew.
    uint8_t mix_orders[MAX_MIXES][DECK_CARDS_MAX]   # Orders for reshuffles, drawn with the deck: permutations of all positions.
    int64_t named_shares[MAX_SEATS][MAX_SEATS]   # Division of the pot that each seat has named (POT-AGR-01).
    uint32_t named_mask                    # Seats that have; what was named holds only while n_actions is named_at_action.
    int32_t named_at_action
    int32_t n_mix_orders
    int32_t n_mixes                        # Reshuffles so far; while 0 the deck is dealt from the top, position by position.
    int32_t opener_seat                    # Who opened with UNKNOWN cards a round that takes openers (GAME-DC-07); -1 for nobody.
    uint8_t opener_positions[MAX_HOLE_CARDS]   # Where in the deck those cards came from: what has to be proved at the end.
    uint8_t n_opener_cards


cdef inline EventRecord* new_event(EventBuffer* events, uint8_t kind, int32_t seat) noexcept nogil:
    """A cleared record at the end of the buffer, or NULL where nobody listens."""
    cdef EventRecord* record
    if events == NULL or events.n_events >= MAX_EVENTS:
        return NULL
    record = &events.events[events.n_events]
    events.n_events += 1
    memset(record, 0, sizeof(EventRecord))
    record.kind = kind
    record.seat = <int8_t>seat
    return record


cdef inline uint8_t hole_card(const HandCore* h, int32_t seat, int32_t i) noexcept nogil:
    """Card of a private position."""
    return h.deck[h.hole_positions[seat][i]]


cdef inline uint8_t board_card(const HandCore* h, int32_t i) noexcept nogil:
    """Card of a board position."""
    return h.deck[h.board_positions[i]]


cdef inline bint hole_cards_known(const HandCore* h, int32_t seat) noexcept nogil:
    """Whether somebody has told which cards a seat holds."""
    cdef int32_t i
    for i in range(h.n_hole_cards[seat]):
        if hole_card(h, seat, i) == CARD_UNKNOWN:
            return False
    return True


cdef inline bint board_known(const HandCore* h) noexcept nogil:
    """Whether somebody has told all cards of the board."""
    cdef int32_t i
    for i in range(h.n_board_cards):
        if board_card(h, i) == CARD_UNKNOWN:
            return False
    return True


cdef inline uint32_t live_hands(const HandCore* h) noexcept nogil:
    """Seats that can still win: dealt in, and neither folded nor mucked."""
    return h.betting.live_mask & ~h.mucked_mask
