"""Something to type in the line below the table: an amount, a place in the deck, a division of the pot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from homegame.v1.views_pb2 import TableView
from homegame_client.player.choices import AmountError, Choice
from homegame_client.player.status import live_seats
from homegame_client.terminal.words import chips_text, namer, names_text

_NAMES_SHOWN = 4


@dataclass(frozen=True)
class Question:
    """What is asked for, and what becomes of the answer."""

    words: str
    """What stands before the field."""
    proposal: str
    """What stands in it at first."""
    keys: str
    """What the keys do meanwhile."""
    number: int | None
    """Of the turn it is asked for; None when it is open in any turn."""
    answer: Callable[[str], Callable[[], None]]
    """Read what was typed and return what to do. Raises AmountError when it is no answer."""
    step: Callable[[str, int], str] | None = None
    """What the field holds after an arrow key; None where the arrows do nothing."""


def amount_question(choice: Choice, number: int, send: Callable[[Choice, int], None]) -> Question:
    """Ask for the amount of a bet, raise or cut."""

    def answer(typed: str) -> Callable[[], None]:
        amount = choice.read_amount(typed)
        return lambda: send(choice, amount)

    def step(typed: str, steps: int) -> str:
        try:
            amount = choice.next_amount(choice.read_amount(typed), steps=steps)
        except AmountError:
            amount = choice.low
        return str(amount)

    return Question(
        words=f"{choice.verb} ({choice.range_words}): ",
        proposal=str(choice.proposal),
        keys="Enter send  Esc cancel  up/down next amount  or type min, max",
        number=number,
        answer=answer,
        step=step,
    )


def division_question(view: TableView, proposed: Sequence[int], send: Callable[[list[int]], None]) -> Question:
    """Ask how to divide the pot among those who are in the hand (POT-AGR-01).

    Args:
        view: The table.
        proposed: What somebody has named, chips for each seat; empty when nobody has.
        send: Takes chips for each seat; an empty list takes back what was named.
    """
    live = live_seats(view)
    shares = [proposed[seat] for seat in live] if proposed else even_shares(view, len(live))

    def answer(typed: str) -> Callable[[], None]:
        division = read_division(typed, view)
        return lambda: send(division)

    return Question(
        words=f"divide {chips_text(view.pot_chips)} ({names_text(map(namer(view), live), _NAMES_SHOWN)}): ",
        proposal=" ".join(str(chips) for chips in shares),
        keys="Enter propose  Esc cancel  an empty line takes it back",
        number=None,
        answer=answer,
    )


def read_division(typed: str, view: TableView) -> list[int]:
    """Chips for each seat of the table, from amounts for those in the hand in seat order; none takes a proposal back.

    Raises:
        AmountError: it is not one number for each of them.
    """
    live = live_seats(view)
    words = typed.replace(",", " ").split()
    if not words:
        return []
    if len(words) != len(live) or not all(word.isascii() and word.isdecimal() for word in words):
        names = names_text(map(namer(view), live), _NAMES_SHOWN)
        raise AmountError(f"Type {len(live)} amounts, for {names}, together {chips_text(view.pot_chips)}.")
    by_seat = dict(zip(live, (int(word) for word in words), strict=True))
    return [by_seat.get(seat.seat, 0) for seat in view.seats]


def even_shares(view: TableView, n_live: int) -> list[int]:
    """The pot in shares as equal as its chips allow, the first seats getting what is left over."""
    unit = max(1, view.posting.unit_chips)
    units, rest = divmod(view.pot_chips, unit)
    each, over = divmod(units, max(1, n_live))
    shares = [(each + (place < over)) * unit for place in range(n_live)]
    if shares:
        shares[0] += rest
    return shares
