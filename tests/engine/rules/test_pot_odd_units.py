"""POT-ODD-01 to POT-ODD-03, POT-SPLIT-03 and POT-SPLIT-04: how a layer divides among tied winners."""

from __future__ import annotations

from typing import Any

import pytest

from homegame_engine.errors import InputError
from homegame_engine.pots import split_layer, split_layer_with_carry
from tests.rulebook_examples import Example, as_parameters, examples_of_kind


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("split")))
def test_example_split(example: Example) -> None:
    players = example.input["winners_clockwise"]
    # Two seats more than winners, and the count starts at the first of them: `winners_clockwise` begins there.
    table: dict[str, Any] = {
        "winners": (1 << len(players)) - 1,
        "n_seats": len(players) + 2,
        "first_seat": len(players) + 1,
        "unit_chips": example.input["unit"],
    }
    if example.input["house"] == "HOUSE_NIGHT":
        shares, carry = split_layer_with_carry(example.input["amount"], **table)
    else:
        shares, carry = split_layer(example.input["amount"], **table), 0
    assert {
        "shares": dict(zip(players, shares, strict=False)),
        "carry": carry,
    } == example.expected
    assert shares[len(players) :] == (0, 0)


def test_pot_odd_01_b46_an_even_split_has_no_odd_unit() -> None:
    assert split_layer(30_300, winners=0b111, n_seats=3, first_seat=1) == (10_100, 10_100, 10_100)


def test_pot_odd_01_b47_no_unit_is_lost_and_the_first_to_the_left_of_the_button_gets_it() -> None:
    assert split_layer(100, winners=0b111, n_seats=3, first_seat=0) == (34, 33, 33)
    assert split_layer(100, winners=0b111, n_seats=3, first_seat=1) == (33, 34, 33)
    assert split_layer(101, winners=0b111, n_seats=3, first_seat=2) == (34, 33, 34)


@pytest.mark.parametrize(
    ("first_seat", "shares"),
    [(0, (0, 51, 0, 50)), (1, (0, 51, 0, 50)), (2, (0, 50, 0, 51)), (3, (0, 50, 0, 51))],
)
def test_pot_odd_01_b49_the_odd_unit_follows_the_button_and_nothing_else(
    first_seat: int, shares: tuple[int, ...]
) -> None:
    for _ in range(20):
        assert split_layer(101, winners=0b1010, n_seats=4, first_seat=first_seat) == shares


def test_pot_odd_01_several_odd_units_go_one_each() -> None:
    assert split_layer(23, winners=0b11111, n_seats=5, first_seat=3) == (5, 4, 4, 5, 5)


def test_pot_odd_01_a_single_winner_takes_everything() -> None:
    assert split_layer(1_037, winners=0b100, n_seats=3, first_seat=0, unit_chips=25) == (0, 0, 1_037)


def test_pot_odd_02_only_whole_units_are_handed_out() -> None:
    assert split_layer(1_025, winners=0b11, n_seats=2, first_seat=1, unit_chips=25) == (500, 525)
    assert split_layer(450, winners=0b11, n_seats=2, first_seat=1, unit_chips=25) == (225, 225)


def test_pot_odd_02_what_is_less_than_a_unit_stays_with_the_first_winner() -> None:
    assert split_layer(1_035, winners=0b110, n_seats=3, first_seat=0, unit_chips=25) == (0, 535, 500)
    assert split_layer(10, winners=0b110, n_seats=3, first_seat=2, unit_chips=25) == (0, 0, 10)


def test_pot_odd_03_the_count_starts_at_the_dealer_marker_whatever_the_cards() -> None:
    # Cards are not even an argument: only seats and the marker decide.
    for marker in range(7):
        shares = split_layer(15, winners=0b1010010, n_seats=7, first_seat=(marker + 1) % 7, unit_chips=2)
        clockwise = [seat % 7 for seat in range(marker + 1, marker + 8) if 0b1010010 >> seat % 7 & 1]
        assert [shares[seat] for seat in clockwise] == [7, 4, 4]


def test_pot_split_03_what_three_winners_cannot_divide_is_carried() -> None:
    assert split_layer_with_carry(43, winners=0b1011, n_seats=4, first_seat=2) == ((14, 14, 0, 14), 1)
    assert split_layer_with_carry(1_110, winners=0b111, n_seats=3, first_seat=2, unit_chips=25) == (
        (350, 350, 350),
        60,
    )


def test_pot_split_04_two_winners_carry_nothing() -> None:
    assert split_layer_with_carry(1_025, winners=0b101, n_seats=3, first_seat=1, unit_chips=25) == ((500, 0, 525), 0)
    assert split_layer_with_carry(1_025, winners=0b100, n_seats=3, first_seat=1, unit_chips=25) == ((0, 0, 1_025), 0)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"winners": 0}, id="nobody won"),
        pytest.param({"winners": 0b1000}, id="a winner that does not exist"),
        pytest.param({"winners": -1}, id="a negative mask"),
        pytest.param({"n_seats": 1, "winners": 1, "first_seat": 0}, id="one seat"),
        pytest.param({"n_seats": 11}, id="eleven seats"),
        pytest.param({"first_seat": 3}, id="a first seat that does not exist"),
        pytest.param({"first_seat": -1}, id="a negative first seat"),
        pytest.param({"unit_chips": 0}, id="a unit of nothing"),
        pytest.param({"chips": -1}, id="negative chips"),
        pytest.param({"chips": 1 << 60}, id="more chips than there can be"),
    ],
)
def test_what_cannot_be_divided_is_refused(wrong: dict[str, int]) -> None:
    arguments = {"chips": 100, "winners": 0b011, "n_seats": 3, "first_seat": 1, "unit_chips": 1} | wrong
    for split in (split_layer, split_layer_with_carry):
        with pytest.raises(InputError):
            split(**arguments)
