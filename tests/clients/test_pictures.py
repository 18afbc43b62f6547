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

from homegame.v1.actions_pb2 import Half
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game
from homegame.v1.events_pb2 import (
    BringInPosted,
    CardsDrawn,
    CardsPassed,
    Choice,
    ChoiceMade,
    Declaration,
    HalvesDeclared,
    HandStarting,
    HoleCardsDealt,
    LayerAwarded,
    LayerPart,
    PlayerBet,
    PlayerRaised,
    PotCarried,
    SeatSatOut,
    Share,
    TableEvent,
)
from homegame.v1.sheets_pb2 import FinishReason, Placement, Scoresheet, SheetColumns, SheetEntry, SheetRow
from homegame.v1.views_pb2 import SeatHand, SeatView
from homegame_client.cards import card_text
from homegame_client.terminal.card_marks import held_cards, width_needed
from homegame_client.terminal.draw import Picture, draw_table, plain_text
from homegame_client.terminal.sentences import describe
from homegame_client.terminal.sheet import draw_sheet
from homegame_client.terminal.story import Story
from homegame_client.terminal.words import namer, street_text
from tests.clients.sample_tables import (
    DRAW,
    LOG,
    NOW_MS,
    OWN_SEAT,
    PASSING,
    STUD,
    called,
    drawing,
    own_call_due,
    passing,
    showdown,
    stud_declared,
    stud_on_sixth,
    turn_on_the_flop,
)

if TYPE_CHECKING:
    from collections.abc import Callable

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
    "stud_60x24": (stud_on_sixth(), Picture(60, 24, NOW_MS, LOG, game=STUD, roles={0: "BI"})),
    "stud_declared_80x24": (stud_declared(), Picture(80, 24, NOW_MS, LOG, game=STUD, roles={3: "BI"})),
    "stud_120x30": (stud_on_sixth(8), Picture(120, 30, NOW_MS, LOG, game=STUD)),
    "draw_80x24": (drawing(), Picture(80, 24, NOW_MS, LOG, game=DRAW, roles={0: "OP"})),
    "passing_100x30": (passing(), Picture(100, 30, NOW_MS, LOG, game=PASSING)),
    "call_80x24": (own_call_due(), Picture(80, 24, NOW_MS, LOG, game=STUD)),
    "called_80x24": (called(), Picture(80, 24, NOW_MS, LOG, game=STUD)),
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


@pytest.mark.parametrize("chips", [5, 125, 12_345])
def test_no_amount_in_front_of_a_seat_is_cut_in_a_list_of_sixty_columns(chips: int) -> None:
    view = stud_on_sixth(8)
    for seat in view.seats:
        if seat.cards:
            seat.street_chips = chips
            seat.hand, seat.all_in = SeatHand.SEAT_HAND_LIVE, False
            seat.ClearField("rank_text")
    drawn = plain_text(draw_table(view, Picture(60, 24, NOW_MS, game=STUD)))
    assert drawn.count(f"in front: {chips:,}\n") == sum(bool(seat.cards) for seat in view.seats)
    assert set(FACE.findall(drawn.replace("[", " ").replace("]", " "))) <= faces_in(view)


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


@given(
    make=st.sampled_from([stud_on_sixth, stud_declared, drawing, passing, own_call_due, called]),
    game=st.sampled_from([None, STUD, DRAW, PASSING]),
    width=st.integers(20, 200),
    height=st.integers(5, 40),
)
def test_every_game_fits_its_terminal(
    make: Callable[[], TableView], game: Game | None, width: int, height: int
) -> None:
    lines = draw_table(make(), Picture(width, height, NOW_MS, LOG, game=game))
    assert len(lines) <= height
    assert all(cell_len(line.plain) <= width for line in lines)


@given(
    cards=st.lists(st.integers(0, 54), min_size=1, max_size=7),
    up=st.sets(st.integers(0, 6)),
    wild=st.sets(st.integers(1, 54), max_size=6),
    width=st.integers(1, 50),
)
def test_no_form_of_cards_shows_one_that_is_hidden_or_drops_one_that_is_not(
    cards: list[int], up: set[int], wild: set[int], width: int
) -> None:
    held = SeatView(cards=[Card.ValueType(card) for card in cards], up_positions=sorted(up & set(range(len(cards)))))
    game = Game(wild_cards=[Card.ValueType(card) for card in wild])
    text = held_cards(held, game.wild_cards, width)
    marks = [text.plain[span.start : span.end].strip(" []") for span in text.spans]
    faces = [mark for mark in marks if mark and not set(mark) <= {"▒"}]
    assert faces == [card_text(Card.ValueType(card)) + ("*" if card in wild else "") for card in cards if card]
    assert cell_len(text.plain) <= max(width, width_needed(game, [held]) + len(cards))
    assert text.plain.count("▒") >= cards.count(0)


def test_private_cards_among_open_ones_stand_in_brackets_as_long_as_there_is_room() -> None:
    seat = stud_declared().seats[1]
    forms = [held_cards(seat, (), width).plain for width in (40, 26, 22, 20, 16)]
    assert forms == [
        "[As] [Kd]  9c   Th   2h   4s  [Jd]",
        "[As Kd] 9c Th 2h 4s [Jd]",
        "[AsKd]9c Th 2h 4s[Jd]",
        "AsKd 9c Th 2h 4s Jd",
        "AsKd 9cTh2h4s Jd",
    ]


def test_cards_that_are_wild_in_a_seat_alone_have_a_star() -> None:
    seat = stud_on_sixth().seats[OWN_SEAT]
    seat.wild_positions[:] = [1, 4]
    assert held_cards(seat, (Card.CARD_NINE_OF_CLUBS,), 60).plain == "[As] [Kd*]  9c*  Th   2h*  4s "
    game = Game(steps=STUD.steps, low_hole_card_is_wild=True)
    assert width_needed(game, [seat]) == width_needed(STUD, [seat]) + 4


def test_both_halves_of_a_pot_and_what_stays_are_told_together() -> None:
    view, story = stud_declared(), Story()
    story.hear(TableEvent(hand_starting=HandStarting(hand_number=8, button=0)), view)
    assert story.banner == "Hand 8: Ada has the button"
    high, low = LayerPart.LAYER_PART_HIGH, LayerPart.LAYER_PART_LOW
    awards = (
        LayerAwarded(chips=20, part=high, shares=[Share(seat=0, chips=20)]),
        LayerAwarded(chips=18, part=low, shares=[Share(seat=1, chips=9), Share(seat=3, chips=9)]),
    )
    for awarded in awards:
        story.hear(TableEvent(layer_awarded=awarded), view)
    story.hear(TableEvent(pot_carried=PotCarried(chips=1)), view)
    assert story.banner == (
        "Ada wins the high half of the pot, 20; the low half of the pot is split: Bruno 9, Dmitri 9; "
        "1 stay in the middle for the next hand"
    )


def test_who_brought_it_in_and_who_opened_without_blinds_is_marked() -> None:
    view = stud_on_sixth()
    for opened, roles in (
        ([TableEvent(bring_in_posted=BringInPosted(seat=2, chips=1))], {2: "BI"}),
        ([TableEvent(player_bet=PlayerBet(seat=3, chips=4, to_chips=4))], {3: "OP"}),
        ([TableEvent(bring_in_posted=BringInPosted(seat=2)), TableEvent(player_bet=PlayerBet(seat=3))], {2: "BI"}),
    ):
        story = Story()
        for event in (TableEvent(hand_starting=HandStarting()), *opened):
            story.hear(event, view)
        assert story.roles == roles


HIDDEN = Card.CARD_HIDDEN


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TableEvent(player_raised=PlayerRaised(seat=2, to_chips=2, completes=True)), "Chiara completes to 2"),
        (TableEvent(player_raised=PlayerRaised(seat=2, to_chips=4)), "Chiara raises to 4"),
        (TableEvent(choice_made=ChoiceMade(seat=0, choice=Choice.CHOICE_DISCARD, cards=[HIDDEN])), "Ada has chosen"),
        (TableEvent(choice_made=ChoiceMade(seat=0, choice=Choice.CHOICE_DECLARE)), "Ada has declared"),
        (
            TableEvent(choice_made=ChoiceMade(seat=0, choice=Choice.CHOICE_PASS, cards=[Card.CARD_TWO_OF_CLUBS])),
            "Ada passes on 2c",
        ),
        (TableEvent(cards_drawn=CardsDrawn(seat=0, discarded=[HIDDEN] * 2, cards=[HIDDEN] * 2)), "Ada draws 2"),
        (TableEvent(cards_drawn=CardsDrawn(seat=0)), "Ada stands pat"),
        (TableEvent(cards_passed=CardsPassed(from_seat=0, seat=1, cards=[HIDDEN])), "Bruno gets 1 card from Ada"),
        (
            TableEvent(halves_declared=HalvesDeclared(declarations=[Declaration(seat=0, half=Half.HALF_BOTH)])),
            "All have declared: Ada both",
        ),
        (
            TableEvent(pot_carried=PotCarried(chips=30, redeal_seats=[0, 1])),
            "The pot of 30 stays in the middle and is dealt for again: Ada, Bruno",
        ),
        (TableEvent(seat_sat_out=SeatSatOut(seat=0, this_hand=True)), "Ada sits this hand out"),
        (TableEvent(hole_cards_dealt=HoleCardsDealt(seat=0, cards=[HIDDEN])), None),
    ],
)
def test_what_happens_in_any_game_is_told_in_a_sentence_without_hidden_cards(
    event: TableEvent, sentence: str | None
) -> None:
    assert describe(event, namer(stud_on_sixth())) == sentence


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("FOURTH", "fourth street"),
        ("PREDRAW", "before the draw"),
        ("FIRST_DRAW", "after the first draw"),
        ("DECLARED", "after declaring"),
        ("PREFLOP", "preflop"),
        ("MY_ROUND", "my round"),
    ],
)
def test_streets_have_words(code: str, words: str) -> None:
    assert street_text(code) == words


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


def test_pts_b3_05_a_short_hand_moves_no_points() -> None:
    sheet = a_sheet()
    entries = [SheetEntry(seat=1, net_chips=4), SheetEntry(seat=2, net_chips=-4)]
    sheet.rows.append(SheetRow(hand_number=2, entries=entries, is_playoff=True))
    sheet.standings[0].tied, sheet.standings[1].tied, sheet.standings[1].place = False, False, 2
    assert draw_sheet(sheet)[:7] == [
        "Final sheet: 1 hand, 0 orbits, ended by the cutoff",
        "  place  seat  name     points      won",
        "      1     2  Bruno       115      +15",
        "      2     3  Chiara      115      +15",
        "      3     1  Ada          70      -30",
        "  total                    300        0  of 300 in play",
        "The tied leaders played a short hand, hand 2; it moved no points (PTS-B3-05).",
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


def test_what_stays_in_the_middle_counts_on_the_sheet() -> None:
    sheet = a_sheet()
    sheet.standings[0].stack_chips -= 5
    sheet.carry_chips = 5
    assert draw_sheet(sheet)[5].endswith("of 300 in play, 5 in the middle")


def test_a_sheet_that_does_not_add_up_says_so() -> None:
    sheet = a_sheet()
    sheet.standings[0].stack_chips += 1
    assert "DOES NOT ADD UP" in draw_sheet(sheet)[5]
