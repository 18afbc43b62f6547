"""Values that the procedures of a night share: people, what the clock owes, and the way they refuse."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from homegame_engine.errors import NotAllowed, RuleViolation, ServiceReason
from homegame_engine.hand import Hand
from homegame_engine.reasons import Reason
from homegame_engine.specs import GameSpec, HandRules

NightPhase = Literal["POSTED", "PLAYING", "FINISHED", "PLAYOFF", "CLOSED"]

RUNNING: Final = ("PLAYING", "PLAYOFF")  # Phases in which hands are dealt.


class Person(msgspec.Struct, kw_only=True):
    """A participant of the night."""

    participant_id: str
    name: str
    seat: int | None = None
    acknowledged: bool = False
    has_left: bool = False  # Got up during play: the seat passes every deal, the clock acts for a live hand.
    time_bank_tokens: int = 0  # Left in this session (PROC-CLK-02).
    tokens_used_in_hand: int = 0  # Given back when the hand is void (PROC-VOID-02).
    agrees_to_resets: bool = False  # PTS-B3-03, said before the first hand.
    has_reset: bool = False  # Has used the one reset.


class SealedDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A shuffled deck that was committed to and waits for its cut (PROC-SHUF-01, PROC-SHUF-02). As secret as the cards."""

    deck_order: bytes  # As committed, before the cut.
    cutter: int  # Seat that cuts.
    # Who passes and who is back after the seal counts from the next deal: who is dealt in was fixed with the deck, or whoever
    # knows deck and cut could choose who gets which card.
    passing_later: tuple[tuple[int, bool], ...] = ()
    mix_orders: bytes = b""  # For a stub that runs short, one order of all deck positions after the other (CARD-06).

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("mix_orders",)


class CompletedHand(NamedTuple):
    """A hand that is over, with what it was played by; complete, so secret."""

    hand: Hand
    game: GameSpec
    rules: HandRules


class CalledGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as a dealer called it."""

    game: GameSpec
    explanation: str
    ante_chips: int
    by_clock: bool
    digest: bytes  # Of the game, for the night's own encoding: 32 bytes.


class Calling(msgspec.Struct, frozen=True, kw_only=True):
    """The call for one hand, from the moment it is due until the hand is over (GAME-DC-01, GAME-DC-02)."""

    dealer: int
    called: CalledGame | None = None
    sitting_out: tuple[int, ...] = ()  # Seats that pass this hand only.
    n_changes: int = 0  # Times the dealer has thought better of it.
    action_number: int = 0  # That the call was published with.
    sit_out_until_ms: int = 0  # As it was published.
    is_fixed: bool = False  # A deck was sealed for it: game and seats stand.


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """An input that the clock owes: from `at_ms` on, in Unix UTC milliseconds."""

    kind: Literal["CALL", "DEAL", "CUT", "TIME_OUT", "FINISH"]
    at_ms: int
    action_number: int = 0


class SeatTaken(NotAllowed):
    """Another participant holds the seat."""

    def __init__(self, seat: int) -> None:
        """Name the seat, from 0."""
        super().__init__(ServiceReason.SEAT_TAKEN, f"Seat {seat + 1} is taken.")
        self.seat = seat


def seats_of(mask: int, *, first: int, n_seats: int) -> tuple[int, ...]:
    """Seats of a mask, clockwise from `first`."""
    ring = (seat % n_seats for seat in range(first, first + n_seats))
    return tuple(seat for seat in ring if mask >> seat & 1)


def violation(reason: Reason, rule_id: str, message: str, facts: Mapping[str, int] | None = None) -> RuleViolation:
    """Build a refusal; facts are amounts in chips or seats from 0."""
    return RuleViolation(reason, rule_id, facts=facts, message=message)
