"""Cards for a terminal: blocks of colour with letters, as roomy as their place allows.

Suits have a letter and a colour, so that neither colour-blind eyes nor a printer lose anything; where some cards lie face up,
the private ones among them stand in brackets, or underlined where brackets find no room. A wild card has a star.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import Game, StepKind
from homegame.v1.views_pb2 import SeatView
from homegame_client.cards import card_text

SUIT_STYLES: Final[Mapping[str, str]] = {
    "c": "bold white on green4",
    "d": "bold white on blue3",
    "h": "bold white on red3",
    "s": "bold black on grey93",
}
JOKER_STYLE: Final = "bold white on purple4"
BACK_STYLE: Final = "white on grey37"
WILD: Final = "*"
"""Stands behind a card that is wild."""

_PRIVATE_STYLE: Final = " underline"
_LOW_HOLE_CARDS: Final = 4  # A low hole card makes those of its rank wild, too.


class Held(NamedTuple):
    """One card of a seat, as its viewer sees it."""

    card: Card.ValueType
    is_up: bool
    is_wild: bool

    @property
    def is_back(self) -> bool:
        """Whether the viewer does not see its face."""
        return self.card == Card.CARD_HIDDEN

    @property
    def letters(self) -> str:
        """`As`, `2h*`."""
        return card_text(self.card) + (WILD if self.is_wild else "")


def card_mark(card: Card.ValueType, *, wild: Collection[Card.ValueType] = ()) -> Text:
    """A card as a small block of colour: ` As `, wild ` 2h*`."""
    return _block(Held(card, is_up=True, is_wild=card in wild), " ", " ")


def wild_in(seat: SeatView, wild: Collection[Card.ValueType]) -> frozenset[Card.ValueType]:
    """Cards that are wild in the hand of a seat: those for everybody, and those of which the table says so."""
    return frozenset((*wild, *(seat.cards[at] for at in seat.wild_positions)))


def held_cards(seat: SeatView, wild: Collection[Card.ValueType], width: int) -> Text:
    """The cards of a seat in the roomiest form that `width` columns allow, else in the closest one."""
    wild = wild_in(seat, wild)
    cards = [Held(card, at in seat.up_positions, card in wild) for at, card in enumerate(seat.cards)]
    if not cards:
        return Text("")
    for form in (_roomy, _in_brackets, _in_close_brackets, _underlined):
        text = form(cards)
        if cell_len(text.plain) <= width:
            return text
    return _close(cards)


def width_needed(game: Game | None, seats: Sequence[SeatView]) -> int:
    """Columns that the cards of a seat take at most in the closest form, as the game deals them."""
    dealt = [step for step in game.steps if step.kind in _PRIVATE_DEALS] if game is not None else []
    n_cards = max([sum(step.count for step in dealt), *(len(seat.cards) for seat in seats)])
    has_up = any(step.kind == StepKind.STEP_KIND_DEAL_UP for step in dealt) or any(seat.up_positions for seat in seats)
    n_wild = (
        min(n_cards, len(game.wild_cards) + _LOW_HOLE_CARDS * game.low_hole_card_is_wild) if game is not None else 0
    )
    return 2 * n_cards + n_wild + (2 if has_up else 0)


_PRIVATE_DEALS: Final = (StepKind.STEP_KIND_DEAL_DOWN, StepKind.STEP_KIND_DEAL_UP)


# --- Forms, the roomiest first ------------------------------------------------------------------------------------------


def _roomy(cards: Sequence[Held]) -> Text:
    """`[As] [Kd]  9c ` with backs ` ▒▒ `."""
    return Text(" ").join(_block(held, *_sides(held, cards)) for held in cards)


def _in_brackets(cards: Sequence[Held]) -> Text:
    """`[As Kd] 9c Th [2c]`; without cards face up `As Kd`."""
    return Text(" ").join(_bracketed(run, " ", cards) for run in _runs(cards))


def _in_close_brackets(cards: Sequence[Held]) -> Text:
    """`[AsKd]9c Th[2c]`."""
    text = Text("")
    for piece in (_bracketed(run, "", cards) for run in _runs(cards)):
        if text and not text.plain.endswith("]") and not piece.plain.startswith("["):
            text.append(" ")
        text.append_text(piece)
    return text


def _bracketed(run: Sequence[Held], between_private: str, cards: Sequence[Held]) -> Text:
    is_private = _has_up(cards) and not run[0].is_up and not run[0].is_back
    piece = Text(between_private if is_private else " ").join(_letters(held, back="▒▒") for held in run)
    return Text.assemble("[", piece, "]") if is_private else piece


def _underlined(cards: Sequence[Held]) -> Text:
    """`AsKd 9c Th 2c`, the private ones underlined, backs `▒▒` as one column each."""
    return _pieces(cards, " ")


def _close(cards: Sequence[Held]) -> Text:
    """`AsKd 9cTh 2c`, the private ones underlined, backs as one column each."""
    return _pieces(cards, "")


def _pieces(cards: Sequence[Held], between_up: str) -> Text:
    pieces = []
    for run in _runs(cards):
        is_up = run[0].is_up or not _has_up(cards)
        letters = (_letters(held, back="▒", underlined=not is_up) for held in run)
        pieces.append(Text(between_up if is_up and not run[0].is_back else "").join(letters))
    return Text(" ").join(pieces)


def _runs(cards: Sequence[Held]) -> Iterator[list[Held]]:
    """Cards beside each other that lie alike: private, face up, or backs."""
    for _, run in groupby(cards, key=lambda held: (held.is_up, held.is_back)):
        yield list(run)


def _has_up(cards: Sequence[Held]) -> bool:
    return any(held.is_up for held in cards)


def _sides(held: Held, cards: Sequence[Held]) -> tuple[str, str]:
    return ("[", "]") if _has_up(cards) and not held.is_up and not held.is_back else (" ", " ")


def _block(held: Held, before: str, after: str) -> Text:
    if held.is_back:
        return Text(" ▒▒ ", style=BACK_STYLE)
    end = "" if held.is_wild and after == " " else after  # The star takes the place of the blank.
    return Text(f"{before}{held.letters}{end}", style=_style(held.card))


def _letters(held: Held, *, back: str, underlined: bool = False) -> Text:
    if held.is_back:
        return Text(back, style=BACK_STYLE)
    return Text(held.letters, style=_style(held.card) + (_PRIVATE_STYLE if underlined else ""))


def _style(card: Card.ValueType) -> str:
    return SUIT_STYLES.get(card_text(card)[1], JOKER_STYLE)
