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
    from homegame_engine.night.sheet import SheetRow


def reset_stack(night: Night, given: inp.ResetStack, at_ms: int) -> tuple[AnyEvent, ...]:
    """A player without chips takes the one reset, between hands (PTS-B3-03)."""
    person, seat = night.require_seated(given.participant_id)
    session = night.require_session()
    if not night.resets_agreed:
        raise violation(Reason.RESET_NOT_AGREED, "PTS-B3-03", "Resets were not agreed before the first hand.")
    if person.has_reset:
        raise violation(Reason.RESET_USED, "PTS-B3-03", "You have used your reset.")
    if night.sealed is not None:
        raise violation(Reason.HAND_IN_PROGRESS, "PTS-B3-03", "The next deck is sealed; reset after that hand.")
    happened = session.reset_stack(seat)
    person.has_reset = True
    night.next_deal_at_ms = max(night.next_deal_at_ms or 0, at_ms)
    return (*happened, ev.StackReset(seat=seat, chips=night.created.format.start.chips))


def out_at_hand(rows: tuple[SheetRow, ...], seat: int) -> int:
    """Hand number at whose end a seat was left without chips for good, 0 while it is in (PTS-B3-04)."""
    if not rows or rows[-1].end_chips[seat] > 0:
        return 0
    out = rows[-1].hand_number
    for row in reversed(rows):
        if row.end_chips[seat] > 0:
            break
        if row.start_chips[seat] > 0:
            return row.hand_number
        out = row.hand_number
    return out
