"""What events of the night, of seats and of the button change in a view of the table; no hand and no turn.

Each change is a function of the view and the event. `table_state` has the rest, and says when which is called.
"""

from collections.abc import Callable, Mapping
from typing import Final

from homegame.v1 import events_pb2 as ev
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import SeatStatus, TableView


def _seat_taken(view: TableView, event: ev.TableEvent) -> None:
    taken = event.seat_taken
    seat = view.seats[taken.seat]
    seat.participant_id = taken.participant_id
    seat.display_name = taken.display_name
    seat.status = SeatStatus.SEAT_STATUS_SEATED
    seat.stack_chips = view.posting.start_chips


def _reset_agreement(view: TableView, event: ev.TableEvent) -> None:
    view.seats[event.reset_agreement.seat].agrees_to_resets = event.reset_agreement.agrees


def _stack_reset(view: TableView, event: ev.TableEvent) -> None:
    seat = view.seats[event.stack_reset.seat]
    seat.stack_chips += event.stack_reset.chips
    seat.has_reset = True


def _acknowledged(view: TableView, event: ev.TableEvent) -> None:
    view.seats[event.posting_acknowledged.seat].acknowledged = True


def _cutoff_posted(view: TableView, event: ev.TableEvent) -> None:
    view.posting.cutoff_at_ms = event.cutoff_posted.cutoff_at_ms
    for seat in view.seats:
        seat.acknowledged = False


def _sat_out(view: TableView, event: ev.TableEvent) -> None:
    if event.seat_sat_out.this_hand:
        view.sitting_out.append(event.seat_sat_out.seat)
    else:
        view.seats[event.seat_sat_out.seat].status = SeatStatus.SEAT_STATUS_SITTING_OUT


def _returned(view: TableView, event: ev.TableEvent) -> None:
    seat = event.seat_returned.seat
    view.seats[seat].status = SeatStatus.SEAT_STATUS_SEATED
    if seat in view.sitting_out:
        view.sitting_out.remove(seat)


def _button_placed(view: TableView, event: ev.TableEvent) -> None:
    view.button = event.button_placed.seat


def _orbit_completed(view: TableView, event: ev.TableEvent) -> None:
    view.completed_orbits = event.orbit_completed.orbit_number


def _playoff_started(view: TableView, event: ev.TableEvent) -> None:
    del event  # Its stacks come with the table.
    view.phase = NightPhase.NIGHT_PHASE_PLAYOFF


def _resumed(view: TableView, event: ev.TableEvent) -> None:
    view.ClearField("deadline_at_ms")
    if event.play_resumed.HasField("deadline_at_ms"):
        view.deadline_at_ms = event.play_resumed.deadline_at_ms


NIGHT_CHANGES: Final[Mapping[str, Callable[[TableView, ev.TableEvent], None]]] = {
    "seat_taken": _seat_taken,
    "reset_agreement": _reset_agreement,
    "stack_reset": _stack_reset,
    "posting_acknowledged": _acknowledged,
    "cutoff_posted": _cutoff_posted,
    "seat_sat_out": _sat_out,
    "seat_returned": _returned,
    "button_placed": _button_placed,
    "orbit_completed": _orbit_completed,
    "playoff_started": _playoff_started,
    "play_resumed": _resumed,
}
"""The change by kind of event."""
