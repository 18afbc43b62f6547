"""Entry point of `homegame`: finds the subcommand, imports its part, and turns mistakes of usage into exit status 3.

A subcommand is one line in `SUBCOMMANDS` and one module that offers `app`, a Typer application. Statuses 0, 1 and 2
belong to the subcommands; 3 means that the command line or its input could not be understood, 130 an interruption.
"""

import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

import typer
from typer.exceptions import TyperException

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 3
EXIT_INTERRUPTED: Final = 130


_OUTPUT_FAILED: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EPIPE)
"""How writing to the terminal, a file or a pipe fails for reasons that are none of this program's."""


class Subcommand(NamedTuple):
    """Where a subcommand lives, what it does in one line, and the extra that brings what it imports."""

    module: str
    summary: str
    extra: str = ""


SUBCOMMANDS: Final[dict[str, Subcommand]] = {
    "serve": Subcommand("homegame_cli.serve", "run a server on a data folder", "server"),
    "play": Subcommand("homegame_cli.play", "sit down at a table and play, with bots or with others", "client"),
    "night": Subcommand("homegame_cli.night", "play one points night of bots over gRPC, with a live view", "server"),
    "watch": Subcommand("homegame_cli.watch", "watch a table of a running server", "server"),
    "formats": Subcommand(
        "homegame_cli.formats", "list the formats, show the posting of one, or check one of your own"
    ),
    "games": Subcommand("homegame_cli.games", "list the games, show a rule card, or check a game of your own"),
    "odds": Subcommand("homegame_cli.odds", "say who wins how often, or how often each hand comes, in any game"),
    "cases": Subcommand("homegame_cli.cases", "play case files and compare every legal amount and result"),
    "replay": Subcommand("homegame_cli.replay", "play PHH hand histories and compare the finishing stacks"),
    "sim": Subcommand("homegame_cli.sim", "play many sessions of a game and report how the start roles fared", "sim"),
    "verify": Subcommand("homegame_cli.verify", "check a journal, or the proof of a deal", "server"),
    "bench": Subcommand("homegame_cli.bench", "measure speed, each figure beside its floor or a peer", "server"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command line and exit."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that another player chose must not end a program whose terminal cannot spell it.
        sys.stdout.reconfigure(errors="replace")
    try:
        status = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in _OUTPUT_FAILED:
            raise
        _drop_output()
        print(f"homegame: what is to be said cannot be written: {error.strerror}", file=sys.stderr)
        status = EXIT_FAILED
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_overview())
        return 0 if arguments else EXIT_USAGE
    if arguments[0] == "--version":
        print(_version())
        return 0
    name, *rest = arguments
    if name not in SUBCOMMANDS:
        return _usage_error(f"there is no command {name!r}; `homegame --help` lists them")
    return _run_subcommand(name, SUBCOMMANDS[name], rest)


def _drop_output() -> None:
    """Let what is still to be written go nowhere: the interpreter would try again when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _run_subcommand(name: str, subcommand: Subcommand, arguments: list[str]) -> int:
    from homegame_engine.errors import InputError, NotAllowed, NotFound

    # gRPC reads it when it is imported. Its own notes would break the picture and stand between the lines of the log.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        app = importlib.import_module(subcommand.module).app
    except ModuleNotFoundError as error:
        if not subcommand.extra or (error.name or "").startswith("homegame"):
            raise
        wanted = f"pip install 'homegame[{subcommand.extra}]'"
        return _usage_error(f"`homegame {name}` needs {error.name}, which is not installed: {wanted}")
    command = typer.main.get_command(app)
    try:
        status = command.main(args=arguments, prog_name=f"homegame {name}", standalone_mode=False)
    except TyperException as error:
        return _usage_error(f"{error.format_message().rstrip('.')}; `homegame {name} --help` shows the usage")
    except InputError as error:
        return _usage_error(error.message)
    except (NotFound, NotAllowed) as error:
        from homegame_cli.named_games import where_listed

        hint = where_listed(error) if isinstance(error, NotFound) else ""
        return _usage_error(f"{error}; {hint}" if hint else str(error))
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    return status if isinstance(status, int) else 0


def _usage_error(message: str) -> int:
    print(f"homegame: {message}", file=sys.stderr)
    return EXIT_USAGE


def _overview() -> str:
    width = max(len(name) for name in SUBCOMMANDS) + 2
    lines = [f"  {name:<{width}}{subcommand.summary}" for name, subcommand in SUBCOMMANDS.items()]
    return "\n".join(["usage: homegame COMMAND [ARGUMENTS]", "", *lines, "", "homegame COMMAND --help tells more."])


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"homegame {version('homegame')}"
    except PackageNotFoundError:
        return "homegame, not installed: run from a checkout"


if __name__ == "__main__":
    main()
