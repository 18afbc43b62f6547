# cython: language_level=3
"""How often hands and boards of each kind come. See frequencies.pxd for what is counted, frequencies.pyi for the contract.

Every completion is as likely as another, so the frequencies are the counts. What hands are worth is the evaluator's business;
here hand ranks are counted, whatever they mean.
"""

import math
from typing import NamedTuple

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from homegame_engine.completions cimport (
    WALK_DONE,
    Draws,
    begin_completions,
    check_deck,
    draw_completion,
    draws_of,
    lay_out,
    list_left,
    mask_of,
    n_common_groups,
    n_deals_of,
    next_completion,
    read_places,
)
from homegame_engine.evaluator.high cimport CATEGORY_SHIFT
from homegame_engine.evaluator.ranking cimport RANKING_ACE_TO_FIVE, RANKING_NONE, rank_hand
from homegame_engine.game_def cimport read_game
from homegame_engine.hand_events cimport rule_object
from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_BOARD_CARDS, MAX_HOLE_CARDS
from homegame_engine.pair_ranks cimport MAX_PAIRS, N_HAND_RANKS, count_fours, rank_pairs
from libc.string cimport memcpy, memset

import numpy as np

from homegame_engine.errors import InputError
from homegame_engine.evaluator.words import describe

cdef enum:
    COUNTING = 1
    SAMPLING = 2
    PAIR = 2             # Private cards that play where exactly two do.
    ACE = 12
    N_DECK_CARDS = 52
    N_PRIVATE = 4        # Private cards of which they are chosen.


class HandCount(NamedTuple):
    """How often one hand rank came. See frequencies.pyi."""

    hand_rank: int
    n_deals: int
    hole_cards: tuple
    board: tuple


class KindCount(NamedTuple):
    """How often one kind of hand came. See frequencies.pyi."""

    category: str
    n_deals: int
    best: HandCount
    best_text: str


class HandFrequencyResult(NamedTuple):
    """How often each hand came. See frequencies.pyi."""

    is_exact: bool
    n_deals: int
    high: tuple
    low: tuple
    high_kinds: tuple
    low_kinds: tuple


class BoardFrequencyResult(NamedTuple):
    """What lies on the boards. See frequencies.pyi."""

    n_boards: int
    n_with_rank: tuple
    n_low_possible: int | None


# --- Hands ----------------------------------------------------------------------------------------------------------------


cdef class _RankCounts:
    """How often each hand rank came."""

    def __cinit__(self):
        self.counts = np.zeros(N_HAND_RANKS, dtype=np.int64)
        self.examples = np.full((N_HAND_RANKS, MAX_HOLE_CARDS + MAX_BOARD_CARDS), CARD_UNKNOWN, dtype=np.uint8)

    cdef void add(self, int32_t hand_rank, const Deal* deal, int64_t weight) noexcept nogil:
        if self.counts[hand_rank] == 0:
            memcpy(&self.examples[hand_rank, 0], deal.hole_cards[0], MAX_HOLE_CARDS)
            memcpy(&self.examples[hand_rank, MAX_HOLE_CARDS], deal.board, MAX_BOARD_CARDS)
        self.counts[hand_rank] += weight

    def best_first(self):
        """A HandCount for each hand rank that came, the best first; those that are no hand have none."""
        cdef int32_t hand_rank
        found = []
        for hand_rank in np.flatnonzero(self.counts)[::-1].tolist():
            if hand_rank:
                cards = bytes(self.examples[hand_rank])
                hole, board = cards[:MAX_HOLE_CARDS], cards[MAX_HOLE_CARDS:]
                found.append(HandCount(
                    hand_rank,
                    self.counts[hand_rank],
                    tuple([card for card in hole if card != CARD_UNKNOWN]),
                    tuple([card for card in board if card != CARD_UNKNOWN]),
                ))
        return tuple(found)


cdef tuple kinds_of(tuple found, const RankingRule* rule, uint32_t up_mask):
    """A KindCount for each category, the best first; what a category is called is asked of its best hand."""
    kinds = {}
    if not found:
        return ()
    given = rule_object(rule)
    for hand in found:
        best, n_deals = kinds.get(hand.hand_rank >> CATEGORY_SHIFT, (hand, 0))
        kinds[hand.hand_rank >> CATEGORY_SHIFT] = (best, n_deals + hand.n_deals)
    named = []
    for best, n_deals in kinds.values():
        words = describe(given, best.hole_cards, best.board, up_mask & (1 << len(best.hole_cards)) - 1)
        named.append(KindCount(words.category, n_deals, best, words.text))
    return tuple(named)


cdef bint looks_up_pairs(const GameDef* game, const Layout* layout, const Completions* completions) noexcept nogil:
    """Whether the hand is the best of the pairs of four unknown private cards, and no more is to know about them."""
    cdef int32_t last = completions.n_groups - 1
    if game.high.exact_hole != PAIR or layout.faces_matter or layout.n_hole_cards != N_PRIVATE or last < 0:
        return False
    if game.low.ranking != RANKING_NONE and game.low.exact_hole != PAIR:
        return False
    return completions.groups[last].player == 0 and completions.groups[last].n_cards == N_PRIVATE


cdef void pair_of_level(const PairRanks* pairs, int32_t level, uint8_t* hole) noexcept nogil:
    """One pair of a level; nothing else is in the hand."""
    cdef int32_t i, k
    memset(hole, CARD_UNKNOWN, MAX_HOLE_CARDS)
    for i in range(pairs.n_cards):
        for k in range(i):
            if pairs.levels[i][k] == level:
                hole[0] = pairs.cards[i]
                hole[1] = pairs.cards[k]
                return


cdef class HandFrequencies:
    """Counts or samples the hands that one player may end up with. See frequencies.pyi."""

    def __cinit__(self):
        self.pairs = NULL

    def __dealloc__(self):
        PyMem_Free(self.pairs)

    def __init__(self, game, rules, hand=(), *, board=(), dead=()):
        cdef Deal known
        cdef int32_t i, n_players = 1
        read_game(game, rules, &self.game)
        lay_out(&self.game, &self.layout)
        hole = read_places(hand, self.layout.n_hole_cards, self.layout.deck_mask, "hand")
        common = read_places(board, self.layout.n_board_cards, self.layout.deck_mask, "board")
        removed = read_places(dead, DECK_CARDS_MAX, self.layout.deck_mask, "dead")
        n_known = sum([(<object>mask_of(cards)).bit_count() for cards in (hole, common, removed)])
        if (<object>(mask_of(hole) | mask_of(common) | mask_of(removed))).bit_count() != n_known:
            raise InputError("a card stands twice", field="hand")
        if self.any_five_of_all():
            common, hole = (*hole, *common), ()
            self.layout.n_board_cards, self.layout.n_hole_cards, n_players = len(common), 0, 0
        memset(&known, CARD_UNKNOWN, sizeof(Deal))
        for i in range(self.layout.n_hole_cards):
            known.hole_cards[0][i] = hole[i]
        for i in range(self.layout.n_board_cards):
            known.board[i] = common[i]
        begin_completions(&self.completions, &self.layout, &known, n_players, mask_of(removed))
        check_deck(&self.completions)
        self.high = _RankCounts()
        self.high.rule = self.game.high
        if self.game.low.ranking != RANKING_NONE:
            self.low = _RankCounts()
            self.low.rule = self.game.low
        self.n_deals = n_deals_of(&self.completions)
        self.n_evaluations = self.cost()

    cdef bint any_five_of_all(self) noexcept nogil:
        """Whether it makes no difference which cards are private: then all are of one group, as if they lay on the board."""
        cdef int32_t n_cards = self.layout.n_hole_cards + self.layout.n_board_cards
        return (
            n_cards <= MAX_BOARD_CARDS and not self.layout.faces_matter
            and not self.game.high.exact_hole and not self.game.low.exact_hole
        )

    cdef object cost(self):
        """About how many hands are ranked to count them all."""
        n_hands = self.n_deals
        if looks_up_pairs(&self.game, &self.layout, &self.completions):
            # Boards, and the pairs of the cards that a board leaves: each is ranked, and taken away once more.
            n_left = self.completions.n_left[0]
            if n_common_groups(&self.completions):
                n_left -= self.completions.groups[0].n_cards
            n_hands = self.n_deals // math.comb(n_left, N_PRIVATE) * math.comb(n_left, PAIR) * 2
            n_hands *= 2 if self.game.low.ranking != RANKING_NONE else 1
        return n_hands // (self.completions.n_renamings + 1) + 1

    cdef void tally(self, int64_t weight) noexcept nogil:
        """Counts the hand of the current deal."""
        cdef const Deal* deal = &self.completions.deal
        cdef int32_t n_hole = self.layout.n_hole_cards, n_board = self.layout.n_board_cards
        cdef uint32_t up_mask = self.layout.up_mask
        self.n_tallied += weight
        self.high.add(rank_hand(&self.high.rule, deal.hole_cards[0], n_hole, up_mask, deal.board, n_board), deal, weight)
        if self.game.low.ranking != RANKING_NONE:
            self.low.add(rank_hand(&self.low.rule, deal.hole_cards[0], n_hole, up_mask, deal.board, n_board), deal, weight)

    cdef int64_t walk(self, int64_t n_evaluations) noexcept nogil:
        """Counts so many hands, or to the end of the walk; returns how many were."""
        cdef int64_t n_ranked = 0
        while n_ranked < n_evaluations and next_completion(&self.completions) >= 0:
            self.tally(self.completions.weight)
            n_ranked += 1
        return n_ranked

    cdef int64_t walk_pairs(self, int64_t n_evaluations) noexcept nogil:
        """As `walk`, board by board: the four private cards are looked up by pairs."""
        cdef int64_t n_ranked = 0
        while n_ranked < n_evaluations and next_completion(&self.completions) >= 0:
            n_ranked += self.tally_fours(self.high)
            if self.game.low.ranking != RANKING_NONE:
                n_ranked += self.tally_fours(self.low)
        return n_ranked

    cdef int64_t tally_fours(self, _RankCounts ranked) noexcept nogil:
        """Counts the hands of all four cards that the board leaves; returns about how many pairs that took."""
        cdef int64_t n_fours[MAX_PAIRS]
        cdef uint8_t left[DECK_CARDS_MAX]
        cdef uint8_t places[PAIR]
        cdef Deal* deal = &self.completions.deal
        cdef int32_t n_left = list_left(&self.completions, n_common_groups(&self.completions), left)
        cdef int64_t n_hands = 0
        cdef int32_t level
        places[0], places[1] = 0, 1
        rank_pairs(
            self.pairs, &ranked.rule, deal.hole_cards[0], PAIR, 0, places, deal.board, self.layout.n_board_cards, left, n_left)
        count_fours(self.pairs, n_fours)
        for level in range(self.pairs.n_levels):
            if n_fours[level]:
                n_hands += n_fours[level]
                if ranked.counts[self.pairs.ranks[level]] == 0:
                    pair_of_level(self.pairs, level, deal.hole_cards[0])
                ranked.add(self.pairs.ranks[level], deal, n_fours[level] * self.completions.weight)
        if ranked is self.high:
            self.n_tallied += n_hands * self.completions.weight
        return n_left * (n_left - 1)

    @property
    def is_done(self):
        """Whether every deal is counted."""
        return self.mode == COUNTING and self.completions.phase == WALK_DONE

    @property
    def n_counted(self):
        """Deals counted or sampled so far."""
        return self.n_tallied

    def count(self, int64_t n_evaluations):
        if self.mode == SAMPLING:
            raise InputError("deals are counted or sampled, not both")
        if self.mode == 0 and looks_up_pairs(&self.game, &self.layout, &self.completions):
            self.pairs = <PairRanks*>PyMem_Malloc(sizeof(PairRanks))
            if self.pairs == NULL:
                raise MemoryError
            self.completions.n_groups -= 1
        self.mode = COUNTING
        with nogil:
            if self.pairs != NULL:
                self.walk_pairs(n_evaluations)
            else:
                self.walk(n_evaluations)

    def sample(self, int64_t n_samples, *, uint64_t seed=0):
        cdef Draws draws
        cdef int64_t _i
        if self.mode == COUNTING:
            raise InputError("deals are counted or sampled, not both")
        if self.mode == SAMPLING and seed != self.seed:
            raise InputError("samples under another seed cannot be added", field="seed")
        self.mode = SAMPLING
        self.seed = seed
        with nogil:
            for _i in range(n_samples):
                draws = draws_of(self.seed, <uint64_t>self.n_tallied)
                draw_completion(&self.completions, &draws)
                self.tally(1)

    def result(self):
        high = self.high.best_first()
        low = () if self.low is None else self.low.best_first()
        return HandFrequencyResult(
            is_exact=self.is_done,
            n_deals=self.n_tallied,
            high=high,
            low=low,
            high_kinds=kinds_of(high, &self.game.high, self.layout.up_mask),
            low_kinds=kinds_of(low, &self.game.low, self.layout.up_mask),
        )


# --- Boards -----------------------------------------------------------------------------------------------------------------


cdef bint may_be_low(const RankingRule* rule, int32_t card) noexcept nogil:
    """Whether a low that qualifies may hold the card: a wild one, an ace, or a rank up to the qualifier."""
    if card >= N_DECK_CARDS or rule.wild_mask >> card & 1 or card >> 2 == ACE:
        return True
    return (card >> 2) + 2 <= rule.qualifier


cdef class BoardFrequencies:
    """Counts what lies on the boards that may come. See frequencies.pyi."""

    def __init__(self, game, rules, *, board=(), held=(), dead=()):
        cdef Layout layout
        cdef Deal known
        cdef int32_t i
        read_game(game, rules, &self.game)
        lay_out(&self.game, &layout)
        self.n_board_cards = layout.n_board_cards
        if self.n_board_cards == 0:
            raise InputError("this game has no common cards", field="game")
        common = read_places(board, layout.n_board_cards, layout.deck_mask, "board")
        in_hands = mask_of(read_places(held, DECK_CARDS_MAX, layout.deck_mask, "held"))
        removed = mask_of(read_places(dead, DECK_CARDS_MAX, layout.deck_mask, "dead"))
        if mask_of(common) & (in_hands | removed):
            raise InputError("a card stands twice", field="board")
        memset(&known, CARD_UNKNOWN, sizeof(Deal))
        for i in range(layout.n_board_cards):
            known.board[i] = common[i]
        begin_completions(&self.completions, &layout, &known, 0, in_hands | removed)
        check_deck(&self.completions)
        self.asks_for_low = self.game.low.qualifier and (self.game.low.exact_hole or layout.n_hole_cards) == PAIR
        for i in range(DECK_CARDS_MAX):
            if (layout.deck_mask & ~removed) >> i & 1 and may_be_low(&self.game.low, i):
                self.low_candidates |= <uint64_t>1 << i
        self.n_deals = n_deals_of(&self.completions)
        self.n_evaluations = self.n_deals // (self.completions.n_renamings + 1) + 1

    cdef bint is_low_possible(self) noexcept nogil:
        """Whether two cards that somebody may hold make a low with this board."""
        cdef uint8_t hole[PAIR]
        cdef uint64_t left_mask = self.low_candidates
        cdef bint suits_matter = self.game.low.ranking != RANKING_ACE_TO_FIVE   # RANK-LO-01: flushes do not count.
        cdef uint32_t tried_first = 0, tried_second
        cdef int32_t first, second, i
        for i in range(self.n_board_cards):
            left_mask &= ~(<uint64_t>1 << self.completions.deal.board[i])
        for first in range(DECK_CARDS_MAX):
            if not left_mask >> first & 1 or tried_first >> (first >> 2) & 1 and not suits_matter:
                continue
            tried_first |= 1u << (first >> 2)
            tried_second = 0
            hole[0] = <uint8_t>first
            for second in range(first + 1, DECK_CARDS_MAX):
                if not left_mask >> second & 1 or tried_second >> (second >> 2) & 1 and not suits_matter:
                    continue
                tried_second |= 1u << (second >> 2)
                hole[1] = <uint8_t>second
                if rank_hand(&self.game.low, hole, PAIR, 0, self.completions.deal.board, self.n_board_cards):
                    return True
        return False

    cdef int64_t walk(self, int64_t n_evaluations) noexcept nogil:
        """Counts so many boards, or to the end of the walk; returns how many were."""
        cdef int64_t n_walked = 0, weight
        cdef uint32_t held
        cdef int32_t i
        while n_walked < n_evaluations and next_completion(&self.completions) >= 0:
            weight = self.completions.weight
            self.n_tallied += weight
            held = 0
            for i in range(self.n_board_cards):
                held |= 1u << (self.completions.deal.board[i] >> 2)
            for i in range(N_DECK_RANKS):
                if held >> i & 1:
                    self.n_with_rank[i] += weight
            if self.asks_for_low and self.is_low_possible():
                self.n_low_possible += weight
            n_walked += 1
        return n_walked

    @property
    def is_done(self):
        """Whether every board is counted."""
        return self.completions.phase == WALK_DONE

    @property
    def n_counted(self):
        """Boards counted so far."""
        return self.n_tallied

    def count(self, int64_t n_evaluations):
        with nogil:
            self.walk(n_evaluations)

    def result(self):
        return BoardFrequencyResult(
            n_boards=self.n_tallied,
            n_with_rank=tuple([self.n_with_rank[i] for i in range(N_DECK_RANKS)]),
            n_low_possible=self.n_low_possible if self.asks_for_low else None,
        )
