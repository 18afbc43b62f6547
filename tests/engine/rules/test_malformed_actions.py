"""Values that no action has: each is refused by name, and the hand stays as it was (BET-GEN-03, POT-AGR-01)."""

from __future__ import annotations

from typing import Any

import pytest

from homegame_engine.actions import Agree, Bet, Call, Check, Declare, Discard, Draw, Fold, PassCards
from homegame_engine.errors import InputError, RuleViolation
from tests.game_hands import deal_game, play_game
from tests.table_builders import assert_refused

NO_CARDS: list[Any] = [None, 5, "AsKs", b"\x01", {1: 2}, (None,), (1.0,), (True,), ("As",)]
NO_CHIPS: list[Any] = [True, 1.5, "5", (1,), [], float("nan")]
NO_SHARES: list[Any] = [None, 5, "abc", {}, (1.5, 1, 1), ("1", "1", "1"), (True, 1, 1), (1, 1), (1,) * 10]
NO_HALVES: list[Any] = [None, "", "low", 1, [], {}, b"LOW", ("LOW",)]
NO_SEATS = (-2, 3, 31, 32, 64, 1 << 20)


@pytest.mark.parametrize("game", ["ANACONDA", "FIVE_CARD_DRAW", "IRISH", "RAZZ", "STUD_DECLARE"])
def test_bet_gen_03_values_that_no_action_has_change_nothing(game: str) -> None:
    hand = deal_game(game, [1000] * 3, house="HOUSE_NIGHT")
    malformed: list[Any] = [None, "fold", 5, Fold, object()]
    malformed += [kind(cards=cards) for kind in (Discard, Draw, PassCards) for cards in NO_CARDS]
    malformed += [action for chips in NO_CHIPS for action in (Call(chips), Bet(chips), Bet(by_chips=chips))]
    malformed += [Agree(shares) for shares in NO_SHARES]
    hand.apply(hand.actor, Agree((3, 0, 0)))  # Something named, which a malformed division must not take back.
    before = hand.encode()
    for action in malformed:
        with pytest.raises(InputError):
            hand.apply(hand.actor, action)
        assert hand.encode() == before, action


def test_game_decl_01_no_other_half_is_declared() -> None:
    hand = deal_game("DRAW_DECLARE", [1000] * 2, house="HOUSE_NIGHT")
    play_game(hand, "k k d: d: k k")
    for half in NO_HALVES:
        assert_refused(hand, Declare(half), "DECLARE_REQUIRED", "GAME-DECL-01", seat=0)


@pytest.mark.parametrize("seat", NO_SEATS)
def test_bet_gen_06_a_seat_that_does_not_exist_has_no_cards_and_no_turn(seat: int) -> None:
    hand = deal_game("RAZZ", [1000] * 3, house="HOUSE_NIGHT")
    before = hand.encode()
    for ask in (
        hand.legal_actions,
        hand.timeout_action,
        hand.hole_cards,
        hand.hole_positions,
        hand.words,
        hand.up_cards,
    ):
        with pytest.raises(InputError, match="no seat"):
            ask(seat)
    with pytest.raises(RuleViolation, match="HAND_OVER"):
        hand.apply(seat, Check())
    assert hand.encode() == before


def test_pot_odd_02_a_division_is_in_whole_chips() -> None:
    hand = deal_game("RAZZ", [4000] * 3, house="HOUSE_NIGHT", unit_chips=25, ante_chips=25, bring_in_chips=0)
    assert_refused(hand, Agree((30, 25, 20)), "NOT_A_MULTIPLE", "POT-ODD-02")
    for seat in range(3):
        hand.apply(seat, Agree((50, 0, 25)))
    assert hand.won_chips == (50, 0, 25)
