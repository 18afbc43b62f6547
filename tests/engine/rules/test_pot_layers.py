"""POT-LAY-01 to POT-LAY-07 and BET-GEN-07: what comes back and who may win which part of the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine.errors import InputError
from homegame_engine.pots import find_uncalled_bet, make_layers, split_layer
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def mask(seats: Iterable[int]) -> int:
    """The mask with these seats."""
    return sum(1 << seat for seat in seats)


def seats_of(eligible: int) -> list[int]:
    """The seats of a mask, in order."""
    return [seat for seat in range(10) if eligible >> seat & 1]


def returned_and_layers(
    totals: Sequence[int], *, folded: Iterable[int] = (), dead: int = 0
) -> tuple[tuple[int, int] | None, list[tuple[int, list[int]]]]:
    """Settle a hand up to its layers: what is returned comes off before they are cut."""
    live = mask(set(range(len(totals))) - set(folded))
    refund = find_uncalled_bet(totals, live_mask=live)
    left = list(totals)
    if refund is not None:
        left[refund[0]] -= refund[1]
    return refund, [
        (chips, seats_of(eligible)) for chips, eligible in make_layers(left, live_mask=live, dead_chips=dead)
    ]


def paid(totals: Sequence[int], strengths: Sequence[int], *, folded: Iterable[int] = ()) -> list[int]:
    """Chips each seat gets back in all, each layer judged among its own seats; the button sits last."""
    refund, layers = returned_and_layers(totals, folded=folded)
    got = [0] * len(totals)
    if refund is not None:
        got[refund[0]] += refund[1]
    for chips, seats in layers:
        best = max(strengths[seat] for seat in seats)
        winners = mask(seat for seat in seats if strengths[seat] == best)
        for seat, share in enumerate(split_layer(chips, winners=winners, n_seats=len(totals), first_seat=0)):
            got[seat] += share
    return got


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("layers")))
def test_example_layers(example: Example) -> None:
    players = list(example.input["contributions"])
    refund, layers = returned_and_layers(
        list(example.input["contributions"].values()),
        folded=[players.index(player) for player in example.input.get("folded", ())],
        dead=example.input.get("dead", 0),
    )
    returned = {} if refund is None else {players[refund[0]]: refund[1]}
    assert returned == example.expected["returned"]
    assert [
        {"amount": chips, "eligible": [players[seat] for seat in seats]} for chips, seats in layers
    ] == example.expected["layers"]


def test_bet_gen_07_the_unmatched_part_of_a_live_player_comes_back() -> None:
    assert find_uncalled_bet([20, 50, 30], live_mask=0b111) == (1, 20)
    assert find_uncalled_bet([20, 50, 50], live_mask=0b111) is None
    assert find_uncalled_bet([0, 0, 0], live_mask=0b111) is None


def test_bet_gen_07_chips_of_folded_players_match_a_wager() -> None:
    assert find_uncalled_bet([20, 50, 30], live_mask=0b011) == (1, 20)
    assert find_uncalled_bet([20, 50, 50], live_mask=0b010) is None


def test_bet_gen_07_nothing_comes_back_to_an_owner_who_folded() -> None:
    assert find_uncalled_bet([20, 50, 30], live_mask=0b101) is None


def test_bet_gen_07_b51_an_all_in_that_nobody_calls_comes_back() -> None:
    # Blinds 1 and 2, the button all-in for 200, the big blind folds.
    assert returned_and_layers([200, 2], folded=[1]) == ((0, 198), [(4, [0])])


@pytest.mark.parametrize(("strengths", "got"), [((2, 1), [196, 4]), ((1, 2), [0, 200]), ((1, 1), [98, 102])])
def test_bet_gen_07_b52_the_larger_stack_keeps_what_the_smaller_could_not_match(
    strengths: tuple[int, int], got: list[int]
) -> None:
    assert paid([98, 102], strengths) == got


def test_pot_lay_01_each_distinct_total_of_a_live_player_is_a_cut() -> None:
    assert returned_and_layers([5, 12, 30, 30]) == (None, [(20, [0, 1, 2, 3]), (21, [1, 2, 3]), (36, [2, 3])])


def test_pot_lay_01_totals_of_folded_players_are_no_cuts() -> None:
    assert returned_and_layers([30, 12, 30, 5], folded=[1, 3]) == (None, [(77, [0, 2])])


def test_pot_lay_01_no_two_layers_have_the_same_seats() -> None:
    layers = make_layers([7, 20, 20, 11, 33, 33, 2, 0, 9, 20], live_mask=0b0000111111)
    assert len({eligible for _, eligible in layers}) == len(layers) == 4


def test_pot_lay_02_the_two_printed_examples() -> None:
    assert returned_and_layers([20, 50, 50])[1] == [(60, [0, 1, 2]), (60, [1, 2])]
    assert returned_and_layers([10, 20, 20])[1] == [(30, [0, 1, 2]), (20, [1, 2])]


def test_pot_lay_03_folded_chips_stay_in_the_layers_they_reach() -> None:
    assert returned_and_layers([10, 40, 40, 25], folded=[2])[1] == [(40, [0, 1, 3]), (45, [1, 3]), (30, [1])]


def test_pot_lay_03_folded_chips_above_the_highest_live_total_join_the_top_layer() -> None:
    assert returned_and_layers([50, 30, 30], folded=[0]) == (None, [(110, [1, 2])])
    assert returned_and_layers([50, 30, 20], folded=[0]) == (None, [(60, [1, 2]), (40, [1])])


def test_pot_lay_04_each_layer_is_judged_on_its_own() -> None:
    # The best hand is all-in for 10 and takes the main layer alone.
    assert paid([10, 20, 20], [3, 2, 1]) == [30, 20, 0]
    assert paid([10, 20, 20], [1, 2, 2]) == [0, 25, 25]


def test_pot_lay_04_b40_an_all_in_player_stays_in_the_main_layer_whatever_follows() -> None:
    # All-in for 100 before the flop; the two others add 50 each on the turn.
    assert returned_and_layers([100, 150, 150]) == (None, [(300, [0, 1, 2]), (100, [1, 2])])
    assert paid([100, 150, 150], [3, 2, 1]) == [300, 100, 0]


def test_pot_lay_04_b44_tied_seconds_share_the_side_layer() -> None:
    assert returned_and_layers([10, 30, 30, 50]) == ((3, 20), [(40, [0, 1, 2, 3]), (60, [1, 2, 3])])
    assert paid([10, 30, 30, 50], [3, 2, 2, 1]) == [40, 30, 30, 20]


def test_pot_lay_05_a_layer_may_have_one_eligible_player() -> None:
    assert returned_and_layers([10, 40, 40], folded=[2]) == (None, [(30, [0, 1]), (60, [1])])


def test_pot_lay_06_dead_money_belongs_to_the_main_layer() -> None:
    assert returned_and_layers([100, 100, 40], dead=25) == (None, [(145, [0, 1, 2]), (120, [0, 1])])


def test_pot_lay_06_dead_money_can_be_all_there_is() -> None:
    assert returned_and_layers([0, 0, 0], dead=25) == (None, [(25, [0, 1, 2])])
    assert returned_and_layers([0, 5, 5], dead=25) == (None, [(25, [0, 1, 2]), (10, [1, 2])])


def test_pot_lay_07_side_layers_are_contested_without_the_all_in_player() -> None:
    # The all-in player wins; the money bet beside goes to the better of the two others, not back to both.
    assert paid([20, 60, 60], [9, 1, 2]) == [60, 0, 80]


def test_a_layer_of_nothing_is_left_out() -> None:
    assert make_layers([0, 5, 5], live_mask=0b111) == ((10, 0b110),)
    assert make_layers([0, 0], live_mask=0b11) == ()


@pytest.mark.parametrize(
    ("totals", "live", "dead"),
    [
        pytest.param([5], 1, 0, id="one seat"),
        pytest.param([5] * 11, 1, 0, id="eleven seats"),
        pytest.param([5, -1], 3, 0, id="a negative total"),
        pytest.param([5, 1 << 60], 3, 0, id="a total beyond all chips"),
        pytest.param([5, 1 << 70], 3, 0, id="a total beyond all integers"),
        pytest.param([5, 5], 0, 0, id="nobody live"),
        pytest.param([5, 5], 0b101, 0, id="a live seat that does not exist"),
        pytest.param([5, 5], -1, 0, id="a negative mask"),
        pytest.param([5, 5], 3, -1, id="negative dead money"),
    ],
)
def test_what_no_table_can_hold_is_refused(totals: list[int], live: int, dead: int) -> None:
    with pytest.raises(InputError):
        make_layers(totals, live_mask=live, dead_chips=dead)
    if dead == 0:
        with pytest.raises(InputError):
            find_uncalled_bet(totals, live_mask=live)
