from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from homegame_sim.driver import run_in_process
from homegame_sim.report import build_document, json_bytes, text_bytes
from homegame_sim.study import Study, plan_study, rules_digest


def planned(**changes: Any) -> Study:  # noqa: ANN401 - a test's own keywords
    asked: dict[str, Any] = {"policy": "tight", "seed": 3, "n_players": 4, "n_sessions": 4000, "hands": 22}
    return plan_study("points-night", **(asked | changes))


def report_of(study: Study) -> tuple[dict[str, Any], str]:
    document = build_document(study, run_in_process(study).totals)
    return json.loads(json_bytes(document)), text_bytes(document).decode()


def test_shares_and_points_follow_from_the_exact_sums() -> None:
    report, text = report_of(planned())
    totals = report["totals"]
    n_sessions = report["study"]["sessions"]
    assert n_sessions == 4000
    for role in report["roles"]:
        share = Fraction(totals["win_units"][role["role"]], 2520 * n_sessions)
        points = Fraction(totals["net_chips"][role["role"]], n_sessions)
        assert abs(Fraction(role["win_share"]["mean"]) - share) <= Fraction(1, 2_000_000)
        assert abs(Fraction(role["net_points"]["mean"]) - points) <= Fraction(1, 20_000)
        assert f"{role['net_points']['mean']}  {role['net_points']['half_width']}" in text
    assert report["hands"] == {"mean": "22.0000", "sessions_by_hands": [[22, 4000]]}


def test_no_number_of_the_report_is_a_float() -> None:
    def leaves(value: object) -> list[object]:
        if isinstance(value, dict):
            return [leaf for part in value.values() for leaf in leaves(part)]
        if isinstance(value, list):
            return [leaf for part in value for leaf in leaves(part)]
        return [value]

    report, _ = report_of(planned())
    assert {type(leaf) for leaf in leaves(report)} <= {int, str, type(None)}


def test_keys_are_sorted() -> None:
    study = planned(n_sessions=40)
    text = json_bytes(build_document(study, run_in_process(study).totals)).decode()
    assert text == json.dumps(json.loads(text), sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def test_the_head_says_what_was_played() -> None:
    study = planned(minutes=45, hands=None)
    report, text = report_of(study)
    assert report["format"]["id"] == "B1"
    assert report["format"]["version"] == 1
    assert report["format"]["rules_sha256"] == rules_digest(study)
    assert report["study"] == {
        "policy": "tight",
        "seed": 3,
        "players": 4,
        "sessions": 4000,
        "blocks": 1000,
        "hands": None,
        "minutes": 45,
        "hand_seconds": 120,
    }
    assert "45 minutes a session, 120 seconds a hand" in text
    assert "hands a session: 23.0000 on average" in text
    assert "ended inside an orbit: " in text


def test_two_hands_beyond_full_orbits_favour_the_button_and_cost_the_seat_across() -> None:
    # Four seats, 22 hands: roles 0 and 3 play the cheap positions once more, roles 1 and 2 the dear ones.
    report, text = report_of(planned(n_sessions=80_000))
    nets = [
        (Fraction(role["net_points"]["mean"]), Fraction(role["net_points"]["sequence_half_width"]))
        for role in report["roles"]
    ]
    assert nets[0][0] > nets[0][1]
    assert nets[2][0] < -nets[2][1]
    assert "role 0 has 0." in text
    assert "points a session less than it began with" in " ".join(text.split())


def test_whole_orbits_favour_nobody() -> None:
    report, text = report_of(planned(n_sessions=80_000, hands=24))
    for role in report["roles"]:
        assert abs(Fraction(role["net_points"]["mean"])) <= Fraction(role["net_points"]["half_width"])
        assert abs(Fraction(role["win_share"]["mean"]) - Fraction(1, 4)) <= Fraction(role["win_share"]["half_width"])
    assert "No start role is seen to win more or less often" in text


@pytest.mark.parametrize("policy", ["fold", "call", "random", "tight", "loose"])
def test_the_paragraph_is_plain_words_for_every_policy(policy: str) -> None:
    report, text = report_of(planned(policy=policy, n_sessions=400, hands=5))
    assert report["words"].startswith("400 sessions of Points-only hold'em night (B1) were played, 5 hands each")
    assert report["words"].endswith(f"This holds for the policy {policy} and says nothing about other players.")
    assert " ".join(text.split()).endswith(report["words"])


def test_one_block_claims_nothing() -> None:
    report, _ = report_of(planned(n_sessions=4))
    assert report["roles"][0]["net_points"]["half_width"] is None
    assert "says nothing about chance" in report["words"]


def test_few_blocks_have_no_interval_to_watch() -> None:
    report, text = report_of(planned(n_sessions=4 * 499))
    assert report["roles"][0]["win_share"]["half_width"] is not None
    assert report["roles"][0]["win_share"]["sequence_half_width"] is None
    assert text.count(" -\n") == 4


def test_many_lengths_of_sessions_are_summed_up() -> None:
    _, text = report_of(planned(policy="random", n_players=2, hands=200))
    assert "sessions by hands: " in text
    assert " to 200" in text
