"""What a night takes in, as values: one accepted input is one journal row.

Each record's tag is its stable stored name. Decks, draws and people's decisions come in here; the engine makes none of its own.
"""

import msgspec

from homegame_engine.actions import AnyAction
from homegame_engine.specs import FormatSpec, GameSpec, HouseSpec


class Input(msgspec.Struct, frozen=True, kw_only=True, tag_field="input", tag=True):
    """Base of all inputs. The class name is the stored name."""


class CreateNight(Input, frozen=True):
    """Announce a night. The specs are stored whole, so that a journal replays however the packaged files change."""

    night_id: str
    name: str
    host_id: str
    host_name: str
    format: FormatSpec
    game: GameSpec
    house: HouseSpec
    n_seats: int
    decision_ms: int  # Window of each decision (PROC-CLK-01).
    hand_pause_ms: int  # Between the end of a hand and the next deal.
    cutoff_at_ms: int | None = None  # None: posted later by PostCutoff (PTS-003).
    cut_ms: int = 10_000  # For the cut before each hand (PROC-SHUF-02).
    time_bank_ms: int = 15_000  # One token adds this much to a window once (PROC-CLK-02).
    time_bank_tokens: int = 1  # Of each player for the session.


class PostCutoff(Input, frozen=True):
    """Post the cutoff before the first card (PTS-003, GEN-05)."""

    participant_id: str
    cutoff_at_ms: int


class JoinNight(Input, frozen=True):
    """A person comes in. The id was made by the server; the same id never joins twice."""

    participant_id: str
    name: str


class TakeSeat(Input, frozen=True):
    """Sit down at `seat`, or at the first free one for None."""

    participant_id: str
    seat: int | None = None


class LeaveSeat(Input, frozen=True):
    """Get up. Before play the seat is free again; later it passes every deal and the clock acts for a live hand."""

    participant_id: str


class AcknowledgePosting(Input, frozen=True):
    """The posting was read (GEN-06)."""

    participant_id: str


class RecordReadAloud(Input, frozen=True):
    """The host records that the posting was read aloud to everybody seated (GEN-06)."""

    participant_id: str


class OpenNight(Input, frozen=True):
    """Begin play. `button_draw` is a uniform draw below the number of occupied seats, made by the server (PROC-BTN-01)."""

    participant_id: str
    button_draw: int


class AgreeToResets(Input, frozen=True):
    """A seated person agrees to the format's reset before the first hand, or takes it back (PTS-B3-03)."""

    participant_id: str
    agrees: bool


class SealDeck(Input, frozen=True):
    """The server shuffled: 52 card codes, top first, the 32-byte key of their salts, and the root to publish (GEN-08)."""

    deck_order: bytes
    key: bytes
    root: bytes


class DrawCut(Input, frozen=True):
    """Nobody cut in time: the server's draw, 1 to 51 cards from the top (PROC-SHUF-02)."""

    action_number: int
    cut_position: int


class StartHand(Input, frozen=True):
    """Deal from an order that was neither committed to nor cut: 52 card codes, top first."""

    deck_order: bytes


class Act(Input, frozen=True):
    """A seated person acts in the decision of number `action_number` (BET-GEN-04)."""

    participant_id: str
    action_number: int
    action: AnyAction


class UseTimeBank(Input, frozen=True):
    """The seat to act takes a token for the running window (PROC-CLK-02)."""

    participant_id: str
    action_number: int


class ResetStack(Input, frozen=True):
    """A player without chips takes the agreed reset (PTS-B3-03)."""

    participant_id: str


class AskForPlayoff(Input, frozen=True):
    """A tied leader asks for the format's short hand, or declines it (PTS-B3-05).

    `button_draw` is a uniform draw below the number of tied leaders, made by the server; the last to ask decides which counts.
    """

    participant_id: str
    agrees: bool
    button_draw: int


class TimeOut(Input, frozen=True):
    """The clock found the window of a decision over (PROC-CLK-03)."""

    action_number: int


class SitOut(Input, frozen=True):
    """Pass the coming deals (PTS-019)."""

    participant_id: str


class SitIn(Input, frozen=True):
    """Take part again from the next deal."""

    participant_id: str


class VoidHand(Input, frozen=True):
    """The host voids the live hand (PROC-VOID-01)."""

    participant_id: str
    reason: str


class FinishSession(Input, frozen=True):
    """The clock found that no hand can start any more (PTS-016)."""


class CloseNight(Input, frozen=True):
    """The host ends the night."""

    participant_id: str


class Resume(Input, frozen=True):
    """The server came back after a stop: running windows get the time they had left."""


AnyInput = (
    CreateNight
    | PostCutoff
    | JoinNight
    | TakeSeat
    | LeaveSeat
    | AcknowledgePosting
    | RecordReadAloud
    | OpenNight
    | AgreeToResets
    | SealDeck
    | DrawCut
    | StartHand
    | Act
    | UseTimeBank
    | ResetStack
    | AskForPlayoff
    | TimeOut
    | SitOut
    | SitIn
    | VoidHand
    | FinishSession
    | CloseNight
    | Resume
)
