"""Slow, obvious odds: put every card in every unknown place, in every order, and see who wins.

Only `rank`, which has oracles of its own, is shared with the engine: who gets which card and who wins is written here again.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from homegame_engine.cards import CARD_UNKNOWN, RANKS, SUITS, parse_card
from homegame_engine.evaluator import category
from homegame_engine.evaluator.high import CATEGORIES
from homegame_engine.evaluator.ranking import rank
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.specs import DealDown, DealUp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from homegame_engine.specs import GameSpec, HandRules

Cards = tuple[int, ...]


class Fortune(NamedTuple):
    """What one hand has won, as parts of all deals."""

    wins: Fraction
    ties: Fraction
    high_share: Fraction
    low_share: Fraction


def deck_of(game: GameSpec) -> set[int]:
    """Return the cards of a game's deck."""
    ranks = RANKS if game.deck.cards == 52 else RANKS[4:]
    return {parse_card(r + s) for r in ranks for s in SUITS} | {parse_card(x) for x in ("X1", "X2")[: game.deck.jokers]}


def n_private(game: GameSpec) -> int:
    """Return how many private cards a player holds at the showdown."""
    return game.hole_card_count - game.discard_count


def up_mask(game: GameSpec) -> int:
    """Bit i says that private card i was dealt face up."""
    ups = [
        isinstance(step, DealUp)
        for step in game.steps
        if isinstance(step, DealDown | DealUp)
        for _ in range(step.count)
    ]
    return sum(1 << i for i, is_up in enumerate(ups[: n_private(game)]) if is_up)


def rules_of(game: GameSpec, rules: HandRules) -> tuple[RankingRule, RankingRule | None]:
    """Return how the pot, or its high half, and how the low half is ranked."""
    shown = game.showdown
    wild = game.wild
    codes = [parse_card(r + s) for r in wild.ranks for s in SUITS] + [parse_card(c) for c in wild.cards] if wild else []
    is_exact = game.board_card_count and shown.hole_cards_min == shown.hole_cards_max

    def rule(name: str, qualifier: int) -> RankingRule:
        return RankingRule(
            ranking=Ranking[rules.low_ranking if name == "HOUSE_LOW" else name],
            qualifier=qualifier,
            exact_hole=shown.hole_cards_min if is_exact else 0,
            low_hole_wild=bool(wild and wild.low_hole_card),
            wild_cards=tuple(codes),
        )

    if shown.low is None:
        return rule(shown.ranking, shown.low_qualifier), None
    return rule(shown.ranking, 0), rule(shown.low, shown.low_qualifier)


def completions(
    game: GameSpec, hands: Sequence[Sequence[int]], board: Sequence[int], dead: Sequence[int]
) -> Iterator[tuple[list[Cards], Cards]]:
    """Every deal that has the known cards in their places, as the hands and the board."""
    size, n_board = n_private(game), game.board_card_count
    places = [card for hand in hands for card in (*hand, *[CARD_UNKNOWN] * (size - len(hand)))]
    places += [*board, *[CARD_UNKNOWN] * (n_board - len(board))]
    left = sorted(deck_of(game) - set(places) - set(dead))
    for drawn in itertools.permutations(left, places.count(CARD_UNKNOWN)):
        cards = iter(drawn)
        dealt = tuple(next(cards) if card == CARD_UNKNOWN else card for card in places)
        yield [dealt[i * size : (i + 1) * size] for i in range(len(hands))], dealt[len(hands) * size :]


def best(ranks: Sequence[int], able: Sequence[int]) -> list[int]:
    """Those of the able players whose rank is the highest."""
    return [player for player in able if ranks[player] == max(ranks[i] for i in able)]


def winners(game: GameSpec, high: Sequence[int], low: Sequence[int]) -> tuple[list[int], list[int]]:
    """Who takes the high half, or the pot where nobody takes the low half, and who takes the low half."""
    everybody = range(len(high))
    needed = game.conditions.winners if game.conditions and game.conditions.redeal_if_no_win else None
    if needed and max(CATEGORIES.index(category(hand_rank)) for hand_rank in high) < CATEGORIES.index(
        needed.category.lower()
    ):
        return [], []
    with_low = [player for player in everybody if low and low[player]]
    return best(high, everybody), best(low, with_low) if with_low else []


def fortunes(
    game: GameSpec,
    rules: HandRules,
    deals: Sequence[Sequence[Sequence[int]]],
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
) -> list[Fortune]:
    """What each player wins in the mean of all completions of all `deals`; a deal is one hand a player."""
    high_rule, low_rule = rules_of(game, rules)
    up = up_mask(game)
    count: Counter[tuple[str, int]] = Counter()
    total = 0
    for hands in deals:
        for dealt, common in completions(game, hands, board, dead):
            total += 1
            high_ranks = [rank(high_rule, hand, common, up) for hand in dealt]
            low_ranks = [rank(low_rule, hand, common, up) for hand in dealt] if low_rule else []
            high, low = winners(game, high_ranks, low_ranks)
            for player in {*high, *low}:
                # Parts are counted in 5040ths, so that nothing is rounded.
                high_part = (2520 if low else 5040) // len(high) if player in high else 0
                low_part = 2520 // len(low) if player in low else 0
                count["high", player] += high_part
                count["low", player] += low_part
                count["win" if high_part + low_part == 5040 else "tie", player] += 1
    return [
        Fortune(
            Fraction(count["win", player], total),
            Fraction(count["tie", player], total),
            Fraction(count["high", player], 5040 * total),
            Fraction(count["low", player], 5040 * total),
        )
        for player in range(len(deals[0]))
    ]


def rank_counts(
    game: GameSpec, rules: HandRules, hand: Sequence[int], board: Sequence[int], dead: Sequence[int]
) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """How often one player's hand has each rank, as parts of all deals: high ranks, and low ones."""
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    up = up_mask(game)
    for (cards,), common in completions(game, [hand], board, dead):
        for rule, counted in zip(rules_of(game, rules), counts, strict=True):
            if rule:
                counted[rank(rule, cards, common, up)] += 1
    high, low = ({key: Fraction(n, counted.total()) for key, n in counted.items() if key} for counted in counts)
    return high, low
