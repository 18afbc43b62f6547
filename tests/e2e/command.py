"""The `homegame` command as a process of its own, as a person starts it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]
ROOTS = ("engine", "server", "sim", "clients/python", "proto/gen/python")
HOMEGAME = ("-m", "homegame_cli.main")


def start_homegame(
    *arguments: str, state: Path | None = None, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[str]:
    """Start `homegame` with these arguments; both outputs are pipes. `state` is where it keeps seats to come back to."""
    return subprocess.Popen(  # noqa: S603 - our own program with the test's arguments
        [sys.executable, *HOMEGAME, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(state),
        start_new_session=True,
    )


class AtTerminal:
    """`homegame` at a terminal of which it is not the session's leader, so that it gets no signal when the terminal is closed.

    Args:
        arguments: Of the command line.
        state: Where it keeps seats to come back to.
        program: What the interpreter is to run instead of `homegame`.
    """

    def __init__(self, *arguments: str, state: Path, program: Sequence[str] = HOMEGAME) -> None:
        self._ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (30, 100))
        self.process = subprocess.Popen(  # noqa: S603 - our own program with the test's arguments
            [sys.executable, *program, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**_environment(state), "TERM": "xterm", "PYTHONUTF8": "1"},
            start_new_session=True,
        )
        os.close(theirs)

    def read_until(self, text: str, seconds: float = 60.0) -> str:
        """Read what is shown until it holds the text; returns all of it."""
        shown = b""
        ends_at_s = time.monotonic() + seconds
        while text.encode() not in shown:
            readable, _, _ = select.select([self._ours], [], [], max(0.0, ends_at_s - time.monotonic()))
            if not readable:
                self.process.kill()
                self.process.wait()
                pytest.fail(f"never showed {text!r}: {shown!r}")
            shown += os.read(self._ours, 65_536)
        return shown.decode(errors="replace")

    def close(self) -> int:
        """Close the terminal under a command that still runs, and return its exit status; it must end by itself."""
        os.close(self._ours)
        return self._wait()

    def end(self) -> int:
        """Wait for the end of a command that has no more to show, and return its exit status; then close the terminal.

        To close the terminal sooner is to lose the command's last words, which is a failure of its own.
        """
        try:
            return self._wait()
        finally:
            os.close(self._ours)

    def _wait(self) -> int:
        try:
            return self.process.wait(timeout=60)
        finally:
            self.process.kill()
            self.process.wait()


def wait_until_gone(pid: int, seconds: float = 60.0) -> None:
    """Wait for the end of a process that is nobody's child here."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([process], [], [], seconds)
        assert ended, f"process {pid} is still running after {seconds:g} s"
    finally:
        os.close(process)


def is_running(pid: int) -> bool:
    """Whether the process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _environment(state: Path | None) -> dict[str, str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in ROOTS)}
    return environment if state is None else {**environment, "XDG_STATE_HOME": str(state)}
