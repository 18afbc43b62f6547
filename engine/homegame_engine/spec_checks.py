"""What the checks of games, houses and formats share: ranges, names and numbers of players. Knows no kind of file."""

from collections.abc import Sequence

from homegame_engine.reasons import Reason
from homegame_engine.rules import RULES
from homegame_engine.spec_reader import Source


def check_range(
    value: int, least: int, greatest: int, path: str, source: Source, rule_id: str = "", reason: Reason | None = None
) -> None:
    """Refuse a value below `least` or above `greatest`."""
    if not least <= value <= greatest:
        raise source.fault(path, f"expected {least} to {greatest}, found {value}", rule_id, reason)


def check_header(spec_id: str, version: int, rules: Sequence[str], source: Source) -> None:
    """Refuse an id that is no plain name, a version below 1, and rules that the rulebook does not have."""
    if not spec_id or not spec_id.replace("_", "").replace("-", "").isalnum():
        raise source.fault("id", f"expected letters, digits, - and _, found {spec_id!r}")
    if version < 1:
        raise source.fault("version", f"expected 1 or more, found {version}")
    for index, rule_id in enumerate(rules):
        if rule_id not in RULES:
            raise source.fault(f"rules[{index}]", f"the rulebook has no rule {rule_id!r}")


def check_players(
    least: int, most: int, limit: int, source: Source, *, rule_id: str, reason: Reason | None = None
) -> None:
    """Refuse fewer than two players, more than `limit`, and a largest number below the smallest."""
    check_range(least, 2, limit, "players.min", source, rule_id)
    check_range(most, least, limit, "players.max", source, rule_id, reason if most > limit else None)
