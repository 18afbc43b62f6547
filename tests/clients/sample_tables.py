"""Views of a table as a server would send them, for the tests that draw."""

from __future__ import annotations

from typing import Final

from homegame.v1.actions_pb2 import ActionKind, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Level
from homegame.v1.events_pb2 import LayerShown
from homegame.v1.nights_pb2 import NightPhase, Posting
from homegame.v1.views_pb2 import HandPhase, SeatHand, SeatStatus, SeatView, TableView

NOW_MS: Final = 1_800_000_000_000
NAMES: Final = (
    "Ada",
    "Bruno",
    "Chiara",
    "Dmitri",
    "Emeka",
    "Fatima",
    "Grete",
    "Hiroshi",
    "Ines",
    "Jonathan-Maximilian",
)
HIDDEN: Final = Card.CARD_HIDDEN


def seat(number: int, **fields: object) -> SeatView:
    """A seated player in the hand with two hidden cards, unless told otherwise."""
    view = SeatView(
        seat=number,
        participant_id=f"p{number}",
        display_name=NAMES[number],
        status=SeatStatus.SEAT_STATUS_SEATED,
        acknowledged=True,
        stack_chips=100,
        hand=SeatHand.SEAT_HAND_LIVE,
    )
    if "cards" not in fields:
        fields["cards"] = [HIDDEN, HIDDEN]
    view.MergeFrom(SeatView(**fields))  # type: ignore[arg-type] # the tests name real fields
    return view


def turn_on_the_flop(n_players: int = 6) -> TableView:
    """Bruno to act on the flop of hand 7, seen by a spectator."""
    view = TableView(
        night_id="n1",
        table_id="t1",
        night_name="Tuesday",
        phase=NightPhase.NIGHT_PHASE_PLAYING,
        posting=Posting(
            format_name="Points-only hold'em night",
            start_chips=100,
            cutoff_at_ms=NOW_MS + 72_000,
            levels=[Level(from_hand=1, small_blind_chips=1, big_blind_chips=2)],
        ),
        server_time_ms=NOW_MS,
        last_number=90,
        action_number=31,
        hand_number=7,
        game_id="HOLDEM",
        hand_phase=HandPhase.HAND_PHASE_BETTING,
        completed_orbits=1,
        button=0,
        small_blind_seat=1,
        big_blind_seat=2 % n_players,
        street=1,
        street_name="FLOP",
        board=[Card.CARD_ACE_OF_SPADES, Card.CARD_TEN_OF_HEARTS, Card.CARD_TWO_OF_CLUBS],
        layers=[LayerShown(chips=30, seats=[0, 1]), LayerShown(chips=4, seats=[1])],
        pot_chips=38,
        may_act=[1],
        legal=LegalActions(
            seat=1,
            kinds=[ActionKind.ACTION_KIND_FOLD, ActionKind.ACTION_KIND_CALL, ActionKind.ACTION_KIND_RAISE],
            call_chips=2,
            call_to_chips=2,
            raise_to_min_chips=4,
            raise_to_max_chips=4,
            unit_chips=1,
        ),
        deadline_at_ms=NOW_MS + 27_400,
    )
    view.seats.extend(seat(number) for number in range(n_players))
    view.seats[0].street_chips = 2
    if n_players > 2:
        view.seats[2].CopyFrom(seat(2, hand=SeatHand.SEAT_HAND_FOLDED, cards=[]))
    if n_players > 5:
        view.seats[3].CopyFrom(seat(3, all_in=True, cards=[HIDDEN, HIDDEN], committed_chips=15))
        view.seats[3].stack_chips = 0
        view.seats[4].CopyFrom(seat(4, hand=SeatHand.SEAT_HAND_UNSPECIFIED, cards=[]))
        view.seats[4].status = SeatStatus.SEAT_STATUS_BUSTED
        view.seats[4].stack_chips = 0
        view.seats[5].stack_chips = 1_284
    return view


def showdown(n_players: int = 6) -> TableView:
    """The same hand at its end: Ada has shown, Bruno has mucked."""
    view = turn_on_the_flop(n_players)
    view.hand_phase = HandPhase.HAND_PHASE_OVER
    view.board.extend([Card.CARD_KING_OF_DIAMONDS, Card.CARD_QUEEN_OF_CLUBS])
    view.pot_chips = 0
    for name in ("legal", "deadline_at_ms", "may_act", "layers", "small_blind_seat", "big_blind_seat"):
        view.ClearField(name)
    shown = seat(0, hand=SeatHand.SEAT_HAND_SHOWN, cards=[Card.CARD_ACE_OF_DIAMONDS, Card.CARD_TEN_OF_SPADES])
    shown.rank_text = "two pair, aces and tens"
    view.seats[0].CopyFrom(shown)
    view.seats[1].CopyFrom(seat(1, hand=SeatHand.SEAT_HAND_MUCKED, cards=[]))
    return view


LOG: Final = (
    "Hand 7: Ada has the button",
    "Fatima folds",
    "Ada raises to 4",
    "Bruno calls 3",
    "Chiara folds",
    "Board: As Th 2c",
    "Ada bets 2",
)
