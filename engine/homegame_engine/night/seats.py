"""People at the table: joining, sitting down, getting up, passing deals (PROC-SEAT-02, PTS-006, PTS-019)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from homegame_engine.errors import InputError, NotAllowed
from homegame_engine.night.calling import follow_call, sit_in_again, sit_out_hand
from homegame_engine.night.closing import finish_session
from homegame_engine.night.dealing import is_passing, set_passing
from homegame_engine.night.decisions import leave_decision
from homegame_engine.night.state import RUNNING, Person, SeatTaken, violation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night
    from homegame_engine.session import Session


def join(night: Night, given: inp.JoinNight, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """A person comes in."""
    if given.participant_id in night.people:
        raise InputError("this participant has joined already", field="participant_id")
    if night.phase in ("FINISHED", "PLAYOFF"):
        raise violation(Reason.SESSION_CLOSED, "PTS-023", "The session has ended.")
    night.people[given.participant_id] = Person(participant_id=given.participant_id, name=given.name)
    return (ev.ParticipantJoined(participant_id=given.participant_id, name=given.name),)


def take_seat(night: Night, given: inp.TakeSeat, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """Sit down at a free seat (PROC-SEAT-02)."""
    person = night.require_person(given.participant_id)
    night.require_posting_open()
    if person.seat is not None:
        raise violation(Reason.ALREADY_SEATED, "PROC-SEAT-02", "You have a seat.", {"seat": person.seat})
    taken = night.seated
    if len(taken) >= night.created.n_seats:
        raise violation(
            Reason.TOO_MANY_PLAYERS, "PTS-006", "The table is full.", {"most_players": night.created.n_seats}
        )
    seat = given.seat
    if seat is None:
        seat = min(set(range(night.created.n_seats)) - set(taken))
    if not 0 <= seat < night.created.n_seats:
        raise InputError(f"this table has seats 0 to {night.created.n_seats - 1}", field="seat")
    if seat in taken:
        raise SeatTaken(seat)
    person.seat = seat
    return (ev.SeatTaken(seat=seat, participant_id=person.participant_id, name=person.name),)


def leave(night: Night, given: inp.LeaveSeat, at_ms: int) -> tuple[AnyEvent, ...]:
    """Get up; during play the seat passes every deal and the clock acts for a live hand (PTS-019)."""
    person, seat = night.require_seated(given.participant_id)
    session = night.session
    if session is None or night.phase not in RUNNING:
        if session is None:
            person.seat = None
            person.acknowledged = False
            person.agrees_to_resets = False
        else:
            person.has_left = True
        return (ev.SeatVacated(seat=seat, participant_id=person.participant_id),)
    set_passing(night, seat, passes=True)
    person.has_left = True
    session.forget_leg(seat)  # KILL-03, KILL-05: who quits loses it; who only passes deals keeps it.
    vacated = ev.SeatVacated(seat=seat, participant_id=person.participant_id)
    if night.sealed is None:
        return (vacated, *_after_leaving(night, session, seat, at_ms))
    if night.sealed.cutter == seat and night.deadline_at_ms is not None:
        night.deadline_at_ms = min(night.deadline_at_ms, at_ms)  # The server cuts at once.
    return (vacated,)


def _after_leaving(night: Night, session: Session, seat: int, at_ms: int) -> tuple[AnyEvent, ...]:
    if session.hand_is_live:
        return leave_decision(night, session, seat, at_ms)
    if night.phase == "PLAYING" and session.has_sole_owner and not night.resets_open():
        # The one whose reset was open has gone: nobody can come back, and the owner wins at once (PTS-016, PTS-B3-03).
        return finish_session(night, "ALL_CHIPS")
    return follow_call(night, at_ms)


def sit_out(night: Night, given: inp.SitOut, at_ms: int) -> tuple[AnyEvent, ...]:
    """Pass the coming deals (PTS-019), or the called hand alone (GAME-DC-02)."""
    _, seat = night.require_seated(given.participant_id)
    night.require_session()
    if is_passing(night, seat):
        return ()
    if given.this_hand:
        return sit_out_hand(night, seat, at_ms)
    set_passing(night, seat, passes=True)
    return (ev.SeatSatOut(seat=seat), *follow_call(night, at_ms))


def sit_in(night: Night, given: inp.SitIn, at_ms: int) -> tuple[AnyEvent, ...]:
    """Take part again from the next deal, without debt (PTS-019)."""
    person = night.require_person(given.participant_id)
    if person.seat is None:
        raise NotAllowed(Reason.NOT_YOUR_ROLE, "You have no seat at this table.")
    session = night.require_session()
    if not is_passing(night, person.seat):
        return sit_in_again(night, person.seat)
    set_passing(night, person.seat, passes=False)
    person.has_left = False
    if not session.hand_is_live:
        night.next_deal_at_ms = max(night.next_deal_at_ms or 0, at_ms)
    return (ev.SeatReturned(seat=person.seat), *follow_call(night, at_ms))
