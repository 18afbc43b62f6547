"""PROC-SHUF-01, PROC-SHUF-02 and GEN-08 at the table: sealed, cut by the next player, dealt; and nothing moves between."""

from __future__ import annotations

import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Call, Cut, Fold
from homegame_engine.deal_proof import cut
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.night import inputs as inp
from homegame_engine.night.table_view import table_view
from homegame_engine.reasons import Reason
from homegame_engine.specs import Burn
from tests.night_builders import (
    HOST,
    MINUTE_MS,
    PAUSE_MS,
    NightTable,
    event_of,
    events_of,
    person,
    points_table,
    replay,
)
from tests.strategies import shuffled_deck

CUT_MS = 10_000
DECK = shuffled_deck(9)
ROOT = bytes(range(32))


def sealed_table(n_players: int = 3, *, button: int = 0, cutoff_after_ms: int = 45 * MINUTE_MS) -> NightTable:
    table = points_table(n_players, button=button, cutoff_after_ms=cutoff_after_ms)
    table.seal(DECK, root=ROOT)
    return table


def act_of(table: NightTable, seat: int, position: int) -> inp.Act:
    return inp.Act(participant_id=person(seat), action_number=table.night.action_number, action=Cut(position))


# --- The seal ---------------------------------------------------------------------------------------------------------------


def test_proc_shuf_01_the_root_is_published_before_the_cut_with_who_is_dealt_in_and_no_card() -> None:
    table = points_table(3, button=1)
    happened = table.seal(DECK, root=ROOT)
    steps = tuple(Burn(count=1) if isinstance(step, Burn) else step for step in catalog.game("HOLDEM").steps)
    assert happened[0] == ev.DeckSealed(hand_number=1, attempt=1, root=ROOT, button=1, dealt_in=(0, 1, 2), steps=steps)
    assert [type(event) for event in happened] == [ev.DeckSealed, ev.ActionRequired]
    assert not table.session.hand_is_live
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("CUT", table.now_ms + CUT_MS)


def test_proc_shuf_02_the_next_player_is_asked_and_the_cards_above_the_cut_go_to_the_bottom() -> None:
    table = sealed_table(button=1)
    assert table.night.actor == 2  # The first active seat clockwise from the dealer.
    happened = table.cut(17)
    assert happened[0] == ev.DeckCut(seat=2, position=17, by_clock=False)
    dealt = cut(DECK, 17)
    # PROC-DEAL-01: one card at a time from the button's left, seats 2, 0, 1.
    assert {event.seat: event.cards for event in events_of(happened, ev.HoleCardsDealt)} == {
        2: (dealt[0], dealt[3]),
        0: (dealt[1], dealt[4]),
        1: (dealt[2], dealt[5]),
    }


@pytest.mark.parametrize("position", [-1, 0, 52, 1000])
def test_proc_shuf_02_a_cut_outside_1_to_51_is_refused(position: int) -> None:
    table = sealed_table()
    refused = table.refuse(act_of(table, 1, position), Reason.BAD_CUT, "PROC-SHUF-02")
    assert isinstance(refused, RuleViolation)
    assert dict(refused.facts) == {"cut_position_min": 1, "cut_position_max": 51}


@pytest.mark.parametrize("seat", [0, 2])
def test_proc_shuf_02_nobody_else_cuts(seat: int) -> None:
    table = sealed_table()
    table.refuse(act_of(table, seat, 17), Reason.NOT_YOUR_ROLE, "PROC-SHUF-02")


def test_proc_shuf_02_everything_else_waits_for_the_cut() -> None:
    table = sealed_table()
    number = table.night.action_number
    for seat, action, reason in ((1, Fold(), "ACTION_UNKNOWN"), (0, Call(), "OUT_OF_TURN")):
        table.refuse(inp.Act(participant_id=person(seat), action_number=number, action=action), reason)
    again = inp.SealDeck(deck_order=DECK, key=bytes(32), root=ROOT)
    table.refuse(again, Reason.HAND_IN_PROGRESS, "PROC-SHUF-02")
    table.refuse(inp.StartHand(deck_order=DECK), Reason.HAND_IN_PROGRESS, "PROC-SHUF-02")
    stale = inp.Act(participant_id=person(1), action_number=number - 1, action=Cut(17))
    table.refuse(stale, Reason.STALE_ACTION, "BET-GEN-04")
    table.refuse(inp.UseTimeBank(participant_id=person(1), action_number=number), Reason.HAND_OVER, "BET-GEN-06")


def test_proc_shuf_01_only_a_whole_deck_is_sealed_and_only_when_a_hand_may_start() -> None:
    table = points_table(3)
    for deck in (DECK[:-1], DECK[:-1] + DECK[:1], b""):
        given = inp.SealDeck(deck_order=deck, key=bytes(32), root=ROOT)
        table.refuse(given, Reason.BAD_DECK, "PTS-001", after_ms=PAUSE_MS)
    table.seal(DECK)
    table.cut()
    given = inp.SealDeck(deck_order=DECK, key=bytes(32), root=ROOT)
    table.refuse(given, Reason.HAND_IN_PROGRESS)


def test_a_cut_without_a_sealed_deck_is_no_action_of_a_hand() -> None:
    table = points_table(3)
    table.deal()
    given = inp.Act(participant_id=person(table.night.actor), action_number=table.night.action_number, action=Cut(17))
    table.refuse(given, Reason.ACTION_UNKNOWN)


def test_proc_shuf_02_the_cut_is_the_open_decision_of_the_view() -> None:
    table = sealed_table()
    for viewer in (None, 0, 1):
        view = table_view(table.night, viewer)
        assert (view.may_act, view.deadline_at_ms) == ((1,), table.now_ms + CUT_MS)
        assert view.legal is not None
        assert (view.legal.kinds, view.legal.cut_position_min, view.legal.cut_position_max) == (("cut",), 1, 51)
        assert all(seat.cards == () for seat in view.seats)


# --- The clock --------------------------------------------------------------------------------------------------------------


def test_proc_shuf_02_after_ten_seconds_without_an_answer_the_server_draws() -> None:
    table = sealed_table()
    number = table.night.action_number
    with pytest.raises(InputError, match="still open"):
        table.night.apply(inp.DrawCut(action_number=number, cut_position=5), table.now_ms + CUT_MS - 1)
    # Exactly at the end the player is too late (PROC-CLK-05), and the draw is in time.
    table.refuse(act_of(table, 1, 17), Reason.ACTION_CLOSED, "PROC-CLK-05", after_ms=CUT_MS)
    happened = table.give(inp.DrawCut(action_number=number, cut_position=5), after_ms=CUT_MS)
    assert happened[0] == ev.DeckCut(seat=1, position=5, by_clock=True)
    assert event_of(happened, ev.HandStarting).hand_number == 1
    table.refuse(inp.DrawCut(action_number=number, cut_position=5), Reason.STALE_ACTION, "BET-GEN-04")


def test_proc_shuf_02_one_millisecond_before_the_end_is_in_time() -> None:
    table = sealed_table()
    assert event_of(table.cut(51, after_ms=CUT_MS - 1), ev.DeckCut).by_clock is False


@pytest.mark.parametrize("position", [0, 52])
def test_proc_shuf_02_the_servers_draw_is_judged_too(position: int) -> None:
    table = sealed_table()
    given = inp.DrawCut(action_number=table.night.action_number, cut_position=position)
    table.refuse(given, Reason.BAD_CUT, "PROC-SHUF-02", after_ms=CUT_MS)


def test_the_window_of_the_cut_is_posted() -> None:
    table = points_table(3)
    created = event_of(table.rows[0].events, ev.NightCreated)
    assert created.cut_ms == CUT_MS


def test_who_left_is_not_waited_for() -> None:
    table = sealed_table()
    table.give(inp.LeaveSeat(participant_id=person(1)))
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms) == ("CUT", table.now_ms)


def test_after_a_stop_the_cut_gets_the_time_it_had_left() -> None:
    table = sealed_table()
    table.give(inp.SitOut(participant_id=person(0)), after_ms=4_000)
    happened = table.give(inp.Resume(), after_ms=MINUTE_MS)
    assert event_of(happened, ev.PlayResumed).deadline_at_ms == table.now_ms + CUT_MS - 4_000
    table.cut(after_ms=CUT_MS - 4_001)


# --- What is fixed with the seal --------------------------------------------------------------------------------------------


def test_gen_08_who_sits_out_after_the_seal_is_still_dealt_in_and_passes_the_next_deal() -> None:
    table = sealed_table(4)
    assert table.give(inp.SitOut(participant_id=person(2))) == (ev.SeatSatOut(seat=2),)
    assert table.give(inp.SitOut(participant_id=person(2))) == ()
    starting = event_of(table.cut(), ev.HandStarting)
    assert starting.dealt_in == event_of(table.events, ev.DeckSealed).dealt_in == (0, 1, 2, 3)
    table.fold_out()
    assert event_of(table.seal(DECK), ev.DeckSealed).dealt_in == (0, 1, 3)


def test_gen_08_who_comes_back_after_the_seal_is_dealt_in_from_the_next_deal() -> None:
    table = points_table(4)
    table.give(inp.SitOut(participant_id=person(3)))
    table.seal(DECK)
    assert table.give(inp.SitIn(participant_id=person(3))) == (ev.SeatReturned(seat=3),)
    assert event_of(table.cut(), ev.HandStarting).dealt_in == (0, 1, 2)
    table.fold_out()
    assert event_of(table.seal(DECK), ev.DeckSealed).dealt_in == (0, 1, 2, 3)


def test_gen_08_who_leaves_after_the_seal_is_dealt_in_and_acted_for() -> None:
    table = sealed_table(3)
    table.give(inp.LeaveSeat(participant_id=person(0)))
    assert event_of(table.cut(), ev.HandStarting).dealt_in == (0, 1, 2)
    due = table.night.due()
    assert due is not None
    assert (due.kind, due.at_ms, table.session.actor) == ("TIME_OUT", table.now_ms, 0)


def test_gen_08_going_and_coming_again_after_the_seal_ends_as_the_last_word() -> None:
    table = sealed_table(4)
    for given in (inp.SitOut, inp.SitIn, inp.SitOut, inp.SitIn):
        assert len(table.give(given(participant_id=person(2)))) == 1
    table.cut()
    table.fold_out()
    assert event_of(table.seal(DECK), ev.DeckSealed).dealt_in == (0, 1, 2, 3)


def test_gen_08_everybody_who_changes_their_mind_after_the_seal_is_heard_for_the_next_deal() -> None:
    table = sealed_table(5)
    for seat in (2, 3):
        table.give(inp.SitOut(participant_id=person(seat)))
    assert event_of(table.cut(), ev.HandStarting).dealt_in == (0, 1, 2, 3, 4)
    table.fold_out()
    assert event_of(table.seal(DECK), ev.DeckSealed).dealt_in == (0, 1, 4)


# --- Cutoff, void, close ----------------------------------------------------------------------------------------------------


def test_pts_016_a_cut_at_the_cutoff_deals_nothing() -> None:
    table = sealed_table(cutoff_after_ms=PAUSE_MS + 5_000)
    table.refuse(act_of(table, 1, 17), Reason.CUTOFF_PASSED, "PTS-016", after_ms=5_000)
    due = table.night.due(table.now_ms + 5_000)
    assert due is not None
    assert due.kind == "FINISH"
    happened = table.give(inp.FinishSession(), after_ms=5_000)
    assert event_of(happened, ev.SessionFinished).by == "CUTOFF"
    assert table.night.sealed is None
    assert not events_of(table.events, ev.HandStarting)
    assert table.night.due() is None


def test_pts_016_the_clock_does_not_draw_a_cut_for_a_hand_that_cannot_start() -> None:
    table = sealed_table(cutoff_after_ms=PAUSE_MS + 5_000)
    due = table.night.due()  # The window would end after the cutoff.
    assert due is not None
    assert (due.kind, due.at_ms) == ("FINISH", table.now_ms + 5_000)


def test_proc_void_02_a_redeal_is_shuffled_and_sealed_anew_as_the_next_attempt() -> None:
    table = sealed_table()
    table.cut()
    table.give(inp.VoidHand(participant_id=HOST, reason="A card fell"))
    again = event_of(table.seal(shuffled_deck(10), root=bytes(32)), ev.DeckSealed)
    assert (again.hand_number, again.attempt) == (1, 2)
    assert event_of(table.cut(), ev.HandStarting).hand_number == 1
    table.give(inp.VoidHand(participant_id=HOST, reason="Another card fell"))
    assert event_of(table.seal(DECK), ev.DeckSealed).attempt == 3
    table.cut()
    table.fold_out()
    following = event_of(table.seal(DECK), ev.DeckSealed)
    assert (following.hand_number, following.attempt) == (2, 1)


def test_proc_void_01_a_deck_that_waits_for_its_cut_is_no_hand_to_void() -> None:
    table = sealed_table()
    table.refuse(inp.VoidHand(participant_id=HOST, reason="Nothing dealt"), Reason.HAND_OVER)


def test_the_host_may_close_the_night_while_a_deck_waits() -> None:
    table = sealed_table()
    happened = table.give(inp.CloseNight(participant_id=HOST))
    assert event_of(happened, ev.SessionFinished).by == "HOST"
    assert table.night.sealed is None


def test_gen_08_deck_and_key_are_inputs_and_a_replay_deals_the_same() -> None:
    table = sealed_table()
    table.cut(23)
    table.fold_out()
    table.seal(shuffled_deck(11))
    assert replay(table.rows).encode() == table.night.encode()
