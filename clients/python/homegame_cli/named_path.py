"""A file or folder as a command line names it."""

from pathlib import Path

import typer


def named_path(name: str) -> Path:
    """Return the path of that name.

    Raises:
        typer.BadParameter: the name is empty, as an unset variable of the shell leaves it; it would mean the folder one is in.
    """
    if not name.strip():
        raise typer.BadParameter("the name is empty; write . where you mean the folder you are in")
    return Path(name)
