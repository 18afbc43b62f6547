"""PROC-VOID-01 and PROC-VOID-02: the host takes a hand back, as long as nobody has seen who would win."""

from __future__ import annotations

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import Fold
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from tests.night_builders import HOST, NightTable, event_of, events_of, person, points_table

VOID = inp.VoidHand(participant_id=HOST, reason="a card fell on the floor")


def dealt_table(words: str = "") -> NightTable:
    """Three players in their second hand, after some actions; seat 1 has the button."""
    table = points_table(3)
    table.deal()
    table.fold_out()
    table.deal({0: "Qs Qd", 1: "Ks Kd", 2: "As Ad"}, "2c 7d 9h Jc 3s")
    table.play(words)
    return table


# --- PROC-VOID-01 -----------------------------------------------------------------------------------------------------------


def test_proc_void_01_only_the_host_voids() -> None:
    table = dealt_table()
    for who in (person(0), "nobody", ""):
        table.refuse(inp.VoidHand(participant_id=who, reason="I lose"), Reason.NOT_HOST)
    table.give(VOID)


@pytest.mark.parametrize("words", ["", "r4", "r4 c c", "r4 c c b2 c c", "r4 c c k k k k k k k k k", "r4 f"])
def test_proc_void_01_at_any_moment_before_a_hand_is_shown(words: str) -> None:
    table = dealt_table(words)
    happened = table.give(VOID)
    voided = event_of(happened, ev.HandVoided)
    assert (voided.hand_number, voided.stacks, voided.reason) == (2, (100, 99, 101), VOID.reason)


def test_proc_void_01_too_late_once_a_hand_was_shown() -> None:
    table = dealt_table("r4 c c k k k k k k k k k s")
    table.refuse(VOID, Reason.REMEDY_TOO_LATE, "PROC-VOID-01")


def test_proc_void_01_a_muck_shows_nothing() -> None:
    table = dealt_table("r4 c c k k k k k k k k k m")
    table.give(VOID)
    assert table.chips == (100, 99, 101)


def test_proc_void_01_no_hand_no_void() -> None:
    table = points_table(3)
    table.refuse(VOID, Reason.HAND_OVER, "BET-GEN-06")
    table.deal()
    table.fold_out()
    table.refuse(VOID, Reason.HAND_OVER, "BET-GEN-06")
    fresh = NightTable()
    fresh.refuse(VOID, Reason.HAND_OVER)


# --- PROC-VOID-02 -----------------------------------------------------------------------------------------------------------


def test_proc_void_02_stacks_of_the_start_return_and_button_and_number_stay() -> None:
    table = dealt_table("r4 r6 r8 c c b2 c c")
    session = table.session
    before = (session.button, session.hand_number, session.ticked_mask, session.orbits_completed)
    table.give(VOID)
    assert table.chips == (100, 99, 101)
    assert (session.button, session.hand_number, session.ticked_mask, session.orbits_completed) == before
    assert (session.hand_is_live, session.actor) == (False, -1)
    assert len(table.night.rows) == 1


def test_proc_void_02_the_hand_is_dealt_again() -> None:
    table = dealt_table("r4")
    table.give(VOID)
    due = table.night.due()
    assert due is not None
    assert due.kind == "DEAL"
    table.deal()
    starting = event_of(table.rows[-1].events, ev.HandStarting)
    assert (starting.hand_number, starting.button, starting.stacks) == (2, 1, (100, 99, 101))
    table.fold_out()
    assert [row.hand_number for row in table.night.rows] == [1, 2]


def test_proc_void_02_what_was_on_its_way_for_the_void_hand_is_stale() -> None:
    table = dealt_table()
    late_act = inp.Act(participant_id=person(1), action_number=table.night.action_number, action=Fold())
    late_clock = inp.TimeOut(action_number=table.night.action_number)
    table.give(VOID)
    table.refuse(late_act, Reason.STALE_ACTION, "BET-GEN-04")
    table.refuse(late_clock, Reason.STALE_ACTION, "BET-GEN-04", after_ms=60_000)
    table.refuse_act(Fold(), Reason.HAND_OVER, "BET-GEN-06", seat=1)
    table.deal()
    table.refuse(late_act, Reason.STALE_ACTION, "BET-GEN-04")
    table.refuse(late_clock, Reason.STALE_ACTION, "BET-GEN-04", after_ms=60_000)


def test_proc_void_02_who_left_during_the_void_hand_is_not_dealt_in_again() -> None:
    table = dealt_table()
    table.give(inp.LeaveSeat(participant_id=person(1)))  # It had the button.
    table.give(VOID)
    table.deal()
    starting = event_of(table.rows[-1].events, ev.HandStarting)
    assert (starting.dealt_in, starting.button, starting.hand_number) == ((0, 2), 2, 2)


def test_proc_void_02_many_times_in_a_row() -> None:
    table = dealt_table()
    for _ in range(5):
        table.give(VOID)
        table.deal()
        table.act("r4")
    table.give(VOID)
    assert table.chips == (100, 99, 101)
    assert len(events_of(table.events, ev.HandVoided)) == 6


def test_proc_void_02_an_all_in_is_taken_back() -> None:
    table = points_table(2)
    table.deal()
    while True:
        legal = table.session.legal_actions()
        if "raise" not in legal.kinds and "bet" not in legal.kinds:
            break
        table.act(f"{'r' if 'raise' in legal.kinds else 'b'}{legal.raise_to_max_chips}")
    table.give(VOID)
    assert table.chips == (100, 100)
