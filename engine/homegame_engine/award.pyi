"""Types of the compiled module `award`; its cores are in award.pxd."""

from collections.abc import Collection, Sequence

from homegame_engine.specs import GameSpec

def judge_declarations(
    declared: Sequence[str],
    high_ranks: Sequence[int],
    low_ranks: Sequence[int],
    *,
    tie_keeps_both: bool = False,
) -> tuple[int, int]:
    """Find the winners of both halves of a layer by what its players declared.

    Args:
        declared: LOW, HIGH or BOTH of each player, 1 to 10 of them.
        high_ranks: Their high hand ranks, higher is better.
        low_ranks: Their low hand ranks, higher is better; 0 for a hand that does not qualify.
        tie_keeps_both: Whether a BOTH declarer may tie (`both_rule = TIE_OK`).

    Returns:
        Mask of the winners of the high half and of the low half, bit i for player i. A half whose mask is 0 goes with the other.

    Raises:
        InputError: no declaration, or not as many ranks.

    Rules: GAME-DECL-04 to GAME-DECL-06, GAME-DECL-08, GAME-DECL-09.
    """

def check_selection(game: GameSpec, hole_cards: Collection[int], board: Collection[int], chosen: Sequence[int]) -> None:
    """Check that five cards may be played as a hand by somebody with these private cards and this board.

    Args:
        game: Says how many private cards a hand uses.
        hole_cards: Card codes of the player.
        board: Card codes of the common cards.
        chosen: The five card codes.

    Raises:
        RuleViolation: BAD_HAND_SELECTION (GAME-OM-01, where exactly so many private cards count; RANK-HI-01).
    """
