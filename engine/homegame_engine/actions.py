"""What a player may do, as values. Knows names and amounts; knows nothing of what is legal when.

An action is one atomic wager (BET-GEN-03). Its tag is its stable stored name.
"""

import msgspec


class Action(msgspec.Struct, frozen=True, tag_field="kind"):
    """Base of all actions."""


class Fold(Action, frozen=True, tag="fold"):
    """Give up the hand."""


class Check(Action, frozen=True, tag="check"):
    """Stay in without putting chips in."""


class Call(Action, frozen=True, tag="call"):
    """Match the level.

    `call_chips` is what the caller expects to add. It is required in no and pot limit and checked wherever it is given
    (BET-NL-11).
    """

    call_chips: int | None = None


class Bet(Action, frozen=True, tag="bet"):
    """Open the betting of a street, to a street total or by a step; exactly one of the two (BET-GEN-14)."""

    to_chips: int | None = None
    by_chips: int | None = None


class Raise(Action, frozen=True, tag="raise"):
    """Go above the level, to a street total or by a step over the level; exactly one of the two (BET-GEN-14)."""

    to_chips: int | None = None
    by_chips: int | None = None


class Complete(Action, frozen=True, tag="complete"):
    """Make a full bet of the bring-in (GAME-ST-05). Its size is fixed. No and pot limit do not know it (BET-NL-08)."""


class Show(Action, frozen=True, tag="show"):
    """Turn the hand up at showdown (PROC-SHOW-04)."""


class Muck(Action, frozen=True, tag="muck"):
    """Concede at showdown without showing (PROC-SHOW-04)."""


class Cut(Action, frozen=True, tag="cut"):
    """Cut the sealed deck: `position` cards from the top go to the bottom, 1 to 51 (PROC-SHUF-02)."""

    position: int


class BringIn(Action, frozen=True, tag="bring_in"):
    """Post the forced bet of the low card (GAME-ST-05)."""


class Discard(Action, frozen=True, tag="discard"):
    """Give up private cards, card codes; exactly as many as LegalActions asks for (GAME-DISC-01)."""

    cards: tuple[int, ...]


class Draw(Action, frozen=True, tag="draw"):
    """Change private cards, card codes; none is standing pat (GAME-DC-09)."""

    cards: tuple[int, ...] = ()


class PassCards(Action, frozen=True, tag="pass"):
    """Hand private cards, card codes, to the neighbour that the game names (GAME-DC-04)."""

    cards: tuple[int, ...]


class Declare(Action, frozen=True, tag="declare"):
    """Declare for LOW, HIGH or BOTH halves, sealed until all are in (GAME-DECL-01)."""

    half: str


class Agree(Action, frozen=True, tag="agree"):
    """Name a division of the pot, chips by seat; it holds once every live player has named the same (POT-AGR-01).

    An empty division takes back what was named before.
    """

    shares: tuple[int, ...]


AnyAction = (
    Fold
    | Check
    | Call
    | Bet
    | Raise
    | Complete
    | Show
    | Muck
    | Cut
    | BringIn
    | Discard
    | Draw
    | PassCards
    | Declare
    | Agree
)


class LegalActions(msgspec.Struct, frozen=True):
    """Everything open to one seat, with amounts. A client needs no other knowledge of the rules to offer buttons.

    Amounts are chips in the table's base unit. `kinds` is empty when the seat has nothing to decide.
    """

    seat: int
    kinds: tuple[str, ...] = ()
    call_chips: int = 0  # To add for a call, at most the stack.
    call_to_chips: int = 0  # Street total after that call.
    raise_to_min_chips: int | None = None  # Least street total of a bet or raise; None when none is open.
    raise_to_max_chips: int | None = None  # Greatest one.
    raise_step_chips: int = 0  # Totals between the two go in steps of this many chips; an all-in need not fit.
    unit_chips: int = 1  # Smallest chip.
    wager_refusal: str | None = None  # Reason that closes betting and raising, None when open.
    cut_position_min: int | None = None  # Cards from the top that a cut may take; None when no cut is due.
    cut_position_max: int | None = None
    bring_in_chips: int = 0  # Forced bet of the low card, at most the stack; 0 when none is due.
    cards_min: int | None = None  # Private cards to name in a discard, draw or pass; None when none is due.
    cards_max: int | None = None
    halves: tuple[str, ...] = ()  # What may be declared: LOW, HIGH, BOTH.
    may_agree: bool = False  # A division of the pot may be named (POT-AGR-01).
