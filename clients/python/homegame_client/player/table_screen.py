"""The table itself on the terminal, and the keys that work there."""

from typing import ClassVar, Final, Protocol

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Input, Label, Static

from homegame_client.player.choices import MEANINGS, AmountError, Choice, choice_for, key_words, no_wager_words
from homegame_client.player.picture import draw_own_table
from homegame_client.player.status import clock_words, hand_words, invitation_words, is_over, waiting_words
from homegame_client.player.table_link import Said, TableLink
from homegame_client.terminal.draw import Picture
from homegame_client.terminal.story import Story

KEY_STYLE: Final = "bold black on yellow"
URGENT_STYLE: Final = "bold white on red3"
REFUSAL_STYLE: Final = "bold red"
QUIET_STYLE: Final = "dim"
SAID_S: Final = 12.0
"""Time for which something said stays, in seconds, unless a key is pressed before."""
OTHER_KEYS: Final = "p sheet  k ranks  h hands  o sit out  ? help  q quit"


class Commands(Protocol):
    """What the keys of the table ask for."""

    def act(self, choice: Choice, amount: int | None = None) -> None:
        """Answer the turn; a bet, raise or cut with its amount."""
        ...

    def open_page(self, name: str) -> None:
        """Show a page: posting, sheet, rank_card, hands or help."""
        ...

    def sit_out_or_in(self) -> None:
        """Sit out, or come back."""
        ...

    def take_time(self) -> None:
        """Take a token of the time bank."""
        ...

    def reset(self) -> None:
        """Agree to resets before play, or take the one reset."""
        ...

    def ask_to_quit(self) -> None:
        """Quit, after asking when there is a seat to lose."""
        ...


class AmountInput(Input):
    """The field for an amount, in which the arrows move to the next open one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.step_amount(1)", show=False),
        Binding("down", "screen.step_amount(-1)", show=False),
        Binding("escape", "screen.cancel_amount", show=False),
    ]


class TableScreen(Screen[None]):
    """The picture, one line for messages, one for the turn, one for the keys.

    Args:
        link: What is shown, and whether it is one's turn.
        story: What is told beside the picture.
        commands: What the keys ask.
        invitation: What others type to join, shown while a seat is free.
    """

    AUTO_FOCUS = ""  # The field for amounts would swallow the keys.
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"choose('{key}')", show=False) for key in MEANINGS),
        Binding("p", "open('sheet')", show=False),
        Binding("k", "open('rank_card')", show=False),
        Binding("h", "open('hands')", show=False),
        Binding("question_mark", "open('help')", show=False),
        Binding("enter", "open('next')", show=False),
        Binding("o", "sit_out_or_in", show=False),
        Binding("t", "take_time", show=False),
        Binding("g", "reset", show=False),
        Binding("q", "quit_table", show=False),
    ]

    def __init__(self, link: TableLink, story: Story, commands: Commands, *, invitation: str = "") -> None:
        super().__init__()
        self._commands = commands
        self._invitation = invitation
        self._link = link
        self._story = story
        # Held here and not looked up: the clock goes on ticking while a screen is put away.
        self._table = Static(id="table")
        self._notice_line = Static(id="notice")
        self._turn_line = Static(id="turn")
        self._amount = Horizontal(id="amount")
        self._amount_words = Label(id="amount-words")
        self._field = AmountInput(id="amount-input", compact=True)
        self._keys_line = Static(OTHER_KEYS, id="keys")
        self._said = Said("")
        self._said_until_s = 0.0
        self._loss = ""
        self._wager: Choice | None = None
        self._wager_number = 0

    def compose(self) -> ComposeResult:
        """See Screen."""
        yield self._table
        yield self._notice_line
        yield self._turn_line
        with self._amount:
            yield self._amount_words
            yield self._field
        yield self._keys_line

    def on_mount(self) -> None:
        """See Screen."""
        self._amount.display = False
        self.draw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.call_after_refresh(self.draw)

    # --- Saying and drawing --------------------------------------------------------------------------------------------------

    def say(self, said: Said) -> None:
        """Show a message for a while, or until something else is said."""
        self._said = said
        self._said_until_s = self._now_s() + SAID_S
        self.draw()

    def say_lost(self, message: str) -> None:
        """Show that the connection is lost, for as long as it is."""
        self._loss = message
        self.draw()

    def turn_may_have_moved(self) -> None:
        """Close the field for an amount when its turn is over."""
        state = self._link.state
        if self._wager is not None and (state is None or state.view.action_number != self._wager_number):
            self._close_amount()
            self.say(Said("The turn is over; nothing was sent.", is_refusal=True))

    def draw(self) -> None:
        """Draw everything anew."""
        if not self.is_mounted:
            return
        state = self._link.state
        if state is None:
            self._table.update("Looking for the table ...")
        else:
            picture = Picture(
                width=max(1, self.size.width),
                height=max(1, self._table.size.height),
                server_now_ms=self._link.clock.now_ms(),
                log=self._story.log,
                banner=self._story.banner,
            )
            self._table.update(Text("\n", no_wrap=True).join(draw_own_table(state.view, picture)))
        self._notice_line.update(self._notice())
        self._turn_line.update(self._turn())

    def _notice(self) -> Text:
        """That the connection is lost; what was said last; else one's hand in words."""
        lost = Text(self._loss if self._link.is_lost else "", style=REFUSAL_STYLE)
        if self._now_s() < self._said_until_s:
            said = Text(self._said.text, style=REFUSAL_STYLE if self._said.is_refusal else "bold")
            return Text.assemble(lost, " ", said) if lost else said
        state = self._link.state
        if lost or state is None:
            return lost
        if self._link.choices and self._link.is_cut:
            return Text(
                "The next deck is sealed and yours to cut: x, then Enter for a place by chance.", style="italic"
            )
        return Text(invitation_words(state.view, self._invitation) or hand_words(state.view), style="italic")

    def _turn(self) -> Text:
        """The keys that work now with their amounts, or what is waited for."""
        state = self._link.state
        if state is None:
            return Text("")
        choices = self._link.choices
        if not choices:
            sent = state.is_own_turn
            after = ".  Enter the result  q quit" if is_over(state.view) else ""
            return Text(
                "Sent ..." if sent else f"{waiting_words(state.view)}{after}",
                style=QUIET_STYLE if not after else "bold",
            )
        line = Text("")
        for choice in choices:
            line.append(f" {choice.key} ", style=KEY_STYLE)
            line.append(f" {choice.words}  ", style="bold")
        if self._link.more_time_words:
            line.append(" t ", style=KEY_STYLE)
            line.append(f" {self._link.more_time_words}  ", style=QUIET_STYLE)
        why = no_wager_words(state.view.legal)
        if why:
            line.append(f"no raise: {why}  ", style=QUIET_STYLE)
        left_ms = self._link.left_ms
        urgent = self._link.is_urgent
        line.append(clock_words(left_ms, urgent=urgent), style=URGENT_STYLE if urgent else "bold yellow")
        return line

    # --- Keys ----------------------------------------------------------------------------------------------------------------

    def action_choose(self, key: str) -> None:
        """Do what the key means, if that is open now."""
        choices = self._link.choices
        choice = choice_for(key, choices)
        if choice is None:
            self.say(Said(self._why_not(key), is_refusal=True))
        elif self._link.is_turn_fresh:
            self.say(Said("Your turn has just begun: look, and press again."))
        elif choice.needs_amount:
            self._ask_amount(choice)
        else:
            self._hush()
            self._commands.act(choice)

    def _why_not(self, key: str) -> str:
        state = self._link.state
        choices = self._link.choices
        if state is not None and state.is_own_turn and not choices:
            return "Your answer is on its way."
        if not choices:
            return f"It is not your turn: {key} would {key_words(key)}."
        return f"You cannot {key_words(key)} now. Open: {', '.join(choice.words for choice in choices)}."

    def action_open(self, page: str) -> None:
        """Open a page; `next` is the posting, and at the end the result."""
        self._hush()
        state = self._link.state
        if page == "next":
            page = "sheet" if state is not None and is_over(state.view) else "posting"
        self._commands.open_page(page)

    def action_sit_out_or_in(self) -> None:
        """Sit out, or come back."""
        self._hush()
        self._commands.sit_out_or_in()

    def action_take_time(self) -> None:
        """Take more time, if that is open now."""
        if not self._link.more_time_words:
            self.say(Said("You cannot take more time now.", is_refusal=True))
            return
        self._hush()
        self._commands.take_time()

    def action_reset(self) -> None:
        """Agree to resets, or take one; the server knows whether that is open."""
        self._hush()
        self._commands.reset()

    def action_quit_table(self) -> None:
        """Ask before leaving."""
        self._commands.ask_to_quit()

    # --- An amount to type -----------------------------------------------------------------------------------------------------

    def _ask_amount(self, choice: Choice) -> None:
        self._hush()
        self._wager = choice
        self._wager_number = self._link.state.view.action_number if self._link.state is not None else 0
        self._amount_words.update(f"{choice.verb} ({choice.range_words}): ")
        field = self._field
        field.value = str(choice.proposal)
        self._turn_line.display = False
        self._amount.display = True
        self._keys_line.update("Enter send  Esc cancel  up/down next amount  or type min, max")
        field.focus()
        field.select_all()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send the amount that was typed, if it is open."""
        choice = self._wager
        if choice is None:
            return
        try:
            amount = choice.read_amount(event.value)
        except AmountError as error:
            self.say(Said(str(error), is_refusal=True))
            return
        self._close_amount()
        self._commands.act(choice, amount)

    def action_step_amount(self, steps: int) -> None:
        """Move to the next open amount."""
        field = self._field
        if self._wager is None:
            return
        try:
            amount = self._wager.next_amount(self._wager.read_amount(field.value), steps=steps)
        except AmountError:
            amount = self._wager.low
        field.value = str(amount)
        field.cursor_position = len(field.value)

    def action_cancel_amount(self) -> None:
        """Send nothing."""
        self._close_amount()
        self.say(Said("Nothing was sent."))

    def _close_amount(self) -> None:
        self._wager = None
        self._amount.display = False
        self._turn_line.display = True
        self._keys_line.update(OTHER_KEYS)
        self.set_focus(None)

    # --- Small things --------------------------------------------------------------------------------------------------------

    def _hush(self) -> None:
        """A key was pressed: what was said before is read."""
        self._said_until_s = 0.0

    def _now_s(self) -> float:
        return self._link.client.retry.timing.now_s()
