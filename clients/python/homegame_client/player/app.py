"""The table on a terminal: a picture, single keys for what the server allows, pages to read.

Everything shown comes from the link; keys ask the link and its answer is shown in words. No rule of poker is known here.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game
from homegame.v1.events_pb2 import TableEvent
from homegame.v1.views_pb2 import TableView
from homegame_client.client import Client, TableRef
from homegame_client.errors import ClientError, RefusedError
from homegame_client.player.call_screens import CalledPage, CallPage, GamesPage, choose_game
from homegame_client.player.choices import Choice
from homegame_client.player.game_call import CallWish
from homegame_client.player.game_pages import ante_words, explain_game, rank_lines, rule_lines
from homegame_client.player.pages import as_marks, called_page, hand_page, help_page, posting_page, sheet_page
from homegame_client.player.screens import HandsPage, Page, PostingPage, QuitPage
from homegame_client.player.status import (
    Ending,
    HowItEnded,
    clock_words,
    is_over,
    is_sitting_out,
    keeping_words,
    last_completed,
    leaving_words,
    needs_acknowledging,
)
from homegame_client.player.table_link import Said, TableLink, failure_text, refusal_text
from homegame_client.player.table_screen import TableScreen
from homegame_client.player.terminal_driver import TerminalDriver
from homegame_client.table_state import TableState
from homegame_client.terminal.calling import is_window_open
from homegame_client.terminal.story import Story
from homegame_client.terminal.words import namer, visible

TICK_S: Final = 0.25
BACKLOG: Final = 40
"""Events from before one sat down, for the story beside the picture."""


CSS: Final = """
/* The table takes what the lines below leave; nothing has a border of its own, a small terminal has no room for it. */
#table { height: 1fr; text-wrap: nowrap; text-overflow: clip; }
#notice { height: auto; min-height: 1; max-height: 3; }
#turn { height: auto; min-height: 1; max-height: 2; }
#keys { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
#amount { height: 1; }
#amount-words { width: auto; text-style: bold; }
#amount-input { width: 1fr; }
ModalScreen { background: $background; }
#page { height: 1fr; }
#page-keys { height: 1; dock: bottom; }
#games { height: 1fr; text-wrap: wrap; }
#file { height: 1; }
#call-options { height: auto; max-height: 5; }
#question { height: auto; padding: 1 2; }
"""


class PlayerApp(App[Ending], inherit_bindings=False):
    """One person at one table.

    Args:
        client: With the participant's token.
        table: The table.
        how_to_return: The command that comes back to this seat.
        is_host: Whether this program serves the night, which ends when the seat is given up.
        invitation: What others type to join, shown while a seat is free.
    """

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    TITLE = "homegame"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q,ctrl+c", "ask_to_quit", show=False, priority=True)]

    def __init__(
        self, client: Client, table: TableRef, *, how_to_return: str, is_host: bool = False, invitation: str = ""
    ) -> None:
        super().__init__(driver_class=TerminalDriver)
        self._is_host = is_host
        self.link = TableLink(client, table, self, backlog=BACKLOG)
        self.story = Story()
        self._how_to_return = how_to_return
        self._table_screen = TableScreen(self.link, self.story, self, is_host=is_host, invitation=invitation)
        self._posting_shown_for = -1
        self._call_shown_for = -1
        self._called_shown_for = -1
        self._summary = ""

    def get_default_screen(self) -> Screen[None]:
        """See App."""
        return self._table_screen

    def on_mount(self) -> None:
        """Begin to follow the table."""
        self.run_worker(self._follow(), group="following")
        self.set_interval(TICK_S, self.tick)

    async def _follow(self) -> None:
        try:
            await self.link.follow()
        except RefusedError as refusal:
            self.exit(Ending(HowItEnded.REFUSED, refusal_text(refusal)))

    async def play(self) -> Ending:
        """Play on this terminal until the end or until the person has enough."""
        ending = await self.run_async()
        return ending if ending is not None else Ending(HowItEnded.KEPT)

    def tell(self, message: str) -> None:
        """Show a sentence from elsewhere."""
        self._table_screen.say(Said(message, is_refusal=True))

    def tick(self) -> None:
        """Move the clocks."""
        self._table_screen.draw()
        if self.link.state is not None:
            self._show_call(self.link.state.view)
        screen = self.screen if self.screen_stack else None  # There is none any more while the program ends.
        if isinstance(screen, GamesPage | CallPage) and not (self.link.is_call or self.link.may_recall):
            screen.dismiss(None)
            self._table_screen.say(Said("The time to call a game is over.", is_refusal=True))
        elif isinstance(screen, Page | GamesPage | CallPage):
            screen.remind(self._reminder())

    def _reminder(self) -> str:
        """What a reader of a page has to know: that it is the own turn or call, or that the connection is lost."""
        clock = clock_words(self.link.left_ms, urgent=self.link.is_urgent)
        if self.link.choices:
            return f"Your turn {clock}".strip()
        if self.link.is_call:
            return f"Your call {clock}".strip()
        if self.link.is_lost:
            return "Connection lost"
        state = self.link.state
        window = state is not None and is_window_open(state.view)
        return f"{visible(state.view.called.game.name)} is called {clock}" if state is not None and window else ""

    # --- Listener -----------------------------------------------------------------------------------------------------

    def heard(self, event: TableEvent, state: TableState) -> None:
        """See Listener."""
        self.story.hear(event, state.view)

    def changed(self, state: TableState) -> None:
        """See Listener."""
        self._table_screen.turn_may_have_moved()
        self.tick()
        cutoff = state.view.posting.cutoff_at_ms
        if needs_acknowledging(state.view) and cutoff and self._posting_shown_for != cutoff:
            self._posting_shown_for = cutoff  # Once by itself for each posting; afterwards on Enter.
            self.open_page("posting")

    def _show_call(self, view: TableView) -> None:
        """Show the list to who is to call, and a call to everybody, once by itself and only over the table."""
        if not self.screen_stack or self.screen is not self._table_screen:
            return
        if self.link.is_call and self._call_shown_for != view.action_number:
            self._call_shown_for = view.action_number
            self.open_page("call")
        elif is_window_open(view) and self._called_shown_for != view.action_number:
            self._called_shown_for = view.action_number
            self.open_page("called")

    def lost(self, message: str) -> None:
        """See Listener."""
        self._table_screen.say_lost(message)

    def back(self) -> None:
        """See Listener."""
        self._table_screen.say(Said("The connection is back, and so are you: this is the table now."))

    # --- What the keys of the table ask for ---------------------------------------------------------------------------

    def act(self, choice: Choice, amount: int | None = None, cards: Sequence[Card.ValueType] = ()) -> None:
        """See Commands."""
        self._do(self.link.act(choice.as_action(amount, cards)))

    def divide(self, shares: list[int]) -> None:
        """See Commands."""
        self._do(self.link.divide(shares))

    def open_page(self, name: str) -> None:
        """See Commands."""
        pages = {
            "posting": self._posting,
            "sheet": self._sheet,
            "rank_card": self._rank_card,
            "rules": self._rules,
            "call": self._call,
            "called": self._called,
            "hands": self._hands,
            "help": self._help,
        }
        self.run_worker(self._shown(pages[name]()), group="calling" if name == "call" else "reading")

    def sit_out_or_in(self) -> None:
        """See Commands."""
        state = self.link.state
        if state is None:
            return
        if self.link.may_sit_out_hand:
            self._do(self.link.sit_out_hand_or_not())
        else:
            self._do(self.link.sit_out_or_in(out=not is_sitting_out(state.view)))

    def take_time(self) -> None:
        """See Commands."""
        if self.link.state is not None:
            self._do(self.link.take_time())

    def reset(self) -> None:
        """See Commands."""
        if self.link.state is not None:
            self._do(self.link.reset())

    def ask_for_short_hand(self, *, agrees: bool) -> None:
        """See Commands."""
        self._do(self.link.ask_for_short_hand(agrees=agrees))

    def ask_to_quit(self) -> None:
        """See Commands."""
        if isinstance(self.screen, QuitPage):
            return
        state = self.link.state
        if state is not None and is_over(state.view):
            self.exit(Ending(HowItEnded.OVER))
            return
        leaving = leaving_words(state.view if state is not None else None, is_host=self._is_host)
        keeping = keeping_words(is_host=self._is_host)
        self.push_screen(QuitPage(leaving=leaving, keeping=keeping, how_to_return=self._how_to_return), self._quit)

    def action_ask_to_quit(self) -> None:
        """Ctrl-C asks as q does, from any page."""
        self.ask_to_quit()

    def _quit(self, answer: str | None) -> None:
        if answer == "keep":
            self.exit(Ending(HowItEnded.KEPT))
        elif answer == "leave":
            self._do(self.link.leave(), self._left)

    def _left(self, said: Said) -> None:
        if not said.is_refusal:
            self.exit(Ending(HowItEnded.LEFT))

    # --- Pages --------------------------------------------------------------------------------------------------------

    async def _posting(self) -> None:
        state = self.link.state
        if state is None:
            return
        if not self._summary:
            self._summary = await self.link.find_summary()
        lines = posting_page(state.view, self._summary, self.link.clock.now_ms(), self.link.games.name)
        self.push_screen(PostingPage(lines, can_acknowledge=needs_acknowledging(state.view)), self._acknowledge)

    def _acknowledge(self, has_read: bool | None) -> None:  # noqa: FBT001 - the result of the screen
        if has_read:
            self._do(self.link.acknowledge())

    async def _sheet(self) -> None:
        self.push_screen(Page(sheet_page(await self.link.once.nights.scoresheet(self.link.table))))

    async def _rank_card(self) -> None:
        if self.link.state is not None:
            self.push_screen(Page(await rank_lines(self.link, as_marks)))

    async def _rules(self) -> None:
        state = self.link.state
        if state is not None:
            self.push_screen(Page(await rule_lines(self.link, state.view)))

    async def _call(self) -> None:
        """Let the dealer choose, and send the call."""
        state = self.link.state
        if state is None:
            return
        games = await self.link.once.catalog.list_games()

        async def show(screen: ModalScreen[CallWish]) -> CallWish | None:
            return await self.push_screen_wait(screen)

        async def explain(wish: CallWish) -> tuple[Game, list[Text]]:
            return await explain_game(self.link, wish)

        def complain(message: str) -> None:
            self._table_screen.say(Said(message, is_refusal=True))

        wish = await choose_game(show, games, explain, ante_words(state.view), complain)
        if wish is not None:
            self._do(self.link.call_game(wish.as_call()))

    async def _called(self) -> None:
        state = self.link.state
        if state is None or not state.view.HasField("called"):
            return
        lines = called_page(state.view.called, namer(state.view))
        self.push_screen(CalledPage(lines, may_sit_out=self.link.may_sit_out_hand), self._sit_out_called)

    def _sit_out_called(self, wants: bool | None) -> None:  # noqa: FBT001 - the result of the screen
        if wants and self.link.may_sit_out_hand:
            self._do(self.link.sit_out_hand_or_not())

    async def _hands(self) -> None:
        state = self.link.state
        newest = last_completed(state.view) if state is not None else 0
        if newest == 0:
            self._table_screen.say(Said("No hand has been completed yet."))
            return
        self.push_screen(HandsPage(await self._hand_lines(newest), self._hand_lines, newest))

    async def _help(self) -> None:
        self.push_screen(Page(help_page()))

    async def _hand_lines(self, number: int) -> list[Text]:
        hand = await self.link.once.hands.get(self.link.table, hand_number=number)
        return hand_page(hand, self.link.state.view, as_marks) if self.link.state is not None else []

    # --- Asking in the background -------------------------------------------------------------------------------------

    def _do(self, asking: Awaitable[Said], then: Callable[[Said], None] | None = None) -> None:
        async def ask() -> None:
            said = await asking
            if said.text:
                self._table_screen.say(said)
            self.tick()
            if then is not None:
                then(said)

        self.run_worker(ask(), group="asking")
        self.tick()

    async def _shown(self, page: Awaitable[None]) -> None:
        try:
            await page
        except RefusedError as refusal:
            self._table_screen.say(Said(refusal_text(refusal), is_refusal=True))
        except ClientError as error:
            self._table_screen.say(Said(failure_text(error), is_refusal=True))
