"""The SDK without an event loop: the same calls, answers, streams and errors, against a server in another process."""

from __future__ import annotations

import inspect
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest

from homegame.v1.actions_pb2 import ActionKind, Cut, LegalActions, PlayerAction
from homegame_client import RefusedError, TableRef, client, sync
from homegame_client.play_stream import PlayStream
from tests.server.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from homegame_client.client import PlayCalls

HANDS = 2
TWINS = [
    (client.CatalogCalls, sync.CatalogCalls),
    (client.NightCalls, sync.NightCalls),
    (client.TableCalls, sync.TableCalls),
    (client.PlayCalls, sync.PlayCalls),
    (client.HandCalls, sync.HandCalls),
    (PlayStream, sync.SeatStream),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server listens."""
    data = tmp_path_factory.mktemp("sync") / "data"
    with subprocess.Popen(  # noqa: S603 - the project's own command
        ServerProcess.command(data),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ServerProcess.environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"homegame listens on")
        yield (data / "address").read_text(encoding="utf-8").strip()
        process.terminate()


def quiet_choice(legal: LegalActions) -> PlayerAction:
    """Cut, check, call or show."""
    if ActionKind.ACTION_KIND_CUT in legal.kinds:
        return PlayerAction(cut=Cut(position=legal.cut_position_min))
    action = PlayerAction()
    if ActionKind.ACTION_KIND_CHECK in legal.kinds:
        action.check.SetInParent()
    elif ActionKind.ACTION_KIND_CALL in legal.kinds:
        action.call.call_chips = legal.call_chips
    else:
        action.show.SetInParent()
    return action


def seat_two(anybody: sync.Client) -> tuple[sync.Client, TableRef, list[sync.Client]]:
    """A night with two players: its host, the table, and the players by seat."""
    created = anybody.nights.create(
        name="Sync", format_id="points-night", seats=2, cutoff_in_ms=600_000, hand_pause_ms=10
    )
    table = TableRef(created.night_id, created.table_ids[0])
    players = []
    for name in ("Ada", "Bo"):
        joined = anybody.tables.join(table, display_name=name)
        players.append(anybody.with_token(joined.participant_token))
        assert players[-1].tables.take_seat(table).seat == len(players) - 1
    host = anybody.with_token(created.host_token)
    host.nights.record_read_aloud(table.night_id)
    return host, table, players


def play_by_stream(player: sync.Client, table: TableRef, seat: int, numbers: list[int]) -> None:
    with player.play.stream(table) as stream:
        for frame in stream.frames():
            numbers.extend(event.number for event in frame.events)
            required = frame.events[-1].action_required
            if frame.events[-1].WhichOneof("event") == "action_required" and required.seat == seat:
                try:
                    answer = stream.act(action_number=required.action_number, action=quiet_choice(required.legal))
                except RefusedError as refusal:
                    if refusal.reason_name != "SESSION_CLOSED":  # The host has closed meanwhile.
                        raise
                else:
                    assert answer.action_number > required.action_number
        assert stream.last_number == numbers[-1]
        assert stream.breaks == 0


@pytest.mark.parametrize(("blocking", "twin"), [(sync_face, twin) for twin, sync_face in TWINS])
def test_every_method_has_its_waiting_twin(blocking: type, twin: type) -> None:
    methods = {name for name, _ in inspect.getmembers(twin, inspect.isfunction) if not name.startswith("_")}
    assert methods
    assert [name for name in methods if not hasattr(blocking, name)] == []


def test_two_players_in_two_threads_play_hands_and_the_host_closes(address: str) -> None:
    numbers: list[list[int]] = [[], []]
    with sync.Client(address) as anybody:
        host, table, players = seat_two(anybody)
        threads = [
            threading.Thread(target=play_by_stream, args=(player, table, seat, numbers[seat]))
            for seat, player in enumerate(players)
        ]
        for thread in threads:
            thread.start()
        host.nights.open(table.night_id)
        watched = []
        is_closed = False
        for event in anybody.tables.watch(table):
            watched.append(event.number)
            if event.hand_ended.hand_number >= HANDS and not is_closed:
                host.nights.close(table.night_id)
                is_closed = True
        for thread in threads:
            thread.join()
        assert watched == numbers[0] == numbers[1] == list(range(1, len(watched) + 1))
        assert len(anybody.nights.scoresheet(table).rows) >= HANDS
        assert anybody.hands.get(table, hand_number=1).summary.hand_number == 1


def test_a_refusal_is_raised_where_the_call_was_made(address: str) -> None:
    with sync.Client(address) as anybody:
        _, table, (ada, _) = seat_two(anybody)
        with pytest.raises(RefusedError) as caught:
            ada.play.act(table, action_number=1, action=PlayerAction(cut=Cut(position=1)))
        assert caught.value.reason_name
        with pytest.raises(RefusedError, match="There is no"):
            anybody.catalog.get_game("TIDDLYWINKS")
        with anybody.play.stream(table) as nobody, pytest.raises(RefusedError) as unknown:
            next(iter(nobody))
        assert unknown.value.reason_name == "UNAUTHENTICATED"


def test_an_iteration_may_be_left_or_forgotten(address: str) -> None:
    with sync.Client(address) as anybody:
        _, table, _ = seat_two(anybody)
        left = anybody.tables.watch(table)
        assert next(left).number == 1
        left.close()  # type: ignore[attr-defined] # a generator
        forgotten = anybody.tables.watch(table)
        assert next(forgotten).number == 1
    del forgotten


def test_a_closed_client_has_ended_its_thread(address: str) -> None:
    with sync.Client(address) as anybody:
        assert "B1" in {listed.format_id for listed in anybody.catalog.list_formats()}
    assert not [thread for thread in threading.enumerate() if thread.name == "homegame client"]


def test_methods_are_documented() -> None:
    twin: type[PlayCalls] = client.PlayCalls
    assert sync.PlayCalls.act.__doc__ == twin.act.__doc__ != ""
