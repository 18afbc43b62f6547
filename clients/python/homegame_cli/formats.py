"""`homegame formats [NAME]`: the formats that come with the program, or the posting of one."""

from typing import Annotated

import typer

from homegame_cli.posted import as_json_text, format_lines, short_line
from homegame_engine import catalog

app = typer.Typer(add_completion=False)


@app.command()
def formats(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Id or other name of a format; all of them without.")
    ] = "",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the definition as JSON.")] = False,
) -> None:
    """List the formats, or show the posting of one.

    Exit status: 0, or 3 when there is no such format.
    """
    if not name:
        specs = list(catalog.formats().values())
        print(as_json_text(specs) if as_json else "\n".join(short_line(spec) for spec in specs))
        return
    spec = catalog.format_by(name)
    games = [catalog.game(block.game) for block in spec.blocks]
    print(as_json_text(spec) if as_json else "\n".join(format_lines(spec, catalog.house(spec.house), games)))
