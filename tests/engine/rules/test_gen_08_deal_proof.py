"""The sealed deck: GEN-08, PROC-SHUF-01 and the engine's part of PROC-FAIR-02."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homegame_engine.cards import full_deck
from homegame_engine.deal_proof import (
    DECK_CARDS,
    Commitment,
    DealContext,
    Opening,
    commit,
    context_hash,
    cut,
    open_seen_cards,
    placed_cards,
    verify_opening,
)
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.events import AnyEvent, BoardDealt, HandShown, HoleCardsDealt
from homegame_engine.view import project
from tests.strategies import shuffled_deck
from tests.table_builders import deal, play

if TYPE_CHECKING:
    from homegame_engine.hand import Hand

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "tests" / "vectors" / "deal_proof" / "vectors.json").read_text(encoding="ascii"))
GUIDE = (ROOT / "docs" / "deal-proof.md").read_text(encoding="utf-8")

CONTEXT = DealContext(night_id="night-1", table_id="table-1", hand_number=3, attempt=1)
KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
DECK = shuffled_deck(8)


def context_of(fields: dict[str, str]) -> DealContext:
    return DealContext(
        night_id=fields["night_id"],
        table_id=fields["table_id"],
        hand_number=int(fields["hand_number"]),
        attempt=int(fields["attempt"]),
    )


def opening_of(fields: dict[str, object]) -> Opening:
    return msgspec.convert(
        fields
        | {
            "salt": bytes.fromhex(str(fields["salt"])),
            "path": tuple(bytes.fromhex(part) for part in fields["path"]),  # type: ignore[attr-defined]
        },
        Opening,
    )


def all_openings(commitment: Commitment) -> list[Opening]:
    return [commitment.open_position(position) for position in range(DECK_CARDS)]


# --- Sealing and opening --------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 2**32), key=st.binary(min_size=32, max_size=32), position=st.integers(0, 51))
@settings(max_examples=50, deadline=None)
def test_proc_shuf_01_every_position_opens_to_its_card_and_to_no_other(seed: int, key: bytes, position: int) -> None:
    deck = shuffled_deck(seed)
    commitment = commit(CONTEXT, deck, key)
    opening = commitment.open_position(position)
    assert (opening.position, opening.card) == (position, deck[position])
    assert verify_opening(commitment.root, CONTEXT, opening)
    for card in set(range(52)) - {deck[position]}:
        assert not verify_opening(commitment.root, CONTEXT, msgspec.structs.replace(opening, card=card))


def test_proc_shuf_01_a_card_is_opened_where_it_lies() -> None:
    commitment = commit(CONTEXT, DECK, KEY)
    for card in range(52):
        assert commitment.open_card(card) == commitment.open_position(DECK.index(card))


def test_gen_08_the_root_follows_from_deal_deck_and_key_alone() -> None:
    assert commit(CONTEXT, DECK, KEY).root == commit(CONTEXT, bytes(DECK), bytes(KEY)).root


@pytest.mark.parametrize(
    "change",
    [{"night_id": "night-2"}, {"table_id": "table-2"}, {"hand_number": 4}, {"attempt": 2}],
    ids=["night", "table", "hand", "attempt"],
)
def test_gen_08_a_commitment_opens_nothing_in_another_deal(change: dict[str, str | int]) -> None:
    commitment = commit(CONTEXT, DECK, KEY)
    elsewhere = msgspec.structs.replace(CONTEXT, **change)
    opening = commitment.open_position(0)
    assert verify_opening(commitment.root, CONTEXT, opening)
    assert not verify_opening(commitment.root, elsewhere, opening)
    assert commit(elsewhere, DECK, KEY).root != commitment.root


def test_gen_08_ids_do_not_run_together() -> None:
    one = msgspec.structs.replace(CONTEXT, night_id="ab", table_id="c")
    two = msgspec.structs.replace(CONTEXT, night_id="a", table_id="bc")
    assert commit(one, DECK, KEY).root != commit(two, DECK, KEY).root


def test_gen_08_no_two_places_of_the_tree_hold_the_same_hash() -> None:
    """A tree that repeats leaves to fill itself up has several decks with one root."""
    commitment = commit(CONTEXT, DECK, KEY)
    siblings = {
        (level, (opening.position >> level) ^ 1, opening.path[level])
        for opening in all_openings(commitment)
        for level in range(6)
    }
    places = {(level, place) for level, place, _ in siblings}
    assert len({part for _, _, part in siblings}) == len(places)


def test_gen_08_a_node_is_no_leaf() -> None:
    """An inner node shown as if it were a leaf, with the rest of its path, must not pass."""
    commitment = commit(CONTEXT, DECK, KEY)
    opening = commitment.open_position(0)
    for level in range(1, 6):
        shortened = msgspec.structs.replace(opening, salt=opening.path[level - 1], path=opening.path[level:])
        assert not verify_opening(commitment.root, CONTEXT, shortened)


def forged_root(card: int, salt: bytes, path: tuple[bytes, ...], position: int = 0) -> bytes:
    """The root of a tree of any depth that whoever seals can build over one leaf at the left edge."""
    reached = hashlib.sha256(
        b"homegame/deal-proof/1/leaf\x00" + context_hash(CONTEXT) + bytes([position, card]) + salt
    ).digest()
    for sibling in path:
        reached = hashlib.sha256(b"homegame/deal-proof/1/node\x00" + reached + sibling).digest()
    return reached


@pytest.mark.parametrize(
    ("depth", "salt", "position", "holds"),
    [(6, 32, 0, True), (5, 32, 0, False), (7, 32, 0, False), (6, 31, 0, False), (6, 33, 0, False), (6, 32, 64, False)],
)
def test_gen_08_a_tree_of_another_shape_opens_nothing(depth: int, salt: int, position: int, holds: bool) -> None:  # noqa: FBT001 - an expected value
    """With trees of two depths, or places beyond the deck, one root could hold two cards at one place."""
    opening = Opening(position=position, card=3, salt=bytes(salt), path=(bytes(32),) * depth)
    root = forged_root(3, opening.salt, opening.path, position)
    assert verify_opening(root, CONTEXT, opening) is holds


@pytest.mark.parametrize("change", [{"position": 300}, {"position": -1}, {"card": 300}, {"card": -1}], ids=str)
def test_gen_08_nonsense_is_refused_and_raises_nothing(change: dict[str, int]) -> None:
    commitment = commit(CONTEXT, DECK, KEY)
    assert not verify_opening(commitment.root, CONTEXT, msgspec.structs.replace(commitment.open_position(0), **change))


@pytest.mark.parametrize("deck_order", [b"", full_deck()[:-1], bytes([0, *range(51)]), bytes([52, *range(1, 52)])])
def test_proc_shuf_01_only_a_whole_deck_is_sealed(deck_order: bytes) -> None:
    with pytest.raises(RuleViolation, match="BAD_DECK"):
        commit(CONTEXT, deck_order, KEY)


@pytest.mark.parametrize("key", [b"", KEY[:31], KEY + b"\x00"])
def test_gen_08_a_key_has_256_bits(key: bytes) -> None:
    with pytest.raises(InputError, match="key"):
        commit(CONTEXT, DECK, key)


@pytest.mark.parametrize(
    "change",
    [
        {"night_id": ""},
        {"table_id": ""},
        {"night_id": "n" * 65_536},
        {"hand_number": 0},
        {"attempt": 0},
        {"attempt": 1 << 31},
    ],
)
def test_gen_08_a_deal_is_named_in_full(change: dict[str, str | int]) -> None:
    with pytest.raises(InputError):
        commit(msgspec.structs.replace(CONTEXT, **change), DECK, KEY)


@pytest.mark.parametrize("number", [-1, 52])
def test_gen_08_no_position_and_no_card_beyond_the_deck_is_opened(number: int) -> None:
    commitment = commit(CONTEXT, DECK, KEY)
    with pytest.raises(InputError, match="position"):
        commitment.open_position(number)
    with pytest.raises(InputError, match="card"):
        commitment.open_card(number)


# --- Hiding ---------------------------------------------------------------------------------------------------------------


def test_gen_08_a_fresh_key_gives_fresh_salts_and_another_root() -> None:
    one, two = commit(CONTEXT, DECK, KEY), commit(CONTEXT, DECK, OTHER_KEY)
    salts = {opening.salt for commitment in (one, two) for opening in all_openings(commitment)}
    assert len(salts) == 2 * DECK_CARDS
    assert one.root != two.root


def test_gen_08_a_key_used_twice_still_gives_fresh_salts() -> None:
    redeal = msgspec.structs.replace(CONTEXT, attempt=2)
    salts = {opening.salt for context in (CONTEXT, redeal) for opening in all_openings(commit(context, DECK, KEY))}
    assert len(salts) == 2 * DECK_CARDS


def test_gen_08_a_salt_tells_nothing_about_the_deck() -> None:
    """Salts come from key and position alone: the same for every deck, so they carry nothing about its cards."""
    salts = [opening.salt for opening in all_openings(commit(CONTEXT, DECK, KEY))]
    assert salts == [opening.salt for opening in all_openings(commit(CONTEXT, shuffled_deck(9), KEY))]


def test_gen_08_openings_carry_no_salt_but_their_own_and_never_the_key() -> None:
    commitment = commit(CONTEXT, DECK, KEY)
    opened = [commitment.open_position(position) for position in range(0, DECK_CARDS, 2)]
    published = msgspec.msgpack.encode([commitment.root, opened])
    assert opened[0].salt in published
    assert KEY not in published
    for position in range(1, DECK_CARDS, 2):
        assert commitment.open_position(position).salt not in published


def test_gen_08_a_sealed_neighbour_cannot_be_guessed_without_its_salt() -> None:
    """The nearest thing to a folded card in a proof is its leaf, which stands in the path of an opened neighbour.

    Every face with every published value as its salt misses that leaf. The salt itself finds it, so the search would have.
    """
    commitment = commit(CONTEXT, DECK, KEY)
    opened = [commitment.open_position(position) for position in range(0, 8, 2)]
    published = {commitment.root, bytes(32)} | {part for opening in opened for part in (opening.salt, *opening.path)}
    for opening in opened:
        sealed = commitment.open_position(opening.position + 1)
        assert faces_that_fit(commitment.root, sealed, {sealed.salt}) == {sealed.card}
        assert faces_that_fit(commitment.root, sealed, published) == set()


def faces_that_fit(root: bytes, sealed: Opening, salts: set[bytes]) -> set[int]:
    """Faces of a sealed position that one of the salts would explain; its path is known from its opened neighbour."""
    guesses = (msgspec.structs.replace(sealed, card=card, salt=salt) for card in range(DECK_CARDS) for salt in salts)
    return {guess.card for guess in guesses if verify_opening(root, CONTEXT, guess)}


def test_gen_08_a_log_line_shows_the_root_and_no_card() -> None:
    commitment = commit(CONTEXT, DECK, KEY)
    assert repr(commitment) == f"Commitment(root={commitment.root.hex()})"


# --- What is opened to whom -----------------------------------------------------------------------------------------------

BOARD = "Ah7d2cKs3h"
CARDS = ("AsAd", "KcKd", "QsQd", "JhJc")


def sealed_deal(words: str, cut_position: int = 20) -> tuple[Commitment, Hand, tuple[AnyEvent, ...]]:
    """A hand of four dealt from a sealed and cut deck, and its events, complete."""
    hand = deal([100] * 4, cards=CARDS, board=BOARD)
    back = DECK_CARDS - cut_position
    commitment = commit(CONTEXT, cut(hand.deck_order, back), KEY)
    assert cut(cut(hand.deck_order, back), cut_position) == hand.deck_order
    return commitment, hand, (*hand.take_events(), *play(hand, words))


def opened_to(viewer: int | None, words: str) -> set[int]:
    """Cards that the proof of a played hand opens to a viewer, each checked against the root."""
    commitment, _, events = sealed_deal(words)
    openings = open_seen_cards(commitment, [project(event, viewer) for event in events])
    assert all(verify_opening(commitment.root, CONTEXT, opening) for opening in openings)
    assert [opening.position for opening in openings] == sorted(opening.position for opening in openings)
    return {opening.card for opening in openings}


TO_THE_RIVER = "f c c k  k k k  k k k  k k k"  # Seat 3 folds; 1, 2 and 0 go to the showdown.


def test_gen_08_everybody_gets_the_board_and_each_player_the_own_cards_even_folded_ones() -> None:
    _, hand, events = sealed_deal(TO_THE_RIVER)
    board = {card for event in events if isinstance(event, BoardDealt) for card in event.cards}
    assert len(board) == 5
    assert opened_to(None, TO_THE_RIVER) == board
    for seat in range(4):
        assert opened_to(seat, TO_THE_RIVER) == board | set(hand.hole_cards(seat))


def test_gen_08_a_shown_hand_is_opened_to_all_and_a_mucked_one_to_nobody_else() -> None:
    words = TO_THE_RIVER + "  s m s"
    _, hand, events = sealed_deal(words)
    shown = {event.seat for event in events if isinstance(event, HandShown)}
    assert shown == {1, 0}
    for viewer in (None, 0, 1, 2, 3):
        opened = opened_to(viewer, words)
        for seat in range(4):
            may_see = seat in shown or seat == viewer
            assert opened.issuperset(hand.hole_cards(seat)) is may_see
            assert opened.isdisjoint(hand.hole_cards(seat)) is not may_see


def test_gen_08_nothing_is_opened_that_the_view_hides() -> None:
    _, _, events = sealed_deal("f f f")
    assert placed_cards([project(event, None) for event in events]) == ()
    assert len(placed_cards(event for event in events if isinstance(event, HoleCardsDealt))) == 8


# --- Vectors and the guide ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fields", VECTORS["deals"], ids=lambda fields: str(fields["name"]))
def test_gen_08_vectors_of_sealed_decks(fields: dict[str, str]) -> None:
    context = context_of(fields["context"])  # type: ignore[arg-type]
    commitment = commit(context, bytes.fromhex(fields["deck_order"]), bytes.fromhex(fields["key"]))
    assert commitment.root.hex() == fields["root"]
    for opening in fields["openings"]:
        assert commitment.open_position(opening["position"]) == opening_of(opening)  # type: ignore[index, arg-type]


@pytest.mark.parametrize("fields", VECTORS["refused"], ids=lambda fields: str(fields["name"]))
def test_gen_08_vectors_that_must_be_refused(fields: dict[str, dict[str, str]]) -> None:
    opening = opening_of(fields["opening"])  # type: ignore[arg-type]
    assert not verify_opening(bytes.fromhex(str(fields["root"])), context_of(fields["context"]), opening)


def test_gen_08_the_guides_worked_example_is_the_vector() -> None:
    fields = VECTORS["deals"][0]
    opening = next(opening for opening in fields["openings"] if opening["position"] == 7)
    example = GUIDE.partition("## Worked example")[2]
    assert set(re.findall(r"`([0-9a-f]{64})`", example)) >= {
        fields["key"],
        fields["context_hash"],
        fields["root"],
        opening["salt"],
        *opening["path"],
    }
    (written,) = re.findall(r"bytes after the context's tag \| `([0-9a-f ]+)`", example)
    tagged = b"homegame/deal-proof/1/context\x00" + bytes.fromhex(written)
    assert hashlib.sha256(tagged).hexdigest() == fields["context_hash"]
