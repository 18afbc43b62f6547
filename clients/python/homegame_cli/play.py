"""`homegame play`: a person at a table, in a night of one's own with bots or in a night that somebody else serves."""

import asyncio
import contextlib
import getpass
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from random import SystemRandom
from typing import Annotated, Final, NoReturn, Protocol

import typer
from rich.console import Console

from homegame_cli.child_server import ServerFailedError
from homegame_cli.kept_server import KeptServer
from homegame_cli.named_path import named_path
from homegame_cli.until_ended import run_until_ended
from homegame_cli.wanted_night import FORMAT_HELP, GAME_HELP, HOUSE_HELP, wanted_night
from homegame_client import Client, ClientError, GrpcTransport, RefusedError, RetryPolicy, TableRef, open_channel
from homegame_client.player.closed_terminal import write_patiently
from homegame_client.player.hosting import (
    BOT_NAMES,
    WantedNight,
    close_night,
    create_night,
    keep_company,
    take_seat,
)
from homegame_client.player.saved_seat import SavedSeat, SavedSeatError, SeatStore, state_folder
from homegame_client.player.status import Ending, HowItEnded
from homegame_client.terminal.sheet import draw_sheet

PORT_MAX: Final = 65_535
SEATS_MAX: Final = 10
MINUTES: Final = 30.0
FIRST_ANSWER_S: Final = 5.0
PATIENCE_S: Final = 3_600.0
"""Bots and the host wait this long for a server that is away, in seconds; the person decides for themself."""
CLOSING_TRIES: Final = 120
CLOSING_PAUSE_S: Final = 0.5
BACK: Final = "homegame play --resume"

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Wish:
    """What was asked for on the command line."""

    address: str
    night_id: str
    bots: int
    seats: int
    name: str | None
    minutes: float
    seed: int
    wanted: WantedNight
    data: Path | None
    resume: bool
    plain: bool


class Player(Protocol):
    """Either face of the table."""

    async def play(self) -> Ending:
        """Play until the end or until the person has enough."""
        ...

    def tell(self, message: str) -> None:
        """Show a sentence from elsewhere."""
        ...


@app.command()
def play(  # noqa: PLR0913 - one parameter for each option
    address: Annotated[str, typer.Argument(metavar="[ADDRESS", help="Where a server listens: HOST:PORT.")] = "",
    night: Annotated[str, typer.Argument(metavar="NIGHT]", help="Id of a night there.")] = "",
    *,
    bots: Annotated[int, typer.Option(min=0, max=len(BOT_NAMES), help="Bots in a night of your own.")] = 5,
    seats: Annotated[
        int | None, typer.Option(min=2, max=SEATS_MAX, help="Seats there; others may join. [default: bots + 1]")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name at the table. [default: your user name]")] = None,
    minutes: Annotated[
        float, typer.Option(min=0.05, max=1440.0, help="Minutes to the cutoff of your night.")
    ] = MINUTES,
    seed: Annotated[int | None, typer.Option(help="Of the bots' choices; the deck is never seeded.")] = None,
    format_id: Annotated[str | None, typer.Option("--format", metavar="ID", help=FORMAT_HELP)] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help=GAME_HELP)] = None,
    house: Annotated[str | None, typer.Option(metavar="ID", help=HOUSE_HELP)] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="DIR", help="Where the journal of your night goes. [default: a new folder]"
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go back to the seat you had last.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Plain sentences for a screen reader, no picture.")] = False,
) -> None:
    """Sit down at a table and play.

    Alone it starts a server on this machine and a night with bots. With an address and the id of a night it joins that
    night; when you had a seat there, it is yours again. No money is involved anywhere.

    Exit status: 0 when you played or kept the seat, 1 when the seat was refused or the server failed, 3 for a usage error,
    143 when it was terminated or its terminal closed: the seat is kept.
    """
    _check_usage(address, night, resume=resume, bots=bots, seats=seats)
    wish = Wish(
        address=address,
        night_id=night,
        bots=bots,
        seats=max(2, bots + 1) if seats is None else seats,
        name=name,
        minutes=minutes,
        seed=seed if seed is not None else SystemRandom().randrange(1 << 32),
        wanted=wanted_night(format_id=format_id, game=game, house=house),
        data=data,
        resume=resume,
        plain=plain or not _can_draw(),
    )
    console = Console(highlight=False)
    try:
        ending = run_until_ended(_play(wish, console), (sys.stdin, sys.stdout))
    except (ServerFailedError, SavedSeatError) as error:
        _fail(str(error))
    except RefusedError as refusal:
        _fail(refusal.message)
    except ClientError as error:
        _fail(f"{error.message}; is a server running{f' at {address}' if address else ''}?")
    if ending.how == HowItEnded.REFUSED:
        _fail(ending.message)


def _check_usage(address: str, night: str, *, resume: bool, bots: int, seats: int | None) -> None:
    if resume and address:
        raise typer.BadParameter("name a night or give --resume, not both", param_hint="--resume")
    if seats is not None and seats < bots + 1:
        raise typer.BadParameter(f"{bots} bots and you need {bots + 1} seats", param_hint="--seats")
    if not address:
        return
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal() and 0 < int(port) <= PORT_MAX):
        raise typer.BadParameter(
            f"expected HOST:PORT, for example 127.0.0.1:50051, got {address!r}", param_hint="ADDRESS"
        )
    if not night:
        raise typer.BadParameter("the id of the night is missing; its host knows it", param_hint="NIGHT")


def _can_draw() -> bool:
    """Whether this is a terminal on which a picture can be drawn and keys be read."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_terminal and (sys.stdout.encoding or "").lower().startswith("utf")


def _fail(message: str) -> NoReturn:
    print(f"homegame play: {message}", file=sys.stderr)
    raise typer.Exit(1)


async def _play(wish: Wish, console: Console) -> Ending:
    store = SeatStore()
    async with contextlib.AsyncExitStack() as stack:
        seat = await _find_seat(wish, store, console, stack)
        store.save(seat)
        client = await _connect(stack, seat.address)
        player = _player(wish, client.with_token(seat.token), seat)
        company = asyncio.create_task(_keep_company(client, seat, player))
        stack.push_async_callback(_put_away, company)
        ending = await player.play()
        if seat.own_night is not None:
            host = client.with_token(seat.own_night.host_token)
            if ending.how == HowItEnded.LEFT:
                await _close(host, seat.table, console)
            elif ending.how == HowItEnded.OVER:
                await close_night(host, seat.table)  # It may have stayed open for tied leaders.
        if ending.how in (HowItEnded.LEFT, HowItEnded.OVER):
            await _print_result(client, seat, console)
    if ending.how == HowItEnded.KEPT:
        _say(console, f"Your seat is kept. Come back with: {BACK}")
    else:
        store.forget(seat)
    return ending


# --- A seat to sit in -------------------------------------------------------------------------------------------------


async def _find_seat(wish: Wish, store: SeatStore, console: Console, stack: contextlib.AsyncExitStack) -> SavedSeat:
    """The seat that was kept, or a new one, with its server running when it is one's own."""
    if not wish.resume and not wish.address:
        return await _new_night(wish, console, stack)
    seat = store.newest() if wish.resume else store.find(wish.night_id, wish.name)
    if seat is None and wish.resume:
        raise SavedSeatError("there is no seat to come back to; `homegame play` starts a new night")
    if seat is None:
        return await _join(wish, stack)
    if wish.address:
        seat = seat.at(wish.address)
    _say(console, f"Back to the seat of {seat.name} in {seat.night_id}")
    if seat.own_night is None or await _answers(seat):
        return seat
    folder = _kept_folder(seat.own_night.data)
    _say(console, f"Starting your server again; the journal is in {folder}")
    server = await stack.enter_async_context(KeptServer.running(folder))
    return seat.at(server.address)


async def _new_night(wish: Wish, console: Console, stack: contextlib.AsyncExitStack) -> SavedSeat:
    folder = _data_folder(wish.data)
    _say(console, f"Starting a server of its own; the journal goes to {folder}")
    server = await stack.enter_async_context(KeptServer.running(folder))
    client = await _connect(stack, server.address)
    seat = await create_night(
        client,
        server.address,
        wanted=wish.wanted,
        name=wish.name or _user_name(),
        n_bots=wish.bots,
        n_seats=wish.seats,
        minutes=wish.minutes,
        seed=str(wish.seed),
        data=str(folder),
    )
    _say(console, f"The server listens on {server.address} (process {server.pid}); bots' seed {wish.seed}")
    return seat


async def _join(wish: Wish, stack: contextlib.AsyncExitStack) -> SavedSeat:
    # A wrong address should not take as long to notice as a server that restarts while one plays.
    client = await _connect(stack, wish.address)
    found = await replace(client, retry=RetryPolicy(deadline_s=FIRST_ANSWER_S)).nights.get(wish.night_id)
    table = TableRef(wish.night_id, found.night.tables[0].table_id)
    return await take_seat(client, wish.address, table, name=wish.name or _user_name())


async def _answers(seat: SavedSeat) -> bool:
    """Whether a server from before still serves the night of a seat."""
    async with open_channel(seat.address) as channel:
        try:
            await Client(GrpcTransport(channel), retry=RetryPolicy(deadline_s=1.0)).nights.get(seat.night_id)
        except ClientError:
            return False
    return True


def _kept_folder(data: str) -> Path:
    if not Path(data).is_dir():
        raise SavedSeatError(
            f"the journal of your night is gone: there is no folder {data}; `homegame play` starts a new night"
        )
    return Path(data)


def _data_folder(data: Path | None) -> Path:
    """Where the journal goes: a folder that outlives the terminal, so that one can come back to the night."""
    folder = data
    try:
        if folder is None:
            nights = state_folder() / "nights"
            nights.mkdir(mode=0o700, parents=True, exist_ok=True)
            return Path(tempfile.mkdtemp(prefix="night-", dir=nights))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(
            f"{error.filename or folder} cannot be made: {error.strerror}", param_hint="--data"
        ) from None
    return folder.resolve()


def _say(console: Console, line: str) -> None:
    """Print a line as it is; the terminal wraps it, so that a path or a command can be copied whole."""
    console.print(line, markup=False, soft_wrap=True)


def _user_name() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        name = "player"
    return name[:1].upper() + name[1:40]


async def _connect(stack: contextlib.AsyncExitStack, address: str) -> Client:
    return Client(GrpcTransport(await stack.enter_async_context(open_channel(address))))


# --- While one plays --------------------------------------------------------------------------------------------------


def _player(wish: Wish, client: Client, seat: SavedSeat) -> Player:
    is_host = seat.own_night is not None
    invitation = f"homegame play {seat.address} {seat.night_id}" if is_host else ""
    if wish.plain:
        from homegame_client.player.plain import PlainPlayer

        return PlainPlayer(
            client,
            seat.table,
            write=_write_line,
            read=_line_reader(),
            how_to_return=BACK,
            is_host=is_host,
            invitation=invitation,
        )
    try:
        from homegame_client.player.app import PlayerApp
    except ModuleNotFoundError as error:
        wanted = "pip install 'homegame[client]', or play with --plain"
        raise typer.BadParameter(f"the picture needs {error.name}, which is not installed: {wanted}") from None
    write_patiently()
    return PlayerApp(client, seat.table, how_to_return=BACK, is_host=is_host, invitation=invitation)


async def _keep_company(client: Client, seat: SavedSeat, player: Player) -> None:
    patient = replace(client, retry=RetryPolicy(deadline_s=PATIENCE_S))
    try:
        await keep_company(patient, seat, player.tell)
    except* ClientError as failures:
        player.tell(f"The bots stopped: {failures.exceptions[0]}")


async def _put_away(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _write_line(line: str) -> None:
    print(line, flush=True)


def _line_reader() -> Callable[[], Coroutine[None, None, str | None]]:
    """Lines from standard input, read by a thread that never keeps the program from ending."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(line: str | None) -> None:
        # The program may be over before the person types again.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def read() -> None:
        with contextlib.suppress(OSError):  # So ends a terminal that is closed.
            for line in sys.stdin:
                put(line)
        put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines.get


# --- Afterwards -------------------------------------------------------------------------------------------------------


async def _close(host: Client, table: TableRef, console: Console) -> None:
    """Close one's own night after leaving it, as soon as the running hand is over."""
    _say(console, "You have left; the night is closed when the running hand is over (Ctrl-C: at once, as it is)")
    for _ in range(CLOSING_TRIES):
        if await close_night(host, table):
            return
        await asyncio.sleep(CLOSING_PAUSE_S)


async def _print_result(client: Client, seat: SavedSeat, console: Console) -> None:
    sheet = await client.nights.scoresheet(seat.table)
    for line in ["", *draw_sheet(sheet), ""]:
        _say(console, line)
    if seat.own_night is not None:
        _say(console, f"The journal is kept in {seat.own_night.data}")
        _say(console, f"To serve it again: homegame serve --data {seat.own_night.data}")
    _say(console, "Another night: homegame play")
