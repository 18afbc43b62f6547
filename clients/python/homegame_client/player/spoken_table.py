"""A turn in a sentence, for a voice: what one holds, what others show, what lies in the middle."""

from collections.abc import Collection, Sequence

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game
from homegame.v1.views_pb2 import SeatHand, SeatView, TableView
from homegame_client.player.choices import Choice
from homegame_client.player.pages import as_words
from homegame_client.player.status import hand_words
from homegame_client.terminal.card_marks import wild_in
from homegame_client.terminal.games import is_without_board
from homegame_client.terminal.words import HALF_WORDS, chips_text, street_text, visible


def spoken_choices(choices: Sequence[Choice]) -> str:
    """Open keys with what they do: `f fold, c call 2`."""
    return ", ".join(f"{choice.key} {choice.words}" for choice in choices)


def spoken_turn(view: TableView, game: Game | None, left_ms: int | None) -> str:
    """Everything one has to know for a decision, in the order in which one asks."""
    own = view.seats[view.viewer_seat]
    wild = game.wild_cards if game is not None else ()
    pot, put_in, stack = (chips_text(chips) for chips in (view.pot_chips, own.committed_chips, own.stack_chips))
    sentences = [
        _place(view, game),
        _held(own, wild_in(own, wild)),
        *_shown_by_others(view, own.seat, wild),
        _board(view, game, wild),
        hand_words(view),
        f"Pot {pot}, of it from you {put_in}; your stack {stack}",
        f"You have {-(-left_ms // 1000)} seconds" if left_ms is not None else "",
    ]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


def _place(view: TableView, game: Game | None) -> str:
    """Where the hand is, said where the board does not tell it."""
    tells = is_without_board(game) and view.street_name
    return f"Your turn, {street_text(view.street_name)}" if tells else "Your turn"


def _held(own: SeatView, wild: Collection[Card.ValueType]) -> str:
    if not own.up_positions:
        return f"You hold {_spoken(own.cards, wild)}"
    down = [card for at, card in enumerate(own.cards) if at not in own.up_positions]
    shown = [card for at, card in enumerate(own.cards) if at in own.up_positions]
    return f"You hold {_spoken(down, wild)} face down, {_spoken(shown, wild)} face up"


def _shown_by_others(view: TableView, own_seat: int, wild: Collection[Card.ValueType]) -> list[str]:
    """Cards face up, draws and declarations of those who are still in."""
    told = []
    for seat in view.seats:
        if seat.seat == own_seat or seat.hand != SeatHand.SEAT_HAND_LIVE:
            continue
        parts = []
        if seat.up_positions:
            parts.append(f"shows {_spoken([seat.cards[at] for at in seat.up_positions], wild_in(seat, wild))}")
        if seat.HasField("drawn_count"):
            parts.append(f"drew {seat.drawn_count}" if seat.drawn_count else "stood pat")
        if seat.declared in HALF_WORDS:
            parts.append(f"declared {HALF_WORDS[seat.declared]}")
        if parts:
            told.append(f"{visible(seat.display_name)} {', '.join(parts)}")
    return told


def _board(view: TableView, game: Game | None, wild: Collection[Card.ValueType]) -> str:
    if view.board:
        return f"{'One card for everybody' if is_without_board(game) else 'Board'}: {_spoken(view.board, wild)}"
    return "" if is_without_board(game) else "No board yet"


def _spoken(cards: Sequence[Card.ValueType], wild: Collection[Card.ValueType]) -> str:
    return ", ".join(as_words([card]).plain + (", wild" if card in wild else "") for card in cards)
