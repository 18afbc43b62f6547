"""Which reasons that the rulebook prints beside a rule does a test get for that rule?

A test gets a reason when one and the same test function, its decorators with the parametrised rows included, holds the rule's id
(as written or in its name) and the reason (`Reason.X` or the bare word in quotes). The refusals that tests read for themselves
name both: `assert_refused(hand, action, Reason.X, "RULE-01")`.

Usage, from the root of the checkout:
    python -m tests.architecture.rule_reasons    the rules of the files below whose reason no test gets
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from typing import NamedTuple

from tests.architecture.rule_coverage import RULE_ID, RULEBOOK, TESTS, named_ids, rulebook_ids

PAGES = ("01-cards-and-ranking.md", "02-betting-and-pots.md", "03-games.md")
"""The files of the rulebook that this version claims as a whole."""

ROW = re.compile(rf"^\|\s*({RULE_ID.pattern})\s*\|(.*)\|([^|]*)\|([^|]*)\|\s*$", re.MULTILINE)
REASON = re.compile(r"[A-Z][A-Z_]+")


class Refusal(NamedTuple):
    """A rule and a reason that the rulebook prints beside it."""

    rule_id: str
    reason: str


def printed_refusals() -> list[Refusal]:
    """Return every reason of the tables, in the order of the book."""
    return [
        Refusal(rule_id, reason)
        for page in PAGES
        for rule_id, _, _, reasons in ROW.findall((RULEBOOK / page).read_text(encoding="utf-8"))
        for reason in REASON.findall(reasons)
    ]


def sources_of_tests(text: str) -> list[str]:
    """Return the source of each test function of a module, with its decorators."""
    lines = text.splitlines()
    sources = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            sources.append("\n".join(lines[first - 1 : node.end_lineno]))
    return sources


def refusals_in(source: str, ids: list[str], reasons: set[str]) -> set[Refusal]:
    """Return the pairs of a rule and a reason that one test holds."""
    got = reasons.intersection(re.findall(r"(?:\bReason\.|[\"'])([A-Z_]+)\b", source))
    return {Refusal(rule_id, reason) for rule_id in named_ids(ids, [source]) for reason in got} if got else set()


@functools.cache
def refusals_of_tests() -> frozenset[Refusal]:
    """Return the pairs that some test holds; data and this folder, which only speaks about rules, are left out."""
    ids = rulebook_ids()
    reasons = {refusal.reason for refusal in printed_refusals()}
    skipped = (TESTS / "vectors", TESTS / "architecture")
    found: set[Refusal] = set()
    for path in sorted(TESTS.rglob("test_*.py")):
        if not any(path.is_relative_to(folder) for folder in skipped):
            for source in sources_of_tests(path.read_text(encoding="utf-8")):
                found |= refusals_in(source, ids, reasons)
    return frozenset(found)


def main() -> int:
    """Print the pairs that no test gets."""
    got = refusals_of_tests()
    missing = [refusal for refusal in printed_refusals() if refusal not in got]
    for rule_id, reason in missing:
        print(f"{rule_id:12} {reason}")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
