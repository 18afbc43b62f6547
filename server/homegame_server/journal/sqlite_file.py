"""The journal's files: where they lie, who may read them, who holds them, and their schema.

The rows hold deck orders and keys, so the directory is 0700 and every file in it 0600. One process
holds the directory at a time; SQLite would let two in, and their nights would run apart in memory.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from typing import TYPE_CHECKING, Final

from homegame_server.journal.base import StoreUnavailable
from homegame_server.journal.migrations.sqlite import MIGRATIONS, SCHEMA_NUMBER

if TYPE_CHECKING:
    from pathlib import Path

DIRECTORY_NAME: Final = "journal"
DATABASE_NAME: Final = "journal.sqlite3"
LOCK_NAME: Final = "journal.lock"

_DIRECTORY_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_WAL_BYTES_MAX_AT_REST: Final = 64 * 1024 * 1024


def prepare_directory(data_directory: Path) -> Path:
    """Create the journal's own directory below the data directory and close it to others.

    The data directory itself may be a mount with its own permissions, so it is left as it is.

    Args:
        data_directory: The operator's choice; created if it does not exist.

    Returns:
        The journal's directory, of mode 0700 whatever it was before.

    Raises:
        StoreUnavailable: The directory cannot be made or is not ours.
    """
    directory = data_directory / DIRECTORY_NAME
    try:
        data_directory.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
        directory.mkdir(mode=_DIRECTORY_MODE, exist_ok=True)
        directory.chmod(_DIRECTORY_MODE)
    except OSError as error:
        reason = "a file is in its place" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
        raise StoreUnavailable(
            f"cannot use {directory} for the journal: {reason}; "
            "give the data directory to the user that runs the server, or name another"
        ) from error
    return directory


class DirectoryLock:
    """Holds the journal's directory for this process until released, or until the process dies."""

    def __init__(self, directory: Path) -> None:
        """Take the lock.

        Args:
            directory: The journal's directory.

        Raises:
            StoreUnavailable: Another server holds it, or the lock file cannot be opened.
        """
        path = directory / LOCK_NAME
        try:
            self._descriptor = _open_private(path)
        except OSError as error:
            raise StoreUnavailable(f"cannot open {path}: {error.strerror}") from error
        try:
            # The system drops the lock when the process ends, however it ends.
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise StoreUnavailable(
                f"the journal in {directory} is in use by process {holder or '(unknown)'}; "
                "stop that server or name another data directory"
            ) from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Let the next process in. The file stays: removing it would let two in at once."""
        os.close(self._descriptor)


def prepare_database(directory: Path, busy_timeout_ms: int) -> sqlite3.Connection:
    """Open the journal for writing, creating or upgrading it as needed.

    Args:
        directory: The journal's directory, held by a `DirectoryLock`.
        busy_timeout_ms: How long a commit waits for some other program that holds the file.

    Returns:
        The connection of the writer.

    Raises:
        StoreUnavailable: The file is no journal, is damaged, or is newer than this program.
    """
    path = directory / DATABASE_NAME
    connection = None
    try:
        # Made here, because SQLite would leave its mode to the umask; the files that SQLite puts
        # beside it take over the mode of this one.
        os.close(_open_private(path))
        connection = _connect(path, busy_timeout_ms)
        _upgrade(connection, path)
        _sync_directories(directory)
    except (sqlite3.Error, OSError) as error:
        if connection is not None:
            connection.close()
        raise StoreUnavailable(
            f"cannot read the journal {path}: {error}; restore it from a backup or name another data directory"
        ) from error
    except StoreUnavailable:
        if connection is not None:
            connection.close()
        raise
    return connection


def open_reader(directory: Path, busy_timeout_ms: int) -> sqlite3.Connection:
    """Open a second connection, which cannot write.

    Args:
        directory: The journal's directory, with a prepared database in it.
        busy_timeout_ms: How long a read waits for the file.

    Raises:
        StoreUnavailable: The file cannot be opened.
    """
    path = directory / DATABASE_NAME
    try:
        connection = _connect(path, busy_timeout_ms)
        connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        raise StoreUnavailable(f"cannot read the journal {path}: {error}") from error
    return connection


def _open_private(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)
    os.fchmod(descriptor, _FILE_MODE)
    return descriptor


def _connect(path: Path, busy_timeout_ms: int) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path,
        timeout=busy_timeout_ms / 1000,
        # Transactions are ours to open: the module's implicit ones would cost a step a commit.
        isolation_level=None,
        # Each connection has one thread at a time, though opened and closed by another.
        check_same_thread=False,
    )
    try:
        _configure(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _configure(connection: sqlite3.Connection, path: Path) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreUnavailable(f"{path} lies on a file system without shared memory")
    # FULL syncs the log at every commit; with less, a power cut takes back what was answered.
    connection.execute("PRAGMA synchronous = FULL")
    # On macOS a plain fsync stops at the drive's cache; elsewhere this does nothing.
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES_MAX_AT_REST}")


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the schema up to the one that this program knows."""
    found = _read_schema_number(connection, path)
    if found > SCHEMA_NUMBER:
        raise StoreUnavailable(
            f"the journal {path} has schema {found}, this program knows up to {SCHEMA_NUMBER}: "
            "it was written by a newer version; run that version or a later one"
        )
    for number, statements in enumerate(MIGRATIONS[found:], start=found + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in statements:
                connection.execute(statement)
            connection.execute(
                "INSERT INTO journal_meta (name, value) VALUES ('schema_number', ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (number,),
            )
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _read_schema_number(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema of the file: 0 for an empty one."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not names:
        return 0
    if "journal_meta" in names:
        row = connection.execute("SELECT value FROM journal_meta WHERE name = 'schema_number'").fetchone()
        if row is not None and isinstance(row[0], int) and row[0] >= 1:
            return row[0]
    raise StoreUnavailable(f"{path} is a database, but not a journal; name another data directory")


def _sync_directories(directory: Path) -> None:
    """Make the names durable too: a synced file in a lost directory is a lost file."""
    _sync_directory(directory)
    for parent in (directory.parent, directory.parent.parent):
        # One that we may not read was there before us, and its names are not ours to keep.
        if os.access(parent, os.R_OK):
            _sync_directory(parent)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
