"""PTS-005, PTS-007 to PTS-010, PTS-015 and PTS-019: a points night while it is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import Call, Fold, Raise, Show
from homegame_engine.cards import format_cards, full_deck
from homegame_engine.errors import RuleViolation
from homegame_engine.night import inputs as inp
from homegame_engine.night.sheet import SheetRow, check_rows
from homegame_engine.reasons import Reason
from tests.night_builders import (
    HOST,
    NOON_MS,
    NightTable,
    event_of,
    events_of,
    fold_round,
    person,
    points_session,
    points_table,
)

VALUES = json.loads((Path(__file__).resolve().parents[2] / "vectors" / "known_values.json").read_text(encoding="utf-8"))


# --- PTS-005, PTS-007 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value_id", "n_hands"), [("walk_4_4", 4), ("walk_4_5", 5)])
def test_pts_005_walks_in_which_everyone_folds_to_the_big_blind(value_id: str, n_hands: int) -> None:
    (expected,) = [value["value"] for value in VALUES if value["id"] == value_id]
    session = points_session(4)
    for _ in range(n_hands):
        fold_round(session)
    assert [stack - 100 for stack in session.stacks] == expected
    assert session.button == n_hands % 4


def test_pts_005_no_deal_while_a_hand_is_played() -> None:
    table = points_table(3)
    table.deal()
    table.refuse(inp.StartHand(deck_order=full_deck()), Reason.HAND_IN_PROGRESS, "PTS-005")


def test_pts_007_fixed_limit_with_its_cap_layers_and_odd_units() -> None:
    table = points_table(3)
    table.deal()
    table.refuse_act(Raise(to_chips=5), Reason.BAD_INCREMENT, "BET-FL-02")
    table.play("r4 r6 r8")
    table.refuse_act(Raise(to_chips=10), Reason.RAISE_CAP_REACHED, "BET-FL-03")
    table.play("c f")
    table.refuse_act(Fold(), Reason.NOTHING_TO_FOLD, "BET-GEN-02", seat=table.session.actor)


def test_pts_007_an_odd_unit_goes_to_the_first_tied_winner_left_of_the_button() -> None:
    # Seat 2 leaves its small blind of 1 behind; the big blind at seat 0 and the button at seat 1 tie.
    table = points_table(3, button=1)
    table.deal({0: "As Kd", 1: "Ah Kc", 2: "2c 3d"}, "Ad Kh 9s 9h 4d")
    table.play("c f k k k k k k k")
    happened = table.play("s s")
    award = event_of(happened, ev.LayerAwarded)
    assert (award.chips, award.odd_units) == (5, 1)
    assert [(share.seat, share.chips) for share in award.shares] == [(0, 3), (1, 2)]


# --- PTS-008 ----------------------------------------------------------------------------------------------------------------


def test_pts_008_the_sheet_holds_start_and_end_of_every_hand() -> None:
    table = points_table(3)
    table.deal()
    assert table.night.hand_start_chips == (100, 100, 100)
    table.fold_out()
    table.deal()
    assert table.night.hand_start_chips == (100, 99, 101)
    table.fold_out()
    first, second = table.night.rows
    assert (first.hand_number, first.button, first.start_chips, first.end_chips) == (1, 0, (100,) * 3, (100, 99, 101))
    assert (second.hand_number, second.button, second.start_chips) == (2, 1, first.end_chips)
    assert first.started_at_ms < first.ended_at_ms < second.started_at_ms < second.ended_at_ms
    ended = events_of(table.events, ev.HandEnded)
    assert [event.stacks for event in ended] == [first.end_chips, second.end_chips]


def test_pts_008_a_void_hand_has_no_row() -> None:
    table = points_table(3)
    table.deal()
    table.give(inp.VoidHand(participant_id=HOST, reason="a card fell"))
    assert table.night.rows == ()


def test_pts_008_an_incomplete_sheet_stops_the_next_deal() -> None:
    row = SheetRow(hand_number=1, button=0, started_at_ms=1, ended_at_ms=2, start_chips=(100, 100), end_chips=(99, 101))
    check_rows((row,), 1)
    lacking = [
        ((), 1),
        ((row,), 2),
        ((row, row), 2),
        ((SheetRow(hand_number=1, button=0, started_at_ms=1, ended_at_ms=2, start_chips=(), end_chips=()),), 1),
        ((SheetRow(hand_number=1, button=0, started_at_ms=1, ended_at_ms=2, start_chips=(1, 1), end_chips=(2,)),), 1),
    ]
    for rows, n_hands in lacking:
        with pytest.raises(RuleViolation) as caught:
            check_rows(rows, n_hands)
        assert (caught.value.reason, caught.value.rule_id) == (Reason.SHEET_INCOMPLETE, "PTS-008")


# --- PTS-009 ----------------------------------------------------------------------------------------------------------------


def test_pts_009_a_stack_below_the_big_blind_posts_what_it_has_and_is_all_in() -> None:
    table = points_table(3, start_chips=3)
    table.deal({0: "2c 7d", 1: "As Ah", 2: "3c 8d"}, "Ad Ac 9s 9h 4d")
    table.play("c f k k k k k k k s m")
    assert table.chips == (1, 2, 6)
    table.deal({0: "As Ah", 1: "2c 7d", 2: "3c 8d"}, "Ad Ac 9s 9h 4d")
    small, big = events_of(table.rows[-1].events, ev.BlindPosted)
    assert (small.seat, small.chips, small.all_in) == (2, 1, False)
    assert (big.seat, big.chips, big.all_in) == (0, 1, True)
    # The announced blind stays the amount to call for the others (BET-GEN-10).
    assert table.session.legal_actions().call_chips == 2
    table.play("c c")
    happened = table.rows[-1].events + table.play("s s s")
    assert event_of(happened, ev.HandEnded).net_chips == (2, -2, 0)
    assert table.chips == (3, 0, 6)


def test_pts_009_both_blinds_all_in_and_the_button_short_of_the_announced_blind() -> None:
    table = points_table(3, start_chips=1)
    table.deal({0: "2c 7d", 1: "Ks Kh", 2: "As Ah"}, "Ad Ac 9s 9h 4d")
    assert [(event.chips, event.all_in) for event in events_of(table.rows[-1].events, ev.BlindPosted)] == [
        (1, True)
    ] * 2
    legal = table.session.legal_actions()
    assert (legal.seat, legal.kinds, legal.call_chips) == (0, ("fold", "call"), 1)
    happened = table.act("c")
    # Nobody has chips left: the board is run out and the hands are shown (BET-GEN-16).
    assert [event.street for event in events_of(happened, ev.BoardDealt)] == [1, 2, 3]
    happened = table.play("s s s")
    assert event_of(happened, ev.LayerAwarded).chips == 3
    assert event_of(happened, ev.SessionFinished).by == "ALL_CHIPS"
    assert table.chips == (0, 0, 3)


def test_pts_009_who_is_all_in_from_the_blind_and_wins_unopposed_keeps_it_all() -> None:
    table = points_table(3, start_chips=2, button=1)
    table.deal()
    table.play("f f")
    # The big blind of 2 took both its chips: the uncalled chip came back, the pot was 2.
    happened = table.rows[-1].events
    assert event_of(happened, ev.UncalledReturned).chips == 1
    assert table.chips == (3, 2, 1)


# --- PTS-010 ----------------------------------------------------------------------------------------------------------------

SHOWN_DOWN = "c c k b2 c c k k k k k k"


def shown_down_table() -> NightTable:
    """Three players checked the river down: seat 1, left of the button, is asked first."""
    table = points_table(3)
    table.deal({0: "Qs Qd", 1: "Ks Kd", 2: "As Ad"}, "2c 7d 9h Jc 3s")
    table.play(SHOWN_DOWN)
    return table


def test_pts_010_the_first_live_seat_left_of_the_button_shows_first_when_all_checked() -> None:
    table = shown_down_table()
    assert event_of(table.rows[-1].events, ev.ShowdownStarted).seats == (1, 2, 0)
    table.refuse_act(Show(), Reason.OUT_OF_TURN, "PROC-SHOW-01", seat=2)


def test_pts_010_the_last_opener_or_raiser_of_the_river_shows_first() -> None:
    table = points_table(3)
    table.deal({0: "Qs Qd", 1: "Ks Kd", 2: "As Ad"}, "2c 7d 9h Jc 3s")
    table.play("c c k k k k k k k b4 r8 c c")
    assert event_of(table.rows[-1].events, ev.ShowdownStarted).seats == (2, 0, 1)


def test_pts_010_proc_show_04_a_hand_in_turn_answers_show_or_muck() -> None:
    table = shown_down_table()
    assert table.session.legal_actions().kinds == ("show", "muck")
    table.refuse_act(Fold(), Reason.ACTION_CLOSED, "BET-GEN-03")
    table.refuse_act(Call(call_chips=0), Reason.ACTION_CLOSED, "BET-GEN-03")
    happened = table.act("s")
    shown = event_of(happened, ev.HandShown)
    assert (shown.seat, format_cards(shown.cards), format_cards(shown.best_cards)) == (1, "KsKd", "KsKdJc9h7d")
    happened = table.act("m")
    assert event_of(happened, ev.HandMucked).seat == 2
    happened = table.act("m")
    # Seat 2 held the best hand and conceded: a mucked hand wins nothing.
    assert [(share.seat, share.chips) for share in event_of(happened, ev.LayerAwarded).shares] == [(1, 12)]


def test_proc_show_04_on_time_out_the_engine_shows() -> None:
    table = shown_down_table()
    happened = table.time_out()
    assert event_of(happened, ev.DecisionTimedOut).seat == 1
    assert event_of(happened, ev.HandShown).seat == 1
    assert event_of(happened, ev.ActionRequired).seat == 2


def test_proc_show_04_the_last_hand_left_need_not_show() -> None:
    table = shown_down_table()
    happened = table.play("m m")
    assert not events_of(happened, ev.HandShown)
    assert [(share.seat, share.chips) for share in event_of(happened, ev.LayerAwarded).shares] == [(0, 12)]
    assert not table.session.hand_is_live


def test_pts_010_proc_show_05_cards_speak() -> None:
    # Nobody claims anything: the engine reads the best hand, whatever order they were shown in.
    table = shown_down_table()
    happened = table.play("s s s")
    assert [(share.seat, share.chips) for share in event_of(happened, ev.LayerAwarded).shares] == [(2, 12)]


def test_pts_010_b59_nothing_is_open_once_the_hand_is_over() -> None:
    table = shown_down_table()
    table.play("s s s")
    assert table.session.actor == -1
    assert [table.session.legal_actions(seat).kinds for seat in range(3)] == [(), (), ()]
    table.refuse_act(Show(), Reason.HAND_OVER, "BET-GEN-06", seat=1)


# --- PTS-015 ----------------------------------------------------------------------------------------------------------------


def test_pts_015_the_winner_gets_the_layers_and_nothing_else() -> None:
    table = shown_down_table()
    happened = table.play("s s s")
    assert event_of(happened, ev.HandEnded).net_chips == (-4, -4, 8)
    assert table.chips == (96, 96, 108)


def test_pts_015_nobody_pays_for_anything_between_hands() -> None:
    table = points_table(4)
    table.deal()
    table.fold_out()
    before = table.chips
    for seat in (1, 2):
        table.give(inp.SitOut(participant_id=person(seat)))
        table.give(inp.SitIn(participant_id=person(seat)))
    table.give(inp.Resume())
    assert table.chips == before


# --- PTS-019 ----------------------------------------------------------------------------------------------------------------


def test_pts_019_a_passing_seat_gets_no_cards_no_blind_and_no_button() -> None:
    table = points_table(4)
    table.give(inp.SitOut(participant_id=person(1)))
    for _ in range(7):
        table.deal()
        happened = table.rows[-1].events + table.fold_out()
        starting = event_of(happened, ev.HandStarting)
        assert 1 not in starting.dealt_in
        assert 1 not in {starting.button, starting.small_blind_seat, starting.big_blind_seat}
        assert 1 not in {event.seat for event in events_of(happened, ev.HoleCardsDealt)}
    assert table.chips[1] == 100


def test_pts_019_no_debt_on_return() -> None:
    table = points_table(4, button=3)
    for seat in (0, 1):
        table.give(inp.SitOut(participant_id=person(seat)))
    for _ in range(3):
        table.deal()
        table.fold_out()
    for seat in (0, 1):
        table.give(inp.SitIn(participant_id=person(seat)))
    assert (table.chips[0], table.chips[1]) == (100, 100)
    table.deal()
    starting = event_of(table.rows[-1].events, ev.HandStarting)
    assert starting.dealt_in == (0, 1, 2, 3)
    blinds = {starting.small_blind_seat, starting.big_blind_seat}
    assert {event.seat for event in events_of(table.rows[-1].events, ev.BlindPosted)} == blinds


def test_pts_019_who_passes_during_a_hand_plays_it_on() -> None:
    table = points_table(3)
    table.deal()
    table.give(inp.SitOut(participant_id=person(0)))
    assert table.session.actor == 0
    table.act("r4")
    table.play("f f")
    table.deal()
    assert event_of(table.rows[-1].events, ev.HandStarting).dealt_in == (1, 2)


def test_pts_019_passing_twice_changes_nothing() -> None:
    table = points_table(3)
    assert len(table.give(inp.SitOut(participant_id=person(0)))) == 1
    assert table.give(inp.SitOut(participant_id=person(0))) == ()
    assert len(table.give(inp.SitIn(participant_id=person(0)))) == 1
    assert table.give(inp.SitIn(participant_id=person(0))) == ()


def test_pts_019_only_somebody_with_a_seat_can_pass() -> None:
    table = points_table(2, n_seats=4)
    table.give(inp.JoinNight(participant_id="watcher", name="Wanda"))
    for given in (inp.SitOut(participant_id="watcher"), inp.SitIn(participant_id="watcher")):
        table.refuse(given, Reason.NOT_YOUR_ROLE)
    table.refuse(inp.SitOut(participant_id="nobody"), Reason.NOT_YOUR_ROLE)


def test_pts_019_b34_points_owe_nothing_for_blinds_that_passed_by() -> None:
    # Session level, ten hands: seat 2 sits out on the button; the two others' blinds alternate.
    session = points_session(3, first_button=2)
    session.set_active(2, active=False)
    blinds = [event_of(fold_round(session, NOON_MS), ev.HandStarting).big_blind_seat for _ in range(10)]
    assert blinds == [1, 0] * 5
    session.set_active(2, active=True)
    assert session.stacks[2] == 100
