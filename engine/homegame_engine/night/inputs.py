"""What a night takes in, as values: one accepted input is one journal row.

Each record's tag is its stable stored name. Decks, draws and people's decisions come in here; the engine makes none of its own.
"""

from typing import ClassVar, Literal

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
    call_ms: int = 60_000  # For the dealer's call, where the format has one (GAME-DC-01).
    sit_out_ms: int = 15_000  # For sitting out a called hand (GAME-DC-02).

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("call_ms", "sit_out_ms")


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


class CallOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a dealer changes of the game that is called, in the same breath (GAME-DC-05, GAME-DC-11)."""

    low_ranking: Literal["ACE_TO_FIVE", "ACE_TO_SIX"] | None = None
    low_qualifier: int | None = None  # Highest rank of a low, 8 for eight or better; 0 for none.
    cards_speak: bool = False  # No declaring: the cards decide.
    redeal_if_no_open: bool | None = None  # GAME-DC-05


class CallGame(Input, frozen=True):
    """The dealer calls the game of the coming hand (GAME-DC-01). The game is stored whole, as in CreateNight."""

    participant_id: str
    action_number: int
    game: GameSpec
    is_library: bool  # It is one of the named games and explains itself (GAME-DC-03).
    explanation: str = ""
    ante_chips: int | None = None  # None: the table stake (HOUSE-DEAL-02).
    options: CallOptions = CallOptions()


class CallByClock(Input, frozen=True):
    """The dealer called nothing in time."""

    action_number: int


class SealDeck(Input, frozen=True):
    """The server shuffled: card codes, top first, the 32-byte key of their salts, and the root to publish (GEN-08).

    `mix_orders` are the orders for reshuffles that the deal may need, each all deck positions once, with their commitment
    `mix_root`; both are empty for a deal that cannot run short (CARD-06).
    """

    deck_order: bytes
    key: bytes
    root: bytes
    mix_orders: bytes = b""
    mix_root: bytes = b""


class DrawCut(Input, frozen=True):
    """Nobody cut in time: the server's draw, 1 card from the top up to all but one (PROC-SHUF-02)."""

    action_number: int
    cut_position: int


class StartHand(Input, frozen=True):
    """Deal from an order that was neither committed to nor cut: card codes, top first. `mix_orders` as in SealDeck."""

    deck_order: bytes
    mix_orders: bytes = b""


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
    """Pass the coming deals (PTS-019), or only the hand that was called (GAME-DC-02)."""

    participant_id: str
    this_hand: bool = False


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
    | CallGame
    | CallByClock
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
