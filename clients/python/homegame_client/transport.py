"""How a request reaches a server and an answer comes back: the one place that speaks gRPC.

A transport is a value: the client takes one and never makes it, so that a test hands in its own. A transport raises
only what `errors` defines; it never repeats anything, which is `retry`'s and `stream`'s to decide.
"""

import ipaddress
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final, Protocol

import grpc
from google.protobuf.message import Message

from homegame_client.errors import from_rpc_error
from homegame_client.rpcs import Request, Response, Rpc

# A restarted server is found again quickly; gRPC's own defaults would wait up to two minutes.
RECONNECT_OPTIONS: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.min_reconnect_backoff_ms", 5_000),  # The name misleads: it bounds one attempt to connect.
)


class Transport(Protocol):
    """Carries calls to a server."""

    async def call(self, rpc: Rpc[Request, Response], request: Request, *, token: str, timeout_s: float) -> Response:
        """Send one request and return its answer. Raises ClientError; UnavailableError after `timeout_s` seconds."""
        ...

    def stream(self, rpc: Rpc[Request, Response], request: Request, *, token: str) -> AsyncGenerator[Response, None]:
        """Send one request and yield its answers until the server ends the stream. Raises ClientError."""
        ...

    def talk(
        self, rpc: Rpc[Request, Response], requests: AsyncIterator[Request], *, token: str
    ) -> AsyncGenerator[Response, None]:
        """Send requests as they come and yield answers until the server ends the stream. Raises ClientError."""
        ...


class GrpcTransport:
    """A transport over one gRPC channel, which the caller opened and closes."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def call(self, rpc: Rpc[Request, Response], request: Request, *, token: str, timeout_s: float) -> Response:
        """See Transport."""
        method = self._channel.unary_unary(
            rpc.path, request_serializer=_to_bytes, response_deserializer=rpc.response_type.FromString
        )
        try:
            answer: Response = await method(request, metadata=_metadata(token), timeout=timeout_s)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        return answer

    async def stream(
        self, rpc: Rpc[Request, Response], request: Request, *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport. Closing the iterator cancels the call."""
        method = self._channel.unary_stream(
            rpc.path, request_serializer=_to_bytes, response_deserializer=rpc.response_type.FromString
        )
        call = method(request, metadata=_metadata(token))
        try:
            async for frame in call:
                yield frame
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        finally:
            call.cancel()

    async def talk(
        self, rpc: Rpc[Request, Response], requests: AsyncIterator[Request], *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport. Closing the iterator cancels the call."""
        method = self._channel.stream_stream(
            rpc.path, request_serializer=_to_bytes, response_deserializer=rpc.response_type.FromString
        )
        call = method(requests, metadata=_metadata(token))
        try:
            async for answer in call:
                yield answer
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        finally:
            call.cancel()


def open_channel(address: str) -> grpc.aio.Channel:
    """Open a channel without encryption to `HOST:PORT`. It connects at the first call; close it when done."""
    options: list[tuple[str, int]] = list(RECONNECT_OPTIONS)
    if _is_loopback(address):
        # A proxy of the environment would be asked for this very machine and could not reach it.
        options.append(("grpc.enable_http_proxy", 0))
    return grpc.aio.insecure_channel(address, options=options)


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _to_bytes(message: Message) -> bytes:
    return message.SerializeToString()


def _metadata(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()
