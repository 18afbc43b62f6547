"""Results that are known exactly: walks, identities, cutoffs, orbits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from homegame_engine import catalog
from homegame_engine.errors import InputError, NotFound
from homegame_engine.session import NO_CUTOFF
from homegame_sim.run import run_blocks
from homegame_sim.study import plan_study, play_chunk
from tests.sim.conftest import run_format, variant_of_b1

KNOWN = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parents[1] / "vectors" / "known_values.json").read_text(encoding="utf-8"))
}
LADDER = """
[[levels]]
from_hand = 1
small_blind = 1
big_blind = 2
[[levels]]
from_hand = 7
small_blind = 2
big_blind = 4
[[levels]]
from_hand = 13
small_blind = 4
big_blind = 8
"""
POLICIES = ("fold", "call", "random", "tight", "loose")


@pytest.mark.parametrize(
    ("walk", "hands", "keys"), [("walk_4_4", 4, ""), ("walk_4_5", 5, ""), ("walk_ladder_4_15", 15, LADDER)]
)
def test_always_fold_walks_to_the_counted_net_points_pts_b3_02(walk: str, hands: int, keys: str) -> None:
    rows = run_format(variant_of_b1(keys), policy="fold", n_players=4, n_blocks=3, hands=hands)
    assert rows.net_chips.tolist() == [[4 * chips for chips in KNOWN[walk]["value"]]] * 3


def counted_walk(n_players: int, hands: int) -> list[int]:
    """Everybody folds to the big blind: it gains the small blind, 1 point a hand."""
    nets = [0] * n_players
    for hand in range(hands):
        small = (hand + 1) % n_players if n_players > 2 else hand % n_players
        big = (small + 1) % n_players
        nets[small] -= 1
        nets[big] += 1
    return nets


@pytest.mark.parametrize("n_players", range(2, 11))
@pytest.mark.parametrize("hands", [1, 7, 20, 33])
def test_always_fold_pays_blinds_and_nothing_else(n_players: int, hands: int) -> None:
    rows = run_format(variant_of_b1(), policy="fold", n_players=n_players, n_blocks=2, hands=hands)
    assert rows.net_chips.tolist() == [[n_players * chips for chips in counted_walk(n_players, hands)]] * 2
    assert rows.hands.tolist() == [n_players * hands] * 2
    assert rows.incomplete_orbits.tolist() == [n_players if hands % n_players else 0] * 2


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("n_players", [2, 3, 7, 10])
def test_every_block_adds_up_to_its_wins_and_to_no_points(policy: str, n_players: int) -> None:
    rows = run_format(variant_of_b1(), policy=policy, n_players=n_players, n_blocks=20, hands=11)
    assert (rows.win_units.sum(axis=1) == 2520 * n_players).all()
    assert (rows.net_chips.sum(axis=1) == 0).all()
    assert rows.hands_histogram.sum() == 20 * n_players
    assert int((rows.hands_histogram * np.arange(12)).sum()) == rows.hands.sum()


@pytest.mark.parametrize(
    ("minutes", "hand_seconds", "hands"),
    [(4, 120, 2), (4, 119, 3), (4, 121, 2), (45, 120, 23), (1, 60, 1), (1, 59, 2), (1, 600, 1)],
)
def test_no_hand_starts_at_the_cutoff_or_later_pts_016(minutes: int, hand_seconds: int, hands: int) -> None:
    # Hand k starts k times the length of a hand after the start; one that starts exactly at the cutoff is too late.
    study = plan_study(
        "points-night",
        policy="fold",
        seed=1,
        n_players=4,
        n_sessions=8,
        minutes=minutes,
        hand_seconds=hand_seconds,
    )
    totals = play_chunk(study, 0, study.n_blocks)
    assert totals.sessions_by_hands == ((hands, 8),)
    assert totals.incomplete_orbits == (8 if hands % 4 else 0)


def test_a_session_ends_when_one_player_holds_everything_pts_016() -> None:
    rows = run_format(variant_of_b1("[start]\nchips = 2\n"), policy="call", n_players=2, n_blocks=200, hands=50)
    assert rows.sole_owners.sum() == 400
    assert rows.ties.sum() == 0
    assert rows.hands.max() < 2 * 50
    # Who holds everything gains what the others began with.
    assert set(np.abs(rows.net_chips).ravel().tolist()) <= {0, 4}


def test_blocks_are_the_same_however_a_run_is_cut() -> None:
    spec = variant_of_b1()
    game, house = catalog.game("HOLDEM"), catalog.house(spec.house)

    def play(first_block: int, n_blocks: int) -> list[list[int]]:
        rows = run_blocks(
            spec,
            (game,),
            house,
            policy="random",
            seed=2**64 - 1,
            n_players=5,
            first_block=first_block,
            n_blocks=n_blocks,
            hands_max=12,
            cutoff_at_ms=NO_CUTOFF,
            hand_ms=1,
        )
        return np.hstack([rows.win_units, rows.net_chips]).tolist()  # type: ignore[no-any-return] # numpy's stub

    whole = play(0, 9)
    assert play(0, 4) + play(4, 5) == whole
    assert [row for block in reversed(range(9)) for row in play(block, 1)] == whole[::-1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_players": 1},
        {"n_players": 11},
        {"seed": -1},
        {"seed": 2**64},
        {"policy": "clever"},
        {"n_sessions": 0},
        {"hands": 0},
        {"hands": 10**9},
        {"minutes": 0},
        {"minutes": 10**6},
        {"hand_seconds": 0},
        {"hands": 5, "minutes": 5},
    ],
)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, object]) -> None:
    asked: dict[str, object] = {"policy": "call", "seed": 1, "n_players": 4, "n_sessions": 8}
    with pytest.raises(InputError):
        plan_study("B1", **(asked | wrong))  # type: ignore[arg-type] # wrong on purpose


def test_an_unknown_format_is_refused_pts_b2_01() -> None:
    with pytest.raises(NotFound) as refused:
        plan_study("B99", policy="call", seed=1, n_players=4, n_sessions=8)
    assert refused.value.reason == "FORMAT_UNKNOWN"


def test_sessions_are_rounded_up_to_whole_rotation_blocks() -> None:
    for n_sessions, n_blocks in ((1, 1), (6, 1), (7, 2), (12, 2)):
        study = plan_study("B1", policy="call", seed=1, n_players=6, n_sessions=n_sessions, hands=1)
        assert (study.n_blocks, study.n_sessions) == (n_blocks, 6 * n_blocks)


def test_without_hands_and_minutes_the_formats_own_cutoff_counts_pts_003() -> None:
    study = plan_study("B1", policy="call", seed=1, n_players=6, n_sessions=1)
    assert (study.hands, study.minutes) == (None, 45)
