"""How fast hands are ranked in arrays under every ranking but the plain high one."""

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from homegame_cli.benchmarks.evaluator import BATCH_HANDS, UNIT, random_hands
from homegame_cli.benchmarks.figures import Figure, Setting, compare_best
from homegame_engine.cards import parse_cards
from homegame_engine.evaluator.ranking import rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_sim.floors import add_bytes


class RankedHands(NamedTuple):
    """Hands of one size and the rule that ranks them; the private cards come first."""

    rule: RankingRule
    n_hole: int
    n_board: int = 0


RANKED_HANDS: Final = MappingProxyType(
    {
        "eval.omaha": RankedHands(RankingRule(ranking=Ranking.HIGH, exact_hole=2), 4, 5),
        "eval.ace_to_five": RankedHands(RankingRule(ranking=Ranking.ACE_TO_FIVE), 7),
        "eval.ace_to_six": RankedHands(RankingRule(ranking=Ranking.ACE_TO_SIX), 7),
        "eval.deuce_to_seven": RankedHands(RankingRule(ranking=Ranking.DEUCE_TO_SEVEN), 7),
        "eval.badugi": RankedHands(RankingRule(ranking=Ranking.BADUGI), 4),
        "eval.wild": RankedHands(RankingRule(ranking=Ranking.HIGH, wild_cards=parse_cards("2c2d2h2s")), 7),
    }
)
"""By the name of the benchmark. Wild are the deuces, so that half of the hands hold a wild card."""


def measure(name: str) -> Callable[[Setting], Iterator[Figure]]:
    """The benchmark of this name: `rank_batch` against a loop that only adds up the same bytes."""

    def benchmark(setting: Setting) -> Iterator[Figure]:
        cards = random_hands(BATCH_HANDS, RANKED_HANDS[name].n_hole + RANKED_HANDS[name].n_board)

        def floor() -> int:
            add_bytes(cards)
            return len(cards)

        pair = compare_best(ranking(name), floor, setting.seconds)
        yield Figure(name, pair.value, UNIT, "adding up the same bytes", pair.reference)

    return benchmark


def ranking(name: str) -> Callable[[], int]:
    """A piece of work: many hands ranked in one call."""
    ranked = RANKED_HANDS[name]
    cards = random_hands(BATCH_HANDS, ranked.n_hole + ranked.n_board)
    return lambda: len(rank_batch(ranked.rule, cards, ranked.n_hole))
