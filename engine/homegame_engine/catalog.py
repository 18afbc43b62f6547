"""The games, houses and formats that come with the program, and a designer's own, read and found sound.

The one place of the engine that touches files: it reads the packaged ones, once. A designer's file is handed in as
text. What comes out can be played: whatever the core would refuse when a hand starts is refused here, with its place.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, TypeVar

import msgspec

from homegame_engine.errors import NotFound
from homegame_engine.format_checks import CHIPS_MAX, CUTOFF_MINUTES_MAX, check_format, most_players
from homegame_engine.game_checks import DECK_CARDS, SEATS_MAX, check_game
from homegame_engine.reasons import Reason
from homegame_engine.spec_checks import check_header, check_range
from homegame_engine.spec_reader import Source, found, read_spec
from homegame_engine.specs import (
    BettingSpec,
    BlockSpec,
    ClockSpec,
    CutoffSpec,
    FormatSpec,
    GameSpec,
    HouseSpec,
    PlayersSpec,
    ScoringSpec,
    StakesSpec,
    StartSpec,
    Structure,
    TableSpec,
)
from homegame_engine.stakes import default_stakes, stud_defaults, table_level

__all__ = [
    "CUTOFF_MINUTES_MAX",
    "SEATS_MAX",
    "format_by",
    "formats",
    "game",
    "game_by",
    "games",
    "house",
    "houses",
    "load_called_game",
    "load_format",
    "load_game",
    "load_house",
    "table_format",
    "tables",
]

_Spec = TypeVar("_Spec", GameSpec, HouseSpec, FormatSpec, TableSpec)

_NOT_INHERITED: Final = ("id", "aliases", "base")  # What names a file is its own, never its base's.


# --- What comes with the program --------------------------------------------------------------------------------------


@cache
def games() -> Mapping[str, GameSpec]:
    """Every packaged game by id."""
    return MappingProxyType({spec.id: spec for spec in _packaged("games", load_game)})


@cache
def houses() -> Mapping[str, HouseSpec]:
    """Every packaged house by id."""
    return MappingProxyType({spec.id: spec for spec in _packaged("houses", load_house)})


@cache
def formats() -> Mapping[str, FormatSpec]:
    """Every packaged format by id."""
    return MappingProxyType({spec.id: spec for spec in _packaged("formats", load_format)})


@cache
def tables() -> Mapping[str, TableSpec]:
    """What a table of each house plays where its opening names nothing else, by the house's id."""
    return MappingProxyType({spec.house: spec for spec in _packaged("tables", _load_table)})


def game(game_id: str) -> GameSpec:
    """Return the game of this id. Raises NotFound."""
    if game_id not in games():
        raise NotFound("game", game_id)
    return games()[game_id]


def house(house_id: str) -> HouseSpec:
    """Return the house of this id. Raises NotFound."""
    if house_id not in houses():
        raise NotFound("house", house_id)
    return houses()[house_id]


def game_by(name: str) -> GameSpec:
    """Return the game whose id, alias or name on the screen is `name`, in any case. Raises NotFound."""
    for spec in games().values():
        if name.upper() == spec.id or name.lower() in (*spec.aliases, spec.name.lower()):
            return spec
    raise NotFound("game", name)


def format_by(name: str) -> FormatSpec:
    """Return the format whose id or alias is `name`; `GAME-HOUSE` is a table of a game as the house plays it.

    Raises:
        NotFound: FORMAT_UNKNOWN (PTS-B2-01).
    """
    for spec in formats().values():
        if name == spec.id or name in spec.aliases:
            return spec
    game_id, _, house_id = name.partition("-")
    if game_id in games() and house_id in tables():
        return table_format(game_id, house_id)
    raise NotFound("format", name, Reason.FORMAT_UNKNOWN)


def _packaged(folder: str, load: Callable[[str, str], _Spec]) -> list[_Spec]:
    return [load(text, source) for source, text in _packaged_texts(folder).items()]


@cache
def _packaged_texts(folder: str) -> Mapping[str, str]:
    """File name to content, sorted by name."""
    files = resources.files("homegame_engine").joinpath(folder).iterdir()
    return MappingProxyType(
        {
            entry.name: entry.read_text(encoding="utf-8")
            for entry in sorted(files, key=lambda entry: entry.name)
            if entry.name.endswith(".toml")
        }
    )


# --- A table of any game --------------------------------------------------------------------------------------------------


def table_format(  # noqa: PLR0913 - what the opening of a table may name, each by its name
    game_id: str | GameSpec,
    house_id: str | HouseSpec,
    *,
    structure: Structure | None = None,
    small_blind: int | None = None,
    big_blind: int | None = None,
    ante: int | None = None,
    bring_in: int | None = None,
    small_bet: int | None = None,
    big_bet: int | None = None,
    stake: int | None = None,
    start_chips: int | None = None,
    players_min: int = 2,
    players_max: int | None = None,
    cutoff_minutes: int | None = None,
    decision_seconds: int | None = None,
) -> FormatSpec:
    """Build the format of a table that plays one game until its cutoff.

    What is left out is as the house plays games that open like this one (`tables/*.toml`).

    Args:
        game_id: Id of a packaged game, or a game.
        house_id: Id of a packaged house, or a house that has the id of one.
        structure: Betting structure.
        small_blind: Chips, as every size that follows; 0 for none.
        big_blind: The other blind follows where only one is named.
        ante: Of each seat.
        bring_in: In games that know one; 0 lets the best exposed hand open.
        small_bet: Limit: of the early streets. Else the least opening where no blind gives one.
        big_bet: Limit: of the late streets.
        stake: Spread limit: the table stake.
        start_chips: Stack of everybody.
        players_min: At least 2.
        players_max: At most what game, house and deck allow, which is also the default.
        cutoff_minutes: From the opening to the moment after which no hand starts.
        decision_seconds: Window of a decision.

    Raises:
        NotFound: no such game or house.
        SpecError: CONFIG_INVALID or TOO_MANY_PLAYERS, as for a format's file.

    Rules: BET-SP-01, CARD-08, GAME-ST-02, GAME-ST-03, GEN-05.
    """
    played = game(game_id) if isinstance(game_id, str) else game_id
    at = house(house_id) if isinstance(house_id, str) else house_id
    if at.id not in tables():
        raise NotFound("house", at.id)
    named = StakesSpec(
        structure=structure,
        small_blind=small_blind,
        big_blind=big_blind,
        ante=ante,
        bring_in=bring_in,
        small_bet=small_bet,
        big_bet=big_bet,
        stake=stake,
    )
    table = tables()[at.id]
    habits = default_stakes(table, played)
    source = _format_source("", f"{played.id}-{at.id}")
    spec = FormatSpec(
        id=f"{played.id}-{at.id}",
        version=1,
        name=f"{played.name}, {at.name}",
        summary=played.summary,
        rules=played.rules,
        house=at.id,
        players=PlayersSpec(min=players_min, max=players_max or most_players(played, at)),
        start=StartSpec(chips=start_chips or table.start_chips),
        betting=BettingSpec(structure=structure or habits.structure or at.betting),
        levels=(table_level(played, at, habits, named, source),),
        cutoff=CutoffSpec(minutes=cutoff_minutes or table.cutoff_minutes),
        blocks=(BlockSpec(game=played.id, until="CUTOFF"),),
        scoring=ScoringSpec(by="STACK", ties="SHARE"),
        clock=ClockSpec(decision_seconds=decision_seconds or table.decision_seconds),
    )
    check_format(spec, source, {played.id: played}, {at.id: at})
    return spec


# --- One file ---------------------------------------------------------------------------------------------------------


def load_game(text: str, source: str) -> GameSpec:
    """Read a game.

    Args:
        text: The file's content, TOML.
        source: Its name, for people.

    Raises:
        SpecError: the first fault, with file, line, field and what was expected; GAME_NOT_DESCRIBABLE, BAD_DECK or
            TOO_MANY_PLAYERS.

    Rules: GAME-DC-04, CARD-01, CARD-03, CARD-08.
    """
    file = Source(source, text, Reason.GAME_NOT_DESCRIBABLE, "GAME-DC-04")
    spec = read_spec(file.parse(), GameSpec, file)
    check_game(spec, file)
    return spec


def load_called_game(text: str, source: str) -> GameSpec:
    """Read a game that a dealer may call: one of the library, or a new one that explains itself.

    Raises:
        SpecError: as `load_game`; EXPLANATION_MISSING, or an id that the library has for another game.

    Rules: GAME-DC-01, GAME-DC-03, GAME-DC-04.
    """
    spec = load_game(text, source)
    file = Source(source, text, Reason.GAME_NOT_DESCRIBABLE, "GAME-DC-03")
    if spec == games().get(spec.id):
        return spec
    if spec.id in games():
        raise file.fault("id", f"the library has another game of the id {spec.id}")
    if not spec.explanation.strip():
        problem = "expected the words in which the dealer explains a game outside the library"
        raise file.fault("explanation", problem, reason=Reason.EXPLANATION_MISSING)
    return spec


def load_house(text: str, source: str) -> HouseSpec:
    """Read a house. Raises SpecError for the first fault with CONFIG_INVALID, as `load_game` does."""
    file = Source(source, text, Reason.CONFIG_INVALID, "GEN-05")
    spec = read_spec(file.parse(), HouseSpec, file)
    check_header(spec.id, spec.version, (), file)
    check_range(spec.unit_chips, 1, CHIPS_MAX, "unit_chips", file, "POT-ODD-02")
    for field, cap in (("raise_cap", spec.raise_cap), ("limit_raise_cap", spec.limit_raise_cap)):
        if cap < -1:
            raise file.fault(field, f"expected a number of raises, or -1 for no cap, found {cap}", "BET-FL-03")
    for index, count in enumerate(spec.burns):
        check_range(count, 0, DECK_CARDS, f"burns[{index}]", file, "CARD-07")
    return spec


def load_format(text: str, source: str) -> FormatSpec:
    """Read a format.

    A file that names a `base` starts from the keys of that packaged format and replaces whole top-level keys.

    Args:
        text: The file's content, TOML.
        source: Its name, for people.

    Raises:
        SpecError: the first fault, with file, line, field and what was expected; CONFIG_INVALID or TOO_MANY_PLAYERS.

    Rules: GEN-05, GAME-ST-03 and those of `format_checks.check_format`.
    """
    file = _format_source(text, source)
    data = _with_base(file, ())
    spec = _with_stud_sizes(read_spec(data, FormatSpec, file), data, file)
    check_format(spec, file, games(), houses())
    return spec


def _load_table(text: str, source: str) -> TableSpec:
    file = _format_source(text, source)
    return read_spec(file.parse(), TableSpec, file)


def _with_stud_sizes(spec: FormatSpec, data: Mapping[str, object], file: Source) -> FormatSpec:
    """GAME-ST-03: in limit stud, ante and bring-in follow from the small bet at levels that name neither."""
    is_stud = any(block.game in games() and games()[block.game].forced == "BRING_IN" for block in spec.blocks)
    written = data["levels"]
    if not is_stud or spec.betting.structure not in ("LIMIT", "FIXED_LIMIT") or not isinstance(written, list):
        return spec
    levels = list(spec.levels)
    for index, level in enumerate(spec.levels):
        if level.small_bet > 0 and spec.house in houses() and not {"ante", "bring_in"} <= written[index].keys():
            unit_chips = houses()[spec.house].unit_chips
            ante_chips, bring_in_chips = stud_defaults(level.small_bet, unit_chips, file, f"levels[{index}].small_bet")
            levels[index] = msgspec.structs.replace(
                level,
                ante=level.ante if "ante" in written[index] else ante_chips,
                bring_in=level.bring_in if "bring_in" in written[index] else bring_in_chips,
            )
    return msgspec.structs.replace(spec, levels=tuple(levels))


def _format_source(text: str, source: str) -> Source:
    return Source(source, text, Reason.CONFIG_INVALID, "GEN-05")


def _with_base(file: Source, seen: tuple[str, ...]) -> dict[str, object]:
    """The file's keys over those of its base; `seen` are the files that led here."""
    data = file.parse()
    base = data.get("base")
    if base is None:
        return data
    packaged = [_format_source(text, name) for name, text in _packaged_texts("formats").items()]
    by_id = {other.parse().get("id"): other for other in packaged}
    if not isinstance(base, str) or base not in by_id:
        raise file.fault("base", f"expected one of {', '.join(str(known) for known in by_id)}, found {found(base)}")
    if by_id[base].name in (*seen, file.name):
        raise file.fault("base", f"{base} is based on this file itself")
    inherited = _with_base(by_id[base], (*seen, file.name))
    return {key: value for key, value in inherited.items() if key not in _NOT_INHERITED} | data
