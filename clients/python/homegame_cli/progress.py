"""A progress bar on the terminal, and silence where the output goes to a program."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, track

_Item = TypeVar("_Item")


def with_progress(items: Sequence[_Item], description: str) -> Iterator[_Item]:
    """Go through `items`; the bar is drawn on standard error, and only where that is a terminal."""
    console = Console(stderr=True)
    tracked: Iterable[_Item] = items
    if console.is_terminal:
        tracked = track(items, description=description, console=console, transient=True)
    yield from tracked


@contextmanager
def progress_bar(description: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar for work that says itself how far it is: call what is given with that number. Drawn where `with_progress` draws."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done: bar.update(task, completed=done)
