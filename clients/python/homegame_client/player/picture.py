"""The table from one's own chair: the own seat is called You and lies at the bottom, in the middle."""

from collections.abc import Sequence

from rich.text import Text

from homegame.v1.views_pb2 import SeatHand, SeatStatus, SeatView, TableView
from homegame_client.terminal.draw import Picture, draw_table, has_ring
from homegame_client.terminal.words import visible

OWN_NAME = "You"
_MESSAGE_LINES = 2  # So many a message, the cards to pick from or a long turn may take off the table.


def draw_own_table(view: TableView, picture: Picture) -> list[Text]:
    """Draw the table for its viewer into at most `picture.height` lines; for a spectator as it is."""
    in_ring = has_ring(view, picture, lines_missing=_MESSAGE_LINES)
    return draw_table(_from_own_chair(view, in_ring=in_ring), picture, lines_missing=_MESSAGE_LINES)


def own_hand_words(view: TableView) -> str:
    """The own hand as the server names it, empty when it does not."""
    seat = view.seats[view.viewer_seat] if view.HasField("viewer_seat") else None
    return visible(seat.rank_text) if seat is not None and seat.hand == SeatHand.SEAT_HAND_LIVE else ""


def _from_own_chair(view: TableView, *, in_ring: bool) -> TableView:
    if not view.HasField("viewer_seat"):
        return view
    turned = TableView()
    turned.CopyFrom(view)
    own = next((seat for seat in turned.seats if seat.seat == view.viewer_seat), None)
    if own is not None:
        own.display_name = OWN_NAME
        if own.hand != SeatHand.SEAT_HAND_SHOWN:
            own.ClearField("rank_text")  # The box shows the chips in front instead; the words stand below the table.
    if in_ring:
        seats = [SeatView.FromString(seat.SerializeToString()) for seat in _turned(_occupied(turned), view.viewer_seat)]
        del turned.seats[:]
        turned.seats.extend(seats)
    return turned


def _turned(seats: Sequence[SeatView], own_seat: int) -> list[SeatView]:
    """Seats clockwise from the upper left such that the own one comes to the middle of the lower row."""
    above = (len(seats) + 1) // 2
    place = above + (len(seats) - above) // 2
    at = next((index for index, seat in enumerate(seats) if seat.seat == own_seat), 0)
    start = (at - place) % max(1, len(seats))
    return [*seats[start:], *seats[:start]]


def _occupied(view: TableView) -> list[SeatView]:
    return [seat for seat in view.seats if seat.status != SeatStatus.SEAT_STATUS_EMPTY]
