"""What hands are worth: one integer a hand, higher is better in every game.

`ranking` ranks any hand under any `RankingRule`, `words` says it in words. They ask one module for each way of ranking: `high`,
`low` (badugi too), `wild`, `exact` (so many private cards); `keys` is how all of them add up cards. They rank cards and know no
game, no pot and no seat. The functions here that take cards alone are those of `high`.
"""

from homegame_engine.evaluator.high import (
    HighHand,
    category,
    count_hand_ranks,
    describe,
    evaluate,
    evaluate_batch,
)
from homegame_engine.evaluator.ranking import rank, rank_batch
from homegame_engine.evaluator.rule import Ranking, RankingRule

__all__ = [
    "HighHand",
    "Ranking",
    "RankingRule",
    "category",
    "count_hand_ranks",
    "describe",
    "evaluate",
    "evaluate_batch",
    "rank",
    "rank_batch",
]
