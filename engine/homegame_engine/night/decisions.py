"""Decisions and their clock: acting, the window, the time bank, time-outs (BET-GEN-04, PROC-CLK-01 to PROC-CLK-05).

A decision is what one action number stands for: the turn of one seat, or one step at which several seats choose at the same
time (discards, passes, declarations). Those share number, window and time bank, and the number moves on when the last has chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from homegame_engine.actions import Agree
from homegame_engine.errors import InputError
from homegame_engine.night.calling import end_call
from homegame_engine.night.closing import finish_session
from homegame_engine.night.playoff import finish_playoff
from homegame_engine.night.sheet import SheetRow
from homegame_engine.night.state import CompletedHand, seats_of, violation
from homegame_engine.night.windows import check_action_number, check_window_open
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.actions import LegalActions
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night
    from homegame_engine.session import Session


def act(night: Night, seat: int, given: inp.Act, at_ms: int) -> tuple[AnyEvent, ...]:
    """A seated person acts in a hand (BET-GEN-01 to BET-GEN-04); `dealing` has the cut."""
    session = night.require_session()
    pending_mask = session.may_act_mask
    if not pending_mask >> seat & 1 or isinstance(given.action, Agree):
        return _act_beside_the_turn(night, session, seat, given, at_ms)
    check_window_open(night, at_ms)
    happened = session.apply(seat, given.action)
    if pending_mask & ~(1 << seat):
        return happened  # Others choose at the same time: number and window stay until the last has chosen.
    return after_play(night, happened, at_ms)


def _act_beside_the_turn(night: Night, session: Session, seat: int, given: inp.Act, at_ms: int) -> tuple[AnyEvent, ...]:
    """A fold out of turn (HOUSE-BET-06), a division named (POT-AGR-01), or a refusal. Whoever's turn it is keeps it."""
    before = _turn(session)
    happened = session.apply(seat, given.action)
    after = _turn(session) if session.hand_is_live else None
    if after == before:
        return happened
    if after is None or before is None or after[:-1] != before[:-1]:
        return after_play(night, happened, at_ms)
    return happened + _ask(night, session, session.may_act_mask)  # The same turn, with other amounts.


def _turn(session: Session) -> tuple[str, int, int, LegalActions] | None:
    """What the open decision is; what may be done in it comes last."""
    hand = session.hand
    return None if hand is None else (hand.phase, hand.street, hand.may_act_mask, session.legal_actions())


def time_out(night: Night, given: inp.TimeOut, at_ms: int) -> tuple[AnyEvent, ...]:
    """The window of a decision ended: the clock acts for every seat that has not (PROC-CLK-03, GAME-DISC-02, GAME-DECL-07)."""
    session = night.require_session()
    if given.action_number != night.action_number or not session.hand_is_live:
        raise violation(Reason.STALE_ACTION, "BET-GEN-04", "That decision has been made.")
    if night.deadline_at_ms is None or at_ms < night.deadline_at_ms:
        raise InputError("the window is still open", field="action_number")
    if not session.may_act_mask:
        raise violation(Reason.HAND_OVER, "BET-GEN-06", "Nobody is to act.")
    return after_play(night, act_by_clock(night, session, session.may_act_mask), at_ms)


def act_by_clock(night: Night, session: Session, mask: int) -> tuple[AnyEvent, ...]:
    """Do for each seat of a mask what the rules put in the place of its decision; it must be open."""
    happened: tuple[AnyEvent, ...] = ()
    for seat in seats_of(mask, first=session.actor, n_seats=session.n_seats):
        hand = session.hand
        if hand is None:
            raise InputError("no hand is played", field="input")
        timed_out = ev.DecisionTimedOut(seat=seat, action_number=night.action_number)
        happened += (timed_out, *session.apply(seat, hand.timeout_action(seat)))
    return happened


def use_time_bank(night: Night, given: inp.UseTimeBank, at_ms: int) -> tuple[AnyEvent, ...]:
    """A token adds its time to the running window once, announced before the window ends (PROC-CLK-02, PTS-V20-01).

    Where several seats choose at the same time their window is one, and the token of any of them lengthens it for all:
    nobody's choice is known before the last is in, so whoever has chosen loses nothing by waiting.
    """
    person, seat = night.require_seated(given.participant_id)
    check_action_number(night, given.action_number)
    session = night.require_session()
    if not session.hand_is_live:
        raise violation(Reason.HAND_OVER, "BET-GEN-06", "No hand is being played.")
    if not session.may_act_mask >> seat & 1:
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
                carry_chips=session.carry_chips,
                game_id="" if night.called_game is None else night.called_game.game.id,
            )
        )
        night.completed_hand = _completed(session)
        night.deal_attempt = 1
        if night.phase == "PLAYOFF":
            return happened + finish_playoff(night)
    night.next_deal_at_ms = at_ms + night.created.hand_pause_ms
    if session.has_sole_owner and not night.resets_open():
        return happened + finish_session(night, "ALL_CHIPS")  # PTS-016: wins at once.
    return happened + end_call(night, at_ms)


def _completed(session: Session) -> CompletedHand | None:
    hand, rules = session.hand, session.played_rules
    return None if hand is None or rules is None else CompletedHand(hand, session.game_spec, rules)


def open_decision(night: Night, session: Session, at_ms: int) -> tuple[AnyEvent, ...]:
    """Start the window of the seat to act, or of all that choose at the same time."""
    pending_mask = session.may_act_mask
    if not pending_mask:
        return ()
    # A player who got up is not waited for; the clock acts at once, the hand staying live (PROC-CLK-03).
    gone_mask = pending_mask & _gone_mask(night)
    night.deadline_at_ms = at_ms + (0 if gone_mask == pending_mask else night.created.decision_ms)
    asked = _ask(night, session, pending_mask)
    return asked if gone_mask in (0, pending_mask) else asked + act_by_clock(night, session, gone_mask)


def _gone_mask(night: Night) -> int:
    """Seats without a player who could answer."""
    here = sum(1 << seat for seat, person in night.seated.items() if not person.has_left)
    return (1 << night.created.n_seats) - 1 & ~here


def leave_decision(night: Night, session: Session, seat: int, at_ms: int) -> tuple[AnyEvent, ...]:
    """The player of a seat got up, `Person.has_left` is set: the clock acts for it at once if it owes a decision."""
    pending_mask = session.may_act_mask
    if not pending_mask >> seat & 1 or night.deadline_at_ms is None:
        return ()
    if pending_mask & ~_gone_mask(night):
        return act_by_clock(night, session, 1 << seat)  # Others still choose.
    night.deadline_at_ms = min(night.deadline_at_ms, at_ms)
    return ()


def _ask(night: Night, session: Session, mask: int) -> tuple[AnyEvent, ...]:
    """Ask each seat of a mask for its part of the open decision."""
    return tuple(
        ev.ActionRequired(
            seat=seat,
            action_number=night.action_number,
            legal=session.legal_actions(seat),
            deadline_at_ms=night.deadline_at_ms or 0,
        )
        for seat in seats_of(mask, first=session.actor, n_seats=session.n_seats)
    )


def resume(night: Night, given: inp.Resume, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """Running windows get the time they had left when the last row was written; a posted cutoff stays (design, Time)."""
    stopped_at_ms = night.last_at_ms
    if night.deadline_at_ms is not None:
        night.deadline_at_ms = at_ms + max(0, night.deadline_at_ms - stopped_at_ms)
    if night.next_deal_at_ms is not None:
        night.next_deal_at_ms = at_ms + max(0, night.next_deal_at_ms - stopped_at_ms)
    return (ev.PlayResumed(stopped_at_ms=stopped_at_ms, deadline_at_ms=night.deadline_at_ms or 0),)
