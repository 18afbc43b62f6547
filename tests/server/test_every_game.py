"""Every game of the library is served: dealt, played by chance to its end, drawn from events alone, and its deals hold."""

from __future__ import annotations

import pytest

from homegame_engine import catalog
from tests.server.game_night import check_deals, open_table, play_hands, table_of
from tests.server.running_server import World, serving

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
