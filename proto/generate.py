"""Generate the Python code of the contract: ``python proto/generate.py [--check]``.

The output under ``proto/gen/python`` is committed. ``--check`` generates into a scratch folder instead and exits 1 with
a list of differences when the committed code is not what the protos say.

The one edit made to generated code: protovalidate's own proto must keep its path ``buf/validate/validate.proto`` (the
runtime refuses a second file with its symbols), but a distribution called homegame must not install a top-level package
``buf``. So its module is placed under ``homegame/validate`` and the import of it is renamed; descriptors are untouched.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

PROTO_ROOT = Path(__file__).resolve().parent
THIRD_PARTY_ROOT = PROTO_ROOT / "third_party"
PYTHON_ROOT = PROTO_ROOT / "gen" / "python"
VALIDATE_PROTO = "buf/validate/validate.proto"
RULES_IMPORT = b"from buf.validate import validate_pb2"
PLACED_RULES_IMPORT = b"from homegame.validate import validate_pb2"

# One line a package, so that editors show what it is; everything else in it is generated.
PACKAGE_DOCSTRINGS = {
    "homegame/v1": '"""Generated from proto/homegame/v1 by proto/generate.py. Do not edit."""\n',
    "homegame/validate": '"""Field rules of protovalidate, generated from proto/third_party. Do not edit."""\n',
}


class GenerationError(Exception):
    """protoc refused the protos; its own message is on standard error."""


def run_protoc(arguments: list[str]) -> None:
    """Run protoc with the search path of the contract.

    Args:
        arguments: Options and files, the files relative to the proto roots.

    Raises:
        GenerationError: protoc's exit status was not 0.
    """
    well_known_types = resources.files("grpc_tools") / "_proto"
    search_path = [f"-I{PROTO_ROOT}", f"-I{THIRD_PARTY_ROOT}", f"-I{well_known_types}"]
    status = protoc.main(["protoc", *search_path, *arguments])
    if status != 0:
        raise GenerationError(f"protoc ended with status {status}")


def generate(out: Path) -> None:
    """Write all generated code.

    Args:
        out: Folder to write to; it must be empty or absent. It becomes a Python root.

    Raises:
        GenerationError: The protos do not compile.
    """
    out.mkdir(parents=True, exist_ok=True)
    protos = sorted(path.relative_to(PROTO_ROOT).as_posix() for path in (PROTO_ROOT / "homegame").rglob("*.proto"))
    services = [proto for proto in protos if proto.endswith("_service.proto")]
    # The plugins lie beside the interpreter, so that the virtual environment need not be activated.
    scripts = Path(sys.executable).parent
    run_protoc(
        [
            f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
            f"--python_out={out}",
            f"--mypy_out=quiet:{out}",
            VALIDATE_PROTO,
            *protos,
        ],
    )
    run_protoc(
        [
            f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
            f"--grpc_python_out={out}",
            f"--mypy_grpc_out=quiet:{out}",
            *services,
        ],
    )
    place_validate_module(out)
    for package, docstring in PACKAGE_DOCSTRINGS.items():
        (out / package / "__init__.py").write_text(docstring, encoding="utf-8")
        (out / package / "py.typed").touch()


def place_validate_module(out: Path) -> None:
    """Move ``buf/validate`` to ``homegame/validate`` and rename the imports of it.

    Args:
        out: Folder with freshly generated code; changed in place.
    """
    shutil.move(out / "buf" / "validate", out / "homegame" / "validate")
    (out / "buf").rmdir()
    for path in sorted((out / "homegame").rglob("*.py*")):
        source = path.read_bytes()
        if RULES_IMPORT in source:
            path.write_bytes(source.replace(RULES_IMPORT, PLACED_RULES_IMPORT))


def read_tree(root: Path) -> dict[str, bytes]:
    """Read every generated file.

    Args:
        root: A Python root.

    Returns:
        Path relative to ``root`` -> bytes, without interpreter caches.
    """
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def find_differences() -> list[str]:
    """Compare the committed code with freshly generated code.

    Returns:
        One line for each file that differs, is missing or is left over; empty when all is well.

    Raises:
        GenerationError: The protos do not compile.
    """
    with tempfile.TemporaryDirectory() as scratch:
        fresh_root = Path(scratch) / "python"
        generate(fresh_root)
        fresh = read_tree(fresh_root)
    committed = read_tree(PYTHON_ROOT)
    lines = [f"missing: {name}" for name in sorted(fresh.keys() - committed.keys())]
    lines += [f"left over: {name}" for name in sorted(committed.keys() - fresh.keys())]
    lines += [f"differs: {name}" for name in sorted(fresh.keys() & committed.keys()) if fresh[name] != committed[name]]
    return lines


def main() -> int:
    """Run the command line.

    Returns:
        0 when done or nothing differs, 1 when the committed code is stale, 2 when the protos do not compile.
    """
    parser = argparse.ArgumentParser(description="Generate the Python code of the contract.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the committed code is stale")
    arguments = parser.parse_args()
    try:
        if arguments.check:
            differences = find_differences()
            for line in differences:
                print(line)
            print(f"generated code: {len(differences)} differences" if differences else "generated code: unchanged")
            return 1 if differences else 0
        with tempfile.TemporaryDirectory(dir=PROTO_ROOT) as scratch:
            fresh_root = Path(scratch) / "python"
            generate(fresh_root)
            shutil.rmtree(PYTHON_ROOT, ignore_errors=True)
            PYTHON_ROOT.parent.mkdir(exist_ok=True)
            shutil.move(fresh_root, PYTHON_ROOT)
    except GenerationError as error:
        print(f"generation failed: {error}", file=sys.stderr)
        return 2
    print(f"generated code: {len(read_tree(PYTHON_ROOT))} files in {PYTHON_ROOT.relative_to(PROTO_ROOT.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
