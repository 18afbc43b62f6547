"""A night of draws and discards whose server is killed: every choice is made once, and the stored night rebuilds.

As `test_crash`, at tables where cards are named: triple draw, one seat after the other, and Irish, all at the same time.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pytest

from homegame_server.journal.sqlite import SqliteJournal
from homegame_server.runtime.audit import audit_night
from tests.server.crashing_bots import Bot
from tests.server.game_night import open_table, table_of
from tests.server.server_process import ServerProcess
from tests.server.table_client import TableClient, watch
from tests.server.test_crash import kill_again_and_again

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.table_client import SeatedNight

N_KILLS = 4


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["DEUCE_TO_SEVEN_TRIPLE", "IRISH"])
async def test_kills_lose_no_choice_and_make_none_twice(tmp_path: Path, game_id: str) -> None:
    async def begin(address: str, seed: int) -> tuple[SeatedNight, list[Bot]]:
        client = TableClient(address)
        windows = {
            "hand_pause_ms": 10,
            "decision_window_ms": 600_000,
            "cut_window_ms": 600_000,
            "time_bank_tokens": 100,
        }
        night = await open_table(client, table_of(game_id, "CLUB"), 4, **windows)
        await client.close()
        return night, [Bot(night, player, seed + player.seat) for player in night.players]

    seed = secrets.randbelow(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    data = tmp_path / "data"
    nights = await kill_again_and_again(data, N_KILLS, seed, begin)
    server = await ServerProcess.start(data)
    client = TableClient(server.address)
    n_choices = 0
    for night, bots in nights:
        longest = max((bot.events for bot in bots), key=len)
        told = watch(client, night)
        events = [await anext(told) for _ in longest]
        await told.aclose()  # type: ignore[attr-defined]
        kinds = [event.WhichOneof("event") for event in events]
        assert "hand_voided" not in kinds
        assert "decision_timed_out" not in kinds
        n_choices += kinds.count("cards_drawn") + kinds.count("choice_made")
        for bot in bots:
            numbers = [given.request.action_number for given in bot.acknowledged]
            assert len(set(numbers)) == len(numbers)
            answers = [given.answer for given in bot.acknowledged if given.answer.last_number <= len(events)]
            assert all(events[answer.last_number - 1].at_ms == answer.accepted_at_ms for answer in answers)
    await client.close()
    assert await server.stop() == 0
    assert n_choices > N_KILLS
    journal = await SqliteJournal.open(data)
    try:
        for night, _ in nights:
            assert (await audit_night(journal, night.night_id)).faults == []
    finally:
        await journal.close()
