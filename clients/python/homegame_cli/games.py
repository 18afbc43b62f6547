"""`homegame games`: the games that come with the program, the posted rule card of one, and the check of a designer's file."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from homegame_cli.checked_files import check_files
from homegame_cli.named_games import game_or_file
from homegame_cli.named_path import named_path
from homegame_cli.posted import as_json_text, card_lines, short_line
from homegame_cli.shown_by_default import ShowsByDefault
from homegame_engine import catalog
from homegame_engine.rule_card import Section, rule_card
from homegame_engine.specs import GameSpec, HandRules
from homegame_engine.stakes import level_rules

app = typer.Typer(add_completion=False, cls=ShowsByDefault)


@app.callback(invoke_without_command=True)
def games(
    context: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the definitions as JSON.")] = False,
) -> None:
    """List the games, show the rule card of one, or check files of your own."""
    if context.invoked_subcommand is not None:
        return
    specs = list(catalog.games().values())
    print(as_json_text(specs) if as_json else "\n".join(short_line(spec) for spec in specs))


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="Id or other name of a game, or a game's file.")],
    *,
    house: Annotated[str, typer.Option(metavar="HOUSE", help="Id of a house, for its sizes and options.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the definition and the card as JSON.")] = False,
) -> None:
    """Show the rule card of a game as it is posted: what is dealt, bet and won.

    Exit status: 0, or 3 when there is no such game or house, or the file is no game.
    """
    spec = game_or_file(name)
    sections = rule_card(spec, _house_rules(spec, house) if house else None)
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(_definition(spec, sections))).decode())
        return
    print("\n".join(card_lines(spec, sections)))


@app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(parser=named_path, metavar="FILE…", help="Files that describe a game each.")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answers as JSON.")] = False,
) -> int:
    """Check games of your own: whether a dealer could call them, and if not, what stands in the way and where.

    Exit status: 0 when all are fine, 1 when one is not, 3 when a file cannot be read.
    """
    return check_files(files, catalog.load_called_game, as_json=as_json)


def _house_rules(spec: GameSpec, house_id: str) -> HandRules:
    posted = catalog.table_format(spec, house_id.upper())
    return level_rules(catalog.house(posted.house), posted.levels[0], posted.betting.structure)


def _definition(spec: GameSpec, sections: tuple[Section, ...]) -> dict[str, object]:
    definition: dict[str, object] = msgspec.to_builtins(spec)
    return definition | {"rule_card": [{"title": section.title, "lines": section.lines} for section in sections]}
