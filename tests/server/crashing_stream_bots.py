"""Bots that play over `Play` whatever happens to the server, and do not always answer: then the clock has to."""

from __future__ import annotations

import asyncio
import random
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from homegame.v1 import play_service_pb2
from tests.server.crashing_bots import Acknowledged, Bot
from tests.server.stream_client import SeatStream, as_call, decision, reason_of
from tests.server.table_client import asks_for_cut, choose

if TYPE_CHECKING:
    from homegame.v1 import events_pb2
    from tests.server.table_client import TableClient

# Reasons why a token is not to be had any more: none is left, or the window has had one, or is over.
NO_TOKEN = {"TIMEBANK_USED", "TIMEBANK_TOO_LATE"}
# The turn was over when the decision arrived: the clock, or the same decision before the crash, was quicker.
TOO_LATE = {"STALE_ACTION", "OUT_OF_TURN", "ACTION_CLOSED", "HAND_OVER", "HAND_DEAD"}


@dataclass
class StreamingBot(Bot):
    """One player's client, which keeps every decision until it is answered and sends it again under its id."""

    tokens: list[play_service_pb2.UseTimeBankResponse] = field(default_factory=list)
    """Tokens that were acknowledged."""
    n_too_late: int = 0
    _unanswered: dict[str, play_service_pb2.PlayInput] = field(default_factory=dict)
    _decided_number: int = 0
    _slept: tuple[int, int] = (0, 0)
    _life: int = 0

    async def _follow(self, client: TableClient) -> None:
        self._life += 1
        stream = await SeatStream(client, self.night, self.player.token, len(self.events)).open()
        try:
            for given in tuple(self._unanswered.values()):
                self.n_retries += 1
                await stream.send(given)
            await self._talk(stream)
        except asyncio.InvalidStateError:
            pass  # Written to a stream that has just ended: the server is gone.
        finally:
            stream.cancel()

    async def _talk(self, stream: SeatStream) -> None:
        required: events_pb2.ActionRequired | None = self._last_turn()
        while not self.is_finished:
            if required is not None:
                await self._decide(stream, required)
            response = await stream.read()
            assert response is not None, "the night is not closed"
            for event in response.events:
                self.events.append(event)
                kind = event.WhichOneof("event")
                if kind == "action_required":
                    required = event.action_required
                self.is_finished = self.is_finished or kind == "session_finished"
            for answer in response.answers:
                self._settle(answer)

    def _last_turn(self) -> events_pb2.ActionRequired | None:
        return next(
            (event.action_required for event in reversed(self.events) if event.HasField("action_required")), None
        )

    async def _decide(self, stream: SeatStream, required: events_pb2.ActionRequired) -> None:
        """Once a turn: act; or take a token and act; or take one and sleep; or sleep, until the next life of the server."""
        number = required.action_number
        if required.seat != self.player.seat or number <= self._decided_number or self._slept == (self._life, number):
            return
        chance = random.Random(f"{self.seed}/{number}/{self._life}")  # noqa: S311 - a bot's whim
        mood = chance.random()
        inputs = []
        if mood < 0.10 and not asks_for_cut(required):
            token = play_service_pb2.PlayInput(request_id=str(uuid.uuid4()), action_number=number)
            token.time_bank_token.SetInParent()
            inputs.append(token)
        if 0.08 <= mood < 0.12:
            self._slept = (self._life, number)
        else:
            self._decided_number = number
            inputs.append(decision(number, choose(required.legal, chance)))
        for given in inputs:
            self._unanswered[given.request_id] = given
            await stream.send(given)

    def _settle(self, answer: play_service_pb2.PlayAnswer) -> None:
        given = self._unanswered.pop(answer.request_id)
        if answer.HasField("accepted"):
            self.acknowledged.append(Acknowledged(self.player.seat, as_call(self.night, given), answer.accepted))
        elif answer.HasField("time_bank_used"):
            self.tokens.append(answer.time_bank_used)
        else:
            reason = reason_of(answer)
            assert reason in TOO_LATE or (given.HasField("time_bank_token") and reason in NO_TOKEN), reason
            self.n_too_late += 1
