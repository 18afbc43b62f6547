"""A table kept up to date from its events, without knowing a rule.

Every amount, card and legal action is copied from the events; nothing is judged. Where an event does not say everything
(places after a hand, who is out, a seat that was left), the state says that it is incomplete and the caller asks for
the table again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from homegame.v1 import events_pb2 as ev
from homegame.v1.cards_pb2 import Card
from homegame.v1.nights_pb2 import NightPhase
from homegame.v1.views_pb2 import HandPhase, SeatHand, SeatStatus, SeatView, TableView

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
        self.is_incomplete = False
        """Whether something happened that the events do not spell out: ask for the table and `replace` it."""

    def replace(self, view: TableView) -> None:
        """Take over a newer view. One that is older than what the events have told is ignored."""
        if view.last_number >= self.view.last_number:
            self.view.CopyFrom(view)
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
        if handler is not None:
            handler(self, event)
        if kind is None or kind in _TELLS_NOT_ALL:
            self.is_incomplete = True

    @property
    def own_seat(self) -> SeatView | None:
        """The viewer's seat, None for a spectator."""
        return self.view.seats[self.view.viewer_seat] if self.view.HasField("viewer_seat") else None

    @property
    def is_own_turn(self) -> bool:
        """Whether the viewer is the one to act."""
        view = self.view
        return view.HasField("legal") and view.HasField("viewer_seat") and view.viewer_seat in view.may_act

    # --- The night -------------------------------------------------------------------------------------------------------

    def _seat_taken(self, event: ev.TableEvent) -> None:
        taken = event.seat_taken
        seat = self.view.seats[taken.seat]
        seat.participant_id = taken.participant_id
        seat.display_name = taken.display_name
        seat.status = SeatStatus.SEAT_STATUS_SEATED
        seat.stack_chips = self.view.posting.start_chips

    def _reset_agreement(self, event: ev.TableEvent) -> None:
        self.view.seats[event.reset_agreement.seat].agrees_to_resets = event.reset_agreement.agrees

    def _stack_reset(self, event: ev.TableEvent) -> None:
        seat = self.view.seats[event.stack_reset.seat]
        seat.stack_chips += event.stack_reset.chips
        seat.has_reset = True

    def _acknowledged(self, event: ev.TableEvent) -> None:
        self.view.seats[event.posting_acknowledged.seat].acknowledged = True

    def _cutoff_posted(self, event: ev.TableEvent) -> None:
        self.view.posting.cutoff_at_ms = event.cutoff_posted.cutoff_at_ms
        for seat in self.view.seats:
            seat.acknowledged = False

    def _opened(self, event: ev.TableEvent) -> None:
        self.view.phase = NightPhase.NIGHT_PHASE_PLAYING
        self.view.posting.cutoff_at_ms = event.night_opened.cutoff_at_ms
        self.view.resets_agreed = event.night_opened.resets_agreed
        for number in event.night_opened.roster:
            self.view.seats[number].time_bank_tokens = self.view.posting.time_bank_tokens
        self._set_stacks(event.night_opened.stacks)

    def _sat_out(self, event: ev.TableEvent) -> None:
        self.view.seats[event.seat_sat_out.seat].status = SeatStatus.SEAT_STATUS_SITTING_OUT

    def _returned(self, event: ev.TableEvent) -> None:
        self.view.seats[event.seat_returned.seat].status = SeatStatus.SEAT_STATUS_SEATED

    def _button_placed(self, event: ev.TableEvent) -> None:
        self.view.button = event.button_placed.seat

    def _orbit_completed(self, event: ev.TableEvent) -> None:
        self.view.completed_orbits = event.orbit_completed.orbit_number

    def _finished(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self.view.phase = NightPhase.NIGHT_PHASE_FINISHED
        self.view.finish_reason = event.session_finished.by
        del self.view.standings[:]
        self.view.standings.extend(event.session_finished.placements)

    def _playoff_started(self, event: ev.TableEvent) -> None:
        del event  # Its stacks come with the table.
        self.view.phase = NightPhase.NIGHT_PHASE_PLAYOFF

    def _playoff_finished(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self.view.phase = NightPhase.NIGHT_PHASE_FINISHED
        del self.view.standings[:]
        self.view.standings.extend(event.playoff_finished.placements)

    def _closed(self, event: ev.TableEvent) -> None:
        del event  # It says no more than that.
        self._end_turn()
        self.view.phase = NightPhase.NIGHT_PHASE_CLOSED

    def _resumed(self, event: ev.TableEvent) -> None:
        self.view.ClearField("deadline_at_ms")
        if event.play_resumed.HasField("deadline_at_ms"):
            self.view.deadline_at_ms = event.play_resumed.deadline_at_ms

    # --- A hand: cards ---------------------------------------------------------------------------------------------------

    def _hand_starting(self, event: ev.TableEvent) -> None:
        hand = event.hand_starting
        view = self.view
        self._clear_hand()
        self._set_stacks(hand.stacks)
        view.hand_number = hand.hand_number
        view.hand_phase = HandPhase.HAND_PHASE_BETTING
        view.button = hand.button
        for name in ("small_blind_seat", "big_blind_seat"):
            view.ClearField(name)
            if hand.HasField(name):
                setattr(view, name, getattr(hand, name))
        started = [index for index, level in enumerate(view.posting.levels) if level.from_hand <= hand.hand_number]
        view.level = started[-1] if started else 0
        self._set_street(0)
        for seat in hand.dealt_in:
            view.seats[seat].hand = SeatHand.SEAT_HAND_LIVE

    def _hole_cards_dealt(self, event: ev.TableEvent) -> None:
        self.view.seats[event.hole_cards_dealt.seat].cards.extend(event.hole_cards_dealt.cards)

    def _board_dealt(self, event: ev.TableEvent) -> None:
        self.view.board.extend(event.board_dealt.cards)
        self._set_street(event.board_dealt.street)
        for seat in self.view.seats:
            seat.rank_text = ""  # It named the hand before these cards.

    def _shown(self, event: ev.TableEvent) -> None:
        self._end_turn()
        shown = event.hand_shown
        seat = self.view.seats[shown.seat]
        seat.hand = SeatHand.SEAT_HAND_SHOWN
        del seat.cards[:]
        seat.cards.extend(shown.cards)
        seat.rank_text = shown.rank_text

    def _mucked(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self._give_up(event.hand_mucked.seat, SeatHand.SEAT_HAND_MUCKED)

    def _folded(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self._give_up(event.player_folded.seat, SeatHand.SEAT_HAND_FOLDED)

    def _give_up(self, number: int, hand: SeatHand.ValueType) -> None:
        seat = self.view.seats[number]
        seat.hand = hand
        if not any(card != Card.CARD_HIDDEN for card in seat.cards):
            del seat.cards[:]

    # --- A hand: chips ---------------------------------------------------------------------------------------------------

    def _ante_posted(self, event: ev.TableEvent) -> None:
        posted = event.ante_posted
        self._put_in(posted.seat, posted.chips, all_in=posted.all_in)

    def _blind_posted(self, event: ev.TableEvent) -> None:
        posted = event.blind_posted
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

    def _awarded(self, event: ev.TableEvent) -> None:
        for share in event.layer_awarded.shares:
            self.view.seats[share.seat].stack_chips += share.chips
        self.view.pot_chips -= event.layer_awarded.chips
        if event.layer_awarded.layer < len(self.view.layers):
            self.view.layers[event.layer_awarded.layer].chips = 0

    # --- A hand: turns ---------------------------------------------------------------------------------------------------

    def _action_required(self, event: ev.TableEvent) -> None:
        turn = event.action_required
        self._end_turn()
        self.view.action_number = turn.action_number
        self.view.may_act.append(turn.seat)
        self.view.legal.CopyFrom(turn.legal)
        if turn.HasField("deadline_at_ms"):
            self.view.deadline_at_ms = turn.deadline_at_ms

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

    def _hand_ended(self, event: ev.TableEvent) -> None:
        self._end_turn()
        self.view.hand_phase = HandPhase.HAND_PHASE_OVER
        self.view.pot_chips = 0
        for name in ("layers", "small_blind_seat", "big_blind_seat"):
            self.view.ClearField(name)
        self._set_stacks(event.hand_ended.stacks)

    def _hand_voided(self, event: ev.TableEvent) -> None:
        self._clear_hand()
        self.view.hand_phase = HandPhase.HAND_PHASE_OVER
        self._set_stacks(event.hand_voided.stacks)

    def _end_turn(self) -> None:
        del self.view.may_act[:]
        self.view.ClearField("legal")
        self.view.ClearField("deadline_at_ms")

    def _clear_hand(self) -> None:
        self._end_turn()
        del self.view.board[:]
        del self.view.layers[:]
        self.view.pot_chips = 0
        for seat in self.view.seats:
            for name in ("hand", "all_in", "street_chips", "committed_chips", "cards", "rank_text"):
                seat.ClearField(name)

    def _set_stacks(self, stacks: Sequence[int]) -> None:
        for seat, chips in zip(self.view.seats, stacks, strict=False):
            seat.stack_chips = chips

    def _set_street(self, street: int) -> None:
        self.view.street = street
        self.view.street_name = self._street_names[street] if street < len(self._street_names) else ""

    # One handler a kind of event; a kind that is not here changes nothing that a view shows.
    _HANDLERS: ClassVar[Mapping[str, Callable[["TableState", ev.TableEvent], None]]] = {
        "seat_taken": _seat_taken,
        "posting_acknowledged": _acknowledged,
        "reset_agreement": _reset_agreement,
        "stack_reset": _stack_reset,
        "cutoff_posted": _cutoff_posted,
        "night_opened": _opened,
        "seat_sat_out": _sat_out,
        "seat_returned": _returned,
        "button_placed": _button_placed,
        "hand_starting": _hand_starting,
        "ante_posted": _ante_posted,
        "blind_posted": _blind_posted,
        "hole_cards_dealt": _hole_cards_dealt,
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
        "orbit_completed": _orbit_completed,
        "session_finished": _finished,
        "playoff_started": _playoff_started,
        "playoff_finished": _playoff_finished,
        "night_closed": _closed,
        "play_resumed": _resumed,
    }
