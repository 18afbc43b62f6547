"""How fast whole hands are played by the core alone: six seats, everybody at random, no events."""

from collections.abc import Callable, Iterator
from typing import Final

from homegame_cli.benchmarks.figures import Figure, Setting, compare_best
from homegame_engine import catalog
from homegame_engine.specs import GameSpec, HandRules
from homegame_sim.floors import deal_and_draw
from homegame_sim.hand_loop import play_random_hands, play_random_sessions

UNIT: Final = "hands/s"
N_SEATS: Final = 6
N_HANDS: Final = 2_000
"""Of one turn: long enough to time, short enough to be undisturbed now and then."""
SMALL_BLIND_CHIPS: Final = 1
BIG_BLIND_CHIPS: Final = 2
STACK_CHIPS: Final = 200


def game() -> GameSpec:
    """What is played."""
    return catalog.game("HOLDEM")


def fixed_limit_rules() -> HandRules:
    """The rules of the points night."""
    return _rules("POINTS_NIGHT")


def no_limit_rules() -> HandRules:
    """The rules of the club."""
    return _rules("CLUB")


def _rules(house: str) -> HandRules:
    return catalog.house(house).hand_rules(small_blind_chips=SMALL_BLIND_CHIPS, big_blind_chips=BIG_BLIND_CHIPS)


def fixed_limit(setting: Setting) -> Iterator[Figure]:
    """Fixed-limit hands from 200 chips each, against shuffling, dealing and drawing alone."""
    yield _against_drawing("hands.fixed_limit", fixed_limit_rules(), setting)


def no_limit(setting: Setting) -> Iterator[Figure]:
    """No-limit hands from 200 chips each, against shuffling, dealing and drawing alone."""
    yield _against_drawing("hands.no_limit", no_limit_rules(), setting)


def _against_drawing(name: str, rules: HandRules, setting: Setting) -> Figure:
    played = play_random_hands(game(), rules, n_hands=N_HANDS, n_seats=N_SEATS, stack_chips=STACK_CHIPS)
    n_cards = N_SEATS * game().hole_card_count + game().board_card_count + sum(rules.burns)

    def floor() -> int:
        deal_and_draw(n_hands=N_HANDS, n_cards=n_cards, n_decisions=played.actions)
        return N_HANDS

    pair = compare_best(playing(rules, STACK_CHIPS), floor, setting.seconds)
    return Figure(name, pair.value, UNIT, "shuffling, dealing and drawing alone", pair.reference)


def playing(rules: HandRules, stack_chips: int) -> Callable[[], int]:
    """A piece of work: hands from equal stacks."""

    def work() -> int:
        return play_random_hands(game(), rules, n_hands=N_HANDS, n_seats=N_SEATS, stack_chips=stack_chips).hands

    return work


def session(setting: Setting) -> Iterator[Figure]:
    """Whole sessions of the points night in rotation blocks, against the bare loop of hands from the same stacks."""
    played = catalog.format_by("B1")
    house = catalog.house(played.house)

    def measured() -> int:
        return play_random_sessions(played, game(), house, n_hands=N_HANDS, n_seats=N_SEATS).hands

    pair = compare_best(measured, playing(fixed_limit_rules(), played.start.chips), setting.seconds)
    yield Figure("hands.session", pair.value, UNIT, "the bare loop of hands", pair.reference)
