"""Promises of the bare loops that `homegame bench` times: they play whole hands, and equal seeds play equal ones."""

import pytest

from homegame_engine import catalog
from homegame_engine.errors import InputError
from homegame_sim.hand_loop import play_random_hands, play_random_sessions

HOLDEM = catalog.game("HOLDEM")
POINTS_NIGHT = catalog.house("POINTS_NIGHT")
FIXED_LIMIT = POINTS_NIGHT.hand_rules(small_blind_chips=1, big_blind_chips=2)
NO_LIMIT = catalog.house("CLUB").hand_rules(small_blind_chips=1, big_blind_chips=2)


@pytest.mark.parametrize("rules", [FIXED_LIMIT, NO_LIMIT], ids=["fixed limit", "no limit"])
def test_a_loop_of_hands_plays_what_was_asked_and_repeats_itself(rules: object) -> None:
    played = play_random_hands(HOLDEM, rules, n_hands=2000, seed=5)  # type: ignore[arg-type]
    assert played.hands == 2000
    assert played.actions > 4 * played.hands  # Nobody sees a showdown in fewer.
    assert play_random_hands(HOLDEM, rules, n_hands=2000, seed=5) == played  # type: ignore[arg-type]
    assert play_random_hands(HOLDEM, rules, n_hands=2000, seed=6).checksum != played.checksum  # type: ignore[arg-type]


def test_gen_04_a_loop_of_sessions_ends_with_the_chips_it_began_with() -> None:
    # One session of one hand: the checksum weighs seat i by i + 1, so equal stacks give start x (1 + 2).
    played = play_random_sessions(
        catalog.format_by("B1"), HOLDEM, POINTS_NIGHT, n_hands=1, n_seats=2, hands_per_session=1
    )
    assert played.hands == 1
    assert 200 <= played.checksum <= 400


def test_sessions_count_hands_across_sessions_that_end_early() -> None:
    played = play_random_sessions(catalog.format_by("B1"), HOLDEM, POINTS_NIGHT, n_hands=5000, hands_per_session=10_000)
    assert played.hands >= 5000  # A session that one player wins outright is followed by the next.


@pytest.mark.parametrize(("n_hands", "n_seats"), [(0, 6), (10, 1), (10, 11)])
def test_a_loop_that_cannot_be_played_is_refused(n_hands: int, n_seats: int) -> None:
    with pytest.raises(InputError):
        play_random_hands(HOLDEM, FIXED_LIMIT, n_hands=n_hands, n_seats=n_seats)
