"""A session of any game: what stays in the middle, redeals, decks and sizes (HOUSE-POT-03, GAME-DC-06, CARD-03, BET-SP-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Agree, Fold
from homegame_engine.cards import full_deck, parse_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.session import NO_CUTOFF, Session
from homegame_engine.specs import LevelSpec
from tests.game_hands import of_kind
from tests.table_builders import action_of

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent

FULL = full_deck()


def table(game: str, house: str = "HOUSE_NIGHT", n_seats: int = 3, start_chips: int = 4000) -> Session:
    """A table of one game as its house plays it, seat 0 on the button."""
    session = Session.create(
        catalog.table_format(game, house, start_chips=start_chips),
        catalog.game(game),
        catalog.house(house),
        n_seats=n_seats,
        seated_mask=(1 << n_seats) - 1,
        first_button=0,
    )
    session.post_cutoff(NO_CUTOFF)
    return session


def deck_of(*hands: str) -> bytes:
    """A deck that deals these five-card hands to three seats, the one left of the button first, one card at a time."""
    cards = [parse_cards(hand) for hand in hands]
    top = [hand[i] for i in range(5) for hand in cards]
    return bytes(top + [card for card in FULL if card not in top])


def check_through(session: Session) -> list[AnyEvent]:
    """Check, stand pat and call to the end of the hand."""
    events: list[AnyEvent] = []
    while session.hand_is_live:
        legal = session.legal_actions()
        word = "k" if "check" in legal.kinds else "c"
        choice = session.timeout_action(session.actor)
        events += session.apply(session.actor, choice if "draw" in legal.kinds else action_of(word, legal))
    return events


# --- What stays in the middle -----------------------------------------------------------------------------------------------

TIED = ("AsKsQd9c7h", "AdKdQc9h7s", "AhKhQs9d7c")


def four_handed_carry() -> Session:
    """Four antes of 25; one folds, three tie: a quarter each, and the fourth stays in the middle."""
    session = table("FIVE_CARD_DRAW", n_seats=4)
    deck = [parse_cards(hand) for hand in (*TIED, "2s3s4d5h7d")]
    top = [hand[i] for i in range(5) for hand in deck]
    session.start_hand(1, bytes(top + [card for card in FULL if card not in top]))
    session.apply(0, Fold())  # HOUSE-BET-06: out of turn; the button was dealt last.
    check_through(session)
    return session


def test_pot_split_03_what_three_hands_cannot_divide_stays_in_the_middle() -> None:
    session = four_handed_carry()
    assert (session.carry_chips, session.stacks) == (25, (3975, 4000, 4000, 4000))


def test_house_pot_03_the_carry_counts_as_issued_and_is_won_with_the_next_hand() -> None:
    session = four_handed_carry()
    assert session.carry_chips == 25
    assert sum(session.stacks) + 25 == session.issued_chips
    session.start_hand(1, FULL)
    assert session.carry_chips == 0
    hand = session.hand
    assert hand is not None
    assert hand.pot_chips == 4 * 25 + 25
    for _ in range(3):
        session.apply(session.actor, Fold())
    assert session.carry_chips == 0
    assert sum(session.stacks) == session.issued_chips


def test_proc_void_02_a_void_hand_leaves_the_carry_where_it_was() -> None:
    session = four_handed_carry()
    stacks = session.stacks
    session.start_hand(1, FULL)
    session.void_hand("a card was seen")
    assert (session.carry_chips, session.stacks) == (25, stacks)


def test_pts_024_the_count_at_the_end_knows_the_carry() -> None:
    session = four_handed_carry()
    (finished,) = of_kind(session.finish("HOST"), ev.SessionFinished)
    assert sum(one.stack_chips for one in finished.placements) == session.issued_chips - 25


# --- Redeals ----------------------------------------------------------------------------------------------------------------


def test_game_dc_06_nobody_opens_and_the_same_dealer_deals_to_the_same_players() -> None:
    session = table("JACKS_TRIPS")
    session.start_hand(1, deck_of("As3s4d9c7h", "Ad3d4c9h7s", "Ah3h4s9d7c"))
    events = check_through(session)
    assert of_kind(events, ev.PotCarried) == [ev.PotCarried(chips=75, redeal_seats=(0, 1, 2))]
    assert not of_kind(events, ev.ButtonPlaced)
    assert (session.button, session.carry_chips, session.redeal_mask) == (0, 75, 0b111)
    again = session.start_hand(1, FULL)
    assert [event.chips for event in of_kind(again, ev.AntePosted)] == [25, 25, 25]  # All ante again.
    hand = session.hand
    assert hand is not None
    assert (hand.button, hand.pot_chips, session.ticked_mask) == (0, 150, 0)


def test_game_dc_06_nobody_has_trips_and_only_the_hands_at_showdown_are_dealt_in_again() -> None:
    session = table("JACKS_TRIPS")
    session.start_hand(1, deck_of("JsJd4d9c7h", "QdQs4c9h7s", "Ah3h4s9d7c"))
    session.apply(1, action_of("b25", session.legal_actions()))
    session.apply(2, action_of("c", session.legal_actions()))
    session.apply(0, Fold())
    check_through(session)
    assert (session.redeal_mask, session.carry_chips, session.button) == (0b110, 125, 0)
    (starting,) = of_kind(session.start_hand(1, FULL), ev.HandStarting)
    assert (starting.button, starting.dealt_in) == (0, (1, 2))


def test_game_dc_06_after_the_redeal_the_deal_moves_on() -> None:
    session = table("JACKS_TRIPS")
    session.start_hand(1, deck_of("As3s4d9c7h", "Ad3d4c9h7s", "Ah3h4s9d7c"))
    check_through(session)
    session.start_hand(1, deck_of("JsJdJh9c7h", "QdQs4c9h7s", "Ah3h4s9d7c"))
    session.apply(1, action_of("b25", session.legal_actions()))
    while session.hand_is_live:
        session.apply(session.actor, Fold())
    assert (session.button, session.redeal_mask, session.carry_chips, session.ticked_mask) == (1, 0, 0, 0b001)


def test_game_dc_06_a_redeal_without_two_of_its_players_is_an_ordinary_hand_for_the_pot() -> None:
    session = table("JACKS_TRIPS")
    session.start_hand(1, deck_of("JsJd4d9c7h", "QdQs4c9h7s", "Ah3h4s9d7c"))
    session.apply(1, action_of("b25", session.legal_actions()))
    session.apply(2, action_of("c", session.legal_actions()))
    session.apply(0, Fold())
    check_through(session)
    session.set_active(1, active=False)
    (starting,) = of_kind(session.start_hand(1, FULL), ev.HandStarting)
    assert starting.dealt_in == (0, 2)
    assert session.hand is not None
    assert session.hand.pot_chips == 125 + 50


# --- Divisions --------------------------------------------------------------------------------------------------------------


def test_pot_agr_01_an_agreed_division_ends_the_hand_and_moves_the_button() -> None:
    session = table("FIVE_CARD_DRAW")
    session.start_hand(1, FULL)
    for seat in (0, 1):
        session.apply(seat, Agree((25, 50, 0)))
    events = session.apply(2, Agree((25, 50, 0)))
    assert [event.shares for event in of_kind(events, ev.PotDivided)] == [(25, 50, 0)]
    assert (session.hand_is_live, session.button, session.stacks) == (False, 1, (4000, 4025, 3975))
    with pytest.raises(RuleViolation, match="HAND_OVER"):
        session.apply(0, Agree((25, 25, 25)))


# --- Decks and sizes --------------------------------------------------------------------------------------------------------


def test_card_03_a_short_deck_has_its_36_cards() -> None:
    session = table("SHORT_HOLDEM", "CLUB")
    with pytest.raises(RuleViolation, match=r"BAD_DECK.*CARD-03"):
        session.start_hand(1, FULL)
    short = bytes(range(16, 52))
    with pytest.raises(RuleViolation, match=r"BAD_DECK.*CARD-03"):
        session.start_hand(1, bytes([15, *short[1:]]))
    session.start_hand(1, short)
    hand = session.hand
    assert hand is not None
    assert hand.deck_order == short
    assert len(hand.hole_cards(0)) == 2


def test_card_01_a_deck_with_jokers_has_them_and_no_other_game_does() -> None:
    session = table("JOKER_DRAW")
    n_jokers = catalog.game("JOKER_DRAW").deck.jokers
    with pytest.raises(RuleViolation, match="BAD_DECK"):
        session.start_hand(1, FULL)
    session.start_hand(1, bytes(range(52 + n_jokers)))
    assert session.hand is not None
    assert len(session.hand.deck_order) == 52 + n_jokers
    with pytest.raises(RuleViolation, match=r"BAD_DECK.*PTS-001"):
        table("HOLDEM").start_hand(1, bytes(range(53)))


def test_card_06_orders_for_a_reshuffle_are_permutations() -> None:
    session = table("FIVE_CARD_DRAW")
    for orders in (bytes(51), bytes(52), FULL * 5):
        with pytest.raises(InputError, match="mix_orders"):
            session.start_hand(1, FULL, mix_orders=orders)
    session.start_hand(1, FULL, mix_orders=FULL * 4)


def test_game_st_02_no_more_players_than_the_deck_holds() -> None:
    format_spec = catalog.table_format("STUD7", "POINTS_NIGHT")
    with pytest.raises(RuleViolation, match="TOO_MANY_PLAYERS"):
        Session.create(
            format_spec,
            catalog.game("STUD7"),
            catalog.house("POINTS_NIGHT"),
            n_seats=8,
            seated_mask=0b1111111,
            first_button=0,
        )
    crowd = table("HOLDEM", "POINTS_NIGHT", n_seats=8)
    crowd.change_game(format_spec, catalog.game("STUD7"), catalog.house("POINTS_NIGHT"))
    with pytest.raises(RuleViolation, match=r"TOO_MANY_PLAYERS.*CARD-08"):
        crowd.start_hand(1, FULL)


def test_bet_sp_01_the_range_follows_from_the_stake() -> None:
    session = table("FIVE_CARD_DRAW")
    session.start_hand(1, FULL)
    legal = session.legal_actions()
    assert (legal.raise_to_min_chips, legal.raise_to_max_chips, legal.raise_step_chips) == (25, 100, 25)


def test_game_dc_02_the_game_changes_between_hands_only() -> None:
    session = table("FIVE_CARD_DRAW")
    session.start_hand(1, FULL)
    change = (catalog.table_format("RAZZ", "HOUSE_NIGHT"), catalog.game("RAZZ"), catalog.house("HOUSE_NIGHT"))
    with pytest.raises(RuleViolation, match="HAND_IN_PROGRESS"):
        session.change_game(*change)
    while session.hand_is_live:
        session.apply(session.actor, Fold())
    session.change_game(*change)
    dealt = session.start_hand(1, FULL)
    assert len(of_kind(dealt, ev.UpCardsDealt)) == 3


def test_equal_sessions_have_equal_bytes_and_a_carry_shows_in_them() -> None:
    one, other = four_handed_carry(), four_handed_carry()
    assert one.encode() == other.encode() == one.copy().encode()
    other.start_hand(1, FULL)
    other.void_hand("again")
    assert other.carry_chips == one.carry_chips


# --- Sizes of a level -------------------------------------------------------------------------------------------------------


def test_pts_b3_02_a_hand_is_played_by_the_ante_and_bring_in_of_its_own_level() -> None:
    first = LevelSpec(from_hand=1, ante=1, bring_in=2, small_bet=4, big_bet=8)
    later = LevelSpec(from_hand=2, ante=2, bring_in=4, small_bet=8, big_bet=16)
    session = Session.create(
        msgspec.structs.replace(catalog.table_format("STUD7", "CLUB"), levels=(first, later)),
        catalog.game("STUD7"),
        catalog.house("CLUB"),
        n_seats=3,
        seated_mask=0b111,
        first_button=0,
    )
    session.post_cutoff(NO_CUTOFF)
    assert session.played_rules is None
    said = []
    for _ in range(2):
        (start,) = of_kind(session.start_hand(1, FULL), ev.HandStarting)
        said.append((start.game_id, start.ante_chips, start.bring_in_chips, start.small_bet_chips, start.big_bet_chips))
        while session.hand_is_live:
            session.apply(session.actor, session.timeout_action(session.actor))
        rules = session.played_rules
        assert rules is not None
        assert (rules.ante_chips, rules.bring_in_chips, rules.small_bet_chips) == (*said[-1][1:4],)
    assert said == [("STUD7", 1, 2, 4, 8), ("STUD7", 2, 4, 8, 16)]
