"""From games, houses, formats and rank cards to the contract's messages, and cards with them. Nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from homegame.v1 import cards_pb2, catalog_pb2, errors_pb2
from homegame_engine import rule_card as rule_cards
from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN, JOKERS, RANKS, format_card, parse_card
from homegame_engine.deal_proof import deck_cards
from homegame_engine.specs import (
    BettingStreet,
    Burn,
    DealBoard,
    DealDown,
    DealUp,
    DeclareHalves,
    DiscardCards,
    DrawCards,
    PassCards,
)
from homegame_engine.stakes import level_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from homegame_engine.errors import SpecError
    from homegame_engine.evaluator.rank_card import RankCard
    from homegame_engine.specs import BlockSpec, FormatSpec, GameSpec, HandRules, HouseSpec, Step

STRUCTURES: Final = {
    "FIXED_LIMIT": catalog_pb2.BETTING_STRUCTURE_FIXED_LIMIT,
    "LIMIT": catalog_pb2.BETTING_STRUCTURE_LIMIT,
    "NO_LIMIT": catalog_pb2.BETTING_STRUCTURE_NO_LIMIT,
    "POT_LIMIT": catalog_pb2.BETTING_STRUCTURE_POT_LIMIT,
    "SPREAD_LIMIT": catalog_pb2.BETTING_STRUCTURE_SPREAD_LIMIT,
}
KILLS: Final = {
    "OFF": catalog_pb2.KILL_OFF,
    "HALF": catalog_pb2.KILL_HALF,
    "FULL": catalog_pb2.KILL_FULL,
}
_BLOCK_ENDS: Final = {"CUTOFF": catalog_pb2.BLOCK_END_CUTOFF, "ORBIT": catalog_pb2.BLOCK_END_ORBIT}
_STEP_KINDS: Final[dict[type, catalog_pb2.StepKind.ValueType]] = {
    DealDown: catalog_pb2.STEP_KIND_DEAL_DOWN,
    DealUp: catalog_pb2.STEP_KIND_DEAL_UP,
    Burn: catalog_pb2.STEP_KIND_BURN,
    DealBoard: catalog_pb2.STEP_KIND_DEAL_BOARD,
    BettingStreet: catalog_pb2.STEP_KIND_BET,
    DrawCards: catalog_pb2.STEP_KIND_DRAW,
    DiscardCards: catalog_pb2.STEP_KIND_DISCARD,
    PassCards: catalog_pb2.STEP_KIND_PASS,
    DeclareHalves: catalog_pb2.STEP_KIND_DECLARE,
}
_SUITS: Final = 4
_FIRST_JOKER: Final = parse_card(JOKERS[0])
_MS_PER_SECOND: Final = 1000


# --- Cards ----------------------------------------------------------------------------------------------------------------


def card(code: int) -> cards_pb2.Card.ValueType:
    """The contract's card: code + 1, and CARD_HIDDEN for a back or for a card that nobody knows yet."""
    if code in (CARD_HIDDEN, CARD_UNKNOWN):
        return cards_pb2.CARD_HIDDEN
    return cards_pb2.Card.ValueType(code + 1)


def cards(codes: Iterable[int]) -> list[cards_pb2.Card.ValueType]:
    """The contract's cards."""
    return [card(code) for code in codes]


def _face(code: int) -> cards_pb2.CardFace:
    if code >= _FIRST_JOKER:
        return cards_pb2.CardFace(card=card(code), text=format_card(code))
    rank, suit = divmod(code, _SUITS)
    return cards_pb2.CardFace(
        card=card(code),
        rank=cards_pb2.Rank.ValueType(rank + 1),
        suit=cards_pb2.Suit.ValueType(suit + 1),
        text=format_card(code),
    )


# --- Games ----------------------------------------------------------------------------------------------------------------


def game_deck(game: GameSpec) -> bytes:
    """Every card of a game's deck, lowest rank first."""
    return deck_cards(game.deck.cards + game.deck.jokers)


def game_spec(game: GameSpec) -> catalog_pb2.Game:
    """A game with its steps, and the same by streets."""
    return catalog_pb2.Game(
        game_id=game.id,
        name=game.name,
        version=game.version,
        summary=game.summary,
        min_players=game.players.min,
        max_players=game.players.max,
        streets=_streets(game),
        ranking=game.showdown.ranking,
        own_cards_min=game.showdown.hole_cards_min,
        own_cards_max=game.showdown.hole_cards_max,
        rule_ids=game.rules,
        steps=[game_step(step) for step in game.steps],
        forced=game.forced,
        award=game.showdown.award,
        low=game.showdown.low or "",
        low_qualifier=game.showdown.low_qualifier or None,
        deck=cards(game_deck(game)),
        wild_cards=cards(_wild_cards(game)),
        low_hole_card_is_wild=game.wild is not None and game.wild.low_hole_card,
        explanation=game.explanation,
        aliases=game.aliases,
    )


def _streets(game: GameSpec) -> list[catalog_pb2.Street]:
    streets: list[catalog_pb2.Street] = []
    down = up = board = 0
    for step in game.steps:
        if isinstance(step, DealDown):
            down += step.count
        elif isinstance(step, DealUp):
            up += step.count
        elif isinstance(step, DealBoard):
            board += step.count
        elif isinstance(step, BettingStreet):
            streets.append(catalog_pb2.Street(name=step.street, down_cards=down, up_cards=up, board_cards=board))
            down = up = board = 0
    return streets


def game_step(step: Step) -> catalog_pb2.GameStep:
    """A step of a deal."""
    of = catalog_pb2.GameStep(kind=_STEP_KINDS[type(step)])
    if isinstance(step, BettingStreet):
        of.street, of.big_bet, of.opens, of.open_pair = step.street, step.size == "BIG", step.opens, step.open_pair
    elif not isinstance(step, DeclareHalves):
        of.count = step.count
    if isinstance(step, PassCards):
        of.direction = step.direction
    return of


def _wild_cards(game: GameSpec) -> list[int]:
    ranks = [RANKS.index(rank) for rank in game.wild.ranks] if game.wild is not None else []
    named = [parse_card(text) for text in game.wild.cards] if game.wild is not None else []
    return [code for code in game_deck(game) if code >= _FIRST_JOKER or code // _SUITS in ranks or code in named]


def rule_card(game: GameSpec, rules: HandRules | None) -> list[catalog_pb2.RuleCardSection]:
    """The rule card of a game, with the sizes of a table where they are known."""
    return [
        catalog_pb2.RuleCardSection(title=section.title, lines=section.lines)
        for section in rule_cards.rule_card(game, rules)
    ]


def game_fault(error: SpecError) -> catalog_pb2.GameFault:
    """What is wrong with a designer's file."""
    return catalog_pb2.GameFault(
        line=error.line,
        field=error.field,
        rule_id=error.rule_id,
        reason=errors_pb2.Reason.Value(f"REASON_{error.reason}"),
        message=error.message,
    )


def rank_card(of: Sequence[RankCard], game: GameSpec) -> catalog_pb2.RankCard:
    """The rank card of a game (RANK-HI-07): of the whole pot or the high half first, then of the low half."""
    kinds = [(card.title, kind) for card in of for kind in card.categories]
    return catalog_pb2.RankCard(
        game_id=game.id,
        categories=[
            catalog_pb2.RankCategory(
                position=position,
                name=kind.name,
                comparison=kind.comparison,
                example=cards(kind.example),
                ranking=title,
            )
            for position, (title, kind) in enumerate(kinds, start=1)
        ],
        notes=[note for card in of for note in card.notes],
        deck=[_face(code) for code in game_deck(game)],
    )


# --- Houses and formats ---------------------------------------------------------------------------------------------------


def house_spec(house: HouseSpec, *, has_tables: bool) -> catalog_pb2.House:
    """A house."""
    return catalog_pb2.House(
        house_id=house.id,
        name=house.name,
        structure=STRUCTURES[house.betting],
        unit_chips=house.unit_chips,
        has_tables=has_tables,
    )


def all_level_rules(played: FormatSpec, house: HouseSpec) -> list[HandRules]:
    """The rules of a hand at each level."""
    return [level_rules(house, level, played.betting.structure) for level in played.levels]


def levels(played: FormatSpec, rules: list[HandRules]) -> list[catalog_pb2.Level]:
    """The levels of a format."""
    return [
        stakes(rule, from_hand=level.from_hand, stake_chips=level.stake)
        for level, rule in zip(played.levels, rules, strict=True)
    ]


def stakes(rules: HandRules, *, from_hand: int, stake_chips: int) -> catalog_pb2.Level:
    """What hands are played for: the sizes that the structure knows."""
    is_limit = rules.structure in ("FIXED_LIMIT", "LIMIT")
    is_spread = rules.structure == "SPREAD_LIMIT"
    return catalog_pb2.Level(
        from_hand=from_hand,
        small_blind_chips=rules.small_blind_chips,
        big_blind_chips=rules.big_blind_chips,
        small_bet_chips=rules.small_bet_chips if is_limit else 0,
        big_bet_chips=rules.big_bet_chips if is_limit else 0,
        ante_chips=rules.ante_chips,
        bring_in_chips=rules.bring_in_chips,
        spread_min_chips=rules.spread_min_chips,
        spread_max_chips=rules.spread_max_chips,
        stake_chips=stake_chips if is_spread else 0,
        min_open_chips=0 if is_limit or is_spread else rules.min_open_chips,
    )


def raise_cap(rules: HandRules) -> int | None:
    """Raises after the opening, None for no cap."""
    return None if rules.raise_cap < 0 else rules.raise_cap


def block(of: BlockSpec) -> catalog_pb2.Block:
    """A scheduled part of a session."""
    return catalog_pb2.Block(game_id=of.game, until=_BLOCK_ENDS[of.until])


def format_spec(played: FormatSpec, house: HouseSpec) -> catalog_pb2.Format:
    """A format in its own house."""
    rules = all_level_rules(played, house)
    return catalog_pb2.Format(
        format_id=played.id,
        aliases=played.aliases,
        name=played.name,
        version=played.version,
        summary=played.summary,
        base_format_id=played.base or "",
        house_id=played.house,
        start_chips=played.start.chips,
        unit_chips=house.unit_chips,
        min_players=played.players.min,
        max_players=played.players.max,
        structure=STRUCTURES[played.betting.structure],
        raise_cap=raise_cap(rules[0]),
        levels=levels(played, rules),
        blocks=[block(one) for one in played.blocks],
        cutoff_minutes=played.cutoff.minutes,
        decision_window_ms=played.clock.decision_seconds * _MS_PER_SECOND,
        scoring=played.scoring.by,
        tie_rule=played.scoring.ties,
        rule_ids=played.rules,
        dealer_calls=played.procedures.dealer_calls is not None,
    )
