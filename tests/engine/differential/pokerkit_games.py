"""The games that both pokerkit and the library have, and how each is set up at both tables.

pokerkit's classes are taken as they are but for two things: hands are ranked once and remembered, and its fixed-limit Omaha
hi-lo, which bets pot limit as delivered, gets the structure of its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pokerkit

from tests.table_builders import house_rules

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from homegame_engine.specs import HandRules, Structure

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)
CAP = 4  # Voluntary wagers on a street of fixed limit; pokerkit does not count the blind.


class Ranker:
    """One of pokerkit's hand types, asked once for each hand instead of at every step of a showdown."""

    def __init__(self, hand_type: type[Any]) -> None:
        known: dict[tuple[object, object], Any] = {}

        class Remembered(hand_type):  # type: ignore[misc]  # pokerkit's own evaluator, whichever it is
            @classmethod
            def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Any:  # noqa: ANN401 - pokerkit's own signature
                key = (tuple(hole_cards), tuple(board_cards))
                if key not in known:
                    try:
                        known[key] = super().from_game(*key)
                    except ValueError:
                        known[key] = None
                if known[key] is None:
                    raise ValueError(key)
                return known[key]

        self.hand_type = Remembered
        self.known = known

    def rank(self, hole_cards: Sequence[Any], board: Sequence[Any]) -> Any:  # noqa: ANN401 - a pokerkit hand
        """Pokerkit's hand, comparable with others of its type; None where no hand of the type can be made."""
        return self.hand_type.from_game_or_none(hole_cards, board)


@dataclass(frozen=True)
class Sizes:
    """Forced bets and limits of one hand, in chips."""

    ante: int
    small_blind: int = 0
    big_blind: int = 0
    bring_in: int = 0
    small_bet: int = 0  # Fixed limit: the early streets; others: the least bet.
    big_bet: int = 0


class Pairing:
    """A game of the library and the pokerkit class that plays it."""

    def __init__(
        self,
        game_id: str,
        structure: Structure,
        game: type[Any],
        *,
        opens: str = "BLINDS",
        blinds: Sequence[tuple[int, int]] = ((1, 2),),
        hand_types: Sequence[type[Any]] = (),
    ) -> None:
        self.game_id = game_id
        self.structure: Structure = structure
        self.opens = opens
        self.blinds = tuple(blinds)
        self.own_rankers = [Ranker(hand_type) for hand_type in game.hand_types]
        self.rankers = [Ranker(hand_type) for hand_type in hand_types] or self.own_rankers
        is_fixed = structure == "FIXED_LIMIT"
        betting = pokerkit.BettingStructure
        changes = {
            "hand_types": tuple(ranker.hand_type for ranker in self.own_rankers),
            "betting_structure": betting.FIXED_LIMIT if is_fixed else game.betting_structure,
            "max_completion_betting_or_raising_count": CAP if is_fixed else None,
        }
        self.game: Any = type(game.__name__, (game,), changes)

    @property
    def name(self) -> str:
        return f"{self.game_id} {self.structure}"

    def forget(self) -> None:
        """Drop the hands of the last deal."""
        for ranker in (*self.rankers, *self.own_rankers):
            ranker.known.clear()

    def sizes(self, chance: random.Random) -> Sizes:
        """Choose the sizes of a hand."""
        if self.opens == "BRING_IN":
            bring_in, small_bet = chance.choice([(1, 2), (1, 2), (1, 4), (2, 5)])
            return Sizes(ante=chance.choice([1, 1, 2]), bring_in=bring_in, small_bet=small_bet, big_bet=2 * small_bet)
        small, big = chance.choice(self.blinds)
        ante = chance.choice([0, 0, 0, 1])
        return Sizes(ante=ante, small_blind=small, big_blind=big, small_bet=big, big_bet=2 * big)

    def rules(self, sizes: Sizes) -> HandRules:
        """Points Night's rules for fixed limit, the club's for the others, as the cases of `tests/vectors` have them."""
        return house_rules(
            "POINTS_NIGHT" if self.structure == "FIXED_LIMIT" else "CLUB",
            self.structure,
            (sizes.small_blind, sizes.big_blind),
            ante_chips=sizes.ante,
            bring_in_chips=sizes.bring_in,
            small_bet_chips=sizes.small_bet,
            big_bet_chips=sizes.big_bet,
            showdown="AUTO",
            stud_shortage=True,  # Up to eight players, so that cards run short (GAME-ST-17).
        )

    def pokerkit_state(self, sizes: Sizes, stacks: Sequence[int]) -> Any:  # noqa: ANN401 - pokerkit's state
        """Start a hand at pokerkit, before any card; players from the left of the button."""
        forced: list[Any] = [sizes.bring_in if self.opens == "BRING_IN" else (sizes.small_blind, sizes.big_blind)]
        limits = [sizes.small_bet, sizes.big_bet] if self.structure == "FIXED_LIMIT" else [sizes.small_bet]
        trims_antes = True
        return self.game.create_state(AUTOMATIONS, trims_antes, sizes.ante, *forced, *limits, stacks, len(stacks))


PAIRINGS = (
    Pairing("HOLDEM", "FIXED_LIMIT", pokerkit.FixedLimitTexasHoldem),
    Pairing("HOLDEM", "NO_LIMIT", pokerkit.NoLimitTexasHoldem),
    Pairing(
        "SHORT_HOLDEM",
        "NO_LIMIT",
        pokerkit.NoLimitShortDeckHoldem,
        hand_types=[pokerkit.StandardHighHand],
    ),
    Pairing("OMAHA", "POT_LIMIT", pokerkit.PotLimitOmahaHoldem, blinds=((1, 2), (2, 4), (2, 5))),
    Pairing("OMAHA8", "FIXED_LIMIT", pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter),
    Pairing("STUD7", "FIXED_LIMIT", pokerkit.FixedLimitSevenCardStud, opens="BRING_IN"),
    Pairing("STUD8", "FIXED_LIMIT", pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, opens="BRING_IN"),
    Pairing("RAZZ", "FIXED_LIMIT", pokerkit.FixedLimitRazz, opens="BRING_IN"),
    Pairing("DEUCE_TO_SEVEN_SINGLE", "NO_LIMIT", pokerkit.NoLimitDeuceToSevenLowballSingleDraw),
    Pairing("DEUCE_TO_SEVEN_TRIPLE", "FIXED_LIMIT", pokerkit.FixedLimitDeuceToSevenLowballTripleDraw),
    Pairing("BADUGI", "FIXED_LIMIT", pokerkit.FixedLimitBadugi),
)
