"""A picture of a table for a terminal, to be read from across the room.

Draws what a `TableView` holds and nothing else: a card the view hides has no face here either. Suits have a letter and a
colour, so that neither colour-blind eyes nor a printer lose anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from homegame.v1.cards_pb2 import Card
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import HandPhase, SeatHand, SeatStatus, SeatView, TableView
from homegame_client.cards import card_text
from homegame_client.terminal.words import FINISH_WORDS, chips_text, clock_text, describe_choice, visible

SEAT_WIDTH_MIN: Final = 15
"""Narrower boxes cannot hold a name, two cards and an amount: then the seats become a list."""
SEAT_HEIGHT: Final = 6
BOARD_CARDS: Final = 5  # Places drawn for the board; a game with more simply fills more.
LOG_LINES_MIN: Final = 3
TITLE_LINES: Final = 1
CENTRE_LINES: Final = 4
RING_HEIGHT_MIN: Final = TITLE_LINES + 2 * SEAT_HEIGHT + CENTRE_LINES + LOG_LINES_MIN + 1

SUIT_STYLES: Final[Mapping[str, str]] = {
    "c": "bold white on green4",
    "d": "bold white on blue3",
    "h": "bold white on red3",
    "s": "bold black on grey93",
}
BACK_STYLE: Final = "white on grey37"
TURN_STYLE: Final = "bold yellow"
BANNER_STYLE: Final = "bold green"
QUIET_STYLE: Final = "dim"

_LIGHT: Final = "┌─┐│└┘"
_HEAVY: Final = "╔═╗║╚╝"


class Picture(NamedTuple):
    """What a drawing needs besides the view."""

    width: int
    """Columns."""
    height: int
    """Lines; the log takes what the table leaves."""
    server_now_ms: int
    """The server's clock at the moment of drawing, Unix UTC in ms."""
    log: Sequence[str] = ()
    """Sentences, oldest first."""
    banner: str = ""
    """What to say in the turn's place while nobody is to act: who won."""


def draw_table(view: TableView, picture: Picture) -> list[Text]:
    """Draw the table into at most `picture.height` lines of `picture.width` columns."""
    seats = [seat for seat in view.seats if seat.status != SeatStatus.SEAT_STATUS_EMPTY]
    per_row = max(1, (len(seats) + 1) // 2)
    fits = picture.width // per_row >= SEAT_WIDTH_MIN and picture.height >= RING_HEIGHT_MIN
    lines = [_title(view, picture), *(_ring(view, seats, picture) if fits else _list(view, seats, picture))]
    room = picture.height - len(lines) - 1
    if room > 0 and picture.log:
        lines.append(Text("─" * picture.width, style=QUIET_STYLE))
        lines.extend(_fit(Text(sentence), picture.width) for sentence in picture.log[-room:])
    return lines[: picture.height]


def card_mark(card: Card.ValueType) -> Text:
    """A card as a small block of colour: ` As `."""
    text = card_text(card)
    if card == Card.CARD_HIDDEN:
        return Text(" ▒▒ ", style=BACK_STYLE)
    return Text(f" {text} ", style=SUIT_STYLES.get(text[1], "bold white on purple4"))


# --- The ring: seats above and below the board --------------------------------------------------------------------------


def _ring(view: TableView, seats: Sequence[SeatView], picture: Picture) -> list[Text]:
    """Seats clockwise: the first half above from left to right, the rest below from right to left."""
    half = (len(seats) + 1) // 2
    above, below = seats[:half], list(reversed(seats[half:]))
    width = picture.width // max(half, 1)
    lines = _row(view, above, width, picture)
    lines.extend(_centre(view, picture))
    lines.extend(_row(view, below, width, picture))
    return lines


def _row(view: TableView, seats: Sequence[SeatView], width: int, picture: Picture) -> list[Text]:
    boxes = [_box(view, seat, width) for seat in seats]
    return [_fit(Text.assemble(*parts), picture.width) for parts in zip(*boxes, strict=True)]


def _box(view: TableView, seat: SeatView, width: int) -> list[Text]:
    is_turn = seat.seat in view.may_act
    style = TURN_STYLE if is_turn else QUIET_STYLE if _is_out(seat) else ""
    corner, across, corner2, side, corner3, corner4 = _HEAVY if is_turn else _LIGHT
    inside = width - 4
    rows = [
        _spread(
            Text(_label(seat, is_turn=is_turn), style=_name_style(seat, is_turn=is_turn)), _badge(view, seat), inside
        ),
        _spread(
            Text(chips_text(seat.stack_chips), style="bold" if not _is_out(seat) else QUIET_STYLE), _state(seat), inside
        ),
        _fit(_held(seat), inside),
        _fit(_in_front(view, seat, inside), inside),
    ]
    edge = across * (width - 2)
    lines = [Text(corner + edge + corner2, style=style)]
    lines.extend(Text.assemble((side + " ", style), row, (" " + side, style)) for row in rows)
    lines.append(Text(corner3 + edge + corner4, style=style))
    return lines


def _centre(view: TableView, picture: Picture) -> list[Text]:
    board = list(view.board)
    tops, faces, bottoms = [], [], []
    for place in range(max(BOARD_CARDS, len(board))):
        style = QUIET_STYLE if place >= len(board) else ""
        tops.append(Text("┌────┐ ", style=style))
        face = card_mark(board[place]) if place < len(board) else Text("    ")
        faces.append(Text.assemble(("│", style), face, ("│ ", style)))
        bottoms.append(Text("└────┘ ", style=style))
    pot = Text(f"  Pot {chips_text(view.pot_chips)}", style="bold") if view.pot_chips else Text("")
    rows = [
        Text.assemble(*tops, "  ", _street(view)),
        Text.assemble(*faces, pot),
        Text.assemble(*bottoms, "  ", _layers(view)),
    ]
    indent = max(0, (picture.width - len(tops) * 7 - 20) // 2)
    lines = [_fit(Text.assemble(" " * indent, row), picture.width) for row in rows]
    lines.append(_turn(view, picture))
    return lines


# --- The list: one line a seat ------------------------------------------------------------------------------------------


def _list(view: TableView, seats: Iterable[SeatView], picture: Picture) -> list[Text]:
    board = Text.assemble("Board ", *(part for card in view.board for part in (card_mark(card), " ")))
    pot = Text(f"Pot {chips_text(view.pot_chips)}", style="bold") if view.pot_chips else _street(view)
    lines = [_spread(board, pot, picture.width)]
    for seat in seats:
        is_turn = seat.seat in view.may_act
        label = _fit(Text(_label(seat, is_turn=is_turn), style=_name_style(seat, is_turn=is_turn)), 16)
        stack = Text(f"{chips_text(seat.stack_chips):>6}", style=QUIET_STYLE if _is_out(seat) else "bold")
        badge = _badge(view, seat)
        badge.pad_right(4 - cell_len(badge.plain))
        told = _state(seat) if _state(seat).plain else _in_front(view, seat, picture.width)
        lines.append(_fit(Text.assemble(label, stack, " ", badge, _held(seat), "  ", told), picture.width))
    lines.append(_turn(view, picture))
    return lines


# --- Pieces --------------------------------------------------------------------------------------------------------------


def _title(view: TableView, picture: Picture) -> Text:
    left = [visible(view.night_name) or "Table"]
    if view.hand_number:
        left.append(f"hand {view.hand_number}")
    if view.completed_orbits:
        left.append(f"orbit {view.completed_orbits + 1}")
    return _spread(Text(" · ".join(left), style="bold"), Text(_time_left(view, picture.server_now_ms)), picture.width)


def _time_left(view: TableView, now_ms: int) -> str:
    if view.finish_reason:
        return f"over, ended by {FINISH_WORDS.get(view.finish_reason, 'the end')}"
    if view.phase == NightPhase.NIGHT_PHASE_POSTED:
        return "not open yet"
    if view.phase == NightPhase.NIGHT_PHASE_CLOSED:
        return "closed"
    left_ms = view.posting.cutoff_at_ms - now_ms
    return f"cutoff in {clock_text(left_ms)}" if left_ms > 0 else "cutoff passed: last hand"


def _turn(view: TableView, picture: Picture) -> Text:
    if not view.HasField("legal"):
        return _fit(Text(picture.banner, style=BANNER_STYLE), picture.width)
    names = {seat.seat: visible(seat.display_name) for seat in view.seats}
    left = Text(f"▶ {names.get(view.legal.seat, '')}: {describe_choice(view.legal)}", style=TURN_STYLE)
    clock = Text("")
    if view.HasField("deadline_at_ms"):
        clock = Text(clock_text(view.deadline_at_ms - picture.server_now_ms), style=TURN_STYLE)
    return _spread(left, clock, picture.width)


def _label(seat: SeatView, *, is_turn: bool) -> str:
    return f"{'▶' if is_turn else ' '}{seat.seat + 1} {visible(seat.display_name)}"


def _name_style(seat: SeatView, *, is_turn: bool) -> str:
    return TURN_STYLE if is_turn else QUIET_STYLE if _is_out(seat) else "bold"


def _badge(view: TableView, seat: SeatView) -> Text:
    """Button and blinds: (D) SB BB."""
    if view.HasField("button") and view.button == seat.seat:
        return Text("(D)", style="bold black on yellow")
    if view.HasField("small_blind_seat") and view.small_blind_seat == seat.seat:
        return Text("SB", style="cyan")
    if view.HasField("big_blind_seat") and view.big_blind_seat == seat.seat:
        return Text("BB", style="cyan")
    return Text("")


def _state(seat: SeatView) -> Text:
    if seat.status == SeatStatus.SEAT_STATUS_BUSTED:
        return Text("out", style=QUIET_STYLE)
    if seat.hand == SeatHand.SEAT_HAND_FOLDED:
        return Text("folded", style=QUIET_STYLE)
    if seat.hand == SeatHand.SEAT_HAND_MUCKED:
        return Text("mucked", style=QUIET_STYLE)
    if seat.status == SeatStatus.SEAT_STATUS_SITTING_OUT:
        return Text("sits out", style=QUIET_STYLE)
    return Text("ALL-IN", style="bold red") if seat.all_in else Text("")


def _held(seat: SeatView) -> Text:
    return Text(" ").join(card_mark(card) for card in seat.cards) if seat.cards else Text("")


def _in_front(view: TableView, seat: SeatView, width: int) -> Text:
    """The hand in words once it can be named, else the chips in front of the seat."""
    if seat.rank_text:
        return Text(_shortened(visible(seat.rank_text), width), style="italic")
    if seat.street_chips:
        return Text(f"in front: {chips_text(seat.street_chips)}", style="bold cyan")
    if view.phase == NightPhase.NIGHT_PHASE_POSTED:
        return Text("ready" if seat.acknowledged else "has not read the posting", style=QUIET_STYLE)
    return Text("")


def _shortened(rank_text: str, width: int) -> str:
    """Leave out kickers, then ranks, where the words are too many; the log has them all."""
    for words in (rank_text, rank_text.partition(" with ")[0]):
        if len(words) <= width:
            return words
    return rank_text.partition(",")[0]


def _street(view: TableView) -> Text:
    if view.hand_phase == HandPhase.HAND_PHASE_SHOWDOWN:
        return Text("showdown")
    if view.hand_phase == HandPhase.HAND_PHASE_OVER:
        return Text("hand over")
    return Text(view.street_name.lower().replace("_", " "))


def _layers(view: TableView) -> Text:
    chips = [layer.chips for layer in view.layers if layer.chips]
    if len(chips) < 2:  # noqa: PLR2004 - one layer is the pot itself
        return Text("")
    return Text(f"main {chips_text(chips[0])}, " + ", ".join(f"side {chips_text(side)}" for side in chips[1:]))


def _is_out(seat: SeatView) -> bool:
    return seat.hand in (SeatHand.SEAT_HAND_FOLDED, SeatHand.SEAT_HAND_MUCKED) or seat.status in (
        SeatStatus.SEAT_STATUS_BUSTED,
        SeatStatus.SEAT_STATUS_SITTING_OUT,
    )


def _spread(left: Text, right: Text, width: int) -> Text:
    """Put one text at each end; the left one gives way."""
    room = max(0, width - cell_len(right.plain) - 1)
    line = Text.assemble(_fit(left, room), " ", right)
    return _fit(line, width)


def _fit(text: Text, width: int) -> Text:
    """Cut or pad to exactly `width` columns, wide characters counted as such."""
    fitted = text.copy()
    if cell_len(fitted.plain) > width:
        fitted.truncate(width, overflow="ellipsis")
    missing = width - cell_len(fitted.plain)
    fitted.append(" " * missing)
    fitted.no_wrap = True
    return fitted


def plain_text(lines: Iterable[Text]) -> str:
    """The picture without colours, lines without blanks at their ends."""
    return "\n".join(line.plain.rstrip() for line in lines)
