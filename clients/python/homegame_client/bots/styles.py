"""How a bot picks one of the actions it is offered.

Knows no rule: it looks at how high its cards are and whether they match each other or the board, and takes a kind and
an amount from `LegalActions`. It cannot tell what beats what, nor whether a low hand would win, and plays accordingly.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from homegame.v1.actions_pb2 import (
    ActionKind,
    Bet,
    BringIn,
    Call,
    Check,
    Complete,
    Cut,
    Declare,
    Discard,
    Draw,
    Fold,
    Half,
    LegalActions,
    Muck,
    PassCards,
    PlayerAction,
    Show,
)
from homegame.v1.cards_pb2 import Card

RANK_MAX: Final = 12  # The ace, as the contract counts ranks from 0.
_LOW_RANK_MAX: Final = 6  # The eight.
_LOW_CARDS: Final = 5  # So many different low ranks look like a low hand.
_BOLDNESS: Final = 0.05  # How often a bot declares for both halves.
_CHOICES: Final = frozenset(
    {
        ActionKind.ACTION_KIND_DISCARD,
        ActionKind.ACTION_KIND_DRAW,
        ActionKind.ACTION_KIND_PASS,
        ActionKind.ACTION_KIND_DECLARE,
    }
)


@dataclass(frozen=True)
class Style:
    """A temper. Thresholds are likings of cards from 0 (hates them) to 1 (loves them)."""

    name: str
    call_from: float
    """Calls from this liking on."""
    raise_from: float
    """Bets and raises from this liking on."""
    whim: float
    """How far chance moves the liking, up or down."""


STYLES: Final = (
    Style("cautious", call_from=0.36, raise_from=0.80, whim=0.05),
    Style("steady", call_from=0.30, raise_from=0.70, whim=0.10),
    Style("curious", call_from=0.20, raise_from=0.88, whim=0.15),
    Style("lively", call_from=0.27, raise_from=0.55, whim=0.20),
    Style("stubborn", call_from=0.15, raise_from=0.75, whim=0.10),
    Style("wild", call_from=0.22, raise_from=0.45, whim=0.35),
)


def choose_action(
    style: Style, own: Sequence[Card.ValueType], board: Sequence[Card.ValueType], legal: LegalActions, rng: Random
) -> PlayerAction:
    """Pick one of the legal actions.

    Args:
        style: The bot's temper.
        own: The bot's cards.
        board: The common cards so far.
        legal: What is open; at least one kind.
        rng: Source of whims; the only thing besides the arguments that the choice depends on.

    Raises:
        ValueError: nothing is open that this bot knows.
    """
    kinds = set(legal.kinds)
    if ActionKind.ACTION_KIND_CUT in kinds:
        return PlayerAction(cut=Cut(position=rng.randint(legal.cut_position_min, legal.cut_position_max)))
    if kinds & _CHOICES:
        return _choose_cards_or_half(own, legal, rng)
    liked = liking(own, board) + style.whim * (2 * rng.random() - 1)
    if liked >= style.raise_from:
        if ActionKind.ACTION_KIND_RAISE in kinds:
            action = PlayerAction()
            getattr(action, "raise").to_chips = _amount(legal, rng)  # `raise` is a keyword of the language.
            return action
        if ActionKind.ACTION_KIND_COMPLETE in kinds:
            return PlayerAction(complete=Complete())
        if ActionKind.ACTION_KIND_BET in kinds:
            return PlayerAction(bet=Bet(to_chips=_amount(legal, rng)))
    return _choose_quietly(legal, likes_to_call=liked >= style.call_from)


def way_out(legal: LegalActions, own: Sequence[Card.ValueType] = ()) -> PlayerAction:
    """The action that risks least. Raises ValueError as `choose_action` does."""
    kinds = set(legal.kinds)
    if kinds & _CHOICES:
        return _choose_cards_or_half(own, legal, None)
    return _choose_quietly(legal, likes_to_call=False)


def _choose_cards_or_half(own: Sequence[Card.ValueType], legal: LegalActions, rng: Random | None) -> PlayerAction:
    """Give up the cards that match nothing, the lowest first; declare for what cards of this height may win."""
    kinds = set(legal.kinds)
    if ActionKind.ACTION_KIND_DECLARE in kinds:
        return PlayerAction(declare=Declare(half=_half(own, legal, rng)))
    ranks = Counter(_rank(card) for card in own)
    loose = sorted(own, key=lambda card: (ranks[_rank(card)], _rank(card)))
    if ActionKind.ACTION_KIND_DRAW in kinds:
        unmatched = [card for card in loose if ranks[_rank(card)] == 1]
        return PlayerAction(draw=Draw(cards=unmatched[: legal.cards_max]))
    given_up = loose[: legal.cards_min]
    if ActionKind.ACTION_KIND_DISCARD in kinds:
        return PlayerAction(discard=Discard(cards=given_up))
    action = PlayerAction()
    getattr(action, "pass").CopyFrom(PassCards(cards=given_up))  # `pass` is a keyword of the language.
    return action


def _half(own: Sequence[Card.ValueType], legal: LegalActions, rng: Random | None) -> Half.ValueType:
    if rng is not None and rng.random() < _BOLDNESS and Half.HALF_BOTH in legal.halves:
        return Half.HALF_BOTH
    ranks = Counter(_rank(card) for card in own)
    low = sum(1 for rank in ranks if rank <= _LOW_RANK_MAX or rank == RANK_MAX)
    wanted = Half.HALF_LOW if low >= _LOW_CARDS else Half.HALF_HIGH
    return wanted if wanted in legal.halves else legal.halves[0]


def _choose_quietly(legal: LegalActions, *, likes_to_call: bool) -> PlayerAction:
    kinds = set(legal.kinds)
    calls = likes_to_call or ActionKind.ACTION_KIND_FOLD not in kinds
    by_liking: tuple[tuple[ActionKind.ValueType, PlayerAction], ...] = (
        (ActionKind.ACTION_KIND_SHOW, PlayerAction(show=Show())),
        (ActionKind.ACTION_KIND_CHECK, PlayerAction(check=Check())),
        (ActionKind.ACTION_KIND_BRING_IN, PlayerAction(bring_in=BringIn())),
        *(((ActionKind.ACTION_KIND_CALL, PlayerAction(call=Call(call_chips=legal.call_chips))),) if calls else ()),
        (ActionKind.ACTION_KIND_FOLD, PlayerAction(fold=Fold())),
        (ActionKind.ACTION_KIND_CUT, PlayerAction(cut=Cut(position=legal.cut_position_min))),
        (ActionKind.ACTION_KIND_MUCK, PlayerAction(muck=Muck())),
    )
    for kind, action in by_liking:
        if kind in kinds:
            return action
    raise ValueError(f"no action that this bot knows among {sorted(kinds)}")


def liking(own: Sequence[Card.ValueType], board: Sequence[Card.ValueType]) -> float:
    """How much a bot likes its cards, 0 to 1: high ones, and ones that match each other or the board."""
    ranks = [_rank(card) for card in own if card != Card.CARD_HIDDEN]
    if not ranks:
        return 0.0
    common = [_rank(card) for card in board]
    height = sum(ranks) / (RANK_MAX * len(ranks))
    pairs = len(ranks) - len(set(ranks)) + sum(common.count(rank) for rank in set(ranks))
    fade = 0.15 * (len(board) > 0)  # High cards alone are worth less once a board is there to match.
    return max(0.0, min(1.0, 0.6 * height + 0.35 * min(pairs, 2) - fade))


def _rank(card: Card.ValueType) -> int:
    """Rank of a card, counted from 0; a joker passes for an ace."""
    return min((card - 1) // 4, RANK_MAX)


def _amount(legal: LegalActions, rng: Random) -> int:
    """A street total on the ladder that `legal` describes, mostly a small one."""
    low, high = legal.raise_to_min_chips, legal.raise_to_max_chips
    step = legal.raise_step_chips or max(legal.unit_chips, 1)
    rungs = max(0, high - low) // step
    return low + step * min(rungs, int(rng.random() ** 3 * (min(rungs, 10) + 1)))
