"""`homegame verify` says of a journal and of a deal's file whether they hold: 0, 1, and 3 when there is nothing to check."""

from __future__ import annotations

import json
import shutil
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

import pytest

from homegame_cli.main import run
from tests.e2e.command import start_homegame

if TYPE_CHECKING:
    from pathlib import Path

N_HANDS = 2


class Kept(NamedTuple):
    """What a demo night left behind."""

    data: Path
    files: list[Path]
    result: dict[str, object]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("night")
    data, save = folder / "data", folder / "deals"
    command = ("night", "--format", "B3", "--players", "3", "--hands", str(N_HANDS), "--seed", "7", "--json")
    process = start_homegame(*command, "--data", str(data), "--save", str(save))
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return Kept(data, sorted(save.iterdir()), json.loads(out))


def verified(capsys: pytest.CaptureFixture[str], *paths: Path | str) -> tuple[int, str]:
    status = run(["verify", *map(str, paths)])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_gen_08_the_demo_verifies_its_own_deals(kept: Kept) -> None:
    assert kept.result["format_id"] == "B3"
    assert kept.result["deal_proofs"] == {"hands": N_HANDS, "hold": N_HANDS}
    assert kept.result["faults"] == []


def test_a_journal_holds(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = verified(capsys, kept.data)
    assert status == 0
    assert f"{N_HANDS} sealed decks, {N_HANDS} deals" in out
    assert "1 checked, 1 hold, 0 do not" in out
    night_id = str(kept.result["night_id"])
    assert verified(capsys, kept.data, night_id)[0] == 0
    assert verified(capsys, kept.data, "night-none")[0] == 3


def test_gen_08_what_a_night_leaves_behind_is_for_its_owner_alone(kept: Kept) -> None:
    # A saved deal holds the cards that a player folded, and a log the names of nights.
    assert kept.files
    assert {file.stat().st_mode & 0o777 for file in (*kept.files, kept.data / "server.log")} == {0o600}
    assert {(kept.data / name).stat().st_mode & 0o777 for name in ("journal", "keys")} == {0o700}


def test_every_saved_deal_holds(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(kept.files) == 2 * N_HANDS  # One player and a spectator.
    status, out = verified(capsys, *kept.files)
    assert status == 0
    assert f"{2 * N_HANDS} hold, 0 do not" in out
    assert "This does not show that the shuffle was random" in out


def test_for_programs_there_is_one_object(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(kept.files[0]), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["holds"]
    assert result["checked"][0]["hand_number"] == 1


def test_a_changed_deal_does_not_hold(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads(kept.files[0].read_text())
    content["sealed"]["deck_sealed"]["root"] = content["proof"]["openings"][0]["salt"]
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(content))
    status, out = verified(capsys, file, kept.files[1])
    assert status == 1
    assert "DOES NOT HOLD" in out
    assert "2 checked, 1 hold, 1 do not" in out


def test_a_deal_from_a_stub_that_was_never_short_is_named_for_people(
    kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(kept.files[0].read_text())
    first = next(
        i for i, event in enumerate(content["events"]) if "cards_burned" in event or "hole_cards_dealt" in event
    )
    content["events"].insert(first, {"number": "1", "stub_reshuffled": {"count": 1}})
    file = tmp_path / "pretended.json"
    file.write_text(json.dumps(content))
    status, out = verified(capsys, file)
    assert status == 1
    assert "DOES NOT HOLD: the stub was mixed anew though no order for it was sealed before the cut" in out


@pytest.mark.parametrize(
    ("column", "old", "new"),
    [
        ("events", b'"position":', b'"position":1'),  # Another cut than was made.
        ("events", b'"root":"', b'"root":"AAAA'),
        ("input", b'"key":"', b'"key":"AAAA'),
        ("state_hash", None, bytes(32)),
    ],
)
def test_gen_08_a_changed_row_does_not_hold(
    kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str, old: bytes | None, new: bytes
) -> None:
    data = tmp_path / "data"
    seq = change_a_row(kept, data, column, old, new)
    status, out = verified(capsys, data)
    assert status == 1
    assert f"row {seq}" in out


def change_a_row(kept: Kept, data: Path, column: str, old: bytes | None, new: bytes) -> int:
    """Copy the journal and change the first row that holds `old`, or the first of all. Returns its number."""
    shutil.copytree(kept.data, data)
    database = sqlite3.connect(data / "journal" / "journal.sqlite3")
    rows = database.execute(f"SELECT seq, {column} FROM journal_rows ORDER BY seq").fetchall()  # noqa: S608 - our own
    seq, value = next((seq, value) for seq, value in rows if old is None or old in value)
    changed = new if old is None else value.replace(old, new, 1)
    database.execute(f"UPDATE journal_rows SET {column} = ? WHERE seq = ?", (changed, seq))  # noqa: S608 - our own
    database.commit()
    database.close()
    return int(seq)


def test_nothing_to_check_is_a_usage_error(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    garbage = tmp_path / "garbage.json"
    garbage.write_text("{}")
    (tmp_path / "binary").write_bytes(b"\xff\x00")
    for path in (tmp_path, tmp_path / "missing", garbage, tmp_path / "binary"):
        status, out = verified(capsys, path)
        assert status == 3
        assert str(path) in out
        assert "codec" not in out
    assert not (tmp_path / "journal").exists()
    assert kept.files
