"""Dealer's choice on the terminal: the list of games, what is called and how, and the explanation that everybody reads."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from homegame.v1.catalog_pb2 import Game
from homegame_client.errors import ClientError
from homegame_client.player.game_call import CallOption, CallWish, options_of
from homegame_client.player.pages import players_words
from homegame_client.player.screens import KEY_STYLE, SCROLL_KEYS, Page
from homegame_client.player.sized_screen import SizedScreen
from homegame_client.terminal.words import visible

LETTERS: Final = "abcdefghijklmnoprstuvwxyz"
"""One for each game; q quits."""
OWN_GAME: Final = "a game of your own, from a file"
_REMINDER_STYLE: Final = "bold white on red3"

Explained = tuple[Game, list[Text]]
"""A game, and its rule card as lines."""
Explain = Callable[[CallWish], Awaitable[Explained]]
"""Looks a game up. Raises ClientError, and ValueError with what is wrong with a file."""


class GamesPage(SizedScreen[CallWish], ModalScreen[CallWish]):
    """The games to call, those of the library first (GAME-DC-03); closes with the one that was picked.

    Args:
        games: The library.
    """

    AUTO_FOCUS = ""  # The field for a file would swallow the letters.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("left", "move_column(-1)", show=False),
        Binding("right", "move_column(1)", show=False),
        Binding("enter", "pick", show=False),
        Binding("escape,q", "close", show=False),
    ]

    def __init__(self, games: Sequence[Game]) -> None:
        super().__init__()
        self._games = list(games)
        self._at = 0
        self._reminder = ""
        self._list = Static(id="games")
        self._file = Input(id="file", placeholder="name of the file", compact=True)
        self._keys_line = Static(id="page-keys")

    def compose(self) -> ComposeResult:
        """See Screen."""
        yield self._list
        yield self._file
        yield self._keys_line

    def on_mount(self) -> None:
        """See Screen."""
        self._file.display = False
        self._draw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def remind(self, reminder: str) -> None:
        """Say at the bottom how long there is."""
        self._reminder = reminder
        keys = Text("letter or Enter picks   arrows move   Esc back", style="dim")
        self._keys_line.update(Text.assemble((f" {reminder} ", _REMINDER_STYLE), "  ", keys) if reminder else keys)

    def on_key(self, event: events.Key) -> None:
        """Pick a game by its letter."""
        if self._file.display or event.character is None or event.character not in LETTERS:
            return
        at = LETTERS.index(event.character)
        if at <= len(self._games):
            event.stop()
            self._at = at
            self.action_pick()

    def action_move(self, by: int) -> None:
        """Another game."""
        self._at = (self._at + by) % (len(self._games) + 1)
        self._draw()

    def action_move_column(self, by: int) -> None:
        """The game in the other column."""
        at = self._at + by * self._n_rows
        if 0 <= at <= len(self._games):
            self._at = at
            self._draw()

    def action_pick(self) -> None:
        """Close with the game, or ask for the file of one's own."""
        if self._at < len(self._games):
            self.dismiss(CallWish(game_id=self._games[self._at].game_id))
            return
        self._file.display = True
        self._file.focus()
        self._draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Read the file that was named."""
        try:
            text = Path(event.value.strip()).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self._file.value = ""
            self._file.placeholder = (
                f"{event.value.strip()} cannot be read: {getattr(error, 'strerror', None) or error}"
            )
            return
        self.dismiss(CallWish(game_text=text))

    def action_close(self) -> None:
        """Back, without a game."""
        self.dismiss(None)

    @property
    def _n_rows(self) -> int:
        return (len(self._games) + 2) // 2

    def _draw(self) -> None:
        rows = [self._row(at) for at in range(len(self._games) + 1)]
        lines = [Text("Which game do you call?", style="bold"), Text("")]
        for left in range(self._n_rows):
            right = rows[left + self._n_rows] if left + self._n_rows < len(rows) else Text("")
            lines.append(Text.assemble(rows[left], right))
        summary = self._games[self._at].summary if self._at < len(self._games) else "TOML, as docs/games.md has it."
        self._list.update(Text("\n").join([*lines, Text(""), Text(visible(summary), style="italic")]))

    def _row(self, at: int) -> Text:
        width = max(20, self.size.width // 2)
        name, players = OWN_GAME, ""
        if at < len(self._games):
            name, players = visible(self._games[at].name), players_words(self._games[at])
        letter = LETTERS[at] if at < len(LETTERS) else " "
        text = Text.assemble((f" {letter} ", KEY_STYLE), (f" {name}", "reverse" if at == self._at else ""))
        text.truncate(width - len(players) - 2, overflow="ellipsis", pad=True)
        text.append(f"{players}  ", style="dim")
        return text


class CallPage(SizedScreen[CallWish], ModalScreen[CallWish]):
    """One game with its rule card, and what the dealer changes in it; closes with the call, or with None.

    Args:
        wish: The game that was picked.
        explained: What it is.
        ante_words: What everybody antes unless the dealer says otherwise.
    """

    AUTO_FOCUS = ""  # As in GamesPage.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "call", show=False),
        Binding("a", "ask('ante')", show=False),
        Binding("e", "ask('explanation')", show=False),
        *(Binding(key, f"turn('{key}')", show=False) for key in "srlu"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("escape,q", "close", show=False),
    ]

    def __init__(self, wish: CallWish, explained: Explained, ante_words: str) -> None:
        super().__init__()
        self._wish = wish
        self._game, self._lines = explained
        self._ante_words = ante_words
        self._options = options_of(self._game)
        self._asked = ""
        self._scroll = VerticalScroll(id="page", can_focus=False)
        self._text = Static(id="lines")
        self._set = Static(id="call-options")
        self._field = Input(id="file", compact=True)
        self._keys_line = Static(id="page-keys")

    def compose(self) -> ComposeResult:
        """See Screen."""
        with self._scroll:
            yield self._text
        yield self._set
        yield self._field
        yield self._keys_line

    def on_mount(self) -> None:
        """See Screen."""
        self._text.update(Text("\n").join(self._lines))
        self._field.display = False
        self.remind("")
        self._draw()

    def remind(self, reminder: str) -> None:
        """Say at the bottom how long there is."""
        keys = Text(f"Enter call it   Esc another game   {SCROLL_KEYS}", style="dim")
        self._keys_line.update(Text.assemble((f" {reminder} ", _REMINDER_STYLE), "  ", keys) if reminder else keys)

    def action_call(self) -> None:
        """Close with the call."""
        self.dismiss(self._wish)

    def action_close(self) -> None:
        """Back to the games."""
        if self._asked:
            self._end_asking()
            return
        self.dismiss(None)

    def action_turn(self, key: str) -> None:
        """Another setting of an option."""
        option = next((option for option in self._options if option.key == key), None)
        if option is not None:
            self._wish = option.turned(self._wish)
            self._draw()

    def action_ask(self, what: str) -> None:
        """Type the ante or an explanation."""
        self._asked = what
        self._field.value = ""
        self._field.placeholder = "ante of each player" if what == "ante" else "explanation for everybody"
        self._field.display = True
        self._field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was typed; nothing is as the game and the table have it."""
        typed = event.value.strip()
        if self._asked == "explanation":
            self._wish = replace(self._wish, explanation=typed)
        elif not typed or (typed.isascii() and typed.isdecimal()):
            self._wish = replace(self._wish, ante_chips=int(typed) if typed else None)
        else:
            self._field.value = ""
            self._field.placeholder = "type a number of chips"
            return
        self._end_asking()

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self._scroll.scroll_relative(y=lines, animate=False)

    def _end_asking(self) -> None:
        self._asked = ""
        self._field.display = False
        self.set_focus(None)
        self._draw()

    def _draw(self) -> None:
        ante = self._ante_words if self._wish.ante_chips is None else str(self._wish.ante_chips)
        told = visible(self._wish.explanation) or "the game's own"
        parts = [("a", f"ante {ante}"), ("e", f"explanation: {told}"), *map(self._told, self._options)]
        line = Text.assemble(*(part for key, words in parts for part in ((f" {key} ", KEY_STYLE), f" {words}   ")))
        self._set.update(line)

    def _told(self, option: CallOption) -> tuple[str, str]:
        return option.key, option.words(self._wish)


class CalledPage(Page):
    """A call, explained to everybody; closes with True when the reader wants to sit the hand out or be dealt in again.

    Args:
        lines: What to read.
        may_sit_out: Whether the reader may sit this hand out.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "close", show=False),
        Binding("o", "sit_out", show=False),
    ]

    def __init__(self, lines: Sequence[Text], *, may_sit_out: bool) -> None:
        super().__init__(lines, f"Enter OK   {'o sit this hand out   ' if may_sit_out else ''}{SCROLL_KEYS}")
        self._may_sit_out = may_sit_out

    def action_sit_out(self) -> None:
        """Close with the wish to sit out, where that is open."""
        if self._may_sit_out:
            self.dismiss(True)  # noqa: FBT003 - the result of the screen


async def choose_game(
    show: Callable[[ModalScreen[CallWish]], Awaitable[CallWish | None]],
    games: Sequence[Game],
    explain: Explain,
    ante_words: str,
    complain: Callable[[str], None],
) -> CallWish | None:
    """Let a dealer pick a game and change it, until one is called or the dealer goes back to the table.

    Args:
        show: Shows a screen and waits for its answer.
        games: The library.
        explain: Looks a game up.
        ante_words: What everybody antes unless the dealer says otherwise.
        complain: Says what is wrong with a game.
    """
    while True:
        picked = await show(GamesPage(games))
        if picked is None:
            return None
        try:
            explained = await explain(picked)
        except (ClientError, ValueError) as error:
            complain(str(error))
            return None
        wish = await show(CallPage(picked, explained, ante_words))
        if wish is not None:
            return wish
