"""pokerkit's habits where they part from the rulebook, each computed, each with the rule that it parts from as its name.

A habit is a function that tells what pokerkit answers. A difference is explained only when its habit gives pokerkit's own
figure; what no name explains fails.
"""

from __future__ import annotations

import collections
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.engine.differential.pokerkit_games import CAP

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from homegame_engine.actions import LegalActions
    from tests.engine.differential.pokerkit_table import Parts, Range

BLIND_IS_THE_OPENING = "BET-FL-03: the blind is the opening"
REOPENS_NOTHING = "BET-NL-07, BET-FL-04, BET-FL-06: a short all-in reopens nothing"
RIVAL_MAY_CALL = "BET-GEN-08: a rival with chips left may still call"
NOT_TO_THE_CAP = "BET-FL-04: a short all-in does not count to the cap"
STEPS_ADD_UP = "BET-FL-05, BET-NL-07: short all-ins add up to a full step"
COMPLETES = "BET-FL-05, BET-FL-06: a raise completes the short all-in"
FIRST_POT_WAGER = "BET-PL-03: the first wager before the flop is at most three and a half big blinds"
SHORT_BLIND_IS_FULL = "BET-PL-03: a short blind counts as full in the pot"
BRING_IN_TAKES_ALL = "GAME-ST-05: who has no more than the bring-in cannot complete it"

LONE_SEAT = "BET-GEN-08: nobody owes a call and one player has chips"
FOLDED_HANDS_STAY_OUT = "GAME-ST-17: folded hands are not mixed with the rest of the stub"
COMMON_CARD_OPENS = "GAME-ST-17: the common card counts for who is high"

ODD_UNITS = "POT-ODD-01: odd units go one each, clockwise"
LAYER_BY_LAYER = "POT-LAY-04: each layer is judged on its own, whoever has mucked"
NO_LOW_IN_LAYER = "GAME-OM8-01, GAME-ST8-01: without a low in the layer high takes all of it"
SHORT_DECK_RANKING = "CARD-03: the short deck ranks as the full one"
AWARD_HABITS = (ODD_UNITS, LAYER_BY_LAYER, NO_LOW_IN_LAYER, SHORT_DECK_RANKING)


@dataclass
class StreetHistory:
    """What pokerkit's habits look at: the wagers of one street."""

    increment_chips: int  # Least full step.
    level_chips: int
    has_blinds: bool  # The street that the blinds open.
    completes: bool  # A bring-in opens the street and nobody has made a full bet of it.
    full_level_chips: int = 0  # As of the last full wager, the rulebook's F; pokerkit does not keep it.
    n_wagers: int = 0  # Voluntary ones, short all-ins among them.
    n_entered: int = 0  # Voluntary calls and wagers.
    n_short: int = 0
    has_short_since_full: bool = False
    largest_step_chips: int = 0  # Of the voluntary ones; pokerkit's measure of a raise.
    short_steps: list[int] = field(
        default_factory=list
    )  # All-ins in a row that have not reached that measure together.
    acted: set[int] = field(default_factory=set)

    def call_or_check(self, seat: int, chips: int) -> None:
        self.acted.add(seat)
        self.n_entered += chips > 0

    def bring_in(self, seat: int, chips: int) -> None:
        self.acted.add(seat)
        self.level_chips = chips

    def wager(self, seat: int, to_chips: int, *, all_in: bool, full: bool) -> None:
        step = to_chips - self.level_chips
        self.acted.add(seat)
        if step >= self.largest_step_chips:
            self.acted = {seat}
        self.largest_step_chips = max(self.largest_step_chips, step)
        self.short_steps = [*self.short_steps, step] if all_in else []
        if sum(self.short_steps) >= self.largest_step_chips:
            self.short_steps = []
        self.completes = False
        self.n_wagers += 1
        self.n_entered += 1
        self.n_short += 0 if full else 1
        self.has_short_since_full = not full
        self.full_level_chips = to_chips if full else self.full_level_chips
        self.level_chips = to_chips


@dataclass(frozen=True)
class Decision:
    """One decision as both tables see it."""

    structure: str
    legal: LegalActions
    own_chips: int  # On this street.
    all_in_chips: int  # Street total of the seat with everything in.
    rivals_all_in_chips: int  # Greatest street total that a live rival can reach.
    pot_chips: int  # Everything in the middle and before the seats.
    missing_blind_chips: int  # What a short small blind has not posted.

    @property
    def ours(self) -> Range:
        if self.legal.raise_to_min_chips is None or self.legal.raise_to_max_chips is None:
            return None
        return self.legal.raise_to_min_chips, self.legal.raise_to_max_chips

    @property
    def brings_in(self) -> bool:
        return "bring_in" in self.legal.kinds


def habitual_range(decision: Decision, street: StreetHistory) -> Range:
    """What pokerkit offers, from its own way of counting."""
    owed = min(street.level_chips, decision.all_in_chips) - decision.own_chips
    has_acted = decision.legal.seat in street.acted
    is_short_row = bool(street.short_steps) and sum(street.short_steps) < street.largest_step_chips
    if (
        (owed < street.largest_step_chips and not decision.brings_in)
        or (decision.structure == "FIXED_LIMIT" and street.n_wagers == CAP)
        or (is_short_row and has_acted)
        or decision.all_in_chips <= street.level_chips
        or decision.rivals_all_in_chips <= street.level_chips
    ):
        return None
    least = max(street.largest_step_chips, street.increment_chips) + (0 if street.completes else street.level_chips)
    least = min(least, decision.all_in_chips)
    if decision.structure == "FIXED_LIMIT":
        return least, least
    if decision.structure == "POT_LIMIT":
        of_pot = 2 * street.level_chips - decision.own_chips + decision.pot_chips
        return least, min(decision.all_in_chips, max(least, of_pot))
    return least, decision.all_in_chips


def name_of_difference(decision: Decision, theirs: Range, street: StreetHistory) -> str | None:
    """Name the rule of the rulebook that makes the two ranges differ; None when nothing does."""
    if theirs != habitual_range(decision, street):
        return None
    if decision.ours is None:
        return name_of_refusal(decision, street)
    if theirs is None:
        return name_of_offer(decision, street)
    if decision.structure == "FIXED_LIMIT" and street.has_short_since_full:
        completed = min(street.full_level_chips + street.increment_chips, decision.all_in_chips)
        return COMPLETES if decision.ours == (completed, completed) else None
    if decision.structure == "POT_LIMIT" and decision.ours[0] == theirs[0] and street.has_blinds:
        return name_of_pot_maximum(decision, street)
    return None


def name_of_refusal(decision: Decision, street: StreetHistory) -> str | None:
    """Name why the engine refuses a wager that pokerkit takes."""
    refusal = decision.legal.wager_refusal
    if refusal == "RAISE_CAP_REACHED" and street.has_blinds and street.n_wagers == CAP - 1 + street.n_short:
        return BLIND_IS_THE_OPENING
    if refusal == "RAISE_NOT_REOPENED" and street.n_short:
        return REOPENS_NOTHING
    if decision.brings_in and decision.legal.bring_in_chips == decision.all_in_chips:
        return BRING_IN_TAKES_ALL
    return None


def name_of_offer(decision: Decision, street: StreetHistory) -> str | None:
    """Name why the engine takes a wager that pokerkit refuses."""
    if decision.rivals_all_in_chips <= street.level_chips:
        return RIVAL_MAY_CALL
    if decision.structure == "FIXED_LIMIT" and street.n_wagers == CAP and street.n_short:
        return NOT_TO_THE_CAP
    return STEPS_ADD_UP if street.n_short else None


def name_of_pot_maximum(decision: Decision, street: StreetHistory) -> str | None:
    """Name why the greatest wagers of pot limit differ."""
    assert decision.ours is not None
    if street.n_entered == 0:
        least, greatest = decision.ours
        first = max(least, min(7 * street.level_chips // 2, decision.all_in_chips))
        return FIRST_POT_WAGER if greatest == first else None
    with_full_blind = 2 * street.level_chips - decision.own_chips + decision.pot_chips + decision.missing_blind_chips
    if decision.missing_blind_chips and decision.ours[1] == min(decision.all_in_chips, with_full_blind):
        return SHORT_BLIND_IS_FULL
    return None


def exposed_key(cards: Iterable[int], *, ace_is_low: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What up cards are worth: how often ranks repeat, then the ranks, those that repeat first."""
    ranks = collections.Counter((card >> 2) - 13 * (ace_is_low and card >> 2 == 12) for card in cards)
    groups = sorted(((count, rank) for rank, count in ranks.items()), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


def exposed_opener(up_cards: Mapping[int, Sequence[int]], with_chips: Collection[int], *, lowest: bool) -> int:
    """The seat that opens: the one with the best (in razz the lowest) up cards, or the next with chips after it.

    Args:
        up_cards: By live seat, in the order from the button's left; of equal ones the first opens.
        with_chips: Seats that can act.
        lowest: Whether the lowest hand opens.
    """
    choose = min if lowest else max
    order = list(up_cards)
    first = choose(order, key=lambda seat: exposed_key(up_cards[seat], ace_is_low=lowest))
    after = order[order.index(first) :] + order
    return next(seat for seat in after if seat in with_chips)


@dataclass(frozen=True)
class Showdown:
    """What a division of the pot depends on. Seats are in the order from the button's left."""

    layers: Sequence[tuple[int, int]]  # Chips and mask of eligible seats, main layer first.
    order: Sequence[int]
    hands: Sequence[Mapping[int, Any]]  # By way of ranking, high first: a live seat's hand, None for none.
    own_hands: Sequence[Mapping[int, Any]]  # The same by the ranking that pokerkit's game has as delivered.
    paid_from: Collection[int]  # Seats neither mucked nor killed at pokerkit when it pushes the pots.

    def divide(self, habits: Collection[str] = ()) -> Parts:
        """Divide the layers by the rulebook, but for the habits named."""
        won = {part: dict.fromkeys(self.order, 0) for part in ("HIGH", "LOW")}
        hands = self.own_hands if SHORT_DECK_RANKING in habits else self.hands
        live = self.live_seats()
        for chips, seats in self.pots(merges=LAYER_BY_LAYER in habits):
            judged = live if NO_LOW_IN_LAYER in habits and len(live) > 1 else seats
            has_low = len(hands) > 1 and len(judged) > 1 and any(hands[1].get(seat) for seat in judged)
            low_chips = chips // 2 if has_low else 0
            for part, ranked, part_chips in zip(won, hands, (chips - low_chips, low_chips), strict=False):
                share_out(part_chips, winners(ranked, seats), won[part], one_each=ODD_UNITS not in habits)
        return {part: tuple(by_seat[seat] for seat in sorted(by_seat)) for part, by_seat in won.items()}

    def live_seats(self) -> list[int]:
        everybody = 0
        for _, mask in self.layers:
            everybody |= mask
        return [seat for seat in self.order if everybody >> seat & 1]

    def pots(self, *, merges: bool) -> Iterator[tuple[int, list[int]]]:
        """Layers, those of the same remaining seats melted together if pokerkit's way is wanted."""
        pots: list[tuple[int, list[int]]] = []
        for chips, mask in self.layers:
            seats = [seat for seat in self.order if mask >> seat & 1 and (not merges or seat in self.paid_from)]
            if merges and pots and pots[-1][1] == seats:
                chips += pots.pop()[0]  # noqa: PLW2901 - the pot grows
            pots.append((chips, seats))
        return iter(pots)

    def names(self, theirs: tuple[int, ...]) -> tuple[str, ...] | None:
        """The fewest habits that give what each seat won at pokerkit; None when no set of them does."""
        for count in range(len(AWARD_HABITS) + 1):
            for habits in itertools.combinations(AWARD_HABITS, count):
                if totals(self.divide(habits)) == theirs:
                    return habits
        return None


def winners(ranked: Mapping[int, Any], seats: Sequence[int]) -> list[int]:
    """Seats with the best hand; all of them where nobody has one, as pokerkit does."""
    best = None
    for seat in seats:
        hand = ranked.get(seat)
        if hand is not None and (best is None or hand > best):
            best = hand
    return [seat for seat in seats if ranked.get(seat) == best]


def share_out(chips: int, seats: Sequence[int], won: dict[int, int], *, one_each: bool) -> None:
    """Divide chips; what is left over goes one each to the first ones, or all to the first."""
    each, left = divmod(chips, len(seats))
    for index, seat in enumerate(seats):
        odd = int(index < left) if one_each else (left if index == 0 else 0)
        won[seat] += each + odd


def totals(parts: Parts) -> tuple[int, ...]:
    """Chips won by seat, both halves together."""
    return tuple(high + low for high, low in zip(parts["HIGH"], parts["LOW"], strict=True))
