"""How hands and nights end out of the ordinary: void, finish, close (PTS-016, PROC-VOID-01, PROC-VOID-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from homegame_engine.errors import InputError
from homegame_engine.night.calling import follow_call
from homegame_engine.night.playoff import finish_playoff
from homegame_engine.night.sheet import check_rows
from homegame_engine.night.state import RUNNING, violation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night


def finish_session(night: Night, by: str) -> tuple[AnyEvent, ...]:
    """End the session: place the stacks (PTS-016, PTS-017, PTS-024)."""
    session = night.require_session()
    check_rows(night.rows, session.hands_completed)
    happened = session.finish(by)
    for event in happened:
        if isinstance(event, ev.SessionFinished):
            night.finished = event
    night.phase = "FINISHED"
    night.next_deal_at_ms = None
    night.sealed = None  # A deck whose cut came too late is dealt to nobody (PROC-END-01).
    night.deadline_at_ms = None
    night.calling = None
    return happened


def finish(night: Night, given: inp.FinishSession, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """The clock found that no hand can start any more (PTS-016)."""
    session = night.require_session()
    if session.hand_is_live:
        raise violation(Reason.HAND_IN_PROGRESS, "PTS-016", "The active hand is completed first.")
    if at_ms < session.cutoff_at_ms:
        raise InputError("the cutoff has not come", field="input")
    return finish_session(night, "CUTOFF")


def void(night: Night, given: inp.VoidHand, at_ms: int) -> tuple[AnyEvent, ...]:
    """The host voids the live hand; the next deal is a redeal of it (PROC-VOID-01, PROC-VOID-02)."""
    night.require_host(given.participant_id)
    session = night.require_session()
    hand = session.hand
    if session.hand_is_live and hand is not None and hand.phase == "SHOWDOWN" and hand.shown_mask:
        raise violation(Reason.REMEDY_TOO_LATE, "PROC-VOID-01", "A hidden hand has been shown.")
    happened = session.void_hand(given.reason)
    for person in night.people.values():  # PROC-VOID-02: tokens follow the hand.
        person.time_bank_tokens += person.tokens_used_in_hand
        person.tokens_used_in_hand = 0
    night.deal_attempt += 1
    night.action_number += 1
    night.deadline_at_ms = None
    night.next_deal_at_ms = at_ms + night.created.hand_pause_ms
    return (*happened, *follow_call(night, at_ms))


def close(night: Night, given: inp.CloseNight, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """The host ends the night between hands."""
    night.require_host(given.participant_id)
    happened: tuple[AnyEvent, ...] = ()
    if night.phase in RUNNING:
        if night.require_session().hand_is_live:
            raise violation(Reason.HAND_IN_PROGRESS, "PTS-016", "The active hand is completed first.")
        # A short hand that was not dealt leaves the tie shared (PTS-B3-05).
        happened = finish_session(night, "HOST") if night.phase == "PLAYING" else finish_playoff(night)
    by = "HOST" if not happened and night.phase == "POSTED" else "FINISHED"
    night.phase = "CLOSED"
    return (*happened, ev.NightClosed(by=by))
