"""What is generated follows from its source, and the generator says so when it does not."""

from __future__ import annotations

import re
import subprocess
import sys

from homegame_engine.errors import ServiceReason
from homegame_engine.reasons import PRECEDENCE, Reason
from homegame_engine.rules import RULES
from tests.architecture.source_tree import ROOT

RULEBOOK = ROOT / "docs" / "rules"


def generate_rules(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the generator of `rules.py` and `reasons.py`."""
    script = ROOT / "engine" / "tools" / "generate_rules.py"
    return subprocess.run(
        [sys.executable, str(script), *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_rules_and_reasons_are_those_of_the_rulebook() -> None:
    ran = generate_rules("--check")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_rule_row_of_the_rulebook_is_listed_once() -> None:
    rows = [
        match.group(1)
        for page in sorted(RULEBOOK.glob("[0-9R]*.md"))
        for match in re.finditer(r"^\|\s*([A-Z][A-Z0-9-]*-\d+)\s*\|", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert sorted(rows) == sorted(RULES)


def test_every_rule_names_a_page_that_holds_it() -> None:
    for rule in RULES.values():
        assert f"| {rule.rule_id} |" in (RULEBOOK / rule.page).read_text(encoding="utf-8")


def test_every_rule_says_who_enforces_it() -> None:
    for rule in RULES.values():
        assert set(rule.owner.split("+")) <= {"E", "T", "N"}, rule.rule_id
        assert "\n" not in rule.text
        assert rule.text


def test_precedence_is_the_printed_order() -> None:
    assert PRECEDENCE[0] is Reason.STALE_ACTION
    assert PRECEDENCE[-3:] == (Reason.BAD_INCREMENT, Reason.BELOW_MINIMUM, Reason.ABOVE_MAXIMUM)
    assert PRECEDENCE.index(Reason.OUT_OF_TURN) < PRECEDENCE.index(Reason.CANNOT_CHECK)
    assert PRECEDENCE.index(Reason.RAISE_CAP_REACHED) < PRECEDENCE.index(Reason.RAISE_NOT_REOPENED)
    assert len(set(PRECEDENCE)) == len(PRECEDENCE)


def test_the_contract_lists_the_same_reasons_as_the_engine() -> None:
    text = (ROOT / "proto" / "homegame" / "v1" / "errors.proto").read_text(encoding="utf-8")
    listed = re.findall(r"^  REASON_(\w+) = (\d+);", text, re.MULTILINE)
    assert {name for name, _ in listed} == {"UNSPECIFIED", *Reason, *ServiceReason}
    assert len({number for _, number in listed}) == len(listed)


def test_rule_ids_in_the_sources_exist() -> None:
    chapters = "|".join(sorted({rule_id.partition("-")[0] for rule_id in RULES}))
    looks_like_an_id = re.compile(rf"\b(?:{chapters})-[A-Z0-9-]*\d\b")
    unknown = [
        f"{path.relative_to(ROOT)}: {rule_id}"
        for folder in ("engine", "server", "sim", "clients", "proto/homegame")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".pyi", ".pyx", ".pxd", ".toml", ".proto"}
        for rule_id in looks_like_an_id.findall(path.read_text(encoding="utf-8"))
        if rule_id not in RULES
    ]
    assert unknown == []
