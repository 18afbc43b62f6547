"""Kill pots of the club: KILL-01 to KILL-07."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Call
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.kill import KillMarker, next_marker
from homegame_engine.session import NO_CUTOFF, Session
from homegame_engine.specs import LevelSpec
from tests.game_hands import of_kind
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import action_of, assert_refused, wager_range

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent

NEUTRAL = KillMarker(-1, -1)
DECK = bytes(range(52))


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("kill")))
def test_kill_examples(example: Example) -> None:
    given = example.input
    players = sorted({player for hand in given["hands"] for player in hand["winners"]})
    marker = NEUTRAL
    for hand in given["hands"]:
        marker = next_marker(
            marker,
            winners_mask=sum(1 << players.index(player) for player in hand["winners"]),
            won_bet=hand.get("won_bet", True),
            is_hi_lo=given.get("hi_lo", False),
            pot_chips=hand.get("pot", 0),
            big_blind_chips=given.get("big_blind", 0),
        )
    named = [players[seat] if seat >= 0 else None for seat in marker]
    assert named == [example.expected["leg"], example.expected["must_kill"]]


def test_kill_02_another_winner_takes_the_marker() -> None:
    marker = next_marker(KillMarker(0, 0), winners_mask=0b010)
    assert marker == KillMarker(1, -1)


def test_kill_04_a_leg_holder_who_splits_keeps_the_leg_and_kills_nothing() -> None:
    assert next_marker(KillMarker(0, -1), winners_mask=0b011) == KillMarker(0, -1)


def test_kill_04_a_killer_who_wins_again_kills_again_whatever_was_won() -> None:
    assert next_marker(KillMarker(0, 0), winners_mask=0b001, won_bet=False) == KillMarker(0, 0)


def test_a_pot_that_stays_for_a_redeal_is_won_by_nobody() -> None:
    assert next_marker(KillMarker(1, 1), winners_mask=0) == KillMarker(1, 1)


# --- At the table -----------------------------------------------------------------------------------------------------------


def club(kill: str = "FULL", game: str = "HOLDEM", structure: str = "LIMIT", n_seats: int = 3) -> Session:
    """A club table of limit at 2/4 with bets of 4 and 8, seat 0 on the button."""
    base = catalog.format_by("B1")
    level = LevelSpec(from_hand=1, small_blind=2, big_blind=4, small_bet=4, big_bet=8)
    spec = msgspec.convert(
        msgspec.to_builtins(base) | {"betting": {"structure": structure}, "levels": [], "start": {"chips": 1000}},
        type(base),
    )
    session = Session.create(
        msgspec.structs.replace(spec, levels=(level,)),
        catalog.game(game),
        msgspec.structs.replace(catalog.house("CLUB"), kill=kill),
        n_seats=n_seats,
        seated_mask=(1 << n_seats) - 1,
        first_button=0,
    )
    session.post_cutoff(NO_CUTOFF)
    return session


def play_hand(session: Session, words: str) -> list[AnyEvent]:
    """Deal and play one hand; every seat folds after the words are used up."""
    events = list(session.start_hand(1, DECK))
    for word in words.split():
        events += session.apply(session.actor, action_of(word, session.legal_actions()))
    while session.hand_is_live:
        events += session.apply(session.actor, session.timeout_action(session.actor))
    return events


def win_twice(session: Session) -> None:
    """Seat 0 raises before the flop and gets a bet from the big blind, twice in a row."""
    for _ in range(2):
        session.start_hand(1, DECK)
        while session.hand_is_live:
            seat, legal = session.actor, session.legal_actions()
            if session.hand is not None and session.hand.street == 0:
                word = "c" if "call" in legal.kinds else "k"
            else:
                word = "b" + str(legal.raise_to_min_chips) if seat == 0 and "bet" in legal.kinds else "k"
            word = "f" if seat != 0 and word == "k" and "check" not in legal.kinds else word
            session.apply(seat, action_of(word, legal))


def test_kill_01_a_full_kill_doubles_blind_and_bets() -> None:
    session = club()
    win_twice(session)
    assert session.kill_marker == KillMarker(0, 0)
    dealt = session.start_hand(1, DECK)
    posted = of_kind(dealt, ev.BlindPosted)
    assert [(event.seat, event.chips, event.blind) for event in posted if event.blind == "KILL"] == [(0, 8, "KILL")]
    (start,) = of_kind(dealt, ev.HandStarting)
    assert (start.small_bet_chips, start.big_bet_chips) == (8, 16)
    hand = session.hand
    assert hand is not None
    assert (hand.level_chips, wager_range(hand)) == (8, (16, 16))


def test_kill_01_a_half_kill_makes_them_half_as_large_again() -> None:
    session = club("HALF")
    win_twice(session)
    session.start_hand(1, DECK)
    hand = session.hand
    assert hand is not None
    assert (hand.level_chips, wager_range(hand)) == (6, (12, 12))


def test_kill_01_is_off_unless_it_is_chosen_before_the_first_hand() -> None:
    session = club("OFF")
    win_twice(session)
    assert not [event for event in of_kind(session.start_hand(1, DECK), ev.BlindPosted) if event.blind == "KILL"]
    with pytest.raises(RuleViolation, match=r"CONFIG_LOCKED.*KILL-01"):
        session.choose_kill("FULL")
    chosen = club("OFF")
    chosen.choose_kill("FULL")
    win_twice(chosen)
    assert chosen.kill_marker == KillMarker(0, 0)


def test_kill_01_is_for_limit_only() -> None:
    with pytest.raises(RuleViolation, match=r"CONFIG_INVALID.*KILL-01"):
        club("OFF", structure="NO_LIMIT").choose_kill("FULL")
    assert club("FULL", structure="NO_LIMIT").hand_rules.kill == "OFF"
    with pytest.raises(InputError, match="kill"):
        club().choose_kill("DOUBLE")


def test_kill_02_winning_the_blinds_alone_is_no_second_leg() -> None:
    session = club()
    for _ in range(2):
        session.start_hand(1, DECK)
        while session.hand_is_live:
            legal = session.legal_actions()
            wins = session.actor == 2
            word = f"r{legal.raise_to_min_chips}" if wins and "raise" in legal.kinds else "f"
            session.apply(session.actor, action_of(word, legal))
    assert session.kill_marker == KillMarker(2, -1)


def test_kill_03_the_marker_is_neutral_at_the_first_hand_of_a_new_game() -> None:
    session = club()
    assert session.kill_marker == NEUTRAL
    win_twice(session)
    session.change_game(session.format_spec, catalog.game("OMAHA"), catalog.house("CLUB"))
    assert session.kill_marker == NEUTRAL


def test_kill_05_leaving_for_a_while_keeps_a_leg_and_cashing_out_loses_it() -> None:
    session = club()
    win_twice(session)
    session.set_active(0, active=False)
    session.set_active(0, active=True)
    assert session.kill_marker.leg_seat == 0
    session.forget_leg(1)
    assert session.kill_marker.leg_seat == 0
    session.forget_leg(0)
    assert session.kill_marker == NEUTRAL


def test_kill_06_the_killer_acts_in_turn_and_has_a_live_blind() -> None:
    session = club(n_seats=4)
    win_twice(session)
    session.start_hand(1, DECK)
    hand = session.hand
    assert hand is not None
    first = (hand.big_blind_seat + 1) % 4
    assert hand.actor == first
    refused_seat = next(seat for seat in range(4) if seat != hand.actor)
    assert_refused(hand, Call(), "OUT_OF_TURN", "BET-GEN-01", seat=refused_seat)
    called = 0
    while session.actor != 0:
        session.apply(session.actor, action_of("c", session.legal_actions()))
        called += 1
    assert "raise" in session.legal_actions().kinds  # Its turn comes, although its blind was only called.
    assert session.legal_actions().call_chips == 0


def test_kill_06_a_killer_who_is_a_blind_posts_the_larger_amount_once() -> None:
    session = club()
    win_twice(session)
    assert session.button == 2  # Seat 0 has the small blind now.
    posted = of_kind(session.start_hand(1, DECK), ev.BlindPosted)
    assert [(event.seat, event.chips, event.blind) for event in posted] == [(1, 4, "BIG"), (0, 8, "KILL")]


def test_kill_06_a_killer_who_sits_a_hand_out_kills_none() -> None:
    session = club()
    win_twice(session)
    session.set_active(0, active=False)
    assert {event.blind for event in of_kind(session.start_hand(1, DECK), ev.BlindPosted)} == {"SMALL", "BIG"}


@pytest.mark.parametrize(("words", "kills"), [("f f", False), ("r8 r12 f f", True)])
def test_kill_07_in_hi_lo_a_scoop_of_five_big_blinds_kills(words: str, *, kills: bool) -> None:
    session = club(game="OMAHA8")
    play_hand(session, words)
    winner = session.kill_marker.leg_seat
    assert winner >= 0
    hand = session.hand
    assert hand is not None
    assert (sum(hand.won_chips) >= 5 * 4) is kills
    assert session.kill_marker.killer_seat == (winner if kills else -1)
