"""`homegame sim NAME …`: plays many sessions of a format, or of any game at any house, and reports how the start roles fared."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from homegame_cli.named_games import file_text, is_file_name
from homegame_cli.named_path import named_path
from homegame_engine import catalog
from homegame_engine.errors import InputError, NotFound, SpecError
from homegame_sim import driver
from homegame_sim.report import ReportDocument, build_document, json_bytes, text_bytes
from homegame_sim.study import HAND_SECONDS_DEFAULT, FormatFile, GameFile, Study, plan_study

app = typer.Typer(add_completion=False)


@app.command()
def sim(  # noqa: PLR0913 - one parameter for each option
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="A format, as points-night, or a format's file; with --house a game, or a game's file.",
        ),
    ],
    *,
    sessions: Annotated[int, typer.Option(help="Sessions; rounded up to whole rotation blocks.")],
    house: Annotated[str | None, typer.Option(help="Id of the house whose table plays the game.")] = None,
    players: Annotated[int, typer.Option(help="Players of a session.")] = 6,
    policy: Annotated[str, typer.Option(help="What all play: fold, call, random, tight or loose.")] = "tight",
    seed: Annotated[int, typer.Option(help="The same seed gives the same report.")] = 0,
    hands: Annotated[int | None, typer.Option(help="Hands of a session.")] = None,
    minutes: Annotated[int | None, typer.Option(help="Cutoff instead; without both, the format's own.")] = None,
    hand_seconds: Annotated[int, typer.Option(help="Length of a hand, for --minutes.")] = HAND_SECONDS_DEFAULT,
    ray: Annotated[bool, typer.Option("--ray", help="Use Ray: a local one, or the one at RAY_ADDRESS.")] = False,
    workers: Annotated[int | None, typer.Option(help="Threads, or with --ray processes.")] = None,
    chunk: Annotated[int | None, typer.Option(help="Rotation blocks handed out at a time.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Report as JSON instead of text.")] = False,
    out: Annotated[
        Path | None, typer.Option(parser=named_path, metavar="FILE", help="Write the report to this file.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="FILE", help="Also write the report with pictures, one HTML page."),
    ] = None,
) -> None:
    """Play many sessions and report win share and net points by start role.

    With --house any game is played at that house's table; STUD7-CLUB is short for it. In dealer's choice the dealers call the
    games of the library in turn. Workers, chunks and Ray change nothing in the report. Exit status: 0 done, 1 the work could not
    be finished, 3 usage.
    """
    study = _plan(
        _what_is_played(name, house),
        policy=policy,
        seed=seed,
        n_players=players,
        n_sessions=sessions,
        hands=hands,
        minutes=minutes,
        hand_seconds=hand_seconds,
    )
    if chunk is not None and chunk < 1:
        raise InputError(f"--chunk: a chunk has 1 block or more, not {chunk}")
    _check_files(out, html)
    write_page = None if html is None else _page_writer(html)
    try:
        with _progress_bar(study) as progress:
            outcome = _play(study, on_ray=ray, n_workers=workers, chunk_blocks=chunk, progress=progress)
    except driver.WorkLost as error:
        print(f"homegame: {error}; nothing is wrong with the numbers so far: run it again", file=sys.stderr)
        raise typer.Exit(1) from None
    document = build_document(study, outcome.totals)
    _write(json_bytes(document) if as_json else text_bytes(document), out)
    if write_page is not None:
        write_page(document)


def _check_files(out: Path | None, html: Path | None) -> None:
    """Find out before the work, not after it, that a file cannot be written."""
    for option, file in (("--out", out), ("--html", html)):
        if file is not None and not file.parent.is_dir():
            raise InputError(f"{option}: there is no folder {file.parent}")
    if out is not None and html is not None and out.resolve() == html.resolve():
        raise InputError("--html: --out has this file already")


def _page_writer(file: Path) -> Callable[[ReportDocument], None]:
    """What writes the page; jinja2 is imported for it alone."""
    try:
        from homegame_sim.report.page import html_bytes
    except ModuleNotFoundError as error:
        raise InputError(f"--html: {error.name} is not installed: pip install 'homegame[sim]'") from None
    return lambda document: _write_file(html_bytes(document), file, "--html")


def _what_is_played(name: str, house: str | None) -> str | FormatFile | GameFile:
    """The name of a format, a designer's format, or a designer's game and its house."""
    if house is None:
        return _format_file(name) if is_file_name(name) else name
    house_id = house.upper().replace("-", "_")
    if house_id not in catalog.tables():
        raise InputError(f"--house: there is no house {house!r}; there are: {', '.join(catalog.tables())}")
    if is_file_name(name):
        return GameFile(name, file_text(Path(name)), house_id)
    try:
        return f"{catalog.game_by(name).id}-{house_id}"
    except NotFound:
        raise InputError(f"there is no game {name!r}; there are: {', '.join(catalog.games())}") from None


def _format_file(name: str) -> FormatFile:
    """A designer's format. Raises InputError where the file cannot be read, or describes a game."""
    text = file_text(Path(name))
    with suppress(SpecError):
        catalog.load_game(text, name)
        houses = ", ".join(catalog.tables())
        raise InputError(
            f"{name} describes a game: name the house whose table plays it with --house; there are: {houses}"
        )
    return FormatFile(name, text)


def _plan(played: str | FormatFile | GameFile, **asked: int | str | None) -> Study:
    """`plan_study`, with the command line's words in errors."""
    format_name = played if isinstance(played, str) else None
    try:
        return plan_study(
            format_name,
            game_file=played if isinstance(played, GameFile) else None,
            format_file=played if isinstance(played, FormatFile) else None,
            **asked,  # type: ignore[arg-type] # Typer has checked the types
        )
    except SpecError:
        raise  # It names its file; its field is none of the command line's.
    except NotFound as error:
        known = ", ".join(" or ".join([spec.id, *spec.aliases]) for spec in catalog.formats().values())
        raise InputError(
            f"{error.reason}: there is no format {format_name!r}; there are: {known}; and every game with --house"
        ) from None
    except InputError as error:
        raise InputError(f"--{error.field}: {error.message}" if error.field else error.message) from None


def _play(
    study: Study, *, on_ray: bool, n_workers: int | None, chunk_blocks: int | None, progress: driver.Progress
) -> driver.Outcome:
    try:
        if not on_ray:
            return driver.run_in_process(
                study, n_workers=1 if n_workers is None else n_workers, chunk_blocks=chunk_blocks, progress=progress
            )
        with driver.connect(n_workers) as n_processors:
            return driver.run_on_ray(study, n_workers=n_processors, chunk_blocks=chunk_blocks, progress=progress)
    except InputError as error:
        raise InputError(f"--{error.field}: {error.message}" if error.field else error.message) from None


@contextmanager
def _progress_bar(study: Study) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("sessions", total=study.n_sessions)
        yield lambda n_blocks: bar.advance(task, n_blocks * study.n_players)


def _write(report: bytes, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(report.decode())
    else:
        _write_file(report, out, "--out")


def _write_file(report: bytes, file: Path, option: str) -> None:
    try:
        file.write_bytes(report)
    except OSError as error:
        raise InputError(f"{option}: {file} cannot be written: {error.strerror}") from None
    print(f"report written to {file}", file=sys.stderr)
