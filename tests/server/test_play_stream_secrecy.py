"""Hidden stays hidden on the play stream: cards that a seat may not see change no byte that the seat gets on it.

As `test_secrecy`, with every decision sent over streams. What a stream brings is compared as bytes: the frames that a
stream opened afterwards gets, as they come off the wire, and what came live, message by message and refusal by refusal.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from homegame.v1 import actions_pb2, play_service_pb2
from tests.server import test_secrecy as unary
from tests.server.running_server import serving
from tests.server.stream_client import SeatStream, decision, opening, reason_of
from tests.server.table_client import bearer, choose, watch

if TYPE_CHECKING:
    from tests.server.running_server import World
    from tests.server.table_client import SeatedNight, TableClient

FOLD = actions_pb2.PlayerAction(fold=actions_pb2.Fold())
SEATS = range(unary.N_PLAYERS)


async def provoke(stream: SeatStream, action_number: int, ids: unary.Ids) -> None:
    """Have decisions refused: out of turn, or after it."""
    for number in (action_number, action_number - 1):
        answer = await stream.ask(decision(max(1, number), FOLD, request=ids()))
        assert reason_of(answer) in {"OUT_OF_TURN", "STALE_ACTION", "HAND_OVER"}


async def play_hands(client: TableClient, night: SeatedNight, world: World, viewer: int) -> SeatStream:
    """Play some hands over streams; the viewer's is read to the end."""
    chance = random.Random(7)  # noqa: S311 - repeated on purpose
    ids = unary.Ids(2)
    streams = {seat: await SeatStream(client, night, night.token_of(seat)).open() for seat in SEATS}
    n_ended = 0
    events = watch(client, night)
    async for event in events:
        match event.WhichOneof("event"):
            case "action_required":
                required = event.action_required
                if required.seat != viewer:
                    await provoke(streams[viewer], required.action_number, ids)
                world.clock.advance(chance.choice((200, 900, 4_000, 29_999, 30_000)))
                if world.clock.now_ms() >= required.deadline_at_ms:
                    continue  # The clock acts.
                given = decision(required.action_number, choose(required.legal, chance), request=ids())
                assert reason_of(await streams[required.seat].ask(given)) == ""
            case "hand_ended":
                n_ended += 1
                if n_ended == unary.N_HANDS:
                    break
            case "button_placed":
                world.clock.advance(world.limits.hand_pause_ms)
            case "session_finished":
                break
    await unary.aclose(events)
    await streams[viewer].read_until(lambda: streams[viewer].last_number >= event.number)
    for stream in streams.values():
        stream.cancel()
    return streams[viewer]


async def run(script: list[bytes], viewer: int) -> unary.Record:
    """Play one night with these decks and record what the viewer's streams bring."""
    record = unary.Record()
    world = unary.world_of(script)
    async with serving(world) as (_, client):
        ids = unary.Ids(1)
        night = await unary.seat(client, ids)
        await unary.open_night(client, night, ids)
        live = await play_hands(client, night, world, viewer)
        hand = 0
        for event in live.events:
            hand = event.hand_starting.hand_number or hand
            record.seen_cards.setdefault(hand, set()).update(unary.cards_in(event))
            record.note("event", event)
        for answer in live.answers:
            record.note(f"answer {reason_of(answer)}", answer)
        channel: Any = client.channel
        raw = channel.stream_stream("/homegame.v1.PlayService/Play")(metadata=bearer(night.token_of(viewer)))
        await raw.write(opening(night).SerializeToString())
        last_number = 0
        while last_number < live.last_number:
            data: bytes = await raw.read()
            record.bytes.append(("message", data))
            last_number = play_service_pb2.PlayResponse.FromString(data).last_number
        raw.cancel()
    return record


@pytest.mark.parametrize("viewer", SEATS)
async def test_cards_one_may_not_see_change_no_byte_of_ones_stream(viewer: int) -> None:
    script = unary.decks(seed=21)
    first = await run(script, viewer)
    second = await run(unary.hide_elsewhere(script, first.seen_cards, seed=22), viewer)
    assert [name for name, _ in first.bytes] == [name for name, _ in second.bytes]
    for (name, data), (_, other) in zip(first.bytes, second.bytes, strict=True):
        assert data == other, name
    assert {"event", "message", "answer ", "answer OUT_OF_TURN", "answer STALE_ACTION"} <= {
        name for name, _ in first.bytes
    }


async def test_the_comparison_notices_cards_that_are_seen() -> None:
    # Cards that seat 0 does not see lie elsewhere; seat 1 notices.
    script = unary.decks(seed=21)
    seen = (await run(script, 0)).seen_cards
    other_script = unary.hide_elsewhere(script, seen, seed=22)
    assert (await run(script, 1)).bytes != (await run(other_script, 1)).bytes
