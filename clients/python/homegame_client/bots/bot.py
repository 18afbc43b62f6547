"""A bot: joins a table, takes a seat, and plays until the night is closed.

It follows the table, thinks for a moment when it is its turn, and acts: over one stream, or with a stream to watch and a
call for each decision, which is the same to everybody else. Restarts of the server, lost answers and
turns that moved on meanwhile are part of the job; a refusal that is none of these is counted, because a bot that only
takes what it is offered should never see one.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Protocol

from homegame.v1.actions_pb2 import PlayerAction
from homegame.v1.errors_pb2 import Reason
from homegame.v1.play_service_pb2 import ActResponse, GameCall
from homegame_client.bots.styles import Style, choose_action, way_out
from homegame_client.client import Client, TableRef
from homegame_client.deal_log import DealLog
from homegame_client.errors import RefusedError
from homegame_client.play_stream import PlayStream
from homegame_client.short_hand import tied_leaders
from homegame_client.stream import TableStream
from homegame_client.table_state import TableState

# The turn was over before the action arrived: somebody else's doing or the clock's. Look again and carry on.
_TOO_LATE = frozenset(
    {
        Reason.REASON_STALE_ACTION,
        Reason.REASON_ACTION_CLOSED,
        Reason.REASON_OUT_OF_TURN,
        Reason.REASON_HAND_OVER,
        Reason.REASON_SESSION_CLOSED,
    }
)


class _Act(Protocol):
    """Answers a turn, by whichever way the bot plays."""

    async def __call__(self, *, action_number: int, action: PlayerAction) -> ActResponse: ...


# The next deck is sealed already, a repeat of the reset after a restart, or the session is over.
_NOT_NOW = frozenset(
    {
        Reason.REASON_HAND_IN_PROGRESS,
        Reason.REASON_RESET_USED,
        Reason.REASON_RESET_NOT_ZERO,
        Reason.REASON_HAND_OVER,
        Reason.REASON_SESSION_CLOSED,
    }
)


# It was played already, somebody has declined it, or the host has closed the night meanwhile.
_NO_SHORT_HAND = frozenset(
    {Reason.REASON_PLAYOFF_NOT_ALLOWED, Reason.REASON_CONSENT_MISSING, Reason.REASON_SESSION_CLOSED}
)


# A game for more or fewer players than are here.
_NOT_FOR_THIS_TABLE = frozenset({Reason.REASON_TOO_MANY_PLAYERS, Reason.REASON_TOO_FEW_PLAYERS})


@dataclass
class BotReport:
    """What a bot did in a night."""

    actions: int = 0
    """Actions that were accepted."""
    calls: int = 0
    """Games that were called, as a dealer."""
    too_late: int = 0
    """Actions whose turn was over when they arrived."""
    refused: Counter[str] = field(default_factory=Counter)
    """Other refusals, by reason; empty when all is well."""
    breaks: int = 0
    """Times the stream broke and was resumed."""


class Bot:
    """One player.

    Args:
        client: Without a token; the bot joins with it and goes on with its own.
        table: Where to play.
        name: Shown to everybody.
        style: How it chooses.
        seed: Its choices and pauses depend on this, its name and the turn only, so that a restart or a repeat does
            not change them.
        think_ms: Shortest and longest pause before acting, in ms.
        by_stream: Play over one stream; otherwise watch, and call for each decision.
    """

    def __init__(
        self,
        client: Client,
        table: TableRef,
        *,
        name: str,
        style: Style,
        seed: str,
        think_ms: tuple[int, int] = (50, 400),
        by_stream: bool = True,
    ) -> None:
        self.client = client
        """The bot's own client, with its token once it sits."""
        self._table = table
        self._seed = seed
        self._think_ms = think_ms
        self._by_stream = by_stream
        self._acted_number = 0
        self._library: tuple[str, ...] = ()
        self.name = name
        self.style = style
        self.seat = -1
        self.report = BotReport()
        self.deals = DealLog(table.night_id, table.table_id)
        """What the bot kept to check the deals with."""

    async def sit_down(self, seat: int | None = None) -> int:
        """Join, take the seat (or the lowest free one) and return it."""
        joined = await self.client.tables.join(self._table, display_name=self.name)
        self.client = self.client.with_token(joined.participant_token)
        self.seat = (await self.client.tables.take_seat(self._table, seat=seat)).seat
        return self.seat

    async def acknowledge(self) -> None:
        """Acknowledge the posting as it now stands, and agree to its reset if it offers one (PTS-B3-03)."""
        await self.client.tables.acknowledge_posting(self._table)
        if (await self.client.tables.get(self._table)).posting.offers_reset:
            await self.client.tables.agree_to_resets(self._table)

    async def play(self) -> BotReport:
        """Play until the night is closed. Raises ClientError when the server stays away or breaks the contract."""
        state = TableState(await self.client.tables.get(self._table))
        after_seq = 0  # From the beginning: the deals are checked against every root of the night.
        if self._by_stream:
            async with self.client.play.stream(self._table, after_seq=after_seq) as seat:
                await self._follow(seat, state, seat.act)
        else:
            watched = self.client.tables.watch(self._table, after_seq=after_seq)
            await self._follow(watched, state, partial(self.client.play.act, self._table))
        return self.report

    async def _follow(self, stream: TableStream | PlayStream, state: TableState, act: _Act) -> None:
        await self._ask_for_short_hand(state)
        await self._act_on_own_turn(state, act)
        async for frame in stream.frames():
            for event in frame.events:
                self.deals.take(event)
                is_news = event.number > state.view.last_number
                state.apply(event, frame.server_time_ms)
                if is_news and event.HasField("hand_ended"):
                    await self._reset_if_out(state)
                if is_news and event.HasField("session_finished"):
                    await self._ask_for_short_hand(state)
            await self._act_on_own_turn(state, act)
        self.report.breaks = stream.breaks

    async def _act_on_own_turn(self, state: TableState, act: _Act) -> None:
        """Think and act, once for each turn."""
        number = state.view.action_number
        if number == self._acted_number or not (state.is_own_turn or state.is_own_call):
            return
        self._acted_number = number
        rng = Random(f"{self._seed}/{self.name}/{number}")  # noqa: S311 - a bot's whim guards nothing
        await self.client.retry.timing.sleep(rng.uniform(*self._think_ms) / 1000)
        if state.is_own_call:
            await self._call_game(number, rng)
            return
        seat = state.own_seat
        cards = list(seat.cards) if seat is not None else []
        action = choose_action(self.style, cards, list(state.view.board), state.view.legal, rng)
        if await self._is_refused(act, number, action):
            await self._is_refused(act, number, way_out(state.view.legal, cards))

    async def _call_game(self, number: int, rng: Random) -> None:
        """As the dealer, call any game of the library; one that does not suit the table is left to the clock."""
        if not self._library:
            self._library = tuple(game.game_id for game in await self.client.catalog.list_games())
        call = GameCall(game_id=rng.choice(self._library))
        try:
            await self.client.play.call_game(self._table, action_number=number, call=call)
        except RefusedError as refusal:
            if refusal.reason in _TOO_LATE:
                self.report.too_late += 1
            elif refusal.reason not in _NOT_FOR_THIS_TABLE:
                self.report.refused[refusal.reason_name] += 1
        else:
            self.report.calls += 1

    async def _is_refused(self, act: _Act, number: int, action: PlayerAction) -> bool:
        """Send the action; True when it was refused although the turn is still ours."""
        try:
            await act(action_number=number, action=action)
        except RefusedError as refusal:
            if refusal.reason in _TOO_LATE:
                self.report.too_late += 1
                return False
            self.report.refused[refusal.reason_name] += 1
            return True
        self.report.actions += 1
        if action.HasField("cut"):
            self.deals.note_own_cut(number, action.cut.position)
        return False

    async def _reset_if_out(self, state: TableState) -> None:
        """Take the agreed reset when the last hand cost all chips; too late for the next deal is in time for the one after."""
        seat = state.own_seat
        if seat is None or not state.view.resets_agreed or seat.stack_chips > 0 or seat.has_reset:
            return
        try:
            await self.client.tables.reset_stack(self._table)
        except RefusedError as refusal:
            if refusal.reason not in _NOT_NOW:
                self.report.refused[refusal.reason_name] += 1

    async def _ask_for_short_hand(self, state: TableState) -> None:
        """As a tied leader, be ready for the short hand: without every one of them there is none (PTS-B3-05)."""
        if state.own_seat is None or state.own_seat.seat not in tied_leaders(state.view):
            return
        try:
            await self.client.tables.ask_for_playoff(self._table)
        except RefusedError as refusal:
            if refusal.reason not in _NO_SHORT_HAND:
                self.report.refused[refusal.reason_name] += 1
