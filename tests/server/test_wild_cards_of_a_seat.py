"""Which cards of a seat are wild is said to those who may know it, and to nobody else (RANK-WILD-04, PROC-SHOW-06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homegame.v1.actions_pb2 import ActionKind
from homegame.v1.cards_pb2 import Card
from homegame.v1.views_pb2 import SeatHand
from tests.server.game_night import open_table, play_hands, table_of, view_of
from tests.server.running_server import World, serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame.v1.events_pb2 import TableEvent
    from homegame.v1.views_pb2 import SeatView, TableView

N_PLAYERS = 4
ACE = 12
DEUCE = 0


def rank_of(card: Card.ValueType) -> int:
    return (card - 1) // 4


def nth_turn(number: int) -> Callable[[TableEvent], bool]:
    """Says when so many turns of betting have come, or a showdown."""
    left = number

    def comes(event: TableEvent) -> bool:
        nonlocal left
        kinds = event.action_required.legal.kinds
        left -= bool(kinds) and ActionKind.ACTION_KIND_CUT not in kinds
        return left == 0 or event.HasField("layer_awarded")

    return comes


async def views_of_turns(game_id: str, turns: range) -> list[TableView]:
    """A hand that is looked at by everybody at several of its turns."""
    world, views = World(), []
    async with serving(world) as (_, client):
        night = await open_table(client, table_of(game_id, "CLUB"), N_PLAYERS)
        for turn in turns:
            await play_hands(client, world, night, 1, late=0, seed=3, until=nth_turn(turn))
            views += [await view_of(client, night, player.token) for player in night.players]
            views.append(await view_of(client, night))
    return views


def low_hole(seat: SeatView) -> list[int]:
    """Positions of the lowest face-down card and its rank, where no face-down ace may be read in two ways."""
    down = [rank_of(card) for at, card in enumerate(seat.cards) if at not in seat.up_positions]
    return [at for at, card in enumerate(seat.cards) if rank_of(card) == min(down)]


async def test_rank_wild_04_a_low_hole_card_is_marked_for_those_alone_who_see_the_hand() -> None:
    n_own = n_hidden = 0
    for view in await views_of_turns("STUD_LOW_HOLE", range(1, 24, 3)):
        for seat in view.seats:
            wild = list(seat.wild_positions)
            if Card.CARD_HIDDEN in seat.cards or not seat.cards:
                assert wild == []
                n_hidden += 1
                continue
            down = [rank_of(card) for at, card in enumerate(seat.cards) if at not in seat.up_positions]
            assert seat.hand == SeatHand.SEAT_HAND_SHOWN or seat.seat == view.viewer_seat
            if ACE not in down:
                assert wild == low_hole(seat)
                n_own += 1
    assert min(n_own, n_hidden) > N_PLAYERS


async def test_rank_wild_01_cards_that_are_wild_for_everybody_are_marked_where_their_faces_are_seen() -> None:
    n_wild = 0
    for view in await views_of_turns("DEUCES_WILD_DRAW", range(1, 10, 4)):
        for seat in view.seats:
            deuces = [at for at, card in enumerate(seat.cards) if card and rank_of(card) == DEUCE]
            assert list(seat.wild_positions) == deuces
            n_wild += len(deuces)
    assert n_wild > 0
