"""Alarms, and what shows why a table was stopped. Written for the operator, never for a client.

The journal up to the last good row is the main evidence; the input that broke the table is not in it, so it is kept here.
"""

from __future__ import annotations

import logging
import os
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger("homegame.runtime")


class Evidence:
    """Raises the alarm in the log and keeps the offending input in a folder of mode 0700."""

    def __init__(self, folder: Path | None) -> None:
        """Keep evidence in `folder`; None keeps none, for tests."""
        self._folder = folder

    def keep(self, night_id: str, seq: int, error: BaseException, given: bytes | None) -> None:
        """Raise the alarm for a table that was stopped before row `seq`.

        Args:
            night_id: The night.
            seq: Number that the row would have had.
            error: What broke.
            given: The encoded input, or None. It may hold a deck, so it goes to the file and not to the log.
        """
        trace = "".join(traceback.format_exception(error))
        path = self._write(night_id, seq, trace, given)
        _log.critical(
            "table stopped",
            extra={"night": night_id, "row": seq, "error": type(error).__name__, "evidence": str(path or "")},
        )

    def note_store_failure(self, night_id: str, seq: int, error: BaseException) -> None:
        """Log that a row could not be written."""
        _log.error("the journal failed", extra={"night": night_id, "row": seq, "error": str(error)})

    def _write(self, night_id: str, seq: int, trace: str, given: bytes | None) -> Path | None:
        if self._folder is None:
            return None
        path = self._folder / f"{night_id}-{seq}.txt"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, 0o600)
                file.write(trace.encode() + b"\n" + (given or b"") + b"\n")
        except OSError as error:
            _log.critical("evidence not written", extra={"night": night_id, "row": seq, "error": str(error)})
            return None
        return path
