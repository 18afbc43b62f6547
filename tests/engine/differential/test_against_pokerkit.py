"""Random hands of every game that pokerkit 0.7.7 has and the library too, played in step with it.

Compared at every decision: who acts, the price of a call, the range of a wager, the bring-in, the board and the up cards, who
draws and what is held; at the end the stacks, and both halves of every pot. Where pokerkit follows another rule, the difference
must bear that rule's name, and pokerkit's figure must be the one that its own way of counting gives (`pokerkit_habits.py`).
Anything else fails. The usual run plays a few hands of each game, the slow one 5,000 of each.
"""

import collections
import functools

import pytest

from tests.engine.differential import pokerkit_habits as habits
from tests.engine.differential.lockstep import Lockstep
from tests.engine.differential.pokerkit_games import PAIRINGS

QUICK_HANDS = 130  # Of each game.
HANDS_PER_BLOCK = 500
SLOW_BLOCKS = 10  # Of each game: 5,000 hands, the quick ones among them.

BY_NAME = {pairing.name: pairing for pairing in PAIRINGS}

EXAMPLES = {
    habits.BLIND_IS_THE_OPENING: ("HOLDEM FIXED_LIMIT", 1),
    habits.REOPENS_NOTHING: ("HOLDEM NO_LIMIT", 15),
    habits.RIVAL_MAY_CALL: ("SHORT_HOLDEM NO_LIMIT", 3),
    habits.NOT_TO_THE_CAP: ("RAZZ FIXED_LIMIT", 9),
    habits.STEPS_ADD_UP: ("HOLDEM FIXED_LIMIT", 92),
    habits.COMPLETES: ("STUD7 FIXED_LIMIT", 2),
    habits.FIRST_POT_WAGER: ("OMAHA POT_LIMIT", 0),
    habits.SHORT_BLIND_IS_FULL: ("OMAHA POT_LIMIT", 348),
    habits.BRING_IN_TAKES_ALL: ("STUD7 FIXED_LIMIT", 1),
    habits.LONE_SEAT: ("SHORT_HOLDEM NO_LIMIT", 138),
    habits.FOLDED_HANDS_STAY_OUT: ("STUD7 FIXED_LIMIT", 50),
    habits.COMMON_CARD_OPENS: ("STUD7 FIXED_LIMIT", 1426),
    habits.ODD_UNITS: ("SHORT_HOLDEM NO_LIMIT", 31),
    habits.LAYER_BY_LAYER: ("HOLDEM NO_LIMIT", 28),
    habits.NO_LOW_IN_LAYER: ("STUD8 FIXED_LIMIT", 39),
    habits.SHORT_DECK_RANKING: ("SHORT_HOLDEM NO_LIMIT", 28),
}
"""Where each named difference is met: a game and the seed of a hand. A name that no hand needs would be a filter unchecked."""


@functools.cache
def play_hands(name: str, first: int, after: int) -> collections.Counter[str]:
    names: collections.Counter[str] = collections.Counter()
    for seed in range(first, after):
        names += Lockstep(BY_NAME[name], seed).play()
    return names


@pytest.mark.parametrize("name", BY_NAME)
def test_random_hands_agree_or_differ_by_a_named_rule(name: str) -> None:
    play_hands(name, 0, QUICK_HANDS)


@pytest.mark.parametrize(("difference", "where"), EXAMPLES.items())
def test_each_named_difference_is_met(difference: str, where: tuple[str, int]) -> None:
    name, seed = where
    assert difference in Lockstep(BY_NAME[name], seed).play()


@pytest.mark.slow
@pytest.mark.parametrize("block", range(SLOW_BLOCKS))
@pytest.mark.parametrize("name", BY_NAME)
def test_5000_random_hands_agree_or_differ_by_a_named_rule(name: str, block: int) -> None:
    play_hands(name, block * HANDS_PER_BLOCK, (block + 1) * HANDS_PER_BLOCK)
