"""Where the keys of a designer's file stand: the lines that the messages about it name (GAME-DC-04)."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homegame_engine.toml_lines import key_lines

ALL_SORTS = '''# A comment with [brackets] and = signs
id = "A" # "not" ended here
"a.b".c = [1,
  "x]", # ]
  {y = 1, z.w = """q
""" },
]
[players]
min = 2

[[steps]]
step = "BET"
[[steps]]
count = 3
[steps.sub]
day = 1979-05-27 07:32:00
[[steps.rows]]
path = 'C:\\'
[[steps.rows]]
words = """a\\""" b""""" # ]]
none = {}
[ "odd ] name" . last ]
k = "\\"="
'''

ALL_LINES = {
    "id": 2,
    "a.b": 3,
    "a.b.c": 3,
    "a.b.c[0]": 3,
    "a.b.c[1]": 4,
    "a.b.c[2]": 5,
    "a.b.c[2].y": 5,
    "a.b.c[2].z": 5,
    "a.b.c[2].z.w": 5,
    "players": 8,
    "players.min": 9,
    "steps": 11,
    "steps[0]": 11,
    "steps[0].step": 12,
    "steps[1]": 13,
    "steps[1].count": 14,
    "steps[1].sub": 15,
    "steps[1].sub.day": 16,
    "steps[1].rows": 17,
    "steps[1].rows[0]": 17,
    "steps[1].rows[0].path": 18,
    "steps[1].rows[1]": 19,
    "steps[1].rows[1].words": 20,
    "steps[1].rows[1].none": 21,
    "odd ] name": 22,
    "odd ] name.last": 22,
    "odd ] name.last.k": 23,
}


def paths_of(value: object, path: str = "") -> list[str]:
    """Every path of what the standard reader made of a text."""
    paths = [path] if path else []
    if isinstance(value, dict):
        for key, item in value.items():
            paths += paths_of(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            paths += paths_of(item, f"{path}[{index}]")
    return paths


def test_every_way_of_writing_a_key_is_found_on_its_line() -> None:
    tomllib.loads(ALL_SORTS)
    assert key_lines(ALL_SORTS) == ALL_LINES


def test_windows_line_ends_change_nothing() -> None:
    assert key_lines(ALL_SORTS.replace("\n", "\r\n")) == ALL_LINES


@pytest.mark.parametrize("folder", ["games", "houses", "formats", "tables"])
def test_every_key_of_every_packaged_file_has_a_line_that_holds_it(folder: str) -> None:
    for entry in resources.files("homegame_engine").joinpath(folder).iterdir():
        text = entry.read_text(encoding="utf-8")
        lines = key_lines(text)
        assert set(paths_of(tomllib.loads(text))) == set(lines)
        for path, line in lines.items():
            key = path.rpartition(".")[2].partition("[")[0]
            assert key in text.splitlines()[line - 1] or path.endswith("]"), (entry.name, path)


TEXTS = st.text(alphabet="ab'\"\\#=[]{},.\n \té", max_size=12)
KEYS = st.text(alphabet="abc_-0", min_size=1, max_size=4) | st.text(alphabet="a.] =#\"'", min_size=1, max_size=4)
PLAIN = st.integers(-9, 9) | st.booleans() | TEXTS
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
BLANKS = st.sampled_from(["", " ", "\t"])
BREAKS = st.sampled_from(["", "\n", ' # ] } = "\n', "\n\n  "])


def quoted(text: str, style: int) -> str:
    """A text in one of the four styles of TOML that can hold it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if style == 1 and "'" not in text and "\n" not in text:
        return f"'{text}'"
    if style == 2 and "'" not in text:
        return f"'''\n{text}'''"
    if style == 3:
        return f'"""{escaped}"""'
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'


class Writer:
    """Writes a file piece by piece and notes the line on which each path begins."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.lines: dict[str, int] = {}

    def note(self, path: str) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def write(self, text: str) -> None:
        self.text += text

    def pair(self, path: str, key: str, value: object) -> None:
        path = f"{path}.{key}" if path else key
        self.note(path)
        self.write(key if key.replace("-", "").replace("_", "").isalnum() else quoted(key, 0))
        self.write(self.draw(BLANKS) + "=" + self.draw(BLANKS))
        self.value(path, value)

    def value(self, path: str, value: object) -> None:
        if isinstance(value, bool):
            self.write(str(value).lower())
        elif isinstance(value, int):
            self.write(str(value))
        elif isinstance(value, str):
            self.write(quoted(value, self.draw(st.integers(0, 3))))
        elif isinstance(value, list):
            self.write("[" + self.draw(BREAKS))
            for index, item in enumerate(value):
                self.note(f"{path}[{index}]")
                self.value(f"{path}[{index}]", item)
                self.write(self.draw(BREAKS) + "," + self.draw(BREAKS))
            self.write("]")
        elif isinstance(value, dict):
            self.write("{" + self.draw(BLANKS))
            for number, (key, item) in enumerate(value.items()):
                self.write("," + self.draw(BLANKS) if number else "")
                self.pair(path, key, item)
            self.write(self.draw(BLANKS) + "}")


@st.composite
def files(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    """A file of random keys and values, and the line of each of its paths."""
    writer = Writer(draw)
    names = draw(st.lists(KEYS, max_size=4, unique=True))
    for name in names:
        writer.pair("", name, draw(VALUES))
        writer.write(draw(st.sampled_from(["\n", " # = [\n", "\n\n"])))
    for number in range(draw(st.integers(0, 2))):
        table = f"table{number}"
        n_rows = draw(st.integers(1, 3))
        for row in range(n_rows):
            path = table if n_rows == 1 else f"{table}[{row}]"
            if row == 0:
                writer.note(table)
            writer.note(path)
            writer.write(f"[{table}]\n" if n_rows == 1 else f"[[{table}]]\n")
            for name in draw(st.lists(KEYS, max_size=2, unique=True)):
                writer.pair(path, name, draw(VALUES))
                writer.write("\n")
    return writer.text, writer.lines


@given(files())
def test_the_line_of_every_key_is_the_one_on_which_it_was_written(file: tuple[str, dict[str, int]]) -> None:
    text, lines = file
    assert set(paths_of(tomllib.loads(text))) == set(lines)  # The test's own writing is sound.
    assert key_lines(text) == lines
