"""Playing over `PlayService.Play` on the raw stub: one object a seat, which holds what a client relies on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from homegame.v1 import actions_pb2, play_service_pb2
from tests.server.table_client import bearer, choose, request_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame.v1 import events_pb2
    from tests.server.running_server import World
    from tests.server.table_client import SeatedNight, TableClient


def opening(night: SeatedNight, after_seq: int = 0) -> play_service_pb2.PlayRequest:
    """The first message."""
    return play_service_pb2.PlayRequest(opening=play_service_pb2.PlayOpening(after_seq=after_seq, **night.ids))


def decision(action_number: int, action: actions_pb2.PlayerAction, request: str = "") -> play_service_pb2.PlayInput:
    """A decision under a new id, or under the one that is given."""
    return play_service_pb2.PlayInput(request_id=request or request_id(), action_number=action_number, action=action)


def as_call(night: SeatedNight, given: play_service_pb2.PlayInput) -> play_service_pb2.ActRequest:
    """The unary call that a decision stands for."""
    return play_service_pb2.ActRequest(
        request_id=given.request_id, action_number=given.action_number, action=given.action, **night.ids
    )


def reason_of(answer: play_service_pb2.PlayAnswer) -> str:
    """Why a decision was refused; empty when it was not."""
    info = error_details_pb2.ErrorInfo()
    if answer.WhichOneof("outcome") == "refused":
        assert status_pb2.Status.FromString(answer.refused).details[0].Unpack(info)
        assert info.domain == "homegame.v1"
    reason: str = info.reason
    return reason


class SeatStream:
    """One open stream. Holds that numbers have no gap and that answers come once and in order."""

    def __init__(self, client: TableClient, night: SeatedNight, token: str, after_seq: int = 0) -> None:
        self.events: list[events_pb2.TableEvent] = []
        self.answers: list[play_service_pb2.PlayAnswer] = []
        self.sent: list[play_service_pb2.PlayInput] = []
        self.last_number = after_seq
        self.n_frames = 0
        self._opening = opening(night, after_seq)
        self._is_open = False
        self.call: Any = client.play.Play(metadata=bearer(token))

    async def open(self) -> SeatStream:
        await self.call.write(self._opening)
        return self

    async def send(self, given: play_service_pb2.PlayInput) -> None:
        self.sent.append(given)
        await self.call.write(play_service_pb2.PlayRequest(input=given))

    async def read(self) -> play_service_pb2.PlayResponse | None:
        """Take in the next message; None at the end."""
        response = await self.call.read()
        if response is grpc.aio.EOF:
            return None
        assert isinstance(response, play_service_pb2.PlayResponse)
        assert response.events or response.answers
        for event in response.events:
            self.last_number += 1
            assert event.number == self.last_number
            self.events.append(event)
        assert response.last_number == (self.last_number if response.events else 0)
        self.n_frames += bool(response.events)
        for answer in response.answers:
            assert answer.request_id == self.sent[len(self.answers)].request_id
            self.answers.append(answer)
        return response

    async def read_until(self, is_there: Callable[[], object]) -> None:
        while not is_there():
            assert await self.read() is not None, "the stream ended"

    async def read_to(self, number: int) -> None:
        """Read up to the event of a number."""
        await self.read_until(lambda: self.last_number == number)

    async def ask(self, given: play_service_pb2.PlayInput) -> play_service_pb2.PlayAnswer:
        """Send a decision and wait for its answer."""
        await self.send(given)
        await self.read_until(lambda: len(self.answers) == len(self.sent))
        return self.answers[-1]

    def cancel(self) -> None:
        self.call.cancel()


class StreamBot:
    """A player that follows its stream and answers its turns on it."""

    def __init__(self, stream: SeatStream, seat: int, world: World, seed: int) -> None:
        self.stream = stream
        self.seat = seat
        self._world = world
        self._chance = random.Random(seed + seat)  # noqa: S311 - bots gamble for nothing

    async def play(self, until: str = "session_finished") -> None:
        """Play until an event of a kind."""
        await self.stream.open()
        while True:
            response = await self.stream.read()
            assert response is not None
            kinds = [event.WhichOneof("event") for event in response.events]
            if until in kinds:
                return
            if self.seat == 0 and {"night_opened", "button_placed"} & set(kinds):
                self._world.clock.advance(self._world.limits.hand_pause_ms)
            if kinds and kinds[-1] == "action_required":
                await self._answer(response.events[-1].action_required)

    async def _answer(self, required: events_pb2.ActionRequired) -> None:
        if required.seat == self.seat:
            self._world.clock.advance(200)
            await self.stream.send(decision(required.action_number, choose(required.legal, self._chance)))
