"""PlayService: the decisions of players."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from homegame.v1 import play_service_pb2 as pb
from homegame.v1.play_service_pb2_grpc import PlayServiceServicer
from homegame_engine import catalog
from homegame_engine.errors import NotAllowed, RuleViolation, SpecError
from homegame_engine.events import GameCalled, TimeBankUsed
from homegame_engine.night import inputs as inp
from homegame_engine.night.calling import check_caller
from homegame_engine.reasons import Reason
from homegame_server.rpc import convert
from homegame_server.rpc.call import current
from homegame_server.rpc.nights import find_table, submit, viewer_seat
from homegame_server.rpc.play_stream import PlayStream

if TYPE_CHECKING:
    import grpc
    from google.protobuf.message import Message
    from google.rpc import status_pb2

    from homegame_engine.night import Night
    from homegame_engine.night.inputs import AnyInput
    from homegame_server.rpc.interceptors import Requests
    from homegame_server.runtime.registry import Registry

    Context = grpc.aio.ServicerContext[Any, Any]

_ACT: Final = "/homegame.v1.PlayService/Act"
_USE_TIME_BANK: Final = "/homegame.v1.PlayService/UseTimeBank"
_CALL_GAME: Final = "/homegame.v1.PlayService/CallGame"
_CALLED_FILE: Final = "call.toml"
_LOW_RANKINGS: Final[dict[str, Literal["ACE_TO_FIVE", "ACE_TO_SIX"] | None]] = {
    "": None,
    "ACE_TO_FIVE": "ACE_TO_FIVE",
    "ACE_TO_SIX": "ACE_TO_SIX",
}


class PlayService(PlayServiceServicer):
    """See play_service.proto."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def Act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:
        """Act for the caller's seat."""
        return await self._act(request)

    async def _act(self, request: pb.ActRequest) -> pb.ActResponse:
        task = await find_table(self._registry, request.night_id, request.table_id)
        call = current()
        caller = call.caller.participant_id
        action = convert.action(request.action)

        def build(night: Night, _at_ms: int) -> AnyInput:
            seat = night.seat_of(caller)
            call.log["seat"] = seat
            if night.session is not None:
                call.log["hand"] = night.session.hand_number
            if request.HasField("seat") and request.seat != seat:
                raise NotAllowed(Reason.NOT_YOUR_ROLE, "That seat is not yours.")
            return inp.Act(participant_id=caller, action_number=request.action_number, action=action)

        accepted = await submit(task, build)
        return pb.ActResponse(
            last_number=accepted.last_number,
            action_number=accepted.action_number,
            accepted_at_ms=accepted.at_ms,
        )

    async def UseTimeBank(self, request: pb.UseTimeBankRequest, context: Context) -> pb.UseTimeBankResponse:
        """Take a token for the running window (PROC-CLK-02)."""
        return await self._use_time_bank(request)

    async def _use_time_bank(self, request: pb.UseTimeBankRequest) -> pb.UseTimeBankResponse:
        task = await find_table(self._registry, request.night_id, request.table_id)
        call = current()
        caller = call.caller.participant_id

        def build(night: Night, _at_ms: int) -> AnyInput:
            call.log["seat"] = night.seat_of(caller)
            return inp.UseTimeBank(participant_id=caller, action_number=request.action_number)

        accepted = await submit(task, build)
        used = [event for event in accepted.happened if isinstance(event, TimeBankUsed)][-1]
        return pb.UseTimeBankResponse(
            last_number=accepted.last_number,
            deadline_at_ms=used.deadline_at_ms,
            tokens_left=used.tokens_left,
            accepted_at_ms=accepted.at_ms,
        )

    async def CallGame(self, request: pb.CallGameRequest, context: Context) -> pb.CallGameResponse:
        """Call the game of the coming hand (GAME-DC-01)."""
        return await self._call_game(request)

    async def _call_game(self, request: pb.CallGameRequest) -> pb.CallGameResponse:
        task = await find_table(self._registry, request.night_id, request.table_id)
        call = current()
        caller = call.caller.participant_id

        def build(night: Night, at_ms: int) -> AnyInput:
            call.log["seat"] = night.seat_of(caller)
            # Whose call it is comes before what is called.
            check_caller(night, caller, request.action_number, at_ms)
            return _called(request.call, caller, request.action_number)

        accepted = await submit(task, build)
        called = [event for event in accepted.happened if isinstance(event, GameCalled)][-1]
        return pb.CallGameResponse(
            last_number=accepted.last_number,
            action_number=accepted.action_number,
            deadline_at_ms=called.deadline_at_ms,
            accepted_at_ms=accepted.at_ms,
        )

    async def Play(self, request_iterator: Requests, context: Context) -> None:  # type: ignore[override]
        """Play the caller's seat over one stream."""
        requests = request_iterator
        opening: pb.PlayOpening = requests.opening
        task = await find_table(self._registry, opening.night_id, opening.table_id)
        seat = viewer_seat(task)
        if seat is None:
            raise NotAllowed(Reason.NOT_YOUR_ROLE, "Only somebody with a seat at this table can play.")
        current().log["seat"] = seat

        async def judge(given: pb.PlayInput) -> pb.PlayAnswer:
            return await self._judge(requests, opening, given)

        await PlayStream(task, opening.after_seq, requests, judge, context).run()

    async def _judge(self, requests: Requests, opening: pb.PlayOpening, given: pb.PlayInput) -> pb.PlayAnswer:
        """Handle a decision as the unary call that it stands for: with that call's checks, repeats and log line."""
        answer = pb.PlayAnswer(request_id=given.request_id)
        ids: dict[str, Any] = {
            "request_id": given.request_id,
            "night_id": opening.night_id,
            "table_id": opening.table_id,
            "action_number": given.action_number,
        }
        response: Message | status_pb2.Status
        if given.WhichOneof("input") == "time_bank_token":
            response = await requests.judge(_USE_TIME_BANK, pb.UseTimeBankRequest(**ids), self._use_time_bank)
        elif given.WhichOneof("input") == "call":
            request = pb.CallGameRequest(call=given.call, **ids)
            response = await requests.judge(_CALL_GAME, request, self._call_game)
        else:
            action = given.action if given.HasField("action") else None
            response = await requests.judge(_ACT, pb.ActRequest(action=action, **ids), self._act)
        if isinstance(response, pb.ActResponse):
            answer.accepted.CopyFrom(response)
        elif isinstance(response, pb.UseTimeBankResponse):
            answer.time_bank_used.CopyFrom(response)
        elif isinstance(response, pb.CallGameResponse):
            answer.called.CopyFrom(response)
        else:
            answer.refused = response.SerializeToString()
        return answer


def _called(message: pb.GameCall, caller: str, action_number: int) -> inp.CallGame:
    """The input of a call. Raises NotFound; RuleViolation when a game of one's own cannot be played."""
    is_library = message.WhichOneof("game") == "game_id"
    if is_library:
        game = catalog.game_by(message.game_id)
    else:
        try:
            game = catalog.load_game(message.game_text, _CALLED_FILE)
        except SpecError as error:
            raise RuleViolation(Reason(error.reason), error.rule_id, {"line": error.line}, error.message) from error
    return inp.CallGame(
        participant_id=caller,
        action_number=action_number,
        game=game,
        is_library=is_library or game == catalog.games().get(game.id),
        explanation=message.explanation,
        ante_chips=message.ante_chips if message.HasField("ante_chips") else None,
        options=inp.CallOptions(
            low_ranking=_LOW_RANKINGS[message.low_ranking],
            low_qualifier=message.low_qualifier if message.HasField("low_qualifier") else None,
            cards_speak=message.cards_speak,
            redeal_if_no_open=message.redeal_if_no_open if message.HasField("redeal_if_no_open") else None,
        ),
    )
