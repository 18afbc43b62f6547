"""Types of the compiled module `yardstick`; the struct is in yardstick.pxd."""

from collections.abc import Sequence

from typing_extensions import disjoint_base

from homegame_engine.specs import GameSpec, HandRules

@disjoint_base
class MeasuredGame:
    """A game's yardstick, measured when it is made."""

    def __init__(self, game: GameSpec, hand_rules: HandRules) -> None: ...
    def standings(
        self, step: int, hole_cards: Sequence[int], board: Sequence[int] = (), *, up_mask: int = 0
    ) -> tuple[int, int]:
        """Return the thousandths of all hands at a step that are worse, for the high half (or the whole pot) and for the low one.

        Args:
            step: Index of a step of the game at which seats decide.
            hole_cards: Private cards that a seat holds then.
            board: Common cards that lie there then.
            up_mask: Bit i says that private card i lies face up.

        Raises:
            InputError: a step at which nobody decides, or more cards than a hand has.
        """
