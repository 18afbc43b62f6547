"""A bot: joins a table, takes a seat, and plays until the night is closed.

It watches its own stream, thinks for a moment when it is its turn, and acts. Restarts of the server, lost answers and
turns that moved on meanwhile are part of the job; a refusal that is none of these is counted, because a bot that only
takes what it is offered should never see one.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from homegame.v1.actions_pb2 import PlayerAction
from homegame.v1.errors_pb2 import Reason
from homegame_client.bots.styles import Style, choose_action, way_out
from homegame_client.client import Client, TableRef
from homegame_client.errors import RefusedError
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


@dataclass
class BotReport:
    """What a bot did in a night."""

    actions: int = 0
    """Actions that were accepted."""
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
    ) -> None:
        self.client = client
        """The bot's own client, with its token once it sits."""
        self._table = table
        self._seed = seed
        self._think_ms = think_ms
        self._acted_number = 0
        self.name = name
        self.style = style
        self.seat = -1
        self.report = BotReport()

    async def sit_down(self, seat: int | None = None) -> int:
        """Join, take the seat (or the lowest free one) and return it."""
        joined = await self.client.tables.join(self._table, display_name=self.name)
        self.client = self.client.with_token(joined.participant_token)
        self.seat = (await self.client.tables.take_seat(self._table, seat=seat)).seat
        return self.seat

    async def acknowledge(self) -> None:
        """Acknowledge the posting as it now stands."""
        await self.client.tables.acknowledge_posting(self._table)

    async def play(self) -> BotReport:
        """Play until the night is closed. Raises ClientError when the server stays away or breaks the contract."""
        state = TableState(await self.client.tables.get(self._table))
        stream = self.client.tables.watch(self._table, after_seq=state.view.last_number)
        await self._act_on_own_turn(state)
        await self._follow(stream, state)
        self.report.breaks = stream.breaks
        return self.report

    async def _follow(self, stream: TableStream, state: TableState) -> None:
        async for frame in stream.frames():
            for event in frame.events:
                state.apply(event, frame.server_time_ms)
            await self._act_on_own_turn(state)

    async def _act_on_own_turn(self, state: TableState) -> None:
        """Think and act, once for each turn."""
        number = state.view.action_number
        if not state.is_own_turn or number == self._acted_number:
            return
        self._acted_number = number
        rng = Random(f"{self._seed}/{self.name}/{number}")  # noqa: S311 - a bot's whim guards nothing
        await self.client.retry.timing.sleep(rng.uniform(*self._think_ms) / 1000)
        seat = state.own_seat
        cards = list(seat.cards) if seat is not None else []
        action = choose_action(self.style, cards, list(state.view.board), state.view.legal, rng)
        if await self._is_refused(number, action):
            await self._is_refused(number, way_out(state.view.legal))

    async def _is_refused(self, number: int, action: PlayerAction) -> bool:
        """Send the action; True when it was refused although the turn is still ours."""
        try:
            await self.client.play.act(self._table, action_number=number, action=action)
        except RefusedError as refusal:
            if refusal.reason in _TOO_LATE:
                self.report.too_late += 1
                return False
            self.report.refused[refusal.reason_name] += 1
            return True
        self.report.actions += 1
        return False
