"""Whether a deal went by the steps of its game: what is dealt to whom, what is burned, what is changed, in which order.

The steps come with the root, before the cut, so that nobody can choose them once the cards are known. Deals that were sealed
before there was such an announcement are held against the rulebook's burns alone (CARD-07).
"""

from collections.abc import Collection, Sequence
from typing import Final

from homegame.v1.catalog_pb2 import GameStep, StepKind

_DEALS: Final = frozenset({StepKind.STEP_KIND_DEAL_DOWN, StepKind.STEP_KIND_DEAL_UP, StepKind.STEP_KIND_DEAL_BOARD})
_FIRST_BOARD_BURNS: Final = (0, 1, 3)
"""Cards that a house of the rulebook burns before the first board cards (CARD-07); one before any others."""
ROUND_STEPS: Final = {
    "hole_cards_dealt": StepKind.STEP_KIND_DEAL_DOWN,
    "up_cards_dealt": StepKind.STEP_KIND_DEAL_UP,
}
_WORDS: Final = {
    StepKind.STEP_KIND_DEAL_DOWN: "cards face down",
    StepKind.STEP_KIND_DEAL_UP: "cards face up",
    StepKind.STEP_KIND_DEAL_BOARD: "board cards",
    StepKind.STEP_KIND_BURN: "a burn",
    StepKind.STEP_KIND_DRAW: "a draw",
}


class StepCheck:
    """Follows a deal along its steps. Each method returns what is wrong, for people, or nothing.

    Args:
        steps: Everything that happens in the deal, burns with their number; empty when it was not announced.
        can_run_short: Whether the last private cards may have to be dealt in another way (GAME-ST-17).
    """

    def __init__(self, steps: Sequence[GameStep], *, can_run_short: bool) -> None:
        self._steps = steps
        self._can_run_short = can_run_short
        self._at = 0
        self._n_dealt = 0  # To each seat, of a step whose cards come one at a time because the stub is short.
        self._drew = -1  # Place of the seat that changed cards last in this step.
        self._is_mixed = False  # Since the last cards.
        self._burned = 0  # Since the last cards, or since the stub was mixed.
        self._has_board = False
        self._is_lost = False  # One step that does not fit is one fault, and what follows says nothing.

    def due(self, n_seats: int) -> int:
        """Return how many cards there must be, after a burn of one, for the next private cards of so many seats."""
        here = self._next()
        here += self._kind(here) == StepKind.STEP_KIND_BURN
        n_each = self._steps[here].count if here < len(self._steps) else 1
        n_burned = self._steps[here - 1].count if here and self._kind(here - 1) == StepKind.STEP_KIND_BURN else 1
        return n_seats * n_each + n_burned - 1

    def stop(self) -> None:
        """The events do not tell the whole deal: what follows says nothing about its steps."""
        self._is_lost = True

    def mixed(self) -> None:
        """The stub was mixed anew."""
        self._is_mixed = True
        self._burned = 0

    def burned(self, count: int) -> str:
        """Cards were burned."""
        if count < 1:
            return self._lose(f"{count} cards were burned, which is no burn")
        if self._burned:
            return self._lose("cards were burned twice with nothing dealt between")
        self._burned = count
        here = self._next()
        # GAME-ST-17: before the last cards it may be one card, and one more after the mixing.
        is_spare = self._can_run_short and count == 1
        is_second = (
            is_spare and self._is_mixed and StepKind.STEP_KIND_DEAL_DOWN in {self._kind(here), self._kind(self._at - 1)}
        )
        if self._is_lost or not self._steps or is_second:
            return ""
        if self._kind(here) != StepKind.STEP_KIND_BURN:
            return self._lose(f"{_cards(count)} burned where {self._expected(here)}")
        self._at = here + 1
        if count == self._steps[here].count or (is_spare and self._kind(self._at) == StepKind.STEP_KIND_DEAL_DOWN):
            return ""
        return self._lose(f"{_cards(count)} burned, the game burns {self._steps[here].count}")

    def dealt(self, event_kind: str, n_each: int, *, is_rest: bool) -> str:
        """Seats got private cards; `is_rest` where the stub was mixed in the middle of a round and these wait for theirs."""
        kind = ROUND_STEPS[event_kind]
        if is_rest and self._steps:
            self._burned, self._is_mixed = 0, False
            return "" if n_each == 1 else self._lose(f"seats got {n_each} cards where others got one")
        here, problem = self._next_deal(kind, most_burned=(0, 1))
        if problem or self._is_lost or not self._steps:
            return problem
        step = self._steps[here]
        one_at_a_time = self._can_run_short and n_each == 1 and kind == StepKind.STEP_KIND_DEAL_DOWN
        if n_each != step.count and not one_at_a_time:
            return self._lose(f"each seat got {n_each} cards, the game deals {step.count}")
        self._n_dealt += n_each
        self._at = here
        if self._n_dealt >= step.count:
            self._at, self._n_dealt = here + 1, 0
        return ""

    def board(self, n_cards: int) -> str:
        """Cards came to the board."""
        most = (0, 1) if self._has_board else _FIRST_BOARD_BURNS
        self._has_board = True
        here, problem = self._next_deal(StepKind.STEP_KIND_DEAL_BOARD, most_burned=most)
        if problem or self._is_lost or not self._steps:
            return problem
        if n_cards != self._steps[here].count:
            return self._lose(f"{n_cards} board cards were dealt, the game deals {self._steps[here].count}")
        self._at = here + 1
        return ""

    def common(self) -> str:
        """One card for all came in place of the last private ones."""
        here, problem = self._next_deal(StepKind.STEP_KIND_DEAL_DOWN, most_burned=(0, 1), may_lack_burn=True)
        self._at = here + 1
        return problem

    def drawn(self, place: int, n_given: int, n_drawn: int, live: Collection[int]) -> str:
        """A seat changed cards (GAME-DC-09).

        Args:
            place: Of the seat, clockwise from the button's left.
            n_given: Cards that it gave up.
            n_drawn: Cards that it got.
            live: Places of the seats that surely play: they draw one after the other.
        """
        if n_given != n_drawn:
            return self._lose(f"a seat drew {n_drawn} cards for {n_given}")
        self._is_mixed = False
        if self._is_lost or not self._steps:
            return ""
        last = self._drew
        is_new = not last < place
        if any(other > last or other < place if is_new else last < other < place for other in live):
            return self._lose("a seat drew cards before its turn")
        self._at += is_new and last >= 0
        self._drew = place
        while self._kind(self._at) not in {StepKind.STEP_KIND_DRAW, StepKind.STEP_KIND_BURN, *_DEALS, None}:
            self._at += 1
        if self._kind(self._at) != StepKind.STEP_KIND_DRAW:
            return self._lose(f"a seat drew cards where {self._expected(self._at)}")
        if n_drawn > self._steps[self._at].count:
            return self._lose(f"a seat drew {n_drawn} cards, the game changes up to {self._steps[self._at].count}")
        return ""

    def _next_deal(
        self, kind: StepKind.ValueType, *, most_burned: Sequence[int], may_lack_burn: bool = False
    ) -> tuple[int, str]:
        """Which step deals these cards, and what is wrong with it or with the burn before it."""
        burned = self._burned
        # GAME-ST-17: with nothing to spare the last card is dealt without a burn.
        may_lack_burn = may_lack_burn or (self._can_run_short and self._is_mixed)
        self._burned, self._is_mixed, self._drew = 0, False, -1
        if self._is_lost:
            return self._at, ""
        if not self._steps:
            return 0, "" if burned in most_burned else self._lose(f"{_cards(burned)} burned, the rulebook burns one")
        here = self._next()
        is_last = kind == self._kind(here + 1) == StepKind.STEP_KIND_DEAL_DOWN
        here += may_lack_burn and is_last and self._kind(here) == StepKind.STEP_KIND_BURN
        if self._kind(here) != kind:
            return here, self._lose(f"{_WORDS[kind]} were dealt where {self._expected(here)}")
        return here, ""

    def _next(self) -> int:
        """The next step that takes cards from the stub without anybody's choice."""
        here = self._at
        while here < len(self._steps) and (
            self._kind(here) not in {StepKind.STEP_KIND_BURN, *_DEALS}
            or (self._kind(here) == StepKind.STEP_KIND_BURN and not self._steps[here].count)
        ):
            here += 1
        return here

    def _kind(self, at: int) -> StepKind.ValueType | None:
        return self._steps[at].kind if 0 <= at < len(self._steps) else None

    def _expected(self, at: int) -> str:
        kind = self._kind(at)
        return "the game deals no more cards" if kind is None else f"the game has {_WORDS[kind]}"

    def _lose(self, problem: str) -> str:
        if self._is_lost:
            return ""
        self._is_lost = True
        return problem


def _cards(count: int) -> str:
    return "1 card was" if count == 1 else f"{count} cards were"
