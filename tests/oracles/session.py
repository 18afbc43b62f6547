"""A session on paper: who has the button, which positions are ticked, and what a hand paid. Shares no code with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame_engine import events as ev
from tests.oracles import evaluator, pots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from homegame_engine.events import AnyEvent


class HandOnPaper:
    """What everybody at the table could write down about a hand from its events."""

    def __init__(self, n_seats: int, button: int) -> None:
        """Begin with an empty page."""
        self.n_seats = n_seats
        self.button = button
        self.paid = [0] * n_seats
        self.hole: dict[int, tuple[int, ...]] = {}
        self.board: tuple[int, ...] = ()
        self.folded: list[int] = []
        self.mucked: list[int] = []

    def write_down(self, happened: Iterable[AnyEvent]) -> None:
        """Follow the events of one input."""
        for event in happened:
            match event:
                case ev.BlindPosted() | ev.PlayerCalled() | ev.PlayerBet() | ev.PlayerRaised():
                    self.paid[event.seat] += event.chips
                case ev.HoleCardsDealt():
                    self.hole[event.seat] = event.cards
                case ev.BoardDealt():
                    self.board += event.cards
                case ev.PlayerFolded():
                    self.folded.append(event.seat)
                case ev.HandMucked():
                    self.mucked.append(event.seat)
                case _:
                    pass

    def net(self) -> list[int]:
        """What the hand brought each seat (BET-GEN-07, POT-LAY-*, POT-ODD-01, PROC-SHOW-05)."""
        live = [seat for seat in self.hole if seat not in self.folded]
        totals = list(self.paid)
        returned = pots.uncalled_bet(totals, live)
        if returned is not None:
            totals[returned[0]] -= returned[1]
        net = [-chips for chips in totals]
        for chips, may_win in pots.layers(totals, live):
            eligible = set(may_win)
            for seat in self.mucked:  # The last one left cannot concede.
                if len(eligible) > 1:
                    eligible.discard(seat)
            shares = pots.shares(chips, self._best(eligible), self.n_seats, (self.button + 1) % self.n_seats)
            net = [before + share for before, share in zip(net, shares, strict=True)]
        return net

    def _best(self, eligible: set[int]) -> set[int]:
        if len(eligible) == 1:
            return eligible
        strengths = {seat: evaluator.strength(self.hole[seat] + self.board) for seat in eligible}
        return {seat for seat in eligible if strengths[seat] == max(strengths.values())}


class SessionOnPaper:
    """Button, ticks and orbits of SIMPLE_MOVING, seat by seat (PROC-BTN-01, PROC-BTN-03)."""

    def __init__(self, roster: Iterable[int], n_seats: int, button: int) -> None:
        """Write the roster down."""
        self.roster = set(roster)
        self.n_seats = n_seats
        self.position = button
        self.ticked: set[int] = set()
        self.orbits = 0
        self.hands = 0

    def _tick(self, seat: int) -> None:
        self.ticked.add(seat)
        if self.ticked == self.roster:
            self.orbits += 1
            self.ticked = set()

    def _walk_to(self, active: set[int]) -> None:
        while self.position not in active:
            if self.position in self.roster:
                self._tick(self.position)
            self.position = (self.position + 1) % self.n_seats

    def deal(self, active: set[int]) -> int:
        """Give the button to the first active seat from the position on."""
        self._walk_to(active)
        return self.position

    def complete(self, active: set[int], with_chips: set[int]) -> None:
        """Tick the hand's position and move on, unless nobody is left to play against."""
        self.hands += 1
        self._tick(self.position)
        if len(with_chips) == 1:
            return
        self.position = (self.position + 1) % self.n_seats
        if len(active) > 1:
            self._walk_to(active)
        while self.position not in self.roster:
            self.position = (self.position + 1) % self.n_seats
