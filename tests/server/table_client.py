"""A small client on the raw stubs: enough to seat people, follow a table and act, and no knowledge of the rules."""

# ruff: noqa: ANN401 - fields of messages, passed on as they are

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from homegame.v1 import (
    actions_pb2,
    cards_pb2,
    catalog_service_pb2_grpc,
    hand_service_pb2_grpc,
    night_service_pb2,
    night_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
)

if TYPE_CHECKING:
    import random
    from collections.abc import AsyncIterator, Awaitable, Sequence

    from homegame.v1 import events_pb2

Metadata = tuple[tuple[str, str], ...]


class TableClient:
    """One channel with every stub."""

    def __init__(self, address: str, options: tuple[tuple[str, Any], ...] = ()) -> None:
        self.channel = grpc.aio.insecure_channel(address, options=options)
        self.catalog: Any = catalog_service_pb2_grpc.CatalogServiceStub(self.channel)
        self.nights: Any = night_service_pb2_grpc.NightServiceStub(self.channel)
        self.tables: Any = table_service_pb2_grpc.TableServiceStub(self.channel)
        self.play: Any = play_service_pb2_grpc.PlayServiceStub(self.channel)
        self.hands: Any = hand_service_pb2_grpc.HandServiceStub(self.channel)

    async def close(self) -> None:
        await self.channel.close()


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),) if token else ()


def request_id() -> str:
    return str(uuid.uuid4())


@dataclass
class Player:
    """Somebody with a seat."""

    participant_id: str
    token: str
    seat: int


@dataclass
class SeatedNight:
    """A night with everybody seated."""

    night_id: str
    table_id: str
    host_token: str
    players: list[Player] = field(default_factory=list)

    @property
    def ids(self) -> dict[str, Any]:
        return {"night_id": self.night_id, "table_id": self.table_id}

    def token_of(self, seat: int | None) -> str:
        return "" if seat is None else next(player.token for player in self.players if player.seat == seat)


async def seat_night(client: TableClient, n_players: int, **settings: Any) -> SeatedNight:
    """Create a night and seat people, who have all read the posting; not opened yet."""
    posted = {} if "table" in settings else {"format_id": "points-night"}
    settings = {"name": "Friday", "cutoff_in_ms": 60_000, **posted, **settings}
    created = await client.nights.CreateNight(night_service_pb2.CreateNightRequest(request_id=request_id(), **settings))
    night = SeatedNight(created.night_id, created.table_ids[0], created.host_token)
    for number in range(n_players):
        joined = await client.tables.JoinTable(
            table_service_pb2.JoinTableRequest(
                request_id=request_id(), display_name=f"Player {number + 1}", **night.ids
            )
        )
        metadata = bearer(joined.participant_token)
        taken = await client.tables.TakeSeat(
            table_service_pb2.TakeSeatRequest(request_id=request_id(), **night.ids), metadata=metadata
        )
        await client.tables.AcknowledgePosting(
            table_service_pb2.AcknowledgePostingRequest(request_id=request_id(), **night.ids), metadata=metadata
        )
        night.players.append(Player(joined.participant_id, joined.participant_token, taken.seat))
    return night


async def open_night(client: TableClient, night: SeatedNight) -> None:
    await client.nights.OpenNight(
        night_service_pb2.OpenNightRequest(request_id=request_id(), night_id=night.night_id),
        metadata=bearer(night.host_token),
    )


async def watch(
    client: TableClient, night: SeatedNight, *, after_seq: int = 0, token: str = ""
) -> AsyncIterator[events_pb2.TableEvent]:
    """Events after a number; holds that they follow one another without a gap."""
    request = table_service_pb2.WatchTableRequest(after_seq=after_seq, **night.ids)
    call = client.tables.WatchTable(request, metadata=bearer(token))
    try:
        async for frame in call:
            for event in frame.events:
                after_seq += 1
                assert event.number == after_seq
                yield event
            assert frame.last_number == after_seq
    finally:
        call.cancel()


def choose(
    legal: actions_pb2.LegalActions, chance: random.Random, own: Sequence[cards_pb2.Card.ValueType] = ()
) -> actions_pb2.PlayerAction:
    """Pick one of the actions that the table says are open; `own` are the cards to pick from where cards are to be named."""
    kind = chance.choice(list(legal.kinds))
    action = actions_pb2.PlayerAction()
    if kind == actions_pb2.ACTION_KIND_FOLD:
        action.fold.SetInParent()
    elif kind == actions_pb2.ACTION_KIND_CHECK:
        action.check.SetInParent()
    elif kind == actions_pb2.ACTION_KIND_CALL:
        action.call.call_chips = legal.call_chips
    elif kind == actions_pb2.ACTION_KIND_BET:
        action.bet.to_chips = legal.raise_to_min_chips
    elif kind == actions_pb2.ACTION_KIND_RAISE:
        getattr(action, "raise").to_chips = legal.raise_to_min_chips
    elif kind == actions_pb2.ACTION_KIND_SHOW:
        action.show.SetInParent()
    elif kind == actions_pb2.ACTION_KIND_CUT:
        action.cut.position = chance.randint(legal.cut_position_min, legal.cut_position_max)
    elif kind == actions_pb2.ACTION_KIND_DECLARE:
        action.declare.half = chance.choice(list(legal.halves))
    elif kind in NAMING:
        part = getattr(action, NAMING[kind])
        part.SetInParent()
        part.cards.extend(chance.sample(list(own), chance.randint(legal.cards_min, legal.cards_max)))
    else:
        getattr(action, actions_pb2.ActionKind.Name(kind).removeprefix("ACTION_KIND_").lower()).SetInParent()
    return action


NAMING = {
    actions_pb2.ACTION_KIND_DISCARD: "discard",
    actions_pb2.ACTION_KIND_DRAW: "draw",
    actions_pb2.ACTION_KIND_PASS: "pass",
}
"""Kinds of action that name cards, and their fields."""


async def own_cards(client: TableClient, night: SeatedNight, seat: int) -> list[cards_pb2.Card.ValueType]:
    """The cards of a seat, as its player sees them."""
    request = table_service_pb2.GetTableRequest(**night.ids)
    view = (await client.tables.GetTable(request, metadata=bearer(night.token_of(seat)))).table
    return list(view.seats[seat].cards)


def act_request(
    night: SeatedNight, action_number: int, action: actions_pb2.PlayerAction, **other: Any
) -> play_service_pb2.ActRequest:
    fields = {"request_id": request_id(), **night.ids, **other}
    return play_service_pb2.ActRequest(action_number=action_number, action=action, **fields)


def asks_for_cut(required: events_pb2.ActionRequired) -> bool:
    """Whether a turn is the cut before a deal."""
    return actions_pb2.ACTION_KIND_CUT in required.legal.kinds


async def cut(
    client: TableClient, night: SeatedNight, required: events_pb2.ActionRequired, position: int = 17
) -> play_service_pb2.ActResponse:
    """Cut for whoever has to."""
    action = actions_pb2.PlayerAction(cut=actions_pb2.Cut(position=position))
    answer: play_service_pb2.ActResponse = await client.play.Act(
        act_request(night, required.action_number, action), metadata=bearer(night.token_of(required.seat))
    )
    return answer


@dataclass
class Refused:
    """What a client is told of a refusal."""

    code: grpc.StatusCode
    reason: str
    metadata: dict[str, str]
    message: str
    fields: list[str]
    status: bytes


async def refusal(call: Awaitable[Any]) -> Refused:
    """Await a call that must be refused, and read the refusal."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return read_refusal(error)
    raise AssertionError(f"not refused: {answer}")


def read_refusal(error: grpc.aio.AioRpcError) -> Refused:
    """Read the details of a refused call."""
    # Never INTERNAL with words of ours, never the name of a Python exception (in whatever way it was refused).
    assert error.code() is not grpc.StatusCode.INTERNAL, error
    assert not re.search(r"Error|Exception|Traceback|\bNone\b", error.details() or ""), error
    packed = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    status = status_pb2.Status.FromString(packed)
    refused = Refused(error.code(), "", {}, error.details() or "", [], packed)
    for detail in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            assert info.domain == "homegame.v1"
            refused.reason, refused.metadata = info.reason, dict(info.metadata)
        elif detail.Unpack(bad):
            refused.fields = [violation.field for violation in bad.field_violations]
    return refused
