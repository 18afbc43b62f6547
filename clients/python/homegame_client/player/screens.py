"""Pages that lie over the table: something to read, the posting to acknowledge, the question before leaving."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from homegame_client.errors import ClientError
from homegame_client.player.hanging import Hanging
from homegame_client.player.sized_screen import SizedScreen

SCROLL_KEYS: Final = "arrows scroll"
KEY_STYLE: Final = "bold yellow"


class Page(SizedScreen[bool], ModalScreen[bool]):
    """Lines to scroll through, with a line at the bottom that says which keys work and whether it is one's turn.

    Args:
        lines: What to read.
        keys: What the keys do here.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,p,k,e,h,question_mark", "close", "back", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
    ]

    def __init__(self, lines: Sequence[Text], keys: str = f"Esc back   {SCROLL_KEYS}") -> None:
        super().__init__()
        self._lines = list(lines)
        self._keys = keys
        # Held here and not looked up: the clock goes on ticking while a screen is put away.
        self._scroll = VerticalScroll(id="page", can_focus=False)
        self._text = Static(id="lines")
        self._keys_line = Static(id="page-keys")

    def compose(self) -> ComposeResult:
        """See Screen."""
        with self._scroll:
            yield self._text
        yield self._keys_line

    def on_mount(self) -> None:
        """See Screen."""
        self.show(self._lines)
        self.remind("")

    def show(self, lines: Sequence[Text]) -> None:
        """Show other lines."""
        self._lines = list(lines)
        self._text.update(Hanging(self._lines))

    def remind(self, reminder: str) -> None:
        """Say at the bottom that it is the reader's turn; an empty text says nothing."""
        line = Text(self._keys, style="dim")
        if reminder:
            line = Text.assemble((f" {reminder} ", "bold white on red3"), "  ", line)
        self._keys_line.update(line)

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(False)  # noqa: FBT003 - the result of the screen

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self._scroll.scroll_relative(y=lines, animate=False)


class PostingPage(Page):
    """The posting; Enter says that one has read it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "acknowledge", show=False)]

    def __init__(self, lines: Sequence[Text], *, can_acknowledge: bool) -> None:
        keys = f"Enter I have read it   Esc later   {SCROLL_KEYS}"
        super().__init__(lines, keys) if can_acknowledge else super().__init__(lines)
        self._can_acknowledge = can_acknowledge

    def action_acknowledge(self) -> None:
        """Close with True, if there is something to acknowledge."""
        self.dismiss(self._can_acknowledge)


class HandsPage(Page):
    """Played hands, one at a time.

    Args:
        read: Reads one hand as lines. Raises ClientError.
        newest: Number of the last completed hand.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
    ]

    def __init__(self, lines: Sequence[Text], read: Callable[[int], Awaitable[list[Text]]], newest: int) -> None:
        super().__init__(lines, f"Esc back   left earlier   right later   {SCROLL_KEYS}")
        self._read = read
        self._newest = newest
        self._number = newest

    def action_turn(self, by: int) -> None:
        """Read an earlier or a later hand."""
        number = self._number + by
        if 1 <= number <= self._newest:
            self._number = number
            self.run_worker(self._load(number), exclusive=True)

    async def _load(self, number: int) -> None:
        try:
            lines = await self._read(number)
        except ClientError as error:
            lines = [Text(f"Hand {number} cannot be read now: {error.message}")]
        self.show(lines)
        self._scroll.scroll_home(animate=False)


class QuitPage(SizedScreen[str], ModalScreen[str]):
    """Asks what is to become of the seat: `leave`, `keep`, or nothing.

    Args:
        leaving: What giving up the seat means.
        keeping: What keeping it means, up to the command.
        how_to_return: The command that comes back to a seat that is kept.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "answer('leave')", show=False),
        Binding("k", "answer('keep')", show=False),
        Binding("escape,q,n", "answer('')", show=False),
    ]

    def __init__(self, *, leaving: str, keeping: str, how_to_return: str) -> None:
        super().__init__()
        self._leaving = leaving
        self._keeping = keeping
        self._how_to_return = how_to_return

    def compose(self) -> ComposeResult:
        """See Screen."""
        lines = Text.assemble(
            ("Quit?\n\n", "bold"),
            *(("l", KEY_STYLE), f"  Leave the table: {self._leaving}\n\n"),
            *(("k", KEY_STYLE), f"  Keep the seat and close this program: {self._keeping} "),
            (f"{self._how_to_return}\n\n", "bold"),
            *(("Esc", KEY_STYLE), "  Stay."),
        )
        yield Static(lines, id="question")

    def action_answer(self, answer: str) -> None:
        """Close with the answer."""
        self.dismiss(answer)
