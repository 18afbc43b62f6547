"""PROC-CLK-01, PROC-CLK-03 and PROC-CLK-05: the decision window, and what the clock does for whom it waits no longer."""

from __future__ import annotations

from typing import Any

import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Call, Check, Fold, Raise
from homegame_engine.errors import InputError
from homegame_engine.night import Night
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from tests.night_builders import (
    DECISION_MS,
    HOST,
    NOON_MS,
    NightTable,
    announcement,
    event_of,
    events_of,
    person,
    points_table,
)
from tests.rulebook_examples import examples_of_kind

(CLOCK_EXAMPLE,) = examples_of_kind("timeout")
CLOCK_CASES = list(zip(CLOCK_EXAMPLE.input["cases"], CLOCK_EXAMPLE.expected["results"], strict=True))
NOT_HERE = {"timebank_at": "PROC-CLK-02", "paused": "PROC-CLK-04"}
"""Cases of the book that need another rule: `test_proc_clk_02_time_bank` has the time bank; pauses are not played yet."""


def table_owing(owed: int) -> NightTable:
    """Heads-up: somebody is to act who owes 2 more, or nothing."""
    table = points_table(2)
    table.deal()
    if owed == 0:
        table.act("c")
    else:
        table.play("c r4")
    assert table.session.legal_actions().call_chips == owed
    return table


# --- EX-165 -----------------------------------------------------------------------------------------------------------------


def covered(case: dict[str, Any]) -> bool:
    """Whether a case needs neither time bank nor pause."""
    return not NOT_HERE.keys() & case.keys()


@pytest.mark.parametrize(("case", "result"), [pair for pair in CLOCK_CASES if covered(pair[0])])
def test_example_timeout(case: dict[str, Any], result: str) -> None:
    table = table_owing(case["owed"])
    seat, opened_at_ms = table.session.actor, table.now_ms
    played = "ANSWER"
    if "answer_at" in case:
        answer = inp.Act(participant_id=person(seat), action_number=table.night.action_number, action=Call())
        table.now_ms = opened_at_ms + 1000 * case["answer_at"]
        if table.now_ms < opened_at_ms + DECISION_MS:
            table.give(answer)
        else:
            table.refuse(answer, Reason.ACTION_CLOSED, "PROC-CLK-05")
            played = ""
    else:
        played = ""
    if not played:
        happened = table.time_out()
        played = "FOLD" if events_of(happened, ev.PlayerFolded) else "CHECK"
        assert table.now_ms == opened_at_ms + DECISION_MS
    assert played == result


def test_the_cases_that_are_left_out_are_those_with_time_banks_and_pauses() -> None:
    left_out = [case for case, _ in CLOCK_CASES if not covered(case)]
    assert len(left_out) == 3
    assert {key for case in left_out for key in NOT_HERE if key in case} == set(NOT_HERE)


# --- PROC-CLK-01 ------------------------------------------------------------------------------------------------------------


def test_proc_clk_01_the_window_is_30_seconds_by_the_format() -> None:
    assert catalog.format_by("B1").clock.decision_seconds == 30


@pytest.mark.parametrize("decision_ms", [1, 5_000, 30_000])
def test_proc_clk_01_everyone_has_the_same_window_in_every_decision(decision_ms: int) -> None:
    table = points_table(4, decision_ms=decision_ms)
    windows, asked = set(), set()
    for _ in range(8):
        table.deal()
        while table.session.hand_is_live:
            asked_now = event_of(table.rows[-1].events, ev.ActionRequired)
            windows.add(asked_now.deadline_at_ms - table.now_ms)
            asked.add(asked_now.seat)
            table.act("f" if "fold" in asked_now.legal.kinds else "k", after_ms=0)
    assert windows == {decision_ms}
    assert asked == {0, 1, 2, 3}


@pytest.mark.parametrize("decision_ms", [0, -1, 10**12, 2**64])
def test_proc_clk_01_a_window_that_no_table_has_is_refused(decision_ms: int) -> None:
    with pytest.raises(InputError):
        Night.create(announcement(decision_ms=decision_ms), NOON_MS)


# --- PROC-CLK-03 ------------------------------------------------------------------------------------------------------------


def test_proc_clk_03_check_where_nothing_is_owed_and_fold_otherwise() -> None:
    happened = table_owing(0).time_out()
    assert event_of(happened, ev.PlayerChecked).seat == event_of(happened, ev.DecisionTimedOut).seat
    happened = table_owing(2).time_out()
    assert event_of(happened, ev.PlayerFolded).seat == event_of(happened, ev.DecisionTimedOut).seat


def test_proc_clk_03_the_clock_does_not_act_before_its_time_nor_twice() -> None:
    table = table_owing(2)
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms, due.action_number) == (
        "TIME_OUT",
        table.now_ms + DECISION_MS,
        table.night.action_number,
    )
    time_out = inp.TimeOut(action_number=due.action_number)
    before = table.night.encode()
    with pytest.raises(InputError):
        table.night.apply(time_out, due.at_ms - 1)
    assert table.night.encode() == before
    table.time_out()
    table.refuse(time_out, Reason.STALE_ACTION, "BET-GEN-04")


def test_proc_clk_03_the_clock_is_stale_once_the_player_has_acted() -> None:
    table = table_owing(2)
    time_out = inp.TimeOut(action_number=table.night.action_number)
    table.act("c")
    table.refuse(time_out, Reason.STALE_ACTION, "BET-GEN-04", after_ms=DECISION_MS)


def test_proc_clk_03_between_hands_there_is_nothing_to_time_out() -> None:
    table = points_table(2)
    table.refuse(inp.TimeOut(action_number=table.night.action_number), Reason.STALE_ACTION, after_ms=DECISION_MS)


def test_proc_clk_03_a_whole_hand_by_the_clock_alone() -> None:
    table = points_table(3)
    table.deal({0: "As Ah"})
    table.act("c")
    while table.session.hand_is_live:
        table.time_out()
    happened = table.events
    assert [event.seat for event in events_of(happened, ev.PlayerFolded)] == [1]
    assert len(events_of(happened, ev.HandShown)) == 2


# --- PROC-CLK-05 ------------------------------------------------------------------------------------------------------------


def test_proc_clk_05_exactly_at_the_deadline_is_too_late() -> None:
    table = table_owing(2)
    act = inp.Act(participant_id=person(table.session.actor), action_number=table.night.action_number, action=Fold())
    table.refuse(act, Reason.ACTION_CLOSED, "PROC-CLK-05", after_ms=DECISION_MS)
    table.refuse(act, Reason.ACTION_CLOSED, "PROC-CLK-05", after_ms=DECISION_MS + 1)
    table.give(act, after_ms=DECISION_MS - 1)


def test_proc_clk_05_a_refused_action_does_not_restart_the_window() -> None:
    table = table_owing(2)
    due = table.night.due()
    table.now_ms += DECISION_MS - 1
    table.refuse_act(Check(), Reason.CANNOT_CHECK, "BET-GEN-02")
    table.refuse_act(Raise(to_chips=5), Reason.BAD_INCREMENT, "BET-FL-02")
    assert table.night.due() == due


def test_proc_clk_05_what_others_do_does_not_restart_the_window() -> None:
    table = points_table(3)
    table.deal()
    due = table.night.due()
    table.give(inp.SitOut(participant_id=person(1)), after_ms=5_000)
    table.give(inp.SitIn(participant_id=person(1)), after_ms=5_000)
    table.give(inp.JoinNight(participant_id="watcher", name="Wanda"), after_ms=5_000)
    table.give(inp.LeaveSeat(participant_id=person(2)), after_ms=5_000)
    # The actor's own passing of later deals neither.
    table.give(inp.SitOut(participant_id=person(0)), after_ms=5_000)
    assert table.night.due() == due


def test_proc_clk_05_out_of_turn_is_the_reason_of_somebody_else_whatever_the_time() -> None:
    table = points_table(3)
    table.deal()
    act = inp.Act(participant_id=person(1), action_number=table.night.action_number, action=Fold())
    table.refuse(act, Reason.OUT_OF_TURN, "BET-GEN-01", after_ms=2 * DECISION_MS)


def test_proc_clk_05_stale_comes_before_closed() -> None:
    table = table_owing(2)
    for number in (table.night.action_number - 1, table.night.action_number + 1, 0, -1, 2**70):
        act = inp.Act(participant_id=person(table.session.actor), action_number=number, action=Fold())
        table.refuse(act, Reason.STALE_ACTION, "BET-GEN-04", after_ms=2 * DECISION_MS)


def test_proc_clk_05_time_that_runs_backwards_is_held() -> None:
    table = table_owing(2)
    held_ms = table.now_ms
    table.now_ms -= 20_000
    happened = table.act("c", after_ms=0)
    assert event_of(happened, ev.ActionRequired).deadline_at_ms == held_ms + DECISION_MS
    assert table.night.last_at_ms == held_ms


# --- After a stop of the server -----------------------------------------------------------------------------------------------


def test_after_a_stop_a_running_window_gets_the_time_it_had_left() -> None:
    table = table_owing(2)
    table.give(inp.SitOut(participant_id=person(1)), after_ms=10_000)
    happened = table.give(inp.Resume(), after_ms=3_600_000)
    resumed = event_of(happened, ev.PlayResumed)
    assert resumed.deadline_at_ms == table.now_ms + DECISION_MS - 10_000
    due = table.night.due()
    assert due is not None
    assert due.at_ms == resumed.deadline_at_ms


def test_after_a_stop_the_cutoff_stays_where_it_was() -> None:
    table = points_table(2)
    cutoff_at_ms = table.session.cutoff_at_ms
    table.give(inp.Resume(), after_ms=3_600_000)
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("FINISH", cutoff_at_ms)


# --- B60: who gets up is not waited for -----------------------------------------------------------------------------------------


def test_proc_clk_03_b60_who_leaves_and_owes_is_folded_when_reached() -> None:
    table = points_table(3)
    table.deal()
    table.give(inp.LeaveSeat(participant_id=person(1)))
    happened = table.act("r4")
    assert event_of(happened, ev.ActionRequired).deadline_at_ms == table.now_ms
    happened = table.time_out()
    assert event_of(happened, ev.PlayerFolded).seat == 1
    assert table.session.actor == 2
    # Its chips stay in, and the last one left ends the hand.
    table.act("f")
    assert table.chips == (103, 99, 98)
    assert not table.session.hand_is_live


def test_proc_clk_03_b60_who_leaves_and_owes_nothing_is_checked_and_stays_live() -> None:
    table = points_table(3)
    table.deal({0: "2c 7d", 1: "3c 8d", 2: "As Ah"}, "Ad Ac 9s 9h 4d")
    table.give(inp.LeaveSeat(participant_id=person(2)))
    table.play("c c")
    checked = []
    while table.session.hand_is_live:
        due = table.night.due()
        assert due is not None
        if table.session.actor == 2:
            assert due.at_ms == table.now_ms, "nobody waits for an empty chair"
            checked += [event.seat for event in events_of(table.time_out(), ev.PlayerChecked)]
        else:
            kinds = table.session.legal_actions().kinds
            table.act("s" if "show" in kinds else "k")
    assert checked == [2, 2, 2, 2]
    # It stayed live, was shown by the clock and won (PROC-SHOW-04).
    assert table.chips == (98, 98, 104)
    table.deal()
    assert event_of(table.rows[-1].events, ev.HandStarting).dealt_in == (0, 1)


def test_proc_clk_03_b60_who_leaves_in_turn_is_acted_for_at_once() -> None:
    table = points_table(3)
    table.deal()
    table.give(inp.LeaveSeat(participant_id=person(0)), after_ms=7_000)
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("TIME_OUT", table.now_ms)
    act = inp.Act(participant_id=person(0), action_number=table.night.action_number, action=Fold())
    table.refuse(act, Reason.NOT_YOUR_ROLE)
    assert event_of(table.time_out(), ev.PlayerFolded).seat == 0


def test_proc_clk_03_b60_two_seats_left_and_one_leaves() -> None:
    table = points_table(2)
    table.deal()
    table.give(inp.LeaveSeat(participant_id=person(0)))
    happened = table.time_out()
    assert event_of(happened, ev.HandEnded).stacks == (99, 101)
    due = table.night.due()
    assert due is not None
    assert due.kind == "FINISH"


def test_b60_who_left_stays_on_the_sheet_and_may_come_back() -> None:
    table = points_table(3)
    table.deal()
    table.give(inp.LeaveSeat(participant_id=person(2)))
    table.refuse(inp.LeaveSeat(participant_id=person(2)), Reason.NOT_YOUR_ROLE)
    table.refuse(inp.SitOut(participant_id=person(2)), Reason.NOT_YOUR_ROLE)
    table.fold_out_by_clock()
    assert len(table.session.standings()) == 3
    assert event_of(table.give(inp.SitIn(participant_id=person(2))), ev.SeatReturned).seat == 2
    table.deal()
    assert event_of(table.rows[-1].events, ev.HandStarting).dealt_in == (0, 1, 2)
    # It acts for itself again, in a whole window.
    assert table.night.seat_of(person(2)) == 2
    while table.session.actor != 2:
        table.act("c")
    assert table.night.deadline_at_ms == table.now_ms + DECISION_MS
    table.act("c" if table.session.legal_actions().call_chips else "k")


def test_b60_who_leaves_and_returns_in_turn_gains_no_time() -> None:
    table = points_table(3)
    table.deal()
    deadline_at_ms = table.night.deadline_at_ms
    assert deadline_at_ms is not None
    table.give(inp.LeaveSeat(participant_id=person(0)), after_ms=1_000)
    table.give(inp.SitIn(participant_id=person(0)))
    assert table.night.deadline_at_ms is not None
    assert table.night.deadline_at_ms <= deadline_at_ms
    # Late, after the window was over already: the deadline does not move on.
    table = points_table(3)
    table.deal()
    deadline_at_ms = table.night.deadline_at_ms
    table.give(inp.LeaveSeat(participant_id=person(0)), after_ms=2 * DECISION_MS)
    assert table.night.deadline_at_ms == deadline_at_ms


def test_b60_the_host_is_no_player_and_has_nothing_to_leave() -> None:
    table = points_table(2)
    table.refuse(inp.LeaveSeat(participant_id=HOST), Reason.NOT_YOUR_ROLE)
