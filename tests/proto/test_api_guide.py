"""The guide for front ends speaks of calls, fields, events and reasons that the contract has."""

from __future__ import annotations

import re

import grpc

from homegame.v1 import errors_pb2
from tests.proto import contract

GUIDE = (contract.PROTO_ROOT.parent / "docs" / "api.md").read_text(encoding="utf-8")
QUOTED = re.compile(r"`([A-Za-z_][A-Za-z_.]*[A-Za-z])`")

# Quoted words that are not ours: Google's error types, the domain, the package of the client, a tool's command.
FOREIGN = {"google.rpc.Status", "ErrorInfo", "BadRequest", "homegame.v1", "homegame_client", "_at_ms"}
METADATA_KEYS = {"rule_id", "retry_after_ms"}


def names() -> set[str]:
    """Return every name of the contract, whole and by its last part."""
    dotted = {element.name for element in contract.elements()}
    return dotted | {name.rpartition(".")[2] for name in dotted}


def test_every_quoted_name_exists() -> None:
    quoted = set(QUOTED.findall(GUIDE)) - FOREIGN - METADATA_KEYS
    assert len(quoted) > 50
    assert sorted(quoted - names()) == []


def test_metadata_keys_of_the_guide_are_those_of_the_contract() -> None:
    errors_proto = (contract.PROTO_ROOT / "homegame" / "v1" / "errors.proto").read_text(encoding="utf-8")
    promised = errors_proto.partition("syntax")[0]
    assert [key for key in METADATA_KEYS if f"`{key}`" not in promised] == []


def test_every_reason_named_exists() -> None:
    reasons = {name.removeprefix("REASON_") for name in errors_pb2.Reason.keys()}  # noqa: SIM118 - not a mapping
    named = set(re.findall(r"(?<![`\w])[A-Z]+(?:_[A-Z]+)+(?![`\w])", GUIDE))
    codes = {code.name for code in grpc.StatusCode}
    assert named & reasons
    assert sorted(named - reasons - codes) == []


def test_every_call_is_in_the_guide() -> None:
    assert [rpc for rpc in contract.methods() if not re.search(rf"`(\w+\.)?{rpc.partition('.')[2]}`", GUIDE)] == []
