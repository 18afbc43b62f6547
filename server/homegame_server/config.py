"""The server's settings, typed and checked; reads no environment and no file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from homegame_engine.errors import InputError

PORT_MAX: Final = 65_535


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may choose. Durations in ms."""

    data: Path
    """Folder of the journal, the token key and the `address` file."""
    listen: str = "127.0.0.1:50051"
    """Host and port; port 0 lets the system choose one."""
    json_logs: bool = False
    """One JSON object a log line instead of text."""
    until_input_ends: bool = False
    """Stop when standard input ends, too: it does when the program that holds its other end is gone, even killed."""
    limits: Limits = msgspec.field(default_factory=lambda: Limits())  # noqa: PLW0108 - defined below

    def __post_init__(self) -> None:
        """Refuse an address that cannot be one.

        Raises:
            InputError: `listen` is not HOST:PORT.
        """
        host, colon, port = self.listen.rpartition(":")
        if not colon or not host or not port.isdecimal() or int(port) > PORT_MAX:
            raise InputError(f"expected HOST:PORT, for example 127.0.0.1:50051, got {self.listen!r}", field="listen")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds that keep memory and waiting finite, and the defaults of a night."""

    mailbox_max: int = 256
    """Requests that may wait for one night before more are refused with OVERLOADED."""
    lag_events_max: int = 4096
    """Events that may wait for one reader before it is dropped with LAGGED."""
    frame_events_max: int = 256
    """Events in one frame of a stream."""
    resting_nights_max: int = 64
    """Closed nights kept in memory for whoever reads them."""
    hand_pause_ms: int = 1_500
    """From the end of a hand to the next deal, where a night names no other."""
    retry_after_ms: int = 250
    """What a client is told to wait before it sends a request again."""
    store_retry_ms: int = 1_000
    """How long a night whose store failed waits before it reads the journal again."""
    odds_hands_max: int = 20_000_000
    """Hands that may be ranked to count the deals of one request for odds; more are sampled."""
    odds_waiting_max: int = 8
    """Requests for odds that may wait, one being in work, before more are refused with OVERLOADED."""
    odds_ms_max: int = 30_000
    """How long one request for odds may compute."""
    stop_grace_ms: int = 5_000
    """How long a stop waits for requests in work."""
