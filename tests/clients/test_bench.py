"""`homegame bench` says each speed as a ratio to a floor or peer of the same run, for people and for programs."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING

import pytest

from homegame_cli.benchmarks import journal, peers, scripted_night
from homegame_cli.benchmarks.catalogue import BENCHMARKS
from homegame_cli.benchmarks.evaluator import random_hands
from homegame_cli.benchmarks.figures import BenchError, Figure, Setting, compare_best, compare_medians
from homegame_cli.main import run
from homegame_engine import catalog
from homegame_engine.errors import InputError
from homegame_sim import floors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEYS = ["name", "value", "unit", "reference", "reference_value", "ratio"]
NAMES = [
    "eval7.batch",
    "eval7.call",
    "eval7.native",
    "eval.omaha",
    "eval.ace_to_five",
    "eval.ace_to_six",
    "eval.deuce_to_seven",
    "eval.badugi",
    "eval.wild",
    "hands.fixed_limit",
    "hands.no_limit",
    "hands.session",
    "act.unary",
    "act.stream",
    "journal.commit",
]
RANKINGS = [name for name in NAMES if name.startswith("eval.")]
QUICK = [
    "eval7.batch",
    "eval7.call",
    *RANKINGS,
    "hands.fixed_limit",
    "hands.no_limit",
    "hands.session",
    "journal.commit",
]


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def hold_a_figure(line: dict[str, object], name: str) -> None:
    assert list(line) == KEYS
    assert line["name"] == name
    assert isinstance(line["reference"], str)
    assert line["reference"]
    value, reference_value, ratio = line["value"], line["reference_value"], line["ratio"]
    assert isinstance(value, float)
    assert isinstance(reference_value, float)
    assert isinstance(ratio, float)
    assert value > 0
    assert math.isclose(ratio, value / reference_value)


def test_every_promised_name_is_there() -> None:
    assert [name for name in NAMES if name not in BENCHMARKS] == []


@pytest.mark.parametrize("name", QUICK)
def test_json_prints_one_figure_a_line_with_the_ratio_of_its_two_speeds(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", name, "--json", "--seconds", "0.05", "--data", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    (line,) = lines(out)
    hold_a_figure(line, name)
    assert name in err  # Progress goes to standard error.
    assert list(tmp_path.iterdir()) == []  # What was measured on the disk is gone.


@pytest.mark.slow
def test_native_counting_and_act_over_grpc_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "act", "eval7.native", "--json", "--seconds", "1"]) == 0
    act, stream, native = lines(capsys.readouterr().out)
    hold_a_figure(act, "act.unary")
    hold_a_figure(stream, "act.stream")
    hold_a_figure(native, "eval7.native")


@pytest.mark.slow
def test_peers_are_further_lines_with_ours_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "hands.fixed_limit", "--json", "--peers", "--seconds", "0.05"]) == 0
    own, peer = lines(capsys.readouterr().out)
    hold_a_figure(own, "hands.fixed_limit")
    hold_a_figure(peer, "hands.fixed_limit/pokerkit")
    assert str(peer["reference"]).startswith("pokerkit ")


def test_a_peer_that_is_not_installed_is_said_and_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_PEERS", {"eval7.call": {"no_such_peer": lambda _module: lambda: 1}})
    said: list[str] = []
    assert list(peers.compare("eval7.call", Setting(0.0, tmp_path, said.append))) == []
    assert said == ["eval7.call: no_such_peer is not installed (pip install no_such_peer)"]


def test_a_group_is_all_names_before_the_dot_and_each_is_measured_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "hands", "hands.session", "--json", "--seconds", "0"]) == 0
    measured = [line["name"] for line in lines(capsys.readouterr().out)]
    games = [f"hands.{game.lower()}" for game in sorted(catalog.games())]
    assert measured == ["hands.fixed_limit", "hands.no_limit", "hands.session", *games]


def test_people_get_a_table_with_the_ratio_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "eval7.call", "--seconds", "0"]) == 0
    head, row = capsys.readouterr().out.strip().splitlines()
    assert head.split() == ["name", "speed", "beside", "ratio", "in", "words", "compared", "with"]
    assert row.startswith("eval7.call")
    assert "hands/s" in row
    assert "calling an empty compiled function" in row


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(12.0, "12 times as fast"), (1.0, "as fast"), (0.85, "four fifths of it"), (0.21, "a fifth of it")],
)
def test_a_ratio_has_plain_words(ratio: float, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    def measured(_setting: Setting) -> Iterator[Figure]:
        yield Figure("eval7.call", ratio * 100, "hands/s", "a hundred", 100.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BENCHMARKS, "eval7.call", measured)
        assert run(["bench", "eval7.call"]) == 0
    assert words in capsys.readouterr().out


def test_an_unknown_name_exits_3_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "eval7.batch", "no.such"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "'no.such'" in err
    for name in NAMES:
        assert name in err


def test_a_folder_that_is_not_there_exits_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "eval7.call", "--data", str(tmp_path / "missing")]) == 3
    assert "--data" in capsys.readouterr().err


def test_what_cannot_be_measured_exits_1_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_setting: Setting) -> Iterator[Figure]:
        raise BenchError("a call failed: ABORTED")

    monkeypatch.setitem(BENCHMARKS, "act.unary", broken)
    assert run(["bench", "act.unary", "eval7.call", "--json", "--seconds", "0"]) == 1
    out, err = capsys.readouterr()
    assert [line["name"] for line in lines(out)] == ["eval7.call"]
    assert "act.unary: a call failed: ABORTED" in err


def test_sides_take_turns_and_the_best_or_the_median_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(1000))
    monkeypatch.setattr(time, "perf_counter", lambda: next(moments))
    turns: list[str] = []

    def side(name: str, units: Iterator[int]) -> int:
        turns.append(name)
        return next(units)

    ours, theirs = iter([1, 5, 3]), iter([2, 2, 4])
    pair = compare_best(lambda: side("ours", ours), lambda: side("theirs", theirs), 0)
    assert turns == ["ours", "theirs"] * 3
    assert pair == (5, 4)


async def test_the_first_turn_warms_up_and_is_not_counted() -> None:
    ours, theirs = iter([999.0, 1, 2, 3, 4, 5, 6]), iter([999.0, 2, 2, 2, 2, 2, 2])

    async def measured(_seconds: float) -> float:
        return next(ours)

    async def reference(_seconds: float) -> float:
        return next(theirs)

    assert await compare_medians(measured, reference, 1.0) == (3.5, 2)


def test_the_floor_of_a_batch_reads_every_byte() -> None:
    cards = random_hands(1000)
    assert floors.add_bytes(cards) == int(cards.sum())
    assert all(len(set(row)) == 7 for row in cards.tolist())


def test_the_floor_of_counting_goes_through_every_combination() -> None:
    # Card i adds i + 1 and stands in 51 of the pairs, so all pairs add up to 51 x (1 + ... + 52).
    assert floors.add_combinations(2) == 51 * 52 * 53 // 2
    with pytest.raises(InputError):
        floors.add_combinations(8)


def test_the_floor_of_hands_is_a_function_of_its_seed_and_refuses_nonsense() -> None:
    def dealt(seed: int) -> int:
        return floors.deal_and_draw(n_hands=100, n_cards=20, n_decisions=1500, seed=seed)

    assert dealt(1) == dealt(1) != dealt(2)
    with pytest.raises(InputError):
        floors.deal_and_draw(n_hands=1, n_cards=55, n_decisions=0)


def test_the_bare_journal_writes_the_rows_that_the_journal_writes(tmp_path: Path) -> None:
    bare = journal.BareJournal(tmp_path)
    bare.group_rows = 10
    assert bare.commit_for(0.01) > 0
    bare.close()
    row = journal.NightRows("night-1").next_row()
    assert (len(row.input), len(row.events)) == (journal.INPUT_BYTES, journal.EVENTS_BYTES)


def test_a_scripted_hand_asks_everybody_on_every_street_and_at_showdown() -> None:
    turns = list(scripted_night.script(button=5, is_cut=True))
    assert turns[0][0] == 0
    assert turns.pop(0)[1].WhichOneof("action") == "cut"
    assert [seat for seat, _ in turns[:6]] == [2, 3, 4, 5, 0, 1]
    assert [seat for seat, _ in turns[6:12]] == [0, 1, 2, 3, 4, 5]
    assert [action.WhichOneof("action") for _, action in turns] == ["call"] * 5 + ["check"] * 19 + ["show"] * 6
