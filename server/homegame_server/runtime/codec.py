"""What stands in a journal row: inputs and events as JSON under a schema number.

Names and fields are those of the engine's records, which never change their meaning. A change of shape gets a new schema
number and a line here that lifts the old one; a number or a name that nobody knows is an error, never a guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from homegame_engine.errors import HomegameError
from homegame_engine.events import AnyEvent, DeckSealed, HandStarting, PlayerRaised
from homegame_engine.night.inputs import AnyInput

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA: Final = 3
"""Of the rows that are written now; those of every number from 1 on are read."""

# Fields that came with a schema. Rows of the schemas before do not hold them, and read at the defaults of the records.
_CAME_WITH: Final[Mapping[int, Mapping[type, tuple[str, ...]]]] = {
    2: {
        HandStarting: ("game_id", "ante_chips", "bring_in_chips", "spread_min_chips", "spread_max_chips"),
        PlayerRaised: ("completes",),
    },
    3: {DeckSealed: ("steps", "folded_hands_get_cards")},
}


class UnreadableRow(HomegameError):  # noqa: N818 - named for what it is
    """A stored row that this program cannot read: written by a newer one, or damaged."""


class _StoredInput(msgspec.Struct, frozen=True):
    schema: int
    input: AnyInput


class _StoredEvents(msgspec.Struct, frozen=True):
    schema: int
    events: tuple[AnyEvent, ...]


class _Stored(msgspec.Struct, frozen=True):
    schema: int


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


def schema_of(stored: bytes) -> int:
    """Read under which schema an input or events are stored; they could be read before."""
    return msgspec.json.decode(stored, type=_Stored).schema


def as_said_by(schema: int, happened: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
    """Return events as rows of a schema read: what it has no field for is at its default."""
    for later in range(schema + 1, SCHEMA + 1):
        happened = tuple(_without(event, _CAME_WITH[later].get(type(event), ())) for event in happened)
    return happened


def _without(event: AnyEvent, names: tuple[str, ...]) -> AnyEvent:
    defaults = {field.name: field.default for field in msgspec.structs.fields(event) if field.name in names}
    return msgspec.structs.replace(event, **defaults)


def _check_schema(schema: int) -> None:
    if not 1 <= schema <= SCHEMA:
        raise UnreadableRow(f"schema {schema}, this program reads 1 to {SCHEMA}")
