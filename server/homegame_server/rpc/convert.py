"""Between the engine's records and the contract's messages: cards, actions, amounts and events.

Nothing is decided here, and nothing is hidden here: what comes in was projected by `view` before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from homegame.v1 import actions_pb2, cards_pb2, errors_pb2, events_pb2, sheets_pb2, table_service_pb2
from homegame_engine import actions
from homegame_engine import events as ev
from homegame_server.rpc import convert_catalog
from homegame_server.rpc.convert_catalog import card, cards
from homegame_server.runtime.publisher import Encoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from google.protobuf.message import Message

    from homegame_server.runtime.publisher import NumberedEvent

FINISH_REASONS: Final = {
    "": sheets_pb2.FINISH_REASON_UNSPECIFIED,
    "CUTOFF": sheets_pb2.FINISH_REASON_CUTOFF,
    "ALL_CHIPS": sheets_pb2.FINISH_REASON_ALL_CHIPS,
    "HOST": sheets_pb2.FINISH_REASON_HOST,
}
# In the order in which they are shown, which is that of `LegalActions.kinds`.
_KINDS: Final = {
    "fold": actions_pb2.ACTION_KIND_FOLD,
    "check": actions_pb2.ACTION_KIND_CHECK,
    "call": actions_pb2.ACTION_KIND_CALL,
    "bring_in": actions_pb2.ACTION_KIND_BRING_IN,
    "complete": actions_pb2.ACTION_KIND_COMPLETE,
    "bet": actions_pb2.ACTION_KIND_BET,
    "raise": actions_pb2.ACTION_KIND_RAISE,
    "discard": actions_pb2.ACTION_KIND_DISCARD,
    "draw": actions_pb2.ACTION_KIND_DRAW,
    "pass": actions_pb2.ACTION_KIND_PASS,
    "declare": actions_pb2.ACTION_KIND_DECLARE,
    "show": actions_pb2.ACTION_KIND_SHOW,
    "muck": actions_pb2.ACTION_KIND_MUCK,
    "cut": actions_pb2.ACTION_KIND_CUT,
}
_PLACES: Final = {kind: place for place, kind in enumerate(_KINDS)}
_ACTIONS_WITHOUT_AMOUNT: Final[dict[str, actions.AnyAction]] = {
    "fold": actions.Fold(),
    "check": actions.Check(),
    "show": actions.Show(),
    "muck": actions.Muck(),
    "complete": actions.Complete(),
    "bring_in": actions.BringIn(),
}
HALVES: Final = {
    "LOW": actions_pb2.HALF_LOW,
    "HIGH": actions_pb2.HALF_HIGH,
    "BOTH": actions_pb2.HALF_BOTH,
}
_HALF_NAMES: Final = {half: name for name, half in HALVES.items()}
_CHOICES: Final = {
    "DISCARD": events_pb2.CHOICE_DISCARD,
    "PASS": events_pb2.CHOICE_PASS,
    "DECLARE": events_pb2.CHOICE_DECLARE,
}
_PARTS: Final = {
    "WHOLE": events_pb2.LAYER_PART_WHOLE,
    "HIGH": events_pb2.LAYER_PART_HIGH,
    "LOW": events_pb2.LAYER_PART_LOW,
}
_BLINDS: Final = {"SMALL": events_pb2.BLIND_SMALL, "BIG": events_pb2.BLIND_BIG, "KILL": events_pb2.BLIND_KILL}


# --- Cards and actions ----------------------------------------------------------------------------------------------------


def codes(of: Iterable[cards_pb2.Card.ValueType]) -> tuple[int, ...]:
    """The engine's cards; the contract's rules hold that none is a back."""
    return tuple(one - 1 for one in of)


def action(message: actions_pb2.PlayerAction) -> actions.AnyAction:
    """The engine's action; the contract's rules hold that exactly one is set."""
    kind = message.WhichOneof("action") or ""
    read = _ACTIONS_WITH_FIELDS.get(kind)
    # Some fields are named by words of Python's.
    return _ACTIONS_WITHOUT_AMOUNT[kind] if read is None else read(getattr(message, kind))


_ACTIONS_WITH_FIELDS: Final[dict[str, Callable[[Any], actions.AnyAction]]] = {
    "call": lambda call: actions.Call(_optional(call, "call_chips")),
    "bet": lambda bet: actions.Bet(_optional(bet, "to_chips"), _optional(bet, "by_chips")),
    "raise": lambda wager: actions.Raise(_optional(wager, "to_chips"), _optional(wager, "by_chips")),
    "cut": lambda cut: actions.Cut(cut.position),
    "discard": lambda discard: actions.Discard(codes(discard.cards)),
    "draw": lambda draw: actions.Draw(codes(draw.cards)),
    "pass": lambda passed: actions.PassCards(codes(passed.cards)),
    "declare": lambda declare: actions.Declare(_HALF_NAMES[declare.half]),
    "agree": lambda agree: actions.Agree(tuple(agree.shares)),
}


def _optional(message: Message, field: str) -> int | None:
    return getattr(message, field) if message.HasField(field) else None


def legal(of: actions.LegalActions) -> actions_pb2.LegalActions:
    """What a seat may do."""
    refusal = errors_pb2.REASON_UNSPECIFIED
    if of.wager_refusal is not None:
        refusal = errors_pb2.Reason.Value(f"REASON_{of.wager_refusal}")
    return actions_pb2.LegalActions(
        seat=of.seat,
        kinds=[_KINDS[kind] for kind in sorted(of.kinds, key=_PLACES.__getitem__)],
        call_chips=of.call_chips,
        call_to_chips=of.call_to_chips,
        raise_to_min_chips=of.raise_to_min_chips,
        raise_to_max_chips=of.raise_to_max_chips,
        raise_step_chips=of.raise_step_chips,
        unit_chips=of.unit_chips,
        wager_refusal=refusal,
        cut_position_min=of.cut_position_min,
        cut_position_max=of.cut_position_max,
        bring_in_chips=of.bring_in_chips,
        cards_min=of.cards_min,
        cards_max=of.cards_max,
        halves=[HALVES[half] for half in of.halves],
        may_agree=of.may_agree,
    )


def layers(of: Iterable[ev.LayerShown]) -> list[events_pb2.LayerShown]:
    """Layers of the pot, main layer first."""
    return [events_pb2.LayerShown(chips=layer.chips, seats=layer.seats) for layer in of]


def placements(of: Sequence[ev.Placement]) -> list[sheets_pb2.Placement]:
    """Places, best first; a place that several hold is tied (PTS-017)."""
    places = [placement.place for placement in of]
    return [
        sheets_pb2.Placement(
            seat=placement.seat,
            stack_chips=placement.stack_chips,
            place=placement.place,
            tied=places.count(placement.place) > 1,
        )
        for placement in of
    ]


def shares(of: Iterable[ev.Share]) -> list[events_pb2.Share]:
    """Parts of a layer."""
    return [events_pb2.Share(seat=share.seat, chips=share.chips) for share in of]


# --- Events ---------------------------------------------------------------------------------------------------------------


def _seat_or_none(seat: int) -> int | None:
    return None if seat < 0 else seat


def _night_created(event: ev.NightCreated) -> dict[str, Any]:
    return {
        "name": event.name,
        "format_id": event.format_id,
        "format_version": event.format_version,
        "start_chips": event.start_chips,
        "decision_window_ms": event.decision_ms,
        "hand_pause_ms": event.hand_pause_ms,
        "cut_window_ms": event.cut_ms,
        "time_bank_ms": event.time_bank_ms,
        "time_bank_tokens": event.time_bank_tokens,
    }


def _hand_starting(event: ev.HandStarting) -> dict[str, Any]:
    return _fields(event) | {
        "small_blind_seat": _seat_or_none(event.small_blind_seat),
        "big_blind_seat": _seat_or_none(event.big_blind_seat),
    }


def _hand_shown(event: ev.HandShown) -> dict[str, Any]:
    return _with_cards(event) | {"best_cards": cards(event.best_cards)}


def _halves_declared(event: ev.HalvesDeclared) -> dict[str, Any]:
    return {
        "declarations": [
            events_pb2.Declaration(seat=declared.seat, half=HALVES[declared.half]) for declared in event.declarations
        ]
    }


def _session_finished(event: ev.SessionFinished) -> dict[str, Any]:
    return _fields(event) | {"placements": placements(event.placements), "by": FINISH_REASONS[event.by]}


def _fields(event: ev.AnyEvent) -> dict[str, Any]:
    """The record's fields as they are: those whose names and meanings are the same in the contract."""
    return {name: getattr(event, name) for name in event.__struct_fields__}


def game_called(event: ev.GameCalled) -> dict[str, Any]:
    """Fields of a call, with the rule card at its table."""
    return {
        "seat": event.seat,
        "game": convert_catalog.game_spec(event.game),
        "rule_card": convert_catalog.rule_card(event.game, event.rules),
        "explanation": event.explanation,
        "ante_chips": event.ante_chips,
        "by_clock": event.by_clock,
        "action_number": event.action_number,
        "deadline_at_ms": event.deadline_at_ms,
    }


def _with_cards(event: Any) -> dict[str, Any]:  # noqa: ANN401 - every record that has cards
    return _fields(event) | {"cards": cards(event.cards)}


# Field of TableEvent, message, and how to fill it.
_EVENTS: Final[dict[type, tuple[str, type[Message], Callable[[Any], dict[str, Any]]]]] = {
    ev.NightCreated: ("night_created", events_pb2.NightCreated, _night_created),
    ev.ParticipantJoined: (
        "participant_joined",
        events_pb2.ParticipantJoined,
        lambda event: {"participant_id": event.participant_id, "display_name": event.name},
    ),
    ev.SeatTaken: (
        "seat_taken",
        events_pb2.SeatTaken,
        lambda event: {"seat": event.seat, "participant_id": event.participant_id, "display_name": event.name},
    ),
    ev.SeatVacated: ("seat_vacated", events_pb2.SeatVacated, _fields),
    ev.PostingAcknowledged: ("posting_acknowledged", events_pb2.PostingAcknowledged, _fields),
    ev.CutoffPosted: ("cutoff_posted", events_pb2.CutoffPosted, _fields),
    ev.NightOpened: ("night_opened", events_pb2.NightOpened, _fields),
    ev.SeatSatOut: ("seat_sat_out", events_pb2.SeatSatOut, _fields),
    ev.SeatReturned: ("seat_returned", events_pb2.SeatReturned, _fields),
    ev.ButtonPlaced: ("button_placed", events_pb2.ButtonPlaced, _fields),
    ev.HandStarting: ("hand_starting", events_pb2.HandStarting, _hand_starting),
    ev.AntePosted: ("ante_posted", events_pb2.AntePosted, _fields),
    ev.BlindPosted: (
        "blind_posted",
        events_pb2.BlindPosted,
        lambda event: _fields(event) | {"blind": _BLINDS[event.blind]},
    ),
    ev.HoleCardsDealt: ("hole_cards_dealt", events_pb2.HoleCardsDealt, _with_cards),
    ev.CardsBurned: ("cards_burned", events_pb2.CardsBurned, _fields),
    ev.BoardDealt: ("board_dealt", events_pb2.BoardDealt, _with_cards),
    ev.UpCardsDealt: ("up_cards_dealt", events_pb2.UpCardsDealt, _with_cards),
    ev.BringInPosted: ("bring_in_posted", events_pb2.BringInPosted, _fields),
    ev.ChoiceMade: (
        "choice_made",
        events_pb2.ChoiceMade,
        lambda event: _with_cards(event) | {"choice": _CHOICES[event.choice]},
    ),
    ev.CardsDrawn: (
        "cards_drawn",
        events_pb2.CardsDrawn,
        lambda event: _with_cards(event) | {"discarded": cards(event.discarded)},
    ),
    ev.CardsPassed: ("cards_passed", events_pb2.CardsPassed, _with_cards),
    ev.HalvesDeclared: ("halves_declared", events_pb2.HalvesDeclared, _halves_declared),
    ev.StubReshuffled: ("stub_reshuffled", events_pb2.StubReshuffled, _fields),
    ev.CommonCardDealt: (
        "common_card_dealt",
        events_pb2.CommonCardDealt,
        lambda event: {"card": card(event.card)},
    ),
    ev.PotCarried: ("pot_carried", events_pb2.PotCarried, _fields),
    ev.DivisionNamed: ("division_named", events_pb2.DivisionNamed, _fields),
    ev.PotDivided: ("pot_divided", events_pb2.PotDivided, _fields),
    ev.ActionRequired: (
        "action_required",
        events_pb2.ActionRequired,
        lambda event: _fields(event) | {"legal": legal(event.legal)},
    ),
    ev.CallRequired: ("call_required", events_pb2.CallRequired, _fields),
    ev.GameCalled: ("game_called", events_pb2.GameCalled, game_called),
    ev.CallDropped: ("call_dropped", events_pb2.CallDropped, _fields),
    ev.DeckSealed: (
        "deck_sealed",
        events_pb2.DeckSealed,
        lambda event: _fields(event) | {"steps": [convert_catalog.game_step(step) for step in event.steps]},
    ),
    ev.DeckCut: ("deck_cut", events_pb2.DeckCut, _fields),
    ev.TimeBankUsed: ("time_bank_used", events_pb2.TimeBankUsed, _fields),
    ev.ResetAgreement: ("reset_agreement", events_pb2.ResetAgreement, _fields),
    ev.StackReset: ("stack_reset", events_pb2.StackReset, _fields),
    ev.PlayoffAsked: ("playoff_asked", events_pb2.PlayoffAsked, _fields),
    ev.PlayoffStarted: ("playoff_started", events_pb2.PlayoffStarted, _fields),
    ev.PlayoffFinished: (
        "playoff_finished",
        events_pb2.PlayoffFinished,
        lambda event: {"placements": placements(event.placements)},
    ),
    ev.DecisionTimedOut: ("decision_timed_out", events_pb2.DecisionTimedOut, _fields),
    ev.PlayerFolded: ("player_folded", events_pb2.PlayerFolded, _fields),
    ev.PlayerChecked: ("player_checked", events_pb2.PlayerChecked, _fields),
    ev.PlayerCalled: ("player_called", events_pb2.PlayerCalled, _fields),
    ev.PlayerBet: ("player_bet", events_pb2.PlayerBet, _fields),
    ev.PlayerRaised: ("player_raised", events_pb2.PlayerRaised, _fields),
    ev.UncalledReturned: ("uncalled_returned", events_pb2.UncalledReturned, _fields),
    ev.BetsCollected: ("bets_collected", events_pb2.BetsCollected, lambda event: {"layers": layers(event.layers)}),
    ev.ShowdownStarted: ("showdown_started", events_pb2.ShowdownStarted, _fields),
    ev.HandShown: ("hand_shown", events_pb2.HandShown, _hand_shown),
    ev.HandMucked: ("hand_mucked", events_pb2.HandMucked, _fields),
    ev.LayerAwarded: (
        "layer_awarded",
        events_pb2.LayerAwarded,
        lambda event: _fields(event) | {"shares": shares(event.shares), "part": _PARTS[event.part]},
    ),
    ev.HandEnded: ("hand_ended", events_pb2.HandEnded, _fields),
    ev.HandVoided: ("hand_voided", events_pb2.HandVoided, _fields),
    ev.OrbitCompleted: ("orbit_completed", events_pb2.OrbitCompleted, _fields),
    ev.SessionFinished: ("session_finished", events_pb2.SessionFinished, _session_finished),
    ev.NightClosed: ("night_closed", events_pb2.NightClosed, lambda event: {"has_result": event.by == "FINISHED"}),
    ev.PlayResumed: (
        "play_resumed",
        events_pb2.PlayResumed,
        lambda event: {"stopped_at_ms": event.stopped_at_ms, "deadline_at_ms": event.deadline_at_ms or None},
    ),
}


def table_event(numbered: NumberedEvent) -> events_pb2.TableEvent:
    """An event that was projected for its viewer."""
    field, message, fill = _EVENTS[type(numbered.event)]
    arguments: dict[str, Any] = {field: message(**fill(numbered.event))}
    return events_pb2.TableEvent(number=numbered.number, at_ms=numbered.at_ms, night_sequence=numbered.seq, **arguments)


def _encode_event(numbered: NumberedEvent) -> bytes:
    return table_event(numbered).SerializeToString(deterministic=True)


# Tag of field 1 (`events`) with a length: an encoded TableEvent is spliced in as it is.
_EVENTS_TAG: Final = bytes([table_service_pb2.WatchTableResponse.EVENTS_FIELD_NUMBER << 3 | 2])


def _encode_frame(events: Sequence[bytes], last_number: int, server_time_ms: int) -> bytes:
    """WatchTableResponse from encoded events, without encoding them again."""
    tail = table_service_pb2.WatchTableResponse(last_number=last_number, server_time_ms=server_time_ms)
    parts: list[bytes] = []
    for encoded in events:
        parts += (_EVENTS_TAG, _varint(len(encoded)), encoded)
    parts.append(tail.SerializeToString(deterministic=True))
    return b"".join(parts)


# A varint goes out seven bits at a time, lowest first, with a mark on each byte but the last.
_SEVEN_BITS: Final = 0x7F
_MORE: Final = 0x80


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > _SEVEN_BITS:
        out.append(value & _SEVEN_BITS | _MORE)
        value >>= 7
    out.append(value)
    return bytes(out)


ENCODER: Final = Encoder(event=_encode_event, frame=_encode_frame)
"""How a table's events leave this server."""
