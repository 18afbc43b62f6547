"""PROC-BTN-01 and PROC-BTN-03: the button goes from active seat to active seat, and positions are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import Fold
from homegame_engine.cards import full_deck
from homegame_engine.errors import InputError
from homegame_engine.night import inputs as inp
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
    points_session,
    points_table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.session import Session


def buttons_of(session: Session, n_hands: int) -> list[int]:
    """Seats that had the button over some hands."""
    return [event_of(fold_round(session), ev.HandStarting).button for _ in range(n_hands)]


def positions(happened: Sequence[ev.AnyEvent]) -> tuple[int, int, int]:
    """Button, small blind and big blind of the hand that was dealt."""
    starting = event_of(happened, ev.HandStarting)
    return starting.button, starting.small_blind_seat, starting.big_blind_seat


def bust(table: NightTable, loser: int, winner: int) -> None:
    """Play hands in which these two put in what they may, until the loser has nothing; everybody else folds."""
    while table.chips[loser] > 0:
        table.deal({winner: "As Ah", loser: "2c 7d"}, "Ad Ac 9s 9h 3d")
        while table.session.hand_is_live:
            legal = table.session.legal_actions()
            wanted = ("raise", "bet", "call", "check", "show") if legal.seat in (winner, loser) else ("fold", "check")
            word = next(kind for kind in wanted if kind in legal.kinds)
            amount = str(legal.raise_to_max_chips) if word in ("raise", "bet") else ""
            table.act({"check": "k"}.get(word, word[0]) + amount)


# --- PROC-BTN-01 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", [2, 3, 6, 10])
def test_proc_btn_01_the_button_moves_one_seat_after_each_hand(n_players: int) -> None:
    session = points_session(n_players, first_button=n_players - 1)
    assert buttons_of(session, n_players + 1) == [n_players - 1, *range(n_players)]


def test_proc_btn_01_the_blinds_follow_from_the_button() -> None:
    session = points_session(4, first_button=2)
    assert positions(fold_round(session)) == (2, 3, 0)
    assert positions(fold_round(session)) == (3, 0, 1)


def test_proc_btn_01_empty_chairs_never_have_the_button() -> None:
    session = points_session(9, seated=[1, 4, 8], first_button=4)
    assert buttons_of(session, 6) == [4, 8, 1, 4, 8, 1]


def test_proc_btn_01_the_first_button_is_drawn_among_occupied_seats() -> None:
    for draw, seat in enumerate([1, 3, 5]):
        table = NightTable(announcement(n_seats=6))
        table.seat(5, 1, 3)
        happened = table.give(inp.OpenNight(participant_id=HOST, button_draw=draw))
        assert event_of(happened, ev.ButtonPlaced).seat == seat
    table = NightTable(announcement(n_seats=6))
    table.seat(5, 1, 3)
    before = table.night.encode()
    for draw in (-1, 3):
        with pytest.raises(InputError):
            table.night.apply(inp.OpenNight(participant_id=HOST, button_draw=draw), table.now_ms)
    assert table.night.encode() == before


def test_proc_btn_01_a_void_hand_does_not_move_the_button() -> None:
    table = points_table(3, button=1)
    for _ in range(2):
        table.deal()
        table.give(inp.VoidHand(participant_id=HOST, reason="a card fell"))
    assert table.session.button == 1
    table.deal()
    assert event_of(table.rows[-1].events, ev.HandStarting).button == 1
    assert table.session.hand_number == 1


def test_proc_btn_01_no_dead_button_when_a_seat_busts_and_from_three_to_two() -> None:
    # Seat 1 busts with the button at seat 0: the next button is seat 2, which would have met the small blind.
    table = points_table(3, button=0)
    bust(table, loser=1, winner=2)
    last_button = table.night.rows[-1].button
    next_active = {0: 2, 1: 2, 2: 0}[last_button]
    assert table.session.button == next_active
    table.deal()
    button, small_blind, big_blind = positions(table.rows[-1].events)
    # Heads-up now: the button has the small blind (BET-GEN-11).
    assert (button, small_blind, big_blind) == (next_active, next_active, 2 - next_active)


def test_proc_btn_01_b34_the_blinds_move_on_while_a_seat_sits_out_on_the_button() -> None:
    table = points_table(3, button=2)
    table.give(inp.SitOut(participant_id=person(2)))
    seen = []
    for _ in range(4):
        table.deal()
        seen.append(positions(table.rows[-1].events))
        table.fold_out()
    assert [big_blind for _, _, big_blind in seen] == [1, 0, 1, 0]
    assert [button for button, _, _ in seen] == [0, 1, 0, 1]
    # On return the seat owes nothing: it has its hundred and is dealt in as any other (PTS-019).
    table.give(inp.SitIn(participant_id=person(2)))
    assert table.chips[2] == 100
    table.deal()
    assert event_of(table.rows[-1].events, ev.HandStarting).dealt_in == (0, 1, 2)
    assert {event.seat for event in events_of(table.rows[-1].events, ev.BlindPosted)} == {1, 2}


@pytest.mark.parametrize("leavers", [(0, 1, 2), (1, 2)])
def test_proc_btn_01_the_button_moves_on_when_the_others_pass_and_come_back(leavers: tuple[int, ...]) -> None:
    # Seat 0 has had the button; nobody, or it alone, is active when its hand ends.
    table = points_table(3, button=0)
    table.deal()
    for seat in leavers:
        table.give(inp.SitOut(participant_id=person(seat)))
    table.fold_out()
    for seat in leavers:
        table.give(inp.SitIn(participant_id=person(seat)))
    table.deal()
    assert positions(table.rows[-1].events) == (1, 2, 0)


def test_proc_btn_01_the_seat_next_to_the_button_may_still_pass_when_play_goes_on() -> None:
    table = points_table(4, button=0)
    table.deal()
    for seat in (1, 2, 3):
        table.give(inp.SitOut(participant_id=person(seat)))
    table.fold_out()
    table.give(inp.SitIn(participant_id=person(3)))
    table.deal()
    assert positions(table.rows[-1].events) == (3, 3, 0)


# --- PROC-BTN-03 ------------------------------------------------------------------------------------------------------------


def test_proc_btn_03_a_position_is_ticked_when_its_hand_is_completed_and_the_last_one_ends_the_orbit() -> None:
    session = points_session(3, first_button=1)
    assert session.start_hand(NOON_MS, full_deck())
    assert session.ticked_mask == 0
    while session.hand_is_live:
        session.apply(session.actor, Fold())
    assert session.ticked_mask == 0b010
    fold_round(session)
    assert (session.ticked_mask, session.orbits_completed) == (0b110, 0)
    happened = fold_round(session)
    assert event_of(happened, ev.OrbitCompleted).orbit_number == 1
    assert (session.ticked_mask, session.orbits_completed) == (0, 1)


def test_proc_btn_03_a_void_hand_ticks_nothing() -> None:
    table = points_table(2)
    table.deal()
    table.give(inp.VoidHand(participant_id=HOST, reason="misdeal"))
    assert (table.session.ticked_mask, table.session.orbits_completed) == (0, 0)


def test_proc_btn_03_a_passing_position_is_ticked_without_a_hand() -> None:
    table = points_table(4, button=0)
    table.give(inp.SitOut(participant_id=person(1)))
    orbits = []
    for _ in range(6):
        table.deal()
        orbits += [event.orbit_number for event in events_of(table.fold_out(), ev.OrbitCompleted)]
    assert orbits == [1, 2]
    assert table.session.hands_completed == 6


def test_proc_btn_03_an_orbit_that_ends_because_its_last_seat_passes_is_told() -> None:
    table = points_table(3, button=0)
    for _ in range(2):
        table.deal()
        table.fold_out()
    assert (table.session.button, table.session.orbits_completed) == (2, 0)
    table.give(inp.SitOut(participant_id=person(2)))
    table.deal()
    happened = table.rows[-1].events
    assert isinstance(happened[0], ev.OrbitCompleted)
    assert (happened[0].orbit_number, event_of(happened, ev.HandStarting).orbit_number) == (1, 2)
    assert table.session.orbits_completed == 1


def test_proc_btn_03_the_roster_is_written_before_play_in_seat_order() -> None:
    table = NightTable(announcement(n_seats=8))
    table.seat(7, 0, 3)
    assert event_of(table.open(), ev.NightOpened).roster == (0, 3, 7)
    assert table.session.roster_mask == 0b10001001


def test_proc_btn_03_positions_that_never_had_the_button_are_named_at_the_end() -> None:
    table = points_table(4, button=2, cutoff_after_ms=MINUTE_MS)
    table.deal()
    table.fold_out()
    finished = event_of(table.give(inp.FinishSession(), after_ms=2 * MINUTE_MS), ev.SessionFinished)
    assert (finished.orbits, finished.incomplete_positions) == (0, (0, 1, 3))


def test_proc_btn_03_no_position_is_ticked_behind_the_last_hand_when_one_player_has_everything() -> None:
    # The button never reached the seat that busted, and no hand is left to reach it: the orbit is cut short (PTS-025).
    table = points_table(2, button=0)
    bust(table, loser=1, winner=0)
    finished = event_of(table.events, ev.SessionFinished)
    last = table.night.rows[-1]
    assert finished.by == "ALL_CHIPS"
    assert finished.orbits == finished.hands // 2
    assert finished.incomplete_positions == ((1,) if last.button == 0 else ())
    assert not events_of(table.rows[-1].events, ev.ButtonPlaced)
