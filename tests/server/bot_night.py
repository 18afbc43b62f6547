"""A night played by bots that know no rule, on a clock that the test moves."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.server.table_client import act_request, asks_for_cut, bearer, choose, cut, watch

if TYPE_CHECKING:
    from homegame.v1 import events_pb2
    from tests.server.running_server import World
    from tests.server.table_client import SeatedNight, TableClient


async def play(
    client: TableClient,
    night: SeatedNight,
    world: World,
    *,
    seed: int = 1,
    after_seq: int = 0,
    n_actions_max: int = 1_000_000,
    think_ms: int = 200,
) -> list[events_pb2.TableEvent]:
    """Follow the table and act for whoever is to act, until the session is finished; returns the events.

    The cut is made at once and counts as no action.
    """
    chance = random.Random(seed)  # noqa: S311 - bots gamble for nothing
    events: list[events_pb2.TableEvent] = []
    n_actions = 0
    stream = watch(client, night, after_seq=after_seq)
    async for event in stream:
        events.append(event)
        match event.WhichOneof("event"):
            case "action_required" if asks_for_cut(event.action_required):
                await cut(client, night, event.action_required, chance.randint(1, 51))
            case "action_required":
                if n_actions == n_actions_max:
                    break
                n_actions += 1
                world.clock.advance(think_ms)
                required = event.action_required
                await client.play.Act(
                    act_request(night, required.action_number, choose(required.legal, chance)),
                    metadata=bearer(night.token_of(required.seat)),
                )
            case "night_opened" | "button_placed":
                world.clock.advance(world.limits.hand_pause_ms)
            case "session_finished":
                break
    await stream.aclose()  # type: ignore[attr-defined]
    return events
