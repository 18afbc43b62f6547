"""PROC-CLK-02 and PTS-V20-01: one token of 15 s for each player and session, said before the window ends, once a window."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Call
from homegame_engine.night import inputs as inp
from homegame_engine.night.table_view import table_view
from homegame_engine.reasons import Reason
from tests.night_builders import (
    DECISION_MS,
    HOST,
    NightTable,
    announcement,
    event_of,
    events_of,
    person,
    points_table,
    replay,
)
from tests.rulebook_examples import examples_of_kind

TOKEN_MS = 15_000

(CLOCK_EXAMPLE,) = examples_of_kind("timeout")
TIME_BANK_CASES = [
    (case, result)
    for case, result in zip(CLOCK_EXAMPLE.input["cases"], CLOCK_EXAMPLE.expected["results"], strict=True)
    if "timebank_at" in case
]


def dealt(n_players: int = 2, words: str = "") -> NightTable:
    table = points_table(n_players)
    table.deal()
    table.play(words)
    return table


def token(table: NightTable, seat: int | None = None, number: int | None = None) -> inp.UseTimeBank:
    return inp.UseTimeBank(
        participant_id=person(table.session.actor if seat is None else seat),
        action_number=table.night.action_number if number is None else number,
    )


def use(table: NightTable, after_ms: int = 0) -> ev.TimeBankUsed:
    return event_of(table.give(token(table), after_ms=after_ms), ev.TimeBankUsed)


# --- EX-165 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "result"), TIME_BANK_CASES)
def test_example_timeout_with_a_time_bank(case: dict[str, Any], result: str) -> None:
    assert case["owed"] == 2
    table = dealt(words="c r4")
    seat, opened_at_ms = table.session.actor, table.now_ms
    said_at_ms, answered_at_ms = opened_at_ms + 1000 * case["timebank_at"], opened_at_ms + 1000 * case["answer_at"]
    # What the clock owes by a moment comes before what arrives after it.
    answer = inp.Act(participant_id=person(seat), action_number=table.night.action_number, action=Call())
    if case["timebank_at"] * 1000 < DECISION_MS:
        table.give(token(table), after_ms=said_at_ms - table.now_ms)
        table.give(answer, after_ms=answered_at_ms - table.now_ms)
        played = "ANSWER"
    else:
        table.refuse(token(table), Reason.TIMEBANK_TOO_LATE, "PROC-CLK-02", after_ms=said_at_ms - table.now_ms)
        table.refuse(answer, Reason.ACTION_CLOSED, "PROC-CLK-05", after_ms=answered_at_ms - table.now_ms)
        played = "FOLD" if events_of(table.time_out(), ev.PlayerFolded) else "CHECK"
    assert played == result


def test_both_cases_with_a_time_bank_are_held() -> None:
    assert [result for _, result in TIME_BANK_CASES] == ["ANSWER", "FOLD"]


# --- The token --------------------------------------------------------------------------------------------------------------


def test_pts_v20_01_the_format_gives_one_token_of_15_seconds() -> None:
    clock = catalog.format_by("B1").clock
    assert (clock.time_bank_seconds, clock.time_bank_tokens) == (15, 1)
    created = event_of(NightTable().rows[0].events, ev.NightCreated)
    assert (created.time_bank_ms, created.time_bank_tokens) == (TOKEN_MS, 1)


def test_proc_clk_02_a_token_adds_15_seconds_to_the_running_window() -> None:
    table = dealt()
    seat, end_at_ms = table.session.actor, table.night.deadline_at_ms
    assert end_at_ms is not None
    used = use(table, after_ms=12_000)
    assert used == ev.TimeBankUsed(
        seat=seat, action_number=table.night.action_number, deadline_at_ms=end_at_ms + TOKEN_MS, tokens_left=0
    )
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("TIME_OUT", end_at_ms + TOKEN_MS)
    view = table_view(table.night, None)
    assert (view.deadline_at_ms, view.seats[seat].time_bank_tokens, view.seats[1 - seat].time_bank_tokens) == (
        end_at_ms + TOKEN_MS,
        0,
        1,
    )


def test_proc_clk_02_the_longer_window_ends_exactly_at_its_new_end() -> None:
    table = dealt()
    use(table)
    call = inp.Act(participant_id=person(table.session.actor), action_number=table.night.action_number, action=Call())
    table.refuse(call, Reason.ACTION_CLOSED, "PROC-CLK-05", after_ms=DECISION_MS + TOKEN_MS)
    table.give(call, after_ms=DECISION_MS + TOKEN_MS - 1)


def test_proc_clk_02_the_last_millisecond_is_in_time_and_the_end_itself_too_late() -> None:
    table = dealt()
    table.refuse(token(table), Reason.TIMEBANK_TOO_LATE, "PROC-CLK-02", after_ms=DECISION_MS)
    assert use(table, after_ms=DECISION_MS - 1).tokens_left == 0


def test_proc_clk_02_one_token_a_session_for_each_player() -> None:
    table = dealt()
    use(table)
    table.refuse(token(table), Reason.TIMEBANK_USED, "PROC-CLK-02")
    table.act("c")
    use(table)  # The other player has a token of the same size.
    table.fold_out()
    table.deal()
    table.refuse(token(table), Reason.TIMEBANK_USED, "PROC-CLK-02")


def test_proc_clk_02_used_comes_before_too_late() -> None:
    table = dealt()
    use(table)
    table.refuse(token(table), Reason.TIMEBANK_USED, "PROC-CLK-02", after_ms=DECISION_MS + TOKEN_MS)


def test_proc_clk_02_a_window_is_lengthened_once_however_many_tokens_there_are() -> None:
    table = NightTable(msgspec.structs.replace(announcement(n_seats=2), time_bank_tokens=3))
    table.seat(0, 1)
    table.open()
    table.deal()
    assert use(table).tokens_left == 2
    table.refuse(token(table), Reason.TIMEBANK_USED, "PROC-CLK-02")
    table.play("c k")
    table.act("k")  # The next decision of the same player is a window of its own.
    assert use(table).tokens_left == 1


def test_proc_clk_02_only_the_seat_to_act_and_only_in_its_turn() -> None:
    table = dealt(3)
    actor = table.session.actor
    table.refuse(token(table, seat=(actor + 1) % 3), Reason.OUT_OF_TURN, "BET-GEN-01")
    table.refuse(token(table, number=table.night.action_number - 1), Reason.STALE_ACTION, "BET-GEN-04")
    stranger = inp.UseTimeBank(participant_id=HOST, action_number=table.night.action_number)
    table.refuse(stranger, Reason.NOT_YOUR_ROLE)
    table.fold_out()
    between = inp.UseTimeBank(participant_id=person(actor), action_number=table.night.action_number)
    table.refuse(between, Reason.HAND_OVER, "BET-GEN-06")


def test_proc_clk_02_no_tokens_where_none_are_posted() -> None:
    table = NightTable(msgspec.structs.replace(announcement(n_seats=2), time_bank_tokens=0))
    table.seat(0, 1)
    table.open()
    table.deal()
    table.refuse(token(table), Reason.TIMEBANK_USED, "PROC-CLK-02")


def test_proc_clk_02_the_clock_does_not_fire_at_the_old_end() -> None:
    table = dealt(words="c r4")
    number = table.night.action_number
    use(table)
    before = table.night.encode()
    with pytest.raises(Exception, match="still open"):
        table.night.apply(inp.TimeOut(action_number=number), table.now_ms + DECISION_MS)
    assert table.night.encode() == before
    assert events_of(table.time_out(), ev.PlayerFolded)


def test_proc_clk_02_the_next_window_has_its_usual_length() -> None:
    table = dealt()
    use(table)
    required = event_of(table.act("c"), ev.ActionRequired)
    assert required.deadline_at_ms == table.now_ms + DECISION_MS


def test_proc_void_02_a_token_used_in_a_void_hand_comes_back() -> None:
    table = dealt()
    seat = table.session.actor
    use(table)
    table.give(inp.VoidHand(participant_id=HOST, reason="A card fell"))
    assert table_view(table.night, None).seats[seat].time_bank_tokens == 1
    table.deal()
    use(table)  # And can be used in the redeal.
    table.fold_out()
    table.deal()
    table.give(inp.VoidHand(participant_id=HOST, reason="Another one"))
    # A token of a hand that was played is spent, however the next one ends.
    assert table_view(table.night, None).seats[seat].time_bank_tokens == 0


def test_after_a_stop_a_lengthened_window_has_the_time_it_had_left() -> None:
    table = dealt()
    use(table, after_ms=10_000)
    table.give(inp.Resume(), after_ms=3_600_000)
    due = table.night.due()
    assert due is not None
    assert due.at_ms == table.now_ms + DECISION_MS - 10_000 + TOKEN_MS
    table.refuse(token(table), Reason.TIMEBANK_USED, "PROC-CLK-02")
    assert replay(table.rows).encode() == table.night.encode()


@pytest.mark.parametrize("change", [{"time_bank_tokens": -1}, {"time_bank_ms": -1}, {"time_bank_tokens": 101}])
def test_a_time_bank_that_no_table_has_is_refused(change: dict[str, int]) -> None:
    with pytest.raises(Exception, match="a time bank is"):
        NightTable(msgspec.structs.replace(announcement(), **change))
