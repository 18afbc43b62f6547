"""Types of the compiled module `kill`; the structs are in kill.pxd."""

from typing import NamedTuple

class KillMarker(NamedTuple):
    """The kill marker between two hands; -1 for nobody (KILL-02)."""

    leg_seat: int
    killer_seat: int

def next_marker(
    marker: tuple[int, int],
    *,
    winners_mask: int,
    won_bet: bool = True,
    is_hi_lo: bool = False,
    pot_chips: int = 0,
    big_blind_chips: int = 0,
) -> KillMarker:
    """Return the marker after a hand that `marker` preceded and its killer killed.

    Args:
        marker: Leg and killer before the hand; (-1, -1) at the first hand of a game (KILL-03).
        winners_mask: Seats that won any part of the pot; bit s is seat s. 0 where the pot stays for a redeal.
        won_bet: Whether a sole winner gained a full bet beyond the blinds (KILL-02).
        is_hi_lo: Halves are played for, so that the pot's size decides (KILL-07).
        pot_chips: The whole pot; counts for `is_hi_lo`.
        big_blind_chips: Of the hand; counts for `is_hi_lo`.

    Rules: KILL-02 to KILL-04, KILL-07.
    """
