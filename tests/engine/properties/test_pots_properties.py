"""Whatever was put in comes out again, and in the way that moving single chips gives (GEN-04, POT-*)."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from homegame_engine.pots import find_uncalled_bet, make_layers, settle_alone, split_layer, split_layer_with_carry
from tests.oracles import pots as oracle


def mask(seats: frozenset[int]) -> int:
    """The mask with these seats."""
    return sum(1 << seat for seat in seats)


@st.composite
def tables(draw: st.DrawFn, most_chips: int = 60) -> tuple[list[int], frozenset[int]]:
    """Totals of two to ten seats, often equal ones, and the seats that have not folded."""
    n_seats = draw(st.integers(2, 10))
    amounts = draw(st.lists(st.integers(0, most_chips), min_size=1, max_size=4))
    totals = draw(st.lists(st.sampled_from(amounts), min_size=n_seats, max_size=n_seats))
    live = draw(st.frozensets(st.integers(0, n_seats - 1), min_size=1))
    return totals, live


@st.composite
def splits(draw: st.DrawFn, most_chips: int = 500) -> tuple[int, frozenset[int], int, int, int]:
    """Chips, winners, seats, the first seat and the unit."""
    n_seats = draw(st.integers(2, 10))
    winners = draw(st.frozensets(st.integers(0, n_seats - 1), min_size=1))
    first_seat = draw(st.integers(0, n_seats - 1))
    return draw(st.integers(0, most_chips)), winners, n_seats, first_seat, draw(st.sampled_from([1, 2, 5, 25]))


@given(tables())
@settings(max_examples=500)
def test_the_uncalled_bet_is_what_peeling_off_chips_gives(table: tuple[list[int], frozenset[int]]) -> None:
    totals, live = table
    assert find_uncalled_bet(totals, live_mask=mask(live)) == oracle.uncalled_bet(totals, live)


@given(tables(), st.integers(0, 20))
@settings(max_examples=500)
def test_layers_are_what_stacking_chips_in_rows_gives(table: tuple[list[int], frozenset[int]], dead: int) -> None:
    totals, live = table
    expected = [(chips, mask(eligible)) for chips, eligible in oracle.layers(totals, live, dead)]
    assert list(make_layers(totals, live_mask=mask(live), dead_chips=dead)) == expected


@given(tables(most_chips=2**53), st.integers(0, 2**53))
def test_layers_hold_every_chip_and_shrink_from_the_main_layer_up(
    table: tuple[list[int], frozenset[int]], dead: int
) -> None:
    totals, live = table
    layers = make_layers(totals, live_mask=mask(live), dead_chips=dead)
    assert sum(chips for chips, _ in layers) == sum(totals) + dead
    assert all(chips > 0 for chips, _ in layers)
    for (_, wider), (_, narrower) in pairwise(layers):
        assert narrower & wider == narrower != wider
    assert all(0 < eligible & mask(live) == eligible for _, eligible in layers)


@given(tables())
def test_after_the_refund_nobody_plays_for_unmatched_chips(table: tuple[list[int], frozenset[int]]) -> None:
    totals, live = table
    refund = find_uncalled_bet(totals, live_mask=mask(live))
    if refund is not None:
        seat, chips = refund
        assert seat in live
        assert totals[seat] - chips == max(total for other, total in enumerate(totals) if other != seat)


@given(splits())
@settings(max_examples=500)
def test_shares_are_what_handing_out_units_gives(split: tuple[int, frozenset[int], int, int, int]) -> None:
    chips, winners, n_seats, first_seat, unit = split
    shares = split_layer(chips, winners=mask(winners), n_seats=n_seats, first_seat=first_seat, unit_chips=unit)
    assert list(shares) == oracle.shares(chips, winners, n_seats, first_seat, unit)


@given(splits())
@settings(max_examples=500)
def test_shares_and_carry_are_what_handing_out_rounds_gives(split: tuple[int, frozenset[int], int, int, int]) -> None:
    chips, winners, n_seats, first_seat, unit = split
    shares, carry = split_layer_with_carry(
        chips, winners=mask(winners), n_seats=n_seats, first_seat=first_seat, unit_chips=unit
    )
    assert (list(shares), carry) == oracle.shares_with_carry(chips, winners, n_seats, first_seat, unit)


@given(splits(most_chips=2**53))
def test_splitting_keeps_every_chip_and_pays_nobody_else(split: tuple[int, frozenset[int], int, int, int]) -> None:
    chips, winners, n_seats, first_seat, unit = split
    arguments = {"winners": mask(winners), "n_seats": n_seats, "first_seat": first_seat, "unit_chips": unit}
    shares = split_layer(chips, **arguments)
    assert sum(shares) == chips
    assert {seat for seat, share in enumerate(shares) if share} <= winners
    # One unit of difference, and what is smaller than a unit with the first of them.
    won = [shares[seat] for seat in winners]
    assert max(won) - min(won) < 2 * unit
    carried_shares, carry = split_layer_with_carry(chips, **arguments)
    assert sum(carried_shares) + carry == chips
    assert carry < unit * (len(winners) + 1)


@given(
    totals=st.lists(st.integers(0, 40), min_size=2, max_size=10),
    place=st.integers(0, 9),
    dead_chips=st.integers(0, 5),
)
def test_the_last_live_hand_gets_in_one_pass_what_the_steps_give_it(
    totals: list[int], place: int, dead_chips: int
) -> None:
    """BET-GEN-06: `settle_alone` is `find_uncalled_bet` and `make_layers` for one live seat."""
    seat = place % len(totals)
    refund = find_uncalled_bet(totals, live_mask=1 << seat)
    returned = refund[1] if refund else 0
    left = [chips - returned if other == seat else chips for other, chips in enumerate(totals)]
    layers = make_layers(left, live_mask=1 << seat, dead_chips=dead_chips)
    assert settle_alone(totals, seat=seat, dead_chips=dead_chips) == (returned, sum(chips for chips, _ in layers))
    assert len(layers) <= 1
