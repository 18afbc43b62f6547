"""Why an input is refused: the rulebook's closed list.

Generated from docs/rules by engine/tools/generate_rules.py; edit the rulebook, not this file.
Reasons that are not poker (a full mailbox, an unknown id) are `homegame_engine.errors.ServiceReason`.
"""

from enum import StrEnum


class Reason(StrEnum):
    """A refusal's reason; the name is the value and never changes."""

    ABOVE_MAXIMUM = "ABOVE_MAXIMUM"
    """Above the largest legal amount; reply holds the limits."""

    ACK_MISSING = "ACK_MISSING"
    """A participant has not acknowledged the posting."""

    ACTION_CLOSED = "ACTION_CLOSED"
    """The action or its time is over."""

    ACTION_STANDS = "ACTION_STANDS"
    """Later action makes the correction impossible."""

    ACTION_UNKNOWN = "ACTION_UNKNOWN"
    """No such action in this house or structure."""

    AGREEMENT_FORBIDDEN = "AGREEMENT_FORBIDDEN"
    """Pot agreements are not allowed in this house."""

    AGREEMENT_TOO_LATE = "AGREEMENT_TOO_LATE"
    """Must be agreed before the first scored hand."""

    ALREADY_SEATED = "ALREADY_SEATED"
    """Participant has a seat."""

    ALREADY_VOTED = "ALREADY_VOTED"
    """One ballot per person."""

    AMBIGUOUS_AMOUNT = "AMBIGUOUS_AMOUNT"
    """Both or neither of raise_to and raise_by given."""

    ANSWER_LOCKED = "ANSWER_LOCKED"
    """Answer already locked."""

    ANTE_MISSING = "ANTE_MISSING"
    """Not all antes are in."""

    BAD_CUT = "BAD_CUT"
    """Cut position outside 1-51."""

    BAD_DECK = "BAD_DECK"
    """Deck does not have the required cards."""

    BAD_DISCARD = "BAD_DISCARD"
    """Wrong number of cards or a card not held."""

    BAD_EXCHANGE = "BAD_EXCHANGE"
    """Only whole groups at the posted ratio."""

    BAD_HAND_SELECTION = "BAD_HAND_SELECTION"
    """Five cards are not legal for the game."""

    BAD_INCREMENT = "BAD_INCREMENT"
    """Fixed-limit size is wrong."""

    BARRED_FOR_SEASON = "BARRED_FOR_SEASON"
    """Two no-shows this season."""

    BELOW_MINIMUM = "BELOW_MINIMUM"
    """Below the smallest legal amount; reply holds the limits."""

    BETTING_CLOSED = "BETTING_CLOSED"
    """No betting possible in this state."""

    BLIND_OWED = "BLIND_OWED"
    """Post the big blind or wait for it."""

    BLOCK_NOT_COMPLETE = "BLOCK_NOT_COMPLETE"
    """Block must be completed first."""

    BLOCK_TOO_LONG = "BLOCK_TOO_LONG"
    """Block must be under 25 minutes."""

    BULLSEYE_NOT_AT_TABLE = "BULLSEYE_NOT_AT_TABLE"
    """Target is not at the gunslinger's table."""

    BUYIN_NOT_EXACT = "BUYIN_NOT_EXACT"
    """Buy-in must be exactly the posted amount."""

    BUYIN_NOT_SETTLED = "BUYIN_NOT_SETTLED"
    """Host has not marked the buy-in settled."""

    BUYIN_TOO_LARGE = "BUYIN_TOO_LARGE"
    """Above the largest buy-in or rebuy."""

    CALL_STANDS = "CALL_STANDS"
    """Call cannot be withdrawn."""

    CANCEL_TOO_LATE = "CANCEL_TOO_LATE"
    """Less than two hours before the start."""

    CANNOT_CHECK = "CANNOT_CHECK"
    """Check while facing a wager, or while the opening bet is due."""

    CARDS_NOT_SHOWN = "CARDS_NOT_SHOWN"
    """All required cards must be shown."""

    CHANGE_NOT_CASHED = "CHANGE_NOT_CASHED"
    """Only whole dollars are cashed."""

    CHAT_BLOCKED_LIVE_HAND = "CHAT_BLOCKED_LIVE_HAND"
    """Message held until the hand ends."""

    CHECK_PENDING = "CHECK_PENDING"
    """Waiting for the second confirmation."""

    CHOICE_CLOSED = "CHOICE_CLOSED"
    """Time for the choice is over."""

    CLAIM_CARDS_MISSING = "CLAIM_CARDS_MISSING"
    """Cards needed for the claim were not shown."""

    COLUMN_MIXED = "COLUMN_MIXED"
    """Points of different columns cannot be combined."""

    CONFIG_INVALID = "CONFIG_INVALID"
    """Setting missing or contradictory."""

    CONFIG_LOCKED = "CONFIG_LOCKED"
    """Posted settings cannot change now."""

    CONSENT_MISSING = "CONSENT_MISSING"
    """A needed yes was refused or not given."""

    COUNT_MISMATCH = "COUNT_MISMATCH"
    """Counts or totals differ."""

    COUNT_PENDING = "COUNT_PENDING"
    """Final count not recorded yet."""

    CUTOFF_IN_PAST = "CUTOFF_IN_PAST"
    """New cutoff must lie in the future."""

    CUTOFF_MISSING = "CUTOFF_MISSING"
    """No cutoff posted."""

    CUTOFF_PASSED = "CUTOFF_PASSED"
    """No new hand after the cutoff."""

    DEAL_NOT_IN_MONEY = "DEAL_NOT_IN_MONEY"
    """Deal only among players in the money."""

    DECK_INCOMPLETE = "DECK_INCOMPLETE"
    """Deck inventory is not complete."""

    DECK_IN_USE = "DECK_IN_USE"
    """Deck belongs to another table."""

    DECLARE_CLOSED = "DECLARE_CLOSED"
    """Declarations are closed."""

    DECLARE_REQUIRED = "DECLARE_REQUIRED"
    """A high-low declaration is due first."""

    DISCARD_REQUIRED = "DISCARD_REQUIRED"
    """Player must discard first."""

    DISPUTE_OPEN = "DISPUTE_OPEN"
    """A dispute must be settled first."""

    EARLY_ACTION_BOUND = "EARLY_ACTION_BOUND"
    """A declared early action binds."""

    EXPENSE_EXCEEDS_POT = "EXPENSE_EXCEEDS_POT"
    """Expense above the championship pot."""

    EXPLANATION_MISSING = "EXPLANATION_MISSING"
    """A game outside the library needs an explanation."""

    FORMAT_UNKNOWN = "FORMAT_UNKNOWN"
    """No such format."""

    GAME_NOT_DESCRIBABLE = "GAME_NOT_DESCRIBABLE"
    """Called game does not fit the description language."""

    HAND_DEAD = "HAND_DEAD"
    """Hand is dead."""

    HAND_IN_PROGRESS = "HAND_IN_PROGRESS"
    """Possible only between hands."""

    HAND_OVER = "HAND_OVER"
    """The hand has ended, or the player is out of it."""

    HELPER_MAY_NOT_ADVISE = "HELPER_MAY_NOT_ADVISE"
    """Helpers give no advice."""

    INSUFFICIENT_STACK = "INSUFFICIENT_STACK"
    """Not enough chips."""

    INVALID_BALLOT = "INVALID_BALLOT"
    """Ballot malformed or option not offered."""

    INVARIANT_BROKEN = "INVARIANT_BROKEN"
    """Chip total does not balance; the table stops."""

    INVENTORY_MISMATCH = "INVENTORY_MISMATCH"
    """Equipment count differs."""

    JACKPOT_NOT_AVAILABLE = "JACKPOT_NOT_AVAILABLE"
    """Conditions for the attempt are not met."""

    KEEP_ONES = "KEEP_ONES"
    """Exchange would leave too few one-point chips."""

    LATE_ENTRY_CLOSED = "LATE_ENTRY_CLOSED"
    """Level 6 has started."""

    LEDGER_IMMUTABLE = "LEDGER_IMMUTABLE"
    """Ledger entries cannot be edited."""

    MESSAGE_HELD = "MESSAGE_HELD"
    """Message held by the word list."""

    MISDEAL_DECLARED = "MISDEAL_DECLARED"
    """The deal is void as a misdeal."""

    MISDEAL_TOO_LATE = "MISDEAL_TOO_LATE"
    """Misdeal deadline has passed."""

    MONEY_NOT_ALLOWED = "MONEY_NOT_ALLOWED"
    """A money value was given for Points Night."""

    MONEY_TRANSFER_UNSUPPORTED = "MONEY_TRANSFER_UNSUPPORTED"
    """The product records money, it never moves it."""

    MOVE_REFUSED = "MOVE_REFUSED"
    """Assigned move cannot be refused."""

    NOTHING_TO_CALL = "NOTHING_TO_CALL"
    """Call without a wager."""

    NOTHING_TO_FOLD = "NOTHING_TO_FOLD"
    """Fold although nothing is owed (Points Night)."""

    NOT_AT_BREAK = "NOT_AT_BREAK"
    """Possible only at the posted break."""

    NOT_A_HELPER = "NOT_A_HELPER"
    """Participant is still in play or has no such job."""

    NOT_A_MULTIPLE = "NOT_A_MULTIPLE"
    """Amount is no multiple of the unit."""

    NOT_DEALER = "NOT_DEALER"
    """Only the current dealer may do this."""

    NOT_DIRECTOR = "NOT_DIRECTOR"
    """Director only."""

    NOT_ELDER = "NOT_ELDER"
    """Elders only."""

    NOT_GUNSLINGER = "NOT_GUNSLINGER"
    """Only the gunslinger places the bullseye."""

    NOT_HOST = "NOT_HOST"
    """Host or director only."""

    NOT_IN_SIDE_GAME = "NOT_IN_SIDE_GAME"
    """Participant did not enter this side game."""

    NOT_YOUR_ROLE = "NOT_YOUR_ROLE"
    """Another participant holds this role or turn."""

    NO_PEEK = "NO_PEEK"
    """Hidden, folded or private information."""

    OPENERS_REQUIRED = "OPENERS_REQUIRED"
    """Opening needs the stated minimum hand."""

    OUT_OF_TURN = "OUT_OF_TURN"
    """Another player or seat is to act."""

    PARTICIPANT_BARRED = "PARTICIPANT_BARRED"
    """Participant is barred."""

    PARTICIPANT_MUTED = "PARTICIPANT_MUTED"
    """Participant is muted."""

    PARTICIPANT_SUSPENDED = "PARTICIPANT_SUSPENDED"
    """Participant is suspended."""

    PAUSE_KIND_UNKNOWN = "PAUSE_KIND_UNKNOWN"
    """No such pause kind."""

    PLAYOFF_NOT_ALLOWED = "PLAYOFF_NOT_ALLOWED"
    """Tie rule does not allow this playoff."""

    POSTING_INCOMPLETE = "POSTING_INCOMPLETE"
    """A required posting is missing."""

    POT_PURCHASE_FORBIDDEN = "POT_PURCHASE_FORBIDDEN"
    """Chips cannot be bought from a pot."""

    PRACTICE_ACTIVE = "PRACTICE_ACTIVE"
    """Practice hand allows no betting or scoring."""

    PRACTICE_REQUIRED = "PRACTICE_REQUIRED"
    """Practice hand must come first."""

    PRIVATE_REVEAL_FORBIDDEN = "PRIVATE_REVEAL_FORBIDDEN"
    """A hand is shown to all or to nobody."""

    RAISE_CAP_REACHED = "RAISE_CAP_REACHED"
    """No further raise on this street."""

    RAISE_NOT_REOPENED = "RAISE_NOT_REOPENED"
    """Player already acted and faces no full raise."""

    REASON_NOT_ACCEPTED = "REASON_NOT_ACCEPTED"
    """Reasons for a seat arrangement are not stored."""

    REBUY_CLOSED = "REBUY_CLOSED"
    """Rebuy window is over."""

    REBUY_NOT_ALLOWED = "REBUY_NOT_ALLOWED"
    """Event or format has no rebuy or add-on."""

    REBUY_TOO_SMALL = "REBUY_TOO_SMALL"
    """Below 50 big blinds."""

    REBUY_USED = "REBUY_USED"
    """Season rebuy already used."""

    REDRAW_NOT_ALLOWED = "REDRAW_NOT_ALLOWED"
    """No right to redraw the dealer seat."""

    REMEDY_TOO_LATE = "REMEDY_TOO_LATE"
    """Remedy asked after hands were shown or the hand ended."""

    RESET_NOT_AGREED = "RESET_NOT_AGREED"
    """Resets were not agreed before the first hand."""

    RESET_NOT_ZERO = "RESET_NOT_ZERO"
    """Reset only from zero."""

    RESET_USED = "RESET_USED"
    """Player has used the reset."""

    RESUME_BLOCKED = "RESUME_BLOCKED"
    """Someone has neither returned nor passed."""

    REVEAL_MISMATCH = "REVEAL_MISMATCH"
    """Revealed choice does not match its commitment."""

    REVIEW_INCOMPLETE = "REVIEW_INCOMPLETE"
    """A required part of the review is missing."""

    REVIEW_NOT_ALLOWED = "REVIEW_NOT_ALLOWED"
    """No turn offered, or hand not complete."""

    ROTATION_DONE = "ROTATION_DONE"
    """The move has been carried out."""

    SAME_PARTICIPANT = "SAME_PARTICIPANT"
    """Two different people are needed."""

    SEASON_FULL = "SEASON_FULL"
    """Season already has its events of this kind."""

    SEAT_RESERVED = "SEAT_RESERVED"
    """Seat is held for an arrangement."""

    SEAT_TRADE_FORBIDDEN = "SEAT_TRADE_FORBIDDEN"
    """Seats cannot be sold or traded."""

    SESSION_CLOSED = "SESSION_CLOSED"
    """Session has ended."""

    SHEET_INCOMPLETE = "SHEET_INCOMPLETE"
    """Start or end rows of a hand are missing."""

    SHEET_LOCKED = "SHEET_LOCKED"
    """Row is locked."""

    SIDE_GAME_CLOSED = "SIDE_GAME_CLOSED"
    """Entry closed with the first hand."""

    SIDE_PRICE_OUT_OF_RANGE = "SIDE_PRICE_OUT_OF_RANGE"
    """Price must be 100-500 cents."""

    SIT_OUT_CLOSED = "SIT_OUT_CLOSED"
    """Sitting out is possible only before the first card."""

    SPLIT_SUM_MISMATCH = "SPLIT_SUM_MISMATCH"
    """Agreed parts do not add up."""

    STACK_NOT_ZERO = "STACK_NOT_ZERO"
    """Player still has chips."""

    STALE_ACTION = "STALE_ACTION"
    """Action number is not the current one."""

    STALE_AMOUNT = "STALE_AMOUNT"
    """Expected call amount differs from the real one."""

    TABLE_FROZEN = "TABLE_FROZEN"
    """Table is paused."""

    TIMEBANK_TOO_LATE = "TIMEBANK_TOO_LATE"
    """Window had ended."""

    TIMEBANK_USED = "TIMEBANK_USED"
    """Token already used."""

    TOO_FEW_PLAYERS = "TOO_FEW_PLAYERS"
    """Below the minimum of the format."""

    TOO_MANY_PLAYERS = "TOO_MANY_PLAYERS"
    """Above the limit of game, table or format."""

    UNEQUAL_CLOCK = "UNEQUAL_CLOCK"
    """Clock settings must be the same for all."""

    UNEQUAL_START = "UNEQUAL_START"
    """Starting stacks are not equal or not as posted."""

    VERSION_CONFLICT = "VERSION_CONFLICT"
    """Two versions set the same option."""

    VOTE_CLOSED = "VOTE_CLOSED"
    """Vote is over."""

    WRONG_TABLE_MODE = "WRONG_TABLE_MODE"
    """Request belongs to the other table mode."""


PRECEDENCE: tuple[Reason, ...] = (
    Reason.STALE_ACTION,
    Reason.HAND_OVER,
    Reason.TABLE_FROZEN,
    Reason.OUT_OF_TURN,
    Reason.ACTION_CLOSED,
    Reason.ACTION_UNKNOWN,
    Reason.NOTHING_TO_CALL,
    Reason.CANNOT_CHECK,
    Reason.NOTHING_TO_FOLD,
    Reason.AMBIGUOUS_AMOUNT,
    Reason.STALE_AMOUNT,
    Reason.INSUFFICIENT_STACK,
    Reason.BETTING_CLOSED,
    Reason.RAISE_CAP_REACHED,
    Reason.RAISE_NOT_REOPENED,
    Reason.NOT_A_MULTIPLE,
    Reason.BAD_INCREMENT,
    Reason.BELOW_MINIMUM,
    Reason.ABOVE_MAXIMUM,
)
"""When several reasons apply to one input, the first of these is given."""
