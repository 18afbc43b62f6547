"""One sentence for what happened, as a person at the table would say it.

How cards are spelled is handed in: letters for a log, blocks of colour for a page, words for a voice. An event whose cards
the viewer may not see has backs in it, and then no card is told.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.text import Text

from homegame.v1 import events_pb2 as ev
from homegame.v1.cards_pb2 import Card
from homegame_client.terminal.words import (
    FINISH_WORDS,
    HALF_WORDS,
    Names,
    cards_text,
    chips_text,
    clock_text,
    count_text,
    visible,
)

Cards = Sequence[Card.ValueType]
Spell = Callable[[Cards], Text]
"""How cards are written."""

_CHOICE_VERBS: Final = {
    ev.Choice.CHOICE_DISCARD: "discards",
    ev.Choice.CHOICE_PASS: "passes on",
}


def as_letters(cards: Cards) -> Text:
    """Cards in two characters each: `As Kd`."""
    return Text(cards_text(cards))


def tell(event: ev.TableEvent, names: Names, spell: Spell) -> Text | None:
    """Return the sentence, or None where a person would say nothing (burned cards, collected bets, dealt backs)."""
    kind = event.WhichOneof("event") or ""
    if kind in _WITH_CARDS:
        return _WITH_CARDS[kind](event, names, spell)
    words = _WORDS[kind](event, names) if kind in _WORDS else None
    return None if words is None else Text(words)


def describe(event: ev.TableEvent, names: Names) -> str | None:
    """The same as one line of text, cards as letters."""
    sentence = tell(event, names, as_letters)
    return None if sentence is None else sentence.plain


def _hides(cards: Cards) -> bool:
    return Card.CARD_HIDDEN in cards


def _all_in(*, all_in: bool) -> str:
    return ", all-in" if all_in else ""


def _shares(shares: Sequence[int], names: Names) -> str:
    return ", ".join(f"{names(seat)} {chips_text(chips)}" for seat, chips in enumerate(shares) if chips)


# --- Cards --------------------------------------------------------------------------------------------------------------


def _hole_cards(event: ev.TableEvent, names: Names, spell: Spell) -> Text | None:
    dealt = event.hole_cards_dealt
    return None if _hides(dealt.cards) else Text.assemble(f"{names(dealt.seat)} is dealt ", spell(dealt.cards))


def _up_cards(event: ev.TableEvent, names: Names, spell: Spell) -> Text:
    return Text.assemble(f"{names(event.up_cards_dealt.seat)} gets ", spell(event.up_cards_dealt.cards), " face up")


def _board(event: ev.TableEvent, _: Names, spell: Spell) -> Text:
    return Text.assemble("Board: ", spell(event.board_dealt.cards))


def _common_card(event: ev.TableEvent, _: Names, spell: Spell) -> Text:
    return Text.assemble("The deck ran short: one card for everybody, ", spell([event.common_card_dealt.card]))


def _choice(event: ev.TableEvent, names: Names, spell: Spell) -> Text:
    made = event.choice_made
    if made.choice not in _CHOICE_VERBS:
        return Text(f"{names(made.seat)} has declared")
    if _hides(made.cards) or not made.cards:
        return Text(f"{names(made.seat)} has chosen")
    return Text.assemble(f"{names(made.seat)} {_CHOICE_VERBS[made.choice]} ", spell(made.cards))


def _drawn(event: ev.TableEvent, names: Names, spell: Spell) -> Text:
    drawn = event.cards_drawn
    if not drawn.cards:
        return Text(f"{names(drawn.seat)} stands pat")
    if _hides(drawn.cards):
        return Text(f"{names(drawn.seat)} draws {len(drawn.cards)}")
    return Text.assemble(f"{names(drawn.seat)} gives up ", spell(drawn.discarded), " and draws ", spell(drawn.cards))


def _passed(event: ev.TableEvent, names: Names, spell: Spell) -> Text:
    passed = event.cards_passed
    cards = Text(count_text(len(passed.cards), "card")) if _hides(passed.cards) else spell(passed.cards)
    return Text.assemble(f"{names(passed.seat)} gets ", cards, f" from {names(passed.from_seat)}")


def _shown(event: ev.TableEvent, names: Names, spell: Spell) -> Text:
    shown = event.hand_shown
    meaning = f": {visible(shown.rank_text)}" if shown.rank_text else ""
    return Text.assemble(f"{names(shown.seat)} shows ", spell(shown.cards), meaning)


_WITH_CARDS: Final[Mapping[str, Callable[[ev.TableEvent, Names, Spell], Text | None]]] = {
    "hole_cards_dealt": _hole_cards,
    "up_cards_dealt": _up_cards,
    "board_dealt": _board,
    "common_card_dealt": _common_card,
    "choice_made": _choice,
    "cards_drawn": _drawn,
    "cards_passed": _passed,
    "hand_shown": _shown,
}


# --- Everything else ------------------------------------------------------------------------------------------------------


def _hand_starting(event: ev.TableEvent, names: Names) -> str:
    hand = event.hand_starting
    return f"Hand {hand.hand_number}: {names(hand.button)} has the button"


def _blind_posted(event: ev.TableEvent, names: Names) -> str:
    posted = event.blind_posted
    which = "small" if posted.blind == ev.Blind.BLIND_SMALL else "big"
    return f"{names(posted.seat)} posts the {which} blind, {chips_text(posted.chips)}{_all_in(all_in=posted.all_in)}"


def _ante_posted(event: ev.TableEvent, names: Names) -> str:
    posted = event.ante_posted
    return f"{names(posted.seat)} posts an ante of {chips_text(posted.chips)}{_all_in(all_in=posted.all_in)}"


def _bring_in(event: ev.TableEvent, names: Names) -> str:
    posted = event.bring_in_posted
    return f"{names(posted.seat)} brings it in for {chips_text(posted.chips)}{_all_in(all_in=posted.all_in)}"


def _called(event: ev.TableEvent, names: Names) -> str:
    called = event.player_called
    return f"{names(called.seat)} calls {chips_text(called.chips)}{_all_in(all_in=called.all_in)}"


def _bet(event: ev.TableEvent, names: Names) -> str:
    bet = event.player_bet
    return f"{names(bet.seat)} bets {chips_text(bet.to_chips)}{_all_in(all_in=bet.all_in)}"


def _raised(event: ev.TableEvent, names: Names) -> str:
    raised = event.player_raised
    does = "completes" if raised.completes else "raises"
    return f"{names(raised.seat)} {does} to {chips_text(raised.to_chips)}{_all_in(all_in=raised.all_in)}"


def _returned(event: ev.TableEvent, names: Names) -> str:
    returned = event.uncalled_returned
    return f"{names(returned.seat)} takes back {chips_text(returned.chips)} that nobody matched"


def _declared(event: ev.TableEvent, names: Names) -> str:
    told = [f"{names(one.seat)} {HALF_WORDS.get(one.half, '')}" for one in event.halves_declared.declarations]
    return f"All have declared: {', '.join(told)}"


def _awarded(event: ev.TableEvent, names: Names) -> str:
    awarded = event.layer_awarded
    pot = "the pot" if awarded.layer == 0 else f"side pot {awarded.layer}"
    halves = {ev.LayerPart.LAYER_PART_HIGH: "the high half of ", ev.LayerPart.LAYER_PART_LOW: "the low half of "}
    which = f"{halves.get(awarded.part, '')}{pot}"
    if len(awarded.shares) == 1:
        return f"{names(awarded.shares[0].seat)} wins {which}, {chips_text(awarded.chips)}"
    shares = ", ".join(f"{names(share.seat)} {chips_text(share.chips)}" for share in awarded.shares)
    return f"{which[0].upper()}{which[1:]} is split: {shares}"


def _carried(event: ev.TableEvent, names: Names) -> str:
    carried = event.pot_carried
    if not carried.redeal_seats:
        return f"{chips_text(carried.chips)} stay in the middle for the next hand"
    again = ", ".join(names(seat) for seat in carried.redeal_seats)
    return f"The pot of {chips_text(carried.chips)} stays in the middle and is dealt for again: {again}"


def _division_named(event: ev.TableEvent, names: Names) -> str:
    named = event.division_named
    if not named.shares:
        return f"{names(named.seat)} no longer proposes to divide the pot"
    return f"{names(named.seat)} would divide the pot: {_shares(named.shares, names)}"


def _voided(event: ev.TableEvent, _: Names) -> str:
    return f"Hand {event.hand_voided.hand_number} is void, stacks as before: {visible(event.hand_voided.reason)}"


def _finished(event: ev.TableEvent, _: Names) -> str:
    finished = event.session_finished
    end = FINISH_WORDS.get(finished.by, "the end")
    return f"The session is over after {finished.hands} hands, ended by {end}"


def _playoff_asked(event: ev.TableEvent, names: Names) -> str:
    asked = event.playoff_asked
    return f"{names(asked.seat)} {'asks for' if asked.agrees else 'declines'} a short hand between the tied leaders"


def _cutoff(event: ev.TableEvent, _: Names) -> str:
    left_ms = event.cutoff_posted.cutoff_at_ms - event.at_ms
    return f"No hand starts after {clock_text(left_ms)} from now"


def _cut(event: ev.TableEvent, names: Names) -> str:
    cut = event.deck_cut
    late = ", chosen by the server: no answer came in time" if cut.by_clock else ""
    return f"{names(cut.seat)} cuts the deck at {cut.position}{late}"


def _reset_agreement(event: ev.TableEvent, names: Names) -> str:
    agreement = event.reset_agreement
    return f"{names(agreement.seat)} {'agrees' if agreement.agrees else 'does not agree any more'} to resets"


def _stack_reset(event: ev.TableEvent, names: Names) -> str:
    return f"{names(event.stack_reset.seat)} takes a reset and has {chips_text(event.stack_reset.chips)} again"


def _sat_out(event: ev.TableEvent, names: Names) -> str:
    return f"{names(event.seat_sat_out.seat)} sits {'this hand ' if event.seat_sat_out.this_hand else ''}out"


def _game_called(event: ev.TableEvent, names: Names) -> str:
    called = event.game_called
    game = visible(called.game.name)
    ante = f", ante {chips_text(called.ante_chips)}" if called.ante_chips else ""
    if called.by_clock:
        return f"{names(called.seat)} called nothing in time: {game} is dealt{ante}"
    return f"{names(called.seat)} calls {game}{ante}"


_WORDS: Final[Mapping[str, Callable[[ev.TableEvent, Names], str | None]]] = {
    "participant_joined": lambda event, _: f"{visible(event.participant_joined.display_name)} joins",
    "seat_taken": lambda event, _: f"{visible(event.seat_taken.display_name)} takes seat {event.seat_taken.seat + 1}",
    "seat_vacated": lambda event, names: f"{names(event.seat_vacated.seat)} leaves",
    "posting_acknowledged": lambda event, names: f"{names(event.posting_acknowledged.seat)} has read the posting",
    "cutoff_posted": _cutoff,
    "reset_agreement": _reset_agreement,
    "stack_reset": _stack_reset,
    "deck_cut": _cut,
    "time_bank_used": lambda event, names: f"{names(event.time_bank_used.seat)} takes more time",
    "night_opened": lambda _, __: "The night is open",
    "seat_sat_out": _sat_out,
    "seat_returned": lambda event, names: f"{names(event.seat_returned.seat)} is back",
    "call_required": lambda event, names: f"{names(event.call_required.seat)} is to call a game",
    "game_called": _game_called,
    "call_dropped": lambda event, names: f"What {names(event.call_dropped.seat)} called is not dealt",
    "hand_starting": _hand_starting,
    "ante_posted": _ante_posted,
    "blind_posted": _blind_posted,
    "bring_in_posted": _bring_in,
    "decision_timed_out": lambda event, names: f"{names(event.decision_timed_out.seat)} runs out of time",
    "player_folded": lambda event, names: f"{names(event.player_folded.seat)} folds",
    "player_checked": lambda event, names: f"{names(event.player_checked.seat)} checks",
    "player_called": _called,
    "player_bet": _bet,
    "player_raised": _raised,
    "uncalled_returned": _returned,
    "halves_declared": _declared,
    "stub_reshuffled": lambda event, _: f"The deck ran short: {event.stub_reshuffled.count} cards are mixed anew",
    "hand_mucked": lambda event, names: f"{names(event.hand_mucked.seat)} mucks",
    "layer_awarded": _awarded,
    "pot_carried": _carried,
    "division_named": _division_named,
    "pot_divided": lambda event, names: f"All agree, the pot is divided: {_shares(event.pot_divided.shares, names)}",
    "hand_voided": _voided,
    "orbit_completed": lambda event, _: f"Orbit {event.orbit_completed.orbit_number} is complete",
    "session_finished": _finished,
    "playoff_asked": _playoff_asked,
    "playoff_started": lambda event, _: f"A short hand decides, {event.playoff_started.start_chips} points each",
    "playoff_finished": lambda _, __: "The short hand is over; the places among the tied are settled",
    "night_closed": lambda _, __: "The night is closed",
    "play_resumed": lambda _, __: "Play goes on after an interruption",
}
