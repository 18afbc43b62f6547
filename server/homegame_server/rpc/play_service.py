"""PlayService: the decisions of players."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from homegame.v1 import play_service_pb2 as pb
from homegame.v1.play_service_pb2_grpc import PlayServiceServicer
from homegame_engine.errors import NotAllowed
from homegame_engine.events import TimeBankUsed
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from homegame_server.rpc import convert
from homegame_server.rpc.call import current
from homegame_server.rpc.nights import find_table, submit

if TYPE_CHECKING:
    import grpc

    from homegame_engine.night import Night
    from homegame_engine.night.inputs import AnyInput
    from homegame_server.runtime.registry import Registry

    Context = grpc.aio.ServicerContext[Any, Any]


class PlayService(PlayServiceServicer):
    """See play_service.proto."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def Act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:
        """Act for the caller's seat."""
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
