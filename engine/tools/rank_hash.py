"""What the generators of evaluator tables share: multisets of ranks, the hash that numbers them, and the C they write.

An evaluator adds one 64-bit key a card. From the top, a sum of keys holds

    32 bits   a number that tells every multiset of ranks from every other of the same size
    12 bits   nothing, or how many of the cards are wild
     4 bits   how many cards were added
    16 bits   four bits a suit, clubs lowest: cards of that suit, counted from 3, so that bit 3 says "flush"

and two steps turn the number into a slot: `slots[displacements[top bits] + low bits]`. Here it is chosen what each rank
adds, and the slots are packed so tightly that the table of seven cards stays inside a processor's cache.

Nothing here is random and nothing depends on the machine: two runs write the same bytes.
"""

import argparse
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

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
OUTPUT_FOLDER: Final = Path(__file__).parent.parent / "homegame_engine" / "evaluator"

Ranks = tuple[int, ...]
"""Ranks, 0 (deuce) to 12 (ace), in ascending order."""


class Hash(NamedTuple):
    """What each rank adds to a key and, by size of hand, where the slots of each bucket begin."""

    weights: list[int]
    displacements: dict[int, list[int]]

    def slot(self, ranks: Ranks) -> int:
        """The slot of a multiset among those of its size."""
        key = key_of(ranks, self.weights)
        return self.displacements[len(ranks)][key >> KEY_BITS - BUCKET_BITS] + key % (1 << LOW_BITS)

    def slots(self, values: Mapping[Ranks, int], size: int) -> list[int]:
        """The values of the multisets of one size by slot.

        There is a slot for every index that any sum can lead to: even cards that no deck holds read a 0.
        """
        slots = [0] * (max(self.displacements[size]) + (1 << LOW_BITS))
        taken = set()
        for ranks, value in values.items():
            if len(ranks) == size:
                slot = self.slot(ranks)
                if slot in taken:
                    raise AssertionError(f"two multisets share slot {slot}")
                taken.add(slot)
                slots[slot] = value
        return slots


@cache
def rank_multisets(size: int) -> list[Ranks]:
    """Every multiset of `size` ranks that a deck can hold."""
    return [
        ranks
        for ranks in itertools.combinations_with_replacement(range(RANK_COUNT), size)
        if max(Counter(ranks).values(), default=0) <= SUIT_SIZE
    ]


def key_of(ranks: Ranks, weights: list[int]) -> int:
    """The sum that the evaluator will have built for these ranks."""
    return sum(weights[rank] for rank in ranks) % (1 << KEY_BITS)


def choose_hash(multisets: Mapping[int, list[Ranks]], n_weights: int) -> Hash:
    """The first weights that tell all multisets of each size apart, and the packing that they make."""
    for weights in _candidate_weights(n_weights):
        by_size = {}
        for size, hands in multisets.items():
            buckets = _bucketed([key_of(ranks, weights) for ranks in hands])
            if buckets is None:
                break
            by_size[size] = buckets
        else:
            return Hash(weights, {size: _pack(buckets) for size, buckets in by_size.items()})
    raise AssertionError("_candidate_weights never ends")


@cache
def natural_hash() -> Hash:
    """The hash of five, six and seven cards without wild ones, which all rankings share."""
    return choose_hash({size: rank_multisets(size) for size in HAND_SIZES}, RANK_COUNT)


def _candidate_weights(n_weights: int) -> Iterator[list[int]]:
    """Endless lists of well-spread 32-bit numbers, always the same ones (SplitMix64)."""
    word = (1 << 64) - 1
    state = 0
    while True:
        weights = []
        for _ in range(n_weights):
            state = state + 0x9E3779B97F4A7C15 & word
            mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & word
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & word
            weights.append((mixed ^ mixed >> 31) >> KEY_BITS)
        yield weights


def _bucketed(keys: list[int]) -> dict[int, list[int]] | None:
    """The low bits of the keys in each bucket, or None if two keys cannot be told apart."""
    buckets: dict[int, list[int]] = {}
    for key in keys:
        buckets.setdefault(key >> KEY_BITS - BUCKET_BITS, []).append(key % (1 << LOW_BITS))
    if any(len(set(lows)) < len(lows) for lows in buckets.values()):
        return None
    return buckets


def _pack(buckets: dict[int, list[int]]) -> list[int]:
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


def c_constants(**values: int) -> str:
    """Integer constants as one C enumeration."""
    return f"enum {{ {', '.join(f'{name} = {value}' for name, value in values.items())} }};\n"


def write_or_check(output: Path, header: Callable[[], str], arguments: list[str], description: str) -> int:
    """Write a header file, or compare it with what is there; return the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="write nothing, compare with what is there")
    check = parser.parse_args(arguments).check
    text = header()
    if check and (not output.is_file() or output.read_text(encoding="ascii") != text):
        print(f"{output.name}: differs; run engine/tools/generate_{output.stem}.py")
        return 1
    if not check:
        output.write_text(text, encoding="ascii")
    print(f"{output.name}: {'unchanged' if check else 'written'}")
    return 0
