"""Log lines: one a request, with ids and reasons; never a card, a deck or a token.

Only the fields named here are written, so that nothing gets into a log by being attached to a record.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from typing import TextIO

FIELDS: Final = (
    "method",
    "code",
    "reason",
    "reference",
    "took_ms",
    "night",
    "table",
    "hand",
    "seat",
    "request",
    "row",
    "error",
    "evidence",
    "address",
    "nights",
)


def configure(*, json_logs: bool) -> None:
    """Send the program's log to standard error, as JSON lines or as text."""
    handler = BatchHandler(sys.stderr)
    handler.setFormatter(JsonLines() if json_logs else TextLines())
    # What no line shows need not be found out for each: thread, process, and the place in the code.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001 - the documented way to leave the place out
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)


class BatchHandler(logging.Handler):
    """Writes the lines of one turn of the event loop together: the system call costs more than a line.

    Warnings and worse are written at once, and so is everything outside of an event loop.

    Args:
        stream: Where the lines go.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record."""
        try:
            self._lines.append(f"{self.format(record)}\n")
            if record.levelno < logging.WARNING and _is_in_loop():
                if len(self._lines) == 1:
                    asyncio.get_running_loop().call_soon(self.flush)
            else:
                self.flush()
        except Exception:  # noqa: BLE001 - a line that cannot be written must not fail what it is about
            self.handleError(record)

    def flush(self) -> None:
        """Write what waits."""
        lines, self._lines = self._lines, []
        if lines:
            self._stream.write("".join(lines))
            self._stream.flush()


def _is_in_loop() -> bool:
    return asyncio._get_running_loop() is not None  # noqa: SLF001 - the public one raises where there is none


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record down."""
        line: dict[str, object] = {
            "at": _moment(record),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class TextLines(logging.Formatter):
    """The same for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record down."""
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        line = f"{_moment(record)} {record.levelname:<8} {record.getMessage()} {fields}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _moment(record: logging.LogRecord) -> str:
    second = int(record.created)
    return f"{_second(second)}.{int((record.created - second) * 1000):03d}+00:00"


@lru_cache(maxsize=4)
def _second(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _fields(record: logging.LogRecord) -> dict[str, object]:
    attached = record.__dict__
    return {name: value for name in FIELDS if (value := attached.get(name)) is not None and value != ""}
