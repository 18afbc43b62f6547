"""Slow, obvious answers about the pot: chips are moved one at a time. Shares no code with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def uncalled_bet(totals: Sequence[int], live: Collection[int]) -> tuple[int, int] | None:
    """Take chips off the highest total while nobody else has as many (BET-GEN-07)."""
    left = list(totals)
    owner = left.index(max(left))
    while sum(total >= left[owner] for total in left) == 1 and left[owner] > 0:
        left[owner] -= 1
    returned = totals[owner] - left[owner]
    return (owner, returned) if returned and owner in live else None


def layers(totals: Sequence[int], live: Collection[int], dead: int = 0) -> list[tuple[int, frozenset[int]]]:
    """Stack the chips in rows, one chip of each seat a row, and put rows with the same owners-to-be together."""
    found: list[tuple[int, frozenset[int]]] = [(dead, frozenset(live))] if dead else []
    for row in range(max(totals)):
        chips = sum(total > row for total in totals)
        eligible = frozenset(seat for seat in live if totals[seat] > row)
        if found and (not eligible or eligible == found[-1][1]):
            found[-1] = (found[-1][0] + chips, found[-1][1])
        else:
            # Nobody live reaches the first row: the live seats put in nothing and play for what the folded left.
            found.append((chips, eligible or frozenset(live)))
    return found


def shares(chips: int, winners: Collection[int], n_seats: int, first_seat: int, unit: int = 1) -> list[int]:
    """Hand out unit after unit clockwise, beginning at the first winner (POT-ODD-01)."""
    order = [seat % n_seats for seat in range(first_seat, first_seat + n_seats) if seat % n_seats in winners]
    got = [0] * n_seats
    for turn in range(chips // unit):
        got[order[turn % len(order)]] += unit
    got[order[0]] += chips % unit
    return got


def shares_with_carry(
    chips: int, winners: Collection[int], n_seats: int, first_seat: int, unit: int = 1
) -> tuple[list[int], int]:
    """As `shares`, but with three or more winners only whole rounds are handed out (POT-SPLIT-03)."""
    if len(winners) < 3:
        return shares(chips, winners, n_seats, first_seat, unit), 0
    got = [0] * n_seats
    while chips >= unit * len(winners):
        for seat in winners:
            got[seat] += unit
            chips -= unit
    return got, chips
