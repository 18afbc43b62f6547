"""Choices that several seats make at the same time: one number, one window, one clock for all of them."""

from __future__ import annotations

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import Agree, Check, Declare, Discard, Fold, PassCards
from homegame_engine.cards import full_deck
from homegame_engine.night import inputs as inp
from homegame_engine.night.table_view import table_view
from tests.night_builders import DECISION_MS, NightTable, event_of, events_of, game_table, person, replay

MIXED = bytes(code * 7 % 52 for code in full_deck())
"""A deck without pairs next to each other."""


def at_the_discard(n_players: int = 3) -> NightTable:
    """Crazy pineapple after the flop's betting: everybody owes a card (GAME-CP-01)."""
    table = game_table("CRAZY_PINEAPPLE", "CLUB", n_players)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    while table.session.may_act_mask.bit_count() == 1:
        legal = table.session.legal_actions()
        table.act("c" if "call" in legal.kinds else "k")
    return table


def discard(table: NightTable, seat: int) -> tuple[ev.AnyEvent, ...]:
    return table.act(Discard(held(table, seat)[:1]), seat=seat)


def held(table: NightTable, seat: int) -> tuple[int, ...]:
    hand = table.session.hand
    assert hand is not None
    return hand.hole_cards(seat)


def test_bet_gen_04_all_that_choose_are_asked_with_one_number_and_one_deadline() -> None:
    table = at_the_discard()
    asked = events_of(table.rows[-1].events, ev.ActionRequired)
    assert sorted(event.seat for event in asked) == [0, 1, 2]
    assert {event.action_number for event in asked} == {table.night.action_number}
    assert {event.deadline_at_ms for event in asked} == {table.now_ms + DECISION_MS}
    assert all(event.legal.kinds == ("discard",) and event.legal.seat == event.seat for event in asked)


def test_bet_gen_04_the_number_moves_when_the_last_has_chosen_and_nobody_chooses_twice() -> None:
    table = at_the_discard()
    number, deadline_at_ms = table.night.action_number, table.night.deadline_at_ms
    made = event_of(discard(table, 2), ev.ChoiceMade)
    assert (made.seat, len(made.cards)) == (2, 1)
    assert (table.night.action_number, table.night.deadline_at_ms) == (number, deadline_at_ms)
    table.refuse_act(Discard(held(table, 2)[1:2]), "ACTION_CLOSED", "BET-GEN-03", seat=2)
    table.refuse_act(Check(), "DISCARD_REQUIRED", "GAME-CP-01", seat=0)
    table.refuse_act(Discard(held(table, 1)[:1]), "BAD_DISCARD", "GAME-DISC-01", seat=0)
    assert not events_of(discard(table, 0), ev.ActionRequired)
    happened = discard(table, 1)
    assert table.night.action_number == number + 1
    assert event_of(happened, ev.ActionRequired).seat == table.session.actor
    late = inp.Act(participant_id=person(1), action_number=number, action=Discard(held(table, 1)[:1]))
    table.refuse(late, "STALE_ACTION", "BET-GEN-04")


def test_game_disc_02_proc_clk_03_the_clock_chooses_for_everybody_who_has_not() -> None:
    table = at_the_discard()
    discard(table, 1)
    last = {seat: held(table, seat)[-1] for seat in (0, 2)}
    happened = table.time_out()
    assert sorted(event.seat for event in events_of(happened, ev.DecisionTimedOut)) == [0, 2]
    assert {event.seat: event.cards for event in events_of(happened, ev.ChoiceMade)} == {
        seat: (card,) for seat, card in last.items()
    }
    assert event_of(happened, ev.ActionRequired).action_number == table.night.action_number


def test_proc_clk_05_a_choice_at_the_deadline_is_too_late() -> None:
    table = at_the_discard()
    assert table.night.deadline_at_ms is not None
    table.now_ms = table.night.deadline_at_ms
    table.refuse_act(Discard(held(table, 0)[:1]), "ACTION_CLOSED", "PROC-CLK-05", seat=0)


def test_proc_clk_02_one_token_lengthens_the_window_of_all_once() -> None:
    table = at_the_discard()
    before_ms = table.night.deadline_at_ms or 0
    token = inp.UseTimeBank(participant_id=person(2), action_number=table.night.action_number)
    used = event_of(table.give(token), ev.TimeBankUsed)
    assert used.deadline_at_ms == before_ms + table.created.time_bank_ms == table.night.deadline_at_ms
    other = inp.UseTimeBank(participant_id=person(1), action_number=table.night.action_number)
    table.refuse(other, "TIMEBANK_USED", "PROC-CLK-02")
    discard(table, 0)
    done = inp.UseTimeBank(participant_id=person(0), action_number=table.night.action_number)
    table.refuse(done, "OUT_OF_TURN", "BET-GEN-01")


@pytest.mark.parametrize("when", ["before", "during"])
def test_pts_019_nobody_waits_for_a_player_who_got_up(when: str) -> None:
    table = game_table("CRAZY_PINEAPPLE", "CLUB", 3)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    while table.session.may_act_mask.bit_count() == 1:
        legal = table.session.legal_actions()
        if (
            when == "before"
            and table.session.actor == 2
            and table.session.hand is not None
            and table.session.hand.street
        ):
            table.act("k")
            table.give(inp.LeaveSeat(participant_id=person(2)))
        else:
            table.act("c" if "call" in legal.kinds else "k")
    if when == "during":
        number = table.night.action_number
        happened = table.give(inp.LeaveSeat(participant_id=person(2)))
        assert event_of(happened, ev.ChoiceMade).seat == 2
        assert table.night.action_number == number
    assert table.session.may_act_mask == 0b011
    assert any(event.seat == 2 for event in events_of(table.events, ev.DecisionTimedOut))


def test_game_disc_01_each_seat_is_shown_its_own_choice_and_nobody_elses() -> None:
    table = at_the_discard()
    card = held(table, 1)[0]
    discard(table, 1)
    own, other, spectator = (table_view(table.night, viewer) for viewer in (1, 2, None))
    assert own.may_act == other.may_act == spectator.may_act == (0, 2)
    assert other.legal is not None
    assert other.legal.seat == 2
    assert card in own.seats[1].cards
    assert card not in other.seats[1].cards + spectator.seats[1].cards
    assert own.hand_phase == "CHOOSING"


def test_game_decl_07_who_does_not_declare_in_time_went_high() -> None:
    table = game_table("DRAW_DECLARE", "HOUSE_NIGHT", 3)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    while "declare" not in table.session.legal_actions().kinds:
        legal = table.session.legal_actions()
        table.act("k") if "check" in legal.kinds else table.time_out()
    table.act(Declare("LOW"), seat=2)
    table.refuse_act(Declare("HIGH"), "ACTION_CLOSED", "BET-GEN-03", seat=2)
    declared = event_of(table.time_out(), ev.HalvesDeclared)
    assert {one.seat: one.half for one in declared.declarations} == {0: "HIGH", 1: "HIGH", 2: "LOW"}
    assert [seat.declared for seat in table_view(table.night, None).seats] == ["HIGH", "HIGH", "LOW"]
    table.refuse_act(Declare("HIGH"), "DECLARE_CLOSED", "GAME-DECL-01")


def test_game_dc_04_cards_are_passed_when_the_last_has_chosen() -> None:
    table = game_table("ANACONDA", "HOUSE_NIGHT", 3)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    while "pass" not in table.session.legal_actions().kinds:
        table.act("k")
    count = table.session.legal_actions().cards_min or 0
    gave = {seat: held(table, seat)[:count] for seat in range(3)}
    happened: tuple[ev.AnyEvent, ...] = ()
    for seat in (1, 0, 2):
        happened = table.act(PassCards(gave[seat]), seat=seat)
    passed = events_of(happened, ev.CardsPassed)
    assert {event.from_seat: event.cards for event in passed} == gave
    assert all(event.cards == held(table, event.seat)[-count:] for event in passed)


# --- Beside the turn ------------------------------------------------------------------------------------------------------


def test_house_bet_06_a_fold_out_of_turn_leaves_the_turn_where_it_is() -> None:
    table = game_table("FIVE_CARD_DRAW", "HOUSE_NIGHT", 4)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    number, deadline_at_ms, actor = table.night.action_number, table.night.deadline_at_ms, table.session.actor
    folder = (actor + 2) % 4
    happened = table.act(Fold(), seat=folder)
    assert event_of(happened, ev.PlayerFolded).seat == folder
    assert (table.night.action_number, table.night.deadline_at_ms, table.session.actor) == (
        number,
        deadline_at_ms,
        actor,
    )
    table.refuse_act(Fold(), "HAND_OVER", "BET-GEN-06", seat=folder)


def test_pot_agr_01_a_division_named_takes_no_turn_and_ends_the_hand_when_all_agree() -> None:
    table = game_table("FIVE_CARD_DRAW", "HOUSE_NIGHT", 3)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    number = table.night.action_number
    shares = Agree((25, 25, 25))
    table.refuse_act(Agree((25, 25, 0)), "SPLIT_SUM_MISMATCH", "POT-AGR-01", seat=1)
    for seat in (table.session.actor, (table.session.actor + 1) % 3):
        assert event_of(table.act(shares, seat=seat), ev.DivisionNamed).seat == seat
        assert table.night.action_number == number
    happened = table.act(shares, seat=(table.session.actor + 2) % 3)
    assert event_of(happened, ev.PotDivided).shares == (25, 25, 25)
    assert event_of(happened, ev.HandEnded).net_chips == (0, 0, 0)
    assert table.night.rows[-1].end_chips == (4000, 4000, 4000)


def test_pot_agr_02_where_agreements_are_forbidden_none_is_named() -> None:
    table = game_table("FIVE_CARD_DRAW", "CLUB", 3)
    table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    table.refuse_act(Agree((5, 5, 5)), "AGREEMENT_FORBIDDEN", "POT-AGR-02")


# --- What stays in the middle ---------------------------------------------------------------------------------------------


def test_game_dc_06_the_pot_is_dealt_for_again_with_the_same_button() -> None:
    table = game_table("JACKS_TRIPS", "HOUSE_NIGHT", 3)
    table.give(inp.StartHand(deck_order=bytes(full_deck())), after_ms=3_000)
    happened: tuple[ev.AnyEvent, ...] = ()
    while table.session.hand_is_live:
        happened = table.act("k")  # Nobody opens.
    carried = event_of(happened, ev.PotCarried)
    assert (carried.chips, carried.redeal_seats) == (75, (0, 1, 2))
    assert (table.night.rows[-1].carry_chips, table_view(table.night, None).carry_chips) == (75, 75)
    again = table.give(inp.StartHand(deck_order=MIXED), after_ms=3_000)
    assert event_of(again, ev.HandStarting).button == event_of(table.rows[-5].events, ev.HandStarting).button
    assert table.session.hand is not None
    assert table.session.hand.pot_chips == 150


def test_a_night_of_choices_is_the_fold_of_its_rows() -> None:
    table = at_the_discard()
    discard(table, 2)
    table.give(inp.UseTimeBank(participant_id=person(0), action_number=table.night.action_number))
    table.give(inp.LeaveSeat(participant_id=person(1)))
    table.time_out()
    while table.session.hand_is_live:
        table.time_out()
    assert replay(table.rows).state_hash() == table.night.state_hash()
