"""What the handlers share: finding a night's table, and handing in an input under the request's id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine.errors import NotFound
from homegame_server.rpc.call import current

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame_engine.night import Night
    from homegame_engine.night.inputs import AnyInput
    from homegame_server.runtime.night_task import Accepted, NightState, NightTask
    from homegame_server.runtime.registry import Registry


async def find_night(registry: Registry, night_id: str) -> NightTask:
    """Return the task of a night. Raises NotFound."""
    return await registry.find(night_id)


async def find_table(registry: Registry, night_id: str, table_id: str) -> NightTask:
    """Return the task of the night, whose one table this must be. Raises NotFound for either."""
    task = await registry.find(night_id)
    if table_id != task.table_id:
        raise NotFound("table", table_id)
    return task


async def submit(task: NightTask, build: Callable[[Night, int], AnyInput]) -> Accepted:
    """Hand in an input of the current call and wait until it is durable.

    Args:
        task: The night's task.
        build: Makes the input from the night and the moment at which it is judged; may refuse by raising.
    """
    call = current()

    def build_in(state: NightState | None, at_ms: int) -> AnyInput:
        if state is None:
            raise NotFound("night", task.night_id)
        return build(state.night, at_ms)

    return await task.submit(build_in, call.request_key)


def viewer_seat(task: NightTask) -> int | None:
    """Return the seat whose cards the current caller may see; None for a spectator."""
    return task.log.seats.get(current().caller.participant_id)
