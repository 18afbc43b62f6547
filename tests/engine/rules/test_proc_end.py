"""PROC-END-01: the cutoff stops deals and no hand. Also what the clock owes around it."""

from __future__ import annotations

import pytest

from homegame_engine import events as ev
from homegame_engine.cards import full_deck
from homegame_engine.night import Due
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from tests.night_builders import HOST, MINUTE_MS, NOON_MS, PAUSE_MS, event_of, person, points_session, points_table

CUTOFF_MS = NOON_MS + MINUTE_MS


@pytest.mark.parametrize(("before_ms", "is_dealt"), [(1, True), (0, False), (-1, False)])
def test_proc_end_01_a_cutoff_exactly_at_the_deal_blocks_it(before_ms: int, *, is_dealt: bool) -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    table.now_ms = CUTOFF_MS - before_ms
    if is_dealt:
        table.deal(after_ms=0)
        assert table.session.hand_is_live
    else:
        table.refuse(inp.StartHand(deck_order=full_deck()), Reason.CUTOFF_PASSED, "PTS-016")
    refusal = points_session(2).deal_refusal(NOON_MS + 45 * MINUTE_MS - before_ms)
    assert (refusal is None) == is_dealt


def test_proc_end_01_an_active_hand_is_completed_however_late() -> None:
    table = points_table(3, cutoff_after_ms=MINUTE_MS)
    table.deal(after_ms=MINUTE_MS - 1)
    table.act("c", after_ms=20_000)
    table.act("c", after_ms=20_000)
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms > CUTOFF_MS) == ("TIME_OUT", True)
    table.fold_out_by_clock()
    assert table.night.rows[0].ended_at_ms > CUTOFF_MS
    assert table.night.due() == Due(kind="FINISH", at_ms=CUTOFF_MS)


def test_proc_end_01_a_void_hand_is_not_dealt_again_after_the_cutoff() -> None:
    table = points_table(3, cutoff_after_ms=MINUTE_MS)
    table.deal(after_ms=MINUTE_MS - 1)
    table.act("r4", after_ms=5_000)
    table.give(inp.VoidHand(participant_id=HOST, reason="a card fell"))
    assert table.night.due() == Due(kind="FINISH", at_ms=CUTOFF_MS)
    table.refuse(inp.StartHand(deck_order=full_deck()), Reason.CUTOFF_PASSED)
    finished = event_of(table.give(inp.FinishSession()), ev.SessionFinished)
    assert (finished.hands, {place.place for place in finished.placements}) == (0, {1})


def test_proc_end_01_a_night_cannot_open_after_its_cutoff() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)  # Builds one that is open.
    late = type(table)(table.created)
    late.seat(0, 1)
    late.now_ms = CUTOFF_MS
    late.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.CUTOFF_PASSED, "PTS-016")
    late.give(inp.PostCutoff(participant_id=HOST, cutoff_at_ms=CUTOFF_MS + 1))


# --- What the clock owes ------------------------------------------------------------------------------------------------------


def test_the_clock_owes_the_deal_after_the_pause_and_the_end_at_the_cutoff() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    assert table.night.due() == Due(kind="DEAL", at_ms=NOON_MS + PAUSE_MS)
    table.now_ms = CUTOFF_MS - PAUSE_MS - 101
    table.deal(after_ms=0)
    table.fold_out()
    # One millisecond before the cutoff is still a deal.
    assert table.night.due() == Due(kind="DEAL", at_ms=CUTOFF_MS - 1)
    table.deal(after_ms=0)
    table.fold_out()
    assert table.night.due() == Due(kind="FINISH", at_ms=CUTOFF_MS)


def test_a_deal_that_came_too_late_is_owed_no_more() -> None:
    # The clock's task woke up after the cutoff: it must not deal for ever into a refusal.
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    deal = Due(kind="DEAL", at_ms=NOON_MS + PAUSE_MS)
    assert table.night.due(CUTOFF_MS - 1) == deal
    assert table.night.due(CUTOFF_MS) == Due(kind="FINISH", at_ms=CUTOFF_MS)
    table.refuse(inp.StartHand(deck_order=full_deck()), Reason.CUTOFF_PASSED, after_ms=MINUTE_MS)
    # The same once anything accepted has carried the night's own time over the cutoff.
    table.give(inp.JoinNight(participant_id="watcher", name="Wanda"), after_ms=MINUTE_MS)
    assert table.night.due() == Due(kind="FINISH", at_ms=CUTOFF_MS)
    table.give(inp.FinishSession())


def test_nothing_is_owed_before_and_after_play() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    fresh = type(table)(table.created)
    assert fresh.night.due() is None
    table.give(inp.FinishSession(), after_ms=MINUTE_MS)
    assert table.night.due() is None
    table.give(inp.CloseNight(participant_id=HOST))
    assert table.night.due() is None


def test_leaving_after_the_end_is_fine() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    table.give(inp.FinishSession(), after_ms=MINUTE_MS)
    assert event_of(table.give(inp.LeaveSeat(participant_id=person(0))), ev.SeatVacated).seat == 0
