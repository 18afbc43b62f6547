# cython: language_level=3
"""How good cards are, and which to part with. See strength.pxd.

The rules of thumb are plain on purpose: a rule designer can read them, and every seat plays by the same ones.
"""

from homegame_engine.cards cimport card_rank, card_suit
from homegame_engine.evaluator.high cimport CATEGORY_SHIFT, STRAIGHT
from homegame_engine.evaluator.ranking cimport (
    RANKING_BADUGI,
    RANKING_DEUCE_TO_SEVEN,
    RANKING_HIGH,
    RANKING_LOW_SPADE,
    RankingRule,
    rank_exposed_low_wild,
    rank_exposed_wild,
    rank_hand,
)
from homegame_engine.masks cimport count_seats
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

cdef enum:
    N_CARDS_WITHOUT_JOKERS = 52
    N_FIVE = 5
    N_FOUR_FLUSH = 4
    N_RANKS = 13
    N_SUITS = 4
    RANK_EIGHT = 6
    RANK_JACK = 9
    RANK_QUEEN = 10
    RANK_KING = 11
    RANK_ACE = 12


cdef inline bint is_wild(const RankingRule* rule, uint8_t card) noexcept nogil:
    return card >= N_CARDS_WITHOUT_JOKERS or rule.wild_mask >> card & 1


# --- How good they are ------------------------------------------------------------------------------------------------------


cdef int32_t rate_two_cards(uint8_t a, uint8_t b) noexcept nogil:
    cdef int32_t high = card_rank(a), low = card_rank(b), points, gap
    if high < low:
        high, low = low, high
    if high == RANK_ACE:
        points = 20
    elif high == RANK_KING:
        points = 16
    elif high == RANK_QUEEN:
        points = 14
    elif high == RANK_JACK:
        points = 12
    else:
        points = high + 2
    if high == low:
        return 2 * points if points > 5 else 10
    if card_suit(a) == card_suit(b):
        points += 4
    gap = high - low - 1
    if gap == 1:
        points -= 2
    elif gap == 2:
        points -= 4
    elif gap == 3:
        points -= 8
    elif gap > 3:
        points -= 10
    if gap <= 1 and high < RANK_QUEEN:
        points += 2
    return points if points > 0 else 0


cdef inline bint is_complete(const RankingRule* rule, const Held* held) noexcept nogil:
    """Whether there are cards enough for a hand rank."""
    if rule.ranking == RANKING_BADUGI or rule.ranking == RANKING_LOW_SPADE:
        return True
    if rule.exact_hole:
        return held.n_hole_cards >= rule.exact_hole and held.n_board_cards >= N_FIVE - rule.exact_hole
    return held.n_hole_cards + held.n_board_cards >= N_FIVE


cdef int32_t score_pairs(const RankingRule* rule, const Held* held) noexcept nogil:
    """The two private cards that go best together: all that may play of them, or all that will be left of them."""
    cdef uint8_t two[2]
    cdef int32_t best = 0, i, k
    for i in range(held.n_hole_cards):
        two[0] = held.hole_cards[i]
        for k in range(i):
            two[1] = held.hole_cards[k]
            if rule.ranking == RANKING_HIGH:
                best = max(best, rate_two_cards(two[0], two[1]))
            else:
                best = max(best, rank_exposed_low_wild(two, 2, rule.wild_mask))
    return best


cdef int32_t score_held(const RankingRule* rule, const Held* held) noexcept nogil:
    if is_complete(rule, held):
        return rank_hand(
            rule, held.hole_cards, held.n_hole_cards, held.up_mask, held.board, held.n_board_cards
        )
    if held.has_board:
        return score_pairs(rule, held)
    # Fewer than five cards are compared as exposed ones are (RANK-UP-01, RANK-UP-02).
    if rule.ranking == RANKING_HIGH:
        return rank_exposed_wild(held.hole_cards, held.n_hole_cards, rule.wild_mask)
    return rank_exposed_low_wild(held.hole_cards, held.n_hole_cards, rule.wild_mask)


# --- Which to part with -----------------------------------------------------------------------------------------------------


cdef inline int32_t height(const RankingRule* rule, uint8_t card) noexcept nogil:
    """How high a card is: for a low the ace is below the deuce, but in deuce-to-seven."""
    if card_rank(card) == RANK_ACE and rule.ranking != RANKING_HIGH and rule.ranking != RANKING_DEUCE_TO_SEVEN:
        return -1
    return card_rank(card)


cdef int32_t highest_place(const RankingRule* rule, const Held* held, uint32_t places) noexcept nogil:
    """Place of the highest card of `places`, which are natural cards and not none."""
    cdef int32_t best = -1, i
    for i in range(held.n_hole_cards):
        if places >> i & 1 and (best < 0 or height(rule, held.hole_cards[i]) > height(rule, held.hole_cards[best])):
            best = i
    return best


cdef int32_t lowest_place(const RankingRule* rule, const Held* held, uint32_t places) noexcept nogil:
    """Place of the lowest card of `places`, which are natural cards and not none."""
    cdef int32_t best = -1, i
    for i in range(held.n_hole_cards):
        if places >> i & 1 and (best < 0 or height(rule, held.hole_cards[i]) < height(rule, held.hole_cards[best])):
            best = i
    return best


cdef uint32_t natural_places(const RankingRule* rule, const Held* held) noexcept nogil:
    cdef uint32_t places = 0
    cdef int32_t i
    for i in range(held.n_hole_cards):
        places |= (0u if is_wild(rule, held.hole_cards[i]) else 1u) << i
    return places


cdef uint32_t places_to_change_for_high(const RankingRule* rule, const Held* held) noexcept nogil:
    """Everything but wild cards and sets, or but a four-flush; of a hand with neither all but the highest card."""
    cdef uint32_t natural = natural_places(rule, held), everything = (1u << held.n_hole_cards) - 1
    cdef uint32_t of_suit[N_SUITS]
    cdef uint32_t sets = 0
    cdef int32_t i, k, suit
    if is_complete(rule, held) and score_held(rule, held) >> CATEGORY_SHIFT >= STRAIGHT:
        return 0
    memset(of_suit, 0, sizeof(of_suit))
    for i in range(held.n_hole_cards):
        if not natural >> i & 1:
            continue
        of_suit[card_suit(held.hole_cards[i])] |= 1u << i
        for k in range(i):
            if natural >> k & 1 and card_rank(held.hole_cards[i]) == card_rank(held.hole_cards[k]):
                sets |= 1u << i | 1u << k
    if sets:
        return natural & ~sets
    for suit in range(N_SUITS):
        if count_seats(of_suit[suit] | (everything & ~natural)) >= N_FOUR_FLUSH:
            return natural & ~of_suit[suit]
    return natural & ~(1u << highest_place(rule, held, natural)) if natural else 0


cdef uint32_t places_to_change_for_low(const RankingRule* rule, const Held* held, bint is_poor) noexcept nogil:
    """What is above an eight, or pairs a card that stays; of a hand without such a card, if it is poor, the highest one."""
    cdef uint32_t natural = natural_places(rule, held), changed = 0, ranks = 0
    cdef int32_t i
    for i in range(held.n_hole_cards):
        if not natural >> i & 1:
            continue
        if height(rule, held.hole_cards[i]) > RANK_EIGHT or ranks >> card_rank(held.hole_cards[i]) & 1:
            changed |= 1u << i
        ranks |= 1u << card_rank(held.hole_cards[i])
    if changed == 0 and is_poor and natural:
        return 1u << highest_place(rule, held, natural)                # Five low cards in a row or of one suit.
    return changed


cdef uint32_t places_to_change_for_badugi(const RankingRule* rule, const Held* held) noexcept nogil:
    """What does not play."""
    cdef Held kept
    cdef int32_t hand_rank = score_held(rule, held), i
    cdef uint32_t changed = 0
    for i in range(held.n_hole_cards):
        keep(held, ~(changed | 1u << i), &kept)
        if score_held(rule, &kept) == hand_rank:
            changed |= 1u << i
    return changed


cdef uint32_t cards_to_change(const RankingRule* rule, const Held* held, int32_t n_max, bint is_poor) noexcept nogil:
    cdef uint32_t places
    if rule.ranking == RANKING_BADUGI:
        places = places_to_change_for_badugi(rule, held)
    elif rule.ranking == RANKING_HIGH:
        places = places_to_change_for_high(rule, held)
    else:
        places = places_to_change_for_low(rule, held, is_poor)
    while count_seats(places) > n_max:                                 # The best of what would go stays.
        if rule.ranking == RANKING_HIGH:
            places &= ~(1u << highest_place(rule, held, places))
        else:
            places &= ~(1u << lowest_place(rule, held, places))
    return places


cdef void keep(const Held* held, uint32_t places, Held* kept) noexcept nogil:
    """The hand that is left when only the cards at `places` stay."""
    cdef int32_t i
    kept[0] = held[0]
    kept.n_hole_cards = 0
    kept.up_mask = 0
    for i in range(held.n_hole_cards):
        if places >> i & 1:
            kept.hole_cards[kept.n_hole_cards] = held.hole_cards[i]
            kept.up_mask |= (held.up_mask >> i & 1) << kept.n_hole_cards
            kept.n_hole_cards += 1


cdef uint32_t cards_to_give(const RankingRule* rule, const Held* held, int32_t n) noexcept nogil:
    cdef uint32_t everything = (1u << held.n_hole_cards) - 1, given, best_given = (1u << n) - 1
    cdef Held kept
    cdef int32_t score, best = -1
    for given in range(everything + 1):
        if count_seats(given) == n:
            keep(held, everything & ~given, &kept)
            score = score_held(rule, &kept)
            if score > best:
                best = score
                best_given = given
    return best_given
