"""Compiled modules come as trios: core and skin (.pyx), index of the core (.pxd), types of the skin (.pyi)."""

from __future__ import annotations

import ast
import importlib
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.architecture.source_tree import ROOT, compiled_sources, module_name

if TYPE_CHECKING:
    from pathlib import Path


def stub_names(text: str) -> set[str]:
    """Return the public names that a stub declares for its module; imports are not declarations."""
    names: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("pyx", compiled_sources(), ids=module_name)
def test_a_compiled_module_is_a_trio(pyx: Path) -> None:
    missing = [pyx.with_suffix(suffix).name for suffix in (".pxd", ".pyi") if not pyx.with_suffix(suffix).is_file()]
    assert missing == []


@pytest.mark.parametrize("pyx", compiled_sources(), ids=module_name)
def test_names_in_the_stub_exist_in_the_compiled_module(pyx: Path) -> None:
    module = importlib.import_module(module_name(pyx))
    assert module.__file__ is not None
    assert module.__file__.endswith(".so"), "run `make build`"
    declared = stub_names(pyx.with_suffix(".pyi").read_text(encoding="utf-8"))
    assert sorted(name for name in declared if not hasattr(module, name)) == []


def test_the_distribution_compiles_every_pyx() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = {module["name"]: module["sources"] for module in settings["tool"]["setuptools"]["ext-modules"]}
    assert listed == {module_name(pyx): [pyx.relative_to(ROOT).as_posix()] for pyx in compiled_sources()}


def test_optimising_directives_stand_in_pyproject_only() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {directive}"
        for pyx in compiled_sources()
        for path in (pyx, pyx.with_suffix(".pxd"))
        if path.is_file()
        for directive in ("boundscheck", "wraparound", "cdivision", "initializedcheck")
        if f"cython: {directive}" in (text := path.read_text(encoding="utf-8")) or f"cython.{directive}" in text
    ]
    assert wrong == []
