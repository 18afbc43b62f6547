"""Every call of the contract as a value: its path and the types that go in and come out."""

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from google.protobuf.message import Message

from homegame.v1 import (
    catalog_service_pb2,
    hand_service_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


@dataclass(frozen=True)
class Rpc(Generic[Request, Response]):
    """One call of one service."""

    path: str
    """As on the wire: `/homegame.v1.Service/Method`."""
    request_type: type[Request]
    response_type: type[Response]


def _rpc(service: str, request_type: type[Request], response_type: type[Response]) -> Rpc[Request, Response]:
    method = request_type.__name__.removesuffix("Request")
    return Rpc(f"/homegame.v1.{service}/{method}", request_type, response_type)


_catalog = catalog_service_pb2
LIST_GAMES: Final = _rpc("CatalogService", _catalog.ListGamesRequest, _catalog.ListGamesResponse)
GET_GAME: Final = _rpc("CatalogService", _catalog.GetGameRequest, _catalog.GetGameResponse)
CHECK_GAME: Final = _rpc("CatalogService", _catalog.CheckGameRequest, _catalog.CheckGameResponse)
LIST_HOUSES: Final = _rpc("CatalogService", _catalog.ListHousesRequest, _catalog.ListHousesResponse)
LIST_FORMATS: Final = _rpc("CatalogService", _catalog.ListFormatsRequest, _catalog.ListFormatsResponse)
GET_FORMAT: Final = _rpc("CatalogService", _catalog.GetFormatRequest, _catalog.GetFormatResponse)
GET_RANK_CARD: Final = _rpc("CatalogService", _catalog.GetRankCardRequest, _catalog.GetRankCardResponse)
GET_ODDS: Final = _rpc("CatalogService", _catalog.GetOddsRequest, _catalog.GetOddsResponse)
"""Answers with a stream."""
GET_HAND_FREQUENCIES: Final = _rpc(
    "CatalogService", _catalog.GetHandFrequenciesRequest, _catalog.GetHandFrequenciesResponse
)
"""Answers with a stream."""

_night = night_service_pb2
CREATE_NIGHT: Final = _rpc("NightService", _night.CreateNightRequest, _night.CreateNightResponse)
POST_CUTOFF: Final = _rpc("NightService", _night.PostCutoffRequest, _night.PostCutoffResponse)
RECORD_READ_ALOUD: Final = _rpc("NightService", _night.RecordReadAloudRequest, _night.RecordReadAloudResponse)
OPEN_NIGHT: Final = _rpc("NightService", _night.OpenNightRequest, _night.OpenNightResponse)
CLOSE_NIGHT: Final = _rpc("NightService", _night.CloseNightRequest, _night.CloseNightResponse)
VOID_HAND: Final = _rpc("NightService", _night.VoidHandRequest, _night.VoidHandResponse)
GET_NIGHT: Final = _rpc("NightService", _night.GetNightRequest, _night.GetNightResponse)
GET_SCORESHEET: Final = _rpc("NightService", _night.GetScoresheetRequest, _night.GetScoresheetResponse)

_table = table_service_pb2
JOIN_TABLE: Final = _rpc("TableService", _table.JoinTableRequest, _table.JoinTableResponse)
TAKE_SEAT: Final = _rpc("TableService", _table.TakeSeatRequest, _table.TakeSeatResponse)
LEAVE_TABLE: Final = _rpc("TableService", _table.LeaveTableRequest, _table.LeaveTableResponse)
ACKNOWLEDGE_POSTING: Final = _rpc("TableService", _table.AcknowledgePostingRequest, _table.AcknowledgePostingResponse)
SIT_OUT: Final = _rpc("TableService", _table.SitOutRequest, _table.SitOutResponse)
SIT_IN: Final = _rpc("TableService", _table.SitInRequest, _table.SitInResponse)
AGREE_TO_RESETS: Final = _rpc("TableService", _table.AgreeToResetsRequest, _table.AgreeToResetsResponse)
RESET_STACK: Final = _rpc("TableService", _table.ResetStackRequest, _table.ResetStackResponse)
ASK_FOR_PLAYOFF: Final = _rpc("TableService", _table.AskForPlayoffRequest, _table.AskForPlayoffResponse)
GET_TABLE: Final = _rpc("TableService", _table.GetTableRequest, _table.GetTableResponse)
WATCH_TABLE: Final = _rpc("TableService", _table.WatchTableRequest, _table.WatchTableResponse)
"""Answers with a stream."""

_play = play_service_pb2
ACT: Final = _rpc("PlayService", _play.ActRequest, _play.ActResponse)
USE_TIME_BANK: Final = _rpc("PlayService", _play.UseTimeBankRequest, _play.UseTimeBankResponse)
CALL_GAME: Final = _rpc("PlayService", _play.CallGameRequest, _play.CallGameResponse)
PLAY: Final = _rpc("PlayService", _play.PlayRequest, _play.PlayResponse)
"""A stream both ways."""

_hand = hand_service_pb2
GET_HAND: Final = _rpc("HandService", _hand.GetHandRequest, _hand.GetHandResponse)
LIST_HANDS: Final = _rpc("HandService", _hand.ListHandsRequest, _hand.ListHandsResponse)
EXPORT_HAND: Final = _rpc("HandService", _hand.ExportHandRequest, _hand.ExportHandResponse)
GET_DEAL_PROOF: Final = _rpc("HandService", _hand.GetDealProofRequest, _hand.GetDealProofResponse)
