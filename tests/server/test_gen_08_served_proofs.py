"""The verifiable deal over the contract: who gets which opening, and that a client catches a server that cheats (GEN-08).

Hands are really served: shuffled, sealed, cut, dealt and played over gRPC. Then the check of the SDK is given what a server that
cheats would have sent instead.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from homegame.v1 import catalog_service_pb2, hand_service_pb2, hands_pb2, night_service_pb2, table_service_pb2
from homegame.v1.catalog_pb2 import StepKind
from homegame.v1.events_pb2 import TableEvent
from homegame_client.deal_log import DealKey, DealLog, UnreadableDealError, check_file
from homegame_client.proof import Fault, Verdict
from homegame_engine.deal_proof import DealContext, commit
from homegame_engine.night import inputs as inp
from homegame_server.runtime.codec import decode_input
from tests.server.bot_night import play
from tests.server.game_night import open_table, play_hands, table_of
from tests.server.running_server import World, serving
from tests.server.table_client import (
    SeatedNight,
    TableClient,
    act_request,
    asks_for_cut,
    bearer,
    choose,
    cut,
    open_night,
    refusal,
    request_id,
    seat_night,
    watch,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

SPECTATOR = None
N_PLAYERS = 4
VIEWERS = (SPECTATOR, *range(N_PLAYERS))


@dataclass
class Served:
    """A night that was served, and what each viewer kept and could fetch of it."""

    night: SeatedNight
    events: dict[int | None, list[TableEvent]] = field(default_factory=dict)
    proofs: dict[int | None, dict[DealKey, hands_pb2.DealProof]] = field(default_factory=dict)
    decks: dict[DealKey, inp.SealDeck] = field(default_factory=dict)
    other_answers: dict[int | None, bytes] = field(default_factory=dict)
    """Everything else that the viewer can ask for."""
    own_cuts: dict[int, int] = field(default_factory=dict)
    """Position by action number."""

    def log(self, viewer: int | None, change: Callable[[TableEvent], None] | None = None) -> DealLog:
        """What the viewer kept, had the server sent `change`d events."""
        kept = DealLog(self.night.night_id, self.night.table_id)
        for sent in self.events[viewer]:
            event = TableEvent()
            event.CopyFrom(sent)
            if change is not None:
                change(event)
            kept.take(event)
            if event.HasField("action_required") and event.action_required.seat == viewer:
                position = self.own_cuts.get(event.action_required.action_number)
                if position is not None:
                    kept.note_own_cut(event.action_required.action_number, position)
        return kept

    def proof(self, viewer: int | None, key: DealKey) -> hands_pb2.DealProof:
        copy = hands_pb2.DealProof()
        copy.CopyFrom(self.proofs[viewer][key])
        return copy


async def serve_night(n_hands: int = 4, *, void_first: bool = True) -> Served:
    """Serve some hands, the first of them dealt twice, and collect everything."""
    world = World()
    chance = random.Random(4)  # noqa: S311 - repeated on purpose
    async with serving(world) as (_, client):
        night = await seat_night(client, N_PLAYERS, cutoff_in_ms=3_600_000)
        await open_night(client, night)
        served = Served(night)
        await _play_hands(client, world, served, chance, n_hands, void_first=void_first)
        for viewer in VIEWERS:
            token = night.token_of(viewer)
            last = await _last_number(client, night)
            served.events[viewer] = await _first(client, night, last, token)
            kept = served.log(viewer)
            served.other_answers[viewer] = await ask_for_everything(client, night, token)
            served.proofs[viewer] = {key: await fetch(client, night, key, token) for key in kept.over}
        for row in await world.journal.read(night.night_id):
            given = decode_input(row.input)
            if isinstance(given, inp.SealDeck):
                key = next(key for key in served.proofs[None] if served.proofs[None][key].root == given.root)
                served.decks[key] = given
    return served


async def _play_hands(
    client: TableClient, world: World, served: Served, chance: random.Random, n_hands: int, *, void_first: bool
) -> None:
    night = served.night
    must_void = void_first
    async for event in watch(client, night):
        match event.WhichOneof("event"):
            case "action_required" if asks_for_cut(event.action_required):
                required = event.action_required
                if chance.random() < 0.2:  # Nobody answers: the server draws.
                    world.clock.advance(10_000)
                    continue
                position = chance.randint(1, 51)
                await cut(client, night, required, position)
                served.own_cuts[required.action_number] = position
            case "action_required" if must_void:
                must_void = False
                void = night_service_pb2.VoidHandRequest(
                    request_id=request_id(), hand_number=1, reason="A card fell", **night.ids
                )
                await client.nights.VoidHand(void, metadata=bearer(night.host_token))
                world.clock.advance(world.limits.hand_pause_ms)
            case "action_required":
                required = event.action_required
                request = act_request(night, required.action_number, choose(required.legal, chance))
                await client.play.Act(request, metadata=bearer(night.token_of(required.seat)))
            case "hand_ended" if event.hand_ended.hand_number >= n_hands:
                return
            case "button_placed":
                world.clock.advance(world.limits.hand_pause_ms)


async def _last_number(client: TableClient, night: SeatedNight) -> int:
    view = await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids))
    return int(view.table.last_number)


async def _first(client: TableClient, night: SeatedNight, n_events: int, token: str) -> list[TableEvent]:
    events: list[TableEvent] = []
    async for event in watch(client, night, token=token):
        events.append(event)
        if event.number == n_events:
            break
    return events


async def ask_for_everything(client: TableClient, night: SeatedNight, token: str) -> bytes:
    """The bytes of every answer about the table but its events and proofs."""
    metadata = bearer(token)
    answers: list[Message] = [
        await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids), metadata=metadata),
        await client.nights.GetScoresheet(night_service_pb2.GetScoresheetRequest(**night.ids), metadata=metadata),
        await client.nights.GetNight(night_service_pb2.GetNightRequest(night_id=night.night_id), metadata=metadata),
    ]
    listed = await client.hands.ListHands(hand_service_pb2.ListHandsRequest(**night.ids), metadata=metadata)
    for summary in listed.hands:
        asked: dict[str, Any] = {"hand_number": summary.hand_number, **night.ids}
        answers.append(await client.hands.GetHand(hand_service_pb2.GetHandRequest(**asked), metadata=metadata))
        for export in hands_pb2.ExportFormat.values()[1:]:
            request = hand_service_pb2.ExportHandRequest(format=export, **asked)
            answers.append(await client.hands.ExportHand(request, metadata=metadata))
    return b"".join(answer.SerializeToString() for answer in (listed, *answers))


async def fetch(client: TableClient, night: SeatedNight, key: DealKey, token: str) -> hands_pb2.DealProof:
    request = hand_service_pb2.GetDealProofRequest(**key._asdict(), **night.ids)
    proof: hands_pb2.DealProof = (await client.hands.GetDealProof(request, metadata=bearer(token))).proof
    return proof


@pytest.fixture(scope="module")
def served() -> Served:
    """One night for all tests that only look."""
    return asyncio.run(serve_night())


# --- What is opened to whom -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: "spectator" if viewer is None else f"seat{viewer}")
def test_gen_08_every_deal_of_a_served_night_holds_for_every_viewer(served: Served, viewer: int | None) -> None:
    kept = served.log(viewer)
    assert list(kept.over) == [DealKey(1, 1), *(DealKey(n, 2 if n == 1 else 1) for n in range(1, 5))]
    for key in kept.over:
        verdict = kept.check(key, served.proof(viewer, key))
        assert verdict.holds, verdict.findings
        seen = {card for event in deal_events(served, viewer, key) for card in cards_of(event) if card}
        assert {one.card for one in served.proof(viewer, key).openings} == seen
        assert verdict.cards_checked == len(seen)


def test_proc_shuf_02_somebodys_own_cut_and_the_servers_are_both_in_the_night(served: Served) -> None:
    by_clock = [event.deck_cut.by_clock for event in served.events[SPECTATOR] if event.HasField("deck_cut")]
    assert len(by_clock) == 5
    proofs = served.proofs[SPECTATOR].values()
    assert [proof.by_clock for proof in sorted(proofs, key=lambda proof: proof.root_number)] == by_clock
    assert served.own_cuts


def test_gen_08_a_proof_names_what_was_published(served: Served) -> None:
    for key, proof in served.proofs[SPECTATOR].items():
        sealed, was_cut = (
            served.events[SPECTATOR][proof.root_number - 1],
            served.events[SPECTATOR][proof.cut_number - 1],
        )
        assert (sealed.deck_sealed.hand_number, sealed.deck_sealed.attempt) == key
        assert sealed.deck_sealed.root == proof.root
        assert was_cut.deck_cut.position == proof.cut_position
        assert proof.version == 1


def test_proc_shuf_01_each_deal_has_its_own_shuffle_key_and_root(served: Served) -> None:
    decks = list(served.decks.values())
    assert len({deck.key for deck in decks}) == len({deck.root for deck in decks}) == len(decks) == 5
    assert len({deck.deck_order for deck in decks}) == 5


def test_gen_08_folded_and_mucked_cards_are_opened_to_their_own_seat_only(served: Served) -> None:
    n_folded = 0
    for key in served.decks:
        for seat in range(N_PLAYERS):
            own = {card for event in deal_events(served, seat, key) for card in hole_cards(event, seat)}
            shown = {card for event in deal_events(served, seat, key) for card in event.hand_shown.cards}
            board = {card for event in deal_events(served, seat, key) for card in event.board_dealt.cards}
            assert own <= {one.card for one in served.proof(seat, key).openings}
            for other in set(VIEWERS) - {seat}:
                opened = {one.card for one in served.proof(other, key).openings}
                assert not opened & (own - shown - board)
            n_folded += bool(own - shown)
    assert n_folded > N_PLAYERS


def test_gen_08_no_byte_that_leaves_the_server_holds_a_folded_cards_salt(served: Served) -> None:
    """Streams, views, hands, exports, sheets and proofs hold the salts of what is opened and no other, and never the key."""
    everything = {
        viewer: served.other_answers[viewer]
        + b"".join(event.SerializeToString() for event in served.events[viewer])
        + b"".join(proof.SerializeToString() for proof in served.proofs[viewer].values())
        for viewer in VIEWERS
    }
    for key, deck in served.decks.items():
        sealed = commit(
            DealContext(night_id=served.night.night_id, table_id=served.night.table_id, **key._asdict()),
            deck.deck_order,
            deck.key,
        )
        salts = {opening.card: opening.salt for opening in map(sealed.open_position, range(52))}
        for viewer, sent in everything.items():
            opened = {one.card - 1 for one in served.proof(viewer, key).openings}
            assert {card for card, salt in salts.items() if salt in sent} == opened
            assert deck.key not in sent
            assert deck.deck_order not in sent


async def test_gen_08_nothing_is_opened_while_the_deal_runs() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=3_600_000)
        await open_night(client, night)
        request = hand_service_pb2.GetDealProofRequest(hand_number=1, **night.ids)
        assert (await refusal(client.hands.GetDealProof(request))).reason == "NOT_FOUND"
        await play(client, night, world, n_actions_max=0)
        for token in ("", night.host_token, *(player.token for player in night.players)):
            for attempt in (None, 1):
                request = hand_service_pb2.GetDealProofRequest(hand_number=1, attempt=attempt, **night.ids)
                refused = await refusal(client.hands.GetDealProof(request, metadata=bearer(token)))
                assert (refused.reason, refused.metadata["rule_id"]) == ("HAND_IN_PROGRESS", "GEN-08")
        request = hand_service_pb2.GetDealProofRequest(hand_number=1, attempt=2, **night.ids)
        assert (await refusal(client.hands.GetDealProof(request))).reason == "NOT_FOUND"


async def test_gen_08_a_void_deal_can_be_checked_at_once_and_a_deck_nobody_cut_shows_its_root() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 2, cutoff_in_ms=15_000, cut_window_ms=600_000)
        await open_night(client, night)
        await play(client, night, world, n_actions_max=0)
        void = night_service_pb2.VoidHandRequest(
            request_id=request_id(), hand_number=1, reason="A card fell", **night.ids
        )
        await client.nights.VoidHand(void, metadata=bearer(night.host_token))
        proof = await fetch(client, night, DealKey(1, 1), night.token_of(0))
        assert len(proof.openings) == 2
        world.clock.advance(1000)  # The redeal is sealed, and nobody cuts before the cutoff.
        kinds = []
        async for event in watch(client, night):
            kinds.append(event.WhichOneof("event"))
            if kinds[-1] == "deck_sealed" and event.deck_sealed.attempt == 2:
                world.clock.advance(20_000)
            if kinds[-1] == "session_finished":
                break
        assert kinds.count("hand_starting") == 1
        proof = await fetch(client, night, DealKey(1, 2), "")
        assert (proof.HasField("cut_position"), proof.cut_number, len(proof.openings), len(proof.root)) == (
            False,
            0,
            0,
            32,
        )


async def test_a_proof_is_the_same_after_a_restart_and_on_another_server() -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await seat_night(client, 3, cutoff_in_ms=3_600_000)
        await open_night(client, night)
        await play(client, night, world, n_actions_max=40)
        token = night.token_of(1)
        first = await fetch(client, night, DealKey(1, 1), token)
    async with serving(world) as (_, client):
        assert await fetch(client, night, DealKey(1, 1), token) == first
    assert first.openings


# --- A server that cheats -------------------------------------------------------------------------------------------------


def showdown_key(served: Served) -> DealKey:
    """A deal in which everybody saw a board."""
    return next(key for key, proof in served.proofs[SPECTATOR].items() if len(proof.openings) >= 3)


def judge(
    served: Served,
    viewer: int | None,
    key: DealKey,
    *,
    proof: hands_pb2.DealProof | None = None,
    change: Callable[[TableEvent], None] | None = None,
) -> Verdict:
    return served.log(viewer, change).check(key, proof or served.proof(viewer, key))


def test_gen_08_a_card_swapped_after_the_seal_is_caught(served: Served) -> None:
    key = showdown_key(served)
    shown = next(event for event in deal_events(served, SPECTATOR, key) if event.HasField("board_dealt"))
    real = shown.board_dealt.cards[0]
    other = next(one.card for one in served.proof(0, key).openings if one.card not in shown.board_dealt.cards)

    def swap(event: TableEvent) -> None:
        if event.number == shown.number:
            event.board_dealt.cards[0] = other

    assert Fault.CARD_DIFFERS in judge(served, SPECTATOR, key, change=swap).faults
    # A proof that goes along with the lie leads to another root.
    proof = served.proof(SPECTATOR, key)
    next(one for one in proof.openings if one.card == real).card = other
    assert Fault.OPENING_NOT_COMMITTED in judge(served, SPECTATOR, key, proof=proof, change=swap).faults


def test_gen_08_a_changed_salt_is_caught(served: Served) -> None:
    key = showdown_key(served)
    proof = served.proof(SPECTATOR, key)
    proof.openings[0].salt = proof.openings[0].salt[:-1] + bytes([proof.openings[0].salt[-1] ^ 1])
    assert judge(served, SPECTATOR, key, proof=proof).faults == {Fault.OPENING_NOT_COMMITTED}


def test_proc_shuf_02_an_ignored_cut_is_caught(served: Served) -> None:
    """The server says that it was cut elsewhere than it dealt from, and proves the cards that it dealt."""
    key = showdown_key(served)

    def ignore(event: TableEvent) -> None:
        if event.HasField("deck_cut"):
            event.deck_cut.position = event.deck_cut.position % 51 + 1

    for viewer in VIEWERS:
        faults = judge(served, viewer, key, change=ignore).faults
        assert faults & {Fault.CARD_OUT_OF_PLACE, Fault.OPENING_MISSING, Fault.CARD_DIFFERS}
    # The cutter also knows what position was sent.
    cutter = next(
        event.deck_cut.seat
        for event in served.events[None]
        if event.HasField("deck_cut") and not event.deck_cut.by_clock
    )
    own = next(
        key
        for key in served.decks
        for event in served.events[None]
        if event.number == served.proofs[None][key].cut_number
        and event.deck_cut.seat == cutter
        and not event.deck_cut.by_clock
    )
    assert Fault.CUT_CHANGED in judge(served, cutter, own, change=ignore).faults


def test_gen_08_a_replayed_commitment_is_caught(served: Served) -> None:
    keys = list(served.decks)
    for key in keys[1:]:
        old = served.proof(SPECTATOR, keys[0])

        def replay(event: TableEvent, key: DealKey = key, old: hands_pb2.DealProof = old) -> None:
            if event.HasField("deck_sealed") and (event.deck_sealed.hand_number, event.deck_sealed.attempt) == key:
                event.deck_sealed.root = old.root

        faults = judge(served, SPECTATOR, key, change=replay).faults
        assert Fault.ROOT_REUSED in faults
        # Openings of the old deal do not open this one either.
        seen_again = judge(served, SPECTATOR, key, change=replay, proof=old).faults
        assert Fault.ROOT_REUSED in seen_again
        assert not old.openings or Fault.OPENING_NOT_COMMITTED in seen_again


def test_gen_08_a_root_that_comes_after_the_cut_is_caught(served: Served) -> None:
    key = showdown_key(served)

    def late(event: TableEvent) -> None:
        if event.HasField("deck_sealed"):
            event.number += 10

    assert Fault.ROOT_AFTER_CUT in judge(served, SPECTATOR, key, change=late).faults


def test_gen_08_somebody_added_after_the_seal_is_caught(served: Served) -> None:
    key = showdown_key(served)

    def shift(event: TableEvent) -> None:
        if event.HasField("hand_starting"):
            event.hand_starting.button = (event.hand_starting.button + 1) % N_PLAYERS

    assert Fault.SEATS_CHANGED in judge(served, SPECTATOR, key, change=shift).faults


def test_gen_08_a_card_that_is_not_opened_and_one_too_many_are_caught(served: Served) -> None:
    key = showdown_key(served)
    proof = served.proof(SPECTATOR, key)
    del proof.openings[0]
    assert judge(served, SPECTATOR, key, proof=proof).faults == {Fault.OPENING_MISSING}
    assert (
        Fault.OPENED_UNSEEN in judge(served, SPECTATOR, key, proof=served.proof(folded_seat(served, key), key)).faults
    )


# --- A deal in a file -----------------------------------------------------------------------------------------------------


def test_a_written_deal_holds_and_a_changed_file_does_not(served: Served) -> None:
    key = showdown_key(served)
    for viewer in VIEWERS:
        text = served.log(viewer).file_text(key, served.proof(viewer, key))
        deal, verdict = check_file(text)
        assert (deal.hand_number, deal.attempt) == key
        assert verdict.holds
        content = json.loads(text)
        content["proof"]["openings"][0]["position"] = (content["proof"]["openings"][0].get("position", 0) + 1) % 52
        assert not check_file(json.dumps(content))[1].holds
        content = json.loads(text)
        content["cut"]["deck_cut"]["position"] = content["cut"]["deck_cut"]["position"] % 51 + 1
        assert not check_file(json.dumps(content))[1].holds


@pytest.mark.parametrize(
    "path", [("night_id",), ("table_id",), ("own_cut",), ("events", 0), ("sealed", "deck_sealed", "attempt")]
)
@pytest.mark.parametrize("value", [None, -1, 1 << 70, 1.5, [], {}, "\ud800"])
def test_whatever_stands_in_a_written_deal_it_is_judged_or_refused(
    served: Served, path: tuple[str | int, ...], value: object
) -> None:
    key = showdown_key(served)
    content = json.loads(served.log(SPECTATOR).file_text(key, served.proof(SPECTATOR, key)))
    *way, last = path
    inner = content
    for step in way:
        inner = inner[step]
    inner[last] = value
    try:
        _, verdict = check_file(json.dumps(content))
    except UnreadableDealError:
        return
    assert path == ("own_cut",) or not verdict.holds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "7",
        '{"kind":"homegame.deal","version":2}',
        '{"kind":"homegame.deal","version":1}',
        "[" * 100_000,
    ],
)
def test_a_file_that_holds_no_deal_is_said_to_be_none(text: str) -> None:
    with pytest.raises(UnreadableDealError):
        check_file(text)


# --- Reading events -------------------------------------------------------------------------------------------------------


def deal_events(served: Served, viewer: int | None, key: DealKey) -> list[TableEvent]:
    """The viewer's events of a deal."""
    proof = served.proofs[viewer][key]
    events = served.events[viewer][proof.root_number - 1 :]
    last = next(i for i, event in enumerate(events) if event.WhichOneof("event") in ("hand_ended", "hand_voided"))
    return events[: last + 1]


def cards_of(event: TableEvent) -> list[int]:
    return [*event.hole_cards_dealt.cards, *event.board_dealt.cards, *event.hand_shown.cards]


def hole_cards(event: TableEvent, seat: int) -> list[int]:
    is_own = event.HasField("hole_cards_dealt") and event.hole_cards_dealt.seat == seat
    return list(event.hole_cards_dealt.cards) if is_own else []


def folded_seat(served: Served, key: DealKey) -> int:
    shown = {event.hand_shown.seat for event in deal_events(served, None, key) if event.HasField("hand_shown")}
    return next(seat for seat in range(N_PLAYERS) if seat not in shown)


# --- What is announced with the root ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game_id", "house_id", "burns", "folded_hands_get_cards"),
    [
        ("HOLDEM", "CASH_NIGHT", [3, 1, 1], False),
        ("HOLDEM", "POINTS_NIGHT", [1, 1, 1], False),
        ("STUD5", "CLUB", [1, 1, 1], True),
        ("FIVE_CARD_DRAW", "CLUB", [], True),
    ],
)
async def test_card_07_the_steps_of_the_deal_come_with_the_root_and_burns_have_the_house_s_number(
    game_id: str, house_id: str, burns: list[int], *, folded_hands_get_cards: bool
) -> None:
    world = World()
    async with serving(world) as (_, client):
        night = await open_table(client, table_of(game_id, house_id), 2)
        played = await play_hands(client, world, night, 1, until=lambda event: event.HasField("deck_sealed"))
        shown = await client.catalog.GetGame(catalog_service_pb2.GetGameRequest(game_id=game_id))
    sealed = played.events[-1].deck_sealed
    assert [step.kind for step in sealed.steps] == [step.kind for step in shown.game.steps]
    assert [step.count for step in sealed.steps if step.kind == StepKind.STEP_KIND_BURN] == burns
    assert sealed.folded_hands_get_cards is folded_hands_get_cards
