"""`homegame serve`: run the server on a data folder."""

from pathlib import Path
from typing import Annotated

import typer

from homegame_cli.named_path import named_path

app = typer.Typer(add_completion=False)


@app.command()
def serve(
    *,
    data: Annotated[
        Path,
        typer.Option(
            parser=named_path, metavar="DIR", help="Folder of the journal and the token key; made if it is missing."
        ),
    ],
    listen: Annotated[str, typer.Option(help="HOST:PORT; port 0 lets the system choose one.")] = "127.0.0.1:50051",
    json_logs: Annotated[bool, typer.Option("--json-logs", help="One JSON object a log line.")] = False,
    until_input_ends: Annotated[
        bool,
        typer.Option(
            "--until-input-ends", help="Stop when standard input ends, too, for a program that starts this one."
        ),
    ] = False,
) -> int:
    """Serve nights over gRPC until Ctrl-C or SIGTERM.

    Prints one line with the address, and writes it to the file `address` in the data folder.
    """
    from homegame_server.__main__ import run
    from homegame_server.config import Settings

    return run(Settings(data=data, listen=listen, json_logs=json_logs, until_input_ends=until_input_ends))
