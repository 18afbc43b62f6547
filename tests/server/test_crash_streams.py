"""The server killed at random moments of a night played over streams, with tokens of the time bank and windows that run out.

As `test_crash`: what was acknowledged is there, once, and play goes on. Besides, some turns are slept through, so that
windows end while the server is alive, dead, or coming back: each fires once, and never before its end (PROC-CLK-02, 03).
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pytest

from homegame.v1 import night_service_pb2
from tests.server.crashing_stream_bots import StreamingBot
from tests.server.server_process import ServerProcess
from tests.server.table_client import TableClient, open_night, seat_night
from tests.server.test_crash import ACTIONS, N_PLAYERS, N_TOKENS, first, kill_again_and_again

if TYPE_CHECKING:
    from pathlib import Path

    from homegame.v1 import events_pb2
    from tests.server.table_client import SeatedNight

WINDOW_MS = 1_000
# A window that was slept through ends in some of the lives: each gives it no more than what was left of it.
LONGEST_LIFE_SECONDS = 1.6


async def begin_night(address: str, seed: int) -> tuple[SeatedNight, list[StreamingBot]]:
    client = TableClient(address)
    night = await seat_night(
        client,
        N_PLAYERS,
        cutoff_in_ms=86_400_000,
        hand_pause_ms=10,
        decision_window_ms=WINDOW_MS,
        cut_window_ms=WINDOW_MS,
        time_bank_ms=WINDOW_MS,
        time_bank_tokens=N_TOKENS,
    )
    await open_night(client, night)
    await client.close()
    return night, [StreamingBot(night, player, seed + player.seat) for player in night.players]


class Turns:
    """Goes through the events of a night and holds that each turn is answered once, by its player or by its clock."""

    def __init__(self) -> None:
        self.answered: dict[int, tuple[int, int]] = {}
        """Seat and step of the answer to each turn."""
        self.timed_out: set[int] = set()
        self.tokens: dict[int, int] = {}
        """End of the window that a token made longer, by turn."""
        self.n_resumed = 0
        self._turn = 0
        self._deadline_at_ms = 0

    def take(self, event: events_pb2.TableEvent) -> None:
        kind = event.WhichOneof("event")
        if kind == "action_required":
            self._turn = event.action_required.action_number
            assert self._turn not in self.answered
            self._deadline_at_ms = event.action_required.deadline_at_ms
        elif kind == "time_bank_used":
            used = event.time_bank_used
            assert used.action_number == self._turn not in self.tokens
            assert used.deadline_at_ms == self._deadline_at_ms + WINDOW_MS > event.at_ms
            self.tokens[self._turn] = self._deadline_at_ms = used.deadline_at_ms
        elif kind == "play_resumed":
            self._resume(event)
        elif kind == "decision_timed_out":
            assert event.decision_timed_out.action_number == self._turn not in self.timed_out
            self.timed_out.add(self._turn)
            assert event.at_ms >= self._deadline_at_ms
        elif kind in ACTIONS and self._turn:
            self._answer(event)

    def _resume(self, event: events_pb2.TableEvent) -> None:
        """A window that was running gets what was left of it, no less and no more."""
        self.n_resumed += 1
        if self._turn and event.play_resumed.HasField("deadline_at_ms"):
            left_ms = self._deadline_at_ms - event.play_resumed.stopped_at_ms
            assert event.play_resumed.deadline_at_ms == event.at_ms + left_ms
            self._deadline_at_ms = event.play_resumed.deadline_at_ms

    def _answer(self, event: events_pb2.TableEvent) -> None:
        kind = event.WhichOneof("event") or ""
        by_clock = self._turn in self.timed_out or event.deck_cut.by_clock
        assert (event.at_ms >= self._deadline_at_ms) == by_clock
        self.answered[self._turn] = (getattr(event, kind).seat, event.night_sequence)
        self._turn = 0


def check_night(events: list[events_pb2.TableEvent], bots: list[StreamingBot]) -> Turns:
    """Hold what must be true of the events of a night that was interrupted."""
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert "hand_voided" not in {event.WhichOneof("event") for event in events}
    turns = Turns()
    for event in events:
        turns.take(event)
    for bot in bots:
        for seen, told in zip(bot.events, events, strict=False):
            assert seen.number == told.number
            assert seen == told or seen.HasField("hole_cards_dealt")
        numbers = [given.request.action_number for given in bot.acknowledged]
        assert len(set(numbers)) == len(numbers)
        for given in bot.acknowledged:
            seat, step = turns.answered[given.request.action_number]
            assert seat == bot.player.seat
            assert given.request.action_number not in turns.timed_out
            assert events[given.answer.last_number - 1].night_sequence == step
        for token in bot.tokens:
            told = events[token.last_number - 1]
            assert told.time_bank_used.seat == bot.player.seat
            assert told.time_bank_used.deadline_at_ms == token.deadline_at_ms
    return turns


async def crash(tmp_path: Path, n_kills: int) -> None:
    seed = secrets.randbelow(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    data = tmp_path / "data"
    nights = await kill_again_and_again(data, n_kills, seed, begin_night, LONGEST_LIFE_SECONDS)
    server = await ServerProcess.start(data)
    client = TableClient(server.address)
    checked = []
    for night, bots in nights:
        listed = await client.nights.GetNight(night_service_pb2.GetNightRequest(night_id=night.night_id))
        events = [event async for event in first(client, night, listed.night.tables[0].last_number)]
        checked.append(check_night(events, bots))
    await client.close()
    assert await server.stop() == 0
    all_bots = [bot for _, bots in nights for bot in bots]
    n_acknowledged = sum(len(bot.acknowledged) for bot in all_bots)
    print(  # noqa: T201 - the figures of the run
        f"{n_kills} kills, {n_acknowledged} acknowledged, {sum(bot.n_retries for bot in all_bots)} sent again, "
        f"{sum(len(turns.tokens) for turns in checked)} tokens, {sum(len(turns.timed_out) for turns in checked)} timed out, "
        f"{sum(turns.n_resumed for turns in checked)} resumed"
    )
    assert n_acknowledged > n_kills
    assert sum(turns.n_resumed for turns in checked) >= n_kills // 2
    # A few kills may happen to meet neither.
    assert sum(len(bot.tokens) for bot in all_bots) >= n_kills // 20
    assert sum(len(turns.timed_out) for turns in checked) >= n_kills // 40


async def test_eight_kills_of_streams_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    await crash(tmp_path, 8)


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_two_hundred_kills_of_streams_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    await crash(tmp_path, 200)
