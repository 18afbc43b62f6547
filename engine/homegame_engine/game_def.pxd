# Games and houses as the core's structs: the compiled form of specs.py. Rules: GAME-DC-04, GAME-DC-11, CARD-01, CARD-03, CARD-08.
from homegame_engine.hand_state cimport Blinds, DealRules, GameDef, HandCore, ShowdownRules
from libc.stdint cimport int32_t, int64_t

# All of the three for a hand: `game` a GameSpec, `rules` a HandRules. Raise InputError for what no hand can hold.
cdef int32_t read_game(object game, object rules, GameDef* parsed) except -1
cdef int32_t read_showdown_rules(object game, object rules, ShowdownRules* parsed) except -1
cdef int32_t read_deal_rules(object rules, DealRules* parsed) except -1
# Cards that a deal to `n_seats` seats takes from the deck, burns included, changed cards apart (CARD-07, CARD-08).
cdef int32_t count_needed_cards(object game, object rules, int32_t n_seats) except -1
# Raises TOO_MANY_PLAYERS where the deck cannot hold a deal to `n_seats` seats (CARD-08, GAME-ST-02).
cdef int32_t check_players(object game, object rules, int32_t n_seats) except -1
# Most seats that can be dealt in.
cdef int32_t count_most_players(object game, object rules) except -1
# Raises BAD_DECK unless `order` has exactly the game's cards, some of them CARD_UNKNOWN if `may_be_unknown` (CARD-03 for a short
# deck, else `rule_id`, which is CARD-01 or a format's own rule).
cdef int32_t check_deck(const GameDef* game, bytes order, bint may_be_unknown, str rule_id) except -1
# An amount for each seat, or zeros for None, into `parsed`  # OUT. Raises InputError.
cdef int32_t read_chips(object chips, int32_t n_seats, int64_t* parsed, str field) except -1
# Announced blinds by seat: the largest is the big one, another the small one. Raises InputError.
cdef int32_t read_blinds(object chips, int32_t n_seats, Blinds* parsed) except -1
# The orders of reshuffles, each a permutation of all `n` deck positions (CARD-06), into `h`. Raises InputError.
cdef int32_t read_mix_orders(bytes orders, int32_t n, HandCore* h) except -1
