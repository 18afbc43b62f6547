"""`homegame serve` as a process of its own, on SQLite, to be killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

STARTUP_SECONDS_MAX = 60


class ServerProcess:
    """One run of the server on a data folder."""

    def __init__(self, process: asyncio.subprocess.Process, address: str, data: Path) -> None:
        self.address = address
        self._process = process
        self._data = data

    @staticmethod
    def command(data: Path) -> tuple[str, ...]:
        """The command line."""
        options = ("--data", str(data), "--listen", "127.0.0.1:0", "--json-logs")
        return (sys.executable, "-m", "homegame_cli.main", "serve", *options)

    @staticmethod
    def environment() -> dict[str, str]:
        """Lets the process find what the tests found, installed or not."""
        return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    @classmethod
    async def start(cls, data: Path) -> ServerProcess:
        """Start it and wait for the line that says where it listens."""
        (data / "address").unlink(missing_ok=True)
        log = (data.parent / "server.log").open("ab")
        process = await asyncio.create_subprocess_exec(
            *cls.command(data),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=cls.environment(),
        )
        log.close()
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), STARTUP_SECONDS_MAX)).decode()
        assert line.startswith("homegame listens on 127.0.0.1:"), line
        address = (data / "address").read_text(encoding="utf-8").strip()
        assert address in line
        return cls(process, address, data)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    async def kill(self) -> None:
        """End it at once, as a power cut would end the process."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> int:
        """End it gracefully; returns its exit status."""
        self._process.send_signal(signal.SIGTERM)
        return await self._process.wait()
