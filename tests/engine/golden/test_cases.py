"""Random hands of seven games with every legal amount (tests/vectors/cases), and that a case which differs is found out."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from homegame_engine.errors import InputError
from homegame_engine.notation.cases import Case, read_case, run_case

FOLDER = Path(__file__).resolve().parents[2] / "vectors" / "cases"
GAMES = ("fl_holdem", "nl_holdem", "pl_omaha", "fl_omaha_hilo8", "fl_stud", "fl_razz", "fl_stud_hilo8")


def read(game: str) -> list[Case]:
    return [read_case(line) for line in gzip.decompress((FOLDER / f"{game}.jsonl.gz").read_bytes()).splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_every_case_of_the_game_plays_as_written(game: str) -> None:
    cases = read(game)
    assert len(cases) == 30
    assert [result for result in map(run_case, cases) if result.outcome != "ok"] == []


def test_a_game_that_nobody_knows_is_unsupported_and_never_passed() -> None:
    result = run_case(msgspec.structs.replace(read("nl_holdem")[0], game="nl_whist"))
    assert (result.outcome, result.text) == ("unsupported", "nl_whist")


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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"act": "complete", "to": 4}, "action 1 (seat 0, street 0): to_call: expected 2, engine 4"),
        ({"min_to": 5}, "min_to: expected 5, engine 4"),
        ({"can_raise": False}, "can_raise: expected False, engine True"),
        ({"to_call": 2}, "to_call: expected 2, engine 0"),
    ],
)
def test_a_bring_in_that_differs_is_told(changes: dict[str, object], words: str) -> None:
    case = read("fl_stud")[0]
    assert case.actions[0].act == "bring_in"
    result = run_case(changed(case, 0, **changes))
    assert (result.outcome, result.text.endswith(words)) == ("mismatch", True)


def test_a_card_that_is_not_dealt_is_told() -> None:
    case = read("nl_holdem")[0]
    spare = next(card for card in ("2c", "2d", "2h") if card not in "".join(case.cards) + case.board)
    result = run_case(msgspec.structs.replace(case, cards=(case.cards[0] + spare, *case.cards[1:])))
    assert (result.outcome, "cards that were not dealt" in result.text) == ("mismatch", True)


def test_figures_that_the_house_leaves_open_are_not_compared() -> None:
    result = run_case(changed(read("nl_holdem")[0], 0, can_raise=None, min_to=99, max_to=99))
    assert result.outcome == "ok"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"final": (288, 1, 0)}, "final stacks"),
        ({"returned": None}, "returned: expected None, engine (0, 111)"),
        ({"pots": ()}, "won by seat"),
        ({"board": ""}, "hand over"),  # A card that is not written stays unknown, and the award waits for it.
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
