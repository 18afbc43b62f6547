# cython: language_level=3
"""Plays rotation blocks. See run.pxd for the structs and docs/fairness.md for the method.

Player i sits at seat i in every session of a block; session j gives the first button to seat j. So start role k (seats from the
first button) is player j + k in session j, and over the block every role holds every player's cards once.
"""

from homegame_engine.betting cimport ACCEPTED, Action, REFUSE_CUTOFF_PASSED, REFUSE_TOO_FEW_PLAYERS
from homegame_engine.limits cimport MAX_SEATS
from homegame_engine.session cimport (
    SessionCore,
    read_session_definition,
    session_active_mask,
    session_apply,
    session_begin,
    session_deal_refusal,
    session_start_hand,
)
from homegame_engine.view cimport Observation, observe
from homegame_sim.deal cimport N_DECK_CARDS, PlayerCards, draw_cards, was_dealt, write_deck_order
from homegame_sim.philox cimport PLAYER_SHIFT, PURPOSE_DEAL, PURPOSE_DECISION, Philox, philox_begin
from homegame_sim.policies cimport choose
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from typing import NamedTuple

import numpy as np

from homegame_engine.errors import InputError, InvariantError
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


cdef int32_t play_hand(
    const RunSettings* settings, SessionCore* s, const PlayerCards* cards, uint64_t block, int32_t hand, Fault* fault
) noexcept nogil:
    cdef uint8_t deck_order[N_DECK_CARDS]
    cdef Philox streams[MAX_SEATS]
    cdef Observation seen
    cdef Action action
    cdef int32_t seat
    cdef int64_t total_chips = 0
    write_deck_order(
        cards, &settings.definition.game, &settings.definition.showdown, session_active_mask(s), s.button, deck_order
    )
    fault.refusal = session_start_hand(s, hand * settings.hand_ms, deck_order, NULL)
    if fault.refusal != ACCEPTED:
        return FAULT_DEAL_REFUSED
    for seat in range(settings.n_players):
        philox_begin(
            &streams[seat], settings.seed, block, PURPOSE_DECISION | <uint64_t>seat << PLAYER_SHIFT, <uint64_t>hand, 0
        )
    while s.hand_is_live:
        seat = s.hand.actor
        observe(s, seat, &seen)
        choose(settings.policy, &seen, &streams[seat], &action)
        fault.refusal = session_apply(s, seat, &action, NULL)
        if fault.refusal != ACCEPTED:
            return FAULT_ACTION_REFUSED
    if not was_dealt(cards, &s.hand):
        return FAULT_WRONG_CARDS
    for seat in range(settings.n_players):
        total_chips += s.stack_chips[seat]
    if total_chips != s.issued_chips:                                   # GEN-04
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
    columns[COLUMN_SOLE_OWNER] += 1 if best_chips == s.issued_chips else 0
    columns[COLUMN_TIED] += 1 if n_leaders > 1 else 0


cdef int32_t play_sessions(
    const RunSettings* settings, SessionCore* sessions, uint64_t block, Fault* fault
) noexcept nogil:
    """Hand by hand through all sessions of the block, so that each hand's cards are drawn once."""
    cdef PlayerCards cards
    cdef Philox stream
    cdef int32_t hand, rotation, refusal, kind
    cdef bint was_drawn = True
    for hand in range(settings.hands_max):
        if not was_drawn:
            break                                                       # Nobody played the hand before: all are done.
        was_drawn = False
        for rotation in range(settings.n_players):
            refusal = session_deal_refusal(&sessions[rotation], hand * settings.hand_ms)
            if refusal == REFUSE_CUTOFF_PASSED or refusal == REFUSE_TOO_FEW_PLAYERS:
                continue
            if not was_drawn:
                philox_begin(&stream, settings.seed, block, PURPOSE_DEAL, <uint64_t>hand, 0)
                draw_cards(&stream, &settings.definition.game, settings.n_players, &cards)
                was_drawn = True
            kind = play_hand(settings, &sessions[rotation], &cards, block, hand, fault)
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
        sessions[rotation].definition = settings.definition
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
    return FAULT_NONE if net_chips == 0 else FAULT_CHIPS


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
    hands_histogram: np.ndarray


cdef int32_t read_settings(
    RunSettings* settings, object format_spec, object game, object house, str policy, object seed, int n_players
) except -1:
    memset(settings, 0, sizeof(RunSettings))
    read_session_definition(format_spec, game, house, &settings.definition)
    if not settings.definition.min_players <= n_players <= settings.definition.max_players:
        raise InputError(
            f"format {format_spec.id} is for {settings.definition.min_players} to {settings.definition.max_players} players, "
            f"not {n_players}", field="players",
        )
    if not 0 <= seed < 1 << 64:
        raise InputError("a seed is a whole number from 0 to 2^64 - 1", field="seed")
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
    format_spec, game, house, *, policy, seed, n_players, first_block, n_blocks, hands_max, cutoff_at_ms, hand_ms
):
    cdef RunSettings settings
    cdef Fault fault
    cdef int32_t kind
    cdef int n = n_players
    read_settings(&settings, format_spec, game, house, policy, seed, n)
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
        hands_histogram=hands_histogram,
    )
