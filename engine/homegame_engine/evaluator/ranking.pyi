from collections.abc import Sequence

from homegame_engine.evaluator.rule import RankingRule

def rank(rule: RankingRule, hole: Sequence[int], board: Sequence[int] = (), up_mask: int = 0) -> int: ...
