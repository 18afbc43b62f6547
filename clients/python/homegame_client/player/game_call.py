"""A dealer's call before it is sent: the game and what the dealer changes in it (GAME-DC-01, GAME-DC-03, GAME-DC-11)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from homegame.v1.catalog_pb2 import Game
from homegame.v1.play_service_pb2 import GameCall

LOWS: Final = ("", "ACE_TO_FIVE", "ACE_TO_SIX")
QUALIFIERS: Final = (None, 0, 8)
DECLARED_AWARD: Final = "HIGH_LOW_DECLARE"


class CallError(Exception):
    """What was typed is no call; the text says what is expected."""


@dataclass(frozen=True)
class CallWish:
    """What a dealer means to call. What is left as it is comes from the game and the table."""

    game_id: str = ""
    """Of the library."""
    game_text: str = ""
    """The file of a game of one's own, instead."""
    explanation: str = ""
    ante_chips: int | None = None
    cards_speak: bool = False
    redeal_if_no_open: bool | None = None
    low_ranking: str = ""
    low_qualifier: int | None = None

    def as_call(self) -> GameCall:
        """What to send."""
        call = GameCall(
            explanation=self.explanation,
            ante_chips=self.ante_chips,
            low_ranking=self.low_ranking,
            low_qualifier=self.low_qualifier,
            cards_speak=self.cards_speak,
            redeal_if_no_open=self.redeal_if_no_open,
        )
        if self.game_text:
            call.game_text = self.game_text
        else:
            call.game_id = self.game_id
        return call


@dataclass(frozen=True)
class CallOption:
    """Something a dealer may change in a call with one key."""

    key: str
    words: Callable[[CallWish], str]
    """What it is set to, for people."""
    turned: Callable[[CallWish], CallWish]
    """The next setting."""


def options_of(game: Game) -> tuple[CallOption, ...]:
    """What may be changed where a game has it; the server says whether it likes the change."""
    options = []
    if game.award == DECLARED_AWARD:
        options.append(CallOption("s", _speak_words, lambda wish: replace(wish, cards_speak=not wish.cards_speak)))
    options.append(CallOption("r", _redeal_words, _turn_redeal))
    if game.low or game.ranking in (*LOWS[1:], "HOUSE_LOW"):
        options.append(CallOption("l", _low_words, _turn_low))
    if game.low:
        options.append(CallOption("u", _qualifier_words, _turn_qualifier))
    return tuple(options)


def read_wish(typed: str) -> CallWish:
    """Read a call from words: `stud7 ante 50`, `stud-declare speak`, `omaha8 low ace-to-six qualifier 8 redeal`.

    Raises:
        CallError: no game is named, or a word is not known.
    """
    words = typed.split()
    if not words:
        raise CallError("Name a game, for example: call stud7. games lists them.")
    wish = CallWish(game_id=words[0])
    rest = iter(words[1:])
    for word in rest:
        if word == "speak":
            wish = replace(wish, cards_speak=True)
        elif word == "redeal":
            wish = replace(wish, redeal_if_no_open=True)
        elif word in _READ:
            try:
                wish = _READ[word](wish, next(rest, ""))
            except ValueError:
                raise CallError(f"What comes after {word} is not clear. {_USAGE}") from None
        else:
            raise CallError(f"{word} is no part of a call. {_USAGE}")
    return wish


_USAGE: Final = (
    "After the game you may say: ante 50, speak (no declarations), redeal (if nobody opens), "
    "low ace-to-five or ace-to-six, qualifier 8."
)


def _read_low(wish: CallWish, word: str) -> CallWish:
    low = word.upper().replace("-", "_")
    if low not in LOWS[1:]:
        raise ValueError(word)
    return replace(wish, low_ranking=low)


_READ: Final[Mapping[str, Callable[[CallWish, str], CallWish]]] = {
    "ante": lambda wish, word: replace(wish, ante_chips=int(word)),
    "low": _read_low,
    "qualifier": lambda wish, word: replace(wish, low_qualifier=int(word)),
}


def _speak_words(wish: CallWish) -> str:
    return "the cards speak" if wish.cards_speak else "all declare"


def _redeal_words(wish: CallWish) -> str:
    words = {None: "as the game has it", True: "dealt again", False: "play goes on"}
    return f"nobody opens: {words[wish.redeal_if_no_open]}"


def _turn_redeal(wish: CallWish) -> CallWish:
    following = {None: True, True: False, False: None}
    return replace(wish, redeal_if_no_open=following[wish.redeal_if_no_open])


def _low_words(wish: CallWish) -> str:
    return f"low: {wish.low_ranking.lower().replace('_', ' ') or 'as the game has it'}"


def _turn_low(wish: CallWish) -> CallWish:
    return replace(wish, low_ranking=LOWS[(LOWS.index(wish.low_ranking) + 1) % len(LOWS)])


def _qualifier_words(wish: CallWish) -> str:
    words = {None: "as the game has it", 0: "none"}
    return f"low qualifier: {words.get(wish.low_qualifier, str(wish.low_qualifier))}"


def _turn_qualifier(wish: CallWish) -> CallWish:
    return replace(wish, low_qualifier=QUALIFIERS[(QUALIFIERS.index(wish.low_qualifier) + 1) % len(QUALIFIERS)])
