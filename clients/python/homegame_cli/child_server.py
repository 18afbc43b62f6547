"""`homegame serve` as a child of another subcommand: started on loopback, found through its address file, always stopped.

Its standard input is a pipe that only the parent holds open: a parent that is killed stops nobody, but the pipe ends with it, and
the child stops as it would for a SIGTERM.
"""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import BinaryIO, Final, Self

START_S: Final = 30.0
STOP_S: Final = 10.0
POLL_S: Final = 0.05
LOG_NAME: Final = "server.log"
ADDRESS_NAME: Final = "address"
LOG_LINES_SHOWN: Final = 8
_FILE_MODE: Final = 0o600


class ServerFailedError(Exception):
    """The child did not start or did not stay; the message says what to do."""


class ChildServer:
    """A running server.

    Args:
        process: The child.
        address: Where it listens, HOST:PORT.
        log_file: What it prints.
    """

    def __init__(self, process: asyncio.subprocess.Process, address: str, log_file: Path) -> None:
        self._process = process
        self.address = address
        self.log_file = log_file

    @classmethod
    async def start(cls, data: Path, listen: str = "127.0.0.1:0") -> Self:
        """Start a server over the folder `data`, without more on a free port of this machine, and wait until it listens.

        Raises:
            ServerFailedError: it ended, or did not say where it listens in time, or the folder cannot be used.
        """
        log_file = data / LOG_NAME
        address_file = data / ADDRESS_NAME
        options = ["--data", str(data), "--listen", listen, "--until-input-ends"]
        command = [sys.executable, "-m", "homegame_cli.main", "serve", *options]
        with _open_log(log_file) as log:
            stale = _stamp(address_file)
            start_at = log.tell()
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                # A Ctrl-C at the terminal is for the parent, which then stops the child in good order.
                start_new_session=True,
                # The same code as the parent's, however the parent found it.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )
        try:
            address = await _wait_for_address(process, address_file, stale)
        except ServerFailedError as error:
            _kill(process)
            raise ServerFailedError(f"{error}\n{_log_end(log_file, start_at)}\nThe whole log: {log_file}") from None
        except BaseException:
            _kill(process)
            raise
        return cls(process, address, log_file)

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    async def fail_when_it_ends(self) -> None:
        """Wait for the child to end. Raises ServerFailedError when it does."""
        status = await self._process.wait()
        raise ServerFailedError(
            f"the server ended unexpectedly with status {status}\n{_log_end(self.log_file, 0)}\nThe whole log: {self.log_file}"
        )

    async def stop(self) -> None:
        """Ask the child to stop; kill it if it takes too long."""
        if self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), STOP_S)
        finally:
            # Also when this wait is interrupted by a second Ctrl-C.
            self.kill()

    def kill(self) -> None:
        """End the child at once if it still runs."""
        _kill(self._process)


def _open_log(log_file: Path) -> BinaryIO:
    try:
        # For its owner alone, as the journal beside it: a log names nights, and whoever knows a night's name may join it.
        return os.fdopen(os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _FILE_MODE), "ab")
    except OSError as error:
        raise ServerFailedError(f"the server cannot use the folder {log_file.parent}: {error.strerror}") from None


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def _wait_for_address(
    process: asyncio.subprocess.Process, address_file: Path, stale: tuple[int, int] | None
) -> str:
    """Wait until the child has written the file; `stale` is the stamp of one that an earlier run left behind."""
    loop = asyncio.get_running_loop()
    give_up_at_s = loop.time() + START_S
    while loop.time() < give_up_at_s:
        if process.returncode is not None:
            raise ServerFailedError(f"the server did not start (status {process.returncode}); it said:")
        address = _address(address_file, stale)
        if address:
            return address
        await asyncio.sleep(POLL_S)
    raise ServerFailedError(f"the server did not say within {START_S:g} s where it listens; it said:")


def _address(address_file: Path, stale: tuple[int, int] | None) -> str:
    """What the file says, empty while it is not there or still the old one."""
    return "" if _stamp(address_file) in (None, stale) else address_file.read_text(encoding="utf-8").strip()


def _stamp(file: Path) -> tuple[int, int] | None:
    """What changes when a file is written anew; None when there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns


def _log_end(log_file: Path, start_at: int) -> str:
    text = log_file.read_bytes()[start_at:].decode(errors="replace")
    lines = text.strip().splitlines()[-LOG_LINES_SHOWN:]
    return "\n".join(f"  {line}" for line in lines) if lines else "  (nothing)"
