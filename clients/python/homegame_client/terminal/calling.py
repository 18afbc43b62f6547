"""The call of a game in a dealer's choice night, as far as a view tells it (GAME-DC-01, GAME-DC-02)."""

from homegame.v1.views_pb2 import HandPhase, TableView
from homegame_client.terminal.words import Names, chips_text, names_text, visible

_NAMES_SHOWN = 3


def is_hand_running(view: TableView) -> bool:
    """Whether a hand is being played."""
    return view.hand_phase not in (HandPhase.HAND_PHASE_UNSPECIFIED, HandPhase.HAND_PHASE_OVER)


def is_window_open(view: TableView) -> bool:
    """Whether the called hand may still be sat out: it is called, and its deck is not sealed."""
    called = view.HasField("called") and view.HasField("deadline_at_ms")
    return called and not is_hand_running(view) and not view.HasField("legal")


def call_words(view: TableView, names: Names) -> str:
    """What is to be said of the call of the coming hand, empty when there is nothing."""
    if view.HasField("caller_seat"):
        return f"{names(view.caller_seat)}: call a game"  # As a turn reads: `Ada: fold, call 2`.
    if not is_window_open(view):
        return ""
    ante = f", ante {chips_text(view.called.ante_chips)}" if view.called.ante_chips else ""
    out = names_text((names(seat) for seat in view.sitting_out), _NAMES_SHOWN)
    told = f"; sitting out: {out}" if out else ""
    return f"{visible(view.called.game.name)}, called by {names(view.called.seat)}{ante}{told}"
