"""What a person may do now, as keys: every kind and amount is the server's, copied from `LegalActions`."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from homegame.v1.actions_pb2 import ActionKind, Half, LegalActions, PlayerAction
from homegame.v1.cards_pb2 import Card
from homegame.v1.errors_pb2 import Reason
from homegame_client.terminal.words import HALF_WORDS, chips_text, count_text, kind_text, kind_verb, one_of

KEYS: Final[Mapping[ActionKind.ValueType, str]] = {
    ActionKind.ACTION_KIND_FOLD: "f",
    ActionKind.ACTION_KIND_CHECK: "c",
    ActionKind.ACTION_KIND_CALL: "c",
    ActionKind.ACTION_KIND_BET: "b",
    ActionKind.ACTION_KIND_RAISE: "r",
    ActionKind.ACTION_KIND_COMPLETE: "r",
    ActionKind.ACTION_KIND_BRING_IN: "i",
    ActionKind.ACTION_KIND_SHOW: "s",
    ActionKind.ACTION_KIND_MUCK: "m",
    ActionKind.ACTION_KIND_CUT: "x",
    ActionKind.ACTION_KIND_DISCARD: "d",
    ActionKind.ACTION_KIND_DRAW: "d",
    ActionKind.ACTION_KIND_PASS: "d",
}
HALF_KEYS: Final[Mapping[Half.ValueType, str]] = {Half.HALF_LOW: "l", Half.HALF_HIGH: "h", Half.HALF_BOTH: "b"}

MEANINGS: Final[Mapping[str, tuple[ActionKind.ValueType, ...]]] = {
    "f": (ActionKind.ACTION_KIND_FOLD,),
    "c": (ActionKind.ACTION_KIND_CHECK, ActionKind.ACTION_KIND_CALL),
    "b": (ActionKind.ACTION_KIND_BET, ActionKind.ACTION_KIND_RAISE, ActionKind.ACTION_KIND_COMPLETE),
    "r": (ActionKind.ACTION_KIND_RAISE, ActionKind.ACTION_KIND_COMPLETE, ActionKind.ACTION_KIND_BET),
    "i": (ActionKind.ACTION_KIND_BRING_IN,),
    "s": (ActionKind.ACTION_KIND_SHOW,),
    "m": (ActionKind.ACTION_KIND_MUCK,),
    "x": (ActionKind.ACTION_KIND_CUT,),
    "d": (ActionKind.ACTION_KIND_DISCARD, ActionKind.ACTION_KIND_DRAW, ActionKind.ACTION_KIND_PASS),
    "l": (ActionKind.ACTION_KIND_DECLARE,),
}
"""What a key may mean: the first kind that is open. Never two kinds of which the wrong one would cost chips.

Where a declaration is due, the keys of `HALF_KEYS` mean its halves and nothing else.
"""

_WAGERS: Final = (ActionKind.ACTION_KIND_BET, ActionKind.ACTION_KIND_RAISE, ActionKind.ACTION_KIND_COMPLETE)
_CARD_KINDS: Final = (ActionKind.ACTION_KIND_DISCARD, ActionKind.ACTION_KIND_DRAW, ActionKind.ACTION_KIND_PASS)
_VERBS: Final[Mapping[ActionKind.ValueType, str]] = {
    ActionKind.ACTION_KIND_BET: "bet",
    ActionKind.ACTION_KIND_CUT: "cut at",
    ActionKind.ACTION_KIND_RAISE: "raise to",
    ActionKind.ACTION_KIND_COMPLETE: "complete to",
}


class AmountError(Exception):
    """What was typed is no amount that is open; the text says which are."""


class CardsError(Exception):
    """The cards that were picked are not what is open; the text says what is."""


class Choice(NamedTuple):
    """One open action."""

    kind: ActionKind.ValueType
    key: str
    words: str
    """With its amount: `call 2`, `raise to 4`, `declare low`."""
    legal: LegalActions
    """What the turn allows; amounts are read from here."""
    half: Half.ValueType = Half.HALF_UNSPECIFIED
    """Of a declaration."""

    @property
    def low(self) -> int:
        """The smallest open amount: a total of the street for a bet or raise, cards from the top for a cut."""
        return self.legal.cut_position_min if self._is_cut else self.legal.raise_to_min_chips

    @property
    def high(self) -> int:
        """The largest open amount."""
        return self.legal.cut_position_max if self._is_cut else self.legal.raise_to_max_chips

    @property
    def needs_amount(self) -> bool:
        """Whether the player has to choose between amounts."""
        return (self._is_cut or self.kind in _WAGERS) and self.high > self.low

    @property
    def needs_cards(self) -> bool:
        """Whether the player has to choose cards of the own hand."""
        return self.kind in _CARD_KINDS

    @property
    def verb(self) -> str:
        """What an amount or cards are asked for: `raise to`, `cut at`, `discard`."""
        return _VERBS.get(self.kind, kind_verb(self.kind))

    @property
    def proposal(self) -> int:
        """What stands in the field before anything is typed: the least chips, or a place in the deck by chance."""
        return self.low + secrets.randbelow(self.high - self.low + 1) if self._is_cut else self.low

    @property
    def range_words(self) -> str:
        """The open amounts."""
        if not self.needs_amount:
            return f"exactly {chips_text(self.low)}"
        if self.high - self.low == self._step:
            return f"{chips_text(self.low)} or {chips_text(self.high)}"
        words = f"from {chips_text(self.low)} to {chips_text(self.high)}"
        return words if self._step == 1 else f"{words} in steps of {chips_text(self._step)}"

    def read_amount(self, typed: str) -> int:
        """Return the amount that was typed: a number, `min` or `max`.

        Raises:
            AmountError: it is none of the open ones.
        """
        word = typed.strip().lower()
        if word in ("min", "max"):
            return self.low if word == "min" else self.high
        digits = word.replace(",", "")
        if not (digits.isascii() and digits.isdecimal()):
            raise AmountError(f"Type a number {self.range_words}, or min, or max.")
        amount = int(digits)
        if amount != self.high and (not self.low <= amount < self.high or (amount - self.low) % self._step):
            raise AmountError(f"{chips_text(amount)} is not open: it may be {self.range_words}.")
        return amount

    def next_amount(self, amount: int, *, steps: int) -> int:
        """The open amount that lies this many steps from another, as far as the range goes."""
        if amount == self.high and steps < 0 and (self.high - self.low) % self._step:
            return (
                self.high - (self.high - self.low) % self._step
            )  # From a maximum between two steps, down to the last.
        return min(self.high, max(self.low, amount + steps * self._step))

    def check_cards(self, n_cards: int) -> None:
        """Hold that so many cards may be named.

        Raises:
            CardsError: the server asks for more, or for fewer.
        """
        if self.legal.cards_min <= n_cards <= self.legal.cards_max:
            return
        exactly = self.legal.cards_min == self.legal.cards_max
        wanted = f"{'' if exactly else 'up to '}{count_text(self.legal.cards_max, 'card')}"
        raise CardsError(f"You {self.verb} {wanted}, and {n_cards or 'none'} {'is' if n_cards < 2 else 'are'} picked.")  # noqa: PLR2004 - one or more

    def as_action(self, amount: int | None = None, cards: Sequence[Card.ValueType] = ()) -> PlayerAction:
        """Return what to send; `amount` for a bet, raise or cut, the proposal when it is left out; `cards` to give up."""
        chosen = self.proposal if amount is None else amount
        action = PlayerAction()
        match self.kind:
            case ActionKind.ACTION_KIND_CALL:
                action.call.call_chips = self.legal.call_chips
            case ActionKind.ACTION_KIND_BET:
                action.bet.to_chips = chosen
            case ActionKind.ACTION_KIND_RAISE:
                getattr(action, "raise").to_chips = chosen  # The field's name is a word of the language.
            case ActionKind.ACTION_KIND_CUT:
                action.cut.position = chosen
            case ActionKind.ACTION_KIND_DECLARE:
                action.declare.half = self.half
            case _:
                name = ActionKind.Name(self.kind).removeprefix("ACTION_KIND_").lower()
                getattr(action, name).SetInParent()
                if self.needs_cards:
                    getattr(action, name).cards.extend(cards)
        return action

    @property
    def _is_cut(self) -> bool:
        return self.kind == ActionKind.ACTION_KIND_CUT

    @property
    def _step(self) -> int:
        return 1 if self._is_cut else max(self.legal.raise_step_chips, self.legal.unit_chips, 1)


def open_choices(legal: LegalActions) -> tuple[Choice, ...]:
    """Everything open that this client has a key for, in the server's order; of a declaration each half."""
    return tuple(_choices(legal))


def _choices(legal: LegalActions) -> Iterator[Choice]:
    for kind in legal.kinds:
        if kind == ActionKind.ACTION_KIND_DECLARE:
            for half in legal.halves:
                if half in HALF_KEYS:
                    yield Choice(kind, HALF_KEYS[half], f"declare {HALF_WORDS[half]}", legal, half)
        elif kind in KEYS:
            yield Choice(kind, KEYS[kind], kind_text(kind, legal), legal)


def choice_for(key: str, choices: Sequence[Choice]) -> Choice | None:
    """What a key means among the open choices, None when nothing that it may mean is open."""
    halves = {choice.key: choice for choice in choices if choice.half}
    if halves:
        return halves.get(key)
    by_kind = {choice.kind: choice for choice in choices}
    return next((by_kind[kind] for kind in MEANINGS.get(key, ()) if kind in by_kind), None)


def key_words(key: str) -> str:
    """What a key may mean, in words: `bet or raise`."""
    return one_of(kind_verb(kind) for kind in MEANINGS[key])


def no_wager_words(legal: LegalActions) -> str:
    """Why no bet or raise is open, as the server says it; empty when one is, or when nobody asked for betting."""
    if not legal.wager_refusal or any(kind in _WAGERS for kind in legal.kinds):
        return ""
    known = legal.wager_refusal in Reason.values()
    return Reason.Name(legal.wager_refusal).removeprefix("REASON_").lower().replace("_", " ") if known else ""
