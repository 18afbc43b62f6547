"""A picture of a table for a terminal, to be read from across the room.

Draws what a `TableView` holds and nothing else: a card the view hides has no face here either. The game, where it is known,
says how much room its cards need, which of them are wild, and whether there is a board.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import HandPhase, SeatHand, SeatStatus, SeatView, TableView
from homegame_client.terminal.calling import call_words, is_hand_running
from homegame_client.terminal.card_marks import card_mark, held_cards, width_needed
from homegame_client.terminal.games import is_without_board
from homegame_client.terminal.words import (
    FINISH_WORDS,
    HALF_WORDS,
    chips_text,
    clock_text,
    describe_choice,
    namer,
    names_text,
    street_text,
    visible,
)

SEAT_WIDTH_MIN: Final = 15
"""Narrower boxes cannot hold a name, two cards and an amount: then the seats become a list."""
SEAT_HEIGHT: Final = 6
FRAME_WIDTH: Final = 4
BOARD_CARDS: Final = 5  # Places drawn for the board; a game with more simply fills more.
NAMES_SHOWN: Final = 3
LIST_LABEL_WIDTH: Final = 16
LIST_TOLD_WIDTH: Final = 9  # Kept for `folded` and the like behind the cards of a list.
LOG_LINES_MIN: Final = 3
TITLE_LINES: Final = 1
CENTRE_LINES: Final = 4
RING_HEIGHT_MIN: Final = TITLE_LINES + 2 * SEAT_HEIGHT + CENTRE_LINES + LOG_LINES_MIN + 1

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
    game: Game | None = None
    """The game of the hand in view."""
    roles: Mapping[int, str] = {}
    """A short mark for seats, counted from 0, that opened the hand: `BI` brought it in, `OP` made the first bet."""

    @property
    def wild_cards(self) -> Collection[Card.ValueType]:
        """Cards that are wild for everybody."""
        return self.game.wild_cards if self.game is not None else ()


def draw_table(view: TableView, picture: Picture, *, lines_missing: int = 0) -> list[Text]:
    """Draw the table into at most `picture.height` lines of `picture.width` columns.

    Args:
        view: The table.
        picture: Where it is drawn.
        lines_missing: Lines that the picture lacks for a moment: they come off the log rather than turning it over.
    """
    seats = [seat for seat in view.seats if seat.status != SeatStatus.SEAT_STATUS_EMPTY]
    draw = _ring if has_ring(view, picture, lines_missing=lines_missing) else _list
    lines = [_title(view, picture), *draw(view, seats, picture)]
    room = picture.height - len(lines) - 1
    if room > 0 and picture.log:
        lines.append(Text("─" * picture.width, style=QUIET_STYLE))
        lines.extend(_fit(Text(sentence), picture.width) for sentence in picture.log[-room:])
    return lines[: picture.height]


def has_ring(view: TableView, picture: Picture, *, lines_missing: int = 0) -> bool:
    """Whether seats and cards find room around the board; else they are a list. Arguments as in `draw_table`."""
    seats = [seat for seat in view.seats if seat.status != SeatStatus.SEAT_STATUS_EMPTY]
    per_row = max(1, (len(seats) + 1) // 2)
    width = max(SEAT_WIDTH_MIN, width_needed(picture.game, seats) + FRAME_WIDTH)
    return picture.width // per_row >= width and picture.height >= RING_HEIGHT_MIN - lines_missing


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
    boxes = [_box(view, seat, width, picture) for seat in seats]
    return [_fit(Text.assemble(*parts), picture.width) for parts in zip(*boxes, strict=True)]


def _box(view: TableView, seat: SeatView, width: int, picture: Picture) -> list[Text]:
    is_turn = seat.seat in _who_is_due(view)
    style = TURN_STYLE if is_turn else QUIET_STYLE if _is_out(view, seat) else ""
    corner, across, corner2, side, corner3, corner4 = _HEAVY if is_turn else _LIGHT
    inside = width - FRAME_WIDTH
    name = Text(_label(seat, is_turn=is_turn), style=_name_style(view, seat, is_turn=is_turn))
    stack = Text(chips_text(seat.stack_chips), style="bold" if not _is_out(view, seat) else QUIET_STYLE)
    rows = [
        _spread(name, _badge(view, seat, picture), inside),
        _spread(stack, _state(view, seat), inside),
        _fit(held_cards(seat, picture.wild_cards, inside), inside),
        _fit(_in_front(view, seat, inside), inside),
    ]
    edge = across * (width - 2)
    lines = [Text(corner + edge + corner2, style=style)]
    lines.extend(Text.assemble((side + " ", style), row, (" " + side, style)) for row in rows)
    lines.append(Text(corner3 + edge + corner4, style=style))
    return lines


def _centre(view: TableView, picture: Picture) -> list[Text]:
    """The board with street and pot beside it; where the game has no board, street and pot alone."""
    tops, faces, bottoms = _board(view, picture)
    rows = [
        Text.assemble(*tops, "  ", _street(view)),
        Text.assemble(*faces, "  ", _pot(view)),
        Text.assemble(*bottoms, "  ", _layers(view)),
    ]
    indent = max(0, (picture.width - len(tops) * 7 - 20) // 2)
    lines = [_fit(Text.assemble(" " * indent, row), picture.width) for row in rows]
    lines.append(_turn(view, picture))
    return lines


def _board(view: TableView, picture: Picture) -> tuple[list[Text], list[Text], list[Text]]:
    """Three lines, each in pieces of seven columns, one a card."""
    board = list(view.board)
    tops, faces, bottoms = [], [], []
    n_places = 0 if is_without_board(picture.game) else BOARD_CARDS
    for place in range(max(n_places, len(board))):
        style = QUIET_STYLE if place >= len(board) else ""
        tops.append(Text("┌────┐ ", style=style))
        face = card_mark(board[place], wild=picture.wild_cards) if place < len(board) else Text("    ")
        faces.append(Text.assemble(("│", style), face, ("│ ", style)))
        bottoms.append(Text("└────┘ ", style=style))
    return tops, faces, bottoms


# --- The list: one line a seat ------------------------------------------------------------------------------------------


def _list(view: TableView, seats: Iterable[SeatView], picture: Picture) -> list[Text]:
    label = "" if is_without_board(picture.game) else "Board "
    marks = (part for card in view.board for part in (card_mark(card, wild=picture.wild_cards), " "))
    lines = [_spread(Text.assemble(label, *marks, _street(view)), _pot(view), picture.width)]
    shown = list(seats)
    told_width = _told_width(view, shown)
    digits = len(str(len(view.seats)))
    for seat in shown:
        is_turn = seat.seat in _who_is_due(view)
        name = Text(_label(seat, is_turn=is_turn, digits=digits), style=_name_style(view, seat, is_turn=is_turn))
        stack = Text(f"{chips_text(seat.stack_chips):>6}", style=QUIET_STYLE if _is_out(view, seat) else "bold")
        badge = _badge(view, seat, picture)
        badge.pad_right(4 - cell_len(badge.plain))
        line = Text.assemble(_fit(name, LIST_LABEL_WIDTH), stack, " ", badge)
        line.append_text(held_cards(seat, picture.wild_cards, picture.width - cell_len(line.plain) - told_width))
        lines.append(_fit(Text.assemble(line, "  ", _told(view, seat, picture.width)), picture.width))
    lines.append(_turn(view, picture))
    return lines


def _told(view: TableView, seat: SeatView, width: int) -> Text:
    state = _state(view, seat)
    return state if state.plain else _in_front(view, seat, width)


def _told_width(view: TableView, seats: Sequence[SeatView]) -> int:
    """Columns to keep free behind the cards, so that no amount is ever cut; of a hand in words the log has the rest."""
    chips = [cell_len(_told(view, seat, 0).plain) for seat in seats if not seat.rank_text]
    return max(LIST_TOLD_WIDTH, 2 + max(chips, default=0))


# --- Pieces --------------------------------------------------------------------------------------------------------------


def _title(view: TableView, picture: Picture) -> Text:
    left = [visible(view.night_name) or "Table"]
    if view.hand_number:
        left.append(f"hand {view.hand_number}")
    if view.completed_orbits:
        left.append(f"orbit {view.completed_orbits + 1}")
    # A called game counts for its hand alone; before the next call nobody knows what will be dealt.
    is_known = is_hand_running(view) or not view.posting.dealer_calls
    if is_known and picture.game is not None and picture.game.name:
        left.append(visible(picture.game.name))
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
    """Whose turn it is and what is open; the call of a game; else the banner."""
    names = namer(view)
    call = call_words(view, names)
    if view.HasField("legal"):
        who = names_text((names(seat) for seat in view.may_act), NAMES_SHOWN)
        told = f"▶ {who}: {describe_choice(view.legal)}"
    elif call:
        told = f"▶ {call}"
    else:
        return _fit(Text(picture.banner, style=BANNER_STYLE), picture.width)
    clock = Text("")
    if view.HasField("deadline_at_ms"):
        clock = Text(clock_text(view.deadline_at_ms - picture.server_now_ms), style=TURN_STYLE)
    return _spread(Text(told, style=TURN_STYLE), clock, picture.width)


def _who_is_due(view: TableView) -> Collection[int]:
    """Seats that are waited for: to act, or to call a game."""
    return [view.caller_seat] if view.HasField("caller_seat") else view.may_act


def _label(seat: SeatView, *, is_turn: bool, digits: int = 1) -> str:
    return f"{'▶' if is_turn else ' '}{seat.seat + 1:>{digits}} {visible(seat.display_name)}"


def _name_style(view: TableView, seat: SeatView, *, is_turn: bool) -> str:
    return TURN_STYLE if is_turn else QUIET_STYLE if _is_out(view, seat) else "bold"


def _badge(view: TableView, seat: SeatView, picture: Picture) -> Text:
    """Button, blinds, and who opened a hand without blinds: (D) SB BB BI OP."""
    marks = []
    if view.HasField("button") and view.button == seat.seat:
        marks.append(Text("(D)", style="bold black on yellow"))
    elif view.HasField("small_blind_seat") and view.small_blind_seat == seat.seat:
        marks.append(Text("SB", style="cyan"))
    elif view.HasField("big_blind_seat") and view.big_blind_seat == seat.seat:
        marks.append(Text("BB", style="cyan"))
    if seat.seat in picture.roles:
        marks.insert(0, Text(picture.roles[seat.seat], style="cyan"))
    return Text(" ").join(marks)


def _state(view: TableView, seat: SeatView) -> Text:
    """What there is to say of a seat beside its chips: `folded`, `ALL-IN`, `drew 3`, `says low`."""
    out = _out_words(view, seat)
    if out:
        return Text(out, style=QUIET_STYLE)
    words = [Text("ALL-IN", style="bold red")] if seat.all_in else []
    if seat.declared in HALF_WORDS:
        words.append(Text(f"says {HALF_WORDS[seat.declared]}", style="bold magenta"))
    elif seat.HasField("drawn_count"):
        words.append(Text(f"drew {seat.drawn_count}" if seat.drawn_count else "pat", style="cyan"))
    return Text(" ").join(words)


def _out_words(view: TableView, seat: SeatView) -> str:
    """Why a seat is not in the hand, empty when it is."""
    if seat.status == SeatStatus.SEAT_STATUS_BUSTED:
        return "out"
    if seat.hand in (SeatHand.SEAT_HAND_FOLDED, SeatHand.SEAT_HAND_MUCKED):
        return "folded" if seat.hand == SeatHand.SEAT_HAND_FOLDED else "mucked"
    if seat.status == SeatStatus.SEAT_STATUS_SITTING_OUT:
        return "sits out"
    return "sits this out" if seat.seat in view.sitting_out else ""


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
    return Text(street_text(view.street_name))


def _pot(view: TableView) -> Text:
    """What lies in the middle; between hands what stays there for the next one."""
    if view.pot_chips:
        return Text(f"Pot {chips_text(view.pot_chips)}", style="bold")
    return Text(f"stays in the middle: {chips_text(view.carry_chips)}" if view.carry_chips else "", style="bold")


def _layers(view: TableView) -> Text:
    chips = [layer.chips for layer in view.layers if layer.chips]
    if len(chips) < 2:  # noqa: PLR2004 - one layer is the pot itself
        return Text("")
    return Text(f"main {chips_text(chips[0])}, " + ", ".join(f"side {chips_text(side)}" for side in chips[1:]))


def _is_out(view: TableView, seat: SeatView) -> bool:
    return bool(_out_words(view, seat))


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
