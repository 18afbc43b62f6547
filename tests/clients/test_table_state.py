"""A view brought up to date from events: amounts are copied, nothing is judged, what is not told is asked for."""

from __future__ import annotations

import pytest

from homegame.v1 import events_pb2 as ev
from homegame.v1.actions_pb2 import ActionKind, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game, Level, Street
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


def test_a_new_hand_says_what_it_is_played_for() -> None:
    view = turn_on_the_flop()
    del view.posting.levels[:]
    view.posting.levels.append(Level(from_hand=1, small_bet_chips=2, big_bet_chips=4, stake_chips=25, min_open_chips=7))
    state = TableState(view)
    killed = ev.HandStarting(hand_number=8, game_id="STUD7", small_bet_chips=4, big_bet_chips=8, ante_chips=3)
    state.apply(ev.TableEvent(number=91, hand_starting=killed))
    assert state.view.game_id == "STUD7"
    assert state.view.stakes == Level(
        from_hand=8, small_bet_chips=4, big_bet_chips=8, ante_chips=3, stake_chips=25, min_open_chips=7
    )
    state.apply(ev.TableEvent(number=92, hand_starting=ev.HandStarting(hand_number=9)))  # Of an older server.
    assert (state.view.stakes.from_hand, state.view.stakes.small_bet_chips) == (9, 2)


def test_other_cards_are_other_wild_ones() -> None:
    view = turn_on_the_flop()
    view.viewer_seat = 1
    view.seats[1].wild_positions[:] = [0]
    state = TableState(view)
    state.apply(ev.TableEvent(number=91, up_cards_dealt=ev.UpCardsDealt(seat=1, cards=[Card.CARD_TWO_OF_CLUBS])))
    assert list(state.view.seats[1].wild_positions) == []


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


# --- Games with choices ---------------------------------------------------------------------------------------------------


def asked(seat: int, *kinds: ActionKind.ValueType, number: int = 40) -> ev.TableEvent:
    legal = LegalActions(seat=seat, kinds=kinds, cards_min=1, cards_max=1)
    return ev.TableEvent(action_required=ev.ActionRequired(seat=seat, action_number=number, legal=legal))


def test_of_several_who_choose_the_viewer_is_shown_the_own_choice_until_it_is_made() -> None:
    discard = ActionKind.ACTION_KIND_DISCARD
    state = state_after()
    state.view.viewer_seat = 0
    for number, seat in ((91, 1), (92, 2), (93, 0)):
        state.apply(ev.TableEvent(number=number, action_required=asked(seat, discard).action_required))
    assert (list(state.view.may_act), state.view.legal.seat, state.is_own_turn) == ([0, 1, 2], 0, True)
    own = list(state.view.seats[0].cards)
    made = ev.ChoiceMade(seat=0, choice=ev.Choice.CHOICE_DISCARD, cards=own[:1])
    state.apply(ev.TableEvent(number=94, choice_made=made))
    assert (list(state.view.may_act), state.view.legal.seat, state.is_own_turn) == ([1, 2], 1, False)
    assert (state.view.action_number, list(state.view.seats[0].cards)) == (40, own)  # Everybody's leave at once.
    for number, seat in ((95, 1), (96, 2)):
        made = ev.ChoiceMade(seat=seat, choice=ev.Choice.CHOICE_DECLARE)
        state.apply(ev.TableEvent(number=number, choice_made=made))
    assert (list(state.view.may_act), list(state.view.seats[0].cards)) == ([], own[1:])


def test_drawn_cards_come_behind_those_that_were_kept() -> None:
    own = list(state_after().view.seats[0].cards)
    drawn = ev.CardsDrawn(seat=0, discarded=own[:1], cards=[Card.CARD_TWO_OF_CLUBS])
    state = state_after(ev.TableEvent(cards_drawn=drawn))
    assert list(state.view.seats[0].cards) == [own[1], Card.CARD_TWO_OF_CLUBS]
    assert state.view.seats[0].drawn_count == 1


def test_cards_face_up_are_known_by_their_positions() -> None:
    state = state_after(
        ev.TableEvent(up_cards_dealt=ev.UpCardsDealt(seat=0, cards=[Card.CARD_KING_OF_CLUBS])),
        ev.TableEvent(hole_cards_dealt=ev.HoleCardsDealt(seat=0, cards=[Card.CARD_HIDDEN])),
    )
    before = len(state_after().view.seats[0].cards)
    assert list(state.view.seats[0].up_positions) == [before]
    assert len(state.view.seats[0].cards) == before + 2


def test_a_seat_that_folded_where_nobody_wagered_leaves_the_layers_at_the_showdown() -> None:
    layers = [ev.LayerShown(chips=30, seats=[0, 1, 2]), ev.LayerShown(chips=8, seats=[0, 1])]
    state = state_after(
        ev.TableEvent(bets_collected=ev.BetsCollected(layers=layers)),
        ev.TableEvent(player_folded=ev.PlayerFolded(seat=2)),
        ev.TableEvent(showdown_started=ev.ShowdownStarted(seats=[1, 0])),
    )
    assert [(layer.chips, list(layer.seats)) for layer in state.view.layers] == [(38, [0, 1])]


def test_a_called_game_names_the_streets_of_the_next_hand() -> None:
    game = Game(game_id="STUD7", streets=[Street(name="third"), Street(name="fourth")])
    starting = ev.HandStarting(hand_number=8, button=1, stacks=[100] * 6, dealt_in=[0, 1])
    state = state_after(
        ev.TableEvent(call_required=ev.CallRequired(seat=1, action_number=41, deadline_at_ms=5)),
        ev.TableEvent(game_called=ev.GameCalled(seat=1, game=game, action_number=42, deadline_at_ms=9)),
        ev.TableEvent(seat_sat_out=ev.SeatSatOut(seat=2, this_hand=True)),
    )
    assert not state.view.HasField("caller_seat")
    assert (state.view.action_number, state.view.deadline_at_ms, list(state.view.sitting_out)) == (42, 9, [2])
    state.apply(ev.TableEvent(number=94, hand_starting=starting))
    assert (state.view.game_id, state.view.street_name) == ("STUD7", "third")


def test_a_seat_asked_to_draw_again_without_a_turn_between_asks_for_the_table() -> None:
    draw = ActionKind.ACTION_KIND_DRAW
    state = state_after(asked(1, draw, number=40), ev.TableEvent(cards_drawn=ev.CardsDrawn(seat=1)))
    assert not state.is_incomplete
    state.apply(ev.TableEvent(number=93, action_required=asked(1, draw, number=41).action_required))
    assert state.is_incomplete  # All-in: the betting round between the two draws went by.


def test_a_mucked_hand_leaves_the_layers_that_others_can_win() -> None:
    layers = [ev.LayerShown(chips=30, seats=[0, 1]), ev.LayerShown(chips=8, seats=[1])]
    state = state_after(
        ev.TableEvent(bets_collected=ev.BetsCollected(layers=layers)),
        ev.TableEvent(hand_mucked=ev.HandMucked(seat=1)),
    )
    assert [list(layer.seats) for layer in state.view.layers] == [[0], [1]]
