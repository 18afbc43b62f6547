"""A table as one viewer may see it, as a value: everything needed to draw it, and no card that `view` would hide.

Built from a night whenever somebody asks; it is no part of the state. Cards and words for hands come from `view` alone, so a
seat that folded or mucked out of the viewer's sight has no cards here at all.
"""

from typing import Literal

import msgspec

from homegame_engine.actions import LegalActions
from homegame_engine.events import ActionRequired, GameCalled, LayerShown, Placement
from homegame_engine.hand import Hand
from homegame_engine.night.calling import called_event
from homegame_engine.night.dealing import is_passing
from homegame_engine.night.night import Night
from homegame_engine.night.state import NightPhase, Person
from homegame_engine.session import Session
from homegame_engine.specs import GameSpec, HandRules
from homegame_engine.stakes import level_rules
from homegame_engine.view import project, seen_hole_cards, seen_rank_text, seen_wild_positions

SeatStatus = Literal["EMPTY", "SEATED", "SITTING_OUT", "BUSTED"]
SeatHand = Literal["NONE", "LIVE", "FOLDED", "SHOWN", "MUCKED"]
ShownPhase = Literal["NONE", "BETTING", "CHOOSING", "SHOWDOWN", "OVER"]


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat. Amounts are chips in the base unit."""

    seat: int
    status: SeatStatus = "EMPTY"
    participant_id: str = ""
    name: str = ""
    acknowledged: bool = False
    stack_chips: int = 0  # Behind; before play the stack that the seat will start with.
    hand: SeatHand = "NONE"
    all_in: bool = False
    street_chips: int = 0
    committed_chips: int = 0
    cards: tuple[int, ...] = ()  # CARD_HIDDEN where the viewer may not see them.
    rank_text: str = ""
    time_bank_tokens: int = 0  # Left for the session (PROC-CLK-02).
    agrees_to_resets: bool = False  # PTS-B3-03.
    has_reset: bool = False
    up_positions: tuple[int, ...] = ()  # Which of `cards` lie face up.
    wild_positions: tuple[int, ...] = ()  # Which of them the viewer may know to be wild.
    declared: str = ""  # LOW, HIGH or BOTH, once all declarations are revealed (GAME-DECL-01).
    drawn_count: int | None = None  # Cards changed in the last draw of this hand.


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table for one viewer. Seats count from 0; a hand that is over stays in view until the next one starts."""

    viewer_seat: int | None  # None for a spectator.
    phase: NightPhase
    action_number: int
    hand_number: int  # Of the running or last hand, 0 before the first.
    game_id: str
    hand_phase: ShownPhase
    completed_orbits: int
    button: int | None
    small_blind_seat: int | None
    big_blind_seat: int | None
    level: int  # Position in the format's levels.
    street: int
    street_name: str
    board: tuple[int, ...]
    layers: tuple[LayerShown, ...]
    pot_chips: int
    seats: tuple[SeatView, ...]
    may_act: tuple[int, ...]
    legal: LegalActions | None
    deadline_at_ms: int | None
    standings: tuple[Placement, ...]
    finished_by: str  # Empty while the session runs.
    resets_agreed: bool  # PTS-B3-03, settled when play begins.
    carry_chips: int  # In the middle from the hands before (POT-SPLIT-03, GAME-DC-06).
    caller_seat: int | None  # The dealer who is to call a game now (GAME-DC-01).
    called: GameCalled | None  # For the running or the coming hand.
    sitting_out: tuple[int, ...]  # Seats that pass that hand only.
    leg_seat: int | None  # KILL-02
    killer_seat: int | None  # Of the running or the coming hand.
    rules: HandRules | None  # What the hand in view is played by, with its sizes; None without one.


def table_view(night: Night, viewer_seat: int | None) -> TableView:
    """Show the table of `night` to the person in `viewer_seat` (None: a spectator).

    Rules: PROC-SHOW-06, PROC-SHOW-07 (cards that were not shown are never delivered to anybody else).
    """
    session = night.session
    hand = None if session is None or _is_void(session) else session.hand
    is_live = session is not None and session.hand_is_live
    game = night.created.game if session is None else session.game_spec
    calling = night.calling
    number = 1 if session is None else session.hand_number
    return TableView(
        viewer_seat=viewer_seat,
        phase=night.phase,
        action_number=night.action_number,
        hand_number=0 if hand is None else hand.hand_number,
        game_id=game.id,
        hand_phase=_shown_phase(hand, is_live=is_live),
        completed_orbits=0 if session is None else session.orbits_completed,
        button=None if session is None else session.button,
        small_blind_seat=_seat_or_none(hand.small_blind_seat) if hand is not None and is_live else None,
        big_blind_seat=_seat_or_none(hand.big_blind_seat) if hand is not None and is_live else None,
        level=sum(1 for level in night.created.format.levels if level.from_hand <= number) - 1,
        street=0 if hand is None else max(hand.street, 0),
        street_name="" if hand is None or hand.street < 0 else game.street_names[hand.street],
        board=() if hand is None else hand.board,
        layers=_layers(hand) if hand is not None and is_live else (),
        pot_chips=hand.pot_chips if hand is not None and is_live else 0,
        seats=tuple(_seat_view(night, hand, seat, viewer_seat) for seat in range(night.created.n_seats)),
        may_act=_seats(night.may_act_mask),
        legal=_seen_legal(night, viewer_seat),
        deadline_at_ms=night.deadline_at_ms,
        standings=night.standings(),
        finished_by="" if night.finished is None else night.finished.by,
        resets_agreed=night.resets_agreed,
        carry_chips=0 if session is None else session.carry_chips,
        caller_seat=calling.dealer if calling is not None and calling.called is None else None,
        called=None if calling is None or calling.called is None else called_event(night, calling, calling.called),
        sitting_out=() if calling is None else calling.sitting_out,
        leg_seat=None if session is None else _seat_or_none(session.kill_marker.leg_seat),
        killer_seat=None if session is None else _seat_or_none(session.kill_marker.killer_seat),
        rules=None if session is None or hand is None else session.played_rules,
    )


def game_in_view(night: Night) -> tuple[GameSpec, HandRules]:
    """What `TableView.game_id` names, with what it is played by: of the hand in view, before the first of the coming one."""
    session = night.session
    if session is None:
        created = night.created
        return created.game, level_rules(created.house, created.format.levels[0], created.format.betting.structure)
    return session.game_spec, session.played_rules or session.hand_rules


def _seen_legal(night: Night, viewer_seat: int | None) -> LegalActions | None:
    """What may be done, as the viewer may know it (GAME-DC-06: who has openers is nobody else's business)."""
    legal = night.legal_actions(viewer_seat)
    if legal is None:
        return None
    asked = ActionRequired(seat=legal.seat, action_number=night.action_number, legal=legal, deadline_at_ms=0)
    seen = project(asked, viewer_seat)
    return seen.legal if isinstance(seen, ActionRequired) else None


def _is_void(session: Session) -> bool:
    """Whether the last hand was voided: nobody won and nothing was carried, which no completed hand can say (PROC-VOID-02)."""
    hand = session.hand
    return hand is not None and not session.hand_is_live and not any(hand.won_chips) and hand.carry_chips == 0


def _shown_phase(hand: Hand | None, *, is_live: bool) -> ShownPhase:
    if hand is None:
        return "NONE"
    if not is_live:
        return "OVER"
    if hand.phase == "CHOOSING":
        return "CHOOSING"
    return "BETTING" if hand.phase == "BETTING" else "SHOWDOWN"


def _seat_view(night: Night, hand: Hand | None, seat: int, viewer_seat: int | None) -> SeatView:
    person = night.seated.get(seat)
    if person is None:
        return SeatView(seat=seat)
    status, stack_chips = _standing(night, hand, seat, person)
    seen = SeatView(
        seat=seat,
        status=status,
        participant_id=person.participant_id,
        name=person.name,
        acknowledged=person.acknowledged,
        stack_chips=stack_chips,
        time_bank_tokens=person.time_bank_tokens,
        agrees_to_resets=person.agrees_to_resets,
        has_reset=person.has_reset,
    )
    if hand is None or not hand.dealt_mask >> seat & 1:
        return seen
    in_hand = _seat_hand(hand, seat)
    # Cards that left the table out of the viewer's sight are not even backs any more.
    is_in_sight = in_hand in ("LIVE", "SHOWN") or seat == viewer_seat
    return msgspec.structs.replace(
        seen,
        hand=in_hand,
        all_in=not hand.is_over and bool(hand.all_in_mask >> seat & 1),
        # Once the betting is over the bets lie in the pot's layers; the core keeps its count of the last street.
        street_chips=hand.street_chips[seat] if hand.phase == "BETTING" else 0,
        committed_chips=hand.committed_chips[seat],
        cards=seen_hole_cards(hand, seat, viewer_seat) if is_in_sight else (),
        rank_text=seen_rank_text(hand, seat, viewer_seat),
        up_positions=_seats(hand.up_mask(seat)) if is_in_sight else (),
        wild_positions=seen_wild_positions(hand, seat, viewer_seat) if is_in_sight else (),
        declared=hand.declarations[seat] if hand.declarations else "",
        drawn_count=night.last_draws.get(seat),
    )


def _standing(night: Night, hand: Hand | None, seat: int, person: Person) -> tuple[SeatStatus, int]:
    session = night.session
    if session is None:
        return "SEATED", night.created.format.start.chips
    stack_chips = session.stacks[seat]
    plays_now = session.hand_is_live and hand is not None and bool(hand.dealt_mask >> seat & 1)
    if stack_chips == 0 and not plays_now:
        return "BUSTED", 0
    if person.has_left or is_passing(night, seat):
        return "SITTING_OUT", stack_chips
    return "SEATED", stack_chips


def _seat_hand(hand: Hand, seat: int) -> SeatHand:
    if hand.shown_mask >> seat & 1:
        return "SHOWN"
    if hand.mucked_mask >> seat & 1:
        return "MUCKED"
    return "LIVE" if hand.live_mask >> seat & 1 else "FOLDED"


def _layers(hand: Hand) -> tuple[LayerShown, ...]:
    return tuple(LayerShown(chips=chips, seats=_seats(mask)) for chips, mask in hand.layers)


def _seats(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def _seat_or_none(seat: int) -> int | None:
    return None if seat < 0 else seat
