"""`homegame odds` says who wins how often, and which hands come, for any game and any known cards."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from homegame_cli.main import run
from homegame_cli.odds import LIMIT_DEFAULT
from homegame_engine import catalog

if TYPE_CHECKING:
    from pathlib import Path


def told(arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command prints; it must end well."""
    assert run(["odds", *arguments.split()]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def told_json(arguments: str, capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401 - whatever is in the JSON
    """What the command prints for programs."""
    return json.loads(told(f"{arguments} --json", capsys))


def test_two_hands_print_the_known_counts(capsys: pytest.CaptureFixture[str]) -> None:
    out = told("HOLDEM AsKs QhQd", capsys)
    assert "every deal is counted: 1712304" in out
    assert re.search(
        r"^AsKs +46\.2145 % +787966 \(46\.02 %\) +6732 \(0\.39 %\) +917606 \(53\.59 %\)$", out, re.MULTILINE
    )


def test_classes_are_averaged_over_their_combinations(capsys: pytest.CaptureFixture[str]) -> None:
    found = told_json("holdem AA KK", capsys)
    aces = found["players"][0]
    assert (aces["win"], aces["tie"], aces["loss"], found["deals"]) == (50371344, 285228, 10986372, 61642944)
    assert found["method"] == "exact"
    assert aces["share"]["value"] == pytest.approx(0.8194605046767397, abs=1e-15)
    numerator, denominator = map(int, aces["share"]["fraction"].split("/"))
    assert numerator / denominator == aces["share"]["value"]


def test_what_is_quick_is_counted_and_the_rest_is_sampled(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "HOLDEM AsKs QhQd --board 2c3d4h --seed 5"
    assert told_json(f"{asked} --limit 990", capsys)["method"] == "sampled"
    counted = told_json(f"{asked} --limit 1983", capsys)
    assert (counted["method"], counted["deals"]) == ("exact", 990)
    assert told_json(f"{asked} --limit 1 --exact", capsys) == counted
    sampled = told_json(f"{asked} --samples 5000", capsys)
    assert (sampled["method"], sampled["deals"], sampled["seed"], sampled["possible"]) == ("sampled", 5000, 5, 990)
    assert told_json(f"{asked} --samples 5000", capsys) == sampled
    share = sampled["players"][0]["share"]
    low, high = share["interval_95"]
    assert low < share["value"] < high
    assert high - low == pytest.approx(3.92 * share["standard_error"])
    assert abs(share["value"] - counted["players"][0]["share"]["value"]) < 5 * share["standard_error"]
    assert LIMIT_DEFAULT == 20_000_000


def test_a_sample_says_so_and_how_far_off_it_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    out = told("HOLDEM AsKs any --samples 2000", capsys)
    assert "2000 of 2097572400 deals are sampled, seed 0" in out
    assert "95 times in 100" in out
    assert re.search(r"^any +\d\d\.\d{4} % +\d\.\d{4} %", out, re.MULTILINE)


def test_halves_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    found = told_json("OMAHA8 AsKs2h3d QcQdJhTh --board 4c5d9h", capsys)
    for player in found["players"]:
        assert player["share"]["value"] == pytest.approx(player["high_share"] + player["low_share"], abs=1e-15)
    assert found["players"][1]["low_share"] == 0.0
    assert 0 < found["without_low"] < found["deals"]
    out = told("OMAHA8 AsKs2h3d QcQdJhTh --board 4c5d9h", capsys)
    assert "scoop" in out
    assert f"No low is good enough in {found['without_low']} deals" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("RAZZ As2d3h4c5hKsQd 7s6d4h3c2hKdQc", "The low is ace to five, as POINTS_NIGHT plays it."),
        ("RAZZ As2d3h4c5hKsQd 7s6d4h3c2hKdQc --house house_night", "The low is ace to six, as HOUSE_NIGHT plays it."),
        ("STUD_DECLARE AsAdAhAc5h6h9d 2d3d4c7c8sKsQd", "Cards speak"),
        ("JACKS_TRIPS AsAd3h4c KsKdQh2c", "the pot stays"),
        ("FIVE_CARD_DRAW AsAd3h4c KsKdQh2c", "nobody changes cards any more"),
        ("IRISH AsKs QhQd --board 2c3d4h5s --dead JsTs9d8d", "2 private cards; those put away can be named as dead"),
    ],
)
def test_what_is_taken_for_granted_is_said(arguments: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in told(arguments, capsys)


def test_frequencies_are_of_hands_by_kind_and_of_boards(capsys: pytest.CaptureFixture[str]) -> None:
    found = told_json("DEUCES_WILD_DRAW --frequencies", capsys)
    (hand,) = found["hands"]
    assert hand["high"]["categories"]["five_of_a_kind"] == 672
    assert hand["high"]["categories"]["high_card"] == 799680
    assert hand["deals"] == hand["high"]["made"] == 2598960
    assert hand["high"]["best"] == {"text": "five aces", "deals": 56}
    assert hand["low"] is found["boards"] is None


def test_frequencies_of_known_hands_leave_out_the_cards_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "OMAHA8 AsKs2h3d QcQdJhTh --board 4c5d9hKd --frequencies"
    found = told_json(asked, capsys)
    assert [hand["deals"] for hand in found["hands"]] == [40, 40]
    for hand in found["hands"]:
        assert hand["low"]["made"] + hand["low"]["none"] == 40
    assert found["hands"][1]["low"]["made"] == 0
    assert found["boards"]["boards"] == 40
    assert found["boards"]["with_rank"]["K"] == 40
    assert found["boards"]["with_rank"]["Q"] == 2
    assert found["boards"]["low_possible"] == 3 + 3 + 3 + 4 + 4 + 4
    out = told(asked, capsys)
    assert "a low is possible on 21 boards (52.50 %)" in out
    assert re.search(r"^none +40 +100\.0000 %$", out, re.MULTILINE)


def test_board_ranks_that_come_as_often_share_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    out = told("HOLDEM --frequencies --samples 1000", capsys)
    assert "at least one 2 to A, each: 34.1158 % (18472/54145)" in out
    assert "any; 1000 deals are sampled, seed 0" in out


def own_game(folder: Path, steps: str) -> Path:
    """A file that describes a game of five private cards, black deuces wild."""
    own = folder / "own.toml"
    own.write_text(
        'id = "OWN"\nversion = 1\nname = "Own"\nsummary = "Black deuces wild."\nrules = []\nforced = "ANTES"\n'
        'players = { min = 2, max = 8 }\nwild = { cards = ["2c", "2s"] }\n'
        f'steps = [{{ step = "DEAL_DOWN", count = 5 }}, {steps}{{ step = "BET", street = "FIRST", size = "SMALL" }}]\n'
        'showdown = { ranking = "HIGH", hole_cards_min = 0, hole_cards_max = 5 }\n'
    )
    return own


def test_a_game_of_ones_own_is_as_good_as_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told_json(f"{own_game(tmp_path, '')} 2cKsKdQh7h AsAdAh9c8c", capsys)
    assert (found["game"], found["players"][1]["win"]) == ("OWN", 1)


def test_boards_that_are_too_many_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = own_game(tmp_path, '{ step = "DEAL_BOARD", count = 10 }, ')
    found = told_json(f"{own} --frequencies --samples 50", capsys)
    assert found["boards"] is None
    assert found["hands"][0]["deals"] == 50


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("NO_SUCH_GAME AsKs QhQd", "NO_SUCH_GAME"),
        ("HOLDEM", "name two hands or more"),
        ("HOLDEM AsKs", "name two hands or more"),
        ("HOLDEM AsKs Qx", "no card"),
        ("HOLDEM AsKs AsQs", "exclude one another"),
        ("HOLDEM AsKs QhQdQs", "QhQdQs: expected at most 2 cards"),
        ("HOLDEM AsKs QhQd --board As", "AsKs: its cards lie on the board"),
        ("HOLDEM AsKs QhQd --board 2c3c4c5c6c7c", "--board: expected at most 5 cards"),
        ("HOLDEM AsKs QhQd --dead X1", "--dead: X1 is not in the deck"),
        ("HOLDEM AA KK --frequencies", "AA' is several hands"),
        ("HOLDEM AsKsQs --frequencies", "AsKsQs: expected at most 2 cards"),
        ("HOLDEM AsKs QhQd --exact --samples 5", "name one of them"),
        ("HOLDEM AsKs QhQd --samples 0", "--samples"),
        ("HOLDEM AsKs QhQd --seed -1", "--seed"),
        ("HOLDEM AsKs QhQd --house NOWHERE", "NOWHERE"),
        ("HOLDEM AK,QJ,T9 AK,QJ,T9 AK,QJ,T9 AK,QJ,T9 --exact", "too many combinations"),
    ],
)
def test_a_mistake_of_usage_exits_3_and_says_what_is_wrong(
    arguments: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["odds", *arguments.split()]) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err


@pytest.mark.parametrize("game_id", catalog.games())
def test_every_game_has_odds_and_frequencies(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told_json(f"{game_id} any any --samples 500", capsys)
    assert sum(player["share"]["value"] for player in found["players"]) == pytest.approx(
        1 - found["unawarded"] / found["deals"]
    )
    (hand,) = told_json(f"{game_id} --frequencies --samples 500", capsys)["hands"]
    assert hand["high"]["made"] == sum(hand["high"]["categories"].values()) == 500
