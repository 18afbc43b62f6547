"""Hidden stays hidden: two nights that differ only in cards a viewer may not see look the same to that viewer, byte for byte.

A first night is played by bots that choose by what everybody sees. Then, for each viewer, a second night is played with the
same ids, clock and chance, in which every card that this viewer did not get to see lies elsewhere: other people's hole cards,
mucked hands, burns and the rest of the deck. Streams, views, replies, refusals, hands, exports, proofs and sheets must be equal
bytes. The port of the commitments holds a constant meanwhile; a test of its own shows that they hide (GEN-08).
"""

from __future__ import annotations

import random
import uuid
from typing import TYPE_CHECKING, Any

import grpc
import msgspec
import pytest

from homegame.v1 import (
    actions_pb2,
    hand_service_pb2,
    hands_pb2,
    night_service_pb2,
    play_service_pb2,
    table_service_pb2,
)
from homegame.v1.views_pb2 import HandPhase
from homegame_engine.cards import full_deck
from homegame_engine.deal_proof import DealContext
from homegame_engine.events import BoardDealt
from homegame_server.runtime.deal_proof import DealSealer, MerkleSealer, SealedWith
from tests.server.running_server import World, serving
from tests.server.scripted_entropy import ScriptedEntropy
from tests.server.table_client import (
    NAMING,
    Player,
    SeatedNight,
    TableClient,
    act_request,
    asks_for_cut,
    bearer,
    choose,
    own_cards,
    read_refusal,
    refusal,
    watch,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from google.protobuf.message import Message

    from homegame.v1 import events_pb2
    from homegame_engine.deal_proof import Opening
    from homegame_engine.events import AnyEvent

N_PLAYERS = 4
N_HANDS = 8
SPECTATOR = None
IN_A_HAND = (HandPhase.HAND_PHASE_SHOWDOWN, HandPhase.HAND_PHASE_CHOOSING)
VIEWERS = [SPECTATOR, *range(N_PLAYERS)]


def decks(seed: int, deck: bytes = full_deck(), n_hands: int = N_HANDS) -> list[bytes]:
    chance = random.Random(seed)  # noqa: S311 - repeated on purpose
    return [bytes(chance.sample(deck, len(deck))) for _ in range(n_hands + 2)]


class Ids:
    """Request ids that are the same in both nights."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - repeated on purpose

    def __call__(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128), version=4))


class Record:
    """Every byte that one viewer gets, in order, and the cards among them by hand."""

    def __init__(self) -> None:
        self.bytes: list[tuple[str, bytes]] = []
        self.seen_cards: dict[int, set[int]] = {}

    def note(self, name: str, message: Message) -> None:
        self.bytes.append((name, message.SerializeToString(deterministic=True)))


async def seat(client: TableClient, ids: Ids, table: night_service_pb2.TableSettings | None = None) -> SeatedNight:
    created = await client.nights.CreateNight(
        night_service_pb2.CreateNightRequest(
            request_id=ids(),
            name="Secret",
            format_id="" if table is not None else "B1",
            table=table,
            cutoff_in_ms=86_400_000,
            seats=N_PLAYERS,
        )
    )
    night = SeatedNight(created.night_id, created.table_ids[0], created.host_token)
    for number in range(N_PLAYERS):
        joined = await client.tables.JoinTable(
            table_service_pb2.JoinTableRequest(request_id=ids(), display_name=f"P{number}", **night.ids)
        )
        metadata = bearer(joined.participant_token)
        taken = await client.tables.TakeSeat(
            table_service_pb2.TakeSeatRequest(request_id=ids(), **night.ids), metadata=metadata
        )
        night.players.append(Player(joined.participant_id, joined.participant_token, taken.seat))
    await client.nights.RecordReadAloud(
        night_service_pb2.RecordReadAloudRequest(request_id=ids(), night_id=night.night_id),
        metadata=bearer(night.host_token),
    )
    return night


async def look(client: TableClient, night: SeatedNight, viewer: int | None, record: Record, ids: Ids) -> None:
    """Ask for everything that can be asked during a hand, and provoke refusals."""
    metadata = bearer(night.token_of(viewer))
    view = await client.tables.GetTable(table_service_pb2.GetTableRequest(**night.ids), metadata=metadata)
    record.note("view", view)
    fold = actions_pb2.PlayerAction(fold=actions_pb2.Fold())
    for number in (view.table.action_number - 1, view.table.action_number):
        if viewer is SPECTATOR or (view.table.may_act and viewer in view.table.may_act):
            continue
        request = act_request(night, max(1, number), fold, request_id=ids())
        refused = await refusal(client.play.Act(request, metadata=metadata))
        record.bytes.append((f"refusal {refused.reason}", refused.status))
    running = hand_service_pb2.GetHandRequest(hand_number=view.table.hand_number, **night.ids)
    if view.table.hand_phase in (HandPhase.HAND_PHASE_BETTING, *IN_A_HAND):
        refused = await refusal(client.hands.GetHand(running, metadata=metadata))
        record.bytes.append((f"refusal {refused.reason}", refused.status))
    # The proof of the hand in play, or of the last one.
    try:
        proof = await client.hands.GetDealProof(
            hand_service_pb2.GetDealProofRequest(hand_number=max(1, view.table.hand_number), **night.ids),
            metadata=metadata,
        )
        record.note("proof", proof)
    except grpc.aio.AioRpcError as error:
        refused = read_refusal(error)
        record.bytes.append((f"refusal {refused.reason}", refused.status))


async def play_hands(
    client: TableClient,
    night: SeatedNight,
    world: World,
    records: dict[int | None, Record],
    ids: Ids,
    n_hands: int = N_HANDS,
) -> int:
    """Play with bots that see what everybody sees; every viewer of `records` looks after every action.

    Of their own cards they name some by where they lie, whatever their faces.
    """
    chance = random.Random(11)  # noqa: S311 - repeated on purpose
    n_ended = 0
    stream = watch(client, night)
    async for event in stream:
        match event.WhichOneof("event"):
            case "action_required":
                for viewer, record in records.items():
                    await look(client, night, viewer, record, Ids(2))
                required = event.action_required
                delays = (200, 9_999, 10_000) if asks_for_cut(required) else (200, 900, 4_000, 29_999, 29_999, 30_000)
                world.clock.advance(chance.choice(delays))
                if world.clock.now_ms() >= required.deadline_at_ms:
                    continue  # The clock acts.
                names_cards = any(kind in NAMING for kind in required.legal.kinds)
                own = await own_cards(client, night, required.seat) if names_cards else ()
                action = choose(required.legal, chance, own)
                request = act_request(night, required.action_number, action, request_id=ids())
                reply: play_service_pb2.ActResponse = await client.play.Act(
                    request, metadata=bearer(night.token_of(required.seat))
                )
                for record in records.values():
                    record.note("act", reply)
            case "hand_ended":
                n_ended += 1
                if n_ended == n_hands:
                    break
            case "button_placed" | "pot_carried":
                world.clock.advance(world.limits.hand_pause_ms)
            case "session_finished":
                break
    await aclose(stream)
    return event.number


async def aclose(stream: AsyncIterator[Any]) -> None:
    await stream.aclose()  # type: ignore[attr-defined]


async def read_back(client: TableClient, night: SeatedNight, viewer: int | None, record: Record, last: int) -> None:
    """Read the stream from the beginning, raw and event by event, and everything about finished hands."""
    metadata = bearer(night.token_of(viewer))
    channel: Any = client.channel
    raw = channel.unary_stream(
        "/homegame.v1.TableService/WatchTable",
        request_serializer=table_service_pb2.WatchTableRequest.SerializeToString,
        response_deserializer=None,
    )(table_service_pb2.WatchTableRequest(**night.ids), metadata=metadata)
    number, hand = 0, 0
    while number < last:
        data: bytes = await raw.read()
        frame = table_service_pb2.WatchTableResponse.FromString(data)
        record.bytes.append(("frame", data))
        number = frame.last_number
        for event in frame.events:
            hand = event.hand_starting.hand_number or hand
            record.seen_cards.setdefault(hand, set()).update(cards_in(event))
    raw.cancel()
    listed = await client.hands.ListHands(hand_service_pb2.ListHandsRequest(**night.ids), metadata=metadata)
    record.note("hands", listed)
    for summary in listed.hands:
        request = hand_service_pb2.GetHandRequest(hand_number=summary.hand_number, **night.ids)
        record.note("hand", await client.hands.GetHand(request, metadata=metadata))
        for export in hands_pb2.ExportFormat.values()[1:]:
            export_request = hand_service_pb2.ExportHandRequest(
                hand_number=summary.hand_number, format=export, **night.ids
            )
            try:
                record.note("export", await client.hands.ExportHand(export_request, metadata=metadata))
            except grpc.aio.AioRpcError as error:  # The hand history format does not know every game.
                record.bytes.append(("refusal of an export", read_refusal(error).status))
        proof_request = hand_service_pb2.GetDealProofRequest(hand_number=summary.hand_number, **night.ids)
        record.note("proof", await client.hands.GetDealProof(proof_request, metadata=metadata))
    record.note("sheet", await client.nights.GetScoresheet(night_service_pb2.GetScoresheetRequest(**night.ids)))
    record.note("night", await client.nights.GetNight(night_service_pb2.GetNightRequest(night_id=night.night_id)))


def cards_in(event: events_pb2.TableEvent) -> set[int]:
    """Codes of the cards that an event shows."""
    cards = [
        *event.hole_cards_dealt.cards,
        *event.up_cards_dealt.cards,
        *event.board_dealt.cards,
        *event.hand_shown.cards,
        *event.choice_made.cards,
        *event.cards_drawn.discarded,
        *event.cards_drawn.cards,
        *event.cards_passed.cards,
        event.common_card_dealt.card,
    ]
    return {card - 1 for card in cards if card}


class ConstantSealer(DealSealer):
    """Roots, salts and paths that are the same whatever is sealed; which cards are opened stays the engine's to say."""

    def seal(self, context: DealContext, deck_order: bytes, mix_orders: bytes = b"") -> SealedWith:
        del context, deck_order
        return SealedWith(key=bytes(32), root=bytes(32), mix_root=bytes(32) if mix_orders else b"")

    def open_seen(
        self, context: DealContext, deck_order: bytes, key: bytes, projected: Iterable[AnyEvent]
    ) -> tuple[Opening, ...]:
        opened = MerkleSealer().open_seen(context, deck_order, key, projected)
        return tuple(msgspec.structs.replace(one, salt=bytes(32), path=(bytes(32),) * 6) for one in opened)


def world_of(script: list[bytes], sealer: DealSealer | None = None) -> World:
    """A world with these decks, and nothing in it that tells two deals apart but their cards."""
    return World(entropy=ScriptedEntropy(seed=3, decks=script), sealer=sealer or ConstantSealer())


async def run(
    script: list[bytes],
    viewers: list[int | None],
    sealer: DealSealer | None = None,
    table: night_service_pb2.TableSettings | None = None,
    n_hands: int = N_HANDS,
) -> dict[int | None, Record]:
    """Play one night with these decks and record what the viewers get."""
    world = world_of(script, sealer)
    records: dict[int | None, Record] = {viewer: Record() for viewer in viewers}
    async with serving(world) as (_, client):
        ids = Ids(1)
        night = await seat(client, ids, table)
        await open_night(client, night, ids)
        last = await play_hands(client, night, world, records, ids, n_hands)
        for viewer, record in records.items():
            await read_back(client, night, viewer, record, last)
    return records


async def open_night(client: TableClient, night: SeatedNight, ids: Ids) -> None:
    await client.nights.OpenNight(
        night_service_pb2.OpenNightRequest(request_id=ids(), night_id=night.night_id),
        metadata=bearer(night.host_token),
    )


def hide_elsewhere(script: list[bytes], seen: dict[int, set[int]], seed: int) -> list[bytes]:
    """Deal every card that was not seen to another place among the places of such cards."""
    chance = random.Random(seed)  # noqa: S311 - repeated on purpose
    moved = []
    for hand, deck in enumerate(script, start=1):
        hidden = [place for place, card in enumerate(deck) if card not in seen.get(hand, set())]
        cards = [deck[place] for place in hidden]
        chance.shuffle(cards)
        other = bytearray(deck)
        for place, card in zip(hidden, cards, strict=True):
            other[place] = card
        moved.append(bytes(other))
    return moved


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: "spectator" if viewer is None else f"seat{viewer}")
async def test_cards_one_may_not_see_change_no_byte_one_gets(viewer: int | None) -> None:
    script = decks(seed=21)
    first = (await run(script, [viewer]))[viewer]
    other_script = hide_elsewhere(script, first.seen_cards, seed=22)
    assert all(a != b for a, b in zip(script, other_script, strict=True))
    second = (await run(other_script, [viewer]))[viewer]
    assert [name for name, _ in first.bytes] == [name for name, _ in second.bytes]
    for (name, data), (_, other) in zip(first.bytes, second.bytes, strict=True):
        assert data == other, name
    names = {name for name, _ in first.bytes}
    assert {"view", "act", "frame", "hand", "export", "proof", "sheet", "refusal HAND_IN_PROGRESS"} <= names
    if viewer is not SPECTATOR:
        assert {"refusal OUT_OF_TURN", "refusal STALE_ACTION"} <= names


async def test_the_comparison_notices_a_card_that_is_not_hidden() -> None:
    # The same two scripts seen by somebody else differ: the test above can fail.
    script = decks(seed=21)
    first = await run(script, VIEWERS)
    other_script = hide_elsewhere(script, first[SPECTATOR].seen_cards, seed=22)
    second = await run(other_script, VIEWERS)
    assert first[SPECTATOR].bytes == second[SPECTATOR].bytes
    for seat_number in range(N_PLAYERS):
        assert first[seat_number].bytes != second[seat_number].bytes


async def test_the_night_that_is_compared_has_shown_mucked_and_folded_hands() -> None:
    record = (await run(decks(seed=21), [SPECTATOR]))[SPECTATOR]
    frames = [table_service_pb2.WatchTableResponse.FromString(data) for name, data in record.bytes if name == "frame"]
    kinds = {event.WhichOneof("event") for frame in frames for event in frame.events}
    assert {"hand_shown", "hand_mucked", "player_folded", "decision_timed_out", "layer_awarded"} <= kinds


class NotingSealer(MerkleSealer):
    """The real one; notes every root, salt and hash that it lets out."""

    def __init__(self) -> None:
        self.fresh: list[bytes] = []
        """Roots, and salts of what was opened."""
        self.hashes: set[bytes] = set()
        """On paths. Those over absent places of the tree are the same whatever is sealed."""

    def seal(self, context: DealContext, deck_order: bytes, mix_orders: bytes = b"") -> SealedWith:
        sealed = super().seal(context, deck_order, mix_orders)
        self.fresh.append(sealed.root)
        return sealed

    def open_seen(
        self, context: DealContext, deck_order: bytes, key: bytes, projected: Iterable[AnyEvent]
    ) -> tuple[Opening, ...]:
        opened = super().open_seen(context, deck_order, key, projected)
        self.fresh += [one.salt for one in opened]
        self.hashes.update(part for one in opened for part in one.path)
        return opened

    def masked(self, data: bytes) -> bytes:
        for part in {*self.fresh, *self.hashes}:
            data = data.replace(part, bytes(32))
        return data


@pytest.mark.parametrize("viewer", [SPECTATOR, 0], ids=["spectator", "seat0"])
async def test_gen_08_nothing_but_roots_salts_and_paths_tells_two_such_nights_apart(viewer: int | None) -> None:
    script = decks(seed=21)
    sealer, other_sealer = NotingSealer(), NotingSealer()
    first = (await run(script, [viewer], sealer))[viewer]
    second = (await run(hide_elsewhere(script, first.seen_cards, seed=22), [viewer], other_sealer))[viewer]
    for (name, data), (_, other) in zip(first.bytes, second.bytes, strict=True):
        assert len(data) == len(other), name
        assert sealer.masked(data) == other_sealer.masked(other), name
    assert first.bytes != second.bytes
    assert not set(sealer.fresh) & set(other_sealer.fresh)


def test_gen_08_what_tells_them_apart_hides_the_cards() -> None:
    """The same deck sealed again looks as another deck does: each key is drawn anew, so that equal parts would tell nothing."""
    context = DealContext(night_id="night", table_id="table", hand_number=1, attempt=1)
    script = decks(seed=21)
    sealer = NotingSealer()
    board = BoardDealt(street=1, cards=tuple(script[0][:3]))
    for deck in [script[0]] * 50 + script[1:]:
        sealed = sealer.seal(context, deck)
        if deck == script[0]:
            sealer.open_seen(context, deck, sealed.key, [board])
    assert len(set(sealer.fresh)) == len(sealer.fresh) == 50 + len(script) - 1 + 50 * 3
    # Bits of the roots and salts are as even as coins: nothing of the deck shines through.
    n_bits = 8 * 32 * len(sealer.fresh)
    n_ones = sum(int.from_bytes(part, "big").bit_count() for part in sealer.fresh)
    assert abs(n_ones - n_bits / 2) < 6 * (n_bits / 4) ** 0.5
