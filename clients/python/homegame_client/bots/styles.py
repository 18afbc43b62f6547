"""How a bot picks one of the actions it is offered.

Knows no rule: it looks at how high its cards are and whether they match each other or the board, and takes a kind and
an amount from `LegalActions`. It cannot tell what beats what, and plays accordingly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from homegame.v1.actions_pb2 import (
    ActionKind,
    Bet,
    Call,
    Check,
    Cut,
    Fold,
    LegalActions,
    Muck,
    PlayerAction,
    Show,
)
from homegame.v1.cards_pb2 import Card

RANK_MAX: Final = 12  # The ace, as the contract counts ranks from 0.


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
    liked = liking(own, board) + style.whim * (2 * rng.random() - 1)
    if liked >= style.raise_from:
        if ActionKind.ACTION_KIND_RAISE in kinds:
            action = PlayerAction()
            getattr(action, "raise").to_chips = _amount(legal, rng)  # `raise` is a keyword of the language.
            return action
        if ActionKind.ACTION_KIND_BET in kinds:
            return PlayerAction(bet=Bet(to_chips=_amount(legal, rng)))
    return _choose_quietly(legal, likes_to_call=liked >= style.call_from)


def way_out(legal: LegalActions) -> PlayerAction:
    """The action that risks least. Raises ValueError as `choose_action` does."""
    return _choose_quietly(legal, likes_to_call=False)


def _choose_quietly(legal: LegalActions, *, likes_to_call: bool) -> PlayerAction:
    kinds = set(legal.kinds)
    if ActionKind.ACTION_KIND_SHOW in kinds:
        return PlayerAction(show=Show())
    if ActionKind.ACTION_KIND_CHECK in kinds:
        return PlayerAction(check=Check())
    if ActionKind.ACTION_KIND_CALL in kinds and (likes_to_call or ActionKind.ACTION_KIND_FOLD not in kinds):
        return PlayerAction(call=Call(call_chips=legal.call_chips))
    if ActionKind.ACTION_KIND_FOLD in kinds:
        return PlayerAction(fold=Fold())
    if ActionKind.ACTION_KIND_CUT in kinds:
        return PlayerAction(cut=Cut(position=legal.cut_position_min))
    if ActionKind.ACTION_KIND_MUCK in kinds:
        return PlayerAction(muck=Muck())
    raise ValueError(f"no action that this bot knows among {sorted(kinds)}")


def liking(own: Sequence[Card.ValueType], board: Sequence[Card.ValueType]) -> float:
    """How much a bot likes its cards, 0 to 1: high ones, and ones that match each other or the board."""
    ranks = [(card - 1) // 4 for card in own if card != Card.CARD_HIDDEN]
    if not ranks:
        return 0.0
    common = [(card - 1) // 4 for card in board]
    height = sum(ranks) / (RANK_MAX * len(ranks))
    pairs = len(ranks) - len(set(ranks)) + sum(common.count(rank) for rank in set(ranks))
    fade = 0.15 * (len(board) > 0)  # High cards alone are worth less once a board is there to match.
    return max(0.0, min(1.0, 0.6 * height + 0.35 * min(pairs, 2) - fade))


def _amount(legal: LegalActions, rng: Random) -> int:
    """A street total on the ladder that `legal` describes, mostly a small one."""
    low, high = legal.raise_to_min_chips, legal.raise_to_max_chips
    step = legal.raise_step_chips or max(legal.unit_chips, 1)
    rungs = max(0, high - low) // step
    return low + step * min(rungs, int(rng.random() ** 3 * (min(rungs, 10) + 1)))
