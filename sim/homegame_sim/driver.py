"""Spreads a study over threads or over Ray, and puts it together again. The only file that knows Ray.

It decides nothing: it splits block numbers, hands out chunks, collects each chunk once, and adds up in the order of blocks. So
the totals do not depend on workers, on the size of chunks, on what finished first, or on what was lost and done again.
"""

import logging
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from homegame_engine.errors import HomegameError, InputError, InvariantError
from homegame_sim.measures import Totals, add_totals
from homegame_sim.study import Study, play_chunk

CHUNK_HANDS: Final = 500_000
"""Hands of a chunk, unless told otherwise: a few seconds of work, a thousand times what handing it out costs."""

CHUNKS_PER_WORKER_MIN: Final = 4
IN_FLIGHT_PER_WORKER: Final = 2
ATTEMPTS_MAX: Final = 5
"""How often a chunk is handed out when its worker dies."""

OBJECT_STORE_BYTES: Final = 80 * 1024 * 1024  # Ray's minimum is 75 MiB; a result is a few hundred integers.
WORKERS_MAX: Final = 1024

Progress = Callable[[int], None]
"""Called in the caller's thread with the number of blocks that have just been collected."""


class Chunk(NamedTuple):
    """A range of blocks."""

    first_block: int
    n_blocks: int


class Outcome(NamedTuple):
    """Totals of a whole study, and how many chunks had to be handed out again (which is no part of a report)."""

    totals: Totals
    n_retries: int


class Breach(NamedTuple):
    """An InvariantError of a worker, on its way home."""

    message: str
    facts: dict[str, int]


class WorkLost(HomegameError):  # noqa: N818 - named as what happened
    """Workers died again and again over the same chunk, or the cluster went away."""


def split_blocks(n_blocks: int, chunk_blocks: int) -> tuple[Chunk, ...]:
    """Split blocks 0 to `n_blocks` - 1 into chunks in order; the last may be smaller."""
    if chunk_blocks < 1:
        raise InputError(f"a chunk has 1 block or more, not {chunk_blocks}", field="chunk")
    return tuple(
        Chunk(first_block, min(chunk_blocks, n_blocks - first_block))
        for first_block in range(0, n_blocks, chunk_blocks)
    )


def default_chunk_blocks(study: Study, n_workers: int) -> int:
    """Blocks of a chunk that keep all workers busy to the end and are still worth handing out."""
    by_work = CHUNK_HANDS // (study.hands_max * study.n_players)
    by_share = study.n_blocks // (CHUNKS_PER_WORKER_MIN * n_workers)
    return max(1, min(by_work, by_share))


class Ledger:
    """Collects the totals of chunks, each once, in any order."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = tuple(chunks)
        self._collected: dict[int, Totals] = {}

    def add(self, chunk: Chunk, totals: Totals) -> bool:
        """Keep the totals; False when the chunk was there already, as after a retry that was not needed."""
        if totals.n_blocks != chunk.n_blocks:
            raise InvariantError("a chunk came back with another number of blocks", {"block": chunk.first_block})
        if chunk.first_block in self._collected:
            return False
        self._collected[chunk.first_block] = totals
        return True

    def merged(self) -> Totals:
        """Totals of all chunks in the order of blocks. Raises InvariantError when one is missing."""
        missing = [chunk.first_block for chunk in self._chunks if chunk.first_block not in self._collected]
        if missing or not self._chunks:
            raise InvariantError("chunks of the study are missing", {"missing": len(missing)})
        first, *others = (self._collected[chunk.first_block] for chunk in self._chunks)
        totals = first
        for other in others:
            totals = add_totals(totals, other)
        return totals


def run_in_process(
    study: Study, *, n_workers: int = 1, chunk_blocks: int | None = None, progress: Progress | None = None
) -> Outcome:
    """Play a study with threads of this process; the compiled loop runs without the interpreter's lock.

    Args:
        study: What to play.
        n_workers: Threads.
        chunk_blocks: Blocks of a chunk; None for a size that fits the study.
        progress: Told about blocks as they are collected.
    """
    _check_workers(n_workers)
    chunks = split_blocks(study.n_blocks, chunk_blocks or default_chunk_blocks(study, n_workers))
    ledger = Ledger(chunks)
    waiting = deque(chunks)
    running: dict[Future[Totals], Chunk] = {}
    with ThreadPoolExecutor(max_workers=n_workers, thread_name_prefix="sim") as pool:
        while waiting or running:
            while waiting and len(running) < n_workers * IN_FLIGHT_PER_WORKER:
                chunk = waiting.popleft()
                running[pool.submit(play_chunk, study, *chunk)] = chunk
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = running.pop(future)
                _collect(ledger, chunk, future.result(), progress)
    return Outcome(ledger.merged(), 0)


def _check_workers(n_workers: int) -> None:
    if not 1 <= n_workers <= WORKERS_MAX:
        raise InputError(f"expected 1 to {WORKERS_MAX} workers, got {n_workers}", field="workers")


def _collect(ledger: Ledger, chunk: Chunk, totals: Totals, progress: Progress | None) -> None:
    if ledger.add(chunk, totals) and progress is not None:
        progress(chunk.n_blocks)


# --- Ray --------------------------------------------------------------------------------------------------------------


@contextmanager
def connect(n_workers: int | None) -> Iterator[int]:
    """Join the cluster that RAY_ADDRESS names, or start one on this machine for the time being; yields its processors.

    Args:
        n_workers: Processes of a cluster on this machine; None for one a processor. A cluster that is joined has its own.

    Raises:
        InputError: Ray is not installed, or a number of workers is asked of a cluster that is only joined.
    """
    joins = bool(os.environ.get("RAY_ADDRESS"))
    _prepare_environment(joins=joins)
    try:
        import ray  # noqa: PLC0415 - half a second that runs without Ray do not need
    except ModuleNotFoundError:
        raise InputError("Ray is not installed: pip install 'homegame[sim]'", field="ray") from None
    if joins:
        if n_workers is not None:
            raise InputError("the cluster at RAY_ADDRESS has its own workers: leave --workers out", field="workers")
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR)  # Ray refuses sizes while joining.
        except (ConnectionError, RuntimeError, ray.exceptions.RayError):
            raise InputError(f"no Ray answers at RAY_ADDRESS={os.environ['RAY_ADDRESS']}", field="ray") from None
        try:
            yield _n_processors(ray)
        finally:
            ray.shutdown()
        return
    if n_workers is not None:
        _check_workers(n_workers)
    with _local_cluster(ray, n_workers or os.cpu_count() or 1):
        yield _n_processors(ray)


def _prepare_environment(*, joins: bool) -> None:
    """Set what Ray reads while it is imported, once for the life of the process; what a person has set stands.

    The ports of a cluster on this machine are reachable by others, so they ask for a token: a fresh one, which lies in no
    file. Without it Ray would write one into the home folder. A cluster that is joined has settled this itself.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not joins and "RAY_AUTH_MODE" not in os.environ:
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = os.urandom(32).hex()


@contextmanager
def _local_cluster(ray: Any, n_workers: int) -> Iterator[None]:  # noqa: ANN401 - Ray has no types
    """A cluster of this process alone. Its folder is short, because sockets lie in it, and goes when it ends."""
    temp_dir = tempfile.mkdtemp(prefix="hgray", dir="/tmp" if os.path.isdir("/tmp") else None)  # noqa: S108, PTH112
    try:
        ray.init(
            num_cpus=n_workers,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE_BYTES,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _temp_dir=temp_dir,
        )
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(temp_dir, ignore_errors=True)


def _n_processors(ray: Any) -> int:  # noqa: ANN401 - Ray has no types
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def run_on_ray(
    study: Study, *, n_workers: int, chunk_blocks: int | None = None, progress: Progress | None = None
) -> Outcome:
    """Play a study with tasks of the cluster that `connect` gave.

    Args:
        study: What to play.
        n_workers: Processors of the cluster; decides how many chunks are in flight.
        chunk_blocks: Blocks of a chunk; None for a size that fits the study.
        progress: Told about blocks as they are collected.

    Raises:
        WorkLost: a chunk's worker died `ATTEMPTS_MAX` times.
    """
    import ray  # noqa: PLC0415 - as in `connect`

    # Ray retries nothing by itself: what was lost is seen here, counted, and handed out again.
    task = ray.remote(max_retries=0, num_cpus=1)(play_guarded)
    chunks = split_blocks(study.n_blocks, chunk_blocks or default_chunk_blocks(study, n_workers))
    ledger = Ledger(chunks)
    waiting = deque((chunk, 1) for chunk in chunks)
    running: dict[Any, tuple[Chunk, int]] = {}
    n_retries = 0
    while waiting or running:
        while waiting and len(running) < n_workers * IN_FLIGHT_PER_WORKER:
            chunk, attempt = waiting.popleft()
            running[task.remote(study, *chunk)] = (chunk, attempt)
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            chunk, attempt = running.pop(reference)
            totals = _result(ray, reference)
            if totals is not None:
                _collect(ledger, chunk, totals, progress)
                continue
            if attempt == ATTEMPTS_MAX:
                raise WorkLost(f"the worker died {ATTEMPTS_MAX} times over blocks from {chunk.first_block} on")
            n_retries += 1
            waiting.appendleft((chunk, attempt + 1))
    return Outcome(ledger.merged(), n_retries)


def play_guarded(study: Study, first_block: int, n_blocks: int) -> Totals | Breach:
    """`play_chunk` for another process: a breach is sent back as plain values, since not every error can be."""
    try:
        return play_chunk(study, first_block, n_blocks)
    except InvariantError as error:
        return Breach(error.message, dict(error.facts))


def _result(ray: Any, reference: Any) -> Totals | None:  # noqa: ANN401 - Ray has no types
    """Totals of a finished task, or None when it was lost with its worker. A breach in it is raised here."""
    try:
        result: Totals | Breach = ray.get(reference)
    except (
        ray.exceptions.WorkerCrashedError,
        ray.exceptions.NodeDiedError,
        ray.exceptions.ObjectLostError,
        ray.exceptions.OutOfMemoryError,
    ):
        return None
    if isinstance(result, Breach):
        raise InvariantError(result.message, result.facts)
    return result
