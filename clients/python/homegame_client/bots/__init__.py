"""Players that are programs: the shortest complete clients of the contract."""

from homegame_client.bots.bot import Bot, BotReport
from homegame_client.bots.styles import STYLES, Style, choose_action

__all__ = ["STYLES", "Bot", "BotReport", "Style", "choose_action"]
