"""The blind ladder: PTS-B3-01 to PTS-B3-04, PTS-V06-01, and what a reset does to the count (PTS-024)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.cards import full_deck
from homegame_engine.night import inputs as inp
from homegame_engine.night.resets import out_at_hand
from homegame_engine.night.table_view import table_view
from homegame_engine.reasons import Reason
from homegame_engine.session import Session
from tests.night_builders import (
    HOST,
    MINUTE_MS,
    NOON_MS,
    NightTable,
    announcement,
    event_of,
    events_of,
    fold_round,
    person,
    points_table,
    replay,
)
from tests.rulebook_examples import examples_of_kind

KNOWN = {
    entry["id"]: entry["value"]
    for entry in json.loads((Path(__file__).parents[2] / "vectors" / "known_values.json").read_text(encoding="utf-8"))
}
(LADDER_EXAMPLE,) = examples_of_kind("ladder")
(RESET_EXAMPLE,) = [example for example in examples_of_kind("points_result") if "PTS-B3-03" in example.rule_ids]
ACES, KINGS, TRASH = "As Ah", "Ks Kh", "7c 2d"
DRY_BOARD = "3s 4d 8h 9c Jd"


def ladder_session(n_players: int) -> Session:
    session = Session.create(
        catalog.format_by("B3"),
        catalog.game("HOLDEM"),
        catalog.house("POINTS_NIGHT"),
        n_seats=n_players,
        seated_mask=(1 << n_players) - 1,
        first_button=0,
    )
    session.post_cutoff(NOON_MS + 45 * MINUTE_MS)
    return session


def ladder_table(n_players: int = 3, *, start_chips: int = 6, agree: bool = True, button: int = 0) -> NightTable:
    """A night of B3 that is open; few chips, so that a stack is lost in one hand."""
    table = NightTable(announcement(n_seats=n_players, start_chips=start_chips, format_id="B3"))
    table.seat(*range(n_players))
    if agree:
        for seat in range(n_players):
            table.give(inp.AgreeToResets(participant_id=person(seat), agrees=True))
    table.open(button)
    return table


def bust(table: NightTable, loser: int, winner: int) -> None:
    """Play a hand in which one seat loses everything to another and the rest fold."""
    table.deal({loser: KINGS, winner: ACES}, DRY_BOARD)
    while table.session.hand_is_live:
        kinds = table.session.legal_actions().kinds
        if "show" in kinds:
            table.act("s")
        elif table.session.actor not in (loser, winner):
            table.act("f" if "fold" in kinds else "k")
        elif "raise" in kinds or "bet" in kinds:
            legal = table.session.legal_actions()
            table.act(f"{'r' if 'raise' in kinds else 'b'}{legal.raise_to_max_chips}")
        else:
            table.act("c" if "call" in kinds else "k")
    assert table.chips[loser] == 0


def reset(seat: int) -> inp.ResetStack:
    return inp.ResetStack(participant_id=person(seat))


# --- PTS-B3-01, PTS-B3-02: the ladder ---------------------------------------------------------------------------------------


def test_pts_b3_01_the_format_starts_with_100_and_has_the_levels_of_the_book() -> None:
    spec = catalog.format_by("B3")
    assert spec.start.chips == 100
    assert [(level.from_hand, level.small_blind, level.big_blind) for level in spec.levels] == [
        (1, 1, 2),
        (7, 2, 4),
        (13, 4, 8),
    ]
    assert spec.cutoff.minutes == 45


def test_example_ladder_pts_b3_01_blinds_and_increments_by_hand_number() -> None:
    session = ladder_session(6)
    levels = {level["hand"]: level for level in LADDER_EXAMPLE.expected["levels"]}
    seen: dict[int, dict[str, object]] = {}
    for number in range(1, 14):
        starting = event_of(fold_round(session), ev.HandStarting)
        assert starting.hand_number == number
        increments = [starting.small_bet_chips] * 2 + [starting.big_bet_chips] * 2
        seen[number] = {
            "hand": number,
            "blinds": [starting.small_blind_chips, starting.big_blind_chips],
            "inc": increments,
        }
    assert {number: seen[number] for number in LADDER_EXAMPLE.input["hands"]} == levels


def test_pts_b3_01_the_walk_of_always_folding_is_the_counted_one() -> None:
    session = ladder_session(4)
    for _ in range(15):
        fold_round(session)
    assert [chips - 100 for chips in session.stacks] == KNOWN["walk_ladder_4_15"]


def test_pts_b3_02_void_and_redealt_hands_do_not_advance_the_ladder() -> None:
    session = ladder_session(4)
    for _ in range(6):
        fold_round(session)
    for _ in range(3):
        started = session.start_hand(NOON_MS, full_deck())
        assert event_of(started, ev.HandStarting).hand_number == 7
        assert event_of(started, ev.HandStarting).big_blind_chips == 4
        session.void_hand("A card fell")
    assert event_of(fold_round(session), ev.HandStarting).hand_number == 7


def test_pts_v06_01_a_new_level_never_reaches_a_live_hand() -> None:
    table = points_table(3, format_id="B3")
    for _ in range(5):
        table.deal()
        table.fold_out()
    table.deal()
    assert table_view(table.night, None).level == 0
    table.play("c c k")
    assert table.session.legal_actions().raise_to_min_chips == 2
    table.fold_out()
    assert table.session.hand_number == 7  # PTS-B3-02: completed hands + 1, visible.
    table.deal()
    view = table_view(table.night, None)
    assert (view.hand_number, view.level) == (7, 1)
    # The schedule itself creates no reset.
    table.fold_out()
    table.refuse(reset(0), Reason.RESET_NOT_AGREED, "PTS-B3-03")


# --- PTS-B3-03: the reset ---------------------------------------------------------------------------------------------------


def test_pts_b3_03_all_agree_before_the_first_hand() -> None:
    table = NightTable(announcement(n_seats=3, format_id="B3"))
    table.seat(0, 1, 2)
    assert table.give(inp.AgreeToResets(participant_id=person(0), agrees=True)) == (
        ev.ResetAgreement(seat=0, agrees=True),
    )
    assert table.give(inp.AgreeToResets(participant_id=person(0), agrees=True)) == ()
    for seat in (1, 2):
        table.give(inp.AgreeToResets(participant_id=person(seat), agrees=True))
    assert [seat.agrees_to_resets for seat in table_view(table.night, None).seats] == [True] * 3
    assert event_of(table.open(), ev.NightOpened).resets_agreed is True
    assert table_view(table.night, None).resets_agreed


@pytest.mark.parametrize("how", ["silence", "taken back", "got up and came again"])
def test_pts_b3_03_without_everybodys_word_no_reset_exists(how: str) -> None:
    table = NightTable(announcement(n_seats=3, start_chips=6, format_id="B3"))
    table.seat(0, 1, 2)
    for seat in (0, 1) if how == "silence" else (0, 1, 2):
        table.give(inp.AgreeToResets(participant_id=person(seat), agrees=True))
    if how == "taken back":
        table.give(inp.AgreeToResets(participant_id=person(1), agrees=False))
    elif how == "got up and came again":
        table.give(inp.LeaveSeat(participant_id=person(2)))
        table.give(inp.TakeSeat(participant_id=person(2), seat=2))
        table.give(inp.AcknowledgePosting(participant_id=person(2)))
    assert event_of(table.open(), ev.NightOpened).resets_agreed is False
    bust(table, 1, 2)
    table.refuse(reset(1), Reason.RESET_NOT_AGREED, "PTS-B3-03")


def test_pts_b3_03_a_format_without_the_reset_offers_none() -> None:
    table = NightTable(announcement(n_seats=3))
    table.seat(0, 1, 2)
    table.refuse(inp.AgreeToResets(participant_id=person(0), agrees=True), Reason.RESET_NOT_AGREED, "PTS-B3-03")
    table.open()
    table.refuse(reset(0), Reason.RESET_NOT_AGREED, "PTS-B3-03")


def test_pts_b3_03_nobody_agrees_after_the_opening() -> None:
    table = ladder_table(agree=False)
    table.refuse(inp.AgreeToResets(participant_id=person(0), agrees=True), Reason.CONFIG_LOCKED, "GEN-05")


def test_pts_b3_03_from_exactly_zero_to_the_start_once_and_the_count_follows() -> None:
    table = ladder_table()
    bust(table, 1, 2)
    assert sum(table.chips) == 18
    assert table.give(reset(1)) == (ev.StackReset(seat=1, chips=6),)
    assert table.chips[1] == 6
    assert table.session.issued_chips == sum(table.chips) == 24  # PTS-024: players times start, and the reset.
    view = table_view(table.night, None).seats[1]
    assert (view.has_reset, view.stack_chips, view.status) == (True, 6, "SEATED")
    bust(table, 1, 2)
    table.refuse(reset(1), Reason.RESET_USED, "PTS-B3-03")
    assert table.chips[1] == 0


def test_pts_b3_03_only_from_zero() -> None:
    table = ladder_table()
    table.refuse(reset(0), Reason.RESET_NOT_ZERO, "PTS-B3-03")
    bust(table, 1, 2)
    table.refuse(reset(0), Reason.RESET_NOT_ZERO, "PTS-B3-03")


def test_pts_b3_03_between_hands_only() -> None:
    table = ladder_table(4)
    bust(table, 1, 2)
    table.deal()
    table.refuse(reset(1), Reason.HAND_IN_PROGRESS, "PTS-B3-03")
    table.fold_out()
    table.seal()  # Who is dealt in is fixed with the seal (GEN-08).
    table.refuse(reset(1), Reason.HAND_IN_PROGRESS, "PTS-B3-03")
    table.cut()
    table.fold_out()
    table.give(reset(1))
    assert 1 in event_of(table.seal(), ev.DeckSealed).dealt_in


def test_pts_b3_03_spectators_and_strangers_have_no_reset() -> None:
    table = ladder_table()
    for who in (HOST, "stranger"):
        table.refuse(inp.ResetStack(participant_id=who), Reason.NOT_YOUR_ROLE)


def test_pts_024_example_one_recorded_reset_adds_its_start_to_the_count() -> None:
    given = RESET_EXAMPLE.input
    assert sum(given["stacks"].values()) == given["start"] * (given["players"] + given["resets"])
    table = ladder_table()
    bust(table, 1, 2)
    table.give(reset(1))
    happened = table.give(inp.CloseNight(participant_id=HOST))
    placements = event_of(happened, ev.SessionFinished).placements
    assert sum(placement.stack_chips for placement in placements) == 6 * (3 + 1)


def test_pts_016_a_sole_owner_does_not_end_the_session_while_a_reset_is_open() -> None:
    table = ladder_table(2)
    bust(table, 1, 0)
    assert table.session.has_sole_owner
    assert not events_of(table.events, ev.SessionFinished)
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("FINISH", table.session.cutoff_at_ms)
    table.give(reset(1))
    due = table.night.due()
    assert due is not None
    assert due.kind == "DEAL"
    bust(table, 1, 0)
    # Now nobody can come back: the owner wins at once.
    assert event_of(table.events, ev.SessionFinished).by == "ALL_CHIPS"


def test_pts_016_a_sole_owner_ends_the_session_at_once_without_the_agreement() -> None:
    table = ladder_table(2, agree=False)
    bust(table, 1, 0)
    assert table.night.phase == "FINISHED"


def test_pts_016_who_leaves_with_a_reset_open_lets_the_owner_win() -> None:
    table = ladder_table(2)
    bust(table, 1, 0)
    happened = table.give(inp.LeaveSeat(participant_id=person(1)))
    assert event_of(happened, ev.SessionFinished).by == "ALL_CHIPS"


# --- PTS-B3-04: survival ----------------------------------------------------------------------------------------------------


def test_pts_b3_04_survival_is_listed_apart_from_the_stacks() -> None:
    table = ladder_table(4)
    assert [out_at_hand(table.night, seat) for seat in range(4)] == [0] * 4
    table.deal()
    table.fold_out()
    bust(table, 1, 2)
    assert [out_at_hand(table.night, seat) for seat in range(4)] == [0, 2, 0, 0]
    table.deal()
    assert [out_at_hand(table.night, seat) for seat in range(4)] == [0, 2, 0, 0]  # Also while a hand is played.
    table.fold_out()
    assert [out_at_hand(table.night, seat) for seat in range(4)] == [0, 2, 0, 0]  # The hand of the loss, not the last.


def test_pts_b3_04_who_has_reset_is_in_again_and_out_at_the_second_loss() -> None:
    table = ladder_table(4)
    bust(table, 1, 2)
    assert out_at_hand(table.night, 1) == 1
    table.give(reset(1))
    assert out_at_hand(table.night, 1) == 0
    bust(table, 1, 2)
    assert out_at_hand(table.night, 1) == 2


def test_pts_b3_04_survival_decides_no_place() -> None:
    table = ladder_table(4, start_chips=6)
    bust(table, 1, 2)
    bust(table, 3, 2)
    happened = table.give(inp.CloseNight(participant_id=HOST))
    places = {placement.seat: placement.place for placement in event_of(happened, ev.SessionFinished).placements}
    assert places[1] == places[3]  # Out one hand apart, and tied at nothing.


def test_a_night_with_resets_replays() -> None:
    table = ladder_table(3)
    bust(table, 1, 2)
    table.give(reset(1))
    table.seal()
    table.cut()
    table.fold_out()
    assert replay(table.rows).encode() == table.night.encode()
    assert len(events_of(table.events, ev.StackReset)) == 1
