"""A night as a pure state machine: people and procedures around one session at one table.

`Night.apply(input, at_ms)` either returns the events that the input caused or raises and leaves everything as it was; a night is
the fold of its accepted inputs. It reads no clock and draws nothing: moments, decks and draws come in with the inputs, and
`due` says which input the clock owes next. The procedures are one file each beside this one. Hidden cards stand in the events in
clear: `view` alone may hand them on.

Every handler judges first and changes afterwards, so that a refusal cannot leave a half-made change.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

from homegame_engine import events as ev
from homegame_engine.actions import LegalActions
from homegame_engine.errors import InputError, NotAllowed
from homegame_engine.events import AnyEvent
from homegame_engine.night import calling, closing, dealing, posting, seats
from homegame_engine.night import inputs as inp
from homegame_engine.night.dealing import cut_by_player, cut_legal
from homegame_engine.night.decisions import act, resume, time_out, use_time_bank
from homegame_engine.night.inputs import AnyInput, CreateNight
from homegame_engine.night.playoff import ask_for_playoff
from homegame_engine.night.posting import check_cutoff
from homegame_engine.night.resets import reset_stack
from homegame_engine.night.sheet import SheetRow
from homegame_engine.night.state import (
    RUNNING,
    CalledGame,
    Calling,
    CompletedHand,
    Due,
    NightPhase,
    Person,
    SealedDeck,
    violation,
)
from homegame_engine.night.windows import check_action_number
from homegame_engine.reasons import Reason
from homegame_engine.session import Session
from homegame_engine.specs import stored_form

STATE_VERSION = 1  # Of the canonical encoding that `state_hash` hashes.
RULES_VERSION = "1"  # Of the rules as implemented; a row carries both.
MAX_DURATION_MS = 24 * 60 * 60 * 1000
MAX_TOKENS = 100


def _digest(encoded: bytes) -> bytes:
    return hashlib.blake2b(encoded, digest_size=32).digest()


class Night:
    """One night: roster, posting, table, session and sheet. See the module for its contract."""

    def __init__(self, created: CreateNight, at_ms: int) -> None:
        """Announce a night; `Night.create` also gives the events."""
        self.created = created
        self.created_digest = _digest(msgspec.msgpack.encode(stored_form(created)))
        self.phase: NightPhase = "POSTED"
        self.created_at_ms = at_ms
        self.opened_at_ms: int | None = None
        self.last_at_ms = at_ms
        self.people: dict[str, Person] = {}
        self.cutoff_at_ms = created.cutoff_at_ms
        self.session: Session | None = None
        self.action_number = 1
        self.deadline_at_ms: int | None = None
        self.next_deal_at_ms: int | None = None
        self.rows: tuple[SheetRow, ...] = ()
        self.rows_digest = (
            b""  # Chained over the rows, which are only ever added: a long night hashes as fast as a short one.
        )
        self.hand_started_at_ms = 0
        self.hand_start_chips: tuple[int, ...] = ()
        self.hand_button = -1
        self.sealed: SealedDeck | None = None
        self.deal_attempt = 1  # Deals of the coming hand: a redeal after a void is shuffled and sealed anew.
        self.window_extended = False  # The time bank was used in the running window (PROC-CLK-02).
        self.resets_agreed = False  # PTS-B3-03, settled when play begins.
        self.main_session: Session | None = (
            None  # While a short hand between tied leaders runs in `session` (PTS-B3-05).
        )
        self.playoff_asked: tuple[int, ...] = ()
        self.playoff_declined = False
        self.playoff_is_over = False
        self.completed_hand: CompletedHand | None = (
            None  # The last one, for exports; follows from the inputs and is not encoded.
        )
        self.finished: ev.SessionFinished | None = None
        self.last_draws: dict[int, int] = {}  # Cards changed last, by seat, in this hand; follows from the inputs too.
        self.calling: Calling | None = None  # Where the dealer calls the game (GAME-DC-01).
        self.last_called: CalledGame | None = None

    @staticmethod
    def create(created: CreateNight, at_ms: int) -> tuple["Night", tuple[AnyEvent, ...]]:
        """Begin a night with its first input.

        Raises:
            InputError: settings that no table has.
            RuleViolation: CUTOFF_IN_PAST is PROC-BREAK-05's reason for a cutoff that does not lie ahead.
        """
        if not created.format.players.min <= created.n_seats <= created.format.players.max:
            raise InputError(
                f"expected {created.format.players.min} to {created.format.players.max} seats", field="n_seats"
            )
        if not 1 <= created.decision_ms <= MAX_DURATION_MS:
            raise InputError(f"a decision window is 1 to {MAX_DURATION_MS} ms", field="decision_ms")
        if not 0 <= created.hand_pause_ms <= MAX_DURATION_MS:
            raise InputError(f"a pause between hands is 0 to {MAX_DURATION_MS} ms", field="hand_pause_ms")
        if not 1 <= created.cut_ms <= MAX_DURATION_MS:
            raise InputError(f"a cut window is 1 to {MAX_DURATION_MS} ms", field="cut_ms")
        if not 0 <= created.time_bank_ms <= MAX_DURATION_MS or not 0 <= created.time_bank_tokens <= MAX_TOKENS:
            raise InputError(
                f"a time bank is 0 to {MAX_TOKENS} tokens of 0 to {MAX_DURATION_MS} ms", field="time_bank_ms"
            )
        if not 1 <= created.call_ms <= MAX_DURATION_MS or not 1 <= created.sit_out_ms <= MAX_DURATION_MS:
            raise InputError(f"the windows of a call are 1 to {MAX_DURATION_MS} ms", field="call_ms")
        if created.cutoff_at_ms is not None:
            check_cutoff(created.cutoff_at_ms, at_ms)
        night = Night(created, at_ms)
        night.people[created.host_id] = Person(participant_id=created.host_id, name=created.host_name)
        happened: list[AnyEvent] = [
            ev.NightCreated(
                name=created.name,
                format_id=created.format.id,
                format_version=created.format.version,
                start_chips=created.format.start.chips,
                decision_ms=created.decision_ms,
                hand_pause_ms=created.hand_pause_ms,
                cut_ms=created.cut_ms,
                time_bank_ms=created.time_bank_ms,
                time_bank_tokens=created.time_bank_tokens,
            )
        ]
        if created.cutoff_at_ms is not None:
            happened.append(ev.CutoffPosted(cutoff_at_ms=created.cutoff_at_ms))
        return night, tuple(happened)

    def apply(self, given: AnyInput, at_ms: int) -> tuple[AnyEvent, ...]:
        """Carry out one input at `at_ms`, which is forced not to run backwards within the night.

        Raises:
            RuleViolation: by the rule named in it; the state is untouched.
            InputError, NotAllowed: the caller's mistake; the state is untouched.
            InvariantError: our bug (GEN-04); the night must be stopped.
        """
        at_ms = max(at_ms, self.last_at_ms)
        handler = _HANDLERS.get(type(given))
        if handler is None:
            raise InputError("a night is created once", field="input")
        if self.phase == "CLOSED":
            raise violation(Reason.SESSION_CLOSED, "PTS-023", "The night is over.")
        happened = handler(self, given, at_ms)
        self.last_at_ms = at_ms
        for event in happened:
            if isinstance(event, ev.CardsDrawn):
                self.last_draws[event.seat] = len(event.cards)
            elif isinstance(event, ev.HandStarting):
                self.last_draws.clear()
        return happened

    def due(self, now_ms: int = 0) -> Due | None:
        """What the clock owes next, or None. The moment may lie in the past: then it is owed at once.

        `now_ms` is the caller's time: a deal that is late, and would now come at or after the cutoff, is owed no more (PTS-016).
        """
        session = self.session
        if self.phase not in RUNNING or session is None:
            return None
        if session.hand_is_live:
            if self.deadline_at_ms is None:
                return None
            return Due(kind="TIME_OUT", at_ms=self.deadline_at_ms, action_number=self.action_number)
        due = self._due_before_a_hand()
        if due is not None and session.deal_refusal(max(due.at_ms, self.last_at_ms, now_ms)) is None:
            return due
        # A short hand that cannot be dealt waits for its players or for the host.
        return Due(kind="FINISH", at_ms=session.cutoff_at_ms) if self.phase == "PLAYING" else None

    def _due_before_a_hand(self) -> Due | None:
        """The cut of a sealed deck, the call of a game, or the deal; None while nobody is there to call."""
        if self.sealed is not None and self.deadline_at_ms is not None:
            return Due(kind="CUT", at_ms=self.deadline_at_ms, action_number=self.action_number)
        deal_at_ms = self.next_deal_at_ms or self.last_at_ms
        if not self.calls_games or (self.calling is not None and self.calling.is_fixed):
            return Due(kind="DEAL", at_ms=deal_at_ms)
        if self.calling is None or self.deadline_at_ms is None:
            return None
        if self.calling.called is None:
            return Due(kind="CALL", at_ms=self.deadline_at_ms, action_number=self.action_number)
        return Due(kind="DEAL", at_ms=max(deal_at_ms, self.deadline_at_ms))

    def seat_of(self, participant_id: str) -> int | None:
        """The seat a person holds, None for a spectator."""
        person = self.people.get(participant_id)
        return None if person is None or person.has_left else person.seat

    @property
    def actor(self) -> int:
        """Seat whose decision is open, the cut included; of several the first clockwise; -1 for nobody."""
        if self.sealed is not None:
            return self.sealed.cutter
        return -1 if self.session is None else self.session.actor

    @property
    def may_act_mask(self) -> int:
        """Seats whose decision is open, the cut included."""
        if self.sealed is not None:
            return 1 << self.sealed.cutter
        return 0 if self.session is None else self.session.may_act_mask

    def legal_actions(self, seat: int | None = None) -> LegalActions | None:
        """What the seat to act may do, the cut included; what `seat` may if it is one of several. None when nobody is to act."""
        if self.sealed is not None:
            return cut_legal(self.sealed)
        if self.session is None or self.session.actor < 0:
            return None
        # Of several who choose at the same time each is shown the own choice.
        own = seat is not None and self.session.may_act_mask >> seat & 1
        return self.session.legal_actions(seat if own else None)

    @property
    def calls_games(self) -> bool:
        """Whether the dealer of each hand calls its game (GAME-DC-01)."""
        return self.created.format.procedures.dealer_calls is not None and self.phase != "PLAYOFF"

    @property
    def called_game(self) -> CalledGame | None:
        """The game called for the running or the coming hand."""
        return None if self.calling is None else self.calling.called

    @property
    def scored_session(self) -> Session | None:
        """The session that the sheet counts, also while a short hand between tied leaders runs (PTS-B3-05)."""
        return self.session if self.main_session is None else self.main_session

    def standings(self) -> tuple[ev.Placement, ...]:
        """Places as they stand: the result once there is one."""
        if self.finished is not None:
            return self.finished.placements
        return () if self.session is None else self.session.standings()

    def resets_open(self) -> bool:
        """Whether somebody without chips may still reset, so that holding all chips ends nothing yet (PTS-B3-03)."""
        session = self.session
        return (
            session is not None
            and self.resets_agreed
            and any(
                session.stacks[seat] == 0 and not person.has_reset and not person.has_left
                for seat, person in self.seated.items()
            )
        )

    @property
    def seated(self) -> dict[int, Person]:
        """People by seat, those included who left during play and stay on the sheet."""
        return {person.seat: person for person in self.people.values() if person.seat is not None}

    def add_row(self, row: SheetRow) -> None:
        """Write a completed hand to the sheet (PROC-SHEET-01)."""
        self.rows = (*self.rows, row)
        self.rows_digest = _digest(self.rows_digest + msgspec.msgpack.encode(stored_form(row)))

    def encode(self) -> bytes:
        """Canonical encoding of the whole state; equal states give equal bytes.

        What never changes again (the creation, the rows of completed hands) is in it by its digest.
        """
        own = msgspec.msgpack.encode(
            (
                STATE_VERSION,
                self.created_digest,
                self.phase,
                self.created_at_ms,
                self.opened_at_ms,
                self.last_at_ms,
                tuple(self.people.values()),
                self.cutoff_at_ms,
                self.action_number,
                self.deadline_at_ms,
                self.next_deal_at_ms,
                len(self.rows),
                self.rows_digest,
                self.hand_started_at_ms,
                self.hand_start_chips,
                self.hand_button,
                stored_form(self.sealed),
                self.deal_attempt,
                self.window_extended,
                self.resets_agreed,
                self.playoff_asked,
                self.playoff_declined,
                self.playoff_is_over,
                self.finished,
            )
        )
        if self.created.format.procedures.dealer_calls is not None:
            own += msgspec.msgpack.encode((_call_form(self.calling), _called_form(self.last_called)))
        sessions = (self.session, self.main_session)
        return own + b"".join(session.encode() for session in sessions if session is not None)

    def state_hash(self) -> bytes:
        """BLAKE2b-256 over `encode`. It never leaves the server: hidden cards could be guessed from it."""
        return _digest(self.encode())

    def require_host(self, participant_id: str) -> None:
        """Hold that a person is the host. Raises NotAllowed NOT_HOST."""
        if participant_id != self.created.host_id:
            raise NotAllowed(Reason.NOT_HOST, "Only the host may do this.")

    def require_person(self, participant_id: str) -> Person:
        """The person of an id. Raises NotAllowed NOT_YOUR_ROLE."""
        person = self.people.get(participant_id)
        if person is None:
            raise NotAllowed(Reason.NOT_YOUR_ROLE, "You have not joined this night.")
        return person

    def require_seated(self, participant_id: str) -> tuple[Person, int]:
        """The person and the seat of an id. Raises NotAllowed NOT_YOUR_ROLE."""
        person = self.require_person(participant_id)
        if person.seat is None or person.has_left:
            raise NotAllowed(Reason.NOT_YOUR_ROLE, "You have no seat at this table.")
        return person, person.seat

    def require_posting_open(self) -> None:
        """Hold that play has not begun. Raises RuleViolation CONFIG_LOCKED (GEN-05)."""
        if self.phase != "POSTED":
            raise violation(Reason.CONFIG_LOCKED, "GEN-05", "The posting is locked since play began.")

    def require_session(self) -> Session:
        """The running session. Raises RuleViolation HAND_OVER before play, SESSION_CLOSED after it."""
        if self.session is None:
            raise violation(Reason.HAND_OVER, "BET-GEN-06", "Play has not begun.")
        if self.phase not in RUNNING:
            raise violation(Reason.SESSION_CLOSED, "PTS-023", "The session has ended.")
        return self.session


def _called_form(called: CalledGame | None) -> tuple[object, ...] | None:
    """A called game for the encoding; the game itself is in it by its digest."""
    return None if called is None else (called.digest, called.explanation, called.ante_chips, called.by_clock)


def _call_form(call: Calling | None) -> tuple[object, ...] | None:
    if call is None:
        return None
    own = msgspec.structs.replace(call, called=None)
    return (own, _called_form(call.called))


def _act(night: Night, given: inp.Act, at_ms: int) -> tuple[AnyEvent, ...]:
    """Judge who and when (BET-GEN-04) before the hand or the cut judges what."""
    _, seat = night.require_seated(given.participant_id)
    check_action_number(night, given.action_number)
    if night.sealed is not None:
        night.require_session()
        return cut_by_player(night, seat, given.action, at_ms)
    return act(night, seat, given, at_ms)


# One handler an input; a class that is not here is no input of a running night.
_HANDLERS: dict[type, Callable[[Night, Any, int], tuple[AnyEvent, ...]]] = {
    inp.PostCutoff: posting.post_cutoff,
    inp.AcknowledgePosting: posting.acknowledge,
    inp.RecordReadAloud: posting.record_read_aloud,
    inp.AgreeToResets: posting.agree_to_resets,
    inp.OpenNight: posting.open_night,
    inp.JoinNight: seats.join,
    inp.TakeSeat: seats.take_seat,
    inp.LeaveSeat: seats.leave,
    inp.SitOut: seats.sit_out,
    inp.SitIn: seats.sit_in,
    inp.CallGame: calling.call,
    inp.CallByClock: calling.call_by_clock,
    inp.SealDeck: dealing.seal_deck,
    inp.DrawCut: dealing.draw_cut,
    inp.StartHand: dealing.start_hand,
    inp.Act: _act,
    inp.UseTimeBank: use_time_bank,
    inp.TimeOut: time_out,
    inp.ResetStack: reset_stack,
    inp.AskForPlayoff: ask_for_playoff,
    inp.VoidHand: closing.void,
    inp.FinishSession: closing.finish,
    inp.CloseNight: closing.close,
    inp.Resume: resume,
}
