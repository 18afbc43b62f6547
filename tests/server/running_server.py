"""The whole server in this process, over a real loopback channel, on a store and a clock that the test holds."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from homegame_server.app import Parts, Server
from homegame_server.auth.tokens import TokenSigner
from homegame_server.config import Limits
from homegame_server.journal.memory import MemoryJournal
from homegame_server.runtime.deal_proof import DealSealer, MerkleSealer
from homegame_server.runtime.evidence import Evidence
from tests.server.fake_clock import FakeClock
from tests.server.scripted_entropy import ScriptedEntropy
from tests.server.table_client import TableClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from homegame_server.journal.base import Journal
    from homegame_server.runtime.clock import Clock

KEY = bytes(range(32))


@dataclass
class World:
    """What outlives a server: its store, its clock, its chance."""

    journal: MemoryJournal = field(default_factory=MemoryJournal)
    clock: FakeClock = field(default_factory=FakeClock)
    real_clock: Clock | None = None  # Counts instead, where a test waits for what really takes time.
    entropy: ScriptedEntropy = field(default_factory=ScriptedEntropy)
    sealer: DealSealer = field(default_factory=MerkleSealer)
    limits: Limits = field(default_factory=lambda: Limits(hand_pause_ms=1000))

    def parts(self, journal: Journal | None = None) -> Parts:
        return Parts(
            journal=journal or self.journal,
            signer=TokenSigner(KEY),
            clock=self.real_clock or self.clock,
            entropy=self.entropy,
            sealer=self.sealer,
            evidence=Evidence(None),
            limits=self.limits,
        )


@contextlib.asynccontextmanager
async def serving(world: World, listen: str = "127.0.0.1:0") -> AsyncIterator[tuple[Server, TableClient]]:
    """Run a server and a client of it; a second use finds the same rows, as after a restart."""
    world.journal = world.journal.reopened()
    server = await Server.start(world.parts(), listen)
    client = TableClient(server.address)
    try:
        yield server, client
    finally:
        await client.close()
        await server.stop()


async def turn_until(happened: Callable[[], object]) -> None:
    """Let the event loop turn until something is so; the tests' time-out bounds it."""
    while not happened():  # noqa: ASYNC110 - what is waited for happens inside the server, which tells nobody
        await asyncio.sleep(0)
