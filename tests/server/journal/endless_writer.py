"""Appends rows to several nights at once until it is killed, and prints each row that is acknowledged.

Run as `endless_writer.py DATA_DIRECTORY N_NIGHTS`. Started again it goes on where the journal ends.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from pathlib import Path

from homegame_server.journal.base import JournalRow
from homegame_server.journal.sqlite import SqliteJournal


async def write_night(journal: SqliteJournal, night_id: str) -> None:
    seq = await journal.last_seq(night_id)
    while True:
        seq += 1
        row = JournalRow(
            night_id=night_id,
            seq=seq,
            at_ms=seq,
            input=b"input",
            events=hashlib.sha256(f"{night_id} {seq}".encode()).digest() * 10,
            state_hash=bytes(32),
            rules_version="1",
            state_version=1,
            request_id=f"request {seq}",
            caller="writer",
            body_digest=b"digest",
        )
        await journal.append(row)
        # One write of a short line: it is in the pipe as a whole or not at all.
        os.write(sys.stdout.fileno(), f"{night_id} {seq}\n".encode())


async def main(data_directory: Path, n_nights: int) -> None:
    journal = await SqliteJournal.open(data_directory)
    await asyncio.gather(*(write_night(journal, f"night-{number}") for number in range(n_nights)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
