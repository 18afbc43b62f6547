"""Any hand in words and by the cards that play, for people: "full house, aces full of kings", "eight-low: 8-6-4-3-A".

What a hand is worth is asked of `ranking`, for all of it and for parts of it, so that no rule of ranking is written here
again. Nothing here is meant to be fast.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from homegame_engine.cards import RANKS
from homegame_engine.evaluator import high
from homegame_engine.evaluator.high import CATEGORIES, RANK_WORDS
from homegame_engine.evaluator.ranking import find_wild_readings, rank
from homegame_engine.evaluator.rule import Ranking, RankingRule

_CATEGORY_SHIFT: Final = 12
_FIVE_OF_A_KIND: Final = CATEGORIES.index("five_of_a_kind")
_LOW_CATEGORIES: Final = ("no_pair", *CATEGORIES[1:9])
_BADUGI_CATEGORIES: Final = ("no_hand", "one_card", "two_cards", "three_cards", "badugi")
_FIVE: Final = 5
_ACE: Final = 12
_N_DECK_CARDS: Final = 52
_N_SUITS: Final = 4


class Described(NamedTuple):
    """A hand in words. Two hands of one ranking have the same text exactly if they tie."""

    hand_rank: int
    """As `rank` says it; 0 is no hand, and then no card plays."""

    category: str
    """For example "full_house", for lows "no_pair" at best, for badugi "three_cards", or "no_hand"."""

    text: str

    best_cards: tuple[int, ...]
    """The cards that play, the deciding ones first. Where cards could stand for each other, those of the higher suit."""

    stands_for: tuple[int, ...]
    """What each of the best cards counts as: itself, or any card that makes the hand if it is wild."""


class _Part(NamedTuple):
    """Cards of a hand that are worth as much as all of it, and which of them are wild."""

    cards: tuple[int, ...]
    wild_cards: tuple[int, ...]


def describe(rule: RankingRule, hole: Sequence[int], board: Sequence[int] = (), up_mask: int = 0) -> Described:
    """Say what a hand is, in words and by the cards that play.

    Args:
        rule: How hands are made and ranked.
        hole: Private cards, at most 7 codes 0..53, in any order.
        board: Common cards, at most 10 codes.
        up_mask: Bit i says that `hole[i]` lies face up.

    Returns:
        Described: for example the text "five aces" or "badugi 8-5-3-A".

    Raises:
        InputError: As `rank`.

    Rules:
        RANK-HI-01, RANK-HI-04, RANK-LO-01, RANK-LO-04, RANK-LO-06, RANK-WILD-01, RANK-WILD-06.
    """
    hand_rank = rank(rule, hole, board, up_mask)
    if hand_rank == 0:
        return Described(0, "no_hand", _no_hand(rule), (), ())
    if rule.ranking is Ranking.LOW_SPADE:
        return _describe_spade(rule, hole, up_mask, hand_rank)
    part = next(
        part
        for part in _parts(rule, hole, board, up_mask, hand_rank >> _CATEGORY_SHIFT)
        if _worth(rule, part.cards, part.wild_cards) == hand_rank
    )
    meant = _meaning(rule, part, hand_rank)
    if rule.ranking is not Ranking.HIGH:
        return _describe_low(rule.ranking, hand_rank, meant)
    if hand_rank >> _CATEGORY_SHIFT == _FIVE_OF_A_KIND:
        word = RANK_WORDS[next(iter(meant.values())) >> 2]
        text = f"five {word}{'es' if word.endswith('x') else 's'}"
        return Described(hand_rank, CATEGORIES[_FIVE_OF_A_KIND], text, *_split(meant))
    words = high.describe(tuple(meant.values()))
    by_meaning = {code: card for card, code in meant.items()}
    best_cards = tuple(by_meaning[code] for code in words.best_cards)
    return Described(hand_rank, words.category, words.text, best_cards, words.best_cards)


def find_wild_cards(
    rule: RankingRule, hole: Sequence[int], board: Sequence[int] = (), up_mask: int = 0
) -> tuple[int, ...]:
    """Say which of the cards are wild, in the reading that makes the better hand.

    Args:
        rule: How hands are made and ranked.
        hole: Private cards, as for `describe`.
        board: Common cards.
        up_mask: As for `describe`.

    Returns:
        The wild cards. While there are too few cards to tell, a face-down ace is high.

    Raises:
        InputError: As `rank`.

    Rules:
        RANK-WILD-01, RANK-WILD-04.
    """
    readings = find_wild_readings(rule, hole, board, up_mask)
    if len(readings) == 1:
        return readings[0]

    def worth(wild_cards: tuple[int, ...]) -> int:
        read = msgspec.structs.replace(rule, wild_cards=wild_cards, low_hole_wild=False)
        return rank(read, hole, board, up_mask)

    return max(readings, key=worth)


def _no_hand(rule: RankingRule) -> str:
    if rule.ranking is Ranking.LOW_SPADE:
        return "no spade"
    return "no qualifying low" if rule.qualifier else "no hand"


def _worth(rule: RankingRule, cards: tuple[int, ...], wild_cards: tuple[int, ...]) -> int:
    """What some of the cards are worth by themselves if these are wild."""
    return rank(RankingRule(ranking=rule.ranking, wild_cards=wild_cards), cards)


def _parts(
    rule: RankingRule, hole: Sequence[int], board: Sequence[int], up_mask: int, badugi_size: int
) -> Iterator[_Part]:
    """The cards that may play together, natural ones and higher ones first, in each way of reading what is wild."""
    for wild_cards in find_wild_readings(rule, hole, board, up_mask):

        def order(card: int, wild_cards: tuple[int, ...] = wild_cards) -> tuple[bool, int]:
            return card in wild_cards, -card

        private, common = sorted(hole, key=order), sorted(board, key=order)
        if rule.exact_hole:
            for some in itertools.combinations(private, rule.exact_hole):
                for others in itertools.combinations(common, _FIVE - rule.exact_hole):
                    yield _Part(some + others, wild_cards)
        else:
            size = badugi_size if rule.ranking is Ranking.BADUGI else _FIVE
            for cards in itertools.combinations(sorted([*hole, *board], key=order), size):
                yield _Part(cards, wild_cards)


def _meaning(rule: RankingRule, part: _Part, hand_rank: int) -> dict[int, int]:
    """What each card counts as: one wild card after the other is given a card with which the hand is worth as much."""
    cards = list(part.cards)
    meant = {card: card for card in cards}
    for place, card in enumerate(part.cards):
        if card not in part.wild_cards:
            continue
        still_wild = tuple(later for later in part.cards[place + 1 :] if later in part.wild_cards)
        for code in range(_N_DECK_CARDS - 1, -1, -1):
            tried = (*cards[:place], code, *cards[place + 1 :])
            if code not in cards[:place] + cards[place + 1 :] and _worth(rule, tried, still_wild) == hand_rank:
                break
        else:
            # Only five of a kind needs a card that is there already (RANK-WILD-02); its hand rank counts ranks from 1.
            code = (hand_rank % (1 << _CATEGORY_SHIFT) - 1) * _N_SUITS + _N_SUITS - 1
        cards[place] = meant[card] = code
    return meant


def _split(meant: dict[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(meant), tuple(meant.values())


def _describe_spade(rule: RankingRule, hole: Sequence[int], up_mask: int, hand_rank: int) -> Described:
    card = next(
        card for place, card in enumerate(hole) if not up_mask >> place & 1 and rank(rule, (card,)) == hand_rank
    )
    return Described(hand_rank, "low_spade", f"the {RANK_WORDS[card >> 2]} of spades", (card,), (card,))


def _describe_low(ranking: Ranking, hand_rank: int, meant: dict[int, int]) -> Described:
    held = [code >> 2 for code in meant.values()]

    def order(entry: tuple[int, int]) -> tuple[int, int, int]:
        place = entry[1] >> 2
        # The ace stands last where it is low; in pairs of ACE_TO_SIX it is high (RANK-LO-04).
        high_ace = ranking is Ranking.DEUCE_TO_SEVEN or (ranking is Ranking.ACE_TO_SIX and held.count(_ACE) > 1)
        return -held.count(place), -(place if place != _ACE or high_ace else -1), -entry[1]

    entries = sorted(meant.items(), key=order)
    ranks = "-".join(RANKS[code >> 2] for _, code in entries)
    top = RANK_WORDS[entries[0][1] >> 2]
    if ranking is Ranking.BADUGI:
        category = _BADUGI_CATEGORIES[len(entries)]
        text = f"{category.replace('_', ' ')} {ranks}"
    else:
        category = _LOW_CATEGORIES[len(_LOW_CATEGORIES) - 1 - (hand_rank >> _CATEGORY_SHIFT)]
        named = f"{top}-{'high' if top == 'ace' else 'low'}" if category == "no_pair" else category.replace("_", " ")
        text = f"{named}: {ranks}"
    return Described(hand_rank, category, text, *_split(dict(entries)))
