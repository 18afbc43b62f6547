"""Bots take only what they are offered, decide alike for a seed, and carry on after whatever happens."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homegame.v1.actions_pb2 import ActionKind, LegalActions, PlayerAction
from homegame.v1.cards_pb2 import Card
from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import ActionRequired, PlayerChecked, TableEvent
from homegame.v1.play_service_pb2 import ActRequest, ActResponse
from homegame.v1.table_service_pb2 import GetTableResponse, JoinTableResponse, TakeSeatResponse
from homegame_client import Client, RefusedError, TableRef, UnavailableError
from homegame_client.bots import STYLES, Bot, Style, choose_action
from homegame_client.bots.styles import liking, way_out
from tests.clients.fakes import JumpingTiming, ScriptedTransport, frame, quick_policy
from tests.clients.sample_tables import turn_on_the_flop

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
