"""A table kept up to date from its events, without knowing a rule.

Every amount, card and legal action is copied from the events; nothing is judged. Where an event does not say everything
(places after a hand, who is out, a seat that was left), the state says that it is incomplete and the caller asks for
the table again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from homegame.v1 import events_pb2 as ev
from homegame.v1.actions_pb2 import ActionKind, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import HandPhase, SeatHand, SeatView, TableView
from homegame_client.night_changes import NIGHT_CHANGES

_TELLS_NOT_ALL: Final = frozenset(
    {
        "seat_vacated",
        "seat_returned",
        "hand_ended",
        "hand_voided",
        "stack_reset",
        "playoff_started",
        "playoff_finished",
    }
)
"""Kinds of event after which the view holds more than the event says. A kind that is not known counts as one."""

_WAGERS: Final = frozenset(
    {
        ActionKind.ACTION_KIND_FOLD,
        ActionKind.ACTION_KIND_CHECK,
        ActionKind.ACTION_KIND_CALL,
        ActionKind.ACTION_KIND_BET,
        ActionKind.ACTION_KIND_RAISE,
        ActionKind.ACTION_KIND_BRING_IN,
        ActionKind.ACTION_KIND_COMPLETE,
    }
)
_CHOICES: Final = frozenset(
    {
        ActionKind.ACTION_KIND_DISCARD,
        ActionKind.ACTION_KIND_DRAW,
        ActionKind.ACTION_KIND_PASS,
        ActionKind.ACTION_KIND_DECLARE,
    }
)


_OF_ONE_HAND: Final = (
    "hand",
    "all_in",
    "street_chips",
    "committed_chips",
    "cards",
    "up_positions",
    "wild_positions",
    "rank_text",
    "declared",
    "drawn_count",
)


_SIZES_OF_A_HAND: Final = (
    "small_blind_chips",
    "big_blind_chips",
    "small_bet_chips",
    "big_bet_chips",
    "ante_chips",
    "bring_in_chips",
    "spread_min_chips",
    "spread_max_chips",
)


def _forget_hand(seat: SeatView) -> None:
    """Other cards make another hand: what it is and which of them are wild is the table's to say."""
    seat.ClearField("rank_text")
    seat.ClearField("wild_positions")


def _last_back(faces: Sequence[Card.ValueType]) -> int:
    """Position of the last card whose face is not known; the last card when all are."""
    backs = [position for position, face in enumerate(faces) if face == Card.CARD_HIDDEN]
    return backs[-1] if backs else len(faces) - 1


class TableState:
    """One table as one viewer sees it.

    Args:
        view: The table to start from; copied.
        street_names: Names of the game's streets in order (`Game.streets`); without them `street_name` stays empty
            from the first street on that an event brings.
    """

    def __init__(self, view: TableView, street_names: Sequence[str] = ()) -> None:
        self.view = TableView()
        self.view.CopyFrom(view)
        self._street_names = tuple(street_names)
        self._asked: dict[int, LegalActions] = {}  # What each seat of an open decision may do, in the order of asking.
        self._given_up: dict[int, Sequence[Card.ValueType]] = {}  # Chosen at a step that is not complete.
        self._has_bet = view.hand_phase != HandPhase.HAND_PHASE_UNSPECIFIED
        self._asked_to_choose: set[int] = set()  # Since the last turn of a betting round.
        self._is_between_rounds = False  # Cards or choices came since the last turn of a betting round.
        self.is_incomplete = False
        """Whether something happened that the events do not spell out: ask for the table and `replace` it."""

    def replace(self, view: TableView) -> None:
        """Take over a newer view. One that is older than what the events have told is ignored."""
        if view.last_number >= self.view.last_number:
            self.view.CopyFrom(view)
            self._asked = {view.legal.seat: view.legal} if view.HasField("legal") else {}
            self.is_incomplete = False

    def apply(self, event: ev.TableEvent, server_time_ms: int = 0) -> None:
        """Bring the view up to the event. Events the view already holds are skipped.

        Raises:
            ValueError: the event is not the next one.
        """
        view = self.view
        if event.number <= view.last_number:
            return
        if event.number != view.last_number + 1:
            raise ValueError(f"expected event {view.last_number + 1}, got {event.number}")
        view.last_number = event.number
        view.server_time_ms = max(view.server_time_ms, event.at_ms, server_time_ms)
        kind = event.WhichOneof("event")
        handler = self._HANDLERS.get(kind or "")
        change = NIGHT_CHANGES.get(kind or "")
        if handler is not None:
            handler(self, event)
        elif change is not None:
            change(view, event)
        if kind is None or kind in _TELLS_NOT_ALL:
            self.is_incomplete = True

    @property
    def own_seat(self) -> SeatView | None:
        """The viewer's seat, None for a spectator."""
        return self.view.seats[self.view.viewer_seat] if self.view.HasField("viewer_seat") else None

    @property
    def is_own_turn(self) -> bool:
        """Whether the viewer is to act, alone or among others."""
        view = self.view
        return view.HasField("legal") and view.HasField("viewer_seat") and view.viewer_seat in view.may_act

    @property
    def is_own_call(self) -> bool:
        """Whether the viewer is the dealer who is to call a game."""
        view = self.view
        return view.HasField("caller_seat") and view.HasField("viewer_seat") and view.viewer_seat == view.caller_seat

    def _is_own(self, number: int) -> bool:
        return self.view.HasField("viewer_seat") and self.view.viewer_seat == number

    # --- The night -------------------------------------------------------------------------------------------------------

    def _opened(self, event: ev.TableEvent) -> None:
        self.view.phase = NightPhase.NIGHT_PHASE_PLAYING
        self.view.posting.cutoff_at_ms = event.night_opened.cutoff_at_ms
        self.view.resets_agreed = event.night_opened.resets_agreed
        for number in event.night_opened.roster:
            self.view.seats[number].time_bank_tokens = self.view.posting.time_bank_tokens
        self._set_stacks(event.night_opened.stacks)

    def _finished(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self.view.phase = NightPhase.NIGHT_PHASE_FINISHED
        self.view.finish_reason = event.session_finished.by
        del self.view.standings[:]
        self.view.standings.extend(event.session_finished.placements)

    def _playoff_finished(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self.view.phase = NightPhase.NIGHT_PHASE_FINISHED
        del self.view.standings[:]
        self.view.standings.extend(event.playoff_finished.placements)

    def _closed(self, event: ev.TableEvent) -> None:
        del event  # It says no more than that.
        self._end_turn()
        self.view.phase = NightPhase.NIGHT_PHASE_CLOSED

    # --- The call of a game ----------------------------------------------------------------------------------------------

    def _call_required(self, event: ev.TableEvent) -> None:
        asked = event.call_required
        self._end_turn()
        self._drop_call()
        self.view.caller_seat = asked.seat
        self.view.action_number = asked.action_number
        self.view.deadline_at_ms = asked.deadline_at_ms

    def _game_called(self, event: ev.TableEvent) -> None:
        called = event.game_called
        self._drop_call()
        self.view.called.CopyFrom(called)
        self.view.action_number = called.action_number
        self.view.deadline_at_ms = called.deadline_at_ms

    def _call_dropped(self, event: ev.TableEvent) -> None:
        del event  # Another call follows, if anybody is there to make it.
        self._drop_call()
        self.view.ClearField("deadline_at_ms")

    def _drop_call(self) -> None:
        for name in ("caller_seat", "called", "sitting_out"):
            self.view.ClearField(name)

    # --- A hand: cards ---------------------------------------------------------------------------------------------------

    def _hand_starting(self, event: ev.TableEvent) -> None:
        hand = event.hand_starting
        view = self.view
        self._clear_hand()
        self._set_stacks(hand.stacks)
        view.hand_number = hand.hand_number
        view.pot_chips = view.carry_chips  # Dead money, until the first bets are collected.
        view.carry_chips = 0
        view.game_id = hand.game_id or view.game_id
        if view.HasField("called"):
            view.game_id = view.called.game.game_id
            self._street_names = tuple(street.name for street in view.called.game.streets)
        view.hand_phase = HandPhase.HAND_PHASE_BETTING
        view.button = hand.button
        for name in ("small_blind_seat", "big_blind_seat"):
            view.ClearField(name)
            if hand.HasField(name):
                setattr(view, name, getattr(hand, name))
        started = [index for index, level in enumerate(view.posting.levels) if level.from_hand <= hand.hand_number]
        view.level = started[-1] if started else 0
        self._set_stakes(hand)
        self._set_street(0)
        for seat in hand.dealt_in:
            view.seats[seat].hand = SeatHand.SEAT_HAND_LIVE

    def _set_stakes(self, hand: ev.HandStarting) -> None:
        """The sizes of the level, and in their place those that the hand says: an ante that was called, a kill."""
        view = self.view
        view.ClearField("stakes")
        if view.level < len(view.posting.levels):
            view.stakes.CopyFrom(view.posting.levels[view.level])
        view.stakes.from_hand = hand.hand_number
        for name in _SIZES_OF_A_HAND if hand.game_id else ():
            setattr(view.stakes, name, getattr(hand, name))

    def _hole_cards_dealt(self, event: ev.TableEvent) -> None:
        self._get_cards(event.hole_cards_dealt.seat, event.hole_cards_dealt.cards)
        self._is_between_rounds = True

    def _up_cards_dealt(self, event: ev.TableEvent) -> None:
        self._get_cards(event.up_cards_dealt.seat, event.up_cards_dealt.cards, up=True)
        self._is_between_rounds = True

    def _get_cards(self, number: int, cards: Sequence[Card.ValueType], *, up: bool = False) -> None:
        seat = self.view.seats[number]
        if seat.hand != SeatHand.SEAT_HAND_LIVE and not self._is_own(number):
            return  # A dead hand that only keeps the order of the cards (GAME-ST-11).
        if up:
            seat.up_positions.extend(range(len(seat.cards), len(seat.cards) + len(cards)))
        seat.cards.extend(cards)
        _forget_hand(seat)

    def _lose_cards(self, number: int, cards: Sequence[Card.ValueType]) -> None:
        """Take cards from a seat; of backs the last ones, which look like any other."""
        seat = self.view.seats[number]
        for card in cards:
            faces = list(seat.cards)
            gone = faces.index(card) if card in faces and card != Card.CARD_HIDDEN else _last_back(faces)
            stay = [position for position in seat.up_positions if position != gone]
            del seat.cards[gone]
            del seat.up_positions[:]
            seat.up_positions.extend(position - (position > gone) for position in stay)
            _forget_hand(seat)

    def _board_dealt(self, event: ev.TableEvent) -> None:
        self.view.board.extend(event.board_dealt.cards)
        self._set_street(event.board_dealt.street)
        self._is_between_rounds = False
        for seat in self.view.seats:
            seat.rank_text = ""  # It named the hand before these cards.

    def _common_card_dealt(self, event: ev.TableEvent) -> None:
        self.view.board.append(event.common_card_dealt.card)
        self._is_between_rounds = True
        for seat in self.view.seats:
            seat.rank_text = ""

    # --- A hand: choices -------------------------------------------------------------------------------------------------

    def _choice_made(self, event: ev.TableEvent) -> None:
        made = event.choice_made
        self._given_up[made.seat] = made.cards
        self._asked.pop(made.seat, None)
        left = [seat for seat in self.view.may_act if seat != made.seat]
        if not left:
            self._end_turn()
            return
        del self.view.may_act[:]
        self.view.may_act.extend(left)
        self._show_own_or_first()

    def _give_up_chosen(self) -> None:
        """The step is complete: what everybody chose leaves the hands at once."""
        for number, cards in self._given_up.items():
            self._lose_cards(number, cards)
        self._given_up.clear()

    def _cards_drawn(self, event: ev.TableEvent) -> None:
        drawn = event.cards_drawn
        self._end_turn()
        self._lose_cards(drawn.seat, drawn.discarded)
        self._get_cards(drawn.seat, drawn.cards)
        self.view.seats[drawn.seat].drawn_count = len(drawn.cards)

    def _cards_passed(self, event: ev.TableEvent) -> None:
        self._get_cards(event.cards_passed.seat, event.cards_passed.cards)

    def _halves_declared(self, event: ev.TableEvent) -> None:
        for declaration in event.halves_declared.declarations:
            self.view.seats[declaration.seat].declared = declaration.half

    def _shown(self, event: ev.TableEvent) -> None:
        self._end_turn()
        shown = event.hand_shown
        seat = self.view.seats[shown.seat]
        seat.hand = SeatHand.SEAT_HAND_SHOWN
        del seat.cards[:]
        seat.cards.extend(shown.cards)
        _forget_hand(seat)
        seat.rank_text = shown.rank_text

    def _mucked(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self._give_up(event.hand_mucked.seat, SeatHand.SEAT_HAND_MUCKED)
        for layer in self.view.layers:
            if event.hand_mucked.seat in layer.seats and len(layer.seats) > 1:
                layer.seats.remove(event.hand_mucked.seat)

    def _folded(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self._give_up(event.player_folded.seat, SeatHand.SEAT_HAND_FOLDED)

    def _give_up(self, number: int, hand: SeatHand.ValueType) -> None:
        seat = self.view.seats[number]
        seat.hand = hand
        if not self._is_own(number):
            for name in ("cards", "up_positions", "wild_positions"):
                seat.ClearField(name)

    # --- A hand: chips ---------------------------------------------------------------------------------------------------

    def _ante_posted(self, event: ev.TableEvent) -> None:
        posted = event.ante_posted
        self._put_in(posted.seat, posted.chips, all_in=posted.all_in)

    def _blind_posted(self, event: ev.TableEvent) -> None:
        posted = event.blind_posted
        self._put_in(posted.seat, posted.chips, all_in=posted.all_in)
        self.view.seats[posted.seat].street_chips += posted.chips

    def _bring_in_posted(self, event: ev.TableEvent) -> None:
        posted = event.bring_in_posted
        self._end_turn()
        self._put_in(posted.seat, posted.chips, all_in=posted.all_in)
        self.view.seats[posted.seat].street_chips += posted.chips

    def _checked(self, event: ev.TableEvent) -> None:
        del event  # Nothing but the turn changes.
        self._end_turn()

    def _called(self, event: ev.TableEvent) -> None:
        self._wagered(event.player_called)

    def _bet(self, event: ev.TableEvent) -> None:
        self._wagered(event.player_bet)

    def _raised(self, event: ev.TableEvent) -> None:
        self._wagered(event.player_raised)

    def _wagered(self, wager: ev.PlayerCalled | ev.PlayerBet | ev.PlayerRaised) -> None:
        self._end_turn()
        self._put_in(wager.seat, wager.chips, all_in=wager.all_in)
        self.view.seats[wager.seat].street_chips = wager.to_chips

    def _put_in(self, number: int, chips: int, *, all_in: bool) -> None:
        seat = self.view.seats[number]
        seat.stack_chips -= chips
        seat.committed_chips += chips
        seat.all_in = seat.all_in or all_in
        self.view.pot_chips += chips

    def _uncalled_returned(self, event: ev.TableEvent) -> None:
        returned = event.uncalled_returned
        seat = self.view.seats[returned.seat]
        self._put_in(returned.seat, -returned.chips, all_in=False)
        seat.street_chips = max(0, seat.street_chips - returned.chips)
        seat.all_in = False  # It has chips behind again.

    def _collected(self, event: ev.TableEvent) -> None:
        del self.view.layers[:]
        self.view.layers.extend(event.bets_collected.layers)
        for seat in self.view.seats:
            seat.street_chips = 0

    def _drop_folded_from_layers(self) -> None:
        """Who folded on a last street without a wager leaves the layers, though nothing was collected that would say so."""
        live = {seat.seat for seat in self.view.seats if seat.hand == SeatHand.SEAT_HAND_LIVE}
        kept: list[ev.LayerShown] = []
        for layer in self.view.layers:
            seats = [seat for seat in layer.seats if seat in live]
            if kept and list(kept[-1].seats) == seats:
                kept[-1].chips += layer.chips
            else:
                kept.append(ev.LayerShown(chips=layer.chips, seats=seats))
        del self.view.layers[:]
        self.view.layers.extend(kept)

    def _awarded(self, event: ev.TableEvent) -> None:
        for share in event.layer_awarded.shares:
            self.view.seats[share.seat].stack_chips += share.chips
        self.view.pot_chips -= event.layer_awarded.chips
        if event.layer_awarded.layer < len(self.view.layers):
            layer = self.view.layers[event.layer_awarded.layer]
            layer.chips = max(0, layer.chips - event.layer_awarded.chips)

    def _pot_divided(self, event: ev.TableEvent) -> None:
        for seat, chips in zip(self.view.seats, event.pot_divided.shares, strict=False):
            seat.stack_chips += chips
        self.view.pot_chips = 0

    def _pot_carried(self, event: ev.TableEvent) -> None:
        self.view.carry_chips = event.pot_carried.chips

    # --- A hand: turns ---------------------------------------------------------------------------------------------------

    def _action_required(self, event: ev.TableEvent) -> None:
        turn = event.action_required
        if turn.action_number != self.view.action_number:
            self._end_turn()  # Of several who choose at the same time each is asked, all with one number.
        self.view.action_number = turn.action_number
        self._asked[turn.seat] = turn.legal
        seats = sorted({*self.view.may_act, turn.seat})
        del self.view.may_act[:]
        self.view.may_act.extend(seats)
        self._show_own_or_first()
        self._follow_phase(turn.seat, set(turn.legal.kinds))
        if turn.HasField("deadline_at_ms"):
            self.view.deadline_at_ms = turn.deadline_at_ms

    def _show_own_or_first(self) -> None:
        """Of an open decision show what the viewer may do, else what the first may who was asked."""
        own = self.view.viewer_seat if self.view.HasField("viewer_seat") else -1
        legal = self._asked.get(own) or next(iter(self._asked.values()), None)
        self.view.ClearField("legal")
        if legal is None:
            self.is_incomplete = True
        else:
            self.view.legal.CopyFrom(legal)

    def _follow_phase(self, number: int, kinds: set[ActionKind.ValueType]) -> None:
        """A turn tells whether a betting round began, or a step of choices."""
        if kinds & _CHOICES:
            self._is_between_rounds = True
            if number in self._asked_to_choose:
                self._asked_to_choose.clear()
                self.is_incomplete = True  # All-in: the round between two draws went by without a turn.
            self._asked_to_choose.add(number)
            self.view.hand_phase = HandPhase.HAND_PHASE_CHOOSING
        elif kinds & _WAGERS:
            if self._is_between_rounds and self._has_bet:
                self._set_street(self.view.street + 1)
            self._is_between_rounds = False
            self._asked_to_choose.clear()
            self._has_bet = True
            self.view.hand_phase = HandPhase.HAND_PHASE_BETTING

    def _cut(self, event: ev.TableEvent) -> None:
        del event  # The cards follow.
        self._end_turn()

    def _time_bank_used(self, event: ev.TableEvent) -> None:
        used = event.time_bank_used
        self.view.deadline_at_ms = used.deadline_at_ms
        self.view.seats[used.seat].time_bank_tokens = used.tokens_left

    def _showdown_started(self, event: ev.TableEvent) -> None:
        del event  # Whose turn it is comes as ActionRequired.
        self.view.hand_phase = HandPhase.HAND_PHASE_SHOWDOWN
        self._drop_folded_from_layers()
        if self.view.street + 1 < len(self._street_names):
            self.is_incomplete = True  # Rounds without a turn went by.

    def _hand_ended(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self.view.hand_phase = HandPhase.HAND_PHASE_OVER
        self.view.pot_chips = 0
        for name in ("layers", "small_blind_seat", "big_blind_seat"):
            self.view.ClearField(name)
        self._set_stacks(event.hand_ended.stacks)

    def _hand_voided(self, event: ev.TableEvent) -> None:
        self._clear_hand()
        self.view.ClearField("stakes")
        self.view.hand_phase = HandPhase.HAND_PHASE_OVER
        self._set_stacks(event.hand_voided.stacks)

    def _end_turn(self) -> None:
        self._asked.clear()
        self._give_up_chosen()
        del self.view.may_act[:]
        self.view.ClearField("legal")
        self.view.ClearField("deadline_at_ms")

    def _clear_hand(self) -> None:
        self._end_turn()
        self._is_between_rounds = False
        self._asked_to_choose.clear()
        self._has_bet = False
        del self.view.board[:]
        del self.view.layers[:]
        self.view.pot_chips = 0
        for seat in self.view.seats:
            for name in _OF_ONE_HAND:
                seat.ClearField(name)

    def _set_stacks(self, stacks: Sequence[int]) -> None:
        for seat, chips in zip(self.view.seats, stacks, strict=False):
            seat.stack_chips = chips

    def _set_street(self, street: int) -> None:
        self.view.street = street
        self.view.street_name = self._street_names[street] if street < len(self._street_names) else ""

    # One handler a kind of event; a kind that is not here changes nothing that a view shows.
    _HANDLERS: ClassVar[Mapping[str, Callable[["TableState", ev.TableEvent], None]]] = {
        "night_opened": _opened,
        "hand_starting": _hand_starting,
        "ante_posted": _ante_posted,
        "blind_posted": _blind_posted,
        "call_required": _call_required,
        "game_called": _game_called,
        "call_dropped": _call_dropped,
        "hole_cards_dealt": _hole_cards_dealt,
        "up_cards_dealt": _up_cards_dealt,
        "common_card_dealt": _common_card_dealt,
        "choice_made": _choice_made,
        "cards_drawn": _cards_drawn,
        "cards_passed": _cards_passed,
        "halves_declared": _halves_declared,
        "bring_in_posted": _bring_in_posted,
        "pot_divided": _pot_divided,
        "pot_carried": _pot_carried,
        "board_dealt": _board_dealt,
        "action_required": _action_required,
        "deck_cut": _cut,
        "time_bank_used": _time_bank_used,
        "player_folded": _folded,
        "player_checked": _checked,
        "player_called": _called,
        "player_bet": _bet,
        "player_raised": _raised,
        "uncalled_returned": _uncalled_returned,
        "bets_collected": _collected,
        "showdown_started": _showdown_started,
        "hand_shown": _shown,
        "hand_mucked": _mucked,
        "layer_awarded": _awarded,
        "hand_ended": _hand_ended,
        "hand_voided": _hand_voided,
        "session_finished": _finished,
        "playoff_finished": _playoff_finished,
        "night_closed": _closed,
    }
