"""`homegame odds GAME …`: who wins how often with the cards that are known, or how often each hand comes.

This module reads the command line and lets the engine count or sample; `odds_report` says what came out.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, NamedTuple

import typer

from homegame_cli.named_games import game_or_file
from homegame_cli.odds_report import (
    EquityReport,
    FrequencyReport,
    Table,
    equity_lines,
    equity_object,
    frequency_lines,
    frequency_object,
    json_text,
)
from homegame_cli.progress import progress_bar
from homegame_engine import catalog
from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.frequencies import BoardFrequencies, BoardFrequencyResult, HandFrequencies
from homegame_engine.notation.named_hands import ANYTHING, read_hands
from homegame_engine.odds import Odds

LIMIT_DEFAULT: Final = 20_000_000
SAMPLES_DEFAULT: Final = 1_000_000
_SEED_MAX: Final = (1 << 64) - 1
# Between two looks at the bar and at the keyboard pass so many seconds, more or less.
_LEAST_SECONDS: Final = 0.05
_MOST_SECONDS: Final = 0.2
_FIRST_PIECE: Final = 1_000

app = typer.Typer(add_completion=False)


class _Plan(NamedTuple):
    """How to come to a result: count where it ranks no more hands than `limit` (None: always), else sample."""

    limit: int | None
    n_samples: int | None
    seed: int


@app.command()
def odds(  # noqa: PLR0913 - one parameter for each option
    game: Annotated[str, typer.Argument(metavar="GAME|FILE", help="Id or other name of a game, or a game's file.")],
    hands: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HAND]…", help="AsKs, As?? or As (the rest unknown), AA, AKs, AKo, AA,KK,AsKs, or any."
        ),
    ] = None,
    *,
    board: Annotated[str, typer.Option(metavar="CARDS", help="Common cards that lie there, in order.")] = "",
    dead: Annotated[str, typer.Option(metavar="CARDS", help="Cards that nobody can have.")] = "",
    house: Annotated[
        str, typer.Option(metavar="HOUSE", help="Id of the house that says what a low is.")
    ] = "POINTS_NIGHT",
    frequencies: Annotated[bool, typer.Option("--frequencies", help="How often each hand and board comes.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Count every deal, however long it takes.")] = False,
    samples: Annotated[int | None, typer.Option(min=1, help="Deal so many at random instead of counting.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=_SEED_MAX, help="The same seed gives the same samples.")] = 0,
    limit: Annotated[
        int, typer.Option(min=0, help="Count where no more hands than this are to be ranked.")
    ] = LIMIT_DEFAULT,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Say who wins how often, or with --frequencies how often each hand comes.

    Cards are named in the order of dealing. Every deal is counted where that is quick, else a million are sampled.
    Exit status: 0, or 3 when there is no such game or the cards make no deal.
    """
    if exact and samples is not None:
        raise InputError("--exact counts every deal and --samples does not: name one of them")
    rules = catalog.house(house.upper()).hand_rules(small_blind_chips=1, big_blind_chips=2)
    table = Table(game_or_file(game), house.upper(), rules, board=parse_cards(board), dead=parse_cards(dead))
    plan = _Plan(limit=None if exact else limit, n_samples=samples, seed=seed)
    if frequencies:
        found = _frequencies(table, hands or [ANYTHING[0]], plan)
        print(json_text(frequency_object(found)) if as_json else "\n".join(frequency_lines(found)))
        return
    if not hands or len(hands) == 1:
        raise InputError("name two hands or more, `any` where nothing is known of one; or ask for --frequencies")
    won = _equity(table, hands, plan)
    print(json_text(equity_object(won)) if as_json else "\n".join(equity_lines(won)))


def _equity(table: Table, hands: list[str], plan: _Plan) -> EquityReport:
    named = [read_hands(text) for text in hands]
    with _named(hands):
        odds = Odds(table.game, table.rules, named, board=table.board, dead=table.dead)
    if plan.limit is None and odds.n_deals is None:
        raise InputError("--exact: the hands have too many combinations")
    _run(odds, plan)
    return EquityReport(table, tuple(hands), odds.result(), odds.n_deals, plan.seed)


def _frequencies(table: Table, hands: list[str], plan: _Plan) -> FrequencyReport:
    """Each hand by itself: what the others hold, it cannot have."""
    known = [_one_hand(text) for text in hands]
    found = []
    for index, hand in enumerate(known):
        others = [card for other in known[:index] + known[index + 1 :] for card in other if card != CARD_UNKNOWN]
        with _named([hands[index]]):
            counter = HandFrequencies(table.game, table.rules, hand, board=table.board, dead=(*table.dead, *others))
        _run(counter, plan)
        found.append(counter.result())
    held = [card for hand in known for card in hand if card != CARD_UNKNOWN]
    return FrequencyReport(table, tuple(hands), tuple(found), _boards(table, held, plan), plan.seed)


@contextmanager
def _named(hands: list[str]) -> Iterator[None]:
    """Say of an error which part of the command line it is about, and not which argument of the engine."""
    try:
        yield
    except InputError as error:
        place = re.fullmatch(r"hands\[(\d+)\]", error.field)
        words = {"hand": hands[0], "board": "--board", "dead": "--dead"}
        part = hands[int(place[1])] if place else words.get(error.field, "")
        raise InputError(f"{part}: {error.message}" if part else error.message) from None


def _one_hand(text: str) -> tuple[int, ...]:
    hands = read_hands(text)
    if len(hands) > 1:
        raise InputError(f"{text!r} is several hands; with --frequencies each is named by its cards, as AsKs")
    return hands[0]


def _boards(table: Table, held: list[int], plan: _Plan) -> BoardFrequencyResult | None:
    """What lies on the boards that may come. They are counted; where that takes too long nothing is said of them."""
    if not table.game.board_card_count:
        return None
    boards = BoardFrequencies(table.game, table.rules, board=table.board, held=held, dead=table.dead)
    if plan.limit is not None and boards.n_evaluations > max(plan.limit, LIMIT_DEFAULT):
        return None
    _count("boards", boards, boards.n_deals)
    return boards.result()


def _run(counter: Odds | HandFrequencies, plan: _Plan) -> None:
    """Count where the plan says so, else sample."""
    n_hands = counter.n_evaluations
    is_counted = plan.n_samples is None and n_hands is not None and (plan.limit is None or n_hands <= plan.limit)
    if is_counted and counter.n_deals is not None:
        _count("deals", counter, counter.n_deals)
        return
    n_samples = plan.n_samples or SAMPLES_DEFAULT
    with progress_bar("samples", n_samples) as show:
        for size in _pieces():
            counter.sample(min(size, n_samples - counter.n_counted), seed=plan.seed)
            show(counter.n_counted)
            if counter.n_counted == n_samples:
                return


def _count(what: str, counter: Odds | HandFrequencies | BoardFrequencies, n_deals: int) -> None:
    with progress_bar(what, n_deals) as show:
        for size in _pieces():
            counter.count(size)
            show(counter.n_counted)
            if counter.is_done:
                return


def _pieces() -> Iterator[int]:
    """How much to do at a time: games differ a thousandfold in what a hand costs, so the time that passes decides."""
    size = _FIRST_PIECE
    while True:
        began = time.perf_counter()
        yield size
        took = time.perf_counter() - began
        if took < _LEAST_SECONDS:
            size *= 2
        elif took > _MOST_SECONDS:
            size = max(size // 2, 1)
