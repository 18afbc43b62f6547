"""GAME-ST-17, CARD-06 and CARD-08: stud with more players than the deck has seventh cards for; GAME-ST-16 at its showdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine.actions import Check
from homegame_engine.cards import parse_cards
from homegame_engine.choices import deal_of_last_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.events import (
    CardsBurned,
    CommonCardDealt,
    HoleCardsDealt,
    ShowdownStarted,
    StubReshuffled,
)
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import assert_refused

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.hand import Hand

DECK = 52


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("stud_shortage")))
def test_stud_shortage_examples(example: Example) -> None:
    for (due, stub, burns), expected in zip(example.input["cases"], example.expected["results"], strict=True):
        case, first, then, second_burn = deal_of_last_cards(n_due=due, n_stub=stub, n_burns=burns)
        assert {
            "case": case,
            "served_first": first,
            "then": then,
            "second_burn": second_burn,
        } == expected


def test_game_st_17_no_card_is_dealt_that_is_not_there() -> None:
    for due in range(2, 9):
        for stub in range(DECK):
            for burns in range(8):
                case, first, then, second_burn = deal_of_last_cards(n_due=due, n_stub=stub, n_burns=burns)
                if case == "NORMAL":
                    assert (first, then) == (due, 0)
                    assert stub >= due + 1
                elif case == "REMIX":
                    # All but the last of the stub go out, the first of them as a burn; the rest comes from the mixed cards.
                    assert first + then == due
                    assert first == max(stub - 2, 0)
                    assert then + second_burn <= burns + min(stub, 2)
                    assert second_burn is (burns + min(stub, 2) > then)
                else:
                    assert (first, then) == (0, 0)
                    assert burns + min(stub, 2) < due - max(stub - 2, 0)


@pytest.mark.parametrize("numbers", [(-1, 5, 5), (5, -1, 5), (5, 5, -1), (55, 0, 0)])
def test_what_no_deck_holds_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(InputError):
        deal_of_last_cards(n_due=numbers[0], n_stub=numbers[1], n_burns=numbers[2])


def to_seventh(
    n_players: int, *, folds: int = 0, house: str = "CLUB", mix: str = ""
) -> tuple[Hand, tuple[AnyEvent, ...]]:
    """Stud up to the deal of the seventh cards: the hand after it, and the events from the end of sixth street on.

    `folds` players fold on sixth street. `mix` are deck positions that the reshuffle puts first.
    """
    first = [int(word) for word in mix.split()]
    order = bytes([*first, *(position for position in range(DECK) if position not in first)]) if mix else b""
    hand = deal_game(
        "STUD7",
        [100] * n_players,
        house=house,
        button=n_players - 1,
        ante_chips=1,
        bring_in_chips=1,
        mix_orders=order,
    )
    while hand.street < 3:
        step(hand)
    if folds:
        play_game(hand, "b4" + " f" * folds)
    events: tuple[AnyEvent, ...] = ()
    while hand.street < 4:
        events = step(hand)
    return hand, events


def step(hand: Hand) -> tuple[AnyEvent, ...]:
    legal = hand.legal_actions()
    if "check" in legal.kinds:
        return hand.apply(hand.actor, Check())
    return play_game(hand, "c") if "call" in legal.kinds else hand.apply(hand.actor, hand.timeout_action(hand.actor))


def seventh_positions(hand: Hand) -> list[int]:
    return [hand.hole_positions(seat)[6] for seat in range(hand.n_seats) if len(hand.hole_positions(seat)) == 7]


def test_game_st_17_with_enough_cards_it_is_a_deal_like_any_other() -> None:
    # Seven start, one folds: 45 cards are gone and seven left for six players and a burn.
    hand, events = to_seventh(7, folds=1)
    assert of_kind(events, StubReshuffled) == []
    assert [event.count for event in of_kind(events, CardsBurned)] == [1]
    assert seventh_positions(hand) == [46, 47, 48, 49, 50, 51]


def test_game_st_17_the_last_card_is_mixed_with_the_burns_for_who_still_waits() -> None:
    # Seven players, seven cards: one burn, five are served, then the last one and four burns for two, after another burn.
    hand, events = to_seventh(7, mix="51 24 44")
    # Burns are the cards 21, 29, 37 and 45; the last card is 51. Cards 24 and 44 lie in hands and are not mixed.
    burnt = [21, 29, 37, 45]
    assert seventh_positions(hand) == [46, 47, 48, 49, 50, 21, 29]
    kinds = [type(event) for event in events if isinstance(event, CardsBurned | HoleCardsDealt | StubReshuffled)]
    assert kinds == [CardsBurned, *[HoleCardsDealt] * 5, StubReshuffled, CardsBurned, *[HoleCardsDealt] * 2]
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=len(burnt) + 1)]
    assert [len(event.cards) for event in of_kind(events, HoleCardsDealt)] == [1] * 7


def test_game_st_17_with_just_enough_mixed_cards_there_is_no_second_burn() -> None:
    # Eight start, two fold on sixth street: 51 are gone, one is left; one and three burns would serve four of six players.
    hand, events = to_seventh(8, folds=2)
    assert of_kind(events, CommonCardDealt) != []
    # With four folded it is just enough: one card and three burns for four players, and nothing is burnt.
    hand, events = to_seventh(8, folds=4, mix="51 42")
    assert sorted(seventh_positions(hand)) == [24, 33, 42, 51]
    assert seventh_positions(hand)[:2] == [51, 42]
    assert of_kind(events, CardsBurned) == []
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=4)]


def test_game_st_17_otherwise_one_common_card_is_turned_for_all() -> None:
    # Eight players, one card: stub and burns are mixed, one is burnt, the next is common.
    hand, events = to_seventh(8, mix="42 33")
    assert seventh_positions(hand) == []
    assert hand.board_positions == (33,)
    kinds = [type(event) for event in events if not isinstance(event, Check)][-3:]
    assert kinds == [StubReshuffled, CardsBurned, CommonCardDealt]
    assert of_kind(events, CommonCardDealt) == [CommonCardDealt(card=hand.board[0])]
    assert all(len(hand.hole_cards(seat)) == 6 for seat in range(8))
    check_down(hand)
    assert sum(hand.won_chips) == 16


@pytest.mark.parametrize(("mixed", "common", "actor"), [((24, 33), "Ac", 1), ((33, 24), "2s", 7)])
def test_game_st_17_with_the_common_card_another_hand_may_be_high(
    mixed: tuple[int, int], common: str, actor: int
) -> None:
    # Seat 7 shows a pair of queens and acts first on sixth street, seat 1 an ace.
    cards = [
        "2c3dKsQhJs9d", "4c5dAsQsJh8d", "2d3cKhTs9h7d", "4d5cKdTd9s6d",
        "2h3hKcTc8s7c", "4h5h9cTh8h5s", "6h6s7hJc8c3s", "6c7s4sJdQdQc",
    ]  # fmt: skip
    order = bytes([*mixed, *(position for position in range(DECK) if position not in mixed)])
    hand = deal_game("STUD7", [100] * 8, button=7, ante_chips=1, bring_in_chips=1, cards=cards, mix_orders=order)
    while hand.street < 3:
        step(hand)
    assert hand.actor == 7
    while hand.street < 4:
        step(hand)
    assert hand.board == parse_cards(common)
    assert hand.actor == actor


def test_card_06_house_night_mixes_the_muck_under_the_last_card() -> None:
    # Seven cards for seven players and a burn, the last never dealt: three burns go under them. Nobody has folded.
    hand, events = to_seventh(7, house="HOUSE_NIGHT", mix="37 21 29")
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=3)]
    assert seventh_positions(hand) == [46, 47, 48, 49, 50, 51, 37]
    assert of_kind(events, CommonCardDealt) == []


def test_card_06_house_night_mixes_folded_hands_too() -> None:
    # Eight start; on sixth street one is left, the last one. One fold brings six cards, and three burns make nine.
    hand, events = to_seventh(8, folds=1, house="HOUSE_NIGHT", mix="42")
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=9)]
    assert len(seventh_positions(hand)) == 7
    assert len(set(seventh_positions(hand))) == 7


def test_card_06_with_too_little_to_mix_the_missing_card_is_a_common_one() -> None:
    # Eight players: one card and three burns serve nobody.
    hand, events = to_seventh(8, house="HOUSE_NIGHT", mix="42")
    assert of_kind(events, StubReshuffled) == [StubReshuffled(count=3)]
    assert [event.count for event in of_kind(events, CardsBurned)] == [1]
    assert hand.board_positions == (42,)


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("deck")))
def test_deck_examples(example: Example) -> None:
    games = {"HOLDEM_CASH": ("HOLDEM", (3, 1, 1)), "OMAHA": ("OMAHA", (1, 1, 1)), "STUD7": ("STUD7", (1, 1, 1))}
    for (name, n_players), (needed, fits) in zip(example.input["cases"], example.expected["results"], strict=True):
        game, burns = games[name]
        spec_cards = {"HOLDEM": 2, "OMAHA": 4, "STUD7": 7}[game] * n_players
        extra = 5 + sum(burns) if game != "STUD7" else 4
        assert spec_cards + extra == needed
        if n_players > 10:
            continue  # No table has more seats.
        if fits:
            deal_game(game, [100] * n_players, burns=burns, stud_shortage=False)
        else:
            with pytest.raises(RuleViolation) as caught:
                deal_game(game, [100] * n_players, burns=burns, stud_shortage=False)
            assert (caught.value.reason, caught.value.rule_id) == ("TOO_MANY_PLAYERS", "CARD-08")


# --- GAME-ST-16 -----------------------------------------------------------------------------------------------------------


def shown_first(house: str, words: str) -> int:
    """Who shows first after seventh street was played in these words; seat 2 has the best up cards, seat 0 has folded."""
    cards = ("2c3d4s7h9dJc5c", "6c6d8s9hTd2h7c", "QcQdAsAhKdKc8c", "3c4dTs5h6hJd2d")
    hand = deal_game(
        "STUD7", [100] * 4, house=house, button=1, cards=cards, ante_chips=1, bring_in_chips=1, showdown="AUTO"
    )
    while hand.street < 3:
        step(hand)
    play_game(hand, "b4 c f c")
    assert (hand.street, hand.actor) == (4, 2)
    (started,) = of_kind(play_game(hand, words), ShowdownStarted)
    return started.seats[0]


def test_game_st_16_the_last_aggressor_shows_first() -> None:
    assert shown_first("POINTS_NIGHT", "k b4 c c") == 3
    assert shown_first("CLUB", "b4 r8 c c") == 3


def test_game_st_16_if_all_checked_it_is_the_lowest_seat_or_who_acted_first() -> None:
    assert shown_first("POINTS_NIGHT", "k k k") == 1
    assert shown_first("CLUB", "k k k") == 2
    assert shown_first("HOUSE_NIGHT", "k k k") == 2


def test_game_st_16_the_next_to_show_sits_to_the_left() -> None:
    hand = deal_game("STUD7", [100] * 3, house="POINTS_NIGHT", button=1, ante_chips=1, bring_in_chips=1)
    check_down(hand, until=("SHOWDOWN",))
    assert hand.actor == 0
    assert_refused(hand, "s", "OUT_OF_TURN", "PROC-SHOW-01", seat=2)
    play_game(hand, "s")
    assert hand.actor == 1
