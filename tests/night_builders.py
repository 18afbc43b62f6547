"""Short ways to set a night up and to play it, so that a test of a procedure reads like the rule it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import Cut
from homegame_engine.cards import full_deck, parse_cards
from homegame_engine.errors import NotAllowed, RuleViolation
from homegame_engine.night import AnyInput, Night
from homegame_engine.night import inputs as inp
from homegame_engine.notation.stacked_deck import stack_deck
from homegame_engine.session import Session
from tests.table_builders import action_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from homegame_engine.actions import AnyAction
    from homegame_engine.events import AnyEvent
    from homegame_engine.specs import FormatSpec

NOON_MS = 1_700_000_000_000
"""When the nights of the tests are announced, in Unix UTC milliseconds."""
MINUTE_MS = 60_000
DECISION_MS = 30_000
PAUSE_MS = 3_000
HOST = "host"

_Event = TypeVar("_Event", bound=ev.Event)


class Row(NamedTuple):
    """What a journal keeps of an accepted input."""

    at_ms: int
    given: AnyInput
    events: tuple[AnyEvent, ...]
    state_hash: bytes


def person(seat: int) -> str:
    """Id of the player whom the builders put at a seat."""
    return f"player-{seat}"


def points_format(start_chips: int = 100, format_id: str = "B1") -> FormatSpec:
    """A format of the points night, with another posted start where a test wants stacks that run out soon (PTS-002)."""
    spec = catalog.format_by(format_id)
    return msgspec.structs.replace(spec, start=msgspec.structs.replace(spec.start, chips=start_chips))


def announcement(
    *,
    n_seats: int = 6,
    start_chips: int = 100,
    cutoff_at_ms: int | None = NOON_MS + 45 * MINUTE_MS,
    decision_ms: int = DECISION_MS,
    hand_pause_ms: int = PAUSE_MS,
    format_id: str = "B1",
) -> inp.CreateNight:
    """The first input of a points night (base B1), hosted by somebody without a seat."""
    return inp.CreateNight(
        night_id="night-1",
        name="Points night",
        host_id=HOST,
        host_name="Hedda",
        format=points_format(start_chips, format_id),
        game=catalog.game("HOLDEM"),
        house=catalog.house("POINTS_NIGHT"),
        n_seats=n_seats,
        decision_ms=decision_ms,
        hand_pause_ms=hand_pause_ms,
        cutoff_at_ms=cutoff_at_ms,
    )


def order_of_play(dealt_in: Sequence[int], button: int) -> list[int]:
    """Seats clockwise from the button's left, the button last."""
    return sorted(dealt_in, key=lambda seat: (seat <= button, seat))


def points_deck(dealt_in: Sequence[int], button: int, holes: Mapping[int, str], board: str = "") -> bytes:
    """A deck that gives these seats these cards in a points night; the rest lies in the order of codes."""
    seats = order_of_play(dealt_in, button)
    rules = catalog.house("POINTS_NIGHT").hand_rules(small_blind_chips=1, big_blind_chips=2)
    hole_cards = [parse_cards(holes.get(seat, "")) for seat in seats]
    return stack_deck(
        catalog.game("HOLDEM"), rules, button=len(seats) - 1, hole_cards=hole_cards, board=parse_cards(board)
    )


def points_session(n_seats: int, *, seated: Sequence[int] | None = None, first_button: int = 0) -> Session:
    """A session of base B1 with a cutoff that does not come."""
    session = Session.create(
        catalog.format_by("B1"),
        catalog.game("HOLDEM"),
        catalog.house("POINTS_NIGHT"),
        n_seats=n_seats,
        seated_mask=sum(1 << seat for seat in (range(n_seats) if seated is None else seated)),
        first_button=first_button,
    )
    session.post_cutoff(NOON_MS + 45 * MINUTE_MS)
    return session


def fold_round(session: Session, at_ms: int = NOON_MS) -> tuple[AnyEvent, ...]:
    """Deal a hand in which everybody folds to the big blind."""
    happened = session.start_hand(at_ms, full_deck())
    while session.hand_is_live:
        happened += session.apply(session.actor, action_of("f", session.legal_actions()))
    return happened


class NightTable:
    """A night with a clock of its own and the journal of what it accepted."""

    def __init__(self, created: inp.CreateNight | None = None) -> None:
        """Announce the night at noon."""
        self.created = announcement() if created is None else created
        self.now_ms = NOON_MS
        self.night, happened = Night.create(self.created, NOON_MS)
        self.rows = [Row(NOON_MS, self.created, happened, self.night.state_hash())]

    # --- People ----------------------------------------------------------------------------------------------------------

    def give(self, given: AnyInput, *, after_ms: int = 0) -> tuple[AnyEvent, ...]:
        """Carry out an input `after_ms` later."""
        self.now_ms += after_ms
        happened = self.night.apply(given, self.now_ms)
        self.rows.append(Row(self.now_ms, given, happened, self.night.state_hash()))
        return happened

    def seat(self, *seats: int) -> None:
        """Let a player join for each seat, sit down and acknowledge the posting."""
        for seat in seats:
            self.give(inp.JoinNight(participant_id=person(seat), name=f"Player {seat}"))
            self.give(inp.TakeSeat(participant_id=person(seat), seat=seat))
            if self.night.cutoff_at_ms is not None:
                self.give(inp.AcknowledgePosting(participant_id=person(seat)))

    def open(self, button: int | None = None) -> tuple[AnyEvent, ...]:
        """Begin play with the first button at `button`, by default at the lowest seat."""
        seats = sorted(self.night.seated)
        draw = 0 if button is None else seats.index(button)
        return self.give(inp.OpenNight(participant_id=HOST, button_draw=draw))

    # --- Play ------------------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session of a night that is open."""
        assert self.night.session is not None
        return self.night.session

    def deal(self, holes: Mapping[int, str] | None = None, board: str = "", *, after_ms: int = PAUSE_MS) -> None:
        """Deal the next hand with these cards."""
        session = self.session
        seats = [seat for seat in range(session.n_seats) if session.active_mask >> seat & 1]
        button = session.button
        while button not in seats:
            button = (button + 1) % session.n_seats
        self.give(inp.StartHand(deck_order=points_deck(seats, button, holes or {}, board)), after_ms=after_ms)

    def seal(
        self, deck_order: bytes | None = None, *, root: bytes = bytes(32), after_ms: int = PAUSE_MS
    ) -> tuple[AnyEvent, ...]:
        """Seal a deck for the next hand; the commitment itself is no business of the night."""
        given = inp.SealDeck(deck_order=deck_order or full_deck(), key=bytes(32), root=root)
        return self.give(given, after_ms=after_ms)

    def cut(self, position: int = 17, *, after_ms: int = 100) -> tuple[AnyEvent, ...]:
        """Cut for the seat that has to."""
        action = Cut(position)
        given = inp.Act(participant_id=person(self.night.actor), action_number=self.night.action_number, action=action)
        return self.give(given, after_ms=after_ms)

    def act(self, action: AnyAction | str, *, seat: int | None = None, after_ms: int = 100) -> tuple[AnyEvent, ...]:
        """Act for the seat to act, or for another one."""
        played = action_of(action, self.session.legal_actions()) if isinstance(action, str) else action
        actor = self.session.actor if seat is None else seat
        return self.give(
            inp.Act(participant_id=person(actor), action_number=self.night.action_number, action=played),
            after_ms=after_ms,
        )

    def play(self, words: str) -> tuple[AnyEvent, ...]:
        """Play actions of the seats in turn, for example `"r4 f c k b2 f"`."""
        happened: tuple[AnyEvent, ...] = ()
        for word in words.split():
            happened += self.act(word)
        return happened

    def fold_out(self) -> tuple[AnyEvent, ...]:
        """Let everybody fold to the big blind, or check and show where folding is not open."""
        happened: tuple[AnyEvent, ...] = ()
        while self.session.hand_is_live:
            kinds = self.session.legal_actions().kinds
            happened += self.act("f" if "fold" in kinds else "k" if "check" in kinds else "s")
        return happened

    def fold_out_by_clock(self) -> tuple[AnyEvent, ...]:
        """Let the clock finish the hand."""
        happened: tuple[AnyEvent, ...] = ()
        while self.session.hand_is_live:
            happened += self.time_out()
        return happened

    def time_out(self) -> tuple[AnyEvent, ...]:
        """Let the clock act exactly at the deadline."""
        due = self.night.due()
        assert due is not None
        assert due.kind == "TIME_OUT"
        self.now_ms = max(self.now_ms, due.at_ms)
        return self.give(inp.TimeOut(action_number=due.action_number))

    # --- What holds ------------------------------------------------------------------------------------------------------

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """Everything that happened."""
        return tuple(event for row in self.rows for event in row.events)

    @property
    def chips(self) -> tuple[int, ...]:
        """Stacks by seat, of which the wagers of a live hand are no part."""
        return self.session.stacks

    def refuse(
        self, given: AnyInput, reason: str, rule_id: str | None = None, *, after_ms: int = 0
    ) -> RuleViolation | NotAllowed:
        """Hold that an input is refused with its reason, and that the refusal leaves every byte as it was."""
        before = self.night.encode()
        with pytest.raises((RuleViolation, NotAllowed)) as caught:
            self.night.apply(given, self.now_ms + after_ms)
        refusal = caught.value
        assert isinstance(refusal, RuleViolation | NotAllowed)
        assert refusal.reason == reason
        assert rule_id is None or getattr(refusal, "rule_id", None) == rule_id
        assert self.night.encode() == before
        return refusal

    def refuse_act(
        self, action: AnyAction, reason: str, rule_id: str, *, seat: int | None = None
    ) -> RuleViolation | NotAllowed:
        """As `refuse`, for an action of the seat to act or of another one."""
        actor = self.session.actor if seat is None else seat
        given = inp.Act(participant_id=person(actor), action_number=self.night.action_number, action=action)
        return self.refuse(given, reason, rule_id)


def points_table(
    n_players: int,
    *,
    button: int = 0,
    n_seats: int | None = None,
    start_chips: int = 100,
    cutoff_after_ms: int = 45 * MINUTE_MS,
    decision_ms: int = DECISION_MS,
    format_id: str = "B1",
) -> NightTable:
    """A night that is open, with players at the first seats and the button at one of them."""
    created = announcement(
        n_seats=n_seats or n_players,
        start_chips=start_chips,
        cutoff_at_ms=NOON_MS + cutoff_after_ms,
        decision_ms=decision_ms,
        format_id=format_id,
    )
    table = NightTable(created)
    table.seat(*range(n_players))
    table.open(button)
    return table


def game_table(game_id: str, house_id: str, n_players: int, *, format_id: str = "", **settings: int) -> NightTable:
    """A night that is open, at a table of one game in a house, or in a format that dealers call games in."""
    house = catalog.house(house_id)
    played = catalog.format_by(format_id) if format_id else catalog.table_format(game_id, house)
    created = inp.CreateNight(
        night_id="night-1",
        name="A table",
        host_id=HOST,
        host_name="Hedda",
        format=played,
        game=catalog.game(game_id),
        house=house,
        n_seats=n_players,
        decision_ms=DECISION_MS,
        hand_pause_ms=PAUSE_MS,
        cutoff_at_ms=NOON_MS + 240 * MINUTE_MS,
        **settings,
    )
    table = NightTable(created)
    table.seat(*range(n_players))
    table.open(0)
    return table


def events_of(happened: Sequence[AnyEvent], kind: type[_Event]) -> list[_Event]:
    """The events of one kind."""
    return [event for event in happened if isinstance(event, kind)]


def event_of(happened: Sequence[AnyEvent], kind: type[_Event]) -> _Event:
    """The one event of a kind."""
    (event,) = events_of(happened, kind)
    return event


def replay(rows: Sequence[Row]) -> Night:
    """Fold journal rows into a fresh night, through the form in which a journal stores them; holds every row's hash."""
    first = msgspec.json.decode(msgspec.json.encode(rows[0].given), type=inp.CreateNight)
    night, happened = Night.create(first, rows[0].at_ms)
    assert (happened, night.state_hash()) == (rows[0].events, rows[0].state_hash)
    for number, row in enumerate(rows[1:], start=1):
        given = msgspec.json.decode(msgspec.json.encode(row.given), type=AnyInput)
        assert (night.apply(given, row.at_ms), night.state_hash()) == (row.events, row.state_hash), f"row {number}"
    return night
