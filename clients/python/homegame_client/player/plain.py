"""The table in plain sentences, one after the other, for screen readers and simple terminals: no cursor is ever moved.

A key of the picture is a letter and Enter here. Everything is said once, when it happens.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from rich.text import Text

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.views_pb2 import TableView
from homegame_client.client import Client, TableRef
from homegame_client.errors import ClientError, RefusedError
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
from homegame_client.player.game_pages import rank_lines, rule_lines
from homegame_client.player.pages import as_words, called_page, hand_page, help_page, posting_page, sheet_page
from homegame_client.player.plain_call import call_from_words, game_lines
from homegame_client.player.question import even_shares, read_division
from homegame_client.player.spoken_table import spoken_choices, spoken_turn
from homegame_client.player.status import (
    Ending,
    HowItEnded,
    divided_words,
    invitation_words,
    is_over,
    is_sitting_out,
    keeping_words,
    last_completed,
    leaving_words,
    live_seats,
    needs_acknowledging,
    others_words,
    waiting_words,
)
from homegame_client.player.table_link import Said, TableLink, failure_text, refusal_text
from homegame_client.table_state import TableState
from homegame_client.terminal.calling import is_window_open
from homegame_client.terminal.sentences import tell
from homegame_client.terminal.words import namer, names_text, visible

_TICK_S: Final = 0.5

Read = Callable[[], Awaitable[str | None]]
"""The next line a person types, None when there will be no more."""


class PlainPlayer:
    """One person at one table, in sentences.

    Args:
        client: With the participant's token.
        table: The table.
        write: Takes one line.
        read: Gives the lines that are typed.
        how_to_return: The command that comes back to this seat.
        is_host: Whether this program serves the night, which ends when the seat is given up.
        invitation: What others type to join, said while a seat is free.
    """

    def __init__(
        self,
        client: Client,
        table: TableRef,
        *,
        write: Callable[[str], None],
        read: Read,
        how_to_return: str,
        is_host: bool = False,
        invitation: str = "",
    ) -> None:
        self.link = TableLink(client, table, self)
        self._write = write
        self._read = read
        self._how_to_return = how_to_return
        self._is_host = is_host
        self._invitation = invitation
        self._asked_number = 0
        self._warned_number = 0
        self._posting_read_for = -1
        self._called_read_for = -1
        self._asks: Callable[[str], Awaitable[None]] | None = None
        self._ending: asyncio.Future[Ending] | None = None

    async def play(self) -> Ending:
        """Play until the night is closed or the person has enough."""
        self._ending = asyncio.get_running_loop().create_future()
        tasks = [asyncio.ensure_future(work()) for work in (self._follow, self._listen, self._watch_the_clock)]
        try:
            # A task that fails is a fault of this program: it is raised here instead of leaving the person waiting.
            for task in tasks:
                task.add_done_callback(self._fail_with)
            return await self._ending
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def tell(self, message: str) -> None:
        """Say a sentence from elsewhere."""
        self._write(message)

    async def _follow(self) -> None:
        try:
            await self.link.follow()
        except RefusedError as refusal:
            self._end(Ending(HowItEnded.REFUSED, refusal_text(refusal)))
        else:
            self._end(Ending(HowItEnded.OVER))

    async def _listen(self) -> None:
        while self._ending is not None and not self._ending.done():
            typed = await self._read()
            if typed is None:
                self._write(f"No more input. Your seat is kept; come back with: {self._how_to_return}")
                self._end(Ending(HowItEnded.KEPT))
                return
            try:
                await self.take(typed.strip())
            except RefusedError as refusal:
                self._write(refusal_text(refusal))
            except ClientError as error:
                self._write(failure_text(error))

    async def _watch_the_clock(self) -> None:
        while True:
            await self.link.client.retry.timing.sleep(_TICK_S)
            self.tick()

    def tick(self) -> None:
        """Say once in a turn that its time is nearly over."""
        state, left_ms = self.link.state, self.link.left_ms
        if state is None or left_ms is None or not self.link.is_urgent or not self.link.choices:
            return
        if self._warned_number != state.view.action_number:
            self._warned_number = state.view.action_number
            self._write(f"Hurry: {-(-left_ms // 1000)} seconds left.")

    def _fail_with(self, task: asyncio.Future[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and self._ending is not None and not self._ending.done():
            self._ending.set_exception(error)

    def _end(self, ending: Ending) -> None:
        if self._ending is not None and not self._ending.done():
            self._ending.set_result(ending)

    # --- Listener ------------------------------------------------------------------------------------------------------------

    def heard(self, event: TableEvent, state: TableState) -> None:
        """See Listener."""
        sentence = tell(event, namer(state.view), as_words)
        if sentence is not None:
            self._write(f"{sentence.plain}.".replace("..", "."))
        if event.WhichOneof("event") == "session_finished":
            self._write(f"{waiting_words(state.view, is_host=self._is_host)}. Type p for the sheet, q to end.")
            if self.link.may_ask_for_short_hand:
                self._write("Type y to ask for one short hand between the tied leaders, n to share the place.")

    def changed(self, state: TableState) -> None:
        """See Listener."""
        view = state.view
        cutoff = view.posting.cutoff_at_ms
        if needs_acknowledging(view) and cutoff and self._posting_read_for != cutoff:
            self._posting_read_for = cutoff
            self._lines(posting_page(view, "", self.link.clock.now_ms(), self.link.games.name))
            self._write("Type a and Enter to say that you have read this posting; ? and Enter for all keys.")
        self._say_call(view)
        if self.link.choices and self._asked_number != view.action_number:
            self._asked_number = view.action_number
            self._say_turn(view)

    def lost(self, message: str) -> None:
        """See Listener."""
        self._write(message)

    def back(self) -> None:
        """See Listener."""
        self._write("The connection is back; you are in your seat.")
        self._asked_number = 0  # What is open is said anew: it was long ago.

    # --- What is typed ---------------------------------------------------------------------------------------------------------

    async def take(self, typed: str) -> None:
        """Do what a line asks for. Raises ClientError when something cannot be read from the server."""
        asks, self._asks = self._asks, None
        if asks is not None:
            await asks(typed)
            return
        letter, _, rest = typed.lower().partition(" ")
        doing: dict[str, Callable[[], Awaitable[None]]] = {
            "": self._say_state,
            "a": self._acknowledge,
            "p": self._sheet,
            "k": self._rank_card,
            "e": self._rules,
            "h": lambda: self._hand(rest),
            "o": self._sit_out_or_in,
            "t": self._take_time,
            "g": self._reset,
            "y": lambda: self._ask_for_short_hand(agrees=True),
            "n": lambda: self._ask_for_short_hand(agrees=False),
            "q": self._ask_to_quit,
            "?": self._help,
            "call": lambda: self._call(typed.partition(" ")[2]),
            "games": self._games,
            "divide": lambda: self._divide(rest),
        }
        is_open = choice_for(letter, self.link.choices) is not None
        if is_open and not (letter == "h" and rest):  # `h 3` reads hand 3 even where h alone declares.
            await self._choose(letter, rest)
        elif letter in doing:
            await doing[letter]()
        elif letter in MEANINGS:
            await self._choose(letter, rest)
        else:
            self._write(f"{visible(typed)} is no key. Type ? and Enter for the keys.")

    async def _choose(self, key: str, rest: str) -> None:
        choices = self.link.choices
        choice = choice_for(key, choices)
        if choice is None:
            self._write(self._why_not(key, choices))
        elif choice.needs_cards:
            await self._choose_cards(choice, rest)
        elif choice.needs_amount and not rest and not self.link.is_cut:
            number = self._asked_number
            self._write(
                f"{choice.verb.capitalize()} what, {choice.range_words}? Type a number, min or max, or Enter alone to cancel."
            )
            self._asks = lambda typed: self._wager(choice, typed, number)
        elif choice.needs_amount and rest:
            await self._wager(choice, rest, self._asked_number)
        elif rest:
            self._write(f"{choice.words} takes no amount here; type {key} alone.")
        else:
            self._answer(await self.link.act(choice.as_action()))

    async def _choose_cards(self, choice: Choice, typed: str) -> None:
        """`d 1 3` gives up the first and the third card; `d` alone stands pat, or asks which."""
        state, number = self.link.state, self._asked_number
        if state is None:
            return
        if typed or not choice.legal.cards_min:
            await self._give_up(choice, typed, number)
            return
        asked = CardPicker(choice, state.view, self.link.games.known(state.view)).spoken
        self._write(f"Which cards? {asked[:1].upper()}{asked[1:]}. Type their numbers, for example 1 3.")
        self._asks = lambda numbers: self._give_up(choice, numbers, number)

    async def _give_up(self, choice: Choice, typed: str, number: int) -> None:
        state = self.link.state
        if state is None or state.view.action_number != number or not self.link.choices:
            self._write("The turn is over; nothing was sent.")
            return
        try:
            cards = CardPicker(choice, state.view, self.link.games.known(state.view)).read(typed)
        except CardsError as error:
            self._write(str(error))
        else:
            self._answer(await self.link.act(choice.as_action(None, cards)))

    async def _wager(self, choice: Choice, typed: str, number: int) -> None:
        if not typed.strip():
            self._write("Nothing was sent.")
            return
        state = self.link.state
        if state is None or state.view.action_number != number or not self.link.choices:
            self._write("The turn is over; nothing was sent.")
            return
        try:
            amount = choice.read_amount(typed)
        except AmountError as error:
            self._write(str(error))
        else:
            self._answer(await self.link.act(choice.as_action(amount)))

    def _why_not(self, key: str, choices: Sequence[Choice]) -> str:
        if not choices:
            return f"It is not your turn: {key} would {key_words(key)}."
        return f"You cannot {key_words(key)} now. Open: {spoken_choices(choices)}."

    async def _acknowledge(self) -> None:
        self._answer(await self.link.acknowledge())
        await self._say_state()

    async def _sit_out_or_in(self) -> None:
        if self.link.state is None:
            return
        if self.link.may_sit_out_hand:
            self._answer(await self.link.sit_out_hand_or_not())
        else:
            self._answer(await self.link.sit_out_or_in(out=not is_sitting_out(self.link.state.view)))

    async def _divide(self, typed: str) -> None:
        """`divide 20 10` proposes a division of the pot, `divide none` takes it back (POT-AGR-01)."""
        state = self.link.state
        if state is None or not self.link.may_divide:
            self._write("The pot cannot be divided by agreement now.")
            return
        view = state.view
        if not typed:
            live = live_seats(view)
            names, shares = names_text(map(namer(view), live), len(live)), even_shares(view, len(live))
            if self.link.named_division:
                shares = [self.link.named_division[seat] for seat in live]
                self._write(f"Proposed: {divided_words(view, self.link.named_division)}.")
            amounts = " ".join(map(str, shares))
            self._write(f"Type divide and an amount for each of {names}, for example: divide {amounts}.")
            return
        try:
            division = read_division("" if typed == "none" else typed, view)
        except AmountError as error:
            self._write(str(error))
        else:
            self._answer(await self.link.divide(division))

    # --- The call of a game ----------------------------------------------------------------------------------------------------

    def _say_call(self, view: TableView) -> None:
        """Tell the dealer to call, and everybody what was called, each once."""
        if self.link.is_call and self._asked_number != view.action_number:
            self._asked_number = view.action_number
            left_ms = self.link.left_ms or 0
            self._write(f"It is yours to call a game, within {-(-left_ms // 1000)} seconds.")
            self._write("Type call and its name, for example: call stud7. games lists them.")
        elif is_window_open(view) and self._called_read_for != view.action_number:
            self._called_read_for = view.action_number
            self._lines(called_page(view.called, namer(view)))
            if self.link.may_sit_out_hand:
                self._write(f"The deal comes in {-(-(self.link.left_ms or 0) // 1000)} seconds. o sits this hand out.")

    async def _games(self) -> None:
        self._lines(game_lines(await self.link.once.catalog.list_games()))

    async def _call(self, typed: str) -> None:
        if not (self.link.is_call or self.link.may_recall):
            self._write("It is not yours to call a game now.")
            return
        call = call_from_words(typed)
        if isinstance(call, str):
            self._write(call)
        else:
            self._answer(await self.link.call_game(call))

    async def _take_time(self) -> None:
        if not self.link.more_time_words:
            self._write("You cannot take more time now.")
            return
        said = await self.link.take_time()
        self._warned_number = 0
        left_ms = self.link.left_ms
        self._answer(said)
        if not said.is_refusal and left_ms is not None:
            self._write(f"{-(-left_ms // 1000)} seconds left.")

    async def _reset(self) -> None:
        if self.link.state is not None:
            self._answer(await self.link.reset())

    async def _ask_for_short_hand(self, *, agrees: bool) -> None:
        if not self.link.may_ask_for_short_hand:
            self._write("No short hand is open to you now.")
            return
        self._answer(await self.link.ask_for_short_hand(agrees=agrees))

    async def _ask_to_quit(self) -> None:
        if self.link.state is not None and is_over(self.link.state.view):
            self._end(Ending(HowItEnded.OVER))
            return
        leaving = leaving_words(self.link.state.view if self.link.state is not None else None, is_host=self._is_host)
        self._write(f"Quit? Type leave to give up the seat: {leaving}")
        keeping = f"{keeping_words(is_host=self._is_host)} {self._how_to_return}"
        self._write(f"Type keep to keep the seat: {keeping}. Enter alone stays.")
        self._asks = self._quit

    async def _quit(self, typed: str) -> None:
        word = typed.strip().lower()
        if word in ("leave", "l"):
            said = await self.link.leave()
            self._answer(said)
            if not said.is_refusal:
                self._end(Ending(HowItEnded.LEFT))
        elif word in ("keep", "k"):
            self._end(Ending(HowItEnded.KEPT))
        else:
            self._write("You stay.")

    # --- What is read out ------------------------------------------------------------------------------------------------------

    async def _sheet(self) -> None:
        self._lines(sheet_page(await self.link.once.nights.scoresheet(self.link.table)))

    async def _rank_card(self) -> None:
        if self.link.state is not None:
            self._lines(await rank_lines(self.link, as_words))

    async def _rules(self) -> None:
        if self.link.state is not None:
            self._lines(await rule_lines(self.link, self.link.state.view))

    async def _hand(self, wanted: str) -> None:
        state = self.link.state
        number = int(wanted) if wanted.isdecimal() else last_completed(state.view) if state is not None else 0
        if state is None or number == 0:
            self._write("No hand has been completed yet.")
            return
        hand = await self.link.once.hands.get(self.link.table, hand_number=number)
        self._lines(hand_page(hand, state.view, as_words))
        self._write("For another hand type h and its number.")

    async def _help(self) -> None:
        self._lines(help_page())
        self._write(
            "Here a key is a letter and Enter. a says that you have read the posting; Enter alone says how things stand;"
        )
        self._write(
            "r 12 raises to 12 at once; h 3 reads hand 3; d 1 3 gives up your first and third card, d alone stands pat."
        )
        self._write(
            "call stud7 calls a game when you are the dealer, games lists them; divide proposes to divide the pot."
        )

    async def _say_state(self) -> None:
        state = self.link.state
        if state is None:
            self._write("Looking for the table.")
        elif self.link.choices:
            self._say_turn(state.view)
        else:
            self._write(f"{waiting_words(state.view, is_host=self._is_host)}.")
            self._lines([Text(line) for line in (invitation_words(state.view, self._invitation),) if line])

    def _say_turn(self, view: TableView) -> None:
        """Everything one has to know for a decision, in the order in which one asks."""
        if self.link.is_cut:
            self._write("The next deck is sealed and yours to cut. Open: x cuts at a place by chance, x 17 cuts at 17.")
            return
        self._write(spoken_turn(view, self.link.games.known(view), self.link.left_ms))
        cards = next((choice for choice in self.link.choices if choice.needs_cards), None)
        if cards is not None:
            self._say_card_keys(view, cards)
            return
        why = no_wager_words(view.legal)
        more = f", t {self.link.more_time_words}" if self.link.more_time_words else ""
        divide = ", divide the pot by agreement" if self.link.may_divide else ""
        told = f"Open: {spoken_choices(self.link.choices)}{more}{divide}."
        self._write(f"{told}{f' No raise: {why}.' if why else ''}")

    def _say_card_keys(self, view: TableView, choice: Choice) -> None:
        """How to give up cards, and who does so at the same time."""
        example = " ".join(str(place) for place in range(1, max(1, choice.legal.cards_min or 2) + 1))
        pat = ", or d alone to stand pat" if not choice.legal.cards_min else ""
        more = f" Or t {self.link.more_time_words}." if self.link.more_time_words else ""
        others = others_words(view)
        too = f" {others[:1].upper()}{others[1:]}." if others else ""
        self._write(
            f"Open: {CardPicker(choice, view, self.link.games.known(view)).spoken}. "
            f"Type d and their numbers, for example d {example}{pat}.{more}{too}"
        )

    def _answer(self, said: Said) -> None:
        if said.text:
            self._write(said.text)

    def _lines(self, lines: Sequence[Text]) -> None:
        for line in lines:
            self._write(line.plain)
