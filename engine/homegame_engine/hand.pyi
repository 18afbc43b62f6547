"""Types of the compiled module `hand`; the structs are in hand.pxd."""

from collections.abc import Iterable, Sequence

from typing_extensions import disjoint_base

from homegame_engine.actions import AnyAction, LegalActions
from homegame_engine.events import AnyEvent
from homegame_engine.specs import GameSpec, HandRules

ENCODING_VERSION: int

@disjoint_base
class Hand:
    """One deal, from forced bets to payout. Seats count from 0 clockwise, amounts are chips in base units.

    A hand is a value with a transition: it reads no clock and never shuffles. It holds every card in clear; only `view` may
    hand them on.
    """

    hand_number: int

    @staticmethod
    def start(
        game: GameSpec,
        rules: HandRules,
        *,
        stacks: Sequence[int],
        button: int,
        deck_order: bytes | Sequence[int],
        dealt_in: int | None = None,
        blinds: Sequence[int] | None = None,
        antes: Sequence[int] | None = None,
        dead_antes: Sequence[int] | None = None,
        dead_chips: int = 0,
        hand_number: int = 1,
        mix_orders: bytes = b"",
        kill: tuple[int, int] | None = None,
    ) -> Hand:
        """Post, deal and run to the first decision.

        Args:
            game: What is dealt.
            rules: What the house and the level decide.
            stacks: Chips of each seat before any post; 2 to 10 seats, 0 for an empty one.
            button: Seat of the button.
            deck_order: The codes of all cards of the game's deck, top first; unknown cards are CARD_UNKNOWN.
            dealt_in: Mask of seats that get cards; default all with chips.
            blinds: Announced blind of each seat; default by BET-GEN-11 and BET-GEN-12, and none where the game or the level has
                none. A short stack posts what it has.
            antes: Ante of each seat: part of its total, not of its bet. Default: the ante of `rules` from every seat dealt in.
            dead_antes: Ante that is dead money in the main layer (a big-blind ante).
            dead_chips: Dead money that lies in the pot already (POT-LAY-06).
            hand_number: Shown in the events.
            mix_orders: Up to four orders of all deck positions, one after the other, for a stub that runs short (CARD-06).
            kill: The killer's seat and its blind (KILL-06).

        Raises:
            RuleViolation: BAD_DECK (CARD-01, CARD-03), TOO_MANY_PLAYERS (CARD-08, GAME-ST-02).
            InputError: seats, stacks or amounts that no table has.

        Rules: GAME-HE-01, GAME-ST-01, BET-GEN-10 to BET-GEN-12, BET-FL-07, PROC-DEAL-01, CARD-07.
        """

    def take_events(self) -> tuple[AnyEvent, ...]:
        """Take the events since the last call of `take_events`, `apply` or `enter_card`; after `start`, those of the start."""

    def apply(self, seat: int, action: AnyAction) -> tuple[AnyEvent, ...]:
        """Carry out one action of `seat` and run to the next decision.

        Raises:
            RuleViolation: by the order of precedence in docs/rules/README.md, facts holding what would be legal; the state is
                untouched.
            InputError: an amount that is no integer.
            InvariantError: chips are not conserved (GEN-04).
        """

    def legal_actions(self, seat: int | None = None) -> LegalActions:
        """What `seat` (default: the seat to act) may do now; `kinds` is empty when it is not its turn."""

    def timeout_action(self, seat: int) -> AnyAction:
        """What the clock does for `seat`: check if free, else fold; at showdown show (PROC-CLK-03, PROC-SHOW-04).

        A bring-in that is owed is posted (GAME-ST-06); choices have their own defaults (GAME-DISC-02, GAME-DECL-07).
        """

    def divide_pot(self, shares: Sequence[int], consenting: Iterable[int]) -> tuple[AnyEvent, ...]:
        """Divide the pot as the live players agreed, who `consenting` names; ends the hand.

        Args:
            shares: Chips by seat.
            consenting: Seats that said yes.

        Raises:
            RuleViolation: HAND_OVER; AGREEMENT_FORBIDDEN (POT-AGR-02); SPLIT_SUM_MISMATCH, CONSENT_MISSING (POT-AGR-01).
            InputError: not one integer for each seat.
        """

    def enter_card(self, position: int, card: int) -> tuple[AnyEvent, ...]:
        """Fill an UNKNOWN position of the deck; goes on if the hand waited for it. Raises RuleViolation BAD_DECK."""

    def enter_opener(self, seat: int) -> tuple[AnyEvent, ...]:
        """Say which seat opens the round that waits for UNKNOWN up cards, as those who see the cards do (GEN-09).

        Raises:
            RuleViolation: OUT_OF_TURN, by the known cards another seat opens (GAME-ST-04).
            InputError: no round waits for that, or the seat has no live hand.
        """

    def enter_bring_in_seat(self, seat: int) -> None:
        """Give the bring-in that is owed to another seat, which posted it at a real table (GAME-ST-08, GEN-09).

        Raises:
            InputError: no bring-in is owed, or the seat has no live hand with chips.
        """

    def remove_cards(self, count: int) -> tuple[AnyEvent, ...]:
        """Take the next `count` cards of the stub out of play, as burnt ones are: they came too early (GAME-ST-15).

        Raises:
            InputError: no betting round is going on, or the stub has not so many cards.
        """

    def copy(self) -> Hand:
        """Copy the hand; the copy has no pending events."""

    def encode(self) -> bytes:
        """Canonical encoding of the whole state, versioned by ENCODING_VERSION; equal states give equal bytes."""

    def hole_cards(self, seat: int) -> tuple[int, ...]:
        """Private cards of a seat in clear, in the order received."""

    def hole_positions(self, seat: int) -> tuple[int, ...]:
        """Deck positions those cards came from."""

    def words(self, seat: int) -> str:
        """Words for the hand with the board so far, of both halves where there are two; "" under too few known cards."""

    def hand_rank(self, seat: int) -> int:
        """Evaluated strength with the board so far; higher is better. Raises InputError under five known cards."""

    @property
    def is_over(self) -> bool: ...
    @property
    def phase(self) -> str:
        """BETTING, CHOOSING (cards or halves), SHOWDOWN, WAITING (for an UNKNOWN card) or OVER."""

    @property
    def actor(self) -> int:
        """Seat to act or to show, -1 for nobody."""

    @property
    def may_act_mask(self) -> int:
        """Seats that may act now: the actor, or all that still owe a choice that is made at the same time."""

    def up_cards(self, seat: int) -> tuple[int, ...]:
        """Cards of a seat that lie face up, in the order received (GAME-ST-10)."""

    def up_mask(self, seat: int) -> int:
        """Which of `hole_cards` lie face up; bit i is card i."""

    @property
    def pending_mask(self) -> int:
        """Seats that owe a draw, a discard, a pass or a declaration."""

    @property
    def declarations(self) -> tuple[str, ...]:
        """LOW, HIGH, BOTH or "" by seat; () while they are secret and in games without."""

    @property
    def carry_chips(self) -> int:
        """Left in the middle for the next hand (POT-SPLIT-03), or the pot of a redeal (GAME-DC-06)."""

    @property
    def redeal_mask(self) -> int:
        """Seats that take part in the redeal; 0 when there is none."""

    @property
    def bring_in_seat(self) -> int:
        """Seat that owes or posted the bring-in, -1 for none."""

    @property
    def kill_seat(self) -> int:
        """Seat that posted the kill blind, -1 for none."""

    @property
    def n_seats(self) -> int: ...
    @property
    def button(self) -> int: ...
    @property
    def small_blind_seat(self) -> int: ...
    @property
    def big_blind_seat(self) -> int: ...
    @property
    def street(self) -> int:
        """Betting round begun last, 0 being the first."""

    @property
    def stacks(self) -> tuple[int, ...]: ...
    @property
    def start_stacks(self) -> tuple[int, ...]: ...
    @property
    def street_chips(self) -> tuple[int, ...]:
        """Bets that lie before the seats; zeros between streets and after the betting."""

    @property
    def committed_chips(self) -> tuple[int, ...]:
        """Put in for the hand so far, returned chips taken off."""

    @property
    def won_chips(self) -> tuple[int, ...]: ...
    @property
    def net_chips(self) -> tuple[int, ...]: ...
    @property
    def pot_chips(self) -> int:
        """Everything in the middle and before the seats, dead money included."""

    @property
    def level_chips(self) -> int: ...
    @property
    def board(self) -> tuple[int, ...]: ...
    @property
    def board_positions(self) -> tuple[int, ...]:
        """Deck positions the board came from."""

    @property
    def deck_order(self) -> bytes: ...
    @property
    def next_deck_position(self) -> int: ...
    @property
    def dealt_mask(self) -> int: ...
    @property
    def live_mask(self) -> int: ...
    @property
    def all_in_mask(self) -> int: ...
    @property
    def shown_mask(self) -> int: ...
    @property
    def mucked_mask(self) -> int: ...
    @property
    def returned(self) -> tuple[int, int] | None:
        """Seat and chips of the uncalled part that went back last."""

    @property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """Layers as collected last: chips and mask of the seats that may win, main layer first."""

    @property
    def action_count(self) -> int: ...
    @property
    def total_chips(self) -> int:
        """Stacks + wagers + dead money: constant over the hand (GEN-04)."""
