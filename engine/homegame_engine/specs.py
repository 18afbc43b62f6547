"""Games, houses and formats as frozen values: what the TOML files say once they are read and found sound.

Nothing here plays; the compiled core takes these values apart. Amounts are chips in the table's base unit, durations ms.
"""

from typing import ClassVar, Literal

import msgspec

Structure = Literal["FIXED_LIMIT", "LIMIT", "NO_LIMIT", "POT_LIMIT", "SPREAD_LIMIT"]
ReopenRule = Literal["FULL_LEVEL", "HALF_BET", "CUMULATIVE_FULL", "MIN_CHIP"]
ShowdownFirst = Literal["BUTTON_LEFT", "FIRST_ACTED", "LOWEST_SEAT"]
Ranking = Literal["HIGH", "ACE_TO_FIVE", "ACE_TO_SIX", "DEUCE_TO_SEVEN", "BADUGI", "LOW_SPADE", "HOUSE_LOW"]
OddUnits = Literal["CLOCKWISE", "CARRY", "FIRST"]
HandCategory = Literal[
    "HIGH_CARD",
    "ONE_PAIR",
    "TWO_PAIR",
    "THREE_OF_A_KIND",
    "STRAIGHT",
    "FLUSH",
    "FULL_HOUSE",
    "FOUR_OF_A_KIND",
    "STRAIGHT_FLUSH",
    "FIVE_OF_A_KIND",
]


class _Spec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything read from a file: a key nobody knows is an error, never ignored.

    `ADDED_LATER` names fields that stored specs of earlier versions lack. A digest of a spec leaves such a field out while it has
    its default, so that a journal written before the field existed still gives the same digest.
    """

    ADDED_LATER: ClassVar[tuple[str, ...]] = ()


def stored_form(value: object) -> object:
    """A spec, or an input that holds specs, as plain data for digests.

    Fields of `ADDED_LATER` that have their default are left out, so equal specs give the data that earlier versions gave.
    """
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        plain: dict[str, object] = {}
        if config.tag_field is not None:
            plain[config.tag_field] = config.tag
        later: tuple[str, ...] = getattr(value, "ADDED_LATER", ())
        for field in msgspec.structs.fields(value):
            held = getattr(value, field.name)
            if field.name not in later or held != field.default:
                plain[field.encode_name] = stored_form(held)
        return plain
    return [stored_form(item) for item in value] if isinstance(value, tuple) else value


class DealDown(_Spec, frozen=True, tag_field="step", tag="DEAL_DOWN"):
    """Give each dealt-in seat `count` hidden cards, one at a time clockwise from the button's left (PROC-DEAL-01)."""

    count: int


class DealUp(_Spec, frozen=True, tag_field="step", tag="DEAL_UP"):
    """Give each seat still in `count` cards face up, clockwise from the button's left (GAME-ST-01)."""

    count: int


class Burn(_Spec, frozen=True, tag_field="step", tag="BURN"):
    """Burn `count` cards, or for 0 the house's number of cards for the coming board street (CARD-07)."""

    count: int = 0

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("count",)


class DealBoard(_Spec, frozen=True, tag_field="step", tag="DEAL_BOARD"):
    """Turn `count` common cards."""

    count: int


class BettingStreet(_Spec, frozen=True, tag_field="step", tag="BET"):
    """A betting round. `size` picks the fixed-limit increment; other structures ignore it.

    `opens` says who acts first where no blind has: the button's left, the bring-in (GAME-ST-05), the best or the worst
    exposed hand (GAME-ST-04, GAME-RZ-02), or the lock of a declaration (GAME-DECL-02). `open_pair` lets an open pair choose
    the big bet, where the house plays that (BET-LIM-04).
    """

    street: str
    size: Literal["SMALL", "BIG"]
    opens: Literal["BUTTON_LEFT", "BRING_IN", "BEST_EXPOSED", "WORST_EXPOSED", "DECLARED"] = "BUTTON_LEFT"
    open_pair: bool = False

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("opens", "open_pair")


class DrawCards(_Spec, frozen=True, tag_field="step", tag="DRAW"):
    """Each live seat in turn changes at most `count` cards (GAME-DC-09)."""

    count: int


class DiscardCards(_Spec, frozen=True, tag_field="step", tag="DISCARD"):
    """Each live seat gives up exactly `count` private cards, all at the same time (GAME-DISC-01)."""

    count: int


class PassCards(_Spec, frozen=True, tag_field="step", tag="PASS"):
    """Each live seat hands `count` private cards to its live neighbour, all at the same time (GAME-DC-04)."""

    count: int
    direction: Literal["LEFT", "RIGHT"]


class DeclareHalves(_Spec, frozen=True, tag_field="step", tag="DECLARE"):
    """Each live seat declares LOW, HIGH or BOTH, sealed and revealed together (GAME-DECL-01)."""


Step = DealDown | DealUp | Burn | DealBoard | BettingStreet | DrawCards | DiscardCards | PassCards | DeclareHalves


class PlayersSpec(_Spec, frozen=True):
    """How many may be dealt in."""

    min: int
    max: int


class GameShowdownSpec(_Spec, frozen=True):
    """How hands are compared: the ranking, and how many private cards a hand uses with the board.

    `ranking` is that of the whole pot, or of the high half; `low` that of the low half, with the highest rank that a
    low may hold as `low_qualifier` (8 for eight or better, 0 for none). HOUSE_LOW is the house's low (GAME-DC-11).
    """

    ranking: Ranking
    hole_cards_min: int
    hole_cards_max: int
    award: Literal["WHOLE", "HIGH_LOW", "HIGH_LOW_DECLARE", "HIGH_LOW_SPADE"] = "WHOLE"
    low: Ranking | None = None
    low_qualifier: int = 0

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("award", "low", "low_qualifier")


class DeckSpec(_Spec, frozen=True):
    """52 cards, or the short deck of 36 (CARD-03), and up to two jokers, always wild (CARD-01, GAME-DC-04)."""

    cards: int = 52
    jokers: int = 0


class WildSpec(_Spec, frozen=True):
    """What is wild: ranks and named cards in text ("2", "Kd"), or each holder's lowest face-down card (RANK-WILD-04)."""

    ranks: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    low_hole_card: bool = False


class LeastHandSpec(_Spec, frozen=True):
    """The least hand that will do: a category, and for one of a kind its rank, e.g. ONE_PAIR of "J" (GAME-DC-06)."""

    category: HandCategory
    rank: str | None = None


class ConditionsSpec(_Spec, frozen=True):
    """Who may open the first betting round and who may win, and what happens when nobody does (GAME-DC-05, GAME-DC-06)."""

    openers: LeastHandSpec | None = None
    winners: LeastHandSpec | None = None
    redeal_if_no_open: bool = False
    redeal_if_no_win: bool = False


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
    forced: Literal["BLINDS", "BRING_IN", "ANTES"] = "BLINDS"  # What opens the first round, where the level has it.
    bring_in: Literal["LOWEST", "HIGHEST"] = "LOWEST"  # Which up card (GAME-ST-06, GAME-RZ-03).
    deck: DeckSpec = DeckSpec()
    wild: WildSpec | None = None
    conditions: ConditionsSpec | None = None
    explanation: str = ""  # The words in which a dealer explains the call (GAME-DC-02, GAME-DC-03).
    aliases: tuple[str, ...] = ()

    ADDED_LATER: ClassVar[tuple[str, ...]] = (
        "forced",
        "bring_in",
        "deck",
        "wild",
        "conditions",
        "explanation",
        "aliases",
    )

    @property
    def hole_card_count(self) -> int:
        """Private cards a seat gets from the deal in all, up cards included, draws apart."""
        return sum(step.count for step in self.steps if isinstance(step, DealDown | DealUp))

    @property
    def discard_count(self) -> int:
        """Private cards a seat gives up for good in all, draws apart."""
        return sum(step.count for step in self.steps if isinstance(step, DiscardCards))

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
    ante_chips: int = 0  # Of each seat, outside the level (BET-FL-08).
    bring_in_chips: int = 0  # 0: none is played, the best exposed hand opens.
    stud_showdown_first: ShowdownFirst = "LOWEST_SEAT"  # In games without blinds (GAME-ST-16).
    low_ranking: Literal["ACE_TO_FIVE", "ACE_TO_SIX"] = "ACE_TO_FIVE"  # What HOUSE_LOW is (GAME-DC-11).
    odd_units: OddUnits = "CLOCKWISE"
    bring_in_rule: Literal["FORCED", "CHOICE"] = "FORCED"  # For the seat that inherits it (GAME-ST-06, GAME-ST-07).
    dead_hand_gets_cards: bool = False  # GAME-ST-11.
    open_pair_choice: bool = False  # BET-LIM-04.
    keeps_last_card: bool = False  # CARD-06.
    stud_shortage: bool = False  # Stud may start with players for whom the last card can run short (GAME-ST-17).
    out_of_turn_fold: bool = False  # HOUSE-BET-06.
    both_rule: Literal["OUTRIGHT", "TIE_OK"] = "OUTRIGHT"  # GAME-DECL-05.
    pot_agreement: Literal["FORBIDDEN", "UNANIMOUS"] = "FORBIDDEN"  # POT-AGR-01, POT-AGR-02.
    kill: Literal["OFF", "HALF", "FULL"] = "OFF"  # KILL-01.


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
    stud_showdown_first: ShowdownFirst = "LOWEST_SEAT"
    low_ranking: Literal["ACE_TO_FIVE", "ACE_TO_SIX"] = "ACE_TO_FIVE"
    odd_units: OddUnits = "CLOCKWISE"
    bring_in_rule: Literal["FORCED", "CHOICE"] = "FORCED"
    dead_hand_gets_cards: bool = False
    open_pair_choice: bool = False
    keeps_last_card: bool = False
    stud_shortage: bool = False
    out_of_turn_fold: bool = False
    both_rule: Literal["OUTRIGHT", "TIE_OK"] = "OUTRIGHT"
    pot_agreement: Literal["FORBIDDEN", "UNANIMOUS"] = "FORBIDDEN"
    kill: Literal["OFF", "HALF", "FULL"] = "OFF"

    ADDED_LATER: ClassVar[tuple[str, ...]] = (
        "stud_showdown_first",
        "low_ranking",
        "odd_units",
        "bring_in_rule",
        "dead_hand_gets_cards",
        "open_pair_choice",
        "keeps_last_card",
        "stud_shortage",
        "out_of_turn_fold",
        "both_rule",
        "pot_agreement",
        "kill",
    )

    def hand_rules(  # noqa: PLR0913 - every size of a level, each by its name
        self,
        *,
        small_blind_chips: int = 0,
        big_blind_chips: int = 0,
        structure: Structure | None = None,
        unit_chips: int | None = None,
        ante_chips: int = 0,
        bring_in_chips: int = 0,
        small_bet_chips: int = 0,
        big_bet_chips: int = 0,
        spread_min_chips: int = 0,
        spread_max_chips: int = 0,
    ) -> HandRules:
        """Build the rules of a hand at one level of this house.

        Limit bets of 0 follow from the blinds, a least opening without blinds is the small bet.

        Rules: BET-FL-01 (steps of one and two big blinds), BET-FL-08, BET-LIM-01 (`limit_unit`), BET-NL-02 and CASH-09 (least
        opening), BET-SP-01 (range of spread limit, see `spread_range`), KILL-01 (kill pots are a game of limit).
        """
        played = structure or self.betting
        if small_bet_chips > 0:
            big_bet_chips = big_bet_chips or 2 * small_bet_chips
        elif played == "LIMIT" and self.limit_unit == "BLINDS":
            small_bet_chips, big_bet_chips = small_blind_chips, big_blind_chips  # BET-LIM-01, D-14
        else:
            small_bet_chips, big_bet_chips = big_blind_chips, 2 * big_blind_chips
        is_limit = played in ("LIMIT", "FIXED_LIMIT")
        least_open_chips = small_blind_chips if self.min_open_bet == "SMALL_BLIND" else big_blind_chips
        return HandRules(
            structure=played,
            reopen_rule=self.limit_reopen_rule if is_limit else self.reopen_rule,
            small_blind_chips=small_blind_chips,
            big_blind_chips=big_blind_chips,
            small_bet_chips=small_bet_chips,
            big_bet_chips=big_bet_chips,
            min_open_chips=least_open_chips or small_bet_chips or spread_min_chips,
            spread_min_chips=spread_min_chips,
            spread_max_chips=spread_max_chips,
            raise_cap=self.limit_raise_cap if is_limit else self.raise_cap,
            fold_when_free=self.fold_when_free,
            unit_chips=unit_chips or self.unit_chips,
            showdown=self.showdown,
            showdown_first=self.showdown_first,
            allin_face_up=self.allin_face_up,
            burns=self.burns,
            ante_chips=ante_chips,
            bring_in_chips=bring_in_chips,
            stud_showdown_first=self.stud_showdown_first,
            low_ranking=self.low_ranking,
            odd_units=self.odd_units,
            bring_in_rule=self.bring_in_rule,
            dead_hand_gets_cards=self.dead_hand_gets_cards,
            open_pair_choice=self.open_pair_choice,
            keeps_last_card=self.keeps_last_card,
            stud_shortage=self.stud_shortage,
            out_of_turn_fold=self.out_of_turn_fold,
            both_rule=self.both_rule,
            pot_agreement=self.pot_agreement,
            kill=self.kill if played == "LIMIT" else "OFF",
        )


class StartSpec(_Spec, frozen=True):
    """Equal starting stack of every player (PTS-002)."""

    chips: int


class BettingSpec(_Spec, frozen=True):
    """The betting structure a format plays."""

    structure: Structure


class LevelSpec(_Spec, frozen=True):
    """Sizes from one hand number on; hand 1 is the first (PTS-B3-01). 0 means that the level has none.

    What follows from them is `stakes.level_rules`.
    """

    from_hand: int
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0  # Of each seat dealt in.
    bring_in: int = 0  # Of games that know one (GAME-ST-05); with 0 the best exposed hand opens.
    small_bet: int = 0  # Limit: of the early streets, 0 to follow the blinds. Others: least opening without blinds.
    big_bet: int = 0  # Limit: of the late streets, 0 for twice the small bet.
    stake: int = 0  # Spread limit: the table stake (BET-SP-01).

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("ante", "bring_in", "small_bet", "big_bet", "stake")


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


class DealerCallsSpec(_Spec, frozen=True):
    """Dealer's choice: before each hand the dealer calls a game (GAME-DC-01, GAME-DC-02, HOUSE-DEAL-01).

    A dealer who calls nothing in time deals the game of the block.
    """

    call_seconds: int = 60  # For the call.
    window_seconds: int = 15  # For sitting out, once the call is explained.


class ProceduresSpec(_Spec, frozen=True):
    """Optional procedures of a format; what is not named does not exist."""

    reset: ResetSpec | None = None
    dealer_calls: DealerCallsSpec | None = None

    ADDED_LATER: ClassVar[tuple[str, ...]] = ("dealer_calls",)


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


class StakesSpec(_Spec, frozen=True):
    """Sizes that a house plays where nobody names others, as in `LevelSpec`; what is left out has no such habit."""

    structure: Structure | None = None  # The house's own without.
    small_blind: int | None = None
    big_blind: int | None = None
    ante: int | None = None
    bring_in: int | None = None
    small_bet: int | None = None
    big_bet: int | None = None
    stake: int | None = None


class TableSpec(_Spec, frozen=True):
    """What a table of a house plays where its opening names nothing else, by what opens the first round of its game."""

    house: str
    start_chips: int
    cutoff_minutes: int
    decision_seconds: int
    blinds: StakesSpec
    bring_in: StakesSpec
    antes: StakesSpec
