"""What happens at a real table and cannot on a screen, as its dealer enters it (table mode LIVE, GEN-09).

Wraps a hand that a screen would play too: an entry becomes an ordinary action, is refused, takes the last one back or takes
cards out of play. Knows nothing of who may enter or rule at a table, and of no fault but those of the games' own rules; the
procedures for misdeals and exposed cards are not here.

Rules: BET-GEN-17, BET-NL-09 to BET-NL-11, BET-PL-05, GAME-ST-08, GAME-ST-12, GAME-ST-14, GAME-ST-15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from homegame_engine.actions import AnyAction, Bet, BringIn, Call, Check, Complete, Fold, LegalActions, Raise
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.reasons import Reason

if TYPE_CHECKING:
    from homegame_engine.events import AnyEvent
    from homegame_engine.hand import Hand
    from homegame_engine.specs import HandRules

TableMode = Literal["VIRTUAL", "LIVE"]

_FIRST_CARDS: Final = 2  # GAME-ST-14: the private cards of the initial deal.
_ACTIONS_AFTER_BRING_IN: Final = 2  # PROC-MISC-02: from then on the deal is played.
_BINDING_PART: Final = (4, 5)  # BET-NL-11: 80 % of the call.


class SpokenWager(msgspec.Struct, frozen=True, kw_only=True):
    """What a player facing or opening a wager said and pushed in.

    Chips are amounts in the table's base unit. Whoever said "raise" outside a tournament may push several times; the entry holds
    the sum once the hand rests (BET-NL-09).
    """

    said: Literal["", "CALL", "BET", "RAISE"] = ""
    said_to_chips: int | None = None  # Street total that was named aloud.
    pushed_chips: int = 0  # Added in front of the player.
    is_single_chip: bool = False


def wager_of(entry: SpokenWager, legal: LegalActions, *, own_chips: int, is_pot_limit: bool = False) -> AnyAction:
    """Return the action that an entry means, its size corrected to the nearest legal one.

    Args:
        entry: What was said and pushed.
        legal: What is open to the player.
        own_chips: What the player had in on this street before.
        is_pot_limit: Whether a single chip without words bets the pot.

    Returns:
        A call of what is owed, a check, or a wager inside the legal range. Where no wager is open the amount is left as it
        was entered, and the hand refuses it with its reason.

    Raises:
        InputError: nothing was said or pushed.

    Rules: BET-NL-09 (words beat chips; a single chip), BET-NL-10 (too little, too much), BET-PL-05 (above the pot).
    """
    is_facing = legal.call_chips > 0
    is_silent = not entry.said and entry.said_to_chips is None
    if is_silent and entry.pushed_chips <= 0:
        raise InputError("nothing was said or pushed in", field="entry")
    passive: AnyAction = Call(call_chips=legal.call_chips) if is_facing else Check()
    if entry.said == "CALL" or (is_silent and is_facing and entry.is_single_chip):
        return passive
    total = own_chips + entry.pushed_chips if entry.said_to_chips is None else entry.said_to_chips
    if legal.raise_to_min_chips is None or legal.raise_to_max_chips is None:
        return passive if is_silent else _wager(total, legal)  # BET-NL-10: too much for a call is not a raise.
    if is_silent and is_facing and total < legal.raise_to_min_chips:
        return passive  # BET-NL-10: the surplus goes back, a short call is topped up.
    if is_silent and is_pot_limit and entry.is_single_chip:
        total = legal.raise_to_max_chips  # BET-PL-05
    return _wager(_nearest_legal(total, legal.raise_to_min_chips, legal), legal)


def _wager(total_chips: int, legal: LegalActions) -> AnyAction:
    if "complete" in legal.kinds:
        return Complete()
    return Raise(to_chips=total_chips) if legal.call_chips > 0 else Bet(to_chips=total_chips)


def _nearest_legal(total_chips: int, least_chips: int, legal: LegalActions) -> int:
    """The legal street total nearest to `total_chips`; between two equally near ones the lower."""
    greatest_chips = legal.raise_to_max_chips or least_chips
    if total_chips >= greatest_chips:
        return greatest_chips
    if total_chips <= least_chips:
        return least_chips
    step = max(legal.raise_step_chips, 1)
    n_steps, over = divmod(total_chips - least_chips, step)
    return min(least_chips + (n_steps + (2 * over > step)) * step, greatest_chips)


class LiveHand:
    """A hand at a real table.

    Attributes:
        hand: The hand as far as it is entered; an entry that takes the last one back puts an earlier value in its place.
        is_misdeal: Whether the deal was declared void: chips are those of `hand.start_stacks`, and nothing more is entered.
    """

    def __init__(self, hand: Hand, rules: HandRules, table_mode: TableMode = "LIVE") -> None:
        """Take over a hand and the rules it is played by; at a VIRTUAL table only ordinary actions are entered."""
        self.hand = hand
        self.rules = rules
        self.table_mode = table_mode
        self.is_misdeal = False
        self._before: Hand | None = None  # The hand before the last entry.
        self._last: tuple[int, AnyAction] | None = None
        self._wrong_bring_in_seat = -1
        self._n_after_bring_in = 0

    def enter(self, seat: int, action: AnyAction) -> tuple[AnyEvent, ...]:
        """Enter an ordinary action. Raises as `Hand.apply` does, and MISDEAL_DECLARED (GAME-ST-14)."""
        self._refuse_after_misdeal()
        before = self.hand.copy()
        happened = self.hand.apply(seat, action)
        self._before, self._last = before, (seat, action)
        if before.bring_in_seat >= 0 and before.phase == "BETTING" and before.legal_actions().bring_in_chips == 0:
            self._n_after_bring_in += 1
        return happened

    def enter_wager(self, seat: int, entry: SpokenWager) -> tuple[AnyEvent, ...]:
        """Enter what a player said and pushed in.

        Raises:
            RuleViolation: WRONG_TABLE_MODE, on a screen only the amount counts (BET-NL-09); OUT_OF_TURN and the reasons for which
                no wager is open; MISDEAL_DECLARED.
        """
        self._refuse_on_screen("BET-NL-09")
        legal = self.hand.legal_actions(seat)
        own_chips = self.hand.street_chips[seat]
        is_pot_limit = self.rules.structure == "POT_LIMIT"
        return self.enter(seat, wager_of(entry, legal, own_chips=own_chips, is_pot_limit=is_pot_limit))

    def withdraw_call(self, put_in_chips: int) -> None:
        """Take the last call back after a gross misunderstanding, as the director ruled.

        Args:
            put_in_chips: What the caller had put in when the misunderstanding came out.

        Raises:
            RuleViolation: CALL_STANDS, the last entry is no call, or 80 % of it or more was put in (BET-NL-11);
                WRONG_TABLE_MODE.
        """
        self._refuse_on_screen("BET-NL-11")
        call = self._last[1] if self._last else None
        if self._before is None or not isinstance(call, Call):
            raise RuleViolation(Reason.CALL_STANDS, "BET-NL-11", message="Somebody has acted behind the call.")
        owed_chips = self._before.legal_actions().call_chips
        part, whole = _BINDING_PART
        if put_in_chips * whole >= owed_chips * part:
            facts = {"call_chips": owed_chips, "put_in_chips": put_in_chips}
            raise RuleViolation(Reason.CALL_STANDS, "BET-NL-11", facts=facts, message="Most of the call was put in.")
        self._take_back()

    def enter_wrong_bring_in(self, seat: int, action: BringIn | Complete) -> tuple[AnyEvent, ...]:
        """Enter that a seat brought in, or made a full bet, though the low card lies elsewhere (GAME-ST-08).

        It stands once the next player acts; until then `correct_bring_in` takes it back.

        Raises:
            RuleViolation: WRONG_TABLE_MODE, MISDEAL_DECLARED.
            InputError: no bring-in is owed, or the seat cannot post one.
        """
        self._refuse_on_screen("GAME-ST-08")
        self._refuse_after_misdeal()
        before = self.hand.copy()
        changed = self.hand.copy()
        changed.enter_bring_in_seat(seat)
        happened = changed.apply(seat, action)
        self.hand, self._before, self._last = changed, before, (seat, action)
        self._wrong_bring_in_seat = seat
        return happened

    def correct_bring_in(self) -> None:
        """Give the wrong bring-in back; the true low card must bet.

        Raises:
            RuleViolation: ACTION_STANDS, nothing wrong was entered or the next player has acted (GAME-ST-08); WRONG_TABLE_MODE.
        """
        self._refuse_on_screen("GAME-ST-08")
        seat = self._wrong_bring_in_seat
        if seat < 0 or self._last is None or self._last[0] != seat or not isinstance(self._last[1], BringIn | Complete):
            message = "The next player has acted: the wager stands, and the low card owes nothing."
            raise RuleViolation(Reason.ACTION_STANDS, "GAME-ST-08", message=message)
        self._take_back()
        self._wrong_bring_in_seat = -1

    def pick_up_cards(self, seat: int) -> tuple[AnyEvent, ...]:
        """Enter that a player picked up the up cards: a fold when it faces a wager, nothing at showdown (GAME-ST-12).

        Raises:
            RuleViolation: OUT_OF_TURN; WRONG_TABLE_MODE, MISDEAL_DECLARED.
        """
        self._refuse_on_screen("GAME-ST-12")
        if self.hand.phase == "BETTING" and self.hand.level_chips > self.hand.street_chips[seat]:
            return self.enter(seat, Fold())
        return ()

    def expose_private_card(self, seat: int, number: int) -> None:
        """Enter that a private card of the initial deal was exposed, or dealt off the table: a misdeal (GAME-ST-14).

        Args:
            seat: Whose card it was.
            number: Which of its private cards, from 1.

        Raises:
            RuleViolation: MISDEAL_TOO_LATE, two players have acted after the forced bet (PROC-MISC-02); WRONG_TABLE_MODE,
                MISDEAL_DECLARED.
            InputError: no private card of the initial deal.
        """
        self._refuse_on_screen("GAME-ST-14")
        self._refuse_after_misdeal()
        if not (0 <= seat < self.hand.n_seats and self.hand.dealt_mask >> seat & 1):
            raise InputError(f"seat {seat} was dealt no cards", field="seat")
        if not 1 <= number <= _FIRST_CARDS:
            raise InputError("only the first two private cards make a misdeal", field="number")
        if self._n_after_bring_in >= _ACTIONS_AFTER_BRING_IN:
            message = "Two players have acted after the bring-in: the deal is played."
            raise RuleViolation(Reason.MISDEAL_TOO_LATE, "PROC-MISC-02", message=message)
        self.is_misdeal = True

    def remove_early_cards(self, count: int) -> tuple[AnyEvent, ...]:
        """Take the next cards out of play: they were dealt before the betting was complete (GAME-ST-15).

        Raises:
            RuleViolation: WRONG_TABLE_MODE, MISDEAL_DECLARED.
            InputError: no betting is going on, or the stub has not so many cards.
        """
        self._refuse_on_screen("GAME-ST-15")
        self._refuse_after_misdeal()
        return self.hand.remove_cards(count)

    def _take_back(self) -> None:
        if self._before is not None:
            self.hand = self._before
        self._before, self._last = None, None

    def _refuse_on_screen(self, rule_id: str) -> None:
        if self.table_mode != "LIVE":
            message = "Here the table keeps chips and cards itself."
            raise RuleViolation(Reason.WRONG_TABLE_MODE, rule_id, message=message)

    def _refuse_after_misdeal(self) -> None:
        if self.is_misdeal:
            raise RuleViolation(Reason.MISDEAL_DECLARED, "GAME-ST-14", message="The deal is void: the chips go back.")
