"""Log lines: one a request, with ids and reasons; never a card, a deck or a token.

Only the fields named here are written, so that nothing gets into a log by being attached to a record.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Final

import msgspec

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
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if json_logs else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)


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
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _fields(record: logging.LogRecord) -> dict[str, object]:
    found = {name: record.__dict__.get(name) for name in FIELDS}
    return {name: value for name, value in found.items() if value not in (None, "")}
