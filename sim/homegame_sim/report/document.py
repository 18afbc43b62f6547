"""The report as values, before it becomes text or JSON. It knows no worker and no duration, so equal studies give equal bytes.

Numbers that are not whole stand as decimal strings with a fixed number of places, computed from exact sums.
"""

from fractions import Fraction
from typing import Final

import msgspec

from homegame_engine.night.night import RULES_VERSION
from homegame_engine.specs import LevelSpec
from homegame_sim.intervals import (
    ALPHA,
    SEQUENCE_BLOCKS_MIN,
    fixed_digits,
    fixed_half_width,
    normal_quantile,
    role_alpha,
    sequence_half_width,
    width_digits,
)
from homegame_sim.measures import BlockMean, Totals, hands_per_session, net_points, session_share, win_share
from homegame_sim.study import Study, rules_digest, study_specs

REPORT_SCHEMA: Final = "homegame.sim.report/1"
SHARE_DIGITS: Final = 6
POINTS_DIGITS: Final = 4
WIN_SHARE_THRESHOLD: Final = Fraction(1, 100)


class FormatPart(msgspec.Struct, frozen=True):
    """Which rules were played: the format, and a digest of it with its game and house."""

    id: str
    version: int
    name: str
    rules_sha256: str
    engine_rules_version: str


class StudyPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was simulated; durations are simulated ones. Files name what is not packaged, the house that of a game."""

    policy: str
    seed: int
    players: int
    sessions: int
    blocks: int
    hands: int | None
    minutes: int | None
    hand_seconds: int
    game_file: str | None = None
    house: str | None = None
    format_file: str | None = None


class MethodPart(msgspec.Struct, frozen=True):
    """How the intervals are made. Each measure's intervals hold for all roles together, but for `alpha` of the runs."""

    sampling_unit: str
    alpha: str
    roles_together: int
    normal_quantile: str
    sequence_blocks_min: int


class ThresholdsPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """What most tables would call noticeable: a hundredth of the wins, and the first level's big blind a session.

    Without blinds `size` says which of the level's sizes stands in for them.
    """

    win_share: str
    net_points: str
    size: str = "big blind"


class Estimate(msgspec.Struct, frozen=True):
    """A mean over blocks; half-widths are null where there are too few blocks."""

    mean: str
    half_width: str | None
    sequence_half_width: str | None


class RolePart(msgspec.Struct, frozen=True):
    """How a start role fared: role 0 has the first button, role 1 sits at its left."""

    role: int
    win_share: Estimate
    net_points: Estimate


class HandsPart(msgspec.Struct, frozen=True):
    """Hands of a session: mean, and number of sessions by number of hands."""

    mean: str
    sessions_by_hands: tuple[tuple[int, int], ...]


class SessionsPart(msgspec.Struct, frozen=True):
    """Some of the sessions: how many, and their share."""

    sessions: int
    share: str


class ReportDocument(msgspec.Struct, frozen=True):
    """Everything a report says. `totals` are the exact sums that the other figures follow from."""

    schema: str
    format: FormatPart
    study: StudyPart
    method: MethodPart
    thresholds: ThresholdsPart
    roles: tuple[RolePart, ...]
    hands: HandsPart
    incomplete_orbits: SessionsPart
    sole_owners: SessionsPart
    shared_wins: SessionsPart
    totals: Totals
    words: str


def build_document(study: Study, totals: Totals) -> ReportDocument:
    """Measure the totals of a whole study."""
    spec, _, _ = study_specs(study)
    size, size_chips = _noticeable_size(spec.levels[0])
    roles = tuple(_role_part(study, totals, role) for role in range(study.n_players))
    return ReportDocument(
        schema=REPORT_SCHEMA,
        format=FormatPart(spec.id, spec.version, spec.name, rules_digest(study), RULES_VERSION),
        study=StudyPart(
            policy=study.policy,
            seed=study.seed,
            players=study.n_players,
            sessions=totals.n_sessions,
            blocks=totals.n_blocks,
            hands=study.hands,
            minutes=study.minutes,
            hand_seconds=study.hand_seconds,
            game_file=None if study.game_file is None else study.game_file.name,
            house=None if study.game_file is None else study.game_file.house_id,
            format_file=None if study.format_file is None else study.format_file.name,
        ),
        method=MethodPart(
            sampling_unit="rotation block",
            alpha=fixed_digits(ALPHA, 2),
            roles_together=study.n_players,
            normal_quantile=str(normal_quantile(role_alpha(study.n_players))),
            sequence_blocks_min=SEQUENCE_BLOCKS_MIN,
        ),
        thresholds=ThresholdsPart(
            win_share=fixed_digits(WIN_SHARE_THRESHOLD, SHARE_DIGITS),
            net_points=fixed_digits(Fraction(size_chips), POINTS_DIGITS),
            size=size,
        ),
        roles=roles,
        hands=HandsPart(fixed_digits(hands_per_session(totals), POINTS_DIGITS), totals.sessions_by_hands),
        incomplete_orbits=_sessions_part(totals, totals.incomplete_orbits),
        sole_owners=_sessions_part(totals, totals.sole_owners),
        shared_wins=_sessions_part(totals, totals.ties),
        totals=totals,
        words=_words(study, totals),
    )


def _noticeable_size(level: LevelSpec) -> tuple[str, int]:
    """The chips that a player counts in at this level, by name: a bet of the least size."""
    sizes = (("big blind", level.big_blind), ("small bet", level.small_bet), ("stake", level.stake))
    return next(((name, chips) for name, chips in sizes if chips > 0), ("ante", level.ante))


def json_bytes(document: ReportDocument) -> bytes:
    """The report for programs: one JSON object with sorted keys, and a line feed."""
    return msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=2) + b"\n"


def _role_part(study: Study, totals: Totals, role: int) -> RolePart:
    return RolePart(
        role=role,
        win_share=_estimate(study, win_share(totals, role), SHARE_DIGITS),
        net_points=_estimate(study, net_points(totals, role), POINTS_DIGITS),
    )


def _estimate(study: Study, measured: BlockMean, digits: int) -> Estimate:
    alpha = role_alpha(study.n_players)
    fixed = fixed_half_width(measured, alpha)
    sequence = sequence_half_width(measured, alpha, study.n_blocks)
    return Estimate(
        mean=fixed_digits(measured.mean, digits),
        half_width=None if fixed is None else width_digits(fixed, digits),
        sequence_half_width=None if sequence is None else width_digits(sequence, digits),
    )


def _sessions_part(totals: Totals, n_sessions: int) -> SessionsPart:
    return SessionsPart(n_sessions, fixed_digits(session_share(totals, n_sessions), SHARE_DIGITS))


# --- The paragraph ----------------------------------------------------------------------------------------------------


def _words(study: Study, totals: Totals) -> str:
    """What the figures say, and how far that goes."""
    spec, games, _ = study_specs(study)
    length = f"{study.hands} hands each" if study.hands is not None else f"{study.minutes} minutes each"
    n = study.n_players
    played = (
        f"{totals.n_sessions:,} sessions of {spec.name} ({spec.id}) were played, {length}, by {n} players with one and the same "
        f"policy, {study.policy}."
    )
    if len(games) > 1:
        played += f" The dealers called {len(games)} games in turn: {'; '.join(game.name for game in games)}."
    if totals.carry_chips > 0:
        played += (
            f" In the middle, won by nobody, still lay {fixed_digits(Fraction(totals.carry_chips, totals.n_sessions), 2)} points "
            "a session at the end: so much less all together have than they began with."
        )
    if totals.n_blocks == 1:
        return f"{played} One rotation block says nothing about chance: ask for more sessions."
    wins = _roles_that_differ(study, totals, net=False)
    nets = _roles_that_differ(study, totals, net=True)
    if not wins and not nets:
        found = "No start role is seen to win more or less often than an equal share, nor to gain or lose points"
    else:
        found = "; ".join(
            part
            for part in (
                wins and f"of an equal share of the wins ({fixed_digits(Fraction(100, n), 2)} %), {_list(wins)}",
                nets and f"in points, {_list(nets)}",
            )
            if part
        )
        found = found[0].upper() + found[1:]
    return (
        f"{played} {found}. The intervals hold for all {n} roles of a measure together in 99 of 100 runs; what they leave "
        f"open may still be there. This holds for the policy {study.policy} and says nothing about other players."
    )


def _roles_that_differ(study: Study, totals: Totals, *, net: bool) -> list[str]:
    """Roles whose fixed interval leaves the equal value out, each with size and sign."""
    alpha = role_alpha(study.n_players)
    found = []
    for role in range(study.n_players):
        measured = net_points(totals, role) if net else win_share(totals, role)
        gain = measured.mean - (0 if net else Fraction(1, study.n_players))
        half_width = fixed_half_width(measured, alpha)
        if half_width is None or abs(gain) <= Fraction(half_width):
            continue
        size = f"{fixed_digits(abs(gain), 2)} points a session" if net else f"{fixed_digits(abs(gain) * 100, 2)} pp"
        found.append(f"role {role} has {size} {'more' if gain > 0 else 'less'}{' than it began with' if net else ''}")
    return found


def _list(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
