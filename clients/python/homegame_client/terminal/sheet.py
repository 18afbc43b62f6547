"""The sheet at the end of a session as text: places, points, and what makes them add up."""

from collections.abc import Mapping

from homegame.v1.sheets_pb2 import Placement, Scoresheet
from homegame_client.terminal.words import FINISH_WORDS, chips_text, signed_text, visible


def draw_sheet(sheet: Scoresheet) -> list[str]:
    """Lines of the sheet, best place first."""
    names = {column.seat: visible(column.display_name) + _resets(sheet, column.resets) for column in sheet.columns}
    net = net_chips(sheet)
    width = max([4, *(len(name) for name in names.values())])
    hands = [row for row in sheet.rows if not row.is_playoff]
    title = "Final sheet" if sheet.finish_reason else "Sheet so far"
    lines = [f"{title}: {_count(len(hands), 'hand')}, {_count(sheet.completed_orbits, 'orbit')}, {_end(sheet)}"]
    lines.append(f"{'place':>7}  seat  {'name':<{width}}  {'points':>7}  {'won':>7}")
    for standing in sheet.standings:
        name = names.get(standing.seat, "")
        lines.append(
            f"{_place(standing):>7}  {standing.seat + 1:>4}  {name:<{width}}  "
            f"{chips_text(standing.stack_chips):>7}  {signed_text(net.get(standing.seat, 0)):>7}"
        )
    total = sum(standing.stack_chips for standing in sheet.standings)
    counted = f"of {chips_text(sheet.total_chips)} in play"
    if sheet.carry_chips:
        counted += f", {chips_text(sheet.carry_chips)} in the middle"
    if total + sheet.carry_chips != sheet.total_chips:
        counted += ": DOES NOT ADD UP"
    lines.append(
        f"{'total':>7}  {'':>4}  {'':<{width}}  {chips_text(total):>7}  {signed_text(sum(net.values())):>7}  {counted}"
    )
    out = [(column.out_at_hand, visible(column.display_name)) for column in sheet.columns if column.out_at_hand]
    if out:
        told = ", ".join(f"{name} at hand {number}" for number, name in sorted(out))
        lines.append(f"Out: {told}.")
    lines += [
        f"The tied leaders played a short hand, hand {row.hand_number}; it moved no points (PTS-B3-05)."
        for row in sheet.rows
        if row.is_playoff
    ]
    if sheet.incomplete_positions:
        seats = ", ".join(str(seat + 1) for seat in sheet.incomplete_positions)
        lines.append(f"The last orbit is incomplete and earns no credit: no button for seat {seats} (PTS-025).")
    return lines


def _resets(sheet: Scoresheet, resets: int) -> str:
    """What was issued anew to a seat, beside its name (PTS-B3-03)."""
    if not resets:
        return ""
    n_stacks = len(sheet.columns) + sum(column.resets for column in sheet.columns)
    return f" (+{chips_text(resets * sheet.total_chips // n_stacks)} reset)"


def net_chips(sheet: Scoresheet) -> Mapping[int, int]:
    """Won or lost over the session by each seat, in chips of the base unit; a short hand's stacks are its own (PTS-B3-05)."""
    net: dict[int, int] = {}
    for row in sheet.rows:
        if row.is_playoff:
            continue
        for entry in row.entries:
            net[entry.seat] = net.get(entry.seat, 0) + entry.net_chips
    return net


def _place(standing: Placement) -> str:
    return f"={standing.place}" if standing.tied else str(standing.place)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _end(sheet: Scoresheet) -> str:
    return f"ended by {FINISH_WORDS[sheet.finish_reason]}" if sheet.finish_reason in FINISH_WORDS else "still running"
