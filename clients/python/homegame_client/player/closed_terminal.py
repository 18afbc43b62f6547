"""Writing to a terminal that may be closed at any moment.

The picture is written by a thread that ends at the first error, and the program would wait for ever for room in its queue.
"""

import contextlib
import io
import sys
from typing import TextIO


class PatientTerminal(io.TextIOBase):
    """A terminal's output that takes everything once the terminal is gone.

    Args:
        terminal: Where it goes as long as there is one.
    """

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self._terminal = terminal

    def write(self, text: str) -> int:
        """See TextIO."""
        with contextlib.suppress(OSError):
            self._terminal.write(text)
        return len(text)

    def flush(self) -> None:
        """See TextIO."""
        with contextlib.suppress(OSError):
            self._terminal.flush()

    def isatty(self) -> bool:
        """See TextIO."""
        return self._terminal.isatty()

    def fileno(self) -> int:
        """See TextIO."""
        return self._terminal.fileno()


def write_patiently() -> None:
    """Let the picture, which is drawn on standard error, survive its terminal."""
    if sys.__stderr__ is not None and not isinstance(sys.__stderr__, PatientTerminal):
        vars(sys)["__stderr__"] = PatientTerminal(sys.__stderr__)  # Textual looks there and offers no other way.
