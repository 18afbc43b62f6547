"""People's procedures around a session, as a pure state machine: see `night.Night` and `inputs`."""

from homegame_engine.night.inputs import AnyInput
from homegame_engine.night.night import RULES_VERSION, STATE_VERSION, Night
from homegame_engine.night.sheet import SheetRow
from homegame_engine.night.state import CompletedHand, Due, Person

__all__ = ["RULES_VERSION", "STATE_VERSION", "AnyInput", "CompletedHand", "Due", "Night", "Person", "SheetRow"]
