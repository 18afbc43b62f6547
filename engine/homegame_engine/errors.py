"""What the engine and its callers raise, as one small tree.

Three branches matter to a caller: a `RuleViolation` is a move that the rules refuse, the caller's own mistakes
(`InputError`, `NotFound`, `StaleVersion`, `NotAllowed`) are requests that make no sense here, and an
`InvariantError` is our bug. The first two leave every byte of state alone; after the third the table stops.
This module knows no transport: `homegame_server` maps the tree to status codes in one table.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from homegame_engine.reasons import Reason


class ServiceReason(StrEnum):
    """Why a request is refused for a cause that is not poker: the second closed list beside `Reason`."""

    BAD_REQUEST = "BAD_REQUEST"
    """The request is malformed: a field is missing, out of range or of no known kind."""

    NOT_FOUND = "NOT_FOUND"
    """There is no night, table, hand, game or format of this id."""

    UNAUTHENTICATED = "UNAUTHENTICATED"
    """The token is missing, forged or of another night."""

    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    """The request id was accepted before with another body."""

    SEAT_TAKEN = "SEAT_TAKEN"
    """Another participant holds the seat."""

    OVERLOADED = "OVERLOADED"
    """The night's mailbox is full; the same request may be sent again later."""

    LAGGED = "LAGGED"
    """The reader was too slow and was dropped; it resumes at the number it saw last."""

    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    """The journal could not be written; nothing happened."""

    STOPPING = "STOPPING"
    """The server is going down; the same request may be sent again after the restart."""


class HomegameError(Exception):
    """Anything that this project raises on purpose."""


class RuleViolation(HomegameError):  # noqa: N818 - the rulebook's word: a refusal is an answer, not an error
    """An action or procedure that the rules refuse now; expected, and the state is untouched.

    Attributes:
        reason: Why, from the rulebook's closed list; programs switch on this.
        rule_id: The rule that decides, for example `BET-NL-07`.
        facts: What would be legal or what was found, by name; amounts in base units under `…_chips`, seats from 0.
        message: A sentence for people; it may change and nobody parses it.
    """

    reason: Reason
    rule_id: str
    facts: Mapping[str, int]
    message: str

    def __init__(
        self,
        reason: Reason,
        rule_id: str,
        facts: Mapping[str, int] | None = None,
        message: str = "",
    ) -> None:
        super().__init__(f"{reason} ({rule_id})" + (f": {message}" if message else ""))
        self.reason = reason
        self.rule_id = rule_id
        self.facts = MappingProxyType(dict(facts or {}))
        self.message = message


class InputError(HomegameError):
    """The caller's input is malformed, whatever the state: a seat that no table has, a card that no deck has.

    Attributes:
        message: A sentence for people.
        field: Path of the offending field as the caller wrote it, for example `levels[1].small_blind`; may be empty.
        reason: `ServiceReason.BAD_REQUEST`, or the rulebook's own where a subclass says so.
    """

    reason: Reason | ServiceReason = ServiceReason.BAD_REQUEST

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.message = message
        self.field = field


class SpecError(InputError):
    """A game, house or format as its author wrote it cannot be played.

    Attributes:
        source: The file's name, for people.
        line: Line of the fault, counted from 1; 0 when it is the file's as a whole, or the line is its base's.
        rule_id: The rule that asks for what is missing or wrong, for example `GAME-DC-04`.
        reason: Why, from the rulebook's closed list, for example `GAME_NOT_DESCRIBABLE`.
    """

    def __init__(self, problem: str, *, source: str, field: str, line: int, rule_id: str, reason: Reason) -> None:
        where = f"{source}:{line}" if line else source
        place = f"{where}: {field}" if field else where
        message = f"{place}: {problem} ({rule_id})"
        super().__init__(message, field)
        self.args = (message,)  # The message names the field already.
        self.source = source
        self.line = line
        self.rule_id = rule_id
        self.reason: Reason = reason


class NotFound(HomegameError):  # noqa: N818 - named as the answer it becomes
    """What the caller names does not exist.

    Attributes:
        kind: What was looked for: `night`, `table`, `hand`, `game`, `format`, …
        name: The id that nothing has.
        reason: `ServiceReason.NOT_FOUND`, or the rulebook's own reason, for example `FORMAT_UNKNOWN`.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        reason: Reason | ServiceReason = ServiceReason.NOT_FOUND,
    ) -> None:
        super().__init__(f"there is no {kind} {name!r}")
        self.kind = kind
        self.name = name
        self.reason = reason


class StaleVersion(HomegameError):  # noqa: N818 - named as the answer it becomes
    """The caller acted on a state that has moved on.

    Attributes:
        expected: Number that the caller sent.
        current: Number that holds now.
        reason: `Reason.STALE_ACTION` unless the rulebook has a closer one.
    """

    def __init__(self, expected: int, current: int, reason: Reason = Reason.STALE_ACTION) -> None:
        super().__init__(f"the state is at {current}, the request speaks of {expected}")
        self.expected = expected
        self.current = current
        self.reason = reason


class NotAllowed(HomegameError):  # noqa: N818 - named as the answer it becomes
    """The caller is known and may not do this.

    Attributes:
        reason: Why, for example `Reason.NOT_HOST` or `ServiceReason.UNAUTHENTICATED`.
        message: A sentence for people.
    """

    def __init__(self, reason: Reason | ServiceReason, message: str = "") -> None:
        super().__init__(f"{reason}: {message}" if message else str(reason))
        self.reason = reason
        self.message = message


class InvariantError(HomegameError):
    """Our bug: something that cannot be is (GEN-04). Stop that table, keep the evidence, raise the alarm.

    Attributes:
        reason: Always `Reason.INVARIANT_BROKEN`.
        facts: The figures that contradict each other, by name; they go to the log, never to a client.
    """

    reason = Reason.INVARIANT_BROKEN

    def __init__(self, message: str, facts: Mapping[str, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.facts = MappingProxyType(dict(facts or {}))
