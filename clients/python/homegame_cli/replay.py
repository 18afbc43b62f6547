"""`homegame replay PATH…`: plays PHH hand histories and says where the engine's result differs, and by which rule."""

import collections
import json
from pathlib import Path
from typing import Annotated

import typer

from homegame_cli.named_path import named_path
from homegame_cli.progress import with_progress
from homegame_engine import catalog
from homegame_engine.errors import InputError
from homegame_engine.notation.phh import read_phh
from homegame_engine.notation.replay import ReplayResult
from homegame_engine.notation.replay import replay as replay_hand
from homegame_engine.specs import HouseSpec

app = typer.Typer(add_completion=False)


@app.command()
def replay(
    paths: Annotated[
        list[Path], typer.Argument(parser=named_path, metavar="PATH", help="PHH files, or folders of them.")
    ],
    *,
    house: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="Play under this house, or under a designer's own file of one."),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Play PHH hand histories, folders recursively, and compare the finishing stacks.

    Limit games are played in the house Points Night, the others in the Club, unless a house is named; the sizes are those of
    each file. Exit status: 0 when every difference is named by a rule of the rulebook, 1 when one is not, 3 when a file
    cannot be read. Codes of games that nobody knows count as unsupported, never as matched.
    """
    profile = read_house(house) if house else None
    files = [file for path in paths for file in hand_files(path)]
    results = [(file, replay_file(file, profile)) for file in with_progress(files, "replay")]
    print(as_json_text(results) if as_json else as_text(results))
    if any(result.outcome == "mismatch" for _, result in results):
        raise typer.Exit(1)


def hand_files(path: Path) -> list[Path]:
    """Return a file itself, or every PHH file below a folder, sorted. Raises InputError when there is nothing."""
    if path.is_dir():
        files = sorted(path.rglob("*.phh"))
        if not files:
            raise InputError(f"{path}: there is no .phh file in this folder")
        return files
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    return [path]


def read_house(name: str) -> HouseSpec:
    """Return a packaged house by its name in any case, or read a file of one. Raises NotFound, InputError."""
    file = Path(name)
    if file.suffix != ".toml":
        return catalog.house(name.upper().replace("-", "_"))
    try:
        return catalog.load_house(file.read_text(encoding="utf-8"), str(file))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: cannot be read: it is no UTF-8 text") from None


def replay_file(file: Path, house: HouseSpec | None = None) -> ReplayResult:
    """Read and play one file. Raises InputError that names the file."""
    try:
        return replay_hand(read_phh(file.read_text(encoding="utf-8")), house)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: cannot be read: it is no UTF-8 text") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def as_text(results: list[tuple[Path, ReplayResult]]) -> str:
    """One line for each difference, then the summary."""
    lines = []
    for file, result in results:
        if result.outcome == "named":
            reason = f" {result.reason}" if result.reason else ""
            lines.append(f"{file}: named by {result.rule_id}{reason}: {result.text}")
        elif result.outcome == "mismatch":
            lines.append(f"{file}: mismatch: {result.text}")
    counts = collections.Counter(result.outcome for _, result in results)
    lines.append(
        f"replay: {len(results)} hands, {counts['matched']} matched, {counts['named']} named by a rule, "
        f"{counts['unsupported']} unsupported, {counts['mismatch']} mismatches"
    )
    return "\n".join(lines)


def as_json_text(results: list[tuple[Path, ReplayResult]]) -> str:
    """The same for programs; `unsupported` counts hands by variant."""
    counts = collections.Counter(result.outcome for _, result in results)
    summary = {
        "hands": len(results),
        "matched": counts["matched"],
        "named": [
            {"file": str(file), "rule_id": result.rule_id, "reason": result.reason, "text": result.text}
            for file, result in results
            if result.outcome == "named"
        ],
        "unsupported": collections.Counter(result.text for _, result in results if result.outcome == "unsupported"),
        "mismatches": [
            {"file": str(file), "text": result.text} for file, result in results if result.outcome == "mismatch"
        ],
    }
    return json.dumps(summary)
