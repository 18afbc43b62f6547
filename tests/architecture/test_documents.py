"""The guides speak of things that exist: paths, make targets, subcommands."""

from __future__ import annotations

import re

import pytest

from tests.architecture.source_tree import ROOT

GUIDES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md"))]
PATH = re.compile(r"`((?:\.ci|clients|docs|engine|proto|server|sim|tests)/[\w./-]+)`")
PLACEHOLDER = re.compile(r"/(?:NAME|ID|NN)\b|/NAME_")
MAKE = re.compile(r"`make ([a-z-]+)`|^make ([a-z-]+)", re.MULTILINE)


@pytest.mark.parametrize("guide", GUIDES)
def test_paths_named_by_a_guide_exist(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    named = [path for path in PATH.findall(text) if not PLACEHOLDER.search(path)]
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("guide", GUIDES)
def test_make_targets_named_by_a_guide_exist(guide: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {quoted or typed for quoted, typed in MAKE.findall((ROOT / guide).read_text(encoding="utf-8"))}
    assert [target for target in sorted(named) if not re.search(rf"^{target}:.*## ", makefile, re.MULTILINE)] == []


def test_make_help_lists_every_public_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    promised = {"night", "test", "lint", "bench", "proto"}
    assert promised <= set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))


def test_the_map_is_two_pages_at_most() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 120
