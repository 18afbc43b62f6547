"""What can be played, as it is posted at the table: the packaged games and formats in words."""

import textwrap
from collections.abc import Sequence
from typing import Final

import msgspec

from homegame_engine.rule_card import Section
from homegame_engine.specs import DealerCallsSpec, FormatSpec, GameSpec, HouseSpec, LevelSpec
from homegame_engine.stakes import level_rules

CARD_COLUMNS: Final = 78

_TIES: Final = {
    "SHARE": "ties share the place",
    "SHORT_HAND": "ties share the place, or play a short hand if all of them ask",
}


def format_lines(spec: FormatSpec, house: HouseSpec, games: Sequence[GameSpec]) -> list[str]:
    """The posting of a format, wrapped like a rule card."""
    names = {game.id: game.name for game in games}
    rules = level_rules(house, spec.levels[0], spec.betting.structure)
    caps = "no cap on raises" if rules.raise_cap < 0 else f"{rules.raise_cap} raises a street after the opening bet"
    called = "the games that the dealers call" if spec.procedures.dealer_calls else ""
    schedule = ", then ".join(
        f"{called or names.get(block.game, block.game)} until {_until(block.until)}" for block in spec.blocks
    )
    lines = [
        f"{spec.id}: {spec.name}",
        *textwrap.wrap(spec.summary, CARD_COLUMNS),
        "",
        *_table(
            {
                "also called": ", ".join(spec.aliases),
                "base": spec.base or "",
                "house": house.name,
                "players": f"{spec.players.min} to {spec.players.max}",
                "start": f"{spec.start.chips} for everyone",
                "betting": f"{spec.betting.structure.lower().replace('_', ' ')}, {caps}",
                "stakes": "; ".join(_level(level) for level in spec.levels),
                "cutoff": f"{spec.cutoff.minutes} minutes after the start unless posted otherwise; no hand starts after it",
                "schedule": schedule,
                "calls": _dealer_calls(spec.procedures.dealer_calls),
                "decisions": f"{spec.clock.decision_seconds} seconds each",
                "scoring": f"the highest {spec.scoring.by.lower()} wins; {_TIES[spec.scoring.ties]}",
                "rules": ", ".join(spec.rules),
            }
        ),
    ]
    return [*lines, "", *spec.description.strip().splitlines()] if spec.description.strip() else lines


def card_lines(spec: GameSpec, sections: Sequence[Section]) -> list[str]:
    """The rule card of a game, wrapped for a screen or a sheet of paper."""
    lines = [f"{spec.id}: {spec.name}"]
    for section in sections:
        lines += ["", section.title.upper()]
        for line in section.lines:
            lines += textwrap.wrap(line, CARD_COLUMNS, initial_indent="  ", subsequent_indent="    ")
    if spec.rules:
        lines += ["", *textwrap.wrap(f"Rules: {', '.join(spec.rules)}", CARD_COLUMNS, break_on_hyphens=False)]
    return lines


def short_line(spec: FormatSpec | GameSpec) -> str:
    """One line of a list."""
    return f"{', '.join((spec.id, *spec.aliases)):<20}  {spec.name}: {spec.summary}"


def as_json_text(spec: FormatSpec | GameSpec | Sequence[FormatSpec | GameSpec]) -> str:
    """The definition as it is loaded, every key of its file included."""
    return msgspec.json.format(msgspec.json.encode(spec)).decode()


def _table(rows: dict[str, str]) -> list[str]:
    keyed = {f"  {key:<12} ": text for key, text in rows.items() if text}
    return [
        line
        for key, text in keyed.items()
        for line in textwrap.wrap(
            text, CARD_COLUMNS, initial_indent=key, subsequent_indent=" " * len(key), break_on_hyphens=False
        )
    ]


def _until(until: str) -> str:
    return "the cutoff" if until == "CUTOFF" else "the end of the orbit"


def _level(level: LevelSpec) -> str:
    parts = [f"{level.small_blind}/{level.big_blind}"] if level.big_blind else []
    named = {
        "stake": level.stake,
        "ante": level.ante,
        "bring-in": level.bring_in,
        "small bet": level.small_bet,
        "big bet": level.big_bet,
    }
    parts += [f"{name} {chips}" for name, chips in named.items() if chips]
    return ", ".join(parts) if level.from_hand == 1 else f"{', '.join(parts)} from hand {level.from_hand}"


def _dealer_calls(calls: DealerCallsSpec | None) -> str:
    if calls is None:
        return ""
    return (
        f"the dealer calls each hand's game in {calls.call_seconds} seconds; {calls.window_seconds} seconds to sit out"
    )
