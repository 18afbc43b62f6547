"""The games, houses and formats that come with the program, and a designer's own, read and found sound.

The one place of the engine that touches files: it reads the packaged ones, once. A designer's file is handed in as
text. What comes out can be played: whatever the core would refuse when a hand starts is refused here, with its place.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, TypeVar

from homegame_engine.errors import NotFound
from homegame_engine.reasons import Reason
from homegame_engine.rules import RULES
from homegame_engine.spec_reader import fault, found, read_spec
from homegame_engine.specs import BettingStreet, Burn, DealBoard, DealDown, FormatSpec, GameSpec, HouseSpec

DECK_CARDS: Final = 52
SEATS_MAX: Final = 10
STEPS_MAX: Final = 31
STREETS_MAX: Final = 8
BOARD_CARDS_MAX: Final = 10
RANKED_CARDS: Final = (5, 7)  # Private and common cards of one hand, together, that the evaluator ranks.
LEVELS_MAX: Final = 16
CHIPS_MAX: Final = 1 << 40  # Of a stack or a blind; sums of a table stay far inside 64 bits.
CUTOFF_MINUTES_MAX: Final = 24 * 60
DECISION_SECONDS_MAX: Final = 60 * 60
TIME_BANK_TOKENS_MAX: Final = 100

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
        InputError: the first fault, with file, field and what was expected.

    Rules: CARD-08.
    """
    spec = read_spec(_parse(text, source), GameSpec, source)
    _check_header(spec.id, spec.version, spec.rules, source)
    _check_players(spec.players.min, spec.players.max, SEATS_MAX, "CARD-08", source)
    _check_steps(spec, source)
    _check_ranking(spec, source)
    needed = spec.players.max * spec.hole_card_count + spec.board_card_count + _n_burns(spec)
    if needed > DECK_CARDS:
        raise fault(source, "players.max", f"the deal would need {needed} cards of a deck of {DECK_CARDS} (CARD-08)")
    return spec


def load_house(text: str, source: str) -> HouseSpec:
    """Read a house. Raises InputError for the first fault, as `load_game` does."""
    spec = read_spec(_parse(text, source), HouseSpec, source)
    _check_header(spec.id, spec.version, (), source)
    _check_range(spec.unit_chips, 1, CHIPS_MAX, "unit_chips", "POT-ODD-02", source)
    for field, cap in (("raise_cap", spec.raise_cap), ("limit_raise_cap", spec.limit_raise_cap)):
        if cap < -1:
            raise fault(source, field, f"expected a number of raises, or -1 for no cap, found {cap} (BET-FL-03)")
    for index, count in enumerate(spec.burns):
        _check_range(count, 0, DECK_CARDS, f"burns[{index}]", "CARD-07", source)
    return spec


def load_format(text: str, source: str) -> FormatSpec:
    """Read a format.

    A file that names a `base` starts from the keys of that packaged format and replaces whole top-level keys.

    Args:
        text: The file's content, TOML.
        source: Its name, for people.

    Raises:
        InputError: the first fault, with file, field and what was expected.

    Rules: CARD-07, CARD-08, PTS-002, PTS-003, PTS-006, PTS-B3-01, PROC-CLK-01.
    """
    spec = read_spec(_with_base(_parse(text, source), source, ()), FormatSpec, source)
    _check_header(spec.id, spec.version, spec.rules, source)
    if spec.house not in houses():
        raise fault(source, "house", f"expected one of {', '.join(houses())}, found {found(spec.house)}")
    _check_range(spec.start.chips, 1, CHIPS_MAX, "start.chips", "PTS-002", source)
    _check_range(spec.cutoff.minutes, 1, CUTOFF_MINUTES_MAX, "cutoff.minutes", "PTS-003", source)
    _check_range(spec.clock.cut_seconds, 1, DECISION_SECONDS_MAX, "clock.cut_seconds", "PROC-SHUF-02", source)
    _check_range(
        spec.clock.time_bank_seconds, 0, DECISION_SECONDS_MAX, "clock.time_bank_seconds", "PROC-CLK-02", source
    )
    _check_range(spec.clock.time_bank_tokens, 0, TIME_BANK_TOKENS_MAX, "clock.time_bank_tokens", "PROC-CLK-02", source)
    _check_range(spec.clock.decision_seconds, 1, DECISION_SECONDS_MAX, "clock.decision_seconds", "PROC-CLK-01", source)
    if spec.betting.structure == "SPREAD_LIMIT":
        raise fault(source, "betting.structure", "a format has no place for the range of spread limit (BET-SP-01)")
    _check_levels(spec, source)
    _check_blocks(spec, source)
    return spec


def _parse(text: str, source: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(source, "", f"this is no TOML: {error}") from None
    except (ValueError, RecursionError):  # Numbers of thousands of digits, lists in lists without end.
        raise fault(source, "", "a number is too long or a list too deep") from None


def _with_base(data: dict[str, object], source: str, seen: tuple[str, ...]) -> dict[str, object]:
    """The file's keys over those of its base; `seen` are the files that led here."""
    base = data.get("base")
    if base is None:
        return data
    by_id = {_parse(text, name).get("id"): name for name, text in _packaged_texts("formats").items()}
    if not isinstance(base, str) or base not in by_id:
        raise fault(source, "base", f"expected one of {', '.join(str(known) for known in by_id)}, found {found(base)}")
    base_source = by_id[base]
    if base_source in seen or base_source == source:
        raise fault(source, "base", f"{base} is based on this file itself")
    inherited = _with_base(_parse(_packaged_texts("formats")[base_source], base_source), base_source, (*seen, source))
    return {key: value for key, value in inherited.items() if key not in _NOT_INHERITED} | data


# --- What the values must mean ----------------------------------------------------------------------------------------


def _check_range(value: int, least: int, greatest: int, path: str, rule_id: str, source: str) -> None:
    if not least <= value <= greatest:
        raise fault(source, path, f"expected {least} to {greatest}, found {value} ({rule_id})")


def _check_header(spec_id: str, version: int, rules: tuple[str, ...], source: str) -> None:
    if not spec_id or not spec_id.replace("_", "").replace("-", "").isalnum():
        raise fault(source, "id", f"expected letters, digits, - and _, found {spec_id!r}")
    if version < 1:
        raise fault(source, "version", f"expected 1 or more, found {version}")
    for index, rule_id in enumerate(rules):
        if rule_id not in RULES:
            raise fault(source, f"rules[{index}]", f"the rulebook has no rule {rule_id!r}")


def _check_players(least: int, most: int, limit: int, rule_id: str, source: str) -> None:
    _check_range(least, 2, limit, "players.min", rule_id, source)
    _check_range(most, least, limit, "players.max", rule_id, source)


def _n_burns(spec: GameSpec) -> int:
    return sum(isinstance(step, Burn) for step in spec.steps)


def _check_steps(spec: GameSpec, source: str) -> None:
    """The order of steps that a deal can walk: private cards, then streets of burn, board and betting."""
    if len(spec.steps) > STEPS_MAX:
        raise fault(source, "steps", f"expected at most {STEPS_MAX} steps, found {len(spec.steps)}")
    n_bets = 0
    for index, step in enumerate(spec.steps):
        path = f"steps[{index}]"
        if isinstance(step, DealDown | DealBoard):
            _check_range(step.count, 1, DECK_CARDS, f"{path}.count", "CARD-08", source)
        if isinstance(step, DealDown) and n_bets:
            raise fault(source, path, "private cards come before the first betting round")
        if isinstance(step, BettingStreet):
            n_bets += 1
            if spec.hole_card_count == 0:
                raise fault(source, path, "nobody has a card to bet on: expected a DEAL_DOWN step before it")
    if not 1 <= n_bets <= STREETS_MAX:
        raise fault(source, "steps", f"expected 1 to {STREETS_MAX} betting rounds, found {n_bets}")
    if spec.board_card_count > BOARD_CARDS_MAX:
        raise fault(source, "steps", f"expected at most {BOARD_CARDS_MAX} common cards, found {spec.board_card_count}")
    _check_burns(spec, source)


def _check_burns(spec: GameSpec, source: str) -> None:
    """A house says how many cards each board street burns, so a game has one burn a street, right before the cards."""
    may_burn = False
    for index, step in enumerate(spec.steps):
        if isinstance(step, BettingStreet):
            may_burn = True
        if isinstance(step, Burn):
            follows = spec.steps[index + 1] if index + 1 < len(spec.steps) else None
            if not may_burn or not isinstance(follows, DealBoard):
                problem = "expected one burn after a betting round, right before the common cards (CARD-07)"
                raise fault(source, f"steps[{index}]", problem)
            may_burn = False


def _check_ranking(spec: GameSpec, source: str) -> None:
    private = spec.hole_card_count
    least, most = RANKED_CARDS
    if not least <= private + spec.board_card_count <= most:
        raise fault(
            source,
            "steps",
            f"expected {least} to {most} private and common cards together, found {private + spec.board_card_count}",
        )
    # The only way of choosing that is built: any five of all.
    if spec.showdown.hole_cards_min != 0:
        raise fault(source, "showdown.hole_cards_min", f"expected 0, found {spec.showdown.hole_cards_min} (GAME-HE-03)")
    if spec.showdown.hole_cards_max != private:
        raise fault(
            source,
            "showdown.hole_cards_max",
            f"expected all {private} private cards, found {spec.showdown.hole_cards_max} (GAME-HE-03)",
        )


def _check_levels(spec: FormatSpec, source: str) -> None:
    unit_chips = houses()[spec.house].unit_chips
    if not 1 <= len(spec.levels) <= LEVELS_MAX:
        raise fault(source, "levels", f"expected 1 to {LEVELS_MAX} levels, found {len(spec.levels)} (PTS-B3-01)")
    before = 0
    for index, level in enumerate(spec.levels):
        path = f"levels[{index}]"
        if index == 0 and level.from_hand != 1:
            raise fault(
                source, f"{path}.from_hand", f"the first level starts at hand 1, found {level.from_hand} (PTS-B3-02)"
            )
        if level.from_hand <= before:
            raise fault(
                source, f"{path}.from_hand", f"expected more than {before}, found {level.from_hand} (PTS-B3-01)"
            )
        before = level.from_hand
        _check_range(level.big_blind, 1, CHIPS_MAX, f"{path}.big_blind", "PTS-004", source)
        _check_range(level.small_blind, 1, level.big_blind, f"{path}.small_blind", "PTS-004", source)
        for key, chips in (("small_blind", level.small_blind), ("big_blind", level.big_blind)):
            if chips % unit_chips:
                raise fault(source, f"{path}.{key}", f"expected a multiple of {unit_chips}, found {chips} (POT-ODD-02)")


def _check_blocks(spec: FormatSpec, source: str) -> None:
    if not spec.blocks:
        raise fault(source, "blocks", "expected at least one block")
    burns = houses()[spec.house].burns
    for index, block in enumerate(spec.blocks):
        path = f"blocks[{index}].game"
        if block.game not in games():
            raise fault(source, path, f"expected one of {', '.join(games())}, found {found(block.game)}")
        played = games()[block.game]
        _check_players(spec.players.min, spec.players.max, played.players.max, "PTS-006", source)
        if _n_burns(played) != len(burns):
            raise fault(
                source, path, f"house {spec.house} burns {len(burns)} times, the game {_n_burns(played)} (CARD-07)"
            )
        needed = spec.players.max * played.hole_card_count + played.board_card_count + sum(burns)
        if needed > DECK_CARDS:
            raise fault(source, "players.max", f"{block.game} would need {needed} cards of {DECK_CARDS} (CARD-08)")
