"""Whether a format, once read, can be played in its house: players, levels, schedule and windows.

Knows the games and houses that it is handed; looks nothing up.
"""

from collections.abc import Mapping
from typing import Final

from homegame_engine.game_checks import cards_needed, deck_cards
from homegame_engine.reasons import Reason
from homegame_engine.spec_checks import check_header, check_players, check_range
from homegame_engine.spec_reader import Source, found
from homegame_engine.specs import Burn, FormatSpec, GameSpec, HouseSpec

LEVELS_MAX: Final = 16
CHIPS_MAX: Final = 1 << 40  # Of a stack or a blind; sums of a table stay far inside 64 bits.
CUTOFF_MINUTES_MAX: Final = 24 * 60
DECISION_SECONDS_MAX: Final = 60 * 60
TIME_BANK_TOKENS_MAX: Final = 100


def check_format(
    spec: FormatSpec, source: Source, games: Mapping[str, GameSpec], houses: Mapping[str, HouseSpec]
) -> None:
    """Refuse a format that cannot be played.

    Args:
        spec: The format.
        source: Its file.
        games: Games that it may name, by id.
        houses: Houses that it may name, by id.

    Raises:
        SpecError: the first fault; CONFIG_INVALID or TOO_MANY_PLAYERS.

    Rules: CARD-07, CARD-08, PTS-002, PTS-003, PTS-006, PTS-B3-01, PROC-CLK-01.
    """
    check_header(spec.id, spec.version, spec.rules, source)
    if spec.house not in houses:
        raise source.fault("house", f"expected one of {', '.join(houses)}, found {found(spec.house)}")
    house = houses[spec.house]
    check_range(spec.start.chips, 1, CHIPS_MAX, "start.chips", source, "PTS-002")
    check_range(spec.cutoff.minutes, 1, CUTOFF_MINUTES_MAX, "cutoff.minutes", source, "PTS-003")
    check_range(spec.clock.cut_seconds, 1, DECISION_SECONDS_MAX, "clock.cut_seconds", source, "PROC-SHUF-02")
    check_range(spec.clock.time_bank_seconds, 0, DECISION_SECONDS_MAX, "clock.time_bank_seconds", source, "PROC-CLK-02")
    check_range(spec.clock.time_bank_tokens, 0, TIME_BANK_TOKENS_MAX, "clock.time_bank_tokens", source, "PROC-CLK-02")
    check_range(spec.clock.decision_seconds, 1, DECISION_SECONDS_MAX, "clock.decision_seconds", source, "PROC-CLK-01")
    if spec.betting.structure == "SPREAD_LIMIT":
        raise source.fault("betting.structure", "a format has no place for the range of spread limit", "BET-SP-01")
    _check_levels(spec, house, source)
    _check_blocks(spec, house, games, source)


def _check_levels(spec: FormatSpec, house: HouseSpec, source: Source) -> None:
    if not 1 <= len(spec.levels) <= LEVELS_MAX:
        raise source.fault("levels", f"expected 1 to {LEVELS_MAX} levels, found {len(spec.levels)}", "PTS-B3-01")
    before = 0
    for index, level in enumerate(spec.levels):
        path = f"levels[{index}]"
        if index == 0 and level.from_hand != 1:
            problem = f"the first level starts at hand 1, found {level.from_hand}"
            raise source.fault(f"{path}.from_hand", problem, "PTS-B3-02")
        if level.from_hand <= before:
            problem = f"expected more than {before}, found {level.from_hand}"
            raise source.fault(f"{path}.from_hand", problem, "PTS-B3-01")
        before = level.from_hand
        check_range(level.big_blind, 1, CHIPS_MAX, f"{path}.big_blind", source, "PTS-004")
        check_range(level.small_blind, 1, level.big_blind, f"{path}.small_blind", source, "PTS-004")
        for key, chips in (("small_blind", level.small_blind), ("big_blind", level.big_blind)):
            if chips % house.unit_chips:
                problem = f"expected a multiple of {house.unit_chips}, found {chips}"
                raise source.fault(f"{path}.{key}", problem, "POT-ODD-02")


def _check_blocks(spec: FormatSpec, house: HouseSpec, games: Mapping[str, GameSpec], source: Source) -> None:
    if not spec.blocks:
        raise source.fault("blocks", "expected at least one block")
    for index, block in enumerate(spec.blocks):
        path = f"blocks[{index}].game"
        if block.game not in games:
            raise source.fault(path, f"expected one of {', '.join(games)}, found {found(block.game)}")
        played = games[block.game]
        check_players(
            spec.players.min,
            spec.players.max,
            played.players.max,
            source,
            rule_id="PTS-006",
            reason=Reason.TOO_MANY_PLAYERS,
        )
        n_burns = sum(isinstance(step, Burn) and step.count == 0 for step in played.steps)
        if n_burns > len(house.burns):
            problem = f"house {spec.house} burns {len(house.burns)} times, the game {n_burns}"
            raise source.fault(path, problem, "CARD-07")
        needed = cards_needed(played, spec.players.max, house.burns)
        if needed > deck_cards(played):
            problem = f"{block.game} would need {needed} cards of {deck_cards(played)}"
            raise source.fault("players.max", problem, "CARD-08", Reason.TOO_MANY_PLAYERS)
