"""`homegame bench [NAME…]`: measures speed, each figure beside its floor or peer of the same run."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from homegame_cli.named_path import named_path
from homegame_engine.errors import InputError

if TYPE_CHECKING:
    from homegame_cli.benchmarks.figures import Figure, Setting

SECONDS: Final = 5.0
LINE_WIDTH: Final = 160
_SI: Final = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))
_AS_FAST_FROM: Final = 0.95
_FASTER_FROM: Final = 1.25
_PARTS: Final = (
    (9 / 10, "nine tenths of it"),
    (4 / 5, "four fifths of it"),
    (2 / 3, "two thirds of it"),
    (1 / 2, "half of it"),
    (1 / 3, "a third of it"),
    (1 / 4, "a quarter of it"),
    (1 / 5, "a fifth of it"),
    (1 / 10, "a tenth of it"),
    (0.0, "next to nothing of it"),
)

app = typer.Typer(add_completion=False)


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="What to measure; all without.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of the table.")] = False,
    peers: Annotated[bool, typer.Option("--peers", help="Also measure pokerkit, phevaluator and eval7.")] = False,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to measure a figure.")] = SECONDS,
    data: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="DIR", help="Disk to measure on. [default: the folder for temporary files]"
        ),
    ] = None,
) -> None:
    """Measure how fast the parts are, each beside a floor or a peer measured in turns with it.

    The ratio is what says something: bare speeds depend on the machine and on what else it does. Progress goes to standard
    error. Exit status: 0 when all was measured, 1 when something could not be, 3 for a usage error.
    """
    from homegame_cli.benchmarks.figures import BenchError, Setting

    chosen = _choose(names or [])
    folder = _new_folder(data)
    figures: list[Figure] = []
    failed = False
    try:
        for number, name in enumerate(chosen):
            setting = Setting(seconds, folder / str(number), _say)
            setting.folder.mkdir()
            try:
                for figure in _measure(name, setting, with_peers=peers):
                    figures.append(figure)
                    if as_json:
                        print(_to_json(figure), flush=True)
            except BenchError as error:
                failed = True
                _say(f"{name}: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not as_json and figures:
        _print_table(figures)
    if failed:
        raise typer.Exit(1)


def _choose(names: Sequence[str]) -> list[str]:
    """The benchmarks of these names, or of the groups before the dot. Raises InputError for any other name."""
    from homegame_cli.benchmarks.catalogue import BENCHMARKS

    chosen: list[str] = []
    for name in names:
        found = [known for known in BENCHMARKS if known == name or known.partition(".")[0] == name]
        if not found:
            raise InputError(f"there is no benchmark {name!r}; there are: {', '.join(BENCHMARKS)}")
        chosen += [known for known in found if known not in chosen]
    return chosen or list(BENCHMARKS)


def _measure(name: str, setting: "Setting", *, with_peers: bool) -> Iterator["Figure"]:
    from homegame_cli.benchmarks import peers
    from homegame_cli.benchmarks.catalogue import BENCHMARKS

    _say(f"{name} …")
    yield from BENCHMARKS[name](setting)
    if with_peers:
        yield from peers.compare(name, setting)


def _new_folder(data: Path | None) -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="homegame-bench-", dir=data))
    except OSError as error:
        raise InputError(f"--data: {data} cannot be written: {error.strerror}") from None


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _to_json(figure: "Figure") -> str:
    return json.dumps(
        {
            "name": figure.name,
            "value": figure.value,
            "unit": figure.unit,
            "reference": figure.reference,
            "reference_value": figure.reference_value,
            "ratio": figure.ratio,
        }
    )


def _print_table(figures: Sequence["Figure"]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("name")
    table.add_column("speed", justify="right")
    table.add_column("beside", justify="right")
    table.add_column("ratio", justify="right")
    table.add_column("in words")
    table.add_column("compared with")
    for figure in figures:
        speed = f"{_rounded(figure.value)} {figure.unit}"
        row = (figure.name, speed, _rounded(figure.reference_value), f"{figure.ratio:.3g}", _in_words(figure.ratio))
        table.add_row(*row, figure.reference)
    console = Console(highlight=False)
    if not console.is_terminal:  # A program that reads the table gets its lines whole.
        console.width = LINE_WIDTH
    console.print(table)


def _rounded(value: float) -> str:
    for step, word in _SI:
        if value >= step:
            return f"{value / step:.3g} {word}"
    return f"{value:.3g}"


def _in_words(ratio: float) -> str:
    if ratio >= _FASTER_FROM:
        return f"{ratio:.3g} times as fast"
    if ratio >= _AS_FAST_FROM:
        return "as fast"
    return min(_PARTS, key=lambda part: abs(part[0] - ratio))[1]
