"""A seat's stream in the SDK: no event lost or repeated, every decision answered once, whatever the connection does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from homegame.v1.actions_pb2 import Check, PlayerAction
from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import BoardDealt, TableEvent
from homegame.v1.play_service_pb2 import (
    ActRequest,
    ActResponse,
    PlayAnswer,
    PlayInput,
    PlayRequest,
    PlayResponse,
    UseTimeBankResponse,
)
from homegame_client import (
    Client,
    FaultError,
    GapError,
    GaveUpError,
    LaggedError,
    PlayStream,
    RefusedError,
    TableRef,
    TransientError,
    UnavailableError,
    play_stream,
)
from tests.clients.fakes import JumpingTiming, ScriptedTransport, quick_policy
from tests.clients.statuses import status_bytes

if TYPE_CHECKING:
    from homegame_client.rpcs import Request, Response, Rpc

TABLE = TableRef("night", "table")
CHECK = PlayerAction(check=Check())
LOST = UnavailableError("lost")
LAGGED = LaggedError("slow", reason=Reason.REASON_LAGGED)

Connection = Callable[["Wire"], AsyncGenerator[PlayResponse, None]]


class Wire:
    """One connection as the server sees it."""

    def __init__(self, requests: AsyncIterator[PlayRequest], token: str) -> None:
        self._requests = requests
        self.token = token
        self.inputs: list[PlayInput] = []

    async def opening(self) -> PlayRequest:
        return await anext(self._requests)

    async def input(self) -> PlayInput:
        message = await anext(self._requests)
        assert message.WhichOneof("message") == "input"
        self.inputs.append(message.input)
        return message.input


class TalkingTransport(ScriptedTransport):
    """Each stream is talked on by the next of some functions; unary calls are answered from a script."""

    def __init__(self, *connections: Connection, calls: list[ActResponse | Exception] | None = None) -> None:
        super().__init__(list(calls or []))
        self.connections = list(connections)
        self.wires: list[Wire] = []
        self.openings: list[PlayRequest] = []

    async def talk(
        self, rpc: Rpc[Request, Response], requests: AsyncIterator[Request], *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport."""
        assert rpc.path == "/homegame.v1.PlayService/Play"
        wire = Wire(cast("AsyncIterator[PlayRequest]", requests), token)
        self.wires.append(wire)
        connection = self.connections.pop(0)
        self.openings.append(await wire.opening())
        async for response in connection(wire):
            yield cast("Response", response)

    @property
    def after_numbers(self) -> list[int]:
        """What each opening said."""
        return [message.opening.after_seq for message in self.openings]


def seat(transport: TalkingTransport, timing: JumpingTiming | None = None, after_seq: int = 0) -> PlayStream:
    client = Client(transport, token="secret", retry=quick_policy(timing or JumpingTiming()))  # noqa: S106 - no secret
    return client.play.stream(TABLE, after_seq=after_seq)


def events(*numbers: int) -> PlayResponse:
    listed = [TableEvent(number=number, board_dealt=BoardDealt()) for number in numbers]
    return PlayResponse(events=listed, last_number=numbers[-1], server_time_ms=5_000)


def accepted(given: PlayInput, last_number: int = 9) -> PlayResponse:
    return PlayResponse(
        answers=[PlayAnswer(request_id=given.request_id, accepted=ActResponse(last_number=last_number))]
    )


def refused(given: PlayInput, reason: str, **metadata: str) -> PlayResponse:
    return PlayResponse(answers=[PlayAnswer(request_id=given.request_id, refused=status_bytes(reason, metadata))])


def gives(*steps: PlayResponse | Exception) -> Connection:
    """A connection that asks nothing."""

    async def talk(_wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        for step in steps:
            if isinstance(step, Exception):
                raise step
            yield step

    return talk


async def forever(_wire: Wire) -> AsyncGenerator[PlayResponse, None]:
    """A connection that stays silent."""
    await asyncio.Event().wait()
    yield PlayResponse()


async def numbers_of(stream: PlayStream) -> list[int]:
    return [event.number async for event in stream]


async def test_it_opens_after_a_number_and_hands_out_events_in_order() -> None:
    transport = TalkingTransport(gives(events(4, 5), events(6)))
    async with seat(transport, after_seq=3) as stream:
        assert await numbers_of(stream) == [4, 5, 6]
    (opening,) = transport.openings
    assert (opening.opening.night_id, opening.opening.table_id) == TABLE
    assert transport.wires[0].token == "secret"  # noqa: S105 - no secret


async def test_answers_find_their_decisions_and_events_go_on_meanwhile() -> None:
    async def connection(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        first, second = await wire.input(), await wire.input()
        yield events(1)
        both = accepted(second, 22)
        both.MergeFrom(accepted(first, 11))
        both.MergeFrom(events(2))
        yield both

    async with seat(TalkingTransport(connection)) as stream:
        answers = await asyncio.gather(
            stream.act(action_number=3, action=CHECK), stream.act(action_number=4, action=CHECK)
        )
        assert [answer.last_number for answer in answers] == [11, 22]
        assert await numbers_of(stream) == [1, 2]


async def test_a_refusal_is_raised_with_its_facts_and_the_stream_goes_on() -> None:
    async def connection(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        yield refused(await wire.input(), "STALE_ACTION", rule_id="BET-GEN-04", action_number="8")
        yield accepted(await wire.input())
        yield events(1)

    transport = TalkingTransport(connection)
    async with seat(transport) as stream:
        with pytest.raises(RefusedError) as caught:
            await stream.act(action_number=3, action=CHECK)
        assert (caught.value.reason_name, caught.value.rule_id) == ("STALE_ACTION", "BET-GEN-04")
        assert caught.value.facts == {"action_number": 8}
        assert (await stream.act(action_number=8, action=CHECK)).last_number == 9
        assert await numbers_of(stream) == [1]
    first, second = transport.wires[0].inputs
    assert first.request_id != second.request_id


async def test_a_fault_of_the_server_is_raised() -> None:
    async def connection(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        given = await wire.input()
        yield PlayResponse(answers=[PlayAnswer(request_id=given.request_id, refused=b"")])
        await asyncio.Event().wait()

    async with seat(TalkingTransport(connection)) as stream:
        with pytest.raises(FaultError):
            await stream.act(action_number=3, action=CHECK)


async def test_a_token_of_the_time_bank() -> None:
    async def connection(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        given = await wire.input()
        assert given.WhichOneof("input") == "time_bank_token"
        answer = PlayAnswer(request_id=given.request_id, time_bank_used=UseTimeBankResponse(tokens_left=1))
        yield PlayResponse(answers=[answer])

    async with seat(TalkingTransport(connection)) as stream:
        assert (await stream.use_time_bank(action_number=3)).tokens_left == 1


@pytest.mark.parametrize(
    "failure", [LOST, LAGGED, TransientError("bye", reason=Reason.REASON_STOPPING)], ids=["lost", "LAGGED", "STOPPING"]
)
async def test_after_a_break_what_is_unanswered_is_sent_again_and_nothing_is_handed_out_twice(
    failure: Exception,
) -> None:
    async def breaks(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        yield events(1, 2)
        await wire.input()
        await wire.input()
        yield accepted(wire.inputs[0])
        raise failure

    async def goes_on(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        yield events(2, 3)
        given = await wire.input()
        yield accepted(given, 33)

    transport = TalkingTransport(breaks, gives(failure), goes_on)
    async with seat(transport) as stream:
        _, second = await asyncio.gather(
            stream.act(action_number=3, action=CHECK), stream.act(action_number=4, action=CHECK)
        )
        assert second.last_number == 33
        assert await numbers_of(stream) == [1, 2, 3]
        assert stream.breaks == 2
    assert transport.after_numbers == [0, 2, 2]
    first_wire, _, last_wire = transport.wires
    assert last_wire.inputs == [first_wire.inputs[1]]


async def test_a_decision_that_could_not_be_taken_now_is_sent_again_under_its_id() -> None:
    async def connection(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        yield refused(await wire.input(), "STORE_UNAVAILABLE", retry_after_ms="250")
        yield accepted(await wire.input())

    timing = JumpingTiming()
    transport = TalkingTransport(connection)
    async with seat(transport, timing) as stream:
        await stream.act(action_number=3, action=CHECK)
    first, second = transport.wires[0].inputs
    assert first == second
    assert timing.waited_s == [0.325]


async def test_a_connection_that_answers_nothing_is_given_up_for_another() -> None:
    async def goes_on(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        yield accepted(await wire.input())
        await asyncio.Event().wait()

    # A busy machine may need more than one of the others.
    transport = TalkingTransport(forever, *(goes_on for _ in range(20)))
    policy = replace(quick_policy(JumpingTiming()), attempt_s=0.01)
    async with Client(transport, retry=policy).play.stream(TABLE) as stream:
        assert (await stream.act(action_number=3, action=CHECK)).last_number == 9
        assert stream.breaks > 0
    ids = {given.request_id for wire in transport.wires for given in wire.inputs}
    assert len(ids) == 1


async def test_a_decision_whose_caller_has_gone_is_not_sent_again() -> None:
    is_there = asyncio.Event()
    may_break = asyncio.Event()

    async def breaks(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        await wire.input()
        is_there.set()
        await may_break.wait()
        raise LOST
        yield PlayResponse()

    async def goes_on(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        yield accepted(await wire.input())

    transport = TalkingTransport(breaks, goes_on)
    async with seat(transport) as stream:
        acting = asyncio.create_task(stream.act(action_number=3, action=CHECK))
        await is_there.wait()
        acting.cancel()
        await asyncio.gather(acting, return_exceptions=True)
        may_break.set()
        await stream.act(action_number=4, action=CHECK)
    assert [given.action_number for given in transport.wires[1].inputs] == [4]


async def test_a_gap_makes_it_open_again_from_the_last_number() -> None:
    transport = TalkingTransport(gives(events(1, 2), events(4)), gives(events(3, 4)))
    async with seat(transport) as stream:
        assert await numbers_of(stream) == [1, 2, 3, 4]
    assert transport.after_numbers == [0, 2]


async def test_a_server_that_always_skips_is_reported_to_everybody_who_waits() -> None:
    transport = TalkingTransport(*(gives(events(3)) for _ in range(3)))
    async with seat(transport) as stream:
        acting = asyncio.create_task(stream.act(action_number=3, action=CHECK))
        with pytest.raises(GapError):
            await numbers_of(stream)
        with pytest.raises(GapError):
            await acting


async def test_an_opening_that_is_refused_is_raised_by_every_use() -> None:
    refusal = RefusedError(reason=Reason.REASON_NOT_YOUR_ROLE, reason_name="NOT_YOUR_ROLE")
    async with seat(TalkingTransport(gives(refusal))) as stream:
        with pytest.raises(RefusedError):
            await numbers_of(stream)
        with pytest.raises(RefusedError):
            await stream.act(action_number=3, action=CHECK)


async def test_it_gives_up_when_the_server_stays_away() -> None:
    timing = JumpingTiming()
    transport = TalkingTransport(*(gives(LOST) for _ in range(100)))
    async with seat(transport, timing) as stream:
        with pytest.raises(GaveUpError):
            await numbers_of(stream)
    assert timing.at_s <= 1030.0


async def test_a_decision_that_the_end_of_the_night_left_open_is_asked_for_by_a_call() -> None:
    async def ends(wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        await wire.input()
        yield events(1)

    transport = TalkingTransport(ends, calls=[LOST, ActResponse(last_number=1)])
    async with seat(transport) as stream:
        assert (await stream.act(action_number=3, action=CHECK)).last_number == 1
        assert await numbers_of(stream) == [1]
    (given,) = transport.wires[0].inputs
    for sent in transport.sent:
        assert isinstance(sent.request, ActRequest)
        assert sent.request.request_id == given.request_id
        assert (sent.request.night_id, sent.request.table_id) == TABLE
        assert (sent.request.action_number, sent.request.action) == (3, CHECK)


async def test_frames_that_nobody_takes_are_bounded_and_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_stream, "FRAMES_KEPT", 2)
    is_sent = asyncio.Event()

    async def much(_wire: Wire) -> AsyncGenerator[PlayResponse, None]:
        for number in range(1, 10):
            yield events(number)
        is_sent.set()
        await asyncio.Event().wait()

    transport = TalkingTransport(much, gives(events(*range(3, 10))))
    async with seat(transport) as stream:
        await is_sent.wait()
        assert stream.last_number == 2
        assert await numbers_of(stream) == list(range(1, 10))
    assert transport.after_numbers == [0, 2]


async def test_the_iteration_may_be_left_and_taken_up_again() -> None:
    transport = TalkingTransport(gives(events(1), events(2), events(3)))
    async with seat(transport) as stream:
        async for frame in stream.frames():
            if frame.events[-1].number == 2:
                break
        assert await numbers_of(stream) == [3]


async def test_closing_it_ends_what_waits() -> None:
    transport = TalkingTransport(forever)
    async with seat(transport) as stream:
        acting = asyncio.create_task(stream.act(action_number=3, action=CHECK))
        while not transport.wires:  # noqa: ASYNC110 - the stream tells nobody that it opens
            await asyncio.sleep(0)
    with pytest.raises(GaveUpError, match="closed"):
        await acting


async def test_it_must_be_opened() -> None:
    with pytest.raises(RuntimeError, match="open the stream first"):
        await seat(TalkingTransport()).act(action_number=3, action=CHECK)
