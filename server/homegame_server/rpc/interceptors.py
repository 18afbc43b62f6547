"""The gateway every RPC passes: reads bytes, checks fields, authorises, logs one line, and turns exceptions into statuses.

It is one interceptor, so that there is one order: bytes, fields, permission, going down, handler, status, log. A stream of
requests passes it once when it is opened, and then once for each request, as if that had come by a call of its own.
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
from homegame_server.auth.permissions import PERMISSIONS, Access, Permission, authorise
from homegame_server.rpc import call as calls
from homegame_server.rpc import status

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from google.protobuf.message import Message
    from google.rpc import status_pb2

    from homegame_server.auth.tokens import Caller, TokenSigner

    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behavior = Callable[..., Any]

_log = logging.getLogger("homegame.request")

# Field of a stream's first message that says what the stream is about.
_OPENING: Final = "opening"
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
        if handler.request_streaming:
            if method not in PERMISSIONS:  # Reflection alone.
                checked = _checked_stream(behavior)
                return grpc.stream_stream_rpc_method_handler(checked, read, handler.response_serializer)
            talk = self._guard_stream(method, behavior)
            return grpc.stream_stream_rpc_method_handler(talk, read, _or_bytes(handler.response_serializer))
        guarded = self._guard(method, behavior)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(guarded, read, _or_bytes(handler.response_serializer))
        return grpc.unary_unary_rpc_method_handler(guarded, read, handler.response_serializer)

    def _guard(
        self, method: str, behavior: Callable[..., Awaitable[Any]], opens: str = ""
    ) -> Callable[..., Awaitable[Any]]:
        """Wrap a handler. `opens` names the field of the request that says what a stream is about."""
        permission = PERMISSIONS.get(method)

        async def guarded(request: Message | _Malformed, context: grpc.aio.ServicerContext[Any, Any]) -> Any:  # noqa: ANN401
            call = calls.Call(method)
            calls.begin(call)
            began = time.perf_counter()
            outcome = "CANCELLED"
            try:
                request = _readable(request)
                if permission is not None:
                    self._admit(call, permission, _opening(request, opens) if opens else request, context)
                response = await behavior(request, context)
                outcome = "OK"
            except (asyncio.CancelledError, grpc.aio.AbortError, grpc.aio.BaseError):
                raise
            except Exception as error:  # noqa: BLE001 - the boundary: whatever it is, the client gets a status
                ending, outcome = _ending(call, error)
                await context.abort_with_status(rpc_status.to_status(ending))
            else:
                return response
            finally:
                if permission is not None:
                    _write_line(call, outcome, began)

        return guarded

    def _guard_stream(self, method: str, behavior: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[None]]:
        """Wrap the handler of a stream of requests, which gets `Requests` in place of gRPC's iterator."""

        async def talk(first: Message, context: grpc.aio.ServicerContext[Any, Any]) -> None:
            opening = getattr(first, _OPENING)
            await behavior(Requests(self, opening, calls.current().caller, context), context)

        guarded = self._guard(method, talk, _OPENING)

        async def opened(_requests: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
            first = await context.read()
            await guarded(_MALFORMED if first is grpc.aio.EOF else first, context)

        return opened

    def _admit(
        self,
        call: calls.Call,
        permission: Permission,
        request: Message,
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> None:
        _examine(call, request)
        authorization = next(
            (str(value) for key, value in context.invocation_metadata() or () if key == "authorization"), None
        )
        call.caller = authorise(permission, self._signer, authorization, getattr(request, "night_id", ""))
        if permission.is_mutation:
            self._identify(call, request)

    def _identify(self, call: calls.Call, request: Message) -> None:
        """Note what makes a request that changes something the same request. Raises STOPPING."""
        if self._is_stopping():
            raise errors.stopping(self._retry_after_ms)
        request_id: str = getattr(request, "request_id")  # noqa: B009 - every mutation has one; a test holds it
        call.request_key = calls.key_of(call.method, request, request_id, call.caller)

    async def judge(
        self, call: calls.Call, request: Message, behavior: Callable[[Any], Awaitable[Message]]
    ) -> Message | status_pb2.Status:
        """Handle one request of a stream as the call of its own that `call` says it stands for.

        Returns:
            The call's response, or the status with which it would have ended.
        """
        calls.begin(call)
        began = time.perf_counter()
        outcome = "CANCELLED"
        try:
            _examine(call, request)
            self._identify(call, request)
            response = await behavior(request)
            outcome = "OK"
        except Exception as error:  # noqa: BLE001 - the boundary: whatever it is, the client gets a status
            ending, outcome = _ending(call, error)
            return ending
        else:
            return response
        finally:
            _write_line(call, outcome, began)


class Requests:
    """What a client sends on a stream that is open.

    Args:
        gateway: Judges each request.
        opening: The first message's: what the stream is about.
        caller: Who opened it.
        context: The stream.
    """

    def __init__(
        self, gateway: Gateway, opening: Message, caller: Caller, context: grpc.aio.ServicerContext[Any, Any]
    ) -> None:
        self.opening: Any = opening
        self._gateway = gateway
        self._caller = caller
        self._context = context

    async def read(self) -> Any:  # noqa: ANN401
        """Wait for the next message; None when the client sends no more.

        Raises:
            InputError: the bytes are no message.
        """
        message = await self._context.read()
        return None if message is grpc.aio.EOF else _readable(message)

    async def judge(
        self, method: str, request: Message, behavior: Callable[[Any], Awaitable[Message]]
    ) -> Message | status_pb2.Status:
        """Handle a request as a call of `method` by whoever opened the stream. See Gateway.judge."""
        return await self._gateway.judge(calls.Call(method, self._caller), request, behavior)


def _readable(message: Message | _Malformed) -> Message:
    if isinstance(message, _Malformed):
        raise InputError("the bytes are no message of this kind")
    return message


def _opening(request: Message, field: str) -> Message:
    """Return what a stream's first message says about it. Raises InputError for any other message."""
    if not request.HasField(field):
        raise InputError("the first message opens the stream", field=field)
    opening: Message = getattr(request, field)
    return opening


def _examine(call: calls.Call, request: Message) -> None:
    """Note the ids for the log and hold the contract's own rules. Raises FieldFaults."""
    permission = PERMISSIONS.get(call.method)
    # Its id is all that stands between a reader of the log and the answer, with its token, to the same request again.
    gives_token = permission is not None and permission.access is Access.OPEN
    for name, attribute in _LOGGED_IDS:
        if (value := getattr(request, attribute, None)) and not (gives_token and name == "request"):
            call.log[name] = value
    _check_fields(request)


def _check_fields(request: Message) -> None:
    """Hold the contract's own rules. Raises FieldFaults."""
    violations = protovalidate.collect_violations(request)
    if violations:
        raise errors.FieldFaults([(_path(violation), violation.proto.message) for violation in violations])


def _path(violation: protovalidate.Violation) -> str:
    place = violation.proto.field
    return "" if place is None else ".".join(element.field_name for element in place.elements)


def _ending(call: calls.Call, error: Exception) -> tuple[status_pb2.Status, str]:
    """What the client is told of an exception, and the name of its code; both are noted for the log."""
    refused = status.refusal(error)
    if refused is None:
        reference = secrets.token_hex(6)
        call.log["reference"] = reference
        _log.error("unexpected failure", extra={"reference": reference, "method": call.method}, exc_info=error)
        ending, code = status.to_unknown_status(reference), grpc.StatusCode.UNKNOWN
    else:
        call.log["reason"] = str(refused.reason)
        ending, code = status.to_status(refused), refused.code
    return ending, code.name


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
