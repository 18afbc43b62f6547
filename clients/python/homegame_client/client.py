"""The contract as methods: one per call, typed, with refusals as exceptions and repeats under one `request_id`.

Knows no rule of poker. Answers are the contract's own messages; what they mean stands in `proto/homegame/v1`.
"""

import uuid
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from homegame.v1.actions_pb2 import PlayerAction
from homegame.v1.catalog_pb2 import Format, Game, House, RankCard
from homegame.v1.catalog_service_pb2 import (
    CheckGameRequest,
    CheckGameResponse,
    GetFormatRequest,
    GetGameRequest,
    GetGameResponse,
    GetHandFrequenciesRequest,
    GetHandFrequenciesResponse,
    GetOddsRequest,
    GetOddsResponse,
    GetRankCardRequest,
    ListFormatsRequest,
    ListGamesRequest,
    ListHousesRequest,
    PlayedGame,
)
from homegame.v1.hand_service_pb2 import (
    ExportHandRequest,
    ExportHandResponse,
    GetDealProofRequest,
    GetHandRequest,
    ListHandsRequest,
    ListHandsResponse,
)
from homegame.v1.hands_pb2 import DealProof, ExportFormat, Hand
from homegame.v1.night_service_pb2 import (
    CloseNightRequest,
    CloseNightResponse,
    CreateNightRequest,
    CreateNightResponse,
    GetNightRequest,
    GetNightResponse,
    GetScoresheetRequest,
    OpenNightRequest,
    OpenNightResponse,
    PostCutoffRequest,
    PostCutoffResponse,
    RecordReadAloudRequest,
    RecordReadAloudResponse,
    TableSettings,
    VoidHandRequest,
    VoidHandResponse,
)
from homegame.v1.odds_pb2 import HandFrequencies, Odds, OddsProgress
from homegame.v1.play_service_pb2 import (
    ActRequest,
    ActResponse,
    CallGameRequest,
    CallGameResponse,
    GameCall,
    UseTimeBankRequest,
    UseTimeBankResponse,
)
from homegame.v1.sheets_pb2 import Scoresheet
from homegame.v1.table_service_pb2 import (
    AcknowledgePostingRequest,
    AcknowledgePostingResponse,
    AgreeToResetsRequest,
    AgreeToResetsResponse,
    AskForPlayoffRequest,
    AskForPlayoffResponse,
    GetTableRequest,
    JoinTableRequest,
    JoinTableResponse,
    LeaveTableRequest,
    LeaveTableResponse,
    ResetStackRequest,
    ResetStackResponse,
    SitInRequest,
    SitInResponse,
    SitOutRequest,
    SitOutResponse,
    TakeSeatRequest,
    TakeSeatResponse,
)
from homegame.v1.views_pb2 import TableView
from homegame_client import rpcs
from homegame_client.deal_log import DealKey, DealLog
from homegame_client.errors import TransientError
from homegame_client.play_stream import PlayStream
from homegame_client.proof import Verdict
from homegame_client.retry import RetryPolicy
from homegame_client.rpcs import Request, Response, Rpc
from homegame_client.stream import TableStream
from homegame_client.transport import Transport

_Computed = TypeVar("_Computed", GetOddsResponse, GetHandFrequenciesResponse)


class TableRef(NamedTuple):
    """Where a table is: its night and its id."""

    night_id: str
    table_id: str


def new_request_id() -> str:
    """Make an id for one request; repeats of the request keep it."""
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Client:
    """One caller of one server.

    Every method raises RefusedError when the server says no, GaveUpError when no answer came within the policy's
    deadline, and FaultError when the server failed. A call that changes something gets one `request_id`, which all its
    repeats carry, so that it happens once however often it is sent.
    """

    transport: Transport
    """Carries the calls; the caller opens and closes what is behind it."""
    token: str = field(default="", repr=False)
    """The caller's token; empty for a spectator. A picture of a crash, or a line of a log, does not show it."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    make_request_id: Callable[[], str] = new_request_id
    """Where the ids of changing requests come from; tests hand in their own."""

    def with_token(self, token: str) -> "Client":
        """The same client speaking for the holder of another token."""
        return replace(self, token=token)

    @property
    def catalog(self) -> "CatalogCalls":
        """What can be played."""
        return CatalogCalls(self)

    @property
    def nights(self) -> "NightCalls":
        """The host's side of a night."""
        return NightCalls(self)

    @property
    def tables(self) -> "TableCalls":
        """Joining, sitting, watching."""
        return TableCalls(self)

    @property
    def play(self) -> "PlayCalls":
        """Acting in a hand."""
        return PlayCalls(self)

    @property
    def hands(self) -> "HandCalls":
        """Hands that have been played."""
        return HandCalls(self)

    async def send(self, rpc: Rpc[Request, Response], request: Request) -> Response:
        """Send one request until it is answered. A changing one must carry its `request_id` already."""

        async def attempt(timeout_s: float) -> Response:
            return await self.transport.call(rpc, request, token=self.token, timeout_s=timeout_s)

        return await self.retry.run(attempt, request_id=getattr(request, "request_id", ""))


@dataclass(frozen=True)
class _Calls:
    client: Client

    def _new_id(self) -> str:
        return self.client.make_request_id()


def _played_game(table: TableRef, hand_number: int | None) -> PlayedGame:
    return PlayedGame(night_id=table.night_id, table_id=table.table_id, hand_number=hand_number)


class CatalogCalls(_Calls):
    """CatalogService. Needs no token."""

    async def list_games(self) -> list[Game]:
        """Every game."""
        return list((await self.client.send(rpcs.LIST_GAMES, ListGamesRequest())).games)

    async def get_game(self, game_id: str) -> Game:
        """One game, by id or alias. Refused with NOT_FOUND."""
        return (await self.client.send(rpcs.GET_GAME, GetGameRequest(game_id=game_id))).game

    async def get_rule_card(self, game_id: str, *, house_id: str | None = None) -> GetGameResponse:
        """One game with its rule card, with the sizes of a house's table where one is named. Refused with NOT_FOUND."""
        return await self.client.send(rpcs.GET_GAME, GetGameRequest(game_id=game_id, house_id=house_id))

    async def get_played_game(self, table: TableRef, *, hand_number: int | None = None) -> GetGameResponse:
        """What a table plays, or played in a completed hand, with its rule card; also where no catalog has the game."""
        return await self.client.send(rpcs.GET_GAME, GetGameRequest(table=_played_game(table, hand_number)))

    async def check_game(self, text: str) -> CheckGameResponse:
        """Whether a designer's own file can be played, and where it is at fault."""
        return await self.client.send(rpcs.CHECK_GAME, CheckGameRequest(text=text))

    async def list_houses(self) -> list[House]:
        """Every house."""
        return list((await self.client.send(rpcs.LIST_HOUSES, ListHousesRequest())).houses)

    async def list_formats(self) -> list[Format]:
        """Every format."""
        return list((await self.client.send(rpcs.LIST_FORMATS, ListFormatsRequest())).formats)

    async def get_format(self, format_id: str) -> Format:
        """One format, by id or alias. Refused with FORMAT_UNKNOWN."""
        return (await self.client.send(rpcs.GET_FORMAT, GetFormatRequest(format_id=format_id))).format

    async def get_rank_card(self, game_id: str, *, house_id: str | None = None) -> RankCard:
        """How hands rank in a game, at a house where one is named. Refused with NOT_FOUND."""
        request = GetRankCardRequest(game_id=game_id, house_id=house_id)
        return (await self.client.send(rpcs.GET_RANK_CARD, request)).rank_card

    async def get_played_rank_card(self, table: TableRef, *, hand_number: int | None = None) -> RankCard:
        """How hands rank in what a table plays, or played in a completed hand."""
        request = GetRankCardRequest(table=_played_game(table, hand_number))
        return (await self.client.send(rpcs.GET_RANK_CARD, request)).rank_card

    async def get_odds(self, request: GetOddsRequest, *, show: Callable[[OddsProgress], None] | None = None) -> Odds:
        """Who wins how often; `show` hears how far it is. Refused with NOT_FOUND, or BAD_REQUEST for an impossible deal."""
        return (await self._last(rpcs.GET_ODDS, request, show)).odds

    async def get_hand_frequencies(
        self, request: GetHandFrequenciesRequest, *, show: Callable[[OddsProgress], None] | None = None
    ) -> HandFrequencies:
        """How often one player ends up with each kind of hand; otherwise as `get_odds`."""
        return (await self._last(rpcs.GET_HAND_FREQUENCIES, request, show)).frequencies

    async def _last(
        self, rpc: Rpc[Request, _Computed], request: Request, show: Callable[[OddsProgress], None] | None
    ) -> _Computed:
        """The answer at the end of a stream of progress; asked for again where the stream breaks."""

        async def attempt(_timeout_s: float) -> _Computed:
            async with aclosing(self.client.transport.stream(rpc, request, token=self.client.token)) as answers:
                async for answer in answers:
                    if not answer.HasField("progress"):
                        return answer
                    if show is not None:
                        show(answer.progress)
            raise TransientError("the stream ended before the answer")

        return await self.client.retry.run(attempt)


class NightCalls(_Calls):
    """NightService. All but `create` and the reads need the host's token."""

    async def create(  # noqa: PLR0913 - one for each field of the request
        self,
        *,
        name: str,
        format_id: str = "",
        table: TableSettings | None = None,
        house_id: str | None = None,
        host_name: str | None = None,
        seats: int | None = None,
        cutoff_in_ms: int | None = None,
        decision_window_ms: int | None = None,
        hand_pause_ms: int | None = None,
        cut_window_ms: int | None = None,
        time_bank_ms: int | None = None,
        time_bank_tokens: int | None = None,
        call_window_ms: int | None = None,
        sit_out_window_ms: int | None = None,
    ) -> CreateNightResponse:
        """Create a night in a format, or at a `table` of one game; what is left out comes from there.

        `cutoff_in_ms` counts from now.
        """
        request = CreateNightRequest(
            request_id=self._new_id(),
            name=name,
            format_id=format_id,
            table=table,
            house_id=house_id,
            host_name=host_name,
            seats=seats,
            decision_window_ms=decision_window_ms,
            hand_pause_ms=hand_pause_ms,
            cut_window_ms=cut_window_ms,
            time_bank_ms=time_bank_ms,
            time_bank_tokens=time_bank_tokens,
            call_window_ms=call_window_ms,
            sit_out_window_ms=sit_out_window_ms,
        )
        if cutoff_in_ms is not None:
            request.cutoff_in_ms = cutoff_in_ms
        return await self.client.send(rpcs.CREATE_NIGHT, request)

    async def post_cutoff_in(self, night_id: str, *, cutoff_in_ms: int) -> PostCutoffResponse:
        """Post the cutoff this many ms from the moment the request is accepted; earlier acknowledgements lapse."""
        request = PostCutoffRequest(request_id=self._new_id(), night_id=night_id, cutoff_in_ms=cutoff_in_ms)
        return await self.client.send(rpcs.POST_CUTOFF, request)

    async def post_cutoff_at(self, night_id: str, *, cutoff_at_ms: int) -> PostCutoffResponse:
        """Post the cutoff at a moment, Unix UTC in ms; earlier acknowledgements lapse."""
        request = PostCutoffRequest(request_id=self._new_id(), night_id=night_id, cutoff_at_ms=cutoff_at_ms)
        return await self.client.send(rpcs.POST_CUTOFF, request)

    async def record_read_aloud(self, night_id: str) -> RecordReadAloudResponse:
        """Record that the posting was read to everybody seated, which counts as their acknowledgement."""
        request = RecordReadAloudRequest(request_id=self._new_id(), night_id=night_id)
        return await self.client.send(rpcs.RECORD_READ_ALOUD, request)

    async def open(self, night_id: str) -> OpenNightResponse:
        """Open the night: play starts."""
        return await self.client.send(rpcs.OPEN_NIGHT, OpenNightRequest(request_id=self._new_id(), night_id=night_id))

    async def close(self, night_id: str) -> CloseNightResponse:
        """Close the night. Refused with HAND_IN_PROGRESS while a hand runs."""
        request = CloseNightRequest(request_id=self._new_id(), night_id=night_id)
        return await self.client.send(rpcs.CLOSE_NIGHT, request)

    async def void_hand(self, table: TableRef, *, hand_number: int, reason: str) -> VoidHandResponse:
        """Declare the running hand void; everybody reads the reason."""
        request = VoidHandRequest(
            request_id=self._new_id(),
            night_id=table.night_id,
            table_id=table.table_id,
            hand_number=hand_number,
            reason=reason,
        )
        return await self.client.send(rpcs.VOID_HAND, request)

    async def get(self, night_id: str) -> GetNightResponse:
        """A night: its posting, people and tables, and the server's clock."""
        return await self.client.send(rpcs.GET_NIGHT, GetNightRequest(night_id=night_id))

    async def scoresheet(self, table: TableRef) -> Scoresheet:
        """The sheet of a table."""
        request = GetScoresheetRequest(night_id=table.night_id, table_id=table.table_id)
        return (await self.client.send(rpcs.GET_SCORESHEET, request)).scoresheet


class TableCalls(_Calls):
    """TableService."""

    async def join(self, table: TableRef, *, display_name: str) -> JoinTableResponse:
        """Join as a new participant; the answer holds the token for `Client.with_token`."""
        request = JoinTableRequest(
            request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id, display_name=display_name
        )
        return await self.client.send(rpcs.JOIN_TABLE, request)

    async def take_seat(self, table: TableRef, *, seat: int | None = None) -> TakeSeatResponse:
        """Take a seat, counted from 0, or the lowest free one."""
        request = TakeSeatRequest(
            request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id, seat=seat
        )
        return await self.client.send(rpcs.TAKE_SEAT, request)

    async def leave(self, table: TableRef) -> LeaveTableResponse:
        """Leave the seat."""
        request = LeaveTableRequest(request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id)
        return await self.client.send(rpcs.LEAVE_TABLE, request)

    async def acknowledge_posting(self, table: TableRef) -> AcknowledgePostingResponse:
        """Say that one has read the posting."""
        request = AcknowledgePostingRequest(request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id)
        return await self.client.send(rpcs.ACKNOWLEDGE_POSTING, request)

    async def sit_out(self, table: TableRef, *, this_hand: bool = False) -> SitOutResponse:
        """Pass deals from the next hand on, or only the hand that was called. Refused with SIT_OUT_CLOSED."""
        request = SitOutRequest(
            request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id, this_hand=this_hand
        )
        return await self.client.send(rpcs.SIT_OUT, request)

    async def sit_in(self, table: TableRef) -> SitInResponse:
        """Be dealt in again from the next hand on."""
        request = SitInRequest(request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id)
        return await self.client.send(rpcs.SIT_IN, request)

    async def agree_to_resets(self, table: TableRef, *, agrees: bool = True) -> AgreeToResetsResponse:
        """Agree to the format's reset before play, or take that back."""
        request = AgreeToResetsRequest(
            request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id, agrees=agrees
        )
        return await self.client.send(rpcs.AGREE_TO_RESETS, request)

    async def reset_stack(self, table: TableRef) -> ResetStackResponse:
        """Take the one reset: from zero to the start, between hands."""
        request = ResetStackRequest(request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id)
        return await self.client.send(rpcs.RESET_STACK, request)

    async def ask_for_playoff(self, table: TableRef, *, agrees: bool = True) -> AskForPlayoffResponse:
        """As a tied leader, ask for the format's short hand, or decline it."""
        request = AskForPlayoffRequest(
            request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id, agrees=agrees
        )
        return await self.client.send(rpcs.ASK_FOR_PLAYOFF, request)

    async def get(self, table: TableRef) -> TableView:
        """The table as the caller may see it."""
        request = GetTableRequest(night_id=table.night_id, table_id=table.table_id)
        return (await self.client.send(rpcs.GET_TABLE, request)).table

    def watch(self, table: TableRef, *, after_seq: int = 0) -> TableStream:
        """The table's events after a number; the stream resumes by itself."""
        return TableStream(
            self.client.transport,
            token=self.client.token,
            night_id=table.night_id,
            table_id=table.table_id,
            after_seq=after_seq,
            retry=self.client.retry,
        )


class PlayCalls(_Calls):
    """PlayService. Needs the token of a seated participant."""

    async def act(self, table: TableRef, *, action_number: int, action: PlayerAction) -> ActResponse:
        """Answer the turn of this number. Refused with STALE_ACTION when the turn has moved on."""
        request = ActRequest(
            request_id=self._new_id(),
            night_id=table.night_id,
            table_id=table.table_id,
            action_number=action_number,
            action=action,
        )
        return await self.client.send(rpcs.ACT, request)

    async def use_time_bank(self, table: TableRef, *, action_number: int) -> UseTimeBankResponse:
        """Take a token for the running window of this turn. Refused with TIMEBANK_USED or TIMEBANK_TOO_LATE."""
        request = UseTimeBankRequest(
            request_id=self._new_id(), night_id=table.night_id, table_id=table.table_id, action_number=action_number
        )
        return await self.client.send(rpcs.USE_TIME_BANK, request)

    async def call_game(self, table: TableRef, *, action_number: int, call: GameCall) -> CallGameResponse:
        """As the dealer, call the game of the coming hand. Refused with NOT_DEALER, GAME_NOT_DESCRIBABLE and others."""
        request = CallGameRequest(
            request_id=self._new_id(),
            night_id=table.night_id,
            table_id=table.table_id,
            action_number=action_number,
            call=call,
        )
        return await self.client.send(rpcs.CALL_GAME, request)

    def stream(self, table: TableRef, *, after_seq: int = 0) -> PlayStream:
        """Decisions and events over one stream, which resumes by itself: `async with client.play.stream(table) as seat`."""
        return PlayStream(
            self.client.transport,
            token=self.client.token,
            night_id=table.night_id,
            table_id=table.table_id,
            after_seq=after_seq,
            retry=self.client.retry,
            make_request_id=self.client.make_request_id,
        )


class HandCalls(_Calls):
    """HandService."""

    async def get(self, table: TableRef, *, hand_number: int) -> Hand:
        """A completed hand as the caller may see it. Refused with HAND_IN_PROGRESS while it runs."""
        request = GetHandRequest(night_id=table.night_id, table_id=table.table_id, hand_number=hand_number)
        return (await self.client.send(rpcs.GET_HAND, request)).hand

    async def list(self, table: TableRef, *, page_size: int = 0, page_token: str = "") -> ListHandsResponse:
        """One page of completed hands, oldest first."""
        request = ListHandsRequest(
            night_id=table.night_id, table_id=table.table_id, page_size=page_size, page_token=page_token
        )
        return await self.client.send(rpcs.LIST_HANDS, request)

    async def export(
        self, table: TableRef, *, hand_number: int, export_format: ExportFormat.ValueType
    ) -> ExportHandResponse:
        """A completed hand written down."""
        request = ExportHandRequest(
            night_id=table.night_id, table_id=table.table_id, hand_number=hand_number, format=export_format
        )
        return await self.client.send(rpcs.EXPORT_HAND, request)

    async def deal_proof(self, table: TableRef, *, hand_number: int, attempt: int | None = None) -> DealProof:
        """What is opened of a deal to the caller; the hand's last deal for None. Refused with HAND_IN_PROGRESS while it runs."""
        request = GetDealProofRequest(
            night_id=table.night_id, table_id=table.table_id, hand_number=hand_number, attempt=attempt
        )
        return (await self.client.send(rpcs.GET_DEAL_PROOF, request)).proof

    async def verify(self, table: TableRef, kept: DealLog, key: DealKey) -> Verdict:
        """Fetch the proof of a deal and check it against what the client kept of the night."""
        proof = await self.deal_proof(table, hand_number=key.hand_number, attempt=key.attempt)
        return kept.check(key, proof)
