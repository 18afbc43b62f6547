"""What a table plays is shown also where no catalog has it: a designer's own game, a called one, the low of its house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from homegame.v1 import catalog_service_pb2 as pb
from homegame.v1 import night_service_pb2
from homegame_client import Client, GrpcTransport, open_channel
from homegame_client.terminal.games import GameBook
from tests.server.game_night import open_table, play_hands, table_of, view_of
from tests.server.running_server import World, serving
from tests.server.table_client import open_night, refusal, seat_night
from tests.server.test_dealers_choice import MINE, calling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from homegame.v1.catalog_pb2 import RankCard, RuleCardSection
    from tests.server.table_client import SeatedNight, TableClient


def lines(card: Iterable[RuleCardSection]) -> list[str]:
    return [line for section in card for line in section.lines]


def rankings(card: RankCard) -> list[str]:
    return list(dict.fromkeys(kind.ranking for kind in card.categories))


async def played(client: TableClient, night: SeatedNight, **hand: int) -> tuple[pb.GetGameResponse, RankCard]:
    """What is said of the game of a table, and how its hands rank."""
    table = pb.PlayedGame(night_id=night.night_id, table_id=night.table_id, **hand)
    shown = await client.catalog.GetGame(pb.GetGameRequest(table=table))
    ranked = await client.catalog.GetRankCard(pb.GetRankCardRequest(table=table))
    assert ranked.rank_card.game_id == shown.game.game_id
    return shown, ranked.rank_card


async def test_game_dc_04_a_table_of_a_designers_own_game_shows_its_rules_with_its_sizes() -> None:
    world = World()
    async with serving(world) as (server, client):
        own = night_service_pb2.TableSettings(game_text=MINE, house_id="HOUSE_NIGHT", stake_chips=50)
        night = await seat_night(client, 3, table=own, cutoff_in_ms=3_600_000)
        before, _ = await played(client, night)
        await open_night(client, night)
        names = [street.name for street in before.game.streets]
        await play_hands(client, world, night, 1)
        view = await view_of(client, night)
        during, card = await played(client, night)
        after, _ = await played(client, night, hand_number=1)
        async with open_channel(server.address) as channel:
            found = await GameBook().find(Client(GrpcTransport(channel)), view)
    assert found == during.game
    assert during.game.game_id == view.game_id == "PINEAPPLE_STUD"
    assert names == ["FIRST", "SECOND"]
    assert before == during == after
    assert {"Everybody antes 50.", "Every bet and every raise is 50 to 200, in steps of 50."} <= {
        *lines(during.rule_card)
    }
    assert rankings(card) == ["High hands"]


async def test_game_dc_11_a_low_that_the_house_decides_is_that_of_the_house() -> None:
    world, asked = World(), pb.GetRankCardRequest
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("RAZZ", "HOUSE_NIGHT"), 3)
        shown, of_table = await played(client, night)
        cards = [
            (await client.catalog.GetRankCard(request)).rank_card
            for request in (
                asked(game_id="RAZZ"),
                asked(game_id="RAZZ", house_id="CLUB"),
                asked(game_id="razz", house_id="HOUSE_NIGHT"),
            )
        ]
    assert shown.game.ranking == "HOUSE_LOW"
    assert [rankings(card) for card in cards] == [
        ["Low hands, ace to five"],
        ["Low hands, ace to five"],
        ["Low hands, ace to six"],
    ]
    assert of_table == cards[-1]


async def test_game_dc_11_a_called_game_is_shown_as_its_dealer_changed_it() -> None:
    async with calling() as table:
        client, night = table.client, table.night
        await table.call(table.dealer, game_text=MINE, ante_chips=50)
        await play_hands(client, table.world, night, 1)
        second = await caller_seat(table.client, night)
        await table.call(table.at(second), game_id="STUD8", low_ranking="ACE_TO_SIX")
        await play_hands(client, table.world, night, 2)
        mine, _ = await played(client, night, hand_number=1)
        changed, card = await played(client, night)
        again = await played(client, night, hand_number=2)
    assert mine.game.name == "Pineapple stud"
    assert "Everybody antes 50." in lines(mine.rule_card)
    assert (changed.game.game_id, changed.game.low) == ("STUD8", "ACE_TO_SIX")
    assert rankings(card)[1].startswith("Low hands, ace to six")
    assert again == (changed, card)


async def caller_seat(client: TableClient, night: SeatedNight) -> int:
    """Seat of the dealer who is to call now."""
    return int((await view_of(client, night)).caller_seat)


@pytest.mark.parametrize("request_of", [pb.GetGameRequest, pb.GetRankCardRequest])
async def test_a_game_is_asked_for_by_its_name_or_by_its_table(request_of: Any) -> None:  # noqa: ANN401 - two kinds of request
    world = World()
    async with serving(world) as (_, client):
        call = {pb.GetGameRequest: client.catalog.GetGame, pb.GetRankCardRequest: client.catalog.GetRankCard}[
            request_of
        ]
        night = await open_table(client, table_of("STUD7", "CLUB"), 2)
        await play_hands(client, world, night, 1, until=lambda event: event.HasField("hand_starting"))
        here = pb.PlayedGame(night_id=night.night_id, table_id=night.table_id)
        for fields, field in (
            ({}, "game_id"),
            ({"table": here, "game_id": "STUD7"}, "table"),
            ({"table": here, "house_id": "CLUB"}, "table"),
            ({"table": pb.PlayedGame(night_id=night.night_id)}, "table.table_id"),
            ({"table": pb.PlayedGame(night_id="n", table_id="t", hand_number=0)}, "table.hand_number"),
        ):
            told = await refusal(call(request_of(**fields)))
            assert (told.reason, told.fields) == ("BAD_REQUEST", [field])
        for other, reason in (
            (pb.PlayedGame(night_id="night-0", table_id=night.table_id), "NOT_FOUND"),
            (pb.PlayedGame(night_id=night.night_id, table_id="table-2"), "NOT_FOUND"),
            (pb.PlayedGame(night_id=night.night_id, table_id=night.table_id, hand_number=9), "NOT_FOUND"),
            (pb.PlayedGame(night_id=night.night_id, table_id=night.table_id, hand_number=1), "HAND_IN_PROGRESS"),
        ):
            assert (await refusal(call(request_of(table=other)))).reason == reason
        unknown_house = await refusal(call(request_of(game_id="STUD7", house_id="NOWHERE")))
        assert (unknown_house.reason, unknown_house.code) == ("NOT_FOUND", grpc.StatusCode.NOT_FOUND)
