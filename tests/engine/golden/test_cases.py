"""Sixty hold'em hands with every legal amount (tests/vectors/cases), and that a case which differs is found out."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from homegame_engine.errors import InputError
from homegame_engine.notation.cases import Case, read_case, run_case

FOLDER = Path(__file__).resolve().parents[2] / "vectors" / "cases"
SUPPORTED = ("fl_holdem", "nl_holdem")


def read(game: str) -> list[Case]:
    return [read_case(line) for line in gzip.decompress((FOLDER / f"{game}.jsonl.gz").read_bytes()).splitlines()]


@pytest.mark.parametrize("game", SUPPORTED)
def test_every_case_of_the_game_plays_as_written(game: str) -> None:
    cases = read(game)
    assert len(cases) == 30
    assert [result for result in map(run_case, cases) if result.outcome != "ok"] == []


def test_games_that_are_not_built_are_unsupported_and_never_passed() -> None:
    others = sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.jsonl.gz"))
    outcomes = {game: {run_case(case).outcome for case in read(game)} for game in others if game not in SUPPORTED}
    assert len(outcomes) == 5
    assert all(found == {"unsupported"} for found in outcomes.values())


def changed(case: Case, index: int, **changes: object) -> Case:
    """The case with one decision's figures changed."""
    actions = list(case.actions)
    actions[index] = msgspec.structs.replace(actions[index], **changes)
    return msgspec.structs.replace(case, actions=tuple(actions))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"to_call": 1}, "to_call: expected 1, engine 2"),
        ({"can_raise": False}, "can_raise: expected False, engine True"),
        ({"min_to": 5}, "min_to: expected 5, engine 4"),
        ({"max_to": 35}, "max_to: expected 35, engine 34"),
        ({"seat": 1}, "seat to act: expected 1, engine 2"),
        ({"street": 1}, "street: expected 1, engine 0"),
        ({"act": "check", "to": 0}, "check to 0 refused: CANNOT_CHECK"),
        ({"act": "raise", "to": 3}, "raise to 3 refused: BELOW_MINIMUM"),
    ],
)
def test_a_decision_that_differs_is_told(changes: dict[str, object], words: str) -> None:
    result = run_case(changed(read("nl_holdem")[0], 0, **changes))
    assert result.outcome == "mismatch"
    assert words in result.text


def test_figures_that_the_house_leaves_open_are_not_compared() -> None:
    result = run_case(changed(read("nl_holdem")[0], 0, can_raise=None, min_to=99, max_to=99))
    assert result.outcome == "ok"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"final": (288, 1, 0)}, "final stacks"),
        ({"returned": None}, "returned: expected None, engine (0, 111)"),
        ({"pots": ()}, "won by seat"),
        ({"board": ""}, "won by seat"),
    ],
)
def test_a_result_that_differs_is_told(changes: dict[str, object], words: str) -> None:
    result = run_case(msgspec.structs.replace(read("nl_holdem")[0], **changes))
    assert result.outcome == "mismatch"
    assert words in result.text


def test_a_case_that_ends_too_early_differs() -> None:
    case = read("nl_holdem")[0]
    result = run_case(msgspec.structs.replace(case, actions=case.actions[:-1]))
    assert (result.outcome, "hand over" in result.text) == ("mismatch", True)


@pytest.mark.parametrize("line", ["", "{", "[]", '{"id": "x"}', "\x00", '{"id": 1, "game": "nl_holdem"}'])
def test_a_line_that_is_no_case_is_refused(line: str) -> None:
    with pytest.raises(InputError):
        read_case(line)


def test_a_case_with_a_card_twice_is_refused() -> None:
    case = read("nl_holdem")[0]
    with pytest.raises(InputError, match="twice"):
        run_case(msgspec.structs.replace(case, cards=(case.cards[0], case.cards[0], case.cards[2])))
