"""The one table from reasons to gRPC status codes, and the one place where an exception becomes a status.

Each reason has its own row; there is no default by prefix and none by accident. Exceptions are looked up along their class
chain, so that a subclass stays what its parent is. What is none of ours leaves as a reference number and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2

from homegame_engine.errors import (
    InputError,
    InvariantError,
    NotAllowed,
    NotFound,
    RuleViolation,
    ServiceReason,
    SpecError,
    StaleVersion,
)
from homegame_engine.reasons import Reason
from homegame_server.errors import FieldFaults, ServiceRefusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DOMAIN: Final = "homegame.v1"

_Code = grpc.StatusCode

CODES: Final[dict[Reason | ServiceReason, grpc.StatusCode]] = {
    # The caller acted on something that has moved on.
    Reason.STALE_ACTION: _Code.ABORTED,
    Reason.STALE_AMOUNT: _Code.ABORTED,
    Reason.VERSION_CONFLICT: _Code.ABORTED,
    # The caller may not do this.
    Reason.NOT_HOST: _Code.PERMISSION_DENIED,
    Reason.NOT_DEALER: _Code.PERMISSION_DENIED,
    Reason.NOT_DIRECTOR: _Code.PERMISSION_DENIED,
    Reason.NOT_ELDER: _Code.PERMISSION_DENIED,
    Reason.NOT_GUNSLINGER: _Code.PERMISSION_DENIED,
    Reason.NOT_A_HELPER: _Code.PERMISSION_DENIED,
    Reason.NOT_IN_SIDE_GAME: _Code.PERMISSION_DENIED,
    Reason.NOT_YOUR_ROLE: _Code.PERMISSION_DENIED,
    Reason.PARTICIPANT_BARRED: _Code.PERMISSION_DENIED,
    Reason.PARTICIPANT_MUTED: _Code.PERMISSION_DENIED,
    Reason.PARTICIPANT_SUSPENDED: _Code.PERMISSION_DENIED,
    Reason.BARRED_FOR_SEASON: _Code.PERMISSION_DENIED,
    Reason.SAME_PARTICIPANT: _Code.PERMISSION_DENIED,
    Reason.HELPER_MAY_NOT_ADVISE: _Code.PERMISSION_DENIED,
    Reason.NO_PEEK: _Code.PERMISSION_DENIED,
    Reason.PRIVATE_REVEAL_FORBIDDEN: _Code.PERMISSION_DENIED,
    # The request would not make sense in any state of this table.
    Reason.ABOVE_MAXIMUM: _Code.INVALID_ARGUMENT,
    Reason.AMBIGUOUS_AMOUNT: _Code.INVALID_ARGUMENT,
    Reason.BAD_CUT: _Code.INVALID_ARGUMENT,
    Reason.BAD_DECK: _Code.INVALID_ARGUMENT,
    Reason.BAD_DISCARD: _Code.INVALID_ARGUMENT,
    Reason.BAD_EXCHANGE: _Code.INVALID_ARGUMENT,
    Reason.BAD_HAND_SELECTION: _Code.INVALID_ARGUMENT,
    Reason.BAD_INCREMENT: _Code.INVALID_ARGUMENT,
    Reason.BELOW_MINIMUM: _Code.INVALID_ARGUMENT,
    Reason.BUYIN_NOT_EXACT: _Code.INVALID_ARGUMENT,
    Reason.BUYIN_TOO_LARGE: _Code.INVALID_ARGUMENT,
    Reason.COLUMN_MIXED: _Code.INVALID_ARGUMENT,
    Reason.CONFIG_INVALID: _Code.INVALID_ARGUMENT,
    Reason.CUTOFF_IN_PAST: _Code.INVALID_ARGUMENT,
    Reason.GAME_NOT_DESCRIBABLE: _Code.INVALID_ARGUMENT,
    Reason.INVALID_BALLOT: _Code.INVALID_ARGUMENT,
    Reason.NOT_A_MULTIPLE: _Code.INVALID_ARGUMENT,
    Reason.PAUSE_KIND_UNKNOWN: _Code.INVALID_ARGUMENT,
    Reason.REBUY_TOO_SMALL: _Code.INVALID_ARGUMENT,
    Reason.SIDE_PRICE_OUT_OF_RANGE: _Code.INVALID_ARGUMENT,
    Reason.SPLIT_SUM_MISMATCH: _Code.INVALID_ARGUMENT,
    Reason.REASON_NOT_ACCEPTED: _Code.INVALID_ARGUMENT,
    Reason.BLOCK_TOO_LONG: _Code.INVALID_ARGUMENT,
    Reason.UNEQUAL_CLOCK: _Code.INVALID_ARGUMENT,
    Reason.UNEQUAL_START: _Code.INVALID_ARGUMENT,
    Reason.EXPLANATION_MISSING: _Code.INVALID_ARGUMENT,
    Reason.ACTION_UNKNOWN: _Code.INVALID_ARGUMENT,
    Reason.FORMAT_UNKNOWN: _Code.NOT_FOUND,
    # It has been done, and once is all there is.
    Reason.ALREADY_SEATED: _Code.ALREADY_EXISTS,
    Reason.ALREADY_VOTED: _Code.ALREADY_EXISTS,
    Reason.REBUY_USED: _Code.ALREADY_EXISTS,
    Reason.RESET_USED: _Code.ALREADY_EXISTS,
    Reason.TIMEBANK_USED: _Code.ALREADY_EXISTS,
    # Not in this state.
    Reason.ACK_MISSING: _Code.FAILED_PRECONDITION,
    Reason.ACTION_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.ACTION_STANDS: _Code.FAILED_PRECONDITION,
    Reason.AGREEMENT_FORBIDDEN: _Code.FAILED_PRECONDITION,
    Reason.AGREEMENT_TOO_LATE: _Code.FAILED_PRECONDITION,
    Reason.ANSWER_LOCKED: _Code.FAILED_PRECONDITION,
    Reason.ANTE_MISSING: _Code.FAILED_PRECONDITION,
    Reason.BETTING_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.BLIND_OWED: _Code.FAILED_PRECONDITION,
    Reason.BLOCK_NOT_COMPLETE: _Code.FAILED_PRECONDITION,
    Reason.BULLSEYE_NOT_AT_TABLE: _Code.FAILED_PRECONDITION,
    Reason.BUYIN_NOT_SETTLED: _Code.FAILED_PRECONDITION,
    Reason.CALL_STANDS: _Code.FAILED_PRECONDITION,
    Reason.CANCEL_TOO_LATE: _Code.FAILED_PRECONDITION,
    Reason.CANNOT_CHECK: _Code.FAILED_PRECONDITION,
    Reason.CARDS_NOT_SHOWN: _Code.FAILED_PRECONDITION,
    Reason.CHANGE_NOT_CASHED: _Code.FAILED_PRECONDITION,
    Reason.CHAT_BLOCKED_LIVE_HAND: _Code.FAILED_PRECONDITION,
    Reason.CHECK_PENDING: _Code.FAILED_PRECONDITION,
    Reason.CHOICE_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.CLAIM_CARDS_MISSING: _Code.FAILED_PRECONDITION,
    Reason.CONFIG_LOCKED: _Code.FAILED_PRECONDITION,
    Reason.CONSENT_MISSING: _Code.FAILED_PRECONDITION,
    Reason.COUNT_MISMATCH: _Code.FAILED_PRECONDITION,
    Reason.COUNT_PENDING: _Code.FAILED_PRECONDITION,
    Reason.CUTOFF_MISSING: _Code.FAILED_PRECONDITION,
    Reason.CUTOFF_PASSED: _Code.FAILED_PRECONDITION,
    Reason.DEAL_NOT_IN_MONEY: _Code.FAILED_PRECONDITION,
    Reason.DECK_INCOMPLETE: _Code.FAILED_PRECONDITION,
    Reason.DECK_IN_USE: _Code.FAILED_PRECONDITION,
    Reason.DECLARE_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.DECLARE_REQUIRED: _Code.FAILED_PRECONDITION,
    Reason.DISCARD_REQUIRED: _Code.FAILED_PRECONDITION,
    Reason.DISPUTE_OPEN: _Code.FAILED_PRECONDITION,
    Reason.EARLY_ACTION_BOUND: _Code.FAILED_PRECONDITION,
    Reason.EXPENSE_EXCEEDS_POT: _Code.FAILED_PRECONDITION,
    Reason.HAND_DEAD: _Code.FAILED_PRECONDITION,
    Reason.HAND_IN_PROGRESS: _Code.FAILED_PRECONDITION,
    Reason.HAND_OVER: _Code.FAILED_PRECONDITION,
    Reason.INSUFFICIENT_STACK: _Code.FAILED_PRECONDITION,
    Reason.INVARIANT_BROKEN: _Code.FAILED_PRECONDITION,
    Reason.INVENTORY_MISMATCH: _Code.FAILED_PRECONDITION,
    Reason.JACKPOT_NOT_AVAILABLE: _Code.FAILED_PRECONDITION,
    Reason.KEEP_ONES: _Code.FAILED_PRECONDITION,
    Reason.LATE_ENTRY_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.LEDGER_IMMUTABLE: _Code.FAILED_PRECONDITION,
    Reason.MESSAGE_HELD: _Code.FAILED_PRECONDITION,
    Reason.MISDEAL_DECLARED: _Code.FAILED_PRECONDITION,
    Reason.MISDEAL_TOO_LATE: _Code.FAILED_PRECONDITION,
    Reason.MONEY_NOT_ALLOWED: _Code.FAILED_PRECONDITION,
    Reason.MONEY_TRANSFER_UNSUPPORTED: _Code.FAILED_PRECONDITION,
    Reason.MOVE_REFUSED: _Code.FAILED_PRECONDITION,
    Reason.NOTHING_TO_CALL: _Code.FAILED_PRECONDITION,
    Reason.NOTHING_TO_FOLD: _Code.FAILED_PRECONDITION,
    Reason.NOT_AT_BREAK: _Code.FAILED_PRECONDITION,
    Reason.OPENERS_REQUIRED: _Code.FAILED_PRECONDITION,
    Reason.OUT_OF_TURN: _Code.FAILED_PRECONDITION,
    Reason.PLAYOFF_NOT_ALLOWED: _Code.FAILED_PRECONDITION,
    Reason.POSTING_INCOMPLETE: _Code.FAILED_PRECONDITION,
    Reason.POT_PURCHASE_FORBIDDEN: _Code.FAILED_PRECONDITION,
    Reason.PRACTICE_ACTIVE: _Code.FAILED_PRECONDITION,
    Reason.PRACTICE_REQUIRED: _Code.FAILED_PRECONDITION,
    Reason.RAISE_CAP_REACHED: _Code.FAILED_PRECONDITION,
    Reason.RAISE_NOT_REOPENED: _Code.FAILED_PRECONDITION,
    Reason.REBUY_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.REBUY_NOT_ALLOWED: _Code.FAILED_PRECONDITION,
    Reason.REDRAW_NOT_ALLOWED: _Code.FAILED_PRECONDITION,
    Reason.REMEDY_TOO_LATE: _Code.FAILED_PRECONDITION,
    Reason.RESET_NOT_AGREED: _Code.FAILED_PRECONDITION,
    Reason.RESET_NOT_ZERO: _Code.FAILED_PRECONDITION,
    Reason.RESUME_BLOCKED: _Code.FAILED_PRECONDITION,
    Reason.REVEAL_MISMATCH: _Code.FAILED_PRECONDITION,
    Reason.REVIEW_INCOMPLETE: _Code.FAILED_PRECONDITION,
    Reason.REVIEW_NOT_ALLOWED: _Code.FAILED_PRECONDITION,
    Reason.ROTATION_DONE: _Code.FAILED_PRECONDITION,
    Reason.SEASON_FULL: _Code.FAILED_PRECONDITION,
    Reason.SEAT_RESERVED: _Code.FAILED_PRECONDITION,
    Reason.SEAT_TRADE_FORBIDDEN: _Code.FAILED_PRECONDITION,
    Reason.SESSION_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.SHEET_INCOMPLETE: _Code.FAILED_PRECONDITION,
    Reason.SHEET_LOCKED: _Code.FAILED_PRECONDITION,
    Reason.SIDE_GAME_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.SIT_OUT_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.STACK_NOT_ZERO: _Code.FAILED_PRECONDITION,
    Reason.TABLE_FROZEN: _Code.FAILED_PRECONDITION,
    Reason.TIMEBANK_TOO_LATE: _Code.FAILED_PRECONDITION,
    Reason.TOO_FEW_PLAYERS: _Code.FAILED_PRECONDITION,
    Reason.TOO_MANY_PLAYERS: _Code.FAILED_PRECONDITION,
    Reason.VOTE_CLOSED: _Code.FAILED_PRECONDITION,
    Reason.WRONG_TABLE_MODE: _Code.FAILED_PRECONDITION,
    # What is not poker.
    ServiceReason.BAD_REQUEST: _Code.INVALID_ARGUMENT,
    ServiceReason.NOT_FOUND: _Code.NOT_FOUND,
    ServiceReason.UNAUTHENTICATED: _Code.UNAUTHENTICATED,
    ServiceReason.REQUEST_ID_REUSED: _Code.ALREADY_EXISTS,
    ServiceReason.SEAT_TAKEN: _Code.ALREADY_EXISTS,
    ServiceReason.OVERLOADED: _Code.RESOURCE_EXHAUSTED,
    ServiceReason.LAGGED: _Code.ABORTED,
    ServiceReason.STORE_UNAVAILABLE: _Code.UNAVAILABLE,
    ServiceReason.STOPPING: _Code.UNAVAILABLE,
}


class Refusal(NamedTuple):
    """A refusal as the client gets it."""

    reason: Reason | ServiceReason
    message: str
    metadata: Mapping[str, str]
    faults: Sequence[tuple[str, str]] = ()
    """Path and sentence of each malformed field."""

    @property
    def code(self) -> grpc.StatusCode:
        """The status code."""
        return CODES[self.reason]


def _rule_violation(error: RuleViolation) -> Refusal:
    return Refusal(error.reason, error.message, {"rule_id": error.rule_id, **_texts(error.facts)})


def _service_refusal(error: ServiceRefusal) -> Refusal:
    return Refusal(error.reason, error.message, _texts(error.facts))


def _field_faults(error: FieldFaults) -> Refusal:
    return Refusal(error.reason, f"The request is malformed: {error}.", {}, error.faults)


def _input_error(error: InputError) -> Refusal:
    faults = [(error.field, error.message)] if error.field else []
    return Refusal(error.reason, f"The request is malformed: {error.message}.", {}, faults)


def _spec_error(error: SpecError) -> Refusal:
    """A game or table that cannot be played: where in its file, and by which rule."""
    metadata = {"rule_id": error.rule_id, "line": str(error.line), "field": error.field}
    return Refusal(error.reason, f"{error.message}.", metadata)


def _not_found(error: NotFound) -> Refusal:
    return Refusal(error.reason, f"There is no {error.kind} of this id.", {"kind": error.kind})


def _stale(error: StaleVersion) -> Refusal:
    return Refusal(error.reason, "The table has moved on.", {"action_number": str(error.current)})


def _not_allowed(error: NotAllowed) -> Refusal:
    return Refusal(error.reason, error.message, {})


def _invariant(error: InvariantError) -> Refusal:
    # Its message and figures are for the operator.
    return Refusal(error.reason, "The table is stopped.", {})


_REFUSALS: Final[dict[type, Callable[..., Refusal]]] = {
    RuleViolation: _rule_violation,
    ServiceRefusal: _service_refusal,
    FieldFaults: _field_faults,
    SpecError: _spec_error,
    InputError: _input_error,
    NotFound: _not_found,
    StaleVersion: _stale,
    NotAllowed: _not_allowed,
    InvariantError: _invariant,
}


def refusal(error: BaseException) -> Refusal | None:
    """Return what a client is told about an exception, or None when it is none of ours."""
    for kind in type(error).__mro__:
        describe = _REFUSALS.get(kind)
        if describe is not None:
            return describe(error)
    return None


def to_status(of: Refusal) -> status_pb2.Status:
    """The refusal as `google.rpc.Status`, with ErrorInfo, and BadRequest where fields are at fault."""
    details = [
        _pack(error_details_pb2.ErrorInfo(reason=str(of.reason), domain=DOMAIN, metadata=dict(of.metadata))),
    ]
    if of.faults:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=path, description=message) for path, message in of.faults
        ]
        details.append(_pack(error_details_pb2.BadRequest(field_violations=violations)))
    return status_pb2.Status(code=of.code.value[0], message=of.message, details=details)


def to_unknown_status(reference: str) -> status_pb2.Status:
    """An unexpected failure: a number to quote to the operator, and no word of ours about it."""
    details = [_pack(error_details_pb2.RequestInfo(request_id=reference))]
    return status_pb2.Status(
        code=code_pb2.UNKNOWN, message=f"Unexpected failure, reference {reference}.", details=details
    )


def _pack(
    message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest | error_details_pb2.RequestInfo,
) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message, deterministic=True)
    return packed


def _texts(facts: Mapping[str, int]) -> dict[str, str]:
    return {name: str(value) for name, value in facts.items()}
