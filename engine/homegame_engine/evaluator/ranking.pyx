# cython: language_level=3
"""What cards are worth under every ranking: chooses the evaluator that the rule and the cards ask for. See ranking.pxd.

Here is decided which cards may play together and which of them are wild. What five cards are worth is known to `high`, `low`,
`wild` and `exact`. This module knows no game, no pot and no seat.
"""

import operator

from homegame_engine.evaluator.exact cimport rank_two_and_three, rank_two_and_three_rows
from homegame_engine.evaluator.high cimport rank_high, rank_high_if_natural, rank_high_rows
from homegame_engine.evaluator.low cimport (
    qualifying_rank,
    rank_badugi,
    rank_badugi_rows,
    rank_low,
    rank_low_rows,
)
from homegame_engine.evaluator.wild cimport rank_wild, rank_wild_rows
from homegame_engine.masks cimport highest_bit
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

import numpy as np

from homegame_engine.errors import InputError

cdef enum:
    N_HOLE_MAX = 7
    N_BOARD_MAX = 10
    N_CARDS_MAX = 17        # Of both together.
    N_FIVE = 5
    N_SEVEN = 7             # The most cards that one look-up ranks.
    N_BADUGI = 4
    N_DECK_CARDS = 52
    N_ALL_CARDS = 54
    N_RANKS = 13
    ACE = 12
    SPADES = 3
    N_UP_RANKED = 5
    LOWEST_IS_BEST = 0x7FFFFFFF

cdef uint64_t JOKERS = <uint64_t>3 << N_DECK_CARDS


# --- Which cards are wild ---------------------------------------------------------------------------------------------------


cdef uint64_t low_hole_mask(const uint8_t* hole, int32_t n_hole, uint32_t up_mask, bint ace_is_low) noexcept nogil:
    """The holder's cards of the rank of the lowest face-down one (RANK-WILD-04). A joker has no rank."""
    cdef int32_t lowest = N_RANKS, i, place
    cdef uint64_t mask = 0
    for i in range(n_hole):
        if not up_mask >> i & 1 and hole[i] < N_DECK_CARDS:
            place = hole[i] >> 2
            lowest = min(lowest, -1 if place == ACE and ace_is_low else place)
    if lowest < 0:
        lowest = ACE
    for i in range(n_hole):
        if hole[i] >> 2 == lowest and hole[i] < N_DECK_CARDS:
            mask |= <uint64_t>1 << hole[i]
    return mask


# --- Which cards play together ----------------------------------------------------------------------------------------------


cdef inline bint next_choice(int32_t* places, int32_t n_chosen, int32_t n) noexcept nogil:
    """Goes on to the next choice of ascending places below n; False after the last one."""
    cdef int32_t i = n_chosen - 1
    while i >= 0 and places[i] == n - n_chosen + i:
        i -= 1
    if i < 0:
        return False
    places[i] += 1
    for i in range(i + 1, n_chosen):
        places[i] = places[i - 1] + 1
    return True


cdef inline void first_choice(int32_t* places, int32_t n_chosen) noexcept nogil:
    cdef int32_t i
    for i in range(n_chosen):
        places[i] = i


cdef inline int32_t rank_any(
    int32_t ranking, const uint8_t* cards, int32_t n_cards, uint64_t wild_mask
) noexcept nogil:
    """Five to seven cards; `wild_mask` is empty if none of them is wild."""
    if wild_mask:
        return rank_wild(ranking, cards, n_cards, wild_mask)
    if ranking == RANKING_HIGH:
        return rank_high(cards, n_cards)
    return rank_low(ranking, cards, n_cards)


cdef int32_t rank_many(int32_t ranking, const uint8_t* cards, int32_t n_cards, uint64_t wild_mask) noexcept nogil:
    """More than seven cards: every seven of them."""
    cdef int32_t[N_SEVEN] places
    cdef uint8_t[N_SEVEN] seven
    cdef int32_t best = 0, i
    first_choice(places, N_SEVEN)
    while True:
        for i in range(N_SEVEN):
            seven[i] = cards[places[i]]
        best = max(best, rank_any(ranking, seven, N_SEVEN, wild_mask))
        if not next_choice(places, N_SEVEN, n_cards):
            return best


cdef int32_t rank_exactly(
    const RankingRule* rule,
    const uint8_t* hole,
    int32_t n_hole,
    const uint8_t* board,
    int32_t n_board,
    uint64_t wild_mask,
) noexcept nogil:
    """Exactly so many private cards and the rest from the board."""
    cdef int32_t[N_FIVE] hole_places
    cdef int32_t[N_FIVE] board_places
    cdef uint8_t[N_FIVE] five
    cdef int32_t n_private = rule.exact_hole, n_common = N_FIVE - rule.exact_hole, best = 0, i
    if n_hole < n_private or n_board < n_common:
        return 0
    if n_private == 2 and n_board == N_FIVE and not wild_mask:
        return rank_two_and_three(rule.ranking, hole, n_hole, board)
    first_choice(hole_places, n_private)
    while True:
        for i in range(n_private):
            five[i] = hole[hole_places[i]]
        first_choice(board_places, n_common)
        while True:
            for i in range(n_common):
                five[n_private + i] = board[board_places[i]]
            best = max(best, rank_any(rule.ranking, five, N_FIVE, wild_mask))
            if not next_choice(board_places, n_common, n_board):
                break
        if not next_choice(hole_places, n_private, n_hole):
            return best


cdef int32_t rank_low_spade(const uint8_t* hole, int32_t n_hole, uint32_t up_mask) noexcept nogil:
    """RANK-LO-06: face-down spades alone, the deuce best, the ace high."""
    cdef int32_t best = 0, i
    for i in range(n_hole):
        if not up_mask >> i & 1 and hole[i] < N_DECK_CARDS and hole[i] & 3 == SPADES:
            best = max(best, N_RANKS - (hole[i] >> 2))
    return best


cdef int32_t rank_badugi_with_wild(const uint8_t* cards, int32_t n_cards, uint64_t wild_mask) noexcept nogil:
    cdef uint8_t[N_CARDS_MAX] natural
    cdef int32_t n_natural = 0, i
    for i in range(n_cards):
        if not wild_mask >> cards[i] & 1:
            natural[n_natural] = cards[i]
            n_natural += 1
    return rank_badugi(natural, n_natural, n_cards - n_natural)


cdef inline bint holds_wild(const uint8_t* cards, int32_t n_cards, uint64_t wild_mask) noexcept nogil:
    cdef uint64_t held = 0
    cdef int32_t i
    for i in range(n_cards):
        held |= <uint64_t>1 << cards[i]
    return held & wild_mask != 0


cdef int32_t rank_with_wild(
    const RankingRule* rule,
    const uint8_t* cards,
    int32_t n_hole,
    int32_t n_board,
    uint64_t wild_mask,
) noexcept nogil:
    """Best hand where it is known which cards are wild; the private cards come first."""
    cdef int32_t n_cards = n_hole + n_board
    cdef int32_t hand_rank = 0
    if not holds_wild(cards, n_cards, wild_mask):
        wild_mask = 0
    if rule.ranking == RANKING_BADUGI:
        return rank_badugi_with_wild(cards, n_cards, wild_mask)
    if rule.exact_hole:
        hand_rank = rank_exactly(rule, cards, n_hole, cards + n_hole, n_board, wild_mask)
    elif n_cards > N_SEVEN:
        hand_rank = rank_many(rule.ranking, cards, n_cards, wild_mask)
    elif n_cards >= N_FIVE:
        hand_rank = rank_any(rule.ranking, cards, n_cards, wild_mask)
    # A low that does not qualify is no hand (RANK-LO-02).
    if rule.qualifier and hand_rank < qualifying_rank(rule.ranking, rule.qualifier):
        return 0
    return hand_rank


cdef inline const uint8_t* side_by_side(
    const uint8_t* hole, int32_t n_hole, const uint8_t* board, int32_t n_board, uint8_t* room
) noexcept nogil:
    """All cards in one piece: where they lie if they do so already, else in `room`."""
    cdef int32_t i
    if n_board == 0 or board == hole + n_hole:
        return hole
    for i in range(n_hole):
        room[i] = hole[i]
    for i in range(n_board):
        room[n_hole + i] = board[i]
    return room


cdef int32_t rank_hand(
    const RankingRule* rule,
    const uint8_t* hole,
    int32_t n_hole,
    uint32_t up_mask,
    const uint8_t* board,
    int32_t n_board,
) noexcept nogil:
    cdef uint8_t[N_CARDS_MAX] room
    cdef const uint8_t* cards
    cdef int32_t n_cards = n_hole + n_board
    cdef uint64_t wild_mask = rule.wild_mask | JOKERS
    cdef uint64_t low_reading
    cdef int32_t hand_rank
    if rule.ranking == RANKING_LOW_SPADE:
        return rank_low_spade(hole, n_hole, up_mask)
    cards = side_by_side(hole, n_hole, board, n_board, room)
    if rule.low_hole_wild:
        # RANK-WILD-04: a face-down ace is high or low, whichever is better.
        low_reading = wild_mask | low_hole_mask(hole, n_hole, up_mask, True)
        wild_mask |= low_hole_mask(hole, n_hole, up_mask, False)
        hand_rank = rank_with_wild(rule, cards, n_hole, n_board, wild_mask)
        if low_reading != wild_mask:
            hand_rank = max(hand_rank, rank_with_wild(rule, cards, n_hole, n_board, low_reading))
        return hand_rank
    if rule.ranking == RANKING_HIGH and not rule.exact_hole and wild_mask == JOKERS and N_FIVE <= n_cards <= N_SEVEN:
        hand_rank = rank_high_if_natural(cards, n_cards)
        if hand_rank:
            return hand_rank
    return rank_with_wild(rule, cards, n_hole, n_board, wild_mask)


cdef void rank_rows(
    const RankingRule* rule,
    const uint8_t* cards,
    Py_ssize_t n_hands,
    int32_t n_hole,
    int32_t n_board,
    uint32_t up_mask,
    bint natural,         # No card of any hand is wild for everybody.
    int32_t* hand_ranks,  # OUT, n_hands long
) noexcept nogil:
    """Hands that lie one after another: the loop that is made for the rule, or one call a hand."""
    cdef int32_t n_cards = n_hole + n_board
    cdef int32_t least_rank = qualifying_rank(rule.ranking, rule.qualifier) if rule.qualifier else 0
    cdef bint of_five = RANKING_HIGH <= rule.ranking <= RANKING_DEUCE_TO_SEVEN and not rule.low_hole_wild
    cdef bint any_of_all = of_five and not rule.exact_hole and (n_cards == N_FIVE or n_cards == N_SEVEN)
    cdef const uint8_t* hole
    cdef Py_ssize_t i
    if any_of_all and not natural:
        rank_wild_rows(rule.ranking, least_rank, rule.wild_mask | JOKERS, cards, n_hands, n_cards, hand_ranks)
    elif any_of_all and rule.ranking == RANKING_HIGH:
        rank_high_rows(cards, n_hands, n_cards, hand_ranks)
    elif any_of_all:
        rank_low_rows(rule.ranking, least_rank, cards, n_hands, n_cards, hand_ranks)
    elif of_five and rule.exact_hole == 2 and natural and n_hole >= 2 and n_board == N_FIVE:
        rank_two_and_three_rows(rule.ranking, least_rank, cards, n_hands, n_hole, hand_ranks)
    elif rule.ranking == RANKING_BADUGI and natural and n_cards == N_BADUGI:
        rank_badugi_rows(cards, n_hands, hand_ranks)
    else:
        for i in range(n_hands):
            hole = cards + i * n_cards
            hand_ranks[i] = rank_hand(rule, hole, n_hole, up_mask, hole + n_hole, n_board)


# --- Exposed cards ----------------------------------------------------------------------------------------------------------


cdef inline int32_t place_ranks(uint32_t ranks, int32_t size, int32_t order) noexcept nogil:
    """Appends to `order` each rank of a mask, from the top and `size` times, a nibble each."""
    cdef int32_t place, _k
    while ranks:
        place = highest_bit(ranks)
        ranks ^= 1u << place
        for _k in range(size):
            order = order << 4 | place
    return order


cdef int32_t rank_up_natural(const uint8_t* up, int32_t n, bint ace_is_low) noexcept nogil:
    """As `rank_up` where nothing is wild, at most five cards: stud asks for little else, six times a street."""
    cdef uint32_t once = 0, twice = 0, thrice = 0, four_times = 0, bit
    cdef int32_t i, place, order
    for i in range(n):
        place = (up[i] >> 2) + 2
        bit = 1u << (1 if ace_is_low and place == ACE + 2 else place)
        four_times |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    if twice == 0:
        return place_ranks(once, 1, 0) << 4 * (N_UP_RANKED - n)
    order = place_ranks(four_times, 4, 0)
    order = place_ranks(thrice & ~four_times, 3, order)
    order = place_ranks(twice & ~thrice, 2, order)
    order = place_ranks(once & ~twice, 1, order) << 4 * (N_UP_RANKED - n)
    if thrice:
        return (4 if four_times else 3) << 4 * N_UP_RANKED | order
    return (2 if twice & (twice - 1) else 1) << 4 * N_UP_RANKED | order


cdef int32_t rank_up(const uint8_t* up, int32_t n, uint64_t wild_mask, bint ace_is_low) noexcept nogil:
    """Pairs and larger sets first, then the ranks from the top, the most frequent first (RANK-UP-01)."""
    cdef int32_t[N_RANKS + 2] counts
    cdef int32_t i, place, size, n_wild = 0, n_pairs = 0, most = 0, order = 0, n_placed = 0, largest = 0
    cdef uint64_t held = 0
    for i in range(n):
        held |= <uint64_t>1 << up[i]
    if held & wild_mask == 0 and n <= N_UP_RANKED:
        return rank_up_natural(up, n, ace_is_low)
    for place in range(N_RANKS + 2):
        counts[place] = 0
    for i in range(n):
        if wild_mask >> up[i] & 1:
            n_wild += 1
        else:
            place = (up[i] >> 2) + 2
            counts[1 if ace_is_low and place == ACE + 2 else place] += 1
    if ace_is_low:
        # RANK-WILD-06: the lowest ranks that are not there.
        place = 1
        while n_wild:
            if not counts[place]:
                counts[place] = 1
                n_wild -= 1
            place += 1
    # Wild cards make the largest set larger, the highest of several: nothing else is worth as much. Alone they are aces.
    for place in range(1, N_RANKS + 2):
        if counts[place] >= counts[largest]:
            largest = place
    counts[largest] += n_wild
    for size in range(n, 0, -1):
        for place in range(N_RANKS + 1, 0, -1):
            if counts[place] == size:
                most = max(most, size)
                n_pairs += size == 2
                i = 0
                while i < size and n_placed < N_UP_RANKED:
                    order = order << 4 | place
                    n_placed += 1
                    i += 1
    order <<= 4 * (N_UP_RANKED - n_placed)
    return (most if most > 2 else n_pairs) << 4 * N_UP_RANKED | order


cdef int32_t rank_exposed(const uint8_t* up, int32_t n) noexcept nogil:
    return rank_up(up, n, JOKERS, False)


cdef int32_t rank_exposed_wild(const uint8_t* up, int32_t n, uint64_t wild_mask) noexcept nogil:
    return rank_up(up, n, wild_mask | JOKERS, False)


cdef int32_t rank_exposed_low(const uint8_t* up, int32_t n) noexcept nogil:
    return rank_exposed_low_wild(up, n, 0)


cdef int32_t rank_exposed_low_wild(const uint8_t* up, int32_t n, uint64_t wild_mask) noexcept nogil:
    return LOWEST_IS_BEST - rank_up(up, n, wild_mask | JOKERS, True)


# --- Python skin ------------------------------------------------------------------------------------------------------------


cdef uint64_t mask_of(cards) except? 0xFFFFFFFFFFFFFFFF:
    cdef uint64_t mask = 0
    for card in cards:
        mask |= <uint64_t>1 << <int32_t>card
    return mask


cdef RankingRule read_rule(rule) except *:
    """The struct of a rule; a `RankingRule` was checked when it was made."""
    cdef RankingRule core
    core.ranking = rule.ranking
    core.qualifier = rule.qualifier
    core.exact_hole = rule.exact_hole
    core.low_hole_wild = rule.low_hole_wild
    core.wild_mask = mask_of(rule.wild_cards)
    return core


cdef int32_t read_cards(hole, board, uint8_t* cards) except -1:
    """Copies private and then common cards into `cards` and returns how many they are."""
    cdef int32_t n_cards = 0
    cdef uint64_t held = 0
    if len(hole) > N_HOLE_MAX:
        raise InputError(f"expected at most {N_HOLE_MAX} private cards, got {len(hole)}", field="hole")
    if len(board) > N_BOARD_MAX:
        raise InputError(f"expected at most {N_BOARD_MAX} common cards, got {len(board)}", field="board")
    for field, part in (("hole", hole), ("board", board)):
        for card in part:
            code = operator.index(card)
            if not 0 <= code < N_ALL_CARDS:
                raise InputError(f"{code} is no card that can be ranked", field=field)
            if held >> <int32_t>code & 1:
                raise InputError(f"card {code} occurs twice", field=field)
            held |= <uint64_t>1 << <int32_t>code
            cards[n_cards] = code
            n_cards += 1
    return n_cards


cdef uint32_t read_up_mask(up_mask, Py_ssize_t n_hole) except? 0xFFFFFFFF:
    if not 0 <= up_mask < 1 << n_hole:
        raise InputError(f"{up_mask} names a private card that is not there", field="up_mask")
    return up_mask


def rank(rule, hole, board=(), up_mask=0):
    """Rank one hand.

    Args:
        rule: RankingRule: the ranking, which cards are wild, which cards may play together.
        hole: Private cards, at most 7 codes 0..53 (52 and 53 are jokers), in any order.
        board: Common cards, at most 10 codes.
        up_mask: Bit i says that `hole[i]` lies face up.

    Returns:
        The hand rank of the best hand: higher wins, equal ones tie, 0 is no hand. Only ranks of one ranking can be compared.

    Raises:
        InputError: Too many cards, a code that is no card, a card twice, a bit for no card.

    Rules:
        RANK-HI-01, RANK-LO-01, RANK-LO-02, RANK-LO-03, RANK-LO-04, RANK-LO-05, RANK-LO-06, RANK-WILD-01, RANK-WILD-04,
        RANK-WILD-06.
    """
    cdef uint8_t[N_CARDS_MAX] cards
    cdef RankingRule core = read_rule(rule)
    cdef int32_t n_hole = len(hole)
    cdef uint32_t up = read_up_mask(up_mask, n_hole)
    cdef int32_t n_board = read_cards(hole, board, cards) - n_hole
    return rank_hand(&core, cards, n_hole, up, cards + n_hole, n_board)


def rank_batch(rule, cards, n_hole=None, up_mask=0):
    """Rank many hands of one size.

    Args:
        rule: RankingRule.
        cards: uint8 array of shape (n, k): one hand a row, its private cards first, codes 0..53. The cards of a row must
            differ; this is not checked, because it would cost more than the ranking.
        n_hole: How many of the k cards are private, at most 7; all of them without it.
        up_mask: Bit i says that the private card i of every row lies face up.

    Returns:
        int32 array of n hand ranks; 0 is no hand.

    Raises:
        InputError: Another dtype or shape, a code that is no card, a bit for no card.

    Rules:
        As `rank`.
    """
    if cards.dtype != np.uint8 or cards.ndim != 2:
        raise InputError("expected an array of dtype uint8 with one hand a row", field="cards")
    cdef const uint8_t[:, ::1] rows = np.ascontiguousarray(cards)
    cdef Py_ssize_t n_hands = rows.shape[0], n_cards = rows.shape[1]
    cdef Py_ssize_t n_private = n_cards if n_hole is None else n_hole
    if not 0 <= n_private <= min(n_cards, N_HOLE_MAX) or n_cards - n_private > N_BOARD_MAX:
        raise InputError(f"{n_private} private and {n_cards - n_private} common cards cannot be ranked", field="n_hole")
    cdef RankingRule core = read_rule(rule)
    cdef uint32_t up = read_up_mask(up_mask, n_private)
    hand_ranks = np.zeros(n_hands, dtype=np.int32)
    if n_hands == 0 or n_cards == 0:
        return hand_ranks
    highest = cards.max()
    if highest >= N_ALL_CARDS:
        row = int(np.argmax((cards >= N_ALL_CARDS).any(axis=1)))
        raise InputError("this row holds a code that is no card", field=f"cards[{row}]")
    cdef bint natural = highest < N_DECK_CARDS and not core.wild_mask
    cdef int32_t[::1] out = hand_ranks
    with nogil:
        rank_rows(&core, &rows[0, 0], n_hands, <int32_t>n_private, <int32_t>(n_cards - n_private), up, natural, &out[0])
    return hand_ranks


def find_wild_readings(rule, hole, board=(), up_mask=0):
    """Say which of the cards are wild, in each way in which they may be read.

    Args:
        rule: RankingRule.
        hole: Private cards, as for `rank`.
        board: Common cards.
        up_mask: As for `rank`.

    Returns:
        One tuple of the wild cards, or two where a face-down ace may be high or low (RANK-WILD-04).

    Raises:
        InputError: As `rank`.

    Rules:
        RANK-WILD-01, RANK-WILD-04.
    """
    cdef uint8_t[N_CARDS_MAX] cards
    cdef RankingRule core = read_rule(rule)
    cdef int32_t n_hole = len(hole)
    cdef uint32_t up = read_up_mask(up_mask, n_hole)
    cdef int32_t n_cards = read_cards(hole, board, cards)
    cdef uint64_t wild_mask = core.wild_mask | JOKERS
    masks = [wild_mask]
    if core.low_hole_wild:
        masks = [wild_mask | low_hole_mask(cards, n_hole, up, ace_is_low) for ace_is_low in (False, True)]
    readings = [tuple([cards[i] for i in range(n_cards) if mask >> cards[i] & 1]) for mask in masks]
    return tuple(dict.fromkeys(readings))


def rank_up_cards(up, wild_cards=()):
    """Rank exposed cards: who has the highest number acts first in stud.

    Args:
        up: The face-up cards of one player, 1 to 7 codes 0..53.
        wild_cards: Codes that count as the best of any rank; jokers do in any case.

    Returns:
        A number that grows with the exposed hand; equal hands have equal numbers (RANK-UP-03).

    Raises:
        InputError: Too many cards or none, a code that is no card, a card twice.

    Rules:
        RANK-UP-01, RANK-UP-03.
    """
    cdef uint8_t[N_CARDS_MAX] cards
    cdef int32_t n_cards = read_up_cards(up, cards)
    return rank_exposed_wild(cards, n_cards, mask_of(wild_cards))


def rank_low_up_cards(up, wild_cards=()):
    """Rank exposed cards for razz: who has the highest number, and so the lowest hand, acts first.

    Args:
        up: The face-up cards of one player, 1 to 7 codes 0..53.
        wild_cards: Codes that count as the lowest rank that is not there; jokers do in any case.

    Returns:
        A number that grows as the exposed hand gets lower; equal hands have equal numbers.

    Raises:
        InputError: As `rank_up_cards`.

    Rules:
        RANK-UP-02, RANK-UP-03.
    """
    cdef uint8_t[N_CARDS_MAX] cards
    cdef int32_t n_cards = read_up_cards(up, cards)
    return rank_exposed_low_wild(cards, n_cards, mask_of(wild_cards))


cdef int32_t read_up_cards(up, uint8_t* cards) except -1:
    if not up:
        raise InputError("expected at least one exposed card", field="up")
    return read_cards(up, (), cards)
