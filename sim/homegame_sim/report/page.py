"""The report as one HTML page that needs no network: words, pictures and tables of a document, and nothing that is not in it.

The same document gives the same bytes. The templates lie in `templates/`; they place and name, but compute nothing.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import jinja2

from homegame_sim.intervals import fixed_digits
from homegame_sim.report import pictures
from homegame_sim.report.document import Estimate, ReportDocument, SessionsPart
from homegame_sim.report.pictures import Bin, Forest, ForestEntry, minus_sign
from homegame_sim.report.verdicts import Verdict, verdict, verdict_words

PICTURE_DIGITS: Final = 2
TABLE_DIGITS: Final = 4
NOTHING: Final = "–"
VERDICT_CELLS: Final = {
    Verdict.INSIDE: "inside",
    Verdict.OUTSIDE: "outside",
    Verdict.OPEN: "not settled",
    Verdict.NO_INTERVAL: NOTHING,
}

NOT_TESTED: Final = (
    ("People", "they adapt, tire, talk and read one another; these policies do not."),
    ("Skill", "all players of a run are alike. How often the better player wins is another study."),
    ("Time", "every hand takes the same time. Slow players, breaks and pauses are left out."),
    ("Collusion and tells", "nobody helps anybody, and nobody shows anything."),
    ("The live deal", "simulated decks come from a seed. This page says nothing about the decks of a night."),
)

_TEMPLATES: Final = jinja2.Environment(
    loader=jinja2.PackageLoader("homegame_sim.report"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


class MeasureTable(NamedTuple):
    """A measure of the start roles: its picture, what the picture says, and its table."""

    id: str
    label: str
    equal_label: str
    band_label: str
    forest: Forest
    verdict: str
    description: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class SessionsRow(NamedTuple):
    """Some of the sessions: what they have in common, how many, and their share in per cent."""

    label: str
    sessions: int
    percent: str


def html_bytes(document: ReportDocument) -> bytes:
    """The report for people with a browser: one page, UTF-8."""
    bins = pictures.bin_sessions(document.hands.sessions_by_hands)
    n_sessions = document.study.sessions
    return (
        _TEMPLATES.get_template("page.html.jinja")
        .render(
            document=document,
            measures=(_win_share_table(document), _net_points_table(document)),
            pictures=pictures,
            histogram=pictures.draw_histogram(bins),
            hands_words=_hands_words(document, bins),
            hands_rows=tuple(
                SessionsRow(part.label, part.sessions, _percent(part.sessions, n_sessions)) for part in bins
            ),
            end_rows=_end_rows(document),
            incomplete=_row("inside an orbit", document.incomplete_orbits),
            complete=_row("with an orbit completed", _rest(document.incomplete_orbits, n_sessions)),
            length=_length(document),
            time_model=_time_model(document),
            command=_command(document),
            not_tested=NOT_TESTED,
        )
        .encode()
    )


# --- Start roles ------------------------------------------------------------------------------------------------------


def _win_share_table(document: ReportDocument) -> MeasureTable:
    equal = Fraction(100, document.study.players)
    threshold = Fraction(document.thresholds.win_share) * 100
    return _measure_table(
        [role.win_share for role in document.roles],
        measure_id="win-share",
        label="Win share, %",
        scale=100,
        limits=(0, 100),
        equal=equal,
        threshold=threshold,
        equal_label=f"equal share {fixed_digits(equal, PICTURE_DIGITS)} %",
        band_label=f"{fixed_digits(threshold, PICTURE_DIGITS)} percentage points",
    )


def _net_points_table(document: ReportDocument) -> MeasureTable:
    threshold = Fraction(document.thresholds.net_points)
    return _measure_table(
        [role.net_points for role in document.roles],
        measure_id="net-points",
        label="Net points a session",
        scale=1,
        limits=None,
        equal=Fraction(0),
        threshold=threshold,
        equal_label="neither gain nor loss",
        band_label=f"{fixed_digits(threshold, PICTURE_DIGITS)} points a session",
    )


def _measure_table(  # noqa: PLR0913 - what tells two measures apart
    estimates: Sequence[Estimate],
    *,
    measure_id: str,
    label: str,
    scale: int,
    limits: tuple[int, int] | None,
    equal: Fraction,
    threshold: Fraction,
    equal_label: str,
    band_label: str,
) -> MeasureTable:
    entries = [_forest_entry(role, part, scale, equal, threshold) for role, part in enumerate(estimates)]
    said = verdict_words([Verdict(entry.verdict) for entry in entries], band_label)
    listed = "; ".join(f"{entry.label}: {entry.value}" for entry in entries)
    return MeasureTable(
        id=measure_id,
        label=label,
        equal_label=equal_label,
        band_label=band_label,
        forest=pictures.draw_forest(entries, equal=equal, threshold=threshold, limits=limits),
        verdict=said,
        description=f"{label}. {listed}. {said}",
        columns=("mean", *(("above equal share, pp",) if equal else ()), "±", "± watched", "against the band"),
        rows=tuple(_table_row(entry, equal) for entry in entries),
    )


def _forest_entry(role: int, estimate: Estimate, scale: int, equal: Fraction, threshold: Fraction) -> ForestEntry:
    mean = Fraction(estimate.mean) * scale
    half_width = None if estimate.half_width is None else Fraction(estimate.half_width) * scale
    sequence = None if estimate.sequence_half_width is None else Fraction(estimate.sequence_half_width) * scale
    value = _number(mean, PICTURE_DIGITS) if equal else _signed(mean, PICTURE_DIGITS)
    if half_width is not None:
        value = f"{value} ± {_width(half_width, PICTURE_DIGITS)}"
    return ForestEntry(
        label=f"role {role}",
        value=value,
        mean=mean,
        half_width=half_width,
        sequence_half_width=sequence,
        verdict=verdict(mean - equal, half_width, threshold),
    )


def _table_row(entry: ForestEntry, equal: Fraction) -> tuple[str, ...]:
    """Name, mean, both half-widths, verdict; where the equal value is not 0, also what is above it."""
    gain = _signed(entry.mean - equal, TABLE_DIGITS)
    return (
        entry.label,
        *((_number(entry.mean, TABLE_DIGITS), gain) if equal else (gain,)),
        NOTHING if entry.half_width is None else _width(entry.half_width, TABLE_DIGITS),
        NOTHING if entry.sequence_half_width is None else _width(entry.sequence_half_width, TABLE_DIGITS),
        VERDICT_CELLS[Verdict(entry.verdict)],
    )


def _number(value: Fraction, digits: int) -> str:
    return minus_sign(fixed_digits(value, digits))


def _signed(value: Fraction, digits: int) -> str:
    return ("+" if value > 0 else "") + _number(value, digits)


def _width(value: Fraction, digits: int) -> str:
    """A half-width, rounded up so that it never promises too much."""
    return fixed_digits(Fraction(-(-value * 10**digits // 1), 10**digits), digits)


# --- Sessions ---------------------------------------------------------------------------------------------------------


def _percent(n_sessions: int, n_all: int) -> str:
    return fixed_digits(Fraction(100 * n_sessions, n_all), PICTURE_DIGITS)


def _row(label: str, part: SessionsPart) -> SessionsRow:
    return SessionsRow(label, part.sessions, fixed_digits(Fraction(part.share) * 100, PICTURE_DIGITS))


def _rest(part: SessionsPart, n_sessions: int) -> SessionsPart:
    """The other sessions; the shares that are shown add up to 1."""
    return SessionsPart(n_sessions - part.sessions, str(1 - Fraction(part.share)))


def _end_rows(document: ReportDocument) -> tuple[SessionsRow, ...]:
    return (
        _row("inside an orbit", document.incomplete_orbits),
        _row("one player holding everything", document.sole_owners),
        _row("several winners", document.shared_wins),
    )


def _hands_words(document: ReportDocument, bins: Sequence[Bin]) -> str:
    """What the histogram shows, for those who do not see it."""
    fullest = max(bins, key=lambda part: (part.sessions, -part.least))
    counts = document.hands.sessions_by_hands
    if len(counts) == 1:
        return f"Every session had {counts[0][0]} hands."
    mean = fixed_digits(Fraction(document.hands.mean), PICTURE_DIGITS)
    percent = _percent(fullest.sessions, document.study.sessions)
    return f"Sessions had {counts[0][0]} to {counts[-1][0]} hands, {mean} on average; {percent} % had {fullest.label}."


# --- Footer -----------------------------------------------------------------------------------------------------------


def _length(document: ReportDocument) -> str:
    study = document.study
    return f"{study.hands} hands a session" if study.hands is not None else f"{study.minutes} minutes a session"


def _time_model(document: ReportDocument) -> str:
    study = document.study
    if study.hands is not None:
        return f"none: a session ends after {study.hands} hands, or when one player holds everything"
    return (
        f"every hand takes {study.hand_seconds} seconds; no hand starts {study.minutes} minutes after the first one or later, "
        "and a hand that has started is played to its end"
    )


def _command(document: ReportDocument) -> str:
    """The command line that gives this document again, with the same rules and program."""
    study = document.study
    length = f"--hands {study.hands}" if study.hands is not None else f"--minutes {study.minutes}"
    if study.minutes is not None:
        length += f" --hand-seconds {study.hand_seconds}"
    what = study.format_file or document.format.id
    if study.game_file is not None:
        what = f"{study.game_file} --house {study.house}"
    return (
        f"homegame sim {what} --sessions {study.sessions} --players {study.players} --policy {study.policy} "
        f"--seed {study.seed} {length}"
    )
