"""Views of a table as a server would send them, for the tests that draw."""

from __future__ import annotations

from typing import Final

from homegame.v1.actions_pb2 import ActionKind, Half, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game, GameStep, Level, RuleCardSection, StepKind, Street
from homegame.v1.events_pb2 import GameCalled, LayerShown
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


# --- Games without a board ------------------------------------------------------------------------------------------------

OWN_SEAT: Final = 1


def _step(kind: str, count: int = 0, **fields: object) -> GameStep:
    return GameStep(kind=StepKind.Value(f"STEP_KIND_{kind}"), count=count, **fields)  # type: ignore[arg-type] # real fields


STUD: Final = Game(
    game_id="STUD_DECLARE",
    name="Stud hi-lo with declare",
    summary="Seven cards, high and low.",
    award="HIGH_LOW_DECLARE",
    low="ACE_TO_FIVE",
    min_players=2,
    max_players=8,
    streets=[Street(name=name) for name in ("THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "DECLARED")],
    steps=[
        *(_step("DEAL_DOWN", 2), _step("DEAL_UP", 1), _step("BET", street="THIRD", opens="BRING_IN")),
        *(_step("DEAL_UP", 3), _step("BET", street="SIXTH"), _step("DEAL_DOWN", 1), _step("BET", street="SEVENTH")),
    ],
)
DRAW: Final = Game(
    game_id="DEUCES_WILD_DRAW",
    name="Deuces wild draw",
    streets=[Street(name="PREDRAW"), Street(name="FIRST_DRAW")],
    steps=[_step("DEAL_DOWN", 5), _step("BET", street="PREDRAW"), _step("DRAW", 5), _step("BET", street="FIRST_DRAW")],
    wild_cards=[
        Card.CARD_TWO_OF_CLUBS,
        Card.CARD_TWO_OF_DIAMONDS,
        Card.CARD_TWO_OF_HEARTS,
        Card.CARD_TWO_OF_SPADES,
        Card.CARD_FIRST_JOKER,
    ],
)
PASSING: Final = Game(
    game_id="ANACONDA",
    name="Anaconda",
    streets=[Street(name="FIRST"), Street(name="FIRST_PASS")],
    steps=[
        *(_step("DEAL_DOWN", 4), _step("BET", street="FIRST")),
        *(_step("PASS", 2, direction="LEFT"), _step("BET", street="FIRST_PASS")),
    ],
)
_OWN_DOWN: Final = (Card.CARD_ACE_OF_SPADES, Card.CARD_KING_OF_DIAMONDS)
_SHOWN: Final = (
    Card.CARD_NINE_OF_CLUBS,
    Card.CARD_TEN_OF_HEARTS,
    Card.CARD_TWO_OF_HEARTS,
    Card.CARD_FOUR_OF_SPADES,
)


def stud_on_sixth(n_players: int = 6) -> TableView:
    """Bruno, the viewer, to act on sixth street of a limit game in which Chiara has folded and Dmitri is all-in."""
    view = turn_on_the_flop(n_players)
    view.game_id, view.street, view.street_name = STUD.game_id, 3, "SIXTH"
    view.viewer_seat, view.viewer_participant_id = OWN_SEAT, "p1"
    for name in ("board", "layers", "small_blind_seat", "big_blind_seat"):
        view.ClearField(name)
    del view.posting.levels[:]
    view.posting.levels.append(Level(from_hand=1, ante_chips=1, bring_in_chips=1, small_bet_chips=2, big_bet_chips=4))
    for held in view.seats:
        if held.cards:
            down = _OWN_DOWN if held.seat == OWN_SEAT else (HIDDEN, HIDDEN)
            _hold(held, [*down, *_SHOWN], up=[2, 3, 4, 5])
    return view


def stud_declared() -> TableView:
    """The same hand after the seventh card and the declarations."""
    view = stud_on_sixth()
    view.street, view.street_name = 5, "DECLARED"
    for held, half in zip(
        view.seats, (Half.HALF_HIGH, Half.HALF_LOW, Half.HALF_UNSPECIFIED, Half.HALF_BOTH), strict=False
    ):
        if held.cards:
            held.cards.append(Card.CARD_JACK_OF_DIAMONDS if held.seat == OWN_SEAT else HIDDEN)
            held.declared = half
    return view


def drawing() -> TableView:
    """Bruno, the viewer, at the draw of a game with wild deuces and a joker; Ada has drawn three, Fatima stood pat."""
    view = stud_on_sixth()
    view.game_id, view.street, view.street_name = DRAW.game_id, 0, "PREDRAW"
    view.hand_phase = HandPhase.HAND_PHASE_CHOOSING
    for held in view.seats:
        if held.cards:
            _hold(held, [HIDDEN] * 5)
    _hold(view.seats[OWN_SEAT], [*_OWN_DOWN, Card.CARD_TWO_OF_HEARTS, Card.CARD_FIRST_JOKER, Card.CARD_NINE_OF_CLUBS])
    view.seats[0].drawn_count, view.seats[5].drawn_count = 3, 0
    view.legal.CopyFrom(
        LegalActions(seat=OWN_SEAT, kinds=[ActionKind.ACTION_KIND_DRAW], cards_min=0, cards_max=5, unit_chips=1)
    )
    return view


def passing() -> TableView:
    """Bruno, the viewer, Ada and Fatima pass two cards at the same time."""
    view = drawing()
    view.game_id, view.street_name = PASSING.game_id, "FIRST"
    for held in view.seats:
        held.ClearField("drawn_count")
        if held.cards:
            _hold(held, list(held.cards)[:4])
    view.legal.kinds[:] = [ActionKind.ACTION_KIND_PASS]
    view.legal.cards_min = view.legal.cards_max = 2
    view.may_act[:] = [0, OWN_SEAT, 5]
    return view


def called(*, own_call: bool = False) -> TableView:
    """Between two hands of a dealer's choice night: Ada, or the viewer, has called stud, and Fatima sits it out."""
    view = own_call_due()
    view.ClearField("caller_seat")
    view.called.CopyFrom(
        GameCalled(
            seat=OWN_SEAT if own_call else 0,
            game=STUD,
            rule_card=[RuleCardSection(title="The deal", lines=["Two cards down."])],
            explanation="As my aunt plays it.",
            ante_chips=25,
        )
    )
    view.sitting_out.append(5)
    view.deadline_at_ms = NOW_MS + 14_600
    return view


def own_call_due() -> TableView:
    """Between two hands of a dealer's choice night: it is the viewer's to call."""
    view = showdown()
    view.viewer_seat, view.viewer_participant_id = OWN_SEAT, "p1"
    view.posting.dealer_calls = True
    view.posting.call_window_ms, view.posting.sit_out_window_ms = 60_000, 15_000
    view.caller_seat, view.button, view.action_number = OWN_SEAT, OWN_SEAT, 40
    view.deadline_at_ms = NOW_MS + 59_000
    view.carry_chips = 12
    return view


def _hold(held: SeatView, cards: list[Card.ValueType], up: list[int] | None = None) -> None:
    held.cards[:] = cards
    held.up_positions[:] = up or []


LOG: Final = (
    "Hand 7: Ada has the button",
    "Fatima folds",
    "Ada raises to 4",
    "Bruno calls 3",
    "Chiara folds",
    "Board: As Th 2c",
    "Ada bets 2",
)
