"""Refusals that are the service's own: no rule of poker decides them, and most say "send the same request again later"."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from homegame_engine.errors import HomegameError, InputError, ServiceReason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class ServiceRefusal(HomegameError):  # noqa: N818 - an answer, not an error
    """A request that the service cannot take now, or not under this id.

    Attributes:
        reason: Why.
        message: A sentence for people.
        facts: Numbers that help the client to go on, by name, for example `retry_after_ms`.
    """

    def __init__(self, reason: ServiceReason, message: str, facts: Mapping[str, int] | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.facts = MappingProxyType(dict(facts or {}))


class FieldFaults(InputError):  # noqa: N818 - an answer, not an error
    """Fields that the contract's own rules refuse.

    Attributes:
        faults: Path and sentence of each; never empty.
    """

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        path, message = faults[0]
        super().__init__(message, field=path)
        self.faults = tuple(faults)


def overloaded(retry_after_ms: int) -> ServiceRefusal:
    """A full mailbox."""
    return ServiceRefusal(
        ServiceReason.OVERLOADED,
        "Too many requests wait for this night; send it again in a moment.",
        {"retry_after_ms": retry_after_ms},
    )


def odds_overloaded(retry_after_ms: int) -> ServiceRefusal:
    """Too many computations of odds."""
    return ServiceRefusal(
        ServiceReason.OVERLOADED,
        "Too many requests wait for their odds; send it again in a moment.",
        {"retry_after_ms": retry_after_ms},
    )


def store_unavailable(retry_after_ms: int) -> ServiceRefusal:
    """A journal that could not be written or read."""
    return ServiceRefusal(
        ServiceReason.STORE_UNAVAILABLE,
        "The journal is not available; nothing was told to anybody. Send the same request again in a moment.",
        {"retry_after_ms": retry_after_ms},
    )


def stopping(retry_after_ms: int) -> ServiceRefusal:
    """A server that goes down."""
    return ServiceRefusal(
        ServiceReason.STOPPING,
        "The server is going down; send the same request again after the restart.",
        {"retry_after_ms": retry_after_ms},
    )


def lagged(last_number: int) -> ServiceRefusal:
    """A reader that was too slow; `last_number` is the last event that was handed to it."""
    return ServiceRefusal(
        ServiceReason.LAGGED,
        "The reader was too slow; watch again after the last event received.",
        {"last_number": last_number},
    )


def request_id_reused() -> ServiceRefusal:
    """A request id that was accepted before for something else."""
    return ServiceRefusal(
        ServiceReason.REQUEST_ID_REUSED,
        "This request id was accepted before with another body or from another caller; make a new one.",
    )
