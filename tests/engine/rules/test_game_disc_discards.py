"""GAME-IR-01, GAME-CP-01, GAME-DISC-01 and GAME-DISC-02, and the passes of GAME-DC-04: cards that leave a hand unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.actions import AnyAction, Bet, Call, Check, Declare, Discard, Draw, Fold, PassCards, Show
from homegame_engine.cards import CARD_UNKNOWN, format_cards, parse_cards
from homegame_engine.events import CardsPassed, ChoiceMade, HandShown, LayerAwarded
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from homegame_engine.specs import BettingStreet, DealDown, DealUp, DiscardCards, GameSpec
from tests.game_hands import check_down, deal_game, of_kind, play_game, rules_of
from tests.table_builders import assert_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

IRISH_CARDS = ("AsKsQsJs", "AhKhQhJh", "AdKdQdJd")
PINEAPPLE_CARDS = ("AsKsQs", "AhKhQh", "AdKdQd")
SEVEN_EACH = ("2s3s4s5s6s7s8s", "2h3h4h5h6h7h8h", "2d3d4d5d6d7d8d")


def after_flop(game: str, cards: Sequence[str], stacks: Sequence[int] = (100, 100, 100)) -> Hand:
    """A hand whose discards are due; the seat left of the button is seat 1."""
    hand = deal_game(game, stacks, cards=cards, board="2c3c4c5c9d")
    check_down(hand, until=("CHOOSING",))
    return hand


def held(hand: Hand, seat: int) -> str:
    return format_cards(hand.hole_cards(seat))


# --- Irish hold'em and crazy pineapple ------------------------------------------------------------------------------------


def test_game_ir_01_two_cards_go_after_the_flop_round_and_then_it_is_hold_em() -> None:
    hand = after_flop("IRISH", IRISH_CARDS)
    assert (hand.phase, len(hand.board)) == ("CHOOSING", 3)
    legal = hand.legal_actions(0)
    assert (legal.kinds, legal.cards_min, legal.cards_max) == (("discard",), 2, 2)
    play_game(hand, "x:AhQh x:KdQd x:KsJs")
    assert [held(hand, seat) for seat in range(3)] == ["AsQs", "KhJh", "AdJd"]
    assert (hand.phase, len(hand.board)) == ("BETTING", 4)
    events = check_down(hand)
    # The board's straight flush counts for all five cards, which no Omaha hand could do.
    assert [award.chips for award in of_kind(events, LayerAwarded)] == [6]
    assert len(set(hand.won_chips)) == 2


def test_game_ir_01_the_best_five_may_use_one_private_card_or_none() -> None:
    hand = deal_game("IRISH", [100, 100], cards=("As8s7d6d", "KhQh7h7s"), board="KsQsJsTs2d")
    check_down(hand, until=("CHOOSING",))
    play_game(hand, "x:7h7s x:7d6d")
    check_down(hand)
    assert hand.won_chips == (4, 0)


def test_game_cp_01_one_of_three_cards_goes_after_the_flop_round() -> None:
    hand = after_flop("CRAZY_PINEAPPLE", PINEAPPLE_CARDS)
    legal = hand.legal_actions(2)
    assert (legal.kinds, legal.cards_min, legal.cards_max) == (("discard",), 1, 1)
    play_game(hand, "x:Kh x:Ad x:Qs")
    assert [held(hand, seat) for seat in range(3)] == ["AsKs", "AhQh", "KdQd"]
    assert (hand.phase, len(hand.board)) == ("BETTING", 4)


def test_game_ir_01_all_in_players_discard_too() -> None:
    hand = after_flop("IRISH", IRISH_CARDS, stacks=(2, 2, 2))
    assert hand.all_in_mask == 0b111
    assert hand.may_act_mask == 0b111
    play_game(hand, "x:AhQh x:KdQd x:KsJs")
    assert hand.phase == "SHOWDOWN"
    assert len(hand.board) == 5


@pytest.mark.parametrize(
    ("game", "cards", "rule_id"),
    [("IRISH", IRISH_CARDS, "GAME-IR-01"), ("CRAZY_PINEAPPLE", PINEAPPLE_CARDS, "GAME-CP-01")],
)
def test_game_ir_01_and_cp_01_the_discard_comes_first(game: str, cards: Sequence[str], rule_id: str) -> None:
    hand = after_flop(game, cards)
    wagers: tuple[AnyAction, ...] = (Check(), Call(call_chips=0), Bet(to_chips=4), Fold(), Draw())
    for action in wagers:
        assert_refused(hand, action, "DISCARD_REQUIRED", rule_id, seat=1)
    assert_refused(hand, Show(), "ACTION_UNKNOWN", "BET-GEN-13", seat=1)
    assert_refused(hand, Declare(half="LOW"), "DECLARE_CLOSED", "GAME-DECL-01", seat=1)


# --- GAME-DISC ------------------------------------------------------------------------------------------------------------


def test_game_disc_01_discards_come_in_any_order_and_nothing_moves_before_the_last() -> None:
    hand = after_flop("IRISH", IRISH_CARDS)
    assert hand.may_act_mask == 0b111
    for seat, cards, left in ((0, "KsJs", 0b110), (2, "KdQd", 0b010)):
        (event,) = hand.apply(seat, Discard(cards=parse_cards(cards)))
        assert event == ChoiceMade(seat=seat, choice="DISCARD", cards=parse_cards(cards))
        assert hand.may_act_mask == left
        assert hand.legal_actions(seat).kinds == ()
        assert held(hand, seat) == IRISH_CARDS[seat]
    assert hand.actor == 1
    hand.apply(1, Discard(cards=parse_cards("AhKh")))
    assert [held(hand, seat) for seat in range(3)] == ["AsQs", "QhJh", "AdJd"]


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("As", id="too few"),
        pytest.param("AsKsQs", id="too many"),
        pytest.param("AsAh", id="a card of another hand"),
        pytest.param("As2c", id="a card of the board"),
        pytest.param("AsAs", id="one card twice"),
        pytest.param("AsX1", id="no card of this deck"),
        pytest.param("As??", id="an unknown card where all are known"),
        pytest.param("", id="none"),
    ],
)
def test_game_disc_01_a_wrong_number_or_a_card_not_held_is_refused(cards: str) -> None:
    hand = after_flop("IRISH", IRISH_CARDS)
    assert_refused(hand, Discard(cards=parse_cards(cards)), "BAD_DISCARD", "GAME-DISC-01", seat=0)


def test_game_disc_01_a_code_that_is_no_card_is_refused() -> None:
    hand = after_flop("CRAZY_PINEAPPLE", PINEAPPLE_CARDS)
    for code in (-1, 54, 255, 10**9):
        assert_refused(hand, Discard(cards=(code,)), "BAD_DISCARD", "GAME-DISC-01", seat=0)


def test_game_disc_01_a_discard_is_binding() -> None:
    hand = after_flop("CRAZY_PINEAPPLE", PINEAPPLE_CARDS)
    hand.apply(0, Discard(cards=parse_cards("Qs")))
    assert_refused(hand, Discard(cards=parse_cards("As")), "ACTION_CLOSED", "BET-GEN-03", seat=0)
    assert_refused(hand, Check(), "OUT_OF_TURN", "BET-GEN-01", seat=0)


def test_game_disc_01_who_has_folded_discards_nothing() -> None:
    hand = deal_game("CRAZY_PINEAPPLE", [100] * 3, cards=PINEAPPLE_CARDS)
    play_game(hand, "f c k k k")
    assert hand.may_act_mask == 0b110
    assert_refused(hand, Discard(cards=parse_cards("As")), "HAND_OVER", "BET-GEN-06", seat=0)


def test_game_disc_01_a_discard_is_shown_to_nobody_at_the_showdown() -> None:
    hand = after_flop("CRAZY_PINEAPPLE", PINEAPPLE_CARDS)
    play_game(hand, "x:Kh x:Ad x:Qs")
    shown = {event.seat: format_cards(event.cards) for event in of_kind(check_down(hand), HandShown)}
    assert shown == {0: "AsKs", 1: "AhQh", 2: "KdQd"}


def test_game_disc_02_who_does_not_answer_gives_up_the_cards_dealt_last() -> None:
    assert after_flop("IRISH", IRISH_CARDS).timeout_action(1) == Discard(cards=parse_cards("QhJh"))
    hand = after_flop("CRAZY_PINEAPPLE", PINEAPPLE_CARDS)
    assert hand.timeout_action(0) == Discard(cards=parse_cards("Qs"))
    for seat in (2, 0, 1):
        hand.apply(seat, hand.timeout_action(seat))
    assert [held(hand, seat) for seat in range(3)] == ["AsKs", "AhKh", "AdKd"]


def test_game_disc_01_unknown_cards_are_discarded_unseen() -> None:
    game, rules = catalog.game("IRISH"), rules_of("CLUB")
    hole_cards = [parse_cards("As??Qs??"), parse_cards("????????")]
    order = stack_deck(game, rules, button=0, hole_cards=hole_cards, board=(), fill=False)
    hand = Hand.start(game, rules, stacks=[100, 100], button=0, deck_order=order)
    check_down(hand, until=("CHOOSING",))
    assert_refused(hand, Discard(cards=(CARD_UNKNOWN,) * 3), "BAD_DISCARD", "GAME-DISC-01", seat=0)
    positions = hand.hole_positions(0)
    hand.apply(0, Discard(cards=parse_cards("As??")))
    hand.apply(1, Discard(cards=(CARD_UNKNOWN,) * 2))
    assert hand.hole_positions(0) == positions[2:]
    assert hand.hole_cards(0) == parse_cards("Qs??")
    assert hand.hole_cards(1) == (CARD_UNKNOWN, CARD_UNKNOWN)


def test_a_card_that_leaves_does_not_turn_others_up_or_down() -> None:
    # Two down, two up, two go: who keeps which card face up follows the cards.
    game = msgspec.structs.replace(
        catalog.game("FIVE_CARD_DRAW"),
        id="UP_AND_AWAY",
        steps=(
            DealDown(count=1),
            DealUp(count=1),
            DealDown(count=1),
            DealUp(count=4),
            DiscardCards(count=2),
            BettingStreet(street="ONLY", size="SMALL", opens="BEST_EXPOSED"),
        ),
    )
    hand = deal_game(game, [100, 100], house="HOUSE_NIGHT", cards=("2s3s4sAsAhAd5s", "2d3d4d8d9hTd5d"))
    play_game(hand, "x:2d3d x:2s5s")
    assert held(hand, 0) == "3s4sAsAhAd"
    # Seat 0 shows 3s and three aces, seat 1 8d 9h Td 5d: the aces are best only while they lie face up.
    assert hand.actor == 0


# --- GAME-DC-04: passes ---------------------------------------------------------------------------------------------------


def passing_game(direction: str) -> GameSpec:
    game = catalog.game("ANACONDA")
    steps = [
        msgspec.structs.replace(step, direction=direction) if hasattr(step, "direction") else step
        for step in game.steps
    ]
    return msgspec.structs.replace(game, steps=tuple(steps))


@pytest.mark.parametrize(
    ("direction", "hands"),
    [
        ("LEFT", ("5s6s7s8s2d3d4d", "5h6h7h8h2s3s4s", "5d6d7d8d2h3h4h")),
        ("RIGHT", ("5s6s7s8s2h3h4h", "5h6h7h8h2d3d4d", "5d6d7d8d2s3s4s")),
    ],
)
def test_game_dc_04_cards_are_passed_all_at_once_and_come_last_in_the_new_hand(
    direction: str, hands: tuple[str, ...]
) -> None:
    hand = deal_game(passing_game(direction), [100] * 3, house="HOUSE_NIGHT", cards=SEVEN_EACH)
    play_game(hand, "k k k")
    assert hand.legal_actions(0).kinds == ("pass",)
    assert (hand.legal_actions(0).cards_min, hand.may_act_mask) == (3, 0b111)
    hand.apply(2, PassCards(cards=parse_cards("2d4d3d")))
    hand.apply(0, PassCards(cards=parse_cards("2s3s4s")))
    assert [held(hand, seat) for seat in range(3)] == list(SEVEN_EACH)
    events = hand.apply(1, PassCards(cards=parse_cards("2h3h4h")))
    assert [held(hand, seat) for seat in range(3)] == list(hands)
    step = 1 if direction == "LEFT" else -1
    for passed in of_kind(events, CardsPassed):
        assert passed.seat == (passed.from_seat + step) % 3
        assert passed.cards == hand.hole_cards(passed.seat)[4:]
    assert len(of_kind(events, CardsPassed)) == 3


def test_game_dc_04_cards_are_passed_over_the_head_of_who_has_folded() -> None:
    hand = deal_game(passing_game("LEFT"), [100] * 4, house="HOUSE_NIGHT", cards=(*SEVEN_EACH, "2c3c4c5c6c7c8c"))
    play_game(hand, "b1 f c c p:2h3h4h p:2c3c4c p:2s3s4s")
    assert hand.live_mask == 0b1011
    assert [held(hand, seat) for seat in (0, 1, 3)] == ["5s6s7s8s2c3c4c", "5h6h7h8h2s3s4s", "5c6c7c8c2h3h4h"]


@pytest.mark.parametrize("cards", ["2h3h", "2h3h4h5h", "2h3h2s", "2h2h3h", ""])
def test_game_dc_04_a_wrong_pass_is_refused(cards: str) -> None:
    hand = deal_game("ANACONDA", [100] * 3, house="HOUSE_NIGHT", cards=SEVEN_EACH)
    play_game(hand, "k k k")
    assert_refused(hand, PassCards(cards=parse_cards(cards)), "BAD_DISCARD", "GAME-DC-04", seat=1)
    assert_refused(hand, Check(), "BAD_DISCARD", "GAME-DC-04", seat=1)


def test_game_dc_04_who_does_not_answer_passes_the_cards_dealt_last() -> None:
    hand = deal_game("ANACONDA", [100] * 3, house="HOUSE_NIGHT", cards=SEVEN_EACH)
    play_game(hand, "k k k")
    assert hand.timeout_action(0) == PassCards(cards=parse_cards("6s7s8s"))
