"""PTS-016, PTS-017, PTS-020, PTS-024 and PTS-025: how a points night ends. PROC-COUNT-02 for its count."""

from __future__ import annotations

import pytest

from homegame_engine import events as ev
from homegame_engine.cards import full_deck
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.night import inputs as inp
from homegame_engine.night.sheet import Column, Points, Rack
from homegame_engine.reasons import Reason
from homegame_engine.session import check_count, place_stacks
from tests.night_builders import (
    HOST,
    MINUTE_MS,
    NOON_MS,
    event_of,
    events_of,
    fold_round,
    person,
    points_session,
    points_table,
)
from tests.rulebook_examples import Example, as_parameters, examples_of_kind


def placed(stacks: dict[int, int]) -> dict[int, int]:
    """Place by seat."""
    return {placement.seat: placement.place for placement in place_stacks(stacks)}


# --- PTS-016 ----------------------------------------------------------------------------------------------------------------


def test_pts_016_at_the_cutoff_no_new_hand_and_the_active_one_is_completed() -> None:
    table = points_table(3, cutoff_after_ms=MINUTE_MS)
    table.deal(after_ms=MINUTE_MS - 1)
    table.act("r4", after_ms=5_000)
    table.play("c c k k k k k k k k k")
    happened = table.play("s s s")
    assert event_of(happened, ev.HandEnded).hand_number == 1
    table.refuse(inp.StartHand(deck_order=full_deck()), Reason.CUTOFF_PASSED, "PTS-016", after_ms=5_000)
    finished = event_of(table.give(inp.FinishSession()), ev.SessionFinished)
    assert (finished.by, finished.hands) == ("CUTOFF", 1)
    assert table.night.phase == "FINISHED"


def test_pts_016_the_highest_stack_wins() -> None:
    table = points_table(4, cutoff_after_ms=MINUTE_MS)
    table.deal()
    table.play("r4 f f f")
    finished = event_of(table.give(inp.FinishSession(), after_ms=MINUTE_MS), ev.SessionFinished)
    assert [(place.seat, place.stack_chips, place.place) for place in finished.placements] == [
        (3, 103, 1),
        (0, 100, 2),
        (1, 99, 3),
        (2, 98, 4),
    ]


def test_pts_016_a_session_is_not_finished_during_a_hand_nor_before_the_cutoff() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    before = table.night.encode()
    with pytest.raises(InputError):
        table.night.apply(inp.FinishSession(), table.now_ms)
    assert table.night.encode() == before
    table.deal()
    table.refuse(inp.FinishSession(), Reason.HAND_IN_PROGRESS, "PTS-016", after_ms=MINUTE_MS)
    with pytest.raises(RuleViolation) as caught:
        table.session.finish("CUTOFF")
    assert caught.value.reason == Reason.HAND_IN_PROGRESS


def test_pts_016_who_holds_all_chips_wins_at_once() -> None:
    table = points_table(2)
    while table.night.phase == "PLAYING":
        table.deal({0: "As Ah", 1: "2c 7d"}, "Ad Ac 9s 9h 3d")
        while table.session.hand_is_live:
            legal = table.session.legal_actions()
            if legal.raise_to_max_chips:
                table.act(f"{'r' if 'raise' in legal.kinds else 'b'}{legal.raise_to_max_chips}")
            else:
                table.act("s" if "show" in legal.kinds else "c" if legal.call_chips else "k")
    assert table.now_ms < NOON_MS + 45 * MINUTE_MS
    happened = table.rows[-1].events
    assert isinstance(happened[-1], ev.SessionFinished)
    assert (happened[-1].by, happened[-1].placements[0].stack_chips) == ("ALL_CHIPS", 200)
    assert table.night.due() is None
    table.refuse(inp.StartHand(deck_order=full_deck()), Reason.SESSION_CLOSED, "PTS-023")


def test_pts_016_the_session_is_closed_after_its_end() -> None:
    session = points_session(2)
    fold_round(session)
    session.finish("CUTOFF")
    with pytest.raises(RuleViolation) as caught:
        session.finish("CUTOFF")
    assert caught.value.reason == Reason.SESSION_CLOSED
    with pytest.raises(RuleViolation) as caught:
        session.start_hand(NOON_MS, full_deck())
    assert caught.value.reason == Reason.SESSION_CLOSED


def test_pts_016_what_is_closed_after_the_end_of_a_night() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    table.give(inp.FinishSession(), after_ms=MINUTE_MS)
    for given in (
        inp.SitOut(participant_id=person(0)),
        inp.SitIn(participant_id=person(0)),
        inp.VoidHand(participant_id=HOST, reason="late"),
        inp.TimeOut(action_number=1),
        inp.FinishSession(),
        inp.JoinNight(participant_id="late", name="Late"),
    ):
        table.refuse(given, Reason.SESSION_CLOSED)
    closed = table.give(inp.CloseNight(participant_id=HOST))
    assert event_of(closed, ev.NightClosed).by == "FINISHED"
    for refused in (inp.CloseNight(participant_id=HOST), inp.LeaveSeat(participant_id=person(0)), inp.Resume()):
        table.refuse(refused, Reason.SESSION_CLOSED, "PTS-023")


def test_pts_016_the_host_does_not_end_the_night_during_a_hand() -> None:
    table = points_table(2)
    table.deal()
    table.refuse(inp.CloseNight(participant_id=person(0)), Reason.NOT_HOST)
    table.refuse(inp.CloseNight(participant_id=HOST), Reason.HAND_IN_PROGRESS, "PTS-016")
    table.fold_out()
    happened = table.give(inp.CloseNight(participant_id=HOST))
    assert event_of(happened, ev.SessionFinished).by == "HOST"
    assert isinstance(happened[-1], ev.NightClosed)


def test_pts_016_with_too_few_at_the_table_the_night_waits_for_the_cutoff() -> None:
    table = points_table(2, cutoff_after_ms=MINUTE_MS)
    table.give(inp.LeaveSeat(participant_id=person(0)))
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("FINISH", NOON_MS + MINUTE_MS)
    table.give(inp.SitIn(participant_id=person(0)))
    due = table.night.due()
    assert due is not None
    assert due.kind == "DEAL"


# --- PTS-017, PTS-024 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("points_result")))
def test_example_points_result(example: Example) -> None:
    given = example.input
    issued_chips = (given["players"] + given.get("resets", 0)) * given["start"]
    stacks = dict(enumerate(given["stacks"].values()))
    if "error" in example.expected:
        with pytest.raises(RuleViolation) as caught:
            check_count(stacks.values(), issued_chips)
        assert caught.value.reason == example.expected["error"]
        assert caught.value.rule_id in example.rule_ids
        assert dict(caught.value.facts) == {"counted_chips": sum(stacks.values()), "issued_chips": issued_chips}
        return
    check_count(stacks.values(), issued_chips)
    assert {name: placed(stacks)[seat] for seat, name in enumerate(given["stacks"])} == example.expected["places"]


@pytest.mark.parametrize(
    ("stacks", "places"),
    [
        ([100, 100, 100, 100], [1, 1, 1, 1]),
        ([0, 200, 0, 0], [2, 1, 2, 2]),
        ([50, 150, 50, 150], [3, 1, 3, 1]),
        ([90, 110, 100, 100], [4, 1, 2, 2]),
    ],
)
def test_pts_017_equal_stacks_share_the_place(stacks: list[int], places: list[int]) -> None:
    assert placed(dict(enumerate(stacks))) == dict(enumerate(places))


def test_pts_017_a_tie_is_the_result_and_no_further_hand_is_dealt() -> None:
    table = points_table(3, cutoff_after_ms=MINUTE_MS)
    finished = event_of(table.give(inp.FinishSession(), after_ms=MINUTE_MS), ev.SessionFinished)
    assert {place.place for place in finished.placements} == {1}
    assert table.night.due() is None


@pytest.mark.parametrize("counted", [299, 301, 0])
def test_pts_024_a_difference_blocks_the_result(counted: int) -> None:
    with pytest.raises(RuleViolation) as caught:
        check_count([counted], 300)
    assert (caught.value.reason, caught.value.rule_id) == (Reason.COUNT_MISMATCH, "PTS-024")


def test_pts_024_the_total_is_players_times_start_at_every_count() -> None:
    table = points_table(5, n_seats=7)
    for _ in range(12):
        table.deal()
        table.act("r4")
        table.fold_out()
        assert sum(table.night.rows[-1].end_chips) == 5 * 100
    assert table.session.issued_chips == 500


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("count")))
def test_example_count(example: Example) -> None:
    rack = Rack(example.input["ones"], example.input["fives"], example.input["twentyfives"])
    assert rack.chips == example.expected["total"]


# --- PTS-020 ----------------------------------------------------------------------------------------------------------------


def test_pts_020_columns_are_never_added_to_each_other() -> None:
    for one in Column:
        for other in Column:
            if one is other:
                assert Points(one, 2) + Points(other, 3) == Points(one, 5)
                continue
            with pytest.raises(RuleViolation) as caught:
                Points(one, 2) + Points(other, 3)
            assert (caught.value.reason, caught.value.rule_id) == (Reason.COLUMN_MIXED, "PTS-020")


# --- PTS-025 ----------------------------------------------------------------------------------------------------------------


def test_pts_025_an_orbit_cut_short_is_reported_with_what_was_finished() -> None:
    table = points_table(4, button=1, cutoff_after_ms=MINUTE_MS)
    for _ in range(6):
        table.deal()
        table.fold_out()
    finished = event_of(table.give(inp.FinishSession(), after_ms=MINUTE_MS), ev.SessionFinished)
    assert (finished.hands, finished.orbits, finished.incomplete_positions) == (6, 1, (0, 3))
    assert len(events_of(table.events, ev.OrbitCompleted)) == 1


def test_pts_025_whole_orbits_leave_nothing_incomplete() -> None:
    table = points_table(3, cutoff_after_ms=MINUTE_MS)
    for _ in range(6):
        table.deal()
        table.fold_out()
    finished = event_of(table.give(inp.FinishSession(), after_ms=MINUTE_MS), ev.SessionFinished)
    assert (finished.hands, finished.orbits, finished.incomplete_positions) == (6, 2, ())
