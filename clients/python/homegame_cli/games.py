"""`homegame games [NAME]`: the games that come with the program, or one of them."""

from typing import Annotated

import typer

from homegame_cli.posted import as_json_text, game_lines, short_line
from homegame_engine import catalog

app = typer.Typer(add_completion=False)


@app.command()
def games(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Id of a game, in any case; all of them without.")] = "",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the definition as JSON.")] = False,
) -> None:
    """List the games, or describe one.

    Exit status: 0, or 3 when there is no such game.
    """
    if not name:
        specs = list(catalog.games().values())
        print(as_json_text(specs) if as_json else "\n".join(short_line(spec) for spec in specs))
        return
    spec = catalog.game(name.upper())
    print(as_json_text(spec) if as_json else "\n".join(game_lines(spec)))
