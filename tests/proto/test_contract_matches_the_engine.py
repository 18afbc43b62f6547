"""What the engine says has a place on the wire, under the same name: nothing is lost between the two."""

from __future__ import annotations

import typing

import msgspec
import pytest

from homegame.v1 import actions_pb2, cards_pb2
from homegame_engine import actions, cards, events
from homegame_engine.events import AnyEvent
from homegame_engine.night import table_view
from tests.proto import contract

# Engine's field -> wire's, where the wire is plainer to people who do not know the engine.
RENAMED = {
    ("NightCreated", "decision_ms"): "decision_window_ms",
    ("NightCreated", "cut_ms"): "cut_window_ms",
    ("ParticipantJoined", "name"): "display_name",
    ("SeatTaken", "name"): "display_name",
    ("NightClosed", "by"): "has_result",
    ("SeatView", "name"): "display_name",
    ("TableView", "finished_by"): "finish_reason",
    ("TableView", "rules"): "stakes",
    ("GameCalled", "rules"): "rule_card",
}
# On the wire only: worked out from the others, or known to the server and not to the engine.
ADDED = {
    ("Placement", "tied"),
    ("TableView", "night_id"),
    ("TableView", "table_id"),
    ("TableView", "night_name"),
    ("TableView", "posting"),
    ("TableView", "server_time_ms"),
    ("TableView", "last_number"),
    ("TableView", "viewer_participant_id"),
}

EVENT_CLASSES = typing.get_args(AnyEvent)


def wire_fields(name: str) -> set[str]:
    """Return the fields of a message of the contract."""
    return {field.name for field in contract.messages()[name].field}


def test_every_event_of_the_engine_is_an_event_of_the_table() -> None:
    event = contract.messages()["TableEvent"]
    arms = {field.type_name.rpartition(".")[2] for field in event.field if field.HasField("oneof_index")}
    assert arms == {event_class.__name__ for event_class in EVENT_CLASSES}


@pytest.mark.parametrize(
    "record",
    [
        *EVENT_CLASSES,
        events.LayerShown,
        events.Share,
        events.Declaration,
        events.Placement,
        actions.LegalActions,
        table_view.SeatView,
        table_view.TableView,
    ],
)
def test_every_field_of_a_record_is_on_the_wire(record: type[msgspec.Struct]) -> None:
    name = record.__name__
    expected = {RENAMED.get((name, field.name), field.name) for field in msgspec.structs.fields(record)}
    added = {field for message, field in ADDED if message == name}
    assert wire_fields(name) == expected | added


def test_kinds_of_action_have_the_engines_names() -> None:
    wire = {value.name.removeprefix("ACTION_KIND_").lower() for value in contract.enums()["ActionKind"].value}
    engine = {str(action.__struct_config__.tag) for action in typing.get_args(actions.AnyAction)}
    assert wire - {"unspecified"} == engine
    arms = {field.name for field in actions_pb2.PlayerAction.DESCRIPTOR.fields}
    assert arms == engine


def test_a_card_on_the_wire_is_its_code_plus_one() -> None:
    names = cards_pb2.Card.items()
    assert len(names) == 55
    ranks = ["TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE"]
    suits = ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"]
    for rank, rank_letter in zip(ranks, cards.RANKS, strict=True):
        for suit, suit_letter in zip(suits, cards.SUITS, strict=True):
            code = cards.parse_card(rank_letter + suit_letter)
            assert cards_pb2.Card.Value(f"CARD_{rank}_OF_{suit}") == code + 1
    assert cards_pb2.CARD_FIRST_JOKER == 52 + 1
    assert cards_pb2.CARD_SECOND_JOKER == 53 + 1
    assert cards_pb2.CARD_HIDDEN == 0
