"""What is simulated: a study names format, players, policy, seed and length, and plays any range of its rotation blocks.

It knows no worker and no report. Two studies that are equal give the same numbers, block by block.
"""

import hashlib
from typing import Final

import msgspec

from homegame_engine import catalog
from homegame_engine.errors import InputError
from homegame_engine.format_checks import most_players
from homegame_engine.session import NO_CUTOFF
from homegame_engine.specs import FormatSpec, GameSpec, HouseSpec, stored_form
from homegame_sim.measures import Totals, count_rows
from homegame_sim.policies import policy_code
from homegame_sim.run import HANDS_MAX, run_blocks

HAND_SECONDS_DEFAULT: Final = 120
MS_PER_SECOND: Final = 1000
MS_PER_MINUTE: Final = 60_000
SEED_END: Final = 1 << 64
SESSIONS_MAX: Final = 1 << 40


class GameFile(msgspec.Struct, frozen=True):
    """A designer's game: name and text of its file, and the id of the house that plays it."""

    name: str
    text: str
    house_id: str


class FormatFile(msgspec.Struct, frozen=True):
    """A designer's format: name and text of its file."""

    name: str
    text: str


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the numbers of a simulation depend on.

    Attributes:
        format_id: A packaged format or that of `format_file`, or GAME-HOUSE for a table of a game.
        policy: What every player plays; a name in `policies.POLICIES`.
        seed: From 0 to 2^64 - 1.
        n_players: Players of a session and sessions of a rotation block.
        n_blocks: Rotation blocks.
        hands: Hands of a session, or None where the clock decides.
        minutes: Cutoff on the simulated clock, or None where the number of hands decides.
        hand_seconds: Simulated length of every hand.
        game_file: Where the game of GAME-HOUSE is not packaged.
        format_file: Where the format is not.
    """

    format_id: str
    policy: str
    seed: int
    n_players: int
    n_blocks: int
    hands: int | None = None
    minutes: int | None = None
    hand_seconds: int = HAND_SECONDS_DEFAULT
    game_file: GameFile | None = None
    format_file: FormatFile | None = None

    @property
    def n_sessions(self) -> int:
        """Sessions in all, whole rotation blocks."""
        return self.n_blocks * self.n_players

    @property
    def hand_ms(self) -> int:
        """Simulated length of a hand, ms."""
        return self.hand_seconds * MS_PER_SECOND

    @property
    def cutoff_at_ms(self) -> int:
        """Moment from which the engine deals no hand; the simulated clock starts at 0 (PTS-016)."""
        return NO_CUTOFF if self.minutes is None else self.minutes * MS_PER_MINUTE

    @property
    def hands_max(self) -> int:
        """A bound on the hands of a session; by the clock one more than fit, since it is the engine that stops."""
        if self.hands is not None:
            return self.hands
        return self.cutoff_at_ms // self.hand_ms + 1


def plan_study(  # noqa: PLR0913 - everything that a person may ask for, each by its name
    format_name: str | None,
    *,
    policy: str,
    seed: int,
    n_players: int,
    n_sessions: int,
    hands: int | None = None,
    minutes: int | None = None,
    hand_seconds: int = HAND_SECONDS_DEFAULT,
    game_file: GameFile | None = None,
    format_file: FormatFile | None = None,
) -> Study:
    """Check what a person asked for and round the sessions up to whole rotation blocks.

    Args:
        format_name: Id or alias of a packaged format, or GAME-HOUSE; None with a file.
        policy: Name of a policy.
        seed: From 0 to 2^64 - 1.
        n_players: Players of a session.
        n_sessions: At least so many sessions are played.
        hands: Hands of a session. Without `hands` and `minutes` the format's own cutoff counts.
        minutes: Cutoff, minutes after the start.
        hand_seconds: Simulated length of a hand, where the clock decides.
        game_file: Plays a table of a designer's game instead of a packaged format.
        format_file: Plays a designer's format instead.

    Raises:
        NotFound: FORMAT_UNKNOWN, or no such house.
        SpecError: what is wrong in the file.
        InputError: anything else that cannot be simulated, with what would be right.
    """
    spec = _format_of(format_name, game_file, format_file)
    policy_code(policy)
    if not spec.players.min <= n_players <= spec.players.max:
        expected = f"{spec.players.min} to {spec.players.max} players"
        raise InputError(f"format {spec.id} is for {expected}, not {n_players}", field="players")
    if not 1 <= n_sessions <= SESSIONS_MAX:
        raise InputError(f"expected 1 or more sessions, got {n_sessions}", field="sessions")
    if not 0 <= seed < SEED_END:
        raise InputError("a seed is a whole number from 0 to 2^64 - 1", field="seed")
    if hands is not None and minutes is not None:
        raise InputError("a session ends by --hands or by --minutes, not by both", field="hands")
    if hands is None and minutes is None:
        minutes = spec.cutoff.minutes
    for field, value, most in (
        ("hands", hands, HANDS_MAX),
        ("minutes", minutes, catalog.CUTOFF_MINUTES_MAX),
        ("hand-seconds", hand_seconds, catalog.CUTOFF_MINUTES_MAX * 60),
    ):
        if value is not None and not 1 <= value <= most:
            raise InputError(f"expected 1 to {most}, got {value}", field=field)
    return Study(
        format_id=spec.id,
        policy=policy,
        seed=seed,
        n_players=n_players,
        n_blocks=-(-n_sessions // n_players),
        hands=hands,
        minutes=minutes,
        hand_seconds=hand_seconds,
        game_file=game_file,
        format_file=format_file,
    )


def _format_of(format_name: str | None, game_file: GameFile | None, format_file: FormatFile | None) -> FormatSpec:
    if game_file is not None:
        return catalog.table_format(catalog.load_game(game_file.text, game_file.name), game_file.house_id)
    if format_file is not None:
        return catalog.load_format(format_file.text, format_file.name)
    return catalog.format_by(format_name or "")


def study_specs(study: Study) -> tuple[FormatSpec, tuple[GameSpec, ...], HouseSpec]:
    """Return the study's format, what is played, and its house.

    One game is played, that of the format's first block. Where dealers call (GAME-DC-01), they call the packaged games that so
    many can play, one after the other.
    """
    spec = _format_of(study.format_id, study.game_file, study.format_file)
    house = catalog.house(spec.house)
    if study.game_file is not None:
        return spec, (catalog.load_game(study.game_file.text, study.game_file.name),), house
    if spec.procedures.dealer_calls is None:
        return spec, (catalog.game(spec.blocks[0].game),), house
    n_players = study.n_players
    called = [
        game
        for game in catalog.games().values()
        if game.players.min <= n_players <= min(game.players.max, most_players(game, house))
    ]
    return spec, tuple(called), house


def rules_digest(study: Study) -> str:
    """SHA-256, in hex, of what the study plays by: format, game and house as read, keys sorted."""
    spec, games, house = study_specs(study)
    return hashlib.sha256(msgspec.json.encode(stored_form((spec, *games, house)), order="sorted")).hexdigest()


def play_chunk(study: Study, first_block: int, n_blocks: int) -> Totals:
    """Play a range of the study's blocks and add them up. Raises InvariantError for a bug of ours."""
    spec, games, house = study_specs(study)
    rows = run_blocks(
        spec,
        games,
        house,
        policy=study.policy,
        seed=study.seed,
        n_players=study.n_players,
        first_block=first_block,
        n_blocks=n_blocks,
        hands_max=study.hands_max,
        cutoff_at_ms=study.cutoff_at_ms,
        hand_ms=study.hand_ms,
    )
    return count_rows(rows)
