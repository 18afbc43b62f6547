"""The engine's face: what `homegame_engine` says it offers is what it offers."""

from __future__ import annotations

import ast

import homegame_engine
from tests.architecture.source_tree import PART_FOLDERS


def names_bound_at_top(text: str) -> set[str]:
    """Return the public names that a module's top level imports or defines."""
    names: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return {name for name in names if not name.startswith("_")}


def test_every_public_name_of_the_engine_exists() -> None:
    assert [name for name in homegame_engine.__all__ if not hasattr(homegame_engine, name)] == []


def test_all_lists_exactly_what_the_engine_brings_in() -> None:
    text = (PART_FOLDERS["homegame_engine"] / "__init__.py").read_text(encoding="utf-8")
    assert names_bound_at_top(text) == set(homegame_engine.__all__)


def test_all_has_no_duplicates() -> None:
    assert len(homegame_engine.__all__) == len(set(homegame_engine.__all__))


def test_the_package_file_holds_names_and_nothing_else() -> None:
    text = (PART_FOLDERS["homegame_engine"] / "__init__.py").read_text(encoding="utf-8")
    docstring, *rest = ast.parse(text).body
    assert isinstance(docstring, ast.Expr)
    assert all(isinstance(node, ast.ImportFrom | ast.Assign) for node in rest)
