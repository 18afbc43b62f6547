"""What happened, as frozen records. The engine emits them complete, hidden cards included; only `view` may hand them on.

Each record's tag is its stable stored name: it is never renamed, and a name nobody knows is an error on reading. Seats count from
0, amounts are chips in the table's base unit, moments are Unix UTC milliseconds, cards are codes (`cards`).
"""

import msgspec

from homegame_engine.actions import LegalActions
from homegame_engine.specs import GameSpec, HandRules, Step


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True):
    """Base of all events. The class name is the stored name."""


# --- A hand ---------------------------------------------------------------------------------------------------------------


class HandStarting(Event, frozen=True):
    """A hand begins: the portable snapshot from which it can be restored (PTS-008, PROC-VOID-02)."""

    hand_number: int  # Completed hands of the session + 1 (PTS-B3-02).
    button: int
    small_blind_seat: int  # -1 for nobody.
    big_blind_seat: int  # -1 for nobody.
    small_blind_chips: int
    big_blind_chips: int
    small_bet_chips: int  # Fixed-limit step of the early streets, 0 in other structures.
    big_bet_chips: int
    stacks: tuple[int, ...]  # By seat, before any post; 0 for empty seats.
    dealt_in: tuple[int, ...]  # Seats that get cards, clockwise from seat 0.
    orbit_number: int  # From 1.
    game_id: str = ""  # Rows of schema 1 do not say it, nor what follows.
    ante_chips: int = 0  # Of each player, 0 for none (GAME-ST-03, HOUSE-DEAL-02).
    bring_in_chips: int = 0  # 0: there is none (GAME-ST-05).
    spread_min_chips: int = 0  # Least bet and step of spread limit, 0 in other structures (BET-SP-01).
    spread_max_chips: int = 0


class AntePosted(Event, frozen=True):
    """A seat paid its ante, all it has if that is less (BET-GEN-10)."""

    seat: int
    chips: int
    all_in: bool


class BlindPosted(Event, frozen=True):
    """A seat posted a blind, all it has if that is less (BET-GEN-10)."""

    seat: int
    chips: int
    blind: str  # SMALL or BIG.
    all_in: bool


class HoleCardsDealt(Event, frozen=True):
    """A seat's private cards in the order received; hidden from everybody else."""

    seat: int
    cards: tuple[int, ...]


class CardsBurned(Event, frozen=True):
    """Cards burnt before a street, face down and unseen (PROC-BURN-01)."""

    count: int


class UpCardsDealt(Event, frozen=True):
    """A seat got cards face up, seen by all, in the order received (GAME-ST-10)."""

    seat: int
    cards: tuple[int, ...]


class BoardDealt(Event, frozen=True):
    """Common cards turned; `street` is the betting round they open, the flop being 1."""

    street: int
    cards: tuple[int, ...]


class BringInPosted(Event, frozen=True):
    """The low card posted the forced bet, all it has if that is less (BET-GEN-10, GAME-ST-05)."""

    seat: int
    chips: int
    all_in: bool


class ChoiceMade(Event, frozen=True):
    """A seat made its hidden choice of the running step; `cards` are for that seat alone (GAME-DISC-01)."""

    seat: int
    choice: str  # DISCARD, PASS or DECLARE.
    cards: tuple[int, ...] = ()  # Given up.


class CardsDrawn(Event, frozen=True):
    """A seat changed cards (GAME-DC-09): how many is public, which ones is for that seat alone."""

    seat: int
    discarded: tuple[int, ...]
    cards: tuple[int, ...]


class CardsPassed(Event, frozen=True):
    """A seat got cards from its neighbour; which ones is for the two of them alone."""

    from_seat: int
    seat: int
    cards: tuple[int, ...]


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat declared for."""

    seat: int
    half: str  # LOW, HIGH or BOTH.


class HalvesDeclared(Event, frozen=True):
    """All declarations, revealed together (GAME-DECL-01)."""

    declarations: tuple[Declaration, ...]


class StubReshuffled(Event, frozen=True):
    """The stub ran short: so many cards were mixed and are the stub now (CARD-06, GAME-ST-17, GAME-DC-09)."""

    count: int


class CommonCardDealt(Event, frozen=True):
    """One card for all hands in place of the last private one (GAME-ST-17)."""

    card: int


class PlayerFolded(Event, frozen=True):
    """A seat gave up its hand."""

    seat: int


class PlayerChecked(Event, frozen=True):
    """A seat stayed in without a wager."""

    seat: int


class PlayerCalled(Event, frozen=True):
    """A seat matched the level, or went all-in for less."""

    seat: int
    chips: int  # Added.
    to_chips: int  # Street total.
    all_in: bool


class PlayerBet(Event, frozen=True):
    """The opening wager of a street; `full` is false for a short all-in (BET-FL-06, BET-NL-04)."""

    seat: int
    chips: int
    to_chips: int
    all_in: bool
    full: bool


class PlayerRaised(Event, frozen=True):
    """A wager over the level; `full` is false for a short all-in (BET-FL-04, BET-NL-06).

    `completes`: it makes a full bet of the bring-in (GAME-ST-05); rows of schema 1 do not say so.
    """

    seat: int
    chips: int
    to_chips: int
    by_chips: int
    all_in: bool
    full: bool
    completes: bool = False


class UncalledReturned(Event, frozen=True):
    """The unmatched part of a wager went back (BET-GEN-07)."""

    seat: int
    chips: int


class LayerShown(msgspec.Struct, frozen=True, kw_only=True):
    """A layer of the pot and the seats that may win it."""

    chips: int
    seats: tuple[int, ...]


class BetsCollected(Event, frozen=True):
    """The street ended and its bets joined the layers (BET-GEN-15); main layer first."""

    layers: tuple[LayerShown, ...]


class ShowdownStarted(Event, frozen=True):
    """The live hands in the order in which they show or muck (PROC-SHOW-01)."""

    seats: tuple[int, ...]


class HandShown(Event, frozen=True):
    """A hand turned up to everybody (PROC-SHOW-06), with the words for it once five cards are known."""

    seat: int
    cards: tuple[int, ...]
    rank_text: str
    best_cards: tuple[int, ...]


class HandMucked(Event, frozen=True):
    """A hand conceded unseen (PROC-SHOW-04, PROC-SHOW-07)."""

    seat: int


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat got of a layer."""

    seat: int
    chips: int


class LayerAwarded(Event, frozen=True):
    """A layer went to its winners; `odd_units` is how many units did not divide (POT-ODD-01)."""

    layer: int  # 0 is the main layer.
    chips: int
    shares: tuple[Share, ...]  # Clockwise from the button's left.
    odd_units: int
    part: str = "WHOLE"  # WHOLE, HIGH or LOW: which part of the layer this is (POT-SPLIT-01).


class PotCarried(Event, frozen=True):
    """Chips stayed in the middle for the next hand (POT-SPLIT-03), or the whole pot for a redeal (GAME-DC-06)."""

    chips: int
    redeal_seats: tuple[int, ...] = ()  # Who takes part in the redeal; empty where the next hand is an ordinary one.


class DivisionNamed(Event, frozen=True):
    """A seat named a division of the pot, or took it back (POT-AGR-01)."""

    seat: int
    shares: tuple[int, ...]


class PotDivided(Event, frozen=True):
    """All live players agreed on a division: chips by seat (POT-AGR-01)."""

    shares: tuple[int, ...]


class HandEnded(Event, frozen=True):
    """The hand is complete: the sheet row of PTS-008."""

    hand_number: int
    stacks: tuple[int, ...]
    net_chips: tuple[int, ...]


# --- A session ------------------------------------------------------------------------------------------------------------


class ButtonPlaced(Event, frozen=True):
    """The button for the next hand (PROC-BTN-01)."""

    seat: int


class OrbitCompleted(Event, frozen=True):
    """Every roster position has held the button once (PROC-BTN-03)."""

    orbit_number: int


class HandVoided(Event, frozen=True):
    """The hand is void: stacks are those of its start, button and number stay (PROC-VOID-02)."""

    hand_number: int
    reason: str
    stacks: tuple[int, ...]


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's final place; equal stacks share it (PTS-017)."""

    seat: int
    stack_chips: int
    place: int  # From 1; numbered 1, 1, 3.


class SessionFinished(Event, frozen=True):
    """The result, by place and then seat (PTS-016, PTS-024, PTS-025)."""

    placements: tuple[Placement, ...]
    hands: int
    orbits: int  # Complete ones.
    incomplete_positions: tuple[int, ...]  # Roster positions without a button in the orbit that was cut short.
    by: str  # CUTOFF, ALL_CHIPS or HOST.


# --- A night --------------------------------------------------------------------------------------------------------------


class NightCreated(Event, frozen=True):
    """A night was announced."""

    name: str
    format_id: str
    format_version: int
    start_chips: int
    decision_ms: int
    hand_pause_ms: int
    cut_ms: int = 10_000
    time_bank_ms: int = 15_000
    time_bank_tokens: int = 1


class CutoffPosted(Event, frozen=True):
    """The time after which no hand starts (PTS-003)."""

    cutoff_at_ms: int


class ParticipantJoined(Event, frozen=True):
    """A person joined the night."""

    participant_id: str
    name: str


class SeatTaken(Event, frozen=True):
    """A person sat down."""

    seat: int
    participant_id: str
    name: str


class SeatVacated(Event, frozen=True):
    """A person left the seat; during a night the seat stays on the sheet and passes every deal (PTS-019)."""

    seat: int
    participant_id: str


class PostingAcknowledged(Event, frozen=True):
    """A seated person has read the posting (GEN-06)."""

    seat: int


class NightOpened(Event, frozen=True):
    """Play begins: the posting is locked (GEN-05) and the roster written (PROC-BTN-03)."""

    roster: tuple[int, ...]
    stacks: tuple[int, ...]
    cutoff_at_ms: int
    resets_agreed: bool = False  # PTS-B3-03: everybody agreed to the format's reset before the first hand.


class SeatSatOut(Event, frozen=True):
    """A seat passes the coming deals (PTS-019), or only the hand that was called (GAME-DC-02)."""

    seat: int
    this_hand: bool = False


class SeatReturned(Event, frozen=True):
    """A seat takes part again from the next deal."""

    seat: int


class ActionRequired(Event, frozen=True):
    """A seat is to act: everything open to it, and until when."""

    seat: int
    action_number: int  # Counts per table, never resets; an input must carry it (BET-GEN-04).
    legal: LegalActions
    deadline_at_ms: int  # Exactly then is too late (PROC-CLK-05).


class CallRequired(Event, frozen=True):
    """The dealer of the next hand is to call a game, and until when (GAME-DC-01)."""

    seat: int
    action_number: int
    deadline_at_ms: int


class GameCalled(Event, frozen=True):
    """The dealer called and explained a game; until `deadline_at_ms` others may sit this hand out (GAME-DC-02)."""

    seat: int
    game: GameSpec
    rules: HandRules
    explanation: str
    ante_chips: int
    by_clock: bool  # The dealer called nothing in time, and the rules of this table name the game.
    action_number: int
    deadline_at_ms: int


class CallDropped(Event, frozen=True):
    """The call of a seat does not stand: the dealer is gone, or too few stayed in. Another call follows (GAME-DC-01)."""

    seat: int


class DeckSealed(Event, frozen=True):
    """The shuffled deck of the coming hand was committed to before its cut (GEN-08, PROC-SHUF-01)."""

    hand_number: int
    attempt: int  # Deals of this hand, from 1: a redeal is sealed anew.
    root: bytes  # 32 bytes, docs/deal-proof.md.
    button: int  # Of the coming hand.
    dealt_in: tuple[int, ...]  # Seats that will get cards, in seat order: fixed with the deck.
    n_cards: int = 52  # Of the deck.
    mix_root: bytes = (
        b""  # 32 bytes, commits to the orders in which the stub is mixed anew; empty where it never is (CARD-06).
    )
    steps: tuple[Step, ...] = ()  # Of the game, each burn with its number at this house; fixed with the deck.
    folded_hands_get_cards: bool = False  # GAME-ST-11.


class DeckCut(Event, frozen=True):
    """The sealed deck was cut: `position` cards from the top went to the bottom (PROC-SHUF-02)."""

    seat: int
    position: int
    by_clock: bool  # The seat gave no answer in time and the server drew the cut.


class TimeBankUsed(Event, frozen=True):
    """A seat took a token for its running window (PROC-CLK-02)."""

    seat: int
    action_number: int
    deadline_at_ms: int  # Now.
    tokens_left: int


class ResetAgreement(Event, frozen=True):
    """A seat agreed to the format's reset, or took it back (PTS-B3-03)."""

    seat: int
    agrees: bool


class StackReset(Event, frozen=True):
    """A seat without chips took its one reset; the chips were issued anew (PTS-B3-03)."""

    seat: int
    chips: int


class PlayoffAsked(Event, frozen=True):
    """A tied leader asked for the short hand, or declined it for all (PTS-B3-05)."""

    seat: int
    agrees: bool


class PlayoffStarted(Event, frozen=True):
    """All tied leaders asked: one short hand with equal stacks decides their order (PTS-B3-05)."""

    seats: tuple[int, ...]
    start_chips: int


class PlayoffFinished(Event, frozen=True):
    """The order among the tied leaders; recorded stacks stay as they were."""

    placements: tuple[Placement, ...]


class DecisionTimedOut(Event, frozen=True):
    """The window of a seat ended; the clock acts for it (PROC-CLK-03)."""

    seat: int
    action_number: int


class PlayResumed(Event, frozen=True):
    """The server came back; running windows got their remaining time."""

    stopped_at_ms: int
    deadline_at_ms: int  # New deadline of the seat to act, 0 when nobody is.


class NightClosed(Event, frozen=True):
    """The night is over; nothing more happens in it."""

    by: str  # HOST or FINISHED.


AnyEvent = (
    HandStarting
    | AntePosted
    | BlindPosted
    | HoleCardsDealt
    | UpCardsDealt
    | BringInPosted
    | ChoiceMade
    | CardsDrawn
    | CardsPassed
    | HalvesDeclared
    | StubReshuffled
    | CommonCardDealt
    | PotCarried
    | DivisionNamed
    | PotDivided
    | CardsBurned
    | BoardDealt
    | PlayerFolded
    | PlayerChecked
    | PlayerCalled
    | PlayerBet
    | PlayerRaised
    | UncalledReturned
    | BetsCollected
    | ShowdownStarted
    | HandShown
    | HandMucked
    | LayerAwarded
    | HandEnded
    | ButtonPlaced
    | OrbitCompleted
    | HandVoided
    | SessionFinished
    | NightCreated
    | CutoffPosted
    | ParticipantJoined
    | SeatTaken
    | SeatVacated
    | PostingAcknowledged
    | NightOpened
    | SeatSatOut
    | SeatReturned
    | ActionRequired
    | CallRequired
    | GameCalled
    | CallDropped
    | DeckSealed
    | DeckCut
    | TimeBankUsed
    | ResetAgreement
    | StackReset
    | PlayoffAsked
    | PlayoffStarted
    | PlayoffFinished
    | DecisionTimedOut
    | PlayResumed
    | NightClosed
)
