"""The tables of the evaluators are what their generators write."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "engine" / "tools"


@pytest.mark.parametrize(
    "name",
    [
        "generate_high_tables",
        pytest.param("generate_low_tables", marks=pytest.mark.slow),
        pytest.param("generate_wild_tables", marks=pytest.mark.slow),
    ],
)
def test_the_tables_are_what_their_generator_writes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TOOLS)
    generator = importlib.import_module(name)
    # Not compared by assert: the difference would be half a million characters long.
    if generator.header() != generator.OUTPUT.read_text(encoding="ascii"):
        pytest.fail(f"run engine/tools/{name}.py and look at what changed")
