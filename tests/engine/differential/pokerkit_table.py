"""One hold'em hand at a pokerkit table, and pokerkit's habits where they part from the rulebook, each computed.

pokerkit seats run from the left of the button, the last one having it; heads-up that is the same rule with two. A habit is a
function that tells what pokerkit answers; a difference is explained only when its habit gives pokerkit's own figure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pokerkit import (
    Automation,
    FixedLimitTexasHoldem,
    HandKilling,
    HoleCardsShowingOrMucking,
    NoLimitTexasHoldem,
    StandardHighHand,
)

from homegame_engine.actions import LegalActions
from homegame_engine.cards import format_card

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
CAP = 4  # Voluntary wagers on a street of fixed limit; pokerkit does not count the blind.

BLIND_IS_THE_OPENING = "BET-FL-03: the blind is the opening"
REOPENS_NOTHING = "BET-NL-07, BET-FL-04, BET-FL-06: a short all-in reopens nothing"
RIVAL_MAY_CALL = "BET-GEN-08: a rival with chips left may still call"
NOT_TO_THE_CAP = "BET-FL-04: a short all-in does not count to the cap"
STEPS_ADD_UP = "BET-FL-05: short all-ins are steps to the next full level"
COMPLETES = "BET-FL-05, BET-FL-06: a raise completes the short all-in"
DIFFERENCES = (BLIND_IS_THE_OPENING, REOPENS_NOTHING, RIVAL_MAY_CALL, NOT_TO_THE_CAP, STEPS_ADD_UP, COMPLETES)
"""Rules of the rulebook that pokerkit does not follow, about the range of a wager."""

Range = tuple[int, int] | None


class RememberedHand(StandardHighHand):
    """pokerkit's own evaluator, asked once for each hand instead of at every step of a showdown."""

    known: ClassVar[dict[tuple[object, object], Any]] = {}

    @classmethod
    def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Any:  # noqa: ANN401 - pokerkit's own signature
        key = (tuple(hole_cards), tuple(board_cards))
        if key not in cls.known:
            cls.known[key] = super().from_game(*key)
        return cls.known[key]


class FixedLimit(FixedLimitTexasHoldem):
    hand_types = (RememberedHand,)


class NoLimit(NoLimitTexasHoldem):
    hand_types = (RememberedHand,)


class PokerkitTable:
    """A deal at pokerkit; seats are the engine's, translated here."""

    def __init__(
        self,
        structure: str,
        stacks: Sequence[int],
        *,
        button: int,
        small_blind: int,
        big_blind: int,
        ante: int,
        hole_cards: Sequence[Sequence[int]],
        board: Sequence[int],
    ) -> None:
        RememberedHand.known.clear()
        self.n_seats = len(stacks)
        self.button = button
        self.board = [format_card(card) for card in board]
        ordered = [stacks[self.seat(player)] for player in range(self.n_seats)]
        blinds = (small_blind, big_blind)
        trims_antes = True
        if structure == "FIXED_LIMIT":
            self.state: Any = FixedLimit.create_state(
                AUTOMATIONS, trims_antes, ante, blinds, big_blind, 2 * big_blind, ordered, self.n_seats
            )
        else:
            self.state = NoLimit.create_state(AUTOMATIONS, trims_antes, ante, blinds, big_blind, ordered, self.n_seats)
        for player in range(self.n_seats):
            cards = "".join(format_card(card) for card in hole_cards[self.seat(player)])
            self.state.deal_hole(cards, player_index=player)
        self.turn_cards()

    def seat(self, player: int) -> int:
        return (self.button + 1 + player) % self.n_seats

    def player(self, seat: int) -> int:
        return (seat - self.button - 1) % self.n_seats

    @property
    def actor(self) -> int:
        return -1 if self.state.actor_index is None else self.seat(self.state.actor_index)

    @property
    def call_chips(self) -> int:
        return int(self.state.checking_or_calling_amount or 0)

    @property
    def wager_range(self) -> Range:
        least = self.state.min_completion_betting_or_raising_to_amount
        return None if least is None else (least, self.state.max_completion_betting_or_raising_to_amount)

    @property
    def stacks(self) -> tuple[int, ...]:
        return tuple(self.state.stacks[self.player(seat)] for seat in range(self.n_seats))

    def is_live(self, seat: int) -> bool:
        return bool(self.state.statuses[self.player(seat)])

    def turn_cards(self) -> None:
        """Burn and turn what is due."""
        while self.state.can_burn_card():
            self.state.burn_card("??")
            n_cards = self.state.street.board_dealing_count
            self.state.deal_board("".join(self.board[:n_cards]))
            del self.board[:n_cards]

    def fold(self) -> None:
        self.state.fold()
        self.turn_cards()

    def check_or_call(self) -> None:
        self.state.check_or_call()
        self.turn_cards()

    def wager(self, to_chips: int) -> None:
        self.state.complete_bet_or_raise_to(to_chips)
        self.turn_cards()

    def seats_paid_from(self) -> set[int]:
        """Seats whose hands were neither mucked nor killed when the pots were pushed."""
        gone = {
            operation.player_index
            for operation in self.state.operations
            if isinstance(operation, HandKilling)
            or (isinstance(operation, HoleCardsShowingOrMucking) and not operation.hole_cards)
        }
        return {self.seat(player) for player in range(self.n_seats) if player not in gone}


@dataclass
class StreetHistory:
    """What pokerkit's habits look at: the wagers of one street."""

    increment_chips: int  # Least full step.
    level_chips: int
    is_first_street: bool
    n_wagers: int = 0  # Voluntary ones, short all-ins among them.
    n_short: int = 0
    has_short_since_full: bool = False
    largest_step_chips: int = 0  # Of the voluntary ones; pokerkit's measure of a raise.
    short_steps: list[int] = field(
        default_factory=list
    )  # All-ins in a row that have not reached that measure together.
    acted: set[int] = field(default_factory=set)

    def call_or_check(self, seat: int) -> None:
        self.acted.add(seat)

    def wager(self, seat: int, to_chips: int, *, all_in: bool, full: bool) -> None:
        step = to_chips - self.level_chips
        self.acted.add(seat)
        if step >= self.largest_step_chips:
            self.acted = {seat}
        self.largest_step_chips = max(self.largest_step_chips, step)
        self.short_steps = [*self.short_steps, step] if all_in else []
        if sum(self.short_steps) >= self.largest_step_chips:
            self.short_steps = []
        self.n_wagers += 1
        self.n_short += 0 if full else 1
        self.has_short_since_full = not full
        self.level_chips = to_chips


@dataclass(frozen=True)
class Decision:
    """One decision as both tables see it."""

    structure: str
    legal: LegalActions
    own_chips: int  # On this street.
    all_in_chips: int  # Street total of the seat with everything in.
    rivals_all_in_chips: int  # Greatest street total that a live rival can reach.

    @property
    def ours(self) -> Range:
        if self.legal.raise_to_min_chips is None or self.legal.raise_to_max_chips is None:
            return None
        return self.legal.raise_to_min_chips, self.legal.raise_to_max_chips


def habitual_range(decision: Decision, street: StreetHistory) -> Range:
    """What pokerkit offers, from its own way of counting."""
    owed = min(street.level_chips, decision.all_in_chips) - decision.own_chips
    has_acted = decision.legal.seat in street.acted
    is_short_row = bool(street.short_steps) and sum(street.short_steps) < street.largest_step_chips
    if (
        owed < street.largest_step_chips
        or (decision.structure == "FIXED_LIMIT" and street.n_wagers == CAP)
        or (is_short_row and has_acted)
        or decision.all_in_chips <= street.level_chips
        or decision.rivals_all_in_chips <= street.level_chips
    ):
        return None
    least = street.level_chips + max(street.largest_step_chips, street.increment_chips)
    least = min(least, decision.all_in_chips)
    return least, (least if decision.structure == "FIXED_LIMIT" else decision.all_in_chips)


def name_of_difference(decision: Decision, theirs: Range, street: StreetHistory) -> str | None:
    """Name the rule of the rulebook that makes the two ranges differ; None when nothing does."""
    if theirs != habitual_range(decision, street):
        return None
    ours, refusal = decision.ours, decision.legal.wager_refusal
    name = None
    if refusal == "RAISE_CAP_REACHED" and street.is_first_street and street.n_wagers == CAP - 1 + street.n_short:
        name = BLIND_IS_THE_OPENING
    elif refusal == "RAISE_NOT_REOPENED" and street.n_short:
        name = REOPENS_NOTHING
    elif ours is not None and theirs is None:
        if decision.rivals_all_in_chips <= street.level_chips:
            name = RIVAL_MAY_CALL
        elif decision.structure == "FIXED_LIMIT" and street.n_wagers == CAP and street.n_short:
            name = NOT_TO_THE_CAP
        elif street.n_short:
            name = STEPS_ADD_UP
    elif ours is not None and decision.structure == "FIXED_LIMIT" and street.has_short_since_full:
        name = COMPLETES
    return name


def habitual_awards(
    layers: Sequence[tuple[int, int]], ranks: dict[int, int], paid_from: set[int], order: Sequence[int]
) -> dict[int, int]:
    """Divide layers as pokerkit does: pots of the same remaining seats melt together, one winner gets all odd chips.

    Args:
        layers: Chips and mask of eligible seats, main layer first.
        ranks: Strength by seat.
        paid_from: Seats still in when pokerkit pushes the pots.
        order: Seats from the button's left.
    """
    pots: list[tuple[int, tuple[int, ...]]] = []
    for chips, mask in layers:
        seats = tuple(seat for seat in order if mask >> seat & 1 and seat in paid_from)
        if pots and pots[-1][1] == seats:
            pots[-1] = (pots[-1][0] + chips, seats)
        else:
            pots.append((chips, seats))
    won = dict.fromkeys(order, 0)
    for chips, seats in pots:
        best = max(ranks.get(seat, 0) for seat in seats)
        winners = [seat for seat in seats if ranks.get(seat, 0) == best]
        for seat in winners:
            won[seat] += chips // len(winners)
        won[winners[0]] += chips % len(winners)
    return won
