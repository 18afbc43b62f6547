"""The report depends on the study and on nothing else: not on threads, processes, chunks, Ray, or a worker that dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from homegame_engine.errors import InputError, InvariantError
from homegame_sim import driver
from homegame_sim.driver import Breach, Outcome, WorkLost, run_in_process, run_on_ray
from homegame_sim.report import build_document, json_bytes, text_bytes
from homegame_sim.study import Study, plan_study

STUDY = plan_study("points-night", policy="tight", seed=42, n_players=6, n_sessions=3600, hands=24)
BY_THE_CLOCK = plan_study("points-night", policy="random", seed=42, n_players=3, n_sessions=600, minutes=30)
CHUNKS = (1, 37, 600)


def report(study: Study, outcome: Outcome) -> bytes:
    document = build_document(study, outcome.totals)
    return json_bytes(document) + text_bytes(document)


@pytest.fixture(scope="module")
def expected() -> bytes:
    return report(STUDY, run_in_process(STUDY))


def test_another_seed_gives_another_report(expected: bytes) -> None:
    other = plan_study("points-night", policy="tight", seed=43, n_players=6, n_sessions=3600, hands=24)
    assert report(other, run_in_process(other)) != expected


@pytest.mark.parametrize("n_workers", [1, 2, 3])
@pytest.mark.parametrize("chunk_blocks", CHUNKS)
def test_threads_and_chunks_change_no_byte(expected: bytes, n_workers: int, chunk_blocks: int) -> None:
    assert report(STUDY, run_in_process(STUDY, n_workers=n_workers, chunk_blocks=chunk_blocks)) == expected


@pytest.mark.parametrize("n_workers", [1, 2])
@pytest.mark.parametrize("chunk_blocks", [37, 150, 600])
def test_ray_changes_no_byte(expected: bytes, ray_processors: int, n_workers: int, chunk_blocks: int) -> None:
    assert n_workers <= ray_processors
    assert report(STUDY, run_on_ray(STUDY, n_workers=n_workers, chunk_blocks=chunk_blocks)) == expected


def test_ray_changes_no_byte_of_a_study_by_the_clock(ray_processors: int) -> None:
    by_ray = run_on_ray(BY_THE_CLOCK, n_workers=ray_processors, chunk_blocks=11)
    assert report(BY_THE_CLOCK, by_ray) == report(BY_THE_CLOCK, run_in_process(BY_THE_CLOCK))


def ray_workers_at_work() -> list[int]:
    """Processes below this one that carry out a task right now, by the title that Ray gives them."""
    parents: dict[int, int] = {}
    titles: dict[int, bytes] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            titles[int(folder.name)] = (folder / "cmdline").read_bytes()
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # It ended meanwhile.

    def is_below(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return sorted(pid for pid, title in titles.items() if title.startswith(b"ray::play") and is_below(pid))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers through /proc")
def test_a_worker_killed_in_the_middle_changes_no_byte(ray_processors: int) -> None:
    study = plan_study("points-night", policy="random", seed=4, n_players=6, n_sessions=36_000, hands=24)
    killed: list[int] = []

    def kill_one(_: int) -> None:
        for pid in ray_workers_at_work() if not killed else []:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            return

    outcome = run_on_ray(study, n_workers=ray_processors, chunk_blocks=300, progress=kill_one)
    assert len(killed) == 1
    assert outcome.n_retries >= 1
    assert report(study, outcome) == report(study, run_in_process(study, n_workers=2))


def test_work_that_kills_every_worker_is_given_up(ray_processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "play_guarded", die)
    monkeypatch.setattr(driver, "ATTEMPTS_MAX", 2)
    with pytest.raises(WorkLost, match="died 2 times"):
        run_on_ray(STUDY, n_workers=ray_processors, chunk_blocks=600)


def die(*_: object) -> None:
    os._exit(1)


def test_every_block_is_reported_as_progress_once(ray_processors: int) -> None:
    for run in (run_in_process, run_on_ray):
        seen: list[int] = []
        run(STUDY, n_workers=ray_processors, chunk_blocks=100, progress=seen.append)
        assert sum(seen) == STUDY.n_blocks


@pytest.mark.parametrize("n_workers", [0, -1, 10**6])
def test_a_number_of_workers_that_makes_no_sense_is_refused(n_workers: int) -> None:
    with pytest.raises(InputError):
        run_in_process(STUDY, n_workers=n_workers)
    with pytest.raises(InputError), driver.connect(n_workers):
        pass


def test_a_cluster_that_is_joined_has_workers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(InputError, match="RAY_ADDRESS"), driver.connect(2):
        pass


def test_a_breach_in_a_worker_comes_home_as_one(ray_processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "play_guarded", breach)
    with pytest.raises(InvariantError, match="do not add up") as raised:
        run_on_ray(STUDY, n_workers=ray_processors, chunk_blocks=600)
    assert raised.value.facts == {"block": 3}


def breach(*_: object) -> Breach:
    return Breach("chips do not add up", {"block": 3})


def test_a_breach_is_sent_home_as_plain_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_study: Study, first_block: int, _n_blocks: int) -> None:
        raise InvariantError("chips do not add up", {"block": first_block})

    monkeypatch.setattr(driver, "play_chunk", fail)
    assert driver.play_guarded(STUDY, 3, 1) == Breach("chips do not add up", {"block": 3})
