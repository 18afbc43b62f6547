"""Recorded hands in PHH (tests/vectors/phh): replayed to their finishing stacks, and written back."""

from __future__ import annotations

import collections
from pathlib import Path

import msgspec
import pytest

from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN
from homegame_engine.errors import InputError
from homegame_engine.events import HandMucked, HandShown, HoleCardsDealt
from homegame_engine.notation import history
from homegame_engine.notation.phh import PhhHand, read_phh, write_phh
from homegame_engine.notation.replay import ReplayResult, play, replay

FOLDER = Path(__file__).resolve().parents[2] / "vectors" / "phh"
FILES = sorted(FOLDER.rglob("*.phh"))
SUPPORTED = {"NT": 506, "FT": 3}

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsAh", "d dh p2 KsKh", "d dh p3 7c2d", {actions}]
finishing_stacks = {final}
"""


def hand(actions: str, final: str = "[100, 100, 100]") -> PhhHand:
    quoted = ", ".join(f'"{action.strip()}"' for action in actions.split(","))
    return read_phh(HAND.format(actions=quoted, final=final))


@pytest.fixture(scope="module")
def records() -> dict[Path, PhhHand]:
    return {file: read_phh(file.read_text(encoding="utf-8")) for file in FILES}


def test_every_supported_hand_reaches_its_recorded_stacks(records: dict[Path, PhhHand]) -> None:
    outcomes = collections.Counter((record.variant, replay(record).outcome) for record in records.values())
    assert len(records) == 542
    assert {variant: count for (variant, outcome), count in outcomes.items() if outcome == "matched"} == SUPPORTED
    assert {outcome for variant, outcome in outcomes if variant not in SUPPORTED} == {"unsupported"}
    assert sum(outcomes.values()) == 542


def test_written_hands_read_and_replay_as_before(records: dict[Path, PhhHand]) -> None:
    for file, record in records.items():
        if record.variant not in SUPPORTED:
            continue
        played = play(record)
        again = read_phh(write_phh(played.hand, played.rules, played.events, players=record.players))
        assert again.finishing_stacks == played.hand.stacks, file
        assert (again.antes, again.blinds, again.starting_stacks, again.players) == (
            record.antes,
            record.blinds,
            record.starting_stacks,
            record.players,
        )
        betting = ("fold", "check_or_call", "bet_or_raise")
        assert [a for a in again.actions if a.name in betting] == [a for a in record.actions if a.name in betting]
        assert replay(again) == ReplayResult(outcome="matched"), file


def test_a_big_blind_ante_is_dead_money() -> None:
    record = read_phh((FOLDER / "wsop/2023/43/5/66.phh").read_text(encoding="utf-8"))
    played = play(record)
    assert not record.ante_trimming
    assert played.hand.committed_chips[1] + 225_000 + played.hand.stacks[1] == 18_825_000


def test_a_hand_shown_before_the_board_is_complete_keeps_its_answer() -> None:
    record = read_phh((FOLDER / "dwan-ivey-2009.phh").read_text(encoding="utf-8"))
    played = play(record)
    assert [type(event) for event in played.events if isinstance(event, HandShown | HandMucked)] == [HandShown] * 2
    assert played.hand.stacks == (572_100, 1_997_500, 1_109_500)


def test_unknown_cards_stay_unknown_and_are_mucked() -> None:
    record = hand("p3 f, p1 cc, p2 cc, d db 3d8h9c, p1 cc, p2 cc, d db Jc, p1 cc, p2 cc, d db 4s, p1 cc, p2 cc")
    actions = tuple(
        msgspec.structs.replace(action, cards=(CARD_UNKNOWN,) * 2)
        if (action.name, action.player) == ("deal_hole", 0)
        else action
        for action in record.actions
    )
    played = play(msgspec.structs.replace(record, actions=actions))
    assert HandMucked(seat=0) in played.events
    assert played.hand.hole_cards(0) == (CARD_UNKNOWN,) * 2
    assert played.hand.stacks == (98, 102, 100)


def test_a_hand_dealt_unseen_and_shown_is_known_by_what_it_showed() -> None:
    text = HAND.format(
        actions='"p3 f", "p1 cc", "p2 cc", "d db 3d8h9c", "p1 cc", "p2 cc", "d db Jc", "p1 cc", "p2 cc", "d db 4s", '
        '"p1 cc", "p2 cc", "p1 sm AsAh", "p2 sm KsKh"',
        final="[102, 98, 100]",
    ).replace("p1 AsAh", "p1 ????", 1)
    assert replay(read_phh(text)).outcome == "matched"


def test_heads_up_antes_and_blinds_are_listed_reversed() -> None:
    text = """
    variant = "NT"
    antes = [3, 1]
    blinds_or_straddles = [5, 10]
    min_bet = 10
    starting_stacks = [100, 200]
    actions = ["d dh p1 AsAh", "d dh p2 KsKh", "p2 f"]
    finishing_stacks = [108, 192]
    """
    assert replay(read_phh(text)).outcome == "matched"


def test_fractions_of_a_chip_become_integers_exactly() -> None:
    text = HAND.format(actions='"p3 cbr 4.05", "p1 f", "p2 f"', final="[99.9, 99.8, 100.3]")
    record = read_phh(text.replace("[1, 2, 0]", "[0.10, 0.20, 0]").replace("min_bet = 2", "min_bet = 0.2"))
    assert (record.scale, record.blinds, record.starting_stacks) == (2, (10, 20, 0), (10_000, 10_000, 10_000))
    assert replay(record).outcome == "matched"


# --- Differences ----------------------------------------------------------------------------------------------------------


def test_an_action_that_the_house_refuses_is_named() -> None:
    result = replay(hand("p3 cbr 3, p1 f, p2 f"))
    assert (result.outcome, result.rule_id, result.reason) == ("named", "BET-NL-03", "BELOW_MINIMUM")


def test_a_straddle_is_named() -> None:
    record = msgspec.structs.replace(hand("p1 f, p2 f"), blinds=(1, 2, 4))
    assert (replay(record).outcome, replay(record).rule_id) == ("named", "BET-GEN-13")


@pytest.mark.parametrize(
    ("final", "outcome"),
    [
        ("[99, 101, 100]", "mismatch"),
        ("[99, 99, 102]", "mismatch"),
        ("[99, 98, 103]", "matched"),
    ],
)
def test_stacks_that_differ_without_a_rule_are_a_mismatch(final: str, outcome: str) -> None:
    assert replay(hand("p3 cbr 6, p1 f, p2 f", final)).outcome == outcome


@pytest.mark.parametrize(
    ("final", "outcome", "rule_id"),
    [
        ("[99, 101, 100]", "matched", ""),
        ("[99, 100, 101]", "named", "POT-ODD-01"),
        ("[99, 102, 99]", "mismatch", ""),
        ("[100, 100, 100]", "mismatch", ""),
    ],
)
def test_an_odd_unit_elsewhere_is_named_and_nothing_more_is(final: str, outcome: str, rule_id: str) -> None:
    text = HAND.format(
        actions='"p3 cc", "p1 f", "p2 cc", "d db 3d8h9c", "p2 cc", "p3 cc", "d db Jc", "p2 cc", "p3 cc", "d db 4s", '
        '"p2 cc", "p3 cc", "p2 sm AhKd", "p3 sm AdKc"',
        final=final,
    )
    text = text.replace("p1 AsAh", "p1 7c2d").replace("p2 KsKh", "p2 AhKd").replace("p3 7c2d", "p3 AdKc")
    result = replay(read_phh(text))
    assert (result.outcome, result.rule_id) == (outcome, rule_id)


def test_a_record_that_breaks_off_is_a_mismatch() -> None:
    result = replay(hand("p3 f, p1 cc"))
    assert (result.outcome, "the record ends" in result.text) == ("mismatch", True)


def test_other_variants_are_unsupported() -> None:
    result = replay(msgspec.structs.replace(hand("p3 f"), variant="NS"))
    assert (result.outcome, result.text) == ("unsupported", "NS")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "variant",
        "variant = 3",
        HAND.format(actions='"p3 x"', final="[1, 2, 3]"),
        HAND.format(actions='"p4 f"', final="[1, 2, 3]"),
        HAND.format(actions='"p0 f"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 cbr -5"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 cbr 1e5"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 cbr nan"', final="[1, 2, 3]"),
        HAND.format(actions="7", final="[1, 2, 3]"),
        HAND.format(actions='"d db Xx"', final="[1, 2, 3]"),
        HAND.format(actions='"d db AsK"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 f"', final="[1, 2]"),
        HAND.format(actions='"p3 f"', final="[1, 2, -3]"),
        HAND.format(actions='"p3 f"', final="[1, 2, 1e400]"),
        HAND.format(actions='"p3 f"', final="[1, 2, 1e-400]"),
        HAND.format(actions='"p3 f"', final="[1, 2, inf]"),
        HAND.format(actions='"p3 f"', final="[1, 2, true]"),
        HAND.format(actions='"p3 f"', final='"none"'),
        "a = " + "[" * 5000,
    ],
)
def test_what_is_no_hand_is_refused_in_words(text: str) -> None:
    with pytest.raises(InputError):
        read_phh(text)


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        replay(read_phh(HAND.format(actions='"p3 f"', final="[1, 2, 3]").replace("KsKh", "AsKh")))


# --- Histories ------------------------------------------------------------------------------------------------------------


def test_proc_show_07_hidden_cards_are_written_as_unknown() -> None:
    played = play(hand("p3 f, p1 f"))
    hidden = tuple(
        msgspec.structs.replace(event, cards=(CARD_HIDDEN,) * 2)
        if isinstance(event, HoleCardsDealt) and event.seat != 0
        else event
        for event in played.events
    )
    text = write_phh(played.hand, played.rules, hidden)
    assert "d dh p1 AsAh" in text
    assert text.count("????") == 2
    assert "Ks" not in text
    assert "Ks" not in history.write_text(hidden)


def test_json_lines_come_back_as_they_were() -> None:
    events = play(hand("p3 cbr 6, p1 f, p2 f")).events
    assert history.read_json_lines(history.write_json_lines(events)) == events


@pytest.mark.parametrize("line", ["{}", '{"event": "Nonsense"}', "[", '{"event": "PlayerFolded"}'])
def test_an_event_that_nobody_knows_is_an_error(line: str) -> None:
    with pytest.raises(InputError, match="line 1"):
        history.read_json_lines(line)


def test_a_history_for_people() -> None:
    events = play(hand("p3 cbr 6, p1 f, p2 cc, d db 3d8h9c, p2 cc, p3 cbr 94, p2 cc, d db Jc, d db 4s")).events
    assert history.write_text(events, players=("Ann", "Ben", "Cat")).splitlines() == [
        "Ann posts the small blind 1",
        "Ben posts the big blind 2",
        "Ann is dealt As Ah",
        "Ben is dealt Ks Kh",
        "Cat is dealt 7c 2d",
        "Cat raises to 6",
        "Ann folds",
        "Ben calls 4",
        "Flop: 3d 8h 9c",
        "Ben checks",
        "Cat bets 94 and is all-in",
        "Ben calls 94 and is all-in",
        "Turn: Jc",
        "River: 4s",
        "Ben shows Ks Kh (one pair, kings with jack nine eight)",
        "Cat shows 7c 2d (high card, jack nine eight seven four)",
        "From the main pot of 201: Ben 201",
        "Stacks: Ann 99 (-1), Ben 201 (+101), Cat 0 (-100)",
    ]
