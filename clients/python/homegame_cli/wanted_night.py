"""What a command line wants to be played: a posted format, or a table of one game in a house."""

from pathlib import Path
from typing import Final

import typer

from homegame.v1.night_service_pb2 import TableSettings
from homegame_cli.named_games import file_text, game_or_file, is_file_name
from homegame_client.player.hosting import FORMAT, WantedNight
from homegame_engine import catalog

HOUSE: Final = "CLUB"

GAME_HELP: Final = "A table of this game instead of a format: id, another name, or the file of a game of your own."
HOUSE_HELP: Final = f"The house whose options are played. [default: the format's own; with --game {HOUSE}]"
FORMAT_HELP: Final = f"The format, by id or alias. [default: {FORMAT}]"


def wanted_night(*, format_id: str | None, game: str | None, house: str | None) -> WantedNight:
    """Return what to create from the options of a command, looked up before a server is started for it.

    Raises:
        typer.BadParameter: both a game and a format.
        NotFound: no such format, game or house.
        InputError: a file that cannot be read, or that describes no game.
    """
    house_id = house.upper().replace("-", "_") if house is not None else None
    if house_id is not None:
        catalog.house(house_id)
    if game is None:
        return WantedNight(format_id=catalog.format_by(format_id).id if format_id else FORMAT, house_id=house_id)
    if format_id is not None:
        raise typer.BadParameter("name a game or a format, not both", param_hint="--game")
    played = game_or_file(game)
    table = TableSettings(house_id=house_id or HOUSE)
    if is_file_name(game):
        table.game_text = file_text(Path(game))
    else:
        table.game_id = played.id
    return WantedNight(format_id="", table=table)
