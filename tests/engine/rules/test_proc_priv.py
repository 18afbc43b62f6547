"""PROC-PRIV-01: nobody is ever handed another player's hidden or folded card. PROC-SHOW-06 and -07 at a night."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import Raise
from homegame_engine.cards import CARD_HIDDEN, format_cards, parse_cards
from homegame_engine.night import inputs as inp
from homegame_engine.night.table_view import table_view
from homegame_engine.view import project, seen_hole_cards, seen_rank_text
from tests.night_builders import HOST, NightTable, event_of, events_of, person, points_table

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.hand import Hand

HOLES = {0: "QsQd", 1: "KsKd", 2: "AsAd"}
BOARD = "2c7d9hJc3s"
HIDDEN = (CARD_HIDDEN, CARD_HIDDEN)


def river_table() -> NightTable:
    """Seat 0 folded, seats 1 and 2 are asked to show, seat 1 first; a fourth seat is empty."""
    table = points_table(3, n_seats=4)
    table.deal(HOLES, BOARD)
    table.play("r4 c c b2 c f k k k k")
    return table


def last_hand(table: NightTable) -> Hand:
    assert table.session.hand is not None
    return table.session.hand


def cards_told(table: NightTable, viewer: int | None) -> set[str]:
    """Every card that a viewer was told of, over the whole night."""
    told: set[int] = set()
    for event in table.events:
        shown: AnyEvent = project(event, viewer)
        for name in ("cards", "best_cards"):
            told.update(getattr(shown, name, ()))
    return {format_cards([card]) for card in told - {CARD_HIDDEN}}


def cut(text: str) -> set[str]:
    return {format_cards([card]) for card in parse_cards(text)}


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_proc_priv_01_hole_cards_are_told_to_their_owner_only(viewer: int | None) -> None:
    table = river_table()
    dealt = [project(event, viewer) for event in table.events if isinstance(event, ev.HoleCardsDealt)]
    assert len(dealt) == 3
    for event in dealt:
        assert isinstance(event, ev.HoleCardsDealt)
        assert event.cards == (parse_cards(HOLES[event.seat]) if event.seat == viewer else HIDDEN)


def test_proc_priv_01_a_folded_hand_stays_hidden_for_ever() -> None:
    table = river_table()
    table.play("s s")
    table.deal()
    table.fold_out()
    table.give(inp.CloseNight(participant_id=HOST))
    for viewer in (None, 1, 2, 3):
        assert not cards_told(table, viewer) & cut(HOLES[0])
    assert cards_told(table, 0) >= cut(HOLES[0] + HOLES[1] + HOLES[2] + BOARD)


def test_proc_show_07_a_mucked_hand_is_told_to_nobody() -> None:
    table = river_table()
    happened = table.play("m")
    assert event_of(happened, ev.HandMucked).seat == 1
    assert not table.session.hand_is_live
    for viewer in (None, 0, 2):
        assert cards_told(table, viewer) == (cut(BOARD) | (cut(HOLES[viewer]) if viewer is not None else set()))
        assert seen_hole_cards(last_hand(table), 1, viewer) == HIDDEN
        assert seen_rank_text(last_hand(table), 1, viewer) == ""
    # Neither is the hand of the winner, who was not asked.
    assert seen_hole_cards(last_hand(table), 2, None) == HIDDEN


def test_proc_show_06_a_hand_shown_is_shown_to_everybody() -> None:
    table = river_table()
    shown = event_of(table.act("s"), ev.HandShown)
    for viewer in (None, 0, 1, 2, 3):
        assert project(shown, viewer) == shown
        assert seen_hole_cards(last_hand(table), 1, viewer) == parse_cards(HOLES[1])
    assert shown.rank_text == seen_rank_text(last_hand(table), 1, None) != ""


def test_proc_priv_01_a_seat_without_a_hand_has_no_cards_and_no_words() -> None:
    table = river_table()
    for viewer in (None, 0, 3):
        assert seen_hole_cards(last_hand(table), 3, viewer) == ()
        assert seen_rank_text(last_hand(table), 3, viewer) == ""


def test_proc_priv_01_burns_and_the_stub_are_in_no_event() -> None:
    table = river_table()
    table.play("s s")
    hand = last_hand(table)
    dealt = {*hand.board, *(card for seat in range(3) for card in hand.hole_cards(seat))}
    told = {card for event in table.events for name in ("cards", "best_cards") for card in getattr(event, name, ())}
    assert told == dealt
    assert all(event.count == 1 for event in events_of(table.events, ev.CardsBurned))


def test_proc_priv_01_who_gets_up_is_a_spectator_from_then_on() -> None:
    table = river_table()
    table.give(inp.LeaveSeat(participant_id=person(2)))
    assert table.night.seat_of(person(2)) is None
    view = table_view(table.night, table.night.seat_of(person(2)))
    assert [seat.cards for seat in view.seats[:3]] == [(), HIDDEN, HIDDEN]


def test_proc_priv_01_who_joins_later_sees_what_every_spectator_sees() -> None:
    table = river_table()
    table.give(inp.JoinNight(participant_id="late", name="Late"))
    assert table.night.seat_of("late") is None
    assert cards_told(table, table.night.seat_of("late")) == cut(BOARD)


def test_proc_priv_01_a_void_hand_is_opened_to_nobody() -> None:
    table = river_table()
    table.give(inp.VoidHand(participant_id=HOST, reason="a card fell"))
    for viewer in (None, 1, 2):
        view = table_view(table.night, viewer)
        assert all(CARD_HIDDEN in seat.cards or not seat.cards for seat in view.seats if seat.seat != viewer)
        assert cards_told(table, viewer) == cut(BOARD) | (cut(HOLES[viewer]) if viewer is not None else set())


def test_proc_priv_01_no_refusal_tells_a_card() -> None:
    # Reasons, sentences and facts speak of seats and chips only.
    table = points_table(2)
    table.deal({0: "AsAd", 1: "KsKd"}, BOARD)
    refusal = table.refuse_act(Raise(to_chips=5), "BAD_INCREMENT", "BET-FL-02")
    assert set(getattr(refusal, "facts", {})) <= {"seat", "call_chips", "raise_to_min_chips", "raise_to_max_chips"}
    assert not any(card in refusal.message for card in ("As", "Ad", "Ks", "Kd"))
