"""Where everything in a picture stands: exact fractions in, coordinates as decimal strings out. It writes no markup.

No plotting library is used, because its bytes change with its version and with the fonts of the machine. Fractions are rounded
once, when a coordinate becomes a string, so every machine draws the same bytes.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from homegame_sim.intervals import fixed_digits

WIDTH: Final = 760
"""Units of a picture's own system; the page scales it."""

COORDINATE_DIGITS: Final = 1
AIR: Final = Fraction(11, 10)
"""The range of an axis, in what has to fit."""

FOREST_LEFT: Final = 110
FOREST_RIGHT: Final = 590
FOREST_TOP: Final = 44
FOREST_ROW: Final = 44
FOREST_TICKS_MAX: Final = 8
CAP_HEIGHT: Final = 8
"""Of the strokes at the ends of a watched interval, up and down."""

HISTOGRAM_LEFT: Final = 76
HISTOGRAM_RIGHT: Final = 744
HISTOGRAM_TOP: Final = 34
HISTOGRAM_BASE: Final = 254
HISTOGRAM_TICKS_MAX: Final = 5
BINS_MIN: Final = 7
BINS_MAX: Final = 30
LABELLED_BINS_MAX: Final = 12
LABELLED_RANGES_MAX: Final = 7
BAR_FILL: Final = Fraction(8, 10)
BAR_WIDTH_MAX: Final = 72
BAR_HEIGHT_MIN: Final = Fraction(3, 2)
"""A bar that is not empty can be seen."""


class Tick(NamedTuple):
    """A mark of an axis: where it stands, and what is written there."""

    at: str
    label: str


class Span(NamedTuple):
    """A piece of a horizontal line."""

    left: str
    right: str


class ForestEntry(NamedTuple):
    """What a line of a forest plot is about: mean and half-widths, if there are any, in the axis' unit; value as written."""

    label: str
    value: str
    mean: Fraction
    half_width: Fraction | None
    sequence_half_width: Fraction | None
    verdict: str


class ForestRow(NamedTuple):
    """A line of a forest plot, placed."""

    label: str
    value: str
    verdict: str
    y: str
    top: str
    bottom: str
    dot_x: str
    interval: Span | None
    sequence: Span | None


class Forest(NamedTuple):
    """A forest plot: one interval a line, the equal value as a line, and the band around it."""

    height: int
    axis_y: int
    equal_x: str
    band: Span
    ticks: tuple[Tick, ...]
    rows: tuple[ForestRow, ...]


class Bin(NamedTuple):
    """Sessions with `least` to `most` hands."""

    least: int
    most: int
    sessions: int

    @property
    def label(self) -> str:
        """The number of hands, or the range of it."""
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"


class Bar(NamedTuple):
    """A bar of a histogram, placed; the label is empty where there are too many."""

    x: str
    y: str
    width: str
    height: str
    middle: str
    label_y: str
    label: str


class Histogram(NamedTuple):
    """Sessions by number of hands."""

    bars: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def minus_sign(number: str) -> str:
    """The number with a minus sign in place of a hyphen."""
    return number.replace("-", "−")


def draw_forest(
    entries: Sequence[ForestEntry], *, equal: Fraction, threshold: Fraction, limits: tuple[int, int] | None = None
) -> Forest:
    """Place the intervals with the equal value in the middle, so that left and right can be compared by eye.

    Args:
        entries: One for each line, from top to bottom.
        equal: The value where nobody is favoured.
        threshold: Half the band around it; not 0.
        limits: What the measure cannot leave: the axis and whatever is drawn end there.
    """
    reach = max(
        [threshold]
        + [abs(entry.mean - equal) + max(entry.half_width or 0, entry.sequence_half_width or 0) for entry in entries]
    )
    half_range = reach * AIR
    low, high = equal - half_range, equal + half_range
    if limits is not None:
        low, high = max(low, Fraction(limits[0])), min(high, Fraction(limits[1]))

    def x(value: Fraction) -> str:
        inside = min(max(value, low), high)
        return _coordinate(FOREST_LEFT + (inside - low) / (high - low) * (FOREST_RIGHT - FOREST_LEFT))

    def span(middle: Fraction, half_width: Fraction | None) -> Span | None:
        return None if half_width is None else Span(x(middle - half_width), x(middle + half_width))

    axis_y = FOREST_TOP + FOREST_ROW * len(entries)
    return Forest(
        height=axis_y + 58,
        axis_y=axis_y,
        equal_x=x(equal),
        band=Span(x(equal - threshold), x(equal + threshold)),
        ticks=tuple(Tick(x(value), label) for value, label in _ticks(low, high, FOREST_TICKS_MAX)),
        rows=tuple(
            ForestRow(
                label=entry.label,
                value=entry.value,
                verdict=entry.verdict,
                y=str(middle),
                top=str(middle - CAP_HEIGHT),
                bottom=str(middle + CAP_HEIGHT),
                dot_x=x(entry.mean),
                interval=span(entry.mean, entry.half_width),
                sequence=span(entry.mean, entry.sequence_half_width),
            )
            for middle, entry in zip(range(FOREST_TOP + FOREST_ROW // 2, axis_y, FOREST_ROW), entries, strict=True)
        ),
    )


def bin_sessions(sessions_by_hands: Sequence[tuple[int, int]]) -> tuple[Bin, ...]:
    """Put sessions into bins of equal width, from the first that is not empty to the last.

    Args:
        sessions_by_hands: (hands, sessions) in rising order, one or more.
    """
    least, most = sessions_by_hands[0][0], sessions_by_hands[-1][0]
    width = 1
    while most // width - least // width + 1 > BINS_MAX:
        width = _next_round(width)
    counts = dict.fromkeys(range(least // width, most // width + 1), 0)
    for hands, n_sessions in sessions_by_hands:
        counts[hands // width] += n_sessions
    return tuple(
        Bin(max(least, slot * width), min(most, slot * width + width - 1), n_sessions)
        for slot, n_sessions in counts.items()
    )


def draw_histogram(bins: Sequence[Bin]) -> Histogram:
    """Place bars on an axis of shares; there is always room for BINS_MIN, so that a single bar is not a wall."""
    n_sessions = sum(part.sessions for part in bins)
    largest = Fraction(100 * max(part.sessions for part in bins), n_sessions)
    slot = Fraction(HISTOGRAM_RIGHT - HISTOGRAM_LEFT, max(BINS_MIN, len(bins)))
    start = HISTOGRAM_LEFT + (HISTOGRAM_RIGHT - HISTOGRAM_LEFT - slot * len(bins)) / 2
    bar_width = min(Fraction(BAR_WIDTH_MAX), slot * BAR_FILL)
    labels_max = LABELLED_RANGES_MAX if any(part.least < part.most for part in bins) else LABELLED_BINS_MAX
    per_label = -(-len(bins) // labels_max)
    bars, x_ticks = [], []
    for number, part in enumerate(bins):
        percent = Fraction(100 * part.sessions, n_sessions)
        middle = start + slot * number + slot / 2
        height = percent / largest * (HISTOGRAM_BASE - HISTOGRAM_TOP)
        if part.sessions:
            height = max(height, BAR_HEIGHT_MIN)
        bars.append(
            Bar(
                x=_coordinate(middle - bar_width / 2),
                y=_coordinate(HISTOGRAM_BASE - height),
                width=_coordinate(bar_width),
                height=_coordinate(height),
                middle=_coordinate(middle),
                label_y=_coordinate(HISTOGRAM_BASE - height - 8),
                label=f"{fixed_digits(percent, 1)} %" if part.sessions and len(bins) <= LABELLED_BINS_MAX else "",
            )
        )
        if number % per_label == 0:
            x_ticks.append(Tick(_coordinate(middle), part.label))
    y_ticks = tuple(
        Tick(_coordinate(HISTOGRAM_BASE - value / largest * (HISTOGRAM_BASE - HISTOGRAM_TOP)), label)
        for value, label in _ticks(Fraction(0), largest, HISTOGRAM_TICKS_MAX)
    )
    return Histogram(tuple(bars), tuple(x_ticks), y_ticks)


def _ticks(low: Fraction, high: Fraction, n_max: int) -> list[tuple[Fraction, str]]:
    """Multiples of a round step between `low` and `high`, about `n_max` at most, with as many digits as the step needs."""
    step = _round_step((high - low) / n_max)
    digits = 0
    while (step * 10**digits).denominator != 1:
        digits += 1
    first, last = -(-low // step), high // step
    return [(number * step, minus_sign(fixed_digits(number * step, digits))) for number in range(first, last + 1)]


def _round_step(least: Fraction) -> Fraction:
    """The smallest of 1, 2 and 5 times a power of ten that is not below `least`, which is above 0."""
    power = Fraction(1)
    while power > least:
        power /= 10
    while power * 10 <= least:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)


def _next_round(width: int) -> int:
    """The round number after `width`: 1, 2, 5, 10, 20 and so on."""
    return width * 5 // 2 if str(width).startswith("2") else width * 2


def _coordinate(value: Fraction) -> str:
    return fixed_digits(value, COORDINATE_DIGITS)
