"""Values that the procedures of a night share: people, what the clock owes, and the way they refuse."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from homegame_engine.errors import NotAllowed, RuleViolation, ServiceReason
from homegame_engine.reasons import Reason

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


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """An input that the clock owes: from `at_ms` on, in Unix UTC milliseconds."""

    kind: Literal["DEAL", "CUT", "TIME_OUT", "FINISH"]
    at_ms: int
    action_number: int = 0


class SeatTaken(NotAllowed):
    """Another participant holds the seat."""

    def __init__(self, seat: int) -> None:
        """Name the seat, from 0."""
        super().__init__(ServiceReason.SEAT_TAKEN, f"Seat {seat + 1} is taken.")
        self.seat = seat


def violation(reason: Reason, rule_id: str, message: str, facts: Mapping[str, int] | None = None) -> RuleViolation:
    """Build a refusal; facts are amounts in chips or seats from 0."""
    return RuleViolation(reason, rule_id, facts=facts, message=message)
