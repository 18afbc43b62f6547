"""POT-LAY-04, POT-SPLIT-01 to POT-SPLIT-04 and GAME-DECL-08 over whole random hands, against the rules in slow plain words."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.actions import AnyAction, Bet, Declare, Fold, Raise
from homegame_engine.award import judge_declarations
from homegame_engine.deal_proof import deck_cards
from homegame_engine.evaluator.ranking import rank
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.events import HalvesDeclared
from homegame_engine.hand import Hand
from tests.game_hands import of_kind, rules_of
from tests.table_builders import action_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.events import AnyEvent

HIGH = RankingRule(ranking=Ranking.HIGH)
OMAHA_HIGH = RankingRule(ranking=Ranking.HIGH, exact_hole=2)
OMAHA_LOW = RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=8, exact_hole=2)
HOUSE_LOW = RankingRule(ranking=Ranking.ACE_TO_SIX)
GAMES = {
    "HOLDEM": (HIGH, None),
    "OMAHA8": (OMAHA_HIGH, OMAHA_LOW),
    "STUD8": (HIGH, RankingRule(ranking=Ranking.ACE_TO_FIVE, qualifier=8)),
    "STUD_LOW_SPADE": (HIGH, RankingRule(ranking=Ranking.LOW_SPADE)),
    "DRAW_DECLARE": (HIGH, HOUSE_LOW),
}
N_HANDS = 120


def random_action(hand: Hand, shuffled: random.Random) -> AnyAction:
    """Something legal: few folds, many all-ins."""
    legal = hand.legal_actions()
    kind = shuffled.choice([kind for kind in legal.kinds if kind != "fold"] or ["fold"])
    if shuffled.random() < 0.08 and "fold" in legal.kinds:
        return Fold()
    if kind in ("bet", "raise"):
        to_chips = shuffled.choice([legal.raise_to_min_chips, legal.raise_to_max_chips])
        return Bet(to_chips=to_chips) if kind == "bet" else Raise(to_chips=to_chips)
    if kind == "declare":
        return Declare(half=shuffled.choice(legal.halves))
    if kind == "check":
        return action_of("k", legal)
    return action_of("c", legal) if kind == "call" else hand.timeout_action(hand.actor)


def play_one(game: str, shuffled: random.Random, odd_units: str) -> tuple[Hand, list[AnyEvent]]:
    spec = catalog.game(game)
    n_players = shuffled.randint(2, 6)
    deck = list(deck_cards(52))
    shuffled.shuffle(deck)
    changes = {"showdown": "AUTO", "low_ranking": "ACE_TO_SIX", "odd_units": odd_units}
    rules = msgspec.structs.replace(rules_of("CLUB", "NO_LIMIT", ante_chips=3, bring_in_chips=1), **changes)
    hand = Hand.start(
        spec,
        rules,
        stacks=[shuffled.choice([4, 7, 13, 29, 60]) for _ in range(n_players)],
        button=shuffled.randrange(n_players),
        deck_order=bytes(deck),
        dead_chips=shuffled.randrange(6),
    )
    events: list[AnyEvent] = []
    while not hand.is_over:
        events += hand.apply(hand.actor, random_action(hand, shuffled))
    return hand, events


def slow_layers(hand: Hand) -> list[tuple[int, list[int]]]:
    """Chip by chip: the k-th chip of everybody's total lies in a slice that those who put in k chips can win."""
    committed, live = hand.committed_chips, [s for s in range(hand.n_seats) if hand.live_mask >> s & 1]
    slices: dict[tuple[int, ...], int] = {}
    top = max(committed[seat] for seat in live)
    for level in range(1, max(committed) + 1):
        able = tuple(seat for seat in live if committed[seat] >= min(level, top))
        slices[able] = slices.get(able, 0) + sum(total >= level for total in committed)
    layers = [(chips, list(able)) for able, chips in slices.items()]
    main_chips, main_seats = layers[0]
    return [(main_chips + hand.pot_chips - sum(committed), main_seats), *layers[1:]]


def best(ranks: dict[int, int], seats: Sequence[int]) -> list[int]:
    able = [seat for seat in seats if ranks[seat] > 0]
    return [seat for seat in able if ranks[seat] == max(ranks[other] for other in able)]


def winners_of(game: str, hand: Hand, seats: list[int], declared: dict[int, str]) -> tuple[list[int], list[int]]:
    high_rule, low_rule = GAMES[game]
    up = 0b0111100 if game.startswith("STUD") else 0
    highs = {seat: rank(high_rule, hand.hole_cards(seat), hand.board, up) for seat in seats}
    if low_rule is None:
        return best(highs, seats), []
    lows = {seat: rank(low_rule, hand.hole_cards(seat), hand.board, up) for seat in seats}
    if not declared:
        return best(highs, seats), best(lows, seats)
    high, low = judge_declarations([declared[s] for s in seats], [highs[s] for s in seats], [lows[s] for s in seats])
    return [s for i, s in enumerate(seats) if high >> i & 1], [s for i, s in enumerate(seats) if low >> i & 1]


def one_by_one(chips: int, winners: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """Hand out chip after chip, clockwise from the button's left."""
    in_order = [seat for seat in order if seat in winners]
    shares = dict.fromkeys(in_order, 0)
    for i in range(chips):
        shares[in_order[i % len(in_order)]] += 1
    return shares


def slow_shares(
    chips: int, high: list[int], low: list[int], order: Sequence[int], odd_units: str
) -> list[dict[int, int]]:
    """What the winners of a layer get, part by part; in House Night what is missing is carried."""
    if not (high and low):
        winners = high or low
        if odd_units == "CARRY" and len(winners) > 2:
            chips -= chips % len(winners)
        return [one_by_one(chips, winners, order)]
    if odd_units == "CARRY" and (len(high), len(low)) != (1, 1):
        chips -= chips % (2 * math.lcm(len(high), len(low)))
    return [one_by_one(chips - chips // 2, high, order), one_by_one(chips // 2, low, order)]


@pytest.mark.parametrize("odd_units", ["CLOCKWISE", "CARRY"])
@pytest.mark.parametrize("game", GAMES)
def test_pot_split_01_to_04_every_layer_goes_where_the_rules_say(game: str, odd_units: str) -> None:
    shuffled = random.Random(f"{game} {odd_units}")  # noqa: S311 - the same hands in every run
    shown = contested = 0
    for _ in range(N_HANDS):
        hand, events = play_one(game, shuffled, odd_units)
        order = [(hand.button + 1 + i) % hand.n_seats for i in range(hand.n_seats)]
        declared = {said.seat: said.half for event in of_kind(events, HalvesDeclared) for said in event.declarations}
        expected = [0] * hand.n_seats
        for chips, seats in slow_layers(hand):
            high, low = winners_of(game, hand, seats, declared) if len(seats) > 1 else (seats, [])
            contested += len(seats) > 1
            for part in slow_shares(chips, high, low, order, odd_units):
                for seat, share in part.items():
                    expected[seat] += share
        assert list(hand.won_chips) == expected, msgspec.json.encode(events)
        assert hand.carry_chips == hand.pot_chips - sum(expected)
        assert odd_units == "CARRY" or hand.carry_chips == 0
        shown += hand.shown_mask != 0
    assert contested > shown > N_HANDS // 3
