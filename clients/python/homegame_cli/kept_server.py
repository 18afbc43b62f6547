"""A child server that is started again, at the same address and on the same journal, when it ends by itself."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from homegame_cli.child_server import ChildServer, ServerFailedError

RESTARTS_MAX: Final = 5
"""Starts in a row without `STEADY_S` of service between them, after which the server is taken to be broken."""
STEADY_S: Final = 30.0
PAUSE_S: Final = 1.0


class KeptServer:
    """A server that comes back. Players find it again by themselves: the address stays."""

    def __init__(self, child: ChildServer, data: Path) -> None:
        self._child = child
        self._data = data
        self.address = child.address
        self.failure: ServerFailedError | None = None
        """Why it does not come back any more; None while it does."""

    @property
    def pid(self) -> int:
        """Process id of the child that runs now."""
        return self._child.pid

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, data: Path) -> AsyncGenerator["KeptServer"]:
        """Serve the folder until the block is left. Raises ServerFailedError when it does not start at first."""
        server = cls(await ChildServer.start(data), data)
        keeping = asyncio.create_task(server._keep())
        try:
            yield server
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
            await server._child.stop()

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        failed = 0
        while failed < RESTARTS_MAX:
            began_at_s = loop.time()
            try:
                await self._child.fail_when_it_ends()
            except ServerFailedError as failure:
                failed = 1 if loop.time() - began_at_s >= STEADY_S else failed + 1
                self.failure = failure
            with contextlib.suppress(ServerFailedError):
                self._child = await ChildServer.start(self._data, self.address)
                self.failure = None
                continue
            await asyncio.sleep(PAUSE_S)
