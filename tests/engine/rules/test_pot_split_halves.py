"""POT-SPLIT-01 to POT-SPLIT-04, HOUSE-POT-03, POT-AGR-01 and POT-AGR-02: halves, odd units, carries, agreed divisions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from homegame_engine.actions import Agree
from homegame_engine.errors import InputError
from homegame_engine.events import HandEnded, LayerAwarded, PotCarried, PotDivided, Share
from homegame_engine.pots import halve, split_layer, split_layer_odd_to_first, split_layer_with_carry
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import assert_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.hand import Hand

# One low and two of them tied; the high hand belongs to the first seat.
HIGH_AND_LOW = ("KsKhKd9c", "As2h9s9h", "Ac2d9dTh")
BOARD = "Kc8h6d4cJs"
"""With Omaha hi-lo: 8-6-4-2-A for both lows, four kings for high."""


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("hilo")))
def test_hilo_examples(example: Example) -> None:
    given = example.input
    high, low, unit = given["high_clockwise"], given["low_clockwise"], given["unit"]
    players = sorted({*high, *low})
    is_house = given["house"] == "HOUSE_NIGHT"
    split = split_layer_with_carry if is_house else plain_split
    if low:
        carry_for = (len(high), len(low)) if is_house else None
        high_chips, low_chips, carry = halve(given["amount"], unit_chips=unit, carry_for=carry_for)
        parts = [(high, high_chips), (low, low_chips)]
    else:
        parts, carry = [(high, given["amount"])], 0
    shares = dict.fromkeys(players, 0)
    for winners, chips in parts:
        mask = sum(1 << players.index(player) for player in winners)
        paid, rest = split(chips, winners=mask, n_seats=len(players) + 1, first_seat=0, unit_chips=unit)
        carry += rest
        for player, won in zip(players, paid, strict=False):
            shares[player] += won
    assert {"shares": {p: won for p, won in shares.items() if won}, "carry": carry} == example.expected


def plain_split(
    chips: int, *, winners: int, n_seats: int, first_seat: int, unit_chips: int
) -> tuple[tuple[int, ...], int]:
    return split_layer(chips, winners=winners, n_seats=n_seats, first_seat=first_seat, unit_chips=unit_chips), 0


def test_pot_split_01_the_odd_unit_and_what_is_smaller_goes_to_the_high_half() -> None:
    assert halve(7) == (4, 3, 0)
    assert halve(105, unit_chips=5) == (55, 50, 0)
    assert halve(107, unit_chips=5) == (57, 50, 0)
    assert halve(3, unit_chips=5) == (3, 0, 0)


def test_pot_split_02_two_tied_lows_get_a_quarter_each() -> None:
    assert halve(40, carry_for=(1, 2)) == (20, 20, 0)


def test_pot_split_03_only_a_pot_in_two_parts_gives_its_odd_unit_to_the_high_half() -> None:
    assert halve(41, carry_for=(1, 1)) == (21, 20, 0)
    assert halve(43, carry_for=(1, 2)) == (20, 20, 3)
    assert halve(43, carry_for=(2, 1)) == (20, 20, 3)
    assert halve(43, carry_for=(2, 3)) == (18, 18, 7)
    assert halve(1075, unit_chips=25, carry_for=(1, 2)) == (500, 500, 75)


def test_pot_split_03_parts_are_twice_the_least_common_multiple() -> None:
    for chips in range(130):
        for n_high in range(1, 11):
            for n_low in range(1, 11):
                high, low, carried = halve(chips, carry_for=(n_high, n_low))
                assert high + low + carried == chips
                if (n_high, n_low) == (1, 1):
                    assert (high - low, carried) == (chips % 2, 0)
                else:
                    parts = 2 * math.lcm(n_high, n_low)
                    assert high == low == chips // parts * parts // 2
                    assert carried == chips % parts


def test_a_card_room_gives_all_odd_units_to_the_first() -> None:
    assert split_layer_odd_to_first(23, winners=0b11011, n_seats=5, first_seat=2) == (5, 5, 0, 8, 5)
    assert split_layer_odd_to_first(23, winners=0b00100, n_seats=5, first_seat=3) == (0, 0, 23, 0, 0)
    assert split_layer_odd_to_first(107, winners=0b11, n_seats=2, first_seat=1, unit_chips=5) == (50, 57)


@pytest.mark.parametrize("carry_for", [(0, 1), (1, 0), (11, 1), (1, 11)])
def test_halves_need_winners(carry_for: tuple[int, int]) -> None:
    with pytest.raises(InputError):
        halve(10, carry_for=carry_for)
    with pytest.raises(InputError):
        halve(-1)
    with pytest.raises(InputError):
        halve(10, unit_chips=0)


# --- At the table ---------------------------------------------------------------------------------------------------------


def omaha8(house: str, dead_chips: int, *, cards: Sequence[str] = HIGH_AND_LOW, **changes: object) -> Hand:
    hand = deal_game(
        "OMAHA8",
        [100] * len(cards),
        house=house,
        button=len(cards) - 1,
        cards=cards,
        board=BOARD,
        dead_chips=dead_chips,
        showdown="AUTO",
        ante_chips=0,
        small_blind_chips=0,
        big_blind_chips=0,
        **changes,  # type: ignore[arg-type]
    )
    assert hand.pot_chips == dead_chips
    return hand


def test_pot_split_01_each_half_is_its_own_event() -> None:
    events = check_down(omaha8("CLUB", 43))
    assert of_kind(events, LayerAwarded) == [
        LayerAwarded(layer=0, chips=22, shares=(Share(seat=0, chips=22),), odd_units=0, part="HIGH"),
        LayerAwarded(
            layer=0, chips=21, shares=(Share(seat=1, chips=11), Share(seat=2, chips=10)), odd_units=1, part="LOW"
        ),
    ]


@pytest.mark.parametrize(
    ("house", "odd_units", "won", "carried"),
    [
        ("CLUB", "CLOCKWISE", (22, 11, 10), 0),
        ("HOUSE_NIGHT", "CARRY", (20, 10, 10), 3),
        ("CLUB", "FIRST", (22, 11, 10), 0),
    ],
)
def test_pot_split_02_and_03_what_the_houses_do_with_the_same_pot(
    house: str, odd_units: str, won: tuple[int, ...], carried: int
) -> None:
    hand = omaha8(house, 43, odd_units=odd_units)
    events = check_down(hand)
    assert hand.won_chips == won
    assert hand.carry_chips == carried
    assert of_kind(events, PotCarried) == ([PotCarried(chips=3)] if carried else [])
    assert hand.total_chips == 343
    assert type(events[-1]) is HandEnded


def test_pot_split_01_without_a_low_the_high_hand_takes_the_layer_whole() -> None:
    hand = omaha8("CLUB", 43, cards=("KsKhKd9c", "QsQhTs9h", "QcQd9dTh"))
    (award,) = of_kind(check_down(hand), LayerAwarded)
    assert (award.part, award.shares) == ("WHOLE", (Share(seat=0, chips=43),))


def test_pot_split_04_a_two_way_tie_in_house_night_gives_its_odd_unit_clockwise() -> None:
    hand = deal_game(
        "HOLDEM", [100] * 2, house="HOUSE_NIGHT", button=1, board="AsKsQsJsTs", dead_chips=43, ante_chips=0
    )
    check_down(hand)
    assert (hand.won_chips, hand.carry_chips) == ((22, 21), 0)


@pytest.mark.parametrize(
    ("odd_units", "won", "carried"),
    [("CLOCKWISE", (16, 16, 15), 0), ("CARRY", (15, 15, 15), 2), ("FIRST", (17, 15, 15), 0)],
)
def test_pot_split_03_three_tied_hands(odd_units: str, won: tuple[int, ...], carried: int) -> None:
    hand = deal_game(
        "HOLDEM",
        [100] * 3,
        house="HOUSE_NIGHT",
        button=2,
        board="AsKsQsJsTs",
        dead_chips=44,
        odd_units=odd_units,
    )
    events = check_down(hand)
    assert (hand.won_chips, hand.carry_chips) == (won, carried)
    (award,) = of_kind(events, LayerAwarded)
    assert (award.chips, award.odd_units) == (47, 2)
    assert hand.total_chips == 344


def test_pot_split_03_each_layer_leaves_its_own_units_over() -> None:
    # Antes of 1, 5 and 5: three tie for 3 and two for 8; dead money of 2 lies in the main layer.
    hand = deal_game(
        "HOLDEM", [1, 50, 50], house="HOUSE_NIGHT", button=2, board="AsKsQsJsTs", dead_chips=2, ante_chips=1
    )
    play_game(hand, "b4 c")
    check_down(hand)
    assert hand.won_chips == (1, 5, 5)
    assert hand.carry_chips == 2


def test_house_pot_03_a_carry_is_dead_money_of_the_next_hand() -> None:
    hand = deal_game(
        "HOLDEM", [100] * 3, house="HOUSE_NIGHT", button=2, board="AsKsQsJsTs", dead_chips=44, ante_chips=1
    )
    check_down(hand)
    following = deal_game("HOLDEM", hand.stacks, house="HOUSE_NIGHT", dead_chips=hand.carry_chips)
    assert following.pot_chips == 5
    assert following.total_chips == hand.total_chips


# --- POT-AGR --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("agree")))
def test_agree_examples(example: Example) -> None:
    given = example.input
    live = given["live"]
    for check, expected in zip(given["checks"], example.expected["results"], strict=True):
        hand = deal_game("HOLDEM", [5000] * len(live), house=given["house"], dead_chips=given["pot"], ante_chips=0)
        hand_pot = hand.pot_chips
        parts = [check["parts"].get(player, 0) for player in live]
        parts[0] += hand_pot - given["pot"]  # The blinds of the club, on top of the example's pot.
        if expected in ("SPLIT_SUM_MISMATCH", "AGREEMENT_FORBIDDEN"):
            rule_id = "POT-AGR-01" if expected == "SPLIT_SUM_MISMATCH" else "POT-AGR-02"
            assert_refused(hand, Agree(shares=tuple(parts)), expected, rule_id, seat=0)
            continue
        for player in check["yes"]:
            hand.apply(live.index(player), Agree(shares=tuple(parts)))
        # Without the consent of all nothing happens, and play goes on.
        assert hand.is_over is (expected == "OK")
        assert hand.won_chips == (tuple(parts) if expected == "OK" else (0,) * len(live))


def test_pot_agr_01_the_hand_ends_with_the_division_that_all_have_named() -> None:
    hand = deal_game("HOLDEM", [100] * 3, house="HOUSE_NIGHT", button=2, dead_chips=7)
    play_game(hand, "b4 c f")
    assert hand.pot_chips == 18
    hand.apply(1, Agree(shares=(10, 8, 0)))
    assert not hand.is_over
    hand.apply(0, Agree(shares=(9, 9, 0)))
    assert not hand.is_over
    events = hand.apply(0, Agree(shares=(10, 8, 0)))
    assert of_kind(events, PotDivided) == [PotDivided(shares=(10, 8, 0))]
    assert hand.is_over
    assert hand.won_chips == (10, 8, 0)
    assert hand.stacks == (105, 103, 99)
    assert hand.total_chips == 307


def test_pot_agr_01_play_goes_on_while_one_has_not_agreed() -> None:
    hand = deal_game("HOLDEM", [100] * 2, house="HOUSE_NIGHT", button=1)
    hand.apply(0, Agree(shares=(1, 1)))
    check_down(hand)
    assert sum(hand.won_chips) == 2


@pytest.mark.parametrize(
    "shares",
    [
        pytest.param((10, 9, 0), id="more than the pot"),
        pytest.param((10, 7, 0), id="less than the pot"),
        pytest.param((10, 7, 1), id="something for a hand that has folded"),
        pytest.param((19, -1, 0), id="less than nothing"),
    ],
)
def test_pot_agr_01_a_division_must_add_up_and_give_only_to_those_in_it(shares: tuple[int, ...]) -> None:
    hand = deal_game("HOLDEM", [100] * 3, house="HOUSE_NIGHT", button=2, dead_chips=7)
    play_game(hand, "b4 c f")
    assert_refused(hand, Agree(shares=shares), "SPLIT_SUM_MISMATCH", "POT-AGR-01", seat=0)


@pytest.mark.parametrize("house", ["CLUB", "POINTS_NIGHT", "CASH_NIGHT"])
def test_pot_agr_02_the_other_houses_know_no_division(house: str) -> None:
    hand = deal_game("HOLDEM", [100] * 2, house=house)
    assert_refused(hand, Agree(shares=(2, 1)), "AGREEMENT_FORBIDDEN", "POT-AGR-02", seat=0)
