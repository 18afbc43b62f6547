"""Where a person's seats are remembered between runs, because a token is the only way back to a seat.

A token is as good as a password: each file is readable by its owner alone, in a folder that is, too, and a picture of a crash,
which shows what the program was working with, does not show it.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from homegame_client.client import TableRef

SCHEMA: Final = 1
_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600


class SavedSeatError(Exception):
    """A file of a seat cannot be read or written; the message says which and why."""


@dataclass(frozen=True)
class SavedBot:
    """A bot of one's own night."""

    name: str
    style: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class OwnNight:
    """What it takes to serve one's own night again."""

    data: str
    """Folder of the server's journal."""
    host_token: str = field(repr=False)
    seed: str
    """Of the bots' choices."""
    bots: tuple[SavedBot, ...] = ()


@dataclass(frozen=True)
class SavedSeat:
    """A seat and the way back to it."""

    address: str
    night_id: str
    table_id: str
    participant_id: str
    name: str
    token: str = field(repr=False)
    own_night: OwnNight | None = None

    @property
    def table(self) -> TableRef:
        """The table."""
        return TableRef(self.night_id, self.table_id)

    def at(self, address: str) -> Self:
        """The same seat, the server listening elsewhere."""
        return replace(self, address=address)


@dataclass(frozen=True)
class SeatStore:
    """The seats of one person on this machine.

    Args:
        folder: One file for each seat.
    """

    folder: Path = field(default_factory=lambda: state_folder() / "seats")

    def save(self, seat: SavedSeat) -> Path:
        """Write the seat down, readable by nobody else, and return the file. Raises SavedSeatError."""
        file = self._file(seat)
        text = json.dumps({"schema": SCHEMA, **asdict(seat)}, indent=1) + "\n"
        unfinished = file.with_suffix(".new")
        try:
            self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            unfinished.unlink(missing_ok=True)
            # The mode counts from the first byte on; a change afterwards would leave a moment in which all may read.
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE), "w") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            unfinished.replace(file)
        except OSError as error:
            raise SavedSeatError(f"the seat cannot be saved in {file}: {error.strerror}") from error
        return file

    def forget(self, seat: SavedSeat) -> None:
        """Remove the file of a seat that is given up or whose night is over."""
        self._file(seat).unlink(missing_ok=True)

    def newest(self) -> SavedSeat | None:
        """The seat that was saved last. Raises SavedSeatError when its file cannot be read."""
        files = self._files()
        return _read(files[-1]) if files else None

    def find(self, night_id: str, name: str | None = None) -> SavedSeat | None:
        """The newest seat in a night, of that name if one is given. Raises SavedSeatError."""
        for file in reversed(self._files()):
            if file.name.startswith(f"{_safe(night_id)}."):
                seat = _read(file)
                if seat.night_id == night_id and name in (None, seat.name):
                    return seat
        return None

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)

    def _file(self, seat: SavedSeat) -> Path:
        return self.folder / f"{_safe(seat.night_id)}.{_safe(seat.participant_id)}.json"


def state_folder() -> Path:
    """Where programs keep what must outlive a run: `$XDG_STATE_HOME/homegame`, else `~/.local/state/homegame`."""
    chosen = os.environ.get("XDG_STATE_HOME", "")
    return (Path(chosen) if chosen else Path.home() / ".local" / "state") / "homegame"


def _read(file: Path) -> SavedSeat:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return _seat_from(found)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SavedSeatError(f"{file} is not a saved seat ({error}); remove it and join again") from error


def _seat_from(found: Mapping[str, object]) -> SavedSeat:
    fields = dict(found)
    if fields.pop("schema", None) != SCHEMA:
        raise ValueError(f"expected schema {SCHEMA}")
    own = fields.pop("own_night")
    texts = {key: _text(value) for key, value in fields.items()}
    return SavedSeat(**texts, own_night=_own_night_from(own) if isinstance(own, dict) else None)


def _own_night_from(found: Mapping[str, object]) -> OwnNight:
    fields = dict(found)
    bots = fields.pop("bots")
    if not isinstance(bots, list):
        raise TypeError("bots: expected a list")
    texts = {key: _text(value) for key, value in fields.items()}
    return OwnNight(**texts, bots=tuple(SavedBot(**{key: _text(value) for key, value in bot.items()}) for bot in bots))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, got {value!r}")
    return value


def _safe(text: str) -> str:
    """An id as part of a file name: a server's id never leads out of the folder."""
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in text)
