"""JSON-lines case files: random hands with every legal amount and the result, held against the engine.

The format is described beside the files (`cases/README.md`). A case brings its own sizes; the house is the one that the
files' profile names. This module reads a line and plays it; it opens no file.
"""

from typing import Annotated, Final, Literal

import msgspec

from homegame_engine import catalog
from homegame_engine.actions import AnyAction, Bet, BringIn, Call, Check, Complete, Fold, LegalActions, Raise
from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.format_checks import CHIPS_MAX
from homegame_engine.game_checks import SEATS_MAX
from homegame_engine.hand import Hand
from homegame_engine.notation.written_cards import WrittenCards
from homegame_engine.specs import GameSpec, HandRules, Structure

_GAMES: Final = {
    "fl_holdem": "HOLDEM",
    "nl_holdem": "HOLDEM",
    "pl_holdem": "HOLDEM",
    "pl_omaha": "OMAHA",
    "fl_omaha_hilo8": "OMAHA8",
    "fl_stud": "STUD7",
    "fl_razz": "RAZZ",
    "fl_stud_hilo8": "STUD8",
}
"""Game of a case to the catalog's."""

_PROFILES: Final[dict[str, tuple[str, Structure]]] = {
    "fixed_limit": ("POINTS_NIGHT", "FIXED_LIMIT"),
    "pot_limit": ("CLUB", "POT_LIMIT"),
    "no_limit": ("CLUB", "NO_LIMIT"),
}
"""Betting of the case to the house that plays it ("Profile" in the files' description)."""


_Chips = Annotated[int, msgspec.Meta(ge=0, le=CHIPS_MAX)]
_Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEATS_MAX)]


class CaseRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sizes of one case, in chips."""

    betting: Literal["fixed_limit", "pot_limit", "no_limit"]
    ante: _Chips = 0
    small_blind: _Chips = 0
    big_blind: _Chips = 0
    bring_in: _Chips = 0
    small_bet: _Chips = 0
    big_bet: _Chips = 0
    min_bet: _Chips = 0
    max_wagers_per_street: int | None = None


class CaseAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision and what was open to it; amounts as in the files' description."""

    street: int
    seat: _Seat
    act: Literal["fold", "check", "call", "bet", "raise", "bring_in", "complete"]
    to: _Chips
    to_call: _Chips
    can_raise: bool | None = None
    min_to: int | None = None
    max_to: int | None = None


class CaseReturn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The uncalled chips that went back."""

    seat: int
    amount: int


class CasePot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One pot and who won what of it."""

    amount: int
    eligible: tuple[int, ...]
    high: dict[str, int] = {}
    low: dict[str, int] = {}


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hand of a case file."""

    id: str
    game: str
    rules: CaseRules
    stacks: tuple[_Chips, ...]
    cards: tuple[str, ...]
    actions: tuple[CaseAction, ...]
    returned: CaseReturn | None
    pots: tuple[CasePot, ...]
    final: tuple[int, ...]
    button: _Seat
    board: str = ""
    oracle: str = ""
    tags: tuple[str, ...] = ()


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a case went: `ok`, `mismatch` with the first difference as text, or `unsupported` with the game's name."""

    id: str
    outcome: Literal["ok", "mismatch", "unsupported"]
    text: str = ""


class _Difference(Exception):  # noqa: N818 - an outcome of the comparison, told at the top of it
    """The first point where the engine and the case part."""


def read_case(line: str | bytes) -> Case:
    """Read one line. Raises InputError when it is no case, with the field that does not fit."""
    try:
        return msgspec.json.decode(line, type=Case)
    except UnicodeDecodeError:
        raise InputError("the line is no case: it is no text in UTF-8", field="case") from None
    except msgspec.DecodeError as error:
        raise InputError(f"the line is no case: {error}", field="case") from None


def run_case(case: Case) -> CaseResult:
    """Play one case and compare every figure. Raises InputError when the case itself cannot be dealt."""
    if case.game not in _GAMES:
        return CaseResult(id=case.id, outcome="unsupported", text=case.game)
    try:
        _play(case, catalog.game(_GAMES[case.game]))
    except _Difference as difference:
        return CaseResult(id=case.id, outcome="mismatch", text=str(difference))
    except RuleViolation as refusal:
        return CaseResult(id=case.id, outcome="mismatch", text=f"the deal is refused: {refusal}")
    return CaseResult(id=case.id, outcome="ok")


def hand_rules(rules: CaseRules) -> HandRules:
    """Return the rules of the profile's house at the case's own sizes; hands are shown without being asked."""
    house_id, structure = _PROFILES[rules.betting]
    played = catalog.house(house_id).hand_rules(
        small_blind_chips=rules.small_blind,
        big_blind_chips=rules.big_blind,
        bring_in_chips=rules.bring_in,
        structure=structure,
        unit_chips=1,
    )
    # The cases seat up to eight players at stud and leave out hands that would run short (CARD-08).
    changes: dict[str, object] = {"showdown": "AUTO", "stud_shortage": True}
    if structure == "FIXED_LIMIT":
        changes |= {"small_bet_chips": rules.small_bet, "big_bet_chips": rules.big_bet}
    else:
        changes |= {"min_open_chips": rules.min_bet}
    return msgspec.structs.replace(played, **changes)


def _play(case: Case, game: GameSpec) -> None:
    rules = hand_rules(case.rules)
    cards = WrittenCards([parse_cards(text) for text in case.cards], parse_cards(case.board))
    hand = cards.start(
        game,
        lambda deck_order: Hand.start(
            game,
            rules,
            stacks=case.stacks,
            button=case.button,
            deck_order=deck_order,
            antes=[min(case.rules.ante, stack) for stack in case.stacks] if case.rules.ante else None,
        ),
    )
    for number, action in enumerate(case.actions):
        where = f"action {number} (seat {action.seat}, street {action.street})"
        _same(f"{where}: seat to act", action.seat, hand.actor)
        _same(f"{where}: street", action.street, hand.street)
        legal = hand.legal_actions()
        _compare_legal(where, action, legal)
        try:
            cards.apply(hand, action.seat, _action(action, legal))
        except RuleViolation as refusal:
            raise _Difference(f"{where}: {action.act} to {action.to} refused: {refusal}") from None
    _same("hand over after the last action", True, hand.is_over)  # noqa: FBT003 - two values of one comparison
    _same("cards that were not dealt", 0, cards.n_left)
    _same("returned", None if case.returned is None else (case.returned.seat, case.returned.amount), hand.returned)
    _same("won by seat", _won_by_seat(case), hand.won_chips)
    _same("final stacks", case.final, hand.stacks)


def _compare_legal(where: str, action: CaseAction, legal: LegalActions) -> None:
    _same(f"{where}: to_call", action.to_call, legal.call_chips)
    if action.can_raise is None:
        return  # The house rules leave it open.
    _same(f"{where}: can_raise", action.can_raise, not {"bet", "raise", "complete"}.isdisjoint(legal.kinds))
    if action.can_raise:
        _same(f"{where}: min_to", action.min_to, legal.raise_to_min_chips)
        _same(f"{where}: max_to", action.max_to, legal.raise_to_max_chips)


def _action(action: CaseAction, legal: LegalActions) -> AnyAction:
    plain: dict[str, AnyAction] = {"fold": Fold(), "check": Check(), "bring_in": BringIn(), "complete": Complete()}
    if action.act in plain:
        return plain[action.act]
    if action.act == "call":
        _same(f"seat {action.seat}: street total of the call", action.to, legal.call_to_chips)
        return Call(call_chips=action.to_call)
    return Bet(to_chips=action.to) if action.act == "bet" else Raise(to_chips=action.to)


def _won_by_seat(case: Case) -> tuple[int, ...]:
    won = [0] * len(case.stacks)
    for pot in case.pots:
        for part in (pot.high, pot.low):
            for seat, chips in part.items():
                won[int(seat)] += chips
    return tuple(won)


def _same(what: str, expected: object, engine: object) -> None:
    if expected != engine:
        raise _Difference(f"{what}: expected {expected}, engine {engine}")
