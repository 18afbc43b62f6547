"""Which nights this process serves: finds the task of a night, reads it from the journal when it must, starts new ones."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from homegame_engine.errors import NotFound
from homegame_engine.events import NightClosed
from homegame_server import errors
from homegame_server.journal.base import JournalError
from homegame_server.runtime.codec import UnreadableRow, decode_events
from homegame_server.runtime.night_task import NightTask, TaskParts
from homegame_server.runtime.publisher import Encoder, TableLog

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame_engine.night.inputs import AnyInput
    from homegame_server.runtime.night_task import Accepted, NightState, RequestKey

TABLE_ID: Final = "table-1"
"""Nights have one table so far; its id is unique within the night."""

_log = logging.getLogger("homegame.runtime")


class Registry:
    """The nights of this process. All methods belong to the event loop."""

    def __init__(self, parts: TaskParts, encoder: Encoder) -> None:
        self._parts = parts
        self._encoder = encoder
        self._tasks: dict[str, NightTask] = {}
        # Held for as long as somebody opens the night, then gone by itself.
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._is_stopping = False

    @property
    def is_stopping(self) -> bool:
        """Whether the server goes down."""
        return self._is_stopping

    @property
    def loaded_count(self) -> int:
        """Nights in memory."""
        return len(self._tasks)

    async def recover(self) -> int:
        """Bring back every night that is not closed, with its running windows; return how many.

        Raises:
            JournalError: the journal cannot be read.
        """
        recovered = 0
        for head in await self._parts.journal.list_nights():
            if await self._is_closed(head.night_id, head.last_seq):
                continue
            task = self._make(head.night_id)
            await task.open_stored()
            await task.resume_play()
            self._tasks[head.night_id] = task
            task.start()
            recovered += 1
        return recovered

    async def create(
        self,
        night_id: str,
        build: Callable[[NightState | None, int], AnyInput],
        request: RequestKey,
    ) -> tuple[NightTask, Accepted]:
        """Create a night, or repeat the answer to the request that created it.

        Raises:
            HomegameError: the refusal; no night exists.
        """
        self._check_running()
        async with self._lock(night_id):
            task = await self._find(night_id)
            if task is None:
                task = self._make(night_id)
                task.open_new()
                task.start()
            try:
                accepted = await task.submit(build, request)
            except BaseException:
                if night_id not in self._tasks:
                    await task.stop()
                raise
            self._tasks[night_id] = task
        return task, accepted

    async def find(self, night_id: str) -> NightTask:
        """Return the task of a night.

        Raises:
            NotFound: there is no such night.
            ServiceRefusal: STOPPING, STORE_UNAVAILABLE.
        """
        self._check_running()
        task = self._tasks.get(night_id)
        if task is None:
            async with self._lock(night_id):
                task = await self._find(night_id)
        if task is None:
            raise NotFound("night", night_id)
        return task

    async def stop(self) -> None:
        """Take nothing more in, end every watcher, answer what waits."""
        self._is_stopping = True
        await asyncio.gather(*(task.stop() for task in tuple(self._tasks.values())))

    async def _find(self, night_id: str) -> NightTask | None:
        task = self._tasks.get(night_id)
        if task is not None:
            return task
        try:
            if await self._parts.journal.last_seq(night_id) == 0:
                return None
            task = self._make(night_id)
            await task.open_stored()
        except JournalError as error:
            raise errors.store_unavailable(self._parts.limits.retry_after_ms) from error
        self._tasks[night_id] = task
        task.start()
        self._forget_resting()
        return task

    def _lock(self, night_id: str) -> asyncio.Lock:
        lock = self._opening.get(night_id)
        if lock is None:
            lock = self._opening[night_id] = asyncio.Lock()
        return lock

    def _forget_resting(self) -> None:
        """Let the longest-held closed nights go; whoever asks for one again has it read again."""
        resting = [night_id for night_id, task in self._tasks.items() if task.is_resting]
        for night_id in resting[: max(0, len(resting) - self._parts.limits.resting_nights_max)]:
            task = self._tasks.pop(night_id)
            asyncio.ensure_future(task.stop())  # noqa: RUF006 - it has nothing left to do and ends at once

    def _make(self, night_id: str) -> NightTask:
        limits = self._parts.limits
        log = TableLog(
            self._encoder,
            self._parts.clock.now_ms,
            frame_max=limits.frame_events_max,
            lag_max=limits.lag_events_max,
        )
        return NightTask(night_id, TABLE_ID, self._parts, log)

    async def _is_closed(self, night_id: str, last_seq: int) -> bool:
        (last,) = await self._parts.journal.read(night_id, last_seq - 1, 1)
        try:
            return any(isinstance(event, NightClosed) for event in decode_events(last.events))
        except UnreadableRow:
            return False  # Opening it says what is wrong, loudly.

    def _check_running(self) -> None:
        if self._is_stopping:
            raise errors.stopping(self._parts.limits.retry_after_ms)
