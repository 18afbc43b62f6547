"""Games as a command line names them: by id, by another name, or by the file that describes one."""

from pathlib import Path

from homegame_engine import catalog
from homegame_engine.errors import InputError
from homegame_engine.specs import GameSpec


def game_or_file(name: str) -> GameSpec:
    """Return the game that a command line names. Raises NotFound, or InputError for a file that is no game."""
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return catalog.load_game(file_text(path), name)
    return catalog.game_by(name)


def file_text(path: Path) -> str:
    """Return what a file says. Raises InputError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
