"""The agreed reset of the blind ladder (PTS-B3-03) and who survived (PTS-B3-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from homegame_engine.night.state import violation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night


def reset_stack(night: Night, given: inp.ResetStack, at_ms: int) -> tuple[AnyEvent, ...]:
    """A player without chips takes the one reset, between hands (PTS-B3-03)."""
    person, seat = night.require_seated(given.participant_id)
    session = night.require_session()
    if not night.resets_agreed or night.phase == "PLAYOFF":
        raise violation(Reason.RESET_NOT_AGREED, "PTS-B3-03", "Resets were not agreed before the first hand.")
    if person.has_reset:
        raise violation(Reason.RESET_USED, "PTS-B3-03", "You have used your reset.")
    if night.sealed is not None:
        raise violation(Reason.HAND_IN_PROGRESS, "PTS-B3-03", "The next deck is sealed; reset after that hand.")
    happened = session.reset_stack(seat)
    person.has_reset = True
    night.next_deal_at_ms = max(night.next_deal_at_ms or 0, at_ms)
    return (*happened, ev.StackReset(seat=seat, chips=night.created.format.start.chips))


def out_at_hand(night: Night, seat: int) -> int:
    """Hand number at whose end a seat was left without chips, 0 while it is in or back (PTS-B3-04)."""
    rows = [row for row in night.rows if not row.is_playoff]
    if not rows or rows[-1].end_chips[seat] > 0 or _is_back(night, seat):
        return 0
    return next(row.hand_number for row in reversed(rows) if row.start_chips[seat] > 0)


def _is_back(night: Night, seat: int) -> bool:
    """Whether a seat that ended the last row with nothing has reset since."""
    session = night.scored_session
    if session is None:
        return False
    if session.hand_is_live:
        return night.hand_start_chips[seat] > 0
    return session.stacks[seat] > 0
