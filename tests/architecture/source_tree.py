"""The project's source files, by part, and what each of them imports; shared by the tests of this folder."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PART_FOLDERS = {
    "homegame_engine": ROOT / "engine" / "homegame_engine",
    "homegame_server": ROOT / "server" / "homegame_server",
    "homegame_sim": ROOT / "sim" / "homegame_sim",
    "homegame_client": ROOT / "clients" / "python" / "homegame_client",
    "homegame_cli": ROOT / "clients" / "python" / "homegame_cli",
}
"""Top-level package of each part to its folder. The generated contract is the package `homegame`."""

CYTHON_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+c?import|c?import[ \t]+([^\n#(]+))", re.MULTILINE)


def sources(part: str, *suffixes: str) -> list[Path]:
    """Return the files of a part with one of the suffixes, sorted; empty while the part does not exist."""
    folder = PART_FOLDERS[part]
    return sorted(path for path in folder.rglob("*") if path.suffix in suffixes)


def compiled_sources() -> list[Path]:
    """Return every `.pyx` of the engine and the simulator."""
    return sources("homegame_engine", ".pyx") + sources("homegame_sim", ".pyx")


def module_name(path: Path) -> str:
    """Return the dotted name under which a source file is imported."""
    for package, folder in PART_FOLDERS.items():
        if path.is_relative_to(folder):
            parts = path.relative_to(folder).with_suffix("").parts
            return ".".join([package, *(part for part in parts if part != "__init__")])
    raise ValueError(path)


def python_imports(text: str, module: str) -> set[str]:
    """Return the dotted names that Python source imports anywhere, relative ones resolved against `module`.

    For `from a import b` both `a` and `a.b` are returned: `b` may be a module.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: -node.level]
                base = ".".join([*above, *([base] if base else [])])
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return names


def cython_imports(text: str) -> set[str]:
    """Return the dotted names that Cython source imports or cimports; docstrings and comments do not count."""
    code = re.sub(r'"""(?:.|\n)*?"""', "", text)
    names: set[str] = set()
    for origin, listed in CYTHON_IMPORT.findall(code):
        if origin:
            names.add(origin)
        names.update(part.split(" as ")[0].strip() for part in listed.split(",") if part.strip())
    return names


def imports_of(path: Path) -> set[str]:
    """Return what one source file imports."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in {".pyx", ".pxd"}:
        return cython_imports(text)
    return python_imports(text, module_name(path))


def starts_with(name: str, prefix: str) -> bool:
    """Say whether a dotted name is `prefix` or lies under it."""
    return name == prefix or name.startswith(prefix + ".")
