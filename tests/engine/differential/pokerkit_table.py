"""One hand at a pokerkit table, dealt the cards that the engine dealt.

pokerkit seats run from the left of the button, the last one having it; heads-up that is the same rule with two. Seats here are
the engine's, translated.
"""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

from pokerkit import Card, ChipsPushing, HandKilling, HoleCardsShowingOrMucking

from homegame_engine import events as ev
from homegame_engine.cards import format_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from homegame_engine.events import AnyEvent
    from tests.engine.differential.pokerkit_games import Pairing, Sizes

CARDS: tuple[Any, ...] = tuple(next(iter(Card.parse(format_card(code)))) for code in range(52))
"""pokerkit's card by code."""
CODES = {card: code for code, card in enumerate(CARDS)}

Range = tuple[int, int] | None
Parts = dict[str, tuple[int, ...]]
"""Chips won by seat from the high halves and whole layers (`HIGH`), and from the low halves (`LOW`)."""


class PokerkitTable:
    """A deal at pokerkit."""

    def __init__(self, pairing: Pairing, sizes: Sizes, stacks: Sequence[int], *, button: int) -> None:
        pairing.forget()
        self.n_seats = len(stacks)
        self.button = button
        self.state: Any = pairing.pokerkit_state(sizes, [stacks[self.seat(player)] for player in range(self.n_seats)])
        self.coming: list[collections.deque[Any]] = [collections.deque() for _ in stacks]  # By pokerkit's player.
        self.coming_board: collections.deque[Any] = collections.deque()
        self.n_dealt = 0  # Private cards that the engine has dealt, those of folded hands too.
        self.has_changed_to_common_card = False

    def seat(self, player: int) -> int:
        return (self.button + 1 + player) % self.n_seats

    def player(self, seat: int) -> int:
        return (seat - self.button - 1) % self.n_seats

    def _seat_or_nobody(self, player: int | None) -> int:
        return -1 if player is None else self.seat(player)

    @property
    def actor(self) -> int:
        return self._seat_or_nobody(self.state.actor_index)

    @property
    def drawer(self) -> int:
        return self._seat_or_nobody(self.state.stand_patter_or_discarder_index)

    @property
    def bring_in_chips(self) -> int:
        return int(self.state.effective_bring_in_amount or 0)

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

    @property
    def board(self) -> tuple[int, ...]:
        return tuple(CODES[card] for card in self.state.get_board_cards(0))

    def up_cards(self, seat: int) -> tuple[int, ...]:
        return tuple(CODES[card] for card in self.state.get_up_cards(self.player(seat)))

    def hole_cards(self, seat: int) -> tuple[int, ...]:
        return tuple(CODES[card] for card in self.state.hole_cards[self.player(seat)])

    def is_live(self, seat: int) -> bool:
        return bool(self.state.statuses[self.player(seat)])

    def take(self, events: Iterable[AnyEvent]) -> None:
        """Lay the cards ready that the engine dealt."""
        for event in events:
            if isinstance(event, ev.HoleCardsDealt | ev.UpCardsDealt | ev.CardsDrawn):
                self.coming[self.player(event.seat)].extend(CARDS[card] for card in event.cards)
                self.n_dealt += len(event.cards)
            elif isinstance(event, ev.BoardDealt):
                self.coming_board.extend(CARDS[card] for card in event.cards)
            elif isinstance(event, ev.CommonCardDealt):
                self.coming_board.append(CARDS[event.card])

    def deal(self) -> None:
        """Burn and deal what is due. Which cards burn is left unknown: no hand of this table depends on it."""
        state = self.state
        while not any(state.standing_pat_or_discarding_statuses):
            if state.card_burning_status:
                state.burn_card(Card.UNKNOWN)
            elif any(state.hole_dealing_statuses):
                if self.coming_board and not any(self.coming):
                    self.change_to_common_card()
                    continue
                for player, due in enumerate(state.hole_dealing_statuses):
                    if due:
                        state.deal_hole([self.coming[player].popleft() for _ in range(len(due))], player)
            elif any(state.board_dealing_counts):
                state.deal_board([self.coming_board.popleft() for _ in range(state.board_dealing_counts[0])])
            else:
                break

    def change_to_common_card(self) -> None:
        """Turn one card for all instead of the seventh ones, as the engine does (GAME-ST-17, case 3).

        The rule counts what is left of the stub and the burns; pokerkit counts the folded hands too.
        """
        n_due = sum(map(bool, self.state.hole_dealing_statuses))
        held = sum(map(len, self.state.hole_cards))
        assert len(CARDS) - self.n_dealt < n_due <= len(CARDS) - held
        for statuses in self.state.hole_dealing_statuses:
            statuses.clear()
        self.state.board_dealing_counts[0] = 1
        self.has_changed_to_common_card = True

    def draw(self, cards: Iterable[int]) -> None:
        """Lay cards away; pokerkit deals the new ones when everybody has."""
        self.state.stand_pat_or_discard([CARDS[card] for card in cards])
        self.deal()

    def fold(self) -> None:
        self.state.fold()
        self.deal()

    def check_or_call(self) -> None:
        self.state.check_or_call()
        self.deal()

    def bring_in(self) -> None:
        self.state.post_bring_in()
        self.deal()

    def wager(self, to_chips: int) -> None:
        self.state.complete_bet_or_raise_to(to_chips)
        self.deal()

    def let_open(self, seat: int) -> None:
        """Put the turn of a street that just began where the engine has it."""
        self.state.actor_indices.rotate(-self.state.actor_indices.index(self.player(seat)))

    def seats_paid_from(self) -> set[int]:
        """Seats whose hands were neither mucked nor killed when the pots were pushed."""
        gone = {
            operation.player_index
            for operation in self.state.operations
            if isinstance(operation, HandKilling)
            or (isinstance(operation, HoleCardsShowingOrMucking) and not operation.hole_cards)
        }
        return {self.seat(player) for player in range(self.n_seats) if player not in gone}

    @property
    def awards(self) -> Parts:
        """What was pushed to each seat; uncalled bets went back before."""
        won = {"HIGH": [0] * self.n_seats, "LOW": [0] * self.n_seats}
        for operation in self.state.operations:
            if isinstance(operation, ChipsPushing):
                for player, chips in enumerate(operation.amounts):
                    won["LOW" if operation.hand_type_index else "HIGH"][self.seat(player)] += chips
        return {part: tuple(chips) for part, chips in won.items()}
