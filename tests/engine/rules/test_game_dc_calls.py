"""Dealer's choice as the night plays it: whose call it is, what may be called, who sits out, and when it stands."""

from __future__ import annotations

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.cards import full_deck
from homegame_engine.errors import InputError
from homegame_engine.night import inputs as inp
from homegame_engine.night.calling import CHANGES_MAX
from homegame_engine.night.coming import coming_deck
from homegame_engine.night.table_view import table_view
from tests.night_builders import HOST, PAUSE_MS, NightTable, event_of, events_of, game_table, person, replay

CALL_MS, SIT_OUT_MS = 60_000, 15_000


def calling_table(n_players: int = 3) -> NightTable:
    """A night of dealer's choice that is open; seat 0 has the first button."""
    return game_table("FIVE_CARD_DRAW", "HOUSE_NIGHT", n_players, format_id="DC")


def called(table: NightTable, game_id: str, **changed: object) -> inp.CallGame:
    """A call by whoever has to."""
    assert table.night.calling is not None
    given = inp.CallGame(
        participant_id=person(table.night.calling.dealer),
        action_number=table.night.action_number,
        game=catalog.game(game_id),
        is_library=True,
    )
    return msgspec.structs.replace(given, **changed)


def deal(table: NightTable) -> tuple[ev.AnyEvent, ...]:
    """Seal the coming deck when the time for sitting out is over, and cut it."""
    due = table.night.due(table.now_ms)
    assert due is not None
    assert due.kind == "DEAL"
    table.now_ms = max(table.now_ms, due.at_ms)
    sealed = table.give(inp.SealDeck(deck_order=coming_deck(table.night), key=bytes(32), root=bytes(32)))
    return sealed + table.cut()


def play_out(table: NightTable) -> tuple[ev.AnyEvent, ...]:
    happened: tuple[ev.AnyEvent, ...] = ()
    while table.session.hand_is_live:
        happened = table.time_out()
    return happened


def test_game_dc_01_the_dealer_of_each_hand_calls_and_the_choice_moves_with_the_deal() -> None:
    table = calling_table()
    asked = event_of(table.events, ev.CallRequired)
    assert (asked.seat, asked.deadline_at_ms) == (0, table.now_ms + CALL_MS)
    table.refuse(called(table, "RAZZ", participant_id=person(1)), "NOT_DEALER", "GAME-DC-01")
    told = event_of(table.give(called(table, "RAZZ")), ev.GameCalled)
    assert (told.seat, told.game.id, told.ante_chips, told.by_clock) == (0, "RAZZ", 25, False)
    assert told.explanation == catalog.game("RAZZ").explanation.strip()
    starting = event_of(deal(table), ev.HandStarting)
    assert starting.button == 0
    table.refuse(called(table, "STUD7"), "CONFIG_LOCKED", "GAME-DC-02")
    ended = play_out(table)
    assert event_of(ended, ev.CallRequired).seat == 1
    assert table.night.rows[-1].game_id == "RAZZ"


def test_game_dc_01_silence_is_the_last_game_called_and_before_any_the_formats_own() -> None:
    table = calling_table()
    early = inp.CallByClock(action_number=table.night.action_number)
    with pytest.raises(InputError, match="still open"):
        table.night.apply(early, table.now_ms)
    for expected in ("FIVE_CARD_DRAW", "STUD8"):
        due = table.night.due(table.now_ms)
        assert due is not None
        assert due.kind == "CALL"
        table.now_ms = due.at_ms
        told = event_of(table.give(inp.CallByClock(action_number=due.action_number)), ev.GameCalled)
        assert (told.game.id, told.by_clock) == (expected, True)
        if expected == "FIVE_CARD_DRAW":
            table.give(called(table, "STUD8"))
        deal(table)
        play_out(table)


def test_house_deal_02_the_ante_is_the_stake_unless_the_call_names_another() -> None:
    table = calling_table()
    table.refuse(called(table, "RAZZ", ante_chips=30), "NOT_A_MULTIPLE", "HOUSE-CHIP-05")
    table.refuse(called(table, "RAZZ", ante_chips=0), "BELOW_MINIMUM", "HOUSE-DEAL-02")
    for ante_chips, spread in ((50, (50, 200)), (100, (100, 500)), (75, (25, 100))):
        told = event_of(table.give(called(table, "RAZZ", ante_chips=ante_chips)), ev.GameCalled)
        # D-125: an ante without a printed range leaves the stake's.
        assert (told.rules.spread_min_chips, told.rules.spread_max_chips) == spread
    antes = events_of(deal(table), ev.AntePosted)
    assert {ante.chips for ante in antes} == {75}


def test_game_dc_02_a_call_is_changed_a_few_times_and_then_stands() -> None:
    table = calling_table()
    table.give(called(table, "RAZZ"))
    table.give(inp.SitOut(participant_id=person(1), this_hand=True))
    for _ in range(CHANGES_MAX):
        told = event_of(table.give(called(table, "STUD7"), after_ms=1000), ev.GameCalled)
        assert told.deadline_at_ms == table.now_ms + SIT_OUT_MS
    assert table_view(table.night, None).sitting_out == ()  # Another game asks everybody anew.
    table.refuse(called(table, "RAZZ"), "CONFIG_LOCKED", "GAME-DC-02")
    table.now_ms += SIT_OUT_MS
    table.refuse(called(table, "RAZZ"), "CONFIG_LOCKED", "GAME-DC-02")


def test_game_dc_02_a_call_at_the_end_of_its_window_is_too_late() -> None:
    table = calling_table()
    table.now_ms += CALL_MS
    table.refuse(called(table, "RAZZ"), "ACTION_CLOSED", "PROC-CLK-05")


def test_game_dc_02_who_sits_out_is_back_in_the_next_hand_without_debt() -> None:
    table = calling_table(4)
    out = inp.SitOut(participant_id=person(2), this_hand=True)
    table.refuse(out, "SIT_OUT_CLOSED", "GAME-DC-02")
    table.give(called(table, "RAZZ"))
    table.refuse(inp.SitOut(participant_id=person(0), this_hand=True), "SIT_OUT_CLOSED", "GAME-DC-02")
    assert event_of(table.give(out), ev.SeatSatOut).this_hand
    assert table.give(out) == ()
    assert table_view(table.night, None).sitting_out == (2,)
    assert event_of(table.give(inp.SitIn(participant_id=person(2))), ev.SeatReturned).seat == 2
    table.give(out)
    happened = deal(table)
    assert event_of(happened, ev.DeckSealed).dealt_in == (0, 1, 3)
    assert [seat.status for seat in table_view(table.night, None).seats] == ["SEATED"] * 4
    table.refuse(inp.SitOut(participant_id=person(1), this_hand=True), "SIT_OUT_CLOSED", "GAME-DC-02")
    play_out(table)
    table.give(called(table, "RAZZ"))
    assert event_of(deal(table), ev.DeckSealed).dealt_in == (0, 1, 2, 3)


def test_game_dc_03_a_game_outside_the_library_explains_itself() -> None:
    table = calling_table()
    own = msgspec.structs.replace(catalog.game("RAZZ"), id="MY_RAZZ", explanation=" ")
    table.refuse(called(table, "RAZZ", game=own, is_library=False), "EXPLANATION_MISSING", "GAME-DC-03")
    told = event_of(
        table.give(called(table, "RAZZ", game=own, is_library=False, explanation=" Low wins. ")), ev.GameCalled
    )
    assert told.explanation == "Low wins."


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("RAZZ", inp.CallOptions(cards_speak=True)),
        ("STUD7", inp.CallOptions(low_ranking="ACE_TO_SIX")),
        ("RAZZ", inp.CallOptions(low_qualifier=8)),
        ("STUD_DECLARE", inp.CallOptions(low_qualifier=2)),
    ],
)
def test_game_dc_04_a_change_that_does_not_fit_the_game_is_refused(game_id: str, options: inp.CallOptions) -> None:
    table = calling_table()
    table.refuse(called(table, game_id, options=options), "GAME_NOT_DESCRIBABLE")


def test_game_dc_05_game_dc_11_the_dealer_changes_lows_declaring_and_redeals_in_the_call() -> None:
    table = calling_table()
    options = inp.CallOptions(cards_speak=True, low_ranking="ACE_TO_FIVE", low_qualifier=8)
    spoken = event_of(table.give(called(table, "STUD_DECLARE", options=options)), ev.GameCalled).game
    assert (spoken.showdown.award, spoken.showdown.low, spoken.showdown.low_qualifier) == (
        "HIGH_LOW",
        "ACE_TO_FIVE",
        8,
    )
    assert not [step for step in spoken.steps if getattr(step, "opens", "") == "DECLARED"]
    low = inp.CallOptions(low_ranking="ACE_TO_FIVE")
    assert (
        event_of(table.give(called(table, "RAZZ", options=low)), ev.GameCalled).game.showdown.ranking == "ACE_TO_FIVE"
    )
    again = inp.CallOptions(redeal_if_no_open=True)
    changed = event_of(table.give(called(table, "FIVE_CARD_DRAW", options=again)), ev.GameCalled).game
    assert changed.conditions is not None
    assert changed.conditions.redeal_if_no_open


def test_game_dc_06_a_redeal_keeps_game_dealer_and_players_without_another_call() -> None:
    table = calling_table()
    table.give(called(table, "FIVE_CARD_DRAW", options=inp.CallOptions(redeal_if_no_open=True)))
    deal(table)
    happened: tuple[ev.AnyEvent, ...] = ()
    while table.session.hand_is_live:
        happened = table.act("k")
    assert event_of(happened, ev.PotCarried).redeal_seats == (0, 1, 2)
    assert not events_of(happened, ev.CallRequired)
    table.refuse(inp.SitOut(participant_id=person(1), this_hand=True), "SIT_OUT_CLOSED", "GAME-DC-02")
    starting = event_of(deal(table), ev.HandStarting)
    assert (starting.button, starting.dealt_in) == (0, (0, 1, 2))
    assert table.session.game_spec.conditions is not None


def test_proc_void_02_a_hand_dealt_again_after_a_void_keeps_its_game() -> None:
    table = calling_table(4)
    table.give(called(table, "STUD7"))
    table.give(inp.SitOut(participant_id=person(2), this_hand=True))
    deal(table)
    assert not events_of(table.give(inp.VoidHand(participant_id=HOST, reason="A card fell")), ev.CallRequired)
    sealed = deal(table)
    assert event_of(sealed, ev.DeckSealed).dealt_in == (0, 1, 3)
    assert table.session.game_spec.id == "STUD7"
    table.give(inp.VoidHand(participant_id=HOST, reason="Another"))
    gone = table.give(inp.LeaveSeat(participant_id=person(0)))
    assert event_of(gone, ev.CallDropped).seat == 0
    assert event_of(gone, ev.CallRequired).seat == 1


def test_game_dc_01_without_players_there_is_no_call_and_with_them_there_is_one_again() -> None:
    table = calling_table(2)
    table.give(inp.SitOut(participant_id=person(1)))
    assert table.night.calling is None
    due = table.night.due(table.now_ms)
    assert due is not None
    assert due.kind == "FINISH"
    back = table.give(inp.SitIn(participant_id=person(1)))
    assert event_of(back, ev.CallRequired).seat == 0


def test_a_night_of_calls_is_the_fold_of_its_rows_and_its_windows_survive_a_stop() -> None:
    table = calling_table()
    table.give(inp.Resume(), after_ms=5_000)
    assert table.night.deadline_at_ms == table.now_ms + CALL_MS  # What the server did not live to see is given back.
    table.give(called(table, "STUD7"))
    table.give(inp.SitOut(participant_id=person(1), this_hand=True))
    deal(table)
    play_out(table)
    table.give(called(table, "JOKER_DRAW"), after_ms=PAUSE_MS)
    deal(table)
    assert replay(table.rows).state_hash() == table.night.state_hash()
    assert len(full_deck()) != len(table.session.hand.deck_order if table.session.hand is not None else b"")
