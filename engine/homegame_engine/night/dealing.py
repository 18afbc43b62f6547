"""Shuffle, commitment, cut and deal (PROC-SHUF-01, PROC-SHUF-02, GEN-08). The commitment comes in with the input.

The deck is that of the coming game (CARD-01, CARD-03). Where its deal can run short of cards, the orders in which the stub would
then be mixed anew are fixed with the deck (CARD-06, GAME-ST-17, GAME-DC-09).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from homegame_engine import deal_proof, game_checks
from homegame_engine import events as ev
from homegame_engine.actions import Cut, LegalActions
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.night.coming import (
    called_format,
    coming_button,
    coming_deck,
    coming_rules,
    coming_steps,
    dealt_in_next,
)
from homegame_engine.night.decisions import after_play
from homegame_engine.night.sheet import check_rows
from homegame_engine.night.state import SealedDeck, violation
from homegame_engine.night.windows import check_window_open
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.actions import AnyAction
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.night import Night

CUT_MIN = 1  # Counted from the top; those cards go to the bottom, and at least one stays above them (PROC-SHUF-02).


def set_passing(night: Night, seat: int, *, passes: bool) -> None:
    """Pass the coming deals or take part again; a deck that is sealed already is dealt as it was sealed (PTS-019)."""
    session = night.require_session()
    if not session.roster_mask >> seat & 1:
        return  # Not in this session: a short hand between others (PTS-B3-05).
    if night.sealed is None:
        session.set_active(seat, active=not passes)
        return
    later = (*night.sealed.passing_later, (seat, passes))
    night.sealed = msgspec.structs.replace(night.sealed, passing_later=later)


def is_passing(night: Night, seat: int) -> bool:
    """Whether a seat passes the coming deals, once a sealed deck is dealt."""
    passes = night.session is not None and bool(night.session.passing_mask >> seat & 1)
    for changed_seat, is_now in night.sealed.passing_later if night.sealed is not None else ():
        passes = is_now if changed_seat == seat else passes
    return passes


def seal_deck(night: Night, given: inp.SealDeck, at_ms: int) -> tuple[AnyEvent, ...]:
    """The clock deals: publish the commitment to the shuffled deck and ask for the cut."""
    session = night.require_session()
    check_rows(night.rows, session.hand_number - 1)
    if night.sealed is not None:
        raise violation(Reason.HAND_IN_PROGRESS, "PROC-SHUF-02", "A deck waits for its cut.")
    refusal = session.deal_refusal(at_ms)
    if refusal is not None:
        raise refusal
    _check_called(night)
    _check_deck(night, given.deck_order)
    _check_mix_orders(given.mix_orders, len(given.deck_order))
    passing_later = _close_call(night)
    button, dealt_in = coming_button(night), dealt_in_next(night)
    cutter = min(dealt_in, key=lambda seat: (seat <= button, seat))  # PROC-SHUF-02: the next player.
    person = night.seated.get(cutter)
    night.sealed = SealedDeck(
        deck_order=given.deck_order, cutter=cutter, mix_orders=given.mix_orders, passing_later=passing_later
    )
    night.action_number += 1
    night.deadline_at_ms = at_ms + (0 if person is None or person.has_left else night.created.cut_ms)
    return (
        ev.DeckSealed(
            hand_number=session.hand_number,
            attempt=night.deal_attempt,
            root=given.root,
            button=button,
            dealt_in=tuple(sorted(dealt_in)),
            mix_root=given.mix_root,
            n_cards=len(given.deck_order),
            steps=coming_steps(night),
            folded_hands_get_cards=coming_rules(night).dead_hand_gets_cards,
        ),
        ev.ActionRequired(
            seat=cutter,
            action_number=night.action_number,
            legal=cut_legal(night.sealed),
            deadline_at_ms=night.deadline_at_ms,
        ),
    )


def _check_called(night: Night) -> None:
    """Hold that the game of the hand is called where the dealer calls it, and that the time for sitting out is over."""
    if not night.calls_games:
        return
    calling = night.calling
    if calling is None or calling.called is None:
        raise InputError("the dealer has called no game yet", field="input")


def _close_call(night: Night) -> tuple[tuple[int, bool], ...]:
    """GAME-DC-02: game and seats stand. Who sits this hand out passes it, and is back in the next."""
    calling = night.calling
    if calling is None:
        return ()
    night.calling = msgspec.structs.replace(calling, is_fixed=True)
    session = night.require_session()
    sitting_out = () if session.redeal_mask else tuple(s for s in calling.sitting_out if not is_passing(night, s))
    for seat in sitting_out:
        session.set_active(seat, active=False)
    return tuple((seat, False) for seat in sitting_out)


def _check_deck(night: Night, deck_order: bytes) -> None:
    deck = coming_deck(night)
    if bytes(sorted(deck_order)) != deck:
        rule_id = "PTS-001" if len(deck) == deal_proof.DECK_CARDS else "CARD-01"
        raise violation(Reason.BAD_DECK, rule_id, f"The deck order does not hold each of the {len(deck)} cards once.")


def _check_mix_orders(mix_orders: bytes, n_cards: int) -> None:
    orders = [mix_orders[first : first + n_cards] for first in range(0, len(mix_orders), n_cards)]
    if len(orders) > game_checks.MIXES_MAX or any(sorted(order) != list(range(n_cards)) for order in orders):
        raise InputError("each order of a reshuffle holds every position of the deck once", field="mix_orders")


def cut_legal(sealed: SealedDeck) -> LegalActions:
    """What the cutter may do."""
    return LegalActions(
        seat=sealed.cutter,
        kinds=("cut",),
        cut_position_min=CUT_MIN,
        cut_position_max=len(sealed.deck_order) - 1,
    )


def cut_by_player(night: Night, seat: int, action: AnyAction, at_ms: int) -> tuple[AnyEvent, ...]:
    """The next player cuts; everything else waits for that."""
    sealed = night.sealed
    if sealed is None:
        raise InputError("no deck waits for a cut", field="action")
    if not isinstance(action, Cut):
        if seat != sealed.cutter:
            raise violation(Reason.OUT_OF_TURN, "BET-GEN-01", "The deck is being cut.", {"seat": sealed.cutter})
        raise violation(Reason.ACTION_UNKNOWN, "PROC-SHUF-02", "Cut the deck first.", {"seat": seat})
    if seat != sealed.cutter:
        raise violation(Reason.NOT_YOUR_ROLE, "PROC-SHUF-02", "The next player cuts.", {"seat": sealed.cutter})
    check_window_open(night, at_ms)
    return _deal_cut(night, sealed, action.position, at_ms, by_clock=False)


def draw_cut(night: Night, given: inp.DrawCut, at_ms: int) -> tuple[AnyEvent, ...]:
    """No answer in time: the server draws the cut (PROC-SHUF-02)."""
    sealed = night.sealed
    if sealed is None or given.action_number != night.action_number:
        raise violation(Reason.STALE_ACTION, "BET-GEN-04", "That cut has been made.")
    if night.deadline_at_ms is None or at_ms < night.deadline_at_ms:
        raise InputError("the window is still open", field="action_number")
    return _deal_cut(night, sealed, given.cut_position, at_ms, by_clock=True)


def _deal_cut(
    night: Night, sealed: SealedDeck, cut_position: int, at_ms: int, *, by_clock: bool
) -> tuple[AnyEvent, ...]:
    cut_max = len(sealed.deck_order) - 1
    if not CUT_MIN <= cut_position <= cut_max:
        raise RuleViolation(
            Reason.BAD_CUT,
            "PROC-SHUF-02",
            facts={"cut_position_min": CUT_MIN, "cut_position_max": cut_max},
            message=f"A cut is {CUT_MIN} to {cut_max} cards from the top.",
        )
    dealt = _deal(night, deal_proof.cut(sealed.deck_order, cut_position), sealed.mix_orders, at_ms)
    night.sealed = None
    for seat, passes in sealed.passing_later:
        set_passing(night, seat, passes=passes)
    was_cut = ev.DeckCut(seat=sealed.cutter, position=cut_position, by_clock=by_clock)
    return after_play(night, (was_cut, *dealt), at_ms)


def start_hand(night: Night, given: inp.StartHand, at_ms: int) -> tuple[AnyEvent, ...]:
    """Deal from an order that was neither committed to nor cut: for tables without a proof."""
    if night.sealed is not None:
        raise violation(Reason.HAND_IN_PROGRESS, "PROC-SHUF-02", "A deck waits for its cut.")
    _check_called(night)
    return after_play(night, _deal(night, given.deck_order, given.mix_orders, at_ms), at_ms)


def _deal(night: Night, deck_order: bytes, mix_orders: bytes, at_ms: int) -> tuple[AnyEvent, ...]:
    session = night.require_session()
    check_rows(night.rows, session.hand_number - 1)
    start_chips = session.stacks
    if night.called_game is not None:
        refusal = session.deal_refusal(at_ms)
        if refusal is not None:
            raise refusal
        format_spec = called_format(night, night.called_game)
        session.change_game(format_spec, night.called_game.game, night.created.house)
    happened = session.start_hand(at_ms, deck_order, mix_orders=mix_orders)
    night.hand_started_at_ms = at_ms
    night.hand_start_chips = start_chips
    night.hand_button = next(event.button for event in happened if isinstance(event, ev.HandStarting))
    for person in night.people.values():
        person.tokens_used_in_hand = 0
    return happened
