"""PROC-FAIR-02: what a player saw of a deal checks out at home, by a check that shares no code with engine or server."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homegame.v1.cards_pb2 import Card
from homegame.v1.events_pb2 import BoardDealt, CardsBurned, HandStarting, HoleCardsDealt, TableEvent
from homegame_client.proof import (
    CANNOT_SHOW,
    CutSeen,
    DealId,
    Fault,
    Opening,
    RootSeen,
    SeenCard,
    read_deal,
    verify_deal,
)
from tests.clients.proven_deals import CUT, Dealt, proven, wire_cards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
VECTORS = json.loads((ROOT / "tests" / "vectors" / "deal_proof" / "vectors.json").read_text(encoding="ascii"))
GUIDE = (ROOT / "docs" / "deal-proof.md").read_text(encoding="utf-8")


# --- Deals that hold ------------------------------------------------------------------------------------------------------


def test_proc_fair_02_a_player_checks_own_cards_board_and_shown_hands() -> None:
    verdict = proven(viewer=1).verdict(own_cut=CUT)
    assert verdict.holds
    assert verdict.findings == ()
    assert verdict.cards_checked == 5 + 2 * 2
    assert verdict.sentence == "All 9 cards you saw were fixed before the cut (at 17) and dealt from the right place."
    assert verdict.cannot_show == CANNOT_SHOW


@pytest.mark.parametrize(("viewer", "cards"), [(None, 9), (0, 9), (2, 11)])
def test_proc_fair_02_each_viewer_checks_what_it_saw(viewer: int | None, cards: int) -> None:
    """Seat 2 mucked at the showdown: its cards are its own to check and nobody else's."""
    verdict = proven(viewer=viewer).verdict()
    assert (verdict.holds, verdict.cards_checked) == (True, cards)


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_proc_fair_02_an_honest_deal_holds_whoever_sits_where_and_wherever_it_is_cut(data: st.DataObject) -> None:
    n_seats = data.draw(st.integers(2, 10), label="seats")
    how = Dealt(
        words="c " * (n_seats - 1) + "k",
        n_seats=n_seats,
        button=data.draw(st.integers(0, n_seats - 1), label="button"),
        cut_position=data.draw(st.integers(1, 51), label="cut"),
        house=data.draw(st.sampled_from(["CLUB", "CASH_NIGHT"]), label="house"),
        seed=data.draw(st.integers(0, 1000), label="seed"),
    )
    case = proven(data.draw(st.sampled_from([None, *range(n_seats)]), label="viewer"), how)
    verdict = case.verdict()
    assert verdict.findings == ()
    assert verdict.cards_checked == len(case.openings) == len(case.seen.cards)


def test_proc_fair_02_without_a_card_there_is_nothing_to_check_and_the_verdict_says_so() -> None:
    verdict = proven(None, Dealt(words="f f")).verdict()
    assert (verdict.holds, verdict.cards_checked) == (True, 0)
    assert verdict.sentence == "You saw no card of this deal, so there was nothing to check."


def test_card_07_a_verdict_says_where_the_steps_of_the_deal_were_not_announced() -> None:
    """Nights of servers that did not announce them."""
    case = proven()
    verdict = case.but(seen=dataclasses.replace(case.seen, has_steps=False)).verdict()
    assert verdict.holds
    assert "the right place. The steps of the deal were not announced" in verdict.sentence


def test_gen_08_a_verdict_says_how_many_cards_had_one_place_and_how_many_had_several() -> None:
    case = proven()
    first, second, *others = case.seen.cards

    def sentence(*cards: SeenCard) -> str:
        return case.but(seen=dataclasses.replace(case.seen, cards=cards)).verdict().sentence

    several = {
        one: dataclasses.replace(one, dealt_position=-1, places=frozenset({one.dealt_position, 51}))
        for one in case.seen.cards
    }
    assert "and 7 of them dealt from the right place, 2 from one of the places" in sentence(
        several[first], several[second], *others
    )
    assert "and dealt from one of the places where each may have lain." in sentence(*several.values())


def test_proc_shuf_02_a_cut_drawn_by_the_server_is_said_so() -> None:
    case = proven()
    verdict = case.but(cut=dataclasses.replace(case.cut, by_clock=True)).verdict()
    assert verdict.holds
    assert "drawn by the server" in verdict.sentence


def test_proc_fair_02_seats_that_pass_the_deal_get_no_number() -> None:
    """Seats 1 and 4 of 6 are out and so is the button's: the first card goes to the next one clockwise that is in."""
    seen = read_deal(
        [
            TableEvent(number=1, hand_starting=HandStarting(hand_number=1, button=4, dealt_in=[0, 2, 3, 5])),
            *(
                TableEvent(
                    number=2, hole_cards_dealt=HoleCardsDealt(seat=seat, cards=wire_cards(seat * 2 + 1, seat * 2 + 2))
                )
                for seat in (5, 0, 2, 3)
            ),
            TableEvent(number=3, cards_burned=CardsBurned(count=3)),
            TableEvent(number=4, board_dealt=BoardDealt(street=1, cards=wire_cards(50, 51, 52))),
        ]
    )
    assert {one.words: one.dealt_position for one in seen.cards} == {
        "card 1 of seat 6": 0,
        "card 1 of seat 1": 1,
        "card 1 of seat 3": 2,
        "card 1 of seat 4": 3,
        "card 2 of seat 6": 4,
        "card 2 of seat 1": 5,
        "card 2 of seat 3": 6,
        "card 2 of seat 4": 7,
        "board card 1": 11,
        "board card 2": 12,
        "board card 3": 13,
    }
    assert seen.findings == ()


def test_every_fault_is_caught_by_a_test() -> None:
    tests = (Path(__file__).with_name(name) for name in ("test_proof_tampering.py", "test_proof_rules.py"))
    text = "".join(test.read_text(encoding="utf-8") for test in tests)
    assert [fault for fault in Fault if f"Fault.{fault}" not in text] == []
    assert [fault for fault in Fault if f"`{fault}`" not in GUIDE] == []


# --- Vectors and the guide ------------------------------------------------------------------------------------------------


def checked_by_client(fields: Mapping[str, Any], root: str, opening: Mapping[str, Any]) -> bool:
    """Whether the SDK accepts one opening of the vectors: the only fault left is that nobody saw the card."""
    deal = DealId(
        night_id=fields["night_id"],
        table_id=fields["table_id"],
        hand_number=int(fields["hand_number"]),
        attempt=fields["attempt"],
    )
    one = Opening(
        position=opening["position"],
        card=Card.ValueType(opening["card"] + 1),
        salt=bytes.fromhex(opening["salt"]),
        path=tuple(bytes.fromhex(part) for part in opening["path"]),
    )
    seen = read_deal([TableEvent(number=1, hand_starting=HandStarting(hand_number=deal.hand_number, dealt_in=[0, 1]))])
    published = RootSeen(number=-2, root=bytes.fromhex(root), button=0, dealt_in=(0, 1))
    verdict = verify_deal(deal, published, CutSeen(number=-1, seat=1, position=CUT), [one], seen)
    return verdict.faults == {Fault.OPENED_UNSEEN}


def checked_by_guide(fields: Mapping[str, Any], root: str, opening: Mapping[str, Any]) -> bool:
    """Whether the checker printed in the guide accepts it."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    printed: dict[str, Any] = {}
    exec(code, printed)  # noqa: S102 - the guide's own text, so that what is printed is what is tested
    context = printed["context"](fields["night_id"], fields["table_id"], int(fields["hand_number"]), fields["attempt"])
    path = [bytes.fromhex(part) for part in opening["path"]]
    salt = bytes.fromhex(opening["salt"])
    return bool(printed["holds"](bytes.fromhex(root), context, opening["position"], opening["card"], salt, path))


@pytest.mark.parametrize("check", [checked_by_client, checked_by_guide], ids=["client", "guide"])
def test_gen_08_independent_checkers_agree_with_the_vectors(check: Any) -> None:  # noqa: ANN401 - two functions
    for deal in VECTORS["deals"]:
        for opening in deal["openings"]:
            assert check(deal["context"], deal["root"], opening), (deal["name"], opening["position"])
    for case in VECTORS["refused"]:
        assert not check(case["context"], case["root"], case["opening"]), case["name"]


@pytest.mark.parametrize("deal", VECTORS["deals"], ids=lambda deal: str(deal["name"]))
def test_proc_deal_01_the_client_counts_cards_as_the_vectors_do(deal: Mapping[str, Any]) -> None:
    layout = deal["layout"]
    hidden = Card.CARD_HIDDEN
    order = bytes.fromhex(deal["dealt_order"])
    assert order[0] == bytes.fromhex(deal["deck_order"])[deal["cut_position"]]

    def faces(places: Sequence[int]) -> list[Card.ValueType]:
        return [Card.ValueType(order[place] + 1) for place in places]

    viewer = layout["dealt_in"][1]
    events = [TableEvent(hand_starting=HandStarting(button=layout["button"], dealt_in=layout["dealt_in"]))]
    for seat in layout["dealt_in"]:
        cards = faces(layout["hole_cards"][str(seat)]) if seat == viewer else [hidden, hidden]
        events.append(TableEvent(hole_cards_dealt=HoleCardsDealt(seat=seat, cards=cards)))
    for burns, board in zip(layout["burns"], layout["board"], strict=True):
        events.append(TableEvent(cards_burned=CardsBurned(count=len(burns))))
        events.append(TableEvent(board_dealt=BoardDealt(cards=faces(board))))
    seen = read_deal(events)
    expected = [*layout["hole_cards"][str(viewer)], *(place for street in layout["board"] for place in street)]
    assert [one.dealt_position for one in seen.cards] == expected
    assert [one.card for one in seen.cards] == faces(expected)
