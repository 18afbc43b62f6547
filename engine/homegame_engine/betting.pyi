"""Types of the compiled module `betting`; the structs are in betting.pxd."""

from collections.abc import Sequence

from typing_extensions import disjoint_base

from homegame_engine.actions import AnyAction, LegalActions
from homegame_engine.specs import HandRules

@disjoint_base
class BettingRound:
    """One street of betting by itself, for rule designers and tests; a hand composes the same core.

    Rules: BET-GEN, BET-FL, BET-LIM, BET-NL, BET-PL, BET-SP.
    """

    def __init__(
        self,
        rules: HandRules,
        stacks: Sequence[int],
        *,
        increment_chips: int = 0,
        pot_before_chips: int = 0,
        posts: Sequence[int] | None = None,
        announced_chips: Sequence[int] | None = None,
        first_seat: int = 0,
        blind_is_opening: bool = False,
    ) -> None:
        """Begin a street.

        Args:
            rules: House and level.
            stacks: Chips of each seat before its post, clockwise from seat 0; 2 to 10 seats.
            increment_chips: Fixed-limit step of this street.
            pot_before_chips: In the pot already.
            posts: What blinds or a bring-in have put in front of the seats.
            announced_chips: Announced size of each post where it was short (BET-PL-03).
            first_seat: Where the action starts.
            blind_is_opening: The largest post is the big blind and counts as the opening (BET-FL-03); otherwise it is a
                bring-in (BET-FL-08).
        """

    @property
    def actor(self) -> int: ...
    @property
    def level_chips(self) -> int: ...
    @property
    def stacks(self) -> tuple[int, ...]: ...
    @property
    def street_chips(self) -> tuple[int, ...]: ...
    def legal_actions(self, seat: int) -> LegalActions:
        """What `seat` could do if it were its turn."""

    def apply(self, seat: int, action: AnyAction) -> None:
        """Carry out one action. Raises RuleViolation; a refusal changes nothing."""
