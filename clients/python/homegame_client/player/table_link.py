"""A person's line to the table: keeps the view up to date, comes back after every break, and says in words what went wrong.

The stream of the SDK resumes in silence, which is right for a program; a person wants to be told. So here every call is
tried once, a break is reported to the listener at once, and the next try follows until the server answers.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from homegame.v1.actions_pb2 import ActionKind, PlayerAction
from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import TableEvent
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.play_service_pb2 import CallGameResponse, GameCall, UseTimeBankResponse
from homegame.v1.table_service_pb2 import AgreeToResetsResponse, AskForPlayoffResponse, SitOutResponse
from homegame.v1.views_pb2 import SeatHand, SeatStatus, TableView
from homegame_client.client import Client, TableRef
from homegame_client.errors import ClientError, GapError, GaveUpError, RefusedError
from homegame_client.player.choices import Choice, open_choices
from homegame_client.retry import Backoff, RetryPolicy
from homegame_client.short_hand import ShortHand
from homegame_client.table_state import TableState
from homegame_client.terminal.calling import is_window_open
from homegame_client.terminal.games import GameBook
from homegame_client.terminal.screen import ServerClock
from homegame_client.terminal.words import chips_text, visible

QUIET_S: Final = 5.0
"""Silence after which the server is asked whether it is still there: a dead line can look like a slow player."""

LOST: Final = "Connection lost. Your seat is kept; trying again by itself."

STALE: Final = frozenset({Reason.REASON_STALE_ACTION, Reason.REASON_STALE_AMOUNT})
URGENT_MS: Final = 10_000
_JUST_BEGUN_S: Final = 0.3


class Listener(Protocol):
    """Whoever shows the table."""

    def heard(self, event: TableEvent, state: TableState) -> None:
        """Take note of an event; the state holds it already. Events missed while away come in one go."""
        ...

    def changed(self, state: TableState) -> None:
        """Show the table anew."""
        ...

    def lost(self, message: str) -> None:
        """Say that the connection is gone; called once a break."""
        ...

    def back(self) -> None:
        """Say that the connection is there again."""
        ...


@dataclass(frozen=True)
class Said:
    """The answer to something a person did, in words."""

    text: str
    """Empty when the table itself is the answer."""
    is_refusal: bool = False


class TableLink:
    """One seat's view of a table, and its calls.

    Args:
        client: With the participant's token.
        table: The table.
        listener: Told about everything.
        backlog: How many events from before the first view the listener hears, too.
    """

    def __init__(self, client: Client, table: TableRef, listener: Listener, *, backlog: int = 0) -> None:
        self.client = client
        self.once = replace(client, retry=one_try(client.retry))
        """The same caller for reads that fail at once instead of waiting for a server that is away."""
        self.table = table
        self.state: TableState | None = None
        self.games = GameBook()
        self.clock = ServerClock(client.retry.timing)
        self.is_lost = False
        self.named_division: list[int] = []
        """How somebody else would divide the pot of the running hand, chips for each seat; empty when nobody has said."""
        self._short_hand = ShortHand()
        self._listener = listener
        self._backlog = backlog
        self._heard_at_s = client.retry.timing.now_s()
        self._answered_number = 0
        self._turn_number = 0
        self._banked_number = 0
        self._turn_began_at_s = 0.0

    # --- Following ---------------------------------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Keep the view up to date until the night is closed, through every break.

        Raises:
            RefusedError: no such table, or the token is not good for it.
        """
        failed = 0
        while True:
            before = self.client.retry.timing.now_s()
            try:
                await self._follow_until_it_breaks()
            except RefusedError:
                raise
            except ClientError as error:
                failed = 1 if self._heard_at_s > before else failed + 1
                self._note_loss(error)
            else:
                return
            retry = self.client.retry
            await retry.timing.sleep(retry.backoff.pause_ms(failed, retry.chance()) / 1000)

    async def _follow_until_it_breaks(self) -> None:
        """Read the stream, and ask for a sign of life when it is silent; whichever fails first ends both."""
        await self.refresh()
        if self._is_closed():
            return
        reading = asyncio.ensure_future(self._read())
        checking = asyncio.ensure_future(self._check())
        try:
            await asyncio.wait((reading, checking), return_when=asyncio.FIRST_COMPLETED)
            await (checking if checking.done() else reading)
        finally:
            for task in (reading, checking):
                task.cancel()
            await asyncio.gather(reading, checking, return_exceptions=True)

    async def _read(self) -> None:
        state = self._known()
        after_seq = max(0, state.view.last_number - self._backlog)
        async for frame in self.once.tables.watch(self.table, after_seq=after_seq).frames():
            self._backlog = 0
            self._note_life()
            self.clock.hear(frame.server_time_ms)
            held = _held(state.view)
            for event in frame.events:
                state.apply(event, frame.server_time_ms)
                self._note(event)
                self._listener.heard(event, state)
            # The words for one's own hand are in the view alone.
            if state.is_incomplete or _held(state.view) != held:
                await self.refresh()
            else:
                self._note_turn()
                self._listener.changed(state)

    async def _check(self) -> None:
        timing = self.client.retry.timing
        while True:
            await timing.sleep(QUIET_S)
            if timing.now_s() - self._heard_at_s >= QUIET_S:
                await self.once.nights.get(self.table.night_id)
                self._note_life()

    async def refresh(self) -> None:
        """Ask for the whole table and show it. Raises ClientError."""
        view = await self.once.tables.get(self.table)
        game = await self.games.find(self.once, view)
        await self.games.find_posted(self.once, view)
        self._note_life()
        self.clock.hear(view.server_time_ms)
        if self.state is None:
            self.state = TableState(view, [street.name for street in game.streets])
        else:
            self.state.replace(view)
        self._note_turn()
        self._listener.changed(self.state)

    async def find_summary(self) -> str:
        """The format in a sentence; empty for one that is in no catalog. Raises ClientError."""
        try:
            return (await self.once.catalog.get_format(self._known().view.posting.format_id)).summary
        except RefusedError as refusal:
            if refusal.reason != Reason.REASON_FORMAT_UNKNOWN:
                raise
            return ""

    # --- The turn ----------------------------------------------------------------------------------------------------------

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What this seat may do now; empty while it is not its turn or its answer is on the way."""
        state = self.state
        if state is None or not state.is_own_turn or state.view.action_number == self._answered_number:
            return ()
        return open_choices(state.view.legal)

    @property
    def is_call(self) -> bool:
        """Whether this seat is to call a game, and has not done so."""
        state = self.state
        return state is not None and state.is_own_call and state.view.action_number != self._answered_number

    @property
    def may_sit_out_hand(self) -> bool:
        """Whether this seat may sit out the hand that was called, or take that back."""
        state = self.state
        if state is None or state.own_seat is None or not is_window_open(state.view):
            return False
        is_dealt_in = state.own_seat.status == SeatStatus.SEAT_STATUS_SEATED
        return is_dealt_in and state.view.viewer_seat != state.view.called.seat

    @property
    def may_recall(self) -> bool:
        """Whether this seat called the coming hand and may call another game instead."""
        state = self.state
        if state is None or not state.view.HasField("viewer_seat") or not is_window_open(state.view):
            return False
        return state.view.viewer_seat == state.view.called.seat

    @property
    def may_divide(self) -> bool:
        """Whether this seat may name a division of the pot (POT-AGR-01)."""
        state = self.state
        if state is None or state.own_seat is None or not state.view.legal.may_agree:
            return False
        return state.own_seat.hand == SeatHand.SEAT_HAND_LIVE

    @property
    def may_ask_for_short_hand(self) -> bool:
        """Whether this seat is a tied leader who may ask for the short hand or decline it (PTS-B3-05)."""
        state = self.state
        if state is None or state.own_seat is None:
            return False
        return self._short_hand.is_open_to(state.own_seat.seat, state.view)

    @property
    def is_turn_fresh(self) -> bool:
        """Whether the turn came so short a time ago that a key was hardly meant for it."""
        return self.client.retry.timing.now_s() - self._turn_began_at_s < _JUST_BEGUN_S

    @property
    def left_ms(self) -> int | None:
        """Time left in the running decision window by the server's clock, in ms; None when none runs."""
        if self.state is None or not self.state.view.HasField("deadline_at_ms"):
            return None
        return max(0, self.state.view.deadline_at_ms - self.clock.now_ms())

    @property
    def is_cut(self) -> bool:
        """Whether the turn is the cut of a sealed deck, and not a decision in a hand."""
        return self.state is not None and ActionKind.ACTION_KIND_CUT in self.state.view.legal.kinds

    @property
    def is_urgent(self) -> bool:
        """Whether the window is about to end: the last third of it, ten seconds at most."""
        if self.state is None or self.left_ms is None:
            return False
        return self.left_ms <= min(URGENT_MS, (_window_ms(self.state.view) or 3 * URGENT_MS) // 3)

    @property
    def more_time_words(self) -> str:
        """What a token of the time bank would give now: `30 s more, 2 left`; empty when none can be taken."""
        state = self.state
        if state is None or not self.choices or state.view.action_number == self._banked_number:
            return ""
        tokens = state.view.seats[state.view.viewer_seat].time_bank_tokens
        return f"{state.view.posting.time_bank_ms / 1000:g} s more, {tokens} left" if tokens and not self.is_cut else ""

    # --- What a person does --------------------------------------------------------------------------------------------------

    async def act(self, action: PlayerAction) -> Said:
        """Answer the turn that is shown, once; the table shows what comes of it."""
        number = self._known().view.action_number
        self._answered_number = number
        try:
            await self.client.play.act(self.table, action_number=number, action=action)
        except RefusedError as refusal:
            self._answered_number = 0
            await self._look_again()
            return Said(refusal_text(refusal), is_refusal=True)
        except ClientError as error:
            self._answered_number = 0
            return Said(failure_text(error), is_refusal=True)
        return Said("")

    async def call_game(self, call: GameCall) -> Said:
        """Call the game of the coming hand, as its dealer."""
        number = self._known().view.action_number

        async def ask(table: TableRef) -> CallGameResponse:
            return await self.client.play.call_game(table, action_number=number, call=call)

        return await self._change(ask, "")

    async def sit_out_hand_or_not(self) -> Said:
        """Pass only the hand that was called, or take that back."""
        view = self._known().view
        if view.viewer_seat in view.sitting_out:
            return await self._change(self.client.tables.sit_in, "You are dealt in.")

        async def ask(table: TableRef) -> SitOutResponse:
            return await self.client.tables.sit_out(table, this_hand=True)

        return await self._change(ask, "You sit out this hand; o to be dealt in after all.")

    async def divide(self, shares: list[int]) -> Said:
        """Name a division of the pot, chips for each seat in seat order; none takes back what was named."""
        action = PlayerAction()
        action.agree.shares.extend(shares)
        number = self._known().view.action_number

        async def ask(table: TableRef) -> object:
            return await self.client.play.act(table, action_number=number, action=action)

        done = (
            "You have proposed this division; it holds once all have named the same."
            if shares
            else "You no longer propose to divide the pot."
        )
        return await self._change(ask, done)

    async def take_time(self) -> Said:
        """Take a token of the time bank for the turn that is shown."""
        number = self._known().view.action_number

        async def ask(table: TableRef) -> UseTimeBankResponse:
            return await self.client.play.use_time_bank(table, action_number=number)

        return await self._change(ask, "You have more time.")

    async def reset(self) -> Said:
        """Agree to the format's reset or take that back before play; afterwards take the one reset."""
        view = self._known().view
        if view.phase != NightPhase.NIGHT_PHASE_POSTED:
            return await self._change(self.client.tables.reset_stack, "You have your stack again.")
        agrees = not view.seats[view.viewer_seat].agrees_to_resets

        async def ask(table: TableRef) -> AgreeToResetsResponse:
            return await self.client.tables.agree_to_resets(table, agrees=agrees)

        return await self._change(ask, f"You {'agree' if agrees else 'do not agree'} to resets; g to change your mind.")

    async def ask_for_short_hand(self, *, agrees: bool) -> Said:
        """As a tied leader, ask for the short hand, or decline it for all."""

        async def ask(table: TableRef) -> AskForPlayoffResponse:
            return await self.client.tables.ask_for_playoff(table, agrees=agrees)

        asked = "You ask for a short hand; it is dealt once every tied leader has asked."
        return await self._change(ask, asked if agrees else "You share the first place.")

    async def acknowledge(self) -> Said:
        """Say that the posting was read."""
        return await self._change(self.client.tables.acknowledge_posting, "You have read the posting.")

    async def sit_out_or_in(self, *, out: bool) -> Said:
        """Pass deals from the next hand on, or take part again."""
        if out:
            return await self._change(self.client.tables.sit_out, "You sit out from the next hand on; o to come back.")
        return await self._change(self.client.tables.sit_in, "You are dealt in again from the next hand on.")

    async def leave(self) -> Said:
        """Give up the seat."""
        return await self._change(self.client.tables.leave, "You have left the table.")

    async def _change(self, call: Callable[[TableRef], Awaitable[object]], done: str) -> Said:
        try:
            await call(self.table)
        except RefusedError as refusal:
            return Said(refusal_text(refusal), is_refusal=True)
        except ClientError as error:
            return Said(failure_text(error), is_refusal=True)
        await self._look_again()
        return Said(done)

    async def _look_again(self) -> None:
        try:
            await self.refresh()
        except ClientError as error:
            self._note_loss(error)

    # --- Notes -------------------------------------------------------------------------------------------------------------

    def _known(self) -> TableState:
        if self.state is None:
            raise RuntimeError("the table was not read yet")
        return self.state

    def _is_closed(self) -> bool:
        return self._known().view.phase == NightPhase.NIGHT_PHASE_CLOSED

    def _note(self, event: TableEvent) -> None:
        self._short_hand.hear(event)
        if event.HasField("time_bank_used"):
            self._banked_number = event.time_bank_used.action_number
        elif event.HasField("division_named") and event.division_named.seat != self._known().view.viewer_seat:
            self.named_division = list(event.division_named.shares)
        elif event.HasField("hand_starting"):
            self.named_division = []

    def _note_turn(self) -> None:
        state = self._known()
        if state.is_own_turn and state.view.action_number != self._turn_number:
            self._turn_number = state.view.action_number
            self._turn_began_at_s = self.client.retry.timing.now_s()

    def _note_life(self) -> None:
        self._heard_at_s = self.client.retry.timing.now_s()
        if self.is_lost:
            self.is_lost = False
            self._listener.back()

    def _note_loss(self, error: ClientError) -> None:
        if self.is_lost:
            return
        self.is_lost = True
        self._listener.lost(LOST if isinstance(error, GaveUpError | GapError) else f"{_sentence(error.message)} {LOST}")


def _held(view: TableView) -> tuple[int, ...]:
    """The cards of which the viewer's hand is made."""
    own = view.seats[view.viewer_seat].cards if view.HasField("viewer_seat") else ()
    return (*own, *view.board)


def _window_ms(view: TableView) -> int:
    """Length of the running window, 0 when the posting does not say."""
    posting = view.posting
    if view.HasField("caller_seat"):
        return posting.call_window_ms
    if is_window_open(view):
        return posting.sit_out_window_ms
    is_cut = ActionKind.ACTION_KIND_CUT in view.legal.kinds
    return posting.cut_window_ms if is_cut else posting.decision_window_ms


def one_try(retry: RetryPolicy) -> RetryPolicy:
    """The same policy without a second try: any pause would end after the deadline."""
    pause_ms = round(2 * retry.attempt_s * 1000)
    return replace(retry, deadline_s=retry.attempt_s, backoff=Backoff(first_ms=pause_ms, max_ms=pause_ms))


def refusal_text(refusal: RefusedError) -> str:
    """What to tell a person whose request was refused: the server's sentence, and the amounts that are open."""
    if refusal.reason in STALE:
        return f"Nothing was done, the table had moved on: {_sentence(refusal.message)} It is up to date again: look once more."
    parts = [_sentence(refusal.message)]
    facts = refusal.facts
    low, high = facts.get("raise_to_min_chips"), facts.get("raise_to_max_chips")
    amounts = [f"call {chips_text(facts['call_chips'])}"] if facts.get("call_chips") else []
    if low is not None and high is not None:
        amounts.append(f"to {chips_text(low)}" if low == high else f"to {chips_text(low)}-{chips_text(high)}")
    if amounts:
        parts.append(f"Open: {', '.join(amounts)}.")
    if refusal.rule_id:
        parts.append(f"({visible(refusal.rule_id)})")
    return " ".join(parts)


def failure_text(error: ClientError) -> str:
    """What to tell a person whose request got no answer."""
    if isinstance(error, GaveUpError):
        return "The server did not answer; look at the table before you try again."
    return f"The server failed: {_sentence(error.message)}"


def _sentence(message: str) -> str:
    text = visible(message).strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
