"""Random hold'em hands played in step with pokerkit 0.7.7: same turn, same price, same raises, same chips.

Where pokerkit follows another rule, the difference must bear that rule's name and pokerkit's figure must be the one that its own
way of counting gives (`pokerkit_table.py`). Anything else fails. Hands whose big blind cannot pay in full are not dealt here:
pokerkit sets another price then (BET-NL-05), and the rule has its own tests.
"""

import collections
import functools
import random

import pytest

from homegame_engine import catalog
from homegame_engine.actions import Bet, Call, Check, Fold, Raise
from homegame_engine.events import AnyEvent, PlayerBet, PlayerRaised
from homegame_engine.hand import Hand
from homegame_engine.specs import HandRules, Structure
from tests.engine.differential.pokerkit_table import (
    DIFFERENCES,
    Decision,
    PokerkitTable,
    StreetHistory,
    habitual_awards,
    name_of_difference,
)
from tests.strategies import shuffled_deck
from tests.table_builders import house_rules

HANDS_PER_BLOCK = 500
BLOCKS = 5  # Of each structure in the usual run: 5,000 hands together.
SLOW_BLOCKS = 10
SMALL_BLIND, BIG_BLIND = 1, 2
RARELY = 0.15
OFTEN = 0.45

LONE_SEAT = "BET-GEN-08: nobody owes a call and one player has chips"
ODD_UNITS = "POT-ODD-01: odd units go one each, layer by layer"

HOUSES: dict[Structure, str] = {"FIXED_LIMIT": "POINTS_NIGHT", "NO_LIMIT": "CLUB"}


class Lockstep:
    """One hand at both tables."""

    def __init__(self, structure: Structure, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - a test's hands, no secret
        self.structure = structure
        self.seed = seed
        self.names: collections.Counter[str] = collections.Counter()
        n_seats = self.chance.randint(2, 9)
        self.button = self.chance.randrange(n_seats)
        self.ante = self.chance.choice([0, 0, 0, 1])
        self.rules: HandRules = house_rules(HOUSES[structure], structure, (SMALL_BLIND, BIG_BLIND), showdown="AUTO")
        deepest = self.chance.choice([12, 40, 200])
        self.stacks = [self.chance.randint(1, deepest) + self.ante for _ in range(n_seats)]
        big_blind_seat = (self.button + (1 if n_seats == 2 else 2)) % n_seats
        self.stacks[big_blind_seat] = max(self.stacks[big_blind_seat], self.ante + BIG_BLIND)
        self.hand = Hand.start(
            catalog.game("HOLDEM"),
            self.rules,
            stacks=self.stacks,
            button=self.button,
            deck_order=shuffled_deck(seed),
            antes=[self.ante] * n_seats,
        )
        first_board = 2 * n_seats + 1
        order = self.hand.deck_order
        board = [*order[first_board : first_board + 3], order[first_board + 4], order[first_board + 6]]
        self.theirs = PokerkitTable(
            structure,
            self.stacks,
            button=self.button,
            small_blind=SMALL_BLIND,
            big_blind=BIG_BLIND,
            ante=self.ante,
            hole_cards=[self.hand.hole_cards(seat) for seat in range(n_seats)],
            board=board,
        )
        self.street = self.new_street()

    def new_street(self) -> StreetHistory:
        is_late = self.structure == "FIXED_LIMIT" and self.hand.street >= 2
        return StreetHistory(
            increment_chips=2 * BIG_BLIND if is_late else BIG_BLIND,
            level_chips=self.hand.level_chips,
            is_first_street=self.hand.street == 0,
        )

    def where(self) -> str:
        return f"{self.structure} seed {self.seed}, street {self.hand.street}, seat {self.hand.actor}"

    def play(self) -> collections.Counter[str]:
        while self.hand.actor >= 0:
            street = self.hand.street
            self.step()
            if self.hand.street != street:
                self.street = self.new_street()
        self.pass_lone_seat()
        assert self.hand.is_over, self.where()
        assert not self.theirs.state.status, self.where()
        self.compare_results()
        return self.names

    def step(self) -> None:
        hand, seat = self.hand, self.hand.actor
        legal = hand.legal_actions()
        assert self.theirs.actor == seat, self.where()
        assert self.theirs.call_chips == legal.call_chips, self.where()
        decision = self.decision()
        theirs = self.theirs.wager_range
        if decision.ours != theirs:
            name = name_of_difference(decision, theirs, self.street)
            assert name is not None, f"{self.where()}: {decision}, theirs {theirs}, {self.street}"
            self.names[name] += 1
        both = self.totals_of_both(decision, theirs)
        if both and self.chance.random() < OFTEN:
            total = self.chance.choice(both)
            events = hand.apply(seat, (Raise if hand.level_chips else Bet)(to_chips=total))
            self.theirs.wager(total)
            self.note_wager(seat, total, events)
        elif legal.call_chips and self.chance.random() < RARELY:
            hand.apply(seat, Fold())
            self.theirs.fold()
        else:
            hand.apply(seat, Call(call_chips=legal.call_chips) if legal.call_chips else Check())
            self.theirs.check_or_call()
            self.street.call_or_check(seat)

    def pass_lone_seat(self) -> None:
        """Pokerkit asks a big blind that faces only all-in players for less; there is nothing to decide."""
        seat = self.theirs.actor
        if seat < 0 or seat == self.hand.actor:
            return
        with_chips = [
            rival for rival in range(self.hand.n_seats) if self.theirs.is_live(rival) and self.theirs.stacks[rival]
        ]
        assert with_chips == [seat], self.where()
        assert (self.theirs.call_chips, self.theirs.wager_range) == (0, None), self.where()
        self.theirs.check_or_call()
        self.names[LONE_SEAT] += 1

    def decision(self) -> Decision:
        hand, seat = self.hand, self.hand.actor
        totals = [chips + stack for chips, stack in zip(hand.street_chips, hand.stacks, strict=True)]
        return Decision(
            structure=self.structure,
            legal=hand.legal_actions(),
            own_chips=hand.street_chips[seat],
            all_in_chips=totals[seat],
            rivals_all_in_chips=max(
                total for rival, total in enumerate(totals) if rival != seat and hand.live_mask >> rival & 1
            ),
        )

    def totals_of_both(self, decision: Decision, theirs: tuple[int, int] | None) -> list[int]:
        """Totals that both tables accept: the ends, one between, and all-in."""
        if decision.ours is None or theirs is None:
            return []
        least, greatest = max(decision.ours[0], theirs[0]), min(decision.ours[1], theirs[1])
        if least > greatest:
            return []
        return [least, least, greatest, self.chance.randint(least, greatest)]

    def note_wager(self, seat: int, total: int, events: tuple[AnyEvent, ...]) -> None:
        made = next(event for event in events if isinstance(event, PlayerBet | PlayerRaised))
        self.street.wager(seat, total, all_in=made.all_in, full=made.full)

    def compare_results(self) -> None:
        ours, theirs = self.hand.stacks, self.theirs.stacks
        if ours == theirs:
            return
        live = [seat for seat in range(self.hand.n_seats) if self.hand.live_mask >> seat & 1]
        ranks = {seat: self.hand.hand_rank(seat) for seat in live}
        order = [(self.button + 1 + i) % self.hand.n_seats for i in range(self.hand.n_seats)]
        habitual = habitual_awards(self.hand.layers, ranks, self.theirs.seats_paid_from(), order)
        before_award = [stack - won for stack, won in zip(ours, self.hand.won_chips, strict=True)]
        predicted = tuple(before_award[seat] + habitual[seat] for seat in range(self.hand.n_seats))
        assert predicted == theirs, f"{self.where()}: ours {ours}, theirs {theirs}, habit {predicted}"
        self.names[ODD_UNITS] += 1


@functools.cache
def play_block(structure: Structure, block: int) -> collections.Counter[str]:
    names: collections.Counter[str] = collections.Counter()
    for number in range(HANDS_PER_BLOCK):
        names += Lockstep(structure, block * HANDS_PER_BLOCK + number).play()
    return names


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("structure", HOUSES)
def test_random_hands_agree_or_differ_by_a_named_rule(structure: Structure, block: int) -> None:
    play_block(structure, block)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS, BLOCKS + SLOW_BLOCKS))
@pytest.mark.parametrize("structure", HOUSES)
def test_more_random_hands_agree_or_differ_by_a_named_rule(structure: Structure, block: int) -> None:
    play_block(structure, block)


def test_every_named_difference_is_met() -> None:
    """A name that no hand needs would be a filter that nobody checks."""
    met: collections.Counter[str] = collections.Counter()
    for structure in HOUSES:
        for block in range(BLOCKS):
            met += play_block(structure, block)
    assert set(met) == {*DIFFERENCES, LONE_SEAT, ODD_UNITS}
