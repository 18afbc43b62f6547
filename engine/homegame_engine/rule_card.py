"""The posted rule card of a game: what is dealt, bet and won, in words that can be read across a table.

Says what the specs say and decides nothing; holds no move advice. Rules: GAME-DC-02, GAME-DC-03, RANK-HI-07, GEN-05.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from homegame_engine.cards import format_cards
from homegame_engine.evaluator.rank_card import RankCard, rank_cards
from homegame_engine.specs import (
    BettingStreet,
    Burn,
    ConditionsSpec,
    DealBoard,
    DealDown,
    DealUp,
    DeclareHalves,
    DiscardCards,
    DrawCards,
    GameSpec,
    HandRules,
    LeastHandSpec,
    PassCards,
    Step,
)

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANK_NAMES: Final = {
    "2": "deuces",
    "3": "threes",
    "4": "fours",
    "5": "fives",
    "6": "sixes",
    "7": "sevens",
    "8": "eights",
    "9": "nines",
    "T": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
    "A": "aces",
}
_STRUCTURES: Final = {
    "FIXED_LIMIT": "fixed limit",
    "LIMIT": "limit",
    "NO_LIMIT": "no limit",
    "POT_LIMIT": "pot limit",
    "SPREAD_LIMIT": "spread limit",
}
_LOWS: Final = {"ACE_TO_FIVE": "ace to five", "ACE_TO_SIX": "ace to six"}


class Section(NamedTuple):
    """One part of the card: a heading and its lines, each a sentence or less."""

    title: str
    lines: tuple[str, ...]


def rule_card(game: GameSpec, rules: HandRules | None = None) -> tuple[Section, ...]:
    """Return the card of a game, in the order in which a dealer explains it.

    Args:
        game: The game.
        rules: Sizes and options of the table where it is played; without them the card says "small bet" and "big bet".
    """
    sections = (
        Section(game.name, tuple(_explanation(game))),
        Section("Before the deal", tuple(_forced(game, rules))),
        Section("The deal", tuple(_deal(game, rules))),
        Section("Betting", tuple(_betting(rules))),
        Section("Choices", tuple(_choices(game))),
        Section("Wild cards", tuple(_wild(game))),
        Section("Your hand", tuple(_hand(game))),
        *(Section(f"{card.title}, best first", tuple(_ranking(card))) for card in _rank_cards(game, rules)),
        Section("The pot", tuple(_pot(game, rules))),
    )
    return tuple(section for section in sections if section.lines)


def _rank_cards(game: GameSpec, rules: HandRules | None) -> Sequence[RankCard]:
    return rank_cards(game, rules.low_ranking if rules is not None else "ACE_TO_FIVE")


def _count(number: int, noun: str) -> str:
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _explanation(game: GameSpec) -> Iterator[str]:
    yield game.explanation.strip() or game.summary
    yield f"For {game.players.min} to {game.players.max} players."


# --- What goes in before the cards, and the cards -------------------------------------------------------------------------


def _forced(game: GameSpec, rules: HandRules | None) -> Iterator[str]:
    jokers = f" and {_count(game.deck.jokers, 'joker')}" if game.deck.jokers else ""
    yield f"The deck has {game.deck.cards} cards{jokers}."
    if rules is None:
        yield {
            "BLINDS": "Blinds, or antes where the table plays none.",
            "BRING_IN": "Antes, and a bring-in where the table plays one.",
            "ANTES": "Antes from everybody.",
        }[game.forced]
        return
    if rules.ante_chips:
        yield f"Everybody antes {rules.ante_chips}."
    if game.forced == "BLINDS" and rules.big_blind_chips:
        yield f"Blinds {rules.small_blind_chips} and {rules.big_blind_chips}, left of the button."
    if game.forced == "BRING_IN" and rules.bring_in_chips:
        yield f"The bring-in is {rules.bring_in_chips}."


def _deal(game: GameSpec, rules: HandRules | None) -> Iterator[str]:
    """One line for each betting round: what comes before it, its size, and who opens."""
    before: list[str] = []
    street = 0
    for step in game.steps:
        if isinstance(step, BettingStreet):
            cards = _sentence(", ".join(before)) + " " if before else ""
            yield f"{_street_name(step.street)}: {cards}{_sentence(_bet(game, step, rules, is_first=street == 0))}"
            before = []
            street += 1
        elif words := _step(step, rules, street):
            before.append(words)


def _street_name(street: str) -> str:
    return street.capitalize().replace("_", " ")


def _step(step: Step, rules: HandRules | None, street: int) -> str:
    """What happens before a round, "" for nothing; `street` counts the rounds before it."""
    words = ""
    match step:
        case DealDown(count=count):
            words = f"{_count(count, 'card')} down to each"
        case DealUp(count=count):
            words = f"{_count(count, 'card')} up to each"
        case DealBoard(count=count):
            words = _count(count, "common card")
        case Burn(count=count):
            burns = count or (rules.burns[street - 1] if rules is not None and street <= len(rules.burns) else 1)
            words = f"burn {_NUMBERS[burns]}" if burns else ""
        case DrawCards(count=count):
            words = f"draw up to {_NUMBERS[count]}"
        case DiscardCards(count=count):
            words = f"discard {_NUMBERS[count]}"
        case PassCards(count=count, direction=direction):
            words = f"pass {_NUMBERS[count]} to the {direction.lower()}"
        case DeclareHalves():
            words = "declare low, high or both"
    return words


def _bet(game: GameSpec, step: BettingStreet, rules: HandRules | None, *, is_first: bool) -> str:
    size = _size(step, rules)
    has_blinds = game.forced == "BLINDS" and (rules is None or rules.big_blind_chips > 0)
    if is_first and has_blinds:
        opener = "left of the big blind acts first"
    elif step.opens == "BRING_IN":
        opener = _bring_in(game, rules)
    else:
        opener = {
            "BUTTON_LEFT": "left of the button acts first",
            "BEST_EXPOSED": "the best hand showing acts first",
            "WORST_EXPOSED": "the lowest hand showing acts first",
            "DECLARED": "whoever is alone for a half acts first, else the first who went high",
        }[step.opens]
    return f"{size}; {opener}"


def _size(step: BettingStreet, rules: HandRules | None) -> str:
    if rules is None:
        size = f"{step.size.lower()} bet"
    elif rules.structure in ("FIXED_LIMIT", "LIMIT"):
        chips = rules.small_bet_chips if step.size == "SMALL" else rules.big_bet_chips
        size = f"bet {chips}"
        if step.open_pair and rules.open_pair_choice:
            size += f", or {rules.big_bet_chips} with an open pair on the table"  # BET-LIM-04
    else:
        size = "bet"
    return size


def _bring_in(game: GameSpec, rules: HandRules | None) -> str:
    which = (
        "the lowest card showing, ace high, then clubs, diamonds, hearts, spades,"
        if game.bring_in == "LOWEST"
        else "the highest card showing, ace low, then spades, hearts, diamonds, clubs,"
    )
    if rules is None:
        return f"{which} brings it in; where no bring-in is played the best hand showing acts first"
    if rules.bring_in_chips == 0:
        return "the best hand showing acts first"
    return f"{which} brings it in for {rules.bring_in_chips} or a full bet"


# --- Betting and choices --------------------------------------------------------------------------------------------------


def _betting(rules: HandRules | None) -> Iterator[str]:
    if rules is None:
        return
    yield _sentence(_STRUCTURES[rules.structure])
    if rules.structure in ("FIXED_LIMIT", "LIMIT"):
        yield "Every bet and every raise is exactly the bet of the round."
    elif rules.structure == "SPREAD_LIMIT":
        low, high = rules.spread_min_chips, rules.spread_max_chips
        yield f"Every bet and every raise is {low} to {high}, in steps of {low}."
    else:
        yield f"The least opening bet is {rules.min_open_chips}; a raise is at least as large as the one before."
        yield "The most is the pot." if rules.structure == "POT_LIMIT" else "The most is your stack."
    if rules.raise_cap >= 0:
        yield f"At most {_count(rules.raise_cap, 'raise')} in a round, the first bet not counted."


def _choices(game: GameSpec) -> Iterator[str]:
    kinds = {type(step) for step in game.steps}
    if DrawCards in kinds:
        yield "Draws go round from the button's left; each gets the new cards before the next speaks."
        yield "When the stub runs short, what was thrown away before is shuffled and dealt from."
    if DiscardCards in kinds:
        yield "Discards are chosen at the same time and seen by nobody; all-in players discard too."
    if PassCards in kinds:
        yield "Cards are passed at the same time, to the next player still in."
    if DeclareHalves in kinds:
        yield "Declarations are secret and revealed together; all-in players declare too."
    if game.conditions is not None:
        yield from _conditions(game.conditions)


def _conditions(conditions: ConditionsSpec) -> Iterator[str]:
    if conditions.openers is not None:
        yield f"Opening the first round needs {_least(conditions.openers)} or better."
    if conditions.redeal_if_no_open:
        yield "If nobody opens, the pot stays, all ante again, and the same dealer deals again."
    if conditions.winners is not None:
        yield f"Winning needs {_least(conditions.winners)} or better."
    if conditions.redeal_if_no_win:
        yield "If nobody can win, the pot stays and the hands that are left ante again for a new deal."


def _least(least: LeastHandSpec) -> str:
    ranks = f" of {_RANK_NAMES[least.rank]}" if least.rank is not None else ""
    words = {"ONE_PAIR": "a pair", "HIGH_CARD": "any hand"}.get(
        least.category, least.category.lower().replace("_", " ")
    )
    return f"{words}{ranks}"


def _wild(game: GameSpec) -> Iterator[str]:
    if game.deck.jokers:
        yield (
            f"{_sentence(_count(game.deck.jokers, 'joker'))[:-1]} wild."
            if game.deck.jokers == 1
            else "Both jokers are wild."
        )
    if game.wild is None:
        return
    if game.wild.ranks:
        yield _sentence(f"all {' and '.join(_RANK_NAMES[rank] for rank in game.wild.ranks)} are wild")
    if game.wild.cards:
        yield _sentence(f"wild: {', '.join(game.wild.cards)}")
    if game.wild.low_hole_card:
        yield "Your lowest card face down is wild, and with it every card of that rank in your own hand."
        yield "An ace face down is high or low, as suits you better."


# --- The showdown ---------------------------------------------------------------------------------------------------------


def _hand(game: GameSpec) -> Iterator[str]:
    least, most = game.showdown.hole_cards_min, game.showdown.hole_cards_max
    board = game.board_card_count
    if least == most and board:
        each = " for each way" if game.showdown.award == "HIGH_LOW" else ""
        yield f"Exactly {_NUMBERS[most]} of your own cards and exactly {_NUMBERS[5 - most]} common cards{each}."
    elif game.showdown.ranking == "BADUGI":
        yield "The best of your cards, of different ranks and suits."
    elif board:
        yield f"The best five of your {_count(most, 'card')} and the {_count(board, 'common card')}."
    elif most > len("FIVES"):
        yield f"The best five of your {_count(most, 'card')}."
    else:
        yield "All five of your cards."


def _ranking(card: RankCard) -> Iterator[str]:
    for position, kind in enumerate(card.categories, start=1):
        example = format_cards(kind.example)
        spaced = " ".join(example[at : at + 2] for at in range(0, len(example), 2))
        yield f"{position}. {kind.name} ({spaced}): {kind.comparison}"
    yield from card.notes


def _pot(game: GameSpec, rules: HandRules | None) -> Iterator[str]:
    award = game.showdown.award
    if award == "WHOLE":
        lowest = game.showdown.ranking in ("ACE_TO_FIVE", "ACE_TO_SIX", "DEUCE_TO_SEVEN", "HOUSE_LOW")
        yield f"The {'lowest' if lowest else 'best'} hand takes the pot; equal hands share it."
    elif award == "HIGH_LOW":
        yield "High and low share the pot; the cards speak. Without a low, high takes all."
    elif award == "HIGH_LOW_SPADE":
        yield "The best hand and the lowest spade in the hole share the pot."
    else:
        yield from _declared_pot(rules)
    if "HOUSE_LOW" in (game.showdown.ranking, game.showdown.low):
        low = (
            _LOWS[rules.low_ranking] if rules is not None else "the house's own: ace to five, at House Night ace to six"
        )
        yield f"The low is {low}."
    if rules is not None:
        yield from _odd_units(game, rules)


def _declared_pot(rules: HandRules | None) -> Iterator[str]:
    yield "The best of those who went high and the lowest of those who went low share the pot."
    if rules is not None and rules.both_rule == "TIE_OK":
        yield "Who said both must lose neither half, or wins nothing."
    else:
        yield "Who said both must win both halves alone, or wins nothing."
    yield "A half for which nobody declared goes with the other one."


def _odd_units(game: GameSpec, rules: HandRules) -> Iterator[str]:
    unit = f"What does not divide into units of {rules.unit_chips}"
    if rules.odd_units == "CARRY":
        yield f"{unit} goes to the high half or clockwise when two share, and to the next hand when more do."
    elif rules.odd_units == "FIRST":
        yield f"{unit} goes to the first winner clockwise from the button."
    else:
        yield f"{unit} goes one each to the first winners clockwise from the button."
    if game.showdown.award != "WHOLE" and rules.odd_units != "CARRY":
        yield "Between high and low the odd unit goes to the high half."
