"""Golden reports: what the simulator said about fixed seeds, as JSON, text and page. A faster core must not change a byte.

Usage, from the root of the checkout:
    python -m tests.sim.golden.reports --write    write all files anew; read the difference before committing it

A report may change with a rule, a policy, a measure or the wording. Then the commit that changes it says so.
"""

from __future__ import annotations

import sys
from pathlib import Path

from homegame_sim.driver import run_in_process
from homegame_sim.report import ReportDocument, build_document, json_bytes, text_bytes
from homegame_sim.report.page import html_bytes
from homegame_sim.study import Study, plan_study

FOLDER = Path(__file__).parent

# Policies that decide: `tight` with whole orbits, `random` for the corners of the rules, `loose` for busts and two players left.
STUDIES: dict[str, Study] = {
    "b1_hands_24": plan_study("B1", policy="tight", seed=24, n_players=6, n_sessions=3000, hands=24),
    "b1_minutes_45": plan_study("B1", policy="random", seed=45, n_players=4, n_sessions=2000, minutes=45),
    "b3_minutes_45": plan_study("B3", policy="loose", seed=3, n_players=6, n_sessions=3000, minutes=45),
}


def documents() -> dict[str, ReportDocument]:
    """Play every study."""
    return {name: build_document(study, run_in_process(study).totals) for name, study in STUDIES.items()}


def files_of(name: str, document: ReportDocument) -> dict[Path, bytes]:
    """Return the files of a report with their bytes."""
    return {
        FOLDER / f"{name}.json": json_bytes(document),
        FOLDER / f"{name}.txt": text_bytes(document),
        FOLDER / f"{name}.html": html_bytes(document),
    }


def main() -> None:
    """Write all files."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for name, document in documents().items():
        for file, report in files_of(name, document).items():
            file.write_bytes(report)


if __name__ == "__main__":
    main()
