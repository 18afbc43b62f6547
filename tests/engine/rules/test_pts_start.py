"""PTS-001 to PTS-004 and PTS-006: what a points night starts with. PROC-SHUF-01: a full deck for each hand."""

from __future__ import annotations

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.cards import CARD_UNKNOWN, full_deck
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.night import Night
from homegame_engine.night import inputs as inp
from homegame_engine.night.sheet import START_RACKS, check_equal_start
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
    points_session,
    points_table,
)

DECK = full_deck()


# --- PTS-001 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deck_order",
    [
        pytest.param(DECK[:51], id="one card short"),
        pytest.param(DECK + DECK[:1], id="one card too many"),
        pytest.param(DECK[:51] + DECK[:1], id="a card twice"),
        pytest.param(DECK[:51] + bytes([52]), id="a joker"),
        pytest.param(bytes([CARD_UNKNOWN]) + DECK[1:], id="a card nobody knows"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_pts_001_only_one_whole_deck_is_dealt_from(deck_order: bytes) -> None:
    table = points_table(3)
    table.refuse(inp.StartHand(deck_order=deck_order), Reason.BAD_DECK, "PTS-001")
    table.deal()


def test_pts_001_any_order_of_the_52_cards_is_a_deck() -> None:
    session = points_session(10)
    session.start_hand(NOON_MS, DECK[::-1])
    assert session.hand is not None
    held = [card for seat in range(10) for card in session.hand.hole_cards(seat)]
    assert sorted(held) == list(range(32, 52))


def test_pts_001_racks_of_ones_fives_and_twenty_fives() -> None:
    assert START_RACKS[100].chips == 100


def test_proc_shuf_01_b65_every_hand_starts_with_a_full_fresh_deck() -> None:
    session = points_session(10)
    for number in range(30):
        order = DECK[number:] + DECK[:number]
        happened = session.start_hand(NOON_MS, order)
        dealt = events_of(happened, ev.HoleCardsDealt)
        first_seat = (session.button + 1) % 10
        assert [event.cards[0] for event in dealt] == list(order[:10])
        assert dealt[0].seat == first_seat
        session.void_hand("next")


# --- PTS-002 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chips", [100, 40, 200, 20])
def test_pts_002_everyone_starts_with_the_posted_stack(chips: int) -> None:
    table = points_table(4, n_seats=6, start_chips=chips)
    assert table.chips == (chips,) * 4 + (0, 0)
    assert table.session.issued_chips == 4 * chips
    assert START_RACKS[chips].chips == chips


def test_pts_002_the_format_says_100() -> None:
    assert catalog.format_by("B1").start.chips == 100


def test_pts_002_an_unequal_start_is_refused() -> None:
    check_equal_start((100, 0, 100), 100)
    with pytest.raises(RuleViolation) as caught:
        check_equal_start((100, 0, 99), 100)
    assert (caught.value.reason, caught.value.rule_id) == (Reason.UNEQUAL_START, "PTS-002")
    assert dict(caught.value.facts) == {"seat": 2, "stack_chips": 99, "start_chips": 100}


# --- PTS-003 ----------------------------------------------------------------------------------------------------------------


def test_pts_003_no_card_without_a_posted_cutoff() -> None:
    table = NightTable(announcement(cutoff_at_ms=None))
    table.seat(0, 1)
    table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.CUTOFF_MISSING, "PTS-003")
    table.give(inp.PostCutoff(participant_id=HOST, cutoff_at_ms=NOON_MS + MINUTE_MS))
    table.give(inp.RecordReadAloud(participant_id=HOST))
    table.open()


def test_pts_003_a_session_without_a_cutoff_deals_nothing() -> None:
    session = points_session(2)
    session.post_cutoff(NOON_MS)
    refusal = session.deal_refusal(NOON_MS)
    assert refusal is not None
    assert refusal.reason == Reason.CUTOFF_PASSED
    with pytest.raises(InputError):
        session.post_cutoff(0)


def test_pts_003_the_default_is_45_minutes() -> None:
    assert catalog.format_by("B1").cutoff.minutes == 45


@pytest.mark.parametrize("cutoff_at_ms", [NOON_MS - 1, NOON_MS, 0, -5])
def test_pts_003_a_cutoff_lies_ahead(cutoff_at_ms: int) -> None:
    table = NightTable(announcement(cutoff_at_ms=None))
    table.refuse(inp.PostCutoff(participant_id=HOST, cutoff_at_ms=cutoff_at_ms), Reason.CUTOFF_IN_PAST)
    with pytest.raises(RuleViolation) as caught:
        Night.create(announcement(cutoff_at_ms=cutoff_at_ms), NOON_MS)
    assert caught.value.reason == Reason.CUTOFF_IN_PAST


@pytest.mark.parametrize("cutoff_at_ms", [2**63 - 1, 2**63, 2**64, 10**30])
def test_pts_003_a_cutoff_beyond_every_calendar_is_the_callers_mistake(cutoff_at_ms: int) -> None:
    table = NightTable(announcement(cutoff_at_ms=None))
    before = table.night.encode()
    with pytest.raises(InputError):
        table.night.apply(inp.PostCutoff(participant_id=HOST, cutoff_at_ms=cutoff_at_ms), NOON_MS)
    with pytest.raises(InputError):
        Night.create(announcement(cutoff_at_ms=cutoff_at_ms), NOON_MS)
    assert table.night.encode() == before


# --- PTS-004 ----------------------------------------------------------------------------------------------------------------


def test_pts_004_blinds_are_1_and_2_in_every_hand() -> None:
    table = points_table(3)
    for _ in range(20):
        table.deal()
        posted = events_of(table.rows[-1].events, ev.BlindPosted)
        assert [(event.blind, event.chips) for event in posted] == [("SMALL", 1), ("BIG", 2)]
        starting = event_of(table.rows[-1].events, ev.HandStarting)
        assert (starting.small_bet_chips, starting.big_bet_chips) == (2, 4)
        table.fold_out()


def test_pts_004_what_is_posted_is_locked_once_play_has_begun() -> None:
    table = points_table(3)
    later = inp.PostCutoff(participant_id=HOST, cutoff_at_ms=NOON_MS + 90 * MINUTE_MS)
    table.refuse(later, Reason.CONFIG_LOCKED, "GEN-05")
    with pytest.raises(InputError):  # A night is announced once: no second posting with other blinds.
        table.night.apply(announcement(), table.now_ms)


# --- PTS-006 ----------------------------------------------------------------------------------------------------------------


def test_pts_006_one_player_is_too_few() -> None:
    table = NightTable()
    table.seat(0)
    table.refuse(inp.OpenNight(participant_id=HOST, button_draw=0), Reason.TOO_FEW_PLAYERS, "PTS-006")
    table.seat(1)
    table.open()


def test_pts_006_the_eleventh_player_finds_no_seat() -> None:
    table = NightTable(announcement(n_seats=10))
    table.seat(*range(10))
    table.give(inp.JoinNight(participant_id="player-10", name="Eleventh"))
    table.refuse(inp.TakeSeat(participant_id=person(10)), Reason.TOO_MANY_PLAYERS, "PTS-006")
    table.open()
    table.deal()
    assert event_of(table.rows[-1].events, ev.HandStarting).dealt_in == tuple(range(10))


@pytest.mark.parametrize("n_seats", [-1, 0, 1, 11, 10**9])
def test_pts_006_no_table_has_fewer_than_two_or_more_than_ten_seats(n_seats: int) -> None:
    with pytest.raises(InputError):
        Night.create(announcement(n_seats=n_seats), NOON_MS)


@pytest.mark.parametrize(("seated", "reason"), [([], "TOO_FEW_PLAYERS"), ([3], "TOO_FEW_PLAYERS")])
def test_pts_006_a_session_refuses_too_few(seated: list[int], reason: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        points_session(4, seated=seated, first_button=3)
    assert caught.value.reason == reason


def test_pts_006_a_session_refuses_more_than_the_format_takes() -> None:
    spec = catalog.format_by("B1")
    spec = msgspec.structs.replace(spec, players=msgspec.structs.replace(spec.players, max=3))
    create = points_session(4).create
    with pytest.raises(RuleViolation) as caught:
        create(
            spec, catalog.game("HOLDEM"), catalog.house("POINTS_NIGHT"), n_seats=4, seated_mask=0b1111, first_button=0
        )
    assert (caught.value.reason, caught.value.rule_id) == (Reason.TOO_MANY_PLAYERS, "PTS-006")


def test_pts_006_a_hand_needs_two_who_take_part() -> None:
    table = points_table(2)
    table.give(inp.SitOut(participant_id=person(1)))
    table.refuse(inp.StartHand(deck_order=DECK), Reason.TOO_FEW_PLAYERS, "PTS-006")
    table.give(inp.SitIn(participant_id=person(1)))
    table.deal()
