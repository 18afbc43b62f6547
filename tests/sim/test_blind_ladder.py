"""The packaged blind ladder runs through the simulator, under both its names, and its levels rise."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from homegame_engine import catalog
from homegame_sim.driver import run_in_process
from homegame_sim.study import plan_study, play_chunk
from tests.sim.conftest import run_format

KNOWN = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parents[1] / "vectors" / "known_values.json").read_text(encoding="utf-8"))
}


def walk(n_players: int, hands: int) -> list[int]:
    """Net points of each start role when everybody folds: a small blind goes from the small to the big blind's seat."""
    nets = [0] * n_players
    for hand in range(hands):
        small_blind = 1 if hand < 6 else 2 if hand < 12 else 4
        small = (hand + 1) % n_players
        nets[small] -= small_blind
        nets[(small + 1) % n_players] += small_blind
    return nets


def test_the_walk_of_fifteen_hands_is_the_known_one_pts_b3_01() -> None:
    assert walk(4, 15) == KNOWN["walk_ladder_4_15"]["value"]


@pytest.mark.parametrize("n_players", [4, 6, 7])
@pytest.mark.parametrize("hands", [6, 7, 12, 13, 23])
def test_folding_costs_the_blinds_of_the_level_of_each_hand_pts_b3_02(n_players: int, hands: int) -> None:
    rows = run_format(catalog.format_by("blind-ladder"), policy="fold", n_players=n_players, n_blocks=2, hands=hands)
    assert rows.net_chips.tolist() == [[n_players * chips for chips in walk(n_players, hands)]] * 2


def test_both_names_are_one_study() -> None:
    by_id, by_name = (
        plan_study(name, policy="tight", seed=1, n_players=6, n_sessions=60) for name in ("B3", "blind-ladder")
    )
    assert by_id == by_name
    assert by_id.minutes == 45


def test_higher_blinds_end_more_sessions_early() -> None:
    ended = [
        run_in_process(plan_study(name, policy="loose", seed=5, n_players=4, n_sessions=2000, minutes=45)).totals
        for name in ("B1", "B3")
    ]
    assert ended[0].sole_owners < ended[1].sole_owners
    assert ended[0].hands > ended[1].hands


@pytest.mark.parametrize("policy", ["call", "random", "tight", "loose"])
def test_chips_are_conserved_at_every_level(policy: str) -> None:
    # `play_chunk` raises when a block does not add up; a longer session goes on from the same cards.
    hands = [
        play_chunk(plan_study("B3", policy=policy, seed=2, n_players=5, n_sessions=100, hands=n_hands), 0, 20).hands
        for n_hands in (6, 12, 30)
    ]
    assert all(shorter < longer for shorter, longer in pairwise(hands))
