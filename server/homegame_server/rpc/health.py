"""The standard health service, with one addition: a server that goes down ends the watchers of its health first.

The packaged servicer leaves them open through the drain, and the stop would wait for them.
"""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from grpc_health.v1 import health_pb2, health_pb2_grpc

from homegame_engine.errors import NotFound

if TYPE_CHECKING:
    import grpc

    Context = grpc.aio.ServicerContext[Any, Any]

WHOLE_SERVER: Final = ""


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # published without type information
    """Serving until told otherwise, for the whole server and for each of its services."""

    def __init__(self, services: tuple[str, ...]) -> None:
        """Answer for the whole server and for `services`, full names."""
        self._services = frozenset((WHOLE_SERVER, *services))
        self._stopped = asyncio.Event()

    async def Check(self, request: health_pb2.HealthCheckRequest, context: Context) -> health_pb2.HealthCheckResponse:
        """Say how a service is. NOT_FOUND for one that is not here."""
        if request.service not in self._services:
            raise NotFound("service", request.service)
        return health_pb2.HealthCheckResponse(status=self._status(request.service))

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Context) -> None:
        """Say how a service is, and again when that changes; ends when the server goes down."""
        await context.write(health_pb2.HealthCheckResponse(status=self._status(request.service)))
        if not self._stopped.is_set():
            await self._stopped.wait()
            await context.write(health_pb2.HealthCheckResponse(status=self._status(request.service)))

    def stop(self) -> None:
        """Turn to NOT_SERVING and let the watchers go."""
        self._stopped.set()

    def _status(self, service: str) -> health_pb2.HealthCheckResponse.ServingStatus:
        if service not in self._services:
            return health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        if self._stopped.is_set():
            return health_pb2.HealthCheckResponse.NOT_SERVING
        return health_pb2.HealthCheckResponse.SERVING
