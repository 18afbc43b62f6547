"""The `homegame` command as a process of its own, as a person starts it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = ("engine", "server", "sim", "clients/python", "proto/gen/python")


def start_homegame(
    *arguments: str, state: Path | None = None, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[str]:
    """Start `homegame` with these arguments; both outputs are pipes. `state` is where it keeps seats to come back to."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in ROOTS)}
    if state is not None:
        environment["XDG_STATE_HOME"] = str(state)
    return subprocess.Popen(  # noqa: S603 - our own program with the test's arguments
        [sys.executable, "-m", "homegame_cli.main", *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )


def wait_until_gone(pid: int, seconds: float = 20.0) -> None:
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
