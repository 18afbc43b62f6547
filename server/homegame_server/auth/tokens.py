"""Tokens: signed, deterministic, and made again whenever they are asked for.

A token says which person of which night calls, and in which role. It is a JWT signed with Ed25519, whose signatures are
deterministic, and its `iat` is the time of the row that brought the person in: so a repeated request gets the same token,
also after a crash, and no token is ever stored. It ends with its night, which is where it is good for anything.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from homegame_engine.errors import NotAllowed, ServiceReason

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES: Final = 32
_ISSUER: Final = "homegame"
_ALGORITHM: Final = "EdDSA"
_TOKENS_KEPT: Final = 4096
_MS_PER_SECOND: Final = 1000


class Role(StrEnum):
    """What somebody is in a night."""

    HOST = "HOST"
    PARTICIPANT = "PARTICIPANT"
    SPECTATOR = "SPECTATOR"


class Caller(msgspec.Struct, frozen=True):
    """Who sent a request. Without a token everybody is a spectator of every night, with no id."""

    role: Role = Role.SPECTATOR
    night_id: str = ""
    participant_id: str = ""


SPECTATOR: Final = Caller()


class TokenSigner:
    """Makes tokens and reads them. One key serves a data folder."""

    def __init__(self, key: bytes) -> None:
        """Take the key: 32 secret bytes."""
        self._private = Ed25519PrivateKey.from_private_bytes(key)
        self._public = self._private.public_key()
        # Checking a signature costs more than the rest of a request; the same few tokens come again and again.
        self._known: dict[str, Caller] = {}

    def sign(self, caller: Caller, at_ms: int) -> str:
        """Make the token of somebody who came in at `at_ms` (Unix UTC ms): the same for the same arguments."""
        claims = {
            "iss": _ISSUER,
            "sub": caller.participant_id,
            "night": caller.night_id,
            "role": str(caller.role),
            "iat": at_ms // _MS_PER_SECOND,
        }
        return jwt.encode(claims, self._private, algorithm=_ALGORITHM)

    def read(self, token: str) -> Caller:
        """Return who a token speaks for.

        Raises:
            NotAllowed: UNAUTHENTICATED: it is not one of ours.
        """
        known = self._known.get(token)
        if known is None:
            known = self._verify(token)
            if len(self._known) >= _TOKENS_KEPT:
                self._known.clear()
            self._known[token] = known
        return known

    def _verify(self, token: str) -> Caller:
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._public,
                algorithms=[_ALGORITHM],
                issuer=_ISSUER,
                # A clock that was set back must not lock people out of their own night.
                options={"require": ["sub", "night", "role", "iss"], "verify_iat": False},
            )
            return Caller(Role(claims["role"]), str(claims["night"]), str(claims["sub"]))
        except (jwt.InvalidTokenError, ValueError) as error:
            raise unauthenticated("The token is not one of this server's.") from error

    def derive_night_id(self, request_id: str) -> str:
        """Return the id of the night that a request creates: the same for a repeat, and guessable by nobody.

        The signature of the request id serves as a keyed hash: deterministic, and unknown without the key.
        """
        digest = self._private.sign(b"night id\0" + request_id.encode())
        return f"night-{digest[:12].hex()}"


def unauthenticated(message: str) -> NotAllowed:
    """A token that is missing, forged, or of another night."""
    return NotAllowed(ServiceReason.UNAUTHENTICATED, message)


def load_or_make_key(path: Path) -> bytes:
    """Read the key, or make it once: 32 bytes from the system's generator, mode 0600, durable before it is used.

    Raises:
        OSError: the file cannot be read or written, or it holds no key.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        _write_once(path, secrets.token_bytes(KEY_BYTES))
    _close_to_others(path.parent)
    _close_to_others(path)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise OSError(f"{path} holds no key of {KEY_BYTES} bytes; restore it from a backup")
    return key


def _close_to_others(path: Path) -> None:
    """A copy or a backup may have opened it."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        path.chmod(mode & 0o700)


def _write_once(path: Path, key: bytes) -> None:
    """Put a whole file in place, or none; never over another."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, key)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
