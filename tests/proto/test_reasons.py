"""Every reason of the rulebook can be said on the wire, in the rulebook's own words."""

from __future__ import annotations

import re

from homegame.v1 import errors_pb2
from homegame_engine.errors import ServiceReason
from tests.proto import contract

RULEBOOK = contract.PROTO_ROOT.parent / "docs" / "rules" / "README.md"
ROW = re.compile(r"^\| ([A-Z_]+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
SERVICE_NUMBERS_FROM = 1001


def rulebook_reasons() -> dict[str, str]:
    """Return the meaning of each reason that the rulebook lists."""
    table = RULEBOOK.read_text(encoding="utf-8").partition("## Error reasons")[2]
    return {name: meaning for name, meaning, _ in ROW.findall(table)}


def numbers() -> dict[str, int]:
    """Return the number of each reason, without UNSPECIFIED."""
    return {name.removeprefix("REASON_"): number for name, number in errors_pb2.Reason.items() if number}


def test_every_reason_of_the_rulebook_is_in_the_contract() -> None:
    assert len(rulebook_reasons()) > 100
    assert {name for name, number in numbers().items() if number < SERVICE_NUMBERS_FROM} == set(rulebook_reasons())


def test_every_other_reason_is_one_of_the_service() -> None:
    assert {name for name, number in numbers().items() if number >= SERVICE_NUMBERS_FROM} == {*ServiceReason}


def test_each_reason_is_explained_in_the_rulebooks_words() -> None:
    comments = contract.comments()
    differing = [
        name
        for name, meaning in rulebook_reasons().items()
        if not comments[f"Reason.REASON_{name}"].lower().startswith(meaning.lower())
    ]
    assert differing == []
