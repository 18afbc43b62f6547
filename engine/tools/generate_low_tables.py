"""Writes the lookup tables of the low evaluators: `python engine/tools/generate_low_tables.py [--check]`.

With `--check` it writes nothing and ends with 1 when the tables differ from what it would write.

The keys, the weights and the displacements are those of high hands (`rank_hash.py`, `high_tables.h`); only what lies in the
slots differs. A low hand has the category of the high hand turned round, so that the best low has the highest number too.
Badugi has tables of its own: one by the set of ranks, and one that says which of four cards to keep.
"""

import itertools
import sys
from collections import Counter
from typing import Final

from generate_high_tables import CATEGORY_OF_SHAPE, FLUSH, HIGH_CARD, STRAIGHT, STRAIGHT_FLUSH
from rank_hash import (
    CATEGORY_SHIFT,
    OUTPUT_FOLDER,
    RANK_COUNT,
    SUIT_SIZE,
    Ranks,
    c_array,
    c_constants,
    natural_hash,
    rank_multisets,
    write_or_check,
)

OUTPUT: Final = OUTPUT_FOLDER / "low_tables.h"

ACE: Final = 12
LOW_ACE: Final = -1
FIVE_SIZE: Final = 5
SIZES: Final = (5, 7)
"""Hands of these sizes have tables; others are asked for by their fives or sevens."""
N_QUALIFIERS: Final = 16
"""A qualifier is the rank as people count it, 5 to 14."""
NOTHING_QUALIFIES: Final = (1 << 16) - 1
BADUGI_SIZE: Final = 4
BADUGI_ROW: Final = 64

ACE_TO_FIVE: Final = "ACE_TO_FIVE"
ACE_TO_SIX: Final = "ACE_TO_SIX"
DEUCE_TO_SEVEN: Final = "DEUCE_TO_SEVEN"
RANKINGS: Final = (ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SEVEN)

Weakness = tuple[int, Ranks]
"""Category, then the ranks that decide inside it, the most important first; the lower the better."""


def weakness_of_five(ranks: Ranks, ranking: str, *, suited: bool) -> Weakness:
    """How bad five cards are as a low hand (RANK-LO-01, RANK-LO-03, RANK-LO-04)."""
    counts = Counter(ranks)

    def place(rank: int) -> int:
        if rank != ACE or ranking == DEUCE_TO_SEVEN:
            return rank
        # RANK-LO-04: under ACE_TO_SIX only a single ace is low.
        return ACE if ranking == ACE_TO_SIX and counts[ACE] > 1 else LOW_ACE

    groups = sorted(((counts[rank], place(rank)) for rank in counts), reverse=True)
    places = tuple(group[1] for group in groups)
    category = CATEGORY_OF_SHAPE[tuple(group[0] for group in groups)]
    # Straights and flushes count against a low, but not under ACE_TO_FIVE (RANK-LO-01, RANK-LO-03).
    if category == HIGH_CARD and ranking != ACE_TO_FIVE:
        straight = places[0] - places[-1] == FIVE_SIZE - 1
        if straight:
            category = STRAIGHT_FLUSH if suited else STRAIGHT
        elif suited:
            category = FLUSH
    return category, places


def number_weaknesses(ranking: str) -> dict[Weakness, int]:
    """The hand rank of each weakness: the category turned round and, below it, a count from 1, the worst first."""
    weaknesses = {weakness_of_five(ranks, ranking, suited=False) for ranks in rank_multisets(FIVE_SIZE)}
    weaknesses |= {
        weakness_of_five(ranks, ranking, suited=True) for ranks in itertools.combinations(range(RANK_COUNT), FIVE_SIZE)
    }
    numbers: dict[Weakness, int] = {}
    last = Counter[int]()
    for weakness in sorted(weaknesses, reverse=True):
        category = STRAIGHT_FLUSH - weakness[0]
        last[category] += 1
        numbers[weakness] = category << CATEGORY_SHIFT | last[category]
    return numbers


def without_one(ranks: Ranks) -> set[Ranks]:
    """The multisets that are left when one card is put away."""
    return {ranks[:i] + ranks[i + 1 :] for i in range(len(ranks))}


def unsuited_ranks(ranking: str) -> dict[Ranks, int]:
    """Hand rank of every multiset of five to seven ranks in which no flush is possible."""
    numbers = number_weaknesses(ranking)
    best = {ranks: numbers[weakness_of_five(ranks, ranking, suited=False)] for ranks in rank_multisets(FIVE_SIZE)}
    for size in range(FIVE_SIZE + 1, max(SIZES) + 1):
        best |= {ranks: max(best[fewer] for fewer in without_one(ranks)) for ranks in rank_multisets(size)}
    return best


def suited_ranks(ranking: str) -> list[int]:
    """Hand rank of five cards of one suit by the 13-bit mask of their ranks; 0 for any other number of ranks."""
    numbers = number_weaknesses(ranking)
    table = [0] * (1 << RANK_COUNT)
    for ranks in itertools.combinations(range(RANK_COUNT), FIVE_SIZE):
        table[mask_of(ranks)] = numbers[weakness_of_five(ranks, ranking, suited=True)]
    return table


def qualifiers(ranking: str) -> list[int]:
    """The worst hand rank that qualifies, by qualifier: five different ranks, all that low or lower (RANK-LO-02)."""
    numbers = number_weaknesses(ranking)
    table = [0] + [NOTHING_QUALIFIES] * (N_QUALIFIERS - 1)
    for (category, places), hand_rank in numbers.items():
        for qualifier in range(places[0] + 2, N_QUALIFIERS):
            if category == HIGH_CARD:
                table[qualifier] = min(table[qualifier], hand_rank)
    return table


def mask_of(members: tuple[int, ...]) -> int:
    """Small numbers as bits."""
    return sum(1 << member for member in members)


def badugi_ranks() -> list[int]:
    """Hand rank by the mask of the one to four ranks that play, bit 0 the ace: more cards first, then the lowest from the top."""
    table = [0] * (1 << RANK_COUNT)
    for size in range(1, BADUGI_SIZE + 1):
        hands = sorted(itertools.combinations(range(RANK_COUNT), size), key=lambda ranks: ranks[::-1], reverse=True)
        for number, ranks in enumerate(hands, start=1):
            table[mask_of(ranks)] = size << CATEGORY_SHIFT | number
    return table


def badugi_pairs() -> list[int]:
    """1 if two cards differ in rank and suit, by first card and second, each row filled up to BADUGI_ROW entries.

    Cards are given by their places, counted from the aces up.
    """
    return [
        int(first // SUIT_SIZE != second // SUIT_SIZE and first % SUIT_SIZE != second % SUIT_SIZE)
        for first in range(RANK_COUNT * SUIT_SIZE)
        for second in range(BADUGI_ROW)
    ]


def badugi_choices() -> list[int]:
    """Which of four cards in ascending order to keep, by the pairs that may lie together: sixteen bits for each card kept.

    Bit 0 of the index says so of cards 0 and 1, then come 0 and 2, 0 and 3, 1 and 2, 1 and 3, 2 and 3. More cards are better;
    of as many those are whose highest comes earlier, then the next: the order of the cards makes that the lower hand.
    """
    pairs = list(itertools.combinations(range(BADUGI_SIZE), 2))
    choices = []
    for together in range(1 << len(pairs)):
        may_lie = {pair for bit, pair in enumerate(pairs) if together >> bit & 1}
        possible = [
            cards
            for size in range(1, BADUGI_SIZE + 1)
            for cards in itertools.combinations(range(BADUGI_SIZE), size)
            if set(itertools.combinations(cards, 2)) <= may_lie
        ]
        kept = max(possible, key=lambda cards: (len(cards), [-card for card in reversed(cards)]))
        choices.append(sum(0xFFFF << 16 * card for card in kept))
    return choices


def header() -> str:
    """The whole text of the header file."""
    hashed = natural_hash()
    parts = [
        "// Written by engine/tools/generate_low_tables.py. Do not edit.\n#include <stdint.h>\n",
        c_constants(N_LOW_QUALIFIERS=N_QUALIFIERS, BADUGI_ROW=BADUGI_ROW),
    ]
    for ranking in RANKINGS:
        answers = unsuited_ranks(ranking)
        parts += [
            c_array(
                f"{ranking}_RANKS_{size}", "uint16_t", hashed.slots(answers, size), f"{size} cards: hand rank by slot."
            )
            for size in SIZES
        ]
        if ranking != ACE_TO_FIVE:
            comment = "Hand rank of five cards of one suit by the mask of their ranks."
            parts.append(c_array(f"{ranking}_FLUSH_RANKS", "uint16_t", suited_ranks(ranking), comment))
        comment = "The worst hand rank that qualifies, by the highest rank allowed."
        parts.append(c_array(f"{ranking}_QUALIFIERS", "uint16_t", qualifiers(ranking), comment))
    parts += [
        c_array(
            "BADUGI_RANKS", "uint16_t", badugi_ranks(), "Hand rank by the mask of the ranks that play, bit 0 the ace."
        ),
        c_array(
            "BADUGI_ORDER",
            "uint8_t",
            [(card + SUIT_SIZE) % (RANK_COUNT * SUIT_SIZE) for card in range(RANK_COUNT * SUIT_SIZE)],
            "The place of a card when cards are counted from the aces up.",
        ),
        c_array(
            "BADUGI_RANK_BITS",
            "uint16_t",
            [1 << place // SUIT_SIZE for place in range(RANK_COUNT * SUIT_SIZE)],
            "The bit of a card's rank, by its place.",
        ),
        c_array(
            "BADUGI_PAIRS", "uint8_t", badugi_pairs(), "Whether two cards, given by their places, may lie together."
        ),
        c_array(
            "BADUGI_CHOICES",
            "uint64_t",
            badugi_choices(),
            "Which of four ascending cards play, sixteen bits each, by the pairs that may lie together.",
        ),
    ]
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write or check the header file; return the exit status."""
    return write_or_check(OUTPUT, header, arguments, "Generate the lookup tables of the low evaluators.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
