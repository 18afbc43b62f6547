from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, final

from homegame_engine.specs import GameSpec, HandRules

class PlayerOdds(NamedTuple):
    """How one hand fares.

    Attributes:
        n_wins: Deals in which it takes the whole pot alone; in a game with two halves it scoops.
        n_ties: Deals in which it takes a part of the pot.
        n_losses: Deals in which it gets nothing.
        share: What it gets of a pot, in the mean; `high_share` + `low_share`.
        high_share: Of this, what it gets as a high hand, the whole pot where no low is good enough.
        low_share: Of this, what it gets as a low hand.
        standard_error: Of `share`; 0.0 where every deal is counted.
    """

    n_wins: int
    n_ties: int
    n_losses: int
    share: Fraction
    high_share: Fraction
    low_share: Fraction
    standard_error: float

class OddsResult(NamedTuple):
    """What came out.

    Attributes:
        is_exact: Every deal is counted.
        n_deals: Deals counted or sampled.
        players: One for each hand, in the order given.
        n_sharing: Deals in which one hand, two hands, ... share the pot or, where it has halves, the high one.
        n_without_low: Deals of a game with two halves in which no low is good enough.
        n_unawarded: Deals in which no hand is good enough to win, so that the pot stays; nobody has a share of them.
    """

    is_exact: bool
    n_deals: int
    players: tuple[PlayerOdds, ...]
    n_sharing: tuple[int, ...]
    n_without_low: int
    n_unawarded: int

@final
class Odds:
    """Who wins, and how often, by the cards alone.

    What is not known is dealt so that every completion is equally likely. Cards speak: a game with declarations is judged as if
    everybody had declared for what the cards win. Nobody changes cards: a hand is what it is at the showdown, so in a game with
    discards only the cards that are kept are named.

    Call `count` until `is_done`, or `sample` as often as you like; never both.

    Args:
        game: The game.
        rules: The rules of a hand in some house; only what ranks hands is read (GAME-DC-11).
        hands: For each player the hands that it may hold, all combinations without a card twice equally likely. A hand is its
            known cards in the order of dealing, CARD_UNKNOWN where one is not known; missing ones are unknown. All hands of one
            player know the same places.
        board: Common cards likewise.
        dead: Cards that nobody can have.

    Attributes:
        n_deals: How many deals are possible, None where the combinations of hands are too many to list (20,000).
        n_evaluations: About how many hands are ranked to count them all; None likewise.
        n_counted: Deals counted or sampled so far.
        is_done: Every deal is counted.

    Raises:
        InputError: Too many or impossible cards, a card twice, fewer than two or more than ten hands, hands that exclude one
            another, a deck that does not suffice.

    Rules: GAME-HE-03, GAME-OM-01, GAME-OM8-01, RANK-LO-06, RANK-WILD-04, GAME-DC-06, GAME-DC-11, CARD-08.
    """

    n_deals: int | None
    n_evaluations: int | None

    def __init__(
        self,
        game: GameSpec,
        rules: HandRules,
        hands: Sequence[Sequence[Sequence[int]]],
        *,
        board: Sequence[int] = (),
        dead: Sequence[int] = (),
    ) -> None: ...
    @property
    def n_counted(self) -> int: ...
    @property
    def is_done(self) -> bool: ...
    def count(self, n_evaluations: int) -> None:
        """Count on until about so many more hands are ranked, or until all is counted.

        Raises:
            InputError: There are too many combinations of hands, or samples were taken.
        """

    def sample(self, n_samples: int, *, seed: int = 0) -> None:
        """Deal so many more samples. They depend on the seed, 0 to 2^64 - 1, and on their number, not on how calls are cut.

        Raises:
            InputError: Deals were counted, another seed was used, or the hands nearly always exclude one another.
        """

    def result(self) -> OddsResult:
        """Say what came out so far. Raises InputError before the first deal."""
