"""CatalogService: what can be played, from the packaged games, houses and formats."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from homegame.v1 import catalog_service_pb2 as pb
from homegame.v1.catalog_service_pb2_grpc import CatalogServiceServicer
from homegame_engine import catalog
from homegame_engine.evaluator.rank_card import rank_cards
from homegame_server.rpc import convert_views

if TYPE_CHECKING:
    import grpc

    Context = grpc.aio.ServicerContext[Any, Any]


class CatalogService(CatalogServiceServicer):
    """See catalog_service.proto."""

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """List the games by id."""
        return pb.ListGamesResponse(
            games=[convert_views.game_spec(game) for _, game in sorted(catalog.games().items())]
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.GetGameResponse:
        """Show one game."""
        return pb.GetGameResponse(game=convert_views.game_spec(catalog.game(request.game_id)))

    async def ListFormats(self, request: pb.ListFormatsRequest, context: Context) -> pb.ListFormatsResponse:
        """List the formats by id."""
        return pb.ListFormatsResponse(
            formats=[
                convert_views.format_spec(played, catalog.house(played.house))
                for _, played in sorted(catalog.formats().items())
            ]
        )

    async def GetFormat(self, request: pb.GetFormatRequest, context: Context) -> pb.GetFormatResponse:
        """Show one format, by id or alias."""
        played = catalog.format_by(request.format_id)
        return pb.GetFormatResponse(format=convert_views.format_spec(played, catalog.house(played.house)))

    async def GetRankCard(self, request: pb.GetRankCardRequest, context: Context) -> pb.GetRankCardResponse:
        """Show how hands rank (RANK-HI-07)."""
        game = catalog.game(request.game_id)
        card = rank_cards(game)[0]
        return pb.GetRankCardResponse(rank_card=convert_views.rank_card(card, game.id))
