"""Games and formats as a command line names them: by id, by another name, or by the file that describes one."""

from pathlib import Path

from homegame_engine import catalog
from homegame_engine.errors import InputError, NotFound
from homegame_engine.specs import FormatSpec, GameSpec


def is_file_name(name: str) -> bool:
    """Whether a name on a command line means a file: it ends like one, or there is one."""
    path = Path(name)
    return path.suffix == ".toml" or path.is_file()


def game_or_file(name: str) -> GameSpec:
    """Return the game that a command line names. Raises NotFound, or InputError for a file that is no game."""
    return catalog.load_game(file_text(Path(name)), name) if is_file_name(name) else catalog.game_by(name)


def format_or_file(name: str) -> FormatSpec:
    """Return the format that a command line names. Raises NotFound, or InputError for a file that is no format."""
    return catalog.load_format(file_text(Path(name)), name) if is_file_name(name) else catalog.format_by(name)


def file_text(path: Path) -> str:
    """Return what a file says. Raises InputError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def where_listed(missing: NotFound) -> str:
    """Return what a person does about a name that nothing has, "" where there is no list of its kind."""
    match missing.kind:
        case "game":
            return "`homegame games` lists them"
        case "format":
            return "`homegame formats` lists them, and GAME-HOUSE is a table of any game"
        case "house":
            return f"there are: {', '.join(catalog.tables())}"
        case _:
            return ""
