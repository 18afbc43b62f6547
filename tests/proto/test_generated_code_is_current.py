"""The committed code is what the protos say, and the generator says so when it is not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proto.contract import PROTO_ROOT


@pytest.fixture
def proto_copy(tmp_path: Path) -> Path:
    """Copy the contract, generator and generated code included."""
    return Path(shutil.copytree(PROTO_ROOT, tmp_path / "proto", ignore=shutil.ignore_patterns("__pycache__")))


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the generator of a copy."""
    return subprocess.run(  # noqa: S603 - the project's own script with fixed arguments
        [sys.executable, str(root / "generate.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_generating_again_changes_nothing() -> None:
    ran = generate(PROTO_ROOT, "--check")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_changed_proto_is_noticed_and_generated(proto_copy: Path) -> None:
    cards = proto_copy / "homegame" / "v1" / "cards.proto"
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("string text = 4;", "string text = 5;"), encoding="utf-8"
    )

    stale = generate(proto_copy, "--check")
    assert stale.returncode == 1
    assert "differs: homegame/v1/cards_pb2.py" in stale.stdout.splitlines()

    assert generate(proto_copy).returncode == 0
    assert generate(proto_copy, "--check").returncode == 0


def test_edited_and_left_over_files_are_noticed(proto_copy: Path) -> None:
    package = proto_copy / "gen" / "python" / "homegame" / "v1"
    (package / "gone_pb2.py").write_text("", encoding="utf-8")
    (package / "cards_pb2.pyi").unlink()
    ran = generate(proto_copy, "--check")
    assert ran.returncode == 1
    assert {"left over: homegame/v1/gone_pb2.py", "missing: homegame/v1/cards_pb2.pyi"} <= set(ran.stdout.splitlines())


def test_a_broken_proto_leaves_the_committed_code_alone(proto_copy: Path) -> None:
    (proto_copy / "homegame" / "v1" / "cards.proto").write_text('syntax = "proto3";\nnonsense\n', encoding="utf-8")
    before = sorted(path.name for path in (proto_copy / "gen").rglob("*_pb2.py"))
    ran = generate(proto_copy)
    assert ran.returncode == 2
    assert "generation failed" in ran.stderr
    assert sorted(path.name for path in (proto_copy / "gen").rglob("*_pb2.py")) == before
