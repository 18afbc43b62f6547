from collections.abc import Sequence
from typing import NamedTuple, final

from homegame_engine.specs import GameSpec, HandRules

class HandCount(NamedTuple):
    """How often one hand rank came.

    Attributes:
        hand_rank: The rank.
        n_deals: How often.
        hole_cards: Private cards of one such hand, or those of them that decide; none where it makes no difference which are.
        board: Common cards of the same hand, or all of its cards.
    """

    hand_rank: int
    n_deals: int
    hole_cards: tuple[int, ...]
    board: tuple[int, ...]

class KindCount(NamedTuple):
    """How often one kind of hand came.

    Attributes:
        category: `full_house`, for lows `no_pair`, for badugi `three_cards`, ...
        n_deals: How often.
        best: The best hand of the kind that came.
        best_text: That hand in words.
    """

    category: str
    n_deals: int
    best: HandCount
    best_text: str

class HandFrequencyResult(NamedTuple):
    """How often each hand came.

    Attributes:
        is_exact: Every deal is counted.
        n_deals: Deals counted or sampled. Those that the lists lack made no hand: no low that qualifies, no spade.
        high: Hands of the ranking of the pot or of its high half, the best first.
        low: Hands of the ranking of the low half, the best first; empty in a game without one.
        high_kinds: Those of `high` by kind, the best first.
        low_kinds: Those of `low` by kind, the best first.
    """

    is_exact: bool
    n_deals: int
    high: tuple[HandCount, ...]
    low: tuple[HandCount, ...]
    high_kinds: tuple[KindCount, ...]
    low_kinds: tuple[KindCount, ...]

@final
class HandFrequencies:
    """How often one player ends up with each hand.

    What is not known is dealt so that every completion is equally likely. Call `count` until `is_done`, or `sample` as often as
    you like; never both.

    Args:
        game: The game.
        rules: The rules of a hand in some house; only what ranks hands is read (GAME-DC-11).
        hand: The player's cards in the order of dealing, CARD_UNKNOWN where one is not known; missing ones are unknown.
        board: Common cards likewise.
        dead: Cards that the player cannot have.

    Attributes:
        n_deals: How many deals are possible.
        n_evaluations: About how many hands are ranked or looked up to count them all.
        n_counted: Deals counted or sampled so far.
        is_done: Every deal is counted.

    Raises:
        InputError: Too many or impossible cards, a card twice, a deck that does not suffice.

    Rules: RANK-HI-02, RANK-LO-02, RANK-WILD-02, GAME-OM-01, GAME-DC-11, CARD-08.
    """

    n_deals: int
    n_evaluations: int

    def __init__(
        self,
        game: GameSpec,
        rules: HandRules,
        hand: Sequence[int] = (),
        *,
        board: Sequence[int] = (),
        dead: Sequence[int] = (),
    ) -> None: ...
    @property
    def n_counted(self) -> int: ...
    @property
    def is_done(self) -> bool: ...
    def count(self, n_evaluations: int) -> None:
        """Count on until about so many more hands are ranked, or until all is counted. Raises InputError after samples."""

    def sample(self, n_samples: int, *, seed: int = 0) -> None:
        """Deal so many more samples. They depend on the seed, 0 to 2^64 - 1, and on their number, not on how calls are cut.

        Raises:
            InputError: Deals were counted, or another seed was used.
        """

    def result(self) -> HandFrequencyResult:
        """Say what came out so far."""

class BoardFrequencyResult(NamedTuple):
    """What lies on the boards.

    Attributes:
        n_boards: Boards counted.
        n_with_rank: Boards with at least one deuce, one three, ... one ace.
        n_low_possible: Boards with which two cards that somebody may hold make a low; None where there is no low with a qualifier
            or more than two private cards take part in it.
    """

    n_boards: int
    n_with_rank: tuple[int, ...]
    n_low_possible: int | None

@final
class BoardFrequencies:
    """What lies on the boards that may come, each as likely as another. Call `count` until `is_done`.

    Args:
        game: A game with common cards.
        rules: The rules of a hand in some house; only what ranks hands is read.
        board: Common cards that lie there, in order.
        held: Cards that somebody holds.
        dead: Cards that nobody can have.

    Attributes:
        n_deals: How many boards are possible.
        n_evaluations: About how many boards are looked at to count them all.
        n_counted: Boards counted so far.
        is_done: Every board is counted.

    Raises:
        InputError: A game without common cards, too many or impossible cards, a card twice.

    Rules: RANK-LO-02, GAME-OM8-01.
    """

    n_deals: int
    n_evaluations: int

    def __init__(
        self,
        game: GameSpec,
        rules: HandRules,
        *,
        board: Sequence[int] = (),
        held: Sequence[int] = (),
        dead: Sequence[int] = (),
    ) -> None: ...
    @property
    def n_counted(self) -> int: ...
    @property
    def is_done(self) -> bool: ...
    def count(self, n_evaluations: int) -> None:
        """Count about so many more boards, or until all are counted."""

    def result(self) -> BoardFrequencyResult:
        """Say what came out so far."""
