"""The one table from the core's refusal codes to the rulebook's reasons, and the sentences people read.

The position in `REFUSALS` is the code of `betting.pxd`, enum Refusal. Sentences may change; nobody parses them.
"""

from typing import NamedTuple

from homegame_engine.actions import LegalActions
from homegame_engine.errors import RuleViolation
from homegame_engine.reasons import Reason


class Refused(NamedTuple):
    """Reason, the rule that gives it, and a sentence for people."""

    reason: Reason
    rule_id: str
    message: str


REFUSALS: tuple[Refused | None, ...] = (
    None,
    Refused(Reason.HAND_OVER, "BET-GEN-06", "The hand is over, or you are out of it."),
    Refused(Reason.OUT_OF_TURN, "BET-GEN-01", "Another seat is to act."),
    Refused(Reason.OUT_OF_TURN, "PROC-SHOW-01", "Another seat shows first."),
    Refused(Reason.ACTION_CLOSED, "BET-GEN-03", "The betting is over; show or muck your hand."),
    Refused(Reason.ACTION_UNKNOWN, "BET-GEN-13", "There is no such action here."),
    Refused(Reason.ACTION_UNKNOWN, "BET-NL-08", "There is no completing; raise to an amount instead."),
    Refused(Reason.ACTION_UNKNOWN, "BET-GEN-02", "There is a wager to face: call, raise or fold instead of betting."),
    Refused(Reason.ACTION_UNKNOWN, "BET-GEN-02", "There is nothing to raise: check or bet."),
    Refused(Reason.NOTHING_TO_CALL, "BET-GEN-02", "There is no wager to call: check or bet."),
    Refused(Reason.CANNOT_CHECK, "BET-GEN-02", "You face a wager: call, raise or fold."),
    Refused(Reason.NOTHING_TO_FOLD, "BET-GEN-02", "Nothing is owed, so there is nothing to fold: check or bet."),
    Refused(Reason.AMBIGUOUS_AMOUNT, "BET-GEN-14", "Name the total or the step, exactly one of them."),
    Refused(Reason.STALE_AMOUNT, "BET-NL-11", "The call costs another amount than you stated."),
    Refused(Reason.INSUFFICIENT_STACK, "BET-GEN-09", "You have not enough chips for that."),
    Refused(Reason.BETTING_CLOSED, "BET-GEN-08", "Nobody else has chips left to bet against."),
    Refused(Reason.RAISE_CAP_REACHED, "BET-FL-03", "The betting is capped on this street."),
    Refused(Reason.RAISE_CAP_REACHED, "BET-LIM-02", "The betting is capped on this street."),
    Refused(Reason.RAISE_CAP_REACHED, "BET-SP-03", "The betting is capped on this street."),
    Refused(Reason.RAISE_NOT_REOPENED, "BET-FL-04", "You have acted and face no full raise: call or fold."),
    Refused(Reason.RAISE_NOT_REOPENED, "BET-FL-06", "You have checked and face a short all-in: call or fold."),
    Refused(Reason.RAISE_NOT_REOPENED, "BET-LIM-05", "You have acted and face less than half a raise: call or fold."),
    Refused(Reason.RAISE_NOT_REOPENED, "BET-NL-07", "You have acted and face less than a full raise: call or fold."),
    Refused(Reason.RAISE_NOT_REOPENED, "BET-SP-04", "You have acted and face less than a chip: call or fold."),
    Refused(Reason.NOT_A_MULTIPLE, "BET-SP-02", "A step is a multiple of the smallest bet."),
    Refused(Reason.NOT_A_MULTIPLE, "POT-ODD-02", "The amount is no multiple of the smallest chip."),
    Refused(Reason.BAD_INCREMENT, "BET-FL-02", "A bet or raise here has one fixed size."),
    Refused(Reason.BAD_INCREMENT, "BET-FL-05", "A raise here completes the short all-in to the next full level."),
    Refused(Reason.BAD_INCREMENT, "BET-FL-06", "A raise here completes the short opening to a full bet."),
    Refused(Reason.BAD_INCREMENT, "BET-LIM-01", "A bet or raise here has one fixed size."),
    Refused(Reason.BELOW_MINIMUM, "BET-NL-02", "The bet is below the minimum."),
    Refused(Reason.BELOW_MINIMUM, "BET-NL-03", "The raise is below the minimum."),
    Refused(Reason.BELOW_MINIMUM, "BET-NL-04", "Over a short all-in bet a raise adds at least the minimum bet."),
    Refused(Reason.BELOW_MINIMUM, "BET-NL-05", "The first raise is to at least twice the announced big blind."),
    Refused(Reason.BELOW_MINIMUM, "BET-NL-06", "A short all-in leaves the size of the least raise as it was."),
    Refused(Reason.BELOW_MINIMUM, "BET-SP-01", "The step is below the range."),
    Refused(Reason.ABOVE_MAXIMUM, "BET-PL-02", "The wager is above the pot."),
    Refused(Reason.ABOVE_MAXIMUM, "BET-PL-03", "The first wager is at most three and a half big blinds."),
    Refused(Reason.ABOVE_MAXIMUM, "BET-PL-04", "The opening is above the pot."),
    Refused(Reason.ABOVE_MAXIMUM, "BET-SP-01", "The step is above the range."),
    Refused(Reason.CLAIM_CARDS_MISSING, "PROC-SHOW-04", "The cards of this hand are not known yet: enter them first."),
    Refused(Reason.CUTOFF_PASSED, "PTS-016", "The cutoff has passed; no new hand starts."),
    Refused(Reason.TOO_FEW_PLAYERS, "PTS-006", "Fewer players than the format needs."),
    Refused(Reason.HAND_IN_PROGRESS, "PTS-005", "A hand is being played; wait until it ends."),
    Refused(Reason.SESSION_CLOSED, "PTS-023", "The session has ended."),
    Refused(Reason.BAD_DECK, "PTS-001", "The deck order does not hold each of the 52 cards once."),
    Refused(Reason.CUTOFF_MISSING, "PTS-003", "No cutoff is posted."),
    Refused(Reason.TABLE_FROZEN, "PROC-PAUSE-02", "The table is paused."),
    Refused(Reason.DISCARD_REQUIRED, "GAME-IR-01", "Two private cards have to be discarded first."),
    Refused(Reason.DISCARD_REQUIRED, "GAME-CP-01", "A private card has to be discarded first."),
    Refused(Reason.BAD_DISCARD, "GAME-DISC-01", "Name as many of your own cards as the game asks for, each once."),
    Refused(Reason.BAD_DISCARD, "GAME-DC-09", "Name cards of your own hand, each once, no more than may be changed."),
    Refused(Reason.DECLARE_REQUIRED, "GAME-DECL-01", "Declare low, high or both first."),
    Refused(Reason.DECLARE_CLOSED, "GAME-DECL-01", "There is no declaration to make now."),
    Refused(Reason.DECLARE_REQUIRED, "GAME-DECL-01", "Declare LOW, HIGH or BOTH."),
    Refused(Reason.OPENERS_REQUIRED, "GAME-DC-06", "Opening needs the hand that the game names: check or fold."),
    Refused(Reason.OUT_OF_TURN, "GAME-ST-04", "The bring-in comes first."),
    Refused(Reason.CANNOT_CHECK, "GAME-ST-07", "Post the bring-in or bet; a check is not open."),
    Refused(Reason.BAD_INCREMENT, "GAME-ST-05", "Over the bring-in a bet has one fixed size."),
    Refused(
        Reason.BAD_INCREMENT,
        "BET-LIM-04",
        "With an open pair a step is the small or the big bet; after a big one, big.",
    ),
    Refused(Reason.ACTION_CLOSED, "BET-GEN-03", "Your choice is made and binding."),
    Refused(Reason.AGREEMENT_FORBIDDEN, "POT-AGR-02", "Pot agreements are not allowed in this house."),
    Refused(
        Reason.SPLIT_SUM_MISMATCH,
        "POT-AGR-01",
        "The division adds up to the pot and gives only to seats that are in it.",
    ),
    Refused(Reason.CONSENT_MISSING, "POT-AGR-01", "Not every live player agrees."),
    Refused(Reason.BETTING_CLOSED, "GAME-DECL-03", "The two of you said different halves: there is no final round."),
    Refused(Reason.BAD_DISCARD, "GAME-DC-04", "Name as many of your own cards as the game has you pass, each once."),
)


def refuse(code: int, legal: LegalActions | None = None) -> RuleViolation:
    """Build the violation for a core refusal `code` (1..), with what would have been legal as facts in chips."""
    refused = REFUSALS[code]
    if refused is None:
        raise ValueError(code)  # Acceptance is no violation; a caller's mistake.
    facts: dict[str, int] = {}
    if legal is not None and legal.kinds:
        facts["seat"] = legal.seat
        facts["call_chips"] = legal.call_chips
        if legal.raise_to_min_chips is not None and legal.raise_to_max_chips is not None:
            facts["raise_to_min_chips"] = legal.raise_to_min_chips
            facts["raise_to_max_chips"] = legal.raise_to_max_chips
    return RuleViolation(refused.reason, refused.rule_id, facts=facts, message=refused.message)
