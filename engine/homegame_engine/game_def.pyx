# cython: language_level=3
"""Games and houses as the core's structs. See game_def.pxd.

Here, and nowhere else, the language of specs.py becomes numbers. Nothing here plays.
"""

from homegame_engine.cards cimport is_full_deck, is_partly_known_deck
from homegame_engine.evaluator.high cimport (
    CATEGORY_SHIFT,
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    ONE_PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    rank_high,
)
from homegame_engine.evaluator.ranking cimport (
    RANKING_ACE_TO_FIVE,
    RANKING_ACE_TO_SIX,
    RANKING_BADUGI,
    RANKING_DEUCE_TO_SEVEN,
    RANKING_HIGH,
    RANKING_LOW_SPADE,
    RANKING_NONE,
    RankingRule,
)
from homegame_engine.hand_state cimport (
    AWARD_HIGH_LOW,
    AWARD_HIGH_LOW_DECLARE,
    AWARD_HIGH_LOW_SPADE,
    AWARD_WHOLE,
    BRING_IN_HIGHEST,
    BRING_IN_LOWEST,
    FORCED_ANTES,
    FORCED_BLINDS,
    FORCED_BRING_IN,
    ODD_CARRY,
    ODD_CLOCKWISE,
    ODD_FIRST,
    OPENS_BEST_EXPOSED,
    OPENS_BRING_IN,
    OPENS_BUTTON_LEFT,
    OPENS_DECLARED,
    OPENS_WORST_EXPOSED,
    SHOWDOWN_BUTTON_LEFT,
    SHOWDOWN_FIRST_ACTED,
    SHOWDOWN_LOWEST_SEAT,
    STEP_BET,
    STEP_BURN,
    STEP_DEAL_BOARD,
    STEP_DEAL_DOWN,
    STEP_DEAL_UP,
    STEP_DECLARE,
    STEP_DISCARD,
    STEP_DRAW,
    STEP_PASS,
)
from homegame_engine.limits cimport (
    CARD_UNKNOWN,
    MAX_BOARD_CARDS,
    MAX_HOLE_CARDS,
    MAX_MIXES,
    MAX_SEATS,
    MAX_STEPS,
    MAX_STREETS,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from homegame_engine import specs
from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.reasons import Reason

_STEP_KINDS = {
    specs.DealDown: STEP_DEAL_DOWN, specs.DealUp: STEP_DEAL_UP, specs.Burn: STEP_BURN, specs.DealBoard: STEP_DEAL_BOARD,
    specs.BettingStreet: STEP_BET, specs.DrawCards: STEP_DRAW, specs.DiscardCards: STEP_DISCARD, specs.PassCards: STEP_PASS,
    specs.DeclareHalves: STEP_DECLARE,
}
_PLAIN_STEPS = (specs.Burn, specs.DealBoard, specs.BettingStreet)   # After the private cards of a plain deal.
_OPENS = {
    "BUTTON_LEFT": OPENS_BUTTON_LEFT, "BRING_IN": OPENS_BRING_IN, "BEST_EXPOSED": OPENS_BEST_EXPOSED,
    "WORST_EXPOSED": OPENS_WORST_EXPOSED, "DECLARED": OPENS_DECLARED,
}
_FORCED = {"BLINDS": FORCED_BLINDS, "BRING_IN": FORCED_BRING_IN, "ANTES": FORCED_ANTES}
_BRING_IN = {"LOWEST": BRING_IN_LOWEST, "HIGHEST": BRING_IN_HIGHEST}
_AWARDS = {
    "WHOLE": AWARD_WHOLE, "HIGH_LOW": AWARD_HIGH_LOW, "HIGH_LOW_DECLARE": AWARD_HIGH_LOW_DECLARE,
    "HIGH_LOW_SPADE": AWARD_HIGH_LOW_SPADE,
}
_RANKINGS = {
    "HIGH": RANKING_HIGH, "ACE_TO_FIVE": RANKING_ACE_TO_FIVE, "ACE_TO_SIX": RANKING_ACE_TO_SIX,
    "DEUCE_TO_SEVEN": RANKING_DEUCE_TO_SEVEN, "BADUGI": RANKING_BADUGI, "LOW_SPADE": RANKING_LOW_SPADE,
}
_CATEGORIES = {
    "HIGH_CARD": HIGH_CARD, "ONE_PAIR": ONE_PAIR, "TWO_PAIR": TWO_PAIR, "THREE_OF_A_KIND": THREE_OF_A_KIND, "STRAIGHT": STRAIGHT,
    "FLUSH": FLUSH, "FULL_HOUSE": FULL_HOUSE, "FOUR_OF_A_KIND": FOUR_OF_A_KIND, "STRAIGHT_FLUSH": STRAIGHT_FLUSH,
    "FIVE_OF_A_KIND": FIVE_OF_A_KIND,
}
_N_ALIKE = {"ONE_PAIR": 2, "TWO_PAIR": 2, "THREE_OF_A_KIND": 3, "FULL_HOUSE": 3, "FOUR_OF_A_KIND": 4}
_SHOWDOWN_FIRST = {
    "BUTTON_LEFT": SHOWDOWN_BUTTON_LEFT, "FIRST_ACTED": SHOWDOWN_FIRST_ACTED, "LOWEST_SEAT": SHOWDOWN_LOWEST_SEAT,
}
_ODD_UNITS = {"CLOCKWISE": ODD_CLOCKWISE, "CARRY": ODD_CARRY, "FIRST": ODD_FIRST}
_RANKS = "23456789TJQKA"
_SHORT_DECK_FIRST_CARD = 16   # CARD-03: the sixes.


# --- Games ------------------------------------------------------------------------------------------------------------------


cdef int32_t read_step(object step, GameDef* parsed, int32_t i) except -1:
    parsed.steps[i].kind = _STEP_KINDS[type(step)]
    parsed.steps[i].count = getattr(step, "count", 0)
    parsed.steps[i].big_bet = 1 if getattr(step, "size", "SMALL") == "BIG" else 0
    parsed.steps[i].opens = _OPENS[getattr(step, "opens", "BUTTON_LEFT")]
    parsed.steps[i].open_pair = 1 if getattr(step, "open_pair", False) else 0
    if type(step) is specs.PassCards:
        parsed.steps[i].direction = 1 if step.direction == "LEFT" else -1
    return 0


cdef uint64_t wild_mask_of(object wild) except? 0:
    """The cards that are wild for everybody, jokers apart (RANK-WILD-01)."""
    cdef uint64_t mask = 0
    if wild is None:
        return 0
    for rank in wild.ranks:
        mask |= <uint64_t>15 << 4 * <int>_RANKS.index(rank)
    for card in parse_cards("".join(wild.cards)):
        mask |= <uint64_t>1 << <int>card
    return mask


cdef int32_t read_ranking(object game, object rules, str ranking, int qualifier, RankingRule* parsed) except -1:
    """One half's ranking; what a house calls its low is the house's (GAME-DC-11)."""
    memset(parsed, 0, sizeof(RankingRule))
    if ranking is None:
        parsed.ranking = RANKING_NONE
        return 0
    parsed.ranking = _RANKINGS[rules.low_ranking if ranking == "HOUSE_LOW" else ranking]
    parsed.qualifier = qualifier
    if 0 < game.showdown.hole_cards_min == game.showdown.hole_cards_max and game.board_card_count > 0:
        parsed.exact_hole = game.showdown.hole_cards_min               # GAME-OM-01
    parsed.wild_mask = wild_mask_of(game.wild)
    parsed.low_hole_wild = 1 if game.wild is not None and game.wild.low_hole_card else 0
    return 0


cdef int32_t least_rank(object least) except -1:
    """hand_rank of the least hand that will do (GAME-DC-06); 0 for None. Kickers are the lowest that make nothing more."""
    cdef uint8_t cards[5]
    cdef int32_t n_alike, rank, i, kicker = 0, n = 0
    if least is None:
        return 0
    if least.rank is None or least.category not in _N_ALIKE:
        return _CATEGORIES[least.category] << CATEGORY_SHIFT | 1       # The weakest of the category.
    n_alike = _N_ALIKE[least.category]
    rank = _RANKS.index(least.rank)
    for i in range(n_alike):
        cards[n] = <uint8_t>(4 * rank + i)
        n += 1
    # The second pair of two pair or of a full house is the lowest other rank, then come single cards.
    if least.category in ("TWO_PAIR", "FULL_HOUSE"):
        kicker = 1 if rank == 0 else 0
        for i in range(2):
            cards[n] = <uint8_t>(4 * kicker + i)
            n += 1
        kicker += 1
    while n < 5:
        if kicker != rank:
            cards[n] = <uint8_t>(4 * kicker + n % 4)
            n += 1
        kicker += 1
    return rank_high(cards, 5)


cdef bint is_plain_deal(object game):
    """Whether a deal is all hidden and common cards, with rounds that open at the blinds or at the button's left."""
    if game.conditions is not None or type(game.steps[0]) is not specs.DealDown:
        return False
    for step in game.steps[1:]:
        if type(step) not in _PLAIN_STEPS or getattr(step, "opens", "BUTTON_LEFT") != "BUTTON_LEFT":
            return False
    return game.forced == "BLINDS"


cdef int32_t read_game(object game, object rules, GameDef* parsed) except -1:
    cdef int32_t i
    memset(parsed, 0, sizeof(GameDef))
    if len(game.steps) >= MAX_STEPS:
        raise InputError(f"a game has at most {MAX_STEPS - 1} steps", field="steps")
    if game.hole_card_count > MAX_HOLE_CARDS or game.board_card_count > MAX_BOARD_CARDS or len(game.street_names) > MAX_STREETS:
        raise InputError("too many cards or betting rounds for one hand", field="steps")
    for i, step in enumerate(game.steps):
        read_step(step, parsed, i)
    parsed.n_steps = len(game.steps)
    parsed.n_hole_cards = game.hole_card_count
    parsed.has_board = 1 if game.board_card_count > 0 else 0
    parsed.is_plain_deal = 1 if is_plain_deal(game) else 0
    parsed.forced = _FORCED[game.forced]
    parsed.bring_in = _BRING_IN[game.bring_in]
    parsed.award = _AWARDS[game.showdown.award]
    parsed.n_jokers = game.deck.jokers
    parsed.is_short_deck = 1 if game.deck.cards < 52 else 0
    parsed.n_deck_cards = game.deck.cards + game.deck.jokers
    read_ranking(game, rules, game.showdown.ranking, 0 if game.showdown.low is not None else game.showdown.low_qualifier,
                 &parsed.high)
    read_ranking(game, rules, game.showdown.low, game.showdown.low_qualifier, &parsed.low)
    # Jokers are wild everywhere, so among exposed cards too.
    parsed.exposed_wilds = 1 if parsed.high.wild_mask or parsed.n_jokers else 0
    if game.conditions is not None:
        parsed.openers_rank = least_rank(game.conditions.openers)
        parsed.winners_rank = least_rank(game.conditions.winners)
        parsed.redeal_if_no_open = 1 if game.conditions.redeal_if_no_open else 0
        parsed.redeal_if_no_win = 1 if game.conditions.redeal_if_no_win else 0
    parsed.is_plain_high = 1 if (
        parsed.high.ranking == RANKING_HIGH and parsed.award == AWARD_WHOLE and not parsed.exposed_wilds
        and not parsed.high.exact_hole and not parsed.high.low_hole_wild and game.conditions is None
        and game.hole_card_count - game.discard_count + game.board_card_count <= 7
    ) else 0
    return 0


# --- Houses -----------------------------------------------------------------------------------------------------------------


cdef int32_t read_showdown_rules(object game, object rules, ShowdownRules* parsed) except -1:
    cdef int32_t i
    memset(parsed, 0, sizeof(ShowdownRules))
    parsed.ask = 1 if rules.showdown == "ASK" else 0
    # GAME-ST-16 is the order of the games without blinds.
    parsed.first = _SHOWDOWN_FIRST[rules.showdown_first if game.forced == "BLINDS" else rules.stud_showdown_first]
    parsed.allin_face_up = 1 if rules.allin_face_up and game.board_card_count > 0 else 0   # BET-GEN-16: games with a board.
    if len(rules.burns) > MAX_STREETS:
        raise InputError("more burns than streets", field="burns")
    for i, count in enumerate(rules.burns):
        parsed.burns[i] = count
    return 0


cdef int32_t read_deal_rules(object rules, DealRules* parsed) except -1:
    memset(parsed, 0, sizeof(DealRules))
    parsed.odd_units = _ODD_UNITS[rules.odd_units]
    parsed.bring_in_is_choice = 1 if rules.bring_in_rule == "CHOICE" else 0
    parsed.dead_hand_gets_cards = 1 if rules.dead_hand_gets_cards else 0
    parsed.open_pair_choice = 1 if rules.open_pair_choice else 0
    parsed.keeps_last_card = 1 if rules.keeps_last_card else 0
    parsed.out_of_turn_fold = 1 if rules.out_of_turn_fold else 0
    parsed.tie_keeps_both = 1 if rules.both_rule == "TIE_OK" else 0
    parsed.agreement = 1 if rules.pot_agreement == "UNANIMOUS" else 0
    if not (0 <= rules.ante_chips <= 1 << 53 and 0 <= rules.bring_in_chips <= 1 << 53):
        raise InputError("antes and bring-ins lie between 0 and 2**53", field="ante_chips")
    if rules.structure in ("LIMIT", "FIXED_LIMIT") and rules.bring_in_chips >= rules.small_bet_chips > 0:
        raise InputError("a bring-in is smaller than the small bet that completes it (GAME-ST-05)", field="bring_in_chips")
    parsed.ante_chips = rules.ante_chips
    parsed.bring_in_chips = rules.bring_in_chips
    return 0


# --- Decks ------------------------------------------------------------------------------------------------------------------


cdef int32_t count_burns(object game, object rules) except -1:
    cdef int32_t n = 0, street = -1
    for step in game.steps:
        if type(step) is specs.BettingStreet:
            street += 1
        elif type(step) is specs.Burn:
            n += step.count or rules.burns[street]
    return n


cdef int32_t count_needed_cards(object game, object rules, int32_t n_seats) except -1:
    return n_seats * <int32_t>game.hole_card_count + <int32_t>game.board_card_count + count_burns(game, rules)


cdef int32_t count_last_down_cards(object game) except -1:
    """Private cards of a last DEAL_DOWN after up cards: those that GAME-ST-17 has an answer for; else 0."""
    has_up_cards = False
    last = None
    for step in game.steps:
        if type(step) is specs.DealDown or type(step) is specs.DealUp:
            last = step
            has_up_cards = has_up_cards or type(step) is specs.DealUp
    return last.count if has_up_cards and type(last) is specs.DealDown else 0


cdef int32_t count_dealt_cards(object game, object rules, int32_t n_seats) except -1:
    """Cards that must be in the deck: those needed, without the last private ones where GAME-ST-17 deals them and their burn."""
    cdef int32_t needed = count_needed_cards(game, rules, n_seats)
    if rules.stud_shortage and count_last_down_cards(game) > 0:
        needed -= n_seats * count_last_down_cards(game) + 1
    return needed


cdef int32_t count_deck_cards(object game, object rules) except -1:
    """Cards that may be dealt (CARD-06)."""
    return game.deck.cards + game.deck.jokers - (1 if rules.keeps_last_card else 0)


cdef int32_t count_most_players(object game, object rules) except -1:
    cdef int32_t n_seats = game.players.max
    while n_seats > 2 and count_dealt_cards(game, rules, n_seats) > count_deck_cards(game, rules):
        n_seats -= 1
    return n_seats


cdef int32_t check_players(object game, object rules, int32_t n_seats) except -1:
    cdef int32_t needed = count_dealt_cards(game, rules, n_seats)
    cdef int32_t held = count_deck_cards(game, rules)
    if needed > held or n_seats > game.players.max:
        raise RuleViolation(
            Reason.TOO_MANY_PLAYERS, "CARD-08", facts={"players": n_seats, "cards_needed": needed, "cards": held},
            message="The deck does not hold the cards this deal needs.",
        )
    return 0


cdef int32_t check_deck(const GameDef* game, bytes order, bint may_be_unknown, str rule_id) except -1:
    cdef const uint8_t* codes = order
    cdef int32_t n = game.n_deck_cards
    if len(order) == n:
        if n == 52 and not game.is_short_deck and (
            is_partly_known_deck(codes, 52) if may_be_unknown else is_full_deck(codes, 52)
        ):
            return 0
        known = [card for card in order if card != CARD_UNKNOWN]
        first = _SHORT_DECK_FIRST_CARD if game.is_short_deck else 0
        if (
            len(set(known)) == len(known) and (may_be_unknown or len(known) == n)
            and all(first <= card < 52 or 52 <= card < 52 + game.n_jokers for card in known)
        ):
            return 0
    raise RuleViolation(
        Reason.BAD_DECK, "CARD-03" if game.is_short_deck else rule_id,
        message="The deck order does not hold each of the game's cards once.",
    )


# --- What else a deal starts with -------------------------------------------------------------------------------------------


cdef int32_t read_mix_orders(bytes orders, int32_t n, HandCore* h) except -1:
    """Reads the orders of reshuffles, each a permutation of all `n` deck positions (CARD-06)."""
    cdef int32_t i
    if len(orders) % n or len(orders) // n > MAX_MIXES:
        raise InputError(f"reshuffles need up to {MAX_MIXES} orders of {n} positions", field="mix_orders")
    h.n_mix_orders = len(orders) // n
    for i in range(h.n_mix_orders):
        order = orders[i * n:(i + 1) * n]
        if sorted(order) != list(range(n)):
            raise InputError("an order of a reshuffle names each deck position once", field="mix_orders")
        memcpy(h.mix_orders[i], <const char*>order, n)
    return 0


cdef int32_t read_chips(object chips, int32_t n_seats, int64_t* parsed, str field) except -1:
    """Reads an amount for each seat, or zeros for None, into `parsed`  # OUT."""
    cdef int32_t seat
    memset(parsed, 0, sizeof(int64_t) * MAX_SEATS)
    if chips is None:
        return 0
    if len(chips) != n_seats:
        raise InputError(f"{field} needs one amount for each of {n_seats} seats", field=field)
    for seat in range(n_seats):
        if not 0 <= chips[seat] <= 1 << 53:
            raise InputError(f"{field} must lie between 0 and 2**53", field=field)
        parsed[seat] = chips[seat]
    return 0


cdef int32_t read_blinds(object chips, int32_t n_seats, Blinds* parsed) except -1:
    """Reads announced blinds by seat: the largest is the big one, another the small one."""
    cdef int64_t blind_chips[MAX_SEATS]
    read_chips(chips, n_seats, blind_chips, "blinds")
    posting = sorted([(blind_chips[seat], -seat) for seat in range(n_seats) if blind_chips[seat] > 0], reverse=True)
    if len(posting) > 2:
        raise InputError("there are a small and a big blind and no straddle (BET-GEN-13)", field="blinds")
    parsed.big_chips, parsed.big_seat = (posting[0][0], -posting[0][1]) if posting else (0, -1)
    parsed.kill_seat, parsed.kill_chips = -1, 0
    parsed.small_chips, parsed.small_seat = (posting[1][0], -posting[1][1]) if len(posting) > 1 else (0, -1)
    return 0
