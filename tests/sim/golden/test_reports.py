"""The simulator still says word for word what it said, and what it said adds up."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from tests.sim.golden.reports import FOLDER, STUDIES, documents, files_of

if TYPE_CHECKING:
    from homegame_sim.report import ReportDocument


@pytest.fixture(scope="module")
def played() -> dict[str, ReportDocument]:
    return documents()


def stored(name: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return report


@pytest.mark.parametrize("name", STUDIES)
def test_the_report_is_byte_for_byte_as_written(name: str, played: dict[str, ReportDocument]) -> None:
    for file, report in files_of(name, played[name]).items():
        assert report == file.read_bytes(), (
            f"{file.name}: a faster core changes nothing; if the change is meant: python -m tests.sim.golden.reports --write"
        )


def test_there_is_no_golden_file_that_nobody_compares(played: dict[str, ReportDocument]) -> None:
    known = {file for name, document in played.items() for file in files_of(name, document)}
    assert {file for file in FOLDER.iterdir() if file.suffix in {".json", ".txt", ".html"}} == known


# What follows reads the stored files alone and reckons with nothing of the simulator's.


@pytest.mark.parametrize("name", STUDIES)
def test_what_was_written_adds_up(name: str) -> None:
    report = stored(name)
    totals, study = report["totals"], report["study"]
    assert study["sessions"] == study["blocks"] * study["players"]
    assert sum(totals["win_units"]) == 2520 * study["sessions"]
    assert sum(totals["net_chips"]) == 0
    assert sum(n_sessions for _, n_sessions in totals["sessions_by_hands"]) == study["sessions"]
    assert sum(hands * n_sessions for hands, n_sessions in totals["sessions_by_hands"]) == totals["hands"]
    for role in report["roles"]:
        wins = Fraction(totals["win_units"][role["role"]], 2520 * study["sessions"])
        assert abs(Fraction(role["win_share"]["mean"]) - wins) <= Fraction(1, 2_000_000)


@pytest.mark.parametrize(("name", "most"), [("b1_hands_24", 24), ("b1_minutes_45", 23), ("b3_minutes_45", 23)])
def test_no_session_is_longer_than_its_cutoff_and_none_shorter_without_a_sole_owner(name: str, most: int) -> None:
    # 45 minutes of 120 seconds each: hand 23 starts at 44 minutes, hand 24 would start at 46 (PTS-016).
    report = stored(name)
    by_hands = dict(report["totals"]["sessions_by_hands"])
    assert max(by_hands) == most
    shorter = report["study"]["sessions"] - by_hands[most]
    assert shorter <= report["totals"]["sole_owners"]
