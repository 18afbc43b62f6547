"""GEN-08, PROC-FAIR-02: every way to tamper with a deal is caught by the client's check, and named."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from homegame.v1.cards_pb2 import Card
from homegame.v1.events_pb2 import HandShown, HandStarting, HoleCardsDealt, TableEvent
from homegame_client.proof import CutSeen, Fault, RootSeen, read_deal, verify_deal
from homegame_engine import deal_proof
from tests.clients.proven_deals import (
    CUT,
    CUT_NUMBER,
    DEAL,
    KEY,
    Dealt,
    Proven,
    client_openings,
    engine_context,
    proven,
    wire_cards,
)
from tests.strategies import shuffled_deck

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# --- Tampering: the order of things ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [CUT_NUMBER, CUT_NUMBER + 1])
def test_gen_08_a_root_announced_with_or_after_the_cut_is_caught(number: int) -> None:
    case = proven()
    assert faults(case.but(root=dataclasses.replace(case.root, number=number))) == {Fault.ROOT_AFTER_CUT}


def test_proc_shuf_02_a_cut_after_the_first_card_is_caught() -> None:
    case = proven()
    late = dataclasses.replace(case.cut, number=case.seen.first_card_number)
    assert faults(case.but(cut=late)) == {Fault.CUT_AFTER_DEAL}
    early = dataclasses.replace(case.cut, number=case.seen.first_card_number - 1)
    assert faults(case.but(cut=early)) == set()


@pytest.mark.parametrize("position", [-1, 0, 52])
def test_proc_shuf_02_a_cut_that_is_none_is_caught(position: int) -> None:
    """At 0 and 52 nothing moves: cards and openings agree, and still nobody cut."""
    case = proven(how=Dealt(dealt=shuffled_deck(5)))
    found = faults(case.but(cut=dataclasses.replace(case.cut, position=position)))
    assert Fault.BAD_CUT in found
    if position >= 0:
        assert found == {Fault.BAD_CUT}


@pytest.mark.parametrize(
    "name", [{"hand_number": -1}, {"hand_number": 1 << 64}, {"attempt": -1}, {"night_id": "n" * 70_000}]
)
def test_gen_08_a_deal_numbered_as_none_can_be_is_caught_and_does_not_stop_the_check(name: dict[str, Any]) -> None:
    case = proven()
    found = faults(case.but(deal=dataclasses.replace(case.deal, **name)))
    assert found - {Fault.HAND_CHANGED} == {Fault.OPENING_NOT_COMMITTED}


@pytest.mark.parametrize("n_cards", [0, 35, 51, 55, 300])
def test_card_01_a_deck_of_a_size_that_no_deck_has_is_caught(n_cards: int) -> None:
    case = proven()
    assert Fault.BAD_DECK in case.but(deal=dataclasses.replace(case.deal, n_cards=n_cards)).verdict().faults


def test_proc_shuf_02_another_cut_than_the_players_own_is_caught() -> None:
    assert proven().verdict(own_cut=CUT - 1).faults == {Fault.CUT_CHANGED}


def test_proc_shuf_02_a_cut_by_another_seat_is_caught() -> None:
    case = proven()
    for seat in (0, 2, -1):
        assert faults(case.but(cut=dataclasses.replace(case.cut, seat=seat))) == {Fault.WRONG_CUTTER}


def test_gen_08_another_hand_than_the_deck_was_sealed_for_is_caught() -> None:
    case = proven()
    for number in (0, DEAL.hand_number + 1):
        assert faults(case.but(seen=dataclasses.replace(case.seen, hand_number=number))) == {Fault.HAND_CHANGED}


@pytest.mark.parametrize("mix_root", [bytes(1), bytes(31), bytes(33)])
def test_card_06_a_root_of_reshuffles_of_another_length_is_caught(mix_root: bytes) -> None:
    case = proven()
    assert faults(case.but(root=dataclasses.replace(case.root, mix_root=mix_root))) == {Fault.BAD_ROOT}
    assert faults(case.but(root=dataclasses.replace(case.root, mix_root=bytes(32)))) == set()


def test_gen_08_other_seats_than_before_the_cut_are_caught() -> None:
    """Passing over one seat more moves every card: whoever knows deck and cut could choose by it."""
    case = proven()
    for changed in ({"button": 2}, {"dealt_in": (0, 1, 2, 3)}):
        found = faults(case.but(root=dataclasses.replace(case.root, **changed)))
        assert found - {Fault.WRONG_CUTTER} == {Fault.SEATS_CHANGED}


# --- Tampering: cards and openings ----------------------------------------------------------------------------------------


def faults(case: Proven) -> frozenset[Fault]:
    """What the verdict of a case names; every message must be a sentence for people."""
    verdict = case.verdict()
    assert verdict.holds is (not verdict.findings)
    if verdict.findings:
        assert verdict.sentence.startswith("This deal does not check out: ")
        assert verdict.findings[0].message in verdict.sentence
    return verdict.faults


def swapped(deck: bytes, one: int, two: int) -> bytes:
    order = bytearray(deck)
    order[one], order[two] = order[two], order[one]
    return bytes(order)


def test_gen_08_two_cards_swapped_after_the_seal_are_caught_though_each_opens() -> None:
    """The flop's first card changes places with one deep in the stub; the server opens what it sealed."""
    dealt = deal_proof.cut(shuffled_deck(5), CUT)
    case = proven(how=Dealt(dealt=swapped(dealt, 7, 40)))
    assert faults(case) == {Fault.CARD_OUT_OF_PLACE}


def test_gen_08_a_card_swapped_for_one_that_nobody_opens_is_caught() -> None:
    case = proven()
    board = next(i for i, one in enumerate(case.seen.cards) if one.words == "board card 1")
    unseen = next(card for card in range(1, 53) if card not in {one.card for one in case.seen.cards})
    cards = list(case.seen.cards)
    cards[board] = dataclasses.replace(cards[board], card=Card.ValueType(unseen))
    found = case.but(seen=dataclasses.replace(case.seen, cards=tuple(cards))).verdict()
    assert found.faults == {Fault.CARD_DIFFERS}
    assert "board card 1 was" in found.sentence


@pytest.mark.parametrize("index", [0, 4, 8])
def test_gen_08_an_opening_with_another_card_is_caught(index: int) -> None:
    case = proven()
    unseen = next(card for card in range(1, 53) if card not in {one.card for one in case.openings})
    assert faults(case.but_opening(index, card=Card.ValueType(unseen))) == {
        Fault.OPENING_NOT_COMMITTED,
        Fault.CARD_DIFFERS,
    }


@pytest.mark.parametrize("index", [0, 4, 8])
def test_gen_08_a_changed_salt_is_caught(index: int) -> None:
    case = proven()
    salt = case.openings[index].salt
    assert faults(case.but_opening(index, salt=bytes([salt[0] ^ 1]) + salt[1:])) == {Fault.OPENING_NOT_COMMITTED}


@pytest.mark.parametrize("level", range(6))
def test_gen_08_a_changed_path_is_caught(level: int) -> None:
    case = proven()
    path = list(case.openings[3].path)
    path[level] = path[level][:-1] + bytes([path[level][-1] ^ 0x80])
    assert faults(case.but_opening(3, path=tuple(path))) == {Fault.OPENING_NOT_COMMITTED}


@pytest.mark.parametrize("shift", [-1, 1, 32])
def test_gen_08_an_opening_at_another_position_is_caught(shift: int) -> None:
    case = proven()
    at = case.openings[0].position
    moved = case.but_opening(0, position=(at + shift) % 52)
    assert faults(moved) >= {Fault.OPENING_NOT_COMMITTED, Fault.CARD_OUT_OF_PLACE}


@pytest.mark.parametrize("shift", [-1, 1])
def test_proc_deal_01_a_deal_from_one_place_further_is_caught(shift: int) -> None:
    """Every card is genuine and was sealed, and each went to somebody else."""
    case = proven(how=Dealt(dealt=deal_proof.cut(shuffled_deck(5), CUT + shift)))
    assert Fault.CARD_OUT_OF_PLACE in faults(case)
    assert not faults(case) & {Fault.OPENING_NOT_COMMITTED, Fault.CARD_DIFFERS}


def test_proc_shuf_02_a_cut_that_was_ignored_is_caught() -> None:
    case = proven(how=Dealt(dealt=shuffled_deck(5)))
    assert faults(case) == {Fault.CARD_OUT_OF_PLACE}
    assert case.verdict().cards_checked == 0


@pytest.mark.parametrize(
    "change",
    [{"night_id": "night-2"}, {"table_id": "table-2"}, {"hand_number": 4}, {"attempt": 2}],
    ids=["night", "table", "hand", "attempt"],
)
def test_gen_08_a_commitment_replayed_from_another_deal_is_caught(change: Mapping[str, Any]) -> None:
    """The whole proof is genuine, of the deal it was made for."""
    case = proven(how=Dealt(deal=dataclasses.replace(DEAL, **change)))
    assert case.verdict().holds
    found = faults(case.but(deal=DEAL))
    assert found - {Fault.HAND_CHANGED} == {Fault.OPENING_NOT_COMMITTED}


def test_gen_08_a_root_seen_before_is_caught_even_if_the_deal_has_the_same_name() -> None:
    case = proven()
    assert case.verdict(earlier_roots={bytes(32)}).holds
    assert case.verdict(earlier_roots={case.root.root}).faults == {Fault.ROOT_REUSED}


@pytest.mark.parametrize("root", [b"", bytes(31), bytes(33)])
def test_gen_08_a_root_of_another_length_is_caught(root: bytes) -> None:
    case = proven()
    assert Fault.BAD_ROOT in faults(case.but(root=dataclasses.replace(case.root, root=root)))


def test_gen_08_an_opening_that_is_missing_is_caught() -> None:
    case = proven()
    for index in range(len(case.openings)):
        left = case.openings[:index] + case.openings[index + 1 :]
        assert faults(case.but(openings=left)) == {Fault.OPENING_MISSING}


def test_gen_08_a_position_opened_as_two_cards_is_caught() -> None:
    case = proven()
    unseen = next(card for card in range(1, 53) if card not in {one.card for one in case.openings})
    other = dataclasses.replace(case.openings[0], card=Card.ValueType(unseen))
    assert Fault.POSITION_TWICE in faults(case.but(openings=(other, *case.openings)))
    assert faults(case.but(openings=(case.openings[0], *case.openings))) == set()


def test_gen_08_a_sealed_deck_with_a_card_twice_is_caught() -> None:
    """A dishonest server can seal any 52 faces: here the flop's first card stands at its second as well."""
    dealt = deal_proof.cut(shuffled_deck(5), CUT)
    sealed = bytearray(shuffled_deck(5))
    sealed[(8 + CUT) % 52] = dealt[7]
    salts = tuple(
        deal_proof.commit(engine_context(DEAL), shuffled_deck(5), KEY).open_position(i).salt for i in range(52)
    )
    forged = deal_proof.Commitment(engine_context(DEAL), bytes(sealed), salts)
    case = proven()
    cards = tuple(
        dataclasses.replace(one, card=Card.ValueType(dealt[7] + 1)) if one.dealt_position == 8 else one
        for one in case.seen.cards
    )
    openings = client_openings(forged.open_position((one.dealt_position + CUT) % 52) for one in cards)
    twice = case.but(
        root=dataclasses.replace(case.root, root=forged.root),
        seen=dataclasses.replace(case.seen, cards=cards),
        openings=openings,
    )
    verdict = twice.verdict()
    assert verdict.faults == {Fault.CARD_TWICE}
    assert verdict.cards_checked == len(cards)


def test_gen_08_a_card_opened_that_the_viewer_never_saw_is_caught() -> None:
    """What a spectator must never get: the cards that seat 2 mucked."""
    case, mucker = proven(viewer=None), proven(viewer=2)
    assert faults(case.but(openings=mucker.openings)) == {Fault.OPENED_UNSEEN}


@pytest.mark.parametrize(
    "changed",
    [
        {"position": -1},
        {"position": 52},
        {"card": Card.CARD_HIDDEN},
        {"card": Card.CARD_FIRST_JOKER},
        {"salt": b""},
        {"salt": bytes(33)},
        {"path": ()},
        {"path": (bytes(32),) * 7},
        {"path": (bytes(31),) * 6},
    ],
    ids=str,
)
def test_gen_08_an_opening_that_cannot_be_read_is_caught(changed: Mapping[str, Any]) -> None:
    assert Fault.OPENING_MALFORMED in faults(proven().but_opening(0, **changed))


# --- Tampering: the events ------------------------------------------------------------------------------------------------


def plain_events(**changed: TableEvent) -> list[TableEvent]:
    """A deal of two seats as seat 0 sees it."""
    events = {
        "start": TableEvent(number=1, hand_starting=HandStarting(hand_number=DEAL.hand_number, dealt_in=[0, 1])),
        "mine": TableEvent(number=2, hole_cards_dealt=HoleCardsDealt(seat=0, cards=wire_cards(1, 2))),
        "theirs": TableEvent(number=3, hole_cards_dealt=HoleCardsDealt(seat=1, cards=wire_cards(0, 0))),
        "shown": TableEvent(number=4, hand_shown=HandShown(seat=1, cards=wire_cards(3, 4))),
    }
    return list((events | changed).values())


def test_gen_08_a_card_shown_with_another_face_than_dealt_is_caught() -> None:
    honest = plain_events(shown=TableEvent(number=4, hand_shown=HandShown(seat=0, cards=wire_cards(1, 2))))
    assert Fault.FACE_CHANGED not in event_faults(honest)
    changed = plain_events(shown=TableEvent(number=4, hand_shown=HandShown(seat=0, cards=wire_cards(1, 5))))
    assert Fault.FACE_CHANGED in event_faults(changed)


def test_gen_08_a_card_seen_in_two_places_is_caught() -> None:
    assert Fault.CARD_TWICE in event_faults(
        plain_events(shown=TableEvent(number=4, hand_shown=HandShown(seat=1, cards=wire_cards(3, 1))))
    )
    assert Fault.CARD_TWICE not in event_faults(plain_events())


NO_START = "the start of the hand is not in the events"
OTHER_CARDS = "the private cards are not those of the seats dealt in"


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        pytest.param([], NO_START, id="nothing"),
        pytest.param(plain_events()[1:], NO_START, id="no-start"),
        pytest.param([plain_events()[0], *plain_events()], "more than one hand starts in the events", id="two-starts"),
        pytest.param(plain_events()[:2], OTHER_CARDS, id="a-seat-without-cards"),
        pytest.param(
            plain_events(theirs=TableEvent(number=3, hole_cards_dealt=HoleCardsDealt(seat=1, cards=wire_cards(0)))),
            OTHER_CARDS,
            id="fewer-cards-for-one",
        ),
        pytest.param(
            plain_events(shown=TableEvent(number=4, hand_shown=HandShown(seat=1, cards=wire_cards(3)))),
            "seat 2 showed other cards than it was dealt",
            id="half-a-hand-shown",
        ),
        pytest.param(
            plain_events(shown=TableEvent(number=4, hand_shown=HandShown(seat=7, cards=wire_cards(3, 4)))),
            "seat 8 showed other cards than it was dealt",
            id="nobody-shows",
        ),
    ],
)
def test_proc_deal_01_events_that_do_not_tell_the_whole_deal_are_caught(
    events: Sequence[TableEvent], problem: str
) -> None:
    assert problem in {finding.message for finding in read_deal(events).findings}
    assert Fault.EVENTS_INCOMPLETE in event_faults(events)
    assert Fault.EVENTS_INCOMPLETE not in event_faults(plain_events())


def event_faults(events: Sequence[TableEvent]) -> frozenset[Fault]:
    """Faults of a deal told by these events and proved by nothing; only what the events cause is of interest."""
    root = RootSeen(number=-2, root=bytes(32), button=0, dealt_in=(0, 1))
    return verify_deal(DEAL, root, CutSeen(number=-1, seat=1, position=CUT), (), read_deal(events)).faults
