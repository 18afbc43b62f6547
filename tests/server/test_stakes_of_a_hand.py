"""What a table plays for is said with every hand, on the stream and in what is exported; rows of before still hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame.v1 import hand_service_pb2, hands_pb2
from homegame.v1.actions_pb2 import ActionKind
from homegame.v1.catalog_pb2 import BettingStructure
from homegame_cli.journal_deals import check_deals
from homegame_engine import catalog
from homegame_engine.notation.phh import read_phh
from homegame_engine.notation.replay import replay
from homegame_server.runtime.audit import audit_night
from tests.server.game_night import PlayedTable, open_table, play_hands, table_of, view_of
from tests.server.running_server import World, serving
from tests.server.table_client import open_night, seat_night

if TYPE_CHECKING:
    from homegame.v1 import events_pb2
    from homegame_server.journal.base import JournalRow
    from tests.server.table_client import TableClient

N_PLAYERS = 4


def starts(played: PlayedTable) -> list[events_pb2.HandStarting]:
    return [event.hand_starting for event in played.events if event.HasField("hand_starting")]


async def export(client: TableClient, played: PlayedTable, hand_number: int) -> str:
    request = hand_service_pb2.ExportHandRequest(
        hand_number=hand_number, format=hands_pb2.EXPORT_FORMAT_PHH, **played.night.ids
    )
    return str((await client.hands.ExportHand(request)).text)


async def test_game_st_05_a_stud_hand_says_its_ante_and_bring_in_and_who_completes_it() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("STUD7", "CLUB"), N_PLAYERS)
        played = await play_hands(client, world, night, 8, late=0)
        texts = [await export(client, played, number) for number in range(1, 9)]
    assert {(start.game_id, start.ante_chips, start.bring_in_chips) for start in starts(played)} == {("STUD7", 10, 25)}
    assert {(start.small_bet_chips, start.big_bet_chips, start.spread_max_chips) for start in starts(played)} == {
        (50, 100, 0)
    }
    raises = [event.player_raised for event in played.events if event.HasField("player_raised")]
    completions = [raised for raised in raises if raised.completes]
    assert completions
    assert all((raised.to_chips, raised.by_chips) == (50, 25) for raised in completions)
    assert any(not raised.completes for raised in raises)
    for text in texts:
        assert "bring_in = 25" in text
        assert replay(read_phh(text), catalog.house("CLUB")).outcome == "matched"


@pytest.mark.parametrize("house_id", ["HOUSE_NIGHT", "CASH_NIGHT"])
async def test_bet_sp_01_a_hand_of_spread_limit_says_its_range(house_id: str) -> None:
    world = World()
    played_format = catalog.table_format("STUD7", house_id)
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("STUD7", house_id), N_PLAYERS)
        (start,) = starts(await play_hands(client, world, night, 1, late=0))
    is_spread = played_format.betting.structure == "SPREAD_LIMIT"
    assert (start.spread_min_chips > 0, start.spread_max_chips > start.spread_min_chips) == (is_spread, is_spread)
    assert (start.small_bet_chips == 0) == is_spread or played_format.betting.structure == "NO_LIMIT"


async def test_house_deal_02_the_view_says_what_a_called_hand_is_played_for() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, N_PLAYERS, format_id="DC", cutoff_in_ms=3_600_000)
        await open_night(client, night)
        before = await view_of(client, night)
        played = await play_hands(client, world, night, 1, late=0, calls=["STUD7"], until=is_a_bet)
        view = await view_of(client, night)
    assert not before.HasField("stakes")
    (start,) = starts(played)
    posted = view.posting.levels[view.level]
    assert view.stakes.from_hand == start.hand_number == 1
    assert view.stakes.stake_chips == posted.stake_chips == 25
    for name in ("ante_chips", "bring_in_chips", "spread_min_chips", "spread_max_chips", "small_bet_chips"):
        assert getattr(view.stakes, name) == getattr(start, name), name
    assert (start.game_id, start.ante_chips, start.spread_max_chips) == ("STUD7", 25, 100)


async def test_bet_nl_02_a_level_says_the_least_opening_bet() -> None:
    async with serving(World()) as (_, client):
        for structure, least in (("NO_LIMIT", 20), ("LIMIT", 0)):
            settings = table_of("HOLDEM", "CLUB", small_blind_chips=10, big_blind_chips=20)
            settings.structure = BettingStructure.Value(f"BETTING_STRUCTURE_{structure}")
            night = await seat_night(client, 2, table=settings)
            (level,) = (await view_of(client, night)).posting.levels
            assert (level.big_blind_chips, level.min_open_chips) == (20, least)


def is_a_bet(event: events_pb2.TableEvent) -> bool:
    kinds = event.action_required.legal.kinds
    return bool(kinds) and ActionKind.ACTION_KIND_CUT not in kinds


# --- Rows of schema 1 -----------------------------------------------------------------------------------------------------

ADDED = {
    "HandStarting": ("game_id", "ante_chips", "bring_in_chips", "spread_min_chips", "spread_max_chips"),
    "PlayerRaised": ("completes",),
    "DeckSealed": ("steps", "folded_hands_get_cards"),
}
"""Fields of stored events that schema 1 had not."""


def in_schema_1(row: JournalRow) -> JournalRow:
    stored = msgspec.json.decode(row.events)
    for event in stored["events"]:
        for name in ADDED.get(event["event"], ()):
            del event[name]
    return msgspec.structs.replace(row, events=msgspec.json.encode(stored | {"schema": 1}))


async def test_a_journal_in_whose_rows_hands_are_put_in_other_words_holds() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("FIVE_CARD_DRAW", "CLUB"), 2)
        await play_hands(client, world, night, 99, late=0, until=lambda event: event.HasField("hand_shown"))
    old = World(clock=world.clock)
    n_other = 0
    async for row in world.journal.reopened().replay(night.night_id):
        other = row.events.replace(b'"rank_text":"', b'"rank_text":"a fine ')
        n_other += other != row.events
        await old.journal.append(msgspec.structs.replace(row, events=other))
    assert n_other
    assert (await audit_night(old.journal.reopened(), night.night_id)).faults == []


async def test_a_journal_of_schema_1_is_served_and_holds() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await open_table(client, table_of("STUD7", "CLUB"), N_PLAYERS)
        now = await play_hands(client, world, night, 8, late=0)
    old = World(clock=world.clock)
    for row in await world.journal.reopened().read(night.night_id):
        await old.journal.append(in_schema_1(row))
    audit = await audit_night(old.journal.reopened(), night.night_id)
    assert audit.faults == []
    assert [fault for deal in check_deals(audit) for fault in deal.faults] == []
    async with serving(old) as (_, client):
        before = await play_hands(client, old, night, 8)
        text = await export(client, before, 8)
    assert any(event.player_raised.completes for event in now.events)
    for event in now.events:
        if event.HasField("hand_starting"):
            for name in ADDED["HandStarting"]:
                event.hand_starting.ClearField(name)  # type: ignore[arg-type] # fields by name
        if event.HasField("player_raised"):
            event.player_raised.ClearField("completes")
        if event.HasField("deck_sealed"):
            event.deck_sealed.ClearField("steps")
            event.deck_sealed.ClearField("folded_hands_get_cards")
    assert before.events == now.events
    assert "bring_in = 25" in text  # The rules of the hand are what it was played by, whatever its row says.
