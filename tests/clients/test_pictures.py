"""What a terminal shows of a table: stable pictures, every width, and never a card that the view hides.

The pictures in `golden/` are written anew by `HOMEGAME_WRITE_GOLDEN=1 pytest tests/clients/test_pictures.py`; read them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from homegame.v1.cards_pb2 import Card
from homegame.v1.sheets_pb2 import FinishReason, Placement, Scoresheet, SheetColumns, SheetEntry, SheetRow
from homegame_client.cards import card_text
from homegame_client.terminal.draw import Picture, draw_table, plain_text
from homegame_client.terminal.sheet import draw_sheet
from tests.clients.sample_tables import LOG, NOW_MS, showdown, turn_on_the_flop

if TYPE_CHECKING:
    from homegame.v1.views_pb2 import TableView

GOLDEN = Path(__file__).parent / "golden"
FACE = re.compile(r"(?<!\w)[2-9TJQKA][cdhs](?!\w)")

PICTURES = {
    "turn_60x24": (turn_on_the_flop(), Picture(60, 24, NOW_MS, LOG)),
    "turn_100x30": (turn_on_the_flop(), Picture(100, 30, NOW_MS, LOG)),
    "showdown_60x24": (showdown(), Picture(60, 24, NOW_MS, LOG, banner="Ada wins the pot, 38")),
    "showdown_100x30": (showdown(), Picture(100, 30, NOW_MS, LOG, banner="Ada wins the pot, 38")),
    "ten_players_60x24": (turn_on_the_flop(10), Picture(60, 24, NOW_MS, LOG)),
    "ten_players_100x30": (turn_on_the_flop(10), Picture(100, 30, NOW_MS, LOG)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_as_stored(name: str) -> None:
    view, picture = PICTURES[name]
    drawn = plain_text(draw_table(view, picture)) + "\n"
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("HOMEGAME_WRITE_GOLDEN"):
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8")


@given(
    n_players=st.integers(2, 10),
    width=st.integers(20, 200),
    height=st.integers(5, 60),
    is_over=st.booleans(),
    name=st.text(max_size=40),
)
def test_every_picture_fits_its_terminal(n_players: int, width: int, height: int, name: str, *, is_over: bool) -> None:
    view = showdown(n_players) if is_over else turn_on_the_flop(n_players)
    view.seats[1].display_name = name
    lines = draw_table(view, Picture(width, height, NOW_MS, LOG))
    assert len(lines) <= height
    assert all(cell_len(line.plain) <= width for line in lines)
    assert all(letter.isprintable() for line in lines for letter in line.plain)


def faces_in(view: TableView) -> set[str]:
    cards = [*view.board, *(card for seat in view.seats for card in seat.cards)]
    return {card_text(card) for card in cards if card != Card.CARD_HIDDEN}


@given(
    hands=st.lists(st.lists(st.integers(0, 52), max_size=2), min_size=6, max_size=6),
    board=st.lists(st.integers(1, 52), max_size=5),
    width=st.integers(60, 120),
)
def test_no_picture_shows_a_card_that_the_view_hides(hands: list[list[int]], board: list[int], width: int) -> None:
    view = turn_on_the_flop()
    del view.board[:]
    view.board.extend(Card.ValueType(card) for card in board)
    for seat, cards in zip(view.seats, hands, strict=True):
        del seat.cards[:]
        seat.cards.extend(Card.ValueType(card) for card in cards)
    shown = set(FACE.findall(plain_text(draw_table(view, Picture(width, 30, NOW_MS)))))
    assert shown == faces_in(view)


def test_a_card_is_told_apart_by_letter_and_by_colour() -> None:
    view = turn_on_the_flop()
    lines = draw_table(view, Picture(80, 24, NOW_MS))
    styles = {str(span.style) for line in lines for span in line.spans if "on" in str(span.style)}
    assert {"bold black on grey93", "bold white on red3", "bold white on green4"} <= styles


def a_sheet() -> Scoresheet:
    entries = [SheetEntry(seat=0, net_chips=-30), SheetEntry(seat=1, net_chips=15), SheetEntry(seat=2, net_chips=15)]
    names = ("Ada", "Bruno", "Chiara")
    return Scoresheet(
        rows=[SheetRow(hand_number=1, entries=entries)],
        columns=[SheetColumns(seat=seat, display_name=name) for seat, name in enumerate(names)],
        standings=[
            Placement(seat=1, stack_chips=115, place=1, tied=True),
            Placement(seat=2, stack_chips=115, place=1, tied=True),
            Placement(seat=0, stack_chips=70, place=3),
        ],
        total_chips=300,
        incomplete_positions=[1, 2],
        finish_reason=FinishReason.FINISH_REASON_CUTOFF,
    )


def test_the_sheet_shows_shared_places_and_adds_up() -> None:
    assert draw_sheet(a_sheet()) == [
        "Final sheet: 1 hand, 0 orbits, ended by the cutoff",
        "  place  seat  name     points      won",
        "     =1     2  Bruno       115      +15",
        "     =1     3  Chiara      115      +15",
        "      3     1  Ada          70      -30",
        "  total                    300        0  of 300 in play",
        "The last orbit is incomplete and earns no credit: no button for seat 2, 3 (PTS-025).",
    ]


def test_pts_b3_03_a_reset_stands_beside_the_name_and_pts_b3_04_survival_apart() -> None:
    sheet = a_sheet()
    sheet.columns[0].resets = 1
    sheet.columns[2].out_at_hand = 9
    sheet.total_chips = 400
    sheet.standings[2].stack_chips = 170
    assert draw_sheet(sheet)[4:7] == [
        "      3     1  Ada (+100 reset)      170      -30",
        "  total                              400        0  of 400 in play",
        "Out: Chiara at hand 9.",
    ]


def test_a_sheet_that_does_not_add_up_says_so() -> None:
    sheet = a_sheet()
    sheet.standings[0].stack_chips += 1
    assert "DOES NOT ADD UP" in draw_sheet(sheet)[5]
