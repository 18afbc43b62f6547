"""Every game of the library is simulated at every house: policies stay legal, chips add up, reports follow from the study."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from homegame_engine import catalog
from homegame_engine.errors import InputError, SpecError
from homegame_sim.driver import run_in_process
from homegame_sim.intervals import fixed_half_width
from homegame_sim.measures import net_points
from homegame_sim.policies import POLICIES
from homegame_sim.report import build_document, json_bytes, text_bytes
from homegame_sim.report.page import html_bytes
from homegame_sim.study import GameFile, Study, plan_study, study_specs
from tests.sim.conftest import run_format

GAMES, HOUSES = sorted(catalog.games()), sorted(catalog.tables())


def table_study(name: str, **others: object) -> Study:
    """A small study of a table."""
    asked: dict[str, object] = {"policy": "random", "seed": 5, "n_players": 6, "n_sessions": 60, "hands": 8}
    return plan_study(name, **(asked | others))  # type: ignore[arg-type]


def report(study: Study, *, n_workers: int = 1, chunk_blocks: int | None = None) -> bytes:
    totals = run_in_process(study, n_workers=n_workers, chunk_blocks=chunk_blocks).totals
    document = build_document(study, totals)
    return json_bytes(document) + text_bytes(document) + html_bytes(document)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("game", GAMES)
def test_gen_04_every_policy_plays_every_game_at_every_house(game: str, house: str) -> None:
    # The run stops where a policy's action is refused, a player gets other cards than were drawn, or chips do not add up.
    spec = catalog.format_by(f"{game}-{house}")
    n_players = spec.players.max
    for policy in POLICIES:
        rows = run_format(spec, policy=policy, n_players=n_players, n_blocks=2, hands=5)
        assert rows.hands.tolist() == [n_players * 5] * 2 or rows.sole_owners.any()
        assert (rows.net_chips.sum(axis=1) + rows.carry_chips == 0).all()


@pytest.mark.parametrize("name", ["STUD7-CLUB", "DEUCE_TO_SEVEN_TRIPLE-CARDROOM", "DC"])
def test_threads_and_chunks_change_no_byte_of_a_game(name: str) -> None:
    study = table_study(name)
    expected = report(study)
    for n_workers, chunk_blocks in ((1, 1), (1, 4), (2, 1), (2, 3)):
        assert report(study, n_workers=n_workers, chunk_blocks=chunk_blocks) == expected
    assert report(table_study(name, seed=6)) != expected


def test_game_dc_01_dealers_call_the_library_in_turn() -> None:
    study = table_study("dealers-choice", n_players=5, hands=23)
    _, games, house = study_specs(study)
    assert [game.id for game in games] == list(catalog.games())
    document = build_document(study, run_in_process(study).totals)
    assert house.id == "HOUSE_NIGHT"
    assert f"The dealers called {len(games)} games in turn: Anaconda; Badugi; " in document.words
    _, games, _ = study_specs(table_study("dealers-choice", n_players=8))
    assert {"ANACONDA", "BADUGI"}.isdisjoint(game.id for game in games)  # Seven at most.


def test_pot_split_03_what_lies_in_the_middle_at_the_end_is_nobodys() -> None:
    # Nobody ever opens, so that every pot waits for the next deal (GAME-DC-06): all that is anted lies in the middle.
    study = table_study("JACKS_TRIPS-CLUB", policy="call", n_players=4, n_sessions=8, hands=3)
    totals = run_in_process(study).totals
    assert totals.net_chips == tuple(-5 * 3 * 8 for _ in range(4))
    assert totals.carry_chips == 4 * 5 * 3 * 8
    assert "In the middle, won by nobody, still lay 60.00 points a session" in build_document(study, totals).words


def test_without_blinds_the_small_bet_or_the_stake_is_what_is_noticeable() -> None:
    for name, size, chips in (
        ("STUD7-CLUB", "small bet", "50.0000"),
        ("STUD7-HOUSE_NIGHT", "stake", "25.0000"),
        ("OMAHA-CLUB", "big blind", "20.0000"),
    ):
        study = table_study(name, n_sessions=6, hands=1)
        document = build_document(study, run_in_process(study).totals)
        assert (document.thresholds.size, document.thresholds.net_points) == (size, chips)
        assert f"the first level\u2019s {size}".encode() in html_bytes(document)


# --- A designer's game ------------------------------------------------------------------------------------------------


def designers_game(text: str = "") -> GameFile:
    return GameFile("mine.toml", text or (Path(__file__).parent / "three_card_draw.toml").read_text(), "CLUB")


def test_a_designers_game_is_played_at_the_table_of_a_house() -> None:
    study = plan_study(None, game_file=designers_game(), policy="tight", seed=1, n_players=4, n_sessions=40, hands=6)
    document = build_document(study, run_in_process(study).totals)
    assert document.format.id == "WILD_SEVENS-CLUB"
    assert document.study.game_file == "mine.toml"
    assert b"mine.toml --house CLUB" in html_bytes(document).replace(b"</span> <span>", b" ")
    changed = designers_game(designers_game().text.replace('ranks = ["7"]', 'ranks = ["8"]'))
    other = plan_study(None, game_file=changed, policy="tight", seed=1, n_players=4, n_sessions=40, hands=6)
    digest = build_document(other, run_in_process(other).totals).format.rules_sha256
    assert digest != document.format.rules_sha256


def test_a_designers_faulty_game_is_refused_with_its_line() -> None:
    faulty = designers_game(designers_game().text.replace("count = 5", "count = 9", 1))
    with pytest.raises(SpecError, match=r"mine\.toml"):
        plan_study(None, game_file=faulty, policy="tight", seed=1, n_players=4, n_sessions=40, hands=6)


def test_more_players_than_a_game_takes_are_refused() -> None:
    with pytest.raises(InputError, match="2 to 7 players, not 8"):
        table_study("BADUGI-CLUB", n_players=8)


# --- Position ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "tight"])
def test_no_start_role_is_ahead_in_one_hand_of_stud(policy: str) -> None:
    # Cards, and not seats, decide who acts first in stud: a single hand is as good for everybody (GAME-ST-04, GAME-ST-06).
    study = table_study("STUD7-CLUB", policy=policy, n_sessions=120_000, hands=1)
    totals = run_in_process(study, n_workers=2).totals
    for role in range(6):
        measured = net_points(totals, role)
        half_width = fixed_half_width(measured, Fraction(1, 10**6))
        assert half_width is not None
        assert abs(measured.mean) <= half_width


@pytest.mark.slow
def test_the_same_measure_sees_the_blinds_of_one_hand_of_omaha() -> None:
    study = table_study("OMAHA-CLUB", policy="random", n_sessions=120_000, hands=1)
    totals = run_in_process(study, n_workers=2).totals
    means = np.array([float(net_points(totals, role).mean) for role in range(6)])
    assert means.min() < -1
    assert means.max() > 1
