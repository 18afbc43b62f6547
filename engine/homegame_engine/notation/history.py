"""An event list as a history to read, and as JSON lines. Text out, and JSON lines in again.

What these functions are given they write: hand them a projected stream (`view`) where a reader may not see everything.
Hidden cards are written `??`. Seats are counted from 1 for people and from 0 in JSON.
"""

from collections.abc import Iterable, Sequence

import msgspec

from homegame_engine import events as ev
from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN, format_cards
from homegame_engine.errors import InputError

_STREETS = {1: "Flop", 2: "Turn", 3: "River"}


def write_json_lines(events: Iterable[ev.AnyEvent]) -> str:
    """Write one event a line, its stable name under `event`, cards as codes."""
    return "".join(msgspec.json.encode(event).decode() + "\n" for event in events)


def read_json_lines(text: str) -> tuple[ev.AnyEvent, ...]:
    """Read what `write_json_lines` wrote. Raises InputError with the line's number; an unknown name is an error."""
    events: list[ev.AnyEvent] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            events.append(msgspec.json.decode(line, type=ev.AnyEvent))
        except msgspec.DecodeError:
            raise InputError("expected one event as a JSON object", field=f"line {number}") from None
    return tuple(events)


def write_text(events: Iterable[ev.AnyEvent], *, players: Sequence[str] = ()) -> str:
    """Write a history for people, one line an event.

    Args:
        events: Events of one hand or of several, in order.
        players: Name of each seat; without names seats are called by their numbers.

    Rules: PROC-SHOW-07.
    """
    lines = [_line(event, players) for event in events]
    return "".join(f"{line}\n" for line in lines if line)


def _name(seat: int, players: Sequence[str]) -> str:
    return players[seat] if seat < len(players) else f"Seat {seat + 1}"


def _cards(cards: Iterable[int]) -> str:
    return " ".join("??" if card in (CARD_HIDDEN, CARD_UNKNOWN) else format_cards((card,)) for card in cards)


def _line(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """One event in words, "" for those that a reader does not miss."""
    if isinstance(event, ev.HandStarting):
        return f"*** Hand {event.hand_number}, blinds {event.small_blind_chips}/{event.big_blind_chips} ***"
    if isinstance(event, ev.HandEnded):
        results = (
            f"{_name(seat, players)} {stack} ({net:+d})"
            for seat, (stack, net) in enumerate(zip(event.stacks, event.net_chips, strict=True))
            if stack or net
        )
        return "Stacks: " + ", ".join(results)
    return _play_line(event, players) or _result_line(event, players)


def _play_line(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """Posts, cards and actions."""
    text = ""
    match event:
        case ev.AntePosted():
            text = f"posts the ante {event.chips}"
        case ev.BlindPosted():
            text = f"posts the {event.blind.lower()} blind {event.chips}"
        case ev.HoleCardsDealt():
            text = f"is dealt {_cards(event.cards)}"
        case ev.PlayerFolded():
            text = "folds"
        case ev.PlayerChecked():
            text = "checks"
        case ev.PlayerCalled():
            text = f"calls {event.chips}"
        case ev.PlayerBet():
            text = f"bets {event.to_chips}"
        case ev.PlayerRaised():
            text = f"raises to {event.to_chips}"
        case _:
            return ""
    all_in = " and is all-in" if getattr(event, "all_in", False) else ""
    return f"{_name(event.seat, players)} {text}{all_in}"


def _result_line(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """Board, showdown and awards."""
    text = ""
    match event:
        case ev.BoardDealt():
            text = f"{_STREETS.get(event.street, 'Board')}: {_cards(event.cards)}"
        case ev.UncalledReturned():
            text = f"{event.chips} uncalled return to {_name(event.seat, players)}"
        case ev.HandShown():
            words = f" ({event.rank_text})" if event.rank_text else ""
            text = f"{_name(event.seat, players)} shows {_cards(event.cards)}{words}"
        case ev.HandMucked():
            text = f"{_name(event.seat, players)} mucks"
        case ev.LayerAwarded():
            pot = "the main pot" if event.layer == 0 else f"side pot {event.layer}"
            shares = ", ".join(f"{_name(share.seat, players)} {share.chips}" for share in event.shares)
            text = f"From {pot} of {event.chips}: {shares}"
    return text
