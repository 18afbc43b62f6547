"""Which game a table plays: its streets, its wild cards, what is dealt."""

from homegame.v1.catalog_pb2 import Game, StepKind
from homegame.v1.views_pb2 import TableView
from homegame_client.client import Client, TableRef


def is_without_board(game: Game | None) -> bool:
    """Whether a game is known to deal no common cards; what is not known may have a board."""
    if game is None or not game.steps:
        return False
    return all(step.kind != StepKind.STEP_KIND_DEAL_BOARD for step in game.steps)


def pass_side(game: Game | None, street: int) -> str:
    """To which side cards are passed after a betting round, counted from 0: `left`; empty when that is not known."""
    n_streets = 0
    for step in game.steps if game is not None else ():
        if step.kind == StepKind.STEP_KIND_BET:
            n_streets += 1
        elif step.kind == StepKind.STEP_KIND_PASS and n_streets > street:
            return step.direction.lower()
    return ""


class GameBook:
    """The games of one table, each asked for once. A called game comes with the view."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._has_library = False

    def known(self, view: TableView) -> Game | None:
        """The game of the hand in view, None when nobody has said what it is."""
        if view.HasField("called") and view.called.game.game_id == view.game_id:
            self._games[view.game_id] = view.called.game  # As called: a dealer may have changed it (GAME-DC-11).
        return self._games.get(view.game_id)

    async def find(self, client: Client, view: TableView) -> Game:
        """The game of the hand in view, asked for if need be. Raises ClientError when the server stays away."""
        game = self.known(view)
        if game is not None:
            return game
        game = (await client.catalog.get_played_game(TableRef(view.night_id, view.table_id))).game
        self._games[game.game_id] = game
        # The table may play another game by now; its own view follows.
        return self._games.get(view.game_id) or Game(game_id=view.game_id)

    async def find_posted(self, client: Client, view: TableView) -> None:
        """Ask once for the library where games are posted that nobody has told of yet. Raises ClientError."""
        if self._has_library or all(block.game_id in self._games for block in view.posting.blocks):
            return
        for game in await client.catalog.list_games():
            self._games.setdefault(game.game_id, game)  # What the table said of a game counts more.
        self._has_library = True

    def name(self, game_id: str) -> str:
        """The name of a game as screens show it; its id where nobody has told of it."""
        game = self._games.get(game_id)
        return game.name if game is not None and game.name else game_id
