"""Dealer's choice: the dealer of each hand calls its game, and others may sit it out (GAME-DC-01 to GAME-DC-03, HOUSE-DEAL-01).

Between two hands of such a night the dealer of the next one calls within the posted time; everybody sees the explanation; who
wants to passes this hand only; then the deck is sealed and the description is fixed. The choice moves with the deal. A hand that
is dealt again keeps its game: after a void as long as its dealer and enough players stay, after a redeal of the pot always.

A dealer who calls nothing in time deals the game that was called last, before any call the game of the format's block. That
default is ours: the rulebook names none, and a table must go on.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

from homegame_engine import events as ev
from homegame_engine.errors import InputError, RuleViolation, SpecError
from homegame_engine.format_checks import CHIPS_MAX, most_players
from homegame_engine.game_checks import check_game
from homegame_engine.night.coming import coming_level, dealt_in_next, is_dealt_again
from homegame_engine.night.state import CalledGame, Calling, violation
from homegame_engine.night.windows import check_action_number, check_window_open
from homegame_engine.reasons import Reason
from homegame_engine.spec_reader import Source
from homegame_engine.specs import BettingStreet, ConditionsSpec, DeclareHalves, stored_form
from homegame_engine.stakes import level_rules

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.night import inputs as inp
    from homegame_engine.night.inputs import CallOptions
    from homegame_engine.night.night import Night
    from homegame_engine.specs import GameShowdownSpec, GameSpec

CHANGES_MAX: Final = 3
"""Times a dealer may replace a call before the deck is sealed; each opens the window to sit out anew."""
_FEWEST_PLAYERS: Final = 2
_LOWS: Final = ("ACE_TO_FIVE", "ACE_TO_SIX", "HOUSE_LOW")


# --- Whose call it is -----------------------------------------------------------------------------------------------------


def follow_call(night: Night, at_ms: int) -> tuple[AnyEvent, ...]:
    """Keep the call in step with who plays: to be asked after whatever changes that, or ends a hand."""
    session = night.require_session()
    if not night.calls_games or session.hand_is_live or night.sealed is not None or is_dealt_again(night):
        return ()
    seats = dealt_in_next(night)
    calling = night.calling
    dealer = seats[0] if len(seats) >= _FEWEST_PLAYERS else None
    if calling is not None and calling.dealer == dealer and _enough_stay(calling, seats):
        return ()
    dropped = (ev.CallDropped(seat=calling.dealer),) if calling is not None and calling.called is not None else ()
    night.calling = None
    night.deadline_at_ms = None
    return dropped if dealer is None else (*dropped, _ask_for_call(night, dealer, at_ms))


def end_call(night: Night, at_ms: int) -> tuple[AnyEvent, ...]:
    """A hand is over: the choice moves on with the deal, unless the pot is dealt for again (GAME-DC-01, GAME-DC-06)."""
    if is_dealt_again(night):
        return ()
    night.calling = None
    return follow_call(night, at_ms)


def _enough_stay(calling: Calling, seats: tuple[int, ...]) -> bool:
    if calling.called is None:
        return True
    stay = set(seats) - set(calling.sitting_out)
    return len(stay) >= max(_FEWEST_PLAYERS, calling.called.game.players.min)


def _ask_for_call(night: Night, dealer: int, at_ms: int) -> AnyEvent:
    night.calling = Calling(dealer=dealer)
    night.action_number += 1
    night.deadline_at_ms = at_ms + night.created.call_ms
    return ev.CallRequired(seat=dealer, action_number=night.action_number, deadline_at_ms=night.deadline_at_ms)


# --- The call -------------------------------------------------------------------------------------------------------------


def check_caller(night: Night, participant_id: str, action_number: int, at_ms: int) -> Calling:
    """Hold that a person may call a game now, and return the call that is due.

    Raises:
        RuleViolation: STALE_ACTION, NOT_DEALER (GAME-DC-01), CONFIG_LOCKED (GAME-DC-02), ACTION_CLOSED (PROC-CLK-05).
        NotAllowed: NOT_YOUR_ROLE.
    """
    _, seat = night.require_seated(participant_id)
    session = night.require_session()
    if not night.calls_games:
        raise violation(Reason.CONFIG_LOCKED, "GEN-05", "The games of this night were posted.")
    check_action_number(night, action_number)
    calling = night.calling
    if calling is None or calling.dealer != seat:
        facts = {} if calling is None else {"seat": calling.dealer}
        raise violation(Reason.NOT_DEALER, "GAME-DC-01", "Only the dealer of the hand calls its game.", facts)
    if session.hand_is_live or calling.is_fixed:
        raise violation(Reason.CONFIG_LOCKED, "GAME-DC-02", "The game of this hand is fixed.")
    if calling.n_changes >= CHANGES_MAX:
        raise violation(Reason.CONFIG_LOCKED, "GAME-DC-02", "You have changed your call often enough.")
    check_window_open(night, at_ms)
    return calling


def call(night: Night, given: inp.CallGame, at_ms: int) -> tuple[AnyEvent, ...]:
    """The dealer calls a game and explains it, or replaces the call (GAME-DC-01 to GAME-DC-03, HOUSE-DEAL-02)."""
    calling = check_caller(night, given.participant_id, given.action_number, at_ms)
    game = _with_options(given.game, given.options)
    _check_describable(game)
    explanation = given.explanation.strip() or game.explanation.strip()
    if not explanation and not given.is_library:
        raise violation(
            Reason.EXPLANATION_MISSING, "GAME-DC-03", "A game outside the library needs an explanation for everybody."
        )
    _check_players(night, game)
    return _take_call(
        night,
        calling,
        CalledGame(
            game=game,
            explanation=explanation or game.summary,
            ante_chips=_ante_chips(night, given.ante_chips),
            by_clock=False,
            digest=_digest(game),
        ),
        at_ms,
    )


def call_by_clock(night: Night, given: inp.CallByClock, at_ms: int) -> tuple[AnyEvent, ...]:
    """The dealer called nothing in time: the game called last, before any the format's own."""
    calling = night.calling
    if given.action_number != night.action_number or calling is None or calling.called is not None:
        raise violation(Reason.STALE_ACTION, "BET-GEN-04", "That call has been made.")
    if night.deadline_at_ms is None or at_ms < night.deadline_at_ms:
        raise InputError("the window is still open", field="action_number")
    called = night.last_called
    if called is None or not called.game.players.min <= len(dealt_in_next(night)) <= most_players(
        called.game, night.created.house
    ):
        game = night.created.game
        called = CalledGame(
            game=game,
            explanation=game.explanation.strip() or game.summary,
            ante_chips=0,
            by_clock=True,
            digest=_digest(game),
        )
    by_clock = msgspec.structs.replace(called, ante_chips=_ante_chips(night, None), by_clock=True)
    return _take_call(night, calling, by_clock, at_ms)


def _take_call(night: Night, calling: Calling, called: CalledGame, at_ms: int) -> tuple[AnyEvent, ...]:
    again = 0 if calling.called is None else 1
    night.last_called = called
    night.action_number += 1
    night.deadline_at_ms = at_ms + night.created.sit_out_ms
    night.calling = Calling(
        dealer=calling.dealer,
        called=called,
        n_changes=calling.n_changes + again,
        action_number=night.action_number,
        sit_out_until_ms=night.deadline_at_ms,
    )
    return (called_event(night, night.calling, called),)


def called_event(night: Night, calling: Calling, called: CalledGame) -> ev.GameCalled:
    """What everybody is told of a call."""
    created = night.created
    level = coming_level(night, called)
    return ev.GameCalled(
        seat=calling.dealer,
        game=called.game,
        rules=level_rules(created.house, level, created.format.betting.structure),
        explanation=called.explanation,
        ante_chips=called.ante_chips,
        by_clock=called.by_clock,
        action_number=calling.action_number,
        deadline_at_ms=calling.sit_out_until_ms,
    )


# --- What may be called ---------------------------------------------------------------------------------------------------


def _digest(game: GameSpec) -> bytes:
    return hashlib.blake2b(msgspec.msgpack.encode(stored_form(game)), digest_size=32).digest()


def _check_describable(game: GameSpec) -> None:
    try:
        check_game(game, Source("call", "", Reason.GAME_NOT_DESCRIBABLE, "GAME-DC-04"))
    except SpecError as error:
        raise RuleViolation(Reason(error.reason), error.rule_id, message=error.message) from None


def _check_players(night: Night, game: GameSpec) -> None:
    n_players, most = len(dealt_in_next(night)), most_players(game, night.created.house)
    if n_players > most:
        raise violation(
            Reason.TOO_MANY_PLAYERS,
            "CARD-08",
            f"{game.name} takes at most {most} players.",
            {"players": n_players, "most_players": most},
        )
    if n_players < game.players.min:
        raise violation(
            Reason.TOO_FEW_PLAYERS,
            "CARD-08",
            f"{game.name} needs at least {game.players.min} players.",
            {"players": n_players, "least_players": game.players.min},
        )


def _ante_chips(night: Night, named: int | None) -> int:
    """The ante of the hand: the one named, else the level's (HOUSE-DEAL-02)."""
    unit_chips = night.created.house.unit_chips
    if named is None:
        return coming_level(night, None).ante
    if named > CHIPS_MAX:
        raise InputError("no table has so many chips", field="ante_chips")
    if named % unit_chips:
        raise violation(Reason.NOT_A_MULTIPLE, "HOUSE-CHIP-05", "An ante is whole chips.", {"unit_chips": unit_chips})
    if named < unit_chips:
        raise violation(
            Reason.BELOW_MINIMUM, "HOUSE-DEAL-02", "Everybody antes at least one chip.", {"unit_chips": unit_chips}
        )
    return named


def _with_options(game: GameSpec, options: CallOptions) -> GameSpec:
    """The game as the dealer changes it in the call (GAME-DC-05, GAME-DC-11)."""
    showdown = _with_low(game.showdown, options)
    steps = game.steps
    conditions = game.conditions
    if options.cards_speak:
        if showdown.award != "HIGH_LOW_DECLARE":
            raise _indescribable("Only a game in which halves are declared can let the cards speak instead.")
        showdown = msgspec.structs.replace(showdown, award="HIGH_LOW")
        steps = tuple(
            step
            for step in steps
            if not isinstance(step, DeclareHalves)
            and not (isinstance(step, BettingStreet) and step.opens == "DECLARED")
        )
    if options.redeal_if_no_open is not None:
        conditions = msgspec.structs.replace(
            conditions or ConditionsSpec(), redeal_if_no_open=options.redeal_if_no_open
        )
    return msgspec.structs.replace(game, showdown=showdown, steps=steps, conditions=conditions)


def _with_low(showdown: GameShowdownSpec, options: CallOptions) -> GameShowdownSpec:
    if options.low_ranking is None and options.low_qualifier is None:
        return showdown
    if showdown.low in _LOWS:
        return msgspec.structs.replace(
            showdown,
            low=options.low_ranking or showdown.low,
            low_qualifier=showdown.low_qualifier if options.low_qualifier is None else options.low_qualifier,
        )
    if showdown.ranking in _LOWS and options.low_ranking is not None and options.low_qualifier is None:
        return msgspec.structs.replace(showdown, ranking=options.low_ranking)
    raise _indescribable("This game has no such low to change.")


def _indescribable(message: str) -> RuleViolation:
    return violation(Reason.GAME_NOT_DESCRIBABLE, "GAME-DC-04", message)


# --- Sitting out one hand -------------------------------------------------------------------------------------------------


def sit_out_hand(night: Night, seat: int, at_ms: int) -> tuple[AnyEvent, ...]:
    """Pass the hand that was called, and no other (GAME-DC-02, HOUSE-DEAL-01)."""
    calling = night.calling
    if calling is None or calling.called is None or calling.is_fixed:
        raise violation(
            Reason.SIT_OUT_CLOSED, "GAME-DC-02", "A hand is sat out after its call and before its deck is sealed."
        )
    if seat == calling.dealer:
        raise violation(Reason.SIT_OUT_CLOSED, "GAME-DC-02", "Who calls a game plays it.")
    check_window_open(night, at_ms)
    if seat in calling.sitting_out:
        return ()
    night.calling = msgspec.structs.replace(calling, sitting_out=(*calling.sitting_out, seat))
    return (ev.SeatSatOut(seat=seat, this_hand=True), *follow_call(night, at_ms))


def sit_in_again(night: Night, seat: int) -> tuple[AnyEvent, ...]:
    """Take back sitting out the called hand, while its deck is not sealed."""
    calling = night.calling
    if calling is None or calling.is_fixed or seat not in calling.sitting_out:
        return ()
    night.calling = msgspec.structs.replace(
        calling, sitting_out=tuple(other for other in calling.sitting_out if other != seat)
    )
    return (ev.SeatReturned(seat=seat),)
