"""Arrows of the architecture: clients -> proto <- server -> engine <- sim; the engine touches nothing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.architecture.source_tree import (
    PART_FOLDERS,
    ROOT,
    cython_imports,
    imports_of,
    python_imports,
    sources,
    starts_with,
)

PROTO = "homegame"

MAY_IMPORT = {
    "homegame_engine": {"homegame_engine"},
    "homegame_server": {"homegame_server", "homegame_engine", PROTO},
    "homegame_sim": {"homegame_sim", "homegame_engine"},
    "homegame_client": {"homegame_client", PROTO},
    "homegame_cli": {*PART_FOLDERS, PROTO},
}

OUTSIDE_WORLD = (
    # Clocks, entropy and identity made from them.
    "time",
    "datetime",
    "random",
    "secrets",
    "uuid",
    "numpy.random",
    "libc.time",
    # Files, processes, threads, the network.
    "os",
    "io",
    "pathlib",
    "tempfile",
    "shutil",
    "glob",
    "sqlite3",
    "subprocess",
    "threading",
    "multiprocessing",
    "concurrent",
    "asyncio",
    "signal",
    "socket",
    "ssl",
    "http",
    "urllib",
    "libc.stdio",
    "posix",
    # Logs.
    "logging",
    "warnings",
    "structlog",
)

ENGINE_THIRD_PARTY = {"numpy", "msgspec", "cython", "cpython", "libc", "typing_extensions"}

TOUCHES_A_FILE = {"homegame_engine/catalog.py": {"pathlib", "importlib.resources"}}
"""`catalog` reads the packaged games, formats and houses once: the one exception of the engine's purity."""

DIRTY_CALL = re.compile(r"(?<![\w.])(?:open|print|input|eval|exec)\(|\b(?:np|numpy)\.random\b|\brand\(\)")

OURS = {*PART_FOLDERS, PROTO}


def top(name: str) -> str:
    """Return the first part of a dotted name."""
    return name.partition(".")[0]


@pytest.mark.parametrize("part", PART_FOLDERS)
def test_parts_import_only_along_the_arrows(part: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(part, ".py", ".pyi", ".pyx", ".pxd")
        for name in sorted(imports_of(path))
        if top(name) in OURS - MAY_IMPORT[part]
    ]
    assert wrong == []


def test_engine_touches_no_clock_entropy_log_file_or_socket() -> None:
    wrong = []
    for path in sources("homegame_engine", ".py", ".pyi", ".pyx", ".pxd"):
        allowed = TOUCHES_A_FILE.get(path.relative_to(ROOT / "engine").as_posix(), set())
        wrong += [
            f"{path.relative_to(ROOT)} imports {name}"
            for name in sorted(imports_of(path))
            if any(starts_with(name, outside) for outside in OUTSIDE_WORLD)
            and not any(starts_with(name, exception) for exception in allowed)
        ]
    assert wrong == []


def test_engine_opens_prints_and_draws_nothing() -> None:
    wrong = []
    for path in sources("homegame_engine", ".py", ".pyx"):
        code = re.sub(r'"""(?:.|\n)*?"""|#[^\n]*', "", path.read_text(encoding="utf-8"))
        wrong += [f"{path.relative_to(ROOT)}: {call}" for call in DIRTY_CALL.findall(code)]
    assert wrong == []


def test_engine_needs_only_numpy_and_msgspec() -> None:
    wrong = []
    for path in sources("homegame_engine", ".py", ".pyx", ".pxd"):
        foreign = {top(name) for name in imports_of(path)} - set(sys.stdlib_module_names) - ENGINE_THIRD_PARTY
        wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(foreign - {"homegame_engine", ""})]
    assert wrong == []


def test_ray_is_imported_by_the_driver_alone() -> None:
    holders = {
        path.relative_to(ROOT).as_posix()
        for part in PART_FOLDERS
        for path in sources(part, ".py", ".pyx")
        if any(starts_with(name, "ray") for name in imports_of(path))
    }
    assert holders <= {"sim/homegame_sim/driver.py"}


def test_simulation_draws_only_from_its_seed() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("homegame_sim", ".py", ".pyx", ".pxd")
        for name in sorted(imports_of(path))
        if any(starts_with(name, entropy) for entropy in ("random", "secrets", "uuid", "numpy.random", "datetime"))
    ]
    assert wrong == []


def test_the_command_loads_no_part_until_a_subcommand_needs_it() -> None:
    if not PART_FOLDERS["homegame_cli"].is_dir():
        pytest.skip("the homegame command is not there yet")
    script = (
        "import sys; import homegame_cli.main; "
        "parts = {'homegame_engine', 'homegame_server', 'homegame_sim', 'homegame_client', 'homegame', 'grpc', 'ray'}; "
        "print(*sorted(parts & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PART_FOLDERS["homegame_cli"].parent,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ran.stdout.split() == []


def test_python_imports_are_seen_wherever_they_stand() -> None:
    text = "import os.path\ndef f():\n    from homegame_sim import run\nfrom . import pots\nfrom ..a import b\n"
    assert python_imports(text, "homegame_engine.night.seats") >= {
        "os.path",
        "homegame_sim.run",
        "homegame_engine.night.pots",
        "homegame_engine.a.b",
    }


def test_cython_imports_are_seen_in_both_spellings() -> None:
    text = (
        '"""Docstring that may\nimport nonsense\n"""\nfrom libc.time cimport time\ncimport numpy as cnp, cpython\n'
        "import os\n# import socket\n"
    )
    assert cython_imports(text) == {"libc.time", "numpy", "cpython", "os"}


def test_a_call_to_the_world_is_seen() -> None:
    assert DIRTY_CALL.findall("x = open('f')")
    assert DIRTY_CALL.findall("np.random.default_rng()")
    assert not DIRTY_CALL.findall("hand.open(1); reopen(2)")
