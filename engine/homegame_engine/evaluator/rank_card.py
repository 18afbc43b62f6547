"""The rank card: how hands rank, in words, for everybody at any time. It holds no move advice.

Rules: RANK-HI-02 to RANK-HI-05, RANK-HI-07.
"""

from typing import Final, NamedTuple

from homegame_engine.cards import parse_cards


class RankCategory(NamedTuple):
    """A kind of hand: its name, how two of the kind compare, and five cards as an example, the deciding ones first."""

    name: str
    comparison: str
    example: tuple[int, ...]


class RankCard(NamedTuple):
    """The kinds of hand, strongest first, and what else one has to know."""

    categories: tuple[RankCategory, ...]
    notes: tuple[str, ...]


HIGH: Final = RankCard(
    categories=(
        RankCategory(
            "straight flush",
            "The higher top card wins; with an ace on top it is called a royal flush.",
            parse_cards("KsQsJsTs9s"),
        ),
        RankCategory("four of a kind", "The rank of the four, then the kicker.", parse_cards("QsQhQdQc7h")),
        RankCategory("full house", "The rank of the three, then the rank of the pair.", parse_cards("9s9h9d4h4c")),
        RankCategory("flush", "The highest card, then the next, down to the fifth.", parse_cards("AdJd8d6d3d")),
        RankCategory("straight", "The higher top card wins.", parse_cards("Tc9d8h7s6c")),
        RankCategory(
            "three of a kind", "The rank of the three, then the two kickers in order.", parse_cards("5s5h5dKc2h")
        ),
        RankCategory("two pair", "The higher pair, then the lower pair, then the kicker.", parse_cards("JsJh3d3cAh")),
        RankCategory("one pair", "The rank of the pair, then the three kickers in order.", parse_cards("TsThAd8c5h")),
        RankCategory("high card", "The highest card, then the next, down to the fifth.", parse_cards("AsQd9h6c2d")),
    ),
    notes=(
        "A hand is exactly five cards; the best five that the game allows count, and other cards never do.",
        "A-2-3-4-5 is the lowest straight, with the five on top; a straight never goes around the ace (Q-K-A-2-3 is none).",
        "Suits are equal: hands that are the same but for their suits are tied.",
    ),
)

BY_RANKING: Final = {"HIGH": HIGH}
"""Rank cards by the ranking that a game names."""
