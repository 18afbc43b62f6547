"""One sentence for what happened, as a person at the table would say it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from homegame.v1.actions_pb2 import ActionKind, LegalActions
from homegame.v1.cards_pb2 import Card
from homegame.v1.events_pb2 import Blind, TableEvent
from homegame.v1.sheets_pb2 import FinishReason
from homegame.v1.views_pb2 import TableView
from homegame_client.cards import card_text

FINISH_WORDS: Final[Mapping[FinishReason.ValueType, str]] = {
    FinishReason.FINISH_REASON_CUTOFF: "the cutoff",
    FinishReason.FINISH_REASON_ALL_CHIPS: "one player holding all the chips",
    FinishReason.FINISH_REASON_HOST: "the host",
}

Names = Callable[[int], str]
"""The name of the player in a seat, counted from 0."""


def visible(text: str) -> str:
    """Text from a server with everything replaced that would steer the terminal instead of showing."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)


def namer(view: TableView) -> Names:
    """Return a function from a seat, counted from 0, to the name to show."""

    def name(seat: int) -> str:
        shown = view.seats[seat].display_name if seat < len(view.seats) else ""
        return visible(shown) or f"seat {seat + 1}"

    return name


def cards_text(cards: Sequence[Card.ValueType]) -> str:
    """Cards with spaces between them."""
    return " ".join(card_text(card) for card in cards)


def chips_text(chips: int) -> str:
    """An amount with thousands set apart."""
    return f"{chips:,}"


def signed_text(chips: int) -> str:
    """An amount won or lost."""
    return f"{chips:+,}" if chips else "0"


def clock_text(left_ms: int) -> str:
    """Time left as minutes and seconds, rounded up; never negative."""
    seconds = max(0, -(-left_ms // 1000))
    return f"{seconds // 60}:{seconds % 60:02d}"


def describe(event: TableEvent, names: Names) -> str | None:
    """Return the sentence, or None where a person would say nothing (burned cards, collected bets, dealt backs)."""
    kind = event.WhichOneof("event")
    speak = _SENTENCES.get(kind or "")
    return speak(event, names) if speak is not None else None


def describe_choice(legal: LegalActions) -> str:
    """What the player to act may do, with amounts: `fold, call 2, raise to 4`."""
    words = [_choice(kind, legal) for kind in legal.kinds]
    return ", ".join(word for word in words if word)


def _choice(kind: ActionKind.ValueType, legal: LegalActions) -> str:
    if kind == ActionKind.ACTION_KIND_CALL:
        return f"call {chips_text(legal.call_chips)}"
    if kind in (ActionKind.ACTION_KIND_BET, ActionKind.ACTION_KIND_RAISE):
        verb = "bet" if kind == ActionKind.ACTION_KIND_BET else "raise to"
        low, high = legal.raise_to_min_chips, legal.raise_to_max_chips
        return f"{verb} {chips_text(low)}" + (f"-{chips_text(high)}" if high > low else "")
    name = ActionKind.Name(kind) if kind in ActionKind.values() else ""  # A kind from a newer server has no word yet.
    return name.removeprefix("ACTION_KIND_").lower().replace("_", " ")


def _hand_starting(event: TableEvent, names: Names) -> str:
    hand = event.hand_starting
    return f"Hand {hand.hand_number}: {names(hand.button)} has the button"


def _blind_posted(event: TableEvent, names: Names) -> str:
    posted = event.blind_posted
    which = "small" if posted.blind == Blind.BLIND_SMALL else "big"
    return f"{names(posted.seat)} posts the {which} blind, {chips_text(posted.chips)}{_all_in(all_in=posted.all_in)}"


def _ante_posted(event: TableEvent, names: Names) -> str:
    posted = event.ante_posted
    return f"{names(posted.seat)} posts an ante of {chips_text(posted.chips)}{_all_in(all_in=posted.all_in)}"


def _hole_cards(event: TableEvent, names: Names) -> str | None:
    dealt = event.hole_cards_dealt
    if Card.CARD_HIDDEN in dealt.cards:
        return None
    return f"{names(dealt.seat)} is dealt {cards_text(dealt.cards)}"


def _board(event: TableEvent, _: Names) -> str:
    return f"Board: {cards_text(event.board_dealt.cards)}"


def _called(event: TableEvent, names: Names) -> str:
    called = event.player_called
    return f"{names(called.seat)} calls {chips_text(called.chips)}{_all_in(all_in=called.all_in)}"


def _bet(event: TableEvent, names: Names) -> str:
    bet = event.player_bet
    return f"{names(bet.seat)} bets {chips_text(bet.to_chips)}{_all_in(all_in=bet.all_in)}"


def _raised(event: TableEvent, names: Names) -> str:
    raised = event.player_raised
    return f"{names(raised.seat)} raises to {chips_text(raised.to_chips)}{_all_in(all_in=raised.all_in)}"


def _returned(event: TableEvent, names: Names) -> str:
    returned = event.uncalled_returned
    return f"{names(returned.seat)} takes back {chips_text(returned.chips)} that nobody matched"


def _shown(event: TableEvent, names: Names) -> str:
    shown = event.hand_shown
    meaning = f": {shown.rank_text}" if shown.rank_text else ""
    return f"{names(shown.seat)} shows {cards_text(shown.cards)}{meaning}"


def _awarded(event: TableEvent, names: Names) -> str:
    awarded = event.layer_awarded
    which = "the pot" if awarded.layer == 0 else f"side pot {awarded.layer}"
    if len(awarded.shares) == 1:
        return f"{names(awarded.shares[0].seat)} wins {which}, {chips_text(awarded.chips)}"
    shares = ", ".join(f"{names(share.seat)} {chips_text(share.chips)}" for share in awarded.shares)
    return f"{which} is split: {shares}".capitalize() if which.startswith("side") else f"The pot is split: {shares}"


def _voided(event: TableEvent, _: Names) -> str:
    return f"Hand {event.hand_voided.hand_number} is void, stacks as before: {visible(event.hand_voided.reason)}"


def _finished(event: TableEvent, _: Names) -> str:
    finished = event.session_finished
    end = FINISH_WORDS.get(finished.by, "the end")
    return f"The session is over after {finished.hands} hands, ended by {end}"


def _playoff_asked(event: TableEvent, names: Names) -> str:
    asked = event.playoff_asked
    return f"{names(asked.seat)} {'asks for' if asked.agrees else 'declines'} a short hand between the tied leaders"


def _cutoff(event: TableEvent, _: Names) -> str:
    left_ms = event.cutoff_posted.cutoff_at_ms - event.at_ms
    return f"No hand starts after {clock_text(left_ms)} from now"


def _cut(event: TableEvent, names: Names) -> str:
    cut = event.deck_cut
    late = ", chosen by the server: no answer came in time" if cut.by_clock else ""
    return f"{names(cut.seat)} cuts the deck at {cut.position}{late}"


def _reset_agreement(event: TableEvent, names: Names) -> str:
    agreement = event.reset_agreement
    return f"{names(agreement.seat)} {'agrees' if agreement.agrees else 'does not agree any more'} to resets"


def _stack_reset(event: TableEvent, names: Names) -> str:
    return f"{names(event.stack_reset.seat)} takes a reset and has {chips_text(event.stack_reset.chips)} again"


def _all_in(*, all_in: bool) -> str:
    return ", all-in" if all_in else ""


_SENTENCES: Final[Mapping[str, Callable[[TableEvent, Names], str | None]]] = {
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
    "seat_sat_out": lambda event, names: f"{names(event.seat_sat_out.seat)} sits out",
    "seat_returned": lambda event, names: f"{names(event.seat_returned.seat)} is back",
    "hand_starting": _hand_starting,
    "ante_posted": _ante_posted,
    "blind_posted": _blind_posted,
    "hole_cards_dealt": _hole_cards,
    "board_dealt": _board,
    "decision_timed_out": lambda event, names: f"{names(event.decision_timed_out.seat)} runs out of time",
    "player_folded": lambda event, names: f"{names(event.player_folded.seat)} folds",
    "player_checked": lambda event, names: f"{names(event.player_checked.seat)} checks",
    "player_called": _called,
    "player_bet": _bet,
    "player_raised": _raised,
    "uncalled_returned": _returned,
    "hand_shown": _shown,
    "hand_mucked": lambda event, names: f"{names(event.hand_mucked.seat)} mucks",
    "layer_awarded": _awarded,
    "hand_voided": _voided,
    "orbit_completed": lambda event, _: f"Orbit {event.orbit_completed.orbit_number} is complete",
    "session_finished": _finished,
    "playoff_asked": _playoff_asked,
    "playoff_started": lambda event, _: f"A short hand decides, {event.playoff_started.start_chips} points each",
    "playoff_finished": lambda _, __: "The short hand is over; the places among the tied are settled",
    "night_closed": lambda _, __: "The night is closed",
    "play_resumed": lambda _, __: "Play goes on after an interruption",
}
