"""The sizes of a hand: from a level and a house, and the sizes that a house plays where nobody names any.

Rules: BET-SP-01, GAME-ST-02, GAME-ST-03, HOUSE-DEAL-02. Reads no file; the habits of a house come as a `TableSpec`.
"""

from typing import Final, NamedTuple

from homegame_engine.errors import InputError
from homegame_engine.reasons import Reason
from homegame_engine.spec_reader import Source
from homegame_engine.specs import GameSpec, HandRules, HouseSpec, LevelSpec, StakesSpec, Structure, TableSpec

LADDER_UNITS: Final = (1, 2, 4, 8, 20, 40)
"""House Night's chips 0.25, 0.50, 1, 2, 5 and 10 in units of 25 cents (BET-SP-01)."""

_N_STAKES: Final = 3  # Those for which a range is printed: 0.25, 0.50 and 1 (BET-SP-01, HOUSE-BET-04).
_SIZES: Final = tuple(field for field in StakesSpec.__struct_fields__ if field != "structure")
_RANGE_STEPS: Final = 2  # The highest bet is the chip two further up.
_ANTE_PART: Final = 5  # GAME-ST-03: a fifth of the small bet.
_BRING_IN_PART: Final = 2  # GAME-ST-03: half of the small bet.


class SpreadRange(NamedTuple):
    """The lowest and the highest step of a bet or raise in spread limit; every step is a multiple of the lowest."""

    low_chips: int
    high_chips: int


def spread_stakes(unit_chips: int) -> tuple[int, ...]:
    """Return the table stakes of spread limit where the smallest chip is `unit_chips`."""
    return tuple(units * unit_chips for units in LADDER_UNITS[:_N_STAKES])


def spread_range(stake_chips: int, ante_chips: int | None = None, *, unit_chips: int = 25) -> SpreadRange:
    """Return the range of spread limit.

    Args:
        stake_chips: The table stake: 1, 2 or 4 units.
        ante_chips: The ante that the dealer named for the hand; None for none named.
        unit_chips: The smallest chip, 25 cents at House Night.

    Raises:
        InputError: there is no range for this stake.

    Rules: BET-SP-01 (an ante without a printed range leaves the stake's).
    """
    stakes = spread_stakes(unit_chips)
    if stake_chips not in stakes:
        raise InputError(f"expected a stake of {', '.join(map(str, stakes))}, found {stake_chips}", "stake")
    low_chips = stake_chips if ante_chips is None or ante_chips not in stakes else ante_chips
    step = LADDER_UNITS.index(low_chips // unit_chips)
    return SpreadRange(low_chips, LADDER_UNITS[step + _RANGE_STEPS] * unit_chips)


def level_rules(house: HouseSpec, level: LevelSpec, structure: Structure | None = None) -> HandRules:
    """Return the rules of a hand at a level.

    Args:
        house: The house.
        level: Its sizes; a level of spread limit has a stake.
        structure: Played instead of the house's own.

    Raises:
        InputError: a stake that has no range.
    """
    played = structure or house.betting
    spread = SpreadRange(0, 0)
    if played == "SPREAD_LIMIT":
        spread = spread_range(level.stake, level.ante, unit_chips=house.unit_chips)
    return house.hand_rules(
        small_blind_chips=level.small_blind,
        big_blind_chips=level.big_blind,
        structure=played,
        ante_chips=level.ante,
        bring_in_chips=level.bring_in,
        small_bet_chips=level.small_bet,
        big_bet_chips=level.big_bet,
        spread_min_chips=spread.low_chips,
        spread_max_chips=spread.high_chips,
    )


def stud_defaults(small_bet_chips: int, unit_chips: int, source: Source, path: str) -> tuple[int, int]:
    """Return the ante and the bring-in of a stud event that names only its small bet, each rounded down to a unit.

    Raises:
        SpecError: CONFIG_INVALID; the small bet, in the field `path`, is too small for an ante.

    Rules: GAME-ST-03.
    """
    ante_chips = small_bet_chips // _ANTE_PART // unit_chips * unit_chips
    bring_in_chips = small_bet_chips // _BRING_IN_PART // unit_chips * unit_chips
    if ante_chips == 0:
        problem = f"the ante, a fifth of {small_bet_chips}, is less than a unit of {unit_chips}: name ante and bring_in"
        raise source.fault(path, problem, "GAME-ST-03", Reason.CONFIG_INVALID)
    return ante_chips, bring_in_chips


def default_stakes(table: TableSpec, game: GameSpec) -> StakesSpec:
    """Return the sizes that the house plays in games that open as this one does."""
    by_forced = {"BLINDS": table.blinds, "BRING_IN": table.bring_in, "ANTES": table.antes}
    return by_forced[game.forced]


def table_level(game: GameSpec, house: HouseSpec, habits: StakesSpec, named: StakesSpec, source: Source) -> LevelSpec:
    """Put together the one level of a table: what was named, else the habits of the house.

    A blind that is not named follows the one that is, half or twice. A habit that another structure or another small bet
    would make senseless does not hold.

    Raises:
        SpecError: GAME-ST-03 gives no ante for the small bet.
    """
    chips: dict[str, int | None] = {field: getattr(named, field) for field in _SIZES}
    structure = named.structure or habits.structure or house.betting
    if named.small_blind is None and named.big_blind is not None:
        chips["small_blind"] = named.big_blind // 2 // house.unit_chips * house.unit_chips
    if named.big_blind is None and named.small_blind is not None:
        chips["big_blind"] = named.small_blind * 2
    if named.small_bet is not None and named.big_bet is None:
        chips["big_bet"] = 0
    for field in _SIZES:
        if chips[field] is None and (field != "stake" or structure == "SPREAD_LIMIT"):
            chips[field] = getattr(habits, field)
    if game.forced == "BRING_IN" and chips["small_bet"] and (chips["ante"] is None or chips["bring_in"] is None):
        ante_chips, bring_in_chips = stud_defaults(chips["small_bet"], house.unit_chips, source, "small_bet")
        chips["ante"] = ante_chips if chips["ante"] is None else chips["ante"]
        chips["bring_in"] = bring_in_chips if chips["bring_in"] is None else chips["bring_in"]
    if chips["stake"] is not None and named.ante is None:
        chips["ante"] = chips["stake"]  # HOUSE-DEAL-02: the ante is the table stake.
    return LevelSpec(from_hand=1, **{field: held or 0 for field, held in chips.items()})
