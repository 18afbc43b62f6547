"""The odds calls of CatalogService: they compute for a while, off the event loop, and say how far they are.

One of them computes at a time and few wait, so that nights keep their processor. A client that goes away ends its computation at
the next piece.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from homegame.v1 import cards_pb2, odds_pb2
from homegame.v1 import catalog_service_pb2 as pb
from homegame_engine import catalog
from homegame_engine.cards import CARD_UNKNOWN
from homegame_engine.errors import InputError
from homegame_engine.frequencies import BoardFrequencies, HandFrequencies
from homegame_engine.notation.named_hands import read_hands
from homegame_engine.odds import Odds
from homegame_server import errors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    import grpc

    from homegame_engine.frequencies import BoardFrequencyResult, HandFrequencyResult, KindCount
    from homegame_engine.odds import OddsResult, PlayerOdds
    from homegame_engine.specs import GameSpec, HandRules
    from homegame_server.config import Limits

    Context = grpc.aio.ServicerContext[Any, Any]

_DESIGNERS_FILE: Final = "game.toml"
_SAMPLES_DEFAULT: Final = 1_000_000
# Between two words to the client pass so many seconds, more or less.
_LEAST_SECONDS: Final = 0.05
_MOST_SECONDS: Final = 0.2
_FIRST_PIECE: Final = 1_000
_BILLION: Final = 10**9


class OddsDesk:
    """Computes odds for whoever asks.

    Args:
        limits: How many hands a call may rank to count every deal, and how many calls may wait.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._computing = asyncio.Lock()
        self._n_waiting = 0

    async def get_odds(self, request: pb.GetOddsRequest, context: Context) -> None:
        """Write how far it is, and then the odds."""
        game, rules = _game_of(request)
        hands = [_alternatives(hand, f"hands[{i}]") for i, hand in enumerate(request.hands)]
        board, dead = _codes(request.board), _codes(request.dead)
        async with self._turn():
            odds = await asyncio.to_thread(Odds, game, rules, hands, board=board, dead=dead)
            async for progress in self._run(odds, request.samples, request.seed):
                await context.write(pb.GetOddsResponse(progress=progress))
            has_low = game.showdown.low is not None
            await context.write(pb.GetOddsResponse(odds=_odds(odds.result(), has_low=has_low)))

    async def get_hand_frequencies(self, request: pb.GetHandFrequenciesRequest, context: Context) -> None:
        """Write how far it is, and then the frequencies."""
        game, rules = _game_of(request)
        hand, board, dead = _codes(request.hand.cards), _codes(request.board), _codes(request.dead)
        async with self._turn():
            hands = HandFrequencies(game, rules, hand, board=board, dead=dead)
            async for progress in self._run(hands, request.samples, request.seed):
                await context.write(pb.GetHandFrequenciesResponse(progress=progress))
            boards = None
            if game.board_card_count:
                held = [card for card in hand if card != CARD_UNKNOWN]
                counter = BoardFrequencies(game, rules, board=board, held=held, dead=dead)
                if counter.n_evaluations <= self._limits.odds_hands_max:
                    async for progress in self._count(counter, counter.n_deals):
                        await context.write(pb.GetHandFrequenciesResponse(progress=progress))
                    boards = counter.result()
            found = await asyncio.to_thread(hands.result)
            await context.write(pb.GetHandFrequenciesResponse(frequencies=_frequencies(found, boards)))

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for the processor. Raises OVERLOADED where too many wait."""
        if self._n_waiting > self._limits.odds_waiting_max:
            raise errors.odds_overloaded(self._limits.retry_after_ms)
        self._n_waiting += 1
        try:
            async with self._computing:
                yield
        finally:
            self._n_waiting -= 1

    async def _run(
        self, counter: Odds | HandFrequencies, n_samples: int, seed: int
    ) -> AsyncIterator[odds_pb2.OddsProgress]:
        """Count where that is quick and nobody asked for samples, else sample; after each piece say how far it is."""
        n_hands, n_deals = counter.n_evaluations, counter.n_deals
        if n_samples == 0 and n_hands is not None and n_deals is not None and n_hands <= self._limits.odds_hands_max:
            async for progress in self._count(counter, n_deals):
                yield progress
            return
        n_samples = n_samples or _SAMPLES_DEFAULT
        pieces = _Pieces(self._limits.odds_ms_max)
        # Where time runs out, fewer samples have come: their error says what they are worth.
        while counter.n_counted < n_samples and (counter.n_counted == 0 or not pieces.are_late):
            size = min(pieces.size, n_samples - counter.n_counted)
            await pieces.do(partial(counter.sample, size, seed=seed))
            yield _progress(counter.n_counted, n_samples)

    async def _count(
        self, counter: Odds | HandFrequencies | BoardFrequencies, n_deals: int
    ) -> AsyncIterator[odds_pb2.OddsProgress]:
        pieces = _Pieces(self._limits.odds_ms_max)
        while not counter.is_done:
            if pieces.are_late:
                raise InputError("this takes too long to count; ask for samples", field="samples")
            await pieces.do(partial(counter.count, pieces.size))
            yield _progress(counter.n_counted, n_deals)


class _Pieces:
    """How much to compute at a time: games differ a thousandfold in what a hand costs, so the time that passes decides."""

    def __init__(self, ms_max: int) -> None:
        self._time = asyncio.get_running_loop().time
        self._ends = self._time() + ms_max / 1000
        self.size = _FIRST_PIECE

    @property
    def are_late(self) -> bool:
        """Whether all of it has taken too long."""
        return self._time() > self._ends

    async def do(self, piece: Callable[[], None]) -> None:
        """Compute one piece in a thread; the compiled code lets the event loop go on."""
        began = self._time()
        await asyncio.to_thread(piece)
        took = self._time() - began
        if took < _LEAST_SECONDS:
            self.size *= 2
        elif took > _MOST_SECONDS:
            self.size = max(self.size // 2, 1)


# --- Requests ---------------------------------------------------------------------------------------------------------------


def _game_of(request: pb.GetOddsRequest | pb.GetHandFrequenciesRequest) -> tuple[GameSpec, HandRules]:
    if request.WhichOneof("game") == "game_text":
        game = catalog.load_game(request.game_text, _DESIGNERS_FILE)
    else:
        game = catalog.game_by(request.game_id)
    house = catalog.house(request.house_id if request.HasField("house_id") else "POINTS_NIGHT")
    # Sizes do not matter: what ranks hands is all that is read.
    return game, house.hand_rules(small_blind_chips=1, big_blind_chips=2)


def _alternatives(hand: odds_pb2.PossibleHands, field: str) -> Sequence[Sequence[int]]:
    if hand.WhichOneof("named") == "cards":
        return (_codes(hand.cards.cards),)
    try:
        return read_hands(hand.text)
    except InputError as error:
        raise InputError(error.message, field=f"{field}.text") from None


def _codes(cards: Iterable[cards_pb2.Card.ValueType]) -> tuple[int, ...]:
    """The engine's cards; the back of a card is one that is not known."""
    return tuple(card - 1 if card else CARD_UNKNOWN for card in cards)


# --- Answers ----------------------------------------------------------------------------------------------------------------


def _progress(n_done: int, n_all: int) -> odds_pb2.OddsProgress:
    return odds_pb2.OddsProgress(deals=n_done, deals_total=n_all)


def _odds(result: OddsResult, *, has_low: bool) -> odds_pb2.Odds:
    return odds_pb2.Odds(
        is_exact=result.is_exact,
        deals=result.n_deals,
        players=[_player(player, is_exact=result.is_exact) for player in result.players],
        sharing=result.n_sharing,
        deals_without_low=result.n_without_low if has_low else None,
        deals_unawarded=result.n_unawarded,
    )


def _player(player: PlayerOdds, *, is_exact: bool) -> odds_pb2.PlayerOdds:
    return odds_pb2.PlayerOdds(
        wins=player.n_wins,
        ties=player.n_ties,
        losses=player.n_losses,
        share_billionths=round(player.share * _BILLION),
        high_share_billionths=round(player.high_share * _BILLION),
        low_share_billionths=round(player.low_share * _BILLION),
        standard_error_billionths=round(player.standard_error * _BILLION),
        share_fraction=str(player.share) if is_exact else "",
    )


def _frequencies(result: HandFrequencyResult, boards: BoardFrequencyResult | None) -> odds_pb2.HandFrequencies:
    return odds_pb2.HandFrequencies(
        is_exact=result.is_exact,
        deals=result.n_deals,
        high=[_kind(kind) for kind in result.high_kinds],
        low=[_kind(kind) for kind in result.low_kinds],
        boards=_boards(boards) if boards else None,
    )


def _kind(kind: KindCount) -> odds_pb2.HandKind:
    return odds_pb2.HandKind(
        category=kind.category.upper(), deals=kind.n_deals, best_text=kind.best_text, best_deals=kind.best.n_deals
    )


def _boards(boards: BoardFrequencyResult) -> odds_pb2.BoardFrequencies:
    return odds_pb2.BoardFrequencies(
        boards=boards.n_boards,
        ranks=[
            odds_pb2.BoardRank(rank=cards_pb2.Rank.ValueType(number), boards=count)
            for number, count in enumerate(boards.n_with_rank, start=cards_pb2.RANK_TWO)
        ],
        boards_with_low=boards.n_low_possible,
    )
