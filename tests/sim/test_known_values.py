"""Chances that are known from enumeration, met within five standard deviations at fixed seeds."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from homegame_engine import catalog
from homegame_engine.evaluator.high import evaluate_batch
from homegame_sim.deal import deck_order
from tests.sim.conftest import run_format, variant_of_b1

KNOWN = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parents[1] / "vectors" / "known_values.json").read_text(encoding="utf-8"))
}
N_SIGMA = 5


def everybody_all_in(chips: int) -> str:
    """Return format keys under which each blind is the whole stack, so that calling means all-in before the flop."""
    return f"[start]\nchips = {chips}\n[[levels]]\nfrom_hand = 1\nsmall_blind = {chips}\nbig_blind = {chips}\n"


def assert_frequency(n_hits: int, n_tries: int, chance: float) -> None:
    deviation = math.sqrt(n_tries * chance * (1 - chance))
    assert abs(n_hits - n_tries * chance) < N_SIGMA * deviation


def deal_ranks(n_players: int, n_deals: int) -> np.ndarray:
    """Hand ranks by deal and player of cards as the simulator deals them."""
    game = catalog.game("HOLDEM")
    rules = catalog.house("CASH_NIGHT").hand_rules(small_blind_chips=1, big_blind_chips=2)
    mask = (1 << n_players) - 1
    orders = np.frombuffer(
        b"".join(
            deck_order(
                game, rules, seed=2, block=block, hand=0, n_players=n_players, dealt_mask=mask, button=n_players - 1
            )
            for block in range(n_deals)
        ),
        dtype=np.uint8,
    ).reshape(n_deals, 52)
    burns = rules.burns
    start = 2 * n_players
    board = [start + burns[0] + i for i in range(3)]
    board += [board[-1] + burns[1] + 1, board[-1] + burns[1] + 1 + burns[2] + 1]
    return np.stack(
        [
            evaluate_batch(np.ascontiguousarray(orders[:, [player, n_players + player, *board]]))
            for player in range(n_players)
        ],
        axis=1,
    )


def test_two_random_hands_tie_as_often_as_enumerated() -> None:
    # Both sessions of a block have the same cards, so the tries are blocks.
    rows = run_format(variant_of_b1(everybody_all_in(2)), policy="call", n_players=2, n_blocks=200_000, hands=1)
    assert set(rows.ties.tolist()) == {0, 2}
    assert_frequency(int(rows.ties.sum()) // 2, 200_000, float(Fraction(KNOWN["tie_hu"]["value"]["fraction"])))


def test_odd_points_three_ways_go_left_of_the_button_pot_odd_01() -> None:
    # A pair that ties gives, over the three buttons, one point to the first at the left and takes one from the button.
    rows = run_format(variant_of_b1(everybody_all_in(5)), policy="call", n_players=3, n_blocks=200_000, hands=1)
    value = KNOWN["oddchip_3way"]["value"]
    two_way_ties = int(rows.net_chips[:, 1].sum())
    assert set(map(tuple, rows.net_chips.tolist())) == {(0, 0, 0), (-1, 1, 0)}
    assert Fraction(value["first"]["fraction"]) == -Fraction(value["button"]["fraction"])
    assert_frequency(two_way_ties, 200_000, 3 * float(Fraction(value["first"]["fraction"])))


@pytest.fixture(scope="module")
def four_hands() -> np.ndarray:
    return deal_ranks(4, 100_000)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_k_of_four_random_hands_share_the_best_as_often_as_enumerated(four_hands: np.ndarray, k: int) -> None:
    n_best = (four_hands == four_hands.max(axis=1, keepdims=True)).sum(axis=1)
    assert_frequency(int((n_best == k).sum()), len(four_hands), KNOWN["tie_4"]["value"][str(k)])


def test_every_player_has_an_equal_share_of_random_all_ins(four_hands: np.ndarray) -> None:
    best = four_hands == four_hands.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    error = shares.std(axis=0) / math.sqrt(len(shares))
    assert (np.abs(shares.mean(axis=0) - 1 / 4) < N_SIGMA * error).all()


@pytest.mark.parametrize("n_players", [2, 3, 4, 5, 6])
def test_random_all_ins_cost_no_role_anything_but_odd_points(n_players: int) -> None:
    # A pot that every number of winners divides: the rotation cancels all luck, exactly, in every block.
    rows = run_format(variant_of_b1(everybody_all_in(60)), policy="call", n_players=n_players, n_blocks=2000, hands=1)
    assert not rows.net_chips.any()
    assert (rows.win_units == 2520).all()
