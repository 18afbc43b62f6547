"""A deal with the cards exchanged that one viewer cannot tell apart: unseen for ever, or until a reshuffle brought them back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from homegame_engine import events as ev
from homegame_engine.cards import CARD_HIDDEN
from homegame_engine.deal_proof import cut
from homegame_engine.view import project

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from homegame_engine.events import AnyEvent

CUT = 17


class Deal(NamedTuple):
    """One shuffle: the order before the cut at CUT, and the orders of its reshuffles, of numbers after the cut."""

    deck_order: bytes
    mix_orders: bytes


def elsewhere(
    deal: Deal, happened: Sequence[AnyEvent], viewer: int | None, chance: random.Random, *, under: bool
) -> Deal:
    """Exchange cards among those that were mixed in the same reshuffles and that `viewer` had not seen before.

    What comes after a reshuffle is the same all the same: its orders are changed with the cards.

    Args:
        deal: What was dealt from.
        happened: Everything that happened in the deal, cards in clear.
        viewer: A seat, None for a spectator.
        chance: Chooses among the exchanges.
        under: Whether what is mixed goes under the rest of the stub, folded hands with it (CARD-06, GAME-DC-09); else all
            but the hands is mixed (GAME-ST-17).
    """
    walk = _Walk(deal, viewer, under=under)
    for event in happened:
        walk.take(event)
    n = len(deal.deck_order)
    classes: dict[tuple[int, ...], list[int]] = {}
    for place in set(range(n)) - walk.seen:
        classes.setdefault(walk.mixed_in[place], []).append(place)
    goes_to = list(range(n))
    for alike in classes.values():
        for place, other in zip(alike, chance.sample(alike, len(alike)), strict=True):
            goes_to[place] = other
    moved = bytearray(n)
    for place, card in enumerate(walk.order):
        moved[goes_to[place]] = card
    return Deal(bytes(moved[n - CUT :] + moved[: n - CUT]), bytes(goes_to[place] for place in deal.mix_orders))


class _Walk:
    """Follows the numbers of a deal, which are places in the deck after the cut, from the stub to hands and back."""

    def __init__(self, deal: Deal, viewer: int | None, *, under: bool) -> None:
        self.order = cut(deal.deck_order, CUT)
        self.mixed_in: list[tuple[int, ...]] = [()] * len(self.order)
        """By number, which reshuffles it was in."""
        self.seen: set[int] = set()
        """Numbers whose card the viewer saw before the first of them."""
        self._mix_orders = deal.mix_orders
        self._viewer = viewer
        self._under = under
        self._number = {card: number for number, card in enumerate(self.order)}
        self._stub = list(range(len(self.order)))
        self._held: dict[int, list[int]] = {}  # By seat, the board under -1.
        self._folded: set[int] = set()
        self._n_mixes = 0

    def take(self, event: AnyEvent) -> None:
        numbers = self._numbers(event)
        self._move(event, numbers)
        self._stub = [number for number in self._stub if number not in numbers]
        in_sight = self._numbers(project(event, self._viewer))
        self.seen.update(number for number in in_sight if not self.mixed_in[number])

    def _numbers(self, event: AnyEvent) -> list[int]:
        one = (event.card,) if isinstance(event, ev.CommonCardDealt) else ()
        cards = (*getattr(event, "cards", ()), *getattr(event, "discarded", ()), *one)
        return [self._number[card] for card in cards if card != CARD_HIDDEN]

    def _move(self, event: AnyEvent, numbers: list[int]) -> None:
        match event:
            case ev.CardsBurned(count=count):
                del self._stub[:count]
            case ev.HoleCardsDealt() | ev.UpCardsDealt() | ev.CardsPassed():
                self._held.setdefault(event.seat, []).extend(numbers)
            case ev.BoardDealt() | ev.CommonCardDealt():
                self._held.setdefault(-1, []).extend(numbers)
            case ev.CardsDrawn(seat=seat, cards=cards):
                self._give_up(seat, numbers)
                self._held[seat] += [self._number[card] for card in cards]
            case ev.ChoiceMade(seat=seat):
                self._give_up(seat, numbers)
            case ev.PlayerFolded(seat=seat):
                self._folded.add(seat)
            case ev.StubReshuffled(count=count):
                self._mix(count)

    def _give_up(self, seat: int, numbers: list[int]) -> None:
        self._held[seat] = [number for number in self._held[seat] if number not in numbers]

    def _mix(self, count: int) -> None:
        n = len(self.order)
        away = {
            number
            for seat, numbers in self._held.items()
            if not (self._under and seat in self._folded)
            for number in numbers
        }
        rest = self._stub if self._under else []
        mixed = set(range(n)) - away - set(rest)
        assert len(mixed) == count
        for number in mixed:
            self.mixed_in[number] += (self._n_mixes,)
        order = self._mix_orders[self._n_mixes * n : (self._n_mixes + 1) * n]
        self._stub = [*rest, *(number for number in order if number in mixed)]
        self._n_mixes += 1
