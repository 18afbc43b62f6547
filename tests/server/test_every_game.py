"""Every game of the library is served: dealt, played by chance to its end, drawn from events alone, and its deals hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame.v1 import actions_pb2
from homegame.v1.views_pb2 import HandPhase
from homegame_engine import catalog
from homegame_server.runtime.audit import audit_night
from tests.server.game_night import check_deals, open_table, play_hands, table_of, view_of
from tests.server.running_server import World, serving
from tests.server.table_client import act_request, bearer, own_cards

if TYPE_CHECKING:
    from homegame.v1 import events_pb2

N_HANDS = 2
N_PLAYERS = 4
HOUSES = ("HOUSE_NIGHT", "CLUB", "POINTS_NIGHT", "CASH_NIGHT")


@pytest.mark.parametrize(
    ("game_id", "house_id"), [(game_id, HOUSES[n % len(HOUSES)]) for n, game_id in enumerate(catalog.games())]
)
async def test_a_table_of_every_game_is_served_and_its_deals_hold(game_id: str, house_id: str) -> None:
    world = World()
    async with serving(world) as (_, client):
        n_players = min(N_PLAYERS, catalog.table_format(game_id, house_id).players.max)
        night = await open_table(client, table_of(game_id, house_id), n_players)
        played = await play_hands(client, world, night, N_HANDS)
        assert await check_deals(client, played) > N_HANDS * n_players
    assert played.n_compared > N_HANDS
    assert "hand_ended" in played.kinds


async def test_card_06_a_deal_that_runs_short_is_mixed_anew_and_holds_for_everybody() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("DEUCE_TO_SEVEN_TRIPLE", "HOUSE_NIGHT"), 6)
        played = await play_hands(
            client, world, night, 12, seed=3, late=0, until=lambda event: event.HasField("stub_reshuffled")
        )
        assert "stub_reshuffled" in played.kinds
        hand = sum(event.HasField("hand_starting") for event in played.events)
        played = await play_hands(client, world, night, hand)
        assert await check_deals(client, played) > 0
    sealed = [event.deck_sealed for event in played.events if event.HasField("deck_sealed")]
    assert all(len(one.mix_root) == 32 for one in sealed)
    assert (await audit_night(world.journal.reopened(), night.night_id)).faults == []


# --- A restart in the middle ----------------------------------------------------------------------------------------------


def asks_for_a_discard(event: events_pb2.TableEvent) -> bool:
    return actions_pb2.ACTION_KIND_DISCARD in event.action_required.legal.kinds


async def test_a_restart_finds_a_draw_as_it_was_and_the_choices_that_were_made() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("DEUCE_TO_SEVEN_TRIPLE", "CLUB"), N_PLAYERS)
        irish = await open_table(client, table_of("IRISH", "CLUB"), N_PLAYERS)
        await play_hands(client, world, irish, N_HANDS, until=asks_for_a_discard)
        seat = (await view_of(client, irish)).may_act[-1]
        own = await own_cards(client, irish, seat)
        number = (await view_of(client, irish)).action_number
        discard = actions_pb2.PlayerAction(discard=actions_pb2.Discard(cards=own[:2]))
        await client.play.Act(act_request(irish, number, discard), metadata=bearer(irish.token_of(seat)))
        await play_hands(client, world, night, N_HANDS, late=0, until=lambda event: event.HasField("cards_drawn"))
        before = [await view_of(client, one, one.players[0].token) for one in (night, irish)]
    async with serving(world) as (_, client):
        after = [await view_of(client, one, one.players[0].token) for one in (night, irish)]
        for was, now in zip(before, after, strict=True):
            assert now.last_number == was.last_number + 1  # Play goes on: PlayResumed.
            for name in ("deadline_at_ms", "server_time_ms", "last_number"):
                setattr(was, name, getattr(now, name))
            assert was == now
        assert after[1].hand_phase == HandPhase.HAND_PHASE_CHOOSING
        assert all(now.may_act for now in after)
        for one in (night, irish):
            played = await play_hands(client, world, one, 1)
            assert await check_deals(client, played) > 0
    for one in (night, irish):
        assert (await audit_night(world.journal.reopened(), one.night_id)).faults == []
