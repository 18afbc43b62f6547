"""What can be played, as it is posted at the table: the packaged games and formats in words."""

from collections.abc import Sequence

import msgspec

from homegame_engine.specs import BettingStreet, Burn, DealBoard, DealDown, FormatSpec, GameSpec, HouseSpec, Step


def format_lines(spec: FormatSpec, house: HouseSpec, games: Sequence[GameSpec]) -> list[str]:
    """The posting of a format."""
    names = {game.id: game.name for game in games}
    rules = house.hand_rules(
        small_blind_chips=spec.levels[0].small_blind,
        big_blind_chips=spec.levels[0].big_blind,
        structure=spec.betting.structure,
    )
    caps = "no cap on raises" if rules.raise_cap < 0 else f"{rules.raise_cap} raises a street after the opening bet"
    schedule = ", then ".join(
        f"{names.get(block.game, block.game)} until {_until(block.until)}" for block in spec.blocks
    )
    lines = [
        f"{spec.id}: {spec.name}",
        spec.summary,
        "",
        *_table(
            {
                "also called": ", ".join(spec.aliases),
                "base": spec.base or "",
                "house": house.name,
                "players": f"{spec.players.min} to {spec.players.max}",
                "start": f"{spec.start.chips} for everyone",
                "betting": f"{spec.betting.structure.lower().replace('_', ' ')}, {caps}",
                "blinds": "; ".join(
                    _level(level.from_hand, level.small_blind, level.big_blind) for level in spec.levels
                ),
                "cutoff": f"{spec.cutoff.minutes} minutes after the start unless posted otherwise; no hand starts after it",
                "schedule": schedule,
                "decisions": f"{spec.clock.decision_seconds} seconds each",
                "scoring": f"the highest {spec.scoring.by.lower()} wins; ties {spec.scoring.ties.lower()} the place",
                "rules": ", ".join(spec.rules),
            }
        ),
    ]
    return [*lines, "", *spec.description.strip().splitlines()] if spec.description.strip() else lines


def game_lines(spec: GameSpec) -> list[str]:
    """The description of a game."""
    low, high = spec.showdown.hole_cards_min, spec.showdown.hole_cards_max
    own = f"{low} to {high} of one's own cards" if low != high else f"exactly {low} of one's own cards"
    return [
        f"{spec.id}: {spec.name}",
        spec.summary,
        "",
        *_table(
            {
                "players": f"{spec.players.min} to {spec.players.max}",
                "deal": "; ".join(_step(step) for step in spec.steps),
                "showdown": f"best {spec.showdown.ranking.lower()} hand, {own}",
                "rules": ", ".join(spec.rules),
            }
        ),
    ]


def short_line(spec: FormatSpec | GameSpec) -> str:
    """One line of a list."""
    names = ", ".join((spec.id, *spec.aliases)) if isinstance(spec, FormatSpec) else spec.id
    return f"{names:<20}  {spec.summary}"


def as_json_text(spec: FormatSpec | GameSpec | Sequence[FormatSpec | GameSpec]) -> str:
    """The definition as it is loaded, every key of its file included."""
    return msgspec.json.format(msgspec.json.encode(spec)).decode()


def _table(rows: dict[str, str]) -> list[str]:
    return [f"  {key:<12} {text}" for key, text in rows.items() if text]


def _until(until: str) -> str:
    return "the cutoff" if until == "CUTOFF" else "the end of the orbit"


def _level(from_hand: int, small_blind: int, big_blind: int) -> str:
    blinds = f"{small_blind}/{big_blind}"
    return blinds if from_hand == 1 else f"{blinds} from hand {from_hand}"


def _step(step: Step) -> str:
    match step:
        case DealDown():
            return f"{step.count} cards face down to each"
        case Burn():
            return "burn"
        case DealBoard():
            return f"{step.count} to the board"
        case BettingStreet():
            return f"bet ({step.street.lower()})"
