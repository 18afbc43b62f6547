"""Write `rules.py` and `reasons.py` of the engine from the rulebook in `docs/rules/`.

The rulebook is the truth: a rule or a reason is added there and this script is run. The output depends on
nothing but the text, so that a second run changes no byte.

Usage:
    generate_rules.py           write both files
    generate_rules.py --check   write nothing; exit 1 and say so if a file differs from the rulebook
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULEBOOK = ROOT / "docs" / "rules"
PACKAGE = ROOT / "engine" / "homegame_engine"

RULE_ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+")
REASON = re.compile(r"[A-Z][A-Z_]*[A-Z]")
RULE_CELLS = 4
REASON_CELLS = 3
MEANING_CHARS_MAX = 160

NOTICE = "Generated from docs/rules by engine/tools/generate_rules.py; edit the rulebook, not this file."

RULES_HEAD = f'''"""Every rule of the rulebook: its id, what it says in one line, and the page that holds it in full.

{NOTICE}
"""
# ruff: noqa: E501 - one rule a line, so that a search finds id and meaning together

from typing import NamedTuple

from homegame_engine.reasons import Reason


class Rule(NamedTuple):
    """One row of the rulebook.

    Attributes:
        rule_id: Permanent id, for example `BET-NL-07`.
        text: The rule's first sentence, cut to one line; the page holds the whole rule, which binds.
        owner: Who enforces it: `E` engine, `T` table or tournament service, `N` shown only; joined by `+`.
        page: File under `docs/rules/`.
        reasons: What an input that breaks the rule is refused with; empty if no input can.
    """

    rule_id: str
    text: str
    owner: str
    page: str
    reasons: tuple[Reason, ...]


# fmt: off
_ROWS = (
'''

RULES_TAIL = """)
# fmt: on

RULES: dict[str, Rule] = {rule.rule_id: rule for rule in _ROWS}
"""

REASONS_HEAD = f'''"""Why an input is refused: the rulebook's closed list.

{NOTICE}
Reasons that are not poker (a full mailbox, an unknown id) are `homegame_engine.errors.ServiceReason`.
"""

from enum import StrEnum


class Reason(StrEnum):
    """A refusal's reason; the name is the value and never changes."""
'''


class RulebookError(Exception):
    """The rulebook cannot be read as its own README describes it."""


@dataclass(frozen=True)
class RuleRow:
    """A rule as it stands in a table of the rulebook."""

    rule_id: str
    text: str
    owner: str
    page: str
    reasons: tuple[str, ...]


def cells_of(line: str) -> list[str]:
    """Split a Markdown table row into stripped cells; empty for a line that is no row."""
    if not line.startswith("|"):
        return []
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def one_line(text: str) -> str:
    """Return the first sentence of a rule without Markdown, in at most MEANING_CHARS_MAX characters."""
    rule, _, decision = text.partition("**DECISION ")
    if not rule:  # The whole rule is a decision: its words follow the number.
        rule = decision.partition(":** ")[2] or decision.partition("**: ")[2]
    plain = rule.replace("**", "").replace("`", "").strip()
    sentence = re.split(r"(?<=[.;])\s+(?=[A-Z0-9])", plain, maxsplit=1)[0].rstrip(";.:")
    if len(sentence) >= MEANING_CHARS_MAX:
        sentence = sentence[: MEANING_CHARS_MAX - 1].rsplit(" ", 1)[0].rstrip(",;:") + " …"
    else:
        sentence += "."
    return sentence[0].upper() + sentence[1:]


def pages() -> list[Path]:
    """Return the pages that hold rules, in the order of the book: README first, then by number."""
    return [RULEBOOK / "README.md", *sorted(RULEBOOK.glob("[0-9][0-9]-*.md"))]


def read_rules() -> list[RuleRow]:
    """Read every rule row of every page, in printed order.

    Raises:
        RulebookError: A row has a wrong number of cells, or an id is used twice.
    """
    rules: dict[str, RuleRow] = {}
    for page in pages():
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = cells_of(line)
            if not cells or not RULE_ID.fullmatch(cells[0]):
                continue
            if len(cells) != RULE_CELLS:
                raise RulebookError(f"{page.name}: {cells[0]} has {len(cells)} cells, not {RULE_CELLS}")
            rule_id, text, owner, illegal = cells
            if rule_id in rules:
                raise RulebookError(f"{page.name}: {rule_id} is used twice")
            reasons = tuple(REASON.findall(illegal))
            rules[rule_id] = RuleRow(rule_id, one_line(text), owner, page.name, reasons)
    return list(rules.values())


def read_reasons() -> tuple[dict[str, str], list[str]]:
    """Read the table of error reasons and the order of precedence printed above it.

    Returns:
        Reason to meaning in printed order, and the reasons that have a rank, first to be given first.

    Raises:
        RulebookError: The section, the order or the table is missing, or a ranked reason is not in the table.
    """
    text = (RULEBOOK / "README.md").read_text(encoding="utf-8")
    _, found, section = text.partition("\n## Error reasons\n")
    order_text, has_table, table = section.partition("\n| reason |")
    if not found or not has_table:
        raise RulebookError("README.md: no section 'Error reasons' with a table of reasons")
    meanings = {}
    for line in table.splitlines():
        cells = cells_of(line)
        if len(cells) == REASON_CELLS and REASON.fullmatch(cells[0]):
            meanings[cells[0]] = cells[1]
    order = REASON.findall(order_text)
    unknown = [reason for reason in order if reason not in meanings]
    if unknown or not order:
        raise RulebookError(f"README.md: order of precedence names unknown reasons {unknown}")
    return meanings, order


def quoted(text: str) -> str:
    """Return text as a Python literal, in single quotes where that saves escapes."""
    if '"' in text and "'" not in text:
        return "'" + text.replace("\\", "\\\\") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def tuple_of(items: list[str]) -> str:
    """Return a tuple literal of the given expressions."""
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"


def render_rules(rules: list[RuleRow]) -> str:
    """Return the text of `rules.py`."""
    lines = []
    for rule in rules:
        reasons = tuple_of([f"Reason.{reason}" for reason in rule.reasons])
        words = ", ".join(quoted(part) for part in (rule.rule_id, rule.text, rule.owner, rule.page))
        lines.append(f"    Rule({words}, {reasons}),\n")
    return RULES_HEAD + "".join(lines) + RULES_TAIL


def render_reasons(meanings: dict[str, str], order: list[str]) -> str:
    """Return the text of `reasons.py`."""
    members = [
        f'\n    {reason} = "{reason}"\n    """{meaning[0].upper()}{meaning[1:]}."""\n'
        for reason, meaning in meanings.items()
    ]
    ranked = "".join(f"    Reason.{reason},\n" for reason in order)
    tail = (
        "\n\nPRECEDENCE: tuple[Reason, ...] = (\n" + ranked + ")\n"
        '"""When several reasons apply to one input, the first of these is given."""\n'
    )
    return REASONS_HEAD + "".join(members) + tail


def render() -> dict[Path, str]:
    """Return the generated files and their text.

    Raises:
        RulebookError: The rulebook is malformed, or a rule names a reason that the table lacks.
    """
    rules = read_rules()
    meanings, order = read_reasons()
    for rule in rules:
        for reason in rule.reasons:
            if reason not in meanings:
                raise RulebookError(f"{rule.page}: {rule.rule_id} names {reason}, which the table of reasons lacks")
    return {
        PACKAGE / "rules.py": render_rules(rules),
        PACKAGE / "reasons.py": render_reasons(meanings, order),
    }


def main(arguments: list[str]) -> int:
    """Write or check the files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, compare with what is there")
    check = parser.parse_args(arguments).check
    status = 0
    for path, text in render().items():
        name = path.relative_to(ROOT)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            print(f"{name}: unchanged")
        elif check:
            print(f"{name}: differs from the rulebook; run engine/tools/generate_rules.py")
            status = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{name}: written")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
