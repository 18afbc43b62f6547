"""What a call can end with, as types a program switches on.

Knows how the contract writes a refusal on the wire (`google.rpc.Status` with `ErrorInfo`), and nothing about when
a refusal is due. Messages are for people and may change; the reason is for programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc import code_pb2, error_details_pb2, status_pb2

from homegame.v1.errors_pb2 import Reason

DOMAIN: Final = "homegame.v1"
STATUS_TRAILER: Final = "grpc-status-details-bin"

TRANSIENT_REASONS: Final = frozenset(
    {Reason.REASON_OVERLOADED, Reason.REASON_STORE_UNAVAILABLE, Reason.REASON_STOPPING, Reason.REASON_LAGGED}
)
"""Reasons that say "the same again, later"; every other reason is a judgement that repeating does not change."""

# Without a reason from the server these say that no answer came, not that the answer is no. A server that is killed
# shows itself as UNAVAILABLE or, to a running call, as CANCELLED; our own cancelling is asyncio.CancelledError instead.
_NO_ANSWER: Final = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
)

# Said by grpc.aio itself, without a trailer, when a message is sent on a call that the server has ended.
_FAILED_TO_SEND: Final = 'Failed "execute_batch"'

_NO_FACTS: Final[Mapping[str, int]] = MappingProxyType({})


class ClientError(Exception):
    """Base of everything the client raises about a call."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class FieldFault:
    """One malformed field of a request."""

    field: str
    """Path of the field, for example `action.raise.to_chips`."""
    description: str
    """What was expected, for people."""


class RefusedError(ClientError):
    """The server judged the request and said no; nothing changed.

    Args:
        reason: Why, of the contract's closed list; REASON_UNSPECIFIED when this client is older than the reason.
        reason_name: The reason's name without prefix, for example "STALE_ACTION"; known even when `reason` is not.
        rule_id: The rule behind it, for example "BET-FL-03"; empty when no rule applies.
        facts: Numbers that apply: legal amounts in chips of the base unit, `seat`, `action_number`.
        message: A sentence for people.
        fields: Malformed fields, when that is what was wrong.
    """

    def __init__(
        self,
        *,
        reason: Reason.ValueType,
        reason_name: str,
        rule_id: str = "",
        facts: Mapping[str, int] = _NO_FACTS,
        message: str = "",
        fields: tuple[FieldFault, ...] = (),
    ) -> None:
        super().__init__(message or reason_name)
        self.reason = reason
        self.reason_name = reason_name
        self.rule_id = rule_id
        self.facts = MappingProxyType(dict(facts))
        self.fields = fields


class TransientError(ClientError):
    """The request may succeed when it is repeated unchanged.

    Args:
        message: A sentence for people.
        reason: OVERLOADED, STORE_UNAVAILABLE, STOPPING or LAGGED; REASON_UNSPECIFIED when no answer came at all.
        retry_after_ms: Least wait before the repeat that the server asks for, in ms.
    """

    def __init__(
        self, message: str, *, reason: Reason.ValueType = Reason.REASON_UNSPECIFIED, retry_after_ms: int = 0
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.retry_after_ms = retry_after_ms


class UnavailableError(TransientError):
    """No answer came: no connection, a broken one, or none in time. Whether the request was accepted is not known."""


class LaggedError(TransientError):
    """A stream's reader was too slow and was dropped; resume it after the last number received."""


class GaveUpError(ClientError):
    """Repeating did not help within the time allowed. The last transient error is the cause.

    Args:
        message: A sentence for people.
        request_id: Id under which the request may be sent again later; empty for a read or a stream.
    """

    def __init__(self, message: str, *, request_id: str = "") -> None:
        super().__init__(message)
        self.request_id = request_id


class FaultError(ClientError):
    """The server failed unexpectedly; the message holds the reference number to quote to the operator."""


class GapError(ClientError):
    """A stream skipped numbers again and again: the server breaks the contract."""


def from_rpc_error(error: grpc.aio.AioRpcError) -> ClientError:
    """Translate what gRPC raised into the type that says what to do about it."""
    message = error.details() or ""
    status = _status_of(error)
    info = _error_info(status)
    if info is not None:
        return from_error_info(info, status.message or message, _field_faults(status))
    if error.code() in _NO_ANSWER or _is_send_failure(error):
        return UnavailableError(message or "no answer from the server")
    return FaultError(message or f"the server failed with {error.code().name}")


def _is_send_failure(error: grpc.aio.AioRpcError) -> bool:
    """Whether a message could not be sent any more, because the other side has ended the call meanwhile.

    gRPC itself makes this up where it is noticed; the server never sends it, and what it said lies in the next attempt.
    """
    return error.code() is grpc.StatusCode.INTERNAL and _FAILED_TO_SEND in (error.debug_error_string() or "")


def from_status(data: bytes) -> ClientError:
    """Translate the bytes of a `google.rpc.Status` with which a call ended, or a decision on a stream."""
    try:
        status = status_pb2.Status.FromString(data)
    except DecodeError:
        return FaultError("the server sent a refusal that cannot be read")
    info = _error_info(status)
    if info is None:
        return FaultError(status.message or f"the server failed with code {status.code}")
    return from_error_info(info, status.message, _field_faults(status))


def from_error_info(
    info: error_details_pb2.ErrorInfo, message: str, fields: tuple[FieldFault, ...] = ()
) -> ClientError:
    """Translate one ErrorInfo of our domain."""
    name = f"REASON_{info.reason}"
    reason = Reason.Value(name) if name in Reason.keys() else Reason.REASON_UNSPECIFIED  # noqa: SIM118 - no mapping
    facts = {key: int(text) for key, text in info.metadata.items() if text.removeprefix("-").isdecimal()}
    if reason not in TRANSIENT_REASONS:
        return RefusedError(
            reason=reason,
            reason_name=info.reason,
            rule_id=info.metadata.get("rule_id", ""),
            facts=facts,
            message=message,
            fields=fields,
        )
    kind = LaggedError if reason == Reason.REASON_LAGGED else TransientError
    return kind(message or info.reason, reason=reason, retry_after_ms=facts.get("retry_after_ms", 0))


def refusal_status(
    code: grpc.StatusCode, reason: str, message: str, metadata: Mapping[str, str]
) -> tuple[tuple[str, bytes], ...]:
    """Write a refusal as trailing metadata: the inverse of `from_rpc_error`, for fakes of the server."""
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    status = status_pb2.Status(code=code_pb2.Code.Value(code.name), message=message)
    status.details.add().Pack(info)
    return ((STATUS_TRAILER, status.SerializeToString()),)


def _status_of(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_TRAILER and isinstance(value, bytes):
            try:
                return status_pb2.Status.FromString(value)
            except DecodeError:  # A proxy's own trailer says nothing about us; the bare code decides.
                break
    return status_pb2.Status()


def _error_info(status: status_pb2.Status) -> error_details_pb2.ErrorInfo | None:
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Is(info.DESCRIPTOR) and detail.Unpack(info) and info.domain == DOMAIN:
            return info
    return None


def _field_faults(status: status_pb2.Status) -> tuple[FieldFault, ...]:
    for detail in status.details:
        bad = error_details_pb2.BadRequest()
        if detail.Is(bad.DESCRIPTOR) and detail.Unpack(bad):
            return tuple(FieldFault(fault.field, fault.description) for fault in bad.field_violations)
    return ()
