"""Which rules of the rulebook do the tests name?

A rule is named where a test file holds its id as written or as in a test's name (`test_bet_nl_07_…`). Naming a
rule proves nothing by itself: the test must fail when the rule is broken.

Usage, from the root of the checkout:
    python -m tests.architecture.rule_coverage            a line for each family, and the ids that are missing
    python -m tests.architecture.rule_coverage --settle   take what is named by now off the list of pending rules
"""

from __future__ import annotations

import argparse
import collections
import functools
import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
RULEBOOK = TESTS.parent / "docs" / "rules"
PENDING_FILE = Path(__file__).with_name("pending_rules.txt")

ALL = None

COVERED: dict[str, tuple[int, ...] | None] = {
    "CARD": ALL,
    "RANK-HI": ALL,
    "RANK-LO": ALL,
    "RANK-WILD": ALL,
    "RANK-UP": ALL,
    "BET-GEN": ALL,
    "BET-FL": ALL,
    "BET-LIM": ALL,
    "BET-NL": ALL,
    "BET-PL": ALL,
    "BET-SP": ALL,
    "POT-LAY": ALL,
    "POT-ODD": ALL,
    "POT-SPLIT": ALL,
    "POT-AGR": ALL,
    "KILL": ALL,
    "GAME-HE": ALL,
    "GAME-OM": ALL,
    "GAME-OM8": ALL,
    "GAME-IR": ALL,
    "GAME-CP": ALL,
    "GAME-DISC": ALL,
    "GAME-ST": ALL,
    "GAME-RZ": ALL,
    "GAME-ST8": ALL,
    "GAME-DC": ALL,
    "GAME-DECL": ALL,
    "PTS": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 19, 20, 24, 25),
    "PTS-B3": ALL,
    "PTS-V20": (1,),
    "GEN": (3, 4, 5, 6, 8),
    "PROC-SHOW": (1, 4, 5),
    "PROC-CLK": (1, 2, 3, 5),
    "PROC-SHUF": ALL,
}
"""Family to the numbers that this version implements (ALL: the whole family).

Numbers and not ids, so that this list does not itself look like a test that names them.
"""

RULE_ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+")
ROW = re.compile(rf"^\|\s*({RULE_ID.pattern})\s*\|", re.MULTILINE)
TEST_FILES = {".py", ".ts", ".tsx", ".toml", ".json", ".jsonl", ".feature"}


def family_of(rule_id: str) -> str:
    """Return the id without its number."""
    return rule_id.rpartition("-")[0]


def rulebook_ids() -> list[str]:
    """Return every rule id, in the order of the book."""
    pages = [RULEBOOK / "README.md", *sorted(RULEBOOK.glob("[0-9][0-9]-*.md"))]
    return list(dict.fromkeys(rule for page in pages for rule in ROW.findall(page.read_text(encoding="utf-8"))))


def covered_ids(ids: list[str]) -> list[str]:
    """Return those of the ids that this version claims to implement."""
    covered = []
    for rule_id in ids:
        family, _, number = rule_id.rpartition("-")
        if family in COVERED:
            numbers = COVERED[family]
            if numbers is None or int(number) in numbers:
                covered.append(rule_id)
    return covered


def texts_of_tests() -> list[str]:
    """Return the text of every test; data and this folder, which only speaks about rules, are left out."""
    skipped = (TESTS / "vectors", TESTS / "architecture")
    return [
        path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(TESTS.rglob("*"))
        if path.suffix in TEST_FILES and path.is_file() and not any(path.is_relative_to(folder) for folder in skipped)
    ]


@functools.cache
def spellings(ids: tuple[str, ...]) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the ids by their spelling in the name of a function, and what finds those spellings in a text."""
    spelled = {rule_id.lower().replace("-", "_"): rule_id for rule_id in ids}
    # Longest first, and the earliest match wins: bet_gen_01 does not name the general rule of the same number.
    longest_first = "|".join(sorted(map(re.escape, spelled), key=len, reverse=True))
    return spelled, re.compile(rf"(?<![a-z0-9])({longest_first})(?![0-9])")


def named_ids(ids: list[str], texts: list[str]) -> set[str]:
    """Return those of the ids that a text names, as written or in the spelling of a function name."""
    spelled, in_a_name = spellings(tuple(ids))
    known, named = set(ids), set()
    for text in texts:
        named.update(known.intersection(RULE_ID.findall(text)))
        named.update(spelled[match] for match in in_a_name.findall(text))
    return named


def pending_ids() -> list[str]:
    """Return the covered rules whose test is still to be written."""
    lines = PENDING_FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def settle(named: set[str]) -> None:
    """Take the rules that are named by now off the list of pending ones; the list never grows here."""
    lines = PENDING_FILE.read_text(encoding="utf-8").splitlines()
    PENDING_FILE.write_text("".join(f"{line}\n" for line in lines if line not in named), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Print the coverage; return 1 when a covered rule is not named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--settle", action="store_true", help="take named rules off the list of pending ones")
    options = parser.parse_args(arguments)
    ids = rulebook_ids()
    named = named_ids(ids, texts_of_tests())
    if options.settle:
        settle(named)
    total = collections.Counter(map(family_of, ids))
    got = collections.Counter(map(family_of, named))
    for family, count in total.items():
        print(f"{family:12} {got[family]:4} of {count:4}")
    missing = [rule_id for rule_id in covered_ids(ids) if rule_id not in named]
    print(f"{len(named)} of {len(ids)} rules named by a test")
    print(f"covered by this version and not named: {', '.join(missing) or 'none'}")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
