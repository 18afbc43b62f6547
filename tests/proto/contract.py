"""The contract as descriptors with their comments, compiled from the protos; shared by the tests of this folder."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from google.protobuf import descriptor_pb2 as pb
from grpc_tools import protoc

if TYPE_CHECKING:
    from collections.abc import Iterator

PROTO_ROOT = Path(__file__).resolve().parents[2] / "proto"
PACKAGE = "homegame.v1"

# Field numbers inside descriptor.proto: a source location is a path of them.
FILE_MESSAGES, FILE_ENUMS, FILE_SERVICES, FILE_SYNTAX = 4, 5, 6, 12
MESSAGE_FIELDS, MESSAGE_ONEOFS, ENUM_VALUES, SERVICE_METHODS = 2, 8, 2, 2


class Element(NamedTuple):
    """One thing of the contract that a reader meets."""

    name: str  # Dotted, without the package; a file is its path.
    kind: str  # "file", "message", "field", "oneof", "enum", "value", "service" or "rpc".
    comment: str  # The comment above it as one line, "" for none.


@cache
def files() -> tuple[pb.FileDescriptorProto, ...]:
    """Return every file of the package, compiled with comments."""
    protos = sorted(path.relative_to(PROTO_ROOT).as_posix() for path in (PROTO_ROOT / "homegame").rglob("*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "descriptors.bin"
        well_known_types = Path(protoc.__file__).parent / "_proto"
        roots = [f"-I{root}" for root in (PROTO_ROOT, PROTO_ROOT / "third_party", well_known_types)]
        status = protoc.main(["protoc", *roots, f"--descriptor_set_out={out}", "--include_source_info", *protos])
        assert status == 0
        compiled = pb.FileDescriptorSet.FromString(out.read_bytes())
    return tuple(compiled.file)


def messages() -> dict[str, pb.DescriptorProto]:
    """Return every message by name; the contract nests none."""
    return {message.name: message for file in files() for message in file.message_type}


def enums() -> dict[str, pb.EnumDescriptorProto]:
    """Return every enum by name."""
    return {enum.name: enum for file in files() for enum in file.enum_type}


def methods() -> dict[str, pb.MethodDescriptorProto]:
    """Return every RPC as Service.Method."""
    return {
        f"{service.name}.{method.name}": method
        for file in files()
        for service in file.service
        for method in service.method
    }


def comments() -> dict[str, str]:
    """Return the comment of every element by its name."""
    return {element.name: element.comment for element in elements()}


def elements() -> Iterator[Element]:
    """Yield everything that needs a comment."""
    for file in files():
        yield from _elements_of(file)


def _prose(comment: str) -> str:
    """Return a comment as one line, without the lines that speak to the linter."""
    return " ".join(line.strip() for line in comment.strip().splitlines() if "buf:lint:ignore" not in line)


def _elements_of(file: pb.FileDescriptorProto) -> Iterator[Element]:
    above = {tuple(place.path): _prose(place.leading_comments) for place in file.source_code_info.location}

    def element(name: str, kind: str, *path: int) -> Element:
        return Element(name, kind, above.get(path, ""))

    yield element(file.name, "file", FILE_SYNTAX)
    for i, message in enumerate(file.message_type):
        yield element(message.name, "message", FILE_MESSAGES, i)
        for j, field in enumerate(message.field):
            yield element(f"{message.name}.{field.name}", "field", FILE_MESSAGES, i, MESSAGE_FIELDS, j)
        for j, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):  # Made by protoc for an `optional` field.
                yield element(f"{message.name}.{oneof.name}", "oneof", FILE_MESSAGES, i, MESSAGE_ONEOFS, j)
    for i, enum in enumerate(file.enum_type):
        yield element(enum.name, "enum", FILE_ENUMS, i)
        for j, value in enumerate(enum.value):
            yield element(f"{enum.name}.{value.name}", "value", FILE_ENUMS, i, ENUM_VALUES, j)
    for i, service in enumerate(file.service):
        yield element(service.name, "service", FILE_SERVICES, i)
        for j, method in enumerate(service.method):
            yield element(f"{service.name}.{method.name}", "rpc", FILE_SERVICES, i, SERVICE_METHODS, j)
