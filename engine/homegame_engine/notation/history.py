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
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


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


def _counted(n_cards: int) -> str:
    return f"{_NUMBERS[n_cards] if n_cards < len(_NUMBERS) else n_cards} {'card' if n_cards == 1 else 'cards'}"


def _seen(cards: Sequence[int]) -> bool:
    """Whether the reader may know the cards, and there are some."""
    return bool(cards) and not any(card in (CARD_HIDDEN, CARD_UNKNOWN) for card in cards)


def _which(cards: Sequence[int]) -> str:
    return f": {_cards(cards)}" if _seen(cards) else ""


def _shares(chips_by_seat: Iterable[tuple[int, int]], players: Sequence[str]) -> str:
    return ", ".join(f"{_name(seat, players)} {chips}" for seat, chips in chips_by_seat if chips)


def _line(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """One event in words, "" for those that a reader does not miss."""
    if isinstance(event, ev.HandStarting):
        sizes = f"blinds {event.small_blind_chips}/{event.big_blind_chips}"
        if event.big_blind_chips == 0:
            sizes = f"bets {event.small_bet_chips}/{event.big_bet_chips}" if event.small_bet_chips else "no blinds"
        return f"*** Hand {event.hand_number}, {sizes} ***"
    if isinstance(event, ev.HandEnded):
        results = (
            f"{_name(seat, players)} {stack} ({net:+d})"
            for seat, (stack, net) in enumerate(zip(event.stacks, event.net_chips, strict=True))
            if stack or net
        )
        return "Stacks: " + ", ".join(results)
    text = _post_text(event) or _choice_text(event, players) or _wager_text(event) or _end_text(event, players)
    if text:
        all_in = " and is all-in" if getattr(event, "all_in", False) else ""
        return f"{_name(getattr(event, 'seat', -1), players)} {text}{all_in}"
    return _table_line(event, players) or _pot_line(event, players)


def _post_text(event: ev.AnyEvent) -> str:
    """What a seat posts and is dealt."""
    match event:
        case ev.AntePosted():
            return f"posts the ante {event.chips}"
        case ev.BlindPosted():
            return f"posts the {event.blind.lower()} blind {event.chips}"
        case ev.BringInPosted():
            return f"brings in for {event.chips}"
        case ev.HoleCardsDealt():
            return f"is dealt {_cards(event.cards)}"
        case ev.UpCardsDealt():
            return f"is dealt {_cards(event.cards)} face up"
    return ""


def _choice_text(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """What a seat chooses besides wagers: how many cards, and which ones where the reader may know them."""
    match event:
        case ev.CardsDrawn() if not event.discarded:
            return "stands pat"
        case ev.CardsDrawn():
            which = f": {_cards(event.discarded)} for {_cards(event.cards)}" if _seen(event.cards) else ""
            return f"draws {_counted(len(event.discarded))}{which}"
        case ev.ChoiceMade() if event.choice == "DECLARE":
            return "has declared"
        case ev.ChoiceMade():
            cards = _counted(len(event.cards)) if event.cards else "cards"
            return f"{event.choice.lower()}{'s' if event.choice == 'DISCARD' else 'es'} {cards}{_which(event.cards)}"
        case ev.CardsPassed():
            from_whom = _name(event.from_seat, players)
            return f"gets {_counted(len(event.cards))} from {from_whom}{_which(event.cards)}"
    return ""


def _wager_text(event: ev.AnyEvent) -> str:
    match event:
        case ev.PlayerFolded():
            return "folds"
        case ev.PlayerChecked():
            return "checks"
        case ev.PlayerCalled():
            return f"calls {event.chips}"
        case ev.PlayerBet():
            return f"bets {event.to_chips}"
        case ev.PlayerRaised():
            return f"{'completes' if event.completes else 'raises'} to {event.to_chips}"
    return ""


def _end_text(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """How a seat ends the hand."""
    match event:
        case ev.HandShown():
            return f"shows {_cards(event.cards)}" + (f" ({event.rank_text})" if event.rank_text else "")
        case ev.HandMucked():
            return "mucks"
        case ev.DivisionNamed() if not event.shares:
            return "takes back the division of the pot"
        case ev.DivisionNamed():
            return f"names a division of the pot: {_shares(enumerate(event.shares), players)}"
    return ""


def _table_line(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """What concerns all hands: common cards, the stub, declarations."""
    match event:
        case ev.BoardDealt():
            return f"{_STREETS.get(event.street, 'Board')}: {_cards(event.cards)}"
        case ev.CommonCardDealt():
            return f"Common card: {_cards((event.card,))}"
        case ev.StubReshuffled():
            return f"The stub runs short; {_counted(event.count)} are mixed into a new one"
        case ev.HalvesDeclared():
            halves = (f"{_name(one.seat, players)} {one.half.lower()}" for one in event.declarations)
            return "Declared: " + ", ".join(halves)
    return ""


def _pot_line(event: ev.AnyEvent, players: Sequence[str]) -> str:
    """Where the chips go."""
    match event:
        case ev.UncalledReturned():
            return f"{event.chips} uncalled return to {_name(event.seat, players)}"
        case ev.LayerAwarded():
            pot = "the main pot" if event.layer == 0 else f"side pot {event.layer}"
            half = "" if event.part == "WHOLE" else f"the {event.part.lower()} half of "
            shares = _shares(((share.seat, share.chips) for share in event.shares), players)
            return f"From {half}{pot} of {event.chips}: {shares}"
        case ev.PotDivided():
            return f"The pot is divided as agreed: {_shares(enumerate(event.shares), players)}"
        case ev.PotCarried() if event.redeal_seats:
            return f"{event.chips} stay for a redeal: " + ", ".join(_name(s, players) for s in event.redeal_seats)
        case ev.PotCarried():
            return f"{event.chips} stay for the next hand"
    return ""
