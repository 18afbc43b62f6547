"""Writes the lookup tables of the high evaluator: `python engine/tools/generate_high_tables.py [--check]`.

With `--check` it writes nothing and ends with 1 when the tables differ from what it would write.

The evaluator adds one 64-bit key a card. From the top, a sum of keys holds

    32 bits   a number that tells every multiset of ranks from every other of the same size
    12 bits   nothing
     4 bits   how many cards were added
    16 bits   four bits a suit, clubs lowest: cards of that suit, counted from 3, so that bit 3 says "flush"

and two steps turn the number into a hand rank: `ranks[displacements[top bits] + low bits]`. This program
chooses what each rank adds, ranks every multiset of five, six and seven cards by looking at all its
fives, and packs the answers so tightly that the table of seven cards stays inside a processor's cache.

Nothing here is random and nothing depends on the machine: two runs write the same bytes.
"""

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

RANK_COUNT: Final = 13
SUIT_SIZE: Final = 4
HAND_SIZES: Final = (5, 6, 7)
BUCKET_BITS: Final = 13
"""Bits of a key, from the top, that select a displacement."""
LOW_BITS: Final = 12
"""Bits of a key, from the bottom, that are displaced."""
KEY_BITS: Final = 32
CATEGORY_SHIFT: Final = 12
LINE_WIDTH: Final = 100
OUTPUT: Final = Path(__file__).parent.parent / "homegame_engine" / "evaluator" / "high_tables.h"

# Categories in the order of RANK-HI-02; only those that exist without wild cards.
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
) = range(9)

CATEGORY_OF_SHAPE: Final = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): ONE_PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR_OF_A_KIND,
}

Ranks = tuple[int, ...]
Strength = tuple[int, Ranks]
"""Category, then the ranks that decide inside it, the most important first."""


def rank_multisets(size: int) -> list[Ranks]:
    """Every multiset of `size` ranks that a deck can hold, each in ascending order."""
    return [
        ranks
        for ranks in itertools.combinations_with_replacement(range(RANK_COUNT), size)
        if max(Counter(ranks).values()) <= SUIT_SIZE
    ]


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


def candidate_weights() -> Iterator[list[int]]:
    """Endless lists of 13 well-spread 32-bit numbers, always the same ones (SplitMix64)."""
    word = (1 << 64) - 1
    state = 0
    while True:
        weights = []
        for _ in range(RANK_COUNT):
            state = state + 0x9E3779B97F4A7C15 & word
            mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & word
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & word
            weights.append((mixed ^ mixed >> 31) >> KEY_BITS)
        yield weights


def key_of(ranks: Ranks, weights: list[int]) -> int:
    """The sum that the evaluator will have built for these ranks."""
    return sum(weights[rank] for rank in ranks) % (1 << KEY_BITS)


def card_keys(weights: list[int]) -> list[int]:
    """What every possible byte adds to a key: a weight, one card, one card of its suit."""
    keys = [
        weights[card // SUIT_SIZE] << KEY_BITS | 1 << 16 | 1 << 4 * (card % SUIT_SIZE)
        for card in range(RANK_COUNT * SUIT_SIZE)
    ]
    return keys + [0] * (256 - len(keys))


def bucketed(keys: list[int]) -> dict[int, list[int]] | None:
    """The low bits of the keys in each bucket, or None if two keys cannot be told apart."""
    buckets: dict[int, list[int]] = {}
    for key in keys:
        buckets.setdefault(key >> KEY_BITS - BUCKET_BITS, []).append(key % (1 << LOW_BITS))
    if any(len(set(lows)) < len(lows) for lows in buckets.values()):
        return None
    return buckets


def pack(buckets: dict[int, list[int]]) -> list[int]:
    """A displacement for each bucket so that no two keys share a slot.

    The fullest buckets choose first, each the lowest displacement at which all its keys are free. Bit s
    of `taken` says that slot s is in use; shifted by a key's low bits it shows the displacements that
    are impossible for that key.
    """
    displacements = [0] * (1 << BUCKET_BITS)
    taken = 0
    for bucket in sorted(buckets, key=lambda bucket: (-len(buckets[bucket]), bucket)):
        impossible = 0
        footprint = 0
        for low in buckets[bucket]:
            impossible |= taken >> low
            footprint |= 1 << low
        displacement = (~impossible & impossible + 1).bit_length() - 1
        taken |= footprint << displacement
        displacements[bucket] = displacement
    return displacements


def choose_weights(
    multisets: dict[int, list[Ranks]],
) -> tuple[list[int], dict[int, dict[int, list[int]]]]:
    """The first weights that tell all multisets of each size apart, with the buckets they make."""
    for weights in candidate_weights():
        by_size = {}
        for size, hands in multisets.items():
            buckets = bucketed([key_of(ranks, weights) for ranks in hands])
            if buckets is None:
                break
            by_size[size] = buckets
        else:
            return weights, by_size
    raise AssertionError("candidate_weights never ends")


def c_array(name: str, c_type: str, values: list[int], comment: str) -> str:
    """One C array, its lines filled to LINE_WIDTH columns."""
    suffix = "u" if max(values) >= 1 << 31 else ""
    lines = []
    line = "   "
    for value in values:
        text = f" {value}{suffix},"
        if len(line) + len(text) > LINE_WIDTH:
            lines.append(line)
            line = "   "
        line += text
    lines.append(line)
    body = "\n".join(lines)
    return f"// {comment}\nstatic const {c_type} {name}[{len(values)}] = {{\n{body}\n}};\n"


def header() -> str:
    """The whole text of the header file."""
    numbers = number_strengths()
    answers = unsuited_ranks(numbers)
    multisets = {size: rank_multisets(size) for size in HAND_SIZES}
    weights, buckets = choose_weights(multisets)
    parts = [
        "// Written by engine/tools/generate_high_tables.py. Do not edit.\n#include <stdint.h>\n",
        f"enum {{ HIGH_BUCKET_SHIFT = {64 - BUCKET_BITS}, HIGH_LOW_MASK = {(1 << LOW_BITS) - 1} }};\n",
        c_array(
            "HIGH_CARD_KEYS",
            "uint64_t",
            card_keys(weights),
            "What a card adds to a key; codes that are no card add nothing and are not counted.",
        ),
        c_array(
            "HIGH_FLUSH_RANKS",
            "uint16_t",
            suited_ranks(numbers),
            "Hand rank by the mask of the ranks held in the flush suit.",
        ),
    ]
    for size, hands in multisets.items():
        displacements = pack(buckets[size])
        # One slot for every index that any sum can lead to: even cards that no deck holds read a 0.
        slots = [0] * (max(displacements) + (1 << LOW_BITS))
        for ranks in hands:
            key = key_of(ranks, weights)
            slot = displacements[key >> KEY_BITS - BUCKET_BITS] + key % (1 << LOW_BITS)
            if slots[slot]:
                raise AssertionError(f"two multisets share slot {slot}")
            slots[slot] = answers[ranks]
        parts += [
            c_array(
                f"HIGH_DISPLACEMENTS_{size}",
                "uint16_t",
                displacements,
                f"{size} cards: where the slots of a bucket begin.",
            ),
            c_array(f"HIGH_RANKS_{size}", "uint16_t", slots, f"{size} cards: hand rank by slot."),
        ]
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write or check the header file; return the exit status."""
    parser = argparse.ArgumentParser(description="Generate the lookup tables of the high evaluator.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare with what is there")
    check = parser.parse_args(arguments).check
    text = header()
    if check and (not OUTPUT.is_file() or OUTPUT.read_text(encoding="ascii") != text):
        print(f"{OUTPUT.name}: differs; run engine/tools/generate_high_tables.py")
        return 1
    if not check:
        OUTPUT.write_text(text, encoding="ascii")
    print(f"{OUTPUT.name}: {'unchanged' if check else 'written'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
