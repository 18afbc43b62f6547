"""The answer to `check`: whether what a designer wrote can be played, and if not, what stands in the way and where."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from homegame_cli.named_games import file_text
from homegame_engine.errors import SpecError
from homegame_engine.specs import FormatSpec, GameSpec

EXIT_BROKEN: Final = 1

_Read = Callable[[str, str], FormatSpec | GameSpec]
"""Reads a text that has a name. Raises SpecError."""


def check_files(files: Sequence[Path], read: _Read, *, as_json: bool) -> int:
    """Print what is said of each file and return the exit status. Raises InputError for a file that cannot be read."""
    answers = [_answer(path, read) for path in files]
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(answers)).decode())
    else:
        for answer in answers:
            print(answer["message"] or f"{answer['file']}: {answer['id']} can be played")
    return EXIT_BROKEN if any(answer["message"] for answer in answers) else 0


def _answer(path: Path, read: _Read) -> dict[str, str | int]:
    """What is said of one file; `message` is empty when it is fine."""
    try:
        spec = read(file_text(path), str(path))
    except SpecError as error:
        return {
            "file": str(path),
            "id": "",
            "message": error.message,
            "line": error.line,
            "field": error.field,
            "reason": str(error.reason),
            "rule_id": error.rule_id,
        }
    return {"file": str(path), "id": spec.id, "message": ""}
