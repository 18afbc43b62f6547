"""Types of the compiled module `philox`; the addresses of draws are explained in philox.pxd."""

from typing import final

DEAL: int
"""Purpose of the streams that deal."""

DECISION: int
"""Purpose of the streams that players decide with; each player has one for each hand."""

@final
class Stream:
    """The random words at one address. All arguments are below 2^64."""

    def __init__(
        self, *, seed: int, block: int, purpose: int, player: int = 0, hand: int = 0, table: int = 0
    ) -> None: ...
    def next_word(self) -> int:
        """Return the next 64 random bits."""

    def below(self, bound: int) -> int:
        """Return an integer from 0 to `bound` - 1, each equally likely. Raises InputError for a bound of 0."""
