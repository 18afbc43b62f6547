"""NightService: the host's side of a night."""

# ruff: noqa: ARG002, N802 - the contract names the methods, gRPC their arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from homegame.v1 import night_service_pb2 as pb
from homegame.v1.night_service_pb2_grpc import NightServiceServicer
from homegame_engine import catalog
from homegame_engine.errors import InputError, RuleViolation, SpecError
from homegame_engine.events import CutoffPosted
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from homegame_engine.specs import DealerCallsSpec
from homegame_engine.stakes import level_rules
from homegame_server.auth.tokens import Caller, Role
from homegame_server.rpc import convert_catalog, convert_views
from homegame_server.rpc.call import current
from homegame_server.rpc.nights import find_night, find_table, submit

if TYPE_CHECKING:
    import grpc

    from homegame_engine.night import Night
    from homegame_engine.night.inputs import AnyInput
    from homegame_engine.specs import FormatSpec, GameSpec, HouseSpec
    from homegame_server.auth.tokens import TokenSigner
    from homegame_server.runtime.clock import Clock
    from homegame_server.runtime.entropy import Entropy
    from homegame_server.runtime.night_task import NightState
    from homegame_server.runtime.registry import Registry

    Context = grpc.aio.ServicerContext[Any, Any]

_FIELDS: Final = {"n_seats": "seats", "decision_ms": "decision_window_ms", "cut_ms": "cut_window_ms"}
_HOST_NAME: Final = "Host"
_DESIGNERS_FILE: Final = "game.toml"
_MS_PER_SECOND: Final = 1000


# What an opening of a table may name, by its names in the contract and in the engine.
_SIZES: Final = {
    "small_blind_chips": "small_blind",
    "big_blind_chips": "big_blind",
    "ante_chips": "ante",
    "bring_in_chips": "bring_in",
    "small_bet_chips": "small_bet",
    "big_bet_chips": "big_bet",
    "stake_chips": "stake",
    "start_chips": "start_chips",
}
_KILLS: Final = {value: name for name, value in convert_catalog.KILLS.items()}
_STRUCTURES: Final = {value: name for name, value in convert_catalog.STRUCTURES.items()}


def _what_is_played(request: pb.CreateNightRequest) -> tuple[FormatSpec, GameSpec, HouseSpec]:
    """The format, its game and its house: a posted format, or a table of one game.

    Raises:
        NotFound: FORMAT_UNKNOWN, or no such game or house.
        SpecError: GAME_NOT_DESCRIBABLE, CONFIG_INVALID, BAD_DECK, TOO_MANY_PLAYERS.
        RuleViolation: CONFIG_INVALID, kill pots outside limit (KILL-01).
    """
    if not request.HasField("table"):
        played = catalog.format_by(request.format_id)
        house = catalog.house(request.house_id if request.HasField("house_id") else played.house)
        return played, catalog.game(played.blocks[0].game), house
    table = request.table
    if table.WhichOneof("game") == "game_text":
        game = catalog.load_game(table.game_text, _DESIGNERS_FILE)
    else:
        game = catalog.game_by(table.game_id)
    house = catalog.house(table.house_id)
    named = {field.name: value for field, value in table.ListFields() if field.name in _SIZES}
    sizes: dict[str, Any] = {_SIZES[name]: value for name, value in named.items()}
    if table.HasField("structure"):
        sizes["structure"] = _STRUCTURES[table.structure]
    if table.HasField("kill"):
        house = msgspec.structs.replace(house, kill=_KILLS[table.kill])
    played = catalog.table_format(game, house, **sizes)
    rules = level_rules(house, played.levels[0], played.betting.structure)
    if table.HasField("kill") and rules.kill != _KILLS[table.kill]:
        raise RuleViolation(Reason.CONFIG_INVALID, "KILL-01", message="Kill pots are a game of limit.")
    return played, game, house


class NightService(NightServiceServicer):
    """See night_service.proto."""

    def __init__(
        self, registry: Registry, signer: TokenSigner, clock: Clock, entropy: Entropy, *, hand_pause_ms: int
    ) -> None:
        self._registry = registry
        self._signer = signer
        self._clock = clock
        self._entropy = entropy
        self._hand_pause_ms = hand_pause_ms

    async def CreateNight(self, request: pb.CreateNightRequest, context: Context) -> pb.CreateNightResponse:
        """Create a night with one table."""
        call = current()
        assert call.request_key is not None  # noqa: S101 - no money: the gateway gives every mutation one
        # The id follows from the request's, so that a repeat finds the night it made, also after a crash.
        night_id = self._signer.derive_night_id(request.request_id)
        call.log["night"] = night_id

        def build(state: NightState | None, at_ms: int) -> AnyInput:
            if state is not None:
                raise InputError("a night is created once", field="request_id")
            return self._creation(request, night_id, at_ms)

        try:
            task, accepted = await self._registry.create(night_id, build, call.request_key)
        except SpecError:
            raise  # Its field is a designer's own.
        except InputError as error:
            # The engine names its own fields; the caller reads the contract's.
            raise InputError(error.message, field=_FIELDS.get(error.field, error.field)) from error
        created = accepted.given
        assert isinstance(created, inp.CreateNight)  # noqa: S101 - what `build` made
        host = Caller(Role.HOST, night_id, created.host_id)
        return pb.CreateNightResponse(
            night_id=night_id,
            host_token=self._signer.sign(host, accepted.at_ms),
            host_participant_id=created.host_id,
            table_ids=[task.table_id],
            accepted_at_ms=accepted.at_ms,
        )

    def _creation(self, request: pb.CreateNightRequest, night_id: str, at_ms: int) -> inp.CreateNight:
        played, game, house = _what_is_played(request)
        calls = played.procedures.dealer_calls or DealerCallsSpec()
        cutoff_at_ms: int | None = None
        if request.HasField("cutoff_at_ms"):
            cutoff_at_ms = request.cutoff_at_ms
        elif request.HasField("cutoff_in_ms"):
            cutoff_at_ms = at_ms + request.cutoff_in_ms
        return inp.CreateNight(
            night_id=night_id,
            name=request.name,
            host_id=self._entropy.new_id("person"),
            host_name=request.host_name if request.HasField("host_name") else _HOST_NAME,
            format=played,
            game=game,
            house=house,
            n_seats=request.seats if request.HasField("seats") else played.players.max,
            decision_ms=(
                request.decision_window_ms
                if request.HasField("decision_window_ms")
                else played.clock.decision_seconds * _MS_PER_SECOND
            ),
            hand_pause_ms=request.hand_pause_ms if request.HasField("hand_pause_ms") else self._hand_pause_ms,
            cutoff_at_ms=cutoff_at_ms,
            cut_ms=(
                request.cut_window_ms
                if request.HasField("cut_window_ms")
                else played.clock.cut_seconds * _MS_PER_SECOND
            ),
            time_bank_ms=(
                request.time_bank_ms
                if request.HasField("time_bank_ms")
                else played.clock.time_bank_seconds * _MS_PER_SECOND
            ),
            time_bank_tokens=(
                request.time_bank_tokens if request.HasField("time_bank_tokens") else played.clock.time_bank_tokens
            ),
            call_ms=request.call_window_ms
            if request.HasField("call_window_ms")
            else calls.call_seconds * _MS_PER_SECOND,
            sit_out_ms=(
                request.sit_out_window_ms
                if request.HasField("sit_out_window_ms")
                else calls.window_seconds * _MS_PER_SECOND
            ),
        )

    async def PostCutoff(self, request: pb.PostCutoffRequest, context: Context) -> pb.PostCutoffResponse:
        """Post or move the cutoff (PTS-003)."""
        caller = current().caller.participant_id

        def build(_night: Night, at_ms: int) -> AnyInput:
            is_moment = request.WhichOneof("cutoff") == "cutoff_at_ms"
            cutoff_at_ms = request.cutoff_at_ms if is_moment else at_ms + request.cutoff_in_ms
            return inp.PostCutoff(participant_id=caller, cutoff_at_ms=cutoff_at_ms)

        accepted = await submit(await find_night(self._registry, request.night_id), build)
        posted = [event.cutoff_at_ms for event in accepted.happened if isinstance(event, CutoffPosted)]
        return pb.PostCutoffResponse(cutoff_at_ms=posted[-1], accepted_at_ms=accepted.at_ms)

    async def RecordReadAloud(self, request: pb.RecordReadAloudRequest, context: Context) -> pb.RecordReadAloudResponse:
        """Record that the posting was read aloud (GEN-06)."""
        caller = current().caller.participant_id
        task = await find_night(self._registry, request.night_id)
        accepted = await submit(task, lambda _night, _at_ms: inp.RecordReadAloud(participant_id=caller))
        return pb.RecordReadAloudResponse(accepted_at_ms=accepted.at_ms)

    async def OpenNight(self, request: pb.OpenNightRequest, context: Context) -> pb.OpenNightResponse:
        """Open the night; the first button is drawn here (PROC-SEAT-05)."""
        caller = current().caller.participant_id

        def build(night: Night, _at_ms: int) -> AnyInput:
            # Without anybody seated there is nothing to draw; the engine then refuses for its own reason.
            draw = self._entropy.draw_below(max(1, len(night.seated)))
            return inp.OpenNight(participant_id=caller, button_draw=draw)

        task = await find_night(self._registry, request.night_id)
        accepted = await submit(task, build)
        cutoff_at_ms = await task.query(lambda state: state.night.cutoff_at_ms)
        return pb.OpenNightResponse(cutoff_at_ms=cutoff_at_ms or 0, accepted_at_ms=accepted.at_ms)

    async def CloseNight(self, request: pb.CloseNightRequest, context: Context) -> pb.CloseNightResponse:
        """Close the night."""
        caller = current().caller.participant_id
        task = await find_night(self._registry, request.night_id)
        accepted = await submit(task, lambda _night, _at_ms: inp.CloseNight(participant_id=caller))
        return pb.CloseNightResponse(accepted_at_ms=accepted.at_ms)

    async def VoidHand(self, request: pb.VoidHandRequest, context: Context) -> pb.VoidHandResponse:
        """Declare the running hand void (PROC-VOID-01)."""
        caller = current().caller.participant_id

        def build(night: Night, _at_ms: int) -> AnyInput:
            session = night.session
            if session is not None and session.hand_is_live and session.hand_number != request.hand_number:
                raise RuleViolation(
                    Reason.HAND_OVER,
                    "PROC-VOID-01",
                    {"hand_number": session.hand_number},
                    "That hand is not running.",
                )
            return inp.VoidHand(participant_id=caller, reason=request.reason)

        task = await find_table(self._registry, request.night_id, request.table_id)
        accepted = await submit(task, build)
        return pb.VoidHandResponse(last_number=accepted.last_number, accepted_at_ms=accepted.at_ms)

    async def GetNight(self, request: pb.GetNightRequest, context: Context) -> pb.GetNightResponse:
        """Show a night."""
        task = await find_night(self._registry, request.night_id)
        night = await task.query(
            lambda state: convert_views.night(state.night, table_id=task.table_id, last_number=task.log.last_number)
        )
        return pb.GetNightResponse(night=night, server_time_ms=self._clock.now_ms())

    async def GetScoresheet(self, request: pb.GetScoresheetRequest, context: Context) -> pb.GetScoresheetResponse:
        """Show the sheet (PROC-SHEET-01)."""
        task = await find_table(self._registry, request.night_id, request.table_id)
        sheet = await task.query(lambda state: convert_views.scoresheet(state.night, table_id=task.table_id))
        return pb.GetScoresheetResponse(scoresheet=sheet)
