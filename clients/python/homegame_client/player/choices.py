"""What a person may do now, as keys: every kind and amount is the server's, copied from `LegalActions`."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from homegame.v1.actions_pb2 import ActionKind, LegalActions, PlayerAction
from homegame.v1.errors_pb2 import Reason
from homegame_client.terminal.words import chips_text, describe_choice

KEYS: Final[Mapping[ActionKind.ValueType, str]] = {
    ActionKind.ACTION_KIND_FOLD: "f",
    ActionKind.ACTION_KIND_CHECK: "c",
    ActionKind.ACTION_KIND_CALL: "c",
    ActionKind.ACTION_KIND_BET: "b",
    ActionKind.ACTION_KIND_RAISE: "r",
    ActionKind.ACTION_KIND_SHOW: "s",
    ActionKind.ACTION_KIND_MUCK: "m",
}

MEANINGS: Final[Mapping[str, tuple[ActionKind.ValueType, ...]]] = {
    "f": (ActionKind.ACTION_KIND_FOLD,),
    "c": (ActionKind.ACTION_KIND_CHECK, ActionKind.ACTION_KIND_CALL),
    "b": (ActionKind.ACTION_KIND_BET, ActionKind.ACTION_KIND_RAISE),
    "r": (ActionKind.ACTION_KIND_RAISE, ActionKind.ACTION_KIND_BET),
    "s": (ActionKind.ACTION_KIND_SHOW,),
    "m": (ActionKind.ACTION_KIND_MUCK,),
}
"""What a key may mean: the first kind that is open. Never two kinds of which the wrong one would cost chips."""

_WAGERS: Final = (ActionKind.ACTION_KIND_BET, ActionKind.ACTION_KIND_RAISE)


class AmountError(Exception):
    """What was typed is no amount that is open; the text says which are."""


class Choice(NamedTuple):
    """One open action."""

    kind: ActionKind.ValueType
    key: str
    words: str
    """With its amount: `call 2`, `raise to 4`."""
    legal: LegalActions
    """What the turn allows; amounts are read from here."""

    @property
    def needs_amount(self) -> bool:
        """Whether the player has to choose between amounts."""
        return self.kind in _WAGERS and self.legal.raise_to_max_chips > self.legal.raise_to_min_chips

    @property
    def range_words(self) -> str:
        """The amounts open to a bet or raise, as totals of the street."""
        legal = self.legal
        if not self.needs_amount:
            return f"exactly {chips_text(legal.raise_to_min_chips)}"
        words = f"from {chips_text(legal.raise_to_min_chips)} to {chips_text(legal.raise_to_max_chips)}"
        step = self._step_chips
        return words if step == 1 else f"{words} in steps of {chips_text(step)}"

    def read_amount(self, typed: str) -> int:
        """Return the street total that was typed: a number, `min` or `max`.

        Raises:
            AmountError: it is none of the open ones.
        """
        word = typed.strip().lower()
        low, high = self.legal.raise_to_min_chips, self.legal.raise_to_max_chips
        if word in ("min", "max"):
            return low if word == "min" else high
        digits = word.replace(",", "")
        if not (digits.isascii() and digits.isdecimal()):
            raise AmountError(f"Type a number {self.range_words}, or min, or max.")
        chips = int(digits)
        if chips != high and (not low <= chips < high or (chips - low) % self._step_chips):
            raise AmountError(f"{chips_text(chips)} is not open: the total may be {self.range_words}.")
        return chips

    def next_amount(self, chips: int, *, steps: int) -> int:
        """The open total that lies this many steps from another, as far as the range goes."""
        low, high = self.legal.raise_to_min_chips, self.legal.raise_to_max_chips
        step = self._step_chips
        if chips == high and steps < 0 and (high - low) % step:
            return high - (high - low) % step  # From a maximum between two steps, down to the last step.
        return min(high, max(low, chips + steps * step))

    def as_action(self, to_chips: int | None = None) -> PlayerAction:
        """Return what to send; `to_chips` for a bet or raise, the smallest one when it is left out."""
        total = self.legal.raise_to_min_chips if to_chips is None else to_chips
        action = PlayerAction()
        match self.kind:
            case ActionKind.ACTION_KIND_FOLD:
                action.fold.SetInParent()
            case ActionKind.ACTION_KIND_CHECK:
                action.check.SetInParent()
            case ActionKind.ACTION_KIND_CALL:
                action.call.call_chips = self.legal.call_chips
            case ActionKind.ACTION_KIND_BET:
                action.bet.to_chips = total
            case ActionKind.ACTION_KIND_RAISE:
                getattr(action, "raise").to_chips = total  # The field's name is a word of the language.
            case ActionKind.ACTION_KIND_SHOW:
                action.show.SetInParent()
            case _:
                action.muck.SetInParent()
        return action

    @property
    def _step_chips(self) -> int:
        return max(self.legal.raise_step_chips, self.legal.unit_chips, 1)


def open_choices(legal: LegalActions) -> tuple[Choice, ...]:
    """Everything open that this client has a key for, in the server's order."""
    return tuple(Choice(kind, KEYS[kind], _words(kind, legal), legal) for kind in legal.kinds if kind in KEYS)


def choice_for(key: str, choices: Sequence[Choice]) -> Choice | None:
    """What a key means among the open choices, None when nothing that it may mean is open."""
    by_kind = {choice.kind: choice for choice in choices}
    return next((by_kind[kind] for kind in MEANINGS.get(key, ()) if kind in by_kind), None)


def key_words(key: str) -> str:
    """What a key may mean, in words: `bet or raise`."""
    names = [ActionKind.Name(kind).removeprefix("ACTION_KIND_").lower() for kind in MEANINGS[key]]
    return " or ".join(names)


def no_wager_words(legal: LegalActions) -> str:
    """Why no bet or raise is open, as the server says it; empty when one is, or when nobody asked for betting."""
    if not legal.wager_refusal or any(kind in _WAGERS for kind in legal.kinds):
        return ""
    known = legal.wager_refusal in Reason.values()
    return Reason.Name(legal.wager_refusal).removeprefix("REASON_").lower().replace("_", " ") if known else ""


def _words(kind: ActionKind.ValueType, legal: LegalActions) -> str:
    one = LegalActions()
    one.CopyFrom(legal)
    del one.kinds[:]
    one.kinds.append(kind)
    return describe_choice(one)
