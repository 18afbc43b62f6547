"""A request that changes something is sent again, byte for byte, until it is answered or time is up."""

from __future__ import annotations

import uuid

import pytest

from homegame.v1.actions_pb2 import Check, PlayerAction
from homegame.v1.errors_pb2 import Reason
from homegame.v1.play_service_pb2 import ActRequest, ActResponse
from homegame.v1.table_service_pb2 import GetTableResponse
from homegame.v1.views_pb2 import TableView
from homegame_client import Client, GaveUpError, RefusedError, TableRef, TransientError, UnavailableError
from tests.clients.fakes import JumpingTiming, ScriptedTransport, quick_policy

TABLE = TableRef("night", "table")
CHECK = PlayerAction(check=Check())


def client_over(transport: ScriptedTransport, timing: JumpingTiming) -> Client:
    return Client(transport, token="secret", retry=quick_policy(timing))  # noqa: S106 - no secret


@pytest.mark.parametrize(
    "failure",
    [
        UnavailableError("connection lost"),
        TransientError("busy", reason=Reason.REASON_OVERLOADED),
        TransientError("disk", reason=Reason.REASON_STORE_UNAVAILABLE),
        TransientError("bye", reason=Reason.REASON_STOPPING),
    ],
    ids=["no answer", "OVERLOADED", "STORE_UNAVAILABLE", "STOPPING"],
)
async def test_a_transient_failure_is_repeated_under_the_same_request_id(failure: Exception) -> None:
    transport = ScriptedTransport([failure, failure, ActResponse(last_number=7)])
    answer = await client_over(transport, JumpingTiming()).play.act(TABLE, action_number=3, action=CHECK)
    assert answer.last_number == 7
    first, *repeats = [sent.request for sent in transport.sent]
    assert isinstance(first, ActRequest)
    assert uuid.UUID(first.request_id).version == 4
    assert [repeat.SerializeToString() for repeat in repeats] == [first.SerializeToString()] * 2


async def test_each_call_gets_an_id_of_its_own() -> None:
    transport = ScriptedTransport([ActResponse(), ActResponse()])
    client = client_over(transport, JumpingTiming())
    await client.play.act(TABLE, action_number=3, action=CHECK)
    await client.play.act(TABLE, action_number=3, action=CHECK)
    ids = {sent.request.request_id for sent in transport.sent if isinstance(sent.request, ActRequest)}
    assert len(ids) == 2


async def test_a_refusal_is_never_repeated() -> None:
    refusal = RefusedError(reason=Reason.REASON_STALE_ACTION, reason_name="STALE_ACTION")
    transport = ScriptedTransport([refusal, ActResponse()])
    with pytest.raises(RefusedError):
        await client_over(transport, JumpingTiming()).play.act(TABLE, action_number=3, action=CHECK)
    assert len(transport.sent) == 1


async def test_pauses_double_up_to_a_bound_and_keep_what_the_server_asks_for() -> None:
    busy = TransientError("busy", reason=Reason.REASON_OVERLOADED, retry_after_ms=2_000)
    lost = UnavailableError("lost")
    timing = JumpingTiming()
    transport = ScriptedTransport([lost, lost, lost, lost, lost, busy, ActResponse()])
    await client_over(transport, timing).play.act(TABLE, action_number=3, action=CHECK)
    assert timing.waited_s == [0.075, 0.15, 0.3, 0.6, 0.75, 2.75]


async def test_it_gives_up_at_the_deadline_and_names_the_request_id() -> None:
    timing = JumpingTiming()
    transport = ScriptedTransport([UnavailableError("gone")] * 100)
    with pytest.raises(GaveUpError) as caught:
        await client_over(transport, timing).play.act(TABLE, action_number=3, action=CHECK)
    assert timing.at_s <= 1030.0
    request = transport.sent[0].request
    assert isinstance(request, ActRequest)
    assert caught.value.request_id == request.request_id
    assert isinstance(caught.value.__cause__, UnavailableError)


async def test_an_attempt_never_gets_more_time_than_is_left() -> None:
    timing = JumpingTiming()
    transport = ScriptedTransport([UnavailableError("gone")] * 100)
    with pytest.raises(GaveUpError):
        await client_over(transport, timing).play.act(TABLE, action_number=3, action=CHECK)
    assert transport.sent[0].timeout_s == 5.0
    assert 0 < transport.sent[-1].timeout_s < 5.0


async def test_a_read_is_repeated_too_and_carries_the_token() -> None:
    transport = ScriptedTransport([UnavailableError("lost"), GetTableResponse(table=TableView(last_number=4))])
    view = await client_over(transport, JumpingTiming()).tables.get(TABLE)
    assert view.last_number == 4
    assert [sent.token for sent in transport.sent] == ["secret", "secret"]
