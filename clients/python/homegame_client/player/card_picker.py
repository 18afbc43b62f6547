"""Picking cards of the own hand by their numbers, for a discard, a draw or a pass."""

from rich.text import Text

from homegame.v1.actions_pb2 import ActionKind
from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game
from homegame.v1.views_pb2 import SeatView, TableView
from homegame_client.player.choices import CardsError, Choice
from homegame_client.player.pages import as_words
from homegame_client.terminal.card_marks import card_mark, wild_in
from homegame_client.terminal.games import pass_side
from homegame_client.terminal.words import count_text

PICKED_STYLE = "bold black on yellow"
_QUIET_STYLE = "dim"


def private_cards(seat: SeatView) -> list[Card.ValueType]:
    """The cards of a seat that lie face down, in the order in which it holds them; these can be given up."""
    return [card for at, card in enumerate(seat.cards) if at not in seat.up_positions]


class CardPicker:
    """The cards picked for one choice of the viewer of a table.

    Args:
        choice: A discard, draw or pass.
        view: The table; the cards are the viewer's private ones, and people count them from 1.
        game: Says which cards are wild, and to which side cards are passed.
    """

    def __init__(self, choice: Choice, view: TableView, game: Game | None) -> None:
        self.choice = choice
        self.number = view.action_number
        """Of the turn; picks are for that turn alone."""
        own = view.seats[view.viewer_seat]
        self._cards = private_cards(own)
        self._wild = wild_in(own, game.wild_cards if game is not None else ())
        side = pass_side(game, view.street) if choice.kind == ActionKind.ACTION_KIND_PASS else ""
        self._towards = f" to the {side}" if side else ""
        self._picked: set[int] = set()

    @property
    def spoken(self) -> str:
        """What is asked for and the cards with their numbers: `discard 2 cards. 1 ace of spades, 2 king of hearts`."""
        cards = (f"{place} {as_words([card]).plain}" for place, card in enumerate(self._cards, start=1))
        return f"{self.choice.words}{self._towards}. {', '.join(cards)}"

    @property
    def picked(self) -> list[Card.ValueType]:
        """The picked cards, in the order in which the seat holds them."""
        return [card for at, card in enumerate(self._cards) if at in self._picked]

    def toggle(self, place: int) -> None:
        """Pick a card, or put it back; `place` counts from 1.

        Raises:
            CardsError: there is no such card, or as many are picked as may be.
        """
        if not 1 <= place <= len(self._cards):
            raise CardsError(f"You have no card {place}: pick from 1 to {len(self._cards)}.")
        at = place - 1
        if at in self._picked:
            self._picked.discard(at)
            return
        most = self.choice.legal.cards_max
        if len(self._picked) >= most:
            raise CardsError(f"{count_text(most, 'card')} at most: press a picked number to put its card back.")
        self._picked.add(at)

    def clear(self) -> None:
        """Put all back."""
        self._picked.clear()

    def read(self, typed: str) -> list[Card.ValueType]:
        """Return the cards whose numbers were typed: `1 3`; none for an empty text.

        Raises:
            CardsError: a word is no number of a card, or there are too many or too few.
        """
        self.clear()
        for word in typed.replace(",", " ").split():
            if not (word.isascii() and word.isdecimal()):
                raise CardsError(f"Type numbers of cards from 1 to {len(self._cards)}, for example 1 3.")
            if int(word) - 1 not in self._picked:
                self.toggle(int(word))
        self.choice.check_cards(len(self._picked))
        return self.picked

    def line(self) -> Text:
        """The cards with their numbers, the picked ones marked by colour and brackets: `1  As   2 [Kd]`."""
        parts = []
        for at, card in enumerate(self._cards):
            is_picked = at in self._picked
            mark = card_mark(card, wild=self._wild)
            around = ("[", "]") if is_picked else (" ", " ")
            style = PICKED_STYLE if is_picked else _QUIET_STYLE
            parts.append(Text.assemble((f"{at + 1}{around[0]}", style), mark, (around[1], style)))
        return Text(" ").join(parts)

    def keys(self) -> Text:
        """The keys that work, with what Enter would do now."""
        n_picked = len(self._picked)
        parts: list[tuple[str, str]] = [(f" 1-{len(self._cards)} ", PICKED_STYLE), (" pick  ", "bold")]
        if self.choice.legal.cards_min <= n_picked and n_picked:
            parts += [(" Enter ", PICKED_STYLE), (f" {self.choice.verb} {n_picked}{self._towards}  ", "bold")]
        elif self.choice.legal.cards_min == 0:
            parts += [(" d ", PICKED_STYLE), (" stand pat  ", "bold")]
        else:
            wanted = f"{n_picked} of {self.choice.legal.cards_min} to {self.choice.verb}{self._towards}  "
            parts.append((wanted, _QUIET_STYLE))
        return Text.assemble(*parts)
