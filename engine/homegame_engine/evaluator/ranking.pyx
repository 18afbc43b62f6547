# cython: language_level=3
"""What cards are worth under every ranking. See ranking.pxd."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from homegame_engine.evaluator.high cimport CATEGORY_SHIFT, FIVE_OF_A_KIND, rank_high

cdef enum:
    N_CARDS_MAX = 17
    N_DECK_CARDS = 52
    JOKERS = 3
    ACE = 12


cdef int32_t five_low(int32_t ranking, const uint8_t* cards, int32_t n_wild) noexcept nogil:
    """Low strength of five natural cards; `n_wild` of them stand for something, so that no flush can be meant."""
    cdef int32_t counts[15]
    cdef int32_t i, r, size, category, order = 0, n_order = 0, n_pairs = 0, most = 0, distinct = 0, lowest = 99, highest = 0
    cdef bint flush = n_wild == 0
    for i in range(15):
        counts[i] = 0
    for i in range(5):
        counts[(cards[i] >> 2) + 2] += 1
        if cards[i] & 3 != cards[0] & 3:
            flush = False
    # The ace as one; paired under ace to six as 14 (RANK-LO-04).
    if ranking == RANKING_ACE_TO_FIVE or ranking == RANKING_ACE_TO_SIX and counts[14] == 1:
        counts[1] = counts[14]
        counts[14] = 0
    size = 4
    while size > 0:
        r = 14
        while r > 0:
            if counts[r] == size:
                order = order << 4 | r
                n_order += 1
                if size == 2:
                    n_pairs += 1
                if size > most:
                    most = size
                distinct += 1
                lowest = min(lowest, r)
                highest = max(highest, r)
            r -= 1
        size -= 1
    order <<= 4 * (5 - n_order)
    if most == 4:
        category = 7
    elif most == 3:
        category = 6 if n_pairs else 3
    elif most == 2:
        category = n_pairs
    else:
        category = 0
        if ranking != RANKING_ACE_TO_FIVE:
            if highest - lowest == 4:
                category = 8 if flush else 4
            elif flush:
                category = 5
    return (8 - category) << 20 | (0xFFFFF - order)


cdef int32_t substitute_low(int32_t ranking, uint8_t* cards, int32_t n_natural, int32_t n, int32_t n_wild) noexcept nogil:
    cdef int32_t best = 0, i, r, held
    if n == 5:
        return five_low(ranking, cards, n_wild)
    for r in range(13):
        held = 0
        for i in range(n):
            if cards[i] >> 2 == r:
                held += 1
        if held < 4:
            cards[n] = <uint8_t>(r << 2)
            best = max(best, substitute_low(ranking, cards, n_natural, n + 1, n_wild))
    return best


cdef int32_t substitute_high(uint8_t* cards, int32_t n, int32_t first) noexcept nogil:
    cdef int32_t best = 0, card, i
    cdef bint held
    if n == 5:
        return rank_high(cards, 5)
    for card in range(first, N_DECK_CARDS):
        held = False
        for i in range(n):
            if cards[i] == card:
                held = True
        if not held:
            cards[n] = <uint8_t>card
            best = max(best, substitute_high(cards, n + 1, card + 1))
    return best


cdef int32_t five_high_wild(uint8_t* cards, int32_t n_natural) noexcept nogil:
    cdef int32_t i
    for i in range(1, n_natural):
        if cards[i] >> 2 != cards[0] >> 2:
            return substitute_high(cards, n_natural, 0)
    return FIVE_OF_A_KIND << CATEGORY_SHIFT | ((cards[0] >> 2 if n_natural else ACE) + 1)


cdef int32_t rank_five(const RankingRule* rule, const uint8_t* five, uint64_t wild_mask) noexcept nogil:
    cdef uint8_t cards[5]
    cdef int32_t n_natural = 0, i, hand_rank
    for i in range(5):
        if not wild_mask >> five[i] & 1:
            cards[n_natural] = five[i]
            n_natural += 1
    if rule.ranking == RANKING_HIGH:
        if n_natural == 5:
            return rank_high(cards, 5)
        return five_high_wild(cards, n_natural)
    hand_rank = substitute_low(rule.ranking, cards, n_natural, n_natural, 5 - n_natural)
    if rule.qualifier and (hand_rank >> 20 < 8 or 0xFFFFF - (hand_rank & 0xFFFFF) >= (rule.qualifier + 1) << 16):
        return 0
    return hand_rank


cdef int32_t choose_five(
    const RankingRule* rule,
    const uint8_t* hole,
    int32_t n_hole,
    const uint8_t* board,
    int32_t n_board,
    uint64_t wild_mask,
    uint8_t* five,
    int32_t n,
    int32_t n_private,
    int32_t first,
) noexcept nogil:
    """The best five of all; `first` counts through the private and then the common cards."""
    cdef int32_t best = 0, i
    if n == 5:
        if rule.exact_hole and n_private != rule.exact_hole:
            return 0
        return rank_five(rule, five, wild_mask)
    for i in range(first, n_hole + n_board):
        five[n] = hole[i] if i < n_hole else board[i - n_hole]
        best = max(best, choose_five(rule, hole, n_hole, board, n_board, wild_mask, five, n + 1,
                                     n_private + (i < n_hole), i + 1))
    return best


cdef int32_t badugi(const uint8_t* cards, int32_t n, int32_t first, int32_t ranks, int32_t suits, int32_t size) noexcept nogil:
    cdef int32_t best = size << 16 | (0xFFFF - ranks) if size else 0
    cdef int32_t i, low_rank, suit
    for i in range(first, n):
        low_rank = 0 if cards[i] >> 2 == ACE else (cards[i] >> 2) + 1
        suit = cards[i] & 3
        if not ranks >> low_rank & 1 and not suits >> suit & 1:
            best = max(best, badugi(cards, n, i + 1, ranks | 1 << low_rank, suits | 1 << suit, size + 1))
    return best


cdef int32_t low_spade(const uint8_t* hole, int32_t n_hole, uint32_t up_mask) noexcept nogil:
    cdef int32_t best = 0, i
    for i in range(n_hole):
        if not up_mask >> i & 1 and hole[i] < N_DECK_CARDS and hole[i] & 3 == 3:
            best = max(best, 13 - (hole[i] >> 2))
    return best


cdef uint64_t low_hole_mask(const uint8_t* hole, int32_t n_hole, uint32_t up_mask, bint ace_is_low) noexcept nogil:
    """RANK-WILD-04: the holder's cards of the rank of the lowest face-down one."""
    cdef int32_t lowest = 99, i, r
    cdef uint64_t mask = 0
    for i in range(n_hole):
        if not up_mask >> i & 1 and hole[i] < N_DECK_CARDS:
            r = hole[i] >> 2
            lowest = min(lowest, -1 if ace_is_low and r == ACE else r)
    if lowest < 0:
        lowest = ACE
    for i in range(n_hole):
        if hole[i] >> 2 == lowest:
            mask |= <uint64_t>1 << hole[i]
    return mask


cdef int32_t rank_hand(
    const RankingRule* rule,
    const uint8_t* hole,
    int32_t n_hole,
    uint32_t up_mask,
    const uint8_t* board,
    int32_t n_board,
) noexcept nogil:
    cdef uint8_t cards[N_CARDS_MAX]
    cdef uint8_t five[5]
    cdef uint64_t wild_mask = rule.wild_mask | <uint64_t>JOKERS << N_DECK_CARDS
    cdef uint64_t held = 0
    cdef int32_t i, best
    if rule.ranking == RANKING_LOW_SPADE:
        return low_spade(hole, n_hole, up_mask)
    for i in range(n_hole):
        cards[i] = hole[i]
        held |= <uint64_t>1 << hole[i]
    for i in range(n_board):
        cards[n_hole + i] = board[i]
        held |= <uint64_t>1 << board[i]
    if rule.ranking == RANKING_BADUGI:
        return badugi(cards, n_hole + n_board, 0, 0, 0, 0)
    if rule.low_hole_wild:
        best = choose_five(rule, hole, n_hole, board, n_board,
                           wild_mask | low_hole_mask(hole, n_hole, up_mask, False), five, 0, 0, 0)
        return max(best, choose_five(rule, hole, n_hole, board, n_board,
                                     wild_mask | low_hole_mask(hole, n_hole, up_mask, True), five, 0, 0, 0))
    if rule.ranking == RANKING_HIGH and not rule.exact_hole and not wild_mask & held and 5 <= n_hole + n_board <= 7:
        return rank_high(cards, n_hole + n_board)
    return choose_five(rule, hole, n_hole, board, n_board, wild_mask, five, 0, 0, 0)


cdef int32_t exposed(const uint8_t* up, int32_t n, uint64_t wild_mask, bint low) noexcept nogil:
    """Category, then the ranks by how often they are held (RANK-UP-01)."""
    cdef int32_t counts[15]
    cdef int32_t i, r, size, n_wild = 0, n_pairs = 0, most = 0, order = 0, best = 0
    for i in range(15):
        counts[i] = 0
    for i in range(n):
        if wild_mask >> up[i] & 1:
            n_wild += 1
        else:
            r = (up[i] >> 2) + 2
            counts[1 if low and r == 14 else r] += 1
    # Wild cards make the largest set larger, which nothing else they could do equals.
    for r in range(1, 15):
        if counts[r] >= counts[best]:
            best = r
    counts[best] += n_wild
    for size in range(5, 0, -1):
        for r in range(14, 0, -1):
            if counts[r] == size:
                most = max(most, size)
                n_pairs += size == 2
                for i in range(size):
                    order = order << 4 | r
    order <<= 4 * (5 - n)
    if most == 2:
        return n_pairs << 20 | order
    return (most if most > 2 else 0) << 20 | order


cdef int32_t rank_exposed(const uint8_t* up, int32_t n) noexcept nogil:
    return exposed(up, n, 0, False)


cdef int32_t rank_exposed_wild(const uint8_t* up, int32_t n, uint64_t wild_mask) noexcept nogil:
    return exposed(up, n, wild_mask | <uint64_t>JOKERS << N_DECK_CARDS, False)


cdef int32_t rank_exposed_low(const uint8_t* up, int32_t n) noexcept nogil:
    return 0x7FFFFFF - exposed(up, n, 0, True)


def rank(rule, hole, board=(), uint32_t up_mask=0):
    """Rank one hand; `rule` has the fields of RankingRule, its wild cards as codes."""
    cdef RankingRule given
    cdef uint8_t cards[N_CARDS_MAX]
    cdef int32_t n_hole = len(hole), n_board = len(board), i
    given.ranking = rule.ranking
    given.qualifier = rule.qualifier
    given.exact_hole = rule.exact_hole
    given.low_hole_wild = rule.low_hole_wild
    given.wild_mask = 0
    for card in rule.wild_cards:
        given.wild_mask |= <uint64_t>1 << <int>card
    for i in range(n_hole):
        cards[i] = hole[i]
    for i in range(n_board):
        cards[n_hole + i] = board[i]
    return rank_hand(&given, cards, n_hole, up_mask, cards + n_hole, n_board)
