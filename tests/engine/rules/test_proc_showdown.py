"""Showdown: PROC-SHOW-01, -04, -05, -06, -07 (docs/rules/05-table-procedures.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine.actions import Muck, Show
from homegame_engine.events import HandMucked, HandShown, HoleCardsDealt, LayerAwarded, ShowdownStarted
from tests.table_builders import assert_refused, deal, open_to, play

if TYPE_CHECKING:
    from homegame_engine.hand import Hand

CARDS = ["2c7d", "AsAh", "KsKh", "QsQh"]
BOARD = "3d8h9cJc4s"


def river_of(house: str, cards: list[str] | None = None) -> Hand:
    """Four seats, button 0, limit 1/2, all checked to the river."""
    hand = deal([100] * 4, house=house, structure="FIXED_LIMIT", cards=cards or CARDS, board=BOARD)
    play(hand, "c c c k " + "k k k k " * 2)
    return hand


def showdown_order(events: tuple[object, ...]) -> tuple[int, ...]:
    return next(event.seats for event in events if isinstance(event, ShowdownStarted))


def test_proc_show_01_the_last_raiser_of_the_final_street_shows_first() -> None:
    hand = river_of("POINTS_NIGHT")
    events = play(hand, "k b4 r8 f f c")
    assert showdown_order(events) == (3, 2)
    assert_refused(hand, Show(), "OUT_OF_TURN", "PROC-SHOW-01", seat=2)


def test_proc_show_01_an_earlier_street_does_not_count() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT", cards=CARDS[:3], board=BOARD)
    events = play(hand, "r4 c c b2 c c k k k k k k")
    assert showdown_order(events) == (1, 2, 0)


def test_proc_show_01_all_checked_points_begins_left_of_the_button() -> None:
    assert showdown_order(play(river_of("POINTS_NIGHT"), "k k k k")) == (1, 2, 3, 0)


def test_proc_show_01_all_checked_club_begins_with_who_acted_first() -> None:
    hand = deal([3, 100, 100, 100], house="CLUB", button=3, cards=CARDS, board=BOARD)
    play(hand, "c c c k b1 c c c")  # Seat 0 is all-in from the flop on.
    assert hand.actor == 1
    events = play(hand, "k k k k k k")
    assert showdown_order(events) == (1, 2, 3, 0), "the all-in seat left of the button did not act on the river"


def test_proc_show_01_an_all_in_player_counts_as_checking() -> None:
    hand = deal([3, 100, 100, 100], house="POINTS_NIGHT", button=3, cards=CARDS, board=BOARD)
    play(hand, "c c c k b1 c c c")
    assert showdown_order(play(hand, "k k k k k k")) == (0, 1, 2, 3)


def test_proc_show_04_a_live_hand_in_turn_shows_or_mucks() -> None:
    hand = river_of("POINTS_NIGHT")
    play(hand, "k k k k")
    assert set(open_to(hand).kinds) == {"show", "muck"}
    assert HandMucked(seat=1) in hand.apply(1, Muck())
    assert isinstance(hand.apply(2, Show())[0], HandShown)


def test_proc_show_04_who_concedes_wins_nothing_even_with_the_best_hand() -> None:
    hand = river_of("POINTS_NIGHT")
    play(hand, "k k k k m s s m")
    assert hand.is_over
    assert hand.won_chips == (0, 0, 8, 0)


def test_proc_show_04_on_timeout_the_engine_shows_the_hand() -> None:
    hand = river_of("POINTS_NIGHT")
    play(hand, "k k k k")
    assert hand.timeout_action(hand.actor) == Show()


def test_proc_show_04_the_last_hand_left_need_not_show() -> None:
    hand = river_of("POINTS_NIGHT")
    events = play(hand, "k k k k m m m")
    assert hand.is_over
    assert not any(isinstance(event, HandShown) for event in events)
    assert hand.won_chips == (8, 0, 0, 0)


def test_proc_show_05_the_engine_reads_the_best_hand() -> None:
    hand = deal([100] * 2, house="POINTS_NIGHT", cards=["2c3c", "KdKh"], board="AsKsQsJsTs")
    events = play(hand, "c k k k k k k k s s")
    shown = [event for event in events if isinstance(event, HandShown)]
    assert len({event.rank_text for event in shown}) == 1
    award = next(event for event in events if isinstance(event, LayerAwarded))
    assert {share.seat: share.chips for share in award.shares} == {0: 2, 1: 2}, "the board plays for both"


def test_proc_show_06_a_shown_hand_is_shown_whole_and_by_a_public_event() -> None:
    hand = river_of("POINTS_NIGHT")
    play(hand, "k k k k")
    (shown, *_) = hand.apply(1, Show())
    assert isinstance(shown, HandShown)
    assert shown.cards == hand.hole_cards(1)
    assert hand.shown_mask == 0b0010


def test_proc_show_07_folded_and_mucked_cards_never_appear_after_the_deal() -> None:
    hand = river_of("POINTS_NIGHT")
    hand_events = play(hand, "k b4 f f c s m")
    hidden = {card for seat in (0, 1, 3) for card in hand.hole_cards(seat)}
    assert hand.is_over
    for event in hand_events:
        assert not isinstance(event, HoleCardsDealt)
        assert hidden.isdisjoint(getattr(event, "cards", ()))


@pytest.mark.parametrize("seat", [0, 3])
def test_proc_show_07_a_folded_seat_can_no_longer_show(seat: int) -> None:
    hand = river_of("POINTS_NIGHT")
    play(hand, "k b4 f f c")
    assert_refused(hand, Show(), "HAND_OVER", "BET-GEN-06", seat=seat)


def test_proc_show_a_mucked_side_layer_goes_to_those_left() -> None:
    hand = deal([20, 100, 100], cards=["AsAh", "KsKh", "QsQh"], board=BOARD)
    play(hand, "r20 r60 c k b40 c")
    assert hand.layers == ((60, 0b111), (160, 0b110))
    play(hand, "m s s")
    assert hand.is_over
    assert hand.stacks == (60, 0, 160)
