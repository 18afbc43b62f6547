"""The player in plain sentences: everything is said once, nothing moves a cursor, and the same rules hold as on the screen."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from homegame.v1.cards_pb2 import Card
from homegame.v1.errors_pb2 import Reason
from homegame.v1.events_pb2 import BoardDealt, HandShown, HoleCardsDealt, NightClosed, TableEvent
from homegame_client.errors import RefusedError
from homegame_client.player.plain import PlainPlayer
from homegame_client.player.status import Ending, HowItEnded
from tests.clients.fake_table import (
    TABLE,
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

    from homegame.v1.views_pb2 import TableView


TURN = (
    "Your turn. You hold king of hearts, king of spades. Board: ace of spades, ten of hearts, two of clubs. "
    "Your hand: one pair, kings with ace ten two. Pot 38, of it from you 2; your stack 100."
)


@dataclass
class Talk:
    """A person who types lines and hears lines."""

    player: PlainPlayer
    server: FakeTable
    timing: ManualTiming
    typed: asyncio.Queue[str | None]
    heard: list[str] = field(default_factory=list)

    async def type(self, *lines: str | None) -> None:
        """Type lines, each after the answer to the one before."""
        for line in lines:
            self.typed.put_nowait(line)
            await self.settle()

    async def settle(self) -> None:
        """Let everything happen that can without time passing."""
        for _ in range(60):
            await asyncio.sleep(0)

    def new_lines(self) -> list[str]:
        """What was said since the last time."""
        lines, self.heard[:] = list(self.heard), []
        return lines


@asynccontextmanager
async def talking(
    table: TableView | FakeTable, *, is_host: bool = False
) -> AsyncIterator[tuple[Talk, asyncio.Task[Ending]]]:
    server, timing = table if isinstance(table, FakeTable) else FakeTable(table), ManualTiming()
    heard: list[str] = []
    typed: asyncio.Queue[str | None] = asyncio.Queue()
    player = PlainPlayer(
        client_of(server, timing),
        TABLE,
        write=heard.append,
        read=typed.get,
        how_to_return="homegame play --resume",
        is_host=is_host,
    )
    talk = Talk(player, server, timing, typed, heard)
    playing = asyncio.ensure_future(player.play())
    await talk.settle()
    try:
        yield talk, playing
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_a_turn_is_told_in_words_with_everything_a_decision_needs() -> None:
    async with talking(own_turn()) as (talk, _):
        assert talk.new_lines() == [
            f"{TURN} You have 28 seconds.",
            "Open: f fold, c call 2, r raise to 4.",
        ]


async def test_a_hand_as_it_is_heard() -> None:
    async with talking(others_turn()) as (talk, _):
        talk.server.push(
            TableEvent(hole_cards_dealt=HoleCardsDealt(seat=0, cards=[Card.CARD_HIDDEN, Card.CARD_HIDDEN])),
            folds(0),
            turn_of(1, 32, "CHECK", "BET"),
        )
        await talk.settle()
        await talk.type("f", "c")
        talk.server.push(
            TableEvent(board_dealt=BoardDealt(street=2, cards=[Card.CARD_NINE_OF_DIAMONDS])),
            TableEvent(hand_shown=HandShown(seat=5, cards=[Card.CARD_TWO_OF_SPADES], rank_text="one pair, twos")),
        )
        await talk.settle()
        assert talk.new_lines() == [
            "Ada folds.",
            TURN,
            "Open: c check, b bet 4.",
            "You cannot fold now. Open: c check, b bet 4.",
            "Board: nine of diamonds.",
            "Fatima shows two of spades: one pair, twos.",
        ]
        assert [act.action.WhichOneof("action") for act in talk.server.acts] == ["check"]


async def test_every_line_is_plain_text_and_no_card_is_a_riddle() -> None:
    async with talking(own_turn()) as (talk, _):
        await talk.type("p", "k", "h", "?", "", "o", "zzz", "q", "")
        said = talk.new_lines()
        assert all(line.isprintable() for line in said)
        assert [line for line in said if re.search(r"(?<!\w)[2-9TJQKA][cdhs](?!\w)", line)] == []
        assert "zzz is no key. Type ? and Enter for the keys." in said
        assert any(line.startswith(" 1  one pair") and line.endswith("ten of spades, ten of hearts") for line in said)


async def test_an_amount_is_asked_for_where_several_are_open() -> None:
    async with talking(own_turn("FOLD", "CALL", "RAISE", low=4, high=97)) as (talk, _):
        talk.new_lines()
        await talk.type("r", "3", "r 98", "r", "", "r 12")
        assert talk.new_lines() == [
            "Raise to what, from 4 to 97? Type a number, min or max, or Enter alone to cancel.",
            "3 is not open: it may be from 4 to 97.",
            "98 is not open: it may be from 4 to 97.",
            "Raise to what, from 4 to 97? Type a number, min or max, or Enter alone to cancel.",
            "Nothing was sent.",
        ]
        assert [getattr(act.action, "raise").to_chips for act in talk.server.acts] == [12]


async def test_a_cut_is_told_and_made_by_chance_or_at_a_number() -> None:
    async with talking(own_turn("CUT")) as (talk, _):
        assert talk.new_lines() == [
            "The next deck is sealed and yours to cut. Open: x cuts at a place by chance, x 17 cuts at 17."
        ]
        await talk.type("x 52", "x")
        assert talk.new_lines() == ["52 is not open: it may be from 1 to 51."]
        assert 1 <= talk.server.acts[0].action.cut.position <= 51


async def test_an_amount_for_a_turn_that_is_over_is_not_sent() -> None:
    async with talking(own_turn("FOLD", "CALL", "RAISE", low=4, high=97)) as (talk, _):
        await talk.type("r")
        talk.server.push(folds(1), turn_of(0, 32, "CHECK"), turn_of(1, 33, "CHECK", "BET"))
        await talk.settle()
        await talk.type("12")
        assert talk.new_lines()[-1] == "The turn is over; nothing was sent."
        assert talk.server.acts == []


async def test_the_clock_is_mentioned_once_when_it_runs_out() -> None:
    async with talking(own_turn()) as (talk, _):
        talk.new_lines()
        for _ in range(24):
            talk.timing.advance(1.0)
            await talk.settle()
        assert talk.new_lines() == ["Hurry: 10 seconds left."]


async def test_the_posting_is_read_out_and_acknowledged() -> None:
    async with talking(before_play()) as (talk, _):
        said = "\n".join(talk.new_lines())
        assert "100 points for everyone" in said
        assert "Type a and Enter to say that you have read this posting" in said
        await talk.type("a")
        assert talk.server.asked.count("AcknowledgePosting") == 1
        assert talk.new_lines() == ["You have read the posting.", "Waiting for the host to open the night."]


@pytest.mark.parametrize(
    ("tie_rule", "said"),
    [
        ("SHARE", "ties share the place"),
        ("SHORT_HAND", "ties share the place, or play a short hand if all of them ask"),
    ],
)
async def test_pts_b3_05_the_posting_says_what_becomes_of_ties(tie_rule: str, said: str) -> None:
    view = before_play()
    view.posting.tie_rule = tie_rule
    async with talking(view) as (talk, _):
        assert any(line.endswith(f" wins; {said}") for line in talk.new_lines())


async def test_the_host_who_waits_is_not_told_to_wait_for_the_host() -> None:
    async with talking(before_play(), is_host=True) as (talk, _):
        await talk.type("a")
        assert talk.new_lines()[-1] == "The night opens once every seat is taken and all have read the posting."


async def test_a_lost_connection_and_its_return_are_said_and_the_turn_is_told_again() -> None:
    async with talking(own_turn()) as (talk, _):
        talk.new_lines()
        talk.server.go_down()
        await talk.settle()
        assert talk.new_lines() == ["Connection lost. Your seat is kept; trying again by itself."]
        talk.server.come_back()
        talk.timing.advance(2.0)
        await talk.settle()
        lines = talk.new_lines()
        assert lines[0] == "The connection is back; you are in your seat."
        assert lines[1].startswith("Your turn. ")


async def test_a_refusal_is_read_out_with_the_open_amounts() -> None:
    async with talking(own_turn()) as (talk, _):
        talk.new_lines()
        talk.server.refusals["Act"] = RefusedError(
            reason=Reason.REASON_BELOW_MINIMUM,
            reason_name="BELOW_MINIMUM",
            facts={"raise_to_min_chips": 4, "raise_to_max_chips": 97},
            message="that is too little",
        )
        await talk.type("r")
        assert talk.new_lines() == ["That is too little. Open: to 4-97."]


@pytest.mark.parametrize(
    ("lines", "how", "left"),
    [
        (["q", "leave"], HowItEnded.LEFT, 1),
        (["q", "keep"], HowItEnded.KEPT, 0),
        (["q", "", "q", "keep"], HowItEnded.KEPT, 0),
        ([None], HowItEnded.KEPT, 0),
    ],
)
async def test_quitting_asks_what_becomes_of_the_seat(lines: list[str | None], how: HowItEnded, left: int) -> None:
    async with talking(own_turn()) as (talk, playing):
        await talk.type(*lines)
        assert (await playing).how == how
        assert talk.server.asked.count("LeaveTable") == left


@pytest.mark.parametrize(
    ("is_host", "while_away"),
    [
        (True, "your night stands still for everybody, but its cutoff comes nearer,"),
        (False, "the clock acts for you"),
    ],
)
async def test_quitting_says_what_happens_while_one_is_away(*, is_host: bool, while_away: str) -> None:
    async with talking(own_turn(), is_host=is_host) as (talk, _):
        await talk.type("q")
        assert talk.new_lines()[-1] == (
            f"Type keep to keep the seat: {while_away} until you come back with homegame play --resume. Enter alone stays."
        )


async def test_it_ends_by_itself_when_the_night_is_closed() -> None:
    async with talking(others_turn()) as (talk, playing):
        talk.server.push(TableEvent(night_closed=NightClosed(has_result=True)))
        await talk.settle()
        assert (await playing).how == HowItEnded.OVER
        assert talk.new_lines()[-1] == "The night is closed."
