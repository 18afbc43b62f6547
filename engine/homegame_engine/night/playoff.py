"""The short hand between tied leaders (PTS-B3-05, PROC-TIE-01): one hand with a start of 40 and blinds 1/2, if all of them ask.

It runs as a session of its own, whose hand number goes on from the night's; it decides only the order among the tied and
changes no recorded stack. A further tie is shared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from homegame_engine import events as ev
from homegame_engine.errors import InputError
from homegame_engine.night.state import violation
from homegame_engine.reasons import Reason
from homegame_engine.session import NO_CUTOFF, Session, place_stacks
from homegame_engine.specs import LevelSpec, StartSpec

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night

START_CHIPS = 40  # D-49: "short" is the 40 start used everywhere else.
LEVELS = (LevelSpec(from_hand=1, small_blind=1, big_blind=2),)


def tied_leaders(night: Night) -> tuple[int, ...]:
    """Seats that share the first place, in seat order; () while there is no result or no tie."""
    placements = () if night.finished is None else night.finished.placements
    leaders = tuple(sorted(placement.seat for placement in placements if placement.place == 1))
    return leaders if len(leaders) > 1 else ()


def ask_for_playoff(night: Night, given: inp.AskForPlayoff, at_ms: int) -> tuple[AnyEvent, ...]:
    """A tied leader asks or declines; the last to ask starts the short hand. Silence is no (PROC-CONSENT-01)."""
    _, seat = night.require_seated(given.participant_id)
    leaders = tied_leaders(night)
    if night.created.format.scoring.ties != "SHORT_HAND":
        raise violation(Reason.PLAYOFF_NOT_ALLOWED, "PROC-TIE-01", "In this format ties are shared.")
    if night.phase != "FINISHED" or night.playoff_is_over:
        raise violation(Reason.PLAYOFF_NOT_ALLOWED, "PTS-B3-05", "A short hand follows the result, once.")
    if seat not in leaders:
        raise violation(Reason.PLAYOFF_NOT_ALLOWED, "PTS-B3-05", "Only players tied for the first place may ask.")
    if night.playoff_declined:
        raise violation(Reason.CONSENT_MISSING, "PTS-B3-05", "A tied player has declined; the place is shared.")
    if not 0 <= given.button_draw < len(leaders):
        raise InputError("the draw must lie below the number of tied leaders", field="button_draw")
    if not given.agrees:
        night.playoff_declined = True
        return (ev.PlayoffAsked(seat=seat, agrees=False),)
    if seat in night.playoff_asked:
        return ()
    asked = (ev.PlayoffAsked(seat=seat, agrees=True),)
    if {*night.playoff_asked, seat} != set(leaders):
        night.playoff_asked = (*night.playoff_asked, seat)
        return asked
    return (*asked, *_start(night, leaders, leaders[given.button_draw], at_ms))


def _start(night: Night, leaders: tuple[int, ...], first_button: int, at_ms: int) -> tuple[AnyEvent, ...]:
    created = night.created
    session = Session.create(
        msgspec.structs.replace(created.format, start=StartSpec(chips=START_CHIPS), levels=LEVELS),
        created.game,
        created.house,
        n_seats=created.n_seats,
        seated_mask=sum(1 << seat for seat in leaders),
        first_button=first_button,
        hands_before=len(night.rows),
    )
    session.post_cutoff(NO_CUTOFF)
    night.main_session = night.session
    night.session = session
    night.playoff_asked = leaders
    night.phase = "PLAYOFF"
    night.deal_attempt = 1
    night.next_deal_at_ms = at_ms + created.hand_pause_ms
    return (ev.PlayoffStarted(seats=leaders, start_chips=START_CHIPS), ev.ButtonPlaced(seat=first_button))


def finish_playoff(night: Night) -> tuple[AnyEvent, ...]:
    """Place the tied leaders by the short hand's stacks and go back to the session's own."""
    session = night.require_session()
    finished = night.finished
    if finished is None or night.main_session is None:
        raise InputError("no short hand is played", field="input")
    order = {
        placement.seat: placement.place
        for placement in place_stacks({seat: session.stacks[seat] for seat in tied_leaders(night)})
    }
    placements = sorted(
        (msgspec.structs.replace(old, place=order.get(old.seat, old.place)) for old in finished.placements),
        key=lambda placement: (placement.place, placement.seat),
    )
    night.finished = msgspec.structs.replace(finished, placements=tuple(placements))
    night.session = night.main_session
    night.main_session = None
    night.playoff_is_over = True
    night.phase = "FINISHED"
    night.next_deal_at_ms = None
    night.deadline_at_ms = None
    night.sealed = None
    return (ev.PlayoffFinished(placements=night.finished.placements),)
