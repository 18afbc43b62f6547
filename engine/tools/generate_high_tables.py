"""Writes the lookup tables of the high evaluator: `python engine/tools/generate_high_tables.py [--check]`.

With `--check` it writes nothing and ends with 1 when the tables differ from what it would write.

`rank_hash.py` explains the keys and the slots. This program ranks every multiset of five, six and seven ranks by looking at
all its fives, and every set of ranks that can lie in one suit.
"""

import itertools
import sys
from collections import Counter
from typing import Final

from rank_hash import (
    BUCKET_BITS,
    CATEGORY_SHIFT,
    HAND_SIZES,
    KEY_BITS,
    LOW_BITS,
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

OUTPUT: Final = OUTPUT_FOLDER / "high_tables.h"

# Categories in the order of RANK-HI-02.
(
    HIGH_CARD,
    ONE_PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
    FIVE_OF_A_KIND,
) = range(10)

CATEGORY_OF_SHAPE: Final = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): ONE_PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR_OF_A_KIND,
}

Strength = tuple[int, Ranks]
"""Category, then the ranks that decide inside it, the most important first."""


def strength_of_five(ranks: Ranks, *, suited: bool) -> Strength:
    """What five cards are worth (RANK-HI-02 to RANK-HI-04)."""
    counts = Counter(ranks)
    # RANK-HI-04: the larger group first, and of two groups of one size the higher rank.
    groups = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    category = CATEGORY_OF_SHAPE[tuple(counts[rank] for rank in groups)]
    if category != HIGH_CARD:
        return category, tuple(groups)
    # RANK-HI-03: the top card alone; A-2-3-4-5 counts as five high and nothing wraps further.
    wheel = ranks == (0, 1, 2, 3, 12)
    if wheel or ranks[-1] - ranks[0] == len(ranks) - 1:
        return STRAIGHT_FLUSH if suited else STRAIGHT, (3 if wheel else ranks[-1],)
    return FLUSH if suited else HIGH_CARD, tuple(groups)


def number_strengths() -> dict[Strength, int]:
    """The hand rank of each of the 7,462 strengths: category and, below it, a count from 1.

    The count starts at 1 so that no hand has rank 0, which stays free to mean "no hand".
    """
    strengths = {strength_of_five(ranks, suited=False) for ranks in rank_multisets(5)}
    strengths |= {strength_of_five(ranks, suited=True) for ranks in itertools.combinations(range(RANK_COUNT), 5)}
    numbers: dict[Strength, int] = {}
    last = Counter[int]()
    for strength in sorted(strengths):
        category = strength[0]
        last[category] += 1
        numbers[strength] = category << CATEGORY_SHIFT | last[category]
    return numbers


def unsuited_ranks(numbers: dict[Strength, int]) -> dict[Ranks, int]:
    """Hand rank of every multiset of five, six or seven ranks in which no flush is possible."""
    five = {ranks: numbers[strength_of_five(ranks, suited=False)] for ranks in rank_multisets(5)}
    # RANK-HI-01: exactly five cards play, and they are the best five.
    return {
        ranks: max(five[subset] for subset in set(itertools.combinations(ranks, 5)))
        for size in HAND_SIZES
        for ranks in rank_multisets(size)
    }


def suited_ranks(numbers: dict[Strength, int]) -> list[int]:
    """Hand rank by the 13-bit mask of the ranks held in one suit; 0 for fewer than five."""
    five = {
        ranks: numbers[strength_of_five(ranks, suited=True)] for ranks in itertools.combinations(range(RANK_COUNT), 5)
    }
    table = []
    for mask in range(1 << RANK_COUNT):
        held = [rank for rank in range(RANK_COUNT) if mask >> rank & 1]
        # Eight and more of a suit never come up: a hand has seven cards at most.
        playable = len(held) <= max(HAND_SIZES)
        subsets = itertools.combinations(held, 5) if playable else ()
        table.append(max((five[subset] for subset in subsets), default=0))
    return table


def card_keys(weights: list[int]) -> list[int]:
    """What every possible byte adds to a key: a weight, one card, one card of its suit."""
    keys = [
        weights[card // SUIT_SIZE] << KEY_BITS | 1 << 16 | 1 << 4 * (card % SUIT_SIZE)
        for card in range(RANK_COUNT * SUIT_SIZE)
    ]
    return keys + [0] * (256 - len(keys))


def header() -> str:
    """The whole text of the header file."""
    numbers = number_strengths()
    answers = unsuited_ranks(numbers)
    hashed = natural_hash()
    slots = {size: hashed.slots(answers, size) for size in HAND_SIZES}
    parts = [
        "// Written by engine/tools/generate_high_tables.py. Do not edit.\n#include <stdint.h>\n",
        c_constants(
            HIGH_BUCKET_SHIFT=64 - BUCKET_BITS, HIGH_LOW_MASK=(1 << LOW_BITS) - 1, N_HIGH_SLOTS_5=len(slots[5])
        ),
        c_array(
            "HIGH_CARD_KEYS",
            "uint64_t",
            card_keys(hashed.weights),
            "What a card adds to a key; codes that are no card add nothing and are not counted.",
        ),
        c_array(
            "HIGH_FLUSH_RANKS",
            "uint16_t",
            suited_ranks(numbers),
            "Hand rank by the mask of the ranks held in the flush suit.",
        ),
    ]
    for size in HAND_SIZES:
        parts += [
            c_array(
                f"HIGH_DISPLACEMENTS_{size}",
                "uint16_t",
                hashed.displacements[size],
                f"{size} cards: where the slots of a bucket begin.",
            ),
            c_array(f"HIGH_RANKS_{size}", "uint16_t", slots[size], f"{size} cards: hand rank by slot."),
        ]
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write or check the header file; return the exit status."""
    return write_or_check(OUTPUT, header, arguments, "Generate the lookup tables of the high evaluator.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
