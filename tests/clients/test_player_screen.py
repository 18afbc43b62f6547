"""The terminal player: every key does what it says and only when the server allows it, and no break loses the seat.

The pictures in `golden/player_*.txt` are written anew by `HOMEGAME_WRITE_GOLDEN=1 pytest tests/clients/test_player_screen.py`;
read them.

The file is long because every key is tried from the one `Seat` that stands in it.
"""

from __future__ import annotations

import asyncio
import os
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import BlockEnd
from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import (
    CutoffPosted,
    DecisionTimedOut,
    NightClosed,
    SessionFinished,
    TableEvent,
    TimeBankUsed,
)
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.sheets_pb2 import FinishReason, Placement
from homegame.v1.views_pb2 import SeatStatus
from homegame_client.cards import card_text
from homegame_client.errors import RefusedError
from homegame_client.player.app import PlayerApp
from homegame_client.player.picture import draw_own_table
from homegame_client.player.status import HowItEnded
from homegame_client.terminal.draw import Picture, plain_text
from tests.clients.fake_table import (
    OWN_SEAT,
    TABLE,
    TOKEN,
    FakeTable,
    ManualTiming,
    before_play,
    client_of,
    folds,
    others_turn,
    own_turn,
    turn_of,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.pilot import Pilot

    from homegame.v1.views_pb2 import TableView
    from homegame_client.player.status import Ending

GOLDEN = Path(__file__).parent / "golden"
FACE = re.compile(r"(?<!\w)[2-9TJQKA][cdhs](?!\w)")
BACK = "homegame play --resume"


@dataclass
class Seat:
    """A person at the keyboard, and the server on the other side."""

    app: PlayerApp
    pilot: Pilot[Ending]
    server: FakeTable
    timing: ManualTiming

    async def press(self, *keys: str) -> None:
        """Press keys and wait for what they bring about."""
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything that can happen without time passing has happened."""
        for _ in range(3):
            await self.pilot.pause()
            asked = [worker for worker in self.app.workers if worker.group in ("asking", "reading")]
            if not self.server.is_down:
                await asyncio.gather(*(worker.wait() for worker in asked))
        self.app.tick()
        await self.pilot.pause()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass for everybody."""
        self.timing.advance(seconds)
        await self.settle()

    @property
    def text(self) -> str:
        """The screen as text."""
        strips = self.app.screen._compositor.render_strips()  # noqa: SLF001 - there is no public way to read a screen
        return "\n".join(strip.text.rstrip() for strip in strips)

    @property
    def bottom(self) -> str:
        """The lines below the table, in one."""
        return " ".join(self.text.splitlines()[-5:])

    @property
    def number(self) -> int:
        """Number of the turn that is shown."""
        return self.app.link.state.view.action_number if self.app.link.state is not None else 0

    @property
    def acts(self) -> list[str]:
        """What was sent, in short."""
        return [str(act.action).replace("\n", " ").strip() for act in self.server.acts]


@asynccontextmanager
async def seated(
    table: TableView | FakeTable, size: tuple[int, int] = (80, 24), *, fresh: bool = False, invitation: str = ""
) -> AsyncIterator[Seat]:
    """Sit down; unless `fresh`, some time ago."""
    server, timing = table if isinstance(table, FakeTable) else FakeTable(table), ManualTiming()
    app = PlayerApp(client_of(server, timing), TABLE, how_to_return=BACK, invitation=invitation)
    async with app.run_test(size=size) as pilot:
        seat = Seat(app, pilot, server, timing)
        await seat.settle()
        if not fresh:
            await seat.pass_time(1.0)
        yield seat


# --- Drawing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["own_turn", "others_turn", "before_play"])
async def test_the_table_is_drawn_as_stored(name: str, size: tuple[int, int]) -> None:
    views = {"own_turn": own_turn, "others_turn": others_turn, "before_play": before_play}
    async with seated(views[name](), size) as seat:
        if name == "before_play":
            await seat.press("escape")
        drawn = seat.text + "\n"
    file = GOLDEN / f"player_{name}_{size[0]}x{size[1]}.txt"
    if os.environ.get("HOMEGAME_WRITE_GOLDEN"):
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8")


async def test_the_own_seat_is_at_the_bottom_in_the_middle_and_called_you() -> None:
    async with seated(own_turn()) as seat:
        lines = seat.text.splitlines()
        row = next(index for index, line in enumerate(lines) if "2 You" in line)
        assert row > next(index for index, line in enumerate(lines) if "As" in line)
        assert 20 < lines[row].index("2 You") < 50


@settings(deadline=None)  # A busy machine is no fault of the picture.
@given(
    hands=st.lists(st.lists(st.integers(0, 52), max_size=2), min_size=6, max_size=6),
    width=st.integers(60, 120),
    height=st.integers(10, 40),
)
def test_no_picture_shows_a_card_that_the_view_hides(hands: list[list[int]], width: int, height: int) -> None:
    view = own_turn()
    for shown, cards in zip(view.seats, hands, strict=True):
        del shown.cards[:]
        shown.cards.extend(Card.ValueType(card) for card in cards)
    open_cards = [*view.board, *(card for shown in view.seats for card in shown.cards if card != Card.CARD_HIDDEN)]
    lines = draw_own_table(view, Picture(width, height, view.server_time_ms))
    assert len(lines) <= height
    assert all(cell_len(line.plain) <= width for line in lines)
    assert set(FACE.findall(plain_text(lines))) == {card_text(card) for card in open_cards}


async def test_cards_that_others_hold_are_backs_on_the_screen_and_in_every_page() -> None:
    async with seated(own_turn()) as seat:
        faces = set(FACE.findall(seat.text))
        assert faces == {"Kh", "Ks", "As", "Th", "2c"}
        await seat.press("h")
        assert set(FACE.findall(seat.text)) == {"Ac", "5d"}  # The hand that Ada showed, from the server's record.


async def test_a_resized_terminal_is_drawn_anew() -> None:
    async with seated(own_turn(), (120, 40)) as seat:
        await seat.pilot.resize_terminal(60, 24)
        await seat.settle()
        assert max(len(line) for line in seat.text.splitlines()) <= 60
        assert "raise to 4" in seat.bottom


# --- Keys -------------------------------------------------------------------------------------------------------------

TURNS = {
    "owing": ("FOLD", "CALL", "RAISE"),
    "free": ("CHECK", "BET"),
    "capped": ("FOLD", "CALL"),
    "showdown": ("SHOW", "MUCK"),
    "others": (),
}
SENDS = {
    ("owing", "f"): "fold { }",
    ("owing", "c"): "call {   call_chips: 2 }",
    ("owing", "r"): "raise {   to_chips: 4 }",
    ("owing", "b"): "raise {   to_chips: 4 }",
    ("free", "c"): "check { }",
    ("free", "b"): "bet {   to_chips: 4 }",
    ("free", "r"): "bet {   to_chips: 4 }",
    ("capped", "f"): "fold { }",
    ("capped", "c"): "call {   call_chips: 2 }",
    ("showdown", "s"): "show { }",
    ("showdown", "m"): "muck { }",
}


@pytest.mark.parametrize("turn", TURNS)
async def test_a_key_acts_exactly_when_the_server_allows_it(turn: str) -> None:
    kinds = TURNS[turn]
    async with seated(own_turn(*kinds) if kinds else others_turn()) as seat:
        for key in "fcbrsmx":
            seat.server.acts.clear()
            await seat.press(key)
            sends = SENDS.get((turn, key))
            if sends is None:
                assert seat.acts == []
                assert ("You cannot" if kinds else "It is not your turn") in seat.bottom
            else:
                assert seat.acts == [sends]
                assert seat.server.acts[0].action_number == seat.number
                assert "Sent ..." in seat.bottom
                seat.server.push(folds(5), turn_of(OWN_SEAT, seat.number + 1, *kinds))
                await seat.settle()
                await seat.pass_time(1.0)
    assert seat.server.tokens == {TOKEN}


async def test_only_what_is_open_is_offered_with_its_amount() -> None:
    async with seated(own_turn("FOLD", "CALL", "RAISE")) as seat:
        assert re.search(r" f +fold +c +call 2 +r +raise to 4 +0:2\d", seat.bottom)
    view = own_turn("FOLD", "CALL")
    view.legal.wager_refusal = Reason.REASON_RAISE_CAP_REACHED
    async with seated(view) as seat:
        assert re.search(r" f +fold +c +call 2 +no raise: raise cap reached", seat.bottom)


async def test_a_second_press_sends_nothing_while_the_first_is_on_its_way() -> None:
    async with seated(own_turn()) as seat:
        await seat.press("c", "c", "f")
        assert len(seat.acts) == 1
        assert "Your answer is on its way" in seat.bottom


async def test_a_key_that_was_meant_for_the_turn_before_does_not_act_in_a_new_one() -> None:
    async with seated(own_turn(), fresh=True) as seat:
        await seat.press("f")
        assert seat.acts == []
        assert "just begun" in seat.bottom
        await seat.pass_time(0.5)
        await seat.press("f")
        assert seat.acts == ["fold { }"]


async def test_sitting_out_and_in_is_one_key() -> None:
    async with seated(others_turn()) as seat:
        await seat.press("o")
        assert "SitOut" in seat.server.asked
        assert "You sit out" in seat.bottom
        await seat.press("o")
        assert "SitIn" in seat.server.asked
        assert "dealt in again" in seat.bottom


async def test_more_time_is_taken_once_a_turn_and_only_with_a_token() -> None:
    view = own_turn()
    view.posting.time_bank_ms, view.seats[OWN_SEAT].time_bank_tokens = 30_000, 2
    async with seated(view) as seat:
        assert re.search(r" t +30 s more, 2 left", seat.bottom)
        await seat.press("t")
        used = TimeBankUsed(seat=OWN_SEAT, action_number=31, deadline_at_ms=view.deadline_at_ms + 30_000, tokens_left=1)
        seat.server.push(TableEvent(time_bank_used=used))
        await seat.settle()
        assert "0:5" in seat.bottom
        assert "more, " not in seat.bottom
        await seat.press("t")
        assert "You cannot take more time now" in seat.bottom
        assert seat.server.asked.count("UseTimeBank") == 1


async def test_resets_are_agreed_to_before_play_and_taken_at_zero() -> None:
    view = before_play()
    view.posting.offers_reset, view.seats[OWN_SEAT].acknowledged = True, True
    async with seated(view) as seat:
        await seat.press("g")
        assert seat.server.view.seats[OWN_SEAT].agrees_to_resets
        await seat.press("g")
        assert not seat.server.view.seats[OWN_SEAT].agrees_to_resets
    view = others_turn()
    view.resets_agreed = True
    view.seats[OWN_SEAT].status, view.seats[OWN_SEAT].stack_chips = SeatStatus.SEAT_STATUS_BUSTED, 0
    async with seated(view) as seat:
        assert "g takes your one reset" in seat.bottom
        await seat.press("g")
        assert "ResetStack" in seat.server.asked


# --- Amounts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "sent"),
    [("12", 12), ("4", 4), ("97", 97), ("max", 97), ("min", 4), ("3", None), ("98", None), ("", None), ("ten", None)],
)
async def test_an_amount_is_sent_only_within_its_bounds(typed: str, sent: int | None) -> None:
    async with seated(own_turn("FOLD", "CALL", "RAISE", low=4, high=97)) as seat:
        await seat.press("r")
        assert "raise to (from 4 to 97)" in seat.bottom
        await seat.press("backspace", *typed, "enter")
        if sent is None:
            assert seat.acts == []
            assert "from 4 to 97" in seat.bottom
        else:
            assert seat.acts == [f"raise {{   to_chips: {sent} }}"]


async def test_amounts_keep_to_the_steps_and_the_arrows_move_along_them() -> None:
    async with seated(own_turn("FOLD", "CALL", "RAISE", low=4, high=9, step=2)) as seat:
        await seat.press("r", "backspace", "7", "enter")
        assert seat.acts == []
        assert "7 is not open: it may be from 4 to 9 in steps of 2" in re.sub(r"\s+", " ", seat.bottom)
        await seat.press("backspace", "4", "up", "up", "up", "down", "enter")
        assert seat.acts == ["raise {   to_chips: 8 }"]


async def test_a_cut_is_proposed_by_chance_and_may_be_typed() -> None:
    async with seated(own_turn("CUT")) as seat:
        assert re.search(r"The next deck is sealed and yours to cut.* x +cut", re.sub(r"\s+", " ", seat.bottom))
        await seat.press("x")
        proposed = re.search(r"cut at \(from 1 to 51\): (\d+)", seat.bottom)
        assert proposed is not None
        assert 1 <= int(proposed[1]) <= 51
        await seat.press("backspace", "5", "2", "enter")
        assert seat.acts == []
        await seat.press("backspace", "backspace", "1", "7", "enter")
        assert seat.acts == ["cut {   position: 17 }"]


async def test_letters_typed_as_an_amount_are_no_keys_and_escape_sends_nothing() -> None:
    async with seated(own_turn("FOLD", "CALL", "RAISE", low=4, high=97)) as seat:
        await seat.press("r", "f", "c")
        assert seat.acts == []
        await seat.press("escape")
        assert "Nothing was sent" in seat.bottom
        await seat.press("f")
        assert seat.acts == ["fold { }"]


async def test_the_field_for_an_amount_closes_with_its_turn() -> None:
    async with seated(own_turn("FOLD", "CALL", "RAISE", low=4, high=97)) as seat:
        await seat.press("r")
        seat.server.push(
            TableEvent(decision_timed_out=DecisionTimedOut(seat=1, action_number=31)), folds(1), turn_of(0, 32, "CHECK")
        )
        await seat.settle()
        assert "The turn is over; nothing was sent" in seat.bottom
        await seat.press("1", "2", "enter")
        assert seat.acts == []


# --- Refusals ---------------------------------------------------------------------------------------------------------


def refusal(reason: Reason.ValueType, message: str, **facts: int) -> RefusedError:
    name = Reason.Name(reason).removeprefix("REASON_")
    return RefusedError(reason=reason, reason_name=name, rule_id="BET-FL-02", facts=facts, message=message)


async def test_a_refusal_shows_the_servers_words_and_the_open_amounts() -> None:
    async with seated(own_turn()) as seat:
        seat.server.refusals["Act"] = refusal(
            Reason.REASON_BAD_INCREMENT,
            "a raise has the size of the street",
            call_chips=2,
            raise_to_min_chips=4,
            raise_to_max_chips=4,
        )
        await seat.press("r")
        said = re.sub(r"\s+", " ", seat.bottom)
        assert "A raise has the size of the street. Open: call 2, to 4. (BET-FL-02)" in said
        await seat.press("c")
        assert seat.acts == ["call {   call_chips: 2 }"]


async def test_a_stale_action_refreshes_the_table_and_says_so() -> None:
    async with seated(own_turn()) as seat:
        seat.server.refusals["Act"] = refusal(Reason.REASON_STALE_ACTION, "the turn has moved on", action_number=33)
        moved_on = others_turn()
        moved_on.action_number = 33
        moved_on.last_number = seat.server.view.last_number
        seat.server.view = moved_on
        await seat.press("c")
        assert "Nothing was done" in seat.bottom
        assert "Waiting for Ada" in seat.bottom


# --- The connection ---------------------------------------------------------------------------------------------------


async def test_a_lost_connection_is_said_and_the_same_seat_comes_back_by_itself() -> None:
    async with seated(others_turn()) as seat:
        seat.server.go_down()
        await seat.settle()
        assert "Connection lost. Your seat is kept" in seat.bottom
        for _ in range(5):
            await seat.pass_time(2.0)
        assert "Connection lost" in seat.bottom
        seat.server.push(folds(0), turn_of(1, 32, "CHECK", "BET"))
        seat.server.view.CopyFrom(own_turn("CHECK", "BET", low=2, high=2))
        seat.server.view.last_number, seat.server.view.action_number = 92, 32
        seat.server.come_back()
        await seat.pass_time(2.0)
        assert "The connection is back" in seat.bottom
        await seat.pass_time(1.0)
        await seat.press("c")
        assert seat.acts == ["check { }"]
        assert seat.server.acts[0].action_number == 32
        assert seat.server.tokens == {TOKEN}


async def test_an_action_pressed_while_the_server_is_away_is_sent_once_when_it_is_back() -> None:
    async with seated(own_turn()) as seat:
        seat.server.go_down()
        await seat.settle()
        await seat.press("c")
        assert "Sent ..." in seat.bottom
        await seat.pass_time(2.0)
        seat.server.come_back()
        await seat.pass_time(2.0)
        assert seat.acts == ["call {   call_chips: 2 }"]
        assert len({act.request_id for act in seat.server.acts}) == 1


async def test_a_line_that_went_dead_without_a_word_is_noticed() -> None:
    async with seated(others_turn()) as seat:
        seat.server.is_down = True  # The stream stays open and silent: a cable was pulled.
        await seat.pass_time(6.0)
        assert "Connection lost" in seat.bottom


async def test_a_seat_that_the_server_does_not_know_ends_the_program_with_its_words() -> None:
    async with seated(others_turn()) as seat:
        seat.server.refusals["GetTable"] = refusal(Reason.REASON_UNAUTHENTICATED, "this token is not of this night")
        seat.server.go_down()
        await seat.settle()
        seat.server.come_back()
        seat.timing.advance(2.0)
        await seat.pilot.pause()
        await seat.pilot.pause()
        assert seat.app.return_value is not None
        assert seat.app.return_value.how == HowItEnded.REFUSED
        assert "This token is not of this night" in seat.app.return_value.message


async def test_who_sits_down_again_reads_what_happened_before() -> None:
    view = others_turn()
    server = FakeTable(view)
    server.push(folds(5))
    async with seated(server) as seat:
        assert "Fatima folds" in seat.text


# --- The clock --------------------------------------------------------------------------------------------------------


async def test_the_countdown_follows_the_servers_clock_and_says_hurry() -> None:
    async with seated(own_turn(), fresh=True) as seat:
        assert "0:28" in seat.bottom
        await seat.pass_time(10.0)
        assert "0:18" in seat.bottom
        assert "HURRY" not in seat.bottom
        await seat.pass_time(10.0)
        assert "HURRY 0:08" in seat.bottom


# --- Pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("p", "Sheet so far: 1 hand"),
        ("k", "How hands rank, strongest first"),
        ("h", "Ada shows"),
        ("question_mark", "the rank card: which hand beats which"),
        ("enter", "The highest stack wins."),
    ],
)
async def test_a_page_opens_on_its_key_reminds_of_the_turn_and_closes(key: str, words: str) -> None:
    async with seated(own_turn()) as seat:
        await seat.press(key)
        assert words in seat.text
        assert "Your turn 0:2" in seat.text
        await seat.press("f")  # Keys of the table do nothing here.
        await seat.press("escape")
        assert words not in seat.text
        assert seat.acts == []


async def test_earlier_hands_are_one_key_away() -> None:
    async with seated(own_turn()) as seat:
        await seat.press("h")
        assert seat.text.startswith("Hand 6")
        await seat.press("left")
        assert seat.text.startswith("Hand 5")
        await seat.press("right", "right")
        assert seat.text.startswith("Hand 6")


async def test_a_page_that_cannot_be_read_says_so() -> None:
    async with seated(own_turn()) as seat:
        seat.server.refusals["GetScoresheet"] = refusal(Reason.REASON_NOT_FOUND, "no such table")
        await seat.press("p")
        assert "No such table." in seat.bottom


async def test_the_posting_comes_by_itself_and_is_acknowledged_after_reading_it() -> None:
    async with seated(before_play()) as seat:
        assert "Points-only hold'em night" in seat.text
        assert "AcknowledgePosting" not in seat.server.asked
        await seat.press("escape")
        assert "Enter: read the posting; play cannot start before you have" in seat.bottom
        await seat.press("enter", "enter")
        assert seat.server.asked.count("AcknowledgePosting") == 1
        assert "Waiting for the host to open the night" in seat.bottom


async def test_the_posting_goes_on_below_its_own_text_at_any_width() -> None:
    view = before_play()
    view.posting.decision_window_ms = 30_000
    async with seated(view, (60, 24)) as seat:
        lines = seat.text.splitlines()
        first = next(number for number, line in enumerate(lines) if line.startswith("  decisions"))
        assert lines[first : first + 2] == [
            "  decisions  30 seconds each, the same for everyone, by the",
            "             server's clock",
        ]
        await seat.pilot.resize_terminal(100, 30)
        assert "  decisions  30 seconds each, the same for everyone, by the server's clock" in seat.text.splitlines()


async def test_the_posting_names_games_as_screens_do() -> None:
    view = before_play()
    del view.posting.blocks[:]
    for game_id in ("FIVE_CARD_DRAW", "OWN"):
        view.posting.blocks.add(game_id=game_id, until=BlockEnd.BLOCK_END_ORBIT)
    view.posting.blocks[-1].until = BlockEnd.BLOCK_END_CUTOFF
    async with seated(view, (120, 40)) as seat:
        row = next(line for line in seat.text.splitlines() if line.startswith("  games"))
        assert row == "  games      Five-card draw until the end of the orbit, then OWN until the cutoff"
        assert seat.server.asked.count("ListGames") == 1


async def test_another_cutoff_asks_for_another_reading() -> None:
    async with seated(before_play()) as seat:
        await seat.press("enter")
        posted = TableEvent(cutoff_posted=CutoffPosted(cutoff_at_ms=seat.server.view.posting.cutoff_at_ms + 60_000))
        seat.server.view.posting.cutoff_at_ms += 60_000
        seat.server.view.seats[1].acknowledged = False
        seat.server.push(posted)
        await seat.settle()
        assert "I have read it" in seat.text


# --- The end ----------------------------------------------------------------------------------------------------------


def finished() -> TableEvent:
    placements = [Placement(seat=seat, stack_chips=100 - seat, place=seat + 1) for seat in range(6)]
    return TableEvent(
        session_finished=SessionFinished(placements=placements, hands=7, by=FinishReason.FINISH_REASON_CUTOFF)
    )


async def test_the_end_shows_the_place_and_the_sheet_and_q_ends_without_asking() -> None:
    async with seated(others_turn()) as seat:
        seat.server.push(finished(), TableEvent(night_closed=NightClosed(has_result=True)))
        seat.server.view.phase = NightPhase.NIGHT_PHASE_CLOSED
        await seat.settle()
        assert "you are 2nd of 6 with 99" in seat.bottom
        await seat.press("enter")
        assert "place  seat  name" in seat.text
        await seat.press("escape", "q")
    assert seat.app.return_value is not None
    assert seat.app.return_value.how == HowItEnded.OVER


@pytest.mark.parametrize(("answer", "how", "left"), [("l", HowItEnded.LEFT, 1), ("k", HowItEnded.KEPT, 0)])
async def test_quitting_asks_and_gives_up_the_seat_only_when_told(answer: str, how: HowItEnded, left: int) -> None:
    async with seated(own_turn()) as seat:
        for key in ("ctrl+c", "ctrl+q", "q"):
            await seat.press(key)
            assert BACK in seat.text
            await seat.press("escape")
            assert BACK not in seat.text
            assert seat.app.return_value is None
        await seat.press("q")
        await seat.pilot.press(answer)
        await seat.pilot.pause()
        await seat.pilot.pause()
    assert seat.app.return_value is not None
    assert seat.app.return_value.how == how
    assert seat.server.asked.count("LeaveTable") == left


async def test_a_seat_that_cannot_be_given_up_now_keeps_the_program_open() -> None:
    async with seated(own_turn()) as seat:
        seat.server.refusals["LeaveTable"] = refusal(Reason.REASON_TABLE_FROZEN, "the table is frozen")
        await seat.press("q", "l")
        assert "The table is frozen." in seat.bottom
        assert seat.app.return_value is None
