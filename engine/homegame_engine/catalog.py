"""The games, houses and formats that come with the program, and a designer's own, read and found sound.

The one place of the engine that touches files: it reads the packaged ones, once. A designer's file is handed in as
text. What comes out can be played: whatever the core would refuse when a hand starts is refused here, with its place.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, TypeVar

from homegame_engine.errors import NotFound
from homegame_engine.format_checks import CHIPS_MAX, CUTOFF_MINUTES_MAX, check_format
from homegame_engine.game_checks import DECK_CARDS, SEATS_MAX, check_game
from homegame_engine.reasons import Reason
from homegame_engine.spec_checks import check_header, check_range
from homegame_engine.spec_reader import Source, found, read_spec
from homegame_engine.specs import FormatSpec, GameSpec, HouseSpec

__all__ = [
    "CUTOFF_MINUTES_MAX",
    "SEATS_MAX",
    "format_by",
    "formats",
    "game",
    "games",
    "house",
    "houses",
    "load_format",
    "load_game",
    "load_house",
]

_Spec = TypeVar("_Spec", GameSpec, HouseSpec, FormatSpec)

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


def format_by(name: str) -> FormatSpec:
    """Return the format whose id or alias is `name`. Raises NotFound with FORMAT_UNKNOWN (PTS-B2-01)."""
    for spec in formats().values():
        if name == spec.id or name in spec.aliases:
            return spec
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

    Rules: GEN-05 and those of `format_checks.check_format`.
    """
    file = _format_source(text, source)
    spec = read_spec(_with_base(file, ()), FormatSpec, file)
    check_format(spec, file, games(), houses())
    return spec


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
