"""Entry point: `python -m homegame_server --data DIR --listen HOST:PORT`, the same as `homegame serve`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import uvloop

from homegame_engine.errors import HomegameError, InputError
from homegame_server.app import serve
from homegame_server.config import Settings

EXIT_USAGE = 3
EXIT_FAILED = 1


def run(settings: Settings) -> int:
    """Serve until stopped; returns the exit status, saying on standard error what to do about a failure."""
    try:
        uvloop.run(serve(settings))
    except InputError as error:
        sys.stderr.write(f"homegame serve: {error.message}\n")
        return EXIT_USAGE
    except OSError as error:
        what = f"cannot use {error.filename}: {error.strerror}" if error.filename else str(error)
        sys.stderr.write(f"homegame serve: {what}; the data folder has to be whole and writable, or name another\n")
        return EXIT_FAILED
    except HomegameError as error:
        sys.stderr.write(f"homegame serve: {error}\n")
        return EXIT_FAILED
    return 0


def _folder(name: str) -> Path:
    if not name.strip():  # As an unset variable of the shell leaves it; it would mean the folder one is in.
        raise argparse.ArgumentTypeError("the name is empty; write . where you mean the folder you are in")
    return Path(name)


def main() -> int:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m homegame_server", description=__doc__)
    parser.add_argument("--data", type=_folder, required=True, help="folder of the journal and the token key")
    parser.add_argument("--listen", default="127.0.0.1:50051", help="HOST:PORT; port 0 lets the system choose")
    parser.add_argument("--json-logs", action="store_true", help="one JSON object a log line")
    parser.add_argument("--until-input-ends", action="store_true", help="stop when standard input ends, too")
    arguments = parser.parse_args()
    try:
        settings = Settings(
            data=arguments.data,
            listen=arguments.listen,
            json_logs=arguments.json_logs,
            until_input_ends=arguments.until_input_ends,
        )
    except InputError as error:
        sys.stderr.write(f"homegame serve: {error.message}\n")
        return EXIT_USAGE
    return run(settings)


if __name__ == "__main__":
    sys.exit(main())
