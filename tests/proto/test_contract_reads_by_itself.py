"""Somebody who has nothing but the protos can use them: every element is explained, every number has its unit."""

from __future__ import annotations

import re

import pytest
from google.protobuf import descriptor_pb2 as pb

from tests.proto import contract

FIELD = pb.FieldDescriptorProto
NUMBERS = {FIELD.TYPE_INT32, FIELD.TYPE_INT64, FIELD.TYPE_UINT32, FIELD.TYPE_UINT64}
FLOATS = {FIELD.TYPE_FLOAT, FIELD.TYPE_DOUBLE}

# What a number can be a number of, in the words that its comment must use.
UNITS = re.compile(
    r"\b(chips|in ms|in minutes|UTC in ms|point|points|seats?|counted|number of|version|position|places?)\b",
    re.IGNORECASE,
)


def test_every_element_has_a_comment_in_sentences() -> None:
    unexplained = [element.name for element in contract.elements() if not element.comment.endswith((".", "..."))]
    assert unexplained == []


def test_every_number_says_its_unit() -> None:
    comments = contract.comments()
    unitless = [
        f"{name}.{field.name}"
        for name, message in contract.messages().items()
        for field in message.field
        if field.type in NUMBERS and not UNITS.search(comments[f"{name}.{field.name}"])
    ]
    assert unitless == []


@pytest.mark.parametrize(
    ("suffix", "words"),
    [("_at_ms", "Unix UTC in ms"), ("_chips", "chips"), ("_ms", "in ms"), ("_minutes", "in minutes")],
)
def test_the_unit_of_a_name_is_the_unit_of_its_comment(suffix: str, words: str) -> None:
    comments = contract.comments()
    named = [
        f"{name}.{field.name}"
        for name, message in contract.messages().items()
        for field in message.field
        if field.name.endswith(suffix)
    ]
    assert named
    assert [name for name in named if words not in comments[name].replace("Chips", "chips")] == []


def test_there_is_no_floating_point() -> None:
    floats = [
        f"{name}.{field.name}"
        for name, message in contract.messages().items()
        for field in message.field
        if field.type in FLOATS
    ]
    assert floats == []


def test_amounts_and_moments_are_int64() -> None:
    narrow = [
        f"{name}.{field.name}"
        for name, message in contract.messages().items()
        for field in message.field
        if re.search(r"(^|_)(chips|stacks|ms)$", field.name) and field.type != FIELD.TYPE_INT64
    ]
    assert narrow == []


def test_no_word_is_abbreviated() -> None:
    short = re.compile(r"(^|_)(sb|bb|num|idx|amt|btn|pos|msg|ts)(_|$)")
    assert [element.name for element in contract.elements() if short.search(element.name.rpartition(".")[2])] == []


def test_zero_never_means_something_on_the_wire_except_a_hidden_card() -> None:
    meaningful = {
        enum.value[0].name for enum in contract.enums().values() if not enum.value[0].name.endswith("_UNSPECIFIED")
    }
    assert meaningful == {"CARD_HIDDEN"}


def test_a_seat_that_may_be_nobody_can_be_absent() -> None:
    """Seat 0 is a seat: a plain integer could not say that there is none."""
    comments = contract.comments()
    nobody = [
        f"{name}.{field.name}"
        for name, message in contract.messages().items()
        for field in message.field
        if "Absent" in comments[f"{name}.{field.name}"]
        and not field.proto3_optional
        and field.type != FIELD.TYPE_MESSAGE
    ]
    assert nobody == []
