"""Where the keys of a TOML text stand: their lines, which the standard reader does not tell.

Scans only a text that `tomllib` has accepted, so it need not judge anything: it walks over keys and values and remembers
the line on which each begins.
"""

import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

_BLANKS: Final = " \t\r\n"
_ENDS_OF_PLAIN_VALUES: Final = ",]}#\n"
_QUOTES: Final = ('"""', "'''", '"', "'")  # The longer ones first.


def key_lines(text: str) -> Mapping[str, int]:
    """Find the line, counted from 1, of every table, key and list item of a sound TOML text.

    Paths are written as in the messages about a file: `steps[3].count`, `levels[1]`, `players`. A table that only its keys
    imply (`a.b = 1`) stands on the line of the first of them.
    """
    scanner = _Scanner(text)
    scanner.scan()
    return scanner.lines


class _Scanner:
    """Walks through one text; `lines` grows on the way."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.lines: dict[str, int] = {}
        self._line_starts = [0, *(index + 1 for index, letter in enumerate(text) if letter == "\n")]
        self._n_tables: dict[str, int] = {}  # Tables so far in each list that `[[...]]` has begun.
        self._table = ""

    def scan(self) -> None:
        self._skip_blanks()
        while self.position < len(self.text):
            if self._next("["):
                self._header()
            else:
                self._pair(self._table)
            self._skip_blanks()

    def _header(self) -> None:
        is_list = self._next("[[")
        self.position += 2 if is_list else 1
        parts = self._key()
        path = ""
        for index, part in enumerate(parts):
            path = _under(path, part)
            self._note(path)
            if is_list and index == len(parts) - 1:
                self._n_tables[path] = self._n_tables.get(path, 0) + 1
            if path in self._n_tables:
                path = f"{path}[{self._n_tables[path] - 1}]"
                self._note(path)
        self._table = path
        self.position = self.text.index("]", self.position) + (2 if is_list else 1)

    def _pair(self, table: str) -> None:
        """One `key = value`."""
        path = table
        self._skip_blanks()
        begin = self.position
        parts = self._key()
        for part in parts:
            path = _under(path, part)
            self._note(path, begin)
        self.position = self.text.index("=", self.position) + 1
        self._value(path)

    def _key(self) -> list[str]:
        """The parts of a dotted key, unquoted; afterwards the position is behind them."""
        begin = self.position
        while self.text[self.position] not in "=]":
            quote = self._quote()
            if quote:
                self._skip_text(quote)
            else:
                self.position += 1
        parts: list[str] = []
        nested: object = tomllib.loads(f"{self.text[begin : self.position]} = 0")
        while isinstance(nested, dict):
            ((part, nested),) = nested.items()
            parts.append(part)
        return parts

    def _value(self, path: str) -> None:
        self._skip_blanks()
        quote = self._quote()
        if quote:
            self._skip_text(quote)
        elif self._next("["):
            self._items(path)
        elif self._next("{"):
            self._inline_table(path)
        else:
            while self.position < len(self.text) and self.text[self.position] not in _ENDS_OF_PLAIN_VALUES:
                self.position += 1

    def _items(self, path: str) -> None:
        self.position += 1
        index = 0
        self._skip_blanks()
        while not self._next("]"):
            self._note(f"{path}[{index}]")
            self._value(f"{path}[{index}]")
            index += 1
            self._skip_comma()
        self.position += 1

    def _inline_table(self, path: str) -> None:
        self.position += 1
        self._skip_blanks()
        while not self._next("}"):
            self._pair(path)
            self._skip_comma()
        self.position += 1

    def _quote(self) -> str:
        """The quote that begins here, "" for none."""
        return next((quote for quote in _QUOTES if self._next(quote)), "")

    def _skip_text(self, quote: str) -> None:
        self.position += len(quote)
        while not self._next(quote):
            self.position += 2 if self._next("\\") and quote[0] == '"' else 1
        self.position += len(quote)
        while len(quote) > 1 and self._next(quote[0]):  # Up to two quotes of the text itself may stand before the end.
            self.position += 1

    def _skip_comma(self) -> None:
        self._skip_blanks()
        if self._next(","):
            self.position += 1
            self._skip_blanks()

    def _skip_blanks(self) -> None:
        """Blanks, ends of lines and comments."""
        while self.position < len(self.text) and self.text[self.position] in _BLANKS + "#":
            if self._next("#"):
                end = self.text.find("\n", self.position)
                self.position = len(self.text) if end < 0 else end
            else:
                self.position += 1

    def _next(self, expected: str) -> bool:
        return self.text.startswith(expected, self.position)

    def _note(self, path: str, position: int | None = None) -> None:
        at = self.position if position is None else position
        self.lines.setdefault(path, bisect_right(self._line_starts, at))


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
