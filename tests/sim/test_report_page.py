"""The page with pictures: it follows from the document alone, loads nothing, and can be read without seeing it."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from homegame_cli.main import run
from homegame_sim.driver import run_in_process
from homegame_sim.report import ReportDocument, build_document, json_bytes, pictures
from homegame_sim.report.page import html_bytes
from homegame_sim.report.pictures import ForestEntry, bin_sessions, draw_forest, draw_histogram
from homegame_sim.report.verdicts import Verdict, verdict, verdict_words
from homegame_sim.study import plan_study

EMPTY_TAGS = {"meta"}


def document_of(format_name: str = "B1", **changes: Any) -> ReportDocument:  # noqa: ANN401 - a test's own keywords
    asked: dict[str, Any] = {"policy": "tight", "seed": 3, "n_players": 4, "n_sessions": 2000, "hands": 22}
    study = plan_study(format_name, **(asked | changes))
    return build_document(study, run_in_process(study).totals)


@pytest.fixture(scope="module", params=["ladder", "one block", "two players, many lengths", "ten players"])
def document(request: pytest.FixtureRequest) -> ReportDocument:
    if request.param == "ladder":
        return document_of("B3", policy="loose", n_players=6, n_sessions=3000, hands=None)
    if request.param == "one block":
        return document_of(policy="fold", n_players=10, n_sessions=1)
    if request.param == "two players, many lengths":
        return document_of(policy="random", n_players=2, n_sessions=1000, hands=200)
    return document_of(n_players=10, n_sessions=100, hands=20)


@pytest.fixture
def page(document: ReportDocument) -> str:
    return html_bytes(document).decode()


class Outline(HTMLParser):
    """Checks that tags close in order; collects ids, references to ids, and the text that a reader sees or hears."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY_TAGS:
            self.open.append(tag)
        self._note(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name == "aria-labelledby":
                self.references.update((value or "").split())

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.text += " "

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    parser.close()
    return parser


def words(text: str) -> str:
    return " ".join(text.split())


# --- The page ---------------------------------------------------------------------------------------------------------


def test_the_page_follows_from_the_json_alone(document: ReportDocument) -> None:
    read_back = msgspec.json.decode(json_bytes(document), type=ReportDocument)
    assert html_bytes(read_back) == html_bytes(document)


def test_the_page_loads_nothing(page: str) -> None:
    assert not re.findall(r"://|\bsrc=|\bhref=|@import|url\(|<script|<link|<iframe", page)
    assert "default-src 'none'" in page


def test_every_tag_is_closed_and_every_name_is_there_once(page: str) -> None:
    found = outline(page)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert found.references <= set(found.ids)


def test_every_picture_is_told_in_words(page: str, document: ReportDocument) -> None:
    drawings = [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]  # noqa: S314 - our own page
    told = [drawing for drawing in drawings if drawing.get("aria-hidden") != "true"]
    assert len(told) == 3
    for drawing in told:
        assert drawing.get("role") == "img"
        assert drawing.findtext("title")
        assert len(drawing.findtext("desc") or "") > 20
    for role in range(document.study.players):
        assert all(f"role {role}: " in (drawing.findtext("desc") or "") for drawing in told[:2])
    assert (told[2].findtext("desc") or "").rstrip(".") in words(outline(page).text)


def test_plain_words_come_first_and_what_was_not_tested_last(page: str, document: ReportDocument) -> None:
    text = words(outline(page).text)
    paragraph, table = text.index(document.words), text.index("By start role")
    assert paragraph < table < text.index("What was not tested") < text.index("What was played")


def test_the_footer_says_what_was_played(page: str, document: ReportDocument) -> None:
    footer = words(outline(page).text).partition("What was played")[2]
    study = document.study
    for fact in (
        document.format.rules_sha256,
        f"engine rules {document.format.engine_rules_version}",
        document.schema,
        f"Seed {study.seed} ",
        f"{study.blocks:,} rotation blocks, numbers 0 to {study.blocks - 1}",
        f"Policy {study.policy}",
        "every hand takes 120 seconds" if study.minutes else f"a session ends after {study.hands} hands",
    ):
        assert fact in footer


def test_the_command_in_the_footer_gives_the_same_document(
    page: str, document: ReportDocument, capsys: pytest.CaptureFixture[str]
) -> None:
    command = re.search(r'<code class="command"[^>]*>(.*?)</code>', page)
    assert command is not None
    name, *arguments = shlex.split(re.sub(r"<.*?>", "", command[1]))
    assert name == "homegame"
    assert run([*arguments, "--json"]) == 0
    assert capsys.readouterr().out.encode() == json_bytes(document)


def test_shares_of_orbits_and_counts_are_shown(page: str, document: ReportDocument) -> None:
    text = words(outline(page).text)
    percent = f"{100 * document.incomplete_orbits.sessions / document.study.sessions:.2f}"
    assert f"{percent} % inside an orbit" in text
    assert f"inside an orbit {document.incomplete_orbits.sessions:,} {percent}" in text
    assert f"one player holding everything {document.sole_owners.sessions:,} " in text


def test_text_of_a_document_is_never_markup() -> None:
    document = document_of(n_sessions=40)
    odd = msgspec.structs.replace(document, words='<b onclick="x">&</b>')
    page = html_bytes(odd).decode()
    assert "<b onclick" not in page
    assert odd.words in outline(page).text


# --- Pictures ---------------------------------------------------------------------------------------------------------


def entry(mean: Fraction, half_width: Fraction | None, sequence: Fraction | None = None) -> ForestEntry:
    return ForestEntry("role", "", mean, half_width, sequence, Verdict.OPEN)


def test_a_forest_keeps_order_and_scale() -> None:
    entries = [entry(Fraction(mean), Fraction(1), Fraction(3, 2)) for mean in (20, 25, 31)]
    plot = draw_forest(entries, equal=Fraction(25), threshold=Fraction(1), limits=(0, 100))
    dots = [Fraction(row.dot_x) for row in plot.rows]
    assert plot.equal_x == plot.rows[1].dot_x == str(Fraction(pictures.FOREST_LEFT + pictures.FOREST_RIGHT, 2)) + ".0"
    unit = Fraction(plot.band.right) - Fraction(plot.equal_x)
    assert abs((dots[2] - dots[1]) - 6 * unit) < 1
    assert abs((dots[1] - dots[0]) - 5 * unit) < 1
    for row in plot.rows:
        assert row.interval is not None
        assert row.sequence is not None
        places = (row.sequence.left, row.interval.left, row.dot_x, row.interval.right, row.sequence.right)
        assert sorted(places, key=Fraction) == list(places)
        assert all(pictures.FOREST_LEFT <= Fraction(x) <= pictures.FOREST_RIGHT for x in places)


def test_an_axis_ends_where_the_measure_ends() -> None:
    plot = draw_forest(
        [entry(Fraction(0), Fraction(3)), entry(Fraction(100), None)],
        equal=Fraction(50),
        threshold=Fraction(1),
        limits=(0, 100),
    )
    assert [tick.label for tick in plot.ticks] == ["0", "20", "40", "60", "80", "100"]
    assert plot.rows[0].interval is not None
    assert Fraction(plot.rows[0].interval.left) == pictures.FOREST_LEFT
    assert plot.rows[1].interval is None


@pytest.mark.parametrize(
    ("reach", "labels"),
    [
        (Fraction(2), ["−2", "−1", "0", "1", "2"]),
        (Fraction(3, 10), ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]),
        (Fraction(47), ["−40", "−20", "0", "20", "40"]),
        (Fraction(1, 1000), ["−0.0010", "−0.0005", "0.0000", "0.0005", "0.0010"]),
    ],
)
def test_marks_of_an_axis_are_round(reach: Fraction, labels: list[str]) -> None:
    plot = draw_forest([entry(reach, Fraction(0))], equal=Fraction(0), threshold=Fraction(1, 1000))
    assert [tick.label for tick in plot.ticks] == labels


def test_few_lengths_of_sessions_have_a_bar_each_and_gaps_stay() -> None:
    bins = bin_sessions([(8, 1), (10, 3), (11, 96)])
    assert [(part.label, part.sessions) for part in bins] == [("8", 1), ("9", 0), ("10", 3), ("11", 96)]
    bars = draw_histogram(bins).bars
    assert [bar.label for bar in bars] == ["1.0 %", "", "3.0 %", "96.0 %"]
    heights = [Fraction(bar.height) for bar in bars]
    assert heights[1] == 0
    assert abs(heights[3] - 32 * heights[2]) < 2
    assert all(Fraction(bar.y) + Fraction(bar.height) == pictures.HISTOGRAM_BASE for bar in bars)


def test_many_lengths_share_bars_and_lose_no_session() -> None:
    sessions_by_hands = [(hands, hands % 7) for hands in range(13, 201)]
    bins = bin_sessions(sessions_by_hands)
    assert len(bins) <= pictures.BINS_MAX
    assert (bins[0].label, bins[1].label, bins[-1].label) == ("13–19", "20–29", "200")
    assert sum(part.sessions for part in bins) == sum(n_sessions for _, n_sessions in sessions_by_hands)
    for part in bins:
        assert part.sessions == sum(n for hands, n in sessions_by_hands if part.least <= hands <= part.most)


def test_a_bar_that_is_not_empty_can_be_seen() -> None:
    bars = draw_histogram(bin_sessions([(22, 1), (23, 999_999)])).bars
    assert Fraction(bars[0].height) > 1


# --- Verdicts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gain", "half_width", "expected"),
    [
        ("0", "1", Verdict.INSIDE),
        ("0.5", "0.5", Verdict.INSIDE),
        ("-0.5", "0.5", Verdict.INSIDE),
        ("0.5", "0.51", Verdict.OPEN),
        ("-1.5", "0.5", Verdict.OPEN),
        ("1.5", "0.49", Verdict.OUTSIDE),
        ("-1.5", "0.49", Verdict.OUTSIDE),
        ("1", "0", Verdict.INSIDE),
        ("0", "2", Verdict.OPEN),
    ],
)
def test_a_verdict_compares_the_whole_interval_with_the_band(gain: str, half_width: str, expected: Verdict) -> None:
    assert verdict(Fraction(gain), Fraction(half_width), Fraction(1)) is expected


def test_without_an_interval_there_is_no_verdict() -> None:
    assert verdict(Fraction(5), None, Fraction(1)) is Verdict.NO_INTERVAL
    assert "says nothing about chance" in verdict_words([Verdict.NO_INTERVAL] * 3, "1 pp")


def test_the_sentence_names_the_roles() -> None:
    inside, outside, still_open = Verdict.INSIDE, Verdict.OUTSIDE, Verdict.OPEN
    assert (
        verdict_words([inside, inside], "1 pp")
        == "Every interval lies inside the band: no role is off by more than 1 pp."
    )
    assert (
        verdict_words([outside, inside, outside], "1 pp")
        == "Off by more than 1 pp: roles 0, 2. The others lie inside the band."
    )
    assert "reaches across an edge of the band: role 1. The others lie" in verdict_words([inside, still_open], "1 pp")
    assert "does not settle whether any role is off by more than 1 pp." in verdict_words(
        [still_open, still_open], "1 pp"
    )


def test_the_band_is_a_hundredth_of_the_wins_and_the_first_big_blind() -> None:
    thresholds = document_of("B3", n_sessions=8).thresholds
    assert (thresholds.win_share, thresholds.net_points) == ("0.010000", "2.0000")
