"""The `homegame` command as a process of its own, as a person starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = ("engine", "server", "sim", "clients/python", "proto/gen/python")


def start_homegame(*arguments: str) -> subprocess.Popen[str]:
    """Start `homegame` with these arguments; both outputs are pipes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in ROOTS)}
    return subprocess.Popen(  # noqa: S603 - our own program with the test's arguments
        [sys.executable, "-m", "homegame_cli.main", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )


def is_running(pid: int) -> bool:
    """Whether the process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
