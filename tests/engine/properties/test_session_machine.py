"""A session under random play, passing and voids, against the same session on paper.

GEN-04 chips are conserved over hands; PROC-BTN-01 and PROC-BTN-03 button, ticks and orbits; PTS-015 what each hand pays;
a refusal leaves every byte alone; a copy is a session of its own.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import AnyAction, Call, Check, Raise, Show
from homegame_engine.errors import RuleViolation
from homegame_engine.session import Session
from tests.night_builders import NOON_MS, event_of, events_of, points_format
from tests.oracles.session import HandOnPaper, SessionOnPaper
from tests.strategies import any_inputs, legal_inputs, shuffled_deck

PREFERRED: tuple[AnyAction, ...] = (Call(), Check(), Show())
"""Staying in, whatever it costs."""


class SessionMachine(RuleBasedStateMachine):
    """One run of base B1 with short stacks, so that seats bust and sessions end."""

    @initialize(
        n_seats=st.integers(2, 10),
        empty=st.sets(st.integers(0, 9), max_size=5),
        first=st.integers(0, 9),
        start_chips=st.sampled_from([2, 3, 5, 9, 100]),
    )
    def create(self, n_seats: int, empty: set[int], first: int, start_chips: int) -> None:
        roster = [seat for seat in range(n_seats) if seat not in empty]
        if len(roster) < 2:
            roster = list(range(n_seats))
        self.n_seats, self.roster = n_seats, roster
        self.issued_chips = start_chips * len(roster)
        button = roster[first % len(roster)]
        self.session = Session.create(
            points_format(start_chips),
            catalog.game("HOLDEM"),
            catalog.house("POINTS_NIGHT"),
            n_seats=n_seats,
            seated_mask=sum(1 << seat for seat in roster),
            first_button=button,
        )
        self.session.post_cutoff(NOON_MS + 1)
        self.paper = SessionOnPaper(roster, n_seats, button)
        self.passing: set[int] = set()
        self.page: HandOnPaper | None = None

    def active(self) -> set[int]:
        """Seats that the next deal would reach."""
        return {seat for seat in self.with_chips() if seat not in self.passing}

    def with_chips(self) -> set[int]:
        return {seat for seat, chips in enumerate(self.session.stacks) if chips > 0}

    def follow(self, happened: tuple[ev.AnyEvent, ...]) -> None:
        """Write an accepted input of a live hand down, and settle the page when the hand ended."""
        assert self.page is not None
        self.page.write_down(happened)
        ended = events_of(happened, ev.HandEnded)
        assert bool(ended) == (not self.session.hand_is_live)
        if not ended:
            return
        assert list(ended[0].net_chips) == self.page.net()
        assert ended[0].stacks == self.session.stacks
        orbits_before = self.paper.orbits
        self.paper.complete(self.active(), self.with_chips())
        told = [event.orbit_number for event in events_of(happened, ev.OrbitCompleted)]
        assert told == list(range(orbits_before + 1, self.paper.orbits + 1))
        assert ended[0].hand_number == self.paper.hands
        self.page = None

    @precondition(lambda self: not self.session.hand_is_live and not self.session.is_finished)
    @rule(seed=st.integers(0, 2**32 - 1))
    def deal(self, seed: int) -> None:
        before, active, orbits_before = self.session.encode(), self.active(), self.paper.orbits
        if len(active) < 2:
            with pytest.raises(RuleViolation):
                self.session.start_hand(NOON_MS, shuffled_deck(seed))
            assert self.session.encode() == before
            return
        happened = self.session.start_hand(NOON_MS, shuffled_deck(seed))
        starting = event_of(happened, ev.HandStarting)
        assert starting.button == self.paper.deal(active)
        assert starting.dealt_in == tuple(sorted(active))
        assert starting.orbit_number == self.paper.orbits + 1
        told = [event.orbit_number for event in events_of(happened, ev.OrbitCompleted)]
        assert told == list(range(orbits_before + 1, self.paper.orbits + 1))
        clockwise = [(starting.button + i) % self.n_seats for i in range(self.n_seats)]
        blinds = [seat for seat in clockwise if seat in active]
        blinds = blinds if len(blinds) == 2 else blinds[1:]
        assert (starting.small_blind_seat, starting.big_blind_seat) == (blinds[0], blinds[1])
        self.page = HandOnPaper(self.n_seats, starting.button)
        self.follow(happened)

    @precondition(lambda self: self.session.hand_is_live)
    @rule(data=st.data(), n_actions=st.integers(1, 12))
    def play(self, data: st.DataObject, n_actions: int) -> None:
        for _ in range(n_actions):
            if self.session.hand_is_live:
                action = data.draw(legal_inputs(self.session.legal_actions()))
                self.follow(self.session.apply(self.session.actor, action))

    @precondition(lambda self: self.session.hand_is_live)
    @rule()
    def play_everything_into_the_middle(self) -> None:
        while self.session.hand_is_live:
            legal = self.session.legal_actions()
            actions: list[AnyAction] = [action for action in PREFERRED if action.__struct_config__.tag in legal.kinds]
            action = actions[0]
            if legal.raise_to_max_chips is not None and "raise" in legal.kinds:
                action = Raise(to_chips=legal.raise_to_max_chips)
            self.follow(self.session.apply(self.session.actor, action))

    @rule(seat=st.integers(-1, 10), action=any_inputs())
    def play_anything(self, seat: int, action: AnyAction) -> None:
        before = self.session.encode()
        try:
            happened = self.session.apply(seat, action)
        except RuleViolation:
            assert self.session.encode() == before
            return
        self.follow(happened)

    @rule(data=st.data(), is_active=st.booleans())
    def pass_or_return(self, data: st.DataObject, *, is_active: bool) -> None:
        seat = data.draw(st.sampled_from(self.roster))
        self.session.set_active(seat, active=is_active)
        if is_active:
            self.passing.discard(seat)
        else:
            self.passing.add(seat)

    @precondition(lambda self: self.session.hand_is_live)
    @rule()
    def void(self) -> None:
        hand = self.session.hand
        assert hand is not None
        (voided,) = self.session.void_hand("random")
        assert isinstance(voided, ev.HandVoided)
        assert self.session.stacks == hand.start_stacks == voided.stacks
        self.page = None

    @rule()
    def copy_is_a_session_of_its_own(self) -> None:
        before = self.session.encode()
        other = self.session.copy()
        assert other.encode() == before
        if other.hand_is_live:
            other.void_hand("on the copy")
        other.set_active(self.roster[0], active=self.roster[0] in self.passing)
        assert self.session.encode() == before

    @invariant()
    def chips_are_conserved(self) -> None:
        hand = self.session.hand
        pot_chips = hand.pot_chips if hand is not None and self.session.hand_is_live else 0
        assert sum(self.session.stacks) + pot_chips == self.issued_chips == self.session.issued_chips
        assert min(self.session.stacks) >= 0

    @invariant()
    def button_ticks_and_numbers_are_those_on_paper(self) -> None:
        session, paper = self.session, self.paper
        assert session.button == paper.position
        assert session.ticked_mask == sum(1 << seat for seat in paper.ticked)
        assert (session.orbits_completed, session.hands_completed) == (paper.orbits, paper.hands)
        assert session.hand_number == paper.hands + 1

    @invariant()
    def standings_order_the_stacks(self) -> None:
        placed = self.session.standings()
        assert sorted(place.seat for place in placed) == self.roster
        for place in placed:
            assert place.place == 1 + sum(other.stack_chips > place.stack_chips for other in placed)

    @invariant()
    def somebody_to_act_has_something_to_do(self) -> None:
        session = self.session
        assert (session.actor >= 0) == session.hand_is_live == bool(session.legal_actions().kinds)


TestSessionMachine = SessionMachine.TestCase
TestSessionMachine.settings = settings(
    max_examples=100,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
