"""Plays a recorded PHH hand with the engine and says how the result compares with the record.

Fixed limit is played in the house Points Night, no limit in the Club. A record may part from these houses: real card rooms
cap raises otherwise and hand out odd chips otherwise. Such a difference is named by the rule that makes it; anything else
is a mismatch.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import AnyAction, Bet, Call, Check, Fold, Muck, Raise, Show
from homegame_engine.cards import CARD_UNKNOWN
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.notation.phh import PhhAction, PhhHand
from homegame_engine.notation.stacked_deck import stack_deck
from homegame_engine.reasons import Reason
from homegame_engine.specs import HandRules, Structure

_VARIANTS: Final[dict[str, tuple[str, str, Structure]]] = {
    "FT": ("HOLDEM", "POINTS_NIGHT", "FIXED_LIMIT"),
    "NT": ("HOLDEM", "CLUB", "NO_LIMIT"),
}
"""Variant to game, house and betting; other variants are not built yet."""

_HEADS_UP: Final = 2
_N_BLINDS: Final = 2


class ReplayResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a hand went.

    `named` carries the rule and the reason that the difference comes from, `mismatch` the difference as text.
    """

    outcome: Literal["matched", "named", "unsupported", "mismatch"]
    rule_id: str = ""
    reason: str = ""
    text: str = ""


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """A hand played to its end, the rules it was played under, and everything that happened."""

    hand: Hand
    rules: HandRules
    events: tuple[ev.AnyEvent, ...]


class _Difference(Exception):  # noqa: N818 - an outcome of the comparison, told at the top of it
    """A point where the engine and the record part, and no rule says why."""


def replay(record: PhhHand) -> ReplayResult:
    """Play a recorded hand and compare the finishing stacks, if any are recorded.

    Raises:
        InputError: the record cannot be dealt (a card twice, no such table).
    """
    if record.variant not in _VARIANTS:
        return ReplayResult(outcome="unsupported", text=record.variant)
    try:
        played = play(record)
    except RuleViolation as refusal:
        return ReplayResult(outcome="named", rule_id=refusal.rule_id, reason=refusal.reason, text=refusal.message)
    except _Difference as difference:
        return ReplayResult(outcome="mismatch", text=str(difference))
    if record.finishing_stacks is None or record.finishing_stacks == played.hand.stacks:
        return ReplayResult(outcome="matched")
    text = f"finishing stacks: recorded {record.finishing_stacks}, engine {played.hand.stacks}"
    if differs_by_odd_units(record.finishing_stacks, played):
        return ReplayResult(outcome="named", rule_id="POT-ODD-01", text=text)
    return ReplayResult(outcome="mismatch", text=text)


def play(record: PhhHand) -> Replayed:
    """Play a recorded hand to its end.

    Raises:
        RuleViolation: the house refuses an action of the record.
        InputError: as `replay`; also for a variant that is not built.
    """
    if record.variant not in _VARIANTS:
        raise InputError(f"variant {record.variant} is not built", field="variant")
    game_id, _, _ = _VARIANTS[record.variant]
    rules = _rules(record)
    n_seats = len(record.starting_stacks)
    reverse = n_seats == _HEADS_UP  # Heads-up the format lists antes and blinds reversed.
    antes = record.antes[::-1] if reverse else record.antes
    # An untrimmed ante of one player alone is a big-blind ante: dead money, no part of anybody's wager.
    is_dead = not record.ante_trimming and sum(ante > 0 for ante in antes) == 1
    game = catalog.game(game_id)
    hand = Hand.start(
        game,
        rules,
        stacks=record.starting_stacks,
        button=n_seats - 1,
        deck_order=stack_deck(
            game,
            rules,
            button=n_seats - 1,
            hole_cards=_hole_cards(record),
            board=[card for action in record.actions if action.name == "deal_board" for card in action.cards],
            fill=False,
        ),
        blinds=record.blinds[::-1] if reverse else record.blinds,
        antes=None if is_dead else antes,
        dead_antes=antes if is_dead else None,
    )
    events = [*hand.take_events()]
    for action in record.actions:
        if action.name in ("fold", "check_or_call", "bet_or_raise"):
            events += hand.apply(action.player, _wager(action, hand))
    answers = {action.player: action for action in record.actions if action.name == "show_or_muck"}
    while hand.phase == "SHOWDOWN":
        events += hand.apply(hand.actor, _answer(hand, answers.get(hand.actor)))
    if not hand.is_over:
        waits = "for an unknown card" if hand.phase == "WAITING" else f"for seat {hand.actor}"
        raise _Difference(f"the record ends while the engine waits {waits}")
    return Replayed(hand=hand, rules=rules, events=tuple(events))


def _rules(record: PhhHand) -> HandRules:
    _, house_id, structure = _VARIANTS[record.variant]
    posted = sorted(blind for blind in record.blinds if blind > 0)
    if len(posted) > _N_BLINDS:
        raise RuleViolation(Reason.ACTION_UNKNOWN, "BET-GEN-13", message="There is no straddle here.")
    if not posted:
        raise InputError("expected a blind", field="blinds_or_straddles")
    rules = catalog.house(house_id).hand_rules(
        small_blind_chips=posted[0], big_blind_chips=posted[-1], structure=structure, unit_chips=1
    )
    if structure == "FIXED_LIMIT":
        return msgspec.structs.replace(rules, small_bet_chips=record.small_bet, big_bet_chips=record.big_bet)
    return msgspec.structs.replace(rules, min_open_chips=record.min_bet)


def _hole_cards(record: PhhHand) -> list[list[int]]:
    """Private cards by seat; a hand that was dealt unseen and shown later is known by what it showed."""
    dealt: list[list[int]] = [[] for _ in record.starting_stacks]
    for action in record.actions:
        if action.name == "deal_hole":
            dealt[action.player] += action.cards
        elif action.name == "show_or_muck" and action.cards and CARD_UNKNOWN in dealt[action.player]:
            dealt[action.player] = list(action.cards)
    return dealt


def _wager(action: PhhAction, hand: Hand) -> AnyAction:
    legal = hand.legal_actions()
    if action.name == "fold":
        return Fold()
    if action.name == "check_or_call":
        return Call(call_chips=legal.call_chips) if legal.call_chips > 0 else Check()
    return Raise(to_chips=action.to_chips) if hand.level_chips > 0 else Bet(to_chips=action.to_chips)


def _answer(hand: Hand, recorded: PhhAction | None) -> AnyAction:
    """Show or muck as recorded; where nothing is recorded a known hand is shown, as on a time-out (PROC-SHOW-04)."""
    is_known = CARD_UNKNOWN not in hand.hole_cards(hand.actor)
    if recorded is not None and (not recorded.cards or CARD_UNKNOWN in recorded.cards):
        return Muck()
    return Show() if is_known else Muck()


def differs_by_odd_units(recorded: Sequence[int], played: Replayed) -> bool:
    """Say whether the results differ only in which winners got the units that did not divide (POT-ODD-01)."""
    odd_units = 0
    winners: set[int] = set()
    without_odd_units = list(played.hand.stacks)
    for event in played.events:
        if not isinstance(event, ev.LayerAwarded) or event.odd_units == 0:
            continue
        odd_units += event.odd_units
        even_part = (event.chips - event.odd_units) // len(event.shares)
        for share in event.shares:
            winners.add(share.seat)
            without_odd_units[share.seat] -= share.chips - even_part
    given = [theirs - ours for theirs, ours in zip(recorded, without_odd_units, strict=True)]
    return sum(given) == odd_units and all(
        units == 0 or (units > 0 and seat in winners) for seat, units in enumerate(given)
    )
