"""What a person has to know at this moment, in a line: what is waited for, whose turn it is, what comes next."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import HandPhase, SeatHand, SeatStatus, TableView
from homegame_client.player.pages import place_words
from homegame_client.player.picture import own_hand_words
from homegame_client.terminal.calling import call_words, is_hand_running, is_window_open
from homegame_client.terminal.words import clock_text, namer, names_text, visible

# So many names fit a line.
_NAMES_SHOWN: Final = 3


class HowItEnded(Enum):
    """Why a person stopped playing."""

    LEFT = auto()
    """The seat was given up."""
    KEPT = auto()
    """The seat is kept; the person means to come back."""
    OVER = auto()
    """The session was played to its end."""
    REFUSED = auto()
    """The server does not know this seat any more."""


class Ending(NamedTuple):
    """How a person stopped playing."""

    how: HowItEnded
    message: str = ""
    """What the server said, when it refused."""


def needs_acknowledging(view: TableView) -> bool:
    """Whether the viewer still has to read the posting."""
    seated = view.HasField("viewer_seat")
    return view.phase == NightPhase.NIGHT_PHASE_POSTED and seated and not view.seats[view.viewer_seat].acknowledged


def is_over(view: TableView) -> bool:
    """Whether no hand will be dealt any more."""
    return view.phase in (NightPhase.NIGHT_PHASE_FINISHED, NightPhase.NIGHT_PHASE_CLOSED)


def is_sitting_out(view: TableView) -> bool:
    """Whether the viewer passes deals."""
    return view.HasField("viewer_seat") and view.seats[view.viewer_seat].status == SeatStatus.SEAT_STATUS_SITTING_OUT


def clock_words(left_ms: int | None, *, urgent: bool) -> str:
    """The clock of a running decision: `0:23`, and a word for haste at its end, for those who see no colour."""
    if left_ms is None:
        return ""
    return f"HURRY {clock_text(left_ms)}" if urgent else clock_text(left_ms)


def last_completed(view: TableView) -> int:
    """Number of the last completed hand, 0 when there is none."""
    return max(0, view.hand_number - 1) if is_hand_running(view) else view.hand_number


def hand_words(view: TableView) -> str:
    """The own hand in words, empty when the server does not name it."""
    words = own_hand_words(view)
    return f"Your hand: {words}" if words else ""


def invitation_words(view: TableView, invitation: str) -> str:
    """What others type to join, while a seat is free before play."""
    has_room = view.phase == NightPhase.NIGHT_PHASE_POSTED and any(not seat.participant_id for seat in view.seats)
    return f"Others on this machine join with: {invitation}" if has_room and invitation else ""


def leaving_words(view: TableView | None, *, is_host: bool) -> str:
    """What giving up the seat means."""
    if is_host:
        return "your night is closed after the running hand, and the sheet stands as it is."
    if view is not None and view.phase == NightPhase.NIGHT_PHASE_POSTED:
        return "your seat is free again."
    return "your seat stays on the sheet and passes every deal; in a running hand the clock acts for you at once."


def keeping_words(*, is_host: bool) -> str:
    """What becomes of a seat that is kept while its program is closed, up to the command that comes back to it."""
    if is_host:
        return "your night stands still for everybody, but its cutoff comes nearer, until you come back with"
    return "the clock acts for you until you come back with"


def waiting_words(view: TableView, *, is_host: bool) -> str:
    """What the viewer waits for while it is not the viewer's turn; the host's own program opens the night."""
    if is_over(view):
        return _over_words(view)
    if view.phase == NightPhase.NIGHT_PHASE_POSTED:
        return _before_play_words(view, is_host=is_host)
    own = view.seats[view.viewer_seat] if view.HasField("viewer_seat") else None
    if own is not None and own.status == SeatStatus.SEAT_STATUS_BUSTED:
        has_more = view.resets_agreed and not own.has_reset
        return "You are out of points" + (": g takes your one reset" if has_more else "; the night goes on without you")
    if is_sitting_out(view):
        return "You sit out: o to come back"
    return _turn_words(view) if view.HasField("legal") else _between_turns_words(view)


def others_words(view: TableView) -> str:
    """Who else chooses at the same time, empty when nobody does: `Ada and Bruno choose, too`."""
    names = namer(view)
    others = [names(seat) for seat in view.may_act if not (view.HasField("viewer_seat") and seat == view.viewer_seat)]
    if not others:
        return ""
    return f"choosing, too: {names_text(others, _NAMES_SHOWN)}"


def divided_words(view: TableView, shares: Sequence[int]) -> str:
    """A division of the pot by name: `Ada 20, Bruno 10`."""
    names = namer(view)
    return ", ".join(f"{names(seat.seat)} {chips:,}" for seat, chips in zip(view.seats, shares, strict=False) if chips)


def live_seats(view: TableView) -> list[int]:
    """Seats that are in the hand, counted from 0."""
    return [seat.seat for seat in view.seats if seat.hand == SeatHand.SEAT_HAND_LIVE]


def _turn_words(view: TableView) -> str:
    names = namer(view)
    if len(view.may_act) < 2:  # noqa: PLR2004 - one alone is named as the one to act
        return f"Waiting for {names(view.legal.seat)}"
    who = names_text((names(seat) for seat in view.may_act), _NAMES_SHOWN)
    return f"Waiting for {len(view.may_act)} others: {who}"


def _between_turns_words(view: TableView) -> str:
    if view.HasField("caller_seat"):
        return f"Waiting for {namer(view)(view.caller_seat)} to call a game"
    if is_window_open(view):
        return call_words(view, namer(view))
    return (
        "The next hand comes in a moment" if view.hand_phase == HandPhase.HAND_PHASE_OVER else "Cards are on their way"
    )


def _before_play_words(view: TableView, *, is_host: bool) -> str:
    if needs_acknowledging(view):
        return "Enter: read the posting; play cannot start before you have"
    free = sum(seat.status == SeatStatus.SEAT_STATUS_EMPTY for seat in view.seats)
    reading = [visible(seat.display_name) for seat in view.seats if seat.participant_id and not seat.acknowledged]
    parts = []
    if reading:
        more = f" and {len(reading) - _NAMES_SHOWN} more" if len(reading) > _NAMES_SHOWN else ""
        parts.append(f"still reading the posting: {', '.join(reading[:_NAMES_SHOWN])}{more}")
    if free:
        parts.append(f"{free} free seat{'s' if free > 1 else ''}")
    own = view.seats[view.viewer_seat] if view.HasField("viewer_seat") else None
    if view.posting.offers_reset and own is not None:
        parts.append(f"g: {'no longer agree' if own.agrees_to_resets else 'agree'} to resets")
    opens = "The night opens once every seat is taken and all have read the posting"
    waiting = opens if is_host else "Waiting for the host to open the night"
    return waiting + (f" ({'; '.join(parts)})" if parts else "")


def _over_words(view: TableView) -> str:
    place = place_words(view.standings, view.viewer_seat if view.HasField("viewer_seat") else None)
    return "The session is over" + (f": you are {place}" if place else "")
