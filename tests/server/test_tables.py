"""The server's tables are complete: permissions, status codes, conversions. A gap would show only when it is too late."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import grpc
import msgspec
import pytest
from google.protobuf import descriptor_pool

from homegame.v1 import actions_pb2, errors_pb2, events_pb2, table_service_pb2
from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import LegalActions
from homegame_engine.errors import (
    InputError,
    InvariantError,
    NotAllowed,
    NotFound,
    RuleViolation,
    ServiceReason,
    StaleVersion,
)
from homegame_engine.night.state import SeatTaken
from homegame_engine.reasons import Reason
from homegame_server.app import SERVICES
from homegame_server.auth.permissions import PERMISSIONS
from homegame_server.rpc import convert
from homegame_server.rpc.status import CODES, refusal
from homegame_server.runtime.publisher import NumberedEvent

POOL = descriptor_pool.Default()


def methods() -> list[str]:
    return [f"/{service}/{method.name}" for service in SERVICES for method in POOL.FindServiceByName(service).methods]


def test_every_rpc_has_a_permission_and_every_permission_an_rpc() -> None:
    assert sorted(PERMISSIONS) == sorted(methods())


def test_every_mutation_carries_a_request_id_and_nothing_else_does() -> None:
    for service in SERVICES:
        for method in POOL.FindServiceByName(service).methods:
            has_id = "request_id" in method.input_type.fields_by_name
            assert PERMISSIONS[f"/{service}/{method.name}"].is_mutation == has_id, method.full_name


def test_every_reason_has_a_code_and_a_place_in_the_contract() -> None:
    every = {*Reason, *ServiceReason}
    assert set(CODES) == every
    in_contract = {name.removeprefix("REASON_") for name in errors_pb2.Reason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118
    assert {str(reason) for reason in every} == in_contract


def test_no_reason_leaves_as_internal_or_unknown() -> None:
    assert not {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.OK} & set(CODES.values())


@pytest.mark.parametrize(
    ("error", "reason", "code"),
    [
        (RuleViolation(Reason.CANNOT_CHECK, "BET-GEN-02"), "CANNOT_CHECK", grpc.StatusCode.FAILED_PRECONDITION),
        (InputError("no", field="seat"), "BAD_REQUEST", grpc.StatusCode.INVALID_ARGUMENT),
        (NotFound("night", "x"), "NOT_FOUND", grpc.StatusCode.NOT_FOUND),
        (NotFound("format", "x", Reason.FORMAT_UNKNOWN), "FORMAT_UNKNOWN", grpc.StatusCode.NOT_FOUND),
        (StaleVersion(1, 2), "STALE_ACTION", grpc.StatusCode.ABORTED),
        (NotAllowed(Reason.NOT_HOST), "NOT_HOST", grpc.StatusCode.PERMISSION_DENIED),
        (SeatTaken(3), "SEAT_TAKEN", grpc.StatusCode.ALREADY_EXISTS),
        (InvariantError("figures"), "INVARIANT_BROKEN", grpc.StatusCode.FAILED_PRECONDITION),
    ],
)
def test_the_look_up_follows_the_class_chain(error: Exception, reason: str, code: grpc.StatusCode) -> None:
    refused = refusal(error)
    assert refused is not None
    assert (str(refused.reason), refused.code) == (reason, code)
    assert "figures" not in refused.message


def test_what_is_none_of_ours_is_no_refusal() -> None:
    assert refusal(KeyError("seat")) is None


def sample(kind: type[msgspec.Struct]) -> msgspec.Struct:
    """Make a record with a value in each field."""
    values: dict[str, typing.Any] = {
        "blind": "SMALL",
        "by": "CUTOFF",
        "legal": LegalActions(seat=1, kinds=("check", "bet"), wager_refusal=None),
        "layers": (ev.LayerShown(chips=3, seats=(0, 1)),),
        "choice": "PASS",
        "part": "HIGH",
        "declarations": (ev.Declaration(seat=1, half="BOTH"),),
        "game": catalog.game("STUD7"),
        "rules": catalog.house("POINTS_NIGHT").hand_rules(small_blind_chips=1, big_blind_chips=2),
        "placements": (ev.Placement(seat=1, stack_chips=3, place=1),),
        "steps": catalog.game("STUD7").steps,
    }
    by_type: dict[typing.Any, typing.Any] = {
        int: 1,
        str: "text",
        bytes: b"root",
        bool: True,
        tuple[int, ...]: (1, 2),
        tuple[ev.Share, ...]: (ev.Share(seat=1, chips=3),),
    }
    fields = msgspec.structs.fields(kind)
    return kind(**{field.name: values.get(field.name, by_type.get(field.type)) for field in fields})


@pytest.mark.parametrize("kind", typing.get_args(ev.AnyEvent), ids=lambda kind: kind.__name__)
def test_every_event_reaches_the_contract_with_every_field(kind: type[msgspec.Struct]) -> None:
    event = typing.cast("ev.AnyEvent", sample(kind))
    message = convert.table_event(NumberedEvent(7, 8, 9, event))
    assert (message.number, message.at_ms, message.night_sequence) == (7, 8, 9)
    field = message.WhichOneof("event")
    assert field is not None
    inner = getattr(message, field)
    unset = {described.name for described in inner.DESCRIPTOR.fields} - {
        listed.name for listed, _ in inner.ListFields()
    }
    # Only a night that was played has a result; the sample was closed by its host.
    assert unset <= ({"has_result"} if kind is ev.NightClosed else set())


def test_every_event_of_the_contract_is_one_of_the_engine() -> None:
    told = {field.name for field in events_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields}
    assert told == {field for field, _, _ in convert._EVENTS.values()}  # noqa: SLF001 - the table is what is tested
    assert len(told) == len(typing.get_args(ev.AnyEvent))


def test_kinds_of_actions_come_in_the_order_in_which_the_contract_shows_them() -> None:
    text = (Path(__file__).resolve().parents[2] / "proto/homegame/v1/actions.proto").read_text(encoding="utf-8")
    said = re.search(r"in display order:(.*?)\.\n", text, re.DOTALL)
    assert said is not None
    shown = re.sub(r"\s*//\s*", " ", said[1]).strip().replace("bring in", "bring_in").split(", ")
    kinds = actions_pb2.ActionKind.keys()
    assert {f"ACTION_KIND_{kind.upper()}" for kind in shown} == {*kinds} - {
        "ACTION_KIND_UNSPECIFIED",
        "ACTION_KIND_AGREE",
    }
    legal = convert.legal(LegalActions(seat=1, kinds=tuple(sorted(shown))))
    assert [actions_pb2.ActionKind.Name(kind) for kind in legal.kinds] == [f"ACTION_KIND_{k.upper()}" for k in shown]


def test_a_frame_spliced_from_encoded_events_is_the_message_it_stands_for() -> None:
    events = [NumberedEvent(number, 5, 6, ev.HandMucked(seat=number)) for number in range(1, 4)]
    big = NumberedEvent(4, 5, 6, ev.ParticipantJoined(participant_id="p" * 300, name="n" * 20_000))
    parts = [convert.ENCODER.event(event) for event in (*events, big)]
    frame = convert.ENCODER.frame(parts, 4, 77)
    expected = table_service_pb2.WatchTableResponse(
        events=[convert.table_event(event) for event in (*events, big)], last_number=4, server_time_ms=77
    )
    assert table_service_pb2.WatchTableResponse.FromString(frame) == expected
