"""GEN-08, CARD-06, GAME-ST-17: a server that deals by other rules than its game's is caught by the client's check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import StepKind
from homegame.v1.events_pb2 import (
    BoardDealt,
    CardsBurned,
    CardsDrawn,
    CommonCardDealt,
    DeckCut,
    DeckSealed,
    HandEnded,
    HandShown,
    HandStarting,
    HandVoided,
    HoleCardsDealt,
    NightClosed,
    PlayerBet,
    PlayerFolded,
    SessionFinished,
    StubReshuffled,
    TableEvent,
    UpCardsDealt,
)
from homegame.v1.hands_pb2 import DealProof
from homegame_client.deal_log import DealKey, DealLog, check_file
from homegame_client.proof import Announced, Fault, read_deal
from homegame_engine import catalog
from homegame_server.rpc.convert_catalog import game_step
from tests.clients.proven_deals import wire_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

HIDDEN = Card.CARD_HIDDEN
START = TableEvent(number=1, hand_starting=HandStarting(hand_number=1, button=2, dealt_in=[0, 1, 2]))
CAN_RUN_SHORT = Announced(can_run_short=True)


def found(events: Sequence[TableEvent], announced: Announced = CAN_RUN_SHORT) -> set[Fault]:
    return {finding.fault for finding in read_deal([START, *events], announced).findings}


def hole_cards(n_each: int) -> list[TableEvent]:
    cards = [HIDDEN] * n_each
    return [TableEvent(hole_cards_dealt=HoleCardsDealt(seat=seat, cards=cards)) for seat in (0, 1, 2)]


def up_cards(*seats: int) -> list[TableEvent]:
    return [TableEvent(up_cards_dealt=UpCardsDealt(seat=seat, cards=[HIDDEN])) for seat in seats]


def drawn(seat: int, n_cards: int) -> TableEvent:
    cards = [HIDDEN] * n_cards
    return TableEvent(cards_drawn=CardsDrawn(seat=seat, discarded=cards, cards=cards))


def mixed(count: int) -> TableEvent:
    return TableEvent(stub_reshuffled=StubReshuffled(count=count))


def folded(seat: int) -> TableEvent:
    return TableEvent(player_folded=PlayerFolded(seat=seat))


ALL_DRAW = [drawn(0, 1), drawn(1, 1), drawn(2, 1)]
BURN = TableEvent(cards_burned=CardsBurned(count=1))
BET = TableEvent(player_bet=PlayerBet(seat=0))


# --- Reshuffles -----------------------------------------------------------------------------------------------------------


def draws(n_mixes: int) -> list[TableEvent]:
    """Three seats of 10 cards each: 22 are left, and each draws 7; the stub is mixed before whoever finds fewer."""
    events, left, out = hole_cards(10), 22, 0
    for turn in range(40):
        if left < 7:
            if not n_mixes:
                break
            events.append(mixed(out))
            n_mixes, left, out = n_mixes - 1, left + out, 0
        events.append(drawn(turn % 3, 7))
        left, out = left - 7, out + 7
    return events


def test_card_06_a_stub_is_mixed_as_often_as_orders_can_be_sealed_and_no_more() -> None:
    assert found(draws(4)) == set()
    assert found(draws(5)) == {Fault.BAD_RESHUFFLE}


def test_card_06_without_an_order_that_was_sealed_nothing_is_mixed() -> None:
    assert found(draws(1), Announced()) == {Fault.BAD_RESHUFFLE}


def test_card_06_folded_hands_are_mixed_in_and_counted() -> None:
    events = draws(1)
    place = next(i for i, event in enumerate(events) if event.HasField("stub_reshuffled"))
    seat = events[place - 1].cards_drawn.seat
    with_fold = [*events[:place], folded(seat), mixed(21 + 10), drawn((seat + 1) % 3, 7)]
    assert found(with_fold) == set()
    assert found([*events[:place], folded(seat), mixed(21), drawn((seat + 1) % 3, 7)]) == {Fault.BAD_RESHUFFLE}
    old_file = Announced(can_run_short=True, tells_folds=False)
    assert found([*events[:place], mixed(21 + 10), drawn((seat + 1) % 3, 7)], old_file) == set()
    assert found([*events[:place], mixed(21 + 31), drawn((seat + 1) % 3, 7)], old_file) == {Fault.BAD_RESHUFFLE}


def test_card_06_the_rest_of_the_stub_comes_before_the_mixed_cards() -> None:
    face = wire_cards(1, 2, 3, 4, 5, 6, 7)
    events = draws(1)
    place = next(i for i, event in enumerate(events) if event.HasField("stub_reshuffled"))
    drawer = (events[place - 1].cards_drawn.seat + 1) % 3
    last = TableEvent(cards_drawn=CardsDrawn(seat=drawer, discarded=[HIDDEN] * 7, cards=face))
    seen = read_deal([START, *events[: place + 1], last], CAN_RUN_SHORT)
    assert [one.dealt_position for one in seen.cards] == [51, *[-1] * 6]
    assert {one.places for one in seen.cards[1:]} == {frozenset(range(30))}, "each seat gave up 7 of its 10, unseen"


def test_card_06_a_card_that_was_discarded_and_mixed_may_be_dealt_again() -> None:
    """The viewer in seat 0 gives up the 2c; seat 1 gets it from the mixed stub and shows it."""
    mine = wire_cards(*range(1, 11))
    events = draws(1)
    events[0] = TableEvent(hole_cards_dealt=HoleCardsDealt(seat=0, cards=mine))
    events[3] = TableEvent(cards_drawn=CardsDrawn(seat=0, discarded=mine[:7], cards=wire_cards(*range(11, 18))))
    place = next(i for i, event in enumerate(events) if event.HasField("stub_reshuffled"))
    shown = TableEvent(hand_shown=HandShown(seat=1, cards=wire_cards(1, *range(20, 29))))
    assert Fault.CARD_TWICE not in found([*events, shown])
    assert Fault.CARD_TWICE in found([*events[:place], shown])


# --- Rounds and burns -----------------------------------------------------------------------------------------------------


def test_game_st_11_a_hand_that_folded_for_nothing_may_get_cards_until_somebody_bets() -> None:
    dealt = [*hole_cards(1), *up_cards(0, 1, 2)]
    free = [*dealt, folded(2), BURN, *up_cards(0, 1, 2)]
    assert found(free) == set()
    assert found([*dealt, folded(2), BURN, *up_cards(0, 1)]) == set()
    assert found(free, Announced(folded_hands_get_cards=False)) == {Fault.DEALT_OTHERWISE}
    assert found([*dealt, BET, folded(2), BURN, *up_cards(0, 1, 2)]) == {Fault.DEALT_OTHERWISE}
    assert found([*free, BET, BURN, *up_cards(0, 1, 2)]) == {Fault.DEALT_OTHERWISE}


@pytest.mark.parametrize(
    ("seats", "holds"), [((0, 1, 2), True), ((0, 1), False), ((0,), False), ((1, 2), False)], ids=str
)
def test_proc_deal_01_a_later_round_is_for_every_seat_that_plays(seats: tuple[int, ...], *, holds: bool) -> None:
    events = [*hole_cards(1), *up_cards(0, 1, 2), BURN, *up_cards(*seats)]
    assert (found(events) == set()) is holds


def test_game_dc_09_a_folded_seat_draws_nothing() -> None:
    assert found([*hole_cards(5), folded(1), drawn(1, 2)]) == {Fault.DEALT_OTHERWISE}


@pytest.mark.parametrize(("count", "holds"), [(1, True), (2, False), (3, True), (4, False), (0, False), (-1, False)])
def test_card_07_a_flop_comes_after_one_burn_or_three(count: int, *, holds: bool) -> None:
    flop = TableEvent(board_dealt=BoardDealt(street=1, cards=[HIDDEN] * 3))
    turn = TableEvent(board_dealt=BoardDealt(street=2, cards=[HIDDEN]))
    burned = TableEvent(cards_burned=CardsBurned(count=count))
    assert (found([*hole_cards(2), burned, flop, BURN, turn]) == set()) is holds
    assert (found([*hole_cards(2), BURN, flop, burned, turn]) == set()) is (count == 1)


# --- The steps that were announced ----------------------------------------------------------------------------------------


def announced(game_id: str, *, can_run_short: bool = False) -> Announced:
    """What a server says of a game's deal, each burn of one card."""
    steps = [game_step(step) for step in catalog.game(game_id).steps]
    for step in steps:
        if step.kind == StepKind.STEP_KIND_BURN:
            step.count = 1
    return Announced(steps=tuple(steps), can_run_short=can_run_short)


def board(*counts: int) -> list[TableEvent]:
    events = []
    for count in counts:
        events += [BURN, TableEvent(board_dealt=BoardDealt(cards=[HIDDEN] * count))]
    return events


@pytest.mark.parametrize(
    ("events", "holds"),
    [
        pytest.param([*hole_cards(2), *board(3, 1, 1)], True, id="hold'em"),
        pytest.param([*hole_cards(2), *board(3)], True, id="ends-early"),
        pytest.param(hole_cards(2), True, id="ends-at-once"),
        pytest.param([*hole_cards(3), *board(3, 1, 1)], False, id="three-private-cards"),
        pytest.param([*hole_cards(2), *hole_cards(2), *board(3, 1, 1)], False, id="private-cards-twice"),
        pytest.param([*hole_cards(2), *board(4, 1, 1)], False, id="flop-of-four"),
        pytest.param([*hole_cards(2), *board(3, 1, 1, 1)], False, id="a-street-more"),
        pytest.param([*hole_cards(2), *board(3, 1)[:-2], *board(1)[1:]], False, id="no-burn"),
        pytest.param([*hole_cards(2), *board(3), drawn(0, 2)], False, id="a-draw"),
        pytest.param([*hole_cards(2), BURN, *up_cards(0, 1, 2)], False, id="an-up-card"),
        pytest.param([*hole_cards(2), TableEvent(common_card_dealt=CommonCardDealt())], False, id="a-card-for-all"),
        pytest.param([*hole_cards(2), *board(3), BURN, *hole_cards(1)], False, id="a-private-card-later"),
    ],
)
def test_gen_08_a_deal_goes_by_the_steps_that_came_with_the_root(events: list[TableEvent], *, holds: bool) -> None:
    """Each other card than the game's moves all that follow it, and whoever knows the deck could choose by it."""
    faults = found(events, announced("HOLDEM"))
    assert (faults == set()) is holds
    assert holds or Fault.DEALT_OTHERWISE in faults


@pytest.mark.parametrize(
    ("events", "holds"),
    [
        pytest.param(
            [drawn(0, 3), drawn(1, 0), drawn(2, 5), drawn(0, 1), drawn(1, 1), drawn(2, 0)], True, id="two-draws"
        ),
        pytest.param([folded(0), *[drawn(1, 3), drawn(2, 1)] * 3], True, id="three-draws-of-two"),
        pytest.param([*ALL_DRAW, folded(0), drawn(1, 1), drawn(2, 1)], True, id="one-folded-between"),
        pytest.param([*ALL_DRAW, drawn(1, 1), drawn(2, 1)], False, id="one-passed-over"),
        pytest.param([drawn(0, 1), drawn(1, 1), drawn(0, 1)], False, id="the-last-one-passed-over"),
        pytest.param([drawn(2, 3), drawn(1, 3), drawn(0, 3), drawn(2, 3)], False, id="against-the-clock"),
        pytest.param([*ALL_DRAW * 3, drawn(0, 1)], False, id="four-draws"),
        pytest.param([BURN, drawn(0, 5)], False, id="a-burn"),
    ],
)
def test_game_dc_09_seats_draw_once_in_each_draw_and_in_turn(events: list[TableEvent], *, holds: bool) -> None:
    faults = found([*hole_cards(5), *events], announced("DEUCE_TO_SEVEN_TRIPLE", can_run_short=True))
    assert (faults == set()) is holds


def test_game_dc_09_who_draws_gets_as_many_cards_as_it_gives_up() -> None:
    more = TableEvent(cards_drawn=CardsDrawn(seat=0, discarded=[HIDDEN], cards=[HIDDEN] * 2))
    assert found([*hole_cards(5), more]) == {Fault.DEALT_OTHERWISE}
    assert found([*hole_cards(5), drawn(0, 5)], announced("FIVE_CARD_DRAW")) == set()


def test_game_st_17_one_card_for_all_comes_only_when_the_stub_has_too_few() -> None:
    streets = [*hole_cards(2), *up_cards(0, 1, 2)]
    for _ in range(3):
        streets += [BURN, *up_cards(0, 1, 2)]
    common = TableEvent(common_card_dealt=CommonCardDealt(card=HIDDEN))
    stud = announced("STUD7", can_run_short=True)
    assert found([*streets, BURN, *hole_cards(1)], stud) == set()
    assert found([*streets, BURN, common], stud) == {Fault.BAD_RESHUFFLE}


# --- Decks that were sealed before ----------------------------------------------------------------------------------------


def sealed(hand_number: int, attempt: int, number: int = 10) -> TableEvent:
    root = bytes([hand_number, attempt, number]).ljust(32)
    return TableEvent(
        number=number, deck_sealed=DeckSealed(hand_number=hand_number, attempt=attempt, root=root, dealt_in=[0, 1])
    )


CUT = TableEvent(number=11, deck_cut=DeckCut(seat=1, position=5))
STARTS = {
    hand_number: TableEvent(number=12, hand_starting=HandStarting(hand_number=hand_number, dealt_in=[0, 1]))
    for hand_number in (1, 2)
}
FIRST = TableEvent(number=1)


def dealt(hand_number: int, attempt: int, number: int = 10) -> list[TableEvent]:
    return [sealed(hand_number, attempt, number), CUT, STARTS[hand_number]]


def ended(hand_number: int) -> TableEvent:
    return TableEvent(number=13, hand_ended=HandEnded(hand_number=hand_number))


def voided(hand_number: int) -> TableEvent:
    return TableEvent(number=13, hand_voided=HandVoided(hand_number=hand_number))


@pytest.mark.parametrize(
    ("events", "key", "holds"),
    [
        pytest.param([FIRST, *dealt(1, 1), ended(1)], (1, 1), True, id="dealt"),
        pytest.param([FIRST, *dealt(1, 1), voided(1), *dealt(1, 2), ended(1)], (1, 2), True, id="voided"),
        pytest.param([FIRST, *dealt(1, 1), ended(1), *dealt(2, 1), ended(2)], (2, 1), True, id="the-next-hand"),
        pytest.param([FIRST, *dealt(1, 1), *dealt(1, 2), ended(1)], (1, 2), False, id="dropped"),
        pytest.param([FIRST, *dealt(1, 1), *dealt(2, 1), ended(2)], (2, 1), False, id="hand-dropped"),
        pytest.param([FIRST, *dealt(1, 1), *dealt(1, 1, 9), ended(1)], (1, 1), False, id="sealed-twice"),
        pytest.param([FIRST, sealed(1, 1), *dealt(1, 2), ended(1)], (1, 2), False, id="dropped-before-the-cut"),
        pytest.param([FIRST, *dealt(1, 2), ended(1)], (1, 2), False, id="a-gap"),
        pytest.param([FIRST, *dealt(1, 1), voided(1), *dealt(1, 3), ended(1)], (1, 3), False, id="a-later-gap"),
        pytest.param([FIRST, *dealt(1, 1), voided(2), *dealt(1, 2), ended(1)], (1, 2), False, id="another-void"),
        pytest.param([*dealt(1, 2), ended(1)], (1, 2), True, id="a-viewer-who-came-later"),
        pytest.param([FIRST, *dealt(1, 1), TableEvent(number=13, session_finished=SessionFinished())], (1, 1), False, id="cut"),
        pytest.param(
            [
                FIRST,
                *dealt(1, 1),
                voided(1),
                TableEvent(number=13, session_finished=SessionFinished()),
                *dealt(1, 1, 9),
                ended(1),
            ],
            (1, 1),
            True,
            id="void-and-sealed-for-a-playoff",
        ),
        pytest.param(
            [FIRST, sealed(1, 1), TableEvent(number=13, session_finished=SessionFinished()), *dealt(1, 1, 9), ended(1)],
            (1, 1),
            True,
            id="never-cut-and-sealed-for-a-playoff",
        ),
    ],
)  # fmt: skip
def test_gen_08_every_sealed_deck_is_dealt_or_voided(
    events: list[TableEvent], key: tuple[int, int], *, holds: bool
) -> None:
    """A server that drops a deck shuffles until it likes one."""
    log = DealLog("night-1", "table-1")
    for event in events:
        log.take(event)
    proof = DealProof(version=1)
    assert DealKey(*key) in log.over
    verdict = log.check(DealKey(*key), proof)
    assert (Fault.DEAL_DROPPED in verdict.faults) is not holds
    assert verdict.faults <= {Fault.DEAL_DROPPED, Fault.EVENTS_INCOMPLETE}, "a deck sealed twice has two starts"
    _, of_file = check_file(log.file_text(DealKey(*key), proof))
    assert of_file.faults == verdict.faults


def test_pts_016_a_deck_that_nobody_cut_before_the_night_closed_is_no_deal() -> None:
    log = DealLog("night-1", "table-1")
    for event in (FIRST, sealed(1, 1), TableEvent(number=11, night_closed=NightClosed())):
        log.take(event)
    assert log.over == ()


# --- Versions -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [0, 2])
def test_a_proof_of_an_unknown_version_is_not_checked_and_the_sentence_says_what_to_do(version: int) -> None:
    log = DealLog("night-1", "table-1")
    for event in (FIRST, *dealt(1, 1), ended(1)):
        log.take(event)
    verdict = log.check(DealKey(1, 1), DealProof(version=version))
    assert verdict.faults == {Fault.UNKNOWN_VERSION}
    assert not verdict.holds
    assert f"version {version}" in verdict.sentence
    assert "check it with" in verdict.sentence
    assert json.loads(log.file_text(DealKey(1, 1), DealProof(version=version)))["version"] == 2
