"""`homegame watch ADDRESS NIGHT [TABLE]`: a table as spectators see it, from any terminal that reaches the server."""

import sys
from dataclasses import replace
from typing import Annotated, Final

import typer
from rich.console import Console

from homegame_cli.until_ended import run_until_ended
from homegame_client import Client, ClientError, GrpcTransport, RetryPolicy, TableRef, open_channel
from homegame_client.errors import RefusedError
from homegame_client.terminal.screen import choose_display, follow_table, print_line
from homegame_client.terminal.sheet import draw_sheet

PORT_MAX: Final = 65_535
FIRST_ANSWER_S: Final = 5.0

app = typer.Typer(add_completion=False)


@app.command()
def watch(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the server listens: HOST:PORT.")],
    night: Annotated[str, typer.Argument(metavar="NIGHT", help="Id of the night.")],
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="Id of the table. [default: the night's first]")] = "",
    *,
    plain: Annotated[bool, typer.Option("--plain", help="A line for each event instead of the picture.")] = False,
) -> None:
    """Watch a table until its night is closed; hidden cards stay hidden.

    Exit status: 0 when the night was closed, 1 when there is no such table or the server stays away, 3 for a usage error,
    143 when it was terminated or its terminal closed.
    """
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal() and 0 < int(port) <= PORT_MAX):
        raise typer.BadParameter(
            f"expected HOST:PORT, for example 127.0.0.1:50051, got {address!r}", param_hint="ADDRESS"
        )
    console = Console(highlight=False)
    try:
        run_until_ended(_watch(address, night, table, console, plain=plain), (console.file,))
    except RefusedError as refusal:
        print(f"homegame watch: {refusal.message}", file=sys.stderr)
        raise typer.Exit(1) from None
    except ClientError as error:
        print(f"homegame watch: {error.message}; is a server running at {address}?", file=sys.stderr)
        raise typer.Exit(1) from None


async def _watch(address: str, night_id: str, table_id: str, console: Console, *, plain: bool) -> None:
    async with open_channel(address) as channel:
        client = Client(GrpcTransport(channel))
        # A wrong address should not take as long to notice as a server that restarts while one watches.
        found = await replace(client, retry=RetryPolicy(deadline_s=FIRST_ANSWER_S)).nights.get(night_id)
        table_id = table_id or found.night.tables[0].table_id
        table = TableRef(night_id, table_id)
        await follow_table(client, table, choose_display(console, plain=plain))
        for line in draw_sheet(await client.nights.scoresheet(table)):
            print_line(console, line)
