"""Whether a game, once read, can be dealt and played: the language of GAME-DC-04 as far as its words alone do not say it.

Whatever the core would refuse when a hand starts is refused here, with its place in the author's file. Knows no house
and no level: what depends on them is `format_checks`'.
"""

from typing import Final

from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError
from homegame_engine.reasons import Reason
from homegame_engine.spec_checks import check_header, check_players, check_range
from homegame_engine.spec_reader import Source, found
from homegame_engine.specs import (
    BettingStreet,
    Burn,
    DealBoard,
    DealDown,
    DealUp,
    DeclareHalves,
    DiscardCards,
    DrawCards,
    GameSpec,
    LeastHandSpec,
    PassCards,
    Step,
)

SEATS_MAX: Final = 10
STEPS_MAX: Final = 31
STREETS_MAX: Final = 8
HOLE_CARDS_MAX: Final = 7
BOARD_CARDS_MAX: Final = 10
BURN_CARDS_MAX: Final = 5
HOUSE_BURNS: Final = 3  # Before flop, turn and river.
MIXES_MAX: Final = 4  # Reshuffles of a stub that ran short for which a deal has orders ready.
DECK_CARDS: Final = 52
SHORT_DECK_CARDS: Final = 36
JOKERS_MAX: Final = 2
FIVE: Final = 5

_RANKS: Final = "23456789TJQKA"
_SHORT_DECK_RANKS: Final = "6789TJQKA"
_LOW_QUALIFIERS: Final = {
    "ACE_TO_FIVE": (5, 13),
    "ACE_TO_SIX": (6, 13),
    "HOUSE_LOW": (6, 13),
    "DEUCE_TO_SEVEN": (7, 14),
}
_LOWS: Final = (*_LOW_QUALIFIERS, "BADUGI")
_RANKED_CATEGORIES: Final = ("ONE_PAIR", "TWO_PAIR", "THREE_OF_A_KIND", "FULL_HOUSE", "FOUR_OF_A_KIND")
_CARDS_NEEDED: Final = {"BADUGI": 4}  # Five for every other ranking.


def check_game(spec: GameSpec, source: Source) -> None:
    """Refuse a game that cannot be played.

    Raises:
        SpecError: the first fault; GAME_NOT_DESCRIBABLE, BAD_DECK or TOO_MANY_PLAYERS.

    Rules: GAME-DC-04, CARD-01, CARD-03, CARD-07, CARD-08.
    """
    check_header(spec.id, spec.version, spec.rules, source)
    for index, alias in enumerate(spec.aliases):
        if not alias or any(letter.isupper() or letter.isspace() for letter in alias):
            raise source.fault(f"aliases[{index}]", f"expected a name in small letters, found {alias!r}")
    check_players(
        spec.players.min, spec.players.max, SEATS_MAX, source, rule_id="CARD-08", reason=Reason.TOO_MANY_PLAYERS
    )
    _check_deck(spec, source)
    _check_wild(spec, source)
    _check_steps(spec, source)
    _check_opening(spec, source)
    _check_showdown(spec, source)
    _check_low(spec, source)
    _check_conditions(spec, source)
    _check_card_supply(spec, source)


# --- The deck -------------------------------------------------------------------------------------------------------------


def _check_deck(spec: GameSpec, source: Source) -> None:
    if spec.deck.cards not in (DECK_CARDS, SHORT_DECK_CARDS):
        problem = f"expected {DECK_CARDS}, or {SHORT_DECK_CARDS} for the short deck, found {spec.deck.cards}"
        raise source.fault("deck.cards", problem, "CARD-03", Reason.BAD_DECK)
    if not 0 <= spec.deck.jokers <= JOKERS_MAX:
        problem = f"expected 0 to {JOKERS_MAX}, found {spec.deck.jokers}"
        raise source.fault("deck.jokers", problem, "CARD-01", Reason.BAD_DECK)


def _check_wild(spec: GameSpec, source: Source) -> None:
    if spec.wild is None:
        return
    ranks = _ranks_of(spec)
    if not spec.wild.ranks and not spec.wild.cards and not spec.wild.low_hole_card:
        raise source.fault("wild", "expected ranks, cards or low_hole_card = true")
    for index, rank in enumerate(spec.wild.ranks):
        if rank not in tuple(ranks):
            raise source.fault(f"wild.ranks[{index}]", f"expected a rank of the deck, one of {ranks}, found {rank!r}")
        if rank in spec.wild.ranks[:index]:
            raise source.fault(f"wild.ranks[{index}]", f"{rank} is wild already")
    for index, card in enumerate(spec.wild.cards):
        if card[:1] not in ranks or not _is_one_card(card):
            raise source.fault(f"wild.cards[{index}]", f"expected a card of the deck as 'Kd', found {card!r}")
        if card in spec.wild.cards[:index] or card[0] in spec.wild.ranks:
            raise source.fault(f"wild.cards[{index}]", f"{card} is wild already")
    if spec.wild.low_hole_card and not any(isinstance(step, DealDown) for step in spec.steps):
        raise source.fault("wild.low_hole_card", "nobody gets a card face down", "RANK-WILD-04")


def _ranks_of(spec: GameSpec) -> str:
    return _SHORT_DECK_RANKS if spec.deck.cards == SHORT_DECK_CARDS else _RANKS


def _is_one_card(text: str) -> bool:
    try:
        return len(parse_cards(text)) == 1
    except InputError:
        return False


# --- The steps ------------------------------------------------------------------------------------------------------------


def _check_steps(spec: GameSpec, source: Source) -> None:
    if not 1 <= len(spec.steps) <= STEPS_MAX:
        raise source.fault("steps", f"expected 1 to {STEPS_MAX} steps, found {len(spec.steps)}")
    walk = _Walk(spec, source)
    for index in range(len(spec.steps)):
        walk.look_at(index)
    if not 1 <= walk.n_bets <= STREETS_MAX:
        raise source.fault("steps", f"expected 1 to {STREETS_MAX} betting rounds, found {walk.n_bets}")
    if not isinstance(spec.steps[-1], BettingStreet):
        raise source.fault(f"steps[{len(spec.steps) - 1}].step", "expected a betting round, BET, as the last step")


class _Walk:
    """Goes through the deal and looks at each step with what a seat holds by then."""

    def __init__(self, spec: GameSpec, source: Source) -> None:
        self.spec = spec
        self.source = source
        self.held = 0  # Private cards of a seat, `up` of them face up.
        self.up = 0
        self.dealt = 0  # Those that were given up included.
        self.board = 0
        self.n_bets = 0

    def look_at(self, index: int) -> None:
        path = f"steps[{index}]"
        match self.spec.steps[index]:
            case DealDown(count=count):
                self._deal(count, 0, f"{path}.count")
            case DealUp(count=count):
                self._deal(count, count, f"{path}.count")
            case DealBoard(count=count):
                self._turn(count, f"{path}.count")
            case DrawCards(count=count) | PassCards(count=count):
                self._take(count, path)
            case DiscardCards(count=count):
                self._take(count, path)
                self.held -= count
            case Burn():
                _check_burn(self.spec, index, self.source)
            case DeclareHalves():
                _check_declare(self.spec, index, self.source)
            case BettingStreet():
                self._bet(index)

    def _deal(self, count: int, up: int, path: str) -> None:
        check_range(count, 1, HOLE_CARDS_MAX, path, self.source)
        self.held += count
        self.up += up
        self.dealt += count
        if self.dealt > HOLE_CARDS_MAX:
            problem = f"expected at most {HOLE_CARDS_MAX} private cards from the deal, found {self.dealt}"
            raise self.source.fault(path, problem)

    def _turn(self, count: int, path: str) -> None:
        check_range(count, 1, BOARD_CARDS_MAX, path, self.source)
        self.board += count
        if self.board > BOARD_CARDS_MAX:
            raise self.source.fault(path, f"expected at most {BOARD_CARDS_MAX} common cards, found {self.board}")

    def _take(self, count: int, path: str) -> None:
        if self.held == 0:
            raise self.source.fault(path, "nobody has a card yet")
        check_range(count, 1, self.held, f"{path}.count", self.source)

    def _bet(self, index: int) -> None:
        self.n_bets += 1
        if self.held == 0:
            raise self.source.fault(f"steps[{index}]", "nobody has a card to bet on")
        _check_street(self.spec, index, self.up, self.source)


def _after(spec: GameSpec, index: int) -> Step | None:
    return spec.steps[index + 1] if index + 1 < len(spec.steps) else None


def _check_burn(spec: GameSpec, index: int, source: Source) -> None:
    """A burn lies between a betting round and the cards of the next one; a house's own number is for common cards."""
    path = f"steps[{index}]"
    step = spec.steps[index]
    count = step.count if isinstance(step, Burn) else 0
    check_range(count, 0, BURN_CARDS_MAX, f"{path}.count", source, "CARD-07")
    n_bets = sum(isinstance(earlier, BettingStreet) for earlier in spec.steps[:index])
    if n_bets == 0:
        raise source.fault(path, "expected a betting round before the first burn", "CARD-07")
    if count == 0 and n_bets > HOUSE_BURNS:
        problem = f"expected a count: houses name the burns after the first {HOUSE_BURNS} betting rounds only"
        raise source.fault(path, problem, "CARD-07")
    expected: tuple[type, ...] = (DealBoard, DealUp, DealDown) if count else (DealBoard,)
    if not isinstance(_after(spec, index), expected):
        wanted = "the next cards" if count else "common cards; before other cards a burn names its count"
        raise source.fault(path, f"expected a burn right before {wanted}", "CARD-07")


def _check_declare(spec: GameSpec, index: int, source: Source) -> None:
    path = f"steps[{index}]"
    if spec.showdown.award != "HIGH_LOW_DECLARE":
        raise source.fault(path, "nothing is declared unless showdown.award is HIGH_LOW_DECLARE", "GAME-DECL-01")
    if not any(isinstance(step, BettingStreet) for step in spec.steps[:index]):
        raise source.fault(path, "expected a betting round before the declaration", "GAME-DECL-01")
    follows = _after(spec, index)
    if not isinstance(follows, BettingStreet) or follows.opens != "DECLARED":
        raise source.fault(path, 'expected a BET with opens = "DECLARED" right after it', "GAME-DECL-02")


def _check_street(spec: GameSpec, index: int, up: int, source: Source) -> None:
    path = f"steps[{index}]"
    step = spec.steps[index]
    if not isinstance(step, BettingStreet):
        raise TypeError(step)  # Our mistake: the caller has looked.
    earlier = [other for other in spec.steps[:index] if isinstance(other, BettingStreet)]
    if not step.street or not step.street.replace("_", "").isalnum() or step.street != step.street.upper():
        raise source.fault(f"{path}.street", f"expected a name in capitals, digits and _, found {found(step.street)}")
    if any(step.street == other.street for other in earlier):
        raise source.fault(f"{path}.street", f"two betting rounds are called {step.street}")
    if step.opens in ("BEST_EXPOSED", "WORST_EXPOSED", "BRING_IN") and up == 0:
        raise source.fault(f"{path}.opens", f"{step.opens} needs cards face up", "GAME-ST-04")
    if step.opens == "BRING_IN" and earlier:
        raise source.fault(f"{path}.opens", "only the first betting round has a bring-in", "GAME-ST-05")
    if step.opens == "DECLARED" and not isinstance(spec.steps[index - 1], DeclareHalves):
        raise source.fault(f"{path}.opens", "expected a DECLARE step right before it", "GAME-DECL-02")
    if step.open_pair and up <= 1:
        raise source.fault(f"{path}.open_pair", "an open pair needs two cards face up", "BET-LIM-04")


def _check_opening(spec: GameSpec, source: Source) -> None:
    first = next(step for step in spec.steps if isinstance(step, BettingStreet))
    if (spec.forced == "BRING_IN") != (first.opens == "BRING_IN"):
        path = f"steps[{spec.steps.index(first)}].opens"
        wanted = 'forced = "BRING_IN"' if first.opens == "BRING_IN" else "BRING_IN, as forced says"
        raise source.fault(path, f"expected {wanted}", "GAME-ST-05")
    if spec.forced == "BLINDS" and first.opens != "BUTTON_LEFT":
        path = f"steps[{spec.steps.index(first)}].opens"
        raise source.fault(path, f"blinds open this round; expected forced to be ANTES, found {spec.forced}")


# --- The showdown ---------------------------------------------------------------------------------------------------------


def _check_showdown(spec: GameSpec, source: Source) -> None:
    """How many cards make a hand: the best five (badugi: four) of all, or exactly so many private and common ones."""
    least, most = spec.showdown.hole_cards_min, spec.showdown.hole_cards_max
    held = spec.hole_card_count - spec.discard_count
    board = spec.board_card_count
    needed = _CARDS_NEEDED.get(spec.showdown.ranking, FIVE)
    if spec.showdown.ranking == "LOW_SPADE":
        raise source.fault(
            "showdown.ranking", "the low spade takes half of a pot only: award HIGH_LOW_SPADE", "RANK-LO-06"
        )
    if held + board < needed:
        raise source.fault("steps", f"a hand has {needed} cards; these steps leave {held + board}", "RANK-HI-01")
    if least == most and board > 0:
        check_range(most, 1, min(held, FIVE - 1), "showdown.hole_cards_max", source)
        if board < FIVE - most or spec.showdown.ranking == "BADUGI":
            problem = f"exactly {most} private cards need {FIVE - most} common ones, and five make a hand"
            raise source.fault("showdown.hole_cards_min", problem)
        return
    if least != 0:
        wanted = "0 for any, or as many as the most" if board else "0, as there are no common cards"
        raise source.fault("showdown.hole_cards_min", f"expected {wanted}, found {least}")
    if most != held:
        problem = f"expected all {held} private cards that are left, found {most}"
        raise source.fault("showdown.hole_cards_max", problem)


def _check_low(spec: GameSpec, source: Source) -> None:
    """The award and the low half."""
    showdown = spec.showdown
    if showdown.award == "WHOLE":
        if showdown.low is not None:
            raise source.fault("showdown.low", "there is no low half unless showdown.award names one")
    elif showdown.ranking != "HIGH":
        raise source.fault("showdown.ranking", f"expected HIGH for the high half, found {showdown.ranking}")
    elif showdown.award == "HIGH_LOW_SPADE":
        if showdown.low != "LOW_SPADE":
            raise source.fault("showdown.low", f"expected LOW_SPADE, found {showdown.low or 'nothing'}", "RANK-LO-06")
        if not any(isinstance(step, DealDown) for step in spec.steps):
            raise source.fault("showdown.award", "nobody gets a card face down", "RANK-LO-06")
    elif showdown.low not in _LOWS:
        raise source.fault("showdown.low", f"expected one of {', '.join(_LOWS)}, found {showdown.low or 'nothing'}")
    if showdown.award == "HIGH_LOW_DECLARE" and not any(isinstance(step, DeclareHalves) for step in spec.steps):
        raise source.fault("steps", "HIGH_LOW_DECLARE needs a DECLARE step", "GAME-DECL-01")
    _check_qualifier(spec, source)
    uses_wilds = spec.wild is not None or spec.deck.jokers > 0
    if uses_wilds and "BADUGI" in (showdown.ranking, showdown.low):
        raise source.fault("showdown.ranking", "badugi knows no wild cards")


def _check_qualifier(spec: GameSpec, source: Source) -> None:
    qualifier = spec.showdown.low_qualifier
    if qualifier == 0:
        return
    if spec.showdown.low not in _LOW_QUALIFIERS:
        problem = f"a qualifier needs a low: expected 0, found {qualifier}"
        raise source.fault("showdown.low_qualifier", problem, "RANK-LO-05")
    least, most = _LOW_QUALIFIERS[spec.showdown.low]
    check_range(qualifier, least, most, "showdown.low_qualifier", source, "RANK-LO-02")


# --- Conditions -----------------------------------------------------------------------------------------------------------


def _check_conditions(spec: GameSpec, source: Source) -> None:
    conditions = spec.conditions
    if conditions is None:
        return
    for name, least in (("openers", conditions.openers), ("winners", conditions.winners)):
        if least is not None:
            _check_least_hand(spec, least, f"conditions.{name}", source)
    if conditions.openers is not None:
        if spec.forced != "ANTES":
            problem = f'what opens here is {spec.forced}: openers need forced = "ANTES"'
            raise source.fault("conditions.openers", problem, "GAME-DC-06")
        if _cards_before_the_first_bet(spec) < FIVE:
            problem = f"openers need {FIVE} cards before the first betting round"
            raise source.fault("conditions.openers", problem, "GAME-DC-06")
    if conditions.winners is not None and spec.showdown.award != "WHOLE":
        raise source.fault("conditions.winners", "winners need the award WHOLE", "GAME-DC-06")
    if conditions.redeal_if_no_win and conditions.winners is None:
        problem = "somebody always wins unless conditions.winners asks for a hand"
        raise source.fault("conditions.redeal_if_no_win", problem, "GAME-DC-06")
    if conditions.redeal_if_no_open and spec.forced == "BRING_IN":
        raise source.fault("conditions.redeal_if_no_open", "the bring-in always opens", "GAME-DC-05")


def _check_least_hand(spec: GameSpec, least: LeastHandSpec, path: str, source: Source) -> None:
    if spec.showdown.ranking != "HIGH":
        raise source.fault(
            path, f"the least hand is a high one: expected the ranking HIGH, found {spec.showdown.ranking}"
        )
    if least.category == "FIVE_OF_A_KIND" and spec.wild is None and spec.deck.jokers == 0:
        raise source.fault(f"{path}.category", "nothing is wild, so five of a kind does not exist", "RANK-WILD-02")
    if least.rank is None:
        return
    if least.category not in _RANKED_CATEGORIES:
        raise source.fault(
            f"{path}.rank", f"expected no rank for {least.category}, found {found(least.rank)}", "GAME-DC-06"
        )
    if least.rank not in tuple(_ranks_of(spec)):
        raise source.fault(f"{path}.rank", f"expected a rank of the deck, found {found(least.rank)}", "GAME-DC-06")


def _cards_before_the_first_bet(spec: GameSpec) -> int:
    cards = 0
    for step in spec.steps:
        if isinstance(step, BettingStreet):
            break
        if isinstance(step, DealDown | DealUp | DealBoard):
            cards += step.count
        elif isinstance(step, DiscardCards):
            cards -= step.count
    return cards


# --- The supply of cards --------------------------------------------------------------------------------------------------


def cards_needed(spec: GameSpec, n_players: int, house_burns: tuple[int, ...] = ()) -> int:
    """Cards that a deal takes from the deck in the longest case, draws apart (CARD-08).

    Args:
        spec: The game.
        n_players: Seats dealt in.
        house_burns: Cards of the house's burns, the one after the first betting round first; one card where it names none.
    """
    burns = street = 0
    for step in spec.steps:
        if isinstance(step, BettingStreet):
            street += 1
        elif isinstance(step, Burn) and step.count == 0:
            burns += house_burns[street - 1] if street <= len(house_burns) else 1
        elif isinstance(step, Burn):
            burns += step.count
    return n_players * spec.hole_card_count + spec.board_card_count + burns


def deck_cards(spec: GameSpec) -> int:
    """Cards of the game's deck."""
    return spec.deck.cards + spec.deck.jokers


def last_card_may_lack(spec: GameSpec) -> bool:
    """Whether the deal can go on when the last card is short: one card face down after cards face up, as in stud (GAME-ST-17)."""
    first_bet = next(index for index, step in enumerate(spec.steps) if isinstance(step, BettingStreet))
    dealt = [index for index, step in enumerate(spec.steps) if isinstance(step, DealDown | DealUp | DealBoard)]
    last = spec.steps[dealt[-1]]
    has_up_cards = any(isinstance(step, DealUp) for step in spec.steps)
    is_down_card = isinstance(last, DealDown) and last.count == 1
    return has_up_cards and is_down_card and dealt[-1] > first_bet and spec.board_card_count == 0


def _check_card_supply(spec: GameSpec, source: Source) -> None:
    """CARD-08, longest case: nobody folds and everybody changes as many cards as may be."""
    n_players = spec.players.max
    deck = deck_cards(spec)
    needed = cards_needed(spec, n_players)
    if last_card_may_lack(spec):  # GAME-ST-17 deals the last ones, and their burn.
        needed -= n_players + 1
    draws = [index for index, step in enumerate(spec.steps) if isinstance(step, DrawCards)]
    if needed > deck:
        problem = f"the deal would need {needed} cards of a deck of {deck}"
        raise source.fault("players.max", problem, "CARD-08", Reason.TOO_MANY_PLAYERS)
    if not draws:
        return
    if any(isinstance(step, DealDown | DealUp | DealBoard | Burn) for step in spec.steps[draws[0] :]):
        changed = sum(step.count for step in spec.steps if isinstance(step, DrawCards))
        if needed + n_players * changed > deck:
            problem = f"the draws and the cards after them would need {needed + n_players * changed} cards of a deck of {deck}"
            raise source.fault("players.max", problem, "CARD-08", Reason.TOO_MANY_PLAYERS)
        return
    n_mixes = mixes_needed(spec, n_players)
    if n_mixes > MIXES_MAX:
        problem = f"{n_players} players who change all they may would need more than {MIXES_MAX} reshuffles"
        raise source.fault("players.max", problem, "CARD-08", Reason.TOO_MANY_PLAYERS)


def mixes_needed(spec: GameSpec, n_players: int, *, keeps_last_card: bool = True) -> int:
    """Reshuffles of the stub in the longest case, more than `MIXES_MAX` when the draws cannot be served at all (GAME-DC-09)."""
    spare = deck_cards(spec) - n_players * spec.hole_card_count - spec.board_card_count
    kept = 1 if keeps_last_card else 0
    stub, n_mixes = spare, 0
    for step in spec.steps:
        if not isinstance(step, DrawCards):
            continue
        if spare - kept < step.count:
            return MIXES_MAX + 1
        for _ in range(n_players):
            if stub - kept < step.count:  # All but the drawer's own discards go back under the stub.
                stub, n_mixes = spare, n_mixes + 1
            stub -= step.count
    return n_mixes


def mix_orders_needed(spec: GameSpec, n_players: int, house_burns: tuple[int, ...], *, keeps_last_card: bool) -> int:
    """Orders for reshuffles that a deal can use; 0 where it cannot run short (CARD-06, GAME-ST-17, GAME-DC-09).

    Args:
        spec: The game.
        n_players: Seats dealt in.
        house_burns: As for `cards_needed`.
        keeps_last_card: Whether the house never deals the last card (CARD-06).
    """
    held = deck_cards(spec) - (1 if keeps_last_card else 0)
    runs_short = cards_needed(spec, n_players, house_burns) > held
    draws = mixes_needed(spec, n_players, keeps_last_card=keeps_last_card)
    return min(max(draws, 1 if runs_short else 0), MIXES_MAX)
