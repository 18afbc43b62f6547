"""The report for people: plain text, the same bytes for the same study."""

import textwrap
from fractions import Fraction
from typing import Final

from homegame_sim.intervals import fixed_digits
from homegame_sim.report.document import Estimate, ReportDocument, SessionsPart

TEXT_WIDTH: Final = 100
HISTOGRAM_LINES_MAX: Final = 12
NOTHING: Final = "-"


def text_bytes(document: ReportDocument) -> bytes:
    """Head, a table of the start roles, figures of the sessions, and a paragraph of words."""
    lines = [
        *_head(document),
        "",
        *_role_table(document),
        "",
        *_session_lines(document),
        "",
        _paragraph(document.words),
    ]
    return ("\n".join(lines) + "\n").encode()


def _head(document: ReportDocument) -> list[str]:
    played, study = document.format, document.study
    if study.hands is not None:
        length = f"{study.hands} hands a session"
    else:
        length = f"{study.minutes} minutes a session, {study.hand_seconds} seconds a hand"
    rules = f"rules {played.rules_sha256[:16]}, engine rules {played.engine_rules_version}"
    size = f"{study.players} players, {study.sessions} sessions in {study.blocks} rotation blocks"
    return [
        f"{played.name}: {played.id} version {played.version}, {rules}",
        f"policy {study.policy}, seed {study.seed}, {size}, {length}",
    ]


def _role_table(document: ReportDocument) -> list[str]:
    """One line a role: mean, half-width for this number of blocks, half-width that holds while one watches."""
    header = ("role", "win share %", "+-", "+- watched", "net points", "+-", "+- watched")
    rows = [header]
    for role in document.roles:
        name = f"{role.role} button" if role.role == 0 else str(role.role)
        rows.append((name, *_as_percent(role.win_share), *_as_points(role.net_points)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _as_percent(estimate: Estimate) -> tuple[str, str, str]:
    """Shares with six places as per cent with four: the point moves, no digit is lost."""
    return (
        fixed_digits(Fraction(estimate.mean) * 100, 4),
        NOTHING if estimate.half_width is None else fixed_digits(Fraction(estimate.half_width) * 100, 4),
        NOTHING
        if estimate.sequence_half_width is None
        else fixed_digits(Fraction(estimate.sequence_half_width) * 100, 4),
    )


def _as_points(estimate: Estimate) -> tuple[str, str, str]:
    return estimate.mean, estimate.half_width or NOTHING, estimate.sequence_half_width or NOTHING


def _session_lines(document: ReportDocument) -> list[str]:
    hands = document.hands
    lines = [f"hands a session: {hands.mean} on average"]
    if len(hands.sessions_by_hands) <= HISTOGRAM_LINES_MAX:
        counts = [f"{n_sessions} with {n_hands}" for n_hands, n_sessions in hands.sessions_by_hands]
    else:
        least, most = hands.sessions_by_hands[0][0], hands.sessions_by_hands[-1][0]
        counts = [f"{least} to {most}"]
    lines.append(f"sessions by hands: {', '.join(counts)}")
    for what, part in (
        ("ended inside an orbit", document.incomplete_orbits),
        ("ended with one player holding everything", document.sole_owners),
        ("won by several together", document.shared_wins),
    ):
        lines.append(f"{what}: {_sessions(part)}")
    return lines


def _sessions(part: SessionsPart) -> str:
    return f"{part.sessions} sessions, {fixed_digits(Fraction(part.share) * 100, 4)} %"


def _paragraph(words: str) -> str:
    return textwrap.fill(words, TEXT_WIDTH, break_long_words=False, break_on_hyphens=False)
