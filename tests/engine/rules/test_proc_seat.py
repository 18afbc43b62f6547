"""PROC-SEAT-02: one person, one seat, and no seat twice."""

from __future__ import annotations

import pytest

from homegame_engine import events as ev
from homegame_engine.errors import InputError, NotAllowed, ServiceReason
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from tests.night_builders import HOST, NightTable, announcement, event_of, person


def joined_table(*names: str, n_seats: int = 4) -> NightTable:
    """A night that has not begun, with these people in the room."""
    table = NightTable(announcement(n_seats=n_seats))
    for name in names:
        table.give(inp.JoinNight(participant_id=name, name=name.title()))
    return table


def test_proc_seat_02_who_has_a_seat_gets_no_other() -> None:
    table = joined_table("ann")
    table.give(inp.TakeSeat(participant_id="ann", seat=2))
    for seat in (2, 3, None):
        table.refuse(inp.TakeSeat(participant_id="ann", seat=seat), Reason.ALREADY_SEATED, "PROC-SEAT-02")
    table.give(inp.LeaveSeat(participant_id="ann"))
    assert event_of(table.give(inp.TakeSeat(participant_id="ann", seat=3)), ev.SeatTaken).seat == 3


def test_proc_seat_02_a_seat_is_held_by_one_person() -> None:
    table = joined_table("ann", "bob")
    table.give(inp.TakeSeat(participant_id="ann", seat=2))
    before = table.night.encode()
    with pytest.raises(NotAllowed) as caught:
        table.night.apply(inp.TakeSeat(participant_id="bob", seat=2), table.now_ms)
    assert caught.value.reason == ServiceReason.SEAT_TAKEN
    assert table.night.encode() == before
    assert event_of(table.give(inp.TakeSeat(participant_id="bob")), ev.SeatTaken).seat == 0


def test_proc_seat_02_without_a_wish_the_first_free_seat() -> None:
    table = joined_table("ann", "bob", "cat", "dan", "eve")
    table.give(inp.TakeSeat(participant_id="ann", seat=1))
    assert event_of(table.give(inp.TakeSeat(participant_id="bob")), ev.SeatTaken).seat == 0
    assert event_of(table.give(inp.TakeSeat(participant_id="cat")), ev.SeatTaken).seat == 2
    assert event_of(table.give(inp.TakeSeat(participant_id="dan")), ev.SeatTaken).seat == 3
    table.refuse(inp.TakeSeat(participant_id="eve"), Reason.TOO_MANY_PLAYERS, "PTS-006")


@pytest.mark.parametrize("seat", [-1, 4, 10, 2**40])
def test_proc_seat_02_a_seat_that_the_table_does_not_have(seat: int) -> None:
    table = joined_table("ann")
    before = table.night.encode()
    with pytest.raises(InputError):
        table.night.apply(inp.TakeSeat(participant_id="ann", seat=seat), table.now_ms)
    assert table.night.encode() == before


def test_proc_seat_02_only_people_of_the_night_sit_down() -> None:
    table = joined_table()
    table.refuse(inp.TakeSeat(participant_id="stranger", seat=0), Reason.NOT_YOUR_ROLE)
    # The host is one of them.
    assert event_of(table.give(inp.TakeSeat(participant_id=HOST, seat=0)), ev.SeatTaken).name == "Hedda"


def test_proc_seat_02_the_same_person_never_joins_twice() -> None:
    table = joined_table("ann")
    before = table.night.encode()
    for twice in ("ann", HOST):
        with pytest.raises(InputError):
            table.night.apply(inp.JoinNight(participant_id=twice, name="Again"), table.now_ms)
    assert table.night.encode() == before


def test_proc_seat_02_a_seat_of_somebody_who_left_during_play_is_not_given_away() -> None:
    table = NightTable(announcement(n_seats=3))
    table.seat(0, 1, 2)
    table.open()
    table.give(inp.LeaveSeat(participant_id=person(2)))
    table.give(inp.JoinNight(participant_id="late", name="Late"))
    table.refuse(inp.TakeSeat(participant_id="late", seat=2), Reason.CONFIG_LOCKED, "GEN-05")
    assert table.night.seat_of(person(2)) is None
    assert table.night.seated[2].participant_id == person(2)
