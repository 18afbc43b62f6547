"""Hidden stays hidden in every kind of game: draws, discards, passes, sealed declarations, cards face down among cards up.

As `test_secrecy`: two nights that differ only in cards, or in choices, that a viewer may not see look the same to that viewer,
byte for byte.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from homegame.v1 import actions_pb2, table_service_pb2
from homegame_engine import catalog
from homegame_server.rpc.convert_catalog import game_deck
from tests.server import test_secrecy as plain
from tests.server.game_night import table_of
from tests.server.running_server import serving
from tests.server.table_client import SeatedNight, TableClient, act_request, bearer, own_cards, watch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from homegame.v1.cards_pb2 import Card

N_HANDS = 2
GAMES = [
    ("STUD7", "POINTS_NIGHT", 1),
    ("STUD7", "CLUB", None),
    ("BADUGI", "CLUB", 1),
    ("DRAW_DECLARE", "CLUB", None),
    ("ANACONDA", "POINTS_NIGHT", 1),
    ("JOKER_DRAW", "POINTS_NIGHT", None),
    ("IRISH", "CLUB", 1),
]


# Who has no openers cannot do what one with openers did, and House Night folds out of turn, which `look` takes for a mistake:
# `tests/engine/properties` plays such nights.
OTHERS = [
    (game_id, *(("CLUB", 1), ("HOUSE_NIGHT", None))[i % 2])
    for i, game_id in enumerate(sorted(catalog.games().keys() - {"JACKS_TRIPS"}))
]


@pytest.mark.parametrize(
    ("game_id", "house_id", "viewer"), [*GAMES, *(pytest.param(*one, marks=pytest.mark.slow) for one in OTHERS)]
)
async def test_cards_one_may_not_see_change_no_byte_one_gets(game_id: str, house_id: str, viewer: int | None) -> None:
    script = plain.decks(seed=31, deck=game_deck(catalog.game(game_id)), n_hands=N_HANDS)
    table = table_of(game_id, house_id)
    first = (await plain.run(script, [viewer], None, table, N_HANDS))[viewer]
    other_script = plain.hide_elsewhere(script, first.seen_cards, seed=32)
    assert script[:N_HANDS] != other_script[:N_HANDS]
    second = (await plain.run(other_script, [viewer], None, table, N_HANDS))[viewer]
    assert [name for name, _ in first.bytes] == [name for name, _ in second.bytes]
    for (name, data), (_, other) in zip(first.bytes, second.bytes, strict=True):
        assert data == other, name


# --- Choices --------------------------------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def at_a_choice(game_id: str) -> AsyncIterator[tuple[TableClient, SeatedNight, int]]:
    """A table whose players all owe a choice; gives its action number."""
    world = plain.world_of([])
    async with serving(world) as (_, client):
        ids = plain.Ids(1)
        night = await plain.seat(client, ids, table_of(game_id, "CLUB"))
        await plain.open_night(client, night, ids)
        async for event in watch(client, night):
            required = event.action_required
            if event.WhichOneof("event") in {"night_opened", "button_placed"}:
                world.clock.advance(world.limits.hand_pause_ms)
            elif event.HasField("action_required") and required.legal.HasField("cut_position_min"):
                world.clock.advance(10_000)
            elif event.HasField("action_required"):
                if len(await who_may_act(client, night)) > 1:
                    yield client, night, required.action_number
                    return
                await client.play.Act(
                    act_request(night, required.action_number, quietly(required.legal)),
                    metadata=bearer(night.token_of(required.seat)),
                )


async def who_may_act(client: TableClient, night: SeatedNight) -> list[int]:
    view = (await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids))).table
    return list(view.may_act)


def quietly(legal: actions_pb2.LegalActions) -> actions_pb2.PlayerAction:
    if actions_pb2.ACTION_KIND_CHECK in legal.kinds:
        return actions_pb2.PlayerAction(check=actions_pb2.Check())
    if actions_pb2.ACTION_KIND_DRAW in legal.kinds:
        return actions_pb2.PlayerAction(draw=actions_pb2.Draw())
    return actions_pb2.PlayerAction(call=actions_pb2.Call(call_chips=legal.call_chips))


def choice(game_id: str, own: list[Card.ValueType], which: int) -> actions_pb2.PlayerAction:
    """One of two choices of a seat."""
    action = actions_pb2.PlayerAction()
    if game_id == "DRAW_DECLARE":
        action.declare.half = (actions_pb2.HALF_LOW, actions_pb2.HALF_BOTH)[which]
    elif game_id == "ANACONDA":
        getattr(action, "pass").cards.extend(own[which : which + 3])
    else:
        action.discard.cards.extend(own[which : which + 1])
    return action


async def what_others_get(game_id: str, which: int) -> dict[int | None, list[bytes]]:
    """Every byte that the others and a spectator get after seat 2 has made one of its choices."""
    got: dict[int | None, list[bytes]] = {}
    async with at_a_choice(game_id) as (client, night, number):
        action = choice(game_id, await own_cards(client, night, 2), which)
        reply = await client.play.Act(act_request(night, number, action), metadata=bearer(night.token_of(2)))
        for viewer in plain.VIEWERS:
            token = night.token_of(viewer)
            view = await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids), metadata=bearer(token))
            got[viewer] = [view.SerializeToString(deterministic=True)]
            async for event in watch(client, night, token=token):
                got[viewer].append(event.SerializeToString(deterministic=True))
                if event.number == reply.last_number:
                    break
    return got


@pytest.mark.parametrize("game_id", ["DRAW_DECLARE", "ANACONDA", "CRAZY_PINEAPPLE"])
async def test_game_disc_01_game_decl_01_a_choice_that_is_made_tells_nobody_else_what_it_is(game_id: str) -> None:
    one, other = await what_others_get(game_id, 0), await what_others_get(game_id, 1)
    for viewer in (None, 0, 1, 3):
        assert one[viewer] == other[viewer]
    if game_id != "DRAW_DECLARE":  # A declaration is shown to nobody, until all are revealed.
        assert one[2] != other[2]
