"""Write the vectors of the deal proof: sealed decks with their hashes, openings that hold and openings that must not.

Everything follows from the labels below, so that a second run changes no byte. The decks are sorted by a hash and the keys are
hashes: no secret, and never dealt.

Usage:
    generate_deal_proof_vectors.py           write tests/vectors/deal_proof/vectors.json
    generate_deal_proof_vectors.py --check   write nothing; exit 1 and say so if the file differs
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

from homegame_engine import catalog
from homegame_engine.cards import format_card, full_deck
from homegame_engine.deal_proof import (
    PROOF_VERSION,
    Commitment,
    DealContext,
    DealLayout,
    Opening,
    commit,
    context_hash,
    cut,
    deal_layout,
)

OUTPUT = Path(__file__).resolve().parents[2] / "tests" / "vectors" / "deal_proof" / "vectors.json"

# Both edges of the tree's halves, the last card before the absent places, and some in between.
OPENED_POSITIONS = (0, 1, 7, 31, 32, 47, 48, 51)

DEALS = (
    # Name, context, where the deck is cut, house whose burns hold, seats dealt in, button.
    ("plain", DealContext(night_id="night-1", table_id="table-1", hand_number=1, attempt=1), 17, "CLUB", (0, 1, 2), 0),
    (
        "redeal",
        DealContext(night_id="night-1", table_id="table-1", hand_number=1, attempt=2),
        1,
        "POINTS_NIGHT",
        (0, 2, 5),
        3,
    ),
    (
        "long ids and a large number",
        DealContext(night_id="Spieleabend-äöü-夜", table_id="t" * 64, hand_number=(1 << 63) - 1, attempt=(1 << 31) - 1),
        51,
        "CASH_NIGHT",
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
        9,
    ),
)


def label_hash(*words: str) -> bytes:
    """Return 32 bytes that follow from the words."""
    return hashlib.sha256(" ".join(("homegame deal proof vectors", *words)).encode()).digest()


def deck_of(name: str) -> bytes:
    """Return the deck order of a vector."""
    return bytes(sorted(full_deck(), key=lambda code: label_hash(name, "card", str(code))))


def context_fields(context: DealContext) -> dict[str, str | int]:
    """Return a context as the file writes it; an int64 is text, because not every JSON reader keeps 64 bits."""
    return {
        "night_id": context.night_id,
        "table_id": context.table_id,
        "hand_number": str(context.hand_number),
        "attempt": context.attempt,
    }


def opening_fields(opening: Opening) -> dict[str, object]:
    """Return an opening as the file writes it."""
    return {
        "position": opening.position,
        "card": opening.card,
        "salt": opening.salt.hex(),
        "path": [part.hex() for part in opening.path],
    }


def layout_fields(layout: DealLayout, house: str, dealt_in: tuple[int, ...], button: int) -> dict[str, object]:
    """Return the places of a hold'em deal as the file writes them."""
    return {
        "game": "HOLDEM",
        "house": house,
        "dealt_in": dealt_in,
        "button": button,
        "hole_cards": {str(seat): layout.hole_cards[seat] for seat in sorted(layout.hole_cards)},
        "burns": layout.burns,
        "board": layout.board,
    }


def deal_fields(
    name: str, context: DealContext, cut_position: int, house: str, dealt_in: tuple[int, ...], button: int
) -> dict[str, object]:
    """Return one sealed deck with what it publishes and opens."""
    deck_order = deck_of(name)
    key = label_hash(name, "key")
    commitment = commit(context, deck_order, key)
    layout = deal_layout(catalog.game("HOLDEM"), catalog.house(house).burns, dealt_in=dealt_in, button=button)
    return {
        "name": name,
        "context": context_fields(context),
        "context_hash": context_hash(context).hex(),
        "key": key.hex(),
        "deck_order": deck_order.hex(),
        "deck_text": " ".join(format_card(card) for card in deck_order),
        "root": commitment.root.hex(),
        "openings": [opening_fields(commitment.open_position(position)) for position in OPENED_POSITIONS],
        "cut_position": cut_position,
        "dealt_order": cut(deck_order, cut_position).hex(),
        "layout": layout_fields(layout, house, dealt_in, button),
    }


def flipped(data: bytes) -> bytes:
    """Return the bytes with one bit changed."""
    return bytes([data[0] ^ 1]) + data[1:]


def refused_fields(context: DealContext, commitment: Commitment) -> list[dict[str, object]]:
    """Return openings that no checker may accept, each with what was done to it."""
    held = commitment.open_position(7)
    other = commitment.open_position(8)
    path = held.path
    salt = held.salt

    def case(
        name: str, of: DealContext = context, root: bytes = commitment.root, **changed: object
    ) -> dict[str, object]:
        fields = {
            "position": held.position,
            "card": held.card,
            "salt": salt.hex(),
            "path": [part.hex() for part in path],
        }
        return {"name": name, "context": context_fields(of), "root": root.hex(), "opening": fields | changed}

    def in_another(*, hand_number: int = 1, attempt: int = 1) -> DealContext:
        return DealContext(
            night_id=context.night_id, table_id=context.table_id, hand_number=hand_number, attempt=attempt
        )

    return [
        case("another card", card=other.card),
        case("another position", position=other.position),
        case("a changed salt", salt=flipped(salt).hex()),
        case("another position's salt", salt=other.salt.hex()),
        case("a changed path", path=[part.hex() for part in (*path[:5], flipped(path[5]))]),
        case("a path in another order", path=[part.hex() for part in reversed(path)]),
        case("a path too short", path=[part.hex() for part in path[:5]]),
        case("a path too long", path=[part.hex() for part in (*path, path[0])]),
        case("a salt too long", salt=salt.hex() + "00"),
        case("another root", root=flipped(commitment.root)),
        case("a position that holds no card", position=52),
        case("a card that no deck holds", card=52),
        case("another hand", in_another(hand_number=2)),
        case("another attempt", in_another(attempt=2)),
        case("another night", DealContext(night_id="night-2", table_id="table-1", hand_number=1, attempt=1)),
        case("another table", DealContext(night_id="night-1", table_id="table-2", hand_number=1, attempt=1)),
        case("ids run together", DealContext(night_id="night-1t", table_id="able-1", hand_number=1, attempt=1)),
    ]


def vectors() -> str:
    """Return the text of the file."""
    name, context, *_ = DEALS[0]
    commitment = commit(context, deck_of(name), label_hash(name, "key"))
    content = {
        "about": "Deal proof of homegame, docs/deal-proof.md; written by engine/tools/generate_deal_proof_vectors.py.",
        "version": PROOF_VERSION,
        "deals": [deal_fields(*deal) for deal in DEALS],
        "refused": refused_fields(context, commitment),
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the file; return the exit status."""
    parser = argparse.ArgumentParser(description="Generate the vectors of the deal proof.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare with what is there")
    check = parser.parse_args(arguments).check
    text = vectors()
    if check and (not OUTPUT.is_file() or OUTPUT.read_text(encoding="ascii") != text):
        print(f"{OUTPUT.name}: differs; run engine/tools/generate_deal_proof_vectors.py")
        return 1
    if not check:
        OUTPUT.write_text(text, encoding="ascii")
    print(f"{OUTPUT.name}: {'unchanged' if check else 'written'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
