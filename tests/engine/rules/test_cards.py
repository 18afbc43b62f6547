"""CARD-01 to CARD-05: what a card is, what a deck is, and what suits are good for."""

from __future__ import annotations

from itertools import permutations

import pytest

from homegame_engine.cards import (
    CARD_HIDDEN,
    CARD_UNKNOWN,
    RANKS,
    SUITS,
    format_card,
    format_cards,
    full_deck,
    is_deck,
    is_partly_known_deck_order,
    parse_card,
    parse_cards,
)
from homegame_engine.errors import InputError
from homegame_engine.evaluator import evaluate


def test_card_01_a_deck_is_52_different_cards_without_jokers() -> None:
    deck = full_deck()
    assert len(deck) == 52
    assert {format_card(card) for card in deck} == {rank + suit for rank in RANKS for suit in SUITS}
    assert is_deck(deck)
    assert is_deck(deck[::-1])


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(full_deck()[:51], id="one card short"),
        pytest.param(full_deck() + full_deck()[:1], id="one card too many"),
        pytest.param(full_deck()[:51] + full_deck()[:1], id="a card twice"),
        pytest.param(full_deck()[:51] + bytes([52]), id="a joker for a card"),
        pytest.param(full_deck() + bytes([52, 53]), id="with both jokers"),
        pytest.param(full_deck()[:51] + bytes([CARD_UNKNOWN]), id="an unknown card"),
        pytest.param(full_deck()[:51] + bytes([CARD_HIDDEN]), id="a hidden card"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_card_01_anything_else_is_no_deck(order: bytes) -> None:
    assert not is_deck(order)


def test_card_01_a_live_deck_may_hold_cards_that_nobody_has_entered() -> None:
    deck = full_deck()
    unknown = bytes([CARD_UNKNOWN])
    assert is_partly_known_deck_order(unknown * 52)
    assert is_partly_known_deck_order(deck[:20] + unknown * 32)
    assert is_partly_known_deck_order(deck)
    assert not is_partly_known_deck_order(unknown * 51)
    assert not is_partly_known_deck_order(deck[:20] + deck[:1] + unknown * 31)
    assert not is_partly_known_deck_order(deck[:20] + bytes([CARD_HIDDEN]) + unknown * 31)


def test_card_02_a_deck_order_is_a_value_that_no_other_table_can_change() -> None:
    deck = full_deck()
    with pytest.raises(TypeError):
        deck[0] = deck[1]  # type: ignore[index]
    assert full_deck() == deck


def test_card_03_the_36_cards_of_a_short_deck_are_no_deck_to_play_with() -> None:
    short = bytes(card for card in full_deck() if format_card(card)[0] not in "2345")
    assert len(short) == 36
    assert not is_deck(short)


def test_card_03_in_ordinary_ranking_a_6_7_8_9_is_no_straight() -> None:
    ace_low, plain = parse_cards("As6h7d8c9s"), parse_cards("As6h7d8cTs")
    assert evaluate(ace_low) < evaluate(plain)


def test_card_04_ranks_run_from_the_ace_down_to_the_deuce() -> None:
    assert RANKS[::-1] == "AKQJT98765432"
    aces_to_deuces = [evaluate(parse_cards(f"{rank}s{rank}h") + kickers(rank)) for rank in RANKS[::-1]]
    assert aces_to_deuces == sorted(aces_to_deuces, reverse=True)
    assert len(set(aces_to_deuces)) == 13


def kickers(pair: str) -> tuple[int, ...]:
    """Three cards that neither pair up with the rank nor make a straight."""
    return parse_cards([card for card in ("2d", "7c", "9d", "Jc", "Kd") if card[0] != pair][:3])


def test_card_05_suits_run_clubs_diamonds_hearts_spades() -> None:
    assert SUITS == "cdhs"
    assert parse_cards("Ac Ad Ah As") == (48, 49, 50, 51)


@pytest.mark.parametrize("text", ["As Kd Qc Jh Ts", "As Ks Qs Js 9s", "2c 2d 2h 3s 3c 8d 8h", "5h 4h 3h 2h Ah"])
def test_card_05_suits_never_decide_a_pot(text: str) -> None:
    ranks = {
        evaluate(parse_cards(text.translate(str.maketrans(SUITS, "".join(suits))))) for suits in permutations(SUITS)
    }
    assert len(ranks) == 1


def test_every_code_reads_back_as_itself() -> None:
    for card in range(54):
        assert parse_card(format_card(card)) == card
    assert parse_card("2c") == 0
    assert parse_card("As") == 51
    assert parse_cards(["X1", "X2"]) == (52, 53)


def test_unknown_and_hidden_cards_look_alike() -> None:
    assert format_cards([CARD_UNKNOWN, CARD_HIDDEN]) == "????"
    assert parse_card("??") == CARD_UNKNOWN


def test_several_cards_are_read_with_and_without_blanks() -> None:
    assert parse_cards("AsKd") == parse_cards(" As  Kd ") == parse_cards(["As", "Kd"]) == (51, 45)
    assert parse_cards("") == ()
    assert format_cards((51, 45)) == "AsKd"


@pytest.mark.parametrize(
    "text", ["10s", "1s", "as", "AS", "sA", "A", "", "A s", "As ", "♠A", "Ax", "X0", "X3", "x1", "Asd", "0c", "?"]
)
def test_b77_a_card_that_is_not_written_exactly_is_refused_and_never_guessed(text: str) -> None:
    with pytest.raises(InputError):
        parse_card(text)


@pytest.mark.parametrize("text", ["10sKd", "As K d", "AsK", "As,Kd", "AsKdx"])
def test_b77_a_list_with_one_bad_card_is_refused_as_a_whole(text: str) -> None:
    with pytest.raises(InputError):
        parse_cards(text)


@pytest.mark.parametrize("card", [-1, 54, 100, 253, 256])
def test_a_code_that_is_no_card_is_not_written(card: int) -> None:
    with pytest.raises(InputError):
        format_card(card)


@pytest.mark.parametrize("text", [None, 51, ["As"]])
def test_what_is_no_text_is_refused_as_input(text: object) -> None:
    with pytest.raises(InputError):
        parse_card(text)  # type: ignore[arg-type]
