"""Decisions and their clock: acting, the window, the time bank, time-outs (BET-GEN-04, PROC-CLK-01 to PROC-CLK-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from homegame_engine.errors import InputError
from homegame_engine.night.closing import finish_session
from homegame_engine.night.playoff import finish_playoff
from homegame_engine.night.sheet import SheetRow
from homegame_engine.night.state import violation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night
    from homegame_engine.session import Session


def check_window_open(night: Night, at_ms: int) -> None:
    """Hold that the running window has not ended; exactly at its end is too late (PROC-CLK-05)."""
    if night.deadline_at_ms is not None and at_ms >= night.deadline_at_ms:
        raise violation(Reason.ACTION_CLOSED, "PROC-CLK-05", "The time for this decision is over.")


def check_action_number(night: Night, action_number: int) -> None:
    """Hold that a decision is the current one. Raises RuleViolation STALE_ACTION (BET-GEN-04)."""
    if action_number != night.action_number:
        raise violation(
            Reason.STALE_ACTION,
            "BET-GEN-04",
            "The table has moved on; look again before you act.",
            {"action_number": night.action_number},
        )


def act(night: Night, seat: int, given: inp.Act, at_ms: int) -> tuple[AnyEvent, ...]:
    """A seated person acts in a hand (BET-GEN-01 to BET-GEN-04); `dealing` has the cut."""
    session = night.require_session()
    if session.actor == seat:
        check_window_open(night, at_ms)
    return after_play(night, session.apply(seat, given.action), at_ms)


def time_out(night: Night, given: inp.TimeOut, at_ms: int) -> tuple[AnyEvent, ...]:
    """The window of a decision ended: check if nothing is owed, otherwise fold; at showdown show (PROC-CLK-03)."""
    session = night.require_session()
    if given.action_number != night.action_number or not session.hand_is_live:
        raise violation(Reason.STALE_ACTION, "BET-GEN-04", "That decision has been made.")
    if night.deadline_at_ms is None or at_ms < night.deadline_at_ms:
        raise InputError("the window is still open", field="action_number")
    seat = session.actor
    hand = session.hand
    if hand is None or seat < 0:
        raise violation(Reason.HAND_OVER, "BET-GEN-06", "Nobody is to act.")
    timed_out = ev.DecisionTimedOut(seat=seat, action_number=night.action_number)
    return after_play(night, (timed_out, *session.apply(seat, hand.timeout_action(seat))), at_ms)


def use_time_bank(night: Night, given: inp.UseTimeBank, at_ms: int) -> tuple[AnyEvent, ...]:
    """A token adds its time to the running window once, announced before the window ends (PROC-CLK-02, PTS-V20-01)."""
    person, seat = night.require_seated(given.participant_id)
    check_action_number(night, given.action_number)
    session = night.require_session()
    if not session.hand_is_live:
        raise violation(Reason.HAND_OVER, "BET-GEN-06", "No hand is being played.")
    if session.actor != seat:
        raise violation(Reason.OUT_OF_TURN, "BET-GEN-01", "Another seat is to act.", {"seat": session.actor})
    if person.time_bank_tokens < 1 or night.window_extended:
        raise violation(
            Reason.TIMEBANK_USED,
            "PROC-CLK-02",
            "You have no time left in the bank.",
            {"tokens": person.time_bank_tokens},
        )
    if night.deadline_at_ms is None or at_ms >= night.deadline_at_ms:
        raise violation(Reason.TIMEBANK_TOO_LATE, "PROC-CLK-02", "The window had ended.")
    person.time_bank_tokens -= 1
    person.tokens_used_in_hand += 1
    night.window_extended = True
    night.deadline_at_ms += night.created.time_bank_ms
    return (
        ev.TimeBankUsed(
            seat=seat,
            action_number=night.action_number,
            deadline_at_ms=night.deadline_at_ms,
            tokens_left=person.time_bank_tokens,
        ),
    )


def after_play(night: Night, happened: tuple[AnyEvent, ...], at_ms: int) -> tuple[AnyEvent, ...]:
    """Bookkeeping after the turn moved: the sheet, the next decision with its deadline, or the next deal."""
    session = night.require_session()
    night.action_number += 1
    night.deadline_at_ms = None
    night.window_extended = False
    if session.hand_is_live:
        return happened + open_decision(night, session, at_ms)
    if any(isinstance(event, ev.HandEnded) for event in happened):
        night.add_row(
            SheetRow(
                hand_number=session.hand_number - 1,
                button=night.hand_button,
                started_at_ms=night.hand_started_at_ms,
                ended_at_ms=at_ms,
                start_chips=night.hand_start_chips,
                end_chips=session.stacks,
                is_playoff=night.phase == "PLAYOFF",
            )
        )
        night.completed_hand = session.hand
        night.deal_attempt = 1
        if night.phase == "PLAYOFF":
            return happened + finish_playoff(night)
    night.next_deal_at_ms = at_ms + night.created.hand_pause_ms
    if session.has_sole_owner and not night.resets_open():
        return happened + finish_session(night, "ALL_CHIPS")  # PTS-016: wins at once.
    return happened


def open_decision(night: Night, session: Session, at_ms: int) -> tuple[AnyEvent, ...]:
    """Start the window of the seat to act."""
    seat = session.actor
    if seat < 0:
        return ()
    person = night.seated.get(seat)
    # A player who got up is not waited for; the clock checks or folds at once, the hand staying live (PROC-CLK-03).
    window_ms = 0 if person is None or person.has_left else night.created.decision_ms
    night.deadline_at_ms = at_ms + window_ms
    return (
        ev.ActionRequired(
            seat=seat,
            action_number=night.action_number,
            legal=session.legal_actions(),
            deadline_at_ms=night.deadline_at_ms,
        ),
    )


def resume(night: Night, given: inp.Resume, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """Running windows get the time they had left when the last row was written; a posted cutoff stays (design, Time)."""
    stopped_at_ms = night.last_at_ms
    if night.deadline_at_ms is not None:
        night.deadline_at_ms = at_ms + max(0, night.deadline_at_ms - stopped_at_ms)
    if night.next_deal_at_ms is not None:
        night.next_deal_at_ms = at_ms + max(0, night.next_deal_at_ms - stopped_at_ms)
    return (ev.PlayResumed(stopped_at_ms=stopped_at_ms, deadline_at_ms=night.deadline_at_ms or 0),)
