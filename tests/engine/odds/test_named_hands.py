"""Hands as people name them: cards, classes, several of both, anything."""

from __future__ import annotations

import pytest

from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.notation.named_hands import format_hand, read_hands


@pytest.mark.parametrize(
    ("text", "n_hands", "some"),
    [
        ("AsKs", 1, "AsKs"),
        ("AA", 6, "AcAs"),
        ("AK", 16, "AhKh"),
        ("AKs", 4, "AdKd"),
        ("AKo", 12, "AdKc"),
        ("KA", 16, "KhAh"),
        ("T9s", 4, "Tc9c"),
        ("AA,KK", 12, "KcKs"),
        ("AA, AsAh ,AhAs", 7, "AhAs"),
        ("As??", 1, "As??"),
        ("X1As2d", 1, "X1As2d"),
    ],
)
def test_a_text_names_each_of_its_hands_once(text: str, n_hands: int, some: str) -> None:
    hands = read_hands(text)
    assert len(hands) == len(set(hands)) == n_hands
    assert parse_cards(some) in hands


def test_the_suits_of_a_class_are_what_it_says() -> None:
    assert all(a & 3 == b & 3 for a, b in read_hands("AKs"))
    assert all(a & 3 != b & 3 for a, b in read_hands("AKo"))
    assert {*read_hands("AKs"), *read_hands("AKo")} == {*read_hands("AK")}
    assert all((a >> 2, b >> 2) == (12, 11) for a, b in read_hands("AK"))


@pytest.mark.parametrize("text", ["any", "?"])
def test_anything_is_a_hand_of_which_nothing_is_known(text: str) -> None:
    assert read_hands(text) == ((),)
    assert format_hand(()) == format_hand((CARD_UNKNOWN,) * 2) == "any"
    assert format_hand(parse_cards("As??")) == "As??"


@pytest.mark.parametrize("text", ["", "AA,", "AAs", "AAo", "AsK", "ak", "1010", "AKx", "any two"])
def test_what_names_no_hand_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_hands(text)
