"""What there is to read of a game: how its hands rank, its rule card, and how a game that is called is explained."""

from rich.text import Text

from homegame.v1.catalog_pb2 import Game, RuleCardSection
from homegame.v1.errors_pb2 import Reason
from homegame.v1.views_pb2 import TableView
from homegame_client.errors import RefusedError
from homegame_client.player.game_call import CallWish
from homegame_client.player.pages import rank_page, rule_page
from homegame_client.player.table_link import TableLink
from homegame_client.terminal.sentences import Spell
from homegame_client.terminal.words import chips_text

_HOUSE_LOW = "HOUSE_LOW"
NOT_LISTED = "No catalog lists this game; its dealer or its host has its rules."


async def rank_lines(link: TableLink, view: TableView, spell: Spell) -> list[Text]:
    """How hands rank in the game in view (RANK-HI-07). Raises ClientError.

    Where the low is the house's or may have been changed in the call, the rule card says which one is played.
    """
    game = await link.games.find(link.once, view)
    if _HOUSE_LOW in (game.low, game.ranking) or (_is_called(view) and game.low):
        return await rule_lines(link, view)
    try:
        return rank_page(await link.once.catalog.get_rank_card(view.game_id), spell)
    except RefusedError as refusal:
        if refusal.reason != Reason.REASON_NOT_FOUND:
            raise
        return await rule_lines(link, view)


async def rule_lines(link: TableLink, view: TableView) -> list[Text]:
    """The rule card of the game in view. Raises ClientError."""
    return rule_page(await _rule_card(link, view)) or [Text(NOT_LISTED)]


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


async def _rule_card(link: TableLink, view: TableView) -> list[RuleCardSection]:
    if _is_called(view):
        return list(view.called.rule_card)
    try:
        return list((await link.once.catalog.get_rule_card(view.game_id, house_id=view.posting.house_id)).rule_card)
    except RefusedError as refusal:
        if refusal.reason != Reason.REASON_NOT_FOUND:
            raise
        return []


def _is_called(view: TableView) -> bool:
    return view.HasField("called") and view.called.game.game_id == view.game_id
