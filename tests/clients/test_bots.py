"""Bots take only what they are offered, decide alike for a seed, and carry on after whatever happens."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homegame.v1.actions_pb2 import ActionKind, Half, LegalActions, PlayerAction
from homegame.v1.cards_pb2 import Card
from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import ActionRequired, PlayerChecked, TableEvent
from homegame.v1.night_service_pb2 import TableSettings
from homegame.v1.play_service_pb2 import ActRequest, ActResponse
from homegame.v1.table_service_pb2 import GetTableResponse, JoinTableResponse, TakeSeatResponse
from homegame_client import Client, GrpcTransport, RefusedError, TableRef, UnavailableError, open_channel
from homegame_client.bots import STYLES, Bot, Style, choose_action
from homegame_client.bots.styles import liking, way_out
from homegame_server.runtime.clock import SystemClock
from tests.clients.fakes import JumpingTiming, ScriptedTransport, frame, quick_policy
from tests.clients.sample_tables import turn_on_the_flop
from tests.server.running_server import World, serving

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from homegame.v1.views_pb2 import TableView

KINDS = {
    "fold": ActionKind.ACTION_KIND_FOLD,
    "check": ActionKind.ACTION_KIND_CHECK,
    "call": ActionKind.ACTION_KIND_CALL,
    "bet": ActionKind.ACTION_KIND_BET,
    "raise": ActionKind.ACTION_KIND_RAISE,
    "show": ActionKind.ACTION_KIND_SHOW,
    "muck": ActionKind.ACTION_KIND_MUCK,
}
CARDS = st.integers(0, 52).map(Card.ValueType)


def kind_of(name: str) -> ActionKind.ValueType:
    return ActionKind.Value(f"ACTION_KIND_{name.upper()}")


@st.composite
def legal_actions(draw: st.DrawFn) -> LegalActions:
    kinds = draw(st.sets(st.sampled_from(sorted(KINDS.values())), min_size=1))
    low = draw(st.integers(1, 200))
    step = draw(st.sampled_from([0, 1, 2, 5]))
    return LegalActions(
        kinds=sorted(kinds),
        call_chips=draw(st.integers(0, 100)),
        raise_to_min_chips=low,
        raise_to_max_chips=low + draw(st.integers(0, 300)),
        raise_step_chips=step,
        unit_chips=draw(st.sampled_from([1, 5])),
    )


def is_offered(action: PlayerAction, legal: LegalActions) -> bool:
    kind = action.WhichOneof("action")
    if kind is None or KINDS[kind] not in legal.kinds:
        return False
    if kind == "call":
        return action.call.call_chips == legal.call_chips
    if kind not in ("bet", "raise"):
        return True
    to_chips = getattr(action, kind).to_chips
    low, high = legal.raise_to_min_chips, legal.raise_to_max_chips
    step = legal.raise_step_chips or legal.unit_chips
    return bool(low <= to_chips <= high and (to_chips - low) % step == 0)


@given(
    style=st.sampled_from(STYLES),
    own=st.lists(CARDS, max_size=4),
    board=st.lists(CARDS, max_size=5),
    legal=legal_actions(),
    seed=st.integers(),
)
def test_a_bot_takes_only_what_it_is_offered(
    style: Style, own: list[Card.ValueType], board: list[Card.ValueType], legal: LegalActions, seed: int
) -> None:
    only_wagers = set(legal.kinds) <= {KINDS["bet"], KINDS["raise"]}
    try:
        action = choose_action(style, own, board, legal, Random(seed))  # noqa: S311 - whims guard nothing
    except ValueError:
        assert only_wagers  # No betting rules offer only wagers: there is always a quiet way out.
        return
    assert is_offered(action, legal)


@given(legal=legal_actions())
def test_the_way_out_is_offered_too_and_never_a_wager(legal: LegalActions) -> None:
    if set(legal.kinds) <= {KINDS["bet"], KINDS["raise"]}:
        with pytest.raises(ValueError, match="no action"):
            way_out(legal)
        return
    assert is_offered(way_out(legal), legal)
    assert way_out(legal).WhichOneof("action") not in ("bet", "raise")


def test_a_bot_likes_high_cards_and_pairs() -> None:
    ace, king, two, other_ace = (Card.ValueType(card) for card in (49, 45, 1, 50))
    assert liking([ace, king], []) > liking([two, king], [])
    assert liking([ace, other_ace], []) > liking([ace, king], [])
    assert liking([ace, king], [other_ace]) > liking([ace, king], [two])
    assert liking([Card.CARD_HIDDEN, Card.CARD_HIDDEN], []) == 0


def cards_named(action: PlayerAction) -> list[Card.ValueType]:
    return list(getattr(action, action.WhichOneof("action") or "").cards)


@given(
    style=st.sampled_from(STYLES),
    own=st.lists(st.integers(1, 54).map(Card.ValueType), min_size=7, max_size=7, unique=True),
    name=st.sampled_from(["discard", "draw", "pass"]),
    count=st.integers(1, 4),
    seed=st.integers(),
)
def test_a_bot_names_as_many_of_its_own_cards_as_it_is_asked_for(
    style: Style, own: list[Card.ValueType], name: str, count: int, seed: int
) -> None:
    legal = LegalActions(kinds=[kind_of(name)], cards_min=0 if name == "draw" else count, cards_max=count)
    for action in (choose_action(style, own, [], legal, Random(seed)), way_out(legal, own)):  # noqa: S311 - as above
        assert action.WhichOneof("action") == name
        named = cards_named(action)
        assert legal.cards_min <= len(named) <= legal.cards_max
        assert len(set(named)) == len(named)
        assert set(named) <= set(own)


def test_a_bot_keeps_what_matches_and_gives_up_the_lowest() -> None:
    two, three, king, ace, other_ace = (Card.ValueType(card) for card in (1, 5, 45, 49, 50))
    legal = LegalActions(kinds=[kind_of("draw")], cards_min=0, cards_max=2)
    assert cards_named(way_out(legal, [ace, two, king, other_ace, three])) == [two, three]


@pytest.mark.parametrize("halves", [[Half.HALF_LOW], [Half.HALF_HIGH], [Half.HALF_LOW, Half.HALF_HIGH, Half.HALF_BOTH]])
def test_a_bot_declares_for_a_half_that_is_open(halves: list[Half.ValueType]) -> None:
    legal = LegalActions(kinds=[kind_of("declare")], halves=halves)
    low = [Card.ValueType(card) for card in (49, 1, 5, 9, 13)]
    for seed in range(50):
        assert choose_action(STYLES[0], low, [], legal, Random(seed)).declare.half in halves  # noqa: S311 - as above
    assert way_out(legal, low).declare.half == halves[0]  # Five low cards look low.


@pytest.mark.parametrize("kinds", [["bring_in", "complete"], ["fold", "bring_in", "complete"]])
def test_a_bot_brings_in_or_completes(kinds: list[str]) -> None:
    legal = LegalActions(kinds=[kind_of(kind) for kind in kinds], bring_in_chips=1)
    ace, other_ace = Card.ValueType(49), Card.ValueType(50)
    taken = {
        choose_action(STYLES[-1], own, [], legal, Random(seed)).WhichOneof("action")  # noqa: S311 - as above
        for own in ([ace, other_ace], [Card.ValueType(1), Card.ValueType(6)])
        for seed in range(50)
    }
    assert taken == {"bring_in", "complete"}
    assert way_out(legal).WhichOneof("action") == "bring_in"


@pytest.mark.parametrize(
    ("format_id", "table"),
    [
        ("", TableSettings(game_id="ANACONDA", house_id="HOUSE_NIGHT")),
        ("", TableSettings(game_id="STUD8", house_id="POINTS_NIGHT")),
        ("", TableSettings(game_id="BADUGI", house_id="CLUB")),
        ("DC", None),
    ],
    ids=["anaconda", "stud8", "badugi", "dealers-choice"],
)
async def test_bots_play_every_kind_of_game_and_are_refused_nothing(
    format_id: str, table: TableSettings | None
) -> None:
    world = World(real_clock=SystemClock())
    async with serving(world) as (server, _), open_channel(server.address) as channel:
        anybody = Client(GrpcTransport(channel))
        created = await anybody.nights.create(
            name="Bots",
            format_id=format_id,
            table=table,
            seats=4,
            cutoff_in_ms=60_000,
            hand_pause_ms=0,
            sit_out_window_ms=1000,
        )
        host, where = anybody.with_token(created.host_token), TableRef(created.night_id, created.table_ids[0])
        bots = [
            Bot(anybody, where, name=f"bot {n}", style=STYLES[n], seed="1", think_ms=(0, 1), by_stream=n > 0)
            for n in range(4)
        ]
        for bot in bots:
            await bot.sit_down()
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        await host.nights.record_read_aloud(where.night_id)
        await host.nights.open(where.night_id)
        async for event in anybody.tables.watch(where):
            if event.hand_ended.hand_number >= 2 and await closes(host, where):
                break
        await asyncio.gather(*playing)
        for bot in bots:
            verdicts = [await bot.client.hands.verify(where, bot.deals, key) for key in bot.deals.over]
            assert verdicts
            assert all(verdict.holds for verdict in verdicts)
    assert [dict(bot.report.refused) for bot in bots] == [{}] * 4
    assert sum(bot.report.actions for bot in bots) > 8


async def closes(host: Client, where: TableRef) -> bool:
    """Close the night, if no hand is being played just now."""
    try:
        await host.nights.close(where.night_id)
    except RefusedError:
        return False
    return True


TABLE = TableRef("n1", "t1")


def own_view() -> TableView:
    """Bruno's own view while it is his turn: action 31 after event 90."""
    view = turn_on_the_flop()
    view.viewer_seat = 1
    view.viewer_participant_id = "p1"
    view.seats[1].cards[:] = [Card.CARD_ACE_OF_HEARTS, Card.CARD_ACE_OF_CLUBS]
    return view


def turn(number: int, action_number: int, seat: int = 1) -> TableEvent:
    legal = LegalActions(seat=seat, kinds=[KINDS["check"], KINDS["bet"]], raise_to_min_chips=2, raise_to_max_chips=2)
    return TableEvent(
        number=number, action_required=ActionRequired(seat=seat, action_number=action_number, legal=legal)
    )


def bot_over(
    script: list[Message | Exception | list[Message | Exception]], seed: str = "s"
) -> tuple[Bot, ScriptedTransport]:
    transport = ScriptedTransport(script)
    client = Client(transport, retry=quick_policy(JumpingTiming()))
    return Bot(client, TABLE, name="Bruno", style=STYLES[0], seed=seed, by_stream=False), transport


def acts(transport: ScriptedTransport) -> list[ActRequest]:
    return [sent.request for sent in transport.sent if isinstance(sent.request, ActRequest)]


async def test_it_answers_its_turn_with_the_number_of_the_turn_and_its_own_token() -> None:
    script: list[Message | Exception | list[Message | Exception]] = [
        JoinTableResponse(participant_token="tok"),  # noqa: S106 - no secret
        TakeSeatResponse(seat=1),
        GetTableResponse(table=own_view()),
        ActResponse(),
        [],
    ]
    bot, transport = bot_over(script)
    assert await bot.sit_down() == 1
    report = await bot.play()
    (act,) = acts(transport)
    assert act.action_number == 31
    assert act.action.WhichOneof("action") == "raise"
    assert transport.sent[-1].token == "tok"  # noqa: S105 - no secret
    assert report.actions == 1


async def test_a_turn_is_answered_once_even_when_the_stream_is_resumed() -> None:
    checked = TableEvent(number=91, player_checked=PlayerChecked(seat=1))
    events = {91: checked, 92: turn(92, 32, seat=0), 93: turn(93, 33)}
    frames = [frame(91, 92, make=events.__getitem__), frame(93, make=events.__getitem__)]
    script: list[Message | Exception | list[Message | Exception]] = [
        GetTableResponse(table=own_view()),
        ActResponse(),
        [frame(*range(1, 91)), frames[0], UnavailableError("lost")],  # From the beginning, for every root of the night.
        [frames[1]],
        ActResponse(),
    ]
    bot, transport = bot_over(script)
    # The last stream ends after its frame, so that the action in between comes from the script's end.
    report = await bot.play()
    assert [act.action_number for act in acts(transport)] == [31, 33]
    assert report.breaks == 1
    assert transport.after_seqs == [0, 92]


async def test_a_turn_that_moved_on_is_no_fault() -> None:
    stale = RefusedError(reason=Reason.REASON_STALE_ACTION, reason_name="STALE_ACTION")
    bot, transport = bot_over([GetTableResponse(table=own_view()), stale, []])
    report = await bot.play()
    assert (report.too_late, report.actions, dict(report.refused)) == (1, 0, {})
    assert len(acts(transport)) == 1


async def test_another_refusal_is_counted_and_the_quiet_way_out_taken() -> None:
    refusal = RefusedError(reason=Reason.REASON_RAISE_CAP_REACHED, reason_name="RAISE_CAP_REACHED")
    bot, transport = bot_over([GetTableResponse(table=own_view()), refusal, ActResponse(), []])
    report = await bot.play()
    assert dict(report.refused) == {"RAISE_CAP_REACHED": 1}
    first, second = acts(transport)
    assert (first.action.WhichOneof("action"), second.action.WhichOneof("action")) == ("raise", "fold")
    assert first.request_id != second.request_id


async def test_the_same_seed_decides_and_pauses_alike() -> None:
    async def played(seed: str) -> tuple[bytes, list[float]]:
        bot, transport = bot_over([GetTableResponse(table=own_view()), ActResponse(), []], seed)
        timing = cast("JumpingTiming", bot.client.retry.timing)
        await bot.play()
        (act,) = acts(transport)
        return act.action.SerializeToString(), timing.waited_s

    assert await played("a") == await played("a")
    assert (await played("a"))[1] != (await played("b"))[1]
    assert all(0.05 <= waited <= 0.4 for waited in (await played("a"))[1])
