"""GEN-09: at a table of real cards somebody tells the engine what happened, so an up card may be unknown to it."""

from __future__ import annotations

import pytest

from homegame_engine import catalog
from homegame_engine.actions import BringIn, Call, Check, Fold
from homegame_engine.cards import parse_card, parse_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.notation.stacked_deck import stack_deck
from tests.table_builders import assert_refused

UNKNOWN = "??"


def stud(up_cards: str, fourth: str = "", game_id: str = "STUD7") -> Hand:
    """A deal of stud to three seats, the last one at the button, whose down cards nobody knows."""
    rules = catalog.house("POINTS_NIGHT").hand_rules(ante_chips=1, bring_in_chips=1, small_bet_chips=2)
    game = catalog.game(game_id)
    up = [up_cards.split(), fourth.split()]
    hole_cards = [parse_cards(UNKNOWN * 2 + "".join(street[seat] for street in up if street)) for seat in range(3)]
    deck_order = stack_deck(game, rules, button=2, hole_cards=hole_cards, board=(), fill=False)
    return Hand.start(game, rules, stacks=[100] * 3, button=2, deck_order=deck_order)


def told(hand: Hand, seat: int) -> None:
    hand.enter_opener(seat)
    assert (hand.phase, hand.actor) == ("BETTING", seat)


def test_game_st_06_a_round_waits_until_its_bring_in_is_told() -> None:
    hand = stud("Kd ?? 4s")
    assert (hand.phase, hand.actor) == ("WAITING", -1)
    assert_refused(hand, Fold(), "HAND_OVER", "BET-GEN-06", seat=0)
    told(hand, 1)
    assert "bring_in" in hand.legal_actions().kinds
    hand.apply(1, BringIn())
    assert hand.actor == 2


@pytest.mark.parametrize(("game_id", "opener"), [("STUD7", 2), ("RAZZ", 0)])
def test_game_st_04_the_known_cards_are_not_contradicted(game_id: str, opener: int) -> None:
    hand = stud("Kd ?? 4s", game_id=game_id)
    before = hand.encode()
    with pytest.raises(RuleViolation, match=r"OUT_OF_TURN.*GAME-ST-04"):
        hand.enter_opener(2 - opener)
    assert hand.encode() == before
    told(hand, opener)


def test_card_01_the_card_itself_may_be_entered_instead() -> None:
    hand = stud("Kd ?? 4s")
    hand.enter_card(hand.hole_positions(1)[2], parse_card("3c"))
    assert (hand.phase, hand.actor) == ("BETTING", 1)


def test_game_st_04_every_street_with_an_unseen_hand_is_told_and_no_other() -> None:
    hand = stud("Kd ?? 4s", "2c 2d Ks")
    told(hand, 1)
    hand.apply(1, BringIn())
    hand.apply(2, Call())
    hand.apply(0, Call())
    assert hand.phase == "WAITING"
    with pytest.raises(RuleViolation, match=r"OUT_OF_TURN.*GAME-ST-04"):
        hand.enter_opener(0)  # Against king and four, king and two is the lower.
    told(hand, 2)
    hand.apply(2, Check())
    hand.apply(0, Check())
    hand.apply(1, Check())
    assert hand.phase == "WAITING"


def test_nobody_is_told_where_no_round_waits_and_no_dead_hand_opens() -> None:
    with pytest.raises(InputError, match="no round waits"):
        stud("Kd 9c 4s").enter_opener(2)
    hand = stud("Kd ?? 4s", "2c 2d Ks")
    told(hand, 2)
    hand.apply(2, BringIn())
    hand.apply(0, Fold())
    hand.apply(1, Call())
    for seat in (-1, 0, 3):
        with pytest.raises(InputError, match="no live hand"):
            hand.enter_opener(seat)
