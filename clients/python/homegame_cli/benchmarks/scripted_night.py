"""Nights whose every turn is known beforehand: six seats, everybody checks or calls, everybody shows.

So a client can have its requests ready and spend its time on the calls, which are what is measured.
"""

import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from homegame.v1.actions_pb2 import Call, Check, Cut, PlayerAction, Show
from homegame.v1.events_pb2 import ActionRequired
from homegame.v1.play_service_pb2 import ActRequest
from homegame_cli.benchmarks.figures import BenchError
from homegame_client import Client, TableRef

N_SEATS: Final = 6
N_STREETS: Final = 4
HANDS_MAX: Final = 40
"""Hands that a night plays: losing the big blind in each of them leaves a player chips."""
HAND_PAUSE_MS: Final = 50
_DECISION_WINDOW_MS: Final = 3_600_000
_CUTOFF_IN_MS: Final = 12 * 3_600_000
_FORMAT: Final = "B1"
CALL: Final = PlayerAction(call=Call())
CHECK: Final = PlayerAction(check=Check())
CUT: Final = PlayerAction(cut=Cut(position=26))
_FIRST_TO_ACT: Final = 3
"""Places from the button to the first decision before the flop."""
SHOW: Final = PlayerAction(show=Show())

Metadata = tuple[tuple[str, str], ...]


class Turn(NamedTuple):
    """One decision, ready to be sent."""

    request: bytes
    metadata: Metadata


@dataclass
class ScriptedNight:
    """A night in play.

    Args:
        table: Where.
        tokens: Metadata of each seat's player.
        button: Of the next hand.
        action_number: Of the next hand's first turn.
        is_cut: Whether the first turn of a hand is the cut.
    """

    table: TableRef
    tokens: Sequence[Metadata]
    button: int
    action_number: int
    is_cut: bool
    hands_begun: int = 0
    turns: deque[Turn] = field(default_factory=deque)
    """What is still to be sent of the hand in play."""

    def begin_hand(self) -> None:
        """Get the turns of the hand that has been dealt."""
        for seat, action in script(self.button, is_cut=self.is_cut):
            self.turns.append(Turn(self._request(action), self.tokens[seat]))
            self.action_number += 1
        self.action_number += TURNS_BETWEEN_HANDS
        self.button = (self.button + 1) % N_SEATS
        self.hands_begun += 1

    def shadow(self) -> "ScriptedNight":
        """The same night for a server that plays nothing."""
        return ScriptedNight(self.table, self.tokens, self.button, self.action_number, self.is_cut)

    def _request(self, action: PlayerAction) -> bytes:
        request = ActRequest(
            request_id=str(uuid.uuid4()),
            night_id=self.table.night_id,
            table_id=self.table.table_id,
            action_number=self.action_number,
            action=action,
        )
        return request.SerializeToString()


TURNS_BETWEEN_HANDS: Final = 1
"""By how much the deal of the next hand moves the action number: the turn changes."""


def script(button: int, *, is_cut: bool) -> Iterator[tuple[int, PlayerAction]]:
    """Seat and action of every turn of a hand."""
    clockwise = [(button + 1 + place) % N_SEATS for place in range(N_SEATS)]
    small_blind, big_blind, *others = clockwise
    if is_cut:
        yield small_blind, CUT
    for seat in (*others, small_blind):
        yield seat, CALL
    yield big_blind, CHECK
    for _ in range(N_STREETS - 1):
        for seat in clockwise:
            yield seat, CHECK
    for seat in clockwise:
        yield seat, SHOW


async def open_night(client: Client, *, hand_pause_ms: int = HAND_PAUSE_MS) -> ScriptedNight:
    """Create a night, seat six players, open it and wait for the first deal's turn."""
    created = await client.nights.create(
        name="Bench",
        format_id=_FORMAT,
        seats=N_SEATS,
        decision_window_ms=_DECISION_WINDOW_MS,
        hand_pause_ms=hand_pause_ms,
    )
    host = client.with_token(created.host_token)
    table = TableRef(created.night_id, created.table_ids[0])
    tokens: list[Metadata] = []
    for seat in range(N_SEATS):
        joined = await client.tables.join(table, display_name=f"Player {seat + 1}")
        await client.with_token(joined.participant_token).tables.take_seat(table, seat=seat)
        tokens.append((("authorization", f"Bearer {joined.participant_token}"),))
    await host.nights.post_cutoff_in(table.night_id, cutoff_in_ms=_CUTOFF_IN_MS)
    await host.nights.record_read_aloud(table.night_id)
    await host.nights.open(table.night_id)
    first = await _first_turn(client, table)
    is_cut = first.legal.HasField("cut_position_min")
    seat_from_button = 1 if is_cut else _FIRST_TO_ACT
    return ScriptedNight(table, tokens, (first.seat - seat_from_button) % N_SEATS, first.action_number, is_cut)


async def _first_turn(client: Client, table: TableRef) -> ActionRequired:
    async for frame in client.tables.watch(table).frames():
        for event in frame.events:
            if event.WhichOneof("event") == "action_required":
                return event.action_required
    raise BenchError("the night was closed before its first hand")
