"""Lines to read that break between words and go on below their own text, not below what stands in front of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from rich.console import Console, ConsoleOptions
from rich.text import Text


class Entry(Text):
    """A line whose text stands behind a key: a row of the posting, what a key of the keyboard does."""

    __slots__ = ("indent",)

    indent: int

    @classmethod
    def of(cls, key: str, text: str, style: str = "") -> Self:
        """A line with `key`, which brings its own spaces, in a style and the text behind it."""
        entry = cls()
        entry.append(key, style)
        entry.append(text)
        entry.indent = len(key)
        return entry


@dataclass(frozen=True)
class Hanging:
    """Lines as wide as the place where they are shown.

    Args:
        lines: What to show. A line that is no entry goes on below its first letter.
    """

    lines: Sequence[Text]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """See rich's protocol."""
        for line in self.lines:
            yield from broken(line, console, options.max_width)


def broken(line: Text, console: Console, columns: int) -> list[Text]:
    """The line broken to this width; where the indent leaves no room it is given up."""
    indent = line.indent if isinstance(line, Entry) else len(line.plain) - len(line.plain.lstrip(" "))
    if len(line) == indent or columns < 2 * indent:
        return list(line.wrap(console, columns)) or [line]
    pieces = line[indent:].wrap(console, columns - indent)
    return [line[:indent] + pieces[0], *(Text(" " * indent) + piece for piece in pieces[1:])]
