"""GEN-03 to GEN-06: exact amounts, conservation, the locked posting and its acknowledgement."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import homegame_engine
from homegame_engine import events as ev
from homegame_engine.actions import AnyAction, Bet, Call, Raise
from homegame_engine.errors import InputError, InvariantError
from homegame_engine.night import inputs as inp
from homegame_engine.reasons import Reason
from tests.night_builders import (
    HOST,
    MINUTE_MS,
    NOON_MS,
    NightTable,
    announcement,
    event_of,
    events_of,
    person,
    points_table,
)

ENGINE = Path(homegame_engine.__file__).resolve().parent
KEEPS_CHIPS = ["betting.pyx", "hand.pyx", "pots.pyx", "session.pyx"]


# --- GEN-03 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [4.0, 4.5, float("nan"), "4", True])
def test_gen_03_an_amount_that_is_no_integer_is_refused(amount: object) -> None:
    table = points_table(3)
    table.deal()
    before = table.night.encode()
    amounts: dict[str, Any] = {"to_chips": amount}
    for action in (Raise(**amounts), Bet(**amounts)):
        with pytest.raises(InputError):
            table.act(action)
        assert table.night.encode() == before


@pytest.mark.parametrize("text", ['{"kind":"raise","to_chips":4.5}', '{"kind":"raise","to_chips":"4"}'])
def test_gen_03_a_stored_amount_that_is_no_integer_is_not_read(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=AnyAction)


@pytest.mark.parametrize("amount", [2**63, -(2**63), 2**200, -(10**40)])
def test_gen_03_an_amount_beyond_every_stack_overflows_nowhere(amount: int) -> None:
    table = points_table(3)
    table.deal()
    expected = Reason.INSUFFICIENT_STACK if amount > 0 else Reason.BAD_INCREMENT
    rule_id = "BET-GEN-09" if amount > 0 else "BET-FL-02"
    for action in (Raise(to_chips=amount), Raise(by_chips=amount)):
        table.refuse_act(action, expected, rule_id)
    table.refuse_act(Call(call_chips=amount), Reason.STALE_AMOUNT, "BET-NL-11")


def test_gen_03_every_amount_of_every_event_is_an_integer() -> None:
    table = points_table(3)
    table.deal({0: "As Kd", 1: "Ah Kc", 2: "Qs Qd"}, "Ad Kh 9s 9h 4d")
    table.play("r4 r6 f c k k k k k k s s")

    pending: list[object] = [msgspec.to_builtins(event) for event in table.events]
    while pending:
        value = pending.pop()
        assert not isinstance(value, float)
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list | tuple):
            pending += value


@pytest.mark.parametrize("name", KEEPS_CHIPS)
def test_gen_03_what_counts_chips_knows_no_floating_point(name: str) -> None:
    code = re.sub(r"#.*|\"\"\"(?:.|\n)*?\"\"\"|\"[^\"\n]*\"", "", (ENGINE / name).read_text(encoding="utf-8"))
    assert not re.findall(r"\bfloat\b|\bdouble\b|[^/]/[^/]", code)


@pytest.mark.parametrize("path", sorted((ENGINE / "night").glob("*.py")), ids=lambda path: path.name)
def test_gen_03_a_night_divides_nothing(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Div)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)]


# --- GEN-04 -----------------------------------------------------------------------------------------------------------------


def test_gen_04_stacks_and_pot_are_the_chips_issued_at_every_step() -> None:
    table = points_table(4)
    for words in ("r4 r6 r8 f c c", "b2 r4 c c", "k b4 c f", "b4 c"):
        if not table.session.hand_is_live:
            table.deal()
        for word in words.split():
            table.act(word)
            hand = table.session.hand
            assert hand is not None
            assert sum(hand.stacks) + hand.pot_chips == 400


def test_gen_04_a_breach_is_our_bug_and_no_refusal() -> None:
    assert InvariantError("chips are not conserved").reason == Reason.INVARIANT_BROKEN


# --- GEN-05 -----------------------------------------------------------------------------------------------------------------


def test_gen_05_what_is_posted_can_change_before_the_first_card_and_is_locked_then() -> None:
    table = NightTable(announcement(n_seats=4))
    table.seat(0, 1)
    table.give(inp.PostCutoff(participant_id=HOST, cutoff_at_ms=NOON_MS + 30 * MINUTE_MS))
    table.give(inp.RecordReadAloud(participant_id=HOST))
    table.open()
    table.refuse(
        inp.PostCutoff(participant_id=HOST, cutoff_at_ms=NOON_MS + 60 * MINUTE_MS), Reason.CONFIG_LOCKED, "GEN-05"
    )
    table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.CONFIG_LOCKED, "GEN-05")
    table.give(inp.JoinNight(participant_id="late", name="Late"))
    table.refuse(inp.TakeSeat(participant_id="late", seat=3), Reason.CONFIG_LOCKED, "GEN-05")


def test_gen_05_only_the_host_posts() -> None:
    table = NightTable(announcement(cutoff_at_ms=None))
    table.seat(0, 1)
    given: list[inp.AnyInput] = [
        inp.PostCutoff(participant_id=person(0), cutoff_at_ms=NOON_MS + MINUTE_MS),
        inp.RecordReadAloud(participant_id=person(0)),
        inp.OpenNight(participant_id=person(0), button_draw=0),
    ]
    for refused in given:
        table.refuse(refused, Reason.NOT_HOST)


def test_gen_05_the_specs_are_in_the_first_row_so_that_later_files_change_nothing() -> None:
    table = points_table(2)
    stored = msgspec.json.decode(msgspec.json.encode(table.rows[0].given), type=inp.CreateNight)
    assert stored == table.created
    assert stored.format.levels == table.created.format.levels


# --- GEN-06 -----------------------------------------------------------------------------------------------------------------


def test_gen_06_nobody_can_acknowledge_an_incomplete_posting() -> None:
    table = NightTable(announcement(cutoff_at_ms=None))
    table.seat(0, 1)
    table.refuse(inp.AcknowledgePosting(participant_id=person(0)), Reason.POSTING_INCOMPLETE, "GEN-06")
    table.refuse(inp.RecordReadAloud(participant_id=HOST), Reason.POSTING_INCOMPLETE, "GEN-06")


def test_gen_06_play_begins_when_everybody_seated_has_acknowledged() -> None:
    table = NightTable(announcement())
    table.seat(0, 2)
    table.give(inp.JoinNight(participant_id="slow", name="Slow"))
    table.give(inp.TakeSeat(participant_id="slow", seat=1))
    refused = table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.ACK_MISSING, "GEN-06")
    assert dict(getattr(refused, "facts", {})) == {"seat": 1}
    assert event_of(table.give(inp.AcknowledgePosting(participant_id="slow")), ev.PostingAcknowledged).seat == 1
    assert table.give(inp.AcknowledgePosting(participant_id="slow")) == ()
    table.open()


def test_gen_06_the_host_may_record_that_it_was_read_aloud() -> None:
    table = NightTable(announcement())
    for seat in (0, 1, 2):
        table.give(inp.JoinNight(participant_id=person(seat), name=str(seat)))
        table.give(inp.TakeSeat(participant_id=person(seat), seat=seat))
    table.give(inp.AcknowledgePosting(participant_id=person(1)))
    heard = events_of(table.give(inp.RecordReadAloud(participant_id=HOST)), ev.PostingAcknowledged)
    assert [event.seat for event in heard] == [0, 2]
    # Who sits down afterwards has not heard it.
    table.give(inp.JoinNight(participant_id=person(3), name="3"))
    table.give(inp.TakeSeat(participant_id=person(3), seat=3))
    table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.ACK_MISSING, "GEN-06")


def test_gen_06_a_new_cutoff_must_be_read_again() -> None:
    table = NightTable(announcement())
    table.seat(0, 1)
    table.give(inp.PostCutoff(participant_id=HOST, cutoff_at_ms=NOON_MS + 20 * MINUTE_MS))
    table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.ACK_MISSING, "GEN-06")


def test_gen_06_who_gets_up_and_sits_down_again_acknowledges_again() -> None:
    table = NightTable(announcement())
    table.seat(0, 1)
    table.give(inp.LeaveSeat(participant_id=person(0)))
    table.give(inp.TakeSeat(participant_id=person(0), seat=4))
    table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.ACK_MISSING, "GEN-06")
    table.refuse(inp.AcknowledgePosting(participant_id=HOST), Reason.NOT_YOUR_ROLE)
