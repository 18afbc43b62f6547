"""Whatever changes something can be repeated, and whatever is play says which turn it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.proto import contract

if TYPE_CHECKING:
    from google.protobuf import descriptor_pb2 as pb

READS = ("Get", "List", "Check", "Watch", "Export")


def method_name(rpc: str) -> str:
    """Return the method of Service.Method."""
    return rpc.partition(".")[2]


def request_of(method: pb.MethodDescriptorProto) -> pb.DescriptorProto:
    """Return the request message of an RPC."""
    return contract.messages()[method.input_type.rpartition(".")[2]]


def response_of(method: pb.MethodDescriptorProto) -> pb.DescriptorProto:
    """Return the response message of an RPC."""
    return contract.messages()[method.output_type.rpartition(".")[2]]


def mutations() -> dict[str, pb.MethodDescriptorProto]:
    """Return every RPC that is one request that changes something; those of a stream have tests of their own."""
    return {
        rpc: method
        for rpc, method in contract.methods().items()
        if not method_name(rpc).startswith(READS) and not method.client_streaming
    }


def fields_of(message: pb.DescriptorProto) -> list[tuple[str, int, int, str]]:
    """Return what a message's fields are on the wire, with their names."""
    return [(field.name, field.number, field.type, field.type_name) for field in message.field]


def test_the_services_are_those_of_the_design() -> None:
    services = {rpc.partition(".")[0] for rpc in contract.methods()}
    assert services == {"CatalogService", "NightService", "TableService", "PlayService", "HandService"}


def test_every_mutation_carries_a_request_id_first() -> None:
    without = [rpc for rpc, method in mutations().items() if request_of(method).field[0].name != "request_id"]
    assert without == []


def test_every_mutation_answers_with_the_moment_that_a_repeat_returns_too() -> None:
    without = [
        rpc
        for rpc, method in mutations().items()
        if "accepted_at_ms" not in {field.name for field in response_of(method).field}
    ]
    assert without == []


def test_reads_carry_no_request_id() -> None:
    needless = [
        rpc
        for rpc, method in contract.methods().items()
        if method_name(rpc).startswith(READS) and any(field.name == "request_id" for field in request_of(method).field)
    ]
    assert needless == []


def test_play_carries_an_action_number_and_returns_the_next() -> None:
    act = contract.methods()["PlayService.Act"]
    assert "action_number" in {field.name for field in request_of(act).field}
    assert "action_number" in {field.name for field in response_of(act).field}


def test_a_decision_on_a_stream_is_its_unary_call_without_the_table() -> None:
    (play,) = [rpc for rpc, method in contract.methods().items() if method.client_streaming]
    assert play == "PlayService.Play"
    messages = contract.messages()
    given, answer = messages["PlayInput"], messages["PlayAnswer"]
    assert [field.name for field in given.field[:2]] == ["request_id", "action_number"]
    calls = [method for rpc, method in mutations().items() if rpc.startswith("PlayService.")]
    assert len(given.field) - 2 == len(calls)
    outcomes = {field.type_name for field in answer.field if field.name not in ("request_id", "refused")}
    assert outcomes == {method.output_type for method in calls}
    assert answer.field[0].name == "request_id"


def test_a_frame_is_the_same_bytes_for_watchers_and_players() -> None:
    messages = contract.messages()
    watched, played = fields_of(messages["WatchTableResponse"]), fields_of(messages["PlayResponse"])
    assert played[: len(watched)] == watched
    watching, playing = fields_of(messages["WatchTableRequest"]), fields_of(messages["PlayOpening"])
    assert playing == watching


def test_watching_streams_and_resumes_after_a_number() -> None:
    watch = contract.methods()["TableService.WatchTable"]
    assert watch.server_streaming
    assert "after_seq" in {field.name for field in request_of(watch).field}
    assert {"events", "last_number", "server_time_ms"} <= {field.name for field in response_of(watch).field}


def test_every_reply_with_a_deadline_carries_the_servers_clock() -> None:
    view = {field.name for field in contract.messages()["TableView"].field}
    assert {"deadline_at_ms", "server_time_ms", "last_number", "action_number"} <= view
