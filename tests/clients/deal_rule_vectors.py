"""Deals tampered with against the rules of dealing: reshuffles, burns, rounds, faces, the cutter, and decks that were dropped."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from homegame.v1.cards_pb2 import Card
from homegame_engine import deal_proof
from tests.clients.deal_edits import (
    COMMON,
    CUT,
    DRAW,
    HOLDEM,
    OPENINGS,
    REDEALT,
    REMIXED,
    SEALED,
    SPECTATOR,
    STUD,
    Edit,
    Tampered,
    file_opening,
    flipped,
    place_of,
    shortened,
    unseen,
)

if TYPE_CHECKING:
    from tests.clients.written_deals import WrittenDeal

_SOME_ROOT = base64.b64encode(bytes(range(32))).decode()


def of_rules(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Return every deal with something changed that the rules of dealing forbid."""
    return [
        *of_pretended_reshuffles(deals),
        *of_mixed_cards(deals),
        *of_faces(deals),
        *of_burns(deals),
        *of_rounds(deals),
        *of_announcements(deals),
        *of_other_decks(deals),
    ]


def case(of: str, name: str, *edits: Edit, faults: str = "") -> Tampered:
    """Return a deal with something changed."""
    return Tampered(name, of, edits, tuple(faults.split()))


def reshuffle(count: int) -> dict[str, Any]:
    """Return an event between others."""
    return {"number": "20", "stub_reshuffled": {"count": count}}


def burn(count: int) -> dict[str, Any]:
    """Return an event between others."""
    return {"number": "20", "cards_burned": {"count": count} if count else {}}


def event(place: int) -> tuple[str | int, ...]:
    """Return where an event of a file is."""
    return ("events", place)


def of_pretended_reshuffles(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Reshuffles that cannot be: after one the server could put any sealed card anywhere."""
    bad = "BAD_RESHUFFLE"
    flop = deals[HOLDEM].file["events"][5]["board_dealt"]["cards"]
    other = unseen(deals[HOLDEM])
    return [
        case(HOLDEM, "a stub mixed that was whole", Edit(event(4), reshuffle(1), inserts=True), faults=bad),
        case(
            HOLDEM,
            "a flop from a stub that was mixed after the burn",
            Edit(event(5), reshuffle(1), inserts=True),
            Edit((*event(6), "board_dealt", "cards", 0), other["card"]),
            Edit((*OPENINGS, place_of(deals[HOLDEM], flop[0])), other),
            faults=f"{bad} CARD_OUT_OF_PLACE",
        ),
        case(
            HOLDEM,
            "a whole stub mixed by an order that was sealed",
            Edit((*SEALED, "mix_root"), _SOME_ROOT),
            Edit(event(5), reshuffle(1), inserts=True),
            faults=bad,
        ),
        case(DRAW, "a stub mixed while it had enough", Edit(event(8), reshuffle(5), inserts=True), faults=bad),
        case(DRAW, "a stub mixed twice in a row", Edit(event(11), reshuffle(20), inserts=True), faults=bad),
        case(DRAW, "no order sealed for the reshuffle", Edit((*SEALED, "mix_root")), faults=bad),
        *(
            case(DRAW, f"{n} cards mixed of 20 out of play", Edit((*event(11), "stub_reshuffled", "count"), n), faults=bad)
            for n in (19, 21, -1)
        ),
        case(
            DRAW,
            "a stub mixed for nobody",
            Edit(event(12)),
            Edit(event(12)),
            faults=bad,
        ),
        case(REMIXED, "a card more mixed than there were", Edit((*event(45), "stub_reshuffled", "count"), 6), faults=bad),
        case(COMMON, "no order sealed for the last cards", Edit((*SEALED, "mix_root")), faults=bad),
        case(COMMON, "a card for all from an empty stub", Edit(event(44)), faults="EVENTS_INCOMPLETE OPENING_MISSING"),
        case(HOLDEM, "a root of reshuffles of 31 bytes", Edit((*SEALED, "mix_root"), shortened(_SOME_ROOT)), faults="BAD_ROOT"),
    ]  # fmt: skip


def of_mixed_cards(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Cards dealt from a mixed stub stay sealed, for their places would tell who gave them up."""
    draw, remixed = deals[DRAW], deals[REMIXED]
    drawn = draw.file["events"][12]["cards_drawn"]["cards"]
    last = (*event(12), "cards_drawn", "cards", 4)
    dealt = draw.file["events"][5]["hole_cards_dealt"]["cards"]
    mixed = next(code for code in dealt_order(draw)[:4] if name(code) != drawn[4])  # Seats 0 to 3 gave theirs up.
    held = dealt_order(draw)[5]  # Seat 5 holds it.
    burned = unseen(remixed)["card"]

    def drew(text: str, card: str, *edits: Edit, faults: str = "") -> Tampered:
        return case(DRAW, text, Edit(last, card), *edits, faults=faults)

    def opened(card: int) -> Edit:
        return Edit((*OPENINGS, len(draw.file["proof"]["openings"])), file_opening(draw.open_card(card)))

    return [
        drew("another of the mixed cards drawn, which nobody can tell", name(mixed)),
        drew("another of the mixed cards drawn and opened, as servers did once", name(mixed), opened(mixed)),
        drew(
            "a card drawn from a mixed stub that another seat held, opened",
            name(held),
            opened(held),
            faults="CARD_OUT_OF_PLACE",
        ),
        drew("the same card drawn twice after the reshuffle", drawn[0], faults="CARD_TWICE"),
        drew("a card drawn that the seat has just given up", dealt[0], faults="CARD_TWICE CARD_OUT_OF_PLACE"),
        case(
            REMIXED,
            "another of the mixed cards dealt last, which nobody can tell",
            Edit((*event(52), "hand_shown", "cards", 6), burned),
        ),
        case(
            REMIXED,
            "a last card dealt that another seat holds face up",
            Edit((*event(52), "hand_shown", "cards", 6), remixed.file["events"][16]["up_cards_dealt"]["cards"][0]),
            faults="CARD_TWICE CARD_OUT_OF_PLACE",
        ),
    ]


def of_faces(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """One card in two places, and two faces of one card, where the places are not known."""
    draw, spectator = deals[DRAW], deals[SPECTATOR]
    drawn = draw.file["events"][12]["cards_drawn"]["cards"]
    mixed = next(code for code in dealt_order(draw)[:4] if name(code) != drawn[4])
    first, second = (spectator.file["events"][i]["hand_shown"]["cards"] for i in (17, 18))
    shown = {"number": "90", "hand_shown": {"seat": 4, "cards": [*drawn[:4], name(mixed)]}}
    return [
        case(
            SPECTATOR,
            "a card twice in a hand that was shown",
            Edit((*event(17), "hand_shown", "cards", 1), first[0]),
            faults="CARD_TWICE",
        ),
        case(
            SPECTATOR,
            "a card in two hands that were shown",
            Edit((*event(17), "hand_shown", "cards", 0), second[0]),
            faults="CARD_TWICE",
        ),
        case(
            DRAW,
            "a card drawn after the reshuffle and shown with another face",
            Edit(("events", len(draw.file["events"])), shown),
            faults="FACE_CHANGED",
        ),
    ]


def of_burns(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Burns by which a server that knows the hole cards would choose the board."""
    other = "DEALT_OTHERWISE"
    holdem = deals[HOLDEM]
    steps = (*SEALED, "steps")
    return [
        case(
            HOLDEM, "four cards burned", Edit((*event(4), "cards_burned", "count"), 4), *moved(holdem, 3), faults=other
        ),
        case(
            HOLDEM,
            "three cards burned where the house burns one",
            Edit((*event(4), "cards_burned", "count"), 3),
            *moved(holdem, 2),
            faults=other,
        ),
        case(HOLDEM, "no card burned before the flop", Edit(event(4)), *moved(holdem, -1, -1), faults=other),
        case(HOLDEM, "cards burned twice", Edit(event(5), burn(1), inserts=True), *moved(holdem, 1, 1), faults=other),
        case(HOLDEM, "a burn of no card", Edit(event(5), burn(0), inserts=True), faults=other),
        case(
            STUD,
            "two cards burned in stud",
            Edit((*event(16), "cards_burned", "count"), 2),
            faults=f"{other} CARD_OUT_OF_PLACE",
        ),
        case(HOLDEM, "a deal whose steps were not announced, as old nights did", Edit(steps)),
        case(
            HOLDEM,
            "a deal whose steps were not announced, and three cards burned, which nobody can tell",
            Edit(steps),
            Edit((*event(4), "cards_burned", "count"), 3),
            *moved(holdem, 2),
        ),
        case(
            HOLDEM,
            "a deal whose steps were not announced, and four cards burned",
            Edit(steps),
            Edit((*event(4), "cards_burned", "count"), 4),
            *moved(holdem, 3),
            faults=other,
        ),
        case(
            HOLDEM,
            "four cards burned as was announced",
            Edit((*steps, 2, "count"), 4),
            Edit((*event(4), "cards_burned", "count"), 4),
            *moved(holdem, 3),
        ),
    ]


def of_rounds(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Later rounds with other seats, or in another order."""
    other = "DEALT_OTHERWISE"
    ahead, behind = (deals[STUD].file["events"][i]["up_cards_dealt"] for i in (17, 18))
    without_folds = (Edit(("version",), 1), Edit(event(12)), Edit(event(11)))
    return [
        case(
            STUD,
            "a round in another order, in two parts",
            Edit((*event(17), "up_cards_dealt"), {"seat": 1, "cards": ahead["cards"]}),
            Edit((*event(18), "up_cards_dealt"), {"seat": 2, "cards": behind["cards"]}),
            Edit(event(18), burn(0), inserts=True),
            faults=other,
        ),
        case(STUD, "an up card for a seat that folded", Edit((*event(18), "up_cards_dealt", "seat"), 0), faults=other),
        case(
            DRAW,
            "a seat that drew before its turn",
            Edit((*event(7), "cards_drawn", "seat"), 1),
            Edit((*event(8), "cards_drawn", "seat"), 0),
            faults=other,
        ),
        case(
            DRAW,
            "a hand that shows after a draw of more cards than it gave up",
            Edit((*event(7), "cards_drawn", "discarded", 0)),
            faults=f"{other} BAD_RESHUFFLE",
        ),
        case(STUD, "no up card for a seat that plays", Edit(event(18)), faults=f"{other} OPENED_UNSEEN"),
        case(STUD, "a file of the first version, without folds", *without_folds),
        case(
            STUD,
            "a file of the first version, and an up card for a seat that folded",
            *without_folds,
            Edit((*event(16), "up_cards_dealt", "seat"), 0),
            faults=other,
        ),
        case(
            REMIXED,
            "the rest of a round without its reshuffle",
            Edit(event(45)),
            faults=f"{other} EVENTS_INCOMPLETE OPENING_MISSING",
        ),
    ]


def of_announcements(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Who cut, which hand started, and proofs that nobody can read."""
    start = deals[HOLDEM].file["events"][0]["hand_starting"]
    own = Edit(("own_cut",), None)
    return [
        case(HOLDEM, "another seat cut", own, Edit((*CUT, "seat"), 2), faults="WRONG_CUTTER"),
        case(
            HOLDEM,
            "another hand starts",
            Edit((*event(0), "hand_starting"), start | {"hand_number": "4"}),
            faults="HAND_CHANGED",
        ),
        case(HOLDEM, "a proof of a later version", Edit(("proof", "version"), 2), faults="UNKNOWN_VERSION"),
        case(HOLDEM, "a proof of no version", Edit(("proof", "version")), faults="UNKNOWN_VERSION"),
    ]


def of_other_decks(deals: dict[str, WrittenDeal]) -> list[Tampered]:
    """Decks that were sealed before and not dealt: a server would shuffle until it likes one."""
    dropped = "DEAL_DROPPED"
    sealed = deals[HOLDEM].file["sealed"]
    another = {"number": "6", "deck_sealed": sealed["deck_sealed"] | {"root": flipped(sealed["deck_sealed"]["root"])}}
    hand_before = {"number": "6", "deck_sealed": another["deck_sealed"] | {"hand_number": "2"}}
    void = deals[REDEALT].file["earlier"][1]
    return [
        case(HOLDEM, "a deck of the same deal sealed before", Edit(("earlier", 0), another), faults=dropped),
        case(HOLDEM, "a deck of the hand before never dealt", Edit(("earlier", 0), hand_before), faults=dropped),
        case(REDEALT, "a deck dealt anew without a void", Edit(("earlier", 1)), faults=dropped),
        case(
            REDEALT,
            "the void of another hand",
            Edit(("earlier", 1, "hand_voided"), void["hand_voided"] | {"hand_number": "2"}),
            faults=dropped,
        ),
        case(REDEALT, "a first deal of which nobody heard", Edit(("earlier",), []), faults=dropped),
        case(REDEALT, "a viewer who came later", Edit(("earlier",), None)),
        case(
            HOLDEM,
            "a session that ended in the middle of the hand",
            Edit(("ended",), {"number": "90", "session_finished": {}}),
            faults=dropped,
        ),
        case(
            HOLDEM,
            "an end of another hand",
            Edit(("ended",), {"number": "90", "hand_ended": {"hand_number": "2"}}),
            faults=dropped,
        ),
    ]


# --- Values ---------------------------------------------------------------------------------------------------------------


def dealt_order(deal: WrittenDeal) -> bytes:
    """Return the deck after its cut."""
    return deal_proof.cut(deal.deck_order, deal.how.cut_position)


def name(code: int) -> str:
    """Return a card as a file has it."""
    return Card.Name(Card.ValueType(code + 1))


def moved(deal: WrittenDeal, n_cards: int, n_events: int = 0) -> list[Edit]:
    """Return hold'em's board from so many cards deeper, each opened; before it there are `n_events` more than there were."""
    order = dealt_order(deal)
    edits = []
    for place in (5, 7, 9):
        cards = deal.file["events"][place]["board_dealt"]["cards"]
        for i, card in enumerate(cards):
            code = order[order.index(Card.Value(card) - 1) + n_cards]
            edits += [
                Edit((*event(place + n_events), "board_dealt", "cards", i), name(code)),
                Edit((*OPENINGS, place_of(deal, card)), file_opening(deal.open_card(code))),
            ]
    return edits
