"""A progress bar on the terminal, and silence where the output goes to a program."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track

_Item = TypeVar("_Item")


def with_progress(items: Sequence[_Item], description: str) -> Iterator[_Item]:
    """Go through `items`; the bar is drawn on standard error, and only where that is a terminal."""
    console = Console(stderr=True)
    tracked: Iterable[_Item] = items
    if console.is_terminal:
        tracked = track(items, description=description, console=console, transient=True)
    yield from tracked
