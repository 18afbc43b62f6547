"""A server of one table in memory, for players: it shows a view, streams what is pushed, and notes what is asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from homegame.v1 import (
    catalog_service_pb2,
    hand_service_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)
from homegame.v1.actions_pb2 import ActionKind, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Format, Game, RankCard, RankCategory, RuleCardSection, Street
from homegame.v1.events_pb2 import (
    ActionRequired,
    CardsBurned,
    HandEnded,
    HandShown,
    HandStarting,
    PlayerFolded,
    TableEvent,
)
from homegame.v1.hands_pb2 import Hand, HandSummary
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.sheets_pb2 import Placement, Scoresheet, SheetColumns, SheetEntry, SheetRow
from homegame.v1.views_pb2 import SeatHand, SeatStatus, TableView
from homegame_client.client import Client, TableRef
from homegame_client.errors import ClientError, UnavailableError
from homegame_client.retry import Backoff, RetryPolicy
from tests.clients.sample_tables import turn_on_the_flop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from google.protobuf.message import Message

    from homegame.v1.play_service_pb2 import GameCall
    from homegame_client.rpcs import Request, Response, Rpc

TABLE: Final = TableRef("n1", "t1")
TOKEN: Final = "the-token-of-bruno"  # noqa: S105 - opens nothing
OWN_SEAT: Final = 1
NOT_YET: Final = ("small_blind_seat", "big_blind_seat", "street", "street_name", "completed_orbits")
KINDS: Final = {
    kind: ActionKind.Value(f"ACTION_KIND_{kind}")
    for kind in (
        *("FOLD", "CHECK", "CALL", "BET", "RAISE", "SHOW", "MUCK", "CUT"),
        *("BRING_IN", "COMPLETE", "DISCARD", "DRAW", "PASS", "DECLARE"),
    )
}


A_LIBRARY_GAME: Final = Game(
    game_id="FIVE_CARD_DRAW",
    name="Five-card draw",
    summary="Five private cards, a draw.",
    min_players=2,
    max_players=8,
    aliases=["draw"],
)


class ManualTiming:
    """A clock that moves only when the test says so; sleepers wake when their time has come."""

    def __init__(self) -> None:
        self.at_s = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now_s(self) -> float:
        """See Timing."""
        return self.at_s

    async def sleep(self, seconds: float) -> None:
        """See Timing."""
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.at_s + seconds, waking))
        await waking

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.at_s += seconds
        due = [waking for until_s, waking in self._sleepers if until_s <= self.at_s]
        self._sleepers = [(until_s, waking) for until_s, waking in self._sleepers if until_s > self.at_s]
        for waking in due:
            if not waking.done():
                waking.set_result(None)


@dataclass
class FakeTable:
    """See the module. `refusals` holds, by the last part of a path, what to raise once instead of an answer."""

    view: TableView
    is_down: bool = False
    events: list[TableEvent] = field(default_factory=list)
    acts: list[play_service_pb2.ActRequest] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    refusals: dict[str, ClientError] = field(default_factory=dict)
    game: Game = field(default_factory=lambda: Game(streets=[Street(name="PREFLOP"), Street(name="FLOP")]))
    rule_card: list[RuleCardSection] = field(default_factory=list)
    calls: list[GameCall] = field(default_factory=list)
    sat_out: list[bool] = field(default_factory=list)
    """For each request to sit out whether it was for one hand."""
    short_hands: list[bool] = field(default_factory=list)
    """For each answer to the short hand whether it asked for it."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        """What happened before is not worth a word."""
        self.events += [
            TableEvent(number=1 + past, cards_burned=CardsBurned()) for past in range(self.view.last_number)
        ]

    def push(self, *events: TableEvent) -> None:
        """Let something happen: everybody who watches gets it as one frame."""
        for event in events:
            self.view.last_number += 1
            event.number = self.view.last_number
            self.events.append(event)
        self._wake()

    def go_down(self) -> None:
        """Break every stream and answer nothing any more."""
        self.is_down = True
        self._wake()

    def come_back(self) -> None:
        """Answer again."""
        self.is_down = False

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def call(self, rpc: Rpc[Request, Response], request: Request, *, token: str, timeout_s: float) -> Response:
        """See Transport."""
        del timeout_s
        name = rpc.path.rpartition("/")[2]
        self.asked.append(name)
        self.tokens.add(token)
        if self.is_down:
            raise UnavailableError("nobody is there")
        if name in self.refusals:
            raise self.refusals.pop(name)
        return cast("Response", self._answers()[name](request))

    async def stream(
        self, rpc: Rpc[Request, Response], request: Request, *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport."""
        del rpc
        self.tokens.add(token)
        after_seq = int(getattr(request, "after_seq"))  # noqa: B009 - the type of Request does not say
        while True:
            if self.is_down:
                raise UnavailableError("the line is cut")
            news = self._news
            fresh = [event for event in self.events if event.number > after_seq]
            if fresh:
                after_seq = fresh[-1].number
                frame = table_service_pb2.WatchTableResponse(
                    events=fresh, last_number=after_seq, server_time_ms=self.view.server_time_ms
                )
                yield cast("Response", frame)
                if fresh[-1].WhichOneof("event") == "night_closed":
                    return
            else:
                await news.wait()

    async def talk(
        self, rpc: Rpc[Request, Response], requests: AsyncIterator[Request], *, token: str
    ) -> AsyncGenerator[Response, None]:
        """See Transport. A person acts through the unary call: nothing comes this way."""
        del rpc, requests, token
        raise AssertionError("nobody talks here")
        yield  # Makes it a generator.

    def _answers(self) -> dict[str, Callable[[Message], Message]]:
        catalog, night, table = catalog_service_pb2, night_service_pb2, table_service_pb2
        return {
            "GetTable": lambda _: table.GetTableResponse(table=self.view),
            "GetGame": lambda _: catalog.GetGameResponse(game=self.game, rule_card=self.rule_card),
            "ListGames": lambda _: catalog.ListGamesResponse(games=[A_LIBRARY_GAME, self.game]),
            "CallGame": self._call,
            "GetFormat": lambda _: catalog.GetFormatResponse(format=Format(summary="The highest stack wins.")),
            "GetRankCard": lambda _: catalog.GetRankCardResponse(rank_card=a_rank_card()),
            "GetScoresheet": lambda _: night.GetScoresheetResponse(scoresheet=a_sheet()),
            "GetNight": lambda _: night.GetNightResponse(),
            "GetHand": lambda request: hand_service_pb2.GetHandResponse(hand=a_hand(getattr(request, "hand_number"))),  # noqa: B009
            "Act": self._act,
            "AcknowledgePosting": self._acknowledge,
            "SitOut": self._sit_out,
            "SitIn": lambda _: self._set_status(SeatStatus.SEAT_STATUS_SEATED, table.SitInResponse()),
            "OpenNight": lambda _: night.OpenNightResponse(),
            "CloseNight": lambda _: night.CloseNightResponse(),
            "UseTimeBank": lambda _: play_service_pb2.UseTimeBankResponse(),
            "AgreeToResets": self._agree,
            "ResetStack": lambda _: table.ResetStackResponse(),
            "AskForPlayoff": self._ask_for_playoff,
            "LeaveTable": lambda _: table.LeaveTableResponse(),
        }

    def _act(self, request: Message) -> Message:
        self.acts.append(cast("play_service_pb2.ActRequest", request))
        return play_service_pb2.ActResponse(last_number=self.view.last_number)

    def _call(self, request: Message) -> Message:
        self.calls.append(cast("play_service_pb2.CallGameRequest", request).call)
        return play_service_pb2.CallGameResponse()

    def _sit_out(self, request: Message) -> Message:
        this_hand = cast("table_service_pb2.SitOutRequest", request).this_hand
        self.sat_out.append(this_hand)
        if this_hand:
            self.view.sitting_out.append(OWN_SEAT)
            return table_service_pb2.SitOutResponse()
        return self._set_status(SeatStatus.SEAT_STATUS_SITTING_OUT, table_service_pb2.SitOutResponse())

    def _agree(self, request: Message) -> Message:
        self.view.seats[OWN_SEAT].agrees_to_resets = cast("table_service_pb2.AgreeToResetsRequest", request).agrees
        return table_service_pb2.AgreeToResetsResponse()

    def _ask_for_playoff(self, request: Message) -> Message:
        self.short_hands.append(cast("table_service_pb2.AskForPlayoffRequest", request).agrees)
        return table_service_pb2.AskForPlayoffResponse()

    def _acknowledge(self, _: Message) -> Message:
        self.view.seats[OWN_SEAT].acknowledged = True
        return table_service_pb2.AcknowledgePostingResponse()

    def _set_status(self, status: SeatStatus.ValueType, answer: Message) -> Message:
        self.view.seats[OWN_SEAT].status = status
        return answer


def client_of(server: FakeTable, timing: ManualTiming) -> Client:
    """A client with Bruno's token whose pauses the test lets pass."""
    retry = RetryPolicy(
        deadline_s=30.0, attempt_s=5.0, backoff=Backoff(first_ms=1000, max_ms=2000), timing=timing, chance=lambda: 0.5
    )
    return Client(server, token=TOKEN, retry=retry)


def own_turn(*kinds: str, low: int = 4, high: int = 4, step: int = 0) -> TableView:
    """Bruno's own view of his turn on the flop; fold, call 2 and raise unless other kinds are named."""
    view = turn_on_the_flop()
    view.viewer_seat = OWN_SEAT
    view.viewer_participant_id = "p1"
    own = view.seats[OWN_SEAT]
    del own.cards[:]
    own.cards.extend([Card.CARD_KING_OF_HEARTS, Card.CARD_KING_OF_SPADES])
    own.rank_text = "one pair, kings with ace ten two"
    own.committed_chips = 2
    if kinds:
        view.legal.CopyFrom(legal(*kinds, low=low, high=high, step=step))
    else:
        view.legal.CopyFrom(legal("FOLD", "CALL", "RAISE", low=low, high=high, step=step))
    return view


def others_turn() -> TableView:
    """The same table with Ada to act."""
    view = own_turn()
    view.legal.seat = 0
    del view.may_act[:]
    view.may_act.append(0)
    return view


def before_play() -> TableView:
    """The same people, still reading the posting."""
    view = own_turn()
    for name in (
        "legal",
        "deadline_at_ms",
        "may_act",
        "layers",
        "board",
        "hand_number",
        "button",
        "hand_phase",
        *NOT_YET,
    ):
        view.ClearField(name)
    view.pot_chips = 0
    view.phase = NightPhase.NIGHT_PHASE_POSTED
    for seat in view.seats:
        del seat.cards[:]
        seat.rank_text, seat.hand, seat.all_in = "", SeatHand.SEAT_HAND_UNSPECIFIED, False
        seat.street_chips = seat.committed_chips = 0
        seat.acknowledged = seat.seat != OWN_SEAT
        seat.status = SeatStatus.SEAT_STATUS_SEATED
        seat.stack_chips = 100
    return view


def legal(*kinds: str, seat: int = OWN_SEAT, low: int = 4, high: int = 4, step: int = 0) -> LegalActions:
    """What a turn allows."""
    actions = LegalActions(seat=seat, kinds=[KINDS[kind] for kind in kinds], unit_chips=1, raise_step_chips=step)
    if "CALL" in kinds:
        actions.call_chips = actions.call_to_chips = 2
    if "BET" in kinds or "RAISE" in kinds:
        actions.raise_to_min_chips, actions.raise_to_max_chips = low, high
    if "CUT" in kinds:
        actions.cut_position_min, actions.cut_position_max = 1, 51
    return actions


def folds(seat: int) -> TableEvent:
    """Somebody folds."""
    return TableEvent(player_folded=PlayerFolded(seat=seat))


def turn_of(seat: int, action_number: int, *kinds: str) -> TableEvent:
    """Somebody's turn begins."""
    turn = ActionRequired(seat=seat, action_number=action_number, legal=legal(*kinds, seat=seat))
    return TableEvent(action_required=turn)


def a_rank_card() -> RankCard:
    """Two kinds of hand."""
    pair = [Card.CARD_TEN_OF_SPADES, Card.CARD_TEN_OF_HEARTS]
    return RankCard(
        categories=[
            RankCategory(position=1, name="one pair", comparison="The rank of the pair.", example=pair),
            RankCategory(position=2, name="high card", comparison="The highest card."),
        ],
        notes=["Suits are equal."],
    )


def a_sheet() -> Scoresheet:
    """After one hand of two."""
    entries = [SheetEntry(seat=0, net_chips=-3), SheetEntry(seat=1, net_chips=3)]
    return Scoresheet(
        rows=[SheetRow(hand_number=1, entries=entries)],
        columns=[SheetColumns(seat=0, display_name="Ada"), SheetColumns(seat=1, display_name="Bruno")],
        standings=[Placement(seat=1, stack_chips=103, place=1), Placement(seat=0, stack_chips=97, place=2)],
        total_chips=200,
    )


def a_hand(number: int) -> Hand:
    """A short hand in which Ada shows."""
    shown = HandShown(seat=0, cards=[Card.CARD_ACE_OF_CLUBS, Card.CARD_FIVE_OF_DIAMONDS], rank_text="high card, ace")
    return Hand(
        summary=HandSummary(hand_number=number),
        events=[
            TableEvent(hand_starting=HandStarting(hand_number=number, button=0)),
            TableEvent(hand_shown=shown),
            TableEvent(hand_ended=HandEnded(hand_number=number, net_chips=[3, -3])),
        ],
    )
