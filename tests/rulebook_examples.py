"""The rulebook's worked examples as data: tests pick those they can run, nobody types them again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

EXAMPLES_FILE = Path(__file__).resolve().parents[1] / "docs" / "rules" / "examples.json"


class Example(msgspec.Struct, frozen=True):
    """One worked case; `docs/rules/README.md` says how each kind is read."""

    id: str
    rule_ids: tuple[str, ...]
    kind: str
    input: dict[str, Any]
    expected: dict[str, Any]
    note: str = ""


def examples_of_kind(kind: str) -> list[Example]:
    """All examples of a kind, in the order of the book; never an empty list."""
    examples = [
        example
        for example in msgspec.json.decode(EXAMPLES_FILE.read_bytes(), type=list[Example])
        if example.kind == kind
    ]
    if not examples:
        raise LookupError(f"the rulebook has no example of kind {kind}")
    return examples


def as_parameters(examples: list[Example]) -> list[Any]:
    """Pytest parameters that show the example's id and the rules it stands for."""
    return [pytest.param(example, id=f"{example.id}-{'-'.join(example.rule_ids)}") for example in examples]


def text_of(example: Example) -> str:
    """The input as text, to look for cards in it."""
    return json.dumps(example.input)
