"""Histories: every event as a line for people, and as JSON lines that come back; hidden cards stay hidden."""

from __future__ import annotations

import msgspec
import pytest

from homegame_engine import events as ev
from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN, parse_card, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.notation import history
from homegame_engine.notation.phh_writing import write_phh
from homegame_engine.notation.replay import play
from tests.engine.golden.test_phh import hand

PLAYERS = ("Ann", "Ben", "Cat")
HIDDEN = (CARD_HIDDEN, CARD_HIDDEN)


def test_proc_show_07_hidden_cards_are_written_as_unknown() -> None:
    played = play(hand("p3 f, p1 f"))
    hidden = tuple(
        msgspec.structs.replace(event, cards=(CARD_HIDDEN,) * 2)
        if isinstance(event, ev.HoleCardsDealt) and event.seat != 0
        else event
        for event in played.events
    )
    text = write_phh(played.hand, played.rules, hidden, game=played.game)
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
    assert history.write_text(events, players=PLAYERS).splitlines() == [
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


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ev.AntePosted(seat=0, chips=1, all_in=True), "Ann posts the ante 1 and is all-in"),
        (ev.BringInPosted(seat=1, chips=1, all_in=False), "Ben brings in for 1"),
        (ev.UpCardsDealt(seat=2, cards=parse_cards("Th")), "Cat is dealt Th face up"),
        (ev.CardsDrawn(seat=0, discarded=(), cards=()), "Ann stands pat"),
        (ev.CardsDrawn(seat=0, discarded=HIDDEN, cards=HIDDEN), "Ann draws two cards"),
        (ev.CardsDrawn(seat=0, discarded=(CARD_UNKNOWN,), cards=(CARD_UNKNOWN,)), "Ann draws one card"),
        (
            ev.CardsDrawn(seat=0, discarded=parse_cards("KhKs"), cards=parse_cards("2c3d")),
            "Ann draws two cards: Kh Ks for 2c 3d",
        ),
        (ev.ChoiceMade(seat=1, choice="DISCARD", cards=HIDDEN), "Ben discards two cards"),
        (ev.ChoiceMade(seat=1, choice="DISCARD"), "Ben discards cards"),
        (ev.ChoiceMade(seat=1, choice="DISCARD", cards=parse_cards("2c")), "Ben discards one card: 2c"),
        (ev.ChoiceMade(seat=1, choice="PASS", cards=HIDDEN), "Ben passes two cards"),
        (ev.ChoiceMade(seat=1, choice="DECLARE"), "Ben has declared"),
        (ev.CardsPassed(from_seat=0, seat=1, cards=HIDDEN), "Ben gets two cards from Ann"),
        (ev.CardsPassed(from_seat=0, seat=1, cards=parse_cards("2c3d")), "Ben gets two cards from Ann: 2c 3d"),
        (
            ev.HalvesDeclared(declarations=(ev.Declaration(seat=0, half="LOW"), ev.Declaration(seat=2, half="BOTH"))),
            "Declared: Ann low, Cat both",
        ),
        (ev.StubReshuffled(count=12), "The stub runs short; 12 cards are mixed into a new one"),
        (ev.CommonCardDealt(card=parse_card("9s")), "Common card: 9s"),
        (
            ev.LayerAwarded(layer=0, chips=32, shares=(ev.Share(seat=0, chips=32),), odd_units=0, part="HIGH"),
            "From the high half of the main pot of 32: Ann 32",
        ),
        (
            ev.LayerAwarded(
                layer=1,
                chips=31,
                shares=(ev.Share(seat=1, chips=16), ev.Share(seat=0, chips=15)),
                odd_units=1,
                part="LOW",
            ),
            "From the low half of side pot 1 of 31: Ben 16, Ann 15",
        ),
        (ev.PotCarried(chips=3), "3 stay for the next hand"),
        (ev.PotCarried(chips=40, redeal_seats=(0, 2)), "40 stay for a redeal: Ann, Cat"),
        (ev.DivisionNamed(seat=0, shares=(10, 0, 30)), "Ann names a division of the pot: Ann 10, Cat 30"),
        (ev.DivisionNamed(seat=0, shares=()), "Ann takes back the division of the pot"),
        (ev.PotDivided(shares=(10, 0, 30)), "The pot is divided as agreed: Ann 10, Cat 30"),
    ],
)
def test_every_event_of_a_card_game_has_its_line(event: ev.AnyEvent, line: str) -> None:
    assert history.write_text((event,), players=PLAYERS) == line + "\n"


@pytest.mark.parametrize(
    ("blinds", "bets", "words"),
    [((1, 2), (2, 4), "blinds 1/2"), ((0, 0), (2, 4), "bets 2/4"), ((0, 0), (0, 0), "no blinds")],
)
def test_a_hand_begins_with_its_number_and_sizes(blinds: tuple[int, int], bets: tuple[int, int], words: str) -> None:
    start = ev.HandStarting(
        hand_number=7,
        button=0,
        small_blind_seat=-1,
        big_blind_seat=-1,
        small_blind_chips=blinds[0],
        big_blind_chips=blinds[1],
        small_bet_chips=bets[0],
        big_bet_chips=bets[1],
        stacks=(10, 10),
        dealt_in=(0, 1),
        orbit_number=1,
    )
    assert history.write_text((start,)) == f"*** Hand 7, {words} ***\n"
