"""PTS-B3-05, PROC-TIE-01: one short hand between tied leaders, if all of them ask; otherwise, and after it, ties are shared."""

from __future__ import annotations

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Call, Check, Show
from homegame_engine.errors import InputError, NotAllowed, RuleViolation
from homegame_engine.night import Night
from homegame_engine.night import inputs as inp
from tests.night_builders import HOST, MINUTE_MS, NOON_MS, NightTable, announcement, person

CUTOFF_MS = NOON_MS + 10 * MINUTE_MS


def finished_night(format_id: str = "B3", n_players: int = 3) -> NightTable:
    """A night that came to its cutoff before the first hand: everybody shares the first place."""
    created = msgspec.structs.replace(announcement(cutoff_at_ms=CUTOFF_MS), format=catalog.format_by(format_id))
    table = NightTable(created)
    table.seat(*range(n_players))
    table.open(0)
    table.now_ms = CUTOFF_MS
    table.give(inp.FinishSession())
    return table


def ask(table: NightTable, seat: int, *, agrees: bool = True, draw: int = 0) -> tuple[ev.AnyEvent, ...]:
    return table.give(inp.AskForPlayoff(participant_id=person(seat), agrees=agrees, button_draw=draw))


def places(table: NightTable) -> dict[int, tuple[int, int]]:
    """Place and recorded stack by seat."""
    assert table.night.finished is not None
    return {each.seat: (each.place, each.stack_chips) for each in table.night.finished.placements}


def started_playoff() -> NightTable:
    table = finished_night()
    for seat in range(3):
        ask(table, seat)
    assert table.night.phase == "PLAYOFF"
    return table


def test_pts_b3_05_all_tied_leaders_ask_and_one_hand_of_40_decides_their_order() -> None:
    table = finished_night()
    assert ask(table, 0) == (ev.PlayoffAsked(seat=0, agrees=True),)
    assert ask(table, 0) == ()  # Said already.
    ask(table, 2)
    assert table.night.phase == "FINISHED"
    started = ask(table, 1, draw=2)
    assert started == (
        ev.PlayoffAsked(seat=1, agrees=True),
        ev.PlayoffStarted(seats=(0, 1, 2), start_chips=40),
        ev.ButtonPlaced(seat=2),
    )
    assert table.session.stacks[:3] == (40, 40, 40)
    assert table.session.level == (1, 2)
    # Seat 0 posts 1, seat 1 posts 2; the button raises, seat 1 folds, seat 0 folds: 43, 39 and 38 points.
    table.deal()
    table.act("r4")
    table.act("f")
    happened = table.act("f")
    assert isinstance(happened[-1], ev.PlayoffFinished)
    assert places(table) == {2: (1, 100), 0: (2, 100), 1: (3, 100)}  # Recorded stacks stay.
    assert table.night.phase == "FINISHED"
    assert table.session.stacks[:3] == (100, 100, 100)


def test_pts_b3_05_the_hand_stands_apart_on_the_sheet_and_its_number_goes_on() -> None:
    table = started_playoff()
    table.deal()
    table.act("f")
    table.act("f")
    (row,) = table.night.rows
    assert (row.hand_number, row.is_playoff, row.start_chips[:3]) == (1, True, (40, 40, 40))


def test_pts_b3_05_a_further_tie_is_shared() -> None:
    table = started_playoff()
    board = "As Ks Qs Js Ts"  # Everybody plays the board.
    table.deal(board=board)
    while table.night.phase == "PLAYOFF":
        kinds = table.session.legal_actions().kinds
        table.act(Show() if "show" in kinds else Check() if "check" in kinds else Call())
    assert [place for place, _ in places(table).values()] == [1, 1, 1]


def test_pts_b3_05_one_who_declines_leaves_the_place_shared() -> None:
    table = finished_night()
    ask(table, 0)
    assert ask(table, 1, agrees=False) == (ev.PlayoffAsked(seat=1, agrees=False),)
    with pytest.raises(RuleViolation) as refused:
        ask(table, 2)
    assert (refused.value.reason, refused.value.rule_id) == ("CONSENT_MISSING", "PTS-B3-05")
    assert [place for place, _ in places(table).values()] == [1, 1, 1]


def test_proc_tie_01_a_format_that_shares_ties_has_no_playoff() -> None:
    table = finished_night("B1")
    with pytest.raises(RuleViolation) as refused:
        ask(table, 0)
    assert (refused.value.reason, refused.value.rule_id) == ("PLAYOFF_NOT_ALLOWED", "PROC-TIE-01")


def test_pts_b3_05_only_tied_leaders_ask_and_only_after_the_result_and_once() -> None:
    running = NightTable(msgspec.structs.replace(announcement(), format=catalog.format_by("B3")))
    running.seat(0, 1)
    running.open(0)
    with pytest.raises(RuleViolation, match="PLAYOFF_NOT_ALLOWED"):
        ask(running, 0)
    table = started_playoff()
    with pytest.raises(RuleViolation, match="PLAYOFF_NOT_ALLOWED"):
        ask(table, 0)
    table.deal()
    table.act("f")
    table.act("f")
    with pytest.raises(RuleViolation, match="PLAYOFF_NOT_ALLOWED"):
        ask(table, 0)
    with pytest.raises(NotAllowed):
        table.give(inp.AskForPlayoff(participant_id=HOST, agrees=True, button_draw=0))


def test_pts_b3_05_a_draw_outside_the_tied_leaders_is_no_draw() -> None:
    table = finished_night()
    before = table.night.encode()
    with pytest.raises(InputError):
        ask(table, 0, draw=3)
    assert table.night.encode() == before


def test_pts_b3_05_a_short_hand_that_is_not_dealt_leaves_the_tie_shared() -> None:
    table = started_playoff()
    happened = table.give(inp.CloseNight(participant_id=HOST))
    assert isinstance(happened[0], ev.PlayoffFinished)
    assert [place for place, _ in places(table).values()] == [1, 1, 1]
    assert table.night.phase == "CLOSED"


def test_pts_b3_05_replaying_the_rows_of_a_short_hand_rebuilds_the_night() -> None:
    table = started_playoff()
    table.deal()
    table.act("r4")
    first, *rest = table.rows
    assert isinstance(first.given, inp.CreateNight)
    night, _ = Night.create(first.given, first.at_ms)
    for row in rest:
        night.apply(row.given, row.at_ms)
        assert night.state_hash() == row.state_hash
