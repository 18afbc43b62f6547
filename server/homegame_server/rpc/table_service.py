"""TableService: joining, sitting and watching."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from homegame.v1 import table_service_pb2 as pb
from homegame.v1.table_service_pb2_grpc import TableServiceServicer
from homegame_engine.events import SeatTaken, StackReset
from homegame_engine.night import inputs as inp
from homegame_engine.night.playoff import tied_leaders
from homegame_engine.night.table_view import table_view
from homegame_server import errors
from homegame_server.auth.tokens import Caller, Role
from homegame_server.rpc import convert_views
from homegame_server.rpc.call import current
from homegame_server.rpc.nights import find_table, submit, viewer_seat

if TYPE_CHECKING:
    from collections.abc import Callable

    import grpc

    from homegame.v1 import views_pb2
    from homegame_engine.night import Night
    from homegame_engine.night.inputs import AnyInput
    from homegame_server.auth.tokens import TokenSigner
    from homegame_server.runtime.clock import Clock
    from homegame_server.runtime.entropy import Entropy
    from homegame_server.runtime.night_task import Accepted, NightState, NightTask
    from homegame_server.runtime.publisher import Reader
    from homegame_server.runtime.registry import Registry

    Context = grpc.aio.ServicerContext[Any, Any]


class TableService(TableServiceServicer):
    """See table_service.proto."""

    def __init__(self, registry: Registry, signer: TokenSigner, clock: Clock, entropy: Entropy) -> None:
        self._registry = registry
        self._signer = signer
        self._clock = clock
        self._entropy = entropy

    async def JoinTable(self, request: pb.JoinTableRequest, context: Context) -> pb.JoinTableResponse:
        """Join the night as a new participant."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        accepted = await submit(
            task,
            lambda _night, _at_ms: inp.JoinNight(
                participant_id=self._entropy.new_id("person"), name=request.display_name
            ),
        )
        joined = accepted.given
        assert isinstance(joined, inp.JoinNight)  # noqa: S101 - what was handed in
        caller = Caller(Role.PARTICIPANT, request.night_id, joined.participant_id)
        return pb.JoinTableResponse(
            participant_id=joined.participant_id,
            participant_token=self._signer.sign(caller, accepted.at_ms),
            last_number=accepted.last_number,
            accepted_at_ms=accepted.at_ms,
        )

    async def TakeSeat(self, request: pb.TakeSeatRequest, context: Context) -> pb.TakeSeatResponse:
        """Take a seat before play."""
        seat = request.seat if request.HasField("seat") else None
        accepted = await self._hand_in(
            request.night_id, request.table_id, lambda caller: inp.TakeSeat(participant_id=caller, seat=seat)
        )
        taken = [event.seat for event in accepted.happened if isinstance(event, SeatTaken)]
        current().log["seat"] = taken[-1]
        return pb.TakeSeatResponse(seat=taken[-1], last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def LeaveTable(self, request: pb.LeaveTableRequest, context: Context) -> pb.LeaveTableResponse:
        """Leave the seat."""
        accepted = await self._hand_in(
            request.night_id, request.table_id, lambda caller: inp.LeaveSeat(participant_id=caller)
        )
        return pb.LeaveTableResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def AcknowledgePosting(
        self, request: pb.AcknowledgePostingRequest, context: Context
    ) -> pb.AcknowledgePostingResponse:
        """Acknowledge the posting (GEN-06)."""
        accepted = await self._hand_in(
            request.night_id, request.table_id, lambda caller: inp.AcknowledgePosting(participant_id=caller)
        )
        return pb.AcknowledgePostingResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def SitOut(self, request: pb.SitOutRequest, context: Context) -> pb.SitOutResponse:
        """Pass the coming deals (PTS-019), or the called hand alone (GAME-DC-02)."""
        accepted = await self._hand_in(
            request.night_id,
            request.table_id,
            lambda caller: inp.SitOut(participant_id=caller, this_hand=request.this_hand),
        )
        return pb.SitOutResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def SitIn(self, request: pb.SitInRequest, context: Context) -> pb.SitInResponse:
        """Take part again from the next deal."""
        accepted = await self._hand_in(
            request.night_id, request.table_id, lambda caller: inp.SitIn(participant_id=caller)
        )
        return pb.SitInResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def AgreeToResets(self, request: pb.AgreeToResetsRequest, context: Context) -> pb.AgreeToResetsResponse:
        """Agree to the format's reset, or take that back (PTS-B3-03)."""
        accepted = await self._hand_in(
            request.night_id,
            request.table_id,
            lambda caller: inp.AgreeToResets(participant_id=caller, agrees=request.agrees),
        )
        return pb.AgreeToResetsResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def ResetStack(self, request: pb.ResetStackRequest, context: Context) -> pb.ResetStackResponse:
        """Take the one reset (PTS-B3-03)."""
        accepted = await self._hand_in(
            request.night_id, request.table_id, lambda caller: inp.ResetStack(participant_id=caller)
        )
        issued = [event.chips for event in accepted.happened if isinstance(event, StackReset)]
        return pb.ResetStackResponse(chips=issued[-1], last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def AskForPlayoff(self, request: pb.AskForPlayoffRequest, context: Context) -> pb.AskForPlayoffResponse:
        """Ask for the short hand between tied leaders, or decline it (PTS-B3-05)."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        caller = current().caller.participant_id

        def build(night: Night, _at_ms: int) -> AnyInput:
            draw = self._entropy.draw_below(max(1, len(tied_leaders(night))))
            return inp.AskForPlayoff(participant_id=caller, agrees=request.agrees, button_draw=draw)

        accepted = await submit(task, build)
        return pb.AskForPlayoffResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def _hand_in(self, night_id: str, table_id: str, make: Callable[[str], AnyInput]) -> Accepted:
        task = await find_table(self._registry, night_id, table_id)
        caller = current().caller.participant_id

        def build(_night: Night, _at_ms: int) -> AnyInput:
            return make(caller)

        return await submit(task, build)

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        """Show the table as the caller may see it."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        viewer_id = current().caller.participant_id
        return pb.GetTableResponse(table=await task.query(lambda state: self._view(task, state, viewer_id)))

    def _view(self, task: NightTask, state: NightState, viewer_id: str) -> views_pb2.TableView:
        return convert_views.table(
            table_view(state.night, task.log.seats.get(viewer_id)),
            state.night,
            table_id=task.table_id,
            viewer_id=viewer_id,
            last_number=task.log.last_number,
            server_time_ms=self._clock.now_ms(),
        )

    async def WatchTable(self, request: pb.WatchTableRequest, context: Context) -> None:  # type: ignore[override]
        """Stream the table's events after a number: first the old ones, then each as it happens."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        reader = task.log.watch(request.after_seq)
        try:
            await _write_frames(task, reader, context)
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if not reader.is_dropped or this is None:
                raise  # The client has gone.
            this.uncancel()
            raise errors.lagged(reader.written_number) from None
        finally:
            reader.close()


async def _write_frames(task: NightTask, reader: Reader, context: Context) -> None:
    """Write until the night is closed and everything is read. Encoded frames go out as they are."""
    while True:
        # The seat may be taken while the stream runs; from then on the stream is that seat's.
        frame = reader.next_frame(viewer_seat(task))
        if frame is not None:
            await context.write(frame.data)
            reader.written_number = frame.last_number
        elif not await reader.wait():
            return
