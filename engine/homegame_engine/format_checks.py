"""Whether a format, once read, can be played in its house: players, levels, schedule and windows.

Knows the games and houses that it is handed; looks nothing up.
"""

from collections.abc import Mapping
from typing import Final

from homegame_engine.game_checks import cards_needed, deck_cards, last_card_may_lack
from homegame_engine.reasons import Reason
from homegame_engine.spec_checks import check_header, check_players, check_range
from homegame_engine.spec_reader import Source, found
from homegame_engine.specs import BettingStreet, Burn, FormatSpec, GameSpec, HouseSpec, LevelSpec, Structure
from homegame_engine.stakes import spread_stakes

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
    if spec.procedures.dealer_calls is not None:
        calls, path = spec.procedures.dealer_calls, "procedures.dealer_calls"
        check_range(calls.call_seconds, 1, DECISION_SECONDS_MAX, f"{path}.call_seconds", source, "GAME-DC-02")
        check_range(calls.window_seconds, 1, DECISION_SECONDS_MAX, f"{path}.window_seconds", source, "GAME-DC-02")
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
        _check_sizes(level, house, path, source)
        _check_structure(level, spec.betting.structure, house, path, source)


def _check_sizes(level: LevelSpec, house: HouseSpec, path: str, source: Source) -> None:
    """Blinds go together, every size is whole units, and there is something to play for."""
    least = 0 if level.ante > 0 or level.bring_in > 0 or level.stake > 0 else 1
    check_range(level.big_blind, least, CHIPS_MAX, f"{path}.big_blind", source, "PTS-004")
    check_range(level.small_blind, min(1, level.big_blind), level.big_blind, f"{path}.small_blind", source, "PTS-004")
    for key in ("stake", "ante", "bring_in", "small_bet", "big_bet", "small_blind", "big_blind"):
        chips: int = getattr(level, key)
        check_range(chips, 0, CHIPS_MAX, f"{path}.{key}", source, "GAME-ST-03")
        if chips % house.unit_chips:
            problem = f"expected a multiple of {house.unit_chips}, found {chips}"
            raise source.fault(f"{path}.{key}", problem, "POT-ODD-02")


def _check_structure(level: LevelSpec, structure: Structure, house: HouseSpec, path: str, source: Source) -> None:
    """What the structure needs of a level, and that nothing stands there that it would ignore."""
    if structure == "SPREAD_LIMIT":
        stakes = spread_stakes(house.unit_chips)
        if level.stake not in stakes:
            problem = f"expected one of {', '.join(map(str, stakes))}, found {level.stake}"
            raise source.fault(f"{path}.stake", problem, "BET-SP-01")
        return
    if level.stake:
        raise source.fault(f"{path}.stake", f"expected 0 in {structure}, found {level.stake}", "BET-SP-01")
    small_bet = level.small_bet or level.big_blind
    if small_bet == 0:
        raise source.fault(f"{path}.small_bet", "expected a bet where no blind gives one, found 0", "GAME-ST-03")
    if level.big_bet and level.big_bet < small_bet:
        problem = f"expected the small bet, {small_bet}, or more, found {level.big_bet}"
        raise source.fault(f"{path}.big_bet", problem, "GAME-ST-03")
    if level.bring_in >= small_bet:
        problem = f"expected less than the bet of {small_bet} that completes it, found {level.bring_in}"
        raise source.fault(f"{path}.bring_in", problem, "GAME-ST-05")


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
        _check_burns(played, house, path, source)
        most = most_players(played, house)
        if spec.players.max > most:
            needed = cards_needed(played, spec.players.max, house.burns)
            problem = f"{block.game} would need {needed} cards of {deck_cards(played)}; expected at most {most} players"
            raise source.fault("players.max", problem, "CARD-08", Reason.TOO_MANY_PLAYERS)


def _check_burns(game: GameSpec, house: HouseSpec, path: str, source: Source) -> None:
    """The house's burns are counted by the betting rounds before them."""
    street = 0
    for step in game.steps:
        if isinstance(step, BettingStreet):
            street += 1
        elif isinstance(step, Burn) and step.count == 0 and street > len(house.burns):
            problem = f"the game burns after betting round {street}, house {house.id} names {len(house.burns)} burns"
            raise source.fault(path, problem, "CARD-07")


def most_players(game: GameSpec, house: HouseSpec) -> int:
    """Return the largest number of players that the deck serves in this house (CARD-08); 0 when it is not even two.

    Where the house plays on when the last stud card runs short, that card and its burn need not be there (GAME-ST-17).
    """
    deck = deck_cards(game) - (1 if house.keeps_last_card else 0)
    spared = 1 if house.stud_shortage and last_card_may_lack(game) else 0
    for n_players in range(game.players.max, 1, -1):
        if cards_needed(game, n_players, house.burns) - spared * (n_players + 1) <= deck:
            return n_players
    return 0
