"""What tests of the simulator share: the points night's specs, a short run of blocks, and one Ray for all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from homegame_engine import catalog
from homegame_engine.session import NO_CUTOFF
from homegame_sim import driver
from homegame_sim.run import BlockRows, run_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from homegame_engine.specs import FormatSpec


def variant_of_b1(keys: str = "") -> FormatSpec:
    """Return base B1 with some top-level keys replaced."""
    return catalog.load_format(f'id = "VARIANT"\nbase = "B1"\nversion = 1\n{keys}', "variant.toml")


def run_format(spec: FormatSpec, *, policy: str, n_players: int, n_blocks: int, hands: int, seed: int = 1) -> BlockRows:
    """Play blocks of a format by a number of hands."""
    return run_blocks(
        spec,
        (catalog.game(spec.blocks[0].game),),
        catalog.house(spec.house),
        policy=policy,
        seed=seed,
        n_players=n_players,
        first_block=0,
        n_blocks=n_blocks,
        hands_max=hands,
        cutoff_at_ms=NO_CUTOFF,
        hand_ms=1,
    )


@pytest.fixture(scope="session")
def ray_processors() -> Iterator[int]:
    """Two Ray workers on this machine for the whole test run."""
    assert "RAY_ADDRESS" not in os.environ, "these tests start a Ray of their own"
    with driver.connect(2) as n_processors:
        yield n_processors
