"""GEN-08, PROC-FAIR-02: the vectors of whole deals say what the SDK's check says, and are what their generator writes."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from homegame_client.deal_log import check_file
from homegame_engine import catalog, deal_proof
from homegame_engine.game_checks import mix_orders_needed
from tests.clients import deal_vectors
from tests.clients.written_deals import Told, WrittenDeal, deal_context
from tests.game_hands import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

VECTORS: dict[str, Any] = json.loads(deal_vectors.FILE.read_text(encoding="ascii"))
PLAIN = deal_vectors.FILE.with_name("vectors.json")
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "deal-proof.md"
FILES = {deal["name"]: deal["file"] for deal in VECTORS["deals"]}


def edited(case: Mapping[str, Any]) -> dict[str, Any]:
    """The file of a case: each edit sets the value at a path, appends it, puts it in between, or takes it away."""
    file: dict[str, Any] = copy.deepcopy(FILES[case["of"]])
    for edit in case["edits"]:
        *way, last = edit["at"]
        place: Any = file
        for step in way:
            place = place[step]
        if "insert" in edit:
            place.insert(last, edit["insert"])
        elif "to" not in edit:
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(edit["to"])
        else:
            place[last] = edit["to"]
    return file


def faults_of(file: Mapping[str, Any]) -> list[str]:
    _, verdict = check_file(json.dumps(file))
    assert verdict.holds is (not verdict.findings)
    return sorted(verdict.faults)


@pytest.mark.parametrize("deal", VECTORS["deals"], ids=lambda deal: str(deal["name"]))
def test_proc_fair_02_the_client_says_of_a_deal_what_its_vector_says(deal: Mapping[str, Any]) -> None:
    assert faults_of(deal["file"]) == deal["faults"]


@pytest.mark.parametrize("case", VECTORS["tampered"], ids=lambda case: str(case["name"]))
def test_gen_08_the_client_says_of_a_tampered_deal_what_its_vector_says(case: Mapping[str, Any]) -> None:
    file = edited(case)
    assert file != FILES[case["of"]]
    assert faults_of(file) == case["faults"]


@pytest.mark.parametrize("deal", VECTORS["deals"], ids=lambda deal: str(deal["name"]))
def test_gen_08_what_was_published_commits_to_the_secret_of_the_vector(deal: Mapping[str, Any]) -> None:
    """Whoever has key, deck and orders, as the journal has them, can compute both roots (CARD-06)."""
    secret = {name: bytes.fromhex(value) for name, value in deal["secret"].items()}
    sealed = deal["file"]["sealed"]["deck_sealed"]
    context = deal_context(len(secret["deck_order"]), sealed["attempt"])
    mix_root = deal_proof.commit_mixes(context, secret["mix_orders"], secret["key"])
    assert mix_root == base64.b64decode(sealed.get("mix_root", ""))
    if "CARD_TWICE" not in deal["faults"]:
        commitment = deal_proof.commit(context, secret["deck_order"], secret["key"])
        assert commitment.root == base64.b64decode(sealed["root"])


@pytest.mark.parametrize("game_id", sorted(catalog.games()))
def test_proc_fair_02_an_honest_deal_of_any_game_holds_at_a_full_table_of_any_who_watch(game_id: str) -> None:
    """No false alarm: reshuffles, common cards, passes and hands that fold and get cards all the same (GAME-ST-11)."""
    game = catalog.game(game_id)
    for n_seats in (game.players.max, game.players.min):
        n_mixes = mix_orders_needed(game, n_seats, rules_of("CLUB").burns, keeps_last_card=False)
        for folds in (frozenset[int](), frozenset({0})):
            name = f"{game_id} {n_seats} {len(folds)}"
            for viewer in (None, n_seats - 1):
                how = Told(
                    name=name,
                    game=game_id,
                    viewer=viewer,
                    n_seats=n_seats,
                    cut_position=7,
                    folds=folds,
                    n_mixes=n_mixes,
                )
                assert faults_of(WrittenDeal(how).file) == [], how


def test_card_06_the_guide_prints_the_root_of_the_mixes() -> None:
    context = deal_proof.DealContext(night_id="night-1", table_id="table-1", hand_number=1, attempt=1)
    (plain,) = (deal for deal in json.loads(PLAIN.read_text(encoding="ascii"))["deals"] if deal["name"] == "plain")
    upwards = bytes(range(52))
    guide = GUIDE.read_text(encoding="utf-8")
    for orders in (upwards, upwards + upwards[::-1]):
        assert deal_proof.commit_mixes(context, orders, bytes.fromhex(plain["key"])).hex() in guide


def test_the_vectors_are_what_their_generator_writes() -> None:
    assert deal_vectors.FILE.read_text(encoding="ascii") == deal_vectors.text()
