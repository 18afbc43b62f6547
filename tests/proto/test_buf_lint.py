"""The contract follows the style guide of its tool, and the tool is really looking."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.proto.contract import PROTO_ROOT

BUF = Path(sys.executable).parent / "buf"


def run_buf(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run buf of the environment that runs the tests."""
    return subprocess.run(  # noqa: S603 - a tool of the environment with fixed arguments
        [str(BUF), *arguments], capture_output=True, text=True, check=False, timeout=120
    )


def test_lint_is_clean() -> None:
    ran = run_buf("lint", str(PROTO_ROOT))
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_files_are_formatted() -> None:
    ran = run_buf("format", "--diff", "--exit-code", str(PROTO_ROOT), "--path", str(PROTO_ROOT / "homegame"))
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_lint_finds_a_missing_comment_and_a_bad_name(tmp_path: Path) -> None:
    copy = shutil.copytree(PROTO_ROOT, tmp_path / "proto", ignore=shutil.ignore_patterns("gen"))
    cards = copy / "homegame" / "v1" / "cards.proto"
    cards.write_text(cards.read_text(encoding="utf-8") + "\nmessage badName {}\n", encoding="utf-8")
    ran = run_buf("lint", str(copy))
    assert ran.returncode != 0
    assert "badName" in ran.stdout
    assert "comment" in ran.stdout


def test_a_renumbered_field_breaks_the_contract(tmp_path: Path) -> None:
    """`buf breaking` compares two versions; front ends rely on it."""
    copy = shutil.copytree(PROTO_ROOT, tmp_path / "proto", ignore=shutil.ignore_patterns("gen"))
    assert run_buf("breaking", str(copy), "--against", str(PROTO_ROOT)).returncode == 0
    cards = copy / "homegame" / "v1" / "cards.proto"
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("string text = 4;", "string text = 5;"), encoding="utf-8"
    )
    assert run_buf("breaking", str(copy), "--against", str(PROTO_ROOT)).returncode != 0
