# cython: language_level=3
"""Deals of which some cards are known, completed in every way or at random. See completions.pxd.

The unknown cards fall into groups: the board, and each player's. The walk is an odometer whose wheels are the combinations of a
group, the last group turning fastest. It can stop after any completion, so a caller can show progress and give up. Suits are
equal (CARD-05), so of first groups that differ by a renaming of suits only one is visited, for all of them.
"""

import math

cimport cython
from homegame_engine.evaluator.ranking cimport RANKING_LOW_SPADE
from homegame_engine.hand_state cimport STEP_DEAL_BOARD, STEP_DEAL_DOWN, STEP_DEAL_UP, STEP_DISCARD
from homegame_engine.limits cimport CARD_UNKNOWN
from libc.string cimport memcpy, memset

from homegame_engine.cards import format_card
from homegame_engine.errors import InputError

cdef extern from *:
    """
    /* The upper half of a 64 x 64 bit product; the lower one goes to `low`. */
    static inline unsigned long long hg_product(unsigned long long a, unsigned long long b, unsigned long long *low) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *low = (unsigned long long)product;
        return (unsigned long long)(product >> 64);
    }
    """
    uint64_t product "hg_product"(uint64_t a, uint64_t b, unsigned long long* low) noexcept nogil

cdef enum:
    SPADES = 3
    N_SUITS = 4
    N_DECK_CARDS = 52
    SHORT_DECK_FIRST = 16    # Code of the six of clubs (CARD-03).

cdef uint64_t ONE_SUIT = 0x1111111111111   # The clubs.
cdef uint64_t JOKERS = <uint64_t>3 << N_DECK_CARDS
cdef uint64_t GOLDEN = 0x9E3779B97F4A7C15  # Odd, near 2^64 over the golden ratio (Steele, Lea, Flood 2014: SplitMix64).


cdef void lay_out(const GameDef* game, Layout* layout) noexcept nogil:
    cdef int32_t i, _k
    memset(layout, 0, sizeof(Layout))
    for i in range(game.n_steps):
        if game.steps[i].kind == STEP_DEAL_DOWN:
            layout.n_hole_cards += game.steps[i].count
        elif game.steps[i].kind == STEP_DEAL_UP:
            for _k in range(game.steps[i].count):
                layout.up_mask |= 1u << layout.n_hole_cards
                layout.n_hole_cards += 1
        elif game.steps[i].kind == STEP_DEAL_BOARD:
            layout.n_board_cards += game.steps[i].count
        elif game.steps[i].kind == STEP_DISCARD:
            layout.n_hole_cards -= game.steps[i].count
    layout.up_mask &= (1u << layout.n_hole_cards) - 1
    layout.spades_matter = game.high.ranking == RANKING_LOW_SPADE or game.low.ranking == RANKING_LOW_SPADE
    layout.faces_matter = layout.spades_matter or game.high.low_hole_wild or game.low.low_hole_wild
    layout.wild_mask = game.high.wild_mask | game.low.wild_mask
    layout.deck_mask = ((<uint64_t>1 << game.n_jokers) - 1) << N_DECK_CARDS
    for i in range(SHORT_DECK_FIRST if game.is_short_deck else 0, N_DECK_CARDS):
        layout.deck_mask |= <uint64_t>1 << i


# --- Suits that stand for one another -----------------------------------------------------------------------------------


cdef inline uint64_t renamed(uint64_t cards, const uint8_t* suits) noexcept nogil:
    """The cards with other suits; jokers have none."""
    return (
        cards & JOKERS
        | (cards & ONE_SUIT) << suits[0]
        | (cards >> 1 & ONE_SUIT) << suits[1]
        | (cards >> 2 & ONE_SUIT) << suits[2]
        | (cards >> 3 & ONE_SUIT) << suits[3]
    )


cdef int32_t all_renamings(const Layout* layout, uint8_t[4]* renamings) noexcept nogil:
    """Writes the renamings that a game allows, the identity apart, and returns how many they are."""
    cdef int32_t n = 0, code, i, k
    cdef bint is_new, moves
    for code in range(256):                                 # Two bits a suit.
        is_new = True
        moves = False
        for i in range(N_SUITS):
            renamings[n][i] = <uint8_t>(code >> 2 * i & 3)
            moves |= renamings[n][i] != i
            for k in range(i):
                is_new &= renamings[n][k] != renamings[n][i]
        if not is_new or not moves or layout.spades_matter and renamings[n][SPADES] != SPADES:
            continue
        if renamed(layout.wild_mask, renamings[n]) == layout.wild_mask:
            n += 1
            if n == MAX_RENAMINGS - 1:
                break
    return n


cdef int32_t known_sets(
    const Layout* layout, const Deal* deal, int32_t n_players, uint64_t dead_mask, uint64_t* sets
) noexcept nogil:
    cdef int32_t player, i
    memset(sets, 0, MAX_KNOWN_SETS * sizeof(uint64_t))
    sets[0] = dead_mask
    for i in range(layout.n_board_cards):
        if deal.board[i] != CARD_UNKNOWN:
            sets[1] |= <uint64_t>1 << deal.board[i]
    for player in range(n_players):
        for i in range(layout.n_hole_cards):
            if deal.hole_cards[player][i] != CARD_UNKNOWN:
                sets[2 + 2 * player + (layout.faces_matter and layout.up_mask >> i & 1)] |= (
                    <uint64_t>1 << deal.hole_cards[player][i])
    return 2 + 2 * n_players


cdef void least_form(const Layout* layout, uint64_t* sets, int32_t n_sets) noexcept nogil:
    cdef uint8_t renamings[MAX_RENAMINGS][4]
    cdef uint64_t best[MAX_KNOWN_SETS]
    cdef uint64_t image
    cdef int32_t k, i
    cdef bint is_less
    memcpy(best, sets, n_sets * sizeof(uint64_t))
    for k in range(all_renamings(layout, renamings)):
        is_less = False
        for i in range(n_sets):
            image = renamed(sets[i], renamings[k])
            if not is_less and image > best[i]:
                break
            is_less |= image < best[i]
            if is_less:
                best[i] = image
    memcpy(sets, best, n_sets * sizeof(uint64_t))


cdef void keep_renamings(Completions* completions, const Layout* layout, const uint64_t* sets, int32_t n_sets) noexcept nogil:
    """Keeps the renamings that leave every set of known cards as it is."""
    cdef uint8_t renamings[MAX_RENAMINGS][4]
    cdef int32_t k, i
    cdef bint is_kept
    completions.n_renamings = 0
    for k in range(all_renamings(layout, renamings)):
        is_kept = True
        for i in range(n_sets):
            is_kept &= renamed(sets[i], renamings[k]) == sets[i]
        if is_kept:
            memcpy(completions.renamings[completions.n_renamings], renamings[k], N_SUITS)
            completions.n_renamings += 1


cdef inline int64_t orbit_size(const Completions* completions, uint64_t cards) noexcept nogil:
    """How many sets of cards the renamings make of this one; 0 where a smaller one of them stands for all."""
    cdef int32_t k, n_same = 1
    cdef uint64_t image
    for k in range(completions.n_renamings):
        image = renamed(cards, completions.renamings[k])
        if image < cards:
            return 0
        n_same += image == cards
    return (completions.n_renamings + 1) // n_same


# --- The walk -----------------------------------------------------------------------------------------------------------


cdef void add_group(
    Completions* completions, const uint8_t* cards, int32_t n_cards, int32_t player, uint32_t places
) noexcept nogil:
    """Adds the unknown cards among `places` as one group, if there are any."""
    cdef CardGroup* group = &completions.groups[completions.n_groups]
    cdef int32_t i
    group.player = player
    group.n_cards = 0
    for i in range(n_cards):
        if places >> i & 1 and cards[i] == CARD_UNKNOWN:
            group.places[group.n_cards] = <uint8_t>i
            group.n_cards += 1
    completions.n_groups += group.n_cards > 0


cdef void begin_completions(
    Completions* completions, const Layout* layout, const Deal* deal, int32_t n_players, uint64_t dead_mask
) noexcept nogil:
    cdef uint64_t sets[MAX_KNOWN_SETS]
    cdef uint64_t known_mask = 0
    cdef uint32_t up_mask = layout.up_mask if layout.faces_matter else 0
    cdef int32_t n_sets = known_sets(layout, deal, n_players, dead_mask, sets)
    cdef int32_t player, i
    completions.n_groups = 0
    completions.phase = WALK_FRESH
    completions.weight = 1
    add_group(completions, deal.board, layout.n_board_cards, PLAYER_BOARD, ~0u)
    for player in range(n_players):
        add_group(completions, deal.hole_cards[player], layout.n_hole_cards, player, ~up_mask)
        add_group(completions, deal.hole_cards[player], layout.n_hole_cards, player, up_mask)
    for i in range(n_sets):
        known_mask |= sets[i]
    replace_known(completions, layout, deal, known_mask)
    keep_renamings(completions, layout, sets, n_sets)


cdef void replace_known(Completions* completions, const Layout* layout, const Deal* deal, uint64_t known_mask) noexcept nogil:
    cdef int32_t i, n = 0
    completions.deal = deal[0]
    for i in range(DECK_CARDS_MAX - 1, -1, -1):
        if layout.deck_mask & ~known_mask & <uint64_t>1 << i:
            completions.left[0][n] = <uint8_t>i
            n += 1
    completions.n_left[0] = n


cdef int32_t n_common_groups(const Completions* completions) noexcept nogil:
    """1 while cards of the board are unknown, else 0: they are the first group."""
    return completions.n_groups > 0 and completions.groups[0].player == PLAYER_BOARD


cdef inline uint8_t* cards_of(Completions* completions, int32_t group) noexcept nogil:
    """The hand, or the board, that a group belongs to."""
    if completions.groups[group].player == PLAYER_BOARD:
        return completions.deal.board
    return completions.deal.hole_cards[completions.groups[group].player]


cdef inline void place_card(Completions* completions, int32_t group, int32_t i) noexcept nogil:
    """Puts the i-th chosen card of a group into the deal."""
    cdef uint8_t card = completions.left[group][completions.chosen[group][i]]
    cards_of(completions, group)[completions.groups[group].places[i]] = card
    if group == 0:
        completions.first_masks[i + 1] = completions.first_masks[i] | <uint64_t>1 << card


cdef inline bint turn(Completions* completions, int32_t group) noexcept nogil:
    """The next combination of a group; False when it had its last."""
    cdef int32_t n_cards = completions.groups[group].n_cards
    cdef int32_t spare = completions.n_left[group] - n_cards
    cdef uint8_t* chosen = completions.chosen[group]
    cdef int32_t i = n_cards - 1, k
    while i >= 0 and chosen[i] == spare + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    place_card(completions, group, i)
    for k in range(i + 1, n_cards):
        chosen[k] = <uint8_t>(chosen[k - 1] + 1)
        place_card(completions, group, k)
    return True


cdef inline bint is_least_so_far(const Completions* completions, uint64_t cards, int32_t lowest_rank) noexcept nogil:
    """False if no smaller cards can make these the least of their orbit: some renaming makes less of the ranks above."""
    cdef uint64_t above = cards >> 4 * (lowest_rank + 1) << 4 * (lowest_rank + 1)
    cdef int32_t k
    for k in range(completions.n_renamings):
        if renamed(above, completions.renamings[k]) < above:
            return False
    return True


cdef bint turn_first(Completions* completions, int32_t i) noexcept nogil:
    """As `turn` for the first group, from index `i` on, past those that another one stands for.

    The cards go from high to low, so the first ones decide which set is less: where they cannot begin the least set of an orbit,
    none of what they begin is visited.
    """
    cdef int32_t n_cards = completions.groups[0].n_cards
    cdef int32_t spare = completions.n_left[0] - n_cards
    cdef uint8_t* chosen = completions.chosen[0]
    while True:
        while i >= 0 and chosen[i] == spare + i:
            i -= 1
        if i < 0:
            return False
        chosen[i] += 1
        while True:
            place_card(completions, 0, i)
            if i == n_cards - 1:
                break
            if not is_least_so_far(completions, completions.first_masks[i + 1], completions.left[0][chosen[i]] >> 2):
                break
            i += 1
            chosen[i] = <uint8_t>(chosen[i - 1] + 1)
        if i == n_cards - 1:
            completions.weight = orbit_size(completions, completions.first_masks[n_cards])
            if completions.weight:
                return True


cdef int32_t list_left(const Completions* completions, int32_t n_groups, uint8_t* cards) noexcept nogil:
    cdef int32_t last = n_groups - 1
    cdef int32_t i, k = 0, n = 0
    if n_groups == 0:
        memcpy(cards, completions.left[0], completions.n_left[0])
        return completions.n_left[0]
    for i in range(completions.n_left[last]):
        if k < completions.groups[last].n_cards and completions.chosen[last][k] == i:
            k += 1
        else:
            cards[n] = completions.left[last][i]
            n += 1
    return n


cdef inline void reset_group(Completions* completions, int32_t group) noexcept nogil:
    """The first combination of a group, from what the groups before it leave."""
    cdef int32_t i
    if group > 0:
        completions.n_left[group] = list_left(completions, group, completions.left[group])
    for i in range(completions.groups[group].n_cards):
        completions.chosen[group][i] = <uint8_t>i
        place_card(completions, group, i)


cdef int32_t next_completion(Completions* completions) noexcept nogil:
    cdef int32_t group = completions.n_groups - 1
    cdef int32_t i
    if completions.phase == WALK_DONE or completions.phase == WALK_RUNNING and group < 0:
        completions.phase = WALK_DONE
        return -1
    if completions.phase == WALK_FRESH:
        completions.phase = WALK_RUNNING
        if group < 0:
            return 0
        group = 0
        completions.first_masks[0] = 0
        reset_group(completions, 0)
        completions.weight = orbit_size(completions, completions.first_masks[completions.groups[0].n_cards])
        if completions.weight == 0:
            turn_first(completions, completions.groups[0].n_cards - 1)   # There is one: every orbit has a least set.
    else:
        while group > 0 and not turn(completions, group):
            group -= 1
        if group == 0 and not (turn_first(completions, completions.groups[0].n_cards - 1) if completions.n_renamings
                               else turn(completions, 0)):
            completions.phase = WALK_DONE
            return -1
    for i in range(group + 1, completions.n_groups):
        reset_group(completions, i)
    return group


# --- At random ----------------------------------------------------------------------------------------------------------


# Words are meant to overflow.
@cython.overflowcheck(False)
cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


@cython.overflowcheck(False)
cdef Draws draws_of(uint64_t seed, uint64_t number) noexcept nogil:
    cdef Draws draws
    draws.state = mixed(mixed(seed + GOLDEN) ^ mixed(number))
    return draws


@cython.overflowcheck(False)
cdef inline uint64_t next_word(Draws* draws) noexcept nogil:
    draws.state += GOLDEN
    return mixed(draws.state)


@cython.overflowcheck(False)
cdef uint64_t draw_below(Draws* draws, uint64_t bound) noexcept nogil:
    """The upper half of word x bound (Lemire 2019); words are dropped that would make some results likelier."""
    cdef unsigned long long low
    cdef uint64_t result = product(next_word(draws), bound, &low)
    if low < bound:
        while low < (~bound + 1) % bound:
            result = product(next_word(draws), bound, &low)
    return result


cdef void draw_completion(Completions* completions, Draws* draws) noexcept nogil:
    cdef uint8_t left[DECK_CARDS_MAX]
    cdef int32_t n_left = completions.n_left[0]
    cdef int32_t group, i, k
    cdef uint8_t* cards
    memcpy(left, completions.left[0], DECK_CARDS_MAX)
    for group in range(completions.n_groups):
        cards = cards_of(completions, group)
        for i in range(completions.groups[group].n_cards):
            k = <int32_t>draw_below(draws, <uint64_t>n_left)
            cards[completions.groups[group].places[i]] = left[k]
            n_left -= 1
            left[k] = left[n_left]


# --- Python face --------------------------------------------------------------------------------------------------------


cdef uint64_t mask_of(tuple cards):
    cdef uint64_t mask = 0
    for card in cards:
        if card != CARD_UNKNOWN:
            mask |= <uint64_t>1 << <int>card
    return mask


cdef tuple read_places(cards, int32_t n_places, uint64_t deck_mask, str field):
    """Known cards in their places, CARD_UNKNOWN in the others. Raises InputError."""
    read = tuple([int(card) for card in cards])
    if len(read) > n_places:
        raise InputError(f"expected at most {n_places} cards, got {len(read)}", field=field)
    known = [card for card in read if card != CARD_UNKNOWN]
    for card in known:
        if not 0 <= card < DECK_CARDS_MAX:
            raise InputError(f"no card has the code {card}", field=field)
        if not deck_mask >> <int>card & 1:
            raise InputError(f"{format_card(card)} is not in the deck of this game", field=field)
        if known.count(card) > 1:
            raise InputError(f"{format_card(card)} stands twice", field=field)
    return read + (CARD_UNKNOWN,) * (n_places - len(read))


cdef object n_deals_of(const Completions* completions):
    cdef int32_t group
    n_left, n_deals = completions.n_left[0], 1
    for group in range(completions.n_groups):
        n_deals *= math.comb(n_left, completions.groups[group].n_cards)
        n_left -= completions.groups[group].n_cards
    return n_deals


cdef int32_t check_deck(const Completions* completions) except -1:
    cdef int32_t group, n_unknown = 0
    for group in range(completions.n_groups):
        n_unknown += completions.groups[group].n_cards
    if n_unknown > completions.n_left[0]:
        message = f"the deal needs {n_unknown} more cards and there are {completions.n_left[0]} (CARD-08)"
        raise InputError(message, field="hands")
    return 0
