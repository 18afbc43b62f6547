"""The call in work: who sent it and what its log line will say. Set by the gateway, read by the handlers."""

from __future__ import annotations

import hashlib
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from homegame_server.auth.tokens import SPECTATOR, Caller
from homegame_server.runtime.night_task import RequestKey

if TYPE_CHECKING:
    from google.protobuf.message import Message

_DIGEST_BYTES: Final = 32


@dataclass(slots=True)
class Call:
    """One RPC."""

    method: str
    caller: Caller = SPECTATOR
    request_key: RequestKey | None = None
    log: dict[str, object] = field(default_factory=dict)
    """Fields of the log line, as far as they are known: `night`, `table`, `hand`, `seat`, `request`."""


_current: ContextVar[Call] = ContextVar("homegame call")


def begin(call: Call) -> None:
    """Make `call` the one that `current` returns in this task."""
    _current.set(call)


def current() -> Call:
    """Return the call that this task works on."""
    return _current.get()


def key_of(method: str, request: Message, request_id: str, caller: Caller) -> RequestKey:
    """Return what makes the request the same request: a repeat carries the same id, caller, method and body."""
    body = request.SerializeToString(deterministic=True)
    digest = hashlib.blake2b(method.encode() + b"\0" + body, digest_size=_DIGEST_BYTES).digest()
    return RequestKey(request_id, caller.participant_id, digest)
