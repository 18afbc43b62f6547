"""The terminal player in every game: cards to pick, halves to declare, bring-ins, divisions of the pot, and the dealer's call."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING

import pytest
import typer

from homegame.v1.actions_pb2 import ActionKind, Half, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import RuleCardSection
from homegame.v1.events_pb2 import Choice, ChoiceMade, GameCalled, TableEvent
from homegame.v1.night_service_pb2 import TableSettings
from homegame.v1.play_service_pb2 import GameCall
from homegame.v1.views_pb2 import SeatStatus
from homegame_cli.wanted_night import wanted_night
from homegame_client.player.choices import AmountError
from homegame_client.player.game_call import CallError, read_wish
from homegame_client.player.hosting import WantedNight
from homegame_client.player.plain_call import call_from_words
from homegame_client.player.question import even_shares, read_division
from homegame_engine.errors import InputError, NotFound, SpecError
from tests.clients.fake_table import OWN_SEAT, FakeTable, turn_of
from tests.clients.sample_tables import (
    DRAW,
    PASSING,
    STUD,
    called,
    drawing,
    own_call_due,
    passing,
    stud_declared,
    stud_on_sixth,
)
from tests.clients.test_player_plain import talking
from tests.clients.test_player_screen import seated

if TYPE_CHECKING:
    from pathlib import Path

    from homegame.v1.catalog_pb2 import Game
    from homegame.v1.views_pb2 import TableView


def table_of(game: Game, view: TableView) -> FakeTable:
    """A server with that game in its catalog."""
    card = [RuleCardSection(title="The pot", lines=["High and low share the pot."])]
    return FakeTable(view, game=game, rule_card=card)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


# --- Cards to pick ----------------------------------------------------------------------------------------------------


async def test_cards_are_picked_by_their_numbers_and_drawn_with_enter() -> None:
    async with seated(table_of(DRAW, drawing())) as seat:
        assert "1 As 2 Kd 3 2h* 4 X1* 5 9c" in one_line(seat.text)
        assert "1-5 pick d stand pat" in one_line(seat.bottom)
        await seat.press("2", "5", "1", "1")
        assert "2[ Kd ]" in seat.bottom
        assert "Enter draw 2" in one_line(seat.bottom)
        await seat.press("d")
        assert "Cards are picked: Enter gives them up, Esc puts them back" in seat.bottom
        await seat.press("enter")
        kd, nine = Card.CARD_KING_OF_DIAMONDS, Card.CARD_NINE_OF_CLUBS
        assert [list(act.action.draw.cards) for act in seat.server.acts] == [[kd, nine]]


async def test_standing_pat_is_a_key_of_its_own_and_enter_alone_sends_nothing() -> None:
    async with seated(table_of(DRAW, drawing())) as seat:
        await seat.press("enter", "6")
        assert seat.acts == []
        assert "You have no card 6" in seat.bottom
        await seat.press("3", "escape", "d")
        assert seat.acts == ["draw { }"]


async def test_no_more_and_no_fewer_cards_are_passed_than_the_server_asks_for() -> None:
    async with seated(table_of(PASSING, passing())) as seat:
        assert "0 of 2 to pass to the left" in one_line(seat.bottom)
        assert "choosing, too: Ada, Fatima" in one_line(seat.bottom)
        await seat.press("1", "enter")
        assert "You pass 2 cards, and 1 is picked" in seat.bottom
        await seat.press("2", "3")
        assert "2 cards at most" in seat.bottom
        await seat.press("enter")
        assert [list(getattr(act.action, "pass").cards) for act in seat.server.acts] == [[52, 46]]


async def test_who_has_chosen_waits_for_the_others_by_name() -> None:
    async with seated(table_of(PASSING, passing())) as seat:
        made = ChoiceMade(seat=OWN_SEAT, choice=Choice.CHOICE_PASS)
        seat.server.push(turn_of(5, seat.number, "PASS"), TableEvent(choice_made=made))
        await seat.settle()
        assert "Waiting for 2 others: Ada, Fatima" in seat.bottom
        await seat.press("1")
        assert "There are no cards to pick now" in seat.bottom


# --- Bring-in, declarations, divisions -----------------------------------------------------------------------------------


def at_third_street(*kinds: ActionKind.ValueType) -> TableView:
    view = stud_on_sixth()
    view.legal.CopyFrom(
        LegalActions(
            seat=OWN_SEAT, kinds=kinds, unit_chips=1, bring_in_chips=1, raise_to_min_chips=2, raise_to_max_chips=2
        )
    )
    return view


@pytest.mark.parametrize(("key", "sent"), [("i", "bring_in { }"), ("r", "complete { }"), ("b", "complete { }")])
async def test_bringing_in_and_completing_have_keys_with_their_amounts(key: str, sent: str) -> None:
    view = at_third_street(ActionKind.ACTION_KIND_BRING_IN, ActionKind.ACTION_KIND_COMPLETE)
    async with seated(table_of(STUD, view)) as seat:
        assert "i bring in 1 r complete to 2" in one_line(seat.bottom)
        await seat.press("c", key)
        assert seat.acts == [sent]


@pytest.mark.parametrize(("key", "half"), [("l", Half.HALF_LOW), ("h", Half.HALF_HIGH), ("b", Half.HALF_BOTH)])
async def test_halves_are_declared_with_one_key_each_and_no_other_key_declares(key: str, half: Half.ValueType) -> None:
    view = stud_on_sixth()
    halves = [Half.HALF_LOW, Half.HALF_HIGH, Half.HALF_BOTH]
    view.legal.CopyFrom(LegalActions(seat=OWN_SEAT, kinds=[ActionKind.ACTION_KIND_DECLARE], halves=halves))
    async with seated(table_of(STUD, view)) as seat:
        await seat.press("r", "c", "d")
        assert seat.acts == []
        await seat.press(key)
        assert [act.action.declare.half for act in seat.server.acts] == [half]


async def test_bet_lim_04_with_an_open_pair_either_bet_is_offered() -> None:
    view = at_third_street(ActionKind.ACTION_KIND_CHECK, ActionKind.ACTION_KIND_BET)
    view.legal.raise_to_max_chips, view.legal.raise_step_chips = 4, 2
    async with seated(table_of(STUD, view)) as seat:
        assert "b bet 2 or 4" in one_line(seat.bottom)
        await seat.press("b", "backspace", "3", "enter", "backspace", "4", "enter")
        assert [act.action.bet.to_chips for act in seat.server.acts] == [4]


async def test_the_pot_is_divided_by_amounts_for_those_who_are_in_the_hand() -> None:
    view = stud_declared()
    view.legal.may_agree = True
    async with seated(table_of(STUD, view)) as seat:
        assert "a divide" in one_line(seat.bottom)
        await seat.press("a")
        assert "divide 38 (Ada, Bruno, Dmitri, Emeka and 1 other): 8 8 8 7 7" in one_line(seat.bottom)
        await seat.press("backspace", *"38 0 0 0 0", "enter")
        assert [list(act.action.agree.shares) for act in seat.server.acts] == [[38, 0, 0, 0, 0, 0]]
        assert "it holds once all have named the same" in one_line(seat.bottom)


def test_a_division_is_one_number_for_each_seat_in_the_hand() -> None:
    view = stud_on_sixth()
    assert read_division("30, 8 0 0 0", view) == [30, 8, 0, 0, 0, 0]
    assert read_division(" ", view) == []
    for typed in ("30 8", "a b c d e", "-1 2 3 4 5"):
        with pytest.raises(AmountError, match="Type 5 amounts"):
            read_division(typed, view)
    view.posting.unit_chips, view.pot_chips = 5, 57
    assert even_shares(view, 2) == [32, 25]


# --- The dealer's call ----------------------------------------------------------------------------------------------------


async def test_a_dealer_picks_a_game_changes_it_and_calls_it() -> None:
    async with seated(table_of(STUD, own_call_due())) as seat:
        assert "a Five-card draw" in one_line(seat.text)
        assert "b Stud hi-lo with declare" in one_line(seat.text)
        assert "Your call 0:5" in seat.bottom
        await seat.press("b")
        assert "High and low share the pot." in seat.text
        await seat.press("s", "r", "l", "u", "a", "5", "0", "enter", "e", "h", "o", "enter")
        assert "ante 50 e explanation: ho s the cards speak r nobody opens: dealt again l low: ace to five" in one_line(
            seat.text
        )
        await seat.press("enter")
        assert seat.server.calls == [
            GameCall(
                game_id="STUD_DECLARE",
                explanation="ho",
                ante_chips=50,
                low_ranking="ACE_TO_FIVE",
                low_qualifier=0,
                cards_speak=True,
                redeal_if_no_open=True,
            )
        ]


async def test_going_back_calls_nothing_and_the_time_for_a_call_ends() -> None:
    async with seated(table_of(STUD, own_call_due())) as seat:
        await seat.press("a", "escape", "escape")
        assert "Enter call the game of the next hand" in one_line(seat.bottom)
        await seat.press("enter")
        assert "Which game do you call?" in seat.text
        event = TableEvent(game_called=GameCalled(seat=0, game=STUD, by_clock=True, action_number=41))
        seat.server.push(event)
        await seat.settle()
        assert "Ada called nothing in time; this is dealt: Stud hi-lo with declare" in seat.text
        await seat.press("escape")
        assert "The time to call a game is over" in seat.bottom
        assert seat.server.calls == []


async def test_a_call_is_explained_to_everybody_and_can_be_sat_out_and_in() -> None:
    async with seated(table_of(STUD, called())) as seat:
        for words in ("Ada calls: Stud hi-lo with declare", "Ante 25", "As my aunt plays it.", "Two cards down."):
            assert words in seat.text
        assert "is called 0:1" in seat.bottom
        await seat.press("o")
        assert seat.server.sat_out == [True]
        assert "o be dealt in" in one_line(seat.bottom)
        await seat.press("o")
        assert "SitIn" in seat.server.asked
        await seat.press("enter")
        assert "Ada calls: Stud hi-lo with declare" in seat.text


async def test_who_called_may_call_another_game_and_never_sits_it_out() -> None:
    async with seated(table_of(STUD, called(own_call=True))) as seat:
        await seat.press("o", "enter")
        assert seat.server.sat_out == []
        assert "Enter call another game" in one_line(seat.bottom)


@pytest.mark.parametrize(
    ("typed", "call"),
    [
        ("stud7", GameCall(game_id="stud7")),
        ("STUD7 ante 50", GameCall(game_id="stud7", ante_chips=50)),
        (
            "omaha8 low ace-to-six qualifier 8 redeal speak",
            GameCall(
                game_id="omaha8",
                low_ranking="ACE_TO_SIX",
                low_qualifier=8,
                redeal_if_no_open=True,
                cards_speak=True,
            ),
        ),
    ],
)
def test_a_call_in_words_says_everything_that_the_screen_can(typed: str, call: GameCall) -> None:
    assert call_from_words(typed) == call


@pytest.mark.parametrize("typed", ["", "stud7 quickly", "stud7 ante", "stud7 ante many", "stud7 low ace"])
def test_a_call_that_is_not_clear_says_what_is_expected(typed: str) -> None:
    with pytest.raises(CallError, match=r"call stud7|After the game you may say"):
        read_wish(typed)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, WantedNight(format_id="points-night")),
        ({"format_id": "DC", "house": "club"}, WantedNight(format_id="DC", house_id="CLUB")),
        ({"game": "stud"}, WantedNight("", table=TableSettings(game_id="STUD7", house_id="CLUB"))),
        (
            {"game": "STUD7", "house": "house-night"},
            WantedNight("", table=TableSettings(game_id="STUD7", house_id="HOUSE_NIGHT")),
        ),
    ],
)
def test_a_command_line_names_a_format_or_any_game_in_any_house(options: dict[str, str], wanted: WantedNight) -> None:
    named: dict[str, str | None] = {"format_id": None, "game": None, "house": None, **options}
    assert wanted_night(**named) == wanted


def test_a_game_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "aunt.toml"
    text = resources.files("homegame_engine").joinpath("games/badugi.toml").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    wanted = wanted_night(format_id=None, game=str(file), house=None)
    assert wanted.table == TableSettings(game_text=text, house_id="CLUB")
    assert call_from_words(f"file {file} As my aunt plays it.") == GameCall(
        game_text=text, explanation="As my aunt plays it."
    )


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"game": "nope"}, NotFound, "there is no game 'nope'"),
        ({"game": "stud", "house": "casino"}, NotFound, "there is no house 'CASINO'"),
        ({"house": "casino"}, NotFound, "there is no house 'CASINO'"),
        ({"format_id": "nope"}, NotFound, "there is no format 'nope'"),
        ({"game": "no.toml"}, InputError, r"cannot read no\.toml: No such file"),
        ({"game": "stud", "format_id": "DC"}, typer.BadParameter, "not both"),
    ],
)
def test_what_cannot_be_played_is_refused_before_a_server_is_started(
    options: dict[str, str], error: type[Exception], said: str
) -> None:
    named: dict[str, str | None] = {"format_id": None, "game": None, "house": None, **options}
    with pytest.raises(error, match=said):
        wanted_night(**named)


def test_game_dc_04_a_broken_file_of_ones_own_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "aunt.toml"
    text = resources.files("homegame_engine").joinpath("games/badugi.toml").read_text(encoding="utf-8")
    file.write_text(text.replace("count = 4", "count = 9", 1), encoding="utf-8")
    with pytest.raises(
        SpecError, match=rf"^{re.escape(str(file))}:\d+: steps\[0\]\.count: expected 1 to 7, found 9 \(GAME-DC-04\)"
    ):
        wanted_night(format_id=None, game=str(file), house=None)


# --- In plain sentences ------------------------------------------------------------------------------------------------------


async def test_cards_up_are_read_out_and_cards_are_given_up_by_number() -> None:
    async with talking(table_of(STUD, stud_on_sixth())) as (talk, _):
        assert talk.new_lines()[0].startswith(
            "Your turn, sixth street. You hold ace of spades, king of diamonds face down, nine of clubs, ten of hearts, "
            "two of hearts, four of spades face up. Ada shows nine of clubs, ten of hearts, two of hearts, four of spades."
        )
    wild = stud_on_sixth()
    wild.seats[wild.viewer_seat].wild_positions[:] = [1]
    async with talking(table_of(STUD, wild)) as (talk, _):
        assert "You hold ace of spades, king of diamonds, wild face down" in talk.new_lines()[0]
    numbered = "1 ace of spades, 2 king of diamonds, 3 two of hearts, 4 first joker"
    async with talking(table_of(PASSING, passing())) as (talk, _):
        assert talk.new_lines()[1] == (
            f"Open: pass 2 cards to the left. {numbered}. "
            "Type d and their numbers, for example d 1 2. Choosing, too: Ada, Fatima."
        )
        await talk.type("d", "1 2 3", "d", "1 4")
        assert talk.new_lines()[:2] == [
            f"Which cards? Pass 2 cards to the left. {numbered}. Type their numbers, for example 1 3.",
            "2 cards at most: press a picked number to put its card back.",
        ]
        assert [list(getattr(act.action, "pass").cards) for act in talk.server.acts] == [[52, 53]]


async def test_a_call_is_made_explained_and_sat_out_in_words() -> None:
    async with talking(table_of(STUD, own_call_due())) as (talk, _):
        assert talk.new_lines() == [
            "It is yours to call a game, within 59 seconds.",
            "Type call and its name, for example: call stud7. games lists them.",
        ]
        await talk.type("games", "call draw ante 50")
        assert talk.new_lines()[0] == "draw: Five-card draw, for 2-8. Five private cards, a draw."
        assert talk.server.calls == [GameCall(game_id="draw", ante_chips=50)]
    async with talking(table_of(STUD, called())) as (talk, _):
        said = talk.new_lines()
        assert "As my aunt plays it." in said
        assert said[-1] == "The deal comes in 15 seconds. o sits this hand out."
        await talk.type("o", "call draw")
        assert talk.server.sat_out == [True]
        assert "It is not yours to call a game now." in talk.new_lines()
    away = called()
    away.seats[OWN_SEAT].status = SeatStatus.SEAT_STATUS_SITTING_OUT
    async with talking(table_of(STUD, away)) as (talk, _):
        await talk.type("o")
        assert talk.server.sat_out == []
        assert "SitIn" in talk.server.asked
