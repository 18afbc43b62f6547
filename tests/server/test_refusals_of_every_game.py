"""What is refused where cards are named, halves declared and pots divided, over the contract: reason, rule, nothing changed."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from homegame.v1 import actions_pb2, catalog_pb2, catalog_service_pb2, events_pb2, night_service_pb2
from homegame.v1.cards_pb2 import Card
from tests.server.game_night import open_table, play_hands, table_of, view_of
from tests.server.running_server import World, serving
from tests.server.scripted_entropy import ScriptedEntropy
from tests.server.table_client import (
    SeatedNight,
    TableClient,
    act_request,
    bearer,
    own_cards,
    refusal,
    request_id,
    seat_night,
)
from tests.server.test_dealers_choice import MINE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from homegame.v1.views_pb2 import TableView

Action = actions_pb2.PlayerAction
CHECK = Action(check=actions_pb2.Check())
DISCARD, DECLARE, DRAW = (
    actions_pb2.ACTION_KIND_DISCARD,
    actions_pb2.ACTION_KIND_DECLARE,
    actions_pb2.ACTION_KIND_DRAW,
)


@contextlib.asynccontextmanager
async def table_at(
    game_id: str, house_id: str, kind: actions_pb2.ActionKind.ValueType, decks: tuple[bytes, ...] = ()
) -> AsyncIterator[tuple[TableClient, SeatedNight, TableView]]:
    """A table where such an action is open to somebody."""

    def is_open(event: events_pb2.TableEvent) -> bool:
        return kind in event.action_required.legal.kinds

    world = World(entropy=ScriptedEntropy(decks=decks))
    async with serving(world) as (_, client):
        night = await open_table(client, table_of(game_id, house_id), 3)
        await play_hands(client, world, night, 20, late=0, until=is_open)
        yield client, night, await view_of(client, night)


async def refused(
    client: TableClient, night: SeatedNight, seat: int, action: Action, reason: str, rule_id: str
) -> None:
    before = await view_of(client, night)
    request = act_request(night, before.action_number, action)
    told = await refusal(client.play.Act(request, metadata=bearer(night.token_of(seat))))
    assert (told.reason, told.metadata.get("rule_id")) == (reason, rule_id), told.message
    assert await view_of(client, night) == before


async def test_game_disc_01_game_ir_01_cards_to_give_up() -> None:
    async with table_at("IRISH", "CLUB", DISCARD) as (client, night, view):
        seat = view.may_act[0]
        own = await own_cards(client, night, seat)
        foreign = next(card for card in Card.values() if card and card not in own and card not in view.board)
        for cards in ([], own[:1], own[:3], [own[0], own[0]], [own[0], foreign]):
            discard = Action(discard=actions_pb2.Discard(cards=cards))
            await refused(client, night, seat, discard, "BAD_DISCARD", "GAME-DISC-01")
        await refused(client, night, seat, CHECK, "DISCARD_REQUIRED", "GAME-IR-01")
        declare = Action(declare=actions_pb2.Declare(half=actions_pb2.HALF_LOW))
        await refused(client, night, seat, declare, "DECLARE_CLOSED", "GAME-DECL-01")
        division = Action(agree=actions_pb2.Agree(shares=[1] * len(view.seats)))
        await refused(client, night, seat, division, "AGREEMENT_FORBIDDEN", "POT-AGR-02")


async def test_game_dc_09_cards_to_change() -> None:
    async with table_at("BADUGI", "CLUB", DRAW) as (client, night, view):
        seat = view.may_act[0]
        own = await own_cards(client, night, seat)
        foreign = next(card for card in Card.values() if card and card not in own)
        for cards in ([foreign], [own[0], own[0]]):
            await refused(client, night, seat, Action(draw=actions_pb2.Draw(cards=cards)), "BAD_DISCARD", "GAME-DC-09")


async def test_game_decl_01_halves_to_declare() -> None:
    async with table_at("DRAW_DECLARE", "HOUSE_NIGHT", DECLARE) as (client, night, view):
        seat = view.may_act[0]
        await refused(client, night, seat, CHECK, "DECLARE_REQUIRED", "GAME-DECL-01")
        low = Action(declare=actions_pb2.Declare(half=actions_pb2.HALF_LOW))
        await client.play.Act(act_request(night, view.action_number, low), metadata=bearer(night.token_of(seat)))
        if seat in (await view_of(client, night)).may_act or len(view.may_act) == 1:
            return
        await refused(client, night, seat, low, "ACTION_CLOSED", "BET-GEN-03")


async def test_pot_agr_01_a_division_adds_up_to_the_pot() -> None:
    async with table_at("FIVE_CARD_DRAW", "HOUSE_NIGHT", DRAW) as (client, night, view):
        assert view.legal.may_agree
        pot_chips, seat = view.pot_chips, view.may_act[0]
        nobody = [0] * (len(view.seats) - 2)
        for shares in ([pot_chips, 25], [pot_chips - 25, 0], [pot_chips - 1, 1]):
            division = Action(agree=actions_pb2.Agree(shares=shares + nobody))
            await refused(client, night, seat, division, "SPLIT_SUM_MISMATCH", "POT-AGR-01")


async def test_game_dc_06_openers_to_open_and_nobody_else_learns_who_lacks_them() -> None:
    deck = bytes(code * 5 % 52 for code in range(52))  # Nobody gets a pair.
    bet = actions_pb2.ACTION_KIND_CHECK
    async with table_at("JACKS_TRIPS", "HOUSE_NIGHT", bet, (deck,)) as (client, night, view):
        seat = view.legal.seat
        opening = Action(bet=actions_pb2.Bet(to_chips=25))
        await refused(client, night, seat, opening, "OPENERS_REQUIRED", "GAME-DC-06")
        own = await view_of(client, night, night.token_of(seat))
        other = await view_of(client, night, night.token_of((seat + 1) % 3))
        assert actions_pb2.ACTION_KIND_BET not in own.legal.kinds
        assert actions_pb2.ACTION_KIND_BET in other.legal.kinds == view.legal.kinds


async def test_kill_06_a_table_of_kill_pots_is_killed_and_played() -> None:
    world = World()
    async with serving(world) as (_, client):
        table = table_of("HOLDEM", "CLUB")
        table.structure = catalog_pb2.BETTING_STRUCTURE_LIMIT
        table.kill = catalog_pb2.KILL_FULL
        night = await open_table(client, table, 3)
        assert (await view_of(client, night)).posting.kill == catalog_pb2.KILL_FULL

        def is_killed(event: events_pb2.TableEvent) -> bool:
            return event.blind_posted.blind == events_pb2.BLIND_KILL

        played = await play_hands(client, world, night, 40, late=0, until=is_killed)
        killed = played.events[-1].blind_posted
        assert killed.chips == 40  # Twice the big blind.
        view = await view_of(client, night)
        assert view.killer_seat == killed.seat
        starts = [event.hand_starting for event in played.events if event.HasField("hand_starting")]
        assert starts[-1].small_bet_chips == 2 * starts[0].small_bet_chips


# --- Tables ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"game_id": "NO_SUCH", "house_id": "CLUB"}, "NOT_FOUND"),
        ({"game_id": "STUD7", "house_id": "NO_SUCH"}, "NOT_FOUND"),
        ({"game_text": "id = 'X'", "house_id": "CLUB"}, "GAME_NOT_DESCRIBABLE"),
        ({"game_text": MINE.replace("max = 6", "max = 30"), "house_id": "CLUB"}, "TOO_MANY_PLAYERS"),
        ({"game_id": "FIVE_CARD_DRAW", "house_id": "HOUSE_NIGHT", "stake_chips": 75}, "CONFIG_INVALID"),
        ({"game_id": "HOLDEM", "house_id": "CLUB", "small_blind_chips": 30, "big_blind_chips": 20}, "CONFIG_INVALID"),
        ({"game_id": "HOLDEM", "house_id": "CLUB", "kill": "KILL_FULL"}, "CONFIG_INVALID"),
    ],
)
async def test_a_table_that_cannot_be_played_is_not_created(table: dict[str, str], reason: str) -> None:
    world = World()
    async with serving(world) as (_, client):
        request = night_service_pb2.CreateNightRequest(
            request_id=request_id(),
            name="Friday",
            table=night_service_pb2.TableSettings(**table),  # type: ignore[arg-type]
        )
        told = await refusal(client.nights.CreateNight(request))
    assert told.reason == reason, told.message
    assert told.metadata.get("rule_id") or reason == "NOT_FOUND"


async def test_a_night_is_of_a_format_or_at_a_table() -> None:
    world = World()
    async with serving(world) as (_, client):
        both = night_service_pb2.CreateNightRequest(
            request_id=request_id(), name="Friday", format_id="B1", table=table_of("STUD7", "CLUB")
        )
        neither = night_service_pb2.CreateNightRequest(request_id=request_id(), name="Friday")
        for request in (both, neither):
            told = await refusal(client.nights.CreateNight(request))
            assert told.reason == "BAD_REQUEST"


async def test_a_table_of_a_designers_own_game_is_posted_and_played() -> None:
    world = World()
    async with serving(world) as (_, client):
        table = night_service_pb2.TableSettings(game_text=MINE, house_id="HOUSE_NIGHT", stake_chips=50)
        night = await open_table(client, table, 3)
        posted = (await view_of(client, night)).posting
        assert posted.format_id == "PINEAPPLE_STUD-HOUSE_NIGHT"
        assert (posted.levels[0].ante_chips, posted.levels[0].spread_min_chips, posted.levels[0].spread_max_chips) == (
            50,
            50,
            200,
        )
        played = await play_hands(client, world, night, 2)
    assert "choice_made" in played.kinds


async def test_game_dc_04_a_designers_file_is_checked_with_line_field_and_rule() -> None:
    world = World()
    async with serving(world) as (_, client):
        broken = MINE.replace("count = 1\n", "count = 9\n", 1)
        checked = await client.catalog.CheckGame(catalog_service_pb2.CheckGameRequest(text=broken))
        good = await client.catalog.CheckGame(catalog_service_pb2.CheckGameRequest(text=MINE))
    (fault,) = checked.faults
    assert (fault.field, fault.rule_id) == ("steps[1].count", "GAME-DC-04")
    assert broken.splitlines()[fault.line - 1] == "count = 9"
    assert fault.message
    assert not checked.HasField("game")
    assert (good.game.game_id, len(good.faults)) == ("PINEAPPLE_STUD", 0)
    assert good.rule_card[0].title == "Pineapple stud"


async def test_card_08_more_seats_than_the_game_serves_are_refused() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, table=table_of("ANACONDA", "HOUSE_NIGHT"))
        posted = (await view_of(client, night)).posting
        request = night_service_pb2.CreateNightRequest(
            request_id=request_id(),
            name="Friday",
            table=table_of("ANACONDA", "HOUSE_NIGHT"),
            seats=posted.max_players + 1,
        )
        told = await refusal(client.nights.CreateNight(request))
    assert (told.reason, told.fields) == ("BAD_REQUEST", ["seats"])
