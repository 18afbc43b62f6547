"""A night as a pure state machine: people and procedures around one session at one table.

`Night.apply(input, at_ms)` either returns the events that the input caused or raises and leaves everything as it was; a night is
the fold of its accepted inputs. It reads no clock and draws nothing: moments, decks and draws come in with the inputs, and
`due` says which input the clock owes next. Hidden cards stand in the events in clear: `view` alone may hand them on.

Every handler judges first and changes afterwards, so that a refusal cannot leave a half-made change.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

import msgspec

from homegame_engine import events as ev
from homegame_engine.errors import InputError, NotAllowed, RuleViolation, ServiceReason
from homegame_engine.events import AnyEvent
from homegame_engine.night import inputs as inp
from homegame_engine.night.inputs import AnyInput, CreateNight
from homegame_engine.night.sheet import SheetRow, check_equal_start, check_rows
from homegame_engine.reasons import Reason
from homegame_engine.session import Session

STATE_VERSION = 1  # Of the canonical encoding that `state_hash` hashes.
RULES_VERSION = "1"  # Of the rules as implemented; a row carries both.
MAX_AT_MS = 253_402_300_799_999  # The end of the year 9999: sums with durations stay far inside int64.
MAX_DURATION_MS = 24 * 60 * 60 * 1000

NightPhase = Literal["POSTED", "PLAYING", "FINISHED", "CLOSED"]


class Person(msgspec.Struct, kw_only=True):
    """A participant of the night."""

    participant_id: str
    name: str
    seat: int | None = None
    acknowledged: bool = False
    has_left: bool = False  # Got up during play: the seat passes every deal, the clock acts for a live hand.


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """An input that the clock owes: from `at_ms` on, in Unix UTC milliseconds."""

    kind: Literal["DEAL", "TIME_OUT", "FINISH"]
    at_ms: int
    action_number: int = 0


def _violation(reason: Reason, rule_id: str, message: str, facts: Mapping[str, int] | None = None) -> RuleViolation:
    return RuleViolation(reason, rule_id, facts=facts, message=message)


def _check_cutoff(cutoff_at_ms: int, at_ms: int) -> None:
    if cutoff_at_ms > MAX_AT_MS:
        raise InputError("a cutoff lies before the year 10000", field="cutoff_at_ms")
    if cutoff_at_ms <= at_ms:
        raise _violation(Reason.CUTOFF_IN_PAST, "PROC-BREAK-05", "The cutoff must lie in the future.")


class SeatTaken(NotAllowed):
    """Another participant holds the seat."""

    def __init__(self, seat: int) -> None:
        """Name the seat, from 0."""
        super().__init__(ServiceReason.SEAT_TAKEN, f"Seat {seat + 1} is taken.")
        self.seat = seat


class Night:
    """One night: roster, posting, table, session and sheet. See the module for its contract."""

    def __init__(self, created: CreateNight, at_ms: int) -> None:
        """Announce a night; `Night.create` also gives the events."""
        self.created = created
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
        self.hand_started_at_ms = 0
        self.hand_start_chips: tuple[int, ...] = ()
        self.hand_button = -1
        self.finished: ev.SessionFinished | None = None

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
        if created.cutoff_at_ms is not None:
            _check_cutoff(created.cutoff_at_ms, at_ms)
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
        handler = self._HANDLERS.get(type(given))
        if handler is None:
            raise InputError("a night is created once", field="input")
        if self.phase == "CLOSED":
            raise _violation(Reason.SESSION_CLOSED, "PTS-023", "The night is over.")
        happened = handler(self, given, at_ms)
        self.last_at_ms = at_ms
        return happened

    def due(self, now_ms: int = 0) -> Due | None:
        """What the clock owes next, or None. The moment may lie in the past: then it is owed at once.

        `now_ms` is the caller's time: a deal that is late, and would now come at or after the cutoff, is owed no more (PTS-016).
        """
        session = self.session
        if self.phase != "PLAYING" or session is None:
            return None
        if session.hand_is_live:
            if self.deadline_at_ms is None:
                return None
            return Due(kind="TIME_OUT", at_ms=self.deadline_at_ms, action_number=self.action_number)
        deal_at_ms = self.next_deal_at_ms or self.last_at_ms
        if session.deal_refusal(max(deal_at_ms, self.last_at_ms, now_ms)) is None:
            return Due(kind="DEAL", at_ms=deal_at_ms)
        return Due(kind="FINISH", at_ms=session.cutoff_at_ms)

    def seat_of(self, participant_id: str) -> int | None:
        """The seat a person holds, None for a spectator."""
        person = self.people.get(participant_id)
        return None if person is None or person.has_left else person.seat

    @property
    def seated(self) -> dict[int, Person]:
        """People by seat, those included who left during play and stay on the sheet."""
        return {person.seat: person for person in self.people.values() if person.seat is not None}

    def encode(self) -> bytes:
        """Canonical encoding of the whole state; equal states give equal bytes."""
        own = msgspec.msgpack.encode(
            (
                STATE_VERSION,
                self.created,
                self.phase,
                self.created_at_ms,
                self.opened_at_ms,
                self.last_at_ms,
                tuple(self.people.values()),
                self.cutoff_at_ms,
                self.action_number,
                self.deadline_at_ms,
                self.next_deal_at_ms,
                self.rows,
                self.hand_started_at_ms,
                self.hand_start_chips,
                self.hand_button,
                self.finished,
            )
        )
        return own + (self.session.encode() if self.session is not None else b"")

    def state_hash(self) -> bytes:
        """BLAKE2b-256 over `encode`. It never leaves the server: hidden cards could be guessed from it."""
        return hashlib.blake2b(self.encode(), digest_size=32).digest()

    # --- Before play -----------------------------------------------------------------------------------------------------

    def _require_host(self, participant_id: str) -> None:
        if participant_id != self.created.host_id:
            raise NotAllowed(Reason.NOT_HOST, "Only the host may do this.")

    def _require_person(self, participant_id: str) -> Person:
        person = self.people.get(participant_id)
        if person is None:
            raise NotAllowed(Reason.NOT_YOUR_ROLE, "You have not joined this night.")
        return person

    def _require_seated(self, participant_id: str) -> tuple[Person, int]:
        person = self._require_person(participant_id)
        if person.seat is None or person.has_left:
            raise NotAllowed(Reason.NOT_YOUR_ROLE, "You have no seat at this table.")
        return person, person.seat

    def _require_posting_open(self) -> None:
        if self.phase != "POSTED":
            raise _violation(Reason.CONFIG_LOCKED, "GEN-05", "The posting is locked since play began.")

    def _post_cutoff(self, given: inp.PostCutoff, at_ms: int) -> tuple[AnyEvent, ...]:
        self._require_host(given.participant_id)
        self._require_posting_open()
        _check_cutoff(given.cutoff_at_ms, at_ms)
        self.cutoff_at_ms = given.cutoff_at_ms
        # What was read before is no longer what is posted (GEN-06).
        for person in self.people.values():
            person.acknowledged = False
        return (ev.CutoffPosted(cutoff_at_ms=given.cutoff_at_ms),)

    def _join(self, given: inp.JoinNight, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002 - one signature for all
        if given.participant_id in self.people:
            raise InputError("this participant has joined already", field="participant_id")
        if self.phase == "FINISHED":
            raise _violation(Reason.SESSION_CLOSED, "PTS-023", "The session has ended.")
        self.people[given.participant_id] = Person(participant_id=given.participant_id, name=given.name)
        return (ev.ParticipantJoined(participant_id=given.participant_id, name=given.name),)

    def _take_seat(self, given: inp.TakeSeat, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        person = self._require_person(given.participant_id)
        self._require_posting_open()
        if person.seat is not None:
            raise _violation(Reason.ALREADY_SEATED, "PROC-SEAT-02", "You have a seat.", {"seat": person.seat})
        taken = self.seated
        if len(taken) >= self.created.n_seats:
            raise _violation(
                Reason.TOO_MANY_PLAYERS, "PTS-006", "The table is full.", {"most_players": self.created.n_seats}
            )
        seat = given.seat
        if seat is None:
            seat = min(set(range(self.created.n_seats)) - set(taken))
        if not 0 <= seat < self.created.n_seats:
            raise InputError(f"this table has seats 0 to {self.created.n_seats - 1}", field="seat")
        if seat in taken:
            raise SeatTaken(seat)
        person.seat = seat
        return (ev.SeatTaken(seat=seat, participant_id=person.participant_id, name=person.name),)

    def _acknowledge(self, given: inp.AcknowledgePosting, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        person, seat = self._require_seated(given.participant_id)
        if self.cutoff_at_ms is None:
            raise _violation(Reason.POSTING_INCOMPLETE, "GEN-06", "The cutoff is not posted yet.")
        if person.acknowledged:
            return ()
        person.acknowledged = True
        return (ev.PostingAcknowledged(seat=seat),)

    def _read_aloud(self, given: inp.RecordReadAloud, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        self._require_host(given.participant_id)
        if self.cutoff_at_ms is None:
            raise _violation(Reason.POSTING_INCOMPLETE, "GEN-06", "The cutoff is not posted yet.")
        heard = [person for _, person in sorted(self.seated.items()) if not person.acknowledged]
        for person in heard:
            person.acknowledged = True
        return tuple(ev.PostingAcknowledged(seat=person.seat) for person in heard if person.seat is not None)

    def _open(self, given: inp.OpenNight, at_ms: int) -> tuple[AnyEvent, ...]:
        self._require_host(given.participant_id)
        self._require_posting_open()
        seated = self.seated
        players = self.created.format.players
        if self.cutoff_at_ms is None:
            raise _violation(Reason.CUTOFF_MISSING, "PTS-003", "Post a cutoff before the first card.")
        if self.cutoff_at_ms <= at_ms:
            raise _violation(Reason.CUTOFF_PASSED, "PTS-016", "The posted cutoff has passed; post a later one.")
        if len(seated) < players.min:
            raise _violation(
                Reason.TOO_FEW_PLAYERS,
                "PTS-006",
                f"This format needs at least {players.min} players.",
                {"players": len(seated), "least_players": players.min},
            )
        unread = [seat for seat, person in sorted(seated.items()) if not person.acknowledged]
        if unread:
            raise _violation(
                Reason.ACK_MISSING, "GEN-06", "Not everybody seated has acknowledged the posting.", {"seat": unread[0]}
            )
        if not 0 <= given.button_draw < len(seated):
            raise InputError("the draw must lie below the number of occupied seats", field="button_draw")
        first_button = sorted(seated)[given.button_draw]
        session = Session.create(
            self.created.format,
            self.created.game,
            self.created.house,
            n_seats=self.created.n_seats,
            seated_mask=sum(1 << seat for seat in seated),
            first_button=first_button,
        )
        session.post_cutoff(self.cutoff_at_ms)
        check_equal_start(session.stacks, self.created.format.start.chips)
        self.session = session
        self.phase = "PLAYING"
        self.opened_at_ms = at_ms
        self.next_deal_at_ms = at_ms + self.created.hand_pause_ms
        return (
            ev.NightOpened(roster=tuple(sorted(seated)), stacks=session.stacks, cutoff_at_ms=self.cutoff_at_ms),
            ev.ButtonPlaced(seat=first_button),
        )

    # --- Play ------------------------------------------------------------------------------------------------------------

    def _require_session(self) -> Session:
        if self.session is None:
            raise _violation(Reason.HAND_OVER, "BET-GEN-06", "Play has not begun.")
        if self.phase != "PLAYING":
            raise _violation(Reason.SESSION_CLOSED, "PTS-023", "The session has ended.")
        return self.session

    def _start_hand(self, given: inp.StartHand, at_ms: int) -> tuple[AnyEvent, ...]:
        session = self._require_session()
        check_rows(self.rows, session.hands_completed)
        start_chips = session.stacks
        happened = session.start_hand(at_ms, given.deck_order)
        self.hand_started_at_ms = at_ms
        self.hand_start_chips = start_chips
        self.hand_button = next(event.button for event in happened if isinstance(event, ev.HandStarting))
        return self._after_play(happened, at_ms)

    def _act(self, given: inp.Act, at_ms: int) -> tuple[AnyEvent, ...]:
        _, seat = self._require_seated(given.participant_id)
        if given.action_number != self.action_number:
            raise _violation(
                Reason.STALE_ACTION,
                "BET-GEN-04",
                "The table has moved on; look again before you act.",
                {"action_number": self.action_number},
            )
        session = self._require_session()
        # PROC-CLK-05: exactly at the deadline is too late; the clock's own input is on its way.
        if session.actor == seat and self.deadline_at_ms is not None and at_ms >= self.deadline_at_ms:
            raise _violation(Reason.ACTION_CLOSED, "PROC-CLK-05", "The time for this decision is over.")
        return self._after_play(session.apply(seat, given.action), at_ms)

    def _time_out(self, given: inp.TimeOut, at_ms: int) -> tuple[AnyEvent, ...]:
        session = self._require_session()
        if given.action_number != self.action_number or not session.hand_is_live:
            raise _violation(Reason.STALE_ACTION, "BET-GEN-04", "That decision has been made.")
        if self.deadline_at_ms is None or at_ms < self.deadline_at_ms:
            raise InputError("the window is still open", field="action_number")
        seat = session.actor
        hand = session.hand
        if hand is None or seat < 0:
            raise _violation(Reason.HAND_OVER, "BET-GEN-06", "Nobody is to act.")
        timed_out = ev.DecisionTimedOut(seat=seat, action_number=self.action_number)
        return self._after_play((timed_out, *session.apply(seat, hand.timeout_action(seat))), at_ms)

    def _after_play(self, happened: tuple[AnyEvent, ...], at_ms: int) -> tuple[AnyEvent, ...]:
        """Bookkeeping after the turn moved: the sheet, the next decision with its deadline, or the next deal."""
        session = self._require_session()
        self.action_number += 1
        self.deadline_at_ms = None
        if session.hand_is_live:
            return happened + self._open_decision(session, at_ms)
        if any(isinstance(event, ev.HandEnded) for event in happened):
            self.rows = (
                *self.rows,
                SheetRow(
                    hand_number=session.hands_completed,
                    button=self.hand_button,
                    started_at_ms=self.hand_started_at_ms,
                    ended_at_ms=at_ms,
                    start_chips=self.hand_start_chips,
                    end_chips=session.stacks,
                ),
            )
        self.next_deal_at_ms = at_ms + self.created.hand_pause_ms
        if session.has_sole_owner:
            return happened + self._finish_session("ALL_CHIPS")  # PTS-016: wins at once.
        return happened

    def _open_decision(self, session: Session, at_ms: int) -> tuple[AnyEvent, ...]:
        seat = session.actor
        if seat < 0:
            return ()
        person = self.seated.get(seat)
        # A player who got up is not waited for; the clock checks or folds at once, the hand staying live (PROC-CLK-03).
        window_ms = 0 if person is None or person.has_left else self.created.decision_ms
        self.deadline_at_ms = at_ms + window_ms
        return (
            ev.ActionRequired(
                seat=seat,
                action_number=self.action_number,
                legal=session.legal_actions(),
                deadline_at_ms=self.deadline_at_ms,
            ),
        )

    def _finish_session(self, by: str) -> tuple[AnyEvent, ...]:
        session = self._require_session()
        check_rows(self.rows, session.hands_completed)
        happened = session.finish(by)
        for event in happened:
            if isinstance(event, ev.SessionFinished):
                self.finished = event
        self.phase = "FINISHED"
        self.next_deal_at_ms = None
        return happened

    def _finish(self, given: inp.FinishSession, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        session = self._require_session()
        if session.hand_is_live:
            raise _violation(Reason.HAND_IN_PROGRESS, "PTS-016", "The active hand is completed first.")
        if at_ms < session.cutoff_at_ms:
            raise InputError("the cutoff has not come", field="input")
        return self._finish_session("CUTOFF")

    # --- People during play ------------------------------------------------------------------------------------------------

    def _leave(self, given: inp.LeaveSeat, at_ms: int) -> tuple[AnyEvent, ...]:
        person, seat = self._require_seated(given.participant_id)
        session = self.session
        if session is None or self.phase != "PLAYING":
            if session is None:
                person.seat = None
                person.acknowledged = False
            else:
                person.has_left = True
            return (ev.SeatVacated(seat=seat, participant_id=person.participant_id),)
        session.set_active(seat, active=False)
        person.has_left = True
        if session.hand_is_live and session.actor == seat and self.deadline_at_ms is not None:
            self.deadline_at_ms = min(self.deadline_at_ms, at_ms)  # The clock acts at once.
        return (ev.SeatVacated(seat=seat, participant_id=person.participant_id),)

    def _sit_out(self, given: inp.SitOut, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        _, seat = self._require_seated(given.participant_id)
        session = self._require_session()
        if session.passing_mask >> seat & 1:
            return ()
        session.set_active(seat, active=False)
        return (ev.SeatSatOut(seat=seat),)

    def _sit_in(self, given: inp.SitIn, at_ms: int) -> tuple[AnyEvent, ...]:
        person = self._require_person(given.participant_id)
        if person.seat is None:
            raise NotAllowed(Reason.NOT_YOUR_ROLE, "You have no seat at this table.")
        session = self._require_session()
        if not session.passing_mask >> person.seat & 1:
            return ()
        session.set_active(person.seat, active=True)
        person.has_left = False
        if not session.hand_is_live:
            self.next_deal_at_ms = max(self.next_deal_at_ms or 0, at_ms)
        return (ev.SeatReturned(seat=person.seat),)

    def _void(self, given: inp.VoidHand, at_ms: int) -> tuple[AnyEvent, ...]:
        self._require_host(given.participant_id)
        session = self._require_session()
        hand = session.hand
        if session.hand_is_live and hand is not None and hand.phase == "SHOWDOWN" and hand.shown_mask:
            raise _violation(Reason.REMEDY_TOO_LATE, "PROC-VOID-01", "A hidden hand has been shown.")
        happened = session.void_hand(given.reason)
        self.action_number += 1
        self.deadline_at_ms = None
        self.next_deal_at_ms = at_ms + self.created.hand_pause_ms
        return happened

    def _close(self, given: inp.CloseNight, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        self._require_host(given.participant_id)
        happened: tuple[AnyEvent, ...] = ()
        if self.phase == "PLAYING":
            if self._require_session().hand_is_live:
                raise _violation(Reason.HAND_IN_PROGRESS, "PTS-016", "The active hand is completed first.")
            happened = self._finish_session("HOST")
        by = "HOST" if not happened and self.phase == "POSTED" else "FINISHED"
        self.phase = "CLOSED"
        return (*happened, ev.NightClosed(by=by))

    def _resume(self, given: inp.Resume, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG002
        """Running windows get the time they had left when the last row was written; a posted cutoff stays (design, Time)."""
        stopped_at_ms = self.last_at_ms
        if self.deadline_at_ms is not None:
            self.deadline_at_ms = at_ms + max(0, self.deadline_at_ms - stopped_at_ms)
        if self.next_deal_at_ms is not None:
            self.next_deal_at_ms = at_ms + max(0, self.next_deal_at_ms - stopped_at_ms)
        return (ev.PlayResumed(stopped_at_ms=stopped_at_ms, deadline_at_ms=self.deadline_at_ms or 0),)

    # One handler an input; a class that is not here is no input of a running night.
    _HANDLERS: ClassVar[dict[type, Callable[..., tuple[AnyEvent, ...]]]] = {
        inp.PostCutoff: _post_cutoff,
        inp.JoinNight: _join,
        inp.TakeSeat: _take_seat,
        inp.LeaveSeat: _leave,
        inp.AcknowledgePosting: _acknowledge,
        inp.RecordReadAloud: _read_aloud,
        inp.OpenNight: _open,
        inp.StartHand: _start_hand,
        inp.Act: _act,
        inp.TimeOut: _time_out,
        inp.SitOut: _sit_out,
        inp.SitIn: _sit_in,
        inp.VoidHand: _void,
        inp.FinishSession: _finish,
        inp.CloseNight: _close,
        inp.Resume: _resume,
    }
