"""Texas hold'em: GAME-HE-01 to GAME-HE-05 (docs/rules/03-games.md)."""

from __future__ import annotations

import itertools

import pytest

from homegame_engine import catalog
from homegame_engine.cards import CARD_UNKNOWN, format_cards, full_deck, parse_card, parse_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.events import BoardDealt, HandShown, HandStarting, HoleCardsDealt
from homegame_engine.hand import Hand
from tests.night_builders import event_of, fold_round, points_session
from tests.table_builders import deal, house_rules, open_to, play


def from_order(deck_order: bytes, n_seats: int = 3, button: int = 0) -> Hand:
    rules = house_rules("POINTS_NIGHT")
    return Hand.start(catalog.game("HOLDEM"), rules, stacks=[100] * n_seats, button=button, deck_order=deck_order)


@pytest.mark.parametrize("button", [0, 1, 2])
def test_game_he_01_one_card_at_a_time_from_the_buttons_left(button: int) -> None:
    hand = from_order(full_deck(), button=button)
    for place in range(3):
        seat = (button + 1 + place) % 3
        assert hand.hole_positions(seat) == (place, place + 3)
        assert hand.hole_cards(seat) == (place, place + 3)


def test_game_he_01_seats_without_cards_are_passed_over() -> None:
    hand = deal([100, 0, 100, 100])
    assert [event.seat for event in hand.take_events() if isinstance(event, HoleCardsDealt)] == [2, 3, 0]
    assert hand.hole_cards(1) == ()


def test_game_he_02_four_rounds_of_action() -> None:
    hand = from_order(full_deck())
    assert catalog.game("HOLDEM").street_names == ("PREFLOP", "FLOP", "TURN", "RIVER")
    streets = [hand.street]
    for words in ("c c k", "k k k", "k k k"):
        play(hand, words)
        streets.append(hand.street)
    assert streets == [0, 1, 2, 3]
    play(hand, "k k k")
    assert hand.phase == "SHOWDOWN"


def test_game_he_02_later_rounds_begin_left_of_the_button() -> None:
    hand = from_order(full_deck())
    play(hand, "c c k")
    for _ in range(3):
        assert hand.actor == 1
        play(hand, "k k k")


@pytest.mark.parametrize(
    ("hole", "board", "best"),
    [
        pytest.param("AsKs", "QsJsTs2c2d", "AsKsQsJsTs", id="two-private-cards"),
        pytest.param("Ah2c", "KhQhJhTh3d", "AhKhQhJhTh", id="one"),
        pytest.param("2c3c", "AsKsQsJsTs", "AsKsQsJsTs", id="none"),
    ],
)
def test_game_he_03_the_best_five_of_seven_play(hole: str, board: str, best: str) -> None:
    hand = deal([100] * 2, cards=[hole, "4d5d"], board=board)
    events = play(hand, "c k k k k k k k s s")
    shown = next(event for event in events if isinstance(event, HandShown) and event.seat == 0)
    assert shown.best_cards == parse_cards(best)


def test_game_he_04_flop_turn_and_river_keep_their_order() -> None:
    hand = deal([100] * 2, board="9h2c7dAsKc")
    events = play(hand, "c k k k k k k k")
    dealt = [(event.street, format_cards(event.cards)) for event in events if isinstance(event, BoardDealt)]
    assert [cards.replace(" ", "") for _, cards in dealt] == ["9h2c7d", "As", "Kc"]
    assert [street for street, _ in dealt] == [1, 2, 3]
    assert hand.board == parse_cards("9h2c7dAsKc")


def test_game_he_05_after_the_award_the_button_moves_on() -> None:
    session = points_session(n_seats=3)
    buttons = [event_of(fold_round(session), HandStarting).button for _ in range(4)]
    assert [(after - before) % 3 for before, after in itertools.pairwise(buttons)] == [1, 1, 1]


def test_a_deck_with_a_card_twice_is_refused() -> None:
    order = bytearray(full_deck())
    order[7] = order[8]
    with pytest.raises(RuleViolation) as caught:
        from_order(bytes(order))
    assert (caught.value.reason, caught.value.rule_id) == ("BAD_DECK", "CARD-01")


def test_a_short_deck_is_refused() -> None:
    with pytest.raises(RuleViolation, match="BAD_DECK"):
        from_order(full_deck()[:51])


def test_an_unknown_card_can_be_entered_and_the_award_waits_for_it() -> None:
    order = bytearray(deal([100] * 2, cards=["AsAh", "KsKh"], board="2c3d7h8s9c").deck_order)
    river = order.index(parse_card("9c"))
    order[river] = CARD_UNKNOWN
    rules = house_rules("CLUB", showdown="AUTO")
    hand = Hand.start(catalog.game("HOLDEM"), rules, stacks=[100] * 2, button=0, deck_order=bytes(order))
    play(hand, "r100 c")
    assert (hand.phase, hand.is_over, open_to(hand).kinds) == ("WAITING", False, ())
    with pytest.raises(RuleViolation, match="BAD_DECK"):
        hand.enter_card(river, parse_card("As"))
    with pytest.raises(InputError):
        hand.enter_card(99, parse_card("9c"))
    hand.enter_card(river, parse_card("9c"))
    assert (hand.is_over, hand.stacks) == (True, (200, 0))
