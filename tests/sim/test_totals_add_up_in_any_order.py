from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from homegame_engine.errors import InputError, InvariantError
from homegame_sim.driver import Chunk, Ledger, default_chunk_blocks, split_blocks
from homegame_sim.measures import add_totals, count_rows, net_points, session_share, win_share
from homegame_sim.study import Study, plan_study, play_chunk
from tests.sim.conftest import run_format, variant_of_b1


def study(n_sessions: int = 120) -> Study:
    return plan_study("B1", policy="random", seed=5, n_players=4, n_sessions=n_sessions, hands=10)


def test_chunks_collected_in_any_order_and_twice_give_the_totals_of_the_whole() -> None:
    planned = study()
    whole = play_chunk(planned, 0, planned.n_blocks)
    shuffler = np.random.default_rng(1)
    for chunk_blocks in (1, 7, 30):
        chunks = split_blocks(planned.n_blocks, chunk_blocks)
        arrived = [(chunk, play_chunk(planned, *chunk)) for chunk in (*chunks, *chunks[:3])]
        ledger = Ledger(chunks)
        kept = [ledger.add(*arrived[i]) for i in shuffler.permutation(len(arrived))]
        assert kept.count(True) == len(chunks)
        assert ledger.merged() == whole


def test_a_missing_chunk_or_one_of_another_size_is_found() -> None:
    planned = study()
    chunks = split_blocks(planned.n_blocks, 20)
    ledger = Ledger(chunks)
    ledger.add(chunks[0], play_chunk(planned, *chunks[0]))
    with pytest.raises(InvariantError):
        ledger.merged()
    with pytest.raises(InvariantError):
        ledger.add(chunks[1], play_chunk(planned, 20, 3))


def test_blocks_are_split_without_gap_or_overlap() -> None:
    assert split_blocks(10, 4) == (Chunk(0, 4), Chunk(4, 4), Chunk(8, 2))
    assert split_blocks(3, 100) == (Chunk(0, 3),)
    with pytest.raises(InputError):
        split_blocks(3, 0)


def test_the_default_chunk_keeps_all_workers_busy() -> None:
    planned = study(n_sessions=1_000_000)
    for n_workers in (1, 2, 16):
        chunk_blocks = default_chunk_blocks(planned, n_workers)
        assert len(split_blocks(planned.n_blocks, chunk_blocks)) >= 4 * n_workers
    assert default_chunk_blocks(study(n_sessions=1), 8) == 1


def test_squares_that_leave_64_bits_are_added_exactly() -> None:
    rows = run_format(variant_of_b1(), policy="random", n_players=2, n_blocks=50, hands=10)
    largest = 1 << 40
    wide = rows._replace(net_chips=rows.net_chips * largest)
    assert count_rows(wide).net_chips_squared == tuple(
        square * largest * largest for square in count_rows(rows).net_chips_squared
    )


def test_means_and_variances_are_those_of_the_blocks_means() -> None:
    rows = run_format(variant_of_b1(), policy="random", n_players=4, n_blocks=300, hands=10)
    totals = count_rows(rows)
    for role in range(4):
        for found, values in (
            (win_share(totals, role), rows.win_units[:, role] / 2520 / 4),
            (net_points(totals, role), rows.net_chips[:, role] / 4),
        ):
            assert float(found.mean) == pytest.approx(values.mean(), abs=1e-12)
            assert float(found.variance or 0) == pytest.approx(values.var(ddof=1), rel=1e-9)
    assert sum(win_share(totals, role).mean for role in range(4)) == 1
    assert sum(net_points(totals, role).mean for role in range(4)) == 0


def test_one_block_has_a_mean_and_no_variance() -> None:
    totals = count_rows(run_format(variant_of_b1(), policy="random", n_players=4, n_blocks=1, hands=10))
    assert win_share(totals, 0).variance is None
    assert session_share(totals, 1) == Fraction(1, 4)


def test_rows_that_do_not_add_up_are_an_invariant_error_gen_04() -> None:
    rows = run_format(variant_of_b1(), policy="random", n_players=4, n_blocks=3, hands=4)
    one_too_many = np.zeros_like(rows.net_chips)
    one_too_many[1, 2] = 1
    with pytest.raises(InvariantError):
        count_rows(rows._replace(win_units=rows.win_units + one_too_many))
    with pytest.raises(InvariantError):
        count_rows(rows._replace(net_chips=rows.net_chips + one_too_many))


def test_totals_of_other_numbers_of_players_are_not_added() -> None:
    first = count_rows(run_format(variant_of_b1(), policy="fold", n_players=4, n_blocks=1, hands=4))
    second = count_rows(run_format(variant_of_b1(), policy="fold", n_players=5, n_blocks=1, hands=4))
    with pytest.raises(InvariantError):
        add_totals(first, second)
