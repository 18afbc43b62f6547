"""The rank cards: how hands rank under every ranking, in words, for everybody at any time. They hold no move advice.

Rules: RANK-HI-02 to RANK-HI-05, RANK-HI-07, RANK-LO-01 to RANK-LO-06, RANK-WILD-02, RANK-WILD-03, RANK-WILD-05, CARD-03.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from homegame_engine.cards import format_card, full_deck, parse_cards
from homegame_engine.specs import GameSpec, Ranking

SHORT_DECK_CARDS: Final = 36

_RANKS_BY_NUMBER: Final = " A23456789TJQKA"


class RankCategory(NamedTuple):
    """A kind of hand: its name, how two of the kind compare, and cards as an example, the deciding ones first."""

    name: str
    comparison: str
    example: tuple[int, ...]


class RankCard(NamedTuple):
    """The kinds of hand, strongest first, and what else one has to know."""

    categories: tuple[RankCategory, ...]
    notes: tuple[str, ...]
    title: str = "High hands"


HIGH: Final = RankCard(
    categories=(
        RankCategory(
            "straight flush",
            "The higher top card wins; with an ace on top it is called a royal flush.",
            parse_cards("KsQsJsTs9s"),
        ),
        RankCategory("four of a kind", "The rank of the four, then the kicker.", parse_cards("QsQhQdQc7h")),
        RankCategory("full house", "The rank of the three, then the rank of the pair.", parse_cards("9s9h9d4h4c")),
        RankCategory("flush", "The highest card, then the next, down to the fifth.", parse_cards("AdJd8d6d3d")),
        RankCategory("straight", "The higher top card wins.", parse_cards("Tc9d8h7s6c")),
        RankCategory(
            "three of a kind", "The rank of the three, then the two kickers in order.", parse_cards("5s5h5dKc2h")
        ),
        RankCategory("two pair", "The higher pair, then the lower pair, then the kicker.", parse_cards("JsJh3d3cAh")),
        RankCategory("one pair", "The rank of the pair, then the three kickers in order.", parse_cards("TsThAd8c5h")),
        RankCategory("high card", "The highest card, then the next, down to the fifth.", parse_cards("AsQd9h6c2d")),
    ),
    notes=(
        "A hand is exactly five cards; the best five that the game allows count, and other cards never do.",
        "A-2-3-4-5 is the lowest straight, with the five on top; a straight never goes around the ace (Q-K-A-2-3 is none).",
        "Suits are equal: hands that are the same but for their suits are tied.",
    ),
)

HIGH_SHORT_DECK: Final = RankCard(
    categories=tuple(
        kind._replace(example=parse_cards(example))
        for kind, example in zip(
            HIGH.categories,
            (
                "KsQsJsTs9s",
                "QsQhQdQc7h",
                "9s9h9d7h7c",
                "AdJd8d7d6d",
                "Tc9d8h7s6c",
                "8s8h8dKc7h",
                "JsJh7d7cAh",
                "TsThAd8c7h",
                "AsQd9h7c6d",
            ),
            strict=True,
        )
    ),
    notes=(
        HIGH.notes[0],
        "6-7-8-9-T is the lowest straight; A-6-7-8-9 is none. A full house beats a flush, as always.",
        HIGH.notes[2],
    ),
)

_WILD_NOTES: Final = (
    "A wild card stands for any rank and suit. How many wild cards a hand holds never breaks a tie.",
    "In a flush a wild card stands for no card that the hand holds already: there is no flush with two aces.",
)

_PAIRED_LOW: Final = "The lower rank of the matched cards, then the lower side cards from the top."


def _low(categories: tuple[tuple[str, str, str], ...], notes: tuple[str, ...], title: str) -> RankCard:
    return RankCard(
        categories=tuple(
            RankCategory(name, comparison, parse_cards(example)) for name, comparison, example in categories
        ),
        notes=notes,
        title=title,
    )


ACE_TO_FIVE: Final = _low(
    (
        ("no pair", "The lower top card, then the next, down to the fifth; the ace is the lowest.", "5c4d3h2sAc"),
        ("one pair", _PAIRED_LOW, "AsAh4d3c2h"),
        ("two pair", _PAIRED_LOW, "2s2hAdAc3h"),
        ("three of a kind", _PAIRED_LOW, "AsAhAd3c2h"),
        ("full house", "The lower rank of the three, then of the pair.", "AsAhAd2c2h"),
        ("four of a kind", "The lower rank of the four, then the side card.", "AsAhAdAc2h"),
    ),
    (
        "The lowest five cards win; straights and flushes do not count.",
        "The best low is 5-4-3-2-A. Two aces are the lowest pair.",
        "Suits are equal.",
    ),
    "Low hands, ace to five",
)

ACE_TO_SIX: Final = _low(
    (
        ("no pair", "The lower top card, then the next, down to the fifth; the ace is the lowest.", "6c4d3h2sAc"),
        ("one pair", _PAIRED_LOW, "2s2h4d3cAh"),
        ("two pair", _PAIRED_LOW, "3s3h2d2cAh"),
        ("three of a kind", _PAIRED_LOW, "2s2h2d3cAh"),
        ("straight", "The lower top card wins; A-2-3-4-5 is one.", "5c4d3h2sAc"),
        ("flush", "The lower top card, then the next, down to the fifth.", "6c4c3c2cAc"),
        ("full house", "The lower rank of the three, then of the pair.", "2s2h2d3c3h"),
        ("four of a kind", "The lower rank of the four, then the side card.", "2s2h2d2cAh"),
        ("straight flush", "The lower top card wins.", "5c4c3c2cAc"),
    ),
    (
        "The lowest five cards win; straights and flushes count against a hand. The best low is 6-4-3-2-A of mixed suits.",
        "A single ace is the lowest card, but aces that make a pair, three or four of a kind are the highest of their class.",
        "Suits are equal.",
    ),
    "Low hands, ace to six",
)

DEUCE_TO_SEVEN: Final = _low(
    (
        ("no pair", "The lower top card, then the next, down to the fifth; the ace is the highest.", "7c5d4h3s2c"),
        ("one pair", _PAIRED_LOW, "2s2h5d4c3h"),
        ("two pair", _PAIRED_LOW, "3s3h2d2c4h"),
        ("three of a kind", _PAIRED_LOW, "2s2h2d4c3h"),
        ("straight", "The lower top card wins.", "6c5d4h3s2c"),
        ("flush", "The lower top card, then the next, down to the fifth.", "7c5c4c3c2c"),
        ("full house", "The lower rank of the three, then of the pair.", "2s2h2d3c3h"),
        ("four of a kind", "The lower rank of the four, then the side card.", "2s2h2d2c3h"),
        ("straight flush", "The lower top card wins.", "6c5c4c3c2c"),
    ),
    (
        "The worst high hand wins: aces are high, straights and flushes count. The best low is 7-5-4-3-2 of mixed suits.",
        "A-2-3-4-5 is no straight here but an ace-high hand.",
        "Suits are equal.",
    ),
    "Low hands, deuce to seven",
)

BADUGI: Final = _low(
    (
        ("four cards", "The lower highest card, then the next, down to the fourth; the ace is the lowest.", "4s3h2dAc"),
        ("three cards", "The lower highest card, then the next, down to the third.", "3s2hAdAc"),
        ("two cards", "The lower higher card, then the other.", "2sAhAdAc"),
        ("one card", "The lower card.", "AsAhAdAc"),
    ),
    (
        "Only cards of different ranks and different suits count, as many as one can have; more of them beat fewer.",
        "The best hand is A-2-3-4 of four suits. Straights do not count.",
    ),
    "Badugi hands",
)

LOW_SPADE: Final = _low(
    (("a spade in the hole", "The lowest spade among the cards face down; the ace is high.", "2s"),),
    (
        "Only cards face down count. The two of spades is lowest, the ace of spades highest.",
        "With no spade in the hole in any hand the high hand takes the whole pot.",
    ),
    "Low spade",
)

BY_RANKING: Final[Mapping[str, RankCard]] = MappingProxyType(
    {
        "HIGH": HIGH,
        "ACE_TO_FIVE": ACE_TO_FIVE,
        "ACE_TO_SIX": ACE_TO_SIX,
        "DEUCE_TO_SEVEN": DEUCE_TO_SEVEN,
        "BADUGI": BADUGI,
        "LOW_SPADE": LOW_SPADE,
    }
)
"""Rank cards by the ranking that a game names, with the deck of 52 and nothing wild."""


def rank_cards(game: GameSpec, low_ranking: Ranking = "ACE_TO_FIVE") -> tuple[RankCard, ...]:
    """Return the rank card of the whole pot or the high half, and behind it that of the low half where there is one.

    Args:
        game: The game; its deck and its wild cards decide which kinds of hand there are.
        low_ranking: What the house calls its low (GAME-DC-11).
    """
    cards = [_rank_card(game, low_ranking if game.showdown.ranking == "HOUSE_LOW" else game.showdown.ranking)]
    if game.showdown.low is not None:
        low = _rank_card(game, low_ranking if game.showdown.low == "HOUSE_LOW" else game.showdown.low)
        cards.append(_with_qualifier(low, game.showdown.low_qualifier))
    return tuple(cards)


def _rank_card(game: GameSpec, ranking: str) -> RankCard:
    card = BY_RANKING[ranking]
    if ranking == "HIGH" and game.deck.cards == SHORT_DECK_CARDS:
        card = HIGH_SHORT_DECK
    wild = _a_wild_card(game)
    if not wild or ranking == "LOW_SPADE":
        return card
    if ranking != "HIGH":
        return card._replace(notes=(*card.notes, "A wild card takes the rank that makes the lowest hand."))
    example = parse_cards("KsKhKdKc") + wild
    five = RankCategory("five of a kind", "The rank of the five; wild cards make it, and no hand has six.", example)
    return RankCard((five, *card.categories), (*card.notes, *_WILD_NOTES))


def _a_wild_card(game: GameSpec) -> tuple[int, ...]:
    """One card that may be wild in the game, none if nothing is."""
    if game.deck.jokers:
        return parse_cards("X1")
    if game.wild is None:
        return ()
    if game.wild.cards:
        return parse_cards(game.wild.cards[0])
    lowest = full_deck()[-game.deck.cards]
    return parse_cards(f"{game.wild.ranks[0] if game.wild.ranks else format_card(lowest)[0]}c")


def _with_qualifier(card: RankCard, qualifier: int) -> RankCard:
    if qualifier == 0:
        return card
    needed = f"A low needs five different ranks, none above {_RANKS_BY_NUMBER[qualifier]}."
    return card._replace(categories=card.categories[:1], notes=(needed, *card.notes))
