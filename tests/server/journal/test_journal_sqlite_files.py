"""The SQLite journal's files: secret, held by one server, and refused with a clear word when not ours."""

# ruff: noqa: ASYNC240 - a test's small files; nothing else runs on its loop

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from homegame_server.journal import sqlite_file
from homegame_server.journal.base import StoreUnavailable
from homegame_server.journal.migrations.sqlite import SCHEMA_NUMBER
from homegame_server.journal.sqlite import SqliteJournal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from homegame_server.journal.base import JournalRow

    RowMaker = Callable[..., JournalRow]

HOLD_THE_DIRECTORY = """
import pathlib, sys
from homegame_server.journal.sqlite_file import DirectoryLock, prepare_directory
lock = DirectoryLock(prepare_directory(pathlib.Path(sys.argv[1])))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def generous_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
async def database(tmp_path: Path, make_row: RowMaker) -> Path:
    """Return the file of a closed journal that holds enough rows to span pages."""
    journal = await SqliteJournal.open(tmp_path)
    for seq in range(1, 60):
        await journal.append(make_row("n", seq))
    await journal.close()
    return tmp_path / "journal" / "journal.sqlite3"


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("generous_umask")
async def test_the_directory_is_0700_and_every_file_0600(tmp_path: Path, make_row: RowMaker) -> None:
    journal = await SqliteJournal.open(tmp_path / "data")
    await journal.append(make_row("n", 1))
    directory = tmp_path / "data" / "journal"
    files = sorted(directory.iterdir())
    assert {"journal.sqlite3", "journal.sqlite3-wal"} <= {path.name for path in files}
    assert {path.name: oct(mode_of(path)) for path in files} == {path.name: "0o600" for path in files}
    assert oct(mode_of(directory)) == "0o700"
    assert oct(mode_of(tmp_path / "data")) == "0o700"
    await journal.close()


async def test_permissions_that_were_opened_are_closed_again(database: Path) -> None:
    database.chmod(0o644)
    database.parent.chmod(0o755)
    journal = await SqliteJournal.open(database.parent.parent)
    assert (mode_of(database), mode_of(database.parent)) == (0o600, 0o700)
    await journal.close()


async def test_a_data_directory_of_the_operator_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    await (await SqliteJournal.open(tmp_path)).close()
    assert mode_of(tmp_path) == 0o755


async def test_every_commit_is_synced(database: Path) -> None:
    connection = sqlite_file.prepare_database(database.parent, 0)
    full = 2
    assert connection.execute("PRAGMA synchronous").fetchone() == (full,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_a_second_journal_in_one_process_is_refused(tmp_path: Path) -> None:
    journal = await SqliteJournal.open(tmp_path)
    with pytest.raises(StoreUnavailable, match=f"in use by process {os.getpid()}"):
        await SqliteJournal.open(tmp_path)
    await journal.close()
    await (await SqliteJournal.open(tmp_path)).close()


async def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen(  # noqa: ASYNC220, S603 - our own interpreter; the test has nothing else to do meanwhile
        [sys.executable, "-c", HOLD_THE_DIRECTORY, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreUnavailable, match=f"in use by process {holder.pid}; stop that server"):
            await SqliteJournal.open(tmp_path)
        holder.kill()
    await (await SqliteJournal.open(tmp_path)).close()


async def test_a_newer_schema_is_refused_untouched(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("UPDATE journal_meta SET value = ? WHERE name = 'schema_number'", (SCHEMA_NUMBER + 1,))
    connection.commit()
    connection.close()
    before = database.read_bytes()
    with pytest.raises(StoreUnavailable, match=f"has schema {SCHEMA_NUMBER + 1}, .* newer version"):
        await SqliteJournal.open(database.parent.parent)
    assert database.read_bytes() == before


async def test_a_strange_database_is_refused_untouched(tmp_path: Path) -> None:
    sqlite_file.prepare_directory(tmp_path)
    path = tmp_path / "journal" / "journal.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreUnavailable, match="not a journal"):
        await SqliteJournal.open(tmp_path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    connection.close()


@pytest.mark.parametrize("n_bytes", [16, 100], ids=["magic", "header"])
async def test_a_damaged_header_is_reported_with_what_to_do(database: Path, n_bytes: int) -> None:
    content = database.read_bytes()
    database.write_bytes(b"\xa5" * n_bytes + content[n_bytes:])
    with pytest.raises(StoreUnavailable, match="restore it from a backup"):
        await SqliteJournal.open(database.parent.parent)


async def test_damaged_pages_are_reported_when_they_are_read(database: Path) -> None:
    connection = sqlite3.connect(database)
    (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'journal_rows'").fetchone()
    (n_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    content = bytearray(database.read_bytes())
    content[(root - 1) * n_bytes : root * n_bytes] = b"\xa5" * n_bytes
    database.write_bytes(content)
    journal = await SqliteJournal.open(database.parent.parent)
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        await journal.read("n")
    await journal.close()


async def test_a_refused_open_lets_go_of_the_directory(database: Path) -> None:
    content = database.read_bytes()
    database.write_bytes(b"nonsense" * 1000)
    with pytest.raises(StoreUnavailable):
        await SqliteJournal.open(database.parent.parent)
    database.write_bytes(content)
    journal = await SqliteJournal.open(database.parent.parent)
    assert await journal.last_seq("n") == 59
    await journal.close()


async def test_a_file_in_place_of_the_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StoreUnavailable, match="cannot use"):
        await SqliteJournal.open(tmp_path / "data")


LEAVE_WITHOUT_CLOSING = """
import asyncio, pathlib, sys
from homegame_server.journal.base import JournalRow
from homegame_server.journal.sqlite import SqliteJournal

def row(seq):
    return JournalRow(night_id="n", seq=seq, at_ms=0, input=b"", events=b"", state_hash=bytes(32),
                      rules_version="1", state_version=1)

async def main():
    journal = await SqliteJournal.open(pathlib.Path(sys.argv[1]))
    await journal.append(row(1))
    on_its_way = asyncio.ensure_future(journal.append(row(2)))
    await asyncio.sleep(0)
    raise SystemExit(7)

asyncio.run(main())
"""


async def test_a_program_that_ends_without_closing_loses_no_answered_row(tmp_path: Path, make_row: RowMaker) -> None:
    ended = subprocess.run(  # noqa: ASYNC221, S603 - our own interpreter; the test has nothing else to do meanwhile
        [sys.executable, "-c", LEAVE_WITHOUT_CLOSING, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=60,
        check=False,
        capture_output=True,
    )
    assert (ended.returncode, ended.stderr) == (7, b"")
    journal = await SqliteJournal.open(tmp_path)
    last_seq = await journal.last_seq("n")
    assert last_seq in (1, 2)
    await journal.append(make_row("n", last_seq + 1))
    await journal.close()
