"""What stands in a journal row: inputs and events as JSON under a schema number.

Names and fields are those of the engine's records, which never change their meaning. A change of shape gets a new schema
number and a line here that lifts the old one; a number or a name that nobody knows is an error, never a guess.
"""

from __future__ import annotations

from typing import Final

import msgspec

from homegame_engine.errors import HomegameError
from homegame_engine.events import AnyEvent
from homegame_engine.night.inputs import AnyInput

SCHEMA: Final = 1


class UnreadableRow(HomegameError):  # noqa: N818 - named for what it is
    """A stored row that this program cannot read: written by a newer one, or damaged."""


class _StoredInput(msgspec.Struct, frozen=True):
    schema: int
    input: AnyInput


class _StoredEvents(msgspec.Struct, frozen=True):
    schema: int
    events: tuple[AnyEvent, ...]


_encode = msgspec.json.Encoder().encode
_decode_input = msgspec.json.Decoder(_StoredInput).decode
_decode_events = msgspec.json.Decoder(_StoredEvents).decode


def encode_input(given: AnyInput) -> bytes:
    """Write an input down. It may hold a deck order: the bytes are secret."""
    return _encode(_StoredInput(SCHEMA, given))


def encode_events(happened: tuple[AnyEvent, ...]) -> bytes:
    """Write events down, hole cards in clear: the bytes are secret."""
    return _encode(_StoredEvents(SCHEMA, happened))


def decode_input(stored: bytes) -> AnyInput:
    """Read an input. Raises UnreadableRow."""
    try:
        read = _decode_input(stored)
    except msgspec.MsgspecError as error:
        raise UnreadableRow(f"stored input: {error}") from error
    _check_schema(read.schema)
    return read.input


def decode_events(stored: bytes) -> tuple[AnyEvent, ...]:
    """Read events. Raises UnreadableRow."""
    try:
        read = _decode_events(stored)
    except msgspec.MsgspecError as error:
        raise UnreadableRow(f"stored events: {error}") from error
    _check_schema(read.schema)
    return read.events


def _check_schema(schema: int) -> None:
    if schema != SCHEMA:
        raise UnreadableRow(f"schema {schema}, this program reads {SCHEMA}")
