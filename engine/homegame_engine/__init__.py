"""The rules of home poker as pure state machines: same inputs, same events, on every machine.

This package reads no clock, file, socket, log or entropy. The names below are its public face; a caller that
needs more imports the module that holds it.
"""

from homegame_engine.errors import (
    HomegameError,
    InputError,
    InvariantError,
    NotAllowed,
    NotFound,
    RuleViolation,
    ServiceReason,
    StaleVersion,
)
from homegame_engine.reasons import PRECEDENCE, Reason
from homegame_engine.rules import RULES, Rule

__all__ = [
    "PRECEDENCE",
    "RULES",
    "HomegameError",
    "InputError",
    "InvariantError",
    "NotAllowed",
    "NotFound",
    "Reason",
    "Rule",
    "RuleViolation",
    "ServiceReason",
    "StaleVersion",
]
