"""The odds calls of CatalogService: progress first, the answer last, without a token, and never in the way of a night."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from homegame.v1 import cards_pb2, odds_pb2
from homegame.v1 import catalog_service_pb2 as pb
from homegame_engine.cards import parse_cards
from homegame_server.config import Limits
from tests.server.running_server import World, serving
from tests.server.table_client import Refused, TableClient, read_refusal

if TYPE_CHECKING:
    from collections.abc import Sequence


def cards(text: str) -> list[cards_pb2.Card.ValueType]:
    """Cards of the contract, `??` as the back of one."""
    return [cards_pb2.Card.ValueType(code + 1 if code < 54 else 0) for code in parse_cards(text)]


def known(text: str) -> odds_pb2.PossibleHands:
    return odds_pb2.PossibleHands(cards=odds_pb2.KnownCards(cards=cards(text)))


def named(text: str) -> odds_pb2.PossibleHands:
    return odds_pb2.PossibleHands(text=text)


async def answers(
    client: TableClient,
    hands: Sequence[odds_pb2.PossibleHands],
    **asked: Any,  # noqa: ANN401
) -> list[pb.GetOddsResponse]:
    """Everything that a call for odds says."""
    request = pb.GetOddsRequest(hands=hands, **{"game_id": "HOLDEM"} | asked)
    return [answer async for answer in client.catalog.GetOdds(request)]


async def odds(client: TableClient, hands: Sequence[odds_pb2.PossibleHands], **asked: Any) -> odds_pb2.Odds:  # noqa: ANN401
    """The last word of a call for odds."""
    return (await answers(client, hands, **asked))[-1].odds


async def refused(client: TableClient, request: pb.GetOddsRequest) -> Refused:
    """The refusal of a call for odds."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        [answer async for answer in client.catalog.GetOdds(request)]
    return read_refusal(caught.value)


async def test_progress_comes_first_and_the_odds_last() -> None:
    async with serving(World()) as (_, client):
        *progress, last = await answers(client, [known("AsKs"), known("QhQd")])
    assert progress
    assert all(answer.WhichOneof("answer") == "progress" for answer in progress)
    done = [answer.progress.deals for answer in progress]
    assert done == sorted(done)
    assert done[-1] == progress[-1].progress.deals_total == 1712304
    player, other = last.odds.players
    assert last.odds.is_exact
    assert (player.wins, player.ties, player.losses) == (787966, 6732, 917606)
    assert (player.share_fraction, player.share_billionths) == ("197833/428076", 462144572)
    assert player.share_billionths + other.share_billionths == 10**9
    assert list(last.odds.sharing) == [1705572, 6732]
    assert not last.odds.HasField("deals_without_low")


async def test_hands_are_named_by_cards_or_in_text() -> None:
    async with serving(World()) as (_, client):
        by_cards = await odds(client, [known("As"), known("")], board=cards("2c3d4hTh9s"))
        assert by_cards == await odds(client, [named("As??"), named("any")], board=cards("2c3d4hTh9s"))
        assert by_cards == await odds(client, [known("As??"), known("????")], board=cards("2c3d4hTh9s"))
        classes = await odds(client, [named("AA"), named("KK")], board=cards("2c3d4h"), dead=cards("9s9d"))
    assert by_cards.deals == 46 * 45 * 44 // 2
    assert classes.deals == 36 * 43 * 42 // 2


async def test_any_game_has_odds_one_of_ones_own_too() -> None:
    async with serving(World()) as (_, client):
        halves = await odds(client, [known("AsKs2h3d"), known("QcQdJhTh")], game_id="OMAHA8", board=cards("4c5d9h"))
        razz = [known("As2d3h4c5hKsQd"), known("7s6d4h3c2hKdQc")]
        to_five = await odds(client, razz, game_id="RAZZ")
        to_six = await odds(client, razz, game_id="razz", house_id="HOUSE_NIGHT")
        text = (
            'id = "OWN"\nversion = 1\nname = "Own"\nsummary = "Five cards, black deuces wild."\nrules = []\n'
            'forced = "ANTES"\nplayers = { min = 2, max = 8 }\nwild = { cards = ["2c", "2s"] }\n'
            'steps = [{ step = "DEAL_DOWN", count = 5 }, { step = "BET", street = "FIRST", size = "SMALL" }]\n'
            'showdown = { ranking = "HIGH", hole_cards_min = 0, hole_cards_max = 5 }\n'
        )
        request = pb.GetOddsRequest(game_text=text, hands=[known("2cKsKdQh7h"), known("AsAdQs9c8c")])
        own = [answer async for answer in client.catalog.GetOdds(request)][-1].odds
    assert halves.deals_without_low > 0
    assert halves.players[0].low_share_billionths > halves.players[1].low_share_billionths == 0
    assert (to_five.players[0].wins, to_six.players[0].wins) == (1, 0)
    assert own.players[0].wins == 1


async def test_many_deals_are_sampled_and_a_seed_repeats_them() -> None:
    async with serving(World()) as (_, client):
        first = await odds(client, [named("any"), named("any")], samples=20_000, seed=3)
        again = await odds(client, [named("any"), named("any")], samples=20_000, seed=3)
        other = await odds(client, [named("any"), named("any")], samples=20_000, seed=4)
    assert first == again != other
    assert (first.is_exact, first.deals) == (False, 20_000)
    player = first.players[0]
    assert player.share_fraction == ""
    assert abs(player.share_billionths - 500_000_000) < 5 * player.standard_error_billionths < 10**8


async def test_what_takes_too_long_to_count_is_sampled_or_ends() -> None:
    hands = [known("AsKs"), known("QhQd")]
    async with serving(World(limits=Limits(odds_hands_max=1000, odds_ms_max=0))) as (_, client):
        sampled = await odds(client, hands)
    assert not sampled.is_exact
    assert 0 < sampled.deals < 1_000_000
    async with serving(World(limits=Limits(odds_ms_max=0))) as (_, client):
        late = await refused(client, pb.GetOddsRequest(game_id="HOLDEM", hands=hands))
    assert (late.code, late.reason, late.fields) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST", ["samples"])


async def test_frequencies_are_of_hands_and_boards() -> None:
    async with serving(World()) as (_, client):
        request = pb.GetHandFrequenciesRequest(
            game_id="OMAHA8", hand=odds_pb2.KnownCards(cards=cards("AsKs2h3d")), board=cards("4c5d9hKd")
        )
        *progress, last = [answer async for answer in client.catalog.GetHandFrequencies(request)]
        stud = pb.GetHandFrequenciesRequest(game_id="STUD7", samples=1000)
        sampled = [answer async for answer in client.catalog.GetHandFrequencies(stud)][-1].frequencies
    assert progress
    assert (last.frequencies.is_exact, last.frequencies.deals) == (True, 44)
    assert sum(kind.deals for kind in last.frequencies.high) == 44
    (low,) = last.frequencies.low
    assert (low.category, low.best_text) == ("NO_PAIR", "five-low: 5-4-3-2-A")
    boards = last.frequencies.boards
    assert (boards.boards, boards.boards_with_low) == (44, 3 + 3 + 3 + 12)
    assert [(rank.rank, rank.boards) for rank in boards.ranks if rank.boards == 44] == [
        (cards_pb2.RANK_FOUR, 44),
        (cards_pb2.RANK_FIVE, 44),
        (cards_pb2.RANK_NINE, 44),
        (cards_pb2.RANK_KING, 44),
    ]
    assert (sampled.deals, sampled.HasField("boards")) == (1000, False)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"game_id": "NO_SUCH_GAME", "hands": [known("As"), known("Ks")]}, grpc.StatusCode.NOT_FOUND),
        ({"game_id": "HOLDEM", "hands": [known("As"), known("Ks")], "house_id": "NOWHERE"}, grpc.StatusCode.NOT_FOUND),
        ({"game_id": "HOLDEM", "hands": [known("As")]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"game_id": "HOLDEM", "hands": [known("As"), known("As")]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"game_id": "HOLDEM", "hands": [known("As"), named("AAA")]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"game_id": "HOLDEM", "hands": [known("As"), odds_pb2.PossibleHands()]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"game_id": "HOLDEM", "hands": [known("AsKsQs"), known("Kd")]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"game_text": "id = 1", "hands": [known("As"), known("Kd")]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"hands": [known("As"), known("Kd")]}, grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_what_cannot_be_dealt_is_refused(asked: dict[str, Any], code: grpc.StatusCode) -> None:
    async with serving(World()) as (_, client):
        assert (await refused(client, pb.GetOddsRequest(**asked))).code == code


async def first_word(call: Any) -> str:  # noqa: ANN401
    """`progress`, or the reason for which a call is refused."""
    try:
        return str((await call.read()).WhichOneof("answer"))
    except grpc.aio.AioRpcError as error:
        return read_refusal(error).reason


async def test_one_computes_one_waits_the_others_are_refused_and_the_server_goes_on() -> None:
    async with serving(World(limits=Limits(odds_waiting_max=1))) as (_, client):
        long = pb.GetOddsRequest(game_id="HOLDEM", hands=[named("any")] * 9, samples=10_000_000)
        calls = [client.catalog.GetOdds(long) for _ in range(4)]
        words = {asyncio.ensure_future(first_word(call)): call for call in calls}
        heard: list[str] = []
        pending = set(words)
        while len(heard) < 3:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            heard += [word.result() for word in done]
        assert sorted(heard) == ["OVERLOADED", "OVERLOADED", "progress"]
        assert len((await client.catalog.ListGames(pb.ListGamesRequest())).games) > 20
        for word, call in words.items():
            if word.done():
                call.cancel()
        (waiting,) = pending
        assert await waiting == "progress"  # Its turn has come.
        words[waiting].cancel()
        assert (await odds(client, [known("AsKs"), known("QhQd")], board=cards("2c3d4h5s"))).deals == 44
