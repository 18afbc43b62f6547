"""How fast whole hands are played by the core alone: six seats, everybody at random, no events. Hold'em and every other game."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from homegame_cli.benchmarks.figures import Figure, Setting, compare_best
from homegame_engine import catalog
from homegame_engine.specs import GameSpec, HandRules, Structure
from homegame_engine.stakes import level_rules
from homegame_sim.floors import deal_and_draw
from homegame_sim.hand_loop import LoopCounts, play_random_hands, play_random_sessions

UNIT: Final = "hands/s"
N_SEATS: Final = 6
N_HANDS: Final = 2_000
"""Of one turn: long enough to time, short enough to be undisturbed now and then."""
SMALL_BLIND_CHIPS: Final = 1
BIG_BLIND_CHIPS: Final = 2
STACK_CHIPS: Final = 200
_LIMIT: Final[Structure] = "FIXED_LIMIT"


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
    yield _against_drawing("hands.fixed_limit", game(), fixed_limit_rules(), setting)


def no_limit(setting: Setting) -> Iterator[Figure]:
    """No-limit hands from 200 chips each, against shuffling, dealing and drawing alone."""
    yield _against_drawing("hands.no_limit", game(), no_limit_rules(), setting)


def by_game() -> Mapping[str, Callable[[Setting], Iterator[Figure]]]:
    """A benchmark for every packaged game, by its name: fixed limit at the table of the points night."""
    return {f"hands.{game_id.lower()}": _of_game(game_id) for game_id in sorted(catalog.games())}


def _of_game(game_id: str) -> Callable[[Setting], Iterator[Figure]]:
    def measured(setting: Setting) -> Iterator[Figure]:
        table = catalog.table_format(game_id, "POINTS_NIGHT", structure=_LIMIT)
        rules = level_rules(catalog.house("POINTS_NIGHT"), table.levels[0], _LIMIT)
        yield _against_drawing(f"hands.{game_id.lower()}", catalog.game(game_id), rules, setting)

    return measured


def _against_drawing(name: str, played: GameSpec, rules: HandRules, setting: Setting) -> Figure:
    n_seats = min(N_SEATS, played.players.max)

    def play() -> LoopCounts:
        return play_random_hands(played, rules, n_hands=N_HANDS, n_seats=n_seats, stack_chips=STACK_CHIPS)

    counts = play()

    def floor() -> int:
        deal_and_draw(n_hands=N_HANDS, n_cards=counts.cards, n_decisions=counts.actions)
        return N_HANDS

    pair = compare_best(lambda: play().hands, floor, setting.seconds)
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
