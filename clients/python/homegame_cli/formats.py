"""`homegame formats`: the formats that come with the program, the posting of one, and the check of a designer's file."""

from pathlib import Path
from typing import Annotated

import typer

from homegame_cli.checked_files import check_files
from homegame_cli.named_games import format_or_file
from homegame_cli.named_path import named_path
from homegame_cli.posted import as_json_text, format_lines, short_line
from homegame_cli.shown_by_default import ShowsByDefault
from homegame_engine import catalog

app = typer.Typer(add_completion=False, cls=ShowsByDefault)


@app.callback(invoke_without_command=True)
def formats(
    context: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the definitions as JSON.")] = False,
) -> None:
    """List the formats, show the posting of one, or check files of your own."""
    if context.invoked_subcommand is not None:
        return
    specs = list(catalog.formats().values())
    print(as_json_text(specs) if as_json else "\n".join(short_line(spec) for spec in specs))


@app.command()
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="Id or other name of a format, GAME-HOUSE for a table of a game, or a format's file.",
        ),
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the definition as JSON.")] = False,
) -> None:
    """Show the posting of a format.

    Exit status: 0, or 3 when there is no such format, or the file is no format.
    """
    spec = format_or_file(name)
    games = [catalog.game(block.game) for block in spec.blocks]
    print(as_json_text(spec) if as_json else "\n".join(format_lines(spec, catalog.house(spec.house), games)))


@app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(parser=named_path, metavar="FILE…", help="Files that describe a format each.")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answers as JSON.")] = False,
) -> int:
    """Check formats of your own: whether a night could be played by them, and if not, what stands in the way and where.

    Exit status: 0 when all are fine, 1 when one is not, 3 when a file cannot be read.
    """
    return check_files(files, catalog.load_format, as_json=as_json)
