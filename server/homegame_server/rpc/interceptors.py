"""The gateway every RPC passes: reads bytes, checks fields, authorises, logs one line, and turns exceptions into statuses.

It is one interceptor, so that there is one order: bytes, fields, permission, going down, handler, status, log.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import TYPE_CHECKING, Any, Final, cast

import grpc
import protovalidate
from grpc_status import rpc_status

from homegame_engine.errors import InputError
from homegame_server import errors
from homegame_server.auth.permissions import PERMISSIONS, Permission, authorise
from homegame_server.rpc import call as calls
from homegame_server.rpc import status

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from google.protobuf.message import Message

    from homegame_server.auth.tokens import TokenSigner

    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behavior = Callable[..., Any]

_log = logging.getLogger("homegame.request")

_LOGGED_IDS: Final = (("night", "night_id"), ("table", "table_id"), ("request", "request_id"), ("hand", "hand_number"))


class _Malformed:
    """Stands for request bytes that are no message: grpcio would answer them with the name of a Python exception."""


_MALFORMED: Final = _Malformed()


class Gateway(grpc.aio.ServerInterceptor):
    """See the module."""

    def __init__(self, signer: TokenSigner, is_stopping: Callable[[], bool], retry_after_ms: int) -> None:
        self._signer = signer
        self._is_stopping = is_stopping
        self._retry_after_ms = retry_after_ms
        self._wrapped: dict[str, _Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler | None:
        """Wrap a method's handler, once."""
        method = handler_call_details.method
        known = self._wrapped.get(method)
        if known is not None:
            return known
        handler = await continuation(handler_call_details)
        if handler is None:
            return handler  # No such method: grpcio says UNIMPLEMENTED. Not kept: anybody can make up names.
        wrapped = self._wrap(method, handler)
        self._wrapped[method] = wrapped
        return wrapped

    def _wrap(self, method: str, handler: _Handler) -> _Handler:
        read = _lenient(handler.request_deserializer)
        # grpcio's own types do not know handlers that are coroutines.
        behavior = cast("_Behavior", handler.stream_stream or handler.unary_stream or handler.unary_unary)
        if handler.request_streaming:  # Reflection alone.
            return grpc.stream_stream_rpc_method_handler(_checked_stream(behavior), read, handler.response_serializer)
        guarded = self._guard(method, behavior)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(guarded, read, _or_bytes(handler.response_serializer))
        return grpc.unary_unary_rpc_method_handler(guarded, read, handler.response_serializer)

    def _guard(self, method: str, behavior: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        permission = PERMISSIONS.get(method)

        async def guarded(request: Message | _Malformed, context: grpc.aio.ServicerContext[Any, Any]) -> Any:  # noqa: ANN401
            call = calls.Call(method)
            calls.begin(call)
            began = time.perf_counter()
            outcome = "CANCELLED"
            try:
                if isinstance(request, _Malformed):
                    raise InputError("the bytes are no message of this kind")  # noqa: TRY301
                if permission is not None:
                    self._admit(call, permission, request, context)
                response = await behavior(request, context)
                outcome = "OK"
            except (asyncio.CancelledError, grpc.aio.AbortError, grpc.aio.BaseError):
                raise
            except Exception as error:  # noqa: BLE001 - the boundary: whatever it is, the client gets a status
                outcome = await _refuse(context, call, error)
            else:
                return response
            finally:
                if permission is not None:
                    _write_line(call, outcome, began)

        return guarded

    def _admit(
        self,
        call: calls.Call,
        permission: Permission,
        request: Message,
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> None:
        for name, attribute in _LOGGED_IDS:
            if value := getattr(request, attribute, None):
                call.log[name] = value
        _check_fields(request)
        authorization = next(
            (str(value) for key, value in context.invocation_metadata() or () if key == "authorization"), None
        )
        call.caller = authorise(permission, self._signer, authorization, getattr(request, "night_id", ""))
        if permission.is_mutation:
            if self._is_stopping():
                raise errors.stopping(self._retry_after_ms)
            request_id: str = getattr(request, "request_id")  # noqa: B009 - every mutation has one; a test holds it
            call.request_key = calls.key_of(call.method, request, request_id, call.caller)


def _check_fields(request: Message) -> None:
    """Hold the contract's own rules. Raises FieldFaults."""
    violations = protovalidate.collect_violations(request)
    if violations:
        raise errors.FieldFaults([(_path(violation), violation.proto.message) for violation in violations])


def _path(violation: protovalidate.Violation) -> str:
    place = violation.proto.field
    return "" if place is None else ".".join(element.field_name for element in place.elements)


async def _refuse(context: grpc.aio.ServicerContext[Any, Any], call: calls.Call, error: Exception) -> str:
    """End the RPC with the status of an exception; returns its code for the log."""
    refused = status.refusal(error)
    if refused is None:
        reference = secrets.token_hex(6)
        call.log["reference"] = reference
        _log.error("unexpected failure", extra={"reference": reference, "method": call.method}, exc_info=error)
        ending, code = status.to_unknown_status(reference), grpc.StatusCode.UNKNOWN
    else:
        call.log["reason"] = str(refused.reason)
        ending, code = status.to_status(refused), refused.code
    call.log["code"] = code.name
    await context.abort_with_status(rpc_status.to_status(ending))
    return code.name


def _write_line(call: calls.Call, outcome: str, began: float) -> None:
    took_ms = round((time.perf_counter() - began) * 1000, 2)
    _log.info("request", extra={"method": call.method, "took_ms": took_ms, "code": outcome, **call.log})


def _lenient(read: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    def lenient(data: bytes) -> Any:  # noqa: ANN401
        if read is None:
            return data
        try:
            return read(data)
        except Exception:  # noqa: BLE001 - protobuf raises several kinds, all of which mean the same
            return _MALFORMED

    return lenient


def _or_bytes(write: Callable[[Any], bytes] | None) -> Callable[[Any], bytes]:
    def or_bytes(message: Any) -> bytes:  # noqa: ANN401
        # Frames are encoded once for many readers.
        if isinstance(message, bytes) or write is None:
            return bytes(message)
        return write(message)

    return or_bytes


def _checked_stream(behavior: Callable[..., Any]) -> Callable[..., Any]:
    async def checked(requests: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Any]:
        async def readable() -> AsyncIterator[Any]:
            async for request in requests:
                if isinstance(request, _Malformed):
                    await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "The bytes are no message of this kind.")
                yield request

        async for response in behavior(readable(), context):
            yield response

    return checked
