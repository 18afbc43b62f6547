from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homegame_engine import catalog
from homegame_engine.actions import Call, Check
from homegame_engine.errors import InputError
from homegame_engine.hand import Hand
from homegame_engine.stakes import level_rules
from homegame_sim.deal import deck_order, mix_orders

GAME = catalog.game("HOLDEM")
RULES = catalog.house("POINTS_NIGHT").hand_rules(small_blind_chips=1, big_blind_chips=2)


def play_to_the_river(button: int, dealt_in: int, n_players: int, *, block: int = 5, hand: int = 2) -> Hand:
    order = deck_order(
        GAME, RULES, seed=9, block=block, hand=hand, n_players=n_players, dealt_mask=dealt_in, button=button
    )
    stacks = [100 if dealt_in >> seat & 1 else 0 for seat in range(n_players)]
    played = Hand.start(GAME, RULES, stacks=stacks, button=button, deck_order=order)
    while played.phase == "BETTING":
        legal = played.legal_actions()
        played.apply(played.actor, Check() if "check" in legal.kinds else Call(call_chips=legal.call_chips))
    return played


@given(n_players=st.integers(2, 10), data=st.data())
def test_a_player_has_the_same_cards_wherever_the_button_is_and_whoever_is_out(
    n_players: int, data: st.DataObject
) -> None:
    hands = []
    for _ in range(2):
        seats = data.draw(st.sets(st.integers(0, n_players - 1), min_size=2))
        button = data.draw(st.sampled_from(sorted(seats)))
        hands.append((seats, play_to_the_river(button, sum(1 << seat for seat in seats), n_players)))
    (first_seats, first), (second_seats, second) = hands
    assert first.board == second.board
    assert len(first.board) == 5
    for seat in first_seats & second_seats:
        assert first.hole_cards(seat) == second.hole_cards(seat)


def test_every_order_holds_each_card_once() -> None:
    for n_players, block in itertools.product((2, 6, 10), range(50)):
        order = deck_order(GAME, RULES, seed=1, block=block, hand=0, n_players=n_players, dealt_mask=0b11, button=1)
        assert sorted(order) == list(range(52))


def test_hands_blocks_and_seeds_have_cards_of_their_own() -> None:
    orders = {
        deck_order(GAME, RULES, seed=seed, block=block, hand=hand, n_players=4, dealt_mask=0b1111, button=0)
        for seed, block, hand in itertools.product(range(3), range(3), range(3))
    }
    assert len(orders) == 27


@pytest.mark.parametrize(("n_players", "button"), [(1, 0), (11, 0), (4, 4), (4, -1)])
def test_a_table_that_does_not_exist_is_refused(n_players: int, button: int) -> None:
    with pytest.raises(InputError):
        deck_order(GAME, RULES, seed=1, block=0, hand=0, n_players=n_players, dealt_mask=0b11, button=button)


# --- Other games ------------------------------------------------------------------------------------------------------


def first_cards(hand: Hand) -> list[tuple[int, ...]]:
    return [hand.hole_cards(seat) for seat in range(hand.n_seats)]


@pytest.mark.parametrize(
    "name", ["STUD7-CLUB", "FIVE_CARD_DRAW-CLUB", "OMAHA8-CLUB", "SHORT_HOLDEM-CLUB", "JOKER_DRAW-CLUB"]
)
def test_before_anybody_decides_a_player_has_the_same_cards_wherever_the_button_is(name: str) -> None:
    spec = catalog.format_by(name)
    game, n_players = catalog.game(spec.blocks[0].game), 5
    rules = level_rules(catalog.house(spec.house), spec.levels[0], spec.betting.structure)
    held = []
    for button in range(n_players):
        order = deck_order(game, rules, seed=9, block=1, hand=4, n_players=n_players, dealt_mask=31, button=button)
        assert len(order) == game.deck.cards + game.deck.jokers == len(set(order))
        hand = Hand.start(game, rules, stacks=[1000] * n_players, button=button, deck_order=order)
        held.append(first_cards(hand))
    assert all(cards == held[0] for cards in held)


def test_the_stub_and_the_orders_of_its_mixing_are_the_same_cards_wherever_the_button_is() -> None:
    game = catalog.game("FIVE_CARD_DRAW")
    rules = catalog.house("CLUB").hand_rules(small_blind_chips=1, big_blind_chips=2)
    stubs, mixes = set(), set()
    for button in range(8):
        asked = {"seed": 9, "block": 1, "hand": 4, "n_players": 8, "dealt_mask": 255, "button": button}
        order = deck_order(game, rules, **asked)
        places = mix_orders(game, rules, **asked)
        stubs.add(order[40:])
        mixes.add(bytes(order[place] for place in places))
        assert len(places) == 3 * 52  # Eight who change all five cards each mix the stub three times (GAME-DC-09).
        assert all(sorted(places[n : n + 52]) == list(range(52)) for n in range(0, len(places), 52))
    assert len(stubs) == len(mixes) == 1
    assert sorted(stubs.pop()) != list(range(40, 52))


def test_a_stub_that_cannot_run_short_needs_no_order() -> None:
    rules = catalog.house("CLUB").hand_rules(small_blind_chips=1, big_blind_chips=2)
    for name, n_players in (("HOLDEM", 10), ("FIVE_CARD_DRAW", 3), ("STUD7", 6)):
        game = catalog.game(name)
        asked = {"seed": 9, "block": 1, "hand": 4, "n_players": n_players, "dealt_mask": 3, "button": 0}
        assert mix_orders(game, rules, **asked) == b""
