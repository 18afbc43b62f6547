"""The one place where the server's objects are wired: what runs in production, and in tests with other parts."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from homegame.v1 import (
    catalog_service_pb2,
    catalog_service_pb2_grpc,
    hand_service_pb2,
    hand_service_pb2_grpc,
    night_service_pb2,
    night_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
)
from homegame_engine.errors import InputError
from homegame_server.auth.tokens import TokenSigner, load_or_make_key
from homegame_server.journal.sqlite import SqliteJournal
from homegame_server.observe.logging import configure
from homegame_server.rpc.catalog_service import CatalogService
from homegame_server.rpc.convert import ENCODER
from homegame_server.rpc.hand_service import HandService
from homegame_server.rpc.health import Health
from homegame_server.rpc.interceptors import Gateway
from homegame_server.rpc.night_service import NightService
from homegame_server.rpc.odds import OddsDesk
from homegame_server.rpc.play_service import PlayService
from homegame_server.rpc.table_service import TableService
from homegame_server.runtime.clock import Clock, SystemClock
from homegame_server.runtime.deal_proof import DealSealer, MerkleSealer
from homegame_server.runtime.entropy import Entropy, SystemEntropy
from homegame_server.runtime.evidence import Evidence
from homegame_server.runtime.night_task import TaskParts
from homegame_server.runtime.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from homegame_server.config import Limits, Settings
    from homegame_server.journal.base import Journal

SERVICES: Final = tuple(
    module.DESCRIPTOR.services_by_name[name].full_name
    for module, name in (
        (catalog_service_pb2, "CatalogService"),
        (night_service_pb2, "NightService"),
        (table_service_pb2, "TableService"),
        (play_service_pb2, "PlayService"),
        (hand_service_pb2, "HandService"),
    )
)
ADDRESS_FILE: Final = "address"
_INPUT_BYTES: Final = 4096
_YOUNG_OBJECTS_MAX: Final = 20_000
_REQUEST_BYTES_MAX: Final = 64 * 1024
_OPTIONS: Final = (
    # Two servers on one port would share its connections, and their nights would not be found half of the time.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", _REQUEST_BYTES_MAX),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
)

_log = logging.getLogger("homegame.server")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a server is made of, each replaceable in a test."""

    journal: Journal
    signer: TokenSigner
    clock: Clock
    entropy: Entropy
    sealer: DealSealer
    evidence: Evidence
    limits: Limits


class Server:
    """A running server. Made by `start`."""

    def __init__(self, parts: Parts, registry: Registry, health: Health, rpc: grpc.aio.Server, address: str) -> None:
        self.address = address
        """Host and port it listens on."""
        self.registry = registry
        self._parts = parts
        self._health = health
        self._rpc = rpc

    @classmethod
    async def start(cls, parts: Parts, listen: str) -> Server:
        """Bring back the open nights, then listen.

        Args:
            parts: What it is made of.
            listen: HOST:PORT; port 0 lets the system choose.

        Raises:
            JournalError: the journal cannot be read.
            InputError: the address cannot be listened on.
        """
        task_parts = TaskParts(
            journal=parts.journal,
            clock=parts.clock,
            entropy=parts.entropy,
            sealer=parts.sealer,
            evidence=parts.evidence,
            limits=parts.limits,
        )
        registry = Registry(task_parts, ENCODER)
        gateway = Gateway(parts.signer, lambda: registry.is_stopping, parts.limits.retry_after_ms)
        rpc = grpc.aio.server(interceptors=[gateway], options=_OPTIONS)
        health = Health(SERVICES)
        _add_services(rpc, parts, registry, health)
        try:
            port = _bind(rpc, listen)
            # Before the first request: whoever asks finds the nights as they were, with their windows running again.
            n_nights = await registry.recover()
            await rpc.start()
        except BaseException:
            await registry.stop()
            await rpc.stop(None)
            raise
        address = f"{listen.rpartition(':')[0]}:{port}"
        _log.info("listening", extra={"address": address, "nights": n_nights})
        return cls(parts, registry, health, rpc, address)

    async def stop(self) -> None:
        """Go down gracefully: health first, then watchers and the mailboxes, then connections, then the journal."""
        self._health.stop()
        await self._parts_stop()
        _log.info("stopped", extra={"address": self.address})

    async def _parts_stop(self) -> None:
        await self.registry.stop()
        await self._rpc.stop(self._parts.limits.stop_grace_ms / 1000)
        await self._parts.journal.close()


def _bind(rpc: grpc.aio.Server, listen: str) -> int:
    try:
        return rpc.add_insecure_port(listen)
    except RuntimeError as error:
        raise InputError(f"cannot listen on {listen}: {_why_not(listen)}", field="listen") from error


def _why_not(listen: str) -> str:
    """Why an address could not be had, in the system's words, and what to do; gRPC says it in its own log only."""
    host, _, port = listen.rpartition(":")
    reason = "another server is there"
    try:
        family, kind, _, _, address = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        reason = error.strerror or str(error)
    return f"{reason}; choose with --listen an address of this machine that nothing else listens on"


class _ByName:
    """A server to which methods are added by name only.

    Generated code also registers each method with the core, and grpc.aio then waits for a call of every one of them anew
    whenever a single call has come: some thirty futures a call, a twentieth of the interpreter's time under load.
    """

    def __init__(self, rpc: grpc.aio.Server) -> None:
        self._rpc = rpc

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """As grpc.aio's."""
        self._rpc.add_generic_rpc_handlers(tuple(handlers))

    def add_registered_method_handlers(self, service: str, handlers: object) -> None:
        """Pass over what the generic handler of the same service holds, too."""


def _add_services(listening: grpc.aio.Server, parts: Parts, registry: Registry, health: Health) -> None:
    rpc = cast("grpc.aio.Server", _ByName(listening))
    catalog_service_pb2_grpc.add_CatalogServiceServicer_to_server(CatalogService(registry, OddsDesk(parts.limits)), rpc)
    night_service_pb2_grpc.add_NightServiceServicer_to_server(
        NightService(registry, parts.signer, parts.clock, parts.entropy, hand_pause_ms=parts.limits.hand_pause_ms),
        rpc,
    )
    table_service_pb2_grpc.add_TableServiceServicer_to_server(
        TableService(registry, parts.signer, parts.clock, parts.entropy), rpc
    )
    play_service_pb2_grpc.add_PlayServiceServicer_to_server(PlayService(registry), rpc)
    hand_service_pb2_grpc.add_HandServiceServicer_to_server(HandService(registry, parts.sealer), rpc)
    health_pb2_grpc.add_HealthServicer_to_server(health, rpc)
    names = (*SERVICES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, listening)


async def serve(settings: Settings) -> None:
    """Run a server on its data folder until it is told to stop (SIGTERM, SIGINT, or where that is wanted the end of input).

    Raises:
        JournalError: the journal cannot be used; the text says what to do.
        InputError: the address cannot be listened on.
        OSError: the key or the address file cannot be used.
    """
    configure(json_logs=settings.json_logs)
    journal = await SqliteJournal.open(settings.data)
    try:
        key = load_or_make_key(settings.data / "keys" / "token.key")
        parts = Parts(
            journal=journal,
            signer=TokenSigner(key),
            clock=SystemClock(),
            entropy=SystemEntropy(),
            sealer=MerkleSealer(),
            evidence=Evidence(settings.data / "evidence"),
            limits=settings.limits,
        )
        server = await Server.start(parts, settings.listen)
        _calm_collector()
    except BaseException:
        await journal.close()
        raise
    address_file = settings.data / ADDRESS_FILE
    _write_address(address_file, server.address)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    if settings.until_input_ends:
        _at_end_of_input(stopping.set)
    sys.stdout.write(
        f"homegame listens on {server.address} (data in {settings.data}); "
        f"stop it with Ctrl-C, ask it what can be played with CatalogService.ListFormats\n"
    )
    sys.stdout.flush()
    await stopping.wait()
    await server.stop()
    address_file.unlink(missing_ok=True)


def _at_end_of_input(ended: Callable[[], None]) -> None:
    """Call back when standard input ends; what comes before is nobody's."""
    loop = asyncio.get_running_loop()
    number = sys.stdin.fileno()

    def read() -> None:
        if not os.read(number, _INPUT_BYTES):
            loop.remove_reader(number)
            ended()

    loop.add_reader(number, read)


def _calm_collector() -> None:
    """Let the garbage collector look less often, and not at what is there from the start.

    A call makes hundreds of objects that die with it and no cycle; at Python's defaults the collector walked through the
    nights in memory again and again and took a twentieth of the processor.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS_MAX, *gc.get_threshold()[1:])


def _write_address(path: Path, address: str) -> None:
    """Say where the server listens, whole or not at all: others wait for this file."""
    draft = path.with_suffix(".new")
    draft.write_text(f"{address}\n", encoding="utf-8")
    draft.replace(path)
