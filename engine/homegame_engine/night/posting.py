"""Before play: the cutoff, acknowledgements, agreements and the opening of the night (GEN-05, GEN-06, PTS-003, PTS-B3-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from homegame_engine.errors import InputError
from homegame_engine.night.calling import follow_call
from homegame_engine.night.sheet import check_equal_start
from homegame_engine.night.state import violation
from homegame_engine.reasons import Reason
from homegame_engine.session import Session

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night

MAX_AT_MS = 253_402_300_799_999  # The end of the year 9999: sums with durations stay far inside int64.


def check_cutoff(cutoff_at_ms: int, at_ms: int) -> None:
    """Hold that a cutoff lies ahead. Raises RuleViolation CUTOFF_IN_PAST (PROC-BREAK-05)."""
    if cutoff_at_ms > MAX_AT_MS:
        raise InputError("a cutoff lies before the year 10000", field="cutoff_at_ms")
    if cutoff_at_ms <= at_ms:
        raise violation(Reason.CUTOFF_IN_PAST, "PROC-BREAK-05", "The cutoff must lie in the future.")


def resets_are_agreed(night: Night) -> bool:
    """Whether the format offers the reset and everybody seated has said yes (PTS-B3-03, PROC-CONSENT-01)."""
    return night.created.format.offers_reset and all(person.agrees_to_resets for person in night.seated.values())


def agree_to_resets(night: Night, given: inp.AgreeToResets, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """A seated person agrees to resets, or takes it back; silence is no (PTS-B3-03)."""
    person, seat = night.require_seated(given.participant_id)
    night.require_posting_open()
    if not night.created.format.offers_reset:
        raise violation(Reason.RESET_NOT_AGREED, "PTS-B3-03", "This format has no reset.")
    if person.agrees_to_resets == given.agrees:
        return ()
    person.agrees_to_resets = given.agrees
    return (ev.ResetAgreement(seat=seat, agrees=given.agrees),)


def post_cutoff(night: Night, given: inp.PostCutoff, at_ms: int) -> tuple[AnyEvent, ...]:
    """Post the cutoff before the first card (PTS-003, GEN-05)."""
    night.require_host(given.participant_id)
    night.require_posting_open()
    check_cutoff(given.cutoff_at_ms, at_ms)
    night.cutoff_at_ms = given.cutoff_at_ms
    # What was read before is no longer what is posted (GEN-06).
    for person in night.people.values():
        person.acknowledged = False
    return (ev.CutoffPosted(cutoff_at_ms=given.cutoff_at_ms),)


def acknowledge(night: Night, given: inp.AcknowledgePosting, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """A seated person has read the posting (GEN-06)."""
    person, seat = night.require_seated(given.participant_id)
    if night.cutoff_at_ms is None:
        raise violation(Reason.POSTING_INCOMPLETE, "GEN-06", "The cutoff is not posted yet.")
    if person.acknowledged:
        return ()
    person.acknowledged = True
    return (ev.PostingAcknowledged(seat=seat),)


def record_read_aloud(night: Night, given: inp.RecordReadAloud, at_ms: int) -> tuple[AnyEvent, ...]:  # noqa: ARG001
    """The host read the posting aloud to everybody seated (GEN-06)."""
    night.require_host(given.participant_id)
    if night.cutoff_at_ms is None:
        raise violation(Reason.POSTING_INCOMPLETE, "GEN-06", "The cutoff is not posted yet.")
    heard = [person for _, person in sorted(night.seated.items()) if not person.acknowledged]
    for person in heard:
        person.acknowledged = True
    return tuple(ev.PostingAcknowledged(seat=person.seat) for person in heard if person.seat is not None)


def _check_ready(night: Night, at_ms: int) -> int:
    """Hold that play may begin (GEN-06, PTS-003, PTS-006) and return the cutoff."""
    seated = night.seated
    players = night.created.format.players
    if night.cutoff_at_ms is None:
        raise violation(Reason.CUTOFF_MISSING, "PTS-003", "Post a cutoff before the first card.")
    if night.cutoff_at_ms <= at_ms:
        raise violation(Reason.CUTOFF_PASSED, "PTS-016", "The posted cutoff has passed; post a later one.")
    if len(seated) < players.min:
        raise violation(
            Reason.TOO_FEW_PLAYERS,
            "PTS-006",
            f"This format needs at least {players.min} players.",
            {"players": len(seated), "least_players": players.min},
        )
    unread = [seat for seat, person in sorted(seated.items()) if not person.acknowledged]
    if unread:
        raise violation(
            Reason.ACK_MISSING, "GEN-06", "Not everybody seated has acknowledged the posting.", {"seat": unread[0]}
        )
    return night.cutoff_at_ms


def open_night(night: Night, given: inp.OpenNight, at_ms: int) -> tuple[AnyEvent, ...]:
    """Begin play: lock the posting (GEN-05), write the roster, place the first button (PROC-BTN-01)."""
    night.require_host(given.participant_id)
    night.require_posting_open()
    cutoff_at_ms = _check_ready(night, at_ms)
    seated = night.seated
    if not 0 <= given.button_draw < len(seated):
        raise InputError("the draw must lie below the number of occupied seats", field="button_draw")
    first_button = sorted(seated)[given.button_draw]
    session = Session.create(
        night.created.format,
        night.created.game,
        night.created.house,
        n_seats=night.created.n_seats,
        seated_mask=sum(1 << seat for seat in seated),
        first_button=first_button,
    )
    session.post_cutoff(cutoff_at_ms)
    check_equal_start(session.stacks, night.created.format.start.chips)
    night.session = session
    night.phase = "PLAYING"
    night.resets_agreed = resets_are_agreed(night)
    for person in seated.values():
        person.time_bank_tokens = night.created.time_bank_tokens
    night.opened_at_ms = at_ms
    night.next_deal_at_ms = at_ms + night.created.hand_pause_ms
    return (
        ev.NightOpened(
            roster=tuple(sorted(seated)),
            stacks=session.stacks,
            cutoff_at_ms=cutoff_at_ms,
            resets_agreed=night.resets_agreed,
        ),
        ev.ButtonPlaced(seat=first_button),
        *follow_call(night, at_ms),
    )
