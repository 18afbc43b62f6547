"""The vectors of whole deals: files of viewers, and what a check must say of each as it is and with something changed.

The verdicts stand here by hand, after docs/deal-proof.md, and come from no checker. `tests/vectors/deal_proof/README.md` says how
to read the file.

Usage, from the root of the checkout:
    python -m tests.clients.deal_vectors --write    write the file anew; read the difference before committing it
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from homegame_engine import deal_proof
from tests.clients.deal_edits import (
    COMMON,
    CUT,
    DRAW,
    GONE,
    HOLDEM,
    OPENINGS,
    PLAYER,
    REDEALT,
    REMIXED,
    SEALED,
    SHORT,
    SPECTATOR,
    STUD,
    Edit,
    Tampered,
    flipped,
    of_hand_before,
    place_of,
    shortened,
    unseen,
)
from tests.clients.deal_rule_vectors import of_rules
from tests.clients.written_deals import CUT_NUMBER, Told, WrittenDeal

FILE = Path(__file__).resolve().parents[1] / "vectors" / "deal_proof" / "deals.json"

DEALS: Final = (
    Told(name=HOLDEM, viewer=1, cut_position=17, own_cut=17, mucks=frozenset({2})),
    Told(name=SHORT, game="SHORT_HOLDEM", viewer=None, n_seats=2, button=1, cut_position=35, mucks=frozenset({0, 1})),
    Told(name=STUD, game="STUD5", viewer=2, button=1, cut_position=50, folds=frozenset({0}), mucks=frozenset({1})),
    Told(
        name=DRAW,
        game="JOKER_DRAW",
        viewer=4,
        n_seats=6,
        button=5,
        cut_position=1,
        mucks=frozenset(range(6)),
        n_mixes=2,
    ),
    Told(name=REMIXED, game="STUD7", viewer=3, n_seats=7, button=2, cut_position=44, n_mixes=1),
    Told(name=COMMON, game="STUD7", viewer=None, n_seats=8, button=7, cut_position=9, n_mixes=1),
    Told(name=PLAYER, label="passed", game="ANACONDA", viewer=0, n_seats=2, cut_position=26),
    Told(name=SPECTATOR, label="passed", game="ANACONDA", viewer=None, n_seats=2, cut_position=26),
    Told(name=REDEALT, viewer=0, cut_position=30, attempt=2, mucks=frozenset({1, 2})),
    Told(name="cut ignored", viewer=0, cut_position=17, ignores_cut=True, faults=("CARD_OUT_OF_PLACE",)),
    Told(name="sealed with a card twice", viewer=0, cut_position=3, seals_twice=True, faults=("CARD_TWICE",)),
)


def tampered(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Return every deal with something changed."""
    return [*of_openings(deals), *of_identity(deals), *of_order(deals), *of_events(deals), *of_rules(deals)]


def of_openings(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Openings changed, left out, doubled, and some that are none."""
    deal = deals[HOLDEM]
    held = deal.file["proof"]["openings"]
    first = held[0]
    other = unseen(deal)
    not_committed = "OPENING_NOT_COMMITTED"
    salt, path = ((*OPENINGS, 0, name) for name in ("salt", "path"))

    def case(name: str, *edits: Edit, faults: str = "") -> Tampered:
        return Tampered(name, HOLDEM, edits, tuple(faults.split()))

    def first_with(**changed: Any) -> Edit:  # noqa: ANN401 - values of a file
        return Edit((*OPENINGS, 0), first | changed)

    return [
        case("another card", first_with(card=other["card"]), faults=f"{not_committed} CARD_DIFFERS"),
        case(
            "two openings with their cards swapped",
            Edit((*OPENINGS, 0, "card"), held[1]["card"]),
            Edit((*OPENINGS, 1, "card"), first["card"]),
            faults=f"{not_committed} CARD_OUT_OF_PLACE",
        ),
        case("a changed salt", Edit(salt, flipped(first["salt"])), faults=not_committed),
        case("the salt of another position", Edit(salt, held[1]["salt"]), faults=not_committed),
        case("a changed path", Edit((*path, 5), flipped(first["path"][5])), faults=not_committed),
        case("a path from the root downwards", Edit(path, first["path"][::-1]), faults=not_committed),
        case("an opening left out", Edit((*OPENINGS, 4)), faults="OPENING_MISSING"),
        case(
            "all openings but the first four left out",
            *(Edit((*OPENINGS, i)) for i in range(8, 3, -1)),
            faults="OPENING_MISSING",
        ),
        case("no opening", Edit(OPENINGS), faults="OPENING_MISSING"),
        case("openings in another order", Edit((*OPENINGS, 0), held[1]), Edit((*OPENINGS, 1), first)),
        case("an opening twice", Edit((*OPENINGS, 9), first)),
        case(
            "a position opened as a second card",
            Edit((*OPENINGS, 9), first | {"card": other["card"]}),
            faults=f"{not_committed} POSITION_TWICE",
        ),
        case(
            "a card opened at a second position",
            Edit((*OPENINGS, 9), first | {"position": 18}),
            faults=f"{not_committed} CARD_TWICE",
        ),
        case("a card opened that was never seen", Edit((*OPENINGS, 9), other), faults="OPENED_UNSEEN"),
        *(
            case(
                f"position {position}, outside the deck",
                Edit((*OPENINGS, 0, "position"), position),
                faults="OPENING_MALFORMED CARD_OUT_OF_PLACE",
            )
            for position in (-1, 52, 63, 17 + 64)
        ),
        *(
            case(
                f"{card}, which the deck does not have",
                Edit((*OPENINGS, 0, "card"), card),
                faults="OPENING_MALFORMED CARD_DIFFERS",
            )
            for card in ("CARD_HIDDEN", "CARD_FIRST_JOKER")
        ),
        case("a salt of 31 bytes", Edit(salt, shortened(first["salt"])), faults="OPENING_MALFORMED"),
        case("a path of five hashes", Edit((*path, 5)), faults="OPENING_MALFORMED"),
        case("a path of seven hashes", Edit((*path, 6), first["path"][5]), faults="OPENING_MALFORMED"),
        case("a hash of 31 bytes", Edit((*path, 0), shortened(first["path"][0])), faults="OPENING_MALFORMED"),
        Tampered(
            "a card that a short deck lacks",
            SHORT,
            (Edit((*OPENINGS, 0, "card"), "CARD_FIVE_OF_SPADES"),),
            ("OPENING_MALFORMED", "CARD_DIFFERS"),
        ),
        Tampered(
            "one joker opened as the other",
            DRAW,
            (Edit((*OPENINGS, place_of(deals[DRAW], "CARD_FIRST_JOKER"), "card"), "CARD_SECOND_JOKER"),),
            ("OPENING_NOT_COMMITTED", "CARD_DIFFERS"),
        ),
    ]


def of_identity(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Commitments replayed in another deal, and roots."""
    deal = deals[HOLDEM]
    root = deal.file["sealed"]["deck_sealed"]["root"]

    not_committed = "OPENING_NOT_COMMITTED"

    def case(name: str, *edits: Edit, faults: str = not_committed) -> Tampered:
        return Tampered(name, HOLDEM, edits, tuple(faults.split()))

    return [
        case("another night", Edit(("night_id",), "night-2")),
        case("another table", Edit(("table_id",), "table-2")),
        case("ids that run together to the same", Edit(("night_id",), "night-1t"), Edit(("table_id",), "able-1")),
        case("another hand", Edit((*SEALED, "hand_number"), "4"), faults=f"HAND_CHANGED DEAL_DROPPED {not_committed}"),
        case("another attempt", Edit((*SEALED, "attempt"), 2), faults=f"DEAL_DROPPED {not_committed}"),
        case("an opening replayed from the hand before", Edit((*OPENINGS, 0), of_hand_before(deal))),
        case("another root", Edit((*SEALED, "root"), flipped(root))),
        case(
            "a root of 31 bytes", Edit((*SEALED, "root"), shortened(root)), faults="BAD_ROOT OPENING_NOT_COMMITTED"
        ),
        case("the root of another deal", Edit(("other_roots", 0), base64.b64decode(root).hex()), faults="ROOT_REUSED"),
        case("a deck with a joker", Edit((*SEALED, "n_cards"), 53)),
        case("a deck of 55 cards", Edit((*SEALED, "n_cards"), 55), faults="BAD_DECK OPENING_NOT_COMMITTED"),
        case("a deck that names no number, as old nights did", Edit((*SEALED, "n_cards")), faults=""),
        case("a proof that names another root and cut", Edit(("proof", "root")), Edit(("proof", "cut_position"), 3), faults=""),
    ]  # fmt: skip


def of_order(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Root, cut and cards in another order, other cuts and other seats."""
    first_card = deals[HOLDEM].file["events"][1]["number"]

    def case(name: str, *edits: Edit, faults: str) -> Tampered:
        return Tampered(name, HOLDEM, edits, tuple(faults.split()))

    own = Edit(("own_cut",), None)
    return [
        case("a root that came with the cut", Edit(("sealed", "number"), str(CUT_NUMBER)), faults="ROOT_AFTER_CUT"),
        case("a cut that came with the first card", Edit(("cut", "number"), first_card), faults="CUT_AFTER_DEAL"),
        case("another cut than the viewer's", Edit(("own_cut",), 16), faults="CUT_CHANGED"),
        case("another cut than the deal's", own, Edit((*CUT, "position"), 18), faults="CARD_OUT_OF_PLACE"),
        case("a cut at none", own, Edit((*CUT, "position")), faults="BAD_CUT CARD_OUT_OF_PLACE"),
        case("a cut at all", own, Edit((*CUT, "position"), 52), faults="BAD_CUT CARD_OUT_OF_PLACE"),
        case("a cut that leads to the same places", own, Edit((*CUT, "position"), 17 - 52), faults="BAD_CUT"),
        case("no cut", own, Edit(("cut",), None), faults="ROOT_AFTER_CUT BAD_CUT CARD_OUT_OF_PLACE"),
        case("another button", Edit((*SEALED, "button"), 2), faults="SEATS_CHANGED WRONG_CUTTER"),
        case("another seat", Edit((*SEALED, "dealt_in", 3), 3), faults="SEATS_CHANGED"),
        case("seats in another order", Edit((*SEALED, "dealt_in"), [1, 2, 0]), faults="SEATS_CHANGED"),
    ]


def of_events(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Cards seen that were not dealt so, and events that do not tell the deal."""
    start, turn, own_hand, shown = (("events", i) for i in (0, 7, 10, 11))
    holdem, draw, spectator = (deals[name] for name in (HOLDEM, DRAW, SPECTATOR))
    up_cards = [deals[STUD].file["events"][i]["up_cards_dealt"]["cards"] for i in (9, 10)]
    dealt = draw.file["events"][5]["hole_cards_dealt"]["cards"]
    hands = [spectator.file["events"][i]["hand_shown"]["cards"] for i in (17, 18)]
    other, from_the_stub = unseen(holdem), unseen(spectator)

    def case(of: str, name: str, *edits: Edit, faults: str = "") -> Tampered:
        return Tampered(name, of, edits, tuple(faults.split()))

    another_turn = Edit((*turn, "board_dealt", "cards", 0), other["card"])
    return [
        case(HOLDEM, "a turn that was not sealed there", another_turn, faults="CARD_DIFFERS"),
        case(
            HOLDEM,
            "a turn that was sealed elsewhere, opened",
            another_turn,
            Edit((*OPENINGS, 7), other),
            faults="CARD_OUT_OF_PLACE",
        ),
        case(
            HOLDEM,
            "a card shown with another face than dealt",
            Edit((*own_hand, "hand_shown", "cards", 0), other["card"]),
            Edit((*OPENINGS, 9), other),
            faults="FACE_CHANGED CARD_OUT_OF_PLACE",
        ),
        case(HOLDEM, "a burn left out", Edit(("events", 6)), faults="CARD_OUT_OF_PLACE DEALT_OTHERWISE"),
        case(
            HOLDEM,
            "the cards of a seat left out",
            Edit(("events", 2)),
            faults="EVENTS_INCOMPLETE CARD_OUT_OF_PLACE OPENED_UNSEEN",
        ),
        case(
            HOLDEM,
            "no start of the hand",
            Edit(start),
            faults="EVENTS_INCOMPLETE SEATS_CHANGED CARD_OUT_OF_PLACE OPENED_UNSEEN",
        ),
        case(
            HOLDEM,
            "a hand that starts twice",
            Edit(("events", 12), holdem.file["events"][0]),
            faults="EVENTS_INCOMPLETE",
        ),
        case(
            HOLDEM,
            "half of a hand shown",
            Edit((*shown, "hand_shown", "cards", 1)),
            faults="EVENTS_INCOMPLETE OPENED_UNSEEN",
        ),
        case(
            STUD,
            "the up cards of two seats exchanged",
            Edit(("events", 9, "up_cards_dealt", "cards"), up_cards[1]),
            Edit(("events", 10, "up_cards_dealt", "cards"), up_cards[0]),
            faults="CARD_OUT_OF_PLACE",
        ),
        case(
            DRAW,
            "two cards of a hand exchanged before the stub was mixed",
            Edit(("events", 5, "hole_cards_dealt", "cards"), [dealt[1], dealt[0], *dealt[2:]]),
            faults="CARD_OUT_OF_PLACE",
        ),
        case(
            DRAW,
            "a card dealt before the stub was mixed that is not opened",
            Edit((*OPENINGS, place_of(draw, dealt[2]))),
            faults="OPENING_MISSING",
        ),
        case(
            DRAW,
            "another card dealt before it than is opened",
            Edit(("events", 5, "hole_cards_dealt", "cards", 2), unseen(draw)["card"]),
            faults="CARD_DIFFERS",
        ),
        case(
            DRAW,
            "a stub of which nobody said that it was mixed",
            Edit(("events", 11)),
            faults="EVENTS_INCOMPLETE OPENING_MISSING",
        ),
        case(
            PLAYER,
            "fewer cards passed than were given up",
            Edit(("events", 13, "cards_passed", "cards")),
            faults="EVENTS_INCOMPLETE",
        ),
        case(
            PLAYER,
            "a card given up that the seat does not hold",
            Edit(("events", 15, "choice_made", "cards", 0), unseen(spectator)["card"]),
            faults="EVENTS_INCOMPLETE",
        ),
        case(
            SPECTATOR,
            "a card shown that neither seat was dealt, opened",
            Edit(("events", 17, "hand_shown", "cards", 0), from_the_stub["card"]),
            Edit(("proof", "openings"), [from_the_stub]),
            faults="CARD_OUT_OF_PLACE",
        ),
        case(
            SPECTATOR,
            "cards of two hands exchanged, either of which may have had either",
            Edit(("events", 17, "hand_shown", "cards", 0), hands[1][0]),
            Edit(("events", 18, "hand_shown", "cards", 0), hands[0][0]),
        ),
    ]


# --- The file -------------------------------------------------------------------------------------------------------------


def content() -> dict[str, Any]:
    """Return what the file says."""
    deals = {how.name: WrittenDeal(how) for how in DEALS}
    return {
        "about": "Whole deals of homegame and their verdicts, docs/deal-proof.md; written by tests/clients/deal_vectors.py.",
        "version": deal_proof.PROOF_VERSION,
        "deals": [
            {
                "name": name,
                "faults": sorted(deal.how.faults),
                "secret": {
                    "key": deal.key.hex(),
                    "deck_order": deal.deck_order.hex(),
                    "mix_orders": deal.mix_orders.hex(),
                },
                "file": deal.file,
            }
            for name, deal in deals.items()
        ],
        "tampered": [
            {
                "name": one.name,
                "of": one.of,
                "edits": [_written(edit) for edit in one.edits],
                "faults": sorted(one.faults),
            }
            for one in tampered(deals)
        ],
    }


def text() -> str:
    """Return the file."""
    indented = json.dumps(content(), indent=1, ensure_ascii=True)
    return re.sub(r"\[\s+([^][{}]*?)\s+\]", _in_one_line, indented) + "\n"


def _written(edit: Edit) -> dict[str, Any]:
    if edit.to is GONE:
        return {"at": edit.at}
    return {"at": edit.at, "insert" if edit.inserts else "to": edit.to}


def _in_one_line(found: re.Match[str]) -> str:
    """A list of plain values, which is read more easily so."""
    return "[" + re.sub(r",\s+", ", ", found[1]) + "]"


def main() -> None:
    """Write the file."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    FILE.write_text(text(), encoding="ascii")


if __name__ == "__main__":
    main()
