"""A writer killed at random moments: every acknowledged row is there afterwards, and none twice."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from homegame_server.journal.sqlite import SqliteJournal

WRITER = Path(__file__).with_name("endless_writer.py")
N_NIGHTS = 8


def write_until_killed(data_directory: Path, n_answers: int) -> dict[str, int]:
    """Run a writer, kill it after about so many answers, and return each night's last answered row."""
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, str(WRITER), str(data_directory), str(N_NIGHTS)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(n_answers)]
        writer.kill()
        # It went on meanwhile: what it said before it died counts too, a line cut short does not.
        lines += [line for line in writer.stdout if line.endswith(b"\n")]
    answered: dict[str, int] = {}
    for line in lines:
        night_id, seq = line.decode().split()
        answered[night_id] = int(seq)
    return answered


@pytest.mark.parametrize(
    "n_kills", [pytest.param(12, id="12 kills"), pytest.param(100, id="100 kills", marks=pytest.mark.slow)]
)
async def test_every_acknowledged_row_survives_sigkill_and_none_is_there_twice(tmp_path: Path, n_kills: int) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    chance = random.Random(seed)  # noqa: S311 - when to kill, not a secret
    known: dict[str, int] = {}
    for _ in range(n_kills):
        answered = write_until_killed(tmp_path, chance.randrange(1, 300))
        for night_id, seq in answered.items():
            # The writer went on from the journal: after the last answer, or one row that nobody was told of.
            assert seq > known.get(night_id, 0)
        known |= answered
        journal = await SqliteJournal.open(tmp_path)
        for night_id, seq in known.items():
            rows = await journal.read(night_id)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            # One row in flight a night: at most one is written without an answer.
            assert len(rows) - seq in (0, 1)
            assert len({row.request_id for row in rows}) == len(rows)
            for row in rows:
                assert row.events == hashlib.sha256(f"{night_id} {row.seq}".encode()).digest() * 10
            known[night_id] = len(rows)
        await journal.close()
    assert len(known) == N_NIGHTS
