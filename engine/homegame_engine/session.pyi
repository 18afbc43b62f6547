"""Types of the compiled module `session`; the structs are in session.pxd."""

from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import disjoint_base

from homegame_engine.actions import AnyAction, LegalActions
from homegame_engine.errors import RuleViolation
from homegame_engine.events import AnyEvent, Placement
from homegame_engine.hand import Hand
from homegame_engine.kill import KillMarker
from homegame_engine.specs import FormatSpec, GameSpec, HandRules, HouseSpec

NO_CUTOFF: int
ENCODING_VERSION: int

@disjoint_base
class Session:
    """One run of a format at one table: button, levels, orbits, cutoff and standings around a hand.

    Seats count from 0 clockwise, amounts are chips, moments Unix UTC milliseconds that the caller supplies.
    """

    format_spec: FormatSpec
    game_spec: GameSpec
    hand_rules: HandRules

    @staticmethod
    def create(
        format_spec: FormatSpec,
        game: GameSpec,
        house: HouseSpec,
        *,
        n_seats: int,
        seated_mask: int,
        first_button: int,
        hands_before: int = 0,
    ) -> Session:
        """Begin a session with equal stacks for the seats of `seated_mask` (PTS-002).

        `hands_before` are the hands of the night in sessions before: hand numbers go on from there, levels do not.

        Raises:
            RuleViolation: TOO_FEW_PLAYERS, TOO_MANY_PLAYERS (PTS-006).
            InputError: seats that no table has, or a button at an empty seat.
        """

    def change_game(self, format_spec: FormatSpec, game: GameSpec, house: HouseSpec) -> None:
        """Play another game from the next hand on, with the sizes of `format_spec`; stacks, button and orbits stay (GAME-DC-01).

        Raises:
            RuleViolation: HAND_IN_PROGRESS.
            InputError: a game or sizes that the core cannot play.
        """

    def post_cutoff(self, at_ms: int) -> None:
        """Set the moment after which no hand starts (PTS-003); NO_CUTOFF for runs that end by hands."""

    def deal_refusal(self, at_ms: int) -> RuleViolation | None:
        """Why no hand could start at `at_ms`, or None."""

    def start_hand(
        self, at_ms: int, deck_order: bytes | Sequence[int], mix_orders: bytes = b""
    ) -> tuple[AnyEvent, ...]:
        """Post and deal the next hand.

        Args:
            at_ms: When.
            deck_order: Card codes, top first.
            mix_orders: For a stub that runs short: up to four orders of all deck positions, one after the other (CARD-06).

        Raises:
            RuleViolation: SESSION_CLOSED, HAND_IN_PROGRESS, CUTOFF_MISSING, CUTOFF_PASSED (PTS-016), TOO_FEW_PLAYERS, BAD_DECK
                (PTS-001).
        """

    def apply(self, seat: int, action: AnyAction) -> tuple[AnyEvent, ...]:
        """Carry out one action in the live hand; the button moves when it was the last (PROC-BTN-01).

        Raises:
            RuleViolation: as `Hand.apply`, and HAND_OVER between hands; the state is untouched.
            InvariantError: chips are not conserved (GEN-04).
        """

    def legal_actions(self, seat: int | None = None) -> LegalActions:
        """What `seat` (default: the seat to act) may do now; `kinds` is empty when nothing."""

    def void_hand(self, reason: str) -> tuple[AnyEvent, ...]:
        """Restore the stacks of the hand's start; button and hand number stay (PROC-VOID-02). Raises HAND_OVER."""

    def set_active(self, seat: int, active: bool) -> None:
        """Pass the coming deals, or take part again; a live hand is played on (PTS-019)."""

    def timeout_action(self, seat: int) -> AnyAction:
        """What the clock does for `seat`, as `Hand.timeout_action`."""

    def choose_kill(self, kill: str) -> None:
        """Play kill pots: OFF, HALF or FULL; the default is the house's (KILL-01).

        Raises:
            RuleViolation: CONFIG_LOCKED, the first hand was dealt; CONFIG_INVALID, the structure is not LIMIT.
            InputError: no such kill.
        """

    def forget_leg(self, seat: int) -> None:
        """Make the kill marker neutral where `seat` has it: its player cashes out (KILL-03, KILL-05)."""

    def reset_stack(self, seat: int) -> tuple[AnyEvent, ...]:
        """Issue the starting stack anew to a seat that has exactly zero, between hands (PTS-B3-03, PTS-024).

        Raises:
            RuleViolation: SESSION_CLOSED, HAND_IN_PROGRESS, RESET_NOT_ZERO.
            InputError: nobody plays at the seat.
        """

    def finish(self, by: str) -> tuple[AnyEvent, ...]:
        """End the session and place the stacks.

        Raises:
            RuleViolation: SESSION_CLOSED, HAND_IN_PROGRESS, COUNT_MISMATCH (PTS-024).
        """

    def standings(self) -> tuple[Placement, ...]:
        """Places by the stacks between hands; during a hand, by those of its start."""

    def copy(self) -> Session: ...
    def encode(self) -> bytes:
        """Canonical encoding of the whole state, hand included; equal states give equal bytes."""

    @property
    def hand(self) -> Hand | None:
        """A copy of the live hand, or of the last one; None before the first."""

    @property
    def hand_is_live(self) -> bool: ...
    @property
    def is_finished(self) -> bool: ...
    @property
    def has_sole_owner(self) -> bool:
        """Whether one player holds all chips (PTS-016)."""

    @property
    def actor(self) -> int:
        """Seat to act, -1 for nobody."""

    @property
    def may_act_mask(self) -> int:
        """Seats whose decision is open: the seat to act, or all that still owe a choice made at the same time."""

    @property
    def n_seats(self) -> int: ...
    @property
    def button(self) -> int: ...
    @property
    def hand_number(self) -> int:
        """Hands of the night before + completed hands + 1 (PTS-B3-02)."""

    @property
    def hands_completed(self) -> int: ...
    @property
    def orbits_completed(self) -> int: ...
    @property
    def ticked_mask(self) -> int: ...
    @property
    def roster_mask(self) -> int: ...
    @property
    def passing_mask(self) -> int: ...
    @property
    def active_mask(self) -> int: ...
    @property
    def coming_mask(self) -> int:
        """Seats that the next deal gives cards to, as things stand: the active ones, or those of a redeal."""

    @property
    def redeal_mask(self) -> int:
        """Seats of a redeal of the pot, which the next deal then is (GAME-DC-06); 0 for none."""

    @property
    def carry_chips(self) -> int:
        """Chips that lie in the middle for the next hand (POT-SPLIT-03, GAME-DC-06)."""

    @property
    def kill_marker(self) -> KillMarker:
        """Who has a leg, and who has to kill the next hand (KILL-02)."""

    @property
    def cutoff_at_ms(self) -> int: ...
    @property
    def issued_chips(self) -> int: ...
    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, live during a hand."""

    @property
    def played_rules(self) -> HandRules | None:
        """What the running or last hand was started with: the sizes of its level, raised where it was killed (KILL-01).

        None before the first hand.
        """

    @property
    def level(self) -> tuple[int, int]:
        """Small and big blind of the next hand (of the live one while it is played)."""

def place_stacks(stacks: Mapping[int, int]) -> tuple[Placement, ...]:
    """Places by stack, equal stacks sharing, numbered 1, 1, 3 (PTS-016, PTS-017)."""

def check_count(stacks: Iterable[int], issued_chips: int) -> None:
    """Raise RuleViolation COUNT_MISMATCH when the stacks do not add up to what was issued (PTS-024)."""
