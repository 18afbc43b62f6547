"""The server killed with SIGKILL at random moments of a bot night: what was acknowledged is there, once, and play goes on.

Four bots play a night on `homegame serve` and SQLite. Again and again the process is killed, at a moment drawn at random from
its start on, and started anew on the same folder. The bots are told nothing: they retry under the same request id and
resume their streams after the last number they have.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from typing import TYPE_CHECKING, TypeVar

import pytest

from homegame.v1 import night_service_pb2
from tests.server.crashing_bots import Bot, run_until
from tests.server.server_process import ServerProcess
from tests.server.table_client import TableClient, open_night, seat_night, watch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    from homegame.v1 import events_pb2
    from tests.server.table_client import SeatedNight

BotT = TypeVar("BotT", bound=Bot)
N_PLAYERS = 4
LONGEST_LIFE_SECONDS = 0.6
N_TOKENS = 100
ACTIONS = (
    "player_folded",
    "player_checked",
    "player_called",
    "player_bet",
    "player_raised",
    "deck_cut",
    "hand_shown",
    "hand_mucked",
)


ANSWERS_OF_A_LIFE = 12
PATIENCE_SECONDS = 60.0


async def begin_night(address: str, seed: int) -> tuple[SeatedNight, list[Bot]]:
    client = TableClient(address)
    night = await seat_night(
        client,
        N_PLAYERS,
        cutoff_in_ms=86_400_000,
        hand_pause_ms=10,
        decision_window_ms=600_000,
        cut_window_ms=600_000,
        time_bank_tokens=N_TOKENS,
    )
    await open_night(client, night)
    await client.close()
    return night, [Bot(night, player, seed + player.seat) for player in night.players]


async def until_answered(playing: asyncio.Future[None], bots: Sequence[Bot], n_answers: int) -> None:
    """Let the bots play until so many decisions are acknowledged, or their night is over."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while sum(len(bot.acknowledged) for bot in bots) < n_answers and not playing.done():
            await asyncio.wait([playing], timeout=0.02)


async def kill_again_and_again(
    data: Path,
    n_kills: int,
    seed: int,
    begin: Callable[[str, int], Awaitable[tuple[SeatedNight, list[BotT]]]],
    longest_life_seconds: float = LONGEST_LIFE_SECONDS,
) -> list[tuple[SeatedNight, list[BotT]]]:
    """Play and kill; a night that finishes is followed by another. `begin` seats a night's bots at an address."""
    chance = random.Random(seed)  # noqa: S311 - a failure prints the seed
    server = await ServerProcess.start(data)
    nights = [await begin(server.address, seed)]
    for life in range(n_kills):
        _, bots = nights[-1]
        if all(bot.is_finished for bot in bots):
            nights.append(await begin(server.address, seed + len(nights)))
            _, bots = nights[-1]
        stop = asyncio.Event()
        playing = asyncio.ensure_future(run_until([bot for bot in bots if not bot.is_finished], server.address, stop))
        if life % 2:
            # On a slow machine most lives end before anybody is connected: every other one waits until there was play.
            await until_answered(playing, bots, sum(len(bot.acknowledged) for bot in bots) + ANSWERS_OF_A_LIFE)
        # The moment of death is the point of the test, and it is real time in another process.
        await asyncio.wait([playing], timeout=chance.uniform(0, longest_life_seconds))
        await server.kill()
        stop.set()
        await playing
        server = await ServerProcess.start(data)
    assert await server.stop() == 0
    return nights


def check_history(events: list[events_pb2.TableEvent], bots: list[Bot]) -> None:
    """Hold what must be true of the events of a night that was interrupted."""
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    kinds = [event.WhichOneof("event") for event in events]
    # The same hand goes on: none is voided, and their numbers follow one another.
    assert "hand_voided" not in kinds
    hands = [event.hand_starting.hand_number for event in events if event.WhichOneof("event") == "hand_starting"]
    assert hands == list(range(1, len(hands) + 1))
    check_actions(events, bots)
    for bot in bots:
        # What a bot saw is what happened, apart from the faces of its own cards and of nobody else's.
        assert len(bot.events) <= len(events)
        for seen, told in zip(bot.events, events, strict=False):
            if seen.HasField("hole_cards_dealt"):
                assert (seen.hole_cards_dealt.seat == bot.player.seat) == (0 not in seen.hole_cards_dealt.cards)
                assert seen.number == told.number
            else:
                assert seen == told


def check_actions(events: list[events_pb2.TableEvent], bots: list[Bot]) -> None:
    """Every turn was answered once, and every answer a bot got stands where it said it would."""
    turn: int | None = None
    answered: dict[int, tuple[int, int]] = {}
    for event in events:
        kind = event.WhichOneof("event")
        if kind == "action_required":
            turn = event.action_required.action_number
            assert turn not in answered
        elif kind in ACTIONS and turn is not None and turn not in answered:
            answered[turn] = (getattr(event, kind).seat, event.night_sequence)
            turn = None
        else:
            # An action without a turn would be one that happened twice. (The last hand left need not be asked to show.)
            assert kind not in ACTIONS[:6], event
    assert "decision_timed_out" not in {event.WhichOneof("event") for event in events}
    assert not any(event.deck_cut.by_clock for event in events)
    check_time_bank(events)
    for bot in bots:
        numbers = [given.request.action_number for given in bot.acknowledged]
        assert len(set(numbers)) == len(numbers)
        for given in bot.acknowledged:
            seat, step = answered[given.request.action_number]
            assert seat == bot.player.seat
            assert events[given.answer.last_number - 1].night_sequence == step
            assert events[given.answer.last_number - 1].at_ms == given.answer.accepted_at_ms


def check_time_bank(events: list[events_pb2.TableEvent]) -> None:
    """A token taken before a crash is taken once, and its window is the longer one after it (PROC-CLK-02)."""
    used = [event.time_bank_used for event in events if event.HasField("time_bank_used")]
    assert len({token.action_number for token in used}) == len(used)
    left: dict[int, int] = {}
    for token in used:
        assert token.tokens_left == left.get(token.seat, N_TOKENS) - 1
        left[token.seat] = token.tokens_left


async def crash(tmp_path: Path, n_kills: int) -> None:
    seed = secrets.randbelow(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    data = tmp_path / "data"
    nights = await kill_again_and_again(data, n_kills, seed, begin_night)
    server = await ServerProcess.start(data)
    client = TableClient(server.address)
    n_resumes = 0
    for night, bots in nights:
        listed = await client.nights.GetNight(night_service_pb2.GetNightRequest(night_id=night.night_id))
        last_number = listed.night.tables[0].last_number
        events = [event async for event in first(client, night, last_number)]
        check_history(events, bots)
        n_resumes += sum(event.HasField("play_resumed") for event in events)
    await client.close()
    assert await server.stop() == 0
    all_bots = [bot for _, bots in nights for bot in bots]
    n_acknowledged = sum(len(bot.acknowledged) for bot in all_bots)
    print(f"{n_kills} kills, {n_acknowledged} acknowledged, {sum(bot.n_retries for bot in all_bots)} retries")  # noqa: T201
    assert n_acknowledged > 5 * n_kills
    assert n_resumes >= n_kills // 2


async def first(client: TableClient, night: SeatedNight, n_events: int) -> AsyncIterator[events_pb2.TableEvent]:
    """The first events of a night, then no more."""
    stream = watch(client, night)
    async for event in stream:
        yield event
        if event.number == n_events:
            break
    await stream.aclose()  # type: ignore[attr-defined]


async def test_eight_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    await crash(tmp_path, 8)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_fifty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    await crash(tmp_path, 50)
