"""What several tests of evaluators need and is slow to make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.oracles import evaluator as oracle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VECTORS = Path(__file__).resolve().parents[2] / "vectors"


@pytest.fixture(scope="session")
def known_values() -> dict[str, Any]:
    """The figures that a correct engine must reproduce, by id."""
    values = json.loads((VECTORS / "known_values.json").read_text(encoding="utf-8"))
    return {value["id"]: value["value"] for value in values}


@pytest.fixture(scope="session")
def fives() -> NDArray[np.uint8]:
    """Every hand of five cards."""
    return oracle.all_fives()


@pytest.fixture(scope="session")
def strengths(fives: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What the oracle says about every hand of five cards, ranked high."""
    return oracle.strengths_of_fives(fives)
