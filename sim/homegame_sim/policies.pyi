"""Types of the compiled module `policies`; what each policy does is in policies.pxd."""

from collections.abc import Sequence

from homegame_engine.actions import AnyAction
from homegame_engine.session import Session
from homegame_sim.philox import Stream

POLICIES: dict[str, int]
"""Name to code."""

def policy_code(name: str) -> int:
    """Return the code of a policy. Raises InputError, which lists them, for a name that nobody has."""

def choose_action(policy: str, session: Session, stream: Stream) -> AnyAction:
    """Return what the policy does for the seat to act, from that seat's observation and its own random words.

    Args:
        policy: Name in `POLICIES`.
        session: A session with a live hand; nothing of it changes, and the policy sees it through `view` only.
        stream: Words of that player for this hand; it advances by what the policy draws.

    Raises:
        InputError: no such policy, or nobody is to act.
    """

def rate_hole_cards(hole_cards: Sequence[int]) -> int:
    """Return how the threshold policies rate two private cards before the board: 0 (worst) to 40 (aces)."""

def rate_made_hand(hole_cards: Sequence[int], board: Sequence[int]) -> int:
    """Return the `Strength` (policies.pxd) of two private cards with three to five common ones: 0 nothing to 4 strong."""
