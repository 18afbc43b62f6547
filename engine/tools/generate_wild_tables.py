"""Writes the lookup tables of hands with wild cards: `python engine/tools/generate_wild_tables.py [--check]`.

With `--check` it writes nothing and ends with 1 when the tables differ from what it would write.

A wild card is hashed like a fourteenth rank (`rank_hash.py`), and it counts as a card of every suit, so that five of a suit
still say "flush" by themselves. What lies in the slots is the best that wild cards can stand for: every rank is tried for
each of them, and with more than five cards every one is left out.

A low hand with a wild card in it is never a flush, because the card stands for another suit: so lows need no suits at all.
"""

import itertools
import sys
from collections.abc import Mapping
from functools import cache
from typing import Final

import generate_high_tables as high
import generate_low_tables as low
from rank_hash import (
    CATEGORY_SHIFT,
    KEY_BITS,
    OUTPUT_FOLDER,
    RANK_COUNT,
    SUIT_SIZE,
    Ranks,
    c_array,
    choose_hash,
    rank_multisets,
    write_or_check,
)

OUTPUT: Final = OUTPUT_FOLDER / "wild_tables.h"

FIVE_SIZE: Final = 5
SIZES: Final = low.SIZES
WILD: Final = RANK_COUNT
"""What stands for a wild card among ranks; it comes last."""
N_JOKERS: Final = 2
N_WILD_FLUSH: Final = 5
"""Rows of the flush table: with five wild cards there are five aces, which no flush beats."""
WILD_KEY: Final = 1 << 20 | 1 << 16 | 0x1111
"""What a wild card adds to a key beside its weight: one wild card, one card, one card of every suit."""


def wild_multisets(size: int) -> list[Ranks]:
    """Every multiset of `size` cards of which at least one is wild."""
    return [ranks + (WILD,) * n_wild for n_wild in range(1, size + 1) for ranks in rank_multisets(size - n_wild)]


def high_fives() -> dict[Ranks, int]:
    """Hand rank of five ranks, no flush possible; five of a kind is the top category (RANK-WILD-02)."""
    numbers = high.number_strengths()
    fives = {ranks: numbers[high.strength_of_five(ranks, suited=False)] for ranks in rank_multisets(FIVE_SIZE)}
    for rank in range(RANK_COUNT):
        fives[(rank,) * FIVE_SIZE] = high.FIVE_OF_A_KIND << CATEGORY_SHIFT | rank + 1
    return fives


def low_fives(ranking: str) -> dict[Ranks, int]:
    """Hand rank of five ranks, no flush possible; five of one rank are worse than any hand that a deck can hold."""
    numbers = low.number_weaknesses(ranking)
    fives = {ranks: numbers[low.weakness_of_five(ranks, ranking, suited=False)] for ranks in rank_multisets(FIVE_SIZE)}
    for rank in range(RANK_COUNT):
        fives[(rank,) * FIVE_SIZE] = 0
    return fives


def wild_ranks(fives: Mapping[Ranks, int]) -> dict[Ranks, int]:
    """Hand rank of every multiset of five to seven cards with wild ones among them (RANK-WILD-01, RANK-WILD-06)."""

    @cache
    def best(ranks: Ranks) -> int:
        if len(ranks) > FIVE_SIZE:
            return max(best(fewer) for fewer in low.without_one(ranks))
        if ranks[-1] == WILD:
            return max(best(tuple(sorted((*ranks[:-1], rank)))) for rank in range(RANK_COUNT))
        return fives[ranks]

    return {ranks: best(ranks) for size in SIZES for ranks in wild_multisets(size)}


def wild_flush_ranks() -> list[int]:
    """Hand rank by the number of wild cards and the mask of the ranks in a suit; 0 if that makes no five of the suit.

    A wild card adds a rank that the suit does not have yet: none is there twice (RANK-WILD-05).
    """
    rows = [high.suited_ranks(high.number_strengths())]
    for _ in range(1, N_WILD_FLUSH):
        fewer = rows[-1]
        rows.append(
            [
                max((fewer[mask | 1 << rank] for rank in range(RANK_COUNT) if not mask >> rank & 1), default=0)
                for mask in range(1 << RANK_COUNT)
            ]
        )
    return list(itertools.chain.from_iterable(rows))


def header() -> str:
    """The whole text of the header file."""
    hashed = choose_hash({size: wild_multisets(size) for size in SIZES}, RANK_COUNT + 1)
    wild_key = hashed.weights[WILD] << KEY_BITS | WILD_KEY
    keys = [
        hashed.weights[card // SUIT_SIZE] << KEY_BITS | 1 << 16 | 1 << 4 * (card % SUIT_SIZE)
        for card in range(RANK_COUNT * SUIT_SIZE)
    ] + [wild_key] * N_JOKERS
    parts = [
        "// Written by engine/tools/generate_wild_tables.py. Do not edit.\n#include <stdint.h>\n",
        c_array("WILD_CARD_KEYS", "uint64_t", keys, "What a card that is not wild adds to a key, and a joker."),
        f"// What a wild card adds.\nstatic const uint64_t WILD_KEY = {wild_key}u;\n",
        c_array(
            "WILD_FLUSH_RANKS",
            "uint16_t",
            wild_flush_ranks(),
            "Hand rank by the number of wild cards (0 to 4) and the mask of the ranks held in the flush suit.",
        ),
    ]
    for size in SIZES:
        comment = f"{size} cards: where the slots of a bucket begin."
        parts.append(c_array(f"WILD_DISPLACEMENTS_{size}", "uint16_t", hashed.displacements[size], comment))
    fives_by_ranking = {"HIGH": high_fives()} | {ranking: low_fives(ranking) for ranking in low.RANKINGS}
    for ranking, fives in fives_by_ranking.items():
        answers = wild_ranks(fives)
        parts += [
            c_array(
                f"WILD_{ranking}_RANKS_{size}",
                "uint16_t",
                hashed.slots(answers, size),
                f"{size} cards: hand rank by slot.",
            )
            for size in SIZES
        ]
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write or check the header file; return the exit status."""
    return write_or_check(OUTPUT, header, arguments, "Generate the lookup tables of hands with wild cards.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
