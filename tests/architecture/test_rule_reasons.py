"""Every reason that files 01 to 03 of the rulebook print beside a rule is got by a test of that rule, or is told here why not."""

from __future__ import annotations

import pytest

from homegame_engine.reasons import Reason
from tests.architecture.rule_coverage import rulebook_ids
from tests.architecture.rule_reasons import (
    Refusal,
    printed_refusals,
    refusals_in,
    refusals_of_tests,
    sources_of_tests,
)

NO_INPUT_CAN: dict[Refusal, str] = {
    Refusal("CARD-02", "DECK_IN_USE"): (
        "No input names a deck: the deck of every hand is drawn for that table and sealed with it (GEN-08). Physical decks have"
        " their own records, which the inventory keeps (PROC-RESET-01)."
    ),
    Refusal("GAME-DECL-01", "REVEAL_MISMATCH"): (
        "Declarations are sealed by the table that collects them and opened by it; nobody sends a second time what was sealed,"
        " so the two cannot differ (PROC-HID-01)."
    ),
}
"""Reasons that no input of this version can bring about, with the reason for that."""


def test_every_printed_reason_is_got_by_a_test_of_its_rule() -> None:
    got = refusals_of_tests()
    assert [refusal for refusal in printed_refusals() if refusal not in got and refusal not in NO_INPUT_CAN] == []


def test_what_no_input_can_bring_about_is_printed_and_got_nowhere() -> None:
    assert set(NO_INPUT_CAN) <= set(printed_refusals())
    assert sorted(refusals_of_tests().intersection(NO_INPUT_CAN)) == []


def test_printed_reasons_are_known_and_many() -> None:
    refusals = printed_refusals()
    assert {refusal.reason for refusal in refusals} <= set(Reason)
    assert Refusal("BET-GEN-02", "CANNOT_CHECK") in refusals
    assert Refusal("BET-GEN-05", "HAND_OVER") not in refusals


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def test_one():\n    refused(Reason.HAND_OVER, 'GEN-01')", True),
        ("def test_gen_01_over():\n    refused('HAND_OVER')", True),
        ("@parametrize([('GEN-01', Reason.HAND_OVER)])\ndef test_rows():\n    pass", True),
        ("def test_gen_01():\n    pass\ndef test_other():\n    refused('HAND_OVER')", False),
        ("def test_gen_010():\n    refused('HAND_OVER')", False),
        ("def test_gen_01():\n    refused('HAND_OVERTAKEN')", False),
    ],
)
def test_a_reason_is_got_where_one_test_holds_it_with_the_rule(source: str, *, found: bool) -> None:
    pairs = [refusals_in(text, ["GEN-01"], {"HAND_OVER"}) for text in sources_of_tests(source)]
    assert (set().union(*pairs) == {Refusal("GEN-01", "HAND_OVER")}) == found


def test_rule_ids_of_the_tables_are_those_of_the_book() -> None:
    assert {refusal.rule_id for refusal in printed_refusals()} <= set(rulebook_ids())
