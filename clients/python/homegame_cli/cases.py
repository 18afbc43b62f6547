"""`homegame cases FILE…`: plays JSON-lines case files, plain or gzip, and says where the engine differs."""

import collections
import gzip
import json
import zlib
from pathlib import Path
from typing import Annotated

import typer

from homegame_cli.named_path import named_path
from homegame_cli.progress import with_progress
from homegame_engine.errors import InputError
from homegame_engine.notation.cases import Case, CaseResult, read_case, run_case

GZIP_MAGIC = b"\x1f\x8b"

app = typer.Typer(add_completion=False)


@app.command()
def cases(
    files: Annotated[list[Path], typer.Argument(parser=named_path, metavar="FILE", help="Case files, plain or gzip.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Play case files and compare every legal amount, every stack and every award.

    Exit status: 0 when no case differs, 1 when one does, 3 when a file cannot be read.
    """
    read = [case for file in files for case in read_cases(file)]
    results = [play_case(case) for case in with_progress(read, "cases")]
    print(as_json_text(results) if as_json else as_text(results))
    if any(result.outcome == "mismatch" for result in results):
        raise typer.Exit(1)


def read_cases(file: Path) -> list[Case]:
    """Read one file. Raises InputError that names the file and the line, or says that there is no case."""
    try:
        content = file.read_bytes()
        if content.startswith(GZIP_MAGIC):
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is no whole gzip file"
        raise InputError(f"{file}: cannot be read: {reason}") from None
    read = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            read.append(read_case(line))
        except InputError as error:
            raise InputError(f"{file}, line {number}: {error.message}") from None
    if not read:
        raise InputError(f"{file}: there is no case in this file")
    return read


def play_case(case: Case) -> CaseResult:
    """Play one case. Raises InputError that names it when it cannot be dealt."""
    try:
        return run_case(case)
    except InputError as error:
        raise InputError(f"case {case.id} cannot be dealt: {error}") from None


def as_text(results: list[CaseResult]) -> str:
    """One line a mismatch, then the summary."""
    lines = [f"{result.id}: {result.text}" for result in results if result.outcome == "mismatch"]
    counts = collections.Counter(result.outcome for result in results)
    lines.append(
        f"cases: {counts['ok']} of {len(results)} passed, {counts['mismatch']} mismatches, "
        f"{counts['unsupported']} unsupported"
    )
    return "\n".join(lines)


def as_json_text(results: list[CaseResult]) -> str:
    """The same for programs."""
    counts = collections.Counter(result.outcome for result in results)
    summary = {
        "cases": len(results),
        "passed": counts["ok"],
        "mismatches": [{"id": r.id, "text": r.text} for r in results if r.outcome == "mismatch"],
        "unsupported": counts["unsupported"],
    }
    return json.dumps(summary)
