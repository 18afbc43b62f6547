from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homegame_engine.errors import InputError
from homegame_sim.philox import DECISION, Stream

WORDS = st.integers(0, 2**64 - 1)
PLAYERS = st.integers(0, 9)


def numpy_words(key: list[int], counter: list[int], n: int) -> list[int]:
    bits = np.random.Philox(
        key=np.array(key, dtype=np.uint64),
        counter=np.array(counter, dtype=np.uint64),
    )
    return [int(word) for word in bits.random_raw(n)]


@given(seed=WORDS, block=WORDS, hand=WORDS, table=WORDS, player=PLAYERS)
def test_words_are_those_of_numpy(seed: int, block: int, hand: int, table: int, player: int) -> None:
    stream = Stream(seed=seed, block=block, purpose=DECISION, player=player, hand=hand, table=table)
    expected = numpy_words([seed, block], [0, DECISION | player << 8, hand, table], 13)
    assert [stream.next_word() for _ in range(13)] == expected


@given(bound=st.integers(1, 2**64 - 1), seed=WORDS)
def test_an_integer_below_a_bound_is_the_high_half_of_word_times_bound(bound: int, seed: int) -> None:
    stream = Stream(seed=seed, block=0, purpose=DECISION)
    words = iter(numpy_words([seed, 0], [0, DECISION, 0, 0], 200))
    surplus = 2**64 % bound
    for _ in range(20):
        accepted = next(word for word in words if word * bound % 2**64 >= surplus)
        assert stream.below(bound) == accepted * bound >> 64


def test_words_that_would_bias_a_bound_are_thrown_away() -> None:
    # Of the words, 2^64 mod bound would make small results likelier: here almost half of them.
    bound = 2**63 + 1
    stream = Stream(seed=3, block=1, purpose=DECISION)
    words = numpy_words([3, 1], [0, DECISION, 0, 0], 400)
    accepted = [word * bound >> 64 for word in words if word * bound % 2**64 >= 2**64 % bound]
    assert len(accepted) < 300
    assert [stream.below(bound) for _ in range(len(accepted))] == accepted


def test_small_bounds_come_out_evenly() -> None:
    stream = Stream(seed=11, block=0, purpose=DECISION)
    n_draws, bound = 52_000, 52
    counts = np.bincount([stream.below(bound) for _ in range(n_draws)], minlength=bound)
    chi_square = float(((counts - n_draws / bound) ** 2 / (n_draws / bound)).sum())
    assert chi_square < 110  # 51 degrees of freedom: a chance of 3 in a million.


def test_a_bound_of_zero_is_refused() -> None:
    with pytest.raises(InputError):
        Stream(seed=1, block=0, purpose=DECISION).below(0)
