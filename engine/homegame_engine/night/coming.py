"""The deal to come: its button and seats, its game with its sizes, and the deck that it needs. Changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from homegame_engine import deal_proof, game_checks
from homegame_engine.night.state import seats_of
from homegame_engine.specs import BettingStreet, Burn
from homegame_engine.stakes import level_rules

if TYPE_CHECKING:
    from homegame_engine.night.night import Night
    from homegame_engine.night.state import CalledGame
    from homegame_engine.specs import FormatSpec, GameSpec, HandRules, LevelSpec, Step


def is_dealt_again(night: Night) -> bool:
    """Whether the next deal is for the pot of the last one, among those who have a part in it (GAME-DC-06)."""
    return bool(night.require_session().redeal_mask)


def dealt_in_next(night: Night) -> tuple[int, ...]:
    """Seats of the coming hand clockwise from its button on (PROC-BTN-01); whoever sits that hand out is still among them."""
    session = night.require_session()
    return seats_of(session.coming_mask, first=session.button, n_seats=session.n_seats)


def coming_button(night: Night) -> int:
    """Button of the coming hand: it moves on from a seat that passes, but not before the pot is dealt for again (GAME-DC-06)."""
    session = night.require_session()
    return session.button if session.redeal_mask else dealt_in_next(night)[0]


def coming_level(night: Night, called: CalledGame | None) -> LevelSpec:
    """Sizes of the coming hand (PTS-B3-02), with the ante that was named in its call (HOUSE-DEAL-02)."""
    number = night.require_session().hand_number
    level = [level for level in night.created.format.levels if level.from_hand <= number][-1]
    return level if called is None else msgspec.structs.replace(level, ante=called.ante_chips)


def coming_game(night: Night) -> GameSpec:
    """The game of the coming hand."""
    called = night.called_game
    return night.require_session().game_spec if called is None else called.game


def coming_rules(night: Night) -> HandRules:
    """What house and level decide about the coming hand."""
    called = night.called_game
    if called is None:
        return night.require_session().hand_rules
    created = night.created
    return level_rules(created.house, coming_level(night, called), created.format.betting.structure)


def coming_steps(night: Night) -> tuple[Step, ...]:
    """What happens in the coming deal, with the house's own number of cards for each burn that names none (CARD-07)."""
    burns = coming_rules(night).burns
    steps: list[Step] = []
    n_bets = 0
    for step in coming_game(night).steps:
        n_bets += isinstance(step, BettingStreet)
        if isinstance(step, Burn) and step.count == 0:
            steps.append(Burn(count=burns[n_bets - 1] if n_bets <= len(burns) else 0))
        else:
            steps.append(step)
    return tuple(steps)


def called_format(night: Night, called: CalledGame) -> FormatSpec:
    """The format with the ante of a call in the place of every level's own (HOUSE-DEAL-02)."""
    played = night.created.format
    levels = tuple(msgspec.structs.replace(level, ante=called.ante_chips) for level in played.levels)
    return msgspec.structs.replace(played, levels=levels)


def coming_deck(night: Night) -> bytes:
    """Cards of the coming hand's deck, in the order of their codes (CARD-01, CARD-03)."""
    return deal_proof.deck_cards(game_checks.deck_cards(coming_game(night)))


def n_mix_orders(night: Night) -> int:
    """Orders for reshuffles that the coming hand could need; 0 when it cannot run short (CARD-06, GAME-ST-17, GAME-DC-09)."""
    game, rules = coming_game(night), coming_rules(night)
    n_players = len(dealt_in_next(night))
    return game_checks.mix_orders_needed(game, n_players, rules.burns, keeps_last_card=rules.keeps_last_card)
