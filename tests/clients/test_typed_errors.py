"""What a server says over a real connection arrives as the type that says what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import grpc
import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from homegame.v1 import (
    catalog_service_pb2,
    hand_service_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)
from homegame.v1.errors_pb2 import Reason
from homegame.v1.table_service_pb2 import GetTableRequest, GetTableResponse, WatchTableRequest, WatchTableResponse
from homegame.v1.table_service_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server
from homegame.v1.views_pb2 import TableView
from homegame_client import (
    Client,
    FaultError,
    GrpcTransport,
    LaggedError,
    RefusedError,
    RetryPolicy,
    TableRef,
    TransientError,
    UnavailableError,
    open_channel,
    rpcs,
)
from homegame_client.errors import STATUS_TRAILER, from_rpc_error, refusal_status
from tests.clients.fakes import frame

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from google.protobuf.descriptor import MethodDescriptor

TABLE = TableRef("night", "table")


class FakeTable(TableServiceServicer):
    """A server that does as it is told."""

    def __init__(self) -> None:
        self.aborts: list[tuple[grpc.StatusCode, str, tuple[tuple[str, bytes], ...]]] = []
        self.seen: list[dict[str, str | bytes]] = []
        self.after_seqs: list[int] = []

    async def GetTable(self, request: GetTableRequest, context: object) -> GetTableResponse:  # noqa: N802
        """Note the metadata; fail as planned, or answer."""
        caller = cast("grpc.aio.ServicerContext[GetTableRequest, GetTableResponse]", context)
        self.seen.append(dict(caller.invocation_metadata() or ()))
        if self.aborts:
            code, text, trailers = self.aborts.pop(0)
            await caller.abort(code, text, trailers)
        return GetTableResponse(table=TableView(night_id=request.night_id))

    async def WatchTable(  # noqa: N802
        self, request: WatchTableRequest, context: object
    ) -> AsyncGenerator[WatchTableResponse, None]:
        """Send two events; the first time then fail as planned."""
        caller = cast("grpc.aio.ServicerContext[WatchTableRequest, WatchTableResponse]", context)
        self.after_seqs.append(request.after_seq)
        yield frame(request.after_seq + 1, request.after_seq + 2)
        if self.aborts:
            code, text, trailers = self.aborts.pop(0)
            await caller.abort(code, text, trailers)


@dataclass
class Loopback:
    """A fake server and a transport to it."""

    table: FakeTable
    transport: GrpcTransport
    server: grpc.aio.Server

    async def get(self) -> GetTableResponse:
        return await self.transport.call(rpcs.GET_TABLE, GetTableRequest(night_id="n"), token="", timeout_s=5.0)


@pytest.fixture
async def loopback() -> AsyncGenerator[Loopback, None]:
    server = grpc.aio.server()
    table = FakeTable()  # type: ignore[abstract] # what no test calls stays UNIMPLEMENTED
    add_TableServiceServicer_to_server(table, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        yield Loopback(table, GrpcTransport(channel), server)
    await server.stop(None)


def refusal(
    code: grpc.StatusCode, reason: str, metadata: Mapping[str, str]
) -> tuple[grpc.StatusCode, str, tuple[tuple[str, bytes], ...]]:
    return code, "as it is told to people", refusal_status(code, reason, "as it is told to people", metadata)


async def test_a_refusal_carries_reason_rule_and_legal_amounts(loopback: Loopback) -> None:
    facts = {"rule_id": "BET-FL-01", "raise_to_min_chips": "4", "raise_to_max_chips": "4", "word": "x"}
    loopback.table.aborts.append(refusal(grpc.StatusCode.FAILED_PRECONDITION, "BAD_INCREMENT", facts))
    with pytest.raises(RefusedError) as caught:
        await loopback.get()
    assert caught.value.reason == Reason.REASON_BAD_INCREMENT
    assert caught.value.reason_name == "BAD_INCREMENT"
    assert caught.value.rule_id == "BET-FL-01"
    assert caught.value.facts == {"raise_to_min_chips": 4, "raise_to_max_chips": 4}
    assert caught.value.message == "as it is told to people"


async def test_a_reason_newer_than_the_client_is_still_a_refusal_with_its_name(loopback: Loopback) -> None:
    loopback.table.aborts.append(refusal(grpc.StatusCode.FAILED_PRECONDITION, "MOON_IS_FULL", {}))
    with pytest.raises(RefusedError) as caught:
        await loopback.get()
    assert (caught.value.reason, caught.value.reason_name) == (Reason.REASON_UNSPECIFIED, "MOON_IS_FULL")


async def test_malformed_fields_are_named(loopback: Loopback) -> None:
    info = error_details_pb2.ErrorInfo(reason="BAD_REQUEST", domain="homegame.v1")
    bad = error_details_pb2.BadRequest(
        field_violations=[error_details_pb2.BadRequest.FieldViolation(field="night_id", description="too long")]
    )
    status = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message="no")
    status.details.add().Pack(info)
    status.details.add().Pack(bad)
    trailers = ((STATUS_TRAILER, status.SerializeToString()),)
    loopback.table.aborts.append((grpc.StatusCode.INVALID_ARGUMENT, "no", trailers))
    with pytest.raises(RefusedError) as caught:
        await loopback.get()
    assert [(fault.field, fault.description) for fault in caught.value.fields] == [("night_id", "too long")]


@pytest.mark.parametrize("reason", ["OVERLOADED", "STORE_UNAVAILABLE", "STOPPING"])
async def test_what_may_work_later_is_transient(loopback: Loopback, reason: str) -> None:
    loopback.table.aborts.append(refusal(grpc.StatusCode.UNAVAILABLE, reason, {"retry_after_ms": "250"}))
    with pytest.raises(TransientError) as caught:
        await loopback.get()
    assert Reason.Name(caught.value.reason) == f"REASON_{reason}"
    assert caught.value.retry_after_ms == 250


async def test_lagged_has_a_type_of_its_own(loopback: Loopback) -> None:
    loopback.table.aborts.append(refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "LAGGED", {"last_number": "9"}))
    with pytest.raises(LaggedError):
        await loopback.get()


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED])
async def test_a_bare_code_that_means_no_answer_is_unavailable(loopback: Loopback, code: grpc.StatusCode) -> None:
    loopback.table.aborts.append((code, "proxy", ()))
    with pytest.raises(UnavailableError):
        await loopback.get()


def test_a_message_that_could_not_be_sent_any_more_is_no_answer_and_no_fault() -> None:
    ended = 'Failed "execute_batch": (<grpc._cython.cygrpc.SendMessageOperation object at 0x7f>,)'
    made_up = grpc.aio.AioRpcError(
        grpc.StatusCode.INTERNAL,
        grpc.aio.Metadata(),
        grpc.aio.Metadata(),
        "Internal error from Core",
        debug_error_string=ended,
    )
    assert isinstance(from_rpc_error(made_up), UnavailableError)


async def test_an_unexpected_failure_is_a_fault_with_its_reference(loopback: Loopback) -> None:
    loopback.table.aborts.append((grpc.StatusCode.INTERNAL, "reference 4711", ()))
    with pytest.raises(FaultError, match="4711"):
        await loopback.get()


async def test_a_foreign_trailer_is_not_taken_for_a_refusal(loopback: Loopback) -> None:
    loopback.table.aborts.append((grpc.StatusCode.INTERNAL, "x", ((STATUS_TRAILER, b"\xff\xff\xff"),)))
    with pytest.raises(FaultError):
        await loopback.get()


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    async with open_channel("127.0.0.1:1") as channel:
        with pytest.raises(UnavailableError):
            await GrpcTransport(channel).call(rpcs.GET_TABLE, GetTableRequest(), token="", timeout_s=5.0)


async def test_the_token_travels_as_bearer_and_only_when_there_is_one(loopback: Loopback) -> None:
    await Client(loopback.transport, token="abc").tables.get(TABLE)  # noqa: S106 - no secret
    await Client(loopback.transport).tables.get(TABLE)
    assert loopback.table.seen[0]["authorization"] == "Bearer abc"
    assert "authorization" not in loopback.table.seen[1]


async def test_a_stream_over_a_real_connection_resumes_when_it_lagged(loopback: Loopback) -> None:
    loopback.table.aborts.append(refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "LAGGED", {}))
    stream = Client(loopback.transport, retry=RetryPolicy()).tables.watch(TABLE, after_seq=10)
    assert [event.number async for event in stream] == [11, 12, 13, 14]
    assert loopback.table.after_seqs == [10, 12]


def test_every_call_of_the_contract_is_offered_with_its_own_types() -> None:
    files = (catalog_service_pb2, night_service_pb2, table_service_pb2, play_service_pb2, hand_service_pb2)
    contract = {
        f"/{service.full_name}/{method.name}": method
        for file in files
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    offered = {rpc.path: rpc for rpc in vars(rpcs).values() if isinstance(rpc, rpcs.Rpc)}
    assert offered.keys() == contract.keys()
    for path, rpc in offered.items():
        method: MethodDescriptor = contract[path]
        assert rpc.request_type.DESCRIPTOR is method.input_type
        assert rpc.response_type.DESCRIPTOR is method.output_type
