"""Every rule that this version claims has a test that names it; what is still to come is listed and only shrinks."""

from __future__ import annotations

from tests.architecture.rule_coverage import (
    ROW,
    RULEBOOK,
    covered_ids,
    named_ids,
    pending_ids,
    rulebook_ids,
    texts_of_tests,
)
from tests.architecture.rule_reasons import PAGES

HINT = "run `python -m tests.architecture.rule_coverage --settle`"


def test_every_covered_rule_is_named_by_a_test_or_listed_as_pending() -> None:
    ids = rulebook_ids()
    named = named_ids(ids, texts_of_tests())
    pending = set(pending_ids())
    assert [rule_id for rule_id in covered_ids(ids) if rule_id not in named | pending] == []


def test_a_rule_that_a_test_names_is_not_pending() -> None:
    assert sorted(named_ids(rulebook_ids(), texts_of_tests()).intersection(pending_ids())) == [], HINT


def test_pending_rules_are_covered_rules() -> None:
    assert set(pending_ids()) <= set(covered_ids(rulebook_ids()))


def test_every_rule_of_cards_betting_and_games_is_covered() -> None:
    ids = rulebook_ids()
    of_pages = {rule_id for page in PAGES for rule_id in ROW.findall((RULEBOOK / page).read_text(encoding="utf-8"))}
    assert len(of_pages) > 150
    assert of_pages <= set(covered_ids(ids))


def test_a_rule_is_named_by_its_id_or_by_a_test_name_and_by_nothing_shorter() -> None:
    ids = ["GEN-01", "BET-GEN-01", "BET-NL-07", "BET-NL-70"]
    assert named_ids(ids, ["def test_bet_gen_01_turn(): ..."]) == {"BET-GEN-01"}
    assert named_ids(ids, ['"""BET-NL-07: two short all-ins."""']) == {"BET-NL-07"}
    assert named_ids(ids, ["def test_gen_01(): ...", "def test_bet_nl_070(): ..."]) == {"GEN-01"}
    assert named_ids(ids, ["nothing of the kind"]) == set()
