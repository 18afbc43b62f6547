"""Plays a recorded PHH hand with the engine and says how the result compares with the record.

Limit games are played in the house Points Night, no limit and pot limit in the Club, unless another house is given. A record
may part from its house: card rooms cap raises otherwise and hand out odd chips otherwise. Such a difference is named by the
rule that makes it; anything else is a mismatch.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Final, Literal

import msgspec

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import AnyAction, Bet, BringIn, Call, Check, Complete, Draw, Fold, Muck, Raise, Show
from homegame_engine.cards import CARD_UNKNOWN
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.hand import Hand
from homegame_engine.notation.phh import VARIANTS, PhhAction, PhhHand
from homegame_engine.notation.written_cards import WrittenCards
from homegame_engine.reasons import Reason
from homegame_engine.specs import GameSpec, HandRules, HouseSpec, Structure

_HOUSES: Final[dict[Structure, str]] = {"FIXED_LIMIT": "POINTS_NIGHT", "NO_LIMIT": "CLUB", "POT_LIMIT": "CLUB"}
"""Betting to the house whose rules a hand is played under when nobody names one."""

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
    """A hand played to its end, what was dealt under which rules, and everything that happened.

    Chips are the record's amounts × 10^`scale`.
    """

    hand: Hand
    game: GameSpec
    rules: HandRules
    events: tuple[ev.AnyEvent, ...]
    scale: int = 0


class _Difference(Exception):  # noqa: N818 - an outcome of the comparison, told at the top of it
    """A point where the engine and the record part, and no rule says why."""


def replay(record: PhhHand, house: HouseSpec | None = None) -> ReplayResult:
    """Play a recorded hand and compare the finishing stacks, if any are recorded.

    Args:
        record: The hand as read.
        house: Whose rules to play under; the default depends on the betting.

    Raises:
        InputError: the record cannot be dealt (a card twice, no such table).
    """
    if record.variant not in VARIANTS:
        return ReplayResult(outcome="unsupported", text=record.variant)
    try:
        played = play(record, house)
    except RuleViolation as refusal:
        return ReplayResult(outcome="named", rule_id=refusal.rule_id, reason=refusal.reason, text=refusal.message)
    except _Difference as difference:
        return ReplayResult(outcome="mismatch", text=str(difference))
    if record.finishing_stacks is None or record.finishing_stacks == played.hand.stacks:
        return ReplayResult(outcome="matched")
    text = f"finishing stacks: recorded {record.finishing_stacks}, engine {played.hand.stacks}"
    rule_id = odd_unit_rule(record.finishing_stacks, played)
    return ReplayResult(outcome="named" if rule_id else "mismatch", rule_id=rule_id, text=text)


def play(record: PhhHand, house: HouseSpec | None = None) -> Replayed:
    """Play a recorded hand to its end.

    Raises:
        RuleViolation: the house refuses an action of the record.
        InputError: as `replay`; also for a variant that nobody knows.
    """
    if record.variant not in VARIANTS:
        raise InputError(f"no game has the code {record.variant}", field="variant")
    game = catalog.game(VARIANTS[record.variant].game_id)
    rules = _rules(record, house)
    cards = WrittenCards(
        [_cards_of(record, "deal_hole", player) for player in range(len(record.starting_stacks))],
        _cards_of(record, "deal_board", -1),
    )
    hand = cards.start(game, _starter(record, game, rules))
    events = [*hand.take_events()]
    for action in record.actions:
        if action.name in ("deal_hole", "deal_board", "show_or_muck"):
            continue
        if hand.phase == "WAITING":  # Up cards that nobody wrote down; who acted first shows whose turn it was.
            events += hand.enter_opener(action.player)
        events += cards.apply(hand, action.player, _action(action, hand))
    answers = {action.player: action for action in record.actions if action.name == "show_or_muck"}
    while hand.phase == "SHOWDOWN":
        events += _answer(hand, answers.get(hand.actor))
    if not hand.is_over:
        waits = "for an unknown card" if hand.phase == "WAITING" else f"for seat {hand.actor}"
        raise _Difference(f"the record ends while the engine waits {waits}")
    if cards.n_left:
        raise _Difference(f"the record deals {cards.n_left} cards more than the engine")
    return Replayed(hand=hand, game=game, rules=rules, events=tuple(events), scale=record.scale)


def _cards_of(record: PhhHand, name: str, player: int) -> list[int]:
    deals = (action.cards for action in record.actions if (action.name, action.player) == (name, player))
    return [card for cards in deals for card in cards]


def _starter(record: PhhHand, game: GameSpec, rules: HandRules) -> Callable[[bytes], Hand]:
    """What makes the recorded hand from a deck order."""
    n_seats = len(record.starting_stacks)
    # Heads-up the format lists the antes and blinds of a game with blinds reversed.
    is_reversed = n_seats == _HEADS_UP and game.forced == "BLINDS"
    antes = record.antes[::-1] if is_reversed else record.antes
    # An untrimmed ante of one player alone is a big-blind ante: dead money, no part of anybody's wager.
    is_dead = not record.ante_trimming and sum(ante > 0 for ante in antes) == 1

    def start(deck_order: bytes) -> Hand:
        return Hand.start(
            game,
            rules,
            stacks=record.starting_stacks,
            button=n_seats - 1,
            deck_order=deck_order,
            blinds=record.blinds[::-1] if is_reversed else record.blinds,
            antes=None if is_dead else antes,
            dead_antes=antes if is_dead else None,
        )

    return start


def _rules(record: PhhHand, house: HouseSpec | None) -> HandRules:
    game_id, structure = VARIANTS[record.variant]
    posted = sorted(blind for blind in record.blinds if blind > 0)
    if len(posted) > _N_BLINDS:
        raise RuleViolation(Reason.ACTION_UNKNOWN, "BET-GEN-13", message="There is no straddle here.")
    if not posted and catalog.game(game_id).forced == "BLINDS":
        raise InputError("expected a blind", field="blinds_or_straddles")
    played = house or catalog.house(_HOUSES[structure])
    rules = played.hand_rules(
        small_blind_chips=posted[0] if len(posted) == _N_BLINDS else 0,
        big_blind_chips=posted[-1] if posted else 0,
        bring_in_chips=record.bring_in,
        structure=structure,
        unit_chips=1,
    )
    # The record says who showed and who did not, so everybody is asked.
    rules = msgspec.structs.replace(rules, showdown="ASK")
    if structure == "FIXED_LIMIT":
        return msgspec.structs.replace(rules, small_bet_chips=record.small_bet, big_bet_chips=record.big_bet)
    return msgspec.structs.replace(rules, min_open_chips=record.min_bet)


def _action(action: PhhAction, hand: Hand) -> AnyAction:
    legal = hand.legal_actions()
    match action.name:
        case "bring_in":
            return BringIn()
        case "fold":
            return Fold()
        case "check_or_call":
            return Call(call_chips=legal.call_chips) if legal.call_chips > 0 else Check()
        case "draw":
            return Draw(cards=action.cards)
    if "complete" in legal.kinds and action.to_chips == legal.raise_to_min_chips:
        return Complete()
    return Raise(to_chips=action.to_chips) if hand.level_chips > 0 else Bet(to_chips=action.to_chips)


def _answer(hand: Hand, recorded: PhhAction | None) -> tuple[ev.AnyEvent, ...]:
    """Show or muck as recorded; where nothing is recorded a known hand is shown, as on a time-out (PROC-SHOW-04)."""
    seat = hand.actor
    if recorded is not None and (not recorded.cards or CARD_UNKNOWN in recorded.cards):
        return hand.apply(seat, Muck())
    if recorded is not None:
        _enter_shown(hand, seat, recorded.cards)
    return hand.apply(seat, Muck() if CARD_UNKNOWN in hand.hole_cards(seat) else Show())


def _enter_shown(hand: Hand, seat: int, shown: Sequence[int]) -> None:
    """Tell the engine the cards that were dealt unseen and are shown now."""
    held = hand.hole_cards(seat)
    unseen = [position for position, card in zip(hand.hole_positions(seat), held, strict=True) if card == CARD_UNKNOWN]
    new = [card for card in shown if card not in held]
    if len(held) != len(shown) or len(new) != len(unseen):
        raise _Difference(f"the record has seat {seat} show other cards than it was dealt")
    for position, card in zip(unseen, new, strict=True):
        hand.enter_card(position, card)


def odd_unit_rule(recorded: Sequence[int], played: Replayed) -> str:
    """Return the rule by which other winners got the units that did not divide, "" where the results differ by more.

    Rules: POT-ODD-01, and POT-SPLIT-01 where a layer was halved.
    """
    odd_units = 0
    winners: set[int] = set()
    rule_id = ""
    without_odd_units = list(played.hand.stacks)
    awards = [event for event in played.events if isinstance(event, ev.LayerAwarded)]
    for _, group in itertools.groupby(awards, key=lambda award: award.layer):
        parts = list(group)
        part_chips = sum(part.chips for part in parts) // len(parts)
        for part in parts:
            even_chips = part_chips // len(part.shares)
            for share in part.shares:
                winners.add(share.seat)
                without_odd_units[share.seat] -= share.chips - even_chips
        odd = sum(part.chips - part_chips // len(part.shares) * len(part.shares) for part in parts)
        odd_units += odd
        if odd:
            rule_id = "POT-SPLIT-01" if len(parts) > 1 else rule_id or "POT-ODD-01"
    given = [theirs - ours for theirs, ours in zip(recorded, without_odd_units, strict=True)]
    is_odd_units_alone = sum(given) == odd_units and all(
        units == 0 or (units > 0 and seat in winners) for seat, units in enumerate(given)
    )
    return rule_id if is_odd_units_alone else ""
