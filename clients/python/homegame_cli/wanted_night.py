"""What a command line wants to be played: a posted format, or a table of one game in a house."""

from pathlib import Path
from typing import Final

import typer

from homegame.v1.night_service_pb2 import TableSettings
from homegame_client.player.hosting import FORMAT, WantedNight

HOUSE: Final = "CLUB"

GAME_HELP: Final = "A table of this game instead of a format: id, another name, or the file of a game of your own."
HOUSE_HELP: Final = f"The house whose options are played. [default: the format's own; with --game {HOUSE}]"
FORMAT_HELP: Final = f"The format, by id or alias. [default: {FORMAT}]"


def wanted_night(*, format_id: str | None, game: str | None, house: str | None) -> WantedNight:
    """Return what to create from the options of a command.

    Raises:
        typer.BadParameter: both a game and a format, or a file that cannot be read.
    """
    house_id = house.upper().replace("-", "_") if house is not None else None
    if game is None:
        return WantedNight(format_id=format_id or FORMAT, house_id=house_id)
    if format_id is not None:
        raise typer.BadParameter("name a game or a format, not both", param_hint="--game")
    table = TableSettings(house_id=house_id or HOUSE)
    if Path(game).suffix == ".toml":
        table.game_text = _file_text(Path(game))
    else:
        table.game_id = game
    return WantedNight(format_id="", table=table)


def _file_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{path} is no text in UTF-8", param_hint="--game") from None
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be read: {error.strerror}", param_hint="--game") from None
