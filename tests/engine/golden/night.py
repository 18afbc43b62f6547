"""The golden night: seven hands with stacked decks and written actions, as readable text and as a journal.

Usage, from the root of the checkout:
    python -m tests.engine.golden.night --write          write night.txt anew; read the difference before committing it
    python -m tests.engine.golden.night --journal FILE   write the night as a journal; never over an existing file

Nets stand beside each hand, worked out by hand; `test_night.py` holds the events to them and to a second reckoning. A journal
that was written once is never written again: it shows that nights of older versions still replay.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from homegame_engine.actions import Action, LegalActions
from homegame_engine.cards import format_cards
from homegame_engine.events import AnyEvent, Placement
from homegame_engine.night import RULES_VERSION, STATE_VERSION, AnyInput
from homegame_engine.night import inputs as inp
from homegame_server.runtime.codec import SCHEMA
from tests.night_builders import HOST, MINUTE_MS, NOON_MS, NightTable, announcement, person

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT_FILE = Path(__file__).with_name("night.txt")
CARD_FIELDS = {"cards", "best_cards"}

NETS: tuple[tuple[int, int, int, int], ...] = (
    (0, -1, 1, 0),
    (2, 1, -1, -2),
    (-2, 16, 0, -14),
    (-20, -2, 12, 10),
    (0, -12, -16, 28),
    (0, 10, -2, -8),
    (0, 1, 0, -1),
)
"""What each completed hand brings the four seats; everybody starts with 20."""

PLACES = {0: 4, 1: 1, 2: 3, 3: 1}
"""Final places: seats 1 and 3 end with 33 each."""


class JournalHead(msgspec.Struct, frozen=True, kw_only=True):
    """First line of a journal file: who wrote it, and what it must come to whatever the version that reads it."""

    state_version: int
    rules_version: str
    schema: int = 1
    placements: tuple[Placement, ...]


class JournalLine(msgspec.Struct, frozen=True, kw_only=True):
    """One accepted input: its time, what it caused, and the hash of the state after it."""

    at_ms: int
    input: AnyInput
    events: tuple[AnyEvent, ...]
    state_hash: str


def played_night() -> NightTable:
    """Play the night."""
    table = NightTable(announcement(n_seats=4, start_chips=20, cutoff_at_ms=NOON_MS + 10 * MINUTE_MS))
    table.seat(0, 1, 2, 3)
    table.give(inp.JoinNight(participant_id="watcher", name="Wanda"), after_ms=500)
    table.open(button=0)

    # 1, button 0: a walk. Everybody folds to the big blind.
    table.deal()
    table.play("f f f")

    # 2, button 1: seats 0 and 1 tie for 7 points; the odd one goes to seat 0, first of them left of the button. Seat 3 mucks.
    table.deal({0: "AsKd", 1: "AhKc", 2: "4c8d", 3: "Qs5d"}, "AdKh9s7h3d")
    table.play("c c f k  k k k  k k k  k k k  m s s")

    # 3, button 2: the cap before the flop, and a fold on the river. Nothing is shown.
    table.deal({1: "JsJd", 3: "AsQd"}, "QhJc2c7d5s")
    table.play("r4 f r6 f r8 c  b2 c  b4 c  k b4 f")

    # 4, button 3: seat 3 is all-in for the main layer and wins it; seats 0 and 2 play for the side layer; seat 0 busts.
    table.deal({0: "QcQd", 2: "KcKd", 3: "AcAd"}, "2c7d9h3s4s")
    table.play("r4 c r6 f r8 c  b2 r4 r6 r8 c  b4 c  s s s")

    # 5, seat 0 is passed over: a short all-in opening on the turn, completed by seat 1, who mucks the main layer at the end.
    table.deal({1: "TsTd", 2: "9c9d", 3: "AsAd"}, "2h5c8sJhQh")
    table.play("r4 c r6 r8 c c  k b2 r4 c c  k b2 r4 c  k b4 f  m")

    # 6, button 2: seat 2 leaves and is folded, seat 3 lets the clock check for it.
    table.deal({1: "AsAd", 3: "KsKd"}, "2h5c8sJhQh")
    table.play("c c k")
    table.give(inp.LeaveSeat(participant_id=person(2)), after_ms=700)
    table.play("k b2")
    table.time_out()
    table.act("c")
    table.time_out()
    table.play("k b4 c s s")

    # 7, heads-up, button 3: void after a raise, dealt again, after a stop of the server; then the small blind folds.
    table.deal()
    table.act("r4")
    table.give(inp.VoidHand(participant_id=HOST, reason="A card fell on the floor."), after_ms=900)
    table.give(inp.Resume(), after_ms=MINUTE_MS)
    table.deal()
    table.play("f")

    # The cutoff.
    table.give(inp.FinishSession(), after_ms=10 * MINUTE_MS)
    table.give(inp.CloseNight(participant_id=HOST), after_ms=1_000)
    return table


def open_to(legal: LegalActions) -> str:
    """What is open to a seat, in one short phrase."""
    amounts = {"call": f" {legal.call_chips}"}
    for kind in ("bet", "raise"):
        least, greatest = legal.raise_to_min_chips, legal.raise_to_max_chips
        amounts[kind] = f" to {least}" if least == greatest else f" to {least}..{greatest}"
    return ", ".join(kind + amounts.get(kind, "") for kind in legal.kinds)


def shown(name: str, value: object) -> str:
    """A field's value as people read it."""
    if isinstance(value, tuple):
        if name in CARD_FIELDS:
            return format_cards(value) or "-"
        return "(" + ", ".join(shown(name, inner) for inner in value) + ")"
    if isinstance(value, LegalActions):
        return f"[{open_to(value)}]"
    if isinstance(value, Action):
        fields = [str(getattr(value, field)) for field in value.__struct_fields__ if getattr(value, field) is not None]
        return " ".join([str(value.__struct_config__.tag), *fields])
    if isinstance(value, msgspec.Struct):
        return " ".join(f"{field}={shown(field, getattr(value, field))}" for field in value.__struct_fields__)
    return repr(value) if isinstance(value, str) else str(value)


def lines(table: NightTable) -> Iterator[str]:
    """The night as text: a line for each input with its second, and an indented one for each event."""
    for row in table.rows:
        given = row.given
        hidden = {"deck_order", "format", "game", "house"}
        fields = [name for name in given.__struct_fields__ if name not in hidden]
        text = " ".join(f"{name}={shown(name, getattr(given, name))}" for name in fields)
        yield f"{(row.at_ms - NOON_MS) / 1000:9.3f} {type(given).__name__} {text}".rstrip()
        for event in row.events:
            yield f"            {type(event).__name__} {shown('', event)}".rstrip()


def journal_lines(table: NightTable) -> Iterator[bytes]:
    """The night as a journal file."""
    assert table.night.finished is not None
    yield msgspec.json.encode(
        JournalHead(
            state_version=STATE_VERSION,
            rules_version=RULES_VERSION,
            schema=SCHEMA,
            placements=table.night.finished.placements,
        )
    )
    for row in table.rows:
        yield msgspec.json.encode(
            JournalLine(at_ms=row.at_ms, input=row.given, events=row.events, state_hash=row.state_hash.hex())
        )


def main(arguments: list[str]) -> int:
    """Write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {TEXT_FILE.name} anew")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="write a new journal")
    options = parser.parse_args(arguments)
    table = played_night()
    if options.write:
        TEXT_FILE.write_text("".join(f"{line}\n" for line in lines(table)), encoding="utf-8")
    if options.journal:
        with options.journal.open("xb") as file:
            file.writelines(line + b"\n" for line in journal_lines(table))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
