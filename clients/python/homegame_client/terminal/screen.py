"""Showing a table while it is played: a picture that moves on a terminal, a line for each event anywhere else."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from rich.console import Console
from rich.live import Live
from rich.text import Text

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.views_pb2 import TableView
from homegame_client.client import Client, TableRef
from homegame_client.retry import Timing
from homegame_client.table_state import TableState
from homegame_client.terminal.draw import Picture, draw_table
from homegame_client.terminal.games import GameBook
from homegame_client.terminal.sentences import describe
from homegame_client.terminal.story import Story
from homegame_client.terminal.words import namer, stakes_text, visible

REDRAW_S: Final = 0.2


class Display(Protocol):
    """Something that shows a table."""

    def start(self, view: TableView, now_ms: Callable[[], int], games: GameBook) -> None:
        """Begin with this view; `now_ms` tells the server's clock, `games` what is played."""
        ...

    def show(self, event: TableEvent, state: TableState) -> None:
        """Show what an event did; the state holds it already."""
        ...

    def stop(self) -> None:
        """Leave the terminal as it was found. May be called twice."""
        ...


class LineDisplay:
    """One line an event, for pipes, logs and screen readers.

    Args:
        write: Takes one line.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def start(self, view: TableView, now_ms: Callable[[], int], games: GameBook) -> None:
        """See Display."""
        del now_ms, games
        self._write(f"{visible(view.night_name)}: {posting_text(view)}")

    def show(self, event: TableEvent, state: TableState) -> None:
        """See Display."""
        sentence = describe(event, namer(state.view))
        if sentence is not None:
            self._write(sentence)
        if event.WhichOneof("event") == "game_called":  # Explained to all (GAME-DC-02).
            self._write(f"  {visible(event.game_called.explanation)}")

    def stop(self) -> None:
        """See Display: nothing was changed."""


class LiveDisplay:
    """A picture redrawn in place, several times a second, until stopped.

    Args:
        console: The terminal.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, screen=True)
        self._story = Story()
        self._games = GameBook()
        self._view: TableView | None = None
        self._now_ms: Callable[[], int] = lambda: 0
        self._ticking: asyncio.Task[None] | None = None

    def start(self, view: TableView, now_ms: Callable[[], int], games: GameBook) -> None:
        """See Display."""
        self._view = view
        self._now_ms = now_ms
        self._games = games
        self._live.start()
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    def show(self, event: TableEvent, state: TableState) -> None:
        """See Display."""
        self._view = state.view
        self._story.hear(event, state.view)

    def stop(self) -> None:
        """See Display."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
            self._live.stop()

    async def _tick(self) -> None:
        while True:
            self._redraw()
            await asyncio.sleep(REDRAW_S)

    def _redraw(self) -> None:
        if self._view is None:
            return
        # One line less than there are: the cursor rests on the last.
        width, height = self._console.size
        picture = Picture(
            width=width,
            height=height - 1,
            server_now_ms=self._now_ms(),
            log=self._story.log,
            banner=self._story.banner,
            game=self._games.known(self._view),
            roles=self._story.roles,
        )
        self._live.update(Text("\n").join(draw_table(self._view, picture)), refresh=True)


class ServerClock:
    """The server's clock, told from the last message and the local time since: the two clocks are never compared."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._server_ms = 0
        self._local_s = timing.now_s()

    def hear(self, server_time_ms: int) -> None:
        """Note what the server's clock showed just now, Unix UTC in ms."""
        if server_time_ms:
            self._server_ms = server_time_ms
            self._local_s = self._timing.now_s()

    def now_ms(self) -> int:
        """The server's clock now, as far as one can tell."""
        return self._server_ms + int((self._timing.now_s() - self._local_s) * 1000)


async def follow_table(
    client: Client,
    table: TableRef,
    display: Display,
    on_event: Callable[[TableEvent], None] | None = None,
) -> TableView:
    """Show a table until the night is closed and return the last view.

    Args:
        client: With the viewer's token, or without one for a spectator.
        table: What to watch.
        display: Where to show it; started here, and stopped here whatever happens.
        on_event: Called for each event after it was shown.

    Raises:
        ClientError: no such table, or the server stays away.
    """
    view = await client.tables.get(table)
    games = GameBook()
    game = await games.find(client, view)
    state = TableState(view, [street.name for street in game.streets])
    clock = ServerClock(client.retry.timing)
    clock.hear(state.view.server_time_ms)
    display.start(state.view, clock.now_ms, games)
    try:
        async for frame in client.tables.watch(table, after_seq=state.view.last_number).frames():
            clock.hear(frame.server_time_ms)
            for event in frame.events:
                state.apply(event, frame.server_time_ms)
                display.show(event, state)
                if on_event is not None:
                    on_event(event)
            if state.is_incomplete:
                state.replace(await client.tables.get(table))
                await games.find(client, state.view)
    finally:
        display.stop()
    return state.view


def posting_text(view: TableView) -> str:
    """The posting in a line: format, stacks, stakes."""
    posting = view.posting
    stakes = stakes_text(posting.levels[view.level]) if view.level < len(posting.levels) else ""
    return ", ".join(part for part in (visible(posting.format_name), f"{posting.start_chips} each", stakes) if part)


def choose_display(console: Console, *, plain: bool) -> Display:
    """The picture on a terminal that can draw it; lines where a program reads, or when asked for."""
    if plain or not console.is_terminal or not console.encoding.lower().startswith("utf"):
        return LineDisplay(lambda line: print_line(console, line))
    return LiveDisplay(console)


def print_line(console: Console, line: str) -> None:
    """Print one line as it is: wrapped between words on a terminal, left whole where a program reads."""
    console.print(line, markup=False, soft_wrap=not console.is_terminal)
