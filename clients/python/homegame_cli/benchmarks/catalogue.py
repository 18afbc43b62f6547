"""The names of `homegame bench` and the functions behind them: a new figure is one function and one line here."""

from collections.abc import Callable, Iterator
from typing import Final

from homegame_cli.benchmarks import act, act_stream, evaluator, hands, journal, rankings
from homegame_cli.benchmarks.figures import Figure, Setting

Benchmark = Callable[[Setting], Iterator[Figure]]

BENCHMARKS: Final[dict[str, Benchmark]] = {
    "eval7.batch": evaluator.batch,
    "eval7.call": evaluator.call,
    "eval7.native": evaluator.native,
    **{name: rankings.measure(name) for name in rankings.RANKED_HANDS},
    "hands.fixed_limit": hands.fixed_limit,
    "hands.no_limit": hands.no_limit,
    "hands.session": hands.session,
    **hands.by_game(),
    "act.unary": act.unary,
    "act.stream": act_stream.stream,
    "journal.commit": journal.commit,
}
