# cython: language_level=3
"""Plays rotation blocks. See run.pxd for the structs and docs/fairness.md for the method.

Player i sits at seat i in every session of a block; session j gives the first button to seat j. So start role k (seats from the
first button) is player j + k in session j, and over the block every role holds every player's cards once.
"""

from homegame_engine.betting cimport ACCEPTED, Action, REFUSE_CUTOFF_PASSED, REFUSE_TOO_FEW_PLAYERS
from homegame_engine.limits cimport DECK_CARDS_MAX, MAX_SEATS
from homegame_engine.session cimport (
    SessionCore,
    read_session_definition,
    seats_of_next_deal,
    session_apply,
    session_begin,
    session_change_game,
    session_deal_refusal,
    session_has_sole_owner,
    session_start_hand,
)
from homegame_engine.view cimport Observation, observe
from homegame_sim.deal cimport (
    PlayerCards,
    count_mix_orders,
    draw_cards,
    plan_deal,
    was_turned,
    were_dealt,
    write_deck_order,
    write_mix_orders,
)
from homegame_sim.philox cimport PLAYER_SHIFT, PURPOSE_DECISION, Philox, philox_begin
from homegame_sim.policies cimport choose
from homegame_sim.yardstick cimport MeasuredGame, measured_game
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from typing import NamedTuple

import numpy as np

from homegame_engine.errors import InputError, InvariantError
from homegame_engine.stakes import level_rules
from homegame_sim.policies import policy_code

WIN_UNITS_PER_WIN = WIN_UNITS
HANDS_MAX = 1_000_000   # Of one session; a bound on memory, far beyond any night.

_FAULT_TEXTS = {
    FAULT_DEAL_REFUSED: "a simulated deal was refused",
    FAULT_ACTION_REFUSED: "a policy's action was refused",
    FAULT_WRONG_CARDS: "a player did not get the cards that were drawn for that player",
    FAULT_CHIPS: "chips are not conserved in a simulated session",
    FAULT_WINS: "the win shares of a block do not add up",
}


cdef int32_t deal(
    const RunSettings* settings, const PlayedGame* played, SessionCore* s, const PlayerCards* cards, int32_t hand, Fault* fault
) noexcept nogil:
    cdef uint8_t deck_order[DECK_CARDS_MAX]
    write_deck_order(
        &played.plan, cards, &played.definition.game, &played.definition.showdown, seats_of_next_deal(s), s.button, deck_order
    )
    write_mix_orders(&played.plan, cards, deck_order, &s.hand)
    fault.refusal = session_start_hand(s, hand * settings.hand_ms, deck_order, NULL)
    if fault.refusal != ACCEPTED:
        return FAULT_DEAL_REFUSED
    return FAULT_NONE if were_dealt(&played.plan, cards, &s.hand) else FAULT_WRONG_CARDS


cdef int32_t play_hand(
    const RunSettings* settings,
    const PlayedGame* played,
    SessionCore* s,
    const PlayerCards* cards,
    uint64_t block,
    int32_t hand,
    Fault* fault,
) noexcept nogil:
    cdef Philox streams[MAX_SEATS]
    cdef Observation seen
    cdef Action action
    cdef int32_t seat, kind
    cdef int64_t total_chips = 0
    kind = deal(settings, played, s, cards, hand, fault)
    if kind != FAULT_NONE:
        return kind
    for seat in range(settings.n_players):
        philox_begin(
            &streams[seat], settings.seed, block, PURPOSE_DECISION | <uint64_t>seat << PLAYER_SHIFT, <uint64_t>hand, 0
        )
    while s.hand_is_live:
        seat = s.hand.actor
        observe(s, seat, &seen)
        choose(settings.policy, &seen, played.yardstick, &streams[seat], &action)
        fault.refusal = session_apply(s, seat, &action, NULL)
        if fault.refusal != ACCEPTED:
            return FAULT_ACTION_REFUSED
    if not was_turned(&played.plan, cards, &s.hand):
        return FAULT_WRONG_CARDS
    for seat in range(settings.n_players):
        total_chips += s.stack_chips[seat]
    if total_chips + s.carry_chips != s.issued_chips:                   # GEN-04
        return FAULT_CHIPS
    return FAULT_NONE


cdef void score_session(const SessionCore* s, int32_t n_players, int32_t rotation, int64_t* row) noexcept nogil:
    """Adds a finished session to its block's row: the highest stacks share one win (PTS-016, PTS-017)."""
    cdef int32_t role, n_leaders = 0
    cdef int64_t best_chips = -1
    cdef int64_t* columns = row + 2 * n_players
    for role in range(n_players):
        if s.stack_chips[role] > best_chips:
            best_chips = s.stack_chips[role]
            n_leaders = 0
        if s.stack_chips[role] == best_chips:
            n_leaders += 1
    for role in range(n_players):
        if s.stack_chips[(rotation + role) % n_players] == best_chips:
            row[role] += WIN_UNITS // n_leaders
        row[n_players + role] += s.stack_chips[(rotation + role) % n_players] - s.definition.start_chips
    columns[COLUMN_HANDS] += s.n_hands
    columns[COLUMN_INCOMPLETE] += 1 if s.ticked_mask != 0 else 0        # PROC-BTN-03
    columns[COLUMN_SOLE_OWNER] += 1 if session_has_sole_owner(s) else 0
    columns[COLUMN_TIED] += 1 if n_leaders > 1 else 0
    columns[COLUMN_CARRY] += s.carry_chips


cdef int32_t play_sessions(
    const RunSettings* settings, SessionCore* sessions, uint64_t block, Fault* fault
) noexcept nogil:
    """Hand by hand through all sessions of the block, so that each hand's cards are drawn once for a game."""
    cdef PlayerCards cards
    cdef int32_t called[MAX_SEATS]    # The game of each session.
    cdef int32_t hand, rotation, refusal, kind, game, drawn = -1
    cdef bint was_played = True
    memset(called, 0, sizeof(called))
    for hand in range(settings.hands_max):
        if not was_played:
            break                                                       # Nobody played the hand before: all are done.
        was_played = False
        drawn = -1
        for rotation in range(settings.n_players):
            refusal = session_deal_refusal(&sessions[rotation], hand * settings.hand_ms)
            if refusal == REFUSE_CUTOFF_PASSED or refusal == REFUSE_TOO_FEW_PLAYERS:
                continue
            was_played = True
            # GAME-DC-06: a pot that is dealt for again is played for in the same game.
            if settings.n_games > 1 and hand > 0 and sessions[rotation].redeal_mask == 0:
                called[rotation] = (called[rotation] + 1) % settings.n_games
                session_change_game(&sessions[rotation], &settings.games[called[rotation]].definition)
            game = called[rotation]
            if game != drawn:
                draw_cards(
                    &settings.games[game].plan, settings.seed, block, <uint64_t>hand, &settings.games[game].definition.game,
                    settings.n_players, &cards,
                )
                drawn = game
            kind = play_hand(settings, &settings.games[game], &sessions[rotation], &cards, block, hand, fault)
            if kind != FAULT_NONE:
                fault.rotation = rotation
                fault.hand = hand
                return kind
    return FAULT_NONE


cdef int32_t play_block(
    const RunSettings* settings, SessionCore* sessions, uint64_t block, int64_t* row, int64_t* hands_histogram, Fault* fault
) noexcept nogil:
    cdef int32_t rotation, role, kind
    cdef int64_t win_units = 0, net_chips = 0
    cdef uint32_t everybody = (1u << settings.n_players) - 1
    fault.block = block
    for rotation in range(settings.n_players):
        sessions[rotation].definition = settings.games[0].definition
        sessions[rotation].n_seats = settings.n_players
        sessions[rotation].cutoff_at_ms = settings.cutoff_at_ms
        session_begin(&sessions[rotation], everybody, rotation)
    kind = play_sessions(settings, sessions, block, fault)
    if kind != FAULT_NONE:
        return kind
    for rotation in range(settings.n_players):
        score_session(&sessions[rotation], settings.n_players, rotation, row)
        hands_histogram[sessions[rotation].n_hands] += 1
    for role in range(settings.n_players):
        win_units += row[role]
        net_chips += row[settings.n_players + role]
    if win_units != WIN_UNITS * settings.n_players:
        return FAULT_WINS
    return FAULT_NONE if net_chips + row[2 * settings.n_players + COLUMN_CARRY] == 0 else FAULT_CHIPS


# --- Python skin ------------------------------------------------------------------------------------------------------------


class BlockRows(NamedTuple):
    """What a range of blocks came to. See run.pyi."""

    first_block: int
    win_units: np.ndarray
    net_chips: np.ndarray
    hands: np.ndarray
    incomplete_orbits: np.ndarray
    sole_owners: np.ndarray
    ties: np.ndarray
    carry_chips: np.ndarray
    hands_histogram: np.ndarray


cdef class _GameList:
    """The games of a run in the order in which they are called, each read and measured."""

    cdef PlayedGame* games
    cdef int32_t n_games
    cdef list measured    # Keeps the yardsticks alive.

    def __cinit__(self, format_spec, games, house, int n_players):
        cdef int32_t i
        cdef PlayedGame* played
        self.n_games = len(games)
        self.measured = []
        self.games = <PlayedGame*>PyMem_Calloc(self.n_games, sizeof(PlayedGame))
        if self.games == NULL:
            raise MemoryError
        rules = level_rules(house, format_spec.levels[0], format_spec.betting.structure)
        for i, game in enumerate(games):
            played = &self.games[i]
            read_session_definition(format_spec, game, house, &played.definition)
            if not played.definition.min_players <= n_players <= played.definition.max_players:
                raise InputError(
                    f"format {format_spec.id} is for {played.definition.min_players} to {played.definition.max_players} players, "
                    f"not {n_players}", field="players",
                )
            played.plan = plan_deal(&played.definition.game, count_mix_orders(game, rules, n_players))
            self.measured.append(measured_game(game, rules))
            played.yardstick = &(<MeasuredGame>self.measured[i]).core

    def __dealloc__(self):
        PyMem_Free(self.games)


cdef int32_t read_settings(RunSettings* settings, _GameList games, str policy, object seed, int n_players) except -1:
    memset(settings, 0, sizeof(RunSettings))
    if not 0 <= seed < 1 << 64:
        raise InputError("a seed is a whole number from 0 to 2^64 - 1", field="seed")
    settings.games = games.games
    settings.n_games = games.n_games
    settings.seed = seed
    settings.policy = policy_code(policy)
    settings.n_players = n_players
    return 0


cdef int32_t run_range(
    const RunSettings* settings, uint64_t first_block, int64_t[:, ::1] rows, int64_t[::1] hands_histogram, Fault* fault
) except -1:
    """Plays the blocks without the interpreter's lock, so that threads run side by side."""
    cdef Py_ssize_t i
    cdef int32_t kind = FAULT_NONE
    cdef SessionCore* sessions = <SessionCore*>PyMem_Calloc(settings.n_players, sizeof(SessionCore))
    if sessions == NULL:
        raise MemoryError
    try:
        with nogil:
            for i in range(rows.shape[0]):
                kind = play_block(settings, sessions, first_block + <uint64_t>i, &rows[i, 0], &hands_histogram[0], fault)
                if kind != FAULT_NONE:
                    break
    finally:
        PyMem_Free(sessions)
    return kind


def run_blocks(
    format_spec, games, house, *, policy, seed, n_players, first_block, n_blocks, hands_max, cutoff_at_ms, hand_ms
):
    cdef RunSettings settings
    cdef Fault fault
    cdef int32_t kind
    cdef int n = n_players
    cdef _GameList played = _GameList(format_spec, games, house, n)
    read_settings(&settings, played, policy, seed, n)
    if not 1 <= hands_max <= HANDS_MAX:
        raise InputError(f"expected 1 to {HANDS_MAX} hands a session, got {hands_max}", field="hands")
    if cutoff_at_ms < 1 or not 1 <= hand_ms <= 1 << 40:
        raise InputError("the cutoff and the length of a hand are at least 1 ms", field="minutes")
    if first_block < 0 or n_blocks < 1:
        raise InputError("blocks count from 0, and a run has at least one", field="sessions")
    settings.hands_max = hands_max
    settings.cutoff_at_ms = cutoff_at_ms
    settings.hand_ms = hand_ms
    memset(&fault, 0, sizeof(Fault))
    rows = np.zeros((n_blocks, 2 * n + N_COLUMNS), dtype=np.int64)
    hands_histogram = np.zeros(hands_max + 1, dtype=np.int64)
    kind = run_range(&settings, first_block, rows, hands_histogram, &fault)
    if kind != FAULT_NONE:
        raise InvariantError(
            _FAULT_TEXTS[kind],
            {"block": fault.block, "rotation": fault.rotation, "hand": fault.hand, "refusal": fault.refusal},
        )
    more = rows[:, 2 * n:]
    return BlockRows(
        first_block=first_block,
        win_units=rows[:, :n],
        net_chips=rows[:, n:2 * n],
        hands=more[:, COLUMN_HANDS],
        incomplete_orbits=more[:, COLUMN_INCOMPLETE],
        sole_owners=more[:, COLUMN_SOLE_OWNER],
        ties=more[:, COLUMN_TIED],
        carry_chips=more[:, COLUMN_CARRY],
        hands_histogram=hands_histogram,
    )
