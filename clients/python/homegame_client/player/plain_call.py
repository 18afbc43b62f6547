"""A dealer's call in plain words."""

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from homegame.v1.catalog_pb2 import Game
from homegame.v1.play_service_pb2 import GameCall
from homegame_client.player.game_call import CallError, CallWish, read_wish
from homegame_client.player.pages import players_words
from homegame_client.terminal.words import visible


def game_lines(games: Sequence[Game]) -> list[Text]:
    """The library, a line each: the word to call a game by, its name, for how many."""
    lines = [
        Text(f"{_shortest(game)}: {visible(game.name)}, for {players_words(game)}. {visible(game.summary)}")
        for game in games
    ]
    return [
        *lines,
        Text("A game of your own: call file, the name of its file, and then an explanation if it has none."),
    ]


def call_from_words(typed: str) -> GameCall | str:
    """Read what follows `call`: a game with changes, or `file NAME explanation`. A text says what is wrong."""
    word, _, rest = typed.strip().partition(" ")
    try:
        if word == "file":
            return _call_from_file(rest.strip()).as_call()
        return read_wish(typed.lower()).as_call()
    except CallError as error:
        return str(error)


def _call_from_file(typed: str) -> CallWish:
    name, _, explanation = typed.partition(" ")
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise CallError(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CallError(f"{name} is no text in UTF-8.") from None
    return CallWish(game_text=text, explanation=explanation.strip())


def _shortest(game: Game) -> str:
    return visible(min([game.game_id.lower(), *game.aliases], key=len))
