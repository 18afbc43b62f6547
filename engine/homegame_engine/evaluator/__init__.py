"""What hands are worth: one integer a hand, higher is better in every game.

One module for each way of ranking. They rank cards and know no game, no pot and no seat.
"""

from homegame_engine.evaluator.high import (
    HighHand,
    category,
    count_hand_ranks,
    describe,
    evaluate,
    evaluate_batch,
)

__all__ = [
    "HighHand",
    "category",
    "count_hand_ranks",
    "describe",
    "evaluate",
    "evaluate_batch",
]
