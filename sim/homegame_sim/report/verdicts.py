"""What an interval says about a threshold: inside it, outside it, or not settled. It knows no picture and no page."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final

HALVING: Final = "Four times the sessions halve the intervals."


class Verdict(StrEnum):
    """Where the fixed interval of a role lies, seen from the band of what is not noticeable."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    OPEN = "open"
    NO_INTERVAL = "no-interval"


def verdict(gain: Fraction, half_width: Fraction | None, threshold: Fraction) -> Verdict:
    """Compare an interval with the band from -`threshold` to +`threshold`.

    Args:
        gain: Mean less the equal value.
        half_width: Half the fixed interval, which is right for a run whose length was settled beforehand; None if there is none.
        threshold: Half the band, in the same unit.
    """
    if half_width is None:
        return Verdict.NO_INTERVAL
    if abs(gain) + half_width <= threshold:
        return Verdict.INSIDE
    if abs(gain) - half_width > threshold:
        return Verdict.OUTSIDE
    return Verdict.OPEN


def verdict_words(verdicts: Sequence[Verdict], band: str) -> str:
    """Say in a sentence or two what the verdicts of all roles, in their order, come to.

    Args:
        verdicts: One for each role.
        band: The threshold for people, as "1.00 pp".
    """
    if Verdict.NO_INTERVAL in verdicts:
        return "One rotation block has no interval: it says nothing about chance."
    outside = [role for role, found in enumerate(verdicts) if found is Verdict.OUTSIDE]
    still_open = [role for role, found in enumerate(verdicts) if found is Verdict.OPEN]
    if not outside and not still_open:
        return f"Every interval lies inside the band: no role is off by more than {band}."
    if len(still_open) == len(verdicts):
        question = f"whether any role is off by more than {band}"
        return f"Every interval reaches across an edge of the band: this run does not settle {question}. {HALVING}"
    words = []
    if outside:
        words.append(f"Off by more than {band}: {_roles(outside)}.")
    if still_open:
        words.append(
            f"Not settled by this run, because the interval reaches across an edge of the band: {_roles(still_open)}."
        )
    if len(outside) + len(still_open) < len(verdicts):
        words.append("The others lie inside the band.")
    if still_open:
        words.append(HALVING)
    return " ".join(words)


def _roles(roles: Sequence[int]) -> str:
    listed = ", ".join(str(role) for role in roles)
    return f"role {listed}" if len(roles) == 1 else f"roles {listed}"
