# cython: language_level=3
"""What hands of a game are like at each of its steps. See yardstick.pxd."""

from homegame_engine.evaluator.ranking cimport RANKING_LOW_SPADE, RANKING_NONE, RankingRule
from homegame_engine.game_def cimport read_game
from homegame_engine.hand_state cimport (
    GameDef,
    STEP_BET,
    STEP_DEAL_BOARD,
    STEP_DEAL_DOWN,
    STEP_DEAL_UP,
    STEP_DECLARE,
    STEP_DISCARD,
    STEP_DRAW,
    STEP_PASS,
)
from homegame_engine.limits cimport DECK_CARDS_MAX, MAX_BOARD_CARDS, MAX_HOLE_CARDS
from homegame_sim.deal cimport fill_deck, shuffle_cards
from homegame_sim.philox cimport PURPOSE_YARDSTICK, Philox, philox_begin
from homegame_sim.strength cimport Held, cards_to_change, cards_to_give, score_held
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport qsort
from libc.string cimport memset

from functools import lru_cache

from homegame_engine.errors import InputError

cdef enum:
    N_DEALS = PER_MILLE // 2   # Each deals two hands.
    N_KEPT_GAMES = 64

cdef struct Trial:
    uint8_t deck[DECK_CARDS_MAX]
    int32_t n_dealt
    Held hands[2]


# --- Measuring --------------------------------------------------------------------------------------------------------------


cdef int compare_scores(const void* first, const void* second) noexcept nogil:
    cdef int32_t a = (<const int32_t*>first)[0], b = (<const int32_t*>second)[0]
    return (a > b) - (a < b)


cdef void receive(Held* held, uint8_t card, bint up) noexcept nogil:
    held.hole_cards[held.n_hole_cards] = card
    held.up_mask |= <uint32_t>up << held.n_hole_cards
    held.n_hole_cards += 1


cdef int32_t part_with(Held* held, uint32_t places, uint8_t* cards) noexcept nogil:
    """Takes the cards at `places` out of a hand and writes them to `cards`  # OUT. Returns how many."""
    cdef Held old = held[0]
    cdef int32_t i, n = 0
    held.n_hole_cards = 0
    held.up_mask = 0
    for i in range(old.n_hole_cards):
        if places >> i & 1:
            cards[n] = old.hole_cards[i]
            n += 1
        else:
            receive(held, old.hole_cards[i], old.up_mask >> i & 1)
    return n


cdef void deal_to(Trial* trial, const GameDef* game, int32_t hand, bint up) noexcept nogil:
    """One private card; none where the deck is spent."""
    if trial.n_dealt < game.n_deck_cards:
        receive(&trial.hands[hand], trial.deck[trial.n_dealt], up)
        trial.n_dealt += 1


cdef void turn(Trial* trial, const GameDef* game) noexcept nogil:
    """One common card."""
    cdef int32_t i
    if trial.n_dealt == game.n_deck_cards:
        return
    for i in range(2):
        trial.hands[i].board[trial.hands[i].n_board_cards] = trial.deck[trial.n_dealt]
        trial.hands[i].n_board_cards += 1
    trial.n_dealt += 1


cdef void choose_in_trial(Trial* trial, const Yardstick* yardstick, const GameDef* game, int32_t step) noexcept nogil:
    """Draws, discards or passes of both hands."""
    cdef uint8_t gone[2][MAX_HOLE_CARDS]
    cdef int32_t n_gone[2]
    cdef int32_t kind = game.steps[step].kind, count = game.steps[step].count, i, k, _k
    for i in range(2):
        count = min(count, trial.hands[i].n_hole_cards)
        n_gone[i] = part_with(
            &trial.hands[i],
            choose_places(yardstick, game, step, &trial.hands[i], 0 if kind == STEP_DRAW else count, count),
            gone[i],
        )
        for _k in range(n_gone[i] if kind == STEP_DRAW else 0):
            deal_to(trial, game, i, False)
    for i in range(2 if kind == STEP_PASS else 0):
        for k in range(n_gone[1 - i]):
            receive(&trial.hands[i], gone[1 - i][k], False)


cdef void take_step(Trial* trial, const Yardstick* yardstick, const GameDef* game, int32_t step) noexcept nogil:
    """One step of the game for both hands. Burns do nothing: one unseen card is like another."""
    cdef int32_t kind = game.steps[step].kind, _k
    if is_choice(kind):
        choose_in_trial(trial, yardstick, game, step)
        return
    for _k in range(game.steps[step].count):
        if kind == STEP_DEAL_BOARD:
            turn(trial, game)
        elif kind == STEP_DEAL_DOWN or kind == STEP_DEAL_UP:
            deal_to(trial, game, 0, kind == STEP_DEAL_UP)
            deal_to(trial, game, 1, kind == STEP_DEAL_UP)


cdef inline bint is_choice(int32_t kind) noexcept nogil:
    return kind == STEP_DRAW or kind == STEP_DISCARD or kind == STEP_PASS


cdef inline bint is_decided(int32_t kind) noexcept nogil:
    """Whether a seat decides something at a step of this kind."""
    return kind == STEP_BET or kind == STEP_DECLARE or is_choice(kind)


cdef void measure_step(Trial* trials, const GameDef* game, int32_t step, Yardstick* yardstick) noexcept nogil:
    cdef int32_t half, i
    for half in range(N_HALVES):
        if rule_of(game, half).ranking == RANKING_NONE:
            continue
        for i in range(PER_MILLE):
            yardstick.scores[step][half][i] = score_held(rule_of(game, half), &trials[i >> 1].hands[i & 1])
        qsort(yardstick.scores[step][half], PER_MILLE, sizeof(int32_t), compare_scores)


cdef void measure(Trial* trials, const GameDef* game, Yardstick* yardstick) noexcept nogil:
    cdef Philox stream
    cdef int32_t step, i
    for i in range(N_DEALS):
        memset(&trials[i], 0, sizeof(Trial))
        trials[i].hands[0].has_board = game.has_board
        trials[i].hands[1].has_board = game.has_board
        philox_begin(&stream, 0, 0, PURPOSE_YARDSTICK, i, 0)
        fill_deck(game, trials[i].deck)
        shuffle_cards(&stream, trials[i].deck, game.n_deck_cards)
    for step in range(game.n_steps):
        if is_decided(game.steps[step].kind):
            measure_step(trials, game, step, yardstick)
        for i in range(N_DEALS):
            take_step(&trials[i], yardstick, game, step)


# --- Comparing --------------------------------------------------------------------------------------------------------------


cdef inline const RankingRule* rule_of(const GameDef* game, int32_t half) noexcept nogil:
    return &game.high if half == HALF_HIGH else &game.low


cdef int32_t standing(
    const Yardstick* yardstick, const GameDef* game, int32_t step, int32_t half, const Held* held
) noexcept nogil:
    cdef const int32_t* scores = yardstick.scores[step][half]
    cdef int32_t score, first = 0, last = PER_MILLE, middle
    if rule_of(game, half).ranking == RANKING_NONE:
        return 0
    score = score_held(rule_of(game, half), held)
    while first < last:
        middle = (first + last) // 2
        if scores[middle] < score:
            first = middle + 1
        else:
            last = middle
    return first


cdef int32_t better_half(const Yardstick* yardstick, const GameDef* game, int32_t step, const Held* held) noexcept nogil:
    if standing(yardstick, game, step, HALF_LOW, held) > standing(yardstick, game, step, HALF_HIGH, held):
        return HALF_LOW
    return HALF_HIGH


cdef uint32_t choose_places(
    const Yardstick* yardstick, const GameDef* game, int32_t step, const Held* held, int32_t n_min, int32_t n_max
) noexcept nogil:
    cdef int32_t half = better_half(yardstick, game, step, held)
    cdef const RankingRule* rule = rule_of(game, half)
    cdef bint is_poor
    if rule.ranking == RANKING_LOW_SPADE:                              # One card takes that half; the others are for high.
        half = HALF_HIGH
        rule = rule_of(game, half)
    if n_min == 0:
        is_poor = standing(yardstick, game, step, half, held) < PER_MILLE // 2
        return cards_to_change(rule, held, n_max, is_poor)
    return cards_to_give(rule, held, n_min)


# --- Python skin ------------------------------------------------------------------------------------------------------------


cdef class MeasuredGame:
    """A game's yardstick, measured when it is made."""

    def __init__(self, game, hand_rules):
        cdef GameDef parsed
        cdef Trial* trials = <Trial*>PyMem_Calloc(N_DEALS, sizeof(Trial))
        if trials == NULL:
            raise MemoryError
        try:
            read_game(game, hand_rules, &parsed)
            self.game = parsed
            with nogil:
                measure(trials, &parsed, &self.core)
        finally:
            PyMem_Free(trials)

    def standings(self, int step, hole_cards, board=(), *, uint32_t up_mask=0):
        cdef Held held
        memset(&held, 0, sizeof(held))
        if not (0 <= step < self.game.n_steps and is_decided(self.game.steps[step].kind)):
            raise InputError(f"nobody decides anything at step {step}", field="step")
        if len(hole_cards) > MAX_HOLE_CARDS or len(board) > MAX_BOARD_CARDS:
            raise InputError("more cards than a hand has", field="hole_cards")
        for card in hole_cards:
            receive(&held, card, up_mask >> held.n_hole_cards & 1)
        for card in board:
            held.board[held.n_board_cards] = card
            held.n_board_cards += 1
        held.has_board = self.game.has_board
        return tuple([standing(&self.core, &self.game, step, half, &held) for half in range(N_HALVES)])


@lru_cache(maxsize=N_KEPT_GAMES)
def _measured_game(game, hand_rules):
    return MeasuredGame(game, hand_rules)


cdef MeasuredGame measured_game(object game, object hand_rules):
    return _measured_game(game, hand_rules)
