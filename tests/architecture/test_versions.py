"""The generated contract and the libraries it runs on fit together: they refuse one another at import otherwise."""

from __future__ import annotations

import re
from importlib.metadata import version

import pytest

from tests.architecture.source_tree import ROOT

GENERATED = ROOT / "proto" / "gen" / "python"

PROTOBUF_FLOOR = (7, 35, 1)
GRPC = re.compile(r"GRPC_GENERATED_VERSION = ['\"]([\d.]+)['\"]")
PROTOBUF = re.compile(r"Domain\.PUBLIC,\s*(\d+),\s*(\d+),\s*(\d+)")


def numbers(text: str) -> tuple[int, ...]:
    """Return a version as numbers that compare."""
    return tuple(int(part) for part in text.split("."))


def found(pattern: re.Pattern[str], glob: str) -> set[tuple[int, ...]]:
    """Return the versions that the generated files with a matching name were written by."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(GENERATED.rglob(glob))]
    if not texts:
        pytest.skip("the contract is not generated yet")
    return {numbers(".".join(match.groups())) for text in texts for match in pattern.finditer(text)}


def test_grpcio_is_no_older_than_the_tools_that_generated_the_services() -> None:
    written_by = found(GRPC, "*_pb2_grpc.py")
    assert written_by == {numbers(version("grpcio-tools"))}
    assert numbers(version("grpcio")) >= max(written_by)


def test_protobuf_is_no_older_than_the_generated_messages_and_the_floor() -> None:
    installed = numbers(version("protobuf"))
    assert installed >= PROTOBUF_FLOOR
    assert installed >= max(found(PROTOBUF, "*_pb2.py"))
