"""GAME-DC-05 to GAME-DC-07, GAME-DC-09, GAME-DC-10 and CARD-06: draws, a short stub, openers, winners and redeals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.actions import Bet, Check, Discard, Draw
from homegame_engine.cards import CARD_UNKNOWN, format_cards, parse_cards
from homegame_engine.events import CardsDrawn, LayerAwarded, PotCarried, StubReshuffled
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from homegame_engine.specs import ConditionsSpec
from tests.game_hands import check_down, deal_game, of_kind, play_game, rules_of
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import assert_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.events import AnyEvent

FIVE_EACH = ("As7h6d4c2c", "KsKh7d5c3c", "Qs8h6s5h4d")
"""Seat 1 alone can open by jacks; the seat left of the button is seat 1."""


def held(hand: Hand, seat: int) -> str:
    return format_cards(hand.hole_cards(seat))


def to_draw(*, then: str = "") -> Hand:
    hand = deal_game("FIVE_CARD_DRAW", [100] * 3, house="HOUSE_NIGHT", cards=FIVE_EACH, then=then)
    check_down(hand, until=("CHOOSING",))
    return hand


def order_of_mixing(*first: str) -> bytes:
    """One permutation of all deck positions for each reshuffle; `first` is where in the deck the cards lie that come first."""
    orders = []
    for positions in first:
        chosen = [int(word) for word in positions.split()]
        orders += [*chosen, *(position for position in range(52) if position not in chosen)]
    return bytes(orders)


# --- GAME-DC-09 -----------------------------------------------------------------------------------------------------------


def test_game_dc_09_draws_go_round_from_the_dealers_left_and_are_filled_at_once() -> None:
    hand = to_draw(then="9s9h9d8s8d")
    assert (hand.actor, hand.may_act_mask) == (1, 0b010)
    legal = hand.legal_actions(1)
    assert (legal.kinds, legal.cards_min, legal.cards_max) == (("draw",), 0, 5)
    events = play_game(hand, "d:5c7d3c")
    assert held(hand, 1) == "KsKh9s9h9d"
    assert events == (CardsDrawn(seat=1, discarded=parse_cards("7d5c3c"), cards=parse_cards("9s9h9d")),)
    assert (hand.actor, hand.may_act_mask) == (2, 0b100)
    assert play_game(hand, "d:") == (CardsDrawn(seat=2, discarded=(), cards=()),)
    play_game(hand, "d:2c4c")
    assert held(hand, 0) == "As7h6d8s8d"
    assert hand.phase == "BETTING"


def test_game_dc_09_only_the_seat_in_turn_draws() -> None:
    hand = to_draw()
    assert_refused(hand, Draw(), "OUT_OF_TURN", "BET-GEN-01", seat=2)
    play_game(hand, "d:")
    assert_refused(hand, Draw(), "OUT_OF_TURN", "BET-GEN-01", seat=1)


@pytest.mark.parametrize(
    ("cards", "count"),
    [
        pytest.param("KsQs", 5, id="a card of another hand"),
        pytest.param("KsKs", 5, id="one card twice"),
        pytest.param("Ks??", 5, id="an unknown card where all are known"),
        pytest.param("KsKh7d5c", 3, id="more than the game lets anybody change"),
    ],
)
def test_game_dc_09_a_wrong_draw_is_refused(cards: str, count: int) -> None:
    game = catalog.game("FIVE_CARD_DRAW")
    steps = [msgspec.structs.replace(step, count=count) if step == game.steps[2] else step for step in game.steps]
    hand = deal_game(msgspec.structs.replace(game, steps=tuple(steps)), [100] * 3, house="HOUSE_NIGHT", cards=FIVE_EACH)
    check_down(hand, until=("CHOOSING",))
    assert_refused(hand, Draw(cards=parse_cards(cards)), "BAD_DISCARD", "GAME-DC-09")
    for action in (Check(), Bet(to_chips=2), Discard(cards=parse_cards("Ks"))):
        assert_refused(hand, action, "BAD_DISCARD", "GAME-DC-09")


def test_game_dc_09_who_does_not_answer_stands_pat() -> None:
    hand = to_draw()
    assert hand.timeout_action(1) == Draw()


def test_game_dc_09_all_in_players_draw_and_folded_ones_do_not() -> None:
    hand = deal_game("FIVE_CARD_DRAW", [100, 1, 100, 100], house="HOUSE_NIGHT", cards=(*FIVE_EACH, "JsJhTd9c8c"))
    play_game(hand, "b2 f c")
    assert hand.all_in_mask == 0b0010
    for seat in (1, 2, 0):
        assert hand.actor == seat
        hand.apply(seat, Draw(cards=hand.hole_cards(seat)[:1]))
    assert hand.phase == "BETTING"
    assert [len(hand.hole_cards(seat)) for seat in range(4)] == [5] * 4


def test_game_dc_09_unknown_cards_are_drawn_unseen() -> None:
    game, rules = catalog.game("FIVE_CARD_DRAW"), rules_of("HOUSE_NIGHT")
    hole_cards = [parse_cards("As??Ks????"), parse_cards("??????????")]
    order = stack_deck(game, rules, button=1, hole_cards=hole_cards, board=(), fill=False)
    hand = Hand.start(game, rules, stacks=[100, 100], button=1, deck_order=order)
    check_down(hand, until=("CHOOSING",))
    assert_refused(hand, Draw(cards=(CARD_UNKNOWN,) * 4), "BAD_DISCARD", "GAME-DC-09")
    play_game(hand, "d:??Ks??")
    assert hand.hole_cards(0) == parse_cards("As????????")
    assert hand.hole_positions(0) == (0, 8, 10, 11, 12)


def eight_to_draw(mix_orders: bytes = b"") -> Hand:
    """Eight players hold forty cards, the stub has twelve; button on seat 7, so that seat 0 draws first and has position 0."""
    hand = deal_game("FIVE_CARD_DRAW", [100] * 8, house="HOUSE_NIGHT", button=7, mix_orders=mix_orders)
    check_down(hand, until=("CHOOSING",))
    return hand


def draw_all(hand: Hand, seat: int) -> tuple[AnyEvent, ...]:
    return hand.apply(seat, Draw(cards=hand.hole_cards(seat)))


def test_game_dc_09_a_short_stub_gets_the_muck_of_those_who_drew_before_under_it() -> None:
    # Seats 0 and 1 drew ten, two are left. Seat 2 gets these two, then of seats 0 and 1 what the next order puts first.
    hand = eight_to_draw(order_of_mixing("25 2 33 1 10"))
    draw_all(hand, 0)
    draw_all(hand, 1)
    own = set(hand.hole_positions(2))
    events = draw_all(hand, 2)
    assert events[0] == StubReshuffled(count=10)
    # 2 and 10 are positions of seat 2 itself, which are no part of the muck yet.
    assert hand.hole_positions(2) == (50, 51, 25, 33, 1)
    assert not own & set(hand.hole_positions(2))
    # Now seat 2's discards are muck too, but there are still seven cards to deal before anybody needs them.
    draw_all(hand, 3)
    assert hand.hole_positions(3) == (0, 8, 9, 16, 17)


def test_game_dc_09_a_second_reshuffle_has_its_own_order_and_a_missing_one_leaves_the_muck_in_order() -> None:
    hand = eight_to_draw(order_of_mixing("0 1 8 9 16 17 24 25 32 33", "35 34 27"))
    for seat in range(3):
        draw_all(hand, seat)
    assert hand.hole_positions(2) == (50, 51, 0, 1, 8)
    draw_all(hand, 3)
    events = draw_all(hand, 4)
    # Two were left of the first mixing, 32 and 33; the muck is that of seats 2 and 3.
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=10)]
    assert hand.hole_positions(4) == (32, 33, 35, 34, 27)
    draw_all(hand, 5)
    events = draw_all(hand, 6)
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=10)]
    assert hand.hole_positions(6) == (19, 26, 4, 5, 12)
    held_by_all = [position for seat in range(8) for position in hand.hole_positions(seat)]
    assert len(set(held_by_all)) == 40


def test_card_06_the_last_card_of_the_deck_is_never_dealt_in_house_night() -> None:
    # Ten of twelve are gone, so seat 2 could have two: one is dealt from the top, the other only over a reshuffle.
    hand = eight_to_draw(order_of_mixing("0"))
    draw_all(hand, 0)
    draw_all(hand, 1)
    one = hand.copy()
    events = one.apply(2, Draw(cards=one.hole_cards(2)[:1]))
    assert of_kind(events, StubReshuffled) == []
    assert one.hole_positions(2)[-1] == 50
    events = hand.apply(2, Draw(cards=hand.hole_cards(2)[:2]))
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=10)]
    assert hand.hole_positions(2)[-2:] == (50, 51)


def test_card_06_elsewhere_the_last_card_is_dealt() -> None:
    hand = deal_game("FIVE_CARD_DRAW", [100] * 8, house="HOUSE_NIGHT", button=7, keeps_last_card=False)
    check_down(hand, until=("CHOOSING",))
    draw_all(hand, 0)
    draw_all(hand, 1)
    events = hand.apply(2, Draw(cards=hand.hole_cards(2)[:2]))
    assert of_kind(events, StubReshuffled) == []


def test_card_06_folded_hands_are_mixed_in_and_nobody_can_change_more_than_there_is() -> None:
    game = msgspec.structs.replace(
        catalog.game("FIVE_CARD_DRAW"), players=msgspec.structs.replace(catalog.game("FIVE_CARD_DRAW").players, max=10)
    )
    hand = deal_game(game, [100] * 10, house="HOUSE_NIGHT", button=9, keeps_last_card=True)
    folding = hand.copy()
    check_down(hand, until=("CHOOSING",))
    # Fifty cards are held, the last of the other two is never dealt, and the first to draw finds no muck.
    assert hand.legal_actions(0).cards_max == 1
    assert_refused(hand, Draw(cards=hand.hole_cards(0)[:2]), "BAD_DISCARD", "GAME-DC-09")
    play_game(folding, "b1 f c c c c c c c c")
    assert folding.legal_actions(0).cards_max == 5
    events = draw_all(folding, 0)
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=5)]
    assert set(folding.hole_positions(0)) == {50, 51, 1, 11, 21}


def test_game_dc_10_without_blinds_the_first_live_seat_left_of_the_dealer_acts_first() -> None:
    hand = deal_game(
        "FIVE_CARD_DRAW", [100, 100, 1, 100], house="HOUSE_NIGHT", button=1, cards=(*FIVE_EACH, "JdJc9d9c2d")
    )
    assert hand.actor == 3  # Seat 2 is all-in for its ante.
    assert_refused(hand, Check(), "OUT_OF_TURN", "BET-GEN-01", seat=0)
    play_game(hand, "k b1 f f")
    assert hand.may_act_mask == 0b0100
    # Where the description names exposed cards they decide instead.
    stud = deal_game(
        "STUD5", [100] * 3, house="HOUSE_NIGHT", button=2, cards=("2c3c4d5h7s", "2dTdJd8h9s", "2hAsQdKh6s")
    )
    assert stud.actor == 2


# --- GAME-DC-05 to GAME-DC-07 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("jacks")))
def test_jacks_examples(example: Example) -> None:
    for cards, (may_open, may_win) in zip(example.input["hands"], example.expected["open_and_win"], strict=True):
        text = "".join(cards)
        hand = deal_game("JACKS_TRIPS", [100, 100], house="HOUSE_NIGHT", button=1, cards=(text, "AhKhQd7c5d"))
        assert ("bet" in hand.legal_actions(0).kinds) is may_open
        hand = deal_game("JACKS_TRIPS", [100, 100], house="HOUSE_NIGHT", button=1, cards=(text, "AhAcKdKc5c"))
        play_game(hand, "k b1 c" if not may_open else "b1 c")
        check_down(hand)
        assert (hand.won_chips[0] > 0) is may_win
        assert (hand.carry_chips == 0) is may_win


def test_game_dc_06_nobody_opens_and_everyone_who_anted_antes_again() -> None:
    hand = deal_game(
        "JACKS_TRIPS", [100] * 4, house="HOUSE_NIGHT", button=3, dead_chips=5, cards=(*FIVE_EACH, "JdJc9d9c2d")
    )
    events = play_game(hand, "k k k k")
    assert of_kind(events, PotCarried) == [PotCarried(chips=9, redeal_seats=(0, 1, 2, 3))]
    assert hand.is_over
    assert hand.carry_chips == 9
    assert hand.stacks == (99, 99, 99, 99)
    assert hand.total_chips == 405


def test_game_dc_05_by_default_the_hand_goes_on_if_nobody_opens() -> None:
    hand = deal_game("FIVE_CARD_DRAW", [100] * 3, house="HOUSE_NIGHT", cards=FIVE_EACH)
    play_game(hand, "k k k")
    assert hand.phase == "CHOOSING"
    conditions = ConditionsSpec(redeal_if_no_open=True)
    called = msgspec.structs.replace(catalog.game("FIVE_CARD_DRAW"), conditions=conditions)
    hand = deal_game(called, [100] * 3, house="HOUSE_NIGHT", cards=FIVE_EACH)
    play_game(hand, "k k k")
    assert (hand.phase, hand.carry_chips) == ("OVER", 3)


def test_game_dc_06_without_two_players_who_can_ante_again_there_is_no_redeal() -> None:
    hand = deal_game("JACKS_TRIPS", [1, 1, 100], house="HOUSE_NIGHT", button=2, cards=FIVE_EACH)
    assert hand.phase == "CHOOSING"
    check_down(hand)
    assert hand.carry_chips == 0
    assert hand.won_chips == (0, 3, 0)


def test_game_dc_06_without_trips_the_pot_stays_for_those_at_the_showdown() -> None:
    hand = deal_game("JACKS_TRIPS", [100] * 4, house="HOUSE_NIGHT", cards=(*FIVE_EACH, "JdJc9d9c2d"))
    events = play_game(hand, "b2 c f c") + check_down(hand)
    assert of_kind(events, PotCarried) == [PotCarried(chips=10, redeal_seats=(0, 1, 2))]
    assert of_kind(events, LayerAwarded) == []
    assert hand.won_chips == (0, 0, 0, 0)
    assert hand.stacks == (97, 97, 97, 99)
    assert hand.total_chips == 400


def test_game_dc_06_trips_win_and_the_best_of_several_at_that() -> None:
    cards = ("AsAh7d4c2c", "KsKhKd5c3c", "QsQhQd5h4d")
    hand = deal_game("JACKS_TRIPS", [100] * 3, house="HOUSE_NIGHT", cards=cards)
    events = play_game(hand, "b2 c c") + check_down(hand)
    assert of_kind(events, PotCarried) == []
    assert hand.won_chips == (0, 9, 0)


def test_game_dc_06_each_layer_needs_its_own_winner() -> None:
    # Seat 0 is all-in for the ante with trips; nobody has them for the extra layer, which stays for the two others.
    cards = ("7s7h7d4c2c", "KsKh8d5c3c", "QsQh6d5h4d")
    hand = deal_game("JACKS_TRIPS", [1, 100, 100], house="HOUSE_NIGHT", cards=cards)
    events = play_game(hand, "b2 c") + check_down(hand)
    assert hand.won_chips == (3, 0, 0)
    assert of_kind(events, PotCarried) == [PotCarried(chips=4, redeal_seats=(1, 2))]


def test_game_dc_06_the_last_one_left_needs_no_trips() -> None:
    hand = deal_game("JACKS_TRIPS", [100] * 3, house="HOUSE_NIGHT", cards=FIVE_EACH)
    play_game(hand, "b2 f f")
    assert hand.won_chips == (0, 3, 0)


def test_game_dc_06_and_game_dc_07_opening_without_openers_is_refused() -> None:
    hand = deal_game("JACKS_TRIPS", [100] * 3, house="HOUSE_NIGHT", button=2, cards=FIVE_EACH)
    assert "bet" not in hand.legal_actions(0).kinds
    assert_refused(hand, Bet(to_chips=2), "OPENERS_REQUIRED", "GAME-DC-06")
    play_game(hand, "k b2")
    assert {"call", "raise"} <= set(hand.legal_actions(2).kinds)  # Once it is open everybody may raise.


def test_game_dc_07_unknown_cards_may_open_at_the_players_word() -> None:
    game, rules = catalog.game("JACKS_TRIPS"), rules_of("HOUSE_NIGHT")
    order = stack_deck(game, rules, button=1, hole_cards=[parse_cards("??????????")] * 2, board=(), fill=False)
    hand = Hand.start(game, rules, stacks=[100, 100], button=1, deck_order=order)
    assert "bet" in hand.legal_actions(0).kinds


def recorded_at_a_table() -> Hand:
    """Jacks or better, trips to win, dealt from a deck that nobody knows: seat 0 opens, both show down without a draw."""
    game, rules = catalog.game("JACKS_TRIPS"), rules_of("HOUSE_NIGHT", showdown="ASK")
    order = stack_deck(game, rules, button=1, hole_cards=[parse_cards("??????????")] * 2, board=(), fill=False)
    hand = Hand.start(game, rules, stacks=[100, 100], button=1, deck_order=order)
    play_game(hand, "b2 c d:???????? d: k k")
    return hand


def enter(hand: Hand, positions: Sequence[int], cards: str) -> None:
    for position, card in zip(positions, parse_cards(cards), strict=True):
        hand.enter_card(position, card)


@pytest.mark.parametrize(
    ("put_away", "won"),
    [
        pytest.param("Jd9c7h5s", (6, 0), id="a pair of jacks"),
        pytest.param("Td9c7h5s", (0, 6), id="less"),
        pytest.param("Td9c7h", (6, 0), id="a discard that nobody ever tells"),
    ],
)
def test_game_dc_07_the_opener_proves_the_openers_at_the_end(put_away: str, won: tuple[int, int]) -> None:
    hand = recorded_at_a_table()
    # Seat 0 kept the last of its five cards, the jack of spades, and drew four kings.
    enter(hand, hand.hole_positions(0), "JsKsKhKdKc")
    enter(hand, hand.hole_positions(1), "QsQhQd4c2d")
    enter(hand, (0, 2, 4, 6)[: len(parse_cards(put_away))], put_away)
    play_game(hand, "s s")
    assert hand.won_chips == won
    assert hand.total_chips == 200
