"""CatalogService: what can be played, from the packaged games, houses and formats, and what a table plays."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from homegame.v1 import catalog_service_pb2 as pb
from homegame.v1.catalog_service_pb2_grpc import CatalogServiceServicer
from homegame_engine import catalog
from homegame_engine.errors import InputError, NotFound, SpecError
from homegame_engine.evaluator.rank_card import rank_cards
from homegame_engine.night.table_view import game_in_view
from homegame_engine.stakes import level_rules
from homegame_server.rpc import convert_catalog
from homegame_server.rpc.nights import find_table

if TYPE_CHECKING:
    import grpc

    from homegame_engine.specs import GameSpec, HandRules
    from homegame_server.rpc.odds import OddsDesk
    from homegame_server.runtime.registry import Registry

    Context = grpc.aio.ServicerContext[Any, Any]

_DESIGNERS_FILE: Final = "game.toml"


class CatalogService(CatalogServiceServicer):
    """See catalog_service.proto."""

    def __init__(self, registry: Registry, odds: OddsDesk) -> None:
        self._registry = registry
        self._odds = odds

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """List the games by id."""
        return pb.ListGamesResponse(
            games=[convert_catalog.game_spec(game) for _, game in sorted(catalog.games().items())]
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.GetGameResponse:
        """Show one game with its rule card, with the sizes of a table or of a house's table where one is named."""
        game, rules = await self._asked_for(request)
        if rules is None and request.HasField("house_id"):
            house = catalog.house(request.house_id)
            played = catalog.table_format(game, house)
            rules = level_rules(house, played.levels[0], played.betting.structure)
        return pb.GetGameResponse(
            game=convert_catalog.game_spec(game), rule_card=convert_catalog.rule_card(game, rules)
        )

    async def _asked_for(self, request: pb.GetGameRequest | pb.GetRankCardRequest) -> tuple[GameSpec, HandRules | None]:
        """The game of the catalog; or what a table plays, with its rules."""
        if not request.HasField("table"):
            if not request.game_id:
                raise InputError("name a game of the catalog, or a table", field="game_id")
            return catalog.game_by(request.game_id), None
        if request.game_id or request.HasField("house_id"):
            raise InputError("a table has its own game and house: name nothing besides", field="table")
        task = await find_table(self._registry, request.table.night_id, request.table.table_id)
        if not request.table.HasField("hand_number"):
            return await task.query(lambda state: game_in_view(state.night))
        span = task.log.hands.find(request.table.hand_number)
        completed = await task.query(lambda state: state.hands.get(span.hand_number))
        if completed is None:
            raise NotFound("hand", str(span.hand_number))
        return completed.game, completed.rules

    async def CheckGame(self, request: pb.CheckGameRequest, context: Context) -> pb.CheckGameResponse:
        """Say whether a designer's own game can be played (GAME-DC-04)."""
        try:
            game = catalog.load_game(request.text, _DESIGNERS_FILE)
        except SpecError as error:
            return pb.CheckGameResponse(faults=[convert_catalog.game_fault(error)])
        return pb.CheckGameResponse(
            game=convert_catalog.game_spec(game), rule_card=convert_catalog.rule_card(game, None)
        )

    async def ListHouses(self, request: pb.ListHousesRequest, context: Context) -> pb.ListHousesResponse:
        """List the houses by id."""
        return pb.ListHousesResponse(
            houses=[
                convert_catalog.house_spec(house, has_tables=house.id in catalog.tables())
                for _, house in sorted(catalog.houses().items())
            ]
        )

    async def ListFormats(self, request: pb.ListFormatsRequest, context: Context) -> pb.ListFormatsResponse:
        """List the formats by id."""
        return pb.ListFormatsResponse(
            formats=[
                convert_catalog.format_spec(played, catalog.house(played.house))
                for _, played in sorted(catalog.formats().items())
            ]
        )

    async def GetFormat(self, request: pb.GetFormatRequest, context: Context) -> pb.GetFormatResponse:
        """Show one format, by id or alias."""
        played = catalog.format_by(request.format_id)
        return pb.GetFormatResponse(format=convert_catalog.format_spec(played, catalog.house(played.house)))

    async def GetRankCard(self, request: pb.GetRankCardRequest, context: Context) -> pb.GetRankCardResponse:
        """Show how hands rank (RANK-HI-07), with the low of a table or of a house where one is named (GAME-DC-11)."""
        game, rules = await self._asked_for(request)
        if rules is None and request.HasField("house_id"):
            rules = catalog.house(
                request.house_id
            ).hand_rules()  # Sizes do not matter: what a low is is all that is read.
        ranked = rank_cards(game) if rules is None else rank_cards(game, rules.low_ranking)
        return pb.GetRankCardResponse(rank_card=convert_catalog.rank_card(ranked, game))

    async def GetOdds(self, request: pb.GetOddsRequest, context: Context) -> None:  # type: ignore[override]
        """Stream how far it is, and at the end who wins how often."""
        await self._odds.get_odds(request, context)

    async def GetHandFrequencies(  # type: ignore[override]
        self, request: pb.GetHandFrequenciesRequest, context: Context
    ) -> None:
        """Stream how far it is, and at the end how often each kind of hand comes."""
        await self._odds.get_hand_frequencies(request, context)
