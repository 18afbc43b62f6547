# cython: language_level=3
"""Who wins, and how often. See odds.pxd for what is counted, odds.pyi for the contract.

Every completion of the deal is as likely as another, so the odds are the counts. Where the deals are too many they are sampled;
a sample depends on the seed and its own number alone, so the result is the same however the work is cut into pieces. Cards speak:
of what a game decides besides cards (wagers, discards, draws, declarations) nothing is known here.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from homegame_engine.award cimport Winners, judge_cards
from homegame_engine.completions cimport (
    WALK_DONE,
    Draws,
    MAX_KNOWN_SETS,
    PLAYER_BOARD,
    begin_completions,
    check_deck,
    draw_below,
    draw_completion,
    draws_of,
    known_sets,
    lay_out,
    least_form,
    list_left,
    mask_of,
    n_common_groups,
    next_completion,
    read_places,
    replace_known,
)
from homegame_engine.evaluator.ranking cimport RANKING_NONE, rank_hand
from homegame_engine.game_def cimport read_game
from homegame_engine.hand_state cimport AWARD_WHOLE
from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_HOLE_CARDS
from homegame_engine.masks cimport count_seats, has_several, lowest_seat
from homegame_engine.pair_ranks cimport count_pairs, level_of_rank, pairs_below, rank_pairs
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

import numpy as np

from homegame_engine.errors import InputError

cdef enum:
    STARTS_MAX = 20_000      # Combinations of named hands that are walked one by one.
    TRIES_MAX = 100_000      # Draws of named hands that exclude one another, before a sample is given up.
    COUNTING = 1
    SAMPLING = 2

_DEALS_MAX = 1 << 50         # More are never counted through, and their units would not fit into 64 bits.


# --- One deal -------------------------------------------------------------------------------------------------------------


cdef inline void give(int64_t* units, int64_t* taken, uint32_t winners, int64_t part, int64_t weight) noexcept nogil:
    """Divides a part of the pot among its winners."""
    cdef int64_t each = part // count_seats(winners) if has_several(winners) else part
    cdef int32_t player
    while winners:
        player = lowest_seat(winners)
        winners &= winners - 1
        units[player] += each * weight
        taken[player] += each


cdef void tally_deal(Tally* tally, const GameDef* game, const Ranks* ranks, int32_t n_players, int64_t weight) noexcept nogil:
    cdef int64_t taken[MAX_SEATS]
    cdef int64_t low_part = 0
    cdef int32_t player
    cdef int32_t least_rank = game.winners_rank if game.redeal_if_no_win else 0     # GAME-DC-06
    cdef Winners won = judge_cards(game.award, ranks.high, ranks.low, (1u << n_players) - 1, least_rank)
    tally.n_deals += weight
    if won.low:
        low_part = POT_UNITS // 2 if won.high else POT_UNITS
    elif won.high:
        tally.n_without_low += weight if game.award != AWARD_WHOLE else 0
    else:
        tally.n_unawarded += weight
        return
    memset(taken, 0, n_players * sizeof(int64_t))
    if won.high:
        tally.n_sharing[count_seats(won.high)] += weight
        give(tally.high_units, taken, won.high, POT_UNITS - low_part, weight)
    if won.low:
        give(tally.low_units, taken, won.low, low_part, weight)
    for player in range(n_players):
        if taken[player] == POT_UNITS:
            tally.n_wins[player] += weight
        elif taken[player]:
            tally.n_ties[player] += weight
        if tally.sums_squares:
            tally.square_units[player] += taken[player] * taken[player] * weight


# --- The question -------------------------------------------------------------------------------------------------------


class PlayerOdds(NamedTuple):
    """How one hand fares. See odds.pyi."""

    n_wins: int
    n_ties: int
    n_losses: int
    share: Fraction
    high_share: Fraction
    low_share: Fraction
    standard_error: float


class OddsResult(NamedTuple):
    """What came out. See odds.pyi."""

    is_exact: bool
    n_deals: int
    players: tuple
    n_sharing: tuple
    n_without_low: int
    n_unawarded: int


cdef void place_hands(Deal* deal, tuple hands):
    for player, cards in enumerate(hands):
        for i, card in enumerate(cards):
            deal.hole_cards[<int>player][<int>i] = card


cdef list read_alternatives(hand, const Layout* layout, uint64_t taken_mask, str field):
    """The hands that a player may hold: all know the same places, and none has a card that lies elsewhere."""
    read = [read_places(cards, layout.n_hole_cards, layout.deck_mask, field) for cards in hand]
    if len({tuple([card == CARD_UNKNOWN for card in cards]) for cards in read}) != 1:
        raise InputError("expected hands of which the same cards are known", field=field)
    free = [cards for cards in dict.fromkeys(read) if not mask_of(cards) & taken_mask]
    if not free:
        raise InputError("its cards lie on the board or are dead", field=field)
    return free


def _disjoint(alternatives, taken_mask):
    """Each way to give every player one of its hands without a card twice."""
    if not alternatives:
        yield ()
        return
    for cards in alternatives[0]:
        mask = mask_of(cards)
        if not mask & taken_mask:
            for others in _disjoint(alternatives[1:], taken_mask | mask):
                yield (cards, *others)


cdef class Odds:
    """Counts or samples the deals that are possible. See odds.pyi."""

    def __cinit__(self):
        self.pairs = NULL

    def __dealloc__(self):
        PyMem_Free(self.pairs)

    def __init__(self, game, rules, hands, *, board=(), dead=()):
        cdef int32_t i
        read_game(game, rules, &self.game)
        lay_out(&self.game, &self.layout)
        self.n_players = len(hands)
        if not 2 <= self.n_players <= MAX_SEATS:
            raise InputError(f"expected 2 to {MAX_SEATS} hands, got {self.n_players}", field="hands")
        common = read_places(board, self.layout.n_board_cards, self.layout.deck_mask, "board")
        self.dead_mask = mask_of(read_places(dead, DECK_CARDS_MAX, self.layout.deck_mask, "dead"))
        if mask_of(common) & self.dead_mask:
            raise InputError("a card of the board cannot be dead", field="dead")
        taken_mask = mask_of(common) | self.dead_mask
        self.alternatives = [
            read_alternatives(hand, &self.layout, taken_mask, f"hands[{i}]") for i, hand in enumerate(hands)
        ]
        memset(&self.known, CARD_UNKNOWN, sizeof(Deal))
        for i in range(self.layout.n_board_cards):
            self.known.board[i] = common[i]
        memset(&self.tally, 0, sizeof(Tally))
        self.find_starts()

    cdef int32_t find_starts(self) except -1:
        """Lists the combinations of hands, one for all that differ by suits alone, and what it takes to walk them."""
        cdef uint64_t sets[MAX_KNOWN_SETS]
        cdef int32_t n_sets, i
        cdef int64_t weight
        self.starts = None
        if math.prod([len(hands) for hands in self.alternatives]) > STARTS_MAX:
            return 0
        forms = {}
        for start in _disjoint(self.alternatives, 0):
            place_hands(&self.known, start)
            n_sets = known_sets(&self.layout, &self.known, self.n_players, self.dead_mask, sets)
            least_form(&self.layout, sets, n_sets)
            form = tuple([sets[i] for i in range(n_sets)])
            forms[form] = (forms[form][0] + 1 if form in forms else 1, start)
        if not forms:
            raise InputError("the hands exclude one another", field="hands")
        self.n_deals = self.n_evaluations = 0
        for weight, start in forms.values():
            self.begin(weight, start)
            n_deals, n_hands = self.size()
            self.n_deals += weight * n_deals
            self.n_evaluations += n_hands
        self.starts = list(forms.values())
        return 0

    cdef int32_t begin(self, int64_t weight, tuple start) except -1:
        """Sets the walk to the beginning of one start."""
        cdef int32_t group, player
        place_hands(&self.known, start)
        self.start_weight = weight
        begin_completions(&self.completions, &self.layout, &self.known, self.n_players, self.dead_mask)
        check_deck(&self.completions)
        for player in range(self.n_players):
            self.last_groups[player] = n_common_groups(&self.completions) - 1
        for group in range(self.completions.n_groups):
            if self.completions.groups[group].player != PLAYER_BOARD:
                self.last_groups[self.completions.groups[group].player] = group
        for player in range(self.n_players):
            if self.last_groups[player] < 0:
                self.rank_player(player)
        return self.pair_up()

    cdef int32_t begin_next(self) except -1:
        weight, start = self.starts.pop()
        return self.begin(weight, start)

    cdef int32_t pair_up(self) except -1:
        """Takes the last hand out of the walk where a table of pairs can stand for it: two unknown cards beside other hands'."""
        cdef int32_t last = self.completions.n_groups - 1
        self.paired.n_cards = 0
        if last <= n_common_groups(&self.completions) or self.game.low.ranking != RANKING_NONE or self.game.redeal_if_no_win:
            return 0
        if self.completions.groups[last].n_cards != 2:
            return 0
        if self.completions.groups[last - 1].player == self.completions.groups[last].player:
            return 0
        if self.pairs == NULL:
            self.pairs = <PairRanks*>PyMem_Malloc(sizeof(PairRanks))
            if self.pairs == NULL:
                raise MemoryError
        self.paired = self.completions.groups[last]
        self.has_pairs = False
        self.completions.n_groups = last
        return 0

    cdef tuple size(self):
        """How many deals the walk under way has, and about how many hands it ranks or looks up."""
        cdef int32_t group
        n_deals, n_hands, n_left = 1, 0, self.completions.n_left[0]
        for group in range(self.completions.n_groups):
            n_deals *= math.comb(n_left, self.completions.groups[group].n_cards)
            n_left -= self.completions.groups[group].n_cards
            n_hands += n_deals * [self.last_groups[i] for i in range(self.n_players)].count(group)
            if group == n_common_groups(&self.completions) - 1 and self.paired.n_cards:
                n_hands += n_deals * math.comb(n_left, 2)
        if self.paired.n_cards:
            n_hands += n_deals
            n_deals *= math.comb(n_left, 2)
        return n_deals, n_hands // (self.completions.n_renamings + 1) + 1

    # --- Every deal -------------------------------------------------------------------------------------------------------

    cdef void rank_player(self, int32_t player) noexcept nogil:
        cdef const uint8_t* hole = self.completions.deal.hole_cards[player]
        cdef const uint8_t* board = self.completions.deal.board
        self.ranks.high[player] = rank_hand(
            &self.game.high, hole, self.layout.n_hole_cards, self.layout.up_mask, board, self.layout.n_board_cards)
        if self.game.low.ranking != RANKING_NONE:
            self.ranks.low[player] = rank_hand(
                &self.game.low, hole, self.layout.n_hole_cards, self.layout.up_mask, board, self.layout.n_board_cards)

    cdef void rank_changed(self, int32_t changed) noexcept nogil:
        """Ranks the hands of which a card of group `changed` or of a later one is part."""
        cdef int32_t player
        for player in range(self.n_players):
            if self.last_groups[player] >= changed and not (self.paired.n_cards and self.paired.player == player):
                self.rank_player(player)

    cdef int64_t walk(self, int64_t n_evaluations) noexcept nogil:
        """Counts deals until so many hands are ranked, or to the end of the walk; returns how many were."""
        cdef int64_t n_ranked = 0
        cdef int32_t changed
        while n_ranked < n_evaluations:
            changed = next_completion(&self.completions)
            if changed < 0:
                break
            self.rank_changed(changed)
            tally_deal(&self.tally, &self.game, &self.ranks, self.n_players, self.start_weight * self.completions.weight)
            n_ranked += self.n_players
        return n_ranked

    cdef int64_t walk_pairs(self, int64_t n_evaluations) noexcept nogil:
        """As `walk`, the last hand looked up."""
        cdef int64_t n_ranked = 0
        cdef int32_t changed
        while n_ranked < n_evaluations:
            changed = next_completion(&self.completions)
            if changed < 0:
                break
            if changed < n_common_groups(&self.completions) or not self.has_pairs:
                n_ranked += self.fill_pairs()
            self.rank_changed(changed)
            self.tally_pairs()
            n_ranked += self.n_players
        return n_ranked

    cdef int64_t fill_pairs(self) noexcept nogil:
        """Ranks the last hand with every pair of cards that the board and the known cards leave."""
        cdef uint8_t left[DECK_CARDS_MAX]
        cdef uint8_t hole[MAX_HOLE_CARDS]
        cdef int32_t n_left = list_left(&self.completions, n_common_groups(&self.completions), left)
        memcpy(hole, self.completions.deal.hole_cards[self.paired.player], MAX_HOLE_CARDS)
        rank_pairs(
            self.pairs, &self.game.high, hole, self.layout.n_hole_cards, self.layout.up_mask, self.paired.places,
            self.completions.deal.board, self.layout.n_board_cards, left, n_left)
        count_pairs(self.pairs)
        self.has_pairs = True
        return n_left * (n_left - 1) // 2

    cdef void tally_pairs(self) noexcept nogil:
        """Counts the deals in which the last hand loses to the best of the others, ties with it, and beats it."""
        cdef uint8_t taken[DECK_CARDS_MAX]
        cdef int64_t weight = self.start_weight * self.completions.weight
        cdef int64_t n_lower, n_not_higher
        cdef int32_t n_taken = 0, best = 0, last = self.paired.player
        cdef int64_t n_hands[3]
        cdef int32_t player, group, i, level, n_left
        for player in range(self.n_players):
            if player != last:
                best = max(best, self.ranks.high[player])
        for group in range(n_common_groups(&self.completions), self.completions.n_groups):
            for i in range(self.completions.groups[group].n_cards):
                taken[n_taken] = self.pairs.indexes[self.completions.left[group][self.completions.chosen[group][i]]]
                n_taken += 1
        level = level_of_rank(self.pairs, best)
        n_lower = pairs_below(self.pairs, level, taken, n_taken)
        n_not_higher = n_lower
        if level < self.pairs.n_levels and self.pairs.ranks[level] == best:
            n_not_higher = pairs_below(self.pairs, level + 1, taken, n_taken)
        n_left = self.pairs.n_cards - n_taken
        n_hands[0] = n_lower
        n_hands[1] = n_not_higher - n_lower
        n_hands[2] = n_left * (n_left - 1) // 2 - n_not_higher
        for i in range(3):
            self.ranks.high[last] = best - 1 + i
            if n_hands[i]:
                tally_deal(&self.tally, &self.game, &self.ranks, self.n_players, weight * n_hands[i])

    # --- At random --------------------------------------------------------------------------------------------------------

    cdef int32_t begin_samples(self) except -1:
        """Lays the hands that are drawn from side by side, and opens the walk's groups for dealing at random."""
        cdef int32_t player, n = 0
        if self.paired.n_cards:
            self.completions.n_groups += 1
            self.paired.n_cards = 0
        hands = [cards for hand in self.alternatives for cards in hand]
        self.hands = np.array(hands, dtype=np.uint8)
        self.hand_masks = np.array([mask_of(cards) for cards in hands], dtype=np.uint64)
        for player in range(self.n_players):
            self.first_hands[player] = n
            n += len(self.alternatives[player])
        self.first_hands[self.n_players] = n
        self.common_mask = self.dead_mask | mask_of(tuple([self.known.board[i] for i in range(self.layout.n_board_cards)]))
        return 0

    cdef int32_t draw_hands(self, Draws* draws) noexcept nogil:
        """Gives each player one of its hands, every combination without a card twice equally likely; 0 if none came."""
        cdef uint64_t taken_mask
        cdef int32_t player, first, drawn, _i
        for _i in range(TRIES_MAX):
            taken_mask = self.common_mask
            for player in range(self.n_players):
                first = self.first_hands[player]
                drawn = first + <int32_t>draw_below(draws, <uint64_t>(self.first_hands[player + 1] - first))
                if self.hand_masks[drawn] & taken_mask:
                    break
                taken_mask |= self.hand_masks[drawn]
                memcpy(self.known.hole_cards[player], &self.hands[drawn, 0], self.layout.n_hole_cards)
            else:
                replace_known(&self.completions, &self.layout, &self.known, taken_mask)
                return 1
        return 0

    cdef int64_t draw(self, int64_t n_samples) noexcept nogil:
        """Deals samples; returns how many came out."""
        cdef bint has_choice = self.first_hands[self.n_players] > self.n_players
        cdef Draws draws
        cdef int64_t i
        for i in range(n_samples):
            draws = draws_of(self.seed, <uint64_t>self.tally.n_deals)
            if has_choice and not self.draw_hands(&draws):
                return i
            draw_completion(&self.completions, &draws)
            self.rank_changed(-1 if has_choice else 0)
            tally_deal(&self.tally, &self.game, &self.ranks, self.n_players, 1)
        return n_samples

    # --- Python face ------------------------------------------------------------------------------------------------------

    @property
    def is_done(self):
        """Whether every deal is counted."""
        return self.mode == COUNTING and not self.starts and self.completions.phase == WALK_DONE

    @property
    def n_counted(self):
        """Deals counted or sampled so far."""
        return self.tally.n_deals

    def count(self, int64_t n_evaluations):
        cdef int64_t n_ranked
        if self.n_deals is None or self.n_deals > _DEALS_MAX:
            raise InputError("there are too many deals to count them all", field="hands")
        self.enter(COUNTING)
        while n_evaluations > 0:
            if self.completions.phase == WALK_DONE:
                if not self.starts:
                    return
                self.begin_next()
            with nogil:
                n_ranked = self.walk_pairs(n_evaluations) if self.paired.n_cards else self.walk(n_evaluations)
            n_evaluations -= max(n_ranked, 1)

    def sample(self, int64_t n_samples, *, uint64_t seed=0):
        cdef int64_t n_drawn
        if self.mode == SAMPLING and seed != self.seed:
            raise InputError("samples under another seed cannot be added", field="seed")
        self.enter(SAMPLING)
        self.seed = seed
        self.tally.sums_squares = True
        with nogil:
            n_drawn = self.draw(n_samples)
        if n_drawn < n_samples:
            raise InputError("the hands nearly always exclude one another", field="hands")

    cdef int32_t enter(self, int mode) except -1:
        """Begins to count, or to sample; never both."""
        if self.mode not in (0, mode):
            raise InputError("deals are counted or sampled, not both")
        if self.mode == 0:
            if mode == COUNTING:
                self.begin_next()
            else:
                self.begin(1, tuple([hands[0] for hands in self.alternatives]))
                self.begin_samples()
        self.mode = mode
        return 0

    def result(self):
        cdef int32_t i
        n_deals = self.tally.n_deals
        if n_deals == 0:
            raise InputError("nothing is counted yet")
        return OddsResult(
            is_exact=self.is_done,
            n_deals=n_deals,
            players=tuple([self.player_odds(i) for i in range(self.n_players)]),
            n_sharing=tuple([self.tally.n_sharing[i] for i in range(1, self.n_players + 1)]),
            n_without_low=self.tally.n_without_low,
            n_unawarded=self.tally.n_unawarded,
        )

    cdef object player_odds(self, int32_t player):
        n_deals = <object>self.tally.n_deals
        n_wins, n_ties = self.tally.n_wins[player], self.tally.n_ties[player]
        high = Fraction(self.tally.high_units[player], POT_UNITS * n_deals)
        low = Fraction(self.tally.low_units[player], POT_UNITS * n_deals)
        # Of single pots; 0 where deals are counted, for then there is nothing to err about.
        variance = Fraction(self.tally.square_units[player], POT_UNITS * POT_UNITS * n_deals) - (high + low) ** 2
        return PlayerOdds(
            n_wins=n_wins,
            n_ties=n_ties,
            n_losses=n_deals - n_wins - n_ties,
            share=high + low,
            high_share=high,
            low_share=low,
            standard_error=math.sqrt(variance / n_deals) if self.mode == SAMPLING else 0.0,
        )
