"""What there is to read of a game: how its hands rank, its rule card, and how a game that is called is explained."""

from rich.text import Text

from homegame.v1.catalog_pb2 import Game
from homegame.v1.views_pb2 import TableView
from homegame_client.player.game_call import CallWish
from homegame_client.player.pages import rank_page, rule_page
from homegame_client.player.table_link import TableLink
from homegame_client.terminal.sentences import Spell
from homegame_client.terminal.words import chips_text


async def rank_lines(link: TableLink, spell: Spell) -> list[Text]:
    """How hands rank in the game that the table plays (RANK-HI-07). Raises ClientError."""
    return rank_page(await link.once.catalog.get_played_rank_card(link.table), spell)


async def rule_lines(link: TableLink, view: TableView) -> list[Text]:
    """The rule card of the game in view. Raises ClientError."""
    if _is_called(view):
        return rule_page(view.called.rule_card)
    return rule_page((await link.once.catalog.get_played_game(link.table)).rule_card)


async def explain_game(link: TableLink, wish: CallWish) -> tuple[Game, list[Text]]:
    """A game that a dealer may call, with its rule card.

    Raises:
        ClientError: the server knows no such game, or stays away.
        ValueError: the file is at fault; the text says where.
    """
    if not wish.game_text:
        house = link.state.view.posting.house_id if link.state is not None else ""
        found = await link.once.catalog.get_rule_card(wish.game_id, house_id=house or None)
        return found.game, rule_page(found.rule_card)
    checked = await link.once.catalog.check_game(wish.game_text)
    if checked.faults:
        fault = checked.faults[0]
        place = f"line {fault.line}: " if fault.line else ""
        raise ValueError(f"That game cannot be played: {place}{fault.message}")
    return checked.game, rule_page(checked.rule_card)


def ante_words(view: TableView) -> str:
    """What everybody antes unless the dealer says otherwise."""
    level = view.posting.levels[view.level] if view.level < len(view.posting.levels) else None
    return f"{chips_text(level.ante_chips)}, the table's" if level is not None and level.ante_chips else "the table's"


def _is_called(view: TableView) -> bool:
    return view.HasField("called") and view.called.game.game_id == view.game_id
