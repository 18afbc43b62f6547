"""`homegame night`: a server, six bots and a live view play one night over gRPC, with the sheet at the end."""

import asyncio
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Annotated, Final

import typer
from rich.console import Console

from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import TableEvent
from homegame.v1.sheets_pb2 import FinishReason, Scoresheet
from homegame_cli.child_server import ChildServer, ServerFailedError
from homegame_cli.deal_proofs import ProofsChecked, check_deals, keep_deals
from homegame_cli.named_path import named_path
from homegame_cli.until_ended import run_until_ended
from homegame_cli.wanted_night import FORMAT_HELP, GAME_HELP, HOUSE_HELP, wanted_night
from homegame_client import Client, ClientError, GrpcTransport, RefusedError, TableRef, open_channel
from homegame_client.bots import STYLES, Bot
from homegame_client.deal_log import DealLog
from homegame_client.player.hosting import WantedNight
from homegame_client.terminal.screen import Display, choose_display, follow_table, print_line
from homegame_client.terminal.sheet import draw_sheet, net_chips

NAMES: Final = ("Ada", "Bruno", "Chiara", "Dmitri", "Emeka", "Fatima", "Grete", "Hiroshi", "Ines", "Jonas")
MINUTES: Final = 1.5
MINUTES_WITH_HANDS: Final = 60.0  # With --hands the hands decide; the posting needs a cutoff all the same.
HAND_PAUSE_MS: Final = 1_500
SIT_OUT_WINDOW_MS: Final = 2_000  # Where the dealer calls the game; bots sit nothing out.

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Plan:
    """What to play."""

    players: int
    minutes: float
    hands: int | None
    seed: int
    data: Path
    wanted: WantedNight
    save: Path | None = None


@dataclass(frozen=True)
class Played:
    """What was played."""

    table: TableRef
    sheet: Scoresheet
    bots: tuple[Bot, ...]
    proofs: ProofsChecked


@app.command()
def night(  # noqa: PLR0913 - one for each option of the command
    *,
    players: Annotated[int, typer.Option(min=2, max=len(NAMES), help="How many bots.")] = 6,
    minutes: Annotated[
        float | None, typer.Option(min=0.05, max=1440.0, help="Minutes to the cutoff. [default: 1.5; with --hands 60]")
    ] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Close the night after this many hands.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the bots' choices; the deck is never seeded.")] = None,
    format_id: Annotated[str | None, typer.Option("--format", metavar="ID", help=FORMAT_HELP)] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help=GAME_HELP)] = None,
    house: Annotated[str | None, typer.Option(metavar="ID", help=HOUSE_HELP)] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="DIR", help="Write the proof of each deal there, for `homegame verify`."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="DIR", help="Where the journal goes. [default: a new folder]"),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="A line for each event instead of the picture.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Play one night of bots on a server of its own and print the sheet: a points night, another format, or any game.

    Exit status: 0 when the night was played and the sheet adds up, 1 when it was not, 3 for a usage error,
    143 when it was terminated or its terminal closed.
    """
    started_s = time.monotonic()
    wanted = wanted_night(format_id=format_id, game=game, house=house)  # Before a folder is made for it.
    plan = Plan(
        players=players,
        minutes=minutes if minutes is not None else MINUTES_WITH_HANDS if hands else MINUTES,
        hands=hands,
        seed=seed if seed is not None else SystemRandom().randrange(1 << 32),
        data=_data_folder(data),
        wanted=wanted,
        save=None if save is None else _folder(save, "--save"),
    )
    console = Console(stderr=as_json, highlight=False)
    display = choose_display(console, plain=plain or as_json)
    try:
        played = run_until_ended(_play(plan, console, display), (console.file,))
    except (ServerFailedError, ClientError) as error:
        print(f"homegame night: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    seconds = time.monotonic() - started_s
    if as_json:
        print(json.dumps(_as_json(plan, played, seconds)))
    else:
        _print_result(console, plan, played, seconds)
    if _faults(plan, played):
        raise typer.Exit(1)


def _data_folder(data: Path | None) -> Path:
    if data is None:
        return Path(tempfile.mkdtemp(prefix="homegame-night-"))
    return _folder(data, "--data")


def _folder(folder: Path, hint: str) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"{folder} cannot be made: {error.strerror}", param_hint=hint) from None
    return folder


async def _play(plan: Plan, console: Console, display: Display) -> Played:
    print_line(console, f"Starting a server of its own; the journal goes to {plan.data}")
    server = await ChildServer.start(plan.data)
    try:
        async with contextlib.AsyncExitStack() as channels:

            async def connect() -> Client:
                channel = await channels.enter_async_context(open_channel(server.address))
                return Client(GrpcTransport(channel))

            print_line(console, f"The server listens on {server.address} (process {server.pid})")
            watching = asyncio.create_task(server.fail_when_it_ends())
            playing = asyncio.create_task(_play_on(plan, console, display, connect))
            try:
                await asyncio.wait((watching, playing), return_when=asyncio.FIRST_COMPLETED)
                if watching.done():
                    await watching
                return await playing
            finally:
                for task in (watching, playing):
                    task.cancel()
                await asyncio.gather(watching, playing, return_exceptions=True)
    finally:
        await server.stop()


async def _play_on(plan: Plan, console: Console, display: Display, connect: Callable[[], Awaitable[Client]]) -> Played:
    """Play the night on a running server: post, seat, open, play, close, read the sheet."""
    host = await connect()
    created = await host.nights.create(
        name="Bots' night",
        format_id=plan.wanted.format_id,
        table=plan.wanted.table,
        house_id=plan.wanted.house_id,
        seats=plan.players,
        hand_pause_ms=HAND_PAUSE_MS,
        sit_out_window_ms=SIT_OUT_WINDOW_MS,
    )
    host = host.with_token(created.host_token)
    table = TableRef(created.night_id, created.table_ids[0])
    bots = [
        Bot(await connect(), table, name=NAMES[number], style=STYLES[number % len(STYLES)], seed=str(plan.seed))
        for number in range(plan.players)
    ]
    for bot in bots:
        await bot.sit_down()
    seated = ", ".join(f"{bot.name} ({bot.style.name})" for bot in bots)
    print_line(console, f"{plan.players} bots took their seats: {seated}")
    await host.nights.post_cutoff_in(table.night_id, cutoff_in_ms=round(plan.minutes * 60_000))
    await asyncio.gather(*(bot.acknowledge() for bot in bots))
    await host.nights.open(table.night_id)
    limit = f", or {plan.hands} hands" if plan.hands else ""
    print_line(
        console, f"The host posted a cutoff {plan.minutes * 60:g} seconds away{limit}; everybody has read the posting"
    )
    ending = _Ending(plan.hands)
    viewer = await connect()
    kept = DealLog(table.night_id, table.table_id)
    try:
        async with asyncio.TaskGroup() as group:
            for bot in bots:
                group.create_task(bot.play())
            group.create_task(follow_table(viewer, table, display, ending.hear))
            group.create_task(keep_deals(viewer, table, kept))
            group.create_task(_close(host, table, ending))
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None  # The first to fail; the others were stopped for its sake.
    eyes = {bots[0].name: (bots[0].client, bots[0].deals), "a spectator": (viewer, kept)}
    return Played(table, await host.nights.scoresheet(table), tuple(bots), await check_deals(table, eyes, plan.save))


class _Ending:
    """Listens for the moments at which the host may close the night."""

    def __init__(self, hands: int | None) -> None:
        self._hands = hands
        self.is_time = asyncio.Event()

    def hear(self, event: TableEvent) -> None:
        """Note the end of the last hand that is wanted, or of the session."""
        kind = event.WhichOneof("event")
        is_last_hand = kind == "hand_ended" and self._hands is not None and event.hand_ended.hand_number >= self._hands
        if is_last_hand or kind in ("session_finished", "playoff_finished"):
            self.is_time.set()


async def _close(host: Client, table: TableRef, ending: _Ending) -> None:
    while True:
        await ending.is_time.wait()
        ending.is_time.clear()
        try:
            await host.nights.close(table.night_id)
        except RefusedError as refusal:
            if refusal.reason != Reason.REASON_HAND_IN_PROGRESS:  # A new hand was quicker: it is completed first.
                raise
        else:
            return


def _faults(plan: Plan, played: Played) -> list[str]:
    """What should not have happened, in sentences."""
    sheet = played.sheet
    faults = [
        f"{bot.name} was refused: {reason} ({times} times)"
        for bot in played.bots
        for reason, times in sorted(bot.report.refused.items())
    ]
    on_the_sheet = sum(column.stack_points for column in sheet.columns) + sheet.carry_chips
    n_stacks = plan.players + sum(column.resets for column in sheet.columns)  # PTS-024: a reset issues one more.
    if on_the_sheet != sheet.total_chips or sheet.total_chips % n_stacks:
        faults.append(f"the sheet does not add up: {on_the_sheet} points, {sheet.total_chips} in play")
    if sheet.finish_reason == FinishReason.FINISH_REASON_UNSPECIFIED:
        faults.append("the session was not placed")
    faults += [f"deal proofs: {fault}" for fault in played.proofs.faults]
    if played.proofs.n_deals < len(sheet.rows):
        faults.append(f"deal proofs: {len(sheet.rows)} hands were played and {played.proofs.n_deals} could be checked")
    return faults


def _print_result(console: Console, plan: Plan, played: Played, seconds: float) -> None:
    def say(line: str) -> None:
        print_line(console, line)

    say("")
    for line in draw_sheet(played.sheet):
        say(line)
    say("")
    for fault in _faults(plan, played):
        say(f"NOT AS IT SHOULD BE: {fault}")
    proofs = played.proofs
    say(f"deal proofs: {proofs.n_hold} of {proofs.n_deals} hands hold")
    actions = sum(bot.report.actions for bot in played.bots)
    refused = sum(bot.report.refused.total() for bot in played.bots) or "none"
    say(f"{actions} actions over gRPC, {refused} refused. {seconds:.0f} seconds in all, bots' seed {plan.seed}.")
    say(f"The journal is kept in {plan.data}")
    say(f"To check it: homegame verify {plan.data}")
    say(f"To serve it again: homegame serve --data {plan.data}")


def _as_json(plan: Plan, played: Played, seconds: float) -> dict[str, object]:
    sheet = played.sheet
    names = {column.seat: column.display_name for column in sheet.columns}
    net = net_chips(sheet)
    return {
        "night_id": played.table.night_id,
        "table_id": played.table.table_id,
        "format_id": sheet.format_id,
        "finish_reason": FinishReason.Name(sheet.finish_reason).removeprefix("FINISH_REASON_"),
        "hands": len(sheet.rows),
        "completed_orbits": sheet.completed_orbits,
        "incomplete_positions": list(sheet.incomplete_positions),
        "total_chips": sheet.total_chips,
        "standings": [
            {
                "place": standing.place,
                "tied": standing.tied,
                "seat": standing.seat,
                "name": names.get(standing.seat, ""),
                "stack_chips": standing.stack_chips,
                "net_chips": net.get(standing.seat, 0),
            }
            for standing in sheet.standings
        ],
        "bots": [
            {
                "name": bot.name,
                "style": bot.style.name,
                "seat": bot.seat,
                "actions": bot.report.actions,
                "too_late": bot.report.too_late,
                "refused": dict(bot.report.refused),
            }
            for bot in played.bots
        ],
        "deal_proofs": {"hands": played.proofs.n_deals, "hold": played.proofs.n_hold},
        "faults": _faults(plan, played),
        "seed": plan.seed,
        "data": str(plan.data),
        "seconds": round(seconds, 1),
    }
