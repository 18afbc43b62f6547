"""Games, houses and formats as frozen values: what the TOML files say once they are read and found sound.

Nothing here plays; the compiled core takes these values apart. Amounts are chips in the table's base unit, durations ms.
"""

from typing import Literal

import msgspec

Structure = Literal["FIXED_LIMIT", "LIMIT", "NO_LIMIT", "POT_LIMIT", "SPREAD_LIMIT"]
ReopenRule = Literal["FULL_LEVEL", "HALF_BET", "CUMULATIVE_FULL", "MIN_CHIP"]
ShowdownFirst = Literal["BUTTON_LEFT", "FIRST_ACTED"]


class _Spec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything read from a file: a key nobody knows is an error, never ignored."""


class DealDown(_Spec, frozen=True, tag_field="step", tag="DEAL_DOWN"):
    """Give each dealt-in seat `count` hidden cards, one at a time clockwise from the button's left (PROC-DEAL-01)."""

    count: int


class Burn(_Spec, frozen=True, tag_field="step", tag="BURN"):
    """Burn the house's number of cards for the coming board street (CARD-07)."""


class DealBoard(_Spec, frozen=True, tag_field="step", tag="DEAL_BOARD"):
    """Turn `count` common cards."""

    count: int


class BettingStreet(_Spec, frozen=True, tag_field="step", tag="BET"):
    """A betting round. `size` picks the fixed-limit increment; other structures ignore it."""

    street: str
    size: Literal["SMALL", "BIG"]


Step = DealDown | Burn | DealBoard | BettingStreet


class PlayersSpec(_Spec, frozen=True):
    """How many may be dealt in."""

    min: int
    max: int


class GameShowdownSpec(_Spec, frozen=True):
    """How hands are compared: the ranking, and how many private cards a hand uses with the board."""

    ranking: Literal["HIGH"]
    hole_cards_min: int
    hole_cards_max: int


class GameSpec(_Spec, frozen=True):
    """A card game as a list of steps. Betting sizes, blinds and houses are no part of it."""

    id: str
    version: int
    name: str
    summary: str
    rules: tuple[str, ...]  # Rule ids of the rulebook that this file restates as data.
    players: PlayersSpec
    steps: tuple[Step, ...]
    showdown: GameShowdownSpec

    @property
    def hole_card_count(self) -> int:
        """Private cards a seat gets in all."""
        return sum(step.count for step in self.steps if isinstance(step, DealDown))

    @property
    def board_card_count(self) -> int:
        """Common cards dealt in all."""
        return sum(step.count for step in self.steps if isinstance(step, DealBoard))

    @property
    def street_names(self) -> tuple[str, ...]:
        """The betting rounds in order, in the field's words."""
        return tuple(step.street for step in self.steps if isinstance(step, BettingStreet))


class HandRules(_Spec, frozen=True):
    """Everything about one hand that the house and the level decide."""

    structure: Structure
    reopen_rule: ReopenRule
    small_blind_chips: int
    big_blind_chips: int
    small_bet_chips: int = 0  # Fixed-limit step of the early streets.
    big_bet_chips: int = 0  # Fixed-limit step of the late streets.
    min_open_chips: int = 0  # No and pot limit: least opening after the first street.
    spread_min_chips: int = 0
    spread_max_chips: int = 0
    raise_cap: int = -1  # Raises after the opening on one street; -1 for none.
    fold_when_free: bool = True
    unit_chips: int = 1
    showdown: Literal["ASK", "AUTO"] = "ASK"
    showdown_first: ShowdownFirst = "BUTTON_LEFT"
    allin_face_up: bool = False
    burns: tuple[int, ...] = (1, 1, 1)


class HouseSpec(_Spec, frozen=True):
    """A named profile of options (docs/rules/README.md, "Houses"). Sizes come from the level, see `hand_rules`."""

    id: str
    version: int
    name: str
    value_kind: Literal["POINTS", "MONEY_RECORD", "TOURNAMENT_CHIPS"]
    betting: Structure
    reopen_rule: ReopenRule
    limit_reopen_rule: ReopenRule  # Used instead when the structure is LIMIT.
    raise_cap: int  # Raises after the opening; -1 for none.
    limit_raise_cap: int  # Used instead when the structure is LIMIT or FIXED_LIMIT.
    fold_when_free: bool
    burns: tuple[int, ...]
    min_open_bet: Literal["SMALL_BLIND", "BIG_BLIND"]
    limit_unit: Literal["BLINDS", "BETS"]
    showdown: Literal["ASK", "AUTO"]
    showdown_first: ShowdownFirst
    allin_face_up: bool
    unit_chips: int
    button_rule: Literal["SIMPLE_MOVING", "DEAD_BUTTON", "DEALER_ROTATES"]
    tie_rule: Literal["SHARE"]

    def hand_rules(
        self,
        *,
        small_blind_chips: int,
        big_blind_chips: int,
        structure: Structure | None = None,
        unit_chips: int | None = None,
    ) -> HandRules:
        """Build the rules of a hand at one level of this house.

        Rules: BET-FL-01 (steps of one and two big blinds), BET-LIM-01 (`limit_unit`), BET-NL-02 and CASH-09 (least opening).
        """
        played = structure or self.betting
        if played == "LIMIT" and self.limit_unit == "BLINDS":
            small_bet_chips, big_bet_chips = small_blind_chips, big_blind_chips  # BET-LIM-01, D-14
        else:
            small_bet_chips, big_bet_chips = big_blind_chips, 2 * big_blind_chips
        is_limit = played in ("LIMIT", "FIXED_LIMIT")
        return HandRules(
            structure=played,
            reopen_rule=self.limit_reopen_rule if is_limit else self.reopen_rule,
            small_blind_chips=small_blind_chips,
            big_blind_chips=big_blind_chips,
            small_bet_chips=small_bet_chips,
            big_bet_chips=big_bet_chips,
            min_open_chips=small_blind_chips if self.min_open_bet == "SMALL_BLIND" else big_blind_chips,
            raise_cap=self.limit_raise_cap if is_limit else self.raise_cap,
            fold_when_free=self.fold_when_free,
            unit_chips=unit_chips or self.unit_chips,
            showdown=self.showdown,
            showdown_first=self.showdown_first,
            allin_face_up=self.allin_face_up,
            burns=self.burns,
        )


class StartSpec(_Spec, frozen=True):
    """Equal starting stack of every player (PTS-002)."""

    chips: int


class BettingSpec(_Spec, frozen=True):
    """The betting structure a format plays."""

    structure: Structure


class LevelSpec(_Spec, frozen=True):
    """Blinds from one hand number on; hand 1 is the first (PTS-B3-01)."""

    from_hand: int
    small_blind: int
    big_blind: int


class CutoffSpec(_Spec, frozen=True):
    """Default no-new-hand cutoff, minutes after the start (PTS-003)."""

    minutes: int


class BlockSpec(_Spec, frozen=True):
    """One scheduled part of a session: a game, and how long it is played."""

    game: str
    until: Literal["CUTOFF", "ORBIT"]


class ScoringSpec(_Spec, frozen=True):
    """What decides placement (PTS-016, PTS-017)."""

    by: Literal["STACK"]
    ties: Literal["SHARE", "SHORT_HAND"]  # SHORT_HAND: one short hand if all tied leaders ask (PTS-B3-05), else SHARE.


class ClockSpec(_Spec, frozen=True):
    """Windows in seconds, the same for everyone (PROC-CLK-01, PROC-CLK-02, PROC-SHUF-02)."""

    decision_seconds: int
    cut_seconds: int = 10
    time_bank_seconds: int = 15  # What one token adds to a window, once.
    time_bank_tokens: int = 1  # Of each player for the session.


class ResetSpec(_Spec, frozen=True):
    """A single reset from zero to the starting stack, if everybody agrees before the first hand (PTS-B3-03)."""

    allow: Literal["AGREED"]


class ProceduresSpec(_Spec, frozen=True):
    """Optional procedures of a format; what is not named does not exist."""

    reset: ResetSpec | None = None


class FormatSpec(_Spec, frozen=True):
    """A session format: house, players, stacks, levels, cutoff, schedule and scoring."""

    id: str
    version: int
    name: str
    summary: str
    rules: tuple[str, ...]
    house: str
    players: PlayersSpec
    start: StartSpec
    betting: BettingSpec
    levels: tuple[LevelSpec, ...]
    cutoff: CutoffSpec
    blocks: tuple[BlockSpec, ...]
    scoring: ScoringSpec
    clock: ClockSpec
    base: str | None = None
    aliases: tuple[str, ...] = ()
    description: str = ""
    procedures: ProceduresSpec = ProceduresSpec()

    @property
    def offers_reset(self) -> bool:
        """Whether players may agree to the reset of PTS-B3-03."""
        return self.procedures.reset is not None
