"""Changes of a written deal, and values that they put in: the words in which `deal_vectors` says what was tampered with."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from google.protobuf import json_format

from homegame_engine import deal_proof
from tests.clients.written_deals import deal_context, wire_opening

if TYPE_CHECKING:
    from tests.clients.written_deals import WrittenDeal

HOLDEM, SHORT, STUD, DRAW, PLAYER, SPECTATOR, REMIXED, COMMON, REDEALT = (
    "hold'em",
    "short deck",
    "stud",
    "draw, reshuffled",
    "passed, a player",
    "passed, a spectator",
    "stud, reshuffled",
    "stud, one card for all",
    "dealt again",
)
OPENINGS: Final = ("proof", "openings")
SEALED: Final = ("sealed", "deck_sealed")
CUT: Final = ("cut", "deck_cut")

GONE: Final = object()
"""What a value becomes that is taken away."""


class Edit(NamedTuple):
    """One change of a file: the value at `at` becomes `to`, or is taken away. The place behind a list's last appends to it."""

    at: tuple[str | int, ...]
    to: Any = GONE
    inserts: bool = False
    """Whether `to` goes before what is there, in a list."""


class Tampered(NamedTuple):
    """A deal with something changed."""

    name: str
    of: str
    edits: tuple[Edit, ...]
    faults: tuple[str, ...]


def unseen(deal: WrittenDeal) -> dict[str, Any]:
    """Return the opening of the last card of the deck that is dealt, of those that the viewer did not see."""
    told = json.dumps(deal.file["events"])
    dealt = deal_proof.cut(deal.deck_order, deal.how.cut_position)
    openings = (file_opening(deal.open_card(card)) for card in reversed(dealt))
    return next(opening for opening in openings if f'"{opening["card"]}"' not in told)


def of_hand_before(deal: WrittenDeal) -> dict[str, Any]:
    """Return the first opening as it would be if deck and key had served the hand before."""
    before = msgspec.structs.replace(deal_context(len(deal.deck_order)), hand_number=2)
    replayed = deal_proof.commit(before, deal.deck_order, deal.key)
    return file_opening(replayed.open_position(deal.openings[0].position))


def file_opening(opening: deal_proof.Opening) -> dict[str, Any]:
    """Return an opening as a file has it."""
    fields: dict[str, Any] = json_format.MessageToDict(wire_opening(opening), preserving_proto_field_name=True)
    return fields


def place_of(deal: WrittenDeal, card: str) -> int:
    """Return which of the openings names a card."""
    return next(i for i, opening in enumerate(deal.file["proof"]["openings"]) if opening["card"] == card)


def flipped(text: str) -> str:
    """Return bytes in base64 with one bit changed."""
    data = base64.b64decode(text)
    return base64.b64encode(bytes([data[0] ^ 1]) + data[1:]).decode()


def shortened(text: str) -> str:
    """Return bytes in base64 without the last one."""
    return base64.b64encode(base64.b64decode(text)[:-1]).decode()
