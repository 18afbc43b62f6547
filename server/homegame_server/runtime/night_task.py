"""One task owns one night: it takes inputs in order, makes each durable, publishes it, and only then answers.

Strictly: take an input, let the engine judge it, append the row, commit, publish, reply. A refusal leaves no row. If the
store fails, the night in memory is given up and read again from the journal: what is stored is what happened, also where
the answer was lost. An invariant that breaks stops the table: nothing is accepted any more, and the evidence is kept.

Besides what people ask for, the task feeds what the night's own clock owes (`Night.due`): the next deal, the end of a
decision window, the end of the session. It decides nothing about poker.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from homegame_engine.deal_proof import DealContext
from homegame_engine.errors import (
    HomegameError,
    InputError,
    InvariantError,
    RuleViolation,
)
from homegame_engine.events import NightClosed
from homegame_engine.night import RULES_VERSION, STATE_VERSION, CompletedHand, Due, Night
from homegame_engine.night import inputs as inp
from homegame_engine.night.coming import coming_deck, n_mix_orders
from homegame_engine.night.dealing import CUT_MIN
from homegame_engine.reasons import Reason
from homegame_server import errors
from homegame_server.journal.base import JournalError, JournalRow, TableSpan
from homegame_server.runtime.codec import UnreadableRow, decode_events, decode_input, encode_events, encode_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame_engine.events import AnyEvent
    from homegame_engine.night.inputs import AnyInput
    from homegame_server.config import Limits
    from homegame_server.journal.base import Journal
    from homegame_server.runtime.clock import Alarm, Clock
    from homegame_server.runtime.deal_proof import DealSealer
    from homegame_server.runtime.entropy import Entropy
    from homegame_server.runtime.evidence import Evidence
    from homegame_server.runtime.publisher import TableLog

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes a request the same request: its id, who sent it, and what it said."""

    request_id: str
    caller: str
    body_digest: bytes


@dataclass(frozen=True, slots=True)
class Accepted:
    """An input that is durable, and what its answer is built from: the same now and after any crash."""

    seq: int
    at_ms: int
    given: AnyInput
    happened: tuple[AnyEvent, ...]
    last_number: int
    action_number: int
    request: RequestKey | None


@dataclass(slots=True)
class NightState:
    """A night in memory: the fold of its rows."""

    night: Night
    last_seq: int
    requests: dict[str, Accepted]
    hands: dict[int, CompletedHand]
    """Completed hands by number, for exports; cards leave them through projected events only."""


def _creation(given: AnyInput) -> inp.CreateNight:
    if not isinstance(given, inp.CreateNight):
        raise InputError("a night begins with its creation", field="input")
    return given


class _DoesNotRebuild(Exception):  # noqa: N818 - a finding
    """A stored row whose input no longer leads to the stored state."""


@dataclass(slots=True)
class _Command:
    """An input somebody asks for. `build` makes it at the moment it is judged at."""

    build: Callable[[NightState | None, int], AnyInput]
    request: RequestKey | None
    arrived_at_ms: int
    answer: asyncio.Future[Accepted]


@dataclass(slots=True)
class _Query(Generic[T]):
    """A question, answered between two rows: never from a state that is not durable yet."""

    ask: Callable[[NightState], T]
    arrived_at_ms: int
    answer: asyncio.Future[T]


@dataclass(frozen=True, slots=True)
class TaskParts:
    """What a night's task works with."""

    journal: Journal
    clock: Clock
    entropy: Entropy
    sealer: DealSealer
    evidence: Evidence
    limits: Limits


class NightTask:
    """The owner of one night. All methods belong to the event loop."""

    def __init__(self, night_id: str, table_id: str, parts: TaskParts, log: TableLog) -> None:
        self.night_id = night_id
        self.table_id = table_id
        self.log = log
        self._parts = parts
        self._mailbox: deque[_Command | _Query[Any]] = deque()
        self._woken = asyncio.Event()
        self._state: NightState | None = None
        self._is_new = False
        self._is_frozen = False
        self._is_unreadable = False
        self._is_stopping = False
        self._retry_at_ms: int | None = None
        self._alarm: Alarm | None = None
        self._alarm_at_ms: int | None = None
        self._running: asyncio.Task[None] | None = None

    # --- What others call ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work off the mailbox and the clock."""
        self._running = asyncio.create_task(self._run(), name=f"night {self.night_id}")

    def open_new(self) -> None:
        """Begin a night that has no row yet; its first command creates it."""
        self._is_new = True

    async def open_stored(self) -> None:
        """Read the night from the journal. Raises JournalError."""
        await self._load()

    async def resume_play(self) -> None:
        """Give running windows the time that was left when the server stopped. Before `start` only."""
        if self._state is None or self._is_frozen or self._state.night.due() is None:
            return
        await self._accept(lambda _state, _at_ms: inp.Resume(), self._parts.clock.now_ms(), None)

    async def submit(self, build: Callable[[NightState | None, int], AnyInput], request: RequestKey | None) -> Accepted:
        """Hand in an input and wait until it is durable.

        Args:
            build: Makes the input from the state and the moment (Unix UTC ms) it is judged at; may refuse by raising.
            request: What identifies the request; a repeat gets the first accepted answer.

        Raises:
            HomegameError: the refusal; nothing happened.
        """
        future: asyncio.Future[Accepted] = asyncio.get_running_loop().create_future()
        self._post(_Command(build, request, self._parts.clock.now_ms(), future))
        return await future

    async def query(self, ask: Callable[[NightState], T]) -> T:
        """Answer a question about the last durable state."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._post(_Query(ask, self._parts.clock.now_ms(), future))
        return await future

    async def read_input(self, seq: int) -> AnyInput:
        """Read one stored input again. It may be secret.

        Raises:
            ServiceRefusal: STORE_UNAVAILABLE.
            UnreadableRow: written by a newer program, or damaged.
        """
        try:
            (row,) = await self._parts.journal.read(self.night_id, seq - 1, 1)
        except JournalError as error:
            raise errors.store_unavailable(self._parts.limits.retry_after_ms) from error
        return decode_input(row.input)

    async def stop(self) -> None:
        """Take nothing more in, answer what waits, and end."""
        self._is_stopping = True
        self.log.stop()
        self._woken.set()
        if self._running is not None:
            await self._running

    @property
    def is_resting(self) -> bool:
        """Whether the night is closed, nobody watches and nothing waits: it may be forgotten and read again later."""
        return self.log.is_closed and not self.log.has_readers and not self._mailbox

    @property
    def waiting_count(self) -> int:
        """Requests in the mailbox."""
        return len(self._mailbox)

    # --- The loop --------------------------------------------------------------------------------------------------------

    def _post(self, item: _Command | _Query[Any]) -> None:
        if self._is_stopping:
            raise errors.stopping(self._parts.limits.retry_after_ms)
        if len(self._mailbox) >= self._parts.limits.mailbox_max:
            raise errors.overloaded(self._parts.limits.retry_after_ms)
        self._mailbox.append(item)
        self._woken.set()

    async def _run(self) -> None:
        try:
            while self._mailbox or not self._is_stopping:
                try:
                    await self._step()
                except Exception as error:  # noqa: BLE001 - a bug of this loop; the table stops, the loop answers on
                    self._freeze(error, self._next_seq(), None)
        finally:
            if self._alarm is not None:
                self._alarm.cancel()
            for item in self._mailbox:
                if not item.answer.done():
                    item.answer.set_exception(errors.stopping(self._parts.limits.retry_after_ms))

    async def _step(self) -> None:
        """Do the one thing that is next in time: what the clock owes, or the oldest in the mailbox, or wait."""
        now_ms = self._parts.clock.now_ms()
        head = self._mailbox[0] if self._mailbox else None
        due = self._due(now_ms)
        # What arrived before the clock's moment is judged before it, also if it had to wait for the disk.
        # At the very moment it still comes first: the engine then says that it is too late (PROC-CLK-05).
        is_owed = due is not None and due.at_ms <= now_ms and (head is None or head.arrived_at_ms > due.at_ms)
        if due is not None and is_owed:
            await self._feed(due, now_ms)
        elif head is not None:
            self._mailbox.popleft()
            await self._serve(head)
        elif self._needs_reading(now_ms):
            with contextlib.suppress(HomegameError):
                await self._loaded()
        else:
            await self._sleep(due)

    def _needs_reading(self, now_ms: int) -> bool:
        is_given_up = self._state is None and not (self._is_new or self._is_frozen or self._is_stopping)
        return is_given_up and (self._retry_at_ms or 0) <= now_ms

    async def _sleep(self, due: Due | None) -> None:
        wake_at_ms = due.at_ms if due is not None else self._retry_at_ms
        if wake_at_ms is not None and (self._alarm_at_ms is None or wake_at_ms < self._alarm_at_ms):
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = self._parts.clock.call_at(wake_at_ms, self._ring)
            self._alarm_at_ms = wake_at_ms
        # An alarm that comes before it is needed wakes the loop for a look at the clock. That is rarer than decisions,
        # each of which puts the deadline off.
        await self._woken.wait()
        self._woken.clear()

    def _ring(self) -> None:
        self._alarm = self._alarm_at_ms = None
        self._woken.set()

    def _due(self, now_ms: int) -> Due | None:
        if self._state is None or self._is_frozen or self._is_stopping:
            return None
        return self._state.night.due(now_ms)

    async def _feed(self, due: Due, now_ms: int) -> None:
        """Hand in what the clock owes; a refusal of it is our bug, and asking again would not help."""
        try:
            await self._accept(lambda state, _at_ms: self._owed(due, state), now_ms, None)
        except errors.ServiceRefusal:
            return  # The store failed; the night is read again and owes the same.
        except HomegameError as error:
            self._freeze(error, self._next_seq(), None)

    def _owed(self, due: Due, state: NightState | None) -> AnyInput:
        """The input that the clock owes, with the chance it needs: a shuffle with its seal, or a cut (PROC-SHUF-01, 02)."""
        if due.kind == "DEAL" and state is not None and state.night.session is not None:
            return self._shuffled(state.night, state.night.session.hand_number)
        if due.kind == "CUT" and state is not None and state.night.sealed is not None:
            n_places = len(state.night.sealed.deck_order) - CUT_MIN
            cut_position = CUT_MIN + self._parts.entropy.draw_below(n_places)
            return inp.DrawCut(action_number=due.action_number, cut_position=cut_position)
        if due.kind == "CALL":
            return inp.CallByClock(action_number=due.action_number)
        if due.kind == "TIME_OUT":
            return inp.TimeOut(action_number=due.action_number)
        return inp.FinishSession()

    def _shuffled(self, night: Night, hand_number: int) -> inp.SealDeck:
        """The deck of the coming game in a drawn order, with the orders of reshuffles that it may need (CARD-06)."""
        deck = coming_deck(night)
        deck_order = self._parts.entropy.shuffle_deck(deck)
        mix_orders = self._parts.entropy.draw_mix_orders(len(deck), n_mix_orders(night))
        context = DealContext(
            night_id=self.night_id,
            table_id=self.table_id,
            hand_number=hand_number,
            attempt=night.deal_attempt,
            n_cards=len(deck),
        )
        sealed = self._parts.sealer.seal(context, deck_order, mix_orders)
        return inp.SealDeck(
            deck_order=deck_order, key=sealed.key, root=sealed.root, mix_orders=mix_orders, mix_root=sealed.mix_root
        )

    async def _serve(self, item: _Command | _Query[Any]) -> None:
        if item.answer.cancelled():  # The caller has hung up; it asks again if it wants to know.
            return
        try:
            if isinstance(item, _Query):
                answer = item.ask(await self._loaded())
            else:
                answer = await self._accept(item.build, item.arrived_at_ms, item.request)
        except Exception as error:  # noqa: BLE001 - handed to whoever asked; `rpc.status` tells refusals from bugs
            if not item.answer.done():
                item.answer.set_exception(error)
            return
        if not item.answer.done():
            item.answer.set_result(answer)

    # --- One input -------------------------------------------------------------------------------------------------------

    async def _accept(
        self,
        build: Callable[[NightState | None, int], AnyInput],
        arrived_at_ms: int,
        request: RequestKey | None,
    ) -> Accepted:
        state = None if self._is_new else await self._loaded()
        if state is not None and request is not None and (earlier := state.requests.get(request.request_id)):
            if earlier.request != request:
                raise errors.request_id_reused()
            return earlier
        if self._is_frozen:
            raise self._frozen()
        # Time never runs backwards within a night, whatever the system's clock does.
        at_ms = arrived_at_ms if state is None else max(arrived_at_ms, state.night.last_at_ms)
        given = build(state, at_ms)
        state, happened = self._judge(state, given, at_ms)
        row = self._row(state, given, happened, at_ms, request)
        try:
            await self._parts.journal.append(row)
        except BaseException as error:
            # Written or not is unknown: the journal says, once it can be read again.
            self._state = None
            if isinstance(error, JournalError):
                self._parts.evidence.note_store_failure(self.night_id, row.seq, error)
                raise errors.store_unavailable(self._parts.limits.retry_after_ms) from error
            raise
        self._is_new = False
        self._state = state
        accepted = self._record(state, row, given, happened)
        self._publish(state, row.seq, at_ms, happened)
        return accepted

    def _judge(self, state: NightState | None, given: AnyInput, at_ms: int) -> tuple[NightState, tuple[AnyEvent, ...]]:
        """Let the engine decide.

        Raises:
            HomegameError: the refusal; or TABLE_FROZEN when the engine broke.
        """
        try:
            if state is not None:
                return state, state.night.apply(given, at_ms)
            night, happened = Night.create(_creation(given), at_ms)
            return NightState(night, 0, {}, {}), happened
        except InvariantError as error:
            self._freeze(error, self._next_seq(), encode_input(given))
            raise self._frozen() from error
        except HomegameError:
            raise
        except Exception as error:
            # The engine does not do this; whatever it left half done is not carried on.
            self._freeze(error, self._next_seq(), encode_input(given))
            raise self._frozen() from error

    def _row(
        self,
        state: NightState,
        given: AnyInput,
        happened: tuple[AnyEvent, ...],
        at_ms: int,
        request: RequestKey | None,
    ) -> JournalRow:
        return JournalRow(
            night_id=self.night_id,
            seq=state.last_seq + 1,
            at_ms=at_ms,
            input=encode_input(given),
            events=encode_events(happened),
            state_hash=state.night.state_hash(),
            rules_version=RULES_VERSION,
            state_version=STATE_VERSION,
            request_id=None if request is None else request.request_id,
            caller=None if request is None else request.caller,
            body_digest=None if request is None else request.body_digest,
            tables=(TableSpan(self.table_id, self.log.last_number + 1, len(happened)),),
        )

    def _record(self, state: NightState, row: JournalRow, given: AnyInput, happened: tuple[AnyEvent, ...]) -> Accepted:
        """Take a durable row into the state: what repeats of its request get, and the hand it completed."""
        state.last_seq = row.seq
        request = None
        if row.request_id is not None and row.body_digest is not None:
            request = RequestKey(row.request_id, row.caller or "", row.body_digest)
        (span,) = row.tables
        accepted = Accepted(
            seq=row.seq,
            at_ms=row.at_ms,
            given=given,
            happened=happened,
            last_number=span.first_event_number + span.n_events - 1,
            action_number=state.night.action_number,
            request=request,
        )
        if request is not None:
            state.requests[request.request_id] = accepted
        completed = state.night.completed_hand
        if completed is not None:
            state.hands.setdefault(completed.hand.hand_number, completed)
        return accepted

    def _publish(self, state: NightState, seq: int, at_ms: int, happened: tuple[AnyEvent, ...]) -> None:
        self.log.seats = {person.participant_id: seat for seat, person in state.night.seated.items()}
        self.log.append(seq, at_ms, happened)
        if any(isinstance(event, NightClosed) for event in happened):
            self.log.close()

    # --- Reading the journal ---------------------------------------------------------------------------------------------

    async def _loaded(self) -> NightState:
        """Return the state, reading it again if it was given up. Raises STORE_UNAVAILABLE."""
        if self._state is None:
            if self._is_unreadable:
                raise self._frozen()
            try:
                await self._load()
            except JournalError as error:
                limits = self._parts.limits
                self._retry_at_ms = self._parts.clock.now_ms() + limits.store_retry_ms
                raise errors.store_unavailable(limits.retry_after_ms) from error
            self._retry_at_ms = None
        if self._state is None:
            self._is_unreadable = True
            raise self._frozen()
        return self._state

    async def _load(self) -> None:
        """Fold the stored rows into a state and publish what is not published yet.

        A row whose state does not come out as stored stops the table (PROC-VOID-03): its events are still read from the
        rows, but nothing is accepted any more.
        """
        state: NightState | None = None
        is_broken = False
        async for row in self._parts.journal.replay(self.night_id):
            try:
                given, happened = decode_input(row.input), decode_events(row.events)
                if not is_broken:
                    state = self._refold(state, row, given)
            except (UnreadableRow, _DoesNotRebuild) as error:
                is_broken = True
                self._freeze(error, row.seq, row.input)
                if isinstance(error, UnreadableRow):
                    break
            if state is None:
                break
            if not is_broken:
                self._record(state, row, given, happened)
            (span,) = row.tables
            if span.first_event_number > self.log.last_number:
                self._publish(state, row.seq, row.at_ms, happened)
        self._state = state

    def _refold(self, state: NightState | None, row: JournalRow, given: AnyInput) -> NightState:
        """Apply one stored input. Raises _DoesNotRebuild."""
        try:
            if state is None:
                night, _ = Night.create(_creation(given), row.at_ms)
                state = NightState(night, 0, {}, {})
            else:
                state.night.apply(given, row.at_ms)
        except Exception as error:
            raise _DoesNotRebuild(f"row {row.seq}: the stored input is refused") from error
        if state.night.state_hash() != row.state_hash:
            raise _DoesNotRebuild(f"row {row.seq} does not rebuild the stored state")
        return state

    # --- Stopping the table ----------------------------------------------------------------------------------------------

    def _freeze(self, error: BaseException, seq: int, given: bytes | None) -> None:
        """Stop the table and keep what shows why (GEN-04). `seq` is the row that broke it."""
        self._is_frozen = True
        self._parts.evidence.keep(self.night_id, seq, error, given)
        # The state may be half changed; the journal holds the last good one.
        self._state = None

    def _next_seq(self) -> int:
        return 1 if self._state is None else self._state.last_seq + 1

    def _frozen(self) -> RuleViolation:
        return RuleViolation(
            Reason.TABLE_FROZEN,
            "GEN-04",
            message="The table is stopped: something did not balance. The operator has been alarmed; nothing is lost.",
        )
