# cython: language_level=3
"""One run of a format at one table. See session.pxd for the structs and session.pyi for the contract of each member.

The file is long for the reason that hand.pyx is: core and skin are one compiled module, since the skin reads the core's struct.
"""

from homegame_engine.betting cimport (
    ACCEPTED,
    ACTION_AGREE,
    Action,
    Legal,
    REFUSE_CUTOFF_MISSING,
    REFUSE_CUTOFF_PASSED,
    REFUSE_HAND_IN_PROGRESS,
    REFUSE_HAND_OVER,
    REFUSE_SESSION_CLOSED,
    REFUSE_TOO_FEW_PLAYERS,
    STRUCTURE_LIMIT,
    legal_object,
    read_action,
    read_betting_rules,
)
from homegame_engine.agreement cimport agree
from homegame_engine.game_def cimport (
    check_deck,
    count_most_players,
    read_deal_rules,
    read_game,
    read_mix_orders,
    read_showdown_rules,
)
from homegame_engine.hand cimport (
    Hand,
    action_object,
    hand_apply,
    hand_legal,
    hand_start,
    hand_timeout_action,
    hand_total_chips,
    legal_actions_of,
    place_game_blinds,
)
from homegame_engine.hand_encoding cimport encode_hand
from homegame_engine.hand_events cimport event_objects
from homegame_engine.hand_state cimport AWARD_WHOLE, Blinds, PHASE_CHOOSING, PHASE_OVER
from homegame_engine.kill cimport KILL_FULL, KILL_HALF, KILL_OFF, KillResult, kill_after, kill_neutral, killed_size
from homegame_engine.limits cimport MAX_LEVELS, MAX_SEATS
from cpython.bytes cimport PyBytes_FromStringAndSize
from homegame_engine.masks cimport count_seats, has_several, lowest_seat, seat_bit, seat_from
from libc.string cimport memcpy, memset

from msgspec import structs

from homegame_engine import events as ev
from homegame_engine.actions import LegalActions
from homegame_engine.errors import InputError, InvariantError, RuleViolation
from homegame_engine.kill import KillMarker
from homegame_engine.reasons import Reason
from homegame_engine.refusals import refuse
from homegame_engine.stakes import level_rules

NO_CUTOFF = (1 << 63) - 1   # For runs that end by hands instead of by the clock (simulation).
ENCODING_VERSION = 1   # Of `encode`.


cdef void count_chips(SessionCore* s) noexcept nogil:
    """Works out chips_mask anew: after stacks between hands have changed."""
    cdef int32_t seat
    s.chips_mask = 0
    for seat in range(s.n_seats):
        s.chips_mask |= seat_bit(seat) & -<uint32_t>(s.stack_chips[seat] > 0)


cdef void session_begin(SessionCore* s, uint32_t roster_mask, int32_t first_button) noexcept nogil:
    cdef int32_t seat
    s.roster_mask = roster_mask
    s.passing_mask = 0
    s.ticked_mask = 0
    s.n_orbits = 0
    s.n_hands = 0
    s.button = first_button
    s.hand_is_live = 0
    s.is_finished = 0
    s.issued_chips = 0
    s.carry_chips = 0
    s.redeal_mask = 0
    s.kill = kill_neutral()
    s.hand.phase = PHASE_OVER
    s.hand.actor = -1
    for seat in range(MAX_SEATS):
        s.stack_chips[seat] = 0
        if roster_mask >> seat & 1:
            s.stack_chips[seat] = s.definition.start_chips             # PTS-002
            s.issued_chips += s.definition.start_chips
    s.laid_level = -1
    count_chips(s)


cdef uint32_t session_active_mask(const SessionCore* s) noexcept nogil:
    return s.chips_mask & s.roster_mask & ~s.passing_mask


cdef bint session_has_sole_owner(const SessionCore* s) noexcept nogil:
    return s.chips_mask != 0 and not has_several(s.chips_mask)


cdef const LevelDef* session_level(const SessionDef* definition, int32_t hand_number) noexcept nogil:
    cdef int32_t i = definition.n_levels - 1
    while i > 0 and definition.levels[i].from_hand > hand_number:      # PTS-B3-02: for the next deal only.
        i -= 1
    return &definition.levels[i]


cdef int32_t session_deal_refusal(const SessionCore* s, int64_t at_ms) noexcept nogil:
    if s.is_finished:
        return REFUSE_SESSION_CLOSED                                   # PTS-023
    if s.hand_is_live:
        return REFUSE_HAND_IN_PROGRESS
    if s.cutoff_at_ms == 0:
        return REFUSE_CUTOFF_MISSING                                   # PTS-003
    if at_ms >= s.cutoff_at_ms:
        return REFUSE_CUTOFF_PASSED                                    # PTS-016, PROC-END-01: exactly then is too late.
    if not has_several(session_active_mask(s)):
        return REFUSE_TOO_FEW_PLAYERS
    return ACCEPTED


cdef void tick(SessionCore* s, int32_t seat) noexcept nogil:
    """PROC-BTN-03: marks a roster position; the last one completes the orbit."""
    if not (s.roster_mask >> seat & 1):
        return
    s.ticked_mask |= 1u << seat
    if s.ticked_mask == s.roster_mask:
        s.n_orbits += 1
        s.ticked_mask = 0


cdef inline int32_t next_seat(const SessionCore* s, int32_t seat) noexcept nogil:
    return seat + 1 if seat + 1 < s.n_seats else 0


cdef void move_button_to_active(SessionCore* s, int32_t from_seat) noexcept nogil:
    """PROC-BTN-01: to the first active seat from `from_seat` on; positions passed over are ticked without a hand."""
    cdef uint32_t active_mask = session_active_mask(s)
    cdef int32_t seat = from_seat
    if active_mask == 0:
        return
    while not (active_mask >> seat & 1):
        tick(s, seat)
        seat = next_seat(s, seat)
    s.button = seat


cdef void move_button_on(SessionCore* s) noexcept nogil:
    """PROC-BTN-01 after a completed hand. Where no hand can follow now, the next position waits: who holds the button, and
    which positions are passed over, is decided when there is a hand again."""
    if session_has_sole_owner(s):                                      # PTS-016: the session is over.
        return
    if has_several(session_active_mask(s)):
        move_button_to_active(s, next_seat(s, s.button))
    else:
        s.button = seat_from(s.roster_mask, s.button + 1)


cdef uint32_t seats_of_next_deal(const SessionCore* s) noexcept nogil:
    cdef uint32_t active_mask = session_active_mask(s)
    return active_mask & s.redeal_mask if has_several(active_mask & s.redeal_mask) else active_mask


cdef void session_change_game(SessionCore* s, const SessionDef* definition) noexcept nogil:
    cdef int64_t start_chips = s.definition.start_chips                # PTS-002: everybody began with that.
    s.definition = definition[0]
    s.definition.start_chips = start_chips
    s.kill = kill_neutral()                                            # KILL-03: the first hand of a new game.
    s.laid_level = -1


cdef void lay_out(SessionCore* s) noexcept nogil:
    """Gives the hand that starts its game and the sizes of the level in force (PTS-B3-02), if the last one had others."""
    cdef HandCore* h = &s.hand
    cdef const LevelDef* level = session_level(&s.definition, s.n_hands + 1)
    cdef int32_t number = <int32_t>(level - s.definition.levels)
    if number == s.laid_level and s.definition.kill == KILL_OFF:       # A kill changes the sizes of a hand.
        return
    s.laid_level = number
    h.game = s.definition.game
    h.showdown = s.definition.showdown
    h.n_deck_cards = h.game.n_deck_cards
    h.deal = s.definition.deal
    h.deal.ante_chips = level.ante_chips
    h.deal.bring_in_chips = level.bring_in_chips
    h.betting.rules = s.definition.betting
    h.betting.rules.small_blind_chips = level.small_blind_chips
    h.betting.rules.big_blind_chips = level.big_blind_chips
    h.betting.rules.small_bet_chips = level.small_bet_chips
    h.betting.rules.big_bet_chips = level.big_bet_chips
    h.betting.rules.min_open_chips = level.min_open_chips
    h.betting.rules.spread_min_chips = level.spread_min_chips
    h.betting.rules.spread_max_chips = level.spread_max_chips


cdef void kill_hand(SessionCore* s, Blinds* blinds) noexcept nogil:
    """KILL-01, KILL-06: the killer's blind and the larger bets, if the killer is dealt in and blinds are posted."""
    cdef HandCore* h = &s.hand
    cdef int64_t unit_chips = h.betting.rules.unit_chips
    cdef int32_t killer = s.kill.killer_seat
    if killer < 0 or not h.dealt_mask >> killer & 1 or blinds.big_seat < 0:
        return
    blinds.kill_seat = killer
    blinds.kill_chips = killed_size(s.definition.kill, blinds.big_chips, unit_chips)
    h.betting.rules.small_bet_chips = killed_size(s.definition.kill, h.betting.rules.small_bet_chips, unit_chips)
    h.betting.rules.big_bet_chips = killed_size(s.definition.kill, h.betting.rules.big_bet_chips, unit_chips)


cdef int32_t session_start_hand(
    SessionCore* s, int64_t at_ms, const uint8_t* deck_order, EventBuffer* events
) noexcept nogil:
    cdef HandCore* h = &s.hand
    cdef Blinds blinds
    cdef int32_t refusal = session_deal_refusal(s, at_ms)
    if refusal != ACCEPTED:
        return refusal
    if s.redeal_mask == 0:                                             # GAME-DC-06: the same dealer redeals.
        move_button_to_active(s, s.button)
    lay_out(s)
    memcpy(h.betting.stack_chips, s.stack_chips, sizeof(h.betting.stack_chips))
    memcpy(h.deck, deck_order, h.n_deck_cards)
    h.n_seats = s.n_seats
    h.button = s.button
    h.dealt_mask = seats_of_next_deal(s)
    h.dead_chips = s.carry_chips                                       # HOUSE-POT-03
    s.hand_is_live = 1
    if s.definition.kill != KILL_OFF:
        blinds = place_game_blinds(h, h.betting.rules.small_blind_chips, h.betting.rules.big_blind_chips)
        kill_hand(s, &blinds)
        hand_start(h, &blinds, NULL, NULL, events)
    else:
        hand_start(h, NULL, NULL, NULL, events)
    if h.phase == PHASE_OVER:
        session_end_hand(s)
    return ACCEPTED


cdef void session_end_hand(SessionCore* s) noexcept nogil:
    """The sheet row, the tick of the position and the move of the button (PTS-005, PTS-008, PROC-BTN-01)."""
    memcpy(s.stack_chips, s.hand.betting.stack_chips, sizeof(s.stack_chips))
    count_chips(s)
    s.hand_is_live = 0
    s.n_hands += 1
    s.carry_chips = s.hand.carry_chips
    s.redeal_mask = s.hand.redeal_mask
    if s.definition.kill != KILL_OFF:
        note_winners(s)
    if s.redeal_mask:
        return                                                         # The position is not done: its dealer redeals.
    tick(s, s.button)
    move_button_on(s)


cdef void note_winners(SessionCore* s) noexcept nogil:
    """Moves the kill marker after a hand (KILL-02 to KILL-04, KILL-07)."""
    cdef const HandCore* h = &s.hand
    cdef KillResult result
    cdef int64_t gain_chips = 0, blind_chips = 0
    cdef int32_t seat, winner
    memset(&result, 0, sizeof(result))
    result.killer_seat = h.kill_seat
    result.big_blind_chips = h.betting.rules.big_blind_chips
    result.is_hi_lo = h.game.award != AWARD_WHOLE
    for seat in range(h.n_seats):
        result.pot_chips += h.won_chips[seat]
        if h.won_chips[seat] > 0:
            result.winners_mask |= 1u << seat
    if result.winners_mask and not has_several(result.winners_mask):
        winner = lowest_seat(result.winners_mask)
        gain_chips = h.betting.stack_chips[winner] - h.start_stack_chips[winner]
        # What the others had to post is no gain beyond the blinds.
        if h.small_blind_seat >= 0 and h.small_blind_seat != winner:
            blind_chips += h.betting.rules.small_blind_chips
        if h.big_blind_seat >= 0 and h.big_blind_seat != winner:
            blind_chips += h.betting.rules.big_blind_chips
        result.won_bet = 1 if gain_chips - blind_chips >= h.betting.rules.small_bet_chips else 0
    s.kill = kill_after(s.kill, &result)


cdef int32_t session_apply(SessionCore* s, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    cdef int32_t refusal
    if not s.hand_is_live:
        return REFUSE_HAND_OVER
    refusal = hand_apply(&s.hand, seat, action, events)
    if refusal == ACCEPTED and s.hand.phase == PHASE_OVER:
        session_end_hand(s)
    return refusal


# --- Python skin ------------------------------------------------------------------------------------------------------------


_KILLS = {"OFF": KILL_OFF, "HALF": KILL_HALF, "FULL": KILL_FULL}


cdef int32_t read_session_definition(object format_spec, object game, object house, SessionDef* parsed) except -1:
    """Copies a format, its game and its house into the core's struct."""
    cdef int32_t i
    memset(parsed, 0, sizeof(SessionDef))
    if not 1 <= len(format_spec.levels) <= MAX_LEVELS:
        raise InputError(f"a format has 1 to {MAX_LEVELS} levels", field="levels")
    for i, level in enumerate(format_spec.levels):
        rules = level_rules(house, level, format_spec.betting.structure)
        if i == 0:
            read_game(game, rules, &parsed.game)
            read_betting_rules(rules, &parsed.betting)
            read_showdown_rules(game, rules, &parsed.showdown)
            read_deal_rules(rules, &parsed.deal)
        parsed.levels[i].from_hand = level.from_hand
        parsed.levels[i].small_blind_chips = rules.small_blind_chips
        parsed.levels[i].big_blind_chips = rules.big_blind_chips
        parsed.levels[i].small_bet_chips = rules.small_bet_chips
        parsed.levels[i].big_bet_chips = rules.big_bet_chips
        parsed.levels[i].min_open_chips = rules.min_open_chips
        parsed.levels[i].spread_min_chips = rules.spread_min_chips
        parsed.levels[i].spread_max_chips = rules.spread_max_chips
        parsed.levels[i].ante_chips = rules.ante_chips
        parsed.levels[i].bring_in_chips = rules.bring_in_chips
    parsed.n_levels = len(format_spec.levels)
    parsed.kill = _KILLS[rules.kill]
    parsed.min_players = format_spec.players.min
    parsed.max_players = min(format_spec.players.max, count_most_players(game, rules))
    parsed.start_chips = format_spec.start.chips
    return 0


cdef class Session:
    """One run of a format at one table. See session.pyi."""

    def __init__(self):
        raise TypeError("a session is made by Session.create")

    @staticmethod
    def create(format_spec, game, house, *, int n_seats, int seated_mask, int first_button, int hands_before=0):
        cdef Session self = Session.__new__(Session)
        cdef int32_t n_players = count_seats(<uint32_t>seated_mask)
        memset(&self.core, 0, sizeof(SessionCore))
        if not 2 <= n_seats <= MAX_SEATS:
            raise InputError(f"expected 2 to {MAX_SEATS} seats, got {n_seats}", field="n_seats")
        if seated_mask >> n_seats or seated_mask < 0:
            raise InputError("a player sits at a seat that does not exist", field="seated_mask")
        read_session_definition(format_spec, game, house, &self.core.definition)
        if n_players < self.core.definition.min_players:
            raise RuleViolation(
                Reason.TOO_FEW_PLAYERS, "PTS-006", facts={"players": n_players, "least_players": format_spec.players.min},
                message="Fewer players than the format needs.",
            )
        if n_players > self.core.definition.max_players:
            raise RuleViolation(
                Reason.TOO_MANY_PLAYERS, "PTS-006", facts={"players": n_players, "most_players": format_spec.players.max},
                message="More players than the format takes.",
            )
        if not (0 <= first_button < n_seats and seated_mask >> first_button & 1):
            raise InputError("the first button must be an occupied seat", field="first_button")
        self.core.n_seats = n_seats
        if hands_before < 0:
            raise InputError("hand numbers count from 1", field="hands_before")
        self.core.hands_before = hands_before
        session_begin(&self.core, <uint32_t>seated_mask, first_button)
        self.format_spec = format_spec
        self.game_spec = game
        self.hand_rules = level_rules(house, format_spec.levels[0], format_spec.betting.structure)
        return self

    def change_game(self, format_spec, game, house):
        cdef SessionDef parsed
        if self.core.hand_is_live:
            raise refuse(REFUSE_HAND_IN_PROGRESS)
        read_session_definition(format_spec, game, house, &parsed)
        session_change_game(&self.core, &parsed)
        self.format_spec = format_spec
        self.game_spec = game
        self.hand_rules = level_rules(house, format_spec.levels[0], format_spec.betting.structure)

    def post_cutoff(self, int64_t at_ms):
        if at_ms <= 0:
            raise InputError("a cutoff is a moment after 1970", field="cutoff_at_ms")
        self.core.cutoff_at_ms = at_ms

    def deal_refusal(self, int64_t at_ms):
        cdef int32_t refusal = session_deal_refusal(&self.core, at_ms)
        return None if refusal == ACCEPTED else refuse(refusal)

    def start_hand(self, int64_t at_ms, deck_order, mix_orders=b""):
        cdef bytes order = bytes(deck_order)
        cdef const uint8_t* codes = order
        cdef int32_t refusal
        cdef int n_orbits_before = self.core.n_orbits
        refusal = session_deal_refusal(&self.core, at_ms)
        if refusal != ACCEPTED:
            raise refuse(refusal)
        check_deck(&self.core.definition.game, order, False, "PTS-001")
        if count_seats(seats_of_next_deal(&self.core)) > self.core.definition.max_players:
            raise RuleViolation(
                Reason.TOO_MANY_PLAYERS, "CARD-08", facts={"most_players": self.core.definition.max_players},
                message="The deck does not hold the cards this deal needs.",
            )
        read_mix_orders(bytes(mix_orders), len(order), &self.core.hand)
        stacks = self.stacks
        refusal = session_start_hand(&self.core, at_ms, codes, &self.events)
        if refusal != ACCEPTED:
            raise refuse(refusal)
        # Positions that pass may complete the orbit before the hand (PROC-BTN-03).
        passed = self.completed_orbits(n_orbits_before)
        return (*passed, self._starting_event(stacks), *self.after_input(n_orbits_before + len(passed), True))

    def _starting_event(self, stacks):
        cdef const HandCore* h = &self.core.hand
        rules = self.played_rules
        is_limit = rules.structure in ("FIXED_LIMIT", "LIMIT")
        return ev.HandStarting(
            hand_number=self.core.hands_before + self.core.n_hands + (1 if self.core.hand_is_live else 0),
            button=h.button,
            small_blind_seat=h.small_blind_seat,
            big_blind_seat=h.big_blind_seat,
            small_blind_chips=rules.small_blind_chips,
            big_blind_chips=rules.big_blind_chips,
            small_bet_chips=rules.small_bet_chips if is_limit else 0,
            big_bet_chips=rules.big_bet_chips if is_limit else 0,
            stacks=stacks,
            dealt_in=tuple([seat for seat in range(h.n_seats) if h.dealt_mask >> seat & 1]),
            orbit_number=self.core.n_orbits + 1,
            game_id=self.game_spec.id,
            ante_chips=rules.ante_chips,
            bring_in_chips=rules.bring_in_chips,
            spread_min_chips=rules.spread_min_chips,
            spread_max_chips=rules.spread_max_chips,
        )

    cdef tuple completed_orbits(self, int n_orbits_before):
        return tuple([ev.OrbitCompleted(orbit_number=orbit + 1) for orbit in range(n_orbits_before, self.core.n_orbits)])

    cdef object after_input(self, int n_orbits_before, bint was_live):
        """Events of an accepted input, with the button's and the orbit's where the hand ended; holds GEN-04."""
        cdef int hand_number = self.core.hands_before + self.core.n_hands + (1 if self.core.hand_is_live else 0)
        made = event_objects(&self.core.hand, &self.events, hand_number)
        self.events.n_events = 0
        if hand_total_chips(&self.core.hand) != self.core.hand.issued_chips:
            raise InvariantError("chips are not conserved in the hand")
        if was_live and not self.core.hand_is_live:
            if sum(self.stacks) + self.core.carry_chips != self.core.issued_chips:
                raise InvariantError("chips are not conserved at the table")
            made = made + self.completed_orbits(n_orbits_before)
            if not session_has_sole_owner(&self.core) and self.core.redeal_mask == 0:
                made = (*made, ev.ButtonPlaced(seat=self.core.button))
        return made

    def apply(self, int seat, action):
        cdef Action parsed
        cdef Legal legal
        cdef int32_t refusal
        cdef int n_orbits_before = self.core.n_orbits
        cdef bint was_live = self.core.hand_is_live
        read_action(action, &parsed)
        if parsed.kind == ACTION_AGREE:
            return self.name_division(seat, action.shares)
        refusal = session_apply(&self.core, seat, &parsed, &self.events)
        if refusal != ACCEPTED:
            hand_legal(&self.core.hand, self.core.hand.actor, &legal)
            raise refuse(refusal, legal_object(self.core.hand.actor, &legal, self.core.hand.betting.rules.unit_chips))
        return self.after_input(n_orbits_before, was_live)

    cdef object name_division(self, int seat, object shares):
        """POT-AGR-01: the hand ends once all live seats have named the same division."""
        cdef int n_orbits_before = self.core.n_orbits
        if not self.core.hand_is_live:
            raise refuse(REFUSE_HAND_OVER)
        named = agree(&self.core.hand, seat, shares, &self.events)
        if self.core.hand.phase == PHASE_OVER:
            session_end_hand(&self.core)
        return named + self.after_input(n_orbits_before, True)

    def legal_actions(self, seat=None):
        cdef int32_t asked = self.core.hand.actor if seat is None else seat
        if not self.core.hand_is_live:
            return LegalActions(seat=asked, unit_chips=self.core.definition.betting.unit_chips)
        return legal_actions_of(&self.core.hand, asked)

    def timeout_action(self, int seat):
        cdef Action action
        if not 0 <= seat < self.core.hand.n_seats:
            raise InputError(f"no seat {seat}", field="seat")
        hand_timeout_action(&self.core.hand, seat, &action)
        return action_object(&self.core.hand, seat, &action)

    def void_hand(self, str reason):
        """PROC-VOID-02: stacks of the hand's start, button and hand number stay."""
        if not self.core.hand_is_live:
            raise refuse(REFUSE_HAND_OVER)
        memcpy(self.core.stack_chips, self.core.hand.start_stack_chips, sizeof(self.core.stack_chips))
        count_chips(&self.core)
        self.core.hand_is_live = 0
        self.core.hand.phase = PHASE_OVER
        self.core.hand.actor = -1
        memcpy(self.core.hand.betting.stack_chips, self.core.stack_chips, sizeof(self.core.stack_chips))
        return (ev.HandVoided(hand_number=self.core.hands_before + self.core.n_hands + 1, reason=reason, stacks=self.stacks),)

    def set_active(self, int seat, bint active):
        if not (0 <= seat < self.core.n_seats and self.core.roster_mask >> seat & 1):
            raise InputError(f"nobody plays at seat {seat}", field="seat")
        if active:
            self.core.passing_mask &= ~(1u << seat)
        else:
            self.core.passing_mask |= 1u << seat

    def choose_kill(self, str kill):
        """KILL-01: before the first hand only, and only in limit."""
        if self.core.definition.betting.structure != STRUCTURE_LIMIT:
            raise RuleViolation(Reason.CONFIG_INVALID, "KILL-01", message="Kill pots are a game of limit.")
        if self.core.n_hands or self.core.hand_is_live:
            raise RuleViolation(Reason.CONFIG_LOCKED, "KILL-01", message="The first hand was dealt: what is posted stands.")
        if kill not in _KILLS:
            raise InputError(f"expected one of {', '.join(_KILLS)}, found {kill}", field="kill")
        self.core.definition.kill = _KILLS[kill]
        self.hand_rules = structs.replace(self.hand_rules, kill=kill)

    def forget_leg(self, int seat):
        """KILL-05: a player who cashes out loses the leg; one who only passes deals keeps it."""
        if self.core.kill.leg_seat == seat or self.core.kill.killer_seat == seat:
            self.core.kill = kill_neutral()

    def reset_stack(self, int seat):
        """PTS-B3-03: from exactly zero to the starting stack, between hands; the chips are issued anew (PTS-024)."""
        if not (0 <= seat < self.core.n_seats and self.core.roster_mask >> seat & 1):
            raise InputError(f"nobody plays at seat {seat}", field="seat")
        if self.core.is_finished:
            raise refuse(REFUSE_SESSION_CLOSED)
        if self.core.hand_is_live:
            raise RuleViolation(Reason.HAND_IN_PROGRESS, "PTS-B3-03", message="A reset is possible only between hands.")
        if self.core.stack_chips[seat] != 0:
            raise RuleViolation(
                Reason.RESET_NOT_ZERO, "PTS-B3-03", facts={"seat": seat, "stack_chips": self.core.stack_chips[seat]},
                message="A reset is possible only from exactly zero.",
            )
        self.core.stack_chips[seat] = self.core.definition.start_chips
        count_chips(&self.core)
        self.core.issued_chips += self.core.definition.start_chips
        return ()

    def finish(self, str by):
        if self.core.is_finished:
            raise refuse(REFUSE_SESSION_CLOSED)
        if self.core.hand_is_live:
            raise refuse(REFUSE_HAND_IN_PROGRESS)
        check_count(self.stacks, self.core.issued_chips - self.core.carry_chips)
        self.core.is_finished = 1
        return (
            ev.SessionFinished(
                placements=self.standings(),
                hands=self.core.n_hands,
                orbits=self.core.n_orbits,
                incomplete_positions=() if self.core.ticked_mask == 0 else tuple([
                    seat for seat in range(self.core.n_seats)
                    if (self.core.roster_mask & ~self.core.ticked_mask) >> seat & 1
                ]),
                by=by,
            ),
        )

    def standings(self):
        return place_stacks({seat: self.core.stack_chips[seat] for seat in range(self.core.n_seats)
                             if self.core.roster_mask >> seat & 1})

    def copy(self):
        cdef Session other = Session.__new__(Session)
        other.core = self.core
        other.events.n_events = 0
        other.format_spec = self.format_spec
        other.game_spec = self.game_spec
        other.hand_rules = self.hand_rules
        return other

    def encode(self):
        cdef int64_t fields[64]
        cdef int32_t n = 0, seat
        for value in (
            ENCODING_VERSION, self.core.n_seats, self.core.issued_chips, self.core.cutoff_at_ms, self.core.roster_mask,
            self.core.passing_mask, self.core.ticked_mask, self.core.n_orbits, self.core.n_hands, self.core.button,
            self.core.hands_before,
            self.core.hand_is_live, self.core.is_finished,
        ):
            fields[n] = value
            n += 1
        for seat in range(self.core.n_seats):
            fields[n] = self.core.stack_chips[seat]
            n += 1
        if self.core.carry_chips or self.core.redeal_mask or self.core.definition.kill != KILL_OFF:
            fields[n] = self.core.carry_chips
            fields[n + 1] = self.core.redeal_mask
            fields[n + 2] = self.core.kill.leg_seat
            fields[n + 3] = self.core.kill.killer_seat
            n += 4
        own = PyBytes_FromStringAndSize(<const char*>fields, n * sizeof(int64_t))
        return own + encode_hand(&self.core.hand) if self.core.hand.n_seats else own

    @property
    def hand(self):
        cdef Hand hand
        if self.core.hand.n_seats == 0:
            return None
        hand = Hand.__new__(Hand)
        hand.core = self.core.hand
        hand.events.n_events = 0
        hand.hand_number = self.core.hands_before + self.core.n_hands + (1 if self.core.hand_is_live else 0)
        hand.rules = self.hand_rules
        hand.game_spec = self.game_spec
        return hand

    @property
    def hand_is_live(self):
        return bool(self.core.hand_is_live)

    @property
    def is_finished(self):
        return bool(self.core.is_finished)

    @property
    def has_sole_owner(self):
        return session_has_sole_owner(&self.core)

    @property
    def actor(self):
        return self.core.hand.actor if self.core.hand_is_live else -1

    @property
    def may_act_mask(self):
        if not self.core.hand_is_live:
            return 0
        if self.core.hand.phase == PHASE_CHOOSING:
            return self.core.hand.pending_mask
        return 1 << self.core.hand.actor if self.core.hand.actor >= 0 else 0

    @property
    def n_seats(self):
        return self.core.n_seats

    @property
    def button(self):
        return self.core.button

    @property
    def hand_number(self):
        return self.core.hands_before + self.core.n_hands + 1

    @property
    def hands_completed(self):
        return self.core.n_hands

    @property
    def orbits_completed(self):
        return self.core.n_orbits

    @property
    def ticked_mask(self):
        return self.core.ticked_mask

    @property
    def roster_mask(self):
        return self.core.roster_mask

    @property
    def passing_mask(self):
        return self.core.passing_mask

    @property
    def active_mask(self):
        return session_active_mask(&self.core)

    @property
    def coming_mask(self):
        return seats_of_next_deal(&self.core)

    @property
    def redeal_mask(self):
        return 0 if self.core.hand_is_live else self.core.redeal_mask

    @property
    def carry_chips(self):
        return 0 if self.core.hand_is_live else self.core.carry_chips

    @property
    def kill_marker(self):
        return KillMarker(self.core.kill.leg_seat, self.core.kill.killer_seat)

    @property
    def cutoff_at_ms(self):
        return self.core.cutoff_at_ms

    @property
    def issued_chips(self):
        return self.core.issued_chips

    @property
    def stacks(self):
        if self.core.hand_is_live:
            return tuple([self.core.hand.betting.stack_chips[seat] for seat in range(self.core.n_seats)])
        return tuple([self.core.stack_chips[seat] for seat in range(self.core.n_seats)])

    @property
    def played_rules(self):
        cdef const HandCore* h = &self.core.hand
        if h.n_seats == 0:
            return None
        return structs.replace(
            self.hand_rules,
            small_blind_chips=h.betting.rules.small_blind_chips,
            big_blind_chips=h.betting.rules.big_blind_chips,
            small_bet_chips=h.betting.rules.small_bet_chips,
            big_bet_chips=h.betting.rules.big_bet_chips,
            min_open_chips=h.betting.rules.min_open_chips,
            spread_min_chips=h.betting.rules.spread_min_chips,
            spread_max_chips=h.betting.rules.spread_max_chips,
            ante_chips=h.deal.ante_chips,
            bring_in_chips=h.deal.bring_in_chips if self.game_spec.forced == "BRING_IN" else 0,
        )

    @property
    def level(self):
        cdef const LevelDef* level = session_level(&self.core.definition, self.core.n_hands + 1)
        return (level.small_blind_chips, level.big_blind_chips)


def place_stacks(stacks):
    """Places by stack, equal stacks sharing, numbered 1, 1, 3 (PTS-016, PTS-017); by place, then seat.

    Args:
        stacks: Final chips by seat.
    """
    ordered = sorted(stacks.items(), key=lambda item: (-item[1], item[0]))
    return tuple([
        ev.Placement(seat=seat, stack_chips=chips, place=1 + sum(1 for other in stacks.values() if other > chips))
        for seat, chips in ordered
    ])


def check_count(stacks, int64_t issued_chips):
    """Raises RuleViolation COUNT_MISMATCH when the stacks do not add up to what was issued (PTS-024, PROC-COUNT-04)."""
    counted = sum(stacks)
    if counted != issued_chips:
        raise RuleViolation(
            Reason.COUNT_MISMATCH, "PTS-024", facts={"counted_chips": counted, "issued_chips": issued_chips},
            message="The stacks do not add up to the chips that were issued.",
        )
