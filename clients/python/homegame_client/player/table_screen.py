"""The table itself on the terminal, and the keys that work there."""

from collections.abc import Sequence
from typing import ClassVar, Final, Protocol

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Label, Static

from homegame.v1.cards_pb2 import Card
from homegame.v1.views_pb2 import TableView
from homegame_client.player.card_picker import CardPicker
from homegame_client.player.choices import (
    MEANINGS,
    AmountError,
    CardsError,
    Choice,
    choice_for,
    key_words,
    no_wager_words,
)
from homegame_client.player.picture import draw_own_table
from homegame_client.player.question import Question, amount_question, division_question
from homegame_client.player.sized_screen import SizedScreen
from homegame_client.player.status import (
    clock_words,
    hand_words,
    invitation_words,
    is_over,
    others_words,
    waiting_words,
)
from homegame_client.player.table_link import Said, TableLink
from homegame_client.terminal.draw import Picture
from homegame_client.terminal.story import Story

KEY_STYLE: Final = "bold black on yellow"
URGENT_STYLE: Final = "bold white on red3"
REFUSAL_STYLE: Final = "bold red"
QUIET_STYLE: Final = "dim"
SAID_S: Final = 12.0
"""Time for which something said stays, in seconds, unless a key is pressed before."""
OTHER_KEYS: Final = "p sheet  k ranks  e game  h hands  o sit out  ? help  q quit"
DIGITS: Final = "1234567890"


class Commands(Protocol):
    """What the keys of the table ask for."""

    def act(self, choice: Choice, amount: int | None = None, cards: Sequence[Card.ValueType] = ()) -> None:
        """Answer the turn; a bet, raise or cut with its amount, a discard, draw or pass with its cards."""
        ...

    def divide(self, shares: list[int]) -> None:
        """Name a division of the pot."""
        ...

    def open_page(self, name: str) -> None:
        """Show a page: posting, sheet, rank_card, rules, hands, help, call or called."""
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

    def ask_for_short_hand(self, *, agrees: bool) -> None:
        """As a tied leader, ask for the short hand, or decline it."""
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


class TableScreen(SizedScreen[None]):
    """The picture, one line for messages, one for the turn, one for the keys.

    Args:
        link: What is shown, and whether it is one's turn.
        story: What is told beside the picture.
        commands: What the keys ask.
        is_host: Whether this program opens the night.
        invitation: What others type to join, shown while a seat is free.
    """

    AUTO_FOCUS = ""  # The field for amounts would swallow the keys.
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"choose('{key}')", show=False) for key in MEANINGS),
        *(Binding(digit, f"pick({DIGITS.index(digit) + 1})", show=False) for digit in DIGITS),
        Binding("p", "open('sheet')", show=False),
        Binding("k", "open('rank_card')", show=False),
        Binding("e", "open('rules')", show=False),
        Binding("h", "declare_high_or_open_hands", show=False),
        Binding("question_mark", "open('help')", show=False),
        Binding("enter", "enter", show=False),
        Binding("escape", "put_back", show=False),
        Binding("a", "divide", show=False),
        Binding("o", "sit_out_or_in", show=False),
        Binding("t", "take_time", show=False),
        Binding("g", "reset", show=False),
        Binding("y", "short_hand(True)", show=False),
        Binding("n", "short_hand(False)", show=False),
        Binding("q", "quit_table", show=False),
    ]

    def __init__(
        self, link: TableLink, story: Story, commands: Commands, *, is_host: bool = False, invitation: str = ""
    ) -> None:
        super().__init__()
        self._is_host = is_host
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
        self._question: Question | None = None
        self._picker: CardPicker | None = None

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
        number = None if self._question is None else self._question.number
        if number is not None and (state is None or state.view.action_number != number):
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
                game=self._link.games.known(state.view),
                roles=self._story.roles,
            )
            self._table.update(Text("\n", no_wrap=True).join(draw_own_table(state.view, picture)))
        self._notice_line.update(self._notice())
        self._turn_line.update(self._turn())

    def _notice(self) -> Text:
        """The message, and below it the cards to pick from."""
        picker = self._current_picker()
        message = self._message()
        return message if picker is None else Text("\n").join([message, picker.line()] if message else [picker.line()])

    def _message(self) -> Text:
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
        if not self._link.choices:
            return self._no_turn(state.view, sent=state.is_own_turn or (state.is_own_call and not self._link.is_call))
        picker = self._current_picker()
        line = Text("") if picker is None else picker.keys()
        for choice in self._link.choices:
            if not choice.needs_cards:
                line.append(f" {choice.key} ", style=KEY_STYLE)
                line.append(f" {choice.words}  ", style="bold")
        if self._link.more_time_words:
            line.append(" t ", style=KEY_STYLE)
            line.append(f" {self._link.more_time_words}  ", style=QUIET_STYLE)
        why = no_wager_words(state.view.legal)
        for aside in (f"no raise: {why}" if why else "", others_words(state.view)):
            line.append(f"{aside}  " if aside else "", style=QUIET_STYLE)
        line.append_text(self._clock())
        return self._with_division(line)

    def _with_division(self, line: Text) -> Text:
        """The line, and that the pot may be divided, where that is open."""
        if not self._link.may_divide:
            return line
        division = Text.assemble((" a ", KEY_STYLE), (" divide", QUIET_STYLE))
        fits = cell_len(line.plain) + cell_len(division.plain) + 2 <= self.size.width
        return Text.assemble(line, "  " if fits else "\n", division)

    def _no_turn(self, view: TableView, *, sent: bool) -> Text:
        if sent:
            return Text("Sent ...", style=QUIET_STYLE)
        if self._link.is_call:
            line = Text.assemble((" Enter ", KEY_STYLE), (" call the game of the next hand  ", "bold"))
            return Text.assemble(line, self._clock())
        if self._link.may_sit_out_hand or self._link.may_recall:
            return self._window(view)
        if self._link.may_ask_for_short_hand:
            shared = Text(f"{waiting_words(view, is_host=self._is_host)}.  ", style="bold")
            keys = (
                (" y ", KEY_STYLE),
                " ask for a short hand  ",
                (" n ", KEY_STYLE),
                " share the place  Enter the result",
            )
            return Text.assemble(shared, *keys)
        after = ".  Enter the result  q quit" if is_over(view) else ""
        line = Text(f"{waiting_words(view, is_host=self._is_host)}{after}", style=QUIET_STYLE if not after else "bold")
        return self._with_division(line)

    def _window(self, view: TableView) -> Text:
        """What may be done between a call and its deal; the picture says what is called."""
        enter, parts = "call another game" if self._link.may_recall else "explanation", []
        if self._link.may_sit_out_hand:
            sits_out = view.viewer_seat in view.sitting_out
            parts = [(" o ", KEY_STYLE), (f" {'be dealt in' if sits_out else 'sit this hand out'}  ", "bold")]
        return Text.assemble((" Enter ", KEY_STYLE), (f" {enter}  ", "bold"), *parts, self._clock())

    def _clock(self) -> Text:
        urgent = self._link.is_urgent
        words = clock_words(self._link.left_ms, urgent=urgent)
        return Text(words, style=URGENT_STYLE if urgent else "bold yellow")

    # --- Keys ----------------------------------------------------------------------------------------------------------------

    def action_choose(self, key: str) -> None:
        """Do what the key means, if that is open now."""
        choice = choice_for(key, self._link.choices)
        if choice is None:
            self.say(Said(self._why_not(key), is_refusal=True))
        elif self._link.is_turn_fresh:
            self.say(Said("Your turn has just begun: look, and press again."))
        elif choice.needs_cards:
            self._stand_pat(choice)
        elif choice.needs_amount:
            number = self._link.state.view.action_number if self._link.state is not None else 0
            self._ask(amount_question(choice, number, self._commands.act))
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

    def action_enter(self) -> None:
        """Send the picked cards; call a game or read what was called; else the posting, and at the end the result."""
        if self._current_picker() is not None:
            self._send_picked()
            return
        self._hush()
        state = self._link.state
        page = "sheet" if state is not None and is_over(state.view) else "posting"
        if self._link.is_call or self._link.may_recall:
            page = "call"
        elif self._link.may_sit_out_hand:
            page = "called"
        self._commands.open_page(page)

    def action_open(self, page: str) -> None:
        """Open a page."""
        self._hush()
        self._commands.open_page(page)

    def action_declare_high_or_open_hands(self) -> None:
        """Where halves are declared: high. Else the hands that were played."""
        if choice_for("h", self._link.choices) is not None:
            self.action_choose("h")
        else:
            self.action_open("hands")

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

    def action_divide(self) -> None:
        """Name a division of the pot, if that is open now."""
        state = self._link.state
        if state is None or not self._link.may_divide:
            self.say(Said("The pot cannot be divided by agreement now.", is_refusal=True))
            return
        self._ask(division_question(state.view, self._link.named_division, self._commands.divide))

    def action_reset(self) -> None:
        """Agree to resets, or take one; the server knows whether that is open."""
        self._hush()
        self._commands.reset()

    def action_short_hand(self, agrees: bool) -> None:  # noqa: FBT001 - the argument of a binding
        """Ask for the short hand between tied leaders or decline it, if that is open now."""
        if not self._link.may_ask_for_short_hand:
            self.say(Said("No short hand is open to you now.", is_refusal=True))
            return
        self._hush()
        self._commands.ask_for_short_hand(agrees=agrees)

    def action_quit_table(self) -> None:
        """Ask before leaving."""
        self._commands.ask_to_quit()

    # --- Cards to pick -------------------------------------------------------------------------------------------------------

    def action_pick(self, place: int) -> None:
        """Pick a card by its number, or put it back."""
        picker = self._current_picker()
        if picker is None:
            self.say(Said("There are no cards to pick now.", is_refusal=True))
            return
        self._hush()
        try:
            picker.toggle(place)
        except CardsError as error:
            self.say(Said(str(error), is_refusal=True))
        self.draw()

    def action_put_back(self) -> None:
        """Put every picked card back."""
        picker = self._current_picker()
        if picker is not None:
            picker.clear()
            self.draw()

    def _current_picker(self) -> CardPicker | None:
        """The cards to pick from in this turn, None when no cards are asked for."""
        state = self._link.state
        choice = next((choice for choice in self._link.choices if choice.needs_cards), None)
        if state is None or state.own_seat is None or choice is None:
            return None
        if self._picker is None or self._picker.number != state.view.action_number:
            game = self._link.games.known(state.view)
            self._picker = CardPicker(choice, state.view, game)
        return self._picker

    def _send_picked(self) -> None:
        picker = self._current_picker()
        if picker is None:
            return
        if not picker.picked and not picker.choice.legal.cards_min:
            self.say(Said("No card is picked: d stands pat.", is_refusal=True))
            return
        try:
            picker.choice.check_cards(len(picker.picked))
        except CardsError as error:
            self.say(Said(str(error), is_refusal=True))
            return
        self._hush()
        self._commands.act(picker.choice, None, picker.picked)

    def _stand_pat(self, choice: Choice) -> None:
        picker = self._current_picker()
        if picker is not None and picker.picked:
            self.say(Said("Cards are picked: Enter gives them up, Esc puts them back.", is_refusal=True))
        elif choice.legal.cards_min:
            self.say(Said(f"Pick cards by their numbers, then Enter to {choice.verb} them.", is_refusal=True))
        else:
            self._hush()
            self._commands.act(choice)

    # --- Something to type -----------------------------------------------------------------------------------------------------

    def _ask(self, question: Question) -> None:
        self._hush()
        self._question = question
        self._amount_words.update(question.words)
        field = self._field
        field.value = question.proposal
        self._turn_line.display = False
        self._amount.display = True
        self._keys_line.update(question.keys)
        field.focus()
        field.select_all()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send what was typed, if it is open."""
        question = self._question
        if question is None:
            return
        try:
            send = question.answer(event.value)
        except AmountError as error:
            self.say(Said(str(error), is_refusal=True))
            return
        self._close_amount()
        send()

    def action_step_amount(self, steps: int) -> None:
        """Move to the next open amount."""
        field = self._field
        if self._question is None or self._question.step is None:
            return
        field.value = self._question.step(field.value, steps)
        field.cursor_position = len(field.value)

    def action_cancel_amount(self) -> None:
        """Send nothing."""
        self._close_amount()
        self.say(Said("Nothing was sent."))

    def _close_amount(self) -> None:
        self._question = None
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
