"""A view brought up to date from events: amounts are copied, nothing is judged, what is not told is asked for."""

from __future__ import annotations

import pytest

from homegame.v1 import events_pb2 as ev
from homegame.v1.cards_pb2 import Card
from homegame.v1.sheets_pb2 import FinishReason, Placement
from homegame.v1.views_pb2 import HandPhase, SeatHand
from homegame_client import TableState
from tests.clients.sample_tables import turn_on_the_flop


def state_after(*events: ev.TableEvent) -> TableState:
    state = TableState(turn_on_the_flop(), ["PREFLOP", "FLOP", "TURN", "RIVER"])
    for offset, event in enumerate(events, start=1):
        event.number = 90 + offset
        state.apply(event)
    return state


def test_a_call_moves_chips_and_ends_the_turn() -> None:
    state = state_after(ev.TableEvent(player_called=ev.PlayerCalled(seat=1, chips=2, to_chips=2)))
    seat = state.view.seats[1]
    assert (seat.stack_chips, seat.street_chips, state.view.pot_chips) == (98, 2, 40)
    assert not state.view.HasField("legal")
    assert not state.view.HasField("deadline_at_ms")
    assert list(state.view.may_act) == []


def test_a_new_street_names_itself_and_empties_the_fronts() -> None:
    state = state_after(
        ev.TableEvent(bets_collected=ev.BetsCollected(layers=[ev.LayerShown(chips=38, seats=[0, 1])])),
        ev.TableEvent(board_dealt=ev.BoardDealt(street=2, cards=[Card.CARD_KING_OF_CLUBS])),
    )
    assert [seat.street_chips for seat in state.view.seats] == [0] * 6
    assert state.view.street_name == "TURN"
    assert len(state.view.board) == 4


def test_a_fold_takes_hidden_cards_out_of_sight() -> None:
    state = state_after(ev.TableEvent(player_folded=ev.PlayerFolded(seat=1)))
    assert state.view.seats[1].hand == SeatHand.SEAT_HAND_FOLDED
    assert list(state.view.seats[1].cards) == []


def test_a_new_hand_clears_the_old_one() -> None:
    starting = ev.HandStarting(hand_number=8, button=1, stacks=[100, 90, 110, 100, 0, 200], dealt_in=[0, 1, 2, 3, 5])
    state = state_after(ev.TableEvent(hand_starting=starting))
    view = state.view
    assert (view.hand_number, view.button, view.street_name, len(view.board), view.pot_chips) == (8, 1, "PREFLOP", 0, 0)
    assert [seat.stack_chips for seat in view.seats] == [100, 90, 110, 100, 0, 200]
    assert [seat.seat for seat in view.seats if seat.hand == SeatHand.SEAT_HAND_LIVE] == [0, 1, 2, 3, 5]


def test_an_award_goes_to_the_winners_and_the_end_asks_for_the_rest() -> None:
    shares = [ev.Share(seat=0, chips=20), ev.Share(seat=1, chips=18)]
    state = state_after(ev.TableEvent(layer_awarded=ev.LayerAwarded(layer=0, chips=38, shares=shares)))
    assert (state.view.seats[0].stack_chips, state.view.seats[1].stack_chips, state.view.pot_chips) == (120, 118, 0)
    assert not state.is_incomplete
    state.apply(ev.TableEvent(number=92, hand_ended=ev.HandEnded(hand_number=7, stacks=[120, 118, 100, 0, 0, 1284])))
    assert state.view.hand_phase == HandPhase.HAND_PHASE_OVER
    assert state.is_incomplete


def test_the_end_of_the_session_brings_the_places() -> None:
    finished = ev.SessionFinished(placements=[Placement(seat=5, place=1)], by=FinishReason.FINISH_REASON_CUTOFF)
    state = state_after(ev.TableEvent(session_finished=finished))
    assert [standing.seat for standing in state.view.standings] == [5]
    assert state.view.finish_reason == FinishReason.FINISH_REASON_CUTOFF


def test_an_event_of_an_unknown_kind_keeps_its_number_and_asks_for_the_table() -> None:
    state = state_after(ev.TableEvent())
    assert state.view.last_number == 91
    assert state.is_incomplete


def test_events_that_the_view_holds_already_change_nothing_and_a_gap_is_an_error() -> None:
    state = state_after()
    before = state.view.SerializeToString(deterministic=True)
    state.apply(ev.TableEvent(number=90, player_folded=ev.PlayerFolded(seat=0)))
    assert state.view.SerializeToString(deterministic=True) == before
    with pytest.raises(ValueError, match="expected event 91"):
        state.apply(ev.TableEvent(number=92))


def test_an_older_view_never_replaces_a_newer_state() -> None:
    state = state_after(ev.TableEvent())
    state.replace(turn_on_the_flop())
    assert state.view.last_number == 91
    newer = turn_on_the_flop()
    newer.last_number = 95
    state.replace(newer)
    assert state.view.last_number == 95
    assert not state.is_incomplete
