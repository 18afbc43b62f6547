"""Runs a command until it is done, or until a signal or the end of its terminal comes first; then everything is put away.

A terminal that goes away sends SIGHUP to the leader of its session and to nobody else: a command that a script or another program
has started has to look for itself.
"""

import asyncio
import os
import select
import signal
import stat
import sys
from collections.abc import Coroutine, Sequence
from typing import IO, Final, TypeVar

import typer

EXIT_TERMINATED: Final = 143
LOOK_S: Final = 0.5

Result = TypeVar("Result")


def run_until_ended(running: Coroutine[None, None, Result], terminals: Sequence[IO[str]]) -> Result:
    """Run to the end and return the result.

    Args:
        running: The command; it is cancelled when something else ends it, and may take its time to put things away.
        terminals: What it cannot do without, where they are terminals: once one is gone, the command is over.

    Raises:
        typer.Exit: with status 143, after SIGTERM, SIGHUP or the end of a terminal.
    """
    return asyncio.run(_run(running, terminals))


def is_gone(terminal: IO[str]) -> bool:
    """Whether this is a terminal that was closed at its other side; never so for files and pipes, which may end."""
    try:
        number = terminal.fileno()
        is_device = stat.S_ISCHR(os.fstat(number).st_mode)  # A terminal that is gone no longer says that it is one.
    except (OSError, ValueError):  # No file at all, or closed by this program itself.
        return False
    looking = select.poll()
    looking.register(number, 0)  # A hang-up is told without being asked for, and input stays unread.
    return is_device and any(found & select.POLLHUP for _, found in looking.poll(0))


class _Ending:
    """The end that comes from outside; only the first counts, what it puts away is not to be disturbed by another.

    Args:
        task: What is cancelled.
    """

    def __init__(self, task: asyncio.Task[object]) -> None:
        self._task = task
        self.has_come = False

    def come(self) -> None:
        """End the task."""
        if not self.has_come:
            self.has_come = True
            self._task.cancel()


async def _run(running: Coroutine[None, None, Result], terminals: Sequence[IO[str]]) -> Result:
    loop = asyncio.get_running_loop()
    task = loop.create_task(running)
    ending = _Ending(task)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # As under nohup.
            loop.add_signal_handler(number, ending.come)
    looking = loop.create_task(_look(terminals, ending))
    try:
        result = await task
    except (asyncio.CancelledError, OSError, ExceptionGroup):
        # Writing fails as soon as the terminal is gone, which may be before anybody has looked.
        if not (ending.has_come or any(is_gone(terminal) for terminal in terminals)):
            raise
        ending.has_come = True
    finally:
        looking.cancel()
    if ending.has_come:  # What was cancelled may have ended as if it were done.
        _drop_output()
        raise typer.Exit(EXIT_TERMINATED)
    return result


async def _look(terminals: Sequence[IO[str]], ending: _Ending) -> None:
    while True:
        if any(is_gone(terminal) for terminal in terminals):
            ending.come()
            return
        await asyncio.sleep(LOOK_S)


def _drop_output() -> None:
    """Let what would still be written to a terminal that is gone go nowhere: the interpreter tries again when it ends."""
    for stream in (sys.stdout, sys.stderr):
        if is_gone(stream):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
