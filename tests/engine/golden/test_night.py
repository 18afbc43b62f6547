"""A whole night word for word, and journals of every version so far, which must replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import events as ev
from homegame_engine.night import RULES_VERSION, STATE_VERSION, Night
from homegame_engine.night import inputs as inp
from homegame_server.runtime.codec import SCHEMA, as_said_by
from tests.engine.golden.night import (
    NETS,
    PLACES,
    TEXT_FILE,
    JournalHead,
    JournalLine,
    journal_lines,
    lines,
    played_night,
)
from tests.night_builders import event_of, events_of, replay
from tests.oracles.session import HandOnPaper

if TYPE_CHECKING:
    from tests.night_builders import NightTable

JOURNALS = sorted((Path(__file__).resolve().parents[2] / "vectors" / "journals").glob("*.jsonl"))


@pytest.fixture(scope="module")
def table() -> NightTable:
    return played_night()


def test_the_night_is_word_for_word_as_written(table: NightTable) -> None:
    assert "".join(f"{line}\n" for line in lines(table)) == TEXT_FILE.read_text(encoding="utf-8"), (
        "look at the difference; if it is meant: python -m tests.engine.golden.night --write"
    )


def test_its_nets_are_those_worked_out_by_hand(table: NightTable) -> None:
    assert tuple(event.net_chips for event in events_of(table.events, ev.HandEnded)) == NETS
    assert all(sum(net) == 0 for net in NETS)
    final = [20 + sum(net[seat] for net in NETS) for seat in range(4)]
    finished = event_of(table.events, ev.SessionFinished)
    assert {place.seat: place.stack_chips for place in finished.placements} == dict(enumerate(final))
    assert {place.seat: place.place for place in finished.placements} == PLACES


def test_its_nets_are_those_of_a_second_reckoning(table: NightTable) -> None:
    pages: list[HandOnPaper] = []
    for row in table.rows:
        for event in row.events:
            if isinstance(event, ev.HandStarting):
                pages.append(HandOnPaper(4, event.button))
            elif isinstance(event, ev.HandVoided):
                pages.pop()
        if pages:
            pages[-1].write_down(row.events)
    assert tuple(tuple(page.net()) for page in pages) == NETS


def test_the_night_holds_what_it_is_there_for(table: NightTable) -> None:
    happened = table.events
    assert any(len(event.layers) > 1 for event in events_of(happened, ev.BetsCollected)), "a side layer"
    assert any(event.odd_units for event in events_of(happened, ev.LayerAwarded)), "an odd unit"
    assert any(event.all_in and not event.full for event in events_of(happened, ev.PlayerBet)), "a short all-in"
    kinds = {type(event) for event in happened}
    wanted = {ev.HandMucked, ev.HandShown, ev.UncalledReturned, ev.DecisionTimedOut, ev.HandVoided, ev.OrbitCompleted}
    assert wanted <= kinds
    assert any(event.stacks[0] == 0 for event in events_of(happened, ev.HandEnded)), "a bust"


def test_the_night_replays_from_its_rows(table: NightTable) -> None:
    assert replay(table.rows).encode() == table.night.encode()


def test_a_journal_written_now_reads_back(table: NightTable, tmp_path: Path) -> None:
    file = tmp_path / "now.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in journal_lines(table)))
    assert_replays(file)


@pytest.mark.parametrize("file", JOURNALS, ids=lambda file: file.stem)
def test_journals_keep_replaying(file: Path) -> None:
    assert_replays(file)


def test_there_is_a_journal_of_the_versions_in_force() -> None:
    heads = [msgspec.json.decode(file.read_bytes().splitlines()[0], type=JournalHead) for file in JOURNALS]
    versions = {(head.state_version, head.rules_version, head.schema) for head in heads}
    assert (STATE_VERSION, RULES_VERSION, SCHEMA) in versions


def assert_replays(file: Path) -> None:
    """Fold a journal: the same result under any version, the same events and hashes under the version that wrote it."""
    first, *rest = file.read_bytes().splitlines()
    head = msgspec.json.decode(first, type=JournalHead)
    journal = [msgspec.json.decode(line, type=JournalLine) for line in rest]
    created = journal[0].input
    assert isinstance(created, inp.CreateNight)
    night, happened = Night.create(created, journal[0].at_ms)
    for number, line in enumerate(journal):
        if number > 0:
            happened = night.apply(line.input, line.at_ms)
        if head.rules_version == RULES_VERSION:
            assert as_said_by(head.schema, happened) == line.events, f"{file.name}, row {number}"
        if head.state_version == STATE_VERSION:
            assert night.state_hash().hex() == line.state_hash, f"{file.name}, row {number}"
    assert night.finished is not None
    assert night.finished.placements == head.placements
