"""Malformed requests are refused by the rules that stand in the protos, before any code of ours sees them."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import protovalidate
import pytest

from homegame.v1 import (
    actions_pb2,
    hand_service_pb2,
    hands_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)
from tests.proto import contract

if TYPE_CHECKING:
    from google.protobuf.message import Message

REQUEST_ID = "0c6d7a8e-4f5e-4c0b-9f31-6a1f4d1f7a55"
FOLD = actions_pb2.PlayerAction(fold=actions_pb2.Fold())


def act(
    *,
    request_id: str = REQUEST_ID,
    night_id: str = "night",
    action_number: int = 1,
    seat: int | None = None,
    action: actions_pb2.PlayerAction | None = FOLD,
) -> play_service_pb2.ActRequest:
    """Build a decision that is well-formed but for what a test changes."""
    return play_service_pb2.ActRequest(
        request_id=request_id,
        night_id=night_id,
        table_id="table",
        action_number=action_number,
        seat=seat,
        action=action,
    )


def join(display_name: str) -> table_service_pb2.JoinTableRequest:
    """Build a request to join under a name."""
    return table_service_pb2.JoinTableRequest(
        request_id=REQUEST_ID, night_id="night", table_id="table", display_name=display_name
    )


def create(**fields: int) -> night_service_pb2.CreateNightRequest:
    """Build a request for a night with some numbers."""
    request = night_service_pb2.CreateNightRequest(request_id=REQUEST_ID, name="Friday", format_id="B1")
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def wager(chips: int) -> actions_pb2.PlayerAction:
    """Build a raise to a total. `raise` is a keyword of Python, so the field is reached by name."""
    action = actions_pb2.PlayerAction()
    getattr(action, "raise").to_chips = chips
    return action


def faults(message: Message) -> list[tuple[str, str]]:
    """Return path and rule of every violation."""
    found = []
    for violation in protovalidate.collect_violations(message):
        path = violation.proto.field
        found.append((".".join(step.field_name for step in path.elements) if path else "", violation.proto.rule_id))
    return found


@pytest.mark.parametrize(
    "message",
    [
        act(),
        act(seat=0),
        act(action=wager(0)),
        act(action=actions_pb2.PlayerAction(call=actions_pb2.Call())),
        join("Zoë O'Neil 👩‍👧"),
        join("x" * 40),
        create(),
        create(cutoff_in_ms=90_000, seats=6, decision_window_ms=30_000, hand_pause_ms=0),
        table_service_pb2.WatchTableRequest(night_id="night", table_id="table"),
        hand_service_pb2.ListHandsRequest(night_id="night", table_id="table"),
    ],
)
def test_a_well_formed_request_passes(message: Message) -> None:
    assert faults(message) == []
    protovalidate.validate(message)


@pytest.mark.parametrize(
    ("message", "path", "rule"),
    [
        (act(request_id=""), "request_id", "string.uuid_empty"),
        (act(request_id="not-a-uuid"), "request_id", "string.uuid"),
        (act(night_id=""), "night_id", "string.min_len"),
        (act(night_id="n" * 65), "night_id", "string.max_len"),
        (act(action_number=0), "action_number", "int64.gte"),
        (act(seat=-1), "seat", "int32.gte_lte"),
        (act(action=None), "action", "required"),
        (act(action=actions_pb2.PlayerAction()), "action.action", "required"),
        (act(action=wager(-1)), "action.raise.to_chips", "int64.gte"),
        (
            act(action=actions_pb2.PlayerAction(call=actions_pb2.Call(call_chips=-5))),
            "action.call.call_chips",
            "int64.gte",
        ),
        (join(""), "display_name", "string.min_len"),
        (join("x" * 41), "display_name", "string.max_len"),
        (join(" \u00a0 "), "display_name", "string.pattern"),
        (join("two\nlines"), "display_name", "string.pattern"),
        (join("\x1b[2J"), "display_name", "string.pattern"),
        (join("\u202egnp"), "display_name", "string.pattern"),
        (create(seats=1), "seats", "int32.gte_lte"),
        (create(seats=11), "seats", "int32.gte_lte"),
        (create(cutoff_in_ms=0), "cutoff_in_ms", "int64.gte_lte"),
        (create(decision_window_ms=999), "decision_window_ms", "int64.gte_lte"),
        (
            table_service_pb2.WatchTableRequest(night_id="night", table_id="table", after_seq=-1),
            "after_seq",
            "int64.gte",
        ),
        (
            hand_service_pb2.ExportHandRequest(night_id="night", table_id="table", hand_number=1),
            "format",
            "enum.not_in",
        ),
        (night_service_pb2.PostCutoffRequest(request_id=REQUEST_ID, night_id="night"), "cutoff", "required"),
    ],
)
def test_a_malformed_request_is_refused_with_the_path_of_its_field(message: Message, path: str, rule: str) -> None:
    assert (path, rule) in faults(message)
    with pytest.raises(protovalidate.ValidationError):
        protovalidate.validate(message)


def test_an_export_format_nobody_knows_is_refused() -> None:
    request = hand_service_pb2.ExportHandRequest(
        night_id="night", table_id="table", hand_number=1, format=hands_pb2.EXPORT_FORMAT_TEXT
    )
    protovalidate.validate(request)
    unknown = hand_service_pb2.ExportHandRequest.FromString(request.SerializeToString()[:-1] + b"\x63")
    assert ("format", "enum.defined_only") in faults(unknown)


def test_every_text_of_a_request_is_bounded() -> None:
    """Unbounded text would let one request fill the journal."""
    unbounded = [
        f"{method.input_type}.{field.name}"
        for method in contract.methods().values()
        for field in contract.messages()[method.input_type.rpartition(".")[2]].field
        if field.type == field.TYPE_STRING and not field.HasField("options")
    ]
    assert unbounded == []


def test_no_package_called_buf_comes_along() -> None:
    assert importlib.util.find_spec("homegame.validate.validate_pb2") is not None
    assert importlib.util.find_spec("buf") is None
