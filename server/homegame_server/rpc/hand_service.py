"""HandService: hands that have been played, read from their events as the caller may see them."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from homegame.v1 import hand_service_pb2 as pb
from homegame.v1 import hands_pb2
from homegame.v1.hand_service_pb2_grpc import HandServiceServicer
from homegame_engine import events as ev
from homegame_engine.deal_proof import DealContext
from homegame_engine.errors import InputError, NotFound
from homegame_engine.night import inputs as inp
from homegame_engine.notation.history import write_json_lines, write_text
from homegame_engine.notation.phh_writing import write_phh
from homegame_server.rpc import convert, convert_views
from homegame_server.rpc.convert_catalog import cards
from homegame_server.rpc.nights import find_table, viewer_seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    import grpc

    from homegame_engine.night import Night
    from homegame_server.runtime.deal_proof import DealSealer
    from homegame_server.runtime.hand_index import HandSpan
    from homegame_server.runtime.night_task import NightState, NightTask
    from homegame_server.runtime.publisher import NumberedEvent
    from homegame_server.runtime.registry import Registry

    Context = grpc.aio.ServicerContext[Any, Any]

_PAGE_SIZE: Final = 100


class HandService(HandServiceServicer):
    """See hand_service.proto."""

    def __init__(self, registry: Registry, sealer: DealSealer) -> None:
        self._registry = registry
        self._sealer = sealer

    async def GetHand(self, request: pb.GetHandRequest, context: Context) -> pb.GetHandResponse:
        """Show a completed hand."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        span = task.log.hands.find(request.hand_number)
        seen = _seen(task, span)
        (game_id,) = await task.query(lambda state: _game_ids(state, [span]))
        return pb.GetHandResponse(
            hand=hands_pb2.Hand(
                summary=_summary(span, seen, game_id), events=[convert.table_event(event) for event in seen]
            )
        )

    async def ListHands(self, request: pb.ListHandsRequest, context: Context) -> pb.ListHandsResponse:
        """List the completed hands, oldest first. A page's token is the number of hands before it."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        completed = task.log.hands.completed
        first = _read_page_token(request.page_token)
        page = completed[first : first + (request.page_size or _PAGE_SIZE)]
        after = first + len(page)
        game_ids = await task.query(lambda state: _game_ids(state, page))
        return pb.ListHandsResponse(
            hands=[_summary(span, _seen(task, span), game_id) for span, game_id in zip(page, game_ids, strict=True)],
            next_page_token=str(after) if after < len(completed) else "",
        )

    async def ExportHand(self, request: pb.ExportHandRequest, context: Context) -> pb.ExportHandResponse:
        """Write a completed hand down, from its projected events only (PROC-SHOW-07)."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        span = task.log.hands.find(request.hand_number)
        seen = _seen(task, span)
        name = f"hand-{span.hand_number}"
        events = [numbered.event for numbered in seen]
        if request.format == hands_pb2.EXPORT_FORMAT_JSON_LINES:
            return pb.ExportHandResponse(file_name=f"{name}.jsonl", text=write_json_lines(events))
        if request.format == hands_pb2.EXPORT_FORMAT_TEXT:
            names = await task.query(lambda state: _names(state.night))
            return pb.ExportHandResponse(file_name=f"{name}.txt", text=write_text(events, players=names))
        text = await task.query(lambda state: _phh(state, span, events))
        return pb.ExportHandResponse(file_name=f"{name}.phh", text=text)

    async def GetDealProof(self, request: pb.GetDealProofRequest, context: Context) -> pb.GetDealProofResponse:
        """Open the cards of a deal that the caller saw (GEN-08). Deck and key come from the row and are kept nowhere else."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        deal = task.log.deals.find(request.hand_number, request.attempt if request.HasField("attempt") else None)
        given = await task.read_input(deal.row_seq)
        assert isinstance(given, inp.SealDeck)  # noqa: S101 - the row that sealed the deck
        seen = task.log.slice(deal.root_number, deal.last_number, viewer_seat(task))
        context_of_deal = DealContext(
            night_id=task.night_id,
            table_id=task.table_id,
            hand_number=deal.sealed.hand_number,
            attempt=deal.sealed.attempt,
            n_cards=deal.sealed.n_cards,
        )
        openings = self._sealer.open_seen(
            context_of_deal, given.deck_order, given.key, [numbered.event for numbered in seen]
        )
        return pb.GetDealProofResponse(proof=convert_views.deal_proof(deal, openings))


def _seen(task: NightTask, span: HandSpan) -> list[NumberedEvent]:
    """The hand's events as the caller may see them."""
    return task.log.slice(span.first_number, span.last_number, viewer_seat(task))


def _game_ids(state: NightState, spans: Sequence[HandSpan]) -> list[str]:
    """The game of each hand: where the dealer calls it, that of its row on the sheet."""
    rows, posted = state.night.rows, state.night.created.game.id
    return [rows[span.hand_number - 1].game_id or posted for span in spans]


def _summary(span: HandSpan, seen: list[NumberedEvent], game_id: str) -> hands_pb2.HandSummary:
    board: list[int] = []
    won_chips: dict[int, int] = {}
    for numbered in seen:
        if isinstance(numbered.event, ev.BoardDealt):
            board += numbered.event.cards
        elif isinstance(numbered.event, ev.CommonCardDealt):
            board.append(numbered.event.card)
        elif isinstance(numbered.event, ev.PotDivided):
            won_chips = {seat: chips for seat, chips in enumerate(numbered.event.shares) if chips}
        elif isinstance(numbered.event, ev.LayerAwarded):
            for share in numbered.event.shares:
                won_chips[share.seat] = won_chips.get(share.seat, 0) + share.chips
    return hands_pb2.HandSummary(
        hand_number=span.hand_number,
        started_at_ms=span.started_at_ms,
        ended_at_ms=span.ended_at_ms,
        first_number=span.first_number,
        last_number=span.last_number,
        board=cards(board),
        awards=convert.shares(ev.Share(seat=seat, chips=chips) for seat, chips in sorted(won_chips.items())),
        void_deals=span.void_deals,
        game_id=game_id,
    )


def _phh(state: NightState, span: HandSpan, events: list[ev.AnyEvent]) -> str:
    completed = state.hands.get(span.hand_number)
    if completed is None:
        raise NotFound("hand", str(span.hand_number))
    return write_phh(completed.hand, completed.rules, events, game=completed.game, players=_names(state.night))


def _names(night: Night) -> list[str]:
    """Name of each seat, empty for an empty one."""
    return [night.seated[seat].name if seat in night.seated else "" for seat in range(night.created.n_seats)]


def _read_page_token(token: str) -> int:
    if not token:
        return 0
    if not (token.isascii() and token.isdecimal()):
        raise InputError("not a token of a page", field="page_token")
    return int(token)
